/* control.h - step sizes from the errors of steps. Nothing here depends on libm or on the order of
 * a sum, so that all hosts and backends make the same steps: see doc/design/tolerance.md.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef EULERCL_CONTROL_H
#define EULERCL_CONTROL_H
#include "internal.h"

/* Step sizes are rungs of a ladder, 2^(rung/8). */
enum { RUNGS = 8, LEAST_RUNG = -1000 * RUNGS, MOST_RUNG = 1000 * RUNGS };
double eulercl_rung(int rung);
/* The highest rung that is not above x > 0; the lowest that is not below it. */
int eulercl_rung_below(double x);
int eulercl_rung_above(double x);

struct controller; /* how a step size follows from errors */
/* The one with this name; NULL: the default. Errors: INVALID. */
int eulercl_find_controller(
    const char *name, const struct controller **controller, eulercl_error *error);

const char *eulercl_controller_of(const struct controller *controller); /* its name */

/* What a controller remembers. */
struct control {
    const struct controller *controller;
    int order;           /* errors are proportional to h to this power */
    int is_first;        /* no steps have been accepted yet */
    int failures;        /* rounds in a row that were rejected */
    double last, change; /* of the last accepted round: log2 of its error, as a multiple of what is
                            aimed at; log2 of the step size that the controller wanted after it
                            over its own */
};
/* log2 of the error of the last accepted round, as a multiple of the tolerance. */
double eulercl_control_error(const struct control *control);
struct control eulercl_control_begin(const struct controller *controller, int order);

/* Whether steps with this greatest ratio (ODE_RATIO_) are accurate enough. */
static inline int eulercl_is_accurate(int32_t worst) { return worst <= 0; }
/* By how many rungs the step size changes after a round of steps with this greatest ratio: less
 * than 0 if they were not accurate enough. */
int eulercl_control(struct control *control, int32_t worst, size_t real_size);
#endif
