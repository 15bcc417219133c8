/* SPDX-License-Identifier: BSD-2-Clause */
/* thinned.h - --thin and --smooth: files show a value for each block of points, which may be
 * smoothed before; the solver computes it where the state is. */
#ifndef CLI_FORMAT_THINNED_H
#define CLI_FORMAT_THINNED_H

#include "format/format.h"
#include "shared/hash.h"

struct thinned {
    int64_t n;         /* points along the edge of a block; 0: files show the state itself */
    int32_t mode;      /* enum eulercl_thin_mode */
    char text[32];     /* both, as in "8:mean"; "": all points are shown */
    int64_t smoothing; /* that of eulercl_thin; 0: points are not smoothed */
    /* Of the run: */
    struct layout layout; /* of the blocks, as if they were the points of a grid */
    eulercl_problem_info info;
    double *values; /* of one component */
    void *reals;    /* of all components, in the precision of the run */
    char hash[HASH_DIGITS + 1];
};

/* Read N or N:MODE. */
int read_thin(const char *text, struct thinned *thinned);
/* Read R. */
int read_smooth(const char *text, struct thinned *thinned);
/* Allocate memory. The layout is that of the whole state. */
int begin_thinned(struct thinned *thinned, const struct layout *layout);
/* Thin the present state of the solver. */
int take_thinned(struct thinned *thinned, eulercl_solver *solver);
/* Hand the thinned state to a file, by chunks. */
int add_thinned(const struct thinned *thinned, struct output *output);
void free_thinned(struct thinned *thinned);

#endif
