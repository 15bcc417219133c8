/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lane_stages_rows.h - stages of any method on rows of a plane or a volume in SIMD lanes.
 * ode_lanes.h reads it; it uses the names of that file. */

/* The derivatives at a position of a row, from the rows around it. */
ODE_INLINE_ void ODE_PI_(ode_row_position)(ODE_PI_(ode_vector) *f, const ODE_VALUE_ *const *in,
    const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index position, ode_axes row, ODE_VALUE_ t) {
    enum { WIDTH = ODE_WINDOW_WIDTH_ * ODE_COMPONENTS };
    ODE_PI_(ode_vector) window[ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_)];
    ODE_UNROLLED_
    for (int d = 0; d < ODE_WINDOW_ROWS_; d++)
        ODE_PI_(ode_lanes_get)(&window[d * WIDTH],
            in[d] + (position - ODE_RADIUS) * ODE_COMPONENTS * ODE_LANES_, WIDTH);
    ODE_PI_(ode_lanes_point)(
        ODE_DERIVATIVES_, f, window, held, view, lanes, position, row, t, 0, 0);
}

/* So many positions of a row from `first` on, those that are computed together, by code for the
 * stage's shape. What is written begins with position `first`. */
ODE_INLINE_ void ODE_PI_(ode_row_shaped)(ODE_VALUE_ *next, void *const *carried,
    const ODE_VALUE_ *const *in, const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, ode_index first, ode_index count, ode_axes row,
    const ODE_PI_(ode_lane_stage) *stage) {
    enum {
        POINT = ODE_COMPONENTS * ODE_LANES_,
        TOGETHER = ODE_PI_(ode_together),
        COUNT = ODE_PI_(ode_together_vectors)
    };
    for (ode_index j = 0; j < count; j += TOGETHER) {
        ODE_PI_(ode_vectors) u, f;
        ODE_UNROLLED_
        for (int q = 0; q < TOGETHER; q++)
            ODE_PI_(ode_row_position)(
                &f.of[q * ODE_COMPONENTS], in, held, view, lanes, first + j + q, row, stage->t);
        ODE_UNROLLED_
        for (int k = 0; k < COUNT; k++)
            u.of[k] =
                ODE_PI_(ode_load)(in[ODE_WINDOW_ROWS_ / 2] + (first + j) * POINT + k * ODE_LANES_);
        ODE_PI_(ode_lanes_update)(
            next, carried, j * POINT, &u, &f, view->constants, stage, stage->stage->components);
#if ODE_HAS_MARKS_
        ODE_PI_(ode_keep_still)
        (next + j * POINT, (const ODE_VALUE_ *)u.of, held, first + j, TOGETHER);
#endif
    }
}

/* One level of a row, by code for the stage's shape. The last positions, fewer than are computed
 * together, are computed with some before them, apart from the row, and those are not kept. */
ODE_INLINE_ void ODE_PI_(ode_row_level)(ODE_VALUE_ *next, void *const *carried,
    const ODE_VALUE_ *const *in, const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, ode_axes row, const int arrays,
    const ODE_PI_(ode_lane_stage) *stage) {
    enum {
        POINT = ODE_COMPONENTS * ODE_LANES_,
        TOGETHER = ODE_PI_(ode_together),
        BLOCK = TOGETHER * POINT
    };
    const ode_index missing = lanes->points % TOGETHER, last = lanes->points - TOGETHER;
    ODE_VALUE_ apart[ODE_MOST_ARRAYS_][BLOCK], *to = next;
    void *const *from = carried, *copies[ODE_MOST_ARRAYS_ - 1];
    ode_index first = 0, count = lanes->points - missing;
    for (;;) {
        ODE_PI_(ode_row_shaped)(to, from, in, held, view, lanes, first, count, row, stage);
        if (!missing || first) break;
        first = last;
        count = TOGETHER;
        to = apart[0];
        from = copies;
        for (int i = 1; i < arrays; i++)
            copies[i - 1] =
                memcpy(apart[i], ODE_PI_(ode_carried)(carried, i) + last * POINT, sizeof apart[i]);
    }
    if (!missing) return;
    const ode_index known = (TOGETHER - missing) * POINT, at = last * POINT + known;
    const size_t size = (size_t)(missing * POINT) * sizeof *next;
    memcpy(next + at, to + known, size);
    for (int i = 1; i < arrays; i++)
        memcpy(ODE_PI_(ode_carried)(carried, i) + at, ODE_PI_(ode_carried)(from, i) + known, size);
}

/* One level of a row, by the library's code. */
ODE_INLINE_ void ODE_PI_(ode_row_buffered)(ODE_VALUE_ *next, void *const *carried,
    const ODE_VALUE_ *const *in, const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view,
    const struct ode_lanes *lanes, ode_axes row, const struct ode_levels *levels,
    const ODE_PI_(ode_lane_stage) *stage) {
    enum { POINT = ODE_COMPONENTS * ODE_LANES_ };
    ODE_VALUE_ buffer[ODE_PI_(ode_buffer) *POINT];
    for (ode_index j = 0; j < lanes->points;) {
        const ode_index begin = j;
        for (; j < lanes->points && j - begin < ODE_PI_(ode_buffer); j++) {
            ODE_PI_(ode_vector) f[ODE_COMPONENTS];
            ODE_PI_(ode_row_position)(f, in, held, view, lanes, j, row, stage->t);
            ODE_PI_(ode_lanes_put)(buffer + (j - begin) * POINT, f, ODE_COMPONENTS);
        }
        ODE_PI_(ode_empty_buffer)(levels, 0, next,
            (ODE_VALUE_ *)(uintptr_t)in[ODE_WINDOW_ROWS_ / 2], carried, begin, j, buffer, held);
    }
}

ODE_TARGET_ static void ODE_PI_(ode_stage_rows)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *const *out, const void *const *in, void *const *carried,
    int rows, const ode_index *row, const struct ode_instant *t, const struct ode_instant *t_next_,
    const struct ode_levels *levels) {
    ODE_VIEW_
    const struct ode_instant t_next = *t_next_;
    const struct ode_lanes dealt = *lanes;
    ODE_PI_(ode_lane_stage) stage;
    ODE_PI_(ode_lane_stage_of)(&stage, levels->stages, levels->arrays, t);
    for (int r = 0; r < rows; r++) {
        const ode_axes at = ODE_P_(ode_row_behind)(&view, (ode_axes){{0, row[1], row[2]}}, r);
        const ODE_VALUE_ *near[ODE_WINDOW_ROWS_];
        const ODE_PI_(ode_held) held = ODE_PI_(ode_held_by)(&dealt, rows + 2 * ODE_RADIUS, r);
        void *const *const row_carried = carried + r * (levels->arrays - 1);
        for (int d = 0; d < ODE_WINDOW_ROWS_; d++)
            near[d] =
                in[d / ODE_WINDOW_HEIGHT_ * (rows + 2 * ODE_RADIUS) + r + d % ODE_WINDOW_HEIGHT_];
        if (stage.shape >= 0 && dealt.points >= ODE_PI_(ode_together))
            ODE_PI_(ode_row_level)(
                out[r], row_carried, near, &held, &view, &dealt, at, levels->arrays, &stage);
        else
            ODE_PI_(ode_row_buffered)(
                out[r], row_carried, near, &held, &view, &dealt, at, levels, &stage);
        ODE_PI_(ode_close)(out[r], &view, &dealt, at, &t_next);
    }
}
