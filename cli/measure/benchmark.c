/* SPDX-License-Identifier: BSD-2-Clause */
/* benchmark.c - the runs of eulercl bench: times, and ceilings of machines. */
#include "config.h"

#include "measure/benchmark.h"
#include "format/state.h"
#include "lib/text.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/problem.h"
#include "shared/processes.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARED_STEPS = 100 };

/* ---- measuring ---- */

/* The seconds that the steps take, by the wall clock and by the device's clock. */
static int time_steps(
    eulercl_solver *solver, int64_t steps, double *seconds, double *device_seconds) {
    eulercl_error error;
    const eulercl_stats before = stats_of(solver);
    if (eulercl_advance(solver, steps, &error)) return fail_library(&error);
    const eulercl_stats after = stats_of(solver);
    *seconds = after.kernel_seconds - before.kernel_seconds;
    *device_seconds = after.device_seconds - before.device_seconds;
    return check_interrupt();
}

/* Choose the number of whole launches that takes about this time. */
static int choose_steps(eulercl_solver *solver, double wanted, int64_t *steps) {
    const int64_t per_launch = (int64_t)stats_of(solver).steps_per_launch;
    int64_t tried = per_launch;
    for (;;) {
        double seconds = 0, device_seconds;
        const int status = time_steps(solver, tried, &seconds, &device_seconds);
        if (status) return status;
        if (seconds > wanted / 4 || tried > MOST_STEPS / 8) {
            const double launches = wanted / fmax(seconds, 1e-9) * (double)(tried / per_launch);
            *steps =
                (int64_t)fmax(1, fmin(launches, (double)(MOST_STEPS / per_launch))) * per_launch;
            return EULERCL_OK;
        }
        tried *= seconds > wanted / 64 ? 2 : 8;
    }
}

static int compare_reals(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Create a solver and make the steps that are compared. The error is not printed. */
static int start(const struct system *system, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    int status = create_solver(system->problem, options, solver, error);
    catch_signals(); /* a driver may have installed handlers */
    if (status) return status;
    if (!(status = eulercl_set_initial_state(*solver, error)))
        status = eulercl_advance(*solver, COMPARED_STEPS, error);
    if (status) eulercl_solver_destroy(*solver);
    return status;
}

static int time_repeats(
    eulercl_solver *solver, const struct benchmark *bench, const struct job *job, struct row *row) {
    double *const seconds = calloc((size_t)bench->repeats, sizeof *seconds);
    const eulercl_stats before = stats_of(solver);
    int64_t steps = job->steps;
    int status = seconds == NULL ? fail(EULERCL_MEMORY, "no memory for the times") : EULERCL_OK;
    if (!status && steps == 0) status = choose_steps(solver, job->seconds, &steps);
    for (int64_t i = -1; i < bench->repeats && !status; i++) {
        double device_seconds;
        status = time_steps(
            solver, steps, &seconds[i < 0 ? 0 : i], &device_seconds); /* the first one warms up */
    }
    if (!status) {
        const size_t count = (size_t)bench->repeats;
        qsort(seconds, count, sizeof *seconds, compare_reals);
        row->kernel_seconds = seconds[0];
        row->median_seconds = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
        row->steps = (uint64_t)steps;
        /* OpenCL backends count the bytes; others move at least the state once in and once out. */
        row->stats = stats_of(solver);
        const eulercl_fact *const bytes = eulercl_find_fact(&row->stats, "global_bytes");
        row->component_step_bytes =
            bytes != NULL
                ? (double)(bytes->number - eulercl_find_fact(&before, "global_bytes")->number) /
                      (double)(row->stats.steps - before.steps) / (double)row->stats.n
                : 2 * (double)row->stats.precision;
    }
    free(seconds);
    return status;
}

/* Time the steps by the device's clock, with a second solver. */
static int time_on_device(const struct system *system, const struct benchmark *bench,
    const struct job *job, struct row *row) {
    eulercl_error error;
    eulercl_solver *solver;
    eulercl_options options = job->options;
    options.device_events = 1;
    int status = start(system, &options, &solver, &error);
    if (status) return fail_library(&error);
    for (int64_t i = -1; i < bench->repeats && !status; i++) {
        double seconds, device_seconds = 0;
        status = time_steps(solver, (int64_t)row->steps, &seconds, &device_seconds);
        if (i >= 0)
            row->device_seconds =
                fmin(i == 0 ? (double)INFINITY : row->device_seconds, device_seconds);
    }
    eulercl_solver_destroy(solver);
    return status;
}

/* The machine of a row. Its ceilings are measured when it is new. */
static int find_machine(struct report *bench, const eulercl_options *options, const struct row *row,
    struct machine **machine) {
    for (size_t i = 0; i < bench->n_machines; i++) {
        *machine = &bench->machines[i];
        if (strcmp((*machine)->device, row->device) == 0 &&
            strcmp((*machine)->device_id, row->device_id) == 0 &&
            (*machine)->threads == row->stats.threads &&
            (*machine)->ceilings.precision == row->stats.precision)
            return EULERCL_OK;
    }
    struct machine *const machines =
        realloc(bench->machines, (bench->n_machines + 1) * sizeof *machines);
    if (machines == NULL) return fail(EULERCL_MEMORY, "no memory for the machines");
    bench->machines = machines;
    *machine = &machines[bench->n_machines++];
    **machine = (struct machine){
        .threads = row->stats.threads, .ceilings.struct_size = sizeof(eulercl_ceilings)};
    snprintf((*machine)->device, sizeof(*machine)->device, "%s", row->device);
    snprintf((*machine)->driver, sizeof(*machine)->driver, "%s", row->driver);
    snprintf((*machine)->device_id, sizeof(*machine)->device_id, "%s", row->device_id);

    eulercl_options chosen = *options;
    eulercl_error error;
    char threads[24];
    chosen.backend = row->backend;
    snprintf(threads, sizeof threads, "%" PRIu64, row->stats.threads);
    if (row->stats.threads > 0) eulercl_options_set(&chosen, "threads", threads, NULL);
    /* The limits of several devices together are not measured. */
    int is_known = chosen.devices == NULL;
    if (is_known && eulercl_measure_ceilings(&chosen, &(*machine)->ceilings, &error)) {
        fail(error.code, "cannot measure the ceilings of %s: %s", row->device, error.message);
        is_known = 0;
    }
    if (!is_known) {
        (*machine)->ceilings.precision = row->stats.precision;
        (*machine)->ceilings.copy_bytes_per_second = (*machine)->ceilings.fma_per_second =
            (double)NAN;
    }
    return EULERCL_OK;
}

/* The facts of a run that are known before its times. */
static int describe(const struct system *system, const struct benchmark *bench,
    const struct job *job, eulercl_solver *solver, struct row *row) {
    void *const chunk = calloc(CHUNK, sizeof(double));
    if (chunk == NULL) return fail(EULERCL_MEMORY, "no memory for a part of the state");
    int status =
        stream_state(solver, system->info.n, job->options.precision, chunk, NULL, NULL, row->hash);
    free(chunk);
    describe_row(row, solver);
    struct configuration chosen =
        job->configuration == NULL ? (struct configuration){0} : *job->configuration;
    chosen.backend = row->backend;
    chosen.variant = *row->variant == '\0' ? NULL : row->variant;
    if (!status) status = name_configuration(&chosen, row->label, sizeof row->label);
    if (job->series != NULL)
        text_escape(job->series, "", row->series, sizeof row->series);
    else
        snprintf(row->series, sizeof row->series, "%s %s%s%s: %s", row->problem, row->precision,
            bench->report->n_methods > 1 ? " " : "",
            bench->report->n_methods > 1 ? method_of(&job->options).label : "", row->label);
    row->h = job->options.h;
    row->is_baseline = job->is_baseline;
    return status;
}

static int same_flush(const eulercl_stats *a, const eulercl_stats *b) {
    return a->flush_steps == b->flush_steps &&
           (a->flush_below == b->flush_below || (isnan(a->flush_below) && isnan(b->flush_below)));
}

static int same_system(const struct row *a, const struct row *b) {
    return strcmp(a->problem, b->problem) == 0 && a->stats.n == b->stats.n &&
           a->stats.precision == b->stats.precision && a->h == b->h &&
           strcmp(a->method, b->method) == 0 && a->stages == b->stages &&
           same_flush(&a->stats, &b->stats);
}

/* Compute what follows from the measured times and the rows before. */
static void derive(const struct report *bench, const struct machine *machine, struct row *row) {
    const double steps = (double)row->steps, n = (double)row->stats.n;
    row->us_per_step = 1e6 * row->kernel_seconds / steps;
    row->median_us_per_step = 1e6 * row->median_seconds / steps;
    row->device_us_per_step = 1e6 * row->device_seconds / steps;
    row->gcs_per_s = 1e-9 * n * steps / row->kernel_seconds;
    row->gstages_per_s =
        row->gcs_per_s * (double)row->stats.rhs_evaluations / (double)row->stats.steps;
    row->ns_per_component_step = 1 / row->gcs_per_s;
    row->copy_share = row->component_step_bytes * n * steps / row->kernel_seconds /
                      machine->ceilings.copy_bytes_per_second;
    row->ratio = row->is_baseline ? 1 : (double)NAN;
    row->bits = *row->hash == '\0' ? "not compared" : "first";
    for (size_t i = bench->n_rows; i-- > 0;) {
        const struct row *const other = &bench->rows[i];
        if (!same_system(row, other)) continue;
        if (*row->hash != '\0')
            row->bits = strcmp(row->hash, other->hash) == 0 ? "same"
                        : row->bits_guaranteed              ? "DIFFERENT"
                                                            : "not promised";
        if (other->is_baseline) row->ratio = row->gcs_per_s / other->gcs_per_s;
    }
}

/* Measure one run. If that succeeds, the report has one more row. */
static int measure(
    const struct benchmark *bench, const struct system *system, const struct job *job) {
    eulercl_error error;
    eulercl_solver *solver;
    struct machine *machine = NULL;
    struct row row, *place = NULL;
    begin_row(&row, &system->info, job->options.precision);
    int status = start(system, &job->options, &solver, &error);
    if (status) return fail_library(&error);
    status = describe(system, bench, job, solver, &row);
    if (!status) status = time_repeats(solver, bench, job, &row);
    eulercl_solver_destroy(solver);
    if (!status && *row.device_id != '\0') status = time_on_device(system, bench, job, &row);
    if (!status) status = find_machine(bench->report, &job->options, &row, &machine);
    if (status) return status;
    derive(bench->report, machine, &row);
    if ((place = add_row(bench->report)) == NULL)
        return fail(EULERCL_MEMORY, "no memory for the results");
    *place = row;
    return EULERCL_OK;
}

int measure_job(void *user, const struct system *system, const struct job *job) {
    struct benchmark *const bench = user;
    const int status = measure(bench, system, job);
    switch (status) {
    case EULERCL_NO_DEVICE:
    case EULERCL_UNSUPPORTED:
    case EULERCL_MEMORY: /* the message is printed; this machine cannot run it */
        bench->left_out = status;
        return EULERCL_OK;
    case EULERCL_NONFINITE:
    case EULERCL_COMPILE:
    case EULERCL_INTERNAL: /* the other runs are still useful */
        bench->failed = status;
        return EULERCL_OK;
    }
    return status;
}
