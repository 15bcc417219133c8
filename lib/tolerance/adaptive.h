/* SPDX-License-Identifier: BSD-2-Clause */
/* adaptive.h - steps to a tolerance: rounds of steps of one size, each of which is accepted or made
 * anew with a smaller size. See doc/design/tolerance.md. */
#ifndef EULERCL_ADAPTIVE_H
#define EULERCL_ADAPTIVE_H
#include "../run/backend.h"
#include "breakpoints.h"
#include "control.h"

/* The steps of a run with a tolerance. */
struct adaptive {
    struct control control;
    struct breakpoints *breakpoints; /* those of the solver; jumps that are found are added */
    int rung;                        /* step size of the next round */
    int is_begun;   /* the step size comes from this run; 0 when the program has set the state */
    int is_resumed; /* the step size comes from a clock; cleared by the next steps */
    int is_at_breakpoint; /* the last round has ended at a breakpoint */
    double begun_t; /* the time at which the step size was last chosen without earlier errors */
    int64_t steps;  /* accepted steps since the solver was made */
    int64_t rejected;
    /* evaluations of the whole right-hand side, in accepted and rejected steps */
    uint64_t evaluations;
    double h_first, h_least, h_greatest, h_last, error;
    int last_rung;        /* step size of the last round */
    int64_t same_steps;   /* accepted steps since the step size changed */
    int64_t rounds;       /* accepted rounds, in units of the shortest round */
    int64_t last_rounds;  /* length of the last round, in the same units */
    int64_t next_choice;  /* number of rounds at which the method is reconsidered */
    int64_t changes;      /* number of changes of the method */
    int most_rung;        /* the greatest step size that frequencies allow */
    double radius;        /* a bound for the spectral radius; 0: not known */
    int64_t radius_step;  /* steps when it was estimated */
    int radius_steps;     /* steps until the next estimate of the radius */
    int64_t radius_count; /* number of estimates of the radius */
    double seconds;       /* seconds spent on the radius and on the first step size */
    /* copy of the state before a round, made by the backend; NULL: not made yet */
    void *copy;
    /* For states at times within a round: */
    double watch;      /* the copy of the state before a round that reaches this time is kept */
    struct batch last; /* the last round, if its copy is kept; 0 steps: no copy is kept */
    double after_t;    /* the time after the last round */
    void *after;       /* a copy of the state at after_t; NULL: not made yet */
    /* the run has a state within the round, and `after` has the state after it */
    int is_within;
    /* For steady states: */
    int64_t worst;     /* the component that changed fastest when it was looked for, or 0 */
    double derivative; /* in a steady state the fastest change of a component; else 0 */
};

/* Begin to control steps of the run's method. */
struct control ecl_begin_control(const struct run *run, const struct controller *controller);
/* Does nothing without a tolerance. */
void ecl_adaptive_create(
    struct adaptive *adaptive, const struct run *run, struct breakpoints *breakpoints);
void ecl_adaptive_destroy(struct adaptive *adaptive, const struct backend *table);

/* Make one round of steps from time *t on, and not beyond t_end. On success the state is that at
 * the new time *t, and *seconds were spent in steps. On failure it is that at *t, unless the
 * backend failed. Errors: STEP_SIZE, STEP_COUNT, UNSUPPORTED (no number of stages is stable),
 * NONFINITE (the state), MEMORY, those of the backend. */
int ecl_adaptive_round(struct adaptive *adaptive, struct run *run, const struct backend *table,
    double t_end, double *t, double *seconds, int64_t *steps, eulercl_error *error);

/* Make steps to the time t within the last round, from the state before it, which is kept. The
 * state is then that at t, until ecl_adaptive_leave returns to that after the round. Errors: those
 * of the backend. */
int ecl_adaptive_enter(struct adaptive *adaptive, struct run *run, const struct backend *table,
    double t, double *seconds, eulercl_error *error);
int ecl_adaptive_leave(struct adaptive *adaptive, struct run *run, const struct backend *table,
    double *t, eulercl_error *error);
/* Whether such a state can be had. */
static inline int ecl_adaptive_reaches_back(const struct adaptive *a, double t) {
    return a->last.steps > 0 && t > a->last.t_base + (double)a->last.first_step * a->last.h;
}

/* Is the state at t, after a round, steady (options.steady)? Errors: NONFINITE, MEMORY, those of
 * the backend. */
int ecl_adaptive_is_steady(struct adaptive *adaptive, struct run *run, const struct backend *table,
    double t, int *is_steady, eulercl_error *error);

/* adaptive_text.c: all that the following steps depend on beside the state, as a line of text of
 * EULERCL_CONTROL_SIZE bytes, "" if it does not fit; and the reverse, for a run with these steps
 * behind it. Errors: INVALID (the text, or another rtol), those of the backend's change of the
 * method; then nothing has changed. */
void ecl_adaptive_text(const struct adaptive *adaptive, const struct run *run, char *text);
int ecl_adaptive_resume(struct adaptive *adaptive, struct run *run, const struct backend *table,
    int64_t steps, const char *text, eulercl_error *error);
/* The number of stages that is used after `stages` (0: the first one), or 0 after the last one.
 * They are at least an eighth apart, because a backend may have to compile a program for each. */
int ecl_next_stages(const struct method_family *family, int stages);
/* Go on with another method, or with another number of its stages. */
int ecl_adaptive_change_method(struct run *run, const struct backend *table,
    const struct method_family *family, int stages, eulercl_error *error);
#endif
