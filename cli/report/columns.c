/* columns.c - rows of figures as CSV and JSON.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "report/columns.h"
#include "format/file.h"
#include "shared/escape.h"
#include "shared/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const void *field_at(const struct sheet *sheet, size_t row, size_t column) {
    return (const char *)sheet->rows + row * sheet->row_size + sheet->columns[column].offset;
}

static const char *text_at(const struct sheet *sheet, size_t row, size_t column) {
    const void *const field = field_at(sheet, row, column);
    return sheet->columns[column].kind == COLUMN_POINTER ? *(const char *const *)field : field;
}

void print_csv(FILE *file, const struct sheet *sheet) {
    for (size_t c = 0; c < sheet->n_columns; c++)
        fprintf(file, "%s%s", c == 0 ? "" : ",", sheet->columns[c].name);
    for (size_t i = 0; i < sheet->n_rows; i++)
        for (size_t c = 0; c < sheet->n_columns; c++) {
            fputc(c == 0 ? '\n' : ',', file);
            if (sheet->columns[c].kind == COLUMN_COUNT)
                fprintf(file, "%" PRIu64, *(const uint64_t *)field_at(sheet, i, c));
            else if (sheet->columns[c].kind != COLUMN_REAL)
                put_plain(file, text_at(sheet, i, c), ",\"");
            else if (isfinite(*(const double *)field_at(sheet, i, c)))
                fprintf(file, "%.6g", *(const double *)field_at(sheet, i, c));
        }
    fputc('\n', file);
}

int write_csv(const char *path, describer *describe, writer *write, const void *subject) {
    struct file file;
    int status = begin_file(&file, path);
    if (!status) {
        describe(file.stream, "# ", subject);
        write(file.stream, subject);
        status = commit_file(&file);
    }
    discard_file(&file);
    return status;
}

#ifdef HAVE_JANSSON
json_t *json_row(const struct sheet *sheet, size_t row) {
    json_t *const object = json_object();
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const enum column_kind kind = sheet->columns[c].kind;
        json_object_set_new(object, sheet->columns[c].name,
            kind == COLUMN_REAL ? json_number(*(const double *)field_at(sheet, row, c), 0)
            : kind == COLUMN_COUNT
                ? json_integer((json_int_t) * (const uint64_t *)field_at(sheet, row, c))
                : json_text(text_at(sheet, row, c)));
    }
    return object;
}
#endif
