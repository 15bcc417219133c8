/* options.h - the options that choose where and how a problem is solved.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include <argp.h>

#include "eulercl/eulercl.h"

/* The child's input is an eulercl_options; fields that are not given keep their values. */
extern const struct argp options_argp;
/* Set a field by its name, as in a list of runs. The text of a name must outlive the options. */
int set_option(const char *name, const char *text, eulercl_options *options);
const char *precision_name(enum eulercl_precision precision);
int read_precision(const char *what, const char *text, enum eulercl_precision *precision);

#endif
