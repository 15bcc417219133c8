/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface.c - the promises of eulercl.h about statuses, defaults and structs; several
 * solvers at once; all calls in one. */
#include "config.h"
#include "interface.h"
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

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
    {9, "EULERCL_STEP_SIZE"},
    {10, "EULERCL_STEP_COUNT"},
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
static int fill_option(void *s) { return eulercl_get_option(0, s, &error); }
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
    {"option_info", sizeof(eulercl_option_info), fill_option, 0},
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
    static unsigned char full[1 << 13], given[1 << 13];
    ck_assert_uint_lt(size + 64, sizeof full);
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
    if (job->status == EULERCL_UNSUPPORTED) { /* too small for lanes */
        GIVE_NAME(&options, variant, NULL);
        job->status = eulercl_solve(problem, &options, 50 + job->m, job->y, NULL, NULL);
    }
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
        OK(solve_somehow(problem, &options, 33, y, &stats, &error));
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

static void add(TCase *tests) {
    ADD(statuses_are_pinned);
    ADD(defaults_are_as_documented);
    ADD_LOOP(struct_sizes_are_honoured, COUNT(sized));
    ADD(solvers_in_several_threads);
    ADD(all_in_one);
    ADD(kernel_source_is_shown);
    ADD(ceilings_are_measured);
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
    ADD(threads_keep_to_the_cores);
    ADD(threads_are_pinned);
#endif
}

int main(void) { return run_tests("interface", add); }
