/* SPDX-License-Identifier: BSD-2-Clause */
/* state.h - common parts of the OpenCL backends: the two arrays of the state on a device,
 * the program, the search for inf and NaN. */
#ifndef EULERCL_OPENCL_STATE_H
#define EULERCL_OPENCL_STATE_H
#include "runtime.h"

enum {
    /* The queue is drained now and then, so that a run of 1e9 steps does not hold 1e9 commands. */
    LAUNCHES_IN_FLIGHT = 4096,
    /* Batches whose errors have places of their own: filling them takes as long as a short launch.
     */
    ERROR_BATCHES = 1024,
    /* Levels per table of times. */
    TABLE_LEVELS = 1 << 18,
    CL_REDUCERS = 8, /* rows of the table in reduce.c */
};

/* The kernel of a reducer. */
struct cl_reducer {
    cl_kernel kernel; /* NULL until it is used */
    size_t workgroup; /* items at most */
};

/* First member of a backend's run->impl, so that the functions of the vtable below serve every
 * backend. */
struct cl_state {
    struct cl_runtime runtime;
    char *source; /* text of the program, for ecl_cl_change_program; NULL: not kept */
    cl_mem now, next, fields, found;
    cl_mem carried; /* the method's carried values; NULL: it carries nothing */
    uint64_t carried_bytes;
    /* Set the constants, and perhaps other arguments that stay the same from batch to batch. */
    cl_int (*set_arguments)(const struct run *run);
    cl_mem stages; /* the method's coefficients, for kernels that make several levels; else NULL */
    int64_t stages_room;
    cl_mem errors; /* if the method estimates them: the greatest ratio of each of ERROR_BATCHES
                      batches; NULL: never made */
    cl_int batch;  /* the number of the present batch */
    cl_mem atols;  /* atols of more than MOST_ATOLS unknowns; NULL: they are an argument by value */
    struct cl_staging worst; /* where a greatest ratio is read to */
    /* memory for several parts of the state; empty until it is used */
    struct cl_staging gathered;
    struct cl_transfer *transfer; /* copies large parts of the state; NULL: not made yet */
    /* changes when something other than a step has changed the state */
    int64_t version;
    int is_borrowed; /* others may change it at any time */
    int is_swapped;  /* `now` has been another buffer than `now` and `next` at first */
    struct time_factors factors;
    /* instants of levels (words.cl), for kernels that make several; NULL: not made */
    cl_mem times;
    char *table; /* the instants on the host; NULL: the time is not used */
    cl_kernel kernel, find;
    cl_command_queue second; /* moves rows while others are computed; NULL: not made */
    /* the rows that neighbours need first are computed; NULL: there were no such rows */
    cl_event early;
    /* launches of a batch, with device_events; NULL: none yet */
    cl_event first_launch, last_launch;
    struct cl_reducer reducers[CL_REDUCERS]; /* reduce.c */
    cl_mem parts;                            /* numbers that they have computed; NULL: none yet */
    uint64_t parts_bytes;
    cl_mem places; /* where the numbers of each of place_count parts begin; NULL: none yet */
    int64_t place_count;
    /* the host memory that they are read into, which the device can access: a plain read takes
     * three times as long */
    struct cl_staging parts_read;
    uint64_t global_bytes; /* bytes that launches have read from and written to the state */
    size_t workgroup, groups, max_workgroup, find_workgroup;
    size_t constants_bytes;
    int64_t find_share;    /* components per work-group of the search */
    struct cl_place place; /* place of the window, as far as it is in the text of the program */
    int64_t largest_index; /* decides the width of the kernels' indices */
};

/* Check that the device supports the run; run->impl is a zeroed struct that begins with a cl_state,
 * whose runtime is open. */
int ecl_cl_check_device(struct run *run, eulercl_error *error);

/* Build the source, make the kernel called name, the buffers and the search. On failure the caller
 * destroys the run. */
int ecl_cl_prepare(struct run *run, const char *source, const char *name, eulercl_error *error);

/* Go on with the kernel called name of another source, which is taken over, and with indices of
 * another width, unless it is the text of the present program (state->source). set_arguments sets
 * the arguments of the new kernel that stay the same from batch to batch. On failure nothing has
 * changed. Errors: UNSUPPORTED (the kernel does not allow the present work-groups). */
int ecl_cl_change_program(struct run *run, char *source, const char *name, int64_t largest_index,
    cl_int (*set_arguments)(const struct run *run), eulercl_error *error);

/* Choose work-groups of `wanted` items, which the kernel must allow. 0: take the preferred number,
 * or what the kernel allows. */
int ecl_cl_choose_workgroup(
    struct run *run, uint64_t wanted, size_t preferred, eulercl_error *error);

/* Buffers for the method's carried values and for its coefficients, unless those that are there
 * have room. They are arguments of a batch: a kernel that stays when a change of the method fails
 * must not keep a buffer that was replaced. */
int ecl_cl_make_carried(struct run *run, eulercl_error *error);
int ecl_cl_make_stages(struct run *run, eulercl_error *error);

/* If the method estimates errors: the greatest ratio of a batch, and the arguments of a kernel for
 * it, from number `place` on (ESTIMATE_ARGUMENTS). It is asked for after the launches of the batch,
 * and taken, into run->report.worst_error, when they have ended; others may be launched in between.
 * Without an estimate these functions do nothing. */
int ecl_cl_make_errors(struct run *run, eulercl_error *error);
cl_int ecl_cl_set_errors(const struct run *run, cl_kernel kernel, cl_uint place);
cl_int ecl_cl_begin_errors(struct run *run);
cl_int ecl_cl_ask_errors(const struct run *run, cl_event *answer);
cl_int ecl_cl_take_errors(struct run *run, cl_event answer);
cl_int ecl_cl_read_errors(struct run *run); /* both */

/* times.c */
/* A table of the instants of TABLE_LEVELS levels; without `is_read` one that is never written takes
 * its place. */
int ecl_cl_make_times(struct run *run, int is_read, eulercl_error *error);
/* Write the instants of `levels` levels of a batch, at most TABLE_LEVELS, from number `begin` on.
 */
cl_int ecl_cl_write_times(
    struct run *run, const struct batch *batch, int64_t begin, int64_t levels);
/* Make the instant of a level an argument of a kernel. */
cl_int ecl_cl_set_instant(const struct run *run, cl_kernel kernel, cl_uint place,
    const struct batch *batch, int64_t level);

/* Launch a kernel that computes steps of a batch; counts it, and drains the queue now and then.
 */
cl_int ecl_cl_launch(struct run *run, cl_kernel kernel, cl_uint dimensions, const size_t *items,
    const size_t *workgroup);
/* End a batch: wait for its launches. `cl`: their status so far; `start`: the time of the first
 * launch. With device_events the device's time is added to run->report.device_seconds. */
cl_int ecl_cl_finish(struct run *run, cl_int cl, double start, double *seconds);

/* Rows that neighbours need first: mark their launches, before those of the others. After all
 * launches, hand these to the device and wait for the mark. Before the next step, forget it;
 * returns whether there was a mark, so that launches may still go on. */
cl_int ecl_cl_mark_early(struct run *run);
cl_int ecl_cl_wait_early(const struct run *run);
int ecl_cl_end_early(struct run *run);

/* Arguments in the width and precision that the program was built with. */
cl_int ecl_cl_set_index(
    const struct cl_state *state, cl_kernel kernel, cl_uint place, int64_t value);
/* The same for an ode_axes of the kernel. */
cl_int ecl_cl_set_axes(
    const struct cl_state *c, cl_kernel kernel, cl_uint place, const int64_t values[ODE_MOST_AXES]);
cl_int ecl_cl_set_real(const struct run *run, cl_kernel kernel, cl_uint place, double value);

/* Bytes of a buffer for the state: kernels may read whole vectors at the end. */
uint64_t ecl_cl_room(const struct system *system);
/* The vtable's move. The place may be among the constants, which set_arguments sets. */
int ecl_cl_move(struct run *run, int (*change_method)(struct run *run, eulercl_error *error),
    cl_int (*set_arguments)(const struct run *run), eulercl_error *error);

/* The vtable's; backends with facts of their own begin with ecl_cl_facts. */
void ecl_cl_facts(const struct run *run, eulercl_stats *stats);
void ecl_cl_destroy(struct run *run);
extern const struct memory_table ecl_cl_memory;
extern const struct early_table ecl_cl_early;
extern const struct state_table ecl_cl_state; /* reduce.c, of these: */
int ecl_cl_write(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
int ecl_cl_change_coefficients(struct run *run, eulercl_error *error);
int ecl_cl_read(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
/* States of at most this size, which tests lower, are searched by the host. */
extern int64_t ecl_cl_find_on_host;
int ecl_cl_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error);
/* reduce.c: numbers of a reduction that are computed at once, unless one part has more; tests lower
 * it. */
extern int64_t ecl_cl_numbers_at_once;
/* snapshot.c: copies, and the vtable's slot but for move. */
extern const struct copy_table ecl_cl_copies;
int ecl_cl_fill(void *copy, int64_t first, int64_t count, const void *y, eulercl_error *error);
int ecl_cl_fetch(void *copy, int64_t first, int64_t count, void *y, eulercl_error *error);
int ecl_cl_swap(struct run *run, void *copy, eulercl_error *error);
#endif
