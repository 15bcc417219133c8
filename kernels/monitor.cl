/* monitor.cl - figures over the state, in the order that lib/monitor.h settles: a program of its own, with prelude.cl before it. In doubles, also where the
   state is in floats. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, FIGURES };

/* Values of a lane that are loaded at once: adding one after the other, with a load before each, waits for memory. */
enum { AHEAD = 8 };

/* Least and greatest stay in the state's type: the same values, and in floats half the arithmetic in doubles. */
void eulercl_take(double *f, ode_real *least, ode_real *greatest, ode_real value) {
    const double v = (double)value;
    *least = value < *least ? value : *least;
    *greatest = value > *greatest ? value : *greatest;
    f[SUM] += v;
    f[SUM_OF_ABSOLUTES] += fabs(v);
    f[SUM_OF_SQUARES] += v * v;
}

/* One work-group per part of `share` components; a part has `lanes` lanes, a multiple of `components`. A lane's figures stand in `sums` every `lanes` doubles. */
__kernel void eulercl_monitor(__global const ode_real *y, __global double *parts, ode_offset n, ode_offset share, ode_offset lanes, ode_offset components,
                              __local double *sums) {
    const ode_offset first = (ode_offset)get_group_id(0) * share, end = n - first < share ? n : first + share, items = (ode_offset)get_local_size(0);
    for (ode_offset l = (ode_offset)get_local_id(0); l < lanes; l += items) {
        double f[FIGURES] = {0, 0, 0, 0, 0};
        ode_real least = (ode_real)INFINITY, greatest = -(ode_real)INFINITY;
        ode_offset j = first + l;
        for (; end - j > (AHEAD - 1) * lanes; j += AHEAD * lanes) {
            ode_real v[AHEAD];
            for (int i = 0; i < AHEAD; i++) v[i] = y[j + i * lanes];
            for (int i = 0; i < AHEAD; i++) eulercl_take(f, &least, &greatest, v[i]);
        }
        for (; j < end; j += lanes) eulercl_take(f, &least, &greatest, y[j]);
        f[LEAST] = (double)least;
        f[GREATEST] = (double)greatest;
        for (int i = 0; i < FIGURES; i++) sums[i * lanes + l] = f[i];
    }
    for (ode_offset other = lanes / 2; other >= components; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ode_offset l = (ode_offset)get_local_id(0); l < other; l += items) {
            if (sums[LEAST * lanes + l + other] < sums[LEAST * lanes + l]) sums[LEAST * lanes + l] = sums[LEAST * lanes + l + other];
            if (sums[GREATEST * lanes + l + other] > sums[GREATEST * lanes + l]) sums[GREATEST * lanes + l] = sums[GREATEST * lanes + l + other];
            for (int i = SUM; i < FIGURES; i++) sums[i * lanes + l] += sums[i * lanes + l + other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ode_offset i = (ode_offset)get_local_id(0); i < components * FIGURES; i += items)
        parts[(ode_offset)get_group_id(0) * components * FIGURES + i] = sums[i % FIGURES * lanes + i / FIGURES];
}
