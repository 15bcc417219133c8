/* SPDX-License-Identifier: BSD-2-Clause */
/* length.cl - sums of differences from the first value of a part, of their squares, and of those of
   the differences of neighbouring points: a program of its own, with prelude.cl before it, for
   grids of RANK axes. lib/observe/length.c does the same on the host, in the same order. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { FIRST, SUM, SQUARES, SLOPES, NUMBERS = SLOPES + 3 };
enum { LANES = 256, BLOCK = 8 };

void eulercl_add_square(double *sum, double difference) {
    *sum = fma(difference, difference, *sum);
}

/* A value, and those of the next points along x, lines and rows. */
void eulercl_add_point(
    double *f, double value, double right, double below, double behind, double first) {
    const double difference = value - first;
    f[SUM] += difference;
    eulercl_add_square(&f[SQUARES], difference);
    eulercl_add_square(&f[SLOPES], right - value);
#if RANK > 1
    eulercl_add_square(&f[SLOPES + 1], below - value);
#endif
#if RANK > 2
    eulercl_add_square(&f[SLOPES + 2], behind - value);
#endif
}

/* Lines, one `line` components behind the other; `next`: how far the one behind the last is, and
 * `behind`: how far the same line of the next row. */
typedef struct {
    int count;
    ode_offset line, next, behind;
} eulercl_lines;

ode_offset eulercl_line(const eulercl_lines *lines, int k) {
    return k < lines->count ? k * lines->line : (lines->count - 1) * lines->line + lines->next;
}

/* Two neighbouring points. With `pairs` they are aligned and have one component each, so that
 * they are loaded together. */
ode_real2 eulercl_pair(__global const ode_real *y, ode_offset components, const int pairs) {
    return pairs ? *(__global const ode_real2 *)y : (ode_real2)(y[0], y[components]);
}
/* The columns of two neighbouring points y and y + components; the next point is y + far. All
 * values are loaded before they are needed. Those of a line are the neighbours of the line before
 * it. */
void eulercl_add_block(double f[2][NUMBERS], __global const ode_real *y, const eulercl_lines *lines,
    ode_offset components, ode_offset far, const int pairs, double first) {
    ode_real2 value[BLOCK + 1], behind[BLOCK];
    ode_real right[BLOCK];
    __attribute__((opencl_unroll_hint)) for (int k = 0; k <= BLOCK; k++) value[k] =
        eulercl_pair(y + eulercl_line(lines, k), components, pairs);
    __attribute__((opencl_unroll_hint)) for (int k = 0; k < BLOCK; k++) {
        __global const ode_real *line = y + k * lines->line;
        right[k] = line[far];
        behind[k] = RANK > 2 ? eulercl_pair(line + lines->behind, components, pairs) : 0;
    }
    double2 a = (double2)((double)value[0].x, (double)value[0].y);
    __attribute__((opencl_unroll_hint)) for (int k = 0; k < BLOCK; k++) {
        const double2 b = (double2)((double)value[k + 1].x, (double)value[k + 1].y);
        eulercl_add_point(f[0], a.x, a.y, b.x, (double)behind[k].x, first);
        eulercl_add_point(f[1], a.y, (double)right[k], b.y, (double)behind[k].y, first);
        a = b;
    }
}

/* One column; far: how far the next point along x is. */
void eulercl_add_column(double *f, __global const ode_real *y, const eulercl_lines *lines,
    ode_offset far, double first) {
    for (int k = 0; k < lines->count; k++) {
        __global const ode_real *line = y + k * lines->line;
        eulercl_add_point(f, (double)line[0], (double)line[far],
            (double)y[eulercl_line(lines, k + 1)], (double)line[lines->behind], first);
    }
}

/* Columns 2 l and 2 l + 1, and those 2 LANES further on and so on, of some lines, where l is the
 * lane. `last`: how far the next point along x is of the last one of a line. */
void eulercl_add_lines(double f[2][NUMBERS], __global const ode_real *y, const eulercl_lines *lines,
    ode_offset lane, ode_offset width, ode_offset components, ode_offset last, const int pairs,
    double first) {
    ode_offset x = 2 * lane;
#if RANK == 1
    const eulercl_lines ahead = {BLOCK, 2 * LANES * components, 0, 0};
    for (; x + 2 * LANES * (BLOCK - 1) + 2 < width; x += 2 * LANES * BLOCK)
        eulercl_add_block(f, y + x * components, &ahead, components, 2 * components, pairs, first);
#endif
    for (; x < width; x += 2 * LANES) {
        __global const ode_real *column = y + x * components;
        const ode_offset far = x + 2 < width ? 2 * components : components + last;
        if (x + 1 == width)
            eulercl_add_column(f[0], column, lines, last, first);
        else if (lines->count == BLOCK)
            eulercl_add_block(f, column, lines, components, far, pairs, first);
        else {
            eulercl_add_column(f[0], column, lines, components, first);
            eulercl_add_column(f[1], column + components, lines, far - components, first);
        }
    }
}

/* One work-group per part of `share` of the components start .. stop - 1, whole rows. `origin` and
 * `total` are the numbers of the grid's first component and of the one behind its last. */
__kernel void eulercl_length(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset origin, ode_offset total, ode_offset points,
    ode_offset lines, ode_offset components, ode_offset component, int rings,
    __local double *sums) {
    const ode_offset begin = start + (ode_offset)get_group_id(0) * share,
                     end = stop - begin < share ? stop : begin + share,
                     items = (ode_offset)get_local_size(0),
                     width = RANK == 1 ? (end - begin) / components : points,
                     line = width * components, row = line * lines, all = total - origin;
    const int is_ring = rings >> (RANK - 1) & 1;
    /* Lines that are walked along: those of a row, or else all. */
    const ode_offset walk = RANK == 3 ? row : end - begin, walked = walk / line;
#if RANK == 1
    const ode_offset last = end < total ? components : is_ring ? components - all : 0;
#else
    const ode_offset last = rings & 1 ? components - line : 0;
#endif
    const int pairs = components == 1 && line % 2 == 0 && begin % 2 == 0;
    const double first = (double)y[begin + component];
    for (ode_offset lane = (ode_offset)get_local_id(0); lane < LANES; lane += items) {
        double f[2][NUMBERS] = {{lane ? 0 : first, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
        for (ode_offset at = begin; at < end; at += walk)
            for (ode_offset k = 0; k < walked; k += BLOCK) {
                eulercl_lines some = {walked - k < BLOCK ? (int)(walked - k) : BLOCK, line, 0, 0};
#if RANK == 2
                const ode_offset next = at + (k + some.count) * line;
                some.next = next < total ? line : is_ring ? line - all : 0;
#elif RANK == 3
                some.next = k + some.count < lines ? line : rings & 2 ? line - row : 0;
                some.behind = at + row < total ? row : is_ring ? row - all : 0;
#endif
                __global const ode_real *from = y + at + k * line + component;
                if (pairs)
                    eulercl_add_lines(f, from, &some, lane, width, 1, last, 1, first);
                else
                    eulercl_add_lines(f, from, &some, lane, width, components, last, 0, first);
            }
        for (int i = 0; i < NUMBERS; i++) sums[i * LANES + lane] = f[0][i] + f[1][i];
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
