/* SPDX-License-Identifier: BSD-2-Clause */
/* function_work.h - how long the functions take that a right-hand side calls. */
#ifndef EULERCL_FUNCTION_WORK_H
#define EULERCL_FUNCTION_WORK_H
#include "../run/backend.h"
#include "lexer.h"

/* The work of the functions of ode_math.h that the right-hand side calls at a point, in units of an
 * exp. A call in a condition counts, too, but a time factor does not (time_factors.h). And of one
 * call, of whose preprocessed words all but one have none. */
double ecl_function_work(const struct ode_problem *definition);
double ecl_function_work_of(struct token word);
/* That, and what else of the text decides how long it takes. */
struct text_work ecl_text_work(const struct ode_problem *definition);
#endif
