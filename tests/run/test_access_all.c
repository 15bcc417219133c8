/* SPDX-License-Identifier: BSD-2-Clause */
/* test_access_all.c - problems that read the whole state (ODE_ACCESS_ALL): the same bits on all
 * backends that take them, refusals by the others, the energy of bodies, a matrix's exponential. */
#include "config.h"
#include "interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct ode_problem test_problem_nbody, test_problem_matrix, test_problem_crowd;

static const struct {
    const struct ode_problem *definition;
    const char *size, *method;
    int components;
} problems[] = {{&test_problem_nbody, "bodies", "verlet", 6},
    {&test_problem_matrix, "places", "rk4", 1}, {&test_problem_crowd, "points", "euler", 2}};

static eulercl_problem *make_problem(int number, int64_t points) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(problems[number].definition, &problem, &error));
    OK(eulercl_problem_set(problem, problems[number].size, (double)points, &error));
    return problem;
}

/* ---- bits ---- */

static const struct way ways[] = {{"seq", NULL, 0}, {"cpu", "auto", 0}, {"cpu", "steps", 0},
    {"pthreads", "auto", 0}, {"pthreads", "barrier", 0}, {"cl-linear", "vector", 1},
    {"cl-linear", "strided", 1}, {"cl-linear", "chunked", 1}};
enum { STEPS = 7 };

static void solve_by(const eulercl_problem *problem, const char *method, const struct way *way,
    enum eulercl_precision precision, void *y) {
    eulercl_options options;
    options_for(&options, way, precision);
    options.method = method;
    options.h = 0.03;
    options.t0 = 0.5;
    if (!way->is_opencl && !strcmp(way->backend, "pthreads"))
        GIVE(&options, threads, 1 + random_below(5));
    if (way->is_opencl) GIVE(&options, workgroup_size, random_below(2) ? 3 : 0);
    OK(eulercl_problem_initial(problem, precision, 0, size_of(problem), y, &error));
    OK(eulercl_solve(problem, &options, STEPS, y, NULL, &error));
}

START_TEST(all_backends_agree) {
    static const enum eulercl_precision precisions[] = {EULERCL_FLOAT, EULERCL_DOUBLE};
    static const int sizes[] = {1, 2, 5, 16, 37, 66};
    const enum eulercl_precision precision = precisions[_i % 2];
    random_start((uint64_t)_i);
    for (int k = 0; k < COUNT(sizes); k++) {
        eulercl_problem *const problem = make_problem(_i / 2, sizes[k]);
        const int64_t n = size_of(problem);
        void *const expected = zeroed(n, precision), *const y = zeroed(n, precision);
        ck_assert_int_eq(n, sizes[k] * problems[_i / 2].components);
        for (int w = 0; w < COUNT(ways); w++) {
            if (ways[w].is_opencl &&
                (!have_opencl() || is_left_out(&ways[w], (size_t)(w + _i), precision)))
                continue;
            test_isa_level = (int)random_below(ISA_LEVELS);
            solve_by(problem, problems[_i / 2].method, &ways[w], precision, w ? y : expected);
            ck_assert(is_finite(w ? y : expected, n, precision));
            if (w)
                SAME(y, expected, n, precision, "problem %d, %d points, %s %s", _i / 2, sizes[k],
                    ways[w].backend, ways[w].variant);
        }
        free(expected);
        free(y);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* The definition: an explicit Euler step of bodies, by plain loops. */
static void step_bodies(int64_t bodies, double h, const double *y, double *next) {
    const double strength = 1 / (double)bodies;
    for (int64_t i = 0; i < bodies; i++) {
        double a[3] = {0, 0, 0};
        for (int64_t j = 0; j < bodies; j++) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = y[6 * j + k] - y[6 * i + k];
            const double square = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], 0.1 * 0.1))),
                         pull = strength / (square * sqrt(square));
            for (int k = 0; k < 3; k++) a[k] = fma(pull, d[k], a[k]);
        }
        for (int k = 0; k < 3; k++) {
            next[6 * i + k] = fma(h, y[6 * i + 3 + k], y[6 * i + k]);
            next[6 * i + 3 + k] = fma(h, a[k], y[6 * i + 3 + k]);
        }
    }
}

START_TEST(bodies_are_as_defined) {
    enum { BODIES = 23, N = 6 * BODIES };
    double y[N], expected[2][N];
    eulercl_problem *const problem = make_problem(0, BODIES);
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, y, &error));
    memcpy(expected[0], y, sizeof y);
    for (int step = 0; step < 10; step++)
        step_bodies(BODIES, 0.01, expected[step % 2], expected[1 - step % 2]);
    steps_from(problem, 0, 0.01, 10, y);
    SAME(y, expected[0], N, sizeof *y, "bodies");
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- refusals ---- */

static void expect_refusal(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "ODE_ACCESS_ALL",
        eulercl_solver_create(problem, options, &solver, &error));
    ck_assert_ptr_null(solver);
}

START_TEST(tiles_and_windows_are_refused) {
    static const struct way refused[] = {{"cpu", "lanes", 0}, {"cpu", "tiles", 0},
        {"pthreads", "lanes", 0}, {"pthreads", "tiles", 0}, {"cl-row-diamond", NULL, 1},
        {"cl-column-diamond", NULL, 1}, {"cl-honeycomb", NULL, 1}, {"cl-register", NULL, 1},
        {"cl-register", "stream", 1}, {"cl-register", "group", 1}};
    for (int number = 0; number < COUNT(problems); number++) {
        eulercl_problem *const problem = make_problem(number, 500);
        eulercl_options options;
        for (int w = 0; w < COUNT(refused); w++) {
            if (refused[w].is_opencl && !have_opencl()) continue;
            options_for(&options, &refused[w], EULERCL_DOUBLE);
            expect_refusal(problem, &options);
            char *source = NULL;
            if (refused[w].is_opencl)
                EXPECT_WORDS(EULERCL_UNSUPPORTED, "ODE_ACCESS_ALL",
                    eulercl_kernel_source(problem, &options, &source, &error));
            ck_assert_ptr_null(source);
        }
        options_for(&options, &(struct way){"cpu", "auto", 0}, EULERCL_DOUBLE);
        GIVE(&options, tile_points, 16);
        expect_refusal(problem, &options);
        options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
        options.devices = "cpu,cpu";
        expect_refusal(problem, &options);
        if (have_opencl()) {
            options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_DOUBLE);
            options.device_memory = 1000;
            expect_refusal(problem, &options);
        }
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- checks ---- */

START_TEST(checks_hold) {
    eulercl_problem *const problem = make_problem(_i, 21);
    eulercl_check_report report = {.struct_size = sizeof report};
    OK(eulercl_check(problem, NULL, &report, NULL, NULL, &error));
    ck_assert_int_eq(report.fails, 0);
    ck_assert_int_eq(report.access_distance, size_of(problem) - 1);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what the results mean ---- */

/* Kinetic energy and that of all pairs. */
static double energy_of(int64_t bodies, const double *y) {
    const double mass = 1 / (double)bodies;
    double energy = 0;
    for (int64_t i = 0; i < bodies; i++) {
        for (int k = 3; k < 6; k++) energy += mass * y[6 * i + k] * y[6 * i + k] / 2;
        for (int64_t j = 0; j < i; j++) {
            double square = 0.1 * 0.1;
            for (int k = 0; k < 3; k++)
                square += (y[6 * j + k] - y[6 * i + k]) * (y[6 * j + k] - y[6 * i + k]);
            energy -= mass * mass / sqrt(square);
        }
    }
    return energy;
}

/* The greatest relative change of the energy up to t = 20. */
static double drift_of(const char *method, double h) {
    enum { BODIES = 40, N = 6 * BODIES, PARTS = 20 };
    double y[N], drift = 0;
    eulercl_options options;
    eulercl_problem *const problem = make_problem(0, BODIES);
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, y, &error));
    const double start = energy_of(BODIES, y);
    ck_assert(start < 0);
    options_for(&options, &(struct way){"cpu", "auto", 0}, EULERCL_DOUBLE);
    options.method = method;
    options.h = h;
    for (int part = 0; part < PARTS; part++) {
        OK(eulercl_solve(problem, &options, (int64_t)(1 / h + 0.5), y, NULL, &error));
        drift = fmax(drift, fabs(energy_of(BODIES, y) / start - 1));
    }
    eulercl_problem_destroy(problem);
    return drift;
}

/* Symplectic methods keep the energy: its error is bounded, and proportional to h^2 with verlet.
 * The explicit Euler method adds energy at every step. */
START_TEST(bodies_keep_their_energy) {
    const double euler = drift_of("euler", 0.01), first = drift_of("symplectic-euler", 0.01),
                 verlet = drift_of("verlet", 0.01), finer = drift_of("verlet", 0.005);
    ck_assert_msg(euler > 0.2 && first < 0.02 && verlet < 2e-4 && finer < verlet / 3,
        "euler %.2g, symplectic-euler %.2g, verlet %.2g, at h / 2 %.2g", euler, first, verlet,
        finer);
}
END_TEST

enum { PLACES = 24 };

/* y = exp(A t) y by its power series; A is that of matrix.c with rate = 1. */
static void apply_exponential(double t, double *y) {
    double term[PLACES], next[PLACES];
    memcpy(term, y, sizeof term);
    for (int power = 1; power < 80; power++) {
        for (int i = 0; i < PLACES; i++) {
            next[i] = 0;
            for (int j = 0; j < PLACES; j++) {
                const int way = abs(i - j), round = way < PLACES - way ? way : PLACES - way;
                if (round) next[i] += (term[j] - term[i]) / ((double)round * round);
            }
            next[i] *= t / power;
        }
        memcpy(term, next, sizeof term);
        for (int i = 0; i < PLACES; i++) y[i] += term[i];
    }
}

START_TEST(matrix_has_its_exponential) {
    double y[PLACES], expected[PLACES];
    eulercl_options options;
    eulercl_problem *const problem = make_problem(1, PLACES);
    random_start(7);
    for (int i = 0; i < PLACES; i++) y[i] = random_real(-1, 1);
    memcpy(expected, y, sizeof y);
    apply_exponential(1, expected);
    options_for(&options, &(struct way){"cpu", "auto", 0}, EULERCL_DOUBLE);
    options.method = "rk4";
    options.h = 0.0025;
    OK(eulercl_solve(problem, &options, 400, y, NULL, &error));
    for (int i = 0; i < PLACES; i++)
        ck_assert_msg(
            fabs(y[i] - expected[i]) < 1e-10, "place %d: %.17g and %.17g", i, y[i], expected[i]);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(all_backends_agree, 2 * COUNT(problems));
    ADD(bodies_are_as_defined);
    ADD(tiles_and_windows_are_refused);
    ADD_LOOP(checks_hold, COUNT(problems));
    ADD(bodies_keep_their_energy);
    ADD(matrix_has_its_exponential);
}
int main(void) { return run_tests("problems that read the whole state", add); }
