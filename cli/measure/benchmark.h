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
#include "measure/jobs.h"
#include "report/report.h"

enum { MOST_STEPS = 1 << 30 }; /* the most steps of a repetition */

struct benchmark {
    int64_t repeats;
    struct report *report; /* gets a row for each run that works */
    /* The status of a run that this machine cannot make, and of one that failed for another reason;
     * EULERCL_OK: there is none. */
    int left_out, failed;
};
job_runner measure_job; /* user: the benchmark */

#endif
