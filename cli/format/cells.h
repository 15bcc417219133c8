/* SPDX-License-Identifier: BSD-2-Clause */
/* cells.h - what a picture keeps of a state, which streams by: square blocks of points become one
 * cell each. */
#ifndef CLI_FORMAT_CELLS_H
#define CLI_FORMAT_CELLS_H

#include "format/format.h"
#include "format/state.h"

/* What a cell has of its points. */
enum fold { MEAN, GREATEST, LEAST_AND_GREATEST };

/* Cells along some axes of the grid. Of the other axes they have one plane, or all points. */
struct cells {
    enum fold fold;
    int64_t counts[AXES];  /* cells along each axis; 1 along one without cells */
    int64_t strides[AXES]; /* from cell to cell; 0 along one without cells */
    int64_t at[AXES];      /* the plane that is kept; -1: all points */
    double *values;        /* NaN: a cell of obstacles alone */
    int32_t *obstacles;    /* how many of them each cell has; NULL: the problem has none */
};

/* All cells of a picture, and where the state is that streams by. */
struct collection {
    int64_t extents[AXES], stride; /* of the grid; reals from point to point */
    int64_t block;                 /* points along the edge of a block */
    int64_t index[AXES];           /* the next point */
    unsigned char *marks;          /* of all points; NULL: the problem has no obstacles */
    int n_cells;
    struct cells cells[AXES];
};

/* The number of values of cells. */
int64_t count_values(const struct cells *cells);
/* How many points a cell, or a cell at the end of its row, has along an axis. */
int64_t points_in(int64_t cell, int64_t block, int64_t points);
void begin_cells(struct collection *all);
/* Reals first .. first + count - 1 of the state, called in order. */
void add_to_cells(struct collection *all, const struct layout *layout, int64_t first, int64_t count,
    const void *y);
/* Call it after the last one. */
void finish_cells(struct collection *all);

#endif
