/* SPDX-License-Identifier: BSD-2-Clause */
/* text.h - bytes that come from anywhere (file names, devices, plug-ins) as text in UTF-8, and
 * numbers in texts. The command shares this file. */
#ifndef EULERCL_TEXT_H
#define EULERCL_TEXT_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers: the whole text is one, or it is an error, never a guess. -> whether it is a finite
 * number. Underflow is an error only if the result is 0: 1e-310 is a number, 1e-400 is not. */
static inline int text_real(const char *text, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && !*end && !isspace((unsigned char)*text) && isfinite(*value) &&
           !(errno == ERANGE && *value == 0);
}

/* -> whether it is a whole number; 1e8 is as good as 100000000. */
static inline int text_whole(const char *text, int64_t *value) {
    char *end;
    double real;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end != text && !*end && !isspace((unsigned char)*text) && !errno) return 1;
    /* Below 2^53 a double represents every whole number. */
    if (errno || !text_real(text, &real) || real != floor(real) || fabs(real) >= 0x1p53) return 0;
    *value = (int64_t)real;
    return 1;
}

/* The number of bytes of the UTF-8 character at text; 0: the bytes are not a character, or one that
 * XML does not allow. */
static inline int text_utf8(const char *text) {
    const unsigned char *const c = (const unsigned char *)text;
    const int length = *c < 0x80   ? 1
                       : *c < 0xc2 ? 0
                       : *c < 0xe0 ? 2
                       : *c < 0xf0 ? 3
                       : *c < 0xf5 ? 4
                                   : 0;
    for (int i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    const int overlong = (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xf0 && c[1] < 0x90);
    const int surrogate = *c == 0xed && c[1] >= 0xa0, beyond = *c == 0xf4 && c[1] >= 0x90;
    const int noncharacter = *c == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
    return overlong || surrogate || beyond || noncharacter ? 0 : length;
}

/* The same, but 0 also for control characters: line breaks, escape sequences. */
static inline int text_plain(const char *text) {
    const unsigned char *const c = (const unsigned char *)text;
    return *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0) ? 0 : text_utf8(text);
}

/* The number of bytes of the whole characters within the first `most` bytes. */
static inline int text_cut(const char *text, int most) {
    int end = (int)strnlen(text, (size_t)most + 1);
    if (end <= most) return end;
    for (end = most; end > 0 && most - end < 4 && ((unsigned char)text[end] & 0xc0) == 0x80;) end--;
    return end;
}

/* Copy printable characters and those in `kept`; other bytes are written as \n, \t or \x1b. A text
 * that does not fit is cut between characters. */
static inline void text_escape(const char *from, const char *kept, char *to, size_t size) {
    while (*from) {
        char escaped[8];
        int used = text_plain(from);
        if (!used && strchr(kept, *from)) used = 1;
        const char *piece = from;
        int length = used;
        if (!used) {
            used = 1;
            piece = escaped;
            length =
                *from == '\n' || *from == '\t'
                    ? snprintf(escaped, sizeof escaped, "\\%c", *from == '\n' ? 'n' : 't')
                    : snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)(unsigned char)*from);
        }
        if ((size_t)length >= size) break;
        memcpy(to, piece, (size_t)length);
        to += length;
        size -= (size_t)length;
        from += used;
    }
    *to = 0;
}

#endif
