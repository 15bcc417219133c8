/* SPDX-License-Identifier: BSD-2-Clause */
/* jobs.h - what eulercl bench and eulercl compare run, one after the other: systems, each with
 * methods, precisions and configurations. */
#ifndef CLI_MEASURE_JOBS_H
#define CLI_MEASURE_JOBS_H

#include "eulercl/eulercl.h"
#include "measure/configurations.h"
#include "shared/problem.h"
#include "shared/timespan.h"

struct job {
    /* The system: */
    const char *problem;
    int64_t size;          /* 0: as the parameters say */
    int any_size;          /* the nearest size that exists is used */
    const char *parameter; /* a parameter of the problem, whose value is x; NULL: none */
    double x;              /* the swept value */
    char label[32];        /* its text; "": nothing is swept */
    size_t point;          /* the number of the value */
    /* The run: */
    const struct method_choice *method;        /* NULL: that of the options */
    const struct configuration *configuration; /* NULL: as the options say */
    int is_first, is_baseline;                 /* the first configuration, and that of --baseline */
    eulercl_options options;
    struct time_choice time; /* of compare */
    /* Of bench: */
    const char *series; /* NULL: what distinguishes the row */
    double seconds;     /* approximate time of a repetition */
    int64_t steps;      /* steps of a repetition; 0: chosen by seconds */
};
struct jobs {
    struct job *list; /* to be freed */
    size_t count;
};
int add_job(struct jobs *jobs, const struct job *job);
/* Add a job for each method, precision and configuration; `settle` (NULL: nothing) completes the
 * options of a method. */
typedef int settler(void *user, struct job *job);
int add_jobs(struct jobs *jobs, const struct matrix *matrix,
    const struct configurations *configurations, const struct job *job, settler *settle,
    void *user);

/* The system of a job. */
struct system {
    const struct problem_choice *settings; /* settings of all problems */
    const char *name;                      /* NULL: no problem is open */
    int64_t size;                          /* the size that was set; 0: none */
    eulercl_problem *problem;
    eulercl_problem_info info;
};
/* Open the job's problem with its size and parameter. A problem that is open is used again. */
int open_system(struct system *system, const struct job *job);
void close_system(struct system *system);
/* The parameter that sets the size, which is the first integer one. Returns 0 if there is no
 * integer parameter. */
int find_size_parameter(const struct system *system, eulercl_parameter *parameter);

typedef int job_runner(void *user, const struct system *system, const struct job *job);
/* Run all jobs, with a line of progress. */
int run_jobs(const struct jobs *jobs, struct system *system, job_runner *run, void *user);

#endif
