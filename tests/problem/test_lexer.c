/* SPDX-License-Identifier: BSD-2-Clause */
/* test_lexer.c - lib/problem/lexer.c: texts as tokens, and what is decided with them: whether a
 * right-hand side keeps the bits. */
#include "config.h"
#include "../support.h"
#include "problem/lexer.h"
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static struct lexer lexer_of(const char *text) { return lexer_start(text, text + strlen(text)); }

/* Texts, and their tokens: kind (w, n, s, p), `^` where a token starts a line, text without
 * continuations, and a blank. */
static const struct {
    const char *text, *tokens;
} texts[] = {
    {"", ""},
    {"a+b", "^wa p+ wb "},
    {"a1 _b 2c", "^wa1 w_b n2c "},
    /* Numbers. */
    {"1e-3f-.5", "^n1e-3f p- n.5 "},
    {"0x1p-4+0xe+1", "^n0x1p-4 p+ n0xe+1 "},
    {"1.5E+3*x.y", "^n1.5E+3 p* wx p. wy "},
    {"x-1", "^wx p- n1 "},
    /* Operators, as long as possible. */
    {"p->x - -y--", "^wp p-> wx p- p- wy p-- "},
    {"a<<=b>=c##d", "^wa p<<= wb p>= wc p## wd "},
    {"%:%:%:a...", "^p%:%: p%: wa p... "},
    {"a/b/=c", "^wa p/ wb p/= wc "},
    /* Comments. */
    {"a/* ) */b", "^wa wb "},
    {"// ODE_POINT_RHS( ' \"\n/* x\n */ # a", "^p# wa "},
    {"a /* x\n */ # b", "^wa p# wb "},
    {"a /*/ b */ c", "^wa wc "},
    {"a /* b", "^wa "},
    {"a // b \\\n c\nd", "^wa ^wd "},
    {"a // b", "^wa "},
    /* Strings. */
    {"a(\") /* \", ')')", "^wa p( s\") /* \" p, s')' p) "},
    {"\"\\\"//\\\\\" b", "^s\"\\\"//\\\\\" wb "},
    {"'\\'' b", "^s'\\'' wb "},
    {"don't (\n b", "^wdon s't ( ^wb "},
    {"\"a\\", "^s\"a\\ "},
    /* Lines and their continuations. */
    {"a\n \t# b\nc", "^wa ^p# wb ^wc "},
    {"a\\\n#b", "^wa p# wb "},
    {"A\\\nT\\\r\n(\\\n1", "^wAT p( n1 "},
    {"a#\\\n#b -\\\n>", "^wa p## wb p-> "},
    {"/\\\n* x *\\\n/ a /\\\n/ b\nc", "^wa ^wc "},
    {"\"x\\\ny\" b", "^s\"xy\" wb "},
    {"\\\n # a", "^p# wa "},
    {"a \\ b", "^wa p\\ wb "},
    {"a\\", "^wa p\\ "},
    /* Characters beyond ASCII are letters, and a byte order mark is not part of the text. */
    {"gr\xc3\xb6\xc3\x9f"
     "e t",
        "^wgr\xc3\xb6\xc3\x9f"
        "e wt "},
    {"\xef\xbb\xbf# a", "^p# wa "},
};

START_TEST(texts_become_tokens) {
    char tokens[200] = "";
    size_t used = 0;
    struct lexer lexer = lexer_of(texts[_i].text);
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        ck_assert(token.end > token.begin && used + 2 * (size_t)(token.end - token.begin) < 190);
        if (token.starts_line) tokens[used++] = '^';
        tokens[used++] = " wnsp"[token.kind];
        for (const char *p = token.begin; p < token.end; p++) {
            const size_t skipped = !strncmp(p, "\\\r\n", 3) ? 3 : !strncmp(p, "\\\n", 2) ? 2 : 0;
            if (skipped)
                p += skipped - 1;
            else
                tokens[used++] = *p;
        }
        tokens[used++] = ' ';
    }
    ck_assert_str_eq(tokens, texts[_i].tokens);
    ck_assert_ptr_eq(lexer_take(&lexer).begin, lexer.end);
}
END_TEST

START_TEST(tokens_are_compared) {
    struct lexer lexer = lexer_of("A\\\nT AT A ATX \"AT\"");
    const struct token split = lexer_take(&lexer), whole = lexer_take(&lexer),
                       shorter = lexer_take(&lexer), longer = lexer_take(&lexer);
    ck_assert(token_is(split, "AT") && token_is(whole, "AT") && token_equals(split, whole));
    ck_assert(!token_is(shorter, "AT") && !token_equals(shorter, whole));
    ck_assert(!token_is(longer, "AT") && !token_equals(longer, whole));
    ck_assert(token_begins(longer, "AT") && token_begins(split, "A") && !token_begins(split, "T"));
    ck_assert(!token_begins(shorter, "AT") && !token_is(lexer_take(&lexer), "AT"));
    ck_assert(!token_is(lexer_take(&lexer), "AT")); /* the end */
}
END_TEST

START_TEST(tokens_adjoin) {
    struct lexer lexer = lexer_of("f(g (h\\\n(i/**/(");
    static const int expected[] = {1, 1, 1, 0, 1, 1, 1, 0};
    for (int i = 0; i < COUNT(expected); i++)
        ck_assert_msg(lexer_take(&lexer).adjoins == expected[i], "token %d", i);
}
END_TEST

START_TEST(tokens_of_a_line) {
    struct lexer lexer = lexer_of("# /* a\n */ define \\\n U\nV");
    ck_assert(token_is(lexer_peek(&lexer), "#"));
    ck_assert(token_is(lexer_take(&lexer), "#"));
    ck_assert(token_is(lexer_take_in_line(&lexer), "define"));
    ck_assert(token_is(lexer_take_in_line(&lexer), "U"));
    ck_assert(!lexer_take_in_line(&lexer).kind);
    ck_assert(!lexer_take_in_line(&lexer).kind);
    ck_assert(token_is(lexer_take(&lexer), "V"));
    ck_assert(!lexer_take_in_line(&lexer).kind);
}
END_TEST

/* The rest of the text after lexer_skip_line. */
static const struct {
    const char *text, *left;
} lines[] = {
    {"a b\nc", "c"},
    {"a\n\nc", "\nc"},
    {"a \\\n b\r\n c", " c"},
    {"a /* \n */ b\nc", "c"},
    {"a \"/*\"\nc */", "c */"},
    {"a // /*\nc */", "c */"},
    {"don't /*\nc", "c"},
    {"a", ""},
    {"a /* \n", ""},
};

START_TEST(lines_are_skipped) {
    struct lexer lexer = lexer_of(lines[_i].text);
    lexer_skip_line(&lexer);
    ck_assert_str_eq(lexer.next, lines[_i].left);
    ck_assert(!lexer_peek(&lexer).kind || lexer_peek(&lexer).starts_line);
}
END_TEST

/* The rest of the text after lexer_take_closing behind the first bracket; NULL: there is no such
 * bracket. */
static const struct {
    const char *text, *left;
} brackets[] = {
    {"() a", " a"},
    {"((a) (b)) c", " c"},
    {"( ')' \")\" /* ) */ // )\n ) c", " c"},
    {"( a # b\n) c", " c"},
    {"( [ { ) c", " c"},
    {"( a \\\n# b ) c", " c"},
    {"( a\n#endif\n)", NULL},
    {"( (a)", NULL},
    {"( /* )", NULL},
};

START_TEST(brackets_are_closed) {
    struct lexer lexer = lexer_of(brackets[_i].text);
    lexer_take(&lexer);
    const struct token close = lexer_take_closing(&lexer);
    ck_assert_int_eq(close.kind != TOKEN_END, brackets[_i].left != NULL);
    if (!brackets[_i].left) return;
    ck_assert(token_is(close, ")"));
    ck_assert_str_eq(lexer.next, brackets[_i].left);
}
END_TEST

/* Preprocessed right-hand sides, and whether they keep the bits. */
static const struct {
    const char *text;
    int exact;
} sides[] = {
    {"ode_dot[0] = (a) - b * (c);", 1},
    {"if (a > 0) ode_dot[0] = ode_fma_f32(a, b, c); else return (b);", 1},
    {"ode_dot[0] = _Generic(ode_zero, float : ode_fma_f32)((a)-ode_zero);", 1},
    {"ode_dot[0] = _Generic(ode_zero, float : ode_inexact_sin_f32)((a)-ode_zero);", 0},
    {"ode_dot[0] = _Generic(ode_zero, float : ode_math_sin_f32)((a)-ode_zero);", 1},
    {"ode_dot[0] = mine(a);", 0},
    {"ode_dot[0] = mine (a);", 0},
    {"ode_dot[0] = odes(a);", 0},
    {"ode_dot[0] = a * 2e-3 (b);", 1}, /* not a call of `e` or of a number */
    {"ode_dot[0] = \"mine(a) ode_inexact_sin\"[0];", 1},
    {"ode_dot[0] = s->x + a[i](b);", 1},
};

static int side;
static const char *text_of_side(void) { return sides[side].text; }

START_TEST(exactness_is_found) {
    struct ode_problem definition = *test_problems[TEST_string].definition;
    definition.rhs = text_of_side;
    side = _i;
    eulercl_problem *problem;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_create(&definition, &problem, &error));
    OK(eulercl_problem_get_info(problem, &info, &error));
    ck_assert_msg(info.bits_guaranteed == sides[_i].exact, "%s", sides[_i].text);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(texts_become_tokens, COUNT(texts));
    ADD(tokens_are_compared);
    ADD(tokens_adjoin);
    ADD(tokens_of_a_line);
    ADD_LOOP(lines_are_skipped, COUNT(lines));
    ADD_LOOP(brackets_are_closed, COUNT(brackets));
    ADD_LOOP(exactness_is_found, COUNT(sides));
}

int main(void) { return run_tests("lexer", add); }
