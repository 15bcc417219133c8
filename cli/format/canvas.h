/* SPDX-License-Identifier: BSD-2-Clause */
/* canvas.h - what pictures are drawn from: texts, axes, colours, and their scale. */
#ifndef CLI_FORMAT_CANVAS_H
#define CLI_FORMAT_CANVAS_H

#include <cairo.h>
#include <stdint.h>

enum {
    SCALE_WIDTH = 154, /* pixels that the scale of colours takes on the right */
    /* the least length of its bar, which else is the height of the image: room for three numbers */
    BAR_LEAST = 54,
    OBSTACLE_COLOUR = 0x9a9a9a,
};

/* A rectangle of pixels and the numbers at its edges. */
struct axes {
    double x, y, width, height; /* the upper left corner */
    double left, right, bottom, top;
};

double to_x(const struct axes *axes, double value);
double to_y(const struct axes *axes, double value);
/* Draw a text; the point (across, down) of its box, each 0 .. 1, lies at (x, y). */
void draw_text(cairo_t *cr, const char *text, double x, double y, double across, double down);
/* whole: ticks at whole numbers only (indices). */
void draw_axes(cairo_t *cr, const struct axes *axes, const char *x_name, const char *y_name,
    int whole_x, int whole_y);
/* The colour of a number from 0 to 1, as red, green and blue. */
uint32_t colour(double value);
/* The position of a value between least and greatest; NaN of NaN. */
double fraction(double value, double least, double greatest);
/* Draw an image of columns x rows colours, enlarged to the rectangle, row 0 at the bottom. A value
 * that is NaN is that of an obstacle. */
void draw_colours(cairo_t *cr, const struct axes *axes, int columns, int rows,
    double (*value)(int64_t, const void *), const void *data);
/* Draw the scale of colours on the right of a rectangle. */
void draw_scale(cairo_t *cr, const struct axes *beside, double least, double greatest);

#endif
