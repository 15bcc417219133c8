/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_report.c - what eulercl bench has measured: a table, CSV, JSON, and a picture drawn by
 * gnuplot. */
#include "config.h"

#include "report/bench.h"
#include "report/csv.h"
#include "report/gnuplot.h"
#include "report/rows.h"
#include "shared/escape.h"
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
static const struct column columns[] = {
    ROW_TEXT("series", series), ROW_TEXT("problem", problem), ROW_COUNT("n", stats.n),
    ROW_TEXT("precision", precision), ROW_CONFIGURATION, ROW_REAL("h", h),
    ROW_COUNT("steps", steps), ROW_REAL("us_per_step", us_per_step),
    ROW_REAL("median_us_per_step", median_us_per_step),
    ROW_REAL("device_us_per_step", device_us_per_step), ROW_REAL("gcs_per_s", gcs_per_s),
    ROW_REAL("gstages_per_s", gstages_per_s),
    ROW_REAL("ratio", ratio), ROW_REAL("global_bytes_per_component_step", component_step_bytes),
    ROW_REAL("copy_share", copy_share), ROW_TEXT("state_hash", hash), ROW_POINTER("bits", bits),
};
/* clang-format on */

static struct rows rows_of(const struct bench *bench, const struct table_column *table) {
    return (struct rows){.list = bench->rows,
        .count = bench->n_rows,
        .columns = columns,
        .n_columns = sizeof columns / sizeof columns[0],
        .table = table};
}

/* ---- where it was measured ---- */

static void print_machine(FILE *file, const char *before, const struct bench_machine *machine) {
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

static void print_provenance(FILE *file, const char *before, const void *subject) {
    const struct bench *const bench = subject;
    print_origin(file, before, bench->date, bench->command);
    for (size_t i = 0; i < bench->n_machines; i++) print_machine(file, before, &bench->machines[i]);
}

/* ---- table ---- */

void print_bench_table(const struct bench *bench) {
    const struct table_column table[] = {
        {"problem", TABLE_TEXT, offsetof(struct row, problem)},
        {"reals", TABLE_TEXT, offsetof(struct row, precision)},
        {"n", TABLE_COUNT, offsetof(struct row, stats.n)},
        {"backend", TABLE_TEXT, offsetof(struct row, label)},
        {bench->has_methods ? "method" : "", TABLE_TEXT, offsetof(struct row, method)},
        {bench->has_methods ? "stages" : "", TABLE_COUNT, offsetof(struct row, stages)},
        {"us/step", TABLE_REAL, offsetof(struct row, us_per_step)},
        {"median", TABLE_REAL, offsetof(struct row, median_us_per_step)},
        {"device", TABLE_REAL, offsetof(struct row, device_us_per_step)},
        {"Gcs/s", TABLE_REAL, offsetof(struct row, gcs_per_s)},
        {bench->has_methods ? "Gstages/s" : "", TABLE_REAL, offsetof(struct row, gstages_per_s)},
        {"ratio", TABLE_REAL, offsetof(struct row, ratio)},
        {"copy %", TABLE_PERCENT, offsetof(struct row, copy_share)},
        {"bits", TABLE_BITS, 0},
        {0},
    };
    const struct rows rows = rows_of(bench, table);
    print_provenance(stdout, "", bench);
    print_rows(&rows);
}

/* ---- JSON ---- */

#ifdef HAVE_JANSSON
int print_bench_json(const struct bench *bench) {
    const struct rows rows = rows_of(bench, NULL);
    json_t *const machines = json_array();
    for (size_t i = 0; i < bench->n_machines; i++) {
        const struct bench_machine *const machine = &bench->machines[i];
        json_array_append_new(machines,
            json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "device", machine->device, "device_id",
                json_text(machine->device_id), "driver", json_text(machine->driver), "threads",
                json_count(machine->threads), "precision",
                precision_name(machine->ceilings.precision), "copy_bytes_per_second",
                json_number(machine->ceilings.copy_bytes_per_second, 0), "fma_per_second",
                json_number(machine->ceilings.fma_per_second, 0)));
    }
    return json_print(json_pack("{s:s, s:s, s:s, s:o, s:o}", "version", eulercl_version(), "date",
        bench->date, "command", bench->command, "machines", machines, "runs", json_rows(&rows)));
}
#endif

/* ---- CSV ---- */

static void write_table(FILE *file, const void *bench) {
    const struct rows rows = rows_of(bench, NULL);
    print_rows_csv(file, &rows);
}

int write_bench_csv(const struct bench *bench, const char *path) {
    return write_csv(path, print_provenance, write_table, bench);
}

/* ---- the picture ---- */

static int is_first_of_series(const struct bench *bench, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (strcmp(bench->rows[i].series, bench->rows[row].series) == 0) return 0;
    return 1;
}

/* Lines are drawn over the size if a series has several sizes, else bars. */
static int has_lines(const struct bench *bench) {
    for (size_t i = 0; i < bench->n_rows; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(bench->rows[i].series, bench->rows[j].series) == 0 &&
                bench->rows[i].stats.n != bench->rows[j].stats.n)
                return 1;
    return 0;
}

/* The name of the OpenCL device, if there is one. */
static const char *title_of(const struct bench *bench) {
    for (size_t i = 0; i < bench->n_machines; i++)
        if (bench->machines[i].threads == 0) return bench->machines[i].device;
    return bench->n_machines == 0 ? "" : bench->machines[0].device;
}

/* Fill names and return their number. */
static size_t list_series(const struct bench *bench, const char **names) {
    size_t count = 0;
    for (size_t i = 0; i < bench->n_rows; i++)
        if (is_first_of_series(bench, i)) names[count++] = bench->rows[i].series;
    return count;
}

struct bench_plot {
    const struct bench *bench;
    const char **series; /* NULL: bars */
    size_t n_series;
};

static void describe(FILE *file, const char *before, const void *picture) {
    print_provenance(file, before, ((const struct bench_plot *)picture)->bench);
}

static void write_data(FILE *file, const void *picture) {
    write_table(file, ((const struct bench_plot *)picture)->bench);
}

static void write_script(FILE *file, const void *subject) {
    static const char speed[] = "10^9 component-steps per second";
    const struct bench_plot *const picture = subject;
    struct plot_axes axes = {.x = "column('n')",
        .x_label = "size n, components",
        .x_format = "%.0s%c",
        .y = "column('gcs_per_s')",
        .y_label = speed};
    for (size_t i = 0; i < picture->bench->n_rows; i++) {
        widen(&axes.x_span, (double)picture->bench->rows[i].stats.n);
        widen(&axes.y_span, picture->bench->rows[i].gcs_per_s);
    }
    fprintf(file, "set title ");
    put_plot_text(file, title_of(picture->bench));
    fputc('\n', file);
    if (picture->series != NULL)
        put_plot_lines(file, &axes, picture->series, picture->n_series);
    else
        put_plot_bars(file, picture->bench->n_rows, axes.y, speed);
}

int draw_bench_picture(const struct bench *bench, const char *path) {
    struct bench_plot picture = {.bench = bench};
    if (has_lines(bench)) {
        picture.series = calloc(bench->n_rows, sizeof *picture.series);
        if (picture.series == NULL) return fail(EULERCL_MEMORY, "no memory for the picture");
        picture.n_series = list_series(bench, picture.series);
    }
    const struct plot plot = {
        .option = "--svg",
        .path = path,
        .width = 800,
        .height =
            (int)(picture.series != NULL ? 440 + 11 * picture.n_series : 120 + 30 * bench->n_rows),
        .describe = describe,
        .write_data = write_data,
        .write_script = write_script,
        .subject = &picture,
    };
    const int status = draw_plot(&plot);
    free(picture.series);
    return status;
}
