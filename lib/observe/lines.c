/* SPDX-License-Identifier: BSD-2-Clause */
/* lines.c - see lines.h. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include <string.h>

struct lines ecl_lines(const struct reduction *r, const struct span *s) {
    const struct ode_grid *const grid = r->grid;
    if (grid_is_line(grid)) return (struct lines){1, 1, s->count / grid->components};
    return (struct lines){s->count / r->unit, grid_lines(grid), grid->extents[0]};
}

int64_t ecl_line_point(const struct reduction *r, const struct span *s, struct line line) {
    return (s->at + line.row * r->unit) / r->grid->components +
           line.line * (int64_t)r->grid->extents[0];
}

void ecl_each_line(
    const struct reduction *r, const struct span *s, line_adder *add_line, void *sums) {
    const struct lines l = ecl_lines(r, s);
    for (int64_t row = 0; row < l.rows; row++)
        for (int64_t line = 0; line < l.lines; line++)
            add_line(r, s, (struct line){row, line}, l.points, sums);
}

static void take(const struct reduction *r, const char *from, int64_t count, double *values) {
    ecl_loops()->take(values, from, r->real_size, count, r->grid->components);
}

/* The line of a grid of one axis goes on before and behind the span. */
static int64_t take_points(const struct reduction *r, const struct span *s, int64_t component,
    int64_t x, int64_t count, double *values) {
    const int64_t components = r->grid->components;
    int64_t done = 0;
    while (done < count) {
        const int64_t at = s->at + (x + done) * components;
        const char *const from = span_at(r, s, at);
        if (!from) break;
        const int64_t left = count - done, some = at < 0 ? int_min(left, -at / components)
                                                  : at < r->n
                                                      ? int_min(left, (r->n - at) / components)
                                                      : left;
        take(r, from + (size_t)component * r->real_size, some, values + done);
        done += some;
    }
    return done;
}

/* The first component of a line; NULL: the line is not there. */
static const char *find_line(const struct reduction *r, const struct span *s, struct line line) {
    const struct ode_grid *const grid = r->grid;
    const int64_t lines = grid_lines(grid);
    if (line.line < 0) return NULL;
    if (line.line >= lines && (grid_is_plane(grid) || !grid_is_periodic(grid, 1))) return NULL;
    const char *const row = span_at(r, s, s->at + line.row * r->unit);
    return row ? row + (size_t)(line.line % lines * (r->unit / lines)) * r->real_size : NULL;
}

int64_t ecl_line_values(const struct reduction *r, const struct span *s, struct line line,
    int64_t component, int64_t x, int64_t count, double *values) {
    const int64_t points = r->grid->extents[0];
    int64_t done = 0;
    if (grid_is_line(r->grid))
        done = take_points(r, s, component, x, count, values);
    else {
        const char *const from = find_line(r, s, line);
        while (from && done < count) {
            const int64_t at = x + done;
            if (at >= points && !grid_is_periodic(r->grid, 0)) break;
            const int64_t some = int_min(count - done, points - at % points);
            take(r, from + (size_t)(at % points * r->grid->components + component) * r->real_size,
                some, values + done);
            done += some;
        }
    }
    memset(values + done, 0, (size_t)(count - done) * sizeof *values);
    return done;
}

void ecl_lanes_add(double *sums, int64_t point, const double *a, const double *b, int64_t count) {
    for (int64_t done = 0, some; done < count; done += some) {
        const int64_t lane = (point + done) % LANES;
        some = int_min(count - done, LANES - lane);
        if (b)
            for (int64_t i = 0; i < some; i++) sums[lane + i] += a[done + i] * b[done + i];
        else
            for (int64_t i = 0; i < some; i++) sums[lane + i] += a[done + i];
    }
}

double ecl_lanes_sum(double *sums) {
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) sums[l] += sums[l + half];
    return sums[0];
}

void ecl_lanes_finish(const struct reduction *r, void *sums, double *numbers) {
    double(*const lanes)[LANES] = sums;
    for (int64_t i = 0; i < r->size; i++) numbers[i] = ecl_lanes_sum(lanes[i]);
}
