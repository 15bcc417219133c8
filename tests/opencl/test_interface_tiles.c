/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_tiles.c - the promises of eulercl.h about tiles. */
#include "config.h"
#include "../run/interface.h"
#include <stdlib.h>
#include <string.h>
#define TILE_INT int64_t
#include "schedule/diamond_geometry.h"

static const struct {
    const char *backend, *storage;
    const char *words;
} storage_pairs[] = {
    {"cl-row-diamond", "local", NULL},
    {"cl-row-diamond", "global", NULL},
    {"cl-row-diamond", "column", "cl-row-diamond has no storage 'column'"},
    {"cl-column-diamond", "column", NULL},
    {"cl-column-diamond", "local", "no storage"},
    {"cl-column-diamond", "global", "no storage"},
    {"cl-honeycomb", "local", NULL},
    {"cl-honeycomb", "column", NULL},
    {"cl-honeycomb", "global", NULL},
};

/* Where no device is needed to say so: kernel_source. */
START_TEST(storages_belong_to_backends) {
    eulercl_problem *problem = open_size("string", 20);
    for (int i = 0; i < COUNT(storage_pairs); i++) {
        eulercl_options options;
        eulercl_solver *solver = NULL;
        char *source = NULL;
        options_for(&options, &(struct way){storage_pairs[i].backend, NULL, 1}, EULERCL_FLOAT);
        GIVE_NAME(&options, storage, storage_pairs[i].storage);
        if (!storage_pairs[i].words) {
            OK(eulercl_kernel_source(problem, &options, &source, &error));
            ck_assert(
                strstr(source, "tile_shape") &&
                strstr(source, !strcmp(options.backend, "cl-column-diamond") ? "void tile_columns("
                                                                             : "void tile_rows("));
        } else {
            EXPECT_WORDS(EULERCL_INVALID, storage_pairs[i].words,
                eulercl_kernel_source(problem, &options, &source, &error));
            if (have_opencl())
                EXPECT_WORDS(EULERCL_INVALID, storage_pairs[i].words,
                    eulercl_solver_create(problem, &options, &solver, &error));
        }
        eulercl_free(source);
        ck_assert_ptr_null(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* STRING, n = 2,000, k = 3: blocks of 4 (columns: 4 times the items). Each row has the options, and
 * the tile that must follow. */
static const struct {
    const char *backend, *storage;
    uint64_t dia_blocks;
    int64_t honeycomb_steps;
    uint64_t blocks, block, steps;
    int is_linear;
} tilings[] = {
    {"cl-row-diamond", NULL, 7, -1, 8, 4, 4, 0},
    {"cl-row-diamond", "local", 1, -1, 2, 4, 1, 0},
    {"cl-row-diamond", "global", 20, 3, 20, 4, 10, 0},
    {"cl-column-diamond", NULL, 5, -1, 6, 16, 3, 0},
    {"cl-column-diamond", "column", 2, 0, 2, 16, 1, 0},
    {"cl-honeycomb", NULL, 20, 3, 20, 4, 3, 0},
    {"cl-honeycomb", "local", 9, 5, 10, 4, 5, 0},
    {"cl-honeycomb", "local", 9, 6, 10, 4, 5, 0},
    {"cl-honeycomb", "local", 10, 1 << 19, 10, 4, 5, 0},
    {"cl-honeycomb", "column", 12, 1, 12, 4, 1, 0},
    {"cl-honeycomb", "column", 12, 0, 12, 4, 1, 1},
    {"cl-honeycomb", NULL, 12, 0, 12, 4, 1, 1},
    {"cl-honeycomb", "global", 3, 2, 4, 4, 2, 0},
    {"cl-honeycomb", "global", 3, 0, 4, 4, 1, 1},
};

START_TEST(tiles_are_reported) {
    if (!have_opencl()) return;
    enum { N = 2000 };
    eulercl_problem *problem = open_size("string", N);
    eulercl_device_info device = {.struct_size = sizeof device};
    double *y = zeroed(N, sizeof *y), *expected = zeroed(N, sizeof *y);
    OK(eulercl_get_device(0, &device, &error));
    for (int i = 0; i < COUNT(tilings); i++) {
        eulercl_options options;
        const int64_t steps[] = {1, 0, 17, 8, 2};
        options_for(&options, &(struct way){tilings[i].backend, NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        options.device = device.id;
        GIVE(&options, dia_blocks, tilings[i].dia_blocks);
        GIVE(&options, honeycomb_steps, tilings[i].honeycomb_steps);
        GIVE_NAME(&options, storage, tilings[i].storage);
        eulercl_solver *solver = make(problem, &options);
        eulercl_stats s = stats_of(solver);
        ck_assert(FACT(s, dia_blocks) == tilings[i].blocks &&
                  FACT(s, block_size) == tilings[i].block &&
                  s.steps_per_launch == tilings[i].steps);
        ck_assert(s.launches == 0 && FACT(s, global_bytes) == 0 && FACT(s, workgroup_size) == 4 &&
                  FACT(s, redundant_component_steps) == 0);
        ck_assert_str_eq(FACT_TEXT(s, distribution), "");
        ck_assert_str_eq(s.note, "");
        ck_assert_str_eq(FACT_TEXT(s, storage), tilings[i].storage ? tilings[i].storage
                                                : strcmp(s.backend, "cl-column-diamond")
                                                    ? "local"
                                                    : "column");
        const uint64_t room = (FACT(s, dia_blocks) + 2) * FACT(s, block_size) * sizeof(double);
        ck_assert_uint_eq(FACT(s, local_bytes), !strcmp(FACT_TEXT(s, storage), "local") ? 2 * room
                                                : !strcmp(FACT_TEXT(s, storage), "column") ? room
                                                                                           : 0);
        ck_assert_uint_lt(FACT(s, local_bytes), device.local_bytes);
        /* Between two tiles of a launch there is room for those of the next. */
        const uint64_t total = (N + FACT(s, block_size) - 1) / FACT(s, block_size),
                       period = tilings[i].is_linear
                                    ? FACT(s, dia_blocks)
                                    : 2 * (FACT(s, dia_blocks) - s.steps_per_launch);
        ck_assert(FACT(s, tiles) >= total / period && FACT(s, tiles) <= total / period + 2 &&
                  FACT(s, workgroups) == FACT(s, tiles));
        /* A launch is a pass. */
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, expected, &error));
        const tile_shape shape = {N, (int64_t)FACT(s, block_size), 4, (int64_t)FACT(s, dia_blocks),
            tilings[i].is_linear ? 0 : (int64_t)s.steps_per_launch};
        uint64_t launches = 0, bytes = 0;
        for (int k = 0; k < COUNT(steps); k++) {
            OK(eulercl_advance(solver, steps[k], &error));
            if (steps[k])
                launches +=
                    (uint64_t)(tile_last_pass(shape, steps[k]) - tile_first_pass(shape) + 1);
            s = stats_of(solver);
            ck_assert_uint_eq(s.launches, launches);
            ck_assert_uint_eq(FACT(s, redundant_component_steps), 0);
            /* Each component of the last level at least is read and written; at most each of every
             * level, its neighbourhood included. */
            const uint64_t most = (2 + (steps[k] ? FACT(s, dia_blocks) * 8 : 0)) * N *
                                  sizeof(double) * (uint64_t)steps[k];
            ck_assert(FACT(s, global_bytes) - bytes >= (steps[k] ? 2 * N * sizeof(double) : 0) &&
                      FACT(s, global_bytes) - bytes <= most);
            bytes = FACT(s, global_bytes);
        }
        steps_from(problem, 0, options.h, 28, expected);
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, N, sizeof *y, "tiling %d", i);
        eulercl_solver_destroy(solver);
    }
    free(y);
    free(expected);
    eulercl_problem_destroy(problem);
}
END_TEST

/* STRING, n = 16: four blocks of 4, counted by hand. Diamonds of 4 blocks take two launches for two
   steps: the first loads 16 components and stores 8, each of the two half diamonds of the second
   loads 8 for its first row and 8 for the second, and stores 8. Without interlocking, two tiles of
   8 load 12 each. */
static const struct {
    const char *backend, *storage;
    uint64_t dia_blocks;
    int64_t honeycomb_steps, steps;
    uint64_t components;
} traffics[] = {
    {"cl-row-diamond", "local", 4, -1, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-honeycomb", "local", 4, 2, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-honeycomb", "column", 4, 2, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-row-diamond", "global", 4, -1, 2, 16 + 8 + 2 * (8 + 4 + 12 + 8)},
    {"cl-honeycomb", "local", 2, 0, 3, 3 * 2 * (12 + 8)},
    {"cl-honeycomb", "global", 2, 0, 3, 3 * 2 * (12 + 8)},
    {"cl-linear", NULL, 0, -1, 3, 3 * 2 * 16},
};

START_TEST(traffic_is_counted) {
    if (!have_opencl()) return;
    eulercl_problem *problem = open_size("string", 16);
    for (int i = 0; i < COUNT(traffics); i++) {
        eulercl_options options;
        options_for(&options, &(struct way){traffics[i].backend, NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        GIVE(&options, dia_blocks, traffics[i].dia_blocks);
        GIVE(&options, honeycomb_steps, traffics[i].honeycomb_steps);
        GIVE_NAME(&options, storage, traffics[i].storage);
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_advance(solver, traffics[i].steps, &error));
        ck_assert_msg(
            FACT(stats_of(solver), global_bytes) == traffics[i].components * sizeof(double),
            "%s %s: %llu bytes, not %llu", traffics[i].backend, traffics[i].storage,
            (unsigned long long)FACT(stats_of(solver), global_bytes),
            (unsigned long long)traffics[i].components * sizeof(double));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(distributions_are_kept) {
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"};
    static const char *const backends[] = {"cl-row-diamond", "cl-honeycomb"};
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    for (int i = 0; i < 2 * COUNT(distributions); i++) {
        eulercl_problem *problem = open_size("string", i % 3 ? 2000 : 2);
        const char *wanted = distributions[i / 2];
        eulercl_options options;
        options_for(&options, &(struct way){backends[i % 2], NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        options.device = device.id;
        GIVE_NAME(&options, distribution, wanted);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats s = stats_of(solver);
        ck_assert(FACT(s, tiles) >= 1 && FACT(s, dia_blocks) >= 2 &&
                  FACT(s, local_bytes) < device.local_bytes);
        if (i / 2 > 1) ck_assert_str_eq(FACT_TEXT(s, distribution), wanted);
        eulercl_solver_destroy(solver);
        GIVE(&options, dia_blocks, 6); /* now nothing is left to distribute */
        solver = make(problem, &options);
        ck_assert_str_eq(FACT_TEXT(stats_of(solver), distribution), "");
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

static void expect_refused(const eulercl_problem *problem, eulercl_options *options,
    const char *backend, const char *storage, const char *words, uint64_t bytes) {
    eulercl_solver *solver = NULL;
    char number[40];
    options->backend = backend;
    GIVE_NAME(options, storage, storage);
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, words, eulercl_solver_create(problem, options, &solver, &error));
    snprintf(number, sizeof number, " %llu bytes", (unsigned long long)bytes);
    ck_assert_msg(strstr(error.message, number) && strstr(error.message, backend), "no '%s' in: %s",
        number, error.message);
    ck_assert_ptr_null(solver);
}

START_TEST(tiles_too_large_are_refused) {
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    int64_t halo, n;
    OK(eulercl_get_device(0, &device, &error));
    eulercl_options options;
    options_for(&options, &(struct way){NULL, NULL, 1}, EULERCL_DOUBLE);
    options.device = device.id;
    GIVE(&options, workgroup_size, 4);
    /* Two buffers do not fit, one does: columns. */
    eulercl_problem *problem = wide_problem(&device, 1.5, &halo, &n);
    const uint64_t buffer = 4 * (uint64_t)halo * sizeof(double);
    expect_refused(problem, &options, "cl-row-diamond", NULL,
        "cl-column-diamond and the column storage of cl-honeycomb", 2 * buffer);
    expect_refused(
        problem, &options, "cl-honeycomb", "local", "column storage of cl-honeycomb", 2 * buffer);
    GIVE(&options, dia_blocks, 8);
    expect_refused(problem, &options, "cl-row-diamond", NULL, "fewer blocks",
        2 * (uint64_t)tile_min(10 * halo, tile_round(n, 4)) * sizeof(double));
    GIVE(&options, dia_blocks, 0);
    GIVE_NAME(&options, storage, NULL);
    options.backend = "seq";
    double *y = zeroed(n, sizeof *y), *expected = zeroed(n, sizeof *y);
    static const char *const taken[][2] = {{"cl-honeycomb", "column"},
        {"cl-column-diamond", "column"}, {"cl-row-diamond", "global"}, {"cl-honeycomb", "global"}};
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, expected, &error));
    OK(eulercl_solve(problem, &options, 5, expected, NULL, &error));
    for (int i = 0; i < COUNT(taken); i++) {
        options.backend = taken[i][0];
        GIVE_NAME(&options, storage, i < 2 ? NULL : taken[i][1]);
        eulercl_solver *solver = make(problem, &options);
        ck_assert_str_eq(FACT_TEXT(stats_of(solver), storage), taken[i][1]);
        ck_assert_uint_eq(FACT(stats_of(solver), local_bytes), i < 2 ? buffer : 0);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 5, &error));
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, n, sizeof *y, "%s, %s", taken[i][0], taken[i][1]);
        eulercl_solver_destroy(solver);
    }
    free(y);
    free(expected);
    eulercl_problem_destroy(problem);
    /* Not even one buffer fits. */
    problem = wide_problem(&device, 2.5, &halo, &n);
    const uint64_t column = 4 * (uint64_t)halo * sizeof(double);
    expect_refused(problem, &options, "cl-row-diamond", NULL, "cl-linear needs no", 2 * column);
    expect_refused(problem, &options, "cl-column-diamond", NULL, "cl-linear needs no", column);
    expect_refused(problem, &options, "cl-honeycomb", NULL, "cl-linear needs no", column);
    eulercl_problem_destroy(problem);
    /* BRUSS2D: k = 2 m. Refused before its state is made. */
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    const int64_t m = (int64_t)(device.local_bytes / (2 * 4 * sizeof(float)) / 2) + 10;
    OK(eulercl_problem_set(problem, "m", (double)m, &error));
    options.precision = EULERCL_FLOAT;
    if (16 * (uint64_t)m * (uint64_t)m < device.global_bytes)
        expect_refused(problem, &options, "cl-row-diamond", NULL, "cl-column-diamond",
            2 * 4 * (uint64_t)tile_round(2 * m, 4) * sizeof(float));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Any component may read any other: one tile, or none. */
START_TEST(unlimited_access_distance) {
    static const struct ode_problem *const definitions[] = {
        &test_problem_reverse, &test_problem_advection};
    static const char *const backends[] = {"cl-row-diamond", "cl-column-diamond", "cl-honeycomb"};
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    for (int d = 0; d < COUNT(definitions); d++)
        for (int b = 0; b < COUNT(backends); b++) {
            eulercl_problem *problem;
            eulercl_options options;
            double y[23], expected[23];
            OK(eulercl_problem_create(definitions[d], &problem, &error));
            OK(eulercl_problem_set_size(problem, 23, &error));
            OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 23, expected, &error));
            steps_from(problem, 0, 1e-4, 50, expected);
            options_for(&options, &(struct way){backends[b], NULL, 1}, EULERCL_DOUBLE);
            options.device = device.id;
            GIVE(&options, workgroup_size, 4);
            eulercl_solver *solver = make(problem, &options);
            const eulercl_stats s = stats_of(solver);
            ck_assert_msg(FACT(s, tiles) == 1 || FACT(s, dia_blocks) == 2,
                "%s: %llu tiles of %llu blocks", backends[b], (unsigned long long)FACT(s, tiles),
                (unsigned long long)FACT(s, dia_blocks));
            OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance(solver, 50, &error));
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, expected, 23, sizeof *y, "%s", backends[b]);
            eulercl_solver_destroy(solver);
            solver = NULL;
            OK(eulercl_problem_set_size(
                problem, (int64_t)(device.local_bytes / sizeof(double)) + 7, &error));
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "access distance is unlimited",
                eulercl_solver_create(problem, &options, &solver, &error));
            ck_assert_msg(strstr(error.message, "bytes of local memory") &&
                              strstr(error.message, "use cl-linear"),
                "%s", error.message);
            ck_assert_ptr_null(solver);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

static void add(TCase *tests) {
    ADD(storages_belong_to_backends);
    ADD(tiles_are_reported);
    ADD(traffic_is_counted);
    ADD(distributions_are_kept);
    ADD(tiles_too_large_are_refused);
    ADD(unlimited_access_distance);
}

int main(void) { return run_tests("interface_tiles", add); }
