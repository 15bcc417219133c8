/* SPDX-License-Identifier: BSD-2-Clause */
/* reals.h - arrays of reals whose precision is known at run time only: real_size is sizeof(float)
 * or sizeof(double). */
#ifndef EULERCL_REALS_H
#define EULERCL_REALS_H
#include <stddef.h>
#include <stdint.h>

static inline double real_get(const void *reals, int64_t i, size_t real_size) {
    return real_size == sizeof(float) ? (double)((const float *)reals)[i]
                                      : ((const double *)reals)[i];
}

static inline void real_set(void *reals, int64_t i, size_t real_size, double value) {
    if (real_size == sizeof(float))
        ((float *)reals)[i] = (float)value;
    else
        ((double *)reals)[i] = value;
}

static inline const char *real_name(size_t real_size) {
    return real_size == sizeof(float) ? "float" : "double";
}

/* The first of `count` reals that is infinite or not a number; -1: none. */
int64_t ecl_first_nonfinite(const void *reals, int64_t count, size_t real_size);
#endif
