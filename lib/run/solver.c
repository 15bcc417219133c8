/* SPDX-License-Identifier: BSD-2-Clause */
/* solver.c - the life of a solver: it is made, tells of itself, goes on from a clock, and ends. Its
 * steps are in advance.c, its state in state.c. */
#include "config.h"
#include "solver.h"
#include "../mem.h"
#include "../problem/flush.h"
#include "../problem/positions.h"
#include "../problem/problem.h"
#include "../problem/system.h"
#include "../reals.h"
#include "../tolerance/tolerance.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a clock of a later version. */
enum { MOST_CLOCK = 1 << 16 };

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

/* Whether a method needs ODE_POSITION, or one that is chosen later may. */
static int relies_on_positions(const struct run *run) {
    return run->system.definition->is_position &&
           (ecl_is_partitioned(run->system.method) ||
               (run->options.rtol > 0 && !run->options.method));
}

/* What can be said of a solver before its backend is chosen. */
static int prepare(const eulercl_problem *given, const eulercl_options *options, eulercl_solver *s,
    eulercl_error *error) {
    struct run *const run = &s->run;
    int status = ecl_options_check(options, &run->options, error);
    if (!status) status = ecl_check_parameters(&run->options, ecl_tuning_selects(), error);
    /* Several processes would have to move together. */
    if (!status) status = ecl_move_begin(given, &run->options, !s->transport, &s->problem, error);
    const eulercl_problem *const problem = s->problem;
    if (!status) status = ecl_system_create(problem, run->options.precision, &run->system, error);
    if (status) return status;
    status = ecl_find_breakpoints(problem, &run->options, &s->breakpoints, error);
    run->options.breakpoints = s->breakpoints.times; /* the caller's may be gone later */
    run->options.breakpoint_count = s->breakpoints.count;
    if (status) return status;
    status = ecl_settle_method(problem, &run->options, run->options.h, &run->system, error);
    if (!status && relies_on_positions(run))
        status = ecl_verify_positions(problem, &run->system, run->options.t0, error);
    return status;
}

static int create(const eulercl_problem *problem, const eulercl_options *options,
    const struct transport *transport, eulercl_solver **solver, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(solver);
    const double start = ecl_now();
    eulercl_solver *s = ecl_mem_zeroed(1, sizeof *s);
    if (s) s->transport = transport;
    int status = s ? prepare(problem, options, s, error) : ecl_no_memory(error, "a solver");
    if (!status && transport && (s->run.options.device_memory || s->run.options.state_file))
        status =
            ecl_fail(error, EULERCL_INVALID, "%s is for one process, and several share the system",
                s->run.options.state_file ? "state_file" : "device_memory");
    /* Before the first call that needs all processes. */
    status = ecl_transport_agree(transport, status, error);
    if (!s) return status;
    struct run *run = &s->run;
    if (!status) status = ecl_settle(s->problem, run, transport, &s->settled, error);
    if (status) {
        eulercl_problem_destroy(s->problem);
        ecl_system_destroy(&run->system);
        ecl_mem_free(s->breakpoints.times);
        ecl_mem_free(s);
        return status;
    }
    ecl_adaptive_create(&s->adaptive, run, &s->breakpoints);
    ecl_move_open(s);
    run->options.atols = NULL; /* the caller's; the system has them */
    run->options.atol_count = 0;
    if (!*s->settled.note)
        snprintf(s->settled.note, sizeof s->settled.note, "%s", run->report.note);
    run->process = ecl_backends[s->settled.backend].engine->survives_fork ? 0 : getpid();
    note_tolerance(s);
    s->t_base = s->t = run->options.t0;
    if (!(run->options.rtol > 0)) ecl_solver_note_time(s, s->t, run->options.h);
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
    ecl_move_close(solver);
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
    options.breakpoints = solver->breakpoints.times; /* some may have been added */
    options.breakpoint_count = solver->breakpoints.count;
    const size_t least = offsetof(eulercl_clock, h) + sizeof clock->h;
    eulercl_clock full = {.struct_size = 0};
    int status = ecl_solver_check_idle(solver, error);
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
    const struct backend_entry *const entry = &ecl_backends[solver->settled.backend];
    const char *variant = entry->variants[run->variant];
    const int is_baseline = run->system.is_baseline && !entry->engine->compiles;
    eulercl_stats full = {
        .backend = entry->name,
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
        .code = is_baseline ? "baseline" : "",
        .moved_steps = solver->moves.steps,
        .moved_kernel_seconds = solver->moves.kernel_seconds,
        .bits_guaranteed =
            !solver->problem->is_inexact &&
            !(solver->problem->has_functions && TUNED(&run->options, vendor_functions)),
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
            full.plan_reason = full.method = full.method_reason = full.code =
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
