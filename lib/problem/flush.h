/* SPDX-License-Identifier: BSD-2-Clause */
/* flush.h - tiny values: the solution becomes 0 where its magnitude is below a threshold, after
 * fixed steps (eulercl/detail/ode_update.h). */
#ifndef EULERCL_FLUSH_H
#define EULERCL_FLUSH_H
#include "../method/method.h"

/* A finite number >= 0, also in that precision. */
int ecl_is_threshold(double below, size_t real_size);
/* Make the thresholds of the options, or of the problem, those of the system. Errors: INVALID,
 * MEMORY. */
int ecl_settle_flush(const eulercl_problem *problem, const eulercl_options *options,
    struct system *system, eulercl_error *error);

/* Whether both problems have the same thresholds. */
int ecl_flushes_alike(const eulercl_problem *a, const eulercl_problem *b);

/* The levels from one flush to the next, and those since the last one when a batch begins: a level
 * of the batch, counted from 1, is flushed if the sum of the number and these is a multiple of
 * those. */
static inline int64_t ecl_flush_levels(const struct method *method) {
    return (int64_t)method->stages * ODE_FLUSH_STEPS_(method->stages);
}
static inline int64_t ecl_levels_since_flush(
    const struct method *method, const struct batch *batch) {
    return batch->first_step % ODE_FLUSH_STEPS_(method->stages) * method->stages;
}
/* How many levels from `level` on end with one that is flushed, or at most `most`. */
static inline int64_t ecl_levels_until_flush(
    const struct system *s, const struct batch *batch, int64_t level, int64_t most) {
    if (!s->flush.reals) return most;
    const int64_t period = ecl_flush_levels(s->method),
                  left = period - (ecl_levels_since_flush(s->method, batch) + level) % period;
    return left < most ? left : most;
}
/* Whether a level, counted from 0, is flushed. */
static inline int ecl_is_flushed(
    const struct system *system, const struct batch *batch, int64_t level) {
    return system->flush.reals && (ecl_levels_since_flush(system->method, batch) + level + 1) %
                                          ecl_flush_levels(system->method) ==
                                      0;
}

/* Flush the components begin <= i < end of a state whose level is flushed. */
void ecl_flush(const struct system *system, void *y, int64_t begin, int64_t end);
/* Flush a row in lanes, positions 0 .. points-1. */
void ecl_flush_lanes(const struct system *system, void *u, int64_t points);
#endif
