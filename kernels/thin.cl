/* SPDX-License-Identifier: BSD-2-Clause */
/* thin.cl - blocks of points, which may be smoothed, become a value each: a program of its own,
   with prelude.cl before it, for grids of RANK axes. lib/observe/thin.c and smooth.c do the same on
   the host. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { MEAN, MAX, MIN };

double eulercl_fold(int mode, double a, double value) {
    if (mode == MEAN) return a + value;
    return (mode == MAX ? value > a : value < a) || isnan(a) ? value : a;
}

/* ---- smoothing ---- */

enum { MOST_RADIUS = 28 };
typedef struct {
    double weights[MOST_RADIUS + 1]; /* of the middle point, and of those at each distance */
} eulercl_mask;

/* The whole grid. `y` is the component of its first point. Steps are in components. */
typedef struct {
    __global const ode_real *y;
    long points, lines, length; /* along x, the lines of a row, the last axis */
    long x_step, line_step, row_step;
    int rings; /* a bit for each axis that is periodic */
} eulercl_grid;

/* What an item needs of a mask: `radius` points to each side; where the rows and lines begin that
 * a point is smoothed from; the columns of a line, with `radius` more at both ends. */
typedef struct {
    int radius;
    __local double *weights, *columns;
    __local long *rows, *lines;
} eulercl_smoothing;

/* A place of an axis, which goes round, or is mirrored at its ends. */
long eulercl_place(long extent, int is_ring, long place) {
    if (place >= 0 && place < extent) return place;
    const long turn = is_ring ? extent : 2 * extent, rest = (place % turn + turn) % turn;
    return rest < extent ? rest : turn - 1 - rest;
}

/* Along an axis: the middle point is first, then the pairs at the same distance, the farthest
 * first. */
double eulercl_along_x(__local const double *v, const eulercl_smoothing *s) {
    const int r = s->radius;
    double sum = v[r] * s->weights[0];
    for (int far = r; far > 0; far--) sum += (v[r - far] + v[r + far]) * s->weights[far];
    return sum;
}

double eulercl_along_rows(__global const ode_real *y, const eulercl_smoothing *s) {
    const int r = s->radius;
    double sum = (double)y[s->rows[r]] * s->weights[0];
    for (int far = r; far > 0; far--)
        sum += ((double)y[s->rows[r - far]] + (double)y[s->rows[r + far]]) * s->weights[far];
    return sum;
}

double eulercl_along_lines(__global const ode_real *y, const eulercl_smoothing *s) {
    const int r = s->radius;
    double sum = eulercl_along_rows(y + s->lines[r], s) * s->weights[0];
    for (int far = r; far > 0; far--)
        sum += (eulercl_along_rows(y + s->lines[r - far], s) +
                   eulercl_along_rows(y + s->lines[r + far], s)) *
               s->weights[far];
    return sum;
}

/* A point of a row, smoothed along all axes but x, where it may lie outside. On a grid of one axis
 * x is counted from a row of one point. */
double eulercl_column(const eulercl_grid *g, const eulercl_smoothing *s, long row, long x) {
#if RANK > 1
    __global const ode_real *const y = g->y + eulercl_place(g->points, g->rings & 1, x) * g->x_step;
    return RANK > 2 ? eulercl_along_lines(y, s) : eulercl_along_rows(y, s);
#else
    return (double)g->y[eulercl_place(g->length, g->rings & 1, row + x) * g->row_step];
#endif
}

/* Columns x - radius to x + some - 1 + radius of a line, by all items of a work-group; if only
 * every step-th one is taken, the columns around it. */
void eulercl_make_columns(const eulercl_grid *g, const eulercl_smoothing *s, long row, long line,
    long x, int some, int step) {
    const int item = (int)get_local_id(0), items = (int)get_local_size(0), around = 2 * s->radius,
              last = RANK > 1 ? RANK - 1 : 0;
    for (int i = item; i <= around; i += items) {
        const long far = i - s->radius;
        s->rows[i] = eulercl_place(g->length, g->rings >> last & 1, row + far) * g->row_step;
        s->lines[i] = eulercl_place(g->lines, g->rings >> 1 & 1, line + far) * g->line_step;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = item; c < some + around; c += items)
        if (step == 1 || c % step <= around)
            s->columns[c] = eulercl_column(g, s, row, x + c - s->radius);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* ---- blocks ---- */

/* What blocks are made of: lines of a row, and points of a line; the first one, and how many. */
typedef struct {
    long x, points, line, lines;
} eulercl_region;

/* From the columns of whole blocks, `some` in all, to values. */
void eulercl_fold_columns(
    int mode, __local const double *columns, int some, int edge, int taken, __global double *next) {
    for (int b = (int)get_local_id(0); b * edge < some; b += (int)get_local_size(0)) {
        double a = mode == MEAN ? -0.0 : NAN;
        for (int c = b * edge; c < b * edge + taken; c++) a = eulercl_fold(mode, a, columns[c]);
        next[b] = a;
    }
}

/* `slices` work-groups for each part of `share` of the components start .. stop - 1, whole layers
 * of blocks, which have n points along each axis, of which all or, with `is_every`, the first one
 * is taken. A part has `size` numbers. On a grid of one axis it is a line. `columns` has room for
 * `width` of them: values of the points of a block with the same x. They are those of whole blocks,
 * of a line or of `together` short ones; a block at the end of a line has some of no points. If
 * radius > 0, the points are smoothed, and `together` is 1; `origin` is the number of the grid's
 * first component, and `length` the points along its last axis; `smooth` has room for
 * width + 2 radius columns and the weights. */
__kernel void eulercl_thin(__global const ode_real *y, __global double *numbers, ode_offset start,
    ode_offset stop, ode_offset share, ode_offset line_points, ode_offset lines,
    ode_offset components, ode_offset component, long n, long size, const eulercl_region region,
    int width, int together, int is_every, int mode, int slices, __local double *columns,
    ode_offset origin, ode_offset length, int rings, int radius, const eulercl_mask mask,
    __local double *smooth, __local long *places) {
    const long part = (long)get_group_id(0) / slices;
    const ode_offset first = start + (ode_offset)part * share,
                     end = stop - first < share ? stop : first + share;
    const int item = (int)get_local_id(0), items = (int)get_local_size(0),
              slice = (int)get_group_id(0) % slices;
    const long deep = is_every ? 1 : n;
#if RANK > 1
    const ode_offset row = line_points * lines * components;
    const long points = region.points, rows = (end - first) / row, row_step = row;
#else
    const ode_offset row = 0;
    const long points = (end - first) / components, rows = 1, row_step = components;
#endif
    const int edge = (int)min(min(n, (long)width), points), taken = is_every ? 1 : edge,
              step = is_every ? edge : 1;
    const double none = mode == MEAN ? -0.0 : NAN; /* changes no value */
    const eulercl_grid grid = {y + origin + component, line_points, lines, length, components,
        (long)line_points * components, row_step, rings};
    const eulercl_smoothing s = {
        radius, smooth + width + 2 * radius, smooth, places, places + 2 * radius + 1};
    const long first_row = (first - origin) / row_step;
    const long across = (points + edge - 1) / edge, up = (region.lines + n - 1) / n,
               pieces = (points + width - 1) / width, turns = (up + together - 1) / together;
    __global double *const own = numbers + part * size;
    for (int far = item; radius && far <= radius; far += items) s.weights[far] = mask.weights[far];
    for (long r = 0; r < rows; r += n)
        for (long piece = slice; piece < turns * pieces; piece += slices) {
            const long block = piece / pieces * together, x = piece % pieces * width;
            const int here = (int)min((long)width, points - x),
                      wide = (here + edge - 1) / edge * edge,
                      some = (int)min((long)together, up - block) * wide;
            const long last_row = min(r + deep, rows);
            for (int c = item * step; c < some; c += items * step) {
                const int line = RANK > 2 && together > 1 ? c / wide : 0, at = c - line * wide;
                const long l = (block + line) * n, last_line = min(l + deep, region.lines);
                double a = none;
                for (long i = r; !radius && at < here && i < last_row; i++)
                    for (long j = l; j < last_line; j++)
                        a = eulercl_fold(mode, a,
                            (double)y[first + (ode_offset)i * row +
                                      (ode_offset)((region.line + j) * line_points + region.x + x +
                                                   at) *
                                          components +
                                      component]);
                columns[c] = a;
            }
            for (long i = r; radius && i < last_row; i++)
                for (long j = block * n; j < min(block * n + deep, region.lines); j++) {
                    eulercl_make_columns(
                        &grid, &s, first_row + i, region.line + j, region.x + x, here, step);
                    for (int c = item * step; c < here; c += items * step)
                        columns[c] =
                            eulercl_fold(mode, columns[c], eulercl_along_x(smooth + c, &s));
                }
            barrier(CLK_LOCAL_MEM_FENCE);
            eulercl_fold_columns(
                mode, columns, some, edge, taken, own + (r / n * up + block) * across + x / edge);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
}
