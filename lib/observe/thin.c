/* SPDX-License-Identifier: BSD-2-Clause */
/* thin.c - eulercl_thin: a component of the state in a region, thinned to a value for each block of
 * points, which smooth.c may have smoothed.
 * kernels/thin.cl thins on a device.
 *
 * A block is folded in a fixed order: the points with the same x first, line after line and row
 * after row, then these columns. So the host's loops run along x, as the device's items do. */
/* Distributions compile with -O2, where gcc makes vectors of few of these loops. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "config.h"
#include "lines.h"
#include "../int.h"
#include "../mem.h"
#include "../problem/system.h"
#include "../run/solver.h"
#include <math.h>

enum {
    MOST_PARTS = 4096,
    LEAST_BLOCKS = 64, /* of a part, so that parts of narrow grids are not tiny */
};

static const char *const modes[] = {[EULERCL_THIN_MEAN] = "mean",
    [EULERCL_THIN_MAX] = "max",
    [EULERCL_THIN_MIN] = "min",
    [EULERCL_THIN_EVERY] = "every"};
enum { MODES = sizeof modes / sizeof *modes };

const char *eulercl_thin_mode_name(size_t index) { return index < MODES ? modes[index] : NULL; }

/* ---- a part on the host: all of its columns ---- */

/* What changes no value that is folded with it: a sum of values that are all -0 is -0. */
static double nothing(int mode) { return mode == EULERCL_THIN_MEAN ? -0.0 : (double)NAN; }

static void begin(const struct reduction *r, void *sums) {
    const struct thinning *const a = r->arguments;
    double *const columns = sums;
    for (int64_t i = 0; i < r->size / a->across * a->points; i++) columns[i] = nothing(a->mode);
}

/* The other one, unless it is NaN; an operator without branches, for vectors. */
#define BETTER(a, b, sign) ((((b)sign(a)) | ((a) != (a))) ? (b) : (a))

static void fold(int mode, double *columns, const double *values, int64_t count) {
    if (mode == EULERCL_THIN_MEAN)
        for (int64_t i = 0; i < count; i++) columns[i] += values[i];
    else if (mode == EULERCL_THIN_MAX)
        for (int64_t i = 0; i < count; i++) columns[i] = BETTER(columns[i], values[i], >);
    else
        for (int64_t i = 0; i < count; i++) columns[i] = BETTER(columns[i], values[i], <);
}

/* The columns of a block. */
static double fold_columns(int mode, const double *columns, int64_t count) {
    double value = nothing(mode);
    if (mode == EULERCL_THIN_MEAN)
        for (int64_t i = 0; i < count; i++) value += columns[i];
    else if (mode == EULERCL_THIN_MAX)
        for (int64_t i = 0; i < count; i++) value = BETTER(value, columns[i], >);
    else
        for (int64_t i = 0; i < count; i++) value = BETTER(value, columns[i], <);
    return value;
}

/* On a grid of one axis the points of a part are one line. */
static void add_line(
    const struct reduction *r, const struct span *s, struct line line, int64_t points, void *sums) {
    const struct thinning *const a = r->arguments;
    const int64_t units = (s->at - r->first) % r->share / r->unit, is_line = grid_is_line(r->grid),
                  row = is_line ? 0 : units + line.row, own = line.line - a->line;
    if (own < 0 || own >= a->lines) return;
    if (row % a->n >= a->taken || own % a->n >= a->taken) return;
    double *const columns =
        (double *)sums + (row / a->n * a->up + own / a->n) * a->points + (is_line ? units : 0);
    if (a->radius) ecl_smooth_take(r, s, line, points, sums);
    if (!is_line) points = a->points;
    for (int64_t x = 0; x < points; x += SEGMENT) {
        double values[SEGMENT];
        const int64_t count = int_min(SEGMENT, points - x);
        if (a->radius)
            ecl_smooth_values(r, sums, a->x + x, count, values);
        else
            ecl_line_values(r, s, line, a->component, a->x + x, count, values);
        fold(a->mode, columns + x, values, count);
    }
}

static void add(const struct reduction *r, void *sums, const struct span *s) {
    ecl_each_line(r, s, add_line, sums);
}

static void finish(const struct reduction *r, void *sums, double *numbers) {
    const struct thinning *const a = r->arguments;
    for (int64_t stripe = 0; stripe < r->size / a->across; stripe++)
        for (int64_t i = 0; i < a->across; i++) {
            const int64_t x = i * a->n;
            *numbers++ = fold_columns(a->mode, (const double *)sums + stripe * a->points + x,
                int_min(a->taken, a->points - x));
        }
}

const struct reducer ecl_thin = {begin, add, finish};

/* ---- the whole ---- */

static eulercl_region whole_grid(const struct ode_grid *grid) {
    eulercl_region region = {{0, 0, 0}, {1, 1, 1}};
    for (uint32_t axis = 0; grid_has_axis(grid, axis); axis++)
        region.counts[axis] = (int64_t)grid->extents[axis];
    return region;
}

/* The least number that makes the same blocks: a greater one than all counts makes one. */
static int64_t edge_of(const eulercl_region *region, int64_t n) {
    int64_t longest = 1;
    for (int axis = 0; axis < ODE_MOST_AXES; axis++)
        longest = int_max(longest, region->counts[axis]);
    return int_min(n, longest);
}

static int64_t count_blocks(const eulercl_region *region, int64_t n) {
    int64_t blocks = 1;
    for (int axis = 0; axis < ODE_MOST_AXES; axis++) blocks *= int_ceil(region->counts[axis], n);
    return blocks;
}

/* Cut the region into parts of whole layers, which are rows of blocks along the last axis; on a
 * grid of one axis a layer is a block. */
static void cut(struct reduction *r, struct thinning *a) {
    const int is_line = grid_is_line(r->grid), is_box = !is_line && !grid_is_plane(r->grid);
    const uint32_t last = grid_last_axis(r->grid);
    const int64_t length = a->region.counts[last], layers = int_ceil(length, a->n),
                  per_part = int_min(layers, int_max(int_ceil(layers, MOST_PARTS),
                                                 int_ceil(LEAST_BLOCKS, a->blocks / layers)));
    r->share = per_part * int_min(a->n, length) * r->unit;
    r->parts = int_ceil(layers, per_part);
    r->first = a->region.first[last] * r->unit;
    r->end = r->first + length * r->unit;
    a->x = is_line ? 0 : a->region.first[0];
    a->points = is_line ? r->share / r->unit : a->region.counts[0];
    a->line = is_box ? a->region.first[1] : 0;
    a->lines = is_box ? a->region.counts[1] : 1;
    a->up = int_ceil(a->lines, a->n);
    a->across = int_ceil(a->points, a->n);
    const int64_t stripes = is_line ? 1 : per_part * a->up;
    r->size = stripes * a->across;
    r->sums_bytes = (uint64_t)(stripes * a->points) * sizeof(double);
}

/* From folded blocks of the same number of points to values. */
static void take_blocks(
    const struct thinning *a, double points, const double *numbers, int64_t count, double *values) {
    const double divisor = a->mode == EULERCL_THIN_MEAN ? points : 1;
    for (int64_t i = 0; i < count; i++) {
        const double value = numbers[i] / divisor;
        values[i] = isnan(value) ? (double)NAN : value;
    }
}

/* From the folded blocks, of which the last part may have fewer, to values, row after row. */
static void take_values(const struct thinning *a, const double *numbers, double *values) {
    const int64_t *const counts = a->region.counts, whole = counts[0] / a->n,
                         rest = counts[0] % a->n, across = whole + (rest > 0);
    int64_t begin[ODE_MOST_AXES] = {0}; /* of the row */
    for (int64_t i = 0; i < a->blocks; i += across) {
        double lines = 1;
        for (int axis = 1; axis < ODE_MOST_AXES; axis++)
            lines *= (double)int_min(a->n, counts[axis] - begin[axis]);
        take_blocks(a, lines * (double)a->n, numbers + i, whole, values + i);
        take_blocks(
            a, lines * (double)rest, numbers + i + whole, across - whole, values + i + whole);
        for (int axis = 1; axis < ODE_MOST_AXES; axis++) {
            begin[axis] += a->n;
            if (begin[axis] < counts[axis]) break;
            begin[axis] = 0;
        }
    }
}

static int thin(struct run *run, const struct state_table *state, struct thinning *a,
    double *values, eulercl_error *error) {
    const struct system *const s = &run->system;
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t around = int_min(a->radius, grid_length(grid)) * ecl_system_row(s);
    struct reduction r = {.reducer = &ecl_thin,
        .arguments = a,
        .grid = grid,
        .real_size = s->real_size,
        .n = s->n,
        .unit = ecl_system_row(s),
        .batch = 1,
        .before = around,
        .behind = around,
        .is_ring = grid_is_periodic(grid, grid_last_axis(grid))};
    cut(&r, a);
    if (a->radius) r.sums_bytes += ecl_smooth_bytes(&r);
    double *const numbers = ecl_mem_zeroed((uint64_t)r.parts * (uint64_t)r.size, sizeof *numbers);
    if (!numbers) return ecl_no_memory(error, "the thinned state");
    const int status = ecl_reduce(run, state, &r, numbers, error);
    if (!status) take_values(a, numbers, values);
    ecl_mem_free(numbers);
    return status;
}

static int check_region(
    const struct ode_grid *grid, const eulercl_region *region, eulercl_error *error) {
    const eulercl_region whole = whole_grid(grid);
    for (int axis = 0; axis < ODE_MOST_AXES; axis++) {
        const long long first = region->first[axis], count = region->counts[axis],
                        extent = whole.counts[axis];
        if (first < 0 || first >= extent || count < 1 || count > extent - first)
            return ecl_fail(error, EULERCL_INVALID,
                "a region with %lld points along %c from number %lld on: the grid has %lld there",
                count, "xyz"[axis], first, extent);
    }
    return EULERCL_OK;
}

static int check(
    const struct ode_grid *grid, const struct thinning *a, int64_t count, eulercl_error *error) {
    if (a->component < 0 || a->component >= grid->components)
        return ecl_fail(error, EULERCL_INVALID,
            "component %lld is out of range: a point has components 0 to %u",
            (long long)a->component, grid->components - 1);
    if (a->n < 1)
        return ecl_fail(error, EULERCL_INVALID,
            "%lld points along the edge of a block: the number must be at least 1",
            (long long)a->n);
    if (a->mode < 0 || a->mode >= MODES)
        return ecl_fail(error, EULERCL_INVALID, "unknown mode of thinning number %d", a->mode);
    if (a->radius < 0 || a->radius > EULERCL_MOST_SMOOTHING)
        return ecl_fail(error, EULERCL_INVALID,
            "a mask that reaches %lld points to each side: the number must be from 0 to %d",
            (long long)a->radius, EULERCL_MOST_SMOOTHING);
    const int64_t blocks = count_blocks(&a->region, a->n);
    return count == blocks ? EULERCL_OK
                           : ecl_fail(error, EULERCL_INVALID,
                                 "there is room for %lld values, but there are %lld",
                                 (long long)count, (long long)blocks);
}

int eulercl_thin(eulercl_solver *solver, const eulercl_region *region, int64_t component, int64_t n,
    int32_t mode, int64_t smoothing, double *values, int64_t count, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(values);
    struct run *const run = &solver->run;
    const struct ode_grid *const grid = &run->system.context.grid;
    struct thinning a = {.region = region ? *region : whole_grid(grid),
        .component = component,
        .n = n,
        .blocks = count,
        .mode = mode,
        .radius = smoothing};
    int status = ecl_check_process(run, error);
    if (!status) status = check_region(grid, &a.region, error);
    if (!status) status = check(grid, &a, count, error);
    if (status) return status;
    /* The first points of blocks are the greatest of one point. */
    const int is_every = mode == EULERCL_THIN_EVERY;
    a.n = edge_of(&a.region, n);
    a.taken = is_every ? 1 : a.n;
    if (is_every) a.mode = EULERCL_THIN_MAX;
    a.mask = ecl_smooth_mask(smoothing);
    return thin(run, solver->settled.table->state, &a, values, error);
}
