/* SPDX-License-Identifier: BSD-2-Clause */
/* control.h - step sizes from the errors of steps. Nothing here depends on libm or on the order of
 * a sum, so that all hosts and backends make the same steps: see doc/design/tolerance.md. */
#ifndef EULERCL_CONTROL_H
#define EULERCL_CONTROL_H
#include "../internal.h"

/* Step sizes are rungs of a ladder, 2^(rung/8). */
enum { RUNGS = 8, LEAST_RUNG = -1020 * RUNGS, MOST_RUNG = 1020 * RUNGS };
double ecl_rung(int rung);
/* The highest rung that is not above x > 0, and the lowest that is not below it. Numbers beyond the
 * ladder have its ends. */
int ecl_rung_below(double x);
int ecl_rung_above(double x);

struct controller; /* how a step size follows from errors */
/* Find the controller with this name; NULL: the default. Errors: INVALID. */
int ecl_find_controller(
    const char *name, const struct controller **controller, eulercl_error *error);

const char *ecl_controller_of(const struct controller *controller); /* its name */

/* The memory of a controller. Logarithms are to base 2, of errors as multiples of the error that is
 * aimed at. */
struct control {
    const struct controller *controller;
    int order;        /* errors are proportional to h to this power */
    int is_wary;      /* the right-hand side may jump in time */
    double doubtless; /* if it may jump, an error whose logarithm is below this means no jump */
    int is_first;     /* no steps have been accepted yet */
    int failures;     /* rounds in a row that were rejected */
    int doubts;       /* those of them whose error was small enough, but may hide a jump */
    double failed;    /* the error of the last rejected round */
    int failed_rung;  /* the step size of the last rejected round */
    /* Logarithms of the error of the last accepted round, and of the ratio of the step size that
     * the controller chose after it to its own. */
    double last, change;
    int last_rung; /* the step size of the last accepted round */
};
/* log2 of the error of the last accepted round, as a multiple of the tolerance. */
double ecl_control_error(const struct control *control);
/* Begin to control errors of this order. is_wary: the equations may jump in time. `unit` is the
 * rounding error of a real as a multiple of the tolerance. */
struct control ecl_control_begin(
    const struct controller *controller, int order, int is_wary, double unit);

/* Whether steps with this greatest ratio (ODE_RATIO_) are accurate enough. */
static inline int ecl_is_accurate(int32_t worst) { return worst <= 0; }
/* Judge a round of steps of this rung whose greatest ratio (ODE_RATIO_) is `worst`. Returns the
 * number of rungs by which the step size changes. *is_accepted: the steps are accurate enough; if
 * not, the step size falls. */
int ecl_control(
    struct control *control, int32_t worst, size_t real_size, int rung, int *is_accepted);
/* How many rungs the next step size is above this one, at most, however small the errors are. */
int ecl_control_rise(const struct control *control);
#endif
