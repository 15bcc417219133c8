/* SPDX-License-Identifier: BSD-2-Clause */
/* patterns.c - the observer euler: size, boundary and Euler number of the set y > LEVEL, from
 * counts of patterns of neighbouring points (Mecke, "Morphological characterization of patterns in
 * reaction-diffusion systems", Phys. Rev. E 53, 1996).
 * kernels/patterns.cl counts on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include <stdio.h>
#include <string.h>

enum { X, LINE, ROW };
enum { X_LINE, X_ROW, LINE_ROW };
/* On a device the points of a column in so many rows become the bits of a word: ROWS of
 * kernels/patterns.cl. */
enum { BATCH = 30 };

/* A byte for each of the points x .. x + count - 1 of a line: whether it belongs to the set. */
static void find_set(const struct reduction *r, const struct span *s, struct line line, int64_t x,
    int64_t count, unsigned char *has) {
    const struct level_set *const set = r->arguments;
    const int64_t before = x < 0; /* there is no point -1 */
    double values[SEGMENT + 1];
    const int64_t found =
        ecl_line_values(r, s, line, set->component, x + before, count - before, values + before);
    values[0] = before ? -(double)INFINITY : values[0];
    ecl_loops()->find_above(has, values, set->level, count);
    memset(has + before + found, 0, (size_t)(count - before - found));
}

/* What begins with the points of a line. */
static void add_line(const struct reduction *r, int64_t *counts, const struct span *s,
    struct line line, int64_t points) {
    const uint32_t rank = r->grid->rank;
    unsigned char has[4][SEGMENT + 1] = {{0}};
    for (int64_t x = rank == 1 || grid_is_periodic(r->grid, 0) ? 0 : -1; x < points; x += SEGMENT) {
        const int64_t count = int_min(SEGMENT, points - x);
        for (int i = 0; i < 4; i++)
            if ((i % 2 == 0 || rank > 2) && (i < 2 || rank > 1))
                find_set(
                    r, s, (struct line){line.row + i / 2, line.line + i % 2}, x, count + 1, has[i]);
        ecl_loops()->add_patterns(counts, rank, has[0], has[1], has[2], has[3], count);
    }
}

/* What begins before the first point of an axis that is not periodic is counted with it. */
static void add(const struct reduction *r, void *sums, const struct span *s) {
    const struct lines l = ecl_lines(r, s);
    const uint32_t rank = r->grid->rank;
    const int is_first = rank > 1 && s->at == 0 && !r->is_ring;
    for (int64_t row = is_first ? -1 : 0; row < l.rows; row++)
        for (int64_t line = rank > 2 && !grid_is_periodic(r->grid, 1) ? -1 : 0; line < l.lines;
             line++)
            add_line(r, sums, s, (struct line){row, line}, l.points);
}

static void finish(const struct reduction *r, void *sums, double *numbers) {
    const int64_t *const counts = sums;
    for (int64_t i = 0; i < r->size; i++) numbers[i] = (double)counts[i];
}

const struct reducer ecl_patterns = {ecl_sums_begin, add, finish};

/* ---- the observer ---- */

enum { SIZE, BOUNDARY, EULER, EULER_FACES, COLUMNS };

static int64_t columns(const eulercl_observation *o) {
    (void)o;
    return COLUMNS;
}

static void name(const eulercl_observation *o, int64_t column, char *text, size_t size) {
    static const char *const names[COLUMNS] = {"size", "boundary", "euler", "euler_faces"};
    (void)o;
    snprintf(text, size, "%s", names[column]);
}

static double sum3(const double *f) { return f[0] + f[1] + f[2]; }

/* A point has two neighbours along each axis, so all pairs with a point of the set are 2 POINTS -
 * PAIRS. The Euler number is the number of corners - edges + faces - bodies: those of closed pixels
 * around the points of the set, where diagonal neighbours touch; or of the graph whose corners are
 * the points, where they do not. */
static void find_values(const double *f, uint32_t rank, double *values) {
    const double pairs = sum3(&f[PAIRS]), touched_pairs = 2 * rank * f[POINTS] - pairs;
    values[SIZE] = f[POINTS];
    values[BOUNDARY] = touched_pairs - pairs;
    values[EULER_FACES] = f[POINTS] - pairs + sum3(&f[FULL]) - f[CUBES];
    values[EULER] = rank == 1   ? touched_pairs - f[POINTS]
                    : rank == 2 ? f[TOUCHED + X_ROW] - touched_pairs + f[POINTS]
                                : f[CUBES + 1] - sum3(&f[TOUCHED]) + touched_pairs - f[POINTS];
}

static int find(const struct observed *observed, double *values, eulercl_error *error) {
    const eulercl_observation *const o = observed->observation;
    const struct level_set set = {observed_component(o), o->arguments[1]};
    struct reduction r = ecl_observe_reduction(observed, &ecl_patterns, &set);
    double sums[PATTERNS];
    r.size = PATTERNS;
    r.sums_bytes = PATTERNS * sizeof(int64_t);
    r.behind = r.unit;
    r.batch = grid_is_line(r.grid) ? 1 : BATCH;
    ecl_reduction_cut(&r);
    const int status = ecl_observe_sum(observed, &r, sums, error);
    if (!status) find_values(sums, r.grid->rank, values);
    return status;
}

const struct observer ecl_observe_patterns = {"euler:C:LEVEL", 1, NULL, columns, name, find};
