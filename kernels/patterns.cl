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
    double level;
} eulercl_set;

/* Does a point belong to the set? row: where its row begins; negative: there is none. */
int eulercl_has(const eulercl_set *set, ode_offset row, ode_offset line, ode_offset x) {
    if (x == set->points) x = set->rings & 1 ? 0 : -1;
    if (line == set->lines) line = set->rings & 2 ? 0 : -1;
    if (row < 0 || line < 0 || x < 0) return 0;
    return (double)set->y[row + (line * set->points + x) * set->components] > set->level;
}

/* Points (x, line), (x + 1, line), (x, line + 1), (x + 1, line + 1) of a row. */
void eulercl_square(
    const eulercl_set *set, int has[4], ode_offset row, ode_offset line, ode_offset x) {
    has[0] = eulercl_has(set, row, line, x);
    has[1] = eulercl_has(set, row, line, x + 1);
#if RANK == 3
    has[2] = eulercl_has(set, row, line + 1, x);
    has[3] = eulercl_has(set, row, line + 1, x + 1);
#endif
}

void eulercl_add_square(uint *counts, int square, int a, int b, int c, int d) {
    counts[FULL + square] += a & b & c & d;
    counts[TOUCHED + square] += a | b | c | d;
}

/* Count what begins with a point: a is its square, b that of the next row. */
void eulercl_add(uint *counts, const int a[4], const int b[4]) {
    counts[POINTS] += a[0];
    counts[PAIRS + X] += a[0] & a[1];
#if RANK > 1
    counts[PAIRS + ROW] += a[0] & b[0];
    eulercl_add_square(counts, X_ROW, a[0], a[1], b[0], b[1]);
#endif
#if RANK == 3
    counts[PAIRS + LINE] += a[0] & a[2];
    eulercl_add_square(counts, X_LINE, a[0], a[1], a[2], a[3]);
    eulercl_add_square(counts, LINE_ROW, a[0], a[2], b[0], b[2]);
    counts[CUBES] += a[0] & a[1] & a[2] & a[3] & b[0] & b[1] & b[2] & b[3];
    counts[CUBES + 1] += a[0] | a[1] | a[2] | a[3] | b[0] | b[1] | b[2] | b[3];
#endif
}

/* One work-group per part of `share` of the components start .. stop - 1, whole rows. `origin` and
 * `total` are the numbers of the grid's first component and of the one behind its last. What begins
 * before the first point of an axis that is not periodic is counted, too. */
__kernel void eulercl_patterns(__global const ode_real *y, __global uint *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset origin, ode_offset total, ode_offset points,
    ode_offset lines, ode_offset components, ode_offset component, int rings, double level,
    __local uint *sums) {
    const ode_offset first = start + (ode_offset)get_group_id(0) * share,
                     end = stop - first < share ? stop : first + share,
                     items = (ode_offset)get_local_size(0), item = (ode_offset)get_local_id(0);
    const eulercl_set set = {y + component, points, lines, components, rings, level};
    uint counts[PATTERNS];
    int a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0};
    for (int i = 0; i < PATTERNS; i++) counts[i] = 0;
    for (ode_offset i = item; i < PATTERNS; i += items) sums[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#if RANK == 1
    for (ode_offset x = first / components + item; x < end / components; x += items) {
        eulercl_square(&set, a, 0, 0, x);
        eulercl_add(counts, a, b);
    }
#else
    const ode_offset row = points * lines * components;
    const int is_before = first == origin && !(rings >> (RANK - 1) & 1);
    for (ode_offset line = RANK == 3 && !(rings & 2) ? -1 : 0; line < lines; line++)
        for (ode_offset x = item - !(rings & 1); x < points; x += items) {
            eulercl_square(&set, a, is_before ? -1 : first, line, x);
            for (ode_offset at = is_before ? first - row : first; at < end; at += row) {
                ode_offset next = at + row;
                if (next == total) next = rings >> (RANK - 1) & 1 ? origin : -1;
                eulercl_square(&set, b, next, line, x);
                eulercl_add(counts, a, b);
                for (int i = 0; i < 4; i++) a[i] = b[i];
            }
        }
#endif
    for (int i = 0; i < PATTERNS; i++)
        if (counts[i]) atomic_add(&sums[i], counts[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ode_offset i = item; i < PATTERNS; i += items)
        numbers[(ode_offset)get_group_id(0) * PATTERNS + i] = sums[i];
}
