/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate.cl - the errors of steps, if the method estimates them. The program then has ESTIMATE,
   the array of a point that holds the estimate after the last stage of a step, and its kernels find
   the greatest ratio of an estimate to its weight (eulercl/detail/ode_update.h). */
#ifdef ESTIMATE
/* Whether the errors of a row of the grid (in one dimension of a point), of component i count: not
   of the ghosts of a window, for which the settings say so. */
#ifndef ESTIMATE_COUNTS
#define ESTIMATE_ROW_COUNTS(row) 1
#define ESTIMATE_COUNTS(i) 1
#endif
/* The absolute tolerance of each component of a point: by value while they are few, so that where
   the component is known to the compiler its tolerance is, as rtol, a constant of the launch. */
#if ESTIMATE_ATOLS_BY_VALUE
typedef struct {
    ode_real of[ODE_COMPONENTS];
} estimate_atols;
#define ESTIMATE_ATOL(atols, c) estimate_select(atols, c)
ODE_INLINE_ ode_real estimate_select(const estimate_atols *atols, const int c) {
    ode_real atol = atols->of[0];
    __attribute__((opencl_unroll_hint)) for (int k = 1; k < ODE_COMPONENTS; k++) atol =
        c == k ? atols->of[k] : atol;
    return atol;
}
#else
typedef __global const ode_real *estimate_atols;
#define ESTIMATE_ATOL(atols, c) (*(atols))[c]
#endif
/* greatest[batch] becomes the greatest ratio. */
#define ESTIMATE_ARGUMENTS \
    , const ode_real rtol, const estimate_atols atols, __global int *greatest, const int batch
/* The errors that an item has found so far. */
typedef struct {
    ode_real rtol;
    const estimate_atols *atols;
    int is_due; /* whether the present level is the last one of a step */
    int worst;
} estimate;
#define ESTIMATE_PARAMETER , estimate *errors
#define ESTIMATE_PASS , errors
#define ESTIMATE_BEGIN(due)                                      \
    estimate item_errors = {rtol, &atols, due, -0x7fffffff - 1}; \
    estimate *const errors = &item_errors;
#define ESTIMATE_IS_DUE(due) errors->is_due = due;

/* Compare the error e of y, component c of a point. */
ODE_INLINE_ void estimate_compare(estimate *errors, const int c, ode_real y, ode_real e) {
    const ode_real weight =
        ODE_WEIGHT_(fma, fabs, errors->rtol, ESTIMATE_ATOL(errors->atols, c), y);
#if ODE_DOUBLE
    const int ratio = ODE_RATIO_F64_((int)(as_long(e) >> 32), (int)(as_long(weight) >> 32));
#else
    const int ratio = ODE_RATIO_F32_(as_int(e), as_int(weight));
#endif
    errors->worst = max(errors->worst, ratio);
}

/* Report for all items of a work-group, by one atomic operation in global memory. The items that
   speak have found everything that the others have. `worst` is free by now, or becomes so at the
   first barrier. */
ODE_INLINE_ void estimate_report(
    const estimate *errors, const int speaks, __local int *worst, __global int *greatest) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) *worst = errors->worst;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (speaks) atomic_max(worst, errors->worst);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_max(greatest, *worst);
}
#define ESTIMATE_END(worst) estimate_report(errors, 1, worst, greatest + batch);
#else
#define ESTIMATE_ARGUMENTS
#define ESTIMATE_PARAMETER
#define ESTIMATE_PASS
#define ESTIMATE_BEGIN(due)
#define ESTIMATE_IS_DUE(due)
#define ESTIMATE_END(worst)
#endif
