/* SPDX-License-Identifier: BSD-2-Clause */
/* test_tolerance.c - steps to a tolerance: every CPU backend makes the same steps and has the same
 * bits, errors are what the tolerance says, and limits are kept. */
#include "config.h"
#include "../run/interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same steps everywhere ---- */

struct tolerance_case {
    eulercl_problem *problem;
    eulercl_options options;
    int isa;
    double times[2]; /* times at which the run stops */
    int is_dense;    /* without shortening steps for the first one */
    int is_cut;      /* the run goes on in another solver then, except that of seq */
    int is_listed;   /* atols are given */
    int64_t zero;    /* an unknown that is 0 at the start; -1: none */
    double atols[8];
    char text[512];
};

static const char *const controllers[] = {NULL, "pi", "i", "h211b"};

static void draw_method(eulercl_options *o, int has_positions) {
    eulercl_method_info info = {.struct_size = sizeof info};
    size_t count = 0;
    if (random_below(4) == 0) return; /* it is chosen */
    while (!eulercl_get_method(count, 0, &info, &error)) count++;
    do OK(eulercl_get_method((size_t)random_below((int64_t)count), 0, &info, &error));
    while (!info.estimate_order || (info.is_partitioned && !has_positions));
    o->method = info.name;
    if (random_below(3) == 0)
        o->stages = (int)fmin(info.most_stages, info.least_stages + (int)random_below(12));
}

/* Sizes that lanes, strips and several threads take, and others. */
static eulercl_problem *draw_problem(int number) {
    const struct ode_problem *const d = test_problems[number].definition;
    eulercl_problem *problem;
    OK(eulercl_problem_create(d, &problem, &error));
    for (uint32_t i = 0; i < d->parameter_count; i++)
        if (d->parameters[i].integer)
            eulercl_problem_set(problem, d->parameters[i].name,
                (double)(1 + random_below(most_points(d->grid.rank, 1500, 60))), &error);
    return problem;
}

/* Breakpoints of the case that was drawn last. */
static double breakpoints[4];

static struct tolerance_case draw(int64_t i) {
    const int number = (int)random_below(TEST_PROBLEMS);
    struct tolerance_case c = {
        .problem = draw_problem(number), .isa = (int)random_below(ISA_LEVELS)};
    eulercl_options *const o = &c.options;
    eulercl_options_init(o);
    o->precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE;
    o->backend = random_below(3) ? "pthreads" : "cpu";
    GIVE_NAME(o, variant, random_below(3) ? "lanes" : random_below(2) ? "tiles" : NULL);
    if (!strcmp(o->backend, "pthreads")) GIVE(o, threads, 1 + random_below(4));
    GIVE(o, tile_points, random_below(2) ? 1 + random_below(200) : 0);
    GIVE(o, steps_per_launch, random_below(2) ? 1 + random_below(12) : 0);
    draw_method(o, !!test_problems[number].definition->is_position);
    o->rtol = pow(10, random_real(-6, -1));
    const int64_t unknowns = test_problems[number].definition->grid.components;
    c.zero = random_below(3) ? -1 : random_below(unknowns);
    for (int64_t u = 0; u < COUNT(c.atols); u++)
        c.atols[u] = random_below(4) ? o->rtol * pow(10, random_real(-3, 1)) : 0;
    c.is_listed = random_below(3) == 0 && unknowns <= COUNT(c.atols);
    if (!c.is_listed && random_below(3) == 0) o->atol = o->rtol * pow(10, random_real(-2, 1));
    if (random_below(3) == 0) o->h0 = pow(10, random_real(-4, 1));
    if (random_below(4) == 0) o->h_max = pow(10, random_real(-3, 0));
    if (random_below(4) == 0) o->spectral_radius = pow(10, random_real(0, 3));
    o->controller = controllers[random_below(COUNT(controllers))];
    o->max_steps = 1 + random_below(random_below(5) ? 80 : 800);
    o->flush_below = random_below(3) ? 0 : pow(10, random_real(-6, -1));
    o->t0 = random_real(-1, 1);
    c.times[0] = o->t0 + random_real(0, 1);
    c.times[1] = c.times[0] + random_real(0, 2);
    o->breakpoints = breakpoints;
    o->breakpoint_count = random_below(2) ? random_below(COUNT(breakpoints) + 1) : 0;
    for (int k = 0; k < COUNT(breakpoints); k++)
        breakpoints[k] =
            random_below(6) ? random_real(o->t0, c.times[1]) : c.times[random_below(2)];
    c.is_dense = random_below(3) == 0;
    c.is_cut = random_below(3) == 0;
    snprintf(c.text, sizeof c.text,
        "case %lld: %s, %lld components, %s of %d stages, %s %s, threads %lld, tile_points %lld, "
        "steps_per_launch %lld, real %d, isa %d, rtol %a, atol %a, h0 %a, h_max %a, radius %a, "
        "controller %s, max_steps %lld, times %a %a %a, dense %d, cut %d, breakpoints %d, zero "
        "%lld, listed %d",
        (long long)i, test_problems[number].definition->name, (long long)size_of(c.problem),
        o->method ? o->method : "auto", o->stages, o->backend,
        GIVEN_NAME(o, variant) ? GIVEN_NAME(o, variant) : "NULL", (long long)GIVEN(o, threads),
        (long long)GIVEN(o, tile_points), (long long)GIVEN(o, steps_per_launch), (int)o->precision,
        c.isa, o->rtol, o->atol, o->h0, o->h_max, o->spectral_radius,
        o->controller ? o->controller : "NULL", (long long)o->max_steps, o->t0, c.times[0],
        c.times[1], c.is_dense, c.is_cut, (int)o->breakpoint_count, (long long)c.zero, c.is_listed);
    return c;
}

/* The state and what led to it. */
struct outcome {
    int status[2];
    void *y[2];
    eulercl_stats stats;
};

/* Go on with a run from its rtol and its clock; the clock contains the other options. */
static eulercl_solver *go_on(
    const struct tolerance_case *c, const eulercl_options *options, eulercl_solver *before) {
    const int64_t n = size_of(c->problem);
    eulercl_clock clock = {.struct_size = sizeof clock};
    eulercl_options others = *options;
    void *const y = zeroed(n, (size_t)options->precision);
    OK(eulercl_advance(before, 0, &error)); /* back from a state within a step */
    OK(eulercl_get_clock(before, &clock, &error));
    OK(eulercl_get_state(before, y, &error));
    if (clock.steps > 0) {
        others.t0 = 3;
        others.method = others.controller = NULL;
        others.stages = 0;
        others.atols = NULL;
        others.atol_count = 0;
        others.atol = others.h0 = others.h_max = others.spectral_radius = 0;
    }
    eulercl_solver_destroy(before);
    eulercl_solver *const solver = make(c->problem, &others);
    if (clock.steps % 2) OK(eulercl_set_state(solver, y, &error));
    OK(eulercl_solver_resume(solver, &clock, &error));
    if (clock.steps % 2 == 0) OK(eulercl_set_state(solver, y, &error));
    free(y);
    return solver;
}

static struct outcome follow(
    const struct tolerance_case *c, const eulercl_options *options, int is_cut) {
    const int64_t n = size_of(c->problem);
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(c->problem, &info, &error));
    const int64_t unknowns = info.components;
    struct outcome outcome;
    eulercl_options own = *options;
    if (c->is_listed) own.atols = c->atols;
    if (c->is_listed) own.atol_count = unknowns;
    eulercl_solver *solver = make(c->problem, &own);
    for (int k = 0; k < 2; k++) outcome.y[k] = zeroed(n, (size_t)options->precision);
    random_state(outcome.y[0], n, (size_t)options->precision);
    if (eulercl_set_initial_state(solver, &error))
        OK(eulercl_set_state(solver, outcome.y[0], &error));
    OK(eulercl_get_state(solver, outcome.y[0], &error));
    for (int64_t i = c->zero; c->zero >= 0 && i < n; i += unknowns)
        memset((char *)outcome.y[0] + i * (int64_t)options->precision, 0, options->precision);
    if (c->zero >= 0) OK(eulercl_set_state(solver, outcome.y[0], &error));
    for (int k = 0; k < 2; k++) {
        outcome.status[k] = c->is_dense && k == 0
                                ? eulercl_advance_dense(solver, c->times[0], c->times[1], &error)
                                : eulercl_advance_to(solver, c->times[k], NULL, &error);
        ck_assert(outcome.status[k] || stats_of(solver).t == c->times[k]);
        OK(eulercl_get_state(solver, outcome.y[k], &error));
        /* After a failure there may be no step, and the problem has no initial state. */
        if (is_cut && k == 0 && !outcome.status[0]) solver = go_on(c, &own, solver);
    }
    outcome.stats = stats_of(solver);
    outcome.stats.method = outcome.stats.method_reason = ""; /* the solver's */
    eulercl_solver_destroy(solver);
    return outcome;
}

#define SAME_FACT(FACT)                                                                        \
    ck_assert_msg(got.stats.FACT == wanted.stats.FACT, #FACT " is %.17g instead of %.17g: %s", \
        (double)got.stats.FACT, (double)wanted.stats.FACT, c->text)

static void compare(const struct tolerance_case *c, int64_t *steps, int64_t *rejected) {
    eulercl_options plain = c->options;
    plain.backend = "seq";
    GIVE_NAME(&plain, variant, NULL);
    GIVE(&plain, threads, 0);
    GIVE(&plain, tile_points, 0);
    GIVE(&plain, steps_per_launch, 0);
    const uint64_t state = random_bits();
    random_start(state);
    test_isa_level = ISA_LEVELS - 1;
    const struct outcome wanted = follow(c, &plain, 0);
    random_start(state);
    test_isa_level = c->isa;
    const struct outcome got = follow(c, &c->options, c->is_cut);
    test_isa_level = ISA_LEVELS - 1;
    for (int k = 0; k < 2; k++)
        ck_assert_msg(got.status[k] == wanted.status[k], "status %d instead of %d: %s",
            got.status[k], wanted.status[k], c->text);
    SAME_FACT(steps);
    SAME_FACT(rejected);
    if (!c->is_cut) SAME_FACT(rhs_evaluations); /* evaluations of a run that is cut begin anew */
    SAME_FACT(stages);
    SAME_FACT(t);
    SAME_FACT(atol);
    SAME_FACT(h_first);
    SAME_FACT(h_least);
    SAME_FACT(h_greatest);
    SAME_FACT(h_last);
    SAME_FACT(spectral_radius);
    SAME_FACT(spectral_estimates);
    SAME_FACT(error_estimate);
    for (int k = 0; k < 2; k++) {
        SAME(got.y[k], wanted.y[k], size_of(c->problem), (size_t)c->options.precision,
            "time %d, %s", k, c->text);
        free(got.y[k]);
        free(wanted.y[k]);
    }
    *steps += wanted.stats.steps;
    *rejected += wanted.stats.rejected;
}

START_TEST(same_steps) {
    const int64_t all = cases(40, 500);
    int64_t steps = 0, rejected = 0;
    for (int64_t i = 0; i < all; i++) {
        random_start((uint64_t)i + 100); /* streams with enough rejected steps */
        const struct tolerance_case c = draw(i);
        compare(&c, &steps, &rejected);
        eulercl_problem_destroy(c.problem);
    }
    ck_assert_msg(steps > 3 * all && rejected > all / 4,
        "the cases have %lld steps and %lld rejected ones", (long long)steps, (long long)rejected);
}
END_TEST

/* Whether the variant is for this problem, and its tiles have room for the method. */
static int can_solve(const struct tolerance_case *c) {
    eulercl_solver *solver;
    if (create_somehow(c->problem, &c->options, &solver, &error)) {
        ck_assert_msg(error.code == EULERCL_UNSUPPORTED, "%s: %s", c->text, error.message);
        return 0;
    }
    eulercl_solver_destroy(solver);
    return 1;
}

/* Without an estimate, tiles in registers make the last stage of a step and the first of the next
 * together; the first one of the next begins the estimate anew. */
START_TEST(symplectic_steps_in_registers) {
    int64_t steps = 0, rejected = 0;
    struct way ways[MAX_WAYS];
    const size_t count = get_ways(ways, MAX_WAYS, 1);
    for (size_t w = 0; w < count && have_opencl(); w++) {
        struct tolerance_case c = {.isa = ISA_LEVELS - 1, .zero = -1, .times = {0.04, 0.3}};
        if (strcmp(ways[w].backend, "cl-register") || (steps && test_level() == QUICK_TESTS))
            continue;
        OK(eulercl_problem_create(test_problems[TEST_string].definition, &c.problem, &error));
        OK(eulercl_problem_set(c.problem, "points", 300, &error));
        options_for(&c.options, &ways[w], EULERCL_FLOAT);
        c.options.method = "symplectic4";
        c.options.rtol = 1e-5;
        snprintf(c.text, sizeof c.text, "%s", ways[w].variant ? ways[w].variant : "auto");
        if (can_solve(&c)) compare(&c, &steps, &rejected);
        eulercl_problem_destroy(c.problem);
    }
    ck_assert(steps > 0 || !have_opencl());
}
END_TEST

/* Most stages of a step by pipelines, and the last ones, which compare the errors, by a plane; of
 * rkc4 all by pipelines. */
static const struct {
    const char *method;
    int stages;
} with_bodies[] = {{"rock2", 13}, {"rock4", 17}, {"rkc4", 24}};

START_TEST(bodies_to_a_tolerance) {
    struct tolerance_case c = {.isa = ISA_LEVELS - 1, .zero = -1, .times = {0.04, 0.3}};
    const struct way way = {"cl-register", "pipeline", 1};
    int64_t steps = 0, rejected = 0;
    if (!have_opencl() || test_level() == QUICK_TESTS) return;
    OK(eulercl_problem_create(&test_problem_bruss2d, &c.problem, &error));
    OK(eulercl_problem_set_size(c.problem, 2 * 60 * 60, &error));
    options_for(&c.options, &way, EULERCL_FLOAT);
    c.options.method = with_bodies[_i].method;
    c.options.stages = with_bodies[_i].stages;
    c.options.rtol = 1e-3;
    snprintf(c.text, sizeof c.text, "%s, body and tail", c.options.method);
    eulercl_solver *const solver = make(c.problem, &c.options);
    const eulercl_stats stats = stats_of(solver);
    ck_assert_uint_gt(FACT(stats, launches_per_step), 1);
    eulercl_solver_destroy(solver);
    compare(&c, &steps, &rejected);
    ck_assert_int_gt(steps, 1);
    eulercl_problem_destroy(c.problem);
}
END_TEST

/* Each backend and variant of OpenCL devices makes the same steps. Compiling takes nearly all of
 * the time, so problems, methods and precisions take turns. */
START_TEST(same_steps_on_devices) {
    static const int numbers[] = {
        TEST_bruss2d, TEST_string, TEST_torus, TEST_heat_fields, TEST_rod_fixed, TEST_far_star};
    static const char *const methods[] = {
        "rock2", "ck54", NULL, "bs32", "rock4", "dp54", "heun", "rkl2"};
    struct way ways[MAX_WAYS];
    const size_t count = get_ways(ways, MAX_WAYS, 1);
    const int64_t rounds = test_level() == QUICK_TESTS ? 1 : test_level() == LONG_TESTS ? 3 : 12;
    int64_t steps = 0, rejected = 0, turn = 0;
    if (!have_opencl()) return;
    for (int64_t round = 0; round < rounds; round++)
        for (size_t w = 0; w < count; w++) {
            if (!ways[w].is_opencl || (test_level() == QUICK_TESTS && w % 2)) continue;
            struct tolerance_case c = {.isa = ISA_LEVELS - 1, .zero = -1, .times = {0.04, 0.3}};
            const struct ode_problem *const d =
                test_problems[numbers[turn % COUNT(numbers)]].definition;
            OK(eulercl_problem_create(d, &c.problem, &error));
            for (uint32_t i = 0; i < d->parameter_count; i++)
                if (d->parameters[i].integer)
                    eulercl_problem_set(c.problem, d->parameters[i].name,
                        (double)most_points(d->grid.rank, 600, 40), &error);
            options_for(&c.options, &ways[w], turn % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE);
            c.options.method = methods[turn % COUNT(methods)];
            if (d->is_position && turn % 4 == 1) c.options.method = "symplectic4";
            if (c.options.method && (!strncmp(c.options.method, "ro", 2)) && turn % 3 == 0)
                c.options.stages = 9;
            /* PoCL keeps the private memory of a group on a thread's stack, where four arrays in
             * double have no room. */
            const int is_small = c.options.method && strcmp(c.options.method, "dp54") &&
                                 strcmp(c.options.method, "rkl2") &&
                                 strcmp(c.options.method, "rock4");
            if (!strcmp(ways[w].backend, "cl-register") && !is_small)
                c.options.precision = EULERCL_FLOAT;
            c.options.rtol = round % 2 ? 1e-2 : 1e-3;
            c.options.max_steps = 60;
            c.options.flush_below = turn % 4 == 3 ? 1e-3 : 0;
            snprintf(c.text, sizeof c.text, "%s of %d stages, %s %s, %s, real %d",
                c.options.method ? c.options.method : "auto", c.options.stages, ways[w].backend,
                ways[w].variant ? ways[w].variant : "", d->name, (int)c.options.precision);
            turn++;
            if (can_solve(&c)) compare(&c, &steps, &rejected);
            eulercl_problem_destroy(c.problem);
        }
    ck_assert_msg(
        steps > 20 && turn > 5, "%lld steps in %lld cases", (long long)steps, (long long)turn);
}
END_TEST

/* The method changes during a run of BRUSS2D, and the stages in one of a rod: on all OpenCL
 * backends that compile few programs for that. */
START_TEST(methods_change_on_devices) {
    static const char *const backends[] = {
        "cl-row-diamond", "cl-column-diamond", "cl-honeycomb", "cl-linear"};
    const int is_line = _i % 2;
    struct tolerance_case c = {
        .isa = ISA_LEVELS - 1, .zero = -1, .times = {1, 4}, .is_cut = is_line};
    int64_t steps = 0, rejected = 0;
    if (!have_opencl()) return;
    OK(eulercl_problem_create(
        is_line ? &test_problem_rod_fixed : &test_problem_bruss2d, &c.problem, &error));
    OK(eulercl_problem_set_size(c.problem, is_line ? 300 : 2 * 40 * 40, &error));
    eulercl_options_init(&c.options);
    c.options.backend = "seq";
    c.options.precision = _i / 2 % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    c.options.rtol = 3e-3;
    c.options.atol = is_line ? 0 : 0.018;
    c.options.method = is_line ? "rock2" : NULL;
    c.options.spectral_radius = is_line ? 1000 : 0;
    eulercl_solver *const solver = make(c.problem, &c.options);
    OK(eulercl_set_initial_state(solver, &error));
    const int before = stats_of(solver).stages;
    OK(eulercl_advance_to(solver, c.times[1], NULL, &error));
    ck_assert(is_line ? stats_of(solver).stages > before : stats_of(solver).method_changes > 0);
    eulercl_solver_destroy(solver);
    c.options.backend = backends[_i / 2];
    snprintf(c.text, sizeof c.text, "%s, %s", c.options.backend, is_line ? "rod_fixed" : "bruss2d");
    compare(&c, &steps, &rejected);
    eulercl_problem_destroy(c.problem);
}
END_TEST

/* ---- tolerances mean what they say ---- */

/* A run of a test problem with a size, from its initial state. */
static eulercl_stats solve(int number, int64_t n, double t, double rtol, const char *method,
    enum eulercl_precision precision, void *y) {
    eulercl_problem *problem;
    eulercl_options options;
    OK(eulercl_problem_create(test_problems[number].definition, &problem, &error));
    if (n) OK(eulercl_problem_set_size(problem, n, &error));
    eulercl_options_init(&options);
    options.backend = "cpu";
    options.rtol = rtol;
    options.method = method;
    options.precision = precision;
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, t, NULL, &error));
    OK(eulercl_get_state(solver, y, &error));
    eulercl_stats stats = stats_of(solver);
    ck_assert(stats.t == t);
    ck_assert(stats.error_estimate <= 1.07); /* 1, but for how its logarithm is found */
    stats.method = stats.method_reason = "";
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return stats;
}

/* The greatest difference, relative to the greatest value. */
static double error_of(
    const void *y, const double *reference, int64_t n, enum eulercl_precision precision) {
    double worst = 0, greatest = 0;
    for (int64_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(value_at(y, i, (size_t)precision) - reference[i]));
        greatest = fmax(greatest, fabs(reference[i]));
    }
    return worst / greatest;
}

static double greatest_of(const double *f, int64_t n) {
    double greatest = 0;
    for (int64_t i = 0; i < n; i++) greatest = fmax(greatest, fabs(f[i]));
    return greatest;
}

/* Diffusion with reactions, waves, transport; positions that matter, times that do. */
static const struct {
    int number;
    int64_t n;
    double t;
} solved[] = {{TEST_bruss2d, 2 * 24 * 24, 1}, {TEST_string, 400, 10}, {TEST_forced_wave, 0, 2},
    {TEST_heat_fields, 0, 1}, {TEST_tide, 0, 2}, {TEST_chirp, 0, 2}, {TEST_excited, 0, 2},
    {TEST_rod_fixed, 0, 2}, {TEST_rod_mirror, 0, 2}, {TEST_far_star, 0, 0.5}, {TEST_torus, 0, 1},
    {TEST_shaken_rod, 0, 2}, {TEST_pendulum, 0, 5}};

static int64_t length_of(int number, int64_t n) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(test_problems[number].definition, &problem, &error));
    if (n) OK(eulercl_problem_set_size(problem, n, &error));
    n = size_of(problem);
    eulercl_problem_destroy(problem);
    return n;
}

extern const struct ode_problem test_problem_species;

static eulercl_problem *open_species(double hot, double rare, double start, double given) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&test_problem_species, &problem, &error));
    OK(eulercl_problem_set(problem, "hot", hot, &error));
    OK(eulercl_problem_set(problem, "rare", rare, &error));
    OK(eulercl_problem_set(problem, "start", start, &error));
    OK(eulercl_problem_set(problem, "given", given, &error));
    return problem;
}

/* Unknowns of two scales, some of them 0 at the start: each is as accurate as asked for, and that
 * takes a reasonable number of steps. */
START_TEST(each_unknown_is_accurate) {
    static const double scales[][2] = {{300, 1e-9}, {1e12, 1e-15}, {1e-20, 1e6}};
    static const char *const methods[] = {NULL, "bs32", "dp54", "rock2"};
    enum { N = 4 * 37 };
    double y[N], exact[N]; /* or floats */
    for (int k = 0; k < COUNT(scales) * 2 * COUNT(methods); k++) {
        const double *const scale = scales[k % COUNT(scales)];
        const enum eulercl_precision precision = k % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE;
        const double rtol = k % 2 ? 1e-4 : 1e-6;
        eulercl_problem *const problem = open_species(scale[0], scale[1], k % 5 == 0, 0);
        eulercl_options options;
        eulercl_options_init(&options);
        options.backend = "cpu";
        options.precision = precision;
        options.rtol = rtol;
        options.method = methods[k / (2 * COUNT(scales))];
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance_to(solver, 2, NULL, &error));
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_problem_exact(problem, 2, EULERCL_DOUBLE, 0, N, exact, &error));
        const eulercl_stats stats = stats_of(solver);
        for (int c = 0; c < 3; c++) {
            const double wrong = fabs(value_at(y, c, (size_t)precision) / exact[c] - 1);
            ck_assert_msg(wrong < 100 * rtol, "case %d, unknown %d: %g", k, c, wrong);
        }
        ck_assert(value_at(y, 3, (size_t)precision) == 0);
        ck_assert_msg(stats.steps + stats.rejected < (k % 2 ? 400 : 4000), "case %d: %lld + %lld",
            k, (long long)stats.steps, (long long)stats.rejected);
        ck_assert(stats.unknowns == 4 && stats.atols[3] == 0 &&
                  stats.atol == fmax(stats.atols[0], fmax(stats.atols[1], stats.atols[2])));
        ck_assert(fabs(stats.atols[0] / (rtol * scale[0]) - 1) < 1e-6);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Steps are the same if unknowns are larger or smaller by powers of two, each by its own. */
START_TEST(steps_do_not_depend_on_units) {
    enum { N = 4 * 37 };
    double y[2][N];
    eulercl_stats stats[2];
    for (int k = 0; k < 2; k++) {
        eulercl_problem *const problem = open_species(k ? 0x1p40 : 1, k ? 0x1p-50 : 1, _i % 2, 0);
        eulercl_options options;
        eulercl_options_init(&options);
        options.backend = "seq";
        options.rtol = 1e-5;
        options.method = _i < 2 ? NULL : "dp54";
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance_to(solver, 1, NULL, &error));
        OK(eulercl_get_state(solver, y[k], &error));
        stats[k] = stats_of(solver);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
    ck_assert(stats[0].steps == stats[1].steps && stats[0].rejected == stats[1].rejected);
    for (int i = 0; i < N; i++) ck_assert(y[1][i] == y[0][i] * (i % 4 ? 0x1p-50 : 0x1p40));
}
END_TEST

/* Atols are given by the options, as one or as a list, or else by the problem; a note says which
 * unknowns stay below theirs. */
START_TEST(atols_are_given) {
    static const double list[] = {0.5, 1e-13, 0, 1e-12};
    eulercl_problem *const problem = open_species(300, 1e-9, 1, 1e-11);
    eulercl_options options;
    eulercl_solver *solver;
    for (int k = 0; k < 3; k++) {
        eulercl_options_init(&options);
        options.rtol = 1e-3;
        options.atol = k == 1 ? 1e-3 : 0;
        options.atols = k == 2 ? list : NULL;
        options.atol_count = k == 2 ? COUNT(list) : 0;
        solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance_to(solver, 2, NULL, &error));
        const eulercl_stats stats = stats_of(solver);
        const double *const a = stats.atols;
        ck_assert(a[0] == (k == 0 ? 0.3 : k == 1 ? 1e-3 : 0.5));
        ck_assert(a[1] == (k == 0 ? 1e-11 : k == 1 ? 1e-3 : 1e-13));
        ck_assert(k == 1 ? a[2] == 1e-3 : a[2] > 1e-14 && a[2] < 1e-12);
        ck_assert(a[3] == (k == 0 ? 0 : k == 1 ? 1e-3 : 1e-12));
        ck_assert((stats.greatest[1] < a[1]) == (k == 1) && stats.greatest[0] == 300);
        eulercl_solver_destroy(solver);
    }
    options.atol_count = 3;
    EXPECT_WORDS(EULERCL_INVALID, "3 absolute tolerances are given, and problem species has 4",
        eulercl_solver_create(problem, &options, &solver, &error));
    options.atols = NULL;
    EXPECT_WORDS(EULERCL_INVALID, "must be set together",
        eulercl_solver_create(problem, &options, &solver, &error));
    options.atols = (const double[]){1, 1, -1, 1};
    options.atol_count = 4;
    EXPECT_WORDS(
        EULERCL_INVALID, "atol = -1", eulercl_solver_create(problem, &options, &solver, &error));
    options.atols = list;
    options.atol = 1;
    EXPECT_WORDS(EULERCL_INVALID, "exclude each other",
        eulercl_solver_create(problem, &options, &solver, &error));
    options.atols = NULL;
    options.atol = 0;
    options.atol_count = 0;
    OK(eulercl_problem_set(problem, "given", -1, &error));
    EXPECT_WORDS(EULERCL_INVALID, "ODE_ATOL(1) = -1 is neither 0 nor",
        eulercl_solver_create(problem, &options, &solver, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Waves grow under heun, midpoint, rock2 and rkl2, which are unstable on the imaginary axis, and
 * the estimates of rkc4 and rock4 are sized for what decays. */
static int suits(const eulercl_method_info *method, int number) {
    const int is_wave =
        number == TEST_string || number == TEST_forced_wave || number == TEST_pendulum;
    return method->estimate_order && !method->is_partitioned &&
           (!is_wave || !strcmp(method->name, "bs32") || !strcmp(method->name, "ck54") ||
               !strcmp(method->name, "dp54"));
}

START_TEST(is_accurate) {
    static const double tolerances[] = {1e-2, 1e-4, 1e-6};
    const int number = solved[_i].number;
    const int64_t n = length_of(number, solved[_i].n);
    double *const reference = zeroed(n, sizeof *reference), *const y = zeroed(n, sizeof *y);
    solve(number, solved[_i].n, solved[_i].t, 1e-12, "dp54", EULERCL_DOUBLE, reference);
    eulercl_method_info info = {.struct_size = sizeof info}; /* "auto" */
    for (size_t m = 0; !m || !eulercl_get_method(m - 1, 0, &info, NULL); m++) {
        if (m && !suits(&info, number)) continue;
        const char *const method = info.name;
        for (int k = 0; k < COUNT(tolerances); k++) {
            const double rtol = tolerances[k];
            solve(number, solved[_i].n, solved[_i].t, rtol, method, EULERCL_DOUBLE, y);
            const double found = error_of(y, reference, n, EULERCL_DOUBLE);
            ck_assert_msg(found <= 30 * rtol, "%s, %s: an error of %.3g with the tolerance %.3g",
                test_problems[number].definition->name, method ? method : "auto", found, rtol);
        }
    }
    free(reference);
    free(y);
}
END_TEST

/* The errors are right in float and with many stages, too: subtractions in an estimate must not
 * cost digits. */
START_TEST(is_accurate_in_float) {
    static const char *const methods[] = {"rock2", "rock4", "rkl2", "dp54", NULL};
    const int64_t m = 24, n = 2 * m * m;
    double *const reference = zeroed(n, sizeof *reference);
    float *const y = zeroed(n, sizeof *y);
    solve(TEST_bruss2d, n, 1, 1e-12, "dp54", EULERCL_DOUBLE, reference);
    for (int k = 0; k < COUNT(methods); k++)
        for (double rtol = 1e-3; rtol > 5e-6; rtol /= 10) {
            solve(TEST_bruss2d, n, 1, rtol, methods[k], EULERCL_FLOAT, y);
            const double found = error_of(y, reference, n, EULERCL_FLOAT);
            ck_assert_msg(found <= 10 * rtol, "%s: an error of %.3g with the tolerance %.3g",
                methods[k] ? methods[k] : "auto", found, rtol);
        }
    free(reference);
    free(y);
}
END_TEST

/* Positions and velocities: a standing wave, which keeps its amplitude. */
START_TEST(waves_are_symplectic) {
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    enum { POINTS = 60, MODE = 12 };
    const double a = M_PI * MODE / (POINTS + 1), omega = 2 * 5 * sin(a / 2), t = 20;
    eulercl_problem *const problem = open_size("string", 2 * POINTS);
    for (int k = 0; k < COUNT(tolerances); k++) {
        double y[2 * POINTS] = {0}, found = 0;
        eulercl_options options;
        eulercl_options_init(&options);
        options.backend = "cpu";
        options.rtol = tolerances[k];
        eulercl_solver *const solver = make(problem, &options);
        for (int i = 0; i < POINTS; i++) y[2 * i] = sin(a * (i + 1));
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_advance_to(solver, t, NULL, &error));
        OK(eulercl_get_state(solver, y, &error));
        for (int i = 0; i < POINTS; i++)
            found = fmax(found, fabs(y[2 * i] - sin(a * (i + 1)) * cos(omega * t)));
        ck_assert_str_eq(stats_of(solver).method, "symplectic4");
        ck_assert_msg(found <= 10 * tolerances[k] && (k == 0 || found >= tolerances[k] / 10),
            "an error of %.3g with the tolerance %.3g", found, tolerances[k]);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- limits ---- */

static eulercl_solver *begin(eulercl_options *options) {
    eulercl_problem *const problem = open_size("bruss2d", 2 * 20 * 20);
    options->backend = "cpu";
    if (!(options->rtol > 0)) options->rtol = 1e-4;
    eulercl_solver *const solver = make(problem, options);
    OK(eulercl_set_initial_state(solver, &error));
    eulercl_problem_destroy(problem);
    return solver;
}

START_TEST(keeps_to_limits) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.h_max = 0.01;
    options.h0 = 0.004;
    eulercl_solver *solver = begin(&options);
    double last = 0;
    OK(eulercl_advance_to(solver, 0.7, &last, &error));
    eulercl_stats stats = stats_of(solver);
    ck_assert(stats.t == 0.7 && last == stats.h_last && stats.h_greatest <= 0.01);
    ck_assert(stats.h_first <= 0.004 && stats.h_first > 0.0036);
    OK(eulercl_advance_to(solver, 0.7, &last, &error)); /* it is there */
    ck_assert(last == 0 && stats_of(solver).steps == stats.steps);
    OK(eulercl_advance(solver, 7, &error)); /* the rest of a round is made */
    ck_assert(stats_of(solver).steps >= stats.steps + 7);
    /* Another state: a first step is chosen again, and the tolerance is relative to it. */
    double y[2 * 20 * 20];
    OK(eulercl_get_state(solver, y, &error));
    for (int i = 0; i < COUNT(y); i++) y[i] *= 2;
    OK(eulercl_set_state(solver, y, &error));
    OK(eulercl_advance(solver, 1, &error));
    ck_assert(stats_of(solver).atol > 1.1 * stats.atol);
    eulercl_solver_destroy(solver);

    eulercl_options_init(&options);
    options.max_steps = 12;
    solver = begin(&options);
    EXPECT_WORDS(
        EULERCL_STEP_COUNT, "more than 12 steps", eulercl_advance_to(solver, 9, NULL, &error));
    stats = stats_of(solver);
    ck_assert(stats.t > 0 && stats.t < 9 && stats.steps + stats.rejected <= 12);
    eulercl_solver_destroy(solver);
}
END_TEST

/* A solution that becomes infinite: u' = u^2 from positive values, among others. */
START_TEST(stops_where_steps_vanish) {
    eulercl_problem *problem;
    eulercl_options options;
    OK(eulercl_problem_create(&test_problem_rotor, &problem, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    options.rtol = 1e-4;
    options.method = "dp54";
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    EXPECT_WORDS(
        EULERCL_STEP_SIZE, "becomes too small", eulercl_advance_to(solver, 5, NULL, &error));
    const eulercl_stats stats = stats_of(solver);
    ck_assert(stats.t > 3 && stats.t < 4);
    const int64_t n = size_of(problem);
    double *const y = zeroed(n, sizeof *y);
    OK(eulercl_get_state(solver, y, &error));
    ck_assert(is_finite(y, n, sizeof *y)); /* the state is that of the last accepted step */
    free(y);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Evaluations of the Brusselator with much diffusion. */
static uint64_t evaluations_of(
    double alpha, double rtol, const char *method, enum eulercl_precision precision) {
    eulercl_problem *const problem = open_size("bruss2d", 2 * 64 * 64);
    eulercl_options options;
    OK(eulercl_problem_set(problem, "alpha", alpha, &error));
    eulercl_options_init(&options);
    options.backend = "cpu";
    options.method = method;
    options.precision = precision;
    options.rtol = rtol;
    eulercl_solver *const solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance_to(solver, 1, NULL, &error));
    const uint64_t evaluations = stats_of(solver).rhs_evaluations;
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return evaluations;
}

/* Rounding errors in float are not taken for errors of rkc4, nor for changes of the solution when
 * the method is chosen. */
START_TEST(rounding_errors_cost_few_steps) {
    const double alpha[] = {0.5, 8}, rtol[] = {1e-4, 1e-5};
    const uint64_t evaluations =
                       evaluations_of(alpha[_i], rtol[_i], _i ? NULL : "rkc4", EULERCL_FLOAT),
                   right = evaluations_of(
                       alpha[_i], rtol[_i], "rkc4", _i ? EULERCL_FLOAT : EULERCL_DOUBLE);
    ck_assert_msg(20 * evaluations <= 23 * right, "%llu evaluations instead of %llu",
        (unsigned long long)evaluations, (unsigned long long)right);
}
END_TEST

/* A given first step size is kept, though a smaller one with fewer stages would be less work. */
START_TEST(keeps_a_given_first_step) {
    for (int eighths = -32; eighths < -16; eighths++) {
        eulercl_problem *const problem = open_size("bruss2d", 2 * 300 * 300);
        eulercl_options options;
        eulercl_options_init(&options);
        options.backend = "cpu";
        options.method = "rkc4";
        options.rtol = 0.5;                      /* no step is rejected */
        options.h0 = 1.01 * exp2(eighths / 8.0); /* rounded down to the power of 2 */
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 1, &error));
        ck_assert_double_gt(stats_of(solver).h_first, 0.98 * options.h0);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* States within steps do not change the steps, and are as accurate as those at their ends. */
START_TEST(shows_states_within_steps) {
    enum { N = 2 * 20 * 20, TIMES = 40 };
    static double plain[N], dense[N], within[N], truth[N];
    eulercl_options options;
    eulercl_options_init(&options);
    options.method = ((const char *const[]){NULL, "dp54", "rock4", "rkl2", "bs32", "bs32"})[_i];
    if (_i == 5) options.h_max = 0x1p-10; /* rounds of many steps */
    eulercl_solver *solver = begin(&options);
    OK(eulercl_advance_to(solver, 1, NULL, &error));
    OK(eulercl_get_state(solver, plain, &error));
    const eulercl_stats whole = stats_of(solver);
    eulercl_solver_destroy(solver);

    eulercl_options exact;
    eulercl_options_init(&exact);
    exact.rtol = 1e-9;
    exact.method = "dp54";
    eulercl_solver *const reference = begin(&exact);
    solver = begin(&options);
    for (int k = 1; k <= TIMES; k++) {
        const double t = (double)k / TIMES;
        OK(eulercl_advance_dense(solver, t, 1, &error));
        ck_assert(stats_of(solver).t == t);
        OK(eulercl_get_state(solver, within, &error));
        OK(eulercl_advance_to(reference, t, NULL, &error));
        OK(eulercl_get_state(reference, truth, &error));
        ck_assert_msg(error_of(within, truth, N, EULERCL_DOUBLE) < 30 * 1e-4, "error %g at t = %g",
            error_of(within, truth, N, EULERCL_DOUBLE), t);
    }
    OK(eulercl_get_state(solver, dense, &error));
    ck_assert_int_eq(stats_of(solver).steps, whole.steps);
    ck_assert_int_eq(stats_of(solver).rejected, whole.rejected);
    SAME(dense, plain, N, sizeof(double), "%s", options.method ? options.method : "auto");
    /* However many of them there are in a round, they cost a step each and the round once more. */
    const uint64_t most =
        (uint64_t)(whole.rhs_evaluations + TIMES * whole.rhs_evaluations / (uint64_t)whole.steps);
    ck_assert_uint_le(stats_of(solver).rhs_evaluations - whole.rhs_evaluations, most);
    EXPECT_WORDS(
        EULERCL_INVALID, "before the last steps", eulercl_advance_dense(solver, 0.01, 1, &error));
    EXPECT_WORDS(EULERCL_INVALID, "not finite", eulercl_advance_dense(solver, 3, 2, &error));
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(reference);
}
END_TEST

/* A run ends when it hardly changes any more: at the same time on every
 * backend, and as eulercl_evaluate says. */
START_TEST(ends_where_it_is_steady) {
    static const char *const backends[] = {"seq", "cpu", "pthreads"};
    double t[COUNT(backends)];
    for (int b = 0; b < COUNT(backends); b++) {
        eulercl_problem *problem;
        eulercl_options options;
        double last;
        problem = open_size("bruss2d", 2 * 32 * 32);
        OK(eulercl_problem_set(problem, "B", 1.2, &error)); /* less than 1 + A^2: no oscillation */
        const int64_t n = size_of(problem);
        double *const y = zeroed(n, sizeof *y), *const f = zeroed(n, sizeof *f);
        eulercl_options_init(&options);
        options.backend = backends[b];
        options.rtol = 1e-4;
        options.steady = 1e-5;
        if (b == 2) GIVE(&options, threads, 2); /* goes from tiles to single levels, and back */
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_evaluate(solver, 0, y, f, &error));
        ck_assert(greatest_of(f, n) > options.steady);
        OK(eulercl_advance_to(solver, 1e6, &last, &error));
        const eulercl_stats stats = stats_of(solver);
        ck_assert(stats.is_steady && stats.t < 1e6);
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_evaluate(solver, stats.t, y, f, &error));
        ck_assert(stats.derivative == greatest_of(f, n) && stats.derivative <= options.steady);
        t[b] = stats.t;
        ck_assert(t[b] == t[0]);
        OK(eulercl_set_initial_state(solver, &error)); /* not steady any more */
        OK(eulercl_advance_to(solver, stats.t + 1e-6, NULL, &error));
        ck_assert(!stats_of(solver).is_steady && stats_of(solver).derivative == 0);
        free(y);
        free(f);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Parts of a large state that are looked at have all that they read, here rows above and below with
 * their diagonals; a sanitizer sees any other access. They are read together: sixteen that have
 * more bytes than are read at a time, and one that alone has more. There the spectral radius is
 * given, because an estimate of it takes long. */
START_TEST(looks_at_parts_of_large_states) {
    static const struct { int columns, rows; } sizes[] = {{400, 200}, {22000, 2}};
    const char *const backends[] = {"seq", "cpu", "cl-linear"};
    const int count = have_opencl() ? COUNT(backends) : COUNT(backends) - 1;
    eulercl_problem *problem;
    eulercl_options options;
    double h[COUNT(backends)];
    OK(eulercl_problem_create(test_problems[TEST_diagonal].definition, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", sizes[_i].columns, &error));
    OK(eulercl_problem_set(problem, "rows", sizes[_i].rows, &error));
    const int64_t n = size_of(problem);
    double *const y = zeroed(n, sizeof *y);
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, y, &error));
    for (int64_t i = 0; i < n; i++)
        y[i] *= 1 + 20 * (double)i / (double)n; /* the last one matters */
    for (int b = 0; b < count; b++) {
        eulercl_options_init(&options);
        options.backend = backends[b];
        if (_i) {
            options.method = "rock2";
            options.spectral_radius = 1e4;
        }
        options.rtol = 1e-3;
        options.steady = 1e-9;
        eulercl_solver *const solver = make(problem, &options);
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_advance(solver, 3, &error));
        ck_assert(!stats_of(solver).is_steady && stats_of(solver).steps >= 3);
        h[b] = stats_of(solver).h_last;
        ck_assert(h[b] > 0 && h[b] == h[0]);
        eulercl_solver_destroy(solver);
    }
    free(y);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A run is continued only by its own clock. */
START_TEST(resumes_only_its_own_clock) {
    eulercl_options options;
    eulercl_clock clock = {.struct_size = sizeof clock}, wrong, old = {.struct_size = sizeof old};
    eulercl_options_init(&options);
    eulercl_solver *solver = begin(&options);
    OK(eulercl_get_clock(solver, &clock, &error));
    ck_assert_str_eq(clock.control, "");
    OK(eulercl_solver_resume(solver, &clock, &error)); /* nothing has happened yet */
    OK(eulercl_advance(solver, 3, &error));
    OK(eulercl_get_clock(solver, &clock, &error));
    ck_assert(*clock.control && strlen(clock.control) < EULERCL_CONTROL_SIZE - 40);
    for (size_t i = 0; i < strlen(clock.control); i++) { /* no text that is cut */
        wrong = clock;
        wrong.control[i] = '\0';
        ck_assert_int_eq(eulercl_solver_resume(solver, &wrong, &error), EULERCL_INVALID);
    }
    wrong = clock;
    strcat(wrong.control, " ");
    EXPECT_WORDS(EULERCL_INVALID, "control", eulercl_solver_resume(solver, &wrong, &error));
    /* Clocks as a damaged file may contain them lead at most to an error of the steps. */
    for (int i = 0; i < 300; i++) {
        wrong = clock;
        wrong.control[random_below((int64_t)strlen(clock.control))] = "0123456789abcdef -z"[i % 19];
        if (eulercl_solver_resume(solver, &wrong, &error)) continue;
        eulercl_advance(solver, 2, &error);
        OK(eulercl_set_initial_state(solver, &error));
    }
    OK(eulercl_solver_resume(solver, &clock, &error));
    /* A state within a step is forgotten, too. */
    OK(eulercl_advance(solver, 2, &error));
    const double within = stats_of(solver).t + 1e-9;
    OK(eulercl_advance_dense(solver, within, 1, &error));
    ck_assert(stats_of(solver).t == within);
    OK(eulercl_solver_resume(solver, &clock, &error));
    const eulercl_stats resumed = stats_of(solver);
    OK(eulercl_advance(solver, 1, &error));
    const eulercl_stats later = stats_of(solver);
    ck_assert_double_eq_tol(
        later.t, resumed.t + (double)(later.steps - resumed.steps) * later.h_last, 1e-12);
    options.rtol = 1e-5;
    eulercl_solver *const other = begin(&options);
    EXPECT_WORDS(EULERCL_INVALID, "rtol", eulercl_solver_resume(other, &clock, &error));
    old.h = 0.1;
    old.steps = 2;
    EXPECT_WORDS(EULERCL_INVALID, "one size", eulercl_solver_resume(other, &old, &error));
    eulercl_solver_destroy(other);
    eulercl_solver_destroy(solver);

    eulercl_problem *const problem = open_size("bruss2d", 2 * 20 * 20);
    eulercl_options_init(&options);
    options.backend = "cpu";
    solver = make(problem, &options);
    EXPECT_WORDS(EULERCL_INVALID, "to a tolerance", eulercl_solver_resume(solver, &clock, &error));
    EXPECT_WORDS(EULERCL_INVALID, "tolerance", eulercl_advance_dense(solver, 0.1, 0.2, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static int count_calls(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver, (void)progress;
    ++*(int64_t *)user;
    return 0;
}

/* observer_steps counts steps, of which a round has several. */
START_TEST(is_observed_after_rounds) {
    int64_t calls = 0;
    eulercl_options options;
    eulercl_options_init(&options);
    options.observer = count_calls;
    options.observer_user = &calls;
    options.observer_steps = 1;
    options.method = "bs32";
    eulercl_solver *const solver = begin(&options);
    OK(eulercl_advance_to(solver, 0.3, NULL, &error));
    const int64_t steps = stats_of(solver).steps;
    ck_assert_msg(calls >= steps / 5 && calls <= steps / 5 + 10, "%lld calls in %lld steps",
        (long long)calls, (long long)steps);
    eulercl_solver_destroy(solver);
}
END_TEST

struct rounds {
    int64_t last, longest;
};

static int look_at_rounds(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    struct rounds *const r = user;
    const int64_t steps = stats_of(solver).steps;
    (void)progress;
    if (steps - r->last > r->longest) r->longest = steps - r->last;
    r->last = steps;
    return 0;
}

/* Rounds become long while the step size stays, an eighth of the steps before, but not longer than
 * 512 stages; and a run that is continued makes them as long as the one before. */
START_TEST(makes_long_rounds) {
    struct rounds rounds = {.last = 0};
    eulercl_options options;
    eulercl_options_init(&options);
    options.observer = look_at_rounds;
    options.observer_user = &rounds;
    options.observer_steps = 1;
    options.method = "bs32"; /* three stages */
    options.h_max = 0x1p-11;
    eulercl_clock clock = {.struct_size = sizeof clock};
    eulercl_solver *solver = begin(&options);
    OK(eulercl_advance(solver, 1000, &error));
    ck_assert_int_ge(rounds.longest, 100);
    ck_assert_int_le(rounds.longest, 125);
    OK(eulercl_advance_to(solver, 1.5, NULL, &error));
    ck_assert_int_ge(stats_of(solver).steps, 3072);
    ck_assert_int_eq(rounds.longest, 170);
    OK(eulercl_get_clock(solver, &clock, &error));
    eulercl_solver_destroy(solver);
    solver = begin(&options);
    OK(eulercl_solver_resume(solver, &clock, &error));
    rounds = (struct rounds){.last = clock.steps};
    OK(eulercl_advance(solver, 170, &error));
    ck_assert_int_eq(rounds.longest, 170);
    eulercl_solver_destroy(solver);
}
END_TEST

static int stop_at_once(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver;
    *(double *)user = progress->t;
    return 1;
}

START_TEST(is_observed) {
    eulercl_options options;
    double seen = -1;
    eulercl_options_init(&options);
    options.observer = stop_at_once;
    options.observer_user = &seen;
    eulercl_solver *const solver = begin(&options);
    const int status = eulercl_advance_to(solver, 0.01, NULL, &error);
    ck_assert_int_eq(status, EULERCL_CANCELLED);
    ck_assert(seen == stats_of(solver).t && seen == 0.01);
    eulercl_solver_destroy(solver);
}
END_TEST

START_TEST(rejects_nonsense) {
    eulercl_problem *const problem = open_size("bruss2d", 2 * 20 * 20);
    eulercl_options options;
    eulercl_solver *solver;
    const struct {
        double rtol, atol, h0, h_max, radius;
        int64_t max_steps;
        const char *controller, *method, *words;
        int stages, status;
    } wrong[] = {{.rtol = -1, .words = "rtol", .status = EULERCL_INVALID},
        {.rtol = (double)NAN, .words = "rtol", .status = EULERCL_INVALID},
        {.atol = 1e-3, .words = "needs rtol", .status = EULERCL_INVALID},
        {.rtol = 1e-310, .words = "normal", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .atol = -1, .words = "atol", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .h0 = -1, .words = "h0", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .h_max = (double)INFINITY, .words = "h_max", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .radius = -1, .words = "spectral_radius", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .max_steps = -1, .words = "max_steps", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .controller = "x", .words = "pi, i, h211b", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .stages = 5, .words = "needs a method", .status = EULERCL_INVALID},
        {.rtol = 1e-3, .method = "rk4", .words = "no estimate", .status = EULERCL_UNSUPPORTED}};
    for (int i = 0; i < COUNT(wrong); i++) {
        eulercl_options_init(&options);
        options.backend = "seq";
        options.rtol = wrong[i].rtol;
        options.atol = wrong[i].atol;
        options.h0 = wrong[i].h0;
        options.h_max = wrong[i].h_max;
        options.spectral_radius = wrong[i].radius;
        options.max_steps = wrong[i].max_steps;
        options.controller = wrong[i].controller;
        options.method = wrong[i].method;
        options.stages = wrong[i].stages;
        EXPECT_WORDS(wrong[i].status, wrong[i].words,
            eulercl_solver_create(problem, &options, &solver, &error));
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add_tests(TCase *tests) {
    ADD(same_steps);
    ADD(symplectic_steps_in_registers);
    ADD_LOOP(bodies_to_a_tolerance, COUNT(with_bodies));
    ADD(same_steps_on_devices);
    ADD_LOOP(methods_change_on_devices, 8);
    ADD_LOOP(is_accurate, COUNT(solved));
    ADD(is_accurate_in_float);
    ADD(each_unknown_is_accurate);
    ADD_LOOP(steps_do_not_depend_on_units, 4);
    ADD(atols_are_given);
    ADD_LOOP(rounding_errors_cost_few_steps, 2);
    ADD(keeps_a_given_first_step);
    ADD(waves_are_symplectic);
    ADD(keeps_to_limits);
    ADD(stops_where_steps_vanish);
    ADD_LOOP(shows_states_within_steps, 6);
    ADD(ends_where_it_is_steady);
    ADD_LOOP(looks_at_parts_of_large_states, 2);
    ADD(resumes_only_its_own_clock);
    ADD(is_observed_after_rounds);
    ADD(makes_long_rounds);
    ADD(is_observed);
    ADD(rejects_nonsense);
}

int main(void) { return run_tests("tolerance", add_tests); }
