/* SPDX-License-Identifier: BSD-2-Clause */
/* loops.c - what observers do with many values of a line, in code for each instruction set. */
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

#define DEFINE_COUNT(NAME, VALUE)                                                                 \
    INLINE void count_##NAME(uint64_t *counts, const struct histogram *h, const VALUE *y,         \
        int64_t points, int64_t components) {                                                     \
        const double low = h->low, high = h->high, scale = h->scale;                              \
        const int32_t bins = (int32_t)h->bins;                                                    \
        for (int64_t first = 0; first < points; first += SEGMENT) {                               \
            const int64_t some = int_min(SEGMENT, points - first);                                \
            VALUE values[SEGMENT];                                                                \
            int32_t found[SEGMENT];                                                               \
            for (int64_t i = 0; i < some; i++) values[i] = y[(first + i) * components];           \
            for (int64_t i = 0; i < some; i++)                                                    \
                found[i] = bin_of((double)values[i], low, high, scale, bins);                     \
            count_bins(counts, histogram_counters(h), found, some);                               \
        }                                                                                         \
    }                                                                                             \
    INLINE void take_##NAME(double *values, const VALUE *y, int64_t points, int64_t components) { \
        if (components == 1)                                                                      \
            for (int64_t i = 0; i < points; i++) values[i] = (double)y[i];                        \
        else                                                                                      \
            for (int64_t i = 0; i < points; i++) values[i] = (double)y[i * components];           \
    }
DEFINE_COUNT(f32, float)
DEFINE_COUNT(f64, double)

INLINE void count(uint64_t *counts, const struct histogram *h, const void *y, size_t real_size,
    int64_t points, int64_t components) {
    if (real_size == sizeof(float))
        count_f32(counts, h, y, points, components);
    else
        count_f64(counts, h, y, points, components);
}

INLINE void take(
    double *values, const void *y, size_t real_size, int64_t points, int64_t components) {
    if (real_size == sizeof(float))
        take_f32(values, y, points, components);
    else
        take_f64(values, y, points, components);
}

INLINE void add(double *restrict sums, const double *restrict values, double less, int64_t points) {
    for (int64_t i = 0; i < points; i++) sums[i] += values[i] - less;
}
INLINE void add_squares(
    double *restrict sums, const double *restrict values, double less, int64_t points) {
    for (int64_t i = 0; i < points; i++)
        sums[i] = __builtin_fma(values[i] - less, values[i] - less, sums[i]);
}
/* `less` may be `values` with another first one. */
INLINE void add_slopes(
    double *restrict sums, const double *values, const double *less, int64_t points) {
    for (int64_t i = 0; i < points; i++)
        sums[i] = __builtin_fma(values[i] - less[i], values[i] - less[i], sums[i]);
}

INLINE void find_above(
    unsigned char *restrict is_above, const double *restrict values, double level, int64_t points) {
    for (int64_t i = 0; i < points; i++) is_above[i] = values[i] > level;
}

INLINE int64_t count_all(const unsigned char *a, const unsigned char *b, const unsigned char *c,
    const unsigned char *d, int64_t points) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < points; i++) sum += a[i] & b[i] & c[i] & d[i];
    return sum;
}
INLINE int64_t count_any(const unsigned char *a, const unsigned char *b, const unsigned char *c,
    const unsigned char *d, int64_t points) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < points; i++) sum += a[i] | b[i] | c[i] | d[i];
    return sum;
}
INLINE void add_square(int64_t *counts, int square, const unsigned char *a, const unsigned char *b,
    const unsigned char *c, const unsigned char *d, int64_t points) {
    counts[FULL + square] += count_all(a, b, c, d, points);
    counts[TOUCHED + square] += count_any(a, b, c, d, points);
}

enum { X, LINE, ROW };
enum { X_LINE, X_ROW, LINE_ROW };
INLINE void add_patterns(int64_t *counts, uint32_t rank, const unsigned char *a,
    const unsigned char *b, const unsigned char *c, const unsigned char *d, int64_t points) {
    counts[POINTS] += count_all(a, a, a, a, points);
    counts[PAIRS + X] += count_all(a, a + 1, a, a, points);
    if (rank == 1) return;
    counts[PAIRS + ROW] += count_all(a, c, a, a, points);
    add_square(counts, X_ROW, a, a + 1, c, c + 1, points);
    if (rank == 2) return;
    counts[PAIRS + LINE] += count_all(a, b, a, a, points);
    add_square(counts, X_LINE, a, a + 1, b, b + 1, points);
    add_square(counts, LINE_ROW, a, b, c, d, points);
    uint32_t full = 0, touched = 0;
    for (int64_t i = 0; i < points; i++) {
        full += a[i] & a[i + 1] & b[i] & b[i + 1] & c[i] & c[i + 1] & d[i] & d[i + 1];
        touched += a[i] | a[i + 1] | b[i] | b[i + 1] | c[i] | c[i + 1] | d[i] | d[i + 1];
    }
    counts[CUBES] += full;
    counts[CUBES + 1] += touched;
}

#define DEFINE_FOR_ISA(word, name, bytes, registers, target)                                       \
    target static void count_##word(uint64_t *counts, const struct histogram *h, const void *y,    \
        size_t real_size, int64_t points, int64_t components) {                                    \
        count(counts, h, y, real_size, points, components);                                        \
    }                                                                                              \
    target static void take_##word(                                                                \
        double *values, const void *y, size_t real_size, int64_t points, int64_t components) {     \
        take(values, y, real_size, points, components);                                            \
    }                                                                                              \
    target static void add_##word(                                                                 \
        double *sums, const double *values, double less, int64_t points) {                         \
        add(sums, values, less, points);                                                           \
    }                                                                                              \
    target static void add_squares_##word(                                                         \
        double *sums, const double *values, double less, int64_t points) {                         \
        add_squares(sums, values, less, points);                                                   \
    }                                                                                              \
    target static void add_slopes_##word(                                                          \
        double *sums, const double *values, const double *less, int64_t points) {                  \
        add_slopes(sums, values, less, points);                                                    \
    }                                                                                              \
    target static void find_above_##word(                                                          \
        unsigned char *is_above, const double *values, double level, int64_t points) {             \
        find_above(is_above, values, level, points);                                               \
    }                                                                                              \
    target static void add_patterns_##word(int64_t *counts, uint32_t rank, const unsigned char *a, \
        const unsigned char *b, const unsigned char *c, const unsigned char *d, int64_t points) {  \
        add_patterns(counts, rank, a, b, c, d, points);                                            \
    }
#define ROW_OF(word, name, bytes, registers, target)                               \
    {count_##word, take_##word, add_##word, add_squares_##word, add_slopes_##word, \
        find_above_##word, add_patterns_##word},
ODE_ALL_ISAS_(DEFINE_FOR_ISA)

const struct loops *ecl_loops(void) {
    static const struct loops all[] = {ODE_ALL_ISAS_(ROW_OF)};
    return &all[ode_best_kernels()];
}
