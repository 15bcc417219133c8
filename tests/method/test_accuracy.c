/* SPDX-License-Identifier: BSD-2-Clause */
/* test_accuracy.c - against references from outside: GSL's integrators, the exact solution, and the
 * closed form of the method. */
#include "config.h"
#include "../support.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 200 };

/* The two systems once more, written for GSL from their definitions. */
static int bruss2d(double t, const double y[], double f[], void *parameters) {
    const int m = *(const int *)parameters;
    const double A = 1, B = 3.4, d = 2e-3 * (m - 1) * (m - 1);
    (void)t;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < m; column++) {
            const int up = row ? row - 1 : 1, down = row < m - 1 ? row + 1 : m - 2,
                      left = column ? column - 1 : 1, right = column < m - 1 ? column + 1 : m - 2;
            const int at = 2 * (row * m + column),
                      around[] = {2 * (up * m + column), 2 * (down * m + column),
                          2 * (row * m + left), 2 * (row * m + right)};
            const double u = y[at], v = y[at + 1];
            double u_sum = -4 * u, v_sum = -4 * v;
            for (int k = 0; k < 4; k++) {
                u_sum += y[around[k]];
                v_sum += y[around[k] + 1];
            }
            f[at] = A + u * u * v - (B + 1) * u + d * u_sum;
            f[at + 1] = B * u - u * u * v + d * v_sum;
        }
    return GSL_SUCCESS;
}

static int string(double t, const double y[], double f[], void *parameters) {
    const int points = *(const int *)parameters;
    (void)t;
    for (int i = 0; i < points; i++) {
        const double left = i ? y[2 * i - 2] : 0, right = i < points - 1 ? y[2 * i + 2] : 0;
        f[2 * i] = y[2 * i + 1];
        f[2 * i + 1] = 25 * (left - 2 * y[2 * i] + right);
    }
    return GSL_SUCCESS;
}

static const struct {
    const char *name, *parameter;
    int size;
    double t_end;
    int (*f)(double, const double *, double *, void *);
} systems[] = {
    {"bruss2d", "m", 8, 1, bruss2d},
    {"string", "points", 20, 0.5, string},
};

static void integrate(int system, size_t n, double *y) {
    int size = systems[system].size;
    gsl_odeiv2_system equations = {systems[system].f, NULL, n, &size};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&equations, gsl_odeiv2_step_rk8pd, 1e-4, 1e-13, 1e-13);
    double t = 0;
    ck_assert_ptr_nonnull(driver);
    ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &t, systems[system].t_end, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
}

static double distance(const double *a, const double *b, int64_t n) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static eulercl_problem *open_system(int system) {
    eulercl_problem *problem;
    OK(eulercl_problem_open(systems[system].name, &problem, &error));
    OK(eulercl_problem_set(problem, systems[system].parameter, systems[system].size, &error));
    ck_assert_int_le(size_of(problem), MAX_N);
    return problem;
}

START_TEST(error_falls_with_order_one) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_line_ways(ways, MAX_WAYS, have_opencl());
    eulercl_problem *problem = open_system(_i);
    const int64_t n = size_of(problem);
    double start[MAX_N], reference[MAX_N], y[MAX_N], errors[4];
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, start, &error));
    memcpy(reference, start, sizeof reference);
    integrate(_i, (size_t)n, reference);
    for (size_t w = 0; w < way_count; w++) {
        for (int k = 0; k < 4; k++) {
            eulercl_options options;
            const int64_t steps = (int64_t)1000 << k;
            if (w && k > 1) continue; /* the other ways: the same bits, so a look is enough */
            options_for(&options, &ways[w], EULERCL_DOUBLE);
            options.h = systems[_i].t_end / (double)steps;
            memcpy(y, start, sizeof y);
            OK(solve_somehow(problem, &options, steps, y, NULL, &error));
            const double e = distance(y, reference, n);
            if (w) ck_assert(e == errors[k]);
            errors[k] = e;
        }
        for (int k = 0; k < 3; k++) {
            const double order = log2(errors[k] / errors[k + 1]);
            ck_assert_msg(fabs(order - 1) < 0.05,
                "%s: order %g between %d and %d steps (errors %g, %g)", systems[_i].name, order,
                1000 << k, 2000 << k, errors[k], errors[k + 1]);
        }
        ck_assert_msg(
            errors[3] < 0.05 && errors[3] > 1e-9, "%s: error %g", systems[_i].name, errors[3]);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(exact_solution_is_gsl_s) {
    eulercl_problem *problem = open_system(1);
    const int64_t n = size_of(problem);
    double exact[MAX_N], start[MAX_N];
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, start, &error));
    OK(eulercl_problem_exact(problem, 0, EULERCL_DOUBLE, 0, n, exact, &error));
    ck_assert(distance(start, exact, n) < 1e-15);
    integrate(1, (size_t)n, start);
    OK(eulercl_problem_exact(problem, systems[1].t_end, EULERCL_DOUBLE, 0, n, exact, &error));
    ck_assert_msg(
        distance(start, exact, n) < 1e-10, "exact and GSL differ by %g", distance(start, exact, n));
    eulercl_problem_destroy(problem);
}
END_TEST

/* For the normal mode u = a s, v = b s (s the shape, an eigenvector of the second difference: K^2
   lap s = -omega^2 s) Euler's step is a <- a + h b, b <- b - h omega^2 a. With c = a - i b / omega
   this is c <- (1 + i h omega) c; so from a = 1, b = 0 after n steps a = Re z, b = -omega Im z with
   z = (1 + i h omega)^n. */
START_TEST(mode_follows_the_closed_form) {
    static const struct {
        int points;
        double K, h;
    } cases[] = {{20, 5, 1e-3}, {1, 5, 1e-3}, {2, 0.5, 1e-2}, {97, 30, 1e-4}, {1000, 1, 1e-2}};
    const long double pi = acosl(-1);
    const int points = cases[_i].points, steps = 1000;
    const long double omega = 2 * (long double)cases[_i].K * sinl(pi / (2 * (points + 1)));
    long double re = 1, im = 0, worst = 0;
    for (int s = 0; s < steps; s++) {
        const long double next = re - (long double)cases[_i].h * omega * im;
        im += (long double)cases[_i].h * omega * re;
        re = next;
    }
    eulercl_problem *problem;
    eulercl_options options;
    double *y = zeroed(2 * points, sizeof *y);
    OK(eulercl_problem_open("string", &problem, &error));
    OK(eulercl_problem_set(problem, "points", points, &error));
    OK(eulercl_problem_set(problem, "K", cases[_i].K, &error));
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = cases[_i].h;
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 2 * points, y, &error));
    OK(eulercl_solve(problem, &options, steps, y, NULL, &error));
    /* Relative to the mode's size: a component's own value may pass through 0. */
    const long double size = hypotl(re, im);
    for (int i = 0; i < points; i++) {
        const long double shape = sinl(pi * (i + 1) / (points + 1));
        worst = fmaxl(worst, fabsl((long double)y[2 * i] - re * shape) / size);
        worst = fmaxl(worst,
            fabsl((long double)y[2 * i + 1] + omega * im * shape) / (size * fmaxl(omega, 1)));
    }
    ck_assert_msg(worst < 1e-12L, "%d points, K = %g, h = %g: relative error %Lg after %d steps",
        points, cases[_i].K, cases[_i].h, worst, steps);
    free(y);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A stage can couple the components of a point: each step of `coupled` solves u = p + g (v - u), v
 * = q + g (u - v) at every point, where p and q are an explicit Euler step of the rest, and stays
 * bounded with a step size that explicit methods cannot take. */
START_TEST(a_stage_couples_the_components_of_a_point) {
    enum { POINTS = 24, STEPS = 50 };
    const double h = 0.01, g = h * 1e6;
    eulercl_problem *problem;
    eulercl_solver *solver;
    eulercl_options options;
    double y[2 * POINTS], next[2 * POINTS];
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.h = h;
    OK(eulercl_problem_create(test_problems[TEST_coupled].definition, &problem, &error));
    OK(eulercl_problem_set(problem, "columns", POINTS, &error));
    OK(eulercl_problem_set(problem, "rate", 1e6, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    for (int step = 0; step < STEPS; step++) {
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_advance(solver, 1, &error));
        OK(eulercl_get_state(solver, next, &error));
        for (int i = 0; i < POINTS; i++) {
            const double *left = y + 2 * (i > 0 ? i - 1 : 0),
                         *right = y + 2 * (i < POINTS - 1 ? i + 1 : i), *at = y + 2 * i;
            for (int c = 0; c < 2; c++) {
                const double u = next[2 * i + c], v = next[2 * i + 1 - c],
                             f = (c ? 0.125 : 0.25) * (left[c] - 2 * at[c] + right[c]) +
                                 0.0625 * (right[1 - c] - left[1 - c]);
                ck_assert_double_le(fabs(u - g * (v - u) - (at[c] + h * f)), 1e-12 * (1 + 2 * g));
                ck_assert_double_le(fabs(u), 1);
            }
        }
    }
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(a_stage_couples_the_components_of_a_point);
    ADD_LOOP(error_falls_with_order_one, 2);
    ADD(exact_solution_is_gsl_s);
    ADD_LOOP(mode_follows_the_closed_form, 5);
}

int main(void) { return run_tests("accuracy", add); }
