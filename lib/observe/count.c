/* SPDX-License-Identifier: BSD-2-Clause */
/* count.c - how many values lie in each bin of a histogram, in code for each instruction set. */
/* Distributions compile with -O2, where gcc makes vectors of few of these loops. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "config.h"
#include "observe.h"
#include "../int.h"
#include <eulercl/detail/ode_isas.h>
#include <eulercl/ode_abi.h>

#define INLINE static inline __attribute__((always_inline))

enum { SEGMENT = 1024 };

/* Without branches, because values may be random. Rounding may not move a value across the end of
 * the last bin. */
INLINE int32_t bin_of(double y, double low, double high, double scale, int32_t bins) {
    const double most = bins - 1;
    double place = (y - low) * scale;
    place = place < most ? place : most;
    place = place > 0 ? place : 0;
    int32_t bin = HISTOGRAM_FIRST + (int32_t)place;
    bin = y < low ? HISTOGRAM_BELOW : bin;
    bin = y >= high ? HISTOGRAM_FIRST + bins + HISTOGRAM_ABOVE : bin;
    return y != y ? HISTOGRAM_FIRST + bins + HISTOGRAM_NAN : bin;
}

/* Neighbouring values are often in the same bin. They have different sets of counters, so that they
 * do not wait for each other. */
INLINE void count_bins(uint64_t *counts, int64_t size, const int32_t *bins, int64_t count) {
    uint64_t *const c0 = counts, *const c1 = c0 + size, *const c2 = c1 + size,
                    *const c3 = c2 + size;
    int64_t i = 0;
    for (; i + HISTOGRAM_COPIES <= count; i += HISTOGRAM_COPIES) {
        c0[bins[i]]++;
        c1[bins[i + 1]]++;
        c2[bins[i + 2]]++;
        c3[bins[i + 3]]++;
    }
    for (; i < count; i++) c0[bins[i]]++;
}
_Static_assert(HISTOGRAM_COPIES == 4, "count_bins names them");

#define DEFINE_COUNT(NAME, VALUE)                                                         \
    INLINE void count_##NAME(uint64_t *counts, const struct histogram *h, const VALUE *y, \
        int64_t points, int64_t components) {                                             \
        const double low = h->low, high = h->high, scale = h->scale;                      \
        const int32_t bins = (int32_t)h->bins;                                            \
        for (int64_t first = 0; first < points; first += SEGMENT) {                       \
            const int64_t some = int_min(SEGMENT, points - first);                        \
            VALUE values[SEGMENT];                                                        \
            int32_t found[SEGMENT];                                                       \
            for (int64_t i = 0; i < some; i++) values[i] = y[(first + i) * components];   \
            for (int64_t i = 0; i < some; i++)                                            \
                found[i] = bin_of((double)values[i], low, high, scale, bins);             \
            count_bins(counts, histogram_counters(h), found, some);                       \
        }                                                                                 \
    }
DEFINE_COUNT(f32, float)
DEFINE_COUNT(f64, double)

/* clang-format off */
#define DEFINE_FOR_ISA(word, name, bytes, registers, target)                                    \
    target static void count_##word(uint64_t *counts, const struct histogram *h, const void *y, \
        size_t real_size, int64_t points, int64_t components) {                                 \
        if (real_size == sizeof(float)) count_f32(counts, h, y, points, components);            \
        else count_f64(counts, h, y, points, components);                                       \
    }
#define ROW(word, name, bytes, registers, target) count_##word,
/* clang-format on */
ODE_ALL_ISAS_(DEFINE_FOR_ISA)

void ecl_histogram_count(uint64_t *counts, const struct histogram *h, const void *y,
    size_t real_size, int64_t points, int64_t components) {
    static void (*const all[])(uint64_t *, const struct histogram *, const void *, size_t, int64_t,
        int64_t) = {ODE_ALL_ISAS_(ROW)};
    all[ode_best_kernels()](counts, h, y, real_size, points, components);
}
