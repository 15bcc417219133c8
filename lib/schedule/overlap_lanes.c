/* SPDX-License-Identifier: BSD-2-Clause */
/* overlap_lanes.c - see schedule/overlap_lanes.h. */
#include "config.h"
#include "overlap_lanes.h"
#include "../problem/grid.h"
#include "../problem/system.h"
#include "../int.h"
#include "../machine/machine.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_COMPONENTS = ODE_MOST_LANES,
    MOST_RADIUS = ODE_MOST_LANES,
    MOST_PLANE_LEVELS = 256,
    MOST_LINE_STEPS = 1 << 30
};

/* Are this many points along x enough for SIMD lanes of `each` points? */
static int has_room_for_lanes(const struct system *s, int64_t points, int64_t each) {
    const struct ode_grid *const grid = &s->context.grid;
    return grid->components <= MOST_COMPONENTS && grid->radius <= MOST_RADIUS &&
           points >= s->kernels->lanes * each;
}

/* How far a step reads. */
static int64_t reach_of_step(const struct system *s) {
    return s->method->stages * (int64_t)s->context.grid.radius;
}

/* Lines have code that goes along them; the threads share their points. */
static int line_is_applicable(const struct system *s, int64_t threads) {
    const int64_t part = s->context.grid.extents[0] / threads;
    return (ecl_is_swept(s) ? !!s->kernels->sweep : !!s->kernels->stage_line) &&
           has_room_for_lanes(s, part, 2 * (int64_t)s->definition->grid.radius + 2) &&
           (threads == 1 || part >= reach_of_step(s));
}

/* Planes and volumes have code for rows; the threads share the rows, or planes. All levels of a
 * step are in flight at once. A lane reads a radius of its neighbour's points besides the one that
 * they may share, so that short rows, as of sweeps, have lanes, too. */
static int plane_is_applicable(const struct system *s, int64_t threads) {
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t part = grid_length(grid) / threads;
    return !grid_is_line(grid) && (grid_is_plane(grid) || grid_rows(grid) >= reach_of_step(s)) &&
           (ecl_is_swept(s) ? !!s->kernels->step_rows : !!s->kernels->stage_rows) &&
           has_room_for_lanes(s, grid->extents[0], (int64_t)grid->radius + 1) &&
           part >= 2 * (int64_t)grid->radius + 2 && part >= reach_of_step(s) &&
           s->method->stages <= MOST_PLANE_LEVELS;
}

/* Parts of n differ by one, and so may their numbers of tiles: no tile of any part is narrower than
 * this. */
static int64_t narrowest(int64_t n, int64_t threads, int64_t tile) {
    const int64_t part = n / threads, longest = part + (n % threads != 0);
    return part / int_ceil(longest, tile);
}

/* ---- tiles by rule: measured (doc/results/2026-11-cpu.md) ---- */

static void tile_line(
    const struct system *s, const eulercl_options *o, int64_t cache, struct cpu_tiling *t) {
    const int64_t point = (int64_t)(s->definition->grid.components * s->real_size),
                  part = s->context.grid.extents[0] / t->threads,
                  radius = int_max(1, (int64_t)s->definition->grid.radius),
                  stages = s->method->stages, arrays = s->method->arrays;
    const int64_t levels = ecl_is_swept(s) ? s->kernels->levels : 1;
    t->kernel = CPU_LINE;
    t->tile = TUNED_OR(o, tile_points, int_max(cache / (2 + 2 * arrays) / point, 1));
    t->resident = TUNED(o, tile_points) ? t->tile >= part : part * point * arrays <= cache / 2;
    if (t->resident) t->tile = part;
    t->tile = int_min(
        int_max(t->tile, int_max(s->kernels->lanes * (2 * radius + 2), 2 * reach_of_step(s))),
        part + (!t->resident && s->context.grid.extents[0] % t->threads));
    t->steps = TUNED_OR(o, steps_per_launch,
        int_max(
            (t->resident && t->threads > 1 ? machine_core.shared_steps : machine_core.alone_steps) /
                stages,
            1));
    /* A tile is at least as wide as what its neighbours need of it. */
    if (!t->resident || t->threads > 1)
        t->steps = int_max(
            int_min(t->steps,
                (t->resident ? part : narrowest(s->context.grid.extents[0], t->threads, t->tile)) /
                    radius / stages),
            1);
    t->steps = int_min(t->steps, MOST_LINE_STEPS);
    if (t->steps > levels) t->steps -= t->steps % levels;
}

/* Bytes of a row of this many columns in lanes. */
static double lanes_row(const struct system *s, int64_t columns) {
    return (double)columns * (double)s->definition->grid.components * (double)s->real_size;
}

/* Rows that coefficients take for each row of the state. */
static double held_rows(const struct system *s) {
    const struct ode_problem *const d = s->definition;
    return (double)(d->field_count + (d->find_marks != NULL)) / (double)d->grid.components;
}

/* Rows in turn, at most once round the grid: what a level of Euler steps reads and writes of them
 * stays in the first cache; with carried values it does not, and more rows save loads. Levels: the
 * rows that they keep stay in the second cache. */
static void tile_rows(const struct system *s, const eulercl_options *o, int64_t cache,
    int64_t columns, int64_t levels, struct cpu_tiling *t) {
    const int64_t radius = (int64_t)s->definition->grid.radius, stages = s->method->stages;
    const double row = lanes_row(s, columns);
    t->rows = ecl_is_swept(s)
                  ? int_clamp(2, (int64_t)(MACHINE_FIRST_CACHE / row) - radius - ecl_rows_apart(s),
                        CPU_MOST_ROWS) /
                        2 * 2
                  : CPU_MOST_ROWS;
    t->rows = int_min(t->rows, grid_rows(&s->context.grid));
    const double slots = /* rows of a level */
        (double)ecl_rows_apart(s) + ((double)s->method->arrays + held_rows(s)) * (double)radius;
    t->steps = TUNED_OR(o, steps_per_launch,
        int_min(levels, (int64_t)(machine_core.cache_part * (double)cache / (row * slots))) /
            stages);
    t->steps = int_clamp(1, t->steps,
        int_min(
            MOST_PLANE_LEVELS, grid_length(&s->context.grid) / t->threads / int_max(1, radius)) /
            stages);
}

static void tile_plane(
    const struct system *s, const eulercl_options *o, int64_t cache, struct cpu_tiling *t) {
    const int64_t point = (int64_t)(s->definition->grid.components * s->real_size),
                  radius = int_max(1, (int64_t)s->definition->grid.radius),
                  stages = s->method->stages;
    const int64_t rows = grid_length(&s->context.grid) / t->threads,
                  nx = s->context.grid.extents[0];
    t->kernel = CPU_PLANE;
    t->resident = TUNED_OR(o, tile_points, nx) >= nx;
    t->tile = nx;
    /* More levels save visits to memory, and compute more rows twice if the grid is periodic or
     * cut. In the second cache only the ends of a round are saved. */
    const int64_t levels =
        t->threads == 1 && s->state_bytes <= (uint64_t)cache / 2
            ? int_clamp(ecl_is_swept(s) ? machine_core.least_levels : machine_core.cached_levels,
                  rows / machine_core.cached_rows, machine_core.most_levels)
            : int_clamp(machine_core.least_levels,
                  rows / (t->threads == 1 ? machine_core.alone_rows : machine_core.shared_rows),
                  machine_core.most_levels);
    tile_rows(s, o, cache, nx, levels, t);
    /* Longer rows are too many for the caches: strips are faster, conversions included. */
    const int asked = TUNED(o, tile_points) || TUNED(o, steps_per_launch);
    if (t->resident &&
        (asked || t->steps * stages >= int_min(machine_core.staying_levels, levels)) &&
        (TUNED(o, tile_points) || lanes_row(s, nx) <= (double)machine_core.row_bytes))
        return;
    t->resident = 0;
    t->tile = int_min(nx, int_max(TUNED_OR(o, tile_points, machine_core.strip_bytes / point),
                              int_max(s->kernels->lanes * (2 * radius + 2), 2 * reach_of_step(s))));
    tile_rows(s, o, cache, t->tile, machine_core.strip_levels, t);
    const int64_t strips = int_ceil(nx, t->tile);
    if (strips > 1 || ecl_is_swept(s)) /* a strip alone has no neighbours */
        t->steps = int_clamp(1, t->steps, nx / strips / radius / stages);
}

/* The arrays of a tile: two levels and the carried values. */
static int64_t plain_arrays(const struct system *s) { return s->method->arrays + 1; }

/* Tiles of whole points. -> whether a tile is as wide as the halo of a step: its neighbours read no
 * more than that. */
static int tile_plain(
    const struct system *s, const eulercl_options *o, int64_t cache, struct cpu_tiling *t) {
    const int64_t point = ecl_system_point(s), points = s->n / point,
                  longest = int_ceil(points, t->threads), k = int_max(s->access_distance, 1),
                  real = (int64_t)s->real_size, stages = s->method->stages;
    t->kernel = CPU_TILES;
    t->resident = 0;
    t->tile = TUNED_OR(o, tile_points, cache / 2 / plain_arrays(s) / real);
    t->tile = point * int_clamp(1, t->tile / point, longest);
    const int64_t width = point * narrowest(points, t->threads, t->tile / point);
    t->steps = TUNED_OR(o, steps_per_launch,
        int_max(
            1, (int64_t)sqrt(machine_core.wider_part * (double)width / (double)k * 8) / stages));
    t->steps = int_min(t->steps, width / k / stages);
    return t->steps >= 1;
}

/* ---- times ---- */

/* What the predictions of a tiling share. */
struct prediction {
    const struct system *system;
    const struct cpu_facts *facts;
    const struct cpu_tiling *tiling;
    int64_t made; /* steps in all; 0: many */
    double wide, threads, components, radius, stages;
    double steps;      /* of a round */
    double text_ns;    /* for what the text of a component calls and reads */
    double carried_ns; /* for the carried values of a component */
    double vectors;    /* how many times as many vectors as with the widest ones */
    double meeting;    /* seconds of a round */
};

/* Bytes that a core fills of its cache, as part of it. */
static double rate_with(const struct prediction *p, double bytes) {
    return ecl_step_rate(&p->facts->costs, p->threads, bytes / (double)p->facts->cache_bytes);
}

/* Seconds in which a round brings the state into lanes, and back. */
static double conversion(const struct prediction *p) {
    return 1e-9 * machine_core.strip_ns * p->wide * (double)p->system->n / p->threads /
           rate_with(p, 0);
}

/* Seconds in which a round brings the coefficients into lanes, from memory if they lie there. */
static double coefficients(const struct prediction *p) {
    return ecl_step_field_seconds(p->system, &p->facts->costs, p->threads) +
           conversion(p) / 2 * held_rows(p->system);
}

/* Seconds in which a round reads and writes the state. */
static double transfer(const struct prediction *p) {
    const double bytes = 2 * (double)p->system->state_bytes;
    return bytes <= (double)p->facts->cache_bytes * p->threads
               ? 0
               : 1e-9 * bytes / ecl_step_bandwidth(&p->facts->costs, p->threads);
}

/* What stays in lanes comes there once. */
static double steps_of_visit(const struct prediction *p) {
    return !p->tiling->resident ? p->steps : p->made ? (double)p->made : (double)INFINITY;
}

static double predict_line(const struct prediction *p) {
    const struct cpu_tiling *const t = p->tiling;
    const double n = (double)p->system->n, levels = p->steps * p->stages,
                 tiles = t->resident ? p->threads : ceil(n / p->components / (double)t->tile),
                 bytes = (double)t->tile * p->components * (double)p->system->real_size;
    const double halo = t->resident && t->threads == 1
                            ? 0
                            : tiles * 2 * levels * p->radius * p->components,
                 exchanged = t->resident && t->threads > 1 ? 4 * p->radius * p->components : 0;
    /* A tile is read before it is computed, and written after that. */
    return 1e-9 * p->stages *
               ((machine_core.line_ns + p->carried_ns + p->text_ns) * p->wide * p->vectors *
                       (n + halo) / p->threads +
                   machine_core.exchange_ns * exchanged) /
               rate_with(p, bytes * (double)p->system->method->arrays) +
           fmax(conversion(p), transfer(p)) / steps_of_visit(p) +
           (p->meeting + coefficients(p)) / p->steps;
}

/* A volume's rows are cut into slices, and their rows into strips. */
static int64_t strips_of(const struct system *s, const struct cpu_tiling *t) {
    return int_ceil(s->context.grid.extents[0], t->tile);
}
static int64_t slices_of(const struct system *s, const struct cpu_tiling *t) {
    return int_ceil(grid_rows(&s->context.grid), t->height);
}

/* Points that all levels of a round compute along an axis for each of its points, if it is cut into
 * `parts`: a level has a halo for the levels after it. */
static double widened(const struct system *s, uint32_t axis, int64_t parts, double halo) {
    const int64_t cuts = 2 * parts - (grid_is_periodic(&s->context.grid, axis) ? 0 : 2);
    return 1 + halo * (double)cuts / (double)s->context.grid.extents[axis];
}

/* Bytes of the rows that all levels of a round keep. */
static double volume_bytes(const struct system *s, const struct cpu_tiling *t) {
    const int64_t radius = (int64_t)s->definition->grid.radius,
                  levels = t->steps * s->method->stages, halo = 2 * levels * radius,
                  columns = strips_of(s, t) > 1 ? t->tile + halo : s->context.grid.extents[0],
                  rows = int_ceil(int_min(t->height + halo, grid_rows(&s->context.grid)), t->rows) *
                         t->rows,
                  behind = radius * rows + t->rows;
    return (double)levels *
           ((1 + s->method->arrays + held_rows(s)) * (double)behind + (double)ecl_rows_apart(s)) *
           lanes_row(s, columns + s->kernels->lanes * 2 * radius);
}

static double predict_volume(const struct prediction *p) {
    const struct cpu_tiling *const t = p->tiling;
    const struct system *const s = p->system;
    const int64_t strips = strips_of(s, t), slices = slices_of(s, t);
    const double levels = p->steps * p->stages, halo = (levels - 1) / 2 * p->radius,
                 across = strips > 1 ? 1 + 2 * levels * p->radius / (double)t->tile : 1,
                 down = widened(s, 1, slices, halo) * widened(s, 2, t->threads, halo),
                 rows = (double)s->n / p->components / (double)s->context.grid.extents[0] *
                        (double)strips * down;
    /* Rows come to lanes once, or once a round; their halos are loaded as well. */
    const double loaded = (1 + across * widened(s, 1, slices, levels * p->radius) *
                                   widened(s, 2, t->threads, levels * p->radius)) /
                          2,
                 copied = 1e-9 * machine_core.copy_ns * p->wide * (double)s->n / p->threads /
                          rate_with(p, 0),
                 moved = loaded * (ecl_stays_in_lanes(s, t)
                                          ? copied / p->steps +
                                                (p->made ? conversion(p) / (double)p->made : 0)
                                          : conversion(p) / p->steps);
    const double computed = 1e-9 * p->stages *
                            ((machine_core.volume_ns + p->carried_ns + p->text_ns) * p->wide *
                                    p->vectors * (double)s->n * across * down +
                                machine_core.volume_row_ns * rows) /
                            p->threads / rate_with(p, volume_bytes(s, t));
    return fmax(computed + moved, transfer(p) * loaded / p->steps) +
           (p->meeting + coefficients(p)) / p->steps;
}

static double predict_plane(const struct prediction *p) {
    const struct cpu_tiling *const t = p->tiling;
    const struct system *const s = p->system;
    const double rows = (double)grid_length(&s->context.grid),
                 halo = p->steps * p->stages * p->radius,
                 across = t->resident ? 1 : 1 + 2 * halo / (double)t->tile,
                 down = t->threads > 1 ? 1 + halo * p->threads / rows : 1;
    const double bytes =
        p->steps * p->stages * lanes_row(s, t->tile) *
        ((double)ecl_rows_apart(s) + ((double)s->method->arrays + held_rows(s)) * p->radius);
    const double computed = 1e-9 * p->stages *
                            ((machine_core.plane_ns + p->carried_ns + p->text_ns) * p->wide *
                                    p->vectors * (double)s->n * across * down +
                                machine_core.row_ns * rows) /
                            p->threads / rate_with(p, bytes);
    /* Rows are read and written while others are computed. */
    return fmax(computed + conversion(p) / steps_of_visit(p), transfer(p) / p->steps) +
           (p->meeting + coefficients(p)) / p->steps;
}

/* A round reads and writes the state once. Tiles that do not fit into the cache pass through memory
 * at every level. */
static double predict_tiles(const struct prediction *p) {
    const struct system *const s = p->system;
    const struct step_costs *const costs = &p->facts->costs;
    const double tile = (double)p->tiling->tile, arrays = (double)s->method->arrays,
                 wider = p->steps * p->stages * (double)s->access_distance / tile,
                 passes = ecl_step_memory_seconds(s, costs, p->threads),
                 fields = (double)s->field_bytes / (double)s->state_bytes;
    const double workspace =
        ((double)plain_arrays(s) + fields) * tile * (1 + 2 * wider) * (double)s->real_size;
    return fmax(ecl_step_compute_seconds(s, costs, p->threads) / rate_with(p, workspace),
               workspace > (double)p->facts->cache_bytes ? passes : 0) *
               (1 + wider) +
           (passes / (arrays * p->stages) + p->meeting) / p->steps;
}

double ecl_cpu_seconds(const struct system *s, const struct cpu_facts *facts,
    const struct cpu_tiling *t, int64_t made) {
    const struct step_costs *const costs = &facts->costs;
    const double threads = (double)t->threads, steps = (double)t->steps;
    const int has_lanes = s->kernels && s->kernels->lanes;
    const struct prediction p = {.system = s,
        .facts = facts,
        .tiling = t,
        .made = made,
        .wide = (double)s->real_size / sizeof(float),
        .threads = threads,
        .components = (double)s->definition->grid.components,
        .radius = (double)s->definition->grid.radius,
        .stages = (double)s->method->stages,
        .steps = made ? fmin(steps, (double)made) : steps,
        .text_ns = costs->functions_ns + costs->coefficients_ns,
        .carried_ns = machine_core.carried_ns * (double)(s->method->arrays - 1),
        .vectors = has_lanes ? 64 / ((double)s->kernels->lanes * (double)s->real_size) : 1,
        .meeting = t->threads > 1 ? 1e-9 * machine_core.meeting_ns : 0};
    switch (t->kernel) {
    case CPU_LINE:
        return predict_line(&p);
    case CPU_PLANE:
        return t->height ? predict_volume(&p) : predict_plane(&p);
    case CPU_TILES:
        return predict_tiles(&p);
    case CPU_STEPS:
        break;
    }
    return ecl_step_seconds(s, costs, threads) + p.meeting;
}

/* ---- tiles of volumes: those with the least predicted time ---- */

/* The most rows of a slice whose rows stay in the second cache, or as few as there may be. */
static int64_t most_height(const struct system *s, const struct cpu_tiling *t, int64_t cache) {
    const int64_t ny = grid_rows(&s->context.grid), least = int_min(2 * reach_of_step(s), ny);
    struct cpu_tiling tried = *t;
    for (int64_t slices = 1; slices < ny; slices++) {
        tried.height = int_ceil(ny, slices);
        if (tried.height < least) break;
        if (volume_bytes(s, &tried) <= machine_core.cache_part * (double)cache) return tried.height;
    }
    return least;
}

/* The tile with so many strips and steps, or as many points as were asked for; -> whether there is
 * one. A part of a cut axis is at least as long as a round's halo, because a tile reads no further
 * than its neighbours. */
static int volume_tile(const struct system *s, const eulercl_options *o,
    const struct cpu_facts *facts, int64_t strips, int64_t steps, struct cpu_tiling *t) {
    const int64_t nx = s->context.grid.extents[0], ny = grid_rows(&s->context.grid),
                  radius = (int64_t)s->definition->grid.radius, reach = reach_of_step(s),
                  points = TUNED(o, tile_points),
                  least = int_max(s->kernels->lanes * (2 * radius + 2), 2 * reach);
    t->kernel = CPU_PLANE;
    t->steps = steps;
    t->rows = int_min(CPU_MOST_ROWS, ny);
    t->tile = int_min(nx, int_max(points ? points : int_ceil(nx, strips), least));
    t->height = points ? int_clamp(1, int_max(points / t->tile, 2 * reach), ny)
                       : most_height(s, t, facts->cache_bytes);
    const int64_t columns = strips_of(s, t), slices = slices_of(s, t);
    return (points ? strips == 1 : columns == strips) &&
           (columns == 1 || nx / columns >= steps * reach) &&
           (slices == 1 || ny / slices >= steps * reach);
}

/* Of all numbers of strips and of steps those with the least time; of steps as many as were asked
 * for, or as tiles have room for. */
static void tile_volume(const struct system *s, const eulercl_options *o,
    const struct cpu_facts *facts, struct cpu_tiling *best) {
    enum { MOST_STRIPS = 16, MOST_STEPS = 16 };
    const int64_t ny = grid_rows(&s->context.grid), asked = TUNED(o, steps_per_launch),
                  part = grid_length(&s->context.grid) / best->threads, threads = best->threads,
                  most = int_min(asked ? asked : MOST_STEPS,
                      int_min(int_min(ny, part) / int_max(reach_of_step(s), 1),
                          MOST_PLANE_LEVELS / s->method->stages));
    int found = 0;
    for (int64_t steps = int_max(most, 1); steps >= 1 && !(asked && found); steps--)
        for (int64_t strips = 1; strips <= MOST_STRIPS; strips++) {
            struct cpu_tiling t = {.threads = threads};
            if (!volume_tile(s, o, facts, strips, steps, &t)) continue;
            t.step_seconds = ecl_cpu_seconds(s, facts, &t, 0);
            if (!found || t.step_seconds < best->step_seconds) *best = t;
            found = 1;
        }
}

/* ---- the choice ---- */

enum { CONSIDER_LANES = 1, CONSIDER_TILES = 2, CONSIDER_STEPS = 4 };

/* Choose the best of some orders of computation, for this number of threads; -> whether one is
 * possible. */
static int choose_among(const struct system *s, const eulercl_options *o,
    const struct cpu_facts *facts, int consider, int64_t threads, struct cpu_tiling *best) {
    const int64_t cache = facts->cache_bytes;
    struct cpu_tiling candidates[4], t;
    int count = 0;
    const int lanes = consider & CONSIDER_LANES && facts->has_lanes;
    if (lanes && line_is_applicable(s, threads)) {
        t = (struct cpu_tiling){.threads = threads};
        tile_line(s, o, cache, &t);
        candidates[count++] = t;
    }
    if (lanes && plane_is_applicable(s, threads)) {
        t = (struct cpu_tiling){.threads = threads};
        if (grid_is_plane(&s->context.grid))
            tile_plane(s, o, cache, &t);
        else
            tile_volume(s, o, facts, &t);
        candidates[count++] = t;
    }
    t = (struct cpu_tiling){.threads = threads};
    if (consider & CONSIDER_TILES && !s->reads_all && !grid_has_ring(&s->context.grid) &&
        s->access_distance < s->n / threads && tile_plain(s, o, cache, &t))
        candidates[count++] = t;
    if (consider & CONSIDER_STEPS)
        candidates[count++] =
            (struct cpu_tiling){.kernel = CPU_STEPS, .threads = threads, .steps = 1};
    for (int i = 0; i < count; i++) {
        candidates[i].step_seconds = ecl_cpu_seconds(s, facts, &candidates[i], 0);
        if (!i || candidates[i].step_seconds < best->step_seconds) *best = candidates[i];
    }
    return count > 0;
}

/* Try these in order until one is possible: the order that was asked for, then the plainer ones. */
static const struct order {
    const char *variant;
    int consider[3];
} orders[] = {
    {"auto", {CONSIDER_LANES | CONSIDER_TILES | CONSIDER_STEPS, 0, 0}},
    {"lanes", {CONSIDER_LANES, CONSIDER_TILES, CONSIDER_STEPS}},
    {"tiles", {CONSIDER_TILES, CONSIDER_STEPS, 0}},
    {"barrier", {CONSIDER_STEPS, 0, 0}},
    {"steps", {CONSIDER_STEPS, 0, 0}},
};

static const struct order *order_of(const char *variant) {
    const struct order *order = orders;
    for (size_t i = 0; variant && i < sizeof orders / sizeof *orders; i++)
        if (!strcmp(orders[i].variant, variant)) order = &orders[i];
    return order;
}

static int has_tile(const eulercl_options *o) {
    return TUNED(o, tile_points) || TUNED(o, steps_per_launch);
}

int ecl_cpu_choose(const struct system *s, const eulercl_options *o, const struct cpu_facts *facts,
    const char *variant, int64_t threads, struct cpu_tiling *tiling) {
    const struct order *const order = order_of(variant);
    const int barrier = variant && !strcmp(variant, "barrier");
    int found = 0, as_asked = 0;
    for (int i = 0; !found && i < 3; i++) {
        int consider = order->consider[i];
        if (has_tile(o)) consider &= ~CONSIDER_STEPS; /* a given tile rules out `steps` */
        for (int64_t use = threads; consider && use >= 1; use = use == 1 ? 0 : (use + 1) / 2) {
            struct cpu_tiling t;
            if (choose_among(s, o, facts, consider, use, &t) &&
                (!found || t.step_seconds < tiling->step_seconds)) {
                *tiling = t;
                found = 1;
            }
            if (found && barrier && TUNED(o, threads))
                break; /* the thesis's scheme: as many threads as were asked for */
        }
        as_asked |= found && i == 0;
    }
    if (!found) choose_among(s, o, facts, CONSIDER_STEPS, 1, tiling);
    return as_asked;
}

int ecl_cpu_refuse(const struct system *s, const eulercl_options *o, const struct cpu_facts *facts,
    const char *variant, eulercl_error *error) {
    const struct ode_grid *const grid = &s->context.grid;
    const int consider = order_of(variant)->consider[0];
    char lanes[200] = "", tiles[200] = "";
    if (s->reads_all && consider != CONSIDER_STEPS)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "%s: %s",
            variant && strcmp(variant, "auto") ? variant : "tile_points and steps_per_launch",
            ecl_why_inseparable(s));
    if (consider == CONSIDER_STEPS)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "variant %s makes single steps over the whole state, so %s cannot be set", variant,
            TUNED(o, tile_points) ? "tile_points" : "steps_per_launch");
    if (!facts->has_lanes)
        snprintf(lanes, sizeof lanes, "SIMD lanes need a grid problem that was compiled with them");
    else if (grid->components > MOST_COMPONENTS || grid->radius > MOST_RADIUS)
        snprintf(lanes, sizeof lanes,
            "SIMD lanes are for at most %d components per point and a radius of at most %d, not %u "
            "and %u",
            MOST_COMPONENTS, MOST_RADIUS, grid->components, grid->radius);
    else {
        char text[GRID_TEXT];
        snprintf(lanes, sizeof lanes,
            "%d SIMD lanes, each with its halo, and method %s, whose step reads a distance of "
            "%lld, "
            "need a larger grid than %s",
            s->kernels->lanes, s->method->name, (long long)reach_of_step(s),
            ecl_grid_text(grid, text));
    }
    if (grid_has_ring(grid))
        snprintf(tiles, sizeof tiles, "tiles of components need a boundary that is not periodic");
    else
        snprintf(tiles, sizeof tiles,
            "a step of method %s reads components at a distance of %lld, and a tile must have more "
            "of them, but there are %lld in all, or tile_points are fewer",
            s->method->name, (long long)(s->method->stages * s->access_distance), (long long)s->n);
    return ecl_fail(error, EULERCL_UNSUPPORTED, "problem %s cannot run with %s%s: %s%s%s",
        s->definition->name,
        !variant || !strcmp(variant, "auto") ? "tile_points or steps_per_launch" : "variant ",
        !variant || !strcmp(variant, "auto") ? "" : variant,
        consider & CONSIDER_LANES ? lanes : tiles,
        (consider & (CONSIDER_LANES | CONSIDER_TILES)) == (CONSIDER_LANES | CONSIDER_TILES) ? "; "
                                                                                            : "",
        (consider & (CONSIDER_LANES | CONSIDER_TILES)) == (CONSIDER_LANES | CONSIDER_TILES) ? tiles
                                                                                            : "");
}
