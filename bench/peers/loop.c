/* loop.c - loops by hand, one fused pass over the state per step: u and v of a point side by side, u and v in arrays of their own, and, as the
 * thesis has it, one call per component through a pointer.
 */
#include "rhs.h"
#include <stdlib.h>

enum { PAGE_REALS = 4096 / sizeof(real) };

struct state {
    real *y;                                             /* all components, or u */
    real *v;                                             /* NULL, or v */
};

struct loop {
    struct task task;
    struct state states[2];                              /* states[turn] is now */
    int turn;
};

/* Arrays that begin at the same place within a page make loads and stores wait for each other, so they are spread over it. */
static void *create_arrays(const struct task *task, int arrays) {
    struct loop *loop = malloc(sizeof *loop);
    const int64_t reals = 2 * task->n / arrays, stride = (reals + PAGE_REALS - 1) / PAGE_REALS * PAGE_REALS + PAGE_REALS / arrays;
    if (!loop) peer_fail(7, "no memory");
    real *memory = peer_allocate(arrays * stride);
    *loop = (struct loop){.task = *task, .states = {{memory, NULL}, {memory + arrays / 2 * stride, NULL}}};
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
    for (int64_t i = 0; i < loop->task.n; i++) (!to.v ? to.y + i : i % 2 ? to.v + i / 2 : to.y + i / 2)[0] = y[i];
}

static void get(void *self, real *y) {
    const struct loop *loop = self;
    const struct state from = loop->states[loop->turn];
    for (int64_t i = 0; i < loop->task.n; i++) y[i] = !from.v ? from.y[i] : i % 2 ? from.v[i / 2] : from.y[i / 2];
}

INLINE void interleaved(const struct task *task, struct share share, struct state from, struct state to, real h) { pass(task, share, from.y, to.y, h, 1); }

INLINE void string_separate(const struct task *task, struct share share, const real *__restrict u, const real *__restrict v, real *__restrict next_u,
                            real *__restrict next_v, real h) {
    const int64_t points = task->n / 2, first = share.begin ? share.begin : 1, last = share.end < points ? share.end : points - 1;
    if (!share.begin) {
        next_u[0] = fused(h, v[0], u[0]);
        next_v[0] = fused(h, string_v(0, u[0], u[1]), v[0]);
    }
#pragma omp simd
    for (int64_t i = first; i < last; i++) {
        next_u[i] = fused(h, v[i], u[i]);
        next_v[i] = fused(h, string_v(u[i - 1], u[i], u[i + 1]), v[i]);
    }
    if (share.end == points) {
        next_u[points - 1] = fused(h, v[points - 1], u[points - 1]);
        next_v[points - 1] = fused(h, string_v(u[points - 2], u[points - 1], 0), v[points - 1]);
    }
}

INLINE void bruss2d_separate(const struct task *task, struct share share, const real *__restrict u, const real *__restrict v, real *__restrict next_u,
                             real *__restrict next_v, real h) {
    const int64_t m = task->m;
    const real d = bruss2d_d(task);
    for (int64_t iy = share.begin; iy < share.end; iy++) {
        const int64_t here = m * iy, above = m * (iy > 0 ? iy - 1 : 1), below = m * (iy < m - 1 ? iy + 1 : m - 2);
#define POINT(ix, left, right)                                                                                                       \
    do {                                                                                                                             \
        const int64_t i = here + (ix);                                                                                               \
        const real lu = laplace(u[i], u[above + (ix)], u[below + (ix)], u[here + (left)], u[here + (right)]);                          \
        const real lv = laplace(v[i], v[above + (ix)], v[below + (ix)], v[here + (left)], v[here + (right)]);                          \
        next_u[i] = fused(h, bruss2d_u(d, u[i], v[i], lu), u[i]);                                                                    \
        next_v[i] = fused(h, bruss2d_v(d, u[i], v[i], lv), v[i]);                                                                    \
    } while (0)
        POINT(0, 1, 1);
#pragma omp simd
        for (int64_t ix = 1; ix < m - 1; ix++) POINT(ix, ix - 1, ix + 1);
        POINT(m - 1, m - 2, m - 2);
    }
}

INLINE void separate(const struct task *task, struct share share, struct state from, struct state to, real h) {
    if (task->two_dimensional) bruss2d_separate(task, share, from.y, from.v, to.y, to.v, h);
    else string_separate(task, share, from.y, from.v, to.y, to.v, h);
}

/* The derivative of component i. */
typedef real component(const struct task *task, int64_t i, const real *y);

static real string_component(const struct task *task, int64_t i, const real *y) {
    return i % 2 == 0 ? y[i + 1] : string_v(i > 1 ? y[i - 3] : 0, y[i - 1], i + 1 < task->n ? y[i + 1] : 0);
}

static real bruss2d_component(const struct task *task, int64_t i, const real *y) {
    const int64_t m = task->m, row = 2 * m, iy = i / row, ix = i % row / 2;
    const real around = laplace(y[i], y[iy > 0 ? i - row : i + row], y[iy < m - 1 ? i + row : i - row], y[ix > 0 ? i - 2 : i + 2], y[ix < m - 1 ? i + 2 : i - 2]);
    return i % 2 == 0 ? bruss2d_u(bruss2d_d(task), y[i], y[i + 1], around) : bruss2d_v(bruss2d_d(task), y[i - 1], y[i], around);
}

/* volatile: the compiler must not look through the pointers */
static component *volatile string_pointer = string_component, *volatile bruss2d_pointer = bruss2d_component;

INLINE void calls(const struct task *task, struct share share, struct state from, struct state to, real h) {
    const int64_t components = task->two_dimensional ? 2 * task->m : 2;
    component *const f = task->two_dimensional ? bruss2d_pointer : string_pointer;
    const real *__restrict y = from.y;
    real *__restrict out = to.y;
    for (int64_t i = share.begin * components; i < share.end * components; i++) out[i] = fused(h, f(task, i, y), y[i]);
}

/* One parallel region for all steps, a barrier after each. */
#define ADVANCE(NAME, PASS)                                                                                                         \
    static void NAME(void *self, double h, int64_t steps) {                                                                         \
        struct loop *loop = self;                                                                                                   \
        const struct loop now = *loop;                                                                                              \
        _Pragma("omp parallel num_threads(now.task.threads) if (now.task.threads > 1)") {                                           \
            const struct share share = share_of(&now.task, omp_get_thread_num());                                                   \
            for (int64_t s = 0; s < steps; s++) {                                                                                   \
                PASS(&now.task, share, now.states[(now.turn + s) % 2], now.states[(now.turn + s + 1) % 2], (real)h);                \
                if (now.task.threads > 1) {                                                                                         \
                    _Pragma("omp barrier")                                                                                          \
                }                                                                                                                   \
            }                                                                                                                       \
        }                                                                                                                           \
        loop->turn = (int)((now.turn + steps) % 2);                                                                                 \
    }
ADVANCE(advance_interleaved, interleaved)
ADVANCE(advance_separate, separate)
ADVANCE(advance_calls, calls)

int main(int argc, char **argv) {
    static const struct peer peers[] = {
        {COMPILER " loop", 0, 0, create_interleaved, set, advance_interleaved, get, destroy},
        {COMPILER " loop (u and v apart)", 0, 0, create_separate, set, advance_separate, get, destroy},
        {COMPILER " call per component", 0, 0, create_interleaved, set, advance_calls, get, destroy},
    };
    return peer_main(argc, argv, peers, sizeof peers / sizeof *peers, NULL);
}
