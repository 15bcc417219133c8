/* SPDX-License-Identifier: BSD-2-Clause */
/* state.c - the state of a solver: written, read, lent, copied, summed. */
#include "config.h"
#include "solver.h"
#include "../mem.h"
#include "monitor.h"
#include "../problem/coefficients.h"
#include "../problem/flush.h"
#include "../problem/problem.h"
#include <string.h>

static int check_range(
    const eulercl_solver *s, int64_t first, int64_t count, eulercl_error *error) {
    const int64_t n = s->run.system.n;
    if (first < 0 || count < 0 || first > n || count > n - first)
        return ecl_fail(error, EULERCL_INVALID,
            "components %lld .. +%lld are out of range: the system has %lld", (long long)first,
            (long long)count, (long long)n);
    return EULERCL_OK;
}

int ecl_solver_check_idle(const eulercl_solver *s, eulercl_error *error) {
    return s->busy ? ecl_fail(error, EULERCL_INVALID,
                         "an observer may read the solver but not change it")
                   : ecl_check_process(&s->run, error);
}

void ecl_solver_state_changed(eulercl_solver *s) {
    s->unchecked = 1;
    s->replay.is_valid = 0;
    s->adaptive.is_begun = s->adaptive.is_resumed;
    s->adaptive.is_within = 0;
    s->adaptive.last.steps = 0;
}

int eulercl_set_components(
    eulercl_solver *solver, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    int status = ecl_solver_check_idle(solver, error);
    if (!status) status = check_range(solver, first, count, error);
    if (status || !count) return status;
    EULERCL_NEEDS(y);
    const double start = ecl_now();
    status = solver->settled.table->state->write(&solver->run, first, count, y, error);
    solver->upload_seconds += ecl_now() - start;
    ecl_solver_state_changed(solver);
    return status;
}

int eulercl_set_state(eulercl_solver *solver, const void *y, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    return eulercl_set_components(solver, 0, solver->run.system.n, y, error);
}

/* A copy of the solver's problem, to be changed; NULL after an error. */
static int copy_problem(
    const eulercl_solver *solver, eulercl_problem **copy, eulercl_error *error) {
    *copy = NULL;
    const int status = ecl_solver_check_idle(solver, error);
    return status ? status : eulercl_problem_copy(solver->problem, copy, error);
}

/* If nothing failed before (status), and nothing can fail any more, the changed copy takes the
 * place of the solver's problem. It is destroyed, or else the former problem is. */
static int change_problem(
    eulercl_solver *solver, eulercl_problem *changed, int status, eulercl_error *error) {
    struct run *const run = &solver->run;
    const struct system *const s = &run->system;
    const struct state_table *const state = solver->settled.table->state;
    const double start = ecl_now();
    const uint64_t constants_bytes = s->definition->constant_count * s->real_size;
    void *planes = NULL, *const constants = ecl_mem_zeroed(constants_bytes + 1, 1);
    if (!status && !constants) status = ecl_no_memory(error, "the constants");
    if (!status)
        status = ecl_mem_state(s->field_bytes ? s->field_bytes : s->real_size,
            "the coefficient fields", &planes, error);
    if (!status) status = ecl_fill_constants(changed, s->real_size, constants, error);
    if (!status) status = ecl_fill_coefficients(changed, s->real_size, planes, error);
    if (!status) {
        eulercl_problem *const before = solver->problem;
        solver->problem = changed;
        changed = before;
        memcpy(s->constants, constants, (size_t)constants_bytes);
        memcpy(s->fields, planes, (size_t)s->field_bytes);
    }
    ecl_mem_free(constants);
    ecl_mem_free(planes);
    eulercl_problem_destroy(changed);
    if (!status && state->change_coefficients) status = state->change_coefficients(run, error);
    solver->upload_seconds += ecl_now() - start;
    if (!status) ecl_solver_state_changed(solver);
    return status;
}

int eulercl_set_field(
    eulercl_solver *solver, const char *name, const void *values, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(name);
    EULERCL_NEEDS(values);
    eulercl_problem *changed;
    int status = copy_problem(solver, &changed, error);
    if (!status)
        status = eulercl_problem_set_field(
            changed, name, (enum eulercl_precision)solver->run.system.real_size, values, error);
    return change_problem(solver, changed, status, error);
}

/* Whether the programs and the memory of a solver suit another problem, too. */
static int check_alike(const eulercl_solver *solver, const eulercl_problem *changed,
    const char *name, eulercl_error *error) {
    const struct size *const before = &solver->problem->size, *const after = &changed->size;
    int is_alike = before->n == after->n && before->access_distance == after->access_distance &&
                   before->reads_all == after->reads_all;
    for (int axis = 0; axis < ODE_MOST_AXES; axis++)
        is_alike &= before->grid.extents[axis] == after->grid.extents[axis];
    if (!is_alike)
        return ecl_fail(error, EULERCL_INVALID,
            "parameter %s decides about the size of the system: make another solver", name);
    if (solver->run.options.flush_below == EULERCL_AS_PROBLEM &&
        !ecl_flushes_alike(solver->problem, changed))
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "parameter %s decides which tiny values are flushed: make another solver", name);
    return EULERCL_OK;
}

int eulercl_set_parameter(
    eulercl_solver *solver, const char *name, double value, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(name);
    eulercl_problem *changed;
    int status = copy_problem(solver, &changed, error);
    if (!status) status = eulercl_problem_set(changed, name, value, error);
    if (!status) status = check_alike(solver, changed, name, error);
    return change_problem(solver, changed, status, error);
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
    if (!solver->busy)
        ecl_solver_state_changed(solver); /* the program may write, and observers may not */
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
