/* ode_lanes.h - the SIMD code of a problem in stencil form: the point's right-hand side for a
 * vector of points at once.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Read once per precision and instruction set by ode_cpu.h, with ODE_ISA_, a row of ode_isas.h,
 * which it undefines. Empty for the general form.
 *
 * The points of a row are dealt to the lanes of a vector, each of which has a stretch of
 * neighbouring points of its own (struct ode_lanes). So the neighbours of a vector's points are the
 * next vectors, and no shift is needed. The author's text stays scalar, inside a loop over the
 * lanes that the compiler turns into vector instructions: whatever the text does, it does the same
 * for one point, and so gives the same bits.
 */
#if ODE_GRID

#define ODE_PI_(x) ODE_PASTE_(x, ODE_PASTE_(_, ODE_PASTE_(ODE_ISA_(ODE_ISA_WORD_), ODE_P_())))
#define ODE_TARGET_ ODE_ISA_(ODE_ISA_TARGET_)
#define ODE_VECTOR_BYTES_ ODE_ISA_(ODE_ISA_BYTES_)
#define ODE_LANES_ (ODE_VECTOR_BYTES_ / (int)sizeof(ODE_VALUE_))
typedef ODE_VALUE_ ODE_PI_(ode_vector) __attribute__((vector_size(ODE_VECTOR_BYTES_)));
typedef __typeof__(_Generic((ODE_VALUE_)0, float
                            : (int32_t)0, double
                            : (int64_t)0)) ODE_PI_(ode_lane_mask);
typedef ODE_PI_(ode_lane_mask) ODE_PI_(ode_mask) __attribute__((vector_size(ODE_VECTOR_BYTES_)));

/* The points at `position` of all lanes one step later or, with ODE_DERIVATIVES_ as `what`, their
   derivatives, into next[components]. window: each component
   of the points around, as ODE_WINDOW_CENTRE_ counts. `ends`: the position may lie beside the row,
   where it does not matter what comes out. */
ODE_INLINE_ void ODE_PI_(ode_lanes_point)(const int what, ODE_PI_(ode_vector) *next,
    const ODE_PI_(ode_vector) *window, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index position, ode_index iy, ODE_VALUE_ t, ODE_VALUE_ h, const int ends) {
    enum {
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_),
        CENTRE = ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_)
    };
    ODE_VALUE_ in[SIZE][ODE_LANES_], out[ODE_COMPONENTS][ODE_LANES_];
    const ode_index nx = view->nx;
    ODE_UNROLLED_
    for (int k = 0; k < SIZE; k++) memcpy(in[k], &window[k], sizeof in[k]);
    ODE_LANE_LOOP_
    for (int lane = 0; lane < ODE_LANES_; lane++) {
        ODE_VALUE_ y[SIZE], dot[ODE_COMPONENTS];
        ODE_UNROLLED_
        for (int k = 0; k < SIZE; k++) y[k] = in[k][lane];
        ode_index ix = lanes->first[lane] + position;
        if (ODE_PERIODIC_X_)
            ix = ix < 0 ? ix + nx : ix >= nx ? ix - nx : ix;
        else if (ends)
            ix = ix < 0 ? 0 : ix >= nx ? nx - 1 : ix;
        (void)ends;
        ODE_P_(ode_point)(y + CENTRE, ODE_WINDOW_WIDTH_ * ODE_COMPONENTS, view->constants,
            view->fields + (iy * nx + ix) * ODE_FIELD_COUNT_, t, ODE_PLACE_(view, ix, iy), dot);
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++)
            out[c][lane] = ODE_P_(ode_stored)(what, h, dot[c], y[CENTRE + c]);
    }
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++) memcpy(&next[c], out[c], sizeof out[c]);
}

#if ODE_GRID == 1

/* A sweep keeps of each of its levels the values around the point that it computes next: as many
 * levels as the registers hold. */
enum {
    ODE_PI_(ode_level_registers) =
        2 * ODE_RADIUS * ODE_COMPONENTS < 1 ? 1 : 2 * ODE_RADIUS * ODE_COMPONENTS,
    ODE_PI_(ode_levels_fit) = ODE_ISA_(ODE_ISA_REGISTERS_) / ODE_PI_(ode_level_registers),
    ODE_PI_(ode_levels) = ODE_PI_(ode_levels_fit) < 1                 ? 1
                          : ODE_PI_(ode_levels_fit) > ODE_MOST_LEVELS ? ODE_MOST_LEVELS
                                                                      : ODE_PI_(ode_levels_fit)
};

/* The boundary rule for the window around `position` of all lanes: the first lane's left end, the
 * last lane's right end. */
ODE_INLINE_ void ODE_PI_(ode_lanes_boundary)(ODE_PI_(ode_vector) *window,
    const ODE_P_(ode_view) *view, const struct ode_lanes *lanes, ode_index position, ODE_VALUE_ t) {
    typedef ODE_PI_(ode_mask) mask;
    enum { CENTRE = ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_) };
    const mask first = {-1};
    mask last = {0};
    last[ODE_LANES_ - 1] = -1;
    /* A point p < radius points from the end, and its neighbour d > p points further on: -1 is the
     * first beyond the end. */
    ODE_UNROLLED_
    for (int p = 0; p < ODE_RADIUS; p++) {
        const int at_left = position == p, at_right = position == lanes->points - 1 - p;
        ODE_UNROLLED_
        for (int d = p + 1; d <= ODE_RADIUS; d++) ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) {
#define ODE_LEFT_IN_(k) window[CENTRE + ((k)-p) * ODE_COMPONENTS + c]
#define ODE_RIGHT_IN_(k) window[CENTRE - ((k)-p) * ODE_COMPONENTS + c]
            ODE_PI_(ode_vector) *const left = &window[CENTRE - d * ODE_COMPONENTS + c],
                                       *const right = &window[CENTRE + d * ODE_COMPONENTS + c];
            const ODE_PI_(ode_vector) outside = ODE_P_(ode_outside)(view->constants, t, c) -
                                                (ODE_PI_(ode_vector)){0},
                                      for_left =
                                          ODE_GHOST_(ODE_X_LOW_, d - p, ODE_LEFT_IN_, outside),
                                      for_right =
                                          ODE_GHOST_(ODE_X_HIGH_, d - p, ODE_RIGHT_IN_, outside);
#undef ODE_LEFT_IN_
#undef ODE_RIGHT_IN_
            if (at_left)
                *left = (ODE_PI_(ode_vector))(((mask)for_left & first) | ((mask)*left & ~first));
            if (at_right)
                *right = (ODE_PI_(ode_vector))(((mask)for_right & last) | ((mask)*right & ~last));
        }
    }
}

/* A vector of each component comes in at position j of the lowest level; level s is `s * radius`
 * positions behind, and the last one is stored where its points stand. */
ODE_INLINE_ void ODE_PI_(ode_lanes_advance)(ODE_PI_(ode_vector) *window, ODE_VALUE_ *u,
    const ODE_P_(ode_view) *view, const struct ode_lanes *lanes, ode_index j, const ODE_VALUE_ *t,
    ODE_VALUE_ h, const int levels, const int ends) {
    enum { SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) };
    ODE_PI_(ode_vector) x[ODE_COMPONENTS];
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++)
        memcpy(&x[c], u + (j * ODE_COMPONENTS + c) * ODE_LANES_, sizeof x[c]);
    ODE_UNROLLED_
    for (int s = 0; s < levels; s++) {
        ODE_PI_(ode_vector) *const w = window + s * SIZE;
        ODE_UNROLLED_
        for (int k = 0; k < SIZE - ODE_COMPONENTS; k++) w[k] = w[k + ODE_COMPONENTS];
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) w[SIZE - ODE_COMPONENTS + c] = x[c];
        if (ends && !ODE_PERIODIC_X_)
            ODE_PI_(ode_lanes_boundary)(w, view, lanes, j - (s + 1) * ODE_RADIUS, t[s]);
        ODE_PI_(ode_lanes_point)(
            ODE_STEP_, x, w, view, lanes, j - (s + 1) * ODE_RADIUS, 0, t[s], h, ends);
    }
    j -= levels * ODE_RADIUS;
    if (ends && (j < 0 || j >= lanes->points)) return;
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++)
        memcpy(u + (j * ODE_COMPONENTS + c) * ODE_LANES_, &x[c], sizeof x[c]);
}

/* In place; the values of the next lanes stand `levels * radius` positions deep at both ends. */
ODE_INLINE_ void ODE_PI_(ode_lanes_sweep)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const void *times, double h_, const int levels) {
    enum { SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) };
    ODE_VIEW_
    const ODE_VALUE_ h = (ODE_VALUE_)h_;
    const struct ode_lanes dealt = *lanes;
    const ode_index halo = levels * ODE_RADIUS, end = dealt.points + halo;
    ODE_VALUE_ *const u = row, t[ODE_MOST_LEVELS];
    ODE_PI_(ode_vector) window[ODE_MOST_LEVELS * SIZE];
    memcpy(t, times, (size_t)levels * sizeof *t);
    ODE_UNROLLED_
    for (int k = 0; k < levels * SIZE; k++) window[k] = (ODE_PI_(ode_vector)){0};
    ode_index j = -halo;
    /* Both ends in one loop: each copy of the right-hand sides takes the compiler as long again. */
    while (j < end) {
        const ode_index left = halo + ODE_RADIUS, end_of_ends = j < left && left < end ? left : end;
        for (; j < end_of_ends; j++)
            ODE_PI_(ode_lanes_advance)(window, u, &view, &dealt, j, t, h, levels, 1);
        for (; j < dealt.points; j++)
            ODE_PI_(ode_lanes_advance)(window, u, &view, &dealt, j, t, h, levels, 0);
    }
}

ODE_TARGET_ static void ODE_PI_(ode_sweep)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const void *t, double h) {
    ODE_PI_(ode_lanes_sweep)(context, lanes, row, t, h, ODE_PI_(ode_levels));
}
ODE_TARGET_ static void ODE_PI_(ode_sweep_one)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const void *t, double h) {
    ODE_PI_(ode_lanes_sweep)(context, lanes, row, t, h, 1);
}

#else

ODE_INLINE_ ODE_PI_(ode_vector) ODE_PI_(ode_load)(const ODE_VALUE_ *p) {
    ODE_PI_(ode_vector) v;
    memcpy(&v, p, sizeof v);
    return v;
}
/* By pointer: vectors as arguments draw notes about past ABIs. */
ODE_INLINE_ ODE_PI_(ode_vector) ODE_PI_(ode_choose)(
    const ODE_PI_(ode_mask) *mask, const ODE_PI_(ode_vector) *yes, const ODE_PI_(ode_vector) *no) {
    return (
        ODE_PI_(ode_vector))(((ODE_PI_(ode_mask))*yes & *mask) | ((ODE_PI_(ode_mask))*no & ~*mask));
}
/* The vector there, every lane getting its neighbour's value, `by` lanes further on, counted round.
 */
ODE_INLINE_ ODE_PI_(ode_vector) ODE_PI_(ode_turned)(const ODE_VALUE_ *p, const int by) {
    const ODE_PI_(ode_vector) v = ODE_PI_(ode_load)(p);
    ODE_PI_(ode_vector) turned = v;
    ODE_UNROLLED_
    for (int lane = 0; lane < ODE_LANES_; lane++)
        turned[lane] = v[(lane + by + ODE_LANES_) % ODE_LANES_];
    return turned;
}

/* The `radius` positions beyond both ends of a row: the next points of the neighbouring lanes, and
 * what stands beyond the grid. */
ODE_INLINE_ void ODE_PI_(ode_close)(
    ODE_VALUE_ *u, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes, ODE_VALUE_ t) {
    typedef ODE_PI_(ode_vector) vector;
    typedef ODE_PI_(ode_mask) mask;
    enum { POINT = ODE_COMPONENTS * ODE_LANES_ };
    ODE_VALUE_ *const end = u + lanes->points * POINT;
    mask shares_first, shares_last, last = {0};
    const mask first = {-1};
    last[ODE_LANES_ - 1] = -1;
    memcpy(&shares_first, lanes->shares_first, sizeof shares_first);
    memcpy(&shares_last, lanes->shares_last, sizeof shares_last);
    /* In short rows that are dealt evenly the ends take as long as the points. */
    const int has_shared =
        lanes->first[ODE_LANES_ - 1] - lanes->first[0] != (ODE_LANES_ - 1) * lanes->points;
    ODE_UNROLLED_
    for (int i = 1; i <= ODE_RADIUS; i++) ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        const int left_at = -i * POINT + c * ODE_LANES_,
                  right_at = (i - 1) * POINT + c * ODE_LANES_;
        vector left = ODE_PI_(ode_turned)(end + left_at, -1),
               right = ODE_PI_(ode_turned)(u + right_at, 1);
        if (has_shared) {
            const vector left_shared = ODE_PI_(ode_turned)(end + left_at - POINT, -1),
                         right_shared = ODE_PI_(ode_turned)(u + right_at + POINT, 1);
            left = ODE_PI_(ode_choose)(&shares_first, &left_shared, &left);
            right = ODE_PI_(ode_choose)(&shares_last, &right_shared, &right);
        }
        if (!ODE_PERIODIC_X_) {
#define ODE_LEFT_IN_(k) ODE_PI_(ode_load)(u + (k)*POINT + c * ODE_LANES_)
#define ODE_RIGHT_IN_(k) ODE_PI_(ode_load)(end - ((k) + 1) * POINT + c * ODE_LANES_)
            const vector outside = ODE_P_(ode_outside)(view->constants, t, c) - (vector){0},
                         for_left = ODE_GHOST_(ODE_X_LOW_, i, ODE_LEFT_IN_, outside),
                         for_right = ODE_GHOST_(ODE_X_HIGH_, i, ODE_RIGHT_IN_, outside);
#undef ODE_LEFT_IN_
#undef ODE_RIGHT_IN_
            left = ODE_PI_(ode_choose)(&first, &for_left, &left);
            right = ODE_PI_(ode_choose)(&last, &for_right, &right);
        }
        memcpy(u + left_at, &left, sizeof left);
        memcpy(end + right_at, &right, sizeof right);
    }
}

/* `rows` rows at once: they are each other's neighbours, and of their own values each is loaded
 * once. */
ODE_INLINE_ void ODE_PI_(ode_lanes_rows)(const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, void *const *out_, const void *const *in_, ode_index iy,
    ODE_VALUE_ t, ODE_VALUE_ t_next, ODE_VALUE_ h, const int rows) {
    enum {
        AT_ONCE = ODE_STEP_ROWS,
        WIDTH = ODE_WINDOW_WIDTH_ * ODE_COMPONENTS,
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_)
    };
    const ODE_VALUE_ *in[AT_ONCE + 2 * ODE_RADIUS];
    ODE_VALUE_ *out[AT_ONCE];
    ODE_PI_(ode_vector) own[AT_ONCE][WIDTH];
    ODE_UNROLLED_
    for (int r = 0; r < rows + 2 * ODE_RADIUS; r++) in[r] = in_[r];
    ODE_UNROLLED_
    for (int r = 0; r < rows; r++) {
        out[r] = out_[r];
        ODE_UNROLLED_
        for (int k = ODE_COMPONENTS; k < WIDTH; k++)
            own[r][k] = ODE_PI_(ode_load)(
                in[r + ODE_RADIUS] + (k - (ODE_RADIUS + 1) * ODE_COMPONENTS) * ODE_LANES_);
    }
    for (ode_index j = 0; j < lanes->points; j++) {
        ODE_PI_(ode_vector) next[AT_ONCE][ODE_COMPONENTS];
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) {
            ODE_UNROLLED_
            for (int k = 0; k < WIDTH - ODE_COMPONENTS; k++) own[r][k] = own[r][k + ODE_COMPONENTS];
            ODE_UNROLLED_
            for (int c = 0; c < ODE_COMPONENTS; c++)
                own[r][WIDTH - ODE_COMPONENTS + c] = ODE_PI_(ode_load)(
                    in[r + ODE_RADIUS] + ((j + ODE_RADIUS) * ODE_COMPONENTS + c) * ODE_LANES_);
        }
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) {
            ODE_PI_(ode_vector) window[SIZE];
            ODE_UNROLLED_
            for (int d = 0; d < ODE_WINDOW_HEIGHT_; d++) ODE_UNROLLED_
            for (int k = 0; k < WIDTH; k++) {
                const int other = r + d - ODE_RADIUS;
                window[d * WIDTH + k] =
                    other >= 0 && other < rows
                        ? own[other][k]
                        : ODE_PI_(ode_load)(
                              in[r + d] + ((j - ODE_RADIUS) * ODE_COMPONENTS + k) * ODE_LANES_);
            }
            const ode_index row =
                ODE_PERIODIC_Y_ && iy + r >= view->ny ? iy + r - view->ny : iy + r;
            ODE_PI_(ode_lanes_point)(ODE_STEP_, next[r], window, view, lanes, j, row, t, h, 0);
        }
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++)
            memcpy(out[r] + (j * ODE_COMPONENTS + c) * ODE_LANES_, &next[r][c], sizeof next[r][c]);
    }
    ODE_UNROLLED_
    for (int r = 0; r < rows; r++) ODE_PI_(ode_close)(out[r], view, lanes, t_next);
}

ODE_TARGET_ static void ODE_PI_(ode_step_rows)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *const *out, const void *const *in, int rows, ode_index iy,
    double t, double t_next, double h) {
    ODE_VIEW_
    int r = 0;
    for (; r + ODE_STEP_ROWS <= rows; r += ODE_STEP_ROWS)
        ODE_PI_(ode_lanes_rows)(&view, lanes, out + r, in + r, iy + r, (ODE_VALUE_)t,
            (ODE_VALUE_)t_next, (ODE_VALUE_)h, ODE_STEP_ROWS);
    for (; r < rows; r++)
        ODE_PI_(ode_lanes_rows)(&view, lanes, out + r, in + r, iy + r, (ODE_VALUE_)t,
            (ODE_VALUE_)t_next, (ODE_VALUE_)h, 1);
}
ODE_TARGET_ static void ODE_PI_(ode_close_row)(
    const struct ode_context *context, const struct ode_lanes *lanes, void *row, double t) {
    ODE_VIEW_
    ODE_PI_(ode_close)(row, &view, lanes, (ODE_VALUE_)t);
}

#endif

#include "ode_lane_stages.h"

#undef ODE_PI_
#undef ODE_TARGET_
#undef ODE_VECTOR_BYTES_
#undef ODE_LANES_

#endif

#undef ODE_ISA_
