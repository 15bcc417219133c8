/* SPDX-License-Identifier: BSD-2-Clause */
/* seq.c - the method as it is defined: one pass over the components per level. Also the example
 * of a backend. */
#include "config.h"
#include "state.h"
#include "cores.h"
#include "../mem.h"
#include "../schedule/step.h"

static int create(struct run *run, eulercl_error *error) {
    struct state_arrays *state = ecl_mem_zeroed(1, sizeof *state);
    if (!state) return ecl_no_memory(error, "a solver");
    int status = ecl_cpu_state_create(run, state, error);
    if (!status) status = ecl_cpu_carried_create(run, state, error);
    if (status) {
        ecl_cpu_state_destroy(run, state);
        ecl_mem_free(state);
        return status;
    }
    run->report.threads = 1;
    run->impl = state;
    return EULERCL_OK;
}

static void destroy(struct run *run) {
    ecl_cpu_state_destroy(run, run->impl);
    ecl_mem_free(run->impl);
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct state_arrays *state = run->impl;
    struct cores before;
    const int status =
        ecl_cores_to_pin(&run->options, 1) ? ecl_cores_pin_caller(&before, error) : EULERCL_OK;
    if (status) return status;
    const double start = ecl_now();
    const int64_t levels = batch->steps * run->system.method->stages;
    run->report.worst_error = INT32_MIN;
    state->kept_end = run->system.n;
    state->worst = &run->report.worst_error;
    for (int64_t level = 0; level < levels; level++) {
        ecl_system_level(&run->system, state, 0, run->system.n, batch, level);
        ecl_cpu_swap(state);
    }
    run->report.launches += (uint64_t)levels;
    *seconds = ecl_now() - start;
    if (ecl_cores_to_pin(&run->options, 1)) ecl_cores_unpin_caller(&before);
    return EULERCL_OK;
}

static int change_method(struct run *run, eulercl_error *error) {
    return ecl_cpu_carried_create(run, run->impl, error);
}

static const struct step_table steps = {step, change_method};

const struct backend ecl_backend_seq = {
    .create = create,
    .destroy = destroy,
    .propose = ecl_step_propose_core,
    .state = &ecl_cpu_state,
    .steps = &steps,
    .copies = &ecl_cpu_copies,
    .slot = &ecl_cpu_slot,
};
