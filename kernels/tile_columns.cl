/* SPDX-License-Identifier: BSD-2-Clause */
/* tile_columns.cl - column-diamonds (thesis, ch. 8): as tile_rows.cl, but a tile is computed block
   by block along skewed columns, from the upper left edge rightwards. */
TILE_KERNEL void tile_columns(TILE_ARGUMENTS) {
    ESTIMATE_BEGIN(0)
    const tile_shape shape = {n, block, halo, blocks, cut};
    const ode_offset middle = tile_middle(shape, pass), first = tile_pass_first(shape, pass),
                     last = tile_pass_last(shape, pass, steps);
    const ode_offset tiles = tile_count(shape, pass), total = tile_total(shape);
    const ode_real *constants = values.value;
    for (ode_offset tile = (ode_offset)get_group_id(0); tile < tiles;
         tile += (ode_offset)get_num_groups(0)) {
        const ode_offset start = tile_first(shape, pass) + tile * tile_period(shape);
        /* Column c holds block c - offset of each level; no block of the tile lies in another one.
         */
        for (ode_offset column = start - cut; column <= start + blocks + cut; column++)
            for (ode_offset level = first; level <= last; level++) {
                const ode_offset offset = level - middle, x = column - offset;
                const ode_offset left = tile_max(tile_left_block(start, offset), 0),
                                 right = tile_min(tile_right_block(shape, start, offset), total);
                if (x < left || x >= right) continue;
                const tile_place place =
                    tile_place_of(shape, start, offset, level, even, odd, memory);
                const tile_range range = tile_level(shape, start, offset);
                const tile_ranges load = tile_load(shape, range,
                    level > first ? tile_level(shape, start, offset - 1) : tile_nothing(shape));
                tile_ranges fetch = {tile_between(0, 0), tile_between(0, 0)};
                if (x == left) fetch.left = load.left;
                if (x == tile_max(left, right - 2)) fetch.right = load.right;
                tile_fetch(place.y, place.origin, place.old_state, fetch);
                barrier(TILE_FETCHED);
                TILE_STAGE_VIEW(level)
                const TILE_FORM(ode_view) view = TILE_VIEW(place.origin, tile_input(shape, range));
                tile_step(place.y, &view, place.next, place.next_origin, place.state,
                    tile_between(x * block, tile_min((x + 1) * block, n)),
                    tile_store(shape, start, offset, level == steps, range), times[level - 1], h,
                    0 STAGE);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ESTIMATE_END((__local int *)memory)
}
