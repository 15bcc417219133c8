/* estimate.c - estimates of the error of a step, for methods whose literature has none that fits:
 * see doc/design/tolerance.md.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "methods.h"

struct taylor eulercl_taylor(const struct stage *table, int stage) {
    struct taylor q = {{{1}}}, p = {{{0}}};
    for (int s = 0; s < stage; s++)
        for (int power = TAYLOR_TERMS - 1; power >= 0; power--) {
            const double u = power ? q.of[power - 1][0] : 0, v = power ? p.of[power - 1][0] : 0;
            switch (table[s].components) {
            case STAGE_ALL:
                eulercl_apply_stage(&table[s], ODE_MOST_ARRAYS_, u, q.of[power]);
                break;
            case STAGE_POSITIONS:
                eulercl_apply_stage(&table[s], ODE_MOST_ARRAYS_, v, q.of[power]);
                break;
            case STAGE_VELOCITIES:
                eulercl_apply_stage(&table[s], ODE_MOST_ARRAYS_, -u, p.of[power]);
                break;
            }
        }
    return q;
}

enum { MOST_WEIGHTS = 5 };

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

void eulercl_accumulate_estimate(
    struct stage *table, int first, int order, int estimate, double size) {
    /* One row for each condition up to the order before: the sums of b, b c, b c^2, b A c. */
    double rows[MOST_WEIGHTS - 1][MOST_WEIGHTS] = {{0}}, powers[MOST_WEIGHTS],
                               weights[MOST_WEIGHTS], sum = 0;
    const int count = order == 3 ? 3 : MOST_WEIGHTS;
    for (int i = 0; i < count; i++) {
        const struct taylor at = eulercl_taylor(table, first + i);
        const double c = at.of[1][0], conditions[MOST_WEIGHTS - 1] = {1, c, c * c, at.of[2][0]};
        for (int k = 0; k < count - 1; k++) rows[k][i] = conditions[k];
        powers[i] = at.of[order - 1][0];
    }
    solve(rows, count, weights);
    for (int i = 0; i < count; i++) sum += weights[i] * powers[i];
    for (int i = 0; i < count; i++) {
        struct stage *const stage = &table[first + i];
        for (int j = 0; j < ODE_MOST_ARRAYS_; j++) stage->a[estimate][j] = 0;
        stage->a[estimate][estimate] = i > 0;
        stage->b[estimate] = size / sum * weights[i];
    }
}

void eulercl_difference_estimate(
    struct stage *table, int i, int j, int n, int estimate, double size) {
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
