/* SPDX-License-Identifier: BSD-2-Clause */
/* observe.c - how long observers of a state take: states of random numbers, of one constant and of
 * a pattern (examples/gray_scott.c), on a square grid with one component in float.
 * `make bench-observe` runs it. With peers/observe_cub.cu it also measures CUB in the same run.
 *
 *     observe FOLDER [BACKEND] [POINTS] [NAME...]
 *
 * FOLDER is that of the examples, POINTS the number of points along a side of the grid; NAME, such
 * as length or extract, chooses what is measured. */
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

/* What is measured: an observer's text, a condition of eulercl_extract, or a block's edge; blocks
 * of `smooth` are smoothed. */
static const struct {
    const char *name, *text;
} all[] = {{"histogram", "histogram:0:256:0:1"}, {"euler", "euler:0:0.2"}, {"length", "length:0"},
    {"extract", "0 > 0.999"}, {"thin", "10"}, {"smooth", "10"}, {"front", "front:0:0.2"},
    {"correlation", "correlation:0:8"}};

struct measured {
    eulercl_solver *solver;
    eulercl_observation *observation; /* NULL: it is no observer */
    int64_t blocks;                   /* along a side */
    double *values;
};

static int is_thinned(const char *name) { return !strcmp(name, "thin") || !strcmp(name, "smooth"); }

static void measure_once(const struct measured *m, const char *name, const char *text) {
    eulercl_error error;
    int64_t count, *points;
    double *values;
    if (m->observation)
        check(eulercl_observe(m->solver, m->observation, m->values, &error), &error);
    else if (is_thinned(name))
        check(eulercl_thin(m->solver, NULL, 0, atoll(text), EULERCL_THIN_MEAN,
                  strcmp(name, "thin") ? 4 : 0, m->values, m->blocks * m->blocks, &error),
            &error);
    else {
        check(eulercl_extract(m->solver, text, &count, &points, &values, &error), &error);
        eulercl_free(points);
        eulercl_free(values);
    }
}

static void print(const char *kind, const char *text, double seconds, int64_t m) {
    printf("%-9s %-20s %9.6f s %8.3f\n", kind, text, seconds, 1e-9 * (double)(m * m) / seconds);
    fflush(stdout);
}

static int is_wanted(const char *name, int argc, char **argv) {
    int wanted = argc <= 4;
    for (int i = 4; i < argc; i++) wanted |= !strcmp(argv[i], name);
    return wanted;
}

int main(int argc, char **argv) {
    static const char *const kinds[] = {"random", "constant", "pattern"};
    if (argc < 2) return fprintf(stderr, "usage: observe FOLDER [BACKEND] [POINTS] [NAME...]\n"), 2;
    const int64_t m = argc > 3 ? atoll(argv[3]) : 10000;
    struct measured measured = {.blocks = (m + 9) / 10};
    float *const values = malloc(sizeof(float) * (size_t)(m * m));
    measured.values = malloc(sizeof(double) * (size_t)(8192 + measured.blocks * measured.blocks));
    eulercl_options options;
    eulercl_problem *problem;
    eulercl_error error;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.backend = argc > 2 ? argv[2] : "cl-linear";
    options.h = 1e-9;
    measured.solver = open_solver(argv[1], "swift_hohenberg.c", "m", m, &options, &problem);
    printf("%s, %lld x %lld values in float, 1e9 values/s\n", options.backend, (long long)m,
        (long long)m);
    for (int kind = 0; kind < 3; kind++) {
        fill(argv[1], kind, values, m);
        check(eulercl_set_state(measured.solver, values, &error), &error);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            if (!is_wanted(all[i].name, argc, argv)) continue;
            measured.observation = NULL;
            if (!is_thinned(all[i].name) && strcmp(all[i].name, "extract"))
                check(
                    eulercl_observation_create(problem, all[i].text, &measured.observation, &error),
                    &error);
            double best = INFINITY;
            for (int round = 0; round < ROUNDS && (round < 2 || best < 0.5); round++) {
                const double begin = now();
                measure_once(&measured, all[i].name, all[i].text);
                best = fmin(best, now() - begin);
            }
            print(kinds[kind], is_thinned(all[i].name) ? all[i].name : all[i].text, best, m);
            eulercl_observation_destroy(measured.observation);
#ifdef WITH_CUB
            if (strcmp(all[i].name, "histogram")) continue;
            double histogram, sum;
            cub_measure(values, (size_t)(m * m), measured.values, ROUNDS, &histogram, &sum);
            print(kinds[kind], "CUB's histogram", histogram, m);
            print(kinds[kind], "CUB's sum", sum, m);
#endif
        }
    }
    eulercl_solver_destroy(measured.solver);
    eulercl_problem_destroy(problem);
    free(values);
    free(measured.values);
    return 0;
}
