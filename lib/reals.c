/* SPDX-License-Identifier: BSD-2-Clause */
/* reals.c - see reals.h. */
#include "config.h"
#include "reals.h"
#include <math.h>

enum { BLOCK = 1 << 16 };

/* x - x is 0 for finite x, and otherwise NaN, which a sum keeps. The compiler makes vectors of sums
 * that are independent. */
enum { SUMS = 16 };
#define DEFINE_ANY_NONFINITE(NAME, REAL)                                   \
    static int NAME(const REAL *y, int64_t begin, int64_t end) {           \
        REAL sums[SUMS] = {0}, sum = 0;                                    \
        int64_t i = begin;                                                 \
        for (; i + SUMS <= end; i += SUMS)                                 \
            for (int k = 0; k < SUMS; k++) sums[k] += y[i + k] - y[i + k]; \
        for (; i < end; i++) sum += y[i] - y[i];                           \
        for (int k = 0; k < SUMS; k++) sum += sums[k];                     \
        return sum != 0;                                                   \
    }
DEFINE_ANY_NONFINITE(any_nonfinite_float, float)
DEFINE_ANY_NONFINITE(any_nonfinite_double, double)

int64_t ecl_first_nonfinite(const void *reals, int64_t count, size_t real_size) {
    for (int64_t begin = 0; begin < count; begin += BLOCK) {
        const int64_t end = count - begin < BLOCK ? count : begin + BLOCK;
        if (real_size == sizeof(float) ? !any_nonfinite_float(reals, begin, end)
                                       : !any_nonfinite_double(reals, begin, end))
            continue;
        for (int64_t i = begin; i < end; i++)
            if (!isfinite(real_get(reals, i, real_size))) return i;
    }
    return -1;
}
