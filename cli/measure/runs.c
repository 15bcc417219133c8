/* runs.c - what eulercl bench and eulercl compare know of runs: lists, sizes, how a run was done.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "measure/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int split(const char *what, char *text, struct list *list) {
    char *rest;
    free(list->items);
    *list = (struct list){.items = calloc(strlen(text) + 1, sizeof *list->items)};
    if (list->items == NULL) return fail(EULERCL_MEMORY, "no memory for a list");
    for (char *item = strtok_r(text, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest))
        list->items[list->count++] = item;
    return list->count > 0 ? EULERCL_OK : fail(EULERCL_INVALID, "%s: the list is empty", what);
}

eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_get_stats(solver, &stats, NULL);
    return stats;
}

/* ---- sizes ---- */

int find_size_parameter(const eulercl_problem *problem, const eulercl_problem_info *info,
    eulercl_parameter *parameter) {
    for (size_t i = 0; i < info->parameters; i++)
        if (get_parameter(problem, i, parameter) == EULERCL_OK && parameter->integer) return 1;
    return 0;
}

/* Components with this value of the parameter; INT64_MAX for what is too large to be set. */
static int64_t size_with(eulercl_problem *problem, const char *name, double value) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    if (eulercl_problem_set(problem, name, value, NULL) ||
        eulercl_problem_get_info(problem, &info, NULL))
        return INT64_MAX;
    return info.n;
}

/* Sizes grow with their parameter. */
int set_nearest_size(eulercl_problem *problem, const eulercl_problem_info *info, int64_t wanted) {
    eulercl_error error;
    eulercl_parameter parameter;
    if (eulercl_problem_set_size(problem, wanted, &error) == EULERCL_OK) return EULERCL_OK;
    if (!find_size_parameter(problem, info, &parameter)) return fail_library(&error);
    double low = parameter.min, high = fmin(parameter.max, 0x1p53);
    while (high - low > 1) {
        const double middle = floor(low + (high - low) / 2);
        *(size_with(problem, parameter.name, middle) <= wanted ? &low : &high) = middle;
    }
    const int64_t below = size_with(problem, parameter.name, low),
                  above = size_with(problem, parameter.name, high);
    if (above == INT64_MAX || wanted - below <= above - wanted)
        size_with(problem, parameter.name, low);
    return EULERCL_OK;
}

/* ---- how a run was done ---- */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

void print_how(FILE *file, const eulercl_stats *stats, const char *storage, const char *plan) {
    if (stats->threads > 0)
        fprintf(file, "%" PRIu64 " thread%s", stats->threads, plural(stats->threads));
    else
        fprintf(file, "%" PRIu64 " x %" PRIu64 " items", stats->workgroups, stats->workgroup_size);
    if (stats->dia_blocks > 0)
        fprintf(file, ", %" PRIu64 " tile%s of %" PRIu64 " x %" PRIu64, stats->tiles,
            plural(stats->tiles), stats->dia_blocks, stats->block_size);
    if (stats->points_per_item > 0)
        fprintf(file, ", %" PRIu64 " x %" PRIu64 " points each", stats->points_per_item,
            stats->rows_per_item);
    if (stats->steps_per_launch > 1)
        fprintf(file, ", %" PRIu64 " steps a launch", stats->steps_per_launch);
    if (stats->persistent) fprintf(file, ", persistent");
    if (*storage != '\0') fprintf(file, ", %s", storage);
    if (*plan != '\0') fprintf(file, " (%s)", plan);
}
