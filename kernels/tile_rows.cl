/* SPDX-License-Identifier: BSD-2-Clause */
/* tile_rows.cl - row-diamonds and honeycombs (thesis, ch. 7 and 9): a launch is a pass, a
   work-group takes tile after tile and computes it level by level, its items side by side, with a
   barrier in between. The geometry is lib/schedule/diamond_geometry.h's. */

/* Compute the levels first .. last of one tile. With two buffers the input is in them, and the
 * components that must be stored are left there. */
ODE_INLINE_ void tile_descend(tile_shape shape, tile_place place, ode_offset start,
    ode_offset middle, ode_offset first, ode_offset last, ode_offset steps,
    __global const ode_instant *times, ode_real h, ode_axes extents, const ode_real *constants,
    __global const ode_real *fields, int inner TILE_STAGES_PARAMETERS) {
    tile_range ends = tile_ends(shape, start, first - middle), above = tile_nothing(shape);
    for (ode_offset level = first; level <= last; level++) {
        const tile_range range = inner ? ends : tile_cut_off(shape, ends);
        const tile_ranges store = tile_store_at(shape, ends, level - middle, level == steps, range);
        TILE_STAGE_VIEW(level)
        const TILE_FORM(ode_view) view = TILE_VIEW(place.origin, tile_input(shape, range));
#if TILE_STORAGE == TILE_COLUMN
        tile_fetch(place.y, place.origin, place.old_state, tile_load(shape, range, above));
        barrier(TILE_FETCHED);
#endif
        tile_step(place.y, &view, place.next, place.next_origin, place.state, range, store,
            times[level - 1], h, inner STAGE);
        barrier(TILE_STEPPED);
        ends = tile_ends_below(shape, ends, level - middle);
        above = range;
        place = tile_place_below(shape, place);
    }
}

TILE_KERNEL void tile_rows(TILE_ARGUMENTS) {
    ESTIMATE_BEGIN(0)
    const tile_shape shape = {n, block, halo, blocks, cut};
    const ode_offset middle = tile_middle(shape, pass), tiles = tile_count(shape, pass);
    for (ode_offset tile = (ode_offset)get_group_id(0); tile < tiles;
         tile += (ode_offset)get_num_groups(0)) {
        const ode_offset start = tile_first(shape, pass) + tile * tile_period(shape);
        const ode_offset first = tile_first_level(shape, pass, start),
                         last = tile_last_level(shape, pass, steps, start);
        if (last < first) continue;
        const tile_place place =
            tile_place_of(shape, start, first - middle, first, even, odd, memory);
#if TILE_STORAGE == TILE_LOCAL
        tile_fetch(place.y, place.origin, place.old_state,
            tile_fetch_all(shape, start, middle, first, last, 0));
        tile_fetch(place.next, place.origin, place.state,
            tile_fetch_all(shape, start, middle, first, last, 1));
        barrier(TILE_FETCHED);
#endif
#if ODE_IS_LINE_ && TILE_STORAGE == TILE_LOCAL
        /* Most tiles: no bound to look at. */
        if (tile_is_inner(shape, start))
            tile_descend(shape, place, start, middle, first, last, steps, times, h, extents,
                values.value, fields, 1 TILE_STAGES_PASS);
        else
#endif
            tile_descend(shape, place, start, middle, first, last, steps, times, h, extents,
                values.value, fields, 0 TILE_STAGES_PASS);
#if TILE_STORAGE == TILE_LOCAL
        const int even_levels =
            (last - first) % 2 == 0; /* then the last level is where the first one was */
        tile_write_back(even_levels ? place.next : place.y, place.origin,
            even_levels ? place.state : place.old_state,
            tile_write_back_all(shape, start, middle, first, last, 0));
        tile_write_back(even_levels ? place.y : place.next, place.origin,
            even_levels ? place.old_state : place.state,
            tile_write_back_all(shape, start, middle, first, last, 1));
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    ESTIMATE_END((__local int *)memory)
}
