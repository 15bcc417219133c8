/* compare_report.c - what eulercl compare has found: a table, CSV, JSON, plots.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "report/columns.h"
#include "report/compare.h"
#include "report/gnuplot.h"
#include "report/how.h"
#include "shared/escape.h"
#include "shared/json.h"
#include "shared/message.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the columns of CSV and JSON ---- */

#define AT(FIELD) offsetof(struct compare_row, FIELD)
static const struct column columns[] = {
    {"point", COLUMN_TEXT, AT(point)},
    {"x", COLUMN_REAL, AT(x)},
    {"series", COLUMN_TEXT, AT(series)},
    {"configuration", COLUMN_TEXT, AT(label)},
    {"precision", COLUMN_TEXT, AT(precision)},
    {"n", COLUMN_COUNT, AT(stats.n)},
    {"steps", COLUMN_COUNT, AT(stats.steps)},
    {"h", COLUMN_REAL, AT(h)},
    {"t_end", COLUMN_REAL, AT(t_end)},
    {"kernel_seconds", COLUMN_REAL, AT(kernel_seconds)},
    {"total_seconds", COLUMN_REAL, AT(total_seconds)},
    {"gcs_per_s", COLUMN_REAL, AT(gcs_per_s)},
    {"ns_per_component_step", COLUMN_REAL, AT(ns_per_component_step)},
    {"ratio", COLUMN_REAL, AT(ratio)},
    {"ulps", COLUMN_REAL, AT(ulps)},
    {"differing", COLUMN_REAL, AT(differing)},
    {"bits", COLUMN_POINTER, AT(bits)},
    {"error", COLUMN_REAL, AT(error)},
    {"state_hash", COLUMN_TEXT, AT(hash)},
    {"status", COLUMN_POINTER, AT(status_name)},
    {"note", COLUMN_TEXT, AT(note)},
    {"device", COLUMN_TEXT, AT(device)},
    {"device_id", COLUMN_TEXT, AT(device_id)},
    {"driver", COLUMN_TEXT, AT(driver)},
    {"backend", COLUMN_TEXT, AT(backend)},
    {"variant", COLUMN_TEXT, AT(variant)},
    {"storage", COLUMN_TEXT, AT(storage)},
    {"distribution", COLUMN_TEXT, AT(distribution)},
    {"plan", COLUMN_TEXT, AT(plan)},
    {"threads", COLUMN_COUNT, AT(stats.threads)},
    {"workgroup_size", COLUMN_COUNT, AT(stats.workgroup_size)},
    {"workgroups", COLUMN_COUNT, AT(stats.workgroups)},
    {"tiles", COLUMN_COUNT, AT(stats.tiles)},
    {"dia_blocks", COLUMN_COUNT, AT(stats.dia_blocks)},
    {"block_size", COLUMN_COUNT, AT(stats.block_size)},
    {"points_per_item", COLUMN_COUNT, AT(stats.points_per_item)},
    {"rows_per_item", COLUMN_COUNT, AT(stats.rows_per_item)},
    {"steps_per_launch", COLUMN_COUNT, AT(stats.steps_per_launch)},
};

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

static struct sheet sheet_of(const struct compare *compare) {
    return (struct sheet){.columns = columns,
        .n_columns = sizeof columns / sizeof columns[0],
        .rows = compare->rows,
        .n_rows = compare->n_rows,
        .row_size = sizeof *compare->rows};
}

void print_compare_provenance(FILE *file, const char *before, const void *subject) {
    const struct compare *const compare = subject;
    fprintf(file, "%seulercl %s, %s: %s\n%s", before, eulercl_version(), compare->date,
        compare->command, before);
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

/* Colours of a terminal, or nothing. */
struct ink {
    const char *strong, *good, *bad, *weak, *plain;
};

static struct ink choose_ink(void) {
    return can_show_colours(stdout)
               ? (struct ink){"\033[1m", "\033[32m", "\033[1;31m", "\033[2m", "\033[0m"}
               : (struct ink){"", "", "", "", ""};
}

/* In 9 places, "-" for none. */
static void print_number(double value) {
    if (isfinite(value))
        printf(" %9.4g", value);
    else
        printf(" %9s", "-");
}

static const struct unit {
    const char *name;
    double per_second;
} units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};

/* In which the number is 1 or more, as it is printed in three digits. */
static const struct unit *unit_of(double seconds) {
    const struct unit *unit = units;
    while (unit < units + 3 && seconds * unit->per_second < 0.9995) unit++;
    return unit;
}

const char *seconds_text(double seconds, char buffer[32]) {
    const struct unit *const unit = unit_of(seconds);
    if (isfinite(seconds))
        snprintf(buffer, 32, "%.3g %s", seconds * unit->per_second, unit->name);
    else
        strcpy(buffer, "-");
    return buffer;
}

static void print_row(const struct compare_row *row, const struct ink *ink, int label_width,
    int has_error, int is_fastest) {
    const int is_different = strcmp(row->bits, "DIFFERENT") == 0;
    char buffer[32];
    if (row->status) {
        printf("%s%-*s  %-6s  %s%s%s%s\n", ink->weak, label_width, row->label, row->precision,
            row->note, is_different ? ink->bad : "", is_different ? "; seq went on: DIFFERENT" : "",
            ink->plain);
        return;
    }
    printf("%s%-*s%s  %-6s", is_fastest ? ink->strong : "", label_width, row->label, ink->plain,
        row->precision);
    printf(" %9s", seconds_text(row->kernel_seconds, buffer));
    printf(" %9s", seconds_text(row->total_seconds, buffer));
    print_number(row->gcs_per_s);
    print_number(row->ratio);
    print_number(row->ulps);
    printf("  %s%-12s%s",
        is_different                     ? ink->bad
        : strcmp(row->bits, "same") == 0 ? ink->good
                                         : "",
        row->bits, ink->plain);
    if (has_error) print_number(row->error);
    printf("  %s%s", row->plan[0] != '\0' ? row->backend : "", row->plan[0] != '\0' ? " " : "");
    printf("%s%s", row->variant, *row->variant == '\0' ? "" : ", ");
    print_how(stdout, &row->stats, row->storage, row->plan);
    putchar('\n');
}

void print_compare_table(const struct compare *compare) {
    const struct ink ink = choose_ink();
    const int is_sweep = *compare->sweep != '\0', has_error = compare->truth != NULL;
    int label_width = (int)strlen("backend"), point_width = (int)strlen(compare->sweep);
    for (size_t i = 0; i < compare->n_rows; i++) {
        const int label = (int)strlen(compare->rows[i].label),
                  point = (int)strlen(compare->rows[i].point);
        label_width = label > label_width ? label : label_width;
        point_width = point > point_width ? point : point_width;
    }
    print_compare_provenance(stdout, "", compare);
    putchar('\n');
    if (is_sweep) printf("%s%*s  ", ink.strong, point_width, compare->sweep);
    printf("%s%-*s  %-6s %9s %9s %9s %9s %9s  %-12s", ink.strong, label_width, "backend", "reals",
        "kernel", "total", "Gcs/s", "ratio", "ulps", "bits");
    if (has_error) printf(" %9s", "error");
    printf("  how%s\n", ink.plain);
    for (size_t i = 0; i < compare->n_rows; i++) {
        const struct compare_row *const row = &compare->rows[i];
        const int is_first = i == 0 || row->at != row[-1].at;
        if (is_sweep && is_first && i > 0) putchar('\n');
        if (is_sweep) printf("%*s  ", point_width, row->point);
        print_row(row, &ink, label_width, has_error, is_first);
    }
}

/* ---- JSON and CSV ---- */

#ifdef HAVE_JANSSON
int print_compare_json(const struct compare *compare) {
    const struct sheet sheet = sheet_of(compare);
    json_t *const rows = json_array();
    for (size_t i = 0; i < compare->n_rows; i++) json_array_append_new(rows, json_row(&sheet, i));
    return json_print(json_pack("{s:s, s:s, s:s, s:s, s:s, s:O, s:o, s:s, s:I, s:o, s:o}",
        "version", eulercl_version(), "date", compare->date, "command", compare->command, "problem",
        compare->info->name, "title", compare->info->title, "parameters", compare->json_parameters,
        "sweep", json_text(compare->sweep), "baseline", compare->baseline, "runs",
        (json_int_t)compare->runs, "errors_against",
        json_text(compare->truth == NULL ? "" : compare->truth), "rows", rows));
}
#endif

void print_compare_csv(FILE *file, const void *compare) {
    const struct sheet sheet = sheet_of(compare);
    print_csv(file, &sheet);
}

int write_compare_csv(const struct compare *compare, const char *path) {
    return write_csv(path, print_compare_provenance, print_compare_csv, compare);
}

/* ---- plots ---- */

const struct plot_kind plot_kinds[] = {
    {"time", "Kernel time", "kernel_seconds", "kernel time", AT(kernel_seconds), 1, 0, 0,
        WITHOUT_SWEEP | IN_SWEEP},
    {"total", "Total time: set-up, build, transfers and kernels", "total_seconds", "total time",
        AT(total_seconds), 1, 0, 0, WITHOUT_SWEEP},
    {"normalised", "Time per component and step", "ns_per_component_step",
        "ns per component and step", AT(ns_per_component_step), 0, 0, 0, IN_SWEEP},
    {"rate", "Component-steps per second", "gcs_per_s", "10^9 component-steps per second",
        AT(gcs_per_s), 0, 0, 0, 0},
    {"speedup", "Speedup", "ratio", "speedup", AT(ratio), 0, 0, 0, WITHOUT_SWEEP | IN_SWEEP},
    {"error", "Error", "error", "largest error", AT(error), 0, 1, 1, IN_SWEEP},
    {"work-precision", "Error over time", "error", "largest error", AT(error), 0, 1, 1,
        IN_SWEEP_OF_STEPS},
    {0},
};

const struct plot_kind *find_plot_kind(const char *name) {
    for (const struct plot_kind *kind = plot_kinds; kind->name != NULL; kind++)
        if (strcmp(kind->name, name) == 0) return kind;
    return NULL;
}

const char *read_plot(const char *text, const struct plot_kind **kind) {
    for (*kind = plot_kinds; (*kind)->name != NULL; ++*kind) {
        const size_t length = strlen((*kind)->name);
        if (strncmp(text, (*kind)->name, length) == 0 && text[length] == ':')
            return text + length + 1;
    }
    *kind = NULL;
    return text;
}

const char *lacks_plot(const struct plot_kind *kind, int is_sweep, int has_truth) {
    if (kind->needs_truth && !has_truth)
        return "nothing is known to measure errors against; --reference FILE names a state";
    if (kind->needs_sweep && !is_sweep) return "something must be swept: --h-list, say";
    return NULL;
}

static double figure_of(const struct compare_row *row, const struct plot_kind *kind) {
    return !row->status ? *(const double *)(const void *)((const char *)row + kind->offset)
                        : (double)NAN;
}

int has_plot(const struct compare *compare, const struct plot_kind *kind) {
    for (size_t i = 0; i < compare->n_rows; i++) {
        const double figure = figure_of(&compare->rows[i], kind);
        if (isfinite(figure) && figure > 0) return 1;
    }
    return 0;
}

struct picture {
    const struct compare *compare;
    const struct plot_kind *kind;
    const char *
        *series; /* those that have something to show, in the order in which they ran; NULL: bars */
    size_t n_series, n_bars;
};

static void describe(FILE *file, const char *before, const void *picture) {
    print_compare_provenance(file, before, ((const struct picture *)picture)->compare);
}

static void write_data(FILE *file, const void *picture) {
    print_compare_csv(file, ((const struct picture *)picture)->compare);
}

/* Labels at the points themselves, since a logarithmic axis has few of its own: where they do not
 * stand too close. Points are in the order of the rows. */
static void put_tics(
    FILE *file, const struct compare *compare, const struct plot_kind *kind, int linear) {
    enum { MOST_TICS = 12 };
    const char *labels[MOST_TICS];
    double places[MOST_TICS], least = (double)INFINITY, greatest = -(double)INFINITY,
                              room = 0.08; /* of the axis, to the next label */
    size_t count = 0;
    for (size_t i = 0; i < compare->n_rows; i++) {
        const double place = linear ? compare->rows[i].x : log(compare->rows[i].x);
        least = fmin(least, place);
        greatest = fmax(greatest, place);
        room = fmax(room, 0.013 * (double)strlen(compare->rows[i].point));
    }
    for (size_t i = 0; i < compare->n_rows && count < MOST_TICS; i++) {
        if (!(figure_of(&compare->rows[i], kind) > 0)) continue;
        const double place = linear ? compare->rows[i].x : log(compare->rows[i].x);
        int is_free = 1;
        for (size_t k = 0; k < count; k++)
            is_free &= fabs(place - places[k]) >= room * (greatest - least) && place != places[k];
        if (is_free) {
            places[count] = place;
            labels[count++] = compare->rows[i].point;
        }
    }
    fputs("set xtics (", file);
    for (size_t k = 0; k < count; k++) {
        fputs(k == 0 ? "" : ", ", file);
        put_plot_text(file, labels[k]);
        fprintf(file, " %.9g", linear ? places[k] : exp(places[k]));
    }
    fputs(")\n", file);
}

struct axis {
    char figure[64], label[256];
    struct span span;
};

/* A time is in the unit of the greatest, and the label says which: gnuplot's labels in units of
 * their own are rounded until several tics are the same. */
static struct axis axis_of(const struct compare *compare, const struct plot_kind *kind) {
    struct axis axis = {.span = {0}};
    for (size_t i = 0; i < compare->n_rows; i++)
        widen(&axis.span, figure_of(&compare->rows[i], kind));
    const struct unit *const unit = unit_of(axis.span.greatest);
    if (kind->is_time) {
        snprintf(
            axis.figure, sizeof axis.figure, "column('%s') * %g", kind->column, unit->per_second);
        snprintf(axis.label, sizeof axis.label, "%s, %s", kind->label, unit->name);
        axis.span.least *= unit->per_second;
        axis.span.greatest *= unit->per_second;
    } else {
        const int is_ratio = strcmp(kind->name, "speedup") == 0;
        snprintf(axis.figure, sizeof axis.figure, "column('%s')", kind->column);
        snprintf(axis.label, sizeof axis.label, "%s%s%.200s", kind->label, is_ratio ? " over " : "",
            is_ratio ? compare->baseline : "");
    }
    return axis;
}

static void write_script(FILE *file, const void *subject) {
    const struct picture *const picture = subject;
    const struct compare *const compare = picture->compare;
    const struct plot_kind *const kind = picture->kind;
    const struct axis y = axis_of(compare, kind), time = axis_of(compare, find_plot_kind("time"));
    struct plot_axes axes = {.x = "column('x')",
        .x_label = compare->sweep_label,
        .x_format = "%g",
        .y = y.figure,
        .y_label = y.label,
        .y_span = y.span};
    const int over_time = strcmp(kind->name, "work-precision") == 0;
    char title[512];
    if (over_time) axes.x = time.figure, axes.x_label = time.label, axes.x_span = time.span;
    for (size_t i = 0; i < compare->n_rows && !over_time; i++)
        axes.linear_x |= !(compare->rows[i].x > 0);
    snprintf(title, sizeof title, "%.100s, %.300s", compare->info->name, compare->span);
    fputs("set title ", file);
    put_plot_text(file, title);
    fputc('\n', file);
    axes.has_x_tics = picture->series != NULL && !over_time;
    if (axes.has_x_tics) put_tics(file, compare, kind, axes.linear_x);
    if (picture->series != NULL)
        put_plot_lines(file, &axes, picture->series, picture->n_series);
    else
        put_plot_bars(file, picture->n_bars, y.figure, y.label);
}

static const struct compare_row *next_run(const struct compare *compare, size_t order) {
    for (size_t i = 0; i < compare->n_rows; i++)
        if (compare->rows[i].order == order) return &compare->rows[i];
    return NULL;
}

static int is_listed(const struct picture *picture, const char *series) {
    for (size_t i = 0; i < picture->n_series; i++)
        if (strcmp(picture->series[i], series) == 0) return 1;
    return 0;
}

int draw_compare_plot(const struct compare *compare, const char *option,
    const struct plot_kind *kind, const char *path, int width) {
    struct picture picture = {.compare = compare,
        .kind = kind,
        .series = calloc(compare->n_rows, sizeof *picture.series)};
    if (picture.series == NULL) return fail(EULERCL_MEMORY, "no memory for a plot");
    for (size_t i = 0; i < compare->n_rows; i++) {
        const struct compare_row *const row = next_run(compare, i);
        picture.n_bars += !row->status;
        if (!row->status && !is_listed(&picture, row->series))
            picture.series[picture.n_series++] = row->series;
    }
    const char **const series = picture.series;
    if (*compare->sweep == '\0') picture.series = NULL;
    const struct plot plot = {
        .option = option,
        .path = path,
        .width = width,
        .height = picture.series != NULL ? width / 2 + 40 + 11 * (int)picture.n_series
                                         : 120 + 30 * (int)picture.n_bars,
        .describe = describe,
        .write_data = write_data,
        .write_script = write_script,
        .subject = &picture,
    };
    const int status = draw_plot(&plot);
    free(series);
    return status;
}
