/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.h - the wall clock. */
#ifndef CLI_SHARED_CLOCK_H
#define CLI_SHARED_CLOCK_H

double wall_clock(void); /* seconds since an arbitrary moment */
/* Has the wall clock reached this time? Never if it is 0. */
int is_due(double time);

#endif
