/* SPDX-License-Identifier: BSD-2-Clause */
/* length.cl - sums of differences from the first value of a part, of their squares, and of those of
   the differences of neighbouring points: a program of its own, with prelude.cl before it, for
   grids of RANK axes. lib/observe/length.c does the same on the host, in the order of
   lib/observe/lines.h. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { FIRST, SUM, SQUARES, SLOPES, NUMBERS = SLOPES + 3 };
enum { LANES = 256, AHEAD = 2 };

/* How far the neighbours of a point are. A point without one is its own, whose difference is 0. */
typedef struct {
    ode_offset x, line, row;
} eulercl_neighbours;

void eulercl_add_square(double *sum, double difference) { *sum += difference * difference; }

void eulercl_add_point(
    double *f, double value, ode_real right, ode_real across, ode_real below, double first) {
    const double difference = value - first;
    f[SUM] += difference;
    eulercl_add_square(&f[SQUARES], difference);
    eulercl_add_square(&f[SLOPES], (double)right - value);
#if RANK == 3
    eulercl_add_square(&f[SLOPES + 1], (double)across - value);
#endif
#if RANK > 1
    eulercl_add_square(&f[SLOPES + RANK - 1], (double)below - value);
#endif
}

/* Add the points of a line, `count` from y on, each LANES behind the last one, to the sums of a
 * lane; `at_end`: how far the neighbour along x is of the one that is the last of the line. */
void eulercl_add_line(double *f, __global const ode_real *y, ode_offset count,
    ode_offset components, eulercl_neighbours far, int has_last, ode_offset at_end, double first) {
    const ode_offset step = LANES * components;
    ode_offset i = 0;
    for (; i + AHEAD < count; i += AHEAD, y += AHEAD * step) {
        ode_real value[AHEAD], right[AHEAD], across[AHEAD], below[AHEAD];
        for (int k = 0; k < AHEAD; k++) {
            value[k] = y[k * step];
            right[k] = y[k * step + far.x];
            across[k] = y[k * step + far.line];
            below[k] = y[k * step + far.row];
        }
        for (int k = 0; k < AHEAD; k++)
            eulercl_add_point(f, (double)value[k], right[k], across[k], below[k], first);
    }
    for (; i < count; i++, y += step)
        eulercl_add_point(f, (double)y[0], y[i == count - 1 && has_last ? at_end : far.x],
            y[far.line], y[far.row], first);
}

/* One work-group per part of `share` of the components start .. stop - 1, whole rows. `origin` and
 * `total` are the numbers of the grid's first component and of the one behind its last. Lane l has
 * every LANES-th grid point. */
__kernel void eulercl_length(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset origin, ode_offset total, ode_offset points,
    ode_offset lines, ode_offset components, ode_offset component, int rings,
    __local double *sums) {
    const ode_offset begin = start + (ode_offset)get_group_id(0) * share,
                     end = stop - begin < share ? stop : begin + share,
                     items = (ode_offset)get_local_size(0),
                     width = RANK == 1 ? (end - begin) / components : points,
                     line_size = width * components, row_size = line_size * lines;
    const int is_ring = rings >> (RANK - 1) & 1;
    const double first = (double)y[begin + component];
    for (ode_offset lane = (ode_offset)get_local_id(0); lane < LANES; lane += items) {
        double f[NUMBERS] = {lane ? 0 : first, 0, 0, 0, 0, 0};
        ode_offset line = 0;
        for (ode_offset at = begin; at < end; at += line_size) {
            const ode_offset before = ((at - origin) / components) % LANES,
                             x = (LANES + lane - before) % LANES,
                             count = x < width ? (width - x - 1) / LANES + 1 : 0;
            eulercl_neighbours far = {components, 0, 0};
            ode_offset at_end = rings & 1 ? components - line_size : 0;
#if RANK == 1
            if (end < total)
                at_end = components;
            else
                at_end = is_ring ? origin + components - total : 0;
#else
            const ode_offset row = at - line * line_size + row_size;
            far.row = row < total ? row_size : is_ring ? row_size - (total - origin) : 0;
#endif
#if RANK == 3
            far.line = line + 1 < lines ? line_size : rings & 2 ? line_size - row_size : 0;
            line = line + 1 < lines ? line + 1 : 0;
#endif
            eulercl_add_line(f, y + at + component + x * components, count, components, far,
                (width - 1 - x) % LANES == 0, at_end, first);
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
