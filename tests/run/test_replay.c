/* SPDX-License-Identifier: BSD-2-Clause */
/* test_replay.c - a run that becomes infinite names the first step and component, whatever its
 * backend and however it is cut, and says what may help. */
#include "config.h"
#include "../support.h"
#include "reals.h"
#include "mem.h"
#ifdef HAVE_OPENCL
#include "opencl/state.h"
#endif
#include "run/replay.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 162 };

/* A run that ends early: where it must, by `seq` one step after the other, and the state there. */
struct end {
    const struct ode_problem *definition;
    double h, t;
    int64_t step, component;
    double y[N];
};

static eulercl_problem *open_problem(const struct ode_problem *definition) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    return problem;
}

static eulercl_solver *make(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    OK(eulercl_solver_create(problem, options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    return solver;
}

static void find_end(struct end *end) {
    eulercl_problem *problem = open_problem(end->definition);
    eulercl_options options;
    eulercl_options_init(&options);
    options.backend = "seq";
    options.h = end->h;
    options.check_finite = 0;
    eulercl_solver *solver = make(problem, &options);
    for (end->component = -1, end->step = 0; end->component < 0; end->step++) {
        OK(eulercl_advance(solver, 1, &error));
        OK(eulercl_get_state(solver, end->y, &error));
        end->component = ecl_first_nonfinite(end->y, N, sizeof(double));
    }
    end->t = (double)end->step * end->h;
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

static const char *words_of(const struct end *end) {
    static char words[100];
    snprintf(words, sizeof words, "component %lld is %s after step %lld, t = %.9g;",
        (long long)end->component, isnan(end->y[end->component]) ? "nan" : "infinite",
        (long long)end->step, end->t);
    return words;
}

static int do_nothing(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver;
    (void)progress;
    (void)user;
    return 0;
}

/* How a run is cut: in one piece; with an observer, that is called when it likes to or every 7
 * steps; in advances of their own. */
enum { IN_ONE, OBSERVED, BY_SEVENS, BY_SEVENTEENS, BY_ONES, CUTS };

static void expect_end(const struct end *end, const struct way *way, int cut) {
    eulercl_problem *problem = open_problem(end->definition);
    eulercl_options options;
    eulercl_stats stats = {.struct_size = sizeof stats};
    double y[N];
    options_for(&options, way, EULERCL_DOUBLE);
    options.h = end->h;
    GIVE(&options, threads, 3);
    if (cut == OBSERVED || cut == BY_SEVENS) options.observer = do_nothing;
    if (cut == BY_SEVENS) options.observer_steps = 7;
    eulercl_solver *solver = make(problem, &options);
    const int64_t part = cut == BY_ONES ? 1 : cut == BY_SEVENTEENS ? 17 : 2 * end->step;
    for (int64_t done = 0; done + part < end->step; done += part)
        OK(eulercl_advance(solver, part, &error));
    EXPECT_WORDS(EULERCL_NONFINITE, words_of(end), eulercl_advance(solver, part, &error));
    /* The solver holds that very state. */
    OK(eulercl_get_stats(solver, &stats, &error));
    OK(eulercl_get_state(solver, y, &error));
    ck_assert_msg(stats.steps == end->step && stats.t == end->t, "%s, cut %d: step %lld, t = %g",
        way->backend, cut, (long long)stats.steps, stats.t);
    SAME(y, end->y, N, sizeof *y, "%s, cut %d: the state after the first step that failed",
        way->backend, cut);
    EXPECT_WORDS(EULERCL_NONFINITE, "before step", eulercl_advance(solver, 10, &error));
    /* It lives on. */
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 2, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

START_TEST(first_step_is_named) {
    struct end end = {
        .definition = _i ? &test_problem_forced_wave : &test_problem_string, .h = _i ? 0.25 : 0.35};
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    find_end(&end);
    ck_assert_msg(end.step > 200 && end.step < 4000, "step %lld", (long long)end.step);
#ifdef HAVE_OPENCL
    const int64_t find_on_host = ecl_cl_find_on_host;
#endif
    for (size_t w = 0; w < way_count; w++)
        for (int cut = 0; cut < CUTS; cut++) {
            /* A launch takes long on PoCL: one problem and one way to cut for each variant, by
             * turns. */
            if (ways[w].is_opencl && test_level() == QUICK_TESTS &&
                ((int)w % 2 != _i || (int)w / 2 % (CUTS - 1) != cut))
                continue;
#ifdef HAVE_OPENCL
            ecl_cl_find_on_host = w / 2 % 2 ? N : 0; /* by turns the host searches, or the device */
#endif
            expect_end(&end, &ways[w], cut);
        }
#ifdef HAVE_OPENCL
    ecl_cl_find_on_host = find_on_host;
#endif
}
END_TEST

#ifdef HAVE_OPENCL
/* So many components that an item of the device's search has blocks of them, and a rest. */
START_TEST(any_component_is_found) {
    enum { LARGE = 5000010, PLACES = 40 };
    eulercl_problem *problem = open_problem(&test_problem_string);
    eulercl_options options;
    if (!have_opencl()) return;
    random_start(400);
    OK(eulercl_problem_set_size(problem, LARGE, &error));
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    eulercl_solver *solver = make(problem, &options);
    for (int place = 0; place < PLACES; place++) {
        const int64_t at = place < 2 ? place * (LARGE - 1) : random_below(LARGE);
        const float bad = place % 2 ? NAN : INFINITY;
        char words[80];
        float good;
        snprintf(words, sizeof words, "component %lld is %s before step", (long long)at,
            place % 2 ? "nan" : "infinite");
        OK(eulercl_get_components(solver, at, 1, &good, &error));
        OK(eulercl_set_components(solver, at, 1, &bad, &error));
        EXPECT_WORDS(EULERCL_NONFINITE, words, eulercl_advance(solver, 0, &error));
        OK(eulercl_set_components(solver, at, 1, &good, &error));
        OK(eulercl_advance(solver, 0, &error));
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST
#endif

/* Beyond several copies of the state: the last one is where the search begins. */
#ifndef __SANITIZE_ADDRESS__ /* two minutes there, of code that shorter runs reach, too */
START_TEST(late_steps_are_named) {
    static const struct way ways[] = {{"seq", NULL, 0}, {"cpu", NULL, 0}, {"pthreads", NULL, 0}};
    struct end end = {.definition = &test_problem_string, .h = 0.01};
    find_end(&end);
    struct run run = {.system.n = N};
    ck_assert_msg(end.step > ecl_replay_spacing(&run, 0) * 2 && end.step < 1000000, "step %lld",
        (long long)end.step);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (int cut = IN_ONE; cut <= OBSERVED; cut++) expect_end(&end, &ways[w], cut);
}
END_TEST
#endif

/* A run that has failed ends soon, also without an observer. */
START_TEST(failed_runs_end) {
    eulercl_problem *problem = open_problem(&test_problem_string);
    eulercl_options options;
    options_for(&options, &(struct way){"cpu", NULL, 0}, EULERCL_DOUBLE);
    options.h = 1;
    eulercl_solver *solver = make(problem, &options);
    EXPECT_WORDS(
        EULERCL_NONFINITE, "after step", eulercl_advance(solver, (int64_t)1 << 50, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* States that do not follow from the copy are not searched from there: states that were set, and
 * times off the grid. */
START_TEST(changed_states) {
    for (int change = 0; change < 3; change++) {
        struct end end = {.definition = &test_problem_forced_wave, .h = 0.25}, other = end;
        eulercl_problem *problem = open_problem(end.definition);
        eulercl_options options;
        double y[N];
        options_for(&options, &(struct way){"cpu", NULL, 0}, EULERCL_DOUBLE);
        options.h = end.h;
        options.check_finite = 0;
        for (int pass = 0; pass < 2;
             pass++) { /* the first by single steps without a check: what must come out */
            eulercl_solver *solver = make(problem, &options);
            const double huge = 1e250;
            eulercl_stats stats = {.struct_size = sizeof stats};
            OK(eulercl_advance(solver, 120, &error));
            if (change == 0) OK(eulercl_set_components(solver, 77, 1, &huge, &error));
            if (change == 1) OK(eulercl_advance_to(solver, 120 * 0.25 + 0.1, NULL, &error));
            if (change == 2) OK(eulercl_set_initial_state(solver, &error));
            if (!pass) other.component = -1;
            while (!pass && other.component < 0) {
                OK(eulercl_advance(solver, 1, &error));
                OK(eulercl_get_state(solver, other.y, &error));
                other.component = ecl_first_nonfinite(other.y, N, sizeof *y);
            }
            if (pass)
                EXPECT_WORDS(
                    EULERCL_NONFINITE, words_of(&other), eulercl_advance(solver, 3000, &error));
            OK(eulercl_get_stats(solver, &stats, &error));
            other.step = stats.steps;
            other.t = stats.t;
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, other.y, N, sizeof *y, "change %d", change);
            eulercl_solver_destroy(solver);
            options.check_finite = 1;
        }
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Programs that change the state all the time are not slowed down by a copy each time: then the
 * steps between which it happened are named. */
START_TEST(intervals) {
    eulercl_problem *problem = open_problem(&test_problem_string);
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = 1;
    eulercl_solver *solver = make(problem, &options);
    OK(eulercl_advance(solver, 2, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 2, &error));
    EXPECT_WORDS(EULERCL_NONFINITE,
        "(it was finite after step 4); a smaller step size h may help, such as 0.5",
        eulercl_advance(solver, 3000, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Without memory for a copy the run goes on, and says so; a snapshot takes the copy's place. */
START_TEST(short_of_memory) {
    eulercl_problem *problem = open_problem(&test_problem_string);
    eulercl_options options;
    eulercl_stats stats = {.struct_size = sizeof stats};
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = 1;
    for (int later = 0; later < 2; later++) {
        const long live = ecl_mem_live();
        eulercl_solver *solver = make(problem, &options);
        eulercl_snapshot *snapshot = NULL;
        if (!later) ecl_mem_fail(0, 1);
        OK(eulercl_advance(solver, 3, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        ck_assert_msg(
            later ? !*stats.note : strstr(stats.note, "no copy of the state is kept") != NULL, "%s",
            stats.note);
        ck_assert_uint_eq(stats.device_bytes, (later ? 3u : 2u) * N * sizeof(double));
        if (later) {
            ecl_mem_fail(0, 0);
            error.code = 12345; /* success leaves the record alone */
            ck_assert_int_eq(eulercl_snapshot_create(solver, &snapshot, &error), EULERCL_OK);
            ck_assert_int_eq(error.code, 12345);
            OK(eulercl_get_stats(solver, &stats, &error));
            ck_assert_uint_eq(stats.device_bytes, 3 * N * sizeof(double));
        }
        EXPECT_WORDS(EULERCL_NONFINITE, "(it was finite after step 3); a smaller",
            eulercl_advance(solver, 3000, &error));
        ecl_mem_fail(-1, 0);
        eulercl_snapshot_destroy(snapshot);
        eulercl_solver_destroy(solver);
        ck_assert_int_eq(ecl_mem_live(), live);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Definitions by hand. */
static void shape_of(const double *parameters, struct ode_shape *shape) {
    *shape = (struct ode_shape){.extents = {parameters[0], 1, 1}};
}
static const struct ode_parameter size = {"n", N, 1, 1e6, 1, "", ""};

static eulercl_solver *make_by_hand(
    double (*eval)(const struct ode_context *context, ode_index i, double t, const double *y),
    double h, eulercl_problem **problem) {
    const struct ode_problem definition = {.abi = ODE_PROBLEM_ABI,
        .struct_size = sizeof definition,
        .name = "by_hand",
        .title = "by hand",
        .parameters = &size,
        .parameter_count = 1,
        .constant_count = 1,
        .grid.components = 1,
        .shape = shape_of,
        .eval_comp_f64 = eval};
    static struct ode_problem kept;
    eulercl_options options;
    eulercl_solver *solver;
    double ones[N];
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = h;
    kept = definition;
    for (int i = 0; i < N; i++) ones[i] = 1;
    OK(eulercl_problem_create(&kept, problem, &error));
    OK(eulercl_solver_create(*problem, &options, &solver, &error));
    OK(eulercl_set_state(solver, ones, &error));
    return solver;
}

static double square(const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context;
    (void)t;
    return y[i] * y[i];
}

/* The advice is the stable step near the state of the copy, if that is the reason. */
START_TEST(advice) {
    static const struct {
        const struct ode_problem *definition;
        double h;
        const char *words;
    } cases[] = {
        {&test_problem_rod_clamp, 50,
            "; a smaller step size h may help: near t = 0 it is stable up to"},
        {&test_problem_string, 1, "more slowly, but near t = 0 none is stable"},
    };
    eulercl_options options;
    eulercl_stability stability = {.struct_size = sizeof stability};
    options_for(&options, &(struct way){"cpu", NULL, 0}, EULERCL_DOUBLE);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        eulercl_problem *problem;
        char words[100];
        problem = open_problem(cases[c].definition);
        options.h = cases[c].h;
        eulercl_solver *solver = make(problem, &options);
        EXPECT_WORDS(EULERCL_NONFINITE, cases[c].words, eulercl_advance(solver, 100000, &error));
        OK(eulercl_estimate_stability(problem, &options, NULL, &stability, NULL));
        snprintf(words, sizeof words, "stable up to %.4g, but it is %.4g", stability.h_limit,
            cases[c].h);
        ck_assert_msg(c || strstr(error.message, words), "%s: no '%s'", error.message, words);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
    eulercl_problem *problem;
    eulercl_solver *solver = make_by_hand(square, 0.5, &problem);
    EXPECT_WORDS(EULERCL_NONFINITE, "; a smaller step size h may help, such as 0.25",
        eulercl_advance(solver, 1000, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A right-hand side that is not finite once, and never again. */
static int calls_until_nan;
static double once(const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context;
    (void)i;
    (void)t;
    (void)y;
    return --calls_until_nan ? 1 : (double)NAN;
}

START_TEST(what_does_not_repeat_itself) {
    eulercl_problem *problem;
    eulercl_solver *solver = make_by_hand(once, 0.5, &problem);
    calls_until_nan = 20 * N + 8;
    EXPECT_WORDS(EULERCL_NONFINITE,
        "component 7 was nan after step 100, but not when the steps were made again",
        eulercl_advance(solver, 100, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(first_step_is_named, 2);
#ifdef HAVE_OPENCL
    ADD(any_component_is_found);
#endif
#ifndef __SANITIZE_ADDRESS__
    ADD(late_steps_are_named);
#endif
    ADD(failed_runs_end);
    ADD(changed_states);
    ADD(intervals);
    ADD(short_of_memory);
    ADD(advice);
    ADD(what_does_not_repeat_itself);
}

int main(void) { return run_tests("replay", add); }
