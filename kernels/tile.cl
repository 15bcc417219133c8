/* SPDX-License-Identifier: BSD-2-Clause */
/* tile.cl - the common part of the tilings. From the settings:
   TILE_STORAGE     where a tile keeps its levels: TILE_LOCAL two buffers in local memory,
                    TILE_COLUMN one, TILE_GLOBAL the state itself
   TILE_UNIT        components that an item updates at a time, those of whole points: 4, or those
                    of one point
   TILE_WORKGROUP   items in a work-group
   lib/schedule/diamond_geometry.h comes before it, with TILE_INT = ode_offset. */
#define TILE_LOCAL 0
#define TILE_GLOBAL 1
#define TILE_COLUMN 2
#if TILE_STORAGE == TILE_GLOBAL
#define TILE_SPACE ODE_STATE
#define TILE_FORM(x) x##_global
#define TILE_FENCE CLK_GLOBAL_MEM_FENCE
#define TILE_VIEW(ORIGIN, INPUT) \
    { shape.n, extents, constants, fields }
#else
#define TILE_SPACE __local
#define TILE_FORM(x) x##_local
#define TILE_FENCE CLK_LOCAL_MEM_FENCE
#define TILE_VIEW(ORIGIN, INPUT) \
    { shape.n, extents, constants, fields, ORIGIN, (INPUT).begin, (INPUT).end }
#endif

/* Values in global memory that other items read at the next level. */
#if defined STAGE_ARRAYS && STAGE_ARRAYS > 1
#define TILE_STEPPED (TILE_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define TILE_STEPPED TILE_FENCE
#endif

/* The fence after a fetch: other items may later store to the state where this one has loaded, a
 * later level in the same array. */
#define TILE_FETCHED (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* The stages of a step, whose number is an argument, so that one program makes steps of all numbers
 * of stages; and the carried values. FLUSH_LEVELS: from one flush of tiny values to the next. */
#ifdef STAGE_ARRAYS
#define TILE_STAGES                                                                    \
    TILE_FLUSH_ARGUMENT, const int stage_count, __global const ode_stage_real *stages, \
        ODE_STATE ode_real *carried
#define TILE_STAGES_PARAMETERS TILE_STAGES, const ode_offset n ESTIMATE_PARAMETER
#define TILE_STAGES_PASS TILE_FLUSH_PASS, stage_count, stages, carried, n ESTIMATE_PASS
#define TILE_STAGE_VIEW(level)                                            \
    TILE_FLUSH_VIEW(level)                                                \
    const ode_stage_real level_stage = stages[((level)-1) % stage_count]; \
    const ode_stage_real *const stage = &level_stage;                     \
    ESTIMATE_IS_DUE((level) % stage_count == 0)
#define FLUSH_LEVELS (stage_count * ODE_FLUSH_STEPS_(stage_count))
#else
#define FLUSH_LEVELS ODE_FLUSH_STEPS_(1)
#define TILE_STAGES TILE_FLUSH_ARGUMENT
#define TILE_STAGES_PARAMETERS TILE_FLUSH_ARGUMENT
#define TILE_STAGES_PASS TILE_FLUSH_PASS
#define TILE_STAGE_VIEW(level) TILE_FLUSH_VIEW(level)
#endif
#ifdef FLUSH_BELOW
#define TILE_FLUSH_ARGUMENT , const ode_offset since_flush /* levels, before the first one here */
#define TILE_FLUSH_PASS , since_flush
#define TILE_FLUSH_VIEW(level) const int is_flushed = (since_flush + (level)) % FLUSH_LEVELS == 0;
#else
#define TILE_FLUSH_ARGUMENT
#define TILE_FLUSH_PASS
#define TILE_FLUSH_VIEW(level)
#endif

#define TILE_KERNEL __kernel __attribute__((reqd_work_group_size(TILE_WORKGROUP, 1, 1)))
/* Levels of even number are in `even`, the others in `odd`; times[s] is the time at which the step
 * from level s begins. */
#define TILE_ARGUMENTS                                                                             \
    ODE_STATE ode_real *even, ODE_STATE ode_real *odd, __global const ode_instant *times,          \
        __global const ode_real *fields, const ode_constants values, const ode_real h,             \
        const ode_offset n, const ode_axes extents, const ode_offset block, const ode_offset halo, \
        const ode_offset blocks, const ode_offset cut, const ode_offset pass,                      \
        const ode_offset steps, __local ode_real4 *memory TILE_STAGES ESTIMATE_ARGUMENTS

/* ---- where the levels are ---- */

/* A level of a tile (next) and the one it reads (y), each with the component at its front, and
 * their places in global memory. */
typedef struct {
    TILE_SPACE ode_real *y, *next;
    ode_offset origin, next_origin;
    ODE_STATE ode_real *old_state, *state;
} tile_place;

ODE_INLINE_ tile_place tile_place_of(tile_shape s, ode_offset start, ode_offset offset,
    ode_offset level, ODE_STATE ode_real *even, ODE_STATE ode_real *odd,
    __local ode_real4 *memory) {
    tile_place place;
    place.old_state = level & 1 ? even : odd;
    place.state = level & 1 ? odd : even;
#if TILE_STORAGE == TILE_GLOBAL
    place.y = place.old_state;
    place.next = place.state;
    place.origin = place.next_origin = 0;
#elif TILE_STORAGE == TILE_LOCAL
    place.y = (__local ode_real *)memory;
    place.next = place.y + tile_row_capacity(s);
    place.origin = place.next_origin = tile_row_origin(s, start);
#else
    place.y = place.next = (__local ode_real *)memory;
    place.origin = tile_column_origin(s, start, offset - 1);
    place.next_origin = tile_column_origin(s, start, offset);
#endif
    return place;
}

/* The place of the level below. */
ODE_INLINE_ tile_place tile_place_below(tile_shape s, tile_place above) {
    tile_place place = {
        above.next, above.y, above.next_origin, above.origin, above.state, above.old_state};
    if (TILE_STORAGE == TILE_COLUMN) place.next_origin = above.next_origin + s.block;
    return place;
}

/* ---- from global to local memory ---- */

#define TILE_VECTORS(range) \
    ((range).begin < (range).end ? ((range).end - (range).begin + 3) / 4 : 0)

#if TILE_STORAGE != TILE_GLOBAL
/* Copy parts of a level from the state to y, which begins with component origin. The state has room
 * behind its end for whole vectors. */
ODE_INLINE_ void tile_fetch(
    __local ode_real *y, ode_offset origin, ODE_STATE const ode_real *state, tile_ranges load) {
    const ode_offset on_left = TILE_VECTORS(load.left),
                     vectors = on_left + TILE_VECTORS(load.right);
    for (ode_offset u = (ode_offset)get_local_id(0); u < vectors; u += TILE_WORKGROUP) {
        const ode_offset i =
            u < on_left ? load.left.begin + 4 * u : load.right.begin + 4 * (u - on_left);
        *(__local ode_real4 *)(y + (i - origin)) = *(ODE_STATE const ode_real4 *)(state + i);
    }
}

/* Copy back to the state, but not beyond the end. */
ODE_INLINE_ void tile_write_back(
    __local const ode_real *y, ode_offset origin, ODE_STATE ode_real *state, tile_ranges store) {
    const ode_offset on_left = TILE_VECTORS(store.left),
                     vectors = on_left + TILE_VECTORS(store.right);
    for (ode_offset u = (ode_offset)get_local_id(0); u < vectors; u += TILE_WORKGROUP) {
        const ode_offset i =
            u < on_left ? store.left.begin + 4 * u : store.right.begin + 4 * (u - on_left);
        const ode_offset end = u < on_left ? store.left.end : store.right.end;
        if (i + 4 <= end)
            *(ODE_STATE ode_real4 *)(state + i) = *(__local const ode_real4 *)(y + (i - origin));
        else
            for (int k = 0; k < 3; k++)
                if (i + k < end) state[i + k] = y[i + k - origin];
    }
}
#endif

/* ---- computation ---- */

/* The components of a grid point, which are aligned to their size. */
#if ODE_COMPONENTS == 4
#define TILE_COPY_POINT(to, from) vstore4(*(TILE_SPACE const ode_real4 *)(from), 0, to)
#elif ODE_COMPONENTS == 2
#define TILE_COPY_POINT(to, from) vstore2(*(TILE_SPACE const ode_real2 *)(from), 0, to)
#else
#define TILE_COPY_POINT(to, from) *(to) = *(from)
#endif

/* The new values of the point whose first component is i. */
ODE_INLINE_ void tile_point(TILE_SPACE const ode_real *y, const TILE_FORM(ode_view) * view,
    ode_offset i, ode_instant t, ode_real h, ode_real *value STAGE_PARAMETERS) {
    ode_real dot[ODE_COMPONENTS];
    TILE_FORM(ode_eval_point)(y, view, i, t, dot);
    for (int c = 0; c < ODE_COMPONENTS; c++) value[c] = ODE_CELL_(y, view, i)[c];
    stage_point(view->constants, i, TILE_FORM(ode_still_points)(view, i / ODE_COMPONENTS, 1), h,
        dot, value STAGE);
}

/* Which of the points whose components are i .. i + 3 keep their values. */
#define TILE_STILL(view, i) \
    TILE_FORM(ode_still_points)(view, (i) / ODE_COMPONENTS, 4 / ODE_COMPONENTS)

/* The new values of the components i .. i + TILE_UNIT - 1 that are before end; `inner`: all are,
 * and read nothing beyond the ends of the system. */
ODE_INLINE_ void tile_update(TILE_SPACE const ode_real *y, const TILE_FORM(ode_view) * view,
    ode_offset i, ode_offset end, ode_instant t, ode_real h, int inner,
    ode_real *value STAGE_PARAMETERS) {
#if TILE_UNIT == 4
    if (inner || i + 4 <= end) {
        ode_real dot[4];
#if ODE_IS_LINE_
        /* Whole vectors around the four, from which the points' windows are cut. */
#define TILE_MARGIN ((ODE_RADIUS * ODE_COMPONENTS + 3) / 4)
        const ode_axes at = {{i / ODE_COMPONENTS, 0, 0}};
        if (inner || TILE_FORM(ode_is_inner)(view, 4 / ODE_COMPONENTS, at)) {
            ode_real window[(2 * TILE_MARGIN + 1) * 4];
            __attribute__((opencl_unroll_hint)) for (int g = 0; g <= 2 * TILE_MARGIN; g++) vstore4(
                *(TILE_SPACE const ode_real4 *)ODE_CELL_(y, view, i + 4 * (g - TILE_MARGIN)), g,
                window);
            __attribute__((opencl_unroll_hint)) for (int k = 0; k < 4; k += ODE_COMPONENTS)
                ode_point_window(window + 4 * TILE_MARGIN + k, ODE_WINDOW_STRIDES_(0),
                    view->constants, ODE_COEFFICIENTS_(view, at.of[0] + k / ODE_COMPONENTS, 0, 0),
                    ODE_MOMENT_OF_(t), ODE_PLACE_(view, at.of[0] + k / ODE_COMPONENTS, 0, 0),
                    dot + k);
            for (int k = 0; k < 4; k++) value[k] = window[4 * TILE_MARGIN + k];
            stage_four(view->constants, i, TILE_STILL(view, i), h, dot, value STAGE);
            return;
        }
#endif
#if ODE_HAS_ROWS_ && TILE_STORAGE != TILE_GLOBAL
        /* Vectors of whole points are aligned in every row of the grid. */
#define TILE_POINTS (4 / ODE_COMPONENTS)
#define TILE_WIDTH (TILE_POINTS + 2 * ODE_RADIUS)
        const ode_offset point = i / ODE_COMPONENTS;
        const ode_axes at = TILE_FORM(ode_point_at)(view, point);
        if (TILE_FORM(ode_is_inner)(view, TILE_POINTS, at)) {
            ode_real window[ODE_WINDOW_SIZE_(TILE_WIDTH)];
            __attribute__((opencl_unroll_hint)) for (int row = 0; row < ODE_WINDOW_ROWS_; row++)
                __attribute__((opencl_unroll_hint)) for (int column = 0; column < TILE_WIDTH;
                                                         column++) {
                const ode_offset from =
                    i + (ODE_WINDOW_ROW_(row, view) + column - ODE_RADIUS) * ODE_COMPONENTS;
                /* Corners that the author's text does not read may not be there. */
                const ode_offset there =
                    row == ODE_WINDOW_ROWS_ / 2
                        ? from
                        : ode_nearest(from, view->first, view->end - ODE_COMPONENTS + 1);
                TILE_COPY_POINT(window + (row * TILE_WIDTH + column) * ODE_COMPONENTS,
                    ODE_CELL_(y, view, there));
            }
            __attribute__((opencl_unroll_hint)) for (int k = 0; k < TILE_POINTS; k++)
                ode_point_window(window + ODE_WINDOW_CENTRE_(TILE_WIDTH) + k * ODE_COMPONENTS,
                    ODE_WINDOW_STRIDES_(TILE_WIDTH), view->constants,
                    ODE_COEFFICIENTS_(view, at.of[0] + k, at.of[1], at.of[2]), ODE_MOMENT_OF_(t),
                    ODE_PLACE_(view, at.of[0] + k, at.of[1], at.of[2]), dot + k * ODE_COMPONENTS);
            for (int k = 0; k < 4; k++) value[k] = window[ODE_WINDOW_CENTRE_(TILE_WIDTH) + k];
            stage_four(view->constants, i, TILE_STILL(view, i), h, dot, value STAGE);
            return;
        }
#endif
        TILE_FORM(ode_eval_comp4)(y, view, i / 4, t, dot);
        vstore4(*(TILE_SPACE const ode_real4 *)ODE_CELL_(y, view, i), 0, value);
        stage_four(view->constants, i, TILE_STILL(view, i), h, dot, value STAGE);
    } else
        for (int k = 0; k + ODE_COMPONENTS < 4; k += ODE_COMPONENTS)
            if (i + k < end) tile_point(y, view, i + k, t, h, value + k STAGE);
#else
    tile_point(y, view, i, t, h, value STAGE);
#endif
}

/* to[0 .. TILE_UNIT-1] = value, as far as the components from i on are before end. */
#if TILE_UNIT == 4
#define TILE_PUT(SPACE, to, value, i, end)           \
    if (inner || (i) + 4 <= (end))                   \
        *(SPACE ode_real4 *)(to) = vload4(0, value); \
    else                                             \
        for (int ode_k = 0; ode_k < 3; ode_k++)      \
            if ((i) + ode_k < (end)) (to)[ode_k] = (value)[ode_k];
#else
#define TILE_PUT(SPACE, to, value, i, end) \
    for (int ode_k = 0; ode_k < TILE_UNIT; ode_k++) (to)[ode_k] = (value)[ode_k];
#endif

/* Step the components of `part` of a level from y to next, and in column storage what `store` names
   to the state as well. There new values overwrite old ones, but none that the components behind
   them read. */
ODE_INLINE_ void tile_step(TILE_SPACE const ode_real *y, const TILE_FORM(ode_view) * view,
    TILE_SPACE ode_real *next, ode_offset next_origin, ODE_STATE ode_real *state, tile_range part,
    tile_ranges store, ode_instant t, ode_real h, int inner STAGE_PARAMETERS) {
    __attribute__((opencl_unroll_hint(1))) for (ode_offset chunk = part.begin; chunk < part.end;
                                                chunk += TILE_WORKGROUP * TILE_UNIT) {
        const ode_offset i = chunk + (ode_offset)get_local_id(0) * TILE_UNIT;
        ode_real value[TILE_UNIT];
        if (i < part.end) tile_update(y, view, i, part.end, t, h, inner, value STAGE);
        if (TILE_STORAGE == TILE_COLUMN) barrier(CLK_LOCAL_MEM_FENCE);
        if (i < part.end) {
            TILE_PUT(TILE_SPACE, next + (i - next_origin), value, i, part.end)
            if (TILE_STORAGE == TILE_COLUMN && (i < store.left.end || i >= store.right.begin)) {
                TILE_PUT(ODE_STATE, state + i, value, i, part.end)
            }
        }
    }
}
