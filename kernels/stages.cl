/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.cl - the value of a component at the next level, for kernels that read each point's
   carried values from global memory and replace them there. From the settings: STAGE_ARRAYS, the
   values that a point has (eulercl/detail/ode_update.h). Without it each level is an explicit Euler
   step, and the parameters of a stage are left out. */
#ifdef STAGE_ARRAYS
ODE_DEFINE_STAGE_(real, ode_real, fma)
#ifdef ODE_POSITION
#define STAGE_POSITION(i) ((ODE_POSITION(ODE_GRID ? (i) % ODE_COMPONENTS : (i))) != 0)
#else
#define STAGE_POSITION(i) 0
#endif
/* carried: STAGE_ARRAYS - 1 arrays of n values. */
#define STAGE_PARAMETERS \
    , const ode_stage_real *stage, ODE_STATE ode_real *carried, const ode_offset n
#define STAGE , stage, carried, n
#else
#define STAGE_PARAMETERS
#define STAGE
#endif

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
    return x[0];
#else
    return ODE_UPDATE_(fma, h, dot, y);
#endif
}

/* The same for the components i .. i + 3. */
ODE_INLINE_ ode_real4 stage_next4(
    ode_offset i, ode_real h, const ode_real *dot, ode_real4 y STAGE_PARAMETERS) {
#ifdef STAGE_ARRAYS
    ode_real value[4];
    vstore4(y, 0, value);
    for (int k = 0; k < 4; k++) value[k] = stage_next(i + k, h, dot[k], value[k] STAGE);
    return vload4(0, value);
#else
    return ODE_UPDATE_(fma4, h, vload4(0, dot), y);
#endif
}
