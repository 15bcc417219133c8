/* SPDX-License-Identifier: BSD-2-Clause */
/* methods.h - what the files of methods share. */
#ifndef EULERCL_METHODS_H
#define EULERCL_METHODS_H
#include "method.h"

extern const struct method_family ecl_rock2, ecl_rkc4, ecl_rock4;

/* The limit of a method that is stable nowhere on an axis. */
static inline double ecl_no_limit(int stages) { return (void)stages, 0; }

/* The times of all stages but the first: U for y' = 1, y = 0 and h = 1. */
static inline void ecl_set_times(int stages, struct stage *table) {
    double x[ODE_MOST_ARRAYS_] = {0};
    for (int s = 0; s < stages; s++) {
        table[s].c = x[0];
        ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, 1, x);
    }
}

/* ---- estimates of errors (estimate.c) ---- */

/* A value for y' = y, y = 1 and the step size z, by its terms in 1, z, z^2, ... For a partitioned
 * method it is q, where q' = p, p' = -q and q = 1, p = 0. */
enum { TAYLOR_TERMS = 6 };
struct taylor {
    double of[TAYLOR_TERMS][ODE_MOST_ARRAYS_];
};
/* The values before stage `stage` of a filled table. */
struct taylor ecl_taylor(const struct stage *table, int stage);

/* The estimates of stabilised methods of order 2 are this times z^2 for y' = y. Any number would
 * do, here and for the other estimates that are no differences of published solutions. These make
 * the error at the end of a run about the tolerance (doc/results/2026-11-tolerance.md). */
static const double estimate_size_2 = 0.1;

/* Make the array `estimate`, whose rows are free, a weighted sum of the h F of stages first, first
 * + 1, ... that is size z^order for y' = y and of that order for all equations: of 3 stages for
 * order 3, of 5 for order 4. */
void ecl_accumulate_estimate(struct stage *table, int first, int order, int estimate, double size);

/* Add to the estimate of a member with `all` stages, `stages` of them its own, what a jump of F in
 * time needs to show: the h F of the step's end if all stages are before it, and that of its
 * beginning if the estimate does not contain it. -> the number of its stages then. */
int ecl_see_whole_step(
    const struct method_family *family, int stages, int all, struct stage *table);

/* Make the array `estimate` a weighted sum of the h F of stages i, j and of those that are as far
 * from the last one, n, as these from the first. They are the kicks, or the drifts, of a symmetric
 * partitioned method. Weights at both ends are opposite, which makes the terms of h and h^3 vanish;
 * the ratio of the two weights makes that of h^2 vanish. A third derivative of 1 gives size z^4. */
void ecl_difference_estimate(struct stage *table, int i, int j, int n, int estimate, double size);
#endif
