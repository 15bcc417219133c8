/* SPDX-License-Identifier: BSD-2-Clause */
/* time_factors.c - see time_factors.h. */
#include "config.h"
#include "time_factors.h"
#include "problem_text.h"
#include "../reals.h"
#include <eulercl/detail/ode_math_c.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what expressions are made of ---- */

enum { TIME, CONSTANT, NUMBER, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, CALL };

struct function {
    const char *name;
    int operands;
    double work;
    float (*f32)(const float *x);
    double (*f64)(const double *x);
};
#define ARGUMENTS_1 x[0]
#define ARGUMENTS_2 x[0], x[1]
#define FUNCTION(name, operands, work)                      \
    static float name##_of_f32(const float *x) {            \
        return ode_math_##name##_f32(ARGUMENTS_##operands); \
    }                                                       \
    static double name##_of_f64(const double *x) {          \
        return ode_math_##name##_f64(ARGUMENTS_##operands); \
    }
#include "functions.def"
#undef FUNCTION
#define COMPILERS(name, ...)                                                    \
    static float name##_of_f32(const float *x) { return name##f(__VA_ARGS__); } \
    static double name##_of_f64(const double *x) { return name(__VA_ARGS__); }
COMPILERS(sqrt, x[0])
COMPILERS(fabs, x[0])
COMPILERS(floor, x[0])
COMPILERS(fma, x[0], x[1], x[2])

static const struct function functions[] = {
#define FUNCTION(name, operands, work) {#name, operands, work, name##_of_f32, name##_of_f64},
#include "functions.def"
#undef FUNCTION
    /* One instruction of a processor: no factor by itself. */
    {"sqrt", 1, 0, sqrt_of_f32, sqrt_of_f64}, {"fabs", 1, 0, fabs_of_f32, fabs_of_f64},
    {"floor", 1, 0, floor_of_f32, floor_of_f64}, {"fma", 3, 0, fma_of_f32, fma_of_f64}};

static const struct function *function_of(struct token word) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (token_is(word, functions[i].name)) return &functions[i];
    return NULL;
}

/* ---- whether words mean what they seem to mean ---- */

static int is_assignment(struct token token) {
    static const char *const others[] = {"==", "<=", ">=", "!="};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (token_is(token, others[i])) return 0;
    return token.kind == TOKEN_PUNCTUATION && token.end[-1] == '=';
}

/* Whether the word may be declared or changed by the text that OpenCL compiles, or be the name or a
 * parameter of a macro. */
static int is_redefined(const struct ode_problem *definition, struct token word) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    struct token before = {.kind = TOKEN_END};
    for (struct token token; (token = ecl_cl_take(&lexer)).kind; before = token) {
        struct lexer line = lexer;
        if (token.starts_line && token_is(token, "#") &&
            token_is(lexer_take_in_line(&line), "define")) {
            if (token_equals(lexer_take_in_line(&line), word) || ecl_is_macro_parameter(word, line))
                return 1;
            lexer = line;
            continue;
        }
        if (!token_equals(token, word)) continue;
        const struct token after = lexer_peek(&lexer);
        if (before.kind == TOKEN_WORD && !token_is(before, "return") && !token_is(before, "else"))
            return 1;
        if (token_is(before, "++") || token_is(before, "--") || token_is(after, "++") ||
            token_is(after, "--") || token_is(after, "[") || is_assignment(after) ||
            (token_is(before, ",") && token_is(after, ";")))
            return 1;
    }
    return 0;
}

/* The number of the derived constant of this name; -1: it is none. */
static int64_t derived_constant(const struct ode_problem *definition, struct token word) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    int64_t found = -1, count = definition->parameter_count;
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#") ||
            !token_is(lexer_take_in_line(&lexer), "define") ||
            !token_is(lexer_take_in_line(&lexer), "ODE_DERIVED"))
            continue;
        lexer_take_in_line(&lexer); /* ( */
        const struct token row = lexer_take_in_line(&lexer);
        while ((token = lexer_take_in_line(&lexer)).kind) {
            if (!token_equals(token, row)) continue;
            lexer_take_in_line(&lexer); /* ( */
            if (token_equals(lexer_take_in_line(&lexer), word)) found = count;
            count++;
        }
    }
    /* A table that is written in another way has another number of rows. */
    return count == definition->constant_count ? found : -1;
}

static int64_t constant_of(const struct ode_problem *definition, struct token word) {
    for (uint32_t k = 0; k < definition->parameter_count; k++)
        if (token_is(word, definition->parameters[k].name)) return k;
    return derived_constant(definition, word);
}

/* ---- an expression of the text ---- */

struct reader {
    const struct ode_problem *definition;
    struct lexer lexer;
    struct time_term *term;
    int terms, depth, reads_time;
};
enum { MOST_DEPTH = 32 };

/* The type of an expression. Two whole numbers are not computed with: 1/2 is 0 in C. */
enum type { UNKNOWN, WHOLE, REAL };

static enum type put(struct reader *r, enum type type, struct time_term term) {
    if (r->terms == MOST_TIME_FACTOR_TERMS) return UNKNOWN;
    r->term[r->terms++] = term;
    return type;
}

static int take(struct reader *r, const char *text) {
    struct lexer ahead = r->lexer;
    if (!token_is(lexer_take(&ahead), text)) return 0;
    r->lexer = ahead;
    return 1;
}

/* A decimal number without suffix. */
static int is_number(struct token token, const char *characters, double *number) {
    char text[40], *end;
    const size_t length = (size_t)(token.end - token.begin);
    if (token.kind != TOKEN_NUMBER || length >= sizeof text) return 0;
    memcpy(text, token.begin, length);
    text[length] = '\0';
    *number = strtod(text, &end); /* in a locale with another point it ends there */
    return !*end && strspn(text, characters) == length;
}

static enum type read_sum(struct reader *r);

/* REAL(literal), whose bracket has been taken. */
static enum type read_literal(struct reader *r) {
    double number;
    const int is_negative = take(r, "-");
    if (!is_number(lexer_take(&r->lexer), "0123456789.eE+-", &number) || !take(r, ")"))
        return UNKNOWN;
    return put(
        r, REAL, (struct time_term){.kind = NUMBER, .number = is_negative ? -number : number});
}

/* A call of a function, whose bracket has been taken. */
static enum type read_call(struct reader *r, const struct function *function) {
    for (int k = 0; k < function->operands; k++)
        if (!read_sum(r) || !take(r, k + 1 < function->operands ? "," : ")")) return UNKNOWN;
    return put(r, REAL,
        (struct time_term){.kind = CALL, .function = (unsigned char)(function - functions)});
}

static enum type read_operand(struct reader *r) {
    double number;
    const struct token token = lexer_take(&r->lexer);
    if (token_is(token, "(")) {
        const enum type type = read_sum(r);
        return take(r, ")") ? type : UNKNOWN;
    }
    /* A whole number of C; both precisions have it. */
    if (is_number(token, "0123456789", &number))
        return number > 1 << 24 || (token_begins(token, "0") && number != 0)
                   ? UNKNOWN
                   : put(r, WHOLE, (struct time_term){.kind = NUMBER, .number = number});
    if (token.kind != TOKEN_WORD) return UNKNOWN;
    if (take(r, "(")) {
        const struct function *const function = function_of(token);
        return function                  ? read_call(r, function)
               : token_is(token, "REAL") ? read_literal(r)
                                         : UNKNOWN;
    }
    if (token_is(token, "t")) {
        r->reads_time = 1;
        return put(r, REAL, (struct time_term){.kind = TIME});
    }
    const int64_t constant = constant_of(r->definition, token);
    return constant < 0
               ? UNKNOWN
               : put(r, REAL, (struct time_term){.kind = CONSTANT, .constant = (uint32_t)constant});
}

static enum type read_signed(struct reader *r) {
    enum type type = UNKNOWN;
    if (r->depth == MOST_DEPTH) return UNKNOWN;
    r->depth++;
    if (take(r, "-")) {
        type = read_signed(r);
        if (type) type = put(r, type, (struct time_term){.kind = NEGATE});
    } else {
        type = read_operand(r);
    }
    r->depth--;
    return type;
}

static enum type put_operation(
    struct reader *r, enum type left, enum type right, unsigned char kind) {
    if (!left || !right || (left == WHOLE && right == WHOLE)) return UNKNOWN;
    return put(r, REAL, (struct time_term){.kind = kind});
}

static enum type read_product(struct reader *r) {
    enum type type = read_signed(r);
    while (type) {
        const unsigned char kind = take(r, "*") ? MULTIPLY : take(r, "/") ? DIVIDE : TIME;
        if (kind == TIME) break;
        type = put_operation(r, type, read_signed(r), kind);
    }
    return type;
}

static enum type read_sum(struct reader *r) {
    enum type type = read_product(r);
    while (type) {
        const unsigned char kind = take(r, "+") ? ADD : take(r, "-") ? SUBTRACT : TIME;
        if (kind == TIME) break;
        type = put_operation(r, type, read_product(r), kind);
    }
    return type;
}

/* ---- the factors ---- */

/* Whether all names between two places mean what they seem to mean. */
static int is_certain(const struct ode_problem *definition, const char *begin, const char *end) {
    struct lexer lexer = lexer_start(begin, end);
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        if (token.kind == TOKEN_WORD && !token_is(token, "REAL") && is_redefined(definition, token))
            return 0;
    return 1;
}

static int is_same(const struct time_term *a, const struct time_term *b, int terms) {
    for (int k = 0; k < terms; k++)
        if (a[k].kind != b[k].kind || a[k].function != b[k].function ||
            a[k].constant != b[k].constant ||
            memcmp(&a[k].number, &b[k].number, sizeof a[k].number) != 0)
            return 0;
    return 1;
}

/* The number of a factor that has been found, or of a new one; -1: there is no room. */
static int number_of(struct time_factors *factors, const struct time_term *term, int terms) {
    for (int k = 0; k < factors->count; k++)
        if (factors->factors[k].terms == terms && is_same(factors->factors[k].term, term, terms))
            return k;
    if (factors->count == MOST_TIME_FACTORS) return -1;
    factors->factors[factors->count].terms = terms;
    memcpy(factors->factors[factors->count].term, term, (size_t)terms * sizeof *term);
    return factors->count++;
}

void ecl_find_time_factors(const struct ode_problem *definition, struct time_factors *factors) {
    struct time_term term[MOST_TIME_FACTOR_TERMS];
    memset(factors, 0, sizeof *factors);
    if (!definition->text || ecl_is_open(definition)) return;
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    for (struct token token; (token = ecl_cl_take(&lexer)).kind;) {
        const struct function *const function =
            token.kind == TOKEN_WORD ? function_of(token) : NULL;
        struct reader reader = {.definition = definition, .lexer = lexer, .term = term};
        if (!function || function->work < 1 || !take(&reader, "(") ||
            !read_call(&reader, function) || !reader.reads_time ||
            !is_certain(definition, token.begin, reader.lexer.next))
            continue;
        const int number =
            factors->calls < MOST_TIME_FACTOR_CALLS ? number_of(factors, term, reader.terms) : -1;
        if (number < 0) return;
        factors->call[factors->calls].begin = token.begin;
        factors->call[factors->calls].end = reader.lexer.next;
        factors->call[factors->calls++].factor = number;
        lexer = reader.lexer;
    }
}

double ecl_time_factor_work(const struct ode_problem *definition) {
    struct time_factors factors;
    double work = 0;
    ecl_find_time_factors(definition, &factors);
    for (int k = 0; k < factors.calls; k++) {
        struct lexer lexer = lexer_start(factors.call[k].begin, factors.call[k].end);
        for (struct token token; (token = lexer_take(&lexer)).kind;) {
            const struct function *const function =
                token.kind == TOKEN_WORD ? function_of(token) : NULL;
            work += function ? function->work : 0;
        }
    }
    return work;
}

int ecl_has_only_time_factors(
    const struct ode_problem *definition, const struct time_factors *factors) {
    if (!factors->calls) return 0;
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    int call = 0;
    for (struct token token; (token = ecl_cl_take(&lexer)).kind;) {
        while (call < factors->calls && factors->call[call].end <= token.begin) call++;
        const int is_inside = call < factors->calls && factors->call[call].begin <= token.begin;
        const struct function *const function =
            token.kind == TOKEN_WORD && !is_inside ? function_of(token) : NULL;
        if (function && function->work > 0) return 0;
    }
    return 1;
}

/* ---- their values ---- */

#define VALUE(S, REAL)                                                                  \
    static REAL value_##S(                                                              \
        const struct time_term *term, int terms, const REAL *constants, REAL t) {       \
        REAL stack[MOST_TIME_FACTOR_TERMS + 1], *top = stack; /* the next free place */ \
        for (int k = 0; k < terms; k++) switch (term[k].kind) {                         \
            case TIME:                                                                  \
                *top++ = t;                                                             \
                break;                                                                  \
            case CONSTANT:                                                              \
                *top++ = constants[term[k].constant];                                   \
                break;                                                                  \
            case NUMBER:                                                                \
                *top++ = (REAL)term[k].number;                                          \
                break;                                                                  \
            case NEGATE:                                                                \
                top[-1] = -top[-1];                                                     \
                break;                                                                  \
            case ADD:                                                                   \
                top--, top[-1] = top[-1] + top[0];                                      \
                break;                                                                  \
            case SUBTRACT:                                                              \
                top--, top[-1] = top[-1] - top[0];                                      \
                break;                                                                  \
            case MULTIPLY:                                                              \
                top--, top[-1] = top[-1] * top[0];                                      \
                break;                                                                  \
            case DIVIDE:                                                                \
                top--, top[-1] = top[-1] / top[0];                                      \
                break;                                                                  \
            case CALL:                                                                  \
                top -= functions[term[k].function].operands - 1;                        \
                top[-1] = functions[term[k].function].S(top - 1);                       \
            }                                                                           \
        return stack[0];                                                                \
    }
VALUE(f32, float)
VALUE(f64, double)

void ecl_set_instant(const struct time_factors *factors, const void *constants, size_t real_size,
    double t, void *instant) {
    real_set(instant, 0, real_size, t);
    for (int k = 0; k < factors->count; k++) {
        const struct time_term *const term = factors->factors[k].term;
        const int terms = factors->factors[k].terms;
        real_set(instant, 1 + k, real_size,
            real_size == sizeof(float) ? (double)value_f32(term, terms, constants, (float)t)
                                       : value_f64(term, terms, constants, t));
    }
}
