/* SPDX-License-Identifier: BSD-2-Clause */
/* stability.c - a stable step size, from the spectrum near a state. */
#include "config.h"
#include "mem.h"
#include "spectrum.h"
#include <math.h>
#include <string.h>

/* Near y, or the initial state, in the precision of the options. */
static int estimate(const eulercl_problem *problem, const eulercl_options *options, const void *y,
    eulercl_stability *stability, eulercl_error *error) {
    struct system system;
    void *state = NULL;
    int status = eulercl_system_create(problem, options->precision, &system, error);
    if (status) return status;
    status = eulercl_mem_state(system.state_bytes, "the state", &state, error);
    if (!status && y)
        memcpy(state, y, (size_t)system.state_bytes);
    else if (!status)
        status = eulercl_problem_initial(problem, options->precision, 0, system.n, state, error);
    if (!status) status = eulercl_spectrum(&system, options->t0, state, stability, error);
    eulercl_mem_free(state);
    eulercl_system_destroy(&system);
    return status;
}

int eulercl_estimate_stability(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, eulercl_stability *stability, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(stability);
    eulercl_options checked;
    eulercl_stability full = {.struct_size = sizeof full};
    /* A struct_size that is none is found before the work is done. */
    int status = eulercl_copy_out(
        &(eulercl_stability){0}, stability->struct_size, &full, sizeof full, error);
    if (!status) status = eulercl_options_check(options, &checked, error);
    if (!status) status = estimate(problem, &checked, y, &full, error);
    return status ? status
                  : eulercl_copy_out(stability, stability->struct_size, &full, sizeof full, error);
}

int eulercl_stable_step(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, double *h, eulercl_error *error) {
    EULERCL_NEEDS(h);
    eulercl_stability s = {.struct_size = sizeof s};
    const int status = eulercl_estimate_stability(problem, options, y, &s, error);
    if (status) return status;
    if (s.h_limit == 0)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "no step size is stable here: the Jacobian has eigenvalues a +- iw that do not decay, "
            "up to w = %.4g, so errors of the explicit Euler method grow like exp(h w^2/2 t); "
            "choose h so that this growth is small at the end",
            s.oscillation);
    if (!isfinite(s.h_limit))
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "stability does not limit the step size, because nothing decays: choose h by the "
            "accuracy that you need");
    *h = stable_share * s.h_limit;
    return EULERCL_OK;
}
