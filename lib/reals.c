/* SPDX-License-Identifier: BSD-2-Clause */
/* reals.c - see reals.h. */
#include "config.h"
#include "reals.h"
#include <math.h>

enum { BLOCK = 1 << 16 };

/* Two loops, because the compiler vectorises a loop without exit. x - x is 0 for every finite x. */
static int any_nonfinite(const void *reals, int64_t begin, int64_t end, size_t real_size) {
    const float *const single = reals;
    const double *const wide = reals;
    int any = 0;
    if (real_size == sizeof(float))
        for (int64_t i = begin; i < end; i++) any |= !(single[i] - single[i] == 0);
    else
        for (int64_t i = begin; i < end; i++) any |= !(wide[i] - wide[i] == 0);
    return any;
}

int64_t eulercl_first_nonfinite(const void *reals, int64_t count, size_t real_size) {
    for (int64_t begin = 0; begin < count; begin += BLOCK) {
        const int64_t end = count - begin < BLOCK ? count : begin + BLOCK;
        if (!any_nonfinite(reals, begin, end, real_size)) continue;
        for (int64_t i = begin; i < end; i++)
            if (!isfinite(real_get(reals, i, real_size))) return i;
    }
    return -1;
}
