/* SPDX-License-Identifier: BSD-2-Clause */
/* csv.h - files of comma-separated values that say in comments where they come from. */
#ifndef CLI_REPORT_CSV_H
#define CLI_REPORT_CSV_H

#include <stdio.h>

/* Write where the subject comes from, with `before` at the beginning of each line. */
typedef void describer(FILE *file, const char *before, const void *subject);
/* Write the subject itself. */
typedef void writer(FILE *file, const void *subject);
/* Write both into a file, the first as comments. */
int write_csv(const char *path, describer *describe, writer *write, const void *subject);

#endif
