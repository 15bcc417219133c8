/* SPDX-License-Identifier: BSD-2-Clause */
/* json.h - values in JSON; compiled only with Jansson.
 *
 * A result is a json_t * until it is printed; NULL represents a value that could not be built. */
#ifndef CLI_SHARED_JSON_H
#define CLI_SHARED_JSON_H

#include "config.h"

#ifdef HAVE_JANSSON
#include <jansson.h>

#include "eulercl/eulercl.h"

json_t *json_number(double value, int integer);          /* null if JSON cannot express it */
json_t *json_count(uint64_t value);                      /* null for 0: does not apply */
json_t *json_text(const char *text);                     /* null for "" */
json_t *json_parameters(const eulercl_problem *problem); /* name: value */
int json_print(json_t *object); /* on standard output; takes the reference */
#endif

#endif
