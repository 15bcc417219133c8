/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime.h - devices, contexts, queues, programs, buffers: the only file that creates
 * OpenCL objects. */
#ifndef EULERCL_OPENCL_RUNTIME_H
#define EULERCL_OPENCL_RUNTIME_H
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include "../run/backend.h"
#include "../problem/time_factors.h"

struct cl_runtime {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    struct cl_built *built; /* programs that were compiled in this context */
    eulercl_device_info info;
    size_t max_arguments; /* bytes of a kernel's arguments */
    int shares_memory;    /* the device's memory is that of the host */
};

/* Fill the error record from an OpenCL status: MEMORY or INTERNAL. `doing` is the function, or the
 * work, that failed. */
int ecl_cl_fail(eulercl_error *error, cl_int cl, const char *doing);

/* Functions of struct engine: find the device that the backends take under these options, without
 * making anything on it, and measure its limits (ceilings.c). */
int ecl_cl_find_device(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
    int *chosen_by_user, eulercl_error *error);
int ecl_cl_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error);

/* Choose the device (or use the caller's queue), and make context and queue. On failure everything
 * is released. */
int ecl_cl_open(struct cl_runtime *runtime, const eulercl_options *options, eulercl_error *error);
void ecl_cl_close(struct cl_runtime *runtime);

/* Compile the source, unless it is among the last ones that were compiled in this context. The
 * program takes the place of the one that was there; on failure that remains, and the error record
 * gets the compiler's log. The time is added to *seconds. */
int ecl_cl_build(
    struct cl_runtime *runtime, const char *source, double *seconds, eulercl_error *error);

/* A kernel of the program, and the largest work-group it can have. */
int ecl_cl_kernel(const struct cl_runtime *runtime, const char *name, cl_kernel *kernel,
    size_t *max_workgroup, eulercl_error *error);

/* Make a zeroed buffer; `what` names it in messages. */
int ecl_cl_buffer(const struct cl_runtime *runtime, uint64_t bytes, const char *what,
    cl_mem *buffer, eulercl_error *error);

/* Make one more in-order queue, for another thread. The caller releases it. */
int ecl_cl_queue(const struct cl_runtime *runtime, cl_command_queue *queue, eulercl_error *error);

/* Host memory that the device can access, if the driver supports it: reading into it needs no copy
 * on the host, and does not block. */
struct cl_staging {
    cl_mem buffer;
    void *memory; /* NULL: no memory */
};
/* A buffer of existing memory, at the beginning of a page. */
int ecl_cl_stage_at(const struct cl_runtime *runtime, void *memory, uint64_t bytes,
    struct cl_staging *staging, eulercl_error *error);
int ecl_cl_stage(const struct cl_runtime *runtime, uint64_t bytes, struct cl_staging *staging,
    eulercl_error *error);
void ecl_cl_unstage(
    const struct cl_runtime *runtime, struct cl_staging *staging); /* one of zeros is allowed */

/* contract.c: compare the device's arithmetic with the host's, once per device and precision. */
int ecl_cl_check_contract(const struct cl_runtime *runtime, size_t real_size, eulercl_error *error);

/* local_memory.c: whether a work-group can have so much local memory, which may be more than the
 * device reports; tried out once per device and size. */
int ecl_cl_has_local_memory(struct cl_runtime *runtime, uint64_t bytes);

/* The place of a window, as far as the text of a program contains it: numbers that nothing reads
 * are 0. */
struct cl_place {
    int64_t first, low, high, kept, kept_end;
};
struct cl_place ecl_cl_place(const struct system *system);
/* Whether the first row of the window is among the kernels' constants instead, so that one text
 * serves all places of it: as the bits of the real behind those of the problem. */
int ecl_cl_is_place_constant(const struct system *system);

/* The kernels of a backend, as text. */
struct cl_text {
    const char *name;
    const unsigned char *bytes;
    const unsigned long *size;
};
#define CL_TEXT(FILE, NAME) \
    { FILE, ecl_text_##NAME, &ecl_text_##NAME##_size }
enum {
    CL_TEXTS = 6,
    MOST_ATOLS = 16 /* unknowns whose atols are an argument of kernels, by value (estimate.cl) */
};
struct cl_program_text {
    const char *settings;   /* #defines of its own, or NULL */
    int in_local_memory;    /* the right-hand side also reads from local memory */
    int holds_coefficients; /* it also reads coefficients from private memory */
    int has_no_windows;     /* it reads no state from private memory */
    /* the system whose steps end in kernels, which then flush tiny values and compare errors; NULL:
     * no step ends in a kernel */
    const struct system *ending;
    struct cl_text texts[CL_TEXTS]; /* texts in their order; the last one has the name NULL */
};

/* source.c: the time factors that programs get from the host; none with the device's own functions.
 */
void ecl_cl_find_factors(const struct ode_problem *definition, const eulercl_options *options,
    struct time_factors *factors);

/* source.c: the complete text of a program, in memory of mem.c. largest_index decides the width of
 * the kernels' indices. */
int ecl_cl_source(const struct system *system, const eulercl_options *options,
    int64_t largest_index, const struct cl_program_text *tiling, char **source,
    eulercl_error *error);
#endif
