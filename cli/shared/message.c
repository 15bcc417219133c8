/* SPDX-License-Identifier: BSD-2-Clause */
/* message.c - errors and news on standard error, and the line of progress that they wipe. */
#include "config.h"

#include "shared/message.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *program_name = "eulercl";
static FILE *messages;           /* standard error, also while parse_arguments has replaced it */
static atomic_int is_line_shown; /* a line of progress is shown */
static char line[(1 << 16) - 8]; /* the last one that was printed */

void begin_messages(const char *name) {
    program_name = name;
    messages = stderr;
}

/* ---- the terminal ---- */

static int is_terminal(int descriptor) {
    const char *const terminal = getenv("TERM");
    return isatty(descriptor) && !(terminal != NULL && strcmp(terminal, "dumb") == 0);
}

int can_show_progress(void) { return is_terminal(STDERR_FILENO); }

int can_show_colours(FILE *stream) {
    const char *const no_colour = getenv("NO_COLOR");
    return is_terminal(fileno(stream)) && (no_colour == NULL || *no_colour == '\0');
}

void show_line(const char *text) {
    flockfile(messages); /* as print_line does */
    fprintf(messages, "\r%-78.78s", text);
    is_line_shown = 1;
    funlockfile(messages);
}

void wipe_line(void) {
    if (is_line_shown) fprintf(messages, "\r%78s\r", "");
    is_line_shown = 0;
}

/* ---- errors and news ---- */

/* Print on one line and in one piece, from any thread. The lock also protects the buffers, which
 * are static because there may be no memory for others. */
static void print_line(const char *format, va_list arguments) {
    static char text[1 << 16];
    flockfile(messages);
    wipe_line();
    vsnprintf(text, sizeof text, format, arguments);
    text_escape(text, "", line, sizeof line);
    fprintf(messages, "%s: %s\n", program_name, line);
    funlockfile(messages);
}

const char *last_message(void) { return line; }

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
        fprintf(
            messages, "%s%s", error->log, error->log[strlen(error->log) - 1] == '\n' ? "" : "\n");
    return error->code;
}
