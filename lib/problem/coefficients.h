/* SPDX-License-Identifier: BSD-2-Clause */
/* coefficients.h - what a problem has per grid point beside its state: planes of fields and of
 * marks, in the order of eulercl/detail/ode_coefficients.h. */
#ifndef EULERCL_COEFFICIENTS_H
#define EULERCL_COEFFICIENTS_H
#include "../internal.h"

/* The points of a plane, its rim included, and those of it in a row along the last axis: in one
 * dimension a point, in three a plane of the grid. */
int64_t ecl_plane_points(const struct ode_grid *grid);
int64_t ecl_plane_row(const struct ode_grid *grid);
/* The number in a plane of the point at this place, which may be one of the rim. */
int64_t ecl_plane_number(const struct ode_grid *grid, const int64_t at[ODE_MOST_AXES]);
/* Bytes of the coefficients of a point. */
static inline uint64_t ecl_coefficient_bytes(const struct ode_problem *d, size_t real_size) {
    return (uint64_t)d->field_count * real_size + (d->find_marks != NULL);
}
/* Bytes of all planes of a grid, rounded up to whole words; UINT64_MAX: more than that. */
uint64_t ecl_coefficients_size(
    const struct ode_problem *d, const struct ode_grid *grid, size_t real_size);

/* All coefficients of a problem, as a system has them. Errors: INVALID (a field without values,
 * with values for another grid, or with a value that is not finite in this precision), MEMORY. */
int ecl_fill_coefficients(
    const eulercl_problem *problem, size_t real_size, void *planes, eulercl_error *error);
/* Those of a window, a part of `whole` along its last axis that is counted round. */
void ecl_window_coefficients(const struct system *whole, const struct system *window);
/* Whether component i is that of a point that keeps its values. */
int ecl_is_still(const struct system *system, int64_t i);
/* Put back the values of those components begin .. end-1, whole points, that keep them. */
void ecl_keep_still(
    const struct system *system, const void *old, void *next, int64_t begin, int64_t end);
#endif
