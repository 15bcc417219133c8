/* SPDX-License-Identifier: BSD-2-Clause */
/* settings.c - see settings.h. */
#include "config.h"
#include "settings.h"
#include "problem_text.h"
#include <string.h>

static const char *const settings[] = {
#define SETTING(NAME) #NAME,
#include "settings.def"
#undef SETTING
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* How many letters have to be removed, added or replaced to make one word of the other. */
enum { LONGEST = 40 };
static int edits_between(const char *a, const char *b) {
    int edits[LONGEST + 1];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++) edits[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = edits[0];
        edits[0] = i;
        for (int j = 1; j <= length; j++) {
            const int replaced = diagonal + (a[i - 1] != b[j - 1]),
                      other = 1 + (edits[j] < edits[j - 1] ? edits[j] : edits[j - 1]);
            diagonal = edits[j];
            edits[j] = replaced < other ? replaced : other;
        }
    }
    return edits[length];
}

/* The setting whose name is the most similar to this one; NULL: none is. */
static const char *similar(const char *name) {
    const char *best = NULL;
    for (int k = 0, least = 4; k < SETTINGS; k++) {
        const int edits = edits_between(name, settings[k]);
        if (edits >= least) continue;
        least = edits;
        best = settings[k];
    }
    return best;
}

/* Whether the text reads the macro. Lines that define it, or ask whether it must be defined, do
 * not. */
static int is_read(struct lexer lexer, struct token name) {
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (token.starts_line && token_is(token, "#")) {
            const struct token directive = lexer_take_in_line(&lexer);
            if (token_is(directive, "define") || token_is(directive, "undef") ||
                token_is(directive, "ifndef"))
                lexer_take_in_line(&lexer);
        } else if (token_equals(token, name))
            return 1;
    }
    return 0;
}

static int verify(struct lexer text, struct token name, int is_late, eulercl_error *error) {
    char written[LONGEST];
    for (int k = 0; k < SETTINGS; k++) {
        if (!token_is(name, settings[k])) continue;
        return is_late ? ecl_fail(error, EULERCL_INVALID,
                             "line %ld: %s must come before the #include of "
                             "eulercl/ode_problem.h, which reads it",
                             lexer_line(&text, name), settings[k])
                       : EULERCL_OK;
    }
    if (!token_begins(name, "ODE_") || is_read(text, name)) return EULERCL_OK;
    lexer_copy(name, written, sizeof written);
    const char *const meant = similar(written);
    if (!meant && ecl_includes_others(text)) return EULERCL_OK;
    return ecl_fail(error, EULERCL_INVALID,
        "line %ld: nothing reads %s, which is no setting of eulercl/ode_problem.h%s%s%s",
        lexer_line(&text, name), *written ? written : "this macro", meant ? "; did you mean " : "",
        meant ? meant : "", meant ? "?" : "");
}

int ecl_verify_settings(struct lexer text, eulercl_error *error) {
    int status = EULERCL_OK, is_late = 0;
    struct lexer lexer = text;
    for (struct token token; !status && (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#")) continue;
        is_late |= ecl_cl_line(lexer) == CL_OUR_HEADER;
        if (token_is(lexer_take_in_line(&lexer), "define"))
            status = verify(text, lexer_take_in_line(&lexer), is_late, error);
    }
    return status;
}
