/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.h - a FILE.c becomes a problem. */
#ifndef CLI_SHARED_COMPILE_H
#define CLI_SHARED_COMPILE_H

#include <stddef.h>

#include "eulercl/eulercl.h"

/* -p NAME=VALUE */
struct setting {
    const char *name;
    double value;
};
struct compiling {
    int all_kernels; /* compile for each instruction set, not only for this processor's best */
    int no_cache;    /* compile again, and do not keep the result */
    int is_cached;   /* set: the result was in the cache */
    const struct setting *settings; /* their names are checked first */
    size_t n_settings;
};
/* Compile FILE.c with cc, and open it. */
int open_source(const char *file, struct compiling *compiling, eulercl_problem **problem);

/* The public headers that FILE.c needs, as bytes; cli/local.mk generates them. */
struct header {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
extern const struct header headers[]; /* ends with a NULL name */

#endif
