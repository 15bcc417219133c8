/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_math_c.h - the functions of ode_math.h in C, in both precisions: ode_math_exp_f32,
 * ode_math_exp_f64 and so on. */
#ifndef ODE_MATH_C_H_
#define ODE_MATH_C_H_
#include <stdint.h>
#include <string.h>

#define ODE_MATH_INLINE_ static inline __attribute__((always_inline, unused))
#define ODE_MATH_LONG_ ODE_MATH_INLINE_ /* calls in a loop over lanes would leave it scalar */
#define ODE_MATH_UNUSED_ __attribute__((unused))
#define ODE_MATH_ULONG_ uint64_t

/* Moves of bits, and the choice between numbers by a mask: GCC turns no `?:` of floats into
 * vector code that would compute both sides, because operations might trap. */
#define ODE_MATH_MOVES_(S, REAL, INT)                                                             \
    static inline __attribute__((always_inline, unused)) INT ode_math_bits_##S(REAL a) {          \
        INT i;                                                                                    \
        memcpy(&i, &a, sizeof i);                                                                 \
        return i;                                                                                 \
    }                                                                                             \
    static inline __attribute__((always_inline, unused)) REAL ode_math_real_##S(INT i) {          \
        REAL a;                                                                                   \
        memcpy(&a, &i, sizeof a);                                                                 \
        return a;                                                                                 \
    }                                                                                             \
    static inline __attribute__((always_inline, unused))                                          \
    REAL ode_math_pick_##S(INT mask, REAL a, REAL b) {                                            \
        return ode_math_real_##S((ode_math_bits_##S(a) & mask) | (ode_math_bits_##S(b) & ~mask)); \
    }                                                                                             \
    static inline                                                                                 \
        __attribute__((always_inline, unused)) int ode_math_beyond_##S(REAL a, REAL limit) {      \
        const u##INT sign = (u##INT)1 << (sizeof(REAL) * 8 - 1);                                  \
        const u##INT size = (u##INT)ode_math_bits_##S(a) & ~sign;                                 \
        const u##INT least = (u##INT)ode_math_bits_##S(limit);                                    \
        return size - least <= (u##INT)ode_math_bits_##S((REAL)__builtin_inf()) - least;          \
    }
ODE_MATH_MOVES_(f32, float, int32_t)
ODE_MATH_MOVES_(f64, double, int64_t)

#define ODE_MATH_DOUBLE_ 0
#define ODE_MATH_(name) name##_f32
#define ODE_MATH_REAL_ float
#define ODE_MATH_INT_ int32_t
#define ODE_MATH_UINT_ uint32_t
#define ODE_MATH_FMA_(a, b, c) __builtin_fmaf(a, b, c)
#define ODE_MATH_BITS_(a) ode_math_bits_f32(a)
#define ODE_MATH_FROM_BITS_(i) ode_math_real_f32(i)
#define ODE_MATH_PICK_(condition, a, b) ode_math_pick_f32(-(int32_t)(condition), a, b)
#define ODE_MATH_BEYOND_(a, limit) ode_math_beyond_f32(a, limit)
#include "ode_math_constants.h"
#include "ode_math.h"
#define ODE_MATH_DOUBLE_ 1
#define ODE_MATH_(name) name##_f64
#define ODE_MATH_REAL_ double
#define ODE_MATH_INT_ int64_t
#define ODE_MATH_UINT_ uint64_t
#define ODE_MATH_FMA_(a, b, c) __builtin_fma(a, b, c)
#define ODE_MATH_BITS_(a) ode_math_bits_f64(a)
#define ODE_MATH_FROM_BITS_(i) ode_math_real_f64(i)
#define ODE_MATH_PICK_(condition, a, b) ode_math_pick_f64(-(int64_t)(condition), a, b)
#define ODE_MATH_BEYOND_(a, limit) ode_math_beyond_f64(a, limit)
#include "ode_math_constants.h"
#include "ode_math.h"

#undef ODE_MATH_UNUSED_
#undef ODE_MATH_ULONG_
#undef ODE_MATH_INLINE_
#undef ODE_MATH_LONG_
#endif
