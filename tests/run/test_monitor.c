/* SPDX-License-Identifier: BSD-2-Clause */
/* test_monitor.c - eulercl_monitor: every quantity against sums in long double, the same bits on
 * every backend, nothing changed by looking. */
#include "config.h"
#include "../support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTITIES = 7, MOST_COMPONENTS = 8, MOST_FIGURES = QUANTITIES * (MOST_COMPONENTS + 1) };
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

START_TEST(quantities_have_names) {
    static const char *const names[QUANTITIES] = {"min", "max", "mean", "l1", "l2", "linf", "rms"};
    for (size_t q = 0; q < QUANTITIES; q++) ck_assert_str_eq(eulercl_quantity_name(q), names[q]);
    ck_assert_ptr_null(eulercl_quantity_name(QUANTITIES));
    ck_assert_ptr_null(eulercl_quantity_name(SIZE_MAX));
}
END_TEST

/* The statistic, and how far it may be off. */
static double expected(const void *y, int64_t n, size_t real_size, int64_t components,
    eulercl_statistic statistic, double *allowed) {
    long double least = INFINITY, greatest = -INFINITY, sum = 0, absolutes = 0, squares = 0;
    const int64_t first = statistic.component < 0 ? 0 : statistic.component,
                  stride = statistic.component < 0 ? 1 : components;
    int64_t count = 0;
    for (int64_t i = first; i < n; i += stride, count++) {
        const long double v = value_at(y, i, real_size);
        if (v < least) least = v;
        if (v > greatest) greatest = v;
        sum += v;
        absolutes += fabsl(v);
        squares += v * v;
    }
    const long double bound = ((long double)n / 0x1p17L + 1100) * 0x1p-53L;
    const long double values[QUANTITIES] = {
        least,
        greatest,
        sum / (long double)count,
        absolutes,
        sqrtl(squares),
        fmaxl(fabsl(least), fabsl(greatest)),
        sqrtl(squares / (long double)count),
    };
    const long double errors[QUANTITIES] = {
        0,
        0,
        (bound + 0x1p-52L) * absolutes / (long double)count,
        bound * absolutes,
        (bound + 0x1p-52L) * sqrtl(squares),
        0,
        (bound + 0x1p-51L) * sqrtl(squares / (long double)count),
    };
    *allowed = (double)errors[statistic.quantity];
    return (double)values[statistic.quantity];
}

static int all_figures(int64_t components, eulercl_statistic *statistics) {
    int count = 0;
    for (int64_t c = -1; c < components; c++)
        for (int q = 0; q < QUANTITIES; q++) statistics[count++] = (eulercl_statistic){q, c};
    return count;
}

/* Sizes around those of lanes and parts, and beyond: 256 lanes, 1024 parts. 0: 333 columns. */
static const struct {
    const struct ode_problem *definition;
    int64_t components, n;
} systems[] = {
    {&test_problem_string, 2, 2},
    {&test_problem_string, 2, 254},
    {&test_problem_string, 2, 258},
    {&test_problem_string, 2, 262144},
    {&test_problem_string, 2, 600002},
    {&test_problem_rod_clamp, 1, 255},
    {&test_problem_rod_clamp, 1, 20001},
    {&test_problem_torus, 3, 0},
    {&test_problem_bruss2d, 2, 2 * 37 * 37},
};

START_TEST(figures_are_right_everywhere) {
    const int64_t components = systems[_i].components;
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    eulercl_statistic statistics[MOST_FIGURES];
    const int count = all_figures(components, statistics);
    eulercl_problem *problem;
    random_start((uint64_t)_i);
    OK(eulercl_problem_create(systems[_i].definition, &problem, &error));
    if (systems[_i].n)
        OK(eulercl_problem_set_size(problem, systems[_i].n, &error));
    else
        OK(eulercl_problem_set(problem, "columns", 333, &error));
    const int64_t n = size_of(problem);
    for (int p = 0; p < 2; p++) {
        const enum eulercl_precision precision = p ? EULERCL_DOUBLE : EULERCL_FLOAT;
        void *y = zeroed(n, (size_t)precision), *after = zeroed(n, (size_t)precision);
        double first[MOST_FIGURES], values[MOST_FIGURES];
        random_state(y, n, (size_t)precision);
        for (size_t w = 0; w < way_count; w++) {
            /* One of each kind of backend computes a state; the code behind it is shared by the
             * others. */
            if (ways[w].is_opencl && strcmp(ways[w].backend, "cl-linear")) continue;
            if (ways[w].variant && strcmp(ways[w].variant, ways[w].is_opencl ? "vector" : "auto"))
                continue;
            eulercl_options options;
            eulercl_solver *solver = NULL;
            options_for(&options, &ways[w], precision);
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            OK(eulercl_set_state(solver, y, &error));
            OK(eulercl_monitor(solver, statistics, (size_t)count, values, &error));
            for (int i = 0; i < count; i++) {
                double allowed;
                const double right =
                    expected(y, n, (size_t)precision, components, statistics[i], &allowed);
                ck_assert_msg(fabs(values[i] - right) <= allowed,
                    "%s, n = %lld: %s of %lld is %.17g, not %.17g (may be off by %g)",
                    ways[w].backend, (long long)n,
                    eulercl_quantity_name((size_t)statistics[i].quantity),
                    (long long)statistics[i].component, values[i], right, allowed);
            }
            if (!w) memcpy(first, values, sizeof first);
            SAME(values, first, count, sizeof *values, "%s, n = %lld, precision %d",
                ways[w].backend, (long long)n, (int)precision);
            OK(eulercl_get_state(solver, after, &error));
            SAME(after, y, n, (size_t)precision, "%s: after looking", ways[w].backend);
            eulercl_solver_destroy(solver);
        }
        free(y);
        free(after);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* While a run goes on, from the observer too, on every backend; and the run does not notice. */
static double seen[64];
static int seen_count;
static int look(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    static const eulercl_statistic statistics[] = {{EULERCL_L2, -1}, {EULERCL_MEAN, 0}};
    (void)progress;
    (void)user;
    ck_assert_int_lt(seen_count, COUNT(seen) - 1);
    OK(eulercl_monitor(solver, statistics, 2, &seen[seen_count], &error));
    seen_count += 2;
    return 0;
}

START_TEST(runs_are_watched) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem;
    double first[COUNT(seen)], y[400], first_y[400];
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, 400, &error));
    for (size_t w = 0; w < way_count; w++) {
        eulercl_options options;
        eulercl_solver *solver = NULL;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.observer = look;
        options.observer_steps = 7;
        seen_count = 0;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 100, &error));
        OK(eulercl_get_state(solver, y, &error));
        ck_assert_int_eq(seen_count, 2 * 15);
        if (!w) memcpy(first, seen, sizeof first), memcpy(first_y, y, sizeof y);
        SAME(seen, first, seen_count, sizeof *seen, "%s %s", ways[w].backend, ways[w].variant);
        SAME(y, first_y, 400, sizeof *y, "%s %s: the state", ways[w].backend, ways[w].variant);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(what_does_not_exist_is_refused) {
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver = NULL;
    double values[2] = {42, 43};
    static const eulercl_statistic bad[] = {
        {-1, 0}, {QUANTITIES, 0}, {EULERCL_MIN, -2}, {EULERCL_MIN, 2}, {EULERCL_MIN, INT64_MAX}};
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    for (int i = 0; i < COUNT(bad); i++) {
        const eulercl_statistic statistics[] = {{EULERCL_MAX, 1}, bad[i]};
        EXPECT(EULERCL_INVALID, eulercl_monitor(solver, statistics, 2, values, &error));
    }
    OK(eulercl_monitor(solver, NULL, 0, NULL, &error));
    ck_assert(values[0] == 42 && values[1] == 43);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(quantities_have_names);
    ADD_LOOP(figures_are_right_everywhere, COUNT(systems));
    ADD(runs_are_watched);
    ADD(what_does_not_exist_is_refused);
}

int main(void) { return run_tests("monitor", add); }
