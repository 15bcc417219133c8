/* bench.c - eulercl bench: which runs, how they are timed and compared.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Each run begins with the same few steps from the initial state, whose result is hashed, so that
 * equal bits are seen; they also warm up the device. The times after that are kernel times. The
 * device's own clock is read by a second solver, since a queue that keeps times has more to do.
 */
#include "config.h"

#include "command/commands.h"
#include "format/file.h"
#include "format/state.h"
#include "lib/text.h"
#include "measure/configurations.h"
#include "measure/sizes.h"
#include "report/bench.h"
#include "report/gnuplot.h"
#include "shared/arguments.h"
#include "shared/facts.h"
#include "shared/list.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPARED_STEPS = 100, MOST_STEPS = 1 << 30 };

/* ---- options ---- */

struct job {
    const char *problem, *series;              /* series may be NULL */
    const struct configuration *configuration; /* NULL: as the options say */
    int64_t size;                              /* 0: as the parameters say */
    int any_size;                              /* 1: the nearest size that exists will do */
    eulercl_options options;
    double seconds;
    int64_t steps; /* of a repetition; 0: by seconds */
    int baseline;
};

struct request {
    struct problem_choice choice;
    eulercl_options options;
    struct matrix matrix;
    struct configurations *configurations;
    struct list problems, sizes;
    const char *runs, *svg;
    double seconds;
    int64_t repeats;
    char *text; /* of the list of runs, which the jobs point into */
    struct job *jobs;
    size_t n_jobs;
};

enum { KEY_SIZES = 0x500, KEY_SECONDS, KEY_REPEATS, KEY_STEP, KEY_RUNS, KEY_SVG };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "What is measured:", 4},
    {"sizes", KEY_SIZES, "N,...", 0,
        "components; the nearest numbers that the problem has (as its parameters say)", 4},
    {"seconds", KEY_SECONDS, "S", 0, "about how long a repetition takes (0.1)", 4},
    {"repeats", KEY_REPEATS, "N", 0,
        "repetitions after the warm-up; the best and the median count (5)", 4},
    {"h", KEY_STEP, "H", 0, "step size, small enough for every problem (1e-6)", 4},
    {"runs", KEY_RUNS, "FILE", 0,
        "measure the runs that FILE (- for standard input) lists, one a line, as words key=value",
        4},
    {NULL, 0, NULL, 0, "Output:", 6},
    {"svg", KEY_SVG, "FILE.svg", 0,
        "draw the speed over the size, by gnuplot; its script FILE.gp and FILE.csv stay beside it",
        6},
    {0},
};

static int read_seconds(const char *what, const char *text, double *seconds) {
    const int status = read_real(what, text, seconds);
    if (!status && !(*seconds > 0))
        return fail(EULERCL_INVALID, "%s: '%s' is not greater than 0", what, text);
    return status;
}

static int check_request(const struct request *request) {
    const int listed = request->problems.count + request->sizes.count +
                               request->matrix.backends.count + request->matrix.n_precisions >
                           0 ||
                       request->matrix.baseline != NULL || request->choice.n_settings > 0 ||
                       request->choice.size != 0;
    if (request->runs != NULL && listed)
        return fail(
            EULERCL_INVALID, "--runs lists problems, sizes, backends and precisions itself");
    if (request->choice.size != 0 && request->sizes.count > 0)
        return fail(EULERCL_INVALID, "--size and --sizes: one of them will do");
    const int status = request->matrix.csv == NULL
                           ? EULERCL_OK
                           : claim_file("--csv", request->matrix.csv, request->matrix.csv);
    return status || request->svg == NULL ? status : claim_plot("--svg", request->svg);
}

static error_t parse_request(int key, char *argument, struct argp_state *state) {
    struct request *const request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->choice;
        state->child_inputs[1] = &request->options;
        state->child_inputs[2] = &request->matrix;
        request->problems.items = calloc((size_t)state->argc, sizeof *request->problems.items);
        return request->problems.items == NULL ? fail(EULERCL_MEMORY, "no memory for the options")
                                               : 0;
    case ARGP_KEY_ARG:
        request->problems.items[request->problems.count++] = argument;
        return 0;
    case KEY_SIZES:
        return split("--sizes", argument, &request->sizes);
    case KEY_SECONDS:
        return read_seconds("--seconds", argument, &request->seconds);
    case KEY_REPEATS:
        return read_whole("--repeats", argument, 1, 1000, &request->repeats);
    case KEY_STEP:
        return read_real("--h", argument, &request->options.h);
    case KEY_RUNS:
        request->runs = argument;
        return 0;
    case KEY_SVG:
        request->svg = argument;
        return check_plot("--svg", argument, 0);
    case ARGP_KEY_END:
        return check_request(request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&problem_argp, 0, NULL, 0}, {&options_argp, 0, NULL, 0}, {&matrix_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_request,
    .args_doc = "[PROBLEM|FILE.c|FILE.so]...",
    .children = children,
    .doc = "Measure backends on problems (all built-in ones) of several sizes, one after the "
           "other, and compare their bits.",
};

/* ---- the list of runs ---- */

static int add_job(struct request *request, const struct job *job) {
    struct job *const jobs = realloc(request->jobs, (request->n_jobs + 1) * sizeof *jobs);
    if (jobs == NULL) return fail(EULERCL_MEMORY, "no memory for the list of runs");
    jobs[request->n_jobs++] = *job;
    request->jobs = jobs;
    return EULERCL_OK;
}

/* The baseline first: the others are compared with it. */
static int choose_configurations(struct request *request) {
    int status = EULERCL_OK;
    request->configurations = calloc(1, sizeof *request->configurations);
    if (request->configurations == NULL)
        return fail(EULERCL_MEMORY, "no memory for the list of runs");
    if (request->matrix.baseline != NULL)
        status = read_configuration(request->configurations, request->matrix.baseline, 0,
            &request->configurations->baseline);
    return !status
               ? list_configurations(&request->matrix, &request->options, request->configurations)
               : status;
}

static int add_configurations(struct request *request, const struct job *system) {
    int status = EULERCL_OK;
    for (size_t w = 0; w < request->configurations->count && !status; w++) {
        struct job job = *system;
        job.configuration = &request->configurations->list[w];
        job.baseline = request->matrix.baseline != NULL && w == request->configurations->baseline;
        status = apply_configuration(job.configuration, &job.options);
        if (!status) status = add_job(request, &job);
    }
    return status;
}

/* Problems times sizes times precisions times configurations. */
static int list_matrix(struct request *request) {
    const size_t n_sizes = request->sizes.count > 0 ? request->sizes.count : 1;
    int status = choose_configurations(request);
    for (size_t p = 0; !status; p++) {
        struct job job = {.options = request->options,
            .seconds = request->seconds,
            .size = request->choice.size,
            .any_size = request->sizes.count > 0};
        job.problem = request->problems.count == 0  ? eulercl_problem_name(p)
                      : p < request->problems.count ? request->problems.items[p]
                                                    : NULL;
        if (job.problem == NULL) break;
        for (size_t s = 0; s < n_sizes && !status; s++) {
            if (request->sizes.count > 0)
                status = read_whole("--sizes", request->sizes.items[s], 1, INT64_MAX, &job.size);
            for (size_t r = 0; r < request->matrix.n_precisions && !status; r++) {
                job.options.precision = request->matrix.precisions[r];
                status = add_configurations(request, &job);
            }
        }
    }
    return status;
}

static int read_word(const char *key, const char *value, struct job *job) {
    if (strcmp(key, "problem") == 0)
        job->problem = value;
    else if (strcmp(key, "series") == 0)
        job->series = value;
    else if (strcmp(key, "size") == 0)
        return read_whole(key, value, 1, INT64_MAX, &job->size);
    else if (strcmp(key, "steps") == 0)
        return read_whole(key, value, 1, MOST_STEPS, &job->steps);
    else if (strcmp(key, "seconds") == 0)
        return read_seconds(key, value, &job->seconds);
    else if (strcmp(key, "h") == 0)
        return read_real(key, value, &job->options.h);
    else
        return set_option(key, value, &job->options);
    return EULERCL_OK;
}

/* A line: words key=value; where a key comes twice, the last one counts. */
static int read_line(char *line, struct request *request, int number) {
    struct job job = {.options = request->options, .seconds = request->seconds};
    char *rest;
    char *word = strtok_r(line, " \t\r", &rest);
    if (word == NULL || *word == '#') return EULERCL_OK;
    for (; word != NULL; word = strtok_r(NULL, " \t\r", &rest)) {
        char *const equals = strchr(word, '=');
        if (equals == NULL)
            return fail(EULERCL_INVALID, "--runs, line %d: '%s' is no key=value", number, word);
        *equals = '\0';
        const int status = read_word(word, equals + 1, &job);
        if (status) return status;
    }
    return job.problem == NULL
               ? fail(EULERCL_INVALID, "--runs, line %d: problem= is missing", number)
               : add_job(request, &job);
}

static int list_runs(struct request *request) {
    FILE *const file = strcmp(request->runs, "-") == 0 ? stdin : fopen(request->runs, "r");
    size_t room = 0;
    int status = EULERCL_OK, number = 0;
    if (file == NULL) return fail(EULERCL_FILE, "%s: %s", request->runs, strerror(errno));
    const ssize_t size = getdelim(&request->text, &room, '\0', file);
    if (size < 0 && ferror(file))
        status = fail(EULERCL_FILE, "%s: %s", request->runs, strerror(errno));
    if (file != stdin) fclose(file);
    for (char *line = size > 0 ? request->text : NULL, *next; line != NULL && !status;
         line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        status = read_line(line, request, ++number);
    }
    if (!status && request->n_jobs == 0)
        status = fail(EULERCL_INVALID, "%s lists no run", request->runs);
    return status;
}

/* ---- the system of a run ---- */

struct system {
    const char *name; /* the problem is open by this name; NULL: none is */
    eulercl_problem *problem;
    eulercl_problem_info info;
};

static void close_system(struct system *system) {
    if (system->name != NULL) eulercl_problem_destroy(system->problem);
    system->name = NULL;
}

static int open_system(
    const struct job *job, const struct problem_choice *settings, struct system *system) {
    eulercl_error error;
    int status = EULERCL_OK;
    /* A problem that had another size before is opened anew where the job gives none. */
    if (system->name == NULL || strcmp(system->name, job->problem) != 0 || job->size == 0) {
        struct problem_choice choice = *settings;
        choice.name = job->problem;
        choice.size = 0;
        close_system(system);
        if ((status = open_problem(&choice, &system->problem, &system->info))) return status;
        system->name = job->problem;
    }
    if (job->any_size)
        status = set_nearest_size(system->problem, &system->info, job->size);
    else if (job->size != 0 && eulercl_problem_set_size(system->problem, job->size, &error))
        status = fail_library(&error);
    if (!status && eulercl_problem_get_info(system->problem, &system->info, &error))
        status = fail_library(&error);
    return status;
}

/* ---- measuring ---- */

/* Seconds of so many steps, by the wall clock and by the device's. */
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

/* Whole launches that take about as long as wanted. */
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

/* A solver at the state after the steps that are compared, or the error in words, unprinted. */
static int start(const struct system *system, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    int status = eulercl_solver_create(system->problem, options, solver, error);
    catch_signals(); /* as solve does */
    if (status) return status;
    if (!(status = eulercl_set_initial_state(*solver, error)))
        status = eulercl_advance(*solver, COMPARED_STEPS, error);
    if (status) eulercl_solver_destroy(*solver);
    return status;
}

static int time_repeats(eulercl_solver *solver, const struct request *request,
    const struct job *job, struct bench_row *row) {
    double *const seconds = calloc((size_t)request->repeats, sizeof *seconds);
    const eulercl_stats before = stats_of(solver);
    int64_t steps = job->steps;
    int status = seconds == NULL ? fail(EULERCL_MEMORY, "no memory for the times") : EULERCL_OK;
    if (!status && steps == 0) status = choose_steps(solver, job->seconds, &steps);
    for (int64_t i = -1; i < request->repeats && !status; i++) {
        double device_seconds;
        status = time_steps(
            solver, steps, &seconds[i < 0 ? 0 : i], &device_seconds); /* the first one warms up */
    }
    if (!status) {
        const size_t count = (size_t)request->repeats;
        qsort(seconds, count, sizeof *seconds, compare_reals);
        row->best = seconds[0];
        row->median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
        row->steps = (uint64_t)steps;
        /* What OpenCL backends count; else, at least, the state once in and once out. */
        row->stats = stats_of(solver);
        row->bytes_per_step = row->stats.global_bytes > 0
                                  ? (double)(row->stats.global_bytes - before.global_bytes) /
                                        (double)(row->stats.steps - before.steps)
                                  : 2 * (double)row->stats.n * (double)row->stats.precision;
    }
    free(seconds);
    return status;
}

/* By the device's own clock, in a solver of its own. */
static int time_on_device(const struct system *system, const struct request *request,
    const struct job *job, struct bench_row *row) {
    eulercl_error error;
    eulercl_solver *solver;
    eulercl_options options = job->options;
    options.device_events = 1;
    int status = start(system, &options, &solver, &error);
    if (status) return fail_library(&error);
    for (int64_t i = -1; i < request->repeats && !status; i++) {
        double seconds, device_seconds = 0;
        status = time_steps(solver, (int64_t)row->steps, &seconds, &device_seconds);
        if (i >= 0)
            row->device_seconds =
                fmin(i == 0 ? (double)INFINITY : row->device_seconds, device_seconds);
    }
    eulercl_solver_destroy(solver);
    return status;
}

/* The machine of a row; the first time its ceilings are measured. */
static int find_machine(struct bench *bench, const eulercl_options *options,
    const struct bench_row *row, struct bench_machine **machine) {
    for (size_t i = 0; i < bench->n_machines; i++) {
        *machine = &bench->machines[i];
        if (strcmp((*machine)->device, row->device) == 0 &&
            strcmp((*machine)->device_id, row->device_id) == 0 &&
            (*machine)->threads == row->stats.threads &&
            (*machine)->ceilings.precision == row->stats.precision)
            return EULERCL_OK;
    }
    struct bench_machine *const machines =
        realloc(bench->machines, (bench->n_machines + 1) * sizeof *machines);
    if (machines == NULL) return fail(EULERCL_MEMORY, "no memory for the machines");
    bench->machines = machines;
    *machine = &machines[bench->n_machines++];
    **machine = (struct bench_machine){
        .threads = row->stats.threads, .ceilings.struct_size = sizeof(eulercl_ceilings)};
    snprintf((*machine)->device, sizeof(*machine)->device, "%s", row->device);
    snprintf((*machine)->driver, sizeof(*machine)->driver, "%s", row->driver);
    snprintf((*machine)->device_id, sizeof(*machine)->device_id, "%s", row->device_id);

    eulercl_options chosen = *options;
    eulercl_error error;
    chosen.backend = row->backend;
    if (row->stats.threads > 0) chosen.threads = (uint32_t)row->stats.threads;
    if (eulercl_measure_ceilings(&chosen, &(*machine)->ceilings, &error)) {
        fail(error.code, "no ceilings of %s: %s", row->device, error.message);
        (*machine)->ceilings.precision = row->stats.precision;
        (*machine)->ceilings.copy_bytes_per_second = (*machine)->ceilings.fma_per_second =
            (double)NAN;
    }
    return EULERCL_OK;
}

/* What is known of a run before its times, while the solver lives. */
static int describe(const struct system *system, const struct job *job, eulercl_solver *solver,
    struct bench_row *row) {
    const eulercl_stats stats = stats_of(solver);
    void *const chunk = calloc(CHUNK, sizeof(double));
    if (chunk == NULL) return fail(EULERCL_MEMORY, "no memory for a part of the state");
    int status =
        stream_state(solver, system->info.n, job->options.precision, chunk, NULL, NULL, row->hash);
    free(chunk);
    const struct {
        char *to;
        size_t size;
        const char *from;
    } texts[] = {
        {row->problem, sizeof row->problem, system->info.name},
        {row->device, sizeof row->device, stats.device},
        {row->device_id, sizeof row->device_id, stats.device_id},
        {row->backend, sizeof row->backend, stats.backend},
        {row->variant, sizeof row->variant, stats.variant},
        {row->storage, sizeof row->storage, stats.storage},
        {row->distribution, sizeof row->distribution, stats.distribution},
        {row->plan, sizeof row->plan, stats.plan},
        {row->precision, sizeof row->precision, precision_name(stats.precision)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        snprintf(texts[i].to, texts[i].size, "%s", texts[i].from);
    struct configuration chosen =
        job->configuration == NULL ? (struct configuration){0} : *job->configuration;
    chosen.backend = row->backend;
    chosen.variant = *row->variant == '\0' ? NULL : row->variant;
    if (!status) status = name_configuration(&chosen, chosen.label, sizeof chosen.label);
    if (job->series != NULL)
        text_escape(job->series, "", row->series, sizeof row->series);
    else
        snprintf(row->series, sizeof row->series, "%s %s: %s", row->problem, row->precision,
            chosen.label);
    snprintf(row->configuration, sizeof row->configuration, "%s", chosen.label);
    find_driver(stats.device_id, row->driver, sizeof row->driver);
    row->h = job->options.h;
    row->baseline = job->baseline;
    row->bits_guaranteed = system->info.bits_guaranteed;
    return status;
}

static int same_system(const struct bench_row *a, const struct bench_row *b) {
    return strcmp(a->problem, b->problem) == 0 && a->stats.n == b->stats.n &&
           a->stats.precision == b->stats.precision && a->h == b->h;
}

/* All that follows from the measured figures and the rows before. */
static void derive(
    const struct bench *bench, const struct bench_machine *machine, struct bench_row *row) {
    const double steps = (double)row->steps, n = (double)row->stats.n;
    row->us_per_step = 1e6 * row->best / steps;
    row->median_us_per_step = 1e6 * row->median / steps;
    row->device_us_per_step = 1e6 * row->device_seconds / steps;
    row->gcs_per_s = 1e-9 * n * steps / row->best;
    row->bytes_per_component_step = row->bytes_per_step / n;
    row->copy_share =
        row->bytes_per_step * steps / row->best / machine->ceilings.copy_bytes_per_second;
    row->persistent = row->stats.persistent != 0;
    row->ratio = row->baseline ? 1 : (double)NAN;
    row->bits = *row->hash == '\0' ? "not compared" : "first";
    for (size_t i = bench->n_rows; i-- > 0;) {
        const struct bench_row *const other = &bench->rows[i];
        if (!same_system(row, other)) continue;
        if (*row->hash != '\0')
            row->bits = strcmp(row->hash, other->hash) == 0 ? "same"
                        : row->bits_guaranteed              ? "DIFFERENT"
                                                            : "not promised";
        if (other->baseline) row->ratio = row->gcs_per_s / other->gcs_per_s;
    }
}

/* One run; its row is the bench's next one, if all goes well. */
static int measure(const struct request *request, const struct job *job,
    const struct system *system, struct bench *bench) {
    eulercl_error error;
    eulercl_solver *solver;
    struct bench_machine *machine = NULL;
    struct bench_row row = {.device_seconds = (double)NAN};
    int status = start(system, &job->options, &solver, &error);
    if (status) return fail_library(&error);
    status = describe(system, job, solver, &row);
    if (!status) status = time_repeats(solver, request, job, &row);
    eulercl_solver_destroy(solver);
    if (!status && *row.device_id != '\0') status = time_on_device(system, request, job, &row);
    if (!status) status = find_machine(bench, &job->options, &row, &machine);
    if (status) return status;
    derive(bench, machine, &row);
    bench->rows[bench->n_rows++] = row;
    return EULERCL_OK;
}

static int measure_all(const struct request *request, struct bench *bench) {
    struct system system = {.info.struct_size = sizeof system.info};
    const int terminal = isatty(STDERR_FILENO);
    int status = EULERCL_OK, left_out = EULERCL_OK;
    bench->rows = calloc(request->n_jobs, sizeof *bench->rows);
    if (bench->rows == NULL) return fail(EULERCL_MEMORY, "no memory for the results");
    for (size_t i = 0; i < request->n_jobs && !status; i++) {
        if (terminal)
            fprintf(stderr, "\rrun %zu of %zu: %-60.60s\r", i + 1, request->n_jobs,
                request->jobs[i].problem);
        if ((status = open_system(&request->jobs[i], &request->choice, &system))) break;
        status = measure(request, &request->jobs[i], &system, bench);
        switch (status) {
        case EULERCL_NO_DEVICE:
        case EULERCL_UNSUPPORTED:
        case EULERCL_MEMORY: /* it was said; the machine has no more */
            left_out = status;
            status = EULERCL_OK;
            break;
        case EULERCL_NONFINITE:
        case EULERCL_COMPILE:
        case EULERCL_INTERNAL: /* the others are worth having all the same */
            bench->failed = status;
            status = EULERCL_OK;
            break;
        }
    }
    if (terminal) fprintf(stderr, "%78s\r", "");
    close_system(&system);
    if (!status && bench->n_rows == 0)
        return bench->failed != EULERCL_OK ? bench->failed : left_out;
    return status;
}

/* ---- the report, and all together ---- */

static int report(const struct request *request, const struct bench *bench) {
    int status = EULERCL_OK;
    size_t different = 0;
#ifdef HAVE_JANSSON
    if (request->choice.common.json)
        status = print_bench_json(bench);
    else
#endif
        print_bench_table(bench);
    if (!status && request->matrix.csv != NULL)
        status = write_bench_csv(bench, request->matrix.csv);
    if (!status && request->svg != NULL) status = draw_bench_picture(bench, request->svg);
    for (size_t i = 0; i < bench->n_rows; i++)
        different += strcmp(bench->rows[i].bits, "DIFFERENT") == 0;
    if (!status && different > 0)
        status = fail(EULERCL_INTERNAL,
            "%zu of %zu runs ended in other bits than the first run of the same system", different,
            bench->n_rows);
    return !status ? bench->failed : status;
}

int bench_main(int argc, char **argv) {
    struct request request = {.choice = {.common.command = "eulercl bench", .any_number = 1},
        .seconds = 0.1,
        .repeats = 5};
    struct bench bench = {0};
    char *const command = join_arguments("eulercl bench", argc, argv);
    eulercl_options_init(&request.options);
    request.choice.options = &request.options;
    request.options.h = 1e-6;
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
    request.options.pin_threads = 1;
#endif
    bench.command = command;
    format_date(bench.date);

    int status = command == NULL ? fail(EULERCL_MEMORY, "no memory for the command line")
                                 : parse_options(&argp, argc, argv, &request);
    if (!status) {
        catch_signals();
        status = request.runs != NULL ? list_runs(&request) : list_matrix(&request);
        if (!status) status = measure_all(&request, &bench);
        if (!status) status = report(&request, &bench);
        free(request.choice.settings);
    }
    free(request.matrix.backends.items);
    free(request.problems.items);
    free(request.sizes.items);
    free(request.configurations);
    free(request.text);
    free(request.jobs);
    free(bench.rows);
    free(bench.machines);
    free(command);
    return status;
}
