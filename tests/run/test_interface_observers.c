/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_observers.c - the promises of eulercl.h about observers. */
#include "config.h"
#include "interface.h"
#include <math.h>
#include <string.h>

struct watch {
    int64_t calls, stop_at, last, total;
    double state[WAVE];
};

static int watch(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    struct watch *seen = user;
    double y[WAVE], one;
    void *buffer;
    ck_assert_uint_eq(progress->struct_size, sizeof *progress);
    ck_assert_int_gt(progress->steps_done, seen->last);
    ck_assert_int_le(progress->steps_done, progress->steps_total);
    ck_assert(progress->kernel_seconds >= 0 && progress->t == stats_of(solver).t);
    seen->last = progress->steps_done == progress->steps_total ? 0 : progress->steps_done;
    seen->total = progress->steps_total;
    seen->calls++;
    OK(eulercl_get_state(solver, y, &error));
    OK(eulercl_get_components(solver, 7, 1, &one, &error));
    ck_assert(one == y[7]);
    if (stats_of(solver).device_id[0]) OK(eulercl_borrow_buffer(solver, &buffer, &error));
    memcpy(seen->state, y, sizeof y);
    EXPECT(EULERCL_INVALID, eulercl_set_state(solver, y, &error));
    EXPECT(EULERCL_INVALID, eulercl_set_components(solver, 0, 1, y, &error));
    EXPECT(EULERCL_INVALID, eulercl_set_initial_state(solver, &error));
    EXPECT(EULERCL_INVALID, eulercl_advance(solver, 1, &error));
    EXPECT(EULERCL_INVALID, eulercl_advance_to(solver, 1e3, NULL, &error));
    return seen->stop_at && seen->calls % seen->stop_at == 0;
}

START_TEST(observers_watch_and_stop) {
    static const struct {
        int64_t every, stop_at;
    } cases[] = {{1, 0}, {7, 0}, {0, 0}, {100, 0}, {1000, 0}, {1, 1}, {7, 2}, {3, 5}, {0, 1}};
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem = wave();
    for (size_t w = 0; w < way_count; w++) {
        double expected[WAVE], y[WAVE];
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, expected, &error));
        steps_from(problem, 0, 0.01, 100, expected);
        for (int c = 0; c < COUNT(cases); c++) {
            struct watch seen = {.stop_at = cases[c].stop_at};
            eulercl_options options;
            options_for(&options, &ways[w], EULERCL_DOUBLE);
            options.h = 0.01;
            options.observer = watch;
            options.observer_user = &seen;
            options.observer_steps = cases[c].every;
            eulercl_solver *solver = make(problem, &options);
            OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance(solver, 0, &error));
            ck_assert_int_eq(seen.calls, 0);
            int64_t left = 100;
            while (left) {
                seen.last = 0;
                const int status = eulercl_advance(solver, left, &error);
                ck_assert(seen.total == left);
                left = 100 - stats_of(solver).steps;
                if (cases[c].stop_at && seen.calls % cases[c].stop_at == 0)
                    EXPECT_WORDS(EULERCL_CANCELLED, "stopped after step", status);
                else {
                    OK(status);
                    ck_assert_int_eq(left, 0);
                }
                OK(eulercl_get_state(solver, y, &error));
                SAME(y, seen.state, WAVE, sizeof *y, "what the observer saw last");
            }
            if (cases[c].every && !cases[c].stop_at)
                ck_assert_int_eq(seen.calls, (100 + cases[c].every - 1) / cases[c].every);
            ck_assert_int_ge(seen.calls, 1);
            SAME(y, expected, WAVE, sizeof *y,
                "%s, observed every %lld steps, stopped at each %lld", ways[w].backend,
                (long long)cases[c].every, (long long)cases[c].stop_at);
            eulercl_solver_destroy(solver);
        }
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Stopped in advance_to, at the whole steps or at the shorter last one: going on gives what an
 * undisturbed run gives. */
START_TEST(stopping_on_the_way_to_a_time) {
    const int64_t stop_at = _i + 1;
    eulercl_problem *problem = wave();
    struct watch seen = {.stop_at = stop_at};
    eulercl_options options;
    double y[WAVE], expected[WAVE];
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, expected, &error));
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = 0.125;
    eulercl_solver *undisturbed = make(problem, &options);
    OK(eulercl_set_initial_state(undisturbed, &error));
    OK(eulercl_advance_to(undisturbed, 0.4, NULL, &error)); /* 3 steps and a shorter one */
    OK(eulercl_advance(undisturbed, 6, &error));
    OK(eulercl_get_state(undisturbed, expected, &error));
    options.observer = watch;
    options.observer_user = &seen;
    options.observer_steps = 1;
    eulercl_solver *solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    double last_h = -1;
    EXPECT(EULERCL_CANCELLED, eulercl_advance_to(solver, 0.4, &last_h, &error));
    ck_assert(last_h == -1);
    ck_assert_int_eq(stats_of(solver).steps, stop_at);
    seen = (struct watch){.stop_at = 1000};
    ck_assert_msg(fabs(stats_of(solver).t - (stop_at < 4 ? 0.125 * (double)stop_at : 0.4)) < 1e-15,
        "t = %.17g after %lld steps", stats_of(solver).t, (long long)stop_at);
    if (stop_at < 4) OK(eulercl_advance_to(solver, 0.4, &last_h, &error));
    seen.last = 0;
    OK(eulercl_advance(solver, 6, &error));
    ck_assert_msg(stats_of(solver).t == stats_of(undisturbed).t, "t = %.17g, not %.17g",
        stats_of(solver).t, stats_of(undisturbed).t);
    OK(eulercl_get_state(solver, y, &error));
    SAME(y, expected, WAVE, sizeof *y, "stopped at step %lld", (long long)stop_at);
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(undisturbed);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Everything that an observer may call, and what it may not, each time; `destroys` at that call. */
struct meddler {
    int calls, destroys;
    eulercl_snapshot *snapshot;
};

static int meddle(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    struct meddler *m = user;
    double y[WAVE], f[WAVE], value;
    int64_t first, count;
    void *buffer;
    const void *part;
    eulercl_snapshot *snapshot;
    eulercl_clock clock = {.struct_size = sizeof clock};
    const eulercl_statistic mean = {EULERCL_MEAN, -1};
    (void)progress;
    m->calls++;
    OK(eulercl_get_own_components(solver, 0, WAVE, y, &error));
    OK(eulercl_solver_window(solver, &first, &count, &error));
    OK(eulercl_evaluate(solver, 0.5, y, f, &error));
    OK(eulercl_monitor(solver, &mean, 1, &value, &error));
    OK(eulercl_get_clock(solver, &clock, &error));
    EXPECT(EULERCL_INVALID, eulercl_solver_resume(solver, &clock, &error));
    EXPECT(EULERCL_INVALID, eulercl_advance_dense(solver, 1e3, 1e3, &error));
    OK(eulercl_snapshot_take(m->snapshot, &error));
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    OK(eulercl_snapshot_take(snapshot, &error));
    OK(eulercl_snapshot_next(snapshot, &part, &count, &error));
    SAME(y, part, WAVE, sizeof *y, "a snapshot within an observer");
    eulercl_snapshot_destroy(snapshot);
    if (stats_of(solver).device_id[0]) OK(eulercl_borrow_buffer(solver, &buffer, &error));
    if (m->calls == m->destroys) {
        eulercl_solver_destroy(solver);
        eulercl_solver_destroy(solver);
        OK(eulercl_get_state(solver, f, &error));
        SAME(y, f, WAVE, sizeof *y, "destroyed within an observer");
    }
    return 0;
}

/* Steps of one size, to a tolerance, and with dense output. */
enum { FIXED, TOLERANCE, DENSE, MANNERS };
static int go(eulercl_solver *solver, int manner, double t) {
    return manner == DENSE ? eulercl_advance_dense(solver, t, 1.5 * t, &error)
                           : eulercl_advance_to(solver, t, NULL, &error);
}

START_TEST(observers_may_not_destroy) {
    struct way ways[MAX_WAYS];
    const int manner = _i % MANNERS;
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem = wave();
    for (size_t w = 0; w < way_count; w++) {
        double y[WAVE], expected[WAVE];
        eulercl_options options;
        if (is_left_out(&ways[w], w + (size_t)_i, EULERCL_DOUBLE)) continue;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.h = 0.01;
        if (manner != FIXED) options.rtol = 1e-4, options.method = "ck54";
        struct meddler m = {.destroys = 2};
        options.observer = meddle;
        options.observer_user = &m;
        options.observer_steps = 3;
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_snapshot_create(solver, &m.snapshot, &error));
        OK(eulercl_set_initial_state(solver, &error));
        EXPECT_WORDS(
            EULERCL_INVALID, "the observer called eulercl_solver_destroy", go(solver, manner, 0.4));
        ck_assert_int_eq(m.calls, 2);
        OK(go(solver, manner, 0.4)); /* the solver is still there */
        OK(eulercl_get_state(solver, y, &error));
        eulercl_snapshot_destroy(m.snapshot);
        eulercl_solver_destroy(solver);
        m = (struct meddler){0};
        solver = make(problem, &options); /* observers that read change nothing */
        OK(eulercl_snapshot_create(solver, &m.snapshot, &error));
        OK(eulercl_set_initial_state(solver, &error));
        OK(go(solver, manner, 0.4));
        OK(eulercl_get_state(solver, expected, &error));
        SAME(y, expected, WAVE, sizeof *y, "%s after destroy", ways[w].backend);
        eulercl_snapshot_destroy(m.snapshot);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Observers of a check and of measurements, and visitors of wisdom, change the problem, destroy it,
 * and call the function again that has called them. */
static eulercl_problem *victim;
static int visits;

static void spoil(void) {
    if (!visits++) {
        OK(eulercl_problem_set(victim, "m", 30, &error));
        return;
    }
    eulercl_problem_destroy(victim);
    victim = NULL;
}

static int spoil_check(const eulercl_finding *finding, void *user) {
    (void)finding;
    (void)user;
    if (visits < 2) spoil();
    return 0;
}

static int spoil_tune(const eulercl_candidate *candidate, void *user) {
    (void)candidate;
    (void)user;
    if (visits < 2) spoil();
    return 0;
}

static int spoil_wisdom(
    const char *key, const char *backend, const char *tuning, double seconds, void *wisdom) {
    (void)key, (void)backend, (void)tuning, (void)seconds;
    visits++;
    OK(eulercl_wisdom_forget(wisdom, &error));
    return 0;
}

START_TEST(visitors_may_do_anything) {
    char wisdom[] = "wisdom-of-observers";
    eulercl_check_report report = {.struct_size = sizeof report};
    eulercl_options options;
    eulercl_options_init(&options);
    options.device = "cpu";
    options.h = 1e-6;
    options.wisdom = wisdom;
    OK(eulercl_problem_open("bruss2d", &victim, &error));
    OK(eulercl_problem_set(victim, "m", 10, &error));
    OK(eulercl_check(victim, &options, &report, spoil_check, NULL, &error));
    ck_assert_ptr_null(victim);
    ck_assert_int_eq(report.fails, 0);
    ck_assert_int_eq(report.access_distance, 20);
    visits = 0;
    OK(eulercl_problem_open("bruss2d", &victim, &error));
    OK(eulercl_problem_set(victim, "m", 10, &error));
    OK(eulercl_tune(victim, &options, spoil_tune, NULL, &error));
    ck_assert_ptr_null(victim);
    visits = 0;
    OK(eulercl_wisdom_each(wisdom, spoil_wisdom, wisdom, &error));
    ck_assert_int_eq(visits, 1);
    remove("wisdom-of-observers.lock");
}
END_TEST

static int go_on(eulercl_solver *solver, const eulercl_progress *progress, void *calls) {
    (void)solver;
    (void)progress;
    ++*(int *)calls;
    return 0;
}

/* A launch of fewer steps than a tile makes takes as long as a whole one or longer. So the steps
 * between two calls of an observer that asks for no number fill launches. */
START_TEST(observers_leave_launches_whole) {
    static const char *const variants[] = {"stream", "pipeline"};
    enum { TOGETHER = 6, LAUNCHES = 20 };
    if (!have_opencl()) return;
    eulercl_problem *problem;
    eulercl_options options;
    int calls = 0;
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", 350, &error)); /* the first interval was one step */
    options_for(&options, &(struct way){"cl-register", variants[_i], 1}, EULERCL_FLOAT);
    options.h = 1e-6;
    options.observer = go_on;
    options.observer_user = &calls;
    GIVE(&options, points_per_item, 4);
    GIVE(&options, workgroup_size, _i ? 32 : 16);
    if (_i) GIVE(&options, workgroup_rows, 2);
    GIVE(&options, steps_per_launch, TOGETHER);
    eulercl_solver *solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, TOGETHER * LAUNCHES, &error));
    ck_assert_int_gt(calls, 1);
    ck_assert_uint_eq(stats_of(solver).steps_per_launch, TOGETHER);
    ck_assert_uint_eq(stats_of(solver).launches, LAUNCHES);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(observers_watch_and_stop);
    ADD_LOOP(observers_may_not_destroy, MANNERS);
    ADD(visitors_may_do_anything);
    ADD_LOOP(observers_leave_launches_whole, 2);
    ADD_LOOP(stopping_on_the_way_to_a_time, 4);
}

int main(void) { return run_tests("interface_observers", add); }
