/* SPDX-License-Identifier: BSD-2-Clause */
/* test_lanes.c - the CPU backends' tiles: random systems, sizes, methods, tiles, numbers of threads
 * and instruction sets give the bits of seq. */
#include "config.h"
#include "../support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lanes_case {
    eulercl_problem *problem;
    eulercl_options options;
    int isa;
    int64_t steps[3];
    char text[480];
};

static const char *const variants[] = {NULL, "lanes", "tiles", "barrier"};

/* Often what lanes find difficult: few points per lane, a point more or less. */
static int64_t random_size(int64_t most) {
    switch (random_below(4)) {
    case 0:
        return 1 + random_below(80);
    case 1:
        return 16 * (1 + random_below(20)) + random_below(3) - 1;
    default:
        return 1 + random_below(most);
    }
}

static eulercl_problem *draw_problem(const struct ode_problem *definition) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    for (uint32_t i = 0; i < definition->parameter_count; i++) {
        const struct ode_parameter *p = &definition->parameters[i];
        const int64_t most = most_points(definition->grid.rank, 4000, 200);
        const double size =
            (double)(definition->grid.rank < 3 ? random_size(most) : 1 + random_below(2 * most));
        const double value = p->integer ? size : p->value * random_real(0.5, 1.5);
        eulercl_problem_set(problem, p->name, fmin(fmax(value, p->min), p->max),
            &error); /* refused: too small for a mirror */
    }
    return problem;
}

static void draw_method(eulercl_options *o, const struct ode_problem *definition) {
    eulercl_method_info info = {.struct_size = sizeof info};
    int count = 0;
    while (!eulercl_get_method((size_t)count, 0, &info, &error)) count++;
    do OK(eulercl_get_method((size_t)random_below(count), 0, &info, &error));
    while (info.is_partitioned && !definition->is_position);
    o->method = info.name;
    o->stages = (int)fmin(info.most_stages, info.least_stages + (int)random_below(8));
    GIVE_NAME(o, variant, random_below(4) ? "lanes" : random_below(4) ? "tiles" : NULL);
}

static struct lanes_case draw(int number, int64_t i, int is_of_method) {
    const struct ode_problem *definition = test_problems[number].definition;
    struct lanes_case c = {.isa = (int)random_below(ISA_LEVELS)};
    eulercl_problem_info info = {.struct_size = sizeof info};
    c.problem = draw_problem(definition);
    OK(eulercl_problem_get_info(c.problem, &info, &error));
    eulercl_options *o = &c.options;
    eulercl_options_init(o);
    o->precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE;
    o->backend = random_below(3) ? "pthreads" : "cpu";
    GIVE_NAME(o, variant, variants[random_below(random_below(2) ? 2 : 3)]);
    if (!strcmp(o->backend, "pthreads")) {
        GIVE(o, threads, 1 + random_below(5));
        if (random_below(8) == 0) GIVE_NAME(o, variant, "barrier");
    }
    GIVE(o, pin_threads, (int)random_below(3) - 1);
    GIVE(o, tile_points, random_below(3) ? (uint64_t)random_size(info.rank > 1 ? 200 : 2000) : 0);
    GIVE(o, steps_per_launch,
        random_below(3) ? (uint64_t)(1 + random_below(random_below(2) ? 12 : 70)) : 0);
    if (info.rank &&
        random_below(3) ==
            0) { /* threads that meet often, and keep their points in lanes or cut them */
        o->backend = "pthreads";
        GIVE_NAME(o, variant, "lanes");
        GIVE(o, threads, 2 + random_below(3));
        GIVE(o, tile_points, random_below(2) ? (uint64_t)(1 + random_below(60)) : 0);
        GIVE(o, steps_per_launch, 1 + random_below(12));
    }
    if (is_of_method) draw_method(o, definition);
    o->t0 = random_real(-1, 1);
    o->h = random_real(0, 1e-3);
    o->check_finite = 0;
    o->flush_below = random_below(3) ? 0 : exp(random_real(-7, 0));
    for (int k = 0; k < 3; k++) c.steps[k] = random_below(3) ? random_below(40) : random_below(5);
    snprintf(c.text, sizeof c.text,
        "case %lld: %s %lld x %lld x %lld, %s of %d stages, %s %s, real %d, isa %d, threads %lld, "
        "tile_points %lld, "
        "steps_per_launch %lld, t0 %a, h %a, flush_below %a, steps %lld %lld %lld",
        (long long)i, info.name, (long long)info.extents[0], (long long)info.extents[1],
        (long long)info.extents[2], o->method ? o->method : "euler", o->stages, o->backend,
        GIVEN_NAME(o, variant) ? GIVEN_NAME(o, variant) : "NULL", (int)o->precision, c.isa,
        (long long)GIVEN(o, threads), (long long)GIVEN(o, tile_points),
        (long long)GIVEN(o, steps_per_launch), o->t0, o->h, o->flush_below, (long long)c.steps[0],
        (long long)c.steps[1], (long long)c.steps[2]);
    return c;
}

/* -> the variant that was taken. */
static const char *run(const struct lanes_case *c, int *compared) {
    const int64_t n = size_of(c->problem);
    const size_t real_size = (size_t)c->options.precision;
    eulercl_options plain;
    eulercl_solver *solver, *reference;
    eulercl_stats stats = {.struct_size = sizeof stats};
    const char *variant = NULL;
    eulercl_options_init(&plain);
    plain.backend = "seq";
    plain.precision = c->options.precision;
    plain.t0 = c->options.t0;
    plain.h = c->options.h;
    plain.method = c->options.method;
    plain.stages = c->options.stages;
    plain.flush_below = c->options.flush_below;
    plain.check_finite = 0;
    test_isa_level = ISA_LEVELS - 1;
    OK(create_somehow(c->problem, &plain, &reference, &error));
    test_isa_level = c->isa;
    OK(create_somehow(c->problem, &c->options, &solver, &error));
    test_isa_level = ISA_LEVELS - 1;
    char *y = zeroed(n, real_size), *expected = zeroed(n, real_size);
    random_state(y, n, real_size);
    OK(eulercl_set_state(solver, y, &error));
    OK(eulercl_set_state(reference, y, &error));
    for (int k = 0; k < 3; k++) {
        OK(eulercl_advance(reference, c->steps[k], &error));
        OK(eulercl_advance(solver, c->steps[k], &error));
        OK(eulercl_get_state(reference, expected, &error));
        if (!is_finite(expected, n, real_size)) break;
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, n, real_size, "after %d batches of %s", k + 1, c->text);
        *compared += k == 2;
    }
    OK(eulercl_get_stats(solver, &stats, &error));
    for (int v = 1; v < 4; v++)
        if (!strcmp(stats.variant, variants[v]) || (v == 3 && !strcmp(stats.variant, "steps")))
            variant = variants[v];
    ck_assert_msg(variant, "%s came out as %s", c->text, stats.variant);
    ck_assert_msg(
        stats.threads >= 1 && (int64_t)stats.threads <=
                                  (GIVEN(&c->options, threads) ? GIVEN(&c->options, threads) : 1),
        "%llu threads: %s", (unsigned long long)stats.threads, c->text);
    free(y);
    free(expected);
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(reference);
    return variant;
}

START_TEST(lanes_agree) {
    const struct test_problem *problem = &test_problems[_i];
    const int64_t count = (cases(500, 3000) + TEST_PROBLEMS - 1) / TEST_PROBLEMS;
    const int64_t of_methods = (count + 3) / 4;
    int taken[2][4] = {{0}}, compared = 0;
    for (int64_t i = 0; i < count + of_methods; i++) {
        const int is_of_method = i >= count;
        random_start(((uint64_t)_i << 24) + (uint64_t)i + (3 << 22));
        struct lanes_case c = draw(_i, i, is_of_method);
        const char *variant = run(&c, &compared);
        for (int v = 1; v < 4; v++) taken[is_of_method][v] += variant == variants[v];
        eulercl_problem_destroy(c.problem);
    }
    printf(
        "%s: %lld cases, %d compared to the end, %d in lanes, %d in tiles, %d step by step; with "
        "methods %d in lanes, %d in tiles, %d step by step\n",
        problem->definition->name, (long long)count, compared, taken[0][1], taken[0][2],
        taken[0][3], taken[1][1], taken[1][2], taken[1][3]);
    fflush(stdout);
    const int64_t counts[] = {count, of_methods};
    const uint32_t rank = problem->definition->grid.rank;
    /* Volumes of these sizes are too small for methods of many stages. */
    for (int k = 0; k < (rank == 0 ? 0 : rank > 2 ? 1 : 2); k++)
        ck_assert_msg(counts[k] < 8 || 8 * taken[k][1] >= counts[k],
            "only %d of %lld cases%s in lanes", taken[k][1], (long long)counts[k],
            k ? " of methods" : ""); /* fewer than eight cases may all go elsewhere */
}
END_TEST

/* Lanes are chosen by default: they are several times as fast as the other orders. */
static const struct {
    int problem;
    int64_t n;
} large[] = {{TEST_string, 80000}, {TEST_bruss2d, 80000}, {TEST_bruss2d, 2000000}};

START_TEST(large_systems_go_in_lanes) {
    static const char *const backends[] = {"cpu", "pthreads"};
    for (int i = 0; i < 2; i++) {
        eulercl_problem *problem;
        eulercl_solver *solver;
        eulercl_options options;
        eulercl_stats stats = {.struct_size = sizeof stats};
        OK(eulercl_problem_create(test_problems[large[_i].problem].definition, &problem, &error));
        OK(eulercl_problem_set_size(problem, large[_i].n, &error));
        eulercl_options_init(&options);
        options.backend = backends[i];
        options.h = 1e-6;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        ck_assert_str_eq(stats.variant, "lanes");
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Stages that couple the components of a point, of every method: some have code for their shape,
 * others go through the buffer. */
START_TEST(coupled_stages_agree) {
    enum { COLUMNS = 400, N = 2 * COLUMNS };
    static const char *const ways[] = {"lanes", "tiles", NULL}; /* NULL: backend seq */
    const size_t size = _i ? sizeof(float) : sizeof(double);
    eulercl_method_info info = {.struct_size = sizeof info};
    eulercl_problem *problem;
    OK(eulercl_problem_create(test_problems[TEST_coupled].definition, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", COLUMNS, &error));
    for (size_t m = 0; !eulercl_get_method(m, 0, &info, &error); m++) {
        double y[3][N];
        for (int way = 0; way < 3 && !info.is_partitioned; way++) {
            eulercl_options options;
            options_for(&options, &(struct way){ways[way] ? "cpu" : "seq", NULL, 0},
                (enum eulercl_precision)size);
            give_choice(&options, "variant", ways[way]);
            options.method = info.name;
            options.stages = info.least_stages;
            options.h = 1e-3;
            OK(eulercl_problem_initial(
                problem, (enum eulercl_precision)size, 0, N, y[way], &error));
            OK(eulercl_solve(problem, &options, 7, y[way], NULL, &error));
        }
        for (int way = 0; way < 2 && !info.is_partitioned; way++)
            SAME(y[way], y[2], N, size, "%s, %s", info.name, ways[way]);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_loop_test(tests, coupled_stages_agree, 0, 2);
    tcase_add_loop_test(tests, lanes_agree, 0, TEST_PROBLEMS);
    tcase_add_loop_test(tests, large_systems_go_in_lanes, 0, sizeof large / sizeof *large);
}

int main(void) { return run_tests("test_lanes", add); }
