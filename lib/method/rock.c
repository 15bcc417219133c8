/* SPDX-License-Identifier: BSD-2-Clause */
/* rock.c - stabilised methods whose coefficients are tables. */
#include "config.h"
#include "methods.h"

/* Rows of numbers, one for each number of stages s, which is its first number; the real limit is
 * its second. A row has `fixed` + `each` s numbers. The numbers of rock4 are the coefficients of
 * the author's program rock4.f, with the limits computed from them. Two numbers of stages of
 * rock4.f are left out, 133 and 152: with their coefficients |R| is 1.006 and 1.008 at z = -8.4. */
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
static const double rkc4_rows[] = {
#include "rkc4.def"
};
enum { RKC4_KICKS = 7, RKC4_MOST_STAGES = 192 };
static const struct rock rock2 = {rock2_rows, 2, 1}, rock4 = {rock4_rows, 4, 2},
                         rkc4 = {rkc4_rows, 5 + 2 * RKC4_KICKS, 0};

/* The row of the least number of stages that exists and is not less. */
static const double *rock_row(const struct rock *rock, int stages) {
    const double *row = rock->rows;
    while (row[0] < stages) row += rock->fixed + rock->each * (int)row[0];
    return row;
}

/* A sum of Legendre polynomials, which are the stages: Y_0 = y, Y_j = Y_(j-1) + D_j, where
 *
 *     D_j = (j - 1) / j D_(j-1) + width (2 j - 1) / j h F(Y_(j-1)),   width = 2 / beta,
 *
 * and the step is y + C_1 D_1 + ... + C_s D_s, whose polynomial is that of ROCK2. Where F is 0, D
 * is 0, and y remains as it is. P1 keeps the sum. P2 keeps j D_j, so its own coefficient is 1. */
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
    ecl_set_times(s, table);
}

/* The difference of the step and of Y_(s-1) + g D_(s-1), where g is such that it is as far ahead:
 * the times of stages are not those of order 1. It is made of the step, a stage and a difference of
 * stages. All of these are small, so rounding errors are not amplified as in h F. */
static void estimate_rock2(int stages, struct stage *table) {
    struct stage *const last = &table[stages - 1];
    const struct taylor before = ecl_taylor(table, stages - 1);
    const double g = (1 - before.of[1][0]) / before.of[1][2],
                 size = estimate_size_2 / (0.5 - before.of[2][0] - g * before.of[2][2]);
    for (int j = 0; j < ODE_MOST_ARRAYS_; j++) last->a[2][j] = size * last->a[0][j];
    last->a[2][0] -= size;
    last->a[2][2] -= size * g;
    last->b[2] = size * last->b[0];
}

/* A recurrence of Chebyshev polynomials T_j(w0 + w1 z) in their differences, Q_j = Q_(j-1) + D_j,
 * whose difference is multiplied by a factor behind some stages, the kicks: see
 * doc/design/methods.md. With x = w0 + w1 z and the factor k, 1 behind all other stages,
 *
 *     T_(j+1) = (1 + k) x T_j - k T_(j-1),   Q_j = T_j(w0 + w1 z) / T_j(w0).
 *
 * P1 keeps D_j / scale_j with scale_(j+1) = kappa_(j+1) scale_j, so its own coefficient is 1. */
static void fill_rkc4(int stages, struct stage *table) {
    const double *const row = rock_row(&rkc4, stages),
                        *kick = row + 5, *const end = kick + 2 * RKC4_KICKS, more = row[3],
                        w0 = 1 + more, w1 = row[4];
    double t = w0, rise = more, scale = 1; /* T_j(w0), T_j(w0) - T_(j-1)(w0) */
    table[0] =
        (struct stage){.a = {{1, scale}}, .b = {0, w1 / w0}, .in_place = 1, .is_buffered = 1};
    for (int j = 1; j < stages; j++) {
        const int is_kick = kick < end && (int)*kick == j;
        const double k = is_kick ? kick[1] : 1, before = t - rise;
        kick += is_kick ? 2 : 0;
        rise = k * rise + (1 + k) * more * t;
        const double next = t + rise;
        scale *= k * before / next;
        table[j] = (struct stage){
            .a = {{1, scale}, {0, 1}}, .b = {0, (1 + k) * w1 * t / next / scale}, .in_place = 1};
        t = next;
    }
    ecl_set_times(stages, table);
}

static double product(const double *a, const double *b, int count) {
    double sum = 0;
    for (int j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* The estimate for y' = y, divided by z^4: see estimate_size_2 in methods.h. */
static const double estimate_size_4 = 0.00015;

/* A weighted sum of all differences D_j that is of order 4: of all such sums that with the least
 * sum of squares of the weights, because rounding errors of differences are weighted, too. The
 * weights are what remains of the terms of z^4 in D_1, D_2, ... as a vector, if those of z, z^2,
 * z^3 and of h^3 f''(f, f) are made orthogonal to it. P2 takes the place of P1, and P1 keeps the
 * sum. */
static void estimate_rkc4(int stages, struct stage *table) {
    enum { CONDITIONS = 4 };
    double v[CONDITIONS + 1][RKC4_MOST_STAGES], square[CONDITIONS + 1];
    /* values of the conditions for Q_j and P1 */
    double q[CONDITIONS + 1] = {1}, p[CONDITIONS + 1] = {0}, p_cc = 0;
    for (int j = 0; j < stages; j++) {
        const struct stage *const stage = &table[j];
        const double scale = stage->a[0][1], b = stage->b[1];
        for (int k = CONDITIONS; k > 0; k--) p[k] += b * q[k - 1];
        p_cc += b * stage->c * stage->c;
        for (int k = 1; k <= CONDITIONS; k++) q[k] += scale * p[k];
        for (int k = 0; k < 3; k++) v[k][j] = scale * p[k + 1];
        v[3][j] = scale * p_cc;
        v[4][j] = scale * p[4];
    }
    /* Each vector loses its parts along those before it, twice because of rounding errors. */
    for (int i = 0; i <= CONDITIONS; i++) {
        for (int k = 0; k < 2 * i; k++) {
            const double part = product(v[i], v[k % i], stages) / square[k % i];
            for (int j = 0; j < stages; j++) v[i][j] -= part * v[k % i][j];
        }
        square[i] = product(v[i], v[i], stages);
    }
    for (int j = 0; j < stages; j++) {
        const double scale = table[j].a[0][1],
                     weight = estimate_size_4 * v[CONDITIONS][j] / square[CONDITIONS];
        table[j] = (struct stage){.c = table[j].c,
            .a = {{1, 0, scale}, {0, j > 0, weight * scale}, {0, 0, j > 0}},
            .b = {0, 0, table[j].b[1]},
            .in_place = 1,
            .is_buffered = j == 0};
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
    ecl_set_times(stages, table);
}

/* The published estimate has the same form, and other weights: F of the last four stages and of the
 * step's end. */
static void estimate_rock4(int stages, struct stage *table) {
    table[stages] = (struct stage){.c = 1, .a = {{1}}};
    ecl_accumulate_estimate(table, stages - 4, 4, 3, 0.0006);
}

static int next_rock2(int stages) { return (int)rock_row(&rock2, stages)[0]; }
static int next_rock4(int stages) { return (int)rock_row(&rock4, stages)[0]; }
static int next_rkc4(int stages) { return (int)rock_row(&rkc4, stages)[0]; }
static double real_rock2(int stages) { return rock_row(&rock2, stages)[1]; }
static double real_rock4(int stages) { return rock_row(&rock4, stages)[1]; }
static double real_rkc4(int stages) { return rock_row(&rkc4, stages)[1]; }
static double imaginary_rkc4(int stages) { return rock_row(&rkc4, stages)[2]; }
static double imaginary_rock4(int stages) { return rock_row(&rock4, stages)[2]; }

const struct method_family ecl_rock2 = {.name = "rock2",
    .doc = "diffusion, order 2: stable for steps that grow with the square of the stages",
    .source = "the polynomials of Abdulle, Medovikov, Numer. Math. 90 (2001) 1",
    .order = 2,
    .arrays = 3,
    .least = 3,
    .most = 200,
    .next = next_rock2,
    .real_limit = real_rock2,
    .imaginary_limit = ecl_no_limit,
    .fill = fill_rock2,
    .estimate = 2,
    .estimate_order = 2,
    .fill_estimate = estimate_rock2};
const struct method_family ecl_rkc4 = {.name = "rkc4",
    .doc = "diffusion, order 4: stable for steps that grow with the square of the stages",
    .source = "this library: doc/design/methods.md",
    .order = 4,
    .arrays = 2,
    .least = 14,
    .most = RKC4_MOST_STAGES,
    .next = next_rkc4,
    .real_limit = real_rkc4,
    .imaginary_limit = imaginary_rkc4,
    .fill = fill_rkc4,
    .estimate = 1,
    .estimate_order = 4,
    .more_arrays = 1,
    .fill_estimate = estimate_rkc4};
const struct method_family ecl_rock4 = {.name = "rock4",
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
    .more_arrays = 1,
    .fill_estimate = estimate_rock4};
