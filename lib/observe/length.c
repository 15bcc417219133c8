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
/* A device has one work-group for a part, and needs many for what it computes. */
enum { MOST_PARTS = 2048 };
/* The order of the sums. Blocks of lines, which on a grid of two axes are rows and of three axes
 * the lines of a row; in a block columns, neighbours along x; in a column line after line. A number
 * has COLUMNS accumulators, and that of a column is the rest of its number. Then those of two
 * neighbouring columns are added, and these by halves. On a grid of one axis a part is one line. */
enum { BLOCK = 8, COLUMNS = 2 * LANES };
/* Points of a part on a grid of one axis, of which a device loads blocks ahead. */
enum { LEAST = 4 * BLOCK * COLUMNS };

/* Lines of a block: those of `row`, or all rows. */
struct block {
    int64_t row, first, count;
};
static struct line block_line(const struct reduction *r, const struct block *b, int64_t k) {
    return grid_has_axis(r->grid, 2) ? (struct line){b->row, b->first + k}
                                     : (struct line){b->first + k, 0};
}

/* Some columns of a block, which have accumulators from number `lane` on. */
static void add_columns(const struct reduction *r, const struct span *s, const struct block *b,
    int64_t x, int64_t count, int64_t lane, double (*sums)[COLUMNS]) {
    const int64_t component = *(const int64_t *)r->arguments;
    const struct loops *const loops = ecl_loops();
    const double first = sums[FIRST][0];
    double buffers[2][COLUMNS + 1], *values = buffers[0], *next = buffers[1];
    int64_t found = ecl_line_values(r, s, block_line(r, b, 0), component, x, count + 1, values);
    for (int64_t k = 0; k < b->count; k++) {
        loops->add(sums[SUM] + lane, values, first, count);
        loops->add_squares(sums[SQUARES] + lane, values, first, count);
        loops->add_slopes(sums[SLOPES] + lane, values + 1, values, int_min(count, found - 1));
        if (grid_has_axis(r->grid, 2)) {
            const struct line behind = {b->row + 1, b->first + k};
            loops->add_slopes(sums[SLOPES + 2] + lane, next, values,
                ecl_line_values(r, s, behind, component, x, count, next));
        }
        if (!grid_is_line(r->grid)) {
            found = ecl_line_values(r, s, block_line(r, b, k + 1), component, x, count + 1, next);
            loops->add_slopes(sums[SLOPES + 1] + lane, next, values, int_min(count, found));
            double *const old = values;
            values = next;
            next = old;
        }
    }
}

static void add(const struct reduction *r, void *all, const struct span *s) {
    double(*const sums)[COLUMNS] = all;
    const struct lines l = ecl_lines(r, s);
    const int has_rows = grid_has_axis(r->grid, 2); /* of several lines */
    const int64_t rows = has_rows ? l.rows : 1, lines = has_rows ? l.lines : l.rows,
                  at = (s->at - r->first) % r->share,
                  /* On a grid of one axis columns are counted from the beginning of the part. */
        before = grid_is_line(r->grid) ? at / r->unit % COLUMNS : 0;
    if (at == 0)
        ecl_line_values(
            r, s, (struct line){0, 0}, *(const int64_t *)r->arguments, 0, 1, sums[FIRST]);
    for (struct block b = {0}; b.row < rows; b.row++)
        for (b.first = 0; b.first < lines; b.first += BLOCK) {
            b.count = int_min(BLOCK, lines - b.first);
            for (int64_t x = 0, count; x < l.points; x += count) {
                const int64_t lane = (before + x) % COLUMNS;
                count = int_min(COLUMNS - lane, l.points - x);
                add_columns(r, s, &b, x, count, lane, sums);
            }
        }
}

static void finish(const struct reduction *r, void *all, double *numbers) {
    double(*const sums)[COLUMNS] = all;
    for (int64_t i = 0; i < r->size; i++) {
        double lanes[LANES];
        for (int l = 0; l < LANES; l++) lanes[l] = sums[i][2 * l] + sums[i][2 * l + 1];
        numbers[i] = ecl_lanes_sum(lanes);
    }
}

const struct reducer ecl_length = {ecl_sums_begin, add, finish};

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
    r.sums_bytes = NUMBERS * COLUMNS * sizeof(double);
    r.behind = r.unit;
    r.batch = grid_is_line(r.grid) ? LEAST : grid_is_plane(r.grid) ? BLOCK : 1;
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
