/* rock.c - orthogonal Runge-Kutta-Chebyshev methods.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "methods.h"

/* Rows of numbers, one for each number of stages s, which is its first number; the real limit is
 * its second. A row has `fixed` + `each` s numbers. Those of rock4 are the coefficients of the
 * author's program rock4.f, with the limits computed from them. Two numbers of stages of rock4.f
 * are left out, 133 and 152: with their coefficients |R| is 1.006 and 1.008 at z = -8.4. */
struct rock {
    const double *rows;
    int fixed, each;
};
static const double rock2_rows[] = {
#include "rock2.def"
};
static const double rock4_rows[] = {
#include "rock4.def"
};
static const struct rock rock2 = {rock2_rows, 2, 1}, rock4 = {rock4_rows, 4, 2};

/* The row of the least number of stages that exists and is not less. */
static const double *rock_row(const struct rock *rock, int stages) {
    const double *row = rock->rows;
    while (row[0] < stages) row += rock->fixed + rock->each * (int)row[0];
    return row;
}

/* The stability polynomial of ROCK2 as a sum of Legendre polynomials, which are the stages: Y_0 =
 * y, Y_j = Y_(j-1) + D_j, where
 *
 *     D_j = (j - 1) / j D_(j-1) + (2 / beta) (2 j - 1) / j h F(Y_(j-1)),
 *
 * and the step is y + C_1 D_1 + ... + C_s D_s. Where F is 0, D is 0, and y remains as it is. P1
 * keeps the sum. P2 keeps j D_j, so its own coefficient is 1. */
static void fill_rock2(int stages, struct stage *table) {
    const double *const row = rock_row(&rock2, stages), *const sums = row + 1, width = 2 / row[1];
    const int s = stages;
    table[0] = (struct stage){.a = {{1, 0, 1}, {1, 0, sums[1]}}, .b = {0, 0, width}, .in_place = 1};
    for (int j = 2; j < s; j++)
        table[j - 1] = (struct stage){.a = {{1, 0, 1.0 / j}, {0, 1, sums[j] / j}, {0, 0, 1}},
            .b = {0, 0, width * (2 * j - 1)},
            .in_place = 1};
    table[s - 1] =
        (struct stage){.a = {{0, 1, sums[s] / s}}, .b = {sums[s] * width * (2 * s - 1) / s}};
    eulercl_set_times(s, table);
}

/* The difference of the step and of Y_(s-1) + g D_(s-1), where g is such that it is as far ahead:
 * the times of stages are not those of order 1. It is made of the step, a stage and a difference of
 * stages, none of which is large, so rounding errors are not amplified as in h F. */
static void estimate_rock2(int stages, struct stage *table) {
    struct stage *const last = &table[stages - 1];
    const struct taylor before = eulercl_taylor(table, stages - 1);
    const double g = (1 - before.of[1][0]) / before.of[1][2],
                 size = estimate_size_2 / (0.5 - before.of[2][0] - g * before.of[2][2]);
    for (int j = 0; j < ODE_MOST_ARRAYS_; j++) last->a[2][j] = size * last->a[0][j];
    last->a[2][0] -= size;
    last->a[2][2] -= size * g;
    last->b[2] = size * last->b[0];
}

/* All stages of rock4 but the last four: Y_j = Y_(j-1) + D_j, where D_j = kappa_j D_(j-1) + mu_j h
 * F(Y_(j-1)) and kappa_1 = 0. That is the three-term recurrence in its differences: where F is
 * small, rounding errors of Y are not amplified, and a constant solution remains as it is. P keeps
 * D_j / scale_j with scale_j = kappa_j scale_(j-1), so its own coefficient is 1. The products of
 * kappa become as small as 1e-26, therefore the scales begin and end equally far from 1. */
static void fill_recurrence(const double *numbers, int count, struct stage *table) {
    double product = 1;
    for (int j = 1; j < count; j++) product *= numbers[2 * j];
    double scale = 1 / sqrt(product);
    table[0] = (struct stage){.a = {{1, scale}}, .b = {0, numbers[0] / scale}, .in_place = 1};
    for (int j = 1; j < count; j++) {
        const double mu = numbers[2 * j - 1];
        scale *= numbers[2 * j];
        table[j] = (struct stage){.a = {{1, scale}, {0, 1}}, .b = {0, mu / scale}, .in_place = 1};
    }
}

/* The last stages are a Runge-Kutta method that continues from Y. P1 keeps the partial sum of its
 * third stage, then that of the fourth, which is between those of the second and the third; P2 that
 * of the step. */
static void fill_rock4(int stages, struct stage *table) {
    const double *const a = rock_row(&rock4, stages) + 3, *const b = a + 6, a21 = a[0], a31 = a[1],
                        a32 = a[2], a41 = a[3], a42 = a[4], a43 = a[5],
                        part = (a31 - a41) / (a31 - a21);
    struct stage *const last = table + stages - 4;
    fill_recurrence(b + 4, stages - 4, table);
    last[0] = (struct stage){.a = {{1}, {1}, {1}}, .b = {a21, a31, b[0]}};
    last[1] = (struct stage){.a = {{0, 1}, {part, 1 - part}, {0, 0, 1}}, .b = {a32, a42, b[1]}};
    last[2] = (struct stage){.a = {{0, 1}, {0}, {0, 0, 1}}, .b = {a43, 0, b[2]}};
    last[3] = (struct stage){.a = {{0, 0, 1}}, .b = {b[3]}};
    eulercl_set_times(stages, table);
}

/* The published estimate has the same form, and other weights: F of the last four stages and of the
 * step's end. */
static void estimate_rock4(int stages, struct stage *table) {
    table[stages] = (struct stage){.c = 1, .a = {{1}}};
    eulercl_accumulate_estimate(table, stages - 4, 4, 3, 0.0006);
}

static int next_rock2(int stages) { return (int)rock_row(&rock2, stages)[0]; }
static int next_rock4(int stages) { return (int)rock_row(&rock4, stages)[0]; }
static double real_rock2(int stages) { return rock_row(&rock2, stages)[1]; }
static double real_rock4(int stages) { return rock_row(&rock4, stages)[1]; }
static double imaginary_rock4(int stages) { return rock_row(&rock4, stages)[2]; }

const struct method_family eulercl_rock2 = {.name = "rock2",
    .doc = "diffusion, order 2: stable for steps that grow with the square of the stages",
    .source = "the polynomials of Abdulle, Medovikov, Numer. Math. 90 (2001) 1",
    .order = 2,
    .arrays = 3,
    .least = 3,
    .most = 200,
    .next = next_rock2,
    .real_limit = real_rock2,
    .imaginary_limit = eulercl_no_limit,
    .fill = fill_rock2,
    .estimate = 2,
    .estimate_order = 2,
    .fill_estimate = estimate_rock2};
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
    .fill = fill_rock4,
    .estimate = 3,
    .estimate_order = 4,
    .more_stages = 1,
    .fill_estimate = estimate_rock4};
