/* SPDX-License-Identifier: BSD-2-Clause */
/* plan.h - the planner: which backend, which variant, which tuning parameters. */
#ifndef EULERCL_PLAN_H
#define EULERCL_PLAN_H
#include "backend.h"
#include <string.h>

enum { MOST_PROPOSALS = 64 };

struct plan {
    const char *how; /* "estimate", "wisdom", "measured" */
    const char
        *backends; /* the group that was chosen from: "all", "opencl", "cpu", or the name of one */
    eulercl_device_info device; /* of the OpenCL backends, or the processor */
    int64_t expected_steps;
    int count, measured; /* proposals; the first so many have measured times */
    struct proposal proposals[MOST_PROPOSALS]; /* the one to try first in front */
    char note[512];                            /* what the user should know; "" */
    eulercl_error why; /* for the caller's use: why the first proposal did not work */
};

static inline int eulercl_is_automatic(const eulercl_options *options) {
    return !options->backend || !strcmp(options->backend, "auto");
}

/* For run->system under run->options, without making anything on the device. The caller frees the
   plan. Errors: INVALID (no backend has the variant; the caller's queue), NO_DEVICE (a backend was
   given that needs one), MEMORY. */
int eulercl_plan_make(const struct run *run, struct plan **plan, eulercl_error *error);

/* Time the most promising proposals with the system itself, put the fastest in front, and remember
   it. What cannot be measured or remembered is a note. Errors: CANCELLED (by the observer, which
   may be NULL), MEMORY. */
int eulercl_plan_measure(const eulercl_problem *problem, const struct run *run, struct plan *plan,
    eulercl_tune_observer *observer, void *user, eulercl_error *error);

/* Why the proposal with this index was taken, in one line. */
void eulercl_plan_reason(const struct plan *plan, int index, char *text, size_t size);
#endif
