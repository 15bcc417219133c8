/* SPDX-License-Identifier: BSD-2-Clause */
/* int.h - small functions of integers. The headers of geometry have their own, because kernels and
 * the proof read them as well. */
#ifndef EULERCL_INT_H
#define EULERCL_INT_H
#include <stdint.h>

static inline int64_t int_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t int_max(int64_t a, int64_t b) { return a > b ? a : b; }
/* x, or the bound beyond which it lies. */
static inline int64_t int_clamp(int64_t low, int64_t x, int64_t high) {
    return int_max(low, int_min(x, high));
}
/* a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t int_ceil(int64_t a, int64_t b) { return a / b + (a % b != 0); }
/* a / b rounded down, for b > 0. */
static inline int64_t int_floor(int64_t a, int64_t b) { return a / b - (a % b < 0); }
#endif
