/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h - the functions of ode_math.h as a table, and arguments for them, for the tests and
 * the measurements. */
#ifndef TESTS_FUNCTIONS_H
#define TESTS_FUNCTIONS_H
#include <eulercl/detail/ode_math_c.h>
#include <math.h>

/* ONE(name, ulp in float, ulp in double), TWO for functions of two arguments: bounds of the error,
 * a little above the largest one of doc/design/functions.md. */
#define MATH_FUNCTIONS(ONE, TWO) \
    ONE(exp, 0.9, 0.92)          \
    ONE(exp2, 0.9, 0.92)         \
    ONE(expm1, 0.95, 0.98)       \
    ONE(log, 0.75, 0.8)          \
    ONE(log2, 0.85, 0.86)        \
    ONE(log1p, 0.88, 0.9)        \
    ONE(sin, 0.9, 0.88)          \
    ONE(cos, 0.9, 0.88)          \
    ONE(tan, 0.92, 0.88)         \
    ONE(sinh, 0.99, 0.86)        \
    ONE(cosh, 0.8, 0.82)         \
    ONE(tanh, 0.99, 0.82)        \
    ONE(asin, 0.65, 0.66)        \
    ONE(acos, 0.65, 0.66)        \
    ONE(atan, 0.95, 1.05)        \
    ONE(cbrt, 0.51, 0.51)        \
    ONE(erf, 1, 1.25)            \
    TWO(atan2, 1.5, 1.5)         \
    TWO(pow, 1.02, 1.25)         \
    TWO(hypot, 1, 1)             \
    TWO(fmin, 0, 0)              \
    TWO(fmax, 0, 0)

/* Random numbers (G. Marsaglia's xorshift, S. Vigna's multiplier). */
static inline uint64_t math_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}
/* By turns any bits, and numbers of either sign between 2^-12 and 2^12. */
static inline double math_argument_f64(uint64_t *state, int any) {
    const uint64_t bits = math_random(state);
    const uint64_t exponent = (uint64_t)1023 - 12 + math_random(state) % 24;
    return ode_math_real_f64((int64_t)(any ? bits : (bits & 0x800fffffffffffffu) | exponent << 52));
}
static inline float math_argument_f32(uint64_t *state, int any) {
    const uint32_t bits = (uint32_t)math_random(state);
    const uint32_t exponent = (uint32_t)(127 - 12 + math_random(state) % 24);
    return ode_math_real_f32((int32_t)(any ? bits : (bits & 0x807fffffu) | exponent << 23));
}
/* Arguments where errors are largest: any bits, common sizes, the whole range of exp, next to
 * multiples of pi/2, next to 1; of pow, as far as possible, those whose result is a number. */
static inline double math_test_argument(uint64_t *state, int64_t turn, int is_double) {
    const double unit = (double)math_random(state) * 0x1p-64;
    const int64_t kind = turn % 8;
    if (kind == 0) return math_argument_f64(state, 1);
    if (kind == 1) return (double)math_argument_f32(state, 1);
    if (kind == 2) return (unit - 0.5) * (is_double ? 1500 : 220);
    if (kind == 3) return floor(exp2(unit * (is_double ? 29 : 19))) * 1.5707963267948966;
    if (kind == 4) return (unit > 0.5 ? 1 : -1) * (1 + (unit - 0.5) * exp2(-(double)(turn % 30)));
    if (kind == 5) return (unit - 0.5) * 4;
    if (kind == 6) return (unit - 0.5) * 40;
    return math_argument_f64(state, 0);
}
static inline double math_second_argument(double x, uint64_t *state, int64_t turn, int is_pow) {
    const double unit = (double)math_random(state) * 0x1p-64 * 2 - 1;
    if (turn % 3 == 0) return math_argument_f64(state, (int)(turn % 2));
    if (is_pow)
        return turn % 3 == 1 ? floor(unit * 40)
                             : unit * 1080 / fabs(log2(fabs(x)) + 1e-16); /* nearly all results */
    return x * exp2(unit * 30) * (turn % 2 ? 1 : -1);
}
#endif
