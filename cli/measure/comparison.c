/* SPDX-License-Identifier: BSD-2-Clause */
/* comparison.c - the runs of eulercl compare: times, bits and errors of each configuration. */
#include "config.h"

#include "measure/comparison.h"
#include "format/state.h"
#include "measure/configurations.h"
#include "measure/contrast.h"
#include "report/compare.h"
#include "report/rows.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/processes.h"
#include "shared/progress.h"
#include "shared/stop.h"
#include "shared/timespan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double end_of(const struct point *point) {
    return point->time.has_t_end ? point->time.t_end
                                 : point->options.t0 + (double)point->time.steps * point->options.h;
}

/* Compute the exact solution at this time, unless it is known. It starts at time 0. */
static int find_truth(struct comparison *c, double t) {
    eulercl_error error;
    if (c->reference != NULL || c->compare->truth == NULL ||
        (c->truth != NULL && c->truth_time == t))
        return EULERCL_OK;
    if (c->truth == NULL) c->truth = calloc((size_t)c->info.n, sizeof *c->truth);
    if (c->truth == NULL) return fail(EULERCL_MEMORY, "no memory for the exact solution");
    c->truth_time = t;
    return eulercl_problem_exact(c->problem, t, EULERCL_DOUBLE, 0, c->info.n, c->truth, &error) ==
                   EULERCL_OK
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
    const struct origin origin = {.command = c->compare->command,
        .problem = c->problem,
        .info = &c->info,
        .options = options};
    struct origin dated = origin;
    struct facts facts;
    size_t size;
    memcpy(dated.date, c->compare->date, sizeof dated.date);
    int status = collect_facts(&dated, solver, &(struct ending){.hash = row->hash}, &facts);
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

static int advance(const struct point *point, eulercl_solver *solver, eulercl_error *error) {
    return point->time.has_t_end ? eulercl_advance_to(solver, point->time.t_end, NULL, error)
                                 : eulercl_advance(solver, point->time.steps, error);
}

/* Create a solver at the initial state; NULL if that fails. */
static int begin(const struct comparison *c, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    *solver = NULL;
    const int status = create_solver(c->problem, options, solver, error);
    catch_signals(); /* a driver may have installed handlers */
    return !status ? eulercl_set_initial_state(*solver, error) : status;
}

/* Some drivers compile at the first launch; PoCL does so for every size of work-groups. So make one
 * step, and start again with another solver. */
static int warm_up(const struct comparison *c, const eulercl_options *options,
    eulercl_solver **solver, double *seconds, eulercl_error *error) {
    const struct time_choice *const time = &c->point.time;
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
    c->seq = calloc((size_t)c->info.n, precision);
    if (c->seq != NULL) return EULERCL_OK;
    error->code = EULERCL_MEMORY;
    snprintf(error->message, sizeof error->message,
        "no memory for a second state of %" PRId64 " components", c->info.n);
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
        status = stream_state(
            solver, c->info.n, options->precision, c->chunk, take_chunk, contrast, row->hash);
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
    return c->report != NULL ? keep_facts(c, options, solver, row) : EULERCL_OK;
}

/* Run once. contrast->keep: this is seq, whose state is kept. */
static int run_once(struct comparison *c, const eulercl_options *options, int is_first,
    struct contrast *contrast, struct row *row) {
    eulercl_error error;
    eulercl_solver *solver = NULL;
    const int has_pictures = contrast->keep && c->report != NULL && c->compare->n_pictures == 0 &&
                             c->point.number + 1 == c->n_points;
    double start = wall_clock();
    int status = begin(c, options, &solver, &error), drawn = EULERCL_OK;
    double total = wall_clock() - start;
    const int is_opencl = !status && stats_of(solver).threads == 0;
    if (is_first && is_opencl) status = warm_up(c, options, &solver, &total, &error);
    if (!status && contrast->keep) status = keep_seq(c, options->precision, &error);
    if (!status && has_pictures) drawn = draw_states(c, solver, "initial");
    c->progress.start = start = wall_clock();
    if (!status && !drawn) status = advance(&c->point, solver, &error);
    total += wall_clock() - start;
    wipe_line();
    if (status)
        status = give_up(row, &error);
    else if (!drawn)
        status = take_result(c, options, solver, total, contrast, row);
    if (!status && !row->status && !drawn && has_pictures) drawn = draw_states(c, solver, "final");
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

static int run_configuration(struct comparison *c, size_t w, enum eulercl_precision precision) {
    const struct configuration *const configuration = &c->configurations->list[w];
    struct compare *const compare = c->compare;
    struct row *const row = &compare->rows[compare->n_rows++];
    struct contrast contrast = {.precision = precision};
    eulercl_options options = c->point.options;
    const struct method_choice *const method = c->point.method;
    const int has_precisions = c->matrix->n_precisions > 1, has_methods = c->matrix->n_methods > 1;
    int status = apply_configuration(configuration, &options);
    begin_row(row, &c->info, precision);
    row->x = c->point.x;
    if (options.rtol > 0)
        row->rtol = options.rtol;
    else
        row->h = options.h;
    row->is_baseline = w == c->configurations->baseline;
    row->at = c->point.number;
    row->order = compare->n_rows - 1;
    snprintf(row->point, sizeof row->point, "%s", c->point.label);
    snprintf(row->label, sizeof row->label, "%s", configuration->label);
    snprintf(row->series, sizeof row->series, "%s%s%s%s%s", configuration->label,
        has_precisions ? " " : "", has_precisions ? row->precision : "", has_methods ? " " : "",
        has_methods ? method->label : "");
    snprintf(row->asked_method, sizeof row->asked_method, "%s",
        method->name == NULL ? "auto" : method->name);
    snprintf(row->method, sizeof row->method, "%s", method->name == NULL ? "" : method->name);
    row->stages = (uint64_t)options.stages;
    snprintf(row->backend, sizeof row->backend, "%s", configuration->backend);
    snprintf(row->variant, sizeof row->variant, "%s",
        configuration->variant == NULL ? "" : configuration->variant);
    options.precision = precision;
    options.observer = show_progress;
    options.observer_user = &c->progress;
    c->progress.last_step = &options.expected_steps;
    c->progress.t0 = options.t0;
    c->progress.t_end = end_of(&c->point);
    if (c->progress.terminal) {
        char line[256];
        snprintf(line, sizeof line, "%zu of %zu: %.200s", compare->n_rows, c->n_runs, row->series);
        show_line(line);
    }
    for (int64_t r = 0; r < c->compare->runs && !status && !row->status; r++) {
        contrast.keep = w == 0 && r == 0;
        status = run_once(c, &options, r == 0, &contrast, row);
    }
    if (w == 0) c->seq_status = row->status;
    judge(c, w == 0, &contrast, row);
    row->status_name = eulercl_status_name(row->status);
    return status;
}

static int run_precision(struct comparison *c, enum eulercl_precision precision) {
    int status = EULERCL_OK;
    const int64_t n = c->info.n;
    const size_t first = c->compare->n_rows;
    double baseline = (double)NAN;
    c->chunk = malloc((size_t)(n < CHUNK ? n : CHUNK) * precision);
    if (c->chunk == NULL) status = fail(EULERCL_MEMORY, "no memory for a part of the state");
    for (size_t w = 0; w < c->configurations->count && !status; w++)
        status = run_configuration(c, w, precision);
    for (size_t i = first; i < c->compare->n_rows; i++)
        if (c->compare->rows[i].is_baseline) baseline = c->compare->rows[i].kernel_seconds;
    for (size_t i = first; i < c->compare->n_rows; i++)
        c->compare->rows[i].ratio = baseline / c->compare->rows[i].kernel_seconds;
    free(c->seq);
    free(c->chunk);
    c->seq = c->chunk = NULL;
    return status;
}

int run_point(struct comparison *c) {
    int status = EULERCL_OK;
    if (!status && c->reference != NULL && c->truth == NULL)
        status = read_reference(c->reference, &c->info, &c->truth);
    for (size_t p = 0; p < c->matrix->n_precisions && !status; p++)
        status = run_precision(c, c->matrix->precisions[p]);
    if (c->reference == NULL) {
        free(c->truth);
        c->truth = NULL;
    }
    return status;
}
