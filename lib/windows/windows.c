/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/windows.c - see windows.h: the run on several devices, which the solver treats like any
 * other. Of several processes, all make the same calls, and get the same results. */
#include "config.h"
#include "windows.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct backend *table_of(const struct part *p) { return p->settled.table; }
static int is_here(const struct windows *w, const struct part *p) {
    return !w->transport || p->rank == w->transport->rank;
}

static int agree(const struct windows *w, int status, eulercl_error *error) {
    return ecl_transport_agree(w->transport, status, error);
}

/* ---- the parts of a state ---- */

/* Components of the whole state that stand next to each other in a part, too. */
struct piece {
    int64_t at, from, count; /* in the part, in the whole */
};

/* The rows of a part from its row `row` on, up to `end`, that do not go round the grid. */
static struct piece piece_of(
    const struct windows *w, const struct part *p, int64_t row, int64_t end) {
    const int64_t place = (p->first + row + w->rows) % w->rows;
    return (struct piece){.at = row * w->row,
        .from = place * w->row,
        .count = int_min(end - row, w->rows - place) * w->row};
}

/* Rows of a part, also while it still computes others. */
static int put(struct part *p, int64_t at, int64_t count, const char *y, eulercl_error *error) {
    const struct backend *const table = table_of(p);
    return (p->run.early.is_done ? table->put : table->write)(&p->run, at, count, y, error);
}
static int get(struct part *p, int64_t at, int64_t count, char *y, eulercl_error *error) {
    const struct backend *const table = table_of(p);
    return (p->run.early.is_done ? table->fetch : table->read)(&p->run, at, count, y, error);
}

/* What the windows here have in common with the components first .. first + count - 1. */
static int write_state(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    struct windows *const w = run->impl;
    const size_t size = run->system.real_size;
    int status = EULERCL_OK;
    for (int64_t i = 0; i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        for (int64_t row = 0; !status && row < p->rows;) {
            const struct piece piece = piece_of(w, p, row, p->rows);
            const int64_t from = int_max(piece.from, first),
                          to = int_min(piece.from + piece.count, first + count);
            if (from < to)
                status = put(p, piece.at + from - piece.from, to - from,
                    (const char *)y + (size_t)(from - first) * size, error);
            row += piece.count / w->row;
        }
    }
    status = agree(w, status, error);
    if (!status && count == run->system.n) w->valid = w->interval;
    return status;
}

/* What the shares of this process have in common with the components first .. first + count - 1. */
static int read_own(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    struct windows *const w = run->impl;
    const size_t size = run->system.real_size;
    int status = EULERCL_OK;
    for (int64_t i = 0; i < w->here_count && !status; i++) {
        struct part *const p = &w->parts[w->here + i];
        const int64_t from = int_max(p->begin * w->row, first),
                      to = int_min(p->end * w->row, first + count);
        if (from < to)
            status = get(p, from - p->first * w->row, to - from,
                (char *)y + (size_t)(from - first) * size, error);
    }
    return status;
}

/* From the shares, each of which all processes get from its own. */
static int read_state(
    struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    const size_t size = run->system.real_size;
    int status = agree(w, read_own(run, first, count, y, error), error);
    for (int64_t i = 0; t && !status && i < w->count; i++) {
        const struct part *const p = &w->parts[i];
        const int64_t from = int_max(p->begin * w->row, first),
                      to = int_min(p->end * w->row, first + count);
        if (from < to)
            status = t->broadcast(t->user, p->rank, (char *)y + (size_t)(from - first) * size,
                (uint64_t)(to - from) * size, error);
    }
    return status;
}

/* ---- steps ---- */

static int64_t before_of(const struct windows *w, int64_t index) {
    return (index + w->count - 1) % w->count;
}
static int64_t after_of(const struct windows *w, int64_t index) { return (index + 1) % w->count; }
static int has_before(const struct part *p) { return p->begin > p->first; }
static int has_after(const struct part *p) { return p->rows > p->end - p->first; }

static uint64_t edge_bytes(const struct windows *w) {
    return (uint64_t)(w->halo * w->row) * w->real_size;
}

/* The rows that the first and the last part here exchange with other processes. */
static int exchange_remotely(struct windows *w, int64_t number, eulercl_error *error) {
    const struct transport *const t = w->transport;
    struct part *const first = &w->parts[w->here], *const last = first + w->here_count - 1,
                       *const before = &w->parts[before_of(w, w->here)],
                       *const after = &w->parts[after_of(w, w->here + w->here_count - 1)];
    const uint64_t all = edge_bytes(w), to_before = w->blocks[before->rank] ? 0 : all,
                   to_after = w->blocks[after->rank] ? 0 : all;
    struct message messages[4];
    int count = 0;
    if (has_before(first) && !is_here(w, before)) {
        messages[count++] =
            (struct message){1, 1, before->rank, first->edges[number % 2][0].memory, to_before};
        messages[count++] =
            (struct message){0, 0, before->rank, before->edges[number % 2][1].memory, to_before};
    }
    if (has_after(last) && !is_here(w, after)) {
        messages[count++] =
            (struct message){1, 0, after->rank, last->edges[number % 2][1].memory, to_after};
        messages[count++] =
            (struct message){0, 1, after->rank, after->edges[number % 2][0].memory, to_after};
    }
    return count ? t->exchange(t->user, messages, count, error) : EULERCL_OK;
}

/* A part's flag, or that of the parts of other processes. */
static struct flag *flag_of(const struct windows *w, int64_t index) {
    return &w->flags[is_here(w, &w->parts[index]) ? index - w->here : w->here_count];
}

/* Compare ghosts from row `row` on with the rows that the neighbour has sent: both have computed
 * them. */
static int compare(
    const struct windows *w, struct part *p, int64_t row, const char *sent, eulercl_error *error) {
    const size_t size = p->run.system.real_size;
    const int64_t count = w->verified * w->row;
    char *const ghosts = ecl_mem_zeroed((uint64_t)count, size);
    if (!ghosts) return ecl_no_memory(error, "ghosts to compare");
    int status = get(p, row * w->row, count, ghosts, error);
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
    const int64_t index = p - w->parts, reals = w->halo * w->row, before = before_of(w, index),
                  after = after_of(w, index);
    struct pinned *const edges = p->edges[number % 2];
    const double start = ecl_now();
    if (!p->status && has_before(p))
        p->status = get(p, (p->begin - p->first) * w->row, reals, edges[0].memory, &p->error);
    if (!p->status && has_after(p))
        p->status =
            get(p, (p->end - p->first - w->halo) * w->row, reals, edges[1].memory, &p->error);
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
        p->status = put(p, 0, reals, w->parts[before].edges[number % 2][1].memory, &p->error);
    if (!p->status && has_after(p))
        p->status = put(p, (p->end - p->first) * w->row, reals,
            w->parts[after].edges[number % 2][0].memory, &p->error);
    p->wait_seconds += arrived - ready;
    p->copy_seconds += ecl_now() - arrived + ready - start;
}

/* What neighbours wait for after the next step, if an exchange follows it: so the rows are on their
 * way while the middle of the share is computed. */
static struct early early_of(const struct windows *w, const struct part *p) {
    enum { FEWEST_EDGES = 3 }; /* a share of so many halos */
    const int is_wanted = table_of(p)->fetch && !w->verified && !p->run.system.method->estimate &&
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
        p->run.early = is_followed ? early_of(w, p) : (struct early){0};
        const double start = ecl_now();
        if (!p->status) p->status = table_of(p)->step(&p->run, &batch, &seconds, &p->error);
        p->compute_seconds += ecl_now() - start;
        if (p->run.worst_error > p->worst_error) p->worst_error = p->run.worst_error;
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

static int run_job(struct windows *w, eulercl_error *error) {
    for (int64_t i = 0; i <= w->here_count; i++) ecl_flag_publish(&w->flags[i], 0);
    for (int64_t i = 0; i < w->here_count; i++) {
        w->parts[w->here + i].status = EULERCL_OK;
        w->parts[w->here + i].worst_error = INT32_MIN;
    }
    int status = ecl_team_run(w->team, work, w, error);
    if (!status) account(w);
    for (int64_t i = 0; !status && i < w->here_count; i++)
        if (w->parts[w->here + i].status) status = ecl_fail_as(error, &w->parts[w->here + i].error);
    return agree(w, status, error);
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
    int status = run_job(w, error);
    run->launches = 0;
    for (int64_t i = 0; i < w->here_count; i++) {
        const struct part *const p = &w->parts[w->here + i];
        run->launches += p->run.launches;
        agreed[1] = int_max(agreed[1], p->worst_error);
    }
    agreed[0] = (int64_t)(1e9 * (ecl_now() - start));
    if (!status && t) status = t->greatest(t->user, agreed, 2, error);
    *seconds = 1e-9 * (double)agreed[0];
    run->worst_error = (int32_t)agreed[1];
    return status;
}

/* Steps before which, at most, rows are exchanged: if each part can return from them. */
static int outlives(const struct run *run, const struct batch *batch) {
    const struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    int64_t does_not = batch->steps > (w->valid ? w->valid : w->interval);
    for (int64_t i = 0; i < w->here_count; i++) {
        const struct part *const p = &w->parts[w->here + i];
        does_not |= !table_of(p)->outlives || !table_of(p)->outlives(&p->run, batch);
    }
    if (t && t->greatest(t->user, &does_not, 1, NULL)) return 0;
    return !does_not;
}

static void undo(struct run *run) {
    struct windows *const w = run->impl;
    for (int64_t i = 0; i < w->here_count; i++)
        table_of(&w->parts[w->here + i])->undo(&w->parts[w->here + i].run);
    w->valid = w->before;
}

/* ---- another method ---- */

static int change_part(struct part *p, const struct method *method,
    const struct method_family *family, eulercl_error *error) {
    const struct method *const before = p->run.system.method;
    p->run.system.method = method;
    const int status = table_of(p)->change_method(&p->run, error);
    if (status)
        p->run.system.method = before;
    else
        p->run.system.family = family;
    return status;
}

/* The ghosts are rows, of which a step of another number of stages spoils another number. */
static int change_method(struct run *run, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct system *const s = &run->system;
    const struct part *const first = &w->parts[w->here];
    const struct method *const old = first->run.system.method;
    const struct method_family *const old_family = first->run.system.family;
    const int64_t reach = s->method->stages * ecl_system_radius(s);
    int64_t changed = 0;
    int status = EULERCL_OK;
    if (w->halo && reach > w->halo - w->verified)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "a step of %d stages reads %lld rows further, but the smallest share of the devices "
            "has "
            "%lld: use fewer devices, or set stages",
            s->method->stages, (long long)reach, (long long)(w->halo - w->verified));
    for (; !status && changed < w->here_count; changed += !status)
        status = change_part(&w->parts[w->here + changed], s->method, s->family, error);
    status = agree(w, status, error);
    if (status)
        while (changed-- > 0) change_part(&w->parts[w->here + changed], old, old_family, NULL);
    else if (w->halo) {
        w->interval = (w->halo - w->verified) / reach;
        w->valid = w->valid * old->stages / s->method->stages;
    }
    return status;
}

/* On a ring, ghosts from the other end of the grid stand before the rows of the first part, and
 * what is found there hides what is in these: search again without these ghosts. */
static int search_own(struct windows *w, struct part *p, int64_t *found, eulercl_error *error) {
    const int64_t reals = w->halo * w->row;
    char *const ghosts = p->edges[0][0].memory, *const zeros = p->edges[1][0].memory;
    memset(zeros, 0, (size_t)reals * p->run.system.real_size);
    int status = get(p, 0, reals, ghosts, error);
    if (!status) status = put(p, 0, reals, zeros, error);
    if (!status) status = table_of(p)->find_nonfinite(&p->run, found, error);
    return status ? status : put(p, 0, reals, ghosts, error);
}

/* Spoiled ghosts may be anything, so right ones take their place before the search. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    w->batch.steps = 0;
    w->is_refreshed = 1;
    int status = run_job(w, error);
    int64_t before_end = 0; /* sent as n - component, since a transport finds a maximum only */
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        int64_t found;
        status = table_of(p)->find_nonfinite(&p->run, &found, error);
        if (!status && found >= 0 && found / w->row < -p->first)
            status = search_own(w, p, &found, error);
        if (status || found < 0) continue;
        const struct piece piece = piece_of(w, p, found / w->row, p->rows);
        before_end = int_max(before_end, run->system.n - (piece.from + found % w->row));
    }
    status = agree(w, status, error);
    if (t && !status) status = t->greatest(t->user, &before_end, 1, error);
    *component = before_end ? run->system.n - before_end : -1;
    return status;
}

/* ---- copies ---- */

struct windows_copy {
    struct windows *windows;
    void **copies; /* of the parts here */
    int64_t valid;
    char *part; /* SNAPSHOT_PART reals; NULL: it is not read */
    size_t real_size;
    int64_t index;       /* the part of the run that is being read, */
    int64_t done, count; /* its reals before and in the present part of its copy, which is */
    const char *y;
};

static void destroy_copy(void *copy) {
    struct windows_copy *const c = copy;
    const struct windows *const w = c->windows;
    for (int64_t i = 0; c->copies && i < w->here_count; i++)
        if (c->copies[i]) table_of(&w->parts[w->here + i])->copies->destroy(c->copies[i]);
    ecl_mem_free(c->copies);
    ecl_mem_free(c->part);
    ecl_mem_free(c);
}

static int make_copies(
    struct windows *w, struct windows_copy *c, int is_read, eulercl_error *error) {
    if (is_read && w->transport)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "several processes read the state together, so there are no snapshots");
    c->copies = ecl_mem_zeroed((uint64_t)w->here_count, sizeof *c->copies);
    if (is_read) c->part = ecl_mem_zeroed(SNAPSHOT_PART, c->real_size);
    if (!c->copies || (is_read && !c->part)) return ecl_no_memory(error, "a snapshot");
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = table_of(p)->copies->create(&p->run, is_read, &c->copies[i], error);
    }
    return status;
}

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    struct windows_copy *const c = ecl_mem_zeroed(1, sizeof *c);
    int status = c ? EULERCL_OK : ecl_no_memory(error, "a snapshot");
    if (c) *c = (struct windows_copy){.windows = w, .real_size = run->system.real_size};
    if (!status) status = make_copies(w, c, is_read, error);
    status = agree(w, status, error);
    if (!status)
        *copy = c;
    else if (c)
        destroy_copy(c);
    return status;
}

static int take_copy(struct run *run, void *copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    struct windows_copy *const c = copy;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = table_of(p)->copies->take(&p->run, c->copies[i], error);
    }
    c->valid = w->valid;
    return agree(w, status, error);
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct windows_copy *const c = copy;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = table_of(p)->copies->restore(&p->run, c->copies[i], error);
    }
    w->valid = c->valid;
    return agree(w, status, error);
}

/* The parts of the run follow each other, and of each the parts of its copy, ghosts included. */
static int part_of_copy(
    void *copy, int64_t first, int64_t count, const void **y, eulercl_error *error) {
    struct windows_copy *const c = copy;
    const struct windows *const w = c->windows;
    if (!first) c->index = c->done = c->count = 0;
    for (int64_t end = first + count, at = first; at < end;) {
        struct part *const p = &w->parts[c->index];
        const int64_t n = p->run.system.n, own = at - p->first * w->row;
        if (at >= p->end * w->row) {
            c->index++;
            c->done = c->count = 0;
            continue;
        }
        while (own >= c->done + c->count) {
            const void *next;
            c->done += c->count;
            c->count = int_min(n - c->done, SNAPSHOT_PART);
            const int status =
                table_of(p)->copies->part(c->copies[c->index], c->done, c->count, &next, error);
            if (status) return status;
            c->y = next;
        }
        const int64_t to = int_min(int_min(end, p->end * w->row), at - own + c->done + c->count);
        memcpy(c->part + (size_t)(at - first) * c->real_size,
            c->y + (size_t)(own - c->done) * c->real_size, (size_t)(to - at) * c->real_size);
        at = to;
    }
    *y = c->part;
    return EULERCL_OK;
}

static const struct copy_table copies = {.create = create_copy,
    .take = take_copy,
    .restore = restore_copy,
    .part = part_of_copy,
    .destroy = destroy_copy};

/* ---- the run ---- */

/* Whole pages, as devices pin them. */
static uint64_t block_bytes(const struct windows *w) {
    enum { PAGE = 4096 };
    return (edge_bytes(w) + PAGE - 1) / PAGE * PAGE;
}

/* Where rows stand that two processes of this host exchange: in the memory of the one whose rows
 * they are. NULL: elsewhere. */
static void *shared_edge(const struct windows *w, int64_t index, int k, int side) {
    const struct part *const p = &w->parts[index],
                             *const other =
                                 &w->parts[side ? after_of(w, index) : before_of(w, index)];
    char *const block = w->blocks && p->rank != other->rank ? w->blocks[p->rank] : NULL;
    return block ? block + (uint64_t)(2 * k + side) * block_bytes(w) : NULL;
}

static int share_edges(struct windows *w, eulercl_error *error) {
    const struct transport *const t = w->transport;
    if (!t) return EULERCL_OK;
    w->blocks = ecl_mem_zeroed((uint64_t)t->ranks, sizeof *w->blocks);
    const int status =
        agree(w, w->blocks ? EULERCL_OK : ecl_no_memory(error, "the addresses of edges"), error);
    return status || !w->halo
               ? status
               : agree(w, t->share(t->user, 4 * block_bytes(w), w->blocks, error), error);
}

/* Which part pins the edges of a part: itself, or the neighbour of one of another process, whose
 * rows arrive there. */
static struct part *pinning(const struct windows *w, int64_t index) {
    const int64_t last = w->here + w->here_count - 1;
    return &w->parts[is_here(w, &w->parts[index]) ? index
                     : after_of(w, last) == index ? last
                                                  : w->here];
}

/* Backends that pin none take any memory. */
static int pins(const struct part *p) {
    return p->run.impl && p->settled.table && table_of(p)->pin;
}

static void free_edges(const struct windows *w, int64_t index) {
    struct part *const p = &w->parts[index], *const by = pinning(w, index);
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++)
            if (p->edges[k][side].memory && pins(by))
                table_of(by)->unpin(&by->run, &p->edges[k][side]);
            else if (!shared_edge(w, index, k, side))
                ecl_mem_free(p->edges[k][side].memory);
}

static void destroy(struct run *run) {
    struct windows *const w = run->impl;
    for (int64_t i = 0; w->parts && i < w->count; i++) free_edges(w, i);
    for (int64_t i = 0; w->parts && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        if (p->run.impl) table_of(p)->destroy(&p->run);
        ecl_system_drop_window(&p->run.system);
    }
    ecl_team_destroy(w->team);
    ecl_mem_free(w->flags);
    ecl_mem_free(w->blocks);
    ecl_mem_free(w->parts);
    ecl_mem_free(w);
    run->impl = NULL;
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct windows *const w = run->impl;
    uint64_t redundant = 0;
    double compute = 0, copy = 0, wait = 0;
    for (int64_t i = 0; i < w->count; i++) {
        const struct part *const p = &w->parts[i];
        redundant += (uint64_t)((p->rows - (p->end - p->begin)) * w->row);
        compute = fmax(compute, p->compute_seconds);
        copy = fmax(copy, p->copy_seconds);
        wait = fmax(wait, p->wait_seconds);
    }
    if (w->transport) ecl_add_count(stats, "processes", "", (uint64_t)w->transport->ranks);
    ecl_add_count(stats, "devices", "", (uint64_t)w->count);
    ecl_add_count(stats, "halo_steps", "steps", (uint64_t)(w->halo ? w->interval : 0));
    ecl_add_count(stats, "halo_components", "components", redundant);
    ecl_add_total(stats, "exchanges", "", w->exchanges);
    ecl_add_total(stats, "exchanged_bytes", "bytes", w->sent);
    ecl_add_total(stats, "compute_microseconds", "us", (uint64_t)(1e6 * compute));
    ecl_add_total(stats, "copy_microseconds", "us", (uint64_t)(1e6 * copy));
    ecl_add_total(stats, "wait_microseconds", "us", (uint64_t)(1e6 * wait));
}

static int monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    const struct backend reader = {.read = read_state};
    return ecl_windows_monitor(run, &reader, plan, parts, error);
}

static int find_any(struct run *run, int *any, eulercl_error *error) {
    const struct transport *const t = ((struct windows *)run->impl)->transport;
    int64_t greatest = *any != 0;
    const int status = t ? t->greatest(t->user, &greatest, 1, error) : EULERCL_OK;
    *any = (int)greatest;
    return status;
}

static const struct backend table = {
    .destroy = destroy,
    .write = write_state,
    .read = read_state,
    .read_own = read_own,
    .step = step,
    .outlives = outlives,
    .undo = undo,
    .change_method = change_method,
    .find_nonfinite = find_nonfinite,
    .copies = &copies,
    .facts = list_facts,
    .monitor = monitor,
    .agree = find_any,
};

static int make_edges(const struct windows *w, int64_t index, eulercl_error *error) {
    const uint64_t bytes = edge_bytes(w);
    struct part *const p = &w->parts[index], *const by = pinning(w, index);
    int status = EULERCL_OK;
    for (int k = 0; bytes && k < 2; k++)
        for (int side = 0; !status && side < 2; side++) {
            struct pinned *const edge = &p->edges[k][side];
            edge->memory = shared_edge(w, index, k, side);
            if (pins(by) && edge->memory) /* not all drivers pin the memory of others */
                table_of(by)->pin(&by->run, block_bytes(w), edge, NULL);
            else if (pins(by))
                status = table_of(by)->pin(&by->run, bytes, edge, error);
            else if (!edge->memory && !(edge->memory = ecl_mem_zeroed(bytes, 1)))
                status = ecl_no_memory(error, "the rows that devices exchange");
        }
    return status;
}

/* With launches of several steps: an exchange at the end of one of them. */
static int fit_interval(struct windows *w, const struct run *whole, eulercl_error *error) {
    const struct transport *const t = w->transport;
    const int64_t launch = (int64_t)w->parts[w->here].run.steps_per_launch;
    if (w->halo && !TUNED(&whole->options, halo_steps) && launch > 0 && w->interval > launch)
        w->interval -= w->interval % launch;
    const int status =
        t ? t->broadcast(t->user, 0, &w->interval, sizeof w->interval, error) : EULERCL_OK;
    w->valid = w->interval;
    return status;
}

/* Parts on one device share its memory. */
static int is_first_on_device(const struct windows *w, int64_t index) {
    const struct part *const parts = &w->parts[w->here];
    for (int64_t i = 0; i < index; i++)
        if (!strcmp(parts[i].device, parts[index].device)) return 0;
    return 1;
}

static void describe(struct windows *w, struct run *run, struct settled *settled) {
    size_t used = 0, name = 0, id = 0;
    int has_ids = 0;
    *settled = w->parts[w->here].settled;
    settled->table = &table;
    run->variant = w->parts[w->here].run.variant;
    run->steps_per_launch = w->parts[w->here].run.steps_per_launch;
    run->own = w->parts[w->here].begin * w->row;
    run->own_end = w->parts[w->here + w->here_count - 1].end * w->row;
    *settled->reason = '\0';
    for (int64_t i = 0; i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        const struct run *const r = &p->run;
        const char *const comma = i ? ", " : "";
        if (used < sizeof settled->reason)
            used += (size_t)snprintf(settled->reason + used, sizeof settled->reason - used,
                "%s%s: %lld %s by %s", comma, p->device, (long long)(p->end - p->begin),
                grid_last_axis(&r->system.context.grid) ? "rows"
                : has_grid(r->system.definition)        ? "points"
                                                        : "components",
                ecl_backends[p->settled.backend].name);
        if (name < sizeof run->device)
            name += (size_t)snprintf(
                run->device + name, sizeof run->device - name, "%s%s", comma, r->device);
        if (id < sizeof run->device_id)
            id += (size_t)snprintf(run->device_id + id, sizeof run->device_id - id, "%s%s",
                i ? "," : "", *r->device_id ? r->device_id : p->device);
        has_ids |= *r->device_id != '\0';
        if (ecl_backends[p->settled.backend].engine->is_opencl)
            settled->backend = p->settled.backend;
        if (!*settled->note) snprintf(settled->note, sizeof settled->note, "%s", r->note);
        run->device_bytes += r->device_bytes;
        if (is_first_on_device(w, i)) run->memory_bytes += r->memory_bytes;
        run->build_seconds += r->build_seconds;
        run->threads += r->threads;
    }
    if (!has_ids) *run->device_id = '\0';
}

static int check(const struct run *run, eulercl_error *error) {
    if (!run->system.definition->windows)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s does not know the windows that several devices need: its equations see no "
            "global grid",
            run->system.definition->name);
    return ecl_compare_processes(run, error);
}

static int make_parts(
    const eulercl_problem *problem, struct windows *w, struct run *run, eulercl_error *error) {
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = ecl_windows_make_run(w, run, p, error);
        if (!status) status = ecl_settle(problem, &p->run, &p->settled, error);
        if (status) p->run.impl = NULL;
    }
    for (int64_t i = 0; !status && i < w->count; i++)
        if (i == before_of(w, w->here) || i == after_of(w, w->here + w->here_count - 1) ||
            is_here(w, &w->parts[i]))
            status = make_edges(w, i, error);
    return status ? status : ecl_team_create(&w->team, w->here_count, 0, error);
}

static int settle(const eulercl_problem *problem, struct run *run, struct settled *settled,
    eulercl_error *error) {
    int status = check(run, error);
    if (status) return status; /* in all processes */
    struct windows *const w = ecl_mem_zeroed(1, sizeof *w);
    if (!w) return ecl_no_memory(error, "a solver");
    const struct ode_grid *const grid = &run->system.context.grid;
    run->impl = w;
    *w = (struct windows){.transport = run->transport,
        .rows = grid->extents[grid_last_axis(grid)],
        .row = ecl_system_row(&run->system),
        .real_size = run->system.real_size,
        .periodic = grid_is_periodic(grid, grid_last_axis(grid)),
        .parts = ecl_mem_zeroed(MOST_PARTS, sizeof *w->parts),
        .flags = ecl_mem_zeroed(MOST_PARTS + 1, sizeof *w->flags)};
    if (!w->parts || !w->flags) status = ecl_no_memory(error, "a solver");
    status = agree(w, status, error);
    if (!status) status = ecl_windows_share_out(w, run, error);
    if (!status) status = share_edges(w, error);
    if (!status) status = agree(w, make_parts(problem, w, run, error), error);
    if (!status) status = fit_interval(w, run, error);
    if (status) {
        destroy(run);
        return status;
    }
    describe(w, run, settled);
    return EULERCL_OK;
}

const struct several_devices ecl_windows = {ecl_windows_verify, settle};
