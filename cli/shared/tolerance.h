/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - steps to a tolerance: --tol, and what it needs to know. */
#ifndef CLI_SHARED_TOLERANCE_H
#define CLI_SHARED_TOLERANCE_H

#include <argp.h>

#include "eulercl/eulercl.h"

/* The child's input is the eulercl_options. */
extern const struct argp tolerance_argp;
/* Put the options into it; begin_program does. */
void list_tolerance_options(void);
/* Set rtol from RTOL, rtol and atol from RTOL,ATOL, rtol and atols from RTOL,ATOL,ATOL... The list
 * lives until the next call. */
int read_tolerance(const char *what, const char *text, eulercl_options *options);
/* Do they fit together? To be called when all options were read. */
int check_tolerance(const eulercl_options *options);

#endif
