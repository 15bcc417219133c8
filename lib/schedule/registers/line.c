/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/line.c - tiles of 1-D grids, and of the general form with a short access distance:
 * kernels/register_line.cl. */
#include "config.h"
#include "kernel.h"
#include "method_text.h"
#include <stdio.h>

#define LINE machine_gpu.line

static int is_applicable(const struct system *s) { return grid_is_line(&s->definition->grid); }

/* Points of halo that an item computes along in so many levels: between two exchanges a radius less
 * at each level, none at the last. */
static int64_t halo_levels(const struct register_tile *t, int64_t levels) {
    const int64_t whole = levels / t->exchange, rest = levels % t->exchange;
    const int64_t along = whole * t->exchange * (t->exchange - 1) +
                          (rest ? (rest - 1) * (2 * t->exchange - rest) : 0);
    return along * t->radius;
}

static uint64_t computed(const struct system *s, const struct register_tile *t, int64_t levels) {
    const uint64_t width =
        (uint64_t)overlap_count(across_of(s, t)) * (uint64_t)(t->points * t->items);
    return width * (uint64_t)levels + (uint64_t)(t->groups * t->items * halo_levels(t, levels));
}

/* Lines that are unrolled over two exchanges overlap in time. Eight registers too few, and a unit
 * was thought to hold two groups of 384 items where it holds one. */
static int64_t registers(const struct register_case *of, const struct register_tile *t) {
    const struct method_costs *const c = &of->costs;
    const int64_t word = register_words(&of->run->system),
                  state = (t->points + 2 * t->exchange * t->radius) * word +
                          carried_words(t->points * word, c->live);
    /* Steps of several stages overlap less. */
    const int64_t part = c->stages > 1 ? LINE.stages_ahead_part : LINE.ahead_part;
    return state >= LINE.full_words ? MACHINE_MOST_REGISTERS
                                    : state + state / part + LINE.other_registers;
}

static int exchanges(const struct register_tile *t, const struct method_costs *c) {
    int i = c->stages > 1;
    while (t->points > LINE.unrolled[i].points) i++;
    return LINE.unrolled[i].times;
}

static const char *complete(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    const struct system *s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = register_words(s), edge = t->radius * components * t->exchange;
    if ((t->points + 2 * t->radius * t->exchange) * word +
            carried_words(t->points * word, c->live) >
        LINE.words)
        return REGISTER_TOO_MUCH;
    int stage = (int)int_min(t->points, 16);
    while (stage > 1 &&
           (t->points % stage || ((stage * components) | 1) * t->items * size > LINE.stage_bytes))
        stage--;
    t->line.stage = stage;
    t->unroll = unrolled(of->device, exchanges(t, c));
    t->unrolled_steps = ecl_register_unrolled_steps(t->unroll, c->stages,
        t->points <= LINE.short_points ? int_max(LINE.short_stages, t->unroll) : t->unroll);
    t->local_bytes = (uint64_t)((((stage * components) | 1) + 4 * edge) * t->items * size);
    t->groups = columns;
    t->loaded = (uint64_t)(columns * across_of(s, t).tile);
    return NULL;
}

/* Instructions of a warp in a level. */
static double issued(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    return (w->points + (double)(t->radius * (t->exchange - 1))) * w->point * w->word +
           LINE.other_instructions + w->shared;
}

/* Cycles of a level that a group waits for an exchange where nothing else runs. */
static double waited(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    const int has_middle = t->points - 2 * (t->exchange + 1) * t->radius >= 2;
    return (has_middle ? LINE.middle_cycles : LINE.edge_cycles) / (double)t->exchange +
           (t->exchange > 1 ? LINE.along_cycles : 0);
}

static double seconds(const struct register_work *w) {
    const double load = w->word < 2 ? LINE.load : 1, issue = issued(w),
                 hiding = w->held < 2   ? LINE.alone
                          : w->word > 1 ? 1
                                        : ecl_register_hiding(w);
    const struct register_rounds rounds = {.issue = issue,
        .busy = load,
        .one = ecl_register_alone(w) * issue * load + waited(w),
        .fullest = ceil(ceil(w->groups) * w->warps / MACHINE_SCHEDULERS),
        .crowding = hiding * ecl_register_imbalance(w) * ecl_register_spilling(w),
        .slower = 1,
        .fixed = machine_gpu.launch_seconds,
        .shown = machine_gpu.rounds.shown};
    return ecl_register_rounds(w, &rounds);
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

/* Each of two items holds at least the edge that the other reads, and a copy of both
 * neighbours' edges. If that is too much, say so. */
static void find_limit(struct register_search *search) {
    const struct system *s = &search->of.run->system;
    const int64_t words = 3 * ecl_register_radius(s) * register_words(s);
    if (search->count || words <= LINE.words) return;
    snprintf(search->limit, sizeof search->limit,
        "an item would hold at least %lld words, at access distance %lld; registers have room "
        "for %d",
        (long long)words, (long long)s->access_distance, (int)LINE.words);
    search->wrong = search->limit;
}

static void try_all(struct register_search *search) {
    static const int64_t points[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 64, 80, 0};
    static const int64_t groups[] = {1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 0};
    const struct system *s = &search->of.run->system;
    const eulercl_options *o = &search->of.run->options;
    const int64_t n = s->context.grid.extents[0], radius = ecl_register_radius(s);
    const int periodic = grid_is_periodic(&s->context.grid, 0);
    int64_t own[3][2], steps[MOST_STEPS];
    const int64_t small[] = {n, 0}; /* a system that one item holds */
    for (const int64_t *p = given_or(TUNED(o, points_per_item), n < 8 ? small : points, own[0]); *p;
         p++)
        for (const int64_t *g = given_or(TUNED(o, workgroup_size), groups, own[1]); *g; g++) {
            steps_of_line(n, *p * *g, radius, int_max(1, search->of.device->compute_units),
                periodic, &search->of.costs, steps);
            for (const int64_t *t = given_or(steps_wanted(search), steps, own[2]); *t; t++)
                ecl_register_try(search, (struct register_tile){.kernel = &ecl_register_line,
                                             .points = *p,
                                             .rows = 1,
                                             .items = *g,
                                             .item_rows = 1,
                                             .steps = *t,
                                             .exchange = TUNED_OR(o, steps_per_exchange, 1)});
        }
    find_limit(search);
}

static const struct register_program *program(const struct register_tile *t) {
    static const struct register_program only = {"register_line", {"register_line"},
        {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
            ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HALO_DOWN, ARGUMENT_FIRST,
            ARGUMENT_STEPS, ARGUMENTS}};
    return (void)t, &only;
}

static void settings(const struct run *run, const struct register_section *section, int64_t edge,
    struct register_settings *to) {
    const struct register_tile *const t = section->tile;
    ecl_registers_put_number(to, "LINE_POINTS", t->points);
    ecl_registers_put_number(to, "LINE_ITEMS", t->items);
    ecl_registers_put_number(to, "LINE_EXCHANGE", t->exchange);
    ecl_registers_put_number(to, "LINE_VECTOR", ecl_registers_vector(run, edge * t->exchange));
    ecl_registers_put_number(to, "LINE_STAGE", t->line.stage);
    ecl_registers_put_number(to, "LINE_UNROLL", t->unroll);
    ecl_registers_put_number(to, "LINE_STEPS", t->unrolled_steps * t->exchange);
}

const struct register_kernel ecl_register_line = {
    .name = "line",
    .compile_seconds = &machine_gpu.line.compile_seconds,
    .variant = REGISTER_GROUP,
    .local_variant = REGISTER_GROUP,
    .is_applicable = is_applicable,
    .try_all = try_all,
    .complete = complete,
    .registers = registers,
    .seconds = seconds,
    .computed = computed,
    .program = program,
    .settings = settings,
};
