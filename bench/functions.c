/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.c - measure the functions of ode_math.h beside the C library's and SLEEF's: nanoseconds
 * per value on one core, the best of five. `make bench-functions` runs it. */
#define _GNU_SOURCE
#include <eulercl/detail/ode_math_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef WITH_SLEEF
#include <immintrin.h>
#include <sleef.h>
#endif

enum { COUNT = 4096, PASSES = 50, ROUNDS = 5 }; /* arguments and results stay in the caches */
static float xf[COUNT], yf[COUNT], zf[COUNT];
static double x[COUNT], y[COUNT], z[COUNT];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double nanoseconds(void (*work)(void)) {
    double best = HUGE_VAL;
    if (!work) return NAN;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = seconds();
        for (int pass = 0; pass < PASSES; pass++) work();
        const double time = (seconds() - start) / PASSES / COUNT * 1e9;
        if (time < best) best = time;
    }
    return best;
}

#if defined __GNUC__ && !defined __clang__
#define SCALAR __attribute__((noinline, optimize("no-tree-vectorize")))
#else
#define SCALAR __attribute__((noinline))
#endif
#define WORK(name, ATTRIBUTE, expression)           \
    ATTRIBUTE static void name(void) {              \
        for (int k = 0; k < COUNT; k++) expression; \
    }
#define OURS1(name, ours)                                                                    \
    WORK(ours_##name##_f32, __attribute__((noinline)), zf[k] = ode_math_##ours##_f32(xf[k])) \
    WORK(ours_##name##_f64, __attribute__((noinline)), z[k] = ode_math_##ours##_f64(x[k]))   \
    WORK(libm_##name##_f32, SCALAR, zf[k] = name##f(xf[k]))                                  \
    WORK(libm_##name##_f64, SCALAR, z[k] = name(x[k]))
#define OURS2(name, ours)                                                                          \
    WORK(                                                                                          \
        ours_##name##_f32, __attribute__((noinline)), zf[k] = ode_math_##ours##_f32(xf[k], yf[k])) \
    WORK(ours_##name##_f64, __attribute__((noinline)), z[k] = ode_math_##ours##_f64(x[k], y[k]))   \
    WORK(libm_##name##_f32, SCALAR, zf[k] = name##f(xf[k], yf[k]))                                 \
    WORK(libm_##name##_f64, SCALAR, z[k] = name(x[k], y[k]))

/* SLEEF's functions for the widest vectors, of the errors that its names state. */
#if defined WITH_SLEEF && defined __AVX512F__
#define VECTORS(name, f32, f64)                                            \
    __attribute__((noinline)) static void sleef_##name##_f32(void) {       \
        for (int k = 0; k < COUNT; k += 16) _mm512_storeu_ps(zf + k, f32); \
    }                                                                      \
    __attribute__((noinline)) static void sleef_##name##_f64(void) {       \
        for (int k = 0; k < COUNT; k += 8) _mm512_storeu_pd(z + k, f64);   \
    }
#define XF _mm512_loadu_ps(xf + k)
#define YF _mm512_loadu_ps(yf + k)
#define X _mm512_loadu_pd(x + k)
#define Y _mm512_loadu_pd(y + k)
#define SLEEF_F32(name) Sleef_##name##f16
#define SLEEF_F64(name) Sleef_##name##d8
#elif defined WITH_SLEEF && defined __AVX2__
#define VECTORS(name, f32, f64)                                           \
    __attribute__((noinline)) static void sleef_##name##_f32(void) {      \
        for (int k = 0; k < COUNT; k += 8) _mm256_storeu_ps(zf + k, f32); \
    }                                                                     \
    __attribute__((noinline)) static void sleef_##name##_f64(void) {      \
        for (int k = 0; k < COUNT; k += 4) _mm256_storeu_pd(z + k, f64);  \
    }
#define XF _mm256_loadu_ps(xf + k)
#define YF _mm256_loadu_ps(yf + k)
#define X _mm256_loadu_pd(x + k)
#define Y _mm256_loadu_pd(y + k)
#define SLEEF_F32(name) Sleef_##name##f8
#define SLEEF_F64(name) Sleef_##name##d4
#endif
#ifdef VECTORS
#define PASTE(a, b) a##b
#define WITH_ULP(a, b) PASTE(a, b)
#define SLEEF1(name, ulp) \
    VECTORS(name, WITH_ULP(SLEEF_F32(name), ulp)(XF), WITH_ULP(SLEEF_F64(name), ulp)(X))
#define SLEEF2(name, ulp) \
    VECTORS(name, WITH_ULP(SLEEF_F32(name), ulp)(XF, YF), WITH_ULP(SLEEF_F64(name), ulp)(X, Y))
#define SLEEF_ROWS(name) sleef_##name##_f32, sleef_##name##_f64
#else
#define SLEEF1(name, ulp)
#define SLEEF2(name, ulp)
#define SLEEF_ROWS(name) NULL, NULL
#endif

/* Of sin, cos and tan what code for lanes calls; arguments between low and high, and -3 and 3. */
#define FUNCTIONS(ONE, TWO)             \
    ONE(exp, exp, _u10, -10, 10)        \
    ONE(exp2, exp2, _u10, -10, 10)      \
    ONE(expm1, expm1, _u10, -3, 3)      \
    ONE(log, log, _u10, 0.01, 100)      \
    ONE(log2, log2, _u10, 0.01, 100)    \
    ONE(log1p, log1p, _u10, -0.9, 100)  \
    ONE(sin, sin_common, _u10, -10, 10) \
    ONE(cos, cos_common, _u10, -10, 10) \
    ONE(tan, tan_common, _u10, -10, 10) \
    ONE(sinh, sinh, _u10, -10, 10)      \
    ONE(cosh, cosh, _u10, -10, 10)      \
    ONE(tanh, tanh, _u10, -3, 3)        \
    ONE(asin, asin, _u10, -1, 1)        \
    ONE(acos, acos, _u10, -1, 1)        \
    ONE(atan, atan, _u10, -10, 10)      \
    ONE(cbrt, cbrt, _u10, -20, 20)      \
    ONE(erf, erf, _u10, -4, 4)          \
    TWO(atan2, atan2, _u10, -3, 3)      \
    TWO(pow, pow, _u10, 0.01, 20)       \
    TWO(hypot, hypot, _u05, -3, 3)      \
    TWO(fmin, fmin, , -3, 3)            \
    TWO(fmax, fmax, , -3, 3)
#define DEFINE1(name, ours, ulp, low, high) OURS1(name, ours) SLEEF1(name, ulp)
#define DEFINE2(name, ours, ulp, low, high) OURS2(name, ours) SLEEF2(name, ulp)
FUNCTIONS(DEFINE1, DEFINE2)

static const struct {
    const char *name;
    double low, high;
    void (*ours[2])(void), (*libm[2])(void), (*sleef[2])(void);
} functions[] = {
#define ROW(name, ours, ulp, low, high)                        \
    {#name, low, high, {ours_##name##_f32, ours_##name##_f64}, \
        {libm_##name##_f32, libm_##name##_f64}, {SLEEF_ROWS(name)}},
    FUNCTIONS(ROW, ROW)};

int main(void) {
    static const char *const names[] = {"float", "double"};
    printf("| function | precision | ns per value | C library | times | SLEEF | share of it |\n");
    printf("|---|---|---|---|---|---|---|\n");
    for (int p = 0; p < 2; p++)
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            for (int i = 0; i < COUNT; i++) {
                const double low = functions[k].low, high = functions[k].high;
                x[i] = low + (high - low) * rand() / RAND_MAX;
                y[i] = -3 + 6.0 * rand() / RAND_MAX;
                xf[i] = (float)x[i];
                yf[i] = (float)y[i];
            }
            const double ours = nanoseconds(functions[k].ours[p]);
            const double libm = nanoseconds(functions[k].libm[p]);
            const double sleef = nanoseconds(functions[k].sleef[p]);
            /* Results that nothing reads would not be computed. */
            volatile double read = 0;
            for (int i = 0; i < COUNT; i++) read += z[i] + (double)zf[i];
            printf("| `%s` | %s | %.2f | %.2f | %.1f | %.2f | %.2f |\n", functions[k].name,
                names[p], ours, libm, libm / ours, sleef, ours / sleef);
        }
}
