/* SPDX-License-Identifier: BSD-2-Clause */
/* until.c - a run from one moment to the next: multiples of steps or of times at which states are
 * shown or kept, and its end. */
#include "config.h"
#include "solver.h"
#include "../int.h"
#include <math.h>

/* Times are multiples of an interval but for this share of it. */
static const double rounding = 1e-9;

/* The next multiple of a time after t, counted from t0; infinite without one. t may be the last
 * multiple but for rounding. Where doubles are too coarse for the multiples it is the next double.
 */
static double next_time(const eulercl_interval *every, double t, double t0) {
    if (!(every->time > 0)) return (double)INFINITY;
    double k = floor((t - t0) / every->time);
    for (int i = 0; i < 3 && isfinite(k); i++, k++)
        if (t0 + k * every->time > t + rounding * every->time) return t0 + k * every->time;
    return nextafter(t, (double)INFINITY);
}

/* The next multiple of a number of steps; INT64_MAX without one. */
static int64_t next_step(const eulercl_interval *every, int64_t steps) {
    int64_t next;
    return every->steps <= 0 ||
                   __builtin_mul_overflow(steps / every->steps + 1, every->steps, &next)
               ? INT64_MAX
               : next;
}

/* ---- steps of one size ---- */

/* The first step after the present one that is at or after a multiple of the interval, counted from
 * step 0 at t0. INT64_MAX: there is no such step. */
static int64_t next_moment(const eulercl_interval *every, const eulercl_solver *s) {
    const double h = s->run.options.h, start = s->t_base - s->run.options.t0;
    const int64_t base =
        s->steps - s->base_steps; /* the number of the step that starts at t_base */
    int64_t next, sum;
    if (every->steps > 0 || !(every->time > 0)) return next_step(every, s->steps);
    if (!(h < every->time)) return s->steps < INT64_MAX ? s->steps + 1 : INT64_MAX;
    /* Rounded as the end of a run is. If doubles are too coarse for that, every step is taken. */
    double k = floor((start + (double)s->base_steps * h) / every->time);
    for (int i = 0; i < 3; i++) {
        const double x = (++k * every->time - start) / h;
        if (!(x < 0x1p62)) return INT64_MAX;
        next = (int64_t)(fabs(x - round(x)) <= rounding * fmax(1, x) ? round(x) : ceil(x));
        if (next > s->base_steps) return __builtin_add_overflow(base, next, &sum) ? INT64_MAX : sum;
    }
    return s->steps + 1;
}

/* Is the end of a shorter step, which began at t, such a moment? There is no step to a breakpoint
 * that differs from t by rounding errors. */
static int is_moment(
    const eulercl_interval *every, const eulercl_solver *s, double t, int64_t before) {
    if (s->steps == before) return 0;
    return every->steps > 0
               ? s->steps % every->steps == 0
               : next_time(every, t, s->run.options.t0) <= s->t + rounding * every->time;
}

/* The steps on the present grid of times that end at `end`, and whether a shorter one follows them.
 * They are counted from the beginning of the grid, so that it does not matter where a run was cut.
 * An end before it is the start if it is less than half a step before; other invalid times are left
 * to eulercl_advance_to. */
static int split(const eulercl_solver *s, double end, int64_t *steps) {
    const double h = s->run.options.h;
    struct stretch stretch;
    *steps = 0;
    if (end < s->t_base) return s->base_steps > 0 || !(s->t_base - end < 0.5 * h);
    if (ecl_measure(s->t_base, s->t_base, 0, h, end, &stretch, NULL) ||
        stretch.whole < s->base_steps)
        return 1;
    *steps = stretch.whole - s->base_steps;
    return stretch.shorter > 0;
}

/* Steps to the next breakpoint or the end of the run. */
struct leg {
    double end;
    int64_t steps;
    int shorter, is_last; /* shorter: one more step; is_last: the run ends then */
};
static struct leg measure_leg(const eulercl_solver *s, const eulercl_moments *moments) {
    struct leg leg = {.end = ecl_next_breakpoint(&s->breakpoints, s->t)};
    const int64_t left = moments->last_step - s->steps;
    if (isfinite(moments->t_end)) {
        leg.is_last = !(leg.end < moments->t_end);
        leg.end = fmin(leg.end, moments->t_end);
        leg.shorter = split(s, leg.end, &leg.steps);
        return leg;
    }
    leg.shorter = split(s, leg.end, &leg.steps);
    if (!isfinite(leg.end) || leg.steps + leg.shorter >= left)
        leg = (struct leg){.steps = left > 0 ? left : 0, .is_last = 1};
    return leg;
}

static int advance_by_size(eulercl_solver *s, eulercl_moments *moments, eulercl_error *error) {
    const struct leg leg = measure_leg(s, moments);
    const int64_t show = next_moment(&moments->show, s), keep = next_moment(&moments->keep, s);
    const double t = s->t;
    const int64_t before = s->steps;
    int64_t end;
    if (__builtin_add_overflow(s->steps, leg.steps, &end))
        return ecl_fail(error, EULERCL_INVALID, "%lld steps after %lld: too many",
            (long long)leg.steps, (long long)s->steps);
    int status = EULERCL_OK;
    if (leg.steps > 0) {
        status = eulercl_advance(s, int_min(int_min(show, keep), end) - s->steps, error);
        moments->is_last = leg.is_last && !leg.shorter && s->steps >= end;
        moments->is_shown = s->steps == show;
        moments->is_kept = s->steps == keep;
    } else if (leg.shorter || !leg.is_last) {
        moments->last_h = leg.end - s->t;
        status = eulercl_advance_to(s, leg.end, &moments->last_h, error);
        if (!(moments->last_h < s->run.options.h)) moments->last_h = 0;
        moments->is_last = leg.is_last && (!status || s->t == leg.end);
        moments->is_shown = is_moment(&moments->show, s, t, before);
        moments->is_kept = is_moment(&moments->keep, s, t, before);
    } else
        moments->is_last = 1;
    moments->is_end = moments->is_last;
    return status;
}

/* ---- steps to a tolerance ---- */

static int is_last(const eulercl_solver *s, const eulercl_moments *moments) {
    return s->is_steady ||
           (isfinite(moments->t_end) ? s->t >= moments->t_end : s->steps >= moments->last_step);
}

/* The last step is made, and has not passed a state that is to be shown within it. */
static int is_end(const eulercl_solver *s, const eulercl_moments *moments) {
    const double next = next_time(&moments->show, moments->t_shown, s->run.options.t0);
    return is_last(s, moments) && !(moments->is_dense && next < s->t);
}

/* Steps are made in rounds, so that their number may pass that of a moment. */
static int advance_to_tolerance(eulercl_solver *s, eulercl_moments *moments, eulercl_error *error) {
    const double t0 = s->run.options.t0, t_end = moments->t_end,
                 show = next_time(&moments->show, moments->t_shown, t0),
                 keep = next_time(&moments->keep, s->t, t0), next = fmin(fmin(show, keep), t_end);
    const int64_t show_step = next_step(&moments->show, s->steps),
                  keep_step = next_step(&moments->keep, s->steps),
                  end = isfinite(t_end) ? INT64_MAX : moments->last_step,
                  steps = int_min(int_min(show_step, keep_step), end) - s->steps;
    int status = EULERCL_OK;
    if (!(moments->is_end = is_end(s, moments))) {
        if (!isfinite(next))
            status = eulercl_advance(s, steps, error);
        else if (moments->is_dense && next < t_end)
            status = ecl_advance_dense(s, steps, next, t_end, error);
        else
            status = ecl_advance_adaptively(s, steps, next, next, error);
        moments->is_within = moments->is_dense && s->t == show && s->t != t_end;
        moments->is_shown = s->t == show || s->steps >= show_step;
        moments->is_kept = !moments->is_within && (s->t == keep || s->steps >= keep_step);
        if (moments->is_shown) moments->t_shown = s->t;
        moments->is_end = is_end(s, moments);
    }
    moments->is_last = is_last(s, moments);
    return status;
}

/* ---- both ---- */

static int check(const eulercl_solver *s, const eulercl_moments *moments, eulercl_error *error) {
    const eulercl_interval *const intervals[] = {&moments->show, &moments->keep};
    if (moments->struct_size < sizeof *moments)
        return ecl_fail(error, EULERCL_INVALID,
            "struct_size is %zu: set it to the size of the struct before the call",
            moments->struct_size);
    for (int i = 0; i < 2; i++)
        if (intervals[i]->steps < 0 || !(intervals[i]->time >= 0) ||
            !isfinite(intervals[i]->time) || (intervals[i]->steps > 0 && intervals[i]->time > 0))
            return ecl_fail(error, EULERCL_INVALID,
                "an interval of %lld steps and of t = %g: one of them must be 0, the other one "
                "must not be negative",
                (long long)intervals[i]->steps, intervals[i]->time);
    if (moments->last_step < 0)
        return ecl_fail(
            error, EULERCL_INVALID, "last_step = %lld is negative", (long long)moments->last_step);
    if (isnan(moments->t_end) || (moments->is_dense && !isfinite(moments->t_end)))
        return ecl_fail(
            error, EULERCL_INVALID, "the end time %g is not a finite time", moments->t_end);
    if (moments->is_dense && !(s->run.options.rtol > 0))
        return ecl_fail(
            error, EULERCL_INVALID, "states within steps need steps to a tolerance (options.rtol)");
    return EULERCL_OK;
}

/* The first call of a run. */
static int begin(eulercl_solver *s, eulercl_moments *moments, eulercl_error *error) {
    int64_t steps;
    moments->has_begun = 1;
    moments->t_shown = s->t;
    if (!isfinite(moments->t_end)) return EULERCL_OK;
    if (s->run.options.rtol > 0)
        return moments->t_end < s->t ? eulercl_advance_to(s, moments->t_end, NULL, error)
                                     : EULERCL_OK;
    const int shorter = split(s, moments->t_end, &steps);
    if (__builtin_add_overflow(s->steps, steps, &moments->last_step) ||
        __builtin_add_overflow(moments->last_step, shorter, &moments->last_step))
        return ecl_fail(error, EULERCL_INVALID, "%lld steps after %lld: too many", (long long)steps,
            (long long)s->steps);
    return EULERCL_OK;
}

int eulercl_advance_until(eulercl_solver *solver, eulercl_moments *moments, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(moments);
    int status = ecl_solver_check_idle(solver, error);
    if (!status) status = check(solver, moments, error);
    if (status) return status;
    moments->is_shown = moments->is_kept = moments->is_within = 0;
    moments->is_last = moments->is_end = 0;
    moments->last_h = 0;
    if (!moments->has_begun && (status = begin(solver, moments, error))) return status;
    status = (solver->run.options.rtol > 0 ? advance_to_tolerance : advance_by_size)(
        solver, moments, error);
    if (moments->is_last && !moments->is_within) moments->is_shown = moments->is_kept = 0;
    return status;
}
