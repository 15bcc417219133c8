/* SPDX-License-Identifier: BSD-2-Clause */
/* parts.c - a file in parts: see parts.h. */
#include "config.h"

#include "format/parts.h"
#include "shared/message.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char extension[] = ".h5";
enum { EXTENSION = sizeof extension - 1, MOST_DIGITS = 9 };

const char *without_folder(const char *path) {
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *part_name(const char *path, const char *tag, int number) {
    char *name;
    return asprintf(&name, "%.*s.%s.%d%s", (int)(strlen(path) - EXTENSION), path, tag, number,
               extension) < 0
               ? NULL
               : name;
}

int is_part_name(const char *name) {
    const size_t length = strlen(name);
    const char *at = name + length - EXTENSION;
    int digits = 0, letters = 0;
    if (length < EXTENSION || strpbrk(name, "/%") != NULL || strcmp(at, extension) != 0) return 0;
    while (at > name && isdigit((unsigned char)at[-1])) at--, digits++;
    if (digits == 0 || digits > MOST_DIGITS || at == name || *--at != '.') return 0;
    while (at > name && isalnum((unsigned char)at[-1])) at--, letters++;
    return letters == TAG && at > name + 1 && at[-1] == '.';
}

int write_parts_line(const struct file *file, const struct parts *parts) {
    char text[PARTS_BYTES] = "";
    const int length =
        snprintf(text, sizeof text, "eulercl parts %s %d\n", parts->tag, parts->count);
    memset(text + length, '\n', sizeof text - (size_t)length);
    errno = 0;
    return fseek(file->stream, 0, SEEK_SET) == 0 && fwrite(text, sizeof text, 1, file->stream) == 1
               ? EULERCL_OK
               : fail_writing(file);
}

static void find_parts(const char *path, struct parts *parts) {
    char text[PARTS_BYTES + 1];
    FILE *file;
    struct stat entry;
    *parts = (struct parts){.count = 0};
    if (lstat(path, &entry) != 0 || !S_ISREG(entry.st_mode)) return;
    if ((file = fopen(path, "rbe")) == NULL) return;
    text[fread(text, 1, PARTS_BYTES, file)] = '\0';
    fclose(file);
    if (sscanf(text, "eulercl parts %6[A-Za-z0-9] %d\n", parts->tag, &parts->count) != 2 ||
        strlen(parts->tag) != TAG)
        parts->count = 0;
}

void find_replaced_parts(const struct file *file, struct parts *parts) {
    struct parts kept;
    find_parts(file->path, &kept);
    *parts = kept;
    if (!file->keeps_old) return;
    char *const old = name_old(file);
    if (old == NULL)
        parts->count = 0;
    else
        find_parts(old, parts);
    /* Both names may be those of one file. */
    if (kept.count > 0 && strcmp(kept.tag, parts->tag) == 0) parts->count = 0;
    free(old);
}

void remove_parts(const char *path, const struct parts *parts) {
    for (int i = 0; i < parts->count; i++) {
        char *const name = part_name(path, parts->tag, i);
        const int failed = name == NULL || unlink(name) != 0;
        free(name);
        if (failed) return; /* the line may promise any number */
    }
}
