/* SPDX-License-Identifier: BSD-2-Clause */
/* solver.h - what the files of a solver share: solver.c, which has its life, state.c and
 * advance.c. */
#ifndef EULERCL_SOLVER_H
#define EULERCL_SOLVER_H
#include "../plan/plan.h"
#include "../tolerance/adaptive.h"
#include "../tolerance/breakpoints.h"
#include "move.h"
#include "replay.h"
#include "transport.h"

struct eulercl_solver {
    struct settled settled;
    eulercl_problem *problem; /* a copy with its own parameters */
    struct run run;
    const struct transport *transport; /* of several processes that share the system; NULL: there is
                                          one */
    struct breakpoints breakpoints;
    double t_base;      /* step s starts at t_base + s * h */
    int64_t base_steps; /* s: steps done since t_base */
    int64_t steps;      /* of the whole run: resumed_steps, and those since */
    int64_t resumed_steps;
    int64_t interval;     /* the present number of steps between two calls of the observer */
    int unchecked;        /* the state may not be finite: it was not searched for inf and NaN yet */
    struct replay replay; /* with check_finite: where the search for the first inf or NaN begins */
    struct adaptive adaptive; /* with a tolerance */
    struct moves moves;       /* to the fast code of a problem that began with baseline code */
    int is_steady;            /* the last steps have ended because the state is (options.steady) */
    int busy;                 /* inside the observer */
    int is_unwanted;          /* the observer has called eulercl_solver_destroy, which must wait */
    double t, setup_seconds, upload_seconds, kernel_seconds, download_seconds;
};

/* state.c: at the beginning of functions that change the solver. Errors: INVALID (the observer has
 * called them), NO_DEVICE (ecl_check_process). */
int ecl_solver_check_idle(const eulercl_solver *solver, eulercl_error *error);
/* Something other than a step has changed the state. */
void ecl_solver_state_changed(eulercl_solver *solver);
/* advance.c: note that equations in float that read t see it stand still, or jump, near t, because
 * h is not much more than the distance of two floats. */
void ecl_solver_note_time(eulercl_solver *solver, double t, double h);

/* Steps of size h from t on that end at `end`. */
struct stretch {
    int64_t whole;
    double shorter; /* a step after them; 0: none, because they end close to `end` */
};
/* advance.c: the rule of eulercl_advance_to; t_base + base_steps h is t. Errors: INVALID. */
int ecl_measure(double t, double t_base, int64_t base_steps, double h, double end,
    struct stretch *stretch, eulercl_error *error);
/* advance.c: steps to a tolerance: whole rounds of them until there are `steps`, or until t is
 * reached, but not beyond t_end; fewer if the state becomes steady. */
int ecl_advance_adaptively(
    eulercl_solver *solver, int64_t steps, double t, double t_end, eulercl_error *error);
/* advance.c: eulercl_advance_dense, which does not go back to t if there are `steps` before. */
int ecl_advance_dense(
    eulercl_solver *solver, int64_t steps, double t, double t_end, eulercl_error *error);
#endif
