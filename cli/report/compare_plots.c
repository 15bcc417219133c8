/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_plots.c - the plots of eulercl compare. */
#include "config.h"

#include "report/compare.h"
#include "report/csv.h"
#include "report/gnuplot.h"
#include "report/rows.h"
#include "shared/message.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct plot_kind plot_kinds[] = {
    {"time", "Kernel time", "kernel_seconds", "kernel time", offsetof(struct row, kernel_seconds),
        1, 0, 0, WITHOUT_SWEEP | IN_SWEEP},
    {"total", "Total time: set-up, build, transfers and kernels", "total_seconds", "total time",
        offsetof(struct row, total_seconds), 1, 0, 0, WITHOUT_SWEEP},
    {"normalised", "Time per component and step", "ns_per_component_step",
        "ns per component and step", offsetof(struct row, ns_per_component_step), 0, 0, 0,
        IN_SWEEP},
    {"rate", "Component-steps per second", "gcs_per_s", "10^9 component-steps per second",
        offsetof(struct row, gcs_per_s), 0, 0, 0, 0},
    {"speedup", "Speedup", "ratio", "speedup", offsetof(struct row, ratio), 0, 0, 0,
        WITHOUT_SWEEP | IN_SWEEP},
    {"error", "Error", "error", "largest error", offsetof(struct row, error), 0, 1, 1, IN_SWEEP},
    {"work-precision", "Error over time", "error", "largest error", offsetof(struct row, error), 0,
        1, 1, IN_SWEEP_OF_STEPS},
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
    if (kind->needs_truth && !has_truth) return "errors need an exact solution or --reference FILE";
    if (kind->needs_sweep && !is_sweep) return "it needs a sweep, for example --h-list";
    return NULL;
}

static double figure_of(const struct row *row, const struct plot_kind *kind) {
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

struct compare_plot {
    const struct compare *compare;
    const struct plot_kind *kind;
    const char **series; /* those with values, in the order in which they ran; NULL: bars */
    size_t n_series, n_bars;
};

static void describe(FILE *file, const char *before, const void *picture) {
    print_compare_provenance(file, before, ((const struct compare_plot *)picture)->compare);
}

static void write_data(FILE *file, const void *picture) {
    print_compare_csv(file, ((const struct compare_plot *)picture)->compare);
}

/* Put labels at the points, since a logarithmic axis has few of its own, unless they are too close
 * to each other. Points are in the order of the rows. */
static void put_tics(
    FILE *file, const struct compare *compare, const struct plot_kind *kind, int linear) {
    enum { MOST_TICS = 12 };
    const char *labels[MOST_TICS];
    double places[MOST_TICS], least = (double)INFINITY, greatest = -(double)INFINITY,
                              room = 0.08; /* share of the axis that is left to the next label */
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

/* Times have the unit of the greatest one, which the label names: gnuplot's own units round labels
 * until several tics are equal. */
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
    const struct compare_plot *const picture = subject;
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

static const struct row *next_run(const struct compare *compare, size_t order) {
    for (size_t i = 0; i < compare->n_rows; i++)
        if (compare->rows[i].order == order) return &compare->rows[i];
    return NULL;
}

static int is_listed(const struct compare_plot *picture, const char *series) {
    for (size_t i = 0; i < picture->n_series; i++)
        if (strcmp(picture->series[i], series) == 0) return 1;
    return 0;
}

int draw_compare_plot(const struct compare *compare, const char *option,
    const struct plot_kind *kind, const char *path, int width) {
    struct compare_plot picture = {.compare = compare,
        .kind = kind,
        .series = calloc(compare->n_rows, sizeof *picture.series)};
    if (picture.series == NULL) return fail(EULERCL_MEMORY, "no memory for a plot");
    for (size_t i = 0; i < compare->n_rows; i++) {
        const struct row *const row = next_run(compare, i);
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
