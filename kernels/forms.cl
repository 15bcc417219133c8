/* forms.cl - after the problem: the forms over a state in global memory (ode_forms.h follows), and what every program carries. */
#define ODE_SPACE __global
#define ODE_NAMED(x) x##_global
#define ODE_POINT ode_point_global
#define ODE_WINDOW_POINT ode_point_window
