/* SPDX-License-Identifier: BSD-2-Clause */
/* patterns.cl - how many points, and pairs, squares and cubes of neighbouring points, belong to the
   set y > level: a program of its own, with prelude.cl before it, for grids of RANK axes.
   lib/observe/patterns.c does the same on the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* As in lib/observe/observe.h. */
enum {
    POINTS,
    PAIRS,
    FULL = PAIRS + 3,
    TOUCHED = FULL + 3,
    CUBES = TOUCHED + 3,
    PATTERNS = CUBES + 2
};
enum { X = 0, LINE = 1, ROW = 2 };
enum { X_LINE = 0, X_ROW = 1, LINE_ROW = 2 };

/* A component of the state, and the sizes of its grid: points of a line along x, lines of a row. On
 * a grid of one axis all points from that of component 0 on are one line. */
typedef struct {
    __global const ode_real *y;
    ode_offset points, lines, components;
    int rings; /* a bit for each axis that is periodic */
    ode_real level;
} eulercl_set;

/* Rows whose points become the bits of a word, with a row before them and one behind them. */
enum { ROWS = 30, AHEAD = 10 };

/* Bit i: whether the point of a column in row number i of `rows` rows from component `at` on
 * belongs to the set; behind them that in row `next`; negative: there is none. */
uint eulercl_column(const eulercl_set *set, ode_offset at, int rows, ode_offset next,
    ode_offset line, ode_offset x) {
    if (x == set->points) x = set->rings & 1 ? 0 : -1;
    if (line == set->lines) line = set->rings & 2 ? 0 : -1;
    if (line < 0 || x < 0) return 0;
    const ode_offset row = set->points * set->lines * set->components;
    __global const ode_real *y = set->y + (line * set->points + x) * set->components;
    uint bits = 0;
    if (next >= 0) bits = (uint)(y[next] > set->level) << rows;
    y += at;
    int i = 0;
    for (; i + AHEAD <= rows; i += AHEAD) {
        ode_real v[AHEAD];
        for (int k = 0; k < AHEAD; k++) v[k] = y[(i + k) * row];
        for (int k = 0; k < AHEAD; k++) bits |= (uint)(v[k] > set->level) << (i + k);
    }
    for (; i < rows; i++) bits |= (uint)(y[i * row] > set->level) << i;
    return bits;
}

void eulercl_add_square(uint *counts, int square, uint a, uint b, uint c, uint d) {
    counts[FULL + square] += popcount(a & b & c & d);
    counts[TOUCHED + square] += popcount(a | b | c | d);
}

/* Count what begins with the points of a column in some rows, which are the bits that `within` has;
 * a: it, the next one along x, the next one along lines, and that along both, with the row behind.
 */
void eulercl_add(uint *counts, const uint a[4], uint within) {
    const uint b = a[1] & within, next = a[0] >> 1 & within, next1 = a[1] >> 1 & within,
               here = a[0] & within;
    counts[POINTS] += popcount(here);
    counts[PAIRS + X] += popcount(here & b);
#if RANK > 1
    counts[PAIRS + ROW] += popcount(here & next);
    eulercl_add_square(counts, X_ROW, here, b, next, next1);
#endif
#if RANK == 3
    const uint c = a[2] & within, d = a[3] & within, next2 = a[2] >> 1 & within,
               next3 = a[3] >> 1 & within;
    counts[PAIRS + LINE] += popcount(here & c);
    eulercl_add_square(counts, X_LINE, here, b, c, d);
    eulercl_add_square(counts, LINE_ROW, here, c, next, next2);
    counts[CUBES] += popcount(here & b & c & d & next & next1 & next2 & next3);
    counts[CUBES + 1] += popcount(here | b | c | d | next | next1 | next2 | next3);
#endif
}

/* `groups` work-groups per part of `share` of the components start .. stop - 1, whole rows.
 * `origin` and `total` are the numbers of the grid's first component and of the one behind its
 * last. What begins before the first point of an axis that is not periodic is counted, too. */
__kernel void eulercl_patterns(__global const ode_real *y, __global uint *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset origin, ode_offset total, ode_offset points,
    ode_offset lines, ode_offset components, ode_offset component, int rings, ode_real level,
    __local uint *sums, int groups) {
    const int part = (int)get_group_id(0) / groups, group = (int)get_group_id(0) % groups;
    const ode_offset first = start + part * share,
                     end = stop - first < share ? stop : first + share,
                     step = (ode_offset)get_local_size(0) * groups,
                     item = (ode_offset)get_local_id(0) + group * (ode_offset)get_local_size(0);
    const eulercl_set set = {y + component, points, lines, components, rings, level};
    uint counts[PATTERNS], a[4] = {0, 0, 0, 0};
    for (int i = 0; i < PATTERNS; i++) counts[i] = 0;
    for (int i = (int)get_local_id(0); i < PATTERNS; i += (int)get_local_size(0)) sums[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#if RANK == 1
    for (ode_offset x = first / components + item; x < end / components; x += step) {
        a[0] = eulercl_column(&set, 0, 1, -1, 0, x);
        a[1] = eulercl_column(&set, 0, 1, -1, 0, x + 1);
        eulercl_add(counts, a, 1);
    }
#else
    const ode_offset row = points * lines * components;
    const int x_before = !(rings & 1), line_before = RANK == 3 && !(rings & 2),
              row_before = first == origin && !(rings >> (RANK - 1) & 1);
    const ode_offset width = points + x_before, columns = width * (lines + line_before);
    for (ode_offset column = item; column < columns; column += step) {
        const ode_offset line = column / width - line_before, x = column % width - x_before;
        ode_offset behind;
        for (ode_offset at = first; at < end; at = behind) {
            const ode_offset left = (end - at) / row;
            const int rows = left < ROWS ? (int)left : ROWS, before = row_before && at == first;
            behind = at + rows * row;
            ode_offset next = behind;
            if (next == total) next = rings >> (RANK - 1) & 1 ? origin : -1;
            for (int i = 0; i < (RANK == 3 ? 4 : 2); i++)
                a[i] = eulercl_column(&set, at, rows, next, line + i / 2, x + i % 2) << before;
            eulercl_add(counts, a, (2u << (rows + before - 1)) - 1);
        }
    }
#endif
    for (int i = 0; i < PATTERNS; i++)
        if (counts[i]) atomic_add(&sums[i], counts[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < PATTERNS; i += (int)get_local_size(0))
        if (sums[i]) atomic_add(&numbers[part * PATTERNS + i], sums[i]);
}
