/* SPDX-License-Identifier: BSD-2-Clause */
/* list.c - eulercl list: the built-in problems, the methods, the backends and the tuning
 * parameters. */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {.children = children,
    .doc = "List the built-in problems, the methods, the backends and the tuning parameters."};

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

/* ---- methods: the limits of those with a choice of stages are shown for the fewest, a moderate
 * number and the most ---- */

enum { SHOWN = 3 };

/* Method number index with each number of stages that is shown. Returns how many there are; 0 past
 * the last method. */
static int list_stages(size_t index, eulercl_method_info shown[SHOWN]) {
    if (!next_method(index, 0, &shown[0])) return 0;
    const int wanted[] = {MODERATE_STAGES, shown[0].most_stages};
    int count = 1;
    for (int i = 0; i < 2; i++)
        if (wanted[i] > shown[count - 1].stages && wanted[i] <= shown[0].most_stages &&
            next_method(index, wanted[i], &shown[count]))
            count++;
    return count;
}

static json_t *methods_json(void) {
    json_t *const list = json_array();
    eulercl_method_info shown[SHOWN];
    for (size_t i = 0, count; (count = (size_t)list_stages(i, shown)) > 0; i++) {
        const eulercl_method_info *const method = &shown[0];
        json_t *const limits = json_array();
        for (size_t s = 0; s < count; s++)
            json_array_append_new(
                limits, json_pack("{s:i, s:i, s:o, s:o}", "stages", shown[s].stages, "evaluations",
                            shown[s].evaluations, "real", json_number(shown[s].real_limit, 0),
                            "imaginary", json_number(shown[s].imaginary_limit, 0)));
        json_array_append_new(list,
            json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:b, s:o}", "name", method->name,
                "doc", method->doc, "source", method->source, "order", method->order,
                "least_stages", method->least_stages, "most_stages", method->most_stages, "arrays",
                method->arrays, "partitioned", method->is_partitioned, "tolerance",
                method->estimate_order > 0, "limits", limits));
    }
    return list;
}

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
    json_t *const result = json_pack("{s:o, s:o, s:o, s:o}", "problems", problems, "methods",
        methods_json(), "backends", backends, "tuning", tuning_json());
    if (!status) return json_print(result);
    json_decref(result);
    return status;
}

static void print_limits(const eulercl_method_info *shown, int count, int is_real) {
    char text[64] = "";
    double limit[SHOWN] = {0};
    int is_same = 1;
    for (int s = 0; s < count; s++) {
        limit[s] = is_real ? shown[s].real_limit : shown[s].imaginary_limit;
        is_same &= limit[s] == limit[0];
    }
    for (int s = 0; s < (is_same ? 1 : count); s++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.5g", s == 0 ? "" : " / ",
            limit[s]);
    printf("  %-24s", text);
}

static void print_methods(void) {
    eulercl_method_info shown[SHOWN];
    printf("\n%-19s  %5s  %-8s  %6s  %3s  %-24s  %-24s  %s\n", "Methods", "order", "stages",
        "arrays", "tol", "real axis", "imaginary axis", "for");
    for (size_t i = 0, count; (count = (size_t)list_stages(i, shown)) > 0; i++) {
        char stages[32];
        snprintf(stages, sizeof stages, "%d", shown[0].least_stages);
        if (has_choice(&shown[0]))
            snprintf(
                stages, sizeof stages, "%d to %d", shown[0].least_stages, shown[0].most_stages);
        printf("  %-17s  %5d  %-8s  %6d  %3s", shown[0].name, shown[0].order, stages,
            shown[0].arrays, shown[0].estimate_order > 0 ? "yes" : "");
        print_limits(shown, (int)count, 1);
        print_limits(shown, (int)count, 0);
        printf("  %s\n", shown[0].doc);
    }
    puts("Axes: the step size h is stable for eigenvalues lambda of the Jacobian on the negative "
         "real or on the imaginary axis\nup to |h lambda| = this; 0: for none; with a choice of "
         "stages: for the fewest / 10, if so few exist / the most.\ntol: the method estimates its "
         "errors, so it can be used with --tol.");
}

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
    print_methods();
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
    if (common.json) return print_json();
    return print_text();
}
