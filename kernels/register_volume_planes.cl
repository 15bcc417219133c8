/* SPDX-License-Identifier: BSD-2-Clause */
/* register_volume_planes.cl - the planes of register_volume.cl, which explains the settings: where
   they are, how they come from global memory and go, and what of them neighbours read. */
#define VOLUME_R REGISTER_RADIUS
#define VOLUME_SPAN (2 * VOLUME_R + 1)
/* How many planes a level is behind the one before it. A star reads no neighbours in its newest
 * plane; the neighbours of others are known a turn later. */
#define VOLUME_LAG (VOLUME_R + 1 - REGISTER_STAR)
/* Planes of a level that are kept. Of a star the newest one, of which every point is read once, is
 * not among them before the turn's end. */
#define VOLUME_KEPT (VOLUME_R + VOLUME_LAG)
#define VOLUME_LAST_LAG (VOLUME_LEVELS * VOLUME_LAG)
#define VOLUME_OWN (VOLUME_POINTS * ODE_COMPONENTS) /* reals of an item's row */
#define VOLUME_SIDE (VOLUME_R * ODE_COMPONENTS)     /* reals of a halo on one side of it */
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
#define VOLUME_STORED (REGISTER_SHUFFLE && 2 * VOLUME_R < VOLUME_ROWS ? 2 * VOLUME_R : VOLUME_ROWS)
/* Row j of an item, which may be above its first or below its last one, counted in local memory
 * from the ghosts above the tile on. */
#define VOLUME_ROW_AT(place, j)                     \
    (VOLUME_R + (place)->item_row * VOLUME_STORED + \
        ((j) < VOLUME_R ? (j) : (j)-VOLUME_ROWS + VOLUME_STORED))
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
#define VOLUME_REAL(shared, at, block, k) \
    (((__local ode_real *)&(shared)       \
            ->row[at][(k) / VOLUME_LOCAL_VECTOR][block])[(k) % VOLUME_LOCAL_VECTOR])

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
    uint columns_kept, rows_kept; /* bits: its vectors, its rows, that the group stores */
    ode_offset x_kept, x_end, y_kept, y_end, z_kept, z_end; /* the points that the group stores */
    ode_offset z_first;                                     /* the plane that level 0 begins with */
    ode_offset first; /* the first level's place in the table of times */
    int levels;       /* of the launch; those beyond them copy */
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
                     plane = ODE_PERIODIC_Z_ ? REGISTER_ROUND(1, z, nz)
                                             : clamp(z, (ode_offset)0, nz - 1),
                     y = REGISTER_ROUND(ODE_PERIODIC_Y_, place->row + j, ny);
    const ode_offset at = REGISTER_ROUND(
        ODE_PERIODIC_X_, place->column * ODE_COMPONENTS + v * VOLUME_VECTOR, nx * ODE_COMPONENTS);
    return (
        ODE_STATE const volume_vector *)(place->in + (plane * ny + y) * nx * ODE_COMPONENTS + at);
}

#if VOLUME_ASYNCHRONOUS
/* Ask for plane z; and wait for the plane that was asked for. */
ODE_INLINE_ void volume_ask(
    const int slot, const volume_place *place, const register_view *view, const ode_offset z) {
    const int item = place->item_row * VOLUME_ITEMS + place->lane;
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) REGISTER_UNROLL
    for (int v = 0; v < VOLUME_LOADS; v++) {
        const int k = v * VOLUME_VECTOR;
        __local ode_real *const to =
            (__local ode_real *)&place->memory->asked[slot][j][k / VOLUME_LOCAL_VECTOR][item] +
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
    for (int v = 0; v < VOLUME_VECTORS; v++) REGISTER_PASTE(register_unpack_, VOLUME_LOCAL_VECTOR)
    (place->memory->asked[turn & 1][j][v][item], row + v * VOLUME_LOCAL_VECTOR);
#else
    REGISTER_UNROLL
    for (int v = 0; v < VOLUME_LOADS; v++)
        VOLUME_UNPACK(
            *volume_address(j, v, place, view, place->z_first + turn), row + v * VOLUME_VECTOR);
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
    if (z < place->z_kept) return; /* the last turn makes the last plane */
    ODE_STATE volume_vector *const to =
        (ODE_STATE volume_vector *)(place->out + ((z * view->extents.of[1] + place->row + j) *
                                                         view->extents.of[0] +
                                                     place->column) *
                                                     ODE_COMPONENTS);
    const uint kept = place->rows_kept >> j & 1 ? place->columns_kept : 0;
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
            volume_row_ghosts(
                plane[j], rows[j], rows[j] + VOLUME_SIDE + VOLUME_OWN, view, place->row + j, z, t);
        if (VOLUME_IS_STORED(j))
            volume_put(shared, VOLUME_ROW_AT(place, j), VOLUME_HAS_SIDES, rows[j], place);
    }
#if !ODE_PERIODIC_Y_
    const int has_corners = REGISTER_STAR ? 0 : VOLUME_HAS_SIDES,
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
        if (place->is_top) volume_put(shared, VOLUME_ROW_AT(place, -d), has_corners, top, place);
        if (place->is_bottom)
            volume_put(
                shared, VOLUME_ROW_AT(place, VOLUME_ROWS - 1 + d), has_corners, bottom, place);
    }
#endif
#undef TOP_IN
#undef BOTTOM_IN
}
