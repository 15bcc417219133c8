/* SPDX-License-Identifier: BSD-2-Clause */
/* forms.cl - after the problem: the forms over a state in global memory (ode_forms.h follows). */
#define ODE_MOMENT_ ode_moment
#define ODE_INSTANT_ ode_instant
#define ODE_POINT_LOOP_ _Pragma("unroll")
#define ODE_SPACE_ ODE_STATE
#define ODE_F_(x) x##_global
#define ODE_POINT_ ode_point_global
#define ODE_WINDOW_POINT_ ode_point_window
#define ODE_VIEW_MEMBERS_
#define ODE_CELL_(y, view, i) ((y) + (i))
#define ODE_GATHERED_(y, view, i) ((y)[i])
#define ODE_COMPONENT_(y, view, i, t)                                                           \
    ode_component_global(y, ODE_SHIFT_, (view)->constants, (i) + ODE_SHIFT_, ODE_MOMENT_OF_(t), \
        ODE_WHOLE_(view, (view)->n))
#define ODE_COMPONENTS4_(y, view, i4, t, dot)                                        \
    vstore4(ode_four_global(y, ODE_SHIFT_, (view)->constants, (i4) + ODE_SHIFT_ / 4, \
                ODE_MOMENT_OF_(t), ODE_WHOLE_(view, (view)->n)),                     \
        0, dot)
