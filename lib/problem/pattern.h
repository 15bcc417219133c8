/* SPDX-License-Identifier: BSD-2-Clause */
/* pattern.h - a number for each component of a point, as an array that lies beside a state: it
 * repeats, and is so long that loops over it are, too. */
#ifndef EULERCL_PATTERN_H
#define EULERCL_PATTERN_H
#include "../int.h"
#include "../internal.h"
#include "../mem.h"
#include "../reals.h"

enum { LEAST_PERIOD = 1 << 10 }; /* reals */

/* Zeros, for `lanes` reals of each component of a point, one after the other. -> 0: no memory */
static inline int ecl_pattern_create(
    struct pattern *pattern, int64_t components, int64_t lanes, size_t real_size) {
    const int64_t unit = components * lanes;
    pattern->period = int_ceil(LEAST_PERIOD, unit) * unit;
    pattern->reals = ecl_mem_zeroed((uint64_t)pattern->period, real_size);
    return pattern->reals != NULL;
}

static inline void ecl_pattern_destroy(struct pattern *pattern) {
    ecl_mem_free(pattern->reals);
    pattern->reals = NULL;
}

static inline void ecl_pattern_set(const struct pattern *pattern, int64_t components, int64_t lanes,
    size_t real_size, int64_t component, double value) {
    for (int64_t i = component * lanes; i < pattern->period; i += components * lanes)
        for (int64_t lane = 0; lane < lanes; lane++)
            real_set(pattern->reals, i + lane, real_size, value);
}

/* The value of the pattern for real number i of an array; and the first real before `end` at which
 * the pattern begins anew. */
static inline const void *ecl_pattern_at(
    const struct pattern *pattern, int64_t i, size_t real_size) {
    return (const char *)pattern->reals + (size_t)(i % pattern->period) * real_size;
}
static inline int64_t ecl_pattern_end(const struct pattern *pattern, int64_t i, int64_t end) {
    return int_min(i + pattern->period - i % pattern->period, end);
}
#endif
