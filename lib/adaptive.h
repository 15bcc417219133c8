/* adaptive.h - steps to a tolerance: rounds of steps of one size, each of which is accepted or made
 * anew with a smaller size. See doc/design/tolerance.md.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef EULERCL_ADAPTIVE_H
#define EULERCL_ADAPTIVE_H
#include "backend.h"
#include "control.h"

/* The steps of a run with a tolerance. */
struct adaptive {
    struct control control;
    int rung;      /* of the next round's step size */
    int is_begun;  /* the step size is of this run: not so if the program has set the state */
    int64_t steps; /* accepted ones, since the solver was made */
    int64_t rejected;
    uint64_t evaluations; /* of the whole right-hand side, in steps of both kinds */
    double h_first, h_least, h_greatest, h_last, error;
    int64_t rounds;       /* accepted ones; */
    int64_t next_choice;  /* when the method is reconsidered, */
    int64_t changes;      /* and how often it was changed */
    int most_rung;        /* that frequencies allow */
    double radius;        /* a bound for the spectral radius; 0: not known */
    int64_t radius_step;  /* steps when it was estimated */
    int radius_steps;     /* until the next estimate */
    int64_t radius_count; /* how often */
    double seconds;       /* for that and for the first step size */
    void *copy;           /* of the state before a round, made by the backend; NULL: none yet */
};

/* Nothing without a tolerance. Errors: UNSUPPORTED (a backend that cannot change the method, which
 * the options leave open). */
int eulercl_adaptive_create(struct adaptive *adaptive, const struct run *run,
    const struct backend *table, eulercl_error *error);
void eulercl_adaptive_destroy(struct adaptive *adaptive, const struct backend *table);

/* Make one round of at most `most` steps from time *t on, and not beyond t_end: on success the
 * state is that at the new time *t, and *seconds were spent in steps. On failure it is that at *t,
 * unless the backend failed. Errors: STEP_SIZE, STEP_COUNT, UNSUPPORTED (no number of stages is
 * stable), NONFINITE (the state), MEMORY, those of the backend. */
int eulercl_adaptive_round(struct adaptive *adaptive, struct run *run, const struct backend *table,
    int64_t most, double t_end, double *t, double *seconds, int64_t *steps, eulercl_error *error);
#endif
