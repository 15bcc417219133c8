/* SPDX-License-Identifier: BSD-2-Clause */
/* message.h - the way in which errors and news leave the command; all other files are above this
 * one.
 *
 * Every function of the command that can fail returns an enum eulercl_status, which is also the
 * exit status. It has printed its one line on standard error by then: a caller only cleans up and
 * passes the status on. */
#ifndef CLI_SHARED_MESSAGE_H
#define CLI_SHARED_MESSAGE_H

#include <stdio.h>

#include "eulercl/eulercl.h"

/* The program's name, with which every message begins; called before anything else. */
void begin_messages(const char *name);
extern const char *program_name;

/* Print "eulercl: ..." on standard error; returns status. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print news. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Report a library call that has failed, with the compiler's log if there is one. */
int fail_library(const eulercl_error *error);

/* The last line that was printed, without the program's name. */
const char *last_message(void);

/* Is standard error a terminal, on which a line of progress can be shown? */
int can_show_progress(void);
/* Is the stream a terminal that shows colours, and does the user want them (https://no-color.org)?
 */
int can_show_colours(FILE *stream);
/* A line of progress, which replaces the line before. Messages wipe it. */
void show_line(const char *text);
void wipe_line(void);

#endif
