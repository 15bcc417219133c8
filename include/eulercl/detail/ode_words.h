/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_words.h - those words of an author that have one definition for C and OpenCL C. Their meaning
 * is explained in ode_problem.h. */

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
#ifndef ODE_ACCESS_ALL
#define ODE_ACCESS_ALL 0
#endif
#ifdef ODE_GRID
#if ODE_ACCESS_ALL
#define ODE_RADIUS 0
#elif !defined(ODE_RADIUS)
#define ODE_RADIUS 1
#endif
#else /* the general form */
#define ODE_GRID 0
#define ODE_COMPONENTS 1
#define ODE_RADIUS 0
#define ODE_BOUNDARY 0
#endif

/* The rules of the ends of each axis (ode_boundary.h). A side has its own, that of its axis, or
 * ODE_BOUNDARY. */
#ifdef ODE_SIDES
#define ODE_HAS_SIDES_ 1
#else
#define ODE_HAS_SIDES_ 0
#define ODE_SIDES(SIDE)
#endif
#ifndef ODE_BOUNDARY
#define ODE_BOUNDARY ODE_FIXED
#endif
#ifndef ODE_CENTRED
#define ODE_CENTRED ODE_NODES
#endif
#define ODE_CLOSES_(axis, is_periodic)                                         \
    (ODE_GRID > (axis) && ((is_periodic) || (ODE_IS_PERIODIC_(ODE_BOUNDARY) && \
                                                !ODE_TIMES_GIVEN_(ODE_SIDE_(axis, 0)))))
#if ODE_CLOSES_(0, ODE_CLOSED_X_)
#define ODE_PERIODIC_X_ 1
#else
#define ODE_PERIODIC_X_ 0
#endif
#if ODE_CLOSES_(1, ODE_CLOSED_Y_)
#define ODE_PERIODIC_Y_ 1
#else
#define ODE_PERIODIC_Y_ 0
#endif
#if ODE_CLOSES_(2, ODE_CLOSED_Z_)
#define ODE_PERIODIC_Z_ 1
#else
#define ODE_PERIODIC_Z_ 0
#endif
enum { ODE_OWN_RULES_ = 0 ODE_SIDES(ODE_RULE_OF_SIDE_), ODE_OWN_COUNTS_ = ODE_SIDES_GIVEN_ };
#define ODE_RULE_(side, is_periodic)                                         \
    (ODE_GRID <= ODE_AXIS_OF_(side)        ? ODE_FIXED                       \
        : ODE_OWN_COUNTS_ >> 4 * (side)&15 ? ODE_OWN_RULES_ >> 4 * (side)&15 \
        : is_periodic                      ? ODE_PERIODIC                    \
                                           : ODE_CENTRED_RULE_(ODE_BOUNDARY, ODE_CENTRED))
enum {
    ODE_X_LOW_ = ODE_RULE_(ODE_SIDE_X_LOW_, ODE_PERIODIC_X_),
    ODE_X_HIGH_ = ODE_RULE_(ODE_SIDE_X_HIGH_, ODE_PERIODIC_X_),
    ODE_Y_LOW_ = ODE_RULE_(ODE_SIDE_Y_LOW_, ODE_PERIODIC_Y_),
    ODE_Y_HIGH_ = ODE_RULE_(ODE_SIDE_Y_HIGH_, ODE_PERIODIC_Y_),
    ODE_Z_LOW_ = ODE_RULE_(ODE_SIDE_Z_LOW_, ODE_PERIODIC_Z_),
    ODE_Z_HIGH_ = ODE_RULE_(ODE_SIDE_Z_HIGH_, ODE_PERIODIC_Z_)
};
/* The rule of a side by its number. */
#define ODE_RULE_AT_(side)                         \
    ((side) == ODE_SIDE_X_LOW_       ? ODE_X_LOW_  \
        : (side) == ODE_SIDE_X_HIGH_ ? ODE_X_HIGH_ \
        : (side) == ODE_SIDE_Y_LOW_  ? ODE_Y_LOW_  \
        : (side) == ODE_SIDE_Y_HIGH_ ? ODE_Y_HIGH_ \
        : (side) == ODE_SIDE_Z_LOW_  ? ODE_Z_LOW_  \
                                     : ODE_Z_HIGH_)

#define ODE_UNUSED_ __attribute__((unused))
/* Without optimization copies would gain nothing, and take the compiler twice as long. Only code
 * for one instruction set may do without them: vectors are passed in other ways for others. */
#if !defined(__OPTIMIZE__) && defined(ODE_KERNELS_ONLY) && ODE_KERNELS_ONLY + 0 == 0
#define ODE_INLINE_ static __attribute__((unused))
#else
#define ODE_INLINE_ static inline __attribute__((always_inline, unused))
#endif
/* Functions that baseline code has one copy of: the copies would take the compiler most of its
 * time. */
#ifdef ODE_BASELINE
#define ODE_ONE_COPY_ ODE_COMMON_TARGET_ static __attribute__((noinline, unused))
#else
#define ODE_ONE_COPY_ ODE_INLINE_
#endif

/* Parameters, then derived constants, by number. */
#define ODE_PARAMETER_INDEX_(name, value, min, max, unit, doc) ODE_CONSTANT_##name,
#define ODE_DERIVED_INDEX_(name, expression) ODE_CONSTANT_##name,
enum {
    ODE_PARAMETERS(ODE_PARAMETER_INDEX_, ODE_PARAMETER_INDEX_) ODE_PARAMETER_COUNT_,
    ODE_BEFORE_DERIVED_ = ODE_PARAMETER_COUNT_ - 1,
    ODE_DERIVED(ODE_DERIVED_INDEX_) ODE_CONSTANT_COUNT_
};

/* Every body gets its constants by name, and the types of its precision, as locals; ODE_TYPES_ is
 * each language's own. */
#define ODE_PARAMETER_LOCAL_(name, value, min, max, unit, doc) \
    const ode_real name ODE_UNUSED_ = ode_c[ODE_CONSTANT_##name];
#define ODE_DERIVED_LOCAL_(name, expression) \
    const ode_real name ODE_UNUSED_ = ode_c[ODE_CONSTANT_##name];
#define ODE_CONSTANT_LOCALS_                                   \
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_) \
    ODE_DERIVED(ODE_DERIVED_LOCAL_)                            \
    (void)ode_c;
#define ODE_BODY_LOCALS_(VALUE) ODE_TYPES_(VALUE) ODE_CONSTANT_LOCALS_

/* Whether a stage couples the components of a point: see ode_solve_point. */
#ifdef ODE_POINT_SOLVE_
#define ODE_SOLVES_ 1
#else
#define ODE_SOLVES_ 0
#endif

#define ODE_IS_LINE_ (ODE_GRID == 1)
#define ODE_HAS_ROWS_ (ODE_GRID > 1)

/* A number per axis, as narrow as an index into the state: the coordinates of a point of the grid,
 * or of the window of it, that is at hand; extents; distances in memory from neighbour to
 * neighbour. */
typedef struct {
    ode_offset of[ODE_MOST_AXES];
} ode_axes;

/* A place is one value: where a point stands in the whole grid, and the extents of that. */
typedef struct {
    ode_index i[ODE_MOST_AXES], n[ODE_MOST_AXES];
} ode_place;

/* The place of the point at coordinates x, y, z. A window is cut along the last axis;
 * ODE_IN_WHOLE_(view, i) and ODE_WHOLE_(view, extent) are each language's own. */
#define ODE_LAST_AXIS_ (ODE_GRID > 1 ? ODE_GRID - 1 : 0)
#define ODE_PLACE_I_(view, axis, i) ((axis) == ODE_LAST_AXIS_ ? ODE_IN_WHOLE_(view, i) : (i))
#define ODE_PLACE_N_(view, axis)                                           \
    ((axis) == ODE_LAST_AXIS_ ? ODE_WHOLE_(view, (view)->extents.of[axis]) \
                              : (view)->extents.of[axis])
#define ODE_PLACE_(view, x, y, z)                                                                \
    ((ode_place){{ODE_PLACE_I_(view, 0, x), ODE_PLACE_I_(view, 1, y), ODE_PLACE_I_(view, 2, z)}, \
        {ODE_PLACE_N_(view, 0), ODE_PLACE_N_(view, 1), ODE_PLACE_N_(view, 2)}})

/* The author's names for a place. */
#define ODE_PLACE_LOCALS_                                                              \
    const ode_index ix ODE_UNUSED_ = ode_here.i[0], iy ODE_UNUSED_ = ode_here.i[1],    \
                       iz ODE_UNUSED_ = ode_here.i[2], nx ODE_UNUSED_ = ode_here.n[0], \
                       ny ODE_UNUSED_ = ode_here.n[1], nz ODE_UNUSED_ = ode_here.n[2];

/* A derivative that the author forgets to set is not a number, which is found, rather than
 * anything. */
#define ODE_FORGET_DOT_ \
    for (int ode_k = 0; ode_k < ODE_COMPONENTS; ode_k++) ode_dot[ode_k] = (ode_real)NAN;

#define REAL(literal) ((ode_real)(literal))
/* ODE_CHECKED_(x, low, high): x, refused by the C compiler if it is a constant out of range. */
#define DOT(c) ode_dot[ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1)]
#define ODE_AT_(dx, c)                                            \
    (ODE_CHECKED_(dx, -ODE_RADIUS, ODE_RADIUS) * ODE_COMPONENTS + \
        ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1))
#define ODE_ALONG_(axis, d) ODE_CHECKED_(d, -ODE_RADIUS, ODE_RADIUS) * ode_stride.of[axis]
#if ODE_GRID == 1
#define AT(dx, c) ode_y[ODE_AT_(dx, c)]
#define LAPLACE(c) fma(-2, AT(0, c), AT(-1, c) + AT(1, c))
/* The state lies around the point at hand, and is no window. */
#if ODE_ACCESS_ALL
#define AT_POINT(p, c) \
    ode_y[(ode_offset)((p)-ode_here.i[0]) * ODE_COMPONENTS + ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1)]
/* What ODE_EACH goes through, and component c of point p. */
#define ODE_ALL_COUNT_ ode_here.n[0]
#define ODE_ALL_(p, c) AT_POINT(p, c)
#endif
#elif ODE_GRID == 2
#define AT(dx, dy, c) ode_y[ODE_ALONG_(1, dy) + ODE_AT_(dx, c)]
#define LAPLACE(c) fma(-4, AT(0, 0, c), (AT(0, -1, c) + AT(0, 1, c)) + (AT(-1, 0, c) + AT(1, 0, c)))
#elif ODE_GRID == 3
#define AT(dx, dy, dz, c) ode_y[ODE_ALONG_(2, dz) + ODE_ALONG_(1, dy) + ODE_AT_(dx, c)]
#define LAPLACE(c)                                                                  \
    fma(-6, AT(0, 0, 0, c),                                                         \
        ((AT(0, 0, -1, c) + AT(0, 0, 1, c)) + (AT(0, -1, 0, c) + AT(0, 1, 0, c))) + \
            (AT(-1, 0, 0, c) + AT(1, 0, 0, c)))
#elif ODE_ACCESS_ALL /* the general form, whose points are components */
#define ODE_ALL_COUNT_ n
#define ODE_ALL_(p, c) Y((p) + ODE_CHECKED_(c, 0, 0))
#endif
