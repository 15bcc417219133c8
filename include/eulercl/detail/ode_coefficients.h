/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_coefficients.h - what equations read of a point besides its state: its fields, and its marks,
 * which say whether it moves and which of its faces are open. The words of an author have one
 * definition for C and OpenCL C, like those of ode_words.h, which is read before.
 *
 * Coefficients lie in planes: one for each field, a real per point, then one of marks, a byte per
 * point. A plane has a rim of `radius` more points at each end of each axis, which hold what
 * FIELD_AT reads beyond that end: so it needs no test. The host fills all of them
 * (lib/problem/coefficients.c). */
#ifdef ODE_FIELDS
#define ODE_HAS_FIELDS_ 1
#else
#define ODE_HAS_FIELDS_ 0
#define ODE_FIELDS(FIELD)
#endif
#if defined(ODE_STILL) || defined(ODE_OBSTACLE)
#define ODE_HAS_MARKS_ 1
#else
#define ODE_HAS_MARKS_ 0
#endif
#ifndef ODE_STILL
#define ODE_STILL 0
#endif
#ifndef ODE_OBSTACLE
#define ODE_OBSTACLE 0
#endif

/* Fields by number. */
#define ODE_FIELD_INDEX_(name) ODE_FIELD_##name,
enum { ODE_FIELDS(ODE_FIELD_INDEX_) ODE_FIELD_COUNT_ };

/* The points of a plane, and the number there of the point at coordinates x, y, z. */
#define ODE_RIMMED_(n) ((n) + 2 * ODE_RADIUS)
#define ODE_PLANE_(view)                                          \
    (ODE_RIMMED_((view)->extents.of[0]) *                         \
        (ODE_GRID > 1 ? ODE_RIMMED_((view)->extents.of[1]) : 1) * \
        (ODE_GRID > 2 ? ODE_RIMMED_((view)->extents.of[2]) : 1))
#define ODE_IN_PLANE_(view, x, y, z)                                                              \
    ((x) + ODE_RADIUS +                                                                           \
        (ODE_GRID > 1                                                                             \
                ? ODE_RIMMED_((view)->extents.of[0]) *                                            \
                      ((y) + ODE_RADIUS +                                                         \
                          (ODE_GRID > 2 ? ODE_RIMMED_((view)->extents.of[1]) * ((z) + ODE_RADIUS) \
                                        : 0))                                                     \
                : 0))

/* The marks of a point; those of a problem without marks are a constant. */
#if ODE_HAS_MARKS_
#define ODE_MARKS_(view, x, y, z)                           \
    ((ODE_GLOBAL_ const unsigned char *)((view)->fields +   \
                                         ODE_FIELD_COUNT_ * \
                                             ODE_PLANE_(view)))[ODE_IN_PLANE_(view, x, y, z)]
#else
#define ODE_MARKS_(view, x, y, z) ODE_ALL_OPEN_
#endif
#define ODE_IS_STILL_(marks) (ODE_HAS_MARKS_ && ((marks)&ODE_MARK_STILL_))
/* A derivative: of points that keep their values -0, which fma(h, f, y) adds to y without a trace,
 * also where that is -0. Other stages put the old value back. */
#define ODE_STILL_DOT_(VALUE, marks, dot) (ODE_IS_STILL_(marks) ? (VALUE)-0.0 : (dot))

/* What equations get of them: three arguments. */
#define ODE_HAS_COEFFICIENTS_ (ODE_HAS_FIELDS_ || ODE_HAS_MARKS_)
#if ODE_HAS_COEFFICIENTS_
#define ODE_COEFFICIENTS_(view, x, y, z) \
    (view)->fields + ODE_IN_PLANE_(view, x, y, z), ODE_PLANE_(view), ODE_MARKS_(view, x, y, z)
#else
#define ODE_COEFFICIENTS_(view, x, y, z) (view)->fields, 0, ODE_ALL_OPEN_
#endif

#define FIELD(name) ode_field[ODE_FIELD_##name * ode_plane]
/* Neighbours are there in equations alone: host blocks have one value for each field. SPACE is the
 * address space of the planes, `row` and `layer` the distances between neighbours along y and z
 * there. */
#define ODE_FIELD_LOCALS_(SPACE, VALUE, row, layer)                       \
    SPACE const VALUE *const ode_neighbour_field ODE_UNUSED_ = ode_field; \
    const ode_offset ode_field_row ODE_UNUSED_ = row, ode_field_layer ODE_UNUSED_ = layer;
/* Of a plane of the whole grid. */
#define ODE_PLANE_ROW_ ((ode_offset)ODE_RIMMED_(ode_here.n[0]))
#define ODE_PLANE_LAYER_(row) ((row) * (ode_offset)ODE_RIMMED_(ode_here.n[1]))
/* Distances in a plane. */
#define ODE_FIELD_X_(dx) ODE_CHECKED_(dx, -ODE_RADIUS, ODE_RADIUS)
#define ODE_FIELD_Y_(dy) (ODE_FIELD_X_(dy) * ode_field_row)
#define ODE_FIELD_Z_(dz) (ODE_FIELD_X_(dz) * ode_field_layer)

/* The field at the last point of the grid that a ghost stands beside. */
#define SIDE_FIELD(name)                                                                   \
    ode_beside.fields[ODE_FIELD_##name * ODE_PLANE_(&ode_beside) +                         \
                      (ODE_IS_HIGH_(ode_side)                                              \
                              ? (ode_beside.extents.of[ODE_AXIS_OF_(ode_side)] - 1) *      \
                                    ODE_PLANE_STRIDE_(&ode_beside, ODE_AXIS_OF_(ode_side)) \
                              : 0)]
#define ODE_PLANE_STRIDE_(view, axis)                      \
    ((axis) == 0      ? 1                                  \
        : (axis) == 1 ? ODE_RIMMED_((view)->extents.of[0]) \
                      : ODE_RIMMED_((view)->extents.of[0]) * ODE_RIMMED_((view)->extents.of[1]))

/* 1: the face towards the neighbour at this distance, 1 or -1 along one axis, is open. */
#define ODE_OPEN_(dx, dy, dz)                                                          \
    (ode_is_open(ODE_CHECKED_((dx) * (dx) + (dy) * (dy) + (dz) * (dz), 1, 1) &&        \
                 (!ODE_HAS_MARKS_ || (ode_marks >> ((dx) != 0      ? ((dx) > 0)        \
                                                       : (dy) != 0 ? 2 + ((dy) > 0)    \
                                                                   : 4 + ((dz) > 0)) & \
                                         1))) != 0)
/* Whoever counts the operations of a text sees by this name that these are none. */
ODE_INLINE_ int ode_is_open(const int is_open) { return is_open; }
/* What goes through a face. It is written as the same expression for both points beside the face,
 * the lower one first, so that what leaves one point enters the other to the last bit. */
#define ODE_THROUGH_(is_open, flux) ((is_open) ? (flux) : 0)
#define ARITHMETIC_MEAN(a, b) ODE_CALL2_(ode_arithmetic_mean, a, b)
#define HARMONIC_MEAN(a, b) ODE_CALL2_(ode_harmonic_mean, a, b)

/* A value, and D of DIV_GRAD, at a neighbour: words have an offset for each axis that there is. */
#if ODE_GRID == 1
#define ODE_AT_OFFSET_(dx, dy, dz, c) AT(dx, c)
#define ODE_D_AT_(D, dx, dy, dz) D(dx)
#define FIELD_AT(dx, name) ode_neighbour_field[ODE_FIELD_##name * ode_plane + ODE_FIELD_X_(dx)]
#define OPEN(dx) ODE_OPEN_(dx, 0, 0)
#define FLOW(c) ODE_FLOW_(1, 0, 0, c)
#define DIV_GRAD(MEAN, D, c) DIV_X(MEAN, D, c)
#elif ODE_GRID == 2
#define ODE_AT_OFFSET_(dx, dy, dz, c) AT(dx, dy, c)
#define ODE_D_AT_(D, dx, dy, dz) D(dx, dy)
#define FIELD_AT(dx, dy, name) \
    ode_neighbour_field[ODE_FIELD_##name * ode_plane + ODE_FIELD_Y_(dy) + ODE_FIELD_X_(dx)]
#define OPEN(dx, dy) ODE_OPEN_(dx, dy, 0)
#define FLOW(c) (ODE_FLOW_(0, 1, 0, c) + ODE_FLOW_(1, 0, 0, c))
#define DIV_GRAD(MEAN, D, c) (DIV_X(MEAN, D, c) + DIV_Y(MEAN, D, c))
#elif ODE_GRID == 3
#define ODE_AT_OFFSET_(dx, dy, dz, c) AT(dx, dy, dz, c)
#define ODE_D_AT_(D, dx, dy, dz) D(dx, dy, dz)
#define FIELD_AT(dx, dy, dz, name)                                                           \
    ode_neighbour_field[ODE_FIELD_##name * ode_plane + ODE_FIELD_Z_(dz) + ODE_FIELD_Y_(dy) + \
                        ODE_FIELD_X_(dx)]
#define OPEN(dx, dy, dz) ODE_OPEN_(dx, dy, dz)
#define FLOW(c) ((ODE_FLOW_(0, 0, 1, c) + ODE_FLOW_(0, 1, 0, c)) + ODE_FLOW_(1, 0, 0, c))
#define DIV_GRAD(MEAN, D, c) ((DIV_X(MEAN, D, c) + DIV_Y(MEAN, D, c)) + DIV_Z(MEAN, D, c))
#endif

/* The parts along an axis, of which (x, y, z) is the unit vector. */
#define ODE_FLOW_(x, y, z, c)                                                                    \
    (ODE_THROUGH_(ODE_OPEN_(x, y, z), ODE_AT_OFFSET_(x, y, z, c) - ODE_AT_OFFSET_(0, 0, 0, c)) - \
        ODE_THROUGH_(ODE_OPEN_(-(x), -(y), -(z)),                                                \
            ODE_AT_OFFSET_(0, 0, 0, c) - ODE_AT_OFFSET_(-(x), -(y), -(z), c)))
#define ODE_MEAN_ABOVE_(MEAN, D, x, y, z) MEAN(ODE_D_AT_(D, 0, 0, 0), ODE_D_AT_(D, x, y, z))
#define ODE_MEAN_BELOW_(MEAN, D, x, y, z) \
    MEAN(ODE_D_AT_(D, -(x), -(y), -(z)), ODE_D_AT_(D, 0, 0, 0))
#define ODE_DIV_ALONG_(MEAN, D, c, x, y, z)                                                   \
    (ODE_THROUGH_(                                                                            \
         ODE_OPEN_(x, y, z), ODE_MEAN_ABOVE_(MEAN, D, x, y, z) *                              \
                                 (ODE_AT_OFFSET_(x, y, z, c) - ODE_AT_OFFSET_(0, 0, 0, c))) - \
        ODE_THROUGH_(ODE_OPEN_(-(x), -(y), -(z)),                                             \
            ODE_MEAN_BELOW_(MEAN, D, x, y, z) *                                               \
                (ODE_AT_OFFSET_(0, 0, 0, c) - ODE_AT_OFFSET_(-(x), -(y), -(z), c))))

/* Parts of a full tensor, for two axes with the unit vectors (x, y, z) and (u, v, w). The gradient
 * along a face is made of the differences at the points on both sides of it. */
#define ODE_DIFFERENCE_(c, x, y, z, u, v, w)              \
    (ODE_AT_OFFSET_((x) + (u), (y) + (v), (z) + (w), c) - \
        ODE_AT_OFFSET_((x) - (u), (y) - (v), (z) - (w), c))
#define ODE_CROSS_(MEAN, D, c, x, y, z, u, v, w)                                                 \
    (ODE_THROUGH_(ODE_OPEN_(x, y, z),                                                            \
         ODE_MEAN_ABOVE_(MEAN, D, x, y, z) *                                                     \
             (ODE_DIFFERENCE_(c, 0, 0, 0, u, v, w) + ODE_DIFFERENCE_(c, x, y, z, u, v, w))) -    \
        ODE_THROUGH_(ODE_OPEN_(-(x), -(y), -(z)),                                                \
            ODE_MEAN_BELOW_(MEAN, D, x, y, z) * (ODE_DIFFERENCE_(c, -(x), -(y), -(z), u, v, w) + \
                                                    ODE_DIFFERENCE_(c, 0, 0, 0, u, v, w))))
#define ODE_MIXED_(MEAN, D, c, x, y, z, u, v, w) \
    ((ODE_CROSS_(MEAN, D, c, x, y, z, u, v, w) + ODE_CROSS_(MEAN, D, c, u, v, w, x, y, z)) / 4)
#define DIV_X(MEAN, D, c) ODE_DIV_ALONG_(MEAN, D, c, 1, 0, 0)
#if ODE_GRID > 1
#define DIV_Y(MEAN, D, c) ODE_DIV_ALONG_(MEAN, D, c, 0, 1, 0)
#define DIV_XY(MEAN, D, c) ODE_MIXED_(MEAN, D, c, 1, 0, 0, 0, 1, 0)
#else
/* Compilers show this name, which nothing declares. */
#define DIV_Y(MEAN, D, c) DIV_Y_needs_ODE_GRID_2_or_3
#define DIV_XY(MEAN, D, c) DIV_XY_needs_ODE_GRID_2_or_3
#endif
#if ODE_GRID > 2
#define DIV_Z(MEAN, D, c) ODE_DIV_ALONG_(MEAN, D, c, 0, 0, 1)
#define DIV_XZ(MEAN, D, c) ODE_MIXED_(MEAN, D, c, 1, 0, 0, 0, 0, 1)
#define DIV_YZ(MEAN, D, c) ODE_MIXED_(MEAN, D, c, 0, 1, 0, 0, 0, 1)
#else
#define DIV_Z(MEAN, D, c) DIV_Z_needs_ODE_GRID_3
#define DIV_XZ(MEAN, D, c) DIV_XZ_needs_ODE_GRID_3
#define DIV_YZ(MEAN, D, c) DIV_YZ_needs_ODE_GRID_3
#endif
