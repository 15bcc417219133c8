/* SPDX-License-Identifier: BSD-2-Clause */
/* json.c - values in JSON. */
#include "config.h"

#include "shared/json.h"
#include "lib/text.h"
#include "shared/message.h"
#include "shared/problem.h"

#include <math.h>
#include <stdio.h>

json_t *json_number(double value, int integer) {
    if (!isfinite(value)) return json_null();
    return integer && fabs(value) < 0x1p63 ? json_integer((json_int_t)value) : json_real(value);
}

json_t *json_count(uint64_t value) {
    return value == 0 ? json_null() : json_integer((json_int_t)value);
}

/* Names of files and devices may not be UTF-8. */
json_t *json_text(const char *text) {
    char escaped[4096];
    json_t *const value = *text == '\0' ? json_null() : json_string(text);
    if (value != NULL) return value;
    text_escape(text, "\n", escaped, sizeof escaped);
    return json_string(escaped);
}

json_t *json_parameters(const eulercl_problem *problem) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    json_t *const values = json_object();
    eulercl_problem_get_info(problem, &info, NULL);
    for (size_t i = 0; i < info.parameters; i++) {
        eulercl_parameter parameter;
        if (get_parameter(problem, i, &parameter) == EULERCL_OK)
            json_object_set_new(
                values, parameter.name, json_number(parameter.value, parameter.integer));
    }
    return values;
}

int json_print(json_t *object) {
    if (object == NULL)
        return fail(EULERCL_INTERNAL,
            "cannot build the JSON output: no memory, or a text that is not UTF-8");
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n'); /* a write error is found when standard output is closed */
    json_decref(object);
    return EULERCL_OK;
}
