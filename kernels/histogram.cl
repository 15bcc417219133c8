/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.cl - how many values of a component lie in each bin: a program of its own, with
   prelude.cl before it. lib/observe/histogram.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Values of an item that are loaded at once. */
enum { AHEAD = 8 };
/* Items that share a set of counters. */
enum { LANES = 32 };

/* The first counter is for values below all bins, those behind the bins are for values above them
 * and for NaN. Rounding may not move a value across the end of the last bin. */
int eulercl_bin(double y, int bins, double low, double high, double scale) {
    if (y < low) return 0;
    if (y >= high) return bins + 1;
    return isnan(y) ? bins + 2 : 1 + min((int)((y - low) * scale), bins - 1);
}

/* Neighbouring values are often in the same bin: their number is counted before the counter, which
 * other items may wait for, is changed. */
void eulercl_count(__local uint *own, int *bin, uint *run, int next) {
    if (next != *bin) {
        if (*run) atomic_add(&own[*bin], *run);
        *bin = next;
        *run = 0;
    }
    (*run)++;
}

/* One work-group per part of `share` of the components start .. stop - 1. There are `copies` sets
 * of counters. */
__kernel void eulercl_histogram(__global const ode_real *y, __global uint *numbers,
    ode_offset start, ode_offset stop, ode_offset share, ode_offset components,
    ode_offset component, int bins, double low, double high, double scale, int copies,
    __local uint *counts) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share,
                     step = (ode_offset)get_local_size(0) * components;
    const int item = (int)get_local_id(0), items = (int)get_local_size(0), size = bins + 3;
    __local uint *own = counts + item / LANES % copies * size;
    for (int i = item; i < copies * size; i += items) counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int bin = 0;
    uint run = 0;
    ode_offset j = first + component + item * components;
    for (; end - j > (AHEAD - 1) * step; j += AHEAD * step) {
        ode_real v[AHEAD];
        for (int i = 0; i < AHEAD; i++) v[i] = y[j + i * step];
        for (int i = 0; i < AHEAD; i++)
            eulercl_count(own, &bin, &run, eulercl_bin((double)v[i], bins, low, high, scale));
    }
    for (; j < end; j += step)
        eulercl_count(own, &bin, &run, eulercl_bin((double)y[j], bins, low, high, scale));
    if (run) atomic_add(&own[bin], run);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < size; i += items) {
        uint sum = 0;
        for (int copy = 0; copy < copies; copy++) sum += counts[copy * size + i];
        numbers[(ode_offset)get_group_id(0) * size + i] = sum;
    }
}
