/* bench.h - what eulercl bench has measured, for its report.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_REPORT_BENCH_H
#define CLI_REPORT_BENCH_H

#include "config.h"

#include "eulercl/eulercl.h"

/* One run. A number that was not measured is NaN, a text that does not apply empty. The strings of
 * stats are not valid any more. */
struct bench_row {
    char series[320], configuration[160], problem[128];
    char device[256], device_id[32], driver[256], backend[32], variant[32], storage[16],
        distribution[16], plan[16];
    char precision[8], hash[17];
    const char
        *bits; /* compared with the first run of the same system: "first", "same", "DIFFERENT", "not
                  promised" (by the problem), "not compared" (in a command without xxHash) */
    int baseline;
    int bits_guaranteed;
    double h;
    eulercl_stats stats;
    uint64_t persistent, steps; /* of a repetition */
    double bytes_per_step;      /* moved in global memory */
    double best, median,
        device_seconds; /* of a repetition; by the wall clock, twice, and at best by the device's */
    /* derived: */
    double us_per_step, median_us_per_step, device_us_per_step, gcs_per_s, bytes_per_component_step,
        ratio, copy_share;
};

/* A machine that rows ran on, and its ceilings. */
struct bench_machine {
    char device[256], device_id[32], driver[256];
    uint64_t threads;          /* 0: an OpenCL device */
    eulercl_ceilings ceilings; /* NaN: not measured */
};

struct bench {
    const char *command; /* as the user wrote it */
    char date[32];
    struct bench_row *rows;
    size_t n_rows;
    struct bench_machine *machines;
    size_t n_machines;
    int failed; /* the status of a run that failed, though others did not; EULERCL_OK: none */
};

/* ---- bench_report.c ---- */

void print_bench_table(const struct bench *bench);
#ifdef HAVE_JANSSON
int print_bench_json(const struct bench *bench);
#endif
int write_bench_csv(const struct bench *bench, const char *path);
/* FILE.svg by gnuplot, from FILE.gp and FILE.csv, which stay. */
int draw_bench_picture(const struct bench *bench, const char *path);

#endif
