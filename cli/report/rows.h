/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.h - measured runs, as eulercl bench and eulercl compare report them: one type of row, and
 * one writer of tables, CSV and JSON. */
#ifndef CLI_REPORT_ROWS_H
#define CLI_REPORT_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "eulercl/eulercl.h"
#include "shared/json.h"

/* One configuration that solved one system. A number that was not measured is NaN, a text that does
   not apply is empty. */
struct row {
    /* The request: */
    char point[32], problem[128]; /* point: the swept value, and x as a number */
    double x;
    char label[160]; /* label of the configuration */
    /* series of a plot: the label, and what distinguishes its rows from others */
    char series[400];
    double h, rtol, atol;  /* h of steps of one size; rtol and atol of steps to a tolerance */
    char asked_method[32]; /* "auto": the library chooses it */
    char method[32];
    /* stages of a step; before they are known, the number that was asked for, or 0 */
    uint64_t stages;
    int is_baseline;
    size_t at;      /* the number of the point */
    size_t group;   /* number of the system, method and precision, which one baseline has */
    uint64_t order; /* the number of the run */
    /* The run: */
    char precision[8], backend[32], variant[32], plan[16];
    char device[256], device_id[32], driver[256];
    eulercl_stats stats; /* its texts are invalid */
    double t_end;
    uint64_t steps;
    /* how it ran: method if it was chosen, tiles, items and threads */
    char how[400];
    /* The reason if there are no numbers: */
    int status;
    const char *status_name;
    char note[600];
    /* The state: */
    char hash[17];
    int bits_guaranteed; /* the problem guarantees its bits */
    const char *bits; /* compared with another row: "first" or "seq" (the other row itself), "same",
                         "DIFFERENT", "not promised" (by the problem), "not compared" (in a command
                         without xxHash), "-" */
    double ulps, differing; /* the largest distance, and the number of components that differ */
    double error;           /* the largest distance to the exact solution or the reference */
    /* The time, the best of several: */
    double kernel_seconds, total_seconds, median_seconds, device_seconds;
    double control_seconds; /* control of steps to a tolerance, not a part of kernel_seconds */
    double us_per_step, median_us_per_step, device_us_per_step;
    double gcs_per_s, ns_per_component_step;
    double gstages_per_s;        /* 1e9 component-stages */
    double ratio;                /* the time of the baseline over this one */
    double component_step_bytes; /* bytes moved in global memory */
    double copy_share;           /* share of the bandwidth of copying */
    char *facts;                 /* all facts of the run, one a line; NULL: they are not kept */
};
/* Begin a row of a system without measurements. */
void begin_row(struct row *row, const eulercl_problem_info *info, enum eulercl_precision precision);
/* Fill in what the solver has chosen. */
void describe_row(struct row *row, const eulercl_solver *solver);

/* A column of CSV and JSON. */
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
#define ROW_TEXT(NAME, FIELD) \
    { NAME, COLUMN_TEXT, offsetof(struct row, FIELD) }
#define ROW_COUNT(NAME, FIELD) \
    { NAME, COLUMN_COUNT, offsetof(struct row, FIELD) }
#define ROW_REAL(NAME, FIELD) \
    { NAME, COLUMN_REAL, offsetof(struct row, FIELD) }
#define ROW_POINTER(NAME, FIELD) \
    { NAME, COLUMN_POINTER, offsetof(struct row, FIELD) }
/* The columns of what ran, in every list of columns. The facts that the backends list follow all
 * columns. */
/* clang-format off */
#define ROW_CONFIGURATION \
    ROW_TEXT("method", method), ROW_COUNT("stages", stages), \
    ROW_TEXT("device", device), ROW_TEXT("device_id", device_id), ROW_TEXT("driver", driver), \
    ROW_TEXT("backend", backend), ROW_TEXT("variant", variant), ROW_TEXT("plan", plan), \
    ROW_COUNT("threads", stats.threads), ROW_COUNT("steps_per_launch", stats.steps_per_launch)
/* clang-format on */

/* A column of the table on the terminal. The last column always says how a row ran. */
struct table_column {
    const char *heading; /* "": the column is left out */
    enum table_kind {
        TABLE_TEXT,
        TABLE_POINT, /* a text, aligned to the right */
        TABLE_BITS,
        TABLE_COUNT,
        TABLE_REAL,
        TABLE_PERCENT,
        TABLE_SECONDS
    } kind;
    size_t offset;
};

struct rows {
    const struct row *list;
    size_t count;
    const struct column *columns;
    size_t n_columns;
    const struct table_column *table; /* ends with a NULL heading */
    int is_ranked;                    /* the first row of each point is the fastest */
};
void print_rows(const struct rows *rows);
void print_rows_csv(FILE *file, const struct rows *rows);
json_t *json_rows(const struct rows *rows);

#endif
