/* SPDX-License-Identifier: BSD-2-Clause */
/* system.h - the right-hand side of a system and a level of its method, computed on the calling
 * thread: what every schedule and engine must agree with, and what the verifiers use. */
#ifndef EULERCL_SYSTEM_H
#define EULERCL_SYSTEM_H
#include "method.h"

/* The arrays of a state. */
struct state_arrays {
    char *now, *next; /* the state, and where the next level goes */
    char *carried;    /* the method's carried values, one array after the other, or NULL */
    int64_t stride;   /* reals from a carried array's beginning to the next one's */
};

/* An array that begins with component `first`. */
static inline char *eulercl_from_component(char *array, int64_t first, size_t real_size) {
    return (char *)((uintptr_t)array - (uintptr_t)first * real_size);
}

/* Whether component i of the state is a position; 0 if the problem does not say. */
int eulercl_is_position(const struct system *system, int64_t i);
/* f_i(t, y), by the plainest form of the right-hand side. */
double eulercl_system_component(const struct system *system, int64_t i, double t, const void *y);
/* dot[i] = f_i(t, y) for begin <= i < end. */
void eulercl_system_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t);
/* next[i] = level number `level` of a batch, from `now`, for begin <= i < end; the carried values
 * in place. */
void eulercl_system_level(const struct system *system, const struct state_arrays *arrays,
    int64_t begin, int64_t end, const struct batch *batch, int64_t level);
#endif
