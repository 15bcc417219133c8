/* SPDX-License-Identifier: BSD-2-Clause */
/* measure.c - see plan.h: times the most promising proposals of a plan with the system itself. */
#include "config.h"
#include "plan.h"
#include "wisdom.h"
#include "../mem.h"
#include "../problem/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_MEASURED = 12,
    RUNS = 3, /* of which the best counts */
    SAMPLE =
        1 << 16, /* components of the initial state that a measurement repeats over the whole */
};
static const double worth_measuring = 4; /* times the best estimate */
static const double
    run_seconds = 0.02,
    all_seconds =
        6; /* of a run, at least; with the builds, after which no other candidate is begun */

/* A part of the initial state, again and again: where values do not matter but should be likely
 * ones. */
struct sample {
    void *reals;
    int64_t count;
};

static int make_sample(const eulercl_problem *problem, const struct run *run, struct sample *sample,
    eulercl_error *error) {
    sample->count = run->system.n < SAMPLE ? run->system.n : SAMPLE;
    sample->reals = ecl_mem_zeroed((uint64_t)sample->count, run->system.real_size);
    if (!sample->reals) return ecl_no_memory(error, "a part of the state");
    if (ecl_has_initial(problem))
        eulercl_problem_initial(
            problem, run->options.precision, 0, sample->count, sample->reals, NULL);
    return EULERCL_OK;
}

/* A run that is timed, on the system of another one. */
struct trial {
    const struct backend *table;
    struct run run;
    int64_t steps; /* that it has made */
};

static int create_trial(
    struct trial *trial, const struct run *run, const struct proposal *p, eulercl_error *error) {
    size_t backend;
    *trial = (struct trial){.run = {.system = run->system, .options = p->options}};
    trial->run.options.check_finite = trial->run.options.device_events = 0;
    const int status = ecl_find_configuration(&trial->run, p->options.backend, &backend, error);
    if (status) return status;
    trial->table = ecl_backends[backend].table;
    return trial->table->create(&trial->run, error);
}

static int load_sample(struct trial *trial, const struct sample *sample, eulercl_error *error) {
    const int64_t n = trial->run.system.n;
    int status = EULERCL_OK;
    for (int64_t first = 0; !status && first < n; first += sample->count)
        status = trial->table->state->write(&trial->run, first,
            n - first < sample->count ? n - first : sample->count, sample->reals, error);
    return status;
}

static int time_steps(struct trial *trial, int64_t steps, double *seconds, eulercl_error *error) {
    const eulercl_options *o = &trial->run.options;
    const struct batch batch = {
        .first_step = trial->steps, .steps = steps, .t_base = o->t0, .h = o->h};
    trial->steps += steps;
    return trial->table->steps->step(&trial->run, &batch, seconds, error);
}

/* Warm up with more and more steps until a run is long enough; then the best of a few runs. */
static int time_proposal(
    const struct run *run, const struct sample *sample, struct proposal *p, eulercl_error *error) {
    struct trial trial;
    double seconds = 0, best = INFINITY;
    int64_t steps = 1;
    const double start = ecl_now();
    int status = create_trial(&trial, run, p, error);
    if (status) return status;
    if (p->build_seconds > 0) /* the CPU's backends have none */
        p->build_seconds = ecl_now() - start;
    status = load_sample(&trial, sample, error);
    while (
        !status && !(status = time_steps(&trial, steps, &seconds, error)) && seconds < run_seconds)
        steps =
            (int64_t)((double)steps * fmin(fmax(1.2 * run_seconds / fmax(seconds, 1e-9), 2), 16));
    for (int i = 0; !status && i < RUNS; i++) {
        status = time_steps(&trial, steps, &seconds, error);
        best = fmin(best, seconds);
    }
    trial.table->destroy(&trial.run);
    if (!status) p->step_seconds = best / (double)steps;
    return status;
}

/* Choose what to measure: the best proposal of each backend, then the best of the others, all
 * within a factor of the best estimate. */
static int choose_candidates(const struct plan *plan, int candidates[MOST_MEASURED]) {
    int count = 0;
    double best = INFINITY;
    for (int i = 0; i < plan->count; i++) best = fmin(best, plan->proposals[i].step_seconds);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < plan->count && count < MOST_MEASURED; i++) {
            int first = 1, taken = 0;
            for (int j = 0; j < i; j++)
                first &= strcmp(plan->proposals[j].options.backend,
                             plan->proposals[i].options.backend) != 0;
            for (int j = 0; j < count; j++) taken |= candidates[j] == i;
            if (!taken && (pass || first) &&
                plan->proposals[i].step_seconds <= worth_measuring * best)
                candidates[count++] = i;
        }
    return count;
}

static int tell(eulercl_tune_observer *observer, void *user, const struct proposal *p,
    double predicted, double measured, int is_chosen, const char *note) {
    char tuning[TUNING_TEXT];
    if (!observer) return 0;
    eulercl_options rest = p->options;
    TUNE_NAME(&rest, variant, NULL);
    ecl_tuning_write(&rest, tuning);
    const char *const variant = TUNED_NAME(&p->options, variant);
    const eulercl_candidate candidate = {.struct_size = sizeof candidate,
        .backend = p->options.backend,
        .variant = variant ? variant : "",
        .tuning = strcmp(tuning, "-") ? tuning : "",
        .predicted_seconds = predicted,
        .measured_seconds = measured,
        .build_seconds = measured > 0 ? p->build_seconds : 0,
        .is_chosen = is_chosen,
        .note = note};
    return observer(&candidate, user);
}

/* -> why not, or "". */
static const char *remember(const struct run *run, const struct plan *plan, eulercl_error *why) {
    char key[WISDOM_KEY];
    if (!ecl_is_automatic(&run->options))
        return "not stored: wisdom is only for the choice among backends";
    ecl_wisdom_key(run, &plan->device, plan->backends, key);
    return ecl_wisdom_remember(run->options.wisdom, key, &plan->proposals[0], why) ? why->message
                                                                                   : "";
}

/* The measured ones, fastest first, in front of the others. */
static void reorder(struct plan *plan, const struct proposal *measured, int count,
    const int is_measured[MOST_PROPOSALS]) {
    struct proposal *to = plan->proposals + plan->count;
    for (int i = plan->count; i-- > 0;)
        if (!is_measured[i]) *--to = plan->proposals[i];
    memcpy(plan->proposals, measured, (size_t)count * sizeof *measured);
    plan->measured = count;
}

static int measure(const struct run *run, struct plan *plan, const struct sample *sample,
    eulercl_tune_observer *observer, void *user, eulercl_error *error) {
    int candidates[MOST_MEASURED], is_measured[MOST_PROPOSALS] = {0}, measured = 0;
    struct proposal results[MOST_MEASURED];
    const int count = choose_candidates(plan, candidates);
    const double start = ecl_now();
    double predicted = 0;
    eulercl_error why = {0};
    for (int i = 0; i < count && (!i || ecl_now() - start < all_seconds); i++) {
        struct proposal p = plan->proposals[candidates[i]];
        const double expected = p.step_seconds;
        const int status = time_proposal(run, sample, &p, &why);
        if (tell(observer, user, &p, expected, status ? 0 : p.step_seconds, 0,
                status ? why.message : ""))
            return ecl_fail(error, EULERCL_CANCELLED, "stopped while measuring");
        if (status) continue;
        is_measured[candidates[i]] = 1;
        if (!measured || p.step_seconds < results[0].step_seconds) predicted = expected;
        measured = ecl_insert_proposal(results, measured, MOST_MEASURED, &p, 0);
    }
    if (!measured) return ecl_fail_as(error, &why);
    reorder(plan, results, measured, is_measured);
    plan->how = "measured";
    const char *note = remember(run, plan, &why);
    if (*note && (!run->options.wisdom || *run->options.wisdom))
        snprintf(plan->note, sizeof plan->note, "%s", note);
    tell(observer, user, &plan->proposals[0], predicted, plan->proposals[0].step_seconds, 1, note);
    return EULERCL_OK;
}

int ecl_plan_measure(const eulercl_problem *problem, const struct run *run, struct plan *plan,
    eulercl_tune_observer *observer, void *user, eulercl_error *error) {
    struct sample sample = {0};
    int status = make_sample(problem, run, &sample, error);
    if (!status) status = measure(run, plan, &sample, observer, user, error);
    ecl_mem_free(sample.reals);
    return status;
}
