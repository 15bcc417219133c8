/* opencl/linear.c - backend cl-linear: one kernel launch per step, two buffers (thesis of 2012, ch. 5). */
#include "config.h"
#include "runtime.h"
#include "embedded.h"
#include "../mem.h"
#include <string.h>

const char *const eulercl_cl_linear_variants[] = {"vector", "strided", "chunked", NULL};
static const char *const kernel_names[] = {"linear_vector", "linear_strided", "linear_chunked"};
enum { VECTOR, STRIDED, CHUNKED };

enum {
    PREFERRED_WORKGROUP = 128,     /* measured on an H200: 128 is 3 % faster than 256 on BRUSS2D, 13 % faster than 512 */
    /* chunked: a fixed number of items, as in the thesis; the others: one item per four components */
    GROUPS_PER_UNIT = 8,
    /* The queue is drained now and then, so that a run of 1e9 steps does not hold 1e9 commands. */
    LAUNCHES_IN_FLIGHT = 4096,
    CHECK_GROUPS = 1024,
    CHECK_CHUNK = 1 << 16,
};

struct linear {
    struct cl_runtime runtime;
    cl_mem now, next, fields, found;
    cl_kernel kernel, find;
    size_t workgroup, groups, find_workgroup;
    int64_t find_share;            /* components per work-group of the search */
};

/* Indices go up to n plus a stride of all work-items times four. What is left open is chosen later (choose_items): work-groups to fit n,
   and at most PREFERRED_WORKGROUP items in each. */
static int64_t largest_index(const eulercl_options *options, int64_t n) {
    int64_t sum, stride = n;
    const uint64_t workgroup = options->workgroup_size ? options->workgroup_size : PREFERRED_WORKGROUP;
    if (options->workgroups && __builtin_mul_overflow(options->workgroups * workgroup, 4u, &stride)) return INT64_MAX;
    return __builtin_add_overflow(n, stride, &sum) ? INT64_MAX : sum;
}

static int source_of(const struct ode_problem *definition, const eulercl_options *options, int64_t n, char **source, eulercl_error *error) {
    return eulercl_cl_source(definition, (size_t)options->precision, largest_index(options, n), "linear.cl", eulercl_text_linear,
                             eulercl_text_linear_size, source, error);
}

int eulercl_kernel_source(const eulercl_problem *problem, const eulercl_options *options, char **source, eulercl_error *error) {
    eulercl_options checked;
    eulercl_problem_info info = {.struct_size = sizeof info};
    int status = eulercl_options_check(options, &checked, error);
    if (!status && checked.backend && strcmp(checked.backend, "auto") && strcmp(checked.backend, "cl-linear"))
        return eulercl_fail(error, EULERCL_UNSUPPORTED, "backend %s has no OpenCL kernel", checked.backend);
    if (!status) status = eulercl_problem_get_info(problem, &info, error);
    if (!status) status = source_of(eulercl_problem_definition(problem), &checked, info.n, source, error);
    return status;
}

static void destroy(struct run *run) {
    struct linear *l = run->impl;
    if (l->kernel) clReleaseKernel(l->kernel);
    if (l->find) clReleaseKernel(l->find);
    if (l->now) clReleaseMemObject(l->now);
    if (l->next) clReleaseMemObject(l->next);
    if (l->fields) clReleaseMemObject(l->fields);
    if (l->found) clReleaseMemObject(l->found);
    eulercl_cl_close(&l->runtime);
    eulercl_mem_free(l);
    run->impl = NULL;
}

static int choose_items(struct run *run, struct linear *l, size_t max_workgroup, eulercl_error *error) {
    const eulercl_options *o = &run->options;
    const uint64_t n = (uint64_t)run->system.n;
    if (o->workgroup_size > max_workgroup)
        return eulercl_fail(error, EULERCL_UNSUPPORTED, "a work-group of %llu items: %.200s allows %zu for this kernel", (unsigned long long)o->workgroup_size,
                            l->runtime.info.name, max_workgroup);
    l->workgroup = o->workgroup_size ? (size_t)o->workgroup_size : max_workgroup < PREFERRED_WORKGROUP ? max_workgroup : PREFERRED_WORKGROUP;
    const uint64_t useful_items = run->variant == CHUNKED ? n : n / 4 + (n % 4 != 0);
    uint64_t groups = useful_items / l->workgroup + (useful_items % l->workgroup != 0);
    const uint64_t fixed = (uint64_t)l->runtime.info.compute_units * GROUPS_PER_UNIT;
    if (run->variant == CHUNKED && fixed && groups > fixed) groups = fixed;     /* 0: the device does not say */
    if (groups > INT32_MAX) groups = INT32_MAX;
    l->groups = o->workgroups ? (size_t)o->workgroups : (size_t)groups;
    run->workgroup_size = l->workgroup;
    run->workgroups = l->groups;
    return EULERCL_OK;
}

/* An index argument in the width that the program was built with. */
static cl_int set_index(cl_kernel kernel, cl_uint place, const struct run *run, int64_t value) {
    const cl_int narrow = (cl_int)value;
    const cl_long wide = value;
    const int is_narrow = largest_index(&run->options, run->system.n) < INT32_MAX;
    return is_narrow ? clSetKernelArg(kernel, place, sizeof narrow, &narrow) : clSetKernelArg(kernel, place, sizeof wide, &wide);
}

static cl_int set_real(cl_kernel kernel, cl_uint place, const struct run *run, double value) {
    const cl_float single = (cl_float)value;
    return run->system.real_size == sizeof single ? clSetKernelArg(kernel, place, sizeof single, &single)
                                                  : clSetKernelArg(kernel, place, sizeof value, &value);
}

/* Places of the arguments of every kernel in linear.cl. */
enum { IN, OUT, N, NX, NY, T, H, CONSTANTS, FIELDS };

static int prepare(struct run *run, struct linear *l, eulercl_error *error) {
    const struct system *s = &run->system;
    size_t max_workgroup;
    char *source;
    if (s->real_size == sizeof(double) && !l->runtime.info.has_double)
        return eulercl_fail(error, EULERCL_UNSUPPORTED, "%.200s has no double precision (cl_khr_fp64): use float, or another device", l->runtime.info.name);
    if (2 * s->state_bytes + s->field_bytes > l->runtime.info.global_bytes)
        return eulercl_fail(error, EULERCL_MEMORY, "the state and its successor need %.4g MB, %.200s has %.4g MB", 2e-6 * (double)s->state_bytes,
                            l->runtime.info.name, 1e-6 * (double)l->runtime.info.global_bytes);
    /* Kernel arguments beside the constants take at most 128 bytes. */
    const size_t constants = (s->definition->constant_count + 1) * s->real_size;
    if (constants + 128 > l->runtime.max_arguments)
        return eulercl_fail(error, EULERCL_UNSUPPORTED, "%u constants of problem %s: %.200s takes %zu bytes of kernel arguments", s->definition->constant_count,
                            s->definition->name, l->runtime.info.name, l->runtime.max_arguments);
    int status = source_of(s->definition, &run->options, s->n, &source, error);
    if (status) return status;
    status = eulercl_cl_build(&l->runtime, source, &run->build_seconds, error);
    eulercl_mem_free(source);
    if (!status && !run->options.allow_inexact) status = eulercl_cl_check_contract(&l->runtime, s->real_size, error);
    if (!status) status = eulercl_cl_kernel(&l->runtime, kernel_names[run->variant], &l->kernel, &max_workgroup, error);
    if (!status) status = choose_items(run, l, max_workgroup, error);
    if (!status) status = eulercl_cl_kernel(&l->runtime, "eulercl_find_nonfinite", &l->find, &l->find_workgroup, error);
    if (!status) status = eulercl_cl_buffer(&l->runtime, s->state_bytes, "the state", &l->now, error);
    if (!status) status = eulercl_cl_buffer(&l->runtime, s->state_bytes, "the state's successor", &l->next, error);
    if (!status) status = eulercl_cl_buffer(&l->runtime, s->field_bytes ? s->field_bytes : s->real_size, "the coefficient fields", &l->fields, error);
    if (!status) status = eulercl_cl_buffer(&l->runtime, CHECK_GROUPS * sizeof(cl_int), "the search for inf and NaN", &l->found, error);
    if (status) return status;
    cl_int cl = s->field_bytes ? clEnqueueWriteBuffer(l->runtime.queue, l->fields, CL_TRUE, 0, (size_t)s->field_bytes, s->fields, 0, NULL, NULL) : CL_SUCCESS;
    if (!cl) cl = set_index(l->kernel, N, run, s->n);
    if (!cl) cl = set_index(l->kernel, NX, run, s->context.nx);
    if (!cl) cl = set_index(l->kernel, NY, run, s->context.ny);
    if (!cl) cl = clSetKernelArg(l->kernel, CONSTANTS, constants, s->constants);
    if (!cl) cl = clSetKernelArg(l->kernel, FIELDS, sizeof l->fields, &l->fields);
    if (l->find_workgroup > PREFERRED_WORKGROUP) l->find_workgroup = PREFERRED_WORKGROUP;
    l->find_share = s->n / CHECK_GROUPS + (s->n % CHECK_GROUPS != 0);
    if (!cl) cl = clSetKernelArg(l->find, 1, sizeof l->found, &l->found);
    if (!cl) cl = set_index(l->find, 2, run, s->n);
    if (!cl) cl = set_index(l->find, 3, run, l->find_share);
    return cl ? eulercl_cl_fail(error, cl, "handing over the arguments") : EULERCL_OK;
}

static int create(struct run *run, eulercl_error *error) {
    struct linear *l = eulercl_mem_zeroed(1, sizeof *l);
    if (!l) return eulercl_fail(error, EULERCL_MEMORY, "no memory for a solver");
    int status = eulercl_cl_open(&l->runtime, &run->options, error);
    if (status) {
        eulercl_mem_free(l);
        return status;
    }
    run->impl = l;
    status = prepare(run, l, error);
    if (status) {
        destroy(run);
        return status;
    }
    run->device_bytes = 2 * run->system.state_bytes + run->system.field_bytes;
    memcpy(run->device, l->runtime.info.name, sizeof run->device);
    memcpy(run->device_id, l->runtime.info.id, sizeof run->device_id);
    return EULERCL_OK;
}

static int write_state(struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    struct linear *l = run->impl;
    const size_t size = run->system.real_size;
    const cl_int cl = clEnqueueWriteBuffer(l->runtime.queue, l->now, CL_TRUE, (size_t)first * size, (size_t)count * size, y, 0, NULL, NULL);
    return cl ? eulercl_cl_fail(error, cl, "writing the state") : EULERCL_OK;
}

static int read_state(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    struct linear *l = run->impl;
    const size_t size = run->system.real_size;
    const cl_int cl = clEnqueueReadBuffer(l->runtime.queue, l->now, CL_TRUE, (size_t)first * size, (size_t)count * size, y, 0, NULL, NULL);
    return cl ? eulercl_cl_fail(error, cl, "reading the state") : EULERCL_OK;
}

static int step(struct run *run, const struct stretch *stretch, double *seconds, eulercl_error *error) {
    struct linear *l = run->impl;
    const size_t items = l->groups * l->workgroup;
    cl_int cl = clFinish(l->runtime.queue);
    const double start = eulercl_now();
    if (!cl) cl = set_real(l->kernel, H, run, stretch->h);
    for (int64_t s = 0; !cl && s < stretch->steps; s++) {
        cl = set_real(l->kernel, T, run, eulercl_step_time(stretch, s));
        if (!cl) cl = clSetKernelArg(l->kernel, IN, sizeof l->now, &l->now);
        if (!cl) cl = clSetKernelArg(l->kernel, OUT, sizeof l->next, &l->next);
        if (!cl) cl = clEnqueueNDRangeKernel(l->runtime.queue, l->kernel, 1, NULL, &items, &l->workgroup, 0, NULL, NULL);
        if (cl) break;
        cl_mem next = l->now;
        l->now = l->next;
        l->next = next;
        run->launches++;
        if (s % LAUNCHES_IN_FLIGHT == LAUNCHES_IN_FLIGHT - 1) cl = clFinish(l->runtime.queue);
    }
    if (!cl) cl = clFinish(l->runtime.queue);
    *seconds = eulercl_now() - start;
    return cl ? eulercl_cl_fail(error, cl, "running a step") : EULERCL_OK;
}

/* The device says which parts hold one; the host reads the first such part and finds the component. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    struct linear *l = run->impl;
    const struct system *s = &run->system;
    const size_t groups = (size_t)(s->n / l->find_share + (s->n % l->find_share != 0)), items = groups * l->find_workgroup;
    cl_int found[CHECK_GROUPS];
    const cl_int zero = 0;
    cl_int cl = clEnqueueFillBuffer(l->runtime.queue, l->found, &zero, sizeof zero, 0, sizeof found, 0, NULL, NULL);
    if (!cl) cl = clSetKernelArg(l->find, 0, sizeof l->now, &l->now);
    if (!cl) cl = clEnqueueNDRangeKernel(l->runtime.queue, l->find, 1, NULL, &items, &l->find_workgroup, 0, NULL, NULL);
    if (!cl) cl = clEnqueueReadBuffer(l->runtime.queue, l->found, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL);
    if (cl) return eulercl_cl_fail(error, cl, "the search for inf and NaN");
    size_t group = 0;
    while (group < groups && !found[group]) group++;
    *component = -1;
    if (group == groups) return EULERCL_OK;
    char *chunk = eulercl_mem_zeroed(CHECK_CHUNK, s->real_size);
    if (!chunk) return eulercl_fail(error, EULERCL_MEMORY, "no memory for a part of the state");
    int status = EULERCL_OK;
    const int64_t begin = (int64_t)group * l->find_share, end = s->n - begin < l->find_share ? s->n : begin + l->find_share;
    for (int64_t first = begin; !status && *component < 0 && first < end; first += CHECK_CHUNK) {
        const int64_t count = end - first < CHECK_CHUNK ? end - first : CHECK_CHUNK;
        status = read_state(run, first, count, chunk, error);
        const int64_t at = status ? -1 : eulercl_first_nonfinite(chunk, count, s->real_size);
        if (at >= 0) *component = first + at;
    }
    eulercl_mem_free(chunk);
    return status;
}

static int borrow(struct run *run, void **cl_mem_state, eulercl_error *error) {
    (void)error;
    *cl_mem_state = ((struct linear *)run->impl)->now;
    return EULERCL_OK;
}

const struct backend eulercl_backend_cl_linear = {
    .variants = eulercl_cl_linear_variants, .is_opencl = 1, .create = create, .destroy = destroy, .write = write_state,
    .read = read_state, .step = step, .find_nonfinite = find_nonfinite, .borrow = borrow,
};
