/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lanes.h - the SIMD code of a problem in stencil form: the point's right-hand side for a
 * vector of points at once.
 *
 * Read once per precision and instruction set by ode_cpu.h, with ODE_ISA_, a row of ode_isas.h,
 * which it undefines. Empty for the general form.
 *
 * The points of a row are dealt to the lanes of a vector, each of which has a stretch of
 * neighbouring points of its own (struct ode_lanes). So the neighbours of a vector's points are the
 * next vectors, and no shift is needed. The author's text stays scalar, inside a loop over the
 * lanes that the compiler turns into vector instructions: whatever the text does, it does the same
 * for one point, and so gives the same bits. */
#if ODE_GRID

#define ODE_PI_(x) ODE_PASTE_(x, ODE_PASTE_(_, ODE_PASTE_(ODE_ISA_(ODE_ISA_WORD_), ODE_P_())))
#define ODE_TARGET_ ODE_ISA_(ODE_ISA_TARGET_)
#define ODE_VECTOR_BYTES_ ODE_ISA_(ODE_ISA_BYTES_)
#define ODE_LANES_ (ODE_VECTOR_BYTES_ / (int)sizeof(ODE_VALUE_))
typedef ODE_VALUE_ ODE_PI_(ode_vector) __attribute__((vector_size(ODE_VECTOR_BYTES_)));
typedef ODE_INTEGER_(ODE_VALUE_) ODE_PI_(ode_lane_mask);
typedef ODE_PI_(ode_lane_mask) ODE_PI_(ode_mask) __attribute__((vector_size(ODE_VECTOR_BYTES_)));

/* The x coordinate of the point at `position` of a lane. */
ODE_INLINE_ ode_index ODE_PI_(ode_lane_x)(
    const struct ode_lanes *lanes, int lane, ode_index position, ode_index nx, const int ends) {
    ode_index ix = lanes->first[lane] + position;
    if (ODE_PERIODIC_X_)
        ix = ix < 0 ? ix + nx : ix >= nx ? ix - nx : ix;
    else if (ends)
        ix = ix < 0 ? 0 : ix >= nx ? nx - 1 : ix;
    (void)ends;
    return ix;
}

/* What ode_lanes_point stores of those lanes that are `rare`, whatever the arguments of functions
 * are. */
ODE_TARGET_ static __attribute__((noinline, cold, unused)) void ODE_PI_(ode_lanes_alone)(
    const int what, ODE_PI_(ode_vector) *next, const ODE_PI_(ode_vector) *window,
    const ODE_PI_(ode_lane_mask) *rare, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index position, const ode_axes row, ODE_VALUE_ t, ODE_VALUE_ h, const int ends) {
    enum {
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_),
        CENTRE = ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_)
    };
    const ode_index nx = view->extents.of[0];
    for (int lane = 0; lane < ODE_LANES_; lane++) {
        ODE_VALUE_ y[SIZE], dot[ODE_COMPONENTS], out[ODE_COMPONENTS];
        if (!rare[lane]) continue;
        for (int k = 0; k < SIZE; k++) y[k] = window[k][lane];
        const ode_index ix = ODE_PI_(ode_lane_x)(lanes, lane, position, nx, ends);
        ODE_P_(ode_point)(y + CENTRE, ODE_WINDOW_STRIDES_(ODE_WINDOW_WIDTH_), view->constants,
            ODE_COEFFICIENTS_(view, ix, row.of[1], row.of[2]), t,
            ODE_PLACE_(view, ix, row.of[1], row.of[2]), dot);
        ODE_P_(ode_store_point)(what, view, h, dot, y + CENTRE, out);
        for (int c = 0; c < ODE_COMPONENTS; c++) next[c][lane] = out[c];
    }
}

/* The rows of coefficients that a row reads, number `r` of those at once, of which each plane lists
 * `listed`. */
typedef struct {
    const ODE_VALUE_ *of[ODE_WINDOW_ROWS_];
    ode_index stride; /* from one coefficient's row to that of the next one */
} ODE_PI_(ode_held);
ODE_INLINE_ ODE_PI_(ode_held)
    ODE_PI_(ode_held_by)(const struct ode_lanes *lanes, const int listed, const int r) {
    ODE_PI_(ode_held) held = {{0}, lanes->coefficient_stride};
    ODE_UNROLLED_
    for (int d = 0; d < ODE_WINDOW_ROWS_ && ODE_HAS_COEFFICIENTS_; d++)
        held.of[d] =
            lanes->coefficients[d / ODE_WINDOW_HEIGHT_ * listed + r + d % ODE_WINDOW_HEIGHT_];
    (void)listed, (void)r;
    return held;
}
/* The marks at a position. */
ODE_INLINE_ void ODE_PI_(ode_held_marks)(
    ODE_PI_(ode_lane_mask) *marks, const ODE_PI_(ode_held) *held, ode_index position) {
    memcpy(marks,
        held->of[ODE_WINDOW_ROWS_ / 2] + ODE_FIELD_COUNT_ * held->stride + position * ODE_LANES_,
        ODE_VECTOR_BYTES_);
}

/* The points at `position` of all lanes one step later or, with ODE_DERIVATIVES_ as `what`, their
   derivatives, into next[components]. window: each component
   of the points around, as ODE_WINDOW_CENTRE_ counts. row: the place of the row's first point.
   `ends`: the position may lie beside the row, where it does not matter what comes out. */
ODE_INLINE_ void ODE_PI_(ode_lanes_point)(const int what, ODE_PI_(ode_vector) *next,
    const ODE_PI_(ode_vector) *window, const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, ode_index position, const ode_axes row, ODE_VALUE_ t,
    ODE_VALUE_ h, const int ends) {
    enum {
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_),
        CENTRE = ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_),
        POINTS = SIZE / ODE_COMPONENTS,
        FIELDS = ODE_FIELD_COUNT_ * POINTS
    };
    ODE_VALUE_ in[SIZE][ODE_LANES_], out[ODE_COMPONENTS][ODE_LANES_],
        fields[FIELDS + 1][ODE_LANES_];
    ODE_PI_(ode_lane_mask) rare[ODE_LANES_], marks[ODE_LANES_], any_rare = 0;
    const ode_index nx = view->extents.of[0];
    ODE_UNROLLED_
    for (int k = 0; k < SIZE; k++) memcpy(in[k], &window[k], sizeof in[k]);
    /* What the text does not read is not loaded. */
    ODE_UNROLLED_
    for (int k = 0; k < FIELDS; k++)
        memcpy(fields[k],
            held->of[k % POINTS / ODE_WINDOW_WIDTH_] + k / POINTS * held->stride +
                (position + k % ODE_WINDOW_WIDTH_ - ODE_RADIUS) * ODE_LANES_,
            sizeof fields[k]);
    if (ODE_HAS_MARKS_) ODE_PI_(ode_held_marks)(marks, held, position);
    ODE_LANE_LOOP_
    for (int lane = 0; lane < ODE_LANES_; lane++) {
        ODE_VALUE_ y[SIZE], field[FIELDS + 1], dot[ODE_COMPONENTS];
        ODE_PI_(ode_lane_mask) is_rare = 0;
        ODE_UNROLLED_
        for (int k = 0; k < SIZE; k++) y[k] = in[k][lane];
        ODE_UNROLLED_
        for (int k = 0; k < FIELDS; k++) field[k] = fields[k][lane];
        const ode_index ix = ODE_PI_(ode_lane_x)(lanes, lane, position, nx, ends);
        ODE_P_(ode_lane_point)(y + CENTRE, ODE_WINDOW_STRIDES_(ODE_WINDOW_WIDTH_), view->constants,
            field + (FIELDS ? POINTS / 2 : 0), POINTS, ODE_HAS_MARKS_ ? marks[lane] : ODE_ALL_OPEN_,
            t, ODE_PLACE_(view, ix, row.of[1], row.of[2]), dot,
            (ode_axes){{1, ODE_WINDOW_WIDTH_, ODE_WINDOW_WIDTH_ * ODE_WINDOW_HEIGHT_}}, &is_rare);
        rare[lane] = is_rare;
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++)
            out[c][lane] = ODE_P_(ode_stored)(what, h, dot[c], y[CENTRE + c]);
#if ODE_SOLVES_ /* not `if`: GCC 12 would order the instructions of other problems anew */
        for (int c = 0; c < ODE_COMPONENTS; c++) dot[c] = out[c][lane];
        if (what != ODE_DERIVATIVES_) ODE_P_(ode_solve_point)(view->constants, h, dot);
        for (int c = 0; c < ODE_COMPONENTS; c++) out[c][lane] = dot[c];
#endif
    }
    for (int lane = 0; lane < ODE_LANES_; lane++) any_rare |= rare[lane];
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++) memcpy(&next[c], out[c], sizeof out[c]);
    if (__builtin_expect(any_rare != 0, 0)) {
        /* Copies, so that the compiler keeps in registers what is not rare, and knows that the call
         * changes no constant: what depends on constants and the time alone is computed once for
         * many positions. */
        ODE_PI_(ode_vector) around[SIZE], changed[ODE_COMPONENTS];
        ODE_PI_(ode_lane_mask) those[ODE_LANES_];
        ODE_VALUE_ constants[ODE_CONSTANT_COUNT_ + 1];
        ODE_P_(ode_view) own = *view;
        memcpy(those, rare, sizeof those);
        for (int k = 0; k < ODE_CONSTANT_COUNT_; k++) constants[k] = view->constants[k];
        own.constants = constants;
        ODE_UNROLLED_
        for (int k = 0; k < SIZE; k++) around[k] = window[k];
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) changed[c] = next[c];
        ODE_PI_(ode_lanes_alone)
        (what, changed, around, those, &own, lanes, position, row, t, h, ends);
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) next[c] = changed[c];
    }
}

/* Declares `ghost`, a vector of what stands d points beyond a side of the x axis, right in the lane
 * that has the end. in(k) is a vector of the values k points inwards; row: the place of its row. */
#define ODE_LANES_GHOST_(ghost, SIDE, d, in, lane, row)                                        \
    ODE_VALUE_ ghost##_in[ODE_RADIUS + 1];                                                     \
    ODE_UNROLLED_                                                                              \
    for (int k = 0;                                                                            \
         k <= (ODE_IS_COPY_(ODE_##SIDE##_) ? -1 : ODE_INWARDS_(ODE_##SIDE##_, d, ODE_RADIUS)); \
         k++)                                                                                  \
        ghost##_in[k] = (in(k))[lane];                                                         \
    const ODE_PI_(ode_vector) ghost = ODE_GHOST_(ODE_##SIDE##_, d, in,                         \
        ODE_P_(ode_ghost)(ODE_SIDE_##SIDE##_, d, ghost##_in, view->constants, t,               \
            (ODE_P_(ode_beside))ODE_BESIDE_(view, 0, (row).of[1], (row).of[2]), c) -           \
            (ODE_PI_(ode_vector)){0});

/* The sides beyond which rows of ghosts stand. */
#if ODE_GRID > 2
#define ODE_SIDES_BEYOND_ROWS_(SIDE) SIDE(Y_LOW) SIDE(Y_HIGH) SIDE(Z_LOW) SIDE(Z_HIGH)
#else
#define ODE_SIDES_BEYOND_ROWS_(SIDE) SIDE(Y_LOW) SIDE(Y_HIGH)
#endif

#if ODE_GRID == 1
#include "ode_lanes_line.h"
#else
#include "ode_lanes_rows.h"
#endif
#include "ode_lane_stages.h"
#if ODE_GRID == 1
#include "ode_lane_stages_line.h"
#else
#include "ode_lane_stages_rows.h"
#endif

#undef ODE_LANES_GHOST_
#undef ODE_SIDES_BEYOND_ROWS_
#undef ODE_PI_
#undef ODE_TARGET_
#undef ODE_VECTOR_BYTES_
#undef ODE_LANES_

#endif

#undef ODE_ISA_
