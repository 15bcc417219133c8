/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.h - statistics over the state, the same bits on every backend: this file fixes the order
 * of all sums, which depends only on n and the components of a point. */
#ifndef EULERCL_MONITOR_H
#define EULERCL_MONITOR_H
#include "backend.h"

/* Of some values. */
enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, STATISTICS };

/* Part p is the `share` components from first + p * share on (the last part is shorter). Its
 * accumulator l sums every accumulators-th component, from first + p * share + l on. Then
 * accumulator l + accumulators / 2 is added to accumulator l, and so on by halves, until one
 * accumulator per component of a point is left. Then part after part is added. The kernel does the
 * same. */
struct monitor_plan {
    int64_t components, accumulators, share, parts; /* accumulators: components times a power of
                                                       two; share: a multiple of accumulators */
    int64_t first, end; /* the components of a run that the parts are made of: all, or of a window
                           those that make whole parts */
};

/* monitor.c: compute one part on the host: begin; add its components in order, any number of rows
 * of accumulators at a time (only the last row may be shorter); finish. `accumulators` has room for
 * plan->accumulators * STATISTICS; statistics[c * STATISTICS + statistic] is the result. */
void ecl_monitor_begin(const struct monitor_plan *plan, double *accumulators);
void ecl_monitor_add(const struct monitor_plan *plan, double *accumulators, const void *y,
    int64_t count, size_t real_size);
void ecl_monitor_finish(const struct monitor_plan *plan, double *accumulators, double *statistics);

/* The statistics of all parts, by the backend, or else by the host, which reads them. */
int ecl_monitor_parts(struct run *run, const struct state_table *state,
    const struct monitor_plan *plan, double *parts, eulercl_error *error);
int ecl_monitor_read(struct run *run, const struct state_table *state,
    const struct monitor_plan *plan, double *parts, eulercl_error *error);

/* eulercl_monitor, for state.c. */
int ecl_monitor_state(struct run *run, const struct state_table *state,
    const eulercl_statistic *wanted, size_t count, double *values, eulercl_error *error);
#endif
