/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - the absolute tolerance of each unknown (component of a point). */
#ifndef EULERCL_TOLERANCE_H
#define EULERCL_TOLERANCE_H
#include "../internal.h"
#include "../mem.h"
#include "../problem/pattern.h"

struct run; /* backend.h */
struct backend;

enum atol_rule {
    ATOL_GIVEN, /* given by the options or the problem */
    /* rtol times the greatest magnitude of the unknown when the steps began; 0 before that */
    ATOL_OF_START,
    /* the unknown was 0 everywhere then; 0 while it still is, later rtol times the greatest
     * magnitude that was seen */
    ATOL_GROWS
};

/* Create the tolerance of a system without one: no atol is known yet. Errors: MEMORY. */
int ecl_tolerance_create(struct system *system, double rtol, eulercl_error *error);
/* This function is here, so that a system can be destroyed without tolerance.c, which calls the
 * problem. */
static inline void ecl_tolerance_destroy(struct tolerance *tolerance) {
    ecl_mem_free(tolerance->atol);
    ecl_mem_free(tolerance->greatest);
    ecl_mem_free(tolerance->rules);
    ecl_pattern_destroy(&tolerance->along);
    ecl_pattern_destroy(&tolerance->lanes);
    *tolerance = (struct tolerance){0};
}
/* Set the tolerance that the options and the problem give. Errors: INVALID, MEMORY. */
int ecl_settle_tolerance(const eulercl_problem *problem, const eulercl_options *options,
    struct system *system, eulercl_error *error);
/* Set an atol, also for windows and copies of the system. */
void ecl_set_atol(const struct system *system, int64_t unknown, double atol);
/* The greatest atol of all unknowns. */
double ecl_greatest_atol(const struct tolerance *tolerance);

/* The steps begin with the present state: find the atols that are not given. Errors: MEMORY, those
 * of the backend. */
int ecl_begin_tolerance(struct run *run, const struct backend *table, eulercl_error *error);
/* Unknowns that have no atol yet, since they were 0. The weight of a component that is 0 is so
 * small then that no error but 0 is accepted. */
int ecl_has_open_atols(const struct tolerance *tolerance);
/* Find atols for those of them that are not 0 in the present state. */
int ecl_close_atols(
    struct run *run, const struct backend *table, int *is_closed, eulercl_error *error);
/* Do some atols change after the beginning? */
int ecl_atols_grow(const struct tolerance *tolerance);
/* Find how large unknowns have become, if that matters (stats.greatest). With is_raised unknowns of
 * ATOL_GROWS that are larger than before get another atol. */
int ecl_look_at_unknowns(
    struct run *run, const struct backend *table, int is_raised, eulercl_error *error);
#endif
