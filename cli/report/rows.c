/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.c - measured runs as tables, CSV and JSON. */
#include "config.h"

#include "report/rows.h"
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
    static const size_t reals[] = {offsetof(struct row, x), offsetof(struct row, h),
        offsetof(struct row, rtol), offsetof(struct row, atol),
        offsetof(struct row, control_seconds), offsetof(struct row, t_end),
        offsetof(struct row, ulps), offsetof(struct row, differing), offsetof(struct row, error),
        offsetof(struct row, kernel_seconds), offsetof(struct row, total_seconds),
        offsetof(struct row, median_seconds), offsetof(struct row, device_seconds),
        offsetof(struct row, us_per_step), offsetof(struct row, median_us_per_step),
        offsetof(struct row, device_us_per_step), offsetof(struct row, gcs_per_s),
        offsetof(struct row, gstages_per_s), offsetof(struct row, ns_per_component_step),
        offsetof(struct row, ratio), offsetof(struct row, component_step_bytes),
        offsetof(struct row, copy_share)};
    *row = (struct row){.stats.n = info->n, .bits = "-", .bits_guaranteed = info->bits_guaranteed};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        *(double *)(void *)((char *)row + reals[i]) = (double)NAN;
    snprintf(row->problem, sizeof row->problem, "%s", info->name);
    snprintf(row->precision, sizeof row->precision, "%s", precision_name(precision));
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void describe_how(struct row *row, int is_method_chosen) {
    const eulercl_stats *const stats = &row->stats;
    FILE *const file = fmemopen(row->how, sizeof row->how, "w");
    if (file == NULL) return;
    if (is_method_chosen) fprintf(file, "%s, ", row->method);
    if (*row->plan != '\0') fprintf(file, "%s ", row->backend);
    if (*row->variant != '\0') fprintf(file, "%s, ", row->variant);
    if (stats->threads > 0)
        fprintf(file, "%" PRIu64 " thread%s", stats->threads, plural(stats->threads));
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
    const struct {
        char *to;
        size_t size;
        const char *from;
    } texts[] = {
        {row->device, sizeof row->device, stats.device},
        {row->device_id, sizeof row->device_id, stats.device_id},
        {row->backend, sizeof row->backend, stats.backend},
        {row->variant, sizeof row->variant, stats.variant},
        {row->plan, sizeof row->plan, stats.plan},
        {row->method, sizeof row->method, stats.method},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        snprintf(texts[i].to, texts[i].size, "%s", texts[i].from);
    find_driver(stats.device_id, row->driver, sizeof row->driver);
    row->stats = stats;
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

static const char *text_at(const struct row *row, const struct column *column) {
    return column->kind == COLUMN_POINTER ? *(const char *const *)field_at(row, column->offset)
                                          : field_at(row, column->offset);
}

/* In the unit for which it is at least 1 when it has three digits. */
static void write_seconds(double seconds, char buffer[32]) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    for (; unit < 3 && seconds < 0.9995; unit++) seconds *= 1e3;
    snprintf(buffer, 32, "%.3g %s", seconds, units[unit]);
}

/* ---- CSV and JSON ---- */

/* The facts that a row lists follow its columns. In CSV there is a column for each fact that any
 * row lists. */
static size_t list_names(const struct rows *rows, const char *names[MOST_NAMES]) {
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t f = 0; f < rows->list[i].stats.fact_count; f++) {
            const char *const name = rows->list[i].stats.facts[f].name;
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
void print_rows_csv(FILE *file, const struct rows *rows) {
    const char *names[MOST_NAMES];
    const size_t n_names = list_names(rows, names);
    for (size_t c = 0; c < rows->n_columns; c++)
        fprintf(file, "%s%s", c == 0 ? "" : ",", rows->columns[c].name);
    for (size_t f = 0; f < n_names; f++) fprintf(file, ",%s", names[f]);
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t c = 0; c < rows->n_columns; c++) {
            const struct row *const row = &rows->list[i];
            const struct column *const column = &rows->columns[c];
            fputc(c == 0 ? '\n' : ',', file);
            if (column->kind == COLUMN_COUNT)
                fprintf(file, "%" PRIu64, count_at(row, column->offset));
            else if (column->kind != COLUMN_REAL)
                put_plain(file, text_at(row, column), ",\"");
            else if (isfinite(real_at(row, column->offset)))
                fprintf(file, "%.6g", real_at(row, column->offset));
        }
        for (size_t f = 0; f < n_names; f++) print_fact(file, &rows->list[i], names[f]);
    }
    fputc('\n', file);
}

json_t *json_rows(const struct rows *rows) {
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        json_t *const object = json_object();
        for (size_t c = 0; c < rows->n_columns; c++) {
            const struct row *const row = &rows->list[i];
            const struct column *const column = &rows->columns[c];
            json_object_set_new(object, column->name,
                column->kind == COLUMN_REAL ? json_number(real_at(row, column->offset), 0)
                : column->kind == COLUMN_COUNT
                    ? json_integer((json_int_t)count_at(row, column->offset))
                    : json_text(text_at(row, column)));
        }
        for (size_t f = 0; f < rows->list[i].stats.fact_count; f++) {
            const eulercl_fact *const fact = &rows->list[i].stats.facts[f];
            json_object_set_new(object, fact->name,
                fact->kind == EULERCL_TEXT ? json_string(fact->text)
                                           : json_integer((json_int_t)fact->number));
        }
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- the table ---- */

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
static int width_of(const struct rows *rows, const struct table_column *column) {
    char buffer[32];
    int width = (int)strlen(column->heading);
    if (!is_text(column) && width < 9) width = 9;
    for (size_t i = 0; i < rows->count; i++) {
        const int length = (int)strlen(cell_text(&rows->list[i], column, buffer));
        width = length > width ? length : width;
    }
    return width;
}

static int is_first(const struct rows *rows, const struct table_column *column) {
    const struct table_column *first = rows->table;
    while (*first->heading == '\0') first++;
    return column == first;
}

/* Two spaces before a text, one before a number. */
static void print_cell(
    const struct table_column *column, const struct rows *rows, const char *ink, const char *text) {
    const int width = width_of(rows, column), padding = width - (int)strlen(text);
    if (!is_first(rows, column))
        fputs(is_text(column) || column[-1].kind == TABLE_POINT ? "  " : " ", stdout);
    if (is_aligned_right(column)) printf("%*s", padding, "");
    printf("%s%s", ink, text);
    if (!is_aligned_right(column)) printf("%*s", padding, "");
}

static void print_row(
    const struct rows *rows, const struct row *row, const struct ink *ink, int is_fastest) {
    const int is_different = strcmp(row->bits, "DIFFERENT") == 0;
    char buffer[32];
    if (row->status) fputs(ink->weak, stdout);
    for (const struct table_column *c = rows->table; c->heading != NULL; c++) {
        if (*c->heading == '\0') continue;
        if (row->status && !is_text(c)) break;
        const char *const colour =
            c->kind == TABLE_BITS && is_different                     ? ink->bad
            : c->kind == TABLE_BITS && strcmp(row->bits, "same") == 0 ? ink->good
            : is_fastest && c->offset == offsetof(struct row, label)  ? ink->strong
                                                                      : "";
        print_cell(c, rows, colour, cell_text(row, c, buffer));
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

void print_rows(const struct rows *rows) {
    const struct ink ink = choose_ink();
    putchar('\n');
    for (const struct table_column *c = rows->table; c->heading != NULL; c++)
        if (*c->heading != '\0') print_cell(c, rows, ink.strong, c->heading);
    printf("  how%s\n", ink.plain);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *const row = &rows->list[i];
        const int is_first = i == 0 || row->at != row[-1].at;
        if (is_first && i > 0) putchar('\n');
        print_row(rows, row, &ink, rows->is_ranked && is_first);
    }
}
