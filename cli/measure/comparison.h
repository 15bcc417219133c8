/* SPDX-License-Identifier: BSD-2-Clause */
/* comparison.h - the runs of eulercl compare: one system, solved in each configuration. */
#ifndef CLI_MEASURE_COMPARISON_H
#define CLI_MEASURE_COMPARISON_H

#include "eulercl/eulercl.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/progress.h"
#include "shared/timespan.h"

/* A point of a sweep with one of the methods: how, and how long the system is solved. */
struct point {
    size_t number;
    char label[32]; /* the swept value; "": nothing is swept */
    double x;
    const struct method_choice *method;
    eulercl_options options;
    struct time_choice time;
};
/* When its runs end. */
double end_of(const struct point *point);

enum { MOST_COMPONENTS = 4 }; /* the most components of a grid point in the report's pictures */

struct comparison {
    eulercl_problem *problem;
    eulercl_problem_info info;
    const struct configurations *configurations; /* seq is the first one */
    const struct matrix *matrix;                 /* lists the methods and the precisions */
    const char *reference;                       /* a file; NULL: not given */
    size_t n_points, n_runs;
    int has_pictures;      /* they are drawn */
    struct report *report; /* gets the rows and pictures */
    struct progress progress;
    /* For a point: */
    struct point point;
    double *truth; /* n values; NULL: errors are not measured, or not yet */
    double truth_time;
    /* For a point in a precision: */
    void *seq; /* the state of seq */
    int seq_status;
    void *chunk;
};
/* Run all configurations and precisions at the point, with a row for each. */
int run_point(struct comparison *c);

/* ---- compare_pictures.c ---- */

/* Draw the components of the state, for a page; what: "initial" or "final". */
int draw_states(struct comparison *c, eulercl_solver *solver, const char *what);

#endif
