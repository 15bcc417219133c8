/* SPDX-License-Identifier: BSD-2-Clause */
/* log.h - what a compiler says about a FILE.c. */
#ifndef EULERCL_COMPILE_LOG_H
#define EULERCL_COMPILE_LOG_H
#include "cache.h"

/* The compiler's messages. */
struct log {
    struct bytes text; /* each line ends with a 0 */
    char **lines;
    size_t count;
};
/* Read the file; an empty log if there is none. Free it with ecl_log_destroy. Errors: MEMORY. */
int ecl_log_read(const char *path, struct log *log, eulercl_error *error);
void ecl_log_destroy(struct log *log);

/* The first error that the log reports in the source, or in the headers, which are in the folder:
 * 1 if there is one, with its text and the line of the source. */
int ecl_log_error(const struct log *log, const char *source, const char *folder, long *at,
    char *text, size_t size);
/* The words that the headers call and the source does not define: 1 if there are any, with a list
 * of them. */
int ecl_log_missing(const struct log *log, char *text, size_t size);
/* Advice on what to write instead, for an error that ecl_log_error found; "" if that is not known.
 */
const char *ecl_log_advice(const char *error);
/* Write the log up to the end of its first error, without messages about the headers; returns the
 * length of what was written. */
size_t ecl_log_messages(const struct log *log, const char *folder, char *text, size_t size);
#endif
