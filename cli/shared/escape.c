/* SPDX-License-Identifier: BSD-2-Clause */
/* escape.c - texts of unknown content, made safe for files. */
#include "config.h"

#include "shared/escape.h"
#include "lib/text.h"

#include <stdio.h>
#include <string.h>

/* Write one character; returns its length in the text. */
static int put_character(FILE *file, const char *text, const char *instead) {
    const int length = text_utf8(text);
    if (text_plain(text) > 0 && strchr(instead, *text) == NULL)
        fwrite(text, 1, (size_t)length, file);
    else
        fputc(length == 0 ? '?' : ' ', file);
    return length == 0 ? 1 : length;
}

void put_plain(FILE *file, const char *text, const char *instead) {
    while (*text != '\0') text += put_character(file, text, instead);
}

void put_xml(FILE *file, const char *text) {
    while (*text != '\0')
        if (strchr("<>&\"", *text) != NULL)
            fprintf(file, "&#%d;", *text++);
        else
            text += put_character(file, text, "");
}
