/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/state.h - the arrays that the CPU backends share, and one pass over a part of them. */
#ifndef EULERCL_CPU_STATE_H
#define EULERCL_CPU_STATE_H
#include "../backend.h"

struct cpu_state {
    char *now, *next; /* the state, and where the next level goes */
    char
        *carried; /* the method's carried values, an array of n reals after the other; NULL: none */
};

int eulercl_cpu_state_create(struct run *run, struct cpu_state *state, eulercl_error *error);
void eulercl_cpu_state_destroy(struct cpu_state *state);
/* next[i] = level number `level` of a batch, from `now`, for begin <= i < end; the carried values
 * in place */
void eulercl_cpu_level(const struct system *system, const struct cpu_state *state, int64_t begin,
    int64_t end, const struct batch *batch, int64_t level);
/* dot[i] = f_i(t, y) for begin <= i < end */
void eulercl_cpu_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t);
void eulercl_cpu_swap(struct cpu_state *state);
/* Of the processor. */
void eulercl_cpu_name(char *name, size_t size);

/* The vtable's transfers, for a backend whose impl begins with a struct cpu_state. */
int eulercl_cpu_write(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
int eulercl_cpu_read(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
int eulercl_cpu_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error);
int eulercl_cpu_monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error);
extern const struct copy_table eulercl_cpu_copies;
#endif
