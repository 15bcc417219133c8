/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler.h - calls of the C compiler. */
#ifndef EULERCL_COMPILER_H
#define EULERCL_COMPILER_H
#include "cache.h"
#include "workshop.h"

/* Arguments of the compiler: the words of $CC, the flags, and what one call adds. */
struct compiler {
    char *cc; /* $CC, whose words are the first arguments */
    char **arguments;
    size_t common; /* number of arguments of each call; the last is the workshop's path */
    char **environment;
    char only[48], precision[48]; /* arguments */
    char path[PATH_MAX];          /* of the program, if that must be absolute */
    const struct workshop *shop;
    const eulercl_compilation *how;
};
/* Errors: MEMORY, FILE. Free it with ecl_compiler_destroy, also after a failure. */
int ecl_compiler_create(struct compiler *compiler, const struct workshop *shop,
    const eulercl_compilation *how, eulercl_error *error);
void ecl_compiler_destroy(struct compiler *compiler);
/* Run it with more arguments, which end with NULL; its messages are in shop->log, *result is as
 * waitpid leaves it. Errors: COMPILE (there is no compiler), CANCELLED, FILE, INTERNAL. */
int ecl_compiler_run(
    struct compiler *compiler, const char *const *more, int *result, eulercl_error *error);
/* Write a line about the program; a compiler that was replaced has another time. */
void ecl_compiler_describe(const struct compiler *compiler, char *line, size_t size);
#endif
