/* SPDX-License-Identifier: BSD-2-Clause */
/* math_words.cl - what ode_math.h needs of OpenCL C. After the prelude, before ode_math_constants.h
 * and ode_math.h. */
#define ODE_MATH_INLINE_ static inline __attribute__((always_inline, unused))
/* Kernels write the author's text for many points, and some compilers take a minute for a text in
 * which pow and the rare arguments of sin are inlined. Calls cost less than a tenth of a step. */
#define ODE_MATH_LONG_ static __attribute__((noinline, unused))
#define ODE_MATH_(name) name
#define ODE_MATH_REAL_ ode_real
#define ODE_MATH_ULONG_ ulong
/* A function, which converts its arguments: the built-in one has several types. */
ODE_MATH_INLINE_ ode_real ode_math_fma(ode_real a, ode_real b, ode_real c) { return fma(a, b, c); }
#define ODE_MATH_FMA_(a, b, c) ode_math_fma(a, b, c)
#define ODE_MATH_PICK_(condition, a, b) ((condition) ? (ode_real)(a) : (ode_real)(b))
#define ODE_MATH_BEYOND_(a, limit) (fabs((ode_real)(a)) >= (ode_real)(limit))
#if ODE_DOUBLE
#define ODE_MATH_DOUBLE_ 1
#define ODE_MATH_INT_ long
#define ODE_MATH_UINT_ ulong
#define ODE_MATH_BITS_(a) as_long((ode_real)(a))
#define ODE_MATH_FROM_BITS_(i) as_double((long)(i))
#else
#define ODE_MATH_DOUBLE_ 0
#define ODE_MATH_INT_ int
#define ODE_MATH_UINT_ uint
#define ODE_MATH_BITS_(a) as_int((ode_real)(a))
#define ODE_MATH_FROM_BITS_(i) as_float((int)(i))
#endif
