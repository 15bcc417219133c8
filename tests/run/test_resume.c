/* SPDX-License-Identifier: BSD-2-Clause */
/* test_resume.c - a run that is interrupted, and continued in other solvers from its state and its
 * clock, ends in the bits of the run in one piece. */
#include "config.h"
#include "../support.h"
#include <stdlib.h>
#include <string.h>

/* A step size and times that no binary fraction is: t0 + s h differs from the sum of many h. */
static const double H = 0.0023, T0 = 0.1, T_ODD = 1.2345, T_LAST = 1.7;
enum { FIRST = 57, SECOND = 83, THIRD = 41 };

/* Tiny values of the present problem. */
static double flush_below;

/* The data that a program keeps of a run. */
struct kept {
    void *y;
    eulercl_clock clock;
};

static eulercl_solver *solver_of(const eulercl_problem *problem, const struct way *way,
    enum eulercl_precision precision, double t0, double h) {
    eulercl_options options;
    eulercl_solver *solver = NULL;
    options_for(&options, way, precision);
    options.t0 = t0;
    options.h = h;
    options.flush_below = flush_below;
    OK(create_somehow(problem, &options, &solver, &error));
    return solver;
}

static void keep(eulercl_solver *solver, struct kept *kept) {
    kept->clock.struct_size = sizeof kept->clock;
    OK(eulercl_get_clock(solver, &kept->clock, &error));
    OK(eulercl_get_state(solver, kept->y, &error));
}

/* Continue in a new solver, whose options have another time and another step size. */
static eulercl_solver *go_on(const eulercl_problem *problem, const struct way *way,
    enum eulercl_precision precision, const struct kept *kept) {
    eulercl_solver *solver = solver_of(problem, way, precision, 7, 0.5);
    OK(eulercl_solver_resume(solver, &kept->clock, &error));
    OK(eulercl_set_state(solver, kept->y, &error));
    return solver;
}

static void same_place(const struct kept *a, const struct kept *b, int64_t n,
    enum eulercl_precision precision, const char *where) {
    SAME(a->y, b->y, n, (size_t)precision, "%s", where);
    ck_assert_int_eq(a->clock.steps, b->clock.steps);
    ck_assert_int_eq(a->clock.base_steps, b->clock.base_steps);
    ck_assert_double_eq(a->clock.t_base, b->clock.t_base);
    ck_assert_double_eq(a->clock.h, b->clock.h);
}

START_TEST(same_bits) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
    const struct ode_problem *const definitions[] = {&test_problem_forced_wave, &test_problem_tide};
    int differs = 0;
    for (int d = 0; d < 2; d++) {
        eulercl_problem *problem;
        OK(eulercl_problem_create(definitions[d], &problem, &error));
        flush_below = d ? 0.3 : 0;
        const int64_t n = size_of(problem);
        struct kept whole[4], part = {.y = zeroed(n, (size_t)precision)};
        for (int i = 0; i < 4; i++) whole[i].y = zeroed(n, (size_t)precision);
        /* The run in one piece: steps, more steps, steps to a time off the grid, and steps on the
         * grid that begins there. */
        eulercl_solver *solver = solver_of(problem, &ways[0], precision, T0, H);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, FIRST, &error));
        keep(solver, &whole[0]);
        OK(eulercl_advance(solver, SECOND, &error));
        keep(solver, &whole[1]);
        OK(eulercl_advance_to(solver, T_ODD, NULL, &error));
        keep(solver, &whole[2]);
        OK(eulercl_advance(solver, THIRD, &error));
        OK(eulercl_advance_to(solver, T_LAST, NULL, &error));
        keep(solver, &whole[3]);
        eulercl_solver_destroy(solver);
        ck_assert_int_eq(whole[0].clock.steps, FIRST);
        ck_assert_double_eq(whole[2].clock.t_base, T_ODD);
        ck_assert_int_eq(whole[2].clock.base_steps, 0);
        for (size_t w = 0; w < way_count; w++) {
            eulercl_stats stats = {.struct_size = sizeof stats};
            if (d == 0 && is_for_planes(&ways[w])) continue;
            if (is_left_out(&ways[w], w + (size_t)d, precision)) continue;
            char where[80];
            snprintf(where, sizeof where, "%s %s %s", definitions[d]->name, ways[w].backend,
                ways[w].variant ? ways[w].variant : "");
            solver = go_on(problem, &ways[w], precision, &whole[0]);
            OK(eulercl_get_stats(solver, &stats, &error));
            ck_assert_double_eq(stats.t, T0 + FIRST * H);
            OK(eulercl_advance(solver, SECOND, &error));
            keep(solver, &part);
            same_place(&part, &whole[1], n, precision, where);
            OK(eulercl_get_stats(solver, &stats, &error));
            ck_assert_int_eq(stats.steps, FIRST + SECOND);
            ck_assert_int_eq(stats.resumed_steps, FIRST);
            eulercl_solver_destroy(solver);
            solver = go_on(problem, &ways[w], precision, &part);
            OK(eulercl_advance_to(solver, T_ODD, NULL, &error));
            keep(solver, &part);
            same_place(&part, &whole[2], n, precision, where);
            eulercl_solver_destroy(solver);
            solver = go_on(problem, &ways[w], precision, &part);
            OK(eulercl_advance(solver, THIRD, &error));
            OK(eulercl_advance_to(solver, T_LAST, NULL, &error));
            keep(solver, &part);
            same_place(&part, &whole[3], n, precision, where);
            eulercl_solver_destroy(solver);
        }
        /* The time alone is not enough: this is what the clock is for. */
        solver = solver_of(problem, &ways[0], precision, T0 + FIRST * H, H);
        OK(eulercl_set_state(solver, whole[0].y, &error));
        OK(eulercl_advance(solver, SECOND, &error));
        keep(solver, &part);
        differs |= memcmp(part.y, whole[1].y, (size_t)n * (size_t)precision) != 0;
        eulercl_solver_destroy(solver);
        for (int i = 0; i < 4; i++) free(whole[i].y);
        free(part.y);
        eulercl_problem_destroy(problem);
    }
    ck_assert_msg(differs || precision == EULERCL_FLOAT,
        "t0 = t gives the same bits: these runs show nothing");
}
END_TEST

/* The clock as an observer sees it after each step: the last one is shorter, and the grid begins
 * anew after it. */
struct seen {
    eulercl_clock clock;
    int status;
};
static int look(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    struct seen *seen = user;
    (void)progress;
    seen->clock = (eulercl_clock){.struct_size = sizeof seen->clock};
    seen->status |= eulercl_get_clock(solver, &seen->clock, NULL);
    seen->status |=
        /* a clock cannot be set from here */
        eulercl_solver_resume(solver, &seen->clock, NULL) != EULERCL_INVALID;
    return 0;
}

START_TEST(in_an_observer) {
    const struct way seq = {"seq", NULL, 0};
    struct seen seen = {.status = 0};
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver = NULL;
    options_for(&options, &seq, EULERCL_DOUBLE);
    options.h = 0.01;
    options.observer = look;
    options.observer_user = &seen;
    OK(eulercl_problem_create(&test_problem_forced_wave, &problem, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, 0.035, NULL, &error));
    ck_assert_int_eq(seen.status, 0);
    ck_assert_int_eq(seen.clock.steps, 4);
    ck_assert_int_eq(seen.clock.base_steps, 0);
    ck_assert_double_eq(seen.clock.t_base, 0.035);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(refused) {
    const struct way seq = {"seq", NULL, 0};
    eulercl_problem *problem;
    const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
    OK(eulercl_problem_create(&test_problem_forced_wave, &problem, &error));
    eulercl_solver *solver = solver_of(problem, &seq, precision, 2, 0.25);
    const eulercl_clock good = {
        .struct_size = sizeof good, .steps = 10, .base_steps = 3, .t_base = 1, .h = 0.5};
    const struct {
        eulercl_clock clock;
        const char *words;
    } bad[] = {
        {{0, 10, 3, 1, 0.5, ""}, "struct_size"},
        {{8, 10, 3, 1, 0.5, ""}, "struct_size"},
        {{SIZE_MAX, 10, 3, 1, 0.5, ""}, "struct_size"},
        {{sizeof good, 10, 11, 1, 0.5, ""}, "11 of them"},
        {{sizeof good, -1, -1, 1, 0.5, ""}, "-1 of them"},
        {{sizeof good, 10, 3, (double)NAN, 0.5, ""}, "not finite"},
        {{sizeof good, 10, 3, 1, 0, ""}, "not a positive number"},
        {{sizeof good, 10, 3, 1, (double)INFINITY, ""}, "finite"},
        {{sizeof good, 10, 3, 1, -0.5, ""}, "not a positive number"},
        {{sizeof good, INT64_MAX, INT64_MAX, 1, 1e300, ""}, "not finite"},
        {{sizeof good, 10, 3, 1e300, 0.5, ""}, precision == EULERCL_FLOAT ? "not finite" : NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        eulercl_clock clock = {.struct_size = sizeof clock};
        if (!bad[i].words) continue;
        EXPECT_WORDS(
            EULERCL_INVALID, bad[i].words, eulercl_solver_resume(solver, &bad[i].clock, &error));
        OK(eulercl_get_clock(solver, &clock, &error));
        ck_assert(
            clock.steps == 0 && clock.base_steps == 0 && clock.t_base == 2 && clock.h == 0.25);
    }
    OK(eulercl_solver_resume(solver, &good, &error));
    EXPECT_WORDS(
        EULERCL_INVALID, "invalid step count", eulercl_advance(solver, INT64_MAX - 9, &error));
    eulercl_clock clock = {0};
    EXPECT(EULERCL_INVALID, eulercl_get_clock(solver, &clock, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(same_bits, 2);
    ADD(in_an_observer);
    ADD_LOOP(refused, 2);
}

int main(void) { return run_tests("resume", add); }
