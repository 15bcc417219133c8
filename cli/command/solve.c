/* SPDX-License-Identifier: BSD-2-Clause */
/* solve.c - eulercl solve: the run, and what is recorded of it. */
#include "config.h"

#include "command/solve.h"
#include "command/commands.h"
#include "format/format.h"
#include "format/input.h"
#include "format/past.h"
#include "format/record.h"
#include "lib/text.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/processes.h"
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

/* ---- the run ---- */

static int print_kernel(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_error error;
    char *source;
    if (eulercl_kernel_source(problem, options, &source, &error)) return fail_library(&error);
    fputs(source, stdout);
    eulercl_free(source);
    return EULERCL_OK;
}

/* Called by all processes after each call that makes steps. */
static void ask_signals_and_clock(struct progress *progress) {
    const int number = (int)greatest_of_processes(stop_number());
    const int is_late = (int)greatest_of_processes(is_due(progress->limit));
    progress->why = number > 0 ? stop_name(number) : is_late ? "--wall-time" : NULL;
    progress->is_checkpoint = (int)greatest_of_processes(is_due(progress->due));
}

/* The steps run a problem's code, which may hang; all other work until the end is worth waiting
 * for. */
static int advance_until(struct progress *progress, eulercl_solver *solver,
    eulercl_moments *moments, eulercl_error *error) {
    may_hang(1);
    const int status = eulercl_advance_until(solver, moments, error);
    may_hang(0);
    ask_signals_and_clock(progress);
    return status;
}

/* A snapshot that could not be written precedes the failed step, or is the reason for the stop. */
static int stop(struct solve_run *run, eulercl_solver *solver, const eulercl_error *error) {
    struct recording *const r = &run->recording;
    const struct progress *const progress = run->options.observer_user;
    const char *const why = progress->why;
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

/* Stop after the last step: snapshots within it are recorded first, since the checkpoint goes on
 * behind them. */
static int stop_after_steps(struct solve_run *run, eulercl_solver *solver,
    const eulercl_moments *moments, const eulercl_error *why) {
    eulercl_moments within = *moments;
    eulercl_error error;
    int status = EULERCL_OK;
    within.t_end = stats_of(solver).t;
    within.keep = (eulercl_interval){0};
    while (!status && within.is_dense && !within.is_end) {
        if (eulercl_advance_until(solver, &within, &error)) return fail_library(&error);
        if (within.is_shown) status = record_state(&run->recording, solver, SNAPSHOT);
    }
    if (!status && run->options.rtol > 0 && eulercl_advance(solver, 0, &error))
        return fail_library(&error);
    return !status ? stop(run, solver, why) : status;
}

static eulercl_interval interval_of(const struct interval *every) {
    return (eulercl_interval){.steps = every->steps, .time = every->time};
}

/* Advance from one recorded state to the next, up to the end. */
static int advance_by_moments(struct solve_run *run, eulercl_solver *solver) {
    struct progress *const progress = run->options.observer_user;
    struct recording *const r = &run->recording;
    const double seconds = r->checkpoint_every.seconds;
    const int64_t steps = stats_of(solver).steps;
    eulercl_moments moments = {.struct_size = sizeof moments,
        .t_end = run->time.has_t_end ? run->time.t_end : (double)INFINITY,
        .show = interval_of(&r->every),
        .keep = interval_of(&r->checkpoint_every),
        .is_dense = run->is_dense};
    eulercl_error error;
    int status = EULERCL_OK;
    if (!run->time.has_t_end && __builtin_add_overflow(steps, run->time.steps, &moments.last_step))
        return fail(EULERCL_INVALID, "%" PRId64 " steps after %" PRId64 ": too many",
            run->time.steps, steps);
    progress->last_step = &moments.last_step;
    if (seconds > 0) progress->due = wall_clock() + seconds;
    while (!status && !moments.is_end) {
        const int code = advance_until(progress, solver, &moments, &error);
        if (code && code != EULERCL_CANCELLED) return stop(run, solver, &error);
        if (code && progress->why != NULL && !moments.is_last)
            return stop_after_steps(run, solver, &moments, &error);
        const int is_due = progress->is_checkpoint && !moments.is_within && !moments.is_last;
        const int as =
            (moments.is_shown ? SNAPSHOT : 0) | (moments.is_kept || is_due ? CHECKPOINT : 0);
        if (as)
            status = record_state(r, solver, as);
        else if (code)
            status = finish_snapshot(r); /* it returns the failure */
        if (is_due) progress->due = wall_clock() + seconds;
        run->last_h = moments.last_h;
    }
    progress->due = 0;
    progress->last_step = NULL;
    if (!status && run->is_dense && eulercl_advance(solver, 0, &error)) /* to the end of a step */
        return fail_library(&error);
    return status;
}

static int advance(struct solve_run *run, eulercl_solver *solver) {
    struct progress *const progress = run->options.observer_user;
    struct recording *const r = &run->recording;
    const int is_moving =
        run->time.has_t_end ? stats_of(solver).t < run->time.t_end : run->time.steps > 0;
    eulercl_error error;
    progress->start = wall_clock();
    progress->t0 = stats_of(solver).t;
    progress->t_end = run->time.t_end;
    may_hang(0);
    int status = eulercl_advance(solver, 0, &error); /* is the state finite? */
    if (status) return fail_library(&error);
    if (has_snapshots(r) && is_moving && !r->appends) status = record_state(r, solver, SNAPSHOT);
    if (!status) status = advance_by_moments(run, solver);
    return !status ? record_state(r, solver,
                         (is_moving || !r->appends ? SNAPSHOT : 0) | LAST |
                             (r->checkpoint != NULL ? CHECKPOINT : 0))
                   : status;
}

/* Can checkpoints be continued? */
static int check_control(const struct solve_run *run, const eulercl_solver *solver) {
    const int64_t unknowns = stats_of(solver).unknowns;
    if (run->recording.checkpoint == NULL || unknowns <= EULERCL_CONTROL_UNKNOWNS ||
        run->options.atol > 0)
        return EULERCL_OK;
    return fail(EULERCL_UNSUPPORTED,
        "--checkpoint: a grid point has %" PRId64 " unknowns; with more than %d, runs to a "
        "tolerance can be continued only with one ATOL for all (--tol RTOL,ATOL)",
        unknowns, EULERCL_CONTROL_UNKNOWNS);
}

static void print_choice(const struct facts *facts) {
    const eulercl_stats *const stats = &facts->stats;
    say("%s%s%s in %s on %s%s%s", stats->backend, *stats->variant ? " " : "", stats->variant,
        precision_name(stats->precision), stats->device, *facts->driver ? ", driver " : "",
        facts->driver);
    if (*stats->plan_reason != '\0') say("%s: %s", stats->plan, stats->plan_reason);
}

/* Keep the series that a run has recorded before it stopped early. */
static int keep_series(
    struct solve_run *run, const struct origin *origin, const eulercl_solver *solver, int why) {
    struct facts facts;
    const struct ending ending = {
        .hash = run->recording.hash, .status = why, .snapshots = run->recording.snapshots};
    const int status = collect_facts(origin, solver, &ending, &facts);
    if (!status) end_recording(&run->recording, &facts, 0);
    free_facts(&facts);
    return why;
}

/* --h auto: estimate near the initial state, which is read a second time for it. */
static int choose_first_step(struct solve_run *run, const eulercl_problem *problem) {
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
    if (!status) status = choose_step(&run->time, problem, y);
    free(y);
    return status;
}

/* Processes with other options would make other calls, and wait for each other for ever. The
 * library compares those that it gets. */
static int compare_processes(const struct solve_run *run) {
    const struct recording *const r = &run->recording;
    const struct {
        const char *name;
        double value;
    } options[] = {{"--steps", (double)run->time.steps},
        {"--t-end", run->time.has_t_end ? run->time.t_end : (double)INFINITY},
        {"--every", (double)r->every.steps}, {"--every t=", r->every.time},
        {"--checkpoint-every", (double)r->checkpoint_every.steps},
        {"--checkpoint-every t=", r->checkpoint_every.time}, {"--dense", run->is_dense},
        {"--in", run->in != NULL}, {"--resume", run->resume != NULL},
        {"--checkpoint", r->checkpoint != NULL}, {"--parts", r->asks_for_parts},
        {"--append", r->appends}, {"--out", (double)r->n_out}, {"--thin", (double)r->thinned.n},
        {"--smooth", (double)r->thinned.smoothing}, {"--extract", r->extraction.condition != NULL},
        {"--probe", (double)r->n_probe_numbers},
        {"--monitor", (double)(r->n_figures + r->n_observers)}};
    int status = EULERCL_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && !status; i++)
        status = check_same(options[i].name, options[i].value);
    return status;
}

/* Everything after the files are open, since failures to open them must come before a long run. */
static int compute(struct solve_run *run, const struct origin *origin, struct input *in,
    struct solve_report *report) {
    eulercl_error error;
    eulercl_solver *solver = NULL;
    struct recording *const recording = &run->recording;
    int status = compare_processes(run);
    if (!status && (create_solver(origin->problem, &run->options, &solver, &error) ||
                       (in == NULL && eulercl_set_initial_state(solver, &error))))
        status = stop_signal() != NULL
                     ? check_interrupt()
                     : fail_library(&error); /* an OpenCL compiler may fail because of a signal */
    catch_signals();                         /* LLVM in a driver installs handlers of its own */
    if (!status && in != NULL)
        status = load_input(in, solver, recording->chunk, run->past.state_hash);
    if (!status && run->resume != NULL && eulercl_solver_resume(solver, &run->past.clock, &error))
        status = fail(error.code, "%s cannot be resumed: %s", run->resume, error.message);
    if (!status && recording->verbose) {
        status = collect_facts(origin, solver, &(struct ending){.hash = ""}, &report->facts);
        if (!status) print_choice(&report->facts);
        free_facts(&report->facts);
    }
    if (!status) status = check_control(run, solver);
    if (!status) status = check_interrupt();
    status = agree_on(status); /* one that fails alone leaves others waiting, with their files */
    if (!status) status = begin_snapshots(recording, solver);
    if (!status && recording->verbose && *recording->why_serial != '\0')
        say("snapshots are written between the steps: %s", recording->why_serial);
    if (!status && (status = advance(run, solver)) && status != EULERCL_FILE)
        status = keep_series(run, origin, solver, status);
    wipe_line();
    if (!status) {
        status = collect_facts(origin, solver,
            &(struct ending){.hash = recording->hash,
                .subnormals = &recording->subnormals,
                .last_h = run->last_h,
                .snapshots = recording->snapshots},
            &report->facts);
        if (!status) status = end_recording(recording, &report->facts, 1);
        report->seconds = wall_clock() - report->seconds;
        if (!status) status = print_report(report);
        free_facts(&report->facts);
    }
    end_snapshots(recording);
    eulercl_solver_destroy(solver);
    return status;
}

static int open_start(const struct solve_run *run, const struct origin *origin, struct input **in) {
    const struct layout *const layout = &run->recording.layout;
    if (run->resume != NULL) {
        const int status = compare_resumed(run, origin);
        return !status ? open_resumed(run->resume, layout, in) : status;
    }
    if (run->in == NULL) return EULERCL_OK;
    const int status = open_input(run->in, layout, in);
    return !status ? note_differences(run, origin) : status;
}

/* The fields of the command line. A file has the hashes of its run's fields, but not the values. */
static int take_fields(
    struct solve_run *run, eulercl_problem *problem, const eulercl_problem_info *info) {
    const int status = set_fields(
        problem, info, run->options.precision, run->fields, run->n_fields, &run->fields_text);
    if (status || run->resume == NULL) return status;
    const char *const there = run->past.fields != NULL ? run->past.fields : "none",
                      *const here = run->fields_text != NULL ? run->fields_text : "none";
    return strcmp(there, here) == 0
               ? EULERCL_OK
               : fail(EULERCL_INVALID,
                     "--resume %s: the fields that were set are %s in the file, but %s on the "
                     "command line; --field sets them",
                     run->resume, there, here);
}

/* Launches shall end where snapshots are taken. */
static void expect_interval(struct solve_run *run) {
    const struct interval *const every = &run->recording.every;
    const double steps = every->steps      ? (double)every->steps
                         : every->time > 0 ? every->time / run->options.h
                                           : 0;
    if (!(run->options.rtol > 0) && steps >= 0.5 && steps < 0x1p53)
        run->options.expected_interval = (int64_t)(steps + 0.5);
}

static int solve(struct solve_run *run, struct origin *origin, double start) {
    struct solve_report report = {.run = run, .seconds = start};
    struct input *in = NULL;
    format_date(origin->date);
    if (run->recording.appends) {
        run->recording.snapshots = run->past.snapshots;
        run->recording.layout.continued = &run->past;
    }
    int status = begin_recording(&run->recording, origin);
    if (!status) status = open_start(run, origin, &in);
    if (!status && run->time.is_auto) status = choose_first_step(run, origin->problem);
    expect_steps(&run->time);
    expect_interval(run);
    status = agree_on(status);
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
    run.choice.is_one_run = run.choice.may_move = 1;
    run.options.observer = show_progress;
    run.options.observer_user = &progress;
    run.options.precision = 0; /* not given */

    int status = command == NULL
                     ? fail(EULERCL_MEMORY, "no memory for the command line")
                     : open_chosen(&solve_argp, argc, argv, &run, &run.choice, &problem, &info);
    const int is_open = !status;
    eulercl_error error;
    if (!status && eulercl_options_verify(&run.options, &error)) status = fail_library(&error);
    if (!status) status = take_fields(&run, problem, &info);
    status = agree_on(status);
    if (!status) {
        progress.limit = run.wall_time > 0 ? start + run.wall_time : 0;
        progress.terminal = !run.quiet && can_show_progress();
        struct origin origin = {.command = command,
            .problem = problem,
            .info = &info,
            .options = &run.options,
            .fields = run.fields_text,
            .thin = run.recording.thinned.text,
            .smoothing = run.recording.thinned.smoothing};
        status =
            run.print_kernel ? print_kernel(problem, &run.options) : solve(&run, &origin, start);
        discard_recording(&run.recording);
        run.recording = (struct recording){0};
    }
    if (is_open) eulercl_problem_destroy(problem);
    discard_recording(&run.recording);
    free_past(&run.past);
    free(run.fields);
    free(run.fields_text);
    free(command);
    return status;
}
