/* methods.h - what the files of methods share.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef EULERCL_METHODS_H
#define EULERCL_METHODS_H
#include "method.h"

extern const struct method_family eulercl_rock2, eulercl_rock4;

/* Of a method that is stable nowhere on an axis. */
static inline double eulercl_no_limit(int stages) { return (void)stages, 0; }

/* The times of all stages but the first: U for y' = 1, y = 0 and h = 1. */
static inline void eulercl_set_times(int stages, struct stage *table) {
    double x[ODE_MOST_ARRAYS_] = {0};
    for (int s = 0; s < stages; s++) {
        table[s].c = x[0];
        eulercl_apply_stage(&table[s], ODE_MOST_ARRAYS_, 1, x);
    }
}
#endif
