/* SPDX-License-Identifier: BSD-2-Clause */
/* json.h - values in JSON, by Jansson.
 *
 * A result is a json_t * until it is printed; NULL represents a value that could not be built.
 * Without Jansson all values are NULL, and --json is refused. */
#ifndef CLI_SHARED_JSON_H
#define CLI_SHARED_JSON_H

#include "config.h"

#include "eulercl/eulercl.h"

#ifdef HAVE_JANSSON
#include <jansson.h>
#else
typedef struct json_t json_t;
typedef long long json_int_t;
static inline json_t *no_json(const char *unused, ...) { return (void)unused, NULL; }
static inline int no_result(const char *unused, ...) { return (void)unused, 0; }
#define json_pack no_json
#define json_null() no_json("")
#define json_array() no_json("")
#define json_object() no_json("")
#define json_boolean(...) no_json("", __VA_ARGS__)
#define json_integer(...) no_json("", __VA_ARGS__)
#define json_real(...) no_json("", __VA_ARGS__)
#define json_string(...) no_json("", __VA_ARGS__)
#define json_stringn(...) no_json("", __VA_ARGS__)
#define json_array_append_new(...) no_result("", __VA_ARGS__)
#define json_object_set(...) no_result("", __VA_ARGS__)
#define json_object_set_new(...) no_result("", __VA_ARGS__)
#define json_object_update(...) no_result("", __VA_ARGS__)
#define json_dumpf(...) no_result("", __VA_ARGS__)
#define json_decref(...) no_result("", __VA_ARGS__)
#define JSON_INDENT(...) 0
#endif

json_t *json_number(double value, int integer);          /* null if JSON cannot express it */
json_t *json_count(uint64_t value);                      /* null for 0: does not apply */
json_t *json_text(const char *text);                     /* null for "" */
json_t *json_parameters(const eulercl_problem *problem); /* name: value */
int json_print(json_t *object); /* on standard output; takes the reference */

#endif
