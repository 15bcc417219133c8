/* SPDX-License-Identifier: BSD-2-Clause */
/* register_pipeline.cl - several steps on the way through a 2-D grid, with a few levels for each
   warp. A work-group of PIPE_WARPS warps goes down strips of the grid, row by row. Every warp
   spans the whole strip, and makes PIPE_LEVELS levels of a row; the next warp makes the levels
   behind them. Rows go from warp to warp through a ring in local memory, and each item holds the
   few rows that its levels read in registers. So an item holds many columns, hands over the edges
   of those once for many points, and waits for the others once in a turn, after PIPE_LEVELS levels
   of all its columns. A warp is PIPE_ITEMS neighbouring items; on NVIDIA's devices one that issues
   together has 32. From the settings:
   PIPE_POINTS, PIPE_ITEMS   columns of an item, items of a warp
   PIPE_WARPS, PIPE_LEVELS   warps, and levels of each
   PIPE_VECTOR               reals that one access to global memory may take, like STREAM_VECTOR
   PIPE_LOCAL_VECTOR         reals that one access to a row in local memory takes
   PIPE_AHEAD                rows that are on their way from global memory
   PIPE_GAP                  the gap between strips in overlap_geometry.h
   PIPE_STORES_MIDWAY        whether a row is stored in the middle of a turn, or at its beginning
   PIPE_UNROLL               turns in the text of the loop, so that rows that move on in a ring of
                             registers need not be copied,
   PIPE_EACH_TURN(TURN)      TURN(number) for each: NVIDIA's compiler does not unroll such a loop
   PIPE_CLASS(warp)          warps whose levels have the same shapes are of one class,
   PIPE_CHOICE(CALL)         and each class has a text of its own: the CALL of `class`
   PIPE_SHAPE(class, level)  the shape of the level, counted in the warp
   PIPE_IS_MIDDLE            of a section of a step: all carried values come and go, as pipe_section
                             says, too; sections that differ only in that have one program
   PIPE_EACH_VALUE(VALUE)    VALUE(dx, dy, c) for each value that a right-hand side reads. NVIDIA's
                             compiler puts all functions into the kernel before it unrolls loops,
                             the innermost first, and for each of them it looks at all that is
                             around: loops here were the greater part of its time */
/* ---- a level ---- */

/* Component c of the item's column p, which may be beside its own, dy rows from the one that level
 * l computes. */
ODE_INLINE_ ode_real pipe_value(
    const pipe_rows *rows, const int l, const int dy, const int p, const int c) {
    const int s = REGISTER_STAR ? 0 : PIPE_R + dy;
    if (p < 0) return rows->left[l][s][(p + PIPE_R) * ODE_COMPONENTS + c];
    if (p >= PIPE_POINTS) return rows->right[l][s][(p - PIPE_POINTS) * ODE_COMPONENTS + c];
    return (PIPE_R + dy < PIPE_KEPT ? rows->rows[l][PIPE_R + dy]
                                    : rows->next[l])[p * ODE_COMPONENTS + c];
}

/* A value in a row that may be beyond the upper or lower end of the grid; y is the row that is
 * computed. stream_ghosts in register_stream.cl has the same rule. */
ODE_INLINE_ ode_real pipe_value_at_end(const pipe_rows *rows, const int l, const int dy,
    const int p, const int c, const ode_offset y, const ode_instant t, const pipe_place *place,
    const register_view *view) {
    ode_real value = pipe_value(rows, l, dy, p, c);
#if !ODE_PERIODIC_Y_
#define TOP_IN(n) pipe_value(rows, l, (n)-from_end, p, c)
#define BOTTOM_IN(n) pipe_value(rows, l, from_end - (n), p, c)
    REGISTER_UNROLL
    for (int from_end = 0; from_end < PIPE_R; from_end++) {
        if (from_end < -dy && y == from_end) {
            REGISTER_GHOST(low, Y_LOW, -dy - from_end, TOP_IN, view, t, c, place->column + p, 0)
            value = low;
        }
        if (from_end < dy && y == view->extents.of[1] - 1 - from_end) {
            REGISTER_GHOST(high, Y_HIGH, dy - from_end, BOTTOM_IN, view, t, c, place->column + p, 0)
            value = high;
        }
    }
#undef TOP_IN
#undef BOTTOM_IN
#endif
    return value;
}

/* Number of a level in the step, and its time; levels beyond the steps have that of the last one.
 */
#define PIPE_NUMBER(place, l)                           \
    (PIPE_LEVELS % STAGE_COUNT == 0 ? (l) % STAGE_COUNT \
                                    : ((place)->warp * PIPE_LEVELS + (l)) % STAGE_COUNT)
#define PIPE_TIME(place, view, l) \
    REGISTER_TIME(                \
        view, (place)->first + min((place)->warp * PIPE_LEVELS + (l), (place)->levels - 1))

/* The values that a right-hand side reads: rows and columns about a point. */
#define PIPE_WINDOW (PIPE_SPAN * PIPE_SPAN * ODE_COMPONENTS)
#define PIPE_CENTRE (PIPE_SPAN * PIPE_SPAN / 2 * ODE_COMPONENTS)
/* Fill them. Without the new row, the last one, the row of the point stands in its place. */
ODE_INLINE_ void pipe_fill(ode_real *window, const pipe_rows *rows, const int l, const int p,
    const int has_new, const int ends, const ode_offset y, const ode_instant t,
    const pipe_place *place, const register_view *view) {
#define PIPE_FROM(dy) ((dy) < PIPE_R || has_new ? (dy) : 0)
#define PIPE_FILL(dx, dy, c)                                                                     \
    window[PIPE_CENTRE + ((dy)*PIPE_SPAN + (dx)) * ODE_COMPONENTS + (c)] =                       \
        (dy) && ends ? pipe_value_at_end(rows, l, PIPE_FROM(dy), p + (dx), c, y, t, place, view) \
                     : pipe_value(rows, l, PIPE_FROM(dy), p + (dx), c);
    PIPE_EACH_VALUE(PIPE_FILL)
}

/* Compute level l of the item's column p, in row y. `ends`: there may be rows at an end of the
   grid, or levels beyond the steps, which copy. The values that a level computes before its first
   row, or after its last, are never read. */
ODE_INLINE_ void pipe_point(pipe_rows *rows, const int l, const int p, const int class,
    const int ends, const ode_offset y, const pipe_place *place,
    const register_view *view ESTIMATE_PARAMETER) {
    const int number = PIPE_NUMBER(place, l), level = place->warp * PIPE_LEVELS + l + 1,
              is_last =
                  (STAGE_COUNT != PIPE_TOTAL || l == PIPE_LEVELS - 1) && number == STAGE_COUNT - 1;
    const register_stage stage = {PIPE_SHAPE(class, l), view->factors + number * STAGE_FACTORS,
        PIPE_TIME(place, view, l), view};
    ode_real window[PIPE_WINDOW], dot[ODE_COMPONENTS];
    const ode_real *centre = window + PIPE_CENTRE;
    pipe_fill(window, rows, l, p, 1, ends, y, stage.t, place, view);
    const ode_axes at = {{place->column + p, y, 0}};
    register_rhs(centre, ODE_WINDOW_STRIDES_(PIPE_SPAN), view, stage.t, at, dot);
    ode_real *const u = rows->next[l + 1] + p * ODE_COMPONENTS, *const carried =
                                                                    rows->handed[l + 1] +
                                                                    p * ODE_COMPONENTS;
    REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        u[c] = centre[c];
        REGISTER_UNROLL
        for (int k = 0; k < STAGE_ARRAYS - 1; k++)
            carried[k * PIPE_OWN + c] = rows->carried[l][0][k * PIPE_OWN + p * ODE_COMPONENTS + c];
    }
    register_update(&stage, 0, REGISTER_IS_STILL(view, at), dot, u, carried, PIPE_OWN);
    if (is_last && (!ends || level <= place->levels) && y >= place->y_kept && y < place->y_end) {
        REGISTER_COMPARE(place->column + p >= place->x_kept && place->column + p < place->x_end &&
                             ESTIMATE_ROW_COUNTS(y),
            u, carried + (ESTIMATE - 1) * PIPE_OWN, ODE_COMPONENTS)
    }
    if (is_last && REGISTER_IS_FLUSHED(view, level / STAGE_COUNT)) {
        REGISTER_FLUSH(u, ODE_COMPONENTS)
    }
    if (ends && level > place->levels) REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) u[c] = centre[c];
}

#if REGISTER_PTX && REGISTER_STAR && (STAGE_COUNT == 1 || (ODE_DOUBLE && STAGE_IS_SECTION))
/* Compute the part of column p of level l that depends on rows that are there already, before the
   new row takes registers. So the row above is read before the row below is there, and both can
   have the same registers. The right-hand side is evaluated with another row in place of the new
   one. The part that depends on that row ends in an instruction without effect, which NVIDIA's
   assembler removes; its compiler finds the rest again in the true evaluation. Whole steps of
   several stages gain nothing by it, nor do sections in float, and would take half as long again to
   compile. */
ODE_INLINE_ void pipe_foresee(const pipe_rows *rows, const int l, const int p, const ode_offset y,
    const pipe_place *place, const register_view *view) {
    const ode_instant t = PIPE_TIME(place, view, l);
    ode_real window[PIPE_WINDOW], dot[ODE_COMPONENTS];
    pipe_fill(window, rows, l, p, 0, 0, y, t, place, view);
    const ode_axes at = {{place->column + p, y, 0}};
    register_rhs(window + PIPE_CENTRE, ODE_WINDOW_STRIDES_(PIPE_SPAN), view, t, at, dot);
    REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++)
#if ODE_DOUBLE
        asm volatile("{.reg .b64 unused; mov.b64 unused, %0;}" ::"d"(dot[c]));
#else
        asm volatile("{.reg .b32 unused; mov.b32 unused, %0;}" ::"f"(dot[c]));
#endif
}
#define PIPE_FORESEE(l, group)                      \
    REGISTER_UNROLL                                 \
    for (int p = 0; !ends && p < PIPE_COLUMNS; p++) \
        pipe_foresee(rows, l, (group)*PIPE_COLUMNS + p, y - (l)*PIPE_LAG, place, view);
#else
#define PIPE_FORESEE(l, group)
#endif

/* All levels of the warp, column by column: so what a level hands to the next one is needed only
   for a moment, and the register of a row above that has been read is free for the row below. The
   row of the warp before is asked for a group of columns early. */
ODE_INLINE_ void pipe_levels(pipe_rows *rows, __local ode_real *own, const int class,
    const int ends, const ode_offset y, const int out, const ode_offset leaving,
    const pipe_place *place, const register_view *view ESTIMATE_PARAMETER) {
    REGISTER_UNROLL
    for (int g = 0; g <= PIPE_GROUPS; g++) {
        const int asked = g * PIPE_PART, done = asked - PIPE_PART;
        if (PIPE_STORES_MIDWAY && g == PIPE_GROUPS / 2) pipe_store(out, leaving, place, view);
        if (g < PIPE_GROUPS) {
            PIPE_FORESEE(0, g)
            pipe_take(rows->next[0] + asked, own + asked);
            REGISTER_UNROLL
            for (int k = 0; PIPE_CARRIES && k < STAGE_ARRAYS - 1; k++)
                pipe_take(rows->handed[0] + k * PIPE_OWN + asked, own + (k + 1) * PIPE_ROW + asked);
        }
        if (g > 0) {
            REGISTER_UNROLL
            for (int l = 1; l < PIPE_LEVELS; l++) {
                PIPE_FORESEE(l, g - 1)
            }
            REGISTER_UNROLL
            for (int l = 0; l < PIPE_LEVELS; l++) REGISTER_UNROLL
            for (int p = 0; p < PIPE_COLUMNS; p++)
                pipe_point(rows, l, (g - 1) * PIPE_COLUMNS + p, class, ends, y - l * PIPE_LAG,
                    place, view ESTIMATE_PASS);
            pipe_put(own + done, rows->next[PIPE_LEVELS] + done);
            REGISTER_UNROLL
            for (int k = 0; PIPE_CARRIES && k < STAGE_ARRAYS - 1; k++)
                pipe_put(own + (k + 1) * PIPE_ROW + done,
                    rows->handed[PIPE_LEVELS] + k * PIPE_OWN + done);
        }
    }
}

/* Clear the registers before the first turn. */
ODE_INLINE_ void pipe_clear(pipe_rows *rows) {
    REGISTER_UNROLL
    for (int l = 0; l < PIPE_LEVELS; l++) {
        REGISTER_UNROLL
        for (int r = 0; r < PIPE_KEPT; r++) REGISTER_UNROLL
        for (int k = 0; k < PIPE_OWN; k++) rows->rows[l][r][k] = 0;
        REGISTER_UNROLL
        for (int r = 0; r < PIPE_LAG; r++) REGISTER_UNROLL
        for (int k = 0; k < REGISTER_CARRIED(PIPE_OWN); k++) rows->carried[l][r][k] = 0;
    }
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_CARRIED(PIPE_OWN); k++) rows->handed[0][k] = 0;
}

/* Move every row up by one after a turn. */
ODE_INLINE_ void pipe_move(pipe_rows *rows) {
    REGISTER_UNROLL
    for (int l = 0; l < PIPE_LEVELS; l++) {
        REGISTER_UNROLL
        for (int r = 0; r < PIPE_KEPT; r++) REGISTER_UNROLL
        for (int k = 0; k < PIPE_OWN; k++)
            rows->rows[l][r][k] = r + 1 < PIPE_KEPT ? rows->rows[l][r + 1][k] : rows->next[l][k];
        REGISTER_UNROLL
        for (int r = 0; r < PIPE_LAG; r++) REGISTER_UNROLL
        for (int k = 0; k < (STAGE_ARRAYS - 1) * PIPE_OWN; k++)
            rows->carried[l][r][k] =
                r + 1 < PIPE_LAG ? rows->carried[l][r + 1][k] : rows->handed[l][k];
    }
}

/* ---- a turn ---- */

ODE_INLINE_ void pipe_turn(pipe_rows *rows, pipe_slots *slots, const int class, const int ends,
    const ode_offset turn, const pipe_place *place, const register_view *view ESTIMATE_PARAMETER) {
    const ode_offset y = place->y_first + turn - place->warp * PIPE_STRIDE - PIPE_LAG;
    __local ode_real *own = place->memory->ring + slots->own * PIPE_SLOT + place->lane * PIPE_OWN;
#if PIPE_ASYNCHRONOUS
    asm volatile("cp.async.wait_group %0;" ::"n"(PIPE_AHEAD - 1) : "memory");
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    pipe_ask(slots->in, place->y_first + turn + PIPE_AHEAD, place, view);
    const ode_offset leaving = place->y_first + turn - PIPE_DELAY;
    if (!PIPE_STORES_MIDWAY) pipe_store(slots->out, leaving, place, view);
    REGISTER_UNROLL
    for (int l = 0; l < PIPE_LEVELS; l++) REGISTER_UNROLL
    for (int s = 0; s < PIPE_SIDES; s++)
        pipe_fetch_side(rows, l, s, turn, y - l * PIPE_LAG, PIPE_TIME(place, view, l), place, view);
#define PIPE_CALL(class) \
    pipe_levels(rows, own, class, ends, y, slots->out, leaving, place, view ESTIMATE_PASS)
    PIPE_CHOICE(PIPE_CALL)
    pipe_move(rows);
#if !REGISTER_SHUFFLE
    pipe_publish(&place->memory->edges[(turn + 1) & 1], rows, place);
#endif
    PIPE_NEXT_SLOT(slots->in)
    PIPE_NEXT_SLOT(slots->own)
    PIPE_NEXT_SLOT(slots->out)
}

#if REGISTER_SHUFFLE
/* A number that is the same in all items of a warp. The compiler learns that from this function. */
ODE_INLINE_ int pipe_same(int x) {
    int same;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, 0xffffffff;" : "=r"(same) : "r"(x));
    return same;
}
#else
#define pipe_same(x) (x)
#endif

/* Find the item's and the group's part of the grid: rows of a strip. */
ODE_INLINE_ void pipe_find(pipe_place *place, const register_view *view, const overlap_line across,
    const ode_offset strip, const ode_offset y_kept, const ode_offset y_end) {
    place->x0 = overlap_start(across, strip);
    place->column = place->x0 + place->lane * PIPE_POINTS;
    place->is_first = place->column == 0;
    place->is_last = place->column + PIPE_POINTS == view->extents.of[0];
    place->x_kept = overlap_kept(across, strip);
    place->x_end = overlap_kept(across, strip + 1);
    place->y_kept = y_kept;
    place->y_end = y_end;
    place->y_first = y_kept - PIPE_ABOVE;
    if (!ODE_PERIODIC_Y_) place->y_first = max(place->y_first, (ode_offset)0);
    REGISTER_UNROLL
    for (int k = 0; k < PIPE_COPIES; k++) {
        const int real = PIPE_COPY(place, k) * PIPE_VECTOR;
        place->from[k] = place->x0 * ODE_COMPONENTS + real;
        if (ODE_PERIODIC_X_)
            place->from[k] = overlap_wrap((overlap_line){view->extents.of[0], 1, 0, 1},
                                 place->x0 + real / ODE_COMPONENTS) *
                                 ODE_COMPONENTS +
                             real % ODE_COMPONENTS;
    }
}

#if STAGE_IS_SECTION
#define PIPE_SECTION_ARGUMENT , const pipe_section section
#else
#define PIPE_SECTION_ARGUMENT
#endif

#define PIPE_TURN(number) \
    pipe_turn(rows, &slots, class, 0, turn + (number), place, view ESTIMATE_PASS);

/* All turns of a piece. Two texts for a turn and a loop for each, as in register_stream.cl. */
ODE_INLINE_ void pipe_piece(pipe_rows *rows, const int class, const pipe_place *place,
    const register_view *view ESTIMATE_PARAMETER) {
    pipe_slots slots = {
        PIPE_AHEAD, place->warp ? PIPE_SLOTS - place->warp : 0, PIPE_SLOTS - PIPE_WARPS};
    REGISTER_UNROLL
    for (int k = 0; k < PIPE_AHEAD; k++) pipe_ask(k, place->y_first + k, place, view);
    const ode_offset turns = place->y_end - place->y_first + PIPE_DELAY;
    ode_offset upper = 0, lower = turns;
#if !ODE_PERIODIC_Y_
    if (place->y_kept <= PIPE_ABOVE) upper = PIPE_DELAY + PIPE_R;
    lower = min(turns, view->extents.of[1] - place->y_first - PIPE_R + PIPE_LAG);
#endif
    if (place->levels < PIPE_TOTAL) upper = turns;
    /* Turns at an end, the others, and turns at an end again, in which the second loop has nothing
       to do. (PoCL 3.1 fails at loops behind a choice that barriers are in.) */
    ode_offset turn = 0, end = min(upper, turns);
    for (int part = 0; part < 2; part++) {
        for (; turn < end; turn++)
            pipe_turn(rows, &slots, class, 1, turn, place, view ESTIMATE_PASS);
        for (; turn + PIPE_UNROLL <= lower; turn += PIPE_UNROLL) {
            PIPE_EACH_TURN(PIPE_TURN)
        }
        end = turns;
    }
#if PIPE_ASYNCHRONOUS
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

/* `steps` steps, or a section of one, of rows y_begin .. y_end - 1. These rows of all strips lie
   end to end, with gaps; a work-group has a part of `length` of them. */
__kernel __attribute__((reqd_work_group_size(PIPE_GROUP_SIZE, 1, 1))) void register_pipeline(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset length, const ode_offset first, const int steps,
    const ode_offset y_begin,
    const ode_offset y_end REGISTER_CARRIED_ARGUMENTS PIPE_SECTION_ARGUMENT REGISTER_FLUSH_ARGUMENT
        ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    const ode_offset nx = extents.of[0], ny = extents.of[1];
    const register_view view = {nx * ny * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    __local pipe_memory memory __attribute__((aligned(16)));
    pipe_place place = {
        .levels = steps * STAGE_COUNT, .first = first, .in = in, .out = out, .memory = &memory};
#if STAGE_IS_SECTION
    place.carried_in = carried_in;
    place.carried_out = carried_out;
    place.section = section;
#endif
    place.number = (int)get_local_id(0);
    place.lane = place.number % PIPE_ITEMS;
    place.warp = pipe_same(place.number / PIPE_ITEMS);
    const int class = PIPE_CLASS(place.warp);
    const overlap_line across = {nx, PIPE_ITEMS * PIPE_POINTS, halo, ODE_PERIODIC_X_};
    const overlap_strips strips = {y_end - y_begin, PIPE_GAP};
    ode_offset at = (ode_offset)get_group_id(0) * length;
    const ode_offset end = min(at + length, overlap_length(strips, overlap_count(across)));
    pipe_rows rows;
    pipe_clear(&rows);
    while (at < end) {
        const ode_offset strip = overlap_strip(strips, at),
                         next = overlap_piece_end(strips, at, end),
                         kept = y_begin + overlap_row(strips, strip, at),
                         kept_end = y_begin + overlap_row(strips, strip, next);
        if (kept < kept_end) {
            pipe_find(&place, &view, across, strip, kept, kept_end);
            pipe_piece(&rows, class, &place, &view ESTIMATE_PASS);
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next piece's rows take the slots */
        }
        at = next;
    }
    REGISTER_ESTIMATE_END(PIPE_GROUP_SIZE)
}
