/* SPDX-License-Identifier: BSD-2-Clause */
/* solver.c - the life of a run; the only caller of the backends' vtable. */
#include "config.h"
#include "../tolerance/adaptive.h"
#include "backend.h"
#include "../problem/flush.h"
#include "../int.h"
#include "../mem.h"
#include "monitor.h"
#include "../plan/plan.h"
#include "../problem/positions.h"
#include "../reals.h"
#include "replay.h"
#include "../problem/system.h"
#include "../tolerance/tolerance.h"
#include "transport.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a clock of a later version. */
enum { MOST_CLOCK = 1 << 16 };

struct eulercl_solver {
    struct settled settled;
    eulercl_problem *problem; /* a copy with its own parameters */
    struct run run;
    const struct transport *transport; /* of several processes that share the system; NULL: there is
                                          one */
    struct breakpoints breakpoints;
    double t_base;      /* step s starts at t_base + s * h */
    int64_t base_steps; /* s: steps done since t_base */
    int64_t steps;      /* of the whole run: resumed_steps, and those since */
    int64_t resumed_steps;
    int64_t interval;     /* the present number of steps between two calls of the observer */
    int unchecked;        /* the state may not be finite: it was not searched for inf and NaN yet */
    struct replay replay; /* with check_finite: where the search for the first inf or NaN begins */
    struct adaptive adaptive; /* with a tolerance */
    int is_steady;            /* the last steps have ended because the state is (options.steady) */
    int busy;                 /* inside the observer */
    int is_unwanted;          /* the observer has called eulercl_solver_destroy, which must wait */
    double t, setup_seconds, upload_seconds, kernel_seconds, download_seconds;
};

void eulercl_free(void *memory) { ecl_mem_free(memory); }

/* ---- create and destroy ---- */

/* A tolerance that rounding errors do not allow. */
static void note_tolerance(eulercl_solver *s) {
    const eulercl_options *const o = &s->run.options;
    const double reachable = o->precision == EULERCL_FLOAT ? 1e-6 : 1e-14;
    if (o->rtol > 0 && o->rtol < reachable && !*s->settled.note)
        snprintf(s->settled.note, sizeof s->settled.note,
            "the tolerance %.2g is below the rounding errors in %s, with which about %.0e can be "
            "reached%s",
            o->rtol, o->precision == EULERCL_FLOAT ? "float" : "double", reachable,
            o->precision == EULERCL_FLOAT ? "; double allows more" : "");
}

/* Equations in float that read t see it stand still, or jump, where h is not much more than the
 * distance of two floats. */
static void note_time(eulercl_solver *s, double t, double h) {
    static const double units = 64;
    const float later = nextafterf(fabsf((float)t), INFINITY);
    if (s->run.system.reads_time && s->run.options.precision == EULERCL_FLOAT && h > 0 &&
        h < units * ((double)later - fabs((double)(float)t)) && !*s->settled.note)
        snprintf(s->settled.note, sizeof s->settled.note,
            "the equations read t, and near t = %.9g neighbouring floats are %.2g apart, but steps "
            "are of %.2g: count t from a later time, or use double",
            t, (double)later - fabs((double)(float)t), h);
}

/* Whether a method needs ODE_POSITION, or one that is chosen later may. */
static int relies_on_positions(const struct run *run) {
    return run->system.definition->is_position &&
           (ecl_is_partitioned(run->system.method) ||
               (run->options.rtol > 0 && !run->options.method));
}

/* What can be said of a solver before its backend is chosen. */
static int prepare(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver *s, eulercl_error *error) {
    struct run *const run = &s->run;
    int status = ecl_options_check(options, &run->options, error);
    if (!status) status = ecl_check_parameters(&run->options, ecl_tuning_selects(), error);
    if (!status) status = ecl_system_create(problem, run->options.precision, &run->system, error);
    if (status) return status;
    status = ecl_find_breakpoints(problem, &run->options, &s->breakpoints, error);
    run->options.breakpoints = s->breakpoints.times; /* the caller's may be gone later */
    run->options.breakpoint_count = s->breakpoints.count;
    if (status) return status;
    status = ecl_settle_method(problem, &run->options, run->options.h, &run->system, error);
    if (!status && relies_on_positions(run))
        status = ecl_verify_positions(problem, &run->system, run->options.t0, error);
    if (!status && !(s->problem = ecl_problem_copy(problem)))
        status = ecl_no_memory(error, "a problem");
    return status;
}

static int create(const eulercl_problem *problem, const eulercl_options *options,
    const struct transport *transport, eulercl_solver **solver, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(solver);
    const double start = ecl_now();
    eulercl_solver *s = ecl_mem_zeroed(1, sizeof *s);
    int status = s ? prepare(problem, options, s, error) : ecl_no_memory(error, "a solver");
    if (!status && transport && (s->run.options.device_memory || s->run.options.state_file))
        status =
            ecl_fail(error, EULERCL_INVALID, "%s is for one process, and several share the system",
                s->run.options.state_file ? "state_file" : "device_memory");
    /* Before the first call that needs all processes. */
    status = ecl_transport_agree(transport, status, error);
    if (!s) return status;
    struct run *run = &s->run;
    s->transport = transport;
    if (!status) status = ecl_settle(s->problem, run, transport, &s->settled, error);
    if (status) {
        eulercl_problem_destroy(s->problem);
        ecl_system_destroy(&run->system);
        ecl_mem_free(s->breakpoints.times);
        ecl_mem_free(s);
        return status;
    }
    ecl_adaptive_create(&s->adaptive, run, &s->breakpoints);
    run->options.atols = NULL; /* the caller's; the system has them */
    run->options.atol_count = 0;
    if (!*s->settled.note)
        snprintf(s->settled.note, sizeof s->settled.note, "%s", run->report.note);
    run->process = ecl_backends[s->settled.backend].engine->survives_fork ? 0 : getpid();
    note_tolerance(s);
    s->t_base = s->t = run->options.t0;
    if (!(run->options.rtol > 0)) note_time(s, s->t, run->options.h);
    s->setup_seconds = ecl_now() - start - run->report.build_seconds;
    *solver = s;
    return EULERCL_OK;
}

int eulercl_solver_create(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    return create(problem, options, NULL, solver, error);
}

int eulercl_transport_solver_create(const eulercl_problem *problem, const eulercl_options *options,
    const struct transport *transport, eulercl_solver **solver, eulercl_error *error) {
    const int status = create(problem, options, transport, solver, error);
    if (status) transport->destroy(transport->user);
    return status;
}

int eulercl_solver_window(
    const eulercl_solver *solver, int64_t *first, int64_t *count, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(first);
    EULERCL_NEEDS(count);
    int64_t end;
    ecl_own_components(&solver->run, solver->settled.table, first, &end);
    *count = end - *first;
    return EULERCL_OK;
}

void eulercl_solver_destroy(eulercl_solver *solver) {
    if (!solver) return;
    /* The call that has called the observer still works on the solver. */
    if (solver->busy) {
        solver->is_unwanted = 1;
        return;
    }
    if (!ecl_check_process(&solver->run, NULL)) { /* a child has no driver */
        ecl_replay_drop(&solver->replay, &solver->run, solver->settled.table);
        ecl_adaptive_destroy(&solver->adaptive, solver->settled.table);
        solver->settled.table->destroy(&solver->run);
    }
    if (solver->transport) solver->transport->destroy(solver->transport->user);
    ecl_system_destroy(&solver->run.system);
    ecl_mem_free(solver->breakpoints.times);
    eulercl_problem_destroy(solver->problem); /* last, because it may unload the right-hand side */
    ecl_mem_free(solver);
}

int eulercl_evaluate(
    const eulercl_solver *solver, double t, const void *y, void *f, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(y);
    EULERCL_NEEDS(f);
    const struct system *s = &solver->run.system;
    if (!isfinite(t)) return ecl_fail(error, EULERCL_INVALID, "t is not finite");
    for (int64_t i = 0; i < s->n; i++)
        real_set(f, i, s->real_size, ecl_system_component(s, i, t, y));
    return EULERCL_OK;
}

/* ---- the state ---- */

static int check_range(
    const eulercl_solver *s, int64_t first, int64_t count, eulercl_error *error) {
    const int64_t n = s->run.system.n;
    if (first < 0 || count < 0 || first > n || count > n - first)
        return ecl_fail(error, EULERCL_INVALID,
            "components %lld .. +%lld are out of range: the system has %lld", (long long)first,
            (long long)count, (long long)n);
    return EULERCL_OK;
}

/* At the beginning of functions that change the solver. */
static int check_idle(const eulercl_solver *s, eulercl_error *error) {
    return s->busy ? ecl_fail(error, EULERCL_INVALID,
                         "an observer may read the solver but not change it")
                   : ecl_check_process(&s->run, error);
}

/* Something other than a step has changed the state. */
static void state_changed(eulercl_solver *s) {
    s->unchecked = 1;
    s->replay.is_valid = 0;
    s->adaptive.is_begun = s->adaptive.is_resumed;
    s->adaptive.is_within = 0;
    s->adaptive.last.steps = 0;
}

int eulercl_set_components(
    eulercl_solver *solver, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int status = check_idle(solver, error);
    if (!status) status = check_range(solver, first, count, error);
    if (status || !count) return status;
    EULERCL_NEEDS(y);
    const double start = ecl_now();
    status = solver->settled.table->state->write(&solver->run, first, count, y, error);
    solver->upload_seconds += ecl_now() - start;
    state_changed(solver);
    return status;
}

int eulercl_set_state(eulercl_solver *solver, const void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    return eulercl_set_components(solver, 0, solver->run.system.n, y, error);
}

int eulercl_get_components(
    eulercl_solver *solver, int64_t first, int64_t count, void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int status = ecl_check_process(&solver->run, error);
    if (!status) status = check_range(solver, first, count, error);
    if (status || !count) return status;
    EULERCL_NEEDS(y);
    const double start = ecl_now();
    status = solver->settled.table->state->read(&solver->run, first, count, y, error);
    solver->download_seconds += ecl_now() - start;
    return status;
}

int eulercl_get_own_components(
    eulercl_solver *solver, int64_t first, int64_t count, void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    struct run *const run = &solver->run;
    int status = ecl_check_process(run, error);
    if (!status) status = check_range(solver, first, count, error);
    if (status || !count) return status;
    EULERCL_NEEDS(y);
    const struct backend *const table = solver->settled.table;
    int64_t begin, end;
    ecl_own_components(run, table, &begin, &end);
    if (first < begin || count > end - first)
        return ecl_fail(error, EULERCL_INVALID,
            "components %lld .. +%lld are not all of this process, which computes %lld .. +%lld",
            (long long)first, (long long)count, (long long)begin, (long long)(end - begin));
    const double start = ecl_now();
    status = (table->processes ? table->processes->read_own : table->state->read)(
        run, first, count, y, error);
    solver->download_seconds += ecl_now() - start;
    return status;
}

int eulercl_get_state(eulercl_solver *solver, void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    return eulercl_get_components(solver, 0, solver->run.system.n, y, error);
}

int eulercl_set_initial_state(eulercl_solver *solver, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    const struct system *system = &solver->run.system;
    const int64_t most = ecl_backends[solver->settled.backend].engine->chunk;
    void *chunk = ecl_mem_zeroed((uint64_t)most, system->real_size);
    if (!chunk) return ecl_no_memory(error, "a part of the initial state");
    int status = EULERCL_OK;
    for (int64_t first = 0; !status && first < system->n; first += most) {
        const int64_t count = system->n - first < most ? system->n - first : most;
        status = eulercl_problem_initial(
            solver->problem, solver->run.options.precision, first, count, chunk, error);
        if (!status) status = eulercl_set_components(solver, first, count, chunk, error);
    }
    ecl_mem_free(chunk);
    return status;
}

int eulercl_borrow_buffer(eulercl_solver *solver, void **cl_mem_state, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(cl_mem_state);
    const struct backend *backend = solver->settled.table;
    if (solver->run.options.devices || solver->transport)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "several devices have no single OpenCL buffer");
    if (!backend->memory && ecl_backends[solver->settled.backend].table->memory)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "the state streams through the device, so no OpenCL buffer has it");
    if (!backend->memory)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "backend %s has no OpenCL buffer",
            ecl_backends[solver->settled.backend].name);
    const int status = ecl_check_process(&solver->run, error);
    if (status) return status;
    if (!solver->busy) state_changed(solver); /* the program may write, and observers may not */
    return backend->memory->borrow(&solver->run, cl_mem_state, error);
}

int eulercl_monitor(eulercl_solver *solver, const eulercl_statistic *wanted, size_t count,
    double *values, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    if (!count) return EULERCL_OK;
    EULERCL_NEEDS(wanted);
    EULERCL_NEEDS(values);
    const int status = ecl_check_process(&solver->run, error);
    return status ? status
                  : ecl_monitor_state(
                        &solver->run, solver->settled.table->state, wanted, count, values, error);
}

int eulercl_snapshot_create(
    eulercl_solver *solver, eulercl_snapshot **snapshot, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(snapshot);
    const struct backend *table = solver->settled.table;
    eulercl_error why;
    int status = ecl_check_process(&solver->run, error);
    if (status) return status;
    status = ecl_snapshot_make(&solver->run, table->copies, snapshot, &why);
    if (!status) return EULERCL_OK;
    if (status != EULERCL_MEMORY || !ecl_replay_drop(&solver->replay, &solver->run, table))
        return ecl_fail_as(error, &why);
    return ecl_snapshot_make(&solver->run, table->copies, snapshot,
        error); /* instead of the copy, which is less important */
}

/* ---- advance ---- */

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
    note_time(s, s->t, s->run.options.h);
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
            state_changed(s); /* its contents are undefined now */
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

/* Steps to a tolerance: whole rounds of them until there are `steps`, or until t is reached, but
 * not beyond t_end; fewer if the state becomes steady. */
static int advance_adaptively(
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
        status =
            ecl_adaptive_round(a, &s->run, table, t_end, &now, &s->kernel_seconds, &made, error);
        set_time(s, now);
        note_time(s, now, a->h_last);
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

/* Of steps of size h from t on, where t_base + base_steps h is t: those that end at `end`. */
struct stretch {
    int64_t whole;
    double shorter; /* a step after them; 0: none, because they end close to `end` */
};
static int measure(double t, double t_base, int64_t base_steps, double h, double end,
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
        const int status = measure(t, t_base, base_steps, h, end, &stretch, error);
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
        if (measure(s->t, s->t_base, s->base_steps, s->run.options.h, end, &stretch, NULL) ||
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
                measure(s->t, s->t_base, s->base_steps, s->run.options.h, end, &stretch, error);
        if (!status) status = advance_stretch(s, &stretch, end, &progress, error);
    } while (!status && end < t_end);
    if (!status && last_h) *last_h = last;
    return status;
}

int eulercl_advance(eulercl_solver *solver, int64_t steps, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int64_t sum, levels;
    const int status = check_idle(solver, error);
    if (status) return status;
    if (steps < 0 || __builtin_add_overflow(solver->steps, steps, &sum) ||
        __builtin_mul_overflow(sum, (int64_t)solver->run.system.method->stages, &levels))
        return ecl_fail(error, EULERCL_INVALID, "invalid step count: %lld steps after %lld",
            (long long)steps, (long long)solver->steps);
    if (!isfinite(solver->t_base + (double)(solver->base_steps + steps) * solver->run.options.h))
        return ecl_fail(error, EULERCL_INVALID, "time overflows after %lld steps of h = %g",
            (long long)steps, solver->run.options.h);
    if (solver->run.options.rtol > 0)
        return advance_adaptively(solver, steps, (double)INFINITY, (double)INFINITY, error);
    return advance_steps(solver, steps, error);
}

int eulercl_advance_to(eulercl_solver *solver, double t_end, double *last_h, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int status = check_idle(solver, error);
    if (status) return status;
    if (!isfinite(t_end) || !(t_end >= solver->t || is_there(solver->t, solver->t_base, t_end)))
        return ecl_fail(error, EULERCL_INVALID, "the end time %g is not a finite time after t = %g",
            t_end, solver->t);
    if (solver->run.options.rtol > 0) {
        const int64_t before = solver->steps;
        status = advance_adaptively(solver, INT64_MAX - solver->steps, t_end, t_end, error);
        if (!status && last_h) *last_h = solver->steps > before ? solver->adaptive.h_last : 0;
        return status;
    }
    return advance_to(solver, t_end, last_h, error);
}

int eulercl_advance_dense(eulercl_solver *solver, double t, double t_end, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    struct adaptive *const a = &solver->adaptive;
    int status = check_idle(solver, error);
    if (status) return status;
    if (!(solver->run.options.rtol > 0))
        return ecl_fail(
            error, EULERCL_INVALID, "states within steps need steps to a tolerance (options.rtol)");
    if (!isfinite(t) || !isfinite(t_end) || !(t_end >= t))
        return ecl_fail(error, EULERCL_INVALID,
            "the times %g and %g are not finite, or the second one is before the first", t, t_end);
    if ((status = leave_round(solver, error))) return status;
    if (t < solver->t && !ecl_adaptive_reaches_back(a, t))
        return ecl_fail(error, EULERCL_INVALID,
            "the time %g is before the last steps, which end at t = %.9g", t, solver->t);
    a->watch = t;
    if (t > solver->t)
        status = advance_adaptively(solver, INT64_MAX - solver->steps, t, t_end, error);
    a->watch = (double)INFINITY;
    if (status || !(t < solver->t)) return status;
    status = ecl_adaptive_enter(
        a, &solver->run, solver->settled.table, t, &solver->kernel_seconds, error);
    if (!status) set_time(solver, t);
    return status;
}

/* ---- the clock, to continue in another solver ---- */

int eulercl_get_clock(const eulercl_solver *solver, eulercl_clock *clock, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(clock);
    eulercl_clock full = {.steps = solver->steps,
        .base_steps = solver->base_steps,
        .t_base = solver->t_base,
        .h = solver->run.options.h};
    if (solver->adaptive.is_begun && !solver->adaptive.is_within)
        ecl_adaptive_text(&solver->adaptive, &solver->run, full.control);
    return ecl_copy_out(clock, clock->struct_size, &full, sizeof full, error);
}

int eulercl_solver_resume(
    eulercl_solver *solver, const eulercl_clock *clock, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(clock);
    eulercl_options options = solver->run.options;
    const size_t least = offsetof(eulercl_clock, h) + sizeof clock->h;
    eulercl_clock full = {.struct_size = 0};
    int status = check_idle(solver, error);
    if (status) return status;
    if (clock->struct_size < least || clock->struct_size > MOST_CLOCK)
        return ecl_fail(error, EULERCL_INVALID,
            "the clock has no valid struct_size: fill it with eulercl_get_clock");
    if (clock->base_steps < 0 || clock->base_steps > clock->steps)
        return ecl_fail(error, EULERCL_INVALID,
            "invalid clock: %lld steps, %lld of them since t_base", (long long)clock->steps,
            (long long)clock->base_steps);
    memcpy(&full, clock, clock->struct_size < sizeof full ? clock->struct_size : sizeof full);
    full.control[sizeof full.control - 1] = '\0';
    const int is_new = !clock->steps; /* nothing of its options is in the clock yet */
    if (!*full.control != !(options.rtol > 0) && (*full.control || !is_new))
        return ecl_fail(error, EULERCL_INVALID, "the clock is that of %s, and the solver %s",
            *full.control ? "steps to a tolerance"
            : solver->run.system.tolerance.unknowns > EULERCL_CONTROL_UNKNOWNS
                ? "steps of one size, or of more unknowns than it has room for"
                : "steps of one size",
            options.rtol > 0 ? "has a tolerance" : "has none");
    const double t = clock->t_base + (double)clock->base_steps * clock->h;
    options.t0 = t;
    options.h = clock->h;
    if ((status = ecl_options_check(&options, &options, error))) return status;
    if (*full.control)
        status = ecl_adaptive_resume(&solver->adaptive, &solver->run, solver->settled.table,
            clock->steps, full.control, error);
    if (!status && *full.control && solver->adaptive.is_at_breakpoint)
        status = ecl_add_breakpoint(&solver->breakpoints, t, error);
    if (status) return status;
    solver->run.options.h = clock->h;
    solver->t_base = clock->t_base;
    solver->base_steps = clock->base_steps;
    solver->steps = solver->resumed_steps = clock->steps;
    solver->t = t;
    solver->is_steady = 0;
    solver->replay.is_valid = 0;
    return EULERCL_OK;
}

/* ---- statistics, eulercl_solve, and the program's text ---- */

int eulercl_get_breakpoint(
    const eulercl_solver *solver, size_t index, double *t, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(t);
    const struct breakpoints *const b = &solver->breakpoints;
    if (index >= (size_t)b->count)
        return ecl_fail(error, EULERCL_INVALID, "there are %lld breakpoints", (long long)b->count);
    *t = b->times[index];
    return EULERCL_OK;
}

int eulercl_get_stats(const eulercl_solver *solver, eulercl_stats *stats, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(stats);
    const struct run *run = &solver->run;
    const char *variant = ecl_backends[solver->settled.backend].variants[run->variant];
    eulercl_stats full = {
        .backend = ecl_backends[solver->settled.backend].name,
        .variant = variant ? variant : "",
        .device = run->report.device,
        .device_id = run->report.device_id,
        .precision = run->options.precision,
        .n = run->system.n,
        .steps = solver->steps,
        .t = solver->t,
        .launches = run->report.launches,
        .device_bytes = run->report.device_bytes,
        .threads = run->report.threads,
        .setup_seconds = solver->setup_seconds,
        .build_seconds = run->report.build_seconds,
        .upload_seconds = solver->upload_seconds,
        .kernel_seconds = solver->kernel_seconds,
        .download_seconds = solver->download_seconds,
        .note = *solver->settled.note ? solver->settled.note : solver->replay.why,
        .steps_per_launch = run->report.steps_per_launch ? run->report.steps_per_launch : 1,
        .plan = solver->settled.plan,
        .plan_reason = solver->settled.reason,
        .predicted_seconds = run->report.predicted_seconds,
        .device_seconds = run->report.device_seconds,
        .method = run->system.method->name,
        .method_reason = run->system.why_method,
        .order = run->system.method->order,
        .stages = run->system.method->stages,
        .rhs_evaluations = run->options.rtol > 0
                               ? solver->adaptive.evaluations
                               : (uint64_t)(solver->steps - solver->resumed_steps) *
                                     (uint64_t)run->system.method->evaluations,
        .flush_below = run->system.flush_below,
        .flush_steps = run->system.flush.reals ? ODE_FLUSH_STEPS_(run->system.method->stages) : 0,
        .method_changes = solver->adaptive.changes,
        .rejected = solver->adaptive.rejected,
        .h_first = solver->adaptive.h_first,
        .h_least = solver->adaptive.h_least,
        .h_greatest = solver->adaptive.h_greatest,
        .h_last = solver->adaptive.h_last,
        .atol = ecl_greatest_atol(&run->system.tolerance),
        .unknowns = run->system.tolerance.unknowns,
        .atols = run->system.tolerance.atol,
        .greatest = run->system.tolerance.greatest,
        .error_estimate = solver->adaptive.error,
        .spectral_radius = solver->adaptive.radius,
        .spectral_estimates = solver->adaptive.radius_count,
        .control_seconds = solver->adaptive.seconds,
        .is_steady = solver->is_steady,
        .derivative = solver->is_steady ? solver->adaptive.derivative : 0,
        .resumed_steps = solver->resumed_steps,
    };
    const struct backend *table = solver->settled.table;
    if (table->facts) table->facts(run, &full);
    return ecl_copy_out(stats, stats->struct_size, &full, sizeof full, error);
}

const eulercl_fact *eulercl_find_fact(const eulercl_stats *stats, const char *name) {
    for (size_t i = 0; stats && name && i < stats->fact_count; i++)
        if (!strcmp(stats->facts[i].name, name)) return &stats->facts[i];
    return NULL;
}

int eulercl_solve(const eulercl_problem *problem, const eulercl_options *options, int64_t steps,
    void *y, eulercl_stats *stats, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(y);
    eulercl_solver *solver = NULL;
    eulercl_options checked;
    eulercl_stats full = {.struct_size = sizeof full};
    /* Nothing is copied yet; this rejects an invalid struct_size before the work is done. */
    int status =
        stats ? ecl_copy_out(&(eulercl_stats){0}, stats->struct_size, &full, sizeof full, error)
              : EULERCL_OK;
    if (!status) status = ecl_options_check(options, &checked, error);
    if (!status && !checked.expected_steps && steps > 0) checked.expected_steps = steps;
    if (!status) status = eulercl_solver_create(problem, &checked, &solver, error);
    if (!status) status = eulercl_set_state(solver, y, error);
    if (!status) status = eulercl_advance(solver, steps, error);
    if (!status) status = eulercl_get_state(solver, y, error);
    if (!status && stats) {
        eulercl_get_stats(solver, &full, NULL);
        full.backend = full.variant = full.device = full.device_id = full.note = full.plan =
            full.plan_reason = full.method = full.method_reason =
                ""; /* they live as long as the solver */
        full.unknowns = 0;
        full.atols = full.greatest = NULL;
        ecl_copy_out(stats, stats->struct_size, &full, sizeof full, NULL);
    }
    eulercl_solver_destroy(solver);
    return status;
}

int eulercl_kernel_source(const eulercl_problem *problem, const eulercl_options *options,
    char **source, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(source);
    struct run run = {0};
    size_t backend = 0;
    int status = ecl_options_check(options, &run.options, error);
    if (!status)
        status = ecl_find_configuration(&run,
            ecl_is_automatic(&run.options) ? "cl-linear" : run.options.backend, &backend, error);
    if (status) return status;
    if (!ecl_backends[backend].table->source)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "backend %s has no OpenCL kernel",
            ecl_backends[backend].name);
    status = ecl_system_create(problem, run.options.precision, &run.system, error);
    if (status) return status;
    status = ecl_settle_method(problem, &run.options, run.options.h, &run.system, error);
    if (!status) status = ecl_backends[backend].table->source(&run, source, error);
    ecl_system_destroy(&run.system);
    return status;
}
