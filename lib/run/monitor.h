/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.h - statistics over the state, as a reduction. */
#ifndef EULERCL_MONITOR_H
#define EULERCL_MONITOR_H
#include "reduce.h"

/* Of some values. */
enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, STATISTICS };

/* A part has `unit` accumulators, components times a power of two. Accumulator l sums every unit-th
 * component of the part, from number l on. Then accumulator l + unit / 2 is added to accumulator l,
 * and so on by halves, until one accumulator per component of a point is left. The kernel does the
 * same. numbers[c * STATISTICS + statistic] is the result. */
extern const struct reducer ecl_statistics;

/* eulercl_monitor, for state.c. */
int ecl_monitor_state(struct run *run, const struct state_table *state,
    const eulercl_statistic *wanted, size_t count, double *values, eulercl_error *error);
#endif
