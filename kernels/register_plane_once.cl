/* SPDX-License-Identifier: BSD-2-Clause */
/* register_plane_once.cl - a launch loads the tiles of register_plane.cl, makes `steps` steps and
   stores them. halo, halo_down: columns and rows of a tile that `steps` steps spoil at an end.
   times[first + k] is the time of level k. */
__kernel __attribute__((reqd_work_group_size(PLANE_GROUP, 1, 1))) void register_plane(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_instant *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_axes extents,
    const ode_offset halo, const ode_offset halo_down, const ode_offset first,
    const int steps REGISTER_CARRIED_ARGUMENTS STAGE_SECTION_ARGUMENT REGISTER_FLUSH_ARGUMENT
        ESTIMATE_ARGUMENTS) {
    REGISTER_ESTIMATE_BEGIN
    __local plane_edges edges[PLANE_BUFFERS];
    const ode_offset nx = extents.of[0], ny = extents.of[1];
    const register_view view = {nx * ny * ODE_COMPONENTS, extents, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH STAGE_SECTION_PASS};
    plane_held held;
    plane_place place;
    plane_share share;
    ode_real cells[PLANE_CELLS], carried[REGISTER_CARRIED(PLANE_REALS)];
    plane_locate(&place, nx, ny, halo, halo_down, &held);
    REGISTER_UNROLL
    for (int k = 0; k < PLANE_CELLS; k++) cells[k] = 0;
    plane_load(&PLANE_CELL(cells, 0, 0, 0), PLANE_ROW, in, &place, &view);
#if ODE_HAS_COEFFICIENTS_
    plane_hold(&held, &place, &view);
#endif
#if STAGE_IS_ANY
    REGISTER_UNROLL
    for (int k = 0; k < REGISTER_CARRIED(PLANE_REALS); k++) carried[k] = 0;
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_ARRAYS - 1; k++)
        if (k < section.enters)
            plane_load(carried + k * PLANE_REALS, PLANE_POINTS * ODE_COMPONENTS,
                REGISTER_CARRIED_ARRAY(carried_in, &view, k), &place, &view);
#elif STAGE_ENTERS
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_ENTERS; k++)
        plane_load(carried + k * PLANE_REALS, PLANE_POINTS * ODE_COMPONENTS,
            REGISTER_CARRIED_ARRAY(carried_in, &view, k), &place, &view);
#endif
    plane_find_share(&share, &place);
    plane_advance(cells, carried, edges, &place, &share, &view, first, steps ESTIMATE_PASS);
    plane_store(out, &PLANE_CELL(cells, 0, 0, 0), PLANE_ROW, &place, &share, &view);
#if STAGE_IS_ANY
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_ARRAYS - 1; k++)
        if (k < section.leaves)
            plane_store(REGISTER_CARRIED_ARRAY(carried_out, &view, k), carried + k * PLANE_REALS,
                PLANE_POINTS * ODE_COMPONENTS, &place, &share, &view);
#elif STAGE_LEAVES
    REGISTER_UNROLL
    for (int k = 0; k < STAGE_LEAVES; k++)
        plane_store(REGISTER_CARRIED_ARRAY(carried_out, &view, k), carried + k * PLANE_REALS,
            PLANE_POINTS * ODE_COMPONENTS, &place, &share, &view);
#endif
    REGISTER_ESTIMATE_END(PLANE_GROUP)
}
