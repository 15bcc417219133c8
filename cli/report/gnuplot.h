/* gnuplot.h - a picture by gnuplot, whose script FILE.gp and data FILE.csv stay beside it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_REPORT_GNUPLOT_H
#define CLI_REPORT_GNUPLOT_H

#include <stdio.h>

#include "report/csv.h"

struct plot {
    const char *option; /* as messages name it */
    const char *path;   /* FILE.svg or FILE.png */
    int width, height;  /* pixels */
    describer *describe;
    writer *write_data, *write_script; /* script: what comes after the terminal and the style */
    const void *subject;
};
/* Asked before anything is measured: can a picture be drawn to this path? */
int check_plot(const char *option, const char *path, int png_too);
/* As claim_output. FILE.csv is the same for all pictures, and for --csv. */
int claim_plot(const char *option, const char *path);
/* Is there a gnuplot? */
int check_gnuplot(const char *option);
int draw_plot(const struct plot *plot);
/* What the script of a plot is made of: lines, one for each series, on logarithmic axes. x and y
   are gnuplot's expressions of columns of FILE.csv, one of which is `series`. */
struct span {
    double least, greatest; /* both above 0; equal: not known */
};
void widen(struct span *span,
    double value); /* from zeros on; what no logarithmic axis takes is left out */
struct plot_axes {
    const char *x, *x_label, *x_format, *y, *y_label;
    struct span x_span, y_span;
    int linear_x, has_x_tics; /* has_x_tics: the script has set them */
};
void put_plot_lines(
    FILE *file, const struct plot_axes *axes, const char *const *series, size_t count);
/* A bar for each row. */
void put_plot_bars(FILE *file, size_t count, const char *figure, const char *label);
/* In gnuplot's single quotes. */
void put_plot_text(FILE *file, const char *text);

#endif
