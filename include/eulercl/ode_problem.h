/* ode_problem.h - the plug-in contract: how an ODE system is described to libeulercl.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * A problem is one C file. The same text is compiled by the C compiler for the CPU backends and,
 * carried along inside
 * the binary, by the OpenCL compiler for the others. The file first says what it describes, then
 * includes this header,
 * then gives the equations:
 *
 *     #define ODE_NAME       heat                            // a C identifier
 *     #define ODE_TITLE      "heat conduction in a rod, ends at 0"
 *     #define ODE_GRID       1                               // dimensions: 1 or 2
 *     #define ODE_COMPONENTS 1                               // per grid point
 *     #define ODE_BOUNDARY   ODE_FIXED
 *     #define ODE_NX         points
 *     #define ODE_PARAMETERS(REAL, INTEGER)                                     \
 *         INTEGER(points, 1000, 1, 1e12, "", "grid points")                     \
 *         REAL   (kappa,  1e-3, 0, 1e3, "m^2/s", "thermal diffusivity")
 *     #define ODE_DERIVED(CONSTANT)                                             \
 *         CONSTANT(c, kappa * (points + 1) * (points + 1))
 *     #include <eulercl/ode_problem.h>
 *
 *     ODE_POINT_RHS( DOT(0) = c * LAPLACE(0); )
 *     ODE_INITIAL( Y0(0) = sin(3.14159265358979323846 * (double)(ix + 1) / (double)(nx + 1)); )
 *
 * It is used in one of three ways:
 *   linked      cc -O3 -ffp-contract=off -c heat.c; the program calls
 *               eulercl_problem_create(&ode_problem_heat, ...)
 *               after `extern const struct ode_problem ode_problem_heat;`
 *   plug-in     cc -O3 -ffp-contract=off -shared -fPIC heat.c -o heat.so;
 *               eulercl_problem_open("./heat.so", ...)
 *   command     eulercl solve heat.c
 * A file describes one problem. `pkg-config --cflags eulercl` gives the switches; -O3 makes the
 * CPU code fast.
 *
 * Settings, before the #include ([...]: optional, with its default)
 *   ODE_NAME, ODE_TITLE             as above
 *   ODE_PARAMETERS(REAL, INTEGER)   [none] NAME, default, minimum, maximum, "unit", "doc". Names
 *                                   are seen by all that follows; not
 *                                   to be used: t, i, i4, n, nx, ny, ix, iy, and words of C or
 *                                   OpenCL C (global, local, constant, half...).
 *                                   The first INTEGER is what eulercl_problem_set_size turns: n
 *                                   must grow with it.
 *   ODE_DERIVED(CONSTANT)           [none] NAME, expression: computed once on the host, in double,
 *                                   from parameters and earlier constants
 *   ODE_ACCESS_DISTANCE             k as an expression of the parameters; [stencil form: what the
 *                                   radius allows] required in the general form
 *  stencil form (a regular grid):
 *   ODE_GRID 1 or 2; ODE_COMPONENTS per point; ODE_NX, and ODE_NY in 2-D: points as expressions of
 *   the parameters
 *   ODE_RADIUS [1]                  largest |dx|, |dy| that AT is called with
 *   ODE_BOUNDARY                    what stands outside, per direction, of N points: ODE_FIXED the
 *                                   value ODE_OUTSIDE(c) [0], an
 *                                   expression of parameters, t and c; ODE_CLAMP the nearest
 *                                   point; ODE_MIRROR point i for -i and N-1-i for
 *                                   N-1+i (N > radius); ODE_PERIODIC
 *   ODE_FIELDS [0]                  read-only coefficients per point
 *  general form:
 *   ODE_SIZE                        n as an expression of the parameters
 *   ODE_HAS_EVAL_COMP4 [0]          1: the author also gives ODE_EVAL_COMP4
 *  both:
 *   ODE_HAS_EXACT [0]               1: the author also gives ODE_EXACT
 *
 * Equations, after the #include. Round brackets, because each is a macro; no preprocessor lines
 * inside.
 *   ODE_POINT_RHS( ... )      stencil form: set DOT(c), the derivative of each component c of the
 *                             point (ix, iy)
 *   ODE_EVAL_COMP( ... )      general form: return the derivative of component i from Y(j), |j -
 *                             i| <= k, 0 <= j < n
 *   ODE_EVAL_COMP4( ... )     general form, optional: return an ode_real4, the derivatives of 4 i4
 *                             .. 4 i4 + 3, from Y(j) and
 *                             Y4(j4) = components 4 j4 .. 4 j4 + 3; called only where 4 i4 + 3 <
 *                             n; the same bits as ODE_EVAL_COMP
 *   ODE_INITIAL( ... )        host, double: set Y0(c) of point (ix, iy), or Y0(0) of component i
 *                             in the general form
 *   ODE_EXACT( ... )          host, double, if ODE_HAS_EXACT: the same for the exact solution at
 *                             time t
 *   ODE_FIELD_VALUES( ... )   host, double, if ODE_FIELDS: set FIELD(f) of point (ix, iy)
 * They see the parameters and derived constants by name, t, nx, ny (n and i in the general form),
 * and
 *   AT(dx, c), AT(dx, dy, c)  component c of the point dx columns and dy rows away, constant
 *   offsets
 *   LAPLACE(c)                sum of the 2 (or 4) neighbours minus 2 (4) times the point
 *   FIELD(f)                  coefficient f of this point
 *   ode_real, ode_real4       the type of the run's values (float or double), and four of them: +
 *                             - * / work on both;
 *   ode_index                 ODE_MAKE4(a, b, c, d) makes one, ELEMENT(v, k) with a literal k
 *                             reads one, fma4 is its fma
 *   REAL(0.1)                 a literal of that type (whole numbers need none: 2 * AT(0, 0) is
 *                             right)
 *   fma sqrt fabs floor       with + - * / and comparisons: the same bits on every backend
 *   sin cos tan exp log pow tanh fmin fmax   allowed, but their bits differ between devices:
 *   reported as "bits not guaranteed"
 * Two compilers read the text. Lines #include <...> are for the host and left out for OpenCL;
 * #include "..." it cannot
 * follow. Helpers are macros, not functions; constants are #defines, enums or parameters, not
 * variables at file level; in
 * the equations no pointers to the state and no types but ode_real, ode_real4, ode_index (64 bits)
 * and int.
 * Offsets and components of AT, DOT and FIELD beyond what was declared do not compile if they are
 * constants; a derivative,
 * an initial value or a field left out is NaN. Nor do equations compile that mix float and double
 * (0.1 * AT(0, 0), or a variable
 * of type float), or that turn a value into a whole number without (int). 1/2 is 0, as always in
 * C: write REAL(0.5).
 * Contraction is off on host and device, so write fma(a, b, c) where a * b + c should cost one
 * instruction.
 */
#ifndef EULERCL_ODE_PROBLEM_H
#define EULERCL_ODE_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract's number. It changes when the fields of struct ode_problem do, but for new ones at
 * its end. */
#define ODE_PROBLEM_ABI 3

#define ODE_FIXED 0    /* boundary: a value, ODE_OUTSIDE(c) */
#define ODE_CLAMP 1    /* boundary: the nearest point */
#define ODE_MIRROR 2   /* boundary: the grid mirrored at its last point */
#define ODE_PERIODIC 3 /* boundary: the grid closes on itself */

/* Number of a component or a grid point, from 0; a signed count of them. */
typedef int64_t ode_index;

/* One parameter. */
struct ode_parameter {
    const char *name; /* a C identifier */
    double value;     /* the default */
    double min;       /* the least value, itself allowed */
    double max;       /* the greatest value, itself allowed */
    int integer;      /* 1: only whole numbers */
    const char *unit; /* "" for none */
    const char *doc;  /* what it is, in one line; "" for none */
};

/* Sizes as doubles, so that no value of a parameter overflows; the library checks that they are
 * whole and in range. */
struct ode_shape {
    double nx;              /* grid points in a row; general form: n */
    double ny;              /* rows; 1 in one dimension and in the general form */
    double access_distance; /* k: component j reads components j - k .. j + k, 0 <= k */
};

/* What the functions below see besides the state. */
struct ode_context {
    ode_index n;           /* components */
    ode_index nx;          /* grid points in a row; general form: n */
    ode_index ny;          /* rows; 1 in one dimension and in the general form */
    const void *constants; /* parameters, then derived constants: float or double, as the function's
                              state */
    const void *fields;    /* `fields` values per point, likewise; NULL for none */
};

#define ODE_MOST_LANES 16 /* lanes of a vector, at most */
#define ODE_MOST_LEVELS 8 /* levels of time in one sweep, at most */

/* A row of a grid, or a part of one, dealt to the lanes of vectors: each lane has `points`
   neighbouring points, and the first of lane 0 and the last of the last lane are the row's ends.
   Neighbouring lanes may both have a point. In memory position j of all lanes stands together:
   component c of lane l's point j is u[(j * components + c) * lanes + l]. */
struct ode_lanes {
    ode_index points;                /* of each lane */
    ode_index first[ODE_MOST_LANES]; /* grid column of each lane's first point, 0 .. nx-1 */
    /* A real per lane with all bits set, or none: set for a lane whose first point is also the last
     * of the lane before. */
    _Alignas(64) unsigned char shares_first[64];
    /* The same for a lane whose last point is the first of the next one. */
    _Alignas(64) unsigned char shares_last[64];
};

/* Fast CPU code for one precision and instruction set. The pointers are to float or double; t and h
 * are rounded to it. */
struct ode_kernels {
    const char *isa; /* "x86-64", "avx2", "avx512", ... */
    /* out[i] = one step of the explicit Euler method (ode_update.h) for begin <= i < end; out and
     * in do not overlap */
    void (*step_range)(const struct ode_context *context, void *out, const void *in,
        ode_index begin, ode_index end, double t, double h);
    /* dot[i] = f_i(t, y) for begin <= i < end; dot and y do not overlap */
    void (*eval_range)(const struct ode_context *context, void *dot, const void *y, ode_index begin,
        ode_index end, double t);
    /* dot[0..3] = f of components 4 i4 .. 4 i4 + 3, all below n */
    void (*eval_comp4)(
        const struct ode_context *context, ode_index i4, double t, const void *y, void *dot);
    /* 1: compiled with contraction, which breaks the bit contract */
    int (*contracts)(void);
    /* SIMD, for the stencil form; 0 and NULL: none. A row's ends are treated as the grid's, with
     * the boundary rule. */
    int lanes;  /* of vectors: 1 .. ODE_MOST_LANES */
    int levels; /* of time, in one sweep: 1 .. ODE_MOST_LEVELS */
    /* 1-D: `levels` steps of row u, in place; step s at time t[s]. Before it positions -halo .. -1
       and points .. points + halo - 1, halo = levels * radius, hold the next points of the
       neighbouring lanes (of lane 0 and the last one anything). points > 2 * radius. */
    void (*sweep)(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
        const void *t, double h);
    /* 1-D: the same for one step. */
    void (*sweep_one)(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
        const void *t, double h);
    /* 2-D: one step, at time t, of rows iy .. iy + rows - 1 (counted round in a periodic grid) into
       out[0 .. rows-1], from in[0 .. rows + 2 radius - 1], rows iy - radius on. Each has `radius`
       positions more at both ends: of `in` they are read, of `out` they are written too, as they
       are at time t_next. No row is both in and out. */
    void (*step_rows)(const struct ode_context *context, const struct ode_lanes *lanes,
        void *const *out, const void *const *in, int rows, ode_index iy, double t, double t_next,
        double h);
    void (*close_row)(const struct ode_context *context, const struct ode_lanes *lanes, void *row,
        double t); /* write those positions */
    /* values[components]: what stands outside a FIXED boundary at time t */
    void (*outside)(const struct ode_context *context, double t, void *values);
};

/* One problem. The macros below fill it in; by hand the fields up to access in `shape`, and
   eval_comp_f32 or _f64, are enough for the CPU backends (one call per component; a precision
   without function is not supported). */
struct ode_problem {
    uint32_t abi;         /* ODE_PROBLEM_ABI */
    uint32_t struct_size; /* sizeof(struct ode_problem): later versions add fields at the end */
    const char *name;     /* a C identifier */
    const char *title;    /* what it is, in one line */
    const struct ode_parameter
        *parameters;          /* parameters[0 .. parameter_count - 1]; NULL for none */
    uint32_t parameter_count; /* how many */
    uint32_t constant_count;  /* parameters and derived constants */
    uint32_t dimensions;      /* 1, 2; 0: general form */
    uint32_t components;      /* per point; 1 in the general form */
    uint32_t radius; /* largest |dx|, |dy| that a point reads; 0 in the general form, like the next
                        two */
    uint32_t boundary; /* ODE_FIXED .. ODE_PERIODIC */
    uint32_t fields;   /* read-only coefficients per point */
    void (*shape)(const double *parameters,
        struct ode_shape *shape); /* the size, for these values of the parameters */
    void (*derive)(const double *parameters,
        double *constants); /* fill all constant_count; NULL: the parameters alone */
    /* host functions in double: context->constants are doubles; values are per point, or per
     * component in the general form */
    void (*initial)(const struct ode_context *context, ode_index point, double *y); /* NULL: none */
    void (*exact)(
        const struct ode_context *context, ode_index point, double t, double *y); /* NULL: none */
    void (*field_values)(
        const struct ode_context *context, ode_index point, double *fields); /* NULL: none */
    /* the derivative of component i, in float; NULL: not in this precision */
    float (*eval_comp_f32)(const struct ode_context *context, ode_index i, float t, const float *y);
    /* the same in double */
    double (*eval_comp_f64)(
        const struct ode_context *context, ode_index i, double t, const double *y);
    const struct ode_kernels *(*kernels)(
        size_t real_size);    /* the fastest for this processor; NULL: none */
    const char *(*rhs)(void); /* right-hand side and ODE_OUTSIDE after preprocessing, where inexact
                                 functions show; NULL: none */
    const char *text;         /* the problem's file, for OpenCL; NULL: CPU only */
    const char *text_end;     /* the first character after it */
    const char *file;         /* its name, for messages */
    /* all code for this processor: number index, the plainest first, NULL past the last; NULL:
     * `kernels` only */
    const struct ode_kernels *(*each_kernels)(size_t real_size, uint32_t index);
};

/* Which code of ode_cpu.h is the fastest that this processor runs, from the plainest, 0. A file
   compiled with -DODE_KERNELS_ONLY=NUMBER has this one only, for this kind of processor: in less
   than half the time. */
static inline uint32_t ode_best_kernels(void) {
    uint32_t best = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) best = 1;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && best == 1)
        best = 2;
#endif
    return best;
}

#ifdef __cplusplus
}
#endif

/* ---- from here on: only for a file that describes a problem
 * ----------------------------------------------- */

#if !defined(ODE_NAME) && \
    (defined(ODE_TITLE) || defined(ODE_PARAMETERS) || defined(ODE_GRID) || defined(ODE_SIZE))
#error "define ODE_NAME, a C identifier, before including eulercl/ode_problem.h"
#endif
#ifdef ODE_NAME

#ifdef __cplusplus
#error "a problem is a C file: compile it with a C compiler"
#endif
#if defined(__FAST_MATH__)
#error "-ffast-math and -Ofast change the bits: compile a problem without them"
#endif
#include <float.h>
#if FLT_EVAL_METHOD != 0
#error "excess precision changes the bits (on i386, compile with -msse2 -mfpmath=sse)"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifndef ODE_TITLE
#error "define ODE_TITLE before including eulercl/ode_problem.h"
#endif
#ifdef ODE_GRID
#if ODE_GRID != 1 && ODE_GRID != 2
#error "ODE_GRID, the dimensions of the grid, is 1 or 2"
#endif
#if !defined(ODE_COMPONENTS) || !defined(ODE_BOUNDARY) || !defined(ODE_NX)
#error "the stencil form needs ODE_COMPONENTS, ODE_BOUNDARY and ODE_NX"
#endif
#if ODE_GRID == 2 && !defined(ODE_NY)
#error "a 2-D grid needs ODE_NY"
#endif
#if defined(ODE_HAS_EVAL_COMP4) && ODE_HAS_EVAL_COMP4
#error "ODE_EVAL_COMP4 belongs to the general form: the stencil form derives it"
#endif
#elif !defined(ODE_SIZE) || !defined(ODE_ACCESS_DISTANCE)
#error \
    "define ODE_GRID for the stencil form, or ODE_SIZE and ODE_ACCESS_DISTANCE for the general form"
#endif
#include "ode_words.h"
#include "ode_update.h"

#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors never leave this file */
#define ODE_PASTE_(a, b) a##b
#define ODE_PASTE(a, b) ODE_PASTE_(a, b)
#define ODE_STRING_(...) #__VA_ARGS__
#define ODE_STRING(...) ODE_STRING_(__VA_ARGS__)
#define ODE_GLOBAL /* an OpenCL address space */
typedef ode_index ode_offset;

/* ---- types and functions of the equations ---- */

#define ODE_TYPES_(VALUE)              \
    typedef VALUE ode_real ODE_UNUSED; \
    const ode_real ode_zero ODE_UNUSED = 0;
typedef float ode_float4 __attribute__((vector_size(16)));
typedef double ode_double4 __attribute__((vector_size(32)));
ODE_INLINE float ode_fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ODE_INLINE double ode_fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
ODE_INLINE float ode_sqrt_f32(float a) { return __builtin_sqrtf(a); }
ODE_INLINE double ode_sqrt_f64(double a) { return __builtin_sqrt(a); }
ODE_INLINE float ode_fabs_f32(float a) { return __builtin_fabsf(a); }
ODE_INLINE double ode_fabs_f64(double a) { return __builtin_fabs(a); }
ODE_INLINE float ode_floor_f32(float a) { return __builtin_floorf(a); }
ODE_INLINE double ode_floor_f64(double a) { return __builtin_floor(a); }
/* The library looks for "ode_inexact_" in the preprocessed right-hand side. */
#define ODE_INEXACT1_(name)                                                               \
    ODE_INLINE float ode_inexact_##name##_f32(float a) { return __builtin_##name##f(a); } \
    ODE_INLINE double ode_inexact_##name##_f64(double a) { return __builtin_##name(a); }
#define ODE_INEXACT2_(name)                                          \
    ODE_INLINE float ode_inexact_##name##_f32(float a, float b) {    \
        return __builtin_##name##f(a, b);                            \
    }                                                                \
    ODE_INLINE double ode_inexact_##name##_f64(double a, double b) { \
        return __builtin_##name(a, b);                               \
    }
/* clang-format off */
ODE_INEXACT1_(sin)
ODE_INEXACT1_(cos)
ODE_INEXACT1_(tan)
ODE_INEXACT1_(exp)
ODE_INEXACT1_(log)
ODE_INEXACT1_(tanh)
ODE_INEXACT2_(pow)
ODE_INEXACT2_(fmin)
ODE_INEXACT2_(fmax)
/* clang-format on */

/* By the precision of the body they stand in, so that fma(-2, u, v) is not a call in double. "-
 * ode_zero" converts, and is exact. */
#define ODE_BY_PRECISION_(f) _Generic(ode_zero, float : f##_f32, double : f##_f64)
#define ODE_CALL1_(f, a) ODE_BY_PRECISION_(f)((a)-ode_zero)
#define ODE_CALL2_(f, a, b) ODE_BY_PRECISION_(f)((a)-ode_zero, (b)-ode_zero)
#define fma(a, b, c) ODE_BY_PRECISION_(ode_fma)((a)-ode_zero, (b)-ode_zero, (c)-ode_zero)
#define sqrt(a) ODE_CALL1_(ode_sqrt, a)
#define fabs(a) ODE_CALL1_(ode_fabs, a)
#define floor(a) ODE_CALL1_(ode_floor, a)
#define sin(a) ODE_CALL1_(ode_inexact_sin, a)
#define cos(a) ODE_CALL1_(ode_inexact_cos, a)
#define tan(a) ODE_CALL1_(ode_inexact_tan, a)
#define exp(a) ODE_CALL1_(ode_inexact_exp, a)
#define log(a) ODE_CALL1_(ode_inexact_log, a)
#define tanh(a) ODE_CALL1_(ode_inexact_tanh, a)
#define pow(a, b) ODE_CALL2_(ode_inexact_pow, a, b)
#define fmin(a, b) ODE_CALL2_(ode_inexact_fmin, a, b)
#define fmax(a, b) ODE_CALL2_(ode_inexact_fmax, a, b)

#define Y0(c) ode_y0[ODE_CHECKED_(c, 0, ODE_COMPONENTS - 1)]
int ode_out_of_range(void)
    __attribute__((error("an offset beyond ODE_RADIUS, a component beyond ODE_COMPONENTS, "
                         "or a field beyond ODE_FIELDS")));
#define ODE_IS_OUTSIDE_(x, low, high) ((x) < (low) || (x) > (high))
#define ODE_CHECKED_(x, low, high)                                                               \
    ((x) + (__builtin_constant_p(ODE_IS_OUTSIDE_(x, low, high)) && ODE_IS_OUTSIDE_(x, low, high) \
                   ? ode_out_of_range()                                                          \
                   : 0))
_Static_assert(2 * ODE_COMPONENTS * 2 == 4 * (ODE_COMPONENTS) &&
                   2 * ODE_RADIUS * 2 == 4 * (ODE_RADIUS) && 2 * ODE_FIELDS * 2 == 4 * (ODE_FIELDS),
    "put brackets around the values of ODE_COMPONENTS, ODE_RADIUS and ODE_FIELDS");
_Static_assert(ODE_COMPONENTS >= 1 && ODE_RADIUS >= 0 && ODE_FIELDS >= 0,
    "ODE_COMPONENTS is at least 1, ODE_RADIUS and ODE_FIELDS at least 0");

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
#define ODE_STRICT_f32 \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wdouble-promotion\"")
#define ODE_STRICT_f64 \
    ODE_STRICT_f32 _Pragma("GCC diagnostic error \"-Wfloat-conversion\"") ODE_STRICT_NARROWING_
#ifdef __clang__ /* where -Wfloat-conversion is about whole numbers alone */
#define ODE_STRICT_NARROWING_                                       \
    _Pragma("GCC diagnostic error \"-Wimplicit-float-conversion\"") \
        _Pragma("GCC diagnostic ignored \"-Wimplicit-int-float-conversion\"")
#else
#define ODE_STRICT_NARROWING_
#endif
#define ODE_STRICT_HOST_ ODE_STRICT_f32
#define ODE_STRICT_END_ _Pragma("GCC diagnostic pop")

/* ---- the functions that the equations become ---- */

#if ODE_GRID

#define ODE_POINT_ARGUMENTS_(VALUE)                                                          \
    const VALUE *ode_y, const ode_index ode_row, const VALUE *ode_c, const VALUE *ode_field, \
        const VALUE t, const ode_index ix, const ode_index iy, const ode_index nx,           \
        const ode_index ny, VALUE *ode_dot
#define ODE_POINT_FUNCTION_(S, VALUE, ...)                                          \
    ODE_INLINE void ode_text_##S(ODE_POINT_ARGUMENTS_(VALUE)) {                     \
        ODE_BODY_LOCALS(VALUE)                                                      \
        (void)ode_row;                                                              \
        (void)ode_field;                                                            \
        (void)t;                                                                    \
        (void)ix;                                                                   \
        (void)iy;                                                                   \
        (void)nx;                                                                   \
        (void)ny;                                                                   \
        ODE_FORGET_DOT_                                                             \
        ODE_STRICT_##S __VA_ARGS__ ODE_STRICT_END_                                  \
    }                                                                               \
    ODE_INLINE void ode_point_##S(ODE_POINT_ARGUMENTS_(VALUE)) {                    \
        ode_text_##S(ode_y, ode_row, ode_c, ode_field, t, ix, iy, nx, ny, ode_dot); \
        for (int ode_k = 1; ode_k < ODE_COMPONENTS; ode_k += 2)                     \
            ode_dot[ode_k] = ODE_APART_(ode_dot[ode_k]);                            \
    }
ODE_INLINE void ode_point_f32(ODE_POINT_ARGUMENTS_(float));
ODE_INLINE void ode_point_f64(ODE_POINT_ARGUMENTS_(double));
#define ODE_POINT_RHS(...)                                             \
    ODE_POINT_FUNCTION_(f32, float, __VA_ARGS__)                       \
    ODE_POINT_FUNCTION_(f64, double, __VA_ARGS__)                      \
    static const char *ode_rhs(void) {                                 \
        return ODE_STRING(__VA_ARGS__) " " ODE_STRING(ODE_OUTSIDE(c)); \
    }
#define ODE_HOST_INDICES_                                                             \
    const ode_index nx ODE_UNUSED = ode_context->nx, ny ODE_UNUSED = ode_context->ny; \
    const ode_index iy ODE_UNUSED = ode_i / nx, ix ODE_UNUSED = ode_i - iy * nx;

#else

#define ODE_COMPONENT_ARGUMENTS_(VALUE) \
    const VALUE *ode_y, const VALUE *ode_c, const ode_index i, const VALUE t, const ode_index n
#define ODE_COMPONENTS4_ARGUMENTS_(VALUE)                                                         \
    const VALUE *ode_y, const VALUE *ode_c, const ode_index i4, const VALUE t, const ode_index n, \
        VALUE *ode_result
ODE_INLINE float ode_component_f32(ODE_COMPONENT_ARGUMENTS_(float));
ODE_INLINE double ode_component_f64(ODE_COMPONENT_ARGUMENTS_(double));
#if ODE_HAS_EVAL_COMP4
ODE_INLINE void ode_components4_f32(ODE_COMPONENTS4_ARGUMENTS_(float));
ODE_INLINE void ode_components4_f64(ODE_COMPONENTS4_ARGUMENTS_(double));
#endif
#define ODE_COMPONENT_FUNCTION_(S, VALUE, ...)                            \
    ODE_INLINE VALUE ode_component_##S(ODE_COMPONENT_ARGUMENTS_(VALUE)) { \
        ODE_BODY_LOCALS(VALUE)                                            \
        (void)i;                                                          \
        (void)t;                                                          \
        (void)n;                                                          \
        ODE_STRICT_##S __VA_ARGS__ ODE_STRICT_END_                        \
    }
#define ODE_EVAL_COMP(...)                            \
    ODE_COMPONENT_FUNCTION_(f32, float, __VA_ARGS__)  \
    ODE_COMPONENT_FUNCTION_(f64, double, __VA_ARGS__) \
    static const char *ode_rhs(void) { return ODE_STRING(__VA_ARGS__); }
/* The author's text returns the four values from a function of its own, for the sake of `return`.
 */
#define ODE_COMPONENTS4_FUNCTION_(S, VALUE, VALUE4, ...)                                       \
    ODE_INLINE VALUE4 ode_four_##S(const VALUE *ode_y, const VALUE *ode_c, const ode_index i4, \
        const VALUE t, const ode_index n) {                                                    \
        typedef VALUE4 ode_real4;                                                              \
        ODE_BODY_LOCALS(VALUE)                                                                 \
        (void)i4;                                                                              \
        (void)t;                                                                               \
        (void)n;                                                                               \
        ODE_STRICT_##S __VA_ARGS__ ODE_STRICT_END_                                             \
    }                                                                                          \
    ODE_INLINE void ode_components4_##S(ODE_COMPONENTS4_ARGUMENTS_(VALUE)) {                   \
        const VALUE4 ode_four = ode_four_##S(ode_y, ode_c, i4, t, n);                          \
        memcpy(ode_result, &ode_four, sizeof ode_four);                                        \
    }
#define ODE_EVAL_COMP4(...)                                        \
    ODE_COMPONENTS4_FUNCTION_(f32, float, ode_float4, __VA_ARGS__) \
    ODE_COMPONENTS4_FUNCTION_(f64, double, ode_double4, __VA_ARGS__)
ODE_INLINE ode_float4 ode_load4_f32(const float *y) {
    ode_float4 v;
    memcpy(&v, y, sizeof v);
    return v;
}
ODE_INLINE ode_double4 ode_load4_f64(const double *y) {
    ode_double4 v;
    memcpy(&v, y, sizeof v);
    return v;
}
/* By pointer: vectors as arguments draw notes about past ABIs. */
ODE_INLINE ode_float4 ode_fma4_f32(const ode_float4 *a, const ode_float4 *b, const ode_float4 *c) {
    ode_float4 r = *a;
    for (int k = 0; k < 4; k++) r[k] = ode_fma_f32((*a)[k], (*b)[k], (*c)[k]);
    return r;
}
ODE_INLINE ode_double4 ode_fma4_f64(
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
#define ODE_HOST_INDICES_ const ode_index n ODE_UNUSED = ode_context->n, i ODE_UNUSED = ode_i;

#endif

#define ODE_HOST_BODY_                            \
    const double *ode_c = ode_context->constants; \
    ODE_BODY_LOCALS(double)                       \
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
#if ODE_FIELDS
static void ode_field_values(
    const struct ode_context *ode_context, ode_index ode_i, double *ode_field);
#define ODE_FIELD_VALUES(...)                                                        \
    static void ode_field_values(                                                    \
        const struct ode_context *ode_context, ode_index ode_i, double *ode_field) { \
        ODE_HOST_BODY_                                                               \
        ODE_STRICT_HOST_                                                             \
        __VA_ARGS__                                                                  \
        ODE_STRICT_END_                                                              \
    }
#endif

/* ---- the forms, and the code for this processor, in both precisions ---- */

#define ODE_SPACE
#define ODE_VALUE float
#define ODE_NAMED(x) x##_f32
#define ODE_POINT ode_point_f32
#define ODE_WINDOW_POINT ode_point_f32
ODE_STRICT_f32
#include "ode_forms.h"
#include "ode_cpu.h"
    ODE_STRICT_END_
#undef ODE_VALUE
#undef ODE_NAMED
#undef ODE_POINT
#undef ODE_WINDOW_POINT
#define ODE_VALUE double
#define ODE_NAMED(x) x##_f64
#define ODE_POINT ode_point_f64
#define ODE_WINDOW_POINT ode_point_f64
        ODE_STRICT_f64
#include "ode_forms.h"
#include "ode_cpu.h"
            ODE_STRICT_END_

#ifdef ODE_KERNELS_ONLY
    static uint32_t
    ode_last_kernels(void) {
    return 0;
}
#else
    static uint32_t
    ode_last_kernels(void) {
    return ode_best_kernels();
}
#endif
static const struct ode_kernels *ode_each_kernels(size_t real_size, uint32_t index) {
    if (index > ode_last_kernels()) return NULL;
    return real_size == sizeof(float)    ? &ode_kernels_f32[index]
           : real_size == sizeof(double) ? &ode_kernels_f64[index]
                                         : NULL;
}
static const struct ode_kernels *ode_kernels(size_t real_size) {
    return ode_each_kernels(real_size, ode_last_kernels());
}

/* ---- the struct ---- */

#define ODE_REAL_PARAMETER_(name, value, min, max, unit, doc) \
    {#name, value, min, max, 0, unit, doc},
#define ODE_INTEGER_PARAMETER_(name, value, min, max, unit, doc) \
    {#name, value, min, max, 1, unit, doc},
static const struct ode_parameter ode_parameters[] = {
    ODE_PARAMETERS(ODE_REAL_PARAMETER_, ODE_INTEGER_PARAMETER_){NULL, 0, 0, 0, 0, NULL, NULL}};

#define ODE_DERIVE_(name, expression)            \
    const double name ODE_UNUSED = (expression); \
    if (ode_constants) ode_constants[ODE_CONSTANT_##name] = name;
static void ode_derive(const double *ode_c, double *ode_constants) {
    ODE_TYPES_(double)
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    for (int ode_k = 0; ode_k < ODE_PARAMETER_COUNT_; ode_k++) ode_constants[ode_k] = ode_c[ode_k];
    ODE_DERIVED(ODE_DERIVE_)
}
static void ode_shape(const double *ode_c, struct ode_shape *ode_shape_) {
    ODE_TYPES_(double)
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    double *const ode_constants = NULL;
    ODE_DERIVED(ODE_DERIVE_)
    (void)ode_c;
    (void)ode_constants;
#if ODE_GRID == 0
    ode_shape_->nx = (double)(ODE_SIZE);
    ode_shape_->ny = 1;
#else
    ode_shape_->nx = (double)(ODE_NX);
#if ODE_GRID == 2
    ode_shape_->ny = (double)(ODE_NY);
#else
    ode_shape_->ny = 1;
#endif
#endif
#ifdef ODE_ACCESS_DISTANCE
    ode_shape_->access_distance = (double)(ODE_ACCESS_DISTANCE);
#elif ODE_BOUNDARY == ODE_PERIODIC
    ode_shape_->access_distance = ode_shape_->nx * ode_shape_->ny * ODE_COMPONENTS - 1;
#else
    ode_shape_->access_distance =
        (ODE_GRID == 2 ? ODE_RADIUS * ODE_COMPONENTS * ode_shape_->nx : 0) +
        (ODE_RADIUS + 1) * ODE_COMPONENTS - 1;
#endif
}

/* The file itself, for the OpenCL compiler. */
#define ODE_TEXT_ ODE_PASTE(ode_text_, ODE_NAME)
#define ODE_TEXT_END_ ODE_PASTE(ode_text_end_, ODE_NAME)
__asm__(
    ".pushsection .rodata\n"
    ".globl " ODE_STRING(ODE_TEXT_) "\n.hidden " ODE_STRING(
        ODE_TEXT_) "\n"
                   ".globl " ODE_STRING(ODE_TEXT_END_) "\n.hidden " ODE_STRING(
                       ODE_TEXT_END_) "\n" ODE_STRING(ODE_TEXT_) ":\n.incbin \"" __BASE_FILE__
                                                                 "\"\n" ODE_STRING(
                                                                     ODE_TEXT_END_) ":\n.byte 0\n"
                                                                                    ".popsection"
                                                                                    "\n");
extern const char ODE_TEXT_[] __attribute__((visibility("hidden")));
extern const char ODE_TEXT_END_[] __attribute__((visibility("hidden")));

static const char *ode_rhs(void);

#define ODE_SYMBOL_ ODE_PASTE(ode_problem_, ODE_NAME)
extern const struct ode_problem ODE_SYMBOL_ __attribute__((visibility("default")));
const struct ode_problem ODE_SYMBOL_ = {
    .abi = ODE_PROBLEM_ABI,
    .struct_size = sizeof(struct ode_problem),
    .name = ODE_STRING(ODE_NAME),
    .title = ODE_TITLE,
    .parameters = ode_parameters,
    .parameter_count = ODE_PARAMETER_COUNT_,
    .constant_count = ODE_CONSTANT_COUNT,
    .dimensions = ODE_GRID,
    .components = ODE_COMPONENTS,
    .radius = ODE_RADIUS,
    .boundary = ODE_BOUNDARY,
    .fields = ODE_FIELDS,
    .shape = ode_shape,
    .derive = ode_derive,
    .initial = ode_initial,
#if ODE_HAS_EXACT
    .exact = ode_exact,
#endif
#if ODE_FIELDS
    .field_values = ode_field_values,
#endif
    .eval_comp_f32 = ode_call_eval_comp_f32,
    .eval_comp_f64 = ode_call_eval_comp_f64,
    .kernels = ode_kernels,
    .rhs = ode_rhs,
    .text = ODE_TEXT_,
    .text_end = ODE_TEXT_END_,
    .file = __BASE_FILE__,
    .each_kernels = ode_each_kernels,
};
/* The name under which a plug-in is found; weak, so that several problems may be linked into one
 * program. */
extern const struct ode_problem ode_problem
    __attribute__((weak, alias(ODE_STRING(ODE_SYMBOL_)), visibility("default")));

#endif /* ODE_NAME */
#endif
