/* choice.h - the method that takes the least work for a tolerance: see doc/design/tolerance.md.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef EULERCL_CHOICE_H
#define EULERCL_CHOICE_H
#include "method.h"

enum { CHOICE_TEXT = sizeof((struct system *)0)->why_method };
/* Choose by the problem's initial state and the tolerance in `system`. reason: one line. Without an
 * initial state it is a method for any problem. Errors: NONFINITE, MEMORY. */
int eulercl_choose_method(const eulercl_problem *problem, const struct system *system, double t,
    const struct method_family **family, char reason[CHOICE_TEXT], eulercl_error *error);
#endif
