/* SPDX-License-Identifier: BSD-2-Clause */
/* register_line.cl - overlapped tiles of a line, in registers: 1-D grids, and the general form with
   a short access distance. A work-group holds a tile. Each item holds LINE_POINTS neighbouring
   points of it, and LINE_HALO points of either neighbour. The items exchange edges through local
   memory once in LINE_EXCHANGE levels. In between each item also advances its halo, a radius less
   at each level. It has no carried values there, so methods with carried values exchange at every
   level. From the settings:
   LINE_POINTS, LINE_ITEMS   points of an item, items of a work-group
   LINE_EXCHANGE             levels between two exchanges; 1 but for methods of one stage
   LINE_UNROLL               stages of a run without a branch in between
   LINE_VECTOR               width of an edge's vectors
   LINE_STEPS                steps without a branch in between; a multiple of LINE_EXCHANGE
   LINE_STAGE                points per item that pass through local memory at a time on their way
                             from and to global memory; divides LINE_POINTS */
#define LINE_HALO (LINE_EXCHANGE * REGISTER_RADIUS)
#define LINE_TILE (LINE_POINTS * LINE_ITEMS)
#define LINE_EDGE (LINE_HALO * REGISTER_SHARED_COUNT) /* reals of an edge */
#define LINE_STAGE_REALS (LINE_STAGE * ODE_COMPONENTS)
#define LINE_STAGE_ROW \
    (LINE_STAGE_REALS | 1) /* odd: items read their rows without bank conflicts */

/* Component c of point p of the item, -LINE_HALO <= p < LINE_POINTS + LINE_HALO. */
#define LINE_CELL(cells, p, c) (cells)[((p) + LINE_HALO) * ODE_COMPONENTS + (c)]
#define LINE_REALS (LINE_POINTS * ODE_COMPONENTS) /* reals of an item, without its halo */
#define LINE_CELLS ((LINE_POINTS + 2 * LINE_HALO) * ODE_COMPONENTS)
/* The ends of an item can be updated before its middle if it has this number of points. */
#define LINE_HAS_MIDDLE (LINE_POINTS >= 2 * (LINE_HALO + REGISTER_RADIUS))

/* The item, its neighbours, and whether it is at an end of the tile. */
typedef struct {
    int item, left, right;
    int is_first, is_last;
    ode_offset begin; /* its first point */
} line_place;

ODE_INLINE_ void line_rhs(const ode_real *cells, int p, const line_place *place,
    const register_view *view, ode_instant t, ode_real *dot) {
#if ODE_GRID
    const ode_axes at = {{place->begin + p, 0, 0}};
    register_rhs(&LINE_CELL(cells, p, 0), ODE_WINDOW_STRIDES_(0), view, t, at, dot);
#else
    const ode_index begin = (ode_index)place->begin + ODE_SHIFT_;
    dot[0] = ode_component_window(cells, begin - LINE_HALO, view->constants, begin + p,
        ODE_MOMENT_OF_(t), ODE_WHOLE_(view, view->n));
#endif
}

ODE_INLINE_ void line_update(ode_real *cells, ode_real *carried, int p, const line_place *place,
    const register_stage *stage, const ode_real *dot) {
    const ode_axes at = {{place->begin + p, 0, 0}};
    register_update(stage, ODE_GRID ? 0 : (ode_index)place->begin + p + ODE_SHIFT_,
        REGISTER_IS_STILL(stage->view, at), dot, &LINE_CELL(cells, p, 0),
        carried + p * ODE_COMPONENTS, LINE_REALS);
}

/* The derivatives of points first .. end-1. Each point is updated as soon as no other point needs
   its old value: REGISTER_RADIUS points later. `late` holds the derivatives that wait: on return
   they are those of the last points, on entry, if `before`, those of the points first -
   REGISTER_RADIUS .. first - 1. So the step is made in place. */
ODE_INLINE_ void line_sweep(ode_real *cells, ode_real *carried, int first, int end, int before,
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], const line_place *place,
    const register_view *view, const register_stage *stage) {
    REGISTER_UNROLL
    for (int p = first; p < end; p++) {
        ode_real dot[ODE_COMPONENTS];
        line_rhs(cells, p, place, view, stage->t, dot);
        if (before || p - first >= REGISTER_RADIUS)
            line_update(cells, carried, p - REGISTER_RADIUS, place, stage, late[0]);
        REGISTER_UNROLL
        for (int k = 0; k + 1 < REGISTER_RADIUS; k++) REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[k][c] = late[k + 1][c];
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[REGISTER_RADIUS - 1][c] = dot[c];
    }
}

/* Like line_sweep, but backwards, from point end-1 to point first. On return `late` holds the
 * derivatives of the points first .. first + REGISTER_RADIUS - 1. */
ODE_INLINE_ void line_sweep_back(ode_real *cells, ode_real *carried, int end, int first,
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], const line_place *place,
    const register_view *view, const register_stage *stage) {
    REGISTER_UNROLL
    for (int p = end - 1; p >= first; p--) {
        ode_real dot[ODE_COMPONENTS];
        line_rhs(cells, p, place, view, stage->t, dot);
        if (p + REGISTER_RADIUS < end)
            line_update(
                cells, carried, p + REGISTER_RADIUS, place, stage, late[REGISTER_RADIUS - 1]);
        REGISTER_UNROLL
        for (int k = REGISTER_RADIUS - 1; k > 0; k--) REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[k][c] = late[k - 1][c];
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[0][c] = dot[c];
    }
}

/* Update the points that wait: the last ones before `end`. */
ODE_INLINE_ void line_update_late(ode_real *cells, ode_real *carried, int end,
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], const line_place *place,
    const register_stage *stage) {
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_RADIUS; k++)
        line_update(cells, carried, end - REGISTER_RADIUS + k, place, stage, late[k]);
}

/* Set the ghosts in the first and the last item of every tile, since an end of the grid is an end
   of a tile. Inside the grid that spoils points which the overlap throws away. */
ODE_INLINE_ void line_ghosts(
    ode_real *cells, const line_place *place, const register_view *view, ode_instant t) {
#if ODE_GRID && !ODE_PERIODIC_X_
#define LEFT_IN(k) LINE_CELL(cells, k, c)
#define RIGHT_IN(k) LINE_CELL(cells, LINE_POINTS - 1 - (k), c)
    REGISTER_UNROLL
    for (int d = 1; d <= REGISTER_RADIUS; d++) REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        REGISTER_GHOST(left, X_LOW, d, LEFT_IN, view, t, c, 0, 0)
        REGISTER_GHOST(right, X_HIGH, d, RIGHT_IN, view, t, c, 0, 0)
        LINE_CELL(cells, -d, c) = place->is_first ? left : LINE_CELL(cells, -d, c);
        LINE_CELL(cells, LINE_POINTS - 1 + d, c) =
            place->is_last ? right : LINE_CELL(cells, LINE_POINTS - 1 + d, c);
    }
#undef LEFT_IN
#undef RIGHT_IN
#endif
}

/* The edges of all items. */
typedef REGISTER_VECTOR(LINE_VECTOR) line_vector;
typedef struct {
    line_vector left[LINE_EDGE / LINE_VECTOR][LINE_ITEMS],
        right[LINE_EDGE / LINE_VECTOR][LINE_ITEMS];
} line_edges;

ODE_INLINE_ void line_publish(
    const ode_real *cells, __local line_edges *edges, const line_place *place) {
    ode_real left[LINE_EDGE], right[LINE_EDGE];
    REGISTER_UNROLL
    for (int p = 0; p < LINE_HALO; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        left[p * REGISTER_SHARED_COUNT + k] = LINE_CELL(cells, p, REGISTER_SHARED(k));
        right[p * REGISTER_SHARED_COUNT + k] =
            LINE_CELL(cells, LINE_POINTS - LINE_HALO + p, REGISTER_SHARED(k));
    }
    REGISTER_PUBLISH(LINE_VECTOR, LINE_EDGE, left, edges->left, place->item);
    REGISTER_PUBLISH(LINE_VECTOR, LINE_EDGE, right, edges->right, place->item);
}

ODE_INLINE_ void line_fetch(
    ode_real *cells, __local const line_edges *edges, const line_place *place) {
    ode_real before[LINE_EDGE], behind[LINE_EDGE];
    REGISTER_FETCH(LINE_VECTOR, LINE_EDGE, before, edges->right, place->left);
    REGISTER_FETCH(LINE_VECTOR, LINE_EDGE, behind, edges->left, place->right);
    REGISTER_UNROLL
    for (int p = 0; p < LINE_HALO; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        LINE_CELL(cells, p - LINE_HALO, REGISTER_SHARED(k)) = before[p * REGISTER_SHARED_COUNT + k];
        LINE_CELL(cells, LINE_POINTS + p, REGISTER_SHARED(k)) =
            behind[p * REGISTER_SHARED_COUNT + k];
    }
}

/* A stage of all points, and the exchange of edges after it. */
ODE_INLINE_ void line_level(ode_real *cells, ode_real *carried, __local line_edges *edges,
    const line_place *place, const register_view *view, const register_stage *stage) {
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS];
    line_ghosts(cells, place, view, stage->t);
    if (!STAGE_HANDS_OVER(stage->shape)) {
        line_sweep(cells, carried, 0, LINE_POINTS, 0, late, place, view, stage);
        line_update_late(cells, carried, LINE_POINTS, late, place, stage);
        return;
    }
#if LINE_HAS_MIDDLE
    /* The ends first, so that they are under way while the middle is computed. */
    ode_real late_right[REGISTER_RADIUS][ODE_COMPONENTS];
    line_sweep(cells, carried, 0, LINE_HALO + REGISTER_RADIUS, 0, late, place, view, stage);
    line_sweep_back(cells, carried, LINE_POINTS, LINE_POINTS - LINE_HALO - REGISTER_RADIUS,
        late_right, place, view, stage);
    line_publish(cells, edges, place);
    barrier(CLK_LOCAL_MEM_FENCE);
    line_sweep(cells, carried, LINE_HALO + REGISTER_RADIUS,
        LINE_POINTS - LINE_HALO - REGISTER_RADIUS, 1, late, place, view, stage);
    line_update_late(cells, carried, LINE_POINTS - LINE_HALO - REGISTER_RADIUS, late, place, stage);
    line_update_late(cells, carried, LINE_POINTS - LINE_HALO, late_right, place, stage);
#else
    line_sweep(cells, carried, 0, LINE_POINTS, 0, late, place, view, stage);
    line_update_late(cells, carried, LINE_POINTS, late, place, stage);
    line_publish(cells, edges, place);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    line_fetch(cells, edges, place);
}

/* The levels between two exchanges, of which at most `levels` remain, and the exchange after them.
 * Stage `number` of a step; `first` is its level's place in the table of times. */
ODE_INLINE_ void line_round(ode_real *cells, ode_real *carried, __local line_edges *edges,
    const line_place *place, const register_view *view, const int shape, const int number,
    const ode_offset first, const int levels) {
    const int last = min(LINE_EXCHANGE, levels) - 1;
    REGISTER_UNROLL
    for (int level = 0; level + 1 < LINE_EXCHANGE; level++)
        if (level < last) {
            const int beside = (LINE_EXCHANGE - 1 - level) * REGISTER_RADIUS;
            const register_stage stage = REGISTER_STAGE(view, shape, number, first + level);
            ode_real late[REGISTER_RADIUS][ODE_COMPONENTS];
            line_ghosts(cells, place, view, stage.t);
            line_sweep(cells, carried, -beside, LINE_POINTS + beside, 0, late, place, view, &stage);
            line_update_late(cells, carried, LINE_POINTS + beside, late, place, &stage);
        }
    const register_stage stage = REGISTER_STAGE(view, shape, number, first + last);
    line_level(cells, carried, edges, place, view, &stage);
}

/* Items load and store neighbouring reals together. So points p .. p + LINE_STAGE - 1 of every item
   pass through the stage at a time. Each item has a row in the stage. Real number k that an item
   loads or stores is in the row of the item that owns it: */
typedef struct {
    int at, component; /* its place in the stage */
    ode_offset point;
} line_staged;

ODE_INLINE_ void line_find_staged(line_staged *staged, int k, int item, int p, ode_offset start) {
    const int number = k * LINE_ITEMS + item, owner = number / LINE_STAGE_REALS,
              real = number - owner * LINE_STAGE_REALS;
    *staged = (line_staged){owner * LINE_STAGE_ROW + real, real % ODE_COMPONENTS,
        start + owner * LINE_POINTS + p + real / ODE_COMPONENTS};
}

/* `own`: the item's points; `before`: whether the stage has been read from. */
ODE_INLINE_ void line_load(ode_real *own, __local ode_real *stage, ODE_STATE const ode_real *in,
    const int before, const overlap_line line, const ode_offset start, const int item) {
    REGISTER_UNROLL
    for (int p = 0; p < LINE_POINTS; p += LINE_STAGE) {
        if (p || before) barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++) {
            line_staged real;
            line_find_staged(&real, k, item, p, start);
            const ode_offset from = ODE_PERIODIC_X_ ? overlap_wrap(line, real.point) : real.point;
            stage[real.at] = in[from * ODE_COMPONENTS + real.component];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++)
            own[p * ODE_COMPONENTS + k] = stage[item * LINE_STAGE_ROW + k];
    }
}

/* Store the points kept .. end-1. */
ODE_INLINE_ void line_store(ODE_STATE ode_real *out, __local ode_real *stage, const ode_real *own,
    const ode_offset start, const ode_offset kept, const ode_offset end, const int item) {
    REGISTER_UNROLL
    for (int p = 0; p < LINE_POINTS; p += LINE_STAGE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++)
            stage[item * LINE_STAGE_ROW + k] = own[p * ODE_COMPONENTS + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++) {
            line_staged real;
            line_find_staged(&real, k, item, p, start);
            if (real.point >= kept && real.point < end)
                out[real.point * ODE_COMPONENTS + real.component] = stage[real.at];
        }
    }
}

/* Rounds of a step. Two sets of edges: while one is read,
 * the next is written. */
#define LINE_ONE(shape, number)                                                     \
    {                                                                               \
        turn ^= STAGE_HANDS_OVER(shape);                                            \
        line_round(cells, carried, &edges[turn], &place, &view, shape, number,      \
            first + (done + step) * STAGE_COUNT + (number), until - (done + step)); \
    }
#define LINE_RUN(shape, begin, end) REGISTER_RUN(LINE_ONE, LINE_UNROLL, shape, begin, end)

/* The errors of a step. */
#define LINE_COMPARE                                                                             \
    REGISTER_UNROLL                                                                              \
    for (int p = 0; p < LINE_POINTS; p++) {                                                      \
        REGISTER_COMPARE(place.begin + p >= kept && place.begin + p < end &&                     \
                             ESTIMATE_ROW_COUNTS(place.begin + p),                               \
            &LINE_CELL(cells, p, 0), carried + (ESTIMATE - 1) * LINE_REALS + p * ODE_COMPONENTS, \
            ODE_COMPONENTS)                                                                      \
    }

/* Where the runs of LINE_STEPS steps end for a flush: nowhere, if flushes are due between two runs.
 */
#define LINE_NEXT_STOP                                         \
    (REGISTER_FLUSHES_BETWEEN(&view, done, LINE_STEPS) ? steps \
                                                       : REGISTER_NEXT_FLUSH(&view, done, steps))

/* One tile per work-group makes `steps` steps; times[first + k] is the time of level k. n: points;
   halo: points of a tile that are spoiled at an end. */
__kernel __attribute__((reqd_work_group_size(LINE_ITEMS, 1, 1))) void register_line(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset halo_down, const ode_offset first,
    const int steps REGISTER_CARRIED_ARGUMENTS REGISTER_FLUSH_ARGUMENT ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    __local ode_real stage[LINE_ITEMS * LINE_STAGE_ROW];
    __local line_edges edges[2];
    const ode_offset n = extents.of[0];
    const register_view view = {n * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    const int item = (int)get_local_id(0);
    const overlap_line line = {n, LINE_TILE, halo, ODE_PERIODIC_X_};
    const ode_offset tile = (ode_offset)get_group_id(0), start = overlap_start(line, tile);
    const line_place place = {item, max(item - 1, 0), min(item + 1, LINE_ITEMS - 1), item == 0,
        item == LINE_ITEMS - 1, start + item * LINE_POINTS};
    ode_real cells[LINE_CELLS], carried[REGISTER_CARRIED(LINE_REALS)];
    REGISTER_UNROLL
    for (int k = 0; k < LINE_HALO * ODE_COMPONENTS; k++)
        cells[k] = cells[(LINE_POINTS + LINE_HALO) * ODE_COMPONENTS + k] = 0;
    line_load(&LINE_CELL(cells, 0, 0), stage, in, 0, line, start, item);
#if STAGE_ENTERS
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_ENTERS; k++)
        line_load(carried + k * LINE_REALS, stage, REGISTER_CARRIED_ARRAY(carried_in, &view, k), 1,
            line, start, item);
#endif

    const ode_offset kept = overlap_kept(line, tile), end = overlap_kept(line, tile + 1);
    /* Without a branch in between the compiler uses the time in which an edge is under way. */
    int done = 0, turn = 0;
    int until = LINE_NEXT_STOP;
    line_publish(cells, &edges[0], &place);
    barrier(CLK_LOCAL_MEM_FENCE);
    line_fetch(cells, &edges[0], &place);
    const int step = 0;
    STAGE_FIRST(LINE_ONE)
    for (;;) {
        for (; done + LINE_STEPS <= until - STAGE_AHEAD; done += LINE_STEPS) {
            if (LINE_STEPS / LINE_EXCHANGE * STAGE_TURNS % 2 == 0) turn = 0; /* as it is */
            REGISTER_UNROLL
            for (int step = 0; step < LINE_STEPS; step += LINE_EXCHANGE) {
                STAGE_STEP(LINE_ONE, LINE_RUN)
                LINE_COMPARE
            }
            if (REGISTER_IS_FLUSHED(&view, done + LINE_STEPS)) {
                REGISTER_FLUSH(cells, LINE_CELLS)
            }
        }
        for (; done < until - STAGE_AHEAD; done += LINE_EXCHANGE) {
            STAGE_STEP(LINE_ONE, LINE_RUN)
            LINE_COMPARE
        }
        if (REGISTER_IS_FLUSHED(&view, until)) {
            REGISTER_FLUSH(cells, LINE_CELLS)
        }
        if (until == steps) break;
        barrier(CLK_LOCAL_MEM_FENCE); /* both sets of edges have been read */
        done = until;
        turn = 0;
        until = LINE_NEXT_STOP;
    }
    STAGE_LAST(LINE_ONE)

    line_store(out, stage, &LINE_CELL(cells, 0, 0), start, kept, end, item);
#if STAGE_LEAVES
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_LEAVES; k++)
        line_store(REGISTER_CARRIED_ARRAY(carried_out, &view, k), stage, carried + k * LINE_REALS,
            start, kept, end, item);
#endif
    REGISTER_ESTIMATE_END(LINE_ITEMS)
}
