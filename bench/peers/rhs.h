/* SPDX-License-Identifier: BSD-2-Clause */
/* rhs.h - the right-hand sides as loops by hand, in C or C++: the formulas of problems/string.c and
 * problems/bruss2d.c, with libeulercl's bits where contraction is off.
 */
#ifndef RHS_H
#define RHS_H

#include "peer.h"
#include <omp.h>

#define INLINE static inline __attribute__((always_inline))

INLINE real fused(real a, real b, real c) {
    return sizeof(real) == sizeof(float) ? (real)__builtin_fmaf((float)a, (float)b, (float)c)
                                         : (real)__builtin_fma(a, b, c);
}

INLINE real string_v(real left, real u, real right) {
    const real K2 = 25;
    return K2 * fused(-2, u, left + right);
}

INLINE real laplace(real here, real above, real below, real left, real right) {
    return fused(-4, here, (above + below) + (left + right));
}

INLINE real bruss2d_d(const struct task *task) {
    return (real)(2e-3 * (double)(task->m - 1) * (double)(task->m - 1));
}

INLINE real bruss2d_u(real d, real u, real v, real laplace_u) {
    const real A = 1, B1 = (real)(3.4 + 1);
    return fused(d, laplace_u, fused(-B1, u, A + u * u * v));
}

INLINE real bruss2d_v(real d, real u, real v, real laplace_v) {
    const real B = (real)3.4;
    return fused(d, laplace_v, fused(B, u, -(u * u * v)));
}

/* out = y + h f(y) in one pass, or out = f(y). */
INLINE void put(real *out, const real *y, int64_t i, real f, real h, int update) {
    out[i] = update ? fused(h, f, y[i]) : f;
}

/* The share of a thread: mass points, or rows of the grid. */
struct share {
    int64_t begin, end;
};

INLINE struct share share_of(const struct task *task, int thread) {
    const int64_t units = task->two_dimensional ? task->m : task->n / 2;
    const struct share share = {
        units * thread / task->threads, units * (thread + 1) / task->threads};
    return share;
}

INLINE void string_pass(const struct task *task, struct share share, const real *__restrict y,
    real *__restrict out, real h, int update) {
    const int64_t n = task->n, first = share.begin ? 2 * share.begin : 2,
                  last = 2 * share.end < n ? 2 * share.end : n - 2;
    if (!share.begin) {
        put(out, y, 0, y[1], h, update);
        put(out, y, 1, string_v(0, y[0], y[2]), h, update);
    }
#pragma omp simd
    for (int64_t i = first; i < last; i += 2) {
        put(out, y, i, y[i + 1], h, update);
        put(out, y, i + 1, string_v(y[i - 2], y[i], y[i + 2]), h, update);
    }
    if (2 * share.end == n) {
        put(out, y, n - 2, y[n - 1], h, update);
        put(out, y, n - 1, string_v(y[n - 4], y[n - 2], 0), h, update);
    }
}

/* Point ix of a row whose neighbours begin at above and below. */
INLINE void bruss2d_point(const real *above, const real *y, const real *below, real *out,
    int64_t ix, int64_t left, int64_t right, real d, real h, int update) {
    const int64_t u = 2 * ix, v = u + 1;
    put(out, y, u,
        bruss2d_u(d, y[u], y[v], laplace(y[u], above[u], below[u], y[2 * left], y[2 * right])), h,
        update);
    put(out, y, v,
        bruss2d_v(
            d, y[u], y[v], laplace(y[v], above[v], below[v], y[2 * left + 1], y[2 * right + 1])),
        h, update);
}

INLINE void bruss2d_pass(const struct task *task, struct share share, const real *__restrict y,
    real *__restrict out, real h, int update) {
    const int64_t m = task->m;
    const real d = bruss2d_d(task);
    for (int64_t iy = share.begin; iy < share.end; iy++) {
        const real *row = y + 2 * m * iy, *above = y + 2 * m * (iy > 0 ? iy - 1 : 1),
                   *below = y + 2 * m * (iy < m - 1 ? iy + 1 : m - 2);
        real *to = out + 2 * m * iy;
        bruss2d_point(above, row, below, to, 0, 1, 1, d, h, update);
#pragma omp simd
        for (int64_t ix = 1; ix < m - 1; ix++)
            bruss2d_point(above, row, below, to, ix, ix - 1, ix + 1, d, h, update);
        bruss2d_point(above, row, below, to, m - 1, m - 2, m - 2, d, h, update);
    }
}

INLINE void pass(
    const struct task *task, struct share share, const real *y, real *out, real h, int update) {
    if (task->two_dimensional)
        bruss2d_pass(task, share, y, out, h, update);
    else
        string_pass(task, share, y, out, h, update);
}

/* dot = f(y): what a library asks for. */
INLINE void right_hand_side(const struct task *task, const real *y, real *dot) {
#pragma omp parallel num_threads(task->threads) if (task->threads > 1)
    pass(task, share_of(task, omp_get_thread_num()), y, dot, 0, 0);
}
#endif
