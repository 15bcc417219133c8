/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/plane.c - 2-D grids in SIMD lanes, which lie along the rows: the levels of a round stream
   down the grid together, each `radius` rows behind the one before. They share one ring of rows. A
   level writes a row where a row of the level before it stood that nothing reads any more, so it
   writes to memory that was just read, and all levels together keep few rows.

   When resident, a thread's rows stay in that layout all the time. Otherwise the grid is cut into
   strips of columns, whose rows are brought into it and back on the way; a strip has `steps *
   radius` columns more than it keeps at each end that is not an end of the grid. Threads have bands
   of rows, and compute the rows between their bands twice, so that they meet once per round. */
#include "config.h"
#include "job.h"
#include "../problem/flush.h"
#include "../int.h"
#include <string.h>
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

enum { LINE_BYTES = 64 };

struct plane {
    const struct cpu_job *job;
    const struct system *system;
    int64_t thread;
    int64_t nx, ny, lo, hi, halo,
        strips; /* the thread's rows are lo .. hi-1; those of its neighbours that it needs */
    int components, radius, goes_round[2]; /* along x, and along y */
    const uint32_t *rules;                 /* of the ends along y */
    uint64_t point_bytes, vector_bytes, row_bytes;
    char *ring, *ghosts, *plain;     /* plain: a strip's row that goes round */
    int64_t ring_rows, apart, shift; /* row r of level l is at place r - shift - l * apart of the
                                        ring, counted round */
    void **places; /* where position 0 of the row at each place stands, twice, so that rows in turn
                      are a part of the list */
    char *carried; /* the carried arrays of the rows that some level has computed and the last one
                      has not */
    int64_t carried_slots; /* rows of each */
    struct dealt dealt;
    int64_t a, b, first, last; /* columns that a strip keeps, and has */
    /* of the present round */
    const char *from;
    char *to;
    int64_t begin, levels;
    const struct ode_instant *times; /* of the levels */
    int written[2];                  /* whether rows of ghosts were written, for each side */
};

/* ---- sizes ---- */

/* When resident the rows of a thread, and those of its neighbours that it needs; else those that
 * the levels have between the first and the last one, each a radius behind the one before, and
 * `rows` in turn. Besides, each level is some rows apart from the one before. */
static int64_t ring_rows(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t levels = ecl_most_levels(s, tiling),
                  reach = levels * (int64_t)s->definition->grid.radius;
    return levels * ecl_rows_apart(s) +
           (tiling->resident ? s->context.grid.extents[1] / tiling->threads + 1 + 2 * reach
                             : reach + tiling->rows);
}

/* An odd number of vectors, so that rows do not meet in the same cache sets. */
static uint64_t row_bytes(const struct system *s, int64_t columns) {
    const int64_t positions =
        deal_points(columns, s->kernels->lanes) + 2 * (int64_t)s->definition->grid.radius;
    return (uint64_t)(positions * (int64_t)s->definition->grid.components | 1) *
           (uint64_t)s->kernels->lanes * s->real_size;
}

static int64_t most_columns(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t nx = s->context.grid.extents[0];
    return tiling->resident || tiling->tile >= nx
               ? nx
               : tiling->tile +
                     2 * ecl_most_levels(s, tiling) * (int64_t)s->definition->grid.radius;
}

/* Rows of each carried array. A level may be `rows` rows ahead of what the next ones allow, and
 * else is a radius ahead. */
static int64_t carried_slots(const struct system *s, const struct cpu_tiling *tiling) {
    return ecl_most_levels(s, tiling) * (int64_t)s->definition->grid.radius + 2 * tiling->rows;
}

/* Whether a side computes a row of ghosts for each distance from the grid. */
static int has_rows_of_its_own(uint32_t rule) {
    return !ODE_IS_COPY_(rule) && !ODE_IS_UNIFORM_(rule);
}

/* Rows of ghosts that are no rows of the grid: those of each side, or one for both sides where all
 * ghosts are equal. */
static int64_t ghost_rows(const struct system *s) {
    const uint32_t *const rules = s->definition->grid.boundary[1];
    return has_rows_of_its_own(rules[0]) || has_rows_of_its_own(rules[1])
               ? 2 * (int64_t)s->definition->grid.radius
               : 1;
}

/* Rows in a thread's workspace: the ring, ghosts, carried values. */
static int64_t workspace_rows(const struct system *s, const struct cpu_tiling *tiling) {
    return ring_rows(s, tiling) + ghost_rows(s) +
           (s->method->arrays - 1) * carried_slots(s, tiling);
}

uint64_t ecl_plane_workspace(const struct system *s, const struct cpu_tiling *tiling) {
    uint64_t bytes, sum;
    const uint64_t plain =
        (uint64_t)most_columns(s, tiling) * s->definition->grid.components * s->real_size;
    if (__builtin_mul_overflow(
            row_bytes(s, most_columns(s, tiling)), (uint64_t)workspace_rows(s, tiling), &bytes) ||
        __builtin_add_overflow(bytes, 2 * (uint64_t)ring_rows(s, tiling) * sizeof(void *), &bytes))
        return 0;
    return __builtin_add_overflow(bytes, plain, &sum) ? 0 : sum;
}

uint64_t ecl_plane_edges(const struct system *s, const struct cpu_tiling *tiling) {
    uint64_t bytes;
    const uint64_t rows = 4 * (uint64_t)tiling->threads * (uint64_t)ecl_most_levels(s, tiling) *
                          s->definition->grid.radius;
    return __builtin_mul_overflow(row_bytes(s, s->context.grid.extents[0]), rows, &bytes) ? 0
                                                                                          : bytes;
}

/* Rows that a thread hands down (1) or up (0), for the round to come. */
static char *edge(const struct plane *p, int64_t thread, int down, int64_t round) {
    const uint64_t number = (uint64_t)((thread * 2 + down) * 2 + (round & 1));
    return (char *)p->job->edges +
           number * (uint64_t)(ecl_most_levels(p->system, &p->job->tiling) * p->radius) *
               p->row_bytes;
}

/* ---- rows ---- */

/* Place i of n, counted round. */
INLINE int64_t place(int64_t i, int64_t n) {
    const int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* Of a level, this row and those that follow it. */
INLINE void *const *rows_at(const struct plane *p, int64_t level, int64_t row) {
    return p->places + place(row - p->shift - level * p->apart, p->ring_rows);
}

static char *row_at(const struct plane *p, int64_t level, int64_t row) {
    return *rows_at(p, level, row);
}

/* Bytes of a row before position 0. */
static uint64_t before_row(const struct plane *p) {
    return (uint64_t)(p->radius * p->components) * p->vector_bytes;
}

static void list_places(struct plane *p) {
    for (int64_t i = 0; i < 2 * p->ring_rows; i++)
        p->places[i] = p->ring + (uint64_t)(i % p->ring_rows) * p->row_bytes + before_row(p);
}

static int64_t carried_slot(const struct plane *p, int64_t row) {
    return place(row, p->carried_slots);
}

/* Where position 0 of that slot stands in carried array k. */
static char *carried_at(const struct plane *p, int k, int64_t slot) {
    return p->carried + (uint64_t)(k * p->carried_slots + slot) * p->row_bytes + before_row(p);
}

/* The row of the grid that is k rows inwards from an end of it. */
static void *row_inwards(const struct plane *p, int64_t level, int side, int64_t k) {
    return row_at(p, level, side ? p->ny - 1 - k : k);
}

/* A row of ghosts when `level` is read, d rows beyond an end. */
static const void *ghost_row(struct plane *p, int64_t level, int side, int64_t d) {
    const uint32_t rule = p->rules[side];
    const int64_t rows = ghost_rows(p->system), of_side = side * (rows / 2),
                  number = of_side + (has_rows_of_its_own(rule) ? d - 1 : 0);
    char *const row = p->ghosts + (uint64_t)number * p->row_bytes + before_row(p);
    const ode_index place[ODE_MOST_AXES] = {0};
    const void *in[ODE_MOST_LANES + 1];
    int *const written = &p->written[of_side > 0];
    const struct ode_instant t = ecl_level_instant(p->system, &p->job->batch, p->begin + level);
    for (int64_t k = 0; k <= ODE_INWARDS_(rule, d, p->radius); k++)
        in[k] = row_inwards(p, level, side, k);
    p->system->kernels->ghost_row(
        &p->system->context, &p->dealt.lanes, row, in, side, (int)d, place, &t, *written);
    *written = 1;
    return row;
}

/* The row that level `level` reads for row i, which lies beyond the grid. */
static const void *row_beyond(struct plane *p, int64_t level, int64_t i) {
    const int side = i >= p->ny;
    const int64_t d = side ? i - (p->ny - 1) : -i;
#define ROW_IN(k) row_inwards(p, level, side, k)
    return ODE_GHOST_(p->rules[side], d, ROW_IN, ghost_row(p, level, side, d));
#undef ROW_IN
}

/* The rows that level `level` reads, from row `first` on; `mixed` has room for those of an end. */
static const void *const *rows_read(
    struct plane *p, int64_t level, int64_t first, int count, const void **mixed) {
    if (p->goes_round[1] || (first >= 0 && first + count <= p->ny))
        return (const void *const *)rows_at(p, level, first);
    for (int64_t i = first; i < first + count; i++)
        mixed[i - first] = i < 0 || i >= p->ny ? row_beyond(p, level, i) : row_at(p, level, i);
    return mixed;
}

/* A halo is no longer than the grid. */
static int64_t wrapped(int64_t i, int64_t n) { return i < 0 ? i + n : i < n ? i : i - n; }

/* Columns first .. last-1 of a row in the plain layout, or a copy of them where they go round. */
static const void *plain_row(const struct plane *p, int64_t row) {
    const char *const at =
        p->from + (uint64_t)wrapped(row, p->ny) * (uint64_t)p->nx * p->point_bytes;
    if (p->first >= 0 && p->last <= p->nx) return at + (uint64_t)p->first * p->point_bytes;
    for (int64_t i = p->first; i < p->last;) {
        const int64_t column = wrapped(i, p->nx),
                      left = p->nx - column < p->last - i ? p->nx - column : p->last - i;
        memcpy(p->plain + (uint64_t)(i - p->first) * p->point_bytes,
            at + (uint64_t)column * p->point_bytes, (uint64_t)left * p->point_bytes);
        i += left;
    }
    return p->plain;
}

static void load_row(struct plane *p, int64_t row) {
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(row, p->ny)};
    char *const u = row_at(p, 0, row);
    const struct ode_instant t = ecl_level_instant(p->system, &p->job->batch, p->begin);
    p->job->tools->load(u, &p->dealt, plain_row(p, row), p->components);
    p->system->kernels->close_row(&p->system->context, &p->dealt.lanes, u, place, &t);
}

static void store_row(const struct plane *p, int64_t level, int64_t row) {
    p->job->tools->store(row_at(p, level, row), &p->dealt,
        p->to + ((uint64_t)row * (uint64_t)p->nx + (uint64_t)p->a) * p->point_bytes, p->components,
        p->a - p->first, p->b - p->first);
}

/* ---- a pass: all levels of a round down a strip ---- */

/* The errors of a row that a level has written. */
static void compare_errors(const struct plane *p, int64_t level, int64_t row) {
    const int estimate = p->system->method->estimate;
    if (row >= int_max(p->lo, p->system->kept) && row < int_min(p->hi, p->system->kept_end))
        ecl_job_compare_errors(p->job, p->thread, row_at(p, level, row),
            carried_at(p, estimate - 1, carried_slot(p, row)), &p->dealt, p->a - p->first,
            p->b - p->first);
}

/* A row that a level has written; what stands at its ends follows. */
static void flush_row(struct plane *p, int64_t level, void *u, int64_t row) {
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(row, p->ny)};
    ecl_flush_lanes(p->system, u, p->dealt.lanes.points);
    p->system->kernels->close_row(&p->system->context, &p->dealt.lanes, u, place, &p->times[level]);
}

static void step_rows(struct plane *p, int64_t level, int64_t row, int rows) {
    const struct batch *batch = &p->job->batch;
    const struct method *m = p->system->method;
    const struct ode_instant *const t = &p->times[level - 1], *const t_next = &p->times[level];
    const struct ode_kernels *kernels = p->system->kernels;
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(row, p->ny)};
    const void *mixed[CPU_MOST_ROWS + 2 * ODE_MOST_LANES];
    const void *const *in = rows_read(p, level - 1, row - p->radius, rows + 2 * p->radius, mixed);
    void *const *out = rows_at(p, level, row), *carried[CPU_MOST_ROWS * (ODE_MOST_ARRAYS_ - 1)];
    if (p->job->stages) {
        const struct cpu_levels these = ecl_job_levels(p->job, p->begin + level - 1);
        int64_t slot = carried_slot(p, row);
        for (int r = 0; r < rows; r++, slot = slot + 1 < p->carried_slots ? slot + 1 : 0)
            for (int k = 0; k < m->arrays - 1; k++)
                carried[r * (m->arrays - 1) + k] = carried_at(p, k, slot);
        kernels->stage_rows(&p->system->context, &p->dealt.lanes, out, in, carried, rows, place, t,
            t_next, &these.levels);
    } else
        kernels->step_rows(
            &p->system->context, &p->dealt.lanes, out, in, rows, place, t, t_next, batch->h);
    const int is_compared = ecl_is_estimated(p->system, p->begin + level - 1),
              is_flushed = ecl_is_flushed(p->system, batch, p->begin + level - 1);
    for (int r = 0; r < rows && (is_compared || is_flushed); r++) {
        if (is_compared) compare_errors(p, level, row + r);
        if (is_flushed) flush_row(p, level, out[r], row + r);
    }
}

/* Ask for part `level` of `levels` parts of a row's memory, so that it arrives in the second cache
   while the levels are computed. Inline: gcc takes a function that only asks for memory for one
   without effect, and drops its calls. */
INLINE void fetch(const char *at, uint64_t bytes, int64_t level, int64_t levels) {
    const uint64_t share = (bytes / LINE_BYTES + (uint64_t)levels) / (uint64_t)levels * LINE_BYTES,
                   begin = (uint64_t)(level - 1) * share;
    const uint64_t end = begin + share < bytes ? begin + share : bytes;
    for (uint64_t i = begin; i < end; i += LINE_BYTES) __builtin_prefetch(at + i, 0, 2);
}

/* The rows that the first level brings in in the next turn, and those that the last one writes
 * then. When resident it gains nothing. */
INLINE void fetch_next(const struct plane *p, int64_t level, int64_t read, int64_t read_end,
    int64_t written, int64_t written_end) {
    for (int64_t r = 0; r < p->job->tiling.rows; r++) {
        if (p->first >= 0 && read + r < read_end)
            fetch(p->from +
                      ((uint64_t)wrapped(read + r, p->ny) * (uint64_t)p->nx + (uint64_t)p->first) *
                          p->point_bytes,
                (uint64_t)(p->last - p->first) * p->point_bytes, level, p->levels);
        if (written + r < written_end)
            fetch(p->to +
                      ((uint64_t)(written + r) * (uint64_t)p->nx + (uint64_t)p->a) * p->point_bytes,
                (uint64_t)(p->b - p->a) * p->point_bytes, level, p->levels);
    }
}

static int64_t pass(struct plane *p) {
    const int64_t levels = p->levels, columns = p->last - p->first;
    int64_t done[levels + 1], end[levels + 1], computed = 0;
    struct ode_instant times[levels + 1];
    p->times = times;
    for (int64_t level = 0; level <= levels; level++) {
        times[level] = ecl_level_instant(p->system, &p->job->batch, p->begin + level);
        done[level] = deal_reach_down(p->lo, (levels - level) * p->radius, p->goes_round[1]);
        end[level] = deal_reach_up(p->hi, (levels - level) * p->radius, p->ny, p->goes_round[1]);
        if (level) computed += (end[level] - done[level]) * columns;
    }
    while (done[levels] < end[levels]) {
        for (int64_t n = 0; n < p->job->tiling.rows && done[0] < end[0]; n++) {
            if (!p->job->tiling.resident) load_row(p, done[0]);
            done[0]++;
        }
        for (int64_t level = 1; level <= levels; level++) {
            if (!p->job->tiling.resident)
                fetch_next(
                    p, level, done[0], end[0], done[levels] + p->job->tiling.rows, end[levels]);
            /* As far as the level before allows. */
            const int64_t above =
                !p->goes_round[1] && done[level - 1] == p->ny ? p->ny : done[level - 1] - p->radius;
            const int64_t row = done[level], wanted = row + p->job->tiling.rows,
                          limit = above < end[level] ? above : end[level],
                          to = wanted < limit ? wanted : limit;
            if (row >= to) continue;
            step_rows(p, level, row, (int)(to - row));
            for (int64_t i = row; i < to && level == levels && !p->job->tiling.resident; i++)
                store_row(p, level, i);
            done[level] = to;
        }
    }
    return (computed - levels * (p->hi - p->lo) * (p->b - p->a)) * p->components;
}

/* ---- a thread ---- */

static void wait_for(const struct plane *p, int64_t thread, int64_t done) {
    const int64_t threads = p->job->tiling.threads;
    if (threads < 2) return;
    if (thread > 0 || p->goes_round[1])
        ecl_flag_wait(&p->job->flags[(thread + threads - 1) % threads], done);
    if (thread < threads - 1 || p->goes_round[1])
        ecl_flag_wait(&p->job->flags[(thread + 1) % threads], done);
}

static void begin_round(struct plane *p, int64_t round) {
    p->from = p->job->x[round % 2];
    p->to = p->job->x[(round + 1) % 2];
    const int64_t stages = p->system->method->stages;
    p->begin = stages * ecl_round_begin(p->job, round);
    p->levels = stages * ecl_round_begin(p->job, round + 1) - p->begin;
}

static void set_strip(struct plane *p, int64_t strip) {
    const int64_t halo = p->halo;
    p->a = deal_part(p->nx, p->strips, strip);
    p->b = deal_part(p->nx, p->strips, strip + 1);
    p->first = p->strips == 1 ? 0 : deal_reach_down(p->a, halo, p->goes_round[0]);
    p->last = p->strips == 1 ? p->nx : deal_reach_up(p->b, halo, p->nx, p->goes_round[0]);
    ecl_deal(p->job->tools, p->last - p->first, p->first, p->nx, &p->dealt);
    p->row_bytes = row_bytes(p->system, p->last - p->first);
    list_places(p);
    p->written[0] = p->written[1] = 0;
}

static void work_in_strips(struct plane *p, int64_t thread) {
    for (int64_t round = 0; round < p->job->rounds; round++) {
        begin_round(p, round);
        for (int64_t strip = 0; strip < p->strips; strip++) {
            /* What the neighbours wrote a round ago into the columns around this strip, and read
             * there, must be done. */
            const int64_t around =
                strip + 1 < p->strips && !p->goes_round[0] ? strip + 2 : p->strips;
            if (round) wait_for(p, thread, (round - 1) * p->strips + around);
            set_strip(p, strip);
            p->job->redundant[thread] += pass(p);
            ecl_flag_publish(&p->job->flags[thread], round * p->strips + strip + 1);
        }
    }
}

/* Rows first .. first + halo - 1 of the state, which is level 0 of the round to come. */
static void put_rows(struct plane *p, int64_t first, const char *rows) {
    for (int64_t i = 0; i < p->halo; i++)
        memcpy(row_at(p, 0, first + i) - before_row(p), rows + (uint64_t)i * p->row_bytes,
            p->row_bytes);
}
static void get_rows(const struct plane *p, int64_t first, char *rows) {
    for (int64_t i = 0; i < p->halo; i++)
        memcpy(rows + (uint64_t)i * p->row_bytes, row_at(p, 0, first + i) - before_row(p),
            p->row_bytes);
}

/* Rows around the thread's own: a neighbour's edges, from the bottom of the thread above and the
 * top of the one below. A thread alone has its own edges around it where the grid goes round. */
static void take_edges(struct plane *p, int64_t thread, int64_t round) {
    const int64_t threads = p->job->tiling.threads;
    if (thread > 0 || p->goes_round[1])
        put_rows(p, p->lo - p->halo, edge(p, (thread + threads - 1) % threads, 1, round));
    if (thread < threads - 1 || p->goes_round[1])
        put_rows(p, p->hi, edge(p, (thread + 1) % threads, 0, round));
}

static void give_edges(const struct plane *p, int64_t thread, int64_t round) {
    if (!p->job->edges) return;
    get_rows(p, p->lo, edge(p, thread, 0, round));
    get_rows(p, p->hi - p->halo, edge(p, thread, 1, round));
}

static void work_resident(struct plane *p, int64_t thread) {
    const int64_t first = deal_reach_down(p->lo, p->halo, p->goes_round[1]),
                  last = deal_reach_up(p->hi, p->halo, p->ny, p->goes_round[1]);
    set_strip(p, 0);
    begin_round(p, 0);
    for (int64_t row = first; row < last; row++) load_row(p, row);
    for (int64_t round = 0; round < p->job->rounds; round++) {
        begin_round(p, round);
        if (round) {
            wait_for(p, thread, round);
            take_edges(p, thread, round);
        }
        p->job->redundant[thread] += pass(p);
        p->shift = place(p->shift + p->levels * p->apart, p->ring_rows);
        give_edges(p, thread, round + 1);
        ecl_flag_publish(&p->job->flags[thread], round + 1);
    }
    for (int64_t row = p->lo; row < p->hi; row++) store_row(p, 0, row);
}

void ecl_plane_work(void *user, int64_t thread) {
    const struct cpu_job *job = user;
    const struct system *s = job->system;
    const struct cpu_tiling *tiling = &job->tiling;
    if (thread >= tiling->threads) return;
    struct plane p = {.job = job,
        .system = s,
        .thread = thread,
        .nx = s->context.grid.extents[0],
        .ny = s->context.grid.extents[1],
        .components = (int)s->definition->grid.components,
        .radius = (int)s->definition->grid.radius,
        .rules = s->definition->grid.boundary[1],
        .goes_round = {grid_is_periodic(&s->context.grid, 0),
            grid_is_periodic(&s->context.grid, 1)},
        .ring_rows = ring_rows(s, tiling),
        .apart = ecl_rows_apart(s)};
    const uint64_t most = row_bytes(s, most_columns(s, tiling));
    p.point_bytes = (uint64_t)p.components * s->real_size;
    p.vector_bytes = (uint64_t)s->kernels->lanes * s->real_size;
    p.lo = deal_part(p.ny, tiling->threads, thread);
    p.hi = deal_part(p.ny, tiling->threads, thread + 1);
    p.halo = job->round_steps * s->method->stages * p.radius;
    p.strips = tiling->resident ? 1 : (p.nx + tiling->tile - 1) / tiling->tile;
    p.ring = ecl_workspace(job, thread);
    p.ghosts = p.ring + (uint64_t)p.ring_rows * most;
    p.carried = p.ghosts + (uint64_t)ghost_rows(s) * most;
    p.carried_slots = carried_slots(s, tiling);
    p.places = (void **)(p.ring + (uint64_t)workspace_rows(s, tiling) * most);
    p.plain = (char *)(p.places + 2 * p.ring_rows);
    if (tiling->resident)
        work_resident(&p, thread);
    else
        work_in_strips(&p, thread);
}
