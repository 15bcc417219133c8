/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - eulercl: the table of subcommands. */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/message.h"
#include "shared/processes.h"

#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"list", list_main, "the built-in problems, the methods and the backends"},
    {"devices", devices_main, "the OpenCL devices"},
    {"info", info_main, "a problem: size, access distance, parameters"},
    {"new", new_main, "write the source of a new problem"},
    {"check", check_main, "verify a problem before any run"},
    {"solve", solve_main, "solve a problem and write its state"},
    {"live", live_main, "show a run in a browser, and steer it"},
    {"compare", compare_main,
        "solve a problem in several configurations and compare times, bits and errors"},
    {"tune", tune_main, "find the fastest configuration for a problem, and store it"},
    {"wisdom", wisdom_main, "show, export, import or forget stored configurations"},
    {"bench", bench_main, "measure backends on problems of several sizes"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* ---- the command itself ---- */

struct subcommand_call {
    const struct command *command;
    int argc;
    char **argv;
};

static error_t parse_call(int key, char *argument, struct argp_state *state) {
    struct subcommand_call *const call = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        return 0;
    case ARGP_KEY_ARG:
        for (int i = 0; i < COMMANDS; i++)
            if (strcmp(argument, commands[i].name) == 0) call->command = &commands[i];
        if (call->command == NULL)
            return fail(EULERCL_INVALID, "unknown command '%s'; eulercl --help lists the commands",
                argument);
        /* The other arguments are the subcommand's. Its argv[0] is that of the command, so that
         * getopt's messages begin like all others. */
        call->argv = state->argv + state->next - 1;
        call->argc = state->argc - state->next + 1;
        call->argv[0] = state->argv[0];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_state_help(state, stderr, ARGP_HELP_USAGE | ARGP_HELP_SEE);
        return EULERCL_INVALID;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    struct argp_option options[COMMANDS + 1] = {0};
    for (int i = 0; i < COMMANDS; i++)
        options[i] = (struct argp_option){
            commands[i].name, 0, NULL, OPTION_DOC | OPTION_NO_USAGE, commands[i].doc, 0};
    const struct argp argp = {
        .options = options,
        .parser = parse_call,
        .args_doc = "COMMAND [OPTION...]",
        .doc = "Solve ODE systems of stencil type with explicit methods, on the CPU or through "
               "OpenCL."
               "\vEach command has a --help of its own. Exit status: see eulercl(1).",
    };
    struct subcommand_call call = {0};

    begin_program("eulercl", argc, argv);
    int status = begin_processes();
    if (status) return status;
    status = parse_arguments(&argp, ARGP_IN_ORDER, argc, argv, &call);
    if (status) return status;
    return call.command->main(call.argc, call.argv);
}
