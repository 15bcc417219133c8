/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/jobs.c - see windows.h: steps of all parts at once, and the exchanges of rows between
 * them. */
#include "config.h"
#include "windows.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include <string.h>

static int has_before(const struct part *p) { return p->begin > p->first; }
static int has_after(const struct part *p) { return p->rows > p->end - p->first; }

/* The rows that the first and the last part here exchange with other processes. */
static int exchange_remotely(struct windows *w, int64_t number, eulercl_error *error) {
    const struct transport *const t = w->transport;
    struct part *const first = &w->parts[w->here], *const last = first + w->here_count - 1,
                       *const before = &w->parts[part_before(w, w->here)],
                       *const after = &w->parts[part_after(w, w->here + w->here_count - 1)];
    const uint64_t all = windows_edge_bytes(w), to_before = w->blocks[before->rank] ? 0 : all,
                   to_after = w->blocks[after->rank] ? 0 : all;
    struct message messages[4];
    int count = 0;
    if (has_before(first) && !part_is_here(w, before)) {
        messages[count++] =
            (struct message){1, 1, before->rank, first->edges[number % 2][0].memory, to_before};
        messages[count++] =
            (struct message){0, 0, before->rank, before->edges[number % 2][1].memory, to_before};
    }
    if (has_after(last) && !part_is_here(w, after)) {
        messages[count++] =
            (struct message){1, 0, after->rank, last->edges[number % 2][1].memory, to_after};
        messages[count++] =
            (struct message){0, 1, after->rank, after->edges[number % 2][0].memory, to_after};
    }
    return count ? t->exchange(t->user, messages, count, error) : EULERCL_OK;
}

/* A part's flag, or that of the parts of other processes. */
static struct flag *flag_of(const struct windows *w, int64_t index) {
    return &w->flags[part_is_here(w, &w->parts[index]) ? index - w->here : w->here_count];
}

/* Compare ghosts from row `row` on with the rows that the neighbour has sent: both have computed
 * them. */
static int compare(
    const struct windows *w, struct part *p, int64_t row, const char *sent, eulercl_error *error) {
    const size_t size = p->run.system.real_size;
    const int64_t count = w->verified * w->row;
    char *const ghosts = ecl_mem_zeroed((uint64_t)count, size);
    if (!ghosts) return ecl_no_memory(error, "ghosts to compare");
    int status = part_get(p, row * w->row, count, ghosts, error);
    for (int64_t i = 0; !status && i < count; i++)
        if (memcmp(ghosts + (size_t)i * size, sent + (size_t)i * size, size))
            status = ecl_fail(error, EULERCL_INTERNAL,
                "component %lld is %.17g on device %s, but %.17g on its neighbour: the devices "
                "differ in their bits",
                (long long)((p->first + row + w->rows) % w->rows * w->row + i),
                real_get(ghosts, i, size), p->device, real_get(sent, i, size));
    ecl_mem_free(ghosts);
    return status;
}

/* The ghosts next to the own rows, which are the last ones to be spoiled. `before`, `after`: the
 * rows that the neighbours have sent. */
static void verify(const struct windows *w, struct part *p, const char *before, const char *after) {
    const size_t row_bytes = (size_t)w->row * p->run.system.real_size;
    if (!p->status && has_before(p))
        p->status = compare(w, p, w->halo - w->verified,
            before + (size_t)(w->halo - w->verified) * row_bytes, &p->error);
    if (!p->status && has_after(p)) p->status = compare(w, p, p->end - p->first, after, &p->error);
}

/* Send the own rows that are ghosts of the neighbours, and take the own ghosts. Both neighbours may
 * be the same part, and this one itself. A neighbour takes the rows of exchange k before it
 * publishes those of k + 1, so those of k + 2 may stand in their place. The messages are sent by
 * the caller's thread, which is that of the first part. */
static void exchange(struct windows *w, struct part *p, int64_t number) {
    const int64_t index = p - w->parts, reals = w->halo * w->row, before = part_before(w, index),
                  after = part_after(w, index);
    struct pinned *const edges = p->edges[number % 2];
    const double start = ecl_now();
    if (!p->status && has_before(p))
        p->status = part_get(p, (p->begin - p->first) * w->row, reals, edges[0].memory, &p->error);
    if (!p->status && has_after(p))
        p->status =
            part_get(p, (p->end - p->first - w->halo) * w->row, reals, edges[1].memory, &p->error);
    ecl_flag_publish(flag_of(w, index), number);
    const double ready = ecl_now();
    if (w->transport && index == w->here) {
        ecl_flag_wait(flag_of(w, w->here + w->here_count - 1), number);
        const int status = exchange_remotely(w, number, p->status ? NULL : &p->error);
        if (!p->status) p->status = status;
        ecl_flag_publish(&w->flags[w->here_count], number);
    }
    ecl_flag_wait(flag_of(w, before), number);
    ecl_flag_wait(flag_of(w, after), number);
    const double arrived = ecl_now();
    if (w->verified)
        verify(w, p, w->parts[before].edges[number % 2][1].memory,
            w->parts[after].edges[number % 2][0].memory);
    if (!p->status && has_before(p))
        p->status = part_put(p, 0, reals, w->parts[before].edges[number % 2][1].memory, &p->error);
    if (!p->status && has_after(p))
        p->status = part_put(p, (p->end - p->first) * w->row, reals,
            w->parts[after].edges[number % 2][0].memory, &p->error);
    p->wait_seconds += arrived - ready;
    p->copy_seconds += ecl_now() - arrived + ready - start;
}

/* What neighbours wait for after the next step, if an exchange follows it: so the rows are on their
 * way while the middle of the share is computed. */
static struct early early_of(const struct windows *w, const struct part *p) {
    enum { FEWEST_EDGES = 3 }; /* a share of so many halos */
    const int is_wanted = part_table(p)->early && !w->verified && !p->run.system.method->estimate &&
                          !p->run.options.device_events &&
                          p->end - p->begin >= FEWEST_EDGES * w->halo;
    return (struct early){
        .begin = p->begin - p->first, .end = p->end - p->first, .rows = is_wanted ? w->halo : 0};
}

/* A part that has failed goes on taking part in exchanges, for which others wait. */
static void work(void *user, int64_t index) {
    struct windows *const w = user;
    struct part *const p = &w->parts[w->here + index];
    int64_t valid = w->valid, exchanges = 0;
    if (w->is_refreshed && valid < w->interval) exchange(w, p, ++exchanges);
    for (int64_t done = 0; done < w->batch.steps;) {
        struct batch batch = w->batch;
        double seconds;
        if (!valid) {
            exchange(w, p, ++exchanges);
            valid = w->interval;
        }
        batch.first_step += done;
        batch.steps = int_min(valid, w->batch.steps - done);
        const int is_followed = batch.steps == valid && done + valid < w->batch.steps;
        p->run.orders.early = is_followed ? early_of(w, p) : (struct early){0};
        const double start = ecl_now();
        if (!p->status)
            p->status = part_table(p)->steps->step(&p->run, &batch, &seconds, &p->error);
        p->compute_seconds += ecl_now() - start;
        if (p->run.report.worst_error > p->worst_error) p->worst_error = p->run.report.worst_error;
        if (w->halo) valid -= batch.steps;
        done += batch.steps;
    }
}

/* What `work` leaves in w->valid, and how many exchanges it makes. */
static void account(struct windows *w) {
    const int64_t steps = w->batch.steps;
    int64_t exchanges = 0;
    if (!w->halo) return;
    if (w->is_refreshed && w->valid < w->interval) {
        exchanges++;
        w->valid = w->interval;
    }
    if (steps > w->valid) {
        const int64_t more = int_ceil(steps - w->valid, w->interval);
        exchanges += more;
        w->valid += more * w->interval;
    }
    w->valid -= steps;
    w->exchanges += (uint64_t)exchanges;
    for (int64_t i = 0; i < w->count; i++) {
        const struct part *const p = &w->parts[i];
        w->sent += (uint64_t)(exchanges * (p->rows - (p->end - p->begin)) * w->row) *
                   w->parts[w->here].run.system.real_size;
    }
}

int ecl_windows_run_job(struct windows *w, eulercl_error *error) {
    for (int64_t i = 0; i <= w->here_count; i++) ecl_flag_publish(&w->flags[i], 0);
    for (int64_t i = 0; i < w->here_count; i++) {
        w->parts[w->here + i].status = EULERCL_OK;
        w->parts[w->here + i].worst_error = INT32_MIN;
    }
    int status = ecl_team_run(w->team, work, w, error);
    if (!status) account(w);
    for (int64_t i = 0; !status && i < w->here_count; i++)
        if (w->parts[w->here + i].status) status = ecl_fail_as(error, &w->parts[w->here + i].error);
    return windows_agree(w, status, error);
}

/* All processes get the same time, because the solver decides by it how many steps come next. */
static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    const double start = ecl_now();
    int64_t agreed[2] = {0, INT32_MIN}; /* nanoseconds, the greatest error */
    w->batch = *batch;
    w->is_refreshed = 0;
    w->before = w->valid ? w->valid : w->interval;
    int status = ecl_windows_run_job(w, error);
    run->report.launches = 0;
    for (int64_t i = 0; i < w->here_count; i++) {
        const struct part *const p = &w->parts[w->here + i];
        run->report.launches += p->run.report.launches;
        agreed[1] = int_max(agreed[1], p->worst_error);
    }
    agreed[0] = (int64_t)(1e9 * (ecl_now() - start));
    if (!status && t) status = t->greatest(t->user, agreed, 2, error);
    *seconds = 1e-9 * (double)agreed[0];
    run->report.worst_error = (int32_t)agreed[1];
    return status;
}

/* Steps before which, at most, rows are exchanged: if each part can return from them. */
static int outlives(const struct run *run, const struct batch *batch) {
    const struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    int64_t does_not = batch->steps > (w->valid ? w->valid : w->interval);
    for (int64_t i = 0; i < w->here_count; i++) {
        const struct part *const p = &w->parts[w->here + i];
        does_not |= !part_table(p)->rounds || !part_table(p)->rounds->outlives(&p->run, batch);
    }
    if (t && t->greatest(t->user, &does_not, 1, NULL)) return 0;
    return !does_not;
}

static void undo(struct run *run) {
    struct windows *const w = run->impl;
    for (int64_t i = 0; i < w->here_count; i++)
        part_table(&w->parts[w->here + i])->rounds->undo(&w->parts[w->here + i].run);
    w->valid = w->before;
}

/* ---- another method ---- */

static int change_part(struct part *p, const struct system *whole, eulercl_error *error) {
    const struct system before = p->run.system;
    ecl_system_follow(&p->run.system, whole);
    const int status = part_table(p)->steps->change_method(&p->run, error);
    if (status) ecl_system_follow(&p->run.system, &before);
    return status;
}

/* The ghosts are rows, of which a step of another number of stages spoils another number. */
static int change_method(struct run *run, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct system *const s = &run->system;
    const struct part *const first = &w->parts[w->here];
    const struct system old = first->run.system;
    const int64_t reach = s->method->stages * ecl_system_radius(s);
    int64_t changed = 0;
    int status = EULERCL_OK;
    if (w->halo && reach > w->halo - w->verified)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "a step of %d stages reads %lld %s further, but the smallest share of the devices has "
            "%lld: use fewer devices, or set stages",
            s->method->stages, (long long)reach, ecl_grid_layers(&s->definition->grid),
            (long long)(w->halo - w->verified));
    for (; !status && changed < w->here_count; changed += !status)
        status = change_part(&w->parts[w->here + changed], s, error);
    status = windows_agree(w, status, error);
    if (status)
        while (changed-- > 0) change_part(&w->parts[w->here + changed], &old, NULL);
    else if (w->halo) {
        w->interval = (w->halo - w->verified) / reach;
        w->valid = w->valid * old.method->stages / s->method->stages;
    }
    return status;
}

const struct step_table ecl_windows_steps = {step, change_method};
const struct round_table ecl_windows_rounds = {outlives, undo};
