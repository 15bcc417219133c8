/* monitor.cl - figures over the state, in the order that lib/monitor.h settles: a program of its own, with prelude.cl before it. In doubles, also where the
   state is in floats. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, FIGURES };

/* One work-group per part of `share` components; a part has `lanes` lanes, a multiple of `components`. A lane's figures stand in `sums` every `lanes` doubles. */
__kernel void eulercl_monitor(__global const ode_real *y, __global double *parts, ode_offset n, ode_offset share, ode_offset lanes, ode_offset components,
                              __local double *sums) {
    const ode_offset first = (ode_offset)get_group_id(0) * share, end = n - first < share ? n : first + share, items = (ode_offset)get_local_size(0);
    for (ode_offset l = (ode_offset)get_local_id(0); l < lanes; l += items) {
        double least = (double)INFINITY, greatest = -(double)INFINITY, sum = 0, absolutes = 0, squares = 0;
        for (ode_offset j = first + l; j < end; j += lanes) {
            const double v = (double)y[j];
            least = v < least ? v : least;
            greatest = v > greatest ? v : greatest;
            sum += v;
            absolutes += fabs(v);
            squares += v * v;
        }
        sums[LEAST * lanes + l] = least;
        sums[GREATEST * lanes + l] = greatest;
        sums[SUM * lanes + l] = sum;
        sums[SUM_OF_ABSOLUTES * lanes + l] = absolutes;
        sums[SUM_OF_SQUARES * lanes + l] = squares;
    }
    for (ode_offset other = lanes / 2; other >= components; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ode_offset l = (ode_offset)get_local_id(0); l < other; l += items) {
            if (sums[LEAST * lanes + l + other] < sums[LEAST * lanes + l]) sums[LEAST * lanes + l] = sums[LEAST * lanes + l + other];
            if (sums[GREATEST * lanes + l + other] > sums[GREATEST * lanes + l]) sums[GREATEST * lanes + l] = sums[GREATEST * lanes + l + other];
            for (int f = SUM; f < FIGURES; f++) sums[f * lanes + l] += sums[f * lanes + l + other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ode_offset i = (ode_offset)get_local_id(0); i < components * FIGURES; i += items)
        parts[(ode_offset)get_group_id(0) * components * FIGURES + i] = sums[i % FIGURES * lanes + i / FIGURES];
}
