/* SPDX-License-Identifier: BSD-2-Clause */
/* local_forms.cl - the forms once more, over a part of the state in local memory (ode_forms.h
   follows): y[0] is component `origin`, a multiple of 4, and components first .. end-1 are there.
 */
#undef ODE_SPACE
#undef ODE_NAMED
#undef ODE_POINT
#undef ODE_VIEW_MEMBERS
#undef ODE_CELL
#undef ODE_GATHERED
#undef ODE_COMPONENT
#undef ODE_COMPONENTS4
#define ODE_SPACE __local
#define ODE_NAMED(x) x##_local
#define ODE_POINT ode_point_local
#define ODE_VIEW_MEMBERS ode_offset origin, first, end;
#define ODE_CELL(y, view, i) ((y) + ((i) - (view)->origin))
/* A gathered window is a rectangle; its corners may lie beyond what the author's text reads, and so
 * beyond what is there. */
ODE_INLINE ode_offset ode_nearest(ode_offset i, ode_offset first, ode_offset end) {
    return i < first ? first : i >= end ? end - 1 : i;
}
#define ODE_GATHERED(y, view, i) (*ODE_CELL(y, view, ode_nearest(i, (view)->first, (view)->end)))
#define ODE_COMPONENT(y, view, i, t) \
    ode_component_local(y, (view)->origin, (view)->constants, i, t, (view)->n)
#define ODE_COMPONENTS4(y, view, i4, t, dot) \
    vstore4(ode_four_local(y, (view)->origin, (view)->constants, i4, t, (view)->n), 0, dot)
