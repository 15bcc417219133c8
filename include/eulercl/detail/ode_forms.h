/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_forms.h - from the right-hand side as its author wrote it to the forms that the backends
 * call.
 *
 * The text is in the common subset of C99 and OpenCL C 1.2. The C compiler reads it once per
 * precision, the OpenCL compiler once per address space of the state; so it has no include guard.
 * It takes
 *   ODE_F_(x)      the name x with the suffix of this reading
 *   ODE_VALUE_     type of a value: float or double
 *   ODE_MOMENT_    type of all that the author's texts get of the time: ODE_TIME_(moment) is the
 *                  time
 *   ODE_INSTANT_   type of all that a stage gets of the time, by the name t here. It has
 *                  ODE_MOMENT_OF_(instant), the stage's moment, and for boundary values
 *                  ODE_IS_WEIGHTED_(instant, side), whether they are sums;
 *                  ODE_MOMENT_AT_(instant, k), moment k < ODE_STEP_POINTS;
 *                  ODE_MOMENT_WEIGHT_(instant, k), its weight, k > 0
 *   ODE_POINT_LOOP_   how a loop over these moments is unrolled
 *   ODE_SPACE_     address space of the state (C: nothing)
 *   ode_offset     type of an index into the state, as narrow as possible. Authors never see it:
 *                  theirs, ode_index, has 64 bits everywhere.
 *   ODE_POINT_, ODE_WINDOW_POINT_   the author's point function on the state and on private memory
 *   ODE_VIEW_MEMBERS_               further members of the view
 *   ODE_CELL_(y, view, i)           the address of component i
 *   ODE_GATHERED_(y, view, i)       its value; anything for a component that the author's text does
 *                                   not read
 *   ODE_IS_CUT_(i)                  whether component i reads beyond a cut of the system
 *   ODE_COMPONENT_(y, view, i, t), ODE_COMPONENTS4_(y, view, i4, t, dot)   the author's functions
 *                                   in the general form.
 *
 * It leaves
 *   ode_solve_point  the part of a stage that couples the components of a point
 *
 * and, for a state y of n components:
 *   eval_point     the derivatives of the point whose first component is i (general form: of
 *                  component i)
 *   eval_comp      the derivative of component i (thesis of 2012: ode_eval_comp)
 *   eval_comp4     the derivatives of components 4 i4 .. 4 i4 + 3 (ode_eval_comp4)
 * It undefines what it takes but ODE_VALUE_ and ODE_CELL_, which the texts after it use as well.
 */

/* All that a right-hand side sees besides the state and t. */
typedef struct {
    ode_offset n; /* components */
    ode_axes extents;
    const ODE_VALUE_ *constants;          /* parameters and derived constants */
    ODE_GLOBAL_ const ODE_VALUE_ *fields; /* coefficients: see ode_coefficients.h */
    ODE_VIEW_MEMBERS_
} ODE_F_(ode_view);

/* The part of a stage that couples the components of a point (ode_update.h): u are their new
 * values, and hb is the stage's factor of F in U. In a private word that no released method needs
 * yet, ODE_POINT_SOLVE_(c, hb, u), a problem says what becomes of component c. */
ODE_INLINE_ void ODE_F_(ode_solve_point)(
    const ODE_VALUE_ *ode_c, const ODE_VALUE_ ode_hb, ODE_VALUE_ *ode_u) {
#if ODE_SOLVES_
    ODE_BODY_LOCALS_(ODE_VALUE_)
    ODE_VALUE_ ode_solved[ODE_COMPONENTS];
    for (int ode_k = 0; ode_k < ODE_COMPONENTS; ode_k++)
        ode_solved[ode_k] = ODE_POINT_SOLVE_(ode_k, ode_hb, ode_u);
    for (int ode_k = 0; ode_k < ODE_COMPONENTS; ode_k++) ode_u[ode_k] = ode_solved[ode_k];
#else
    (void)ode_c;
    (void)ode_hb;
    (void)ode_u;
#endif
}

#if ODE_GRID

/* A window: the surroundings of neighbouring points along x. It has `width` points in each row, and
 * rows of the planes that are read. */
#define ODE_WINDOW_WIDTH_ (2 * ODE_RADIUS + 1)
#define ODE_WINDOW_HEIGHT_ (ODE_GRID > 1 ? 2 * ODE_RADIUS + 1 : 1) /* rows of a plane */
#define ODE_WINDOW_DEPTH_ (ODE_GRID > 2 ? 2 * ODE_RADIUS + 1 : 1)  /* planes */
#define ODE_WINDOW_ROWS_ (ODE_WINDOW_HEIGHT_ * ODE_WINDOW_DEPTH_)
#define ODE_WINDOW_SIZE_(width) ((width)*ODE_WINDOW_ROWS_ * ODE_COMPONENTS)
#define ODE_WINDOW_CENTRE_(width) (((ODE_WINDOW_ROWS_ / 2) * (width) + ODE_RADIUS) * ODE_COMPONENTS)

/* Distances between neighbours in a window of this width, or in a grid of these extents. */
#define ODE_STRIDES_(width, height) \
    ((ode_axes){{ODE_COMPONENTS, (width)*ODE_COMPONENTS, (width) * (height)*ODE_COMPONENTS}})
#define ODE_WINDOW_STRIDES_(width) ODE_STRIDES_(width, ODE_WINDOW_HEIGHT_)

/* How many points a row of a window is behind its middle row in the grid. */
#define ODE_WINDOW_ROW_(row, view)                              \
    ((((row) / ODE_WINDOW_HEIGHT_ - ODE_WINDOW_DEPTH_ / 2) *    \
             (ODE_GRID > 2 ? (view)->extents.of[1] : 0) +       \
         (row) % ODE_WINDOW_HEIGHT_ - ODE_WINDOW_HEIGHT_ / 2) * \
        (view)->extents.of[0])

/* Points are numbered along x first. */
ODE_INLINE_ ode_offset ODE_F_(ode_point_number)(const ODE_F_(ode_view) *view, ode_axes at) {
    ode_offset row = ODE_GRID > 2 ? at.of[2] * view->extents.of[1] + at.of[1] : at.of[1];
    return ODE_GRID > 1 ? row * view->extents.of[0] + at.of[0] : at.of[0];
}
ODE_INLINE_ ode_axes ODE_F_(ode_point_at)(const ODE_F_(ode_view) *view, ode_offset point) {
    const ode_offset row = ODE_GRID > 1 ? point / view->extents.of[0] : 0,
                     plane = ODE_GRID > 2 ? row / view->extents.of[1] : 0;
    return (ode_axes){
        {point - row * view->extents.of[0], row - plane * view->extents.of[1], plane}};
}

/* The place along a side that a ghost stands beside, for the texts of sides; of other rules nothing
 * reads it. `fields` are those of the point at that place and at the lower end of the side's axis.
 */
typedef struct {
    ode_place place;
    ode_axes extents;
    ODE_GLOBAL_ const ODE_VALUE_ *fields;
} ODE_F_(ode_beside);
#if ODE_HAS_SIDES_
#define ODE_BESIDE_(view, x, y, z)                                                \
    {                                                                             \
        ODE_PLACE_(view, x, y, z), (view)->extents,                               \
            (view)->fields + (ODE_HAS_FIELDS_ ? ODE_IN_PLANE_(view, x, y, z) : 0) \
    }
#else
#define ODE_BESIDE_(view, x, y, z) \
    { {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}}, 0 }
#endif

/* What the texts of the rules see, and how they are chosen: by the side, if it has a rule of its
 * own, else by the rule. */
#define ODE_IN_(k) ode_in[k]
#if ODE_HAS_SIDES_
#define IN(k) ode_in[ODE_CHECKED_(k, 0, ODE_RADIUS)]
#if ODE_RADIUS > 1
#define ODE_DISTANCE_LOCAL_ const int d ODE_UNUSED_ = ode_d;
#else
#define ODE_DISTANCE_LOCAL_
#endif
#define ODE_SIDE_LOCALS_                                                     \
    ode_place ode_here = ode_beside.place;                                   \
    ode_here.i[ODE_AXIS_OF_(ode_side)] =                                     \
        ODE_IS_HIGH_(ode_side) ? ode_here.n[ODE_AXIS_OF_(ode_side)] - 1 : 0; \
    const int c ODE_UNUSED_ = ode_component_;                                \
    ODE_DISTANCE_LOCAL_                                                      \
    ODE_PLACE_LOCALS_
#else
#define ODE_SIDE_LOCALS_ (void)ode_beside;
#endif
#define ODE_RULE_LOCALS_                                 \
    ODE_BODY_LOCALS_(ODE_VALUE_)                         \
    const int ode_rule = ODE_RULE_AT_(ode_side);         \
    const ODE_VALUE_ t ODE_UNUSED_ = ODE_TIME_(ode_now); \
    (void)ode_component_;                                \
    ODE_SIDE_LOCALS_
#define ODE_NO_TEXT_(rule, number, name, k)
#define ODE_VALUE_OF_(rule, number, name, k, value, ghost) (rule) == (number) ? (ODE_VALUE_)(value):
#define ODE_GHOST_OF_(rule, number, name, k, value, ghost) (rule) == (number) ? (ODE_VALUE_)(ghost):
#define ODE_VALUE_OF_SIDE_(name, rule) ODE_VALUE_TEXT_(name, rule)
#define ODE_VALUE_TEXT_(name, kind, value, ghost, end) \
    ode_side == ODE_SIDE_##name##_ ? (ODE_VALUE_)(value):
#define ODE_GHOST_OF_SIDE_(name, rule) ODE_GHOST_TEXT_(name, rule)
#define ODE_GHOST_TEXT_(name, kind, value, ghost, end) \
    ode_side == ODE_SIDE_##name##_ ? (ODE_VALUE_)(ghost):

/* The boundary value of a rule at a moment, such as g of ODE_VALUE(g); 0 if it has none. The
 * arguments are those of ode_ghost. */
ODE_INLINE_ ODE_VALUE_ ODE_F_(ode_boundary_value)(const int ode_side, const int ode_d,
    const ODE_VALUE_ *ode_in, const ODE_VALUE_ *ode_c, const ODE_MOMENT_ ode_now,
    const ODE_F_(ode_beside) ode_beside, const int ode_component_) {
    ODE_RULE_LOCALS_(void) ode_d;
    (void)ode_in;
#if ODE_HAS_SIDES_
    if (ODE_OWN_COUNTS_ >> 4 * ode_side & 15) return ODE_SIDES(ODE_VALUE_OF_SIDE_) 0;
#endif
    return ODE_RULES_(
        ODE_NO_TEXT_, ODE_VALUE_OF_, ODE_NO_TEXT_, ode_rule, ode_d, ode_component_, ODE_RADIUS) 0;
}

/* What a stage sees of it: what the method itself would make of y' = g'(t), from the value at the
 * step's beginning on. That is a sum of values within the step, whose weights are the stage's
 * (struct stage). */
ODE_INLINE_ ODE_VALUE_ ODE_F_(ode_stage_value)(const int side, const int d, const ODE_VALUE_ *in,
    const ODE_VALUE_ *constants, ODE_INSTANT_ now, const ODE_F_(ode_beside) along,
    const int component) {
    ODE_TYPES_(ODE_VALUE_)
    ODE_MOMENT_ moment = ODE_MOMENT_OF_(now);
    if (ODE_IS_WEIGHTED_(now, side)) moment = ODE_MOMENT_AT_(now, 0);
    const ODE_VALUE_ first =
        ODE_F_(ode_boundary_value)(side, d, in, constants, moment, along, component);
    ODE_VALUE_ sum = first;
    if (!ODE_IS_WEIGHTED_(now, side)) return first;
    ODE_POINT_LOOP_
    for (int k = 1; k < ODE_STEP_POINTS; k++) {
        const ODE_VALUE_ value = ODE_F_(ode_boundary_value)(
            side, d, in, constants, ODE_MOMENT_AT_(now, k), along, component);
        sum = fma(ODE_MOMENT_WEIGHT_(now, k), value - first, sum);
    }
    return component % 2 ? ODE_APART_(sum) : sum;
}

/* The ghost of component ode_component_ that stands ode_d points beyond the end of side ode_side,
 * where it is not a copy. ode_in[k] is the value k points from the end, inwards. ode_beside: the
 * place along the side; along the other axis the texts see the place of the end. */
ODE_INLINE_ ODE_VALUE_ ODE_F_(ode_ghost)(const int ode_side, const int ode_d,
    const ODE_VALUE_ *ode_in, const ODE_VALUE_ *ode_c, ODE_INSTANT_ ode_stage,
    const ODE_F_(ode_beside) ode_beside, const int ode_component_) {
    const ODE_VALUE_ ode_g ODE_UNUSED_ = ODE_F_(ode_stage_value)(
        ode_side, ode_d, ode_in, ode_c, ode_stage, ode_beside, ode_component_);
    const ODE_MOMENT_ ode_now = ODE_MOMENT_OF_(ode_stage);
    ODE_RULE_LOCALS_
    const ode_real ode_spacings[] = {ODE_SPACING};
    const int ode_axis = sizeof ode_spacings > sizeof ode_spacings[0] ? ODE_AXIS_OF_(ode_side) : 0;
    const ode_real ode_h ODE_UNUSED_ = ode_spacings[ode_axis];
    ODE_CHECK_SPACINGS_(sizeof ode_spacings / sizeof ode_spacings[0])
#if ODE_HAS_SIDES_
    if (ODE_OWN_COUNTS_ >> 4 * ode_side & 15) {
        const ODE_VALUE_ ode_own = ODE_SIDES(ODE_GHOST_OF_SIDE_) 0;
        return ode_component_ % 2 ? ODE_APART_(ode_own) : ode_own;
    }
#endif
    return ODE_RULES_(
        ODE_NO_TEXT_, ODE_GHOST_OF_, ODE_NO_TEXT_, ode_rule, ode_d, ode_component_, ODE_RADIUS) 0;
}
#undef ODE_IN_
#undef IN
#undef ODE_DISTANCE_LOCAL_
#undef ODE_SIDE_LOCALS_
#undef ODE_RULE_LOCALS_
#undef ODE_NO_TEXT_
#undef ODE_VALUE_OF_
#undef ODE_GHOST_OF_
#undef ODE_VALUE_OF_SIDE_
#undef ODE_VALUE_TEXT_
#undef ODE_GHOST_OF_SIDE_
#undef ODE_GHOST_TEXT_

/* Where a point stands along an axis, if it may stand beyond its ends: for the ghosts of later
 * axes, which are made of rows that have their ghosts already, and for those of earlier axes, which
 * are computed in the row that this one is. */
#define ODE_COUNTED_ROUND_(is_periodic, low, high, i, n) \
    ((is_periodic) ? ODE_INDEX_INSIDE_(low, high, i, n) : (i))

/* Set the ghosts along an axis, `at` being a point, in the window of the point, where they are not
 * copies. stride: the distance along this axis in the window. */
ODE_INLINE_ void ODE_F_(ode_window_ghosts)(ODE_VALUE_ *window, const int stride, const int axis,
    const ode_axes at, const ODE_F_(ode_view) *view, ODE_INSTANT_ t) {
    enum {
        WIDTH = ODE_WINDOW_WIDTH_,
        HEIGHT = ODE_WINDOW_HEIGHT_,
        LINES = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) / WIDTH
    };
    const ode_offset last = view->extents.of[axis] - 1;
    if (ODE_IS_COPY_(ODE_RULE_AT_(ODE_SIDE_(axis, 0))) &&
        ODE_IS_COPY_(ODE_RULE_AT_(ODE_SIDE_(axis, 1))))
        return;
    for (int line = 0; line < LINES; line++) {
        const int first = line / stride * WIDTH * stride + line % stride,
                  point = first / ODE_COMPONENTS;
        ODE_VALUE_ *const centre = window + first + ODE_RADIUS * stride;
        const ode_offset x = at.of[0] + point % WIDTH - ODE_RADIUS,
                         y = at.of[1] + point / WIDTH % HEIGHT - HEIGHT / 2,
                         z = at.of[2] + point / (WIDTH * HEIGHT) - ODE_WINDOW_DEPTH_ / 2;
        const ode_axes along = {
            {ODE_COUNTED_ROUND_(ODE_PERIODIC_X_, ODE_X_LOW_, ODE_X_HIGH_, x, view->extents.of[0]),
                ODE_COUNTED_ROUND_(
                    axis < 1 || ODE_PERIODIC_Y_, ODE_Y_LOW_, ODE_Y_HIGH_, y, view->extents.of[1]),
                ODE_INDEX_INSIDE_(ODE_Z_LOW_, ODE_Z_HIGH_, z, view->extents.of[2])}};
        const ODE_F_(ode_beside) beside = ODE_BESIDE_(view, axis == 0 ? 0 : along.of[0],
            axis == 1 ? 0 : along.of[1], axis == 2 ? 0 : along.of[2]);
        (void)along;
        /* The end is p points from the point, and the ghost d points beyond it. */
        for (int p = 0; p < ODE_RADIUS; p++)
            for (int d = 1; d <= ODE_RADIUS - p; d++)
                for (int is_high = 0; is_high < 2; is_high++) {
                    const int side = ODE_SIDE_(axis, is_high), rule = ODE_RULE_AT_(side),
                              inwards = is_high ? -stride : stride;
                    ODE_VALUE_ in[ODE_RADIUS + 1], *const end = centre - p * inwards;
                    if (ODE_IS_COPY_(rule) || p != (is_high ? last - at.of[axis] : at.of[axis]))
                        continue;
                    for (int k = 0; k <= ODE_INWARDS_(rule, d, ODE_RADIUS); k++)
                        in[k] = end[k * inwards];
                    end[-d * inwards] = ODE_F_(ode_ghost)(
                        side, d, in, view->constants, t, beside, line % ODE_COMPONENTS);
                }
    }
}

/* Copy the surroundings of a point into a private window, boundary rules applied: first what is
 * copied, then other ghosts, axis by axis. */
ODE_INLINE_ void ODE_F_(ode_gather)(ODE_VALUE_ *window, ODE_SPACE_ const ODE_VALUE_ *state,
    const ODE_F_(ode_view) *view, ODE_INSTANT_ t, ode_axes at) {
    enum { WIDTH = ODE_WINDOW_WIDTH_ };
    ode_offset columns[WIDTH]; /* found once: remainders are slow */
    for (int column = 0; column < WIDTH; column++)
        columns[column] = ODE_INDEX_INSIDE_(
            ODE_X_LOW_, ODE_X_HIGH_, at.of[0] + column - ODE_RADIUS, view->extents.of[0]);
    for (int plane = 0; plane < ODE_WINDOW_DEPTH_; plane++) {
        const ode_offset kz = at.of[2] + plane - ODE_WINDOW_DEPTH_ / 2,
                         z = ODE_GRID > 2 ? ODE_INDEX_INSIDE_(
                                                ODE_Z_LOW_, ODE_Z_HIGH_, kz, view->extents.of[2])
                                          : 0;
        for (int row = 0; row < ODE_WINDOW_HEIGHT_; row++) {
            const ode_offset ky = at.of[1] + row - ODE_WINDOW_HEIGHT_ / 2,
                             y = ODE_GRID > 1 ? ODE_INDEX_INSIDE_(ODE_Y_LOW_, ODE_Y_HIGH_, ky,
                                                    view->extents.of[1])
                                              : 0;
            for (int column = 0; column < WIDTH; column++) {
                const ode_axes from = {{columns[column], y, z}};
                const int is_beyond = from.of[0] < 0 || from.of[1] < 0 || from.of[2] < 0;
                const ode_offset point = is_beyond ? 0 : ODE_F_(ode_point_number)(view, from);
                for (int c = 0; c < ODE_COMPONENTS; c++)
                    window[((plane * ODE_WINDOW_HEIGHT_ + row) * WIDTH + column) * ODE_COMPONENTS +
                           c] =
                        is_beyond ? 0 : ODE_GATHERED_(state, view, point * ODE_COMPONENTS + c);
            }
        }
    }
    ODE_F_(ode_window_ghosts)(window, ODE_COMPONENTS, 0, at, view, t);
    if (ODE_GRID > 1) ODE_F_(ode_window_ghosts)(window, WIDTH * ODE_COMPONENTS, 1, at, view, t);
    if (ODE_GRID > 2) ODE_F_(ode_window_ghosts)
    (window, WIDTH * ODE_WINDOW_HEIGHT_ * ODE_COMPONENTS, 2, at, view, t);
}

/* Whether `points` neighbouring points from `at` on read nothing beyond the boundary. */
ODE_INLINE_ int ODE_F_(ode_is_inner)(const ODE_F_(ode_view) *view, int points, ode_axes at) {
#define ODE_IS_INNER_(axis, count) \
    (at.of[axis] >= ODE_RADIUS && at.of[axis] + (count) + ODE_RADIUS <= view->extents.of[axis])
    int is_inner = ODE_IS_INNER_(0, points);
    if (ODE_GRID > 1) is_inner = is_inner && ODE_IS_INNER_(1, 1);
    if (ODE_GRID > 2) is_inner = is_inner && ODE_IS_INNER_(2, 1);
    return is_inner;
#undef ODE_IS_INNER_
}

/* Which of `count` points from number `point` on keep their values, as bits. */
ODE_INLINE_ int ODE_F_(ode_still_points)(
    const ODE_F_(ode_view) *view, ode_offset point, const int count) {
    int still = 0;
    for (int k = 0; ODE_HAS_MARKS_ && k < count; k++) {
        const ode_axes at ODE_UNUSED_ = ODE_F_(ode_point_at)(view, point + k);
        still |= ODE_IS_STILL_(ODE_MARKS_(view, at.of[0], at.of[1], at.of[2])) ? 1 << k : 0;
    }
    (void)view, (void)point;
    return still;
}

/* The derivatives of one point's components, wherever it lies. */
ODE_ONE_COPY_ void ODE_F_(ode_any_point)(ODE_SPACE_ const ODE_VALUE_ *y,
    const ODE_F_(ode_view) *view, ODE_INSTANT_ t, ode_axes at, ODE_VALUE_ *dot) {
    const ode_offset point = ODE_F_(ode_point_number)(view, at);
    if (ODE_ACCESS_ALL || ODE_F_(ode_is_inner)(view, 1, at)) {
        ODE_POINT_(ODE_CELL_(y, view, point * ODE_COMPONENTS),
            ODE_STRIDES_(view->extents.of[0], view->extents.of[1]), view->constants,
            ODE_COEFFICIENTS_(view, at.of[0], at.of[1], at.of[2]), ODE_MOMENT_OF_(t),
            ODE_PLACE_(view, at.of[0], at.of[1], at.of[2]), dot);
    } else {
#if !ODE_ACCESS_ALL
        ODE_VALUE_ window[ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_)];
        ODE_F_(ode_gather)(window, y, view, t, at);
        ODE_WINDOW_POINT_(window + ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_),
            ODE_WINDOW_STRIDES_(ODE_WINDOW_WIDTH_), view->constants,
            ODE_COEFFICIENTS_(view, at.of[0], at.of[1], at.of[2]), ODE_MOMENT_OF_(t),
            ODE_PLACE_(view, at.of[0], at.of[1], at.of[2]), dot);
#endif
    }
}

ODE_INLINE_ void ODE_F_(ode_eval_point)(ODE_SPACE_ const ODE_VALUE_ *y,
    const ODE_F_(ode_view) *view, ode_offset i, ODE_INSTANT_ t, ODE_VALUE_ *dot) {
    ODE_F_(ode_any_point)(y, view, t, ODE_F_(ode_point_at)(view, i / ODE_COMPONENTS), dot);
}

ODE_INLINE_ ODE_VALUE_ ODE_F_(ode_eval_comp)(
    ODE_SPACE_ const ODE_VALUE_ *y, const ODE_F_(ode_view) *view, ode_offset i, ODE_INSTANT_ t) {
    const int component = (int)(i % ODE_COMPONENTS);
    ODE_VALUE_ dot[ODE_COMPONENTS], result;
    ODE_F_(ode_eval_point)(y, view, i, t, dot);
    result = dot[0];
    for (int c = 1; c < ODE_COMPONENTS; c++) result = component == c ? dot[c] : result;
    return result;
}

#else /* the general form */

ODE_INLINE_ int ODE_F_(ode_still_points)(
    const ODE_F_(ode_view) *view, ode_offset point, const int count) {
    (void)view, (void)point, (void)count;
    return 0;
}

ODE_INLINE_ ODE_VALUE_ ODE_F_(ode_eval_comp)(
    ODE_SPACE_ const ODE_VALUE_ *y, const ODE_F_(ode_view) *view, ode_offset i, ODE_INSTANT_ t) {
    return ODE_IS_CUT_(i) ? 0 : ODE_COMPONENT_(y, view, i, t);
}

ODE_INLINE_ void ODE_F_(ode_eval_point)(ODE_SPACE_ const ODE_VALUE_ *y,
    const ODE_F_(ode_view) *view, ode_offset i, ODE_INSTANT_ t, ODE_VALUE_ *dot) {
    dot[0] = ODE_F_(ode_eval_comp)(y, view, i, t);
}

#endif

ODE_INLINE_ void ODE_F_(ode_eval_comp4)(ODE_SPACE_ const ODE_VALUE_ *y,
    const ODE_F_(ode_view) *view, ode_offset i4, ODE_INSTANT_ t, ODE_VALUE_ *dot) {
#if ODE_HAS_EVAL_COMP4
    if (ODE_IS_CUT_(4 * i4) || ODE_IS_CUT_(4 * i4 + 3))
        for (int k = 0; k < 4; k++) dot[k] = ODE_F_(ode_eval_comp)(y, view, 4 * i4 + k, t);
    else
        ODE_COMPONENTS4_(y, view, i4, t, dot);
#elif ODE_GRID && 4 % ODE_COMPONENTS == 0
    ode_axes at = ODE_F_(ode_point_at)(view, i4 * (4 / ODE_COMPONENTS));
    for (int k = 0; k < 4 / ODE_COMPONENTS; k++) {
        ODE_F_(ode_any_point)(y, view, t, at, dot + k * ODE_COMPONENTS);
        if (++at.of[0] == view->extents.of[0]) {
            at.of[0] = 0;
            at.of[1]++;
            if (ODE_GRID > 2 && at.of[1] == view->extents.of[1]) {
                at.of[1] = 0;
                at.of[2]++;
            }
        }
    }
#else
    for (int k = 0; k < 4; k++) dot[k] = ODE_F_(ode_eval_comp)(y, view, 4 * i4 + k, t);
#endif
}

#undef ODE_F_
#undef ODE_MOMENT_
#undef ODE_INSTANT_
#undef ODE_POINT_LOOP_
#undef ODE_SPACE_
#undef ODE_POINT_
#undef ODE_WINDOW_POINT_
#undef ODE_VIEW_MEMBERS_
#undef ODE_GATHERED_
#undef ODE_COMPONENT_
#undef ODE_COMPONENTS4_
