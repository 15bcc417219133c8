/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lanes_rows.h - Euler steps of rows of a plane or a volume in SIMD lanes.
 * ode_lanes.h reads it; it uses the names of that file. */

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
 * what stands beyond the grid. row: the place of its first point. */
ODE_INLINE_ void ODE_PI_(ode_close)(ODE_VALUE_ *u, const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, const ode_axes row, const struct ode_instant *t) {
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
        (void)row;
        if (!ODE_PERIODIC_X_) {
#define ODE_LEFT_IN_(k) ODE_PI_(ode_load)(u + (k)*POINT + c * ODE_LANES_)
#define ODE_RIGHT_IN_(k) ODE_PI_(ode_load)(end - ((k) + 1) * POINT + c * ODE_LANES_)
            ODE_LANES_GHOST_(for_left, X_LOW, i, ODE_LEFT_IN_, 0, row)
            ODE_LANES_GHOST_(for_right, X_HIGH, i, ODE_RIGHT_IN_, ODE_LANES_ - 1, row)
#undef ODE_LEFT_IN_
#undef ODE_RIGHT_IN_
            left = ODE_PI_(ode_choose)(&first, &for_left, &left);
            right = ODE_PI_(ode_choose)(&last, &for_right, &right);
        }
        memcpy(u + left_at, &left, sizeof left);
        memcpy(end + right_at, &right, sizeof right);
    }
}

/* `rows` rows at once from number `first` on: they are each other's neighbours, and of their own
 * values each is loaded once. listed: how many rows of each plane `in` lists. */
ODE_INLINE_ void ODE_PI_(ode_lanes_rows)(const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, void *const *out_, const void *const *in_, const int first,
    const int listed, ode_axes row, ODE_VALUE_ t, const struct ode_instant *t_next, ODE_VALUE_ h,
    const int rows) {
    enum {
        AT_ONCE = ODE_STEP_ROWS,
        WIDTH = ODE_WINDOW_WIDTH_ * ODE_COMPONENTS,
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_)
    };
    const ODE_VALUE_ *in[ODE_WINDOW_DEPTH_][AT_ONCE + 2 * ODE_RADIUS];
    const ODE_VALUE_ *const *const own_rows = in[ODE_WINDOW_DEPTH_ / 2];
    ODE_VALUE_ *out[AT_ONCE];
    ODE_PI_(ode_held) held[AT_ONCE];
    ODE_PI_(ode_vector) own[AT_ONCE][WIDTH];
    ODE_UNROLLED_
    for (int plane = 0; plane < ODE_WINDOW_DEPTH_; plane++) ODE_UNROLLED_
    for (int r = 0; r < rows + 2 * ODE_RADIUS; r++) in[plane][r] = in_[plane * listed + first + r];
    ODE_UNROLLED_
    for (int r = 0; r < rows; r++) {
        out[r] = out_[first + r];
        held[r] = ODE_PI_(ode_held_by)(lanes, listed, first + r);
        ODE_UNROLLED_
        for (int k = ODE_COMPONENTS; k < WIDTH; k++)
            own[r][k] = ODE_PI_(ode_load)(
                own_rows[r + ODE_RADIUS] + (k - (ODE_RADIUS + 1) * ODE_COMPONENTS) * ODE_LANES_);
    }
    for (ode_index j = 0; j < lanes->points; j++) {
        ODE_PI_(ode_vector) next[AT_ONCE][ODE_COMPONENTS];
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) {
            ODE_UNROLLED_
            for (int k = 0; k < WIDTH - ODE_COMPONENTS; k++) own[r][k] = own[r][k + ODE_COMPONENTS];
            ODE_UNROLLED_
            for (int c = 0; c < ODE_COMPONENTS; c++)
                own[r][WIDTH - ODE_COMPONENTS + c] =
                    ODE_PI_(ode_load)(own_rows[r + ODE_RADIUS] +
                                      ((j + ODE_RADIUS) * ODE_COMPONENTS + c) * ODE_LANES_);
        }
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) {
            ODE_PI_(ode_vector) window[SIZE];
            ODE_UNROLLED_
            for (int d = 0; d < ODE_WINDOW_ROWS_; d++) ODE_UNROLLED_
            for (int k = 0; k < WIDTH; k++) {
                const int plane = d / ODE_WINDOW_HEIGHT_, of_plane = r + d % ODE_WINDOW_HEIGHT_,
                          other = of_plane - ODE_RADIUS;
                window[d * WIDTH + k] =
                    plane == ODE_WINDOW_DEPTH_ / 2 && other >= 0 && other < rows
                        ? own[other][k]
                        : ODE_PI_(ode_load)(in[plane][of_plane] +
                                            ((j - ODE_RADIUS) * ODE_COMPONENTS + k) * ODE_LANES_);
            }
            ODE_PI_(ode_lanes_point)(ODE_STEP_, next[r], window, &held[r], view, lanes, j,
                ODE_P_(ode_row_behind)(view, row, r), t, h, 0);
        }
        ODE_UNROLLED_
        for (int r = 0; r < rows; r++) ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++)
            memcpy(out[r] + (j * ODE_COMPONENTS + c) * ODE_LANES_, &next[r][c], sizeof next[r][c]);
    }
    ODE_UNROLLED_
    for (int r = 0; r < rows; r++)
        ODE_PI_(ode_close)(out[r], view, lanes, ODE_P_(ode_row_behind)(view, row, r), t_next);
}

ODE_TARGET_ static void ODE_PI_(ode_step_rows)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *const *out, const void *const *in, int rows,
    const ode_index *row, const struct ode_instant *t, const struct ode_instant *t_next_,
    double h) {
    ODE_VIEW_
    const struct ode_instant t_next = *t_next_;
    const int listed = rows + 2 * ODE_RADIUS;
    ode_axes at = {{0, row[1], row[2]}};
    int r = 0;
    for (; r + ODE_STEP_ROWS <= rows; r += ODE_STEP_ROWS, at.of[1] += ODE_STEP_ROWS)
        ODE_PI_(ode_lanes_rows)(&view, lanes, out, in, r, listed, at, ODE_MOMENT_OF_(t), &t_next,
            (ODE_VALUE_)h, ODE_STEP_ROWS);
    for (; r < rows; r++, at.of[1]++)
        ODE_PI_(ode_lanes_rows)(
            &view, lanes, out, in, r, listed, at, ODE_MOMENT_OF_(t), &t_next, (ODE_VALUE_)h, 1);
}
ODE_TARGET_ static void ODE_PI_(ode_close_row)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *u, const ode_index *row, const struct ode_instant *t) {
    ODE_VIEW_
    ODE_PI_(ode_close)(u, &view, lanes, (ode_axes){{0, row[1], row[2]}}, t);
}

/* Write the row of ghosts that stands d rows or planes beyond a side of another axis than x, at
 * this place. Where all its ghosts are equal it stays as it is, if it was `written` before with the
 * same values. */
ODE_INLINE_ void ODE_PI_(ode_write_ghosts)(const int side, const int d, ODE_VALUE_ *row,
    const void *const *in, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    const ode_index *place, const struct ode_instant *t, int written) {
    enum { POINT = ODE_COMPONENTS * ODE_LANES_ };
    const int rule = ODE_RULE_AT_(side);
    const ode_index nx = view->extents.of[0], y = ODE_AXIS_OF_(side) == 1 ? 0 : place[1],
                    z = ODE_AXIS_OF_(side) == 2 ? 0 : place[2];
    (void)nx, (void)y, (void)z;
    if (ODE_IS_COPY_(rule)) return;
    for (int c = 0; c < ODE_COMPONENTS && ODE_IS_UNIFORM_(rule) && written; c++) {
        const ODE_VALUE_ ghost = ODE_P_(ode_ghost)(
            side, d, NULL, view->constants, t, (ODE_P_(ode_beside))ODE_BESIDE_(view, 0, y, z), c);
        written = !memcmp(&row[c * ODE_LANES_], &ghost, sizeof ghost);
    }
    if (ODE_IS_UNIFORM_(rule) && written) return;
    for (ode_index j = -ODE_RADIUS; j < lanes->points + ODE_RADIUS; j++)
        for (int c = 0; c < ODE_COMPONENTS; c++)
            for (int lane = 0; lane < ODE_LANES_; lane++) {
                const ode_index at = j * POINT + c * ODE_LANES_ + lane, x = lanes->first[lane] + j;
                ODE_VALUE_ inner[ODE_RADIUS + 1] = {0};
                (void)x;
                for (int k = 0; k <= ODE_INWARDS_(rule, d, ODE_RADIUS); k++)
                    inner[k] = ((const ODE_VALUE_ *)in[k])[at];
                row[at] = ODE_P_(ode_ghost)(side, d, inner, view->constants, t,
                    (ODE_P_(ode_beside))ODE_BESIDE_(view,
                        ODE_COUNTED_ROUND_(ODE_PERIODIC_X_, ODE_X_LOW_, ODE_X_HIGH_, x, nx), y, z),
                    c);
            }
}
ODE_TARGET_ static void ODE_PI_(ode_ghost_row)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const void *const *in, int side, int d,
    const ode_index *place, const struct ode_instant *t, int written) {
    ODE_VIEW_
#define ODE_GHOSTS_BEYOND_(SIDE)                              \
    if (side == ODE_SIDE_##SIDE##_) ODE_PI_(ode_write_ghosts) \
    (ODE_SIDE_##SIDE##_, d, row, in, &view, lanes, place, t, written);
    ODE_SIDES_BEYOND_ROWS_(ODE_GHOSTS_BEYOND_)
#undef ODE_GHOSTS_BEYOND_
}
