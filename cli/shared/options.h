/* SPDX-License-Identifier: BSD-2-Clause */
/* options.h - the options that choose where and how a problem is solved. */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include <argp.h>

#include "eulercl/eulercl.h"

/* The child's input is an eulercl_options; fields that are not given keep their values. */
extern const struct argp options_argp;
/* Set a field by its name or a tuning parameter by its key, as in a list of runs. The text must
 * outlive the options. */
int set_option(const char *name, const char *text, eulercl_options *options);
/* Set any option of the library; messages begin with `what` in place of the name. */
int set_option_of(const char *what, const char *name, const char *text, eulercl_options *options);
/* Put the options into options_argp; begin_program does. */
void list_options(void);
enum { MOST_FIELDS = 64 }; /* more than the library lists */
/* The library's fields that are for steps to a tolerance, or the others, as options that
 * parse_option reads: -> how many. */
size_t list_fields(struct argp_option *list, int are_for_tolerance, int group);
error_t parse_option(int key, char *argument, struct argp_state *state);
/* Tuning parameter number index; -> 0 past the last one. */
int next_tuning(size_t index, eulercl_tuning_info *info);
/* Method number index with this number of stages, as eulercl_get_method; -> 0 past the last one. */
int next_method(size_t index, int stages, eulercl_method_info *method);
/* The method with this name (NULL: the default one) and this number of stages (0: the fewest). */
int find_method(const char *name, int stages, eulercl_method_info *method);
/* The method of the options. If they leave the number of stages open, it is the number for which
 * the library estimates step sizes. */
enum { MODERATE_STAGES = 10 };
int find_moderate_method(const eulercl_options *options, eulercl_method_info *method);
/* Can the number of stages be chosen? */
int has_choice(const eulercl_method_info *method);
/* The variant that is set, or NULL. */
const char *variant_of(const eulercl_options *options);
const char *precision_name(enum eulercl_precision precision);

#endif
