/* SPDX-License-Identifier: BSD-2-Clause */
/* test_observe.c - eulercl_observe: every observer against plain loops, the same bits on every kind
 * of backend, on several devices and on streams; and texts that are not allowed. */
#include "config.h"
#include "states.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the values by plain loops ---- */

static void plain_histogram(
    const struct grid_state *s, int64_t c, int bins, double low, double high, double *counts) {
    memset(counts, 0, (size_t)(bins + 3) * sizeof *counts);
    for (int64_t i = 0; i < grid_points(s); i++) {
        const double y = value_at(s->y, i * s->info.components + c, s->size);
        const double bin = floor((y - low) * (bins / (high - low)));
        counts[isnan(y)    ? bins + 2
               : y < low   ? 0
               : y >= high ? bins + 1
                           : 1 + (int)fmin(bin, bins - 1)]++;
    }
}

/* The cells of a complex have places of twice as many numbers along each axis, and the dimension of
 * a cell is the number of its odd ones. With pixels the points are the cells with odd numbers
 * alone, and all cells around those of the set belong to it; else they are those with even numbers,
 * and a cell belongs to it if all points around it do. */
static int64_t plain_euler(const struct grid_state *s, int64_t c, double level, int with_pixels) {
    int64_t sizes[3], all = 1, number = 0, place[3], sub[3];
    for (int axis = 0; axis < 3; axis++)
        all *= sizes[axis] = axis >= s->rank ? 1 : 2 * s->extents[axis] + !s->rings[axis];
    for (int64_t cell = 0; cell < all; cell++) {
        int has_any = 0, has_all = 1, odd = 0, is_there;
        const int64_t numbers[3] = {
            cell % sizes[0], cell / sizes[0] % sizes[1], cell / sizes[0] / sizes[1]};
        for (int axis = 0; axis < s->rank; axis++) odd += numbers[axis] % 2 != 0;
        /* An odd place lies between two points, or an even one between two pixels. */
        for (int corner = 0; corner < 1 << s->rank; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                const int is_between = axis < s->rank && (numbers[axis] % 2 != 0) != with_pixels;
                place[axis] =
                    numbers[axis] / 2 + (is_between ? (corner >> axis & 1) - with_pixels : 0);
                sub[axis] = place[axis];
            }
            const double y = grid_value(s, c, sub, &is_there);
            const int has = is_there && y > level;
            has_any |= has;
            has_all &= has;
        }
        if (with_pixels ? has_any : has_all) number += odd % 2 ? -1 : 1;
    }
    return number;
}

static void plain_set(const struct grid_state *s, int64_t c, double level, double *values) {
    memset(values, 0, 4 * sizeof *values);
    for (int64_t i = 0; i < grid_points(s); i++) {
        int64_t place[3];
        int is_there;
        grid_place(s, i, place);
        if (!(grid_value(s, c, place, &is_there) > level)) continue;
        values[0]++;
        for (int axis = 0; axis < s->rank; axis++)
            for (int way = -1; way <= 1; way += 2) {
                int64_t next[3];
                memcpy(next, place, sizeof next);
                next[axis] += way;
                const double y = grid_value(s, c, next, &is_there);
                values[1] += !(is_there && y > level);
            }
    }
    values[2] = (double)plain_euler(s, c, level, 1);
    values[3] = (double)plain_euler(s, c, level, 0);
}

static long double plain_mean(const struct grid_state *s, int64_t c) {
    long double sum = 0;
    for (int64_t i = 0; i < grid_points(s); i++)
        sum += value_at(s->y, i * s->info.components + c, s->size);
    return sum / grid_points(s);
}

/* The mean over the pairs along an axis of (y' - y)^2, or with the mean of (y - mean) (y' - mean).
 */
static long double plain_pairs(
    const struct grid_state *s, int64_t c, int axis, int64_t lag, const long double *mean) {
    long double sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < grid_points(s); i++) {
        int64_t place[3];
        int is_there;
        grid_place(s, i, place);
        const long double y = grid_value(s, c, place, &is_there);
        place[axis] += lag;
        const long double other = grid_value(s, c, place, &is_there);
        if (!is_there) continue;
        count++;
        sum += mean ? (y - *mean) * (other - *mean) : (other - y) * (other - y);
    }
    return count ? sum / count : 0;
}

static void plain_length(const struct grid_state *s, int64_t c, double *values) {
    const long double mean = plain_mean(s, c), variance = plain_pairs(s, c, 0, 0, &mean);
    long double slope = 0;
    for (int axis = 0; axis < s->rank; axis++) slope += plain_pairs(s, c, axis, 1, NULL);
    *values = (double)(2 * acosl(-1) * sqrtl(variance / slope));
}

static void plain_correlation(const struct grid_state *s, int64_t c, int64_t lags, double *values) {
    const long double mean = plain_mean(s, c), variance = plain_pairs(s, c, 0, 0, &mean);
    for (int axis = 0; axis < s->rank; axis++)
        for (int64_t lag = 1; lag <= lags; lag++)
            *values++ = (double)(plain_pairs(s, c, axis, lag, &mean) / variance);
}

static void plain_front(const struct grid_state *s, int64_t c, double level, double *values) {
    const int64_t lines = grid_points(s) / s->extents[0];
    long double sum = 0, squares = 0;
    int64_t count = 0;
    double *places = zeroed(lines + 1, sizeof *places);
    for (int64_t line = 0; line < lines; line++)
        for (int64_t x = 0; x + 1 < s->extents[0]; x++) {
            const int64_t i = (line * s->extents[0] + x) * s->info.components + c;
            const double a = value_at(s->y, i, s->size),
                         b = value_at(s->y, i + s->info.components, s->size);
            if (!isfinite(a) || !isfinite(b) || (a > level) == (b > level)) continue;
            places[count++] = (double)x + (level - a) / (b - a);
            break;
        }
    for (int64_t i = 0; i < count; i++) sum += places[i];
    for (int64_t i = 0; i < count; i++) squares += powl(places[i] - sum / count, 2);
    values[0] = (double)(sum / count);
    values[1] = (double)sqrtl(squares / count);
    values[2] = NAN;
    values[3] = (double)(lines - count);
    free(places);
}

/* ---- all observers of a state ---- */

enum { OBSERVERS = 5, MOST_VALUES = 300, TEXT = 100 };

struct all {
    eulercl_observation *observations[OBSERVERS];
    int count;
    double wanted[OBSERVERS][MOST_VALUES], seen[OBSERVERS][MOST_VALUES];
    int is_exact[OBSERVERS];
};

static void add_observation(
    struct all *all, const struct grid_state *s, int is_exact, const char *text) {
    all->is_exact[all->count] = is_exact;
    OK(eulercl_observation_create(s->problem, text, &all->observations[all->count++], &error));
}

/* Make them, and find by plain loops what they should give. */
static void open_all(struct all *all, const struct grid_state *s) {
    const int64_t c = random_below(s->info.components), bins = 1 + random_below(200);
    const double low = random_real(-1.2, 0), high = random_below(2) ? 1 : random_real(0.1, 1.2),
                 level = random_below(2) ? 0.25 : random_real(-1, 1);
    char text[TEXT];
    memset(all, 0, sizeof *all);
    snprintf(
        text, TEXT, "histogram:%lld:%lld:%.17g:%.17g", (long long)c, (long long)bins, low, high);
    plain_histogram(s, c, (int)bins, low, high, all->wanted[all->count]);
    add_observation(all, s, 1, text);
    if (!s->rank) return;
    snprintf(text, TEXT, "euler:%lld:%.17g", (long long)c, level);
    plain_set(s, c, level, all->wanted[all->count]);
    add_observation(all, s, 1, text);
    snprintf(text, TEXT, "length:%lld", (long long)c);
    plain_length(s, c, all->wanted[all->count]);
    add_observation(all, s, 0, text);
    snprintf(text, TEXT, "front:%lld:%.17g", (long long)c, level);
    plain_front(s, c, level, all->wanted[all->count]);
    add_observation(all, s, 0, text);
    int64_t most = 40;
    for (int axis = 0; axis < s->rank; axis++)
        if (s->extents[axis] - 1 < most) most = s->extents[axis] - 1;
    if (most < 1) return;
    const int64_t lags = 1 + random_below(most);
    snprintf(text, TEXT, "correlation:%lld:%lld", (long long)c, (long long)lags);
    plain_correlation(s, c, lags, all->wanted[all->count]);
    add_observation(all, s, 0, text);
}

static void close_all(struct all *all) {
    for (int i = 0; i < all->count; i++) eulercl_observation_destroy(all->observations[i]);
}

/* NaN for NaN, and near enough for sums of few values. Two points make variances of rounding
 * errors. */
static int is_near(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* The values of a solver: near those of plain loops, with the bits of the first solver. */
static void see(struct all *all, const struct grid_state *s, eulercl_solver *solver, int is_first,
    const char *what) {
    for (int i = 0; i < all->count; i++) {
        double values[MOST_VALUES];
        char name[2 * TEXT];
        const size_t count = eulercl_observation_columns(all->observations[i]);
        ck_assert_uint_le(count, MOST_VALUES);
        OK(eulercl_observe(solver, all->observations[i], values, &error));
        for (size_t j = 0; j < count; j++) {
            OK(eulercl_observation_column(all->observations[i], j, name, sizeof name, &error));
            /* A speed needs a state before this one, which is no matter of the backend. */
            if (strstr(name, ":speed")) values[j] = (double)NAN;
            ck_assert_msg(all->is_exact[i] ? values[j] == all->wanted[i][j]
                                           : is_near(values[j], all->wanted[i][j]),
                "%s, %s of %lld x %lld x %lld points: %s is %.17g, not %.17g", what, s->info.name,
                (long long)s->extents[0], (long long)s->extents[1], (long long)s->extents[2], name,
                values[j], all->wanted[i][j]);
        }
        if (is_first) memcpy(all->seen[i], values, count * sizeof *values);
        for (size_t j = 0; j < count; j++)
            ck_assert_msg(!memcmp(&values[j], &all->seen[i][j], sizeof *values),
                "%s, %s: other bits of value %zu of observer %d", what, s->info.name, j, i);
    }
}

static void one_state(const struct ode_problem *definition, const int64_t *sizes, int opencl) {
    struct grid_state s;
    struct all all;
    open_grid_state(&s, definition, random_below(2) ? sizeof(float) : sizeof(double), sizes);
    fill_grid_state(&s, random_below(2) != 0);
    open_all(&all, &s);
    for (int i = 0; i < HOLDERS; i++) {
        eulercl_solver *solver = NULL;
        if (holders[i].is_opencl > opencl || !make_holder(&s, i, &solver)) continue;
        see(&all, &s, solver, i == 0, holders[i].devices ? holders[i].devices : holders[i].backend);
        eulercl_solver_destroy(solver);
    }
    close_all(&all);
    close_grid_state(&s);
}

START_TEST(values_are_right_on_host_backends) {
    random_start(1);
    for (int64_t i = cases(150, 3000); i > 0; i--)
        one_state(test_problems[random_below(TEST_PROBLEMS)].definition, NULL, 0);
}
END_TEST

/* After steps the rows of neighbours that a device has are not those of the present state. */
START_TEST(ghost_rows_are_not_observed) {
    static const char *const devices[] = {NULL, "cpu,cpu", "cpu,cpu,cpu,cpu"};
    random_start(9);
    for (int64_t i = cases(40, 600); i > 0; i--) {
        struct grid_state s;
        struct all all;
        double values[COUNT(devices)][OBSERVERS][MOST_VALUES] = {{{0}}};
        open_grid_state(
            &s, test_problems[random_below(TEST_PROBLEMS)].definition, sizeof(double), NULL);
        fill_grid_state(&s, 0);
        open_all(&all, &s);
        for (int k = 0; k < COUNT(devices); k++) {
            eulercl_solver *solver = NULL;
            eulercl_options options;
            options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
            options.devices = devices[k];
            options.check_finite = 0;
            options.h = 1e-6;
            if (eulercl_solver_create(s.problem, &options, &solver, &error)) {
                memcpy(values[k], values[0], sizeof *values); /* too few rows */
                continue;
            }
            OK(eulercl_set_state(solver, s.y, &error));
            OK(eulercl_advance(solver, 3, &error));
            for (int j = 0; j < all.count; j++)
                OK(eulercl_observe(solver, all.observations[j], values[k][j], &error));
            if (all.count > 3) values[k][3][2] = 0; /* the speed */
            eulercl_solver_destroy(solver);
            ck_assert_msg(!memcmp(values[k], values[0], sizeof *values),
                "%s, %s: other values after steps", s.info.name, devices[k]);
        }
        close_all(&all);
        close_grid_state(&s);
    }
}
END_TEST

START_TEST(values_are_right_on_devices) {
    if (!have_opencl()) return;
    random_start((uint64_t)(2 + _i));
    for (int64_t i = cases(2, 20); i > 0; i--) one_state(grid_shapes[_i], NULL, 1);
}
END_TEST

/* Lines longer than what a work-group sums at once, and blocks of rows that are complete or not. */
START_TEST(values_are_right_on_large_grids) {
    static const struct {
        const struct ode_problem *problem;
        int64_t sizes[3];
    } grids[] = {{&test_problem_rod_clamp, {40001}}, {&test_problem_rod_clamp, {65536}},
        {&test_problem_ring, {33000}}, {&test_problem_ring, {70001}},
        {&test_problem_heat_fields, {1100, 17}}, {&test_problem_heat_fields, {1025, 40}},
        {&test_problem_torus, {514, 24}}, {&test_problem_block, {150, 12, 9}},
        {&test_problem_lattice, {149, 11, 3}}};
    random_start((uint64_t)(20 + _i));
    one_state(grids[_i].problem, grids[_i].sizes, have_opencl());
}
END_TEST
enum { LARGE_GRIDS = 9 };

/* ---- what is known without loops ---- */

static void observe_heat(
    const char *text, int64_t columns, int64_t rows, const double *y, double *values) {
    eulercl_problem *problem;
    eulercl_observation *observation;
    eulercl_solver *solver;
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    OK(eulercl_problem_create(&test_problem_heat_fields, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", (double)columns, &error));
    OK(eulercl_problem_set(problem, "rows", (double)rows, &error));
    OK(eulercl_observation_create(problem, text, &observation, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_state(solver, y, &error));
    OK(eulercl_observe(solver, observation, values, &error));
    eulercl_observation_destroy(observation);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

/* Values at the ends of bins and next to them, where devices compute more exactly than elsewhere.
 */
static void count_at_ends(
    const char *backend, enum eulercl_precision precision, int bins, double low, double high) {
    enum { N = 3 * 4097 };
    const size_t size = precision == EULERCL_FLOAT ? sizeof(float) : sizeof(double);
    struct grid_state s = {.definition = &test_problem_heat_fields,
        .info.struct_size = sizeof s.info,
        .size = size,
        .extents = {N, 3, 1}};
    double counts[4096 + 3], wanted[4096 + 3];
    char text[TEXT];
    eulercl_observation *observation;
    eulercl_solver *solver;
    eulercl_options options;
    options_for(&options, &(struct way){backend, NULL, 0}, precision);
    OK(eulercl_problem_create(s.definition, &s.problem, &error));
    OK(eulercl_problem_set(s.problem, "columns", N, &error));
    OK(eulercl_problem_set(s.problem, "rows", 3, &error));
    OK(eulercl_problem_get_info(s.problem, &s.info, &error));
    s.y = zeroed(3 * N, size);
    for (int i = 0; i < 3 * N; i++) {
        const double end = low + (high - low) / bins * (i / 3 % (bins + 1));
        const float near = (float)end, way = i % 3 ? i % 3 == 1 ? -INFINITY : INFINITY : near;
        if (precision == EULERCL_FLOAT)
            ((float *)s.y)[i] = nextafterf(near, way);
        else
            ((double *)s.y)[i] = nextafter(end, i % 3 ? (double)way : end);
    }
    plain_histogram(&s, 0, bins, low, high, wanted);
    snprintf(text, TEXT, "histogram:0:%d:%.17g:%.17g", bins, low, high);
    OK(eulercl_observation_create(s.problem, text, &observation, &error));
    OK(eulercl_solver_create(s.problem, &options, &solver, &error));
    OK(eulercl_set_state(solver, s.y, &error));
    OK(eulercl_observe(solver, observation, counts, &error));
    for (int i = 0; i < bins + 3; i++)
        ck_assert_msg(counts[i] == wanted[i], "%s, %s: counter %d is %g, not %g", backend, text, i,
            counts[i], wanted[i]);
    eulercl_observation_destroy(observation);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(s.problem);
    free(s.y);
}

START_TEST(values_at_ends_of_bins) {
    static const struct {
        int bins;
        double low, high;
    } ends[] = {{256, 0, 1}, {10, -1, 1}, {4096, 0.1, 0.3}, {7, 1e6, 1e6 + 0.7}, {1, -0.3, 1e30},
        {99, 1e-38, 3e-38}, {1000, -1e38, 1e38}, {64, 1e-42, 1e-40}, {3, -1e300, 1e300}};
    for (int i = 0; i < COUNT(ends); i++)
        for (int k = 0; k < (have_opencl() ? 4 : 2); k++)
            count_at_ends(k < 2 ? "seq" : "cl-linear", k % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE,
                ends[i].bins, ends[i].low, ends[i].high);
}
END_TEST

START_TEST(shapes_have_their_numbers) {
    /* two spots, of which one has a hole, and a point that touches it at a corner */
    static const char picture[] = "........"
                                  ".###..#."
                                  ".#.#..#."
                                  ".###...."
                                  "....#...";
    double y[40], values[4];
    for (int i = 0; i < 40; i++) y[i] = picture[i] == '#';
    observe_heat("euler:0:0.5", 8, 5, y, values);
    ck_assert_double_eq(values[0], 11);
    ck_assert_double_eq(values[1], 12 + 4 + 6 + 4);
    ck_assert_double_eq(values[2], 1);
    ck_assert_double_eq(values[3], 2);
}
END_TEST

START_TEST(a_sine_has_its_length) {
    enum { N = 1000 };
    static double y[N * 3];
    double values[2 * 1];
    for (int i = 0; i < 3 * N; i++) y[i] = sin(2 * acos(-1) * (i % N) / 50);
    observe_heat("length:0", N, 3, y, values);
    ck_assert_double_eq_tol(values[0], 50, 0.1);
    /* It depends little on the first value, which differences are taken from. */
    const double length = values[0];
    for (int i = 0; i < 3 * N; i++) y[i] += 1e6;
    observe_heat("length:0", N, 3, y, values);
    ck_assert_double_eq_tol(values[0], length, 1e-6);
    for (int i = 0; i < 3 * N; i++) y[i] = 7;
    observe_heat("length:0", N, 3, y, values);
    ck_assert(isnan(values[0]));
}
END_TEST

START_TEST(values_follow_from_counts) {
    /* below, 10 bins from 0 to 1, above, NaN */
    static const double two[13] = {0, 0, 3, 1, 0, 0, 0, 0, 4, 0, 0, 0, 9},
                        ends[13] = {5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 5, 0}, none[13] = {0};
    double value;
    OK(eulercl_histogram_threshold(10, 0, 1, two, &value, &error));
    ck_assert_double_eq_tol(value, 0.5, 1e-12);
    OK(eulercl_histogram_threshold(10, 0, 1, ends, &value, &error));
    ck_assert(isnan(value));
    OK(eulercl_histogram_quantile(10, 0, 1, two, 0.5, &value, &error));
    ck_assert_double_eq_tol(value, 0.3, 1e-12);
    OK(eulercl_histogram_quantile(10, 0, 1, two, 0, &value, &error));
    ck_assert_double_eq_tol(value, 0.1, 1e-12);
    OK(eulercl_histogram_quantile(10, 0, 1, two, 1, &value, &error));
    ck_assert_double_eq_tol(value, 0.8, 1e-12);
    OK(eulercl_histogram_quantile(10, 0, 1, ends, 0.1, &value, &error));
    ck_assert(value == -(double)INFINITY);
    OK(eulercl_histogram_quantile(10, 0, 1, ends, 0.5, &value, &error));
    ck_assert_double_eq_tol(value, 0.35, 1e-12);
    OK(eulercl_histogram_quantile(10, 0, 1, ends, 0.9, &value, &error));
    ck_assert(value == (double)INFINITY);
    OK(eulercl_histogram_quantile(10, 0, 1, none, 0.5, &value, &error));
    ck_assert(isnan(value));
    EXPECT(EULERCL_INVALID, eulercl_histogram_quantile(10, 0, 1, two, 1.5, &value, &error));
    EXPECT(EULERCL_INVALID, eulercl_histogram_quantile(0, 0, 1, two, 0.5, &value, &error));
    EXPECT(EULERCL_INVALID, eulercl_histogram_threshold(10, 1, 1, two, &value, &error));
}
END_TEST

/* A front that moves by 3 points in a time of 2. */
START_TEST(a_front_has_a_speed) {
    eulercl_problem *problem;
    eulercl_observation *observation;
    eulercl_solver *solver;
    eulercl_options options;
    double y[20], values[4];
    eulercl_clock clock = {.struct_size = sizeof clock};
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = 1;
    OK(eulercl_problem_create(&test_problem_rod_clamp, &problem, &error));
    OK(eulercl_problem_set_size(problem, 20, &error));
    OK(eulercl_observation_create(problem, "front:0:0.5", &observation, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_get_clock(solver, &clock, &error));
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 20; i++) y[i] = i < 5 + 3 * turn;
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_observe(solver, observation, values, &error));
        ck_assert_double_eq(values[0], 4.5 + 3 * turn);
        ck_assert_double_eq(values[1], 0);
        ck_assert(turn ? values[2] == 1.5 : isnan(values[2]));
        ck_assert_double_eq(values[3], 0);
        OK(eulercl_advance(solver, 2, &error));
    }
    eulercl_observation_destroy(observation);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A work-group looks at several turns of items before it comes to the crossing. */
START_TEST(a_distant_front_is_found_on_devices) {
    enum { POINTS = 3000 };
    static double y[POINTS];
    eulercl_problem *problem;
    eulercl_observation *observation;
    eulercl_solver *solver;
    eulercl_options options;
    double values[4];
    if (!have_opencl()) return;
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_DOUBLE);
    OK(eulercl_problem_create(&test_problem_rod_clamp, &problem, &error));
    OK(eulercl_problem_set_size(problem, POINTS, &error));
    OK(eulercl_observation_create(problem, "front:0:0.5", &observation, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    for (int at = 1; at < POINTS; at += 511) {
        for (int i = 0; i < POINTS; i++) y[i] = i < at || i > at + 700;
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_observe(solver, observation, values, &error));
        ck_assert_double_eq(values[0], at - 0.5);
        ck_assert_double_eq(values[3], 0);
    }
    eulercl_observation_destroy(observation);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(damaged_texts_are_refused) {
    static const char long_number[] =
        "histogram:0:2:0:1111111111111111111111111111111111111111111111111111111111111111111111";
    static const char *const bad[] = {"", "x", "histogra:0:2:0:1", "histogram", "histogram:0:2:0",
        "histogram:0:2:0:1:2", "histogram:0:2:0:", "histogram:0:2:1:1", "histogram:0:2:1:0",
        "histogram:0:0:0:1", "histogram:0:4097:0:1", "histogram:0:2.5:0:1", "histogram:0:-3:0:1",
        "histogram:1:2:0:1", "histogram:-1:2:0:1", "histogram:0.5:2:0:1", "histogram:u:2:0:1",
        "histogram:0:2:nan:1", "histogram:0:2:0:inf", "histogram:0:2:0:1e999",
        "histogram:0:2:-1e308:1e308", "histogram:0:4:0:1e-310", "histogram:0: 2:0:1", "euler:0",
        "euler:0:", "euler:0:x", "euler:0:nan", "length", "length:", "length:0:1", "length:1",
        "front:0", "correlation:0:0", "correlation:0:1025", "correlation:0:9", "correlation:0:1.5",
        "correlation:0", long_number};
    eulercl_problem *problem;
    eulercl_observation *observation = NULL;
    OK(eulercl_problem_create(&test_problem_heat_fields, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", 12, &error));
    OK(eulercl_problem_set(problem, "rows", 9, &error));
    for (int i = 0; i < COUNT(bad); i++) {
        const int status = eulercl_observation_create(problem, bad[i], &observation, &error);
        ck_assert_msg(status == EULERCL_INVALID && !observation, "'%s' is taken", bad[i]);
    }
    OK(eulercl_observation_create(problem, "correlation:0:8", &observation, &error));
    char name[20];
    ck_assert_uint_eq(eulercl_observation_columns(observation), 16);
    OK(eulercl_observation_column(observation, 15, name, 20, &error));
    EXPECT(EULERCL_INVALID, eulercl_observation_column(observation, 15, name, 19, &error));
    EXPECT(EULERCL_INVALID, eulercl_observation_column(observation, 16, name, 18, &error));
    eulercl_observation_destroy(observation);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(other_grids_are_refused) {
    eulercl_problem *problem;
    eulercl_observation *observation;
    eulercl_solver *solver;
    eulercl_options options;
    double values[4];
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    OK(eulercl_problem_create(&test_problem_heat_fields, &problem, &error));
    OK(eulercl_observation_create(problem, "euler:0:0.5", &observation, &error));
    OK(eulercl_problem_set(problem, "columns", 3, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    EXPECT_WORDS(
        EULERCL_INVALID, "another grid", eulercl_observe(solver, observation, values, &error));
    eulercl_observation_destroy(observation);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(forms_are_listed) {
    static const char *const forms[OBSERVERS] = {"histogram:C:BINS:LOW:HIGH", "euler:C:LEVEL",
        "length:C", "front:C:LEVEL", "correlation:C:LAGS"};
    for (size_t i = 0; i < OBSERVERS; i++) ck_assert_str_eq(eulercl_observer_form(i), forms[i]);
    ck_assert_ptr_null(eulercl_observer_form(OBSERVERS));
    ck_assert_uint_eq(eulercl_observation_columns(NULL), 0);
    eulercl_observation_destroy(NULL);
}
END_TEST

static void add(TCase *tests) {
    ADD(values_are_right_on_host_backends);
    ADD(ghost_rows_are_not_observed);
    ADD_LOOP(values_are_right_on_devices, GRID_SHAPES);
    ADD_LOOP(values_are_right_on_large_grids, LARGE_GRIDS);
    ADD(values_at_ends_of_bins);
    ADD(shapes_have_their_numbers);
    ADD(a_sine_has_its_length);
    ADD(values_follow_from_counts);
    ADD(a_front_has_a_speed);
    ADD(a_distant_front_is_found_on_devices);
    ADD(damaged_texts_are_refused);
    ADD(other_grids_are_refused);
    ADD(forms_are_listed);
}

int main(void) { return run_tests("observe", add); }
