/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/reduce.c - reductions on several devices. Parts that lie within a share, with what they
 * read before and behind them, are computed where they are, and the host reads the few others. */
#include "config.h"
#include "windows.h"
#include "../int.h"
#include "../run/reduce.h"

/* The parts that lie within a share, with what they read; `from`: the first of them. */
static struct reduction within(
    const struct windows *w, const struct part *p, const struct reduction *r, int64_t *from) {
    const int64_t begin = p->begin * w->row, end = p->end * w->row;
    const int64_t low = begin || r->is_ring ? begin + r->before : 0,
                  high = end < r->n || r->is_ring ? end - r->behind : end;
    const int64_t to = high >= r->end ? r->parts : int_max(high - r->first, 0) / r->share;
    *from = int_min(int_ceil(int_max(low - r->first, 0), r->share), to);
    struct reduction own = ecl_reduction_parts(r, *from, to - *from);
    own.offset = p->first * w->row;
    return own;
}

/* The parts here of which the share has all. */
static int reduce_shares(
    struct windows *w, const struct reduction *r, double *numbers, eulercl_error *error) {
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        int64_t from;
        const struct reduction own = within(w, p, r, &from);
        if (own.parts)
            status = ecl_reduce(
                &p->run, p->settled.table->state, &own, numbers + reduction_place(r, from), error);
    }
    return ecl_transport_agree(w->transport, status, error);
}

/* The parts from number `before` to that before number `after`, which no share has as a whole. */
static int reduce_between(struct run *run, int64_t before, int64_t after, const struct reduction *r,
    double *numbers, eulercl_error *error) {
    const struct reduction between = ecl_reduction_parts(r, before, after - before);
    return between.parts > 0 ? ecl_reduce_read(run, &ecl_windows_state, &between,
                                   numbers + reduction_place(r, before), error)
                             : EULERCL_OK;
}

/* All processes get all. */
int ecl_windows_reduce(
    struct run *run, const struct reduction *r, double *numbers, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    int status = reduce_shares(w, r, numbers, error);
    int64_t done = 0; /* parts */
    for (int64_t i = 0; !status && i < w->count; i++) {
        int64_t from;
        const struct reduction own = within(w, &w->parts[i], r, &from);
        if (t && own.parts)
            status = t->broadcast(t->user, w->parts[i].rank, numbers + reduction_place(r, from),
                (uint64_t)reduction_place(&own, own.parts) * sizeof *numbers, error);
        if (!status) status = reduce_between(run, done, from, r, numbers, error);
        done = from + own.parts;
    }
    return status ? status : reduce_between(run, done, r->parts, r, numbers, error);
}
