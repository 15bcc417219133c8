/* SPDX-License-Identifier: BSD-2-Clause */
/* states.h - states of any grid, and the kinds of backends that hold them, for tests of what is
 * computed from states. */
#ifndef TESTS_STATES_H
#define TESTS_STATES_H

#include "../support.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

struct grid_state {
    eulercl_problem *problem;
    const struct ode_problem *definition;
    eulercl_problem_info info;
    int64_t extents[3];
    int rings[3], rank;
    size_t size;
    void *y;
};

/* Open a problem, and make room for a state with reals of this size. `sizes`: of its parameters
 * that are whole numbers; NULL: at random. */
void open_grid_state(
    struct grid_state *s, const struct ode_problem *definition, size_t size, const int64_t *sizes);
void close_grid_state(struct grid_state *s);
/* Spots of one value, or values at random; wild: with some that are not finite. */
void fill_grid_state(struct grid_state *s, int wild);

int64_t grid_points(const struct grid_state *s);
void grid_place(const struct grid_state *s, int64_t point, int64_t place[3]);
/* The value at a place, round the rings; *is_there 0: there is no such point. */
double grid_value(
    const struct grid_state *s, int64_t component, const int64_t place[3], int *is_there);

/* Problems whose grids differ in axes, rings, and components. */
enum { GRID_SHAPES = 8 };
extern const struct ode_problem *const grid_shapes[GRID_SHAPES];

/* How a state is held. */
extern const struct holder {
    const char *backend, *devices;
    int streams, is_opencl;
} holders[];
enum { HOLDERS = 8 };
/* -> whether the backend can hold it */
int make_holder(const struct grid_state *s, int i, eulercl_solver **solver);

#endif
