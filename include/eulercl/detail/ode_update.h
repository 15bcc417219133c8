/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_update.h - how one level of a solution follows from the level before. The formula of every
 * method stands here and nowhere else.
 *
 * A step of a method is a sequence of levels, its stages. Each grid point has its own values X =
 * (U, P1, ..., Pk), k <= 3: the solution U, whose neighbours the right-hand side reads, and k
 * carried values, which no other point reads. A stage evaluates F = f(t + c h, U) and replaces X by
 * A X + (h b) F. Component i of that is the sum a[i][0] U + a[i][1] P1 + ... + hb[i] F: terms whose
 * coefficient is 0 are left out, the first product is rounded, and each further term is one fma.
 * A stage in place computes the components from the last to the first, and each reads what those
 * behind it have become: so a term that several components have is added once.
 * The explicit Euler method has one stage, no carried value, A = 1 and b = 1: U <- fma(h, F, U).
 * Partitioned methods have stages that replace the values of some components only: the positions
 * of a mechanical system, or its velocities, which are the others.
 *
 * All components of a point are updated together, from f[components] and x[components][arrays], so
 * that a stage can couple them: after its sums it may replace the new U of the point by the
 * solution of a system of equations in these components (ode_solve_point of ode_forms.h).
 *
 * The text is in the common subset of C99 and OpenCL C 1.2. FMA names the multiply-add of the
 * operands' type, which may be a vector. */
#ifndef EULERCL_ODE_UPDATE_H
#define EULERCL_ODE_UPDATE_H

#ifndef ODE_INLINE_ /* as in ode_words.h; the library reads this text without that */
#define ODE_INLINE_ static inline
#endif

/* How a term is added to the terms before it. */
#define ODE_ADD_(FMA, is_first, factor, value, sum) \
    ((is_first) ? (factor) * (value) : FMA(factor, value, sum))
/* A stage without carried values whose coefficient of U is 1. */
#define ODE_UPDATE_(FMA, hb, f, x) FMA(hb, f, x)

/* Tiny values: the solution at the end of some steps, y, becomes +0 where its magnitude is below a
 * threshold. NaN and infinity stay; a threshold of 0 changes nothing. The steps are those with a
 * number, counted from t_base, that is a multiple of ODE_FLUSH_STEPS_: as many as have sixteen
 * stages, since the solution spreads by a radius in each stage. Carried values are not flushed:
 * none lives longer than a step. */
#define ODE_FLUSH_(FABS, below, y) (FABS(y) < (below) ? 0 : (y))
#define ODE_FLUSH_STEPS_(stages) ((stages) < 16 ? 16 / (stages) : 1)

/* How large an estimate e of a step's error is beside its weight: log2(|e| / weight) as an integer,
 * in units of 2^-23 in float and 2^-20 in double. The bits of a positive number, read as an
 * integer, are its logarithm up to 0.09. The arguments are the bits of e and of the weight, in
 * double the upper 32. The greatest ratio of a step does not depend on the order in which they are
 * compared. A weight that is not finite, as where y is not, gives the greatest of all. */
#define ODE_WEIGHT_(FMA, FABS, rtol, atol, y) FMA(rtol, FABS(y), atol)
#define ODE_RATIO_(error_bits, weight_bits, infinite)            \
    (((((error_bits)&0x7fffffff) - ((weight_bits)&0x7fffffff)) & \
         ~ODE_IS_INFINITE_(weight_bits, infinite)) |             \
        (0x7fffffff & ODE_IS_INFINITE_(weight_bits, infinite)))
/* All bits or none: compilers do not make vectors of loops that branch here. */
#define ODE_IS_INFINITE_(bits, infinite) (-((unsigned)(bits) >= (unsigned)(infinite)))
#define ODE_RATIO_F32_(error_bits, weight_bits) ODE_RATIO_(error_bits, weight_bits, 0x7f800000)
#define ODE_RATIO_F64_(error_bits, weight_bits) ODE_RATIO_(error_bits, weight_bits, 0x7ff00000)

#define ODE_MOST_ARRAYS_ 4 /* U and the carried values, at most */

/* The same sum where the program's text says which terms there are: bit j of TERMS is x[j], bit
 * ODE_MOST_ARRAYS_ is F. A coefficient of ONES is 1; the others are factor[P0], factor[P1], ... No
 * loops: within unrolled loops compilers give up on them. */
#define ODE_TERM_(FMA, TERMS, ONES, j, coefficient, value, sum)        \
    (!((TERMS) >> (j)&1) ? (sum)                                       \
        : (ONES) >> (j)&1                                              \
            ? ((TERMS) & ((1 << (j)) - 1) ? (sum) + (value) : (value)) \
            : ODE_ADD_(FMA, !((TERMS) & ((1 << (j)) - 1)), factor[coefficient], value, sum))
#define ODE_SUM_(FMA, TERMS, ONES, P0, P1, P2, P3, PF, factor, x, f, sum) \
    sum = ODE_TERM_(FMA, TERMS, ONES, 0, P0, (x)[0], 0);                  \
    sum = ODE_TERM_(FMA, TERMS, ONES, 1, P1, (x)[1], sum);                \
    sum = ODE_TERM_(FMA, TERMS, ONES, 2, P2, (x)[2], sum);                \
    sum = ODE_TERM_(FMA, TERMS, ONES, 3, P3, (x)[3], sum);                \
    sum = ODE_TERM_(FMA, TERMS, ONES, 4, PF, f, sum)

/* Define struct ode_stage_##NAME, a stage with its numbers rounded to VALUE, and ode_update_##NAME,
 * which replaces x[0 .. arrays-1] of a component. */
#define ODE_DEFINE_STAGE_(NAME, VALUE, FMA)                                                        \
    typedef struct {                                                                               \
        VALUE a[ODE_MOST_ARRAYS_][ODE_MOST_ARRAYS_], hb[ODE_MOST_ARRAYS_];                         \
        int components;    /* 0: all; 1: positions; 2: velocities */                               \
        int in_place;      /* 1: components read the new values of those behind them */            \
        int reads, writes; /* bit k: x[k] is read, is written; U is always */                      \
    } ode_stage_##NAME;                                                                            \
    ODE_INLINE_ VALUE ode_row_##NAME(const ode_stage_##NAME *stage, const int arrays, const int i, \
        const VALUE f, const VALUE *x) {                                                           \
        VALUE sum = 0;                                                                             \
        int is_first = 1;                                                                          \
        for (int j = 0; j < arrays; j++) {                                                         \
            if (stage->a[i][j] == 0) continue;                                                     \
            sum = ODE_ADD_(FMA, is_first, stage->a[i][j], x[j], sum);                              \
            is_first = 0;                                                                          \
        }                                                                                          \
        return stage->hb[i] != 0 ? ODE_ADD_(FMA, is_first, stage->hb[i], f, sum) : sum;            \
    }                                                                                              \
    ODE_INLINE_ void ode_update_##NAME(const ode_stage_##NAME *stage, const int arrays,            \
        const int is_position, const VALUE f, VALUE *x) {                                          \
        VALUE next[ODE_MOST_ARRAYS_];                                                              \
        if (stage->components && (stage->components == 1) != is_position) return;                  \
        if (stage->in_place) {                                                                     \
            for (int i = arrays - 1; i >= 0; i--) x[i] = ode_row_##NAME(stage, arrays, i, f, x);   \
        } else {                                                                                   \
            for (int i = 0; i < arrays; i++) next[i] = ode_row_##NAME(stage, arrays, i, f, x);     \
            for (int i = 0; i < arrays; i++) x[i] = next[i];                                       \
        }                                                                                          \
    }

#endif
