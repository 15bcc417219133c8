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

#define ODE_MOST_AXES 3   /* the most axes of a grid: x, y, z */
#define ODE_STEP_POINTS 5 /* times of a step at which boundary values are evaluated */

#define ODE_FIXED 0             /* boundary: a value, ODE_OUTSIDE(c) */
#define ODE_CLAMP 1             /* boundary: the nearest point */
#define ODE_MIRROR 2            /* boundary: the grid mirrored at its last point */
#define ODE_PERIODIC 3          /* boundary: the grid closes on itself */
#define ODE_ROBIN_ 4            /* boundary: ODE_ROBIN */
#define ODE_RULE_VALUE_ 5       /* a side: the value at the wall; nodes */
#define ODE_RULE_VALUE_CELLS_ 6 /* the same; cells */
#define ODE_RULE_GRADIENT_ 7    /* a side: du/dn at the wall; nodes */
#define ODE_RULE_GRADIENT_CELLS_ 8
#define ODE_RULE_ROBIN_ 9 /* a side: a u + b du/dn = g at the wall; nodes */
#define ODE_RULE_ROBIN_CELLS_ 10
#define ODE_RULE_MIRROR_CELLS_ 11 /* a side: the grid mirrored at the wall; cells */
#define ODE_RULE_GHOST_ 12        /* a side: any expression */
#define ODE_RULE_GHOST_WITH_ 13   /* the same, of a boundary value, too */
/* boundary: a u + b du/dn = g at the last point. A constant, since ODE_ROBIN(a, b, g) is a rule of
 * a side. */
enum { ODE_ROBIN = ODE_ROBIN_ };

/* A ghost stands d >= 1 points beyond an end. ODE_IN_(k) is the value k points from the end,
 * inwards, 0 <= k <= radius. Each rule has a line:
 *   COPY(x, number, name, k)             its ghosts are ODE_IN_(k)
 *   COMPUTED(x, number, name, k, value, ghost)   its ghosts are `ghost`, an expression of
 *                                        ODE_IN_(0) .. ODE_IN_(k), d, the component c, t, ode_h,
 *                                        the distance of points, the words below, and ode_g, the
 *                                        boundary value: what a stage sees of `value`, an
 *                                        expression of c and t; k < 0: it reads no point
 *   OWN(x, number, name, k)              the same, but both are texts of the side alone
 * name: the word in lower case, in reports and options; x is passed on. A number is below 16. */
#define ODE_RULES_(COPY, COMPUTED, OWN, x, d, c, radius)         \
    COMPUTED(x, ODE_FIXED, "fixed", -1, ODE_OUTSIDE(c), ode_g)   \
    COPY(x, ODE_CLAMP, "clamp", 0)                               \
    COPY(x, ODE_MIRROR, "mirror", d)                             \
    COPY(x, ODE_PERIODIC, "periodic", 0)                         \
    COMPUTED(x, ODE_ROBIN_, "robin", d, ODE_ROBIN_G(c),          \
        ODE_ROBIN_NODES_((ODE_ROBIN_A(c)), (ODE_ROBIN_B(c)), d)) \
    OWN(x, ODE_RULE_VALUE_, "value", (d)-2)                      \
    OWN(x, ODE_RULE_VALUE_CELLS_, "value", (d)-1)                \
    OWN(x, ODE_RULE_GRADIENT_, "gradient", d)                    \
    OWN(x, ODE_RULE_GRADIENT_CELLS_, "gradient", (d)-1)          \
    OWN(x, ODE_RULE_ROBIN_, "robin", d)                          \
    OWN(x, ODE_RULE_ROBIN_CELLS_, "robin", (d)-1)                \
    COPY(x, ODE_RULE_MIRROR_CELLS_, "mirror", (d)-1)             \
    OWN(x, ODE_RULE_GHOST_, "ghost", radius)                     \
    OWN(x, ODE_RULE_GHOST_WITH_, "ghost", radius)

#define ODE_IS_PERIODIC_(rule) ((rule) == ODE_PERIODIC)
/* Whether ghosts are values of points, rather than values of their own. */
#define ODE_IS_COPY_(rule) (ODE_RULES_(ODE_YES_, ODE_NO_, ODE_NO_OWN_, rule, 1, 0, 0) 0)
#define ODE_YES_(rule, number, name, k) (rule) == (number) ? 1:
#define ODE_NO_(rule, number, name, k, value, ghost) (rule) == (number) ? 0:
#define ODE_NO_OWN_(rule, number, name, k) (rule) == (number) ? 0:
/* The deepest point that the ghost d points beyond an end is made of, where a stencil reads
 * `radius` points; negative: it is made of none. */
#define ODE_INWARDS_(rule, d, radius) \
    (ODE_RULES_(ODE_COPIED_, ODE_READ_, ODE_COPIED_, rule, d, 0, radius) - 1)
#define ODE_COPIED_(rule, number, name, k) (rule) == (number) ? (k):
#define ODE_READ_(rule, number, name, k, value, ghost) (rule) == (number) ? (k):
/* Whether ghosts are computed, and have one value for each component along the whole end. */
#define ODE_IS_UNIFORM_(rule) ((rule) == ODE_FIXED)
/* Whether a side's own text gives a boundary value. */
#define ODE_HAS_OWN_VALUE_(rule)                                       \
    (((rule) >= ODE_RULE_VALUE_ && (rule) <= ODE_RULE_ROBIN_CELLS_) || \
        (rule) == ODE_RULE_GHOST_WITH_)
/* How many points an axis needs at least where its stencil reads `radius` points on either side. */
#define ODE_POINTS_NEEDED_(rule, radius)                           \
    (ODE_INWARDS_(rule, (int)(radius), (int)(radius)) > 0          \
            ? ODE_INWARDS_(rule, (int)(radius), (int)(radius)) + 1 \
            : 1)

/* Where points are (ODE_CENTRED): the last ones at the walls, or all in the middle of cells. */
#define ODE_NODES 1
#define ODE_CELLS 2
/* What a rule of ODE_BOUNDARY is there. */
#define ODE_CENTRED_RULE_(rule, centred) \
    ((rule) == ODE_MIRROR && (centred) == ODE_CELLS ? ODE_RULE_MIRROR_CELLS_ : (rule))
#define ODE_IS_ROBIN_(rule) ((rule) == ODE_ROBIN_)

/* The sides, the ends of the axes, by number; 0 is no side. */
#define ODE_SIDE_X_LOW_ 1
#define ODE_SIDE_X_HIGH_ 2
#define ODE_SIDE_Y_LOW_ 3
#define ODE_SIDE_Y_HIGH_ 4
#define ODE_SIDE_Z_LOW_ 5
#define ODE_SIDE_Z_HIGH_ 6
#define ODE_SIDE_(axis, is_high) (2 * (axis) + 1 + (is_high))
#define ODE_AXIS_OF_(side) (((side)-1) / 2)
/* The marks of a point, a byte: bit ODE_SIDE_(axis, is_high) - 1 says that the face on that side is
 * open, and the others that the point keeps its values, and that it is an obstacle. */
#define ODE_ALL_OPEN_ 63
#define ODE_MARK_STILL_ 64
#define ODE_MARK_OBSTACLE_ 128
#define ODE_IS_HIGH_(side) (((side)-1) % 2)

/* How many rules of their own ODE_SIDES gives to sides: four bits for each number of a side, 0 for
 * names that are none. */
#define ODE_COUNT_SIDE_(name, rule) +(1 << 4 * ODE_SIDE_##name##_)
#define ODE_SIDES_GIVEN_ (0 ODE_SIDES(ODE_COUNT_SIDE_))
#define ODE_TIMES_GIVEN_(side) (ODE_SIDES_GIVEN_ >> 4 * (side)&15)
/* Likewise their numbers. A rule is a word that becomes four arguments, once it is read again: its
 * kind, its boundary value, its ghost, and an end. Kind and end are pasted, so that arithmetic with
 * a rule, such as -ODE_VALUE(1), does not compile; the name of the macro is what a compiler says of
 * a word that is no rule of sides. */
#define ODE_RULE_OF_SIDE_(name, rule) ODE_A_SIDE_NEEDS_A_RULE_SUCH_AS_ODE_VALUE_(name, rule)
#define ODE_A_SIDE_NEEDS_A_RULE_SUCH_AS_ODE_VALUE_(name, kind, value, ghost, end) \
    +(ODE_NUMBER_##kind##_ << 4 * ODE_SIDE_##name##_) ODE_END_##end##_
#define ODE_NUMBER_ode_value_ ODE_RULE_VALUE_
#define ODE_NUMBER_ode_value_cells_ ODE_RULE_VALUE_CELLS_
#define ODE_NUMBER_ode_gradient_ ODE_RULE_GRADIENT_
#define ODE_NUMBER_ode_gradient_cells_ ODE_RULE_GRADIENT_CELLS_
#define ODE_NUMBER_ode_robin_ ODE_RULE_ROBIN_
#define ODE_NUMBER_ode_robin_cells_ ODE_RULE_ROBIN_CELLS_
#define ODE_NUMBER_ode_mirror_ ODE_MIRROR
#define ODE_NUMBER_ode_mirror_cells_ ODE_RULE_MIRROR_CELLS_
#define ODE_NUMBER_ode_clamp_ ODE_CLAMP
#define ODE_NUMBER_ode_ghost_of_ ODE_RULE_GHOST_
#define ODE_NUMBER_ode_ghost_with_ ODE_RULE_GHOST_WITH_
#define ODE_END_ode_end_
#define ODE_TEXT_OF_SIDE_(name, rule) ODE_RULE_TEXT_(name, rule)
#define ODE_RULE_TEXT_(name, kind, value, ghost, end) , value, ghost

/* The ghost that stands d points beyond an end that is not periodic. in(k) is ODE_IN_(k), as a
 * number, a vector or a row; `computed` is what ode_ghost (ode_forms.h) makes of such values. Only
 * what the rule needs is evaluated. The axes have a fixed order, which is a part of the bits: the
 * ends of x are filled first, then those of y, made of rows with their ghosts, then those of z,
 * made of planes with theirs. That is what a corner gets. */
#define ODE_GHOST_(rule, d, in, computed) \
    (ODE_IS_COPY_(rule) ? in(ODE_INWARDS_(rule, d, 0)) : (computed))

/* The index that stands for index i, which may lie beyond 0 .. n - 1, under the rules of the axis's
 * lower and upper end. -1: the ghost is no copy. */
#define ODE_INDEX_INSIDE_(low, high, i, n)                                                  \
    ((i) < 0 ? ODE_IS_COPY_(low) ? ODE_INDEX_FROM_END_(low, -(i), n) : -1                   \
        : (i) >= (n)                                                                        \
            ? ODE_IS_COPY_(high) ? (n)-1 - ODE_INDEX_FROM_END_(high, (i) - (n) + 1, n) : -1 \
            : (i))
#define ODE_INDEX_FROM_END_(rule, d, n) \
    (ODE_IS_PERIODIC_(rule) ? ((n) - (d) % (n)) % (n) : ODE_INWARDS_(rule, d, 0))

#endif

/* The words by which an author gives numbers to the rules, and their defaults. */
#if defined(ODE_BOUNDARY) || defined(ODE_GRID)
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
/* Axes that are periodic whatever ODE_BOUNDARY is. */
#ifdef ODE_PERIODIC_X
#define ODE_CLOSED_X_ (ODE_PERIODIC_X)
#else
#define ODE_CLOSED_X_ 0
#endif
#ifdef ODE_PERIODIC_Y
#define ODE_CLOSED_Y_ (ODE_PERIODIC_Y)
#else
#define ODE_CLOSED_Y_ 0
#endif
#ifdef ODE_PERIODIC_Z
#define ODE_CLOSED_Z_ (ODE_PERIODIC_Z)
#else
#define ODE_CLOSED_Z_ 0
#endif
#endif

/* The rules of sides, as `kind, value, ghost, ode_end`: doc/design/boundaries.md has the formulas.
 * Two points that are each other's image are 2 d h apart in nodes, (2 d - 1) h in cells. */
#define ODE_ROBIN_NODES_(a, b, d) ODE_IN_(d) + 2 * REAL(d) * ode_h *(ode_g - (a)*ODE_IN_(0)) / (b)
#ifdef ODE_SIDES
#if defined(ODE_CENTRED) && ODE_CENTRED == ODE_CELLS
#define ODE_APART_CELLS_ (REAL(2 * ode_d - 1) * ode_h)
#define ODE_VALUE(g) ode_value_cells, REAL(g), (2 * ode_g - ODE_IN_(ode_d - 1)), ode_end
#define ODE_GRADIENT(q) \
    ode_gradient_cells, REAL(q), (ODE_IN_(ode_d - 1) + ODE_APART_CELLS_ * ode_g), ode_end
#define ODE_ROBIN(a, b, g)                                                      \
    ode_robin_cells, REAL(g),                                                   \
        ((2 * ODE_APART_CELLS_ * ode_g +                                        \
             (2 * REAL(b) - ODE_APART_CELLS_ * REAL(a)) * ODE_IN_(ode_d - 1)) / \
            (2 * REAL(b) + ODE_APART_CELLS_ * REAL(a))),                        \
        ode_end
#define ODE_MIRROR_SIDE ode_mirror_cells, 0, 0, ode_end
#else
#define ODE_VALUE(g)                                                                           \
    ode_value, REAL(g), (ode_d == 1 ? ode_g : 2 * ode_g - ODE_IN_(ode_d > 1 ? ode_d - 2 : 0)), \
        ode_end
#define ODE_GRADIENT(q) \
    ode_gradient, REAL(q), (ODE_IN_(ode_d) + 2 * REAL(ode_d) * ode_h * ode_g), ode_end
#define ODE_ROBIN(a, b, g) ode_robin, REAL(g), (ODE_ROBIN_NODES_(REAL(a), REAL(b), ode_d)), ode_end
#define ODE_MIRROR_SIDE ode_mirror, 0, 0, ode_end
#endif
#define ODE_CLAMP_SIDE ode_clamp, 0, 0, ode_end
#define ODE_GHOST(ghost) ode_ghost_of, 0, (ghost), ode_end
#define ODE_GHOST_OF(g, ghost) ode_ghost_with, REAL(g), (ghost), ode_end
#define ODE_G ode_g
#endif
