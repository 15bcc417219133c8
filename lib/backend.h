/* backend.h - the small vtable behind every backend. A backend only moves and launches: checks of options, the life of a run and the
   statistics of transfers are solver.c's. */
#ifndef EULERCL_BACKEND_H
#define EULERCL_BACKEND_H
#include "internal.h"

/* What a backend gets and keeps up to date. */
struct run {
    struct system system;
    eulercl_options options;           /* checked */
    size_t variant;                    /* index into the backend's variants */
    void *impl;                        /* the backend's own */
    /* filled in by create, step: */
    char device[256], device_id[32];
    uint64_t launches, device_bytes, threads, workgroup_size, workgroups;
    uint64_t global_bytes;
    uint64_t tiles, dia_blocks, block_size, steps_per_launch, local_bytes;
    const char *storage, *distribution;        /* NULL: none */
    uint64_t points_per_item, rows_per_item, workgroup_rows, steps_per_exchange, redundant_component_steps;
    int persistent;
    double predicted_seconds;          /* of a step; 0: not predicted */
    double device_seconds;
    double build_seconds;
};

/* `steps` steps of size h; step number s, counted from first_step, starts at t_base + s * h. */
struct stretch {
    int64_t first_step, steps;
    double t_base, h;
};

/* The time a step starts at: a sum in double, rounded to the run's precision where it is used. */
static inline double eulercl_step_time(const struct stretch *stretch, int64_t step) {
    return stretch->t_base + (double)(stretch->first_step + step) * stretch->h;
}

/* A way to run the system, for the planner: the options with what was left open filled in, and the time of a step as predicted. */
struct proposal {
    eulercl_options options;           /* backend and variant among them */
    double step_seconds;
};

struct backend {
    int (*create)(struct run *run, eulercl_error *error);              /* the state is zero; on failure nothing is left */
    void (*destroy)(struct run *run);
    int (*write)(struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
    int (*read)(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
    /* returns when the steps are done; *seconds: wall time from the first enqueue to the finish */
    int (*step)(struct run *run, const struct stretch *stretch, double *seconds, eulercl_error *error);
    int (*find_nonfinite)(struct run *run, int64_t *component, eulercl_error *error);      /* the first one; -1: none */
    /* NULL: not on this backend */
    int (*borrow)(struct run *run, void **cl_mem_state, eulercl_error *error);
    int (*source)(const struct ode_problem *definition, const eulercl_options *options, size_t variant, int64_t n, char **source, eulercl_error *error);
    /* Up to `most` ways to run run->system under run->options, the best first, without touching the device (NULL for a CPU backend); -> how many */
    int (*propose)(const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most);
};

#define BACKEND(NAME, TABLE, IS_OPENCL, DOC, ...) extern const struct backend TABLE;
#include "backends.def"
#undef BACKEND

/* The first value of y[0 .. count-1] that is infinite or not a number; -1: none. */
int64_t eulercl_first_nonfinite(const void *y, int64_t count, size_t real_size);

/* Whether the default backend should be OpenCL: there is a GPU that can run the system. */
int eulercl_gpu_suits(const struct run *run);

#endif
