/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.h - a FILE.c becomes a plug-in. */
#ifndef EULERCL_COMPILE_H
#define EULERCL_COMPILE_H
#include "optimized.h"

/* Compile a problem's file into a new workshop. The plug-in is shop->library, and how->is_cached
 * and how->is_baseline are set. On failure there is no workshop. Where may_begin allows baseline
 * code, and the fast code is not there yet, *later is what compiles that, and owns the workshop;
 * else it is NULL. Errors: as of eulercl_problem_compile. */
int ecl_compile(const char *file, eulercl_compilation *how, int may_begin, struct workshop *shop,
    struct optimized **later, eulercl_error *error);
#endif
