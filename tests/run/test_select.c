/* SPDX-License-Identifier: BSD-2-Clause */
/* test_select.c - eulercl_thin: against plain loops, with the same bits on every kind of backend,
 * on several devices and on streams. */
#include "config.h"
#include "states.h"
#ifdef HAVE_OPENCL
#include "opencl/state.h"
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- thinning ---- */

static double fold(int mode, double a, double value) {
    if (mode == EULERCL_THIN_MEAN) return a + value;
    return isnan(a) || (mode == EULERCL_THIN_MAX ? value > a : value < a) ? value : a;
}

/* The block that begins at a place: its columns first. */
static double plain_block(
    const struct grid_state *s, int64_t c, int64_t n, int mode, const int64_t begin[3]) {
    const double none = mode == EULERCL_THIN_MEAN ? 0 : (double)NAN;
    double all = none, points = 0;
    int is_there;
    if (mode == EULERCL_THIN_EVERY) return grid_value(s, c, begin, &is_there);
    int64_t end[3], at[3];
    for (int axis = 0; axis < 3; axis++)
        end[axis] = begin[axis] + n < s->extents[axis] ? begin[axis] + n : s->extents[axis];
    for (at[0] = begin[0]; at[0] < end[0]; at[0]++) {
        double column = none;
        for (at[2] = begin[2]; at[2] < end[2]; at[2]++)
            for (at[1] = begin[1]; at[1] < end[1]; at[1]++, points++)
                column = fold(mode, column, grid_value(s, c, at, &is_there));
        all = fold(mode, all, column);
    }
    return mode == EULERCL_THIN_MEAN ? all / points : all;
}

struct thinned {
    int64_t c, n, count;
    int mode;
    double *values;
};

static void plain_thin(struct thinned *t, const struct grid_state *s) {
    const int64_t most = random_below(3) ? 12 : 4000;
    t->c = random_below(s->info.components);
    t->n = 1 + random_below(most);
    t->mode = (int)random_below(4);
    t->values = zeroed(grid_points(s), sizeof *t->values);
    t->count = 0;
    int64_t at[3];
    for (at[2] = 0; at[2] < s->extents[2]; at[2] += t->n)
        for (at[1] = 0; at[1] < s->extents[1]; at[1] += t->n)
            for (at[0] = 0; at[0] < s->extents[0]; at[0] += t->n)
                t->values[t->count++] = plain_block(s, t->c, t->n, t->mode, at);
}

static int has_same_bits(double a, double b) {
    return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

static void see_thin(
    const struct thinned *t, const struct grid_state *s, eulercl_solver *solver, const char *what) {
    double *const values = zeroed(t->count + 1, sizeof *values);
    values[t->count] = 7;
    OK(eulercl_thin(solver, t->c, t->n, t->mode, values, t->count, &error));
    for (int64_t i = 0; i < t->count; i++)
        ck_assert_msg(has_same_bits(values[i], t->values[i]),
            "%s, %s of %lld x %lld x %lld points: block %lld of %lld points by %s is %.17g, not "
            "%.17g",
            what, s->info.name, (long long)s->extents[0], (long long)s->extents[1],
            (long long)s->extents[2], (long long)i, (long long)t->n,
            eulercl_thin_mode_name((size_t)t->mode), values[i], t->values[i]);
    ck_assert_double_eq(values[t->count], 7);
    free(values);
}

/* ---- all kinds of backends ---- */

/* Numbers are computed at once, or in turns. */
static void choose_turns(void) {
#ifdef HAVE_OPENCL
    ecl_cl_numbers_at_once = random_below(2) ? 1 + (int64_t)random_below(200) : 1 << 23;
#endif
}

static void one_state(const struct ode_problem *definition, int opencl) {
    struct grid_state s;
    struct thinned thinned[3];
    open_grid_state(&s, definition, random_below(2) ? sizeof(float) : sizeof(double));
    fill_grid_state(&s, random_below(2) != 0);
    for (int k = 0; k < COUNT(thinned); k++) plain_thin(&thinned[k], &s);
    for (int i = 0; i < HOLDERS; i++) {
        eulercl_solver *solver = NULL;
        if (holders[i].is_opencl > opencl || !make_holder(&s, i, &solver)) continue;
        const char *const what = holders[i].devices ? holders[i].devices : holders[i].backend;
        choose_turns();
        for (int k = 0; k < COUNT(thinned); k++) see_thin(&thinned[k], &s, solver, what);
        eulercl_solver_destroy(solver);
    }
    for (int k = 0; k < COUNT(thinned); k++) free(thinned[k].values);
    close_grid_state(&s);
}

START_TEST(values_are_right_on_host_backends) {
    random_start(1);
    for (int64_t i = cases(150, 3000); i > 0; i--)
        one_state(test_problems[random_below(TEST_PROBLEMS)].definition, 0);
}
END_TEST

static const struct ode_problem *const shapes[] = {&test_problem_ring, &test_problem_rod_clamp,
    &test_problem_diagonal, &test_problem_mirror2, &test_problem_maze, &test_problem_knot,
    &test_problem_lattice, &test_problem_tunnel};

START_TEST(values_are_right_on_devices) {
    if (!have_opencl()) return;
    random_start((uint64_t)(2 + _i));
    for (int64_t i = cases(3, 20); i > 0; i--) one_state(shapes[_i], 1);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(other_sizes_are_refused) {
    eulercl_problem *problem;
    eulercl_solver *solver;
    eulercl_options options;
    double values[64];
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    OK(eulercl_problem_create(&test_problem_heat_fields, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", 12, &error));
    OK(eulercl_problem_set(problem, "rows", 9, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_thin(solver, 0, 5, EULERCL_THIN_MEAN, values, 6, &error));
    OK(eulercl_thin(solver, 0, INT64_MAX, EULERCL_THIN_MAX, values, 1, &error));
    EXPECT_WORDS(EULERCL_INVALID, "room for 5 values, but there are 6",
        eulercl_thin(solver, 0, 5, EULERCL_THIN_MEAN, values, 5, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 0, 5, EULERCL_THIN_MEAN, values, 7, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 0, 0, EULERCL_THIN_MEAN, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 0, -5, EULERCL_THIN_MEAN, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 1, 5, EULERCL_THIN_MEAN, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, -1, 5, EULERCL_THIN_MEAN, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 0, 5, 4, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, 0, 5, -1, values, 6, &error));
    ck_assert_str_eq(eulercl_thin_mode_name(EULERCL_THIN_EVERY), "every");
    ck_assert_ptr_null(eulercl_thin_mode_name(4));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(values_are_right_on_host_backends);
    ADD_LOOP(values_are_right_on_devices, COUNT(shapes));
    ADD(other_sizes_are_refused);
}

int main(void) { return run_tests("select", add); }
