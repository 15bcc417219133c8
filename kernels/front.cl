/* SPDX-License-Identifier: BSD-2-Clause */
/* front.cl - where the lines along x first cross a level: a program of its own, with prelude.cl
   before it. lib/observe/front.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { CROSSINGS, PLACES, SQUARES, NUMBERS };

/* One work-group per part of `share` of the components start .. stop - 1, whole lines of `points`.
 * Its items look for a crossing between as many neighbours at once, and the first of them adds what
 * they have found, line after line. */
__kernel void eulercl_front(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset points, ode_offset components,
    ode_offset component, double level, double mean, __local int *nearest) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share;
    const int item = (int)get_local_id(0), items = (int)get_local_size(0);
    double f[NUMBERS] = {0, 0, 0};
    for (ode_offset line = first; line < end; line += points * components) {
        int found = items;
        for (long x = 0; x + 1 < points && found == items; x += items) {
            if (item == 0) *nearest = items;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (x + item + 1 < points) {
                __global const ode_real *const at =
                    y + line + (ode_offset)(x + item) * components + component;
                const ode_real last = at[0], value = at[components];
                if (isfinite(last) && isfinite(value) &&
                    ((double)last > level) != ((double)value > level))
                    atomic_min(nearest, item);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            found = *nearest;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item == 0 && found < items) {
                __global const ode_real *const at =
                    y + line + (ode_offset)(x + found) * components + component;
                const double last = (double)at[0], value = (double)at[components],
                             place = (double)(x + found) + (level - last) / (value - last);
                f[CROSSINGS] += 1;
                f[PLACES] += place;
                f[SQUARES] += (place - mean) * (place - mean);
            }
        }
    }
    for (int i = 0; item == 0 && i < NUMBERS; i++)
        numbers[(ode_offset)get_group_id(0) * NUMBERS + i] = f[i];
}
