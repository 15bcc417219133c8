/* SPDX-License-Identifier: BSD-2-Clause */
/* register_stream.cl - several steps on the way through a 2-D grid. A work-group goes down a strip
   of the grid, row by row. It keeps only the few rows of every level (the state after 1, 2, ...
   steps) that the next level reads, in registers. So nothing is computed twice in the direction of
   the columns, except at the ends of a group's part of the strip. From the settings:
   STREAM_POINTS, STREAM_ITEMS     columns of an item, items side by side
   STREAM_LEVELS                   levels of a launch, of whole steps
   STREAM_EACH(LEVEL)              LEVEL(level, shape, number) for each: its stage in the step
   STREAM_SIDE_VECTOR              width of an edge's vectors
   STREAM_VECTOR                   reals that one access to global memory may take: the host knows
                                   the alignment
   STREAM_UNROLL                   turns in the text: STREAM_RING, or 1 */
#define STREAM_R REGISTER_RADIUS
/* How many rows a level is behind the one before it: it reads STREAM_R rows below its own, and
 * diagonal neighbours are known a turn later. */
#define STREAM_LAG (STREAM_R + 1 - REGISTER_STAR)
/* Rows of a level that are kept, the newest among them. */
#define STREAM_RING (STREAM_LAG + STREAM_R + 1)
#define STREAM_LAST_LAG (STREAM_LEVELS * STREAM_LAG)
#define STREAM_ROW \
    ((STREAM_POINTS + 2 * STREAM_R) * ODE_COMPONENTS)  /* reals of a row with its halo */
#define STREAM_OWN (STREAM_POINTS * ODE_COMPONENTS)    /* without */
#define STREAM_SIDE (STREAM_R * ODE_COMPONENTS)        /* reals of a halo on one side */
#define STREAM_EDGE (STREAM_R * REGISTER_SHARED_COUNT) /* reals of an edge */
/* The rows that an update reads, one behind the other: register_rhs goes from row to row. */
#define STREAM_WINDOW ((2 * STREAM_R + 1) * STREAM_ROW)
#define STREAM_IN(window, row, k) (window)[(row)*STREAM_ROW + (k)]
/* Rows between the one that is prefetched and the one that is computed; 5 to 8 are alike, 12 and 16
 * slower. */
#define STREAM_PREFETCH 6
/* A multiple of the ring, which keeps the operand of a remainder positive. */
#define STREAM_FIT (STREAM_RING * 64)

typedef REGISTER_VECTOR(STREAM_VECTOR) stream_vector;
#define STREAM_PACK REGISTER_PASTE(register_pack_, STREAM_VECTOR)
#define STREAM_UNPACK REGISTER_PASTE(register_unpack_, STREAM_VECTOR)

/* The edges of all items at one turn, per level. Place 0 of `right` and the last of `left` are for
 * the ghosts beyond the strip. */
#define STREAM_SIDES (STREAM_EDGE / STREAM_SIDE_VECTOR)
typedef REGISTER_VECTOR(STREAM_SIDE_VECTOR) stream_side;
typedef struct {
    stream_side left[STREAM_LEVELS][STREAM_SIDES][STREAM_ITEMS + 1],
        right[STREAM_LEVELS][STREAM_SIDES][STREAM_ITEMS + 1];
} stream_edges;

/* The item, and its work-group's part of the grid. */
typedef struct {
    int item;
    ode_offset column;                       /* the item's first */
    ode_offset x_kept, x_end, y_kept, y_end; /* the points that the group stores */
    ode_offset y_first;                      /* the row that level 0 begins with */
    ode_offset first;                        /* the first level's place in the table of times */
    int levels;                              /* levels of the launch; the levels beyond them copy */
    ODE_STATE const ode_real *in;
    ODE_STATE ode_real *out;
} stream_place;

/* The point at `column` of row y. A row or column beyond the grid is replaced by one in it. */
ODE_INLINE_ ODE_STATE const ode_real *stream_address(
    const stream_place *place, const register_view *view, ode_offset column, ode_offset y) {
    const ode_offset row = ODE_PERIODIC_Y_
                               ? overlap_wrap((overlap_line){view->extents.of[1], 1, 0, 1}, y)
                               : min(y, view->extents.of[1] - 1);
    const ode_offset inside =
        ODE_PERIODIC_X_ ? overlap_wrap((overlap_line){view->extents.of[0], 1, 0, 1}, column)
                        : column;
    return place->in + (row * view->extents.of[0] + inside) * ODE_COMPONENTS;
}

ODE_INLINE_ void stream_load(
    ode_real *row, const stream_place *place, const register_view *view, ode_offset y) {
#if ODE_PERIODIC_X_
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_POINTS; k++) {
        ODE_STATE const ode_real *from = stream_address(place, view, place->column + k, y);
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++) row[k * ODE_COMPONENTS + c] = from[c];
    }
#else
    ODE_STATE const stream_vector *from =
        (ODE_STATE const stream_vector *)stream_address(place, view, place->column, y);
    REGISTER_UNROLL
    for (int v = 0; v < STREAM_OWN / STREAM_VECTOR; v++)
        STREAM_UNPACK(from[v], row + v * STREAM_VECTOR);
#endif
}

ODE_INLINE_ void stream_store(
    const ode_real *row, const stream_place *place, const register_view *view, ode_offset y) {
    ODE_STATE ode_real *to =
        place->out + (y * view->extents.of[0] + place->column) * ODE_COMPONENTS;
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

/* The items at the grid's ends also publish ghosts, of row y for time t. They are found by their
   columns. The compiler knows that only one of `item == 0` and `item == STREAM_ITEMS - 1` can be
   true, and would make branches instead of predicated stores, which is slower. */
ODE_INLINE_ void stream_publish(__local stream_edges *edges, int level, const ode_real *row,
    const stream_place *place, const register_view *view, const ode_offset y, ode_instant t) {
#define LEFT_IN(k) first[(k)*ODE_COMPONENTS]
#define RIGHT_IN(k) last[-(k)*ODE_COMPONENTS]
    ode_real left[STREAM_EDGE], right[STREAM_EDGE], before[STREAM_EDGE], behind[STREAM_EDGE];
    REGISTER_UNROLL
    for (int p = 0; p < STREAM_R; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        const int to = p * REGISTER_SHARED_COUNT + k, c = REGISTER_SHARED(k);
        const ode_real *first = row + STREAM_SIDE + c, *last = first + STREAM_OWN - ODE_COMPONENTS;
        left[to] = first[p * ODE_COMPONENTS];
        right[to] = last[(p + 1 - STREAM_R) * ODE_COMPONENTS];
#if !ODE_PERIODIC_X_ /* STREAM_POINTS > STREAM_R where the boundary mirrors */
        REGISTER_GHOST(low, X_LOW, STREAM_R - p, LEFT_IN, view, t, c, 0, y)
        REGISTER_GHOST(high, X_HIGH, p + 1, RIGHT_IN, view, t, c, 0, y)
        before[to] = low;
        behind[to] = high;
#endif
    }
#undef LEFT_IN
#undef RIGHT_IN
    REGISTER_PUBLISH(STREAM_SIDE_VECTOR, STREAM_EDGE, left, edges->left[level], place->item);
    REGISTER_PUBLISH(STREAM_SIDE_VECTOR, STREAM_EDGE, right, edges->right[level], place->item + 1);
#if !ODE_PERIODIC_X_
    if (place->column == 0)
        REGISTER_PUBLISH(STREAM_SIDE_VECTOR, STREAM_EDGE, before, edges->right[level], 0);
    if (place->column + STREAM_POINTS == view->extents.of[0])
        REGISTER_PUBLISH(STREAM_SIDE_VECTOR, STREAM_EDGE, behind, edges->left[level], STREAM_ITEMS);
#endif
}

/* Fetch the row's halo. */
ODE_INLINE_ void stream_fetch(
    ode_real *row, __local const stream_edges *edges, int level, const stream_place *place) {
    ode_real before[STREAM_EDGE], behind[STREAM_EDGE];
    REGISTER_FETCH(STREAM_SIDE_VECTOR, STREAM_EDGE, before, edges->right[level], place->item);
    REGISTER_FETCH(STREAM_SIDE_VECTOR, STREAM_EDGE, behind, edges->left[level], place->item + 1);
    REGISTER_UNROLL
    for (int p = 0; p < STREAM_R; p++) REGISTER_UNROLL
    for (int k = 0; k < REGISTER_SHARED_COUNT; k++) {
        row[p * ODE_COMPONENTS + REGISTER_SHARED(k)] = before[p * REGISTER_SHARED_COUNT + k];
        row[STREAM_SIDE + STREAM_OWN + p * ODE_COMPONENTS + REGISTER_SHARED(k)] =
            behind[p * REGISTER_SHARED_COUNT + k];
    }
}

/* Set the ghosts in the rows beyond the grid's upper and lower end; y is the row at place `middle`
 * of the ring. They are set in place, because no other item reads these rows. The end is from_end
 * rows from `middle`, and the ghosts are d rows from it, which is d - from_end rows beyond the
 * end. */
#define STREAM_AT(ring, middle, dy) (ring)[((middle) + (dy) + STREAM_FIT) % STREAM_RING]
ODE_INLINE_ void stream_ghosts(ode_real ring[STREAM_RING][STREAM_ROW], const int middle,
    ode_offset y, const stream_place *place, const register_view *view, ode_instant t) {
#define TOP_IN(n) STREAM_AT(ring, middle, (n)-from_end)[k]
#define BOTTOM_IN(n) STREAM_AT(ring, middle, from_end - (n))[k]
    REGISTER_UNROLL
    for (int from_end = 0; from_end < STREAM_R; from_end++) {
        if (y == from_end) REGISTER_UNROLL
        for (int d = from_end + 1; d <= STREAM_R; d++) REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++) {
            REGISTER_GHOST(low, Y_LOW, d - from_end, TOP_IN, view, t, k % ODE_COMPONENTS,
                place->column + k / ODE_COMPONENTS - STREAM_R, 0)
            STREAM_AT(ring, middle, -d)[k] = low;
        }
        if (y == view->extents.of[1] - 1 - from_end) REGISTER_UNROLL
        for (int d = from_end + 1; d <= STREAM_R; d++) REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++) {
            REGISTER_GHOST(high, Y_HIGH, d - from_end, BOTTOM_IN, view, t, k % ODE_COMPONENTS,
                place->column + k / ODE_COMPONENTS - STREAM_R, 0)
            STREAM_AT(ring, middle, d)[k] = high;
        }
    }
#undef TOP_IN
#undef BOTTOM_IN
}

/* The rows of all levels, and the carried values of the same rows; rows that are on their way. */
typedef struct {
    ode_real ring[STREAM_LEVELS][STREAM_RING][STREAM_ROW];
    ode_real carried[STREAM_LEVELS][STREAM_RING][REGISTER_CARRIED(STREAM_OWN)];
    ode_real ahead[STREAM_RING][STREAM_OWN];
} stream_rows;

/* A level moves on by a row. `slot`, the turn's number modulo STREAM_RING, is the place of the
   newest rows in the rings. now, before: the edges of this turn and of the last one. `ends`: there
   may be rows at an end of the grid, or levels beyond the steps, which copy. The values that a
   level computes before its first row, or after its last, are never read. */
ODE_INLINE_ void stream_level(stream_rows *rows, const int level, const register_stage *stage,
    const ode_instant next_t, const int is_last, const int is_flushed, const int slot,
    const int ends, const ode_offset turn, __local stream_edges *now,
    __local const stream_edges *before, const stream_place *place,
    const register_view *view ESTIMATE_PARAMETER) {
    const ode_offset y = place->y_first + turn - level * STREAM_LAG;
    const int middle = slot - STREAM_LAG;
    stream_fetch(
        rows->ring[level - 1][(slot + STREAM_RING - 1) % STREAM_RING], before, level - 1, place);
#if !ODE_PERIODIC_Y_
    if (ends) stream_ghosts(rows->ring[level - 1], middle, y, place, view, stage->t);
#endif
    ode_real window[STREAM_WINDOW], dot[STREAM_OWN], row[STREAM_ROW];
    REGISTER_UNROLL
    for (int dy = -STREAM_R; dy <= STREAM_R; dy++) REGISTER_UNROLL
    for (int k = 0; k < STREAM_ROW; k++)
        STREAM_IN(window, STREAM_R + dy, k) = STREAM_AT(rows->ring[level - 1], middle, dy)[k];
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_POINTS; k++) {
        const ode_axes at = {{place->column + k, y, 0}};
        register_rhs(&STREAM_IN(window, STREAM_R, STREAM_SIDE + k * ODE_COMPONENTS),
            ODE_WINDOW_STRIDES_(STREAM_POINTS + 2 * STREAM_R), view, stage->t, at,
            dot + k * ODE_COMPONENTS);
    }
    ode_real *const carried = STREAM_AT(rows->carried[level - 1], middle, 0);
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_OWN; k += ODE_COMPONENTS) {
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++)
            row[STREAM_SIDE + k + c] = STREAM_IN(window, STREAM_R, STREAM_SIDE + k + c);
        const ode_axes at = {{place->column + k / ODE_COMPONENTS, y, 0}};
        register_update(stage, 0, REGISTER_IS_STILL(view, at), dot + k, &row[STREAM_SIDE + k],
            carried + k, STREAM_OWN);
    }
    if (is_last && (!ends || level <= place->levels) && y >= place->y_kept && y < place->y_end) {
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_POINTS; k++) {
            REGISTER_COMPARE(place->column + k >= place->x_kept &&
                                 place->column + k < place->x_end && ESTIMATE_ROW_COUNTS(y),
                &row[STREAM_SIDE + k * ODE_COMPONENTS],
                carried + (ESTIMATE - 1) * STREAM_OWN + k * ODE_COMPONENTS, ODE_COMPONENTS)
        }
    }
    if (is_flushed) {
        REGISTER_FLUSH(row + STREAM_SIDE, STREAM_OWN)
    }
    if (ends && level > place->levels) REGISTER_UNROLL
    for (int k = 0; k < STREAM_OWN; k++)
        row[STREAM_SIDE + k] = STREAM_IN(window, STREAM_R, STREAM_SIDE + k);
    if (level < STREAM_LEVELS) {
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_OWN; k++)
            rows->ring[level][slot][STREAM_SIDE + k] = row[STREAM_SIDE + k];
        REGISTER_UNROLL
        for (int k = 0; STAGE_ARRAYS > 1 && k < REGISTER_CARRIED(STREAM_OWN); k++)
            rows->carried[level][slot][k] = carried[k];
        stream_publish(now, level, row, place, view, y, next_t);
    } else if (y >= place->y_kept && y < place->y_end)
        stream_store(row + STREAM_SIDE, place, view, y);
}

/* One turn: every level moves on by a row. */
#define STREAM_LEVEL(level, shape, number)                                                  \
    {                                                                                       \
        const register_stage stage =                                                        \
            REGISTER_STAGE(view, shape, number, place->first + (level)-1);                  \
        const int is_last = (number) == STAGE_COUNT - 1,                                    \
                  is_flushed = is_last && REGISTER_IS_FLUSHED(view, (level) / STAGE_COUNT); \
        stream_level(rows, level, &stage,                                                   \
            (level) < STREAM_LEVELS ? REGISTER_TIME(view, place->first + (level))           \
                                    : ODE_NO_INSTANT_,                                      \
            is_last, is_flushed, slot, ends, turn, now, before, place, view ESTIMATE_PASS); \
    }
ODE_INLINE_ void stream_turn(stream_rows *rows, const int slot, const int ends,
    const ode_offset turn, __local stream_edges *now, __local const stream_edges *before,
    const stream_place *place, const register_view *view ESTIMATE_PARAMETER) {
    ode_real *newest = rows->ring[0][slot];
    REGISTER_UNROLL
    for (int k = 0; k < STREAM_OWN; k++) newest[STREAM_SIDE + k] = rows->ahead[slot][k];
    stream_load(rows->ahead[slot], place, view, place->y_first + turn + STREAM_RING);
#if REGISTER_PTX
    register_prefetch(
        stream_address(place, view, place->column, place->y_first + turn + STREAM_PREFETCH));
#endif
    stream_publish(
        now, 0, newest, place, view, place->y_first + turn, REGISTER_TIME(view, place->first));
    STREAM_EACH(STREAM_LEVEL)
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if STREAM_UNROLL == 1
#define STREAM_UNROLL_RING _Pragma("nounroll")
#else
#define STREAM_UNROLL_RING REGISTER_UNROLL
#endif
#define STREAM_TURNS(end, ends)                                                                \
    for (; turn < (end); turn += STREAM_RING) STREAM_UNROLL_RING                               \
    for (int slot = 0; slot < STREAM_RING; slot++) {                                           \
        stream_turn(&rows, slot, ends, turn + slot, now, before, &place, &view ESTIMATE_PASS); \
        __local stream_edges *const swap = now;                                                \
        now = before;                                                                          \
        before = swap;                                                                         \
    }

/* `steps` steps; with fewer than STREAM_LEVELS levels all turns are like those at the ends, and the
   levels beyond copy. A work-group goes down `height` rows of a strip. Neighbouring groups have
   neighbouring strips, so that together they walk through memory. That is faster than strips laid
   end to end and cut into equal parts (doc/results/2026-11-registers.md). */
__kernel __attribute__((reqd_work_group_size(STREAM_ITEMS, 1, 1))) void register_stream(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset height, const ode_offset first,
    const int steps REGISTER_FLUSH_ARGUMENT ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    __local stream_edges edges[2];
    const ode_offset nx = extents.of[0], ny = extents.of[1];
    const register_view view = {nx * ny * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    const overlap_line across = {nx, STREAM_ITEMS * STREAM_POINTS, halo, ODE_PERIODIC_X_};
    const ode_offset strips = overlap_count(across), band = (ode_offset)get_group_id(0) / strips,
                     strip = (ode_offset)get_group_id(0) - band * strips;
    const int item = (int)get_local_id(0);
    const ode_offset y_kept = band * height, y_end = min(ny, y_kept + height),
                     above = (ode_offset)STREAM_LEVELS * STREAM_R,
                     x0 = overlap_start(across, strip);
    const stream_place place = {
        .item = item,
        .column = x0 + item * STREAM_POINTS,
        .x_kept = overlap_kept(across, strip),
        .x_end = overlap_kept(across, strip + 1),
        .y_kept = y_kept,
        .y_end = y_end,
        .y_first = ODE_PERIODIC_Y_ ? y_kept - above : max(y_kept - above, (ode_offset)0),
        .first = first,
        .levels = steps * STAGE_COUNT,
        .in = in,
        .out = out,
    };
    stream_rows rows;
    REGISTER_UNROLL
    for (int level = 0; level < STREAM_LEVELS; level++) REGISTER_UNROLL
    for (int slot = 0; slot < STREAM_RING; slot++) {
        REGISTER_UNROLL
        for (int k = 0; k < STREAM_ROW; k++) rows.ring[level][slot][k] = 0;
        REGISTER_UNROLL
        for (int k = 0; STAGE_ARRAYS > 1 && k < REGISTER_CARRIED(STREAM_OWN); k++)
            rows.carried[level][slot][k] = 0;
    }
    REGISTER_UNROLL
    for (int slot = 0; slot < STREAM_RING; slot++)
        stream_load(rows.ahead[slot], &place, &view, place.y_first + slot);
    __local stream_edges *now = edges, *before = edges + 1;
    const ode_offset turns = y_end - place.y_first + STREAM_LAST_LAG;
    /* Two texts for a turn, and the one for the grid's ends only where they are: a launch has to
       fetch it anew, while the other one fits the cache for instructions. Tests within a single
       text cost more than that. */
    ode_offset upper = 0, lower = turns;
#if !ODE_PERIODIC_Y_
    const ode_offset many = STREAM_LAST_LAG + STREAM_R + 1;
    if (y_kept <= above) upper = many;
    if (y_end + above + STREAM_R > ny) lower = turns - many - STREAM_RING + 2;
#endif
    if (place.levels < STREAM_LEVELS) upper = turns;
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
    REGISTER_ESTIMATE_END(STREAM_ITEMS)
}
