/* SPDX-License-Identifier: BSD-2-Clause */
/* check/finite.c - whether the first steps stay finite, and what the eigenvalues say about h. */
#include "config.h"
#include "check.h"
#include "../int.h"
#include "../method.h"
#include "../spectrum.h"
#include "../text.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20, SPREADING_STEPS = 1 << 10, SPREADING_WORK = 1 << 24 /* component-steps */ };

/* Some steps from the initial state. */
static int make_steps(struct check *c, double h, eulercl_error *why) {
    eulercl_solver *solver = NULL;
    eulercl_options options = c->options;
    options.backend = "seq";
    options.precision = (enum eulercl_precision)c->system.real_size;
    options.h = h;
    int status = eulercl_solver_create(c->problem, &options, &solver, why);
    if (!status) status = eulercl_set_initial_state(solver, why);
    for (int s = 0; s < STEPS && !status; s++)
        status = eulercl_advance(solver, 1, why); /* one by one, to see the first that goes wrong */
    eulercl_solver_destroy(solver);
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

/* What a nan may come from: the words for the component in its point. Valid until the next call. */
static const char *left_out(struct check *c, const char *word, int64_t number, double value) {
    c->hint[0] = '\0';
    if (isnan(value) && has_grid(c->definition))
        snprintf(c->hint, sizeof c->hint, "; is %s(%lld) missing?", word, (long long)number);
    return c->hint;
}

/* A derivative that is not finite: a coefficient of its point may be why. */
static int blame(struct check *c, int64_t i, double f) {
    const int64_t components = c->definition->grid.components, fields = c->definition->fields,
                  point = i / components;
    const struct ode_grid *const grid = &c->system.context.grid;
    char place_text[GRID_TEXT];
    const int64_t at = eulercl_first_nonfinite(
        (const char *)c->system.fields + (size_t)(point * fields) * c->system.real_size, fields,
        c->system.real_size);
    const double value = at < 0 ? 0 : get(c, c->system.fields, point * fields + at);
    if (at >= 0)
        return FAILS(finite, EULERCL_NONFINITE, i, "%s: FIELD(%lld) of point (%s) is %g%s",
            precision_of(c), (long long)at,
            eulercl_place_text(grid, eulercl_grid_place(grid, point), place_text), value,
            left_out(c, "FIELD", at, value));
    return FAILS(finite, EULERCL_NONFINITE, i,
        "%s: the derivative of component %lld at the initial state is %g%s", precision_of(c),
        (long long)i, f, left_out(c, "DOT", i % components, f));
}

/* The problem has an initial state. Steps well below the stable size, and so few that what grows
 * can do so. */
int eulercl_check_finite(struct check *c) {
    const eulercl_stability *stability = &c->stability;
    const int64_t n = c->system.n;
    eulercl_error why;
    int status = eulercl_problem_initial(
        c->problem, (enum eulercl_precision)c->system.real_size, 0, n, c->clean, c->error);
    if (status) return status;
    const int64_t at = eulercl_first_nonfinite(c->clean, n, c->system.real_size);
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
    double h = stability->h_limit > 0 && isfinite(stability->h_limit) ? 0.25 * stability->h_limit
               : stability->spectral_radius > 0 ? 0.01 / stability->spectral_radius
                                                : c->options.h;
    if (stability->growth > 0) h = fmin(h, 0.1 / stability->growth);
    h = fmin(fmax(h, (double)FLT_MIN), 1e30);
    status = make_steps(c, h, &why);
    if (status == EULERCL_NONFINITE)
        return FAILS(finite, status, -1, "%s: %.*s (h = %g)", precision_of(c),
            text_cut(why.message, 300), why.message, h);
    if (status) return eulercl_fail(c->error, status, "%s", why.message);
    status = HOLDS(finite,
        "%s: the initial state, its derivative, and the state after %d steps of %g are finite",
        precision_of(c), STEPS, h);
    return status ? status : tell_subnormals(c, h);
}

int eulercl_check_tell_stability(struct check *c) {
    const eulercl_stability *s = &c->stability;
    const char *const method = c->options.method ? c->options.method : eulercl_euler.name;
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
    if (!strcmp(method, eulercl_euler.name))
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
