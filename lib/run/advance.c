/* SPDX-License-Identifier: BSD-2-Clause */
/* advance.c - a solver makes steps: in batches, between which it searches for inf and NaN and calls
 * the observer; of one size between breakpoints, or to a tolerance. */
#include "config.h"
#include "solver.h"
#include "../int.h"
#include "../reals.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void ecl_solver_note_time(eulercl_solver *s, double t, double h) {
    static const double units = 64;
    const float later = nextafterf(fabsf((float)t), INFINITY);
    if (s->run.system.reads_time && s->run.options.precision == EULERCL_FLOAT && h > 0 &&
        h < units * ((double)later - fabs((double)(float)t)) && !*s->settled.note)
        snprintf(s->settled.note, sizeof s->settled.note,
            "the equations read t, and near t = %.9g neighbouring floats are %.2g apart, but steps "
            "are of %.2g: count t from a later time, or use double",
            t, (double)later - fabs((double)(float)t), h);
}

/* ---- steps, and the search for inf and NaN ---- */

/* The value of a component: "infinite" or "nan". */
static const char *what_is(eulercl_solver *s, int64_t component) {
    double bytes;
    if (s->settled.table->state->read(&s->run, component, 1, &bytes, NULL)) return "not finite";
    return isnan(real_get(&bytes, 0, s->run.system.real_size)) ? "nan" : "infinite";
}

/* Before any step: -> NONFINITE if the state has an infinite or undefined component. */
static int check_start(eulercl_solver *s, eulercl_error *error) {
    int64_t component;
    const int status = s->settled.table->state->find_nonfinite(&s->run, &component, error);
    if (status) return status;
    s->unchecked = component >= 0;
    if (!s->unchecked) return EULERCL_OK;
    const char *what = what_is(s, component);
    return ecl_fail(error, EULERCL_NONFINITE,
        "component %lld is %s before step %lld, t = %.9g: the solver's state is not finite%s",
        (long long)component, what, (long long)s->steps, s->t,
        strcmp(what, "nan") ? "" : ", or an initial value is missing");
}

/* What may help. */
static void advise(eulercl_solver *s, int was_kept, const eulercl_stability *stability, double h,
    char *text, size_t size) {
    const double limit = stability->h_limit,
                 t = ecl_level_time(s->run.system.method, &s->replay.from, 0);
    if (was_kept && limit == 0)
        snprintf(text, size,
            "a smaller step size h lets errors grow more slowly, but near t = %.9g none is stable",
            t);
    else if (was_kept && limit < h)
        snprintf(text, size,
            "a smaller step size h may help: near t = %.9g it is stable up to %.4g, but it is %.4g",
            t, limit, h);
    else
        snprintf(text, size, "a smaller step size h may help, such as %.2g", h / 2);
}

/* A component is not finite after a batch that began with a finite state: find the first step after
 * which one is not, and return to it. */
static int report(
    eulercl_solver *s, const struct batch *batch, int64_t component, eulercl_error *error) {
    const struct backend *table = s->settled.table;
    struct replay *replay = &s->replay;
    const int is_kept = ecl_replay_leads_to(replay, batch);
    const int64_t good = batch->first_step - replay->from.first_step, bad = good + batch->steps;
    eulercl_stability stability = {.struct_size = sizeof stability};
    char advice[160], interval[64] = "";
    int64_t first = bad;
    const char *what = what_is(s, component);
    const int is_estimated =
        is_kept && !ecl_replay_stability(replay, &s->run, table, &stability, NULL);
    if (is_kept) {
        const int64_t last = component;
        const int status =
            ecl_replay_find(replay, &s->run, table, good, bad, &first, &component, error);
        if (status) return status;
        s->base_steps -= bad - first;
        s->steps -= bad - first;
        s->t = s->t_base + (double)s->base_steps * batch->h;
        if (component >= 0)
            what = what_is(s, component);
        else
            return ecl_fail(error, EULERCL_NONFINITE,
                "component %lld was %s after step %lld, but not when the steps were made again: "
                "the right-hand side is not "
                "deterministic",
                (long long)last, what, (long long)(s->steps + bad - first));
    } else if (batch->steps > 1)
        snprintf(interval, sizeof interval, " (it was finite after step %lld)",
            (long long)(s->steps - batch->steps));
    advise(s, is_estimated, &stability, batch->h, advice, sizeof advice);
    return ecl_fail(error, EULERCL_NONFINITE,
        "component %lld is %s after step %lld, t = %.9g%s; %s%s", (long long)component, what,
        (long long)s->steps, s->t, interval, advice,
        s->steps == 1 && !strcmp(what, "nan") ? ", unless a derivative is missing" : "");
}

/* Steps on the grid of times; or, if t_end is given, one shorter step, after which the grid starts
 * anew at t_end, so that later steps do not depend on the size of the shorter one. */
static int run_stretch(
    eulercl_solver *s, const struct batch *batch, const double *t_end, eulercl_error *error) {
    double seconds = 0;
    const int status = s->settled.table->steps->step(&s->run, batch, &seconds, error);
    if (status) return status;
    s->kernel_seconds += seconds;
    s->steps += batch->steps;
    s->base_steps = t_end ? 0 : s->base_steps + batch->steps;
    if (t_end) s->t_base = *t_end;
    s->t = s->t_base + (double)s->base_steps * batch->h;
    ecl_solver_note_time(s, s->t, s->run.options.h);
    return EULERCL_OK;
}

/* With check_finite, make batches and examine the state after each, so that a run that has failed
 * stops soon. */
static int advance_interval(
    eulercl_solver *s, int64_t steps, double h, const double *t_end, eulercl_error *error) {
    const struct backend *table = s->settled.table;
    const int checks = s->run.options.check_finite;
    int status = EULERCL_OK;
    while (!status && steps > 0) {
        struct batch batch = {.first_step = t_end ? 0 : s->base_steps,
            .steps = steps,
            .t_base = t_end ? s->t : s->t_base,
            .h = h,
            .range = ecl_time_range(&s->breakpoints, s->t, s->run.system.real_size)};
        int64_t component = -1;
        ecl_move_consider(s);
        batch.steps = int_min(steps, ecl_move_spacing(s));
        if (checks) {
            if (steps > 1) {
                const int64_t spacing = ecl_replay_spacing(&s->run, s->base_steps),
                              until_copy = spacing - s->base_steps % spacing;
                if (batch.steps > until_copy) batch.steps = until_copy;
            }
            status =
                ecl_replay_keep(&s->replay, &s->run, table, &batch, batch.steps, s->steps, error);
        }
        if (!status && (status = run_stretch(s, &batch, t_end, error)))
            ecl_solver_state_changed(s); /* its contents are undefined now */
        if (!status && checks) status = table->state->find_nonfinite(&s->run, &component, error);
        if (!status && component >= 0) {
            s->unchecked = 1;
            status = report(s, &batch, component, error);
        }
        steps -= batch.steps;
    }
    return status;
}

static void leave_observer(eulercl_solver *const *s) { (*s)->busy = 0; }

/* A C++ exception, or the end of its thread, may leave the observer: the cleanup runs in these
 * cases, too. */
static int observe(eulercl_solver *s, const eulercl_progress *progress) {
    eulercl_solver *const observed __attribute__((cleanup(leave_observer))) = s;
    observed->busy = 1;
    observed->is_unwanted = 0;
    const int stops = s->run.options.observer(s, progress, s->run.options.observer_user);
    return stops || observed->is_unwanted;
}

/* The steps of a call that advances. */
struct progress {
    int64_t done, total;
    double before; /* the seconds of kernels before it */
};

/* To the observer. */
static int report_progress(eulercl_solver *s, const struct progress *made, eulercl_error *error) {
    const eulercl_progress progress = {.struct_size = sizeof progress,
        .steps_done = made->done,
        .steps_total = made->total,
        .t = s->t,
        .kernel_seconds = s->kernel_seconds - made->before};
    int stops = observe(s, &progress), status = EULERCL_OK;
    if (s->settled.table->processes)
        status = s->settled.table->processes->agree(&s->run, &stops, error);
    if (status) return status;
    if (s->is_unwanted)
        return ecl_fail(error, EULERCL_INVALID,
            "the observer called eulercl_solver_destroy, after step %lld: a solver is destroyed "
            "when "
            "the call that advances it has returned",
            (long long)s->steps);
    return stops ? ecl_fail(error, EULERCL_CANCELLED, "stopped after step %lld, t = %.9g",
                       (long long)s->steps, s->t)
                 : EULERCL_OK;
}

/* `steps` steps of size h, or one to *t_end, with no breakpoint between them. */
static int advance(eulercl_solver *s, int64_t steps, double h, const double *t_end,
    struct progress *progress, eulercl_error *error) {
    const eulercl_options *options = &s->run.options;
    /* At first what takes a fifth of a second even at a microsecond per component. */
    const int64_t first = 1 + 200000 / (s->run.system.n + 200);
    int64_t interval = s->interval > 0 ? s->interval : first, done = 0;
    int status = EULERCL_OK;
    if (options->check_finite && s->unchecked && (status = check_start(s, error))) return status;
    while (done < steps) {
        const int64_t left = steps - done;
        if (!options->observer)
            interval = left;
        else if (options->observer_steps)
            interval = options->observer_steps;
        else if (s->run.report.visit_steps)
            interval = int_ceil(interval, s->run.report.visit_steps) * s->run.report.visit_steps;
        if (interval > left) interval = left;
        const double interval_start = s->kernel_seconds;
        if ((status = advance_interval(s, interval, h, t_end, error))) return status;
        done += interval;
        progress->done += interval;
        if (!options->observer) continue;
        if ((status = report_progress(s, progress, error))) return status;
        /* Aim at five batches a second. The first batches include the start of threads and the
         * device's warm-up, so that later steps take less time than theirs; a limit to the growth
         * is only needed where the time of a step depends on t. */
        const double rate = (double)interval / fmax(s->kernel_seconds - interval_start, 1e-9);
        s->interval = interval =
            (int64_t)fmin(fmax(0.2 * rate, 1), fmin(64.0 * (double)interval, 1e15));
    }
    return EULERCL_OK;
}

/* After steps to a tolerance: the time is that of the state. */
static void set_time(eulercl_solver *s, double t) {
    s->t = s->t_base = t;
    s->base_steps = 0;
}

/* Back from a state within a round to that after it. */
static int leave_round(eulercl_solver *s, eulercl_error *error) {
    double t = s->t;
    const int status = ecl_adaptive_leave(&s->adaptive, &s->run, s->settled.table, &t, error);
    if (!status) set_time(s, t);
    return status;
}

int ecl_advance_adaptively(
    eulercl_solver *s, int64_t steps, double t, double t_end, eulercl_error *error) {
    const struct backend *const table = s->settled.table;
    struct adaptive *const a = &s->adaptive;
    struct progress progress = {.total = steps, .before = s->kernel_seconds};
    const int64_t interval = s->run.options.observer_steps;
    double seen = progress.before, now;
    int64_t done = 0;
    int status = leave_round(s, error);
    if (!status && s->unchecked) status = check_start(s, error);
    if (steps > 0 && s->t < t) s->is_steady = 0;
    while (!status && done < steps && s->t < t && !s->is_steady) {
        const int64_t start = s->steps;
        int64_t made = 0;
        now = s->t;
        ecl_move_consider(s);
        status =
            ecl_adaptive_round(a, &s->run, table, t_end, &now, &s->kernel_seconds, &made, error);
        set_time(s, now);
        ecl_solver_note_time(s, now, a->h_last);
        s->steps += made;
        done += made;
        if (!status) status = ecl_adaptive_is_steady(a, &s->run, table, s->t, &s->is_steady, error);
        const int is_done = done >= steps || !(s->t < t) || s->is_steady,
                  is_time = interval ? s->steps / interval > start / interval
                                     : s->kernel_seconds - seen >= 0.2;
        if (status || !s->run.options.observer || !(is_done || is_time)) continue;
        seen = s->kernel_seconds;
        progress.done = int_min(done, steps);
        status = report_progress(s, &progress, error);
    }
    return status;
}

/* ---- steps of one size between breakpoints ---- */

/* Whether steps from t_base to t have reached `end`, but for rounding errors of the times. */
static int is_there(double t, double t_base, double end) {
    return fabs(end - t) <= fmax(1e-9 * (t - t_base), fmax(fabs(t), fabs(end)) * 16 * DBL_EPSILON);
}

int ecl_measure(double t, double t_base, int64_t base_steps, double h, double end,
    struct stretch *stretch, eulercl_error *error) {
    const double q = (end - t) / h;
    if (!(q < 0x1p62))
        return ecl_fail(error, EULERCL_INVALID, "(t_end - t) / h = %g steps are too many", q);
    /* h may be any number of times as long as what is left. */
    const int is_whole =
        q < 0.5 ? is_there(t, t_base, end) : fabs(q - round(q)) <= 1e-9 * fmax(1, q);
    stretch->whole = (int64_t)(is_whole ? round(q) : floor(q));
    stretch->shorter = is_whole ? 0 : end - (t_base + (double)(base_steps + stretch->whole) * h);
    return EULERCL_OK;
}

/* The grid of times begins anew at a breakpoint, as it does after a shorter step. */
static int advance_stretch(eulercl_solver *s, const struct stretch *stretch, double end,
    struct progress *progress, eulercl_error *error) {
    int status = advance(s, stretch->whole, s->run.options.h, NULL, progress, error);
    if (!status && stretch->shorter > 0)
        status = advance(s, 1, stretch->shorter, &end, progress, error);
    else if (!status && ecl_is_breakpoint(&s->breakpoints, end))
        set_time(s, end);
    return status;
}

/* The steps to t_end, without making them: their number and the size of the last one. */
static int count_steps(
    const eulercl_solver *s, double t_end, int64_t *steps, double *last_h, eulercl_error *error) {
    const double h = s->run.options.h;
    double t = s->t, t_base = s->t_base;
    int64_t base_steps = s->base_steps;
    *steps = 0;
    *last_h = 0;
    while (t < t_end) {
        const double end = fmin(ecl_next_breakpoint(&s->breakpoints, t), t_end);
        struct stretch stretch;
        const int status = ecl_measure(t, t_base, base_steps, h, end, &stretch, error);
        if (status) return status;
        const int64_t more = stretch.whole + (stretch.shorter > 0);
        if (more) *last_h = stretch.shorter > 0 ? stretch.shorter : h;
        int64_t levels;
        if (__builtin_add_overflow(*steps, more, steps) ||
            __builtin_add_overflow(*steps, s->steps, &levels) ||
            __builtin_mul_overflow(levels, (int64_t)s->run.system.method->stages, &levels))
            return ecl_fail(error, EULERCL_INVALID, "the steps to t = %g are too many", t_end);
        t = t_base = end;
        base_steps = 0;
    }
    return EULERCL_OK;
}

static int advance_steps(eulercl_solver *s, int64_t steps, eulercl_error *error) {
    struct progress progress = {.total = steps, .before = s->kernel_seconds};
    /* No steps: is the state finite? */
    int status = steps ? EULERCL_OK : advance(s, 0, s->run.options.h, NULL, &progress, error);
    while (!status && progress.done < steps) {
        const int64_t left = steps - progress.done;
        const double end = ecl_next_breakpoint(&s->breakpoints, s->t);
        struct stretch stretch;
        /* A breakpoint that is too far for a count is too far for these steps. */
        if (ecl_measure(s->t, s->t_base, s->base_steps, s->run.options.h, end, &stretch, NULL) ||
            stretch.whole + (stretch.shorter > 0) > left)
            return advance(s, left, s->run.options.h, NULL, &progress, error);
        status = advance_stretch(s, &stretch, end, &progress, error);
    }
    return status;
}

static int advance_to(eulercl_solver *s, double t_end, double *last_h, eulercl_error *error) {
    struct progress progress = {.before = s->kernel_seconds};
    double last, end;
    int status = count_steps(s, t_end, &progress.total, &last, error);
    do {
        struct stretch stretch;
        end = fmin(ecl_next_breakpoint(&s->breakpoints, s->t), t_end);
        if (!status)
            status =
                ecl_measure(s->t, s->t_base, s->base_steps, s->run.options.h, end, &stretch, error);
        if (!status) status = advance_stretch(s, &stretch, end, &progress, error);
    } while (!status && end < t_end);
    if (!status && last_h) *last_h = last;
    return status;
}

int eulercl_advance(eulercl_solver *solver, int64_t steps, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int64_t sum, levels;
    const int status = ecl_solver_check_idle(solver, error);
    if (status) return status;
    if (steps < 0 || __builtin_add_overflow(solver->steps, steps, &sum) ||
        __builtin_mul_overflow(sum, (int64_t)solver->run.system.method->stages, &levels))
        return ecl_fail(error, EULERCL_INVALID, "invalid step count: %lld steps after %lld",
            (long long)steps, (long long)solver->steps);
    if (!isfinite(solver->t_base + (double)(solver->base_steps + steps) * solver->run.options.h))
        return ecl_fail(error, EULERCL_INVALID, "time overflows after %lld steps of h = %g",
            (long long)steps, solver->run.options.h);
    if (solver->run.options.rtol > 0)
        return ecl_advance_adaptively(solver, steps, (double)INFINITY, (double)INFINITY, error);
    return advance_steps(solver, steps, error);
}

int eulercl_advance_to(eulercl_solver *solver, double t_end, double *last_h, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int status = ecl_solver_check_idle(solver, error);
    if (status) return status;
    if (!isfinite(t_end) || !(t_end >= solver->t || is_there(solver->t, solver->t_base, t_end)))
        return ecl_fail(error, EULERCL_INVALID, "the end time %g is not a finite time after t = %g",
            t_end, solver->t);
    if (solver->run.options.rtol > 0) {
        const int64_t before = solver->steps;
        status = ecl_advance_adaptively(solver, INT64_MAX - solver->steps, t_end, t_end, error);
        if (!status && last_h) *last_h = solver->steps > before ? solver->adaptive.h_last : 0;
        return status;
    }
    return advance_to(solver, t_end, last_h, error);
}

int ecl_advance_dense(
    eulercl_solver *solver, int64_t steps, double t, double t_end, eulercl_error *error) {
    struct adaptive *const a = &solver->adaptive;
    const int64_t before = solver->steps;
    int status = leave_round(solver, error);
    if (status) return status;
    if (t < solver->t && !ecl_adaptive_reaches_back(a, t))
        return ecl_fail(error, EULERCL_INVALID,
            "the time %g is before the last steps, which end at t = %.9g", t, solver->t);
    a->watch = t;
    if (t > solver->t) status = ecl_advance_adaptively(solver, steps, t, t_end, error);
    a->watch = (double)INFINITY;
    if (status || !(t < solver->t) || solver->steps - before >= steps) return status;
    status = ecl_adaptive_enter(
        a, &solver->run, solver->settled.table, t, &solver->kernel_seconds, error);
    if (!status) set_time(solver, t);
    return status;
}

int eulercl_advance_dense(eulercl_solver *solver, double t, double t_end, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    const int status = ecl_solver_check_idle(solver, error);
    if (status) return status;
    if (!(solver->run.options.rtol > 0))
        return ecl_fail(
            error, EULERCL_INVALID, "states within steps need steps to a tolerance (options.rtol)");
    if (!isfinite(t) || !isfinite(t_end) || !(t_end >= t))
        return ecl_fail(error, EULERCL_INVALID,
            "the times %g and %g are not finite, or the second one is before the first", t, t_end);
    return ecl_advance_dense(solver, INT64_MAX - solver->steps, t, t_end, error);
}
