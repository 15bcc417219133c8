/* SPDX-License-Identifier: BSD-2-Clause */
/* extract.cl - the points whose value is above or below a bound, one after the other: a program of
   its own, with prelude.cl before it. lib/observe/extract.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Points of an item that are looked at together: their counters share a number. */
enum { AHEAD = 4, BITS = 16 };

int eulercl_counter(ulong counters, int i) { return (int)(counters >> (i * BITS) & 0xffff); }

/* The counters of an item become the sums of those of all items up to it. */
void eulercl_add_up(__local ulong *counters) {
    const int item = (int)get_local_id(0), items = (int)get_local_size(0);
    for (int way = 1; way < items; way *= 2) {
        const ulong before = item >= way ? counters[item - way] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        counters[item] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* One work-group per part of `share` of the components start .. stop - 1, whose numbers begin and
 * end at its places: number and value of each point. `before` points of the grid lie before
 * component 0. Counters are of all items. */
__kernel void eulercl_extract(__global const ode_real *y, __global double *numbers,
    ode_offset start, ode_offset stop, ode_offset share, __global const long *places,
    ode_offset components, ode_offset component, long before, int is_less, double bound,
    __local ulong *counters) {
    const long group = (long)get_group_id(0), first = start + group * share,
               item = (long)get_local_id(0), items = (long)get_local_size(0),
               end = (stop - first < share ? stop : first + share) / components,
               last = (places[group + 1] - places[0]) / 2;
    long next = (places[group] - places[0]) / 2;
    for (long x = first / components; x < end && next < last; x += AHEAD * items) {
        double v[AHEAD];
        ulong own = 0;
        for (int i = 0; i < AHEAD; i++) {
            const long point = x + i * items + item;
            v[i] = point < end ? (double)y[point * components + component] : NAN;
            own |= (ulong)(is_less ? v[i] < bound : v[i] >= bound) << (i * BITS);
        }
        counters[item] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        eulercl_add_up(counters);
        const ulong up_to = counters[item] - own, all = counters[items - 1];
        for (int i = 0; i < AHEAD; i++) {
            const long at = next + eulercl_counter(up_to, i);
            if (eulercl_counter(own, i) && at < last) {
                numbers[2 * at] = (double)(before + x + i * items + item);
                numbers[2 * at + 1] = v[i];
            }
            next += eulercl_counter(all, i);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
