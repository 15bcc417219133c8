/* SPDX-License-Identifier: BSD-2-Clause */
/* arithmetic.c - finite constants, no contraction, no division of whole numbers by mistake. */
#include "config.h"
#include "check.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A preprocessing number at p: its end, and its value if it is a whole number, else -1. */
static const char *read_number(const char *p, const char *end, int64_t *value) {
    const char *const begin = p, *const exponents =
                                     end - p > 1 && tolower((unsigned char)p[1]) == 'x' ? "pP"
                                                                                        : "eE";
    int is_real = 0;
    for (; p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '_' ||
                          ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])));
         p++)
        is_real |= *p == '.' || *p == exponents[0] || *p == exponents[1];
    char number[32] = "";
    if (!is_real && p - begin < (ptrdiff_t)sizeof number)
        memcpy(number, begin, (size_t)(p - begin));
    *value = *number ? strtoll(number, NULL, 0) : -1;
    return p;
}

/* The end of a comment, a string or a character at p; p itself if nothing of these begins there. */
static const char *skip_quoted(const char *p, const char *end) {
    if (end - p > 1 && *p == '/' && p[1] == '/') {
        const char *const line = memchr(p, '\n', (size_t)(end - p));
        return line ? line : end;
    }
    if (end - p > 1 && *p == '/' && p[1] == '*') {
        for (p += 2; end - p > 1 && (*p != '*' || p[1] != '/'); p++) continue;
        return end - p > 1 ? p + 2 : end;
    }
    if (*p != '"' && *p != '\'') return p;
    const char quote = *p;
    for (p++; p < end && *p != quote && *p != '\n'; p++) p += *p == '\\' && end - p > 1;
    return p < end ? p + 1 : end;
}

/* Find a division of two whole numbers that leaves a rest, as in 1/2 * AT(0, 0). Both must be
   written as numbers, since ix / 2 or N / 2 may be meant. A division after a product is left alone,
   because 3 * 1/2 and u * 1/2 look alike and only one is wrong. Returns the line, or 0. */
static long find_whole_division(const char *p, const char *end, int64_t operands[2]) {
    int64_t left = -1,
            dividend = -1; /* the number that was the last token; the one before the / that was */
    char last = '\n';
    for (long line = 1; p < end;) {
        const char *const begin = p;
        int64_t right = -1, over = -1;
        p = skip_quoted(p, end);
        if (p > begin) {
            for (const char *c = begin; c < p; c++) line += *c == '\n';
            continue;
        }
        if (isspace((unsigned char)*p) || *p == '\\') {
            line += *p++ == '\n';
            continue;
        }
        if (isdigit((unsigned char)*p) ||
            (*p == '.' && end - p > 1 && isdigit((unsigned char)p[1]))) {
            p = read_number(p, end, &right);
            if (dividend > 0 && right > 0 && dividend % right) {
                operands[0] = dividend;
                operands[1] = right;
                return line;
            }
            if (last == '*' || last == '/' || last == '%') right = -1;
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
        } else {
            if (*p == '/') over = left;
            p++;
        }
        last = p[-1];
        left = right;
        dividend = over;
    }
    return 0;
}

int ecl_check_arithmetic(struct check *c) {
    const struct ode_kernels *k;
    int64_t operands[2];
    const long line = c->definition->text ? find_whole_division(c->definition->text,
                                                c->definition->text_end, operands)
                                          : 0;
    if (line)
        return FAILS(arithmetic, EULERCL_INVALID, -1,
            "%s: line %ld of the problem's file divides whole numbers, and %lld/%lld is %lld: "
            "write REAL(%lld)/%lld",
            precision_of(c), line, (long long)operands[0], (long long)operands[1],
            (long long)(operands[0] / operands[1]), (long long)operands[0], (long long)operands[1]);
    for (uint32_t index = 0; (k = ecl_check_kernels(c, index)); index++)
        if (k->contracts())
            return FAILS(arithmetic, EULERCL_UNSUPPORTED, -1,
                "%s: the code for %s was compiled with contraction of a*b+c, which changes the "
                "bits: use -ffp-contract=off",
                precision_of(c), k->isa);
    return HOLDS(arithmetic, "%s: all constants are finite, and nothing is contracted%s",
        precision_of(c),
        c->info.bits_guaranteed ? ""
                                : "; the problem uses functions whose bits differ between devices");
}
