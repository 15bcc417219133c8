/* SPDX-License-Identifier: BSD-2-Clause */
/* correlation.c - the observer correlation: how similar the values of two points are that lie 1, 2,
 * ... LAGS points apart along an axis. kernels/correlation.cl sums on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include "../mem.h"
#include <math.h>
#include <stdio.h>

/* -> how many values there are */
static int64_t find_centred(const struct reduction *r, const struct span *s, struct line line,
    int64_t x, int64_t count, double *values) {
    const struct correlated *const a = r->arguments;
    const int64_t found = ecl_line_values(r, s, line, a->component, x, count, values);
    for (int64_t i = 0; i < found; i++) values[i] -= a->mean;
    return found;
}

static void add_line(const struct reduction *r, const struct span *s, struct line line,
    int64_t points, void *all_sums) {
    const struct correlated *const a = r->arguments;
    double(*const sums)[LANES] = all_sums;
    const uint32_t rank = r->grid->rank;
    for (int64_t x = 0; x < points; x += SEGMENT) {
        const int64_t count = int_min(SEGMENT, points - x), point = ecl_line_point(r, s, line) + x;
        double values[SEGMENT], others[SEGMENT];
        find_centred(r, s, line, x, count, values);
        ecl_lanes_add(sums[0], point, values, values, count);
        for (uint32_t axis = 0; axis < rank; axis++)
            for (int64_t lag = 1; lag <= a->lags; lag++) {
                const int is_row = axis > 0 && axis == rank - 1, is_line = axis > 0 && !is_row;
                const struct line other = {line.row + is_row * lag, line.line + is_line * lag};
                const int64_t found =
                    find_centred(r, s, other, x + (axis == 0) * lag, count, others);
                ecl_lanes_add(sums[axis * a->lags + lag], point, values, others, found);
            }
    }
}

static void add(const struct reduction *r, void *sums, const struct span *s) {
    ecl_each_line(r, s, add_line, sums);
}

const struct reducer ecl_correlation = {ecl_sums_begin, add, ecl_lanes_finish};

/* ---- the observer ---- */

static int check(const eulercl_observation *o, eulercl_error *error) {
    const double lags = o->arguments[1];
    if (!(lags >= 1 && lags <= MOST_LAGS && lags == floor(lags)))
        return ecl_fail(error, EULERCL_INVALID,
            "%.200s: the number of lags must be a whole number from 1 to %d", o->text, MOST_LAGS);
    for (uint32_t axis = 0; axis < o->grid.rank; axis++)
        if (lags >= (double)o->grid.extents[axis])
            return ecl_fail(error, EULERCL_INVALID,
                "%.200s: the number of lags must be less than the %lld points along %c", o->text,
                (long long)o->grid.extents[axis], "xyz"[axis]);
    return EULERCL_OK;
}

static int64_t columns(const eulercl_observation *o) {
    return (int64_t)o->arguments[1] * o->grid.rank;
}

static void name(const eulercl_observation *o, int64_t column, char *text, size_t size) {
    const int64_t lags = (int64_t)o->arguments[1];
    snprintf(text, size, "%c:%lld", "xyz"[column / lags], (long long)(column % lags + 1));
}

/* From sums to correlations. */
static void divide(const struct reduction *r, int64_t lags, const double *sums, double *values) {
    const double points = (double)r->n / r->grid->components, variance = sums[0] / points;
    for (uint32_t axis = 0; axis < r->grid->rank; axis++)
        for (int64_t lag = 1; lag <= lags; lag++) {
            const double extent = (double)r->grid->extents[axis],
                         pairs = grid_is_periodic(r->grid, axis) ? extent : extent - (double)lag;
            values[axis * lags + lag - 1] =
                sums[axis * lags + lag] / (points / extent * pairs) / variance;
        }
}

static int find(const struct observed *observed, double *values, eulercl_error *error) {
    const eulercl_observation *const o = observed->observation;
    struct correlated a = {.component = observed_component(o), .lags = (int64_t)o->arguments[1]};
    struct reduction r = ecl_observe_reduction(observed, &ecl_correlation, &a);
    r.size = 1 + columns(o);
    r.sums_bytes = (uint64_t)r.size * LANES * sizeof(double);
    r.behind = a.lags * r.unit;
    ecl_reduction_cut(&r);
    double *const sums = ecl_mem_zeroed((uint64_t)r.size, sizeof *sums);
    if (!sums) return ecl_no_memory(error, "the correlations");
    int status = ecl_observe_mean(observed, &a.mean, error);
    if (!status) status = ecl_observe_sum(observed, &r, sums, error);
    if (!status) divide(&r, a.lags, sums, values);
    ecl_mem_free(sums);
    return status;
}

const struct observer ecl_observe_correlation = {
    "correlation:C:LAGS", 1, check, columns, name, find};
