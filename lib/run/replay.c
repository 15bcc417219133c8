/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.c - see replay.h. */
#include "config.h"
#include "replay.h"
#include "../problem/system.h"
#include "../mem.h"
#include "../tolerance/spectrum.h"
#include <math.h>
#include <stdio.h>

enum {
    LEAST_SPACING = 1 << 11,
    MOST_SPACING = 1 << 16,   /* at the beginning of a run */
    SHARES = 64,              /* later the spacing is at least this share of the run so far */
    LEAST_DISTANCE = 100,     /* steps between two copies if a program changes the state often */
    ESTIMATE_READS = 1 << 22, /* components, in an estimate, which makes some hundred evaluations of
                                 the right-hand side */
};
static const double spacing_component_steps = 0x1p36;

int64_t ecl_replay_spacing(const struct run *run, int64_t done) {
    int64_t spacing = (int64_t)fmin(
        fmax(spacing_component_steps / (double)run->system.n, LEAST_SPACING), MOST_SPACING);
    while (spacing < done / SHARES) spacing *= 2;
    return spacing;
}

int ecl_replay_leads_to(const struct replay *r, const struct batch *here) {
    return r->is_valid && r->from.t_base == here->t_base && r->from.h == here->h &&
           r->from.first_step <= here->first_step;
}

static int is_due(const struct replay *r, const struct run *run, const struct batch *here,
    int64_t next, int64_t taken) {
    if (r->is_refused) return 0;
    /* A single step needs no search, and some programs only make single steps. */
    if (!ecl_replay_leads_to(r, here))
        return next > 1 && (!r->copy || taken < r->taken || taken - r->taken >= LEAST_DISTANCE);
    const int64_t spacing = ecl_replay_spacing(run, here->first_step);
    return here->first_step / spacing > r->from.first_step / spacing;
}

/* Of several processes each copies what it computes. */
static uint64_t copy_bytes(const struct run *run, const struct backend *table) {
    int64_t begin, end;
    ecl_own_components(run, table, &begin, &end);
    return (uint64_t)(end - begin) * run->system.real_size;
}

int ecl_replay_keep(struct replay *r, struct run *run, const struct backend *table,
    const struct batch *here, int64_t next, int64_t taken, eulercl_error *error) {
    if (!is_due(r, run, here, next, taken)) return EULERCL_OK;
    r->is_valid = 0;
    if (!r->copy) {
        /* Half of the memory stays free for other programs, which need it more than this copy. Of
         * several processes none keeps one if one has too little. */
        r->is_refused = (double)run->report.device_bytes + (double)copy_bytes(run, table) >
                        run->report.memory_bytes / 2;
        const int failed =
            table->processes ? table->processes->agree(run, &r->is_refused, error) : EULERCL_OK;
        if (failed) return failed;
        if (r->is_refused) {
            snprintf(r->why, sizeof r->why,
                "no copy of the state is kept to find the first infinite one: more than half of "
                "the memory would be used");
            return EULERCL_OK;
        }
        eulercl_error why;
        const int status = table->copies->create(run, 0, &r->copy, &why);
        r->is_refused = status == EULERCL_MEMORY;
        if (r->is_refused)
            snprintf(r->why, sizeof r->why,
                "no copy of the state is kept to find the first infinite one: %.100s", why.message);
        else if (status && error)
            *error = why;
        if (status) return r->is_refused ? EULERCL_OK : status;
        run->report.device_bytes += copy_bytes(run, table);
    }
    const int status = table->copies->take(run, r->copy, error);
    if (status) return status;
    r->is_valid = 1;
    r->taken = taken;
    r->from = *here;
    r->from.steps = 0;
    return EULERCL_OK;
}

/* From step `done` after the copy to step `until`. */
static int make_steps(const struct replay *r, struct run *run, const struct backend *table,
    int64_t done, int64_t until, eulercl_error *error) {
    struct batch batch = r->from;
    batch.first_step += done;
    batch.steps = until - done;
    double seconds;
    return table->steps->step(run, &batch, &seconds, error);
}

int ecl_replay_find(struct replay *r, struct run *run, const struct backend *table, int64_t good,
    int64_t bad, int64_t *first, int64_t *component, eulercl_error *error) {
    const struct copy_table *copies = table->copies;
    int status = copies->restore(run, r->copy, error);
    if (!status && good > 0) status = make_steps(r, run, table, 0, good, error);
    if (!status && good > 0) status = copies->take(run, r->copy, error);
    r->is_valid = 0;
    /* The state and the copy are those after `good` steps. */
    while (!status && bad - good > 1) {
        const int64_t middle = good + (bad - good) / 2;
        status = make_steps(r, run, table, good, middle, error);
        if (!status) status = table->state->find_nonfinite(run, component, error);
        if (status) return status;
        if (*component < 0)
            good = middle;
        else
            bad = middle;
        status = *component < 0 ? copies->take(run, r->copy, error)
                                : copies->restore(run, r->copy, error);
    }
    if (!status) status = make_steps(r, run, table, good, good + 1, error);
    *first = good + 1;
    return status ? status : table->state->find_nonfinite(run, component, error);
}

int ecl_replay_stability(struct replay *r, struct run *run, const struct backend *table,
    eulercl_stability *stability, eulercl_error *error) {
    const struct system *s = &run->system;
    const double n = (double)s->n,
                 reads = ecl_has_stencil(s) ? 4 : fmin(2 * (double)s->access_distance + 1, n);
    if (n * reads > ESTIMATE_READS)
        return ecl_fail(
            error, EULERCL_UNSUPPORTED, "the system is too large for an estimate during the run");
    void *y = ecl_mem_zeroed((uint64_t)s->n, s->real_size);
    if (!y) return ecl_no_memory(error, "the state");
    int status = table->copies->restore(run, r->copy, error);
    if (!status) status = table->state->read(run, 0, s->n, y, error);
    if (!status)
        status = ecl_spectrum(s, ecl_level_time(s->method, &r->from, 0), y, stability, error);
    ecl_mem_free(y);
    return status;
}

int ecl_replay_drop(struct replay *r, struct run *run, const struct backend *table) {
    if (!r->copy) return 0;
    table->copies->destroy(r->copy);
    run->report.device_bytes -= copy_bytes(run, table);
    *r = (struct replay){.is_refused = 1};
    return 1;
}
