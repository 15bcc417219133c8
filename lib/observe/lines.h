/* SPDX-License-Identifier: BSD-2-Clause */
/* lines.h - the lines along x of the rows of a span, and the values on them. On a grid of one
 * axis a span is one line. */
#ifndef EULERCL_LINES_H
#define EULERCL_LINES_H
#include "observe.h"

enum { SEGMENT = 1024 }; /* values of a line that are looked at together */

/* Lines of a row, and points of a line. */
struct lines {
    int64_t rows, lines, points;
};
struct lines ecl_lines(const struct reduction *reduction, const struct span *span);

/* A line; row: of the span; line: of the row. Those behind the last ones are there on rings, and
 * rows before and behind the span as far as the reduction reads them. Line -1 is never there. */
struct line {
    int64_t row, line;
};
/* The values of a component at the points x .. x + count - 1 of a line, and behind its end (of a
 * grid of one axis also before its first point), where it goes on: -> how many there are. The
 * others become 0. */
int64_t ecl_line_values(const struct reduction *reduction, const struct span *span,
    struct line line, int64_t component, int64_t x, int64_t count, double *values);
/* The number in the grid of the first point of a line. */
int64_t ecl_line_point(
    const struct reduction *reduction, const struct span *span, struct line line);
/* Call add_line for the lines of a span, with the points that each has there. */
typedef void line_adder(const struct reduction *reduction, const struct span *span,
    struct line line, int64_t points, void *sums);
void ecl_each_line(
    const struct reduction *reduction, const struct span *span, line_adder *add_line, void *sums);

/* smooth.c, for thin.c: take a line, smoothed along all axes but x; those of a row in order, as far
 * as they are needed. Then smooth values of the line that was taken along x. */
void ecl_smooth_take(const struct reduction *reduction, const struct span *span, struct line line,
    int64_t points, void *sums);
void ecl_smooth_values(
    const struct reduction *reduction, void *sums, int64_t x, int64_t count, double *values);

/* Sums have LANES accumulators, so that they are exact enough and fast: the value of point p of the
 * grid is added to number p % LANES. Then accumulator l + LANES / 2 is added to accumulator l, and
 * so on by halves. */
enum { LANES = 256 };
/* Add products: sums[(point + i) % LANES] += a[i] * b[i]; b == NULL: a[i]. */
void ecl_lanes_add(double *sums, int64_t point, const double *a, const double *b, int64_t count);
/* The sum of LANES accumulators, which changes them. */
double ecl_lanes_sum(double *sums);
/* A reducer's `finish`, where each number has LANES accumulators. */
void ecl_lanes_finish(const struct reduction *reduction, void *sums, double *numbers);
#endif
