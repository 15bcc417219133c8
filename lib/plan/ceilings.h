/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.h - how long, and how much, the limits of a machine are measured. */
#ifndef EULERCL_CEILINGS_H
#define EULERCL_CEILINGS_H
#include <stdint.h>

/* Tests of faults, which ignore the results, use smaller values. */
extern uint64_t ecl_ceiling_bytes; /* of each of the two arrays that are copied: far more than a
                                          cache holds */
extern int ecl_ceiling_repeats;    /* after a warm-up; the best counts */
#endif
