/* SPDX-License-Identifier: BSD-2-Clause */
/* bench.c - eulercl bench: its options, the list of runs, the report. */
#include "config.h"

#include "command/commands.h"
#include "measure/benchmark.h"
#include "measure/configurations.h"
#include "measure/jobs.h"
#include "report/report.h"
#include "shared/arguments.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct bench_request {
    struct problem_choice choice;
    eulercl_options options;
    struct matrix matrix;
    struct configurations *configurations;
    struct list problems, sizes;
    const char *runs;
    struct report *report;
    double seconds;
    char *text; /* the text of the list of runs; the jobs point into it */
    int64_t repeats;
    struct jobs jobs;
};

enum { KEY_SIZES = 0x500, KEY_SECONDS, KEY_REPEATS, KEY_STEP, KEY_RUNS, KEY_SVG };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "What is measured:", 4},
    {"sizes", KEY_SIZES, "N,...", 0,
        "numbers of components; the nearest sizes that the problem has are used (the size that the "
        "parameters give)",
        4},
    {"seconds", KEY_SECONDS, "S", 0, "approximate time of a repetition (0.1)", 4},
    {"repeats", KEY_REPEATS, "N", 0,
        "repetitions after the warm-up, of which the best and the median are reported (5)", 4},
    {"h", KEY_STEP, "H", 0,
        "step size; the default is small enough for every built-in problem (1e-6)", 4},
    {"runs", KEY_RUNS, "FILE", 0,
        "measure the runs listed in FILE (- for standard input), one per line, as words key=value",
        4},
    {NULL, 0, NULL, 0, "Output:", 6},
    {"svg", KEY_SVG, "FILE.svg", 0,
        "draw the speed over the size with gnuplot; the script FILE.gp and the data FILE.csv are "
        "kept",
        6},
    {0},
};

static int read_seconds(const char *what, const char *text, double *seconds) {
    const int status = read_real(what, text, seconds);
    if (!status && !(*seconds > 0))
        return fail(EULERCL_INVALID, "%s: '%s' is not greater than 0", what, text);
    return status;
}

static int check_request(const struct bench_request *request) {
    const int listed = request->problems.count + request->sizes.count +
                               request->matrix.backends.count + request->matrix.n_methods +
                               request->matrix.n_precisions >
                           0 ||
                       request->matrix.baseline != NULL || request->choice.n_settings > 0 ||
                       request->choice.size != 0;
    if (request->runs != NULL && listed)
        return fail(EULERCL_INVALID,
            "--runs excludes options that list problems, sizes, backends, methods or precisions");
    if (request->choice.size != 0 && request->sizes.count > 0)
        return fail(EULERCL_INVALID, "--size and --sizes are mutually exclusive");
    request->report->csv = request->matrix.csv;
    return check_drawings(request->report);
}

static error_t parse_request(int key, char *argument, struct argp_state *state) {
    struct bench_request *const request = state->input;
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
        return add_drawing(request->report, "--svg", argument);
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

/* List a job for each problem, size, method, precision and configuration. */
static int list_matrix(struct bench_request *request) {
    const size_t n_sizes = request->sizes.count > 0 ? request->sizes.count : 1;
    int status = list_configurations(&request->matrix, &request->options, request->configurations);
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
            if (!status)
                status = add_jobs(
                    &request->jobs, &request->matrix, request->configurations, &job, NULL, NULL);
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

/* Read a line of words key=value. If a key occurs twice, its last value counts. */
static int read_line(char *line, struct bench_request *request, int number) {
    struct job job = {.options = request->options, .seconds = request->seconds};
    eulercl_method_info method;
    char *rest;
    char *word = strtok_r(line, " \t\r", &rest);
    if (word == NULL || *word == '#') return EULERCL_OK;
    for (; word != NULL; word = strtok_r(NULL, " \t\r", &rest)) {
        char *const equals = strchr(word, '=');
        if (equals == NULL)
            return fail(EULERCL_INVALID, "--runs, line %d: '%s' is not key=value", number, word);
        *equals = '\0';
        const int status = read_word(word, equals + 1, &job);
        if (status) return status;
    }
    if (job.problem == NULL)
        return fail(EULERCL_INVALID, "--runs, line %d: problem= is missing", number);
    const int status = find_method(job.options.method, job.options.stages, &method);
    return !status ? add_job(&request->jobs, &job) : status;
}

static int list_runs(struct bench_request *request) {
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
    if (!status && request->jobs.count == 0)
        status = fail(EULERCL_INVALID, "%s contains no run", request->runs);
    return status;
}

/* ---- all together ---- */

/* Where threads of the processor compute they stay on their cores, because that is measured. */
static void pin_threads(struct job *job) {
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    const char *const name = job->options.backend;
    for (size_t i = 0; name != NULL && eulercl_get_backend(i, &backend, NULL) == EULERCL_OK; i++)
        if (strcmp(name, backend.name) == 0 && !backend.is_opencl)
            eulercl_options_set(&job->options, "pin_threads", "1", NULL);
#else
    (void)job;
#endif
}

static int measure_all(struct bench_request *request) {
    struct report *const report = request->report;
    struct benchmark bench = {.repeats = request->repeats, .report = report};
    struct system system = {.settings = &request->choice};
    int status = request->runs != NULL ? list_runs(request) : list_matrix(request);
    report->n_methods = 1;
    for (size_t i = 0; i < request->jobs.count; i++) {
        struct job *const job = &request->jobs.list[i];
        pin_threads(job);
        if (strcmp(method_of(&job->options).label,
                method_of(&request->jobs.list[0].options).label) != 0)
            report->n_methods = 2;
    }
    if (!status) status = run_jobs(&request->jobs, &system, measure_job, &bench);
    close_system(&system);
    if (!status && report->n_rows == 0) return bench.failed ? bench.failed : bench.left_out;
    if (!status) status = write_report(report, request->choice.common.json);
    if (!status) status = check_bits(report, "the first run of the same system");
    return !status ? bench.failed : status;
}

int bench_main(int argc, char **argv) {
    struct report report;
    struct bench_request request = {.choice = {.common.command = "eulercl bench", .any_number = 1},
        .configurations = calloc(1, sizeof *request.configurations),
        .report = &report,
        .seconds = 0.1,
        .repeats = 5};
    int status = begin_report(&report, "eulercl bench", argc, argv);
    eulercl_options_init(&request.options);
    request.choice.options = &request.options;
    request.options.h = 1e-6;
    if (!status && request.configurations == NULL)
        status = fail(EULERCL_MEMORY, "no memory for the list of runs");
    if (!status) status = parse_options(&argp, argc, argv, &request);
    if (!status) {
        catch_signals();
        status = measure_all(&request);
        free(request.choice.settings);
    }
    free(request.matrix.backends.items);
    free(request.problems.items);
    free(request.sizes.items);
    free(request.configurations);
    free(request.text);
    free(request.jobs.list);
    free_report(&report);
    return status;
}
