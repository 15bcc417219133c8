/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate.c - estimates of the error of a step, for methods whose literature has none that fits:
 * see doc/design/tolerance.md. */
#include "config.h"
#include "methods.h"

struct taylor ecl_taylor(const struct stage *table, int stage) {
    struct taylor q = {{{1}}}, p = {{{0}}};
    for (int s = 0; s < stage; s++)
        for (int power = TAYLOR_TERMS - 1; power >= 0; power--) {
            const double u = power ? q.of[power - 1][0] : 0, v = power ? p.of[power - 1][0] : 0;
            switch (table[s].components) {
            case STAGE_ALL:
                ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, u, q.of[power]);
                break;
            case STAGE_POSITIONS:
                ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, v, q.of[power]);
                break;
            case STAGE_VELOCITIES:
                ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, -u, p.of[power]);
                break;
            }
        }
    return q;
}

enum { MOST_WEIGHTS = 5 };
static int weights_for(int order) { return order == 2 ? 2 : order == 3 ? 3 : MOST_WEIGHTS; }

/* Weights, not all 0, for which each of count - 1 rows has the sum 0: Gaussian elimination; the
 * last weight is 1. */
static void solve(double rows[MOST_WEIGHTS - 1][MOST_WEIGHTS], int count, double *weights) {
    const int last = count - 1;
    for (int k = 0; k < last; k++) {
        int pivot = k;
        for (int i = k + 1; i < last; i++)
            if (fabs(rows[i][k]) > fabs(rows[pivot][k])) pivot = i;
        for (int j = 0; j < count; j++) {
            const double x = rows[k][j];
            rows[k][j] = rows[pivot][j];
            rows[pivot][j] = x;
        }
        for (int i = 0; i < last; i++) {
            const double factor = i == k ? 0 : rows[i][k] / rows[k][k];
            for (int j = k; j < count && factor != 0; j++) rows[i][j] -= factor * rows[k][j];
        }
    }
    for (int k = 0; k < last; k++) weights[k] = -rows[k][last] / rows[k][k];
    weights[last] = 1;
}

/* Weights for which the sum of the h F of `count` stages is of that order for all equations: of 2
 * stages for order 2, of 3 for order 3, of 5 for order 4. The last one is 1. -> what the sum is for
 * y' = y, divided by z^order. */
static double find_weights(
    const struct stage *table, const int *stages, int order, double *weights) {
    /* One row for each condition up to the order before: the sums of b, b c, b c^2, b A c. */
    double rows[MOST_WEIGHTS - 1][MOST_WEIGHTS] = {{0}}, sum = 0;
    const int count = weights_for(order);
    for (int i = 0; i < count; i++) {
        const struct taylor at = ecl_taylor(table, stages[i]);
        const double c = at.of[1][0], conditions[MOST_WEIGHTS - 1] = {1, c, c * c, at.of[2][0]};
        for (int k = 0; k < count - 1; k++) rows[k][i] = conditions[k];
    }
    solve(rows, count, weights);
    for (int i = 0; i < count; i++)
        sum += weights[i] * ecl_taylor(table, stages[i]).of[order - 1][0];
    return sum;
}

void ecl_accumulate_estimate(struct stage *table, int first, int order, int estimate, double size) {
    double weights[MOST_WEIGHTS];
    int stages[MOST_WEIGHTS];
    for (int i = 0; i < MOST_WEIGHTS; i++) stages[i] = first + i;
    const double sum = find_weights(table, stages, order, weights);
    for (int i = 0; i < weights_for(order); i++) {
        struct stage *const stage = &table[stages[i]];
        for (int j = 0; j < ODE_MOST_ARRAYS_; j++) stage->a[estimate][j] = 0;
        stage->a[estimate][estimate] = i > 0;
        stage->b[estimate] = size / sum * weights[i];
    }
}

/* ---- jumps in time ---- */

/* Add a weighted sum of the h F of these stages to the estimate. The weight of the last one is at
 * most `most`. The sum of the magnitudes is so small that a mode at the end of the interval of
 * stability, whose h F is large, counts half at most, and the sum is at most half of the estimate
 * where the solution is smooth. */
static void add_to_estimate(const struct method_family *family, int own_stages, int all,
    struct stage *table, const int *stages, double most) {
    const int order = family->estimate_order, estimate = family->estimate;
    const double size = ecl_taylor(table, all).of[order][estimate];
    double weights[MOST_WEIGHTS], magnitudes = 0;
    const double sum = find_weights(table, stages, order, weights);
    for (int i = 0; i < weights_for(order); i++) magnitudes += fabs(weights[i]);
    const double scale = fmin(fmin(most, 0.5 / (magnitudes * family->real_limit(own_stages))),
                     0.5 * fabs(size / sum)),
                 factor = sum * size < 0 ? -scale : scale;
    for (int i = 0; i < weights_for(order); i++)
        table[stages[i]].b[estimate] += factor * weights[i];
}

/* Whether the estimate contains the h F of the first stage. */
static int contains_first(const struct method_family *family, int all, const struct stage *table) {
    double x[ODE_MOST_ARRAYS_] = {0};
    for (int s = 0; s < all; s++) ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, s == 0, x);
    return x[family->estimate] != 0;
}

int ecl_see_whole_step(
    const struct method_family *family, int stages, int all, struct stage *table) {
    const int estimate = family->estimate, count = weights_for(family->estimate_order);
    int list[MOST_WEIGHTS];
    double latest = 0;
    for (int s = 0; s < all; s++) latest = fmax(latest, table[s].c);
    if (latest < 1) {
        table[all] = (struct stage){.c = 1, .a = {{1}}};
        table[all].a[estimate][estimate] = 1;
        all++;
        for (int i = 0; i < count; i++) list[i] = all - count + i;
        add_to_estimate(family, stages, all, table, list, 1 - latest);
    }
    /* The estimate is then a sum that begins with a later stage. */
    if (table[0].components == STAGE_ALL && !contains_first(family, all, table)) {
        for (int s = 1; s < all && table[s].a[estimate][estimate] == 0; s++)
            table[s].a[estimate][estimate] = 1;
        for (int i = 0; i < count - 1; i++) list[i] = all - count + 1 + i;
        list[count - 1] = 0;
        add_to_estimate(family, stages, all, table, list, 1);
    }
    return all;
}

void ecl_difference_estimate(struct stage *table, int i, int j, int n, int estimate, double size) {
    const double a = 0.5 - table[i].c, b = 0.5 - table[j].c,
                 unit = 3 * size / (a * b * (a * a - b * b));
    const int stages[] = {i, j, n - j, n - i};
    const double weights[] = {unit * b, -unit * a, unit * a, -unit * b};
    for (int k = 0; k < 4; k++) {
        struct stage *const stage = &table[stages[k]];
        stage->a[estimate][estimate] = k > 0;
        stage->b[estimate] = weights[k];
    }
}
