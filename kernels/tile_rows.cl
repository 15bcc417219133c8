/* tile_rows.cl - row-diamonds and honeycombs (thesis, ch. 7 and 9): a launch is a pass, a work-group takes tile after tile and computes it row
   by row, its items side by side, with a barrier in between. The geometry is lib/tile.h's. */
TILE_KERNEL void tile_rows(TILE_ARGUMENTS) {
    const tile_shape shape = {n, block, halo, blocks, cut};
    const ode_offset middle = tile_middle(shape, pass), first = tile_first_level(shape, pass), last = tile_last_level(shape, pass, steps);
    const ode_offset tiles = tile_count(shape, pass);
    const int ahead = tile_is_small(shape);
    for (ode_offset tile = (ode_offset)get_group_id(0); tile < tiles; tile += (ode_offset)get_num_groups(0)) {
        const ode_offset start = tile_first(shape, pass) + tile * tile_period(shape);
        tile_place place = tile_place_of(shape, start, first - middle, first, even, odd, memory);
        tile_range ends = tile_ends(shape, start, first - middle), row = tile_cut_off(shape, ends), far = ends;
        ode_offset far_level = first;
        tile_parcel soon = tile_no_parcel(), later = soon;
        TILE_FETCH(place.y, place.origin, place.old_state, tile_load(shape, row, tile_nothing(shape)))
        if (ahead) {
            soon = tile_take_below(shape, &far, &far_level, middle, last, even, odd);
            later = tile_take_below(shape, &far, &far_level, middle, last, even, odd);
        }
        barrier(TILE_FENCE);
        for (ode_offset level = first; level <= last; level++) {
            const tile_range ends_below = tile_ends_below(shape, ends, level - middle), below = tile_cut_off(shape, ends_below);
            const tile_ranges store = tile_store_at(shape, ends, level - middle, level == steps, row);
            const TILE_FORM(ode_view) view = TILE_VIEW(place.origin, tile_input(shape, row));
            tile_parcel latest = tile_no_parcel();
            /* What the rows below need beside their upper neighbours is on its way while two rows are computed. */
            if (ahead) latest = tile_take_below(shape, &far, &far_level, middle, last, even, odd);
            tile_step(place.y, &view, place.next, place.next_origin, place.state, row, store, times[level - 1], h);
            if (ahead) TILE_DELIVER(place.next, place.next_origin, soon)
            else if (level < last) TILE_FETCH(place.next, place.next_origin, place.state, tile_load(shape, below, row))
            barrier(TILE_FENCE);
            soon = later;
            later = latest;
            ends = ends_below;
            row = below;
            place = tile_place_below(shape, place);
        }
    }
}
