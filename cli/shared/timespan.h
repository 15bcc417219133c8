/* SPDX-License-Identifier: BSD-2-Clause */
/* timespan.h - how far a run goes: --t0, --h, --steps, --t-end, --breakpoints. */
#ifndef CLI_SHARED_TIMESPAN_H
#define CLI_SHARED_TIMESPAN_H

#include <argp.h>

#include "eulercl/eulercl.h"

enum { DEFAULT_STEPS = 1000 };
/* The child's input is a struct time_choice. */
struct time_choice {
    eulercl_options *options; /* these options get t0, h and the breakpoints */
    int has_t0, has_h, has_t_end, has_steps;
    int is_auto;     /* --h auto */
    int auto_stages; /* the number of stages that choose_step has chosen; 0: the options give it */
    double t_end;
    int64_t steps;
};
extern const struct argp time_argp;
/* Two of --t-end, --h and --steps determine the third; with --tol there is no --h. Call it after
 * all options were read. */
int settle_time(struct time_choice *time);
/* --h auto: set h near the state y (NULL: the initial state) and, where the options leave it open,
 * the number of stages. */
int choose_step(struct time_choice *time, const eulercl_problem *problem, const void *y);
/* Read times separated by commas, which replace those of the options. */
int read_breakpoints(const char *what, const char *text, eulercl_options *options);
/* SECONDS or HH:MM:SS, greater than 0. */
int read_duration(const char *what, const char *text, double *seconds);
/* Tell the library how many steps follow, as far as that is known. */
void expect_steps(const struct time_choice *time);

#endif
