/* SPDX-License-Identifier: BSD-2-Clause */
/* check.h - what the parts of eulercl_check share: the check at work, the states that it computes
 * with, and the verdicts that it reports. */
#ifndef EULERCL_CHECK_H
#define EULERCL_CHECK_H
#include "../run/backend.h"
#include "../problem/grid.h"
#include "../random.h"
#include "../reals.h"
#include "../problem/system.h"
#include <math.h>

/* The checks, in their order. Those before the arithmetic look at the text, with any code. */
#define CHECKS(CHECK) \
    CHECK(memory)     \
    CHECK(distance)   \
    CHECK(radius)     \
    CHECK(positions)  \
    CHECK(times)      \
    CHECK(arithmetic) \
    CHECK(forms)      \
    CHECK(determinism) CHECK(lanes) CHECK(opencl) CHECK(finite) CHECK(stability)
#define NUMBER_(NAME) CHECK_##NAME,
enum check_id { CHECKS(NUMBER_) CHECK_COUNT };

enum {
    STATES = 2,    /* near the initial state, and anywhere */
    ALL = 1 << 20, /* components up to which all are compared; else ranges of them */
    RANGES = 10,
    MOST_SHIFT = 7, /* reals by which the state is moved in memory */
    GUARD = 64,     /* reals before and after the state that nobody may read, at least */
    LINE = 480,
};

/* A step so large that the new values show each derivative to its last bit: for code that computes
 * steps alone. */
static const double big_step = 0x1p20;

struct check {
    eulercl_problem *problem; /* its own */
    const struct ode_problem *definition;
    eulercl_problem_info info;
    eulercl_options options;
    eulercl_check_report report;
    eulercl_check_observer *observer;
    void *user;
    eulercl_error *error;
    /* For the precision that is checked: */
    struct system system;
    int64_t guard;                              /* reals on either side of a state */
    char *memory[3], *clean, *scratch, *result; /* states: 0 and 1 with guards */
    double t, peak;                             /* time of the state, and its largest magnitude */
    int state;
    /* Findings about what is read, over all states: */
    int64_t distance, cyclic, radius, looked_at,
        farthest;         /* farthest: a component that reads that far */
    int64_t usable;       /* derivatives that were numbers; a NaN would hide what they read */
    int is_searched;      /* an earlier precision has found the reads */
    int is_deterministic; /* computed twice, the results were equal */
    int reads_too_far;    /* the right-hand side reads further than the problem declares */
    int is_wild;          /* it reads beyond the state, so it may crash without guards */
    /* end of the run that the options describe; at most t0: no run is described */
    double t_end;
    /* the stable step size; the next three say how its estimate ended */
    eulercl_stability stability;
    int estimated;
    eulercl_error why;
    char hint[64];
    /* components of other points that are read, as bits; the last bit is for all others */
    uint64_t neighbours;
};

static inline const char *place(const struct check *c) {
    return c->state ? "at random values" : "near the initial state";
}
static inline const char *precision_of(const struct check *c) {
    return real_name(c->system.real_size);
}

/* ---- check/findings.c ---- */

int ecl_check_tell(struct check *c, enum check_id id, enum eulercl_verdict verdict, int status,
    int64_t component, const char *log, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
#define HOLDS(id, ...) ecl_check_tell(c, CHECK_##id, EULERCL_HOLDS, EULERCL_OK, -1, "", __VA_ARGS__)
#define REMARK(id, ...) \
    ecl_check_tell(c, CHECK_##id, EULERCL_REMARK, EULERCL_OK, -1, "", __VA_ARGS__)
#define SKIPPED(id, ...) \
    ecl_check_tell(c, CHECK_##id, EULERCL_SKIPPED, EULERCL_OK, -1, "", __VA_ARGS__)
#define FAILS(id, status, component, ...) \
    ecl_check_tell(c, CHECK_##id, EULERCL_FAILS, status, component, "", __VA_ARGS__)

/* ---- values ---- */

static inline double get(const struct check *c, const void *y, int64_t i) {
    return real_get(y, i, c->system.real_size);
}

static inline void set(const struct check *c, void *y, int64_t i, double value) {
    real_set(y, i, c->system.real_size, value);
}

/* Compare bits; all NaNs are the same. */
static inline int is_same(double a, double b) {
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static inline double evaluate(const struct check *c, int64_t i, const void *y) {
    return ecl_system_component(&c->system, i, c->t, y);
}

/* ---- check/values.c ---- */

/* State number c->state and its time: the initial state, a little changed; anything between -2
 * and 2, or between such multiples of the problem's unit. */
int ecl_check_make_state(struct check *c, int state, char *y);
/* The parts of the system that are compared; -> how many. */
int ecl_check_get_ranges(const struct check *c, int64_t (*ranges)[2]);
/* How many components those are. */
int64_t ecl_check_compared(const struct check *c);
/* Where a and b differ in begin .. end - 1: the first place, or -1; counts into *count. */
int64_t ecl_check_first_difference(const struct check *c, const void *a, const void *b,
    int64_t begin, int64_t end, int64_t *count);
/* Poison the memory before and after a state that is moved by `shift` reals. A right-hand side that
 * reads there reads the same everywhere, and check_reads finds it. */
void ecl_check_guard(const struct check *c, char *memory, int shift);
/* Make the system and the buffers of a precision; *why has the reason of a failure. On failure some
 * of them may be left. */
int ecl_check_open(struct check *c, enum eulercl_precision precision, eulercl_error *why);
void ecl_check_close(struct check *c);

/* ---- the checks: each tells what it found, and fails only if it cannot go on ---- */

/* The two passes over a range: derivatives, and values after a step of big_step. */
enum { EVAL_RANGE, STEP_RANGE, PASSES };
/* Code number index, the plainest first; a struct without the list has the one that runs. */
const struct ode_kernels *ecl_check_kernels(const struct check *c, uint32_t index);

int ecl_check_arithmetic(struct check *c);
/* Compute the same input twice. */
int ecl_check_repeats(struct check *c);
int ecl_check_forms(struct check *c);
/* Compute in parts of any size, and elsewhere in memory. */
int ecl_check_places(struct check *c);
int ecl_check_reads(struct check *c);
int ecl_check_positions(struct check *c);
/* Look for jumps of a right-hand side that reads the time. */
int ecl_check_times(struct check *c);
int ecl_check_lanes(struct check *c);
int ecl_check_opencl(struct check *c);
/* The problem has an initial state. */
int ecl_check_finite(struct check *c);
int ecl_check_tell_stability(struct check *c);
#endif
