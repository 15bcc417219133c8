/* SPDX-License-Identifier: BSD-2-Clause */
/* test_check.c - eulercl_check finds what is wrong with a problem, each mistake by its check, and
 * nothing wrong with the others; stable step sizes against closed forms. */
#include "config.h"
#include "../support.h"
#include "mem.h"
#include "problem/positions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
enum { MOST = 64 };

/* ---- what a check says, kept ---- */

static struct {
    char check[20], text[600];
    enum eulercl_verdict verdict;
    int status;
    int64_t component;
    size_t log;
} said[MOST];
static int said_count, stop_after;

static int keep(const eulercl_finding *finding, void *user) {
    ck_assert_ptr_eq(user, said);
    ck_assert_int_lt(said_count, MOST);
    ck_assert_uint_eq(finding->struct_size, sizeof *finding);
    ck_assert_msg(*finding->text && !strchr(finding->text, '\n') &&
                      strlen(finding->text) < sizeof said[0].text,
        "%s: '%s'", finding->check, finding->text);
    ck_assert_int_eq(finding->verdict == EULERCL_FAILS, finding->status != EULERCL_OK);
    snprintf(said[said_count].check, sizeof said->check, "%s", finding->check);
    snprintf(said[said_count].text, sizeof said->text, "%s", finding->text);
    said[said_count].verdict = finding->verdict;
    said[said_count].status = finding->status;
    said[said_count].component = finding->component;
    said[said_count].log = strlen(finding->log);
    return ++said_count == stop_after;
}

/* device: NULL for the one that is chosen. A name that no device has leaves OpenCL out, which saves
 * compilations. */
static eulercl_check_report check_on(const eulercl_problem *problem, const char *device) {
    eulercl_check_report report = {.struct_size = sizeof report};
    eulercl_options options;
    eulercl_options_init(&options);
    options.device = device;
    int64_t counts[4] = {0};
    said_count = 0;
    OK(eulercl_check(problem, &options, &report, keep, said, &error));
    for (int i = 0; i < said_count; i++) counts[said[i].verdict]++;
    ck_assert(report.holds == counts[EULERCL_HOLDS] && report.fails == counts[EULERCL_FAILS] &&
              report.skipped == counts[EULERCL_SKIPPED]);
    return report;
}

static eulercl_check_report check(const eulercl_problem *problem) {
    return check_on(problem, "no such device");
}

static int find(const char *name, enum eulercl_verdict verdict, const char *words) {
    for (int i = 0; i < said_count; i++)
        if (!strcmp(said[i].check, name) && said[i].verdict == verdict &&
            strstr(said[i].text, words))
            return i;
    return -1;
}

static eulercl_problem *make(const struct ode_problem *definition) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    return problem;
}

/* ---- what is right passes ---- */

/* The access distance by brute force: each component is changed alone. Linear, and counted round
 * the ends. */
static void true_distance(const eulercl_problem *problem, int64_t *straight, int64_t *round) {
    eulercl_options options;
    eulercl_solver *solver;
    const int64_t n = size_of(problem);
    double *y = zeroed(n, sizeof *y), *before = zeroed(n, sizeof *y), *after = zeroed(n, sizeof *y);
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = 0x1p20;
    options.t0 = 0.3;
    options.check_finite = 0;
    *straight = *round = 0;
    for (int state = 0; state < 3; state++) {
        random_state(y, n, sizeof *y);
        for (int64_t i = -1; i < n; i++) {
            const double kept = i < 0 ? 0 : y[i];
            if (i >= 0) y[i] = 3.7;
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            OK(eulercl_set_state(solver, y, &error));
            OK(eulercl_advance(solver, 1, &error));
            OK(eulercl_get_state(solver, i < 0 ? before : after, &error));
            eulercl_solver_destroy(solver);
            if (i >= 0) y[i] = kept;
            for (int64_t j = 0; i >= 0 && j < n; j++) {
                const int64_t d = i < j ? j - i : i - j, r = n - d < d ? n - d : d;
                if (!memcmp(&before[j], &after[j], sizeof *y)) continue;
                if (d > *straight) *straight = d;
                if (r > *round) *round = r;
            }
        }
    }
    free(y);
    free(before);
    free(after);
}

START_TEST(what_is_right_holds) {
#ifdef __SANITIZE_ADDRESS__ /* the checks are the same for all; by turns, because they take long \
                             */
    if (_i % 2 && test_level() < ALL_TESTS) return;
#endif
    const struct ode_problem *d = test_problems[_i].definition;
    eulercl_problem *problem = make(d);
    eulercl_problem_info info = {.struct_size = sizeof info};
    int64_t straight, round;
    random_start((uint64_t)_i);
    if (_i == TEST_bruss2d) OK(eulercl_problem_set(problem, "m", 9, &error));
    if (_i == TEST_bruss3d) OK(eulercl_problem_set(problem, "m", 5, &error));
    if (_i == TEST_string || _i == TEST_string_thesis || _i == TEST_string_thesis4)
        OK(eulercl_problem_set(problem, "points", 51, &error));
    OK(eulercl_problem_get_info(problem, &info, &error));
    const int with_opencl =
        _i == TEST_bruss2d || _i == TEST_forced_wave || _i == TEST_chirp || _i == TEST_pendulum;
    const eulercl_check_report report = check_on(problem, with_opencl ? NULL : "no such device");
    for (int i = 0; i < said_count; i++)
        ck_assert_msg(
            said[i].verdict != EULERCL_FAILS, "%s: %s: %s", d->name, said[i].check, said[i].text);
    true_distance(problem, &straight, &round);
    ck_assert_msg(report.access_distance == straight, "%s: %lld, and %lld by brute force", d->name,
        (long long)report.access_distance, (long long)straight);
    const int periodic = d->grid.boundary[0][0] == ODE_PERIODIC ||
                         d->grid.boundary[1][0] == ODE_PERIODIC ||
                         d->grid.boundary[2][0] == ODE_PERIODIC;
    ck_assert_int_eq(report.cyclic_distance, periodic ? round : -1);
    ck_assert_int_eq(report.radius, d->grid.rank ? (int64_t)d->grid.radius : -1);
    ck_assert_uint_eq(report.double_bytes, 2 * report.float_bytes);
    ck_assert_uint_eq(report.float_bytes,
        (2 * (uint64_t)info.n + (uint64_t)(info.n / info.components) * d->field_count) *
            sizeof(float));
    for (const char *p = "fd"; *p; p++) {
        const char *const precision = *p == 'f' ? "float: " : "double: ";
        const char *const checks[] = {"arithmetic", "determinism", "forms", "finite"};
        for (int k = 0; k < COUNT(checks); k++)
            ck_assert_msg(find(checks[k], EULERCL_HOLDS, precision) >= 0, "%s: nothing about %s %s",
                d->name, precision, checks[k]);
        if (with_opencl && have_opencl())
            ck_assert_msg(find("opencl", EULERCL_HOLDS, precision) >= 0 ||
                              (!test_problems[_i].bits_guaranteed &&
                                  find("opencl", EULERCL_REMARK, precision) >= 0),
                "%s: nothing about %s and OpenCL", d->name, precision);
        else
            ck_assert_msg(find("opencl", EULERCL_SKIPPED, precision) >= 0,
                "%s: OpenCL was not skipped", d->name);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Where not all is looked at: several rows of a large grid, and a general form with a short
 * distance, on the ends and in between. */
START_TEST(large_systems_are_sampled) {
    static const struct {
        int problem;
        const char *parameter;
        double value;
        int64_t distance;
    } large[] = {
        {TEST_bruss2d, "m", 740, 1480},
        {TEST_string_thesis, "points", 530000, 3},
        {TEST_reverse, "size", 20000, 19999},
    };
    if (test_level() == QUICK_TESTS) return;
    eulercl_problem *problem = make(test_problems[large[_i].problem].definition);
    OK(eulercl_problem_set(problem, large[_i].parameter, large[_i].value, &error));
    const eulercl_check_report report = check(problem);
    for (int i = 0; i < said_count; i++)
        ck_assert_msg(said[i].verdict != EULERCL_FAILS, "%s: %s", said[i].check, said[i].text);
    ck_assert_int_eq(report.access_distance, large[_i].distance);
    ck_assert_msg(
        find("distance", EULERCL_HOLDS, " of ") >= 0, "all of a large system was looked at?");
    eulercl_problem_destroy(problem);
}
END_TEST

/* A chain without a grid, seen through windows: w = 2 K. */
START_TEST(windows_of_large_systems) {
    eulercl_problem *problem = make(test_problems[TEST_string_thesis].definition);
    eulercl_stability stability = {.struct_size = sizeof stability};
    OK(eulercl_problem_set(problem, "points", 1.1e6, &error));
    OK(eulercl_estimate_stability(problem, NULL, NULL, &stability, &error));
    ck_assert_msg(fabs(stability.spectral_radius - 10) < 0.2, "%g", stability.spectral_radius);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what is wrong is found ----
   A chain y_i' = (y_{i-1} + y_{i+1}) / 2 - y_i, one mistake at a time. */

enum mistake {
    NONE,
    TOO_FAR,
    TOO_FAR_AT_THE_END,
    BEYOND_THE_END,
    BEFORE_THE_BEGINNING,
    RANDOM,
    RARELY_RANDOM,
    BAD_STEP_RANGE,
    BAD_EVAL_RANGE,
    STEP_BY_RANGE,
    BAD_PLAIN,
    BAD_EVAL_COMP4,
    BAD_FLOAT,
    CONTRACTED,
    BY_RANGE,
    BY_ALIGNMENT,
    NAN_INITIAL,
    INFINITE_INITIAL,
    NAN_DERIVATIVE,
    NEVER_A_NUMBER,
    BREAKS_DOWN,
    OUT_OF_STENCIL
};
static enum mistake mistake;
static long calls;
enum { N = 6000, BAD = 4321 };

static double at(const double *y, ode_index n, ode_index i) { return i >= 0 && i < n ? y[i] : 0; }

static double eval_f64(const struct ode_context *context, ode_index i, double t, const double *y) {
    const ode_index n = context->n;
    const int bad = i == BAD;
    double f = (at(y, n, i - 1) + at(y, n, i + 1)) / 2 - y[i];
    (void)t;
    calls++;
    if (mistake == TOO_FAR && bad) f += y[i - 2] / 64;
    if (mistake == TOO_FAR_AT_THE_END && i == n - 1) f += y[n - 3] / 64;
    if (mistake == BEYOND_THE_END && i == n - 1) f += y[n] / 64;
    if (mistake == BEFORE_THE_BEGINNING && i == 0) f = fmax(f, y[-1]); /* fmax hides NaN */
    if (mistake == RANDOM && bad) f += (double)(calls % 7) / 64;
    if (mistake == RARELY_RANDOM && calls % 20011 == 0) f += 1;
    if (mistake == NAN_DERIVATIVE && bad) f = sqrt(-1 - y[i] * y[i]);
    if (mistake == NEVER_A_NUMBER) f = (double)NAN;
    if (mistake == BREAKS_DOWN && bad) f = -0.3 - sqrt(y[i] - 0.49);
    if (mistake == OUT_OF_STENCIL && bad) f += y[i + 3] / 64;
    return f;
}

static float eval_f32(const struct ode_context *context, ode_index i, float t, const float *y) {
    (void)t;
    const ode_index n = context->n;
    float f = ((i > 0 ? y[i - 1] : 0) + (i < n - 1 ? y[i + 1] : 0)) / 2 - y[i];
    return f;
}

static double in_range(
    const struct ode_context *context, ode_index i, double t, const void *in, ode_index end) {
    const double f = eval_f64(context, i, t, in);
    const int wrong =
        ((mistake == BY_RANGE || mistake == STEP_BY_RANGE) && i == end - 1 && end < context->n) ||
        (mistake == BY_ALIGNMENT && (uintptr_t)in % 32 == 8 && i > BAD);
    return wrong ? nextafter(f, 9) : f;
}
static void step_f64(const struct ode_context *context, void *out, const void *in, ode_index begin,
    ode_index end, const struct ode_instant *t, double h) {
    for (ode_index i = begin; i < end; i++) {
        double f = in_range(context, i, t->t, in, end);
        if (mistake == BAD_STEP_RANGE && i == BAD) f = nextafter(f, 9);
        ((double *)out)[i] = fma(h, f, ((const double *)in)[i]);
    }
}
static void range_f64(const struct ode_context *context, void *dot, const void *y, ode_index begin,
    ode_index end, const struct ode_instant *t) {
    for (ode_index i = begin; i < end; i++) {
        double f = mistake == STEP_BY_RANGE ? eval_f64(context, i, t->t, y)
                                            : in_range(context, i, t->t, y, end);
        if (mistake == BAD_EVAL_RANGE && i == BAD) f = nextafter(f, 9);
        ((double *)dot)[i] = f;
    }
}
static void range_f32(const struct ode_context *context, void *dot, const void *y, ode_index begin,
    ode_index end, const struct ode_instant *t) {
    for (ode_index i = begin; i < end; i++)
        ((float *)dot)[i] = eval_f32(context, i, (float)t->t, y);
}
static void four_f64(const struct ode_context *context, ode_index i4, const struct ode_instant *t,
    const void *y, void *dot) {
    for (int k = 0; k < 4; k++) ((double *)dot)[k] = eval_f64(context, 4 * i4 + k, t->t, y);
    if (mistake == BAD_EVAL_COMP4 && i4 == BAD / 4)
        ((double *)dot)[BAD % 4] = nextafter(((double *)dot)[BAD % 4], 9);
}
static void plain_f64(const struct ode_context *context, void *out, const void *in, ode_index begin,
    ode_index end, const struct ode_instant *t, double h) {
    step_f64(context, out, in, begin, end, t, h);
    if (mistake == BAD_PLAIN && begin <= BAD && BAD < end)
        ((double *)out)[BAD] = nextafter(((double *)out)[BAD], INFINITY);
}
static void step_f32(const struct ode_context *context, void *out, const void *in, ode_index begin,
    ode_index end, const struct ode_instant *t, double h) {
    for (ode_index i = begin; i < end; i++) {
        float f = eval_f32(context, i, (float)t->t, in);
        if (mistake == BAD_FLOAT && i == BAD) f = nextafterf(f, 9);
        ((float *)out)[i] = fmaf((float)h, f, ((const float *)in)[i]);
    }
}
static void four_f32(const struct ode_context *context, ode_index i4, const struct ode_instant *t,
    const void *y, void *dot) {
    for (int k = 0; k < 4; k++) ((float *)dot)[k] = eval_f32(context, 4 * i4 + k, (float)t->t, y);
}
static int contracts(void) { return mistake == CONTRACTED; }
static int never_contracts(void) { return 0; }
#define KERNELS(ISA, STEP, RANGE, FOUR, CONTRACTS)                               \
    {                                                                            \
        .isa = ISA, .step_range = STEP, .eval_range = RANGE, .eval_comp4 = FOUR, \
        .contracts = CONTRACTS                                                   \
    }
static const struct ode_kernels *each(size_t real_size, uint32_t index) {
    static const struct ode_kernels doubles[] = {
        KERNELS("plain", plain_f64, range_f64, four_f64, contracts),
        KERNELS("fast", step_f64, range_f64, four_f64, never_contracts)};
    static const struct ode_kernels floats[] = {
        KERNELS("plain", step_f32, range_f32, four_f32, never_contracts),
        KERNELS("fast", step_f32, range_f32, four_f32, never_contracts)};
    return index > 1 ? NULL : real_size == 4 ? &floats[index] : &doubles[index];
}
static const struct ode_kernels *fastest(size_t real_size) { return each(real_size, 1); }

static void shape(const double *parameters, struct ode_shape *s) {
    *s = (struct ode_shape){{parameters[0], 1, 1}, parameters[1]};
}
static void initial(const struct ode_context *context, ode_index i, double *y) {
    (void)context;
    *y = i % 2 ? 0.5 : 0.25;
    if (mistake == BREAKS_DOWN && i == BAD) *y = 0.5;
    if (mistake == NAN_INITIAL && i == BAD) *y = (double)NAN;
    if (mistake == INFINITE_INITIAL && i == BAD) *y = -(double)INFINITY;
}
static const struct ode_parameter parameters[] = {
    {"size", N, 1, 1e9, 1, "", ""}, {"distance", 1, 0, 1e9, 1, "", ""}};
static struct ode_problem chain(void) {
    return (struct ode_problem){.abi = ODE_PROBLEM_ABI,
        .struct_size = sizeof(struct ode_problem),
        .name = "chain",
        .title = "a mistake",
        .parameters = parameters,
        .parameter_count = 2,
        .constant_count = 2,
        .grid.components = 1,
        .shape = shape,
        .initial = initial,
        .eval_comp_f32 = eval_f32,
        .eval_comp_f64 = eval_f64,
        .kernels = fastest,
        .each_kernels = each};
}

static const struct {
    enum mistake mistake;
    const char *check, *words;
    int64_t component;
    int status;
} mistakes[] = {
    {TOO_FAR, "distance",
        "4321 reads a component at distance 2, but the declared access distance is 1", BAD,
        EULERCL_INTERNAL},
    {TOO_FAR_AT_THE_END, "distance", "5999 reads a component at distance 2", N - 1,
        EULERCL_INTERNAL},
    {BEYOND_THE_END, "distance", "5999 reads beyond the state", N - 1, EULERCL_INTERNAL},
    {BEFORE_THE_BEGINNING, "distance", "0 reads beyond the state", 0, EULERCL_INTERNAL},
    {RANDOM, "determinism", "4321", BAD, EULERCL_INTERNAL},
    {RARELY_RANDOM, "determinism", "", -2, EULERCL_INTERNAL},
    {BAD_STEP_RANGE, "forms", "step_range (plain)", BAD, EULERCL_INTERNAL},
    {BAD_EVAL_RANGE, "forms", "eval_range (plain)", BAD, EULERCL_INTERNAL},
    {BAD_PLAIN, "forms", "step_range (plain)", BAD, EULERCL_INTERNAL},
    {BAD_EVAL_COMP4, "forms", "eval_comp4 (plain)", BAD, EULERCL_INTERNAL},
    {BAD_FLOAT, "forms", "float: step_range", BAD, EULERCL_INTERNAL},
    {CONTRACTED, "arithmetic", "double: the code for plain was compiled with contraction", -1,
        EULERCL_UNSUPPORTED},
    {BY_RANGE, "determinism", "depend on the range", -2, EULERCL_INTERNAL},
    {STEP_BY_RANGE, "determinism", "depend on the range", -2, EULERCL_INTERNAL},
    {BY_ALIGNMENT, "determinism", "depend on the address", -2, EULERCL_INTERNAL},
    {NAN_INITIAL, "finite", "component 4321 of the initial state is nan", BAD, EULERCL_NONFINITE},
    {INFINITE_INITIAL, "finite", "component 4321 of the initial state is -inf", BAD,
        EULERCL_NONFINITE},
    {NAN_DERIVATIVE, "finite", "derivative of component 4321 at the initial state", BAD,
        EULERCL_NONFINITE},
    {NEVER_A_NUMBER, "finite", "derivative of component 0 at the initial state", 0,
        EULERCL_NONFINITE},
    {BREAKS_DOWN, "finite", "component 4321 is nan after step", -1, EULERCL_NONFINITE},
};

START_TEST(mistakes_are_found) {
    const struct ode_problem d = chain();
    eulercl_problem *problem = make(&d);
    mistake = NONE;
    ck_assert_int_eq(check(problem).fails, 0);
    mistake = mistakes[_i].mistake;
    calls = 0;
    const eulercl_check_report report = check(problem);
    ck_assert_int_ge(report.fails, 1);
    const int f = find(mistakes[_i].check, EULERCL_FAILS, mistakes[_i].words);
    for (int i = 0; f < 0 && i < said_count; i++)
        fprintf(stderr, "%d %s %s\n", (int)said[i].verdict, said[i].check, said[i].text);
    ck_assert_msg(f >= 0, "mistake %d: no finding %s with '%s'", (int)mistake, mistakes[_i].check,
        mistakes[_i].words);
    if (!strcmp(mistakes[_i].check, "distance"))
        ck_assert_int_eq(report.access_distance, strstr(mistakes[_i].words, "beyond") ? -1 : 2);
    if (mistakes[_i].component > -2) ck_assert_int_eq(said[f].component, mistakes[_i].component);
    ck_assert_int_eq(said[f].status, mistakes[_i].status);
    if (mistake == NEVER_A_NUMBER)
        ck_assert(find("distance", EULERCL_SKIPPED, "no derivative is finite") >= 0 &&
                  find("stability", EULERCL_SKIPPED, "not finite") >= 0);
    if (strstr(mistakes[_i].words, "beyond"))
        ck_assert(find("finite", EULERCL_SKIPPED, "beyond") >= 0 &&
                  find("stability", EULERCL_SKIPPED, "beyond") >= 0);
    /* Nothing else is blamed. */
    for (int i = 0; i < said_count; i++)
        ck_assert_msg(
            said[i].verdict != EULERCL_FAILS || !strcmp(said[i].check, mistakes[_i].check),
            "%s is blamed, too: %s", said[i].check, said[i].text);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Code in lanes that is a bit off, in one value of one form, precision and instruction set of a
 * right problem. */
enum lane_form { SWEEP, SWEEP_ONE, STEP_ROWS, CLOSE_ROW, LANE_FORMS };
static struct {
    const struct ode_problem *right;
    enum lane_form form;
    size_t real_size;
    uint32_t isa;
} off;
static const struct ode_kernels *honest;
static struct ode_kernels faulty;

static void spoil(void *row, int64_t i) {
    if (off.real_size == sizeof(float))
        ((float *)row)[i] = nextafterf(((float *)row)[i], 9);
    else
        ((double *)row)[i] = nextafter(((double *)row)[i], 9);
}
static void bad_sweep(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
    const struct ode_instant *t, double h) {
    honest->sweep(context, lanes, u, t, h);
    spoil(u, 0);
}
static void bad_sweep_one(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
    const struct ode_instant *t, double h) {
    honest->sweep_one(context, lanes, u, t, h);
    spoil(u, 0);
}
static void bad_step_rows(const struct ode_context *context, const struct ode_lanes *lanes,
    void *const *out, const void *const *in, int rows, const ode_index *row,
    const struct ode_instant *t, const struct ode_instant *t_next, double h) {
    honest->step_rows(context, lanes, out, in, rows, row, t, t_next, h);
    spoil(out[0], 0);
}
static void bad_close_row(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
    const ode_index *row, const struct ode_instant *t) {
    honest->close_row(context, lanes, u, row, t);
    spoil(u, -1);
}
static const struct ode_kernels *mostly_right(size_t real_size, uint32_t index) {
    const struct ode_kernels *k = off.right->each_kernels(real_size, index);
    if (!k || real_size != off.real_size || index != off.isa) return k;
    honest = k;
    faulty = *k;
    if (off.form == SWEEP) faulty.sweep = bad_sweep;
    if (off.form == SWEEP_ONE) faulty.sweep_one = bad_sweep_one;
    if (off.form == STEP_ROWS) faulty.step_rows = bad_step_rows;
    if (off.form == CLOSE_ROW) faulty.close_row = bad_close_row;
    return &faulty;
}

START_TEST(wrong_lanes_are_found) {
    const int plane = _i >= STEP_ROWS;
    const struct ode_problem *right = plane ? &test_problem_bruss2d : &test_problem_string;
    struct ode_problem d = *right;
    eulercl_problem *problem;
    d.each_kernels = mostly_right;
    d.initial = NULL; /* no eigenvalues, which take longer than all else */
    off.right = right;
    off.form = (enum lane_form)_i;
    off.real_size = 0;
    problem = make(&d);
    OK(eulercl_problem_set(problem, plane ? "m" : "points", plane ? 70 : 400, &error));
    ck_assert_int_eq(check(problem).fails, 0);
    ck_assert(find("lanes", EULERCL_HOLDS, "double: ") >= 0 &&
              find("lanes", EULERCL_HOLDS, "float: ") >= 0);
    for (size_t real_size = sizeof(float); real_size <= sizeof(double); real_size += sizeof(float))
        for (off.isa = 0; right->each_kernels(real_size, off.isa); off.isa++) {
            char words[40];
            off.real_size = real_size;
            snprintf(words, sizeof words, "%s: SIMD lanes (%s)",
                real_size == sizeof(float) ? "float" : "double",
                right->each_kernels(real_size, off.isa)->isa);
            ck_assert_int_eq(check(problem).fails, 1);
            const int f = find("lanes", EULERCL_FAILS, words);
            ck_assert_msg(f >= 0 && said[f].component >= 0 && said[f].status == EULERCL_INTERNAL,
                "form %d, %s: not found", _i, words);
        }
    /* Tests on a part of a large grid take one form of each kind in make check. */
    off.isa = 0;
    if (test_level() != QUICK_TESTS || _i == SWEEP || _i == STEP_ROWS) {
        OK(eulercl_problem_set(problem, plane ? "m" : "points", plane ? 740 : 530000, &error));
        ck_assert_int_eq(check(problem).fails, 1);
        ck_assert(find("lanes", EULERCL_FAILS, "double") >= 0 &&
                  find("lanes", EULERCL_HOLDS, "float") >= 0);
    }
    /* Too few points: said, and nothing is run. */
    OK(eulercl_problem_set(problem, plane ? "m" : "points", plane ? 2 : 4, &error));
    ck_assert_int_eq(check(problem).fails, 0);
    ck_assert(find("lanes", EULERCL_SKIPPED, "too small") >= 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Constants that a precision cannot hold are its fault alone; the rest is checked in the other. */
static double constant;
static void derive(const double *given, double *constants) {
    constants[0] = given[0];
    constants[1] = given[1];
    constants[2] = constant;
}
START_TEST(constants_are_checked) {
    static const struct {
        double value;
        int fails;
    } cases[] = {{1, 0}, {1e300, 1}, {HUGE_VAL, 2}};
    struct ode_problem d = chain();
    d.constant_count = 3;
    d.derive = derive;
    mistake = NONE;
    for (int k = 0; k < COUNT(cases); k++) {
        eulercl_problem *problem = make(&d);
        constant = cases[k].value;
        const eulercl_check_report report = check(problem);
        ck_assert_int_eq(report.fails, cases[k].fails);
        ck_assert_int_eq(find("arithmetic", EULERCL_FAILS, "float") >= 0, cases[k].fails > 0);
        ck_assert_int_eq(report.access_distance, cases[k].fails < 2 ? 1 : -1);
        ck_assert_int_eq(find("stability", EULERCL_SKIPPED, "") >= 0, cases[k].fails == 2);
        eulercl_problem_destroy(problem);
    }
    /* Without a right-hand side in double what is read is searched for in float. */
    d.eval_comp_f64 = NULL;
    constant = 1;
    eulercl_problem *problem = make(&d);
    const eulercl_check_report report = check(problem);
    ck_assert(report.fails == 0 && report.access_distance == 1 && report.double_bytes == 0 &&
              report.h_limit > 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Numbers in the text that divide to less than is meant, and divisions that are honest. */
START_TEST(whole_divisions_are_found) {
    static const struct {
        const char *text, *words;
    } texts[] = {
        {"\n\nDOT(0) = 1/2 * LAPLACE(0);",
            "line 3 of the problem's file divides whole numbers, and 1/2 is 0: write REAL(1)/2"},
        {"/* one\ntwo */ -(3 / 2)*AT(0, 0)",
            "line 2 of the problem's file divides whole numbers, and 3/2 is 1"},
        {"#define HALF \\\n 1UL/0x2\n", "line 2 "},
        {"f(\"1/2\", '\\'', 0x1e/4)", "30/4 is 7"},
        {"return 1 // 3\n/ /* 5 */ 4;", "line 2 "},
        {"ix / 2 + N / 2 + nx/4", NULL},
        {"4/2 * u", NULL},
        {"1./2 + 1/2. + 1e0/2 + .5/3 + 0x1p0/2 + 1e-3/2", NULL},
        {"u * 1/2 + u / 3/2", NULL},
        {"0/2 + 1/0", NULL},
        {"REAL(1)/2 + x1/2 + a[1]/2", NULL},
        {"// 1/2\n\"1/2\" /* 1/2", NULL},
        {"\"don't\n'\n\\", NULL},
        {"1/", NULL},
        {"/", NULL},
        {"", NULL},
    };
    struct ode_problem d = chain();
    mistake = NONE;
    d.file = "chain.c";
    for (int k = 0; k < COUNT(texts); k++) {
        /* The copy has exactly its own length, so the address sanitizer finds reads past the
         * end. */
        const size_t length = strlen(texts[k].text);
        char *text = malloc(length + 1);
        memcpy(text, texts[k].text, length + 1);
        d.text = text;
        d.text_end = text + length;
        eulercl_problem *problem = make(&d);
        ck_assert_int_eq(check(problem).fails, texts[k].words ? 2 : 0);
        ck_assert_msg(!texts[k].words || find("arithmetic", EULERCL_FAILS, texts[k].words) >= 0,
            "%s: not '%s'", texts[k].text, texts[k].words);
        eulercl_problem_destroy(problem);
        free(text);
    }
}
END_TEST

/* If a derivative is NaN because a coefficient is NaN, the coefficient is named. */
static void bad_fields(const struct ode_context *context, ode_index point, double *fields) {
    test_problems[TEST_heat_fields].definition->field_values(context, point, fields);
    if (point == 23) fields[1] = (double)NAN;
}
START_TEST(fields_are_blamed) {
    struct ode_problem d = *test_problems[TEST_heat_fields].definition;
    d.field_values = bad_fields;
    eulercl_problem *problem = make(&d);
    ck_assert_int_eq(check(problem).fails, 2);
    ck_assert_int_ge(
        find("arithmetic", EULERCL_FAILS,
            "double: problem heat_fields: field source of point (5, 2) is nan in double; does "
            "ODE_FIELD_VALUES set FIELD(source)?"),
        0);
    ck_assert_int_eq(find("finite", EULERCL_FAILS, "DOT"), -1);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A declared distance that is too large is no mistake, and the true one is said. */
START_TEST(smallest_distance_is_said) {
    const struct ode_problem d = chain();
    eulercl_problem *problem = make(&d);
    mistake = NONE;
    static const double declared[] = {1, 2, 5, 100, N - 1, N, 1e9};
    for (int k = 0; k < COUNT(declared); k++) {
        OK(eulercl_problem_set(problem, "distance", declared[k], &error));
        const eulercl_check_report report = check(problem);
        ck_assert(report.fails == 0 && report.access_distance == 1 &&
                  report.cyclic_distance == -1 && report.radius == -1);
        ck_assert_int_eq(
            find("distance", EULERCL_REMARK, "cannot use tiles") >= 0, declared[k] >= N - 1);
    }
    OK(eulercl_problem_set(problem, "distance", 0, &error));
    ck_assert_int_eq(check(problem).fails, 1);
    /* The smallest systems. */
    OK(eulercl_problem_set(problem, "size", 1, &error));
    ck_assert_int_eq(check(problem).fails, 0);
    OK(eulercl_problem_set(problem, "distance", 1, &error));
    for (int n = 1; n < 12; n++) {
        OK(eulercl_problem_set(problem, "size", n, &error));
        const eulercl_check_report report = check(problem);
        ck_assert(report.fails == 0 && report.access_distance == (n > 1));
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* A grid whose right-hand side reads past the radius that is declared, within the access distance
 * and outside it. */
START_TEST(radius_is_checked) {
    struct ode_problem d = chain();
    d.grid.rank = 1;
    d.grid.radius = 1;
    d.eval_comp_f32 = NULL;
    eulercl_problem *problem = make(&d);
    mistake = NONE;
    eulercl_check_report report = check(problem);
    ck_assert(report.fails == 0 && report.radius == 1 && report.access_distance == 1 &&
              report.float_bytes == 0 && find("arithmetic", EULERCL_SKIPPED, "float") >= 0);
    mistake = OUT_OF_STENCIL;
    OK(eulercl_problem_set(problem, "distance", 7, &error));
    report = check(problem);
    ck_assert(report.fails == 1 &&
              find("radius", EULERCL_FAILS, "4321 reads a component at distance 3") >= 0);
    OK(eulercl_problem_set(problem, "distance", 2, &error));
    report = check(problem);
    ck_assert(report.fails == 1 &&
              find("radius", EULERCL_FAILS, "4321 reads a component at distance 3") >= 0);
    eulercl_problem_destroy(problem);
    /* Declared larger than it is. */
    mistake = NONE;
    d.grid.radius = 3;
    problem = make(&d);
    report = check(problem);
    ck_assert(report.fails == 0 && report.radius == 1 &&
              find("radius", EULERCL_HOLDS, "smaller ODE_RADIUS") >= 0);
    OK(eulercl_problem_set(problem, "size", 5, &error));
    report = check(problem);
    ck_assert(
        report.fails == 0 && report.radius == -1 && find("radius", EULERCL_SKIPPED, "larger") >= 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A text that the OpenCL compiler does not take is a finding with its log; all else is checked
 * nevertheless. */
START_TEST(opencl_compiler_is_asked) {
    static const char text[] =
        "#define ODE_NAME bad\n#define ODE_SIZE size\n#define ODE_ACCESS_DISTANCE 1\n#define "
        "ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 30, 1, 1e6, \"\", \"\") REAL(distance, 1, 0, "
        "9, \"\", \"\")\n"
        "#include <eulercl/ode_problem.h>\nODE_EVAL_COMP(\n    return Y(i) + no_such_name;\n)\n";
    struct ode_problem d = chain();
    if (!have_opencl()) return;
    mistake = NONE;
    d.text = text;
    d.text_end = text + sizeof text - 1;
    d.file = "bad.c";
    eulercl_problem *problem = make(&d);
    ck_assert_int_eq(check_on(problem, NULL).fails, 2);
    const int f = find("opencl", EULERCL_FAILS, "double: ");
    ck_assert(f >= 0 && said[f].status == EULERCL_COMPILE && said[f].log > 0 &&
              find("distance", EULERCL_HOLDS, "") >= 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- positions and velocities ---- */

static int is_first(ode_index c) { return c == 0; }
static int is_second(ode_index c) { return c == 1; }
static int is_any(ode_index c) { return c >= 0; }
static int is_none(ode_index c) { return c < 0; }

/* A right-hand side that is wrong is refused where a symplectic method relies on it, and not where
 * none does. */
static void expect_refusal(const eulercl_problem *problem, const char *words) {
    eulercl_options options;
    eulercl_solver *solver;
    for (const char *p = "fd"; *p; p++) {
        options_for(
            &options, &(struct way){"seq", NULL, 0}, *p == 'f' ? EULERCL_FLOAT : EULERCL_DOUBLE);
        options.h = 1e-3;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        eulercl_solver_destroy(solver);
        for (int with_tolerance = 0; with_tolerance < 2; with_tolerance++) {
            options.method = with_tolerance ? NULL : "verlet";
            options.rtol = with_tolerance ? 1e-3 : 0;
            if (words)
                EXPECT_WORDS(EULERCL_UNSUPPORTED, words,
                    eulercl_solver_create(problem, &options, &solver, &error));
            else
                OK(eulercl_solver_create(problem, &options, &solver, &error));
            if (!words) eulercl_solver_destroy(solver);
        }
    }
}

START_TEST(positions_are_what_the_problem_says) {
    static const struct {
        const struct ode_problem *problem;
        int (*is_position)(ode_index);
        const char *words; /* words of the finding; NULL: the check passes */
    } cases[] = {{&test_problem_string, is_first, NULL},
        {&test_problem_string, is_second, NULL}, /* the roles are exchanged */
        {&test_problem_string, is_any, "the derivative of a position reads a position"},
        {&test_problem_string, is_none, "the derivative of a velocity reads a velocity"},
        {&test_problem_string_thesis, is_any, "the derivative of a position reads a position"},
        {&test_problem_bruss2d, is_first, "the derivative of a position reads a position"},
        {&test_problem_staggered, is_first, NULL},
        {&test_problem_staggered, is_second, "the derivative of a velocity reads a velocity"},
        {&test_problem_acoustics, is_first, NULL},
        {&test_problem_acoustics, is_any, "the derivative of a position reads a position"}};
    for (int k = 0; k < COUNT(cases); k++) {
        struct ode_problem d = *cases[k].problem;
        d.is_position = cases[k].is_position;
        eulercl_problem *problem = make(&d);
        expect_refusal(problem, cases[k].words);
        const eulercl_check_report report = check(problem);
        ck_assert_int_eq(report.fails, cases[k].words != NULL);
        ck_assert_int_ge(find("positions", cases[k].words ? EULERCL_FAILS : EULERCL_HOLDS,
                             cases[k].words ? cases[k].words : "velocities alone"),
            0);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* A system that is not looked at completely: its beginning, its middle, and its end, where too many
 * components are positions. The state would have 8 GB. */
static ode_index bad_place;
static int is_bad(ode_index c) { return c % 2 == 0 || (c >= bad_place && c < bad_place + 40); }
START_TEST(positions_of_huge_systems) {
    struct ode_problem d = test_problem_string_thesis;
    struct system system;
    d.is_position = is_bad;
    eulercl_problem *problem = make(&d);
    OK(eulercl_problem_set(problem, "points", 5e8, &error));
    OK(ecl_system_create(problem, EULERCL_DOUBLE, &system, &error));
    bad_place = _i * (size_of(problem) / 2) - 20 * _i;
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, "ODE_POSITION", ecl_verify_positions(problem, &system, 0, &error));
    bad_place = -100;
    OK(ecl_verify_positions(problem, &system, 0, &error));
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- jumps in time ---- */

static double (*forcing)(double t);
static double switched(double t) { return t < 0.7 ? 0 : 1; }
static double late(double t) { return t <= 0.7e12 ? -3 : 1; }
static double early(double t) { return t < 3e-15 ? 2 * t : 1; }
static double smooth(double t) { return sin(t); }
static double steep(double t) { return tanh(1e9 * (t - 1)) + sin(1e6 * t); }
static double noise(double t) { return sin(1e300 * t); }
static double narrow(double t) { return t > 500 && t < 500.0009765625 ? 1 : t / 1000; }
static double saw(double t) { return t / 3 - floor(t / 3); }
static double bursts(double t) { return fmod(t, 2.5) < 0.25 ? 1 : 0; }
static double started(double t) { return t > 0 ? 1 : -1; }
static double growing(double t) { return t * t * t + (t > 4.25); }
static double forced(const struct ode_context *context, ode_index i, double t, const double *y) {
    return forcing(t) * (double)(i == context->n / 2) - y[i];
}

START_TEST(jumps_in_time_are_found) {
    static const struct {
        double (*forcing)(double);
        double t0, t_end;  /* 0: not said */
        const char *words; /* NULL: there is no jump */
    } cases[] = {{switched, 0, 0, "at t = 0.7 ("}, {switched, 0, 2, "--breakpoints 0.7"},
        {switched, 0.5, 0, "at t = 0.7 ("}, {switched, 1, 9, NULL}, {switched, 0, 0.5, NULL},
        {late, 0, 0, "--breakpoints 700000000000"}, {late, 0, 1e12, "--breakpoints 700000000000"},
        {early, 0, 0, "at t = 3e-15 ("}, {smooth, 0, 0, NULL}, {smooth, 0, 100, NULL},
        {steep, 0, 2, NULL}, {noise, 0, 0, NULL}, {noise, 0, 100, NULL}, {narrow, 0, 1, NULL},
        {narrow, 0, 1000, "at t = 500,500.0009765625 ("},
        {saw, 0, 0, "at t = 3, and again after each 3 ("}, {saw, 0, 50, "again after each 3 ("},
        {bursts, 0, 0, "at t = 0.25,2.5, and again after each 2.5 ("},
        {bursts, 0, 60, "at t = 0.25,2.5, and again after each 2.5 ("}, {started, 0, 0, NULL},
        {started, 0, 2, NULL}, {started, -1, 2, "at t = 4.9"}, {growing, 0, 0, "at t = 4.25 ("},
        {growing, 0, 16, "at t = 4.25 ("}};
    for (int k = 0; k < COUNT(cases); k++) {
        struct ode_problem d = chain();
        eulercl_check_report report = {.struct_size = sizeof report};
        eulercl_options options;
        eulercl_options_init(&options);
        options.device = "no such device";
        options.t0 = cases[k].t0;
        if (cases[k].t_end > 0) {
            options.h = cases[k].t_end - cases[k].t0;
            options.expected_steps = 1;
        }
        mistake = NONE;
        forcing = cases[k].forcing;
        d.eval_comp_f64 = forced;
        d.eval_comp_f32 = NULL;
        d.kernels = NULL;
        d.each_kernels = NULL;
        eulercl_problem *problem = make(&d);
        OK(eulercl_problem_set(problem, "size", 20, &error));
        if (cases[k].forcing == narrow) OK(eulercl_problem_set(problem, "size", 500, &error));
        said_count = 0;
        OK(eulercl_check(problem, &options, &report, keep, said, &error));
        const int at = find("times", cases[k].words ? EULERCL_REMARK : EULERCL_HOLDS,
            cases[k].words ? cases[k].words : "no jump");
        for (int i = 0; at < 0 && i < said_count; i++)
            if (!strcmp(said[i].check, "times")) ck_abort_msg("case %d: %s", k, said[i].text);
        ck_assert_int_ge(at, 0);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* Stiff reactions that begin slowly (H. H. Robertson, 1966), in any units: steps that no method
 * would take are not held against them; and what does break down is a failure in any units, too. */
static double unit_y = 1, unit_t = 1;
static int breaks;
static double stiff(const struct ode_context *context, ode_index i, double t, const double *y) {
    const double a = y[0] / unit_y, b = y[1] / unit_y, c = y[2] / unit_y;
    const double r1 = 0.04 * a, r2 = 3e7 * b * b, r3 = 1e4 * b * c;
    (void)context;
    (void)t;
    if (breaks) return i ? 0 : (-1 - sqrt(a - 0.7)) * unit_y / unit_t;
    return (i == 0 ? r3 - r1 : i == 1 ? r1 - r2 - r3 : r2) * unit_y / unit_t;
}
static void start_stiff(const struct ode_context *context, ode_index i, double *y) {
    (void)context;
    *y = i == 0 ? unit_y : 0;
}

START_TEST(units_do_not_matter_to_finite_values) {
    static const double units[][2] = {
        {1, 1}, {1e-15, 1}, {1e12, 1}, {1, 1e12}, {1, 1e-15}, {1e-15, 1e12}, {1e12, 1e-100}};
    unit_y = units[_i][0];
    unit_t = units[_i][1];
    for (breaks = 0; breaks < 2; breaks++) {
        struct ode_problem d = chain();
        mistake = NONE;
        d.eval_comp_f64 = stiff;
        d.eval_comp_f32 = NULL;
        d.initial = start_stiff;
        d.kernels = NULL;
        d.each_kernels = NULL;
        eulercl_problem *problem = make(&d);
        OK(eulercl_problem_set(problem, "size", 3, &error));
        OK(eulercl_problem_set(problem, "distance", 2, &error));
        const eulercl_check_report report = check(problem);
        for (int i = 0; !breaks && i < said_count; i++)
            ck_assert_msg(said[i].verdict != EULERCL_FAILS, "%s: %s", said[i].check, said[i].text);
        ck_assert_int_eq(report.fails, breaks);
        if (breaks)
            ck_assert_int_ge(find("finite", EULERCL_FAILS, "component 0 is nan after step"), 0);
        else
            ck_assert(find("finite", EULERCL_HOLDS, "are finite") >= 0 &&
                      find("finite", EULERCL_REMARK, "becomes stiffer") >= 0);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- the calls ---- */

START_TEST(names_are_listed) {
    static const char *const names[] = {"memory", "distance", "radius", "positions", "times",
        "arithmetic", "forms", "determinism", "lanes", "opencl", "finite", "stability"};
    for (int i = 0; i < COUNT(names); i++)
        ck_assert_str_eq(eulercl_check_name((size_t)i), names[i]);
    ck_assert_ptr_null(eulercl_check_name((size_t)COUNT(names)));
    /* A full check has them all, in this order within a precision. */
    eulercl_problem *problem = make(&test_problem_string);
    check(problem);
    for (int i = 0; i < COUNT(names); i++) {
        int found = 0;
        for (int k = 0; k < said_count; k++) found |= !strcmp(said[k].check, names[i]);
        if (!strcmp(names[i], "times")) continue; /* problems that do not read the time */
        ck_assert_msg(found, "nothing about %s", names[i]);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(observers_stop) {
    const struct ode_problem d = chain();
    eulercl_problem *problem = make(&d);
    mistake = NONE;
    const int all = (check(problem), said_count);
    for (stop_after = 1; stop_after <= all; stop_after++) {
        eulercl_check_report report, before;
        memset(&report, 0x5A, sizeof report);
        report.struct_size = sizeof report;
        before = report;
        said_count = 0;
        EXPECT(EULERCL_CANCELLED, eulercl_check(problem, NULL, &report, keep, said, &error));
        ck_assert_int_eq(said_count, stop_after);
        ck_assert(!memcmp(&report, &before, sizeof report));
    }
    stop_after = 0;
    eulercl_check_report report = {.struct_size = sizeof report};
    OK(eulercl_check(problem, NULL, &report, NULL, NULL, NULL));
    report.struct_size = 0;
    EXPECT(EULERCL_INVALID, eulercl_check(problem, NULL, &report, NULL, NULL, &error));
    struct {
        eulercl_check_report report;
        char more[64];
    } longer = {.report.struct_size = sizeof longer};
    memset(longer.more, 0x5A, sizeof longer.more);
    OK(eulercl_check(problem, NULL, &longer.report, NULL, NULL, &error));
    for (size_t i = 0; i < sizeof longer.more; i++) ck_assert_int_eq(longer.more[i], 0x5A);
    eulercl_options options;
    eulercl_options_init(&options);
    options.t0 = (double)NAN;
    report.struct_size = sizeof report;
    EXPECT(EULERCL_INVALID, eulercl_check(problem, &options, &report, NULL, NULL, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Every allocation fails once, and from then on: a status, or a finding that something was skipped;
 * no leak. */
START_TEST(memory_faults) {
    const struct ode_problem d = chain();
    eulercl_problem *problem = make(&d);
    OK(eulercl_problem_set(problem, "size", 50, &error));
    mistake = NONE;
    const long live = ecl_mem_live();
    for (int from_then_on = 0; from_then_on < 2; from_then_on++)
        for (int what = 0; what < 2; what++) {
            int finished = 0;
            for (long k = 0; !finished; k++) {
                eulercl_check_report report = {.struct_size = sizeof report};
                eulercl_stability stability = {.struct_size = sizeof stability};
                said_count = 0;
                ck_assert_int_lt(k, 1000);
                ecl_mem_fail(k, from_then_on);
                const int status =
                    what ? eulercl_estimate_stability(problem, NULL, NULL, &stability, &error)
                         : eulercl_check(problem, NULL, &report, keep, said, &error);
                ecl_mem_fail(-1, 0);
                ck_assert_msg(!status || status == EULERCL_MEMORY, "allocation %ld: %s", k,
                    eulercl_status_name(status));
                ck_assert_int_eq(ecl_mem_live(), live);
                if (!what)
                    ck_assert_msg(
                        report.fails == 0 || find("arithmetic", EULERCL_FAILS, "memory") >= 0,
                        "allocation %ld: a check fails", k);
                finished =
                    !status && (what || (report.skipped == 2 &&
                                            !report.fails)); /* as without faults; OpenCL twice */
            }
        }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- stable steps ---- */

static eulercl_stability stability_of(
    const eulercl_problem *problem, enum eulercl_precision precision) {
    eulercl_options options;
    eulercl_stability s = {.struct_size = sizeof s};
    eulercl_options_init(&options);
    options.precision = precision;
    OK(eulercl_estimate_stability(problem, &options, NULL, &s, &error));
    return s;
}

static void expect_near(int line, double value, double expected, double relative) {
    ck_assert_msg(fabs(value - expected) <= relative * fabs(expected), "line %d: %.9g, not %.9g",
        line, value, expected);
}
#define NEAR(value, expected, relative) expect_near(__LINE__, value, expected, relative)

/* Diffusion: the largest eigenvalue is 4 D cos^2(...) in one dimension, 8 D in two, with D over the
 * grid spacing squared. */
START_TEST(diffusion_has_the_closed_form) {
    static const double sizes[] = {40, 1000, 30000};
    for (int k = 0; k < COUNT(sizes); k++) {
        eulercl_problem *problem = make(&test_problem_rod_clamp);
        eulercl_stability s;
        double h;
        OK(eulercl_problem_set(problem, "points", sizes[k], &error));
        OK(eulercl_problem_set(problem, "kappa", 2.5, &error));
        for (int p = 4; p <= 8; p += 4) {
            s = stability_of(problem, (enum eulercl_precision)p);
            NEAR(s.h_limit, 2 / (4 * 2.5), p == 4 ? 1e-2 : 5e-3);
            NEAR(s.spectral_radius, 4 * 2.5, p == 4 ? 1e-2 : 5e-3);
            ck_assert(s.oscillation == 0 && s.real < 0 && s.imaginary == 0 && s.evaluations > 0);
        }
        OK(eulercl_stable_step(problem, NULL, NULL, &h, &error));
        NEAR(h, 0.9 * s.h_limit, 1e-12);
        eulercl_problem_destroy(problem);
    }
    eulercl_problem *problem = make(&test_problem_heat_fields); /* the stiffest point decides */
    OK(eulercl_problem_set(problem, "columns", 40, &error));
    OK(eulercl_problem_set(problem, "rows", 40, &error));
    NEAR(stability_of(problem, EULERCL_DOUBLE).h_limit, 2 / (8 * 1.7 * (1 + 1 + 1)), 0.2);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(brusselator_has_the_known_step) {
    static const int sides[] = {60, 100, 150};
    /* Small, reaction decides: eigenvalues of the whole matrix, computed by another program
     * (numpy.linalg.eigvals), less those below half of the largest that decays. */
    static const struct {
        int side;
        double limit;
    } small[] = {{12, 0.39407356}, {20, 0.22664880}, {30, 0.12134096}};
    for (int k = 0; k < COUNT(small); k++) {
        eulercl_problem *problem = make(&test_problem_bruss2d);
        OK(eulercl_problem_set(problem, "m", small[k].side, &error));
        NEAR(stability_of(problem, EULERCL_DOUBLE).h_limit, small[k].limit, 0.03);
        eulercl_problem_destroy(problem);
    }
    for (int k = 0; k < COUNT(sides); k++) {
        eulercl_problem *problem = make(&test_problem_bruss2d);
        OK(eulercl_problem_set(problem, "m", sides[k], &error));
        const double d = 2e-3 * (sides[k] - 1) * (sides[k] - 1);
        /* 8 d of the diffusion; the reaction's own eigenvalues go down to -4.5 (at u = 0.5, v = 1,
         * and on to u = 1.5, v = 1). */
        const double h = stability_of(problem, EULERCL_DOUBLE).h_limit;
        ck_assert_msg(h <= 2 / (8 * d) * 1.001 && h >= 2 / (8 * d + 4.5),
            "m = %d: h <= %g, and 2 / 8 d = %g", sides[k], h, 2 / (8 * d));
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* The estimate is right: a little below the limit the solution decays, a little above it grows. */
START_TEST(limit_is_where_it_breaks) {
    static const struct {
        int problem;
        const char *parameter;
        double value;
    } decaying[] = {
        {TEST_rod_clamp, "points", 500},
        {TEST_mirror2, "columns", 30},
        {TEST_rod_fixed, "points", 200},
    };
    eulercl_problem *problem = make(test_problems[decaying[_i].problem].definition);
    OK(eulercl_problem_set(problem, decaying[_i].parameter, decaying[_i].value, &error));
    const int64_t n = size_of(problem);
    const eulercl_stability s = stability_of(problem, EULERCL_DOUBLE);
    ck_assert(s.h_limit > 0 && isfinite(s.h_limit));
    for (int above = 0; above < 2; above++) {
        eulercl_options options;
        double *y = zeroed(n, sizeof *y), largest = 0;
        options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
        options.h = s.h_limit * (above ? 1.1 : 0.98);
        random_start((uint64_t)_i);
        for (int64_t i = 0; i < n; i++) y[i] = random_real(-1, 1);
        options.check_finite = 0;
        OK(eulercl_solve(problem, &options, 3000, y, NULL, &error));
        for (int64_t i = 0; i < n; i++)
            largest = fmax(largest, isfinite(y[i]) ? fabs(y[i]) : HUGE_VAL);
        ck_assert_msg(above ? largest > 1e6 : largest < 20,
            "h = %g times the limit: %g after 3000 steps", above ? 1.1 : 0.98, largest);
        free(y);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(oscillations_have_no_step) {
    const struct ode_problem *const strings[] = {&test_problem_string, &test_problem_string_thesis};
    static const struct {
        double points, K;
    } cases[] = {{10, 5}, {100, 5}, {3000, 0.5}, {3000, 50}};
    for (int f = 0; f < COUNT(strings); f++)
        for (int k = 0; k < COUNT(cases); k++) {
            eulercl_problem *problem = make(strings[f]);
            double h = 7;
            OK(eulercl_problem_set(problem, "points", cases[k].points, &error));
            OK(eulercl_problem_set(problem, "K", cases[k].K, &error));
            const eulercl_stability s = stability_of(problem, EULERCL_DOUBLE);
            ck_assert_msg(
                s.h_limit == 0, "%s, K = %g: h <= %g", strings[f]->name, cases[k].K, s.h_limit);
            NEAR(s.oscillation, 2 * cases[k].K * cos(acos(-1) / (2 * (cases[k].points + 1))), 0.02);
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "no step size",
                eulercl_stable_step(problem, NULL, NULL, &h, &error));
            ck_assert(h == 7);
            eulercl_problem_destroy(problem);
        }
}
END_TEST

/* Linear stencils l, c, r on a ring: eigenvalues l e^{-i theta} + c + r e^{i theta}. */
static double ring_left, ring_centre, ring_right;
static double eval_ring(const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)t;
    return ring_left * y[i ? i - 1 : context->n - 1] + ring_centre * y[i] +
           ring_right * y[i + 1 < context->n ? i + 1 : 0];
}
static float eval_ring_f32(
    const struct ode_context *context, ode_index i, float t, const float *y) {
    (void)t;
    return (float)ring_left * y[i ? i - 1 : context->n - 1] + (float)ring_centre * y[i] +
           (float)ring_right * y[i + 1 < context->n ? i + 1 : 0];
}

static const struct {
    const char *what;
    double left, centre, right, least, most;
} rings[] = {
    {"upwind differences: h <= 1 / c", 3, -3, 0, 1 / 3.0, 1 / 3.0 * 1.001},
    {"central differences and diffusion: h <= 2 d / a^2", 0.6, -0.2, -0.4, 0.2, 0.2 * 1.08},
    {"the same with little diffusion", 0.51, -0.02, -0.49, 0.02, 0.02 * 1.08},
    {"the same, where diffusion decides: h <= 1 / (2 d)", 1.1, -2, 0.9, 0.5, 0.501},
    {"central differences: none", 1, 0, -1, 0, 0},
    {"downwind differences: growth, and no decay", 0, 1, -1, HUGE_VAL, HUGE_VAL},
    {"growth alone", 0, 2, 0, HUGE_VAL, HUGE_VAL},
    {"nothing at all", 0, 0, 0, HUGE_VAL, HUGE_VAL},
};

START_TEST(rings_have_closed_forms) {
    struct ode_problem d = chain();
    d.grid.rank = 1;
    d.grid.radius = 1;
    d.grid.boundary[0][0] = d.grid.boundary[0][1] = ODE_PERIODIC;
    d.kernels = NULL;
    d.each_kernels = NULL;
    d.eval_comp_f64 = eval_ring;
    d.eval_comp_f32 = eval_ring_f32;
    ring_left = rings[_i].left;
    ring_centre = rings[_i].centre;
    ring_right = rings[_i].right;
    eulercl_problem *problem = make(&d);
    double h;
    mistake = NONE;
    for (int p = 4; p <= 8; p += 4) {
        const eulercl_stability s = stability_of(problem, (enum eulercl_precision)p);
        const double slack = p == 4 ? 0.02 : 1e-6;
        if (rings[_i].most == HUGE_VAL && rings[_i].left + rings[_i].right != 0 && s.h_limit == 0)
            continue; /* growth with oscillation: none, too */
        ck_assert_msg(
            s.h_limit >= rings[_i].least * (1 - slack) && s.h_limit <= rings[_i].most * (1 + slack),
            "%s: %g", rings[_i].what, s.h_limit);
    }
    if (rings[_i].most == HUGE_VAL || rings[_i].most == 0)
        EXPECT(EULERCL_UNSUPPORTED, eulercl_stable_step(problem, NULL, NULL, &h, &error));
    else
        OK(eulercl_stable_step(problem, NULL, NULL, &h, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

/* Pairs y' = a y - b z, z' = b y + a z: eigenvalues a +- ib, here all different, mixed by a
 * neighbour that makes the matrix triangular and not normal. */
static const struct {
    double a, b;
} pairs[] = {{-1, 4}, {-20, 3}, {-7, 0.5}, {-0.5, 0}, {-30, 0}, {-3, 9}};
static double eval_pairs(
    const struct ode_context *context, ode_index i, double t, const double *y) {
    const double a = pairs[i / 2].a, b = pairs[i / 2].b;
    (void)t;
    return (i % 2 ? b * y[i - 1] + a * y[i] : a * y[i] - b * y[i + 1]) +
           (i / 2 * 2 + 2 < context->n ? 3 * y[i / 2 * 2 + 2] : 0);
}
START_TEST(small_matrices_are_exact) {
    struct ode_problem d = chain();
    d.kernels = NULL;
    d.each_kernels = NULL;
    d.eval_comp_f64 = eval_pairs;
    eulercl_problem *problem = make(&d);
    double limit = HUGE_VAL;
    OK(eulercl_problem_set(problem, "size", 2 * COUNT(pairs), &error));
    OK(eulercl_problem_set(problem, "distance", 3, &error));
    for (int k = 0; k < COUNT(pairs); k++) {
        const double squared = pairs[k].a * pairs[k].a + pairs[k].b * pairs[k].b;
        if (squared >= 30.0 * 30 / 4) limit = fmin(limit, -2 * pairs[k].a / squared);
    }
    const eulercl_stability s = stability_of(problem, EULERCL_DOUBLE);
    NEAR(s.spectral_radius, 30, 1e-4);
    NEAR(s.h_limit, limit, 1e-4);
    ck_assert(s.growth == 0 && s.oscillation == 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* The state decides: y' = -y^3 is as stiff as 3 y^2; and one that is not finite is said to be so.
 */
static double eval_cubic(
    const struct ode_context *context, ode_index i, double t, const double *y) {
    (void)context;
    return -y[i] * y[i] * y[i] + t;
}
START_TEST(state_and_time_count) {
    struct ode_problem d = chain();
    d.kernels = NULL;
    d.each_kernels = NULL;
    d.eval_comp_f64 = eval_cubic;
    eulercl_problem *problem = make(&d);
    double y[10], h, before;
    OK(eulercl_problem_set(problem, "size", 10, &error));
    for (double size = 1e-3; size < 1e4; size *= 10) {
        for (int i = 0; i < 10; i++) y[i] = size;
        OK(eulercl_stable_step(problem, NULL, y, &h, &error));
        NEAR(h, 0.9 * 2 / (3 * size * size), 1e-3);
    }
    before = h;
    y[3] = (double)NAN;
    EXPECT(EULERCL_NONFINITE, eulercl_stable_step(problem, NULL, y, &h, &error));
    ck_assert(h == before);
    d.initial = NULL;
    eulercl_problem_destroy(problem);
    problem = make(&d);
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "no initial state",
        eulercl_stable_step(problem, NULL, NULL, &h, &error));
    eulercl_check_report report = check(problem);
    ck_assert(isnan(report.h_limit) && find("finite", EULERCL_SKIPPED, "initial state") >= 0 &&
              find("stability", EULERCL_SKIPPED, "initial state") >= 0);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(what_is_right_holds, TEST_PROBLEMS);
    ADD_LOOP(large_systems_are_sampled, 3);
    ADD(windows_of_large_systems);
    ADD_LOOP(mistakes_are_found, COUNT(mistakes));
    ADD_LOOP(wrong_lanes_are_found, LANE_FORMS);
    ADD(constants_are_checked);
    ADD(whole_divisions_are_found);
    ADD(fields_are_blamed);
    ADD(smallest_distance_is_said);
    ADD(radius_is_checked);
    ADD(opencl_compiler_is_asked);
    ADD(positions_are_what_the_problem_says);
    ADD_LOOP(positions_of_huge_systems, 3);
    ADD(jumps_in_time_are_found);
    ADD_LOOP(units_do_not_matter_to_finite_values, 7);
    ADD(names_are_listed);
    ADD(observers_stop);
    ADD(memory_faults);
    ADD(diffusion_has_the_closed_form);
    ADD(brusselator_has_the_known_step);
    ADD_LOOP(limit_is_where_it_breaks, 3);
    ADD(oscillations_have_no_step);
    ADD_LOOP(rings_have_closed_forms, COUNT(rings));
    ADD(small_matrices_are_exact);
    ADD(state_and_time_count);
}

int main(void) { return run_tests("check", add); }
