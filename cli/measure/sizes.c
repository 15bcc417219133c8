/* SPDX-License-Identifier: BSD-2-Clause */
/* sizes.c - sizes of problems. */
#include "config.h"

#include "measure/sizes.h"
#include "shared/message.h"
#include "shared/problem.h"

#include <math.h>

int find_size_parameter(const eulercl_problem *problem, const eulercl_problem_info *info,
    eulercl_parameter *parameter) {
    for (size_t i = 0; i < info->parameters; i++)
        if (get_parameter(problem, i, parameter) == EULERCL_OK && parameter->integer) return 1;
    return 0;
}

/* The number of components for this value of the parameter; INT64_MAX if it is too large. */
static int64_t size_with(eulercl_problem *problem, const char *name, double value) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    if (eulercl_problem_set(problem, name, value, NULL) ||
        eulercl_problem_get_info(problem, &info, NULL))
        return INT64_MAX;
    return info.n;
}

/* Bisection: the size grows with its parameter. */
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
