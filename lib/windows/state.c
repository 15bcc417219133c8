/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/state.c - see windows.h: the state, which the parts have together, and copies of it. Of
 * several processes, all make the same calls, and get the same results. */
#include "config.h"
#include "windows.h"
#include "../int.h"
#include "../mem.h"
#include "../problem/coefficients.h"
#include <string.h>

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
                status = part_put(p, piece.at + from - piece.from, to - from,
                    (const char *)y + (size_t)(from - first) * size, error);
            row += piece.count / w->row;
        }
    }
    status = windows_agree(w, status, error);
    if (!status && count == run->system.n) w->valid = w->interval;
    return status;
}

static void own(const struct run *run, int64_t *begin, int64_t *end) {
    const struct windows *const w = run->impl;
    *begin = w->parts[w->here].begin * w->row;
    *end = w->parts[w->here + w->here_count - 1].end * w->row;
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
            status = part_get(p, from - p->first * w->row, to - from,
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
    int status = windows_agree(w, read_own(run, first, count, y, error), error);
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

/* ---- inf and NaN ---- */

/* On a ring, ghosts from the other end of the grid stand before the rows of the first part, and
 * what is found there hides what is in these: search again without these ghosts. */
static int search_own(struct windows *w, struct part *p, int64_t *found, eulercl_error *error) {
    const int64_t reals = w->halo * w->row;
    char *const ghosts = p->edges[0][0].memory, *const zeros = p->edges[1][0].memory;
    memset(zeros, 0, (size_t)reals * p->run.system.real_size);
    int status = part_get(p, 0, reals, ghosts, error);
    if (!status) status = part_put(p, 0, reals, zeros, error);
    if (!status) status = part_table(p)->state->find_nonfinite(&p->run, found, error);
    return status ? status : part_put(p, 0, reals, ghosts, error);
}

/* Spoiled ghosts may be anything, so right ones take their place before the search. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct transport *const t = w->transport;
    w->batch.steps = 0;
    w->is_refreshed = 1;
    int status = ecl_windows_run_job(w, error);
    int64_t before_end = 0; /* sent as n - component, since a transport finds a maximum only */
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        int64_t found;
        status = part_table(p)->state->find_nonfinite(&p->run, &found, error);
        if (!status && found >= 0 && found / w->row < -p->first)
            status = search_own(w, p, &found, error);
        if (status || found < 0) continue;
        const struct piece piece = piece_of(w, p, found / w->row, p->rows);
        before_end = int_max(before_end, run->system.n - (piece.from + found % w->row));
    }
    status = windows_agree(w, status, error);
    if (t && !status) status = t->greatest(t->user, &before_end, 1, error);
    *component = before_end ? run->system.n - before_end : -1;
    return status;
}

static int find_any(struct run *run, int *any, eulercl_error *error) {
    const struct transport *const t = ((struct windows *)run->impl)->transport;
    int64_t greatest = *any != 0;
    const int status = t ? t->greatest(t->user, &greatest, 1, error) : EULERCL_OK;
    *any = (int)greatest;
    return status;
}

static int change_coefficients(struct run *run, eulercl_error *error) {
    struct windows *const w = run->impl;
    int status = EULERCL_OK;
    for (int64_t i = 0; i < w->here_count && !status; i++) {
        struct part *const p = &w->parts[w->here + i];
        ecl_window_coefficients(&run->system, &p->run.system);
        if (part_table(p)->state->change_coefficients)
            status = part_table(p)->state->change_coefficients(&p->run, error);
    }
    return windows_agree(w, status, error);
}

const struct state_table ecl_windows_state = {.write = write_state,
    .read = read_state,
    .find_nonfinite = find_nonfinite,
    .reduce = ecl_windows_reduce,
    .change_coefficients = change_coefficients};
const struct process_table ecl_windows_processes = {own, read_own, find_any};

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
        if (c->copies[i]) part_table(&w->parts[w->here + i])->copies->destroy(c->copies[i]);
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
        status = part_table(p)->copies->create(&p->run, is_read, &c->copies[i], error);
    }
    return status;
}

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    struct windows_copy *const c = ecl_mem_zeroed(1, sizeof *c);
    int status = c ? EULERCL_OK : ecl_no_memory(error, "a snapshot");
    if (c) *c = (struct windows_copy){.windows = w, .real_size = run->system.real_size};
    if (!status) status = make_copies(w, c, is_read, error);
    status = windows_agree(w, status, error);
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
        status = part_table(p)->copies->take(&p->run, c->copies[i], error);
    }
    c->valid = w->valid;
    return windows_agree(w, status, error);
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct windows_copy *const c = copy;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = part_table(p)->copies->restore(&p->run, c->copies[i], error);
    }
    w->valid = c->valid;
    return windows_agree(w, status, error);
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
                part_table(p)->copies->part(c->copies[c->index], c->done, c->count, &next, error);
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

const struct copy_table ecl_windows_copies = {.create = create_copy,
    .take = take_copy,
    .restore = restore_copy,
    .part = part_of_copy,
    .destroy = destroy_copy};
