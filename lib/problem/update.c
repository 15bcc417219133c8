/* SPDX-License-Identifier: BSD-2-Clause */
/* update.c - see update.h. A component of X has few terms, and which ones is the same for all
 * points: the loops over the points have no conditions, one for each number of terms. */
/* Distributions compile with -O2, where gcc makes vectors of few of these loops. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "config.h"
#include "update.h"
#include <eulercl/detail/ode_isas.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* clang-format off */
#define TERMS_1(FMA) ODE_ADD_(FMA, 1, c0, p0[i], 0)
#define TERMS_2(FMA) ODE_ADD_(FMA, 0, c1, p1[i], TERMS_1(FMA))
#define TERMS_3(FMA) ODE_ADD_(FMA, 0, c2, p2[i], TERMS_2(FMA))
#define TERMS_4(FMA) ODE_ADD_(FMA, 0, c3, p3[i], TERMS_3(FMA))
#define TERMS_5(FMA) ODE_ADD_(FMA, 0, c4, p4[i], TERMS_4(FMA))
#define FOR_ALL(VALUE) INDEPENDENT for (int64_t i = 0; i < count; i++) to[i] = VALUE
/* clang-format on */

enum { MOST_TERMS = ODE_MOST_ARRAYS_ + 1 };

/* `to` may be one of `from`. */
#define DEFINE_UPDATE(NAME, VALUE, FMA)                                                           \
    INLINE void add_terms_##NAME(VALUE *to, int terms, const VALUE factors[MOST_TERMS],           \
        const VALUE *const from[MOST_TERMS], int64_t count) {                                     \
        const VALUE c0 = factors[0], c1 = factors[1], c2 = factors[2], c3 = factors[3],           \
                    c4 = factors[4];                                                              \
        const VALUE *const p0 = from[0], *const p1 = from[1], *const p2 = from[2],                \
                           *const p3 = from[3], *const p4 = from[4];                              \
        switch (terms) {                                                                          \
        case 1:                                                                                   \
            FOR_ALL(TERMS_1(FMA));                                                                \
            return;                                                                               \
        case 2:                                                                                   \
            FOR_ALL(TERMS_2(FMA));                                                                \
            return;                                                                               \
        case 3:                                                                                   \
            FOR_ALL(TERMS_3(FMA));                                                                \
            return;                                                                               \
        case 4:                                                                                   \
            FOR_ALL(TERMS_4(FMA));                                                                \
            return;                                                                               \
        case 5:                                                                                   \
            FOR_ALL(TERMS_5(FMA));                                                                \
            return;                                                                               \
        default:                                                                                  \
            FOR_ALL(0);                                                                           \
        }                                                                                         \
    }                                                                                             \
    INLINE void update_##NAME(                                                                    \
        const ode_stage_##NAME *stage, int arrays, const struct update_block *block) {            \
        VALUE old[ODE_MOST_ARRAYS_][UPDATE_BLOCK];                                                \
        const VALUE *x[ODE_MOST_ARRAYS_] = {block->now}, *const is_replaced = block->is_replaced; \
        const int64_t count = block->count;                                                       \
        for (int k = 1; k < arrays; k++) x[k] = block->carried[k - 1];                            \
        for (int r = arrays - 1; r >= 0; r--) {                                                   \
            VALUE factors[MOST_TERMS] = {0};                                                      \
            const VALUE *from[MOST_TERMS] = {NULL}, *kept = x[r];                                 \
            VALUE *const to = r ? block->carried[r - 1] : block->next;                            \
            int terms = 0, is_read_later = is_replaced != NULL;                                   \
            for (int j = 0; j < arrays; j++)                                                      \
                if (stage->a[r][j] != 0) factors[terms] = stage->a[r][j], from[terms++] = x[j];   \
            if (stage->hb[r] != 0)                                                                \
                factors[terms] = stage->hb[r], from[terms++] = block->derivatives;                \
            if (terms == 1 && factors[0] == 1 && from[0] == to) continue;                         \
            for (int later = r - 1; later >= 0 && !stage->in_place; later--)                      \
                is_read_later |= stage->a[later][r] != 0;                                         \
            if (is_read_later && kept == to)                                                      \
                kept = memcpy(old[r], to, (size_t)count * sizeof *to);                            \
            add_terms_##NAME(to, terms, factors, from, count);                                    \
            if (is_replaced) FOR_ALL(is_replaced[i] != 0 ? to[i] : kept[i]);                      \
            x[r] = stage->in_place ? to : kept;                                                   \
        }                                                                                         \
    }
DEFINE_UPDATE(f32, float, __builtin_fmaf)
DEFINE_UPDATE(f64, double, __builtin_fma)

#define DEFINE_FLUSH(NAME, VALUE, FABS)                                      \
    INLINE void flush_##NAME(VALUE *to, const VALUE *below, int64_t count) { \
        FOR_ALL(ODE_FLUSH_(FABS, below[i], to[i]));                          \
    }
DEFINE_FLUSH(f32, float, __builtin_fabsf)
DEFINE_FLUSH(f64, double, __builtin_fabs)

/* The upper 32 bits, in an integer as wide as the real number: so loops over them fill a vector. */
INLINE int32_t upper_bits_f32(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
INLINE int64_t upper_bits_f64(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 32;
}
#define DEFINE_NORM(NAME, VALUE, BITS, FMA, FABS, RATIO)                          \
    INLINE BITS ratio_##NAME(VALUE y, VALUE e, VALUE rtol, VALUE atol) {          \
        const VALUE weight = ODE_WEIGHT_(FMA, FABS, rtol, atol, y);               \
        return RATIO(upper_bits_##NAME(e), upper_bits_##NAME(weight));            \
    }                                                                             \
    INLINE int32_t norm_##NAME(const VALUE *y, const VALUE *e, const VALUE *atol, \
        const VALUE *counts, int64_t count, VALUE rtol, int32_t before) {         \
        BITS worst = before;                                                      \
        for (int64_t i = 0; !counts && i < count; i++) {                          \
            const BITS ratio = ratio_##NAME(y[i], e[i], rtol, atol[i]);           \
            worst = ratio > worst ? ratio : worst;                                \
        }                                                                         \
        for (int64_t i = 0; counts && i < count; i++) {                           \
            const BITS all = ratio_##NAME(y[i], e[i], rtol, atol[i]),             \
                       is_counted = -(BITS)(upper_bits_##NAME(counts[i]) != 0),   \
                       ratio = (all & is_counted) | (INT32_MIN & ~is_counted);    \
            worst = ratio > worst ? ratio : worst;                                \
        }                                                                         \
        return (int32_t)worst;                                                    \
    }
DEFINE_NORM(f32, float, int32_t, __builtin_fmaf, __builtin_fabsf, ODE_RATIO_F32_)
DEFINE_NORM(f64, double, int64_t, __builtin_fma, __builtin_fabs, ODE_RATIO_F64_)

/* clang-format off */
#define DEFINE_FOR_ISA(word, name, bytes, registers, target)                                       \
    target static void update_f32_##word(                                                          \
        const union ecl_stage *stage, int arrays, const struct update_block *block) {          \
        update_f32(&stage->f32, arrays, block);                                                    \
    }                                                                                              \
    target static void update_f64_##word(                                                          \
        const union ecl_stage *stage, int arrays, const struct update_block *block) {          \
        update_f64(&stage->f64, arrays, block);                                                    \
    }                                                                                              \
    target static void flush_f32_##word(void *y, const void *below, int64_t count) {               \
        flush_f32(y, below, count);                                                                \
    }                                                                                              \
    target static void flush_f64_##word(void *y, const void *below, int64_t count) {               \
        flush_f64(y, below, count);                                                                \
    }                                                                                              \
    target static int32_t norm_f32_##word(const void *y, const void *e, const void *atol,          \
        const void *counts, int64_t count, double rtol, int32_t worst) {                           \
        return norm_f32(y, e, atol, counts, count, (float)rtol, worst);                            \
    }                                                                                              \
    target static int32_t norm_f64_##word(const void *y, const void *e, const void *atol,          \
        const void *counts, int64_t count, double rtol, int32_t worst) {                           \
        return norm_f64(y, e, atol, counts, count, rtol, worst);                                   \
    }
#define ROW(word, name, bytes, registers, target)                                                  \
    {name, update_f32_##word, update_f64_##word, flush_f32_##word, flush_f64_##word,               \
        norm_f32_##word, norm_f64_##word},
/* clang-format on */
ODE_ALL_ISAS_(DEFINE_FOR_ISA)

static const struct {
    const char *isa;
    ecl_update *update_f32, *update_f64;
    ecl_flush_array *flush_f32, *flush_f64;
    ecl_norm_array *norm_f32, *norm_f64;
} all[] = {ODE_ALL_ISAS_(ROW)};

static size_t find(const char *isa) {
    size_t best = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].isa, isa)) best = i;
    return best;
}

ecl_update *ecl_update_for(const char *isa, size_t real_size) {
    const size_t i = find(isa);
    return real_size == sizeof(float) ? all[i].update_f32 : all[i].update_f64;
}

ecl_flush_array *ecl_flush_for(const char *isa, size_t real_size) {
    const size_t i = find(isa);
    return real_size == sizeof(float) ? all[i].flush_f32 : all[i].flush_f64;
}

ecl_norm_array *ecl_norm_for(const char *isa, size_t real_size) {
    const size_t i = find(isa);
    return real_size == sizeof(float) ? all[i].norm_f32 : all[i].norm_f64;
}
