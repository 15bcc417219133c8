/* SPDX-License-Identifier: BSD-2-Clause */
/* test_time_factors.c - which calls of a text lib/problem/time_factors.c takes for functions of the
 * time alone, and their values. tests/command/test_functions.sh compares the bits of random ones
 * with those of C. */
#include "config.h"
#include "../support.h"
#include "problem/function_work.h"
#include "problem/time_factors.h"
#include <eulercl/detail/ode_math_c.h>
#include <math.h>
#include <string.h>

static const struct ode_parameter parameters[] = {
    {.name = "m"}, {.name = "omega"}, {.name = "REALM"}};
static const double constants[] = {7, 3, 0.3, 0.125, -2};
static const float constants_f32[] = {7, 3, 0.3f, 0.125f, -2};

#define DERIVED \
    "#define ODE_DERIVED(CONSTANT) CONSTANT(phase, omega / 7) \\\n CONSTANT(half, (phase))\n"
#define RHS(text) DERIVED "ODE_POINT_RHS( DOT(0) = " text "; )\n"

static void find(const char *text, struct time_factors *factors) {
    const struct ode_problem problem = {.name = "text",
        .grid = {.rank = 1, .components = 1},
        .parameters = parameters,
        .parameter_count = 3,
        .constant_count = 5,
        .text = text,
        .text_end = text + strlen(text)};
    ecl_find_time_factors(&problem, factors);
}

/* Texts, how many calls are time factors, and how many different ones. */
static const struct {
    const char *text;
    int calls, factors;
} texts[] = {
    {RHS("sin(t)"), 1, 1},
    {RHS("exp(-REAL(0.5) * t) * AT(0, 0)"), 1, 1},
    {RHS("sin(omega * t + phase) + cos(omega * t + phase)"), 2, 2},
    {RHS("sin(omega * t) * sin( omega*t )"), 2, 1},
    {RHS("pow(2 + sin(t), half) + tanh(t / m)"), 2, 2},
    {RHS("sin(AT(0, 0) * exp(-t))"), 1, 1},
    {RHS("fmax(sin(t), 0)"), 1, 1}, /* fmax is too short to count by itself */
    {RHS("sqrt(t) + fabs(t) + floor(t) + fma(t, t, t) + fmin(t, 1)"), 0, 0},
    {RHS("exp(sqrt(fabs(floor(fma(t, t, 1)))))"), 1, 1},
    {RHS("sin(omega * (t - REAL(1e-3)) / (1 + t))"), 1, 1},
    {RHS("sin(\nomega\\\n * t)"), 1, 1},
    {DERIVED "#define DRIVE sin(omega * t)\nODE_POINT_RHS( DOT(0) = DRIVE; )", 1, 1},
    {DERIVED "#define ODE_OUTSIDE(c) exp(t)\nODE_POINT_RHS( DOT(0) = LAPLACE(0); )", 1, 1},
    {"ODE_EVAL_COMP( return sin(t) - Y(i); )", 1, 1},
    {RHS("sin(t)") "ODE_EXACT( Y0(0) = cos(t); )", 1, 1},
    /* Not of the time, or not of it alone. */
    {RHS("sin(omega) + exp(REAL(2)) + AT(0, 0)"), 0, 0},
    {RHS("sin(t + AT(0, 0)) + sin(t * ix) + sin(t / FIELD(w)) + sin(t + c) + exp(w)"), 0, 0},
    {RHS("lgamma(t) + my_sin(t) + sin_t"), 0, 0},
    /* Whole numbers, types and operators that would need all of C. */
    {RHS("sin(1 / 2 * t) + sin((1 + 2) * t) + sin(t * (3 - 1))"), 0, 0},
    {RHS("sin(010 * t) + sin(0x10 * t) + sin(16777217 * t) + sin(2.0 * t) + sin(2u * t)"), 0, 0},
    {RHS("sin(REAL(0.5f) * t) + sin(REAL(1 / 2) * t) + sin(REAL(0x1p3) * t)"), 0, 0},
    {RHS("sin(t > 1 ? t : omega) + sin((ode_real)1 * t) + sin((int)t) + sin(!t) + sin(t, t)"), 0,
        0},
    {RHS("sin(+t) + sin(-t) + sin(- -t)"), 2, 2},
    {RHS("pow(t) + sin() + sin(t"), 0, 0},
    /* Names that may mean something else. */
    {RHS("0; ode_real omega = AT(0, 0); DOT(0) = sin(omega * t)"), 0, 0},
    {RHS("0; ode_real a = 1, omega = 2; DOT(0) = sin(omega * t) + sin(phase * t)"), 1, 1},
    {RHS("0; ode_real a, omega; a = 1; omega = 2; DOT(0) = sin(omega * t)"), 0, 0},
    {RHS("0; { ode_real t; t += AT(0, 0); DOT(0) = sin(t); }"), 0, 0},
    {RHS("0; for (ode_real t = 0; t < 3; t++) DOT(0) += sin(t)"), 0, 0},
    {RHS("0; omega *= AT(0, 0); DOT(0) = sin(omega * t)"), 0, 0},
    {RHS("omega == 1 && omega <= 2 ? sin(omega * t) : 0"), 1, 1},
    {"#define DRIVE(t) sin(t)\nODE_POINT_RHS( DOT(0) = DRIVE(AT(0, 0)); )", 0, 0},
    {"#define BESIDE(omega) sin(omega * t)\nODE_POINT_RHS( DOT(0) = BESIDE(AT(0, 0)); )", 0, 0},
    {"#define sin(x) (x)\nODE_POINT_RHS( DOT(0) = sin(t); )", 0, 0},
    {"#define omega AT(0, 0)\nODE_POINT_RHS( DOT(0) = sin(omega * t); )", 0, 0},
    {"#define ODE_POINT_RHS(x) x\n#include \"more.h\"\nODE_POINT_RHS( DOT(0) = sin(t); )", 0, 0},
    {"#define GLUE(a, b) a##b\nODE_POINT_RHS( DOT(0) = sin(t); )", 0, 0},
    {"#define LOCAL(x) const ode_real x = AT(0, 0)\nODE_POINT_RHS( { LOCAL(t); DOT(0) = sin(t); } "
     ")",
        0, 0},
    {"#define A(F, x) F(x, 1)\nODE_POINT_RHS( { A(SET, (1, t)); DOT(0) = sin(omega * t); } )", 0,
        0},
    {"#define SQUARE(x) ((x) * (x))\n" RHS("SQUARE(AT(0, 0)) * sin(t) + (t)"), 1, 1},
    {RHS("0; { enum { omega }; DOT(0) = cos(omega * t); }"), 0, 0},
    {"enum { U, V };\n" RHS("cos(omega * t)"), 1, 1},
    {RHS("0; { ode_real(omega) = AT(0, 0); DOT(0) = cos(omega * t); }"), 0, 0},
    {RHS("0; { __typeof__(AT(0, 0)) t; (t) = 1; DOT(0) = cos(t); }"), 0, 0},
    {RHS("0; { typedef int(*omega)(void); DOT(0) = cos(t); }"), 0, 0},
    {RHS("(ode_real)omega + cos(omega * t)"), 0, 0}, /* it might be a declaration */
    {"#undef REAL\n#define REAL(x) (x)\nODE_POINT_RHS( DOT(0) = sin(REAL(2) * t); )", 0, 0},
    {"#undef sin\nODE_POINT_RHS( DOT(0) = sin(t); )", 0, 0},
    /* Numbers that C reads in another way. */
    {RHS("sin(REAL(010) * t) + atan2(REAL(-0), t) + atan2(-0, t) + atan2(-(0), t) + atan2(- -0, "
         "t)"),
        0, 0},
    {RHS("sin(REAL(1152921573326323713) * t) + sin(16777217 * t)"), 0, 0},
    {RHS("atan2(REAL(-0.0), t) + sin(REAL(16777216) * t) + sin(REAL(-2e-3) * t)"), 3, 3},
    /* Derived constants without a table that is understood. */
    {"#define ODE_DERIVED(C) ROWS(C)\nODE_POINT_RHS( sin(phase * t) + sin(omega * t); )", 1, 1},
    {"#define ODE_DERIVED(C) C(phase, 1)\nODE_POINT_RHS( sin(phase * t); )", 0, 0},
    {"#define ODE_DERIVED(C) MORE(C, 1) C(phase, 1)\nODE_POINT_RHS( sin(phase * t); )", 0, 0},
    {"#define ODE_DERIVED(C) C(half, 1) MORE(C) C(phase, 1)\nODE_POINT_RHS( sin(phase * t); )", 0,
        0},
    {"#if 0\n" DERIVED "#endif\nODE_POINT_RHS( sin(phase * t); )", 0, 0},
    {DERIVED DERIVED "ODE_POINT_RHS( sin(phase * t); )", 0, 0},
    /* More than there is room for: the others stay. */
    {RHS("sin(t)+sin(2*t)+sin(3*t)+sin(4*t)+sin(5*t)+sin(6*t)+sin(7*t)+sin(8*t)+sin(9*t)"), 8, 8},
    {RHS("sin(t+t+t+t+t+t+t+t+t+t+t+t+t+t+t+t+t+t+t+t)"), 0, 0},
    {RHS("sin(((((((((((((((((((((((((((((((((((((((((t)))))))))))))))))))))))))))))))))))))))))"),
        0, 0},
};

START_TEST(factors_are_found) {
    struct time_factors factors;
    find(texts[_i].text, &factors);
    ck_assert_msg(factors.calls == texts[_i].calls && factors.count == texts[_i].factors,
        "%d calls, %d factors: %s", factors.calls, factors.count, texts[_i].text);
}
END_TEST

/* Each operation once, against C. */
START_TEST(values_are_those_of_c) {
    struct time_factors factors;
    double instant[1 + MOST_TIME_FACTORS];
    float instant_f32[1 + MOST_TIME_FACTORS];
    find(RHS("exp(t - 2 * phase) + log(fma(t, REALM, REAL(1.1)) / half - m * -t) + "
             "pow(fabs(t), sqrt(omega)) + atan2(REAL(-0.7), t) + cos(floor(5 * t))"),
        &factors);
    ck_assert_int_eq(factors.count, 5);
    for (int k = 0; k < 1000; k++) {
        const double t = ldexp((double)(k * 7919 % 1000) - 300, -8);
        const float f = (float)t;
        const double *const c = constants;
        const float *const d = constants_f32;
        ecl_set_moment(&factors, constants, sizeof(double), t, instant);
        ecl_set_moment(&factors, constants_f32, sizeof(float), t, instant_f32);
        const double wanted[] = {t, ode_math_exp_f64(t - 2 * c[3]),
            ode_math_log_f64(fma(t, c[2], 1.1) / c[4] - c[0] * -t),
            ode_math_pow_f64(fabs(t), sqrt(c[1])), ode_math_atan2_f64(-0.7, t),
            ode_math_cos_f64(floor(5 * t))};
        const float wanted_f32[] = {f, ode_math_exp_f32(f - 2 * d[3]),
            ode_math_log_f32(fmaf(f, d[2], (float)1.1) / d[4] - d[0] * -f),
            ode_math_pow_f32(fabsf(f), sqrtf(d[1])), ode_math_atan2_f32((float)-0.7, f),
            ode_math_cos_f32(floorf(5 * f))};
        for (int i = 0; i < 6; i++)
            ck_assert_msg((instant[i] == wanted[i] || wanted[i] != wanted[i]) &&
                              (instant_f32[i] == wanted_f32[i] || wanted_f32[i] != wanted_f32[i]),
                "value %d at %g: %a for %a, %a for %a", i, t, instant[i], wanted[i],
                (double)instant_f32[i], (double)wanted_f32[i]);
    }
}
END_TEST

/* They take no time at a point. */
static const char *preprocessed(void) {
    return "ode_math_host_sin(t) * ode_math_host_exp(-t) + ode_math_host_tanh(Y)";
}
START_TEST(factors_take_no_time) {
    static const char text[] = RHS("sin(omega * exp(-t)) + tanh(AT(0, 0))"), other[] = RHS("0");
    struct ode_problem problem = {.name = "text",
        .parameters = parameters,
        .parameter_count = 3,
        .constant_count = 5,
        .text = other,
        .text_end = other + strlen(other),
        .rhs = preprocessed};
    ck_assert_double_eq_tol(ecl_function_work(&problem), 1.6 + 1 + 1.6, 1e-9);
    problem.text = text;
    problem.text_end = text + strlen(text);
    ck_assert_double_eq_tol(ecl_function_work(&problem), 1.6, 1e-9);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(factors_are_found, (int)(sizeof texts / sizeof *texts));
    ADD(values_are_those_of_c);
    ADD(factors_take_no_time);
}
int main(void) { return run_tests("time factors", add); }
