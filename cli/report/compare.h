/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.h - what eulercl compare has found, and its report. */
#ifndef CLI_REPORT_COMPARE_H
#define CLI_REPORT_COMPARE_H

#include "config.h"

#include "eulercl/eulercl.h"
#include "report/rows.h"
#include "shared/json.h"

/* A picture of the state, as a PNG file has it. */
struct compare_picture {
    char title[128];
    char *png;
    size_t size;
};

struct compare {
    const char *command; /* as the user wrote it */
    char date[32];
    const eulercl_problem_info *info;
    char *parameters; /* parameters of the problem, without the swept one: "name = value, ..." */
#ifdef HAVE_JANSSON
    json_t *json_parameters; /* the same parameters */
#endif
    char *span;              /* steps and times, as far as all points share them */
    const char *sweep;       /* name of the swept quantity; "": nothing is swept */
    const char *sweep_label; /* label of its axis */
    const char *baseline;    /* the label of a row */
    /* name of the solution that errors are measured against; NULL: errors are not measured */
    const char *truth;
    int64_t runs;
    int has_methods;  /* there are several methods, which have a column */
    int has_h;        /* the rows have step sizes of their own, which have a column */
    int is_adaptive;  /* steps to a tolerance: their numbers have columns */
    int sweeps_steps; /* the swept quantity determines the steps, and so the accuracy */
    struct row *rows; /* rows by point, then by time */
    size_t n_rows;
    struct compare_picture *pictures;
    size_t n_pictures;
};

/* ---- compare_report.c ---- */

/* The columns of tables, on the terminal and in the page. */
enum { MOST_COLUMNS = 20 };
void list_table_columns(const struct compare *compare, struct table_column table[MOST_COLUMNS]);
void print_compare_table(const struct compare *compare);
#ifdef HAVE_JANSSON
int print_compare_json(const struct compare *compare);
#endif
void print_compare_csv(FILE *file, const void *compare);
int write_compare_csv(const struct compare *compare, const char *path);
/* The number of rows that ran, and of those whose bits differ from seq's. */
size_t count_working(const struct compare *compare);
size_t count_different(const struct compare *compare);
void print_compare_provenance(FILE *file, const char *before, const void *compare);

/* ---- compare_plots.c ---- */

/* When a plot is part of the report; the values can be combined. */
enum { WITHOUT_SWEEP = 1, IN_SWEEP = 2, IN_SWEEP_OF_STEPS = 4 }; /* their number, h, rtol */

/* A kind of plot: what it shows. */
struct plot_kind {
    const char *name;
    const char *title;          /* a heading */
    const char *column, *label; /* column and label of the y axis, or of the bars without a sweep */
    size_t offset;              /* offset of the column in the row */
    int is_time;                /* values are in seconds */
    int needs_truth, needs_sweep;
    int in_report;
};
extern const struct plot_kind plot_kinds[]; /* ends with a NULL name */
const struct plot_kind *find_plot_kind(const char *name);
/* Read [KIND:]FILE; kind is NULL if none is given. */
const char *read_plot(const char *text, const struct plot_kind **kind);
/* Can this comparison have the plot? Returns NULL, or the reason why not. */
const char *lacks_plot(const struct plot_kind *kind, int is_sweep, int has_truth);
/* Is there a value to draw? Logarithmic axes show only values above 0. */
int has_plot(const struct compare *compare, const struct plot_kind *kind);
/* width: pixels */
int draw_compare_plot(const struct compare *compare, const char *option,
    const struct plot_kind *kind, const char *path, int width);

/* ---- compare_html.c ---- */

int write_compare_html(const struct compare *compare, const char *path);

#endif
