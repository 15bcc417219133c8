/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/plane.c - tiles of two axes: kernels/register_plane.cl, with
 * kernels/register_plane_once.cl or, for persistent tiles, kernels/register_plane_persistent.cl. */
#include "config.h"
#include "kernel.h"
#include "method_text.h"

#define PLANE machine_gpu.plane

int ecl_register_patience = 1 << 16;

static overlap_line down_of(const struct system *s, const struct register_tile *t) {
    return (overlap_line){.n = s->context.grid.extents[1],
        .tile = t->rows * t->item_rows,
        .halo = t->halo_down,
        .periodic = grid_is_periodic(&s->context.grid, 1)};
}

static uint64_t computed(const struct system *s, const struct register_tile *t, int64_t levels) {
    (void)s;
    return (uint64_t)(t->groups * t->points * t->items * t->rows * t->item_rows) * (uint64_t)levels;
}

/* Words that an item holds of the coefficients of its points: where means of neighbours' fields are
 * made of them, of each field as many as there are faces, since the compiler makes those once; bits
 * of marks. */
static int64_t held_words(const struct register_case *of, const struct register_tile *t) {
    const struct ode_problem *const d = of->run->system.definition;
    const int64_t points = t->points * t->rows,
                  field = of->reads_neighbours ? 2 * points + t->points + t->rows : points;
    return (int64_t)of->run->system.real_size / 4 * d->field_count * field +
           (d->find_marks ? int_ceil(6 * points + t->points, 32) : 0);
}

/* The state, the edges of a row, and that of the row above. */
static int64_t registers(const struct register_case *of, const struct register_tile *t) {
    const int64_t word = register_words(&of->run->system);
    return int_min(
        MACHINE_MOST_REGISTERS, (t->rows * t->points + t->points + 2 * t->radius + 1) * word +
                                    carried_words(t->rows * t->points * word, of->costs.live) +
                                    held_words(of, t) + PLANE.other_registers);
}

/* Stages in a text. That of four of them is too long if each has many arrays. */
static int stages_in_text(const struct register_tile *t, const struct method_costs *c) {
    const int64_t points = t->points * t->rows;
    if (points <=
        (c->arrays > PLANE.many_arrays ? PLANE.many_arrays_points : PLANE.unrolled[0].points))
        return PLANE.unrolled[0].times;
    return points <= PLANE.unrolled[1].points ? PLANE.unrolled[1].times : 1;
}

static const char *complete(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    const struct system *s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  word = register_words(s), all = t->items * t->item_rows,
                  edge = t->radius * components; /* reals of one side of one row */
    const overlap_line down = down_of(s, t);
    const char *const wrong = ecl_register_misfit(down);
    if (wrong) return wrong;
    if (t->item_rows > 1 && t->rows < t->radius)
        return "a neighbour's edge is higher than what an item holds";
    const int64_t words = t->points * t->rows * word +
                          carried_words(t->points * t->rows * word, c->live),
                  held = held_words(of, t);
    if (held ? words + held > PLANE.held_words : words > PLANE.words) return REGISTER_TOO_MUCH;
    t->unroll = t->most_stages ? 1 : unrolled(of->device, stages_in_text(t, c));
    const uint64_t once =
        (uint64_t)((2 * edge * t->points + (t->shuffle ? 0 : 2 * edge * t->rows)) * all * size);
    t->plane.buffers = 2 * once < of->device->local_bytes ? 2 : 1;
    if (t->plane.buffers == 1) t->unroll = 1;
    t->unrolled_steps = ecl_register_unrolled_steps(t->unroll, c->stages, t->unroll);
    t->local_bytes = (uint64_t)t->plane.buffers * once;
    t->groups = columns * overlap_count(down);
    if (t->groups > INT32_MAX) return REGISTER_TOO_MANY;
    t->loaded = (uint64_t)(t->groups * across_of(s, t).tile * down.tile);
    return NULL;
}

/* Instructions of a warp in a level. */
static double issued(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    return w->points * w->point * w->word +
           (double)t->rows * w->shared * (t->shuffle ? PLANE.shuffled : PLANE.handed_over) +
           (double)t->points * w->shared + PLANE.other_instructions;
}

/* Cycles of a level that a group waits for an exchange where nothing else runs. */
static double waited(const struct register_work *w) {
    const struct register_tile *t = w->tile;
    /* With one component two warps hide more of each other's shuffles. */
    const double row =
        t->unroll > 1 && ecl_register_alone(w) > PLANE.many_warps ? PLANE.many_warps_cycles
        : w->components < 2 && w->warps / MACHINE_SCHEDULERS >= 2 ? PLANE.two_warps_cycles
                                                                  : PLANE.row_cycles;
    return row * (double)t->rows + PLANE.warp_cycles * w->warps;
}

static double crowding(const struct register_work *w) {
    /* Steps of several stages wait less for memory, which they ask for less often; not a tail. */
    double hiding =
        w->held < 2 && (w->stages < 2 || w->is_tail) ? PLANE.alone : ecl_register_hiding(w);
    if (w->held < 2 && w->stages > 1 && w->tile->cut.sections > 1 && !w->is_tail)
        hiding *= PLANE.sections; /* more arrays come and go */
    /* One component in double is not slower; the reason is not known. */
    const double shape = w->components < 2 && w->word > 1 ? 1 : PLANE.slow_shape;
    return hiding * ecl_register_imbalance(w) * ecl_register_spilling(w) * shape;
}

/* Each group begins with the same scheduler, as measured with six warps and more. */
static double fullest(const struct register_work *w) {
    const double groups = ceil(w->groups);
    return w->warps <= 2 ? ceil(groups * w->warps / MACHINE_SCHEDULERS)
                         : groups * ceil(w->warps / MACHINE_SCHEDULERS);
}

/* A first round hides none of its loads, as measured with stars of one component. */
static double shown(const struct register_work *w) {
    const int is_simple = w->components < 2 && w->tile->radius < 2;
    return is_simple && !w->is_tail && whole_rounds(w) < 2 ? 1 : machine_gpu.rounds.shown;
}

/* The longest texts take longer to fetch. */
static double text_factor(const struct register_work *w) {
    const int shapes = ecl_registers_shapes(w->of->run->system.method);
    return (w->stages > 1 ? PLANE.fetched : 1) *
           (w->tile->most_stages ? 1 + PLANE.any_shape * fmax(0, shapes - 3) : 1);
}

static double seconds(const struct register_work *launch) {
    struct register_work w = *launch;
    /* Groups that share a unit load while others compute, and from a cache if the state is there.
     */
    if (w.groups > 1 && w.arrays_bytes < machine_gpu.cache_bytes)
        w.transfer = transfer_seconds(w.bytes, machine_gpu.cache_bandwidth, w.units) + w.fields;
    const double issue = issued(&w);
    const struct register_rounds rounds = {.issue = issue,
        .busy = PLANE.busy,
        .one = ecl_register_alone(&w) * issue + waited(&w),
        .fullest = fullest(&w),
        .crowding = crowding(&w),
        .slower = text_factor(&w),
        .fixed = w.is_tail ? PLANE.tail_seconds : machine_gpu.launch_seconds,
        .shown = shown(&w)};
    return ecl_register_rounds(&w, &rounds);
}

/* Tiles of so many items in rows of `items`. */
static void try_groups(struct register_search *search, int64_t item_rows, int64_t items) {
    static const int64_t points[] = {1, 2, 3, 4, 0}, rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                         12, 13, 14, 16, 18, 20, 22, 23, 24, 0};
    /* Where an item holds coefficients, it takes most registers that there are. */
    static const int64_t more_points[] = {1, 2, 3, 4, 6, 8, 0},
                         all_rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                             18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 0};
    static const int64_t steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 0};
    const eulercl_options *o = &search->of.run->options;
    const int ptx = search->variant != REGISTER_GROUP_LOCAL && has_ptx(search->of.device);
    const int64_t components = search->of.run->system.definition->grid.components;
    const int holds = search->of.run->system.field_bytes > 0,
              is_any = search->variant == REGISTER_GROUP_ANY,
              is_short = is_any && !TUNED(o, points_per_item) && !TUNED(o, rows_per_item);
    int64_t own[3][2];
    for (const int64_t *p =
             given_or(TUNED(o, points_per_item), holds ? more_points : points, own[0]);
         *p; p++)
        for (const int64_t *r = given_or(TUNED(o, rows_per_item), holds ? all_rows : rows, own[1]);
             *r; r++) {
            if (is_short && *p * *r > 1 && *p * *r * components > PLANE.any_values) continue;
            for (const int64_t *t = given_or(steps_wanted(search), steps, own[2]); *t; t++)
                ecl_register_try(search, (struct register_tile){.kernel = &ecl_register_plane,
                                             .points = *p,
                                             .rows = *r,
                                             .items = items,
                                             .item_rows = item_rows,
                                             .steps = *t,
                                             .exchange = 1,
                                             .most_stages = is_any,
                                             .ptx = ptx,
                                             .shuffle = ptx && items == MACHINE_WARP,
                                             .persistent = TUNED(o, persistent) > 0});
        }
}

static void try_all(struct register_search *search) {
    /* Items in a row of a work-group: a warp, if the grid is that wide. */
    static const int64_t row_items[] = {32, 16, 8, 4, 2, 1, 0};
    static const int64_t item_rows[] = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 0};
    const eulercl_options *o = &search->of.run->options;
    const int64_t nx = search->of.run->system.context.grid.extents[0];
    int64_t own[2][2];
    for (const int64_t *w = given_or(TUNED(o, workgroup_rows), item_rows, own[0]); *w; w++) {
        if (TUNED(o, workgroup_size) && TUNED(o, workgroup_size) % *w) continue;
        const int64_t *items = given_or(TUNED(o, workgroup_size) / *w, row_items, own[1]);
        for (; *items; items++) {
            /* Half warps only where the grid is too narrow for whole ones. */
            const int is_half = !TUNED(o, workgroup_size) && *items < MACHINE_WARP;
            if (!is_half || 2 * *items > nx) try_groups(search, *w, *items);
        }
    }
}

static const struct register_program *program(const struct register_tile *t) {
    static const struct register_program
        once = {"register_plane", {"register_plane", "register_plane_once"},
            {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
                ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HALO_DOWN,
                ARGUMENT_FIRST, ARGUMENT_STEPS, ARGUMENTS}},
        persistent = {"register_plane_persistent", {"register_plane", "register_plane_persistent"},
            {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
                ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HALO_DOWN,
                ARGUMENT_FIRST, ARGUMENT_STEPS, ARGUMENT_TOGETHER, ARGUMENT_WORDS, ARGUMENT_TAG,
                ARGUMENT_FAILED, ARGUMENTS}};
    return t->persistent ? &persistent : &once;
}

static void settings(const struct run *run, const struct register_section *section, int64_t edge,
    struct register_settings *to) {
    const struct register_tile *const t = section->tile;
    ecl_registers_put_number(to, "PLANE_POINTS", t->points);
    ecl_registers_put_number(to, "PLANE_ROWS", t->rows);
    if (run->system.field_bytes)
        ecl_registers_put_number(to, "REGISTER_HELD_ROW", t->points + 2 * t->radius);
    ecl_registers_put_number(to, "PLANE_ITEMS", t->items);
    ecl_registers_put_number(to, "PLANE_ITEM_ROWS", t->item_rows);
    ecl_registers_put_number(to, "PLANE_VECTOR", t->vector);
    ecl_registers_put_number(to, "PLANE_SIDE_VECTOR", ecl_registers_vector(run, edge * t->rows));
    ecl_registers_put_number(to, "PLANE_END_VECTOR", ecl_registers_vector(run, edge * t->points));
    ecl_registers_put_number(to, "PLANE_BUFFERS", t->plane.buffers);
    ecl_registers_put_number(to, "PLANE_UNROLL", t->unroll);
    ecl_registers_put_number(to, "PLANE_STEPS", t->unrolled_steps);
    ecl_registers_put_number(to, "PERSISTENT_SETS", REGISTER_EXCHANGE_SETS);
    ecl_registers_put_number(to, "PERSISTENT_PATIENCE", ecl_register_patience);
}

static double any_compile_seconds(const struct system *s, const struct register_tile *t) {
    const double values = (double)(t->points * t->rows * (int64_t)s->definition->grid.components);
    return PLANE.any_compile_seconds +
           values * ecl_registers_shapes(s->method) * PLANE.any_value_compile_seconds;
}

/* The struct stage_section of kernels/register.cl. */
static struct register_numbers numbers(
    const struct run *run, const struct register_section *section) {
    const struct method *const whole = run->system.method, *const m = &section->stages;
    const int64_t first = ecl_register_first_stage(run, section);
    static const int32_t never = 1 << 30;
    struct register_numbers n = {.values = {m->stages, ecl_carried_into(whole, first),
                                     ecl_carried_into(whole, first + m->stages), section->ends_step,
                                     section->ends_step ? ODE_FLUSH_STEPS_(whole->stages) : never}};
    if (!section->tile->most_stages) return n;
    n.count = 7;
    for (int s = 0; s < m->stages; s++) {
        const uint32_t shape = (uint32_t)ecl_registers_shape(whole, (int)first + s);
        n.values[5 + s / 8] = (int32_t)((uint32_t)n.values[5 + s / 8] | shape << 4 * (s % 8));
    }
    return n;
}

const struct register_kernel ecl_register_plane = {
    .name = "plane",
    .compile_seconds = &machine_gpu.plane.compile_seconds,
    .any_compile_seconds = any_compile_seconds,
    .variant = REGISTER_GROUP,
    .local_variant = REGISTER_GROUP_LOCAL,
    .vectors = VECTORS_INSIDE,
    .has_rows = 1,
    .has_item_rows = 1,
    .holds_coefficients = 1,
    .is_applicable = is_plane,
    .try_all = try_all,
    .complete = complete,
    .registers = registers,
    .seconds = seconds,
    .computed = computed,
    .program = program,
    .settings = settings,
    .numbers = numbers,
};
