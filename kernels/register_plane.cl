/* SPDX-License-Identifier: BSD-2-Clause */
/* register_plane.cl - overlapped tiles of a 2-D grid, in registers. A work-group holds a tile,
   each item PLANE_POINTS columns by PLANE_ROWS rows of it. At every
   step the items hand each other their edges: rows through local memory, columns too, or by
   shuffles where 32 items in a row are a warp. From the
   settings:
   PLANE_POINTS, PLANE_ROWS        columns and rows of an item
   PLANE_ITEMS, PLANE_ITEM_ROWS    items in a row of the work-group, rows of items
   PLANE_VECTOR                    reals that one access to global memory may take: the host knows
                                   the alignment
   PLANE_UNROLL                    steps without a branch in between: 1 or an even number
   PLANE_PERSISTENT                1: work-groups that all run at once go on with their tiles, and
                                   hand each other what is spoiled through global memory
   PLANE_PATIENCE                  then: looks at a word during a launch; a work-group that does
                                   not run would be waited for in vain
   PLANE_BUFFERS                   2: edges are written while others are read; 1: a barrier more,
                                   half the local memory
*/
#define PLANE_R REGISTER_RADIUS
#define PLANE_ROW                                                                   \
    ((PLANE_POINTS + 2 * PLANE_R) * ODE_COMPONENTS) /* reals of a row with its halo \
                                                     */
#define PLANE_CELL(q, r, k, c) \
    (q)[((r) + PLANE_R) * PLANE_ROW + ((k) + PLANE_R) * ODE_COMPONENTS + (c)]
#define PLANE_GROUP (PLANE_ITEMS * PLANE_ITEM_ROWS)

/* An item's edges as vectors: all its rows' sides; its first or last rows. */
#define PLANE_SIDE (PLANE_ROWS * PLANE_R * REGISTER_SHARED_COUNT)
#define PLANE_END (PLANE_R * PLANE_POINTS * REGISTER_SHARED_COUNT)
#if ODE_DOUBLE || PLANE_SIDE % 4
#if PLANE_SIDE % 2
#define PLANE_SIDE_VECTOR 1
#else
#define PLANE_SIDE_VECTOR 2
#endif
#else
#define PLANE_SIDE_VECTOR 4
#endif
typedef REGISTER_PASTE(register_, PLANE_SIDE_VECTOR) plane_side;
#define PLANE_PACK_SIDE REGISTER_PASTE(register_pack_, PLANE_SIDE_VECTOR)
#define PLANE_UNPACK_SIDE REGISTER_PASTE(register_unpack_, PLANE_SIDE_VECTOR)
#define PLANE_SIDES (PLANE_SIDE / PLANE_SIDE_VECTOR)
#if ODE_DOUBLE || PLANE_END % 4
#if PLANE_END % 2
#define PLANE_END_VECTOR 1
#else
#define PLANE_END_VECTOR 2
#endif
#else
#define PLANE_END_VECTOR 4
#endif
typedef REGISTER_PASTE(register_, PLANE_END_VECTOR) plane_end;
#define PLANE_PACK_END REGISTER_PASTE(register_pack_, PLANE_END_VECTOR)
#define PLANE_UNPACK_END REGISTER_PASTE(register_unpack_, PLANE_END_VECTOR)
#define PLANE_ENDS (PLANE_END / PLANE_END_VECTOR)
#define PLANE_GLOBAL_TYPE REGISTER_PASTE(register_, PLANE_VECTOR)
#define PLANE_PACK REGISTER_PASTE(register_pack_, PLANE_VECTOR)
#define PLANE_UNPACK REGISTER_PASTE(register_unpack_, PLANE_VECTOR)

typedef struct {
#if !REGISTER_SHUFFLE
    plane_side left[PLANE_SIDES][PLANE_GROUP], right[PLANE_SIDES][PLANE_GROUP];
#endif
    plane_end top[PLANE_ENDS][PLANE_GROUP], bottom[PLANE_ENDS][PLANE_GROUP];
} plane_edges;

/* The item, its neighbours, and whether it is at an end of the tile. */
typedef struct {
    int item, left, right, above, below;
    int is_first, is_last, is_top, is_bottom;
    ode_offset column, row; /* its first point's place in the grid */
} plane_place;

/* Of the shared components of points (r, k), rows of `points` from (row, column) on: the n-th. */
#define PLANE_NTH(q, row, column, points, n)                      \
    PLANE_CELL(q, (row) + (n) / REGISTER_SHARED_COUNT / (points), \
        (column) + (n) / REGISTER_SHARED_COUNT % (points),        \
        REGISTER_SHARED((n) % REGISTER_SHARED_COUNT))

ODE_INLINE void plane_publish_sides(const ode_real *q, __local plane_edges *edges, int item) {
#if !REGISTER_SHUFFLE
    ode_real left[PLANE_SIDE], right[PLANE_SIDE];
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_SIDE; n++) {
        left[n] = PLANE_NTH(q, 0, 0, PLANE_R, n);
        right[n] = PLANE_NTH(q, 0, PLANE_POINTS - PLANE_R, PLANE_R, n);
    }
    REGISTER_UNROLL
    for (int v = 0; v < PLANE_SIDES; v++) {
        edges->left[v][item] = PLANE_PACK_SIDE(left + v * PLANE_SIDE_VECTOR);
        edges->right[v][item] = PLANE_PACK_SIDE(right + v * PLANE_SIDE_VECTOR);
    }
#endif
}

ODE_INLINE void plane_publish_ends(const ode_real *q, __local plane_edges *edges, int item) {
    ode_real top[PLANE_END], bottom[PLANE_END];
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_END; n++) {
        top[n] = PLANE_NTH(q, 0, 0, PLANE_POINTS, n);
        bottom[n] = PLANE_NTH(q, PLANE_ROWS - PLANE_R, 0, PLANE_POINTS, n);
    }
    REGISTER_UNROLL
    for (int v = 0; v < PLANE_ENDS; v++) {
        edges->top[v][item] = PLANE_PACK_END(top + v * PLANE_END_VECTOR);
        edges->bottom[v][item] = PLANE_PACK_END(bottom + v * PLANE_END_VECTOR);
    }
}

#if !REGISTER_SHUFFLE
/* A neighbour's columns, `rows` of its rows from first on, to this item's rows from row on, at
 * column. */
ODE_INLINE void plane_fetch_side(ode_real *q, int row, int column,
    __local const plane_side (*side)[PLANE_GROUP], int neighbour, int first, int rows) {
    ode_real x[PLANE_SIDE];
    REGISTER_UNROLL
    for (int v = 0; v < PLANE_SIDES; v++)
        PLANE_UNPACK_SIDE(side[v][neighbour], x + v * PLANE_SIDE_VECTOR);
    REGISTER_UNROLL
    for (int n = 0; n < rows * PLANE_R * REGISTER_SHARED_COUNT; n++)
        PLANE_NTH(q, row, column, PLANE_R, n) = x[first * PLANE_R * REGISTER_SHARED_COUNT + n];
}
#endif

ODE_INLINE void plane_fetch(
    ode_real *q, __local const plane_edges *edges, const plane_place *place) {
    ode_real above[PLANE_END], below[PLANE_END];
    REGISTER_UNROLL
    for (int v = 0; v < PLANE_ENDS; v++) {
        PLANE_UNPACK_END(edges->bottom[v][place->above], above + v * PLANE_END_VECTOR);
        PLANE_UNPACK_END(edges->top[v][place->below], below + v * PLANE_END_VECTOR);
    }
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_END; n++) {
        PLANE_NTH(q, -PLANE_R, 0, PLANE_POINTS, n) = above[n];
        PLANE_NTH(q, PLANE_ROWS, 0, PLANE_POINTS, n) = below[n];
    }
#if REGISTER_SHUFFLE
    const int beside = REGISTER_STAR ? 0 : PLANE_R;
    REGISTER_UNROLL
    for (int n = 0; n < (PLANE_ROWS + 2 * beside) * PLANE_R * REGISTER_SHARED_COUNT; n++) {
        PLANE_NTH(q, -beside, -PLANE_R, PLANE_R, n) =
            register_from_left(PLANE_NTH(q, -beside, PLANE_POINTS - PLANE_R, PLANE_R, n));
        PLANE_NTH(q, -beside, PLANE_POINTS, PLANE_R, n) =
            register_from_right(PLANE_NTH(q, -beside, 0, PLANE_R, n));
    }
#else
    plane_fetch_side(q, 0, -PLANE_R, edges->right, place->left, 0, PLANE_ROWS);
    plane_fetch_side(q, 0, PLANE_POINTS, edges->left, place->right, 0, PLANE_ROWS);
#if !REGISTER_STAR /* the corners are columns of the neighbours' neighbours */
    const int up = place->above - place->item, down = place->below - place->item;
    plane_fetch_side(
        q, -PLANE_R, -PLANE_R, edges->right, place->left + up, PLANE_ROWS - PLANE_R, PLANE_R);
    plane_fetch_side(
        q, -PLANE_R, PLANE_POINTS, edges->left, place->right + up, PLANE_ROWS - PLANE_R, PLANE_R);
    plane_fetch_side(q, PLANE_ROWS, -PLANE_R, edges->right, place->left + down, 0, PLANE_R);
    plane_fetch_side(q, PLANE_ROWS, PLANE_POINTS, edges->left, place->right + down, 0, PLANE_R);
#endif
#endif
}

/* What the boundary rule says stands beyond the ends of the grid, in the items at the ends of every
   tile; see line_ghosts. Columns first, so that the rows' corners follow. */
ODE_INLINE void plane_ghosts(
    ode_real *q, const plane_place *place, const register_view *view, ode_real t) {
#if !REGISTER_PERIODIC
#if ODE_BOUNDARY == ODE_FIXED
#define PLANE_GHOST(inside_clamp, inside_mirror) ode_outside_global(view->constants, t, c)
#elif ODE_BOUNDARY == ODE_CLAMP
#define PLANE_GHOST(inside_clamp, inside_mirror) (inside_clamp)
#else
#define PLANE_GHOST(inside_clamp, inside_mirror) (inside_mirror)
#endif
    REGISTER_UNROLL
    for (int r = REGISTER_STAR ? 0 : -PLANE_R; r < PLANE_ROWS + (REGISTER_STAR ? 0 : PLANE_R); r++)
        REGISTER_UNROLL
    for (int d = 1; d <= PLANE_R; d++) REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        const ode_real left = PLANE_GHOST(PLANE_CELL(q, r, 0, c), PLANE_CELL(q, r, d, c));
        const ode_real right = PLANE_GHOST(
            PLANE_CELL(q, r, PLANE_POINTS - 1, c), PLANE_CELL(q, r, PLANE_POINTS - 1 - d, c));
        PLANE_CELL(q, r, -d, c) = place->is_first ? left : PLANE_CELL(q, r, -d, c);
        PLANE_CELL(q, r, PLANE_POINTS - 1 + d, c) =
            place->is_last ? right : PLANE_CELL(q, r, PLANE_POINTS - 1 + d, c);
    }
    REGISTER_UNROLL
    for (int d = 1; d <= PLANE_R; d++) REGISTER_UNROLL
    for (int k = REGISTER_STAR ? 0 : -PLANE_R; k < PLANE_POINTS + (REGISTER_STAR ? 0 : PLANE_R);
         k++)
        REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        const ode_real above = PLANE_GHOST(PLANE_CELL(q, 0, k, c), PLANE_CELL(q, d, k, c));
        const ode_real below = PLANE_GHOST(
            PLANE_CELL(q, PLANE_ROWS - 1, k, c), PLANE_CELL(q, PLANE_ROWS - 1 - d, k, c));
        PLANE_CELL(q, -d, k, c) = place->is_top ? above : PLANE_CELL(q, -d, k, c);
        PLANE_CELL(q, PLANE_ROWS - 1 + d, k, c) =
            place->is_bottom ? below : PLANE_CELL(q, PLANE_ROWS - 1 + d, k, c);
    }
#endif
}

/* The derivatives of row r. */
ODE_INLINE void plane_rhs(const ode_real *q, int r, const plane_place *place,
    const register_view *view, ode_real t, ode_real *dot) {
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++)
        register_rhs(&PLANE_CELL(q, r, k, 0), PLANE_ROW, view, t, place->column + k, place->row + r,
            dot + k * ODE_COMPONENTS);
}

ODE_INLINE void plane_update(ode_real *q, int r, ode_real h, const ode_real *dot) {
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS * ODE_COMPONENTS; k++)
        PLANE_CELL(q, r, 0, k) = ODE_UPDATE(fma, h, dot[k], PLANE_CELL(q, r, 0, k));
}

/* As line_sweep, line_sweep_back and line_flush, by rows. */
typedef struct {
    ode_real dot[PLANE_R][PLANE_POINTS * ODE_COMPONENTS];
} plane_late;

ODE_INLINE void plane_sweep(ode_real *q, int first, int end, int before, plane_late *late,
    const plane_place *place, const register_view *view, ode_real t, ode_real h) {
    REGISTER_UNROLL
    for (int r = first; r < end; r++) {
        ode_real dot[PLANE_POINTS * ODE_COMPONENTS];
        plane_rhs(q, r, place, view, t, dot);
        if (before || r - first >= PLANE_R) plane_update(q, r - PLANE_R, h, late->dot[0]);
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS * ODE_COMPONENTS; k++) {
            REGISTER_UNROLL
            for (int d = 0; d + 1 < PLANE_R; d++) late->dot[d][k] = late->dot[d + 1][k];
            late->dot[PLANE_R - 1][k] = dot[k];
        }
    }
}

ODE_INLINE void plane_sweep_back(ode_real *q, int end, int first, plane_late *late,
    const plane_place *place, const register_view *view, ode_real t, ode_real h) {
    REGISTER_UNROLL
    for (int r = end - 1; r >= first; r--) {
        ode_real dot[PLANE_POINTS * ODE_COMPONENTS];
        plane_rhs(q, r, place, view, t, dot);
        if (r + PLANE_R < end) plane_update(q, r + PLANE_R, h, late->dot[PLANE_R - 1]);
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS * ODE_COMPONENTS; k++) {
            REGISTER_UNROLL
            for (int d = PLANE_R - 1; d > 0; d--) late->dot[d][k] = late->dot[d - 1][k];
            late->dot[0][k] = dot[k];
        }
    }
}

ODE_INLINE void plane_flush(ode_real *q, int end, const plane_late *late, ode_real h) {
    REGISTER_UNROLL
    for (int d = 0; d < PLANE_R; d++) plane_update(q, end - PLANE_R + d, h, late->dot[d]);
}

/* A step in place. `now` holds the edges as they are, `next` gets those after the step. */
ODE_INLINE void plane_step(ode_real *q, __local const plane_edges *now, __local plane_edges *next,
    int has_ghosts, const plane_place *place, const register_view *view, ode_real t, ode_real h) {
    plane_late late;
    plane_fetch(q, now, place);
    if (has_ghosts) plane_ghosts(q, place, view, t);
    if (PLANE_BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
#if PLANE_ROWS >= 4 * PLANE_R && REGISTER_SHUFFLE
    /* The ends first, so that they are under way while the middle is computed. */
    plane_late late_back;
    plane_sweep(q, 0, 2 * PLANE_R, 0, &late, place, view, t, h);
    plane_sweep_back(q, PLANE_ROWS, PLANE_ROWS - 2 * PLANE_R, &late_back, place, view, t, h);
    plane_publish_ends(q, next, place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_sweep(q, 2 * PLANE_R, PLANE_ROWS - 2 * PLANE_R, 1, &late, place, view, t, h);
    plane_flush(q, PLANE_ROWS - 2 * PLANE_R, &late, h);
    plane_flush(q, PLANE_ROWS - PLANE_R, &late_back, h);
#else
    plane_sweep(q, 0, PLANE_ROWS, 0, &late, place, view, t, h);
    plane_flush(q, PLANE_ROWS, &late, h);
    plane_publish_sides(q, next, place->item);
    plane_publish_ends(q, next, place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

/* With ghosts where the tile is at an end of the grid, without where it is not: that is uniform
 * over the work-group. */
#define PLANE_STEPS(has_ghosts)                                                                  \
    for (; PLANE_UNROLL > 1 && s + PLANE_UNROLL <= steps; s += PLANE_UNROLL) REGISTER_UNROLL     \
    for (int u = 0; u < PLANE_UNROLL; u++)                                                       \
        plane_step(q, &edges[u % PLANE_BUFFERS], &edges[(u + 1) % PLANE_BUFFERS], has_ghosts,    \
            &place, &view, REGISTER_TIME(first + s + u), h);                                     \
    for (; s < steps; s++) {                                                                     \
        plane_step(q, &edges[turn], &edges[PLANE_BUFFERS - 1 - turn], has_ghosts, &place, &view, \
            REGISTER_TIME(first + s), h);                                                        \
        turn = PLANE_BUFFERS - 1 - turn;                                                         \
    }

#if PLANE_PERSISTENT
/* A value in global memory that says itself which exchange it belongs to: 32 bits of it and a tag
   in a word that is read and written at once. No order among words is relied on. Four sets of words
   take turns: a work-group writes a set again only when everybody who reads it has answered,
   directly or by a neighbour's neighbour, what was written before. */
#define PLANE_WORDS (1 + ODE_DOUBLE)
#define PLANE_SETS 4

ODE_INLINE void plane_send(__global volatile ulong *words, ode_real x, uint tag) {
#if ODE_DOUBLE
    words[0] = (ulong)tag << 32 | (uint)as_ulong(x);
    words[1] = (ulong)tag << 32 | as_ulong(x) >> 32;
#else
    words[0] = (ulong)tag << 32 | as_uint(x);
#endif
}

/* -> whether it was there. */
ODE_INLINE int plane_receive(__global volatile const ulong *words, ode_real *x, uint tag) {
    const ulong low = words[0];
#if ODE_DOUBLE
    const ulong high = words[1];
    if (low >> 32 != tag || high >> 32 != tag) return 0;
    *x = as_double(high << 32 | (uint)low);
#else
    if (low >> 32 != tag) return 0;
    *x = as_float((uint)low);
#endif
    return 1;
}
#endif

/* One tile per work-group makes `steps` steps; persistent: at most halo_down / radius of them
   between two exchanges with the other work-groups, of which the first is marked by `tag`, and
   *failed becomes 1 if one could not be waited for. halo, halo_down: columns and rows of a tile
   that are spoiled at an end, at least steps * radius. */
__kernel __attribute__((reqd_work_group_size(PLANE_GROUP, 1, 1))) void register_plane(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_real *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const ode_real h, const ode_offset nx, const ode_offset ny,
    const ode_offset halo, const ode_offset halo_down, ode_offset first, int steps
#if PLANE_PERSISTENT
    ,
    __global volatile ulong *words, uint tag, __global int *failed
#endif
) {
    __local plane_edges edges[PLANE_BUFFERS];
    const register_view view = {nx * ny * ODE_COMPONENTS, nx, ny, values.value, fields};
    const overlap_line across = {nx, PLANE_ITEMS * PLANE_POINTS, halo, REGISTER_PERIODIC};
    const overlap_line down = {ny, PLANE_ITEM_ROWS * PLANE_ROWS, halo_down, REGISTER_PERIODIC};
    const ode_offset tiles_across = overlap_count(across),
                     tile_row = (ode_offset)get_group_id(0) / tiles_across;
    const ode_offset tile_column = (ode_offset)get_group_id(0) - tile_row * tiles_across;
    const int item = (int)get_local_id(0), ly = item / PLANE_ITEMS, lx = item - ly * PLANE_ITEMS;
    const ode_offset x0 = overlap_start(across, tile_column), y0 = overlap_start(down, tile_row);
    const plane_place place = {item, lx > 0 ? item - 1 : item,
        lx < PLANE_ITEMS - 1 ? item + 1 : item, ly > 0 ? item - PLANE_ITEMS : item,
        ly < PLANE_ITEM_ROWS - 1 ? item + PLANE_ITEMS : item, lx == 0, lx == PLANE_ITEMS - 1,
        ly == 0, ly == PLANE_ITEM_ROWS - 1, x0 + lx * PLANE_POINTS, y0 + ly * PLANE_ROWS};
    ode_real q[(PLANE_ROWS + 2 * PLANE_R) * PLANE_ROW];
    REGISTER_UNROLL
    for (int k = 0; k < (PLANE_ROWS + 2 * PLANE_R) * PLANE_ROW; k++) q[k] = 0;

    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) {
        const ode_offset row =
            (REGISTER_PERIODIC ? overlap_wrap(down, place.row + r) : place.row + r) * nx;
#if REGISTER_PERIODIC /* point by point: the grid's end may be anywhere */
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS; k++) {
            ODE_STATE const ode_real *from =
                in + (row + overlap_wrap(across, place.column + k)) * ODE_COMPONENTS;
            REGISTER_UNROLL
            for (int c = 0; c < ODE_COMPONENTS; c++) PLANE_CELL(q, r, k, c) = from[c];
        }
#else
        ODE_STATE const PLANE_GLOBAL_TYPE *from =
            (ODE_STATE const PLANE_GLOBAL_TYPE *)(in + (row + place.column) * ODE_COMPONENTS);
        REGISTER_UNROLL
        for (int v = 0; v < PLANE_POINTS * ODE_COMPONENTS / PLANE_VECTOR; v++)
            PLANE_UNPACK(from[v], &PLANE_CELL(q, r, 0, v * PLANE_VECTOR));
#endif
    }
    const ode_offset x_kept = overlap_kept(across, tile_column),
                     x_end = overlap_kept(across, tile_column + 1);
    const ode_offset y_kept = overlap_kept(down, tile_row),
                     y_end = overlap_kept(down, tile_row + 1);
#if PLANE_PERSISTENT
    __local int in_vain;
    const int together = (int)(halo_down / PLANE_R);
    int looks = 0;
    for (;; tag++) {
        const int all_steps = steps;
        steps = min(steps, together);
#endif
        plane_publish_sides(q, &edges[0], item);
        plane_publish_ends(q, &edges[0], item);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int has_ghosts = x0 == 0 || y0 == 0 || x0 + across.tile == nx || y0 + down.tile == ny;
        int s = 0, turn = 0;
        if (has_ghosts) {
            PLANE_STEPS(1)
        } else {
            PLANE_STEPS(0)
        }
#if PLANE_PERSISTENT
        first += steps;
        steps = all_steps - steps;
        if (steps == 0) break;
        __global volatile ulong *const set =
            words + (size_t)(tag % PLANE_SETS) * PLANE_WORDS * (size_t)view.n;
        if (item == 0) in_vain = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL
        for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS; k++) {
            const ode_offset x = place.column + k, y = place.row + r;
            if (x >= x_kept && x < x_end && y >= y_kept && y < y_end) REGISTER_UNROLL
            for (int c = 0; c < ODE_COMPONENTS; c++)
                plane_send(set + ((size_t)(y * nx + x) * ODE_COMPONENTS + c) * PLANE_WORDS,
                    PLANE_CELL(q, r, k, c), tag);
        }
        int waiting = 1;
        for (; waiting && looks < PLANE_PATIENCE; looks++) {
            waiting = 0;
            REGISTER_UNROLL
            for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL
            for (int k = 0; k < PLANE_POINTS; k++) {
                const ode_offset x = place.column + k, y = place.row + r;
                if (x >= x_kept && x < x_end && y >= y_kept && y < y_end) continue;
                const ode_offset from = (REGISTER_PERIODIC ? overlap_wrap(down, y) : y) * nx +
                                        (REGISTER_PERIODIC ? overlap_wrap(across, x) : x);
                REGISTER_UNROLL
                for (int c = 0; c < ODE_COMPONENTS; c++)
                    waiting |=
                        !plane_receive(set + ((size_t)from * ODE_COMPONENTS + c) * PLANE_WORDS,
                            &PLANE_CELL(q, r, k, c), tag);
            }
        }
        if (waiting) in_vain = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in_vain) { /* all items of the group see the same */
            if (item == 0) *failed = 1;
            return;
        }
    }
#endif

    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) {
        const ode_offset y = place.row + r;
        if (y < y_kept || y >= y_end) continue;
        ODE_STATE ode_real *to = out + (y * nx + place.column) * ODE_COMPONENTS;
        if (place.column >= x_kept && place.column + PLANE_POINTS <= x_end) {
            REGISTER_UNROLL
            for (int v = 0; v < PLANE_POINTS * ODE_COMPONENTS / PLANE_VECTOR; v++)
                ((ODE_STATE PLANE_GLOBAL_TYPE *)to)[v] =
                    PLANE_PACK(&PLANE_CELL(q, r, 0, v * PLANE_VECTOR));
        } else {
            REGISTER_UNROLL
            for (int k = 0; k < PLANE_POINTS; k++)
                if (place.column + k >= x_kept && place.column + k < x_end) REGISTER_UNROLL
            for (int c = 0; c < ODE_COMPONENTS; c++)
                to[k * ODE_COMPONENTS + c] = PLANE_CELL(q, r, k, c);
        }
    }
}
