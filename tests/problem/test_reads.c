/* SPDX-License-Identifier: BSD-2-Clause */
/* test_reads.c - what lib/problem/problem_text.c finds that a right-hand side reads, in texts made
 * by hand. It may claim more than is read, never less. */
#include "config.h"
#include "../support.h"
#include "problem/problem_text.h"
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define ALL UINT64_MAX
#define C(n) ((uint64_t)1 << (n))

static struct reads reads_of(unsigned rank, const char *text) {
    const struct ode_problem problem = {.name = "text",
        .grid = {.rank = rank, .components = 3},
        .text = text,
        .text_end = text + strlen(text)};
    return ecl_find_reads(&problem);
}

/* The reads that are found; each of these texts reads exactly these. */
static const struct {
    unsigned rank;
    const char *text;
    int time, diagonals;
    uint64_t components;
} found[] = {
    {1, "ODE_POINT_RHS( DOT(0) = AT(0, 0); )", 0, 0, 0},
    {1, "ODE_POINT_RHS( DOT(0) = AT(1, 2) - AT(0, 1); )", 0, 0, C(2)},
    {1, "ODE_POINT_RHS( DOT(0) = LAPLACE(1); )", 0, 0, C(1)},
    {1, "ODE_POINT_RHS( DOT(0) = t * AT(-1, 0); )", 1, 0, C(0)},
    {1, "ODE_POINT_RHS( DOT(0) = AT ( - 1 , 0 ) + AT\n(1,\n63); )", 0, 0, C(0) | C(63)},
    {2, "ODE_POINT_RHS( DOT(0) = AT(0, 0, 2); )", 0, 0, 0},
    {2, "ODE_POINT_RHS( DOT(0) = AT(1, 0, 2) + AT(0, -2, 0); )", 0, 0, C(2) | C(0)},
    {2, "ODE_POINT_RHS( DOT(0) = AT(1, -1, 1); )", 0, 1, C(1)},
    {2, "ODE_POINT_RHS( DOT(0) = LAPLACE(2) * AT(0, 0, 1); )", 0, 0, C(2)},
    {2,
        "#define U 0\n#define V 1 // the other\n#define W 2 /* the last */\nODE_POINT_RHS( "
        "LAPLACE(U) + AT(0, 1, V) + AT(1, 0, W); )",
        0, 0, C(0) | C(1) | C(2)},
    {2, "  #  define V /* why */ 1\r\nODE_POINT_RHS( LAPLACE(V) )", 0, 0, C(1)},
    /* t is read in the boundary value, not in other words. */
    {1, "#define ODE_OUTSIDE(c) (2 * t)\nODE_POINT_RHS( LAPLACE(0) )", 1, 0, C(0)},
    {1, "#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(IN(1) * t))\nODE_POINT_RHS( LAPLACE(0) )", 1,
        0, C(0)},
    {1, "#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_GHOST(IN(1)))\nODE_POINT_RHS( LAPLACE(0) )", 0, 0,
        C(0)},
    {1, "ODE_POINT_RHS( rate_t * tt * t0 + LAPLACE(0) )", 0, 0, C(0)},
    /* Comments and strings say nothing, and the host's blocks are not the device's. */
    {2, "/* t AT(1, 1, 0) */ ODE_POINT_RHS( LAPLACE(1) ) // t AT(1, 1, 0)", 0, 0, C(1)},
    {2, "#define ODE_TITLE \"at t: AT(1, 1, 0) \\\" t\"\nODE_POINT_RHS( LAPLACE(1) )", 0, 0, C(1)},
    {2,
        "ODE_POINT_RHS( LAPLACE(1) ) ODE_INITIAL( t; AT(1, 1, 0); ) ODE_EXACT( cos(t) ) "
        "ODE_FIELD_VALUES( t; )",
        0, 0, C(1)},
    {2, "ODE_INITIAL /* ( */ ( (t) ')' ) ODE_POINT_RHS( LAPLACE(1) )", 0, 0, C(1)},
    {2, "ODE_INITIAL( 1; ) ODE_POINT_RHS( t * LAPLACE(1) )", 1, 0, C(1)},
    {2, "ODE_INITIALS( t )", 1, 0, 0},
    /* The general form: which components are neighbours' is not known. */
    {0, "ODE_EVAL_COMP( return Y(i); )", 0, 0, ALL},
    {0, "ODE_EVAL_COMP( return t - Y(i); )", 1, 0, ALL},
};

START_TEST(reads_are_found) {
    const struct reads r = reads_of(found[_i].rank, found[_i].text);
    ck_assert_msg(r.time == found[_i].time && r.diagonals == found[_i].diagonals &&
                      r.components == found[_i].components,
        "time %d, diagonals %d, components %llx: %s", r.time, r.diagonals,
        (unsigned long long)r.components, found[_i].text);
}
END_TEST

/* The least that these texts read, in hidden ways. */
static const struct {
    unsigned rank;
    const char *text;
    int time, diagonals;
    uint64_t components;
} hidden[] = {
    {2, "#define FLUX(c) (AT(1, 0, c) - AT(0, 0, c))\nODE_POINT_RHS( FLUX(2) )", 0, 0, C(2)},
    {2, "#define BESIDE(x, y) AT(x, y, 0)\nODE_POINT_RHS( BESIDE(1, 1) )", 0, 1, C(0)},
    {2, "enum { U, V };\nODE_POINT_RHS( LAPLACE(V) )", 0, 0, C(1)},
    {2, "ODE_POINT_RHS( AT(1, 0, 1 + 1) )", 0, 0, C(2)},
    {2, "ODE_POINT_RHS( AT(1, 0, 0x2) + AT(1, 0, 1u) )", 0, 0, C(2) | C(1)},
    {2, "ODE_POINT_RHS( AT(1, 0, 010) )", 0, 0, C(8)},
    {2, "ODE_POINT_RHS( AT(1 - 1, 1, 0) + AT(0 + 1, 1, 0) )", 0, 1, C(0)},
    {2, "ODE_POINT_RHS( AT(0, 1, 64) )", 0, 0, ALL},
    {2, "ODE_POINT_RHS( for (int c = 0; c < 3; c++) DOT(c) = LAPLACE(c); )", 0, 0,
        C(0) | C(1) | C(2)},
    {2, "ODE_POINT_RHS( LAPLACE((AT(0, 0, 0) > 0, 1)) )", 0, 0, C(1)},
    /* Pasting, and the word itself by another name. */
    {2, "#define GLUE(a, b) a##b\nODE_POINT_RHS( GLUE(A, T)(1, 1, 2) * GLUE(, t) )", 1, 1, C(2)},
    {2, "#define GLUE(a, b) a%:%:b\nODE_POINT_RHS( GLUE(A, T)(1, 1, 2) * GLUE(, t) )", 1, 1, C(2)},
    {2, "#define GLUE(a, b) a#\\\n#b\nODE_POINT_RHS( GLUE(A, T)(1, 1, 2) * GLUE(, t) )", 1, 1,
        C(2)},
    {2, "ODE_POINT_RHS( A\\\nT(1, 1, 2) )", 0, 1, C(2)},
    {2, "ODE_POINT_RHS( A\\\r\nT(1, 1, 2) )", 0, 1, C(2)},
    {2, "#define LOOK AT\nODE_POINT_RHS( LOOK(1, 1, 2) )", 0, 1, C(2)},
    {2, "#define LOOK(...) AT(__VA_ARGS__)\nODE_POINT_RHS( LOOK(1, 1, 2) )", 0, 1, C(2)},
    {2, "#define TIME t\nODE_POINT_RHS( TIME )", 1, 0, 0},
    {2, "#include \"reads.h\"\nODE_POINT_RHS( READ_SOMETHING )", 1, 1, C(1)},
    /* Names that are not one number for good. */
    {2, "#define U 0\n#undef U\n#define U 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#define U 0\n#undef U\nenum { U = 1 };\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#if 0\n#define U 0\n#endif\nenum { O, U };\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "enum { O, U };\nODE_POINT_RHS( LAPLACE(U) )\n#define U 0\n", 0, 0, C(1)},
    {2, "#define U 0\n#define FLUX(U) AT(1, 0, U)\nODE_POINT_RHS( FLUX(1) )", 0, 0, C(1)},
    {2, "#define U 0 + 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#define U 4/2\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(2)},
    {2, "#define U 0 /* not all */ + 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#define U 0 \\\n + 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#define U 1 /* to the\nnext line */ + 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(2)},
    {2, "#define U V\n#define V 1\nODE_POINT_RHS( LAPLACE(U) )", 0, 0, C(1)},
    {2, "#define U() 1\nODE_POINT_RHS( LAPLACE(U()) )", 0, 0, C(1)},
};

START_TEST(nothing_hidden_is_denied) {
    const struct reads r = reads_of(hidden[_i].rank, hidden[_i].text);
    ck_assert_msg(r.time >= hidden[_i].time && r.diagonals >= hidden[_i].diagonals &&
                      !(hidden[_i].components & ~r.components),
        "time %d, diagonals %d, components %llx: %s", r.time, r.diagonals,
        (unsigned long long)r.components, hidden[_i].text);
}
END_TEST

/* The problems of the tests, against what their right-hand sides change with; it is their texts
 * that the library reads. */
static const struct {
    int problem, time, diagonals;
    uint64_t components;
} known[] = {
    {TEST_bruss2d, 0, 0, C(0) | C(1)},
    {TEST_string, 0, 0, C(0)},
    {TEST_tide, 1, 0, C(0) | C(1)},
    {TEST_mirror2, 0, 1, C(0)},
    {TEST_excited, 0, 1, C(1)},
    {TEST_beam, 0, 0, C(0)},
    {TEST_far_star, 1, 0, C(0)},
    {TEST_diagonal, 0, 1, C(0) | C(1) | C(2)},
    {TEST_hidden, 0, 1, ALL},
    {TEST_pasted, 1, 1, ALL},
    {TEST_rod_clamp, 0, 0, C(0)},
    {TEST_talkative, 0, 0, C(0)},
};

START_TEST(problems_are_read) {
    const struct ode_problem *d = test_problems[known[_i].problem].definition;
    const struct reads r = ecl_find_reads(d);
    ck_assert_msg(r.time == known[_i].time && r.diagonals == known[_i].diagonals &&
                      r.components == known[_i].components,
        "%s: time %d, diagonals %d, components %llx", d->name, r.time, r.diagonals,
        (unsigned long long)r.components);
}
END_TEST

/* Sides whose boundary values may move. Every side has the rule ODE_VALUE, but X_HIGH has `high`.
 */
static const struct {
    const char *text;
    uint32_t high;
    unsigned sides;
} moving[] = {
    {"#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(sin(t))) SIDE(X_HIGH, ODE_VALUE(1))\n"
     "ODE_POINT_RHS( DOT(0) = t; )",
        ODE_RULE_VALUE_, 2},
    {"#define ODE_SIDES(SIDE) /* t */ SIDE(Y_HIGH, ODE_VALUE((c, 1))) \\\n"
     "    SIDE(Y_LOW, ODE_ROBIN(1, 2, (k) * (t)))\n",
        ODE_RULE_VALUE_, 8},
    /* through macros */
    {"#define F(x) G + x\n#define G H()\n#define H() t\n#define S(SIDE) SIDE(X_LOW, ODE_VALUE(t))\n"
     "#define ODE_SIDES(EACH) EACH(X_LOW, ODE_VALUE(F(1))) EACH(X_HIGH, ODE_VALUE(k))\n",
        ODE_RULE_VALUE_, 2},
    {"#define F(x) (F)(x) + G\n#define G F(1)\n#define ODE_SIDES(S) S(X_LOW, ODE_VALUE(F(1)))",
        ODE_RULE_VALUE_, 2}, /* never the end of it */
    /* another form of the list: all of them */
    {"#define ALL(SIDE) SIDE(X_LOW, ODE_VALUE(1))\n#define ODE_SIDES(SIDE) ALL(SIDE)",
        ODE_RULE_VALUE_, 2 | 4 | 8 | 16},
    {"#define ODE_SIDES ALL", ODE_RULE_VALUE_, 2 | 4 | 8 | 16},
    {"#include \"sides.h\"\n", ODE_RULE_VALUE_, 2 | 4 | 8 | 16},
    /* other rules */
    {"#define ODE_SIDES(S) S(X_HIGH, ODE_GHOST(t))", ODE_RULE_GHOST_, 0},
    {"#define ODE_SIDES(S) S(X_HIGH, ODE_GRADIENT(t))", ODE_RULE_GRADIENT_CELLS_, 4},
    {"#define ODE_OUTSIDE(c) t\n#define ODE_ROBIN_A(c) t\n", ODE_FIXED, 4},
    {"#define ODE_OUTSIDE(c) t\n#define ODE_ROBIN_A(c) t\n", ODE_ROBIN_, 0},
    {"#define ODE_ROBIN_G(c) (c == 0 ? PUSH : 0)\n#define PUSH a * t\n", ODE_ROBIN_, 4},
    {"#define ODE_OUTSIDE(c) t\n", ODE_PERIODIC, 0},
};

START_TEST(moving_sides_are_found) {
    const struct ode_problem problem = {.name = "text",
        .grid = {.rank = 2,
            .components = 1,
            .boundary = {{ODE_RULE_VALUE_, moving[_i].high}, {ODE_RULE_VALUE_, ODE_RULE_VALUE_}}},
        .text = moving[_i].text,
        .text_end = moving[_i].text + strlen(moving[_i].text)};
    const unsigned sides = ecl_moving_sides(&problem);
    ck_assert_msg(sides == moving[_i].sides, "sides %x: %s", sides, moving[_i].text);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(moving_sides_are_found, COUNT(moving));
    ADD_LOOP(reads_are_found, COUNT(found));
    ADD_LOOP(nothing_hidden_is_denied, COUNT(hidden));
    ADD_LOOP(problems_are_read, COUNT(known));
}

int main(void) { return run_tests("reads", add); }
