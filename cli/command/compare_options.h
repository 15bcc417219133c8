/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_options.h - the options of eulercl compare. */
#ifndef CLI_COMMAND_COMPARE_OPTIONS_H
#define CLI_COMMAND_COMPARE_OPTIONS_H

#include "eulercl/eulercl.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/list.h"
#include "shared/problem.h"
#include "shared/timespan.h"

/* The swept quantity: nothing, the size, the steps, h, the tolerance, a parameter of the problem or
 * a field of the options. */
enum sweep_kind { SWEEP_NOTHING, SWEEP_SIZE, SWEEP_STEPS, SWEEP_H, SWEEP_TOL, SWEEP_NAME };

struct compare_request {
    struct problem_choice choice;
    eulercl_options options; /* with --tols the tolerance of the first point */
    struct time_choice time;
    struct matrix matrix;
    struct list values;
    enum sweep_kind sweep;
    const char *sweep_option, *sweep_name;
    const char *reference;
    struct report *report;
    int64_t runs;
};
/* The input is a struct compare_request. */
extern const struct argp compare_argp;

#endif
