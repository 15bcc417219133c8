/* SPDX-License-Identifier: BSD-2-Clause */
/* time_factors.h - time factors: calls in a right-hand side that depend on nothing but t, such as
 * sin(omega * t). On a device each point would compute them again, so the host computes them once
 * per level, and kernels get them beside the level's time (words.cl). */
#ifndef EULERCL_TIME_FACTORS_H
#define EULERCL_TIME_FACTORS_H
#include "../run/backend.h"

enum {
    MOST_TIME_FACTORS = 8,       /* different ones; further calls stay in the text */
    MOST_TIME_FACTOR_CALLS = 32, /* places in the text */
    MOST_TIME_FACTOR_TERMS = 32  /* of one of them */
};

/* A number, a name or an operation; operations take their operands from a stack. */
struct time_term {
    unsigned char kind, function; /* of time_factors.c */
    uint32_t constant;            /* a parameter or a derived constant */
    double number;
};
struct time_factors {
    int count, calls;
    struct {
        int terms;
        struct time_term term[MOST_TIME_FACTOR_TERMS];
    } factors[MOST_TIME_FACTORS];
    struct {
        const char *begin, *end; /* in the problem's text, in this order */
        int factor;
    } call[MOST_TIME_FACTOR_CALLS];
};

/* The time factors in the text of a problem that OpenCL compiles. A call is one if its meaning is
 * beyond doubt: the names in it are t, parameters, derived constants and the functions of
 * equations, and the text does not declare, assign or define one of them. */
void ecl_find_time_factors(const struct ode_problem *definition, struct time_factors *factors);

/* The work of their functions, as in ecl_function_work. */
double ecl_time_factor_work(const struct ode_problem *definition);

/* Whether the text calls no function of ode_math.h elsewhere. */
int ecl_has_only_time_factors(
    const struct ode_problem *definition, const struct time_factors *factors);

/* Write t and the values of all factors into 1 + count reals, with the bits that the equations have
 * in C. constants: reals. */
void ecl_set_moment(const struct time_factors *factors, const void *constants, size_t real_size,
    double t, void *moment);
#endif
