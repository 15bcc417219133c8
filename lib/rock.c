/* rock.c - stabilised methods whose coefficients are tables.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "methods.h"

/* Rows of numbers, one for each number of stages s, which is its first number; the real limit is
 * its second. A row has `fixed` + `each` s / `per` numbers. Those of rock4 are the coefficients of
 * the author's program rock4.f, with the limits computed from them. Two numbers of stages of
 * rock4.f are left out, 133 and 152: with their coefficients |R| is 1.006 and 1.008 at z = -8.4. */
struct rock {
    const double *rows;
    int fixed, each, per;
};
static const double rock2_rows[] = {
#include "rock2.def"
};
static const double rock4_rows[] = {
#include "rock4.def"
};
static const double rkc3_rows[] = {
#include "rkc3.def"
};
enum { RKC3_MOST_STAGES = 192 };
static const struct rock rock2 = {rock2_rows, 2, 1, 1}, rock4 = {rock4_rows, 4, 2, 1},
                         rkc3 = {rkc3_rows, 5, 2, 3};

/* The row of the least number of stages that exists and is not less. */
static const double *rock_row(const struct rock *rock, int stages) {
    const double *row = rock->rows;
    while (row[0] < stages) row += rock->fixed + rock->each * (int)row[0] / rock->per;
    return row;
}

/* All stages but the last of a sum of Legendre polynomials, which are the stages: Y_0 = y, Y_j =
 * Y_(j-1) + D_j, where
 *
 *     D_j = (j - 1) / j D_(j-1) + width (2 j - 1) / j h F(Y_(j-1)),   width = 2 / beta,
 *
 * and the sum is y + C_1 D_1 + ... + C_s D_s. Where F is 0, D is 0, and y remains as it is. P1
 * keeps the sum. P2 keeps j D_j / unit, so its own coefficient is 1. sums[j] is C_j. */
static void fill_legendre(
    const double *sums, double width, double unit, int s, struct stage *table) {
    table[0] = (struct stage){
        .a = {{1, 0, unit}, {1, 0, sums[1] * unit}}, .b = {0, 0, width / unit}, .in_place = 1};
    for (int j = 2; j < s; j++)
        table[j - 1] =
            (struct stage){.a = {{1, 0, unit / j}, {0, 1, sums[j] * unit / j}, {0, 0, 1}},
                .b = {0, 0, width * (2 * j - 1) / unit},
                .in_place = 1};
}

/* The stability polynomial of ROCK2 is the sum. */
static void fill_rock2(int stages, struct stage *table) {
    const double *const row = rock_row(&rock2, stages), *const sums = row + 1, width = 2 / row[1];
    const int s = stages;
    fill_legendre(sums, width, 1, s, table);
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

/* The second part of a step of rkc3: s stages of damped Chebyshev polynomials T_j, which make the
 * part `length` of a step:
 *
 *     Q_j = T_j(w0 + w1 z) / T_j(w0) y,   w0 = 1 + 0.05 / s^2,   w1 = length T_s(w0) / T_s'(w0),
 *
 * as a recurrence of their differences, D_j = T_(j-2) / T_j D_(j-1) + 2 w1 T_(j-1) / T_j h
 * F(Q_(j-1)) with all T_j at w0. P1 keeps T_(j-1) T_j / w0 D_j, so its own coefficient is 1. */
static void fill_chebyshev(int s, double length, struct stage *table) {
    double t[RKC3_MOST_STAGES / 3 + 1], slope = 1, before = 0; /* T_j, T_j', T_(j-1)' */
    const double w0 = 1 + 0.05 / s / s;
    t[0] = 1;
    t[1] = w0;
    for (int j = 2; j <= s; j++) {
        const double next = 2 * t[j - 1] + 2 * w0 * slope - before;
        t[j] = 2 * w0 * t[j - 1] - t[j - 2];
        before = slope;
        slope = next;
    }
    const double w1 = length * t[s] / slope;
    table[0] = (struct stage){.a = {{1, 1}}, .b = {0, w1 / w0}, .in_place = 1};
    for (int j = 2; j <= s; j++)
        table[j - 1] = (struct stage){.a = {{1, w0 / (t[j - 1] * t[j])}, {0, 1}},
            .b = {0, 2 * w1 * t[j - 1] * t[j - 1] / w0},
            .in_place = 1};
}

/* Two parts. The first one is a sum of Legendre polynomials, the second one continues from it: see
 * doc/design/methods.md. P2 is kept in units of 128, so that it can be a part of the estimate as it
 * is. */
static void fill_rkc3(int stages, struct stage *table) {
    const double *const row = rock_row(&rkc3, stages), *const sums = row + 4, width = 2 / row[3],
                        unit = 128;
    const int first = stages / 3 * 2;
    fill_legendre(sums, width, unit, first, table);
    table[first - 1] = (struct stage){.a = {{0, 1}, {0, 1, sums[first] * unit / first}, {0, 0, 1}},
        .b = {0, 0, width * (2 * first - 1) / unit},
        .in_place = 1};
    fill_chebyshev(stages / 3, row[4], table + first);
    eulercl_set_times(stages, table);
}

/* P2 is s D_s / unit of the first part, and the second part adds E_j D_j for all its differences
 * but the last one. With E_j = e0 + e1 j the sum is of order 3. It is made of a few differences of
 * stages with factors of size 1: differences within the second part alone are nearly dependent, so
 * their factors would be 1000 times as large, and with them the rounding errors. */
static void estimate_rkc3(int stages, struct stage *table) {
    const int first = stages / 3 * 2, last = stages / 3;
    double sums[2][2] = {{0}}; /* [p][k]: of j^p times the coefficient of z^(k+1) in D_j */
    const struct taylor begin = eulercl_taylor(table, first);
    struct taylor q = begin;
    for (int j = 1; j < last; j++) {
        const struct taylor next = eulercl_taylor(table, first + j);
        for (int k = 0; k < 2; k++) {
            const double d = next.of[k + 1][0] - q.of[k + 1][0];
            sums[0][k] += d;
            sums[1][k] += j * d;
        }
        q = next;
    }
    const double d1 = begin.of[1][2], d2 = begin.of[2][2],
                 determinant = sums[0][0] * sums[1][1] - sums[1][0] * sums[0][1],
                 e0 = (sums[1][0] * d2 - sums[1][1] * d1) / determinant,
                 e1 = (sums[0][1] * d1 - sums[0][0] * d2) / determinant;
    table[first].a[2][2] = 1;
    for (int j = 1; j < last; j++) {
        struct stage *const stage = &table[first + j];
        const double scale = table[first + j - 1].a[0][1]; /* of D_j, which P1 keeps */
        stage->a[2][1] = (e0 + e1 * j) * scale;
        stage->a[2][2] = 1;
    }
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
static int next_rkc3(int stages) { return (int)rock_row(&rkc3, stages)[0]; }
static double real_rock2(int stages) { return rock_row(&rock2, stages)[1]; }
static double real_rock4(int stages) { return rock_row(&rock4, stages)[1]; }
static double real_rkc3(int stages) { return rock_row(&rkc3, stages)[1]; }
static double imaginary_rkc3(int stages) { return rock_row(&rkc3, stages)[2]; }
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
const struct method_family eulercl_rkc3 = {.name = "rkc3",
    .doc = "diffusion, order 3: stable for steps that grow with the square of the stages",
    .source = "this library: doc/design/methods.md",
    .order = 3,
    .arrays = 3,
    .least = 9,
    .most = RKC3_MOST_STAGES,
    .next = next_rkc3,
    .real_limit = real_rkc3,
    .imaginary_limit = imaginary_rkc3,
    .fill = fill_rkc3,
    .estimate = 2,
    .estimate_order = 3,
    .fill_estimate = estimate_rkc3};
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
