/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface.c - the promises of eulercl.h, object by object: statuses, structs, problems,
 * options, solvers, observers. */
#include "config.h"
#include "support.h"
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#define TILE_INT int64_t
#include "schedule/diamond_geometry.h"

enum { LENGTH = 512 };
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* An array that a failing call must leave alone. */
static unsigned char pattern[LENGTH * sizeof(double)];
static void fill(void *y) { memcpy(y, memset(pattern, 0xA5, sizeof pattern), sizeof pattern); }
static void untouched(int line, const void *y) {
    ck_assert_msg(!memcmp(y, pattern, sizeof pattern),
        "line %d: a failed call wrote into the caller's array", line);
}
#define UNTOUCHED(y) untouched(__LINE__, y)

static eulercl_problem *open_size(const char *name, int64_t n) {
    eulercl_problem *problem;
    OK(eulercl_problem_open(name, &problem, &error));
    OK(eulercl_problem_set_size(problem, n, &error));
    return problem;
}

static eulercl_solver *make(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    OK(eulercl_solver_create(problem, options, &solver, &error));
    return solver;
}

static eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

/* ---- statuses, defaults, structs ---- */

static const struct {
    int value;
    const char *name;
} statuses[] = {
    {0, "EULERCL_OK"},
    {1, "EULERCL_INTERNAL"},
    {2, "EULERCL_INVALID"},
    {3, "EULERCL_NO_DEVICE"},
    {4, "EULERCL_UNSUPPORTED"},
    {5, "EULERCL_NONFINITE"},
    {6, "EULERCL_FILE"},
    {7, "EULERCL_MEMORY"},
    {8, "EULERCL_COMPILE"},
    {130, "EULERCL_CANCELLED"},
};

START_TEST(statuses_are_pinned) {
    for (int s = -2; s < 300; s++) {
        const char *name = "?";
        for (int i = 0; i < COUNT(statuses); i++)
            if (statuses[i].value == s) name = statuses[i].name;
        ck_assert_str_eq(eulercl_status_name(s), name);
        ck_assert_int_eq(!strcmp(eulercl_status_text(s), "?"), !strcmp(name, "?"));
    }
    ck_assert_str_eq(eulercl_status_text(EULERCL_NO_DEVICE), "no usable OpenCL device");
    ck_assert_str_eq(eulercl_version(), PACKAGE_VERSION);
}
END_TEST

START_TEST(defaults_are_as_documented) {
    eulercl_options o;
    memset(&o, 0xA5, sizeof o);
    eulercl_options_init(&o);
    ck_assert(o.struct_size == sizeof o && !o.backend && !GIVEN_NAME(&o, variant) &&
              o.precision == EULERCL_DOUBLE && o.t0 == 0 && o.h == 1e-4);
    ck_assert(!o.device && !GIVEN(&o, threads) && !GIVEN(&o, workgroup_size) &&
              !GIVEN(&o, workgroups) && o.check_finite == 1 && !o.allow_inexact);
    ck_assert(!o.observer && !o.observer_user && !o.observer_steps && !o.cl_context && !o.cl_queue);
    ck_assert(!GIVEN(&o, dia_blocks) && GIVEN(&o, honeycomb_steps) == -1 &&
              !GIVEN_NAME(&o, distribution) && !GIVEN_NAME(&o, storage) && !GIVEN(&o, uncached));
    ck_assert(!o.device_events && GIVEN(&o, pin_threads) == -1 && !GIVEN(&o, tile_points));
}
END_TEST

/* The structs that the library fills, each through its function. */
static eulercl_problem *shared_problem;
static eulercl_solver *shared_solver;
static int fill_info(void *s) { return eulercl_problem_get_info(shared_problem, s, &error); }
static int fill_parameter(void *s) {
    return eulercl_problem_get_parameter(shared_problem, 1, s, &error);
}
static int fill_backend(void *s) { return eulercl_get_backend(0, s, &error); }
static int fill_tuning(void *s) { return eulercl_get_tuning(0, s, &error); }
static int fill_device(void *s) { return eulercl_get_device(0, s, &error); }
static int fill_stats(void *s) { return eulercl_get_stats(shared_solver, s, &error); }
static int fill_clock(void *s) { return eulercl_get_clock(shared_solver, s, &error); }
static int fill_solve(void *s) {
    eulercl_options options;
    double y[20] = {0};
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    return eulercl_solve(shared_problem, &options, 2, y, s, &error);
}
static const struct {
    const char *name;
    size_t size;
    int (*call)(void *);
    int needs_device;
} sized[] = {
    {"problem_info", sizeof(eulercl_problem_info), fill_info, 0},
    {"parameter", sizeof(eulercl_parameter), fill_parameter, 0},
    {"backend_info", sizeof(eulercl_backend_info), fill_backend, 0},
    {"tuning_info", sizeof(eulercl_tuning_info), fill_tuning, 0},
    {"stats", sizeof(eulercl_stats), fill_stats, 0},
    {"stats of solve", sizeof(eulercl_stats), fill_solve, 0},
    {"device_info", sizeof(eulercl_device_info), fill_device, 1},
    {"clock", sizeof(eulercl_clock), fill_clock, 0},
};

/* An older program has a shorter struct, a newer one a longer: the library writes what both know,
 * and nothing past struct_size. */
START_TEST(struct_sizes_are_honoured) {
    if (sized[_i].needs_device && !have_opencl()) return;
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    shared_problem = open_size("string", 20);
    shared_solver = make(shared_problem, &options);
    const size_t size = sized[_i].size;
    static unsigned char full[4096], given[4096];
    memset(full, 0x5A, sizeof full);
    memcpy(full, &size, sizeof size);
    OK(sized[_i].call(full));
    for (size_t s = 0; s <= size + 64; s++) {
        memset(given, 0x5A, sizeof given);
        memcpy(given, &s, sizeof s);
        const int status = sized[_i].call(given);
        const size_t written = status ? sizeof s : s < size ? s : size;
        ck_assert_msg(s < sizeof s ? status == EULERCL_INVALID : !status,
            "%s: struct_size %zu gives %s", sized[_i].name, s, eulercl_status_name(status));
        for (size_t i = written < sizeof s ? sizeof s : written; i < sizeof given; i++)
            ck_assert_msg(given[i] == 0x5A, "%s: struct_size %zu, byte %zu was written",
                sized[_i].name, s, i);
        ck_assert_msg(!memcmp(given, &s, sizeof s), "%s: struct_size was changed", sized[_i].name);
        /* Times differ from call to call, names do not: compare the first fields. */
        const size_t same = written < 3 * sizeof s ? written : 3 * sizeof s;
        if (!status && s > sizeof s)
            ck_assert_msg(!memcmp(given + sizeof s, full + sizeof s, same - sizeof s),
                "%s: struct_size %zu: not filled", sized[_i].name, s);
    }
    eulercl_solver_destroy(shared_solver);
    eulercl_problem_destroy(shared_problem);
}
END_TEST

/* ---- problems ---- */

START_TEST(built_in_problems) {
    static const char *const names[] = {"bruss2d", "string"};
    eulercl_problem *problem = (eulercl_problem *)pattern;
    size_t i = 0;
    for (const char *name; (name = eulercl_problem_name(i)); i++) {
        eulercl_problem_info info = {.struct_size = sizeof info};
        ck_assert_str_eq(name, names[i]);
        OK(eulercl_problem_open(name, &problem, &error));
        OK(eulercl_problem_get_info(problem, &info, &error));
        ck_assert_str_eq(info.name, name);
        ck_assert(info.has_text && info.bits_guaranteed &&
                  info.n == info.extents[0] * info.extents[1] * info.components);
        eulercl_problem_destroy(problem);
    }
    ck_assert_uint_eq(i, 2);
    eulercl_problem *const before = problem;
    EXPECT_WORDS(
        EULERCL_INVALID, "bruss2d, string", eulercl_problem_open("brusselator", &problem, &error));
    EXPECT(EULERCL_INVALID, eulercl_problem_open("", &problem, &error));
    ck_assert_ptr_eq(problem, before);
    eulercl_problem_destroy(NULL);
}
END_TEST

static const struct {
    const char *problem, *name;
    double value;
    int status;
    const char *words;
} settings[] = {
    {"bruss2d", "m", 2, 0, NULL},
    {"bruss2d", "m", 1, EULERCL_INVALID, "bounds"},
    {"bruss2d", "m", 2.5, EULERCL_INVALID, "whole"},
    {"bruss2d", "m", 2e9, EULERCL_INVALID, "overflows"},
    {"bruss2d", "m", 3e9, EULERCL_INVALID, "bounds"},
    {"bruss2d", "m", -INFINITY, EULERCL_INVALID, "finite"},
    {"bruss2d", "alpha", 0, 0, NULL},
    {"bruss2d", "alpha", 1e9, 0, NULL},
    {"bruss2d", "alpha", -1e-300, EULERCL_INVALID, "bounds"},
    {"bruss2d", "alpha", NAN, EULERCL_INVALID, "finite"},
    {"bruss2d", "B", INFINITY, EULERCL_INVALID, "finite"},
    {"bruss2d", "a", 1, EULERCL_INVALID, "m, alpha, A, B"},
    {"bruss2d", "", 1, EULERCL_INVALID, "no parameter"},
    {"string", "points", 1, 0, NULL},
    {"string", "points", 0, EULERCL_INVALID, "bounds"},
    {"string", "points", 4e18, EULERCL_INVALID, "overflows"},
    {"string", "points", 1e15, 0, NULL},
    {"string", "K", -1e9, 0, NULL},
};

START_TEST(parameters_are_checked) {
    eulercl_problem *problem;
    eulercl_problem_info before = {.struct_size = sizeof before}, after = before;
    OK(eulercl_problem_open(settings[_i].problem, &problem, &error));
    OK(eulercl_problem_get_info(problem, &before, &error));
    double values[8];
    eulercl_parameter p = {.struct_size = sizeof p};
    for (size_t i = 0; i < before.parameters; i++) {
        OK(eulercl_problem_get_parameter(problem, i, &p, &error));
        ck_assert(
            p.value == p.default_value && p.min <= p.value && p.value <= p.max && p.unit && p.doc);
        values[i] = p.value;
    }
    EXPECT(EULERCL_INVALID, eulercl_problem_get_parameter(problem, before.parameters, &p, &error));
    if (settings[_i].status)
        EXPECT_WORDS(settings[_i].status, settings[_i].words,
            eulercl_problem_set(problem, settings[_i].name, settings[_i].value, &error));
    else
        OK(eulercl_problem_set(problem, settings[_i].name, settings[_i].value, &error));
    OK(eulercl_problem_get_info(problem, &after, &error));
    for (size_t i = 0; i < before.parameters; i++) {
        OK(eulercl_problem_get_parameter(problem, i, &p, &error));
        const int changed = !settings[_i].status && !strcmp(p.name, settings[_i].name);
        ck_assert_msg(
            p.value == (changed ? settings[_i].value : values[i]), "%s = %g", p.name, p.value);
    }
    if (settings[_i].status)
        ck_assert_msg(!memcmp(&before, &after, sizeof before),
            "a parameter that was refused changed the sizes");
    ck_assert(eulercl_problem_set(problem, "?", 1, NULL) == EULERCL_INVALID);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(every_size_or_its_neighbours) {
    eulercl_problem *bruss2d = open_size("bruss2d", 8), *string = open_size("string", 2);
    int64_t m = 2;
    for (int64_t n = 1; n <= 2000; n++) {
        char below[60], above[60];
        while (2 * m * m < n) m++;
        if (2 * m * m == n) {
            OK(eulercl_problem_set_size(bruss2d, n, &error));
            ck_assert_int_eq(size_of(bruss2d), n);
        } else {
            const int64_t before = size_of(bruss2d);
            snprintf(above, sizeof above, "%lld (m = %lld)", (long long)(2 * m * m), (long long)m);
            snprintf(below, sizeof below, "%lld (m = %lld)", (long long)(2 * (m - 1) * (m - 1)),
                (long long)(m - 1));
            EXPECT_WORDS(EULERCL_INVALID, above, eulercl_problem_set_size(bruss2d, n, &error));
            if (m > 2) ck_assert_msg(strstr(error.message, below) != NULL, "%s", error.message);
            ck_assert_int_eq(size_of(bruss2d), before);
        }
        if (n % 2)
            EXPECT_WORDS(EULERCL_INVALID, "points = ", eulercl_problem_set_size(string, n, &error));
        else
            OK(eulercl_problem_set_size(string, n, &error));
        ck_assert_int_eq(size_of(string), n / 2 * 2 + 2 * (n == 1));
    }
    eulercl_problem_destroy(bruss2d);
    eulercl_problem_destroy(string);
}
END_TEST

static const struct {
    const char *name;
    int64_t n;
    const char *words;
} extreme_sizes[] = {
    {"string", 0, "at least 1"},
    {"string", -1, "at least 1"},
    {"string", INT64_MIN, "at least 1"},
    {"string", INT64_MAX, "the largest is"},
    {"string", INT64_MAX - 1, "the largest is"},
    {"bruss2d", 1, "the smallest is 8 (m = 2)"},
    {"bruss2d", INT64_MAX, "the largest is"},
    {"bruss2d", INT64_MAX - 1, "the largest is"},
    {"bruss2d", 500000000000000001,
        "500000000000000000 (m = 500000000) and 500000002000000002 (m = 500000001)"},
};

START_TEST(extreme_sizes_are_answered) {
    eulercl_problem *problem;
    OK(eulercl_problem_open(extreme_sizes[_i].name, &problem, &error));
    const int64_t before = size_of(problem);
    EXPECT_WORDS(EULERCL_INVALID, extreme_sizes[_i].words,
        eulercl_problem_set_size(problem, extreme_sizes[_i].n, &error));
    ck_assert_int_eq(size_of(problem), before);
    /* A large size that exists is set, and a solver of it is refused for memory before anything is
     * computed. */
    OK(eulercl_problem_set_size(problem,
        !strcmp(extreme_sizes[_i].name, "string") ? (int64_t)1 << 52 : (int64_t)2 << 50, &error));
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    for (size_t w = 0; w < way_count; w++) {
        eulercl_options options;
        eulercl_solver *solver = NULL;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        EXPECT(EULERCL_MEMORY, eulercl_solver_create(problem, &options, &solver, &error));
        ck_assert_ptr_null(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(fixed_size_is_told) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&ode_problem_seven, &problem, &error));
    EXPECT_WORDS(EULERCL_INVALID, "n = 7", eulercl_problem_set_size(problem, 8, &error));
    EXPECT_WORDS(EULERCL_INVALID, "none", eulercl_problem_set(problem, "m", 8, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Initial and exact state: any range gives the same numbers as the whole; a float is the double,
 * rounded. */
static int get_initial(const eulercl_problem *p, enum eulercl_precision precision, int64_t first,
    int64_t count, void *y) {
    return eulercl_problem_initial(p, precision, first, count, y, &error);
}
static int get_exact(const eulercl_problem *p, enum eulercl_precision precision, int64_t first,
    int64_t count, void *y) {
    return eulercl_problem_exact(p, 0.375, precision, first, count, y, &error);
}
static const struct {
    const struct ode_problem *definition;
    int (*get)(const eulercl_problem *, enum eulercl_precision, int64_t, int64_t, void *);
} samples[] = {
    {&ode_problem_bruss2d, get_initial},
    {&ode_problem_string, get_initial},
    {&ode_problem_string, get_exact},
    {&ode_problem_diagonal, get_initial},
    {&ode_problem_string_thesis, get_exact},
    {&ode_problem_reverse, get_initial},
    {&ode_problem_heat_fields, get_initial},
};

START_TEST(ranges_of_known_states) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(samples[_i].definition, &problem, &error));
    if (_i == 0 || _i == 1 || _i == 2 || _i == 4) OK(eulercl_problem_set_size(problem, 50, &error));
    const int64_t n = size_of(problem);
    double whole[LENGTH], part[LENGTH];
    float single[LENGTH];
    fill(whole);
    OK(samples[_i].get(problem, EULERCL_DOUBLE, 0, n, whole));
    for (int64_t first = 0; first <= n; first++)
        for (int64_t count = 0; first + count <= n; count += 1 + count / 3) {
            fill(part);
            OK(samples[_i].get(problem, EULERCL_DOUBLE, first, count, part));
            SAME(part, whole + first, count, sizeof(double), "%lld .. +%lld", (long long)first,
                (long long)count);
            ck_assert_msg(
                !memcmp(part + count, pattern, sizeof part - (size_t)count * sizeof *part),
                "written past the range");
            OK(samples[_i].get(problem, EULERCL_FLOAT, first, count, single));
            for (int64_t i = 0; i < count; i++) ck_assert(single[i] == (float)whole[first + i]);
        }
    static const struct {
        int64_t first, count;
        int precision;
    } wrong[] = {
        {-1, 1, 8},
        {0, -1, 8},
        {INT64_MAX, 1, 8},
        {1, INT64_MAX, 8},
        {INT64_MIN, INT64_MAX, 8},
        {0, 1, 0},
        {0, 1, 5},
        {0, 1, -8},
        {0, INT64_MAX, 4},
    };
    fill(part);
    for (int w = 0; w < COUNT(wrong); w++) {
        EXPECT(EULERCL_INVALID, samples[_i].get(problem, (enum eulercl_precision)wrong[w].precision,
                                    wrong[w].first, wrong[w].count, part));
        UNTOUCHED(part);
    }
    EXPECT(EULERCL_INVALID, samples[_i].get(problem, EULERCL_DOUBLE, 0, n + 1, part));
    EXPECT(EULERCL_INVALID, samples[_i].get(problem, EULERCL_DOUBLE, n, 1, part));
    UNTOUCHED(part);
    if (!samples[_i].definition->exact)
        EXPECT(EULERCL_UNSUPPORTED,
            eulercl_problem_exact(problem, 0, EULERCL_DOUBLE, 0, 1, part, &error));
    UNTOUCHED(part);
    eulercl_problem_destroy(problem);
}
END_TEST

/* The initial states as the literature gives them. */
START_TEST(initial_states_are_the_known_ones) {
    eulercl_problem *bruss2d = open_size("bruss2d", 2 * 9 * 9),
                    *string = open_size("string", 2 * 9);
    double u[2 * 9 * 9], s[2 * 9];
    OK(eulercl_problem_initial(bruss2d, EULERCL_DOUBLE, 0, 2 * 9 * 9, u, &error));
    OK(eulercl_problem_initial(string, EULERCL_DOUBLE, 0, 2 * 9, s, &error));
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++) { /* y = row / 8, x = column / 8: exact */
            ck_assert(u[2 * (9 * row + column)] == 0.5 + row / 8.0);
            ck_assert(u[2 * (9 * row + column) + 1] == 1 + 5 * (column / 8.0));
        }
    for (int i = 0; i < 9; i++)
        ck_assert(fabs(s[2 * i] - sin(acos(-1) * (i + 1) / 10)) < 1e-15 && s[2 * i + 1] == 0);
    eulercl_problem_destroy(bruss2d);
    eulercl_problem_destroy(string);
}
END_TEST

/* A step adds h times what eulercl_evaluate gives, also at a time other than the solver's and
 * whatever the solver's state. */
START_TEST(right_hand_side_is_what_a_step_adds) {
    static const struct ode_problem *const definitions[] = {&ode_problem_bruss2d,
        &ode_problem_heat_fields, &ode_problem_forced_wave, &ode_problem_reverse};
    random_start(0x45 + (uint64_t)_i);
    for (int p = 0; p < COUNT(definitions); p++) {
        const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
        eulercl_problem *problem;
        eulercl_options options;
        eulercl_solver *solver;
        OK(eulercl_problem_create(definitions[p], &problem, &error));
        const int64_t n = size_of(problem);
        void *y = zeroed(n, precision), *f = zeroed(n, precision), *after = zeroed(n, precision),
             *sum = zeroed(n, precision);
        for (int64_t i = 0; i < n; i++) {
            const double value = random_real(-1, 1);
            if (_i)
                ((double *)y)[i] = value;
            else
                ((float *)y)[i] = (float)value;
        }
        options_for(&options, &(struct way){"seq", NULL, 0}, precision);
        options.t0 = 0.375;
        options.h = 0x1p-10;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_evaluate(solver, 0.375, y, f, &error));
        OK(eulercl_set_state(solver, y, &error));
        OK(eulercl_advance(solver, 1, &error));
        OK(eulercl_get_state(solver, after, &error));
        for (int64_t i = 0; i < n; i++)
            if (_i)
                ((double *)sum)[i] = fma(0x1p-10, ((double *)f)[i], ((double *)y)[i]);
            else
                ((float *)sum)[i] = fmaf(0x1p-10f, ((float *)f)[i], ((float *)y)[i]);
        SAME(sum, after, n, precision, "problem %d", p);
        memcpy(sum, f, (size_t)n * precision);
        OK(eulercl_evaluate(solver, 0.375, y, f, &error));
        SAME(f, sum, n, precision, "problem %d, after a step", p);
        EXPECT(EULERCL_INVALID, eulercl_evaluate(solver, NAN, y, f, &error));
        EXPECT(EULERCL_INVALID, eulercl_evaluate(solver, INFINITY, y, f, &error));
        SAME(f, sum, n, precision, "problem %d, after an error", p);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
        free(y), free(f), free(after), free(sum);
    }
}
END_TEST

/* ---- options ---- */

static void bad_precision(eulercl_options *o) { o->precision = (enum eulercl_precision)2; }
static void bad_h_zero(eulercl_options *o) { o->h = 0; }
static void bad_h_negative(eulercl_options *o) { o->h = -1e-3; }
static void bad_h_nan(eulercl_options *o) { o->h = NAN; }
static void bad_h_infinite(eulercl_options *o) { o->h = INFINITY; }
static void bad_h_float_zero(eulercl_options *o) {
    o->h = 1e-60;
    o->precision = EULERCL_FLOAT;
}
static void bad_h_float_infinite(eulercl_options *o) {
    o->h = 1e60;
    o->precision = EULERCL_FLOAT;
}
static void bad_t0_nan(eulercl_options *o) { o->t0 = NAN; }
static void bad_t0_infinite(eulercl_options *o) { o->t0 = -INFINITY; }
static void bad_observer_steps(eulercl_options *o) { o->observer_steps = -1; }
static void bad_context(eulercl_options *o) { o->cl_context = o; }
static void bad_queue(eulercl_options *o) { o->cl_queue = o; }
static void bad_size(eulercl_options *o) { o->struct_size = 0; }
static void bad_short(eulercl_options *o) { o->struct_size = 16; }
static void bad_long(eulercl_options *o) { o->struct_size = SIZE_MAX; }
static void bad_backend(eulercl_options *o) { o->backend = "cuda"; }
static void bad_backend_empty(eulercl_options *o) { o->backend = ""; }
static void bad_variant(eulercl_options *o) { GIVE_NAME(o, variant, "stream"); }
static void bad_tuning(eulercl_options *o) { memset(o->tuning, 0x7f, sizeof o->tuning); }
static void (*const bad_options[])(eulercl_options *) = {
    bad_precision,
    bad_h_zero,
    bad_h_negative,
    bad_h_nan,
    bad_h_infinite,
    bad_h_float_zero,
    bad_h_float_infinite,
    bad_t0_nan,
    bad_t0_infinite,
    bad_observer_steps,
    bad_context,
    bad_queue,
    bad_size,
    bad_short,
    bad_long,
    bad_backend,
    bad_backend_empty,
    bad_variant,
    bad_tuning,
};

/* What is no value of a tuning parameter is rejected, and leaves the options as they were. */
static const struct {
    const char *key, *value, *words;
} bad_values[] = {
    {"threads", "0", "threads is a whole number from 1 to 4096, or auto"},
    {"threads", "4097", "threads is"},
    {"threads", "-1", "threads is"},
    {"threads", "", "threads is"},
    {"threads", "2 ", "threads is"},
    {"threads", " 2", "threads is"},
    {"threads", "2.5", "threads is"},
    {"threads", "1e400", "threads is"},
    {"threads", "18446744073709551617", "threads is"},
    {"workgroup_size", "2147483648", "workgroup_size is"},
    {"workgroups", "9223372036854775807", "workgroups is"},
    {"dia_blocks", "1048577", "dia_blocks is"},
    {"honeycomb_steps", "524289", "honeycomb_steps is a whole number from 0 to 524288"},
    {"honeycomb_steps", "-1", "honeycomb_steps is"},
    {"pin_threads", "2", "pin_threads is"},
    {"uncached", "2", "uncached is 0 or 1"},
    {"uncached", "-1", "uncached is 0 or 1"},
    {"distribution", "sub", "distribution is one of mult, add, corr, auto"},
    {"distribution", "", "distribution is"},
    {"storage", "shared", "storage is one of local, global, column, auto"},
    {"variant", "fast", "variant is the name of a variant"},
    {"variant", "", "variant is"},
    {"backend", "seq", "no tuning parameter is called 'backend'"},
    {"", "1", "no tuning parameter"},
};

START_TEST(tuning_out_of_range) {
    eulercl_options options, before;
    eulercl_options_init(&options);
    GIVE(&options, threads, 3);
    before = options;
    EXPECT_WORDS(EULERCL_INVALID, bad_values[_i].words,
        eulercl_options_set(&options, bad_values[_i].key, bad_values[_i].value, &error));
    ck_assert_int_eq(eulercl_options_set(&options, bad_values[_i].key, bad_values[_i].value, NULL),
        EULERCL_INVALID);
    ck_assert_mem_eq(&options, &before, sizeof options);
}
END_TEST

/* Every parameter: its bounds and names are taken and come back, "auto" unsets it. */
START_TEST(tuning_is_listed) {
    eulercl_tuning_info info = {.struct_size = sizeof info};
    size_t count = 0;
    for (; !eulercl_get_tuning(count, &info, NULL); count++) {
        const char *const names[] = {"vector", NULL};
        char least[24], most[24], value[64];
        const char *const bounds[] = {least, most, NULL};
        eulercl_options options, unset;
        eulercl_options_init(&options);
        unset = options;
        ck_assert(*info.key && *info.doc && *info.backends && info.unit && info.default_text);
        snprintf(least, sizeof least, "%lld", (long long)info.least);
        snprintf(most, sizeof most, "%lld", (long long)info.most);
        const char *const *values = info.kind != EULERCL_CHOICE ? bounds
                                    : info.choices              ? info.choices
                                                                : names;
        for (; *values; values++) {
            OK(eulercl_options_set(&options, info.key, *values, &error));
            OK(eulercl_options_get(&options, info.key, value, sizeof value, &error));
            ck_assert_str_eq(value, *values);
            OK(eulercl_options_verify(&options, &error));
        }
        OK(eulercl_options_set(&options, info.key, _i ? "auto" : NULL, &error));
        OK(eulercl_options_get(&options, info.key, value, sizeof value, &error));
        ck_assert_str_eq(value, info.kind == EULERCL_SWITCH ? "0" : "auto");
        ck_assert_mem_eq(&options, &unset, sizeof options);
        EXPECT(EULERCL_INVALID, eulercl_options_get(&options, info.key, value, 1, &error));
    }
    ck_assert_uint_gt(count, 0);
    EXPECT(EULERCL_INVALID, eulercl_get_tuning(count, &info, &error));
}
END_TEST

/* Options of tiles mean nothing to other backends, whatever the values. */
START_TEST(options_at_their_bounds) {
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"},
                             *const storages[] = {NULL, "local", "global", "column"};
    eulercl_problem *problem = open_size("string", 20);
    for (int i = 0; i < 20; i++) {
        eulercl_options options;
        options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
        GIVE(&options, dia_blocks, i % 3 ? (uint64_t)(i % 3 == 1) : (uint64_t)1 << 20);
        GIVE(&options, honeycomb_steps, i % 2 ? (int64_t)1 << 19 : i % 4 ? 0 : -1);
        GIVE_NAME(&options, distribution, distributions[i % 5]);
        GIVE_NAME(&options, storage, storages[i % 4]);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats stats = stats_of(solver);
        ck_assert(!*stats.storage && !*stats.distribution && !*stats.note && !stats.tiles &&
                  !stats.dia_blocks && !stats.block_size && !stats.local_bytes);
        ck_assert(
            stats.steps_per_launch == 1 && !stats.global_bytes && !stats.redundant_component_steps);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* What is on the stack when a function begins. */
static __attribute__((noinline)) void fill_stack(void) {
    volatile unsigned char memory[8192];
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = 0x5a;
}

START_TEST(options_are_verified) {
    eulercl_options options;
    eulercl_options_init(&options);
    OK(eulercl_options_verify(&options, &error));
    options.h = -1;
    fill_stack();
    EXPECT_WORDS(EULERCL_INVALID, "step size", eulercl_options_verify(&options, &error));
    options.h = 1;
    options.backend = "none";
    EXPECT_WORDS(
        EULERCL_INVALID, "no backend is called 'none'", eulercl_options_verify(&options, &error));
}
END_TEST

START_TEST(options_out_of_range) {
    eulercl_problem *problem = open_size("string", 20);
    eulercl_solver *solver = NULL;
    eulercl_options options;
    double y[LENGTH];
    eulercl_options_init(&options);
    options.backend = "seq";
    bad_options[_i](&options);
    fill(y);
    EXPECT(EULERCL_INVALID, eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    EXPECT(EULERCL_INVALID, eulercl_solve(problem, &options, 1, y, NULL, &error));
    UNTOUCHED(y);
    ck_assert_int_eq(eulercl_solver_create(problem, &options, &solver, NULL), EULERCL_INVALID);
    eulercl_problem_destroy(problem);
}
END_TEST

/* An older program's options end earlier; a newer one's have more at the end. Both are taken. */
START_TEST(options_of_other_versions) {
    eulercl_problem *problem = open_size("string", 20);
    union {
        eulercl_options options;
        unsigned char bytes[1024];
    } o;
    for (size_t size = offsetof(eulercl_options, device); size <= sizeof(eulercl_options) + 64;
         size += _Alignof(eulercl_options)) {
        memset(&o, 0x5A, sizeof o);
        eulercl_options_init_size(&o.options, size);
        const size_t known = size < sizeof o.options ? size : sizeof o.options;
        ck_assert_uint_eq(o.options.struct_size, known);
        for (size_t i = known; i < sizeof o; i++)
            ck_assert_msg(o.bytes[i] == 0x5A, "byte %zu of a struct of %zu", i, size);
        o.options.backend = "seq";
        o.options.h = 0.25;
        o.options.struct_size = size;
        eulercl_solver *solver = make(problem, &o.options);
        OK(eulercl_advance(solver, 1, &error));
        ck_assert(stats_of(solver).t == 0.25);
        eulercl_solver_destroy(solver);
    }
    const size_t wrong[] = {0, 1, 16, offsetof(eulercl_options, device) - 8,
        offsetof(eulercl_options, device) + 1, sizeof(eulercl_options) + 4, 8192, SIZE_MAX};
    for (int i = 0; i < COUNT(wrong); i++) {
        eulercl_solver *none = NULL;
        o.options.struct_size = wrong[i];
        EXPECT_WORDS(EULERCL_INVALID, "eulercl_options_init first",
            eulercl_solver_create(problem, &o.options, &none, &error));
        ck_assert_ptr_null(none);
    }
    eulercl_solver *solver = make(problem, NULL); /* all defaults */
    ck_assert_str_ne(stats_of(solver).backend, "auto");
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(NULL);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(backends_are_listed) {
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    const int opencl = have_opencl();
    eulercl_problem *problem = open_size("string", 20);
    size_t b = 0;
    for (; !eulercl_get_backend(b, &backend, &error); b++) {
        ck_assert(backend.name && backend.doc && *backend.doc && backend.variants);
        if (backend.is_opencl && !opencl) continue;
        eulercl_options options;
        options_for(&options, &(struct way){backend.name, NULL, 0}, EULERCL_DOUBLE);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats stats = stats_of(solver);
        ck_assert_str_eq(stats.backend, backend.name);
        /* The default may leave it to the library. */
        size_t v = 0;
        while (backend.variants[v] && strcmp(backend.variants[v], stats.variant)) v++;
        ck_assert(backend.variants[v] || (!v && !*stats.variant));
        ck_assert_int_eq(stats.n, 20);
        ck_assert_int_eq(stats.threads != 0, !backend.is_opencl);
        ck_assert_int_eq(
            stats.workgroup_size && stats.workgroups && stats.device_id[0], backend.is_opencl);
        ck_assert(stats.device[0] && stats.device_bytes >= 2 * 20 * sizeof(double) &&
                  stats.precision == EULERCL_DOUBLE);
        void *buffer = pattern;
        if (!backend.is_opencl)
            EXPECT(EULERCL_UNSUPPORTED, eulercl_borrow_buffer(solver, &buffer, &error));
        if (!backend.is_opencl) ck_assert_ptr_eq(buffer, pattern);
        eulercl_solver_destroy(solver);
    }
    ck_assert_uint_ge(b, 6);
    ck_assert_int_eq(error.code, EULERCL_INVALID);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(devices_are_chosen) {
    eulercl_problem *problem = open_size("string", 20);
    eulercl_options options;
    eulercl_solver *solver = NULL;
    eulercl_device_info device = {.struct_size = sizeof device};
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    options.device = "no such device";
    EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
    options.device = "99:0";
    EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
    EXPECT(EULERCL_NO_DEVICE, eulercl_get_device(100000, &device, &error));
    if (have_opencl())
        for (size_t d = 0; !eulercl_get_device(d, &device, &error); d++) {
            ck_assert(device.name[0] && device.platform[0] && device.compute_units &&
                      device.global_bytes >= device.max_allocation_bytes);
            const char *const words[] = {device.id, device.name,
                device.name + strlen(device.name) / 2, device.is_cpu ? "cpu" : "gpu"};
            for (int i = 0; i < 2 * COUNT(words); i++) {
                options.device =
                    i < COUNT(words) ? words[i] : NULL; /* second round: from the environment */
                if (i >= COUNT(words)) setenv("EULERCL_DEVICE", words[i - COUNT(words)], 1);
                solver = make(problem, &options);
                if (d == 0 && i % COUNT(words) == 0)
                    ck_assert_str_eq(stats_of(solver).device_id, device.id);
                eulercl_solver_destroy(solver);
            }
            setenv("EULERCL_DEVICE", "no such device", 1);
            EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
            options.device = device.id; /* the option wins */
            eulercl_solver_destroy(make(problem, &options));
            unsetenv("EULERCL_DEVICE");
            GIVE(&options, workgroup_size, device.max_workgroup_size + 1);
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "work-group",
                eulercl_solver_create(problem, &options, &solver, &error));
            GIVE(&options, workgroup_size, 0);
        }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- the state ---- */

START_TEST(states_come_back) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    random_start(1);
    for (size_t w = 0; w < way_count; w++)
        for (int p = 4; p <= 8; p += 4) {
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

/* A problem whose result depends on the time: the same start, any split of the steps, the same
 * bits. */
static eulercl_problem *wave(void) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&ode_problem_forced_wave, &problem, &error));
    OK(eulercl_problem_set(problem, "points", 25, &error));
    return problem;
}
enum { WAVE = 50 };

/* Launches that so many steps in one go take: with tiles one for each pass. cl-honeycomb with
 * honeycomb_steps = 0 is not meant. */
static uint64_t launches_of(const eulercl_stats *s, int64_t steps) {
    const tile_shape shape = {.n = s->n,
        .block = (int64_t)s->block_size,
        .halo = 4,
        .blocks = (int64_t)s->dia_blocks,
        .cut = (int64_t)s->steps_per_launch};
    if (!s->tiles) return (uint64_t)steps;
    if (!s->dia_blocks) return ((uint64_t)steps + s->steps_per_launch - 1) / s->steps_per_launch;
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
    {1 + 0.125 * 0.9e-9, 0, 0},
    {1 + 0.125 * 1.1e-9, 1, 1},
    {1.0625, 1, 1},
    {1.3, 3, 1},
    {2.5, 12, 0},
    {3.99, 24, 1},
};

/* From the state y at time t: n steps of h with a solver of its own. */
static void steps_from(
    const eulercl_problem *problem, double t, double h, int64_t steps, double *y) {
    eulercl_options options;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.t0 = t;
    options.h = h;
    OK(eulercl_solve(problem, &options, steps, y, NULL, &error));
}

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

/* ---- observers ---- */

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

/* ---- tiles ---- */

#ifdef HAVE_OPENCL

static const struct {
    const char *backend, *storage;
    const char *words;
} storage_pairs[] = {
    {"cl-row-diamond", "local", NULL},
    {"cl-row-diamond", "global", NULL},
    {"cl-row-diamond", "column", "cl-row-diamond has no storage 'column'"},
    {"cl-column-diamond", "column", NULL},
    {"cl-column-diamond", "local", "no storage"},
    {"cl-column-diamond", "global", "no storage"},
    {"cl-honeycomb", "local", NULL},
    {"cl-honeycomb", "column", NULL},
    {"cl-honeycomb", "global", NULL},
};

/* Where no device is needed to say so: kernel_source. */
START_TEST(storages_belong_to_backends) {
    eulercl_problem *problem = open_size("string", 20);
    for (int i = 0; i < COUNT(storage_pairs); i++) {
        eulercl_options options;
        eulercl_solver *solver = NULL;
        char *source = NULL;
        options_for(&options, &(struct way){storage_pairs[i].backend, NULL, 1}, EULERCL_FLOAT);
        GIVE_NAME(&options, storage, storage_pairs[i].storage);
        if (!storage_pairs[i].words) {
            OK(eulercl_kernel_source(problem, &options, &source, &error));
            ck_assert(
                strstr(source, "tile_shape") &&
                strstr(source, !strcmp(options.backend, "cl-column-diamond") ? "void tile_columns("
                                                                             : "void tile_rows("));
        } else {
            EXPECT_WORDS(EULERCL_INVALID, storage_pairs[i].words,
                eulercl_kernel_source(problem, &options, &source, &error));
            if (have_opencl())
                EXPECT_WORDS(EULERCL_INVALID, storage_pairs[i].words,
                    eulercl_solver_create(problem, &options, &solver, &error));
        }
        eulercl_free(source);
        ck_assert_ptr_null(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* STRING, n = 2,000, k = 3: blocks of 4 (columns: 4 times the items). What is asked for, and the
 * tile that must come of it. */
static const struct {
    const char *backend, *storage;
    uint64_t dia_blocks;
    int64_t honeycomb_steps;
    uint64_t blocks, block, steps;
    int is_linear;
} tilings[] = {
    {"cl-row-diamond", NULL, 7, -1, 8, 4, 4, 0},
    {"cl-row-diamond", "local", 1, -1, 2, 4, 1, 0},
    {"cl-row-diamond", "global", 20, 3, 20, 4, 10, 0},
    {"cl-column-diamond", NULL, 5, -1, 6, 16, 3, 0},
    {"cl-column-diamond", "column", 2, 0, 2, 16, 1, 0},
    {"cl-honeycomb", NULL, 20, 3, 20, 4, 3, 0},
    {"cl-honeycomb", "local", 9, 5, 10, 4, 5, 0},
    {"cl-honeycomb", "local", 9, 6, 10, 4, 5, 0},
    {"cl-honeycomb", "local", 10, 1 << 19, 10, 4, 5, 0},
    {"cl-honeycomb", "column", 12, 1, 12, 4, 1, 0},
    {"cl-honeycomb", "column", 12, 0, 12, 4, 1, 1},
    {"cl-honeycomb", NULL, 12, 0, 12, 4, 1, 1},
    {"cl-honeycomb", "global", 3, 2, 4, 4, 2, 0},
    {"cl-honeycomb", "global", 3, 0, 4, 4, 1, 1},
};

START_TEST(tiles_are_reported) {
    if (!have_opencl()) return;
    enum { N = 2000 };
    eulercl_problem *problem = open_size("string", N);
    eulercl_device_info device = {.struct_size = sizeof device};
    double *y = zeroed(N, sizeof *y), *expected = zeroed(N, sizeof *y);
    OK(eulercl_get_device(0, &device, &error));
    for (int i = 0; i < COUNT(tilings); i++) {
        eulercl_options options;
        const int64_t steps[] = {1, 0, 17, 8, 2};
        options_for(&options, &(struct way){tilings[i].backend, NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        options.device = device.id;
        GIVE(&options, dia_blocks, tilings[i].dia_blocks);
        GIVE(&options, honeycomb_steps, tilings[i].honeycomb_steps);
        GIVE_NAME(&options, storage, tilings[i].storage);
        eulercl_solver *solver = make(problem, &options);
        eulercl_stats s = stats_of(solver);
        ck_assert(s.dia_blocks == tilings[i].blocks && s.block_size == tilings[i].block &&
                  s.steps_per_launch == tilings[i].steps);
        ck_assert(s.launches == 0 && s.global_bytes == 0 && s.workgroup_size == 4 &&
                  s.redundant_component_steps == 0);
        ck_assert_str_eq(s.distribution, "");
        ck_assert_str_eq(s.note, "");
        ck_assert_str_eq(s.storage, tilings[i].storage                       ? tilings[i].storage
                                    : strcmp(s.backend, "cl-column-diamond") ? "local"
                                                                             : "column");
        const uint64_t room = (s.dia_blocks + 2) * s.block_size * sizeof(double);
        ck_assert_uint_eq(s.local_bytes, !strcmp(s.storage, "local")    ? 2 * room
                                         : !strcmp(s.storage, "column") ? room
                                                                        : 0);
        ck_assert_uint_lt(s.local_bytes, device.local_bytes);
        /* Between two tiles of a launch there is room for those of the next. */
        const uint64_t total = (N + s.block_size - 1) / s.block_size,
                       period = tilings[i].is_linear ? s.dia_blocks
                                                     : 2 * (s.dia_blocks - s.steps_per_launch);
        ck_assert(
            s.tiles >= total / period && s.tiles <= total / period + 2 && s.workgroups == s.tiles);
        /* A launch is a pass. */
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, expected, &error));
        const tile_shape shape = {N, (int64_t)s.block_size, 4, (int64_t)s.dia_blocks,
            tilings[i].is_linear ? 0 : (int64_t)s.steps_per_launch};
        uint64_t launches = 0, bytes = 0;
        for (int k = 0; k < COUNT(steps); k++) {
            OK(eulercl_advance(solver, steps[k], &error));
            if (steps[k])
                launches +=
                    (uint64_t)(tile_last_pass(shape, steps[k]) - tile_first_pass(shape) + 1);
            s = stats_of(solver);
            ck_assert_uint_eq(s.launches, launches);
            ck_assert_uint_eq(s.redundant_component_steps, 0);
            /* Each component of the last level at least is read and written; at most each of every
             * level, its neighbourhood included. */
            const uint64_t most =
                (2 + (steps[k] ? s.dia_blocks * 8 : 0)) * N * sizeof(double) * (uint64_t)steps[k];
            ck_assert(s.global_bytes - bytes >= (steps[k] ? 2 * N * sizeof(double) : 0) &&
                      s.global_bytes - bytes <= most);
            bytes = s.global_bytes;
        }
        steps_from(problem, 0, options.h, 28, expected);
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, N, sizeof *y, "tiling %d", i);
        eulercl_solver_destroy(solver);
    }
    free(y);
    free(expected);
    eulercl_problem_destroy(problem);
}
END_TEST

/* STRING, n = 16: four blocks of 4, counted by hand. Diamonds of 4 blocks take two launches for two
   steps: the first loads 16 components and stores 8, each of the two half diamonds of the second
   loads 8 for its first row and 8 for the second, and stores 8. Without interlocking, two tiles of
   8 load 12 each. */
static const struct {
    const char *backend, *storage;
    uint64_t dia_blocks;
    int64_t honeycomb_steps, steps;
    uint64_t components;
} traffics[] = {
    {"cl-row-diamond", "local", 4, -1, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-honeycomb", "local", 4, 2, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-honeycomb", "column", 4, 2, 2, 16 + 8 + 2 * (8 + 8 + 8)},
    {"cl-row-diamond", "global", 4, -1, 2, 16 + 8 + 2 * (8 + 4 + 12 + 8)},
    {"cl-honeycomb", "local", 2, 0, 3, 3 * 2 * (12 + 8)},
    {"cl-honeycomb", "global", 2, 0, 3, 3 * 2 * (12 + 8)},
    {"cl-linear", NULL, 0, -1, 3, 3 * 2 * 16},
};

START_TEST(traffic_is_counted) {
    if (!have_opencl()) return;
    eulercl_problem *problem = open_size("string", 16);
    for (int i = 0; i < COUNT(traffics); i++) {
        eulercl_options options;
        options_for(&options, &(struct way){traffics[i].backend, NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        GIVE(&options, dia_blocks, traffics[i].dia_blocks);
        GIVE(&options, honeycomb_steps, traffics[i].honeycomb_steps);
        GIVE_NAME(&options, storage, traffics[i].storage);
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_advance(solver, traffics[i].steps, &error));
        ck_assert_msg(stats_of(solver).global_bytes == traffics[i].components * sizeof(double),
            "%s %s: %llu bytes, not %llu", traffics[i].backend, traffics[i].storage,
            (unsigned long long)stats_of(solver).global_bytes,
            (unsigned long long)traffics[i].components * sizeof(double));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(distributions_are_kept) {
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"};
    static const char *const backends[] = {"cl-row-diamond", "cl-honeycomb"};
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    for (int i = 0; i < 2 * COUNT(distributions); i++) {
        eulercl_problem *problem = open_size("string", i % 3 ? 2000 : 2);
        const char *wanted = distributions[i / 2];
        eulercl_options options;
        options_for(&options, &(struct way){backends[i % 2], NULL, 1}, EULERCL_DOUBLE);
        GIVE(&options, workgroup_size, 4);
        options.device = device.id;
        GIVE_NAME(&options, distribution, wanted);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats s = stats_of(solver);
        ck_assert(s.tiles >= 1 && s.dia_blocks >= 2 && s.local_bytes < device.local_bytes);
        if (i / 2 > 1) ck_assert_str_eq(s.distribution, wanted);
        eulercl_solver_destroy(solver);
        GIVE(&options, dia_blocks, 6); /* then nothing is left to distribute */
        solver = make(problem, &options);
        ck_assert_str_eq(stats_of(solver).distribution, "");
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* A problem whose smallest tile in two buffers needs about `part` of the device's local memory. */
static eulercl_problem *wide_problem(
    const eulercl_device_info *device, double part, int64_t *halo, int64_t *n) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&ode_problem_distant, &problem, &error));
    *halo = (int64_t)(part * (double)device->local_bytes / (2 * 4 * sizeof(double))) / 4 * 4;
    *n = 6 * *halo + 5;
    OK(eulercl_problem_set(problem, "distance", (double)(*halo - 1), &error));
    OK(eulercl_problem_set_size(problem, *n, &error));
    return problem;
}

static void expect_refused(const eulercl_problem *problem, eulercl_options *options,
    const char *backend, const char *storage, const char *words, uint64_t bytes) {
    eulercl_solver *solver = NULL;
    char number[40];
    options->backend = backend;
    GIVE_NAME(options, storage, storage);
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, words, eulercl_solver_create(problem, options, &solver, &error));
    snprintf(number, sizeof number, " %llu bytes", (unsigned long long)bytes);
    ck_assert_msg(strstr(error.message, number) && strstr(error.message, backend), "no '%s' in: %s",
        number, error.message);
    ck_assert_ptr_null(solver);
}

START_TEST(tiles_too_large_are_refused) {
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    int64_t halo, n;
    OK(eulercl_get_device(0, &device, &error));
    eulercl_options options;
    options_for(&options, &(struct way){NULL, NULL, 1}, EULERCL_DOUBLE);
    options.device = device.id;
    GIVE(&options, workgroup_size, 4);
    /* Two buffers do not fit, one does: columns. */
    eulercl_problem *problem = wide_problem(&device, 1.5, &halo, &n);
    const uint64_t buffer = 4 * (uint64_t)halo * sizeof(double);
    expect_refused(problem, &options, "cl-row-diamond", NULL,
        "cl-column-diamond and the column storage of cl-honeycomb", 2 * buffer);
    expect_refused(
        problem, &options, "cl-honeycomb", "local", "column storage of cl-honeycomb", 2 * buffer);
    GIVE(&options, dia_blocks, 8);
    expect_refused(problem, &options, "cl-row-diamond", NULL, "fewer blocks",
        2 * (uint64_t)tile_min(10 * halo, tile_round(n, 4)) * sizeof(double));
    GIVE(&options, dia_blocks, 0);
    GIVE_NAME(&options, storage, NULL);
    options.backend = "seq";
    double *y = zeroed(n, sizeof *y), *expected = zeroed(n, sizeof *y);
    static const char *const taken[][2] = {{"cl-honeycomb", "column"},
        {"cl-column-diamond", "column"}, {"cl-row-diamond", "global"}, {"cl-honeycomb", "global"}};
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, expected, &error));
    OK(eulercl_solve(problem, &options, 5, expected, NULL, &error));
    for (int i = 0; i < COUNT(taken); i++) {
        options.backend = taken[i][0];
        GIVE_NAME(&options, storage, i < 2 ? NULL : taken[i][1]);
        eulercl_solver *solver = make(problem, &options);
        ck_assert_str_eq(stats_of(solver).storage, taken[i][1]);
        ck_assert_uint_eq(stats_of(solver).local_bytes, i < 2 ? buffer : 0);
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 5, &error));
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, n, sizeof *y, "%s, %s", taken[i][0], taken[i][1]);
        eulercl_solver_destroy(solver);
    }
    free(y);
    free(expected);
    eulercl_problem_destroy(problem);
    /* Not even one buffer fits. */
    problem = wide_problem(&device, 2.5, &halo, &n);
    const uint64_t column = 4 * (uint64_t)halo * sizeof(double);
    expect_refused(problem, &options, "cl-row-diamond", NULL, "cl-linear needs none", 2 * column);
    expect_refused(problem, &options, "cl-column-diamond", NULL, "cl-linear needs none", column);
    expect_refused(problem, &options, "cl-honeycomb", NULL, "cl-linear needs none", column);
    eulercl_problem_destroy(problem);
    /* BRUSS2D: k = 2 m. Refused before its state is made. */
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    const int64_t m = (int64_t)(device.local_bytes / (2 * 4 * sizeof(float)) / 2) + 10;
    OK(eulercl_problem_set(problem, "m", (double)m, &error));
    options.precision = EULERCL_FLOAT;
    if (16 * (uint64_t)m * (uint64_t)m < device.global_bytes)
        expect_refused(problem, &options, "cl-row-diamond", NULL, "cl-column-diamond",
            2 * 4 * (uint64_t)tile_round(2 * m, 4) * sizeof(float));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Any component may read any other: one tile, or none. */
START_TEST(unlimited_access_distance) {
    static const struct ode_problem *const definitions[] = {
        &ode_problem_reverse, &ode_problem_advection};
    static const char *const backends[] = {"cl-row-diamond", "cl-column-diamond", "cl-honeycomb"};
    if (!have_opencl()) return;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    for (int d = 0; d < COUNT(definitions); d++)
        for (int b = 0; b < COUNT(backends); b++) {
            eulercl_problem *problem;
            eulercl_options options;
            double y[23], expected[23];
            OK(eulercl_problem_create(definitions[d], &problem, &error));
            OK(eulercl_problem_set_size(problem, 23, &error));
            OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 23, expected, &error));
            steps_from(problem, 0, 1e-4, 50, expected);
            options_for(&options, &(struct way){backends[b], NULL, 1}, EULERCL_DOUBLE);
            options.device = device.id;
            GIVE(&options, workgroup_size, 4);
            eulercl_solver *solver = make(problem, &options);
            const eulercl_stats s = stats_of(solver);
            ck_assert_msg(s.tiles == 1 || s.dia_blocks == 2, "%s: %llu tiles of %llu blocks",
                backends[b], (unsigned long long)s.tiles, (unsigned long long)s.dia_blocks);
            OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance(solver, 50, &error));
            OK(eulercl_get_state(solver, y, &error));
            SAME(y, expected, 23, sizeof *y, "%s", backends[b]);
            eulercl_solver_destroy(solver);
            solver = NULL;
            OK(eulercl_problem_set_size(
                problem, (int64_t)(device.local_bytes / sizeof(double)) + 7, &error));
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "access distance is unlimited",
                eulercl_solver_create(problem, &options, &solver, &error));
            ck_assert_msg(strstr(error.message, "bytes of local memory") &&
                              strstr(error.message, "cl-linear solves it"),
                "%s", error.message);
            ck_assert_ptr_null(solver);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

#endif

/* ---- several at once, and all in one ---- */

struct job {
    struct way way;
    int64_t m;
    double *y;
    int status;
    pthread_t thread;
};

static void *do_job(void *argument) {
    struct job *job = argument;
    eulercl_problem *problem = NULL;
    eulercl_options options;
    options_for(&options, &job->way, EULERCL_DOUBLE);
    GIVE(&options, threads, 2);
    job->status = eulercl_problem_open("bruss2d", &problem, NULL);
    if (!job->status) job->status = eulercl_problem_set(problem, "m", (double)job->m, NULL);
    if (!job->status)
        job->status =
            eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 2 * job->m * job->m, job->y, NULL);
    if (!job->status)
        job->status = eulercl_solve(problem, &options, 50 + job->m, job->y, NULL, NULL);
    eulercl_problem_destroy(problem);
    return NULL;
}

START_TEST(solvers_in_several_threads) {
    enum { JOBS = 12 };
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    static struct job jobs[JOBS];
    for (int round = 0; round < 3; round++) {
        for (int j = 0; j < JOBS; j++) {
            jobs[j].way = ways[((size_t)j + (size_t)round) % way_count];
            jobs[j].m = 5 + 3 * (j % 4);
            jobs[j].y = zeroed(2 * jobs[j].m * jobs[j].m, sizeof(double));
            ck_assert(!pthread_create(&jobs[j].thread, NULL, do_job, &jobs[j]));
        }
        for (int j = 0; j < JOBS; j++) pthread_join(jobs[j].thread, NULL);
        for (int j = 0; j < JOBS; j++) {
            struct job alone = {.way = ways[0],
                .m = jobs[j].m,
                .y = zeroed(2 * jobs[j].m * jobs[j].m, sizeof(double))};
            do_job(&alone);
            ck_assert_int_eq(alone.status, EULERCL_OK);
            ck_assert_msg(!jobs[j].status, "%s: %s", jobs[j].way.backend,
                eulercl_status_name(jobs[j].status));
            SAME(jobs[j].y, alone.y, 2 * alone.m * alone.m, sizeof(double), "%s among others",
                jobs[j].way.backend);
            free(alone.y);
            free(jobs[j].y);
        }
    }
}
END_TEST

START_TEST(all_in_one) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem = wave();
    for (size_t w = 0; w < way_count; w++) {
        double y[LENGTH], z[LENGTH];
        eulercl_options options;
        eulercl_stats stats = {.struct_size = sizeof stats};
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        options.t0 = 0.5;
        fill(y);
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, y, &error));
        memcpy(z, y, sizeof z);
        OK(eulercl_solve(problem, &options, 33, y, &stats, &error));
        steps_from(problem, 0.5, options.h, 33, z);
        SAME(y, z, LENGTH, sizeof *y, "%s", ways[w].backend);
        ck_assert(stats.steps == 33 && stats.n == WAVE && stats.t == 0.5 + 33 * options.h);
        ck_assert_str_eq(stats.backend, "");
        EXPECT(EULERCL_INVALID, eulercl_solve(problem, &options, -1, y, &stats, &error));
        SAME(y, z, LENGTH, sizeof *y, "a call that failed");
        stats.struct_size = 0;
        EXPECT(EULERCL_INVALID, eulercl_solve(problem, &options, 1, y, &stats, &error));
        SAME(y, z, LENGTH, sizeof *y, "a call that failed");
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Plausible figures for every kind of machine, whatever they are; nothing is written where it
 * fails. */
START_TEST(ceilings_are_measured) {
    static const char *const backends[] = {"seq", "pthreads", "cl-linear", NULL};
    for (int b = 0; b < COUNT(backends); b++) {
        if (backends[b] && !strncmp(backends[b], "cl-", 3) && !have_opencl()) continue;
        eulercl_options options;
        options_for(
            &options, &(struct way){backends[b], NULL, 0}, b % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE);
        GIVE(&options, threads, 2);
        eulercl_ceilings ceilings = {.struct_size = sizeof ceilings};
        OK(eulercl_measure_ceilings(&options, &ceilings, &error));
        ck_assert(ceilings.precision == options.precision && ceilings.device[0]);
        ck_assert_msg(isfinite(ceilings.copy_bytes_per_second) &&
                          ceilings.copy_bytes_per_second > 1e6 &&
                          ceilings.copy_bytes_per_second < 1e15,
            "%g bytes/s", ceilings.copy_bytes_per_second);
        ck_assert_msg(isfinite(ceilings.fma_per_second) && ceilings.fma_per_second > 1e6 &&
                          ceilings.fma_per_second < 1e16,
            "%g operations/s", ceilings.fma_per_second);
    }
    eulercl_options options;
    eulercl_options_init(&options);
    eulercl_ceilings ceilings = {.struct_size = 0}, untouched_ones = ceilings;
    EXPECT(EULERCL_INVALID, eulercl_measure_ceilings(&options, &ceilings, &error));
    ceilings.struct_size = untouched_ones.struct_size = sizeof ceilings;
    options.backend = "nonsense";
    EXPECT_WORDS(
        EULERCL_INVALID, "nonsense", eulercl_measure_ceilings(&options, &ceilings, &error));
    options.backend = "cl-linear";
    options.device = "no such device";
    EXPECT(EULERCL_NO_DEVICE, eulercl_measure_ceilings(&options, &ceilings, &error));
    ck_assert(!memcmp(&ceilings, &untouched_ones, sizeof ceilings));
}
END_TEST

#ifdef HAVE_PTHREAD_SETAFFINITY_NP
/* Threads of this process that keep to one core. */
static int pinned_threads(void) {
    int pinned = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        cpu_set_t set;
        pinned += atoi(task->d_name) && !sched_getaffinity(atoi(task->d_name), sizeof set, &set) &&
                  CPU_COUNT(&set) == 1;
    }
    if (tasks) closedir(tasks);
    return pinned;
}

/* More threads than cores only wait for each other: the default variant does not use them, and the
 * others say so. */
START_TEST(threads_keep_to_the_cores) {
    cpu_set_t set;
    ck_assert(!sched_getaffinity(0, sizeof set, &set));
    const int cores = CPU_COUNT(&set);
    static const char *const variants[] = {NULL, "auto", "lanes", "tiles", "barrier"};
    eulercl_problem *problem = open_size("string", 200000);
    for (int v = 0; v < COUNT(variants); v++)
        for (int by_planner = 0; by_planner < (v ? 1 : 2); by_planner++) {
            eulercl_options options;
            options_for(&options, &(struct way){by_planner ? "auto" : "pthreads", variants[v], 0},
                EULERCL_DOUBLE);
            options.device = "cpu";
            options.wisdom = "";
            GIVE(&options, threads, cores + 5);
            eulercl_solver *solver = make(problem, &options);
            const eulercl_stats stats = stats_of(solver);
            const int is_default = v < 2, is_barrier = v == COUNT(variants) - 1;
            ck_assert_msg(is_default ? stats.threads <= (uint64_t)cores
                                     : stats.threads <= (uint64_t)GIVEN(&options, threads),
                "%s: %llu threads", variants[v], (unsigned long long)stats.threads);
            if (is_barrier) ck_assert_int_eq((int64_t)stats.threads, GIVEN(&options, threads));
            ck_assert_msg(
                (stats.threads > (uint64_t)cores) == !!strstr(stats.note, "threads share"),
                "%s: %s", variants[v], stats.note);
            eulercl_solver_destroy(solver);
        }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Its own threads for good, the caller's for as long as it computes; the result is the same. */
START_TEST(threads_are_pinned) {
    static const char *const backends[] = {"seq", "pthreads"};
    eulercl_problem *problem = open_size("string", 300);
    cpu_set_t all, after;
    ck_assert(!sched_getaffinity(0, sizeof all, &all));
    if (CPU_COUNT(&all) < 2) fprintf(stderr, "skipped in part: one core\n");
    for (int b = 0; b < COUNT(backends); b++) {
        double y[2][300];
        for (int pin = 0; pin < 2; pin++) {
            eulercl_options options;
            options_for(
                &options, &(struct way){backends[b], b ? "barrier" : NULL, 0}, EULERCL_DOUBLE);
            GIVE(&options, threads, 3);
            GIVE(&options, pin_threads, pin);
            const int before = pinned_threads();
            eulercl_solver *solver = make(problem, &options);
            if (CPU_COUNT(&all) > 1) ck_assert_int_eq(pinned_threads() - before, b && pin ? 2 : 0);
            OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance(solver, 9, &error));
            OK(eulercl_get_state(solver, y[pin], &error));
            ck_assert(!sched_getaffinity(0, sizeof after, &after) && CPU_EQUAL(&all, &after));
            eulercl_solver_destroy(solver);
        }
        SAME(y[1], y[0], 300, sizeof(double), "%s, pinned", backends[b]);
    }
    eulercl_problem_destroy(problem);
}
END_TEST
#endif

START_TEST(kernel_source_is_shown) {
    eulercl_problem *problem = open_size("string", 20);
    eulercl_options options;
    char *source = (char *)pattern;
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    EXPECT(EULERCL_UNSUPPORTED, eulercl_kernel_source(problem, &options, &source, &error));
    ck_assert_ptr_eq(source, pattern);
    options.backend = NULL;
#ifdef HAVE_OPENCL
    OK(eulercl_kernel_source(problem, &options, &source, &error));
    ck_assert(strstr(source, "__kernel") && strstr(source, "DOT(V) = K2 * LAPLACE(U);") &&
              strstr(source, "#define ODE_DOUBLE 1"));
    eulercl_free(source);
    options.precision = EULERCL_FLOAT;
    OK(eulercl_kernel_source(problem, &options, &source, &error));
    ck_assert(strstr(source, "#define ODE_DOUBLE 0") != NULL);
    eulercl_free(source);
#else
    EXPECT(EULERCL_NO_DEVICE, eulercl_kernel_source(problem, &options, &source, &error));
#endif
    eulercl_free(NULL);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- OpenCL: the caller's own objects, and no device ---- */

#ifdef HAVE_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* What "auto" makes of systems and options that not every backend can serve. */
static void auto_finds_a_way(const eulercl_problem *problem, const eulercl_options *with_queue) {
    eulercl_options options = *with_queue;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    static const double parts[] = {1.5, 2.5}; /* one buffer fits, none fits */
    for (int i = 0; i < COUNT(parts); i++) {
        int64_t halo, n;
        eulercl_problem *wide = wide_problem(&device, parts[i], &halo, &n);
        GIVE_NAME(&options, storage, "local");
        eulercl_solver *solver = make(wide, &options);
        ck_assert_str_eq(stats_of(solver).plan, "estimate");
        ck_assert_str_eq(stats_of(solver).backend, "cl-linear");
        ck_assert_msg(strstr(stats_of(solver).note, "keeps to storage=local") != NULL, "%s",
            stats_of(solver).note);
        eulercl_solver_destroy(solver);
        GIVE_NAME(&options, storage, NULL);
        solver = make(wide, &options);
        ck_assert_str_eq(stats_of(solver).note, "");
        ck_assert_msg(strstr(stats_of(solver).plan_reason, stats_of(solver).backend) ==
                          stats_of(solver).plan_reason,
            "%s", stats_of(solver).plan_reason);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(wide);
    }
    GIVE(&options, honeycomb_steps, 1);
    eulercl_solver *solver = make(problem, &options);
    ck_assert_str_eq(stats_of(solver).backend, "cl-honeycomb");
    ck_assert_uint_eq(stats_of(solver).steps_per_launch, 1);
    ck_assert_str_eq(stats_of(solver).note, "");
    eulercl_solver_destroy(solver);
    GIVE(&options, honeycomb_steps, -1);
    GIVE_NAME(&options, variant, "strided");
    solver = make(problem, &options);
    ck_assert_str_eq(stats_of(solver).backend, "cl-linear");
    ck_assert_str_eq(stats_of(solver).variant, "strided");
    ck_assert_str_eq(stats_of(solver).note, "");
    eulercl_solver_destroy(solver);
    solver = NULL;
    options.backend = "cl-linear";
    GIVE_NAME(&options, variant, "stream");
    EXPECT(EULERCL_INVALID, eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
}

/* Kernels are part of the steps: the device's time is at most the wall clock's, but for the grain
 * of the clocks. */
START_TEST(device_clock_is_read) {
    if (!have_opencl()) return;
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, 1);
    eulercl_problem *problem = wave();
    for (size_t w = 0; w < way_count; w++) {
        double y[2][WAVE];
        for (int events = 0; events < 2; events++) {
            eulercl_options options;
            options_for(&options, &ways[w], EULERCL_DOUBLE);
            options.device_events = events;
            eulercl_solver *solver = make(problem, &options);
            OK(eulercl_set_initial_state(solver, &error));
            OK(eulercl_advance(solver, 0, &error));
            ck_assert(stats_of(solver).device_seconds == 0);
            for (int advance = 1; advance < 3; advance++) {
                const double before = stats_of(solver).device_seconds;
                OK(eulercl_advance(solver, advance == 1 ? 1 : 25, &error));
                const eulercl_stats stats = stats_of(solver);
                if (!events || !ways[w].is_opencl)
                    ck_assert(stats.device_seconds == 0);
                else
                    ck_assert_msg(stats.device_seconds > before &&
                                      stats.device_seconds <= stats.kernel_seconds + 1e-3,
                        "%s: %g seconds by the device's clock, then %g, %g on the wall",
                        ways[w].backend, before, stats.device_seconds, stats.kernel_seconds);
            }
            OK(eulercl_get_state(solver, y[events], &error));
            eulercl_solver_destroy(solver);
        }
        SAME(y[1], y[0], WAVE, sizeof(double), "%s with events", ways[w].backend);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(callers_own_queue) {
    if (!have_opencl()) return;
    cl_platform_id platform;
    cl_device_id device;
    cl_int cl;
    cl_uint before, references;
    ck_assert(!clGetPlatformIDs(1, &platform, NULL) &&
              !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &cl),
                     other = clCreateContext(NULL, 1, &device, NULL, NULL, &cl);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &cl),
                           elsewhere = clCreateCommandQueue(other, device, 0, &cl);
    const cl_command_queue unordered =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &cl);
    ck_assert(context && other && queue && elsewhere);
    ck_assert(!clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof before, &before, NULL));
    eulercl_problem *problem = wave();
    eulercl_options options;
    options_for(&options, &(struct way){NULL, NULL, 1}, EULERCL_DOUBLE);
    options.cl_context = context;
    for (int w = 0; w < 2; w++) {
        eulercl_solver *solver = NULL;
        options.cl_queue = w ? unordered : elsewhere;
        options.backend = "cl-linear";
        if (options.cl_queue)
            EXPECT(EULERCL_INVALID, eulercl_solver_create(problem, &options, &solver, &error));
        ck_assert_ptr_null(solver);
    }
    options.cl_queue = queue;
    options.device_events = 1;
    eulercl_solver *solver = NULL;
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "does not record times",
        eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    options.cl_queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &cl);
    ck_assert(options.cl_queue);
    solver = make(problem, &options);
    OK(eulercl_advance(solver, 2, &error));
    ck_assert(stats_of(solver).device_seconds > 0);
    eulercl_solver_destroy(solver);
    clReleaseCommandQueue(options.cl_queue);
    options.device_events = 0;
    options.cl_queue = queue;
    options.backend = NULL;            /* auto: a queue says OpenCL */
    options.device = "no such device"; /* not looked at */
    solver = make(problem, &options);
    ck_assert_str_eq(stats_of(solver).backend, "cl-register");
    ck_assert_str_eq(stats_of(solver).note, "");
    ck_assert_uint_gt(stats_of(solver).steps_per_launch, 1);
    double y[WAVE], borrowed[WAVE], expected[WAVE];
    void *buffer;
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, expected, &error));
    OK(eulercl_set_initial_state(solver, &error));
    eulercl_snapshot *snapshot = NULL; /* it has a queue of its own, in the caller's context */
    const void *taken;
    int64_t count = 0;
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    OK(eulercl_snapshot_take(snapshot, &error));
    OK(eulercl_snapshot_next(snapshot, &taken, &count, &error));
    ck_assert_int_eq(count, WAVE);
    SAME(taken, expected, WAVE, sizeof *expected, "a snapshot");
    eulercl_snapshot_destroy(snapshot);
    for (int64_t steps = 0; steps < 4; steps++) {
        OK(eulercl_advance(solver, steps, &error));
        steps_from(
            problem, options.h * (double)(steps * (steps - 1) / 2), options.h, steps, expected);
        OK(eulercl_borrow_buffer(solver, &buffer, &error));
        ck_assert(!clEnqueueReadBuffer(
            queue, buffer, CL_TRUE, 0, sizeof borrowed, borrowed, 0, NULL, NULL));
        OK(eulercl_get_state(solver, y, &error));
        SAME(borrowed, y, WAVE, sizeof *y, "the borrowed buffer");
        SAME(y, expected, WAVE, sizeof *y, "the caller's queue");
    }
    /* The program may write, too: the solver sees it, and checks it. */
    const double bad = NAN;
    OK(eulercl_borrow_buffer(solver, &buffer, &error));
    ck_assert(!clEnqueueWriteBuffer(
        queue, buffer, CL_TRUE, 5 * sizeof bad, sizeof bad, &bad, 0, NULL, NULL));
    EXPECT_WORDS(
        EULERCL_NONFINITE, "component 5 is nan before", eulercl_advance(solver, 1, &error));
    eulercl_solver_destroy(solver);
    auto_finds_a_way(problem, &options);
    /* Everything that was retained is released. */
    ck_assert(!clGetContextInfo(
        context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    ck_assert_uint_eq(references, before);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(elsewhere);
    if (unordered) clReleaseCommandQueue(unordered);
    ck_assert(!clReleaseContext(context) && !clReleaseContext(other));
    eulercl_problem_destroy(problem);
}
END_TEST
#endif

/* Before the first OpenCL call of a process the loader can be told that there are no drivers. */
START_TEST(no_device_is_survived) {
    setenv("OCL_ICD_VENDORS", "/nonexistent-eulercl-test/", 1);
    setenv("OPENCL_VENDOR_PATH", "/nonexistent-eulercl-test/", 1);
    eulercl_problem *problem = open_size("string", 20);
    eulercl_options options;
    eulercl_solver *solver = NULL;
    eulercl_device_info device = {.struct_size = sizeof device};
    if (!eulercl_get_device(0, &device, &error)) {
        fprintf(stderr, "skipped: this OpenCL loader finds a device in any case\n");
        return;
    }
    ck_assert_int_eq(error.code, EULERCL_NO_DEVICE);
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_DOUBLE);
    EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    options.backend = "auto";
    solver = make(problem, &options);
    ck_assert_str_eq(stats_of(solver).backend, "seq");
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 5, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(statuses_are_pinned);
    ADD(defaults_are_as_documented);
    ADD_LOOP(struct_sizes_are_honoured, COUNT(sized));
    ADD(built_in_problems);
    ADD_LOOP(parameters_are_checked, COUNT(settings));
    ADD(every_size_or_its_neighbours);
    ADD_LOOP(extreme_sizes_are_answered, COUNT(extreme_sizes));
    ADD(fixed_size_is_told);
    ADD_LOOP(ranges_of_known_states, COUNT(samples));
    ADD(initial_states_are_the_known_ones);
    ADD_LOOP(right_hand_side_is_what_a_step_adds, 2);
    ADD(options_at_their_bounds);
    ADD(options_are_verified);
    ADD_LOOP(options_out_of_range, COUNT(bad_options));
    ADD_LOOP(tuning_out_of_range, COUNT(bad_values));
    ADD_LOOP(tuning_is_listed, 2);
    ADD(options_of_other_versions);
    ADD(backends_are_listed);
    ADD(devices_are_chosen);
    ADD(states_come_back);
    ADD(advances_add_up);
    ADD(solvers_keep_their_parameters);
    ADD_LOOP(advance_to_ends_there, COUNT(ends));
    ADD(nonfinite_states_are_named);
    ADD(blow_ups_are_named);
    ADD(observers_watch_and_stop);
    ADD_LOOP(stopping_on_the_way_to_a_time, 4);
    ADD(solvers_in_several_threads);
    ADD(all_in_one);
    ADD(kernel_source_is_shown);
    ADD(ceilings_are_measured);
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
    ADD(threads_keep_to_the_cores);
    ADD(threads_are_pinned);
#endif
#ifdef HAVE_OPENCL
    ADD(storages_belong_to_backends);
    ADD(tiles_are_reported);
    ADD(traffic_is_counted);
    ADD(distributions_are_kept);
    ADD(tiles_too_large_are_refused);
    ADD(unlimited_access_distance);
    ADD(device_clock_is_read);
    ADD(callers_own_queue);
#endif
    /* In a process of its own: where the tests do not fork, OpenCL is at work already. */
    const char *fork_mode = getenv("CK_FORK");
    if (!fork_mode || strcmp(fork_mode, "no")) ADD(no_device_is_survived);
}

int main(void) { return run_tests("interface", add); }
