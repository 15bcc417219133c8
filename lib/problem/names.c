/* SPDX-License-Identifier: BSD-2-Clause */
/* names.c - names that a problem can give to its parameters and constants: they become variables of
 * C and of OpenCL C, beside the words of the equations. */
#include "config.h"
#include "../internal.h"
#include "settings.h"
#include <stdio.h>
#include <string.h>

/* Names that have a meaning for the compilers. */
static const struct {
    const char *name, *header, *what;
} taken[] = {
#define TAKEN(NAME, HEADER, WHAT) {#NAME, HEADER, WHAT},
#include "taken.def"
#undef TAKEN
};
/* clang-format off */
static const char *const words[] = {"t", "i", "i4", "n", "nx", "ny", "nz", "ix", "iy", "iz", "AT",
    "DOT", "Y", "Y0", "Y4", "AT_POINT", "OTHER", "FIELD",
    "FIELD_AT", "SIDE_FIELD", "LAPLACE", "FLOW",
    "OPEN", "DIV_X", "DIV_Y", "DIV_Z", "DIV_XY", "DIV_XZ", "DIV_YZ", "DIV_GRAD",
    "ARITHMETIC_MEAN", "HARMONIC_MEAN", "REAL", "INTEGER", "CONSTANT", "ELEMENT", "fma",
    "fma4", "sqrt", "fabs", "floor",
#define FUNCTION(name, operands, work) #name,
#include "functions.def"
#undef FUNCTION
};
/* clang-format on */
/* Words of the rules of sides, which only a problem with such rules has; the last one only where
 * its radius is above 1. */
static const char *const side_words[] = {"c", "IN", "d"};
static const char *const beginnings[] = {
    "ode_", "ODE_", "eulercl", "EULERCL", "CLK_", "CL_", "cl_", "cles_", "CLANG_", "POCL_", "__"};

enum { NAME = 128, MEANING = 160 };

static int begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

/* A text, which may be empty. */
struct source {
    struct lexer text;
    int side_words; /* how many of side_words are taken */
};

static int includes(const struct source *source, const char *header) {
    char name[40];
    snprintf(name, sizeof name, "<%s>", header);
    return source->text.next &&
           memmem(source->text.next, (size_t)(source->text.end - source->text.next), name,
               strlen(name));
}

/* Write what the name already means into `meaning`; -> whether it means something. */
static int is_taken(const char *name, const struct source *source, char meaning[MEANING]) {
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k])) {
            snprintf(meaning, MEANING, "a word of equations");
            return 1;
        }
    for (int k = 0; k < source->side_words; k++)
        if (!strcmp(name, side_words[k])) {
            snprintf(meaning, MEANING, "a word of ODE_SIDES");
            return 1;
        }
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        if (!strcmp(name, taken[k].name) &&
            (!*taken[k].header || includes(source, taken[k].header))) {
            snprintf(meaning, MEANING, "%s%s%s%s", taken[k].what, *taken[k].header ? " in <" : "",
                taken[k].header, *taken[k].header ? ">" : "");
            return 1;
        }
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (begins(name, beginnings[k])) {
            snprintf(meaning, MEANING, "reserved, as all that begin with %s", beginnings[k]);
            return 1;
        }
    snprintf(meaning, MEANING, "reserved, as all that begin with _ and a capital letter");
    return name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z';
}

static int is_identifier(const char *name) {
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      all[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return *name && strchr(letters, *name) && !name[strspn(name, all)];
}

int eulercl_verify_name(const char *name, eulercl_error *error) {
    EULERCL_NEEDS(name);
    static const struct source none = {{NULL, NULL, 0}, 0};
    char meaning[MEANING];
    if (!is_identifier(name))
        return ecl_fail(
            error, EULERCL_INVALID, "'%s' is no name: letters, digits and _, no digit first", name);
    return is_taken(name, &none, meaning)
               ? ecl_fail(error, EULERCL_INVALID, "the name '%s' is taken: it is %s", name, meaning)
               : EULERCL_OK;
}

/* ---- the names in a file ---- */

static int verify_token(
    const struct source *source, struct token token, const char *what, eulercl_error *error) {
    char name[NAME], meaning[MEANING];
    if (token.kind != TOKEN_WORD) return EULERCL_OK; /* the compiler says what is wrong */
    lexer_copy(token, name, sizeof name);
    return is_taken(name, source, meaning)
               ? ecl_fail(error, EULERCL_INVALID,
                     "line %ld: the name '%s' of a %s is taken: it is %s",
                     lexer_line(&source->text, token), name, what, meaning)
               : EULERCL_OK;
}

/* The definition of ODE_PARAMETERS or ODE_DERIVED, whose name the lexer took last: calls of its
 * macro parameters, whose first arguments are the names. */
static int verify_table(
    const struct source *source, struct lexer *lexer, const char *what, eulercl_error *error) {
    struct token calls[2] = {{0}}, token = lexer_take_in_line(lexer);
    int status = EULERCL_OK, count = 0;
    while ((token = lexer_take_in_line(lexer)).kind && !token_is(token, ")"))
        if (token.kind == TOKEN_WORD && count < 2) calls[count++] = token;
    while (!status && (token = lexer_take_in_line(lexer)).kind)
        for (int k = 0; !status && k < count; k++) {
            struct lexer ahead = *lexer;
            if (!token_equals(token, calls[k]) || !token_is(lexer_take_in_line(&ahead), "("))
                continue;
            status = verify_token(source, lexer_take_in_line(&ahead), what, error);
            *lexer = ahead;
        }
    return status;
}

/* How many of side_words a text takes. */
static int count_side_words(struct lexer lexer) {
    int has_sides = 0, is_wide = 0;
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#") ||
            !token_is(lexer_take_in_line(&lexer), "define"))
            continue;
        const struct token name = lexer_take_in_line(&lexer);
        has_sides |= token_is(name, "ODE_SIDES");
        is_wide |= token_is(name, "ODE_RADIUS") && !token_is(lexer_peek(&lexer), "1");
    }
    return has_sides ? 2 + is_wide : 0;
}

int eulercl_verify_names(const char *text, size_t length, eulercl_error *error) {
    if (!length) return EULERCL_OK;
    EULERCL_NEEDS(text);
    struct lexer lexer = lexer_start(text, text + length);
    const struct source source = {lexer, count_side_words(lexer)};
    int status = EULERCL_OK;
    for (struct token token; !status && (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#") ||
            !token_is(lexer_take_in_line(&lexer), "define"))
            continue;
        const struct token name = lexer_take_in_line(&lexer);
        if (token_is(name, "ODE_PARAMETERS"))
            status = verify_table(&source, &lexer, "parameter", error);
        else if (token_is(name, "ODE_DERIVED"))
            status = verify_table(&source, &lexer, "derived constant", error);
    }
    return status ? status : ecl_verify_settings(source.text, error);
}
