/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_cpu.h - the CPU code of a problem: a level of the explicit Euler method, or the derivatives
 * alone, over a range of components, the right-hand side inlined.
 *
 * Read once per precision by ode_engine.h, with ODE_VALUE_ and ODE_P_(x), which it undefines. It
 * reads ode_forms.h, and ode_lanes.h for each instruction set, and leaves the table
 * ODE_P_(ode_kernels) of code for all instruction sets, the plainest first. Which one runs is
 * chosen from the processor. The plain one is right everywhere, and slow where fma is a library
 * call. */
#define ODE_F_(x) ODE_P_(x)
#define ODE_MOMENT_ ODE_VALUE_
#define ODE_TIME_(moment) (moment)
#define ODE_INSTANT_ const struct ode_instant *
#define ODE_MOMENT_OF_(instant) ((ODE_VALUE_)(instant)->t)
#define ODE_IS_WEIGHTED_(instant, side) ((instant)->weighted_sides >> (side)&1)
#define ODE_MOMENT_AT_(instant, k) ((ODE_VALUE_)(instant)->times[k])
#define ODE_MOMENT_WEIGHT_(instant, k) ((ODE_VALUE_)(instant)->weights[(k)-1])
/* Each copy of the author's texts takes the compiler as long again. */
#ifdef __clang__
#define ODE_POINT_LOOP_ _Pragma("clang loop unroll(disable)")
#else
#define ODE_POINT_LOOP_ _Pragma("GCC unroll 1")
#endif
#define ODE_SPACE_
#define ODE_POINT_ ODE_P_(ode_point)
#define ODE_WINDOW_POINT_ ODE_P_(ode_point)
#define ODE_VIEW_MEMBERS_                                                                       \
    ode_index first, whole; /* of a window: its first row, or point, in the whole grid, and the \
                               extent of that */
#define ODE_CELL_(y, view, i) ((y) + (i))
#define ODE_GATHERED_(y, view, i) ((y)[i])
/* Numbers of components are those of the whole system: y points to where its first one would be. */
#define ODE_COMPONENT_(y, view, i, t) \
    ODE_P_(ode_component)(y, (view)->constants, i, ODE_MOMENT_OF_(t), (view)->whole)
#define ODE_COMPONENTS4_(y, view, i4, t, dot) \
    ODE_P_(ode_components4)(y, (view)->constants, i4, ODE_MOMENT_OF_(t), (view)->whole, dot)
#include "ode_forms.h"

#ifdef __clang__
#pragma clang diagnostic ignored \
    "-Wpass-failed" /* users need not know that a loop is not vectorised */
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
#if ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) > \
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

#ifdef __clang__
#define ODE_ROLLED_ _Pragma("clang loop unroll(disable)")
#else
#define ODE_ROLLED_ _Pragma("GCC unroll 1")
#endif

ODE_INLINE_ ODE_P_(ode_view)
    ODE_P_(ode_view_with)(const struct ode_context *context, const ODE_VALUE_ *constants) {
    const struct ode_grid *const grid = &context->grid;
    return (ODE_P_(ode_view)){context->n, {{grid->extents[0], grid->extents[1], grid->extents[2]}},
        constants, context->fields, grid->origin[ODE_LAST_AXIS_], grid->global[ODE_LAST_AXIS_]};
}

ODE_INLINE_ ODE_P_(ode_view)
    ODE_P_(ode_view_of)(const struct ode_context *context, ODE_VALUE_ *constants) {
    /* A private copy, so that the compiler knows that no store into the state changes it; one by
     * one, so that it needs no memory. */
    ODE_UNROLLED_
    for (int k = 0; k < ODE_CONSTANT_COUNT_; k++)
        constants[k] = ((const ODE_VALUE_ *)context->constants)[k];
    return ODE_P_(ode_view_with)(context, constants);
}
#define ODE_VIEW_                                  \
    ODE_VALUE_ constants[ODE_CONSTANT_COUNT_ + 1]; \
    const ODE_P_(ode_view) view = ODE_P_(ode_view_of)(context, constants);

static ODE_VALUE_ ODE_P_(ode_call_eval_comp)(
    const struct ode_context *context, ode_index i, ODE_VALUE_ t, const ODE_VALUE_ *y) {
    const ODE_P_(ode_view) view = ODE_P_(ode_view_with)(context, context->constants);
    const ode_index shift = ODE_GRID ? 0 : view.first;
    const struct ode_instant instant = ode_instant_at((double)t);
    return ODE_P_(ode_eval_comp)(y - shift, &view, i + shift, &instant);
}

#if ODE_HAS_KERNELS_(ODE_VALUE_SIZE_)
/* What a pass over a range stores of a component: its value one step later or, with
 * ODE_DERIVATIVES_ as `what`, its derivative. */
ODE_INLINE_ ODE_VALUE_ ODE_P_(ode_stored)(
    const int what, ODE_VALUE_ h, ODE_VALUE_ dot, ODE_VALUE_ y) {
    return what == ODE_DERIVATIVES_ ? dot : ODE_UPDATE_(ODE_P_(ode_fma), h, dot, y);
}

/* The same of all components of a point. */
ODE_INLINE_ void ODE_P_(ode_store_point)(const int what, const ODE_P_(ode_view) *view, ODE_VALUE_ h,
    const ODE_VALUE_ *dot, const ODE_VALUE_ *y, ODE_VALUE_ *out) {
    for (int c = 0; c < ODE_COMPONENTS; c++) out[c] = ODE_P_(ode_stored)(what, h, dot[c], y[c]);
    if (what != ODE_DERIVATIVES_) ODE_P_(ode_solve_point)(view->constants, h, out);
}

ODE_INLINE_ void ODE_P_(ode_step_components)(const int what, const ODE_P_(ode_view) *view,
    ODE_VALUE_ *restrict out, const ODE_VALUE_ *restrict in, ode_index begin, ode_index end,
    const struct ode_instant *t, ODE_VALUE_ h) {
    ODE_INDEPENDENT_
    for (ode_index i = begin; i < end; i++)
        out[i] = ODE_P_(ode_stored)(what, h, ODE_P_(ode_eval_comp)(in, view, i, t), in[i]);
}

#if ODE_GRID
/* The place of the row `rows` behind this one along the second axis. */
ODE_INLINE_ ode_axes ODE_P_(ode_row_behind)(
    const ODE_P_(ode_view) *view, ode_axes row, ode_index rows) {
    row.of[1] += rows;
    if (ODE_PERIODIC_Y_ && row.of[1] >= view->extents.of[1]) row.of[1] -= view->extents.of[1];
    return row;
}

/* `count` points of a row from `at` on: inner ones, without any test. */
ODE_INLINE_ void ODE_P_(ode_step_inner)(const int what, const ODE_P_(ode_view) *view,
    ODE_VALUE_ *restrict out, const ODE_VALUE_ *restrict in, const ode_axes at, ode_index count,
    ODE_VALUE_ t, ODE_VALUE_ h) {
    const ode_index first = ODE_P_(ode_point_number)(view, at);
    const ode_axes stride = ODE_STRIDES_(view->extents.of[0], view->extents.of[1]);
    ODE_INDEPENDENT_
    for (ode_index k = 0; k < count; k++) {
        const ODE_VALUE_ *y = in + (first + k) * ODE_COMPONENTS;
        ODE_VALUE_ dot[ODE_COMPONENTS];
        ODE_P_(ode_point)(y, stride, view->constants,
            ODE_COEFFICIENTS_(view, at.of[0] + k, at.of[1], at.of[2]), t,
            ODE_PLACE_(view, at.of[0] + k, at.of[1], at.of[2]), dot);
        ODE_P_(ode_store_point)(what, view, h, dot, y, out + (first + k) * ODE_COMPONENTS);
    }
}

/* The same for points that may read beyond the boundary. */
ODE_INLINE_ void ODE_P_(ode_step_edge)(const int what, const ODE_P_(ode_view) *view,
    ODE_VALUE_ *restrict out, const ODE_VALUE_ *restrict in, ode_axes at, ode_index count,
    const struct ode_instant *t, ODE_VALUE_ h) {
    for (const ode_index end = at.of[0] + count; at.of[0] < end; at.of[0]++) {
        const ode_index first = ODE_P_(ode_point_number)(view, at) * ODE_COMPONENTS;
        ODE_VALUE_ dot[ODE_COMPONENTS];
        ODE_P_(ode_any_point)(in, view, t, at, dot);
        ODE_P_(ode_store_point)(what, view, h, dot, in + first, out + first);
    }
}
#endif

ODE_ONE_COPY_ void ODE_P_(ode_step_body)(const int what, const struct ode_context *context,
    void *out_, const void *in_, ode_index begin, ode_index end, const struct ode_instant *t_,
    double h_) {
    ODE_VALUE_ *restrict out = out_;
    const ODE_VALUE_ *restrict in = in_;
    const ODE_VALUE_ h = (ODE_VALUE_)h_;
    /* A private copy, which no store into the state changes. */
    const struct ode_instant t = *t_;
    ODE_VIEW_
#if ODE_GRID
    /* Whole points go row by row; of derivatives those of points cut by the range's ends come one
       by one. What is done in two places is a loop of two turns, because each copy of the
       right-hand side takes the compiler as long again. */
    ode_index point = begin / ODE_COMPONENTS + (begin % ODE_COMPONENTS != 0);
    const ode_index last = end / ODE_COMPONENTS;
    const ode_index cut[2][2] = {{begin, point > last ? end : point * ODE_COMPONENTS},
        {last * ODE_COMPONENTS, point > last ? last * ODE_COMPONENTS : end}};
    for (int k = 0; what == ODE_DERIVATIVES_ && k < 2; k++)
        ODE_P_(ode_step_components)(what, &view, out, in, cut[k][0], cut[k][1], &t, h);
    while (point < last) {
        ode_axes at = ODE_P_(ode_point_at)(&view, point), middle = at;
        const ode_index nx = view.extents.of[0], ix0 = at.of[0],
                        ix1 = last - point < nx - ix0 ? ix0 + (last - point) : nx;
        middle.of[0] = ODE_RADIUS; /* is inner, or no point of the row is */
        const int is_inner = nx > 2 * ODE_RADIUS && ODE_P_(ode_is_inner)(&view, 1, middle);
        ode_index a = is_inner ? ODE_RADIUS : ix1, b = is_inner ? nx - ODE_RADIUS : ix1;
        a = a < ix0 ? ix0 : a > ix1 ? ix1 : a;
        b = b < a ? a : b > ix1 ? ix1 : b;
        const ode_index edges[2][2] = {{ix0, a}, {b, ix1}};
        for (int k = 0; k < 2; k++) {
            at.of[0] = edges[k][0];
            ODE_P_(ode_step_edge)(what, &view, out, in, at, edges[k][1] - edges[k][0], &t, h);
        }
        at.of[0] = a;
        ODE_P_(ode_step_inner)(what, &view, out, in, at, b - a, ODE_MOMENT_OF_(&t), h);
        point += ix1 - ix0;
    }
#else
    /* Those that read beyond a cut. */
    const ode_index low = begin < context->low ? context->low : begin,
                    high = end > context->high ? context->high : end;
    for (ode_index i = begin; i < low && i < end; i++)
        out[i] = ODE_P_(ode_stored)(what, h, 0, in[i]);
    for (ode_index i = high < low ? low : high; i < end; i++)
        out[i] = ODE_P_(ode_stored)(what, h, 0, in[i]);
    if (low >= high) return;
    begin = low + view.first;
    end = high + view.first;
    in -= view.first;
    out -= view.first;
#if ODE_HAS_EVAL_COMP4
    const ode_index i4 = begin / 4 + (begin % 4 != 0), last4 = end / 4;
    if (i4 > last4) {
        ODE_P_(ode_step_components)(what, &view, out, in, begin, end, &t, h);
        return;
    }
    ODE_P_(ode_step_components)(what, &view, out, in, begin, 4 * i4, &t, h);
    for (ode_index q = i4; q < last4; q++) {
        ODE_VALUE_ dot[4];
        ODE_P_(ode_eval_comp4)(in, &view, q, &t, dot);
        for (int k = 0; k < 4; k++)
            out[4 * q + k] = ODE_P_(ode_stored)(what, h, dot[k], in[4 * q + k]);
    }
    ODE_P_(ode_step_components)(what, &view, out, in, 4 * last4, end, &t, h);
#else
    ODE_P_(ode_step_components)(what, &view, out, in, begin, end, &t, h);
#endif
#endif
}

/* Whether this compiler, for this instruction set, joins a * b + c: (1 + e)(1 - e) - 1 is 0 when
   the product is rounded. Alone, and where neighbouring components alternate a * b - c and a * b +
   c, in a loop like the steps'. */
ODE_INLINE_ int ODE_P_(ode_contracts_body)(void) {
    enum { VALUES = 128 };
    const ODE_VALUE_ e =
        sizeof(ODE_VALUE_) == sizeof(float) ? (ODE_VALUE_)0x1p-13f : (ODE_VALUE_)0x1p-30f;
    volatile ODE_VALUE_ a = 1 + e, b = 1 - e, c = -1;
    const ODE_VALUE_ x = a, y = b, z = c;
    ODE_VALUE_ factors[VALUES], others[VALUES], terms[VALUES], sums[VALUES];
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

#if ODE_SOLVES_
static void ODE_P_(ode_call_solve_points)(
    const struct ode_context *context, void *u_, ode_index points, int lanes, double hb) {
    ODE_VALUE_ *const u = u_, point[ODE_COMPONENTS];
    for (ode_index i = 0; i < points * lanes; i++) {
        ODE_VALUE_ *const first = u + (i / lanes * ODE_COMPONENTS * lanes + i % lanes);
        for (int c = 0; c < ODE_COMPONENTS; c++) point[c] = first[c * lanes];
        ODE_P_(ode_solve_point)(context->constants, (ODE_VALUE_)hb, point);
        for (int c = 0; c < ODE_COMPONENTS; c++) first[c * lanes] = point[c];
    }
}
#define ODE_SOLVE_KERNEL_ .solve_points = ODE_P_(ode_call_solve_points),
#else
#define ODE_SOLVE_KERNEL_
#endif

#define ODE_FUNCTIONS_(word, name, bytes, registers, target)                                       \
    target static void ODE_P_(ode_step_range_##word)(const struct ode_context *context, void *out, \
        const void *in, ode_index begin, ode_index end, const struct ode_instant *t, double h) {   \
        ODE_P_(ode_step_body)(ODE_STEP_, context, out, in, begin, end, t, h);                      \
    }                                                                                              \
    target static void ODE_P_(ode_eval_range_##word)(const struct ode_context *context, void *dot, \
        const void *y, ode_index begin, ode_index end, const struct ode_instant *t) {              \
        ODE_P_(ode_step_body)(ODE_DERIVATIVES_, context, dot, y, begin, end, t, 0);                \
    }                                                                                              \
    target static void ODE_P_(ode_eval_comp4_##word)(const struct ode_context *context,            \
        ode_index i4, const struct ode_instant *t, const void *y, void *dot) {                     \
        ODE_VIEW_                                                                                  \
        const ode_index shift = ODE_GRID ? 0 : view.first;                                         \
        ODE_P_(ode_eval_comp4)                                                                     \
        ((const ODE_VALUE_ *)y - shift, &view, i4 + shift / 4, t, dot);                            \
    }                                                                                              \
    target static int ODE_P_(ode_contracts_##word)(void) { return ODE_P_(ode_contracts_body)(); }
/* clang-format off */
#if ODE_HAVE_(0)
ODE_ISA_plain_(ODE_FUNCTIONS_)
#if ODE_HAS_LANES_
#define ODE_ISA_ ODE_ISA_plain_
#include "ode_lanes.h"
#endif
#endif
#if ODE_HAVE_(1)
ODE_ISA_avx2_(ODE_FUNCTIONS_)
#if ODE_HAS_LANES_
#define ODE_ISA_ ODE_ISA_avx2_
#include "ode_lanes.h"
#endif
#endif
#if ODE_HAVE_(2)
ODE_ISA_avx512_(ODE_FUNCTIONS_)
#if ODE_HAS_LANES_
#define ODE_ISA_ ODE_ISA_avx512_
#include "ode_lanes.h"
#endif
#endif
/* clang-format on */

#if ODE_GRID == 1 && ODE_HAS_LANES_
#define ODE_LANE_KERNELS_(word, bytes)                                               \
    .lanes = (bytes) / (int)sizeof(ODE_VALUE_), .levels = ODE_P_(ode_levels_##word), \
    .sweep = ODE_P_(ode_sweep_##word), .sweep_one = ODE_P_(ode_sweep_one_##word),    \
    .stages = ODE_P_(ode_stages_##word), .stage_line = ODE_P_(ode_stage_line_##word),
#elif ODE_GRID > 1 && ODE_HAS_LANES_
#define ODE_LANE_KERNELS_(word, bytes)                                                      \
    .lanes = (bytes) / (int)sizeof(ODE_VALUE_), .step_rows = ODE_P_(ode_step_rows_##word),  \
    .stage_rows = ODE_P_(ode_stage_rows_##word), .close_row = ODE_P_(ode_close_row_##word), \
    .ghost_row = ODE_P_(ode_ghost_row_##word),
#else
#define ODE_LANE_KERNELS_(word, bytes)
#endif
/* clang-format off */
#define ODE_KERNELS_(word, name, bytes, registers, target) \
    {.isa = name,                                          \
        .step_range = ODE_P_(ode_step_range_##word),       \
        .eval_range = ODE_P_(ode_eval_range_##word),       \
        .eval_comp4 = ODE_P_(ode_eval_comp4_##word),       \
        .contracts = ODE_P_(ode_contracts_##word),         \
        ODE_SOLVE_KERNEL_ ODE_LANE_KERNELS_(word, bytes)},
static const struct ode_kernels ODE_P_(ode_kernels)[] = {
#if ODE_HAVE_(0)
    ODE_ISA_plain_(ODE_KERNELS_)
#endif
#if ODE_HAVE_(1)
    ODE_ISA_avx2_(ODE_KERNELS_)
#endif
#if ODE_HAVE_(2)
    ODE_ISA_avx512_(ODE_KERNELS_)
#endif
};
/* clang-format on */
#endif

#undef ODE_VALUE_SIZE_
#undef ODE_VALUE_
#undef ODE_P_
#undef ODE_CELL_
#undef ODE_VIEW_
#undef ODE_FUNCTIONS_
#undef ODE_LANE_KERNELS_
#undef ODE_SOLVE_KERNEL_
#undef ODE_KERNELS_
#undef ODE_INDEPENDENT_
#undef ODE_LANE_LOOP_
#undef ODE_UNROLLED_
#undef ODE_ROLLED_
