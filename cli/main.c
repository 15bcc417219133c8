/* main.c - eulercl: the table of subcommands, the way errors leave.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"list", list_main, "the built-in problems and the backends"},
    {"devices", devices_main, "the OpenCL devices"},
    {"info", info_main, "a problem: size, access distance, parameters"},
    {"new", new_main, "write the source of a problem of your own, to begin with"},
    {"check", check_main, "verify a problem before any run"},
    {"solve", solve_main, "solve a problem, write its final state"},
    {"compare", compare_main, "solve a problem in several ways: times, bits, errors side by side"},
    {"tune", tune_main, "find the fastest way to solve a problem, and remember it"},
    {"wisdom", wisdom_main, "what was found: show, export, import, forget"},
    {"bench", bench_main, "measure backends on problems of several sizes"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("eulercl: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int fail_library(const eulercl_error *error)
{
    fail(error->code, "%s", error->message);
    if (error->log[0] != '\0')
        fprintf(stderr, "%s%s", error->log, error->log[strlen(error->log) - 1] == '\n' ? "" : "\n");
    return error->code;
}

int parse_options(const struct argp *argp, int argc, char **argv, void *input)
{
    const error_t error = argp_parse(argp, argc, argv, ARGP_NO_HELP, NULL, input);
    return error == EINVAL ? EULERCL_INVALID : error;   /* getopt has printed its line for EINVAL */
}

/* ---- what every subcommand takes ---- */

enum { KEY_JSON = 256 };

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    struct common *const common = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;   /* an error is one line, without argp's second one */
        return 0;
    case '?':
        argp_help(state->root_argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, (char *)common->command);
        exit(EULERCL_OK);
    case KEY_JSON:
#ifndef HAVE_JANSSON
        return fail(EULERCL_UNSUPPORTED, "--json: this eulercl was built without Jansson");
#endif
        common->json = 1;
        return 0;
    case ARGP_KEY_ARG:
        return fail(EULERCL_INVALID, "unexpected argument '%s'", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option common_options[] = {
    {"json", KEY_JSON, NULL, 0, "print the result as a JSON object", -1},
    {"help", '?', NULL, 0, "give this help list", -1},
    {0},
};
const struct argp common_argp = {.options = common_options, .parser = parse_common};

/* ---- the command itself ---- */

struct call {
    const struct command *command;
    int argc;
    char **argv;
};

static error_t parse_call(int key, char *argument, struct argp_state *state)
{
    struct call *const call = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        return 0;
    case ARGP_KEY_ARG:
        for (int i = 0; i < COMMANDS; i++)
            if (strcmp(argument, commands[i].name) == 0)
                call->command = &commands[i];
        if (call->command == NULL)
            return fail(EULERCL_INVALID, "no command '%s'; eulercl --help lists them", argument);
        /* The rest is the subcommand's; its argv[0] is ours, so that getopt's messages begin like all others. */
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

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "eulercl %s\n", eulercl_version());
}

/* Output that did not arrive is an error, however the program ends. */
static void close_stdout(void)
{
    const int failed = ferror(stdout);
    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        fail(EULERCL_FILE, "cannot write to standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        _exit(EULERCL_FILE);
    }
}

/* A file opened in place of a closed standard stream would get what is meant for that. Read-only: writing still fails. */
static void fill_closed_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

int main(int argc, char **argv)
{
    static char name[] = "eulercl";
    struct argp_option options[COMMANDS + 1] = {0};
    for (int i = 0; i < COMMANDS; i++)
        options[i] = (struct argp_option){commands[i].name, 0, NULL, OPTION_DOC | OPTION_NO_USAGE, commands[i].doc, 0};
    const struct argp argp = {
        .options = options,
        .parser = parse_call,
        .args_doc = "COMMAND [OPTION...]",
        .doc = "Solve ODE systems of stencil type with the explicit Euler method, on the CPU or through OpenCL."
               "\vEach command has a --help of its own. Exit status: see eulercl(1).",
    };
    struct call call = {0};

    fill_closed_streams();
    atexit(close_stdout);
    argp_program_version_hook = print_version;
    argp_err_exit_status = EULERCL_INVALID;
    if (argc > 0)
        argv[0] = name;
    const error_t error = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &call);
    if (error != 0)
        return error == EINVAL ? EULERCL_INVALID : error;
    return call.command->main(call.argc, call.argv);
}
