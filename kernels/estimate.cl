/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate.cl - the errors of steps, where the method estimates them. Then the program has
   ESTIMATE, the array of a point that holds the estimate after the last stage of a step, and its
   kernels find the greatest ratio of an estimate to its weight (eulercl/detail/ode_update.h). */
#ifdef ESTIMATE
/* greatest[batch] becomes the greatest ratio. */
#define ESTIMATE_ARGUMENTS \
    , const ode_real rtol, const ode_real atol, __global int *greatest, const int batch
/* What an item has found so far. */
typedef struct {
    ode_real rtol, atol;
    int is_due; /* whether the present level is the last one of a step */
    int worst;
} estimate;
#define ESTIMATE_PARAMETER , estimate *errors
#define ESTIMATE_PASS , errors
#define ESTIMATE_BEGIN(due)                                    \
    estimate item_errors = {rtol, atol, due, -0x7fffffff - 1}; \
    estimate *const errors = &item_errors;
#define ESTIMATE_IS_DUE(due) errors->is_due = due;

/* Compare the error e of y. */
ODE_INLINE_ void estimate_compare(estimate *errors, ode_real y, ode_real e) {
    const ode_real weight = ODE_WEIGHT_(fma, fabs, errors->rtol, errors->atol, y);
#if ODE_DOUBLE
    const int ratio = ODE_RATIO_F64_((int)(as_long(e) >> 32), (int)(as_long(weight) >> 32));
#else
    const int ratio = ODE_RATIO_F32_(as_int(e), as_int(weight));
#endif
    errors->worst = max(errors->worst, ratio);
}

/* Most items find nothing greater than what is known, and need no atomic operation. */
ODE_INLINE_ void estimate_report(const estimate *errors, __global int *greatest) {
    if (errors->worst > *(__global volatile int *)greatest) atomic_max(greatest, errors->worst);
}
#define ESTIMATE_END estimate_report(errors, greatest + batch);
#else
#define ESTIMATE_ARGUMENTS
#define ESTIMATE_PARAMETER
#define ESTIMATE_PASS
#define ESTIMATE_BEGIN(due)
#define ESTIMATE_IS_DUE(due)
#define ESTIMATE_END
#endif
