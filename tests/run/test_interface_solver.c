/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_solver.c - the promises of eulercl.h about solvers: the state, advance, values
 * that are not finite. */
#include "config.h"
#include "interface.h"
#include <math.h>
#include <string.h>
#define TILE_INT int64_t
#include "schedule/diamond_geometry.h"

/* ---- the state ---- */

START_TEST(states_come_back) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    random_start(1);
    for (size_t w = 0; w < way_count; w++)
        for (int p = 4; p <= 8; p += 4) {
            if (is_left_out(&ways[w], w, (enum eulercl_precision)p)) continue;
            const size_t size = (size_t)p;
            eulercl_problem *problem = open_size("string", 162);
            eulercl_options options;
            options_for(&options, &ways[w], (enum eulercl_precision)p);
            eulercl_solver *solver = make(problem, &options);
            const int64_t n = 162;
            char model[LENGTH * sizeof(double)] = {0}, y[LENGTH * sizeof(double)],
                                given[LENGTH * sizeof(double)];
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, model, n, size, "a new solver's state is zero");
            for (int round = 0; round < 60; round++) {
                const int64_t first = random_below(n + 1), count = random_below(n - first + 1);
                const size_t at = (size_t)first * size, bytes = (size_t)count * size;
                random_state(given, count, size);
                if (round % 7 == 0) {
                    random_state(model, n, size);
                    OK(eulercl_set_state(solver, model, &error));
                } else if (round % 7 == 1) {
                    OK(eulercl_set_initial_state(solver, &error));
                    OK(eulercl_problem_initial(
                        problem, (enum eulercl_precision)p, 0, n, model, &error));
                } else {
                    OK(eulercl_set_components(solver, first, count, given, &error));
                    memcpy(model + at, given, bytes);
                }
                fill(y);
                OK(eulercl_get_components(solver, first, count, y, &error));
                SAME(y, model + at, count, size, "%s, components %lld .. +%lld", ways[w].backend,
                    (long long)first, (long long)count);
                ck_assert_msg(
                    !memcmp(y + bytes, pattern, sizeof pattern - bytes), "written past the range");
                if (round % 5 == 0) OK(eulercl_advance(solver, 0, &error));
                OK(eulercl_get_state(solver, y, &error));
                SAME(y, model, n, size, "%s, the whole state", ways[w].backend);
            }
            static const struct {
                int64_t first, count;
            } wrong[] = {{-1, 1}, {0, -1}, {0, 163}, {162, 1}, {1, INT64_MAX}, {INT64_MAX, 1},
                {INT64_MIN, 1}, {INT64_MIN, INT64_MIN}};
            fill(y);
            for (int i = 0; i < COUNT(wrong); i++) {
                EXPECT(EULERCL_INVALID,
                    eulercl_get_components(solver, wrong[i].first, wrong[i].count, y, &error));
                EXPECT(EULERCL_INVALID,
                    eulercl_set_components(solver, wrong[i].first, wrong[i].count, y, &error));
                UNTOUCHED(y);
            }
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, model, n, size, "%s, after calls that failed", ways[w].backend);
            eulercl_solver_destroy(solver);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

/* ---- advance ---- */

/* The number of launches of `steps` steps in one call: with tiles one for each pass. cl-honeycomb
 * with honeycomb_steps = 0 is an exception. */
static uint64_t launches_of(const eulercl_stats *s, int64_t steps) {
    const tile_shape shape = {.n = s->n,
        .block = (int64_t)FACT(*s, block_size),
        .halo = 4,
        .blocks = (int64_t)FACT(*s, dia_blocks),
        .cut = (int64_t)s->steps_per_launch};
    if (!FACT(*s, tiles)) return (uint64_t)steps;
    if (!FACT(*s, dia_blocks))
        return ((uint64_t)steps + s->steps_per_launch - 1) / s->steps_per_launch;
    return steps ? (uint64_t)(tile_last_pass(shape, steps) - tile_first_pass(shape) + 1) : 0;
}

START_TEST(advances_add_up) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    double expected[WAVE], y[WAVE];
    random_start(2);
    for (size_t w = 0; w < way_count; w++) {
        eulercl_problem *problem = wave();
        eulercl_options options;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.t0 = -0.7;
        options.h = 0.003;
        for (int round = 0; round < 4; round++) {
            eulercl_solver *solver = make(problem, &options);
            OK(eulercl_set_initial_state(solver, &error));
            int64_t done = 0;
            uint64_t launches = 0;
            while (done < 100) {
                const int64_t left = 100 - done,
                              steps = round ? random_below(left < 40 ? left + 1 : 40) : 100;
                OK(eulercl_advance(solver, steps, &error));
                done += steps;
                const eulercl_stats stats = stats_of(solver);
                ck_assert_int_eq(stats.steps, done);
                launches += launches_of(&stats, steps);
                ck_assert(stats.t == -0.7 + (double)done * 0.003);
                ck_assert_uint_eq(stats.launches, launches);
            }
            OK(eulercl_get_state(solver, y, &error));
            if (!w && !round) memcpy(expected, y, sizeof y);
            SAME(y, expected, WAVE, sizeof *y, "%s, round %d", ways[w].backend, round);
            EXPECT(EULERCL_INVALID, eulercl_advance(solver, -1, &error));
            EXPECT(EULERCL_INVALID, eulercl_advance(solver, INT64_MIN, &error));
            EXPECT(EULERCL_INVALID, eulercl_advance(solver, INT64_MAX, &error));
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, expected, WAVE, sizeof *y, "%s, after calls that failed", ways[w].backend);
            eulercl_solver_destroy(solver);
        }
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Later changes of a problem, and its end, do not reach a solver made from it. */
START_TEST(solvers_keep_their_parameters) {
    eulercl_problem *problem = wave();
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    double y[2][WAVE];
    for (int changed = 0; changed < 2; changed++) {
        eulercl_solver *solver = make(problem, &options);
        if (changed) {
            OK(eulercl_problem_set(problem, "speed", 17, &error));
            OK(eulercl_problem_set(problem, "points", 3, &error));
            eulercl_problem_destroy(problem);
        }
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 20, &error));
        OK(eulercl_get_state(solver, y[changed], &error));
        eulercl_solver_destroy(solver);
    }
    SAME(y[0], y[1], WAVE, sizeof(double), "changed after the solver was made");
}
END_TEST

/* h = 1/8 and t0 = 1: times without rounding. */
static const struct {
    double t_end;
    int64_t steps;
    int shorter;
} ends[] = {
    {1, 0, 0},
    {1.125, 1, 0},
    {1 + 3 * 0.125, 3, 0},
    {1 + 3 * 0.125 * (1 + 0.9e-9), 3, 0},
    {1 + 3 * 0.125 * (1 - 0.9e-9), 3, 0},
    {1 + 3 * 0.125 * (1 + 1.1e-9), 4, 1},
    {1 + 3 * 0.125 * (1 - 1.1e-9), 3, 1},
    {1 + 0.125 * 0.9e-9, 1, 1},
    {1 + 1e-15, 0, 0},
    {1.0625, 1, 1},
    {1.3, 3, 1},
    {2.5, 12, 0},
    {3.99, 24, 1},
};

START_TEST(advance_to_ends_there) {
    eulercl_problem *problem = wave();
    eulercl_options options;
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    const double h = 0.125, t0 = 1, t_end = ends[_i].t_end;
    for (size_t w = 0; w < way_count; w++) {
        if (ways[w].is_opencl && ways[w].variant && strcmp(ways[w].variant, "vector")) continue;
        double y[WAVE], expected[WAVE], last_h = -1;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.t0 = t0;
        options.h = h;
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance_to(solver, t_end, &last_h, &error));
        const eulercl_stats stats = stats_of(solver);
        const int64_t whole = ends[_i].steps - ends[_i].shorter;
        const double reached = t0 + (double)whole * h;
        ck_assert_int_eq(stats.steps, ends[_i].steps);
        if (ends[_i].shorter)
            ck_assert(last_h > 0 && last_h < h && fabs(last_h - (t_end - reached)) <= 1e-15 &&
                      stats.t == t_end);
        else
            ck_assert(last_h == (whole ? h : 0) && stats.t == reached);
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, expected, &error));
        steps_from(problem, t0, h, whole, expected);
        if (ends[_i].shorter) steps_from(problem, reached, last_h, 1, expected);
        SAME(y, expected, WAVE, sizeof *y, "%s to t = %.17g", ways[w].backend, t_end);
        /* Going on from there: the time is t_end where it was asked for. */
        OK(eulercl_advance(solver, 5, &error));
        OK(eulercl_get_state(solver, y, &error));
        steps_from(problem, stats.t, h, 5, expected);
        SAME(y, expected, WAVE, sizeof *y, "%s, on from t = %.17g", ways[w].backend, t_end);
        static const double wrong[] = {-1, 0.99, NAN, INFINITY, -INFINITY, 1e300};
        last_h = -1;
        for (int i = 0; i < COUNT(wrong); i++)
            EXPECT(EULERCL_INVALID, eulercl_advance_to(solver, wrong[i], &last_h, &error));
        ck_assert(last_h == -1);
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, WAVE, sizeof *y, "after calls that failed");
        OK(eulercl_advance_to(solver, stats_of(solver).t, NULL, &error));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- inf and NaN ---- */

START_TEST(nonfinite_states_are_named) {
    static const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    random_start(3);
    for (size_t w = 0; w < way_count; w++)
        for (int p = 4; p <= 8; p += 4) {
            if (is_left_out(&ways[w], w, (enum eulercl_precision)p)) continue;
            const int64_t n = 162;
            eulercl_problem *problem = open_size("string", n);
            eulercl_options options;
            options_for(&options, &ways[w], (enum eulercl_precision)p);
            options.h = 1e-3;
            for (int check = 0; check < 2; check++) {
                options.check_finite = check;
                eulercl_solver *solver = make(problem, &options);
                for (int round = 0; round < 8; round++) {
                    OK(eulercl_set_initial_state(solver, &error));
                    OK(eulercl_advance(solver, 2, &error));
                    const int64_t component = round == 0   ? 0
                                              : round == 1 ? n - 1
                                                           : random_below(n),
                                  later = component + random_below(n - component);
                    const double value = bad[round % 4];
                    const float single = (float)value;
                    const void *given = p == 4 ? (const void *)&single : (const void *)&value;
                    OK(eulercl_set_components(solver, component, 1, given, &error));
                    OK(eulercl_set_components(solver, later, 1, given, &error));
                    char words[80];
                    snprintf(words, sizeof words, "component %lld is %s before step %lld",
                        (long long)component, isnan(value) ? "nan" : "infinite",
                        (long long)stats_of(solver).steps);
                    if (check)
                        EXPECT_WORDS(
                            EULERCL_NONFINITE, words, eulercl_advance(solver, round % 3, &error));
                    else
                        OK(eulercl_advance(solver, round % 3, &error));
                }
                eulercl_solver_destroy(solver);
            }
            eulercl_problem_destroy(problem);
        }
}
END_TEST

static int do_nothing(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver;
    (void)progress;
    (void)user;
    return 0;
}

/* A step far too large: the first step and component that leave the numbers are named; the solver
 * lives on. */
START_TEST(blow_ups_are_named) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem = open_size("string", 162);
    double y[162];
    for (size_t w = 0; w < way_count; w++) {
        eulercl_options options;
        char words[80];
        int64_t step = 0, component = 162;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.h = 1e6;
        options.check_finite = 0;
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        for (; component == 162; step++) {
            OK(eulercl_advance(solver, 1, &error));
            OK(eulercl_get_state(solver, y, &error));
            for (component = 0; component < 162 && isfinite(y[component]); component++) {
            }
        }
        eulercl_solver_destroy(solver);
        options.check_finite = 1;
        options.observer = do_nothing;
        options.observer_steps = 1;
        solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        snprintf(words, sizeof words, "component %lld is %s after step %lld, t = %.9g;",
            (long long)component, isnan(y[component]) ? "nan" : "infinite", (long long)step,
            (double)step * 1e6);
        EXPECT_WORDS(EULERCL_NONFINITE, words, eulercl_advance(solver, 1000, &error));
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 1, &error));
        eulercl_solver_destroy(solver);
        /* All in one: y is as it was. */
        double kept[LENGTH], given[LENGTH];
        options.observer = NULL;
        memset(given, 0, sizeof given);
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 162, given, &error));
        memcpy(kept, given, sizeof kept);
        EXPECT(EULERCL_NONFINITE, eulercl_solve(problem, &options, 1000, given, NULL, &error));
        SAME(given, kept, LENGTH, sizeof *given, "eulercl_solve failed");
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(states_come_back);
    ADD(advances_add_up);
    ADD(solvers_keep_their_parameters);
    ADD_LOOP(advance_to_ends_there, COUNT(ends));
    ADD(nonfinite_states_are_named);
    ADD(blow_ups_are_named);
}

int main(void) { return run_tests("interface_solver", add); }
