/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h - numbers that look like random ones, the same everywhere: for what verifies. */
#ifndef EULERCL_RANDOM_H
#define EULERCL_RANDOM_H
#include <stdint.h>

/* A number in -1 .. 1 that belongs to i and a stream: splitmix64 (Steele, Lea, Flood 2014). */
static inline double ecl_random(int64_t i, uint64_t stream) {
    uint64_t x = ((uint64_t)i + (stream << 40)) * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/* A number in 0 .. n - 1, likewise. */
static inline int64_t ecl_random_below(int64_t n, int64_t i, uint64_t stream) {
    return (int64_t)((ecl_random(i, stream) + 1) / 2 * 0.999999999 * (double)n);
}
#endif
