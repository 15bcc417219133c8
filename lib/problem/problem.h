/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.h - what a problem is made of: a definition, values for its parameters, and arrays that
 * its user sets. */
#ifndef EULERCL_PROBLEM_H
#define EULERCL_PROBLEM_H
#include "plugin.h"

/* Values that follow from the parameters. */
struct size {
    int64_t n, access_distance;
    int reads_all; /* ODE_ACCESS_ALL */
    struct ode_grid grid;
};

/* An array that the user of a problem sets. It never changes, and the copies of a problem share it.
 */
struct given {
    atomic_long users;
    struct ode_grid grid; /* that it was set for */
    size_t real_size;
    void *reals;
};

struct eulercl_problem {
    const struct ode_problem *definition;
    struct plugin *plugin; /* NULL: linked in */
    struct size size;
    /* Found once, because the whole text must be read for them. */
    int is_inexact;    /* functions with other bits on other devices are called */
    int has_functions; /* those of ode_math.h are */
    int reads_time;    /* the right-hand side may: struct reads */
    struct text_work work;
    uint32_t moving_sides; /* sides whose boundary values may */
    struct given **given;  /* the initial state, then each field; NULL where none was set */
    double parameters[];   /* The array of pointers lies behind them. */
};

/* problem.c: make a problem from a definition. It keeps the plug-in, unless there is none (NULL) or
 * the call fails. Errors: as of eulercl_problem_create. */
int ecl_problem_create(const struct ode_problem *definition, struct plugin *plugin,
    eulercl_problem **problem, eulercl_error *error);

/* open.c: a copy of a problem that began with baseline code, with the fast code in its place if
 * that is ready, else NULL; `waits`: when it is. Errors: as of ecl_plugin_get_fast. */
int ecl_problem_get_fast(
    const eulercl_problem *problem, int waits, eulercl_problem **fast, eulercl_error *error);
/* A copy for a run, which has the fast code if that is ready; `waits`: it must have. Errors:
 * MEMORY, and those of ecl_problem_get_fast if it waits. */
int ecl_problem_use(
    const eulercl_problem *problem, int waits, eulercl_problem **used, eulercl_error *error);
/* Begin to compile it, in the background; and note seconds of steps without it. -> all of them. */
void ecl_problem_want_fast(const eulercl_problem *problem);
double ecl_problem_note_baseline(const eulercl_problem *problem, double seconds);
static inline int ecl_problem_is_baseline(const eulercl_problem *problem) {
    return problem->plugin && problem->plugin->later;
}

/* values.c: constants in double, and a context for the definition's functions on the host. Errors:
 * MEMORY. */
int ecl_host_context(
    const eulercl_problem *problem, struct ode_context *context, eulercl_error *error);
void ecl_host_context_destroy(struct ode_context *context);

/* values.c: a field of all points. Errors: INVALID (it has no values, those for another grid, or
 * one that is not finite in this precision), MEMORY. */
int ecl_fill_field(const eulercl_problem *problem, uint32_t field, size_t real_size, void *values,
    eulercl_error *error);
/* values.c: share what is given with a new copy of the problem; give it up. */
void ecl_given_share(const eulercl_problem *problem);
void ecl_given_destroy(const eulercl_problem *problem);
#endif
