/* SPDX-License-Identifier: BSD-2-Clause */
/* register_plane_persistent.cl - the tiles of register_plane.cl stay in registers for a whole
   launch. All work-groups run at once. After every `together` steps they replace
   what is spoiled by what other work-groups keep, through global memory. From the settings:
   PERSISTENT_SETS       sets of words that take turns, see below
   PERSISTENT_PATIENCE   how often an item looks for values during a launch. A work-group that does
                         not run would be waited for without end. */

/* A value in global memory carries the number of its exchange, the tag: 32 bits of the value and
   the tag form a word that is read and written at once. The order of the words does not matter.
   PERSISTENT_SETS = 4 sets of words take turns: a work-group writes a set again only after all its
   readers have answered the values before, directly or by a neighbour's neighbour. */
#define PERSISTENT_WORDS (1 + ODE_DOUBLE) /* words of a value */

ODE_INLINE_ void persistent_send_value(__global volatile ulong *words, ode_real x, uint tag) {
#if ODE_DOUBLE
    words[0] = (ulong)tag << 32 | (uint)as_ulong(x);
    words[1] = (ulong)tag << 32 | as_ulong(x) >> 32;
#else
    words[0] = (ulong)tag << 32 | as_uint(x);
#endif
}

/* -> whether the value is there. */
ODE_INLINE_ int persistent_receive_value(
    __global volatile const ulong *words, ode_real *x, uint tag) {
    const ulong low = words[0];
#if ODE_DOUBLE
    const ulong high = words[1];
    if (low >> 32 != tag || high >> 32 != tag) return 0;
    *x = as_double(high << 32 | (uint)low);
#else
    if (low >> 32 != tag) return 0;
    *x = as_float((uint)low);
#endif
    return 1;
}

/* Send the points that the tile keeps. */
ODE_INLINE_ void persistent_send(__global volatile ulong *set, const ode_real *cells,
    const plane_place *place, const plane_share *share, const register_view *view, uint tag) {
    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++) {
        const ode_offset x = place->column + k, y = place->row + r;
        if (plane_is_kept(share, x, y)) REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++)
            persistent_send_value(
                set +
                    ((size_t)(y * view->extents.of[0] + x) * ODE_COMPONENTS + c) * PERSISTENT_WORDS,
                PLANE_CELL(cells, r, k, c), tag);
    }
}

/* Look once for the points that other tiles keep; -> whether some are missing. */
ODE_INLINE_ int persistent_receive(ode_real *cells, __global volatile const ulong *set,
    const plane_place *place, const plane_share *share, const register_view *view, uint tag) {
    int missing = 0;
    REGISTER_UNROLL
    for (int r = 0; r < PLANE_ROWS; r++) REGISTER_UNROLL
    for (int k = 0; k < PLANE_POINTS; k++) {
        const ode_offset x = place->column + k, y = place->row + r;
        if (plane_is_kept(share, x, y)) continue;
        const ode_offset from =
            (ODE_PERIODIC_Y_ ? overlap_wrap(place->down, y) : y) * view->extents.of[0] +
            (ODE_PERIODIC_X_ ? overlap_wrap(place->across, x) : x);
        REGISTER_UNROLL
        for (int c = 0; c < ODE_COMPONENTS; c++)
            missing |= !persistent_receive_value(
                set + ((size_t)from * ODE_COMPONENTS + c) * PERSISTENT_WORDS,
                &PLANE_CELL(cells, r, k, c), tag);
    }
    return missing;
}

/* Like register_plane, but `steps` may be more than the halo allows. `tag` marks the first
 * exchange. failed becomes 1 if a value did not come. */
__kernel __attribute__((reqd_work_group_size(PLANE_GROUP, 1, 1))) void register_plane_persistent(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset halo_down, ode_offset first, int steps,
    const int together, __global volatile ulong *words, uint tag,
    __global int *failed REGISTER_FLUSH_ARGUMENT ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    __local plane_edges edges[PLANE_BUFFERS];
    __local int gave_up;
    const ode_offset nx = extents.of[0], ny = extents.of[1];
    register_view view = {nx * ny * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    plane_held held;
    plane_place place;
    plane_share share;
    plane_locate(&place, nx, ny, halo, halo_down, &held);
    ode_real cells[PLANE_CELLS], carried[REGISTER_CARRIED(PLANE_REALS)];
    plane_find_share(&share, &place);
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_CELLS; k++) cells[k] = 0;
    plane_load(&PLANE_CELL(cells, 0, 0, 0), PLANE_ROW, in, &place, &view);
#if ODE_HAS_COEFFICIENTS_
    plane_hold(&held, &place, &view);
#endif
    for (int looks = 0;; tag++) {
        const int count = min(steps, together);
        plane_advance(cells, carried, edges, &place, &share, &view, first, count ESTIMATE_PASS);
        first += count * STAGE_COUNT;
        view.since_flush += count;
        steps -= count;
        if (steps == 0) break;
        __global volatile ulong *const set =
            words + (size_t)(tag % PERSISTENT_SETS) * PERSISTENT_WORDS * (size_t)view.n;
        if (place.item == 0) gave_up = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        persistent_send(set, cells, &place, &share, &view, tag);
        int missing = 1;
        for (; missing && looks < PERSISTENT_PATIENCE; looks++)
            missing = persistent_receive(cells, set, &place, &share, &view, tag);
        if (missing) gave_up = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (gave_up) { /* all items of the work-group read the same */
            if (place.item == 0) *failed = 1;
            return;
        }
    }
    plane_store(out, &PLANE_CELL(cells, 0, 0, 0), PLANE_ROW, &place, &share, &view);
    REGISTER_ESTIMATE_END(PLANE_GROUP)
}
