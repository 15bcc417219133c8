/* SPDX-License-Identifier: BSD-2-Clause */
/* register_volume.cl - several steps on the way through a 3-D grid. A work-group holds a tile of a
   plane and goes along z, plane by plane. Of every level (the state after 1, 2, ... steps) an item
   keeps the few planes of its own columns and rows that the next level reads, in registers. So
   nothing is computed twice along z, except at the ends of a group's stretch. From the settings:
   VOLUME_POINTS, VOLUME_ROWS       columns and rows of an item
   VOLUME_ITEMS, VOLUME_ITEM_ROWS   items side by side, and rows of items
   VOLUME_LEVELS                    levels of a launch, of whole steps
   VOLUME_SHAPE(number)             the shape of a step's stage
   VOLUME_VECTOR                    reals that one access to global memory may take: the host knows
                                    the alignment
   VOLUME_LOCAL_VECTOR              the same of local memory
   VOLUME_UNROLL                    turns in the text: VOLUME_KEPT, or 1
   VOLUME_EACH_VALUE(VALUE)         VALUE(dx, dy, dz, c) for each value that a right-hand side
                                    reads: NVIDIA's compiler takes long for loops here
                                    (register_pipeline.cl) */
#define VOLUME_R REGISTER_RADIUS
#define VOLUME_SPAN (2 * VOLUME_R + 1)
/* How many planes a level is behind the one before it. A star reads no neighbours in its newest
 * plane; the neighbours of others are known a turn later. */
#define VOLUME_LAG (VOLUME_R + 1 - REGISTER_STAR)
/* Planes of a level that are kept. Of a star the newest one, of which every point is read once, is
 * not among them before the turn's end. */
#define VOLUME_KEPT (VOLUME_R + VOLUME_LAG)
#define VOLUME_LAST_LAG (VOLUME_LEVELS * VOLUME_LAG)
#define VOLUME_OWN (VOLUME_POINTS * ODE_COMPONENTS)            /* reals of an item's row */
#define VOLUME_SIDE (VOLUME_R * ODE_COMPONENTS)                /* reals of a halo on one side of it */
#define VOLUME_GROUP_SIZE (VOLUME_ITEMS * VOLUME_ITEM_ROWS)
/* A multiple of the planes that are kept, which keeps the operand of a remainder positive. */
#define VOLUME_FIT (VOLUME_KEPT * 4)
/* The place in a ring of planes of the one that is dz from the centre. `slot`, the turn's number
 * modulo VOLUME_KEPT, has the oldest plane, and is the place of the newest one. */
#define VOLUME_PLANE(slot, dz) (((slot) + VOLUME_R + (dz) + VOLUME_FIT) % VOLUME_KEPT)

/* ---- what neighbours read ----
   Planes in local memory, in sets that take turns: a plane is published at the end of a turn and
   read in later turns, so that one barrier in a turn is enough. Of a star neighbours read the
   centre alone. Rows of a plane consist of a block of vectors for each item. */
#define VOLUME_SETS (REGISTER_STAR ? 2 : VOLUME_SPAN + 1)
/* The set of the plane that is dz from the centre; `set` is the one that was published last. */
#define VOLUME_SET(set, dz) \
    (REGISTER_STAR ? (set) : ((set) + VOLUME_SETS - VOLUME_R + (dz)) % VOLUME_SETS)
/* Rows of an item's row of a plane that are there: by shuffles, those alone that items above and
 * below read. */
#define VOLUME_STORED \
    (REGISTER_SHUFFLE && 2 * VOLUME_R < VOLUME_ROWS ? 2 * VOLUME_R : VOLUME_ROWS)
/* Row j of an item, which may be above its first or below its last one, counted in local memory
 * from the ghosts above the tile on. */
#define VOLUME_ROW_AT(place, j)                                              \
    (VOLUME_R + (place)->item_row * VOLUME_STORED +                          \
        ((j) < VOLUME_R ? (j) : (j) - VOLUME_ROWS + VOLUME_STORED))
#define VOLUME_IS_STORED(j) \
    (VOLUME_STORED == VOLUME_ROWS || (j) < VOLUME_R || (j) >= VOLUME_ROWS - VOLUME_R)
#define VOLUME_LOCAL_ROWS (VOLUME_ITEM_ROWS * VOLUME_STORED + 2 * VOLUME_R)
/* Where columns are not exchanged by shuffles alone, a block at either end is for ghosts. */
#define VOLUME_MARGIN (!(REGISTER_SHUFFLE && REGISTER_STAR))
#define VOLUME_BLOCKS (VOLUME_ITEMS + 2 * VOLUME_MARGIN)
#define VOLUME_VECTORS (VOLUME_OWN / VOLUME_LOCAL_VECTOR)
typedef REGISTER_VECTOR(VOLUME_LOCAL_VECTOR) volume_local_vector;
typedef struct {
    volume_local_vector row[VOLUME_LOCAL_ROWS][VOLUME_VECTORS][VOLUME_BLOCKS];
} volume_shared;
/* Real k of a block; those of the blocks beside it are in them. */
#define VOLUME_REAL(shared, at, block, k)                                                          \
    (((__local ode_real *)&(shared)->row[at][(k) / VOLUME_LOCAL_VECTOR][block])[(k) %             \
                                                                                VOLUME_LOCAL_VECTOR])

typedef REGISTER_VECTOR(VOLUME_VECTOR) volume_vector;
#define VOLUME_PACK REGISTER_PASTE(register_pack_, VOLUME_VECTOR)
#define VOLUME_UNPACK REGISTER_PASTE(register_unpack_, VOLUME_VECTOR)
#define VOLUME_LOADS (VOLUME_OWN / VOLUME_VECTOR) /* vectors of an item's row in global memory */

/* Planes come by NVIDIA's asynchronous copies: each item asks for its own part of the next one. */
#define VOLUME_ASYNCHRONOUS (REGISTER_PTX && !ODE_UNCACHED)
typedef struct {
    volume_shared shared[VOLUME_SETS][VOLUME_LEVELS];
#if REGISTER_PTX
    volume_local_vector asked[2][VOLUME_ROWS][VOLUME_VECTORS][VOLUME_GROUP_SIZE];
#endif
} volume_memory;

/* The item, and its work-group's part of the grid. */
typedef struct {
    int lane, item_row;                       /* the item's place in the group */
    int is_first, is_last, is_top, is_bottom; /* it holds an end of the grid along x, y */
    ode_offset column, row;                   /* its first point */
    uint columns_kept, rows_kept;             /* bits: its vectors, its rows, that the group stores */
    ode_offset x_kept, x_end, y_kept, y_end, z_kept, z_end; /* the points that the group stores */
    ode_offset z_first;                       /* the plane that level 0 begins with */
    ode_offset first;                         /* the first level's place in the table of times */
    int levels;                               /* of the launch; those beyond them copy */
    ODE_STATE const ode_real *in;
    ODE_STATE ode_real *out;
    __local volume_memory *memory;
} volume_place;

/* The registers of an item: planes of all levels, and the carried values of the same planes. */
typedef struct {
    ode_real at[VOLUME_LEVELS][VOLUME_KEPT][VOLUME_ROWS][VOLUME_OWN];
    ode_real carried[VOLUME_LEVELS][VOLUME_KEPT][VOLUME_ROWS][REGISTER_CARRIED(VOLUME_OWN)];
} volume_planes;

/* A row of a level, and its carried values. */
typedef struct {
    ode_real own[VOLUME_OWN], carried[REGISTER_CARRIED(VOLUME_OWN)];
} volume_row;

/* Find which of the item's vectors and rows the group stores. */
ODE_INLINE_ void volume_choose(volume_place *place) {
    place->columns_kept = place->rows_kept = 0;
    for (int v = 0; v < VOLUME_LOADS; v++) {
        const ode_offset at = place->column * ODE_COMPONENTS + v * VOLUME_VECTOR;
        if (at >= place->x_kept * ODE_COMPONENTS && at < place->x_end * ODE_COMPONENTS)
            place->columns_kept |= 1u << v;
    }
    for (int j = 0; j < VOLUME_ROWS; j++)
        if (place->row + j >= place->y_kept && place->row + j < place->y_end)
            place->rows_kept |= 1u << j;
}

/* ---- planes come and go ---- */

/* Vector v of row j of plane z. A plane beyond the grid is replaced by one in it. */
ODE_INLINE_ ODE_STATE const volume_vector *volume_address(const int j, const int v,
    const volume_place *place, const register_view *view, const ode_offset z) {
    const ode_offset nx = view->extents.of[0], ny = view->extents.of[1], nz = view->extents.of[2],
                     plane = ODE_PERIODIC_Z_ ? overlap_wrap((overlap_line){nz, 1, 0, 1}, z)
                                             : clamp(z, (ode_offset)0, nz - 1),
                     y = REGISTER_ROUND(ODE_PERIODIC_Y_, place->row + j, ny);
    const ode_offset at = REGISTER_ROUND(ODE_PERIODIC_X_,
        place->column * ODE_COMPONENTS + v * VOLUME_VECTOR, nx * ODE_COMPONENTS);
    return (ODE_STATE const volume_vector *)(place->in + (plane * ny + y) * nx * ODE_COMPONENTS +
                                             at);
}

#if VOLUME_ASYNCHRONOUS
/* Ask for plane z; and wait for the plane that was asked for. */
ODE_INLINE_ void volume_ask(const int slot, const volume_place *place, const register_view *view,
    const ode_offset z) {
    const int item = place->item_row * VOLUME_ITEMS + place->lane;
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) REGISTER_UNROLL
    for (int v = 0; v < VOLUME_LOADS; v++) {
        const int k = v * VOLUME_VECTOR;
        __local ode_real *const to =
            (__local ode_real *)&place->memory
                ->asked[slot][j][k / VOLUME_LOCAL_VECTOR][item] +
            k % VOLUME_LOCAL_VECTOR;
#if VOLUME_VECTOR * (ODE_DOUBLE ? 8 : 4) == 16
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"((uint)(size_t)to),
                     "l"(volume_address(j, v, place, view, z))
                     : "memory");
#else
        asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], %2;" ::"r"((uint)(size_t)to),
                     "l"(volume_address(j, v, place, view, z)),
                     "n"(VOLUME_VECTOR * (ODE_DOUBLE ? 8 : 4))
                     : "memory");
#endif
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}
#define VOLUME_WAIT() asm volatile("cp.async.wait_group 0;" ::: "memory")
#endif

/* Row j of the plane that comes in this turn. */
ODE_INLINE_ void volume_load(ode_real *row, const int j, const ode_offset turn,
    const volume_place *place, const register_view *view) {
#if VOLUME_ASYNCHRONOUS
    const int item = place->item_row * VOLUME_ITEMS + place->lane;
    REGISTER_UNROLL
    for (int v = 0; v < VOLUME_VECTORS; v++)
        REGISTER_PASTE(register_unpack_, VOLUME_LOCAL_VECTOR)
    (place->memory->asked[turn & 1][j][v][item], row + v * VOLUME_LOCAL_VECTOR);
#else
    REGISTER_UNROLL
    for (int v = 0; v < VOLUME_LOADS; v++)
        VOLUME_UNPACK(*volume_address(j, v, place, view, place->z_first + turn),
            row + v * VOLUME_VECTOR);
#endif
}

/* A compiler that finds a value used in a branch alone moves all that leads to it there; then rows
 * do not overlap. */
#if REGISTER_PTX && ODE_DOUBLE
#define VOLUME_HERE(x) asm volatile("" : "+d"(x))
#elif REGISTER_PTX
#define VOLUME_HERE(x) asm volatile("" : "+f"(x))
#else
#define VOLUME_HERE(x)
#endif

ODE_INLINE_ void volume_store(ode_real *row, const int j, const volume_place *place,
    const register_view *view, ode_offset z) {
    ODE_STATE volume_vector *const to =
        (ODE_STATE volume_vector *)(place->out +
                                    ((z * view->extents.of[1] + place->row + j) *
                                            view->extents.of[0] +
                                        place->column) *
                                        ODE_COMPONENTS);
    const uint kept = place->rows_kept >> j & 1 && z >= place->z_kept && z < place->z_end
                          ? place->columns_kept
                          : 0;
    REGISTER_UNROLL
    for (int k = 0; k < VOLUME_OWN; k++) VOLUME_HERE(row[k]);
    REGISTER_UNROLL
    for (int v = 0; v < VOLUME_LOADS; v++)
        if (kept >> v & 1) to[v] = VOLUME_PACK(row + v * VOLUME_VECTOR);
}

/* ---- edges ---- */

/* The ghosts at the ends of a row of the item, along x. */
ODE_INLINE_ void volume_row_ghosts(const ode_real *own, ode_real *low, ode_real *high,
    const register_view *view, const ode_offset y, const ode_offset z, const ode_instant t) {
#define LEFT_IN(n) own[(n)*ODE_COMPONENTS + k]
#define RIGHT_IN(n) own[VOLUME_OWN - ((n) + 1) * ODE_COMPONENTS + k]
    REGISTER_UNROLL
    for (int p = 0; p < VOLUME_R; p++) REGISTER_UNROLL
    for (int k = 0; k < ODE_COMPONENTS; k++) {
        REGISTER_GHOST_AT(before, X_LOW, VOLUME_R - p, LEFT_IN, view, t, k, 0, y, z)
        REGISTER_GHOST_AT(behind, X_HIGH, p + 1, RIGHT_IN, view, t, k, 0, y, z)
        low[p * ODE_COMPONENTS + k] = before;
        high[p * ODE_COMPONENTS + k] = behind;
    }
#undef LEFT_IN
#undef RIGHT_IN
}

/* A row of the item with the ghosts beside it, where there are any. */
#define VOLUME_WIDE (VOLUME_OWN + 2 * VOLUME_SIDE)
#define VOLUME_HAS_SIDES (VOLUME_MARGIN && !ODE_PERIODIC_X_)

/* Put a row into local memory, and, if the tile ends there where the grid does, the ghosts beside
 * it. */
ODE_INLINE_ void volume_put(__local volume_shared *shared, const int at, const int has_sides,
    const ode_real *row, const volume_place *place) {
    const int block = place->lane + VOLUME_MARGIN;
    REGISTER_UNROLL
    for (int v = 0; v < VOLUME_VECTORS; v++)
        shared->row[at][v][block] = REGISTER_PASTE(register_pack_, VOLUME_LOCAL_VECTOR)(
            row + VOLUME_SIDE + v * VOLUME_LOCAL_VECTOR);
    if (has_sides) REGISTER_UNROLL
    for (int k = 0; k < VOLUME_SIDE; k++) {
        if (place->is_first) VOLUME_REAL(shared, at, 0, VOLUME_OWN - VOLUME_SIDE + k) = row[k];
        if (place->is_last)
            VOLUME_REAL(shared, at, VOLUME_BLOCKS - 1, k) = row[VOLUME_SIDE + VOLUME_OWN + k];
    }
}

/* Publish the plane z of an item for a stage at time t. Ghosts beyond the ends of y are made of
 * rows that have their ghosts along x. */
ODE_INLINE_ void volume_publish(__local volume_shared *shared,
    ode_real plane[VOLUME_ROWS][VOLUME_OWN], const volume_place *place, const register_view *view,
    const ode_offset z, const ode_instant t) {
#define TOP_IN(n) rows[n][k]
#define BOTTOM_IN(n) rows[VOLUME_ROWS - 1 - (n)][k]
    ode_real rows[VOLUME_ROWS][VOLUME_WIDE];
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        REGISTER_UNROLL
        for (int k = 0; k < VOLUME_OWN; k++) rows[j][VOLUME_SIDE + k] = plane[j][k];
        if (VOLUME_HAS_SIDES)
            volume_row_ghosts(plane[j], rows[j], rows[j] + VOLUME_SIDE + VOLUME_OWN, view,
                place->row + j, z, t);
        if (VOLUME_IS_STORED(j))
            volume_put(shared, VOLUME_ROW_AT(place, j), VOLUME_HAS_SIDES, rows[j], place);
    }
#if !ODE_PERIODIC_Y_
    const int has_corners = VOLUME_HAS_SIDES && !REGISTER_STAR,
              from = has_corners ? 0 : VOLUME_SIDE;
    REGISTER_UNROLL
    for (int d = 1; d <= VOLUME_R; d++) {
        ode_real top[VOLUME_WIDE], bottom[VOLUME_WIDE];
        REGISTER_UNROLL
        for (int k = from; k < VOLUME_WIDE - from; k++) {
            const ode_offset x = place->column + k / ODE_COMPONENTS - VOLUME_R;
            REGISTER_GHOST_AT(above, Y_LOW, d, TOP_IN, view, t, k % ODE_COMPONENTS, x, 0, z)
            REGISTER_GHOST_AT(below, Y_HIGH, d, BOTTOM_IN, view, t, k % ODE_COMPONENTS, x, 0, z)
            top[k] = above;
            bottom[k] = below;
        }
        if (place->is_top)
            volume_put(shared, VOLUME_ROW_AT(place, -d), has_corners, top, place);
        if (place->is_bottom)
            volume_put(
                shared, VOLUME_ROW_AT(place, VOLUME_ROWS - 1 + d), has_corners, bottom, place);
    }
#endif
#undef TOP_IN
#undef BOTTOM_IN
}

/* ---- a level ---- */

/* The rows that a row of a level reads, with the columns beside the item's own where it reads
 * these, and of a star only those through the centre. */
typedef struct {
    ode_real row[VOLUME_SPAN][VOLUME_SPAN][VOLUME_WIDE]; /* by dz, by dy */
} volume_band;

/* Fetch the columns beside a row of the band in local memory. */
ODE_INLINE_ void volume_fetch_sides(
    ode_real *row, __local volume_shared *shared, const int at, const volume_place *place) {
    REGISTER_UNROLL
    for (int k = 0; k < VOLUME_SIDE; k++) {
        row[k] = VOLUME_REAL(
            shared, at, place->lane + VOLUME_MARGIN - 1, VOLUME_OWN - VOLUME_SIDE + k);
        row[VOLUME_SIDE + VOLUME_OWN + k] =
            VOLUME_REAL(shared, at, place->lane + VOLUME_MARGIN + 1, k);
    }
}

#if REGISTER_SHUFFLE
/* The same of one of the item's own rows, from the items beside it. Where the grid does not end,
 * those at the ends of the tile get other values, of which only points are made that are thrown
 * away. */
ODE_INLINE_ void volume_shuffle_sides(ode_real *row, const volume_place *place,
    const register_view *view, const ode_offset y, const ode_offset z, const ode_instant t) {
    ode_real low[VOLUME_SIDE], high[VOLUME_SIDE];
    if (!ODE_PERIODIC_X_) volume_row_ghosts(row + VOLUME_SIDE, low, high, view, y, z, t);
    REGISTER_UNROLL
    for (int k = 0; k < VOLUME_SIDE; k++) {
        const ode_real left = register_from_left(row[VOLUME_OWN + k]),
                       right = register_from_right(row[VOLUME_SIDE + k]);
        row[k] = !ODE_PERIODIC_X_ && place->is_first ? low[k] : left;
        row[VOLUME_SIDE + VOLUME_OWN + k] = !ODE_PERIODIC_X_ && place->is_last ? high[k] : right;
    }
}
#endif

/* Fill the band of row j of the level whose input is level l. `newest`: of a star, the row of the
 * newest plane. y, z: where row j is. */
ODE_INLINE_ void volume_fill(volume_band *band, const volume_planes *planes, const int l,
    const int j, const int slot, const int set, const ode_real *newest, const volume_place *place,
    const register_view *view, const ode_offset y, const ode_offset z, const ode_instant t) {
    REGISTER_UNROLL
    for (int dz = -VOLUME_R; dz <= VOLUME_R; dz++) REGISTER_UNROLL
    for (int dy = -VOLUME_R; dy <= VOLUME_R; dy++) {
        ode_real *const row = band->row[VOLUME_R + dz][VOLUME_R + dy];
        __local volume_shared *const shared = &place->memory->shared[VOLUME_SET(set, dz)][l];
        const int is_own = j + dy >= 0 && j + dy < VOLUME_ROWS, at = VOLUME_ROW_AT(place, j + dy),
                  has_sides = REGISTER_STAR ? !dz && !dy : 1;
        if (REGISTER_STAR && dz && dy) continue;
        if (is_own) {
            REGISTER_UNROLL
            for (int k = 0; k < VOLUME_OWN; k++)
                row[VOLUME_SIDE + k] =
                    REGISTER_STAR && dz == VOLUME_R
                        ? newest[k]
                        : planes->at[l][VOLUME_PLANE(slot, dz)][is_own ? j + dy : 0][k];
        } else {
            REGISTER_UNROLL
            for (int v = 0; v < VOLUME_VECTORS; v++)
                REGISTER_PASTE(register_unpack_, VOLUME_LOCAL_VECTOR)
            (shared->row[at][v][place->lane + VOLUME_MARGIN],
                row + VOLUME_SIDE + v * VOLUME_LOCAL_VECTOR);
        }
#if REGISTER_SHUFFLE
        if (has_sides && is_own) volume_shuffle_sides(row, place, view, y + dy, z + dz, t);
#endif
        if (has_sides && !(REGISTER_SHUFFLE && is_own)) volume_fetch_sides(row, shared, at, place);
    }
}

/* Set the ghosts in the planes beyond the ends of z, which are made of planes that have theirs. */
ODE_INLINE_ void volume_ghosts(volume_band *band, const volume_place *place,
    const register_view *view, const ode_offset y, const ode_offset z, const ode_instant t) {
#define FRONT_IN(n) band->row[VOLUME_R + (n)-from_end][VOLUME_R + dy][k]
#define BACK_IN(n) band->row[VOLUME_R + from_end - (n)][VOLUME_R + dy][k]
    const int rows = REGISTER_STAR ? 0 : VOLUME_R, from = REGISTER_STAR ? VOLUME_SIDE : 0;
    REGISTER_UNROLL
    for (int from_end = 0; from_end < VOLUME_R; from_end++) REGISTER_UNROLL
    for (int d = from_end + 1; d <= VOLUME_R; d++) REGISTER_UNROLL
    for (int dy = -rows; dy <= rows; dy++) REGISTER_UNROLL
    for (int k = from; k < VOLUME_WIDE - from; k++) {
        const ode_offset x = place->column + k / ODE_COMPONENTS - VOLUME_R;
        const int c = k % ODE_COMPONENTS;
        REGISTER_GHOST_AT(low, Z_LOW, d - from_end, FRONT_IN, view, t, c, x, y + dy, 0)
        REGISTER_GHOST_AT(high, Z_HIGH, d - from_end, BACK_IN, view, t, c, x, y + dy, 0)
        ode_real *const front = &band->row[VOLUME_R - d][VOLUME_R + dy][k],
                        *const back = &band->row[VOLUME_R + d][VOLUME_R + dy][k];
        *front = z == from_end ? low : *front;
        *back = z == view->extents.of[2] - 1 - from_end ? high : *back;
    }
#undef FRONT_IN
#undef BACK_IN
}

/* The values that a right-hand side reads about a point. */
#define VOLUME_WINDOW (VOLUME_SPAN * VOLUME_SPAN * VOLUME_SPAN * ODE_COMPONENTS)
#define VOLUME_WINDOW_AT(dx, dy, dz, c)                                                            \
    (((((dz) + VOLUME_R) * VOLUME_SPAN + (dy) + VOLUME_R) * VOLUME_SPAN + (dx) + VOLUME_R) *       \
            ODE_COMPONENTS +                                                                       \
        (c))

/* Advance a row of the band, and its carried values. */
ODE_INLINE_ void volume_points(volume_band *band, const register_stage *stage,
    const volume_place *place, const ode_offset y, const ode_offset z, volume_row *row) {
    REGISTER_UNROLL
    for (int p = 0; p < VOLUME_POINTS; p++) {
        const ode_axes at = {{place->column + p, y, z}};
        ode_real window[VOLUME_WINDOW], dot[ODE_COMPONENTS];
#define VOLUME_VALUE(dx, dy, dz, c)                 \
    window[VOLUME_WINDOW_AT(dx, dy, dz, c)] =       \
        band->row[VOLUME_R + (dz)][VOLUME_R + (dy)] \
                 [VOLUME_SIDE + (p + (dx)) * ODE_COMPONENTS + (c)];
        VOLUME_EACH_VALUE(VOLUME_VALUE)
        register_rhs(window + VOLUME_WINDOW_AT(0, 0, 0, 0), ODE_WINDOW_STRIDES_(VOLUME_SPAN),
            stage->view, stage->t, at, dot);
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++)
            row->own[p * ODE_COMPONENTS + c] = window[VOLUME_WINDOW_AT(0, 0, 0, c)];
        register_update(stage, 0, at, dot, row->own + p * ODE_COMPONENTS,
            row->carried + p * ODE_COMPONENTS, VOLUME_OWN);
    }
}

/* Compute row j of a level. newest: of a star, the row of the newest plane of the level before.
   `ends`: there may be planes at an end of the grid, or levels beyond the steps, which copy. What a
   level computes before its first plane, or after its last, is never read. */
ODE_INLINE_ void volume_level(const volume_planes *planes, const int level, const int j,
    const int slot, const int set, const int ends, const ode_offset turn, const ode_real *newest,
    volume_row *row, const volume_place *place, const register_view *view ESTIMATE_PARAMETER) {
    const int l = level - 1, number = l % STAGE_COUNT, is_last = number == STAGE_COUNT - 1;
    const register_stage stage = {VOLUME_SHAPE(number), view->factors + number * STAGE_FACTORS,
        REGISTER_TIME(view, place->first + min(l, place->levels - 1)), view};
    const ode_offset y = place->row + j, z = place->z_first + turn - level * VOLUME_LAG;
    volume_band band;
    volume_fill(&band, planes, l, j, slot, set, newest, place, view, y, z, stage.t);
#if !ODE_PERIODIC_Z_
    if (ends) volume_ghosts(&band, place, view, y, z, stage.t);
#endif
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++)
        row->carried[k] = planes->carried[l][VOLUME_PLANE(slot, 0)][j][k];
    volume_points(&band, &stage, place, y, z, row);
    if (is_last && (!ends || level <= place->levels) && z >= place->z_kept && z < place->z_end) {
        REGISTER_UNROLL
        for (int p = 0; p < VOLUME_POINTS; p++) {
            REGISTER_COMPARE((place->rows_kept >> j & 1) && place->column + p >= place->x_kept &&
                                 place->column + p < place->x_end && ESTIMATE_ROW_COUNTS(z),
                row->own + p * ODE_COMPONENTS,
                row->carried + (ESTIMATE - 1) * VOLUME_OWN + p * ODE_COMPONENTS, ODE_COMPONENTS)
        }
    }
    if (is_last && REGISTER_IS_FLUSHED(view, level / STAGE_COUNT)) {
        REGISTER_FLUSH(row->own, VOLUME_OWN)
    }
    if (ends && level > place->levels) REGISTER_UNROLL
    for (int k = 0; k < VOLUME_OWN; k++)
        row->own[k] = band.row[VOLUME_R][VOLUME_R][VOLUME_SIDE + k];
}

/* ---- a turn ---- */

/* Keep row j of a level, with which a ring of planes goes on. */
ODE_INLINE_ void volume_keep(
    volume_planes *planes, const int l, const int j, const int slot, const volume_row *row) {
    REGISTER_UNROLL
    for (int k = 0; k < VOLUME_OWN; k++) planes->at[l][slot][j][k] = row->own[k];
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++)
        planes->carried[l][slot][j][k] = row->carried[k];
}

ODE_INLINE_ void volume_take(volume_row *row, const int j, const ode_offset turn,
    const volume_place *place, const register_view *view) {
    volume_load(row->own, j, turn, place, view);
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++) row->carried[k] = 0;
}

#if REGISTER_STAR
/* All levels of row j, one after the other. */
ODE_INLINE_ void volume_turn_row(volume_planes *planes, const int j, const int slot, const int set,
    const int ends, const ode_offset turn, const volume_place *place,
    const register_view *view ESTIMATE_PARAMETER) {
    volume_row row, next;
    volume_take(&row, j, turn, place, view);
    REGISTER_UNROLL
    for (int level = 1; level <= VOLUME_LEVELS; level++) {
        volume_level(planes, level, j, slot, set, ends, turn, row.own, &next, place,
            view ESTIMATE_PASS);
        volume_keep(planes, level - 1, j, slot, &row);
        row = next;
    }
    volume_store(row.own, j, place, view, place->z_first + turn - VOLUME_LAST_LAG);
}
#define VOLUME_IS_INSIDE(j) ((j) >= VOLUME_R && (j) < VOLUME_ROWS - VOLUME_R)
#endif

/* Every level moves on by a plane. */
ODE_INLINE_ void volume_turn(volume_planes *planes, const int slot, const int set, const int ends,
    const ode_offset turn, const volume_place *place,
    const register_view *view ESTIMATE_PARAMETER) {
#if VOLUME_ASYNCHRONOUS
    VOLUME_WAIT();
    volume_ask((turn + 1) & 1, place, view, place->z_first + turn + 1);
#endif
#if REGISTER_STAR
    /* By shuffles, rows inside an item need nothing that others have put into local memory. */
    if (!REGISTER_SHUFFLE) barrier(CLK_LOCAL_MEM_FENCE);
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++)
        if (VOLUME_IS_INSIDE(j))
            volume_turn_row(planes, j, slot, set, ends, turn, place, view ESTIMATE_PASS);
    if (REGISTER_SHUFFLE) barrier(CLK_LOCAL_MEM_FENCE);
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++)
        if (!VOLUME_IS_INSIDE(j))
            volume_turn_row(planes, j, slot, set, ends, turn, place, view ESTIMATE_PASS);
#else
    /* No level reads what the one before it makes in this turn. */
    barrier(CLK_LOCAL_MEM_FENCE);
    REGISTER_UNROLL
    for (int level = VOLUME_LEVELS; level > 0; level--) REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        volume_row row;
        volume_level(
            planes, level, j, slot, set, ends, turn, 0, &row, place, view ESTIMATE_PASS);
        if (level < VOLUME_LEVELS)
            volume_keep(planes, level, j, slot, &row);
        else
            volume_store(row.own, j, place, view, place->z_first + turn - VOLUME_LAST_LAG);
    }
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        volume_row row;
        volume_take(&row, j, turn, place, view);
        volume_keep(planes, 0, j, slot, &row);
    }
#endif
    /* Of a star the next centre. */
    const int published = REGISTER_STAR ? VOLUME_PLANE(slot + 1, 0) : slot,
              lag = REGISTER_STAR ? VOLUME_R - 1 : 0;
    REGISTER_UNROLL
    for (int l = 0; l < VOLUME_LEVELS; l++)
        volume_publish(&place->memory->shared[(set + 1) % VOLUME_SETS][l],
            planes->at[l][published], place, view,
            place->z_first + turn - l * VOLUME_LAG - lag,
            REGISTER_TIME(view, place->first + min(l, place->levels - 1)));
}

/* Let the planes move on, so that the oldest ones are in slot 0. */
ODE_INLINE_ void volume_move(volume_planes *planes) {
    REGISTER_UNROLL
    for (int l = 0; l < VOLUME_LEVELS; l++) REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        REGISTER_UNROLL
        for (int k = 0; k < VOLUME_OWN; k++) {
            const ode_real newest = planes->at[l][0][j][k];
            REGISTER_UNROLL
            for (int slot = 1; slot < VOLUME_KEPT; slot++)
                planes->at[l][slot - 1][j][k] = planes->at[l][slot][j][k];
            planes->at[l][VOLUME_KEPT - 1][j][k] = newest;
        }
        REGISTER_UNROLL
        for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++) {
            const ode_real newest = planes->carried[l][0][j][k];
            REGISTER_UNROLL
            for (int slot = 1; slot < VOLUME_KEPT; slot++)
                planes->carried[l][slot - 1][j][k] = planes->carried[l][slot][j][k];
            planes->carried[l][VOLUME_KEPT - 1][j][k] = newest;
        }
    }
}

/* Turns up to `end`, `count` of them in the text. */
#define VOLUME_TURNS(end, count, ends)                                                     \
    for (; turn + (count) <= (end); turn += (count)) {                                     \
        REGISTER_UNROLL                                                                    \
        for (int slot = 0; slot < (count); slot++) {                                       \
            volume_turn(&planes, slot, set, ends, turn + slot, &place, &view ESTIMATE_PASS); \
            set = (set + 1) % VOLUME_SETS;                                                 \
        }                                                                                  \
        if ((count) < VOLUME_KEPT) volume_move(&planes);                                   \
    }

/* `steps` steps; with fewer than VOLUME_LEVELS levels all turns are like those at the ends, and the
   levels beyond copy. A work-group makes `height` planes of a tile. Neighbouring groups have
   neighbouring tiles of the same planes, so that together they walk through memory. */
__kernel __attribute__((reqd_work_group_size(VOLUME_GROUP_SIZE, 1, 1))) void register_volume(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset halo_down, const ode_offset height,
    const ode_offset first, const int steps REGISTER_FLUSH_ARGUMENT ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    __local volume_memory memory;
    const ode_offset nx = extents.of[0], ny = extents.of[1], nz = extents.of[2];
    const register_view view = {nx * ny * nz * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    const overlap_line across = {nx, VOLUME_ITEMS * VOLUME_POINTS, halo, ODE_PERIODIC_X_},
                       down = {ny, VOLUME_ITEM_ROWS * VOLUME_ROWS, halo_down, ODE_PERIODIC_Y_};
    const ode_offset columns = overlap_count(across), tiles = columns * overlap_count(down),
                     group = (ode_offset)get_group_id(0), stretch = group / tiles,
                     tile = group - stretch * tiles, tile_y = tile / columns,
                     tile_x = tile - tile_y * columns, before = (ode_offset)VOLUME_LEVELS * VOLUME_R,
                     z_kept = stretch * height;
    const int lane = (int)get_local_id(0) % VOLUME_ITEMS,
              item_row = (int)get_local_id(0) / VOLUME_ITEMS;
    volume_place place = {
        .lane = lane,
        .item_row = item_row,
        .column = overlap_start(across, tile_x) + lane * VOLUME_POINTS,
        .row = overlap_start(down, tile_y) + item_row * VOLUME_ROWS,
        .x_kept = overlap_kept(across, tile_x),
        .x_end = overlap_kept(across, tile_x + 1),
        .y_kept = overlap_kept(down, tile_y),
        .y_end = overlap_kept(down, tile_y + 1),
        .z_kept = z_kept,
        .z_end = min(nz, z_kept + height),
        .z_first = ODE_PERIODIC_Z_ ? z_kept - before : max(z_kept - before, (ode_offset)0),
        .first = first,
        .levels = steps * STAGE_COUNT,
        .in = in,
        .out = out,
        .memory = &memory,
    };
    place.is_first = place.column == 0;
    place.is_last = place.column + VOLUME_POINTS == nx;
    place.is_top = place.row == 0;
    place.is_bottom = place.row + VOLUME_ROWS == ny;
    volume_choose(&place);
    volume_planes planes;
    REGISTER_UNROLL
    for (int l = 0; l < VOLUME_LEVELS; l++) REGISTER_UNROLL
    for (int slot = 0; slot < VOLUME_KEPT; slot++) REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        REGISTER_UNROLL
        for (int k = 0; k < VOLUME_OWN; k++) planes.at[l][slot][j][k] = 0;
        REGISTER_UNROLL
        for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++)
            planes.carried[l][slot][j][k] = 0;
    }
    /* Three parts, as in register_stream.cl: a text for turns at the ends of the grid, of one turn
     * that moves the planes, and one for the others, in which no plane is moved. */
    const ode_offset turns = place.z_end - place.z_first + VOLUME_LAST_LAG;
    ode_offset upper = 0, lower = turns;
#if !ODE_PERIODIC_Z_
    if (z_kept < before) upper = min(turns, (ode_offset)(VOLUME_LAST_LAG + VOLUME_R));
    if (place.z_end + before > nz) lower = min(turns, nz - VOLUME_R + VOLUME_LAG - place.z_first);
#endif
    if (place.levels < VOLUME_LEVELS) upper = turns;
    ode_offset turn = 0;
    int set = 0;
#if VOLUME_ASYNCHRONOUS
    volume_ask(0, &place, &view, place.z_first);
#endif
    for (int part = 0; part < 3; part++) {
        if (part == 1) {
            VOLUME_TURNS(lower, VOLUME_UNROLL, 0)
        } else {
            VOLUME_TURNS(part ? turns : upper, 1, 1)
        }
    }
#if VOLUME_ASYNCHRONOUS
    VOLUME_WAIT();
#endif
    REGISTER_ESTIMATE_END(VOLUME_GROUP_SIZE)
}
