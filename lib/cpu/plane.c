/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/plane.c - grids of two or three axes in SIMD lanes, which lie along the rows: the levels of a
   round stream together through a tile, down the rows of a plane or along the planes of a volume,
   each as far behind the one before as a point reads. They share one ring of rows. A level writes a
   row where a row of the level before it stood that nothing reads any more, so it writes to memory
   that was just read, and all levels together keep few rows.

   Rows have numbers, plane after plane: row y of plane z has the number z * height + y - y0, where
   y0 is the tile's first row, and height its rows. A 2-D grid is one plane, and its rows have their
   own numbers. What follows counts in such numbers, and so holds for both.

   When resident, a thread's rows stay in that layout all the time (2-D). Otherwise the grid is cut
   into tiles, strips of columns and in volumes slices of rows, whose rows are brought into it and
   back on the way. Whole rows whose points all lanes share evenly are as long in that layout, so
   they are brought into it by the first round and back by the last one. A tile has `steps * radius`
   columns and rows more than it keeps at each end that is not an end of the grid. Threads have
   bands of rows, or of planes, and compute what is between their bands twice, so that they meet
   once per round. */
#include "config.h"
#include "plane.h"
#include "../problem/flush.h"
#include "../int.h"
#include <string.h>
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

enum {
    LINE_BYTES = 64,
    /* The most rows that a call for several rows reads. */
    MOST_READ = (2 * ODE_MOST_LANES + 1) * (CPU_MOST_ROWS + 2 * ODE_MOST_LANES)
};

/* What a tile keeps along an axis, a .. b-1, and has, first .. last-1. */
struct extent {
    int64_t a, b, first, last;
};

struct plane {
    const struct cpu_job *job;
    const struct system *system;
    int64_t thread;
    int64_t n[ODE_MOST_AXES]; /* points along each axis */
    int64_t lo, hi, halo;     /* the thread's rows, or planes, are lo .. hi-1, and those of its
                                 neighbours that it needs */
    int64_t strips, slices;   /* tiles along x, and along y */
    int components, radius, last_axis, goes_round[ODE_MOST_AXES];
    const uint32_t (*rules)[2]; /* of the ends of each axis */
    uint64_t point_bytes, vector_bytes, row_bytes;
    char *ring, *ghosts, *plain;          /* plain: a tile's row that goes round */
    int64_t rows, height;                 /* rows in turn, and from plane to plane */
    int64_t ring_rows, lag, apart, shift; /* A level is `lag` rows behind the one before; row r of
                                        level l is at place r - shift - l * apart of the ring,
                                        counted round. */
    void **places; /* where position 0 of the row at each place stands, twice, so that rows in turn
                      are a part of the list */
    char *carried; /* the carried arrays of the rows that some level has computed and the last one
                      has not */
    int64_t carried_slots; /* rows of each */
    struct coefficient_rows coefficients;
    char *held, *scratch; /* rows of coefficients, counted round like those of the ring */
    int64_t held_rows, held_height, held_next; /* held_next: the number of the row to come */
    const void *held_read[MOST_READ];
    struct dealt dealt;
    struct extent x, y, z; /* of the tile */
    /* of the present round */
    const char *from;
    char *to;
    int from_lanes, to_lanes; /* whether their rows are in the layout of lanes */
    int64_t begin, levels;
    const struct ode_instant *times; /* of the levels */
    int written;                     /* whether the row of equal ghosts was written */
    const void *read[MOST_READ];     /* the rows that are read, where they are no part of places */
};

/* Rows in turn of a level in a tile. */
struct turn {
    int64_t y, z; /* the first one */
    int count;    /* 0: there are none */
};

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

/* The number of a row. */
INLINE int64_t number_of(const struct plane *p, int64_t y, int64_t z) {
    return p->height ? z * p->height + y - p->y.first : y;
}

/* Of a level, this row and those that follow it in its plane. */
INLINE void *const *rows_at(const struct plane *p, int64_t level, int64_t y, int64_t z) {
    return p->places + place(number_of(p, y, z) - p->shift - level * p->apart, p->ring_rows);
}

static void *row_at(const struct plane *p, int64_t level, int64_t y, int64_t z) {
    return *rows_at(p, level, y, z);
}

/* Bytes of a row before position 0. */
static uint64_t before_row(const struct plane *p) {
    return (uint64_t)(p->radius * p->components) * p->vector_bytes;
}

static void list_places(struct plane *p) {
    for (int64_t i = 0; i < 2 * p->ring_rows; i++)
        p->places[i] = p->ring + (uint64_t)(i % p->ring_rows) * p->row_bytes + before_row(p);
}

static int64_t carried_slot(const struct plane *p, int64_t y, int64_t z) {
    return place(number_of(p, y, z), p->carried_slots);
}

/* Where position 0 of that slot stands in carried array k. */
static char *carried_at(const struct plane *p, int k, int64_t slot) {
    return p->carried + (uint64_t)(k * p->carried_slots + slot) * p->row_bytes + before_row(p);
}

/* A halo is no longer than the grid. */
static int64_t wrapped(int64_t i, int64_t n) { return i < 0 ? i + n : i < n ? i : i - n; }

/* Whether i, along an axis, is no place beyond an end. */
INLINE int is_inside(const struct plane *p, int axis, int64_t i) {
    return p->goes_round[axis] || (i >= 0 && i < p->n[axis]);
}

/* A row of ghosts d points beyond a side when `level` is read, at this place, made of the rows
 * `in`; it is number `slot` of those that are read at once. */
static const void *ghost_row(struct plane *p, int64_t level, int side, int64_t d,
    const ode_index *at, const void *const *in, int64_t slot) {
    const int is_uniform = ODE_IS_UNIFORM_(p->rules[ODE_AXIS_OF_(side)][ODE_IS_HIGH_(side)]);
    char *const row =
        p->ghosts + (uint64_t)(is_uniform ? 0 : 1 + slot) * p->row_bytes + before_row(p);
    p->system->kernels->ghost_row(&p->system->context, &p->dealt.lanes, row, in, side, (int)d, at,
        &p->times[level], is_uniform && p->written);
    p->written |= is_uniform;
    return row;
}

/* The row, or plane, that is k from an end of an axis, inwards. */
INLINE int64_t inwards(const struct plane *p, int axis, int is_high, int64_t k) {
    return is_high ? p->n[axis] - 1 - k : k;
}

/* The row that level `level` reads for row y, which lies beyond the plane. */
static const void *row_beyond(struct plane *p, int64_t level, int64_t y, int64_t z, int64_t slot) {
    const int is_high = y >= p->n[1];
    const int64_t d = is_high ? y - (p->n[1] - 1) : -y;
    const uint32_t rule = p->rules[1][is_high];
    const ode_index at[ODE_MOST_AXES] = {0, 0, wrapped(z, p->n[2])};
    const void *in[ODE_MOST_LANES + 1];
#define ROW_IN(k) row_at(p, level, inwards(p, 1, is_high, k), z)
    for (int64_t k = 0; k <= ODE_INWARDS_(rule, d, p->radius); k++) in[k] = ROW_IN(k);
    return ODE_GHOST_(rule, d, ROW_IN, ghost_row(p, level, ODE_SIDE_(1, is_high), d, at, in, slot));
#undef ROW_IN
}

/* The rows y .. y + count-1 that level `level` reads of a plane; the first one is number `slot` of
 * those that are read at once. */
static void read_plane(
    struct plane *p, int64_t level, int64_t y, int64_t z, int count, int64_t slot) {
    void *const *const rows = rows_at(p, level, y, z);
    for (int i = 0; i < count; i++)
        p->read[slot + i] =
            is_inside(p, 1, y + i) ? rows[i] : row_beyond(p, level, y + i, z, slot + i);
}

/* The same of a plane beyond the volume, after those inside, which it is made of. `first` is the
 * first plane that is read. */
static void read_beyond(
    struct plane *p, int64_t level, int64_t y, int64_t z, int count, int64_t first) {
    const int is_high = z >= p->n[2];
    const int64_t d = is_high ? z - (p->n[2] - 1) : -z, slot = (z - first) * count;
    const uint32_t rule = p->rules[2][is_high];
    for (int i = 0; i < count; i++) {
        const ode_index at[ODE_MOST_AXES] = {
            0, p->goes_round[1] ? wrapped(y + i, p->n[1]) : y + i, 0};
        const void *in[ODE_MOST_LANES + 1];
#define ROW_IN(k) p->read[(inwards(p, 2, is_high, k) - first) * count + i]
        for (int64_t k = 0; k <= ODE_INWARDS_(rule, d, p->radius); k++) in[k] = ROW_IN(k);
        p->read[slot + i] = ODE_GHOST_(
            rule, d, ROW_IN, ghost_row(p, level, ODE_SIDE_(2, is_high), d, at, in, slot + i));
#undef ROW_IN
    }
}

/* ---- coefficients: their rows have numbers of their own, with those around the tile ---- */

INLINE int64_t held_number(const struct plane *p, int64_t y, int64_t z) {
    return p->held_height ? z * p->held_height + y - p->y.first + p->radius : y;
}

static char *held_row(const struct plane *p, int64_t number) {
    return p->held + (uint64_t)place(number, p->held_rows) * p->coefficients.bytes +
           (uint64_t)p->radius * p->vector_bytes;
}

/* Bring in the rows up to this one: the first level is the first one to read them. */
static void hold_rows(struct plane *p, int64_t last) {
    for (; p->held_next <= last; p->held_next++) {
        const int64_t z = p->held_height ? int_floor(p->held_next, p->held_height) : 0,
                      y = p->held_height
                              ? p->held_next - z * p->held_height + p->y.first - p->radius
                              : p->held_next;
        if (y < p->y.last + p->radius)
            ecl_load_coefficients(&p->coefficients, p->system, p->job->tools, &p->dealt, p->x.first,
                y, z, held_row(p, p->held_next), p->scratch);
    }
}

/* List those that the rows of a turn read. */
static void list_coefficients(struct plane *p, const struct turn *turn) {
    const int64_t depth = is_volume(p->system) ? p->radius : 0, radius = p->radius;
    int slot = 0;
    if (!p->coefficients.count) return;
    hold_rows(p, held_number(p, turn->y + turn->count - 1 + radius, turn->z + depth));
    for (int64_t z = turn->z - depth; z <= turn->z + depth; z++)
        for (int64_t y = turn->y - radius; y < turn->y + turn->count + radius; y++)
            p->held_read[slot++] = held_row(p, held_number(p, y, z));
}

/* The rows that level `level` reads where it computes those of a turn. */
static const void *const *rows_read(struct plane *p, int64_t level, const struct turn *turn) {
    const int count = turn->count + 2 * p->radius, depth = is_volume(p->system) ? p->radius : 0;
    const int64_t y = turn->y - p->radius, first = turn->z - depth;
    if (!depth && is_inside(p, 1, y) && is_inside(p, 1, y + count - 1))
        return (const void *const *)rows_at(p, level, y, turn->z);
    for (int64_t z = first; z <= turn->z + depth; z++)
        if (is_inside(p, 2, z)) read_plane(p, level, y, z, count, (z - first) * count);
    for (int64_t z = first; z <= turn->z + depth; z++)
        if (!is_inside(p, 2, z)) read_beyond(p, level, y, z, count, first);
    return p->read;
}

/* Where a row of the state begins. */
INLINE uint64_t row_offset(const struct plane *p, int64_t y, int64_t z) {
    return (uint64_t)(wrapped(z, p->n[2]) * p->n[1] + wrapped(y, p->n[1])) * (uint64_t)p->n[0] *
           p->point_bytes;
}

/* The tile's columns of a row in the plain layout, or a copy of them where they go round. */
static const void *plain_row(const struct plane *p, int64_t y, int64_t z) {
    const char *const at = p->from + row_offset(p, y, z);
    const struct extent *const x = &p->x;
    if (x->first >= 0 && x->last <= p->n[0]) return at + (uint64_t)x->first * p->point_bytes;
    for (int64_t i = x->first; i < x->last;) {
        const int64_t column = wrapped(i, p->n[0]), left = int_min(p->n[0] - column, x->last - i);
        memcpy(p->plain + (uint64_t)(i - x->first) * p->point_bytes,
            at + (uint64_t)column * p->point_bytes, (uint64_t)left * p->point_bytes);
        i += left;
    }
    return p->plain;
}

static void load_row(struct plane *p, int64_t y, int64_t z, const struct ode_instant *t) {
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(y, p->n[1]), wrapped(z, p->n[2])};
    char *const u = row_at(p, 0, y, z);
    if (p->from_lanes)
        memcpy(u, p->from + row_offset(p, y, z), (uint64_t)p->n[0] * p->point_bytes);
    else
        p->job->tools->load(u, &p->dealt, plain_row(p, y, z), p->components);
    p->system->kernels->close_row(&p->system->context, &p->dealt.lanes, u, place, t);
}

static void store_row(const struct plane *p, int64_t level, int64_t y, int64_t z) {
    char *const row = p->to + row_offset(p, y, z);
    if (p->to_lanes)
        memcpy(row, row_at(p, level, y, z), (uint64_t)p->n[0] * p->point_bytes);
    else
        p->job->tools->store(row_at(p, level, y, z), &p->dealt,
            row + (uint64_t)p->x.a * p->point_bytes, p->components, p->x.a - p->x.first,
            p->x.b - p->x.first);
}

/* ---- a pass: all levels of a round through a tile ---- */

/* The errors of a row that a level has written. */
static void compare_errors(const struct plane *p, int64_t level, int64_t y, int64_t z) {
    const int estimate = p->system->method->estimate;
    const int64_t at = is_volume(p->system) ? z : y;
    if (at >= p->system->kept && at < p->system->kept_end && y >= p->y.a && y < p->y.b &&
        z >= p->z.a && z < p->z.b)
        ecl_job_compare_errors(p->job, p->thread, row_at(p, level, y, z),
            carried_at(p, estimate - 1, carried_slot(p, y, z)), &p->dealt, p->x.a - p->x.first,
            p->x.b - p->x.first);
}

/* A row that a level has written; what stands at its ends follows. */
static void flush_row(struct plane *p, int64_t level, void *u, int64_t y, int64_t z) {
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(y, p->n[1]), wrapped(z, p->n[2])};
    ecl_flush_lanes(p->system, u, p->dealt.lanes.points);
    p->system->kernels->close_row(&p->system->context, &p->dealt.lanes, u, place, &p->times[level]);
}

static void step_rows(struct plane *p, int64_t level, const struct turn *turn) {
    const struct batch *batch = &p->job->batch;
    const struct method *m = p->system->method;
    const struct ode_instant *const t = &p->times[level - 1], *const t_next = &p->times[level];
    const struct ode_kernels *kernels = p->system->kernels;
    const int64_t y = turn->y, z = turn->z;
    const int rows = turn->count;
    const ode_index place[ODE_MOST_AXES] = {0, wrapped(y, p->n[1]), wrapped(z, p->n[2])};
    const void *const *in = rows_read(p, level - 1, turn);
    void *const *out = rows_at(p, level, y, z), *carried[CPU_MOST_ROWS * (ODE_MOST_ARRAYS_ - 1)];
    list_coefficients(p, turn);
    if (p->job->stages) {
        const struct cpu_levels these = ecl_job_levels(p->job, p->begin + level - 1);
        int64_t slot = carried_slot(p, y, z);
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
        if (is_compared) compare_errors(p, level, y + r, z);
        if (is_flushed) flush_row(p, level, out[r], y + r, z);
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
 * then. */
INLINE void fetch_next(
    const struct plane *p, int64_t level, const struct turn *loaded, const struct turn *stored) {
    for (int64_t y = loaded->y; p->x.first >= 0 && y < loaded->y + loaded->count; y++)
        fetch(p->from + row_offset(p, y, loaded->z) + (uint64_t)p->x.first * p->point_bytes,
            (uint64_t)(p->x.last - p->x.first) * p->point_bytes, level, p->levels);
    for (int64_t y = stored->y; y < stored->y + stored->count; y++)
        fetch(p->to + row_offset(p, y, stored->z) + (uint64_t)p->x.a * p->point_bytes,
            (uint64_t)(p->x.b - p->x.a) * p->point_bytes, level, p->levels);
}

/* What a level computes along y or z: as many points around what the tile keeps as the levels after
 * it read. */
static struct extent extent_of(const struct plane *p, int axis, int64_t level) {
    const struct extent *const e = axis == 1 ? &p->y : &p->z;
    const int64_t halo = axis > p->last_axis ? 0 : (p->levels - level) * p->radius;
    return (struct extent){e->a, e->b, deal_reach_down(e->a, halo, p->goes_round[axis]),
        deal_reach_up(e->b, halo, p->n[axis], p->goes_round[axis])};
}

/* The turn of a level that begins with row number `number`. */
static struct turn turn_at(
    const struct plane *p, int64_t number, const struct extent *y, const struct extent *z) {
    const int64_t plane = p->height ? int_floor(number, p->height) : 0,
                  row = p->height ? p->y.first + number - plane * p->height : number,
                  first = int_max(row, y->first), last = int_min(row + p->rows, y->last);
    const int is_there = plane >= z->first && plane < z->last && first < last;
    return (struct turn){first, plane, is_there ? (int)(last - first) : 0};
}

static int64_t pass(struct plane *p) {
    const int64_t levels = p->levels;
    const int is_resident = p->job->tiling.resident;
    int64_t computed = 0;
    struct extent y[levels + 1], z[levels + 1];
    struct ode_instant times[levels + 1];
    p->times = times;
    for (int64_t level = 0; level <= levels; level++) {
        times[level] = ecl_level_instant(p->system, &p->job->batch, p->begin + level);
        y[level] = extent_of(p, 1, level);
        z[level] = extent_of(p, 2, level);
        if (level)
            computed += (y[level].last - y[level].first) * (z[level].last - z[level].first) *
                        (p->x.last - p->x.first);
    }
    const int64_t end = number_of(p, p->y.b - 1, p->z.b - 1) + levels * p->lag;
    for (int64_t number = number_of(p, p->y.first, z[0].first); number <= end; number += p->rows) {
        const struct turn loaded = turn_at(p, number, &y[0], &z[0]),
                          next = turn_at(p, number + p->rows, &y[0], &z[0]),
                          stored = turn_at(
                              p, number + p->rows - levels * p->lag, &y[levels], &z[levels]);
        for (int r = 0; r < loaded.count && !is_resident; r++)
            load_row(p, loaded.y + r, loaded.z, &times[0]);
        for (int64_t level = 1; level <= levels; level++) {
            const struct turn turn = turn_at(p, number - level * p->lag, &y[level], &z[level]);
            if (!is_resident) fetch_next(p, level, &next, &stored);
            if (!turn.count) continue;
            step_rows(p, level, &turn);
            for (int r = 0; r < turn.count && level == levels && !is_resident; r++)
                store_row(p, level, turn.y + r, turn.z);
        }
    }
    return (computed - levels * (p->y.b - p->y.a) * (p->z.b - p->z.a) * (p->x.b - p->x.a)) *
           p->components;
}

/* ---- a thread ---- */

static void wait_for(const struct plane *p, int64_t thread, int64_t done) {
    const int64_t threads = p->job->tiling.threads;
    const int is_ring = p->goes_round[p->last_axis];
    if (threads < 2) return;
    if (thread > 0 || is_ring)
        ecl_flag_wait(&p->job->flags[(thread + threads - 1) % threads], done);
    if (thread < threads - 1 || is_ring)
        ecl_flag_wait(&p->job->flags[(thread + 1) % threads], done);
}

static void begin_round(struct plane *p, int64_t round) {
    p->from = p->job->x[round % 2];
    p->to = p->job->x[(round + 1) % 2];
    const int stays = ecl_stays_in_lanes(p->system, &p->job->tiling);
    p->from_lanes = stays && round > 0;
    p->to_lanes = stays && round + 1 < p->job->rounds;
    const int64_t stages = p->system->method->stages;
    p->begin = stages * ecl_round_begin(p->job, round);
    p->levels = stages * ecl_round_begin(p->job, round + 1) - p->begin;
}

/* What part number `part` of `parts` keeps along an axis, and has. One part alone of a row needs no
 * halo: its lanes go round. */
static struct extent part_of(const struct plane *p, int axis, int64_t parts, int64_t part) {
    const int64_t n = p->n[axis], a = deal_part(n, parts, part), b = deal_part(n, parts, part + 1);
    if (axis == 0 && parts == 1) return (struct extent){0, n, 0, n};
    return (struct extent){a, b, deal_reach_down(a, p->halo, p->goes_round[axis]),
        deal_reach_up(b, p->halo, n, p->goes_round[axis])};
}

static void set_tile(struct plane *p, int64_t strip, int64_t slice) {
    const struct extent band = {p->lo, p->hi,
        deal_reach_down(p->lo, p->halo, p->goes_round[p->last_axis]),
        deal_reach_up(p->hi, p->halo, p->n[p->last_axis], p->goes_round[p->last_axis])};
    p->x = part_of(p, 0, p->strips, strip);
    p->y = p->height ? part_of(p, 1, p->slices, slice) : band;
    p->z = p->height ? band : (struct extent){0, 1, 0, 1};
    ecl_deal(p->job->tools, p->x.last - p->x.first, p->x.first, p->n[0], &p->dealt);
    p->row_bytes = ecl_plane_row_bytes(p->system, p->x.last - p->x.first);
    list_places(p);
    p->written = 0;
    p->held_next = held_number(p, p->y.first - p->radius, p->z.first - (p->height ? p->radius : 0));
}

/* The tiles of a neighbour, counted from the first, that are done if those around this tile are. */
static int64_t tiles_around(const struct plane *p, int64_t strip, int64_t slice) {
    const int64_t below = slice + 1 < p->slices && !p->goes_round[1] ? slice + 1 : p->slices - 1;
    return below * p->strips + (strip + 1 < p->strips && !p->goes_round[0] ? strip + 2 : p->strips);
}

static void work_in_tiles(struct plane *p, int64_t thread) {
    const int64_t tiles = p->strips * p->slices;
    for (int64_t round = 0; round < p->job->rounds; round++) {
        begin_round(p, round);
        for (int64_t tile = 0; tile < tiles; tile++) {
            const int64_t strip = tile % p->strips, slice = tile / p->strips;
            /* What the neighbours wrote a round ago around this tile, and read there, must be
             * done. */
            if (round) wait_for(p, thread, (round - 1) * tiles + tiles_around(p, strip, slice));
            set_tile(p, strip, slice);
            p->job->redundant[thread] += pass(p);
            ecl_flag_publish(&p->job->flags[thread], round * tiles + tile + 1);
        }
    }
}

/* Rows first .. first + halo - 1 of the state, which is level 0 of the round to come. */
static void put_rows(struct plane *p, int64_t first, const char *rows) {
    for (int64_t i = 0; i < p->halo; i++)
        memcpy((char *)row_at(p, 0, first + i, 0) - before_row(p),
            rows + (uint64_t)i * p->row_bytes, p->row_bytes);
}
static void get_rows(const struct plane *p, int64_t first, char *rows) {
    for (int64_t i = 0; i < p->halo; i++)
        memcpy(rows + (uint64_t)i * p->row_bytes,
            (char *)row_at(p, 0, first + i, 0) - before_row(p), p->row_bytes);
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
    set_tile(p, 0, 0);
    begin_round(p, 0);
    const struct ode_instant t = ecl_level_instant(p->system, &p->job->batch, p->begin);
    for (int64_t row = p->y.first; row < p->y.last; row++) load_row(p, row, 0, &t);
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
    for (int64_t row = p->lo; row < p->hi; row++) store_row(p, 0, row, 0);
}

void ecl_plane_work(void *user, int64_t thread) {
    const struct cpu_job *job = user;
    const struct system *s = job->system;
    const struct ode_grid *const grid = &s->context.grid;
    const struct cpu_tiling *tiling = &job->tiling;
    if (thread >= tiling->threads) return;
    struct plane p = {.job = job,
        .system = s,
        .thread = thread,
        .n = {grid->extents[0], grid->extents[1], grid->extents[2]},
        .components = (int)grid->components,
        .radius = (int)grid->radius,
        .last_axis = (int)grid_last_axis(grid),
        .rules = s->definition->grid.boundary,
        .goes_round = {grid_is_periodic(grid, 0), grid_is_periodic(grid, 1),
            grid_is_periodic(grid, 2)},
        .rows = tiling->rows,
        .height = ecl_plane_height(s, tiling),
        .ring_rows = ecl_plane_ring(s, tiling),
        .lag = ecl_plane_lag(s, tiling),
        .apart = ecl_plane_apart(s, tiling),
        .coefficients = ecl_plane_coefficients(s, tiling)};
    const uint64_t most = ecl_plane_row_bytes(s, ecl_plane_columns(s, tiling));
    p.point_bytes = (uint64_t)p.components * s->real_size;
    p.vector_bytes = (uint64_t)s->kernels->lanes * s->real_size;
    p.lo = deal_part(grid_length(grid), tiling->threads, thread);
    p.hi = deal_part(grid_length(grid), tiling->threads, thread + 1);
    p.halo = job->round_steps * s->method->stages * p.radius;
    p.strips = tiling->resident ? 1 : int_ceil(p.n[0], tiling->tile);
    p.slices = is_volume(s) ? int_ceil(p.n[1], tiling->height) : 1;
    p.ring = ecl_workspace(job, thread);
    p.ghosts = p.ring + (uint64_t)p.ring_rows * most;
    p.carried = p.ghosts + (uint64_t)ecl_plane_ghosts(s, tiling) * most;
    p.carried_slots = ecl_plane_carried(s, tiling);
    p.places = (void **)(p.ring + (uint64_t)ecl_plane_rows(s, tiling) * most);
    p.held = (char *)(p.places + 2 * p.ring_rows);
    p.held_rows = ecl_plane_held(s, tiling);
    p.held_height = ecl_plane_held_height(s, tiling);
    p.scratch = p.held + (uint64_t)p.held_rows * p.coefficients.bytes;
    p.plain = p.scratch + p.coefficients.row_bytes;
    p.dealt.lanes.coefficients = p.held_read;
    p.dealt.lanes.coefficient_stride = (int64_t)(p.coefficients.row_bytes / (uint64_t)s->real_size);
    if (tiling->resident)
        work_resident(&p, thread);
    else
        work_in_tiles(&p, thread);
}
