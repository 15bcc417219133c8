/* SPDX-License-Identifier: BSD-2-Clause */
/* test_select.c - eulercl_thin, of points and of smoothed points, and eulercl_extract: against
 * plain loops, with the same bits on every kind of backend, on several devices and on streams. */
#include "config.h"
#include "states.h"
#include "int.h"
#ifdef HAVE_OPENCL
#include "opencl/state.h"
#endif
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- thinning ---- */

static double fold(int mode, double a, double value) {
    if (mode == EULERCL_THIN_MEAN) return a + value;
    return isnan(a) || (mode == EULERCL_THIN_MAX ? value > a : value < a) ? value : a;
}

/* The value `way` points from point x of an axis, which is walked point by point. */
static double walk(
    const double *u, int64_t extent, int64_t stride, int is_ring, int64_t x, int64_t way) {
    int64_t step = way < 0 ? -1 : 1;
    for (int64_t left = way < 0 ? -way : way; left > 0; left--) {
        const int is_outside = x + step < 0 || x + step >= extent;
        if (is_outside && is_ring)
            x -= step * (extent - 1);
        else if (is_outside)
            step = -step; /* the last point is there twice */
        else
            x += step;
    }
    return u[x * stride];
}

/* Weights from Pascal's triangle, where each line is divided by 2. */
static void plain_weights(int64_t radius, double weights[2 * EULERCL_MOST_SMOOTHING + 1]) {
    weights[0] = 1;
    for (int64_t k = 1; k <= 2 * radius; k++) {
        weights[k] = 0;
        for (int64_t i = k; i >= 0; i--) weights[i] = (weights[i] + (i ? weights[i - 1] : 0)) / 2;
    }
}

/* A component of the state, smoothed along z, y and x; to be freed. */
static double *plain_smooth(const struct grid_state *s, int64_t c, int64_t radius) {
    const int64_t points = grid_points(s);
    double weights[2 * EULERCL_MOST_SMOOTHING + 1], *u = zeroed(points, sizeof *u);
    plain_weights(radius, weights);
    for (int64_t i = 0; i < points; i++) u[i] = value_at(s->y, i * s->info.components + c, s->size);
    for (int axis = 3; radius && axis-- > 0;) {
        double *const next = zeroed(points, sizeof *next);
        const int64_t stride = axis == 0   ? 1
                               : axis == 1 ? s->extents[0]
                                           : s->extents[0] * s->extents[1];
        for (int64_t i = 0; i < points; i++) {
            int64_t at[3];
            grid_place(s, i, at);
            const double *const line = u + (i - at[axis] * stride);
            next[i] = u[i] * weights[radius];
            for (int64_t far = radius; far > 0; far--)
                next[i] +=
                    (walk(line, s->extents[axis], stride, s->rings[axis], at[axis], -far) +
                        walk(line, s->extents[axis], stride, s->rings[axis], at[axis], far)) *
                    weights[radius - far];
        }
        if (axis < s->rank || !axis) memcpy(u, next, (size_t)points * sizeof *u);
        free(next);
    }
    return u;
}

struct thinned {
    eulercl_region region;
    int64_t c, n, smoothing, count;
    int mode, is_whole;
    double *values;
};

/* The block that begins at a place: its columns first. */
static double plain_block(
    const struct thinned *t, const struct grid_state *s, const double *u, const int64_t begin[3]) {
    const int mode = t->mode;
    const double none = mode == EULERCL_THIN_MEAN ? -0.0 : (double)NAN;
    double all = none, points = 0;
    const int64_t row = s->extents[0], plane = row * s->extents[1];
    if (mode == EULERCL_THIN_EVERY) return u[begin[2] * plane + begin[1] * row + begin[0]];
    int64_t end[3], at[3];
    for (int axis = 0; axis < 3; axis++)
        end[axis] = int_min(begin[axis] + t->n, t->region.first[axis] + t->region.counts[axis]);
    for (at[0] = begin[0]; at[0] < end[0]; at[0]++) {
        double column = none;
        for (at[2] = begin[2]; at[2] < end[2]; at[2]++)
            for (at[1] = begin[1]; at[1] < end[1]; at[1]++, points++)
                column = fold(mode, column, u[at[2] * plane + at[1] * row + at[0]]);
        all = fold(mode, all, column);
    }
    return mode == EULERCL_THIN_MEAN ? all / points : all;
}

static void plain_thin(struct thinned *t, const struct grid_state *s) {
    const int64_t most = random_below(3) ? 12 : 4000, most_radius = EULERCL_MOST_SMOOTHING + 1;
    t->c = random_below(s->info.components);
    t->n = 1 + random_below(most);
    t->mode = (int)random_below(4);
    t->smoothing = random_below(2) ? 0 : random_below(random_below(3) ? 4 : most_radius);
    t->is_whole = random_below(2) != 0;
    t->region = random_region(s->extents);
    for (int axis = 0; t->is_whole && axis < 3; axis++) {
        t->region.first[axis] = 0;
        t->region.counts[axis] = s->extents[axis];
    }
    double *const u = plain_smooth(s, t->c, t->smoothing);
    const int64_t *const first = t->region.first, *const counts = t->region.counts;
    t->values = zeroed(grid_points(s), sizeof *t->values);
    t->count = 0;
    int64_t at[3];
    for (at[2] = first[2]; at[2] < first[2] + counts[2]; at[2] += t->n)
        for (at[1] = first[1]; at[1] < first[1] + counts[1]; at[1] += t->n)
            for (at[0] = first[0]; at[0] < first[0] + counts[0]; at[0] += t->n)
                t->values[t->count++] = plain_block(t, s, u, at);
    free(u);
}

static int has_same_bits(double a, double b) {
    return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

static void see_thin(
    const struct thinned *t, const struct grid_state *s, eulercl_solver *solver, const char *what) {
    double *const values = zeroed(t->count + 1, sizeof *values);
    values[t->count] = 7;
    const eulercl_region *const region = t->is_whole && random_below(2) ? NULL : &t->region;
    OK(eulercl_thin(solver, region, t->c, t->n, t->mode, t->smoothing, values, t->count, &error));
    for (int64_t i = 0; i < t->count; i++)
        ck_assert_msg(has_same_bits(values[i], t->values[i]),
            "%s, %s of %lld x %lld x %lld points: block %lld of %lld points by %s, "
            "smoothed by %lld, of %lld x %lld x %lld from %lld, %lld, %lld on is %.17g, not %.17g",
            what, s->info.name, (long long)s->extents[0], (long long)s->extents[1],
            (long long)s->extents[2], (long long)i, (long long)t->n,
            eulercl_thin_mode_name((size_t)t->mode), (long long)t->smoothing,
            (long long)t->region.counts[0], (long long)t->region.counts[1],
            (long long)t->region.counts[2], (long long)t->region.first[0],
            (long long)t->region.first[1], (long long)t->region.first[2], values[i], t->values[i]);
    ck_assert_double_eq(values[t->count], 7);
    free(values);
}

/* ---- extraction ---- */

static const char *const signs[] = {">", ">=", "<", "<="};

struct extracted {
    char condition[80];
    int64_t count, *points;
    double *values;
};

static int satisfies(double y, int sign, double level) {
    return sign == 0 ? y > level : sign == 1 ? y >= level : sign == 2 ? y < level : y <= level;
}

static void plain_extract(struct extracted *e, const struct grid_state *s) {
    const int64_t c = random_below(s->info.components);
    const int sign = (int)random_below(4);
    const double levels[] = {0.25, 0.5, 1, -2, -0.0, DBL_MAX, random_real(-1, 1), random_real(0, 1),
        random_real(0.25, 1)},
                 level = levels[random_below(COUNT(levels))];
    snprintf(e->condition, sizeof e->condition,
        random_below(2) ? "%lld%s%.17g" : "  %lld  %s %.17g ", (long long)c, signs[sign], level);
    e->points = zeroed(grid_points(s), sizeof *e->points);
    e->values = zeroed(grid_points(s), sizeof *e->values);
    e->count = 0;
    for (int64_t i = 0; i < grid_points(s); i++) {
        const double y = value_at(s->y, i * s->info.components + c, s->size);
        if (!satisfies(y, sign, level)) continue;
        e->points[e->count] = i;
        e->values[e->count++] = y;
    }
}

static void see_extract(const struct extracted *e, const struct grid_state *s,
    eulercl_solver *solver, const char *what) {
    int64_t count = -1, *points = NULL;
    double *values = NULL;
    OK(eulercl_extract(solver, e->condition, &count, &points, &values, &error));
    ck_assert_msg(count == e->count,
        "%s, %s of %lld x %lld x %lld points: %s: %lld points, not %lld", what, s->info.name,
        (long long)s->extents[0], (long long)s->extents[1], (long long)s->extents[2], e->condition,
        (long long)count, (long long)e->count);
    for (int64_t i = 0; i < count; i++)
        ck_assert_msg(points[i] == e->points[i] && has_same_bits(values[i], e->values[i]),
            "%s, %s: %s: number %lld is %.17g at %lld, not %.17g at %lld", what, s->info.name,
            e->condition, (long long)i, values[i], (long long)points[i], e->values[i],
            (long long)e->points[i]);
    eulercl_free(points);
    eulercl_free(values);
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
    struct extracted extracted[3];
    open_grid_state(&s, definition, random_below(2) ? sizeof(float) : sizeof(double), NULL);
    fill_grid_state(&s, random_below(2) != 0);
    for (int k = 0; k < COUNT(thinned); k++) plain_thin(&thinned[k], &s);
    for (int k = 0; k < COUNT(extracted); k++) plain_extract(&extracted[k], &s);
    for (int i = 0; i < HOLDERS; i++) {
        eulercl_solver *solver = NULL;
        if (holders[i].is_opencl > opencl || !make_holder(&s, i, &solver)) continue;
        const char *const what = holders[i].devices ? holders[i].devices : holders[i].backend;
        choose_turns();
        for (int k = 0; k < COUNT(thinned); k++) see_thin(&thinned[k], &s, solver, what);
        for (int k = 0; k < COUNT(extracted); k++) see_extract(&extracted[k], &s, solver, what);
        eulercl_solver_destroy(solver);
    }
    for (int k = 0; k < COUNT(thinned); k++) free(thinned[k].values);
    for (int k = 0; k < COUNT(extracted); k++) {
        free(extracted[k].points);
        free(extracted[k].values);
    }
    close_grid_state(&s);
}

START_TEST(values_are_right_on_host_backends) {
    random_start(1);
    for (int64_t i = cases(150, 3000); i > 0; i--)
        one_state(test_problems[random_below(TEST_PROBLEMS)].definition, 0);
}
END_TEST

START_TEST(values_are_right_on_devices) {
    if (!have_opencl()) return;
    random_start((uint64_t)(2 + _i));
    for (int64_t i = cases(3, 20); i > 0; i--) one_state(grid_shapes[_i], 1);
}
END_TEST

/* Parts that work-groups compute in several turns. */
START_TEST(long_parts_are_right_on_devices) {
    enum { LONG = 2000000 };
    static const char *const backends[] = {"cpu", "pthreads", "cl-linear"};
    struct grid_state s = {.definition = &test_problem_ring, .info.struct_size = sizeof s.info};
    struct extracted e;
    struct thinned t;
    if (!have_opencl()) return;
    random_start(3);
    s.size = sizeof(float);
    OK(eulercl_problem_create(&test_problem_ring, &s.problem, &error));
    OK(eulercl_problem_set_size(s.problem, LONG, &error));
    OK(eulercl_problem_get_info(s.problem, &s.info, &error));
    s.rank = s.rings[0] = 1;
    for (int axis = 0; axis < 3; axis++) s.extents[axis] = s.info.extents[axis];
    s.y = zeroed(s.info.n, s.size);
    fill_grid_state(&s, 0);
    for (int i = 0; i < COUNT(backends); i++) {
        eulercl_solver *solver;
        eulercl_options options;
        options_for(&options, &(struct way){backends[i], NULL, i}, EULERCL_FLOAT);
        OK(eulercl_solver_create(s.problem, &options, &solver, &error));
        OK(eulercl_set_state(solver, s.y, &error));
        for (int k = 0; k < 15; k++) {
            choose_turns();
            plain_extract(&e, &s);
            see_extract(&e, &s, solver, backends[i]);
            free(e.points);
            free(e.values);
            plain_thin(&t, &s);
            see_thin(&t, &s, solver, backends[i]);
            free(t.values);
        }
        eulercl_solver_destroy(solver);
    }
    close_grid_state(&s);
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
    OK(eulercl_thin(solver, NULL, 0, 5, EULERCL_THIN_MEAN, 0, values, 6, &error));
    OK(eulercl_thin(solver, NULL, 0, INT64_MAX, EULERCL_THIN_MAX, 0, values, 1, &error));
    EXPECT_WORDS(EULERCL_INVALID, "room for 5 values, but there are 6",
        eulercl_thin(solver, NULL, 0, 5, EULERCL_THIN_MEAN, 0, values, 5, &error));
    EXPECT(
        EULERCL_INVALID, eulercl_thin(solver, NULL, 0, 5, EULERCL_THIN_MEAN, 0, values, 7, &error));
    EXPECT(
        EULERCL_INVALID, eulercl_thin(solver, NULL, 0, 0, EULERCL_THIN_MEAN, 0, values, 6, &error));
    EXPECT(EULERCL_INVALID,
        eulercl_thin(solver, NULL, 0, -5, EULERCL_THIN_MEAN, 0, values, 6, &error));
    EXPECT(
        EULERCL_INVALID, eulercl_thin(solver, NULL, 1, 5, EULERCL_THIN_MEAN, 0, values, 6, &error));
    EXPECT(EULERCL_INVALID,
        eulercl_thin(solver, NULL, -1, 5, EULERCL_THIN_MEAN, 0, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, NULL, 0, 5, 4, 0, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, NULL, 0, 5, -1, 0, values, 6, &error));
    OK(eulercl_thin(solver, NULL, 0, 5, 0, EULERCL_MOST_SMOOTHING, values, 6, &error));
    EXPECT(EULERCL_INVALID, eulercl_thin(solver, NULL, 0, 5, 0, -1, values, 6, &error));
    EXPECT_WORDS(EULERCL_INVALID, "a mask that reaches 29 points to each side",
        eulercl_thin(solver, NULL, 0, 5, 0, EULERCL_MOST_SMOOTHING + 1, values, 6, &error));
    static const struct {
        eulercl_region region;
        const char *words; /* NULL: it is taken */
    } regions[] = {
        {{{0, 0, 0}, {12, 9, 1}}, NULL},
        {{{11, 8, 0}, {1, 1, 1}}, NULL},
        {{{0, 0, 0}, {13, 9, 1}}, "13 points along x from number 0 on: the grid has 12 there"},
        {{{3, 0, 0}, {10, 9, 1}}, "10 points along x from number 3 on"},
        {{{0, 9, 0}, {12, 1, 1}}, "1 points along y from number 9 on: the grid has 9 there"},
        {{{0, 0, 0}, {12, 0, 1}}, "0 points along y"},
        {{{-1, 0, 0}, {12, 9, 1}}, "from number -1 on"},
        {{{0, 0, 0}, {12, 9, 0}}, "0 points along z"},
        {{{0, 0, 1}, {12, 9, 1}}, "along z from number 1 on: the grid has 1 there"},
        {{{0, 5, 0}, {12, INT64_MAX, 1}}, "along y from number 5 on"},
        {{{INT64_MIN, 0, 0}, {INT64_MIN, 9, 1}}, "points along x"},
    };
    for (int i = 0; i < COUNT(regions); i++) {
        const eulercl_region *const region = &regions[i].region;
        if (regions[i].words)
            EXPECT_WORDS(EULERCL_INVALID, regions[i].words,
                eulercl_thin(solver, region, 0, 12, 0, 0, values, 1, &error));
        else
            OK(eulercl_thin(solver, region, 0, 12, 0, 0, values, 1, &error));
    }
    ck_assert_str_eq(eulercl_thin_mode_name(EULERCL_THIN_EVERY), "every");
    ck_assert_ptr_null(eulercl_thin_mode_name(4));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(damaged_conditions_are_refused) {
    static const char *const bad[] = {"", " ", "0", "0 >", "> 1", "0 = 1", "0 == 1", "0 != 1",
        "0 > x", "0 > nan", "0 > inf", "0 > 1e999", "0 > 1 2", "0 > 1x", "0 >> 1", "0 => 1",
        "0 > = 1", "1 > 0", "-1 > 0", "u > 0", "0.5 > 0", "1e0 > 0", "99999999999999999999 > 0",
        "4294967296 > 0",
        "0 > 1111111111111111111111111111111111111111111111111111111111111111111111"};
    eulercl_problem *problem;
    eulercl_solver *solver;
    eulercl_options options;
    int64_t count = 7, *points = NULL;
    double *values = NULL;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    OK(eulercl_problem_create(&test_problem_heat_fields, &problem, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_check_condition(problem, "0 > 0", &error));
    for (int i = 0; i < COUNT(bad); i++) {
        const int status = eulercl_extract(solver, bad[i], &count, &points, &values, &error);
        ck_assert_msg(status == EULERCL_INVALID && count == 7 && !points, "'%s' is taken", bad[i]);
        EXPECT(EULERCL_INVALID, eulercl_check_condition(problem, bad[i], &error));
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(values_are_right_on_host_backends);
    ADD_LOOP(values_are_right_on_devices, GRID_SHAPES);
    ADD(long_parts_are_right_on_devices);
    ADD(other_sizes_are_refused);
    ADD(damaged_conditions_are_refused);
}

int main(void) { return run_tests("select", add); }
