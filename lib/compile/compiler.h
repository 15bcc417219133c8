/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler.h - calls of the C compiler. */
#ifndef EULERCL_COMPILER_H
#define EULERCL_COMPILER_H
#include "cache.h"
#include "workshop.h"
#include <sys/types.h>

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
/* is_baseline: for code that compiles soon. Errors: MEMORY, FILE. Free it with
 * ecl_compiler_destroy, also after a failure. */
int ecl_compiler_create(struct compiler *compiler, const struct workshop *shop,
    const eulercl_compilation *how, int is_baseline, eulercl_error *error);
void ecl_compiler_destroy(struct compiler *compiler);
/* Run it with more arguments, which end with NULL; its messages are in shop->log, *result is as
 * waitpid leaves it. Errors: COMPILE (there is no compiler), CANCELLED, FILE, INTERNAL. */
int ecl_compiler_run(
    struct compiler *compiler, const char *const *more, int *result, eulercl_error *error);
/* The arguments that make a plug-in of a source. */
enum { PLUGIN_ARGUMENTS = 6 };
void ecl_plugin_arguments(
    const struct workshop *shop, const char *source, const char *more[PLUGIN_ARGUMENTS]);
/* Start it in a process group of its own, so that a signal can reach all of its children.
 * The caller waits for the process. Errors: COMPILE (there is no compiler). */
int ecl_compiler_start(
    struct compiler *compiler, const char *const *more, pid_t *child, eulercl_error *error);
/* Write a line about the program; a compiler that was replaced has another time. */
void ecl_compiler_describe(const struct compiler *compiler, char *line, size_t size);
#endif
