/* SPDX-License-Identifier: BSD-2-Clause */
/* register_plane.cl - overlapped tiles of a 2-D grid, in registers: all but the kernels, which are
   in register_plane_once.cl and register_plane_persistent.cl. A work-group holds a tile, and each
   item PLANE_POINTS columns by PLANE_ROWS rows of it. At every step the items exchange edges: rows
   through local memory; columns too, or by shuffles where 32 items in a row are a warp. From the
   settings:
   PLANE_POINTS, PLANE_ROWS        columns and rows of an item
   PLANE_ITEMS, PLANE_ITEM_ROWS    items in a row of the work-group, rows of items
   PLANE_VECTOR                    reals that one access to global memory may take: the host knows
                                   the alignment
   PLANE_SIDE_VECTOR, PLANE_END_VECTOR   width of the vectors of columns' and rows' edges
   PLANE_UNROLL                    stages of a run without a branch in between
   PLANE_STEPS                     steps without a branch in between
   PLANE_BUFFERS                   2: edges are written while others are read; 1: a barrier more,
                                   half the local memory */
#define PLANE_R REGISTER_RADIUS
/* Reals of a row of an item with its halo. */
#define PLANE_ROW ((PLANE_POINTS + 2 * PLANE_R) * ODE_COMPONENTS)
#define PLANE_CELL(cells, r, k, c) \
    (cells)[((r) + PLANE_R) * PLANE_ROW + ((k) + PLANE_R) * ODE_COMPONENTS + (c)]
#define PLANE_REALS (PLANE_ROWS * PLANE_POINTS * ODE_COMPONENTS) /* without */
#define PLANE_CELLS ((PLANE_ROWS + 2 * PLANE_R) * PLANE_ROW)
#define PLANE_GROUP (PLANE_ITEMS * PLANE_ITEM_ROWS)

/* Reals of an item's edges: the sides of all its rows; its first or last rows. */
#define PLANE_SIDE (PLANE_ROWS * PLANE_R * REGISTER_SHARED_COUNT)
#define PLANE_END (PLANE_R * PLANE_POINTS * REGISTER_SHARED_COUNT)
#define PLANE_SIDES (PLANE_SIDE / PLANE_SIDE_VECTOR)
#define PLANE_ENDS (PLANE_END / PLANE_END_VECTOR)
typedef REGISTER_VECTOR(PLANE_SIDE_VECTOR) plane_side;
typedef REGISTER_VECTOR(PLANE_END_VECTOR) plane_end;
#define PLANE_GLOBAL_TYPE REGISTER_VECTOR(PLANE_VECTOR)
#define PLANE_PACK REGISTER_PASTE(register_pack_, PLANE_VECTOR)
#define PLANE_UNPACK REGISTER_PASTE(register_unpack_, PLANE_VECTOR)

typedef struct {
#if !REGISTER_SHUFFLE
    plane_side left[PLANE_SIDES][PLANE_GROUP], right[PLANE_SIDES][PLANE_GROUP];
#endif
    plane_end top[PLANE_ENDS][PLANE_GROUP], bottom[PLANE_ENDS][PLANE_GROUP];
} plane_edges;

/* ---- coefficients ----
   An item reads those of its points once in a launch: it holds the fields of its points and of
   those around them, and from the marks a bit for each face and for each point that keeps its
   values. A face has one bit for both points beside it, so that the compiler sees that what goes
   through it is the same number. Bits that are tested one after the other are in a byte, where
   NVIDIA's processors test them at once. A pair of points has a byte for the faces on their right
   and below them, each as far from the point's first bit as in its marks, and for the one on the
   left of the item; four points have one that says whether they are still. At the end are the faces
   above the item. */
#define PLANE_HELD_ROW (PLANE_POINTS + 2 * PLANE_R)
#define PLANE_HELD_PLANE ((PLANE_ROWS + 2 * PLANE_R) * PLANE_HELD_ROW)
#define PLANE_HELD_FIELD(f, r, k) \
    ((f)*PLANE_HELD_PLANE + ((r) + PLANE_R) * PLANE_HELD_ROW + (k) + PLANE_R)
#define PLANE_NUMBER(r, k) ((r)*PLANE_POINTS + (k))
#define PLANE_FACES_END ((PLANE_ROWS * PLANE_POINTS + 1) / 2 * 8)
#define PLANE_STILL_END (PLANE_FACES_END + (PLANE_ROWS * PLANE_POINTS + 3) / 4 * 8)
#define PLANE_BITS (PLANE_STILL_END + PLANE_POINTS)
#define PLANE_FIRST_BIT(r, k) (PLANE_NUMBER(r, k) / 2 * 8 + PLANE_NUMBER(r, k) % 2)
#define PLANE_RIGHT(r, k) \
    ((k) < 0 ? PLANE_FIRST_BIT(r, 0) + 5 : PLANE_FIRST_BIT(r, k) + ODE_SIDE_X_HIGH_ - 1)
#define PLANE_BELOW(r, k) \
    ((r) < 0 ? PLANE_STILL_END + (k) : PLANE_FIRST_BIT(r, k) + ODE_SIDE_Y_HIGH_ - 1)
#define PLANE_RIGHT_AND_BELOW (1 << (ODE_SIDE_X_HIGH_ - 1) | 1 << (ODE_SIDE_Y_HIGH_ - 1))
#define PLANE_STILL(r, k) (PLANE_FACES_END + PLANE_NUMBER(r, k) / 4 * 8 + PLANE_NUMBER(r, k) % 4)
typedef struct {
#if ODE_HAS_FIELDS_
    ode_real fields[ODE_FIELD_COUNT_ * PLANE_HELD_PLANE];
#endif
#if ODE_HAS_MARKS_
    uint bits[(PLANE_BITS + 31) / 32];
#endif
    int nothing; /* where there are neither */
} plane_held;

/* The item, its neighbours, and whether it is at an end of the tile; its tile. */
typedef struct {
    int item, left, right, above, below;
    int is_first, is_last, is_top, is_bottom;
    ode_offset column, row; /* its first point's place in the grid */
    ode_offset tile_column, tile_row;
    overlap_line across, down;
    plane_held *held;
} plane_place;

/* The points that the tile stores, and the ends of the grid that it is at, as bits. This is
   computed while the loads are under way, which is faster than before them
   (doc/results/2026-11-registers.md). */
typedef struct {
    ode_offset x_begin, x_end, y_begin, y_end;
    int sides;
} plane_share;

/* (Functions that returned these structs would make the compiler write intrinsics that oclgrind
 * does not know.) */
ODE_INLINE_ void plane_locate(plane_place *place, ode_offset nx, ode_offset ny, ode_offset halo,
    ode_offset halo_down, plane_held *held) {
    const overlap_line across = {nx, PLANE_ITEMS * PLANE_POINTS, halo, ODE_PERIODIC_X_};
    const overlap_line down = {ny, PLANE_ITEM_ROWS * PLANE_ROWS, halo_down, ODE_PERIODIC_Y_};
    const ode_offset tiles_across = overlap_count(across), tile = (ode_offset)get_group_id(0),
                     tile_row = tile / tiles_across, tile_column = tile - tile_row * tiles_across;
    const ode_offset x0 = overlap_start(across, tile_column), y0 = overlap_start(down, tile_row);
    const int item = (int)get_local_id(0), ly = item / PLANE_ITEMS, lx = item - ly * PLANE_ITEMS;
    *place = (plane_place){
        .item = item,
        .left = lx > 0 ? item - 1 : item,
        .right = lx < PLANE_ITEMS - 1 ? item + 1 : item,
        .above = ly > 0 ? item - PLANE_ITEMS : item,
        .below = ly < PLANE_ITEM_ROWS - 1 ? item + PLANE_ITEMS : item,
        .is_first = lx == 0,
        .is_last = lx == PLANE_ITEMS - 1,
        .is_top = ly == 0,
        .is_bottom = ly == PLANE_ITEM_ROWS - 1,
        .column = x0 + lx * PLANE_POINTS,
        .row = y0 + ly * PLANE_ROWS,
        .tile_column = tile_column,
        .tile_row = tile_row,
        .across = across,
        .down = down,
        .held = held,
    };
}

ODE_INLINE_ void plane_find_share(plane_share *share, const plane_place *place) {
    const overlap_line across = place->across, down = place->down;
    const ode_offset x0 = overlap_start(across, place->tile_column),
                     y0 = overlap_start(down, place->tile_row);
    *share = (plane_share){
        .x_begin = overlap_kept(across, place->tile_column),
        .x_end = overlap_kept(across, place->tile_column + 1),
        .y_begin = overlap_kept(down, place->tile_row),
        .y_end = overlap_kept(down, place->tile_row + 1),
        .sides = (x0 == 0) << ODE_SIDE_X_LOW_ | (x0 + across.tile == across.n) << ODE_SIDE_X_HIGH_ |
                 (y0 == 0) << ODE_SIDE_Y_LOW_ | (y0 + down.tile == down.n) << ODE_SIDE_Y_HIGH_,
    };
}

/* Whether the tile stores a point. */
ODE_INLINE_ int plane_is_kept(const plane_share *share, ode_offset x, ode_offset y) {
    return x >= share->x_begin && x < share->x_end && y >= share->y_begin && y < share->y_end;
}

/* The n-th of the shared components of points (r, k), which are rows of `points` from (row, column)
 * on. */
#define PLANE_NTH(cells, row, column, points, n)                      \
    PLANE_CELL(cells, (row) + (n) / REGISTER_SHARED_COUNT / (points), \
        (column) + (n) / REGISTER_SHARED_COUNT % (points),            \
        REGISTER_SHARED((n) % REGISTER_SHARED_COUNT))

ODE_INLINE_ void plane_publish_sides(const ode_real *cells, __local plane_edges *edges, int item) {
#if !REGISTER_SHUFFLE
    ode_real left[PLANE_SIDE], right[PLANE_SIDE];
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_SIDE; n++) {
        left[n] = PLANE_NTH(cells, 0, 0, PLANE_R, n);
        right[n] = PLANE_NTH(cells, 0, PLANE_POINTS - PLANE_R, PLANE_R, n);
    }
    REGISTER_PUBLISH(PLANE_SIDE_VECTOR, PLANE_SIDE, left, edges->left, item);
    REGISTER_PUBLISH(PLANE_SIDE_VECTOR, PLANE_SIDE, right, edges->right, item);
#endif
}

ODE_INLINE_ void plane_publish_ends(const ode_real *cells, __local plane_edges *edges, int item) {
    ode_real top[PLANE_END], bottom[PLANE_END];
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_END; n++) {
        top[n] = PLANE_NTH(cells, 0, 0, PLANE_POINTS, n);
        bottom[n] = PLANE_NTH(cells, PLANE_ROWS - PLANE_R, 0, PLANE_POINTS, n);
    }
    REGISTER_PUBLISH(PLANE_END_VECTOR, PLANE_END, top, edges->top, item);
    REGISTER_PUBLISH(PLANE_END_VECTOR, PLANE_END, bottom, edges->bottom, item);
}

#if !REGISTER_SHUFFLE
/* A neighbour's columns, `rows` of its rows from first on, to this item's rows from row on, at
 * column. */
ODE_INLINE_ void plane_fetch_side(ode_real *cells, int row, int column,
    __local const plane_side (*sides)[PLANE_GROUP], int neighbour, int first, int rows) {
    ode_real side[PLANE_SIDE];
    REGISTER_FETCH(PLANE_SIDE_VECTOR, PLANE_SIDE, side, sides, neighbour);
    REGISTER_UNROLL
    for (int n = 0; n < rows * PLANE_R * REGISTER_SHARED_COUNT; n++)
        PLANE_NTH(cells, row, column, PLANE_R, n) =
            side[first * PLANE_R * REGISTER_SHARED_COUNT + n];
}
#endif

ODE_INLINE_ void plane_fetch_ends(
    ode_real *cells, __local const plane_edges *edges, const plane_place *place) {
    ode_real above[PLANE_END], below[PLANE_END];
    REGISTER_FETCH(PLANE_END_VECTOR, PLANE_END, above, edges->bottom, place->above);
    REGISTER_FETCH(PLANE_END_VECTOR, PLANE_END, below, edges->top, place->below);
    REGISTER_UNROLL
    for (int n = 0; n < PLANE_END; n++) {
        PLANE_NTH(cells, -PLANE_R, 0, PLANE_POINTS, n) = above[n];
        PLANE_NTH(cells, PLANE_ROWS, 0, PLANE_POINTS, n) = below[n];
    }
}

ODE_INLINE_ void plane_fetch_sides(
    ode_real *cells, __local const plane_edges *edges, const plane_place *place) {
#if REGISTER_SHUFFLE
    const int beside = REGISTER_STAR ? 0 : PLANE_R;
    REGISTER_UNROLL
    for (int n = 0; n < (PLANE_ROWS + 2 * beside) * PLANE_R * REGISTER_SHARED_COUNT; n++) {
        PLANE_NTH(cells, -beside, -PLANE_R, PLANE_R, n) =
            register_from_left(PLANE_NTH(cells, -beside, PLANE_POINTS - PLANE_R, PLANE_R, n));
        PLANE_NTH(cells, -beside, PLANE_POINTS, PLANE_R, n) =
            register_from_right(PLANE_NTH(cells, -beside, 0, PLANE_R, n));
    }
#else
    plane_fetch_side(cells, 0, -PLANE_R, edges->right, place->left, 0, PLANE_ROWS);
    plane_fetch_side(cells, 0, PLANE_POINTS, edges->left, place->right, 0, PLANE_ROWS);
#if !REGISTER_STAR /* the corners are columns of the neighbours' neighbours */
    const int up = place->above - place->item, down = place->below - place->item;
    plane_fetch_side(
        cells, -PLANE_R, -PLANE_R, edges->right, place->left + up, PLANE_ROWS - PLANE_R, PLANE_R);
    plane_fetch_side(cells, -PLANE_R, PLANE_POINTS, edges->left, place->right + up,
        PLANE_ROWS - PLANE_R, PLANE_R);
    plane_fetch_side(cells, PLANE_ROWS, -PLANE_R, edges->right, place->left + down, 0, PLANE_R);
    plane_fetch_side(cells, PLANE_ROWS, PLANE_POINTS, edges->left, place->right + down, 0, PLANE_R);
#endif
#endif
}

/* Give a cell another value on a condition. The old one is read in any case: of two cells, one of
 * which is read, clang before the loops are unrolled makes one whose index is not a constant, and
 * then all cells stay in memory. */
ODE_INLINE_ void plane_replace(ode_real *cell, int condition, ode_real value) {
    const ode_real old = *cell;
    *cell = condition ? value : old;
}

/* The ghosts of a side in column, or row, `beyond`, which depends on their distance d. All items at
   the ends of a tile set them, since an end of the grid is an end of a tile: inside the grid that
   spoils points which the overlap throws away. Where rows of ghosts are computed a branch is
   faster; columns are made where they are read. */
#define PLANE_SIDE_COLUMNS(SIDE, IN, is_there, beyond)                                         \
    REGISTER_UNROLL                                                                            \
    for (int r = REGISTER_STAR ? 0 : -PLANE_R; r < PLANE_ROWS + (REGISTER_STAR ? 0 : PLANE_R); \
         r++)                                                                                  \
        REGISTER_UNROLL                                                                        \
    for (int d = 1; d <= PLANE_R; d++) REGISTER_UNROLL                                         \
    for (int c = 0; c < ODE_COMPONENTS; c++) {                                                 \
        REGISTER_GHOST(ghost, SIDE, d, IN, view, t, c, 0, place->row + r)                      \
        plane_replace(&PLANE_CELL(cells, r, beyond, c), is_there, ghost);                      \
    }
#define PLANE_SIDE_ROWS(SIDE, IN, is_there, beyond)                                              \
    if (ODE_IS_COPY_(ODE_##SIDE##_) || ODE_IS_UNIFORM_(ODE_##SIDE##_) ||                         \
        (sides >> ODE_SIDE_##SIDE##_ & 1 && is_there))                                           \
        REGISTER_UNROLL                                                                          \
    for (int d = 1; d <= PLANE_R; d++) REGISTER_UNROLL                                           \
    for (int k = REGISTER_STAR ? 0 : -PLANE_R; k < PLANE_POINTS + (REGISTER_STAR ? 0 : PLANE_R); \
         k++)                                                                                    \
        REGISTER_UNROLL                                                                          \
    for (int c = 0; c < ODE_COMPONENTS; c++) {                                                   \
        REGISTER_GHOST(ghost, SIDE, d, IN, view, t, c, place->column + k, 0)                     \
        plane_replace(&PLANE_CELL(cells, beyond, k, c), is_there, ghost);                        \
    }
ODE_INLINE_ void plane_ghost_columns(
    ode_real *cells, const plane_place *place, const register_view *view, ode_instant t) {
#define LEFT_IN(n) PLANE_CELL(cells, r, n, c)
#define RIGHT_IN(n) PLANE_CELL(cells, r, PLANE_POINTS - 1 - (n), c)
#if !ODE_PERIODIC_X_
    PLANE_SIDE_COLUMNS(X_LOW, LEFT_IN, place->is_first, -d)
    PLANE_SIDE_COLUMNS(X_HIGH, RIGHT_IN, place->is_last, PLANE_POINTS - 1 + d)
#endif
#undef LEFT_IN
#undef RIGHT_IN
}
ODE_INLINE_ void plane_ghost_rows(ode_real *cells, const plane_place *place, const int sides,
    const register_view *view, ode_instant t) {
#define TOP_IN(n) PLANE_CELL(cells, n, k, c)
#define BOTTOM_IN(n) PLANE_CELL(cells, PLANE_ROWS - 1 - (n), k, c)
#if !ODE_PERIODIC_Y_
    PLANE_SIDE_ROWS(Y_LOW, TOP_IN, place->is_top, -d)
    PLANE_SIDE_ROWS(Y_HIGH, BOTTOM_IN, place->is_bottom, PLANE_ROWS - 1 + d)
#endif
#undef TOP_IN
#undef BOTTOM_IN
}

#if ODE_HAS_MARKS_
ODE_INLINE_ int plane_bit(const plane_held *held, const int bit) {
    return held->bits[bit / 32] >> bit % 32 & 1;
}
/* The marks of a point. It keeps its values whatever its derivatives are, but carried values, with
 * which errors are estimated, need those. */
ODE_INLINE_ int plane_marks(const plane_held *held, const int r, const int k) {
    return plane_bit(held, PLANE_RIGHT(r, k - 1)) << (ODE_SIDE_X_LOW_ - 1) |
           plane_bit(held, PLANE_RIGHT(r, k)) << (ODE_SIDE_X_HIGH_ - 1) |
           plane_bit(held, PLANE_BELOW(r - 1, k)) << (ODE_SIDE_Y_LOW_ - 1) |
           plane_bit(held, PLANE_BELOW(r, k)) << (ODE_SIDE_Y_HIGH_ - 1) |
           (STAGE_ARRAYS > 1 ? plane_bit(held, PLANE_STILL(r, k)) * ODE_MARK_STILL_ : 0);
}
#define PLANE_IS_STILL(held, r, k) plane_bit(held, PLANE_STILL(r, k))
#else
#define plane_marks(held, r, k) ODE_ALL_OPEN_
#define PLANE_IS_STILL(held, r, k) 0
#endif

#if ODE_HAS_COEFFICIENTS_
/* The number in a plane of coefficients of a point, which may be beside the tile. */
#define PLANE_PLACE(view, place, r, k)                                                 \
    ODE_IN_PLANE_(view,                                                                \
        REGISTER_ROUND(ODE_PERIODIC_X_, (place)->column + (k), (view)->extents.of[0]), \
        REGISTER_ROUND(ODE_PERIODIC_Y_, (place)->row + (r), (view)->extents.of[1]), 0)
/* Read the coefficients. */
ODE_INLINE_ void plane_hold(plane_held *held, const plane_place *place, const register_view *view) {
#if ODE_HAS_FIELDS_
    REGISTER_UNROLL
    for (int f = 0; f < ODE_FIELD_COUNT_; f++) REGISTER_UNROLL
    for (int r = -PLANE_R; r < PLANE_ROWS + PLANE_R; r++) REGISTER_UNROLL
    for (int k = -PLANE_R; k < PLANE_POINTS + PLANE_R; k++)
        held->fields[PLANE_HELD_FIELD(f, r, k)] =
            view->fields[f * ODE_PLANE_(view) + PLANE_PLACE(view, place, r, k)];
#endif
#if ODE_HAS_MARKS_
#define PLANE_SET(bit, marks) held->bits[(bit) / 32] |= (uint)(marks) << (bit) % 32
    __global const uchar *const all =
        (__global const uchar *)(view->fields + ODE_FIELD_COUNT_ * ODE_PLANE_(view));
    REGISTER_UNROLL
    for (int w = 0; w < (PLANE_BITS + 31) / 32; w++) held->bits[w] = 0;
    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++) {
        const uint marks = all[PLANE_PLACE(view, place, r, k)];
        PLANE_SET(PLANE_FIRST_BIT(r, k), marks & PLANE_RIGHT_AND_BELOW);
        PLANE_SET(PLANE_STILL(r, k), (marks & ODE_MARK_STILL_) / ODE_MARK_STILL_);
        if (k == 0) PLANE_SET(PLANE_RIGHT(r, -1), marks >> (ODE_SIDE_X_LOW_ - 1) & 1);
        if (r == 0) PLANE_SET(PLANE_BELOW(-1, k), marks >> (ODE_SIDE_Y_LOW_ - 1) & 1);
    }
#endif
}
#endif

/* The derivatives of row r. */
ODE_INLINE_ void plane_rhs(const ode_real *cells, int r, const plane_place *place,
    const register_view *view, ode_instant t, ode_real *dot) {
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++) {
        const ode_axes at = {{place->column + k, place->row + r, 0}};
        const ode_axes stride = ODE_WINDOW_STRIDES_(PLANE_POINTS + 2 * PLANE_R);
        const ode_real *const centre = &PLANE_CELL(cells, r, k, 0);
#if ODE_HAS_COEFFICIENTS_
#if ODE_HAS_FIELDS_
        const ode_real *const fields = place->held->fields + PLANE_HELD_FIELD(0, r, k);
#else
        const ode_real *const fields = centre; /* which are not read */
#endif
        ode_point_held(centre, stride, view->constants, fields, PLANE_HELD_PLANE,
            plane_marks(place->held, r, k), ODE_MOMENT_OF_(t),
            ODE_PLACE_(view, REGISTER_X(view, at), REGISTER_Y(view, at), 0),
            dot + k * ODE_COMPONENTS);
#else
        register_rhs(centre, stride, view, t, at, dot + k * ODE_COMPONENTS);
#endif
    }
}

ODE_INLINE_ void plane_update(ode_real *cells, ode_real *carried, int r, const plane_place *place,
    const register_stage *stage, const ode_real *dot) {
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++) {
        register_update(stage, 0, PLANE_IS_STILL(place->held, r, k), dot + k * ODE_COMPONENTS,
            &PLANE_CELL(cells, r, k, 0), carried + (r * PLANE_POINTS + k) * ODE_COMPONENTS,
            PLANE_REALS);
    }
}

/* The derivatives that wait, as in line_sweep, line_sweep_back and line_update_late, by rows. */
typedef struct {
    ode_real dot[PLANE_R][PLANE_POINTS * ODE_COMPONENTS];
} plane_late;

ODE_INLINE_ void plane_sweep(ode_real *cells, ode_real *carried, int first, int end, int before,
    plane_late *late, const plane_place *place, const register_view *view,
    const register_stage *stage) {
    REGISTER_UNROLL
    for (int r = first; r < end; r++) {
        ode_real dot[PLANE_POINTS * ODE_COMPONENTS];
        plane_rhs(cells, r, place, view, stage->t, dot);
        if (before || r - first >= PLANE_R)
            plane_update(cells, carried, r - PLANE_R, place, stage, late->dot[0]);
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS * ODE_COMPONENTS; k++) {
            REGISTER_UNROLL
            for (int d = 0; d + 1 < PLANE_R; d++) late->dot[d][k] = late->dot[d + 1][k];
            late->dot[PLANE_R - 1][k] = dot[k];
        }
    }
}

ODE_INLINE_ void plane_sweep_back(ode_real *cells, ode_real *carried, int end, int first,
    plane_late *late, const plane_place *place, const register_view *view,
    const register_stage *stage) {
    REGISTER_UNROLL
    for (int r = end - 1; r >= first; r--) {
        ode_real dot[PLANE_POINTS * ODE_COMPONENTS];
        plane_rhs(cells, r, place, view, stage->t, dot);
        if (r + PLANE_R < end)
            plane_update(cells, carried, r + PLANE_R, place, stage, late->dot[PLANE_R - 1]);
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS * ODE_COMPONENTS; k++) {
            REGISTER_UNROLL
            for (int d = PLANE_R - 1; d > 0; d--) late->dot[d][k] = late->dot[d - 1][k];
            late->dot[0][k] = dot[k];
        }
    }
}

ODE_INLINE_ void plane_update_late(ode_real *cells, ode_real *carried, int end,
    const plane_late *late, const plane_place *place, const register_stage *stage) {
    REGISTER_UNROLL
    for (int d = 0; d < PLANE_R; d++)
        plane_update(cells, carried, end - PLANE_R + d, place, stage, late->dot[d]);
}

/* A stage in place. `now` holds the edges as they are, `next` gets those after the stage. */
ODE_INLINE_ void plane_level(ode_real *cells, ode_real *carried, __local const plane_edges *now,
    __local plane_edges *next, int has_ghosts, const plane_place *place, const plane_share *share,
    const register_view *view, const register_stage *stage) {
    plane_late late;
#if ODE_HAS_MARKS_
    REGISTER_UNROLL
    for (int w = 0; w < (PLANE_BITS + 31) / 32; w++) REGISTER_FORGET(place->held->bits[w]);
#endif
    if (STAGE_READS(stage->shape)) {
        /* The corners of rows of ghosts are made of columns of them. Where nobody reads corners,
         * rows are first: columns from neighbours would have to wait in front of a branch. */
        plane_fetch_ends(cells, now, place);
        if (REGISTER_STAR ? has_ghosts : 0)
            plane_ghost_rows(cells, place, share->sides, view, stage->t);
        plane_fetch_sides(cells, now, place);
        if (has_ghosts) plane_ghost_columns(cells, place, view, stage->t);
        if (REGISTER_STAR ? 0 : has_ghosts)
            plane_ghost_rows(cells, place, share->sides, view, stage->t);
        if (PLANE_BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!STAGE_HANDS_OVER(stage->shape)) {
        plane_sweep(cells, carried, 0, PLANE_ROWS, 0, &late, place, view, stage);
        plane_update_late(cells, carried, PLANE_ROWS, &late, place, stage);
        return;
    }
#if PLANE_ROWS >= 4 * PLANE_R && REGISTER_SHUFFLE
    /* The ends first, so that they are under way while the middle is computed. */
    plane_late late_back;
    plane_sweep(cells, carried, 0, 2 * PLANE_R, 0, &late, place, view, stage);
    plane_sweep_back(
        cells, carried, PLANE_ROWS, PLANE_ROWS - 2 * PLANE_R, &late_back, place, view, stage);
    plane_publish_ends(cells, next, place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_sweep(
        cells, carried, 2 * PLANE_R, PLANE_ROWS - 2 * PLANE_R, 1, &late, place, view, stage);
    plane_update_late(cells, carried, PLANE_ROWS - 2 * PLANE_R, &late, place, stage);
    plane_update_late(cells, carried, PLANE_ROWS - PLANE_R, &late_back, place, stage);
#else
    plane_sweep(cells, carried, 0, PLANE_ROWS, 0, &late, place, view, stage);
    plane_update_late(cells, carried, PLANE_ROWS, &late, place, stage);
    plane_publish_sides(cells, next, place->item);
    plane_publish_ends(cells, next, place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

/* `own`: the item's points, in rows of `stride` reals. */
ODE_INLINE_ void plane_load(ode_real *own, const int stride, ODE_STATE const ode_real *in,
    const plane_place *place, const register_view *view) {
    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) {
        const ode_offset y = place->row + r,
                         row = (ODE_PERIODIC_Y_ ? overlap_wrap(place->down, y) : y) *
                               view->extents.of[0];
#if ODE_PERIODIC_X_ /* point by point: the grid's end may be anywhere */
        REGISTER_UNROLL
        for (int k = 0; k < PLANE_POINTS; k++) {
            ODE_STATE const ode_real *from =
                in + (row + overlap_wrap(place->across, place->column + k)) * ODE_COMPONENTS;
            REGISTER_UNROLL
            for (int c = 0; c < ODE_COMPONENTS; c++)
                own[r * stride + k * ODE_COMPONENTS + c] = from[c];
        }
#else
        ODE_STATE const PLANE_GLOBAL_TYPE *from =
            (ODE_STATE const PLANE_GLOBAL_TYPE *)(in + (row + place->column) * ODE_COMPONENTS);
        REGISTER_UNROLL
        for (int v = 0; v < PLANE_POINTS * ODE_COMPONENTS / PLANE_VECTOR; v++)
            PLANE_UNPACK(from[v], own + r * stride + v * PLANE_VECTOR);
#endif
    }
}

/* A stage of step `step`, and many of one shape. */
#define PLANE_ONE(shape, number)                                                                 \
    {                                                                                            \
        const register_stage stage =                                                             \
            REGISTER_STAGE(view, shape, number, first + step * STAGE_COUNT + (number));          \
        const int next = STAGE_HANDS_OVER(shape) ? PLANE_BUFFERS - 1 - turn : turn;              \
        plane_level(                                                                             \
            cells, carried, &edges[turn], &edges[next], has_ghosts, place, share, view, &stage); \
        turn = next;                                                                             \
    }
#define PLANE_RUN(shape, begin, end) REGISTER_RUN(PLANE_ONE, PLANE_UNROLL, shape, begin, end)

/* The errors of a step. */
#define PLANE_COMPARE                                                                            \
    REGISTER_UNROLL                                                                              \
    for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL                                         \
    for (int k = 0; k < PLANE_POINTS; k++) {                                                     \
        REGISTER_COMPARE(STAGE_ENDS &&plane_is_kept(share, place->column + k, place->row + r) && \
                             ESTIMATE_ROW_COUNTS(place->row + r),                                \
            &PLANE_CELL(cells, r, k, 0),                                                         \
            carried + (ESTIMATE - 1) * PLANE_REALS + (r * PLANE_POINTS + k) * ODE_COMPONENTS,    \
            ODE_COMPONENTS)                                                                      \
    }

/* `steps` steps; `first` is the first level's place in the table of times. */
ODE_INLINE_ void plane_steps(ode_real *cells, ode_real *carried, __local plane_edges *edges,
    const int has_ghosts, const plane_place *place, const plane_share *share,
    const register_view *view, const ode_offset first, const int steps ESTIMATE_PARAMETER) {
    int step = 0, turn = 0, until = REGISTER_NEXT_FLUSH(view, 0, steps);
    STAGE_FIRST(PLANE_ONE)
    for (;;) {
        while (PLANE_STEPS > 1 && step + PLANE_STEPS <= until - STAGE_AHEAD) {
            if (PLANE_STEPS * STAGE_TURNS % 2 == 0) turn = 0; /* as it is */
            REGISTER_UNROLL
            for (int u = 0; u < PLANE_STEPS; u++, step++) {
                STAGE_STEP(PLANE_ONE, PLANE_RUN)
                PLANE_COMPARE
            }
        }
        for (; step < until - STAGE_AHEAD; step++) {
            STAGE_STEP(PLANE_ONE, PLANE_RUN)
            PLANE_COMPARE
        }
        if (REGISTER_IS_FLUSHED(view, until)) {
            REGISTER_UNROLL
            for (int r = 0; r < PLANE_ROWS; r++) {
                REGISTER_FLUSH(&PLANE_CELL(cells, r, 0, 0), PLANE_POINTS * ODE_COMPONENTS)
            }
        }
        if (until == steps) break;
        /* Nobody has read the edges that are replaced by these, or will read them, but in a last
         * stage that hands nothing over. */
        if (STAGE_TURNS < STAGE_COUNT) barrier(CLK_LOCAL_MEM_FENCE);
        plane_publish_ends(cells, &edges[0], place->item);
        plane_publish_sides(cells, &edges[0], place->item);
        barrier(CLK_LOCAL_MEM_FENCE);
        turn = 0;
        until = REGISTER_NEXT_FLUSH(view, step, steps);
    }
    STAGE_LAST(PLANE_ONE)
}

/* The same, with ghosts where the tile has any: all items of the work-group agree on that. */
ODE_INLINE_ void plane_advance(ode_real *cells, ode_real *carried, __local plane_edges *edges,
    const plane_place *place, const plane_share *share, const register_view *view,
    const ode_offset first, const int steps ESTIMATE_PARAMETER) {
    plane_publish_sides(cells, &edges[0], place->item);
    plane_publish_ends(cells, &edges[0], place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
#if STAGE_IS_ANY /* half as long a text compiles in half the time */
    plane_steps(
        cells, carried, edges, share->sides != 0, place, share, view, first, steps ESTIMATE_PASS);
#else
    if (share->sides)
        plane_steps(cells, carried, edges, 1, place, share, view, first, steps ESTIMATE_PASS);
    else
        plane_steps(cells, carried, edges, 0, place, share, view, first, steps ESTIMATE_PASS);
#endif
}

/* Store the points that the tile keeps. */
ODE_INLINE_ void plane_store(ODE_STATE ode_real *out, const ode_real *own, const int stride,
    const plane_place *place, const plane_share *share, const register_view *view) {
    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) {
        const ode_offset y = place->row + r;
        if (y < share->y_begin || y >= share->y_end) continue;
        ODE_STATE ode_real *to = out + (y * view->extents.of[0] + place->column) * ODE_COMPONENTS;
        if (place->column >= share->x_begin && place->column + PLANE_POINTS <= share->x_end) {
            REGISTER_UNROLL
            for (int v = 0; v < PLANE_POINTS * ODE_COMPONENTS / PLANE_VECTOR; v++)
                ((ODE_STATE PLANE_GLOBAL_TYPE *)to)[v] =
                    PLANE_PACK(own + r * stride + v * PLANE_VECTOR);
        } else {
            REGISTER_UNROLL
            for (int k = 0; k < PLANE_POINTS; k++)
                if (place->column + k >= share->x_begin && place->column + k < share->x_end)
                    REGISTER_UNROLL
            for (int c = 0; c < ODE_COMPONENTS; c++)
                to[k * ODE_COMPONENTS + c] = own[r * stride + k * ODE_COMPONENTS + c];
        }
    }
}
