/* SPDX-License-Identifier: BSD-2-Clause */
/* length.c - the observer length: 2 pi sqrt(variance / mean squared gradient), the wavelength of a
 * sine with this variance and this gradient, in grid points. kernels/length.cl sums
 * on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include "../mem.h"
#include <math.h>

/* Of a part: its first value, sums of the differences from it, of their squares, and of the squares
 * of the differences of neighbours along each axis. A value of the part in place of the mean, which
 * needs all values first, costs no more digits than the number of points of the part has: it is one
 * of the values, so the square of its difference from the mean is less than all squares together.
 */
enum { FIRST, SUM, SQUARES, SLOPES, NUMBERS = SLOPES + ODE_MOST_AXES };
/* A GPU has one work-group of LANES items for a part, and needs many for what it computes. */
enum { MOST_PARTS = 1024 };

/* The differences of some values from those of the next line or row. */
static void add_slopes(const struct reduction *r, const struct span *s, struct line next, int64_t x,
    int64_t count, const double *values, int64_t point, double *sums) {
    const int64_t *const component = r->arguments;
    double others[SEGMENT];
    const int64_t found = ecl_line_values(r, s, next, *component, x, count, others);
    for (int64_t i = 0; i < found; i++) others[i] -= values[i];
    ecl_lanes_add(sums, point, others, others, found);
}

static void add_line(const struct reduction *r, const struct span *s, struct line line,
    int64_t points, void *all_sums) {
    const int64_t *const component = r->arguments;
    double(*const sums)[LANES] = all_sums;
    const uint32_t rank = r->grid->rank;
    for (int64_t x = 0; x < points; x += SEGMENT) {
        const int64_t count = int_min(SEGMENT, points - x), point = ecl_line_point(r, s, line) + x;
        double values[SEGMENT], differences[SEGMENT];
        ecl_line_values(r, s, line, *component, x, count, values);
        for (int64_t i = 0; i < count; i++) differences[i] = values[i] - sums[FIRST][0];
        ecl_lanes_add(sums[SUM], point, differences, NULL, count);
        ecl_lanes_add(sums[SQUARES], point, differences, differences, count);
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
    const int64_t *const component = r->arguments;
    double(*const all)[LANES] = sums;
    if ((s->at - r->first) % r->share == 0)
        ecl_line_values(r, s, (struct line){0, 0}, *component, 0, 1, all[FIRST]);
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
        if (pairs > 0) slope += sums[axis] / pairs;
    }
    return slope;
}

/* The variance of all values, from the means of the parts and the sums of squared differences from
 * them (T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm for
 * computing sample variances", COMPSTAT 1982); `sums`: of the slopes. */
static double variance(const struct reduction *r, const double *numbers, double *sums) {
    const int64_t components = r->grid->components;
    double points = 0, mean = 0, squares = 0;
    for (int64_t p = 0; p < r->parts; p++) {
        const double *const f = numbers + p * r->size,
                            count = (double)(int_min(r->share, r->n - p * r->share) / components);
        const double part_mean = f[FIRST] + f[SUM] / count, far = part_mean - mean,
                     all = points + count;
        const double own = f[SQUARES] - f[SUM] * (f[SUM] / count); /* may be rounded below 0 */
        squares += own < 0 ? 0 : own;
        squares += far * far * (points * count / all);
        mean += far * (count / all);
        points = all;
        for (int axis = 0; axis < ODE_MOST_AXES; axis++) sums[axis] += f[SLOPES + axis];
    }
    return squares / points;
}

static int find(const struct observed *observed, double *values, eulercl_error *error) {
    const int64_t component = observed_component(observed->observation);
    struct reduction r = ecl_observe_reduction(observed, &ecl_length, &component);
    double slopes[ODE_MOST_AXES] = {0};
    r.size = NUMBERS;
    r.sums_bytes = NUMBERS * LANES * sizeof(double);
    r.behind = r.unit;
    ecl_reduction_cut_into(&r, MOST_PARTS);
    double *const numbers = ecl_mem_zeroed((uint64_t)r.parts * NUMBERS, sizeof *numbers);
    if (!numbers) return ecl_no_memory(error, "the numbers of the parts");
    const int status = ecl_reduce(observed->run, observed->state, &r, numbers, error);
    if (!status)
        *values = 2 * 3.14159265358979323846 *
                  sqrt(variance(&r, numbers, slopes) / mean_slope(&r, slopes));
    ecl_mem_free(numbers);
    return status;
}

const struct observer ecl_observe_length = {"length:C", 1, NULL, columns, NULL, find};
