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
    double *line;  /* a whole one, with `radius` more at both ends */
};

/* Points along an axis that have to be computed. */
struct needed {
    int64_t begin, end;
};

static int has_planes(const struct ode_grid *grid) {
    return !grid_is_line(grid) && !grid_is_plane(grid);
}

/* Of a whole line, or of one of a part on a grid of one axis. */
static int64_t line_points(const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    return grid_is_line(r->grid) ? a->points : (int64_t)r->grid->extents[0];
}

static int64_t plane_points(const struct reduction *r) {
    return has_planes(r->grid) ? grid_lines(r->grid) * line_points(r) : 0;
}

/* Those that a mask reaches from the `count` points of the region, or all if it reaches an end. */
static struct needed find_needed(
    const struct reduction *r, int64_t first, int64_t count, int64_t extent) {
    const struct thinning *const a = r->arguments;
    const struct needed near = {first - a->radius, first + count + a->radius};
    return near.begin < 0 || near.end > extent ? (struct needed){0, extent} : near;
}

uint64_t ecl_smooth_bytes(const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    return (uint64_t)(plane_points(r) + line_points(r) + 2 * a->radius) * sizeof(double);
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
    const struct needed along = find_needed(r, a->x, a->points, line_points(r));
    for (int64_t x = along.begin; x < along.end; x += SEGMENT) {
        double before[SEGMENT], behind[SEGMENT];
        const int64_t count = int_min(SEGMENT, along.end - x);
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
    const int64_t lines = grid_lines(r->grid), points = line_points(r);
    const int is_ring = grid_is_periodic(r->grid, 1);
    begin_sums(to, plane + line * points, a->mask.weights[0], points);
    for (int64_t far = a->radius; far > 0; far--)
        add_pair(to, plane + find_place_in(lines, is_ring, line, -far) * points,
            plane + find_place_in(lines, is_ring, line, far) * points, a->mask.weights[far],
            points);
}

/* The points beyond both ends of a line. */
static void extend(const struct reduction *r, double *own) {
    const struct thinning *const a = r->arguments;
    const int64_t points = line_points(r);
    const int is_ring = grid_is_periodic(r->grid, 0);
    for (int64_t far = 1; far <= a->radius; far++) {
        own[-far] = own[find_place_in(points, is_ring, 0, -far)];
        own[points - 1 + far] = own[find_place_in(points, is_ring, points - 1, far)];
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
    const struct needed lines = find_needed(r, a->line, a->lines, grid_lines(r->grid));
    for (int64_t i = lines.begin; has_planes(r->grid) && line.line == a->line && i < lines.end; i++)
        smooth_rows(r, s, (struct line){line.row, i}, room.plane + i * line_points(r));
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
