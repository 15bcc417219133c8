/* SPDX-License-Identifier: BSD-2-Clause */
/* internal.h - declarations for all parts of the library. */
#ifndef EULERCL_INTERNAL_H
#define EULERCL_INTERNAL_H

#include <stdarg.h>
#include <stdint.h>
#include <time.h>
#include <eulercl/eulercl.h>
#include <eulercl/ode_problem.h>

/* status.c: fill the error record (NULL allowed) and return the code. */
int ecl_fail(eulercl_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Fail with a record that was filled elsewhere. A call whose failure may be harmless gets a record
 * of its own, because success must not change the caller's record. */
int ecl_fail_as(eulercl_error *error, const eulercl_error *why);
/* MEMORY: "no memory for <what>". */
int ecl_no_memory(eulercl_error *error, const char *what);
/* Check a pointer that a public function needs, at its beginning. */
#define EULERCL_NEEDS(pointer) \
    if (!(pointer)) return ecl_fail(error, EULERCL_INVALID, "%s: " #pointer " is NULL", __func__)

/* status.c: write one line of plain UTF-8 for any arguments; at most 1,000 bytes. */
void ecl_text(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ecl_vtext(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Copy the first `given` bytes of a library struct into the caller's, which may be older and
 * shorter. */
int ecl_copy_out(void *to, size_t given, const void *from, size_t size, eulercl_error *error);

static inline double ecl_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct method; /* method.h */
struct method_family;

/* Numbers of the components of a point, which repeat along an array (pattern.h). */
struct pattern {
    void *reals; /* in the precision of the system; NULL: no numbers */
    int64_t period;
};

/* Weights atol + rtol |y| of the errors that the method estimates, if it does (tolerance.h). */
struct tolerance {
    double rtol;
    int64_t unknowns;     /* components of a point, each with an atol of its own; 0: no tolerance */
    double *atol;         /* atol of each unknown; 0: not known yet */
    double *greatest;     /* magnitude of each that has been seen since the steps began */
    unsigned char *rules; /* enum atol_rule */
    struct pattern along, lanes; /* atol of the state, and of rows in lanes (struct ode_lanes) */
};

/* What decides how long a right-hand side takes, from its preprocessed text. */
struct text_work {
    double functions; /* at a point, in units of an exp (function_work.h) */
    int remainders;   /* of integers */
    int fields;       /* reads of a field, here or at a neighbour */
    int has_marks;    /* it reads those of the point */
};

/* An initial-value problem with all numbers settled, in one precision, and the method that advances
 * it: what a backend works on. */
struct system {
    const struct ode_problem *definition;
    /* the method that the options name, or that was chosen; NULL: not chosen yet */
    const struct method_family *family;
    char why_method[256]; /* why it was chosen, or "" */
    const struct method *method;
    struct method *made; /* the same, if it was made for this system; else NULL */
    size_t real_size;    /* sizeof(float) or sizeof(double) */
    int64_t n, access_distance;
    int reads_all;        /* each component may read all of the state (ODE_ACCESS_ALL) */
    uint64_t state_bytes; /* n * real_size; twice that does not overflow */
    uint64_t field_bytes;
    void *constants;                   /* definition->constant_count reals */
    void *fields;                      /* field_bytes, never NULL */
    struct ode_context context;        /* parameters and constants in this precision */
    const struct ode_kernels *kernels; /* NULL: one call per component */
    int is_baseline; /* the kernels are baseline code, in whose place the fast code may come */
    int64_t kept, kept_end; /* rows along the last axis of the grid (general form: components)
                               whose errors count: all, but for ghosts of a window */
    int reads_time;         /* the right-hand side reads t, or may */
    struct text_work work;
    uint32_t moving_sides; /* sides whose boundary values read t, or may: ecl_moving_sides */
    int moves;             /* a window that will be moved (ecl_system_move_window) */
    struct tolerance tolerance;
    /* Steps to a tolerance whose method is chosen: the size of a step, and the evaluations of f in
     * it, that are expected at the start; 0: not known. */
    double expected_h;
    int expected_evaluations;
    double flush_below;   /* the threshold of all components, not rounded; NaN: they differ */
    struct pattern flush; /* thresholds of tiny values (flush.h) of the state; NULL: all are 0 */
    struct pattern lane_flush; /* thresholds of rows in lanes (struct ode_lanes) */
};

/* problem.c. The method is Euler's, and nothing is flushed; ecl_settle_method sets what the
 * options say. */
int ecl_system_create(const eulercl_problem *problem, enum eulercl_precision precision,
    struct system *system, eulercl_error *error);
void ecl_system_destroy(struct system *system);
/* The constants of a problem in a precision: parameters and what is derived from them. Errors:
 * INVALID (one is not finite in it), MEMORY. */
int ecl_fill_constants(
    const eulercl_problem *problem, size_t real_size, void *constants, eulercl_error *error);
/* The system with the code of another definition of the same problem. It shares everything with the
 * one before but what ecl_system_drop_code frees: one of both is to be dropped so. Errors: MEMORY,
 * UNSUPPORTED. */
int ecl_system_change_code(const struct system *before, const struct ode_problem *definition,
    struct system *system, eulercl_error *error);
void ecl_system_drop_code(struct system *system);
eulercl_problem *ecl_problem_copy(const eulercl_problem *problem);
const struct ode_problem *ecl_problem_definition(const eulercl_problem *problem);
/* values.c: whether eulercl_problem_initial works. */
int ecl_has_initial(const eulercl_problem *problem);
/* The times of ODE_BREAKPOINTS: as many as the definition says. */
void ecl_problem_breakpoints(const eulercl_problem *problem, double *times);
/* The values of ODE_FLUSH_BELOW and of ODE_ATOL; 0 without these. */
double ecl_problem_flush_below(const eulercl_problem *problem, int64_t component);
double ecl_problem_atol(const eulercl_problem *problem, int64_t component);

/* stability.c: make the method and the tiny values of the options those of the system. Where the
 * options leave the number of stages open, it is the smallest that is stable near the initial state
 * with the step size h; if h is 0, a moderate one. Errors: INVALID (unknown method, stages that it
 * does not have), UNSUPPORTED (a partitioned method, and the problem does not say which components
 * are positions; a step size that is too large for all numbers of stages), MEMORY. */
int ecl_settle_method(const eulercl_problem *problem, const eulercl_options *options, double h,
    struct system *system, eulercl_error *error);

/* options.c: a copy of the caller's options, checked. */
int ecl_options_check(const eulercl_options *given, eulercl_options *checked, eulercl_error *error);
/* backends.c: whether a run with these options, which are checked, may begin with baseline code. */
int ecl_options_may_move(const eulercl_options *checked);

#endif
