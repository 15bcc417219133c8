/* SPDX-License-Identifier: BSD-2-Clause */
/* thin.cl - blocks of points become a value each: a program of its own, with prelude.cl before it,
   for grids of RANK axes. lib/observe/thin.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { MEAN, MAX, MIN };

double eulercl_fold(int mode, double a, double value) {
    if (mode == MEAN) return a + value;
    return (mode == MAX ? value > a : value < a) || isnan(a) ? value : a;
}

/* One work-group per part of `share` of the components start .. stop - 1, whole layers of blocks,
 * which have n points along each axis, of which all or, with `is_every`, the first one is taken. A
 * part has `size` numbers. On a grid of one axis it is a line. `columns` has room for `width` of
 * them, whole blocks or a line: values of the points of a block with the same x. */
__kernel void eulercl_thin(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset line_points, ode_offset lines,
    ode_offset components, ode_offset component, long n, long size, int width, int is_every,
    int mode, __local double *columns) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share;
    const int item = (int)get_local_id(0), items = (int)get_local_size(0),
              edge = n < width ? (int)n : width, taken = is_every ? 1 : edge,
              step = is_every ? edge : 1;
    const long deep = is_every ? 1 : n;
#if RANK > 1
    const ode_offset row = line_points * lines * components;
    const long points = line_points, rows = (end - first) / row;
#else
    const ode_offset row = 0;
    const long points = (end - first) / components, rows = 1;
#endif
    const double none = mode == MEAN ? -0.0 : NAN; /* changes no value */
    __global double *next = numbers + (long)get_group_id(0) * size;
    for (long r = 0; r < rows; r += n)
        for (long l = 0; l < lines; l += n)
            for (long x = 0; x < points; x += width) {
                const int some = (int)min((long)width, points - x);
                const long last_row = min(r + deep, rows), last_line = min(l + deep, (long)lines);
                for (int c = item * step; c < some; c += items * step) {
                    double a = none;
                    for (long i = r; i < last_row; i++)
                        for (long j = l; j < last_line; j++)
                            a = eulercl_fold(mode, a,
                                (double)
                                    y[first + (ode_offset)i * row +
                                        (ode_offset)(j * points + x + c) * components + component]);
                    columns[c] = a;
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                for (int b = item; b * edge < some; b += items) {
                    double a = none;
                    for (int c = b * edge; c < min(b * edge + taken, some); c++)
                        a = eulercl_fold(mode, a, columns[c]);
                    next[b] = a;
                }
                next += (some + edge - 1) / edge;
                barrier(CLK_LOCAL_MEM_FENCE);
            }
}
