/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.c - the wall clock. */
#include "config.h"

#include "shared/clock.h"

#include <time.h>

double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int is_due(double time) { return time > 0 && wall_clock() >= time; }
