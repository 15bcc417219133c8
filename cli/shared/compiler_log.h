/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler_log.h - what a compiler says about a FILE.c. */
#ifndef CLI_SHARED_COMPILER_LOG_H
#define CLI_SHARED_COMPILER_LOG_H

#include <stddef.h>

/* The first error that the log reports in the source, or in the headers, which are in the folder:
 * 1 if there is one, with its text and the line of the source. */
int find_error(
    const char *log, const char *source, const char *folder, long *at, char *text, size_t size);
/* The words that the headers call and the source does not define: 1 if there are any, with a list
 * of them. */
int find_missing(const char *log, char *text, size_t size);
/* Advice on what to write instead, for an error that find_error found; "" if that is not known. */
const char *advice(const char *error);
/* Print the log on standard error, up to the end of its first error and without messages about the
 * headers. 1: something was printed. */
int show_messages(const char *log, const char *folder);

#endif
