/* ode_words.h - those words of an author that have one definition for C and OpenCL C. Their meaning
 * is explained in ode_problem.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */

/* Defaults of the settings. */
#ifndef ODE_PARAMETERS
#define ODE_PARAMETERS(REAL, INTEGER)
#endif
#ifndef ODE_DERIVED
#define ODE_DERIVED(CONSTANT)
#endif
#ifndef ODE_HAS_EVAL_COMP4
#define ODE_HAS_EVAL_COMP4 0
#endif
#ifndef ODE_HAS_EXACT
#define ODE_HAS_EXACT 0
#endif
#ifdef ODE_GRID
#ifndef ODE_RADIUS
#define ODE_RADIUS 1
#endif
#ifdef ODE_FIELDS
#define ODE_HAS_FIELDS_ 1
#else
#define ODE_HAS_FIELDS_ 0
#define ODE_FIELDS(FIELD)
#endif
#ifndef ODE_OUTSIDE
#define ODE_OUTSIDE(c) 0
#endif
#else /* the general form */
#define ODE_GRID 0
#define ODE_COMPONENTS 1
#define ODE_RADIUS 0
#define ODE_BOUNDARY 0
#define ODE_HAS_FIELDS_ 0
#define ODE_FIELDS(FIELD)
#endif

/* The rules of the ends of each axis (ode_boundary.h). */
#define ODE_X_LOW_ (ODE_BOUNDARY)
#define ODE_X_HIGH_ (ODE_BOUNDARY)
#define ODE_Y_LOW_ (ODE_GRID > 1 ? (ODE_BOUNDARY) : ODE_FIXED)
#define ODE_Y_HIGH_ (ODE_GRID > 1 ? (ODE_BOUNDARY) : ODE_FIXED)
#define ODE_PERIODIC_X_ (ODE_X_LOW_ == ODE_PERIODIC)
#define ODE_PERIODIC_Y_ (ODE_Y_LOW_ == ODE_PERIODIC)

#define ODE_UNUSED_ __attribute__((unused))
#define ODE_INLINE_ static inline __attribute__((always_inline, unused))

/* Parameters, then derived constants, by number. */
#define ODE_PARAMETER_INDEX_(name, value, min, max, unit, doc) ODE_CONSTANT_##name,
#define ODE_DERIVED_INDEX_(name, expression) ODE_CONSTANT_##name,
enum {
    ODE_PARAMETERS(ODE_PARAMETER_INDEX_, ODE_PARAMETER_INDEX_) ODE_PARAMETER_COUNT_,
    ODE_BEFORE_DERIVED_ = ODE_PARAMETER_COUNT_ - 1,
    ODE_DERIVED(ODE_DERIVED_INDEX_) ODE_CONSTANT_COUNT_
};

/* Fields by number. */
#define ODE_FIELD_INDEX_(name) ODE_FIELD_##name,
enum { ODE_FIELDS(ODE_FIELD_INDEX_) ODE_FIELD_COUNT_ };

/* Every body gets its constants by name, and the types of its precision, as locals; ODE_TYPES_ is
 * each language's own. */
#define ODE_PARAMETER_LOCAL_(name, value, min, max, unit, doc) \
    const ode_real name ODE_UNUSED_ = ode_c[ODE_CONSTANT_##name];
#define ODE_DERIVED_LOCAL_(name, expression) \
    const ode_real name ODE_UNUSED_ = ode_c[ODE_CONSTANT_##name];
#define ODE_BODY_LOCALS_(VALUE)                                \
    ODE_TYPES_(VALUE)                                          \
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_) \
    ODE_DERIVED(ODE_DERIVED_LOCAL_)                            \
    (void)ode_c;

/* Where point (ix, iy) of a grid, or of a window of it, stands in the whole grid, and the extents
 * of that: the last arguments of the author's point function but one. A window is cut along the
 * last axis; ODE_IN_WHOLE_(view, i) and ODE_WHOLE_(view, extent) are each language's own. */
#if ODE_GRID == 2
#define ODE_PLACE_(view, ix, iy) \
    ix, ODE_IN_WHOLE_(view, iy), (view)->nx, ODE_WHOLE_(view, (view)->ny)
#elif ODE_GRID == 1
#define ODE_PLACE_(view, ix, iy) \
    ODE_IN_WHOLE_(view, ix), iy, ODE_WHOLE_(view, (view)->nx), (view)->ny
#endif

/* Words of a third axis, which no grid has yet. */
#define ODE_THIRD_AXIS_ const ode_index iz ODE_UNUSED_ = 0, nz ODE_UNUSED_ = 1;

/* A derivative that the author forgets to set is not a number, which is found, rather than
 * anything. */
#define ODE_FORGET_DOT_ \
    for (int ode_k = 0; ode_k < ODE_COMPONENTS; ode_k++) ode_dot[ode_k] = (ode_real)NAN;

#define REAL(literal) ((ode_real)(literal))
/* ODE_CHECKED_(x, low, high): x, refused by the C compiler if it is a constant out of range. */
#define DOT(c) ode_dot[ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1)]
#define FIELD(name) ode_field[ODE_FIELD_##name]
#define ODE_AT_(dx, c)                                            \
    (ODE_CHECKED_(dx, -ODE_RADIUS, ODE_RADIUS) * ODE_COMPONENTS + \
        ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1))
#if ODE_GRID == 1
#define AT(dx, c) ode_y[ODE_AT_(dx, c)]
#define LAPLACE(c) fma(-2, AT(0, c), AT(-1, c) + AT(1, c))
#elif ODE_GRID == 2
#define AT(dx, dy, c) ode_y[ODE_CHECKED_(dy, -ODE_RADIUS, ODE_RADIUS) * ode_row + ODE_AT_(dx, c)]
#define LAPLACE(c) fma(-4, AT(0, 0, c), (AT(0, -1, c) + AT(0, 1, c)) + (AT(-1, 0, c) + AT(1, 0, c)))
#endif
