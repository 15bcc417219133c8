/* SPDX-License-Identifier: BSD-2-Clause */
/* comparison.h - the runs of eulercl compare: one system, solved in each configuration. */
#ifndef CLI_MEASURE_COMPARISON_H
#define CLI_MEASURE_COMPARISON_H

#include "eulercl/eulercl.h"
#include "format/state.h"
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

/* ---- contrast.c ---- */

/* A state compared with others: the largest distances. */
struct contrast {
    enum eulercl_precision precision;
    int keep; /* 1: this state is seq's, and is stored in seq */
    void *seq;
    int seq_works;
    const double *truth; /* NULL: errors are not measured */
    uint64_t ulps, differing;
    double error;
};
chunk_taker take_chunk; /* user: the contrast */
/* Check the problem and the time of a reference against FILE.npy.json. A file without it is
 * accepted. */
int check_reference(
    const char *path, const eulercl_problem *problem, const eulercl_problem_info *info, double t);
/* Read the state of that file, to be freed. */
int read_reference(const char *path, const eulercl_problem_info *info, double **truth);

/* ---- compare_pictures.c ---- */

/* Draw the components of the state, for a page; what: "initial" or "final". */
int draw_states(struct comparison *c, eulercl_solver *solver, const char *what);

#endif
