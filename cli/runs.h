/* runs.h - what eulercl bench and eulercl compare share: lists of runs, columns of figures, pictures by gnuplot.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef RUNS_H
#define RUNS_H

#include "cli.h"

/* ---- runs.c ---- */

struct list {
    char **items;              /* to be freed; they point into the text */
    size_t count;
};
/* At commas, which become ends. */
int split(const char *what, char *text, struct list *list);

eulercl_stats stats_of(const eulercl_solver *solver);
/* The parameter that sets the size: the first integer one; 0: there is none. */
int find_size_parameter(const eulercl_problem *problem, const eulercl_problem_info *info, eulercl_parameter *parameter);
/* Of the problem's sizes the one that comes nearest. */
int set_nearest_size(eulercl_problem *problem, const eulercl_problem_info *info, int64_t wanted);
/* Tiles, items, threads that were chosen. The texts of stats need not be valid any more. */
void print_how(FILE *file, const eulercl_stats *stats, const char *storage, const char *plan);

/* ---- columns.c: rows as CSV and JSON ---- */

struct column {
    const char *name;
    enum column_kind { COLUMN_TEXT, COLUMN_POINTER, COLUMN_COUNT, COLUMN_REAL } kind;   /* char[], const char *, uint64_t, double */
    size_t offset;             /* in the row */
};
struct sheet {
    const struct column *columns;
    size_t n_columns;
    const void *rows;
    size_t n_rows, row_size;
};
/* No field needs quotation marks. A real that is not finite is left empty. */
void print_csv(FILE *file, const struct sheet *sheet);
#ifdef HAVE_JANSSON
json_t *json_text(const char *text);   /* null for "" */
json_t *json_row(const struct sheet *sheet, size_t row);
#endif

/* ---- gnuplot.c: a picture, whose script FILE.gp and data FILE.csv stay beside it ---- */

struct plot {
    const char *option;        /* as messages name it */
    const char *path;          /* FILE.svg or FILE.png */
    int width, height;         /* pixels */
    void (*describe)(FILE *file, const char *before, const void *subject);   /* where it comes from, in comments */
    void (*write_data)(FILE *file, const void *subject);
    void (*write_script)(FILE *file, const void *subject);                   /* what comes after the terminal and the style */
    const void *subject;
};
/* Asked before anything is measured: can a picture be drawn to this path? */
int check_plot(const char *option, const char *path, int png_too);
/* Is there a gnuplot? */
int check_gnuplot(const char *option);
int draw_plot(const struct plot *plot);
/* What the script of a plot is made of: lines over column x, one for each series, on logarithmic axes. Columns of FILE.csv, one of them `series`; gnuplot's formats. */
struct plot_axes {
    const char *x, *x_label, *x_format, *y, *y_label, *y_format;
    int linear_x;
};
void put_plot_lines(FILE *file, const struct plot_axes *axes, const char *const *series, size_t count);
/* A bar for each row. */
void put_plot_bars(FILE *file, size_t count, const char *column, const char *label, const char *format, const char *value_format);
/* In gnuplot's single quotes. */
void put_plot_text(FILE *file, const char *text);

#endif
