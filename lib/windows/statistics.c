/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/statistics.c - eulercl_monitor on several devices. What lies within a share is summed
 * where it is, and the host reads the few parts that two shares have in common. */
#include "config.h"
#include "windows.h"
#include "../int.h"
#include "../run/monitor.h"

/* The parts that lie within a share; `from`: the first of them. */
static struct monitor_plan within(
    const struct windows *w, const struct part *p, const struct monitor_plan *plan, int64_t *from) {
    const int64_t begin = p->begin * w->row, end = p->end * w->row,
                  to = end == plan->end ? plan->parts : end / plan->share;
    struct monitor_plan own = *plan;
    *from = int_min(int_ceil(begin, plan->share), to);
    own.parts = to - *from;
    own.first = *from * plan->share - p->first * w->row;
    own.end = int_min(to * plan->share, end) - p->first * w->row;
    return own;
}

/* The parts here of which the share has all. */
static int monitor_shares(
    struct windows *w, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    const int64_t set = plan->components * STATISTICS;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        int64_t from;
        const struct monitor_plan own = within(w, p, plan, &from);
        if (own.parts)
            status = ecl_monitor_parts(
                &p->run, p->settled.table->state, &own, parts + from * set, error);
    }
    return ecl_transport_agree(w->transport, status, error);
}

/* The parts between those of the shares `index - 1` and `index`. */
static int monitor_between(struct run *run, int64_t index, const struct monitor_plan *plan,
    double *parts, eulercl_error *error) {
    const struct windows *const w = run->impl;
    int64_t before, after;
    const struct monitor_plan previous = within(w, &w->parts[index - 1], plan, &before);
    within(w, &w->parts[index], plan, &after);
    before += previous.parts;
    struct monitor_plan between = *plan;
    between.first = before * plan->share;
    between.parts = after - before;
    between.end = int_min(after * plan->share, plan->end);
    return between.parts > 0 ? ecl_monitor_read(run, &ecl_windows_state, &between,
                                   parts + before * plan->components * STATISTICS, error)
                             : EULERCL_OK;
}

/* All processes get all. */
int ecl_windows_monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    const int64_t set = plan->components * STATISTICS;
    int status = monitor_shares(w, plan, parts, error);
    for (int64_t i = 0; !status && i < w->count; i++) {
        int64_t from;
        const struct monitor_plan own = within(w, &w->parts[i], plan, &from);
        if (t && own.parts)
            status = t->broadcast(t->user, w->parts[i].rank, parts + from * set,
                (uint64_t)(own.parts * set) * sizeof *parts, error);
        if (!status && i) status = monitor_between(run, i, plan, parts, error);
    }
    return status;
}
