/* SPDX-License-Identifier: BSD-2-Clause */
/* workshop.h - the private folder in which a FILE.c is compiled. */
#ifndef EULERCL_WORKSHOP_H
#define EULERCL_WORKSHOP_H
#include "../internal.h"
#include <limits.h>

/* The public headers that FILE.c needs, as bytes; lib/local.mk generates them. */
struct header {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
extern const struct header ecl_headers[]; /* ends with a NULL name */

/* Paths of the folder and of what it contains. */
struct workshop {
    char directory[PATH_MAX], include[PATH_MAX], detail[PATH_MAX], library[PATH_MAX],
        preprocessed[PATH_MAX], log[PATH_MAX];
    char text[PATH_MAX]; /* how->text as a file; "": there is no such text */
};

/* Make the folder in TMPDIR, with the headers and, if there is one, the text under this name.
 * Errors: FILE. */
int ecl_workshop_open(
    struct workshop *shop, const char *name, const eulercl_compilation *how, eulercl_error *error);
void ecl_workshop_close(const struct workshop *shop, const eulercl_compilation *how);
#endif
