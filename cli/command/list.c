/* list.c - eulercl list: the built-in problems and the backends.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/json.h"
#include "shared/message.h"

#include <stdio.h>

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .children = children, .doc = "List the built-in problems and the backends."};

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
    json_t *const result = json_pack("{s:o, s:o}", "problems", problems, "backends", backends);
    if (!status) return json_print(result);
    json_decref(result);
    return status;
}
#endif

static int print_text(void) {
    eulercl_problem *problem;
    eulercl_problem_info info;
    eulercl_backend_info backend;
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
