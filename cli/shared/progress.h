/* SPDX-License-Identifier: BSD-2-Clause */
/* progress.h - the line that a user sees while a run goes on. */
#ifndef CLI_SHARED_PROGRESS_H
#define CLI_SHARED_PROGRESS_H

#include "eulercl/eulercl.h"

struct progress {
    int terminal;        /* 1: show a line on standard error */
    double start;        /* wall clock, seconds */
    int64_t steps_total; /* of the run, which may take several advances; 0: not known, */
    double t0, t_end;    /* but from where to where it goes */
    double limit, due;   /* on the wall clock: when the run stops, and when it pauses for a
                            checkpoint; 0: never */
    int64_t due_steps;   /* number of the step at which it pauses; 0: at none */
    double shown;        /* on the wall clock: when the line was written */
    /* After a call that makes steps, the same in all processes: */
    const char *why;   /* the run ends before its last step; NULL: it does not */
    int is_checkpoint; /* it is time for one */
};
/* Stops the run if is_stopping(), at one of the two times, or at that step; user is a struct
 * progress. */
extern eulercl_observer show_progress;

#endif
