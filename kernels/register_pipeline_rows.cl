/* SPDX-License-Identifier: BSD-2-Clause */
/* register_pipeline_rows.cl - the rows of register_pipeline.cl, which explains the settings: where
   they are, how they come from global memory and go, and what stands beside an item's columns. */
#define PIPE_R REGISTER_RADIUS
/* As in register_stream.cl: rows by which a level is behind the one before it. */
#define PIPE_LAG (PIPE_R + 1 - REGISTER_STAR)
/* Rows that a level keeps from turn to turn. Without diagonal neighbours, the row that is new in a
   turn is the last one that the level reads in this turn. */
#define PIPE_KEPT (PIPE_R + PIPE_LAG)
#define PIPE_SPAN (2 * PIPE_R + 1)
#define PIPE_OWN (PIPE_POINTS * ODE_COMPONENTS) /* reals of an item's row */
#define PIPE_ROW (PIPE_ITEMS * PIPE_OWN)        /* reals of a row of the strip */
#define PIPE_GROUP_SIZE (PIPE_ITEMS * PIPE_WARPS)
#define PIPE_TOTAL (PIPE_WARPS * PIPE_LEVELS)
#define PIPE_ABOVE ((ode_offset)PIPE_TOTAL * PIPE_R) /* rows before the first that is kept */
/* Rows by which a warp is behind the one before it, and turns between the coming of a row and its
 * going: a row that a warp has written is read in the next turn. */
#define PIPE_STRIDE (PIPE_LEVELS * PIPE_LAG + 1)
#define PIPE_DELAY (PIPE_WARPS * PIPE_STRIDE)
/* A slot of the ring goes from hand to hand: it is filled PIPE_AHEAD turns early, each warp reads a
   row and writes another in its place, a turn after the warp before, and then it is stored. */
#define PIPE_SLOTS (PIPE_AHEAD + PIPE_WARPS + 1)
/* Carried values travel with a row, where a warp ends between two stages or the launch begins or
 * ends there. */
#define PIPE_CARRIES ((PIPE_LEVELS % STAGE_COUNT != 0 || STAGE_IS_SECTION) && STAGE_ARRAYS > 1)
#define PIPE_ARRAYS (PIPE_CARRIES ? STAGE_ARRAYS : 1)
#define PIPE_SLOT (PIPE_ARRAYS * PIPE_ROW)
/* Columns that are computed together, one level after the other: all of a vector. */
#define PIPE_COLUMNS                                      \
    (ODE_COMPONENTS % PIPE_LOCAL_VECTOR == 0          ? 1 \
        : ODE_COMPONENTS * 2 % PIPE_LOCAL_VECTOR == 0 ? 2 \
                                                      : 4)
#define PIPE_GROUPS (PIPE_POINTS / PIPE_COLUMNS)
#define PIPE_PART (PIPE_COLUMNS * ODE_COMPONENTS)
/* The rows of a level whose edges neighbours read in a turn, the number of those, and an edge. */
#define PIPE_FIRST_SIDE (REGISTER_STAR ? PIPE_R : 0)
#define PIPE_SIDES (REGISTER_STAR ? 1 : PIPE_SPAN)
#define PIPE_EDGE (PIPE_R * REGISTER_SHARED_COUNT)
/* Rows come by NVIDIA's asynchronous copies: they take no registers, and nobody waits for them. */
#define PIPE_ASYNCHRONOUS (REGISTER_PTX && !ODE_UNCACHED)
#define PIPE_BYTES (PIPE_VECTOR * (ODE_DOUBLE ? 8 : 4))
/* The copies that an item makes of a row. */
#define PIPE_COPIES ((PIPE_ROW / PIPE_VECTOR + PIPE_GROUP_SIZE - 1) / PIPE_GROUP_SIZE)

typedef REGISTER_VECTOR(PIPE_VECTOR) pipe_vector;
#define PIPE_PACK_VECTOR REGISTER_PASTE(register_pack_, PIPE_VECTOR)
typedef REGISTER_VECTOR(PIPE_LOCAL_VECTOR) pipe_local_vector;
#define PIPE_PACK REGISTER_PASTE(register_pack_, PIPE_LOCAL_VECTOR)
#define PIPE_UNPACK REGISTER_PASTE(register_unpack_, PIPE_LOCAL_VECTOR)

/* Local memory: the ring of rows; where there are no shuffles, also the edges of all items. They
 * are handed over a turn before they are read, so that the barrier between two turns is enough. */
#if !REGISTER_SHUFFLE
typedef struct {
    ode_real left[PIPE_LEVELS][PIPE_SIDES][PIPE_EDGE][PIPE_GROUP_SIZE],
        right[PIPE_LEVELS][PIPE_SIDES][PIPE_EDGE][PIPE_GROUP_SIZE];
} pipe_edges;
#endif
typedef struct {
    ode_real ring[PIPE_SLOTS * PIPE_SLOT];
#if !REGISTER_SHUFFLE
    pipe_edges edges[2];
#endif
} pipe_memory;

#if STAGE_IS_SECTION
/* Sets of carried values, with bit 0 for the first one: those that come from memory, those that go
   there, and those that are the solution before the first stage, where the others are -0.
   struct pipe_section in registers.c is the same. */
typedef struct {
    int enters, leaves, begins_as_solution;
} pipe_section;
#endif

/* The item, and its work-group's part of the grid. */
typedef struct {
    /* number of the item in the group and in the warp; number of the warp */
    int number, lane, warp;
    /* it holds the first, or the last column of the grid */
    int is_first, is_last;
    ode_offset x0, column;                   /* the strip's first, and the item's */
    ode_offset x_kept, x_end, y_kept, y_end; /* the points that the group stores */
    ode_offset y_first;                      /* the row that level 0 begins with */
    ode_offset first;                        /* the first level's place in the table of times */
    int levels;                              /* levels of the launch; the levels beyond them copy */
    ode_offset from[PIPE_COPIES];            /* where in a row of the grid the copies are */
    ODE_STATE const ode_real *in;
    ODE_STATE ode_real *out;
#if STAGE_IS_SECTION
    ODE_STATE const ode_real *carried_in;
    ODE_STATE ode_real *carried_out;
    pipe_section section;
#endif
    __local pipe_memory *memory;
} pipe_place;

/* The registers of an item: the rows of its levels and their carried values, the values that are
 * new in a turn, and the columns beside the rows. `next` and `handed` have the results of the last
 * level, too. */
typedef struct {
    ode_real rows[PIPE_LEVELS][PIPE_KEPT][PIPE_OWN], next[PIPE_LEVELS + 1][PIPE_OWN];
    ode_real carried[PIPE_LEVELS][PIPE_LAG][REGISTER_CARRIED(PIPE_OWN)],
        handed[PIPE_LEVELS + 1][REGISTER_CARRIED(PIPE_OWN)];
    ode_real left[PIPE_LEVELS][PIPE_SIDES][PIPE_R * ODE_COMPONENTS],
        right[PIPE_LEVELS][PIPE_SIDES][PIPE_R * ODE_COMPONENTS];
} pipe_rows;

/* The places in the ring of the row that is asked for, of the warp's and of the one that is stored
 * in this turn. */
typedef struct {
    int in, own, out;
} pipe_slots;
#define PIPE_NEXT_SLOT(slot) slot = slot == PIPE_SLOTS - 1 ? 0 : slot + 1;

/* ---- rows come and go ---- */

ODE_INLINE_ void pipe_copy(__local ode_real *to, ODE_STATE const ode_real *from) {
#if !PIPE_ASYNCHRONOUS
    *(__local pipe_vector *)to = *(ODE_STATE const pipe_vector *)from;
#elif PIPE_BYTES == 16
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint)(size_t)to), "l"(from)
                 : "memory");
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((uint)(size_t)to), "l"(from),
                 "n"(PIPE_BYTES)
                 : "memory");
#endif
}

/* Copy number k of an item; -> whether there is one. */
#define PIPE_COPY(place, k) ((place)->number + (k)*PIPE_GROUP_SIZE)
#define PIPE_HAS_COPY(place, k)                               \
    (((k) + 1) * PIPE_GROUP_SIZE <= PIPE_ROW / PIPE_VECTOR || \
        PIPE_COPY(place, k) < PIPE_ROW / PIPE_VECTOR)

#if STAGE_IS_SECTION
/* Ask for the carried values of copy number k of a row that begins at real `at` of the grid: the
 * same reals of each, or its value before the first stage. */
ODE_INLINE_ void pipe_ask_carried(__local ode_real *slot, const int k, size_t at,
    const pipe_place *place, const register_view *view) {
    REGISTER_UNROLL
    for (int a = 0; a < STAGE_ARRAYS - 1; a++) {
        __local ode_real *to = slot + (a + 1) * PIPE_ROW + PIPE_COPY(place, k) * PIPE_VECTOR;
        const ode_real zeros[4] = {-(ode_real)0, -(ode_real)0, -(ode_real)0, -(ode_real)0};
        const int enters = PIPE_IS_MIDDLE || (place->section.enters >> a & 1);
        ODE_STATE const ode_real *const from =
            enters ? REGISTER_CARRIED_ARRAY(place->carried_in, view, a) : place->in;
        if (enters || (place->section.begins_as_solution >> a & 1))
            pipe_copy(to, from + at + (size_t)place->from[k]);
        else
            *(__local pipe_vector *)to = PIPE_PACK_VECTOR(zeros);
    }
}
#endif

/* Ask for row y, which arrives PIPE_AHEAD turns later. For a row beyond the grid another one in it
 * is read. */
ODE_INLINE_ void pipe_ask(
    const int slot, ode_offset y, const pipe_place *place, const register_view *view) {
    const ode_offset row = ODE_PERIODIC_Y_
                               ? overlap_wrap((overlap_line){view->extents.of[1], 1, 0, 1}, y)
                               : min(y, view->extents.of[1] - 1);
    ODE_STATE const ode_real *from = place->in + row * view->extents.of[0] * ODE_COMPONENTS;
    REGISTER_UNROLL
    for (int k = 0; k < PIPE_COPIES; k++)
        if (PIPE_HAS_COPY(place, k)) {
            __local ode_real *const to = place->memory->ring + slot * PIPE_SLOT;
            pipe_copy(to + PIPE_COPY(place, k) * PIPE_VECTOR, from + place->from[k]);
#if STAGE_IS_SECTION
            pipe_ask_carried(
                to, k, (size_t)row * (size_t)view->extents.of[0] * ODE_COMPONENTS, place, view);
#endif
        }
#if PIPE_ASYNCHRONOUS
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Store row y, as far as it is the group's. */
ODE_INLINE_ void pipe_store(
    const int slot, ode_offset y, const pipe_place *place, const register_view *view) {
    if (y < place->y_kept || y >= place->y_end) return;
    ODE_STATE ode_real *to = place->out + (y * view->extents.of[0] + place->x0) * ODE_COMPONENTS;
    const int begin = (int)(place->x_kept - place->x0) * ODE_COMPONENTS / PIPE_VECTOR,
              end = (int)(place->x_end - place->x0) * ODE_COMPONENTS / PIPE_VECTOR;
    REGISTER_UNROLL
    for (int k = 0; k < PIPE_COPIES; k++) {
        const int v = PIPE_COPY(place, k);
        if (PIPE_HAS_COPY(place, k) && v >= begin && v < end) {
            __local const ode_real *const from = place->memory->ring + slot * PIPE_SLOT;
            ((ODE_STATE pipe_vector *)to)[v] = ((__local const pipe_vector *)from)[v];
#if STAGE_IS_SECTION
            REGISTER_UNROLL
            for (int a = 0; a < STAGE_ARRAYS - 1; a++) {
                if (!PIPE_IS_MIDDLE && !(place->section.leaves >> a & 1)) continue;
                ODE_STATE ode_real *const array =
                    REGISTER_CARRIED_ARRAY(place->carried_out, view, a) + (to - place->out);
                ((ODE_STATE pipe_vector *)array)[v] =
                    ((__local const pipe_vector *)(from + (a + 1) * PIPE_ROW))[v];
            }
#endif
        }
    }
}

/* A group of columns from the item's part of a row in the ring, and back. */
ODE_INLINE_ void pipe_take(ode_real *to, __local const ode_real *from) {
    REGISTER_UNROLL
    for (int v = 0; v < PIPE_PART / PIPE_LOCAL_VECTOR; v++)
        PIPE_UNPACK(((__local const pipe_local_vector *)from)[v], to + v * PIPE_LOCAL_VECTOR);
}
ODE_INLINE_ void pipe_put(__local ode_real *to, const ode_real *from) {
    REGISTER_UNROLL
    for (int v = 0; v < PIPE_PART / PIPE_LOCAL_VECTOR; v++)
        ((__local pipe_local_vector *)to)[v] = PIPE_PACK(from + v * PIPE_LOCAL_VECTOR);
}

/* ---- the columns beside an item's ---- */

/* The real that an item hands over: of the column p from its left or right end, of shared component
 * k. */
#define PIPE_LEFT_END(row, p, k) (row)[(p)*ODE_COMPONENTS + REGISTER_SHARED(k)]
#define PIPE_RIGHT_END(row, p, k) \
    (row)[(PIPE_POINTS - PIPE_R + (p)) * ODE_COMPONENTS + REGISTER_SHARED(k)]

#if !REGISTER_SHUFFLE
/* Publish the edges for the next turn. */
ODE_INLINE_ void pipe_publish(
    __local pipe_edges *edges, const pipe_rows *rows, const pipe_place *place) {
    REGISTER_UNROLL
    for (int l = 0; l < PIPE_LEVELS; l++) REGISTER_UNROLL
    for (int s = 0; s < PIPE_SIDES; s++) REGISTER_UNROLL
    for (int e = 0; e < PIPE_EDGE; e++) {
        const ode_real *row = rows->rows[l][PIPE_FIRST_SIDE + s];
        const int p = e / REGISTER_SHARED_COUNT, k = e % REGISTER_SHARED_COUNT;
        edges->left[l][s][e][place->number] = PIPE_LEFT_END(row, p, k);
        edges->right[l][s][e][place->number] = PIPE_RIGHT_END(row, p, k);
    }
}
#endif

/* Fetch the columns beside row s of a level; at the ends of the grid the boundary rule gives their
 * values. The rows have been there since the turn before. y: the row that the level computes. */
ODE_INLINE_ void pipe_fetch_side(pipe_rows *rows, const int l, const int s, const ode_offset turn,
    const ode_offset y, const ode_instant t, const pipe_place *place, const register_view *view) {
#define LEFT_IN(n) row[(n)*ODE_COMPONENTS + c]
#define RIGHT_IN(n) last[-(n)*ODE_COMPONENTS]
    const ode_real *row = rows->rows[l][PIPE_FIRST_SIDE + s];
    REGISTER_UNROLL
    for (int e = 0; e < PIPE_EDGE; e++) {
        const int p = e / REGISTER_SHARED_COUNT, k = e % REGISTER_SHARED_COUNT,
                  c = REGISTER_SHARED(k), to = p * ODE_COMPONENTS + c;
#if REGISTER_SHUFFLE
        ode_real before = register_from_left(PIPE_RIGHT_END(row, p, k)),
                 behind = register_from_right(PIPE_LEFT_END(row, p, k));
#else
        __local const pipe_edges *edges = &place->memory->edges[turn & 1];
        const int left = place->lane ? -1 : 0, right = place->lane < PIPE_ITEMS - 1;
        ode_real before = edges->right[l][s][e][place->number + left],
                 behind = edges->left[l][s][e][place->number + right];
#endif
#if !ODE_PERIODIC_X_ /* PIPE_POINTS > PIPE_R where the boundary mirrors */
        const ode_real *last = row + PIPE_OWN - ODE_COMPONENTS + c;
        if (place->is_first) {
            REGISTER_GHOST(
                low, X_LOW, PIPE_R - p, LEFT_IN, view, t, c, 0, y + PIPE_FIRST_SIDE + s - PIPE_R)
            before = low;
        }
        if (place->is_last) {
            REGISTER_GHOST(
                high, X_HIGH, p + 1, RIGHT_IN, view, t, c, 0, y + PIPE_FIRST_SIDE + s - PIPE_R)
            behind = high;
        }
#endif
        rows->left[l][s][to] = before;
        rows->right[l][s][to] = behind;
    }
#undef LEFT_IN
#undef RIGHT_IN
}
