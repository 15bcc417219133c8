/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.h - how much is measured of what the machine can do at most. */
#ifndef EULERCL_CEILINGS_H
#define EULERCL_CEILINGS_H
#include <stdint.h>

/* Tests of faults, which do not look at the numbers, take less. */
extern uint64_t eulercl_ceiling_bytes; /* of each of the two arrays that are copied: far more than a
                                          cache holds */
extern int eulercl_ceiling_repeats;    /* after a warm-up; the best counts */
#endif
