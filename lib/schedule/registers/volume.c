/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/volume.c - tiles of a plane, with which a work-group goes through a volume with all
 * levels: kernels/register_volume.cl. */
#include "config.h"
#include "kernel.h"
#include "method_text.h"
#include "../../problem/problem_text.h"

#define VOLUME machine_gpu.volume

enum {
    MOST_STRETCHES = 64, /* of a tile that are tried */
    SMALL = 32,          /* points along an axis that an item may have all of */
    MOST_LEVELS = 16     /* of a launch: each has a text of its own, which takes long to compile */
};
#define TOO_MANY_LEVELS "in three dimensions a launch makes at most 16 stages"

static int is_volume(const struct system *s) { return grid_last_axis(&s->definition->grid) == 2; }

static overlap_line down_of(const struct system *s, const struct register_tile *t) {
    return (overlap_line){.n = s->context.grid.extents[1],
        .tile = t->rows * t->item_rows,
        .halo = t->halo_down,
        .periodic = grid_is_periodic(&s->context.grid, 1)};
}

/* See kernels/register_volume.cl. */
static int64_t lag_of(const struct register_case *of, const struct register_tile *t) {
    return t->radius + 1 - of->costs.is_star;
}
static int64_t kept_of(const struct register_case *of, const struct register_tile *t) {
    return t->radius + lag_of(of, t);
}

/* Rows of all planes that the groups have, with so many planes beyond either end of a stretch. */
static uint64_t rows(const struct system *s, const struct register_tile *t, int64_t beyond) {
    const overlap_line down = down_of(s, t);
    return (uint64_t)(overlap_count(across_of(s, t)) * overlap_count(down) * down.tile) *
           ecl_register_stretches(s, t, beyond);
}

static int64_t state_words(const struct register_case *of, const struct register_tile *t) {
    const int64_t plane = t->points * t->rows * register_words(&of->run->system);
    return kept_of(of, t) * t->levels * plane +
           carried_words(t->levels * lag_of(of, t) * plane, of->costs.live_in_stream);
}

static int64_t registers(const struct register_case *of, const struct register_tile *t) {
    return int_min(MACHINE_MOST_REGISTERS, state_words(of, t) + VOLUME.other_registers);
}

/* Planes that a group makes: each tile is cut into stretches of as many planes, so that groups fill
 * the device, though every stretch fills its levels anew. */
static void choose_height(const struct register_case *of, struct register_tile *t, int64_t tiles) {
    const int64_t nz = grid_length(&of->run->system.context.grid),
                  given = TUNED(&of->run->options, workgroups),
                  at_once = int_max(1, ecl_register_groups_wanted(of, t)),
                  filling = t->halo_down + t->levels * lag_of(of, t);
    int64_t best = INT64_MAX;
    for (int64_t s = 1; s <= int_min(nz, MOST_STRETCHES); s++) {
        const int64_t height = int_ceil(nz, given ? int_max(1, int_min(nz, given / tiles)) : s),
                      rounds = int_ceil(tiles * int_ceil(nz, height), at_once),
                      turns = rounds * (height + (s > 1 ? filling : t->halo_down));
        if (turns >= best) continue;
        best = turns;
        t->height = height;
    }
}

static const char *complete(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    const struct system *s = &of->run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  own = t->points * components, reads = 2 * t->radius;
    const overlap_line down = down_of(s, t);
    const uint32_t *const rules = s->definition->grid.boundary[1];
    const char *const wrong = ecl_register_misfit(down);
    if (wrong) return wrong;
    if (t->levels > MOST_LEVELS) return TOO_MANY_LEVELS;
    if (t->points < t->radius || t->rows < t->radius)
        return "a neighbour's edge is wider than what an item holds";
    if (t->rows < ODE_POINTS_NEEDED_(rules[0], t->radius) ||
        t->rows < ODE_POINTS_NEEDED_(rules[1], t->radius))
        return "the mirror image of an edge is higher than what an item holds";
    if (t->rows > 32 || own / t->vector > 32 || state_words(of, t) > VOLUME.words)
        return REGISTER_TOO_MUCH;
    t->unroll = unrolled(of->device, (int)kept_of(of, t));
    t->volume.apart = t->shuffle && state_words(of, t) > VOLUME.easy_words;
    /* The sets of planes that neighbours read. */
    const int64_t sets = of->costs.is_star ? 2 : reads + 2,
                  stored = t->shuffle && reads < t->rows ? reads : t->rows,
                  blocks = t->items + (t->shuffle && of->costs.is_star ? 0 : 2);
    t->local_bytes = (uint64_t)((sets * t->levels * (t->item_rows * stored + reads) * blocks +
                                    (t->ptx ? 2 * t->rows * t->items * t->item_rows : 0)) *
                                own * size);
    const int64_t tiles = columns * overlap_count(down);
    if (tiles > INT32_MAX) return REGISTER_TOO_MANY;
    choose_height(of, t, tiles);
    t->groups = tiles * int_ceil(grid_length(&s->context.grid), t->height);
    if (t->groups > INT32_MAX) return REGISTER_TOO_MANY;
    t->loaded = (uint64_t)(t->points * t->items) * rows(s, t, t->halo_down);
    return NULL;
}

static double seconds(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    const double turns = (double)(t->height + t->halo_down + t->levels * lag_of(w->of, t)),
                 row = w->components * w->word; /* words of a point */
    const double level = w->points * (w->point * w->word + VOLUME.point_instructions * row) +
                         VOLUME.level_instructions;
    /* Each copy finds its address; round a ring that takes far longer. */
    const struct ode_grid *const grid = &w->of->run->system.context.grid;
    const double copies = w->points * w->components / t->vector,
                 copied = copies * (grid_has_ring(grid) ? VOLUME.ring_copy_instructions
                                                        : VOLUME.copy_instructions);
    double slower = t->volume.apart ? VOLUME.apart : 1;
    /* Several components are computed together; in float not so well if that takes the last
     * registers, or if rows of an item are as long as two accesses to local memory. */
    if (w->components > 1) slower *= VOLUME.several_components;
    if (w->components > 1 && w->word < 2) {
        if ((double)t->points * row >= VOLUME.wide_row) slower *= VOLUME.wide;
        if (state_words(w->of, t) >= VOLUME.easy_words) slower *= VOLUME.full;
    }
    const double turn = ceil(fmin(ceil(w->groups), w->held) * w->warps / MACHINE_SCHEDULERS) *
                        VOLUME.issue * slower *
                        (w->levels * level + copied + VOLUME.turn_instructions);
    const double computed = ceil(w->groups / w->held) * turns * turn / machine_gpu.clock_rate,
                 moved = VOLUME.transfer * w->transfer;
    return machine_gpu.launch_seconds + machine_gpu.fetch_seconds +
           sqrt(sqrt(pow(computed, 4) + pow(moved, 4)));
}

/* Items of so many points, in rows of `items`. */
static void try_groups(struct register_search *search, int64_t items, int64_t item_rows) {
    static const int64_t steps[] = {1, 2, 3, 4, 5, 6, 8, 0};
    /* A tile that loses more than a small grid has is all of it. */
    const int64_t *const n = search->of.run->system.context.grid.extents,
                         points[] = {1, 2, 3, 4, 6, 8, items == 1 && n[0] <= SMALL ? n[0] : 0, 0},
                         rows[] = {
                             1, 2, 3, 4, 5, 6, 8, item_rows == 1 && n[1] <= SMALL ? n[1] : 0, 0};
    const eulercl_options *o = &search->of.run->options;
    const int is_fast = has_copies(search->of.device);
    int64_t own[3][2];
    for (const int64_t *p = given_or(TUNED(o, points_per_item), points, own[0]); *p; p++)
        for (const int64_t *r = given_or(TUNED(o, rows_per_item), rows, own[1]); *r; r++)
            for (const int64_t *t = given_or(TUNED(o, steps_per_launch), steps, own[2]); *t; t++) {
                /* Only who asks for too many hears of it. */
                if (*t > 1 && t != own[2] && *t * search->of.costs.stages > MOST_LEVELS) break;
                ecl_register_try(search, (struct register_tile){.kernel = &ecl_register_volume,
                                             .points = *p,
                                             .rows = *r,
                                             .items = items,
                                             .item_rows = item_rows,
                                             .steps = *t,
                                             .exchange = 1,
                                             .ptx = is_fast,
                                             .shuffle = is_fast && MACHINE_WARP % items == 0 &&
                                                        items * item_rows % MACHINE_WARP == 0});
            }
}

static void try_all(struct register_search *search) {
    static const int64_t row_items[] = {32, 16, 8, 4, 2, 1, 0}, item_rows[] = {16, 8, 4, 2, 1, 0};
    const eulercl_options *o = &search->of.run->options;
    int64_t own[2][2];
    if (search->of.costs.stages > MOST_LEVELS) {
        search->wrong = TOO_MANY_LEVELS;
        return;
    }
    for (const int64_t *r = given_or(TUNED(o, workgroup_rows), item_rows, own[0]); *r; r++) {
        if (TUNED(o, workgroup_size) && TUNED(o, workgroup_size) % *r) continue;
        for (const int64_t *items = given_or(TUNED(o, workgroup_size) / *r, row_items, own[1]);
             *items; items++)
            try_groups(search, *items, *r);
    }
}

static const struct register_program *program(const struct register_tile *t) {
    static const struct register_program only = {"register_volume",
        {"register_volume_planes", "register_volume"},
        {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
            ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HALO_DOWN, ARGUMENT_HEIGHT,
            ARGUMENT_FIRST, ARGUMENT_STEPS, ARGUMENTS}};
    return (void)t, &only;
}

/* What a right-hand side reads: without diagonal neighbours a star. */
static void put_values(const struct run *run, int radius, struct register_settings *to) {
    const int has_diagonals = ecl_find_reads(run->system.definition).diagonals,
              span = 2 * radius + 1;
    ecl_registers_put(to, "#define VOLUME_EACH_VALUE(VALUE)");
    for (int k = 0; k < span * span * span; k++) {
        const int dx = k % span - radius, dy = k / span % span - radius,
                  dz = k / (span * span) - radius;
        if (!has_diagonals && (dx != 0) + (dy != 0) + (dz != 0) > 1) continue;
        for (unsigned c = 0; c < run->system.definition->grid.components; c++)
            ecl_registers_put(to, " VALUE(%d, %d, %d, %u)", dx, dy, dz, c);
    }
    ecl_registers_put(to, "\n");
}

static void put_shapes(const struct method *m, struct register_settings *to) {
    ecl_registers_put(to, "#define VOLUME_SHAPE(number) (");
    for (int stage = 0; stage < m->stages; stage++)
        if (ecl_registers_shape(m, stage))
            ecl_registers_put(to, "(number) == %d ? %d : ", stage, ecl_registers_shape(m, stage));
    ecl_registers_put(to, "0)\n");
}

static void settings(const struct run *run, const struct register_section *section, int64_t edge,
    struct register_settings *to) {
    const struct register_tile *const t = section->tile;
    const int64_t own = t->points * run->system.definition->grid.components;
    (void)edge;
    ecl_registers_put_number(to, "VOLUME_POINTS", t->points);
    ecl_registers_put_number(to, "VOLUME_ROWS", t->rows);
    ecl_registers_put_number(to, "VOLUME_ITEMS", t->items);
    ecl_registers_put_number(to, "VOLUME_ITEM_ROWS", t->item_rows);
    ecl_registers_put_number(to, "VOLUME_LEVELS", t->levels);
    ecl_registers_put_number(to, "VOLUME_VECTOR", t->vector);
    ecl_registers_put_number(to, "VOLUME_LOCAL_VECTOR", ecl_registers_vector(run, own));
    ecl_registers_put_number(to, "VOLUME_UNROLL", t->unroll);
    ecl_registers_put_number(to, "VOLUME_APART", t->volume.apart);
    put_shapes(run->system.method, to);
    put_values(run, (int)t->radius, to);
}

const struct register_kernel ecl_register_volume = {
    .name = "volume",
    .compile_seconds = &machine_gpu.volume.compile_seconds,
    .variant = REGISTER_ANY_STREAM,
    .local_variant = REGISTER_ANY_STREAM,
    .vectors = VECTORS_AROUND,
    .declares_more = 1,
    .has_rows = 1,
    .has_item_rows = 1,
    .is_applicable = is_volume,
    .try_all = try_all,
    .complete = complete,
    .registers = registers,
    .seconds = seconds,
    .computed = ecl_register_strips_computed,
    .rows = rows,
    .program = program,
    .settings = settings,
};
