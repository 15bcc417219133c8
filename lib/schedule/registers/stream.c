/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/stream.c - strips of a plane, down which a work-group goes with all levels:
 * kernels/register_stream.cl. */
#include "config.h"
#include "kernel.h"
#include "method_text.h"

#define STREAM machine_gpu.stream

static uint64_t rows(const struct system *s, const struct register_tile *t, int64_t beyond) {
    return (uint64_t)overlap_count(across_of(s, t)) * ecl_register_stretches(s, t, beyond);
}

/* The estimate may be more than there are. */
static int64_t registers_wanted(const struct register_case *of, const struct register_tile *t) {
    const double live = of->costs.live_in_stream;
    const int64_t item = t->points * register_words(&of->run->system);
    return (2 * t->radius * t->levels + STREAM.row_words) * item +
           carried_words(t->levels * item, live) + STREAM.other_registers +
           (live > STREAM.many_carried ? STREAM.carried_registers : 0);
}

static int64_t registers(const struct register_case *of, const struct register_tile *t) {
    return int_min(MACHINE_MOST_REGISTERS, registers_wanted(of, t));
}

static const char *complete(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    const struct system *s = &of->run->system;
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components,
                  ny = grid_length(&s->context.grid);
    if ((2 * t->radius + 1) * t->levels * t->points * register_words(s) > STREAM.words ||
        registers_wanted(of, t) > STREAM.registers)
        return REGISTER_TOO_MUCH;
    t->unroll =
        unrolled(of->device, (int)(2 * t->radius + 2 - of->costs.is_star)); /* a ring's rows */
    t->local_bytes = (uint64_t)(4 * (t->items + 1) * t->levels * t->radius * components * size);
    /* A strip is cut into as many stretches as run at once or as are asked for. */
    const int64_t wanted = ecl_register_groups_wanted(of, t);
    t->height = int_ceil(ny, int_max(1, int_min(ny, wanted / columns)));
    t->groups = columns * int_ceil(ny, t->height);
    if (t->groups > INT32_MAX) return REGISTER_TOO_MANY;
    t->loaded =
        (uint64_t)(columns * t->points * t->items) * ecl_register_stretches(s, t, t->halo_down);
    return t->loaded ? NULL : REGISTER_TOO_MANY;
}

static double seconds(const struct register_work *w) {
    const double turns = (double)(w->tile->height + 2 * w->tile->halo_down);
    const double issue =
        w->levels * (w->points * w->point * w->word + STREAM.edge_instructions * w->shared +
                        STREAM.level_instructions) +
        STREAM.turn_instructions;
    const double spilled = w->stages > 1 ? STREAM.spilled_stages : STREAM.spilled;
    const double turn = ceil(fmin(ceil(w->groups), w->held) * w->warps / MACHINE_SCHEDULERS) *
                        issue * (w->registers > STREAM.spilled_registers ? spilled : STREAM.issue);
    /* Steps of several stages: every level has a text of its own. */
    const double text = w->levels > STREAM.many_levels ? 1 : STREAM.fetched,
                 fetched = w->stages > 1 ? text * (1 + 1 / w->levels) : 1;
    /* A level of an item with few reals does too little between two barriers. */
    const double idle =
        w->stages > 1 && w->points * w->components < STREAM.few_reals ? STREAM.idle : 1;
    /* Many warps wait for each other at the end of a turn. Every level has a test for the flush. */
    const double meeting = w->warps > STREAM.many_warps ? STREAM.meeting : 1,
                 flushed = w->flushes && w->word < 2 ? STREAM.flushed : 1,
                 wide = w->tile->radius > 1 ? STREAM.wide : 1,
                 many = w->components > 2 ? STREAM.many_components : 1;
    return fetched * idle * meeting * flushed * wide * many *
           fmax(machine_gpu.launch_seconds + machine_gpu.fetch_seconds +
                    turns * turn * ceil(w->groups / w->held) / machine_gpu.clock_rate,
               STREAM.transfer * w->transfer);
}

static void try_all(struct register_search *search) {
    static const int64_t points[] = {1, 2, 3, 4, 0}, items[] = {8, 16, 32, 64, 96, 128, 0},
                         steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 0};
    const struct system *s = &search->of.run->system;
    const eulercl_options *o = &search->of.run->options;
    const int64_t nx = s->context.grid.extents[0];
    /* Where the grid has fewer columns than the smallest strip of those. */
    const int64_t narrow[] = {1, 2, 3, 4, 5, 6, 7, nx, 0};
    const int is_narrow = nx < items[0] * ecl_register_radius(s) && !search->count;
    int64_t own[3][2];
    if (TUNED(o, rows_per_item) || TUNED(o, workgroup_rows)) {
        /* The message of variant group stands where that was tried, too. */
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
                ecl_register_try(search, (struct register_tile){.kernel = &ecl_register_stream,
                                             .points = *p,
                                             .rows = 1,
                                             .items = *g,
                                             .item_rows = 1,
                                             .steps = *t,
                                             .exchange = 1,
                                             .ptx = has_ptx(search->of.device)});
}

static const struct register_program *program(const struct register_tile *t) {
    static const struct register_program only = {"register_stream", {"register_stream"},
        {ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_TIMES, ARGUMENT_FIELDS, ARGUMENT_CONSTANTS,
            ARGUMENT_FACTORS, ARGUMENT_EXTENTS, ARGUMENT_HALO, ARGUMENT_HEIGHT, ARGUMENT_FIRST,
            ARGUMENT_STEPS, ARGUMENTS}};
    return (void)t, &only;
}

static void settings(const struct run *run, const struct register_section *section, int64_t edge,
    struct register_settings *to) {
    const struct register_tile *const t = section->tile;
    ecl_registers_put_number(to, "STREAM_POINTS", t->points);
    ecl_registers_put_number(to, "STREAM_ITEMS", t->items);
    ecl_registers_put_number(to, "STREAM_LEVELS", t->levels);
    ecl_registers_put_number(to, "STREAM_VECTOR", t->vector);
    ecl_registers_put_number(to, "STREAM_SIDE_VECTOR", ecl_registers_vector(run, edge));
    ecl_registers_put_number(to, "STREAM_UNROLL", t->unroll);
    ecl_registers_put_levels(to, run->system.method, t->levels);
}

const struct register_kernel ecl_register_stream = {
    .name = "stream",
    .compile_seconds = &machine_gpu.stream.compile_seconds,
    .variant = REGISTER_ANY_STREAM,
    .local_variant = REGISTER_ANY_STREAM,
    .vectors = VECTORS_INSIDE,
    .is_applicable = is_plane,
    .try_all = try_all,
    .complete = complete,
    .registers = registers,
    .seconds = seconds,
    .computed = ecl_register_strips_computed,
    .rows = rows,
    .program = program,
    .settings = settings,
};
