/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_functions.h - the functions of one and two numbers that equations may call, for both
 * languages.
 *
 * Each language defines before
 *   ODE_FUNCTION1_(ours, name)    the function `ours`, which calls the compiler's function `name`
 *   ODE_FUNCTION2_(ours, name)    the same for two arguments
 *   ODE_CALL1_(ours, a)           a call of that function with arguments of any type
 *   ODE_CALL2_(ours, a, b)
 * The word of the author becomes a macro that calls ours: a compiler may have macros by these
 * names, and C takes its functions of one precision. The library finds "ode_inexact_" in the
 * preprocessed right-hand side: the bits of these functions differ between devices. */
/* clang-format off */
ODE_FUNCTION1_(ode_sqrt, sqrt)
#undef sqrt
#define sqrt(a) ODE_CALL1_(ode_sqrt, a)
ODE_FUNCTION1_(ode_fabs, fabs)
#undef fabs
#define fabs(a) ODE_CALL1_(ode_fabs, a)
ODE_FUNCTION1_(ode_floor, floor)
#undef floor
#define floor(a) ODE_CALL1_(ode_floor, a)
ODE_FUNCTION1_(ode_inexact_sin, sin)
#undef sin
#define sin(a) ODE_CALL1_(ode_inexact_sin, a)
ODE_FUNCTION1_(ode_inexact_cos, cos)
#undef cos
#define cos(a) ODE_CALL1_(ode_inexact_cos, a)
ODE_FUNCTION1_(ode_inexact_tan, tan)
#undef tan
#define tan(a) ODE_CALL1_(ode_inexact_tan, a)
ODE_FUNCTION1_(ode_inexact_exp, exp)
#undef exp
#define exp(a) ODE_CALL1_(ode_inexact_exp, a)
ODE_FUNCTION1_(ode_inexact_log, log)
#undef log
#define log(a) ODE_CALL1_(ode_inexact_log, a)
ODE_FUNCTION1_(ode_inexact_tanh, tanh)
#undef tanh
#define tanh(a) ODE_CALL1_(ode_inexact_tanh, a)
ODE_FUNCTION2_(ode_inexact_pow, pow)
#undef pow
#define pow(a, b) ODE_CALL2_(ode_inexact_pow, a, b)
ODE_FUNCTION2_(ode_inexact_fmin, fmin)
#undef fmin
#define fmin(a, b) ODE_CALL2_(ode_inexact_fmin, a, b)
ODE_FUNCTION2_(ode_inexact_fmax, fmax)
#undef fmax
#define fmax(a, b) ODE_CALL2_(ode_inexact_fmax, a, b)
/* clang-format on */
#undef ODE_FUNCTION1_
#undef ODE_FUNCTION2_
