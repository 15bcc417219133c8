/* SPDX-License-Identifier: BSD-2-Clause */
/* length.cl - sums of squares of y - mean and of differences of neighbouring points: a program of
   its own, with prelude.cl before it, for grids of RANK axes. lib/observe/length.c does the same on
   the host, in the order of lib/observe/lines.h. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { VARIANCE, SLOPES, NUMBERS = SLOPES + 3 };
enum { LANES = 256 };

/* Add the square of the difference from a neighbour; negative: there is none. */
void eulercl_add_slope(
    double *sum, __global const ode_real *y, ode_offset neighbour, double value) {
    if (neighbour < 0) return;
    const double slope = (double)y[neighbour] - value;
    *sum += slope * slope;
}

/* One work-group per part of `share` of the components start .. stop - 1, whole rows. `origin` and
 * `total` are the numbers of the grid's first component and of the one behind its last. Lane l has
 * every LANES-th grid point. */
__kernel void eulercl_length(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset origin, ode_offset total, ode_offset points,
    ode_offset lines, ode_offset components, ode_offset component, int rings, double mean,
    __local double *sums) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share,
                     begin = (first - origin) / components, items = (ode_offset)get_local_size(0),
                     row = RANK == 1 ? components : points * lines * components;
    for (ode_offset lane = (ode_offset)get_local_id(0); lane < LANES; lane += items) {
        const ode_offset point = begin + (LANES + lane - begin % LANES) % LANES;
        double f[NUMBERS] = {0, 0, 0, 0};
#if RANK > 1
        ode_offset x = point % points, line = point / points % lines;
#endif
        for (ode_offset j = first + (point - begin) * components + component; j < end;
             j += LANES * components) {
            const double value = (double)y[j];
            f[VARIANCE] += (value - mean) * (value - mean);
            ode_offset next = j + row;
            if (next >= total) next = rings >> (RANK - 1) & 1 ? next - (total - origin) : -1;
            eulercl_add_slope(&f[SLOPES + RANK - 1], y, next, value);
#if RANK > 1
            next = j + components;
            if (x + 1 == points) next = rings & 1 ? next - points * components : -1;
            eulercl_add_slope(&f[SLOPES], y, next, value);
#if RANK == 3
            next = j + points * components;
            if (line + 1 == lines) next = rings & 2 ? next - row : -1;
            eulercl_add_slope(&f[SLOPES + 1], y, next, value);
#endif
            line += LANES / points;
            x += LANES % points;
            if (x >= points) {
                x -= points;
                line++;
            }
            line %= lines;
#endif
        }
        for (int i = 0; i < NUMBERS; i++) sums[i * LANES + lane] = f[i];
    }
    for (ode_offset other = LANES / 2; other > 0; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ode_offset l = (ode_offset)get_local_id(0); l < other; l += items)
            for (int i = 0; i < NUMBERS; i++) sums[i * LANES + l] += sums[i * LANES + l + other];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ode_offset i = (ode_offset)get_local_id(0); i < NUMBERS; i += items)
        numbers[(ode_offset)get_group_id(0) * NUMBERS + i] = sums[i * LANES];
}
