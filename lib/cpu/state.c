/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/state.c - see cpu/state.h. */
#include "config.h"
#include "state.h"
#include "../mem.h"
#include "../monitor.h"
#include <stdio.h>
#include <string.h>

enum { PAGE = 4096 };

void eulercl_cpu_name(char *name, size_t size) {
    snprintf(name, size, "CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], value[200];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", value) == 1) {
            snprintf(name, size, "%s", value);
            break;
        }
    if (file) fclose(file);
}

int eulercl_cpu_state_create(struct run *run, struct cpu_state *state, eulercl_error *error) {
    const uint64_t bytes = run->system.state_bytes;
    uint64_t carried_bytes;
    void *both, *carried = NULL;
    int status = eulercl_carried_bytes(&run->system, &carried_bytes, error);
    if (!status && carried_bytes)
        status =
            eulercl_mem_state(carried_bytes, "the values that the method carries", &carried, error);
    if (status) return status;
    state->carried = carried;
    /* One allocation, the second array half a page further than the first within its page: a store
       and a load whose addresses agree in the last 12 bits wait for each other (measured: up to 20
       % at n = 80,000). */
    const uint64_t stride = (bytes + PAGE - 1) / PAGE * PAGE + PAGE / 2;
    status = eulercl_mem_state(stride + bytes, "the pair of states", &both, error);
    if (status) {
        eulercl_cpu_state_destroy(state);
        return status;
    }
    state->now = both;
    state->next = state->now + stride;
    run->device_bytes = 2 * bytes + carried_bytes + run->system.field_bytes;
    run->memory_bytes = eulercl_mem_machine();
    eulercl_cpu_name(run->device, sizeof run->device);
    return EULERCL_OK;
}

void eulercl_cpu_state_destroy(struct cpu_state *state) {
    if (state->now) eulercl_mem_free(state->now < state->next ? state->now : state->next);
    eulercl_mem_free(state->carried);
    state->now = state->next = state->carried = NULL;
}

void eulercl_cpu_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t) {
    const struct ode_problem *d = system->definition;
    if (system->kernels)
        system->kernels->eval_range(&system->context, dot, y, begin, end, t);
    else if (system->real_size == sizeof(float)) /* a struct made by hand: one call per component */
        for (int64_t i = begin; i < end; i++)
            ((float *)dot)[i] = d->eval_comp_f32(&system->context, i, (float)t, y);
    else
        for (int64_t i = begin; i < end; i++)
            ((double *)dot)[i] = d->eval_comp_f64(&system->context, i, t, y);
}

/* `next` holds the derivatives and gets the new values. */
#define UPDATE_RANGE(NAME, VALUE)                                                         \
    static void update_range_##NAME(const ode_stage_##NAME *stage, int arrays, int64_t n, \
        VALUE *next, const VALUE *now, VALUE *carried, int64_t begin, int64_t end) {      \
        for (int64_t i = begin; i < end; i++) {                                           \
            VALUE x[ODE_MOST_ARRAYS] = {now[i]};                                          \
            for (int k = 1; k < arrays; k++) x[k] = carried[(k - 1) * n + i];             \
            ode_update_##NAME(stage, arrays, next[i], x);                                 \
            for (int k = 1; k < arrays; k++) carried[(k - 1) * n + i] = x[k];             \
            next[i] = x[0];                                                               \
        }                                                                                 \
    }
UPDATE_RANGE(f32, float)
UPDATE_RANGE(f64, double)

void eulercl_cpu_level(const struct system *system, const struct cpu_state *state, int64_t begin,
    int64_t end, const struct batch *batch, int64_t level) {
    const struct method *m = system->method;
    const double t = eulercl_level_time(m, batch, level);
    if (system->kernels && eulercl_is_plain(m)) {
        system->kernels->step_range(&system->context, state->next, state->now, begin, end, t,
            batch->h * m->table[level % m->stages].b[0]);
        return;
    }
    union eulercl_stage stage;
    eulercl_stage_of(m, level, batch->h, system->real_size, &stage);
    eulercl_cpu_eval(system, state->next, state->now, begin, end, t);
    if (system->real_size == sizeof(float))
        update_range_f32(&stage.f32, m->arrays, system->n, (float *)state->next,
            (const float *)state->now, (float *)state->carried, begin, end);
    else
        update_range_f64(&stage.f64, m->arrays, system->n, (double *)state->next,
            (const double *)state->now, (double *)state->carried, begin, end);
}

void eulercl_cpu_swap(struct cpu_state *state) {
    char *next = state->now;
    state->now = state->next;
    state->next = next;
}

int eulercl_cpu_write(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    (void)error;
    struct cpu_state *state = run->impl;
    memcpy(state->now + (size_t)first * run->system.real_size, y,
        (size_t)count * run->system.real_size);
    return EULERCL_OK;
}

int eulercl_cpu_read(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    (void)error;
    const struct cpu_state *state = run->impl;
    memcpy(y, state->now + (size_t)first * run->system.real_size,
        (size_t)count * run->system.real_size);
    return EULERCL_OK;
}

int eulercl_cpu_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    (void)error;
    const struct cpu_state *state = run->impl;
    *component = eulercl_first_nonfinite(state->now, run->system.n, run->system.real_size);
    return EULERCL_OK;
}

int eulercl_cpu_monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    const struct cpu_state *state = run->impl;
    const int64_t n = run->system.n;
    double *accumulators =
        eulercl_mem_zeroed((uint64_t)plan->accumulators * STATISTICS, sizeof *accumulators);
    if (!accumulators)
        return eulercl_fail(error, EULERCL_MEMORY, "no memory for the statistics of a part");
    for (int64_t p = 0; p < plan->parts; p++) {
        const int64_t first = p * plan->share,
                      count = n - first < plan->share ? n - first : plan->share;
        eulercl_monitor_begin(plan, accumulators);
        eulercl_monitor_add(plan, accumulators, state->now + (size_t)first * run->system.real_size,
            count, run->system.real_size);
        eulercl_monitor_finish(plan, accumulators, &parts[p * plan->components * STATISTICS]);
    }
    eulercl_mem_free(accumulators);
    return EULERCL_OK;
}

/* ---- copies: a third array ---- */

struct cpu_snapshot {
    void *y;
    size_t real_size;
};

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    const uint64_t bytes = run->system.state_bytes;
    (void)is_read;
    /* Snapshots can do without it, so they leave room: a run that fits shall not begin to swap for
     * them. */
    if (3 * (double)bytes + (double)run->system.field_bytes > eulercl_mem_machine() / 2)
        return eulercl_fail(error, EULERCL_MEMORY,
            "with a copy of the state the run would take %.4g MB, more than half of this machine's "
            "%.4g MB",
            3e-6 * (double)bytes + 1e-6 * (double)run->system.field_bytes,
            1e-6 * eulercl_mem_machine());
    struct cpu_snapshot *s = eulercl_mem_zeroed(1, sizeof *s);
    if (!s) return eulercl_fail(error, EULERCL_MEMORY, "no memory for a snapshot");
    s->real_size = run->system.real_size;
    const int status = eulercl_mem_state(bytes, "a copy of the state", &s->y, error);
    if (status)
        eulercl_mem_free(s);
    else
        *copy = s;
    return status;
}

static void destroy_copy(void *copy) {
    eulercl_mem_free(((struct cpu_snapshot *)copy)->y);
    eulercl_mem_free(copy);
}

static int take_copy(struct run *run, void *copy, eulercl_error *error) {
    (void)error;
    const struct cpu_state *state = run->impl;
    memcpy(((struct cpu_snapshot *)copy)->y, state->now, (size_t)run->system.state_bytes);
    return EULERCL_OK;
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    (void)error;
    const struct cpu_state *state = run->impl;
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

const struct copy_table eulercl_cpu_copies = {.create = create_copy,
    .take = take_copy,
    .restore = restore_copy,
    .part = part_of_copy,
    .destroy = destroy_copy};
