/* SPDX-License-Identifier: BSD-2-Clause */
/* adaptive.c - see adaptive.h. */
#include "config.h"
#include "adaptive.h"
#include "choice.h"
#include "inspect.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include "spectrum.h"
#include "../problem/system.h"
#include "tolerance.h"
#include <float.h>
#include <string.h>

enum {
    /* the most steps between two estimates, while the radius stays the same */
    MOST_RADIUS_STEPS = 200,
    RADIUS_STEPS = 25, /* steps from one estimate of the spectral radius to the next */
    /* the spectral radius grows by less than this factor in RADIUS_STEPS steps */
    RADIUS_GROWTH = 4,
    FIRST_CHOICE = 8,  /* rounds until the method is reconsidered for the first time */
    MOST_CHOICE = 256, /* the greatest number of rounds until it is reconsidered */
    LOWER_RUNGS = 3,   /* rungs below the step size at which fewer stages are considered */
    CAREFUL =
        4, /* after a change of method, the first step is this many rungs below the estimate */
    FREQUENCY_STEPS = 500, /* steps from one estimate of the greatest frequency to the next */
    STEADY_ROUNDS = 4,     /* rounds from one look for a steady state to the next */
    LONGEST_ROUND = 512,   /* stages of a round */
    MOST_WORK = 1 << 30,   /* component-stages of a round: a request to stop waits until it ends */
    SAME_STEPS = 8,        /* a round has at most 1/8 of the steps already made at this size */
};

void ecl_adaptive_create(
    struct adaptive *a, const struct run *run, struct breakpoints *breakpoints) {
    const struct controller *controller;
    const eulercl_options *const o = &run->options;
    *a = (struct adaptive){.breakpoints = breakpoints, .watch = (double)INFINITY};
    if (!(o->rtol > 0)) return;
    ecl_find_controller(o->controller, &controller, NULL);
    a->control = ecl_begin_control(run, controller);
}

struct control ecl_begin_control(const struct run *run, const struct controller *controller) {
    const struct system *const s = &run->system;
    const double unit = s->real_size == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
    return ecl_control_begin(
        controller, s->method->estimate_order, s->reads_time, unit / s->tolerance.rtol);
}

void ecl_adaptive_destroy(struct adaptive *a, const struct backend *table) {
    if (a->copy) table->copies->destroy(a->copy);
    if (a->after) table->copies->destroy(a->after);
    a->copy = a->after = NULL;
}

/* ---- the state of a run ---- */

struct reader {
    struct run *run;
    const struct backend *table;
};
static int read_run(void *from, int64_t first, int64_t count, void *y, eulercl_error *error) {
    const struct reader *const reader = from;
    return reader->table->state->read(reader->run, first, count, y, error);
}
static int gather_run(
    void *from, const struct state_part *parts, int64_t count, eulercl_error *error) {
    const struct reader *const reader = from;
    return reader->table->memory->gather(reader->run, parts, count, error);
}
static struct state_source source_of(struct reader *reader) {
    return (struct state_source){reader, read_run, reader->table->memory ? gather_run : NULL};
}

/* ---- the first step size ---- */

/* The step size for which h^order |f| c^(order - 1) is a hundredth of the tolerance, where c is the
 * rate at which f changes; at most a hundred times the first guess. That is the step size of
 * Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), sec. II.4, in a form
 * that does not depend on the unit of time, with the maximum norm and on the ladder. */
static int guess_rung(const struct adaptive *a, struct run *run, const struct backend *table,
    double t, double span, int *rung, eulercl_error *error) {
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    struct sizes sizes;
    const int order = a->control.order,
              status = ecl_find_sizes(&run->system, &source, t, span, &sizes, error);
    if (status) return status;
    const int most = (int)int_min(ecl_rung_below(100 * sizes.h), MOST_RUNG);
    *rung = most;
    if (!(sizes.change > 0)) return EULERCL_OK;
    /* Where f is 0 only its change counts: an error of h^2. */
    const int power = sizes.rhs > 0 ? order : 2,
              rhs = sizes.rhs > 0 ? ecl_rung_above(sizes.rhs) : 0,
              change = ecl_rung_above(sizes.change) - rhs,
              sum = ecl_rung_above(100) + rhs + (power - 1) * change;
    *rung = (int)int_min(-(sum / power + (sum % power > 0)), most);
    return EULERCL_OK;
}

/* ---- the spectral radius, and the number of stages ---- */

static int find_radius(struct adaptive *a, struct run *run, const struct backend *table, double t,
    eulercl_error *error) {
    const struct system *const s = &run->system;
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    double estimate = run->options.spectral_radius;
    if (!(estimate > 0)) {
        const int status = ecl_spectral_radius(s, &source, t, &estimate, error);
        if (status) return status;
        estimate = ecl_radius_bound(estimate);
        a->radius_count++;
    }
    a->radius_steps =
        estimate == a->radius ? (int)int_min(2 * a->radius_steps, MOST_RADIUS_STEPS) : RADIUS_STEPS;
    a->radius = estimate;
    a->radius_step = a->steps;
    return EULERCL_OK;
}

int ecl_next_stages(const struct method_family *family, int stages) {
    const int wanted = (int)int_max(int_min(stages + stages / 8 + 1, family->most), family->least);
    if (stages == family->most) return 0;
    return family->next ? family->next(wanted) : wanted;
}

/* The number for steps of size h: as few as are stable, but the present one if that is at most a
 * third more. */
static int choose_stages(const struct method_family *family, double h, double radius, int present) {
    int stages = ecl_next_stages(family, 0);
    while (stages && family->real_limit(stages) < h * radius)
        stages = ecl_next_stages(family, stages);
    return stages && present >= stages && 3 * present <= 4 * stages + 3 ? present : stages;
}

/* Choose the rung with the fewest evaluations in a unit of time, of this one and some below it.
 * Steps a little smaller than a number of stages allows may be better than the next number of
 * stages. */
static int choose_rung(
    const struct method_family *family, int rung, double radius, int present, int more) {
    int best = rung;
    double least = (double)INFINITY;
    for (int k = rung; k >= int_max(rung - LOWER_RUNGS, LEAST_RUNG); k--) {
        const double h = ecl_rung(k);
        const int stages = choose_stages(family, h, radius, present);
        if (!stages || (stages + more) / h >= least) continue;
        least = (stages + more) / h;
        best = k;
    }
    return best;
}

int ecl_adaptive_change_method(struct run *run, const struct backend *table,
    const struct method_family *family, int stages, eulercl_error *error) {
    struct system *const s = &run->system;
    struct method *made = NULL, *const old = s->made;
    int status = ecl_method_create(family, stages, ecl_estimates_of(s), &made, error);
    if (status) return status;
    s->method = s->made = made;
    status = table->steps->change_method(run, error);
    if (status)
        s->method = s->made = old;
    else
        s->family = family;
    ecl_mem_free(status ? made : old);
    return status;
}

/* If the options leave the method open: after 8, 16, ... rounds see whether another one would take
 * less work now (choice->family, else NULL). Solutions often begin with a fast part. */
static int reconsider(struct adaptive *a, struct run *run, const struct backend *table, double t,
    struct choice *choice, eulercl_error *error) {
    static const double worth = 1.3; /* changing for it */
    struct system *const s = &run->system;
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    choice->family = NULL;
    if (run->options.method || a->rounds < a->next_choice) return EULERCL_OK;
    a->next_choice = a->rounds + int_min(int_max(a->rounds, FIRST_CHOICE), MOST_CHOICE);
    if (a->rounds == 0) return EULERCL_OK; /* the method was chosen for this state */
    /* The error of a step that was shortened to end at a given time says little. */
    const int is_whole = a->h_last > 0 && ecl_rung(ecl_rung_below(a->h_last)) == a->h_last;
    const struct last_steps last = {s->family, is_whole && !a->control.is_first ? a->h_last : 0,
        ecl_control_error(&a->control)};
    const int status = ecl_choose_method(s, &source, t, &last, choice, error);
    if (status || !(choice->gain > worth)) {
        choice->family = NULL;
        return status;
    }
    const int most = a->rung + ecl_control_rise(&a->control);
    a->rung = choice->rung - CAREFUL;
    if (a->control.is_wary) a->rung = (int)int_min(a->rung, most);
    a->same_steps = 0;
    a->radius_count = 0;
    a->radius = 0;
    return EULERCL_OK;
}

/* Waves that hardly decay: errors do not show in time that steps are too large for them, for they
 * grow slowly. Diffusion needs no such limit. */
static int limit_by_frequency(struct adaptive *a, struct run *run, const struct backend *table,
    const struct method *m, double t, eulercl_error *error) {
    static const double share = 0.95;
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    if (!(m->imaginary_limit > 0)) return EULERCL_OK;
    if (!a->radius_count ||
        (a->rung > a->most_rung && a->steps - a->radius_step >= FREQUENCY_STEPS)) {
        struct rates rates;
        const int status = ecl_find_rates(&run->system, &source, t, &rates, error);
        if (status) return status;
        a->most_rung = rates.frequency > 0
                           ? ecl_rung_below(share * m->imaginary_limit / rates.frequency)
                           : MOST_RUNG;
        a->radius_count++;
        a->radius_step = a->steps;
    }
    a->rung = (int)int_min(a->rung, a->most_rung);
    return EULERCL_OK;
}

/* Find the stages of a method of the family for steps of at most the size of the present rung,
 * which is lowered to what the method, or the most stages, allow. */
static int find_stages(struct adaptive *a, struct run *run, const struct backend *table,
    const struct method_family *family, const struct method *m, double t, int *stages,
    eulercl_error *error) {
    int status = EULERCL_OK;
    *stages = m->own_stages;
    if (family->least == family->most) return limit_by_frequency(a, run, table, m, t, error);
    const int may_change = !run->options.stages, present = m->own_stages;
    /* It does not matter where even a much larger one would be stable. */
    const int is_old = run->options.spectral_radius == 0 &&
                       a->steps - a->radius_step >= a->radius_steps &&
                       RADIUS_GROWTH * ecl_rung(a->rung) * a->radius > m->real_limit;
    if (a->radius == 0 || is_old) status = find_radius(a, run, table, t, error);
    if (status || a->radius == 0) return status;
    const double limit = may_change ? family->real_limit(family->most) : m->real_limit;
    a->rung = (int)int_min(a->rung, ecl_rung_below(limit / a->radius));
    if (!may_change) return EULERCL_OK;
    /* A first step size that the user gives is kept. */
    if (!(run->options.h0 > 0) || a->h_last > 0)
        a->rung = choose_rung(family, a->rung, a->radius, present, m->stages - present);
    *stages = choose_stages(family, ecl_rung(a->rung), a->radius, present);
    return EULERCL_OK;
}

static int settle_stages(struct adaptive *a, struct run *run, const struct backend *table, double t,
    eulercl_error *error) {
    struct system *const s = &run->system;
    int stages;
    const int status = find_stages(a, run, table, s->family, s->method, t, &stages, error);
    if (status || stages == s->method->own_stages) return status;
    return ecl_adaptive_change_method(run, table, s->family, stages, error);
}

/* Change to another method, with the stages that its first steps take: with other ones a device may
 * need another program. */
static int settle_method(struct adaptive *a, struct run *run, const struct backend *table, double t,
    const struct choice *choice, eulercl_error *error) {
    struct method *usual = NULL;
    int stages;
    int status =
        ecl_method_create(choice->family, 0, ecl_estimates_of(&run->system), &usual, error);
    if (status) return status;
    status = find_stages(a, run, table, choice->family, usual, t, &stages, error);
    ecl_mem_free(usual);
    if (!status) status = ecl_adaptive_change_method(run, table, choice->family, stages, error);
    if (status) return status;
    memcpy(run->system.why_method, choice->reason, sizeof choice->reason);
    a->control = ecl_begin_control(run, a->control.controller);
    a->changes++;
    return EULERCL_OK;
}

/* ---- a round ---- */

/* Remember the state, unless it outlives the steps and nobody asks for states within them. */
static int keep(struct adaptive *a, struct run *run, const struct backend *table,
    const struct batch *batch, int *is_copied, eulercl_error *error) {
    const double end = batch->t_base + (double)batch->steps * batch->h;
    *is_copied = !table->rounds || !table->rounds->outlives(run, batch) || end >= a->watch;
    a->last.steps = 0;
    int status = EULERCL_OK;
    if (*is_copied && !a->copy) status = table->copies->create(run, 0, &a->copy, error);
    if (*is_copied && !status) status = table->copies->take(run, a->copy, error);
    return status;
}

static int restore(struct adaptive *a, struct run *run, const struct backend *table, int is_copied,
    eulercl_error *error) {
    if (is_copied) return table->copies->restore(run, a->copy, error);
    table->rounds->undo(run);
    return EULERCL_OK;
}

/* The steps of the shortest round. */
static int64_t unit_steps(const struct run *run) {
    return ODE_FLUSH_STEPS_(run->system.method->stages);
}

/* The number of shortest rounds that a batch is as long as. */
static int64_t rounds_of(const struct run *run, const struct batch *batch) {
    return int_max(batch->steps / unit_steps(run), 1);
}

/* A round was too long for unknowns that were 0 until then. Find what they become in as many steps
 * over a shorter time, in which nothing else changes by much, as far as is known. That time is
 * shorter than f takes to change, by the order of the errors that were accepted, and so short that
 * no mode grows by more than a factor e. The round itself says nothing, for its steps may not be
 * stable. */
static int meet_unknowns(struct adaptive *a, struct run *run, const struct backend *table,
    const struct batch *round, double t_end, double *seconds, int *is_met, eulercl_error *error) {
    static const int careful = 2 * RUNGS; /* a quarter */
    const struct system *const s = &run->system;
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    const int32_t worst = run->report.worst_error;
    struct batch batch = *round;
    double radius, now = 0;
    int is_copied;
    int status = ecl_spectral_radius(s, &source, batch.t_base, &radius, error);
    if (status) return status;
    batch.steps = int_min(batch.steps, unit_steps(run));
    const int rung =
        ecl_rung_below(batch.h) - ecl_rung_below(s->tolerance.rtol) / a->control.order - careful;
    double span = fmin(fmax((double)batch.steps * batch.h, ecl_rung(rung)), t_end - batch.t_base);
    if (radius > 0) span = fmin(span, 1 / ecl_radius_bound(radius));
    batch.h = span / (double)batch.steps;
    status = keep(a, run, table, &batch, &is_copied, error);
    if (!status) status = table->steps->step(run, &batch, &now, error);
    if (!status) status = ecl_close_atols(run, table, is_met, error);
    if (!status) status = restore(a, run, table, is_copied, error);
    *seconds += now;
    a->evaluations += (uint64_t)batch.steps * (uint64_t)s->method->evaluations;
    a->rejected += batch.steps;
    run->report.worst_error = worst;
    return status;
}

/* Begin from a state that was not made by these steps, or from a breakpoint. */
static int begin_run(struct adaptive *a, struct run *run, const struct backend *table, double t,
    double span, eulercl_error *error) {
    const double h0 = run->options.h0;
    const int is_new = !a->is_begun;
    a->control = ecl_begin_control(run, a->control.controller);
    a->same_steps = 0;
    a->h_last = 0;
    a->radius_count = 0;
    a->radius = 0;
    int status = is_new ? ecl_begin_tolerance(run, table, error) : EULERCL_OK;
    if (status) return status;
    if (!is_new) a->next_choice = a->rounds + FIRST_CHOICE;
    if (h0 > 0) {
        a->rung = ecl_rung_below(h0);
        a->control.is_first = 0;
        a->control.last_rung = a->rung;
    } else
        status = guess_rung(a, run, table, t, span, &a->rung, error);
    a->is_begun = !status;
    a->begun_t = t;
    return status;
}

/* Prepare a round from t on. */
static int begin(struct adaptive *a, struct run *run, const struct backend *table, double t,
    double span, eulercl_error *error) {
    const double start = ecl_now();
    struct choice choice;
    int status = EULERCL_OK;
    if (!a->is_begun || (a->begun_t != t && ecl_is_breakpoint(a->breakpoints, t)))
        status = begin_run(a, run, table, t, span, error);
    if (!status) status = reconsider(a, run, table, t, &choice, error);
    if (!status && run->options.h_max > 0)
        a->rung = (int)int_min(a->rung, ecl_rung_below(run->options.h_max));
    if (!status)
        status = choice.family ? settle_method(a, run, table, t, &choice, error)
                               : settle_stages(a, run, table, t, error);
    a->seconds += ecl_now() - start;
    if (a->rung != a->last_rung) a->same_steps = 0;
    a->last_rung = a->rung;
    return status;
}

/* The steps of a round after same_steps of the same size: a part of these, so that a size that
 * should rise does not wait for long, or those that are left. is_last: they end at t_end. */
static struct batch plan_round(const struct adaptive *a, const struct run *run, int64_t same_steps,
    int64_t most, double t, double t_end, int *is_last) {
    const double h = ecl_rung(a->rung), rest = t_end - t, left = rest / h;
    const int64_t unit = unit_steps(run),
                  stages = int_min(LONGEST_ROUND, MOST_WORK / run->system.n),
                  longest = stages / run->system.method->stages,
                  long_steps = int_min(same_steps / SAME_STEPS, longest),
                  full = int_min(int_max(long_steps / unit, 1) * unit, most);
    struct batch batch = {.t_base = t,
        .h = h,
        .steps = full,
        .range = ecl_time_range(a->breakpoints, t, run->system.real_size)};
    *is_last = left <= (double)full;
    if (!*is_last) return batch;
    const int64_t all = (int64_t)ceil(left);
    batch.steps = int_max(all, 1);
    batch.h = rest / (double)batch.steps;
    return batch;
}

/* The round that follows if the step size stays, as it mostly does after it has stayed. */
static struct batch guess_next(const struct adaptive *a, const struct run *run,
    const struct batch *batch, int64_t most, double t_end) {
    int is_last;
    if (!a->same_steps || most <= batch->steps) return (struct batch){.steps = 0};
    return plan_round(a, run, a->same_steps + batch->steps, most - batch->steps,
        batch->t_base + (double)batch->steps * batch->h, t_end, &is_last);
}

static void note(
    struct adaptive *a, const struct batch *batch, const struct run *run, int is_last) {
    const double unit = run->system.real_size == sizeof(float) ? 0x1p-23 : 0x1p-20;
    if (!a->steps) a->h_first = a->h_least = batch->h;
    if (!is_last || !a->steps) a->h_least = fmin(a->h_least, batch->h);
    a->h_greatest = fmax(a->h_greatest, batch->h);
    a->h_last = batch->h;
    a->error = exp2(run->report.worst_error * unit);
    a->steps += batch->steps;
}

/* Whether atols may grow after this round: after 1, 2, 4, ... rounds. */
static int is_time_to_raise(
    const struct adaptive *a, const struct run *run, const struct batch *batch) {
    const int64_t before = a->rounds, after = before + rounds_of(run, batch);
    return (after ^ before) > before; /* another highest bit */
}

static int too_small(double h, double t, const struct run *run, eulercl_error *error) {
    return ecl_fail(error, EULERCL_STEP_SIZE,
        "the step size for the tolerance becomes too small, %.3g at t = %.9g: %s", h, t,
        run->report.worst_error == INT32_MAX
            ? "the solution may become infinite there"
            : "the tolerance may be below the rounding errors, or the "
              "solution not smooth there");
}

/* A jump in time that is found before steps are made becomes a breakpoint. *looked: the time until
 * which that was tried with this state. */
static int look_ahead(struct adaptive *a, struct run *run, const struct backend *table,
    const struct batch *batch, double *looked, double *end, eulercl_error *error) {
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    const double until = batch->t_base + (double)batch->steps * batch->h, start = ecl_now();
    double jump;
    if (!a->control.is_wary || until <= *looked) return EULERCL_OK;
    *looked = until;
    int status = ecl_find_jump(&run->system, &source, batch, &jump, error);
    if (!status && jump < *end) status = ecl_add_breakpoint(a->breakpoints, jump, error);
    if (!status) *end = fmin(*end, jump);
    a->seconds += ecl_now() - start;
    return status;
}

int ecl_adaptive_round(struct adaptive *a, struct run *run, const struct backend *table,
    double t_end, double *t, double *seconds, int64_t *steps, eulercl_error *error) {
    const double least = 0x1p-50 * fmax(fabs(*t), isfinite(t_end) ? fabs(t_end) : 0);
    double end = fmin(t_end, ecl_next_breakpoint(a->breakpoints, *t)), looked = *t;
    for (;;) {
        int is_copied, is_last, is_accepted;
        double now = 0;
        a->is_resumed = 0;
        int status = begin(a, run, table, *t, end - *t, error);
        if (status) return status;
        const int64_t made = a->steps + a->rejected, max_steps = run->options.max_steps,
                      allowed = max_steps > made ? max_steps - made : INT64_MAX;
        struct batch batch = plan_round(a, run, a->same_steps, allowed, *t, end, &is_last);
        status = look_ahead(a, run, table, &batch, &looked, &end, error);
        if (status) return status;
        batch = plan_round(a, run, a->same_steps, allowed, *t, end, &is_last);
        if (max_steps && made + batch.steps > max_steps)
            return ecl_fail(error, EULERCL_STEP_COUNT,
                "more than %lld steps: t = %.9g is reached, and the step size is %.3g",
                (long long)max_steps, *t, batch.h);
        if (batch.h < least && !is_last) return too_small(batch.h, *t, run, error);
        status = keep(a, run, table, &batch, &is_copied, error);
        const int may_raise = is_time_to_raise(a, run, &batch);
        if (!is_last && !(may_raise && ecl_atols_grow(&run->system.tolerance)))
            run->orders.ahead = guess_next(a, run, &batch, allowed, end);
        if (!status) status = table->steps->step(run, &batch, &now, error);
        run->orders.ahead.steps = 0;
        if (status) return status;
        *seconds += now;
        a->evaluations += (uint64_t)batch.steps * (uint64_t)run->system.method->evaluations;
        int is_met = 0, is_back = 0;
        if (!ecl_is_accurate(run->report.worst_error) &&
            ecl_has_open_atols(&run->system.tolerance)) {
            status = restore(a, run, table, is_copied, error);
            if (!status)
                status = meet_unknowns(a, run, table, &batch, end, seconds, &is_met, error);
            if (status) return status;
            is_back = 1;
        }
        if (is_met) {
            a->rejected += batch.steps;
            continue;
        }
        const int rung = ecl_rung_below(batch.h),
                  change = ecl_control(&a->control, run->report.worst_error, run->system.real_size,
                      rung, &is_accepted);
        /* Shorter steps to a given time say little of longer ones. */
        if (change < 0 || batch.h == ecl_rung(a->rung))
            a->rung = (int)int_min(int_max(rung + change, LEAST_RUNG), MOST_RUNG);
        if (is_accepted) {
            note(a, &batch, run, is_last);
            a->same_steps += batch.steps;
            a->last_rounds = rounds_of(run, &batch);
            a->rounds += a->last_rounds;
            if (may_raise || is_last) status = ecl_look_at_unknowns(run, table, may_raise, error);
            *t = is_last ? end : *t + (double)batch.steps * batch.h;
            a->is_at_breakpoint = ecl_is_breakpoint(a->breakpoints, *t);
            if (is_copied) a->last = batch;
            a->after_t = *t;
            *steps = batch.steps;
            return status;
        }
        a->rejected += batch.steps;
        a->radius_step = INT64_MIN / 2; /* it may have grown */
        if (!is_back && (status = restore(a, run, table, is_copied, error))) return status;
        if (batch.h < least || rung == LEAST_RUNG) return too_small(batch.h, *t, run, error);
    }
}

/* ---- states within a round ---- */

/* The accuracy of a step does not depend on its end being looked at: a shorter step from the same
 * state has a smaller error, of the method's order. The state before it is kept in place of that
 * before the round, so that many states of a round together cost no more than the round. */
int ecl_adaptive_enter(struct adaptive *a, struct run *run, const struct backend *table, double t,
    double *seconds, eulercl_error *error) {
    struct batch *const last = &a->last;
    const int64_t whole = (int64_t)((t - last->t_base) / last->h),
                  more = int_min(int_max(whole - last->first_step, 0), last->steps - 1);
    struct batch steps = *last;
    steps.steps = more;
    double now = 0;
    int status = a->after ? EULERCL_OK : table->copies->create(run, 0, &a->after, error);
    if (!status && !a->is_within) status = table->copies->take(run, a->after, error);
    if (status) return status;
    a->is_within = 1; /* also if the rest fails: leaving it is all that helps then */
    status = table->copies->restore(run, a->copy, error);
    if (!status && more) {
        status = table->steps->step(run, &steps, &now, error);
        if (!status) status = table->copies->take(run, a->copy, error);
        if (status) return status;
        *seconds += now;
        last->first_step += more;
        last->steps -= more;
    }
    const double begin = last->t_base + (double)last->first_step * last->h;
    const struct batch shorter = {
        .t_base = begin, .h = t - begin, .steps = 1, .range = last->range};
    if (!status && t > begin) {
        status = table->steps->step(run, &shorter, &now, error);
        *seconds += now;
    }
    a->evaluations += (uint64_t)(more + (t > begin)) * (uint64_t)run->system.method->evaluations;
    return status;
}

int ecl_adaptive_leave(struct adaptive *a, struct run *run, const struct backend *table, double *t,
    eulercl_error *error) {
    if (!a->is_within) return EULERCL_OK;
    const int status = table->copies->restore(run, a->after, error);
    if (status) return status;
    a->is_within = 0;
    *t = a->after_t;
    return EULERCL_OK;
}

/* ---- steady states ---- */

int ecl_adaptive_is_steady(struct adaptive *a, struct run *run, const struct backend *table,
    double t, int *is_steady, eulercl_error *error) {
    struct reader reader = {run, table};
    const struct state_source source = source_of(&reader);
    *is_steady = 0;
    if (!(run->options.steady > 0) || a->rounds % STEADY_ROUNDS >= a->last_rounds)
        return EULERCL_OK;
    const double start = ecl_now();
    double derivative;
    const int status = ecl_find_derivative(
        &run->system, &source, t, run->options.steady, &a->worst, &derivative, error);
    a->seconds += ecl_now() - start;
    *is_steady = !status && derivative <= run->options.steady;
    if (*is_steady) a->derivative = derivative;
    return status;
}
