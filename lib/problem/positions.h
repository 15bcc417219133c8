/* SPDX-License-Identifier: BSD-2-Clause */
/* positions.h - checks what partitioned methods rely on: the derivatives of positions read only
 * velocities, and those of velocities read only positions. They may read any points, because a
 * stage that replaces some components is a level like any other: its points read their whole
 * stencil of the level before, and it hands on the other components as they are. */
#ifndef EULERCL_POSITIONS_H
#define EULERCL_POSITIONS_H
#include "system.h"

/* The components of a state that are changed before derivatives are compared with those of the
 * unchanged state. */
enum position_change { CHANGE_POSITIONS, CHANGE_VELOCITIES, POSITION_CHANGES };

/* changed = y with all positions, or all velocities, changed at random by up to `size`. */
void ecl_change_positions(const struct system *system, enum position_change change, double size,
    const void *y, void *changed);

/* A derivative that reads what it must not read: which, and its values in both states. */
struct misread {
    int64_t component;
    double before, after;
    const char *what; /* "the derivative of a position reads a position" */
};
/* Whether the derivative of component i is as ODE_POSITION says; else *misread. */
int ecl_reads_as_declared(const struct system *system, enum position_change change, int64_t i,
    double t, const void *y, const void *changed, struct misread *misread);

/* Verify some components near the beginning, the middle and the end of the system, in a time that
 * does not depend on n if the access distance is short. Errors: UNSUPPORTED (a component is not as
 * declared), MEMORY. */
int ecl_verify_positions(
    const eulercl_problem *problem, const struct system *system, double t, eulercl_error *error);
#endif
