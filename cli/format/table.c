/* table.c - .csv: step sizes, errors, probes and monitors over time, a line per snapshot, flushed
 * as they come.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "format/table.h"
#include "format/file.h"
#include "format/format.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static int begin_table(struct output *output) {
    const struct layout *const layout = output->layout;
    if (layout->n_columns == 0 && !layout->has_errors)
        return fail(EULERCL_INVALID, "--out %s: --probe or --monitor must choose its columns",
            output->file.path);
    fputs("step,t",
        output->file
            .stream); /* first of all: readers take names from the first line, comment or not */
    if (layout->has_errors) fputs(",h,error", output->file.stream);
    for (size_t i = 0; i < layout->n_columns; i++)
        fprintf(output->file.stream, ",%s", layout->columns[i]);
    fputc('\n', output->file.stream);
    return EULERCL_OK;
}

static int end_row(struct output *output, const struct moment *moment) {
    char buffer[32];
    fprintf(output->file.stream, "%" PRId64 ",%s", moment->step, real_text(moment->t, buffer));
    if (output->layout->has_errors) {
        fprintf(output->file.stream, ",%s", real_text(moment->h, buffer));
        fprintf(output->file.stream, ",%s", real_text(moment->error, buffer));
    }
    for (size_t i = 0; i < output->layout->n_columns; i++)
        fprintf(output->file.stream, ",%s", real_text(moment->values[i], buffer));
    fputc('\n', output->file.stream);
    errno = 0;
    return fflush(output->file.stream) == 0 ? EULERCL_OK : fail_writing(&output->file);
}

/* All facts are known at the end. */
static int end_table(struct output *output, const struct facts *facts) {
    print_facts(output->file.stream, "# ", facts);
    return EULERCL_OK; /* commit_file checks the file's error flag */
}

const struct output_format table_format = {
    .extension = ".csv",
    .holds_many = 1,
    .is_live = 1,
    .begin = begin_table,
    .end_state = end_row,
    .finish = end_table,
};
