/* SPDX-License-Identifier: BSD-2-Clause */
/* arguments.c - what every program and subcommand does first: prepare the standard streams, read
 * options; --json and --help. */
#include "config.h"

#include "shared/arguments.h"
#include "lib/text.h"
#include "shared/message.h"
#include "shared/options.h"
#include "shared/stop.h"
#include "shared/tolerance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int parse_arguments(
    const struct argp *argp, unsigned int flags, int argc, char **argv, void *input) {
    char *text = NULL, line[4096];
    size_t size = 0;
    FILE *const terminal = stderr, *const caught = open_memstream(&text, &size);
    if (caught == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    stderr = caught;
    const error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    stderr = terminal;
    if (fclose(caught) == 0 &&
        error == EINVAL) { /* from getopt, which repeats arguments as they are */
        text[size - (size > 0)] = '\0';
        text_escape(text, "", line, sizeof line);
        fprintf(stderr, "%s\n", line);
    } else if (text != NULL) {
        fputs(text, stderr);
    }
    free(text);
    return error == EINVAL ? EULERCL_INVALID : error;
}

int parse_options(const struct argp *argp, int argc, char **argv, void *input) {
    return parse_arguments(argp, ARGP_NO_HELP, argc, argv, input);
}

/* ---- what every subcommand takes ---- */

enum { KEY_JSON = 256 };

static error_t parse_common(int key, char *argument, struct argp_state *state) {
    struct common *const common = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* an error is one line, without argp's second one */
        return 0;
    case '?':
        argp_help(state->root_argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
            (char *)common->command);
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

/* ---- lists ---- */

int split(const char *what, char *text, struct list *list) {
    char *rest;
    free(list->items);
    *list = (struct list){.items = calloc(strlen(text) + 1, sizeof *list->items)};
    if (list->items == NULL) return fail(EULERCL_MEMORY, "no memory for a list");
    for (char *item = strtok_r(text, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest))
        list->items[list->count++] = item;
    return list->count > 0 ? EULERCL_OK : fail(EULERCL_INVALID, "%s: the list is empty", what);
}

/* ---- the program ---- */

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "%s %s\n", program_name, eulercl_version());
}

/* Output that could not be written is an error, however the program ends. */
static void close_stdout(void) {
    const int failed = ferror(stdout);
    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        fail(EULERCL_FILE, "cannot write to standard output%s%s", errno ? ": " : "",
            errno ? strerror(errno) : "");
        _exit(EULERCL_FILE);
    }
}

/* A file that replaces a closed standard stream would receive the output meant for the stream. So
 * fill the gaps, read-only, so that writing still fails. */
static void fill_closed_streams(void) {
    int descriptor;
    do descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

void begin_program(const char *name, int argc, char **argv) {
    begin_messages(name);
    fill_closed_streams();
    catch_file_limit();
    list_options();
    list_tolerance_options();
    atexit(close_stdout);
    argp_program_version_hook = print_version;
    argp_err_exit_status = EULERCL_INVALID;
    if (argc > 0) argv[0] = (char *)name; /* getopt's messages begin like all others */
}
