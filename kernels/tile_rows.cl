/* tile_rows.cl - row-diamonds and honeycombs (thesis, ch. 7 and 9): a launch is a pass, a work-group takes tile after tile and computes it row
   by row, its items side by side, with a barrier in between. The geometry is lib/tile.h's. */

/* Any tile: y, row and ends are the first row's, whose input is there. */
ODE_INLINE void tile_any_rows(tile_shape shape, tile_place place, tile_range ends, ode_offset middle, ode_offset first, ode_offset last,
                              ode_offset steps, __global const ode_real *times, ode_real h, ode_offset nx, ode_offset ny,
                              const ode_real *constants, __global const ode_real *fields) {
    tile_range row = tile_cut_off(shape, ends);
    for (ode_offset level = first; level <= last; level++) {
        const tile_range ends_below = tile_ends_below(shape, ends, level - middle), below = tile_cut_off(shape, ends_below);
        const tile_ranges store = tile_store_at(shape, ends, level - middle, level == steps, row);
        const TILE_FORM(ode_view) view = TILE_VIEW(place.origin, tile_input(shape, row));
        /* What the row below needs beside this one. In column storage it comes where this row's items read. */
        if (TILE_STORAGE == TILE_LOCAL && level < last) TILE_FETCH(place.next, place.next_origin, place.state, tile_load(shape, below, row))
        tile_step(place.y, &view, place.next, place.next_origin, place.state, row, store, times[level - 1], h);
        if (TILE_STORAGE == TILE_COLUMN && level < last) TILE_FETCH(place.next, place.next_origin, place.state, tile_load(shape, below, row))
        barrier(TILE_FENCE);
        ends = ends_below;
        row = below;
        place = tile_place_below(shape, place);
    }
}

#if TILE_STORAGE == TILE_LOCAL && TILE_UNIT == 4
/* A tile that is cut off nowhere, whose rows load no more than a vector per item: the same without a bound to look at. What rows load is on
   its way while two rows are computed; the last items fetch it, since the first ones compute narrow rows. Narrow rows take longer for instructions
   of this kind than for all else. */
ODE_INLINE int tile_is_quick(tile_shape shape, ode_offset start) {
    return tile_is_inner(shape, start) && (shape.block + shape.halo) / 2 <= TILE_WORKGROUP;
}

ODE_INLINE void tile_quick_rows(tile_shape shape, tile_place place, tile_range ends, ode_offset middle, ode_offset first, ode_offset last,
                                ode_offset steps, __global const ode_real *times, ode_real h, ode_offset nx, ode_offset ny,
                                const ode_real *constants, __global const ode_real *fields) {
    const ode_view_local view = {shape.n, nx, ny, constants, fields, place.origin, 0, shape.n};
    const ode_offset id = (ode_offset)get_local_id(0), beside = (shape.block + shape.halo) / 4, errand = TILE_WORKGROUP - 1 - id;
    const int on_left = errand < beside, fetches = errand < 2 * beside;
    const ode_offset outwards = on_left ? -shape.block : shape.block;
    const ode_offset loads_end = tile_min(middle, last);       /* rows first + 1 .. loads_end load */
    /* Where this item's vector of row first + 1 stands. */
    ode_offset from = outwards + (on_left ? ends.begin - shape.halo + 4 * errand : ends.end - shape.block + 4 * (errand - beside)), to = from - place.origin;
    __global const ode_real *old_state = place.state, *new_state = place.old_state;       /* of rows first + 1 and first + 2 */
    ode_real4 soon = (ode_real4)(0), later = (ode_real4)(0), latest = (ode_real4)(0);
    if (fetches && first + 1 <= loads_end) soon = *(__global const ode_real4 *)(old_state + from);
    if (fetches && first + 2 <= loads_end) later = *(__global const ode_real4 *)(new_state + from + outwards);
    from += 2 * outwards;
    ode_offset begin = ends.begin - place.origin + 4 * id, vectors = (ends.end - ends.begin) / 4;
    __local ode_real *y = place.y, *next = place.next;
    __global ode_real *state = place.state + place.origin, *other_state = place.old_state + place.origin;
    for (ode_offset level = first; level <= last; level++) {
        if (fetches && level + 3 <= loads_end) latest = *(__global const ode_real4 *)(state - place.origin + from);
        from += outwards;
        const int whole = level == steps || level - middle >= shape.cut - 1;
        const ode_offset left_end = whole ? vectors : level < middle ? 0 : beside, right_begin = level < middle ? vectors : vectors - beside;
        const ode_real t = times[level - 1];
        for (ode_offset u = id, at = begin; u < vectors; u += TILE_WORKGROUP, at += 4 * TILE_WORKGROUP) {
            ode_real value[4];
            tile_update4(y, &view, place.origin + at, t, h, 1, value);
            *(__local ode_real4 *)(next + at) = vload4(0, value);
            if (u < left_end || u >= right_begin) *(__global ode_real4 *)(state + at) = vload4(0, value);
        }
        if (fetches && level + 1 <= loads_end) *(__local ode_real4 *)(next + to) = soon;
        to += outwards;
        soon = later;
        later = latest;
        const ode_offset widening = level < middle ? shape.block : -shape.block;
        begin -= widening;
        vectors += widening / 2;
        __local ode_real *y_ = y;
        y = next;
        next = y_;
        __global ode_real *state_ = state;
        state = other_state;
        other_state = state_;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

TILE_KERNEL void tile_rows(TILE_ARGUMENTS) {
    const tile_shape shape = {n, block, halo, blocks, cut};
    const ode_offset middle = tile_middle(shape, pass), first = tile_first_level(shape, pass), last = tile_last_level(shape, pass, steps);
    const ode_offset tiles = tile_count(shape, pass);
    for (ode_offset tile = (ode_offset)get_group_id(0); tile < tiles; tile += (ode_offset)get_num_groups(0)) {
        const ode_offset start = tile_first(shape, pass) + tile * tile_period(shape);
        const tile_place place = tile_place_of(shape, start, first - middle, first, even, odd, memory);
        const tile_range ends = tile_ends(shape, start, first - middle);
        TILE_FETCH(place.y, place.origin, place.old_state, tile_load(shape, tile_cut_off(shape, ends), tile_nothing(shape)))
        barrier(TILE_FENCE);
#if TILE_STORAGE == TILE_LOCAL && TILE_UNIT == 4
        if (tile_is_quick(shape, start))
            tile_quick_rows(shape, place, ends, middle, first, last, steps, times, h, nx, ny, values.value, fields);
        else
#endif
            tile_any_rows(shape, place, ends, middle, first, last, steps, times, h, nx, ny, values.value, fields);
    }
}
