/* SPDX-License-Identifier: BSD-2-Clause */
/* schedule/overlap_registers.c - see schedule/overlap_registers.h. Every shape that fits is tried,
 * and its time predicted; the constants are fitted to measurements on an H200. */
#include "config.h"
#include "overlap_registers.h"
#include "../problem/grid.h"
#include "../int.h"
#include "../problem/lexer.h"
#include "machine.h"
#include "../problem/problem_text.h"
#include "../problem/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_REALS = 176,
    PLANE_REALS = 128,
    STREAM_REALS = 180, /* words of the state that an item can hold beside what it computes with */
    STREAM_REGISTERS = 296,        /* as estimated, which some must spill */
    PIPELINE_REALS = 252,          /* words of the rows that an item keeps, and of one more */
    PIPELINE_SHORT_ROW = 20,       /* words of an item's row from which on flushing is cheaper, */
    PIPELINE_EASY_FLUSH = 168,     /* and registers of an item up to which it is */
    PIPELINE_MOST_CONFLICTS = 2,   /* items of a warp that may wait for one bank */
    PIPELINE_MOST_ROWS = 224,      /* words of these with a row more for each level */
    PIPELINE_MOST_REGISTERS = 262, /* as estimated, beyond which some are spilled */
    PIPELINE_MIDWAY_ROWS = 200, /* words of all rows that leave registers in the middle of a turn */
    PIPELINE_FEW_WARPS = 8,     /* of a compute unit */
    BANK_BYTES = 128,           /* of all banks of local memory */
    STAGE_BYTES = 16 << 10,     /* of local memory that the copies of REGISTER_LINE may take */
    MOST_COMPONENTS = 64,
    MOST_LAUNCH_LEVELS = 1024,
    MOST_PARTS = 1 << 14, /* of the strips of REGISTER_PIPELINE: they are counted one by one */
};
/* Planes whose items hold so many points of several components were a tenth faster than their
 * neighbours in shape wherever both were measured. So were all those of one component in double,
 * and those of radius 1 whose items hold so many reals that a unit has room for just two groups.
 * The reason is not known. */
static const int64_t favoured_points = 3, favoured_rows = 12, favoured_reals = 88;
static const double unfavoured = 1.1;

int ecl_register_patience = 1 << 16;

static const char *const variant_names[] = {"auto", "group", "group-local", "stream", "pipeline"};

/* ---- what follows from the method ---- */

/* Whether neighbours read components that are positions, or that are not. */
static int has_shared(const struct system *s, int positions) {
    const struct ode_grid *grid = &s->definition->grid;
    const uint64_t shared = ecl_find_reads(s->definition).components;
    for (uint32_t c = 0; c < grid->components; c++)
        if ((c > 63 || shared >> c & 1) && ecl_is_position(s, c) == positions) return 1;
    return !grid->rank;
}

struct stage_edges ecl_registers_edges(const struct system *s, const struct stage *stage) {
    if (stage->components == STAGE_ALL) return (struct stage_edges){1, 1};
    /* The derivatives of positions are made of velocities alone: `eulercl check` verifies that. */
    const int positions = stage->components == STAGE_POSITIONS;
    return (struct stage_edges){
        .reads = !positions || has_shared(s, 0), .hands_over = has_shared(s, positions)};
}

/* What the search needs to know of a method, or of some of the sections into which a step is cut:
 * of the longest one. */
struct method_costs {
    struct cut cut;
    int launches;                       /* for a step: the sections */
    int is_body;                        /* their stages have one shape: ecl_find_body */
    int is_star;                        /* of the problem: no diagonal neighbours */
    int64_t stages, all_stages, arrays; /* of a section, of all of them */
    int64_t enters, leaves;             /* carried values that come from memory and go there */
    int64_t depth[2];   /* radii from a tile's end that a first step spoils, and each further one */
    double evaluations; /* of the right-hand side, per stage */
    double updates;     /* instructions for a component besides, per stage */
    double live;        /* carried values of a component between two stages */
    double live_in_stream; /* of these, those that its levels do not hold anyway */
    int64_t factors;       /* bytes of the coefficients */
};

/* Of a step: points of velocities and of positions that are spoiled. */
static void spoil(const struct system *s, const struct method *m, int64_t depth[2]) {
    for (int k = 0; k < m->stages; k++) {
        const struct stage *stage = &m->table[k];
        const int64_t reads = ecl_registers_edges(s, stage).reads;
        if (stage->components == STAGE_ALL) {
            depth[0] = depth[1] = int_max(depth[0], depth[1]) + reads;
        } else {
            const int kind = stage->components == STAGE_POSITIONS;
            depth[kind] = int_max(depth[kind], depth[!kind] + reads);
        }
    }
}

/* The carried values that the stage replaces by its solution, which the next stage replaces again,
   as bits: rows of REGISTER_STREAM's levels are there as long as that. */
static unsigned passing_copies(const struct method *m, int stage) {
    unsigned copies = 0;
    for (int i = 1; stage + 1 < m->stages && i < m->arrays; i++) {
        const struct stage_row row = ecl_stage_row(&m->table[stage], i),
                               next = ecl_stage_row(&m->table[stage + 1], i);
        const int is_copy = row.terms == 1 && row.ones == 1, is_kept = next.terms == 1u << i;
        copies |= (unsigned)(is_copy && !is_kept) << (i - 1);
    }
    return copies;
}

/* Of the sections from..end-1. */
static struct method_costs costs_of(const struct system *s, struct cut cut, int from, int end) {
    const struct method *m = s->method;
    struct method_costs c = {.cut = cut,
        .launches = end - from,
        .arrays = m->arrays,
        .evaluations = (double)m->evaluations / m->stages};
    const int first = (int)(ecl_section(m, cut, from).table - m->table);
    for (int k = from; k < end; k++) {
        const struct method section = ecl_section(m, cut, k);
        const int64_t begin = section.table - m->table;
        int64_t depth[2] = {0, 0};
        spoil(s, &section, depth);
        const int64_t once = int_max(depth[0], depth[1]);
        spoil(s, &section, depth);
        c.depth[0] = int_max(c.depth[0], once);
        c.depth[1] = int_max(c.depth[1], int_max(depth[0], depth[1]) - once);
        c.stages = int_max(c.stages, section.stages);
        c.all_stages += section.stages;
        c.enters = int_max(c.enters, ecl_carried_into(m, begin));
        c.leaves = int_max(c.leaves, ecl_carried_into(m, begin + section.stages));
        c.factors = int_max(c.factors,
            (int64_t)section.stages * ecl_stage_factors(&section) * (int64_t)s->real_size);
    }
    for (int k = first; k < first + c.all_stages; k++) {
        const unsigned wanted = ecl_wanted_behind(m, k);
        c.live += __builtin_popcount(wanted);
        c.live_in_stream += __builtin_popcount(wanted & ~passing_copies(m, k));
        for (int i = 0; i < m->arrays; i++) {
            const struct stage_row row = ecl_stage_row(&m->table[k], i);
            const int first_is_one = row.ones >> __builtin_ctz(row.terms | 1u << 31) & 1;
            c.updates += __builtin_popcount(row.terms) - (row.terms ? first_is_one : 0);
        }
    }
    /* Partitioned methods: of some components only. */
    c.updates *= c.evaluations / (double)c.all_stages;
    c.live /= (double)c.all_stages;
    c.live_in_stream /= (double)c.all_stages;
    return c;
}

static int64_t depth_of(const struct method_costs *c, int64_t steps) {
    return c->depth[0] + (steps - 1) * c->depth[1];
}

/* ---- what follows from a shape ---- */

static overlap_line across_of(const struct system *s, const struct register_tile *t) {
    return (overlap_line){.n = s->context.grid.extents[0],
        .tile = t->points * t->items,
        .halo = t->halo,
        .periodic = grid_is_periodic(&s->context.grid, 0)};
}

static overlap_line down_of(const struct system *s, const struct register_tile *t) {
    return (overlap_line){.n = s->context.grid.extents[1],
        .tile = t->rows * t->item_rows,
        .halo = t->halo_down,
        .periodic = grid_is_periodic(&s->context.grid, 1)};
}

/* -> NULL, or what is wrong. */
static const char *misfit(overlap_line o) {
    if (!o.periodic && o.tile > o.n) return "a tile is larger than the grid";
    if (o.tile <= 2 * o.halo && (o.periodic || o.tile < o.n))
        return "with this number of steps no point of a tile stays valid";
    return NULL;
}

/* Rows of strips that all batches have, each with `beyond` rows on either side as far as
   the grid goes. Sums in uint64_t, where what is too much is taken away again. */
static uint64_t stream_rows(
    const struct system *s, const struct register_tile *t, int64_t batches, int64_t beyond) {
    const int64_t ny = s->context.grid.extents[1], height = t->height;
    if (grid_is_periodic(&s->context.grid, 1))
        return (uint64_t)ny + 2 * (uint64_t)batches * (uint64_t)beyond;
    /* Ends of the first `whole` batches lie inside, begins from batch number `inside` on. */
    const int64_t whole = ny > beyond ? int_min(batches, (ny - beyond - 1) / height) : 0,
                  inside = int_min(batches, beyond / height + 1);
    const uint64_t end_heights = (uint64_t)(whole * (whole + 1) / 2),
                   begin_heights = (uint64_t)((batches - 1 + inside) * (batches - inside) / 2);
    const uint64_t ends = end_heights * (uint64_t)height + (uint64_t)whole * (uint64_t)beyond +
                          (uint64_t)(batches - whole) * (uint64_t)ny;
    const uint64_t begins =
        begin_heights * (uint64_t)height - (uint64_t)(batches - inside) * (uint64_t)beyond;
    return ends - begins;
}

/* Rows that a pipeline computes: those of every strip, and what both pieces at a cut within a strip
 * have beyond it.
 */
static uint64_t pipeline_rows(
    const struct system *s, const struct register_tile *t, int64_t strips, int64_t beyond) {
    const int64_t ny = s->context.grid.extents[1], period = ny + t->gap;
    const int is_ring = grid_is_periodic(&s->context.grid, 1);
    uint64_t rows = (uint64_t)strips * (uint64_t)(is_ring ? ny + 2 * beyond : ny);
    for (int64_t g = 1; g < t->groups; g++) {
        const int64_t row = g * t->height % period;
        if (row == 0 || row >= ny) continue;
        rows += (uint64_t)(is_ring ? 2 * beyond : int_min(beyond, row) + int_min(beyond, ny - row));
    }
    return rows;
}

struct register_share ecl_registers_share(
    const struct system *s, const struct register_tile *t, int64_t rows) {
    const int64_t length = overlap_length(
                      (overlap_strips){rows, t->gap}, overlap_count(across_of(s, t))),
                  height = int_ceil(length, t->groups);
    return (struct register_share){int_ceil(length, height), height};
}

/* Points of halo that an item of a line computes along in so many levels: between two exchanges a
 * radius less at each level, none at the last. */
static int64_t halo_levels(const struct register_tile *t, int64_t steps) {
    const int64_t whole = steps / t->exchange, rest = steps % t->exchange;
    const int64_t along = whole * t->exchange * (t->exchange - 1) +
                          (rest ? (rest - 1) * (2 * t->exchange - rest) : 0);
    return along * t->radius;
}

uint64_t ecl_registers_computed(
    const struct system *s, const struct register_tile *t, int64_t steps) {
    const uint64_t components = s->definition->grid.components,
                   strip_width = (uint64_t)(t->points * t->items),
                   width = (uint64_t)overlap_count(across_of(s, t)) * strip_width;
    if (register_is_strip(t->kernel)) {
        const int64_t strips = overlap_count(across_of(s, t)),
                      batches = int_ceil(s->context.grid.extents[1], t->height);
        const uint64_t launches = (uint64_t)int_ceil(steps * t->stages, t->levels);
        uint64_t points = 0; /* all levels work, those beyond the steps in vain */
        for (int64_t level = 1; level <= t->levels; level++) {
            const int64_t beyond = t->radius * (t->levels - level);
            points += t->kernel == REGISTER_STREAM
                          ? width * stream_rows(s, t, batches, beyond)
                          : strip_width * pipeline_rows(s, t, strips, beyond);
        }
        return launches * points * components;
    }
    const int64_t levels = steps * t->stages;
    if (t->kernel == REGISTER_PLANE)
        return (uint64_t)(t->groups * t->points * t->items * t->rows * t->item_rows) *
               (uint64_t)levels * components;
    return (width * (uint64_t)levels + (uint64_t)(t->groups * t->items * halo_levels(t, levels))) *
           components;
}

/* Of the carried values of so many words of the solution. */
static int64_t carried_words(int64_t words, double live) {
    return (int64_t)ceil((double)words * live);
}

static int64_t stream_registers(
    int64_t word, const struct register_tile *t, const struct method_costs *c) {
    return (2 * t->radius * t->levels + 7) * t->points * word +
           carried_words(t->levels * t->points * word, c->live_in_stream) + 58 +
           (c->live_in_stream > 1.5 ? 8 : 0);
}

/* What REGISTER_PIPELINE's warps do; see kernels/register_pipeline.cl. */
struct pipeline {
    int64_t levels; /* of a warp */
    int64_t lag, kept, sides, delay;
    int64_t classes;   /* 1: all warps have the same shapes, about */
    int64_t arrays;    /* of a row in local memory */
    int64_t rows;      /* words of the rows that an item keeps */
    int64_t registers; /* words of an item */
    int64_t taken;     /* registers that it takes, more than there are if some are spilled */
    int64_t access_bytes, conflicts; /* of accesses to a row in local memory: their size, and how
                                        many items of a warp wait for the same bank */
};
static struct pipeline pipeline_of(
    const struct system *s, const struct register_tile *t, const struct method_costs *c) {
    const int64_t word = (int64_t)s->real_size / 4 * s->definition->grid.components;
    struct pipeline p = {.levels = t->levels / t->item_rows,
        .lag = t->radius + 1 - c->is_star,
        .sides = c->is_star ? 1 : 2 * t->radius + 1};
    p.kept = t->radius + p.lag;
    p.delay = t->item_rows * (p.levels * p.lag + 1);
    p.classes = p.levels % c->stages && !c->is_body ? 2 : 1;
    p.arrays = p.levels % c->stages || c->is_body ? c->arrays : 1;
    p.rows = p.kept * p.levels * t->points * word;
    p.registers = p.rows + t->points * word +
                  carried_words(p.levels * p.lag * t->points * word, c->live_in_stream);
    /* The row that is new in a turn is one of the next turn's, so each level has as many rows as
       turns are in the text. */
    const int64_t more = t->unroll > p.kept ? (p.levels - 1) * t->points * word : 0;
    p.taken = p.registers + more + 34 + 3 * p.levels;
    if (s->definition->grid.components > 2)
        p.taken += 7 * p.levels * (s->definition->grid.components - 2);
    if (!c->is_star) p.taken += p.taken / 7;
    const int64_t bytes = t->points * word * 4;
    p.access_bytes = int_min(16, bytes & -bytes); /* a power of two that divides it */
    p.conflicts = 1;
    while (p.conflicts * p.access_bytes < BANK_BYTES &&
           bytes / p.access_bytes % (2 * p.conflicts) == 0)
        p.conflicts *= 2;
    return p;
}

/* 32-bit registers of an item, about what NVIDIA's compiler takes: lines that are unrolled over two
 * exchanges overlap in time. Eight too few, and a unit was thought to hold two groups of 384 items
 * where it holds one. */
static int64_t registers_of(
    const struct system *s, const struct register_tile *t, const struct method_costs *c) {
    const int64_t word = (int64_t)s->real_size / 4 * s->definition->grid.components;
    switch (t->kernel) {
    case REGISTER_LINE: {
        const int64_t state = (t->points + 2 * t->exchange * t->radius) * word +
                              carried_words(t->points * word, c->live);
        /* Steps of several stages overlap less. */
        const int64_t ahead = state < 64 ? 8 : state / (c->stages > 1 ? 4 : 3);
        return state >= 128 ? MACHINE_MOST_REGISTERS : state + ahead + 36;
    }
    case REGISTER_PLANE:
        /* The state, the edges of a row, and that of the row above. */
        return int_min(
            MACHINE_MOST_REGISTERS, (t->rows * t->points + t->points + 2 * t->radius + 1) * word +
                                        carried_words(t->rows * t->points * word, c->live) + 23);
    case REGISTER_PIPELINE:
        return int_min(MACHINE_MOST_REGISTERS, pipeline_of(s, t, c).taken);
    default:
        return int_min(MACHINE_MOST_REGISTERS, stream_registers(word, t, c));
    }
}

/* How many work-groups a unit can hold at once. */
static int64_t most_resident(
    const struct system *s, const struct register_tile *t, const struct method_costs *c) {
    const int64_t items = int_ceil(t->items * t->item_rows, MACHINE_WARP) * MACHINE_WARP;
    int64_t groups =
        int_min(32, MACHINE_UNIT_REGISTERS / (int_ceil(registers_of(s, t, c), 8) * 8 * items));
    if (t->local_bytes)
        groups = int_min(groups, MACHINE_UNIT_LOCAL_BYTES / (int64_t)t->local_bytes);
    return int_max(1, groups);
}

/* Of so many warps, for two warps of each scheduler: these hide what each of them waits for. More
 * make shorter pieces, whose levels fill more often. */
static int64_t few_groups(int64_t warps) { return int_max(1, PIPELINE_FEW_WARPS / warps); }

/* How many it holds. */
static int64_t resident(
    const struct system *s, const struct register_tile *t, const struct method_costs *c) {
    return t->unit_groups ? t->unit_groups : most_resident(s, t, c);
}

static int64_t radius_of(const struct system *s) {
    return int_max(
        1, has_grid(s->definition) ? (int64_t)s->context.grid.radius : s->access_distance);
}

static int has_ptx(const eulercl_device_info *device) {
    return device->is_gpu && strstr(device->platform, "NVIDIA");
}

/* REGISTER_PIPELINE uses PTX with asynchronous copies. */
static int has_copies(const eulercl_device_info *device) {
    return has_ptx(device) && device->compute_capability >= 80;
}

/* How often a loop's body stands in the text, of `most`. Long texts are for the registers of GPUs:
   compilers for processors need minutes for some, and PoCL computes wrong values in others
   (doc/design/registers.md). */
static int unrolled(const eulercl_device_info *device, int most) {
    return device->is_gpu ? most : 1;
}

/* Steps without a branch in between. With an even number of stages it is known in the text which
   edges are which; but the text must fit into the cache for instructions. */
static int unrolled_steps(const struct register_tile *t, const struct method_costs *c) {
    const int is_short = t->kernel == REGISTER_LINE && t->points <= 16;
    if (c->stages == 1 || t->unroll == 1) return t->unroll;
    const int64_t fitting = (is_short ? int_max(8, t->unroll) : t->unroll) / c->stages;
    return (int)int_max(fitting, t->unroll > 2 && c->stages % 2 ? 2 : 1);
}

/* Bytes for coefficients among the arguments of a kernel, of 4352 on NVIDIA's devices and at least
   1024 on all. */
static int64_t argument_bytes(const eulercl_device_info *device) {
    return has_ptx(device) ? 3584 : 512;
}

static const char *misses_mirror(const struct system *s, const struct register_tile *t) {
    const uint32_t *const rules = s->definition->grid.boundary[0];
    return (rules[0] == ODE_MIRROR || rules[1] == ODE_MIRROR) && t->points <= t->radius
               ? "the mirror image of an edge is wider than what an item holds"
               : NULL;
}

/* Work-groups that run at once, or as many as are asked for. */
static int64_t groups_wanted(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, const struct register_tile *t) {
    return TUNED_OR(&run->options, workgroups,
        resident(&run->system, t, c) * int_max(1, device->compute_units));
}

/* Cut `columns` strips into stretches, as many as run at once or as are asked for; -> all points
 * that are loaded, 0 if they are too many. */
static uint64_t cut_strips(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t ny = s->context.grid.extents[1], wanted = groups_wanted(run, device, c, t);
    t->height = int_ceil(ny, int_max(1, int_min(ny, wanted / columns)));
    const int64_t batches = int_ceil(ny, t->height);
    t->groups = columns * batches;
    if (t->groups > INT32_MAX) return 0;
    return (uint64_t)(columns * t->points * t->items) * stream_rows(s, t, batches, t->halo_down);
}

/* The strips of a pipeline are laid end to end: each in equal pieces, if these have no
 * more rows than the parts into which all strips are cut without regard to where one ends. */
static uint64_t share_strips(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t nx = s->context.grid.extents[0], ny = s->context.grid.extents[1],
                  wanted = int_min(groups_wanted(run, device, c, t), MOST_PARTS),
                  delay = pipeline_of(s, t, c).delay;
    const int is_ring = grid_is_periodic(&s->context.grid, 1);
    /* Rows that a group could make in the extra time that an end of the grid takes; and in that of
       the end of a strip and the beginning of the next one, where all levels fill again and both
       ends of the grid are slow. */
    const int64_t at_end = is_ring ? 0 : delay,
                  between = delay + (is_ring ? t->halo_down : delay * 3 / 2);
    /* Gaps add at most a quarter of the points, so that the type of an index holds a position. */
    const int64_t most = nx / 4 * ny / columns;
    t->gap = between <= most ? between : 0;
    t->height = int_ceil(
        overlap_length((overlap_strips){ny, t->gap}, columns), int_min(wanted, columns * ny));
    const int64_t pieces = wanted / columns,
                  height = pieces ? int_ceil(ny + at_end, pieces) : INT64_MAX;
    if (height <= t->height) {
        const int64_t gap = int_ceil(ny + at_end, height) * height - ny;
        if (gap <= most) {
            t->height = height;
            t->gap = gap;
        }
    }
    t->groups = int_ceil(overlap_length((overlap_strips){ny, t->gap}, columns), t->height);
    return (uint64_t)(t->points * t->items) * pipeline_rows(s, t, columns, t->halo_down);
}

/* What follows for a kernel, on a grid of so many tiles or strips side by side: unroll,
 * local_bytes, groups, in `loaded` the points, and what only this kernel has. -> NULL, or what is
 * wrong. */

static const char too_much[] = "an item holds more than fits into registers",
                  too_many[] = "there are more tiles than a launch can have";

static const char *complete_line(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = size / 4 * components, edge = t->radius * components * t->exchange;
    if ((t->points + 2 * t->radius * t->exchange) * word +
            carried_words(t->points * word, c->live) >
        LINE_REALS)
        return too_much;
    t->stage = (int)int_min(t->points, 16);
    while (t->stage > 1 &&
           (t->points % t->stage || ((t->stage * components) | 1) * t->items * size > STAGE_BYTES))
        t->stage--;
    t->unroll = unrolled(device, t->points <= 6 && c->stages == 1 ? 16
                                 : t->points <= 8                 ? 8
                                 : t->points <= 16                ? 4
                                                                  : 2);
    t->unrolled_steps = unrolled_steps(t, c);
    t->local_bytes = (uint64_t)((((t->stage * components) | 1) + 4 * edge) * t->items * size);
    t->groups = columns;
    t->loaded = (uint64_t)(columns * across_of(s, t).tile);
    return NULL;
}

static const char *complete_plane(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = size / 4 * components, all = t->items * t->item_rows,
                  edge = t->radius * components; /* reals of one side of one row */
    const overlap_line down = down_of(s, t);
    const char *const wrong = misfit(down);
    if (wrong) return wrong;
    if (t->item_rows > 1 && t->rows < t->radius)
        return "a neighbour's edge is higher than what an item holds";
    if (t->points * t->rows * word + carried_words(t->points * t->rows * word, c->live) >
        PLANE_REALS)
        return too_much;
    /* The text of four stages of ten points is too long if each has four arrays. */
    t->unroll = unrolled(device, t->points * t->rows <= (c->arrays > 3 ? 8 : 10) ? 4
                                 : t->points * t->rows <= 24                     ? 2
                                                                                 : 1);
    const uint64_t once =
        (uint64_t)((2 * edge * t->points + (t->shuffle ? 0 : 2 * edge * t->rows)) * all * size);
    t->buffers = 2 * once < device->local_bytes ? 2 : 1;
    if (t->buffers == 1) t->unroll = 1;
    t->unrolled_steps = unrolled_steps(t, c);
    t->local_bytes = (uint64_t)t->buffers * once;
    t->groups = columns * overlap_count(down);
    if (t->groups > INT32_MAX) return too_many;
    t->loaded = (uint64_t)(t->groups * across_of(s, t).tile * down.tile);
    return NULL;
}

static const char *complete_stream(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = size / 4 * components;
    if ((2 * t->radius + 1) * t->levels * t->points * word > STREAM_REALS ||
        stream_registers(word, t, c) > STREAM_REGISTERS)
        return too_much;
    t->unroll = unrolled(device, (int)(2 * t->radius + 2 - c->is_star)); /* a ring's rows */
    t->local_bytes = (uint64_t)(4 * (t->items + 1) * t->levels * t->radius * components * size);
    t->loaded = cut_strips(run, device, c, t, columns);
    return t->loaded ? NULL : too_many;
}

static const char *complete_pipeline(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t, int64_t columns) {
    const struct system *s = &run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = size / 4 * components;
    if (t->points < t->radius) return "a neighbour's edge is wider than what an item holds";
    const struct pipeline p = pipeline_of(s, t, c);
    if (p.registers > PIPELINE_REALS) return too_much;
    const int64_t row = p.arrays * t->points * t->items * components * size,
                  edges = t->shuffle ? 0
                                     : 4 * p.levels * p.sides * t->radius * components * t->items *
                                           t->item_rows * size;
    t->ahead = 1;
    if (t->ptx && (uint64_t)((t->item_rows + 3) * row + edges) < device->local_bytes) t->ahead = 2;
    t->local_bytes = (uint64_t)((t->item_rows + 1 + t->ahead) * row + edges);
    /* Rows change registers without copies after as many turns as there are rows: one more than is
     * kept, if there is room for it. */
    const int has_room = p.registers + (p.levels - 1) * t->points * word <= PIPELINE_MOST_ROWS;
    t->unroll = unrolled(device, (int)p.kept + has_room);
    /* In the middle of a turn warps wait less for a store, but it takes registers there. As
     * measured, in float alone. */
    t->stores_midway = p.arrays == 1 && !s->flush.reals && size == sizeof(float) &&
                       t->unroll * p.levels * t->points * word <= PIPELINE_MIDWAY_ROWS;
    const int64_t most_groups = most_resident(s, t, c), few = few_groups(t->item_rows);
    if (t->unit_groups > few && most_groups <= few) return "a compute unit holds no more groups";
    t->unit_groups = int_min(t->unit_groups, most_groups);
    if (p.conflicts > (c->is_body ? 1 : PIPELINE_MOST_CONFLICTS) &&
        !TUNED(&run->options, points_per_item))
        return "accesses to local memory wait for each other";
    t->loaded = share_strips(run, device, c, t, columns);
    return NULL;
}

/* Halos, and the vectors of global memory: every row and every tile must begin at a multiple. */
static void set_halo(
    const struct system *s, const struct method_costs *c, struct register_tile *t) {
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components;
    const overlap_line across = across_of(s, t);
    t->halo = t->radius * depth_of(c, t->steps);
    t->halo_down = register_is_strip(t->kernel) ? t->radius * t->levels : t->halo;
    t->vector = 1;
    if (t->kernel == REGISTER_LINE) return;
    if ((!across.periodic || t->kernel == REGISTER_PIPELINE) && across.tile <= across.n)
        while (t->vector * 2 * size <= 16 && across.n * components % (2 * t->vector) == 0 &&
               t->points * components % (2 * t->vector) == 0 &&
               (across.n - across.tile) * components % (2 * t->vector) == 0)
            t->vector *= 2;
    /* A copy of REGISTER_PIPELINE is kept, or not. */
    const int64_t sides = t->kernel == REGISTER_PIPELINE ? 1 : 2;
    while (sides * t->halo * components % t->vector) t->halo++;
}

/* All that follows from kernel, points, rows, items, item_rows, steps, exchange, ptx, shuffle and
 * unit_groups, and from the costs. -> NULL, or what is wrong with them. */
static const char *complete(const struct run *run, const eulercl_device_info *device,
    const struct method_costs *c, struct register_tile *t) {
    const struct system *s = &run->system;
    const int64_t all = t->items * t->item_rows;
    t->radius = radius_of(s);
    t->cut = c->cut;
    t->is_body = c->is_body;
    t->levels = t->steps * c->stages;
    t->stages = c->all_stages;
    t->unrolled_steps = 1;
    if (c->stages > 1 && t->exchange > 1)
        return "methods of several stages exchange edges at every stage";
    if (c->factors > argument_bytes(device))
        return "the method's coefficients are more than the arguments of a kernel can hold";
    set_halo(s, c, t);
    const overlap_line across = across_of(s, t);
    const char *wrong = misfit(across);
    if (wrong) return wrong;
    if (t->items > 1 && t->points < t->radius * t->exchange)
        return "a neighbour's edge is wider than what an item holds";
    if (device->max_workgroup_size && (uint64_t)all > device->max_workgroup_size)
        return "the work-group is larger than the device allows";
    const int64_t columns = overlap_count(across);
    if (columns > INT32_MAX) return too_many; /* so that products fit */
    if (register_is_strip(t->kernel) && (wrong = misses_mirror(s, t))) return wrong;
    wrong = t->kernel == REGISTER_LINE       ? complete_line(run, device, c, t, columns)
            : t->kernel == REGISTER_PLANE    ? complete_plane(run, device, c, t, columns)
            : t->kernel == REGISTER_PIPELINE ? complete_pipeline(run, device, c, t, columns)
                                             : complete_stream(run, device, c, t, columns);
    if (wrong) return wrong;
    if (t->persistent && t->cut.sections > 1) return "persistent tiles make whole steps";
    if (t->persistent && (t->groups < 2 || t->groups > (int64_t)device->compute_units))
        return "there must be at least two persistent tiles, and at most as many as compute units";
    t->loaded *= s->definition->grid.components;
    if (t->local_bytes >= device->local_bytes)
        return "edges need more local memory than the device has";
    if (int_ceil(registers_of(s, t, c), 8) * 8 * all > MACHINE_UNIT_REGISTERS)
        return "the work-group needs more registers than a compute unit has";
    return NULL;
}

/* ---- how long it takes ---- */

/* Instructions of a math function. In the preprocessed text it is `_Generic(ode_zero, float :
 * ode_fma_f32, ...)`, whose first word the lexer took last; the lexer goes on after its bracket. */
static double call_cost(struct lexer *lexer) {
    double cost = 16;
    struct token token;
    do {
        token = lexer_take(lexer);
        if (token_begins(token, "ode_fma")) cost = 1;
    } while (token.kind && !token_is(token, ")"));
    return cost;
}

/* Instructions of an operator. */
static double operator_cost(struct token token) {
    if (token.kind != TOKEN_PUNCTUATION || token_is(token, "->")) return 0;
    return token_begins(token, "/") ? 18 : strchr("+-*", *token.begin) != NULL;
}

/* Floating-point instructions per point, counted in the preprocessed text of the right-hand side:
 * operators outside index brackets, and calls. `- ode_zero`, by which the words of problems give a
 * number the type of a real, is not one. */
static double operations(const struct ode_problem *d) {
    const char *text = d->rhs ? d->rhs() : NULL;
    double count = 0;
    if (!text) return 7.0 * d->grid.components;
    struct lexer lexer = lexer_start(text, text + strlen(text));
    int brackets = 0, after_operand = 0;
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        int ends_operand = token.kind == TOKEN_WORD || token.kind == TOKEN_NUMBER ||
                           token_is(token, ")") || token_is(token, "]");
        brackets += token_is(token, "[") - token_is(token, "]");
        if (!brackets && token_is(token, "_Generic")) {
            count += call_cost(&lexer);
        } else if (!brackets && token_is(token, "-") &&
                   token_begins(lexer_peek(&lexer), "ode_zero")) {
            lexer_take(&lexer);
            ends_operand = 1;
        } else if (!brackets && after_operand) {
            count += operator_cost(token);
        }
        after_operand = ends_operand;
    }
    return count;
}

/* By how much groups of so many warps, one replaced by the next, leave a scheduler idle. */
static double imbalance(double warps) {
    return warps <= 2 ? 1 : ceil(warps / MACHINE_SCHEDULERS) * MACHINE_SCHEDULERS / warps;
}

/* What the predictions are made of: a tile, and what runs at once. */
struct work {
    const struct register_tile *tile;
    int is_line;
    double components, word;  /* of a point; 32-bit words of a real */
    double point;             /* instructions for a point */
    double points, levels;    /* of an item; of a launch */
    double stages, arrays;    /* of a step; of the method */
    double warps;             /* of a group */
    double shared;            /* words that an item hands over at an end of a row */
    double groups, held;      /* per compute unit: of the launch, at once */
    double registers;         /* of an item */
    double transfer;          /* seconds, of all that is loaded and stored */
    int flushes, compares;    /* tiny values; errors */
    int is_uneven;            /* REGISTER_PIPELINE: some groups have parts of two strips */
    int is_body, is_tail;     /* the sections are those of a body, the one behind it */
    struct pipeline pipeline; /* REGISTER_PIPELINE */
};

static struct work work_of(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *t, const struct method_costs *c, double point) {
    const struct system *s = &run->system;
    const double units = fmax(1, device->compute_units), word = (double)s->real_size / 4;
    /* Arrays that a launch reads, and writes others of. */
    const double enters = 1 + (double)c->enters, leaves = 1 + (double)c->leaves;
    const double bytes =
        ((double)t->loaded * enters + (double)s->n * leaves) * (double)s->real_size;
    /* Groups that share a unit load while others compute, and from a cache if the state is there.
     */
    const double both = (double)s->n * (double)s->real_size * (enters + leaves);
    /* Each level reads the fields of all points of the tiles, from the cache but for the first. */
    const double fields = (double)t->levels * (double)t->loaded * (double)s->field_bytes /
                          (double)s->n / (machine_gpu.cache_bandwidth * units / machine_gpu.units);
    const int is_near =
        t->kernel == REGISTER_PLANE && (double)t->groups > units && both < machine_gpu.cache_bytes;
    return (struct work){
        .tile = t,
        .is_line = t->kernel == REGISTER_LINE,
        .components = s->definition->grid.components,
        .word = word,
        .point = point,
        .points = (double)(t->points * t->rows),
        .levels = (double)t->levels,
        .stages = (double)c->stages,
        .arrays = (double)c->arrays,
        .warps = (double)int_ceil(t->items * t->item_rows, MACHINE_WARP),
        .shared = s->definition->grid.components * (double)t->radius * word,
        .groups = (double)t->groups / units,
        .held = (double)resident(s, t, c),
        .registers = (double)registers_of(s, t, c),
        .transfer = bytes / ((is_near ? machine_gpu.cache_bandwidth : machine_gpu.bandwidth) *
                                units / machine_gpu.units) +
                    fields,
        .flushes = s->flush.reals != NULL && !c->is_body,
        .compares = s->method->estimate && c->stages > 1 &&
                    (c->cut.sections == 1 || c->is_body == (c->cut.tail == 0)),
        .is_uneven = t->kernel == REGISTER_PIPELINE &&
                     (s->context.grid.extents[1] + t->gap) % t->height != 0,
        .is_body = c->is_body,
        .is_tail = c->cut.tail && !c->is_body,
        .pipeline = t->kernel == REGISTER_PIPELINE ? pipeline_of(s, t, c) : (struct pipeline){0},
    };
}

/* Seconds of a launch. */
static double stream_seconds(const struct work *w) {
    const double turns = (double)(w->tile->height + 2 * w->tile->halo_down);
    const double issue = w->levels * (w->points * w->point * w->word + 4 * w->shared + 2) + 30;
    const double turn = ceil(fmin(ceil(w->groups), w->held) * w->warps / MACHINE_SCHEDULERS) *
                        issue * (w->registers > 244 ? (w->stages > 1 ? 1.5 : 1.6) : 1.28);
    /* Steps of several stages: every level has a text of its own. */
    const double text = w->levels > 8 ? 1 : 0.92,
                 fetched = w->stages > 1 ? text * (1 + 1 / w->levels) : 1;
    /* A level of an item with fewer than four reals does too little between two barriers. */
    const double idle = w->stages > 1 && w->points * w->components < 4 ? 1.4 : 1;
    /* Many warps wait for each other at the end of a turn. Every level has a test for the flush. */
    const double meeting = w->warps > 3 ? 1.05 : 1, flushed = w->flushes && w->word < 2 ? 2.1 : 1,
                 wide = w->tile->radius > 1 ? 1.15 : 1, /* as measured, with diagonal neighbours */
        many = w->components > 2 ? 1.45 : 1;            /* as measured, with three */
    return fetched * idle * meeting * flushed * wide * many *
           fmax(machine_gpu.launch_seconds + machine_gpu.fetch_seconds +
                    turns * turn * ceil(w->groups / w->held) / machine_gpu.clock_rate,
               1.35 * w->transfer);
}

/* Cycles of a scheduler that a warp of a pipeline takes for a turn: what its points cost, the row
 * that comes and goes, and the turn itself. The line and its factors are fitted to measurements of
 * 490 tiles on an H200, of which nine tenths are within 10 % (doc/results.md). */
static double pipeline_turn(const struct work *w) {
    const struct pipeline *p = &w->pipeline;
    const double row = w->points * w->components * w->word;
    /* With a conflict a row takes longer. */
    const double row_cycles = 1.6 + 2.3 * (double)(p->conflicts - 1);
    double cycles = 88 + 1.12 * (double)p->levels * w->points * w->point * w->word +
                    row_cycles * row * (double)p->arrays;
    if (p->classes > 1) cycles *= 2; /* the warps do not share a text */
    /* A row of one component takes the registers of the row that is read last, so that it need not
       be moved, though in float only where levels are in pairs. */
    const int is_moved = w->tile->unroll <= p->kept;
    if (w->components < 2)
        cycles *= is_moved && w->word < 2 && p->levels % 2 ? 1.03 : 0.94;
    else if (is_moved && !w->is_body)
        cycles *= 1.12;
    /* Long turns are slower, most of all if one group is alone. */
    if (p->levels > 3) cycles *= 1 + (w->held > 1 ? 0.03 : 0.1) * (double)(p->levels - 3);
    if (w->stages > 1) cycles *= 0.97;           /* fewer instructions than `updates` counts */
    if (!w->tile->stores_midway) cycles *= 1.04; /* all warps wait for a store, */
    if (w->tile->ahead < 2) cycles *= 1.03;      /* or for a row that comes late */
    /* Groups hinder each other, but with several components they hide the shuffles of doubles. */
    if ((w->held > 1) != (w->word > 1 && w->components > 1)) cycles *= 1.02;
    /* Accesses of fewer bytes are more of them. */
    cycles *= 1 + 0.06 * (16 / (double)p->access_bytes - 1) * (double)p->arrays;
    if ((w->components > 1 || w->tile->radius > 1) && p->taken > PIPELINE_MOST_REGISTERS)
        cycles *= 1 + 0.012 * (double)(p->taken - PIPELINE_MOST_REGISTERS); /* spilled */
    if (w->is_body) cycles *= p->levels < 4 ? 1.05 + 0.095 * (double)p->arrays : 1.17;
    /* In double flushing costs nothing that counts. Other warps hide a part of it. */
    if (w->flushes && w->word < 2)
        cycles *= row < PIPELINE_SHORT_ROW || p->taken > PIPELINE_EASY_FLUSH ? 1.3
                  : w->held * w->warps > PIPELINE_FEW_WARPS                  ? 1.08
                                                                             : 1.15;
    return cycles;
}

/* The time of a pipeline: as long as the warps compute, or as the rows are on their way, each of
 * which is asked for some turns early. Where both take about as long, they hinder each other. */
static double pipeline_seconds(const struct work *w) {
    const struct register_tile *t = w->tile;
    /* Turns in which the levels fill take a little longer, and parts of two strips, too. */
    const double turns = (double)(t->height + t->halo_down) + 1.15 * (double)w->pipeline.delay +
                         (w->is_uneven ? 0.05 * (double)t->gap : 0),
                 groups = fmin(ceil(w->groups), w->held),
                 warps = ceil(groups * w->warps / MACHINE_SCHEDULERS),
                 alone = warps < 2 ? 1.25 : 1; /* nobody else works meanwhile */
    const double computed = turns * warps * alone * pipeline_turn(w) / machine_gpu.clock_rate,
                 moved = turns * machine_gpu.latency_seconds / t->ahead + 1.1 * w->transfer;
    return machine_gpu.launch_seconds + machine_gpu.fetch_seconds +
           ceil(w->groups / w->held) * sqrt(sqrt(pow(computed, 4) + pow(moved, 4)));
}

/* Instructions of a warp in a step. */
static double issued(const struct work *w) {
    const struct register_tile *t = w->tile;
    if (w->is_line)
        return (w->points + (double)(t->radius * (t->exchange - 1))) * w->point * w->word + 5 +
               w->shared;
    return w->points * w->point * w->word + (double)t->rows * w->shared * (t->shuffle ? 2 : 3) +
           (double)t->points * w->shared + 20;
}

/* What a scheduler has of a group that is alone on its unit: between an even share of the warps,
 * and whole ones. */
static double alone(const struct work *w) {
    return (ceil(w->warps / MACHINE_SCHEDULERS) + fmax(1, w->warps / MACHINE_SCHEDULERS)) / 2;
}

/* Cycles of a step that a group waits for an exchange where nothing else runs. */
static double waited(const struct work *w) {
    const struct register_tile *t = w->tile;
    if (w->is_line) {
        const int has_middle = t->points - 2 * (t->exchange + 1) * t->radius >= 2;
        return (has_middle ? 14 : 24) / (double)t->exchange + (t->exchange > 1 ? 16 : 0);
    }
    /* With one component two warps hide more of each other's shuffles. */
    const double row = t->unroll > 1 && alone(w) > 2.5                           ? 12
                       : w->components < 2 && w->warps / MACHINE_SCHEDULERS >= 2 ? 22
                                                                                 : 45;
    return row * (double)t->rows + 9 * w->warps;
}

/* By how much longer instructions take where groups follow one another: too few warps to hide what
 * each waits for, unevenly spread, and too few registers. */
static double crowding(const struct work *w) {
    const struct register_tile *t = w->tile;
    double hiding;
    /* Steps of several stages wait less for memory, which they ask for less often; not a tail. */
    if (w->held < 2 && (w->is_line || w->stages < 2 || w->is_tail))
        hiding = w->is_line ? 1.25 : 1.35;
    else
        hiding =
            w->word > 1 && w->is_line ? 1 : 1.03 + 0.12 * MACHINE_SCHEDULERS / (w->held * w->warps);
    if (w->held < 2 && !w->is_line && w->stages > 1 && t->cut.sections > 1 && !w->is_tail)
        hiding *= 1.2; /* more arrays come and go */
    const double spilling = w->registers == MACHINE_MOST_REGISTERS ? 1.03 : 1;
    const int is_favoured = w->components > 1
                                ? t->points == favoured_points && t->rows == favoured_rows
                                : w->word > 1 || (t->radius < 2 && w->points >= favoured_reals);
    const double shape = w->is_line || is_favoured ? 1 : unfavoured;
    return hiding * imbalance(w->warps) * spilling * shape;
}

/* By how much longer a step of three stages takes with many points in an item: the compiler makes
 * it in few registers, and instructions wait for each other. */
static double serial(const struct work *w) {
    return w->is_line && w->arrays > 1 && w->stages == 3 && w->points > 20 ? 1.25 : 1;
}

/* The most warps of a scheduler where all groups run at once. Each group of a plane begins with the
 * same scheduler, as measured with six warps and more. */
static double fullest(const struct work *w) {
    const double groups = ceil(w->groups);
    return w->is_line || w->warps <= 2 ? ceil(groups * w->warps / MACHINE_SCHEDULERS)
                                       : groups * ceil(w->warps / MACHINE_SCHEDULERS);
}

/* Lines and planes: seconds of a launch. */
static double tile_seconds(const struct work *w) {
    const struct register_tile *t = w->tile;
    const double issue = issued(w) * serial(w), load = w->is_line && w->word < 2 ? 1.1 : 1,
                 busy = w->is_line ? load : 1.2;
    const double one =
        alone(w) * issue * load + waited(w); /* cycles of a step, of a group alone on its unit */
    if (w->groups <= w->held) {
        const double cycles = w->levels * fmax(one, fullest(w) * issue * busy);
        /* Persistent tiles send and receive their values one by one. */
        if (w->tile->persistent)
            return machine_gpu.exchange_seconds +
                   machine_gpu.word_seconds * w->points *
                       (double)(w->tile->items * w->tile->item_rows) * w->components * w->word +
                   cycles / machine_gpu.clock_rate;
        return machine_gpu.launch_seconds + cycles / machine_gpu.clock_rate + w->transfer;
    }
    /* Several rounds: groups compute while others load and store. */
    const double crowded = crowding(w), rounds = floor(w->groups / w->held),
                 rest = ceil(w->groups - rounds * w->held);
    const double last =
        rest > 0 ? fmax(one, rest * w->warps / MACHINE_SCHEDULERS * issue * crowded) : 0;
    /* Planes of many stages have the longest texts. */
    const double fetched = w->stages > 1 && !w->is_line ? 1.2 : 1,
                 flushed = w->flushes && !w->is_line ? 1.05 : 1,
                 compared = w->compares && !w->is_line ? 1.07 : 1;
    const double cycles =
        fetched * flushed * compared * w->levels *
        (rounds * w->held * w->warps / MACHINE_SCHEDULERS * issue * crowded + last);
    /* A tail has few levels, which hide less of all that. */
    const double fixed = w->is_tail ? 12e-6 : machine_gpu.launch_seconds;
    /* As measured with stars of one component, a first round hides none of its loads. */
    const int is_simple = w->components < 2 && t->radius < 2;
    const double shown = w->is_line ? 0.7 : w->is_tail ? 0.75 : is_simple && rounds < 2 ? 1 : 0.65;
    return fixed + cycles / machine_gpu.clock_rate + shown * w->transfer;
}

/* Seconds of a step. */
static double predict(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *t, const struct method_costs *c, double point) {
    const struct work w = work_of(run, device, t, c, point);
    const double seconds = t->kernel == REGISTER_STREAM     ? stream_seconds(&w)
                           : t->kernel == REGISTER_PIPELINE ? pipeline_seconds(&w)
                                                            : tile_seconds(&w);
    return seconds * c->launches / (double)t->steps;
}

/* ---- the search ---- */

enum { MOST_TILES = 8, MOST_BODY_LEVELS = 32 };

struct tile_search {
    const struct run *run;
    const eulercl_device_info *device;
    enum register_variant variant;
    double operations; /* of a point: they and is_star are read from the text, which takes long */
    int is_star;
    struct method_costs costs;
    double point;            /* instructions of a stage */
    const struct body *body; /* NULL: launches make whole steps, or equal sections */
    double tail_seconds[MOST_BODY_LEVELS + 1]; /* by the tail's stages; 0: not known yet */
    double added;                              /* seconds of the tail */
    struct register_tile best[MOST_TILES];
    int count, most;
    const char *wrong; /* why the last one did not fit, or none can */
    char limit[160];
};

/* -> whether it fits. */
static int try_tile(struct tile_search *search, struct register_tile t) {
    const char *wrong = complete(search->run, search->device, &search->costs, &t);
    if (wrong) {
        search->wrong = wrong;
        return 0;
    }
    t.step_seconds =
        predict(search->run, search->device, &t, &search->costs, search->point) + search->added;
    int at = search->count;
    while (at > 0 && t.step_seconds < search->best[at - 1].step_seconds) at--;
    if (at == search->most) return 1;
    if (search->count < search->most) search->count++;
    memmove(search->best + at + 1, search->best + at, (size_t)(search->count - 1 - at) * sizeof t);
    search->best[at] = t;
    return 1;
}

/* The lists of what is tried, 0 at the end; what the options give stands instead. */
static const int64_t *given_or(int64_t given, const int64_t *list, int64_t own[2]) {
    own[0] = given;
    own[1] = 0;
    return given ? own : list;
}

/* 0: any number. */
static int64_t steps_wanted(const struct tile_search *search) {
    return search->costs.cut.sections > 1 ? 1 : TUNED(&search->run->options, steps_per_launch);
}

enum { MOST_TIMES = 8, MOST_STEPS = 16 };

/* Steps for a tile of `tile` points on a line of n: so many that the tiles are one, two, ... for
 * each unit, and some fixed numbers. */
static int steps_of_line(int64_t n, int64_t tile, int64_t radius, int64_t units, int periodic,
    const struct method_costs *c, int64_t list[MOST_STEPS]) {
    static const int64_t fixed[] = {8, 32, 64, 96, 128, 192};
    const int64_t most = int_max(1, MOST_LAUNCH_LEVELS / c->stages);
    int count = 0;
    if (tile >= n && !periodic) list[count++] = most;
    for (int64_t times = 1; times <= MOST_TIMES; times++) {
        const int64_t groups = times * units;
        const int64_t halo = periodic     ? (tile - int_ceil(n, groups)) / 2
                             : groups > 1 ? (tile * groups - n) / (2 * (groups - 1))
                                          : 0;
        const int64_t depth = halo / radius;
        if (depth >= c->depth[0])
            list[count++] = int_min(1 + (depth - c->depth[0]) / int_max(1, c->depth[1]), most);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        list[count++] = int_max(1, fixed[i] / int_max(1, c->depth[1]));
    list[count] = 0;
    return count;
}

static void try_lines(struct tile_search *search) {
    static const int64_t points[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 64, 80, 0};
    static const int64_t groups[] = {1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 0};
    const struct system *s = &search->run->system;
    const eulercl_options *o = &search->run->options;
    const int64_t n = s->context.grid.extents[0], radius = radius_of(s);
    const int periodic = grid_is_periodic(&s->context.grid, 0);
    int64_t own[3][2], steps[MOST_STEPS];
    const int64_t small[] = {n, 0}; /* a system that one item holds */
    for (const int64_t *p = given_or(TUNED(o, points_per_item), n < 8 ? small : points, own[0]); *p;
         p++)
        for (const int64_t *g = given_or(TUNED(o, workgroup_size), groups, own[1]); *g; g++) {
            steps_of_line(n, *p * *g, radius, int_max(1, search->device->compute_units), periodic,
                &search->costs, steps);
            for (const int64_t *t = given_or(steps_wanted(search), steps, own[2]); *t; t++)
                try_tile(search, (struct register_tile){.kernel = REGISTER_LINE,
                                     .points = *p,
                                     .rows = 1,
                                     .items = *g,
                                     .item_rows = 1,
                                     .steps = *t,
                                     .exchange = TUNED_OR(o, steps_per_exchange, 1)});
        }
    /* Of two items, each holds at least the edge that the other reads, and a copy of both
     * neighbours'. */
    const int64_t words =
        3 * radius * (int64_t)s->definition->grid.components * (int64_t)s->real_size / 4;
    if (!search->count && words > LINE_REALS) {
        snprintf(search->limit, sizeof search->limit,
            "an item would hold at least %lld words, at access distance %lld; registers have room "
            "for %d",
            (long long)words, (long long)s->access_distance, (int)LINE_REALS);
        search->wrong = search->limit;
    }
}

/* Items in a row of a work-group: a warp, if the grid is that wide. */
static const int64_t row_items[] = {32, 16, 8, 4, 2, 1, 0};

static void try_planes(struct tile_search *search) {
    static const int64_t points[] = {1, 2, 3, 4, 0}, rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                         12, 13, 14, 16, 18, 20, 22, 23, 24, 0};
    static const int64_t item_rows[] = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 0};
    static const int64_t steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 0};
    const struct system *s = &search->run->system;
    const eulercl_options *o = &search->run->options;
    const int ptx = search->variant != REGISTER_GROUP_LOCAL && has_ptx(search->device);
    int64_t own[5][2];
    for (const int64_t *w = given_or(TUNED(o, workgroup_rows), item_rows, own[3]); *w; w++) {
        if (TUNED(o, workgroup_size) && TUNED(o, workgroup_size) % *w) continue;
        const int64_t *items = given_or(TUNED(o, workgroup_size) / *w, row_items, own[4]);
        for (; *items; items++) {
            /* Half warps only where the grid is too narrow for whole ones. */
            if (!TUNED(o, workgroup_size) && *items < 32 &&
                2 * *items <= s->context.grid.extents[0])
                continue;
            for (const int64_t *p = given_or(TUNED(o, points_per_item), points, own[0]); *p; p++)
                for (const int64_t *r = given_or(TUNED(o, rows_per_item), rows, own[1]); *r; r++)
                    for (const int64_t *t = given_or(steps_wanted(search), steps, own[2]); *t; t++)
                        try_tile(search, (struct register_tile){.kernel = REGISTER_PLANE,
                                             .points = *p,
                                             .rows = *r,
                                             .items = *items,
                                             .item_rows = *w,
                                             .steps = *t,
                                             .exchange = 1,
                                             .ptx = ptx,
                                             .shuffle = ptx && *items == MACHINE_WARP,
                                             .persistent = TUNED(o, persistent) > 0});
        }
    }
}

static void try_streams(struct tile_search *search) {
    static const int64_t points[] = {1, 2, 3, 4, 0}, items[] = {8, 16, 32, 64, 96, 128, 0},
                         steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 0};
    const struct system *s = &search->run->system;
    const eulercl_options *o = &search->run->options;
    /* Where the grid has fewer columns than the smallest strip of those. */
    const int64_t narrow[] = {1, 2, 3, 4, 5, 6, 7, s->context.grid.extents[0], 0};
    const int is_narrow = s->context.grid.extents[0] < items[0] * radius_of(s) && !search->count;
    int64_t own[3][2];
    if (TUNED(o, rows_per_item) || TUNED(o, workgroup_rows)) {
        /* Of no interest where variant group was tried, too. */
        if (search->variant == REGISTER_ANY_STREAM || TUNED(o, workgroups))
            search->wrong = "variant stream has neither rows of items nor rows per item";
        return;
    }
    for (const int64_t *p =
             given_or(TUNED(o, points_per_item), is_narrow ? narrow : points, own[0]);
         *p; p++)
        for (const int64_t *g =
                 given_or(TUNED(o, workgroup_size), is_narrow ? narrow : items, own[1]);
             *g; g++)
            for (const int64_t *t = given_or(TUNED(o, steps_per_launch), steps, own[2]); *t; t++)
                try_tile(search, (struct register_tile){.kernel = REGISTER_STREAM,
                                     .points = *p,
                                     .rows = 1,
                                     .items = *g,
                                     .item_rows = 1,
                                     .steps = *t,
                                     .exchange = 1,
                                     .ptx = has_ptx(search->device)});
}

static struct tile_search new_search(const struct run *run, const eulercl_device_info *device,
    enum register_variant variant, int most) {
    const struct ode_problem *d = run->system.definition;
    return (struct tile_search){.run = run,
        .device = device,
        .variant = variant,
        .operations = operations(d),
        .is_star = !ecl_find_reads(d).diagonals,
        .most = most};
}

/* Of the sections from..end-1 of a step. */
static void find_costs(struct tile_search *search, struct cut cut, int from, int end) {
    const struct system *s = &search->run->system;
    search->costs = costs_of(s, cut, from, end);
    search->costs.is_star = search->is_star;
    search->point = search->costs.evaluations * search->operations +
                    search->costs.updates * s->definition->grid.components;
}

/* The best plane for the tail of a step, whatever the options say of the other sections. */
static int find_tail(const struct tile_search *search, struct cut cut, struct register_tile *tail) {
    struct run asked = *search->run;
    struct tile_search planes = {.run = &asked,
        .device = search->device,
        .variant = REGISTER_GROUP,
        .operations = search->operations,
        .is_star = search->is_star,
        .most = 1};
    memset(asked.options.tuning, 0, sizeof asked.options.tuning);
    find_costs(&planes, cut, cut.sections - 1, cut.sections);
    try_planes(&planes);
    if (planes.count) *tail = planes.best[0];
    return planes.count;
}

/* Launches of so many stages of the body, and a tail for the rest, if there is one. -> whether
 * there are any. */
static int cut_body(struct tile_search *search, int64_t levels) {
    const struct system *s = &search->run->system;
    const struct body *const body = search->body;
    const int stages = s->method->stages;
    if (levels > MOST_BODY_LEVELS) return 0;
    const int launches = (int)(body->stages / levels), rest = stages - launches * (int)levels;
    const struct cut cut = {launches + (rest > 0), rest};
    if (!launches || rest > MOST_BODY_LEVELS) return 0;
    /* Launches of whole steps have other texts. */
    if (cut.sections == 1) return 0;
    double *const seconds = &search->tail_seconds[rest];
    struct register_tile tail;
    if (rest && *seconds == 0)
        *seconds = find_tail(search, cut, &tail) ? tail.step_seconds : (double)INFINITY;
    if (isinf(*seconds)) return 0;
    search->added = *seconds;
    find_costs(search, cut, 0, launches);
    search->costs.is_body = 1;
    search->costs.arrays = body->arrays;
    search->costs.factors = levels * ecl_body_factors(body) * (int64_t)s->real_size;
    return 1;
}

/* Warps of so many items, of which each makes so many levels. */
static void try_pipeline(struct tile_search *search, int64_t warps, int64_t levels, int64_t items) {
    const eulercl_options *o = &search->run->options;
    const int is_fast = has_copies(search->device), most = is_fast ? 36 : 8;
    const int64_t given = TUNED(o, points_per_item);
    if (search->body && !cut_body(search, warps * levels)) return;
    /* Warps that own parts of steps are on request only: they were the slower ones. */
    const int is_asked = search->variant == REGISTER_ANY_PIPELINE;
    if ((is_asked || search->body ? warps * levels : levels) % search->costs.stages) return;
    for (int64_t p = given ? given : 1; p <= (given ? given : most); p++) {
        struct register_tile t = {.kernel = REGISTER_PIPELINE,
            .points = p,
            .rows = 1,
            .items = items,
            .item_rows = warps,
            .steps = warps * levels / search->costs.stages,
            .exchange = 1,
            .ptx = is_fast,
            .shuffle = is_fast && items == MACHINE_WARP,
            .unit_groups = few_groups(warps)};
        if (!try_tile(search, t) || TUNED(o, workgroups)) continue;
        t.unit_groups = INT32_MAX; /* as many as it holds */
        try_tile(search, t);
    }
}

/* Work-groups of so many warps, of the list; what the options give stands instead. */
static void try_warps(
    struct tile_search *search, const int64_t *warps, int64_t fewest_levels, int64_t items) {
    enum { MOST_LEVELS = 8, MOST_BODY_LEVELS_OF_WARP = 4, MOST_LEVELS_ELSEWHERE = 2 };
    const eulercl_options *o = &search->run->options;
    const int64_t size = TUNED(o, workgroup_size),
                  steps = search->body ? 0 : TUNED(o, steps_per_launch),
                  stages = search->costs.stages,
                  most = !has_copies(search->device) ? MOST_LEVELS_ELSEWHERE
                         : search->body              ? MOST_BODY_LEVELS_OF_WARP
                                                     : MOST_LEVELS;
    int64_t own[2];
    for (const int64_t *w = given_or(TUNED(o, workgroup_rows), warps, own); *w; w++) {
        const int64_t wide = size ? size / *w : items;
        if (size % *w || !wide || *w > PIPE_MOST_WARPS) continue;
        if (steps > MOST_LAUNCH_LEVELS || steps * stages % *w)
            search->wrong = "the levels of a launch cannot be shared out among the warps";
        else if (steps)
            try_pipeline(search, *w, steps * stages / *w, wide);
        for (int64_t levels = fewest_levels; !steps && levels <= most; levels++)
            try_pipeline(search, *w, levels, wide);
    }
}

/* Only on request on devices without asynchronous copies, which were not measured; and there of
 * short texts, for their compilers are slower. With a level alone a turn is too short for its
 * barrier. */
static void try_pipelines(struct tile_search *search) {
    static const int64_t warps[] = {8, 4, 2, 0}, few_warps[] = {4, 2, 1, 0}, body_warps[] = {4, 0};
    const int is_fast = has_copies(search->device),
              is_asked = search->variant == REGISTER_ANY_PIPELINE;
    if (!is_asked && !is_fast) return;
    if (TUNED(&search->run->options, rows_per_item)) {
        if (is_asked) search->wrong = "variant pipeline has no rows per item";
        return;
    }
    /* Carried values in the ring: with two levels a warp does too little between two barriers, and
       with few warps too many of them go through memory. */
    if (is_fast && search->body) try_warps(search, body_warps, 3, MACHINE_WARP);
    if (is_fast && !search->body) try_warps(search, warps, 2, MACHINE_WARP);
    /* Grids that are too narrow for those. */
    for (int64_t items = MACHINE_WARP; is_asked && items && !search->count; items /= 2)
        try_warps(search, few_warps, 1, items);
}

/* The kernels of planes and streams are written for two axes; that of lines takes the general form,
 * too. */
static int plane_is_applicable(const struct system *s) { return s->definition->grid.rank == 2; }
static int line_is_applicable(const struct system *s) { return s->definition->grid.rank < 2; }

/* Tiles whose launches make whole steps, or one section of a step. */
static void try_sections(struct tile_search *search, int sections) {
    const struct system *s = &search->run->system;
    const eulercl_options *o = &search->run->options;
    find_costs(search, (struct cut){sections, 0}, 0, sections);
    if (line_is_applicable(s)) try_lines(search);
    if (!plane_is_applicable(s)) return;
    if (search->variant < REGISTER_ANY_STREAM && !TUNED(o, workgroups)) try_planes(search);
    if (sections > 1 || TUNED(o, persistent) > 0) return;
    if (search->variant == REGISTER_AUTO || search->variant == REGISTER_ANY_STREAM)
        try_streams(search);
    if (search->variant == REGISTER_AUTO || search->variant == REGISTER_ANY_PIPELINE)
        try_pipelines(search);
}

/* Launches of stages that have one shape, and a tail, if other stages follow. */
static void try_bodies(struct tile_search *search) {
    const struct body body = ecl_find_body(search->run->system.method);
    if (!plane_is_applicable(&search->run->system)) return;
    if (search->variant != REGISTER_AUTO && search->variant != REGISTER_ANY_PIPELINE) return;
    if (TUNED(&search->run->options, persistent) > 0) return;
    search->body = &body;
    try_pipelines(search);
    search->body = NULL;
    search->added = 0;
}

static void search_all(struct tile_search *search) {
    const struct system *s = &search->run->system;
    const eulercl_options *o = &search->run->options;
    const int is_plane = plane_is_applicable(s), is_general = !has_grid(s->definition);
    const int stages = s->method->stages;
    search->wrong = "no tile fits";
    if (s->definition->grid.components > MOST_COMPONENTS ||
        (is_general && s->access_distance > LINE_REALS)) {
        search->wrong = is_general ? "the access distance is too long for registers"
                                   : "the components of a point do not fit into registers";
        return;
    }
    if (!is_plane && (TUNED(o, rows_per_item) || TUNED(o, workgroup_rows) ||
                         search->variant >= REGISTER_ANY_STREAM)) {
        search->wrong = "rows per item, rows of items, and the variants stream and pipeline are "
                        "for two dimensions";
        return;
    }
    if (TUNED(o, persistent) > 0 && (!is_plane || search->variant >= REGISTER_ANY_STREAM)) {
        search->wrong = "persistent tiles are those of variants group and group-local in two "
                        "dimensions";
        return;
    }
    if ((is_plane || is_general) && TUNED(o, steps_per_exchange) > 1) {
        search->wrong = is_plane ? "in two dimensions edges are exchanged at every step"
                                 : "in the general form edges are exchanged at every step: "
                                   "beyond the ends there is nothing to compute along";
        return;
    }
    if (TUNED(o, workgroups) &&
        (!is_plane || (search->variant && search->variant < REGISTER_ANY_STREAM))) {
        search->wrong = "every tile has a work-group of its own, so the number of work-groups can "
                        "be set only for the variants stream and pipeline";
        return;
    }
    /* On request, pipelines make whole steps of several stages only where they can make no body. */
    const int is_asked = search->variant == REGISTER_ANY_PIPELINE,
              may_cut = TUNED(o, steps_per_launch) <= 1;
    if (is_asked && may_cut) try_bodies(search);
    if (search->count) return;
    try_sections(search, 1);
    /* Sections, of any number of stages: where no tile has room for a step, or for one only, of
     * which most is halo if it has many stages. */
    const char *const wrong = search->wrong;
    const int is_whole = search->count && search->best[0].steps > 1;
    if (!is_whole && !is_asked && may_cut) try_bodies(search);
    for (int sections = 2; !is_whole && may_cut && sections <= stages; sections++) {
        const int most = (int)int_ceil(stages, sections);
        if (int_ceil(stages, most) == sections) try_sections(search, sections);
    }
    search->wrong = wrong;
}

static enum register_variant variant_of(const eulercl_options *o) {
    const char *variant = TUNED_NAME(o, variant);
    size_t v = 0;
    while (variant && v < REGISTER_ANY_PIPELINE && strcmp(variant, variant_names[v])) v++;
    return (enum register_variant)v;
}

int ecl_registers_choose(const struct run *run, const eulercl_device_info *device,
    struct register_tile *tile, eulercl_error *error) {
    struct tile_search search = new_search(run, device, (enum register_variant)run->variant, 1);
    search_all(&search);
    if (!search.count) return ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: %s", search.wrong);
    *tile = search.best[0];
    return EULERCL_OK;
}

int ecl_registers_choose_tail(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *tile, struct register_tile *tail, eulercl_error *error) {
    const struct tile_search search = new_search(run, device, REGISTER_GROUP, 1);
    return find_tail(&search, tile->cut, tail)
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: no tile fits the last stages");
}

/* The variant and the tuning parameters that ask for a tile. */
static void ask_for(
    const struct register_tile *t, enum register_variant variant, eulercl_options *o) {
    TUNE_NAME(o, variant,
        variant_names[variant == REGISTER_GROUP_LOCAL  ? REGISTER_GROUP_LOCAL
                      : t->kernel == REGISTER_STREAM   ? REGISTER_ANY_STREAM
                      : t->kernel == REGISTER_PIPELINE ? REGISTER_ANY_PIPELINE
                                                       : REGISTER_GROUP]);
    TUNE(o, points_per_item, t->points);
    TUNE(o, workgroup_size, t->items * t->item_rows);
    TUNE(o, steps_per_launch, t->steps);
    if (t->kernel == REGISTER_PLANE) TUNE(o, rows_per_item, t->rows);
    if (t->kernel == REGISTER_PLANE || t->kernel == REGISTER_PIPELINE)
        TUNE(o, workgroup_rows, t->item_rows);
}

/* Bodies with other levels of a warp have the same options, and the best one comes first. */
static int add_proposal(const struct tile_search *search, const struct register_tile *t,
    struct proposal *proposals, int count, int most) {
    struct proposal p = {.options = search->run->options,
        .steps = t->steps,
        .step_seconds = t->step_seconds,
        .build_seconds = machine_gpu.build_seconds};
    ask_for(t, search->variant, &p.options);
    for (int k = 0; k < count; k++)
        if (!memcmp(proposals[k].options.tuning, p.options.tuning, sizeof p.options.tuning))
            return count;
    return ecl_propose(proposals, count, most, &p);
}

int ecl_registers_propose(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    if (!run->system.definition->text) return 0;
    struct tile_search search = new_search(run, device, variant_of(&run->options), MOST_TILES);
    int count = 0;
    search_all(&search);
    for (int i = 0; i < search.count; i++)
        count = add_proposal(&search, &search.best[i], proposals, count, most);
    return count;
}
