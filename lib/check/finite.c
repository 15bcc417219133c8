/* SPDX-License-Identifier: BSD-2-Clause */
/* finite.c - whether the first steps stay finite, and what the eigenvalues say about h. */
#include "config.h"
#include "check.h"
#include "../int.h"
#include "../mem.h"
#include "../method/method.h"
#include "../tolerance/spectrum.h"
#include "../text.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

enum {
    STEPS = 20,
    TRIES = 12, /* step sizes, each an eighth of the one before */
    SPREADING_STEPS = 1 << 10,
    SPREADING_WORK = 1 << 24 /* component-steps */
};
/* A step may change the derivatives by so much, times h and in units of the greatest value of the
 * unknown: no method with an estimate of its errors takes a step that changes them by more. */
static const double most_change = 0.5;

/* Some steps: how many were made, how each unknown changed, and how large it was, at most. */
struct course {
    int64_t steps;
    double *changes, *sizes; /* change and magnitude of each component of a point */
};

/* A state of a course, with its derivatives in c->result if the state is the first one, else in
 * c->scratch, where those of the state before are found in c->result. */
static void watch(struct check *c, struct course *course, double h) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    const int64_t components = c->definition->grid.components;
    char *const now = course->steps ? c->scratch : c->result;
    for (int r = 0; r < count; r++) {
        ecl_system_eval(&c->system, now, c->clean, ranges[r][0], ranges[r][1], c->t);
        for (int64_t i = ranges[r][0]; i < ranges[r][1]; i++) {
            double *const size = &course->sizes[i % components], *const change =
                                                                     &course
                                                                          ->changes[i % components];
            *size = fmax(*size, fabs(get(c, c->clean, i)));
            if (!course->steps) continue;
            *change = fmax(*change, fabs(h * (get(c, now, i) - get(c, c->result, i))));
            /* Whether a method would have taken the step is not known yet. */
            if (course->steps == 1 && isnan(get(c, now, i))) *change = (double)INFINITY;
            set(c, c->result, i, get(c, now, i));
        }
    }
}

/* The greatest change of an unknown; infinite if there were no steps. */
static double worst_change(const struct check *c, const struct course *course) {
    double worst = 0;
    for (uint32_t k = 0; k < c->definition->grid.components; k++)
        if (course->sizes[k] > 0) worst = fmax(worst, course->changes[k] / course->sizes[k]);
    return course->steps ? worst : (double)INFINITY;
}

/* Some steps from the initial state; *change: of the greatest of them. */
static int make_steps(struct check *c, double h, double *change, eulercl_error *why) {
    const uint32_t components = c->definition->grid.components;
    eulercl_solver *solver = NULL;
    eulercl_options options = c->options;
    struct course course = {.changes = ecl_mem_zeroed(components, 2 * sizeof(double))};
    if (!course.changes) return ecl_no_memory(why, "a check");
    course.sizes = course.changes + components;
    options.backend = "seq";
    options.precision = (enum eulercl_precision)c->system.real_size;
    options.h = h;
    int status = eulercl_solver_create(c->problem, &options, &solver, why);
    if (!status) status = eulercl_set_initial_state(solver, why);
    for (; !status && course.steps <= STEPS; course.steps++) {
        c->t = c->options.t0 + (double)course.steps * h;
        status = eulercl_get_state(solver, c->clean, why);
        if (!status) watch(c, &course, h);
        if (!status && course.steps < STEPS)
            /* one step at a time, to see the first that goes wrong */
            status = eulercl_advance(solver, 1, why);
        if (status) break;
    }
    *change = worst_change(c, &course);
    eulercl_solver_destroy(solver);
    ecl_mem_free(course.changes);
    return status;
}

/* Values that spread into zeros become subnormal numbers for a while: look at times that double.
 * Nothing is told of a solution that does not stay finite for so long. */
static int tell_subnormals(struct check *c, double h) {
    const int64_t n = c->system.n, last = int_min(SPREADING_STEPS, SPREADING_WORK / n);
    const double least = c->system.real_size == sizeof(float) ? (double)FLT_MIN : DBL_MIN;
    eulercl_solver *solver = NULL;
    eulercl_options options = c->options;
    int64_t most = 0, when = 0;
    options.backend = "seq";
    options.precision = (enum eulercl_precision)c->system.real_size;
    options.h = h;
    int status = eulercl_solver_create(c->problem, &options, &solver, NULL);
    if (!status) status = eulercl_set_initial_state(solver, NULL);
    for (int64_t step = 1, done = 0; !status && step <= last; step *= 2) {
        int64_t count = 0;
        status = eulercl_advance(solver, step - done, NULL);
        if (!status) status = eulercl_get_state(solver, c->clean, NULL);
        for (int64_t i = 0; i < n && !status; i++) {
            const double size = fabs(get(c, c->clean, i));
            count += size > 0 && size < least;
        }
        if (count > most) most = count, when = step;
        done = step;
    }
    eulercl_solver_destroy(solver);
    if (!most) return EULERCL_OK;
    return REMARK(finite,
        "%s: after %lld steps %lld of %lld components are subnormal numbers, with which processors "
        "compute slowly: #define ODE_FLUSH_BELOW(c) %s in the problem, or --flush-below, sets "
        "components that are smaller than that to zero",
        precision_of(c), (long long)when, (long long)most, (long long)n,
        c->system.real_size == sizeof(float) ? "1e-12" : "1e-100");
}

/* Words for a component that a NaN may come from, valid until the next call. */
static const char *left_out(struct check *c, const char *word, int64_t number, double value) {
    c->hint[0] = '\0';
    if (isnan(value) && has_grid(c->definition))
        snprintf(c->hint, sizeof c->hint, "; is %s(%lld) missing?", word, (long long)number);
    return c->hint;
}

static int blame(struct check *c, int64_t i, double f) {
    const int64_t components = c->definition->grid.components;
    return FAILS(finite, EULERCL_NONFINITE, i,
        "%s: the derivative of component %lld at the initial state is %g%s", precision_of(c),
        (long long)i, f, left_out(c, "DOT", i % components, f));
}

/* A step size for the scales of the problem near its initial state, whatever their units are. */
static double first_step(const struct check *c) {
    const eulercl_stability *const s = &c->stability;
    const int is_float = c->system.real_size == sizeof(float);
    double h = c->options.h;
    if (s->h_limit > 0 && isfinite(s->h_limit))
        h = 0.25 * s->h_limit;
    else if (s->spectral_radius > 0)
        h = 0.01 / s->spectral_radius;
    if (s->growth > 0) h = fmin(h, 0.1 / s->growth);
    return fmin(
        fmax(h, is_float ? (double)FLT_MIN : DBL_MIN), is_float ? (double)FLT_MAX / STEPS : 1e300);
}

/* The problem has an initial state. Steps well below the stable size, and so few that what grows
 * can do so. */
int ecl_check_finite(struct check *c) {
    const int64_t n = c->system.n;
    eulercl_error why;
    int status = eulercl_problem_initial(
        c->problem, (enum eulercl_precision)c->system.real_size, 0, n, c->clean, c->error);
    if (status) return status;
    const int64_t at = ecl_first_nonfinite(c->clean, n, c->system.real_size);
    if (at >= 0) {
        const double value = get(c, c->clean, at);
        return FAILS(finite, EULERCL_NONFINITE, at,
            "%s: component %lld of the initial state is %g%s", precision_of(c), (long long)at,
            value, left_out(c, "Y0", at % c->definition->grid.components, value));
    }
    c->t = c->options.t0;
    for (int64_t i = 0; i < n && n <= ALL; i++) {
        const double f = evaluate(c, i, c->clean);
        if (!isfinite(f)) return blame(c, i, f);
    }
    double h = first_step(c), change = 0;
    const double asked = h;
    int is_lost = 0; /* steps of a larger size lead to values that are not finite */
    for (int tries = 0; tries < TRIES; tries++) {
        if (tries) h /= 8;
        status = make_steps(c, h, &change, &why);
        if (status && status != EULERCL_NONFINITE) return ecl_fail_as(c->error, &why);
        if (change <= most_change) break; /* smaller steps would not change more */
        is_lost |= status == EULERCL_NONFINITE;
    }
    if (status)
        return FAILS(finite, status, -1, "%s: %.*s (h = %g)", precision_of(c),
            text_cut(why.message, 300), why.message, h);
    status = HOLDS(finite,
        "%s: the initial state, its derivative, and the state after %d steps of %g are finite",
        precision_of(c), STEPS, h);
    if (!status && is_lost)
        status = REMARK(finite,
            "%s: steps of %g do not stay finite, though the eigenvalues at the initial state allow "
            "them: the system becomes stiffer within a few steps; use steps to a tolerance (--tol)",
            precision_of(c), asked);
    return status ? status : tell_subnormals(c, h);
}

int ecl_check_tell_stability(struct check *c) {
    const eulercl_stability *s = &c->stability;
    const char *const method = c->options.method ? c->options.method : ecl_euler.name;
    char largest[100] = "", growth[100] = "", euler[80] = "";
    c->report.spectral_radius = s->spectral_radius;
    c->report.h_limit = s->h_limit;
    snprintf(largest, sizeof largest, "%.4g", s->real);
    if (s->imaginary > 0)
        snprintf(largest, sizeof largest, "%.4g +- %.4g i", s->real, s->imaginary);
    if (s->residual > 1e-6)
        snprintf(largest + strlen(largest), sizeof largest - strlen(largest), ", found to %.1g %%",
            100 * s->residual);
    if (s->growth > 0)
        snprintf(growth, sizeof growth, "; the solution itself grows, like exp(%.3g t) at most",
            s->growth);
    if (!strcmp(method, ecl_euler.name))
        snprintf(euler, sizeof euler, " like exp(h w^2/2 t) = exp(%.4g h t)",
            s->oscillation * s->oscillation / 2);
    if (s->h_limit == 0)
        return REMARK(stability,
            "no h is stable with method %s, %d stage%s: the Jacobian has eigenvalues a +- iw that "
            "do not decay, a >= 0 to the accuracy of the estimate, up to w = %.4g (the largest is "
            "%s); errors of this method grow%s; others have a limit on the imaginary axis%s",
            method, s->stages, s->stages == 1 ? "" : "s", s->oscillation, largest, euler, growth);
    if (!isfinite(s->h_limit))
        return REMARK(stability,
            "stability does not limit h: nothing decays (the largest eigenvalue of the Jacobian is "
            "%s)%s",
            largest, growth);
    return REMARK(stability,
        "method %s, %d stage%s: stable for h up to %.4g near the initial state (%.4g of it: %.4g); "
        "later a smaller h may be necessary; the largest eigenvalue of the Jacobian is %s%s",
        method, s->stages, s->stages == 1 ? "" : "s", s->h_limit, stable_share,
        stable_share * s->h_limit, largest, growth);
}
