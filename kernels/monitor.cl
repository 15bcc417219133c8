/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.cl - statistics over the state, in the order of lib/run/monitor.h: a program of its own,
   with prelude.cl before it. It computes in doubles, also if the state is in floats. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, STATISTICS };

/* Values of an accumulator that are loaded at once: adding one after the other, with a load before
 * each, waits for memory. */
enum { AHEAD = 8 };

/* Least and greatest stay in the state's type: the same values, and in floats half the arithmetic
 * in doubles. */
void eulercl_take(double *f, ode_real *least, ode_real *greatest, ode_real value) {
    const double v = (double)value;
    *least = value < *least ? value : *least;
    *greatest = value > *greatest ? value : *greatest;
    f[SUM] += v;
    f[SUM_OF_ABSOLUTES] += fabs(v);
    f[SUM_OF_SQUARES] += v * v;
}

/* One work-group per part of `share` of the components start .. stop - 1; a part has `accumulators`
 * accumulators, a multiple of `components`. An accumulator's statistics are in `sums`, every
 * `accumulators` doubles. */
__kernel void eulercl_monitor(__global const ode_real *y, __global double *parts, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset accumulators, ode_offset components,
    __local double *sums) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share,
                     items = (ode_offset)get_local_size(0);
    for (ode_offset l = (ode_offset)get_local_id(0); l < accumulators; l += items) {
        double f[STATISTICS] = {0, 0, 0, 0, 0};
        ode_real least = (ode_real)INFINITY, greatest = -(ode_real)INFINITY;
        ode_offset j = first + l;
        for (; end - j > (AHEAD - 1) * accumulators; j += AHEAD * accumulators) {
            ode_real v[AHEAD];
            for (int i = 0; i < AHEAD; i++) v[i] = y[j + i * accumulators];
            for (int i = 0; i < AHEAD; i++) eulercl_take(f, &least, &greatest, v[i]);
        }
        for (; j < end; j += accumulators) eulercl_take(f, &least, &greatest, y[j]);
        f[LEAST] = (double)least;
        f[GREATEST] = (double)greatest;
        for (int i = 0; i < STATISTICS; i++) sums[i * accumulators + l] = f[i];
    }
    for (ode_offset other = accumulators / 2; other >= components; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ode_offset l = (ode_offset)get_local_id(0); l < other; l += items) {
            if (sums[LEAST * accumulators + l + other] < sums[LEAST * accumulators + l])
                sums[LEAST * accumulators + l] = sums[LEAST * accumulators + l + other];
            if (sums[GREATEST * accumulators + l + other] > sums[GREATEST * accumulators + l])
                sums[GREATEST * accumulators + l] = sums[GREATEST * accumulators + l + other];
            for (int i = SUM; i < STATISTICS; i++)
                sums[i * accumulators + l] += sums[i * accumulators + l + other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ode_offset i = (ode_offset)get_local_id(0); i < components * STATISTICS; i += items)
        parts[(ode_offset)get_group_id(0) * components * STATISTICS + i] =
            sums[i % STATISTICS * accumulators + i / STATISTICS];
}
