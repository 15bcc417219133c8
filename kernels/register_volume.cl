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
   VOLUME_APART                     1: the rows of an item are kept apart (below)
   VOLUME_EACH_VALUE(VALUE)         VALUE(dx, dy, dz, c) for each value that a right-hand side
                                    reads: NVIDIA's compiler takes long for loops here
                                    (register_pipeline.cl) */
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
        row[k] =
            VOLUME_REAL(shared, at, place->lane + VOLUME_MARGIN - 1, VOLUME_OWN - VOLUME_SIDE + k);
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
        if (has_sides && !is_own) volume_fetch_sides(row, shared, at, place);
#else
        if (has_sides) volume_fetch_sides(row, shared, at, place);
#endif
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
#define VOLUME_WINDOW_AT(dx, dy, dz, c)                                                      \
    (((((dz) + VOLUME_R) * VOLUME_SPAN + (dy) + VOLUME_R) * VOLUME_SPAN + (dx) + VOLUME_R) * \
            ODE_COMPONENTS +                                                                 \
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
        register_update(stage, 0, REGISTER_IS_STILL(stage->view, at), dot,
            row->own + p * ODE_COMPONENTS, row->carried + p * ODE_COMPONENTS, VOLUME_OWN);
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
        volume_level(
            planes, level, j, slot, set, ends, turn, row.own, &next, place, view ESTIMATE_PASS);
        volume_keep(planes, level - 1, j, slot, &row);
        row = next;
    }
    volume_store(row.own, j, place, view, place->z_first + turn - VOLUME_LAST_LAG);
}
#define VOLUME_IS_INSIDE(j) ((j) >= VOLUME_R && (j) < VOLUME_ROWS - VOLUME_R)
/* VOLUME_APART: a condition that always holds, which no compiler knows, so that each row is a
 * branch of its own. It costs copies where the branches end, but sums of several rows are not
 * computed early, for which a large item has no registers. */
#define VOLUME_IS_APART(place, j) (!VOLUME_APART || (place)->y_end > (j)-VOLUME_ROWS)
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
        if (VOLUME_IS_INSIDE(j) && VOLUME_IS_APART(place, j))
            volume_turn_row(planes, j, slot, set, ends, turn, place, view ESTIMATE_PASS);
    if (REGISTER_SHUFFLE) barrier(CLK_LOCAL_MEM_FENCE);
    REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++)
        if (!VOLUME_IS_INSIDE(j) && VOLUME_IS_APART(place, j))
            volume_turn_row(planes, j, slot, set, ends, turn, place, view ESTIMATE_PASS);
#else
    /* No level reads what the one before it makes in this turn. */
    barrier(CLK_LOCAL_MEM_FENCE);
    REGISTER_UNROLL
    for (int level = VOLUME_LEVELS; level > 0; level--) REGISTER_UNROLL
    for (int j = 0; j < VOLUME_ROWS; j++) {
        volume_row row;
        volume_level(planes, level, j, slot, set, ends, turn, 0, &row, place, view ESTIMATE_PASS);
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
        volume_publish(&place->memory->shared[(set + 1) % VOLUME_SETS][l], planes->at[l][published],
            place, view, place->z_first + turn - l * VOLUME_LAG - lag,
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
#define VOLUME_TURNS(end, count, ends)                                                       \
    for (; turn + (count) <= (end); turn += (count)) {                                       \
        REGISTER_UNROLL                                                                      \
        for (int slot = 0; slot < (count); slot++) {                                         \
            volume_turn(&planes, slot, set, ends, turn + slot, &place, &view ESTIMATE_PASS); \
            set = (set + 1) % VOLUME_SETS;                                                   \
        }                                                                                    \
        if ((count) < VOLUME_KEPT) volume_move(&planes);                                     \
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
                     tile_x = tile - tile_y * columns,
                     before = (ode_offset)VOLUME_LEVELS * VOLUME_R, z_kept = stretch * height;
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
        for (int k = 0; k < REGISTER_CARRIED(VOLUME_OWN); k++) planes.carried[l][slot][j][k] = 0;
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
