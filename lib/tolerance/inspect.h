/* SPDX-License-Identifier: BSD-2-Clause */
/* inspect.h - how large a state, its derivatives and their changes are beside a tolerance, at some
 * places: for the first step size and the choice of a method. */
#ifndef EULERCL_INSPECT_H
#define EULERCL_INSPECT_H
#include "../problem/system.h"

/* The greatest ratios to the weights atol + rtol |y|, at the places that were looked at. */
struct sizes {
    double y, rhs;      /* ratios of y and of f(t, y) */
    double change;      /* ratio of the change of f in an Euler step, divided by the step size */
    double mean_change; /* as `change`, of the means over neighbouring components of one kind */
    double h;           /* that step size, a rung of the ladder (control.h) of at most `span` */
    int64_t component;  /* the component that has `rhs`, if that was asked for */
    double *greatest;   /* greatest magnitude of each unknown, if that was asked for */
};
/* Errors: NONFINITE (the state, or the right-hand side), MEMORY, those of the source. */
int ecl_find_sizes(const struct system *system, const struct state_source *source, double t,
    double span, struct sizes *sizes, eulercl_error *error);
/* greatest[c], which is 0 or more before, becomes the greatest magnitude of unknown c at these
 * places, if that is greater. Errors: as above. */
int ecl_find_greatest(const struct system *system, const struct state_source *source,
    double *greatest, eulercl_error *error);
/* The greatest magnitude of a component of f(t, y), if none is above `most`; else that of one that
 * is. *component: where to look first; then the one that was found. It costs little while the first
 * one, or some at a few places, are above `most`, and else as much as the whole state. Errors: as
 * above. */
int ecl_find_derivative(const struct system *system, const struct state_source *source, double t,
    double most, int64_t *component, double *derivative, eulercl_error *error);
/* Look along the times of the steps that follow for the first jump of the right-hand side that
 * matters beside the tolerance, at some components and with the present state. *jump: the first
 * time behind it; INFINITY: none was found. Errors: MEMORY, those of the source. */
int ecl_find_jump(const struct system *system, const struct state_source *source,
    const struct batch *batch, double *jump, eulercl_error *error);
#endif
