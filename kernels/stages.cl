/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.cl - the values of a point at the next level, for kernels that read each point's carried
   values from global memory and replace them there. From the settings: STAGE_ARRAYS, the
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

/* The values y of the point whose first component is i (general form: of component i) at the next
   level, in place, from their derivatives. is_still: the point keeps its values. */
ODE_INLINE_ void stage_point(const ode_real *constants, ode_offset i, const int is_still,
    ode_real h, const ode_real *dot, ode_real *y STAGE_PARAMETERS) {
#ifdef STAGE_ARRAYS
    ode_real x[ODE_COMPONENTS][ODE_MOST_ARRAYS_];
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        x[c][0] = y[c];
        for (int k = 1; k < STAGE_ARRAYS; k++)
            x[c][k] = stage->reads >> k & 1 ? carried[(k - 1) * n + i + c] : 0;
        ode_update_real(stage, STAGE_ARRAYS, STAGE_POSITION(i + c), dot[c], x[c]);
        for (int k = 1; k < STAGE_ARRAYS; k++)
            if (stage->writes >> k & 1) carried[(k - 1) * n + i + c] = x[c][k];
        y[c] = is_still ? y[c] : x[c][0];
    }
    ode_solve_point_global(constants, stage->hb[0], y);
#ifdef ESTIMATE
    for (int c = 0; c < ODE_COMPONENTS; c++)
        if (errors->is_due && ESTIMATE_COUNTS(i + c))
            estimate_compare(errors, c, y[c], x[c][ESTIMATE]);
#endif
#else
    for (int c = 0; c < ODE_COMPONENTS; c++) y[c] = ODE_UPDATE_(fma, h, dot[c], y[c]);
    ode_solve_point_global(constants, h, y);
#endif
    for (int c = 0; c < ODE_COMPONENTS; c++) y[c] = stage_flushed(i + c, y[c] FLUSH);
}

/* The same of the points whose components are i .. i + 3, if 4 components are whole points. still:
   those that keep their values, as bits. */
ODE_INLINE_ void stage_four(const ode_real *constants, ode_offset i, const int still, ode_real h,
    const ode_real *dot, ode_real *y STAGE_PARAMETERS) {
#if defined STAGE_ARRAYS || ODE_SOLVES_
    for (int k = 0; k < 4; k += ODE_COMPONENTS)
        stage_point(constants, i + k, still >> k / ODE_COMPONENTS & 1, h, dot + k, y + k STAGE);
#else
    vstore4(ODE_UPDATE_(fma4, h, vload4(0, dot), vload4(0, y)), 0, y);
#ifdef FLUSH_BELOW
    if (is_flushed)
        for (int k = 0; k < 4; k++) y[k] = stage_flushed(i + k, y[k], 1);
#endif
#endif
}
