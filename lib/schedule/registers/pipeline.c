/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/pipeline.c - strips of a plane, in which every warp owns levels:
 * kernels/register_pipeline.cl. */
#include "config.h"
#include "kernel.h"
#include "method_text.h"
#include "../../problem/problem_text.h"

#define PIPELINE machine_gpu.pipeline

enum { MOST_PARTS = 1 << 14 }; /* of the strips: they are counted one by one */

static overlap_strips strips_of(const struct system *s, const struct register_tile *t) {
    return (overlap_strips){grid_length(&s->context.grid), t->pipeline.gap};
}

/* Rows of every strip, and those that both pieces at a cut within a strip have beyond it. */
static uint64_t rows(const struct system *s, const struct register_tile *t, int64_t beyond) {
    const int64_t ny = grid_length(&s->context.grid), period = overlap_length(strips_of(s, t), 1),
                  strips = overlap_count(across_of(s, t));
    const int is_ring = grid_is_periodic(&s->context.grid, 1);
    uint64_t sum = (uint64_t)strips * (uint64_t)(is_ring ? ny + 2 * beyond : ny);
    for (int64_t g = 1; g < t->groups; g++) {
        const int64_t row = g * t->height % period;
        if (row == 0 || row >= ny) continue;
        sum += (uint64_t)(is_ring ? 2 * beyond : int_min(beyond, row) + int_min(beyond, ny - row));
    }
    return sum;
}

static struct register_share share(
    const struct system *s, const struct register_tile *t, int64_t count) {
    const int64_t length = overlap_length(
                      (overlap_strips){count, t->pipeline.gap}, overlap_count(across_of(s, t))),
                  height = int_ceil(length, t->groups);
    return (struct register_share){int_ceil(length, height), height};
}

/* What the warps do; see kernels/register_pipeline.cl. */
struct warps {
    int64_t levels; /* of a warp */
    int64_t lag, kept, sides, delay;
    int64_t classes; /* 1: all warps have the same shapes, about */
    int64_t arrays;  /* of a row in local memory */
    int64_t row;     /* words of an item in a row */
    int64_t words;   /* of an item */
    int64_t taken;   /* registers that it takes, more than there are if some are spilled */
    int64_t access_bytes, conflicts; /* of accesses to a row in local memory: their size, and how
                                        many items of a warp wait for the same bank */
};
static struct warps warps_of(const struct register_case *of, const struct register_tile *t) {
    const struct system *const s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const int64_t components = s->definition->grid.components;
    struct warps p = {.levels = t->levels / t->item_rows,
        .lag = t->radius + 1 - c->is_star,
        .sides = c->is_star ? 1 : 2 * t->radius + 1,
        .row = t->points * register_words(s)};
    p.kept = t->radius + p.lag;
    p.delay = t->item_rows * (p.levels * p.lag + 1);
    p.classes = p.levels % c->stages && !c->is_body ? 2 : 1;
    p.arrays = p.levels % c->stages || c->is_body ? c->arrays : 1;
    p.words = p.kept * p.levels * p.row + p.row +
              carried_words(p.levels * p.lag * p.row, c->live_in_stream);
    /* The row that is new in a turn is one of the next turn's, so each level has as many rows as
       turns are in the text. */
    const int64_t more = t->unroll > p.kept ? (p.levels - 1) * p.row : 0;
    p.taken = p.words + more + PIPELINE.other_registers + PIPELINE.level_registers * p.levels;
    if (components > 2) p.taken += PIPELINE.component_registers * p.levels * (components - 2);
    if (!c->is_star) p.taken += p.taken / PIPELINE.diagonal_part;
    const int64_t bytes = p.row * 4;
    p.access_bytes = int_min(16, bytes & -bytes); /* a power of two that divides it */
    p.conflicts = 1;
    while (p.conflicts * p.access_bytes < MACHINE_BANK_BYTES &&
           bytes / p.access_bytes % (2 * p.conflicts) == 0)
        p.conflicts *= 2;
    return p;
}

static int64_t registers(const struct register_case *of, const struct register_tile *t) {
    return int_min(MACHINE_MOST_REGISTERS, warps_of(of, t).taken);
}

/* Work-groups of so many warps that give each scheduler two of them: these hide what each of them
 * waits for. More make shorter pieces, whose levels fill more often. */
static int64_t few_groups(int64_t warps) { return int_max(1, PIPELINE.warps / warps); }

/* Strips are laid end to end: each in equal pieces, if these have no more rows than the parts into
 * which all strips are cut without regard to where one ends. */
static void share_strips(const struct register_case *of, struct register_tile *t, int64_t columns,
    const struct warps *p) {
    const struct system *s = &of->run->system;
    const int64_t nx = s->context.grid.extents[0], ny = grid_length(&s->context.grid),
                  wanted = int_min(ecl_register_groups_wanted(of, t), MOST_PARTS),
                  slow = (int64_t)((double)p->delay * PIPELINE.slow_ends);
    const int is_ring = grid_is_periodic(&s->context.grid, 1);
    /* Rows that a group could make in the extra time that an end of the grid takes; and in that of
       the end of a strip and the beginning of the next one, where all levels fill again and both
       ends of the grid are slow. */
    const int64_t at_end = is_ring ? 0 : p->delay,
                  between = p->delay + (is_ring ? t->halo_down : slow);
    /* Gaps add at most a quarter of the points, so that the type of an index holds a position. */
    const int64_t most = nx / 4 * ny / columns;
    t->pipeline.gap = between <= most ? between : 0;
    t->height = int_ceil(overlap_length(strips_of(s, t), columns), int_min(wanted, columns * ny));
    const int64_t pieces = wanted / columns,
                  height = pieces ? int_ceil(ny + at_end, pieces) : INT64_MAX;
    if (height <= t->height) {
        const int64_t gap = int_ceil(ny + at_end, height) * height - ny;
        if (gap <= most) {
            t->height = height;
            t->pipeline.gap = gap;
        }
    }
    t->groups = int_ceil(overlap_length(strips_of(s, t), columns), t->height);
}

static const char *complete(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    const struct system *s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components;
    if (t->points < t->radius) return "a neighbour's edge is wider than what an item holds";
    struct warps p = warps_of(of, t);
    if (p.words > PIPELINE.words) return REGISTER_TOO_MUCH;
    const int64_t row = p.arrays * t->points * t->items * components * size,
                  edges = t->shuffle ? 0
                                     : 4 * p.levels * p.sides * t->radius * components * t->items *
                                           t->item_rows * size;
    int ahead = 1;
    if (t->ptx && (uint64_t)((t->item_rows + 3) * row + edges) < of->device->local_bytes) ahead = 2;
    t->pipeline.ahead = ahead;
    t->local_bytes = (uint64_t)((t->item_rows + 1 + ahead) * row + edges);
    /* Rows change registers without copies after as many turns as there are rows: one more than is
     * kept, if there is room for it. */
    const int has_room = p.words + (p.levels - 1) * p.row <= PIPELINE.easy_words;
    t->unroll = unrolled(of->device, (int)p.kept + has_room);
    /* In the middle of a turn warps wait less for a store, but it takes registers there. As
     * measured, in float alone. */
    t->pipeline.stores_midway = p.arrays == 1 && !s->flush.reals && size == sizeof(float) &&
                                t->unroll * p.levels * p.row <= PIPELINE.midway_words;
    const int64_t most_groups = ecl_register_most_resident(of, t), few = few_groups(t->item_rows);
    if (t->pipeline.unit_groups > few && most_groups <= few)
        return "a compute unit holds no more groups";
    t->pipeline.unit_groups = int_min(t->pipeline.unit_groups, most_groups);
    if (p.conflicts > (c->is_body ? 1 : PIPELINE.conflicts) &&
        !TUNED(&of->run->options, points_per_item))
        return "accesses to local memory wait for each other";
    share_strips(of, t, columns, &p);
    t->loaded = (uint64_t)(t->points * t->items) * rows(s, t, t->halo_down);
    return NULL;
}

/* The flush of tiny values in float, which another group's work hides. In double it costs nothing
 * that counts. */
static double flush_factor(const struct register_work *w, const struct warps *p) {
    if (!w->flushes || w->word > 1) return 1;
    const int is_hidden = w->held > 1 && (double)p->row >= PIPELINE.long_row &&
                          p->taken <= PIPELINE.flushed_registers;
    return is_hidden ? PIPELINE.flushed_long : PIPELINE.flushed;
}

/* A row of one component takes the registers of the row that is read last, so that it need not be
   moved, though in float only where levels are in pairs. */
static double move_factor(const struct register_work *w, const struct warps *p) {
    const int is_moved = w->tile->unroll <= p->kept;
    if (w->components < 2)
        return is_moved && w->word < 2 && p->levels % 2 ? PIPELINE.single_moved : PIPELINE.single;
    return is_moved && !w->is_body ? PIPELINE.moved : 1;
}

/* Cycles of a scheduler that a warp takes for a turn: what its points cost, the row that comes and
 * goes, and the turn itself. */
static double turn_cycles(const struct register_work *w, const struct warps *p) {
    /* With a conflict a row takes longer. */
    const double word_cycles =
        PIPELINE.word_cycles + PIPELINE.conflict_cycles * (double)(p->conflicts - 1);
    double cycles = PIPELINE.turn_cycles +
                    PIPELINE.issue * (double)p->levels * w->points * w->point * w->word +
                    word_cycles * (double)p->row * (double)p->arrays;
    if (p->classes > 1) cycles *= PIPELINE.classes;
    cycles *= move_factor(w, p);
    /* Long turns are slower, most of all if one group is alone. */
    if ((double)p->levels > PIPELINE.long_levels)
        cycles *= 1 + (w->held > 1 ? PIPELINE.long_shared : PIPELINE.long_alone) *
                          ((double)p->levels - PIPELINE.long_levels);
    if (w->stages > 1) cycles *= PIPELINE.stages;
    if (!w->tile->pipeline.stores_midway) cycles *= PIPELINE.stored;
    if (w->tile->pipeline.ahead < 2) cycles *= PIPELINE.late;
    /* Groups hinder each other, but with several components they hide the shuffles of doubles. */
    if ((w->held > 1) != (w->word > 1 && w->components > 1)) cycles *= PIPELINE.groups;
    /* Accesses of fewer bytes are more of them. */
    cycles *= 1 + PIPELINE.access * (16 / (double)p->access_bytes - 1) * (double)p->arrays;
    if ((w->components > 1 || w->tile->radius > 1) && p->taken > PIPELINE.registers)
        cycles *= 1 + PIPELINE.spilled * (double)(p->taken - PIPELINE.registers);
    if (w->is_body)
        cycles *= p->levels < PIPELINE.body_levels
                      ? 1 + PIPELINE.short_body_array * (double)p->arrays
                      : PIPELINE.long_body;
    return cycles * flush_factor(w, p);
}

/* A launch takes as long as the warps compute, or as the rows are on their way, each of which is
 * asked for some turns early. Where both take about as long, they hinder each other. */
static double seconds(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    const struct warps p = warps_of(w->of, t);
    /* Some groups have parts of two strips. */
    const int is_uneven = overlap_length(strips_of(&w->of->run->system, t), 1) % t->height != 0;
    /* Turns in which the levels fill take a little longer, and parts of two strips, too. */
    const double turns = (double)(t->height + t->halo_down) + PIPELINE.filling * (double)p.delay +
                         (is_uneven ? PIPELINE.uneven * (double)t->pipeline.gap : 0),
                 groups = fmin(ceil(w->groups), w->held),
                 warps = ceil(groups * w->warps / MACHINE_SCHEDULERS);
    const double computed = turns * warps * turn_cycles(w, &p) / machine_gpu.clock_rate,
                 moved = turns * machine_gpu.latency_seconds / t->pipeline.ahead +
                         PIPELINE.transfer * w->transfer;
    return machine_gpu.launch_seconds + machine_gpu.fetch_seconds +
           ceil(w->groups / w->held) * sqrt(sqrt(pow(computed, 4) + pow(moved, 4)));
}

/* Warps of so many items, of which each makes so many levels. */
static void try_pipeline(
    struct register_search *search, int64_t warps, int64_t levels, int64_t items) {
    const eulercl_options *o = &search->of.run->options;
    const int is_fast = has_copies(search->of.device), most = is_fast ? 36 : 8;
    const int64_t given = TUNED(o, points_per_item);
    if (search->body && !ecl_register_cut_body(search, warps * levels)) return;
    /* Warps that own parts of steps are on request only: they were the slower ones. */
    const int is_asked = search->variant == REGISTER_ANY_PIPELINE;
    const int64_t stages = search->of.costs.stages;
    if ((is_asked || search->body ? warps * levels : levels) % stages) return;
    for (int64_t p = given ? given : 1; p <= (given ? given : most); p++) {
        struct register_tile t = {.kernel = &ecl_register_pipeline,
            .points = p,
            .rows = 1,
            .items = items,
            .item_rows = warps,
            .steps = warps * levels / stages,
            .exchange = 1,
            .ptx = is_fast,
            .shuffle = is_fast && items == MACHINE_WARP,
            .pipeline.unit_groups = few_groups(warps)};
        if (!ecl_register_try(search, t) || TUNED(o, workgroups)) continue;
        t.pipeline.unit_groups = INT32_MAX; /* as many as it holds */
        ecl_register_try(search, t);
    }
}

/* Work-groups of so many warps, of the list; what the options give stands instead. */
static void try_warps(
    struct register_search *search, const int64_t *warps, int64_t fewest_levels, int64_t items) {
    enum { MOST_LEVELS = 8, MOST_BODY_LEVELS_OF_WARP = 4, MOST_LEVELS_ELSEWHERE = 2 };
    const eulercl_options *o = &search->of.run->options;
    const int64_t size = TUNED(o, workgroup_size),
                  steps = search->body ? 0 : TUNED(o, steps_per_launch),
                  stages = search->of.costs.stages,
                  most = !has_copies(search->of.device) ? MOST_LEVELS_ELSEWHERE
                         : search->body                 ? MOST_BODY_LEVELS_OF_WARP
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
static void try_all(struct register_search *search) {
    static const int64_t warps[] = {8, 4, 2, 0}, few_warps[] = {4, 2, 1, 0}, body_warps[] = {4, 0};
    const int is_fast = has_copies(search->of.device),
              is_asked = search->variant == REGISTER_ANY_PIPELINE;
    if (!is_asked && !is_fast) return;
    if (TUNED(&search->of.run->options, rows_per_item)) {
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

static const struct register_program *program(const struct register_tile *t) {
    static const struct register_program only = {"register_pipeline",
        {"register_pipeline_rows", "register_pipeline"},
        {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
            ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HEIGHT, ARGUMENT_FIRST,
            ARGUMENT_STEPS, ARGUMENT_Y_BEGIN, ARGUMENT_Y_END, ARGUMENTS}};
    return (void)t, &only;
}

/* A section of a body has pipe_section of register_pipeline_rows.cl: which carried values come and
 * which go, as bits, and which of them are the solution before the first stage. */
static struct register_numbers numbers(
    const struct run *run, const struct register_section *section) {
    const struct method *const m = run->system.method;
    if (!section->body) return (struct register_numbers){.count = 0};
    const int64_t first = ecl_register_first_stage(run, section),
                  end = ecl_register_end_stage(run, section);
    return (struct register_numbers){
        {first ? (int32_t)ecl_wanted_behind(m, (int)first - 1) : 0,
            end < m->stages ? (int32_t)ecl_wanted_behind(m, (int)end - 1) : 0,
            (int32_t)(section->body->begins_as_solution >> 1)},
        3};
}

/* Whether all carried values come from memory and go there. */
static int is_middle(const struct run *run, const struct register_section *section) {
    if (!section->body) return 0;
    const struct register_numbers n = numbers(run, section);
    const int32_t all = (1 << (section->body->arrays - 1)) - 1;
    return n.values[0] == all && n.values[1] == all;
}

/* What a right-hand side reads: without diagonal neighbours a star. */
static void put_values(const struct run *run, int radius, struct register_settings *to) {
    const int has_diagonals = ecl_find_reads(run->system.definition).diagonals;
    ecl_registers_put(to, "#define PIPE_EACH_VALUE(VALUE)");
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            for (unsigned c = 0; c < run->system.definition->grid.components; c++)
                if (has_diagonals || !dx || !dy)
                    ecl_registers_put(to, " VALUE(%d, %d, %u)", dx, dy, c);
    ecl_registers_put(to, "\n");
}

static void settings(const struct run *run, const struct register_section *section, int64_t edge,
    struct register_settings *to) {
    const struct register_tile *const t = section->tile;
    const int64_t levels = t->levels / t->item_rows,
                  own = t->points * run->system.definition->grid.components;
    (void)edge;
    ecl_registers_put_number(to, "PIPE_POINTS", t->points);
    ecl_registers_put_number(to, "PIPE_ITEMS", t->items);
    ecl_registers_put_number(to, "PIPE_WARPS", t->item_rows);
    ecl_registers_put_number(to, "PIPE_LEVELS", levels);
    ecl_registers_put_number(to, "PIPE_VECTOR", t->vector);
    ecl_registers_put_number(to, "PIPE_LOCAL_VECTOR", ecl_registers_vector(run, own));
    ecl_registers_put_number(to, "PIPE_AHEAD", t->pipeline.ahead);
    ecl_registers_put_number(to, "PIPE_GAP", t->pipeline.gap);
    ecl_registers_put_number(to, "PIPE_STORES_MIDWAY", t->pipeline.stores_midway);
    ecl_registers_put_number(to, "PIPE_UNROLL", t->unroll);
    ecl_registers_put(to, "#define PIPE_EACH_TURN(TURN)");
    for (int turn = 0; turn < t->unroll; turn++) ecl_registers_put(to, " TURN(%d)", turn);
    ecl_registers_put(to, "\n");
    put_values(run, (int)t->radius, to);
    ecl_registers_put_number(to, "PIPE_IS_MIDDLE", is_middle(run, section));
    ecl_registers_put_warps(to, run->system.method, section->body, t->item_rows, levels);
}

const struct register_kernel ecl_register_pipeline = {
    .name = "pipeline",
    .compile_seconds = &machine_gpu.pipeline.compile_seconds,
    .variant = REGISTER_ANY_PIPELINE,
    .local_variant = REGISTER_ANY_PIPELINE,
    .vectors = VECTORS_AROUND,
    .makes_bodies = 1,
    .has_item_rows = 1,
    .is_applicable = is_plane,
    .try_all = try_all,
    .complete = complete,
    .registers = registers,
    .seconds = seconds,
    .computed = ecl_register_strips_computed,
    .rows = rows,
    .share = share,
    .program = program,
    .settings = settings,
    .numbers = numbers,
};
