/* SPDX-License-Identifier: BSD-2-Clause */
/* correlation.cl - sums of products of differences from the mean, of points that lie some points
   apart along an axis: a program of its own, with prelude.cl before it, for grids of RANK axes.
   lib/observe/correlation.c does the same on the host, in the order of lib/observe/lines.h. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { LANES = 256, LAGS = 8 }; /* LAGS: sums of an item */

/* Points that are compared: lags first .. first + count - 1, whose points are `stride` components
 * from one to the next. From lag `limit` on they are `turn` components before; 0: not there. */
typedef struct {
    long first, count, stride, turn;
} eulercl_lags;

/* Most points have all lags. The first loop has no conditions, so that its loads do not wait for
 * each other, and that of the second one is the same for all items. */
void eulercl_add_products(
    double *f, __global const ode_real *y, const eulercl_lags *lags, long limit, double mean) {
    const double value = (double)y[0] - mean;
    __global const ode_real *const other = y + lags->first * lags->stride;
    const int has_all = lags->first + lags->count <= limit;
    if (has_all && lags->count == LAGS)
        for (int k = 0; k < LAGS; k++) f[k] += value * ((double)other[k * lags->stride] - mean);
    else if (has_all)
        for (int k = 0; k < LAGS; k++) {
            if (k < lags->count) f[k] += value * ((double)other[k * lags->stride] - mean);
        }
    else
        for (int k = 0; k < LAGS; k++) {
            const int is_behind = lags->first + k >= limit;
            if (k < lags->count && (!is_behind || lags->turn))
                f[k] +=
                    value * ((double)other[k * lags->stride - (is_behind ? lags->turn : 0)] - mean);
        }
}

/* For each part of `share` of the components start .. stop - 1, whole rows, as many work-groups as
 * LAGS of its numbers need: lags 0 to `lags` along x, then 1 to `lags` along the other axes.
 * `origin` and `total` are the numbers of the grid's first component and of the one behind its
 * last. Lane l has every LANES-th grid point. */
__kernel void eulercl_correlation(__global const ode_real *y, __global double *numbers,
    ode_offset start, ode_offset stop, ode_offset share, ode_offset origin, ode_offset total,
    ode_offset points, ode_offset lines, ode_offset components, ode_offset component, int rings,
    int lags, int slices, double mean, __local double *sums) {
    const int part = (int)get_group_id(0) / slices, slice = (int)get_group_id(0) % slices,
              along_x = lags / LAGS + 1, along_others = (lags + LAGS - 1) / LAGS,
              axis = slice < along_x ? 0 : 1 + (slice - along_x) / along_others,
              first = axis ? 1 + (slice - along_x) % along_others * LAGS : slice * LAGS,
              item = (int)get_local_id(0), items = (int)get_local_size(0);
    const ode_offset begin = start + (ode_offset)part * share,
                     end = stop - begin < share ? stop : begin + share,
                     width = RANK == 1 ? (end - begin) / components : points,
                     line_size = width * components, row_size = line_size * lines;
    const int is_last = axis == RANK - 1, is_ring = rings >> axis & 1;
    const long size = is_last ? total - origin
                      : axis  ? row_size
                              : line_size,
               stride = axis == 0 ? components
                        : is_last ? row_size
                                  : line_size;
    const eulercl_lags these = {first, min(LAGS, lags + 1 - first), stride, is_ring ? size : 0};
    for (int base = 0; base < LANES; base += items) {
        const int lane = base + item;
        double f[LAGS] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (ode_offset at = begin; lane < LANES && at < end; at += line_size) {
            const ode_offset before = ((at - origin) / components) % LANES;
            /* points of the axis from that of the line on */
            const long rest = is_last ? total - at : size - (at - origin) % size,
                       left = (rest + stride - 1) / stride;
            for (ode_offset x = (LANES + lane - before) % LANES; x < width; x += LANES)
                eulercl_add_products(
                    f, y + at + component + x * components, &these, axis ? left : left - x, mean);
        }
        for (int k = 0; k < LAGS && lane < LANES; k++) sums[k * LANES + lane] = f[k];
    }
    for (int other = LANES / 2; other > 0; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < other * (int)these.count; i += items) {
            const int l = i / other * LANES + i % other;
            sums[l] += sums[l + other];
        }
    }
    __global double *const own =
        numbers + (long)part * (1 + RANK * (long)lags) + (long)axis * lags + first;
    /* the items that have made the last sums */
    for (int k = item; k < these.count; k += items) own[k] = sums[k * LANES];
}
