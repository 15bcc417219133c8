/* SPDX-License-Identifier: BSD-2-Clause */
/* words.cl - what the words of eulercl/ode_problem.h mean in OpenCL C alone. The library puts
   ode_words.h, this text and ode_functions.h in place of the problem's #include of that header. */
#define ODE_GLOBAL_ __global
#define ODE_VALUE_ ode_real

/* Kernel argument: parameters and derived constants, by value. */
typedef struct {
    ode_real value[ODE_CONSTANT_COUNT_ + 1];
} ode_constants;

/* All that equations get of the time. A time factor is a call of a function in the problem's text
   that depends on nothing but t: the host computes it once per level, and the library writes
   ode_now.ode_factor[k] in its place (lib/problem/time_factors.h). */
#ifdef ODE_TIME_FACTORS
typedef struct {
    ode_real ode_t, ode_factor[ODE_TIME_FACTORS];
} ode_moment;
#define ODE_TIME_(moment) (moment).ode_t
#else
typedef ode_real ode_moment;
#define ODE_TIME_(moment) (moment)
#endif
/* All that a stage gets of the time. Where boundary values may depend on it, at the sides whose
   bits ODE_MOVING_SIDES has, a stage sees weighted sums of them (ode_stage_value): the host writes
   reals in this order (lib/opencl/times.c). */
#ifdef ODE_MOVING_SIDES
typedef struct {
    ode_moment now;
    ode_real is_weighted, weights[ODE_STEP_POINTS - 1];
    ode_moment moments[ODE_STEP_POINTS];
} ode_instant;
#define ODE_MOMENT_OF_(instant) (instant).now
#define ODE_IS_WEIGHTED_(instant, side) (ODE_MOVING_SIDES >> (side)&1 && (instant).is_weighted != 0)
#define ODE_MOMENT_AT_(instant, k) (instant).moments[k]
#define ODE_MOMENT_WEIGHT_(instant, k) (instant).weights[(k)-1]
#else
typedef ode_moment ode_instant;
#define ODE_MOMENT_OF_(instant) (instant)
#define ODE_IS_WEIGHTED_(instant, side) 0
#define ODE_MOMENT_AT_(instant, k) (instant)
#define ODE_MOMENT_WEIGHT_(instant, k) 0
#endif
#if defined(ODE_TIME_FACTORS) || defined(ODE_MOVING_SIDES)
#define ODE_NO_INSTANT_ ((ode_instant){0})
#else
#define ODE_NO_INSTANT_ ((ode_real)0)
#endif
#define ODE_CHECKED_(x, low, high) (x)
#define ODE_CHECK_SPACINGS_(count)
#define ODE_APART_(x) (x)
#define ODE_TYPES_(VALUE) /* one precision per program: see prelude.cl */

ODE_INLINE_ ode_real ode_fma(ode_real a, ode_real b, ode_real c) { return fma(a, b, c); }
ODE_INLINE_ ode_real4 ode_fma4(ode_real4 a, ode_real4 b, ode_real4 c) { return fma(a, b, c); }
#undef fma
#define fma(a, b, c) ode_fma((ode_real)(a), (ode_real)(b), (ode_real)(c))
#define fma4(a, b, c) ode_fma4((ode_real4)(a), (ode_real4)(b), (ode_real4)(c))
/* Functions for ode_functions.h, which follows. */
#define ODE_FUNCTION1_(ours, name) \
    ODE_INLINE_ ode_real ours(ode_real a) { return name(a); }
#define ODE_FUNCTION2_(ours, name) \
    ODE_INLINE_ ode_real ours(ode_real a, ode_real b) { return name(a, b); }
#define ODE_MEAN_(ours, mean) \
    ODE_INLINE_ ode_real ours(ode_real a, ode_real b) { return mean; }
#define ODE_CALL1_(ours, a) ours((ode_real)(a))
#define ODE_CALL2_(ours, a, b) ours((ode_real)(a), (ode_real)(b))
#define ODE_OWN1_(name)
#define ODE_OWN2_(name)
#define ODE_OWN_RARE_(name)
#define ODE_MATH1_(name, a) ode_math_##name((ode_real)(a))
#define ODE_MATH2_(name, a, b) ode_math_##name((ode_real)(a), (ode_real)(b))

/* ode_y begins with component ode_origin, a multiple of 4; the author's 64-bit index fits
 * ode_offset once it is known to be good. */
#define Y(j) ode_y[(ode_offset)((j)-ode_origin)]
#define Y4(j4) ODE_LOAD4_((ode_offset)((j4)-ode_origin / 4), ode_y)
#if ODE_UNCACHED /* vload4 takes no volatile */
#define ODE_LOAD4_(j4, y) \
    ((ode_real4)((y)[4 * (j4)], (y)[4 * (j4) + 1], (y)[4 * (j4) + 2], (y)[4 * (j4) + 3]))
#else
#define ODE_LOAD4_(j4, y) vload4(j4, y)
#endif
#define ODE_MAKE4(a, b, c, d) ((ode_real4)(a, b, c, d))
#define ELEMENT(v, k) ((v).s##k)

/* ODE_EACH: values are loaded two points ahead, since compilers move no loads to before a division
   or a root, which have branches. */
#if ODE_ACCESS_ALL
typedef struct {
    ode_real of[3][ODE_COMPONENTS];
    int is_there;
} ode_others;
ODE_INLINE_ void ode_load_other(
    ode_others *others, int k, ODE_STATE const ode_real *all, ode_offset point) {
    __attribute__((opencl_unroll_hint)) for (int c = 0; c < ODE_COMPONENTS; c++) others->of[k][c] =
        all[point * ODE_COMPONENTS + c];
}
ODE_INLINE_ ode_others ode_first_others(ODE_STATE const ode_real *all, ode_offset count) {
    ode_others others;
    others.is_there = 1;
    ode_load_other(&others, 1, all, 0);
    ode_load_other(&others, 2, all, count > 1);
    return others;
}
ODE_INLINE_ int ode_next_other(
    ode_others *others, ODE_STATE const ode_real *all, ode_offset point, ode_offset count) {
    __attribute__((opencl_unroll_hint)) for (int c = 0; c < ODE_COMPONENTS; c++) {
        others->of[0][c] = others->of[1][c];
        others->of[1][c] = others->of[2][c];
    }
    ode_load_other(others, 2, all, point + 2 < count ? point + 2 : count - 1);
    return 1;
}
#if ODE_GRID
#define ODE_ALL_BEGIN_ ode_y - (ode_offset)ode_here.i[0] * ODE_COMPONENTS
#else
#define ODE_ALL_BEGIN_ ode_y - (ode_offset)ode_origin
#endif
/* Only GPUs gain by unrolling; PoCL's compiler does not unroll loops with calls, and warns. */
#ifdef ODE_ON_GPU
#define ODE_UNROLLED_EACH_ __attribute__((opencl_unroll_hint(4)))
#else
#define ODE_UNROLLED_EACH_
#endif
#define ODE_EACH(j)                                                                               \
    for (ode_others ode_other = ode_first_others(ODE_ALL_BEGIN_, (ode_offset)ODE_ALL_COUNT_);     \
         ode_other.is_there; ode_other.is_there = 0)                                              \
    ODE_UNROLLED_EACH_ for (ode_index j = 0;                                                      \
                            j < ODE_ALL_COUNT_ && ode_next_other(&ode_other, ODE_ALL_BEGIN_,      \
                                                      (ode_offset)j, (ode_offset)ODE_ALL_COUNT_); \
                            j++)
#define OTHER(c) ode_other.of[0][c]
#endif

/* From the settings of a window: ODE_WINDOW_FIRST, its first row, or point, or in the general form
   component, in the whole system, and ODE_WINDOW_WHOLE, the number of them there; they are not set
   if nothing reads them. A window that moves has ODE_WINDOW_MOVES instead of the first row, whose
   number is behind the constants, as the bits of a real. Rows are counted round, since ghosts of a
   periodic grid may lie beyond its ends. In the general form components before ODE_WINDOW_LOW and
   from ODE_WINDOW_HIGH on read beyond a cut; the first one has a number that 4 divides. */
#ifdef ODE_WINDOW_MOVES
#if ODE_DOUBLE
#define ODE_WINDOW_FIRST_(view) as_long((view)->constants[ODE_CONSTANT_COUNT_])
#else
#define ODE_WINDOW_FIRST_(view) ((ode_index)as_int((view)->constants[ODE_CONSTANT_COUNT_]))
#endif
#define ODE_IN_WHOLE_(view, i)                                   \
    ((ode_index)(i) + ODE_WINDOW_FIRST_(view) < ODE_WINDOW_WHOLE \
            ? (ode_index)(i) + ODE_WINDOW_FIRST_(view)           \
            : (ode_index)(i) + ODE_WINDOW_FIRST_(view) - ODE_WINDOW_WHOLE)
#define ODE_WHOLE_(view, extent) ODE_WINDOW_WHOLE
#define ODE_SHIFT_ 0 /* only the general form has it */
#elif defined(ODE_WINDOW_FIRST)
#define ODE_IN_WHOLE_(view, i)                            \
    ((ode_index)(i) + ODE_WINDOW_FIRST < ODE_WINDOW_WHOLE \
            ? (ode_index)(i) + ODE_WINDOW_FIRST           \
            : (ode_index)(i) + ODE_WINDOW_FIRST - ODE_WINDOW_WHOLE)
#define ODE_WHOLE_(view, extent) ODE_WINDOW_WHOLE
#define ODE_SHIFT_ ODE_WINDOW_FIRST
#else
#define ODE_IN_WHOLE_(view, i) (i)
#define ODE_WHOLE_(view, extent) (extent)
#define ODE_SHIFT_ 0
#endif
#ifdef ODE_WINDOW_LOW
#define ODE_IS_CUT_(i) ((i) < ODE_WINDOW_LOW || (i) >= ODE_WINDOW_HIGH)
#else
#define ODE_IS_CUT_(i) 0
#endif

/* How the author's equations begin as functions. The library writes these openings, once per
   address space they read the state and the fields from, in place of ODE_POINT_RHS( and its kin:
   some OpenCL compilers refuse the variadic macros that these are in C. */
#define ODE_TIME_LOCAL_ const ode_real t ODE_UNUSED_ = ODE_TIME_(ode_now);
#define ODE_POINT_ARGUMENTS_(SPACE, FIELDS)                                                \
    SPACE const ode_real *ode_y, const ode_axes ode_stride, const ode_real *ode_c,         \
        FIELDS const ode_real *ode_field, const ode_offset ode_plane, const int ode_marks, \
        const ode_moment ode_now, const ode_place ode_here, ode_real *ode_dot
#define ODE_POINT_BEGIN_(FUNCTION, SPACE, FIELDS, field_row)                          \
    ODE_INLINE_ void ODE_POINT_TEXT_(FUNCTION)(ODE_POINT_ARGUMENTS_(SPACE, FIELDS)) { \
        ODE_BODY_LOCALS_(ode_real)                                                    \
        ODE_TIME_LOCAL_                                                               \
        ODE_FIELD_LOCALS_(FIELDS, ode_real, field_row, ODE_PLANE_LAYER_(field_row))   \
        ODE_PLACE_LOCALS_                                                             \
        ODE_FORGET_DOT_
/* How they end: points that keep their values have no derivatives. */
#if ODE_HAS_MARKS_
#define ODE_POINT_TEXT_(FUNCTION) FUNCTION##_text
#define ODE_POINT_END_(FUNCTION, SPACE, FIELDS, field_row)                                  \
    ODE_INLINE_ void FUNCTION(ODE_POINT_ARGUMENTS_(SPACE, FIELDS)) {                        \
        FUNCTION##_text(ode_y, ode_stride, ode_c, ode_field, ode_plane, ode_marks, ode_now, \
            ode_here, ode_dot);                                                             \
        for (int ode_k = 0; ode_k < ODE_COMPONENTS; ode_k++)                                \
            ode_dot[ode_k] = ODE_STILL_DOT_(ode_real, ode_marks, ode_dot[ode_k]);           \
    }
#else
#define ODE_POINT_TEXT_(FUNCTION) FUNCTION
#define ODE_POINT_END_(FUNCTION, SPACE, FIELDS, field_row)
#endif
#define ODE_COMPONENT_BEGIN_(FUNCTION, SPACE)                                                    \
    ODE_INLINE_ ode_real FUNCTION(SPACE const ode_real *ode_y, const ode_index ode_origin,       \
        const ode_real *ode_c, const ode_index i, const ode_moment ode_now, const ode_index n) { \
        ODE_BODY_LOCALS_(ode_real)                                                               \
        ODE_TIME_LOCAL_
#define ODE_COMPONENTS4_BEGIN_(FUNCTION, SPACE)                                                   \
    ODE_INLINE_ ode_real4 FUNCTION(SPACE const ode_real *ode_y, const ode_index ode_origin,       \
        const ode_real *ode_c, const ode_index i4, const ode_moment ode_now, const ode_index n) { \
        ODE_BODY_LOCALS_(ode_real)                                                                \
        ODE_TIME_LOCAL_
