/* SPDX-License-Identifier: BSD-2-Clause */
/* bench.h - what eulercl bench has measured, and its report. */
#ifndef CLI_REPORT_BENCH_H
#define CLI_REPORT_BENCH_H

#include "config.h"

#include "eulercl/eulercl.h"
#include "report/rows.h"

/* A machine that rows ran on, and its ceilings. */
struct bench_machine {
    char device[256], device_id[32], driver[256];
    uint64_t threads;          /* 0: an OpenCL device */
    eulercl_ceilings ceilings; /* NaN: not measured */
};

struct bench {
    const char *command; /* as the user wrote it */
    char date[32];
    struct row *rows;
    size_t n_rows;
    struct bench_machine *machines;
    size_t n_machines;
    int has_methods; /* several: they have a column */
    /* status of a run that failed although others did not; EULERCL_OK: no run failed */
    int failed;
};

void print_bench_table(const struct bench *bench);
#ifdef HAVE_JANSSON
int print_bench_json(const struct bench *bench);
#endif
int write_bench_csv(const struct bench *bench, const char *path);
/* FILE.svg by gnuplot, from FILE.gp and FILE.csv, which stay. */
int draw_bench_picture(const struct bench *bench, const char *path);

#endif
