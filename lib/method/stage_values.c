/* SPDX-License-Identifier: BSD-2-Clause */
/* stage_values.c - what the stages of a step see of boundary values that depend on the time.
 *
 * At the stages' own times t + c h they would cost a method its order: a stage computes the points
 * beside a wall to a low order only, and errors of stages cancel in the step. So a wall has to make
 * the same errors. A stage sees what the method itself would compute for y' = g'(t) from y = g(t)
 * at the step's beginning on (Carpenter, Gottlieb, Abarbanel, Don, SIAM J. Sci. Comput. 16 (1995)
 * 1241). Here g is the polynomial through its values at ODE_STEP_POINTS times of the step, so what
 * a stage sees is a sum of these values, whose weights depend on the method alone.
 *
 * A partitioned method's stage replaces positions, and reads the velocities beside the wall, or the
 * other way round: what it sees is made by the stages that replaced those. */
#include "config.h"
#include "methods.h"

enum { DEGREE = ODE_STEP_POINTS - 1 };

/* The derivative at x of the polynomial that is 1 at point k of 0, 1/DEGREE .. 1, and 0 at the
 * others. */
static double slope(int k, double x) {
    double sum = 0;
    for (int without = 0; without <= DEGREE; without++) {
        double product = 1;
        if (without == k) continue;
        for (int i = 0; i <= DEGREE; i++)
            if (i != k) product *= (i == without ? DEGREE : DEGREE * x - i) / (double)(k - i);
        sum += product;
    }
    return sum;
}

void ecl_set_weights(int stages, struct stage *table) {
    for (int k = 1; k <= DEGREE; k++) {
        double positions[ODE_MOST_ARRAYS_] = {0}, velocities[ODE_MOST_ARRAYS_] = {0};
        for (int s = 0; s < stages; s++) {
            const double f = slope(k, table[s].c);
            table[s].weights[k - 1] =
                table[s].components == STAGE_POSITIONS ? velocities[0] : positions[0];
            if (table[s].components != STAGE_VELOCITIES)
                ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, f, positions);
            if (table[s].components != STAGE_POSITIONS)
                ecl_apply_stage(&table[s], ODE_MOST_ARRAYS_, f, velocities);
        }
    }
}
