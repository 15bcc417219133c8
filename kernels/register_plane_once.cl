/* SPDX-License-Identifier: BSD-2-Clause */
/* register_plane_once.cl - a launch loads the tiles of register_plane.cl, makes `steps` steps and
   stores them. halo, halo_down: columns and rows of a tile that are spoiled at an end, as many
   as `steps` steps spoil. times[first + k] is the time of level k. */
__kernel __attribute__((reqd_work_group_size(PLANE_GROUP, 1, 1))) void register_plane(
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out,
    __global const ode_real *restrict times, __global const ode_real *restrict fields,
    const ode_constants values, const stage_factors factors, const ode_offset nx,
    const ode_offset ny, const ode_offset halo, const ode_offset halo_down, const ode_offset first,
    const int steps REGISTER_FLUSH_ARGUMENT) {
    __local plane_edges edges[PLANE_BUFFERS];
    const register_view view = {nx * ny * ODE_COMPONENTS, nx, ny, values.value, fields, times,
        factors.value, REGISTER_SINCE_FLUSH};
    plane_place place;
    plane_share share;
    ode_real cells[PLANE_CELLS];
    plane_locate(&place, nx, ny, halo, halo_down);
    plane_load(cells, in, &place, &view);
    plane_find_share(&share, &place);
    plane_advance(cells, edges, &place, &share, &view, first, steps);
    plane_store(out, cells, &place, &share, &view);
}
