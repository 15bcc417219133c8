/* SPDX-License-Identifier: BSD-2-Clause */
/* stability.c - a stable step size, from the spectrum near a state. */
#include "config.h"
#include "choice.h"
#include "control.h"
#include "../problem/flush.h"
#include "../mem.h"
#include "../method/method.h"
#include "spectrum.h"
#include "tolerance.h"
#include <math.h>
#include <string.h>

/* ---- the method ---- */

enum { MODERATE_STAGES = 10 };

double ecl_radius_bound(double estimate) {
    static const double safety = 1.05;
    return estimate > 0 ? ecl_rung(ecl_rung_above(safety * estimate)) : 0;
}

static int initial_radius(const eulercl_problem *problem, struct system *system, double t,
    double *radius, eulercl_error *error) {
    eulercl_stability stability;
    void *y = NULL;
    int status = ecl_mem_state(system->state_bytes, "the initial state", &y, error);
    if (!status)
        status = eulercl_problem_initial(
            problem, (enum eulercl_precision)system->real_size, 0, system->n, y, error);
    if (!status) status = ecl_spectrum(system, t, y, &stability, error);
    ecl_mem_free(y);
    if (!status) *radius = ecl_radius_bound(stability.spectral_radius);
    return status;
}

/* The smallest number of stages that is stable for eigenvalues on the real axis. */
static int count_stages(const struct method_family *family, double h, double radius, int *stages,
    eulercl_error *error) {
    for (int s = family->least; s <= family->most; s = *stages + 1) {
        *stages = family->next ? family->next(s) : s;
        if (family->real_limit(*stages) >= h * radius) return EULERCL_OK;
    }
    return ecl_fail(error, EULERCL_UNSUPPORTED,
        "method %s has at most %d stages, which are stable up to h = %.4g near the initial state "
        "(spectral radius %.4g), but h is %.4g",
        family->name, family->most, family->real_limit(family->most) / radius, radius, h);
}

int ecl_settle_method(const eulercl_problem *problem, const eulercl_options *options, double h,
    struct system *system, eulercl_error *error) {
    const struct method_family *family;
    int stages = options->stages;
    double radius = 0;
    const int is_adaptive = options->rtol > 0;
    int status = ecl_find_method(options->method ? options->method : "euler", &family, error);
    if (!status) status = ecl_settle_tolerance(problem, options, system, error);
    if (!status && is_adaptive && !options->method) {
        struct choice choice;
        status = ecl_choose_first_method(problem, system, options->t0, &choice, error);
        family = choice.family;
        if (!status) {
            memcpy(system->why_method, choice.reason, sizeof choice.reason);
            system->expected_h = choice.evaluations ? ecl_rung(choice.rung) : 0;
            system->expected_evaluations = choice.evaluations;
        }
    }
    if (status) return status;
    system->family = family;
    if (!stages && family->least < family->most && !is_adaptive) {
        stages = MODERATE_STAGES;
        if (h > 0) status = initial_radius(problem, system, options->t0, &radius, error);
        if (!status && h > 0) status = count_stages(family, h, radius, &stages, error);
    }
    if (!status)
        status = ecl_method_create(family, stages,
            is_adaptive ? ecl_estimates_of(system) : NO_ESTIMATES, &system->made, error);
    if (status) return status;
    system->method = system->made;
    if ((status = ecl_settle_flush(problem, options, system, error))) return status;
    if (ecl_is_partitioned(system->method) && !system->definition->is_position)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "method %s needs positions and velocities, but problem %s does not say which "
            "components are positions (ODE_POSITION)",
            family->name, system->definition->name);
    return EULERCL_OK;
}

/* ---- the step size ---- */

/* Near y, or the initial state, in the precision of the options. */
static int estimate(const eulercl_problem *problem, const eulercl_options *options, const void *y,
    eulercl_stability *stability, eulercl_error *error) {
    struct system system;
    void *state = NULL;
    int status = ecl_system_create(problem, options->precision, &system, error);
    if (status) return status;
    status = ecl_mem_state(system.state_bytes, "the state", &state, error);
    if (!status && y)
        memcpy(state, y, (size_t)system.state_bytes);
    else if (!status)
        status = eulercl_problem_initial(problem, options->precision, 0, system.n, state, error);
    if (!status) status = ecl_settle_method(problem, options, 0, &system, error);
    if (!status) status = ecl_spectrum(&system, options->t0, state, stability, error);
    ecl_mem_free(state);
    ecl_system_destroy(&system);
    return status;
}

int eulercl_estimate_stability(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, eulercl_stability *stability, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(stability);
    eulercl_options checked;
    eulercl_stability full = {.struct_size = sizeof full};
    /* Reject an invalid struct_size before the work. */
    int status =
        ecl_copy_out(&(eulercl_stability){0}, stability->struct_size, &full, sizeof full, error);
    if (!status) status = ecl_options_check(options, &checked, error);
    if (!status) status = estimate(problem, &checked, y, &full, error);
    return status ? status
                  : ecl_copy_out(stability, stability->struct_size, &full, sizeof full, error);
}

int eulercl_stable_step(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, double *h, eulercl_error *error) {
    EULERCL_NEEDS(h);
    eulercl_stability s = {.struct_size = sizeof s};
    const int status = eulercl_estimate_stability(problem, options, y, &s, error);
    if (status) return status;
    if (s.h_limit == 0)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "no step size is stable here: the Jacobian has eigenvalues a +- iw that do not decay, "
            "up to w = %.4g, so errors of method %s grow; "
            "choose h so that this growth is small at the end",
            s.oscillation, options && options->method ? options->method : "euler");
    if (!isfinite(s.h_limit))
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "stability does not limit the step size, because nothing decays: choose h by the "
            "accuracy that you need");
    *h = stable_share * s.h_limit;
    return EULERCL_OK;
}
