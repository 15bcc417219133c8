/* SPDX-License-Identifier: BSD-2-Clause */
/* past.h - the run that a state in an HDF5 file comes from, as the file describes it. */
#ifndef CLI_FORMAT_PAST_H
#define CLI_FORMAT_PAST_H

#include "eulercl/eulercl.h"
#include "format/state.h"
#include "shared/problem.h"

struct past {
    int is_whole;       /* the checksum of the following is right */
    char *problem;      /* to be freed, as all texts here; NULL: the file describes no run */
    char *method;       /* NULL: the file names no method, which means the explicit Euler method */
    int stages;         /* stages of the method */
    double flush_below; /* as in struct eulercl_options */
    enum eulercl_precision precision;
    int64_t n;
    double t0, t;
    double rtol;         /* 0: steps of one size */
    eulercl_clock clock; /* clock of the last state */
    char *fields;        /* fields that were set, with their hashes; NULL: no fields */
    char *breakpoints;   /* breakpoints of the options, separated by commas; NULL: no breakpoints */
    int64_t snapshots;   /* snapshots of the run's series, up to the last state */
    char *state_hash;    /* hash of the last state; NULL: not in the file */
    struct setting *parameters;
    size_t n_parameters;
    int rank; /* rank of the state without snapshots; 0: not known */
    int64_t extents[MOST_STATE_RANK];
};
/* The run of the dataset /state. If `needed` is 0, missing or damaged information is not an error.
 */
int read_past(const char *path, int needed, struct past *past);
void free_past(struct past *past);

#endif
