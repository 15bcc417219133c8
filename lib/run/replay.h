/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.h - a copy of the state of a run, from which the steps that led to inf or NaN are repeated
 * to find the first of them. */
#ifndef EULERCL_REPLAY_H
#define EULERCL_REPLAY_H
#include "backend.h"

struct replay {
    void *copy;     /* made by the backend; NULL: none was made yet */
    int is_refused; /* there is no memory for a copy */
    char why[200];  /* the reason why there is no copy; else "" */
    int is_valid;   /* the copy holds a state of this run, and the run's state was not overwritten
                       since */
    int64_t taken;  /* the number of steps of the whole run when it was taken */
    struct batch from; /* the clock of the steps that follow; steps is 0 */
};

/* The number of steps between two copies, `done` steps after the time's base. It depends only on
 * numbers of steps, so that the message about a failure does not depend on measurements. A copy
 * costs about as much as one step, and ends a batch of steps; copies are rare enough not to matter.
 */
int64_t ecl_replay_spacing(const struct run *run, int64_t done);
/* If a copy is due, copy the state before `next` steps are made from `here` on, which is step
 * `taken` of the whole run. Without memory no copy is made. Errors: INTERNAL. */
int ecl_replay_keep(struct replay *replay, struct run *run, const struct backend *table,
    const struct batch *here, int64_t next, int64_t taken, eulercl_error *error);
/* Whether the steps that led to `here` can be repeated from the copy. */
int ecl_replay_leads_to(const struct replay *replay, const struct batch *here);
/* The state is not finite `bad` steps after the copy, and was finite after `good` of them. *first
   is the number of steps after which it first is not finite, and *component the first such
   component; the run then holds that state. If the steps do not give the same state again,
   *component is -1, and the run holds another state. The copy is used up. Errors: MEMORY, INTERNAL.
 */
int ecl_replay_find(struct replay *replay, struct run *run, const struct backend *table,
    int64_t good, int64_t bad, int64_t *first, int64_t *component, eulercl_error *error);
/* Restore the state of the copy, and estimate the stable step size there. Errors: UNSUPPORTED (the
 * system is too large for an estimate during the run), MEMORY, INTERNAL, NONFINITE. */
int ecl_replay_stability(struct replay *replay, struct run *run, const struct backend *table,
    eulercl_stability *stability, eulercl_error *error);
/* Free the memory; -> whether there was any. */
int ecl_replay_drop(struct replay *replay, struct run *run, const struct backend *table);
#endif
