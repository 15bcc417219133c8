/* SPDX-License-Identifier: BSD-2-Clause */
/* key.h - all that a plug-in is made from. */
#ifndef EULERCL_COMPILE_KEY_H
#define EULERCL_COMPILE_KEY_H
#include "compiler.h"

/* A file, or a text that has become one. */
struct source {
    const char *file;    /* as the caller names it */
    char path[PATH_MAX]; /* as the compiler names it */
    struct bytes plain;  /* what it contains */
};

/* The key consists of all that determines the plug-in: the preprocessed text with all macros (the
 * compiler's own macros contain its version and the target processor), the source itself, which the
 * plug-in contains, and the call. key->data is NULL if there cannot be one: errors in the source
 * are reported when it is compiled. Errors: INVALID (a name of how->parameters), and as of
 * ecl_compiler_run. */
int ecl_plugin_key(const struct source *source, struct compiler *compiler, struct bytes *key,
    eulercl_error *error);
#endif
