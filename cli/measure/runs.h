/* runs.h - what eulercl bench and eulercl compare share: lists of runs, columns of figures,
 * pictures by gnuplot.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef RUNS_H
#define RUNS_H

#include "shared/cli.h"

/* ---- runs.c ---- */

struct list {
    char **items; /* to be freed; they point into the text */
    size_t count;
};
/* At commas, which become ends. */
int split(const char *what, char *text, struct list *list);

eulercl_stats stats_of(const eulercl_solver *solver);
/* The parameter that sets the size: the first integer one; 0: there is none. */
int find_size_parameter(
    const eulercl_problem *problem, const eulercl_problem_info *info, eulercl_parameter *parameter);
/* Of the problem's sizes the one that comes nearest. */
int set_nearest_size(eulercl_problem *problem, const eulercl_problem_info *info, int64_t wanted);
/* Tiles, items, threads that were chosen. The texts of stats need not be valid any more. */
void print_how(FILE *file, const eulercl_stats *stats, const char *storage, const char *plan);

/* ---- configurations.c: which backends, variants, tile options and precisions ---- */

/* --backends, --precisions, --baseline, --csv. The child's input is a struct matrix. */
struct matrix {
    struct list backends;
    enum eulercl_precision precisions[2];
    size_t n_precisions;
    char *baseline;
    const char *csv;
};
extern const struct argp matrix_argp;

enum { MOST_CONFIGURATIONS = 256, MOST_SETTINGS = 8 };
struct configuration {
    const char *backend, *variant; /* variant NULL: the backend's default */
    struct {
        const char *name, *value;
    } settings[MOST_SETTINGS];
    size_t n_settings;
    char label[160]; /* all of this in words */
};
struct configurations {
    struct configuration list[MOST_CONFIGURATIONS];
    size_t count, baseline;
};
/* Its number, in *index; it is not added twice. */
int add_configuration(struct configurations *configurations,
    const struct configuration *configuration, size_t *index);
/* BACKEND[:VARIANT][:OPTION=VALUE]...; cuts the text at the colons. The index is of the last that
 * was added. */
int read_configuration(
    struct configurations *configurations, char *text, int may_be_all, size_t *index);
/* Those that --backends lists. What is not listed, precisions too, is as the options say. */
int list_configurations(
    struct matrix *matrix, const eulercl_options *options, struct configurations *configurations);
int apply_configuration(const struct configuration *configuration, eulercl_options *options);
int name_configuration(const struct configuration *configuration, char *text, size_t size);
/* May a list of values be of this option, or does another option list it? */
int check_free(const char *what, const char *name);

/* ---- columns.c: rows as CSV and JSON ---- */

struct column {
    const char *name;
    enum column_kind {
        COLUMN_TEXT,
        COLUMN_POINTER,
        COLUMN_COUNT,
        COLUMN_REAL
    } kind;        /* char[], const char *, uint64_t, double */
    size_t offset; /* in the row */
};
struct sheet {
    const struct column *columns;
    size_t n_columns;
    const void *rows;
    size_t n_rows, row_size;
};
/* No field needs quotation marks. A real that is not finite is left empty. */
void print_csv(FILE *file, const struct sheet *sheet);
/* Where the subject comes from, `before` at the beginning of each line; the subject itself. */
typedef void describer(FILE *file, const char *before, const void *subject);
typedef void writer(FILE *file, const void *subject);
/* Both in a file, the first as comments. */
int write_csv(const char *path, describer *describe, writer *write, const void *subject);
#ifdef HAVE_JANSSON
json_t *json_text(const char *text); /* null for "" */
json_t *json_row(const struct sheet *sheet, size_t row);
#endif

/* ---- gnuplot.c: a picture, whose script FILE.gp and data FILE.csv stay beside it ---- */

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
