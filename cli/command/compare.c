/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.c - eulercl compare: solve one problem in several configurations, and hold the results
 * against each other.
 *
 * Every configuration starts from the problem's initial state and makes the same steps. seq is
 * always among them, since the bits of the others are compared with its bits. A configuration that
 * does not work here is a row that says why. */
#include "config.h"

#include "command/commands.h"
#include "command/compare_options.h"
#include "measure/comparison.h"
#include "measure/configurations.h"
#include "measure/contrast.h"
#include "measure/sizes.h"
#include "report/report.h"
#include "report/rows.h"
#include "shared/arguments.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/list.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"
#include "shared/timespan.h"
#include "shared/tolerance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the configurations ---- */

/* seq comes first, since the others are compared with it. */
static int choose_configurations(
    struct compare_request *request, struct configurations *configurations) {
    static char everything[] = "all";
    size_t index;
    int status =
        add_configuration(configurations, &(struct configuration){.backend = "seq"}, &index);
    if (request->matrix.backends.count == 0 && request->options.backend == NULL && !status)
        status = split("--backends", everything, &request->matrix.backends);
    if (!status) status = list_configurations(&request->matrix, &request->options, configurations);
    if (request->matrix.baseline != NULL && !status)
        status = read_configuration(
            configurations, request->matrix.baseline, 0, &configurations->baseline);
    return status;
}

/* ---- the points of a sweep ---- */

struct comparing {
    struct compare_request *request;
    struct comparison run;
    int sweeps_parameter; /* SWEEP_NAME: of the problem, not of the options */
};

static int set_value(struct comparing *c, const char *text) {
    const struct compare_request *const request = c->request;
    struct point *const point = &c->run.point;
    eulercl_error error;
    int64_t size;
    int status = EULERCL_OK;
    switch (request->sweep) {
    case SWEEP_NOTHING:
        break;
    case SWEEP_SIZE:
        status = read_whole("--sizes", text, 1, INT64_MAX, &size);
        return !status ? set_nearest_size(c->run.problem, &c->run.info, size) : status;
    case SWEEP_STEPS:
        point->time.has_steps = 1;
        status = read_whole("--steps-list", text, 1, INT64_MAX, &point->time.steps);
        point->x = (double)point->time.steps;
        break;
    case SWEEP_H:
        point->time.has_h = 1;
        status = read_real("--h-list", text, &point->options.h);
        point->x = point->options.h;
        break;
    case SWEEP_TOL:
        status = read_tolerance("--tols", text, &point->options);
        point->x = point->options.rtol;
        break;
    case SWEEP_NAME:
        status = read_real(request->sweep_name, text, &point->x);
        if (!status && !c->sweeps_parameter)
            return set_option(request->sweep_name, text, &point->options);
        if (!status && eulercl_problem_set(c->run.problem, request->sweep_name, point->x, &error))
            return fail_library(&error);
        break;
    }
    return status;
}

static int set_point(struct comparing *c, size_t number, const struct method_choice *method) {
    const struct compare_request *const request = c->request;
    struct point *const point = &c->run.point;
    eulercl_error error;
    *point = (struct point){.number = number,
        .x = (double)NAN,
        .method = method,
        .options = request->options,
        .time = request->time};
    point->time.options = &point->options;
    const char *const value = request->sweep == SWEEP_NOTHING ? "" : request->values.items[number];
    int status = set_value(c, value);
    if (!status && eulercl_problem_get_info(c->run.problem, &c->run.info, &error))
        status = fail_library(&error);
    snprintf(point->label, sizeof point->label, "%s", value);
    if (request->sweep == SWEEP_SIZE) { /* the size that the problem has, not the requested one */
        point->x = (double)c->run.info.n;
        snprintf(point->label, sizeof point->label, "%" PRId64, c->run.info.n);
    }
    if (!status) status = apply_method(method, &point->options);
    if (!status && point->time.is_auto) status = choose_step(&point->time, c->run.problem, NULL);
    if (!status) status = settle_time(&point->time);
    expect_steps(&point->time);
    return status;
}

/* ---- all of them ---- */

/* Sort by point, then rows that ran before rows that failed, then by time. */
static int compare_rows(const void *a, const void *b) {
    const struct row *const x = a, *const y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if ((!x->status) != (!y->status)) return !x->status ? -1 : 1;
    if (!x->status && x->kernel_seconds != y->kernel_seconds)
        return x->kernel_seconds < y->kernel_seconds ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static int find_parameter(const struct comparing *c, const char *name) {
    eulercl_parameter parameter;
    for (size_t i = 0; i < c->run.info.parameters; i++)
        if (get_parameter(c->run.problem, i, &parameter) == EULERCL_OK &&
            strcmp(parameter.name, name) == 0)
            return 1;
    return 0;
}

/* Choose the axis, the baseline and the truth of the report. */
static void choose_report(struct comparing *c) {
    struct compare_request *const request = c->request;
    struct report *const compare = c->run.report;
    static const char *const names[] = {"", "n", "steps", "h", "rtol", ""};
    static const char *const kinds[] = {"", "size", "steps", "h", "tolerance", "parameter"};
    compare->sweep = request->sweep == SWEEP_NAME ? request->sweep_name : names[request->sweep];
    compare->sweeps = kinds[request->sweep];
    compare->baseline = c->run.configurations->list[c->run.configurations->baseline].label;
    compare->truth = request->reference != NULL                          ? request->reference
                     : c->run.info.has_exact && request->options.t0 == 0 ? "the exact solution"
                                                                         : NULL;
}

/* ---- the report ---- */

/* Does the parameter have another value at each point? */
static int is_swept(const struct comparing *c, const char *name) {
    eulercl_parameter size;
    if (c->request->sweep == SWEEP_SIZE)
        return find_size_parameter(c->run.problem, &c->run.info, &size) &&
               strcmp(size.name, name) == 0;
    return c->sweeps_parameter && strcmp(c->request->sweep_name, name) == 0;
}

static void describe_parameters(const struct comparing *c, FILE *file) {
    char number[32];
    for (size_t i = 0; i < c->run.info.parameters; i++) {
        eulercl_parameter parameter;
        if (get_parameter(c->run.problem, i, &parameter) || is_swept(c, parameter.name)) continue;
        fprintf(file, "%s%s = %s", ftell(file) > 0 ? ", " : "", parameter.name,
            real_text(parameter.value, number));
#ifdef HAVE_JANSSON
        json_object_set_new(c->run.report->json_parameters, parameter.name,
            json_number(parameter.value, parameter.integer));
#endif
    }
}

static void describe_steps(const struct comparing *c, int varies, FILE *file) {
    const struct point *const point = &c->run.point;
    const enum sweep_kind sweep = c->request->sweep;
    const int has_end = c->request->time.has_t_end;
    char number[32];
    if (sweep != SWEEP_STEPS && !point->time.has_t_end)
        fprintf(file, "%" PRId64 " steps ", point->time.steps);
    if (sweep != SWEEP_H && !(sweep == SWEEP_STEPS && has_end))
        fprintf(file, "%sh = %s ", ftell(file) > 0 ? "of " : "",
            point->time.is_auto && varies ? "auto" : real_text(point->options.h, number));
}

static void describe_tolerance(const struct comparing *c, FILE *file) {
    const eulercl_options *const options = &c->run.point.options;
    char number[32];
    if (c->request->sweep == SWEEP_TOL)
        fputs("steps to a tolerance ", file);
    else
        fprintf(file, "steps to the tolerance rtol = %s ", real_text(options->rtol, number));
    if (options->atol > 0) fprintf(file, "and atol = %s ", real_text(options->atol, number));
    for (int64_t i = 0; i < options->atol_count; i++)
        fprintf(file, "%s%s%s", i == 0 ? "and atol = " : ", ", real_text(options->atols[i], number),
            i + 1 == options->atol_count ? " " : "");
}

/* Steps and times, as far as all points share them. */
static void describe_span(const struct comparing *c, FILE *file) {
    const struct point *const point = &c->run.point;
    const enum sweep_kind sweep = c->request->sweep;
    const int has_end = c->request->time.has_t_end, has_methods = c->request->matrix.n_methods > 1,
              varies = sweep != SWEEP_NOTHING || has_methods;
    char number[32];
    if (point->options.rtol > 0)
        describe_tolerance(c, file);
    else
        describe_steps(c, varies, file);
    fprintf(file, "from t = %s", real_text(point->options.t0, number));
    if (has_end || (sweep != SWEEP_STEPS && (!varies || !point->time.is_auto)))
        fprintf(file, " to %.9g", end_of(point));
    if (!has_methods) fprintf(file, ", method %s", point->method->label);
}

/* Let the function write a text, to be freed. */
static int write_text(
    char **text, const struct comparing *c, void write(const struct comparing *c, FILE *file)) {
    size_t size;
    FILE *const file = open_memstream(text, &size);
    if (file != NULL) write(c, file);
    return file == NULL || fclose(file) != 0 ? fail(EULERCL_MEMORY, "no memory for the report")
                                             : EULERCL_OK;
}

static int describe_system(struct comparing *c) {
    struct report *const compare = c->run.report;
#ifdef HAVE_JANSSON
    compare->json_parameters = json_object();
#endif
    const int status = write_text(&compare->parameters, c, describe_parameters);
    return !status ? write_text(&compare->span, c, describe_span) : status;
}

/* All errors in the command line are found before the first run. */
static int prepare(struct comparing *c) {
    struct compare_request *const request = c->request;
    struct report *const compare = c->run.report;
    int status = EULERCL_OK;
    c->run.n_points = request->sweep == SWEEP_NOTHING ? 1 : request->values.count;
    c->sweeps_parameter = request->sweep == SWEEP_NAME && find_parameter(c, request->sweep_name);
    if (request->reference != NULL &&
        (request->sweep == SWEEP_SIZE ||
            (request->sweep == SWEEP_STEPS && !request->time.has_t_end) || c->sweeps_parameter))
        return fail(EULERCL_INVALID, "--reference holds one state, but %s needs one for each point",
            request->sweep_option);
    for (size_t i = 0; i < c->run.n_points; i++)
        for (size_t m = 0; m < request->matrix.n_methods && !status; m++)
            status = set_point(c, i, &request->matrix.methods[m]);
    if (!status && request->reference != NULL)
        status = check_reference(
            request->reference, c->run.problem, &c->run.info, end_of(&c->run.point));
    if (status) return status;

    choose_report(c);
    c->run.n_runs = c->run.n_points * request->matrix.n_methods * request->matrix.n_precisions *
                    c->run.configurations->count;
    compare->info = &c->run.info;
    compare->runs = request->runs;
    compare->n_methods = request->matrix.n_methods;
    compare->is_adaptive = request->options.rtol > 0;
    compare->has_h =
        request->time.is_auto && (compare->n_methods > 1 || request->sweep != SWEEP_NOTHING);
    status = describe_system(c);
    if (!status) status = check_errors(compare);
    compare->rows = calloc(c->run.n_runs, sizeof *compare->rows);
    return !status && compare->rows == NULL ? fail(EULERCL_MEMORY, "no memory for the results")
                                            : status;
}

/* The exit status that follows from the rows. */
static int conclude(const struct report *compare) {
    size_t different = 0, working = 0;
    int failed = EULERCL_OK;
    for (size_t i = 0; i < compare->n_rows; i++) {
        const int status = compare->rows[i].status;
        different += strcmp(compare->rows[i].bits, "DIFFERENT") == 0;
        working += !status;
        if (!failed && status == EULERCL_COMPILE) /* the message and the log are printed */
            failed = status;
        if (!failed && status == EULERCL_INTERNAL)
            failed = fail(status, "%s: %s", compare->rows[i].label, compare->rows[i].note);
    }
    if (different > 0)
        return fail(EULERCL_INTERNAL, "%zu of %zu rows differ from seq in their bits", different,
            compare->n_rows);
    if (!failed && working == 0)
        failed =
            fail(compare->rows[0].status, "%s: %s", compare->rows[0].label, compare->rows[0].note);
    return failed;
}

static int run_all(struct comparing *c) {
    struct report *const compare = c->run.report;
    int status = prepare(c);
    for (size_t i = 0; i < c->run.n_points; i++)
        for (size_t m = 0; m < c->request->matrix.n_methods && !status; m++) {
            status = set_point(c, i, &c->request->matrix.methods[m]);
            if (!status) status = run_point(&c->run);
        }
    free(c->run.truth);
    wipe_line();
    if (status) return status;
    qsort(compare->rows, compare->n_rows, sizeof *compare->rows, compare_rows);
    status = write_report(compare, c->request->choice.common.json);
    return !status ? conclude(compare) : status;
}

int compare_main(int argc, char **argv) {
    struct compare_request request = {.choice.common.command = "eulercl compare",
        .runs = 1,
        .time = {.options = &request.options, .steps = DEFAULT_STEPS}};
    struct report compare;
    struct configurations *const configurations = calloc(1, sizeof *configurations);
    int status = begin_report(&compare, "eulercl compare", argc, argv);
    eulercl_options_init(&request.options);
    request.choice.options = &request.options;
    request.report = &compare;
    if (!status && configurations == NULL)
        status = fail(EULERCL_MEMORY, "no memory for the command line");
    if (!status) status = parse_options(&compare_argp, argc, argv, &request);
    if (!status) {
        struct comparing comparing = {.request = &request,
            .run = {.configurations = configurations,
                .matrix = &request.matrix,
                .reference = request.reference,
                .report = &compare,
                .progress.terminal = can_show_progress()}};
        struct comparison *const run = &comparing.run;
        catch_signals();
        status = choose_configurations(&request, configurations);
        if (!status) status = open_problem(&request.choice, &run->problem, &run->info);
        if (!status) {
            status = run_all(&comparing);
            eulercl_problem_destroy(run->problem);
        }
        free(request.choice.settings);
    }
    free(request.matrix.backends.items);
    free(request.values.items);
    free(configurations);
    free_report(&compare);
    return status;
}
