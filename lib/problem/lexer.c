/* SPDX-License-Identifier: BSD-2-Clause */
/* lexer.c - see lexer.h. Characters are read by `look` and `advance` alone, which handle
 * continuations of lines. */
#include "config.h"
#include "lexer.h"
#include <string.h>

/* A text, read up to the last character that was passed. */
struct characters {
    const char *next, *end;
};

/* Where the next character is: after continuations of the line. */
static const char *place(const struct characters *text) {
    for (const char *p = text->next;;) {
        const char *q = p;
        if (q == text->end || *q++ != '\\') return p;
        if (q < text->end && *q == '\r') q++;
        if (q == text->end || *q++ != '\n') return p;
        p = q;
    }
}

static int is_at_end(const struct characters *text) { return place(text) == text->end; }

/* The next character; 0 at the end. */
static char look(const struct characters *text) { return is_at_end(text) ? 0 : *place(text); }

static void advance(struct characters *text) {
    text->next = is_at_end(text) ? text->end : place(text) + 1;
}

/* Pass these characters if they come next. -> whether they did */
static int take(struct characters *text, const char *wanted) {
    struct characters ahead = *text;
    for (; *wanted; wanted++, advance(&ahead))
        if (look(&ahead) != *wanted) return 0;
    *text = ahead;
    return 1;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Bytes from 0x80 on are parts of letters in UTF-8. */
static int is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (unsigned char)c >= 0x80;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* -> whether there was a comment */
static int take_comment(struct characters *text) {
    if (take(text, "//")) {
        while (!is_at_end(text) && look(text) != '\n') advance(text);
        return 1;
    }
    if (!take(text, "/*")) return 0;
    while (!is_at_end(text) && !take(text, "*/")) advance(text);
    return 1;
}

/* Pass white space and comments, but no line break outside of comments. */
static void skip_blank(struct characters *text) {
    for (;;)
        if (is_space(look(text)))
            advance(text);
        else if (!take_comment(text))
            return;
}

/* -> whether there was a part of a number: letters, digits, points, signs of exponents */
static int take_of_number(struct characters *text) {
    static const char *const signs[] = {"e+", "e-", "E+", "E-", "p+", "p-", "P+", "P-"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (take(text, signs[i])) return 1;
    if (!is_letter(look(text))) return take(text, ".");
    advance(text);
    return 1;
}

static void take_string(struct characters *text) {
    const char quote = look(text);
    advance(text);
    while (!is_at_end(text) && look(text) != '\n') {
        const char c = look(text);
        advance(text);
        if (c == quote) return;
        if (c == '\\' && look(text) != '\n') advance(text);
    }
}

static void take_punctuation(struct characters *text) {
    static const char *const operators[] = {"%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<",
        ">>", "<=", ">=", "==", "!=", "&&", "||",
        "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (take(text, operators[i])) return;
    advance(text);
}

static enum token_kind take_token(struct characters *text) {
    struct characters ahead = *text;
    const char c = look(text);
    if (is_at_end(text)) return TOKEN_END;
    if (is_digit(c) || (take(&ahead, ".") && is_digit(look(&ahead)))) {
        while (take_of_number(text)) {
        }
        return TOKEN_NUMBER;
    }
    if (is_letter(c)) {
        while (is_letter(look(text))) advance(text);
        return TOKEN_WORD;
    }
    if (c == '"' || c == '\'') {
        take_string(text);
        return TOKEN_STRING;
    }
    take_punctuation(text);
    return TOKEN_PUNCTUATION;
}

struct lexer lexer_start(const char *begin, const char *end) {
    struct characters text = {begin, end};
    if (take(&text, "\xef\xbb\xbf")) begin = text.next;
    return (struct lexer){.next = begin, .end = end, .at_line_start = 1};
}

struct token lexer_take(struct lexer *lexer) {
    struct characters text = {lexer->next, lexer->end};
    struct token token = {.starts_line = lexer->at_line_start};
    const char *const adjoining = place(&text);
    for (skip_blank(&text); look(&text) == '\n'; skip_blank(&text)) {
        advance(&text);
        token.starts_line = 1;
    }
    token.begin = place(&text);
    token.adjoins = token.begin == adjoining;
    token.kind = take_token(&text);
    token.end = token.kind ? text.next : token.begin;
    *lexer = (struct lexer){.next = token.end, .end = lexer->end};
    return token;
}

struct token lexer_peek(const struct lexer *lexer) {
    struct lexer ahead = *lexer;
    return lexer_take(&ahead);
}

struct token lexer_take_in_line(struct lexer *lexer) {
    const struct token token = lexer_peek(lexer);
    return token.starts_line ? (struct token){.kind = TOKEN_END} : lexer_take(lexer);
}

void lexer_skip_line(struct lexer *lexer) {
    struct characters text = {lexer->next, lexer->end};
    for (skip_blank(&text); !is_at_end(&text) && look(&text) != '\n'; skip_blank(&text))
        take_token(&text);
    advance(&text);
    *lexer = (struct lexer){.next = text.next, .end = lexer->end, .at_line_start = 1};
}

struct token lexer_take_closing(struct lexer *lexer) {
    for (int depth = 1;;) {
        const struct token token = lexer_take(lexer);
        if (!token.kind || (token.starts_line && token_is(token, "#")))
            return (struct token){.kind = TOKEN_END};
        depth += token_is(token, "(") - token_is(token, ")");
        if (!depth) return token;
    }
}

int token_begins(struct token token, const char *text) {
    return take(&(struct characters){token.begin, token.end}, text);
}

int token_is(struct token token, const char *text) {
    struct characters characters = {token.begin, token.end};
    return take(&characters, text) && is_at_end(&characters);
}

int token_equals(struct token a, struct token b) {
    struct characters left = {a.begin, a.end}, right = {b.begin, b.end};
    while (!is_at_end(&left) && !is_at_end(&right) && look(&left) == look(&right)) {
        advance(&left);
        advance(&right);
    }
    return is_at_end(&left) && is_at_end(&right);
}

long lexer_line(const struct lexer *lexer, struct token token) {
    long line = 1;
    for (const char *p = lexer->next; p < token.begin; p++) line += *p == '\n';
    return line;
}

void lexer_copy(struct token token, char *copy, size_t size) {
    size_t length = 0;
    for (const char *p = token.begin; p < token.end && length < size; p++)
        if (*p != '\\' && *p != '\n' && *p != '\r') copy[length++] = *p;
    copy[length < size ? length : 0] = '\0';
}
