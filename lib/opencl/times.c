/* SPDX-License-Identifier: BSD-2-Clause */
/* times.c - what kernels get of the time: the instants of levels, in a table or as an argument. */
#include "config.h"
#include "state.h"
#include "../mem.h"
#include "../problem/system.h"
#include "../reals.h"

/* Reals of a moment, and of an instant: see words.cl. */
static size_t moment_reals(const struct run *run) {
    const struct cl_state *c = run->impl;
    return (size_t)(1 + c->factors.count);
}
static size_t instant_reals(const struct run *run) {
    const size_t moment = moment_reals(run);
    return run->system.has_stage_values ? moment + ODE_STEP_POINTS + ODE_STEP_POINTS * moment
                                        : moment;
}
enum {
    MOST_MOMENT = 1 + MOST_TIME_FACTORS,
    MOST_INSTANT = MOST_MOMENT + ODE_STEP_POINTS + ODE_STEP_POINTS * MOST_MOMENT
};
static size_t instant_bytes(const struct run *run) {
    return instant_reals(run) * run->system.real_size;
}

static void write_instant(
    const struct run *run, const struct batch *batch, int64_t level, void *instant) {
    const struct cl_state *c = run->impl;
    const struct system *const s = &run->system;
    const struct ode_instant t = ecl_level_instant(s, batch, level);
    const size_t moment = moment_reals(run), size = s->real_size;
    char *at = instant;
    ecl_set_moment(&c->factors, s->constants, size, t.t, at);
    if (!s->has_stage_values) return;
    at += moment * size;
    real_set(at, 0, size, t.is_weighted);
    for (int k = 1; k < ODE_STEP_POINTS; k++) real_set(at, k, size, t.weights[k - 1]);
    at += ODE_STEP_POINTS * size;
    for (int k = 0; k < (t.is_weighted ? ODE_STEP_POINTS : 1); k++, at += moment * size)
        ecl_set_moment(&c->factors, s->constants, size, t.times[k], at);
}

int ecl_cl_make_times(struct run *run, int is_read, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = instant_bytes(run);
    const int status = ecl_cl_buffer(
        &c->runtime, (is_read ? TABLE_LEVELS : 1) * size, "the table of times", &c->times, error);
    if (status || !is_read) return status;
    c->table = ecl_mem_zeroed(TABLE_LEVELS, size);
    return c->table ? EULERCL_OK : ecl_no_memory(error, "the table of times");
}

cl_int ecl_cl_write_times(
    struct run *run, const struct batch *batch, int64_t begin, int64_t levels) {
    const struct cl_state *c = run->impl;
    const size_t size = instant_bytes(run);
    if (!c->table) return CL_SUCCESS;
    for (int64_t k = 0; k < levels; k++)
        write_instant(run, batch, begin + k, c->table + (size_t)k * size);
    return clEnqueueWriteBuffer(
        c->runtime.queue, c->times, CL_TRUE, 0, (size_t)levels * size, c->table, 0, NULL, NULL);
}

cl_int ecl_cl_set_instant(const struct run *run, cl_kernel kernel, cl_uint place,
    const struct batch *batch, int64_t level) {
    double instant[MOST_INSTANT] = {0}; /* reals */
    write_instant(run, batch, level, instant);
    return clSetKernelArg(kernel, place, instant_bytes(run), instant);
}
