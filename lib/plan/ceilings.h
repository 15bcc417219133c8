/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.h - the time and the sizes with which the limits of a machine are measured. */
#ifndef EULERCL_CEILINGS_H
#define EULERCL_CEILINGS_H
#include <stdint.h>

/* Tests of faults, which ignore the results, use smaller values. */
/* bytes of each of the two arrays that are copied: far more than a cache holds */
extern uint64_t ecl_ceiling_bytes;
extern int ecl_ceiling_repeats; /* repeats after a warm-up; the best counts */
#endif
