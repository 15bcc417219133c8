/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/stream_visits.c - see stream.h: the steps, in visits to all shares, and the shares' way
 * to the window and back. */
#include "config.h"
#include "stream.h"
#include "../cpu/team.h"
#include "../int.h"
#include <string.h>

static struct visit visit_of(const struct stream *s, int64_t turn, int64_t place) {
    return (struct visit){turn, place, s->cut.periodic ? (turn + place) % s->cut.count : place};
}

/* Find the visit after v. -> false: `turns` turns have no more. */
static int next_visit(const struct stream *s, int64_t turns, struct visit *v) {
    const int is_last = v->place + 1 == s->cut.count;
    *v = visit_of(s, v->turn + is_last, is_last ? 0 : v->place + 1);
    return v->turn < turns;
}

/* Whether the window of one share has rows of the other one. */
static int are_near(const struct stream *s, int64_t a, int64_t b) {
    const int64_t apart = a < b ? b - a : a - b;
    return apart <= 1 || (s->cut.periodic && apart >= s->cut.count - 1);
}

/* Whether a window is to be loaded with rows of a share that a former turn has not stored yet. */
static int needs(const struct stream *s, const struct visit *next, const struct visit *former) {
    return former->turn < next->turn && are_near(s, next->share, former->share);
}

/* Rows `row` .. `end`-1 of the grid, which are in one share, or memory that has them, to where they
 * stand in the window that begins with row `first`. */
static int fill(struct stream *s, int64_t first, int64_t row, int64_t end, const char *from,
    eulercl_error *error) {
    s->loaded += (uint64_t)(end - row) * stream_row_bytes(s);
    return slot_table(s)->slot->fill(
        s->in, (row - first) * s->cut.row, (end - row) * s->cut.row, from, error);
}

/* The share and its ghosts. Those behind the last share of a turn round a ring are in the first
 * one, which has been stored in the meantime. */
static int load(struct stream *s, eulercl_error *error) {
    const struct stream_cut *const c = &s->cut;
    const struct visit *const v = &s->load;
    const int64_t begin = stream_begin(s, v->share), end = stream_begin(s, v->share + 1),
                  first = ecl_stream_first(c, v->share),
                  from = c->periodic ? begin - c->halo : int_max(begin - c->halo, 0),
                  to = c->periodic ? end + c->halo : int_min(end + c->halo, c->rows);
    const int is_last = c->periodic && c->count > 1 && v->place == c->count - 1;
    int status = EULERCL_OK;
    if (c->periodic && v->place == 0)
        memcpy(s->first_rows, s->shares[v->share].memory, (size_t)c->halo * stream_row_bytes(s));
    for (int64_t row = from; !status && row < to;) {
        const int64_t place = (row + c->rows) % c->rows, share = ecl_stream_share(&s->cut, place),
                      stop = int_min(row + stream_begin(s, share + 1) - place, to);
        if (is_last && row >= end)
            status = fill(s, first, row, to, s->first_rows, error);
        else
            status = fill(s, first, row, stop,
                (char *)s->shares[share].memory +
                    (size_t)(place - stream_begin(s, share)) * stream_row_bytes(s),
                error);
        row = is_last && row >= end ? to : stop;
    }
    return status;
}

static int store(struct stream *s, eulercl_error *error) {
    const int64_t share = s->store.share, begin = stream_begin(s, share),
                  rows = stream_begin(s, share + 1) - begin;
    s->stored += (uint64_t)rows * stream_row_bytes(s);
    return slot_table(s)->slot->fetch(s->out,
        (begin - ecl_stream_first(&s->cut, share)) * s->cut.row, rows * s->cut.row,
        s->shares[share].memory, error);
}

/* The steps of a visit, and the search. What is found may be a ghost. */
static int compute(struct stream *s, eulercl_error *error) {
    struct run *const slot = &s->slot;
    int64_t component = -1;
    int status = slot_table(s)->steps->step(slot, &s->batch, &s->compute_seconds, error);
    if (!status && s->is_searched)
        status = slot_table(s)->state->find_nonfinite(slot, &component, error);
    s->suspects[s->visit.share] = component >= 0;
    return status;
}

static void work(void *user, int64_t index) {
    struct stream *const s = user;
    s->status[index] = index == COMPUTE ? compute(s, &s->errors[index])
                       : index == LOAD  ? s->loads ? load(s, &s->errors[index]) : EULERCL_OK
                       : s->stores      ? store(s, &s->errors[index])
                                        : EULERCL_OK;
}

/* The window to where the copy that was filled comes from. */
static int enter(struct stream *s, const struct run *whole, eulercl_error *error) {
    struct system *const window = &s->slot.system;
    const int64_t share = s->visit.share, first = ecl_stream_first(&s->cut, share);
    ecl_system_move_window(&whole->system, (first + s->cut.rows) % s->cut.rows, window);
    window->kept = stream_begin(s, share) - first;
    window->kept_end = stream_begin(s, share + 1) - first;
    const int status = slot_table(s)->slot->move(&s->slot, error);
    return status ? status : slot_table(s)->slot->enter(&s->slot, s->in, error);
}

/* One visit: its steps, while the share before is stored and the next one is loaded. It is stored
 * after that, because the next one has ghosts in it. */
static int run_visit(struct stream *s, const struct run *whole, int has_next,
    const struct visit *next, eulercl_error *error) {
    const struct visit now = s->visit;
    int status = enter(s, whole, error);
    if (status) return status;
    s->load = *next;
    const int waits =
        has_next && (needs(s, next, &now) || (s->stores && needs(s, next, &s->store)));
    s->loads = has_next && !waits;
    status = ecl_team_run(s->team, work, s, error);
    for (int i = 0; !status && i < STREAM_THREADS; i++)
        if (s->status[i]) status = ecl_fail_as(error, &s->errors[i]);
    if (!status) status = slot_table(s)->slot->leave(&s->slot, s->out, error);
    s->store = now;
    s->stores = 1;
    s->visits++;
    if (!status && waits) {
        status = store(s, error);
        s->stores = 0;
        if (!status) status = load(s, error);
    }
    return status;
}

/* Steps of each turn, all but the last: as many as there can be, but of equal size, and whole
 * launches. */
static int64_t steps_of_turn(const struct stream *s, int64_t steps) {
    const int64_t turns = int_ceil(steps, s->cut.interval), equal = int_ceil(steps, turns),
                  launch = int_max((int64_t)s->slot.report.steps_per_launch, 1);
    return equal > s->cut.interval - launch ? s->cut.interval : int_ceil(equal, launch) * launch;
}

static int run_turns(
    struct stream *s, struct run *run, const struct batch *batch, eulercl_error *error) {
    const int64_t each = steps_of_turn(s, batch->steps), turns = int_ceil(batch->steps, each);
    struct visit next = s->load = visit_of(s, 0, 0);
    int has_next = 1, status = load(s, error);
    s->stores = 0;
    while (!status && has_next) {
        const int64_t done = next.turn * each;
        s->visit = next;
        s->batch = *batch;
        s->batch.first_step += done;
        s->batch.steps = int_min(each, batch->steps - done);
        s->is_searched =
            next.turn == turns - 1 && run->options.check_finite && !(run->options.rtol > 0);
        has_next = next_visit(s, turns, &next);
        status = run_visit(s, run, has_next, &next, error);
        if (s->slot.report.worst_error > run->report.worst_error)
            run->report.worst_error = s->slot.report.worst_error;
        s->waited -= s->compute_seconds;
    }
    return status ? status : store(s, error);
}

int ecl_stream_step(
    struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct stream *const s = run->impl;
    const double start = ecl_now();
    run->report.worst_error = INT32_MIN;
    s->is_known = 0;
    const int status = batch->steps ? run_turns(s, run, batch, error) : EULERCL_OK;
    *seconds = ecl_now() - start;
    s->waited += *seconds;
    s->is_known = !status && batch->steps && s->is_searched;
    run->report.launches = s->slot.report.launches;
    run->report.device_seconds = s->slot.report.device_seconds;
    return status;
}
