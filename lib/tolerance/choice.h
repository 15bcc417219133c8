/* SPDX-License-Identifier: BSD-2-Clause */
/* choice.h - the method that takes the least work for a tolerance: see doc/design/tolerance.md. */
#ifndef EULERCL_CHOICE_H
#define EULERCL_CHOICE_H
#include "../problem/system.h"

/* The choice of a method. */
struct choice {
    const struct method_family *family;
    int rung;        /* a step size that is expected to do (control.h) */
    int evaluations; /* of the right-hand side in such a step */
    double gain;     /* how much less work it is than with the last method; 1 if it is that */
    char reason[sizeof((struct system *)0)->why_method];
};
/* The last steps of a run: their method, their size, and log2 of their error as a multiple of the
 * tolerance. */
struct last_steps {
    const struct method_family *family;
    double h, error; /* h = 0: there were no steps */
};
/* Choose by a state at time t and the tolerance in `system`. last: NULL if the run has no method
 * yet. Errors: NONFINITE, MEMORY, those of the source. */
int ecl_choose_method(const struct system *system, const struct state_source *source, double t,
    const struct last_steps *last, struct choice *choice, eulercl_error *error);
/* Choose by the problem's initial state; without one, take a method for any problem. */
int ecl_choose_first_method(const eulercl_problem *problem, const struct system *system, double t,
    struct choice *choice, eulercl_error *error);
#endif
