/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_equations.h - what the words of a problem mean in C: the types and functions of its
 * equations, and the functions that the equations become. */
#include "ode_math_c.h"
#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never leave this file */
#define ODE_PASTED_(a, b) a##b
#define ODE_PASTE_(a, b) ODE_PASTED_(a, b)
#define ODE_QUOTED_(...) #__VA_ARGS__
#define ODE_STRING_(...) ODE_QUOTED_(__VA_ARGS__)
#define ODE_GLOBAL_ /* an OpenCL address space */
/* Counted round, since ghosts of a periodic grid may lie beyond its ends. */
#define ODE_IN_WHOLE_(view, i)                                 \
    ((i) + (view)->first < (view)->whole ? (i) + (view)->first \
                                         : (i) + (view)->first - (view)->whole)
#define ODE_WHOLE_(view, extent) ((view)->whole)
#define ODE_IS_CUT_(i) 0 /* the passes over ranges leave such components out */

/* ---- types and functions of the equations ---- */

/* As long as a real, so that vectors of either have as many lanes. */
#define ODE_INTEGER_(VALUE) __typeof__(_Generic((VALUE)0, float : (int32_t)0, double : (int64_t)0))
/* Code for SIMD lanes gives a body a place to note that an argument of a function is rare
 * (ode_math.h), and takes the result of a body that has none then. Other bodies have no such place;
 * its type says how they call functions: the code of runs has them inlined, bodies for the host
 * share one copy. */
#define ODE_RARE_f32_ ODE_INTEGER_(float) *const ode_rare
#define ODE_RARE_f64_ ODE_INTEGER_(double) *const ode_rare
#define ODE_REAL_TYPE_(VALUE)           \
    typedef VALUE ode_real ODE_UNUSED_; \
    const ode_real ode_zero ODE_UNUSED_ = 0;
#define ODE_TYPES_(VALUE) \
    ODE_REAL_TYPE_(VALUE) \
    ODE_INTEGER_(VALUE) *const ode_rare ODE_UNUSED_ = NULL;
#define ODE_HOST_TYPES_    \
    ODE_REAL_TYPE_(double) \
    const void *const ode_rare ODE_UNUSED_ = NULL;
typedef float ode_float4 __attribute__((vector_size(16)));
typedef double ode_double4 __attribute__((vector_size(32)));
ODE_INLINE_ float ode_fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ODE_INLINE_ double ode_fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
#define ODE_FUNCTION1_(ours, name)                                           \
    ODE_INLINE_ float ours##_f32(float a) { return __builtin_##name##f(a); } \
    ODE_INLINE_ double ours##_f64(double a) { return __builtin_##name(a); }
#define ODE_FUNCTION2_(ours, name)                                                       \
    ODE_INLINE_ float ours##_f32(float a, float b) { return __builtin_##name##f(a, b); } \
    ODE_INLINE_ double ours##_f64(double a, double b) { return __builtin_##name(a, b); }

/* By the precision of the body they stand in, so that fma(-2, u, v) is not a call in double. "-
 * ode_zero" converts, and is exact. */
#define ODE_BY_PRECISION_(f) _Generic(ode_zero, float : f##_f32, double : f##_f64)
#define ODE_CALL1_(f, a) ODE_BY_PRECISION_(f)((a)-ode_zero)
#define ODE_CALL2_(f, a, b) ODE_BY_PRECISION_(f)((a)-ode_zero, (b)-ode_zero)
#define fma(a, b, c) ODE_BY_PRECISION_(ode_fma)((a)-ode_zero, (b)-ode_zero, (c)-ode_zero)
/* Baseline code shares the copy, too: it is to be compiled soon. */
#ifdef ODE_BASELINE
#define ODE_IS_SHARED_ 1
#else
#define ODE_IS_SHARED_ 0
#endif
#define ODE_SHARED_(name, S, VALUE, arguments, ...)             \
    ODE_COMMON_TARGET_ static __attribute__((noinline, unused)) \
    VALUE ode_shared_##name##_##S arguments {                   \
        return ode_math_##name##_##S(__VA_ARGS__);              \
    }
#define ODE_OWN1_OF_(name, S, VALUE)                                                   \
    ODE_SHARED_(name, S, VALUE, (VALUE a), a)                                          \
    ODE_INLINE_ VALUE ode_math_in_##name##_##S(VALUE a, ODE_RARE_##S##_) {             \
        (void)ode_rare;                                                                \
        return ODE_IS_SHARED_ ? ode_shared_##name##_##S(a) : ode_math_##name##_##S(a); \
    }
#define ODE_OWN2_OF_(name, S, VALUE)                                                         \
    ODE_SHARED_(name, S, VALUE, (VALUE a, VALUE b), a, b)                                    \
    ODE_INLINE_ VALUE ode_math_in_##name##_##S(VALUE a, VALUE b, ODE_RARE_##S##_) {          \
        (void)ode_rare;                                                                      \
        return ODE_IS_SHARED_ ? ode_shared_##name##_##S(a, b) : ode_math_##name##_##S(a, b); \
    }
/* The slow way for rare arguments would be most of the code. */
#define ODE_OWN_RARE_OF_(name, S, VALUE)                                   \
    ODE_SHARED_(name, S, VALUE, (VALUE a), a)                              \
    ODE_INLINE_ VALUE ode_math_in_##name##_##S(VALUE a, ODE_RARE_##S##_) { \
        if (!ode_rare) return ode_shared_##name##_##S(a);                  \
        *ode_rare |= ode_math_##name##_is_rare_##S(a);                     \
        return ode_math_##name##_common_##S(a);                            \
    }
#define ODE_HOST1_(name)                                                      \
    ODE_INLINE_ double ode_math_host_##name(double a, const void *ode_rare) { \
        (void)ode_rare;                                                       \
        return ode_shared_##name##_f64(a);                                    \
    }
#define ODE_HOST2_(name)                                                                \
    ODE_INLINE_ double ode_math_host_##name(double a, double b, const void *ode_rare) { \
        (void)ode_rare;                                                                 \
        return ode_shared_##name##_f64(a, b);                                           \
    }
#define ODE_OWN1_(name) \
    ODE_OWN1_OF_(name, f32, float) ODE_OWN1_OF_(name, f64, double) ODE_HOST1_(name)
#define ODE_OWN2_(name) \
    ODE_OWN2_OF_(name, f32, float) ODE_OWN2_OF_(name, f64, double) ODE_HOST2_(name)
#define ODE_OWN_RARE_(name) \
    ODE_OWN_RARE_OF_(name, f32, float) ODE_OWN_RARE_OF_(name, f64, double) ODE_HOST1_(name)
#define ODE_MATH_FOR_BODY_(name) \
    _Generic(ode_rare, int32_t *                 \
             : ode_math_in_##name##_f32,         \
               int64_t *                         \
             : ode_math_in_##name##_f64,         \
               const void *                      \
             : ode_math_host_##name)
#define ODE_MATH1_(name, a) ODE_MATH_FOR_BODY_(name)((a)-ode_zero, ode_rare)
#define ODE_MATH2_(name, a, b) ODE_MATH_FOR_BODY_(name)((a)-ode_zero, (b)-ode_zero, ode_rare)
#define ODE_MEAN_(ours, mean)                                       \
    ODE_INLINE_ float ours##_f32(float a, float b) { return mean; } \
    ODE_INLINE_ double ours##_f64(double a, double b) { return mean; }
#include "ode_functions.h"

#define Y0(c) ode_y0[ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1)]
int ode_out_of_range(void)
    __attribute__((error("an offset beyond ODE_RADIUS, or a component beyond ODE_COMPONENTS")));
#define ODE_IS_OUTSIDE_(x, low, high) ((x) < (low) || (x) > (high))
#define ODE_CHECKED_(x, low, high)                                                               \
    ((x) + (__builtin_constant_p(ODE_IS_OUTSIDE_(x, low, high)) && ODE_IS_OUTSIDE_(x, low, high) \
                   ? ode_out_of_range()                                                          \
                   : 0))
_Static_assert(
    2 * ODE_COMPONENTS * 2 == 4 * (ODE_COMPONENTS) && 2 * ODE_RADIUS * 2 == 4 * (ODE_RADIUS),
    "put brackets around the values of ODE_COMPONENTS and ODE_RADIUS");
_Static_assert(
    ODE_COMPONENTS >= 1 && ODE_RADIUS >= 0, "ODE_COMPONENTS is at least 1, ODE_RADIUS at least 0");

/* GCC 12 makes one alternating multiply-add of neighbouring a * b - c and a * b + c when it
   vectorises, whatever -ffp-contract says. It looks for them among values that are stored side by
   side and come from the same operations, so every second one goes through an operation that does
   nothing. GCC 13.3 and 14.2 keep to -ffp-contract. contracts() probes it for every compiler. */
#if defined(__GNUC__) && !defined(__clang__) && (__GNUC__ == 12 || __GNUC__ == 13)
#define ODE_APART_(x) __builtin_assoc_barrier(x)
#else
#define ODE_APART_(x) (x)
#endif

/* Equations that would compute in another precision than the run's are errors, whatever the
   caller's flags are: 0.1 * AT(0, 0) is a product in double in a run in float, and `float u = AT(0,
   0);` loses digits in a run in double. The rest of the file keeps the caller's diagnostics. */
#define ODE_STRICT_f32_ \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wdouble-promotion\"")
#define ODE_STRICT_f64_ \
    ODE_STRICT_f32_     \
    _Pragma("GCC diagnostic error \"-Wfloat-conversion\"") ODE_STRICT_NARROWING_
#ifdef __clang__ /* where -Wfloat-conversion is about whole numbers alone */
#define ODE_STRICT_NARROWING_                                       \
    _Pragma("GCC diagnostic error \"-Wimplicit-float-conversion\"") \
        _Pragma("GCC diagnostic ignored \"-Wimplicit-int-float-conversion\"")
#else
#define ODE_STRICT_NARROWING_
#endif
#define ODE_STRICT_HOST_ ODE_STRICT_f32_
#define ODE_STRICT_END_ _Pragma("GCC diagnostic pop")

#define ODE_CHECK_SPACINGS_(count)                      \
    _Static_assert((count) == 1 || (count) == ODE_GRID, \
        "ODE_SPACING is one distance, or one for each axis: dx, dy, dz");
_Static_assert(!ODE_IS_ROBIN_(ODE_BOUNDARY) || ODE_CENTRED != ODE_CELLS,
    "ODE_BOUNDARY ODE_ROBIN is for nodes: with ODE_CELLS write ODE_ROBIN(a, b, g) in ODE_SIDES");

/* ---- the functions that the equations become ---- */

#if ODE_GRID

#define ODE_POINT_ARGUMENTS_(VALUE)                                                            \
    const VALUE *ode_y, const ode_axes ode_stride, const VALUE *ode_c, const VALUE *ode_field, \
        const ode_offset ode_plane, const ODE_INTEGER_(VALUE) ode_marks, const VALUE t,        \
        const ode_place ode_here, VALUE *ode_dot
#define ODE_POINT_FUNCTION_(S, VALUE, ...)                                                         \
    ODE_INLINE_ void ode_text_##S(                                                                 \
        ODE_POINT_ARGUMENTS_(VALUE), const ode_axes ode_field_stride, ODE_RARE_##S##_) {           \
        ODE_REAL_TYPE_(VALUE)                                                                      \
        ODE_CONSTANT_LOCALS_                                                                       \
        ODE_FIELD_LOCALS_(ODE_GLOBAL_, VALUE, ode_field_stride.of[1], ode_field_stride.of[2])      \
        ODE_PLACE_LOCALS_(void) ode_stride;                                                        \
        (void)ode_field, (void)ode_plane, (void)ode_marks;                                         \
        (void)t;                                                                                   \
        (void)ode_rare;                                                                            \
        ODE_FORGET_DOT_                                                                            \
        ODE_STRICT_##S##_ __VA_ARGS__ ODE_STRICT_END_                                              \
    }                                                                                              \
    ODE_INLINE_ void ode_lane_point_##S(                                                           \
        ODE_POINT_ARGUMENTS_(VALUE), const ode_axes ode_field_stride, ODE_RARE_##S##_) {           \
        ode_text_##S(ode_y, ode_stride, ode_c, ode_field, ode_plane, ode_marks, t, ode_here,       \
            ode_dot, ode_field_stride, ode_rare);                                                  \
        for (int ode_k = 1; ode_k < ODE_COMPONENTS; ode_k += 2)                                    \
            ode_dot[ode_k] = ODE_APART_(ode_dot[ode_k]);                                           \
        for (int ode_k = 0; ODE_HAS_MARKS_ && ode_k < ODE_COMPONENTS; ode_k++)                     \
            ode_dot[ode_k] = ODE_STILL_DOT_(VALUE, ode_marks, ode_dot[ode_k]);                     \
    }                                                                                              \
    ODE_INLINE_ void ode_point_##S(ODE_POINT_ARGUMENTS_(VALUE)) {                                  \
        ode_lane_point_##S(ode_y, ode_stride, ode_c, ode_field, ode_plane, ode_marks, t, ode_here, \
            ode_dot, (ode_axes){{1, ODE_PLANE_ROW_, ODE_PLANE_LAYER_(ODE_PLANE_ROW_)}}, NULL);     \
    }
/* ode_field_stride: distances between neighbours among the coefficients. */
ODE_INLINE_ void ode_lane_point_f32(
    ODE_POINT_ARGUMENTS_(float), const ode_axes ode_field_stride, ODE_RARE_f32_);
ODE_INLINE_ void ode_lane_point_f64(
    ODE_POINT_ARGUMENTS_(double), const ode_axes ode_field_stride, ODE_RARE_f64_);
ODE_INLINE_ void ode_point_f32(ODE_POINT_ARGUMENTS_(float));
ODE_INLINE_ void ode_point_f64(ODE_POINT_ARGUMENTS_(double));
#define ODE_POINT_RHS(...)                                         \
    ODE_POINT_FUNCTION_(f32, float, __VA_ARGS__)                   \
    ODE_POINT_FUNCTION_(f64, double, __VA_ARGS__)                  \
    static const char *ode_rhs(void) {                             \
        return ODE_STRING_(__VA_ARGS__) " ode_sides " ODE_STRING_( \
            ODE_GHOST_WORDS_(c) ODE_SIDES(ODE_TEXT_OF_SIDE_));     \
    }
/* The place of point number `point` of a grid that is no window. */
static inline ode_place ode_place_of(const struct ode_grid *grid, ode_index point) {
    ode_place place;
    /* The last axis needs no division, which would take as long as the author's text. */
    for (int axis = 0; axis < ODE_MOST_AXES; axis++) {
        const ode_index n = grid->extents[axis], rest = axis < ODE_LAST_AXIS_ ? point / n : 0;
        place.i[axis] = point - rest * n;
        place.n[axis] = n;
        point = rest;
    }
    return place;
}
#define ODE_HOST_INDICES_                                                           \
    const ode_place ode_here ODE_UNUSED_ = ode_place_of(&ode_context->grid, ode_i); \
    ODE_PLACE_LOCALS_

#else

#define ODE_COMPONENT_ARGUMENTS_(VALUE) \
    const VALUE *ode_y, const VALUE *ode_c, const ode_index i, const VALUE t, const ode_index n
#define ODE_COMPONENTS4_ARGUMENTS_(VALUE)                                                         \
    const VALUE *ode_y, const VALUE *ode_c, const ode_index i4, const VALUE t, const ode_index n, \
        VALUE *ode_result
ODE_INLINE_ float ode_component_f32(ODE_COMPONENT_ARGUMENTS_(float));
ODE_INLINE_ double ode_component_f64(ODE_COMPONENT_ARGUMENTS_(double));
#if ODE_HAS_EVAL_COMP4
ODE_INLINE_ void ode_components4_f32(ODE_COMPONENTS4_ARGUMENTS_(float));
ODE_INLINE_ void ode_components4_f64(ODE_COMPONENTS4_ARGUMENTS_(double));
#endif
#define ODE_COMPONENT_FUNCTION_(S, VALUE, ...)                             \
    ODE_INLINE_ VALUE ode_component_##S(ODE_COMPONENT_ARGUMENTS_(VALUE)) { \
        ODE_BODY_LOCALS_(VALUE)                                            \
        (void)i;                                                           \
        (void)t;                                                           \
        (void)n;                                                           \
        ODE_STRICT_##S##_ __VA_ARGS__ ODE_STRICT_END_                      \
    }
#define ODE_EVAL_COMP(...)                            \
    ODE_COMPONENT_FUNCTION_(f32, float, __VA_ARGS__)  \
    ODE_COMPONENT_FUNCTION_(f64, double, __VA_ARGS__) \
    static const char *ode_rhs(void) { return ODE_STRING_(__VA_ARGS__); }
/* The author's text returns the four values from a function of its own, for the sake of `return`.
 */
#define ODE_COMPONENTS4_FUNCTION_(S, VALUE, VALUE4, ...)                                        \
    ODE_INLINE_ VALUE4 ode_four_##S(const VALUE *ode_y, const VALUE *ode_c, const ode_index i4, \
        const VALUE t, const ode_index n) {                                                     \
        typedef VALUE4 ode_real4;                                                               \
        ODE_BODY_LOCALS_(VALUE)                                                                 \
        (void)i4;                                                                               \
        (void)t;                                                                                \
        (void)n;                                                                                \
        ODE_STRICT_##S##_ __VA_ARGS__ ODE_STRICT_END_                                           \
    }                                                                                           \
    ODE_INLINE_ void ode_components4_##S(ODE_COMPONENTS4_ARGUMENTS_(VALUE)) {                   \
        const VALUE4 ode_four = ode_four_##S(ode_y, ode_c, i4, t, n);                           \
        memcpy(ode_result, &ode_four, sizeof ode_four);                                         \
    }
#define ODE_EVAL_COMP4(...)                                        \
    ODE_COMPONENTS4_FUNCTION_(f32, float, ode_float4, __VA_ARGS__) \
    ODE_COMPONENTS4_FUNCTION_(f64, double, ode_double4, __VA_ARGS__)
ODE_INLINE_ ode_float4 ode_load4_f32(const float *y) {
    ode_float4 v;
    memcpy(&v, y, sizeof v);
    return v;
}
ODE_INLINE_ ode_double4 ode_load4_f64(const double *y) {
    ode_double4 v;
    memcpy(&v, y, sizeof v);
    return v;
}
/* By pointer: vectors as arguments draw notes about past ABIs. */
ODE_INLINE_ ode_float4 ode_fma4_f32(const ode_float4 *a, const ode_float4 *b, const ode_float4 *c) {
    ode_float4 r = *a;
    for (int k = 0; k < 4; k++) r[k] = ode_fma_f32((*a)[k], (*b)[k], (*c)[k]);
    return r;
}
ODE_INLINE_ ode_double4 ode_fma4_f64(
    const ode_double4 *a, const ode_double4 *b, const ode_double4 *c) {
    ode_double4 r = *a;
    for (int k = 0; k < 4; k++) r[k] = ode_fma_f64((*a)[k], (*b)[k], (*c)[k]);
    return r;
}
#define Y(j) ode_y[j]
#define Y4(j4) ODE_BY_PRECISION_(ode_load4)(&ode_y[4 * (j4)])
#define ODE_MAKE4(a, b, c, d) \
    ((ode_real4){a, ODE_APART_((ode_real)(b)), c, ODE_APART_((ode_real)(d))})
#define ELEMENT(v, k) ((v)[k])
#define ODE_POINTER4_(a)        \
    (const ode_real4[]) {       \
        (a) - (ode_real4) { 0 } \
    }
#define fma4(a, b, c) \
    ODE_BY_PRECISION_(ode_fma4)(ODE_POINTER4_(a), ODE_POINTER4_(b), ODE_POINTER4_(c))
#define ODE_HOST_INDICES_ const ode_index n ODE_UNUSED_ = ode_context->n, i ODE_UNUSED_ = ode_i;

#endif

#if ODE_ACCESS_ALL
#define ODE_EACH(j) for (ode_index j = 0, ode_other = 0; j < ODE_ALL_COUNT_; ode_other = ++j)
#define OTHER(c) ODE_ALL_(ode_other, c)
#endif

#define ODE_HOST_BODY_                            \
    const double *ode_c = ode_context->constants; \
    ODE_HOST_TYPES_                               \
    ODE_CONSTANT_LOCALS_                          \
    ODE_HOST_INDICES_
static void ode_initial(const struct ode_context *ode_context, ode_index ode_i, double *ode_y0);
#define ODE_INITIAL(...)                                                          \
    static void ode_initial(                                                      \
        const struct ode_context *ode_context, ode_index ode_i, double *ode_y0) { \
        ODE_HOST_BODY_                                                            \
        ODE_STRICT_HOST_                                                          \
        __VA_ARGS__                                                               \
        ODE_STRICT_END_                                                           \
    }
#if ODE_HAS_EXACT
static void ode_exact(
    const struct ode_context *ode_context, ode_index ode_i, double t, double *ode_y0);
#define ODE_EXACT(...)                                                                      \
    static void ode_exact(                                                                  \
        const struct ode_context *ode_context, ode_index ode_i, double t, double *ode_y0) { \
        ODE_HOST_BODY_                                                                      \
        ODE_STRICT_HOST_                                                                    \
        __VA_ARGS__                                                                         \
        ODE_STRICT_END_                                                                     \
    }
#endif
#if ODE_HAS_FIELDS_
/* It is weak because an author may leave it out, where it is NULL. So it cannot be static, and
 * needs a name of its own in a program with several problems. */
#define ODE_FIELD_FUNCTION_ ODE_PASTE_(ode_field_values_, ODE_NAME)
void ODE_FIELD_FUNCTION_(const struct ode_context *ode_context, ode_index ode_i, double *ode_field)
    __attribute__((weak, visibility("hidden")));
#define ODE_FIELD_VALUES(...)                                                        \
    void ODE_FIELD_FUNCTION_(                                                        \
        const struct ode_context *ode_context, ode_index ode_i, double *ode_field) { \
        const ode_index ode_plane = 1;                                               \
        ODE_HOST_BODY_                                                               \
        ODE_STRICT_HOST_                                                             \
        __VA_ARGS__                                                                  \
        ODE_STRICT_END_                                                              \
    }
#endif
#if ODE_HAS_MARKS_
/* Fields are doubles side by side here. */
static unsigned ode_find_marks(
    const struct ode_context *ode_context, ode_index ode_i, const double *ode_field) {
    const ode_index ode_plane = 1;
    ODE_HOST_BODY_(void) ode_field, (void)ode_plane;
    return (ODE_OBSTACLE) ? ODE_MARK_OBSTACLE_ | ODE_MARK_STILL_
           : (ODE_STILL)  ? ODE_MARK_STILL_
                          : 0;
}
#endif
