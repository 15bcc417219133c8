/* SPDX-License-Identifier: BSD-2-Clause */
/* length.c - the observer length: 2 pi sqrt(variance / mean squared gradient), the wavelength of a
 * sine with this variance and this gradient, in grid points. kernels/length.cl sums
 * on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include <math.h>

enum { VARIANCE, SLOPES, NUMBERS = SLOPES + ODE_MOST_AXES }; /* sums of squares */

/* The differences of some values from those of the next line or row. */
static void add_slopes(const struct reduction *r, const struct span *s, struct line next, int64_t x,
    int64_t count, const double *values, int64_t point, double *sums) {
    const struct centred *const a = r->arguments;
    double others[SEGMENT];
    const int64_t found = ecl_line_values(r, s, next, a->component, x, count, others);
    for (int64_t i = 0; i < found; i++) others[i] -= values[i];
    ecl_lanes_add(sums, point, others, others, found);
}

static void add_line(const struct reduction *r, const struct span *s, struct line line,
    int64_t points, void *all_sums) {
    const struct centred *const a = r->arguments;
    double(*const sums)[LANES] = all_sums;
    const uint32_t rank = r->grid->rank;
    for (int64_t x = 0; x < points; x += SEGMENT) {
        const int64_t count = int_min(SEGMENT, points - x), point = ecl_line_point(r, s, line) + x;
        double values[SEGMENT], centred[SEGMENT];
        ecl_line_values(r, s, line, a->component, x, count, values);
        for (int64_t i = 0; i < count; i++) centred[i] = values[i] - a->mean;
        ecl_lanes_add(sums[VARIANCE], point, centred, centred, count);
        add_slopes(r, s, line, x + 1, count, values, point, sums[SLOPES]);
        if (rank > 2)
            add_slopes(r, s, (struct line){line.row, line.line + 1}, x, count, values, point,
                sums[SLOPES + 1]);
        if (rank > 1)
            add_slopes(r, s, (struct line){line.row + 1, line.line}, x, count, values, point,
                sums[SLOPES + rank - 1]);
    }
}

static void add(const struct reduction *r, void *sums, const struct span *s) {
    ecl_each_line(r, s, add_line, sums);
}

const struct reducer ecl_length = {ecl_sums_begin, add, ecl_lanes_finish};

/* ---- the observer ---- */

static int64_t columns(const eulercl_observation *o) {
    (void)o;
    return 1;
}

/* The sum over the axes of the mean squared difference of neighbours. */
static double mean_slope(const struct reduction *r, const double *sums) {
    const double points = (double)r->n / r->grid->components;
    double slope = 0;
    for (uint32_t axis = 0; axis < r->grid->rank; axis++) {
        const double extent = (double)r->grid->extents[axis],
                     pairs =
                         points / extent * (grid_is_periodic(r->grid, axis) ? extent : extent - 1);
        if (pairs > 0) slope += sums[SLOPES + axis] / pairs;
    }
    return slope;
}

static int find(const struct observed *observed, double *values, eulercl_error *error) {
    struct centred a = {.component = observed_component(observed->observation)};
    struct reduction r = ecl_observe_reduction(observed, &ecl_length, &a);
    double sums[NUMBERS];
    r.size = NUMBERS;
    r.sums_bytes = NUMBERS * LANES * sizeof(double);
    r.behind = r.unit;
    ecl_reduction_cut(&r);
    int status = ecl_observe_mean(observed, &a.mean, error);
    if (!status) status = ecl_observe_sum(observed, &r, sums, error);
    if (status) return status;
    const double variance = sums[VARIANCE] / ((double)r.n / r.grid->components);
    *values = 2 * 3.14159265358979323846 * sqrt(variance / mean_slope(&r, sums));
    return EULERCL_OK;
}

const struct observer ecl_observe_length = {"length:C", 1, NULL, columns, NULL, find};
