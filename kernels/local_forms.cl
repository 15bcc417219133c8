/* SPDX-License-Identifier: BSD-2-Clause */
/* local_forms.cl - the forms once more, over a part of the state in local memory (ode_forms.h
   follows): y[0] is component `origin`, a multiple of 4, and components first .. end-1 are there.
 */
#undef ODE_CELL_
#define ODE_MOMENT_ ode_moment
#define ODE_INSTANT_ ode_instant
#define ODE_POINT_LOOP_ _Pragma("unroll")
#define ODE_SPACE_ __local
#define ODE_F_(x) x##_local
#define ODE_POINT_ ode_point_local
#define ODE_WINDOW_POINT_ ode_point_window
#define ODE_VIEW_MEMBERS_ ode_offset origin, first, end;
#define ODE_CELL_(y, view, i) ((y) + ((i) - (view)->origin))
/* A gathered window is a rectangle; its corners may lie beyond what the author's text reads, and so
 * beyond what is there. */
ODE_INLINE_ ode_offset ode_nearest(ode_offset i, ode_offset first, ode_offset end) {
    return i < first ? first : i >= end ? end - 1 : i;
}
#define ODE_GATHERED_(y, view, i) (*ODE_CELL_(y, view, ode_nearest(i, (view)->first, (view)->end)))
#define ODE_COMPONENT_(y, view, i, t)                                                        \
    ode_component_local(y, (view)->origin + ODE_SHIFT_, (view)->constants, (i) + ODE_SHIFT_, \
        ODE_MOMENT_OF_(t), ODE_WHOLE_(view, (view)->n))
#define ODE_COMPONENTS4_(y, view, i4, t, dot)                                           \
    vstore4(ode_four_local(y, (view)->origin + ODE_SHIFT_, (view)->constants,           \
                (i4) + ODE_SHIFT_ / 4, ODE_MOMENT_OF_(t), ODE_WHOLE_(view, (view)->n)), \
        0, dot)
