/* SPDX-License-Identifier: BSD-2-Clause */
/* control.h - step sizes from the errors of steps. Nothing here depends on libm or on the order of
 * a sum, so that all hosts and backends make the same steps: see doc/design/tolerance.md. */
#ifndef EULERCL_CONTROL_H
#define EULERCL_CONTROL_H
#include "../internal.h"

/* Step sizes are rungs of a ladder, 2^(rung/8). */
enum { RUNGS = 8, LEAST_RUNG = -1020 * RUNGS, MOST_RUNG = 1020 * RUNGS };
double ecl_rung(int rung);
/* The highest rung that is not above x > 0; the lowest that is not below it. Those of numbers
 * beyond the ladder are its ends. */
int ecl_rung_below(double x);
int ecl_rung_above(double x);

struct controller; /* how a step size follows from errors */
/* The one with this name; NULL: the default. Errors: INVALID. */
int ecl_find_controller(
    const char *name, const struct controller **controller, eulercl_error *error);

const char *ecl_controller_of(const struct controller *controller); /* its name */

/* What a controller remembers. Logarithms are those to base 2, of errors as multiples of what is
 * aimed at. */
struct control {
    const struct controller *controller;
    int order;        /* errors are proportional to h to this power */
    int is_wary;      /* the right-hand side may jump in time: */
    double doubtless; /* then an error whose logarithm is below this means no jump */
    int is_first;     /* no steps have been accepted yet */
    int failures;     /* rounds in a row that were rejected, */
    int doubts;       /* of them, those whose error was small enough, but may be that of a jump */
    double failed;    /* the error of the last of them, */
    int failed_rung;  /* and its step size */
    double last, change; /* of the last accepted round: the logarithms of its error, and of the step
                            size that the controller wanted after it over its own; */
    int last_rung;       /* its step size */
};
/* log2 of the error of the last accepted round, as a multiple of the tolerance. */
double ecl_control_error(const struct control *control);
/* For errors of this order; is_wary: of equations that may jump in time. `unit` is the rounding
 * error of a real as a multiple of the tolerance. */
struct control ecl_control_begin(
    const struct controller *controller, int order, int is_wary, double unit);

/* Whether steps with this greatest ratio (ODE_RATIO_) are accurate enough. */
static inline int ecl_is_accurate(int32_t worst) { return worst <= 0; }
/* After a round of steps of the size of this rung whose greatest ratio (ODE_RATIO_) is `worst`: ->
 * by how many rungs the step size changes. *is_accepted: whether the steps are accurate enough; if
 * not, it falls. */
int ecl_control(
    struct control *control, int32_t worst, size_t real_size, int rung, int *is_accepted);
/* How many rungs the next step size is above this one, at most, however small the errors are. */
int ecl_control_rise(const struct control *control);
#endif
