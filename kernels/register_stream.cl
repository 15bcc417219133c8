/* SPDX-License-Identifier: BSD-2-Clause */
/* register_stream.cl - several steps on the way through a 2-D grid: a work-group goes down a strip
   of the grid, row by row, and keeps of every *level* (the
   state after 1, 2, ... steps) only the few rows that the next level reads, in registers. So
   nothing is computed twice in the direction of the columns but at the ends of
   a group's stretch. From the settings:
   STREAM_POINTS, STREAM_ITEMS     columns of an item, items side by side
   STREAM_STEPS                    levels, which are the steps of a launch
   STREAM_VECTOR                   reals that one access to global memory may take: the host knows
                                   the alignment */
#define STREAM_R REGISTER_RADIUS
/* A level is so many rows behind the one before it: it reads STREAM_R rows below its own, and
 * diagonal neighbours are known a turn later. */
#define STREAM_LAG (STREAM_R + 1 - REGISTER_STAR)
#define STREAM_RING \
    (STREAM_LAG + STREAM_R + 1) /* rows of a level that are kept, the newest among them */
#define STREAM_LAST_LAG (STREAM_STEPS * STREAM_LAG)
#define STREAM_ROW \
    ((STREAM_POINTS + 2 * STREAM_R) * ODE_COMPONENTS)    /* reals of a row with its halo */
#define STREAM_OWN (STREAM_POINTS * ODE_COMPONENTS)      /* without */
#define STREAM_SIDE (STREAM_R * ODE_COMPONENTS)          /* of a halo on one side */
#define STREAM_SHARED (STREAM_R * REGISTER_SHARED_COUNT) /* what is handed over of it */
/* The rows that an update reads, one behind the other: register_rhs goes from row to row. */
#define STREAM_WINDOW ((2 * STREAM_R + 1) * STREAM_ROW)
#define STREAM_IN(window, row, k) (window)[(row)*STREAM_ROW + (k)]
#define STREAM_PREFETCH                                                                          \
    6 /* rows between what is asked for and what is computed; 5 to 8 are alike, 12 and 16 slower \
       */
#define STREAM_FIT \
    (STREAM_RING * 64) /* a multiple of the ring, to keep a remainder's operand positive */

#if ODE_DOUBLE || STREAM_SHARED % 4
#if STREAM_SHARED % 2
#define STREAM_SIDE_VECTOR 1
#else
#define STREAM_SIDE_VECTOR 2
#endif
#else
#define STREAM_SIDE_VECTOR 4
#endif
#define STREAM_SIDES (STREAM_SHARED / STREAM_SIDE_VECTOR)
typedef REGISTER_PASTE(register_, STREAM_SIDE_VECTOR) stream_side;
#define STREAM_PACK_SIDE REGISTER_PASTE(register_pack_, STREAM_SIDE_VECTOR)
#define STREAM_UNPACK_SIDE REGISTER_PASTE(register_unpack_, STREAM_SIDE_VECTOR)
typedef REGISTER_PASTE(register_, STREAM_VECTOR) stream_vector;
#define STREAM_PACK REGISTER_PASTE(register_pack_, STREAM_VECTOR)
#define STREAM_UNPACK REGISTER_PASTE(register_unpack_, STREAM_VECTOR)

/* What the items hand each other at a turn; two of them, for this turn and the one before. Place 0
 * of `right` and the last of `left` are for what stands beyond the strip. */
typedef struct {
    stream_side left[STREAM_STEPS][STREAM_SIDES][STREAM_ITEMS + 1],
        right[STREAM_STEPS][STREAM_SIDES][STREAM_ITEMS + 1];
} stream_edges;

typedef struct {
    int item;
    ode_offset column;                       /* the item's first */
    ode_offset x_kept, x_end, y_kept, y_end; /* what the group stores */
    ode_offset y_first;                      /* the row that level 0 begins with */
    ode_offset first;                        /* step of the table of times */
} stream_place;

/* The item's first point of row y, as far as the row is in the grid; else anything of it. */
ODE_INLINE ODE_STATE const ode_real *stream_address(ODE_STATE const ode_real *in,
    const register_view *view, const stream_place *place, ode_offset y) {
    const ode_offset row = REGISTER_PERIODIC ? overlap_wrap((overlap_line){view->ny, 1, 0, 1}, y)
                                             : min(y, view->ny - 1);
    const ode_offset column = REGISTER_PERIODIC
                                  ? overlap_wrap((overlap_line){view->nx, 1, 0, 1}, place->column)
                                  : place->column;
    return in + (row * view->nx + column) * ODE_COMPONENTS;
}

ODE_INLINE void stream_load(ode_real *row, ODE_STATE const ode_real *in, const register_view *view,
    const stream_place *place, ode_offset y) {
#if REGISTER_PERIODIC
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_POINTS; k++) {
        stream_place of_point = *place;
        of_point.column += k;
        ODE_STATE const ode_real *from = stream_address(in, view, &of_point, y);
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) row[k * ODE_COMPONENTS + c] = from[c];
    }
#else
    ODE_STATE const stream_vector *from =
        (ODE_STATE const stream_vector *)stream_address(in, view, place, y);
    REGISTER_UNROLL
    for (int v = 0; v < STREAM_OWN / STREAM_VECTOR; v++)
        STREAM_UNPACK(from[v], row + v * STREAM_VECTOR);
#endif
}

ODE_INLINE void stream_store(ODE_STATE ode_real *out, const ode_real *row,
    const register_view *view, const stream_place *place, ode_offset y) {
    ODE_STATE ode_real *to = out + (y * view->nx + place->column) * ODE_COMPONENTS;
    if (place->column >= place->x_kept && place->column + STREAM_POINTS <= place->x_end) {
        REGISTER_UNROLL
        for (int v = 0; v < STREAM_OWN / STREAM_VECTOR; v++)
            ((ODE_STATE stream_vector *)to)[v] = STREAM_PACK(row + v * STREAM_VECTOR);
    } else {
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_POINTS; k++)
            if (place->column + k >= place->x_kept && place->column + k < place->x_end)
                REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++)
            to[k * ODE_COMPONENTS + c] = row[k * ODE_COMPONENTS + c];
    }
}

/* The items at the grid's ends also say what stands beyond, by the boundary rule at time t. (Asked
   by columns: of `item == 0` and `item == STREAM_ITEMS - 1` the compiler knows that only one can be
   true, and makes branches instead of predicated stores, which took a third longer.) */
ODE_INLINE void stream_publish(__local stream_edges *edges, int level, const stream_place *place,
    const ode_real *row, const register_view *view, ode_real t) {
    ode_real left[STREAM_SHARED], right[STREAM_SHARED], before[STREAM_SHARED],
        behind[STREAM_SHARED];
    REGISTER_UNROLL
    for (int p = 0; p < STREAM_R; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        const int to = p * REGISTER_SHARED_COUNT + k, c = REGISTER_SHARED(k);
        const ode_real *first = row + STREAM_SIDE + c, *last = first + STREAM_OWN - ODE_COMPONENTS;
        left[to] = first[p * ODE_COMPONENTS];
        right[to] = last[(p + 1 - STREAM_R) * ODE_COMPONENTS];
#if !REGISTER_PERIODIC
#if ODE_BOUNDARY == ODE_FIXED
        before[to] = behind[to] = ode_outside_global(view->constants, t, c);
#elif ODE_BOUNDARY == ODE_CLAMP
        before[to] = first[0];
        behind[to] = last[0];
#else /* STREAM_POINTS > STREAM_R */
        before[to] = first[(STREAM_R - p) * ODE_COMPONENTS];
        behind[to] = last[-(p + 1) * ODE_COMPONENTS];
#endif
#endif
    }
    REGISTER_UNROLL
    for (int v = 0; v < STREAM_SIDES; v++) {
        edges->left[level][v][place->item] = STREAM_PACK_SIDE(left + v * STREAM_SIDE_VECTOR);
        edges->right[level][v][place->item + 1] = STREAM_PACK_SIDE(right + v * STREAM_SIDE_VECTOR);
#if !REGISTER_PERIODIC
        if (place->column == 0)
            edges->right[level][v][0] = STREAM_PACK_SIDE(before + v * STREAM_SIDE_VECTOR);
        if (place->column + STREAM_POINTS == view->nx)
            edges->left[level][v][STREAM_ITEMS] = STREAM_PACK_SIDE(behind + v * STREAM_SIDE_VECTOR);
#endif
    }
}

/* The row's halo. */
ODE_INLINE void stream_fetch(
    ode_real *row, __local const stream_edges *edges, int level, const stream_place *place) {
    ode_real before[STREAM_SHARED], behind[STREAM_SHARED];
    REGISTER_UNROLL
    for (int v = 0; v < STREAM_SIDES; v++) {
        STREAM_UNPACK_SIDE(edges->right[level][v][place->item], before + v * STREAM_SIDE_VECTOR);
        STREAM_UNPACK_SIDE(edges->left[level][v][place->item + 1], behind + v * STREAM_SIDE_VECTOR);
    }
    REGISTER_UNROLL
    for (int p = 0; p < STREAM_R; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        row[p * ODE_COMPONENTS + REGISTER_SHARED(k)] = before[p * REGISTER_SHARED_COUNT + k];
        row[STREAM_SIDE + STREAM_OWN + p * ODE_COMPONENTS + REGISTER_SHARED(k)] =
            behind[p * REGISTER_SHARED_COUNT + k];
    }
}

/* Rows beyond the grid's upper and lower end, by the boundary rule: y is the row at place `middle`
 * of the ring. In place, for nobody else reads them. */
#define STREAM_AT(ring, middle, dy) (ring)[((middle) + (dy) + STREAM_FIT) % STREAM_RING]
#if ODE_BOUNDARY == ODE_FIXED
#define STREAM_BEYOND(ring, middle, sign) ode_outside_global(view->constants, t, k % ODE_COMPONENTS)
#elif ODE_BOUNDARY == ODE_CLAMP
#define STREAM_BEYOND(ring, middle, sign) STREAM_AT(ring, middle, (sign)*from_end)[k]
#else /* -(y - d) = y + d - 2 y, where y = from_end */
#define STREAM_BEYOND(ring, middle, sign) STREAM_AT(ring, middle, (sign) * (2 * from_end - d))[k]
#endif
ODE_INLINE void stream_ends(ode_real ring[STREAM_RING][STREAM_ROW], const int middle, ode_offset y,
    const register_view *view, ode_real t) {
    REGISTER_UNROLL
    for (int from_end = 0; from_end < STREAM_R; from_end++) {
        if (y == from_end) REGISTER_UNROLL
        for (int d = from_end + 1; d <= STREAM_R; d++) REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++)
            STREAM_AT(ring, middle, -d)[k] = STREAM_BEYOND(ring, middle, -1);
        if (y == view->ny - 1 - from_end) REGISTER_UNROLL
        for (int d = from_end + 1; d <= STREAM_R; d++) REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++)
            STREAM_AT(ring, middle, d)[k] = STREAM_BEYOND(ring, middle, 1);
    }
}

/* One turn: every level moves on by a row. `u`: the turn's number modulo STREAM_RING, the place of
   the newest rows. now, before: what is handed over at this turn and was at the last. `ends`: rows
   at an end of the grid may be among them, or levels beyond `steps` that copy. What a level
   computes before its first row, or behind its last, nobody reads. */
ODE_INLINE void stream_turn(ode_real ring[STREAM_STEPS][STREAM_RING][STREAM_ROW],
    ode_real ahead[STREAM_RING][STREAM_OWN], const int u, const int ends, const ode_offset turn,
    __local stream_edges *now, __local const stream_edges *before, ODE_STATE const ode_real *in,
    ODE_STATE ode_real *out, __global const ode_real *times, const register_view *view,
    const stream_place *place, const ode_real h, const int steps) {
    ode_real *newest = ring[0][u];
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_OWN; k++) newest[STREAM_SIDE + k] = ahead[u][k];
    stream_load(ahead[u], in, view, place, place->y_first + turn + STREAM_RING);
#if REGISTER_PTX
    register_prefetch(stream_address(in, view, place, place->y_first + turn + STREAM_PREFETCH));
#endif
    stream_publish(now, 0, place, newest, view, REGISTER_TIME(place->first));
    REGISTER_UNROLL
    for (int level = 1; level <= STREAM_STEPS; level++) {
        const ode_real t = REGISTER_TIME(place->first + level - 1);
        const ode_offset y = place->y_first + turn - level * STREAM_LAG;
        const int middle = u - STREAM_LAG;
        stream_fetch(
            ring[level - 1][(u + STREAM_RING - 1) % STREAM_RING], before, level - 1, place);
#if !REGISTER_PERIODIC
        if (ends) stream_ends(ring[level - 1], middle, y, view, t);
#endif
        ode_real window[STREAM_WINDOW], dot[STREAM_OWN], row[STREAM_ROW];
        REGISTER_UNROLL
        for (int dy = -STREAM_R; dy <= STREAM_R; dy++) REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++)
            STREAM_IN(window, STREAM_R + dy, k) = STREAM_AT(ring[level - 1], middle, dy)[k];
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_POINTS; k++)
            register_rhs(&STREAM_IN(window, STREAM_R, STREAM_SIDE + k * ODE_COMPONENTS), STREAM_ROW,
                view, t, place->column + k, y, dot + k * ODE_COMPONENTS);
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_OWN; k++)
            row[STREAM_SIDE + k] =
                ODE_UPDATE(fma, h, dot[k], STREAM_IN(window, STREAM_R, STREAM_SIDE + k));
        if (ends && level > steps) REGISTER_UNROLL
        for (int k = 0; k < STREAM_OWN; k++)
            row[STREAM_SIDE + k] = STREAM_IN(window, STREAM_R, STREAM_SIDE + k);
        if (level < STREAM_STEPS) {
            REGISTER_UNROLL
            for (int k = 0; k < STREAM_OWN; k++)
                ring[level][u][STREAM_SIDE + k] = row[STREAM_SIDE + k];
            stream_publish(now, level, place, row, view, REGISTER_TIME(place->first + level));
        } else if (y >= place->y_kept && y < place->y_end)
            stream_store(out, row + STREAM_SIDE, view, place, y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#define STREAM_TURNS(end, ends)                                                                    \
    for (; turn < (end); turn += STREAM_RING) REGISTER_UNROLL                                      \
    for (int u = 0; u < STREAM_RING; u++) {                                                        \
        stream_turn(                                                                               \
            ring, ahead, u, ends, turn + u, now, before, in, out, times, &view, &place, h, steps); \
        __local stream_edges *const swap = now;                                                    \
        now = before;                                                                              \
        before = swap;                                                                             \
    }

/* `steps` steps, at most STREAM_STEPS; with fewer all turns are like those at the ends, and the
   levels beyond copy. A work-group goes down `height` rows of a strip. Neighbouring groups have
   neighbouring strips, so that together they walk through memory: with strips laid end to end and
   cut into equal parts the same kernel was 22 % slower. */
__kernel __attribute__((reqd_work_group_size(STREAM_ITEMS, 1, 1))) void register_stream(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_real *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const ode_real h, const ode_offset nx, const ode_offset ny,
    const ode_offset halo, const ode_offset height, const ode_offset first, const int steps) {
    __local stream_edges edges[2];
    const register_view view = {nx * ny * ODE_COMPONENTS, nx, ny, values.value, fields};
    const overlap_line across = {nx, STREAM_ITEMS * STREAM_POINTS, halo, REGISTER_PERIODIC};
    const ode_offset strips = overlap_count(across), band = (ode_offset)get_group_id(0) / strips,
                     strip = (ode_offset)get_group_id(0) - band * strips;
    const int item = (int)get_local_id(0);
    const ode_offset y_kept = band * height, y_end = min(ny, y_kept + height),
                     above = (ode_offset)STREAM_STEPS * STREAM_R, x0 = overlap_start(across, strip);
    const stream_place place = {item, x0 + item * STREAM_POINTS, overlap_kept(across, strip),
        overlap_kept(across, strip + 1), y_kept, y_end,
        REGISTER_PERIODIC ? y_kept - above : max(y_kept - above, (ode_offset)0), first};
    ode_real ring[STREAM_STEPS][STREAM_RING][STREAM_ROW], ahead[STREAM_RING][STREAM_OWN];
    REGISTER_UNROLL
    for (int level = 0; level < STREAM_STEPS; level++) REGISTER_UNROLL
    for (int u = 0; u < STREAM_RING; u++) REGISTER_UNROLL
    for (int k = 0; k < STREAM_ROW; k++) ring[level][u][k] = 0;
    REGISTER_UNROLL
    for (int u = 0; u < STREAM_RING; u++)
        stream_load(ahead[u], in, &view, &place, place.y_first + u);
    __local stream_edges *now = edges, *before = edges + 1;
    const ode_offset turns = y_end - place.y_first + STREAM_LAST_LAG;
    /* Two texts for a turn, and the one for the grid's ends only where they are: a launch has to
       fetch it anew, while the other one fits the cache for instructions. Tests within a single
       text cost more than that. */
    ode_offset upper = 0, lower = turns;
#if !REGISTER_PERIODIC
    const ode_offset many = STREAM_LAST_LAG + STREAM_R + 1;
    if (y_kept <= above) upper = many;
    if (y_end + above + STREAM_R > ny) lower = turns - many - STREAM_RING + 2;
#endif
    if (steps < STREAM_STEPS) upper = turns;
    /* A loop each, with conditions that are uniform over the work-group, as barriers demand. (As
       one loop with a choice inside, PoCL 3.1 leaves out stores: the compiler makes one of the
       barriers at the ends of its branches.) */
    ode_offset turn = 0;
    for (int part = 0; part < 3; part++) {
        if (part == 1) {
            STREAM_TURNS(lower, 0)
        } else {
            STREAM_TURNS(part ? turns : min(upper, turns), 1)
        }
    }
}
