/* SPDX-License-Identifier: BSD-2-Clause */
/* interface.c - what the tests of eulercl.h share. */
#include "config.h"
#include "interface.h"
#include <string.h>

unsigned char pattern[LENGTH * sizeof(double)];

void fill(void *y) { memcpy(y, memset(pattern, 0xA5, sizeof pattern), sizeof pattern); }

void untouched(int line, const void *y) {
    ck_assert_msg(!memcmp(y, pattern, sizeof pattern),
        "line %d: a failed call wrote into the caller's array", line);
}

eulercl_problem *open_size(const char *name, int64_t n) {
    eulercl_problem *problem;
    OK(eulercl_problem_open(name, &problem, &error));
    OK(eulercl_problem_set_size(problem, n, &error));
    return problem;
}

eulercl_solver *make(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    OK(create_somehow(problem, options, &solver, &error));
    return solver;
}

eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

eulercl_problem *wave(void) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&test_problem_forced_wave, &problem, &error));
    OK(eulercl_problem_set(problem, "points", 25, &error));
    return problem;
}

void steps_from(const eulercl_problem *problem, double t, double h, int64_t steps, double *y) {
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.t0 = t;
    options.h = h;
    OK(eulercl_solve(problem, &options, steps, y, NULL, &error));
}

eulercl_problem *wide_problem(
    const eulercl_device_info *device, double part, int64_t *halo, int64_t *n) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&test_problem_distant, &problem, &error));
    *halo = (int64_t)(part * (double)device->local_bytes / (2 * 4 * sizeof(double))) / 4 * 4;
    *n = 6 * *halo + 5;
    OK(eulercl_problem_set(problem, "distance", (double)(*halo - 1), &error));
    OK(eulercl_problem_set_size(problem, *n, &error));
    return problem;
}
