/* SPDX-License-Identifier: BSD-2-Clause */
/* lexer.h - the text of a C file as tokens, as they are before preprocessing. */
#ifndef EULERCL_LEXER_H
#define EULERCL_LEXER_H
#include <stddef.h>

enum token_kind {
    TOKEN_END,    /* the end of the text */
    TOKEN_WORD,   /* an identifier or a keyword */
    TOKEN_NUMBER, /* a preprocessing number: 12, .5, 1e-3f, 0x1p-4 */
    /* a string with its quotes, or a character constant; the rest of the line if it does not end */
    TOKEN_STRING,
    TOKEN_PUNCTUATION /* an operator, as long as possible: -, ->, <<=, ##; or any other character */
};

/* [begin, end) may contain continuations of the line (a backslash before a line break), which C
 * removes before it looks for tokens. */
struct token {
    enum token_kind kind;
    int starts_line; /* only white space and comments are before it in its line */
    int adjoins;     /* no white space or comment is before it */
    const char *begin, *end;
};

/* The part of a text that is still to be read. */
struct lexer {
    const char *next, *end;
    int at_line_start;
};

/* A byte order mark at the beginning is passed. */
struct lexer lexer_start(const char *begin, const char *end);

/* The next token, which the lexer then has passed. White space and comments are skipped. */
struct token lexer_take(struct lexer *lexer);
/* The next token, which the lexer has not passed yet. */
struct token lexer_peek(const struct lexer *lexer);
/* Take a token as lexer_take does. If the next token starts a line, return END and stay where it
 * is. */
struct token lexer_take_in_line(struct lexer *lexer);

/* Pass the rest of the line with its line break: of a preprocessor line, together with
 * continuations and with comments over several lines. */
void lexer_skip_line(struct lexer *lexer);

/* Pass all tokens up to the bracket that closes the `(` taken last, and return that bracket. END if
 * the text or a preprocessor line comes first. */
struct token lexer_take_closing(struct lexer *lexer);

/* Whether the token is, or begins with, this text; whether two tokens are equal. Continuations do
 * not count. */
int token_is(struct token token, const char *text);
int token_begins(struct token token, const char *text);
int token_equals(struct token a, struct token b);

/* The number of the line of the lexer's text in which the token is; 1 is the first that the lexer
 * has not passed yet. */
long lexer_line(const struct lexer *lexer, struct token token);
/* Copy the token without continuations of its line; "" if that has `size` characters or more. */
void lexer_copy(struct token token, char *copy, size_t size);
#endif
