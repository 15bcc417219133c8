/* SPDX-License-Identifier: BSD-2-Clause */
/* gnuplot.h - a picture by gnuplot, whose script FILE.gp and data FILE.csv stay beside it. */
#ifndef CLI_REPORT_GNUPLOT_H
#define CLI_REPORT_GNUPLOT_H

#include <stdio.h>

#include "report/csv.h"

struct plot {
    const char *option; /* its name in messages */
    const char *path;   /* FILE.svg or FILE.png */
    int width, height;  /* pixels */
    describer *describe;
    writer *write_data, *write_script; /* the script, after the terminal and the style */
    const void *subject;
};
/* Can a picture be drawn to this path? To be called before anything is measured. */
int check_plot(const char *option, const char *path, int png_too);
/* Claim the picture and its script. FILE.csv may be shared with other pictures and --csv. */
int claim_plot(const char *option, const char *path);
/* Can gnuplot be run? */
int check_gnuplot(const char *option);
int draw_plot(const struct plot *plot);
/* Scripts of plots: lines, one for each series, on logarithmic axes. x and y are gnuplot's
   expressions of columns of FILE.csv, which has a column `series`. */
struct span {
    double least, greatest; /* both greater than 0; equal: not known */
};
void widen(struct span *span,
    double value); /* starting from zeros; values that have no logarithm are ignored */
struct plot_axes {
    const char *x, *x_label, *x_format, *y, *y_label;
    struct span x_span, y_span;
    int linear_x, has_x_tics; /* has_x_tics: the script has set the tics */
};
void put_plot_lines(
    FILE *file, const struct plot_axes *axes, const char *const *series, size_t count);
/* Draw a bar for each row. */
void put_plot_bars(FILE *file, size_t count, const char *figure, const char *label);
/* Write the text in gnuplot's single quotes. */
void put_plot_text(FILE *file, const char *text);

#endif
