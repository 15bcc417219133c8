/* SPDX-License-Identifier: BSD-2-Clause */
/* solve.h - eulercl solve: its options and its report. */
#ifndef CLI_COMMAND_SOLVE_H
#define CLI_COMMAND_SOLVE_H

#include "eulercl/eulercl.h"
#include "format/field.h"
#include "format/past.h"
#include "format/record.h"
#include "shared/facts.h"
#include "shared/problem.h"
#include "shared/timespan.h"

struct solve_run {
    struct problem_choice choice;
    eulercl_options options;
    struct time_choice time;
    int print_kernel;
    const char *in, *resume;
    struct field *fields;
    size_t n_fields;
    char *fields_text; /* those that were set, with their hashes; NULL: none */
    struct past past;  /* with resume */
    double wall_time;  /* seconds; 0: no limit */
    int quiet;
    int is_dense;  /* snapshots at times do not shorten steps to a tolerance */
    double last_h; /* size of the last, shorter step; 0: all steps were equal */
    struct recording recording;
};
/* The input is a struct solve_run. */
extern const struct argp solve_argp;

/* ---- solve_report.c ---- */

struct solve_report {
    const struct solve_run *run;
    struct facts facts;
    double seconds; /* time of the whole run; until compute() ends, its start on the wall clock */
};
int print_report(const struct solve_report *report);
/* --in reads only the state: report how the run that it comes from differs from this one. */
int note_differences(const struct solve_run *run, const struct origin *origin);
/* Fail where the state of --resume has another shape, which the text of a FILE.c may have changed.
 */
int compare_resumed(const struct solve_run *run, const struct origin *origin);

#endif
