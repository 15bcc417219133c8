/* arguments.c - what every program and subcommand does: the way errors leave, --json and --help, the
 * standard streams.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "shared/cli.h"
#include "lib/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program = "eulercl";
static FILE
    *messages; /* standard error, also while parse_arguments has put another stream in its place */

/* In one piece, whichever thread it comes from, and on one line, whatever the arguments are. The
 * lock is for the buffers, too: there may be no memory for others. */
static void print_line(const char *format, va_list arguments) {
    static char text[1 << 16], line[sizeof text - 8];
    flockfile(messages);
    wipe_progress();
    vsnprintf(text, sizeof text, format, arguments);
    text_escape(text, "", line, sizeof line);
    fprintf(messages, "%s: %s\n", program, line);
    funlockfile(messages);
}

int fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return status;
}

void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

int fail_library(const eulercl_error *error) {
    fail(error->code, "%s", error->message);
    if (error->log[0] != '\0')
        fprintf(stderr, "%s%s", error->log, error->log[strlen(error->log) - 1] == '\n' ? "" : "\n");
    return error->code;
}

int put_character(FILE *file, const char *text, const char *instead) {
    const int length = text_utf8(text);
    if (text_plain(text) > 0 && strchr(instead, *text) == NULL)
        fwrite(text, 1, (size_t)length, file);
    else
        fputc(length == 0 ? '?' : ' ', file);
    return length == 0 ? 1 : length;
}

void put_plain(FILE *file, const char *text, const char *instead) {
    while (*text != '\0') text += put_character(file, text, instead);
}

void put_xml(FILE *file, const char *text, const char *kept) {
    while (*text != '\0')
        if (strchr(kept, *text) != NULL)
            fputc(*text++, file);
        else if (strchr("<>&\"", *text) != NULL)
            fprintf(file, "&#%d;", *text++);
        else
            text += put_character(file, text, "");
}

int parse_arguments(const struct argp *argp, unsigned int how, int argc, char **argv, void *input) {
    char *text = NULL, line[4096];
    size_t size = 0;
    FILE *const caught = open_memstream(&text, &size);
    if (caught == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    stderr = caught;
    const error_t error = argp_parse(argp, argc, argv, how, NULL, input);
    stderr = messages;
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

/* ---- the program ---- */

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "%s %s\n", program, eulercl_version());
}

/* Output that did not arrive is an error, however the program ends. */
static void close_stdout(void) {
    const int failed = ferror(stdout);
    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        fail(EULERCL_FILE, "cannot write to standard output%s%s", errno ? ": " : "",
            errno ? strerror(errno) : "");
        _exit(EULERCL_FILE);
    }
}

/* A file opened in place of a closed standard stream would get what is meant for that. Read-only:
 * writing still fails. */
static void fill_closed_streams(void) {
    int descriptor;
    do descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

void begin_program(const char *name, int argc, char **argv) {
    program = name;
    messages = stderr;
    fill_closed_streams();
    catch_file_limit();
    atexit(close_stdout);
    argp_program_version_hook = print_version;
    argp_err_exit_status = EULERCL_INVALID;
    if (argc > 0) argv[0] = (char *)name; /* getopt's messages begin like all others */
}
