/* SPDX-License-Identifier: BSD-2-Clause */
/* report.h - what eulercl bench or eulercl compare has measured: a table, JSON, CSV, and the plots
 * and pages that a script makes of it. */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include <stdio.h>

#include "eulercl/eulercl.h"
#include "shared/json.h"
#include "shared/arguments.h"

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
    char how[1000];
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

/* A machine that rows ran on, and its ceilings. */
struct machine {
    char device[256], device_id[32], driver[256];
    uint64_t threads;          /* 0: an OpenCL device */
    eulercl_ceilings ceilings; /* NaN: not measured */
};

struct report {
    const char *command; /* as the user wrote it */
    char date[32];
    struct row *rows; /* of compare: by point, then by time */
    size_t n_rows, n_methods;
    const char *csv; /* the file of --csv; NULL: none */
    struct list drawings;
    int has_page; /* a page is drawn, which shows pictures and the facts of each run */
    /* Of bench: */
    struct machine *machines;
    size_t n_machines;
    /* Of compare: */
    const eulercl_problem_info *info; /* NULL: the report is of bench */
    char *parameters;   /* parameters of the problem, without the swept one: "name = value, ..." */
    char *span;         /* steps and times, as far as all points share them */
    const char *sweep;  /* name of the swept quantity; "": nothing is swept */
    const char *sweeps; /* its kind: "size", "steps", "h", "tolerance", "parameter" or "" */
    const char *baseline; /* the label of a row */
    /* name of the solution that errors are measured against; NULL: errors are not measured */
    const char *truth;
    int64_t runs;
    int has_h;               /* the rows have step sizes of their own, which have a column */
    int is_adaptive;         /* steps to a tolerance: their numbers have columns */
    json_t *json_parameters; /* the same parameters */
    json_t *pictures;        /* objects of a title and a PNG file in base64; NULL: none */
};

/* Begin the report of a command line; before options are read, since that changes them. */
int begin_report(struct report *report, const char *command, int argc, char **argv);
void free_report(struct report *report);
/* Add a row; rows that were added before move. */
struct row *add_row(struct report *report);

/* Have an option's file drawn by the script: --plot, --report, --svg. */
int add_drawing(struct report *report, const char *option, const char *text);
/* Find errors in these options, after all were read. */
int check_drawings(const struct report *report);
/* Plots of errors need errors and a sweep: asked when these are known. */
int check_errors(const struct report *report);
/* Fail if bits of rows differ; from: what they were compared with. */
int check_bits(const struct report *report, const char *from);
/* Print the table or JSON, and write the files. */
int write_report(const struct report *report, int as_json);

/* ---- script.c: eulercl-report, whose text is a part of the command ---- */

extern const unsigned char report_script[];
/* Run the script with these options. It prints its messages itself. csv: the file of --csv, or
 * NULL. document: what was measured; NULL: the script only finds errors in the options. */
int run_script(const struct list *options, const char *csv, const json_t *document);

/* ---- rows.c ---- */

/* Begin a row of a system without measurements. */
void begin_row(struct row *row, const eulercl_problem_info *info, enum eulercl_precision precision);
/* Fill in what the solver has chosen. */
void describe_row(struct row *row, const eulercl_solver *solver);
void print_table(const struct report *report);
void print_rows_csv(FILE *file, const struct report *report);
json_t *json_rows(const struct report *report);

#endif
