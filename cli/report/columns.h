/* columns.h - rows of figures as CSV and JSON.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_REPORT_COLUMNS_H
#define CLI_REPORT_COLUMNS_H

#include <stdio.h>

#include "shared/json.h"

struct column {
    const char *name;
    enum column_kind {
        COLUMN_TEXT,
        COLUMN_POINTER,
        COLUMN_COUNT,
        COLUMN_REAL
    } kind;        /* char[], const char *, uint64_t, double */
    size_t offset; /* in the row */
};
struct sheet {
    const struct column *columns;
    size_t n_columns;
    const void *rows;
    size_t n_rows, row_size;
};
/* No field needs quotation marks. A real that is not finite is left empty. */
void print_csv(FILE *file, const struct sheet *sheet);
/* Where the subject comes from, `before` at the beginning of each line; the subject itself. */
typedef void describer(FILE *file, const char *before, const void *subject);
typedef void writer(FILE *file, const void *subject);
/* Both in a file, the first as comments. */
int write_csv(const char *path, describer *describe, writer *write, const void *subject);
#ifdef HAVE_JANSSON
json_t *json_row(const struct sheet *sheet, size_t row);
#endif

#endif
