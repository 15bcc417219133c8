/* SPDX-License-Identifier: BSD-2-Clause */
/* register_line.cl - overlapped tiles of a line, in registers: 1-D grids, and the general form
   with a short access distance.
   A work-group holds a tile, each item LINE_POINTS neighbouring points of it and `halo` points of
   either neighbour. The neighbours' points are fetched
   through local memory once in LINE_EXCHANGE steps; in between the halo is computed along, a
   radius less at each step. From the settings:
   LINE_POINTS, LINE_ITEMS   points of an item, items of a work-group
   LINE_EXCHANGE             steps between two exchanges
   LINE_UNROLL               exchanges without a branch in between, an even number
   LINE_STAGE                points per item that pass through local memory at a time on their way
                             from and to global memory; divides LINE_POINTS */
#define LINE_HALO (LINE_EXCHANGE * REGISTER_RADIUS)
#define LINE_TILE (LINE_POINTS * LINE_ITEMS)
#define LINE_EDGE (LINE_HALO * REGISTER_SHARED_COUNT) /* reals of an edge */
#if ODE_DOUBLE || LINE_EDGE % 4
#if LINE_EDGE % 2
#define LINE_VECTOR 1
#else
#define LINE_VECTOR 2
#endif
#else
#define LINE_VECTOR 4
#endif
#define LINE_VECTORS (LINE_EDGE / LINE_VECTOR)
#define LINE_PACK REGISTER_PASTE(register_pack_, LINE_VECTOR)
#define LINE_UNPACK REGISTER_PASTE(register_unpack_, LINE_VECTOR)
typedef REGISTER_PASTE(register_, LINE_VECTOR) line_vector;
#define LINE_STAGE_REALS (LINE_STAGE * ODE_COMPONENTS)
#define LINE_STAGE_ROW \
    (LINE_STAGE_REALS | 1) /* odd: items read their rows without bank conflicts */

/* Component c of point p of the item, -LINE_HALO <= p < LINE_POINTS + LINE_HALO. */
#define LINE_CELL(q, p, c) (q)[((p) + LINE_HALO) * ODE_COMPONENTS + (c)]
/* With so many points the ends of an item can be updated before its middle. */
#define LINE_HAS_MIDDLE (LINE_POINTS >= 2 * (LINE_HALO + REGISTER_RADIUS))

ODE_INLINE void line_rhs(const ode_real *q, int p, const register_view *view, ode_offset begin,
    ode_real t, ode_real *dot) {
#if ODE_GRID
    register_rhs(&LINE_CELL(q, p, 0), 0, view, t, begin + p, 0, dot);
#else
    dot[0] = ode_component_window(
        q, (ode_index)begin - LINE_HALO, view->constants, (ode_index)begin + p, t, view->n);
#endif
}

ODE_INLINE void line_update(ode_real *q, int p, ode_real h, const ode_real *dot) {
    REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++)
        LINE_CELL(q, p, c) = ODE_UPDATE(fma, h, dot[c], LINE_CELL(q, p, c));
}

/* The derivatives of points first .. end-1, each point updated as soon as nobody needs its old
   value: REGISTER_RADIUS points behind. `late` holds those that wait: of the points first -
   REGISTER_RADIUS .. first - 1 on entry, if `before`, and of the last points on return. So the step
   is made in place. */
ODE_INLINE void line_sweep(ode_real *q, int first, int end, int before,
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], const register_view *view, ode_offset begin,
    ode_real t, ode_real h) {
    REGISTER_UNROLL
    for (int p = first; p < end; p++) {
        ode_real dot[ODE_COMPONENTS];
        line_rhs(q, p, view, begin, t, dot);
        if (before || p - first >= REGISTER_RADIUS) line_update(q, p - REGISTER_RADIUS, h, late[0]);
        REGISTER_UNROLL
        for (int k = 0; k + 1 < REGISTER_RADIUS; k++) REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[k][c] = late[k + 1][c];
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[REGISTER_RADIUS - 1][c] = dot[c];
    }
}

/* The same backwards, points end-1 .. first; `late` holds those of the points first .. first +
 * REGISTER_RADIUS - 1 on return. */
ODE_INLINE void line_sweep_back(ode_real *q, int end, int first,
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], const register_view *view, ode_offset begin,
    ode_real t, ode_real h) {
    REGISTER_UNROLL
    for (int p = end - 1; p >= first; p--) {
        ode_real dot[ODE_COMPONENTS];
        line_rhs(q, p, view, begin, t, dot);
        if (p + REGISTER_RADIUS < end)
            line_update(q, p + REGISTER_RADIUS, h, late[REGISTER_RADIUS - 1]);
        REGISTER_UNROLL
        for (int k = REGISTER_RADIUS - 1; k > 0; k--) REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[k][c] = late[k - 1][c];
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) late[0][c] = dot[c];
    }
}

/* Update the points that wait: those before `end`. */
ODE_INLINE void line_flush(
    ode_real *q, int end, ode_real late[REGISTER_RADIUS][ODE_COMPONENTS], ode_real h) {
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_RADIUS; k++) line_update(q, end - REGISTER_RADIUS + k, h, late[k]);
}

/* What the boundary rule says stands beyond the ends of the grid: in every tile's first and last
   item, since a grid's end is a tile's end. Inside the grid that spoils points which the overlap
   throws away. */
ODE_INLINE void line_ghosts(
    ode_real *q, int is_first, int is_last, const register_view *view, ode_real t) {
#if ODE_GRID && !REGISTER_PERIODIC
    REGISTER_UNROLL
    for (int d = 1; d <= REGISTER_RADIUS; d++) REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
#if ODE_BOUNDARY == ODE_FIXED
        const ode_real left = ode_outside_global(view->constants, t, c), right = left;
#elif ODE_BOUNDARY == ODE_CLAMP
        const ode_real left = LINE_CELL(q, 0, c), right = LINE_CELL(q, LINE_POINTS - 1, c);
#else
        const ode_real left = LINE_CELL(q, d, c), right = LINE_CELL(q, LINE_POINTS - 1 - d, c);
#endif
        LINE_CELL(q, -d, c) = is_first ? left : LINE_CELL(q, -d, c);
        LINE_CELL(q, LINE_POINTS - 1 + d, c) =
            is_last ? right : LINE_CELL(q, LINE_POINTS - 1 + d, c);
    }
#endif
}

/* An item's edges for its neighbours. */
typedef struct {
    line_vector left[LINE_VECTORS][LINE_ITEMS], right[LINE_VECTORS][LINE_ITEMS];
} line_edges;

ODE_INLINE void line_publish(const ode_real *q, __local line_edges *edges, int item) {
    ode_real left[LINE_EDGE], right[LINE_EDGE];
    REGISTER_UNROLL
    for (int p = 0; p < LINE_HALO; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        left[p * REGISTER_SHARED_COUNT + k] = LINE_CELL(q, p, REGISTER_SHARED(k));
        right[p * REGISTER_SHARED_COUNT + k] =
            LINE_CELL(q, LINE_POINTS - LINE_HALO + p, REGISTER_SHARED(k));
    }
    REGISTER_UNROLL
    for (int v = 0; v < LINE_VECTORS; v++) {
        edges->left[v][item] = LINE_PACK(left + v * LINE_VECTOR);
        edges->right[v][item] = LINE_PACK(right + v * LINE_VECTOR);
    }
}

/* left, right: the neighbours. */
ODE_INLINE void line_fetch(ode_real *q, __local const line_edges *edges, int left, int right) {
    ode_real before[LINE_EDGE], behind[LINE_EDGE];
    REGISTER_UNROLL
    for (int v = 0; v < LINE_VECTORS; v++) {
        LINE_UNPACK(edges->right[v][left], before + v * LINE_VECTOR);
        LINE_UNPACK(edges->left[v][right], behind + v * LINE_VECTOR);
    }
    REGISTER_UNROLL
    for (int p = 0; p < LINE_HALO; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        LINE_CELL(q, p - LINE_HALO, REGISTER_SHARED(k)) = before[p * REGISTER_SHARED_COUNT + k];
        LINE_CELL(q, LINE_POINTS + p, REGISTER_SHARED(k)) = behind[p * REGISTER_SHARED_COUNT + k];
    }
}

/* The steps between two exchanges, at most `left_over`, and the exchange behind them. */
ODE_INLINE void line_round(ode_real *q, __local line_edges *edges, int item, int left, int right,
    int is_first, int is_last, const register_view *view, ode_offset begin,
    __global const ode_real *times, ode_offset first, int left_over, ode_real h) {
    const int last = min(LINE_EXCHANGE, left_over) - 1;
    REGISTER_UNROLL
    for (int k = 0; k + 1 < LINE_EXCHANGE; k++)
        if (k < last) {
            const int beside = (LINE_EXCHANGE - 1 - k) * REGISTER_RADIUS;
            const ode_real t = REGISTER_TIME(first + k);
            ode_real late[REGISTER_RADIUS][ODE_COMPONENTS];
            line_ghosts(q, is_first, is_last, view, t);
            line_sweep(q, -beside, LINE_POINTS + beside, 0, late, view, begin, t, h);
            line_flush(q, LINE_POINTS + beside, late, h);
        }
    const ode_real t = REGISTER_TIME(first + last);
    ode_real late[REGISTER_RADIUS][ODE_COMPONENTS];
    line_ghosts(q, is_first, is_last, view, t);
#if LINE_HAS_MIDDLE
    /* The ends first, so that they are under way while the middle is computed. */
    ode_real late_right[REGISTER_RADIUS][ODE_COMPONENTS];
    line_sweep(q, 0, LINE_HALO + REGISTER_RADIUS, 0, late, view, begin, t, h);
    line_sweep_back(
        q, LINE_POINTS, LINE_POINTS - LINE_HALO - REGISTER_RADIUS, late_right, view, begin, t, h);
    line_publish(q, edges, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    line_sweep(q, LINE_HALO + REGISTER_RADIUS, LINE_POINTS - LINE_HALO - REGISTER_RADIUS, 1, late,
        view, begin, t, h);
    line_flush(q, LINE_POINTS - LINE_HALO - REGISTER_RADIUS, late, h);
    line_flush(q, LINE_POINTS - LINE_HALO, late_right, h);
#else
    line_sweep(q, 0, LINE_POINTS, 0, late, view, begin, t, h);
    line_flush(q, LINE_POINTS, late, h);
    line_publish(q, edges, item);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    line_fetch(q, edges, left, right);
}

/* One tile per work-group makes `steps` steps; times[first + s] is when step s begins. n: points;
   halo: points of a tile that are spoiled at an end, at least steps * REGISTER_RADIUS. */
__kernel __attribute__((reqd_work_group_size(LINE_ITEMS, 1, 1))) void register_line(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_real *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const ode_real h, const ode_offset n, const ode_offset ny,
    const ode_offset halo, const ode_offset halo_down, const ode_offset first, const int steps) {
    __local ode_real stage[LINE_ITEMS * LINE_STAGE_ROW];
    __local line_edges edges[2];
    const register_view whole = {n, n, 1, values.value, fields}, *const view = &whole;
    const int item = (int)get_local_id(0);
    const int is_first = item == 0, is_last = item == LINE_ITEMS - 1;
    const overlap_line line = {n, LINE_TILE, halo, REGISTER_PERIODIC};
    const ode_offset tile = (ode_offset)get_group_id(0), start = overlap_start(line, tile),
                     begin = start + item * LINE_POINTS;
    ode_real q[(LINE_POINTS + 2 * LINE_HALO) * ODE_COMPONENTS];
    REGISTER_UNROLL
    for (int k = 0; k < LINE_HALO * ODE_COMPONENTS; k++)
        q[k] = q[(LINE_POINTS + LINE_HALO) * ODE_COMPONENTS + k] = 0;

    REGISTER_UNROLL
    for (int p = 0; p < LINE_POINTS; p += LINE_STAGE) {
        if (p) barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++) {
            const int e = k * LINE_ITEMS + item, owner = e / LINE_STAGE_REALS,
                      place = e - owner * LINE_STAGE_REALS;
            const ode_offset point = start + owner * LINE_POINTS + p + place / ODE_COMPONENTS;
            stage[owner * LINE_STAGE_ROW + place] =
                in[(REGISTER_PERIODIC ? overlap_wrap(line, point) : point) * ODE_COMPONENTS +
                    place % ODE_COMPONENTS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++)
            LINE_CELL(q, p, k) = stage[item * LINE_STAGE_ROW + k];
    }

    /* Two sets of edges: while one is read, the next is written. Without a branch in between the
     * compiler uses the time in which an edge is under way. */
    int s = 0, turn = 0;
    const int left = max(item - 1, 0), right = min(item + 1, LINE_ITEMS - 1);
    line_publish(q, &edges[0], item);
    barrier(CLK_LOCAL_MEM_FENCE);
    line_fetch(q, &edges[0], left, right);
    for (; s + LINE_UNROLL * LINE_EXCHANGE <= steps; s += LINE_UNROLL * LINE_EXCHANGE)
        REGISTER_UNROLL
    for (int u = 0; u < LINE_UNROLL; u++)
        line_round(q, &edges[1 - u % 2], item, left, right, is_first, is_last, view, begin, times,
            first + s + u * LINE_EXCHANGE, LINE_EXCHANGE, h);
    for (; s < steps; s += LINE_EXCHANGE) {
        turn = 1 - turn;
        line_round(q, &edges[turn], item, left, right, is_first, is_last, view, begin, times,
            first + s, steps - s, h);
    }

    const ode_offset kept = overlap_kept(line, tile), end = overlap_kept(line, tile + 1);
    REGISTER_UNROLL
    for (int p = 0; p < LINE_POINTS; p += LINE_STAGE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++)
            stage[item * LINE_STAGE_ROW + k] = LINE_CELL(q, p, k);
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int k = 0; k < LINE_STAGE_REALS; k++) {
            const int e = k * LINE_ITEMS + item, owner = e / LINE_STAGE_REALS,
                      place = e - owner * LINE_STAGE_REALS;
            const ode_offset point = start + owner * LINE_POINTS + p + place / ODE_COMPONENTS;
            if (point >= kept && point < end)
                out[point * ODE_COMPONENTS + place % ODE_COMPONENTS] =
                    stage[owner * LINE_STAGE_ROW + place];
        }
    }
}
