/* SPDX-License-Identifier: BSD-2-Clause */
/* sizes.h - sizes of problems. */
#ifndef CLI_MEASURE_SIZES_H
#define CLI_MEASURE_SIZES_H

#include "eulercl/eulercl.h"

/* The parameter that sets the size, which is the first integer one. Returns 0 if there is no
 * integer parameter. */
int find_size_parameter(
    const eulercl_problem *problem, const eulercl_problem_info *info, eulercl_parameter *parameter);
/* Set the nearest size to this one that the problem has. */
int set_nearest_size(eulercl_problem *problem, const eulercl_problem_info *info, int64_t wanted);

#endif
