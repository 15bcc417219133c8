/* SPDX-License-Identifier: BSD-2-Clause */
/* volume.h - a box of values as a cloud, seen from the front, the right and above. */
#ifndef CLI_FORMAT_VOLUME_H
#define CLI_FORMAT_VOLUME_H

#include "format/canvas.h"
#include "format/cells.h"

/* Where the box is on the canvas: from the numbers of cells to pixels. */
struct sight {
    double x, y, zoom; /* the pixel of the box's middle, pixels per cell */
    double middle[AXES];
};

/* The width and the height of the box, in cells. */
void measure_box(const struct cells *cells, double *width, double *height);
/* Draw the box with its axes, and the values in it: the nearer one is to greatest, the less can be
 * seen through it. */
void draw_box(cairo_t *cr, const struct sight *sight, const struct cells *cells,
    const int64_t extents[AXES], double least, double greatest);

#endif
