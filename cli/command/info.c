/* SPDX-License-Identifier: BSD-2-Clause */
/* info.c - eulercl info: a problem with its parameters. */
#include "config.h"

#include "command/commands.h"
#include "shared/json.h"
#include "shared/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .children = children,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .doc = "Show a problem: size, access distance, grid, fields, parameters.",
};

/* The names of the sides, as ODE_SIDES has them. */
static const char *const side_names[][2] = {
    {"X_LOW", "X_HIGH"}, {"Y_LOW", "Y_HIGH"}, {"Z_LOW", "Z_HIGH"}};

static int have_rules_of_their_own(const eulercl_problem_info *info) {
    return info->boundary != NULL && strcmp(info->boundary, "sides") == 0;
}

static int print_json(const eulercl_problem *problem, const eulercl_problem_info *info) {
    json_t *const parameters = json_array(), *const extents = json_array(),
                  *const fields = json_array();
    for (int axis = 0; axis < info->rank; axis++)
        json_array_append_new(extents, json_integer((json_int_t)info->extents[axis]));
    json_t *const grid = json_pack("{s:i, s:o, s:i, s:s?}", "rank", info->rank, "extents", extents,
        "components", info->components, "boundary", info->boundary);
    if (have_rules_of_their_own(info)) {
        json_t *const sides = json_object();
        for (int axis = 0; axis < info->rank; axis++)
            for (int is_high = 0; is_high < 2; is_high++)
                json_object_set_new(sides, side_names[axis][is_high],
                    json_string(eulercl_problem_side(problem, axis, is_high)));
        json_object_set_new(grid, "sides", sides);
    }
    for (size_t i = 0; i < info->parameters; i++) {
        eulercl_parameter p;
        if (get_parameter(problem, i, &p) == EULERCL_OK)
            json_array_append_new(
                parameters, json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:s}", "name", p.name,
                                "value", json_number(p.value, p.integer), "default",
                                json_number(p.default_value, p.integer), "min",
                                json_number(p.min, p.integer), "max", json_number(p.max, p.integer),
                                "integer", p.integer, "unit", p.unit, "doc", p.doc));
    }
    for (size_t i = 0; i < info->fields; i++)
        json_array_append_new(fields, json_string(eulercl_problem_field_name(problem, i)));
    return json_print(json_pack("{s:s, s:s, s:I, s:I, s:o, s:b, s:b, s:b, s:o, s:o}", "name",
        info->name, "title", info->title, "n", (json_int_t)info->n, "access_distance",
        (json_int_t)info->access_distance, "grid", grid, "opencl", info->has_text, "exact_solution",
        info->has_exact, "bits_guaranteed", info->bits_guaranteed, "fields", fields, "parameters",
        parameters));
}

static int print_text(const eulercl_problem *problem, const eulercl_problem_info *info) {
    printf("%s: %s\n", info->name, info->title);
    printf("n                %" PRId64 " components\n", info->n);
    printf("access distance  %" PRId64 "\n", info->access_distance);
    printf("grid             ");
    for (int axis = 0; axis < info->rank; axis++)
        printf("%s%" PRId64, axis == 0 ? "" : " x ", info->extents[axis]);
    if (info->boundary == NULL)
        printf("none\n");
    else
        printf(" points of %d component%s, boundary: %s\n", info->components,
            info->components == 1 ? "" : "s", info->boundary);
    for (int axis = 0; have_rules_of_their_own(info) && axis < info->rank; axis++)
        for (int is_high = 0; is_high < 2; is_high++)
            printf("  %-6s         %s\n", side_names[axis][is_high],
                eulercl_problem_side(problem, axis, is_high));
    for (size_t i = 0; i < info->fields; i++)
        printf("%s%s%s", i == 0 ? "fields           " : ", ",
            eulercl_problem_field_name(problem, i), i + 1 == info->fields ? "\n" : "");
    printf("exact solution   %s\n", info->has_exact ? "yes" : "no");
    printf("OpenCL           %s\n", info->has_text ? "yes" : "no: the problem has no text");
    printf("same bits        %s\n",
        info->bits_guaranteed ? "everywhere"
                              : "not guaranteed: it calls functions that are not the library's");
    for (size_t i = 0; i < info->parameters; i++) {
        eulercl_parameter p;
        const int status = get_parameter(problem, i, &p);
        if (status) return status;
        printf("%s-p %s=%.15g%s%s  %s (default %.15g, %.15g to %.15g%s)\n",
            i == 0 ? "parameters\n  " : "  ", p.name, p.value, *p.unit ? " " : "", p.unit, p.doc,
            p.default_value, p.min, p.max, p.integer ? ", whole" : "");
    }
    return EULERCL_OK;
}

int info_main(int argc, char **argv) {
    /* Nothing is computed here: what a run in the default precision compiles will do. */
    struct problem_choice choice = {
        .common.command = "eulercl info", .compilation.precision = EULERCL_DOUBLE};
    eulercl_problem_info info;
    eulercl_problem *problem;
    int status = open_chosen(&argp, argc, argv, &choice, &choice, &problem, &info);
    if (status) return status;
    if (choice.common.json)
        status = print_json(problem, &info);
    else
        status = print_text(problem, &info);
    eulercl_problem_destroy(problem);
    return status;
}
