/* SPDX-License-Identifier: BSD-2-Clause */
/* benchmark.h - the runs of eulercl bench, timed one after the other.
 *
 * Each run begins with the same few steps from the initial state. The result is hashed, which shows
 * whether the bits are equal, and the steps warm up the device. The times after that are kernel
 * times. The device's own clock is read by a second solver, since a queue that records times is
 * slower. */
#ifndef CLI_MEASURE_BENCHMARK_H
#define CLI_MEASURE_BENCHMARK_H

#include "eulercl/eulercl.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/problem.h"

enum { MOST_STEPS = 1 << 30 }; /* the most steps of a repetition */

struct bench_job {
    const char *problem, *series;              /* series may be NULL */
    const struct configuration *configuration; /* NULL: as the options say */
    int64_t size;                              /* 0: as the parameters say */
    int any_size;                              /* 1: the nearest size that exists is used */
    eulercl_options options;
    double seconds; /* approximate time of a repetition */
    int64_t steps;  /* steps of a repetition; 0: chosen by seconds */
    int is_baseline;
};

struct bench_jobs {
    struct bench_job *list;
    size_t count;
    size_t n_methods;                      /* 2: there are several */
    const struct problem_choice *settings; /* settings of all problems */
    int64_t repeats;
};
/* Measure all jobs. Jobs that this machine cannot run are left out; *failed keeps the status of
 * other failures. */
int measure_jobs(const struct bench_jobs *jobs, struct report *bench, int *failed);

#endif
