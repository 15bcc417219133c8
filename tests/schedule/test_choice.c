/* SPDX-License-Identifier: BSD-2-Clause */
/* test_choice.c - the choice of a tile (lib/schedule/diamond.c, overlap_lanes.c, registers/)
 * for devices that need not exist: the thesis's tables, and what must hold for every choice. */
#include "config.h"
#include "../support.h"
#include "schedule/registers/kernel.h"
#include "schedule/diamond.h"
#include "schedule/overlap_lanes.h"
#include "problem/flush.h"
#include "problem/grid.h"
#include "int.h"
#include <math.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const char *const backends[] = {[TILE_ROW_DIAMOND] = "cl-row-diamond",
    [TILE_COLUMN_DIAMOND] = "cl-column-diamond",
    [TILE_HONEYCOMB] = "cl-honeycomb"};

static eulercl_device_info device_of(uint32_t units, uint64_t local_bytes) {
    return (eulercl_device_info){.struct_size = sizeof(eulercl_device_info),
        .name = "a device on paper",
        .compute_units = units,
        .local_bytes = local_bytes,
        .max_workgroup_size = 512};
}

static struct run run_of(const eulercl_problem *problem, const eulercl_options *options) {
    struct run run = {.options = *options};
    OK(ecl_system_create(problem, options->precision, &run.system, &error));
    return run;
}

/* ---- the tables of 7.1.1 and 9.3, by way of the chooser ---- */

static const struct {
    enum tile_kind kind;
    uint32_t units;
    uint64_t local_bytes;
    int64_t n, honeycomb_steps;
    const char *distribution;
    int64_t blocks, steps;
    uint64_t bytes;
} tables[] = {
    {TILE_ROW_DIAMOND, 30, 16384, 80000, -1, "mult", 334, 167, 10752},
    {TILE_ROW_DIAMOND, 30, 16384, 80000, -1, "add", 500, 250, 16064},
    {TILE_ROW_DIAMOND, 30, 16384, 80000, -1, "corr", 340, 170, 10944},
    {TILE_HONEYCOMB, 16, 49152, 2000000, 100, "add", 1526, 100, 48896},
    {TILE_HONEYCOMB, 16, 49152, 2000000, 110, "add", 1528, 110, 48960},
    {TILE_HONEYCOMB, 16, 49152, 2000000, 120, "add", 1530, 120, 49024},
};

START_TEST(tables_of_the_thesis) {
    const eulercl_device_info device = device_of(tables[_i].units, tables[_i].local_bytes);
    eulercl_problem *problem;
    eulercl_options options;
    struct tiling t;
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set_size(problem, tables[_i].n, &error));
    options_for(&options, &(struct way){backends[tables[_i].kind], NULL, 1}, EULERCL_FLOAT);
    GIVE_NAME(&options, distribution, tables[_i].distribution);
    GIVE(&options, honeycomb_steps, tables[_i].honeycomb_steps);
    struct run run = run_of(problem, &options);
    OK(ecl_diamond_choose(tables[_i].kind, &run, &device, &t, &error));
    ck_assert_int_eq(t.shape.blocks, tables[_i].blocks);
    ck_assert_int_eq(t.levels_per_launch, tables[_i].steps);
    ck_assert_uint_eq(t.local_bytes, tables[_i].bytes);
    ck_assert_int_eq(t.storage, TILE_LOCAL);
    ck_assert_str_eq(t.distribution, tables[_i].distribution);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what holds for every choice ---- */

/* Bytes of the smallest tile; storage in one buffer halves them. */
static uint64_t smallest_bytes(
    enum tile_storage storage, int64_t n, int64_t block, int64_t halo, size_t real_size) {
    const tile_shape s = {n, block, halo, 2, 1};
    const int64_t capacity =
        storage == TILE_COLUMN ? tile_column_capacity(s) : 2 * tile_row_capacity(s);
    return (uint64_t)capacity * real_size;
}

static eulercl_problem *random_problem(void) {
    static const int choices[] = {TEST_string, TEST_bruss2d, TEST_distant, TEST_reverse,
        TEST_mirror2, TEST_seven, TEST_advection};
    const int which = choices[random_below(COUNT(choices))];
    eulercl_problem *problem;
    OK(eulercl_problem_create(test_problems[which].definition, &problem, &error));
    const int64_t size = (int64_t)1
                         << random_below(which == TEST_bruss2d || which == TEST_mirror2 ? 9 : 18),
                  exact = size + random_below(size);
    if (which == TEST_distant)
        OK(eulercl_problem_set(problem, "distance", (double)random_below(2 * exact), &error));
    static const char *const names[] = {"points", "m", "size", "columns", "rows", "cells"};
    for (int i = 0; i < COUNT(names); i++) /* names that the problem does not have fail */
        eulercl_problem_set(problem, names[i], (double)exact, NULL);
    return problem;
}

static void check_choice(enum tile_kind kind, const struct run *run,
    const eulercl_device_info *device, const struct tiling *t) {
    const eulercl_options *o = &run->options;
    const tile_shape s = t->shape;
    ck_assert(s.n == run->system.n && s.block % 4 == 0 && s.halo % 4 == 0 && s.halo >= 4 &&
              s.block >= s.halo);
    ck_assert(s.halo >= run->system.access_distance || s.halo >= s.n);
    ck_assert(s.blocks >= 2 && s.blocks % 2 == 0 && s.cut >= 0 && s.cut <= s.blocks / 2 &&
              t->levels_per_launch == tile_max(s.cut, 1));
    ck_assert(t->workgroup > 0 && t->workgroup <= device->max_workgroup_size &&
              (!GIVEN(o, workgroup_size) || (int64_t)t->workgroup == GIVEN(o, workgroup_size)));
    ck_assert(tile_count(s, 0) >= 1 && tile_count(s, 1) >= 1);
    if (kind != TILE_HONEYCOMB)
        ck_assert_int_eq(s.cut, s.blocks / 2);
    else if (GIVEN(o, honeycomb_steps) >= 0)
        ck_assert_int_eq(s.cut, tile_min(GIVEN(o, honeycomb_steps), s.blocks / 2));
    else
        ck_assert_int_ge(s.cut, 1);
    if (GIVEN(o, dia_blocks)) ck_assert_int_eq(s.blocks, tile_round(GIVEN(o, dia_blocks), 2));
    if (GIVEN(o, dia_blocks)) ck_assert_str_eq(t->distribution, "");
    if (t->storage == TILE_GLOBAL)
        ck_assert_uint_eq(t->local_bytes, 0);
    else
        ck_assert_uint_lt(t->local_bytes, device->local_bytes);
    if (t->storage == TILE_LOCAL)
        ck_assert_uint_eq(t->local_bytes,
            (uint64_t)tile_min(2 * (s.blocks + 2) * s.block, 2 * tile_round(s.n, 4)) *
                run->system.real_size);
    if (t->storage == TILE_COLUMN)
        ck_assert_uint_le(
            t->local_bytes, (uint64_t)((s.blocks + 2) * s.block) * run->system.real_size);
    if (GIVEN_NAME(o, storage)) ck_assert_int_eq((int64_t)t->storage, TUNED(o, storage));
    if (!GIVEN(o, dia_blocks) && GIVEN_NAME(o, distribution))
        ck_assert_str_eq(t->distribution, GIVEN_NAME(o, distribution));
}

START_TEST(choices_hold_what_they_must) {
    static const char *const storages[][4] = {{NULL, "local", "global", NULL},
        {NULL, "column", NULL, NULL}, {NULL, "local", "global", "column"}};
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"};
    random_start(500 + (uint64_t)_i);
    int refused = 0, taken = 0;
    for (int round = 0; round < 1500; round++) {
        const enum tile_kind kind = (enum tile_kind)(round % 3);
        const eulercl_device_info device =
            device_of((uint32_t)random_below(200), (uint64_t)512 << random_below(12));
        eulercl_problem *problem = random_problem();
        eulercl_options options;
        struct tiling t = {.levels_per_launch = -1};
        options_for(&options, &(struct way){backends[kind], NULL, 1},
            random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE);
        GIVE_NAME(&options, storage, storages[kind][random_below(4)]);
        GIVE_NAME(&options, distribution, distributions[random_below(COUNT(distributions))]);
        GIVE(&options, workgroup_size, random_below(2) ? (uint64_t)(1 + random_below(512)) : 0);
        GIVE(&options, dia_blocks,
            random_below(2) ? (uint64_t)(1 + random_below((int64_t)1 << random_below(21))) : 0);
        GIVE(&options, honeycomb_steps,
            random_below(2) ? random_below((int64_t)1 << random_below(20)) : -1);
        struct run run = run_of(problem, &options);
        const int status = ecl_diamond_choose(kind, &run, &device, &t, &error);
        if (!status) {
            check_choice(kind, &run, &device, &t);
            taken++;
        } else {
            /* Refused only where the smallest tile does not fit, or the one that was asked for. */
            char bytes[40];
            ck_assert_int_eq(status, EULERCL_UNSUPPORTED);
            ck_assert_int_eq(t.levels_per_launch, -1);
            ck_assert_msg(strstr(error.message, "bytes of local memory") &&
                              strstr(error.message, "cl-linear"),
                "%s", error.message);
            const int64_t n = run.system.n;
            const struct ode_problem *d = run.system.definition;
            const enum tile_storage storage =
                kind == TILE_COLUMN_DIAMOND ||
                        (kind == TILE_HONEYCOMB &&
                            (!GIVEN_NAME(&options, storage) ||
                                !strcmp(GIVEN_NAME(&options, storage), "column")))
                    ? TILE_COLUMN
                    : TILE_LOCAL;
            /* Column storage: the surroundings of a point, all its components, lie within a block.
             */
            const int64_t rectangle =
                ((d->grid.rank == 2 ? d->grid.radius * (run.system.context.grid.extents[0] + 1)
                                    : d->grid.radius) +
                    1) *
                    d->grid.components -
                1;
            const int64_t least = d->grid.rank && storage == TILE_COLUMN ? rectangle
                                  : d->grid.rank == 1 ? (int64_t)d->grid.radius * d->grid.components
                                                      : 1;
            const int64_t reach = tile_max(run.system.access_distance, least);
            const int64_t halo = tile_round(tile_min(reach, n), 4);
            /* Blocks of column-diamonds are no shorter than a vector for each item: 256 items,
             * fewer for small systems. */
            int named = GIVEN(&options, dia_blocks) != 0;
            for (int64_t items = GIVEN(&options, workgroup_size) ? GIVEN(&options, workgroup_size)
                                                                 : 256;
                 items >= (GIVEN(&options, workgroup_size) ? GIVEN(&options, workgroup_size) : 64);
                 items /= 2) {
                const uint64_t needed = smallest_bytes(storage, n,
                    kind == TILE_COLUMN_DIAMOND ? tile_max(halo, 4 * items) : halo, halo,
                    run.system.real_size);
                snprintf(bytes, sizeof bytes, " %llu bytes", (unsigned long long)needed);
                named |= strstr(error.message, bytes) && needed >= device.local_bytes;
            }
            ck_assert_msg(named, "%s: %s", backends[kind], error.message);
            refused++;
        }
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
    }
    ck_assert(refused > 50 && taken > 500);
}
END_TEST

/* ---- the traffic, counted tile by tile and level by level ---- */

static int64_t length(tile_range r) { return tile_max(0, r.end - r.begin); }
static int64_t lengths(tile_ranges r) { return length(r.left) + length(r.right); }

START_TEST(traffic_is_what_tiles_move) {
    random_start(600 + (uint64_t)_i);
    for (int round = 0; round < 3000; round++) {
        const int64_t halo = 4 * (1 + random_below(3)), blocks = 2 * (1 + random_below(8));
        struct tiling t = {.storage = (enum tile_storage)random_below(3)};
        t.shape = (tile_shape){1 + random_below(700),
            halo + (t.storage == TILE_COLUMN ? 4 * random_below(3) : 0), halo, blocks,
            random_below(blocks / 2 + 1)};
        const tile_shape s = t.shape;
        const int64_t steps = random_below(30);
        for (int64_t pass = tile_first_pass(s); pass <= tile_last_pass(s, steps); pass++) {
            int64_t moved = 0, copied = 0;
            for (int64_t number = 0; number < tile_count(s, pass); number++) {
                const int64_t start = tile_first(s, pass) + number * tile_period(s),
                              middle = tile_middle(s, pass);
                const int64_t first = tile_first_level(s, pass, start),
                              last = tile_last_level(s, pass, steps, start);
                tile_range before = tile_nothing(s);
                for (int64_t level = first; level <= last; level++) {
                    const tile_range range = tile_level(s, start, level - middle);
                    if (t.storage == TILE_GLOBAL)
                        moved += length(range) + length(tile_input(s, range));
                    else
                        moved +=
                            lengths(tile_load(s, range, before)) +
                            lengths(tile_store(s, start, level - middle, level == steps, range));
                    before = range;
                }
                for (int which = 0; which < 2 && first <= last; which++)
                    copied += lengths(tile_fetch_all(s, start, middle, first, last, which)) +
                              lengths(tile_write_back_all(s, start, middle, first, last, which));
            }
            ck_assert_msg(ecl_diamond_traffic(&t, pass, steps, 8) == 8 * (uint64_t)moved,
                "n %lld, block %lld, halo %lld, blocks %lld, cut %lld, storage %d, pass %lld of "
                "%lld steps: %llu bytes, "
                "not %lld (seed %llu)",
                (long long)s.n, (long long)s.block, (long long)s.halo, (long long)s.blocks,
                (long long)s.cut, t.storage, (long long)pass, (long long)steps,
                (unsigned long long)ecl_diamond_traffic(&t, pass, steps, 8), (long long)(8 * moved),
                (unsigned long long)seed());
            /* With two buffers the kernel copies everything at once; at an end of the system that
             * may be a part of a block more. */
            if (t.storage == TILE_LOCAL)
                ck_assert_msg(copied >= moved && copied <= moved + 2 * s.block,
                    "%lld are copied, %lld counted", (long long)copied, (long long)moved);
        }
    }
}
END_TEST

/* ---- tiles in registers (lib/schedule/registers/) ---- */

enum {
#define REGISTER_KERNEL(NAME) KERNEL_##NAME,
#include "schedule/registers/kernels.def"
#undef REGISTER_KERNEL
    KERNELS
};

static const char *const register_variants[] = {[REGISTER_AUTO] = "auto",
    [REGISTER_GROUP] = "group",
    [REGISTER_GROUP_LOCAL] = "group-local",
    [REGISTER_GROUP_ANY] = "group-any",
    [REGISTER_ANY_STREAM] = "stream",
    [REGISTER_ANY_PIPELINE] = "pipeline"};

/* The enumeration has the order of the words in backends.def. */
START_TEST(variants_have_their_names) {
    size_t backend;
    OK(ecl_find_backend("cl-register", &backend, &error));
    const char *const *const names = ecl_backends[backend].variants;
    for (int v = 0; v < COUNT(register_variants); v++)
        ck_assert_str_eq(names[v], register_variants[v]);
    ck_assert_ptr_null(names[COUNT(register_variants)]);
}
END_TEST

static void random_register_options(
    eulercl_options *o, enum register_variant *variant, int dimensions) {
    const int given =
        (int)random_below(4); /* how likely an option is given, in quarters of a half */
    *variant = (enum register_variant)(random_below(dimensions > 1 ? 5 : 3));
    o->precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE;
    GIVE_NAME(o, variant, register_variants[*variant]);
    if (random_below(8) < given)
        GIVE(o, points_per_item, 1 + random_below(random_below(4) ? 6 : 128));
    if (random_below(8) < given)
        GIVE(o, workgroup_size, 1 + random_below(random_below(4) ? 128 : INT32_MAX));
    if (random_below(8) < given)
        GIVE(o, steps_per_launch, 1 + random_below(random_below(4) ? 8 : 65536));
    if (random_below(16) < given) GIVE(o, steps_per_exchange, 1 + random_below(16));
    if (random_below(16) < given) GIVE(o, rows_per_item, 1 + random_below(32));
    if (random_below(16) < given) GIVE(o, workgroup_rows, 1 + random_below(64));
    if (random_below(16) < given)
        GIVE(o, workgroups, 1 + random_below(random_below(2) ? 500 : INT32_MAX));
}

static void check_registers(
    const struct run *run, const eulercl_device_info *device, const struct register_tile *t) {
    const eulercl_options *o = &run->options;
    const struct ode_problem *d = run->system.definition;
    const int64_t nx = d->grid.rank ? run->system.context.grid.extents[0] : run->system.n,
                  ny = d->grid.rank > 1 ? run->system.context.grid.extents[1] : 1,
                  length = grid_length(&run->system.context.grid), n = run->system.n;
    const int periodic = d->grid.boundary[0][0] == ODE_PERIODIC,
              periodic_down = d->grid.boundary[1][0] == ODE_PERIODIC;
    const int64_t across = t->points * t->items, down = t->rows * t->item_rows;
    ck_assert_msg(
        t->kernel->is_applicable(&run->system), "kernel %s for %s", t->kernel->name, d->name);
    ck_assert(!GIVEN(o, points_per_item) || t->points == GIVEN(o, points_per_item));
    ck_assert(!GIVEN(o, rows_per_item) || t->rows == GIVEN(o, rows_per_item));
    ck_assert(!GIVEN(o, workgroup_rows) || t->item_rows == GIVEN(o, workgroup_rows));
    ck_assert(!GIVEN(o, workgroup_size) || t->items * t->item_rows == GIVEN(o, workgroup_size));
    ck_assert(!GIVEN(o, steps_per_launch) || t->steps == GIVEN(o, steps_per_launch));
    ck_assert(!GIVEN(o, steps_per_exchange) || t->exchange == GIVEN(o, steps_per_exchange));
    ck_assert(t->points >= 1 && t->rows >= 1 && t->items >= 1 && t->item_rows >= 1 &&
              t->steps >= 1 && t->exchange >= 1);
    ck_assert(t->halo >= t->steps * t->radius && t->halo_down == t->steps * t->radius &&
              t->radius >= (int64_t)d->grid.radius);
    ck_assert(d->grid.rank || t->radius >= run->system.access_distance);
    ck_assert((periodic || across <= nx) && (across > 2 * t->halo || (!periodic && across == nx)));
    ck_assert(t->items == 1 || t->points >= t->radius * t->exchange);
    if (t->kernel == &ecl_register_plane) {
        ck_assert((periodic_down || down <= ny) &&
                  (down > 2 * t->halo_down || (!periodic_down && down == ny)));
        ck_assert(t->item_rows == 1 || t->rows >= t->radius);
        ck_assert(run->variant < REGISTER_ANY_STREAM && t->unroll >= 1 &&
                  (t->unroll == 1 || t->unroll % t->plane.buffers == 0));
        ck_assert(!t->shuffle ||
                  (t->items == 32 && run->variant != REGISTER_GROUP_LOCAL && device->is_gpu));
    }
    if (register_is_strip(t->kernel)) {
        ck_assert(run->variant == REGISTER_AUTO || run->variant == t->kernel->variant);
        ck_assert(t->height >= 1 && (t->height <= length || t->kernel == &ecl_register_pipeline));
    }
    if (t->kernel == &ecl_register_volume) {
        ck_assert((periodic_down || down <= ny) &&
                  (down > 2 * t->halo_down || (!periodic_down && down == ny)));
        ck_assert(t->points >= t->radius && t->rows >= t->radius);
        ck_assert(!t->ptx || (device->is_gpu && device->compute_capability >= 80));
        ck_assert(!t->shuffle || (t->ptx && 32 % t->items == 0));
    }
    if (t->kernel == &ecl_register_pipeline) {
        const int64_t components = d->grid.components;
        ck_assert(t->levels % t->item_rows == 0 && t->item_rows <= PIPE_MOST_WARPS);
        ck_assert(t->points >= t->radius && t->pipeline.ahead >= 1 && t->unroll >= 1);
        /* A copy of a row is kept or not, and the ring holds all rows that are on their way. */
        ck_assert(t->halo * components % t->vector == 0);
        ck_assert_uint_ge(t->local_bytes, (uint64_t)((t->item_rows + 1 + t->pipeline.ahead) *
                                                     across * components * (int64_t)o->precision));
        ck_assert(!t->shuffle || (t->items == 32 && t->ptx));
        ck_assert(!t->ptx || (device->is_gpu && device->compute_capability >= 80));
    }
    if (t->kernel == &ecl_register_line) ck_assert(t->points % t->line.stage == 0);
    if (!device->is_gpu)
        ck_assert(t->unroll == 1 && t->unrolled_steps == 1);
    else
        ck_assert(t->unroll >= 1 && (t->kernel != &ecl_register_line || t->unroll % 2 == 0));
    /* A device of NVIDIA's may be able to have more than it reports. */
    const uint64_t most = t->kernel->declares_more && t->ptx ? 227 << 10 : 0;
    ck_assert(t->local_bytes < most || t->local_bytes < device->local_bytes);
    ck_assert(t->groups >= 1 && t->groups <= INT32_MAX);
    ck_assert_uint_le((uint64_t)(t->items * t->item_rows), device->max_workgroup_size);
    ck_assert_uint_ge(t->loaded, (uint64_t)n);
    ck_assert_uint_ge(
        ecl_registers_computed(&run->system, t, t->steps), (uint64_t)n * (uint64_t)t->steps);
    ck_assert(t->step_seconds > 0 && t->step_seconds < 1e12);
    if (t->kernel != &ecl_register_line) {
        /* Vectors: a row, an item, every tile begin at a multiple. */
        const int64_t components = d->grid.components;
        ck_assert(t->vector == 1 ||
                  ((!periodic || t->kernel->vectors == VECTORS_AROUND) &&
                      nx * components % t->vector == 0 && t->points * components % t->vector == 0 &&
                      (nx - across) * components % t->vector == 0 &&
                      (across - 2 * t->halo) * components % t->vector == 0));
    }
}

static int is_same_tile(const struct register_tile *a, const struct register_tile *b) {
    return a->kernel == b->kernel && a->points == b->points && a->rows == b->rows &&
           a->items == b->items && a->item_rows == b->item_rows && a->steps == b->steps &&
           a->exchange == b->exchange && a->shuffle == b->shuffle && a->halo == b->halo &&
           a->groups == b->groups;
}

/* Set integer parameters of a few bits, or values for which the system is huge. */
static void random_size(eulercl_problem *problem, const struct ode_problem *d, int is_huge) {
    const int most_bits = !is_huge            ? d->grid.rank < 3 ? 12 : 8
                          : d->grid.rank == 1 ? 60
                          : d->grid.rank == 2 ? 30
                                              : 20,
              least_bits = is_huge ? most_bits - 8 : 0;
    for (uint32_t i = 0; i < d->parameter_count; i++)
        if (d->parameters[i].integer)
            eulercl_problem_set(problem, d->parameters[i].name,
                floor((double)((uint64_t)1 << (least_bits + random_below(most_bits - least_bits))) *
                      random_real(1, 2)),
                NULL);
}

static void check_refusal(int status, const struct register_tile *t) {
    ck_assert_int_eq(status, EULERCL_UNSUPPORTED);
    ck_assert_int_eq(t->steps, -1);
    ck_assert_msg(!strncmp(error.message, "cl-register: ", 13) && strlen(error.message) > 20 &&
                      !strchr(error.message, '\n'),
        "%s", error.message);
}

/* Each proposal is a valid tile, the fastest comes first, and it is the chosen one. */
static void check_proposals(const struct run *run, const eulercl_device_info *device,
    enum register_variant variant, const struct register_tile *chosen,
    const struct proposal *proposals, int count) {
    for (int i = 0; i < count; i++) {
        struct run copy = *run;
        struct register_tile again;
        int v = 0;
        while (v < COUNT(register_variants) &&
               strcmp(register_variants[v], GIVEN_NAME(&proposals[i].options, variant)))
            v++;
        copy.options = proposals[i].options;
        copy.variant = (size_t)v;
        OK(ecl_registers_choose(&copy, device, &again, &error));
        check_registers(&copy, device, &again);
        ck_assert(variant == REGISTER_AUTO || (int)variant == v);
        ck_assert_msg(again.step_seconds <= proposals[i].step_seconds &&
                          (!i || proposals[i - 1].step_seconds <= proposals[i].step_seconds),
            "proposal %d", i);
        ck_assert_msg(i || is_same_tile(&again, chosen),
            "the first proposal is another tile than the one chosen (seed %llu)",
            (unsigned long long)seed());
    }
}

START_TEST(register_tiles_hold_what_they_must) {
    static const int choices[] = {TEST_string, TEST_bruss2d, TEST_distant, TEST_beam, TEST_far_star,
        TEST_seven, TEST_diagonal, TEST_position, TEST_pendulum, TEST_volume, TEST_block};
    random_start(700 + (uint64_t)_i);
    int refused = 0, taken = 0, proposed = 0, huge = 0;
    for (int round = 0; round < 250; round++) {
        const int is_huge = random_below(4) == 0;
        const struct ode_problem *d =
            test_problems[choices[random_below(is_huge ? 2 : COUNT(choices))]].definition;
        eulercl_device_info device =
            device_of((uint32_t)random_below(200), (uint64_t)512 << random_below(9));
        eulercl_problem *problem;
        eulercl_options options;
        enum register_variant variant;
        struct register_tile t = {.steps = -1};
        struct proposal proposals[4];
        device.max_workgroup_size = (uint64_t)1 << random_below(11);
        device.is_gpu = (int)random_below(2);
        snprintf(device.platform, sizeof device.platform, "%s",
            random_below(2) ? "NVIDIA CUDA" : "another");
        device.compute_capability = random_below(4) ? 90 : 70;
        OK(eulercl_problem_create(d, &problem, &error));
        random_size(problem, d, is_huge);
        options_for(&options, &(struct way){"cl-register", NULL, 1}, EULERCL_FLOAT);
        random_register_options(&options, &variant, (int)d->grid.rank);
        struct run run = {.options = options, .variant = variant};
        if (d->field_count || ecl_system_create(problem, options.precision, &run.system, &error)) {
            eulercl_problem_destroy(problem);
            continue;
        }
        huge += run.system.n > INT64_C(1) << 50;
        const int status = ecl_registers_choose(&run, &device, &t, &error);
        const int count = ecl_registers_propose(&run, &device, proposals, COUNT(proposals));
        if (!status) {
            check_registers(&run, &device, &t);
            taken++;
            ck_assert_int_ge(count, 1);
        } else {
            check_refusal(status, &t);
            ck_assert_int_eq(count, 0);
            refused++;
        }
        check_proposals(&run, &device, variant, &t, proposals, count);
        proposed += count;
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
    }
    printf("registers: %d refused, %d taken, %d proposed, %d for huge systems\n", refused, taken,
        proposed, huge);
    fflush(stdout);
    ck_assert(refused > 20 && taken > 50 && huge > 10);
}
END_TEST

/* ---- what a launch loads and computes, counted as the kernels do it ---- */

static uint64_t computed_by_line(const struct register_tile *t, int64_t steps) {
    uint64_t points = 0;
    for (int64_t done = 0; done < steps; done += t->exchange) { /* line_round */
        const int64_t last = (steps - done < t->exchange ? steps - done : t->exchange) - 1;
        for (int64_t k = 0; k < last; k++)
            points += (uint64_t)(t->points + 2 * (t->exchange - 1 - k) * t->radius);
        points += (uint64_t)t->points;
    }
    return points * (uint64_t)(t->items * t->groups);
}

/* Rows of all batches at a level, which is level 0 for what is loaded. */
static uint64_t stream_rows_at(
    const struct register_tile *t, int64_t ny, int periodic, int64_t level) {
    uint64_t rows = 0;
    const int64_t beyond = (t->steps - level) * t->radius;
    for (int64_t kept = 0; kept < ny; kept += t->height) {
        const int64_t end = kept + t->height < ny ? kept + t->height : ny;
        for (int64_t y = kept - beyond; y < end + beyond; y++)
            rows += periodic || (y >= 0 && y < ny);
    }
    return rows;
}

/* Count the rows of the parts of strips one by one, along the strips laid end to end. */
static uint64_t pipeline_rows_at(
    const struct register_tile *t, int64_t strips, int64_t ny, int periodic, int64_t level) {
    uint64_t rows = 0;
    const int64_t beyond = (t->steps - level) * t->radius, whole = ny + t->pipeline.gap;
    for (int64_t strip = 0; strip < strips; strip++)
        for (int64_t kept = 0, end; kept < ny; kept = end) {
            end = kept + 1;
            while (end < ny &&
                   (strip * whole + end) / t->height == (strip * whole + end - 1) / t->height)
                end++;
            for (int64_t y = kept - beyond; y < end + beyond; y++)
                rows += periodic || (y >= 0 && y < ny);
        }
    return rows;
}

/* All levels compute, and those beyond the steps copy. */
static void count_strips(const struct register_tile *t, overlap_line across, int64_t ny,
    const int periodic, uint64_t *loaded, uint64_t *computed) {
    const int64_t strips = overlap_count(across), whole = ny + t->pipeline.gap;
    *computed = 0;
    for (int64_t level = 0; level <= t->steps; level++) {
        const uint64_t rows = t->kernel == &ecl_register_stream
                                  ? (uint64_t)strips * stream_rows_at(t, ny, periodic, level)
                                  : pipeline_rows_at(t, strips, ny, periodic, level),
                       points = rows * (uint64_t)across.tile;
        if (level)
            *computed += points;
        else
            *loaded = points;
    }
    if (t->kernel == &ecl_register_stream)
        ck_assert_int_eq(t->groups, strips * ((ny + t->height - 1) / t->height));
    else
        ck_assert_int_eq(t->groups, (strips * whole + t->height - 1) / t->height);
}

/* The same of tiles that go along z. */
static void count_volume(const struct system *s, const struct register_tile *t, overlap_line across,
    overlap_line down, uint64_t *loaded, uint64_t *computed) {
    const int64_t nz = grid_length(&s->context.grid),
                  tiles = overlap_count(across) * overlap_count(down);
    *computed = 0;
    for (int64_t level = 0; level <= t->steps; level++) {
        const uint64_t points =
            stream_rows_at(t, nz, grid_is_periodic(&s->context.grid, 2), level) *
            (uint64_t)(tiles * across.tile * down.tile);
        if (level)
            *computed += points;
        else
            *loaded = points;
    }
    ck_assert_int_eq(t->groups, tiles * ((nz + t->height - 1) / t->height));
}

START_TEST(registers_count_what_they_do) {
    static const int choices[] = {TEST_string, TEST_beam, TEST_pendulum, TEST_bruss2d,
        TEST_far_star, TEST_diagonal, TEST_heat_fields, TEST_block, TEST_lattice};
    random_start(800 + (uint64_t)_i);
    int counted[KERNELS] = {0};
    for (int round = 0; round < 1200; round++) {
        const struct ode_problem *d =
            test_problems[choices[random_below(COUNT(choices))]].definition;
        const eulercl_device_info device = device_of((uint32_t)(1 + random_below(9)), 48 << 10);
        eulercl_problem *problem;
        eulercl_options options;
        struct register_tile t;
        OK(eulercl_problem_create(d, &problem, &error));
        for (uint32_t i = 0; i < d->parameter_count; i++)
            if (d->parameters[i].integer)
                eulercl_problem_set(
                    problem, d->parameters[i].name, (double)(4 + random_below(60)), NULL);
        options_for(&options, &(struct way){"cl-register", NULL, 1}, EULERCL_FLOAT);
        const enum register_variant variant = d->grid.rank > 2 ? REGISTER_ANY_STREAM
                                              : d->grid.rank < 2 || random_below(2) ? REGISTER_GROUP
                                              : random_below(2) ? REGISTER_ANY_STREAM
                                                                : REGISTER_ANY_PIPELINE;
        const int is_deep = d->grid.rank > 2;
        GIVE(&options, points_per_item, 1 + random_below(is_deep ? 4 : 12));
        GIVE(&options, workgroup_size, 1 + random_below(5));
        GIVE(&options, steps_per_launch, 1 + random_below(is_deep ? 2 : 6));
        if (d->grid.rank == 1) GIVE(&options, steps_per_exchange, 1 + random_below(4));
        if (variant >= REGISTER_ANY_STREAM) GIVE(&options, workgroups, random_below(40));
        if (variant == REGISTER_ANY_PIPELINE) {
            const int64_t warps = 1 + random_below(3);
            GIVE(&options, workgroup_rows, warps);
            GIVE(&options, workgroup_size, GIVEN(&options, workgroup_size) * warps);
            GIVE(&options, steps_per_launch, warps * (1 + random_below(2)));
        }
        struct run run = run_of(problem, &options);
        run.variant = variant;
        if (!ecl_registers_choose(&run, &device, &t, &error)) {
            const int64_t ny = run.system.context.grid.extents[1];
            const struct ode_grid *const grid = &d->grid;
            const overlap_line across = {run.system.context.grid.extents[0], t.points * t.items,
                                   t.halo, grid->boundary[0][0] == ODE_PERIODIC},
                               down = {ny, t.rows * t.item_rows, t.halo_down,
                                   grid->boundary[1][0] == ODE_PERIODIC};
            uint64_t loaded = (uint64_t)(overlap_count(across) * across.tile), computed;
            const int64_t steps =
                1 + random_below(t.steps); /* of a launch, the last one may have fewer */
            if (t.kernel == &ecl_register_line)
                computed = computed_by_line(&t, steps);
            else if (t.kernel == &ecl_register_plane) {
                loaded *= (uint64_t)(overlap_count(down) * down.tile);
                computed = loaded * (uint64_t)steps;
            } else if (t.kernel == &ecl_register_volume)
                count_volume(&run.system, &t, across, down, &loaded, &computed);
            else
                count_strips(&t, across, ny, down.periodic != 0, &loaded, &computed);
            const uint64_t told = ecl_registers_computed(&run.system, &t, steps);
            ck_assert_msg(
                t.loaded == loaded * d->grid.components && told == computed * d->grid.components,
                "%s %lld x %lld, kernel %s: loads %llu, computes %llu, counted %llu, %llu; items "
                "%lld of %lld points, %lld of %lld steps, %lld per exchange, height %lld (seed "
                "%llu)",
                d->name, (long long)run.system.context.grid.extents[0], (long long)ny,
                t.kernel->name, (unsigned long long)t.loaded, (unsigned long long)told,
                (unsigned long long)(loaded * d->grid.components),
                (unsigned long long)(computed * d->grid.components), (long long)t.items,
                (long long)t.points, (long long)steps, (long long)t.steps, (long long)t.exchange,
                (long long)t.height, (unsigned long long)seed());
            for (int k = 0; k < KERNELS; k++) counted[k] += t.kernel == ecl_register_kernels[k];
        }
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
    }
    for (int k = 0; k < KERNELS; k++)
        ck_assert_msg(counted[k] > 30, "kernel %s was chosen %d times in 1200 rounds",
            ecl_register_kernels[k]->name, counted[k]);
}
END_TEST

/* Grids with fewer columns than the smallest strip of a wide one. */
START_TEST(narrow_grids_stream) {
    static const int choices[] = {TEST_far_star, TEST_diagonal, TEST_position,
        TEST_torus}; /* radius 2, three components, four, periodic */
    const struct ode_problem *d = test_problems[choices[_i]].definition;
    for (int columns = 1; columns < 20; columns++)
        for (int precision = EULERCL_FLOAT; precision <= EULERCL_DOUBLE;
             precision += EULERCL_DOUBLE - EULERCL_FLOAT) {
            const eulercl_device_info device = device_of(132, 48 << 10);
            eulercl_problem *problem;
            eulercl_options options;
            struct register_tile t;
            OK(eulercl_problem_create(d, &problem, &error));
            OK(eulercl_problem_set(problem, d->parameters[0].name, columns, &error));
            options_for(&options, &(struct way){"cl-register", "stream", 1},
                (enum eulercl_precision)precision);
            struct run run = run_of(problem, &options);
            run.variant = REGISTER_ANY_STREAM;
            OK(ecl_registers_choose(&run, &device, &t, &error));
            ck_assert_ptr_eq(t.kernel, &ecl_register_stream);
            check_registers(&run, &device, &t);
            ecl_system_destroy(&run.system);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

/* A system that no shape can hold is refused with the limit, whatever was tried last. */
START_TEST(refusals_name_the_limit) {
    const eulercl_device_info device = device_of(132, 48 << 10);
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t;
    OK(eulercl_problem_create(test_problems[TEST_distant].definition, &problem, &error));
    OK(eulercl_problem_set(problem, "size", 4000, &error));
    OK(eulercl_problem_set(problem, "distance", 59, &error));
    options_for(&options, &(struct way){"cl-register", NULL, 1}, EULERCL_FLOAT);
    struct run run = run_of(problem, &options);
    EXPECT_WORDS(EULERCL_UNSUPPORTED,
        "at least 177 words, at access distance 59; registers have room for 176",
        ecl_registers_choose(&run, &device, &t, &error));
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

static eulercl_device_info h200_on_paper(void) {
    eulercl_device_info device = device_of(132, 48 << 10);
    snprintf(device.platform, sizeof device.platform, "NVIDIA CUDA");
    device.compute_capability = 90;
    device.is_gpu = 1;
    return device;
}

/* Registers that the compiler does not take must not be counted: then higher tiles fit, and steps
 * of a launch are more. */
START_TEST(planes_fill_the_registers) {
    const eulercl_device_info device = h200_on_paper();
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", 1000, &error));
    options_for(&options, &(struct way){"cl-register", "group", 1}, EULERCL_DOUBLE);
    struct run run = run_of(problem, &options);
    run.variant = REGISTER_GROUP;
    OK(ecl_registers_choose(&run, &device, &t, &error));
    ck_assert_int_le(t.groups, 132);
    ck_assert_int_ge(t.steps, 10);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Strips of a small grid are cut into equal pieces, of which the last one has room for what the end
 * of the grid costs. Strips of a large one are cut without regard to where one ends, because equal
 * pieces would leave units without work. */
START_TEST(small_grids_have_equal_pieces) {
    static const struct {
        int64_t m, strips, pieces; /* 0: a part has pieces of two strips */
    } cuts[] = {{2000, 5, 26}, {1200, 3, 44}, {8000, 20, 0}};
    const eulercl_device_info device = h200_on_paper();
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", (double)cuts[_i].m, &error));
    options_for(&options, &(struct way){"cl-register", "pipeline", 1}, EULERCL_FLOAT);
    GIVE(&options, points_per_item, 14);
    GIVE(&options, workgroup_rows, 8);
    GIVE(&options, steps_per_launch, 16);
    struct run run = run_of(problem, &options);
    run.variant = REGISTER_ANY_PIPELINE;
    OK(ecl_registers_choose(&run, &device, &t, &error));
    const int64_t whole = cuts[_i].m + t.pipeline.gap;
    enum { DELAY = 8 * (2 + 1) }; /* turns until a row has gone through all warps */
    if (cuts[_i].pieces) {
        ck_assert_int_eq(t.groups, cuts[_i].strips * cuts[_i].pieces);
        ck_assert_int_eq(whole, cuts[_i].pieces * t.height);
        ck_assert_int_ge(t.pipeline.gap, DELAY);
        ck_assert_int_lt(t.pipeline.gap, DELAY + t.height);
    } else {
        ck_assert_int_ne(whole % t.height, 0);
        ck_assert_int_eq(t.groups, (cuts[_i].strips * whole + t.height - 1) / t.height);
    }
    ck_assert_int_le(t.groups, 132);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Rates of an H200 with the tiles that were chosen (the logs in doc/results/), in 1e9
 * component-stages a second. Measure them again when the choice or the kernel changes. */
static const struct {
    int64_t m;
    enum eulercl_precision precision;
    const char *method;
    int stages;
    int64_t points, warps, steps;
    double measured;
    double flush_below;
} on_h200[] = {{11968, EULERCL_FLOAT, "euler", 0, 14, 8, 16, 2508, 0},
    {8000, EULERCL_FLOAT, "euler", 0, 10, 4, 12, 2459, 0},
    {4000, EULERCL_FLOAT, "euler", 0, 14, 8, 16, 2052, 0},
    {2000, EULERCL_FLOAT, "euler", 0, 6, 4, 12, 1595, 0},
    {8000, EULERCL_DOUBLE, "euler", 0, 9, 4, 8, 1179, 0},
    {5000, EULERCL_DOUBLE, "euler", 0, 7, 4, 8, 1112, 0},
    {2000, EULERCL_DOUBLE, "euler", 0, 5, 4, 12, 859, 0},
    {8000, EULERCL_FLOAT, "rk4", 0, 6, 2, 2, 2127, 0},
    {2000, EULERCL_FLOAT, "rk4", 0, 6, 4, 4, 1395, 0},
    {8000, EULERCL_FLOAT, "heun", 0, 14, 8, 8, 2312, 0},
    {8000, EULERCL_FLOAT, "ssprk33", 0, 10, 4, 4, 2180, 0},
    {8000, EULERCL_FLOAT, "bs32", 0, 10, 4, 4, 2270, 0},
    {8000, EULERCL_FLOAT, "rock2", 5, 4, 2, 2, 1895, 0},
    {8000, EULERCL_FLOAT, "euler", 0, 10, 4, 8, 1907, 1e-12}};

START_TEST(predictions_are_near_measurements) {
    const eulercl_device_info device = h200_on_paper();
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", (double)on_h200[_i].m, &error));
    options_for(&options, &(struct way){"cl-register", NULL, 0}, on_h200[_i].precision);
    options.flush_below = on_h200[_i].flush_below;
    struct run run = run_of(problem, &options);
    OK(ecl_settle_flush(problem, &run.options, &run.system, &error));
    const struct method_family *family;
    OK(ecl_find_method(on_h200[_i].method, &family, &error));
    OK(ecl_method_create(family, on_h200[_i].stages, 0, &run.system.made, &error));
    run.system.method = run.system.made;
    OK(ecl_registers_choose(&run, &device, &t, &error));
    const double predicted =
        1e-9 * (double)run.system.n * run.system.method->stages / t.step_seconds;
    ck_assert_ptr_eq(t.kernel, &ecl_register_pipeline);
    ck_assert_int_eq(t.points, on_h200[_i].points);
    ck_assert_int_eq(t.item_rows, on_h200[_i].warps);
    ck_assert_int_eq(t.steps, on_h200[_i].steps);
    /* two warps of each scheduler; three hide the flush */
    ck_assert_int_eq(t.pipeline.unit_groups * t.item_rows, run.system.flush.reals ? 12 : 8);
    ck_assert_msg(fabs(predicted / on_h200[_i].measured - 1) < 0.1, "%.0f, but measured were %.0f",
        predicted, on_h200[_i].measured);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Levels beyond the last step of a batch only copy, so a launch should not make many more steps
 * than are made between two looks at the state. */
START_TEST(launches_end_with_intervals) {
    static const int64_t intervals[] = {1, 4, 10, 20, 50, 100, INT64_MAX};
    const eulercl_device_info device = h200_on_paper();
    const int64_t interval = intervals[_i];
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t, uninformed;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", 8000, &error));
    options_for(&options, &(struct way){"cl-register", NULL, 0}, EULERCL_FLOAT);
    struct run run = run_of(problem, &options);
    OK(ecl_registers_choose(&run, &device, &uninformed, &error));
    ck_assert_int_eq(uninformed.steps, 12);
    run.options.expected_interval = interval;
    OK(ecl_registers_choose(&run, &device, &t, &error));
    ck_assert_int_le(t.steps, interval);
    if (interval < 100)
        ck_assert_int_le(int_ceil(interval, t.steps) * t.steps, interval + interval / 4);
    TUNE(&run.options, steps_per_launch, 12);
    OK(ecl_registers_choose(&run, &device, &uninformed, &error));
    const double gain = uninformed.step_seconds / t.step_seconds;
    ck_assert_msg(gain >= (interval <= 20 ? 1.05 : 1), "%g", gain);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- a register kernel is one table: a toy that is listed is tried like the others ---- */

static const struct register_kernel toy;

static void try_toy(struct register_search *search) {
    for (int64_t steps = 1; steps <= 4; steps++)
        ecl_register_try(search, (struct register_tile){.kernel = &toy,
                                     .points = 3,
                                     .rows = 1,
                                     .items = 8,
                                     .item_rows = 1,
                                     .steps = steps,
                                     .exchange = 1});
}

static const char *complete_toy(
    const struct register_case *of, struct register_tile *t, int64_t columns) {
    t->unroll = 1;
    t->groups = columns * of->run->system.context.grid.extents[1];
    t->loaded = (uint64_t)(t->groups * t->points * t->items);
    return columns > 9 ? "the toy is for small grids" : NULL;
}

static int64_t registers_of_toy(const struct register_case *of, const struct register_tile *t) {
    return t->points * register_words(&of->run->system);
}

static double seconds_of_toy(const struct register_work *w) { return (void)w, 1e-12; }

static uint64_t computed_by_toy(
    const struct system *s, const struct register_tile *t, int64_t levels) {
    return (void)s, t->loaded / 2 * (uint64_t)levels;
}

static const double toy_seconds = 1;
static const struct register_kernel toy = {
    .name = "toy",
    .compile_seconds = &toy_seconds,
    .variant = REGISTER_GROUP,
    .local_variant = REGISTER_GROUP,
    .is_applicable = is_plane,
    .try_all = try_toy,
    .complete = complete_toy,
    .registers = registers_of_toy,
    .seconds = seconds_of_toy,
    .computed = computed_by_toy,
};

START_TEST(another_kernel_is_another_table) {
    const struct register_kernel *const *const usual = ecl_register_kernels,
                                               *with_toy[KERNELS + 2] = {&toy};
    memcpy(with_toy + 1, usual, KERNELS * sizeof *usual);
    const eulercl_device_info device = h200_on_paper();
    eulercl_problem *problem;
    eulercl_options options;
    struct register_tile t;
    struct proposal best;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    for (int is_small = 0; is_small < 2; is_small++) {
        OK(eulercl_problem_set(problem, "m", is_small ? 100 : 500, &error));
        options_for(&options, &(struct way){"cl-register", NULL, 1}, EULERCL_FLOAT);
        struct run run = run_of(problem, &options);
        ecl_register_kernels = with_toy;
        OK(ecl_registers_choose(&run, &device, &t, &error));
        ck_assert((t.kernel == &toy) == is_small);
        if (is_small) {
            ck_assert_int_eq(t.steps, 4);
            ck_assert_uint_eq(ecl_registers_computed(&run.system, &t, 4), 4 * t.loaded);
            ck_assert_int_eq(ecl_registers_propose(&run, &device, &best, 1), 1);
            ck_assert_int_eq(GIVEN(&best.options, points_per_item), 3);
            ck_assert_str_eq(GIVEN_NAME(&best.options, variant), "group");
        }
        ecl_register_kernels = usual;
        OK(ecl_registers_choose(&run, &device, &t, &error));
        ck_assert_ptr_ne(t.kernel, &toy);
        ecl_system_destroy(&run.system);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- volumes on a processor ---- */

static struct cpu_tiling choose_volume(const struct run *run, int64_t cache, int64_t threads) {
    const struct core_rates unknown = {0};
    const struct cpu_facts facts = {
        .cache_bytes = cache, .has_lanes = 1, .costs = ecl_step_costs(&run->system, &unknown)};
    struct cpu_tiling t = {.kernel = CPU_STEPS};
    ecl_cpu_choose(&run->system, &run->options, &facts, "lanes", threads, &t);
    return t;
}

/* Tiles reach no further than their neighbours, and no other number of steps is faster. */
START_TEST(volumes_have_tiles) {
    eulercl_problem *problem;
    int in_lanes = 0;
    random_start(700);
    OK(eulercl_problem_create(test_problems[TEST_tunnel].definition, &problem, &error));
    for (int round = 0; round < 300; round++) {
        const int64_t side = 40 + random_below(500), threads = 1 + random_below(4),
                      cache = (int64_t)(256 << 10) << random_below(4);
        eulercl_options options;
        options_for(&options, &(struct way){"cpu", NULL, 0},
            random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE);
        options.method = random_below(2) ? "euler" : "rk4";
        struct run run = run_of(problem, &options);
        struct ode_grid *const grid = &run.system.context.grid;
        for (int axis = 0; axis < 3; axis++)
            grid->extents[axis] = grid->global[axis] = side + random_below(side);
        run.system.n = run.system.context.n = ecl_grid_points(grid);
        run.system.state_bytes = (uint64_t)run.system.n * run.system.real_size;
        if (random_below(2)) GIVE(&run.options, steps_per_launch, 1 + random_below(20));
        if (random_below(2)) GIVE(&run.options, tile_points, 1 + random_below(2 * side * side));
        const struct cpu_tiling t = choose_volume(&run, cache, threads);
        const int64_t nx = grid->extents[0], ny = grid->extents[1],
                      halo = t.steps * run.system.method->stages * (int64_t)grid->radius;
        if (t.kernel == CPU_PLANE) {
            const int64_t strips = (nx + t.tile - 1) / t.tile,
                          slices = (ny + t.height - 1) / t.height;
            ck_assert(t.tile >= 1 && t.tile <= nx && t.height >= 1 && t.height <= ny);
            ck_assert(t.steps >= 1 && !t.resident && t.threads <= threads);
            ck_assert(strips == 1 || nx / strips >= halo);
            ck_assert(slices == 1 || ny / slices >= halo);
            ck_assert(ny >= halo && grid->extents[2] / t.threads >= halo);
            for (int steps = 1; steps < 8 && !GIVEN(&run.options, steps_per_launch); steps++) {
                struct run other = run;
                GIVE(&other.options, steps_per_launch, steps);
                ck_assert_double_ge(
                    choose_volume(&other, cache, threads).step_seconds, t.step_seconds);
            }
            in_lanes++;
        }
        ecl_system_destroy(&run.system);
    }
    ck_assert_int_gt(in_lanes, 200);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(volumes_have_tiles);
    ADD(variants_have_their_names);
    ADD(another_kernel_is_another_table);
    ADD_LOOP(tables_of_the_thesis, COUNT(tables));
    ADD_LOOP(choices_hold_what_they_must, 4);
    ADD_LOOP(traffic_is_what_tiles_move, 4);
    ADD_LOOP(register_tiles_hold_what_they_must, 4);
    ADD_LOOP(registers_count_what_they_do, 2);
    ADD_LOOP(narrow_grids_stream, 4);
    ADD(planes_fill_the_registers);
    ADD_LOOP(small_grids_have_equal_pieces, 3);
    ADD_LOOP(predictions_are_near_measurements, COUNT(on_h200));
    ADD_LOOP(launches_end_with_intervals, 7);
    ADD(refusals_name_the_limit);
}

int main(void) { return run_tests("choice", add); }
