/* SPDX-License-Identifier: BSD-2-Clause */
/* state.c - see cpu/state.h. */
#include "config.h"
#include "state.h"
#include "cores.h"
#include "../mem.h"
#include "../run/reduce.h"
#include "../reals.h"
#include <string.h>

enum { PAGE = 4096 };

/* Both arrays are one allocation, in which they are offset by half a page: a store and a load whose
 * addresses agree in the last 12 bits wait for each other. */
static uint64_t offset_of_second(uint64_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE + PAGE / 2;
}

int ecl_cpu_state_create(struct run *run, struct state_arrays *state, eulercl_error *error) {
    const uint64_t bytes = run->system.state_bytes, stride = offset_of_second(bytes);
    void *both;
    const int status = ecl_mem_state(stride + bytes, "the pair of states", &both, error);
    if (status) return status;
    state->now = both;
    state->next = state->now + stride;
    run->report.device_bytes = 2 * bytes + run->system.field_bytes;
    run->report.memory_bytes = ecl_mem_machine();
    ecl_cpu_name(run->report.device, sizeof run->report.device);
    return EULERCL_OK;
}

int ecl_cpu_carried_create(struct run *run, struct state_arrays *state, eulercl_error *error) {
    uint64_t bytes;
    void *carried = NULL;
    int status = ecl_carried_bytes(&run->system, &bytes, error);
    if (status || bytes <= state->carried_bytes) return status;
    status = ecl_mem_state(bytes, "the method's carried values", &carried, error);
    if (status) return status;
    ecl_mem_free(state->carried);
    run->report.device_bytes += bytes - state->carried_bytes;
    state->carried = carried;
    state->carried_bytes = bytes;
    state->stride = run->system.n;
    return EULERCL_OK;
}

void ecl_cpu_state_destroy(const struct run *run, struct state_arrays *state) {
    const uint64_t bytes = run->system.state_bytes;
    if (state->now)
        ecl_mem_spare(
            state->now < state->next ? state->now : state->next, offset_of_second(bytes) + bytes);
    ecl_mem_free(state->carried);
    state->now = state->next = state->carried = NULL;
}

void ecl_cpu_swap(struct state_arrays *state) {
    char *next = state->now;
    state->now = state->next;
    state->next = next;
}

int ecl_cpu_write_state(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    (void)error;
    struct state_arrays *state = run->impl;
    memcpy(state->now + (size_t)first * run->system.real_size, y,
        (size_t)count * run->system.real_size);
    return EULERCL_OK;
}

int ecl_cpu_read_state(
    struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    (void)error;
    const struct state_arrays *state = run->impl;
    memcpy(y, state->now + (size_t)first * run->system.real_size,
        (size_t)count * run->system.real_size);
    return EULERCL_OK;
}

int ecl_cpu_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    (void)error;
    const struct state_arrays *state = run->impl;
    *component = ecl_first_nonfinite(state->now, run->system.n, run->system.real_size);
    return EULERCL_OK;
}

static int reduce(
    struct run *run, const struct reduction *reduction, double *numbers, eulercl_error *error) {
    const struct state_arrays *state = run->impl;
    return ecl_reduce_here(reduction, state->now, numbers, error);
}

const struct state_table ecl_cpu_state = {.write = ecl_cpu_write_state,
    .read = ecl_cpu_read_state,
    .find_nonfinite = ecl_cpu_find_nonfinite,
    .reduce = reduce};

/* ---- copies: a third array ---- */

struct cpu_snapshot {
    void *y;
    uint64_t bytes;
    size_t real_size;
};

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    const uint64_t bytes = run->system.state_bytes;
    (void)is_read;
    /* Snapshots work without the copy, so they leave memory free: they must not push a run that
     * fits into swap. */
    if (3 * (double)bytes + (double)run->system.field_bytes > ecl_mem_machine() / 2)
        return ecl_fail(error, EULERCL_MEMORY,
            "with a copy of the state the run would take %.4g MB, more than half of this machine's "
            "%.4g MB",
            3e-6 * (double)bytes + 1e-6 * (double)run->system.field_bytes,
            1e-6 * ecl_mem_machine());
    struct cpu_snapshot *s = ecl_mem_zeroed(1, sizeof *s);
    if (!s) return ecl_no_memory(error, "a snapshot");
    s->bytes = bytes;
    s->real_size = run->system.real_size;
    const int status = ecl_mem_state(bytes, "a copy of the state", &s->y, error);
    if (status)
        ecl_mem_free(s);
    else
        *copy = s;
    return status;
}

static void destroy_copy(void *copy) {
    struct cpu_snapshot *s = copy;
    ecl_mem_spare(s->y, s->bytes);
    ecl_mem_free(s);
}

static int take_copy(struct run *run, void *copy, eulercl_error *error) {
    (void)error;
    const struct state_arrays *state = run->impl;
    memcpy(((struct cpu_snapshot *)copy)->y, state->now, (size_t)run->system.state_bytes);
    return EULERCL_OK;
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    (void)error;
    const struct state_arrays *state = run->impl;
    memcpy(state->now, ((struct cpu_snapshot *)copy)->y, (size_t)run->system.state_bytes);
    return EULERCL_OK;
}

static int part_of_copy(
    void *copy, int64_t first, int64_t count, const void **y, eulercl_error *error) {
    (void)count, (void)error;
    const struct cpu_snapshot *s = copy;
    *y = (const char *)s->y + (size_t)first * s->real_size;
    return EULERCL_OK;
}

static int fill_copy(
    void *copy, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    (void)error;
    const struct cpu_snapshot *s = copy;
    memcpy((char *)s->y + (size_t)first * s->real_size, y, (size_t)count * s->real_size);
    return EULERCL_OK;
}

static int fetch_copy(void *copy, int64_t first, int64_t count, void *y, eulercl_error *error) {
    (void)error;
    const struct cpu_snapshot *s = copy;
    memcpy(y, (const char *)s->y + (size_t)first * s->real_size, (size_t)count * s->real_size);
    return EULERCL_OK;
}

const struct copy_table ecl_cpu_copies = {.create = create_copy,
    .take = take_copy,
    .restore = restore_copy,
    .part = part_of_copy,
    .destroy = destroy_copy};

/* Steps look for the place of the window themselves. */
static int move(struct run *run, eulercl_error *error) {
    (void)run, (void)error;
    return EULERCL_OK;
}

const struct slot_table ecl_cpu_slot = {.move = move,
    .fill = fill_copy,
    .fetch = fetch_copy,
    .enter = restore_copy,
    .leave = take_copy};
