/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/reduce.h - reductions of a state by a team of threads, which take its parts. */
#ifndef EULERCL_CPU_REDUCE_H
#define EULERCL_CPU_REDUCE_H
#include "team.h"
#include "../run/reduce.h"

/* The numbers of all parts. Errors: MEMORY, and those of ecl_team_run. */
int ecl_team_reduce(struct team *team, int64_t threads, const struct reduction *reduction,
    const char *y, double *numbers, eulercl_error *error);
#endif
