/* tile_rows.cl - row-diamonds and honeycombs (thesis, ch. 7 and 9): a launch is a pass, a work-group takes tile after tile and computes it row
   by row, its items side by side, with a barrier in between. The geometry is lib/tile.h's. */
__kernel void tile_rows(TILE_ARGUMENTS) {
    const tile_shape shape = {n, block, halo, blocks, cut};
    const ode_offset middle = tile_middle(shape, pass), first = tile_first_level(shape, pass), last = tile_last_level(shape, pass, steps);
    const ode_offset tiles = tile_count(shape, pass);
    for (ode_offset tile = (ode_offset)get_group_id(0); tile < tiles; tile += (ode_offset)get_num_groups(0)) {
        const ode_offset start = tile_first(shape, pass) + tile * tile_period(shape);
        ode_offset origin, next_origin;
        tile_range row = tile_row(shape, start, first - middle);
        TILE_SPACE ode_real *y = tile_level(shape, start, first - 1, first - 1 - middle, even, odd, memory, &origin);
        if (TILE_STORAGE != TILE_GLOBAL) {
            TILE_FETCH(y, origin, (first - 1) % 2 ? odd : even, tile_load(shape, row, tile_nothing(shape)))
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (ode_offset level = first; level <= last; level++) {
            __global ode_real *state = level % 2 ? odd : even;
            TILE_SPACE ode_real *next = tile_level(shape, start, level, level - middle, even, odd, memory, &next_origin);
            const TILE_FORM(ode_view) view = TILE_VIEW(origin, tile_input(shape, row));
            const tile_range after = level < last ? tile_row(shape, start, level + 1 - middle) : tile_nothing(shape);
            const tile_ranges load = tile_load(shape, after, row);
            if (TILE_STORAGE == TILE_LOCAL) TILE_FETCH(next, next_origin, state, load)
            tile_step(y, &view, next, next_origin, state, row, tile_store(shape, start, level - middle, level == steps, row), times[level - 1], h);
            if (TILE_STORAGE == TILE_COLUMN) TILE_FETCH(next, next_origin, state, load)
            barrier(TILE_FENCE);
            row = after;
            y = next;
            origin = next_origin;
        }
    }
}
