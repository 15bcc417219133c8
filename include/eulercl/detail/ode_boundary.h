/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_boundary.h - what stands beyond the ends of an axis of a grid. The only text of the boundary
 * rules: the host, the C kernels, the OpenCL kernels and the proofs read it. It needs whole numbers
 * only, in the common subset of C99 and OpenCL C 1.2.
 *
 * Each end of an axis has a rule, a constant of the program, so a comparison with it costs nothing
 * at run time. An axis is periodic at both ends or at neither. */
#ifndef EULERCL_ODE_BOUNDARY_H
#define EULERCL_ODE_BOUNDARY_H

#define ODE_MOST_AXES 3 /* the most axes of a grid: x, y, z */

#define ODE_FIXED 0    /* boundary: a value, ODE_OUTSIDE(c) */
#define ODE_CLAMP 1    /* boundary: the nearest point */
#define ODE_MIRROR 2   /* boundary: the grid mirrored at its last point */
#define ODE_PERIODIC 3 /* boundary: the grid closes on itself */
/* RULE(number, name in reports and options) for each of them. */
#define ODE_RULES_(RULE)       \
    RULE(ODE_FIXED, "fixed")   \
    RULE(ODE_CLAMP, "clamp")   \
    RULE(ODE_MIRROR, "mirror") \
    RULE(ODE_PERIODIC, "periodic")

#define ODE_IS_PERIODIC_(rule) ((rule) == ODE_PERIODIC)
/* Whether ghosts are values of their own, rather than those of points. */
#define ODE_IS_VALUE_(rule) ((rule) == ODE_FIXED)
/* How many points an axis needs at least where its stencil reads `radius` points on either side. */
#define ODE_POINTS_NEEDED_(rule, radius) ((rule) == ODE_MIRROR ? (radius) + 1 : 1)

/* The ghost that stands d >= 1 points beyond an end that is not periodic. in(k) is the value k
 * points from the end, inwards, and `value` the one of ODE_FIXED; only what the rule needs is
 * evaluated. Ends of the first axis are filled first, and then those of the next one, which takes
 * its values from rows with their ghosts: that is what a corner gets. */
#define ODE_GHOST_(rule, d, in, value) (ODE_IS_VALUE_(rule) ? (value) : in(ODE_INWARDS_(rule, d)))
#define ODE_INWARDS_(rule, d) ((rule) == ODE_MIRROR ? (d) : 0)

/* The same as a number: the index that stands for index i, which may lie beyond 0 .. n - 1, under
 * the rules of the axis's lower and upper end. -1: the value of ODE_FIXED. */
#define ODE_INDEX_INSIDE_(low, high, i, n)                                                   \
    ((i) < 0 ? ODE_IS_VALUE_(low) ? -1 : ODE_INDEX_FROM_END_(low, -(i), n)                   \
        : (i) >= (n)                                                                         \
            ? ODE_IS_VALUE_(high) ? -1 : (n)-1 - ODE_INDEX_FROM_END_(high, (i) - (n) + 1, n) \
            : (i))
#define ODE_INDEX_FROM_END_(rule, d, n) \
    (ODE_IS_PERIODIC_(rule) ? ((n) - (d) % (n)) % (n) : ODE_INWARDS_(rule, d))

#endif
