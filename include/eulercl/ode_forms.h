/* ode_forms.h - from the right-hand side as its author wrote it to the forms that the backends
 * call.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * The common subset of C99 and OpenCL C 1.2: the C compiler reads this text once per precision,
 * the OpenCL compiler
 * once per address space of the state. No include guard, therefore. It takes
 *   ODE_NAMED(x)   the name x with the suffix of this reading
 *   ODE_VALUE      type of a value: float or double
 *   ODE_SPACE      address space of the state (C: nothing)
 *   ode_offset     type of an index into the state: as narrow as it may be, so authors never see
 *                  it (theirs, ode_index, has 64 bits everywhere)
 *   ODE_POINT, ODE_WINDOW_POINT   the author's point function on the state, and on private memory
 * and, where not all of the state is at hand (a tile in local memory), the view's further members
 * and the ways to a component:
 *   ODE_VIEW_MEMBERS, ODE_CELL(y, view, i), ODE_GATHERED(y, view, i), ODE_COMPONENT(y, view, i,
 *   t), ODE_COMPONENTS4(y, view, i4, t, dot)
 * and leaves, for a state y of n components,
 *   eval_comp      the derivative of component i                    (thesis of 2012: ode_eval_comp)
 *   eval_comp4     the derivatives of components 4 i4 .. 4 i4 + 3   (ode_eval_comp4)
 */

#ifndef ODE_CELL
#define ODE_VIEW_MEMBERS
#define ODE_CELL(y, view, i) ((y) + (i)) /* address of component i */
#define ODE_GATHERED(y, view, i) \
    ((y)[i]) /* its value; anything for one that the author's text does not read */
#define ODE_COMPONENT(y, view, i, t) ODE_NAMED(ode_component)(y, (view)->constants, i, t, (view)->n)
#define ODE_COMPONENTS4(y, view, i4, t, dot) \
    ODE_NAMED(ode_components4)(y, (view)->constants, i4, t, (view)->n, dot)
#endif

/* All that a right-hand side sees besides the state and t. */
typedef struct {
    ode_offset n, nx, ny;               /* components; grid points in a row, rows */
    const ODE_VALUE *constants;         /* parameters and derived constants */
    ODE_GLOBAL const ODE_VALUE *fields; /* ODE_FIELDS values per grid point */
    ODE_VIEW_MEMBERS
} ODE_NAMED(ode_view);

#if ODE_GRID

#define ODE_WINDOW_WIDTH (2 * ODE_RADIUS + 1)
#if ODE_GRID == 2
#define ODE_WINDOW_HEIGHT (2 * ODE_RADIUS + 1)
#else
#define ODE_WINDOW_HEIGHT 1
#endif
#define ODE_WINDOW_SIZE(width) ((width)*ODE_WINDOW_HEIGHT * ODE_COMPONENTS)
#define ODE_WINDOW_CENTRE(width) (((ODE_WINDOW_HEIGHT / 2) * (width) + ODE_RADIUS) * ODE_COMPONENTS)

/* The index that stands for i beyond the ends of 0 .. size-1; -1 says "the fixed value". */
ODE_INLINE ode_offset ODE_NAMED(ode_inside)(ode_offset i, ode_offset size) {
#if ODE_BOUNDARY == ODE_FIXED
    return i < 0 || i >= size ? -1 : i;
#elif ODE_BOUNDARY == ODE_CLAMP
    return i < 0 ? 0 : i >= size ? size - 1 : i;
#elif ODE_BOUNDARY == ODE_MIRROR
    return i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i;
#else
    return i < 0 ? (size - -i % size) % size : i % size;
#endif
}

/* The value of component c that stands outside a FIXED boundary. */
ODE_INLINE ODE_VALUE ODE_NAMED(ode_outside)(
    const ODE_VALUE *ode_c, ODE_VALUE t, int ode_component_) {
    ODE_BODY_LOCALS(ODE_VALUE)
    (void)t;
    (void)ode_component_;
    return (ODE_VALUE)(ODE_OUTSIDE(ode_component_));
}

/* Copy the surroundings of `points` neighbouring points from (ix, iy) on into a private window,
 * boundary rule applied. */
ODE_INLINE void ODE_NAMED(ode_gather)(ODE_VALUE *window, int points, ODE_SPACE const ODE_VALUE *y,
    const ODE_NAMED(ode_view) *view, ODE_VALUE t, ode_offset ix, ode_offset iy) {
    const int width = points + 2 * ODE_RADIUS;
    (void)iy;
    for (int row = 0; row < ODE_WINDOW_HEIGHT; row++)
        for (int column = 0; column < width; column++) {
            const ode_offset jx = ODE_NAMED(ode_inside)(ix + column - ODE_RADIUS, view->nx);
#if ODE_GRID == 2
            const ode_offset jy = ODE_NAMED(ode_inside)(iy + row - ODE_WINDOW_HEIGHT / 2, view->ny);
            const ode_offset from = jx < 0 || jy < 0 ? -1 : jy * view->nx + jx;
#else
            const ode_offset from = jx;
#endif
            for (int c = 0; c < ODE_COMPONENTS; c++)
                window[(row * width + column) * ODE_COMPONENTS + c] =
                    from < 0 ? ODE_NAMED(ode_outside)(view->constants, t, c)
                             : ODE_GATHERED(y, view, from * ODE_COMPONENTS + c);
        }
}

/* Whether `points` neighbouring points from (ix, iy) on read nothing beyond the boundary. */
ODE_INLINE int ODE_NAMED(ode_is_inner)(
    const ODE_NAMED(ode_view) *view, int points, ode_offset ix, ode_offset iy) {
    int inner = ix >= ODE_RADIUS && ix + points + ODE_RADIUS <= view->nx;
#if ODE_GRID == 2
    inner = inner && iy >= ODE_RADIUS && iy + ODE_RADIUS < view->ny;
#endif
    (void)iy;
    return inner;
}

/* The derivatives of one point's components, wherever it lies. */
ODE_INLINE void ODE_NAMED(ode_any_point)(ODE_SPACE const ODE_VALUE *y,
    const ODE_NAMED(ode_view) *view, ODE_VALUE t, ode_offset ix, ode_offset iy, ODE_VALUE *dot) {
    const ode_offset point = iy * view->nx + ix;
    if (ODE_NAMED(ode_is_inner)(view, 1, ix, iy)) {
        ODE_POINT(ODE_CELL(y, view, point * ODE_COMPONENTS), view->nx * ODE_COMPONENTS,
            view->constants, view->fields + point * ODE_FIELDS, t, ix, iy, view->nx, view->ny, dot);
    } else {
        ODE_VALUE window[ODE_WINDOW_SIZE(ODE_WINDOW_WIDTH)];
        ODE_NAMED(ode_gather)(window, 1, y, view, t, ix, iy);
        ODE_WINDOW_POINT(window + ODE_WINDOW_CENTRE(ODE_WINDOW_WIDTH),
            ODE_WINDOW_WIDTH * ODE_COMPONENTS, view->constants, view->fields + point * ODE_FIELDS,
            t, ix, iy, view->nx, view->ny, dot);
    }
}

ODE_INLINE ODE_VALUE ODE_NAMED(ode_eval_comp)(
    ODE_SPACE const ODE_VALUE *y, const ODE_NAMED(ode_view) *view, ode_offset i, ODE_VALUE t) {
    const ode_offset point = i / ODE_COMPONENTS;
    const int component = (int)(i - point * ODE_COMPONENTS);
    const ode_offset iy = ODE_GRID == 2 ? point / view->nx : 0;
    ODE_VALUE dot[ODE_COMPONENTS], result;
    ODE_NAMED(ode_any_point)(y, view, t, point - iy * view->nx, iy, dot);
    result = dot[0];
    for (int c = 1; c < ODE_COMPONENTS; c++) result = component == c ? dot[c] : result;
    return result;
}

#else /* the general form */

ODE_INLINE ODE_VALUE ODE_NAMED(ode_eval_comp)(
    ODE_SPACE const ODE_VALUE *y, const ODE_NAMED(ode_view) *view, ode_offset i, ODE_VALUE t) {
    return ODE_COMPONENT(y, view, i, t);
}

#endif

ODE_INLINE void ODE_NAMED(ode_eval_comp4)(ODE_SPACE const ODE_VALUE *y,
    const ODE_NAMED(ode_view) *view, ode_offset i4, ODE_VALUE t, ODE_VALUE *dot) {
#if ODE_HAS_EVAL_COMP4
    ODE_COMPONENTS4(y, view, i4, t, dot);
#elif ODE_GRID && 4 % ODE_COMPONENTS == 0
    const ode_offset point = i4 * (4 / ODE_COMPONENTS);
    ode_offset iy = ODE_GRID == 2 ? point / view->nx : 0, ix = point - iy * view->nx;
    for (int k = 0; k < 4 / ODE_COMPONENTS; k++) {
        ODE_NAMED(ode_any_point)(y, view, t, ix, iy, dot + k * ODE_COMPONENTS);
        if (++ix == view->nx) {
            ix = 0;
            iy++;
        }
    }
#else
    for (int k = 0; k < 4; k++) dot[k] = ODE_NAMED(ode_eval_comp)(y, view, 4 * i4 + k, t);
#endif
}
