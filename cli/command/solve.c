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
#include <float.h>
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

/* Round as eulercl_advance_to does, on the clock's grid of times, on which no breakpoint is before
 * t_end. Returns 1 if a shorter step follows. Invalid times are left to that function. */
static int split_time(double t_end, const eulercl_clock *clock, int64_t *steps) {
    const double q = (t_end - clock->t_base) / clock->h;
    *steps = 0;
    if (!(fabs(q) < 0x1p62)) return 1;
    const double rounding = fmax(fabs(clock->t_base), fabs(t_end)) * 16 * DBL_EPSILON;
    const int whole =
        q < 0.5 ? t_end - clock->t_base <= rounding : fabs(q - round(q)) <= 1e-9 * fmax(1, q);
    const int64_t all = (int64_t)(whole ? round(q) : floor(q));
    if (all < clock->base_steps) return 1;
    *steps = all - clock->base_steps;
    return !whole;
}

/* The first breakpoint after t, or infinity. */
static double next_breakpoint(const eulercl_solver *solver, double t) {
    double next;
    for (size_t i = 0; eulercl_get_breakpoint(solver, i, &next, NULL) == EULERCL_OK; i++)
        if (next > t) return next;
    return (double)INFINITY;
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
static int advance_by(
    struct progress *progress, eulercl_solver *solver, int64_t steps, eulercl_error *error) {
    may_hang(1);
    const int status = eulercl_advance(solver, steps, error);
    may_hang(0);
    ask_signals_and_clock(progress);
    return status;
}

static eulercl_clock clock_of(const eulercl_solver *solver) {
    eulercl_clock clock = {.struct_size = sizeof clock};
    eulercl_get_clock(solver, &clock, NULL);
    return clock;
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

/* Advance from one recorded state to the next. The bits do not depend on where a run is cut. */
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
        const int code =
            advance_by(progress, solver, (next < end ? next : end) - clock.steps, &error);
        clock = clock_of(solver);
        if (code && (code != EULERCL_CANCELLED ||
                        (progress->why != NULL && (clock.steps < end || shorter))))
            return stop(run, solver, &error);
        const int as = (clock.steps == snapshot ? SNAPSHOT : 0) |
                       (clock.steps == checkpoint || progress->is_checkpoint ? CHECKPOINT : 0);
        if (as && (clock.steps < end || shorter))
            status = record_state(r, solver, as);
        else if (code)
            status = finish_snapshot(r); /* it returns the failure */
        if (progress->is_checkpoint) progress->due = wall_clock() + seconds;
    }
    progress->due = 0;
    return status;
}

/* The next multiple of a time after t, counted from t0; infinite without one. t may be the last
 * multiple but for rounding. */
static double next_time(const struct interval *every, double t, double t0) {
    static const double rounding = 1e-9; /* share of the interval */
    if (!(every->time > 0)) return (double)INFINITY;
    double k = floor((t - t0) / every->time);
    while (!(t0 + k * every->time > t + rounding * every->time)) k++;
    return t0 + k * every->time;
}

/* The next multiple of a number of steps; INT64_MAX without one. */
static int64_t next_step(const struct interval *every, int64_t steps) {
    int64_t next;
    return every->steps == 0 ||
                   __builtin_mul_overflow(steps / every->steps + 1, every->steps, &next)
               ? INT64_MAX
               : next;
}

/* The moments at which a state is recorded. Steps are made in rounds, so their numbers may pass
 * that of a moment. */
struct moments {
    double snapshot, checkpoint;
    int64_t snapshot_step, checkpoint_step;
};

/* shown: the time of the last snapshot. */
static struct moments next_moments(
    const struct solve_run *run, const eulercl_stats *stats, double shown) {
    const struct recording *const r = &run->recording;
    return (struct moments){next_time(&r->every, shown, run->options.t0),
        next_time(&r->checkpoint_every, stats->t, run->options.t0),
        next_step(&r->every, stats->steps), next_step(&r->checkpoint_every, stats->steps)};
}

static int is_at_end(const struct solve_run *run, const eulercl_stats *stats, int64_t last_step) {
    return stats->is_steady ||
           (run->time.has_t_end ? stats->t >= run->time.t_end : stats->steps >= last_step);
}

/* Steps have passed the moment of a snapshot that is to be taken within them. */
static int has_passed(
    const struct solve_run *run, const eulercl_stats *stats, const struct moments *moments) {
    return run->is_dense && moments->snapshot < stats->t;
}

/* Up to the next moment, or the end. */
static int advance_to_moment(struct solve_run *run, eulercl_solver *solver,
    const struct moments *moments, int64_t steps, eulercl_error *error) {
    const double t_end = run->time.has_t_end ? run->time.t_end : (double)INFINITY,
                 next = fmin(fmin(moments->snapshot, moments->checkpoint), t_end);
    int code;
    may_hang(1);
    if (!isfinite(next))
        code = eulercl_advance(solver, steps, error);
    else if (run->is_dense && next < t_end)
        code = eulercl_advance_dense(solver, next, t_end, error);
    else
        code = eulercl_advance_to(solver, next, NULL, error);
    may_hang(0);
    ask_signals_and_clock(run->options.observer_user);
    return code;
}

/* Stop after the last step: snapshots within it are recorded first, since the checkpoint goes on
 * behind them. shown: the time of the last snapshot. */
static int stop_after_steps(
    struct solve_run *run, eulercl_solver *solver, double shown, const eulercl_error *why) {
    const eulercl_stats stats = stats_of(solver);
    struct moments moments = next_moments(run, &stats, shown);
    eulercl_error error;
    int status = EULERCL_OK;
    while (!status && has_passed(run, &stats, &moments)) {
        if (eulercl_advance_dense(solver, moments.snapshot, stats.t, &error))
            return fail_library(&error);
        status = record_state(&run->recording, solver, SNAPSHOT);
        moments = next_moments(run, &stats, moments.snapshot);
    }
    if (!status && eulercl_advance(solver, 0, &error)) return fail_library(&error);
    return !status ? stop(run, solver, why) : status;
}

/* Steps to a tolerance, from one recorded state to the next. */
static int advance_to_tolerance(struct solve_run *run, eulercl_solver *solver) {
    struct progress *const progress = run->options.observer_user;
    struct recording *const r = &run->recording;
    const double seconds = r->checkpoint_every.seconds;
    eulercl_error error;
    eulercl_stats stats = stats_of(solver);
    double shown = stats.t;
    struct moments moments = next_moments(run, &stats, shown);
    int64_t last_step;
    int status = EULERCL_OK;
    if (__builtin_add_overflow(stats.steps, run->time.steps, &last_step))
        return fail(EULERCL_INVALID, "%" PRId64 " steps are too many", run->time.steps);
    progress->steps_total = run->time.has_t_end ? 0 : last_step;
    if (run->time.has_t_end && run->time.t_end < stats.t &&
        eulercl_advance_to(solver, run->time.t_end, NULL, &error))
        return fail_library(&error);
    if (seconds > 0) progress->due = wall_clock() + seconds;
    while (!status && (!is_at_end(run, &stats, last_step) || has_passed(run, &stats, &moments))) {
        progress->due_steps = moments.snapshot_step < moments.checkpoint_step
                                  ? moments.snapshot_step
                                  : moments.checkpoint_step;
        const int code = advance_to_moment(run, solver, &moments, last_step - stats.steps, &error);
        stats = stats_of(solver);
        const int is_end = is_at_end(run, &stats, last_step);
        if (code && code != EULERCL_CANCELLED) return stop(run, solver, &error);
        if (code && progress->why != NULL && !is_end)
            return stop_after_steps(run, solver, shown, &error);
        const int is_within = run->is_dense && stats.t == moments.snapshot &&
                              !(run->time.has_t_end && stats.t == run->time.t_end),
                  is_snapshot = stats.t == moments.snapshot || stats.steps >= moments.snapshot_step,
                  is_checkpoint = !is_within && (stats.t == moments.checkpoint ||
                                                    stats.steps >= moments.checkpoint_step ||
                                                    progress->is_checkpoint),
                  as = (is_snapshot ? SNAPSHOT : 0) | (is_checkpoint ? CHECKPOINT : 0);
        if (as && (is_within || !is_end))
            status = record_state(r, solver, as);
        else if (code)
            status = finish_snapshot(r);
        if (is_checkpoint && progress->is_checkpoint) progress->due = wall_clock() + seconds;
        if (is_snapshot) shown = stats.t;
        moments = next_moments(run, &stats, shown);
    }
    progress->due = 0;
    progress->due_steps = 0;
    if (!status && run->is_dense && eulercl_advance(solver, 0, &error)) /* to the end of a step */
        return fail_library(&error);
    return status;
}

/* Record after the shorter step from t to t_end what other steps record. */
static int moments_at(
    const struct solve_run *run, const eulercl_clock *clock, double t, double t_end) {
    static const double rounding = 1e-9;
    const struct recording *const r = &run->recording;
    const struct interval *const intervals[] = {&r->every, &r->checkpoint_every};
    int as = 0;
    for (int i = 0; i < 2; i++) {
        const struct interval *const every = intervals[i];
        if (every->steps > 0
                ? clock->steps % every->steps == 0
                : next_time(every, t, run->options.t0) <= t_end + rounding * every->time)
            as |= i == 0 ? SNAPSHOT : CHECKPOINT;
    }
    return as;
}

/* Steps of one size, and a shorter one to end at t_end, before which there is no breakpoint.
 * is_last: the run ends there. */
static int advance_stretch(
    struct solve_run *run, eulercl_solver *solver, double t_end, int is_last) {
    struct progress *const progress = run->options.observer_user;
    eulercl_error error;
    eulercl_clock clock = clock_of(solver);
    int64_t steps;
    const int shorter = split_time(t_end, &clock, &steps);
    int status = advance_steps(run, solver, steps, shorter || !is_last);
    const double t = stats_of(solver).t;
    if (status || !shorter || (t >= t_end && steps > 0)) return status;
    double h = t_end - t;
    may_hang(1);
    const int code = eulercl_advance_to(solver, t_end, &h, &error);
    may_hang(0);
    ask_signals_and_clock(progress);
    clock = clock_of(solver);
    const int is_there = clock.base_steps == 0 && clock.t_base == t_end;
    if (code && !(code == EULERCL_CANCELLED && is_there && (is_last || progress->why == NULL)))
        return stop(run, solver, &error);
    if (is_last) run->last_h = h < run->options.h ? h : 0;
    const int as = is_last ? 0 : moments_at(run, &clock, t, t_end);
    return as ? record_state(&run->recording, solver, as) : EULERCL_OK;
}

/* Advance from one breakpoint to the next. */
static int advance_by_size(struct solve_run *run, eulercl_solver *solver) {
    struct progress *const progress = run->options.observer_user;
    eulercl_clock clock = clock_of(solver);
    int64_t end, steps = run->time.steps;
    int status = EULERCL_OK;
    const int shorter_at_end =
        run->time.has_t_end ? split_time(run->time.t_end, &clock, &steps) : 0;
    if (__builtin_add_overflow(clock.steps, steps, &end) ||
        __builtin_add_overflow(end, shorter_at_end, &end))
        return fail(
            EULERCL_INVALID, "%" PRId64 " steps after %" PRId64 ": too many", steps, clock.steps);
    progress->steps_total = end;
    for (int is_last = 0; !status && !is_last;) {
        const double t = stats_of(solver).t, next = next_breakpoint(solver, t);
        clock = clock_of(solver);
        if (run->time.has_t_end) {
            is_last = !(next < run->time.t_end);
            status = advance_stretch(run, solver, is_last ? run->time.t_end : next, is_last);
            continue;
        }
        const int shorter = split_time(next, &clock, &steps);
        is_last = !isfinite(next) || steps + shorter >= end - clock.steps;
        status = is_last ? advance_steps(run, solver, end - clock.steps, 0)
                         : advance_stretch(run, solver, next, 0);
    }
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
    if (!status)
        status = (run->options.rtol > 0 ? advance_to_tolerance : advance_by_size)(run, solver);
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
        {"--append", r->appends}, {"--out", (double)r->n_out}, {"--probe", (double)r->n_probes},
        {"--monitor", (double)r->n_figures}};
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
    if (run->resume != NULL) return open_resumed(run->resume, layout, in);
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
    if (run->options.rtol > 0 &&
        (run->recording.every.steps > 0 || run->recording.checkpoint_every.steps > 0))
        run->options.observer_steps = 1; /* to stop at those steps */
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
            .fields = run.fields_text};
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
