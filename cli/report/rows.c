/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.c - the rows of a report as a table, CSV and JSON. */
#include "config.h"

#include "report/report.h"
#include "shared/escape.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64 }; /* the most names of facts in all rows */

/* ---- filling a row ---- */

void begin_row(
    struct row *row, const eulercl_problem_info *info, enum eulercl_precision precision) {
    double *const reals[] = {&row->x, &row->h, &row->rtol, &row->atol, &row->control_seconds,
        &row->t_end, &row->ulps, &row->differing, &row->error, &row->kernel_seconds,
        &row->total_seconds, &row->median_seconds, &row->device_seconds, &row->us_per_step,
        &row->median_us_per_step, &row->device_us_per_step, &row->gcs_per_s, &row->gstages_per_s,
        &row->ns_per_component_step, &row->ratio, &row->component_step_bytes, &row->copy_share};
    *row = (struct row){.stats.n = info->n, .bits = "-", .bits_guaranteed = info->bits_guaranteed};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) *reals[i] = (double)NAN;
    snprintf(row->problem, sizeof row->problem, "%s", info->name);
    snprintf(row->precision, sizeof row->precision, "%s", precision_name(precision));
}

static void describe_how(struct row *row, int is_method_chosen) {
    const eulercl_stats *const stats = &row->stats;
    FILE *const file = fmemopen(row->how, sizeof row->how - 1, "w");
    if (file == NULL) return;
    if (is_method_chosen) fprintf(file, "%s, ", row->method);
    if (*row->plan != '\0') fprintf(file, "%s ", row->backend);
    if (*row->variant != '\0') fprintf(file, "%s, ", row->variant);
    if (stats->threads > 0)
        fprintf(file, "%" PRIu64 " thread%s", stats->threads, stats->threads == 1 ? "" : "s");
    else
        fprintf(file, "device %s", row->device_id);
    print_solver_facts(file, ", ", stats, 0);
    if (stats->steps_per_launch > 1)
        fprintf(file, ", %" PRIu64 " steps a launch", stats->steps_per_launch);
    if (*row->plan != '\0') fprintf(file, " (%s)", row->plan);
    fclose(file);
}

void describe_row(struct row *row, const eulercl_solver *solver) {
    const eulercl_stats stats = stats_of(solver);
#define KEEP(TEXT) snprintf(row->TEXT, sizeof row->TEXT, "%s", stats.TEXT)
    KEEP(device);
    KEEP(device_id);
    KEEP(backend);
    KEEP(variant);
    KEEP(plan);
    KEEP(method);
#undef KEEP
    find_driver(stats.device_id, row->driver, sizeof row->driver);
    row->stats = stats;
    row->bits_guaranteed = stats.bits_guaranteed;
    row->stages = (uint64_t)stats.stages;
    row->t_end = stats.t;
    row->steps = (uint64_t)stats.steps;
    describe_how(row, *stats.method_reason != '\0');
}

/* ---- values ---- */

static const void *field_at(const struct row *row, size_t offset) {
    return (const char *)row + offset;
}

static uint64_t count_at(const struct row *row, size_t offset) {
    return *(const uint64_t *)field_at(row, offset);
}

static double real_at(const struct row *row, size_t offset) {
    return *(const double *)field_at(row, offset);
}

/* In the unit for which it is at least 1 when it has three digits. */
static void write_seconds(double seconds, char buffer[32]) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    for (; unit < 3 && seconds < 0.9995; unit++) seconds *= 1e3;
    snprintf(buffer, 32, "%.3g %s", seconds, units[unit]);
}

/* ---- CSV and JSON ---- */

/* A column of CSV and JSON. */
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
#define ROW_TEXT(NAME, FIELD) \
    { NAME, COLUMN_TEXT, offsetof(struct row, FIELD) }
#define ROW_COUNT(NAME, FIELD) \
    { NAME, COLUMN_COUNT, offsetof(struct row, FIELD) }
#define ROW_REAL(NAME, FIELD) \
    { NAME, COLUMN_REAL, offsetof(struct row, FIELD) }
#define ROW_POINTER(NAME, FIELD) \
    { NAME, COLUMN_POINTER, offsetof(struct row, FIELD) }
/* The columns of what ran, in every list of columns. The facts that the backends list follow all
 * columns. */
/* clang-format off */
#define ROW_CONFIGURATION \
    ROW_TEXT("method", method), ROW_COUNT("stages", stages), \
    ROW_TEXT("device", device), ROW_TEXT("device_id", device_id), ROW_TEXT("driver", driver), \
    ROW_TEXT("backend", backend), ROW_TEXT("variant", variant), ROW_TEXT("plan", plan), \
    ROW_COUNT("threads", stats.threads), ROW_COUNT("steps_per_launch", stats.steps_per_launch)
/* clang-format on */
/* clang-format off */
static const struct column bench_columns[] = {
    ROW_TEXT("series", series), ROW_TEXT("problem", problem), ROW_COUNT("n", stats.n),
    ROW_TEXT("precision", precision), ROW_CONFIGURATION, ROW_REAL("h", h),
    ROW_COUNT("steps", steps), ROW_REAL("us_per_step", us_per_step),
    ROW_REAL("median_us_per_step", median_us_per_step),
    ROW_REAL("device_us_per_step", device_us_per_step), ROW_REAL("gcs_per_s", gcs_per_s),
    ROW_REAL("gstages_per_s", gstages_per_s),
    ROW_REAL("ratio", ratio), ROW_REAL("global_bytes_per_component_step", component_step_bytes),
    ROW_REAL("copy_share", copy_share), ROW_TEXT("state_hash", hash), ROW_POINTER("bits", bits),
    ROW_TEXT("how", how),
};
static const struct column compare_columns[] = {
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
    ROW_POINTER("status", status_name), ROW_TEXT("note", note), ROW_COUNT("run", order),
    ROW_TEXT("asked_method", asked_method), ROW_CONFIGURATION, ROW_TEXT("how", how),
};
/* clang-format on */

static int is_bench(const struct report *report) { return report->info == NULL; }

/* The number of columns. */
static size_t list_columns(const struct report *report, const struct column **columns) {
    *columns = is_bench(report) ? bench_columns : compare_columns;
    return is_bench(report) ? sizeof bench_columns / sizeof *bench_columns
                            : sizeof compare_columns / sizeof *compare_columns;
}

static const char *text_at(const struct row *row, const struct column *column) {
    return column->kind == COLUMN_POINTER ? *(const char *const *)field_at(row, column->offset)
                                          : field_at(row, column->offset);
}

/* The facts that a row lists follow its columns. In CSV there is a column for each fact that any
 * row lists. */
static size_t list_names(const struct report *report, const char *names[MOST_NAMES]) {
    size_t count = 0;
    for (size_t i = 0; i < report->n_rows; i++)
        for (size_t f = 0; f < report->rows[i].stats.fact_count; f++) {
            const char *const name = report->rows[i].stats.facts[f].name;
            size_t at = 0;
            while (at < count && strcmp(names[at], name) != 0) at++;
            if (at == count && count < MOST_NAMES) names[count++] = name;
        }
    return count;
}

static void print_fact(FILE *file, const struct row *row, const char *name) {
    const eulercl_fact *const fact = eulercl_find_fact(&row->stats, name);
    fputc(',', file);
    if (fact != NULL && fact->kind == EULERCL_TEXT)
        put_plain(file, fact->text, ",\"");
    else if (fact != NULL)
        fprintf(file, "%" PRIu64, fact->number);
}

/* No field needs quotation marks. A real that is not finite is left empty. */
void print_rows_csv(FILE *file, const struct report *report) {
    const char *names[MOST_NAMES];
    const struct column *columns;
    const size_t n_names = list_names(report, names), n_columns = list_columns(report, &columns);
    for (size_t c = 0; c < n_columns; c++)
        fprintf(file, "%s%s", c == 0 ? "" : ",", columns[c].name);
    for (size_t f = 0; f < n_names; f++) fprintf(file, ",%s", names[f]);
    for (size_t i = 0; i < report->n_rows; i++) {
        for (size_t c = 0; c < n_columns; c++) {
            const struct row *const row = &report->rows[i];
            const struct column *const column = &columns[c];
            fputc(c == 0 ? '\n' : ',', file);
            if (column->kind == COLUMN_COUNT)
                fprintf(file, "%" PRIu64, count_at(row, column->offset));
            else if (column->kind != COLUMN_REAL)
                put_plain(file, text_at(row, column), ",\"");
            else if (isfinite(real_at(row, column->offset)))
                fprintf(file, "%.6g", real_at(row, column->offset));
        }
        for (size_t f = 0; f < n_names; f++) print_fact(file, &report->rows[i], names[f]);
    }
    fputc('\n', file);
}

json_t *json_rows(const struct report *report) {
    const struct column *columns;
    const size_t n_columns = list_columns(report, &columns);
    json_t *const list = json_array();
    for (size_t i = 0; i < report->n_rows; i++) {
        json_t *const object = json_object();
        for (size_t c = 0; c < n_columns; c++) {
            const struct row *const row = &report->rows[i];
            const struct column *const column = &columns[c];
            json_object_set_new(object, column->name,
                column->kind == COLUMN_REAL ? json_number(real_at(row, column->offset), 0)
                : column->kind == COLUMN_COUNT
                    ? json_integer((json_int_t)count_at(row, column->offset))
                    : json_text(text_at(row, column)));
        }
        for (size_t f = 0; f < report->rows[i].stats.fact_count; f++) {
            const eulercl_fact *const fact = &report->rows[i].stats.facts[f];
            json_object_set_new(object, fact->name,
                fact->kind == EULERCL_TEXT ? json_string(fact->text)
                                           : json_integer((json_int_t)fact->number));
        }
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- the table ---- */

/* A column of the table on the terminal. The last column always says how a row ran. */
struct table_column {
    const char *heading; /* "": the column is left out */
    enum table_kind {
        TABLE_TEXT,
        TABLE_POINT, /* a text, aligned to the right */
        TABLE_BITS,
        TABLE_COUNT,
        TABLE_REAL,
        TABLE_PERCENT,
        TABLE_SECONDS
    } kind;
    size_t offset;
};

/* Colours of a terminal, or nothing. */
struct ink {
    const char *strong, *good, *bad, *weak, *plain;
};

static struct ink choose_ink(void) {
    return can_show_colours(stdout)
               ? (struct ink){"\033[1m", "\033[32m", "\033[1;31m", "\033[2m", "\033[0m"}
               : (struct ink){"", "", "", "", ""};
}

static const char *cell_text(
    const struct row *row, const struct table_column *column, char buffer[32]) {
    const double real = column->kind >= TABLE_REAL ? real_at(row, column->offset) : 0;
    switch (column->kind) {
    case TABLE_TEXT:
    case TABLE_POINT:
        return field_at(row, column->offset);
    case TABLE_BITS:
        return row->bits;
    case TABLE_COUNT:
        snprintf(buffer, 32, "%" PRIu64, count_at(row, column->offset));
        return buffer;
    case TABLE_SECONDS:
        write_seconds(real, buffer);
        break;
    case TABLE_REAL:
    case TABLE_PERCENT:
        snprintf(buffer, 32, "%.4g", column->kind == TABLE_PERCENT ? 100 * real : real);
        break;
    }
    return isfinite(real) ? buffer : "-";
}

static int is_text(const struct table_column *column) { return column->kind <= TABLE_BITS; }

static int is_aligned_right(const struct table_column *column) {
    return column->kind == TABLE_POINT || !is_text(column);
}

/* Wide enough for the heading and for all rows; numbers at least as wide as most of them need. */
static int width_of(const struct report *report, const struct table_column *column) {
    char buffer[32];
    int width = (int)strlen(column->heading);
    if (!is_text(column) && width < 9) width = 9;
    for (size_t i = 0; i < report->n_rows; i++) {
        const int length = (int)strlen(cell_text(&report->rows[i], column, buffer));
        width = length > width ? length : width;
    }
    return width;
}

/* The first column has nothing before it, a text two spaces, a number one. */
static void print_cell(const struct report *report, const struct table_column *table,
    const struct table_column *column, const char *ink, const char *text) {
    const int padding = width_of(report, column) - (int)strlen(text);
    while (*table->heading == '\0') table++;
    if (column != table)
        fputs(is_text(column) || column[-1].kind == TABLE_POINT ? "  " : " ", stdout);
    if (is_aligned_right(column)) printf("%*s", padding, "");
    printf("%s%s", ink, text);
    if (!is_aligned_right(column)) printf("%*s", padding, "");
}

static void print_row(const struct report *report, const struct table_column *table,
    const struct row *row, const struct ink *ink, int is_fastest) {
    const int is_different = strcmp(row->bits, "DIFFERENT") == 0;
    char buffer[32];
    if (row->status) fputs(ink->weak, stdout);
    for (const struct table_column *c = table; c->heading != NULL; c++) {
        if (*c->heading == '\0') continue;
        if (row->status && !is_text(c)) break;
        const char *const colour =
            c->kind == TABLE_BITS && is_different                     ? ink->bad
            : c->kind == TABLE_BITS && strcmp(row->bits, "same") == 0 ? ink->good
            : is_fastest && c->offset == offsetof(struct row, label)  ? ink->strong
                                                                      : "";
        print_cell(report, table, c, colour, cell_text(row, c, buffer));
        if (*colour != '\0') fputs(ink->plain, stdout);
    }
    fputs("  ", stdout);
    if (row->status)
        printf("%s%s%s%s", row->note, is_different ? ink->bad : "",
            is_different ? "; seq went on: DIFFERENT" : "", ink->plain);
    else
        fputs(row->how, stdout);
    putchar('\n');
}

static void print_columns(const struct report *report, const struct table_column *table) {
    const struct ink ink = choose_ink();
    putchar('\n');
    for (const struct table_column *c = table; c->heading != NULL; c++)
        if (*c->heading != '\0') print_cell(report, table, c, ink.strong, c->heading);
    printf("  how%s\n", ink.plain);
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct row *const row = &report->rows[i];
        const int is_first = i == 0 || row->at != row[-1].at;
        if (is_first && i > 0) putchar('\n');
        print_row(report, table, row, &ink, !is_bench(report) && is_first);
    }
}

static void print_bench_table(const struct report *report) {
    const int has_methods = report->n_methods > 1;
    const struct table_column table[] = {
        {"problem", TABLE_TEXT, offsetof(struct row, problem)},
        {"reals", TABLE_TEXT, offsetof(struct row, precision)},
        {"n", TABLE_COUNT, offsetof(struct row, stats.n)},
        {"backend", TABLE_TEXT, offsetof(struct row, label)},
        {has_methods ? "method" : "", TABLE_TEXT, offsetof(struct row, method)},
        {has_methods ? "stages" : "", TABLE_COUNT, offsetof(struct row, stages)},
        {"us/step", TABLE_REAL, offsetof(struct row, us_per_step)},
        {"median", TABLE_REAL, offsetof(struct row, median_us_per_step)},
        {"device", TABLE_REAL, offsetof(struct row, device_us_per_step)},
        {"Gcs/s", TABLE_REAL, offsetof(struct row, gcs_per_s)},
        {has_methods ? "Gstages/s" : "", TABLE_REAL, offsetof(struct row, gstages_per_s)},
        {"ratio", TABLE_REAL, offsetof(struct row, ratio)},
        {"copy %", TABLE_PERCENT, offsetof(struct row, copy_share)},
        {"bits", TABLE_BITS, 0},
        {0},
    };
    print_columns(report, table);
}

/* eulercl-report has the same columns. */
static void print_compare_table(const struct report *report) {
    const int has_methods = report->n_methods > 1, is_adaptive = report->is_adaptive;
    const struct table_column table[] = {
        {report->sweep, TABLE_POINT, offsetof(struct row, point)},
        {"backend", TABLE_TEXT, offsetof(struct row, label)},
        {"reals", TABLE_TEXT, offsetof(struct row, precision)},
        {has_methods ? "method" : "", TABLE_TEXT, offsetof(struct row, asked_method)},
        {has_methods ? "stages" : "", TABLE_COUNT, offsetof(struct row, stages)},
        {report->has_h ? "h" : "", TABLE_REAL, offsetof(struct row, h)},
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
        {report->truth == NULL ? "" : "error", TABLE_REAL, offsetof(struct row, error)},
        {0},
    };
    print_columns(report, table);
}

void print_table(const struct report *report) {
    (is_bench(report) ? print_bench_table : print_compare_table)(report);
}
