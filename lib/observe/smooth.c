/* SPDX-License-Identifier: BSD-2-Clause */
/* smooth.c - eulercl_thin of smoothed points: a mask of binomial weights goes along the rows (the
 * last axis), then along the lines of a row, then along x. kernels/thin.cl smooths on a device.
 *
 * A sum begins with the middle point; then come the pairs of points at the same distance, the
 * farthest first, as scipy.ndimage.convolve1d does. So a mirrored state is smoothed to the mirrored
 * values. */
/* Distributions compile with -O2, where gcc makes vectors of few of these loops. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "config.h"
#include "lines.h"
#include "../int.h"

/* C(2 radius, k) is less than 2^53, and so it is exact as well as its product with 4^-radius. */
struct mask ecl_smooth_mask(int64_t radius) {
    struct mask mask = {{0}};
    uint64_t ways = 1; /* C(2 radius, k) */
    for (int64_t k = 0; k <= radius; k++) {
        mask.weights[radius - k] = (double)ways / (double)(UINT64_C(1) << 2 * radius);
        ways = ways * (uint64_t)(2 * radius - k) / (uint64_t)(k + 1);
    }
    return mask;
}

/* Memory behind that of the thinned columns. */
struct room {
    double *plane; /* of a row, smoothed along the rows; only of three axes */
    double *line;  /* of `points`, with `radius` more at both ends */
};

static int has_planes(const struct ode_grid *grid) {
    return !grid_is_line(grid) && !grid_is_plane(grid);
}

static int64_t plane_points(const struct reduction *r) {
    return has_planes(r->grid) ? grid_lines(r->grid) * (int64_t)r->grid->extents[0] : 0;
}

uint64_t ecl_smooth_bytes(const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    return (uint64_t)(plane_points(r) + a->points + 2 * a->radius) * sizeof(double);
}

static struct room find_room(const struct reduction *r, void *sums) {
    char *const end = (char *)sums + r->sums_bytes;
    double *const plane = (double *)(void *)(end - ecl_smooth_bytes(r));
    return (struct room){plane, plane + plane_points(r)};
}

/* The place `far` points behind place `at` of an axis. On a ring it may be one turn ahead of the
 * axis or behind it. Other axes are mirrored at their ends, again and again if they are short. */
static int64_t find_place(int64_t extent, int is_ring, int64_t at, int64_t far) {
    if (is_ring) return at + far % extent;
    const int64_t turn = ((at + far) % (2 * extent) + 2 * extent) % (2 * extent);
    return turn < extent ? turn : 2 * extent - 1 - turn;
}

/* The same as a place of the axis itself. */
static int64_t find_place_in(int64_t extent, int is_ring, int64_t at, int64_t far) {
    return (find_place(extent, is_ring, at, far) + extent) % extent;
}

static void begin_sums(double *sums, const double *middle, double weight, int64_t count) {
    for (int64_t i = 0; i < count; i++) sums[i] = middle[i] * weight;
}

static void add_pair(
    double *restrict sums, const double *a, const double *b, double weight, int64_t count) {
    for (int64_t i = 0; i < count; i++) sums[i] += (a[i] + b[i]) * weight;
}

/* Values `far` rows behind those of a line, or points on a grid of one axis. */
static void take(const struct reduction *r, const struct span *s, struct line line, int64_t far,
    int64_t x, int64_t count, double *values) {
    const struct thinning *const a = r->arguments;
    const int64_t first = s->at / r->unit;
    line.row = find_place(grid_length(r->grid), r->is_ring, first + line.row, far) - first;
    ecl_line_values(r, s, line, a->component, x, count, values);
}

static void smooth_rows(
    const struct reduction *r, const struct span *s, struct line line, double *to) {
    const struct thinning *const a = r->arguments;
    for (int64_t x = 0; x < a->points; x += SEGMENT) {
        double before[SEGMENT], behind[SEGMENT];
        const int64_t count = int_min(SEGMENT, a->points - x);
        take(r, s, line, 0, x, count, before);
        begin_sums(to + x, before, a->mask.weights[0], count);
        for (int64_t far = a->radius; far > 0; far--) {
            take(r, s, line, -far, x, count, before);
            take(r, s, line, far, x, count, behind);
            add_pair(to + x, before, behind, a->mask.weights[far], count);
        }
    }
}

static void smooth_lines(const struct reduction *r, const double *plane, int64_t line, double *to) {
    const struct thinning *const a = r->arguments;
    const int64_t lines = grid_lines(r->grid);
    const int is_ring = grid_is_periodic(r->grid, 1);
    begin_sums(to, plane + line * a->points, a->mask.weights[0], a->points);
    for (int64_t far = a->radius; far > 0; far--)
        add_pair(to, plane + find_place_in(lines, is_ring, line, -far) * a->points,
            plane + find_place_in(lines, is_ring, line, far) * a->points, a->mask.weights[far],
            a->points);
}

/* The points beyond both ends of a line. */
static void extend(const struct reduction *r, double *own) {
    const struct thinning *const a = r->arguments;
    const int is_ring = grid_is_periodic(r->grid, 0);
    for (int64_t far = 1; far <= a->radius; far++) {
        own[-far] = own[find_place_in(a->points, is_ring, 0, -far)];
        own[a->points - 1 + far] = own[find_place_in(a->points, is_ring, a->points - 1, far)];
    }
}

/* On a grid of one axis the points of a span are a line, which goes on before and behind it. */
static void take_line(
    const struct reduction *r, const struct span *s, int64_t points, double *own) {
    const struct thinning *const a = r->arguments;
    const struct line here = {0, 0};
    ecl_line_values(r, s, here, a->component, 0, points, own);
    const int64_t first = s->at / r->unit, last = first + points - 1, extent = grid_length(r->grid);
    for (int64_t far = 1; far <= a->radius; far++) {
        ecl_line_values(r, s, here, a->component,
            find_place(extent, r->is_ring, first, -far) - first, 1, &own[-far]);
        ecl_line_values(r, s, here, a->component, find_place(extent, r->is_ring, last, far) - first,
            1, &own[points - 1 + far]);
    }
}

void ecl_smooth_take(
    const struct reduction *r, const struct span *s, struct line line, int64_t points, void *sums) {
    const struct thinning *const a = r->arguments;
    const struct room room = find_room(r, sums);
    double *const own = room.line + a->radius;
    if (grid_is_line(r->grid)) {
        take_line(r, s, points, own);
        return;
    }
    for (int64_t i = 0; has_planes(r->grid) && line.line == 0 && i < grid_lines(r->grid); i++)
        smooth_rows(r, s, (struct line){line.row, i}, room.plane + i * a->points);
    if (has_planes(r->grid))
        smooth_lines(r, room.plane, line.line, own);
    else
        smooth_rows(r, s, line, own);
    extend(r, own);
}

void ecl_smooth_values(
    const struct reduction *r, void *sums, int64_t x, int64_t count, double *values) {
    const struct thinning *const a = r->arguments;
    const double *const middle = find_room(r, sums).line + a->radius + x;
    begin_sums(values, middle, a->mask.weights[0], count);
    for (int64_t far = a->radius; far > 0; far--)
        add_pair(values, middle - far, middle + far, a->mask.weights[far], count);
}
