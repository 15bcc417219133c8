/* SPDX-License-Identifier: BSD-2-Clause */
/* move.c - see move.h. */
#include "config.h"
#include "move.h"
#include "solver.h"
#include "../int.h"
#include "../problem/problem.h"
#include <math.h>
#include <stdatomic.h>

/* Compiling takes about as long as many runs do, and disturbs one that has one core most. */
static const double patience = 0.1, patience_on_one_core = 1.5;
/* Seconds between two looks. */
static const double spacing_seconds = 0.05;

static _Atomic int64_t forced = -1;

void ecl_move_force(int64_t steps) { atomic_store(&forced, steps); }

int ecl_move_begin(const eulercl_problem *problem, const eulercl_options *options, int may_move,
    eulercl_problem **used, eulercl_error *error) {
    /* Without the guarantee of bits, other code may round differently. */
    const int waits = !may_move || problem->is_inexact || !ecl_options_may_move(options);
    if (waits || atomic_load(&forced) < 0) return ecl_problem_use(problem, waits, used, error);
    *used = ecl_problem_copy(problem);
    return *used ? EULERCL_OK : ecl_no_memory(error, "a problem");
}

void ecl_move_open(eulercl_solver *s) {
    const struct engine *const engine = ecl_backends[s->settled.backend].engine;
    eulercl_device_info processor = {.compute_units = 1};
    int by_user;
    s->moves.is_open = ecl_problem_is_baseline(s->problem) && !engine->compiles;
    s->moves.forced = atomic_load(&forced);
    if (!s->moves.is_open) return;
    ecl_engine_cpu.find_device(&s->run.options, 0, &processor, &by_user, NULL);
    s->moves.patience = processor.compute_units > 1 ? patience : patience_on_one_core;
}

/* The run goes on with the code of the fast problem. */
static int change_code(eulercl_solver *s, const eulercl_problem *fast, eulercl_error *error) {
    struct system *const system = &s->run.system;
    struct system before = *system;
    int status = ecl_system_change_code(&before, fast->definition, system, error);
    if (status) {
        *system = before;
        return status;
    }
    status = s->settled.table->steps->change_method(&s->run, error);
    ecl_system_drop_code(status ? system : &before);
    if (status) *system = before;
    return status;
}

void ecl_move_consider(eulercl_solver *s) {
    struct moves *const m = &s->moves;
    const int64_t steps = s->steps - s->resumed_steps;
    const int is_forced = m->forced >= 0 && steps >= m->forced;
    eulercl_problem *fast;
    eulercl_error why;
    if (!m->is_open || (m->forced >= 0 ? !is_forced : s->kernel_seconds < m->patience)) return;
    ecl_problem_want_fast(s->problem);
    int status = ecl_problem_get_fast(s->problem, is_forced, &fast, &why);
    if (!status && !fast) return;
    m->is_open = 0;
    if (!status && (status = change_code(s, fast, &why))) eulercl_problem_destroy(fast);
    if (status) {
        if (!*s->settled.note)
            ecl_text(s->settled.note, sizeof s->settled.note,
                "the run goes on with baseline code: %s", why.message);
        return;
    }
    m->steps = steps;
    m->kernel_seconds = s->kernel_seconds;
    s->run.report.predicted_seconds = 0; /* it was that of baseline code */
    eulercl_problem *const baseline = s->problem;
    s->problem = fast;
    eulercl_problem_destroy(baseline);
}

int64_t ecl_move_spacing(const eulercl_solver *s) {
    const struct moves *const m = &s->moves;
    const int64_t steps = s->steps - s->resumed_steps;
    if (!m->is_open) return INT64_MAX;
    if (m->forced >= 0) return int_max(m->forced - steps, 1);
    /* At first what takes a twentieth of a second even at a microsecond per component. */
    if (!(s->kernel_seconds > 0)) return 1 + 50000 / (s->run.system.n + 200);
    return (int64_t)fmin(fmax(spacing_seconds * (double)steps / s->kernel_seconds, 1), 1e15);
}

void ecl_move_close(eulercl_solver *s) {
    if (!s->moves.is_open) return;
    /* Many short runs are worth it as one long run is. */
    if (ecl_problem_note_baseline(s->problem, s->kernel_seconds) >= s->moves.patience)
        ecl_problem_want_fast(s->problem);
}
