/* SPDX-License-Identifier: BSD-2-Clause */
/* comparison.c - the runs of eulercl compare: times, bits and errors of each configuration. */
#include "config.h"

#include "measure/comparison.h"
#include "format/state.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/processes.h"
#include "shared/progress.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double end_of(const struct job *job) {
    return job->time.has_t_end ? job->time.t_end
                               : job->options.t0 + (double)job->time.steps * job->options.h;
}

/* Compute the exact solution at this time, unless it is known. It starts at time 0. */
static int find_truth(struct comparison *c, double t) {
    eulercl_error error;
    if (c->reference != NULL || c->report->truth == NULL ||
        (c->truth != NULL && c->truth_time == t))
        return EULERCL_OK;
    if (c->truth == NULL) c->truth = calloc((size_t)c->system->info.n, sizeof *c->truth);
    if (c->truth == NULL) return fail(EULERCL_MEMORY, "no memory for the exact solution");
    c->truth_time = t;
    return eulercl_problem_exact(c->system->problem, t, EULERCL_DOUBLE, 0, c->system->info.n,
               c->truth, &error) == EULERCL_OK
               ? EULERCL_OK
               : fail_library(&error);
}

/* These statuses end the command; others are reported in the row. */
static int is_fatal(int status) {
    return status == EULERCL_INVALID || status == EULERCL_FILE || status == EULERCL_CANCELLED;
}

static int give_up(struct row *row, const eulercl_error *error) {
    if (is_fatal(error->code)) return fail(error->code, "%s: %s", row->label, error->message);
    row->status = error->code;
    snprintf(row->note, sizeof row->note, "%s", error->message);
    if (error->log[0] != '\0') fail_library(error);
    return EULERCL_OK;
}

/* Keep the facts of the run for the report. */
static int keep_facts(const struct comparison *c, const eulercl_options *options,
    const eulercl_solver *solver, struct row *row) {
    struct origin origin = {.command = c->report->command,
        .problem = c->system->problem,
        .info = &c->system->info,
        .options = options};
    struct facts facts;
    size_t size;
    memcpy(origin.date, c->report->date, sizeof origin.date);
    int status = collect_facts(&origin, solver, &(struct ending){.hash = row->hash}, &facts);
    if (!status) {
        free(row->facts);
        row->facts = NULL;
        FILE *const file = open_memstream(&row->facts, &size);
        if (file != NULL) print_facts(file, "", &facts);
        if (file == NULL || fclose(file) != 0)
            status = fail(EULERCL_MEMORY, "no memory for the report");
    }
    free_facts(&facts);
    return status;
}

static int advance(const struct job *job, eulercl_solver *solver, eulercl_error *error) {
    return job->time.has_t_end ? eulercl_advance_to(solver, job->time.t_end, NULL, error)
                               : eulercl_advance(solver, job->time.steps, error);
}

/* Create a solver at the initial state; NULL if that fails. */
static int begin(const struct comparison *c, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    *solver = NULL;
    const int status = create_solver(c->system->problem, options, solver, error);
    catch_signals(); /* a driver may have installed handlers */
    return !status ? eulercl_set_initial_state(*solver, error) : status;
}

/* Some drivers compile at the first launch; PoCL does so for every size of work-groups. So make one
 * step, and start again with another solver. */
static int warm_up(const struct comparison *c, const eulercl_options *options,
    eulercl_solver **solver, double *seconds, eulercl_error *error) {
    const struct time_choice *const time = &c->job->time;
    const double start = wall_clock();
    int status = time->has_t_end ? eulercl_advance_to(*solver,
                                       fmin(time->t_end, options->t0 + options->h), NULL, error)
                                 : eulercl_advance(*solver, time->steps > 0, error);
    *seconds += wall_clock() - start;
    if (status) return status;
    eulercl_solver_destroy(*solver);
    return begin(c, options, solver, error);
}

/* Allocate memory for the state of seq, with which the others are compared. */
static int keep_seq(struct comparison *c, enum eulercl_precision precision, eulercl_error *error) {
    c->seq = calloc((size_t)c->system->info.n, precision);
    if (c->seq != NULL) return EULERCL_OK;
    error->code = EULERCL_MEMORY;
    snprintf(error->message, sizeof error->message,
        "no memory for a second state of %" PRId64 " components", c->system->info.n);
    error->log[0] = '\0';
    return error->code;
}

/* Compare the solver's state with that of seq. The row keeps the best time. */
static int take_result(struct comparison *c, const eulercl_options *options, eulercl_solver *solver,
    double total, struct contrast *contrast, struct row *row) {
    const eulercl_stats before = stats_of(solver);
    int status = find_truth(c, before.t);
    contrast->seq = c->seq;
    contrast->seq_works = !c->seq_status;
    contrast->truth = c->truth;
    if (!status)
        status = stream_state(solver, c->system->info.n, options->precision, c->chunk, take_chunk,
            contrast, row->hash);
    const eulercl_stats after = stats_of(solver);
    row->total_seconds =
        fmin(row->total_seconds, total + after.download_seconds - before.download_seconds);
    if (status || after.kernel_seconds >= row->kernel_seconds) return status;
    row->kernel_seconds = after.kernel_seconds;
    describe_row(row, solver);
    if (options->rtol > 0) {
        row->atol = after.atol;
        row->control_seconds = after.control_seconds;
    }
    row->gcs_per_s = 1e-9 * steps_rate(&row->stats);
    row->gstages_per_s = 1e-9 * stages_rate(&row->stats);
    row->ns_per_component_step = 1 / row->gcs_per_s;
    return c->report->has_page ? keep_facts(c, options, solver, row) : EULERCL_OK;
}

/* Run once. contrast->keep: this is seq, whose state is kept. */
static int run_once(struct comparison *c, const eulercl_options *options, int is_first,
    struct contrast *contrast, struct row *row) {
    eulercl_error error;
    eulercl_solver *solver = NULL;
    const int has_pictures = contrast->keep && c->report->has_page && !c->has_pictures &&
                             c->job->point + 1 == c->n_points;
    double start = wall_clock();
    int status = begin(c, options, &solver, &error), drawn = EULERCL_OK;
    double total = wall_clock() - start;
    const int is_opencl = !status && stats_of(solver).threads == 0;
    if (is_first && is_opencl) status = warm_up(c, options, &solver, &total, &error);
    if (!status && contrast->keep) status = keep_seq(c, options->precision, &error);
    if (!status && has_pictures) drawn = draw_states(c, solver, "initial");
    c->progress.start = start = wall_clock();
    if (!status && !drawn) status = advance(c->job, solver, &error);
    total += wall_clock() - start;
    wipe_line();
    if (status)
        status = give_up(row, &error);
    else if (!drawn)
        status = take_result(c, options, solver, total, contrast, row);
    if (!status && !row->status && !drawn && has_pictures) drawn = draw_states(c, solver, "final");
    c->has_pictures |= has_pictures;
    eulercl_solver_destroy(solver);
    return status ? status : drawn;
}

/* Compare with seq. The problem may not guarantee equal bits between devices. */
static void judge(
    const struct comparison *c, int is_seq, const struct contrast *contrast, struct row *row) {
    const int works = !row->status, seq_works = !c->seq_status;
    const int ends = works || row->status == EULERCL_NONFINITE,
              seq_ends = seq_works || c->seq_status == EULERCL_NONFINITE;
    const char *const other = row->bits_guaranteed ? "DIFFERENT" : "not promised";
    if (works && seq_works) {
        row->ulps = (double)contrast->ulps;
        row->differing = (double)contrast->differing;
        row->bits = contrast->differing > 0 ? other : is_seq ? "seq" : "same";
    } else if (works != seq_works && ends && seq_ends) {
        row->bits = other; /* only one of the two became infinite */
    }
    if (works && c->truth != NULL) row->error = contrast->error;
}

/* Begin the row of the job. */
static void describe_job(
    const struct comparison *c, const eulercl_options *options, struct row *row) {
    const struct job *const job = c->job;
    const struct configuration *const configuration = job->configuration;
    const struct method_choice *const method = job->method;
    const int has_precisions = c->matrix->n_precisions > 1, has_methods = c->matrix->n_methods > 1;
    begin_row(row, &c->system->info, options->precision);
    row->x = job->x;
    *(options->rtol > 0 ? &row->rtol : &row->h) = options->rtol > 0 ? options->rtol : options->h;
    row->is_baseline = job->is_baseline;
    row->at = job->point;
    row->group = c->group;
    row->order = c->report->n_rows - 1;
    snprintf(row->point, sizeof row->point, "%s", job->label);
    snprintf(row->label, sizeof row->label, "%s", configuration->label);
    snprintf(row->series, sizeof row->series, "%s%s%s%s%s", configuration->label,
        has_precisions ? " " : "", has_precisions ? row->precision : "", has_methods ? " " : "",
        has_methods ? method->label : "");
    snprintf(row->asked_method, sizeof row->asked_method, "%s",
        method->name == NULL ? "auto" : method->name);
    snprintf(row->method, sizeof row->method, "%s", method->name == NULL ? "" : method->name);
    row->stages = (uint64_t)options->stages;
    snprintf(row->backend, sizeof row->backend, "%s", configuration->backend);
    snprintf(row->variant, sizeof row->variant, "%s",
        configuration->variant == NULL ? "" : configuration->variant);
}

/* seq comes first in each group, and the truth belongs to a point. */
static int begin_group(struct comparison *c) {
    free(c->seq);
    c->seq = NULL;
    c->group++;
    if (c->reference != NULL && c->truth == NULL)
        return read_reference(c->reference, &c->system->info, &c->truth);
    if (c->reference == NULL && c->truth_point != c->job->point) {
        free(c->truth);
        c->truth = NULL;
        c->truth_point = c->job->point;
    }
    return EULERCL_OK;
}

int compare_job(void *user, const struct system *system, const struct job *job) {
    struct comparison *const c = user;
    struct contrast contrast = {.precision = job->options.precision};
    eulercl_options options = job->options;
    c->system = system;
    c->job = job;
    if (c->chunk == NULL) c->chunk = malloc(CHUNK * sizeof(double));
    struct row *const row = c->chunk == NULL ? NULL : add_row(c->report);
    if (row == NULL) return fail(EULERCL_MEMORY, "no memory for the results");
    int status = job->is_first ? begin_group(c) : EULERCL_OK;
    describe_job(c, &options, row);
    options.observer = show_progress;
    options.observer_user = &c->progress;
    c->progress.last_step = &options.expected_steps;
    c->progress.t0 = options.t0;
    c->progress.t_end = end_of(job);
    for (int64_t r = 0; r < c->report->runs && !status && !row->status; r++) {
        contrast.keep = job->is_first && r == 0;
        status = run_once(c, &options, r == 0, &contrast, row);
    }
    if (job->is_first) c->seq_status = row->status;
    judge(c, job->is_first, &contrast, row);
    row->status_name = eulercl_status_name(row->status);
    return status;
}

void end_comparison(struct comparison *c) {
    struct row *const rows = c->report->rows;
    for (size_t i = 0; i < c->report->n_rows; i++)
        for (size_t b = 0; b < c->report->n_rows; b++)
            if (rows[b].group == rows[i].group && rows[b].is_baseline)
                rows[i].ratio = rows[b].kernel_seconds / rows[i].kernel_seconds;
    free(c->seq);
    free(c->chunk);
    free(c->truth);
}
