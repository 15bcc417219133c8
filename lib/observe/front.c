/* SPDX-License-Identifier: BSD-2-Clause */
/* front.c - the observer front: where component C crosses LEVEL along x. The crossing of a line is
 * its first one, between two neighbouring points, by linear interpolation. kernels/front.cl looks
 * for them on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CROSSINGS,
    PLACES,
    SQUARES,
    NUMBERS
}; /* number, sum, sum of squared distances from `mean` */

struct sums {
    double numbers[NUMBERS];
    int is_found; /* the crossing of the present line */
    double last;  /* value of the point before, on it */
};

/* The value of a point of a line, in their order. */
static void add_value(const struct crossing *a, struct sums *sums, int64_t x, double value) {
    const double last = sums->last;
    sums->last = value;
    if (x == 0) sums->is_found = 0;
    if (x == 0 || sums->is_found || !isfinite(last) || !isfinite(value) ||
        (last > a->level) == (value > a->level))
        return;
    const double place = (double)(x - 1) + (a->level - last) / (value - last);
    sums->is_found = 1;
    sums->numbers[CROSSINGS]++;
    sums->numbers[PLACES] += place;
    sums->numbers[SQUARES] += (place - a->mean) * (place - a->mean);
}

static void add_line(const struct reduction *r, const struct span *s, struct line line,
    int64_t points, void *all_sums) {
    const struct crossing *const a = r->arguments;
    struct sums *const sums = all_sums;
    const int64_t begin = ecl_line_point(r, s, line) % r->grid->extents[0], end = begin + points;
    for (int64_t x = begin; x < end && !(sums->is_found && x > 0); x += SEGMENT) {
        double values[SEGMENT];
        const int64_t count = int_min(SEGMENT, end - x);
        ecl_line_values(r, s, line, a->component, x - begin, count, values);
        for (int64_t i = 0; i < count; i++) add_value(a, sums, x + i, values[i]);
    }
}

static void add(const struct reduction *r, void *sums, const struct span *s) {
    ecl_each_line(r, s, add_line, sums);
}

static void finish(const struct reduction *r, void *sums, double *numbers) {
    memcpy(numbers, ((const struct sums *)sums)->numbers, (size_t)r->size * sizeof *numbers);
}

const struct reducer ecl_front = {ecl_sums_begin, add, finish};

/* ---- the observer ---- */

enum { MEAN, SPREAD, SPEED, MISSING, COLUMNS };

static int64_t columns(const eulercl_observation *o) {
    (void)o;
    return COLUMNS;
}

static void name(const eulercl_observation *o, int64_t column, char *text, size_t size) {
    static const char *const names[COLUMNS] = {"mean", "spread", "speed", "missing"};
    (void)o;
    snprintf(text, size, "%s", names[column]);
}

/* A second pass finds the spread, which is not exact as a difference of sums. */
static int find(const struct observed *observed, double *values, eulercl_error *error) {
    eulercl_observation *const o = observed->observation;
    struct crossing a = {.component = observed_component(o), .level = o->arguments[1]};
    struct reduction r = ecl_observe_reduction(observed, &ecl_front, &a);
    double first[NUMBERS], second[NUMBERS];
    r.size = NUMBERS;
    r.sums_bytes = sizeof(struct sums);
    ecl_reduction_cut(&r);
    if (grid_is_line(r.grid)) { /* one part, since a line has one crossing */
        r.share = r.n;
        r.parts = 1;
    }
    int status = ecl_observe_sum(observed, &r, first, error);
    a.mean = first[PLACES] / first[CROSSINGS];
    if (!status) status = ecl_observe_sum(observed, &r, second, error);
    if (status) return status;
    const double lines = (double)r.n / r.grid->components / (double)r.grid->extents[0];
    values[MEAN] = a.mean;
    values[SPREAD] = sqrt(second[SQUARES] / first[CROSSINGS]);
    values[SPEED] = (a.mean - o->last_mean) / (observed->t - o->last_t);
    values[MISSING] = lines - first[CROSSINGS];
    o->last_mean = a.mean;
    o->last_t = observed->t;
    return EULERCL_OK;
}

const struct observer ecl_observe_front = {"front:C:LEVEL", 1, NULL, columns, name, find};
