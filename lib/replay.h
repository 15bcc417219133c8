/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.h - a copy of the state of a run, from which the steps that led to inf or NaN are made
 * again to find the first of them. */
#ifndef EULERCL_REPLAY_H
#define EULERCL_REPLAY_H
#include "backend.h"

struct replay {
    void *copy;     /* the backend's; NULL: none was made yet */
    int is_refused; /* there is no memory for a copy */
    char why[200];  /* that it is refused, if it was tried; else "" */
    int is_valid; /* the copy holds a state of this run, and nobody wrote into the run's state since
                   */
    int64_t taken;     /* the number of steps of the whole run when it was taken */
    struct batch from; /* how the steps went on from there; steps is 0 */
};

/* How many steps lie between two copies, `done` steps after the time's base: a function of numbers
   of steps alone, so that what is said about a failure depends on nothing that was measured. A copy
   costs as much as about one step, and a batch of steps ends at each: seldom enough not to be
   noticed. */
int64_t eulercl_replay_spacing(const struct run *run, int64_t done);
/* Copy the state before `next` steps are made from `here` on, step `taken` of the whole run, if a
 * copy is due. Without memory for it there is none. Errors: INTERNAL. */
int eulercl_replay_keep(struct replay *replay, struct run *run, const struct backend *table,
    const struct batch *here, int64_t next, int64_t taken, eulercl_error *error);
/* Whether the steps that led to `here` can be made again from the copy. */
int eulercl_replay_leads_to(const struct replay *replay, const struct batch *here);
/* The state is not finite after `bad` steps from the copy on, and was finite after `good` of them.
   *first: the steps after which it first is not; its component, as the run holds that state now.
   *component is -1, and the state another one, if the steps do not repeat themselves. The copy is
   used up. Errors: MEMORY, INTERNAL. */
int eulercl_replay_find(struct replay *replay, struct run *run, const struct backend *table,
    int64_t good, int64_t bad, int64_t *first, int64_t *component, eulercl_error *error);
/* Put the state of the copy back, and say how large steps may be there. UNSUPPORTED: the system is
 * too large for an estimate in passing. Errors: also MEMORY, INTERNAL, NONFINITE. */
int eulercl_replay_stability(struct replay *replay, struct run *run, const struct backend *table,
    eulercl_stability *stability, eulercl_error *error);
/* Give the memory back; -> whether there was any. */
int eulercl_replay_drop(struct replay *replay, struct run *run, const struct backend *table);
#endif
