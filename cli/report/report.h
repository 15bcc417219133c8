/* SPDX-License-Identifier: BSD-2-Clause */
/* report.h - what eulercl bench or eulercl compare has measured: a table, JSON, CSV, and the plots
 * and pages that a script makes of it. */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include "eulercl/eulercl.h"
#include "report/rows.h"
#include "shared/json.h"
#include "shared/list.h"

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

#endif
