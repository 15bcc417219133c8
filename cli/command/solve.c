/* solve.c - eulercl solve: read the options, run, record, report.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "command/commands.h"
#include "format/file.h"
#include "format/format.h"
#include "format/input.h"
#include "format/output.h"
#include "format/past.h"
#include "format/record.h"
#include "lib/text.h"
#include "shared/clock.h"
#include "shared/compile.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/progress.h"
#include "shared/stop.h"
#include "shared/timespan.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- options ---- */

struct solve_run {
    struct problem_choice choice;
    eulercl_options options;
    struct time_choice time;
    int print_kernel;
    const char *in, *resume;
    struct past past; /* with resume */
    double wall_time; /* seconds; 0: no limit */
    int quiet;
    double last_h; /* of the last shorter step; 0: there was none */
    struct recording recording;
};

enum {
    KEY_IN = 0x300,
    KEY_OUT,
    KEY_COMPONENT,
    KEY_PRINT_KERNEL,
    KEY_EVERY,
    KEY_PROBE,
    KEY_MONITOR,
    KEY_RANGE,
    KEY_RESUME,
    KEY_CHECKPOINT,
    KEY_CHECKPOINT_EVERY,
    KEY_WALL_TIME,
};
enum { CHECKPOINT_SECONDS = 900 }; /* between checkpoints, by default */

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Files and output:", 4},
    {"in", KEY_IN, "FILE", 0,
        "read the initial state (the problem's own) from FILE.npy or FILE.h5[:DATASET], but not "
        "its time, h or parameters",
        4},
    {"resume", KEY_RESUME, "FILE.h5", 0,
        "continue the run that wrote FILE.h5, with its time, h, precision and parameters, and with "
        "the bits of an uninterrupted run; --steps counts further steps",
        4},
    {"out", KEY_OUT, "FILE", 0,
        "write the final state to FILE.npy or FILE.h5, or draw it to FILE.png; with --every, a "
        "name with %d, as in frame-%06d.png, writes a file for every snapshot, and FILE.h5, "
        "FILE.apng and FILE.csv hold all snapshots (repeatable)",
        4},
    {"every", KEY_EVERY, "STEPS|t=TIME", 0,
        "take snapshots of the initial state, after every STEPS steps or every TIME, and of the "
        "final state",
        4},
    {"probe", KEY_PROBE, "I,J,...", 0, "record these components, in FILE.csv and in the report", 4},
    {"monitor", KEY_MONITOR, "NAME[:C],...", 0,
        "record statistics over the state (or over component C of every grid point): min, max, "
        "mean, l1, l2, linf, rms",
        4},
    {"component", KEY_COMPONENT, "C", 0, "the component of each grid point that pictures show (0)",
        4},
    {"range", KEY_RANGE, "LEAST,GREATEST", 0,
        "values at the ends of the scale of pictures (each picture's own)", 4},
    {"checkpoint", KEY_CHECKPOINT, "FILE.h5", 0,
        "write a checkpoint for --resume to FILE.h5 regularly, when the run is stopped, and at its "
        "end; the previous one is kept as FILE.h5.old",
        4},
    {"checkpoint-every", KEY_CHECKPOINT_EVERY, "STEPS|t=TIME|SECONDSs", 0,
        "write a checkpoint after every STEPS steps, TIME of the problem, or SECONDS of the clock "
        "(900s)",
        4},
    {"wall-time", KEY_WALL_TIME, "SECONDS|HH:MM:SS", 0,
        "stop the run, with a checkpoint, when the command has run for this time", 4},
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
    if (time->has_h && options->h != past->clock.h)
        return contradicts(run, "--h", past->clock.h, options->h);
    if (options->precision != 0 && options->precision != past->precision)
        return fail(EULERCL_INVALID,
            "--resume %s: the precision is %s in the file, but %s on the command line; omit it",
            run->resume, precision_name(past->precision), precision_name(options->precision));
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

static int check_run(struct solve_run *run) {
    struct interval *const every = &run->recording.checkpoint_every;
    if (run->recording.checkpoint != NULL && every->steps == 0 && !(every->time > 0) &&
        !(every->seconds > 0))
        every->seconds = CHECKPOINT_SECONDS;
    int status = run->resume != NULL ? take_past(run) : EULERCL_OK;
    if (!status) status = settle_time(&run->time);
    if (run->options.precision == 0) run->options.precision = EULERCL_DOUBLE;
    if (!status && run->print_kernel && run->choice.common.json)
        return fail(EULERCL_INVALID, "--print-kernel and --json are mutually exclusive");
    if (!status) status = check_recording(&run->recording);
    for (size_t i = 0; i < run->recording.n_out && !status; i++)
        status = check_file(run->recording.out[i]); /* before a FILE.c is compiled */
    return status;
}

static error_t parse_run(int key, char *argument, struct argp_state *state) {
    struct solve_run *const run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->choice;
        state->child_inputs[1] = &run->options;
        state->child_inputs[2] = &run->time;
        run->recording.out = calloc((size_t)state->argc, sizeof *run->recording.out);
        return run->recording.out == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : 0;
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
    case KEY_COMPONENT:
        return read_whole("--component", argument, 0, INT64_MAX, &run->recording.layout.component);
    case KEY_RANGE:
        return read_range(argument, &run->recording);
    case KEY_PRINT_KERNEL:
        run->print_kernel = 1;
        return 0;
    case ARGP_KEY_END:
        return check_run(run);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&problem_argp, 0, NULL, 0}, {&options_argp, 0, NULL, 0}, {&time_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_run,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem with the explicit Euler method and report on the run.",
};

/* ---- the report ---- */

struct report {
    const struct solve_run *run;
    struct facts facts;
    double seconds; /* of the whole run; until compute() ends, its start on the wall clock */
};

#ifdef HAVE_JANSSON
static json_t *json_snapshots(const struct recording *recording) {
    if (!has_snapshots(recording)) return json_null();
    return json_pack("{s:I, s:I, s:f, s:f, s:b, s:s?}", "count", (json_int_t)recording->snapshots,
        "bytes", (json_int_t)recording->state_bytes, "write", recording->write_seconds, "wait",
        recording->wait_seconds, "beside_steps", recording->is_aside, "note",
        *recording->why_serial == '\0' ? NULL : recording->why_serial);
}

static json_t *json_checkpoint(const struct recording *recording) {
    return recording->checkpoint == NULL
               ? json_null()
               : json_pack("{s:o?, s:I}", "file", json_string(recording->checkpoint), "count",
                     (json_int_t)recording->checkpoints);
}

static int print_json(const struct report *report) {
    const eulercl_stats *const stats = &report->facts.stats;
    const struct recording *const recording = &report->run->recording;
    json_t *const object = json_facts(&report->facts), *const values = json_object();
    int failed = object == NULL || values == NULL;
    for (size_t i = 0; i < recording->layout.n_columns && !failed; i++)
        failed = json_object_set_new(
                     values, recording->columns[i], json_number(recording->values[i], 0)) != 0;
    if (!failed)
        failed =
            json_object_set(object, "values", values) != 0 ||
            json_object_set_new(object, "snapshots", json_snapshots(recording)) != 0 ||
            json_object_set_new(object, "checkpoint", json_checkpoint(recording)) != 0 ||
            json_object_set_new(object, "compile_cached",
                report->run->choice.compile_seconds > 0
                    ? json_boolean(report->run->choice.compiling.is_cached)
                    : json_null()) != 0 ||
            json_object_set_new(object, "seconds",
                json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "total", report->seconds,
                    "compile", report->run->choice.compile_seconds, "setup", stats->setup_seconds,
                    "build", stats->build_seconds, "upload", stats->upload_seconds, "kernel",
                    stats->kernel_seconds, "download", stats->download_seconds)) != 0;
    json_decref(values);
    if (!failed) return json_print(object);
    json_decref(object);
    return json_print(NULL);
}
#endif

/* Print the tiles of cl-register. */
static void print_registers(const eulercl_stats *stats) {
    printf("\ntiles    %" PRIu64 ", %" PRIu64 " x %" PRIu64 " points per work-item, %" PRIu64
           " step%s per launch",
        stats->tiles, stats->points_per_item, stats->rows_per_item, stats->steps_per_launch,
        stats->steps_per_launch == 1 ? "" : "s");
    if (stats->steps_per_exchange > 1)
        printf(" and %" PRIu64 " per exchange", stats->steps_per_exchange);
    printf(", %" PRIu64 " bytes of local memory", stats->local_bytes);
    if (stats->steps > stats->resumed_steps)
        printf(", %.3g %% computed more than once",
            100 * (double)stats->redundant_component_steps /
                ((double)stats->n * (double)(stats->steps - stats->resumed_steps)));
}

/* Print a line with a file's name, whose control characters are shown. */
static void __attribute__((format(printf, 3, 4)))
print_named(const char *before, const char *name, const char *after, ...) {
    char shown[PATH_MAX];
    va_list arguments;
    text_escape(name, "", shown, sizeof shown);
    printf("%s%s", before, shown);
    va_start(arguments, after);
    vprintf(after, arguments);
    va_end(arguments);
}

static void print_text(const struct report *report) {
    const struct solve_run *const run = report->run;
    char buffer[32];
    const eulercl_stats *const stats = &report->facts.stats;
    const struct recording *const recording = &run->recording;
    const eulercl_problem_info *const info = recording->layout.info;
    const int chosen = run->options.backend == NULL || strcmp(run->options.backend, "auto") == 0;
    printf("problem  %s, n = %" PRId64 ", access distance %" PRId64 "\n", info->name, stats->n,
        info->access_distance);
    printf("backend  %s%s%s, %s%s\n", stats->backend, *stats->variant ? " " : "", stats->variant,
        precision_name(stats->precision), chosen ? " (chosen by auto)" : "");
    printf("device   %s%s%s%s", stats->device, *stats->device_id ? " (--device " : "",
        stats->device_id, *stats->device_id ? ")" : "");
    if (stats->threads > 0)
        printf(", %" PRIu64 " thread%s", stats->threads, stats->threads == 1 ? "" : "s");
    if (stats->workgroups > 0)
        printf(", %" PRIu64 " work-group%s of %" PRIu64, stats->workgroups,
            stats->workgroups == 1 ? "" : "s", stats->workgroup_size);
    if (stats->points_per_item > 0)
        print_registers(stats);
    else if (stats->tiles > 0 && stats->dia_blocks == 0)
        printf("\ntiles    %" PRIu64 ", %" PRIu64 " step%s per pass", stats->tiles,
            stats->steps_per_launch, stats->steps_per_launch == 1 ? "" : "s");
    else if (stats->tiles > 0)
        printf("\ntiles    %" PRIu64 " of %" PRIu64 " blocks of %" PRIu64 " components, %" PRIu64
               " step%s per launch, storage %s (%" PRIu64 " bytes)%s%s",
            stats->tiles, stats->dia_blocks, stats->block_size, stats->steps_per_launch,
            stats->steps_per_launch == 1 ? "" : "s", stats->storage, stats->local_bytes,
            *stats->distribution ? ", distribution " : "", stats->distribution);
    if (*stats->plan != '\0') printf("\nplan     %s: %s", stats->plan, stats->plan_reason);
    printf("\nsteps    %" PRId64 " of h = %.9g%s, from t = %.9g to %.9g\n", stats->steps,
        run->options.h, run->time.is_auto ? " (auto)" : "", run->options.t0, stats->t);
    if (run->resume != NULL)
        print_named("resumed  ", run->resume, ", after step %" PRId64 ", t = %.9g\n",
            stats->resumed_steps, run->past.t);
    printf("seconds  %.3g (", report->seconds);
    if (report->run->choice.compile_seconds > 0)
        printf("compile %.3g%s, ", report->run->choice.compile_seconds,
            report->run->choice.compiling.is_cached ? " (cached)" : "");
    printf("setup %.3g, build %.3g, upload %.3g, kernel %.3g, download %.3g)\n",
        stats->setup_seconds, stats->build_seconds, stats->upload_seconds, stats->kernel_seconds,
        stats->download_seconds);
    if (isfinite(steps_rate(stats)))
        printf("rate     %.4g Gcs/s (1e9 component-steps per second)\n", 1e-9 * steps_rate(stats));
    for (size_t i = 0; i < recording->layout.n_columns; i++)
        printf(
            "value    %s = %s\n", recording->columns[i], real_text(recording->values[i], buffer));
    if (*recording->hash != '\0') printf("hash     %s\n", recording->hash);
    for (size_t i = 0; i < recording->n_out; i++) print_named("written  ", recording->out[i], "\n");
    if (recording->snapshots > 1)
        printf("         %" PRId64
               " snapshots, %.4g MB of states: %.3g s to read and write, the steps waited %.3g s\n",
            recording->snapshots, 1e-6 * (double)recording->state_bytes, recording->write_seconds,
            recording->wait_seconds);
    if (recording->checkpoint != NULL) {
        printf("         %" PRId64, recording->checkpoints);
        print_named(recording->checkpoints == 1 ? " checkpoint in " : " checkpoints in ",
            recording->checkpoint, "\n");
    }
    if (run->last_h > 0)
        printf(
            "note: the last step was shorter, %.9g, to end at t = %.9g\n", run->last_h, stats->t);
    if (*recording->why_serial != '\0')
        printf("note: snapshots were written between the steps: %s\n", recording->why_serial);
    if (*stats->note != '\0') printf("note: %s\n", stats->note);
    if (!info->bits_guaranteed)
        printf("note: the problem uses functions whose bits differ between devices; the hash is "
               "this device's\n");
}

/* ---- the run ---- */

static int print_kernel(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_error error;
    char *source;
    if (eulercl_kernel_source(problem, options, &source, &error)) return fail_library(&error);
    fputs(source, stdout);
    eulercl_free(source);
    return EULERCL_OK;
}

/* As eulercl_advance_to rounds, on the grid of times that the clock stands on; 1: a shorter step
 * follows. What it refuses is left to it. */
static int split_time(const struct solve_run *run, const eulercl_clock *clock, int64_t *steps) {
    const double q = (run->time.t_end - clock->t_base) / clock->h;
    *steps = run->time.steps;
    if (!run->time.has_t_end) return 0;
    *steps = 0;
    if (!(q >= (double)clock->base_steps && q < 0x1p62)) return 1;
    const int whole = fabs(q - round(q)) <= 1e-9 * fmax(1, q);
    const int64_t all = (int64_t)(whole ? round(q) : floor(q));
    *steps = all > clock->base_steps ? all - clock->base_steps : 0;
    return !whole;
}

/* The steps run a problem's code, which may hang; all other work until the end is worth waiting
 * for. */
static int advance_by(eulercl_solver *solver, int64_t steps, eulercl_error *error) {
    may_hang(1);
    const int status = eulercl_advance(solver, steps, error);
    may_hang(0);
    return status;
}

static eulercl_clock clock_of(const eulercl_solver *solver) {
    eulercl_clock clock = {.struct_size = sizeof clock};
    eulercl_get_clock(solver, &clock, NULL);
    return clock;
}

/* Why the run ends before its last step; NULL: it does not. */
static const char *why_stop(const struct progress *progress) {
    return stop_signal() != NULL ? stop_signal() : is_due(progress->limit) ? "--wall-time" : NULL;
}

/* A snapshot that could not be written was before the step that failed, or is why that was stopped.
 */
static int stop(struct solve_run *run, eulercl_solver *solver, const eulercl_error *error) {
    struct recording *const r = &run->recording;
    const char *const why = why_stop(run->options.observer_user);
    int status = finish_snapshot(r);
    if (status) return status;
    if (error->code == EULERCL_NONFINITE && run->time.is_auto)
        return fail(error->code, "%s; --h auto considers only the initial state", error->message);
    if (error->code != EULERCL_CANCELLED || why == NULL) return fail_library(error);
    if (r->checkpoint == NULL) return fail(error->code, "%s: %s", why, error->message);
    status = record_state(r, solver, CHECKPOINT | AT_ONCE);
    return !status ? fail(error->code, "%s: %s; --resume %s continues the run", why, error->message,
                         r->checkpoint)
                   : status;
}

/* From one state that is recorded to the next, in advances of their own: the bits do not depend on
 * where a run is cut. */
static int advance_steps(
    struct solve_run *run, eulercl_solver *solver, int64_t steps, int shorter) {
    struct progress *const progress = run->options.observer_user;
    struct recording *const r = &run->recording;
    const double seconds = r->checkpoint_every.seconds;
    eulercl_clock clock = clock_of(solver);
    const int64_t end = clock.steps + steps;
    eulercl_error error;
    int status = EULERCL_OK;
    if (seconds > 0) progress->due = wall_clock() + seconds;
    while (clock.steps < end && !status) {
        const int64_t snapshot = next_moment(&r->every, &clock, run->options.t0),
                      checkpoint = next_moment(&r->checkpoint_every, &clock, run->options.t0);
        const int64_t next = snapshot < checkpoint ? snapshot : checkpoint;
        const int code = advance_by(solver, (next < end ? next : end) - clock.steps, &error);
        clock = clock_of(solver);
        if (code && (code != EULERCL_CANCELLED ||
                        (why_stop(progress) != NULL && (clock.steps < end || shorter))))
            return stop(run, solver, &error);
        const int as = (clock.steps == snapshot ? SNAPSHOT : 0) |
                       (clock.steps == checkpoint || is_due(progress->due) ? CHECKPOINT : 0);
        if (as && (clock.steps < end || shorter))
            status = record_state(r, solver, as);
        else if (code)
            status = finish_snapshot(r); /* which returns the failure */
        if (is_due(progress->due)) progress->due = wall_clock() + seconds;
    }
    progress->due = 0;
    return status;
}

static int advance(struct solve_run *run, eulercl_solver *solver) {
    struct progress *const progress = run->options.observer_user;
    eulercl_error error;
    eulercl_clock clock = clock_of(solver);
    int64_t steps, end;
    const int shorter = split_time(run, &clock, &steps);
    if (__builtin_add_overflow(clock.steps, steps, &end))
        return fail(
            EULERCL_INVALID, "%" PRId64 " steps after %" PRId64 ": too many", steps, clock.steps);
    progress->start = wall_clock();
    progress->steps_total = end + shorter;
    may_hang(0);
    int status = eulercl_advance(solver, 0, &error); /* is the state finite? */
    if (status) return fail_library(&error);
    if (has_snapshots(&run->recording) && steps + shorter > 0)
        status = record_state(&run->recording, solver, SNAPSHOT);
    if (!status) status = advance_steps(run, solver, steps, shorter);
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_get_stats(solver, &stats, NULL);
    if (!status && shorter && (stats.t < run->time.t_end || steps == 0)) {
        double h = run->time.t_end - stats.t;
        may_hang(1);
        const int code = eulercl_advance_to(solver, run->time.t_end, &h, &error);
        may_hang(0);
        clock = clock_of(solver);
        if (code && !(code == EULERCL_CANCELLED && clock.base_steps == 0 &&
                        clock.t_base == run->time.t_end))
            return stop(run, solver, &error);
        run->last_h = h < run->options.h ? h : 0;
    }
    return !status ? record_state(&run->recording, solver,
                         SNAPSHOT | LAST | (run->recording.checkpoint != NULL ? CHECKPOINT : 0))
                   : status;
}

static void print_choice(const struct facts *facts) {
    const eulercl_stats *const stats = &facts->stats;
    say("%s%s%s in %s on %s%s%s", stats->backend, *stats->variant ? " " : "", stats->variant,
        precision_name(stats->precision), stats->device, *facts->driver ? ", driver " : "",
        facts->driver);
    if (*stats->plan_reason != '\0') say("%s: %s", stats->plan, stats->plan_reason);
}

static int print_report(const struct report *report) {
#ifdef HAVE_JANSSON
    if (report->run->choice.common.json) return print_json(report);
#endif
    if (!report->run->quiet) print_text(report);
    return EULERCL_OK;
}

/* Keep the series that a run has recorded before it stopped early. */
static int keep_series(
    struct solve_run *run, const struct origin *origin, const eulercl_solver *solver, int why) {
    struct facts facts;
    const struct ending ending = {.hash = run->recording.hash, .status = why};
    const int status = collect_facts(origin, solver, &ending, &facts);
    if (!status) end_recording(&run->recording, &facts, 0);
    free_facts(&facts);
    return why;
}

/* --h auto: estimate near the initial state, which is read a second time for it. */
static int choose_step(struct solve_run *run, const eulercl_problem *problem) {
    eulercl_error error;
    struct input *in = NULL;
    void *y = NULL;
    int status = EULERCL_OK;
    if (run->in != NULL) {
        const int64_t n = run->recording.layout.info->n;
        y = calloc((size_t)n, run->options.precision);
        if (y == NULL) return fail(EULERCL_MEMORY, "no memory for the state");
        status = open_input(run->in, &run->recording.layout, &in);
        if (!status) status = read_input(in, 0, n, y);
        close_input(in);
    }
    if (!status && eulercl_stable_step(problem, &run->options, y, &run->options.h, &error))
        status = fail(error.code, "--h auto: %s", error.message);
    free(y);
    return status;
}

/* Everything after the files are open: they are the reasons to fail that must come before a long
 * run. */
static int compute(
    struct solve_run *run, const struct origin *origin, struct input *in, struct report *report) {
    eulercl_error error;
    eulercl_solver *solver = NULL;
    struct recording *const recording = &run->recording;
    int status = EULERCL_OK;
    if (eulercl_solver_create(origin->problem, &run->options, &solver, &error) ||
        (in == NULL && eulercl_set_initial_state(solver, &error)))
        status = stop_signal() != NULL
                     ? check_interrupt()
                     : fail_library(&error); /* an OpenCL compiler may fail because of a signal */
    catch_signals();                         /* LLVM in a driver installs handlers of its own */
    if (!status && in != NULL) status = load_input(in, solver, recording->chunk);
    if (!status && run->resume != NULL && eulercl_solver_resume(solver, &run->past.clock, &error))
        status = fail(error.code, "%s cannot be resumed: %s", run->resume, error.message);
    if (!status && recording->verbose) {
        status = collect_facts(origin, solver, &(struct ending){.hash = ""}, &report->facts);
        if (!status) print_choice(&report->facts);
        free_facts(&report->facts);
    }
    if (!status) status = check_interrupt();
    if (!status) status = begin_snapshots(recording, solver);
    if (!status && recording->verbose && *recording->why_serial != '\0')
        say("snapshots are written between the steps: %s", recording->why_serial);
    if (!status && (status = advance(run, solver)) && status != EULERCL_FILE)
        status = keep_series(run, origin, solver, status);
    wipe_line();
    if (!status) {
        status = collect_facts(origin, solver,
            &(struct ending){.hash = recording->hash, .last_h = run->last_h}, &report->facts);
        if (!status) status = end_recording(recording, &report->facts, 1);
        report->seconds = wall_clock() - report->seconds;
        if (!status) status = print_report(report);
        free_facts(&report->facts);
    }
    end_snapshots(recording);
    eulercl_solver_destroy(solver);
    return status;
}

/* Add to a list of differences; it is cut where the room ends. */
static void differ(char list[400], const char *what, const char *there, const char *here) {
    const size_t length = strlen(list);
    if (snprintf(list + length, 400 - length, "%s%s is %s in the file and %s here",
            *list == '\0' ? "" : ", ", what, there, here) >= 400 - (int)length)
        list[text_cut(list, 399)] = '\0';
}

static void describe_shape(const int64_t *extents, int rank, char text[80]) {
    *text = '\0';
    for (int i = 0; i < rank; i++)
        snprintf(
            text + strlen(text), 80 - strlen(text), "%s%" PRId64, i == 0 ? "" : " x ", extents[i]);
}

static void compare_shapes(
    const struct past *past, const eulercl_problem_info *info, char list[400]) {
    const int64_t all[3] = {info->extents[1], info->extents[0], info->components};
    const int rank = info->rank == 0 ? 1 : info->rank + 1;
    const int64_t *const here = info->rank == 0 ? &info->n : &all[3 - rank];
    char first[80], second[80];
    if (past->rank < 2 ||
        (past->rank == rank && memcmp(past->extents, here, (size_t)rank * sizeof *here) == 0))
        return;
    describe_shape(past->extents, past->rank, first);
    describe_shape(here, rank, second);
    differ(list, "the shape", first, second);
}

static int compare_parameters(
    const struct past *past, const eulercl_problem *problem, size_t count, char list[400]) {
    for (size_t i = 0; i < count; i++) {
        eulercl_parameter parameter;
        char there[32], here[32];
        if (get_parameter(problem, i, &parameter)) return EULERCL_INTERNAL;
        for (size_t j = 0; j < past->n_parameters; j++)
            if (strcmp(past->parameters[j].name, parameter.name) == 0 &&
                past->parameters[j].value != parameter.value)
                differ(list, parameter.name, real_text(past->parameters[j].value, there),
                    real_text(parameter.value, here));
    }
    return EULERCL_OK;
}

/* --in reads only the state: report how the run that it comes from differs from this one. */
static int note_differences(const struct solve_run *run, const struct origin *origin) {
    struct past past = {0};
    char list[400] = "", there[32], here[32];
    const char *const end = end_of_hdf5(run->in);
    if (run->quiet || end == NULL || (*end == ':' && strcmp(end, ":state") != 0)) return EULERCL_OK;
    char *const file = strndup(run->in, (size_t)(end - run->in));
    if (file == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    int status = read_past(file, 0, &past);
    free(file);
    compare_shapes(&past, origin->info, list);
    if (past.problem != NULL) {
        if (strcmp(past.problem, origin->info->name) != 0)
            differ(list, "the problem", past.problem, origin->info->name);
        else if (!status)
            status = compare_parameters(&past, origin->problem, origin->info->parameters, list);
        if (past.t != run->options.t0)
            differ(list, "t", real_text(past.t, there), real_text(run->options.t0, here));
    }
    if (!status && *list != '\0')
        say("note: --in %s: %s; --in reads only the state; --resume continues the run", run->in,
            list);
    free_past(&past);
    return status;
}

static int open_start(const struct solve_run *run, const struct origin *origin, struct input **in) {
    const struct layout *const layout = &run->recording.layout;
    if (run->resume != NULL) return open_resumed(run->resume, layout, in);
    if (run->in == NULL) return EULERCL_OK;
    const int status = open_input(run->in, layout, in);
    return !status ? note_differences(run, origin) : status;
}

static int solve(struct solve_run *run, struct origin *origin, double start) {
    struct report report = {.run = run, .seconds = start};
    struct input *in = NULL;
    format_date(origin->date);
    int status = begin_recording(&run->recording, origin);
    if (!status) status = open_start(run, origin, &in);
    if (!status && run->time.is_auto) status = choose_step(run, origin->problem);
    expect_steps(&run->time);
    if (!status) status = compute(run, origin, in, &report);
    close_input(in);
    return status;
}

int solve_main(int argc, char **argv) {
    struct progress progress = {0};
    struct solve_run run = {.choice.common.command = "eulercl solve",
        .time = {.options = &run.options, .steps = DEFAULT_STEPS}};
    eulercl_problem_info info;
    eulercl_problem *problem;
    const double start = wall_clock();
    char *const command = join_arguments("eulercl solve", argc, argv);
    eulercl_options_init(&run.options);
    run.choice.options = &run.options;
    run.options.observer = show_progress;
    run.options.observer_user = &progress;
    run.options.precision = 0; /* not given */

    int status = command == NULL
                     ? fail(EULERCL_MEMORY, "no memory for the command line")
                     : open_chosen(&argp, argc, argv, &run, &run.choice, &problem, &info);
    if (!status) {
        progress.limit = run.wall_time > 0 ? start + run.wall_time : 0;
        progress.terminal = !run.quiet && can_show_progress();
        struct origin origin = {
            .command = command, .problem = problem, .info = &info, .options = &run.options};
        status =
            run.print_kernel ? print_kernel(problem, &run.options) : solve(&run, &origin, start);
        discard_recording(&run.recording);
        run.recording = (struct recording){0};
        eulercl_problem_destroy(problem);
    }
    discard_recording(&run.recording);
    free_past(&run.past);
    free(command);
    return status;
}
