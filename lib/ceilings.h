/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.h - measuring what the machine can do at most; one function per kind of machine. */
#ifndef EULERCL_CEILINGS_H
#define EULERCL_CEILINGS_H
#include "internal.h"

/* Tests of faults, which do not look at the numbers, take less. */
extern uint64_t eulercl_ceiling_bytes; /* of each of the two arrays that are copied: far more than a
                                          cache holds */
extern int eulercl_ceiling_repeats;    /* after a warm-up; the best counts */

/* The options are checked. */
int eulercl_cpu_ceilings(const eulercl_options *options, int64_t threads,
    eulercl_ceilings *ceilings, eulercl_error *error);
int eulercl_cl_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error);
#endif
