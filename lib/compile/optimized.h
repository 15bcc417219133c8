/* SPDX-License-Identifier: BSD-2-Clause */
/* optimized.h - the fast code of a FILE.c, which a thread compiles while a run makes steps with
 * baseline code. */
#ifndef EULERCL_COMPILE_OPTIMIZED_H
#define EULERCL_COMPILE_OPTIMIZED_H
#include "key.h"

struct optimized;
enum optimized_state {
    OPTIMIZED_WAITS, /* it has not begun, or is being compiled */
    OPTIMIZED_READY,
    OPTIMIZED_FAILED,
};

/* What compiles it in the workshop, which it owns from now on, as the key. Errors: MEMORY, FILE;
 * then it owns nothing. */
int ecl_optimized_create(const struct source *source, const eulercl_compilation *how,
    const struct workshop *shop, struct bytes *key, struct optimized **optimized,
    eulercl_error *error);
/* End the compiler if it runs, and remove the workshop. NULL is allowed. */
void ecl_optimized_destroy(struct optimized *optimized);

/* Begin to compile. Any thread may call it, more than once. */
void ecl_optimized_begin(struct optimized *optimized);
/* How far it is. The path of the plug-in that is ready is *library, and the reason of a failure
 * *why, if the pointers are not NULL. */
enum optimized_state ecl_optimized_get(
    struct optimized *optimized, const char **library, eulercl_error *why);
/* Begin, and return when it is ready or has failed. In a process that was forked: the fast code of
 * the process that has made this, if that has begun. */
void ecl_optimized_wait(struct optimized *optimized);

/* Runs have spent seconds in steps of baseline code; -> all such seconds. If they end before the
 * fast code is ready, the user's cache remembers them, */
double ecl_optimized_note(struct optimized *optimized, double seconds);
/* so that one of many short runs compiles the fast code before it begins: 1: now. */
int ecl_optimized_is_due(const struct bytes *key);
/* For tests: problems begin with baseline code, also where the fast code is in the cache. */
void ecl_optimized_force(int is_forced);
int ecl_optimized_is_forced(void);
#endif
