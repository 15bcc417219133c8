/* SPDX-License-Identifier: BSD-2-Clause */
/* observe.c - how long observers of a state take: states of random numbers, of one constant and of a
 * pattern (examples/gray_scott.c), on a square grid with one component in float.
 * `make bench-observe` runs it. With peers/observe_cub.cu it also measures CUB in the same run.
 *
 *     observe FOLDER [BACKEND] [POINTS A SIDE]
 *
 * FOLDER is that of the examples. */
#include <eulercl/eulercl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATTERN = 512, PATTERN_STEPS = 8000, ROUNDS = 20 };

#ifdef WITH_CUB
/* Seconds of CUB's histogram of 256 bins from 0 to 1, and of its sum, which reads all values; the
 * best of `rounds`. The histogram has to be `counts`. */
void cub_measure(const float *values, size_t count, const double *counts, int rounds,
    double *histogram, double *sum);
#endif

static void check(int status, const eulercl_error *error) {
    if (!status) return;
    fprintf(stderr, "observe: %s\n", error->message);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static eulercl_solver *open_solver(const char *folder, const char *file, const char *size,
    int64_t m, const eulercl_options *options, eulercl_problem **problem) {
    char path[4096];
    eulercl_solver *solver;
    eulercl_error error;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    check(eulercl_problem_open(path, problem, &error), &error);
    check(eulercl_problem_set(*problem, size, (double)m, &error), &error);
    check(eulercl_solver_create(*problem, options, &solver, &error), &error);
    return solver;
}

/* v of a Gray-Scott pattern in [0, 1], which is repeated over the grid. */
static void fill_pattern(const char *folder, float *values, int64_t m) {
    eulercl_options options;
    eulercl_problem *problem;
    eulercl_error error;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.h = 1;
    eulercl_solver *const solver =
        open_solver(folder, "gray_scott.c", "m", PATTERN, &options, &problem);
    float *const state = malloc(sizeof(float) * 2 * PATTERN * PATTERN);
    check(eulercl_advance(solver, PATTERN_STEPS, &error), &error);
    check(eulercl_get_state(solver, state, &error), &error);
    for (int64_t y = 0; y < m; y++)
        for (int64_t x = 0; x < m; x++)
            values[y * m + x] = state[2 * (y % PATTERN * PATTERN + x % PATTERN) + 1];
    free(state);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

static void fill(const char *folder, int kind, float *values, int64_t m) {
    uint32_t state = 2012;
    if (kind == 2)
        fill_pattern(folder, values, m);
    else
        for (int64_t i = 0; i < m * m; i++) {
            state = state * 1664525 + 1013904223;
            values[i] = kind ? 0.4f : (float)(state >> 8) * 0x1p-24f;
        }
}

int main(int argc, char **argv) {
    static const char *const kinds[] = {"random", "constant", "pattern"}, *const texts[] = {
                                                                              "histogram:0:256:0:1",
                                                                              "euler:0:0.2",
                                                                              "length:0",
                                                                              "front:0:0.2",
                                                                              "correlation:0:8"};
    if (argc < 2) return fprintf(stderr, "usage: observe FOLDER [BACKEND] [POINTS]\n"), 2;
    const int64_t m = argc > 3 ? atoll(argv[3]) : 10000;
    float *const values = malloc(sizeof(float) * (size_t)(m * m));
    double *const found = malloc(sizeof(double) * 8192);
    eulercl_options options;
    eulercl_problem *problem;
    eulercl_error error;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.backend = argc > 2 ? argv[2] : "cl-linear";
    options.h = 1e-9;
    eulercl_solver *const solver =
        open_solver(argv[1], "swift_hohenberg.c", "m", m, &options, &problem);
    printf("%s, %lld x %lld values in float, 1e9 values/s\n", options.backend, (long long)m,
        (long long)m);
    for (int kind = 0; kind < 3; kind++) {
        fill(argv[1], kind, values, m);
        check(eulercl_set_state(solver, values, &error), &error);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            eulercl_observation *observation;
            check(eulercl_observation_create(problem, texts[i], &observation, &error), &error);
            double best = INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                const double begin = now();
                check(eulercl_observe(solver, observation, found, &error), &error);
                best = fmin(best, now() - begin);
                if (best > 0.5 && round == 1) break;
            }
            printf("%-9s %-20s %9.6f s %8.3f\n", kinds[kind], texts[i], best,
                1e-9 * (double)(m * m) / best);
            eulercl_observation_destroy(observation);
#ifdef WITH_CUB
            if (i == 0) {
                double histogram, sum;
                cub_measure(values, (size_t)(m * m), found, ROUNDS, &histogram, &sum);
                printf("%-9s %-20s %9.6f s %8.3f\n", kinds[kind], "CUB's histogram", histogram,
                    1e-9 * (double)(m * m) / histogram);
                printf("%-9s %-20s %9.6f s %8.3f\n", kinds[kind], "CUB's sum", sum,
                    1e-9 * (double)(m * m) / sum);
            }
#endif
            fflush(stdout);
        }
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    free(values);
    free(found);
    return 0;
}
