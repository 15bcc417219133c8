/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.cl - how many values of a component lie in each bin: a program of its own, with
   prelude.cl before it. lib/observe/histogram.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Values of an item that are loaded at once. */
enum { AHEAD = 8 };
/* Items that share a set of counters. */
enum { LANES = 32 };

/* The bins, as lib/observe/observe.h explains them. */
typedef struct {
    int bins;
    double low, scale;
    ode_real first, behind; /* the least numbers that are not less than low, and than high */
    /* In float: the place of first less a half; scale, or NaN if places could be wrong; how far a
     * place less a half may be from a whole number. */
    ode_real rest, in_float, sure;
} eulercl_bins;

/* Rounding may not move a value across the end of the last bin. */
int eulercl_exact_bin(double y, const eulercl_bins *b) {
    return min((int)((y - b->low) * b->scale), b->bins - 1);
}

/* The first counter is for values below all bins, those behind the bins are for values above them
 * and for NaN. Devices compute in double slowly, so that a float is only converted if it is
 * near the end of a bin. */
int eulercl_bin(ode_real y, const eulercl_bins *b) {
    if (!(y >= b->first && y < b->behind)) return y < b->first ? 0 : b->bins + (isnan(y) ? 2 : 1);
#if ODE_DOUBLE
    return 1 + eulercl_exact_bin(y, b);
#else
    /* Numbers between 2^23 and 2^24 are whole, so a sum rounds. A place less a half (`place`) is
     * rounded to the whole number below the place, but near the ends of bins, where it may not be.
     * Below the first bin's middle there is no other bin. */
    const float whole = 0x1.8p23f, place = fma(y - b->first, b->in_float, b->rest),
                sum = place + whole;
    if (fabs(place - (sum - whole)) <= b->sure || place < 0)
        return 1 + max(as_int(sum) - as_int(whole), 0);
    return 1 + eulercl_exact_bin((double)y, b);
#endif
}

/* `groups` work-groups per part of `share` of the components start .. stop - 1. There are `copies`
 * sets of counters. */
__kernel void eulercl_histogram(__global const ode_real *y, __global uint *numbers,
    ode_offset start, ode_offset stop, ode_offset share, ode_offset components,
    ode_offset component, int bins, double low, double scale, ode_real least, ode_real behind,
    ode_real rest, ode_real in_float, ode_real sure, int copies, __local uint *counts, int groups) {
    const eulercl_bins b = {bins, low, scale, least, behind, rest, in_float, sure};
    const int part = (int)get_group_id(0) / groups, group = (int)get_group_id(0) % groups;
    const ode_offset begin = start + part * share,
                     limit = stop - begin < share ? stop : begin + share,
                     piece = ((share / components - 1) / groups + 1) * components,
                     first = limit - begin > group * piece ? begin + group * piece : limit,
                     end = limit - first < piece ? limit : first + piece,
                     step = (ode_offset)get_local_size(0) * components;
    const int item = (int)get_local_id(0), items = (int)get_local_size(0), size = bins + 3;
    __local uint *own = counts + item / LANES % copies * size;
    for (int i = item; i < copies * size; i += items) counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ode_offset j = first + component + item * components;
    for (; end - j > (AHEAD - 1) * step; j += AHEAD * step) {
        ode_real v[AHEAD];
        for (int i = 0; i < AHEAD; i++) v[i] = y[j + i * step];
        for (int i = 0; i < AHEAD; i++) atomic_inc(&own[eulercl_bin(v[i], &b)]);
    }
    for (; j < end; j += step) atomic_inc(&own[eulercl_bin(y[j], &b)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < size; i += items) {
        uint sum = 0;
        for (int copy = 0; copy < copies; copy++) sum += counts[copy * size + i];
        if (sum) atomic_add(&numbers[part * size + i], sum);
    }
}
