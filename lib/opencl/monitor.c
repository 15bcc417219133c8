/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.c - eulercl_monitor on a device: kernels/monitor.cl, compiled when it is first
 * used. */
#include "config.h"
#include "state.h"
#include "opencl/embedded.h"
#include "../mem.h"
#include "../run/monitor.h"
#include <stdio.h>
#include <string.h>

enum {
    LOCAL_DOUBLES_AT_LEAST = 4096
}; /* OpenCL's 32 KB of local memory: plan_for() gives fewer accumulators unless a point has more
      components */

static int64_t largest_index(const struct run *run, const struct monitor_plan *plan) {
    int64_t sum;
    return __builtin_add_overflow(run->system.n, plan->accumulators, &sum) ? INT64_MAX : sum;
}

static int build(struct run *run, const struct monitor_plan *plan, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = 128 + ecl_text_prelude_size + ecl_text_monitor_size;
    struct cl_runtime program = c->runtime; /* the device, with another program */
    program.program = NULL;
    size_t most = 0;
    char *source = ecl_mem_zeroed(size, 1);
    if (!source) return ecl_no_memory(error, "the program's text");
    snprintf(source, size,
        "#define ODE_DOUBLE %d\n#define ODE_UNCACHED 0\n#define ODE_INDEX %s\n%s%s",
        run->system.real_size == sizeof(double),
        largest_index(run, plan) < INT32_MAX ? "int" : "long", (const char *)ecl_text_prelude,
        (const char *)ecl_text_monitor);
    int status = ecl_cl_build(&program, source, &run->report.build_seconds, error);
    ecl_mem_free(source);
    if (status) return status;
    status = ecl_cl_kernel(&program, "eulercl_monitor", &c->monitor, &most, error);
    clReleaseProgram(program.program); /* the kernel keeps it */
    const uint64_t bytes = (uint64_t)(plan->parts * plan->components * STATISTICS) * sizeof(double);
    if (!status)
        status = ecl_cl_buffer(&c->runtime, bytes, "the statistics of the parts", &c->parts, error);
    if (!status) status = ecl_cl_stage(&c->runtime, bytes, &c->parts_read, error);
    if (status) {
        if (c->monitor) clReleaseKernel(c->monitor);
        if (c->parts) clReleaseMemObject(c->parts);
        c->monitor = NULL;
        c->parts = NULL;
        return status;
    }
    c->monitor_workgroup = most < (size_t)plan->accumulators ? most : (size_t)plan->accumulators;
    return EULERCL_OK;
}

static int monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    struct cl_state *c = run->impl;
    if (!c->runtime.info.has_double || plan->accumulators * STATISTICS > LOCAL_DOUBLES_AT_LEAST)
        return EULERCL_UNSUPPORTED; /* the host will do it */
    const int status = c->monitor ? EULERCL_OK : build(run, plan, error);
    if (status) return status;
    const struct cl_state index = {.largest_index = largest_index(run, plan)};
    const size_t items = (size_t)plan->parts * c->monitor_workgroup,
                 bytes = (size_t)(plan->parts * plan->components * STATISTICS) * sizeof(double);
    cl_int cl = clSetKernelArg(c->monitor, 0, sizeof c->now, &c->now);
    if (!cl) cl = clSetKernelArg(c->monitor, 1, sizeof c->parts, &c->parts);
    if (!cl) cl = ecl_cl_set_index(&index, c->monitor, 2, plan->first);
    if (!cl) cl = ecl_cl_set_index(&index, c->monitor, 3, plan->end);
    if (!cl) cl = ecl_cl_set_index(&index, c->monitor, 4, plan->share);
    if (!cl) cl = ecl_cl_set_index(&index, c->monitor, 5, plan->accumulators);
    if (!cl) cl = ecl_cl_set_index(&index, c->monitor, 6, plan->components);
    if (!cl)
        cl = clSetKernelArg(
            c->monitor, 7, (size_t)plan->accumulators * STATISTICS * sizeof(double), NULL);
    if (!cl)
        cl = clEnqueueNDRangeKernel(
            c->runtime.queue, c->monitor, 1, NULL, &items, &c->monitor_workgroup, 0, NULL, NULL);
    if (!cl)
        cl = clEnqueueReadBuffer(
            c->runtime.queue, c->parts, CL_TRUE, 0, bytes, c->parts_read.memory, 0, NULL, NULL);
    if (!cl) memcpy(parts, c->parts_read.memory, bytes);
    return cl ? ecl_cl_fail(error, cl, "the statistics over the state") : EULERCL_OK;
}

const struct state_table ecl_cl_state = {.write = ecl_cl_write,
    .read = ecl_cl_read,
    .find_nonfinite = ecl_cl_find_nonfinite,
    .monitor = monitor,
    .change_coefficients = ecl_cl_change_coefficients};
