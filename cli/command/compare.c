/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.c - eulercl compare: solve one problem in several configurations, and hold the results
 * against each other.
 *
 * Every configuration starts from the problem's initial state and makes the same steps. seq is
 * always among them, since the bits of the others are compared with its bits. A configuration that
 * does not work here is a row that says why. */
#include "config.h"

#include "command/commands.h"
#include "measure/comparison.h"
#include "measure/configurations.h"
#include "measure/jobs.h"
#include "report/report.h"
#include "shared/arguments.h"
#include "shared/facts.h"
#include "shared/json.h"
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

/* ---- options ---- */

/* The swept quantity: nothing, the size, the steps, h, the tolerance, a parameter of the problem or
 * a field of the options. */
enum sweep_kind { SWEEP_NOTHING, SWEEP_SIZE, SWEEP_STEPS, SWEEP_H, SWEEP_TOL, SWEEP_NAME };

struct compare_request {
    struct problem_choice choice;
    eulercl_options options; /* with --tols the tolerance of the first point */
    struct time_choice time;
    struct matrix matrix;
    struct list values;
    enum sweep_kind sweep;
    const char *sweep_option, *sweep_name;
    const char *reference;
    struct report *report;
    int64_t runs;
};
enum {
    KEY_RUNS = 0x700,
    KEY_REFERENCE,
    KEY_SIZES,
    KEY_STEPS_LIST,
    KEY_H_LIST,
    KEY_TOLS,
    KEY_SWEEP,
    KEY_PLOT,
    KEY_REPORT,
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0,
        "What is compared (all backends; seq is always included, and is the default baseline):", 4},
    {"runs", KEY_RUNS, "N", 0, "solve N times with each configuration and report the best time (1)",
        4},
    {"reference", KEY_REFERENCE, "FILE", 0,
        "measure errors against this state in double precision, as eulercl-reference writes it: "
        "FILE.npy or FILE.h5[:DATASET] (the exact solution, if the problem has one)",
        4},
    {NULL, 0, NULL, 0, "Sweeps (at most one):", 5},
    {"sizes", KEY_SIZES, "N,...", 0,
        "numbers of components; the nearest sizes that the problem has are used", 5},
    {"steps-list", KEY_STEPS_LIST, "S,...", 0, "numbers of steps", 5},
    {"h-list", KEY_H_LIST, "H,...", 0, "step sizes, all to the same --t-end", 5},
    {"tols", KEY_TOLS, "RTOL,...", 0,
        "tolerances RTOL as with --tol, all to the same --t-end; without --method and --methods "
        "the method is chosen",
        5},
    {"sweep", KEY_SWEEP, "NAME=VALUE,...", 0,
        "a parameter of the problem, or an option such as threads or workgroup_size", 5},
    {NULL, 0, NULL, 0, "Output:", 6},
    {"plot", KEY_PLOT, "[KIND:]FILE", 0,
        "draw FILE.svg or FILE.png with gnuplot; the script FILE.gp and the data FILE.csv are "
        "kept. KIND: time, total, normalised, rate, speedup, error "
        "or work-precision (time; with --h-list or --tols work-precision) (repeatable)",
        6},
    {"report", KEY_REPORT, "FILE.html", 0,
        "write one self-contained page with table, plots and pictures", 6},
    {0},
};

static int set_sweep(
    struct compare_request *request, enum sweep_kind kind, const char *option, char *values) {
    if (request->sweep != SWEEP_NOTHING)
        return fail(EULERCL_INVALID, "%s and %s are mutually exclusive: there is one sweep",
            request->sweep_option, option);
    request->sweep = kind;
    request->sweep_option = option;
    return split(option, values, &request->values);
}

static int read_sweep(struct compare_request *request, char *text) {
    char *const equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fail(EULERCL_INVALID, "--sweep %s: expected NAME=VALUE,...", text);
    *equals = '\0';
    request->sweep_name = text;
    const int status = check_free("--sweep", text);
    return status ? status : set_sweep(request, SWEEP_NAME, "--sweep", equals + 1);
}

static int check_sweep(const struct compare_request *request) {
    const struct time_choice *const time = &request->time;
    const enum sweep_kind sweep = request->sweep;
    const int has_tol = request->options.rtol > 0;
    const struct {
        const char *option;
        int is_given;
        const char *other;
        int is_other_given;
    } rivals[] = {
        {"--size", request->choice.size != 0, "--sizes", sweep == SWEEP_SIZE},
        {"--steps", time->has_steps, "--steps-list", sweep == SWEEP_STEPS},
        {"--h", time->has_h, "--h-list", sweep == SWEEP_H},
        {"--steps", time->has_steps, "--tols", sweep == SWEEP_TOL},
        {"--h", time->has_h, "--tols", sweep == SWEEP_TOL},
        {"--tol", has_tol, "--tols", sweep == SWEEP_TOL},
        {"--steps", time->has_steps, "--tol", has_tol},
        {"--tol", has_tol, "--steps-list", sweep == SWEEP_STEPS},
        {"--tol", has_tol, "--h-list", sweep == SWEEP_H},
    };
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++)
        if (rivals[i].is_given && rivals[i].is_other_given)
            return fail(EULERCL_INVALID, "%s and %s are mutually exclusive", rivals[i].option,
                rivals[i].other);
    if ((sweep == SWEEP_H || sweep == SWEEP_TOL || has_tol) && !time->has_t_end)
        return fail(EULERCL_INVALID, "%s needs --t-end: all runs lead to the same time",
            has_tol ? "--tol" : request->sweep_option);
    return EULERCL_OK;
}

static int check_request(struct compare_request *request) {
    int status = check_sweep(request);
    if (!status && request->sweep == SWEEP_TOL)
        status = read_tolerance("--tols", request->values.items[0], &request->options);
    if (!status) status = check_tolerance(&request->options);
    if (status) return status;
    if (variant_of(&request->options) != NULL && request->options.backend == NULL)
        return fail(
            EULERCL_INVALID, "--variant needs --backend; in --backends, write BACKEND:VARIANT");
    request->report->csv = request->matrix.csv;
    return check_drawings(request->report);
}

static error_t parse_request(int key, char *argument, struct argp_state *state) {
    struct compare_request *const request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->choice;
        state->child_inputs[1] = &request->options;
        state->child_inputs[2] = &request->time;
        state->child_inputs[3] = &request->options;
        state->child_inputs[4] = &request->matrix;
        return 0;
    case KEY_RUNS:
        return read_whole("--runs", argument, 1, 1000, &request->runs);
    case KEY_REFERENCE:
        request->reference = argument;
        return 0;
    case KEY_SIZES:
        return set_sweep(request, SWEEP_SIZE, "--sizes", argument);
    case KEY_STEPS_LIST:
        return set_sweep(request, SWEEP_STEPS, "--steps-list", argument);
    case KEY_H_LIST:
        return set_sweep(request, SWEEP_H, "--h-list", argument);
    case KEY_TOLS:
        return set_sweep(request, SWEEP_TOL, "--tols", argument);
    case KEY_SWEEP:
        return read_sweep(request, argument);
    case KEY_PLOT:
        return add_drawing(request->report, "--plot", argument);
    case KEY_REPORT:
        return add_drawing(request->report, "--report", argument);
    case ARGP_KEY_END:
        return check_request(request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0},
    {&options_argp, 0, NULL, 0}, {&time_argp, 0, NULL, 0}, {&tolerance_argp, 0, NULL, 0},
    {&matrix_argp, 0, NULL, 0}, {0}};
static const struct argp compare_argp = {
    .options = option_list,
    .parser = parse_request,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem with several backends, variants, precisions and tiles, and compare "
           "their times, bits and errors.",
};

/* ---- the configurations ---- */

/* seq comes first, since the others are compared with it. */
static int choose_configurations(
    struct compare_request *request, struct configurations *configurations) {
    static char everything[] = "all";
    size_t index;
    int status =
        add_configuration(configurations, &(struct configuration){.backend = "seq"}, &index);
    configurations->has_baseline = 1;
    if (request->matrix.backends.count == 0 && request->options.backend == NULL && !status)
        status = split("--backends", everything, &request->matrix.backends);
    return !status ? list_configurations(&request->matrix, &request->options, configurations)
                   : status;
}

/* ---- the points of a sweep ---- */

struct comparing {
    struct compare_request *request;
    struct configurations *configurations;
    struct system system;
    struct jobs jobs;
    int sweeps_parameter; /* SWEEP_NAME: of the problem, not of the options */
};

/* Give the job the value of the sweep. */
static int set_value(const struct comparing *c, const char *text, struct job *job) {
    const struct compare_request *const request = c->request;
    int status = EULERCL_OK;
    switch (request->sweep) {
    case SWEEP_NOTHING:
        break;
    case SWEEP_SIZE:
        job->any_size = 1;
        return read_whole("--sizes", text, 1, INT64_MAX, &job->size);
    case SWEEP_STEPS:
        job->time.has_steps = 1;
        status = read_whole("--steps-list", text, 1, INT64_MAX, &job->time.steps);
        job->x = (double)job->time.steps;
        break;
    case SWEEP_H:
        job->time.has_h = 1;
        status = read_real("--h-list", text, &job->options.h);
        job->x = job->options.h;
        break;
    case SWEEP_TOL:
        status = read_tolerance("--tols", text, &job->options);
        job->x = job->options.rtol;
        break;
    case SWEEP_NAME:
        status = read_real(request->sweep_name, text, &job->x);
        if (c->sweeps_parameter)
            job->parameter = request->sweep_name;
        else if (!status)
            status = set_option(request->sweep_name, text, &job->options);
        break;
    }
    return status;
}

/* Settle the steps, with a method. */
static int settle(void *user, struct job *job) {
    struct comparing *const c = user;
    int status = EULERCL_OK;
    job->time.options = &job->options;
    if (job->time.is_auto) status = choose_step(&job->time, c->system.problem, NULL);
    if (!status) status = settle_time(&job->time);
    expect_steps(&job->time);
    job->time.options = NULL;
    return status;
}

/* List the jobs of a point. The system stays at it. */
static int list_point(struct comparing *c, size_t number) {
    const struct compare_request *const request = c->request;
    const char *const value = request->sweep == SWEEP_NOTHING ? "" : request->values.items[number];
    struct job job = {.problem = request->choice.name,
        .size = request->choice.size,
        .x = (double)NAN,
        .point = number,
        .options = request->options,
        .time = request->time};
    int status = set_value(c, value, &job);
    if (!status) status = open_system(&c->system, &job);
    if (status) return status;
    snprintf(job.label, sizeof job.label, "%s", value);
    if (request->sweep == SWEEP_SIZE) { /* the size that the problem has, not the requested one */
        job.x = (double)c->system.info.n;
        snprintf(job.label, sizeof job.label, "%" PRId64, c->system.info.n);
    }
    return add_jobs(&c->jobs, &request->matrix, c->configurations, &job, settle, c);
}

/* The last one, at which the system is after the list was made. */
static const struct job *last_job(const struct comparing *c) {
    return &c->jobs.list[c->jobs.count - 1];
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
    for (size_t i = 0; i < c->system.info.parameters; i++)
        if (get_parameter(c->system.problem, i, &parameter) == EULERCL_OK &&
            strcmp(parameter.name, name) == 0)
            return 1;
    return 0;
}

/* ---- the report ---- */

/* Does the parameter have another value at each point? */
static int is_swept(const struct comparing *c, const char *name) {
    eulercl_parameter size;
    if (c->request->sweep == SWEEP_SIZE)
        return find_size_parameter(&c->system, &size) && strcmp(size.name, name) == 0;
    return c->sweeps_parameter && strcmp(c->request->sweep_name, name) == 0;
}

static void describe_parameters(const struct comparing *c, FILE *file) {
    char number[32];
    for (size_t i = 0; i < c->system.info.parameters; i++) {
        eulercl_parameter parameter;
        if (get_parameter(c->system.problem, i, &parameter) || is_swept(c, parameter.name))
            continue;
        fprintf(file, "%s%s = %s", ftell(file) > 0 ? ", " : "", parameter.name,
            real_text(parameter.value, number));
        json_object_set_new(c->request->report->json_parameters, parameter.name,
            json_number(parameter.value, parameter.integer));
    }
}

static void describe_steps(const struct comparing *c, int varies, FILE *file) {
    const struct job *const job = last_job(c);
    const enum sweep_kind sweep = c->request->sweep;
    const int has_end = c->request->time.has_t_end;
    char number[32];
    if (sweep != SWEEP_STEPS && !job->time.has_t_end)
        fprintf(file, "%" PRId64 " steps ", job->time.steps);
    if (sweep != SWEEP_H && !(sweep == SWEEP_STEPS && has_end))
        fprintf(file, "%sh = %s ", ftell(file) > 0 ? "of " : "",
            job->time.is_auto && varies ? "auto" : real_text(job->options.h, number));
}

static void describe_tolerance(const struct comparing *c, FILE *file) {
    const eulercl_options *const options = &last_job(c)->options;
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
    const struct job *const job = last_job(c);
    const enum sweep_kind sweep = c->request->sweep;
    const int has_end = c->request->time.has_t_end, has_methods = c->request->matrix.n_methods > 1,
              varies = sweep != SWEEP_NOTHING || has_methods;
    char number[32];
    if (job->options.rtol > 0)
        describe_tolerance(c, file);
    else
        describe_steps(c, varies, file);
    fprintf(file, "from t = %s", real_text(job->options.t0, number));
    if (has_end || (sweep != SWEEP_STEPS && (!varies || !job->time.is_auto)))
        fprintf(file, " to %.9g", end_of(job));
    if (!has_methods) fprintf(file, ", method %s", job->method->label);
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

/* What the report tells of all rows. */
static int describe_all(struct comparing *c) {
    const struct compare_request *const request = c->request;
    struct report *const compare = request->report;
    static const char *const names[] = {"", "n", "steps", "h", "rtol", ""};
    static const char *const kinds[] = {"", "size", "steps", "h", "tolerance", "parameter"};
    compare->sweep = request->sweep == SWEEP_NAME ? request->sweep_name : names[request->sweep];
    compare->sweeps = kinds[request->sweep];
    compare->baseline = c->configurations->list[c->configurations->baseline].label;
    compare->truth = request->reference != NULL                             ? request->reference
                     : c->system.info.has_exact && request->options.t0 == 0 ? "the exact solution"
                                                                            : NULL;
    compare->info = &c->system.info;
    compare->runs = request->runs;
    compare->n_methods = request->matrix.n_methods;
    compare->is_adaptive = request->options.rtol > 0;
    compare->has_h =
        request->time.is_auto && (compare->n_methods > 1 || request->sweep != SWEEP_NOTHING);
    compare->json_parameters = json_object();
    int status = write_text(&compare->parameters, c, describe_parameters);
    if (!status) status = write_text(&compare->span, c, describe_span);
    return !status ? check_errors(compare) : status;
}

/* List the runs. All errors in the command line are found before the first one. */
static int prepare(struct comparing *c) {
    struct compare_request *const request = c->request;
    const size_t n_points = request->sweep == SWEEP_NOTHING ? 1 : request->values.count;
    int status = open_system(
        &c->system, &(struct job){.problem = request->choice.name, .size = request->choice.size});
    if (status) return status;
    c->sweeps_parameter = request->sweep == SWEEP_NAME && find_parameter(c, request->sweep_name);
    if (request->reference != NULL &&
        (request->sweep == SWEEP_SIZE ||
            (request->sweep == SWEEP_STEPS && !request->time.has_t_end) || c->sweeps_parameter))
        return fail(EULERCL_INVALID, "--reference holds one state, but %s needs one for each point",
            request->sweep_option);
    for (size_t i = 0; i < n_points && !status; i++) status = list_point(c, i);
    if (!status && request->reference != NULL)
        status = check_reference(
            request->reference, c->system.problem, &c->system.info, end_of(last_job(c)));
    return !status ? describe_all(c) : status;
}

/* The exit status that follows from the rows. */
static int conclude(const struct report *compare) {
    size_t working = 0;
    int failed = check_bits(compare, "seq");
    for (size_t i = 0; i < compare->n_rows && !failed; i++) {
        const struct row *const row = &compare->rows[i];
        working += !row->status;
        if (row->status == EULERCL_COMPILE) /* the message and the log are printed */
            failed = row->status;
        if (row->status == EULERCL_INTERNAL)
            failed = fail(row->status, "%s: %s", row->label, row->note);
    }
    if (!failed && working == 0)
        failed =
            fail(compare->rows[0].status, "%s: %s", compare->rows[0].label, compare->rows[0].note);
    return failed;
}

static int run_all(struct comparing *c) {
    const struct compare_request *const request = c->request;
    struct report *const compare = request->report;
    struct comparison comparison = {.matrix = &request->matrix,
        .reference = request->reference,
        .report = compare,
        .progress.terminal = can_show_progress()};
    int status = choose_configurations(c->request, c->configurations);
    if (!status) status = prepare(c);
    if (status) return status;
    comparison.n_points = last_job(c)->point + 1;
    status = run_jobs(&c->jobs, &c->system, compare_job, &comparison);
    end_comparison(&comparison);
    if (status) return status;
    qsort(compare->rows, compare->n_rows, sizeof *compare->rows, compare_rows);
    status = write_report(compare, request->choice.common.json);
    return !status ? conclude(compare) : status;
}

int compare_main(int argc, char **argv) {
    struct report compare;
    struct compare_request request = {.choice.common.command = "eulercl compare",
        .runs = 1,
        .report = &compare,
        .time = {.options = &request.options, .steps = DEFAULT_STEPS}};
    struct comparing c = {.request = &request,
        .configurations = calloc(1, sizeof *c.configurations),
        .system.settings = &request.choice};
    int status = begin_report(&compare, "eulercl compare", argc, argv);
    eulercl_options_init(&request.options);
    request.choice.options = &request.options;
    if (!status && c.configurations == NULL)
        status = fail(EULERCL_MEMORY, "no memory for the command line");
    if (!status) status = parse_options(&compare_argp, argc, argv, &request);
    if (!status) {
        catch_signals();
        status = run_all(&c);
        free(request.choice.settings);
    }
    close_system(&c.system);
    free(request.matrix.backends.items);
    free(request.values.items);
    free(c.configurations);
    free(c.jobs.list);
    free_report(&compare);
    return status;
}
