/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoints.h - times at which the right-hand side may jump: steps end there. */
#ifndef EULERCL_BREAKPOINTS_H
#define EULERCL_BREAKPOINTS_H
#include "../method/method.h"

/* Times in ascending order, each once. */
struct breakpoints {
    double *times;
    int64_t count;
};
/* Collect the breakpoints of the options and of the problem; free them by ecl_mem_free(times).
 * Errors: INVALID (a time that is not finite), MEMORY. */
int ecl_find_breakpoints(const eulercl_problem *problem, const eulercl_options *options,
    struct breakpoints *breakpoints, eulercl_error *error);
/* Add one, unless it is there. Errors: MEMORY. */
int ecl_add_breakpoint(struct breakpoints *breakpoints, double t, eulercl_error *error);
/* The first breakpoint after t, or INFINITY. */
double ecl_next_breakpoint(const struct breakpoints *breakpoints, double t);
int ecl_is_breakpoint(const struct breakpoints *breakpoints, double t);
/* The times at which steps from t on may evaluate a right-hand side of that precision: neither the
 * breakpoints around them nor times so close that they may be rounded to these, because a jump
 * belongs to one side of them, and the library does not know to which. */
struct time_range ecl_time_range(const struct breakpoints *breakpoints, double t, size_t real_size);
#endif
