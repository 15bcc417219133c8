/* rock.c - orthogonal Runge-Kutta-Chebyshev methods.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "methods.h"

/* Rows of numbers, one for each number of stages, which is its first number. `head` numbers come
 * before those of the recurrence, and `last` stages after it. The coefficients are those of the
 * authors' programs rock2.f and rock4.f; the limits are computed from them. Two numbers of stages
 * of rock4.f are left out, 133 and 152: with their coefficients |R| is 1.006 and 1.008 at z = -8.4.
 */
struct rock {
    const double *rows;
    int head, last;
};
static const double rock2_rows[] = {
#include "rock2.def"
};
static const double rock4_rows[] = {
#include "rock4.def"
};
static const struct rock rock2 = {rock2_rows, 4, 2}, rock4 = {rock4_rows, 13, 4};

/* The row of the least number of stages that exists and is not less. */
static const double *rock_row(const struct rock *rock, int stages) {
    const double *row = rock->rows;
    while (row[0] < stages) row += rock->head + 2 * ((int)row[0] - rock->last) - 1;
    return row;
}

/* All stages but the last ones: Y_j = Y_(j-1) + D_j, where D_j = kappa_j D_(j-1) + mu_j h
 * F(Y_(j-1)) and kappa_1 = 0. That is the three-term recurrence in its differences: where F is
 * small, rounding errors of Y are not amplified, and a constant solution remains as it is. P keeps
 * D_j / scale_j with scale_j = kappa_j scale_(j-1), so its own coefficient is 1. The products of
 * kappa become as small as 1e-26, therefore the scales begin and end equally far from 1. */
static struct stage *fill_rock(const struct rock *rock, int stages, struct stage *table) {
    const int count = stages - rock->last;
    const double *const numbers = rock_row(rock, stages) + rock->head;
    double product = 1;
    for (int j = 1; j < count; j++) product *= numbers[2 * j];
    double scale = 1 / sqrt(product);
    table[0] = (struct stage){.a = {{1}}, .b = {numbers[0], numbers[0] / scale}};
    for (int j = 1; j < count; j++) {
        const double mu = numbers[2 * j - 1];
        scale *= numbers[2 * j];
        table[j] = (struct stage){.a = {{1, scale}, {0, 1}}, .b = {mu, mu / scale}};
    }
    return table + count;
}

/* The last stages: V = Y + fp1 h F(Y), then V + fp1 h F(V) + fp2 h (F(V) - F(Y)). */
static void fill_rock2(int stages, struct stage *table) {
    const double *const row = rock_row(&rock2, stages), fp1 = row[2], fp2 = row[3];
    struct stage *const last = fill_rock(&rock2, stages, table);
    last[0] = (struct stage){.a = {{1}, {1}}, .b = {fp1, fp1 - fp2}};
    last[1] = (struct stage){.a = {{0, 1}}, .b = {fp1 + fp2}};
    eulercl_set_times(stages, table);
}

/* The last stages are a Runge-Kutta method that continues from Y. P1 keeps the partial sum of its
 * third stage, then that of the fourth, which is between those of the second and the third; P2 that
 * of the step. */
static void fill_rock4(int stages, struct stage *table) {
    const double *const a = rock_row(&rock4, stages) + 3, *const b = a + 6, a21 = a[0], a31 = a[1],
                        a32 = a[2], a41 = a[3], a42 = a[4], a43 = a[5],
                        part = (a31 - a41) / (a31 - a21);
    struct stage *const last = fill_rock(&rock4, stages, table);
    last[0] = (struct stage){.a = {{1}, {1}, {1}}, .b = {a21, a31, b[0]}};
    last[1] = (struct stage){.a = {{0, 1}, {part, 1 - part}, {0, 0, 1}}, .b = {a32, a42, b[1]}};
    last[2] = (struct stage){.a = {{0, 1}, {0}, {0, 0, 1}}, .b = {a43, 0, b[2]}};
    last[3] = (struct stage){.a = {{0, 0, 1}}, .b = {b[3]}};
    eulercl_set_times(stages, table);
}

static int next_rock2(int stages) { return (int)rock_row(&rock2, stages)[0]; }
static int next_rock4(int stages) { return (int)rock_row(&rock4, stages)[0]; }
static double real_rock2(int stages) { return rock_row(&rock2, stages)[1]; }
static double real_rock4(int stages) { return rock_row(&rock4, stages)[1]; }
static double imaginary_rock4(int stages) { return rock_row(&rock4, stages)[2]; }

const struct method_family eulercl_rock2 = {.name = "rock2",
    .doc = "diffusion, order 2: stable for steps that grow with the square of the stages",
    .source = "Abdulle, Medovikov, Numer. Math. 90 (2001) 1",
    .order = 2,
    .arrays = 2,
    .least = 3,
    .most = 200,
    .next = next_rock2,
    .real_limit = real_rock2,
    .imaginary_limit = eulercl_no_limit,
    .fill = fill_rock2};
const struct method_family eulercl_rock4 = {.name = "rock4",
    .doc = "diffusion, order 4: stable for steps that grow with the square of the stages",
    .source = "Abdulle, SIAM J. Sci. Comput. 23 (2002) 2041",
    .order = 4,
    .arrays = 3,
    .least = 5,
    .most = 142,
    .next = next_rock4,
    .real_limit = real_rock4,
    .imaginary_limit = imaginary_rock4,
    .fill = fill_rock4};
