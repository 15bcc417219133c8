/* SPDX-License-Identifier: BSD-2-Clause */
/* numbered.c - names of files with a number, such as frame-%06d.png. */
#include "config.h"

#include "format/numbered.h"
#include "format/file.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first %d, %3d or %03d of a path: where it begins and ends, its width, and whether it is
 * filled with zeros. */
struct number_place {
    const char *begin, *end;
    int width, zeros;
};

static int find_number(const char *path, struct number_place *place) {
    for (const char *p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
        const char *q = p + 1;
        *place = (struct number_place){.begin = p, .zeros = *q == '0'};
        for (; *q >= '0' && *q <= '9' && place->width < 100; q++)
            place->width = 10 * place->width + (*q - '0');
        place->end = q + 1;
        if (*q == 'd') return 1;
    }
    return 0;
}

int check_numbered(const char *option, const char *path) {
    struct number_place place, next;
    if (!find_number(path, &place)) return EULERCL_OK;
    if (place.width > 18 || find_number(place.end, &next))
        return fail(EULERCL_INVALID,
            "%s %s: expected one number of at most 18 digits, as in frame-%%06d.png", option, path);
    return EULERCL_OK;
}

char *numbered_name(const char *path, int64_t number) {
    struct number_place place;
    char *name = NULL;
    if (find_number(path, &place) &&
        asprintf(&name, place.zeros ? "%.*s%0*" PRId64 "%s" : "%.*s%*" PRId64 "%s",
            (int)(place.begin - path), path, place.width, number, place.end) >= 0)
        return name;
    fail(EULERCL_MEMORY, "no memory for a file name");
    return NULL;
}

int is_numbered(const char *path) {
    struct number_place place;
    return find_number(path, &place);
}

int is_one_of(const char *path, const char *other) {
    struct number_place place;
    const char *const slash = strrchr(path, '/'), *const last = strrchr(other, '/');
    const char *const begin = slash == NULL ? path : slash + 1, *const name =
                                                                    last == NULL ? other : last + 1;
    if (!find_number(path, &place) || place.begin < begin ||
        strlen(name) <= (size_t)(place.begin - begin))
        return 0;
    char *const member = numbered_name(path, strtoll(name + (place.begin - begin), NULL, 10));
    const int is_one = member != NULL && is_same_file(member, other);
    free(member);
    return is_one;
}
