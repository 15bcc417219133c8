/* SPDX-License-Identifier: BSD-2-Clause */
/* extraction.h - --extract: a list of the points that satisfy a condition, as a file. */
#ifndef CLI_FORMAT_EXTRACTION_H
#define CLI_FORMAT_EXTRACTION_H

#include "eulercl/eulercl.h"

struct extraction {
    const char *condition; /* as in "0 > 0.5"; NULL: nothing is extracted */
    const char *path; /* FILE.npy or FILE.csv, of the final state, or with a number of snapshots */
};

/* Do the options fit together? To be called when all were read. */
int check_extraction(const struct extraction *extraction, int has_snapshots);
/* Write the list of the present state. number: of the snapshot. */
int write_extraction(const struct extraction *extraction, const eulercl_problem_info *info,
    eulercl_solver *solver, int64_t number);

#endif
