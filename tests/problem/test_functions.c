/* SPDX-License-Identifier: BSD-2-Clause */
/* test_functions.c - the functions of ode_math.h: their errors, their special values, and the same
 * bits one by one, in vectors and on an OpenCL device. function_bits.c compares compilers. */
#include "config.h"
#include "../support.h"
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* or there are no vectors to test */
#endif
#include "functions.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_MPFR
#include <mpfr.h>
#endif
#ifdef HAVE_OPENCL
#include "opencl/runtime.h"
#include "opencl/embedded.h"
#endif

enum { LANES = 1024 };

#if defined __x86_64__
#define AVX2 __attribute__((target("avx2,fma,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")))
#endif
#define CALL1(name, S, x, y) ode_math_##name##_##S(x)
#define CALL2(name, S, x, y) ode_math_##name##_##S(x, y)
/* One by one, and in a loop for each instruction set. */
#define SCALAR(name, S, REAL, CALL)                                    \
    static __attribute__((noinline)) REAL name##_##S(REAL x, REAL y) { \
        (void)y;                                                       \
        return CALL(name, S, x, y);                                    \
    }
#define LOOP(name, S, REAL, CALL, isa, ATTRIBUTE)                                     \
    ATTRIBUTE static void name##_##isa##_##S(const REAL *x, const REAL *y, REAL *z) { \
        (void)y;                                                                      \
        for (int k = 0; k < LANES; k++) z[k] = CALL(name, S, x[k], y[k]);             \
    }
#ifdef AVX2
#define LOOPS(name, S, REAL, CALL)        \
    LOOP(name, S, REAL, CALL, avx2, AVX2) \
    LOOP(name, S, REAL, CALL, avx512, AVX512)
#define LOOP_NAMES(name, S) \
    { name##_avx2_##S, name##_avx512_##S }
#else
#define LOOPS(name, S, REAL, CALL) LOOP(name, S, REAL, CALL, plain, )
#define LOOP_NAMES(name, S) \
    { name##_plain_##S }
#endif
#define BOTH(name, CALL)            \
    SCALAR(name, f32, float, CALL)  \
    SCALAR(name, f64, double, CALL) \
    LOOPS(name, f32, float, CALL)   \
    LOOPS(name, f64, double, CALL)
#define ONE(name, ulp32, ulp64) BOTH(name, CALL1)
#define TWO(name, ulp32, ulp64) BOTH(name, CALL2)
MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
/* What a loop calls where no argument is rare. */
#define COMMON(name)                        \
    LOOPS(name##_common, f32, float, CALL1) \
    LOOPS(name##_common, f64, double, CALL1)
COMMON(sin)
COMMON(cos)
COMMON(tan)

/* Results with more bits than a double has. */
static long double exact_fmin(long double x, long double y) {
    return x == 0 && y == 0 ? (signbit(x) ? x : y) : fminl(x, y);
}
static long double exact_fmax(long double x, long double y) {
    return x == 0 && y == 0 ? (signbit(x) ? y : x) : fmaxl(x, y);
}
#ifdef HAVE_MPFR
static long double from_mpfr(mpfr_t z) {
    const long double result = mpfr_get_ld(z, MPFR_RNDN);
    return result;
}
#define ONE(name, ulp32, ulp64)                                     \
    static long double exact_##name(long double x, long double y) { \
        mpfr_t z;                                                   \
        (void)y;                                                    \
        mpfr_init2(z, 120);                                         \
        mpfr_set_ld(z, x, MPFR_RNDN);                               \
        mpfr_##name(z, z, MPFR_RNDN);                               \
        const long double result = from_mpfr(z);                    \
        mpfr_clear(z);                                              \
        return result;                                              \
    }
#define TWO(name, ulp32, ulp64)                                                               \
    static __attribute__((unused)) long double mpfr_of_##name(long double x, long double y) { \
        mpfr_t z, w;                                                                          \
        mpfr_inits2(120, z, w, (mpfr_ptr)NULL);                                               \
        mpfr_set_ld(z, x, MPFR_RNDN);                                                         \
        mpfr_set_ld(w, y, MPFR_RNDN);                                                         \
        mpfr_##name(z, z, w, MPFR_RNDN);                                                      \
        const long double result = from_mpfr(z);                                              \
        mpfr_clears(z, w, (mpfr_ptr)NULL);                                                    \
        return result;                                                                        \
    }
#define mpfr_fmin mpfr_min
#define mpfr_fmax mpfr_max
#define exact_atan2 mpfr_of_atan2
#define exact_pow mpfr_of_pow
#define exact_hypot mpfr_of_hypot
#else
#define ONE(name, ulp32, ulp64)                                     \
    static long double exact_##name(long double x, long double y) { \
        (void)y;                                                    \
        return name##l(x);                                          \
    }
#define TWO(name, ulp32, ulp64)
#define exact_atan2 atan2l
#define exact_pow powl
#define exact_hypot hypotl
#endif
MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO

typedef void loop_f32(const float *, const float *, float *);
typedef void loop_f64(const double *, const double *, double *);
static const struct function {
    const char *name;
    float (*f32)(float, float);
    double (*f64)(double, double);
    long double (*exact)(long double, long double);
    loop_f32 *loops_f32[2];
    loop_f64 *loops_f64[2];
    double ulp32, ulp64;
    int arguments;
} functions[] = {
#define ROW(name, ulp32, ulp64, arguments)                                                      \
    {#name, name##_f32, name##_f64, exact_##name, LOOP_NAMES(name, f32), LOOP_NAMES(name, f64), \
        ulp32, ulp64, arguments},
#define ONE(name, ulp32, ulp64) ROW(name, ulp32, ulp64, 1)
#define TWO(name, ulp32, ulp64) ROW(name, ulp32, ulp64, 2)
    MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static int same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

/* The error of a result in units of the last place of the exact one, in a format of so many bits
 * whose least exponent (of frexp) is given; huge where one is NaN or has another sign. */
static double error_of(double got, long double exact, int bits, int least, int most) {
    if (isnan(exact) || isnan(got)) return isnan(exact) && isnan(got) ? 0 : HUGE_VAL;
    if (!signbit(got) != !signbit(exact)) return HUGE_VAL;
    /* Infinity is as right as the next number of a larger format is. */
    const long double beyond = ldexpl(1, most), size = fminl(fabsl(exact), beyond);
    const long double value = fminl(fabsl((long double)got), beyond);
    int exponent;
    frexpl(size, &exponent);
    if (exponent < least || size == 0) exponent = least;
    if (exponent > most) exponent = most;
    return (double)(fabsl(value - size) / ldexpl(1, exponent - bits));
}
static double error_f32(const struct function *f, float x, float y) {
    return error_of((double)f->f32(x, y), f->exact((long double)x, (long double)y), FLT_MANT_DIG,
        FLT_MIN_EXP, FLT_MAX_EXP);
}
static double error_f64(const struct function *f, double x, double y) {
    return error_of(f->f64(x, y), f->exact((long double)x, (long double)y), DBL_MANT_DIG,
        DBL_MIN_EXP, DBL_MAX_EXP);
}

/* The numbers that are taken of each function; without turns in EULERCL_TEST_LEVEL=all, see
 * tests/README.md. */
static int64_t count_of(const char *variable, int64_t otherwise) {
    const char *const text = getenv(variable);
    return text && *text ? strtoll(text, NULL, 10) : otherwise;
}

#if defined HAVE_MPFR || LDBL_MANT_DIG >= 64
START_TEST(errors_are_small) {
    const struct function *const f = &functions[_i];
    uint64_t state = seed() + 7 * (uint64_t)_i + 1;
    const int64_t count = cases(20000, 800000);
    const int is_pow = strcmp(f->name, "pow") == 0;
    for (int64_t k = 0; k < count; k++) {
        double x = math_test_argument(&state, k, 1),
               y = math_second_argument(x, &state, k / 8, is_pow);
        /* x = 1 and a negative number with a fraction belong to the special values. */
        if (is_pow && k % 2) x = fabs(x);
        const double wrong = error_f64(f, x, y);
        ck_assert_msg(wrong <= f->ulp64,
            "%s(%a, %a) in double is %a, wrong by %g ulp, not %g; %llu", f->name, x, y,
            f->f64(x, y), wrong, f->ulp64, (unsigned long long)seed());
        const float xf = (float)math_test_argument(&state, k, 0);
        const float yf = (float)math_second_argument((double)xf, &state, k / 8, is_pow);
        const float of = is_pow && k % 2 ? fabsf(xf) : xf;
        const double single = error_f32(f, of, yf);
        ck_assert_msg(single <= f->ulp32,
            "%s(%a, %a) in float is %a, wrong by %g ulp, not %g; %llu", f->name, (double)of,
            (double)yf, (double)f->f32(of, yf), single, f->ulp32, (unsigned long long)seed());
    }
}
END_TEST

/* All floats, and many doubles, with the C library as the first judge: MPFR, if there is any,
 * decides where that is not convinced. */
#define ONE(name, ulp32, ulp64)                              \
    static double name##_guess(double x) { return name(x); } \
    static long double name##_guess_l(long double x) { return name##l(x); }
#define TWO(name, ulp32, ulp64)
MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
static const struct {
    double (*f64)(double);
    long double (*f80)(long double);
} guesses[] = {
#define ONE(name, ulp32, ulp64) {name##_guess, name##_guess_l},
#define TWO(name, ulp32, ulp64) {NULL, NULL},
    MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
};
START_TEST(all_errors_are_small) {
    const struct function *const f = &functions[_i];
    if (f->arguments != 1) return;
    const uint64_t every = (uint64_t)count_of("EULERCL_TEST_EVERY_FLOAT", 1);
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += every) {
        const float x = ode_math_real_f32((int32_t)(uint32_t)bits);
        const double guess = error_of((double)f->f32(x, 0), (long double)guesses[_i].f64((double)x),
            FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP);
        if (guess > f->ulp32 - 1e-6) {
            const double wrong = error_f32(f, x, 0);
            ck_assert_msg(
                wrong <= f->ulp32, "%s(%a) in float is wrong by %g ulp", f->name, (double)x, wrong);
        }
    }
    uint64_t state = seed() + (uint64_t)_i;
    const int64_t count = count_of("EULERCL_TEST_DOUBLES", 1000000000);
    for (int64_t k = 0; k < count; k++) {
        const double x = math_test_argument(&state, k, 1);
        const double guess = error_of(
            f->f64(x, 0), guesses[_i].f80((long double)x), DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP);
        if (guess > f->ulp64 - 1e-2) {
            const double wrong = error_f64(f, x, 0);
            ck_assert_msg(
                wrong <= f->ulp64, "%s(%a) in double is wrong by %g ulp", f->name, x, wrong);
        }
    }
}
END_TEST
#endif

#define INF HUGE_VAL
#define NONE ((double)NAN)
/* C11, annex F.10, and numbers whose results are exact. Infinities and least numbers are those of
 * the precision. */
#define LEAST (-1234.5) /* the least positive number */
#define MOST (-1234.25) /* the largest finite one */
static const struct {
    const char *name;
    double x, y, result;
} specials[] = {
    {"exp", 0, 0, 1},
    {"exp", -0., 0, 1},
    {"exp", INF, 0, INF},
    {"exp", -INF, 0, 0},
    {"exp", MOST, 0, INF},
    {"exp", LEAST, 0, 1},
    {"exp2", 0, 0, 1},
    {"exp2", -INF, 0, 0},
    {"exp2", INF, 0, INF},
    {"exp2", 10, 0, 1024},
    {"exp2", -3, 0, 0.125},
    {"exp2", MOST, 0, INF},
    {"expm1", 0, 0, 0},
    {"expm1", -0., 0, -0.},
    {"expm1", INF, 0, INF},
    {"expm1", -INF, 0, -1},
    {"expm1", LEAST, 0, LEAST},
    {"expm1", -1000, 0, -1},
    {"log", 0, 0, -INF},
    {"log", -0., 0, -INF},
    {"log", 1, 0, 0},
    {"log", -1, 0, NONE},
    {"log", INF, 0, INF},
    {"log", -INF, 0, NONE},
    {"log2", 0, 0, -INF},
    {"log2", -0., 0, -INF},
    {"log2", 1, 0, 0},
    {"log2", -1, 0, NONE},
    {"log2", INF, 0, INF},
    {"log2", 1024, 0, 10},
    {"log2", 0.125, 0, -3},
    {"log2", -INF, 0, NONE},
    {"log1p", 0, 0, 0},
    {"log1p", -0., 0, -0.},
    {"log1p", -1, 0, -INF},
    {"log1p", -2, 0, NONE},
    {"log1p", INF, 0, INF},
    {"log1p", LEAST, 0, LEAST},
    {"sin", 0, 0, 0},
    {"sin", -0., 0, -0.},
    {"sin", INF, 0, NONE},
    {"sin", -INF, 0, NONE},
    {"sin", LEAST, 0, LEAST},
    {"cos", 0, 0, 1},
    {"cos", -0., 0, 1},
    {"cos", INF, 0, NONE},
    {"cos", -INF, 0, NONE},
    {"cos", LEAST, 0, 1},
    {"tan", 0, 0, 0},
    {"tan", -0., 0, -0.},
    {"tan", INF, 0, NONE},
    {"tan", -INF, 0, NONE},
    {"tan", LEAST, 0, LEAST},
    {"sinh", 0, 0, 0},
    {"sinh", -0., 0, -0.},
    {"sinh", INF, 0, INF},
    {"sinh", -INF, 0, -INF},
    {"sinh", LEAST, 0, LEAST},
    {"cosh", 0, 0, 1},
    {"cosh", -0., 0, 1},
    {"cosh", INF, 0, INF},
    {"cosh", -INF, 0, INF},
    {"cosh", LEAST, 0, 1},
    {"tanh", 0, 0, 0},
    {"tanh", -0., 0, -0.},
    {"tanh", INF, 0, 1},
    {"tanh", -INF, 0, -1},
    {"tanh", LEAST, 0, LEAST},
    {"tanh", MOST, 0, 1},
    {"asin", 0, 0, 0},
    {"asin", -0., 0, -0.},
    {"asin", 1.5, 0, NONE},
    {"asin", -INF, 0, NONE},
    {"asin", LEAST, 0, LEAST},
    {"acos", 1, 0, 0},
    {"acos", 1.5, 0, NONE},
    {"acos", -1.5, 0, NONE},
    {"acos", INF, 0, NONE},
    {"atan", 0, 0, 0},
    {"atan", -0., 0, -0.},
    {"atan", LEAST, 0, LEAST},
    {"cbrt", 0, 0, 0},
    {"cbrt", -0., 0, -0.},
    {"cbrt", INF, 0, INF},
    {"cbrt", -INF, 0, -INF},
    {"cbrt", 27, 0, 3},
    {"cbrt", -0.125, 0, -0.5},
    {"erf", 0, 0, 0},
    {"erf", -0., 0, -0.},
    {"erf", INF, 0, 1},
    {"erf", -INF, 0, -1},
    {"erf", MOST, 0, 1},
    {"atan2", 0, 0, 0},
    {"atan2", -0., 0, -0.},
    {"atan2", 0, 1, 0},
    {"atan2", -0., 1, -0.},
    {"atan2", 1, INF, 0},
    {"atan2", -1, INF, -0.},
    {"atan2", LEAST, 1, LEAST},
    {"atan2", NONE, 1, NONE},
    {"atan2", 1, NONE, NONE},
    {"atan2", INF, NONE, NONE},
    {"hypot", INF, NONE, INF},
    {"hypot", NONE, -INF, INF},
    {"hypot", 0, 0, 0},
    {"hypot", 3, -4, 5},
    {"hypot", -0., LEAST, LEAST},
    {"hypot", MOST, MOST, INF},
    {"hypot", MOST, 0, MOST},
    {"hypot", NONE, 1, NONE},
    {"hypot", 1, NONE, NONE},
    {"fmin", 1, 2, 1},
    {"fmin", NONE, 2, 2},
    {"fmin", 1, NONE, 1},
    {"fmin", NONE, NONE, NONE},
    {"fmin", 0, -0., -0.},
    {"fmin", -0., 0, -0.},
    {"fmin", -1, -2, -2},
    {"fmin", -INF, NONE, -INF},
    {"fmin", -1, 2, -1},
    {"fmax", 1, 2, 2},
    {"fmax", NONE, 2, 2},
    {"fmax", 1, NONE, 1},
    {"fmax", NONE, NONE, NONE},
    {"fmax", 0, -0., 0},
    {"fmax", -0., 0, 0},
    {"fmax", -1, -2, -1},
    {"fmax", -INF, NONE, -INF},
    {"fmax", -1, 2, 2},
    {"pow", 0, 3, 0},
    {"pow", -0., 3, -0.},
    {"pow", -0., 2, 0},
    {"pow", 0, 0.5, 0},
    {"pow", -0., 0.5, 0},
    {"pow", 0, -3, INF},
    {"pow", -0., -3, -INF},
    {"pow", -0., -2, INF},
    {"pow", -0., -0.5, INF},
    {"pow", 0, -INF, INF},
    {"pow", -0., INF, 0},
    {"pow", -1, INF, 1},
    {"pow", -1, -INF, 1},
    {"pow", 1, NONE, 1},
    {"pow", NONE, 0, 1},
    {"pow", NONE, -0., 1},
    {"pow", 1, INF, 1},
    {"pow", 0, 0, 1},
    {"pow", INF, 0, 1},
    {"pow", NONE, 1, NONE},
    {"pow", 2, NONE, NONE},
    {"pow", -1, NONE, NONE},
    {"pow", -2, 0.5, NONE},
    {"pow", -2, 3, -8},
    {"pow", -2, 2, 4},
    {"pow", 2, -1, 0.5},
    {"pow", 0.5, INF, 0},
    {"pow", 0.5, -INF, INF},
    {"pow", 2, INF, INF},
    {"pow", 2, -INF, 0},
    {"pow", -2, INF, INF},
    {"pow", -0.5, INF, 0},
    {"pow", INF, 2, INF},
    {"pow", INF, -2, 0},
    {"pow", -INF, 3, -INF},
    {"pow", -INF, 2, INF},
    {"pow", -INF, -3, -0.},
    {"pow", -INF, -2, 0},
    {"pow", -INF, 0.5, INF},
    {"pow", -INF, -0.5, 0},
    {"pow", INF, INF, INF},
    {"pow", INF, -INF, 0},
    {"pow", -1, MOST, 1},
    {"pow", -1, 16777215, -1},
    {"pow", -1, 8388609, -1},
    {"pow", -2, 16777217, -INF},
    {"pow", MOST, 2, INF},
    {"pow", LEAST, 2, 0},
};
static double in_f32(double x) { return x == LEAST ? 0x1p-149 : x == MOST ? (double)FLT_MAX : x; }
static double in_f64(double x) { return x == LEAST ? 0x1p-1074 : x == MOST ? DBL_MAX : x; }
START_TEST(special_values_are_those_of_annex_f) {
    const struct function *const f = &functions[_i];
    int count = 0;
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
        if (strcmp(specials[k].name, f->name) != 0) continue;
        count++;
        const double x = in_f64(specials[k].x), y = in_f64(specials[k].y);
        ck_assert_msg(same(f->f64(x, y), in_f64(specials[k].result)), "%s(%g, %g) in double is %g",
            f->name, x, y, f->f64(x, y));
        /* 16777217 is no float. */
        const float xf = (float)in_f32(specials[k].x), yf = (float)in_f32(specials[k].y);
        if (specials[k].y == 16777217) continue;
        ck_assert_msg(same((double)f->f32(xf, yf), in_f32(specials[k].result)),
            "%s(%g, %g) in float is %g", f->name, (double)xf, (double)yf, (double)f->f32(xf, yf));
    }
    ck_assert_int_gt(count, 0);
    if (f->arguments == 1) ck_assert(isnan(f->f64(NONE, 0)) && isnan(f->f32((float)NONE, 0)));
}
END_TEST

/* Arguments for all functions: special ones, then random ones. */
static void fill(uint64_t stream, float *xf, float *yf, double *x, double *y) {
    static const double values[] = {
        0, -0., 1, -1, 0.5, 2, -2, INF, -INF, NONE, LEAST, MOST, 3, 700, -700, 1e-5, 1e5, 1e10};
    enum { VALUES = sizeof values / sizeof *values };
    uint64_t state = seed() + stream;
    for (int k = 0; k < LANES; k++) {
        x[k] = math_test_argument(&state, k, 1);
        y[k] = math_test_argument(&state, k / 8, 1);
        xf[k] = (float)math_test_argument(&state, k, 0);
        yf[k] = (float)math_test_argument(&state, k / 8, 0);
        if (k < VALUES * VALUES) {
            x[k] = in_f64(values[k / VALUES]), y[k] = in_f64(values[k % VALUES]);
            xf[k] = (float)in_f32(values[k / VALUES]), yf[k] = (float)in_f32(values[k % VALUES]);
        }
    }
}
static int has_isa(int k) {
#ifdef AVX2
    return k ? __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
             : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return k == 0;
#endif
}
/* Filled by each test. */
static float given_xf[LANES], given_yf[LANES], given_zf[LANES];
static double given_x[LANES], given_y[LANES], given_z[LANES];
START_TEST(lanes_have_the_bits_of_single_calls) {
    const struct function *const f = &functions[_i];
    static const struct {
        const char *name;
        loop_f32 *f32[2];
        loop_f64 *f64[2];
        int (*rare_f32)(float), (*rare_f64)(double);
    } commons[] = {
#define ROW_OF(name)                                                        \
    {#name, LOOP_NAMES(name##_common, f32), LOOP_NAMES(name##_common, f64), \
        ode_math_##name##_is_rare_f32, ode_math_##name##_is_rare_f64},
        ROW_OF(sin) ROW_OF(cos) ROW_OF(tan)};
    fill((uint64_t)_i, given_xf, given_yf, given_x, given_y);
    for (int isa = 0; isa < 2; isa++) {
        if (!has_isa(isa)) continue;
        f->loops_f32[isa](given_xf, given_yf, given_zf);
        f->loops_f64[isa](given_x, given_y, given_z);
        for (int k = 0; k < LANES; k++) {
            ck_assert_msg(same(given_z[k], f->f64(given_x[k], given_y[k])), "%s(%a, %a)", f->name,
                given_x[k], given_y[k]);
            ck_assert_msg(same((double)given_zf[k], (double)f->f32(given_xf[k], given_yf[k])),
                "%s(%a, %a) in float", f->name, (double)given_xf[k], (double)given_yf[k]);
        }
        for (int c = 0; c < 3; c++) {
            if (strcmp(commons[c].name, f->name) != 0) continue;
            commons[c].f32[isa](given_xf, given_yf, given_zf);
            commons[c].f64[isa](given_x, given_y, given_z);
            int rare = 0;
            for (int k = 0; k < LANES; k++) {
                rare += commons[c].rare_f64(given_x[k]);
                ck_assert(
                    commons[c].rare_f64(given_x[k]) || same(given_z[k], f->f64(given_x[k], 0)));
                ck_assert(commons[c].rare_f32(given_xf[k]) ||
                          same((double)given_zf[k], (double)f->f32(given_xf[k], 0)));
            }
            ck_assert(rare > 0 && rare < LANES / 2);
        }
    }
}
END_TEST

#ifdef HAVE_OPENCL
/* A kernel that calls all functions, each for all arguments. */
static char *kernel_text(int is_double) {
    static char text[200000];
    char *p = text;
    p += sprintf(
        p, "#define ODE_DOUBLE %d\n#define ODE_UNCACHED 0\n#define ODE_INDEX int\n", is_double);
#define PUT(NAME)                                       \
    memcpy(p, ecl_text_##NAME, ecl_text_##NAME##_size); \
    p += ecl_text_##NAME##_size;
    PUT(prelude)
    PUT(math_words)
    PUT(ode_math_constants)
    PUT(ode_math)
    p +=
        sprintf(p, "__kernel void functions(__global const ode_real *x, __global const ode_real *y,"
                   " __global ode_real *z) {\n const size_t i = get_global_id(0);\n");
    for (int k = 0; k < FUNCTIONS; k++)
        p += sprintf(p, " z[%d + i] = ode_math_%s(x[i]%s);\n", k * LANES, functions[k].name,
            functions[k].arguments == 2 ? ", y[i]" : "");
    sprintf(p, "}\n");
    ck_assert(p < text + sizeof text - 100);
    return text;
}
START_TEST(devices_have_the_bits_of_c) {
    static float resultsf[FUNCTIONS * LANES];
    static double results[FUNCTIONS * LANES];
    const size_t real_size = _i ? sizeof(double) : sizeof(float), items = LANES;
    eulercl_options options;
    struct cl_runtime runtime;
    cl_mem buffers[3];
    cl_kernel kernel;
    size_t workgroup;
    double seconds = 0;
    if (!have_opencl()) return;
    eulercl_options_init(&options);
    OK(ecl_cl_open(&runtime, &options, &error));
    if (_i && !runtime.info.has_double) {
        ecl_cl_close(&runtime);
        return;
    }
    OK(ecl_cl_build(&runtime, kernel_text(_i), &seconds, &error));
    OK(ecl_cl_kernel(&runtime, "functions", &kernel, &workgroup, &error));
    fill(100, given_xf, given_yf, given_x, given_y);
    const void *const in[2] = {
        _i ? (void *)given_x : (void *)given_xf, _i ? (void *)given_y : (void *)given_yf};
    for (cl_uint k = 0; k < 3; k++) {
        const uint64_t bytes = (k < 2 ? LANES : FUNCTIONS * LANES) * real_size;
        OK(ecl_cl_buffer(&runtime, bytes, "the test", &buffers[k], &error));
        if (k < 2)
            ck_assert_int_eq(clEnqueueWriteBuffer(runtime.queue, buffers[k], CL_TRUE, 0, bytes,
                                 in[k], 0, NULL, NULL),
                CL_SUCCESS);
        ck_assert_int_eq(clSetKernelArg(kernel, k, sizeof buffers[k], &buffers[k]), CL_SUCCESS);
    }
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(runtime.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueReadBuffer(runtime.queue, buffers[2], CL_TRUE, 0, FUNCTIONS * LANES * real_size,
            _i ? (void *)results : (void *)resultsf, 0, NULL, NULL),
        CL_SUCCESS);
    for (int k = 0; k < 3; k++) clReleaseMemObject(buffers[k]);
    clReleaseKernel(kernel);
    ecl_cl_close(&runtime);
    for (int k = 0; k < FUNCTIONS * LANES; k++) {
        const struct function *const f = &functions[k / LANES];
        const int i = k % LANES;
        const double theirs = _i ? results[k] : (double)resultsf[k];
        const double mine =
            _i ? f->f64(given_x[i], given_y[i]) : (double)f->f32(given_xf[i], given_yf[i]);
        ck_assert_msg(same(theirs, mine), "%s(%a, %a) is %a on the device, %a here", f->name,
            _i ? given_x[i] : (double)given_xf[i], _i ? given_y[i] : (double)given_yf[i], theirs,
            mine);
    }
}
END_TEST
#endif

static void add(TCase *tests) {
#if defined HAVE_MPFR || LDBL_MANT_DIG >= 64
    ADD_LOOP(errors_are_small, FUNCTIONS);
    if (test_level() == ALL_TESTS) ADD_LOOP(all_errors_are_small, FUNCTIONS);
#else
    printf("errors are not compared: MPFR was missing at configure\n");
#endif
    ADD_LOOP(special_values_are_those_of_annex_f, FUNCTIONS);
    ADD_LOOP(lanes_have_the_bits_of_single_calls, FUNCTIONS);
#ifdef HAVE_OPENCL
    ADD_LOOP(devices_have_the_bits_of_c, 2);
#endif
}
int main(void) { return run_tests("functions", add); }
