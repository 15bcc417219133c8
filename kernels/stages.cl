/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.cl - the value of a component at the next level, for kernels that read each point's
   carried values from global memory and replace them there. From the settings: STAGE_ARRAYS, the
   values that a point has (eulercl/detail/ode_update.h). Without STAGE_ARRAYS each level is an
   explicit Euler step, and the parameters of a stage are left out. If tiny values are flushed, the
   program has FLUSH_BELOW(i), the threshold of component i. */
#ifdef STAGE_ARRAYS
ODE_DEFINE_STAGE_(real, ode_real, fma)
#ifdef ODE_POSITION
#define STAGE_POSITION(i) ((ODE_POSITION(ODE_GRID ? (i) % ODE_COMPONENTS : (i) + ODE_SHIFT_)) != 0)
#else
#define STAGE_POSITION(i) 0
#endif
/* carried: STAGE_ARRAYS - 1 arrays of n values. */
#define STAGE_PARAMETERS                                                        \
    FLUSH_PARAMETERS, const ode_stage_real *stage, ODE_STATE ode_real *carried, \
        const ode_offset n ESTIMATE_PARAMETER
#define STAGE FLUSH, stage, carried, n ESTIMATE_PASS
#else
#define STAGE_PARAMETERS FLUSH_PARAMETERS
#define STAGE FLUSH
#endif
/* Numbers of the level, which are the same for all items. */
#ifdef FLUSH_BELOW
#define FLUSH_PARAMETERS , const int is_flushed
#define FLUSH , is_flushed
#else
#define FLUSH_PARAMETERS
#define FLUSH
#endif

ODE_INLINE_ ode_real stage_flushed(ode_offset i, ode_real y FLUSH_PARAMETERS) {
#ifdef FLUSH_BELOW
    return is_flushed ? ODE_FLUSH_(fabs, FLUSH_BELOW(i), y) : y;
#else
    return y;
#endif
}

/* The new value of component i, from its derivative and its present value. */
ODE_INLINE_ ode_real stage_next(
    ode_offset i, ode_real h, ode_real dot, ode_real y STAGE_PARAMETERS) {
#ifdef STAGE_ARRAYS
    ode_real x[ODE_MOST_ARRAYS_] = {y};
    for (int k = 1; k < STAGE_ARRAYS; k++)
        x[k] = stage->reads >> k & 1 ? carried[(k - 1) * n + i] : 0;
    ode_update_real(stage, STAGE_ARRAYS, STAGE_POSITION(i), dot, x);
    for (int k = 1; k < STAGE_ARRAYS; k++)
        if (stage->writes >> k & 1) carried[(k - 1) * n + i] = x[k];
#ifdef ESTIMATE
    if (errors->is_due && ESTIMATE_COUNTS(i))
        estimate_compare(errors, (int)(i % ODE_COMPONENTS), x[0], x[ESTIMATE]);
#endif
    return stage_flushed(i, x[0] FLUSH);
#else
    return stage_flushed(i, ODE_UPDATE_(fma, h, dot, y) FLUSH);
#endif
}

/* The values of the components i .. i + 3 at the next level. */
ODE_INLINE_ ode_real4 stage_next4(
    ode_offset i, ode_real h, const ode_real *dot, ode_real4 y STAGE_PARAMETERS) {
#ifdef STAGE_ARRAYS
    ode_real value[4];
    vstore4(y, 0, value);
    for (int k = 0; k < 4; k++) value[k] = stage_next(i + k, h, dot[k], value[k] STAGE);
    return vload4(0, value);
#else
    const ode_real4 next = ODE_UPDATE_(fma4, h, vload4(0, dot), y);
#ifdef FLUSH_BELOW
    if (is_flushed)
        return (ode_real4)(stage_flushed(i, next.s0, 1), stage_flushed(i + 1, next.s1, 1),
            stage_flushed(i + 2, next.s2, 1), stage_flushed(i + 3, next.s3, 1));
#endif
    return next;
#endif
}
