/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - the limits of a device: kernels/ceilings.cl, timed by the wall clock over
 * many launches. */
#include "config.h"
#include "../plan/ceilings.h"
#include "../mem.h"
#include "opencl/embedded.h"
#include "runtime.h"
#include <stdio.h>

enum {
    WORKGROUP = 256,
    /* work-groups of the chains: enough to fill every unit several times over */
    GROUPS_PER_UNIT = 32,
    OPERATIONS = 4 * 8 * 32, /* operations of an item per round: see ceilings.cl */
    ROUNDS = 256,
    MOST_LAUNCHES = 1 << 14,
};
static const double LONG_ENOUGH =
    0.02; /* seconds of a repetition: long enough that one launch more or less does not matter */

static int build(struct cl_runtime *r, const eulercl_options *options, eulercl_error *error) {
    const size_t size = 128 + ecl_text_prelude_size + ecl_text_ceilings_size;
    char *source = ecl_mem_zeroed(size, 1);
    double seconds = 0;
    if (!source) return ecl_no_memory(error, "the program's text");
    snprintf(source, size,
        "#define ODE_DOUBLE %d\n#define ODE_UNCACHED 0\n#define ODE_INDEX long\n%s%s",
        options->precision == EULERCL_DOUBLE, (const char *)ecl_text_prelude,
        (const char *)ecl_text_ceilings);
    const int status = ecl_cl_build(r, source, &seconds, error);
    ecl_mem_free(source);
    return status;
}

/* Seconds of a launch: the best of some repetitions, each of enough launches. */
static int time_launches(const struct cl_runtime *r, cl_kernel kernel, size_t items,
    size_t workgroup, double *best, eulercl_error *error) {
    int launches = 1;
    for (int repeat = -1; repeat < ecl_ceiling_repeats;) {
        cl_int cl = clFinish(r->queue);
        const double start = ecl_now();
        for (int i = 0; !cl && i < launches; i++)
            cl = clEnqueueNDRangeKernel(
                r->queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL);
        if (!cl) cl = clFinish(r->queue);
        if (cl) return ecl_cl_fail(error, cl, "measuring the device");
        const double seconds = ecl_now() - start;
        if (repeat >= 0 && (!repeat || seconds / launches < *best)) *best = seconds / launches;
        if (repeat < 0 && seconds < LONG_ENOUGH && launches < MOST_LAUNCHES)
            launches *= 2;
        else
            repeat++;
    }
    return EULERCL_OK;
}

static int measure_copy(
    const struct cl_runtime *r, eulercl_ceilings *ceilings, eulercl_error *error) {
    uint64_t bytes = ecl_ceiling_bytes;
    if (bytes > r->info.global_bytes / 8) bytes = r->info.global_bytes / 8;
    if (bytes > r->info.max_allocation_bytes) bytes = r->info.max_allocation_bytes;
    cl_kernel kernel;
    cl_mem buffers[2] = {NULL, NULL};
    size_t workgroup;
    double seconds = 0;
    int status = ecl_cl_kernel(r, "ceiling_copy", &kernel, &workgroup, error);
    if (status) return status;
    if (workgroup > WORKGROUP) workgroup = WORKGROUP;
    /* An item copies four reals, 16 or 32 bytes; whole work-groups in either precision. */
    const size_t vector = 4 * (size_t)ceilings->precision,
                 items = (size_t)(bytes / (vector * workgroup)) * workgroup;
    for (cl_uint i = 0; !status && i < 2; i++) {
        status = ecl_cl_buffer(
            r, items * vector, "a copy that measures the bandwidth", &buffers[i], error);
        const cl_int cl =
            status ? CL_SUCCESS : clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
        if (cl) status = ecl_cl_fail(error, cl, "clSetKernelArg");
    }
    if (!status) status = time_launches(r, kernel, items, workgroup, &seconds, error);
    if (!status) ceilings->copy_bytes_per_second = 2 * (double)(items * vector) / seconds;
    for (int i = 0; i < 2; i++)
        if (buffers[i]) clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    return status;
}

static int measure_fma(
    const struct cl_runtime *r, eulercl_ceilings *ceilings, eulercl_error *error) {
    const double a64 = 0.5, b64 = 1;
    const float a32 = 0.5f, b32 = 1;
    const int is_float = ceilings->precision == EULERCL_FLOAT;
    const cl_int rounds = ROUNDS;
    cl_kernel kernel;
    cl_mem out = NULL;
    size_t workgroup;
    double seconds = 0;
    int status = ecl_cl_kernel(r, "ceiling_fma", &kernel, &workgroup, error);
    if (status) return status;
    if (workgroup > WORKGROUP) workgroup = WORKGROUP;
    const size_t units = r->info.compute_units ? r->info.compute_units : 1,
                 items = units * GROUPS_PER_UNIT * workgroup;
    status = ecl_cl_buffer(
        r, items * (size_t)ceilings->precision, "the result of operations", &out, error);
    if (!status) {
        cl_int cl = clSetKernelArg(kernel, 0, sizeof out, &out);
        if (!cl) cl = clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
        if (!cl)
            cl = is_float ? clSetKernelArg(kernel, 2, sizeof a32, &a32)
                          : clSetKernelArg(kernel, 2, sizeof a64, &a64);
        if (!cl)
            cl = is_float ? clSetKernelArg(kernel, 3, sizeof b32, &b32)
                          : clSetKernelArg(kernel, 3, sizeof b64, &b64);
        if (cl) status = ecl_cl_fail(error, cl, "clSetKernelArg");
    }
    if (!status) status = time_launches(r, kernel, items, workgroup, &seconds, error);
    if (!status) ceilings->fma_per_second = (double)items * OPERATIONS * ROUNDS / seconds;
    if (out) clReleaseMemObject(out);
    clReleaseKernel(kernel);
    return status;
}

int ecl_cl_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    struct cl_runtime runtime;
    int status = ecl_cl_open(&runtime, options, error);
    if (status) return status;
    ceilings->precision = options->precision;
    snprintf(ceilings->device, sizeof ceilings->device, "%s", runtime.info.name);
    if (options->precision == EULERCL_DOUBLE && !runtime.info.has_double)
        status = ecl_fail(error, EULERCL_UNSUPPORTED,
            "%.200s has no double precision (cl_khr_fp64): use float, or another device",
            runtime.info.name);
    if (!status) status = build(&runtime, options, error);
    if (!status) status = measure_copy(&runtime, ceilings, error);
    if (!status) status = measure_fma(&runtime, ceilings, error);
    ecl_cl_close(&runtime);
    return status;
}
