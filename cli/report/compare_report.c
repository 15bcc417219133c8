/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_report.c - what eulercl compare has found: a table, CSV, JSON. */
#include "config.h"

#include "report/compare.h"
#include "report/csv.h"
#include "report/rows.h"
#include "shared/escape.h"
#include "shared/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the columns of CSV and JSON ---- */

/* clang-format off */
static const struct column columns[] = {
    ROW_TEXT("point", point), ROW_REAL("x", x), ROW_TEXT("series", series),
    ROW_TEXT("configuration", label), ROW_TEXT("precision", precision), ROW_COUNT("n", stats.n),
    ROW_COUNT("steps", steps), ROW_COUNT("rejected", stats.rejected), ROW_REAL("h", h),
    ROW_REAL("rtol", rtol), ROW_REAL("atol", atol), ROW_REAL("t_end", t_end),
    ROW_COUNT("rhs_evaluations", stats.rhs_evaluations),
    ROW_REAL("kernel_seconds", kernel_seconds), ROW_REAL("total_seconds", total_seconds),
    ROW_REAL("control_seconds", control_seconds),
    ROW_REAL("gcs_per_s", gcs_per_s), ROW_REAL("gstages_per_s", gstages_per_s),
    ROW_REAL("ns_per_component_step", ns_per_component_step),
    ROW_REAL("ratio", ratio), ROW_REAL("ulps", ulps), ROW_REAL("differing", differing),
    ROW_POINTER("bits", bits), ROW_REAL("error", error), ROW_TEXT("state_hash", hash),
    ROW_POINTER("status", status_name), ROW_TEXT("note", note), ROW_CONFIGURATION,
};
/* clang-format on */

size_t count_working(const struct compare *compare) {
    size_t count = 0;
    for (size_t i = 0; i < compare->n_rows; i++) count += !compare->rows[i].status;
    return count;
}

size_t count_different(const struct compare *compare) {
    size_t count = 0;
    for (size_t i = 0; i < compare->n_rows; i++)
        count += strcmp(compare->rows[i].bits, "DIFFERENT") == 0;
    return count;
}

static struct rows rows_of(const struct compare *compare, const struct table_column *table) {
    return (struct rows){.list = compare->rows,
        .count = compare->n_rows,
        .columns = columns,
        .n_columns = sizeof columns / sizeof columns[0],
        .table = table,
        .is_ranked = 1};
}

void print_compare_provenance(FILE *file, const char *before, const void *subject) {
    const struct compare *const compare = subject;
    print_origin(file, before, compare->date, compare->command);
    fputs(before, file);
    put_plain(file, compare->info->name, "");
    fputs(": ", file);
    put_plain(file, compare->info->title, "");
    if (*compare->sweep == '\0') fprintf(file, ", n = %" PRId64, compare->info->n);
    if (*compare->parameters != '\0') fprintf(file, " (%s)", compare->parameters);
    fprintf(file, "\n%s%s", before, compare->span);
    if (compare->runs > 1) fprintf(file, "; the best of %" PRId64 " runs", compare->runs);
    fprintf(file, "; ratios to %s", compare->baseline);
    if (compare->truth != NULL) {
        fputs("; errors against ", file);
        put_plain(file, compare->truth, "");
    }
    fputc('\n', file);
}

/* ---- the table ---- */

void list_table_columns(const struct compare *compare, struct table_column table[MOST_COLUMNS]) {
    const int has_methods = compare->has_methods, is_adaptive = compare->is_adaptive;
    const struct table_column all[] = {
        {compare->sweep, TABLE_POINT, offsetof(struct row, point)},
        {"backend", TABLE_TEXT, offsetof(struct row, label)},
        {"reals", TABLE_TEXT, offsetof(struct row, precision)},
        {has_methods ? "method" : "", TABLE_TEXT, offsetof(struct row, asked_method)},
        {has_methods ? "stages" : "", TABLE_COUNT, offsetof(struct row, stages)},
        {compare->has_h ? "h" : "", TABLE_REAL, offsetof(struct row, h)},
        {is_adaptive ? "steps" : "", TABLE_COUNT, offsetof(struct row, steps)},
        {is_adaptive ? "rejected" : "", TABLE_COUNT, offsetof(struct row, stats.rejected)},
        {is_adaptive ? "evaluations" : "", TABLE_COUNT,
            offsetof(struct row, stats.rhs_evaluations)},
        {"kernel", TABLE_SECONDS, offsetof(struct row, kernel_seconds)},
        {"total", TABLE_SECONDS, offsetof(struct row, total_seconds)},
        {"Gcs/s", TABLE_REAL, offsetof(struct row, gcs_per_s)},
        {"ratio", TABLE_REAL, offsetof(struct row, ratio)},
        {"ulps", TABLE_REAL, offsetof(struct row, ulps)},
        {"bits", TABLE_BITS, 0},
        {compare->truth == NULL ? "" : "error", TABLE_REAL, offsetof(struct row, error)},
        {0},
    };
    _Static_assert(sizeof all / sizeof all[0] <= MOST_COLUMNS, "room for all columns");
    memcpy(table, all, sizeof all);
}

void print_compare_table(const struct compare *compare) {
    struct table_column table[MOST_COLUMNS];
    list_table_columns(compare, table);
    const struct rows rows = rows_of(compare, table);
    print_compare_provenance(stdout, "", compare);
    print_rows(&rows);
}

/* ---- JSON and CSV ---- */

#ifdef HAVE_JANSSON
int print_compare_json(const struct compare *compare) {
    const struct rows rows = rows_of(compare, NULL);
    return json_print(json_pack("{s:s, s:s, s:s, s:s, s:s, s:O, s:o, s:s, s:I, s:o, s:o}",
        "version", eulercl_version(), "date", compare->date, "command", compare->command, "problem",
        compare->info->name, "title", compare->info->title, "parameters", compare->json_parameters,
        "sweep", json_text(compare->sweep), "baseline", compare->baseline, "runs",
        (json_int_t)compare->runs, "errors_against",
        json_text(compare->truth == NULL ? "" : compare->truth), "rows", json_rows(&rows)));
}
#endif

void print_compare_csv(FILE *file, const void *compare) {
    const struct rows rows = rows_of(compare, NULL);
    print_rows_csv(file, &rows);
}

int write_compare_csv(const struct compare *compare, const char *path) {
    return write_csv(path, print_compare_provenance, print_compare_csv, compare);
}
