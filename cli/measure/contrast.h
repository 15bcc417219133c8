/* SPDX-License-Identifier: BSD-2-Clause */
/* contrast.h - a state compared with that of seq and with the truth; references from files. */
#ifndef CLI_MEASURE_CONTRAST_H
#define CLI_MEASURE_CONTRAST_H

#include "eulercl/eulercl.h"
#include "format/state.h"

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

#endif
