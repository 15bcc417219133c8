/* forms.cl - after the problem: the forms over a state in global memory (ode_forms.h follows), and what every program carries. */
#define ODE_SPACE __global
#define ODE_NAMED(x) x##_global
#define ODE_POINT ode_point_global
#define ODE_WINDOW_POINT ode_point_window
#if ODE_HAS_EVAL_COMP4
ODE_INLINE void ode_components4_global(__global const ode_real *ode_y, const ode_real *ode_c, const long i4, const ode_real t,
                                       const long n, ode_real *ode_result) {
    vstore4(ode_four_global(ode_y, ode_c, i4, t, n), 0, ode_result);
}
#endif
