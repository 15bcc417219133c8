/* SPDX-License-Identifier: BSD-2-Clause */
/* solve_options.c - the options of eulercl solve, and what --resume takes from a file. */
#include "config.h"

#include "command/solve.h"
#include "format/file.h"
#include "format/output.h"
#include "format/past.h"
#include "format/record.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/timespan.h"
#include "shared/tolerance.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_IN = 0x300,
    KEY_OUT,
    KEY_COMPONENT,
    KEY_PRINT_KERNEL,
    KEY_EVERY,
    KEY_PROBE,
    KEY_MONITOR,
    KEY_RANGE,
    KEY_VIEW,
    KEY_THIN,
    KEY_SMOOTH,
    KEY_EXTRACT,
    KEY_EXTRACT_TO,
    KEY_RESUME,
    KEY_CHECKPOINT,
    KEY_CHECKPOINT_EVERY,
    KEY_WALL_TIME,
    KEY_DENSE,
    KEY_STEADY,
    KEY_PARTS,
    KEY_APPEND,
    KEY_FIELD,
    KEY_NO_MOVE,
};
enum { CHECKPOINT_SECONDS = 900 }; /* between checkpoints, by default */

static const struct argp_option option_list[] = {
    {"steady", KEY_STEADY, "TOL", 0,
        "with --tol: stop before the end when no component of dy/dt has a magnitude above TOL", 2},
    {NULL, 0, NULL, 0, "Files and output:", 4},
    {"in", KEY_IN, "FILE", 0,
        "read the initial state (the problem's own) from FILE.npy or FILE.h5[:DATASET], but not "
        "its time, h or parameters",
        4},
    {"field", KEY_FIELD, "NAME=FILE", 0,
        "read a field of the problem from FILE.npy, FILE.h5[:DATASET] or FILE.png, whose pixels "
        "are 0 "
        "where they are black and 1 where they are white (repeatable)",
        4},
    {"resume", KEY_RESUME, "FILE.h5", 0,
        "continue the run that wrote FILE.h5, with its method, time, h, precision and parameters, "
        "and "
        "with the bits of an uninterrupted run; --steps counts further steps",
        4},
    {"out", KEY_OUT, "FILE", 0,
        "write the final state to FILE.npy or FILE.h5, or draw it to FILE.png; with --every, a "
        "name with %d, as in frame-%06d.png, writes a file for every snapshot, and FILE.h5, "
        "FILE.apng and FILE.csv hold all snapshots (repeatable)",
        4},
    {"every", KEY_EVERY, "STEPS|step|t=TIME", 0,
        "take snapshots of the initial state, after every STEPS steps, every step or every TIME, "
        "and of the final state",
        4},
    {"append", KEY_APPEND, NULL, 0,
        "with --resume and --every: go on with the series in FILE.h5, FILE.csv and numbered files, "
        "which keep their states up to the one in the file of --resume",
        4},
    {"dense", KEY_DENSE, NULL, 0,
        "with --tol and --every t=TIME: do not shorten the steps of the run for snapshots; where "
        "the "
        "equations jump, --breakpoints says so",
        4},
    {"probe", KEY_PROBE, "I,J,...", 0,
        "record these components, in FILE.csv and in the report; X:C, X,Y:C or X,Y,Z:C is "
        "component "
        "C of the grid point at this place",
        4},
    {"monitor", KEY_MONITOR, "NAME[:C],...", 0,
        "record statistics over the state (or over component C of every grid point): min, max, "
        "mean, l1, l2, linf, rms; or what observers find: histogram:C:BINS:LOW:HIGH, "
        "euler:C:LEVEL, "
        "length:C, front:C:LEVEL, correlation:C:LAGS",
        4},
    {"component", KEY_COMPONENT, "C", 0, "the component of each grid point that pictures show (0)",
        4},
    {"range", KEY_RANGE, "LEAST,GREATEST", 0,
        "values at the ends of the scale of pictures (each picture's own)", 4},
    {"view", KEY_VIEW, "slice|max|volume", 0,
        "how pictures show a grid of three axes: by three planes through its middle, by the "
        "greatest values along z, or as a cloud (slice)",
        4},
    {"thin", KEY_THIN, "N[:MODE]", 0,
        "files of --out show a value for each block of N points along each axis: their mean, max "
        "or "
        "min, or every N-th point (mean)",
        4},
    {"smooth", KEY_SMOOTH, "R", 0,
        "smooth the points that files of --out show, before --thin, by a mask of 2 R + 1 binomial "
        "weights along each axis, R from 0 to 28 (0)",
        4},
    {"extract", KEY_EXTRACT, "CONDITION", 0,
        "list the points of the final state whose component C satisfies 'C > LEVEL' (or >=, <, "
        "<=), "
        "and their values, in the file of --extract-to",
        4},
    {"extract-to", KEY_EXTRACT_TO, "FILE", 0,
        "FILE.npy or FILE.csv for --extract; with --every, a name with %d, as in points-%06d.npy, "
        "is a "
        "list for every snapshot",
        4},
    {"checkpoint", KEY_CHECKPOINT, "FILE.h5", 0,
        "write a checkpoint for --resume to FILE.h5 regularly, when the run is stopped, and at its "
        "end; the previous one is kept as FILE.h5.old",
        4},
    {"checkpoint-every", KEY_CHECKPOINT_EVERY, "STEPS|t=TIME|SECONDSs", 0,
        "write a checkpoint after every STEPS steps, TIME of the problem, or SECONDS of the clock "
        "(900s)",
        4},
    {"parts", KEY_PARTS, NULL, 0,
        "under mpirun: each process writes its part of FILE.h5 beside it, and FILE.h5 shows them "
        "as one",
        4},
    {"wall-time", KEY_WALL_TIME, "SECONDS|HH:MM:SS", 0,
        "stop the run, with a checkpoint, when the command has run for this time", 4},
    {"no-move", KEY_NO_MOVE, NULL, 0,
        "with FILE.c: wait for its fast code instead of beginning with code that compiles sooner",
        4},
    {"print-kernel", KEY_PRINT_KERNEL, NULL, 0,
        "print the OpenCL source that would be built, and stop", 4},
    {"quiet", 'q', NULL, 0, "print nothing but errors (and JSON)", 4},
    {"verbose", 'v', NULL, 0, "report on standard error what is chosen, and when files are written",
        4},
    {0},
};

static int contradicts(const struct solve_run *run, const char *option, double there, double here) {
    char first[32], second[32];
    return fail(EULERCL_INVALID,
        "--resume %s: %s is %s in the file, but %s on the command line; omit it", run->resume,
        option, real_text(there, first), real_text(here, second));
}

/* A parameter that is given again must have the value that it has in the file. */
static int check_settings(const struct solve_run *run) {
    const struct past *const past = &run->past;
    for (size_t i = 0; i < run->choice.n_settings; i++) {
        const struct setting *const setting = &run->choice.settings[i];
        size_t j = 0;
        while (j < past->n_parameters && strcmp(past->parameters[j].name, setting->name) != 0) j++;
        if (j == past->n_parameters)
            return fail(EULERCL_INVALID,
                "--resume %s: the problem %s in the file has no parameter %s", run->resume,
                past->problem, setting->name);
        if (past->parameters[j].value != setting->value)
            return contradicts(run, setting->name, past->parameters[j].value, setting->value);
    }
    return run->choice.size != 0 && run->choice.size != past->n
               ? contradicts(run, "--size", (double)past->n, (double)run->choice.size)
               : EULERCL_OK;
}

static int differs(
    const struct solve_run *run, const char *what, const char *there, const char *here) {
    return fail(EULERCL_INVALID,
        "--resume %s: the %s is %s in the file, but %s on the command line; omit it", run->resume,
        what, there, here);
}

/* The method of a run with steps of one size. */
static int take_method(struct solve_run *run) {
    eulercl_options *const options = &run->options;
    eulercl_method_info there, here;
    int status = find_method(run->past.method, run->past.stages, &there);
    if (!status && options->method != NULL && strcmp(options->method, there.name) != 0)
        return differs(run, "method", there.name, options->method);
    options->method = there.name;
    if (!status && options->stages > 0) status = find_method(there.name, options->stages, &here);
    if (!status && options->stages > 0 && here.stages != there.stages)
        return contradicts(run, "--stages", there.stages, here.stages);
    options->stages = there.stages;
    return status;
}

static int take_size(struct solve_run *run) {
    const double h = run->past.clock.h;
    if (run->options.rtol > 0)
        return fail(EULERCL_INVALID,
            "--resume %s: the run in the file has steps of one size; omit --tol", run->resume);
    if (run->time.has_h && run->options.h != h) return contradicts(run, "--h", h, run->options.h);
    return take_method(run);
}

static int take_tolerance(struct solve_run *run) {
    eulercl_options *const options = &run->options;
    const double rtol = run->past.rtol;
    if (options->rtol > 0 && options->rtol != rtol)
        return contradicts(run, "--tol", rtol, options->rtol);
    if (options->atol > 0 || options->atol_count > 0 || options->h0 > 0 || options->h_max > 0 ||
        options->controller != NULL || options->spectral_radius > 0 || options->method != NULL ||
        options->stages > 0)
        return fail(EULERCL_INVALID,
            "--resume %s: the method and the options of --tol come from the file; omit them",
            run->resume);
    options->rtol = rtol;
    return EULERCL_OK;
}

/* Everything except the end of the run comes from the file. */
static int take_past(struct solve_run *run) {
    struct past *const past = &run->past;
    struct problem_choice *const choice = &run->choice;
    const struct time_choice *const time = &run->time;
    eulercl_options *const options = &run->options;
    if (run->in != NULL)
        return fail(EULERCL_INVALID,
            "--in and --resume are mutually exclusive: both set the initial state");
    if (time->is_auto)
        return fail(EULERCL_INVALID, "--resume takes h from the file; omit --h auto");
    if (time->has_steps == time->has_t_end)
        return fail(EULERCL_INVALID, "--resume needs either --steps (how many more) or --t-end");
    int status = read_past(run->resume, 1, past);
    if (!status) status = check_settings(run);
    if (status) return status;
    if (time->has_t0 && options->t0 != past->t0)
        return contradicts(run, "--t0", past->t0, options->t0);
    status = past->rtol > 0 ? take_tolerance(run) : take_size(run);
    if (status) return status;
    if (options->precision != 0 && options->precision != past->precision)
        return differs(
            run, "precision", precision_name(past->precision), precision_name(options->precision));
    if (options->flush_below != EULERCL_AS_PROBLEM && options->flush_below != past->flush_below)
        return contradicts(run, "--flush-below", past->flush_below, options->flush_below);
    options->flush_below = past->flush_below;
    /* Given breakpoints replace the file's: there may be new ones. */
    if (options->breakpoint_count == 0 && past->breakpoints != NULL) {
        status = read_breakpoints("breakpoints of the file", past->breakpoints, options);
        if (status) return status;
    }
    options->t0 = past->t0;
    options->h = past->clock.h;
    options->precision = past->precision;
    struct setting *const settings =
        reallocarray(choice->settings, past->n_parameters + 1, sizeof *settings);
    if (settings == NULL) return fail(EULERCL_MEMORY, "no memory for the parameters");
    memcpy(settings, past->parameters, past->n_parameters * sizeof *settings);
    choice->settings = settings;
    choice->n_settings = past->n_parameters;
    choice->size = 0;
    choice->wanted = past->problem;
    choice->wanted_by = run->resume;
    return EULERCL_OK;
}

/* Check the options of steps to a tolerance. */
static int check_adaptive(const struct solve_run *run) {
    const struct recording *const r = &run->recording;
    const int is_adaptive = run->options.rtol > 0;
    if (!is_adaptive && run->options.steady > 0)
        return fail(EULERCL_INVALID, "--steady needs --tol");
    if (run->is_dense && !(is_adaptive && r->every.time > 0))
        return fail(EULERCL_INVALID, "--dense needs --tol and --every t=TIME");
    if (is_adaptive && !run->time.has_t_end && (r->every.time > 0 || r->checkpoint_every.time > 0))
        return fail(EULERCL_INVALID, "with --tol, intervals of t=TIME need --t-end, not --steps");
    if (run->is_dense && r->checkpoint_every.time > 0)
        return fail(EULERCL_INVALID,
            "--dense and --checkpoint-every t=TIME are mutually exclusive: checkpoints are made "
            "at the ends of steps");
    return EULERCL_OK;
}

static int check_run(struct solve_run *run) {
    struct interval *const every = &run->recording.checkpoint_every;
    if (run->recording.checkpoint != NULL && every->steps == 0 && !(every->time > 0) &&
        !(every->seconds > 0))
        every->seconds = CHECKPOINT_SECONDS;
    int status = run->resume != NULL ? take_past(run) : EULERCL_OK;
    if (!status) status = check_tolerance(&run->options);
    if (!status) status = check_adaptive(run);
    if (!status) status = settle_time(&run->time);
    if (run->options.precision == 0) run->options.precision = EULERCL_DOUBLE;
    if (!status && run->recording.appends && run->resume == NULL)
        return fail(EULERCL_INVALID, "--append needs --resume FILE.h5");
    if (!status && run->print_kernel && run->choice.common.json)
        return fail(EULERCL_INVALID, "--print-kernel and --json are mutually exclusive");
    if (!status) status = check_recording(&run->recording);
    for (size_t i = 0; i < run->recording.n_out && !status; i++)
        status = check_file(run->recording.out[i]); /* before a FILE.c is compiled */
    return status;
}

/* What files show of a state. */
static error_t parse_shown(int key, char *argument, struct recording *recording) {
    switch (key) {
    case KEY_COMPONENT:
        return read_whole("--component", argument, 0, INT64_MAX, &recording->layout.component);
    case KEY_THIN:
        return read_thin(argument, &recording->thinned);
    case KEY_SMOOTH:
        return read_smooth(argument, &recording->thinned);
    case KEY_EXTRACT:
        recording->extraction.condition = argument;
        return 0;
    case KEY_EXTRACT_TO:
        recording->extraction.path = argument;
        return 0;
    case KEY_RANGE:
        return read_range(argument, recording);
    case KEY_VIEW:
        return read_view(argument, recording);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(int key, char *argument, struct argp_state *state) {
    struct solve_run *const run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->choice;
        state->child_inputs[1] = &run->options;
        state->child_inputs[2] = &run->time;
        state->child_inputs[3] = &run->options;
        run->recording.out = calloc((size_t)state->argc, sizeof *run->recording.out);
        run->fields = calloc((size_t)state->argc, sizeof *run->fields);
        return run->recording.out == NULL || run->fields == NULL
                   ? fail(EULERCL_MEMORY, "no memory for the options")
                   : 0;
    case KEY_FIELD:
        return read_field(argument, &run->fields[run->n_fields++]);
    case KEY_NO_MOVE:
        run->options.no_move = 1;
        return 0;
    case KEY_IN:
        run->in = argument;
        return 0;
    case KEY_OUT:
        run->recording.out[run->recording.n_out++] = argument;
        return check_output(argument);
    case KEY_EVERY:
        return read_every(argument, &run->recording.every);
    case KEY_RESUME:
        run->resume = argument;
        return 0;
    case KEY_CHECKPOINT:
        run->recording.checkpoint = argument;
        return check_checkpoint(argument);
    case KEY_CHECKPOINT_EVERY:
        return read_checkpoint_every(argument, &run->recording.checkpoint_every);
    case KEY_DENSE:
        run->is_dense = 1;
        return 0;
    case KEY_APPEND:
        run->recording.appends = 1;
        return 0;
    case KEY_PARTS:
        run->recording.asks_for_parts = 1;
        return 0;
    case KEY_STEADY:
        return read_positive("--steady", argument, &run->options.steady);
    case KEY_WALL_TIME:
        return read_duration("--wall-time", argument, &run->wall_time);
    case KEY_PROBE:
        return read_probes(argument, &run->recording);
    case KEY_MONITOR:
        return read_figures(argument, &run->recording);
    case 'q':
        run->quiet = 1;
        run->recording.verbose = 0;
        return 0;
    case 'v':
        run->quiet = 0;
        run->recording.verbose = 1;
        return 0;
    case KEY_PRINT_KERNEL:
        run->print_kernel = 1;
        return 0;
    case ARGP_KEY_END:
        return check_run(run);
    default:
        return parse_shown(key, argument, &run->recording);
    }
}

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0},
    {&options_argp, 0, NULL, 0}, {&time_argp, 0, NULL, 0}, {&tolerance_argp, 0, NULL, 0}, {0}};
const struct argp solve_argp = {
    .options = option_list,
    .parser = parse_run,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem and report on the run.",
};
