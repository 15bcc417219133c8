/* choice.h - the method that takes the least work for a tolerance: see doc/design/tolerance.md.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef EULERCL_CHOICE_H
#define EULERCL_CHOICE_H
#include "system.h"

/* What was chosen. */
struct choice {
    const struct method_family *family;
    int rung;    /* a step size that is expected to do (control.h) */
    double gain; /* how much less work it is than with the method `present`; 1 if it is that */
    char reason[sizeof((struct system *)0)->why_method];
};
/* Choose by a state at time t and the tolerance in `system`. present: the method that the run has;
 * NULL: none yet. Errors: NONFINITE, MEMORY, those of the source. */
int eulercl_choose_method(const struct system *system, const struct state_source *source, double t,
    const struct method_family *present, struct choice *choice, eulercl_error *error);
/* The same by the problem's initial state; without one, a method for any problem. */
int eulercl_choose_first_method(const eulercl_problem *problem, const struct system *system,
    double t, struct choice *choice, eulercl_error *error);
#endif
