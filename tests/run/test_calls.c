/* SPDX-License-Identifier: BSD-2-Clause */
/* test_calls.c - what holds for every function of eulercl.h: NULL, the error record, threads that
 * come first, fork, observers that are left. */
#include "config.h"
#include "../support.h"
#include "plan/ceilings.h"
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* ---- every function, called as it should be, and with a NULL ---- */

enum { N = 20 };
static eulercl_problem *problem;
static eulercl_solver *solver;
static eulercl_options options;
static double y[N], f[N];
static char folder[32], wisdom[64], copy[64];

/* Each call has its pointers numbered; number `null` is NULL instead. */
#define P(number, pointer) (null == (number) ? NULL : (pointer))

static int call_problem_open(int null, eulercl_error *record) {
    eulercl_problem *opened = NULL;
    const int status = eulercl_problem_open(P(0, "string"), P(1, &opened), record);
    eulercl_problem_destroy(opened);
    return status;
}
static int call_problem_create(int null, eulercl_error *record) {
    eulercl_problem *made = NULL;
    const int status = eulercl_problem_create(P(0, &test_problem_string), P(1, &made), record);
    eulercl_problem_destroy(made);
    return status;
}
static int call_problem_compile(int null, eulercl_error *record) {
    static const char text[] = "#define ODE_NAME decay\n#define ODE_TITLE \"a decay\"\n"
                               "#define ODE_SIZE 5\n#define ODE_ACCESS_DISTANCE 0\n"
                               "#include <eulercl/ode_problem.h>\n"
                               "ODE_EVAL_COMP( return -Y(i); )\nODE_INITIAL( Y0(0) = 1; )\n";
    eulercl_compilation how = {.struct_size = sizeof how, .text = text};
    eulercl_problem *made = NULL;
    const int status = eulercl_problem_compile(P(0, "decay.c"), &how, P(1, &made), record);
    eulercl_problem_destroy(made);
    return status;
}
static int call_problem_copy(int null, eulercl_error *record) {
    eulercl_problem *made = NULL;
    const int status = eulercl_problem_copy(P(0, problem), P(1, &made), record);
    eulercl_problem_destroy(made);
    return status;
}
static int call_problem_set(int null, eulercl_error *record) {
    return eulercl_problem_set(P(0, problem), P(1, "points"), N / 2, record);
}
static int call_problem_set_size(int null, eulercl_error *record) {
    return eulercl_problem_set_size(P(0, problem), N, record);
}
static int call_problem_get_info(int null, eulercl_error *record) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    return eulercl_problem_get_info(P(0, problem), P(1, &info), record);
}
static int call_problem_get_parameter(int null, eulercl_error *record) {
    eulercl_parameter parameter = {.struct_size = sizeof parameter};
    return eulercl_problem_get_parameter(P(0, problem), 0, P(1, &parameter), record);
}
/* The other calls want a problem without arrays that are set. */
static eulercl_problem *problem_with_fields(void) {
    eulercl_problem *made = NULL;
    OK(eulercl_problem_create(&test_problem_heat_fields, &made, &error));
    OK(eulercl_problem_set(made, "columns", 5, &error));
    OK(eulercl_problem_set(made, "rows", N / 5, &error));
    return made;
}
static int call_problem_set_field(int null, eulercl_error *record) {
    eulercl_problem *const own = problem_with_fields();
    const int status =
        eulercl_problem_set_field(P(0, own), P(1, "conductivity"), EULERCL_DOUBLE, P(2, y), record);
    eulercl_problem_destroy(own);
    return status;
}
static int call_problem_get_field(int null, eulercl_error *record) {
    eulercl_problem *const own = problem_with_fields();
    const int status =
        eulercl_problem_get_field(P(0, own), P(1, "conductivity"), EULERCL_DOUBLE, P(2, f), record);
    eulercl_problem_destroy(own);
    return status;
}
static int call_problem_marks(int null, eulercl_error *record) {
    unsigned char marks[4096];
    eulercl_problem *const own = problem_with_fields();
    const int status = eulercl_problem_marks(P(0, own), EULERCL_DOUBLE, P(1, marks), record);
    eulercl_problem_destroy(own);
    return status;
}
static int call_problem_set_initial(int null, eulercl_error *record) {
    eulercl_problem *const own = problem_with_fields();
    const int status = eulercl_problem_set_initial(P(0, own), EULERCL_DOUBLE, P(1, y), record);
    eulercl_problem_destroy(own);
    return status;
}
static int call_problem_initial(int null, eulercl_error *record) {
    return eulercl_problem_initial(P(0, problem), EULERCL_DOUBLE, 0, N, P(1, f), record);
}
static int call_problem_exact(int null, eulercl_error *record) {
    return eulercl_problem_exact(P(0, problem), 1, EULERCL_DOUBLE, 0, N, P(1, f), record);
}
static int call_get_device(int null, eulercl_error *record) {
    eulercl_device_info device = {.struct_size = sizeof device};
    return eulercl_get_device(0, P(0, &device), record);
}
static int call_get_backend(int null, eulercl_error *record) {
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    return eulercl_get_backend(0, P(0, &backend), record);
}
static int call_get_method(int null, eulercl_error *record) {
    eulercl_method_info method = {.struct_size = sizeof method};
    return eulercl_get_method(0, 0, P(0, &method), record);
}
static int call_get_tuning(int null, eulercl_error *record) {
    eulercl_tuning_info info = {.struct_size = sizeof info};
    return eulercl_get_tuning(0, P(0, &info), record);
}
static int call_get_option(int null, eulercl_error *record) {
    eulercl_option_info info = {.struct_size = sizeof info};
    return eulercl_get_option(0, P(0, &info), record);
}
static int call_options_set(int null, eulercl_error *record) {
    eulercl_options own = options;
    return eulercl_options_set(P(0, &own), P(1, "threads"), "1", record);
}
static int call_options_get(int null, eulercl_error *record) {
    char value[64];
    return eulercl_options_get(P(0, &options), P(1, "threads"), P(2, value), sizeof value, record);
}
static int call_options_verify(int null, eulercl_error *record) {
    (void)null;
    return eulercl_options_verify(&options, record);
}
static int call_verify_name(int null, eulercl_error *record) {
    return eulercl_verify_name(P(0, "kappa"), record);
}
static int call_verify_names(int null, eulercl_error *record) {
    static const char text[] = "#define ODE_DERIVED(CONSTANT) CONSTANT(c, 1)\n";
    return eulercl_verify_names(P(0, text), sizeof text - 1, record);
}
static int call_solver_create(int null, eulercl_error *record) {
    eulercl_solver *made = NULL;
    const int status = eulercl_solver_create(P(0, problem), &options, P(1, &made), record);
    eulercl_solver_destroy(made);
    return status;
}
static int call_set_initial_state(int null, eulercl_error *record) {
    return eulercl_set_initial_state(P(0, solver), record);
}
static int call_set_state(int null, eulercl_error *record) {
    return eulercl_set_state(P(0, solver), P(1, y), record);
}
static int call_set_components(int null, eulercl_error *record) {
    return eulercl_set_components(P(0, solver), 1, 3, P(1, y), record);
}
static int call_set_field(int null, eulercl_error *record) {
    eulercl_problem *const own = problem_with_fields();
    eulercl_solver *made;
    OK(eulercl_solver_create(own, &options, &made, &error));
    const int status = eulercl_set_field(P(0, made), P(1, "conductivity"), P(2, y), record);
    eulercl_solver_destroy(made);
    eulercl_problem_destroy(own);
    return status;
}
static int call_set_parameter(int null, eulercl_error *record) {
    eulercl_problem *const own = problem_with_fields();
    eulercl_solver *made;
    OK(eulercl_solver_create(own, &options, &made, &error));
    const int status = eulercl_set_parameter(P(0, made), P(1, "rows"), N / 5, record);
    eulercl_solver_destroy(made);
    eulercl_problem_destroy(own);
    return status;
}
static int call_get_state(int null, eulercl_error *record) {
    return eulercl_get_state(P(0, solver), P(1, f), record);
}
static int call_get_components(int null, eulercl_error *record) {
    return eulercl_get_components(P(0, solver), 1, 3, P(1, f), record);
}
static int call_evaluate(int null, eulercl_error *record) {
    return eulercl_evaluate(P(0, solver), 0, P(1, y), P(2, f), record);
}
static int call_monitor(int null, eulercl_error *record) {
    const eulercl_statistic wanted = {EULERCL_MAX, -1};
    double value;
    return eulercl_monitor(P(0, solver), P(1, &wanted), 1, P(2, &value), record);
}
static int call_thin(int null, eulercl_error *record) {
    double value;
    return eulercl_thin(
        P(0, solver), NULL, 0, INT64_MAX, EULERCL_THIN_MEAN, 0, P(1, &value), 1, record);
}
static int call_check_condition(int null, eulercl_error *record) {
    return eulercl_check_condition(P(0, problem), P(1, "0 > 0"), record);
}
static int call_extract(int null, eulercl_error *record) {
    int64_t count, *points = NULL;
    double *values = NULL;
    const int status = eulercl_extract(
        P(0, solver), P(1, "0 > 0"), P(2, &count), P(3, &points), P(4, &values), record);
    eulercl_free(points);
    eulercl_free(values);
    return status;
}
static int call_observation_create(int null, eulercl_error *record) {
    eulercl_observation *made = NULL;
    const int status =
        eulercl_observation_create(P(0, problem), P(1, "histogram:0:2:0:1"), P(2, &made), record);
    eulercl_observation_destroy(made);
    return status;
}
static eulercl_observation *an_observation(void) {
    eulercl_observation *made;
    OK(eulercl_observation_create(problem, "histogram:0:2:0:1", &made, &error));
    return made;
}
static int call_observation_column(int null, eulercl_error *record) {
    char name[40];
    eulercl_observation *const made = an_observation();
    const int status = eulercl_observation_column(P(0, made), 0, P(1, name), sizeof name, record);
    eulercl_observation_destroy(made);
    return status;
}
static int call_observe(int null, eulercl_error *record) {
    double values[5];
    eulercl_observation *const made = an_observation();
    const int status = eulercl_observe(P(0, solver), P(1, made), P(2, values), record);
    eulercl_observation_destroy(made);
    return status;
}
static int call_histogram_quantile(int null, eulercl_error *record) {
    static const double counts[5] = {0, 1, 1, 0, 0};
    double value;
    return eulercl_histogram_quantile(2, 0, 1, P(0, counts), 0.5, P(1, &value), record);
}
static int call_histogram_threshold(int null, eulercl_error *record) {
    static const double counts[5] = {0, 1, 1, 0, 0};
    double value;
    return eulercl_histogram_threshold(2, 0, 1, P(0, counts), P(1, &value), record);
}
static int call_snapshot_create(int null, eulercl_error *record) {
    eulercl_snapshot *snapshot = NULL;
    const int status = eulercl_snapshot_create(P(0, solver), P(1, &snapshot), record);
    eulercl_snapshot_destroy(snapshot);
    return status;
}
static int call_snapshot_take(int null, eulercl_error *record) {
    eulercl_snapshot *snapshot = NULL;
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    const int status = eulercl_snapshot_take(P(0, snapshot), record);
    eulercl_snapshot_destroy(snapshot);
    return status;
}
static int call_snapshot_next(int null, eulercl_error *record) {
    eulercl_snapshot *snapshot = NULL;
    const void *part;
    int64_t count;
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    OK(eulercl_snapshot_take(snapshot, &error));
    const int status = eulercl_snapshot_next(P(0, snapshot), P(1, &part), P(2, &count), record);
    eulercl_snapshot_destroy(snapshot);
    return status;
}
static int call_advance(int null, eulercl_error *record) {
    return eulercl_advance(P(0, solver), 3, record);
}
static int call_advance_to(int null, eulercl_error *record) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    return eulercl_advance_to(P(0, solver), stats.t + 2.5 * options.h, NULL, record);
}
static int call_advance_dense(int null, eulercl_error *record) {
    eulercl_options to_tolerance = options;
    eulercl_solver *other;
    to_tolerance.rtol = 1e-3;
    to_tolerance.method = "dp54"; /* no spectrum, and no change of the method */
    OK(eulercl_solver_create(problem, &to_tolerance, &other, &error));
    OK(eulercl_set_initial_state(other, &error));
    const int status = eulercl_advance_dense(P(0, other), 1e-3, 1e-2, record);
    eulercl_solver_destroy(other);
    return status;
}
static int call_get_own_components(int null, eulercl_error *record) {
    return eulercl_get_own_components(P(0, solver), 1, 3, P(1, f), record);
}
static int call_advance_until(int null, eulercl_error *record) {
    eulercl_moments moments = {.struct_size = sizeof moments, .t_end = INFINITY};
    return eulercl_advance_until(P(0, solver), P(1, &moments), record);
}
static int call_get_clock(int null, eulercl_error *record) {
    eulercl_clock clock = {.struct_size = sizeof clock};
    return eulercl_get_clock(P(0, solver), P(1, &clock), record);
}
static int call_solver_resume(int null, eulercl_error *record) {
    eulercl_clock clock = {.struct_size = sizeof clock};
    OK(eulercl_get_clock(solver, &clock, &error));
    return eulercl_solver_resume(P(0, solver), P(1, &clock), record);
}
static int call_solver_window(int null, eulercl_error *record) {
    int64_t first, count;
    return eulercl_solver_window(P(0, solver), P(1, &first), P(2, &count), record);
}
static int call_get_stats(int null, eulercl_error *record) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    return eulercl_get_stats(P(0, solver), P(1, &stats), record);
}
static int call_borrow_buffer(int null, eulercl_error *record) {
    void *buffer;
    return eulercl_borrow_buffer(P(0, solver), P(1, &buffer), record);
}
static int call_solve(int null, eulercl_error *record) {
    return eulercl_solve(P(0, problem), &options, 3, P(1, f), NULL, record);
}
static int call_get_breakpoint(int null, eulercl_error *record) {
    double t;
    return eulercl_get_breakpoint(P(0, solver), 0, P(1, &t), record);
}
static int call_kernel_source(int null, eulercl_error *record) {
    eulercl_options linear = options;
    char *source = NULL;
    linear.backend = "cl-linear";
    const int status = eulercl_kernel_source(P(0, problem), &linear, P(1, &source), record);
    eulercl_free(source);
    return status;
}
static int call_tune(int null, eulercl_error *record) {
    eulercl_options seq = options;
    seq.backend = "seq";
    return eulercl_tune(P(0, problem), &seq, NULL, NULL, record);
}
static int call_wisdom_path(int null, eulercl_error *record) {
    char path[100];
    return eulercl_wisdom_path(wisdom, P(0, path), sizeof path, record);
}
static int visit(
    const char *key, const char *backend, const char *tuning, double seconds, void *user) {
    (void)key;
    (void)backend;
    (void)tuning;
    (void)seconds;
    (void)user;
    return 0;
}
static int call_wisdom_each(int null, eulercl_error *record) {
    return eulercl_wisdom_each(wisdom, P(0, visit), NULL, record);
}
static int call_wisdom_export(int null, eulercl_error *record) {
    return eulercl_wisdom_export(wisdom, P(0, copy), record);
}
static int call_wisdom_import(int null, eulercl_error *record) {
    return eulercl_wisdom_import(wisdom, P(0, copy), record);
}
static int call_wisdom_forget(int null, eulercl_error *record) {
    (void)null;
    return eulercl_wisdom_forget(copy, record);
}
static int call_estimate_stability(int null, eulercl_error *record) {
    eulercl_stability stability = {.struct_size = sizeof stability};
    return eulercl_estimate_stability(P(0, problem), &options, NULL, P(1, &stability), record);
}
static int call_stable_step(int null, eulercl_error *record) {
    eulercl_problem *bruss2d;
    double h;
    OK(eulercl_problem_open("bruss2d", &bruss2d, &error));
    OK(eulercl_problem_set(bruss2d, "m", 8, &error));
    const int status = eulercl_stable_step(P(0, bruss2d), &options, NULL, P(1, &h), record);
    eulercl_problem_destroy(bruss2d);
    return status;
}
static int call_check(int null, eulercl_error *record) {
    eulercl_check_report report = {.struct_size = sizeof report};
    return eulercl_check(P(0, problem), &options, P(1, &report), NULL, NULL, record);
}
static int call_measure_ceilings(int null, eulercl_error *record) {
    ecl_ceiling_bytes = 1 << 16;
    ecl_ceiling_repeats = 1;
    eulercl_ceilings ceilings = {.struct_size = sizeof ceilings};
    return eulercl_measure_ceilings(&options, P(0, &ceilings), record);
}

enum { NEEDS_OPENCL = 1, NEEDS_DEVICE = 2, NEEDS_BUFFER = 3, IS_SLOW = 4, COMPILES = 5 };
#define CALL(NAME, POINTERS, NOTE) \
    { #NAME, call_##NAME, POINTERS, NOTE }
static const struct {
    const char *name;
    int (*call)(int null, eulercl_error *record);
    int pointers, note;
} calls[] = {
    CALL(problem_open, 2, 0),
    CALL(problem_compile, 2, COMPILES),
    CALL(problem_create, 2, 0),
    CALL(problem_copy, 2, 0),
    CALL(problem_set, 2, 0),
    CALL(problem_set_size, 1, 0),
    CALL(problem_get_info, 2, 0),
    CALL(problem_get_parameter, 2, 0),
    CALL(problem_set_field, 3, 0),
    CALL(problem_get_field, 3, 0),
    CALL(problem_marks, 2, 0),
    CALL(problem_set_initial, 2, 0),
    CALL(problem_initial, 2, 0),
    CALL(problem_exact, 2, 0),
    CALL(get_device, 1, NEEDS_DEVICE),
    CALL(get_backend, 1, 0),
    CALL(get_method, 1, 0),
    CALL(options_verify, 0, 0),
    CALL(verify_name, 1, 0),
    CALL(verify_names, 1, 0),
    CALL(get_tuning, 1, 0),
    CALL(get_option, 1, 0),
    CALL(options_set, 2, 0),
    CALL(options_get, 3, 0),
    CALL(solver_create, 2, 0),
    CALL(set_initial_state, 1, 0),
    CALL(set_state, 2, 0),
    CALL(set_components, 2, 0),
    CALL(set_field, 3, 0),
    CALL(set_parameter, 2, 0),
    CALL(get_state, 2, 0),
    CALL(get_components, 2, 0),
    CALL(get_own_components, 2, 0),
    CALL(evaluate, 3, 0),
    CALL(monitor, 3, 0),
    CALL(thin, 2, 0),
    CALL(extract, 5, 0),
    CALL(check_condition, 2, 0),
    CALL(observation_create, 3, 0),
    CALL(observation_column, 2, 0),
    CALL(observe, 3, 0),
    CALL(histogram_quantile, 2, 0),
    CALL(histogram_threshold, 2, 0),
    CALL(snapshot_create, 2, 0),
    CALL(snapshot_take, 1, 0),
    CALL(snapshot_next, 3, 0),
    CALL(advance, 1, 0),
    CALL(advance_to, 1, 0),
    CALL(advance_dense, 1, 0),
    CALL(advance_until, 2, 0),
    CALL(get_clock, 2, 0),
    CALL(solver_resume, 2, 0),
    CALL(solver_window, 3, 0),
    CALL(get_stats, 2, 0),
    CALL(borrow_buffer, 2, NEEDS_BUFFER),
    CALL(solve, 2, 0),
    CALL(get_breakpoint, 2, 0),
    CALL(kernel_source, 2, NEEDS_OPENCL),
    CALL(tune, 1, IS_SLOW),
    CALL(wisdom_path, 1, 0),
    CALL(wisdom_each, 1, 0),
    CALL(wisdom_export, 1, 0),
    CALL(wisdom_import, 1, 0),
    CALL(wisdom_forget, 0, 0),
    CALL(estimate_stability, 2, 0),
    CALL(stable_step, 2, 0),
    CALL(check, 2, 0),
    CALL(measure_ceilings, 1, IS_SLOW),
};

/* Prepare the objects of the calls above. The wisdom is a valid file without entries; its end line
 * holds the FNV-1a checksum of the text before it. */
static void prepare(const char *backend, const char *device) {
    static const char header[] = "eulercl wisdom 1\n";
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (const char *c = header; *c; c++) sum = (sum ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    snprintf(folder, sizeof folder, "calls-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(wisdom, sizeof wisdom, "%s/wisdom", folder);
    snprintf(copy, sizeof copy, "%s/copy", folder);
    FILE *file = fopen(wisdom, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%send 0 %016llx\n", header, (unsigned long long)sum);
    ck_assert(!fclose(file));
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, y, &error));
    eulercl_options_init(&options);
    options.backend = backend;
    options.device = device;
    options.wisdom = wisdom;
    static const double breakpoint = 1;
    options.breakpoints = &breakpoint;
    options.breakpoint_count = 1;
    OK(eulercl_solver_create(problem, &options, &solver, &error));
}

static void finish(void) {
    static const char *const names[] = {"wisdom", "wisdom.lock", "copy", "copy.lock"};
    char path[64];
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    for (int i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    ck_assert(!rmdir(folder));
}

/* A function of the header that fills an error record and is missing in the lines above would be
 * left out. */
START_TEST(no_function_is_left_out) {
    const char *sources = getenv("EULERCL_TEST_SOURCES");
    char path[1000], line[1000], name[100];
    snprintf(path, sizeof path, "%s/include/eulercl/eulercl.h", sources ? sources : ".");
    FILE *header = fopen(path, "r");
    ck_assert_msg(header != NULL, "%s: the header is not there", path);
    int found = 0;
    while (fgets(line, sizeof line, header)) {
        if (sscanf(line, "EULERCL_API int eulercl_%99[a-z_]", name) != 1) continue;
        int i = 0;
        while (i < COUNT(calls) && strcmp(calls[i].name, name)) i++;
        ck_assert_msg(i < COUNT(calls), "eulercl_%s has no line in the table of calls", name);
        found++;
    }
    fclose(header);
    ck_assert_int_eq(found, COUNT(calls));
}
END_TEST

START_TEST(null_is_refused) {
    prepare("seq", NULL);
    for (int i = 0; i < COUNT(calls); i++)
        for (int null = 0; null < calls[i].pointers; null++) {
            const int status = calls[i].call(null, &error);
            ck_assert_msg(status == EULERCL_INVALID, "eulercl_%s with NULL as pointer %d is %s",
                calls[i].name, null, eulercl_status_name(status));
            ck_assert_msg(strstr(error.message, "is NULL") != NULL,
                "eulercl_%s with NULL as pointer %d: %s", calls[i].name, null, error.message);
            ck_assert_int_eq(calls[i].call(null, NULL), EULERCL_INVALID);
        }
    /* Where there is nothing to read or to write, there need be no array. */
    OK(eulercl_set_components(solver, 0, 0, NULL, &error));
    OK(eulercl_get_components(solver, 0, 0, NULL, &error));
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 0, NULL, &error));
    OK(eulercl_monitor(solver, NULL, 0, NULL, &error));
    eulercl_options_init_size(NULL, sizeof(eulercl_options));
    finish();
}
END_TEST

/* A function that succeeds leaves the caller's record alone, whatever it tried before it did. */
static const struct {
    const char *backend, *device;
    int drivers;
} worlds[] = {
    {"seq", NULL, 1},
    {"cpu", NULL, 1},
    {"pthreads", NULL, 1},
    {"auto", NULL, 1},
    {"auto", "cpu", 1},
    {"auto", NULL, 0},
    {"cl-linear", NULL, 1},
    {"cl-register", NULL, 1},
};

START_TEST(success_leaves_the_record) {
    const int is_opencl = !strncmp(worlds[_i].backend, "cl-", 3);
    if (!worlds[_i].drivers) {
        setenv("OCL_ICD_VENDORS", "/nonexistent-eulercl-test/", 1);
        setenv("OPENCL_VENDOR_PATH", "/nonexistent-eulercl-test/", 1);
    } else if (is_opencl && !have_opencl())
        return;
    eulercl_device_info device = {.struct_size = sizeof device};
    const int has_device = !eulercl_get_device(0, &device, NULL);
    static eulercl_error record, before;
    prepare(worlds[_i].backend, worlds[_i].device);
    memset(&before, 0x5A, sizeof before);
    for (int i = 0; i < COUNT(calls); i++) {
        const int note = calls[i].note;
        if ((note == NEEDS_DEVICE && !has_device) || (note == NEEDS_BUFFER && !is_opencl)) continue;
        if ((note == IS_SLOW || note == COMPILES) && worlds[_i].drivers) continue;
        record = before;
        const int status = calls[i].call(-1, &record);
        /* where the library cannot compile, or there is no compiler */
        if (note == COMPILES && (status == EULERCL_UNSUPPORTED || status == EULERCL_COMPILE))
            continue;
#ifndef HAVE_OPENCL
        if (note == NEEDS_OPENCL && status == EULERCL_NO_DEVICE) continue;
#endif
        ck_assert_msg(!status, "eulercl_%s: %s: %s", calls[i].name, eulercl_status_name(status),
            record.message);
        ck_assert_msg(!memcmp(&record, &before, sizeof record),
            "%s: eulercl_%s succeeds and leaves an error: %.200s", worlds[_i].backend,
            calls[i].name, record.message);
    }
    finish();
}
END_TEST

/* ---- threads that come first ---- */

/* The first call of a process sets up the drivers and what the library keeps. Each loop of the test
 * is a process in which several threads come first. */
struct newcomer {
    struct way way;
    double y[20];
    int status;
    eulercl_error error;
    pthread_barrier_t *start;
    pthread_t thread;
};

static void *come_first(void *argument) {
    struct newcomer *n = argument;
    eulercl_problem *own = NULL;
    eulercl_options own_options;
    options_for(&own_options, &n->way, EULERCL_DOUBLE);
    pthread_barrier_wait(n->start);
    n->status = eulercl_problem_open("string", &own, &n->error);
    if (!n->status) n->status = eulercl_problem_set_size(own, COUNT(n->y), &n->error);
    if (!n->status)
        n->status = eulercl_problem_initial(own, EULERCL_DOUBLE, 0, COUNT(n->y), n->y, &n->error);
    if (!n->status) n->status = eulercl_solve(own, &own_options, 10, n->y, NULL, &n->error);
    eulercl_problem_destroy(own);
    return NULL;
}

static void start_together(struct newcomer *newcomers, int count) {
    pthread_barrier_t start;
    ck_assert(!pthread_barrier_init(&start, NULL, (unsigned)count));
    for (int i = 0; i < count; i++) {
        newcomers[i].start = &start;
        ck_assert(!pthread_create(&newcomers[i].thread, NULL, come_first, &newcomers[i]));
    }
    for (int i = 0; i < count; i++) pthread_join(newcomers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

enum { NEWCOMERS = 8 };
static const char *const first_backends[][NEWCOMERS] = {
    {"cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear",
        "cl-linear"}, /* all alike meet most often */
    {"cl-linear", "auto", "cl-row-diamond", "pthreads", "cl-register", "auto", "cpu", "pthreads"},
};

START_TEST(first_solvers_at_once) {
    static struct newcomer newcomers[NEWCOMERS], alone = {.way = {"seq", NULL, 0}};
    for (int i = 0; i < NEWCOMERS; i++) {
        const char *backend = first_backends[_i % COUNT(first_backends)][i];
        newcomers[i].way = (struct way){backend, NULL, !strncmp(backend, "cl-", 3)};
    }
    start_together(newcomers, NEWCOMERS);
    const int opencl = have_opencl();
    start_together(&alone, 1);
    for (int i = 0; i < NEWCOMERS; i++) {
        const struct newcomer *n = &newcomers[i];
        if (n->way.is_opencl && !opencl) continue;
        ck_assert_msg(!n->status, "thread %d, %s: %s", i, n->way.backend, n->error.message);
        SAME(n->y, alone.y, COUNT(n->y), sizeof *n->y, "thread %d, %s", i, n->way.backend);
    }
}
END_TEST

/* ---- a child process, and an observer that does not return ---- */

enum { LONG = 20000, CHILD_SECONDS = 60 };
static const struct {
    const char *backend, *variant;
    uint32_t threads;
} parents[] = {
    {"seq", NULL, 0},
    {"pthreads", "barrier", 3},
    {"pthreads", "lanes", 2},
    {"pthreads", "tiles", 2},
    {"cl-linear", NULL, 0},
    {"cl-register", NULL, 0},
};

/* The work of a child with its parent's solver; -> the line where something is wrong. Check's
 * assertions belong to the parent. */
#define EXPECT_IN_CHILD(status, call)            \
    do {                                         \
        if ((call) != (status)) return __LINE__; \
    } while (0)
static int use_in_child(
    eulercl_snapshot *snapshot, int is_opencl, double *state, const double *expected) {
    const int status = is_opencl ? EULERCL_NO_DEVICE : EULERCL_OK;
    const eulercl_statistic wanted = {EULERCL_MAX, -1};
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_options other_options;
    eulercl_solver *other = NULL;
    double value;
    EXPECT_IN_CHILD(status, eulercl_advance(solver, 5, &error));
    if (is_opencl && !strstr(error.message, "fork")) return __LINE__;
    EXPECT_IN_CHILD(status, eulercl_get_state(solver, state, &error));
    if (!is_opencl && memcmp(state, expected, LONG * sizeof *state)) return __LINE__;
    EXPECT_IN_CHILD(status, eulercl_set_state(solver, expected, &error));
    EXPECT_IN_CHILD(status, eulercl_advance_to(solver, 1e-3, NULL, &error));
    EXPECT_IN_CHILD(status, eulercl_monitor(solver, &wanted, 1, &value, &error));
    EXPECT_IN_CHILD(status, eulercl_snapshot_take(snapshot, &error));
    EXPECT_IN_CHILD(EULERCL_OK, eulercl_get_stats(solver, &stats, &error));
    eulercl_snapshot_destroy(snapshot);
    eulercl_solver_destroy(solver);
    eulercl_options_init(&other_options);
    other_options.wisdom = "";
    EXPECT_IN_CHILD(EULERCL_OK, eulercl_solver_create(problem, &other_options, &other, &error));
    EXPECT_IN_CHILD(EULERCL_OK, eulercl_advance(other, 5, &error));
    eulercl_solver_destroy(other);
    if (!is_opencl) return 0;
    other_options.backend = "cl-linear";
    EXPECT_IN_CHILD(
        EULERCL_NO_DEVICE, eulercl_solver_create(problem, &other_options, &other, &error));
    if (!strstr(error.message, "fork")) return __LINE__;
    EXPECT_IN_CHILD(EULERCL_NO_DEVICE, eulercl_get_device(0, &device, &error));
    return strstr(error.message, "fork") ? 0 : __LINE__;
}

START_TEST(children_do_not_hang) {
    const int is_opencl = !strncmp(parents[_i].backend, "cl-", 3);
    if (is_opencl && !have_opencl()) return;
#ifdef __SANITIZE_THREAD__
    if (parents[_i].threads) return; /* ThreadSanitizer supports no new threads after fork() */
#endif
    eulercl_snapshot *snapshot;
    double *state = zeroed(LONG, sizeof *state), *expected = zeroed(LONG, sizeof *expected);
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set_size(problem, LONG, &error));
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, LONG, expected, &error));
    eulercl_options_init(&options);
    options.backend = "seq";
    OK(eulercl_solve(problem, &options, 8, expected, NULL, &error));
    options.backend = parents[_i].backend;
    GIVE_NAME(&options, variant, parents[_i].variant);
    GIVE(&options, threads, parents[_i].threads);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 3, &error)); /* now all threads are there */
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        /* without Check's handler, which ends the whole group of processes */
        signal(SIGALRM, SIG_DFL);
        alarm(CHILD_SECONDS);
        const int line = use_in_child(snapshot, is_opencl, state, expected);
        if (line)
            fprintf(stderr, "line %d of the child of %s: %s\n", line, parents[_i].backend,
                error.message);
        _exit(line != 0);
    }
    int ended;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert_msg(!ended, "%s: the child %s %d", parents[_i].backend,
        WIFSIGNALED(ended) ? "hangs or crashes, signal" : "fails, exit code",
        WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
    OK(eulercl_advance(solver, 5, &error)); /* nothing of it reached the parent */
    OK(eulercl_get_state(solver, state, &error));
    SAME(state, expected, LONG, sizeof *state, "%s, a parent", parents[_i].backend);
    eulercl_snapshot_destroy(snapshot);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    free(state);
    free(expected);
}
END_TEST

/* The end of a thread unwinds its calls as a C++ exception does. */
static int leave(eulercl_solver *s, const eulercl_progress *progress, void *user) {
    (void)s;
    (void)progress;
    if (*(int *)user) pthread_exit(NULL);
    return 0;
}

static void *advance_in_thread(void *argument) {
    eulercl_advance(solver, 5, NULL);
    return argument;
}

START_TEST(observers_may_be_left) {
    pthread_t thread;
    void *returned = &thread;
    int leaves = 1;
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    eulercl_options_init(&options);
    options.backend = "cpu";
    options.observer = leave;
    options.observer_user = &leaves;
    options.observer_steps = 2;
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    ck_assert(!pthread_create(&thread, NULL, advance_in_thread, &leaves));
    pthread_join(thread, &returned);
    ck_assert_msg(!returned, "the observer came back");
    leaves = 0;
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    ck_assert_int_eq(stats.steps, 2);
    OK(eulercl_advance(solver, 3, &error));
    OK(eulercl_get_state(solver, f, &error));
    options.observer = NULL;
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, y, &error));
    OK(eulercl_solve(problem, &options, 5, y, NULL, &error));
    SAME(f, y, N, sizeof *f, "after an observer that was left");
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(first_solvers_at_once, 3 * COUNT(first_backends));
    ADD(no_function_is_left_out);
    ADD(null_is_refused);
    ADD_LOOP(success_leaves_the_record, COUNT(worlds));
    ADD_LOOP(children_do_not_hang, COUNT(parents));
    ADD(observers_may_be_left);
}

int main(void) { return run_tests("calls", add); }
