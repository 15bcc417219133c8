/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.h - a FILE.c becomes a plug-in. */
#ifndef EULERCL_COMPILE_H
#define EULERCL_COMPILE_H
#include "workshop.h"

/* Compile a problem's file into a new workshop. The plug-in is shop->library, and how->is_cached is
 * set. On failure there is no workshop. Errors: as of eulercl_problem_compile. */
int ecl_compile(
    const char *file, eulercl_compilation *how, struct workshop *shop, eulercl_error *error);
#endif
