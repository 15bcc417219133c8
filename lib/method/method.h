/* SPDX-License-Identifier: BSD-2-Clause */
/* method.h - methods as data: what a step is made of, how far it reads, and when each of its levels
 * is computed. */
#ifndef EULERCL_METHOD_H
#define EULERCL_METHOD_H
#include "../internal.h"
#include <eulercl/ode_abi.h>
#include <eulercl/detail/ode_update.h>
#include <math.h>

/* The components whose values a stage replaces. The values of the others remain. */
enum stage_components { /* numbers as in ode_update.h */
    STAGE_ALL,
    STAGE_POSITIONS, /* the positions of a problem that has them */
    STAGE_VELOCITIES /* all other components */
};

/* One level of a step: see eulercl/detail/ode_update.h. */
struct stage {
    double c; /* the right-hand side is evaluated at t + c h */
    double a[ODE_MOST_ARRAYS_][ODE_MOST_ARRAYS_];
    double b[ODE_MOST_ARRAYS_];
    enum stage_components components;
    int in_place;
    /* A boundary value g that depends on the time is here g at the step's beginning and weights[k -
     * 1] times its difference to there at t + k/4 h, added up; all 0: g at t + c h (stage_values.c)
     */
    double weights[ODE_STEP_POINTS - 1];
    /* 1: its shape has no code in SIMD lanes on its account (lane_shapes.c): its steps would gain
     * less by code than compilers of all problems would lose. The bits are the same */
    int is_buffered;
};

/* A stage with h = 1 in plain double arithmetic: for what follows from the coefficients, such as
 * limits of stability. States are advanced by ode_update.h alone. */
static inline void ecl_apply_stage(const struct stage *stage, int arrays, double f, double *x) {
    double old[ODE_MOST_ARRAYS_];
    const double *const from = stage->in_place ? x : old;
    for (int i = 0; i < arrays; i++) old[i] = x[i];
    for (int i = arrays - 1; i >= 0; i--) {
        double sum = stage->b[i] * f;
        for (int j = 0; j < arrays; j++) sum += stage->a[i][j] * from[j];
        x[i] = sum;
    }
}

/* Whether a method estimates the errors of its steps. */
enum estimates {
    NO_ESTIMATES,
    ESTIMATES, /* estimates for equations that do not read t */
    /* estimates for equations that read t: a jump in time shows wherever it is in a step */
    ESTIMATES_OF_TIMES
};

struct method {
    const char *name;
    int order;
    int stages;     /* levels of a step; each reads the radius of the right-hand side further */
    int own_stages; /* stages that the options count: without those of the estimate */
    int arrays; /* values of a point: the solution and the carried ones, 1 .. ODE_MOST_ARRAYS_ */
    int evaluations;   /* evaluations of each component of the right-hand side in a step */
    double real_limit; /* a step is stable for h lambda = -real_limit .. 0 on the real axis */
    /* a step is stable for |h lambda| up to this on the imaginary axis; 0: never */
    double imaginary_limit;
    /* the array with an estimate of a step's error after its last stage; 0: no estimate */
    int estimate;
    int estimate_order; /* the estimate is proportional to h to this power */
    /* [stages]; the first stage reads no carried value, so steps hand on the solution alone */
    const struct stage *table;
};

/* Methods of one order and one name, which differ in the number of stages. Most families have one
 * member. */
struct method_family {
    const char *name, *doc; /* doc: what it is for, in one line */
    const char *source;     /* the literature */
    int order, arrays;
    int least, most; /* limits of the number of stages; equal in a family of one */
    int evaluations; /* as in struct method; 0: one per stage */
    /* the least number of stages that exists and is at least `stages`, which is in least .. most;
     * NULL: every number exists */
    int (*next)(int stages);
    double (*real_limit)(int stages);
    double (*imaginary_limit)(int stages);
    /* Fill a table of zeros. Rows of carried values that remain may be left out. */
    void (*fill)(int stages, struct stage *table);
    /* Members that estimate their errors: `estimate` and `estimate_order` as in struct method, and
     * the numbers of stages and arrays that they have in addition. fill_estimate changes the table
     * that `fill` has filled. NULL: no member estimates errors. */
    int estimate, estimate_order, more_stages, more_arrays;
    void (*fill_estimate)(int stages, struct stage *table);
};
/* methods.c: all of them, Euler's first; NULL at the end. */
extern const struct method_family *const ecl_methods[];

/* U <- U + h f(t, U): Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", sec.
 * I.7. */
extern const struct method ecl_euler;
/* U <- f(t, U) with h = 1: what a backend computes as right-hand side, to the last bit. */
extern const struct method ecl_derivative;

/* The family with this name. Errors: INVALID. */
int ecl_find_method(const char *name, const struct method_family **family, eulercl_error *error);
/* May options ask for this number of stages (0: they do not ask)? Errors: INVALID. */
int ecl_check_stages(const struct method_family *family, int stages, eulercl_error *error);
/* Whether its members can estimate the errors of their steps. Errors: UNSUPPORTED. */
int ecl_check_estimate(const struct method_family *family, eulercl_error *error);
/* The estimates that steps to a tolerance of a system need. */
enum estimates ecl_estimates_of(const struct system *system);
/* Create a member of a family with at least this number of stages (0: the least), with or without
 * an estimate of its errors. Free it by ecl_mem_free. Errors: INVALID (more stages than there are),
 * UNSUPPORTED (no estimate), MEMORY. */
int ecl_method_create(const struct method_family *family, int stages, enum estimates estimates,
    struct method **method, eulercl_error *error);
/* The most stages of a member with `stages` stages, its arrays, and its table from one of zeros,
 * which has room for these stages: -> how many it has. Weights are not set. */
int ecl_most_stages(const struct method_family *family, int stages, enum estimates estimates);
int ecl_family_arrays(const struct method_family *family, enum estimates estimates);
int ecl_fill_stages(
    const struct method_family *family, int stages, enum estimates estimates, struct stage *table);
/* Set the weights of the stages that see boundary values. */
void ecl_set_weights(int stages, struct stage *table);
/* Whether it has stages of some components only. */
int ecl_is_partitioned(const struct method *method);
/* The largest r such that |R(s z)| <= 1 for 0 <= s <= r, where R is the method's stability function
 * and z a number on the unit circle, re + i im with re <= 0. A partitioned method's R belongs to
 * q' = p, p' = -q, and z is i. */
double ecl_method_reach(const struct method *method, double re, double im);
/* Whether errors do not grow at h lambda = re + i im. */
int ecl_method_is_stable(const struct method *method, double re, double im);

/* Whether each stage is U <- fma(h b, F, U): no carried values, 1 as coefficient of U, and all
 * components. */
int ecl_is_plain(const struct method *method);
/* Whether a step is one such stage, at its start and with all of h. */
int ecl_is_euler_step(const struct method *method);

/* The times at which the right-hand side may be evaluated, between two breakpoints (breakpoints.h).
 * Both 0: all. */
struct time_range {
    double first, last;
};
/* `steps` steps of size h; step number s, counted from first_step, starts at t_base + s * h. */
struct batch {
    int64_t first_step, steps;
    double t_base, h;
    struct time_range range;
};

/* The nearest time in a range. */
static inline double ecl_time_within(const struct time_range *range, double t) {
    return range->first < range->last ? fmin(fmax(t, range->first), range->last) : t;
}

/* The time at which a level evaluates the right-hand side. Levels count from the batch's beginning,
 * method->stages to a step. It is a sum in double, which is rounded to the run's precision where it
 * is used. */
static inline double ecl_level_time(
    const struct method *method, const struct batch *batch, int64_t level) {
    const double start = batch->t_base +
                         (double)(batch->first_step + level / method->stages) * batch->h,
                 c = method->table[level % method->stages].c,
                 t = c == 0 ? start : start + c * batch->h;
    return ecl_time_within(&batch->range, t);
}

/* The time at point k / (ODE_STEP_POINTS - 1) of the step that the level belongs to. */
static inline double ecl_point_time(
    const struct method *method, const struct batch *batch, int64_t level, int k) {
    const double step = (double)(batch->first_step + level / method->stages),
                 start = batch->t_base + step * batch->h,
                 t = k == 0 ? start : start + (double)k / (ODE_STEP_POINTS - 1) * batch->h;
    return ecl_time_within(&batch->range, t);
}

/* The launches of a step: `sections` of equal length, of which the last may have fewer stages. With
 * a tail the last section is the tail, of `tail` stages. */
struct cut {
    int sections, tail;
};
/* Section number `section`. It is a method by itself, but that its first stage may read carried
 * values and that its last may leave some. */
struct method ecl_section(const struct method *method, struct cut cut, int section);

/* The carried values that later stages read after stage number `stage`, or the estimate, as bits:
 * bit 0 is the first one. */
unsigned ecl_wanted_behind(const struct method *method, int stage);
/* The number of arrays that go from one section to the next, if that begins with stage number
 * `stage`: up to the last one that is read. It is 0 at the ends of a step. */
int ecl_carried_into(const struct method *method, int64_t stage);

/* The terms of a row of a stage, and those of them with the coefficient 1: bit j is value j, bit
 * ODE_MOST_ARRAYS_ is F. The coefficient of F is never taken for 1, whatever h is. */
struct stage_row {
    unsigned terms, ones;
};
struct stage_row ecl_stage_row(const struct stage *stage, int row);
/* Whether two stages replace the same components by sums of the same terms, with 1 as coefficient
 * at the same places, both in place or neither. */
int ecl_have_one_shape(const struct method *method, const struct stage *a, const struct stage *b);
/* The largest number of coefficients of a stage that are neither 0 nor 1. */
int ecl_stage_factors(const struct method *method);

/* The first stages of a step, or all of them, as stages of one shape, that of the second stage. The
 * first stage has no carried values. Where it lacks a term it reads -0, which changes no bit of a
 * sum; where the solution takes the place of a carried value it reads the solution. */
struct body {
    int stages; /* number of these stages; 0: fewer than two */
    int arrays; /* arrays that they use; later stages read no other carried value within the body */
    struct stage first;
    struct stage_row rows[ODE_MOST_ARRAYS_];
    unsigned
        begins_as_solution; /* bit k: value k is the solution before the first stage; else -0 */
};
struct body ecl_find_body(const struct method *method);
/* The coefficients of a stage of it that are not taken for 1. */
int ecl_body_factors(const struct body *body);

/* The coefficients of a level as the struct ode_stage of a precision: float or double by real_size.
 */
ODE_DEFINE_STAGE_(f32, float, fmaf)
ODE_DEFINE_STAGE_(f64, double, fma)
union ecl_stage {
    ode_stage_f32 f32;
    ode_stage_f64 f64;
};
void ecl_stage_of(
    const struct method *method, int64_t level, double h, size_t real_size, union ecl_stage *stage);
/* The factor of F in U. */
static inline double ecl_stage_factor(const union ecl_stage *stage, size_t real_size) {
    return real_size == sizeof(float) ? (double)stage->f32.hb[0] : stage->f64.hb[0];
}

/* Bytes of the system's carried values, or 0. Errors: MEMORY (with the two states they overflow 64
 * bits). */
int ecl_carried_bytes(const struct system *system, uint64_t *bytes, eulercl_error *error);
#endif
