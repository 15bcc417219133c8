/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_opencl.c - the promises of eulercl.h about the caller's own OpenCL objects, and
 * no device. */
#include "config.h"
#include "../run/interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* "auto" finds a backend for systems and options that not every backend supports. */
static void auto_finds_a_way(const eulercl_problem *problem, const eulercl_options *with_queue) {
    eulercl_options options = *with_queue;
    eulercl_device_info device = {.struct_size = sizeof device};
    OK(eulercl_get_device(0, &device, &error));
    static const double parts[] = {1.5, 2.5}; /* one buffer fits, none fits */
    for (int i = 0; i < COUNT(parts); i++) {
        int64_t halo, n;
        eulercl_problem *wide = wide_problem(&device, parts[i], &halo, &n);
        GIVE_NAME(&options, storage, "local");
        eulercl_solver *solver = NULL;
        EXPECT_WORDS(EULERCL_UNSUPPORTED, "no usable backend supports storage=local",
            eulercl_solver_create(wide, &options, &solver, &error));
        ck_assert_ptr_null(solver);
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

/* Queues that are refused; one that records times is used. */
static void check_queues(const eulercl_problem *problem, eulercl_options *options,
    cl_context context, cl_device_id device, cl_command_queue elsewhere, cl_command_queue unordered,
    cl_command_queue queue) {
    cl_int cl;
    for (int w = 0; w < 2; w++) {
        eulercl_solver *solver = NULL;
        options->cl_queue = w ? unordered : elsewhere;
        options->backend = "cl-linear";
        if (options->cl_queue)
            EXPECT(EULERCL_INVALID, eulercl_solver_create(problem, options, &solver, &error));
        ck_assert_ptr_null(solver);
    }
    options->cl_queue = queue;
    options->device_events = 1;
    eulercl_solver *solver = NULL;
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "does not record times",
        eulercl_solver_create(problem, options, &solver, &error));
    ck_assert_ptr_null(solver);
    options->cl_queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &cl);
    ck_assert(options->cl_queue);
    solver = make(problem, options);
    OK(eulercl_advance(solver, 2, &error));
    ck_assert(stats_of(solver).device_seconds > 0);
    eulercl_solver_destroy(solver);
    clReleaseCommandQueue(options->cl_queue);
    options->device_events = 0;
}

/* A snapshot has a queue of its own, in the caller's context. */
static void check_snapshot(eulercl_solver *solver, const double *expected) {
    eulercl_snapshot *snapshot = NULL;
    const void *taken;
    int64_t count = 0;
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    OK(eulercl_snapshot_take(snapshot, &error));
    OK(eulercl_snapshot_next(snapshot, &taken, &count, &error));
    ck_assert_int_eq(count, WAVE);
    SAME(taken, expected, WAVE, sizeof *expected, "a snapshot");
    eulercl_snapshot_destroy(snapshot);
}

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
    check_queues(problem, &options, context, device, elsewhere, unordered, queue);
    options.cl_queue = queue;
    options.backend = NULL;            /* auto: a queue says OpenCL */
    options.device = "no such device"; /* ignored */
    eulercl_solver *solver = make(problem, &options);
    ck_assert_str_eq(stats_of(solver).backend, "cl-register");
    ck_assert_str_eq(stats_of(solver).note, "");
    ck_assert_uint_gt(stats_of(solver).steps_per_launch, 1);
    double y[WAVE], borrowed[WAVE], expected[WAVE];
    void *buffer;
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, WAVE, expected, &error));
    OK(eulercl_set_initial_state(solver, &error));
    check_snapshot(solver, expected);
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

/* The loader is told that there are no drivers before the first OpenCL call of the process. */
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
#ifdef HAVE_OPENCL
    ADD(device_clock_is_read);
    ADD(callers_own_queue);
#endif
    /* This needs a process of its own: if the tests do not fork, OpenCL is in use already. */
    const char *fork_mode = getenv("CK_FORK");
    if (!fork_mode || strcmp(fork_mode, "no")) ADD(no_device_is_survived);
}

int main(void) { return run_tests("interface_opencl", add); }
