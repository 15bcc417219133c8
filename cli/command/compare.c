/* compare.c - eulercl compare: solve one problem in several configurations, and hold the results
 * against each other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Every configuration starts from the problem's initial state and makes the same steps. seq is
 * always among them, since the bits of the others are compared with its bits. A configuration that
 * does not work here is a row that says why.
 */
#include "config.h"

#include "command/commands.h"
#include "format/file.h"
#include "format/format.h"
#include "format/picture.h"
#include "format/state.h"
#include "measure/configurations.h"
#include "measure/sizes.h"
#include "report/compare.h"
#include "report/gnuplot.h"
#include "shared/arguments.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/list.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/progress.h"
#include "shared/stop.h"
#include "shared/timespan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPONENTS = 4, /* of a grid point, in the report's pictures */
    PLOT_WIDTH = 800,
};

/* ---- options ---- */

/* What is swept: nothing, the size, the steps, h, a parameter of the problem, a field of the
 * options. */
enum sweep_kind { SWEEP_NOTHING, SWEEP_SIZE, SWEEP_STEPS, SWEEP_H, SWEEP_NAME };

struct plot_wish {
    const struct plot_kind *kind; /* NULL: the one that fits */
    const char *path;
};

struct request {
    struct problem_choice choice;
    eulercl_options options;
    struct time_choice time;
    struct matrix matrix;
    struct list values;
    enum sweep_kind sweep;
    const char *sweep_option, *sweep_name;
    const char *reference, *report;
    struct plot_wish *plots;
    size_t n_plots;
    int64_t runs;
};

enum {
    KEY_RUNS = 0x700,
    KEY_REFERENCE,
    KEY_SIZES,
    KEY_STEPS_LIST,
    KEY_H_LIST,
    KEY_SWEEP,
    KEY_PLOT,
    KEY_REPORT,
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0,
        "What is compared (all backends with seq, which is always among them and the baseline if "
        "no other is named):",
        4},
    {"runs", KEY_RUNS, "N", 0, "solve N times with each and take the best time (1)", 4},
    {"reference", KEY_REFERENCE, "FILE", 0,
        "a state in double that errors are measured against, as eulercl-reference writes it: "
        "FILE.npy or FILE.h5[:DATASET] (the exact "
        "solution, if the problem has one)",
        4},
    {NULL, 0, NULL, 0, "One of these may be swept:", 5},
    {"sizes", KEY_SIZES, "N,...", 0, "components; the nearest numbers that the problem has", 5},
    {"steps-list", KEY_STEPS_LIST, "S,...", 0, "numbers of steps", 5},
    {"h-list", KEY_H_LIST, "H,...", 0, "step sizes, all to the same --t-end", 5},
    {"sweep", KEY_SWEEP, "NAME=VALUE,...", 0,
        "a parameter of the problem, or an option such as threads or workgroup_size", 5},
    {NULL, 0, NULL, 0, "Output:", 6},
    {"plot", KEY_PLOT, "[KIND:]FILE", 0,
        "draw FILE.svg or FILE.png by gnuplot; its script FILE.gp and FILE.csv stay beside it. "
        "KIND: time, total, normalised, rate, speedup, error "
        "or work-precision (time; with --h-list work-precision) (repeatable)",
        6},
    {"report", KEY_REPORT, "FILE.html", 0,
        "write one page with table, plots and pictures, complete in itself", 6},
    {0},
};

static int set_sweep(
    struct request *request, enum sweep_kind kind, const char *option, char *values) {
    if (request->sweep != SWEEP_NOTHING)
        return fail(
            EULERCL_INVALID, "%s and %s: one thing can be swept", request->sweep_option, option);
    request->sweep = kind;
    request->sweep_option = option;
    return split(option, values, &request->values);
}

static int read_sweep(struct request *request, char *text) {
    char *const equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fail(EULERCL_INVALID, "--sweep %s: NAME=VALUE,... is wanted", text);
    *equals = '\0';
    request->sweep_name = text;
    const int status = check_free("--sweep", text);
    return status ? status : set_sweep(request, SWEEP_NAME, "--sweep", equals + 1);
}

static int add_plot(struct request *request, const char *text) {
    struct plot_wish *const wish = &request->plots[request->n_plots++];
    wish->path = read_plot(text, &wish->kind);
    return check_plot("--plot", wish->path, 1);
}

static int check_report(const char *path) {
    const size_t length = strlen(path);
    if (length < 6 || strcmp(path + length - 5, ".html") != 0)
        return fail(EULERCL_INVALID, "--report %s: the name must end in .html", path);
    return check_file(path);
}

static int check_request(const struct request *request) {
    if (request->sweep == SWEEP_SIZE && request->choice.size != 0)
        return fail(EULERCL_INVALID, "--size and --sizes: one of them will do");
    if (request->sweep == SWEEP_STEPS && request->time.has_steps)
        return fail(EULERCL_INVALID, "--steps and --steps-list: one of them will do");
    if (request->sweep == SWEEP_H && request->time.has_h)
        return fail(EULERCL_INVALID, "--h and --h-list: one of them will do");
    if (request->sweep == SWEEP_H && !request->time.has_t_end)
        return fail(
            EULERCL_INVALID, "--h-list needs --t-end: all step sizes lead to the same time");
    if (request->options.variant != NULL && request->options.backend == NULL)
        return fail(
            EULERCL_INVALID, "--variant goes with --backend; --backends takes BACKEND:VARIANT");
    int status = request->matrix.csv == NULL
                     ? EULERCL_OK
                     : claim_file("--csv", request->matrix.csv, request->matrix.csv);
    if (!status && request->report != NULL)
        status = claim_file("--report", request->report, request->report);
    for (size_t i = 0; i < request->n_plots && !status; i++)
        status = claim_plot("--plot", request->plots[i].path);
    return status;
}

static error_t parse_request(int key, char *argument, struct argp_state *state) {
    struct request *const request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->choice;
        state->child_inputs[1] = &request->options;
        state->child_inputs[2] = &request->time;
        state->child_inputs[3] = &request->matrix;
        request->plots = calloc((size_t)state->argc, sizeof *request->plots);
        return request->plots == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : 0;
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
    case KEY_SWEEP:
        return read_sweep(request, argument);
    case KEY_PLOT:
        return add_plot(request, argument);
    case KEY_REPORT:
        request->report = argument;
        return check_report(argument);
    case ARGP_KEY_END:
        return check_request(request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0},
    {&options_argp, 0, NULL, 0}, {&time_argp, 0, NULL, 0}, {&matrix_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_request,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem with several backends, variants, precisions and tiles, and compare "
           "their times, bits and errors.",
};

/* ---- the configurations ---- */

/* seq first: the others are compared with it. */
static int choose_configurations(struct request *request, struct configurations *configurations) {
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

/* A point: the system, and how and how long it is solved. */
struct point {
    size_t number;
    char label[32]; /* the value that is swept; "": nothing is */
    double x;
    eulercl_options options;
    struct time_choice time;
};

struct comparison {
    struct request *request;
    const struct configurations *configurations;
    struct compare *compare;
    eulercl_problem *problem;
    eulercl_problem_info info;
    size_t n_points, n_runs;
    int sweeps_parameter; /* SWEEP_NAME: of the problem, not of the options */
    /* of a point: */
    struct point point;
    double *truth; /* n values; NULL: errors are not measured, or not yet */
    double truth_time;
    /* of a point in a precision: */
    void *seq; /* its state */
    int seq_status;
    void *chunk;
    struct progress progress;
};

static int set_value(struct comparison *c, const char *text) {
    const struct request *const request = c->request;
    struct point *const point = &c->point;
    eulercl_error error;
    int64_t size;
    int status = EULERCL_OK;
    switch (request->sweep) {
    case SWEEP_NOTHING:
        break;
    case SWEEP_SIZE:
        status = read_whole("--sizes", text, 1, INT64_MAX, &size);
        return !status ? set_nearest_size(c->problem, &c->info, size) : status;
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
    case SWEEP_NAME:
        status = read_real(request->sweep_name, text, &point->x);
        if (!status && !c->sweeps_parameter)
            return set_option(request->sweep_name, text, &point->options);
        if (!status && eulercl_problem_set(c->problem, request->sweep_name, point->x, &error))
            return fail_library(&error);
        break;
    }
    return status;
}

static int set_point(struct comparison *c, size_t number) {
    const struct request *const request = c->request;
    struct point *const point = &c->point;
    eulercl_error error;
    *point = (struct point){
        .number = number, .x = (double)NAN, .options = request->options, .time = request->time};
    point->time.options = &point->options;
    const char *const value = request->sweep == SWEEP_NOTHING ? "" : request->values.items[number];
    int status = set_value(c, value);
    if (!status && eulercl_problem_get_info(c->problem, &c->info, &error))
        status = fail_library(&error);
    snprintf(point->label, sizeof point->label, "%s", value);
    if (request->sweep == SWEEP_SIZE) { /* what the problem has, not what was asked */
        point->x = (double)c->info.n;
        snprintf(point->label, sizeof point->label, "%" PRId64, c->info.n);
    }
    if (!status && point->time.is_auto &&
        eulercl_stable_step(c->problem, &point->options, NULL, &point->options.h, &error))
        status = fail(error.code, "--h auto: %s", error.message);
    if (!status) status = settle_time(&point->time);
    expect_steps(&point->time);
    return status;
}

/* ---- what is held against a state ---- */

/* When the runs end. */
static double end_of(const struct point *point) {
    return point->time.has_t_end ? point->time.t_end
                                 : point->options.t0 + (double)point->time.steps * point->options.h;
}

/* The exact solution at this time, unless it is there already. It starts at time 0. */
static int find_truth(struct comparison *c, double t) {
    eulercl_error error;
    if (c->request->reference != NULL || c->compare->truth == NULL ||
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

/* ---- pictures for the report ---- */

#ifdef HAVE_CAIRO
static int add_to(int64_t first, int64_t count, const void *y, void *output) {
    return add_to_picture(output, first, count, y);
}

static int draw_state(struct comparison *c, eulercl_solver *solver, const char *what,
    int64_t component, struct compare_picture *picture) {
    const struct layout layout = {
        .info = &c->info, .precision = stats_of(solver).precision, .component = component};
    struct output output = {.file.path = c->request->report, .layout = &layout};
    const double t = stats_of(solver).t;
    char hash[17];
    int status = begin_picture(&output);
    if (!status) status = begin_picture_state(&output);
    if (!status)
        status = stream_state(solver, c->info.n, layout.precision, c->chunk, add_to, &output, hash);
    FILE *const file = !status ? open_memstream(&picture->png, &picture->size) : NULL;
    if (!status)
        status = file == NULL ? fail(EULERCL_MEMORY, "no memory for a picture")
                              : draw_picture(&output, t, file, NULL);
    if (file != NULL && fclose(file) != 0 && !status)
        status = fail(EULERCL_MEMORY, "no memory for a picture");
    if (c->info.dimensions != 0)
        snprintf(picture->title, sizeof picture->title,
            "The %s state, component %" PRId64 ", t = %g", what, component, t);
    else
        snprintf(picture->title, sizeof picture->title, "The %s state, t = %g", what, t);
    free(output.data);
    return status;
}

/* Of seq, in the first precision, at the last point. */
static int draw_states(struct comparison *c, eulercl_solver *solver, const char *what) {
    const int64_t components = c->info.dimensions == 0 ? 1 : c->info.components;
    int status = EULERCL_OK;
    for (int64_t i = 0; i < components && i < MOST_COMPONENTS && !status; i++)
        status = draw_state(c, solver, what, i, &c->compare->pictures[c->compare->n_pictures++]);
    return status;
}
#else
static int draw_states(struct comparison *c, eulercl_solver *solver, const char *what) {
    (void)c;
    (void)solver;
    (void)what;
    return EULERCL_OK;
}
#endif

/* ---- a run ---- */

/* These end the command; with the others the row says what is wrong. */
static int is_fatal(int status) {
    return status == EULERCL_INVALID || status == EULERCL_FILE || status == EULERCL_CANCELLED;
}

static int give_up(struct compare_row *row, const eulercl_error *error) {
    if (is_fatal(error->code)) return fail(error->code, "%s: %s", row->label, error->message);
    row->status = error->code;
    snprintf(row->note, sizeof row->note, "%s", error->message);
    if (error->log[0] != '\0') fail_library(error);
    return EULERCL_OK;
}

static void describe(const eulercl_solver *solver, struct compare_row *row) {
    const eulercl_stats stats = stats_of(solver);
    const struct {
        char *to;
        size_t size;
        const char *from;
    } texts[] = {
        {row->device, sizeof row->device, stats.device},
        {row->device_id, sizeof row->device_id, stats.device_id},
        {row->backend, sizeof row->backend, stats.backend},
        {row->variant, sizeof row->variant, stats.variant},
        {row->storage, sizeof row->storage, stats.storage},
        {row->distribution, sizeof row->distribution, stats.distribution},
        {row->plan, sizeof row->plan, stats.plan},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        snprintf(texts[i].to, texts[i].size, "%s", texts[i].from);
    find_driver(stats.device_id, row->driver, sizeof row->driver);
    row->t_end = stats.t;
    row->stats = stats;
    row->gcs_per_s = 1e-9 * steps_rate(&stats);
    row->ns_per_component_step = 1 / row->gcs_per_s;
}

/* The facts, for the report. */
static int keep_facts(const struct comparison *c, const eulercl_options *options,
    const eulercl_solver *solver, struct compare_row *row) {
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

/* A solver at the initial state; NULL if there is none. */
static int begin(const struct comparison *c, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    *solver = NULL;
    const int status = eulercl_solver_create(c->problem, options, solver, error);
    catch_signals(); /* as solve does */
    return !status ? eulercl_set_initial_state(*solver, error) : status;
}

/* Drivers compile at the first launch, too: PoCL does for every size of work-groups. So one step is
 * made, and the run begins anew in another solver. */
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

/* Once. What the row keeps is of the best time. */
static int run_once(struct comparison *c, const eulercl_options *options, int keep, int is_first,
    struct contrast *contrast, struct compare_row *row) {
    eulercl_error error;
    eulercl_solver *solver = NULL;
    const int pictures = keep && c->request->report != NULL && c->compare->n_pictures == 0 &&
                         c->point.number + 1 == c->n_points;
    double start = wall_clock();
    int status = begin(c, options, &solver, &error);
    double total = wall_clock() - start;
    const int is_opencl = !status && stats_of(solver).threads == 0;
    if (is_first && is_opencl) status = warm_up(c, options, &solver, &total, &error);
    if (!status && keep && (c->seq = calloc((size_t)c->info.n, options->precision)) == NULL) {
        status = error.code = EULERCL_MEMORY;
        snprintf(error.message, sizeof error.message,
            "no memory for a second state of %" PRId64 " components", c->info.n);
        error.log[0] = '\0';
    }
    if (!status && pictures && (status = draw_states(c, solver, "initial"))) {
        eulercl_solver_destroy(solver);
        return status;
    }
    c->progress.start = start = wall_clock();
    if (!status) status = advance(&c->point, solver, &error);
    total += wall_clock() - start;
    wipe_line();
    if (status) {
        status = give_up(row, &error);
        eulercl_solver_destroy(solver);
        return status;
    }
    const eulercl_stats before = stats_of(solver);
    status = find_truth(c, before.t);
    contrast->keep = keep;
    contrast->seq = c->seq;
    contrast->seq_works = !c->seq_status;
    contrast->truth = c->truth;
    if (!status)
        status = stream_state(
            solver, c->info.n, options->precision, c->chunk, take_chunk, contrast, row->hash);
    const eulercl_stats after = stats_of(solver);
    total += after.download_seconds - before.download_seconds;
    row->total_seconds = fmin(row->total_seconds, total);
    if (!status && !(after.kernel_seconds >= row->kernel_seconds)) {
        row->kernel_seconds = after.kernel_seconds;
        describe(solver, row);
        if (c->request->report != NULL) status = keep_facts(c, options, solver, row);
    }
    if (!status && pictures) status = draw_states(c, solver, "final");
    eulercl_solver_destroy(solver);
    return status;
}

/* Against seq; the problem may not promise equal bits between devices. */
static void judge(const struct comparison *c, int is_seq, const struct contrast *contrast,
    struct compare_row *row) {
    const int works = !row->status, seq_works = !c->seq_status;
    const int ends = works || row->status == EULERCL_NONFINITE,
              seq_ends = seq_works || c->seq_status == EULERCL_NONFINITE;
    const char *const other = row->bits_guaranteed ? "DIFFERENT" : "not promised";
    row->bits = "-";
    if (works && seq_works) {
        row->ulps = (double)contrast->ulps;
        row->differing = (double)contrast->differing;
        row->bits = contrast->differing > 0 ? other : is_seq ? "seq" : "same";
    } else if (works != seq_works && ends && seq_ends) {
        row->bits = other; /* one of them became infinite and the other did not */
    }
    if (works && c->truth != NULL) row->error = contrast->error;
}

static int run_configuration(struct comparison *c, size_t w, enum eulercl_precision precision) {
    const struct configuration *const configuration = &c->configurations->list[w];
    struct compare *const compare = c->compare;
    struct compare_row *const row = &compare->rows[compare->n_rows++];
    struct contrast contrast = {.precision = precision};
    eulercl_options options = c->point.options;
    const double unknown = (double)NAN;
    int status = apply_configuration(configuration, &options);
    *row = (struct compare_row){
        .x = c->point.x,
        .baseline = w == c->configurations->baseline,
        .bits_guaranteed = c->info.bits_guaranteed,
        .at = c->point.number,
        .order = compare->n_rows - 1,
        .h = options.h,
        .t_end = unknown,
        .stats.n = c->info.n,
        .kernel_seconds = unknown,
        .total_seconds = unknown,
        .gcs_per_s = unknown,
        .ns_per_component_step = unknown,
        .ratio = unknown,
        .ulps = unknown,
        .differing = unknown,
        .error = unknown,
    };
    snprintf(row->point, sizeof row->point, "%s", c->point.label);
    snprintf(row->label, sizeof row->label, "%s", configuration->label);
    snprintf(row->precision, sizeof row->precision, "%s", precision_name(precision));
    snprintf(row->series, sizeof row->series, "%s%s%s", configuration->label,
        c->request->matrix.n_precisions > 1 ? " " : "",
        c->request->matrix.n_precisions > 1 ? row->precision : "");
    snprintf(row->backend, sizeof row->backend, "%s", configuration->backend);
    snprintf(row->variant, sizeof row->variant, "%s",
        configuration->variant == NULL ? "" : configuration->variant);
    options.precision = precision;
    options.observer = show_progress;
    options.observer_user = &c->progress;
    c->progress.steps_total = options.expected_steps;
    if (c->progress.terminal) {
        char line[256];
        snprintf(line, sizeof line, "%zu of %zu: %s", compare->n_rows, c->n_runs, row->series);
        show_line(line);
    }
    for (int64_t r = 0; r < c->request->runs && !status && !row->status; r++)
        status = run_once(c, &options, w == 0 && r == 0, r == 0, &contrast, row);
    if (w == 0) c->seq_status = row->status;
    judge(c, w == 0, &contrast, row);
    row->status_name = eulercl_status_name(row->status);
    return status;
}

/* ---- all of them ---- */

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
        if (c->compare->rows[i].baseline) baseline = c->compare->rows[i].kernel_seconds;
    for (size_t i = first; i < c->compare->n_rows; i++)
        c->compare->rows[i].ratio = baseline / c->compare->rows[i].kernel_seconds;
    free(c->seq);
    free(c->chunk);
    c->seq = c->chunk = NULL;
    return status;
}

static int run_point(struct comparison *c, size_t number) {
    int status = set_point(c, number);
    if (!status && c->request->reference != NULL && c->truth == NULL)
        status = read_reference(c->request->reference, &c->info, &c->truth);
    for (size_t p = 0; p < c->request->matrix.n_precisions && !status; p++)
        status = run_precision(c, c->request->matrix.precisions[p]);
    if (c->request->reference == NULL) {
        free(c->truth);
        c->truth = NULL;
    }
    return status;
}

/* By point, then what works before what does not, then by time. */
static int compare_rows(const void *a, const void *b) {
    const struct compare_row *const x = a, *const y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if ((!x->status) != (!y->status)) return !x->status ? -1 : 1;
    if (!x->status && x->kernel_seconds != y->kernel_seconds)
        return x->kernel_seconds < y->kernel_seconds ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static int find_parameter(const struct comparison *c, const char *name) {
    eulercl_parameter parameter;
    for (size_t i = 0; i < c->info.parameters; i++)
        if (get_parameter(c->problem, i, &parameter) == EULERCL_OK &&
            strcmp(parameter.name, name) == 0)
            return 1;
    return 0;
}

/* Everything that can be wrong with the command line is found before the first run. */
static int prepare(struct comparison *c) {
    struct request *const request = c->request;
    struct compare *const compare = c->compare;
    int status = EULERCL_OK;
    c->n_points = request->sweep == SWEEP_NOTHING ? 1 : request->values.count;
    c->sweeps_parameter = request->sweep == SWEEP_NAME && find_parameter(c, request->sweep_name);
    if (request->reference != NULL &&
        (request->sweep == SWEEP_SIZE ||
            (request->sweep == SWEEP_STEPS && !request->time.has_t_end) || c->sweeps_parameter))
        return fail(EULERCL_INVALID, "--reference holds one state, and %s has others at each point",
            request->sweep_option);
    for (size_t i = 0; i < c->n_points && !status; i++) status = set_point(c, i);
    if (!status && request->reference != NULL)
        status = check_reference(request->reference, c->problem, &c->info, end_of(&c->point));
    if (status) return status;

    static const char *const names[] = {"", "n", "steps", "h", ""};
    static const char *const labels[] = {"", "size n, components", "steps", "step size h", ""};
    compare->sweep = request->sweep == SWEEP_NAME ? request->sweep_name : names[request->sweep];
    compare->sweep_label =
        request->sweep == SWEEP_NAME ? request->sweep_name : labels[request->sweep];
    compare->baseline = c->configurations->list[c->configurations->baseline].label;
    compare->truth = request->reference != NULL                      ? request->reference
                     : c->info.has_exact && request->options.t0 == 0 ? "the exact solution"
                                                                     : NULL;
    for (size_t i = 0; i < request->n_plots; i++) {
        struct plot_wish *const wish = &request->plots[i];
        if (wish->kind == NULL)
            wish->kind = request->sweep == SWEEP_H && compare->truth != NULL
                             ? find_plot_kind("work-precision")
                             : find_plot_kind("time");
        const char *const reason =
            lacks_plot(wish->kind, request->sweep != SWEEP_NOTHING, compare->truth != NULL);
        if (reason != NULL) return fail(EULERCL_INVALID, "--plot %s: %s", wish->kind->name, reason);
    }
    c->n_runs = c->n_points * c->request->matrix.n_precisions * c->configurations->count;
    compare->rows = calloc(c->n_runs, sizeof *compare->rows);
    compare->pictures = calloc((size_t)2 * MOST_COMPONENTS, sizeof *compare->pictures);
    return compare->rows == NULL || compare->pictures == NULL
               ? fail(EULERCL_MEMORY, "no memory for the results")
               : EULERCL_OK;
}

/* ---- in words ---- */

/* Has the parameter another value at each point? */
static int is_swept(const struct comparison *c, const char *name) {
    eulercl_parameter size;
    if (c->request->sweep == SWEEP_SIZE)
        return find_size_parameter(c->problem, &c->info, &size) && strcmp(size.name, name) == 0;
    return c->sweeps_parameter && strcmp(c->request->sweep_name, name) == 0;
}

static int describe_system(struct comparison *c) {
    struct compare *const compare = c->compare;
    const struct point *const point = &c->point;
    const enum sweep_kind sweep = c->request->sweep;
    size_t size, length;
    char number[32];
    FILE *const parameters = open_memstream(&compare->parameters, &size), *const span =
                                                                              open_memstream(
                                                                                  &compare->span,
                                                                                  &length);
#ifdef HAVE_JANSSON
    compare->json_parameters = json_object();
#endif
    for (size_t i = 0; i < c->info.parameters && parameters != NULL; i++) {
        eulercl_parameter parameter;
        if (get_parameter(c->problem, i, &parameter) || is_swept(c, parameter.name)) continue;
        fprintf(parameters, "%s%s = %s", ftell(parameters) > 0 ? ", " : "", parameter.name,
            real_text(parameter.value, number));
#ifdef HAVE_JANSSON
        json_object_set_new(compare->json_parameters, parameter.name,
            json_number(parameter.value, parameter.integer));
#endif
    }
    if (span != NULL) {
        const int has_end = c->request->time.has_t_end;
        if (sweep != SWEEP_STEPS && !point->time.has_t_end)
            fprintf(span, "%" PRId64 " steps ", point->time.steps);
        if (sweep != SWEEP_H && !(sweep == SWEEP_STEPS && has_end))
            fprintf(span, "%sh = %s ", ftell(span) > 0 ? "of " : "",
                point->time.is_auto && sweep != SWEEP_NOTHING
                    ? "auto"
                    : real_text(point->options.h, number));
        fprintf(span, "from t = %s", real_text(point->options.t0, number));
        if (has_end ||
            (sweep != SWEEP_STEPS &&
                (sweep == SWEEP_NOTHING || !point->time.is_auto))) /* else each point has its own */
            fprintf(span, " to %.9g", end_of(point));
    }
    const int failed = parameters == NULL || fclose(parameters) != 0;
    return span == NULL || fclose(span) != 0 || failed
               ? fail(EULERCL_MEMORY, "no memory for the report")
               : EULERCL_OK;
}

static int report(const struct request *request, const struct compare *compare) {
    int status = EULERCL_OK;
#ifdef HAVE_JANSSON
    if (request->choice.common.json)
        status = print_compare_json(compare);
    else
#endif
        print_compare_table(compare);
    if (!status && request->matrix.csv != NULL)
        status = write_compare_csv(compare, request->matrix.csv);
    if (!status && request->report != NULL) status = write_compare_html(compare, request->report);
    for (size_t i = 0; i < request->n_plots && !status && count_working(compare) > 0; i++) {
        const struct plot_wish *const wish = &request->plots[i];
        status = has_plot(compare, wish->kind)
                     ? draw_compare_plot(compare, "--plot", wish->kind, wish->path, PLOT_WIDTH)
                     : fail(EULERCL_UNSUPPORTED, "--plot %s: no row has a figure greater than 0",
                           wish->kind->name);
    }
    return status;
}

/* What the rows say of the whole. */
static int conclude(const struct compare *compare) {
    const size_t different = count_different(compare);
    int failed = EULERCL_OK;
    for (size_t i = 0; i < compare->n_rows; i++) {
        const int status = compare->rows[i].status;
        if (!failed && status == EULERCL_COMPILE) /* that was said, with the log */
            failed = status;
        if (!failed && status == EULERCL_INTERNAL)
            failed = fail(status, "%s: %s", compare->rows[i].label, compare->rows[i].note);
    }
    if (different > 0)
        return fail(EULERCL_INTERNAL, "%zu of %zu rows ended in other bits than seq", different,
            compare->n_rows);
    if (!failed && count_working(compare) == 0)
        failed =
            fail(compare->rows[0].status, "%s: %s", compare->rows[0].label, compare->rows[0].note);
    return failed;
}

static int run_all(struct comparison *c) {
    struct compare *const compare = c->compare;
    int status = prepare(c);
    if (!status) status = describe_system(c);
    for (size_t i = 0; i < c->n_points && !status; i++) status = run_point(c, i);
    free(c->truth);
    wipe_line();
    if (status) return status;
    qsort(compare->rows, compare->n_rows, sizeof *compare->rows, compare_rows);
    compare->info = &c->info;
    status = report(c->request, compare);
    return !status ? conclude(compare) : status;
}

int compare_main(int argc, char **argv) {
    struct request request = {.choice.common.command = "eulercl compare",
        .runs = 1,
        .time = {.options = &request.options, .steps = DEFAULT_STEPS}};
    struct compare compare = {.command = NULL};
    struct configurations *const configurations = calloc(1, sizeof *configurations);
    char *const command = join_arguments("eulercl compare", argc, argv);
    eulercl_options_init(&request.options);
    request.choice.options = &request.options;
    compare.command = command;
    format_date(compare.date);

    int status = command == NULL || configurations == NULL
                     ? fail(EULERCL_MEMORY, "no memory for the command line")
                     : parse_options(&argp, argc, argv, &request);
    if (!status) {
        struct comparison comparison = {.request = &request,
            .configurations = configurations,
            .compare = &compare,
            .info.struct_size = sizeof comparison.info};
        catch_signals();
        comparison.progress.terminal = can_show_progress();
        status = choose_configurations(&request, configurations);
        if (!status && (status = open_problem(&request.choice, &comparison.problem,
                            &comparison.info)) == EULERCL_OK) {
            compare.runs = request.runs;
            status = run_all(&comparison);
            eulercl_problem_destroy(comparison.problem);
        }
        free(request.choice.settings);
    }
    free(request.matrix.backends.items);
    free(request.values.items);
    for (size_t i = 0; i < compare.n_rows; i++) free(compare.rows[i].facts);
    for (size_t i = 0; i < compare.n_pictures; i++) free(compare.pictures[i].png);
    free(compare.rows);
    free(compare.pictures);
    free(compare.parameters);
    free(compare.span);
#ifdef HAVE_JANSSON
    json_decref(compare.json_parameters);
#endif
    free(request.plots);
    free(configurations);
    free(command);
    return status;
}
