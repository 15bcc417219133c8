/* contrast.h - a state compared with that of seq and with the truth; references from files.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_MEASURE_CONTRAST_H
#define CLI_MEASURE_CONTRAST_H

#include "eulercl/eulercl.h"
#include "format/state.h"

/* A state against others: the largest distances. */
struct contrast {
    enum eulercl_precision precision;
    int keep; /* 1: this state is seq's, and is kept there */
    void *seq;
    int seq_works;
    const double *truth; /* NULL: errors are not measured */
    uint64_t ulps, differing;
    double error;
};
chunk_taker take_chunk; /* user: the contrast */
/* What stands beside FILE.npy says of which problem it is, and when: is it this one, and t? A file
 * without is believed. */
int check_reference(
    const char *path, const eulercl_problem *problem, const eulercl_problem_info *info, double t);
/* The state of that file, to be freed. */
int read_reference(const char *path, const eulercl_problem_info *info, double **truth);

#endif
