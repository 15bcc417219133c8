/* SPDX-License-Identifier: BSD-2-Clause */
/* line.c - 1-D grids in SIMD lanes: a tile is brought into their layout, makes the steps of a round
   there, several levels of time per sweep, and goes back. A tile has `steps * radius` points more
   than it keeps at each end that is not an end of the grid. Neighbouring threads read each other's
   points once per round. */
#include "config.h"
#include "coefficient_rows.h"
#include "job.h"
#include "../problem/flush.h"
#include "../int.h"
#include <string.h>
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

enum {
    APART = 1024, /* bytes between the arrays of a tile beyond a page's multiple: see cpu/state.c */
    ADDED = 24,   /* points of a lane for each level of a sweep of stages, at least */
    /* Levels of such a sweep, and the arrays of all of them, at most: more would leave too few
     * positions to a turn, since the levels are apart and share the first cache. */
    MOST_SWEPT = 13,
    MOST_SWEPT_ARRAYS = 40
};

struct line {
    const struct cpu_job *job;
    const struct system *system;
    int64_t thread;
    int64_t n, lo, hi, halo,
        tiles; /* points of the grid; the thread's part; points beyond a tile; tiles of the part */
    int components, radius, periodic;
    uint64_t point_bytes, vector_bytes;
    struct dealt dealt;
    char *u, *wrapped; /* the tile's points in lanes; periodic: a tile that goes round, in the plain
                          layout */
    void *x[ODE_MOST_ARRAYS_]; /* u and the carried values of the tile */
    struct coefficient_rows coefficients;
    char *held, *scratch; /* the coefficients of the tile */
    const void *held_read;
    int64_t a, b, first, last; /* a tile keeps a .. b-1, and has first .. last-1 */
};

static int64_t levels_at_once(const struct system *s) {
    return ecl_is_swept(s) ? s->kernels->levels : s->kernels->stages;
}
static int64_t halo_positions(const struct system *s) {
    return levels_at_once(s) * (int64_t)s->definition->grid.radius;
}

/* Points that a tile may have. */
static int64_t most_points(const struct system *s, const struct cpu_tiling *tiling) {
    if (tiling->resident && tiling->threads == 1)
        return s->context.grid.extents[0]; /* nobody's neighbour */
    const int64_t part = s->context.grid.extents[0] / tiling->threads + 1,
                  tile = tiling->resident || part < tiling->tile ? part : tiling->tile;
    return tile + 2 * ecl_most_levels(s, tiling) * (int64_t)s->definition->grid.radius + 2;
}

/* Bytes of an array of a tile in lanes. */
static uint64_t lanes_bytes(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t positions =
        most_points(s, tiling) / s->kernels->lanes + 2 + 2 * halo_positions(s);
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)positions,
            s->definition->grid.components * s->real_size * (uint64_t)s->kernels->lanes, &bytes) ||
        __builtin_add_overflow(bytes, ODE_MOST_ARRAYS_ * APART, &bytes))
        return 0;
    return bytes / (ODE_MOST_ARRAYS_ * APART) * (ODE_MOST_ARRAYS_ * APART) + APART;
}

/* A sweep computes positions that are as far beyond its halo as the halo is deep. */
static struct coefficient_rows coefficients_of(
    const struct system *s, const struct cpu_tiling *tiling) {
    return ecl_coefficient_rows(
        s, most_points(s, tiling), 2 * halo_positions(s) + (int64_t)s->definition->grid.radius);
}

uint64_t ecl_line_workspace(const struct system *s, const struct cpu_tiling *tiling) {
    const struct coefficient_rows held = coefficients_of(s, tiling);
    uint64_t lanes = lanes_bytes(s, tiling), wrapped, sum;
    if (!lanes || __builtin_mul_overflow(lanes, (uint64_t)s->method->arrays, &lanes) ||
        __builtin_mul_overflow((uint64_t)most_points(s, tiling),
            s->definition->grid.components * s->real_size, &wrapped))
        return 0;
    if (__builtin_add_overflow(lanes, held.bytes + held.row_bytes, &lanes)) return 0;
    return __builtin_add_overflow(lanes, grid_is_periodic(&s->context.grid, 0) ? wrapped : 0, &sum)
               ? 0
               : sum;
}

/* ---- a tile ---- */

static void set_tile(struct line *line, int64_t tile) {
    const int64_t part = line->hi - line->lo;
    line->a = line->lo + deal_part(part, line->tiles, tile);
    line->b = line->lo + deal_part(part, line->tiles, tile + 1);
    if (line->b - line->a == line->n) { /* the whole grid, a ring or not, has no neighbours */
        line->first = 0;
        line->last = line->n;
    } else {
        line->first = deal_reach_down(line->a, line->halo, line->periodic);
        line->last = deal_reach_up(line->b, line->halo, line->n, line->periodic);
    }
    ecl_deal(line->job->tools, line->last - line->first, line->first, line->n, &line->dealt);
    if (line->coefficients.count)
        ecl_load_coefficients(&line->coefficients, line->system, line->job->tools, &line->dealt,
            line->first, 0, 0, line->held + (uint64_t)line->coefficients.depth * line->vector_bytes,
            line->scratch);
}

/* The tile's points one after the other, in `from` or, where they go round the ring, in a copy. */
static const void *plain_tile(struct line *line, const char *from) {
    if (line->first >= 0 && line->last <= line->n)
        return from + (uint64_t)line->first * line->point_bytes;
    for (int64_t i = line->first; i < line->last;) {
        const int64_t at = ((i % line->n) + line->n) % line->n,
                      left = line->n - at < line->last - i ? line->n - at : line->last - i;
        memcpy(line->wrapped + (uint64_t)(i - line->first) * line->point_bytes,
            from + (uint64_t)at * line->point_bytes, (uint64_t)left * line->point_bytes);
        i += left;
    }
    return line->wrapped;
}

/* Refresh the neighbours' points around a tile that stays. */
static void refresh(struct line *line, const char *from) {
    const struct lane_tools *tools = line->job->tools;
    const int64_t left = line->first < 0 ? line->first + line->n : line->first,
                  right = line->b == line->n ? 0 : line->b;
    if (line->first < line->a)
        tools->load_part(line->u, &line->dealt, from + (uint64_t)left * line->point_bytes,
            line->components, 0, line->a - line->first);
    if (line->b < line->last)
        tools->load_part(line->u, &line->dealt, from + (uint64_t)right * line->point_bytes,
            line->components, line->b - line->first, line->last - line->first);
}

/* Publish the edges of a tile that stays, for its neighbours. */
static void publish_edges(struct line *line, char *to) {
    const struct lane_tools *tools = line->job->tools;
    const int64_t a = line->a - line->first, b = line->b - line->first;
    char *const at = to + (uint64_t)line->a * line->point_bytes;
    if (line->first < line->a)
        tools->store_part(line->u, &line->dealt, at, line->components, a, a + line->halo);
    if (line->b < line->last)
        tools->store_part(line->u, &line->dealt,
            at + (uint64_t)(b - a - line->halo) * line->point_bytes, line->components,
            b - line->halo, b);
}

static void advance(struct line *line, int64_t step, int64_t steps) {
    const struct system *s = line->system;
    const struct ode_kernels *kernels = s->kernels;
    const struct batch *batch = &line->job->batch;
    const int many = line->dealt.lanes.points > halo_positions(s) ? kernels->levels : 1;
    while (steps > 0) {
        const int levels = ecl_levels_until_flush(s, batch, step, steps) >= many ? many : 1;
        struct ode_instant t[ODE_MOST_LEVELS];
        for (int i = 0; i < levels; i++)
            t[i] = ecl_level_instant(line->job->system, batch, step + i);
        line->job->tools->join(line->u, &line->dealt, line->components, levels * line->radius);
        (levels > 1 ? kernels->sweep : kernels->sweep_one)(
            &s->context, &line->dealt.lanes, line->u, t, batch->h);
        step += levels;
        steps -= levels;
        if (ecl_is_flushed(s, batch, step - 1))
            ecl_flush_lanes(s, line->u, line->dealt.lanes.points);
    }
}

/* Advance by the stages of any method. A round begins with a step, whose first stage reads no
 * carried value, so the contents of their arrays do not matter. */
static void advance_stages(struct line *line, int64_t level, int64_t levels) {
    const struct system *s = line->system;
    /* Lanes compute levels * radius positions in addition: few of their points. */
    const int64_t points = line->dealt.lanes.points,
                  few = int_max(1, points / (ADDED * int_max(1, line->radius))),
                  most = int_min(int_min(MOST_SWEPT, MOST_SWEPT_ARRAYS / s->method->arrays),
                      int_min(s->kernels->stages, few));
    while (levels > 0) {
        const int64_t step_left = s->method->stages - level % s->method->stages,
                      left = s->method->estimate ? int_min(step_left, levels) : levels;
        const int64_t together = ecl_levels_until_flush(s, &line->job->batch, level, left);
        const int now = (int)int_ceil(together, int_ceil(together, most)); /* equal parts */
        const struct cpu_levels these = ecl_job_levels(line->job, level);
        struct ode_instant t[ODE_MOST_STAGES];
        for (int i = 0; i < now; i++) t[i] = ecl_level_instant(s, &line->job->batch, level + i);
        for (int k = 0; k < s->method->arrays; k++)
            line->job->tools->join(line->x[k], &line->dealt, line->components, now * line->radius);
        s->kernels->stage_line(&s->context, &line->dealt.lanes, line->x, &these.levels, t, now);
        level += now;
        levels -= now;
        const int64_t kept = int_max(line->a, s->kept), kept_end = int_min(line->b, s->kept_end);
        if (kept < kept_end && ecl_is_estimated(s, level - 1))
            ecl_job_compare_errors(line->job, line->thread, line->u, line->x[s->method->estimate],
                &line->dealt, kept - line->first, kept_end - line->first);
        if (ecl_is_flushed(s, &line->job->batch, level - 1))
            ecl_flush_lanes(s, line->u, line->dealt.lanes.points);
    }
}

/* ---- a thread ---- */

/* The outer tiles first: the neighbours wait for them. */
static int64_t tile_in_turn(int64_t turn, int64_t tiles) {
    return turn == 0 ? 0 : turn == 1 ? tiles - 1 : turn - 1;
}

static void wait_for_neighbours(
    const struct cpu_job *job, int64_t thread, int64_t round, int periodic) {
    const int64_t threads = job->tiling.threads;
    if (threads < 2) return;
    if (thread > 0 || periodic) ecl_flag_wait(&job->flags[(thread + threads - 1) % threads], round);
    if (thread < threads - 1 || periodic) ecl_flag_wait(&job->flags[(thread + 1) % threads], round);
}

void ecl_line_work(void *user, int64_t thread) {
    const struct cpu_job *job = user;
    const struct system *s = job->system;
    if (thread >= job->tiling.threads) return;
    struct line line = {.job = job,
        .system = s,
        .thread = thread,
        .n = s->context.grid.extents[0],
        .components = (int)s->definition->grid.components,
        .radius = (int)s->definition->grid.radius,
        .periodic = grid_is_periodic(&s->context.grid, 0)};
    line.point_bytes = (uint64_t)line.components * s->real_size;
    line.vector_bytes = (uint64_t)s->kernels->lanes * s->real_size;
    line.lo = deal_part(line.n, job->tiling.threads, thread);
    line.hi = deal_part(line.n, job->tiling.threads, thread + 1);
    line.halo = job->round_steps * s->method->stages * line.radius;
    line.tiles =
        job->tiling.resident ? 1 : (line.hi - line.lo + job->tiling.tile - 1) / job->tiling.tile;
    line.u = ecl_workspace(job, thread) +
             (uint64_t)(halo_positions(s) * line.components) * line.vector_bytes;
    for (int k = 0; k < s->method->arrays; k++)
        line.x[k] = line.u + (uint64_t)k * lanes_bytes(s, &job->tiling);
    line.held =
        ecl_workspace(job, thread) + (uint64_t)s->method->arrays * lanes_bytes(s, &job->tiling);
    line.coefficients = coefficients_of(s, &job->tiling);
    line.scratch = line.held + line.coefficients.bytes;
    line.wrapped = line.scratch + line.coefficients.row_bytes;
    line.held_read = line.held + (uint64_t)line.coefficients.depth * line.vector_bytes;
    line.dealt.lanes.coefficients = &line.held_read;
    line.dealt.lanes.coefficient_stride =
        (int64_t)(line.coefficients.row_bytes / (uint64_t)s->real_size);
    for (int64_t r = 0; r < job->rounds; r++) {
        const char *const from = job->x[r % 2];
        char *const to = job->x[(r + 1) % 2];
        const int64_t begin = s->method->stages * ecl_round_begin(job, r),
                      end = s->method->stages * ecl_round_begin(job, r + 1);
        if (r) wait_for_neighbours(job, thread, r, line.periodic);
        for (int64_t turn = 0; turn < line.tiles; turn++) {
            if (!job->tiling.resident || !r) {
                set_tile(&line, tile_in_turn(turn, line.tiles));
                job->tools->load(line.u, &line.dealt, plain_tile(&line, from), line.components);
            } else
                refresh(&line, from);
            (job->stages ? advance_stages : advance)(&line, begin, end - begin);
            if (job->tiling.resident && r + 1 < job->rounds)
                publish_edges(&line, to);
            else {
                job->tools->store(line.u, &line.dealt, to + line.a * (int64_t)line.point_bytes,
                    line.components, line.a - line.first, line.b - line.first);
            }
            job->redundant[thread] +=
                (line.last - line.first - (line.b - line.a)) * line.components * (end - begin);
            if (turn == (line.tiles > 1)) ecl_flag_publish(&job->flags[thread], r + 1);
        }
    }
}
