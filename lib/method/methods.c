/* SPDX-License-Identifier: BSD-2-Clause */
/* methods.c - the methods: their coefficients, in double, and their limits of stability. */
#include "config.h"
#include "methods.h"
#include <string.h>

/* The functions of a family whose only member is the array NAME_table. */
#define ONLY_(NAME, REAL, IMAGINARY)                                     \
    static void fill_##NAME(int stages, struct stage *table) {           \
        memcpy(table, NAME##_table, (size_t)stages * sizeof *table);     \
    }                                                                    \
    static double real_##NAME(int stages) { return (void)stages, REAL; } \
    static double imaginary_##NAME(int stages) { return (void)stages, IMAGINARY; }

/* ---- one member each ---- */

static const struct stage euler_table[] = {{.a = {{1}}, .b = {1}}};
ONLY_(euler, 2, 0)
const struct method ecl_euler = {.name = "euler",
    .order = 1,
    .stages = 1,
    .arrays = 1,
    .evaluations = 1,
    .real_limit = 2,
    .table = euler_table};

static const struct stage midpoint_table[] = {
    {.a = {{1}, {1}}, .b = {0.5}},
    {.c = 0.5, .a = {{0, 1}}, .b = {1}},
};
ONLY_(midpoint, 2, 0)
/* The difference to the explicit Euler method: h F2 - h F1. P keeps y. */
static void estimate_midpoint(int stages, struct stage *table) {
    table[stages - 1].a[1][0] = -2;
    table[stages - 1].a[1][1] = 2;
    table[stages - 1].b[1] = 1;
}

/* P keeps y + h/2 F1. */
static const struct stage heun_table[] = {
    {.a = {{1}, {1}}, .b = {1, 0.5}},
    {.c = 1, .a = {{0, 1}}, .b = {0.5}},
};
ONLY_(heun, 2, 0)
/* The difference to the explicit Euler method, which is the stage before. */
static void estimate_heun(int stages, struct stage *table) {
    table[stages - 1].a[1][0] = -1;
    table[stages - 1].a[1][1] = 1;
    table[stages - 1].b[1] = 0.5;
    table[stages - 1].is_buffered = 1;
}

static const struct stage ssprk33_table[] = {
    {.a = {{1}, {1}}, .b = {1}},
    {.c = 1, .a = {{0.25, 0.75}, {0, 1}}, .b = {0.25}},
    {.c = 0.5, .a = {{2.0 / 3, 1.0 / 3}}, .b = {2.0 / 3}},
};
ONLY_(ssprk33, 2.5127, 1.7320)

static const struct stage ssprk43_table[] = {
    {.a = {{1}, {1}}, .b = {0.5}},
    {.c = 0.5, .a = {{1}}, .b = {0.5}},
    {.c = 1, .a = {{1.0 / 3, 2.0 / 3}}, .b = {1.0 / 6}},
    {.c = 0.5, .a = {{1}}, .b = {0.5}},
};
ONLY_(ssprk43, 5.1494, 2.1561)

/* clang-format off */
#define SIXTH_(C) {.c = (C) / 6.0, .a = {{1}, {0, 1}}, .b = {1.0 / 6}}
/* clang-format on */
static const struct stage ssp104_table[] = {
    {.a = {{1}, {1}}, .b = {1.0 / 6}},
    SIXTH_(1),
    SIXTH_(2),
    SIXTH_(3),
    {.c = 4.0 / 6,
        .a = {{0.4, 0.6}, {9.0 / 25, 1.0 / 25}},
        .b = {1.0 / 15, 3.0 / 50},
        .is_buffered = 1},
    SIXTH_(2),
    SIXTH_(3),
    SIXTH_(4),
    SIXTH_(5),
    {.c = 1, .a = {{0.6, 1}}, .b = {0.1}, .is_buffered = 1},
};
ONLY_(ssp104, 13.917, 4.9214)

/* The stages are y + h/2 F1 = V, y + h/2 F2 = W, y + h F3, and the step is (V + 2 W + h F3) / 3 +
 * h/6 F4: P1 keeps y, P2 V and then the step. */
static const struct stage rk4_table[] = {
    {.a = {{1}, {1}}, .b = {0.5}},
    {.c = 0.5, .a = {{0, 1}, {0, 1}, {1}}, .b = {0.5}},
    {.c = 0.5, .a = {{0, 1}, {0}, {2.0 / 3, 0, 1.0 / 3}}, .b = {1, 0, 1.0 / 3}},
    {.c = 1, .a = {{0, 0, 1}}, .b = {1.0 / 6}},
};
ONLY_(rk4, 2.7852, 2.8284)

/* The third-order solution. P keeps y and then the step. */
static const struct stage bs32_table[] = {
    {.a = {{1}, {1}}, .b = {0.5}},
    {.c = 0.5, .a = {{0, 1}, {4.0 / 9, 5.0 / 9}}, .b = {0.75, 1.0 / 3}},
    {.c = 0.75, .a = {{0, 1}}, .b = {4.0 / 9}},
};
ONLY_(bs32, 2.5127, 1.7320)
/* The published estimate takes a fourth stage, which the next step would use again. That would be a
 * value that survives the step. Three stages are enough for an estimate of the same size. */
static void estimate_bs32(int stages, struct stage *table) {
    (void)stages;
    ecl_accumulate_estimate(table, 0, 3, 2, 1.0 / 48);
}

/* Two arrays: Q <- A_i Q + h F, U <- U + B_i Q, where A_1 = 0. P keeps Q / (A_2 ... A_i): then the
 * coefficient of P is 1 in its own row. The products are between 0.4 and 1.3. */
#define A2_ (-567301805773.0 / 1357537059087.0)
#define A23_ (A2_ * (-2404267990393.0 / 2016746695238.0))
#define A234_ (A23_ * (-3550918686646.0 / 2091501179385.0))
#define A2345_ (A234_ * (-1275806237668.0 / 842570457699.0))
#define B1_ (1432997174477.0 / 9575080441755.0)
#define B2_ (5161836677717.0 / 13612068292357.0)
#define B3_ (1720146321549.0 / 2090206949498.0)
#define B4_ (3134564353537.0 / 4481467310338.0)
#define B5_ (2277821191437.0 / 14882151754819.0)
/* clang-format off */
static const struct stage ck54_table[] = {
    {.a = {{1, B1_}}, .b = {0, 1}, .in_place = 1},
    {.c = B1_, .a = {{1, B2_ * A2_}, {0, 1}}, .b = {0, 1 / A2_}, .in_place = 1},
    {.c = 2526269341429.0 / 6820363962896.0,
        .a = {{1, B3_ * A23_}, {0, 1}}, .b = {0, 1 / A23_}, .in_place = 1},
    {.c = 2006345519317.0 / 3224310063776.0,
        .a = {{1, B4_ * A234_}, {0, 1}}, .b = {0, 1 / A234_}, .in_place = 1},
    {.c = 2802321613138.0 / 2924317926251.0, .a = {{1, B5_ * A2345_}}, .b = {B5_}},
};
/* clang-format on */
ONLY_(ck54, 4.6567, 3.3407)
static void estimate_ck54(int stages, struct stage *table) {
    (void)stages;
    ecl_accumulate_estimate(table, 0, 4, 2, 0.003);
}

/* The fifth-order solution. The stages after stage i need partial sums of y and the F up to i. P3
 * keeps that of the step and P2 that of stage 6 from the beginning, P1 keeps that of stage 3 and
 * then stage 2 itself. The other partial sums are combinations of these. No other choice of stages
 * and partial sums to keep has fewer coefficients. */
static const struct stage dp54_table[] = {
    {.a = {{1}, {1}, {1}, {1}}, .b = {0.2, 3.0 / 40, 9017.0 / 3168, 35.0 / 384}},
    {.c = 0.2,
        .a = {{0, 1}, {1}, {0, 0, 1}, {0, 0, 0, 1}},
        .b = {9.0 / 40, 0, -355.0 / 33},
        .is_buffered = 1},
    {.c = 0.3,
        .a = {{0, -47381.0 / 74195, 616.0 / 1775, 479136.0 / 370975}, {0, 1}, {0, 0, 1},
            {0, 0, 0, 1}},
        .b = {32.0 / 9, 0, 46732.0 / 5247, 500.0 / 1113}},
    {.c = 0.8,
        .a = {{892051750.0 / 543515427, 28652125.0 / 543515427, 39469408.0 / 77645061,
                  -1152512.0 / 958581},
            {0}, {0, 0, 1}, {0, 0, 0, 1}},
        .b = {-212.0 / 729, 0, 49.0 / 176, 125.0 / 192}},
    {.c = 8.0 / 9,
        .a = {{0, 0, 1}, {0}, {0}, {0, 0, 0, 1}},
        .b = {-5103.0 / 18656, 0, 0, -2187.0 / 6784}},
    {.c = 1, .a = {{0, 0, 0, 1}}, .b = {11.0 / 84}},
};
ONLY_(dp54, 3.3065, 0.9971)
/* The estimate is 0.4 of the difference of the two solutions, which takes a seventh stage. P1 keeps
 * its partial sums, P2 those of stage 6 and P3 those of the step. The partial sums of the other
 * stages are combinations of these. */
static const struct stage dp54_estimates[] = {
    {.a = {{1}, {0}, {1}, {1}}, .b = {0.2, 71.0 / 144000, 9017.0 / 3168, 35.0 / 384}},
    {.c = 0.2,
        .a = {{1, -18000.0 / 71}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}},
        .b = {9.0 / 40, 0, -355.0 / 33}},
    {.c = 0.3,
        .a = {{488.0 / 763, -1507500.0 / 7739, 275.0 / 763}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}},
        .b = {32.0 / 9, -142.0 / 83475, 46732.0 / 5247, 500.0 / 1113},
        .is_buffered = 1},
    {.c = 0.8,
        .a = {{83773375.0 / 49337991, 22921700000.0 / 1167665787, 24109448.0 / 49337991,
                  -19514944.0 / 16445997},
            {0, 1}, {0, 0, 1}, {0, 0, 0, 1}},
        .b = {-212.0 / 729, 71.0 / 4800, 49.0 / 176, 125.0 / 192}},
    {.c = 8.0 / 9,
        .a = {{0, 0, 1}, {0, 1}, {0}, {0, 0, 0, 1}},
        .b = {-5103.0 / 18656, -17253.0 / 848000, 0, -2187.0 / 6784}},
    {.c = 1, .a = {{0, 0, 0, 1}, {0, 1}}, .b = {11.0 / 84, 44.0 / 2625}},
    {.c = 1, .a = {{1}, {0, 1}}, .b = {0, -1.0 / 100}},
};
static void estimate_dp54(int stages, struct stage *table) {
    (void)stages;
    memcpy(table, dp54_estimates, sizeof dp54_estimates);
}

/* Positions and velocities: a kick replaces the velocities by V + h b F, a drift the positions. The
 * time of a kick is that of the positions, which earlier drifts have moved, and the time of a drift
 * that of the velocities. */
/* clang-format off */
#define KICK_(C, B) {.c = C, .a = {{1}}, .b = {B}, .components = STAGE_VELOCITIES}
#define DRIFT_(C, B) {.c = C, .a = {{1}}, .b = {B}, .components = STAGE_POSITIONS}
/* clang-format on */

static const struct stage symplectic_euler_table[] = {KICK_(0, 1), DRIFT_(1, 1)};
ONLY_(symplectic_euler, 0, 2)

static const struct stage verlet_table[] = {KICK_(0, 0.5), DRIFT_(0.5, 1), KICK_(1, 0.5)};
ONLY_(verlet, 0, 2)

/* S6 of order 4: symmetric, with the kicks K1_ .. K4_ .. K1_ and the drifts D1_ .. D3_, D3_ .. D1_
 * between them. */
#define K1_ 0.0792036964311957
#define K2_ 0.353172906049774
#define K3_ (-0.0420650803577195)
#define K4_ (1 - 2 * (K1_ + K2_ + K3_))
#define D1_ 0.209515106613362
#define D2_ (-0.143851773179818)
#define D3_ (0.5 - (D1_ + D2_))
static const double symplectic4_size = 2e-4; /* size of the estimate: see doc/design/tolerance.md */
static const struct stage symplectic4_table[] = {
    KICK_(0, K1_),
    DRIFT_(K1_, D1_),
    KICK_(D1_, K2_),
    DRIFT_(K1_ + K2_, D2_),
    KICK_(D1_ + D2_, K3_),
    DRIFT_(K1_ + K2_ + K3_, D3_),
    KICK_(0.5, K4_),
    DRIFT_(1 - (K1_ + K2_ + K3_), D3_),
    KICK_(1 - (D1_ + D2_), K3_),
    DRIFT_(1 - (K1_ + K2_), D2_),
    KICK_(1 - D1_, K2_),
    DRIFT_(1 - K1_, D1_),
    KICK_(1, K1_),
};
ONLY_(symplectic4, 0, 3.1328)
static void estimate_symplectic4(int stages, struct stage *table) {
    ecl_difference_estimate(table, 0, 2, stages - 1, 1, symplectic4_size);
    ecl_difference_estimate(table, 1, 5, stages - 1, 1, symplectic4_size);
}

/* ---- any number of stages ---- */

/* s - 1 Euler steps of size h / (s - 1) and an average; P keeps y. */
static void fill_ssp(int stages, struct stage *table) {
    const double s = stages;
    for (int i = 0; i < stages - 1; i++)
        table[i] =
            (struct stage){.c = i / (s - 1), .a = {{1}, {i == 0, i > 0}}, .b = {1 / (s - 1)}};
    table[stages - 1] = (struct stage){.c = 1, .a = {{(s - 1) / s, 1 / s}}, .b = {1 / s}};
}

/* R = (1 + (s - 1) x^s) / s with x = 1 + z / (s - 1). If s is even, |R| <= 1 for |x| <= 1. If it is
 * odd, R = -1 at x^s = -(s + 1) / (s - 1), whose root is here a series in 1 / s. */
static double real_ssp(int stages) {
    const double s = stages, r = 1 / (s * s);
    return (s - 1) * (stages % 2 ? 2 + r * (2 + r * 8 / 3) : 2);
}

/* Y_j = (1 - b_j) y + b_j Q_j, where Q_j is y times the Legendre polynomial P_j(1 + w z) for linear
 * equations, and w = 4 / (s^2 + s - 2). As published it is a recurrence of the Y; its coefficients
 * add up to 1 but for rounding errors, which the stages amplify: in float a constant solution would
 * drift. Here it is one of differences:
 *
 *     Q_j = Q_(j-1) + D_j,   D_j = (j - 1) / j D_(j-1) + w (2 j - 1) / j G,
 *
 * where G = (h F(Y_(j-1)) - (1 - b_(j-1)) h F(y)) / b_(j-1). P1 keeps Q_j - y, P2 j D_j and P3 h
 * F(y). What y is follows from Y and P1, so Y_j = Y_(j-1) + (b_j - b_(j-1)) (Q_j - y) + b_(j-1)
 * D_j.
 */
static void fill_rkl2(int stages, struct stage *table) {
    const double s = stages, w = 4 / (s * s + s - 2);
    double before = 1.0 / 3; /* b_(j-1) */
    table[0] =
        (struct stage){.a = {{1}}, .b = {before * w, w, w, 1}}; /* G is h F(y), and Q_0 is y */
    for (int i = 2; i <= stages; i++) {
        const double j = i, b = i > 2 ? (j * j + j - 2) / (2 * j * (j + 1)) : before,
                     width = w * (2 * j - 1) / before, other = -(1 - before) * width;
        struct stage *const stage = &table[i - 1];
        if (i < stages)
            *stage = (struct stage){
                .a = {{1, b - before, before / j}, {0, 1, 1 / j}, {0, 0, 1, other}, {0, 0, 0, 1}},
                .b = {0, 0, width},
                .in_place = 1};
        else
            *stage =
                (struct stage){.a = {{1, b - before, b / j, b / j * other}}, .b = {b / j * width}};
        before = b;
    }
    ecl_set_times(stages, table);
}

/* The difference of the step and of y + (Y_(s-1) - y) / c, which is as far ahead and of order 1. It
 * needs no other stage, and no h F, which would bring the rounding errors of y times the spectral
 * radius. */
static void estimate_rkl2(int stages, struct stage *table) {
    struct stage *const last = &table[stages - 1];
    const struct taylor before = ecl_taylor(table, stages - 1);
    const double c = before.of[1][0], size = estimate_size_2 / (0.5 - before.of[2][0] / c),
                 b = c / before.of[1][1]; /* Y_(s-1) - y is b times P1 */
    for (int j = 0; j < ODE_MOST_ARRAYS_; j++) last->a[1][j] = size * last->a[0][j];
    last->a[1][0] = 0;
    last->a[1][1] += size * (b - b / c);
    last->b[1] = size * last->b[0];
    last->is_buffered = 1;
}

/* R = 1 - b + b P(1 + w z) with the Legendre polynomial P. The argument is -1 at -(s^2 + s - 2) /
 * 2, where R = 1 if s is even. If s is odd, R = 1 - 2 b there and falls to -1 a little later: the
 * difference is fitted from below. */
static double real_rkl2(int stages) {
    const double s = stages, end = (s * s + s - 2) / 2;
    return stages % 2 ? end + 0.707 + 1.1 / (s * (s + 1)) : end;
}

/* ---- the list ---- */

#define STAGES_(NAME) ((int)(sizeof NAME##_table / sizeof *NAME##_table))
#define ONE_(NAME)                                                            \
    .least = STAGES_(NAME), .most = STAGES_(NAME), .real_limit = real_##NAME, \
    .imaginary_limit = imaginary_##NAME, .fill = fill_##NAME

static const struct method_family
    euler = {.name = "euler",
        .doc = "the explicit Euler method: least memory, and the tiles' fastest step",
        .source =
            "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), sec. I.7",
        .order = 1,
        .arrays = 1,
        ONE_(euler)},
    midpoint = {.name = "midpoint",
        .doc = "accuracy of order 2 at the least price",
        .source =
            "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), sec. II.1",
        .order = 2,
        .arrays = 2,
        ONE_(midpoint),
        .estimate = 1,
        .estimate_order = 2,
        .fill_estimate = estimate_midpoint},
    heun = {.name = "heun",
        .doc = "order 2; two Euler steps and their average, strong stability preserving",
        .source = "Heun, Z. Math. Phys. 45 (1900) 23",
        .order = 2,
        .arrays = 2,
        ONE_(heun),
        .estimate = 1,
        .estimate_order = 2,
        .fill_estimate = estimate_heun},
    ssprk33 = {.name = "ssprk33",
        .doc = "advection with limiters, order 3: strong stability preserving",
        .source = "Shu, Osher, J. Comput. Phys. 77 (1988) 439",
        .order = 3,
        .arrays = 2,
        ONE_(ssprk33)},
    ssprk43 = {.name = "ssprk43",
        .doc = "advection with limiters, order 3: strong stability preserving with 2 Euler steps",
        .source = "Spiteri, Ruuth, SIAM J. Numer. Anal. 40 (2002) 469",
        .order = 3,
        .arrays = 2,
        ONE_(ssprk43)},
    ssp = {.name = "ssp",
        .doc =
            "advection with limiters, order 2: strong stability preserving with s - 1 Euler steps",
        .source = "Ketcheson, SIAM J. Sci. Comput. 30 (2008) 2113, pseudocode 2",
        .order = 2,
        .arrays = 2,
        .least = 2,
        .most = 200,
        .real_limit = real_ssp,
        .imaginary_limit = ecl_no_limit,
        .fill = fill_ssp},
    ssp104 = {.name = "ssp104",
        .doc = "advection with limiters, order 4: strong stability preserving with 6 Euler steps",
        .source = "Ketcheson, SIAM J. Sci. Comput. 30 (2008) 2113, pseudocode 3",
        .order = 4,
        .arrays = 2,
        ONE_(ssp104)},
    bs32 = {.name = "bs32",
        .doc = "accuracy of order 3 with two arrays",
        .source = "Bogacki, Shampine, Appl. Math. Lett. 2 (1989) 321, the solution of order 3",
        .order = 3,
        .arrays = 2,
        ONE_(bs32),
        .estimate = 2,
        .estimate_order = 3,
        .more_arrays = 1,
        .fill_estimate = estimate_bs32},
    rk4 = {.name = "rk4",
        .doc = "accuracy of order 4; waves and advection",
        .source = "Kutta, Z. Math. Phys. 46 (1901) 435",
        .order = 4,
        .arrays = 3,
        ONE_(rk4)},
    ck54 = {.name = "ck54",
        .doc = "waves and advection, order 4 with two arrays",
        .source = "Carpenter, Kennedy, Fourth-order 2N-storage Runge-Kutta schemes, NASA TM-109112 "
                  "(1994)",
        .order = 4,
        .arrays = 2,
        ONE_(ck54),
        .estimate = 2,
        .estimate_order = 4,
        .more_arrays = 1,
        .fill_estimate = estimate_ck54},
    dp54 = {.name = "dp54",
        .doc = "accuracy of order 5",
        .source = "Dormand, Prince, J. Comput. Appl. Math. 6 (1980) 19, the solution of order 5",
        .order = 5,
        .arrays = 4,
        ONE_(dp54),
        .estimate = 1,
        .estimate_order = 5,
        .more_stages = 1,
        .fill_estimate = estimate_dp54},
    rkl2 = {.name = "rkl2",
        .doc = "diffusion of rough data, order 2: damps more than rock2; best with odd stages",
        .source = "Meyer, Balsara, Aslam, J. Comput. Phys. 257 (2014) 594",
        .order = 2,
        .arrays = 4,
        .least = 2,
        .most = 201,
        .real_limit = real_rkl2,
        .imaginary_limit = ecl_no_limit,
        .fill = fill_rkl2,
        .estimate = 1,
        .estimate_order = 2,
        .fill_estimate = estimate_rkl2},
    symplectic_euler_family = {.name = "symplectic-euler",
        .doc = "waves without damping, order 1: positions and velocities by turns",
        .source = "Hairer, Lubich, Wanner, Acta Numer. 12 (2003) 399",
        .order = 1,
        .arrays = 1,
        .evaluations = 1,
        ONE_(symplectic_euler)},
    verlet = {.name = "verlet",
        .doc = "waves without damping, order 2: keeps their energy for all times",
        .source = "Hairer, Lubich, Wanner, Acta Numer. 12 (2003) 399",
        .order = 2,
        .arrays = 1,
        .evaluations = 1,
        ONE_(verlet)},
    symplectic4 = {.name = "symplectic4",
        .doc = "waves without damping, order 4: keeps their energy for all times",
        .source = "Blanes, Moan, J. Comput. Appl. Math. 142 (2002) 313, S6 of order 4",
        .order = 4,
        .arrays = 1,
        .evaluations = 6,
        ONE_(symplectic4),
        .estimate = 1,
        .estimate_order = 4,
        .more_arrays = 1,
        .fill_estimate = estimate_symplectic4};

const struct method_family *const ecl_methods[] = {&euler, &midpoint, &heun, &ssprk33, &ssprk43,
    &ssp, &ssp104, &bs32, &rk4, &ck54, &dp54, &ecl_rock2, &ecl_rkc4, &ecl_rock4, &rkl2,
    &symplectic_euler_family, &verlet, &symplectic4, NULL};
