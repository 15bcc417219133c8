/* list.c - eulercl list: the built-in problems, the backends and the tuning parameters.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"

#include <inttypes.h>
#include <stdio.h>

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {.children = children,
    .doc = "List the built-in problems, the backends and the tuning parameters."};

/* Open built-in problem number index; *problem is NULL past the last one. */
static int next_problem(size_t index, eulercl_problem **problem, eulercl_problem_info *info) {
    eulercl_error error;
    const char *const name = eulercl_problem_name(index);
    *problem = NULL;
    info->struct_size = sizeof *info;
    if (name == NULL) return EULERCL_OK;
    if (eulercl_problem_open(name, problem, &error) ||
        eulercl_problem_get_info(*problem, info, &error))
        return fail_library(&error);
    return EULERCL_OK;
}

/* Returns 0 past the last one. */
static int next_backend(size_t index, eulercl_backend_info *backend) {
    backend->struct_size = sizeof *backend;
    return eulercl_get_backend(index, backend, NULL) == EULERCL_OK;
}

#ifdef HAVE_JANSSON
static json_t *tuning_json(void) {
    json_t *const list = json_array();
    eulercl_tuning_info info;
    for (size_t i = 0; next_tuning(i, &info); i++) {
        const int is_number = info.kind == EULERCL_NUMBER;
        json_t *const choices = info.choices == NULL ? json_null() : json_array();
        for (size_t c = 0; info.choices != NULL && info.choices[c] != NULL; c++)
            json_array_append_new(choices, json_string(info.choices[c]));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:s, s:b}", "key", info.key, "doc",
                      info.doc, "least", is_number ? json_integer(info.least) : json_null(), "most",
                      is_number ? json_integer(info.most) : json_null(), "choices", choices, "unit",
                      info.unit, "default", info.default_text, "backends", info.backends, "thesis",
                      info.is_thesis));
    }
    return list;
}

static int print_json(void) {
    json_t *const problems = json_array(), *const backends = json_array();
    eulercl_problem *problem;
    eulercl_problem_info info;
    eulercl_backend_info backend;
    int status;
    for (size_t i = 0; (status = next_problem(i, &problem, &info)) == EULERCL_OK && problem != NULL;
         i++) {
        json_array_append_new(
            problems, json_pack("{s:s, s:s}", "name", info.name, "title", info.title));
        eulercl_problem_destroy(problem);
    }
    for (size_t i = 0; next_backend(i, &backend); i++) {
        json_t *const variants = json_array();
        for (size_t v = 0; backend.variants[v] != NULL; v++)
            json_array_append_new(variants, json_string(backend.variants[v]));
        json_array_append_new(
            backends, json_pack("{s:s, s:s, s:o, s:b}", "name", backend.name, "doc", backend.doc,
                          "variants", variants, "opencl", backend.is_opencl));
    }
    json_t *const result = json_pack(
        "{s:o, s:o, s:o}", "problems", problems, "backends", backends, "tuning", tuning_json());
    if (!status) return json_print(result);
    json_decref(result);
    return status;
}
#endif

static void print_tuning(const eulercl_tuning_info *info) {
    printf("  %-18s  %s", info->key, info->doc);
    if (info->kind == EULERCL_NUMBER) printf("; %" PRId64 " to %" PRId64, info->least, info->most);
    for (size_t c = 0; info->choices != NULL && info->choices[c] != NULL; c++)
        printf("%s%s", c == 0 ? "; choices: " : ", ", info->choices[c]);
    if (*info->default_text != '\0') printf("; default: %s", info->default_text);
    printf("; backends: %s\n", info->backends);
}

static int print_text(void) {
    eulercl_problem *problem;
    eulercl_problem_info info;
    eulercl_backend_info backend;
    eulercl_tuning_info tuning;
    int status;
    puts("Problems");
    for (size_t i = 0; (status = next_problem(i, &problem, &info)) == EULERCL_OK && problem != NULL;
         i++) {
        printf("  %-17s  %s\n", info.name, info.title);
        eulercl_problem_destroy(problem);
    }
    puts("\nBackends");
    for (size_t i = 0; next_backend(i, &backend); i++) {
        printf("  %-17s  %s", backend.name, backend.doc);
        for (size_t v = 0; backend.variants[v] != NULL; v++)
            printf("%s%s", v == 0 ? "; variants: " : ", ", backend.variants[v]);
        putchar('\n');
    }
    puts("\nTuning parameters");
    for (size_t i = 0; next_tuning(i, &tuning); i++) print_tuning(&tuning);
    return status;
}

int list_main(int argc, char **argv) {
    struct common common = {.command = "eulercl list"};
    const int status = parse_options(&argp, argc, argv, &common);
    if (status) return status;
#ifdef HAVE_JANSSON
    if (common.json) return print_json();
#endif
    return print_text();
}
