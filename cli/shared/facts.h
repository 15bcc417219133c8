/* SPDX-License-Identifier: BSD-2-Clause */
/* facts.h - what files and reports say about the run that they come from. */
#ifndef CLI_SHARED_FACTS_H
#define CLI_SHARED_FACTS_H

#include <stdio.h>

#include "eulercl/eulercl.h"
#include "shared/json.h"

struct fact {
    const char *name;
    enum fact_kind {
        FACT_NONE,
        FACT_TEXT,
        FACT_WHOLE,
        FACT_TRUTH,
        FACT_REAL,
        FACT_REALS
    } kind;           /* FACT_NONE: it does not apply */
    int is_parameter; /* a parameter of the problem */
    const char *text; /* FACT_REALS: texts separated by commas */
    int64_t whole;    /* FACT_REALS: number of values */
    double real;
    const double *reals;
};
struct facts {
    struct fact *list;
    size_t count;
    eulercl_stats stats; /* the statistics that they were made of */
    char driver[256], control[EULERCL_CONTROL_SIZE];
    char *atols, *below_atol, *breakpoints; /* texts of facts */
};
/* Facts of a run that are known before it begins. */
struct origin {
    const char *command; /* as the user wrote it */
    char date[32];
    const eulercl_problem *problem;
    const eulercl_problem_info *info;
    const eulercl_options *options;
    const char *fields; /* that were set, as NAME:HASH,NAME:HASH; NULL: none */
    const char *thin;   /* what files show of blocks of points, as N:MODE; NULL or "": all points */
    int64_t smoothing;  /* of these points; 0: they are not smoothed */
};
/* Facts that are known at its end. */
struct ending {
    const char *hash;          /* hash of the state; "": unknown */
    const int64_t *subnormals; /* number of components that are subnormal numbers; NULL: unknown */
    double last_h;             /* size of the last, shorter step; 0: all steps were equal */
    int64_t snapshots;         /* snapshots that its series have so far */
    int status;                /* the reason of its end */
};
/* Collect the present facts. Texts live as long as the solver, the ending and the facts. */
int collect_facts(const struct origin *origin, const eulercl_solver *solver,
    const struct ending *ending, struct facts *facts);
/* Collect the facts of a solver whose statistics were these. */
int collect_facts_of(const struct origin *origin, const eulercl_stats *stats,
    const eulercl_clock *clock, const struct ending *ending, struct facts *facts);
/* The first ones alone: program, command line, problem. There is room for `more`. */
int begin_facts(const struct origin *origin, size_t more, struct facts *facts);
void add_text_fact(
    struct facts *facts, const char *name, const char *text); /* "" is nothing to say */
void add_whole_fact(struct facts *facts, const char *name, int64_t value);
/* Add a real number; nothing if it is not finite. */
void add_real_fact(struct facts *facts, const char *name, double value);
/* Print what the backend lists about the run, each as NAME=VALUE after `before`. Without `totals`
 * print only facts that are the same during the whole run. */
void print_solver_facts(FILE *file, const char *before, const eulercl_stats *stats, int totals);
void free_facts(struct facts *facts);
const char *fact_text(const struct fact *fact, char buffer[32]);
/* One a line. */
void print_facts(FILE *file, const char *before, const struct facts *facts);
/* The command line in one line of UTF-8, to be freed; NULL without memory. Call it before options
 * are read, since that changes them. */
char *join_arguments(const char *command, int argc, char **argv);
void format_date(char date[32]);
/* The driver of the device; "" if it is unknown. */
void find_driver(const char *device_id, char *driver, size_t size);
/* The statistics of the solver. */
eulercl_stats stats_of(const eulercl_solver *solver);
/* Arrays that stay as they are while the solver goes on, in *memory, to be freed. */
int keep_stats(eulercl_stats *stats, double **memory);
/* Whether an unknown that is not 0 stayed below its absolute tolerance. */
int is_below_atol(const eulercl_stats *stats, int64_t unknown);
/* Component-steps per second of this run, without what it has resumed; NaN where there is nothing
 * to divide. */
double steps_rate(const eulercl_stats *stats);
/* Component-stages per second: evaluations of the right-hand side of a component. */
double stages_rate(const eulercl_stats *stats);

json_t *json_facts(const struct facts *facts); /* NULL if it could not be built */

#endif
