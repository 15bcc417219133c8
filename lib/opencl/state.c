/* SPDX-License-Identifier: BSD-2-Clause */
/* state.c - see opencl/state.h. */
#include "config.h"
#include "state.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include "../problem/system.h"
#include "transfer.h"
#include <string.h>

enum {
    CHECK_GROUPS = 1024,
    CHECK_CHUNK = 1 << 16,
    FIND_ON_HOST = 1 << 14,
    CHECK_WORKGROUP = 128,
    GATHER_BYTES = 1 << 20,
    LARGE_BYTES = 1 << 24, /* the least state that several threads copy */
    STAGES_AT_A_TIME = 64, /* so that the buffer of coefficients seldom grows */
    OTHER_ARGUMENTS =
        448, /* largest number of bytes of a kernel's arguments without the constants */
};

int ecl_cl_check_device(struct run *run, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    if (s->real_size == sizeof(double) && !c->runtime.info.has_double)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%.200s has no double precision (cl_khr_fp64): use float, or another device",
            c->runtime.info.name);
    if (2 * s->state_bytes + s->field_bytes > c->runtime.info.global_bytes)
        return ecl_fail(error, EULERCL_MEMORY,
            "the two arrays of the state need %.4g MB, %.200s has %.4g MB",
            2e-6 * (double)s->state_bytes, c->runtime.info.name,
            1e-6 * (double)c->runtime.info.global_bytes);
    ecl_cl_find_factors(s->definition, &run->options, &c->factors);
    c->constants_bytes = (s->definition->constant_count + 1) * s->real_size;
    if (c->constants_bytes + OTHER_ARGUMENTS > c->runtime.max_arguments)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%u constants of problem %s are too many: %.200s accepts %zu bytes of kernel arguments",
            s->definition->constant_count, s->definition->name, c->runtime.info.name,
            c->runtime.max_arguments);
    return EULERCL_OK;
}

uint64_t ecl_cl_room(const struct system *s) {
    const uint64_t vector = 4 * s->real_size;
    return (s->state_bytes / vector + (s->state_bytes % vector != 0)) * vector;
}

static int write_coefficients(struct run *run, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    const cl_int cl = s->field_bytes ? clEnqueueWriteBuffer(c->runtime.queue, c->fields, CL_TRUE, 0,
                                           (size_t)s->field_bytes, s->fields, 0, NULL, NULL)
                                     : CL_SUCCESS;
    return cl ? ecl_cl_fail(error, cl, "writing the coefficient fields") : EULERCL_OK;
}

int ecl_cl_change_coefficients(struct run *run, eulercl_error *error) {
    struct cl_state *const c = run->impl;
    c->version++;
    const int status = write_coefficients(run, error);
    const cl_int cl = status ? CL_SUCCESS : c->set_arguments(run);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : status;
}

/* Write the place of run->system that is not in the text of programs: its fields go to the device,
 * and its first row to the constants, which are an argument of kernels. *is_other: the text differs
 * from that for the place before. */
static int write_place(struct run *run, int *is_other, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    const struct cl_place now = ecl_cl_place(s);
    *is_other = memcmp(&c->place, &now, sizeof now) != 0;
    c->place = now;
    const cl_long first = s->context.grid.origin[grid_last_axis(&s->context.grid)];
    const cl_int narrow = (cl_int)first;
    char *const place = (char *)s->constants + s->definition->constant_count * s->real_size;
    if (ecl_cl_is_place_constant(s))
        memcpy(place, s->real_size == sizeof first ? (const void *)&first : &narrow, s->real_size);
    return write_coefficients(run, error);
}

int ecl_cl_move(struct run *run, int (*change_method)(struct run *run, eulercl_error *error),
    cl_int (*set_arguments)(const struct run *run), eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct cl_place before = c->place;
    int is_other;
    int status = write_place(run, &is_other, error);
    if (!status && is_other) status = change_method(run, error);
    if (status) {
        c->place = before; /* the place of the programs */
        return status;
    }
    const cl_int cl = set_arguments(run);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

int ecl_cl_prepare(struct run *run, const char *source, const char *name, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    int status = ecl_cl_build(&c->runtime, source, &run->report.build_seconds, error);
    if (!status && !run->options.allow_inexact)
        status = ecl_cl_check_contract(&c->runtime, s->real_size, error);
    if (!status) status = ecl_cl_kernel(&c->runtime, name, &c->kernel, &c->max_workgroup, error);
    if (!status)
        status =
            ecl_cl_kernel(&c->runtime, "ecl_find_nonfinite", &c->find, &c->find_workgroup, error);
    const uint64_t bytes = ecl_cl_room(s);
    if (!status) status = ecl_cl_buffer(&c->runtime, bytes, "the state", &c->now, error);
    if (!status)
        status =
            ecl_cl_buffer(&c->runtime, bytes, "the second array of the state", &c->next, error);
    if (!status)
        status = ecl_cl_buffer(&c->runtime, s->field_bytes ? s->field_bytes : s->real_size,
            "the coefficient fields", &c->fields, error);
    if (!status)
        status = ecl_cl_buffer(&c->runtime, CHECK_GROUPS * sizeof(cl_int),
            "the search for inf and NaN", &c->found, error);
    int is_other; /* it is the first one */
    if (!status) status = write_place(run, &is_other, error);
    if (status) return status;
    if (c->find_workgroup > CHECK_WORKGROUP) c->find_workgroup = CHECK_WORKGROUP;
    c->find_share = s->n / CHECK_GROUPS + (s->n % CHECK_GROUPS != 0);
    if (c->find_share < (int64_t)c->find_workgroup) /* each item has a component */
        c->find_share = (int64_t)c->find_workgroup;
    cl_int cl = clSetKernelArg(c->find, 1, sizeof c->found, &c->found);
    if (!cl) cl = ecl_cl_set_index(c, c->find, 2, s->n);
    if (!cl) cl = ecl_cl_set_index(c, c->find, 3, c->find_share);
    if (cl) return ecl_cl_fail(error, cl, "clSetKernelArg");
    run->report.device_bytes = 2 * s->state_bytes + s->field_bytes;
    run->report.memory_bytes = (double)c->runtime.info.global_bytes;
    memcpy(run->report.device, c->runtime.info.name, sizeof run->report.device);
    memcpy(run->report.device_id, c->runtime.info.id, sizeof run->report.device_id);
    return EULERCL_OK;
}

static void release_program(struct cl_state *c) {
    if (c->kernel) clReleaseKernel(c->kernel);
    if (c->runtime.program) clReleaseProgram(c->runtime.program);
    c->runtime.program = NULL;
    ecl_mem_free(c->source);
}

/* On failure the caller releases the program. */
static int build_for_change(struct run *run, const char *name,
    cl_int (*set_arguments)(const struct run *run), eulercl_error *error) {
    struct cl_state *c = run->impl;
    int status = ecl_cl_build(&c->runtime, c->source, &run->report.build_seconds, error);
    if (!status) status = ecl_cl_kernel(&c->runtime, name, &c->kernel, &c->max_workgroup, error);
    if (!status && c->max_workgroup < c->workgroup)
        status = ecl_fail(error, EULERCL_UNSUPPORTED,
            "a work-group of %zu items is too large for method %s: %.200s allows %zu for its "
            "kernel",
            c->workgroup, run->system.method->name, c->runtime.info.name, c->max_workgroup);
    if (status) return status;
    const cl_int cl = set_arguments(run);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

int ecl_cl_change_program(struct run *run, char *source, const char *name, int64_t largest_index,
    cl_int (*set_arguments)(const struct run *run), eulercl_error *error) {
    struct cl_state *c = run->impl;
    if (!strcmp(source, c->source)) { /* also of indices as wide as before */
        ecl_mem_free(source);
        return EULERCL_OK;
    }
    struct cl_state before = *c;
    c->runtime.program = NULL;
    c->kernel = NULL;
    c->source = source;
    c->largest_index = largest_index;
    const int status = build_for_change(run, name, set_arguments, error);
    release_program(status ? c : &before);
    if (status) *c = before;
    return status;
}

int ecl_cl_choose_workgroup(
    struct run *run, uint64_t wanted, size_t preferred, eulercl_error *error) {
    struct cl_state *c = run->impl;
    if (wanted > c->max_workgroup)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "a work-group of %llu items is too large: %.200s allows %zu for this kernel",
            (unsigned long long)wanted, c->runtime.info.name, c->max_workgroup);
    c->workgroup = wanted                         ? (size_t)wanted
                   : c->max_workgroup < preferred ? c->max_workgroup
                                                  : preferred;
    return EULERCL_OK;
}

void ecl_cl_facts(const struct run *run, eulercl_stats *stats) {
    const struct cl_state *c = run->impl;
    ecl_add_count(stats, "workgroup_size", "work-items", c->workgroup);
    ecl_add_count(stats, "workgroups", "work-groups", c->groups);
    ecl_add_total(stats, "global_bytes", "bytes", c->global_bytes);
}

int ecl_cl_make_carried(struct run *run, eulercl_error *error) {
    struct cl_state *c = run->impl;
    uint64_t bytes;
    int status = ecl_carried_bytes(&run->system, &bytes, error);
    if (status) return status;
    if (!c->carried || bytes > c->carried_bytes) {
        cl_mem carried;
        status = ecl_cl_buffer(&c->runtime, bytes ? bytes : run->system.real_size,
            "the method's carried values", &carried, error);
        if (status) return status;
        if (c->carried) clReleaseMemObject(c->carried);
        c->carried = carried;
        run->report.device_bytes += bytes - c->carried_bytes;
        c->carried_bytes = bytes;
    }
    return EULERCL_OK;
}

int ecl_cl_make_stages(struct run *run, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const int64_t stages = run->system.method->stages,
                  room = int_ceil(stages, STAGES_AT_A_TIME) * STAGES_AT_A_TIME;
    cl_mem made;
    if (stages <= c->stages_room) return EULERCL_OK;
    const int status = ecl_cl_buffer(&c->runtime, (uint64_t)room * sizeof(union ecl_stage),
        "the method's coefficients", &made, error);
    if (status) return status;
    if (c->stages) clReleaseMemObject(c->stages);
    c->stages = made;
    c->stages_room = room;
    return EULERCL_OK;
}

int ecl_cl_make_errors(struct run *run, eulercl_error *error) {
    struct cl_state *c = run->impl;
    if (!run->system.method->estimate || c->errors) return EULERCL_OK;
    c->batch = ERROR_BATCHES;
    const struct tolerance *const t = &run->system.tolerance;
    int status =
        c->worst.memory ? EULERCL_OK : ecl_cl_stage(&c->runtime, sizeof(cl_int), &c->worst, error);
    if (!status && t->unknowns > MOST_ATOLS && !c->atols)
        status = ecl_cl_buffer(&c->runtime, (uint64_t)t->unknowns * run->system.real_size,
            "the tolerances", &c->atols, error);
    return status ? status
                  : ecl_cl_buffer(&c->runtime, ERROR_BATCHES * sizeof(cl_int),
                        "the errors of steps", &c->errors, error);
}

cl_int ecl_cl_begin_errors(struct run *run) {
    static const cl_int least = INT32_MIN;
    struct cl_state *c = run->impl;
    const struct tolerance *const t = &run->system.tolerance;
    if (!run->system.method->estimate) return CL_SUCCESS;
    if (c->atols) {
        const cl_int cl = clEnqueueWriteBuffer(c->runtime.queue, c->atols, CL_TRUE, 0,
            (size_t)t->unknowns * run->system.real_size, t->along.reals, 0, NULL, NULL);
        if (cl) return cl;
    }
    if (++c->batch < ERROR_BATCHES) return CL_SUCCESS;
    c->batch = 0;
    return clEnqueueFillBuffer(c->runtime.queue, c->errors, &least, sizeof least, 0,
        ERROR_BATCHES * sizeof least, 0, NULL, NULL);
}

cl_int ecl_cl_set_errors(const struct run *run, cl_kernel kernel, cl_uint place) {
    const struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    if (!s->method->estimate) return CL_SUCCESS;
    cl_int cl = ecl_cl_set_real(run, kernel, place, s->tolerance.rtol);
    if (!cl && c->atols)
        cl = clSetKernelArg(kernel, place + 1, sizeof c->atols, &c->atols);
    else if (!cl) /* a pattern begins with one number for each unknown */
        cl = clSetKernelArg(kernel, place + 1, (size_t)s->tolerance.unknowns * s->real_size,
            s->tolerance.along.reals);
    if (!cl) cl = clSetKernelArg(kernel, place + 2, sizeof c->errors, &c->errors);
    return cl ? cl : clSetKernelArg(kernel, place + 3, sizeof c->batch, &c->batch);
}

cl_int ecl_cl_ask_errors(const struct run *run, cl_event *answer) {
    const struct cl_state *c = run->impl;
    const size_t size = sizeof(cl_int);
    *answer = NULL;
    if (!run->system.method->estimate) return CL_SUCCESS;
    return clEnqueueReadBuffer(c->runtime.queue, c->errors, CL_FALSE, (size_t)c->batch * size, size,
        c->worst.memory, 0, NULL, answer);
}

cl_int ecl_cl_take_errors(struct run *run, cl_event answer) {
    const struct cl_state *c = run->impl;
    cl_int worst;
    if (!answer) return CL_SUCCESS;
    const cl_int cl = clWaitForEvents(1, &answer);
    clReleaseEvent(answer);
    memcpy(&worst, c->worst.memory, sizeof worst);
    if (!cl) run->report.worst_error = worst;
    return cl;
}

cl_int ecl_cl_read_errors(struct run *run) {
    cl_event answer;
    const cl_int cl = ecl_cl_ask_errors(run, &answer);
    return cl ? cl : ecl_cl_take_errors(run, answer);
}

cl_int ecl_cl_launch(struct run *run, cl_kernel kernel, cl_uint dimensions, const size_t *items,
    const size_t *workgroup) {
    struct cl_state *c = run->impl;
    cl_event event = NULL;
    const cl_int cl = clEnqueueNDRangeKernel(c->runtime.queue, kernel, dimensions, NULL, items,
        workgroup, 0, NULL, run->options.device_events ? &event : NULL);
    if (cl) return cl;
    if (event && !c->first_launch)
        c->first_launch = event;
    else if (event) {
        if (c->last_launch) clReleaseEvent(c->last_launch);
        c->last_launch = event;
    }
    return ++run->report.launches % LAUNCHES_IN_FLIGHT ? CL_SUCCESS : clFinish(c->runtime.queue);
}

cl_int ecl_cl_finish(struct run *run, cl_int cl, double start, double *seconds) {
    struct cl_state *c = run->impl;
    cl_ulong begin = 0, end = 0;
    if (!cl) cl = clFinish(c->runtime.queue);
    *seconds = ecl_now() - start;
    if (!c->first_launch) return cl;
    const cl_event last = c->last_launch ? c->last_launch : c->first_launch;
    if (!cl)
        cl = clGetEventProfilingInfo(
            c->first_launch, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    if (!cl) cl = clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (!cl && end > begin) run->report.device_seconds += 1e-9 * (double)(end - begin);
    if (c->last_launch) clReleaseEvent(c->last_launch);
    clReleaseEvent(c->first_launch);
    c->first_launch = c->last_launch = NULL;
    return cl;
}

cl_int ecl_cl_set_index(const struct cl_state *c, cl_kernel kernel, cl_uint place, int64_t value) {
    const cl_int narrow = (cl_int)value;
    const cl_long wide = value;
    return c->largest_index < INT32_MAX ? clSetKernelArg(kernel, place, sizeof narrow, &narrow)
                                        : clSetKernelArg(kernel, place, sizeof wide, &wide);
}

cl_int ecl_cl_set_axes(const struct cl_state *c, cl_kernel kernel, cl_uint place,
    const int64_t values[ODE_MOST_AXES]) {
    cl_int narrow[ODE_MOST_AXES];
    cl_long wide[ODE_MOST_AXES];
    for (int axis = 0; axis < ODE_MOST_AXES; axis++) {
        narrow[axis] = (cl_int)values[axis];
        wide[axis] = values[axis];
    }
    return c->largest_index < INT32_MAX ? clSetKernelArg(kernel, place, sizeof narrow, narrow)
                                        : clSetKernelArg(kernel, place, sizeof wide, wide);
}

cl_int ecl_cl_set_real(const struct run *run, cl_kernel kernel, cl_uint place, double value) {
    const cl_float single = (cl_float)value;
    return run->system.real_size == sizeof single
               ? clSetKernelArg(kernel, place, sizeof single, &single)
               : clSetKernelArg(kernel, place, sizeof value, &value);
}

void ecl_cl_destroy(struct run *run) {
    struct cl_state *c = run->impl;
    release_program(c);
    ecl_cl_end_early(run);
    if (c->second) clReleaseCommandQueue(c->second);
    if (c->find) clReleaseKernel(c->find);
    for (int i = 0; i < CL_REDUCERS; i++)
        if (c->reducers[i].kernel) clReleaseKernel(c->reducers[i].kernel);
    if (c->now) clReleaseMemObject(c->now);
    if (c->next) clReleaseMemObject(c->next);
    if (c->carried) clReleaseMemObject(c->carried);
    if (c->stages) clReleaseMemObject(c->stages);
    if (c->errors) clReleaseMemObject(c->errors);
    if (c->atols) clReleaseMemObject(c->atols);
    if (c->fields) clReleaseMemObject(c->fields);
    if (c->found) clReleaseMemObject(c->found);
    if (c->parts) clReleaseMemObject(c->parts);
    if (c->places) clReleaseMemObject(c->places);
    ecl_cl_unstage(&c->runtime, &c->parts_read);
    ecl_cl_unstage(&c->runtime, &c->worst);
    ecl_cl_unstage(&c->runtime, &c->gathered);
    ecl_cl_transfer_destroy(c->transfer);
    if (c->times) clReleaseMemObject(c->times);
    ecl_mem_free(c->table);
    ecl_cl_close(&c->runtime);
    ecl_mem_free(c);
    run->impl = NULL;
}

/* Move components of the state: `from` memory of the host, or `to` it; one of these is NULL.
 * Several threads move a large part faster than a driver does. */
static int move_state(struct run *run, int64_t first, int64_t count, const void *from, void *to,
    eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = run->system.real_size;
    const struct cl_move move = {c->now, (size_t)first * size, (size_t)count * size, from, to};
    if (!c->runtime.shares_memory && move.bytes >= LARGE_BYTES) {
        const int status =
            c->transfer ? EULERCL_OK : ecl_cl_transfer_create(&c->transfer, &c->runtime, error);
        return status ? status : ecl_cl_transfer(c->transfer, &move, error);
    }
    const cl_int cl = from ? clEnqueueWriteBuffer(c->runtime.queue, c->now, CL_TRUE, move.offset,
                                 move.bytes, from, 0, NULL, NULL)
                           : clEnqueueReadBuffer(c->runtime.queue, c->now, CL_TRUE, move.offset,
                                 move.bytes, to, 0, NULL, NULL);
    return cl ? ecl_cl_fail(error, cl, from ? "writing the state" : "reading the state")
              : EULERCL_OK;
}

int ecl_cl_write(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    struct cl_state *c = run->impl;
    c->version++;
    return move_state(run, first, count, y, NULL, error);
}

int ecl_cl_read(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    return move_state(run, first, count, NULL, y, error);
}

/* ---- rows that are wanted early ---- */

cl_int ecl_cl_mark_early(struct run *run) {
    struct cl_state *c = run->impl;
    return clEnqueueMarkerWithWaitList(c->runtime.queue, 0, NULL, &c->early);
}

cl_int ecl_cl_wait_early(const struct run *run) {
    const struct cl_state *c = run->impl;
    const cl_int cl = clFlush(c->runtime.queue);
    return cl ? cl : clWaitForEvents(1, &c->early);
}

int ecl_cl_end_early(struct run *run) {
    struct cl_state *c = run->impl;
    if (!c->early) return 0;
    clReleaseEvent(c->early);
    c->early = NULL;
    return 1;
}

static int fetch_rows(
    struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = run->system.real_size;
    const cl_int cl = clEnqueueReadBuffer(
        c->second, c->now, CL_TRUE, (size_t)first * size, (size_t)count * size, y, 0, NULL, NULL);
    return cl ? ecl_cl_fail(error, cl, "reading rows of a window") : EULERCL_OK;
}

static int put_rows(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = run->system.real_size;
    cl_event written;
    cl_int cl = clEnqueueWriteBuffer(c->second, c->now, CL_FALSE, (size_t)first * size,
        (size_t)count * size, y, 0, NULL, &written);
    if (!cl) {
        /* The queue is in order. In PoCL 3.1 a barrier with this list does not hold up launches. */
        cl = clEnqueueMarkerWithWaitList(c->runtime.queue, 1, &written, NULL);
        clReleaseEvent(written);
    }
    if (!cl) cl = clFlush(c->second);
    if (cl) clFinish(c->second); /* the memory may be freed now */
    return cl ? ecl_cl_fail(error, cl, "writing ghost rows of a window") : EULERCL_OK;
}

const struct early_table ecl_cl_early = {fetch_rows, put_rows};

/* Through memory that the device can reach, so that nothing waits before all is under way. */
static int gather(
    struct run *run, const struct state_part *parts, int64_t count, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = run->system.real_size;
    int status = c->gathered.memory ? EULERCL_OK
                                    : ecl_cl_stage(&c->runtime, GATHER_BYTES, &c->gathered, error);
    char *const memory = c->gathered.memory;
    for (int64_t begin = 0, end = 0; !status && begin < count; begin = end) {
        cl_int cl = CL_SUCCESS;
        size_t used = 0, bytes;
        for (; !cl && end < count; end++, used += bytes) {
            bytes = (size_t)parts[end].count * size;
            if (bytes > GATHER_BYTES - used) break;
            cl = clEnqueueReadBuffer(c->runtime.queue, c->now, CL_FALSE,
                (size_t)parts[end].first * size, bytes, memory + used, 0, NULL, NULL);
        }
        const cl_int finished = clFinish(c->runtime.queue);
        if (!cl) cl = finished;
        if (cl) return ecl_cl_fail(error, cl, "reading the state");
        used = 0;
        for (int64_t i = begin; i < end; i++, used += bytes) {
            bytes = (size_t)parts[i].count * size;
            memcpy(parts[i].y, memory + used, bytes);
        }
        if (end == begin) { /* a large one */
            status = ecl_cl_read(run, parts[end].first, parts[end].count, parts[end].y, error);
            end++;
        }
    }
    return status;
}

int64_t ecl_cl_find_on_host = FIND_ON_HOST;

/* -> group: the first part of the state that holds inf or NaN, or the number of parts */
static int find_group(struct run *run, size_t *group, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    const size_t groups = (size_t)(s->n / c->find_share + (s->n % c->find_share != 0)),
                 items = groups * c->find_workgroup;
    cl_int found[CHECK_GROUPS];
    const cl_int zero = 0;
    cl_int cl = clEnqueueFillBuffer(
        c->runtime.queue, c->found, &zero, sizeof zero, 0, sizeof found, 0, NULL, NULL);
    if (!cl) cl = clSetKernelArg(c->find, 0, sizeof c->now, &c->now);
    if (!cl)
        cl = clEnqueueNDRangeKernel(
            c->runtime.queue, c->find, 1, NULL, &items, &c->find_workgroup, 0, NULL, NULL);
    if (!cl)
        cl = clEnqueueReadBuffer(
            c->runtime.queue, c->found, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL);
    if (cl) return ecl_cl_fail(error, cl, "the search for inf and NaN");
    *group = 0;
    while (*group < groups && !found[*group]) ++*group;
    return EULERCL_OK;
}

/* The device marks the parts that hold one; the host reads the first such part and finds the
 * component. The host reads a small state at once, which spares drivers that compile kernels one by
 * one the compiling of the search. */
int ecl_cl_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    int64_t begin = 0, end = s->n;
    int status = EULERCL_OK;
    if (s->n > ecl_cl_find_on_host) {
        size_t group = 0;
        status = find_group(run, &group, error);
        const int64_t before = (int64_t)group * c->find_share;
        begin = before < s->n ? before : s->n;
        end = s->n - begin < c->find_share ? s->n : begin + c->find_share;
    }
    *component = -1;
    if (status || begin == end) return status;
    char *chunk = ecl_mem_zeroed(CHECK_CHUNK, s->real_size);
    if (!chunk) return ecl_no_memory(error, "a part of the state");
    for (int64_t first = begin; !status && *component < 0 && first < end; first += CHECK_CHUNK) {
        const int64_t count = end - first < CHECK_CHUNK ? end - first : CHECK_CHUNK;
        status = ecl_cl_read(run, first, count, chunk, error);
        const int64_t at = status ? -1 : ecl_first_nonfinite(chunk, count, s->real_size);
        if (at >= 0) *component = first + at;
    }
    ecl_mem_free(chunk);
    return status;
}

static int borrow(struct run *run, void **cl_mem_state, eulercl_error *error) {
    (void)error;
    struct cl_state *c = run->impl;
    c->is_borrowed = 1;
    *cl_mem_state = c->now;
    return EULERCL_OK;
}

static int pin(struct run *run, uint64_t bytes, struct pinned *pinned, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    struct cl_staging staging;
    const int status = ecl_cl_stage_at(&c->runtime, pinned->memory, bytes, &staging, error);
    if (!status) *pinned = (struct pinned){staging.memory, staging.buffer};
    return status;
}

static void unpin(struct run *run, struct pinned *pinned) {
    const struct cl_state *c = run->impl;
    struct cl_staging staging = {.buffer = pinned->handle, .memory = pinned->memory};
    ecl_cl_unstage(&c->runtime, &staging);
    *pinned = (struct pinned){0};
}

const struct memory_table ecl_cl_memory = {
    .gather = gather, .borrow = borrow, .pin = pin, .unpin = unpin};
