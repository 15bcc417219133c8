/* SPDX-License-Identifier: BSD-2-Clause */
/* sizes.h - sizes of problems. */
#ifndef CLI_MEASURE_SIZES_H
#define CLI_MEASURE_SIZES_H

#include "eulercl/eulercl.h"

/* The parameter that sets the size: the first integer one; 0: there is none. */
int find_size_parameter(
    const eulercl_problem *problem, const eulercl_problem_info *info, eulercl_parameter *parameter);
/* Set the size that the problem has and that is nearest to the wanted one. */
int set_nearest_size(eulercl_problem *problem, const eulercl_problem_info *info, int64_t wanted);

#endif
