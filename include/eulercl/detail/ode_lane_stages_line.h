/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lane_stages_line.h - stages of any method on a line in SIMD lanes.
 * ode_lanes.h reads it; it uses the names of that file. */

/* Levels that follow each other along a row, at most: their values around a position, which they
 * replace in place, are kept apart. */
enum {
    ODE_PI_(ode_kept_vectors) = ODE_RADIUS * ODE_COMPONENTS,
    ODE_PI_(ode_stages_fit) = 128 / (ODE_PI_(ode_kept_vectors) < 1 ? 1 : ODE_PI_(ode_kept_vectors)),
    ODE_PI_(ode_stages) = ODE_PI_(ode_stages_fit) < 1                 ? 1
                          : ODE_PI_(ode_stages_fit) > ODE_MOST_STAGES ? ODE_MOST_STAGES
                                                                      : ODE_PI_(ode_stages_fit)
};

/* Blocks of positions that are computed together, from position j on: none of them reads beyond an
 * end of the grid. */
ODE_INLINE_ ode_index ODE_PI_(ode_line_blocks)(
    const struct ode_lanes *lanes, ode_index j, ode_index end) {
    ode_index limit = end;
    if (!ODE_PERIODIC_X_ && j < lanes->points)
        limit = j < 0 ? 0 : j < ODE_RADIUS ? j : lanes->points - ODE_RADIUS;
    if (limit > end) limit = end;
    return limit > j ? (limit - j) / ODE_PI_(ode_together) : 0;
}

/* Positions begin .. end-1 of a level, blocks none of which reads beyond an end of the grid. left:
 * the old values of the `radius` positions before. */
ODE_INLINE_ void ODE_PI_(ode_line_inner)(ODE_PI_(ode_vector) *left, void *const *x,
    const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index begin, ode_index end, ODE_VALUE_ *buffer, const ODE_PI_(ode_lane_stage) *stage,
    const int components) {
    enum {
        POINT = ODE_COMPONENTS * ODE_LANES_,
        TOGETHER = ODE_PI_(ode_together),
        KEPT = ODE_PI_(ode_kept_vectors)
    };
    ODE_VALUE_ *const now = x[0];
    for (ode_index j = begin; j < end; j += TOGETHER) {
        ODE_PI_(ode_vector) around[(TOGETHER + 2 * ODE_RADIUS) * ODE_COMPONENTS];
        ODE_PI_(ode_vectors) u, f;
        ODE_UNROLLED_
        for (int k = 0; k < KEPT; k++) around[k] = left[k];
        ODE_PI_(ode_lanes_get)(
            &around[KEPT], now + j * POINT, (TOGETHER + ODE_RADIUS) * ODE_COMPONENTS);
        ODE_UNROLLED_
        for (int q = 0; q < TOGETHER; q++)
            ODE_PI_(ode_lanes_point)(ODE_DERIVATIVES_, &f.of[q * ODE_COMPONENTS],
                &around[q * ODE_COMPONENTS], held, view, lanes, j + q, (ode_axes){{0}}, stage->t, 0,
                1);
        ODE_UNROLLED_
        for (int k = 0; k < KEPT; k++) left[k] = around[TOGETHER * ODE_COMPONENTS + k];
        ODE_UNROLLED_
        for (int k = 0; k < TOGETHER * ODE_COMPONENTS; k++) u.of[k] = around[KEPT + k];
        if (components || stage->shape >= 0) {
            ODE_PI_(ode_lanes_update)(
                now, x + 1, j * POINT, &u, &f, view->constants, stage, components);
#if ODE_HAS_MARKS_
            ODE_PI_(ode_keep_still)
            (now + j * POINT, (const ODE_VALUE_ *)u.of, held, j, TOGETHER);
#endif
        } else
            ODE_PI_(ode_lanes_put)(buffer + (j - begin) * POINT, f.of, TOGETHER * ODE_COMPONENTS);
    }
}

/* Positions begin .. end-1 of one level. kept: the old values of the `radius` positions before. */
ODE_INLINE_ void ODE_PI_(ode_line_level)(ODE_VALUE_ *kept, void *const *x,
    const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index begin, ode_index end, const struct ode_levels *levels, const int level,
    const ODE_PI_(ode_lane_stage) *stage) {
    enum {
        POINT = ODE_COMPONENTS * ODE_LANES_,
        SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_),
        TOGETHER = ODE_PI_(ode_together),
        KEPT = ODE_PI_(ode_kept_vectors)
    };
    ODE_VALUE_ buffer[ODE_PI_(ode_buffer) *POINT];
    ODE_PI_(ode_vector) left[KEPT + 1];
    ODE_VALUE_ *const now = x[0];
    ode_index buffered = begin; /* from here on derivatives are in the buffer */
    ODE_PI_(ode_lanes_get)(left, kept, KEPT);
    for (ode_index j = begin; j < end;) {
        ode_index blocks = ODE_PI_(ode_line_blocks)(lanes, j, end);
        if (blocks || j - buffered >= ODE_PI_(ode_buffer)) {
            ODE_PI_(ode_empty_buffer)
            (levels, level, now, now, x + 1, buffered, j, buffer, held);
            buffered = j;
        }
        if (blocks) {
            const ode_index most = ODE_PI_(ode_buffer) / TOGETHER,
                            to =
                                j + TOGETHER * (stage->shape >= 0 || blocks < most ? blocks : most);
#ifdef ODE_POSITION
            if (stage->shape >= 0 && stage->stage->components == 1)
                ODE_PI_(ode_line_inner)(left, x, held, view, lanes, j, to, buffer, stage, 1);
            else if (stage->shape >= 0 && stage->stage->components == 2)
                ODE_PI_(ode_line_inner)(left, x, held, view, lanes, j, to, buffer, stage, 2);
            else
#endif
                ODE_PI_(ode_line_inner)(left, x, held, view, lanes, j, to, buffer, stage, 0);
            j = to;
            if (stage->shape >= 0) buffered = j;
        } else { /* a single position */
            ODE_PI_(ode_vector) window[SIZE], f[ODE_COMPONENTS];
            ODE_UNROLLED_
            for (int k = 0; k < KEPT; k++) window[k] = left[k];
            ODE_PI_(ode_lanes_get)(&window[KEPT], now + j * POINT, SIZE - KEPT);
            ODE_UNROLLED_
            for (int k = 0; k < KEPT; k++) left[k] = window[ODE_COMPONENTS + k];
            if (!ODE_PERIODIC_X_)
                ODE_PI_(ode_lanes_boundary)(window, view, lanes, j, &stage->instant);
            ODE_PI_(ode_lanes_point)(
                ODE_DERIVATIVES_, f, window, held, view, lanes, j, (ode_axes){{0}}, stage->t, 0, 1);
            ODE_PI_(ode_lanes_put)(buffer + (j++ - buffered) * POINT, f, ODE_COMPONENTS);
        }
    }
    ODE_PI_(ode_empty_buffer)
    (levels, level, now, now, x + 1, buffered, end, buffer, held);
    ODE_PI_(ode_lanes_put)(kept, left, KEPT);
}

/* All levels go along the row in turns, each a radius behind the one before, and replace the values
 * of a part that stays in the first cache. */
ODE_TARGET_ static void ODE_PI_(ode_stage_line)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *const *x_, const struct ode_levels *levels,
    const struct ode_instant *t, int count) {
    enum {
        POINT = ODE_COMPONENTS * ODE_LANES_,
        KEPT = ODE_PI_(ode_kept_vectors),
        TOGETHER = ODE_PI_(ode_together),
        CACHE = 24 << 10
    };
    ODE_VIEW_
    const struct ode_lanes dealt = *lanes;
    const ODE_PI_(ode_held) held = ODE_PI_(ode_held_by)(&dealt, 1, 0);
    ODE_PI_(ode_lane_stage) stages[ODE_PI_(ode_stages)];
    ODE_VALUE_ kept[ODE_PI_(ode_stages)][(KEPT + 1) * ODE_LANES_];
    void *x[ODE_MOST_ARRAYS_]; /* of its own, so that it stays in registers */
    ode_index done[ODE_PI_(ode_stages)] = {0};
    for (int i = 0; i < levels->arrays; i++) x[i] = x_[i];
    for (int s = 0; s < count; s++) {
        const void *const stage = (const char *)levels->stages + (size_t)s * levels->stride;
        ODE_PI_(ode_lane_stage_of)(&stages[s], stage, levels->arrays, &t[s]);
        done[s] = -(count - 1 - s) * ODE_RADIUS;
    }
    const ode_index fit = CACHE / (POINT * (int)sizeof(ODE_VALUE_) * levels->arrays) -
                          count * (ODE_RADIUS + TOGETHER);
    const ode_index turn = fit < 8 * TOGETHER ? 8 * TOGETHER : fit;
    for (ode_index front = turn; done[count - 1] < dealt.points; front += turn)
        for (int s = 0; s < count; s++) {
            const ode_index first = -(count - 1 - s) * ODE_RADIUS, last = dealt.points - first;
            ode_index to = s ? done[s - 1] - ODE_RADIUS : front;
            to = to >= last ? last : to > ODE_RADIUS ? to - (to - ODE_RADIUS) % TOGETHER : to;
            if (to <= done[s]) continue;
            if (done[s] == first)
                memcpy(kept[s], (const ODE_VALUE_ *)x[0] + (first - ODE_RADIUS) * POINT,
                    sizeof(ODE_PI_(ode_vector)) * KEPT);
            ODE_PI_(ode_line_level)(
                kept[s], x, &held, &view, &dealt, done[s], to, levels, s, &stages[s]);
            done[s] = to;
        }
}
