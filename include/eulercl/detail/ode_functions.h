/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_functions.h - the functions of one and two numbers that equations may call, for both
 * languages.
 *
 * Each language defines before
 *   ODE_FUNCTION1_(ours, name)    the function `ours`, which calls the compiler's function `name`
 *   ODE_FUNCTION2_(ours, name)    the same for two arguments
 *   ODE_CALL1_(ours, a)           a call of that function with arguments of any type
 *   ODE_CALL2_(ours, a, b)
 *   ODE_OWN1_(name), ODE_OWN2_(name), ODE_OWN_RARE_(name)
 *                                 what a call of ode_math_name needs, with one or two arguments, or
 *                                 with one that may be rare (ode_math.h)
 *   ODE_MATH1_(name, a), ODE_MATH2_(name, a, b)   that call
 *   ODE_MEAN_(ours, mean)         the function `ours` of two numbers, an expression of a and b
 * The word of the author becomes a macro that calls ours: a compiler may have macros by these
 * names, and C takes its functions of one precision. sqrt, fabs and floor are the compiler's, which
 * have one right result; the others are those of ode_math.h, whose bits are the same on all
 * devices. With ODE_VENDOR_FUNCTIONS_ they are the compiler's, too. The library finds
 * "ode_inexact_" in the preprocessed right-hand side: the bits of these functions differ between
 * devices. */
/* clang-format off */
#ifdef ODE_VENDOR_FUNCTIONS_
#undef ODE_OWN1_
#undef ODE_OWN2_
#undef ODE_OWN_RARE_
#undef ODE_MATH1_
#undef ODE_MATH2_
#define ODE_OWN1_(name) ODE_FUNCTION1_(ode_inexact_##name, name)
#define ODE_OWN2_(name) ODE_FUNCTION2_(ode_inexact_##name, name)
#define ODE_OWN_RARE_(name) ODE_FUNCTION1_(ode_inexact_##name, name)
#define ODE_MATH1_(name, a) ODE_CALL1_(ode_inexact_##name, a)
#define ODE_MATH2_(name, a, b) ODE_CALL2_(ode_inexact_##name, a, b)
#endif
ODE_FUNCTION1_(ode_sqrt, sqrt)
#undef sqrt
#define sqrt(a) ODE_CALL1_(ode_sqrt, a)
ODE_FUNCTION1_(ode_fabs, fabs)
#undef fabs
#define fabs(a) ODE_CALL1_(ode_fabs, a)
ODE_FUNCTION1_(ode_floor, floor)
#undef floor
#define floor(a) ODE_CALL1_(ode_floor, a)
ODE_OWN1_(exp)
#undef exp
#define exp(a) ODE_MATH1_(exp, a)
ODE_OWN1_(exp2)
#undef exp2
#define exp2(a) ODE_MATH1_(exp2, a)
ODE_OWN1_(expm1)
#undef expm1
#define expm1(a) ODE_MATH1_(expm1, a)
ODE_OWN1_(log)
#undef log
#define log(a) ODE_MATH1_(log, a)
ODE_OWN1_(log2)
#undef log2
#define log2(a) ODE_MATH1_(log2, a)
ODE_OWN1_(log1p)
#undef log1p
#define log1p(a) ODE_MATH1_(log1p, a)
ODE_OWN1_(tanh)
#undef tanh
#define tanh(a) ODE_MATH1_(tanh, a)
ODE_OWN1_(sinh)
#undef sinh
#define sinh(a) ODE_MATH1_(sinh, a)
ODE_OWN1_(cosh)
#undef cosh
#define cosh(a) ODE_MATH1_(cosh, a)
ODE_OWN1_(asin)
#undef asin
#define asin(a) ODE_MATH1_(asin, a)
ODE_OWN1_(acos)
#undef acos
#define acos(a) ODE_MATH1_(acos, a)
ODE_OWN1_(atan)
#undef atan
#define atan(a) ODE_MATH1_(atan, a)
ODE_OWN1_(cbrt)
#undef cbrt
#define cbrt(a) ODE_MATH1_(cbrt, a)
ODE_OWN1_(erf)
#undef erf
#define erf(a) ODE_MATH1_(erf, a)
ODE_OWN_RARE_(sin)
#undef sin
#define sin(a) ODE_MATH1_(sin, a)
ODE_OWN_RARE_(cos)
#undef cos
#define cos(a) ODE_MATH1_(cos, a)
ODE_OWN_RARE_(tan)
#undef tan
#define tan(a) ODE_MATH1_(tan, a)
ODE_OWN2_(atan2)
#undef atan2
#define atan2(a, b) ODE_MATH2_(atan2, a, b)
ODE_OWN2_(pow)
#undef pow
#define pow(a, b) ODE_MATH2_(pow, a, b)
ODE_OWN2_(hypot)
#undef hypot
#define hypot(a, b) ODE_MATH2_(hypot, a, b)
ODE_OWN2_(fmin)
#undef fmin
#define fmin(a, b) ODE_MATH2_(fmin, a, b)
ODE_OWN2_(fmax)
#undef fmax
#define fmax(a, b) ODE_MATH2_(fmax, a, b)
/* Means that neither overflow nor vanish where a and b do not, but for subnormal numbers. Without a
 * condition, of which GCC would make no vectors: the harmonic mean with 0 is 2 / infinity, 0. */
#define ODE_ARITHMETIC_(a, b) ((a) / 2 + (b) / 2)
#define ODE_HARMONIC_(a, b) (2 / (1 / (a) + 1 / (b)))
ODE_MEAN_(ode_arithmetic_mean, ODE_ARITHMETIC_(a, b))
ODE_MEAN_(ode_harmonic_mean, ODE_HARMONIC_(a, b))
/* clang-format on */
#undef ODE_MEAN_
#undef ODE_FUNCTION1_
#undef ODE_FUNCTION2_
#undef ODE_OWN1_
#undef ODE_OWN2_
#undef ODE_OWN_RARE_
