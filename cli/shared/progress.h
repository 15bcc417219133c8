/* SPDX-License-Identifier: BSD-2-Clause */
/* progress.h - the line that a user sees while a run goes on. */
#ifndef CLI_SHARED_PROGRESS_H
#define CLI_SHARED_PROGRESS_H

#include "eulercl/eulercl.h"

struct progress {
    int terminal; /* 1: show a line on standard error */
    double start; /* wall clock, seconds */
    /* number of the run's last step, which may take several advances; NULL or 0: not known */
    const int64_t *last_step;
    double t0, t_end; /* first and last time of the run, if its steps are not known */
    /* Wall clock at which the run stops, and at which it pauses for a checkpoint; 0: never. */
    double limit, due;
    double shown; /* on the wall clock: when the line was written */
    /* The same in all processes, after a call that makes steps: */
    const char *why;   /* the run ends before its last step; NULL: it does not */
    int is_checkpoint; /* it is time for one */
};
/* Stops the run if is_stopping(), or at one of the two times; user is a struct progress. */
extern eulercl_observer show_progress;

#endif
