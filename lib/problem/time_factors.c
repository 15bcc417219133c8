/* SPDX-License-Identifier: BSD-2-Clause */
/* time_factors.c - see time_factors.h. */
#include "config.h"
#include "time_factors.h"
#include "problem_text.h"
#include "../reals.h"
#include <eulercl/detail/ode_math_c.h>
#include <float.h>
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

/* Whether the rest of a directive defines the word, or undefines it. */
static int is_directive_of(struct lexer line, struct token word) {
    const struct token directive = lexer_take_in_line(&line);
    return (token_is(directive, "define") || token_is(directive, "undef")) &&
           token_equals(lexer_take_in_line(&line), word);
}

/* Whether a line defines the word as a macro, or takes that back. */
static int is_macro(const struct ode_problem *definition, struct token word) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        if (token.starts_line && token_is(token, "#") && is_directive_of(lexer, word)) return 1;
    return 0;
}

/* Whether the word stands before the bracket that closes what the lexer is in. */
static int is_inside(struct lexer lexer, struct token word, const char *open, const char *close) {
    int depth = 1;
    for (struct token token; depth && (token = lexer_take(&lexer)).kind;) {
        depth += token_is(token, open) - token_is(token, close);
        if (token_equals(token, word)) return 1;
    }
    return 0;
}

/* Whether a word between two tokens may be declared or changed there. */
static int is_changed(struct token before, struct token word, struct lexer lexer) {
    struct token after = lexer_take(&lexer);
    if (before.kind == TOKEN_WORD && !token_is(before, "return") && !token_is(before, "else"))
        return 1;
    const int is_call = token_is(after, "(");
    if ((token_is(before, ")") && !is_call) || token_is(before, "++") || token_is(before, "--") ||
        token_is(after, "++") || token_is(after, "--") || token_is(after, "[") ||
        (is_call && !function_of(word)) || (token_is(before, ",") && token_is(after, ";")))
        return 1;
    while (token_is(after, ")")) after = lexer_take(&lexer); /* (x) = 1 */
    return is_assignment(after);
}

/* Whether the word may be declared or changed by the text that OpenCL compiles, or be the name or a
 * parameter of a macro. A macro may do anything with its arguments. */
static int is_redefined(const struct ode_problem *definition, struct token word) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    struct token before = {.kind = TOKEN_END};
    for (struct token token; (token = ecl_cl_take(&lexer)).kind; before = token) {
        if (token.starts_line && token_is(token, "#")) {
            struct lexer line = lexer;
            if (is_directive_of(lexer, word)) return 1;
            if (!token_is(lexer_take_in_line(&line), "define")) continue;
            lexer_take_in_line(&line);
            if (ecl_is_macro_parameter(word, line)) return 1;
            lexer = line;
            const struct token list = lexer_peek(&line);
            if (list.adjoins && token_is(list, "(")) {
                lexer_take(&lexer);
                lexer_take_closing(&lexer);
            }
            continue;
        }
        if (token_equals(token, word)) {
            if (is_changed(before, word, lexer)) return 1;
            continue;
        }
        struct lexer ahead = lexer;
        if (token_is(token, "enum")) {
            while ((token = lexer_take(&ahead)).kind && !token_is(token, "{"))
                ;
            if (is_inside(ahead, word, "{", "}")) return 1;
        } else if (token.kind == TOKEN_WORD && token_is(lexer_take(&ahead), "(") &&
                   is_inside(ahead, word, "(", ")") && is_macro(definition, token)) {
            return 1;
        }
    }
    return 0;
}

/* Whether the text has words that can declare others in more ways than those above. */
static int is_beyond(const struct ode_problem *definition) {
    static const char *const others[] = {"typedef", "typeof", "__typeof__", "__typeof",
        "__auto_type", "struct", "union", "asm", "__asm__", "__asm"};
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    for (struct token token; (token = ecl_cl_take(&lexer)).kind;)
        for (size_t i = 0; token.kind == TOKEN_WORD && i < sizeof others / sizeof *others; i++)
            if (token_is(token, others[i])) return 1;
    return 0;
}

/* ---- constants by name ---- */

enum { MOST_DERIVED = 64 };
struct names {
    const struct ode_problem *definition;
    struct token derived[MOST_DERIVED]; /* names of the derived constants, in their order */
    int count;
};

/* Read the table behind `#define ODE_DERIVED`, whose name the lexer took last: rows and nothing
 * else. -> whether it is such a table. */
static int read_rows(struct names *names, struct lexer *lexer) {
    const struct token open = lexer_take_in_line(lexer), row = lexer_take_in_line(lexer);
    if (!token_is(open, "(") || row.kind != TOKEN_WORD || !token_is(lexer_take_in_line(lexer), ")"))
        return 0;
    for (struct token token; (token = lexer_take_in_line(lexer)).kind;) {
        const int is_row = token_equals(token, row) && token_is(lexer_take_in_line(lexer), "(");
        const struct token name = lexer_take_in_line(lexer);
        if (!is_row || name.kind != TOKEN_WORD || !token_is(lexer_take_in_line(lexer), ",") ||
            !lexer_take_closing(lexer).kind || names->count == MOST_DERIVED)
            return 0;
        names->derived[names->count++] = name;
    }
    return 1;
}

/* The names of the derived constants; none if there is more than one table, or one that may not
 * count, or one that is written in another way. */
static void find_names(const struct ode_problem *definition, struct names *names) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    int conditions = 0, tables = 0, is_known = 1;
    *names = (struct names){.definition = definition};
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        struct lexer line = lexer;
        if (!token.starts_line || !token_is(token, "#")) continue;
        const struct token directive = lexer_take_in_line(&line);
        conditions += token_begins(directive, "if") - token_is(directive, "endif");
        if (!token_is(lexer_take_in_line(&line), "ODE_DERIVED")) continue;
        is_known = is_known && token_is(directive, "define") && !conditions && !tables++ &&
                   read_rows(names, &line);
    }
    if (!is_known ||
        definition->parameter_count + (uint32_t)names->count != definition->constant_count)
        names->count = 0;
}

static int64_t constant_of(const struct names *names, struct token word) {
    const int64_t parameters = names->definition->parameter_count;
    for (int64_t k = 0; k < parameters; k++)
        if (token_is(word, names->definition->parameters[k].name)) return k;
    for (int k = 0; k < names->count; k++)
        if (token_equals(word, names->derived[k])) return parameters + k;
    return -1;
}

/* ---- an expression of the text ---- */

struct reader {
    const struct names *names;
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

/* A decimal number without suffix, which is of type double in C. */
static int is_double(struct token token, double *number) {
    char text[40], *end;
    const size_t length = (size_t)(token.end - token.begin);
    if (token.kind != TOKEN_NUMBER || length >= sizeof text) return 0;
    memcpy(text, token.begin, length);
    text[length] = '\0';
    *number = strtod(text, &end); /* in a locale with another point it ends there */
    return !*end && strspn(text, "0123456789.eE+-") == length && strpbrk(text, ".eE");
}

/* A decimal number of type int that both precisions have. */
static int is_whole(struct token token, double *number) {
    const size_t length = (size_t)(token.end - token.begin);
    if (token.kind != TOKEN_NUMBER || length > 8 || (length > 1 && *token.begin == '0')) return 0;
    *number = 0;
    for (const char *p = token.begin; p < token.end; p++) {
        if (*p < '0' || *p > '9') return 0;
        *number = 10 * *number + (*p - '0');
    }
    return *number <= 1 << FLT_MANT_DIG;
}

static enum type read_sum(struct reader *r);

/* REAL(literal), whose bracket has been taken. */
static enum type read_literal(struct reader *r) {
    double number;
    const int is_negative = take(r, "-");
    const struct token token = lexer_take(&r->lexer);
    const int is_known =
        is_double(token, &number) || (is_whole(token, &number) && !(is_negative && number == 0));
    if (!is_known || !take(r, ")")) return UNKNOWN;
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
    if (is_whole(token, &number))
        return put(r, WHOLE, (struct time_term){.kind = NUMBER, .number = number});
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
    const int64_t constant = constant_of(r->names, token);
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
        if (type == WHOLE && r->term[r->terms - 1].kind == NUMBER &&
            r->term[r->terms - 1].number == 0)
            return UNKNOWN; /* it has no sign */
        if (type) type = put(r, type, (struct time_term){.kind = NEGATE});
    } else {
        type = read_operand(r);
    }
    r->depth--;
    return type;
}

/* Operands with `signs` between them, the first of which is operation `kind`, and the second one
 * the next. */
static enum type read_chain(struct reader *r, enum type (*read)(struct reader *r),
    const char *const signs[2], unsigned char kind) {
    enum type type = read(r);
    while (type) {
        const int is_second = !take(r, signs[0]);
        if (is_second && !take(r, signs[1])) break;
        const enum type right = read(r);
        type = !right || (type == WHOLE && right == WHOLE)
                   ? UNKNOWN
                   : put(r, REAL, (struct time_term){.kind = (unsigned char)(kind + is_second)});
    }
    return type;
}
static enum type read_product(struct reader *r) {
    return read_chain(r, read_signed, (const char *const[]){"*", "/"}, MULTIPLY);
}
static enum type read_sum(struct reader *r) {
    return read_chain(r, read_product, (const char *const[]){"+", "-"}, ADD);
}

/* ---- the factors ---- */

/* Whether all names between two places mean what they seem to mean. */
static int is_certain(const struct ode_problem *definition, const char *begin, const char *end) {
    struct lexer lexer = lexer_start(begin, end);
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        if (token.kind == TOKEN_WORD && (token_is(token, "REAL") ? is_macro(definition, token)
                                                                 : is_redefined(definition, token)))
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
    if (!definition->text || ecl_is_open(definition) || is_beyond(definition)) return;
    struct names names;
    find_names(definition, &names);
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    for (struct token token; (token = ecl_cl_take(&lexer)).kind;) {
        const struct function *const function =
            token.kind == TOKEN_WORD ? function_of(token) : NULL;
        struct reader reader = {.names = &names, .lexer = lexer, .term = term};
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

void ecl_set_moment(const struct time_factors *factors, const void *constants, size_t real_size,
    double t, void *moment) {
    real_set(moment, 0, real_size, t);
    for (int k = 0; k < factors->count; k++) {
        const struct time_term *const term = factors->factors[k].term;
        const int terms = factors->factors[k].terms;
        real_set(moment, 1 + k, real_size,
            real_size == sizeof(float) ? (double)value_f32(term, terms, constants, (float)t)
                                       : value_f64(term, terms, constants, t));
    }
}
