/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.c - the problem that the command line chooses: PROBLEM|FILE.c|FILE.so, -p, --size. */
#include "config.h"

#include "shared/problem.h"
#include "shared/arguments.h"
#include "shared/clock.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/processes.h"
#include "shared/stop.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_SIZE = 0x200, KEY_NO_CACHE };
enum { PATIENCE = 3 }; /* seconds until the user is told of the compiler */

static error_t parse_choice(int key, char *argument, struct argp_state *state) {
    struct problem_choice *const choice = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &choice->common;
        choice->settings = calloc((size_t)state->argc, sizeof *choice->settings);
        return choice->settings == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : 0;
    case ARGP_KEY_ERROR:
        free(choice->settings);
        return 0;
    case 'p': {
        char *const equals = strchr(argument, '=');
        if (equals == NULL) return fail(EULERCL_INVALID, "-p %s: expected NAME=VALUE", argument);
        *equals = '\0';
        struct setting *const setting = &choice->settings[choice->n_settings++];
        setting->name = argument;
        return read_real(argument, equals + 1, &setting->value);
    }
    case KEY_SIZE:
        return read_whole("--size", argument, 1, INT64_MAX, &choice->size);
    case KEY_NO_CACHE:
        choice->compilation.no_cache = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (choice->name != NULL) return ARGP_ERR_UNKNOWN; /* common_argp prints the message */
        choice->name = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return choice->any_number
                   ? 0
                   : fail(EULERCL_INVALID,
                         "missing problem; eulercl list shows the built-in problems");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 'p', "NAME=VALUE", 0, "set a parameter of the problem (repeatable)", 1},
    {"size", KEY_SIZE, "N", 0, "set the size parameter so that the system has N components", 1},
    {"no-cache", KEY_NO_CACHE, NULL, 0,
        "compile FILE.c even if a compiled copy of the same text is cached", 1},
    {0},
};
static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
const struct argp problem_argp = {.options = options, .parser = parse_choice, .children = children};

static int configure(
    const struct problem_choice *choice, eulercl_problem *problem, eulercl_problem_info *info) {
    eulercl_error error;
    info->struct_size = sizeof *info;
    if (choice->wanted != NULL && eulercl_problem_get_info(problem, info, &error) == EULERCL_OK &&
        strcmp(info->name, choice->wanted) != 0)
        return fail(EULERCL_INVALID,
            "--resume %s: the problem is %s in the file, but %s on the command line",
            choice->wanted_by, choice->wanted, info->name);
    for (size_t i = 0; i < choice->n_settings; i++)
        if (eulercl_problem_set(
                problem, choice->settings[i].name, choice->settings[i].value, &error))
            return fail_library(&error);
    if (choice->size != 0 && eulercl_problem_set_size(problem, choice->size, &error))
        return fail_library(&error);
    info->struct_size = sizeof *info;
    if (eulercl_problem_get_info(problem, info, &error)) return fail_library(&error);
    return EULERCL_OK;
}

/* Is there a NAME.c? */
static int has_source(const char *name) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s.c", name) < (int)sizeof path && access(path, R_OK) == 0;
}

/* ---- FILE.c ---- */

static int wait_for_compiler(double seconds, void *user) {
    char line[80];
    (void)user;
    if (seconds >= PATIENCE && can_show_progress()) {
        snprintf(line, sizeof line, "compiling for %.0f s", seconds);
        show_line(line);
    }
    return stop_signal() != NULL;
}

static void show_warnings(const char *messages, void *user) {
    (void)user;
    wipe_line();
    fputs(messages, stderr);
}

static void guard(const char *path, int may_exist, void *user) {
    (void)user;
    if (may_exist)
        guard_file(path);
    else
        release_file(path);
}

static int open_source(struct problem_choice *choice, eulercl_problem **problem) {
    eulercl_compilation *const compilation = &choice->compilation;
    eulercl_error error;
    if (choice->options != NULL && eulercl_options_verify(choice->options, &error))
        return fail_library(&error); /* before the compiler is run */
    /* --resume: is it the same problem? */
    const size_t count = choice->wanted == NULL ? choice->n_settings : 0;
    const char **const names = calloc(count + 1, sizeof *names);
    if (names == NULL) return fail(EULERCL_MEMORY, "no memory for the parameters");
    for (size_t i = 0; i < count; i++) names[i] = choice->settings[i].name;
    compilation->struct_size = sizeof *compilation;
    compilation->parameters = names;
    if (choice->is_one_run) compilation->precision = (int)choice->options->precision;
    compilation->takes_turns = process_count() > 1;
    if (choice->may_move && process_count() <= 1) compilation->options = choice->options;
    compilation->waits = wait_for_compiler;
    compilation->warns = show_warnings;
    compilation->guards = guard;
    const double start = wall_clock();
    const int status = eulercl_problem_compile(choice->name, compilation, problem, &error);
    choice->compile_seconds = wall_clock() - start;
    compilation->parameters = NULL;
    free(names);
    wipe_line();
    if (status == EULERCL_CANCELLED) return check_interrupt();
    return status ? fail_library(&error) : EULERCL_OK;
}

int open_problem(
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info) {
    eulercl_error error;
    const size_t length = strlen(choice->name);
    int status;
    if (length > 2 && strcmp(choice->name + length - 2, ".c") == 0) {
        status = open_source(choice, problem);
    } else if ((status = eulercl_problem_open(choice->name, problem, &error))) {
        if (has_source(choice->name))
            fail(status, "unknown problem '%s'; did you mean %s.c?", choice->name, choice->name);
        else
            fail_library(&error);
    }
    if (!status && (status = configure(choice, *problem, info))) eulercl_problem_destroy(*problem);
    return status;
}

int open_chosen(const struct argp *argp, int argc, char **argv, void *input,
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info) {
    catch_signals(); /* reading options may create private files, or run a compiler */
    int status = parse_options(argp, argc, argv, input);
    if (status) return status;
    status = open_problem(choice, problem, info);
    free(choice->settings);
    return status;
}

int get_parameter(const eulercl_problem *problem, size_t index, eulercl_parameter *parameter) {
    eulercl_error error;
    parameter->struct_size = sizeof *parameter;
    if (eulercl_problem_get_parameter(problem, index, parameter, &error))
        return fail_library(&error);
    return EULERCL_OK;
}
