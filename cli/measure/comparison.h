/* SPDX-License-Identifier: BSD-2-Clause */
/* comparison.h - the runs of eulercl compare: one system, solved in each configuration. */
#ifndef CLI_MEASURE_COMPARISON_H
#define CLI_MEASURE_COMPARISON_H

#include "eulercl/eulercl.h"
#include "measure/jobs.h"
#include "report/report.h"
#include "shared/progress.h"

/* The time at which the job ends. */
double end_of(const struct job *job);

enum { MOST_COMPONENTS = 4 }; /* the most components of a grid point in the report's pictures */

struct comparison {
    const struct matrix *matrix; /* lists the methods and the precisions */
    const char *reference;       /* a file; NULL: not given */
    size_t n_points;
    struct report *report; /* gets the rows and pictures */
    struct progress progress;
    int has_pictures; /* they are drawn */
    void *chunk;      /* CHUNK reals */
    /* The job: */
    const struct system *system;
    const struct job *job;
    /* For a point: */
    double *truth; /* n values; NULL: errors are not measured, or not yet */
    double truth_time;
    size_t truth_point;
    /* For a group of jobs that differ in their configurations; seq is the first one: */
    void *seq; /* the state of seq */
    int seq_status;
    size_t group;
};
/* Run a job, with a row for it. */
job_runner compare_job; /* user: the comparison */
/* Find the ratios to the baselines, after all runs, and free what they needed. */
void end_comparison(struct comparison *c);

/* ---- compare_pictures.c ---- */

/* Draw the components of the state, for a page; what: "initial" or "final". */
int draw_states(struct comparison *c, eulercl_solver *solver, const char *what);

#endif
