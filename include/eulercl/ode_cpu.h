/* ode_cpu.h - the CPU code of a problem: a level of the explicit Euler method, or the derivatives
 * alone, over a range of components, the right-hand side inlined.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Read once per precision by ode_problem.h, after ode_forms.h. The body is instantiated for several
 * instruction sets; which one runs is chosen from the processor. The plain one is right everywhere,
 * and slow where fma is a library call.
 */
#ifdef __clang__
#pragma clang diagnostic ignored \
    "-Wpass-failed" /* a loop that cannot be vectorised is none of the user's business */
#define ODE_INDEPENDENT_ _Pragma("clang loop vectorize(assume_safety)")
#define ODE_LANE_LOOP_ ODE_INDEPENDENT_
#else
#define ODE_INDEPENDENT_ _Pragma("GCC ivdep")
#define ODE_LANE_LOOP_ \
    _Pragma("GCC ivdep") _Pragma("GCC unroll 1") /* vectors instead of copies for each lane */
#endif
/* Loops over the values around a point are unrolled, so that these stay in registers. Where there
   are far more values than registers, unrolling would gain nothing, and 64 components would take
   the compiler half a minute. */
#if ODE_GRID && ODE_COMPONENTS > 4
#if ODE_WINDOW_SIZE(ODE_WINDOW_WIDTH) > \
    100 /* it stands in a line of its own, since without a grid it has no meaning */
#define ODE_UNROLLED_
#endif
#endif
#ifdef ODE_UNROLLED_
#elif defined(__clang__)
#define ODE_UNROLLED_ _Pragma("clang loop unroll(full)")
#else
#define ODE_UNROLLED_ _Pragma("GCC unroll 1024")
#endif

ODE_INLINE ODE_NAMED(ode_view)
    ODE_NAMED(ode_view_of)(const struct ode_context *context, ODE_VALUE *constants) {
    /* A private copy, so that the compiler knows that no store into the state changes it; one by
     * one, so that it needs no memory. */
    ODE_UNROLLED_
    for (int k = 0; k < ODE_CONSTANT_COUNT; k++)
        constants[k] = ((const ODE_VALUE *)context->constants)[k];
    return (ODE_NAMED(ode_view)){context->n, context->nx, context->ny, constants, context->fields};
}
#define ODE_VIEW_                                \
    ODE_VALUE constants[ODE_CONSTANT_COUNT + 1]; \
    const ODE_NAMED(ode_view) view = ODE_NAMED(ode_view_of)(context, constants);

static ODE_VALUE ODE_NAMED(ode_call_eval_comp)(
    const struct ode_context *context, ode_index i, ODE_VALUE t, const ODE_VALUE *y) {
    const ODE_NAMED(ode_view) view = {
        context->n, context->nx, context->ny, context->constants, context->fields};
    return ODE_NAMED(ode_eval_comp)(y, &view, i, t);
}

enum { ODE_NAMED(ODE_STEP), ODE_NAMED(ODE_DERIVATIVES) };
/* What a pass over a range stores of a component: its value one step later or, with DERIVATIVES as
 * `what`, its derivative. */
ODE_INLINE ODE_VALUE ODE_NAMED(ode_stored)(
    const int what, ODE_VALUE h, ODE_VALUE dot, ODE_VALUE y) {
    return what == ODE_NAMED(ODE_DERIVATIVES) ? dot : ODE_UPDATE(ODE_NAMED(ode_fma), h, dot, y);
}

ODE_INLINE void ODE_NAMED(ode_step_components)(const int what, const ODE_NAMED(ode_view) *view,
    ODE_VALUE *restrict out, const ODE_VALUE *restrict in, ode_index begin, ode_index end,
    ODE_VALUE t, ODE_VALUE h) {
    ODE_INDEPENDENT_
    for (ode_index i = begin; i < end; i++)
        out[i] = ODE_NAMED(ode_stored)(what, h, ODE_NAMED(ode_eval_comp)(in, view, i, t), in[i]);
}

#if ODE_GRID
/* Points ix0 .. ix1 - 1 of row iy: the inner ones without any test. */
ODE_INLINE void ODE_NAMED(ode_step_inner)(const int what, const ODE_NAMED(ode_view) *view,
    ODE_VALUE *restrict out, const ODE_VALUE *restrict in, ode_index ix0, ode_index ix1,
    ode_index iy, ODE_VALUE t, ODE_VALUE h) {
    const ode_index nx = view->nx, ny = view->ny, row = iy * nx;
    ODE_INDEPENDENT_
    for (ode_index ix = ix0; ix < ix1; ix++) {
        const ODE_VALUE *y = in + (row + ix) * ODE_COMPONENTS;
        ODE_VALUE dot[ODE_COMPONENTS];
        ODE_POINT(y, nx * ODE_COMPONENTS, view->constants, view->fields + (row + ix) * ODE_FIELDS,
            t, ix, iy, nx, ny, dot);
        for (int c = 0; c < ODE_COMPONENTS; c++)
            out[(row + ix) * ODE_COMPONENTS + c] = ODE_NAMED(ode_stored)(what, h, dot[c], y[c]);
    }
}

/* The same for points that may read beyond the boundary. */
ODE_INLINE void ODE_NAMED(ode_step_edge)(const int what, const ODE_NAMED(ode_view) *view,
    ODE_VALUE *restrict out, const ODE_VALUE *restrict in, ode_index ix0, ode_index ix1,
    ode_index iy, ODE_VALUE t, ODE_VALUE h) {
    for (ode_index ix = ix0; ix < ix1; ix++) {
        const ode_index first = (iy * view->nx + ix) * ODE_COMPONENTS;
        ODE_VALUE dot[ODE_COMPONENTS];
        ODE_NAMED(ode_any_point)(in, view, t, ix, iy, dot);
        for (int c = 0; c < ODE_COMPONENTS; c++)
            out[first + c] = ODE_NAMED(ode_stored)(what, h, dot[c], in[first + c]);
    }
}
#endif

ODE_INLINE void ODE_NAMED(ode_step_body)(const int what, const struct ode_context *context,
    void *out_, const void *in_, ode_index begin, ode_index end, double t_, double h_) {
    ODE_VALUE *restrict out = out_;
    const ODE_VALUE *restrict in = in_;
    const ODE_VALUE t = (ODE_VALUE)t_, h = (ODE_VALUE)h_;
    ODE_VIEW_
#if ODE_GRID
    /* Whole points go row by row; components of points cut by the range's ends one by one. What is
       done in two places is a loop of two turns, because each copy of the right-hand side takes the
       compiler as long again. */
    ode_index point = begin / ODE_COMPONENTS + (begin % ODE_COMPONENTS != 0);
    const ode_index last = end / ODE_COMPONENTS;
    const ode_index cut[2][2] = {{begin, point > last ? end : point * ODE_COMPONENTS},
        {last * ODE_COMPONENTS, point > last ? last * ODE_COMPONENTS : end}};
    for (int k = 0; k < 2; k++)
        ODE_NAMED(ode_step_components)(what, &view, out, in, cut[k][0], cut[k][1], t, h);
    while (point < last) {
        const ode_index iy = ODE_GRID == 2 ? point / view.nx : 0, ix0 = point - iy * view.nx;
        const ode_index ix1 = last - point < view.nx - ix0 ? ix0 + (last - point) : view.nx;
#if ODE_GRID == 2
        const int inner_row = iy >= ODE_RADIUS && iy + ODE_RADIUS < view.ny;
#else
        const int inner_row = 1;
#endif
        ode_index a = inner_row ? ODE_RADIUS : ix1, b = inner_row ? view.nx - ODE_RADIUS : ix1;
        a = a < ix0 ? ix0 : a > ix1 ? ix1 : a;
        b = b < a ? a : b > ix1 ? ix1 : b;
        const ode_index edges[2][2] = {{ix0, a}, {b, ix1}};
        for (int k = 0; k < 2; k++)
            ODE_NAMED(ode_step_edge)(what, &view, out, in, edges[k][0], edges[k][1], iy, t, h);
        ODE_NAMED(ode_step_inner)(what, &view, out, in, a, b, iy, t, h);
        point += ix1 - ix0;
    }
#elif ODE_HAS_EVAL_COMP4
    const ode_index i4 = begin / 4 + (begin % 4 != 0), last4 = end / 4;
    if (i4 > last4) {
        ODE_NAMED(ode_step_components)(what, &view, out, in, begin, end, t, h);
        return;
    }
    ODE_NAMED(ode_step_components)(what, &view, out, in, begin, 4 * i4, t, h);
    for (ode_index q = i4; q < last4; q++) {
        ODE_VALUE dot[4];
        ODE_NAMED(ode_eval_comp4)(in, &view, q, t, dot);
        for (int k = 0; k < 4; k++)
            out[4 * q + k] = ODE_NAMED(ode_stored)(what, h, dot[k], in[4 * q + k]);
    }
    ODE_NAMED(ode_step_components)(what, &view, out, in, 4 * last4, end, t, h);
#else
    ODE_NAMED(ode_step_components)(what, &view, out, in, begin, end, t, h);
#endif
}

/* Whether this compiler, for this instruction set, joins a * b + c: (1 + e)(1 - e) - 1 is 0 when
   the product is rounded. Alone, and where neighbouring components alternate a * b - c and a * b +
   c, in a loop like the steps'. */
ODE_INLINE int ODE_NAMED(ode_contracts_body)(void) {
    enum { VALUES = 128 };
    const ODE_VALUE e =
        sizeof(ODE_VALUE) == sizeof(float) ? (ODE_VALUE)0x1p-13f : (ODE_VALUE)0x1p-30f;
    volatile ODE_VALUE a = 1 + e, b = 1 - e, c = -1;
    const ODE_VALUE x = a, y = b, z = c;
    ODE_VALUE factors[VALUES], others[VALUES], terms[VALUES], sums[VALUES];
    for (int k = 0; k < VALUES; k++) {
        factors[k] = a;
        others[k] = b;
        terms[k] = k % 2 ? c : -c;
    }
    ODE_INDEPENDENT_
    for (int k = 0; k < VALUES; k += 2) {
        sums[k] = factors[k] * others[k] - terms[k];
        sums[k + 1] = ODE_APART_(factors[k + 1] * others[k + 1] + terms[k + 1]);
    }
    int joined = x * y + z != 0;
    for (int k = 0; k < VALUES; k++) joined |= sums[k] != 0;
    return joined;
}

#if ODE_GRID
/* What stands outside a FIXED boundary, per component. */
static void ODE_NAMED(ode_call_outside)(const struct ode_context *context, double t, void *values) {
    for (int c = 0; c < ODE_COMPONENTS; c++)
        ((ODE_VALUE *)values)[c] = ODE_BOUNDARY == ODE_FIXED
                                       ? ODE_NAMED(ode_outside)(context->constants, (ODE_VALUE)t, c)
                                       : 0;
}
#endif

#define ODE_FOR_TARGET_(ISA, TARGET)                                                             \
    TARGET static void ODE_NAMED(ode_step_range_##ISA)(const struct ode_context *context,        \
        void *out, const void *in, ode_index begin, ode_index end, double t, double h) {         \
        ODE_NAMED(ode_step_body)(ODE_NAMED(ODE_STEP), context, out, in, begin, end, t, h);       \
    }                                                                                            \
    TARGET static void ODE_NAMED(ode_eval_range_##ISA)(const struct ode_context *context,        \
        void *dot, const void *y, ode_index begin, ode_index end, double t) {                    \
        ODE_NAMED(ode_step_body)(ODE_NAMED(ODE_DERIVATIVES), context, dot, y, begin, end, t, 0); \
    }                                                                                            \
    TARGET static void ODE_NAMED(ode_eval_comp4_##ISA)(                                          \
        const struct ode_context *context, ode_index i4, double t, const void *y, void *dot) {   \
        ODE_VIEW_                                                                                \
        ODE_NAMED(ode_eval_comp4)(y, &view, i4, (ODE_VALUE)t, dot);                              \
    }                                                                                            \
    TARGET static int ODE_NAMED(ode_contracts_##ISA)(void) {                                     \
        return ODE_NAMED(ode_contracts_body)();                                                  \
    }
#if ODE_GRID == 1
#define ODE_LANE_KERNELS_(ISA, BYTES)                                                 \
    .lanes = (BYTES) / (int)sizeof(ODE_VALUE), .levels = ODE_NAMED(ode_levels_##ISA), \
    .sweep = ODE_NAMED(ode_sweep_##ISA), .sweep_one = ODE_NAMED(ode_sweep_one_##ISA), \
    .outside = ODE_NAMED(ode_call_outside),
#elif ODE_GRID == 2
#define ODE_LANE_KERNELS_(ISA, BYTES)                                                       \
    .lanes = (BYTES) / (int)sizeof(ODE_VALUE), .step_rows = ODE_NAMED(ode_step_rows_##ISA), \
    .close_row = ODE_NAMED(ode_close_row_##ISA), .outside = ODE_NAMED(ode_call_outside),
#else
#define ODE_LANE_KERNELS_(ISA, BYTES)
#endif
#define ODE_KERNELS_(ISA, NAME, BYTES)                                             \
    {                                                                              \
        .isa = NAME, .step_range = ODE_NAMED(ode_step_range_##ISA),                \
        .eval_range = ODE_NAMED(ode_eval_range_##ISA),                             \
        .eval_comp4 = ODE_NAMED(ode_eval_comp4_##ISA),                             \
        .contracts = ODE_NAMED(ode_contracts_##ISA), ODE_LANE_KERNELS_(ISA, BYTES) \
    }

#if defined(ODE_KERNELS_ONLY)
#define ODE_KERNELS_HAVE_(INDEX) (ODE_KERNELS_ONLY == (INDEX))
#else
#define ODE_KERNELS_HAVE_(INDEX) 1
#endif
#if ODE_KERNELS_HAVE_(0)
#define ODE_ISA plain
#define ODE_TARGET
#define ODE_VECTOR_BYTES 16
#if defined(__x86_64__)
#define ODE_VECTOR_REGISTERS 16
#else
#define ODE_VECTOR_REGISTERS 32
#endif
ODE_FOR_TARGET_(plain, ODE_TARGET)
#include "ode_lanes.h"
#endif
#if defined(__x86_64__) && ODE_KERNELS_HAVE_(1)
#define ODE_ISA avx2
#define ODE_TARGET __attribute__((target("avx2,fma,bmi,bmi2")))
#define ODE_VECTOR_BYTES 32
#define ODE_VECTOR_REGISTERS 16
ODE_FOR_TARGET_(avx2, ODE_TARGET)
#include "ode_lanes.h"
#endif
#if defined(__x86_64__) && ODE_KERNELS_HAVE_(2)
#define ODE_ISA avx512
#define ODE_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2")))
#define ODE_VECTOR_BYTES 64
#define ODE_VECTOR_REGISTERS 32
ODE_FOR_TARGET_(avx512, ODE_TARGET)
#include "ode_lanes.h"
#endif
static const struct ode_kernels ODE_NAMED(ode_kernels)[] = {
#if !defined(__x86_64__)
    ODE_KERNELS_(plain, "plain", 16),
#elif ODE_KERNELS_HAVE_(0)
    ODE_KERNELS_(plain, "x86-64", 16),
#endif
#if defined(__x86_64__) && ODE_KERNELS_HAVE_(1)
    ODE_KERNELS_(avx2, "avx2", 32),
#endif
#if defined(__x86_64__) && ODE_KERNELS_HAVE_(2)
    ODE_KERNELS_(avx512, "avx512", 64),
#endif
};

#undef ODE_KERNELS_HAVE_
#undef ODE_VIEW_
#undef ODE_FOR_TARGET_
#undef ODE_LANE_KERNELS_
#undef ODE_KERNELS_
#undef ODE_INDEPENDENT_
#undef ODE_LANE_LOOP_
#undef ODE_UNROLLED_
