/* SPDX-License-Identifier: BSD-2-Clause */
/* plan.h - the planner: it settles the configuration of a run, which is the backend, the variant
 * and the tuning parameters. */
#ifndef EULERCL_PLAN_H
#define EULERCL_PLAN_H
#include "../run/backend.h"

struct transport; /* run/transport.h: of several processes that share the system; NULL: there is
                     one process */

enum { MOST_PROPOSALS = 64 };

struct plan {
    const char *how;      /* "estimate", "wisdom", "measured" */
    const char *backends; /* the candidates: "all", "opencl", "host", or the name of a backend */
    eulercl_device_info device; /* device of the OpenCL backends, or the processor */
    int64_t expected_steps;
    struct core_rates rates; /* that the proposals are made with */
    int is_repeated;         /* one of the proposals was built before, and steps are expected */
    int count, measured;     /* number of proposals, and of those in front with measured times */
    struct proposal proposals[MOST_PROPOSALS]; /* the one to try first in front */
    char note[512];                            /* a note for the user, or "" */
    eulercl_device_info too_small; /* the best GPU without enough memory: the state may stream
                                      through it, and the proposals are for the processor;
                                      struct_size 0: there is no such GPU */
    int is_wanted;                 /* the user has chosen that GPU */
};

/* Order the proposals of a system that was run before, where the future shares what is compiled. */
void ecl_plan_share(struct plan *plan);

/* The number of steps that is expected of the run, in steps of its present method; 0: not known. */
int64_t ecl_plan_steps(const struct run *run);

/* Make a plan for run->system under run->options, without making anything on the device. The caller
   frees the plan. Errors: INVALID (no backend has the variant; the caller's queue), NO_DEVICE (a
   backend was given that needs one), MEMORY. */
int ecl_plan_make(const struct run *run, struct plan **plan, eulercl_error *error);

/* Time the most promising proposals with the system itself, put the fastest in front, and remember
   it. A failure to measure or to remember becomes a note. Errors: CANCELLED (by the observer, which
   may be NULL), MEMORY. */
int ecl_plan_measure(const eulercl_problem *problem, const struct run *run, struct plan *plan,
    eulercl_tune_observer *observer, void *user, eulercl_error *error);

/* Why the proposal with this index was taken, in one line. */
void ecl_plan_reason(const struct plan *plan, int index, char *text, size_t size);

/* The configuration of a run, and how it was chosen. */
struct settled {
    size_t backend; /* index into ecl_backends; on several devices that of one of them */
    const struct backend *table; /* its vtable, or that of several devices */
    const char *plan;            /* how "auto" chose; "" if the options name the backend */
    char reason[512], note[512];
};

/* Settle the configuration of run->system under run->options, and create the run. On failure
 * nothing is left. Errors: those of ecl_plan_make and of the backend's create. */
int ecl_settle(const eulercl_problem *problem, struct run *run, const struct transport *transport,
    struct settled *settled, eulercl_error *error);
/* windows/windows.c: whether each of options.devices is there; and ecl_settle on several
 * devices, whose errors are also NO_DEVICE and UNSUPPORTED (a system that cannot be cut so). */
struct several_devices {
    int (*verify)(const eulercl_options *options, eulercl_error *error);
    int (*settle)(const eulercl_problem *problem, struct run *run,
        const struct transport *transport, struct settled *settled, eulercl_error *error);
};
extern const struct several_devices ecl_windows;
/* windows/stream.c: ecl_settle for a state that streams through the device, on which the run
 * takes at most `limit` bytes. Errors, in addition: UNSUPPORTED (the system cannot be cut so),
 * FILE. */
struct streaming {
    int (*settle)(const eulercl_problem *problem, struct run *run, double limit,
        struct settled *settled, eulercl_error *error);
};
extern const struct streaming ecl_streaming;
#endif
