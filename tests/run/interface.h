/* SPDX-License-Identifier: BSD-2-Clause */
/* interface.h - what the tests of eulercl.h share. */
#ifndef TESTS_INTERFACE_H
#define TESTS_INTERFACE_H

#include "../support.h"

enum { LENGTH = 512 };
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* fill() writes a pattern of LENGTH doubles, UNTOUCHED() checks it: an array that a failing call
 * must leave alone. */
extern unsigned char pattern[LENGTH * sizeof(double)];
void fill(void *y);
void untouched(int line, const void *y);
#define UNTOUCHED(y) untouched(__LINE__, y)

eulercl_problem *open_size(const char *name, int64_t n);
eulercl_solver *make(const eulercl_problem *problem, const eulercl_options *options);
eulercl_stats stats_of(const eulercl_solver *solver);

/* A problem of WAVE components whose result depends on the time: the same start and any split of
 * the steps give the same bits. */
eulercl_problem *wave(void);
enum { WAVE = 50 };
/* Make n steps of h from the state y at time t, with a solver of its own. */
void steps_from(const eulercl_problem *problem, double t, double h, int64_t steps, double *y);
/* A problem whose smallest tile in two buffers needs about `part` of the device's local memory. */
eulercl_problem *wide_problem(
    const eulercl_device_info *device, double part, int64_t *halo, int64_t *n);

#endif
