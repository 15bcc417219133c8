/* SPDX-License-Identifier: BSD-2-Clause */
/* report.c - what eulercl bench or eulercl compare has measured: a table, JSON and CSV. */
#include "config.h"

#include "report/report.h"
#include "format/file.h"
#include "report/rows.h"
#include "report/script.h"
#include "shared/escape.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the columns of CSV and JSON ---- */

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

static struct rows rows_of(const struct report *report, const struct table_column *table) {
    const int bench = is_bench(report);
    return (struct rows){.list = report->rows,
        .count = report->n_rows,
        .columns = bench ? bench_columns : compare_columns,
        .n_columns = bench ? sizeof bench_columns / sizeof *bench_columns
                           : sizeof compare_columns / sizeof *compare_columns,
        .table = table,
        .is_ranked = !bench};
}

/* ---- where it comes from ---- */

static void print_machine(FILE *file, const char *before, const struct machine *machine) {
    fputs(before, file);
    put_plain(file, machine->device, "");
    fputs(*machine->driver != '\0' ? ", driver " : "", file);
    put_plain(file, machine->driver, "");
    if (machine->threads > 0)
        fprintf(file, ", %" PRIu64 " thread%s", machine->threads, machine->threads == 1 ? "" : "s");
    if (isfinite(machine->ceilings.copy_bytes_per_second))
        fprintf(file, "; ceilings in %s: copy %.4g GB/s, %.4g G fused multiply-adds/s",
            precision_name(machine->ceilings.precision),
            1e-9 * machine->ceilings.copy_bytes_per_second,
            1e-9 * machine->ceilings.fma_per_second);
    fputc('\n', file);
}

static void print_problem(FILE *file, const char *before, const struct report *report) {
    fputs(before, file);
    put_plain(file, report->info->name, "");
    fputs(": ", file);
    put_plain(file, report->info->title, "");
    if (*report->sweep == '\0') fprintf(file, ", n = %" PRId64, report->info->n);
    if (*report->parameters != '\0') fprintf(file, " (%s)", report->parameters);
    fprintf(file, "\n%s%s", before, report->span);
    if (report->runs > 1) fprintf(file, "; the best of %" PRId64 " runs", report->runs);
    fprintf(file, "; ratios to %s", report->baseline);
    if (report->truth != NULL) {
        fputs("; errors against ", file);
        put_plain(file, report->truth, "");
    }
    fputc('\n', file);
}

/* Lines, with `before` at the beginning of each. */
static void print_origin(FILE *file, const char *before, const struct report *report) {
    fprintf(
        file, "%seulercl %s, %s: %s\n", before, eulercl_version(), report->date, report->command);
    for (size_t i = 0; i < report->n_machines; i++)
        print_machine(file, before, &report->machines[i]);
    if (!is_bench(report)) print_problem(file, before, report);
}

/* ---- table and CSV ---- */

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
    const struct rows rows = rows_of(report, table);
    print_rows(&rows);
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
    const struct rows rows = rows_of(report, table);
    print_rows(&rows);
}

static void print_table(const struct report *report) {
    print_origin(stdout, "", report);
    (is_bench(report) ? print_bench_table : print_compare_table)(report);
}

static int write_csv(const struct report *report) {
    const struct rows rows = rows_of(report, NULL);
    struct file file;
    int status = begin_file(&file, report->csv);
    if (!status) {
        print_origin(file.stream, "# ", report);
        print_rows_csv(file.stream, &rows);
        status = commit_file(&file);
    }
    discard_file(&file);
    return status;
}

/* ---- JSON ---- */

/* The lines before a table. */
static json_t *json_origin(const struct report *report) {
    json_t *const lines = json_array();
    char *text = NULL, *rest;
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    if (file != NULL) print_origin(file, "", report);
    if (file != NULL && fclose(file) == 0)
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            json_array_append_new(lines, json_string(line));
    free(text);
    return lines;
}

static json_t *json_machines(const struct report *report) {
    json_t *const machines = json_array();
    for (size_t i = 0; i < report->n_machines; i++) {
        const struct machine *const machine = &report->machines[i];
        json_array_append_new(machines,
            json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "device", machine->device, "device_id",
                json_text(machine->device_id), "driver", json_text(machine->driver), "threads",
                json_count(machine->threads), "precision",
                precision_name(machine->ceilings.precision), "copy_bytes_per_second",
                json_number(machine->ceilings.copy_bytes_per_second, 0), "fma_per_second",
                json_number(machine->ceilings.fma_per_second, 0)));
    }
    return machines;
}

static json_t *json_report(const struct report *report) {
    const struct rows rows = rows_of(report, NULL);
    const eulercl_problem_info *const info = report->info;
    json_t *const own =
        is_bench(report)
            ? json_pack("{s:o, s:o}", "machines", json_machines(report), "runs", json_rows(&rows))
            : json_pack("{s:s, s:s, s:O, s:s, s:o, s:o, s:s, s:I, s:o, s:I, s:I, s:b, s:o}",
                  "problem", info->name, "title", info->title, "parameters",
                  report->json_parameters, "span", report->span, "sweep", json_text(report->sweep),
                  "sweeps", json_text(report->sweeps), "baseline", report->baseline, "runs",
                  (json_int_t)report->runs, "errors_against",
                  json_text(report->truth == NULL ? "" : report->truth), "methods",
                  (json_int_t)report->n_methods, "access_distance",
                  (json_int_t)info->access_distance, "bits_guaranteed", info->bits_guaranteed,
                  "rows", json_rows(&rows));
    json_t *const whole = json_pack("{s:s, s:s, s:s, s:o}", "version", eulercl_version(), "date",
        report->date, "command", report->command, "origin", json_origin(report));
    if (whole != NULL && own != NULL && json_object_update(whole, own) == 0) {
        json_decref(own);
        return whole;
    }
    json_decref(own);
    json_decref(whole);
    return NULL;
}

/* What the script reads has also the facts of each run, and the pictures. */
static int draw(const struct report *report) {
    json_t *const document = json_report(report), *const facts = json_array();
    if (document == NULL)
        return fail(EULERCL_INTERNAL, "cannot build the report: no memory, or no text in UTF-8");
    for (size_t i = 0; i < report->n_rows && report->has_page; i++)
        json_array_append_new(
            facts, json_text(report->rows[i].facts == NULL ? "" : report->rows[i].facts));
    json_object_set_new(document, "facts", facts);
    if (report->pictures != NULL) json_object_set(document, "pictures", report->pictures);
    const int status = run_script(&report->drawings, report->csv, document);
    json_decref(document);
    return status;
}

/* ---- the report ---- */

int begin_report(struct report *report, const char *command, int argc, char **argv) {
    *report = (struct report){.sweep = "",
        .sweeps = "",
        .baseline = "",
        .command = join_arguments(command, argc, argv),
        .drawings.items = calloc((size_t)argc + 1, sizeof *report->drawings.items)};
    format_date(report->date);
    return report->command != NULL && report->drawings.items != NULL
               ? EULERCL_OK
               : fail(EULERCL_MEMORY, "no memory for the command line");
}

void free_report(struct report *report) {
    for (size_t i = 0; i < report->n_rows; i++) free(report->rows[i].facts);
    for (size_t i = 0; i < report->drawings.count; i++) free(report->drawings.items[i]);
    free(report->drawings.items);
    free(report->rows);
    free(report->machines);
    free(report->parameters);
    free(report->span);
    free((char *)report->command);
    json_decref(report->json_parameters);
    json_decref(report->pictures);
}

struct row *add_row(struct report *report) {
    struct row *const more = realloc(report->rows, (report->n_rows + 1) * sizeof *more);
    if (more == NULL) return NULL;
    report->rows = more;
    return &more[report->n_rows++];
}

int add_drawing(struct report *report, const char *option, const char *text) {
    char **const item = &report->drawings.items[report->drawings.count];
#ifndef HAVE_JANSSON
    return fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without Jansson", option);
#endif
    report->has_page |= strcmp(option, "--report") == 0;
    if (asprintf(item, "%s=%s", option, text) < 0)
        return fail(EULERCL_MEMORY, "no memory for %s", option);
    report->drawings.count++;
    return EULERCL_OK;
}

int check_drawings(const struct report *report) {
    if (report->drawings.count > 0) return run_script(&report->drawings, report->csv, NULL);
    return EULERCL_OK;
}

int check_errors(const struct report *report) {
    static const char *const kinds[] = {"error", "work-precision"};
    const char *const reason = report->truth == NULL
                                   ? "errors need an exact solution or --reference FILE"
                               : *report->sweep == '\0' ? "it needs a sweep, for example --h-list"
                                                        : NULL;
    for (size_t i = 0; i < 2 * report->drawings.count && reason != NULL; i++) {
        const char *const kind = kinds[i % 2], *const drawing = report->drawings.items[i / 2];
        const size_t length = strlen(kind);
        if (strncmp(drawing, "--plot=", 7) == 0 && strncmp(drawing + 7, kind, length) == 0 &&
            drawing[7 + length] == ':')
            return fail(EULERCL_INVALID, "--plot %s: %s", kind, reason);
    }
    return EULERCL_OK;
}

int check_bits(const struct report *report, const char *from) {
    size_t different = 0;
    for (size_t i = 0; i < report->n_rows; i++)
        different += strcmp(report->rows[i].bits, "DIFFERENT") == 0;
    return different == 0 ? EULERCL_OK
                          : fail(EULERCL_INTERNAL, "%zu of %zu runs differ in their bits from %s",
                                different, report->n_rows, from);
}

int write_report(const struct report *report, int as_json) {
    int status = EULERCL_OK;
    if (as_json)
        status = json_print(json_report(report));
    else
        print_table(report);
    if (!status && report->csv != NULL) status = write_csv(report);
    if (!status && report->drawings.count > 0) status = draw(report);
    return status;
}
