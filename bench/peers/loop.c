/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.c - loops by hand, one fused pass over the state per step: u and v of a point side by side,
 * u and v apart in arrays of their own, the same with stores past the caches, and, as the thesis
 * has it, one call per component through a pointer.
 */
#include "rhs.h"
#include <stdlib.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

enum { PAGE_REALS = 4096 / sizeof(real) };

struct state {
    real *y; /* all components, or u */
    real *v; /* NULL, or v */
};

struct loop {
    struct task task;
    struct state states[2]; /* states[turn] is now */
    int turn;
};

/* Arrays that begin at the same place within a page make loads and stores wait for each other, so
 * they are spread over it. */
static void *create_arrays(const struct task *task, int arrays) {
    struct loop *loop = malloc(sizeof *loop);
    const int64_t reals = 2 * task->n / arrays,
                  stride = (reals + PAGE_REALS - 1) / PAGE_REALS * PAGE_REALS + PAGE_REALS / arrays;
    if (!loop) peer_fail(7, "out of memory");
    real *memory = peer_allocate(arrays * stride);
    *loop = (struct loop){
        .task = *task, .states = {{memory, NULL}, {memory + arrays / 2 * stride, NULL}}};
    for (int k = 0; k < 2 && arrays == 4; k++) loop->states[k].v = loop->states[k].y + stride;
    return loop;
}

static void *create_interleaved(const struct task *task) { return create_arrays(task, 2); }
static void *create_separate(const struct task *task) { return create_arrays(task, 4); }

static void destroy(void *self) {
    struct loop *loop = self;
    free(loop->states[0].y);
    free(loop);
}

static void set(void *self, const real *y) {
    struct loop *loop = self;
    const struct state to = loop->states[loop->turn = 0];
    for (int64_t i = 0; i < loop->task.n; i++)
        (!to.v ? to.y + i : i % 2 ? to.v + i / 2 : to.y + i / 2)[0] = y[i];
}

static void get(void *self, real *y) {
    const struct loop *loop = self;
    const struct state from = loop->states[loop->turn];
    for (int64_t i = 0; i < loop->task.n; i++)
        y[i] = !from.v ? from.y[i] : i % 2 ? from.v[i / 2] : from.y[i / 2];
}

INLINE void interleaved(
    const struct task *task, struct share share, struct state from, struct state to, real h) {
    pass(task, share, from.y, to.y, h, 1);
}

/* These are not inlined, because clang vectorises them only if they are not between other rows. */
#define CALLED static __attribute__((noinline))

/* Points first .. last - 1 of the string; their next values begin at next_u and next_v. */
CALLED void string_points(const struct task *task, const real *__restrict u,
    const real *__restrict v, int64_t first, int64_t last, real *__restrict next_u,
    real *__restrict next_v, real h) {
    const int64_t points = task->n / 2;
#define POINT(i, left, right)                                            \
    do {                                                                 \
        next_u[(i)-first] = fused(h, v[i], u[i]);                        \
        next_v[(i)-first] = fused(h, string_v(left, u[i], right), v[i]); \
    } while (0)
    if (!first) POINT(0, 0, u[1]);
    if (last == points) POINT(points - 1, u[points - 2], 0);
#pragma omp simd
    for (int64_t i = first ? first : 1; i < (last < points ? last : points - 1); i++)
        POINT(i, u[i - 1], u[i + 1]);
#undef POINT
}

/* The points of row iy of the grid, where u and v begin. */
CALLED void bruss2d_points(const struct task *task, const real *__restrict u,
    const real *__restrict v, int64_t iy, int64_t first, int64_t last, real *__restrict next_u,
    real *__restrict next_v, real h) {
    const int64_t m = task->m, above = iy > 0 ? -m : m, below = iy < m - 1 ? m : -m;
    const real d = bruss2d_d(task);
#define POINT(ix, left, right)                                                               \
    do {                                                                                     \
        const real lu = laplace(u[ix], u[above + (ix)], u[below + (ix)], u[left], u[right]); \
        const real lv = laplace(v[ix], v[above + (ix)], v[below + (ix)], v[left], v[right]); \
        next_u[(ix)-first] = fused(h, bruss2d_u(d, u[ix], v[ix], lu), u[ix]);                \
        next_v[(ix)-first] = fused(h, bruss2d_v(d, u[ix], v[ix], lv), v[ix]);                \
    } while (0)
    if (!first) POINT(0, 1, 1);
    if (last == m) POINT(m - 1, m - 2, m - 2);
#pragma omp simd
    for (int64_t ix = first ? first : 1; ix < (last < m ? last : m - 1); ix++)
        POINT(ix, ix - 1, ix + 1);
#undef POINT
}

/* A copy past the caches: an ordinary store to memory first reads what it overwrites. */
INLINE void stream(real *to, const real *from, int64_t count) {
    int64_t i = 0;
#ifdef __AVX__
    for (; i < count && (uintptr_t)(to + i) % sizeof(__m256i); i++) to[i] = from[i];
    for (; i + (int64_t)(sizeof(__m256i) / sizeof *to) <= count; i += sizeof(__m256i) / sizeof *to)
        _mm256_stream_si256((__m256i *)(to + i), _mm256_loadu_si256((const __m256i *)(from + i)));
#endif
    for (; i < count; i++) to[i] = from[i];
}

enum { BLOCK = 256 }; /* points whose next values wait in the cache */

INLINE void row_separate(const struct task *task, struct state from, struct state to, int64_t iy,
    int64_t begin, int64_t end, real h, int streamed) {
    _Alignas(64) real block_u[BLOCK], block_v[BLOCK];
    real *const u = to.y + task->m * iy, *const v = to.v + task->m * iy;
    for (int64_t first = begin, last; first < end; first = last) {
        last = streamed && (first / BLOCK + 1) * BLOCK < end ? (first / BLOCK + 1) * BLOCK : end;
        real *const next_u = streamed ? block_u : u + first, *const next_v =
                                                                 streamed ? block_v : v + first;
        if (task->two_dimensional)
            bruss2d_points(task, from.y + task->m * iy, from.v + task->m * iy, iy, first, last,
                next_u, next_v, h);
        else
            string_points(task, from.y, from.v, first, last, next_u, next_v, h);
        if (!streamed) continue;
        stream(u + first, block_u, last - first);
        stream(v + first, block_v, last - first);
    }
}

INLINE void separate_pass(const struct task *task, struct share share, struct state from,
    struct state to, real h, int streamed) {
    if (!task->two_dimensional)
        row_separate(task, from, to, 0, share.begin, share.end, h, streamed);
    else
        for (int64_t iy = share.begin; iy < share.end; iy++)
            row_separate(task, from, to, iy, 0, task->m, h, streamed);
#ifdef __AVX__
    if (streamed) _mm_sfence();
#endif
}

INLINE void separate(
    const struct task *task, struct share share, struct state from, struct state to, real h) {
    separate_pass(task, share, from, to, h, 0);
}
INLINE void streamed(
    const struct task *task, struct share share, struct state from, struct state to, real h) {
    separate_pass(task, share, from, to, h, 1);
}

/* The derivative of component i. */
typedef real component(const struct task *task, int64_t i, const real *y);

static real string_component(const struct task *task, int64_t i, const real *y) {
    return i % 2 == 0 ? y[i + 1]
                      : string_v(i > 1 ? y[i - 3] : 0, y[i - 1], i + 1 < task->n ? y[i + 1] : 0);
}

static real bruss2d_component(const struct task *task, int64_t i, const real *y) {
    const int64_t m = task->m, row = 2 * m, iy = i / row, ix = i % row / 2;
    const real around =
        laplace(y[i], y[iy > 0 ? i - row : i + row], y[iy < m - 1 ? i + row : i - row],
            y[ix > 0 ? i - 2 : i + 2], y[ix < m - 1 ? i + 2 : i - 2]);
    return i % 2 == 0 ? bruss2d_u(bruss2d_d(task), y[i], y[i + 1], around)
                      : bruss2d_v(bruss2d_d(task), y[i - 1], y[i], around);
}

/* volatile: the compiler must not look through the pointers */
static component *volatile string_pointer = string_component, *volatile bruss2d_pointer =
                                                                  bruss2d_component;

INLINE void calls(
    const struct task *task, struct share share, struct state from, struct state to, real h) {
    const int64_t components = task->two_dimensional ? 2 * task->m : 2;
    component *const f = task->two_dimensional ? bruss2d_pointer : string_pointer;
    const real *__restrict y = from.y;
    real *__restrict out = to.y;
    for (int64_t i = share.begin * components; i < share.end * components; i++)
        out[i] = fused(h, f(task, i, y), y[i]);
}

/* One parallel region for all steps, a barrier after each. */
#define ADVANCE(NAME, PASS)                                                               \
    static void NAME(void *self, double h, int64_t steps) {                               \
        struct loop *loop = self;                                                         \
        const struct loop now = *loop;                                                    \
        _Pragma("omp parallel num_threads(now.task.threads) if (now.task.threads > 1)") { \
            const struct share share = share_of(&now.task, omp_get_thread_num());         \
            for (int64_t s = 0; s < steps; s++) {                                         \
                PASS(&now.task, share, now.states[(now.turn + s) % 2],                    \
                    now.states[(now.turn + s + 1) % 2], (real)h);                         \
                if (now.task.threads > 1) {                                               \
                    _Pragma("omp barrier")                                                \
                }                                                                         \
            }                                                                             \
        }                                                                                 \
        loop->turn = (int)((now.turn + steps) % 2);                                       \
    }
ADVANCE(advance_interleaved, interleaved)
ADVANCE(advance_separate, separate)
ADVANCE(advance_streamed, streamed)
ADVANCE(advance_calls, calls)

int main(int argc, char **argv) {
    static const struct peer peers[] = {
        {COMPILER " loop", 0, 0, create_interleaved, set, advance_interleaved, get, destroy},
        {COMPILER " loop (apart)", 0, 0, create_separate, set, advance_separate, get, destroy},
        {COMPILER " loop (streamed)", 0, 0, create_separate, set, advance_streamed, get, destroy},
        {COMPILER " call per component", 0, 0, create_interleaved, set, advance_calls, get,
            destroy},
    };
    return peer_main(argc, argv, peers, sizeof peers / sizeof *peers, NULL);
}
