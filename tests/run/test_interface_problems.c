/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_problems.c - the promises of eulercl.h about problems. */
#include "config.h"
#include "interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(built_in_problems) {
    char words[200] = "";
    eulercl_problem *problem = (eulercl_problem *)pattern;
    size_t i = 0;
    for (const char *name; (name = eulercl_problem_name(i)); i++) {
        eulercl_problem_info info = {.struct_size = sizeof info};
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i ? ", " : "", name);
        OK(eulercl_problem_open(name, &problem, &error));
        OK(eulercl_problem_get_info(problem, &info, &error));
        ck_assert_str_eq(info.name, name);
        ck_assert(info.has_text && info.bits_guaranteed &&
                  info.n == info.extents[0] * info.extents[1] * info.extents[2] * info.components);
        eulercl_problem_destroy(problem);
    }
    ck_assert_uint_eq(i, BUILT_IN_PROBLEMS);
    eulercl_problem *const before = problem;
    EXPECT_WORDS(EULERCL_INVALID, words, eulercl_problem_open("brusselator", &problem, &error));
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

/* Also of a problem that no command has compiled: the names in its text would fail in OpenCL C. */
START_TEST(names_in_a_text_are_checked) {
    static const char *const texts[][2] = {
        {"\n#define ODE_PARAMETERS(REAL, INTEGER) REAL(read_only, 1, 0, 2, \"\", \"\")\n",
            "line 2: the name 'read_only' of a parameter is taken"},
        {"#define ODE_DERIVED(CONSTANT) CONSTANT(half, 0.5)\n",
            "line 1: the name 'half' of a derived constant is taken"}};
    for (int k = 0; k < COUNT(texts); k++) {
        struct ode_problem d = test_problem_string;
        eulercl_problem *problem;
        d.text = texts[k][0];
        d.text_end = d.text + strlen(d.text);
        EXPECT_WORDS(EULERCL_INVALID, texts[k][1], eulercl_problem_create(&d, &problem, &error));
    }
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
    OK(eulercl_problem_create(&test_problem_seven, &problem, &error));
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
    {&test_problem_bruss2d, get_initial},
    {&test_problem_string, get_initial},
    {&test_problem_string, get_exact},
    {&test_problem_diagonal, get_initial},
    {&test_problem_string_thesis, get_exact},
    {&test_problem_reverse, get_initial},
    {&test_problem_heat_fields, get_initial},
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

/* Fields of heat_fields by another formula: what a user sets is what a problem could compute. */
enum { COLUMNS = 9, ROWS = 7, POINTS = COLUMNS * ROWS };
static void other_fields(const struct ode_context *context, ode_index point, double *fields) {
    (void)context;
    fields[0] = 0.5 + (double)(5 * point % 11) / 8;
    fields[1] = (double)(7 * point % 13) / 16;
}
static const struct {
    const char *backend, *devices;
    int needs_opencl;
} places[] = {{"seq", NULL, 0}, {"cpu", "cpu,cpu", 0}, {"cl-linear", NULL, 1}};

/* Ten steps from the initial state. The problem is no longer needed when they are made. */
static void solve_here(eulercl_problem *problem, int place, enum eulercl_precision p, void *y) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.h = 1e-3;
    options.precision = p;
    options.backend = places[place].backend;
    options.devices = places[place].devices;
    eulercl_solver *const solver = make(problem, &options);
    eulercl_problem_destroy(problem);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 10, &error));
    OK(eulercl_get_state(solver, y, &error));
    eulercl_solver_destroy(solver);
}

START_TEST(fields_that_are_set_are_those_that_are_computed) {
    eulercl_device_info device = {.struct_size = sizeof device};
    if (places[_i].needs_opencl && eulercl_get_device(0, &device, NULL)) return;
    struct ode_problem computes = test_problem_heat_fields, has_none = computes;
    computes.field_values = other_fields;
    has_none.field_values = NULL;
    has_none.initial = NULL;
    double values[2][POINTS], start[POINTS], y[POINTS], expected[POINTS];
    float single[POINTS];
    for (int p = EULERCL_FLOAT; p <= EULERCL_DOUBLE; p += EULERCL_DOUBLE - EULERCL_FLOAT) {
        eulercl_problem *problem;
        OK(eulercl_problem_create(&computes, &problem, &error));
        OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, POINTS, start, &error));
        OK(eulercl_problem_get_field(problem, "conductivity", EULERCL_DOUBLE, values[0], &error));
        OK(eulercl_problem_get_field(problem, "source", EULERCL_DOUBLE, values[1], &error));
        for (int64_t point = 0; point < POINTS; point++) {
            double fields[2];
            other_fields(NULL, point, fields);
            ck_assert(values[0][point] == fields[0] && values[1][point] == fields[1]);
            single[point] = (float)fields[1]; /* which is exact */
        }
        solve_here(problem, 0, (enum eulercl_precision)p, expected);
        OK(eulercl_problem_create(&has_none, &problem, &error));
        OK(eulercl_problem_set_field(problem, "conductivity", EULERCL_DOUBLE, values[0], &error));
        OK(eulercl_problem_set_field(problem, "source", EULERCL_FLOAT, single, &error));
        OK(eulercl_problem_set_initial(problem, EULERCL_DOUBLE, start, &error));
        memset(single, 0, sizeof single); /* The problem has copies. */
        solve_here(problem, _i, (enum eulercl_precision)p, y);
        SAME(y, expected, POINTS, (size_t)p, "%s", places[_i].backend);
    }
}
END_TEST

/* ---- fields that change between steps ---- */

static const struct {
    const char *backend, *variant, *devices;
    int64_t device_memory;
    double rtol;
    int needs_opencl;
} changes[] = {
    {"seq", NULL, NULL, 0, 0, 0}, {"cpu", NULL, NULL, 0, 0, 0}, {"pthreads", NULL, NULL, 0, 0, 0},
    {"seq", NULL, "cpu,cpu", 0, 0, 0},
    {"seq", NULL, NULL, 120 * 9 * 16, 0, 0}, /* streams through windows */
    {"cl-linear", NULL, NULL, 0, 0, 1}, {"cl-register", "group", NULL, 0, 0, 1},
    {"cl-linear", NULL, "0:0,0:0", 0, 0, 1}, {"cpu", NULL, NULL, 0, 1e-5, 0},
    {"cl-register", "group", NULL, 0, 1e-5, 1}, /* steps may have been launched ahead */
};

/* The values of a field of maze that differ from the problem's own. */
enum { MAZE_COLUMNS = 9, MAZE_ROWS = 60, MAZE_POINTS = MAZE_COLUMNS * MAZE_ROWS };
static void fill_maze(int factor, enum eulercl_precision precision, void *values) {
    for (int64_t i = 0; i < MAZE_POINTS; i++) {
        const double value = (double)(factor * i % 13) / 12;
        if (precision == EULERCL_DOUBLE)
            ((double *)values)[i] = value;
        else
            ((float *)values)[i] = (float)value;
    }
}

/* The state after some steps, another field, and further steps; change: 0: without the other one,
 * 1: set in the solver, 2: by another solver that goes on. */
static void steps_with_change(
    const eulercl_options *options, enum eulercl_precision precision, int change, void *y) {
    double values[MAZE_POINTS];
    eulercl_problem *problem;
    OK(eulercl_problem_create(&test_problem_maze, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", MAZE_COLUMNS, &error));
    OK(eulercl_problem_set(problem, "rows", MAZE_ROWS, &error));
    fill_maze(5, precision, values);
    OK(eulercl_problem_set_field(problem, "wall", precision, values, &error));
    eulercl_solver *solver = make(problem, options);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 7, &error));
    fill_maze(8, precision, values);
    if (change == 1) OK(eulercl_set_field(solver, "wall", values, &error));
    if (change == 2) {
        OK(eulercl_problem_set_field(problem, "wall", precision, values, &error));
        OK(eulercl_get_state(solver, y, &error));
        eulercl_solver_destroy(solver);
        solver = make(problem, options);
        OK(eulercl_set_state(solver, y, &error));
    }
    OK(eulercl_advance(solver, 9, &error));
    OK(eulercl_get_state(solver, y, &error));
    if (change == 1) {
        EXPECT_WORDS(
            EULERCL_INVALID, "no field 'door'", eulercl_set_field(solver, "door", values, &error));
        memset(values, 0, sizeof values);
        memcpy(values,
            precision == EULERCL_DOUBLE ? (const void *)&(double){(double)INFINITY}
                                        : (const void *)&(float){INFINITY},
            (size_t)precision);
        EXPECT_WORDS(EULERCL_INVALID, "field wall of point (0, 0) is inf",
            eulercl_set_field(solver, "wall", values, &error));
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

START_TEST(fields_change_between_steps) {
    eulercl_device_info device = {.struct_size = sizeof device};
    const enum eulercl_precision precision = _i % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    double y[2 * MAZE_POINTS], expected[2 * MAZE_POINTS], old[2 * MAZE_POINTS];
    eulercl_options options;
    if (changes[_i].needs_opencl && eulercl_get_device(0, &device, NULL)) return;
    eulercl_options_init(&options);
    options.h = 0.25;
    options.precision = precision;
    options.rtol = changes[_i].rtol;
    options.backend = "seq";
    if (options.rtol > 0) options.method = "dp54";
    /* With a tolerance the steps of another solver need not be those that follow a change. */
    steps_with_change(&options, precision, options.rtol > 0 ? 1 : 2, expected);
    steps_with_change(&options, precision, 0, old);
    ck_assert(memcmp(old, expected, 2 * MAZE_POINTS * (size_t)precision) != 0);
    options.backend = changes[_i].backend;
    options.devices = changes[_i].devices;
    options.device_memory = changes[_i].device_memory;
    if (changes[_i].variant) GIVE_NAME(&options, variant, changes[_i].variant);
    steps_with_change(&options, precision, 1, y);
    SAME(y, expected, 2 * MAZE_POINTS, (size_t)precision, "change %d", _i);
}
END_TEST

/* Parameters that decide about obstacles, terms of the right-hand side, and values at sides that
 * move. */
static const struct {
    const struct ode_problem *definition;
    const char *sizes[2], *name;
    double extents[2], value;
} changed[] = {{&test_problem_maze, {"columns", "rows"}, "level", {9, 60}, 2},
    {&test_problem_tide, {"columns", "rows"}, "level", {9, 60}, 1.5},
    {&test_problem_chirp, {"size"}, "rate", {1080}, -0.4},
    {&test_problem_shaken_rod, {"points"}, "omega", {1080}, 5}};
enum { CHANGED_REALS = 2 * MAZE_POINTS };

/* As steps_with_change, with a parameter. */
static void steps_with_value(const eulercl_options *options, int which,
    enum eulercl_precision precision, int change, void *y) {
    eulercl_problem *problem;
    eulercl_options later = *options;
    OK(eulercl_problem_create(changed[which].definition, &problem, &error));
    for (int k = 0; k < 2 && changed[which].sizes[k]; k++)
        OK(eulercl_problem_set(
            problem, changed[which].sizes[k], changed[which].extents[k], &error));
    eulercl_solver *solver = make(problem, options);
    for (int i = 0; i < CHANGED_REALS; i++)
        if (precision == EULERCL_DOUBLE)
            ((double *)y)[i] = (i * 7 % 11) / 16.0;
        else
            ((float *)y)[i] = (float)(i * 7 % 11) / 16;
    OK(eulercl_set_state(solver, y, &error));
    OK(eulercl_advance(solver, 7, &error));
    if (change == 1)
        OK(eulercl_set_parameter(solver, changed[which].name, changed[which].value, &error));
    if (change == 2) {
        OK(eulercl_problem_set(problem, changed[which].name, changed[which].value, &error));
        OK(eulercl_get_state(solver, y, &error));
        eulercl_solver_destroy(solver);
        later.t0 += 7 * later.h;
        solver = make(problem, &later);
        OK(eulercl_set_state(solver, y, &error));
    }
    OK(eulercl_advance(solver, 9, &error));
    OK(eulercl_get_state(solver, y, &error));
    if (change == 1) {
        EXPECT_WORDS(EULERCL_INVALID, "no parameter 'door'",
            eulercl_set_parameter(solver, "door", 1, &error));
        EXPECT_WORDS(EULERCL_INVALID, "make another solver",
            eulercl_set_parameter(solver, changed[which].sizes[0], 12, &error));
        EXPECT(EULERCL_INVALID,
            eulercl_set_parameter(solver, changed[which].name, (double)NAN, &error));
        EXPECT(EULERCL_INVALID, eulercl_set_parameter(solver, changed[which].name, 1e9, &error));
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

START_TEST(parameters_change_between_steps) {
    eulercl_device_info device = {.struct_size = sizeof device};
    double y[CHANGED_REALS], expected[CHANGED_REALS], old[CHANGED_REALS];
    if (changes[_i].needs_opencl && eulercl_get_device(0, &device, NULL)) return;
    for (int which = 0; which < COUNT(changed); which++) {
        const enum eulercl_precision precision = (_i + which) % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE;
        eulercl_options options;
        eulercl_options_init(&options);
        options.h = 0.0625;
        options.precision = precision;
        options.rtol = changes[_i].rtol;
        options.backend = "seq";
        if (options.rtol > 0) options.method = "dp54";
        steps_with_value(&options, which, precision, options.rtol > 0 ? 1 : 2, expected);
        steps_with_value(&options, which, precision, 0, old);
        ck_assert(memcmp(old, expected, CHANGED_REALS * (size_t)precision) != 0);
        options.backend = changes[_i].backend;
        options.devices = changes[_i].devices;
        options.device_memory = changes[_i].device_memory;
        if (changes[_i].variant) GIVE_NAME(&options, variant, changes[_i].variant);
        steps_with_value(&options, which, precision, 1, y);
        SAME(y, expected, CHANGED_REALS, (size_t)precision, "change %d of problem %d", _i, which);
    }
}
END_TEST

/* Stiff and easy by turns, so that a run returns to programs that it has made before a change. */
static void steps_with_stages(const char *backend, int *kinds, double *y) {
    enum { TURNS = 7 };
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_stats stats = {.struct_size = sizeof stats};
    int64_t before = 0;
    eulercl_options_init(&options);
    options.backend = backend;
    options.method = "rock2";
    options.rtol = 1e-3;
    OK(eulercl_problem_create(&test_problem_bruss2d, &problem, &error));
    OK(eulercl_problem_set(problem, "m", 24, &error));
    eulercl_solver *solver = make(problem, &options);
    OK(eulercl_set_initial_state(solver, &error));
    for (int turn = 0; turn < TURNS; turn++) {
        OK(eulercl_set_parameter(solver, "alpha", turn % 2 ? 1 : 0.002, &error));
        OK(eulercl_advance_to(solver, 0.3 * (turn + 1), NULL, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        *kinds += stats.stages != before;
        before = stats.stages;
    }
    OK(eulercl_get_state(solver, y, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

START_TEST(parameters_reach_all_programs) {
    enum { N = 2 * 24 * 24 };
    static double y[N], expected[N];
    int kinds[2] = {0, 0};
    eulercl_device_info device = {.struct_size = sizeof device};
    if (eulercl_get_device(0, &device, NULL)) return;
    steps_with_stages("seq", &kinds[0], expected);
    steps_with_stages("cl-register", &kinds[1], y);
    ck_assert_int_ge(kinds[0], 4);
    SAME(y, expected, N, sizeof *y, "%d kinds of stages", kinds[1]);
}
END_TEST

/* Programs contain the thresholds of tiny values. */
static double flush_some(const double *parameters, ode_index component) {
    (void)component;
    return parameters[1] > 0 ? 1e-9 : 0;
}

START_TEST(parameters_of_thresholds_are_refused) {
    struct ode_problem definition = test_problem_chirp;
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_options_init(&options);
    options.backend = "seq";
    options.h = 0.1;
    definition.flush_below = flush_some;
    for (int own = 0; own < 2; own++) {
        options.flush_below = own ? EULERCL_AS_PROBLEM : 0;
        OK(eulercl_problem_create(&definition, &problem, &error));
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_set_parameter(solver, "rate", 0.5, &error));
        if (own)
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "tiny values",
                eulercl_set_parameter(solver, "rate", -0.5, &error));
        else
            OK(eulercl_set_parameter(solver, "rate", -0.5, &error));
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* The rules of the sides of a problem. */
static void expect_sides(
    const struct ode_problem *definition, const char *boundary, const char *const *names) {
    eulercl_problem *problem;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_create(definition, &problem, &error));
    OK(eulercl_problem_get_info(problem, &info, &error));
    ck_assert_str_eq(info.boundary, boundary);
    for (int side = 0; side < 2 * info.rank; side++)
        ck_assert_str_eq(eulercl_problem_side(problem, side / 2, side % 2), names[side]);
    ck_assert(info.bits_guaranteed);
    eulercl_problem_destroy(problem);
}

START_TEST(sides_have_names) {
    expect_sides(&test_problem_sides_plate, "sides",
        (const char *const[]){"value", "gradient", "robin", "ghost"});
    expect_sides(&test_problem_sides_cells, "sides",
        (const char *const[]){"mirror", "robin", "value", "fixed"});
    expect_sides(&test_problem_sides_tube, "sides",
        (const char *const[]){"periodic", "periodic", "gradient", "ghost"});
    expect_sides(&test_problem_sides_rod, "sides", (const char *const[]){"gradient", "robin"});
    expect_sides(&test_problem_bruss2d, "mirror",
        (const char *const[]){"mirror", "mirror", "mirror", "mirror"});
}
END_TEST

/* An axis may be as short as the rules of its ends allow, and not shorter. */
START_TEST(sides_need_points) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(&test_problem_sides_tube, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", 1, &error));
    eulercl_problem_destroy(problem);
    struct ode_problem ghost = test_problem_sides_rod;
    ghost.grid.boundary[0][1] = ODE_RULE_GHOST_;
    OK(eulercl_problem_create(&ghost, &problem, &error));
    EXPECT_WORDS(EULERCL_INVALID, "rule \"ghost\" needs at least 3 points along x, not 2",
        eulercl_problem_set(problem, "points", 2, &error));
    eulercl_problem_destroy(problem);
    OK(eulercl_problem_create(&test_problem_sides_rod, &problem, &error));
    OK(eulercl_problem_set(problem, "points", 2, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(fields_are_checked) {
    eulercl_problem *problem;
    eulercl_solver *solver = NULL;
    eulercl_options options;
    struct ode_problem half = test_problem_heat_fields;
    double values[POINTS] = {0}, y[LENGTH];
    half.field_values = NULL;
    OK(eulercl_problem_create(&half, &problem, &error));
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(problem, &info, &error));
    ck_assert_uint_eq(info.fields, 2);
    ck_assert_str_eq(eulercl_problem_field_name(problem, 1), "source");
    ck_assert_ptr_null(eulercl_problem_field_name(problem, 2));
    ck_assert_ptr_null(eulercl_problem_field_name(NULL, 0));
    ck_assert_str_eq(eulercl_boundary_name(3), "periodic");
    ck_assert_str_eq(eulercl_boundary_name(4), "robin");
    ck_assert_ptr_null(eulercl_boundary_name(5));
    ck_assert_str_eq(eulercl_problem_side(problem, 1, 0), "clamp");
    ck_assert_ptr_null(eulercl_problem_side(problem, 2, 0));
    ck_assert_ptr_null(eulercl_problem_side(problem, -1, 0));
    ck_assert_ptr_null(eulercl_problem_side(NULL, 0, 0));
    EXPECT_WORDS(EULERCL_INVALID, "no field 'kappa' (its fields: conductivity, source)",
        eulercl_problem_set_field(problem, "kappa", EULERCL_DOUBLE, values, &error));
    EXPECT_WORDS(EULERCL_INVALID, "precision 5",
        eulercl_problem_set_field(problem, "source", (enum eulercl_precision)5, values, &error));
    EXPECT_WORDS(EULERCL_INVALID, "precision 5",
        eulercl_problem_set_initial(problem, (enum eulercl_precision)5, values, &error));
    values[11] = INFINITY;
    EXPECT_WORDS(EULERCL_INVALID, "field source of point (2, 1) is inf in double",
        eulercl_problem_set_field(problem, "source", EULERCL_DOUBLE, values, &error));
    values[11] = 1e300;
    OK(eulercl_problem_set_field(problem, "source", EULERCL_DOUBLE, values, &error));
    fill(y);
    EXPECT_WORDS(EULERCL_INVALID, "field conductivity has no values",
        eulercl_problem_get_field(problem, "conductivity", EULERCL_DOUBLE, y, &error));
    UNTOUCHED(y);
    eulercl_options_init(&options);
    EXPECT_WORDS(EULERCL_INVALID, "field conductivity has no values",
        eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_problem_set_field(problem, "conductivity", EULERCL_DOUBLE, values, &error));
    options.precision = EULERCL_FLOAT;
    EXPECT_WORDS(EULERCL_INVALID, "field conductivity of point (2, 1) is inf in float",
        eulercl_solver_create(problem, &options, &solver, &error));
    options.precision = EULERCL_DOUBLE;
    OK(eulercl_problem_set_initial(problem, EULERCL_DOUBLE, values, &error));
    OK(eulercl_problem_set(problem, "columns", ROWS, &error));
    OK(eulercl_problem_set(problem, "rows", COLUMNS, &error));
    EXPECT_WORDS(EULERCL_INVALID,
        "field conductivity was set for a size of 9 x 7, and the size is 7 x 9 now",
        eulercl_solver_create(problem, &options, &solver, &error));
    EXPECT_WORDS(EULERCL_INVALID, "the initial state was set for a size of 9 x 7",
        eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 1, y, &error));
    UNTOUCHED(y);
    OK(eulercl_problem_set(problem, "columns", COLUMNS, &error));
    OK(eulercl_problem_set(problem, "rows", ROWS, &error));
    OK(eulercl_problem_get_field(problem, "source", EULERCL_DOUBLE, y, &error));
    SAME(y, values, POINTS, sizeof(double), "a field");
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A step adds h times what eulercl_evaluate gives, also at a time other than the solver's and
 * whatever the solver's state. */
START_TEST(right_hand_side_is_what_a_step_adds) {
    static const struct ode_problem *const definitions[] = {&test_problem_bruss2d,
        &test_problem_heat_fields, &test_problem_forced_wave, &test_problem_reverse};
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

static void add(TCase *tests) {
    ADD(built_in_problems);
    ADD_LOOP(parameters_are_checked, COUNT(settings));
    ADD(names_in_a_text_are_checked);
    ADD(every_size_or_its_neighbours);
    ADD_LOOP(extreme_sizes_are_answered, COUNT(extreme_sizes));
    ADD(fixed_size_is_told);
    ADD_LOOP(ranges_of_known_states, COUNT(samples));
    ADD(initial_states_are_the_known_ones);
    ADD_LOOP(fields_that_are_set_are_those_that_are_computed, COUNT(places));
    ADD_LOOP(fields_change_between_steps, COUNT(changes));
    ADD_LOOP(parameters_change_between_steps, COUNT(changes));
    ADD(parameters_reach_all_programs);
    ADD(parameters_of_thresholds_are_refused);
    ADD(sides_have_names);
    ADD(sides_need_points);
    ADD(fields_are_checked);
    ADD_LOOP(right_hand_side_is_what_a_step_adds, 2);
}

int main(void) { return run_tests("interface_problems", add); }
