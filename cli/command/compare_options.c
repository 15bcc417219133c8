/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_options.c - the options of eulercl compare. */
#include "config.h"

#include "command/compare_options.h"
#include "measure/configurations.h"
#include "report/report.h"
#include "shared/list.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/timespan.h"
#include "shared/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
const struct argp compare_argp = {
    .options = option_list,
    .parser = parse_request,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem with several backends, variants, precisions and tiles, and compare "
           "their times, bits and errors.",
};
