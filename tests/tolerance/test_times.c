/* SPDX-License-Identifier: BSD-2-Clause */
/* test_times.c - right-hand sides that depend on the time: jumps are seen, steps end at
 * breakpoints, and nothing depends on the units of time and of the solution. */
#include "config.h"
#include "../run/interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- methods ---- */

/* Method number `index` of those that control errors. */
static const char *controlled_method(int index) {
    eulercl_method_info info = {.struct_size = sizeof info};
    for (size_t i = 0; !eulercl_get_method(i, 0, &info, &error); i++)
        if (info.estimate_order && !info.is_partitioned && index-- == 0) return info.name;
    return NULL;
}
enum { CONTROLLED = 9 };

/* ---- a right-hand side that jumps ---- */

/* y' = before, from the time `at` on after; the last component of each point decays, too. */
static struct {
    double at, before, after, width; /* width > 0: it lasts so long */
    int includes;                    /* the jump is behind `at`, not before it */
    int is_hidden;                   /* only component 2 jumps, which no look ahead sees */
} jump;

static double forcing(double t) {
    const double end = jump.at + jump.width;
    const int is_on = jump.includes ? t > jump.at && !(jump.width > 0 && t > end)
                                    : t >= jump.at && !(jump.width > 0 && t >= end);
    return is_on ? jump.after : jump.before;
}

enum { POINTS = 6 };
static double jump_f64(const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context, (void)y;
    return jump.is_hidden && i != 2 ? jump.before : forcing(t);
}
static float jump_f32(const struct ode_context *context, ode_index i, float t, const float *y) {
    (void)context, (void)i, (void)y;
    const float at = (float)jump.at, end = (float)(jump.at + jump.width);
    const int is_on = t >= at && !(jump.width > 0 && t >= end);
    return (float)(is_on ? jump.after : jump.before);
}
static void jump_shape(const double *parameters, struct ode_shape *shape) {
    (void)parameters;
    shape->extents[0] = POINTS;
}
static void jump_initial(const struct ode_context *context, ode_index point, double *y) {
    (void)context, (void)point;
    *y = 0;
}
static void own_breakpoints(const double *parameters, double *times) {
    (void)parameters;
    times[0] = jump.at + jump.width;
    times[1] = jump.at;
}
static struct ode_problem jumping(int has_breakpoints) {
    return (struct ode_problem){.abi = ODE_PROBLEM_ABI,
        .struct_size = sizeof(struct ode_problem),
        .name = "jumping",
        .title = "a right-hand side that jumps",
        .grid.components = 1,
        .shape = jump_shape,
        .initial = jump_initial,
        .eval_comp_f32 = jump_f32,
        .eval_comp_f64 = jump_f64,
        .breakpoint_count = has_breakpoints ? 2 : 0,
        .breakpoints = has_breakpoints ? own_breakpoints : NULL};
}

/* The solution from t0 = 0 at time t. */
static double integral(double t) {
    const double on = fmin(t, jump.at), end = jump.width > 0 ? fmin(t, jump.at + jump.width) : t;
    return jump.before * on + jump.after * fmax(end - jump.at, 0) +
           jump.before * fmax(t - fmax(end, jump.at), 0);
}

static double solve_jump(const struct ode_problem *definition, eulercl_options *options, double t,
    eulercl_stats *stats) {
    eulercl_problem *problem;
    double y[POINTS];
    OK(eulercl_problem_create(definition, &problem, &error));
    eulercl_solver *const solver = make(problem, options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, t, NULL, &error));
    OK(eulercl_get_state(solver, y, &error));
    if (stats) *stats = stats_of(solver);
    ck_assert(stats_of(solver).t == t);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return options->precision == EULERCL_FLOAT ? (double)((float *)y)[2] : y[2];
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors as multiples of the tolerance at 60 random times of a jump: SciPy's RK45 has a median of
 * 91 and a greatest one of 580. They are measured from a state that changes, and from one without
 * any error. */
START_TEST(jumps_are_seen) {
    enum { TIMES = 60, FEW_TIMES = 10 };
    const double starts[] = {1, 0}, tolerances[] = {1e-6, 1e-3, 1e-9};
    const struct ode_problem definition = jumping(0);
    const char *const method = _i < CONTROLLED ? controlled_method(_i) : NULL;
    ck_assert(_i == CONTROLLED || method);
    ck_assert(!controlled_method(CONTROLLED));
    for (int k = 0; k < 2 * COUNT(starts); k++)
        for (int r = 0; r < (k < COUNT(starts) ? COUNT(tolerances) : 1); r++) {
            const double rtol = tolerances[r], start = starts[k % COUNT(starts)];
            const int times = r ? FEW_TIMES : TIMES;
            double errors[TIMES];
            random_start((uint64_t)(10 * k + r));
            for (int i = 0; i < times; i++) {
                eulercl_options options;
                eulercl_options_init(&options);
                options.backend = "seq";
                options.method = method;
                options.rtol = options.atol = rtol;
                jump.at = random_real(0.1, 2.9);
                jump.before = start;
                jump.after = start == 0 ? 1 : -1;
                jump.width = 0;
                jump.is_hidden = k >= COUNT(starts);
                errors[i] = fabs(solve_jump(&definition, &options, 3, NULL) - integral(3)) / rtol;
            }
            qsort(errors, (size_t)times, sizeof *errors, compare);
            ck_assert_msg(errors[times / 2] <= 30 && errors[times - 1] <= 600,
                "%s, from y' = %g, hidden %d: errors of %.3g tolerances of %g, %.3g at most",
                method ? method : "auto", start, jump.is_hidden, errors[times / 2], rtol,
                errors[times - 1]);
        }
    jump.is_hidden = 0;
}
END_TEST

/* A jump that is seen before steps are made becomes a breakpoint. */
START_TEST(jumps_become_breakpoints) {
    const struct ode_problem definition = jumping(0);
    eulercl_options options;
    eulercl_problem *problem;
    double t;
    jump.at = 1.2345;
    jump.before = 1;
    jump.after = -1;
    jump.width = 0;
    OK(eulercl_problem_create(&definition, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.rtol = 1e-6;
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, 3, NULL, &error));
    OK(eulercl_get_breakpoint(solver, 0, &t, &error));
    ck_assert_msg(fabs(t - jump.at) < 1e-14, "a breakpoint at %.17g", t);
    EXPECT(EULERCL_INVALID, eulercl_get_breakpoint(solver, 1, &t, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A pulse whose edges are breakpoints is integrated but for rounding errors, by all methods with
 * steps to a tolerance or of one size, whatever its value is at its edges. */
START_TEST(steps_end_at_breakpoints) {
    eulercl_method_info info = {.struct_size = sizeof info};
    const double end = 900;
    for (size_t i = 0; !eulercl_get_method(i, 0, &info, &error); i++) {
        if (info.is_partitioned) continue;
        for (int k = 0; k < 16; k++) {
            const int is_own = k & 1, is_float = k & 2, is_adaptive = k & 4;
            const struct ode_problem definition = jumping(is_own);
            eulercl_options options;
            eulercl_stats stats;
            jump.at = is_float ? 500 : 500.1;
            jump.before = 0;
            jump.after = 1;
            jump.width = 1;
            jump.includes = !is_float && (k & 8);
            const double times[] = {jump.at + jump.width, 1e300, jump.at, -3, jump.at};
            eulercl_options_init(&options);
            options.backend = k & 8 ? "cpu" : "seq";
            options.method = info.name;
            options.precision = is_float ? EULERCL_FLOAT : EULERCL_DOUBLE;
            options.stages = info.least_stages < info.most_stages ? info.stages + 3 : 0;
            options.rtol = is_adaptive && info.estimate_order ? 1e-4 : 0;
            options.h = 7;
            options.breakpoints = is_own ? NULL : times;
            options.breakpoint_count = is_own ? 0 : COUNT(times);
            const double found = solve_jump(&definition, &options, end, &stats);
            ck_assert_msg(fabs(found - 1) < (is_float ? 1e-5 : 1e-12),
                "%s, case %d: the integral is %.17g after %lld steps", info.name, k, found,
                (long long)stats.steps);
            if (!(options.rtol > 0)) ck_assert_int_eq(stats.steps, 72 + 1 + 57);
        }
    }
}
END_TEST

/* Steps end at breakpoints also if their number is given, and the clock goes on from there. */
START_TEST(breakpoints_count_as_steps) {
    const struct ode_problem definition = jumping(0);
    const double times[] = {1.05, 2, 2.5};
    eulercl_options options;
    eulercl_problem *problem;
    eulercl_clock clock = {.struct_size = sizeof clock};
    OK(eulercl_problem_create(&definition, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.h = 0.5;
    options.breakpoints = times;
    options.breakpoint_count = COUNT(times);
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    const double ends[] = {0.5, 1, 1.05, 1.55, 2, 2.5, 3, 3.5};
    for (int i = 0; i < COUNT(ends); i++) {
        OK(eulercl_advance(solver, 1, &error));
        ck_assert_msg(fabs(stats_of(solver).t - ends[i]) < 1e-14, "step %d ends at %.17g", i,
            stats_of(solver).t);
    }
    OK(eulercl_get_clock(solver, &clock, &error));
    ck_assert(clock.t_base == 2.5 && clock.base_steps == 2 && clock.steps == COUNT(ends));
    eulercl_solver_destroy(solver);
    for (int wrong = 0; wrong < 3; wrong++) {
        const double bad[] = {1, wrong == 1 ? (double)NAN : (double)INFINITY};
        eulercl_solver *none;
        options.breakpoints = wrong ? bad : NULL;
        options.breakpoint_count = wrong ? 2 : 1;
        EXPECT_WORDS(
            EULERCL_INVALID, "breakpoint", eulercl_solver_create(problem, &options, &none, &error));
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* y' = -rate y. */
static double rate;
static double decay_f64(const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context, (void)t;
    return -rate * y[i];
}

/* However large the step size is: the time that is left is made in one step. */
START_TEST(large_steps_reach_the_end) {
    struct ode_problem definition = jumping(0);
    eulercl_problem *problem;
    eulercl_options options;
    definition.eval_comp_f64 = decay_f64;
    rate = 0.25;
    OK(eulercl_problem_create(&definition, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    for (double h = 1; h < 1e300; h *= 1e7) {
        double y[POINTS] = {1, 1, 1, 1, 1, 1}, last;
        options.h = h;
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_advance_to(solver, 1, &last, &error));
        OK(eulercl_get_state(solver, y, &error));
        const eulercl_stats stats = stats_of(solver);
        ck_assert_msg(stats.steps == 1 && stats.t == 1 && y[2] == 0.75 && last == 1,
            "h = %g: %lld steps to t = %g, y = %g", h, (long long)stats.steps, stats.t, y[2]);
        OK(eulercl_advance_to(solver, 1, NULL, &error));
        ck_assert_int_eq(stats_of(solver).steps, 1);
        eulercl_solver_destroy(solver);
    }
    /* s h may be a bit more than the time of step s. */
    options.h = 1e-4;
    for (int s = 1; s < 3000; s += 37) {
        const double end = round(s * 1e4 * options.h) / 1e4;
        eulercl_solver *const solver = make(problem, &options);
        for (int k = 0; k < 3; k++) {
            OK(eulercl_advance_to(solver, end, NULL, &error));
            ck_assert_int_eq(stats_of(solver).steps, s);
        }
        EXPECT(EULERCL_INVALID, eulercl_advance_to(solver, end - options.h, NULL, &error));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* A stimulus that acts at the ends of a line, or in the middle of it, and is shorter than a step.
 */
static ode_index stimulated;
static double stimulus_f64(
    const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context;
    return (i == stimulated && t >= 30 && t < 31.25 ? 1 : 0) - y[i] / 64;
}
static void long_shape(const double *parameters, struct ode_shape *shape) {
    (void)parameters;
    shape->extents[0] = 101;
    shape->access_distance = 1;
}
static void nothing(const struct ode_context *context, ode_index i, double *y) {
    (void)context, (void)i;
    *y = 0;
}
START_TEST(stimuli_at_ends_are_seen) {
    const ode_index places[] = {0, 100, 50};
    const double wanted = 64 * (exp(-(60 - 31.25) / 64) - exp(-(60 - 30.0) / 64));
    struct ode_problem definition = jumping(0);
    definition.grid = (struct ode_grid){.rank = 1, .components = 1, .radius = 1};
    definition.shape = long_shape;
    definition.initial = nothing;
    definition.eval_comp_f64 = stimulus_f64;
    for (int i = 0; i < COUNT(places); i++) {
        const char *const method = controlled_method(_i);
        double y[101];
        eulercl_problem *problem;
        eulercl_options options;
        stimulated = places[i];
        OK(eulercl_problem_create(&definition, &problem, &error));
        eulercl_options_init(&options);
        options.backend = "seq";
        options.method = method;
        options.rtol = options.atol = 1e-5;
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance_to(solver, 60, NULL, &error));
        OK(eulercl_get_state(solver, y, &error));
        ck_assert_msg(fabs(y[stimulated] - wanted) < 1e-3, "%s, point %lld: %.17g instead of %.17g",
            method, (long long)stimulated, y[stimulated], wanted);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- units ---- */

/* The Brusselator on a line, u' = time * y * f(u / y), with a unit for each unknown and a forcing
 * that is on for some time. */
static struct {
    double time, y[2];
    int starts_from_0; /* v */
    int is_absent;     /* u stays there: the unknowns do not meet, and nothing makes v */
} unit;
enum { LINE = 40 };
static double line_f64(const struct ode_context *context, ode_index i, double t, const double *y) {
    const ode_index point = i / 2, left = point > 0 ? i - 2 : i,
                    right = point < LINE - 1 ? i + 2 : i;
    const double per = 1 / unit.y[i % 2], u = y[2 * point] / unit.y[0],
                 v = y[2 * point + 1] / unit.y[1],
                 laplace = (y[left] - y[i]) * per + (y[right] - y[i]) * per, s = t * unit.time,
                 drive = s > 0.25 && s < 0.5 ? 1 : 0;
    (void)context;
    if (unit.is_absent)
        return unit.time * unit.y[i % 2] * ((i % 2 ? -v - v * v * v : drive - u) + 50 * laplace);
    return unit.time * unit.y[i % 2] *
           ((i % 2 ? 3.4 * u - u * u * v : 1 + u * u * v - 4.4 * u + drive) + 50 * laplace);
}
static void line_shape(const double *parameters, struct ode_shape *shape) {
    (void)parameters;
    shape->extents[0] = LINE;
    shape->access_distance = 3;
}
static void line_initial(const struct ode_context *context, ode_index point, double *y) {
    (void)context;
    y[0] = unit.y[0] * (0.5 + 0.05 * (double)(point % 7));
    y[1] = unit.y[1] * (unit.starts_from_0 ? 0 : 1 + 0.125 * (double)(point % 5));
}
static const struct ode_problem line = {.abi = ODE_PROBLEM_ABI,
    .struct_size = sizeof(struct ode_problem),
    .name = "line",
    .title = "a Brusselator in other units",
    .grid = {.rank = 1, .components = 2, .radius = 1, .boundary = {{ODE_CLAMP, ODE_CLAMP}}},
    .shape = line_shape,
    .initial = line_initial,
    .eval_comp_f64 = line_f64};

static eulercl_stats solve_line(const char *method, int has_breakpoints, double *y) {
    const double times[] = {0.25 / unit.time, 0.5 / unit.time};
    eulercl_problem *problem;
    eulercl_options options;
    OK(eulercl_problem_create(&line, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.method = method;
    options.rtol = 1e-4;
    if (has_breakpoints) options.breakpoints = times;
    if (has_breakpoints) options.breakpoint_count = COUNT(times);
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, 1 / unit.time, NULL, &error));
    OK(eulercl_get_state(solver, y, &error));
    eulercl_stats stats = stats_of(solver);
    stats.method = stats.method_reason = "";
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return stats;
}

/* In other units that are powers of two, steps and states are the same, scaled: from 1e-60 to 1e60
 * for the time and from 1e-270 to 1e270 for an unknown. */
START_TEST(units_do_not_matter) {
    /* Exponents of the units of the time and of each unknown. */
    const int exponents[][3] = {{-40, 0, 0}, {40, 0, 0}, {0, -50, -50}, {0, 40, 40},
        {-200, 150, 150}, {160, -130, -130}, {0, 900, 900}, {0, -900, -900}, {0, 0, -40},
        {-20, 60, -300}};
    const char *const method = _i < CONTROLLED ? controlled_method(_i) : NULL;
    for (int k = 0; k < 6; k++) {
        double wanted[2 * LINE], got[2 * LINE];
        unit.starts_from_0 = k > 1;
        unit.is_absent = k > 3;
        unit.time = unit.y[0] = unit.y[1] = 1;
        const eulercl_stats plain = solve_line(method, k % 2, wanted);
        for (int e = 0; e < COUNT(exponents); e++) {
            unit.time = ldexp(1, exponents[e][0]);
            for (int c = 0; c < 2; c++) unit.y[c] = ldexp(1, exponents[e][1 + c]);
            const eulercl_stats stats = solve_line(method, k % 2, got);
            for (int i = 0; i < 2 * LINE; i++) got[i] /= unit.y[i % 2];
            ck_assert_msg(!memcmp(got, wanted, sizeof got) && stats.steps == plain.steps &&
                              stats.rejected == plain.rejected &&
                              stats.h_first * unit.time == plain.h_first &&
                              (unit.y[0] != unit.y[1] || stats.atol / unit.y[0] == plain.atol),
                "%s, time unit %g, units of y %g and %g: %lld steps and %lld rejected ones, first "
                "of %g, instead of %lld and %lld of %g; y[0] = %.17g instead of %.17g",
                method ? method : "auto", unit.time, unit.y[0], unit.y[1], (long long)stats.steps,
                (long long)stats.rejected, stats.h_first * unit.time, (long long)plain.steps,
                (long long)plain.rejected, plain.h_first, got[0], wanted[0]);
        }
    }
}
END_TEST

/* Rates that no clock is made for: the runs end, and are right or say why not. */
START_TEST(any_rate) {
    const double rates[] = {1e-300, 1e-12, 1e-3, 1, 1e12, 1e150, 1e300};
    struct ode_problem definition = jumping(0);
    definition.eval_comp_f64 = decay_f64;
    for (int i = 0; i < COUNT(rates); i++) {
        eulercl_problem *problem;
        eulercl_options options;
        double y[POINTS] = {1, 1, 1, 1, 1, 1};
        rate = rates[i];
        OK(eulercl_problem_create(&definition, &problem, &error));
        eulercl_options_init(&options);
        options.backend = "seq";
        options.rtol = 1e-6;
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_state(solver, y, &error));
        const int status = eulercl_advance_to(solver, 1 / rate, NULL, &error);
        ck_assert_msg(!status, "rate %g: %s", rate, error.message);
        OK(eulercl_get_state(solver, y, &error));
        ck_assert_msg(fabs(y[3] - exp(-1)) < 1e-5, "rate %g: %.17g", rate, y[3]);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* A tolerance that nothing can exceed, or everything: the steps end. */
START_TEST(endless_tolerances_end) {
    const double tolerances[] = {1e30, 1e300, 1.7e308};
    struct ode_problem definition = jumping(0);
    definition.eval_comp_f64 = decay_f64;
    rate = 1;
    for (int i = 0; i < COUNT(tolerances); i++)
        for (int k = 0; k < 2; k++) {
            eulercl_problem *problem;
            eulercl_options options;
            eulercl_solver *solver;
            const double y[POINTS] = {1, 1, 5, 1, 1, 1};
            OK(eulercl_problem_create(&definition, &problem, &error));
            eulercl_options_init(&options);
            options.backend = "seq";
            options.rtol = tolerances[i];
            options.atol = k ? tolerances[i] : 0;
            solver = make(problem, &options);
            OK(eulercl_set_state(solver, y, &error));
            const int status = eulercl_advance(solver, 30, &error);
            ck_assert_msg(!status || status == EULERCL_INVALID || status == EULERCL_STEP_SIZE,
                "rtol %g: status %d, %s", tolerances[i], status, error.message);
            eulercl_solver_destroy(solver);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

/* Behind a breakpoint steps are those of a run that begins there: the controller, the spectral
 * radius and the stages begin anew. */
START_TEST(steps_begin_anew) {
    static const char *const methods[] = {"bs32", "dp54", "rkc4"};
    const double breakpoint = 0.125;
    unit.time = unit.y[0] = unit.y[1] = 1;
    for (int m = 0; m < COUNT(methods); m++) {
        double y[2][2 * LINE];
        eulercl_problem *problem;
        eulercl_options options;
        eulercl_stats stats[3];
        OK(eulercl_problem_create(&line, &problem, &error));
        eulercl_options_init(&options);
        options.backend = "seq";
        options.method = methods[m];
        options.rtol = options.atol = 1e-4;
        for (int k = 0; k < 3; k++) { /* the whole run, and two that are one after the other */
            options.breakpoints = k ? NULL : &breakpoint;
            options.breakpoint_count = !k;
            options.t0 = k == 2 ? breakpoint : 0;
            eulercl_solver *const solver = make(problem, &options);
            if (k == 2)
                OK(eulercl_set_state(solver, y[1], &error));
            else
                OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance_to(solver, k == 1 ? breakpoint : 0.25, NULL, &error));
            OK(eulercl_get_state(solver, y[k > 0], &error));
            stats[k] = stats_of(solver);
            eulercl_solver_destroy(solver);
        }
        ck_assert_msg(!memcmp(y[0], y[1], sizeof y[0]) &&
                          stats[0].steps == stats[1].steps + stats[2].steps &&
                          stats[0].rejected == stats[1].rejected + stats[2].rejected,
            "%s: %lld steps, %lld rejected, instead of %lld + %lld, %lld + %lld", methods[m],
            (long long)stats[0].steps, (long long)stats[0].rejected, (long long)stats[1].steps,
            (long long)stats[2].steps, (long long)stats[1].rejected, (long long)stats[2].rejected);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- numbers of steps, and floats ---- */

/* A run that is cut after any number of steps and goes on in another solver has the bits of the
 * whole run, because rounds of steps are completed. */
START_TEST(rounds_are_completed) {
    double wanted[2 * LINE], got[2 * LINE];
    unit.time = unit.y[0] = unit.y[1] = 1;
    const eulercl_stats whole = solve_line(NULL, 1, wanted);
    const double times[] = {0.25, 0.5};
    eulercl_problem *problem;
    eulercl_options options;
    OK(eulercl_problem_create(&line, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.rtol = 1e-4;
    options.breakpoints = times;
    options.breakpoint_count = COUNT(times);
    ck_assert_int_gt(whole.steps, 20);
    for (int64_t steps = 1; steps < whole.steps; steps += 1 + steps / 16) {
        eulercl_clock clock = {.struct_size = sizeof clock};
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, steps, &error));
        ck_assert(stats_of(solver).steps >= steps);
        OK(eulercl_get_clock(solver, &clock, &error));
        OK(eulercl_get_state(solver, got, &error));
        eulercl_solver_destroy(solver);
        if (clock.t_base > 1) continue; /* a round that goes beyond the end of the other run */
        solver = make(problem, &options);
        OK(eulercl_set_state(solver, got, &error));
        OK(eulercl_solver_resume(solver, &clock, &error));
        OK(eulercl_advance_to(solver, 1, NULL, &error));
        OK(eulercl_get_state(solver, got, &error));
        ck_assert_msg(!memcmp(got, wanted, sizeof got), "cut after %lld steps", (long long)steps);
        ck_assert_int_eq(stats_of(solver).steps, whole.steps);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* In float a clock far from 0 stands still. */
START_TEST(coarse_clocks_are_told) {
    const struct {
        double t0, h;
        enum eulercl_precision precision;
        int is_told;
    } runs[] = {{33696000, 0.01, EULERCL_FLOAT, 1}, {33696000, 0.01, EULERCL_DOUBLE, 0},
        {33696000, 256, EULERCL_FLOAT, 0}, {0, 0.01, EULERCL_FLOAT, 0},
        {2000, 0.007, EULERCL_FLOAT, 1}};
    const struct ode_problem definition = jumping(0);
    for (int i = 0; i < COUNT(runs); i++) {
        eulercl_problem *problem;
        eulercl_options options;
        OK(eulercl_problem_create(&definition, &problem, &error));
        eulercl_options_init(&options);
        options.backend = "seq";
        options.precision = runs[i].precision;
        options.t0 = runs[i].t0;
        options.h = runs[i].h;
        eulercl_solver *const solver = make(problem, &options);
        ck_assert_msg(!strstr(stats_of(solver).note, "read t") == !runs[i].is_told, "run %d: %s", i,
            stats_of(solver).note);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Moments do not change steps of one size, nor those to a tolerance within which states are shown.
 */
static const struct {
    double rtol;
    int is_dense;
    eulercl_interval show, keep;
    int shown, kept;
} recorded[] = {
    {0, 0, {.steps = 5}, {.steps = 7}, 6, 4},
    {0, 0, {.time = 0.25}, {.time = 0.3}, 3, 3},
    {0, 0, {.time = 1e-9}, {0}, 33, 0},
    {1e-4, 1, {.time = 0.25}, {0}, 3, 0},
    {1e-4, 0, {.time = 0.25}, {.time = 0.125}, 3, 7},
};

/* Call until the end, and count the states that are shown and kept. */
static void run_until(eulercl_solver *solver, eulercl_moments *moments, int counts[2]) {
    counts[0] = counts[1] = 0;
    while (!moments->is_end) {
        OK(eulercl_advance_until(solver, moments, &error));
        counts[0] += moments->is_shown;
        counts[1] += moments->is_kept;
        if (moments->is_dense && moments->is_shown)
            ck_assert_double_eq(stats_of(solver).t, 0.25 * counts[0]);
    }
}

START_TEST(moments_lead_to_the_end) {
    enum { N = 40 };
    static const double breakpoint = 0.5;
    double y[N], expected[N];
    int counts[2];
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *plain, *solver;
    eulercl_moments moments = {.struct_size = sizeof moments,
        .t_end = 1,
        .show = recorded[_i].show,
        .keep = recorded[_i].keep,
        .is_dense = recorded[_i].is_dense};
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.h = 0.03;
    options.rtol = recorded[_i].rtol;
    options.breakpoints = &breakpoint;
    options.breakpoint_count = 1;
    OK(eulercl_solver_create(problem, &options, &plain, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(plain, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(plain, 1, NULL, &error));
    run_until(solver, &moments, counts);
    ck_assert_int_eq(counts[0], recorded[_i].shown);
    ck_assert_int_eq(counts[1], recorded[_i].kept);
    ck_assert(stats_of(solver).t == 1 && moments.is_last);
    if (!(options.rtol > 0)) ck_assert(moments.last_step == 34 && moments.last_h > 0);
    if (!(options.rtol > 0) || moments.is_dense) {
        OK(eulercl_get_state(plain, expected, &error));
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, N, sizeof *y, "run %d", _i);
        ck_assert_int_eq(stats_of(solver).steps, stats_of(plain).steps);
    }
    /* Multiples of a time that no double tells apart do not hold up a run. */
    moments = (eulercl_moments){.struct_size = sizeof moments,
        .t_end = 2,
        .show.time = 1e-300,
        .is_dense = options.rtol > 0};
    OK(eulercl_advance_until(solver, &moments, &error));
    ck_assert(moments.is_shown && stats_of(solver).t > 1 && stats_of(solver).t < 2);
    moments = (eulercl_moments){.struct_size = sizeof moments, .t_end = 0.5};
    EXPECT(EULERCL_INVALID, eulercl_advance_until(solver, &moments, &error));
    moments = (eulercl_moments){.struct_size = sizeof moments, .t_end = 2, .show = {3, 0.5}};
    EXPECT_WORDS(
        EULERCL_INVALID, "one of them must be 0", eulercl_advance_until(solver, &moments, &error));
    moments = (eulercl_moments){.t_end = 2};
    EXPECT_WORDS(EULERCL_INVALID, "struct_size", eulercl_advance_until(solver, &moments, &error));
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(plain);
    /* A breakpoint that is the start but for rounding errors, and an end after some steps. */
    options.t0 = options.rtol > 0 ? 0 : nextafter(breakpoint, 0);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    moments = (eulercl_moments){
        .struct_size = sizeof moments, .t_end = INFINITY, .last_step = 9, .show.steps = 4};
    run_until(solver, &moments, counts);
    ck_assert(options.rtol > 0 ? stats_of(solver).steps >= 9
                               : stats_of(solver).steps == 9 && counts[0] == 2);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add_tests(TCase *tests) {
    ADD_LOOP(jumps_are_seen, CONTROLLED + 1);
    ADD(jumps_become_breakpoints);
    ADD(steps_end_at_breakpoints);
    ADD(breakpoints_count_as_steps);
    ADD_LOOP(units_do_not_matter, CONTROLLED + 1);
    ADD_LOOP(stimuli_at_ends_are_seen, CONTROLLED);
    ADD(any_rate);
    ADD(large_steps_reach_the_end);
    ADD(endless_tolerances_end);
    ADD(steps_begin_anew);
    ADD(rounds_are_completed);
    ADD(coarse_clocks_are_told);
    ADD_LOOP(moments_lead_to_the_end, COUNT(recorded));
}

int main(void) { return run_tests("times", add_tests); }
