/* SPDX-License-Identifier: BSD-2-Clause */
/* settings.h - the settings of a problem's file: #define ODE_GRID 2 and others (settings.def). The
 * compiler ignores a setting with a wrong name, and most of those that come too late. */
#ifndef EULERCL_SETTINGS_H
#define EULERCL_SETTINGS_H
#include "../internal.h"
#include "lexer.h"

/* Verify each `#define` of a text whose name begins with ODE_: it is a setting, before the line
 * that includes ode_problem.h, or a macro of the author's own, which the text uses, or another file
 * that it includes. Errors: INVALID, with the number of the line. */
int ecl_verify_settings(struct lexer text, eulercl_error *error);
#endif
