/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_boundary.h - what stands beyond the ends of an axis of a grid. The only text of the boundary
 * rules: the host, the C kernels, the OpenCL kernels and the proofs read it, in the common subset
 * of C99 and OpenCL C 1.2. The rules come first, which need whole numbers only. A problem's code
 * reads the file once more behind the author's settings, for the words of the rules.
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
#define ODE_ROBIN 4    /* boundary: a u + b du/dn = g at the last point */

/* A ghost stands d >= 1 points beyond an end. ODE_IN_(k) is the value k points from the end,
 * inwards, 0 <= k <= radius. Each rule has a line:
 *   COPY(x, number, name, k)             its ghosts are ODE_IN_(k)
 *   COMPUTED(x, number, name, k, ghost)  its ghosts are `ghost`, an expression of ODE_IN_(0) ..
 *                                        ODE_IN_(k), d, the component c, t and the words below;
 *                                        k = -1: it reads no point
 * name: the word in lower case, in reports and options; x is passed on. */
#define ODE_RULES_(COPY, COMPUTED, x, d, c)             \
    COMPUTED(x, ODE_FIXED, "fixed", -1, ODE_OUTSIDE(c)) \
    COPY(x, ODE_CLAMP, "clamp", 0)                      \
    COPY(x, ODE_MIRROR, "mirror", d)                    \
    COPY(x, ODE_PERIODIC, "periodic", 0)                \
    COMPUTED(x, ODE_ROBIN, "robin", d,                  \
        ODE_IN_(d) + 2 * REAL(d) * (ODE_SPACING) *      \
                         ((ODE_ROBIN_G(c)) - (ODE_ROBIN_A(c)) * ODE_IN_(0)) / (ODE_ROBIN_B(c)))

#define ODE_IS_PERIODIC_(rule) ((rule) == ODE_PERIODIC)
/* Whether ghosts are values of points, rather than values of their own. */
#define ODE_IS_COPY_(rule) (ODE_RULES_(ODE_YES_, ODE_NO_, rule, 1, 0) 0)
#define ODE_YES_(rule, number, name, k) (rule) == (number) ? 1:
#define ODE_NO_(rule, number, name, k, ghost) (rule) == (number) ? 0:
/* The deepest point that the ghost d points beyond an end is made of; -1: it is made of none. */
#define ODE_INWARDS_(rule, d) (ODE_RULES_(ODE_COPIED_, ODE_READ_, rule, d, 0) - 1)
#define ODE_COPIED_(rule, number, name, k) (rule) == (number) ? (k):
#define ODE_READ_(rule, number, name, k, ghost) (rule) == (number) ? (k):
/* Whether ghosts are computed, and from values of points. */
#define ODE_READS_POINTS_(rule) (!ODE_IS_COPY_(rule) && ODE_INWARDS_(rule, 1) >= 0)
/* How many points an axis needs at least where its stencil reads `radius` points on either side. */
#define ODE_POINTS_NEEDED_(rule, radius) \
    (ODE_INWARDS_(rule, (int)(radius)) > 0 ? ODE_INWARDS_(rule, (int)(radius)) + 1 : 1)

/* The ghost that stands d points beyond an end that is not periodic. in(k) is ODE_IN_(k), as a
 * number, a vector or a row; `computed` is what ode_ghost (ode_forms.h) makes of such values. Only
 * what the rule needs is evaluated. The axes have a fixed order, which is a part of the bits: the
 * ends of x are filled first, then those of y, made of rows with their ghosts, then those of z,
 * made of planes with theirs. That is what a corner gets. */
#define ODE_GHOST_(rule, d, in, computed) \
    (ODE_IS_COPY_(rule) ? in(ODE_INWARDS_(rule, d)) : (computed))

/* The index that stands for index i, which may lie beyond 0 .. n - 1, under the rules of the axis's
 * lower and upper end. -1: the ghost is no copy. */
#define ODE_INDEX_INSIDE_(low, high, i, n)                                                  \
    ((i) < 0 ? ODE_IS_COPY_(low) ? ODE_INDEX_FROM_END_(low, -(i), n) : -1                   \
        : (i) >= (n)                                                                        \
            ? ODE_IS_COPY_(high) ? (n)-1 - ODE_INDEX_FROM_END_(high, (i) - (n) + 1, n) : -1 \
            : (i))
#define ODE_INDEX_FROM_END_(rule, d, n) \
    (ODE_IS_PERIODIC_(rule) ? ((n) - (d) % (n)) % (n) : ODE_INWARDS_(rule, d))

#endif

/* The words by which an author gives numbers to the rules, and their defaults. */
#ifdef ODE_BOUNDARY
#ifndef ODE_OUTSIDE
#define ODE_OUTSIDE(c) 0
#endif
#ifndef ODE_SPACING
#define ODE_SPACING 1
#endif
#ifndef ODE_ROBIN_A
#define ODE_ROBIN_A(c) 0
#endif
#ifndef ODE_ROBIN_B
#define ODE_ROBIN_B(c) 1
#endif
#ifndef ODE_ROBIN_G
#define ODE_ROBIN_G(c) 0
#endif
#define ODE_GHOST_WORDS_(c) \
    ODE_OUTSIDE(c), ODE_SPACING, ODE_ROBIN_A(c), ODE_ROBIN_B(c), ODE_ROBIN_G(c)
#endif
