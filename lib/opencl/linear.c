/* SPDX-License-Identifier: BSD-2-Clause */
/* linear.c - backend cl-linear: one kernel launch per level, two buffers (thesis of 2012,
 * ch. 5). */
#include "config.h"
#include "state.h"
#include "opencl/embedded.h"
#include "../problem/flush.h"
#include "../problem/system.h"
#include "../int.h"
#include "../mem.h"
#include "../machine/machine.h"
#include "../schedule/step.h"
#include <stdio.h>

/* Variants: their kernels, and the word that has a kernel compiled. */
static const char *const kernel_names[] = {"linear_vector", "linear_strided", "linear_chunked"};
static const char *const words[] = {"LINEAR_VECTOR", "LINEAR_STRIDED", "LINEAR_CHUNKED"};
enum { VECTOR, STRIDED, CHUNKED };

/* Of chunked: a fixed number of items, as in the thesis. The others have one item per unit. */
enum { GROUPS_PER_UNIT = 8 };

/* The components that an item computes together: LINEAR_UNIT in linear.cl. */
static int64_t unit_of(const struct system *s) {
    const int64_t point = ecl_system_point(s);
    return 4 % point == 0 && !s->reads_all ? 4 : point;
}

/* Indices go up to n, or to all carried values, plus a stride of all work-items' units. What is
   left open is chosen later (choose_items): work-groups to fit n, and at most
   machine_gpu.step_items in each. */
static int64_t largest_index(const eulercl_options *options, const struct system *system) {
    int64_t n = system->n, sum, stride = n;
    if (__builtin_mul_overflow(n, (int64_t)system->method->arrays, &n)) return INT64_MAX;
    const int64_t workgroup = TUNED_OR(options, workgroup_size, machine_gpu.step_items),
                  workgroups = TUNED(options, workgroups);
    if (workgroups && __builtin_mul_overflow(workgroups * workgroup, unit_of(system), &stride))
        return INT64_MAX;
    return __builtin_add_overflow(n, stride, &sum) ? INT64_MAX : sum;
}

static int source_of(const struct run *run, char **source, eulercl_error *error) {
    const struct method *m = run->system.method;
    char settings[80];
    const int used = snprintf(settings, sizeof settings, "#define %s\n", words[run->variant]);
    if (!ecl_is_plain(m))
        snprintf(settings + used, sizeof settings - (size_t)used, "#define STAGE_ARRAYS %d\n",
            m->arrays);
    const struct cl_program_text tiling = {.settings = settings,
        .has_no_windows = run->system.reads_all,
        .ending = &run->system,
        .texts = {CL_TEXT("stages.cl", stages), CL_TEXT("linear.cl", linear)}};
    return ecl_cl_source(&run->system, &run->options, largest_index(&run->options, &run->system),
        &tiling, source, error);
}

static void choose_groups(struct run *run, struct cl_state *c) {
    const struct system *const s = &run->system;
    const uint64_t useful_items =
        (uint64_t)int_ceil(s->n, run->variant == CHUNKED ? ecl_system_point(s) : unit_of(s));
    uint64_t groups = useful_items / c->workgroup + (useful_items % c->workgroup != 0);
    const uint64_t fixed = (uint64_t)c->runtime.info.compute_units * GROUPS_PER_UNIT;
    if (run->variant == CHUNKED && fixed && groups > fixed)
        groups = fixed; /* 0: the device does not say */
    if (groups > INT32_MAX) groups = INT32_MAX;
    c->groups = (size_t)TUNED_OR(&run->options, workgroups, (int64_t)groups);
}

/* Places of the arguments of every kernel in linear.cl. */
enum { IN, OUT, N, EXTENTS, T, H, CONSTANTS, FIELDS, STAGE, CARRIED };
/* The last one, if there is something to flush. */
static cl_uint place_of_flush(const struct method *m) {
    return ecl_is_plain(m) ? STAGE : CARRIED + 1;
}

/* If errors are compared: whether they are after this level, and the other arguments for it. */
static cl_uint place_of_errors(const struct system *s) {
    return place_of_flush(s->method) + (s->flush.reals != NULL);
}

/* All arguments of the kernel that stay the same from batch to batch. */
static cl_int set_arguments(const struct run *run) {
    const struct cl_state *c = run->impl;
    const struct system *s = &run->system;
    cl_int cl = ecl_cl_set_index(c, c->kernel, N, s->n);
    if (!cl) cl = ecl_cl_set_axes(c, c->kernel, EXTENTS, s->context.grid.extents);
    if (!cl) cl = clSetKernelArg(c->kernel, CONSTANTS, c->constants_bytes, s->constants);
    return cl ? cl : clSetKernelArg(c->kernel, FIELDS, sizeof c->fields, &c->fields);
}

/* Make the buffers that a method needs beside the program. */
static int make_buffers(struct run *run, eulercl_error *error) {
    if (ecl_is_plain(run->system.method)) return EULERCL_OK;
    const int status = ecl_cl_make_errors(run, error);
    return status ? status : ecl_cl_make_carried(run, error);
}

static int prepare(struct run *run, struct cl_state *c, eulercl_error *error) {
    int status = ecl_cl_check_device(run, error);
    if (!status) status = source_of(run, &c->source, error);
    if (status) return status;
    c->largest_index = largest_index(&run->options, &run->system);
    status = ecl_cl_prepare(run, c->source, kernel_names[run->variant], error);
    if (!status)
        status = ecl_cl_choose_workgroup(run, (uint64_t)TUNED(&run->options, workgroup_size),
            (size_t)machine_gpu.step_items, error);
    if (status) return status;
    choose_groups(run, c);
    c->set_arguments = set_arguments;
    status = make_buffers(run, error);
    if (status) return status;
    const cl_int cl = set_arguments(run);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

/* The program depends on the number of arrays and on which of them has the estimate. Buffers that
 * have grown do no harm if the rest fails. */
static int change_method(struct run *run, eulercl_error *error) {
    char *source;
    int status = make_buffers(run, error);
    if (!status) status = source_of(run, &source, error);
    return status ? status
                  : ecl_cl_change_program(run, source, kernel_names[run->variant],
                        largest_index(&run->options, &run->system), set_arguments, error);
}

static int move(struct run *run, eulercl_error *error) {
    return ecl_cl_move(run, change_method, set_arguments, error);
}

static int create(struct run *run, eulercl_error *error) {
    struct cl_state *c = ecl_mem_zeroed(1, sizeof *c);
    if (!c) return ecl_no_memory(error, "a solver");
    int status = ecl_cl_open(&c->runtime, &run->options, error);
    if (status) {
        ecl_mem_free(c);
        return status;
    }
    run->impl = c;
    status = prepare(run, c, error);
    if (status) ecl_cl_destroy(run);
    return status;
}

static cl_int set_level(const struct run *run, const struct batch *batch, int64_t level) {
    const struct cl_state *c = run->impl;
    const struct method *m = run->system.method;
    const size_t size = run->system.real_size;
    union ecl_stage stage;
    cl_int cl = ecl_cl_set_instant(run, c->kernel, T, batch, level);
    if (!cl) cl = ecl_cl_set_real(run, c->kernel, H, batch->h * m->table[level % m->stages].b[0]);
    const cl_int is_flushed = ecl_is_flushed(&run->system, batch, level);
    if (!cl && run->system.flush.reals)
        cl = clSetKernelArg(c->kernel, place_of_flush(m), sizeof is_flushed, &is_flushed);
    const cl_int is_due = (level + 1) % m->stages == 0;
    if (!cl && m->estimate)
        cl = clSetKernelArg(c->kernel, place_of_errors(&run->system), sizeof is_due, &is_due);
    if (cl || ecl_is_plain(m)) return cl;
    ecl_stage_of(m, level, batch->h, size, &stage);
    return clSetKernelArg(
        c->kernel, STAGE, size == sizeof(float) ? sizeof stage.f32 : sizeof stage.f64, &stage);
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t items = c->groups * c->workgroup;
    const int64_t levels = batch->steps * run->system.method->stages;
    cl_int cl = clFinish(c->runtime.queue);
    const double start = ecl_now();
    if (!cl && !ecl_is_plain(run->system.method))
        cl = clSetKernelArg(c->kernel, CARRIED, sizeof c->carried, &c->carried);
    if (!cl) cl = ecl_cl_begin_errors(run);
    if (!cl) cl = ecl_cl_set_errors(run, c->kernel, place_of_errors(&run->system) + 1);
    for (int64_t level = 0; !cl && level < levels; level++) {
        cl = set_level(run, batch, level);
        if (!cl) cl = clSetKernelArg(c->kernel, IN, sizeof c->now, &c->now);
        if (!cl) cl = clSetKernelArg(c->kernel, OUT, sizeof c->next, &c->next);
        if (!cl) cl = ecl_cl_launch(run, c->kernel, 1, &items, &c->workgroup);
        if (cl) break;
        cl_mem next = c->now;
        c->now = c->next;
        c->next = next;
        c->global_bytes += 2 * (uint64_t)run->system.method->arrays * run->system.state_bytes;
    }
    if (!cl) cl = ecl_cl_read_errors(run);
    cl = ecl_cl_finish(run, cl, start, seconds);
    return cl ? ecl_cl_fail(error, cl, "running a step") : EULERCL_OK;
}

static const struct step_table steps = {step, change_method};
static const struct slot_table slot = {move, ecl_cl_fill, ecl_cl_fetch, ecl_cl_swap, ecl_cl_swap};

const struct backend ecl_backend_cl_linear = {
    .create = create,
    .destroy = ecl_cl_destroy,
    .propose = ecl_step_propose_device,
    .source = source_of,
    .facts = ecl_cl_facts,
    .state = &ecl_cl_state,
    .steps = &steps,
    .copies = &ecl_cl_copies,
    .slot = &slot,
    .memory = &ecl_cl_memory,
};
