/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/stream.c - see stream.h: the run, which the solver treats like any other. */
#include "config.h"
#include "stream.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include "../run/monitor.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TRIES = 4 }; /* to make windows that are small enough */

/* A share in a turn over all of them. On a ring each turn begins with another share, so that the
 * last shares of a turn are still on their way while the next turn begins. */
struct visit {
    int64_t turn, place; /* place: 0 .. count-1 in the turn */
    int64_t share;
};

enum { COMPUTE, LOAD, STORE, THREADS }; /* what the threads do during a visit */

struct stream {
    struct run slot; /* on the window */
    struct settled settled;
    struct stream_cut cut;
    struct pinned *shares; /* the state, by shares */
    int is_pinned;         /* by the slot's backend */
    void *mapped;          /* the state in a file; NULL: it is not in one */
    uint64_t mapped_bytes;
    char *first_rows; /* on a ring: those of the first share of a turn, before it is stored */
    void *in, *out;   /* copies of the slot's state: filled, emptied */
    struct team *team;
    /* The job: */
    struct batch batch;
    struct visit visit, load, store;
    int loads, stores; /* whether there is anything to do */
    int is_searched;   /* for inf and NaN: this is the last turn */
    double compute_seconds;
    int status[THREADS];
    eulercl_error errors[THREADS];
    /* What is known of the state: */
    int is_known;  /* the following is */
    int *suspects; /* of each share, whether its window has a component that is not finite */
    /* Figures: */
    uint64_t visits, loaded, stored; /* bytes */
    double waited;
};

static const struct backend *table_of(const struct stream *s) { return s->settled.table; }
static const struct copy_table *copies_of(const struct stream *s) { return table_of(s)->copies; }
static size_t row_bytes(const struct stream *s) {
    return (size_t)s->cut.row * s->slot.system.real_size;
}
static int64_t begin_of(const struct stream *s, int64_t share) {
    return ecl_stream_begin(&s->cut, share);
}

/* ---- the state ---- */

/* The share with a row of the grid. */
static int64_t share_with(const struct stream *s, int64_t row) {
    int64_t share = int_min(row / (s->cut.rows / s->cut.count + 1), s->cut.count - 1);
    while (begin_of(s, share + 1) <= row) share++;
    while (begin_of(s, share) > row) share--;
    return share;
}

/* Call `move` for what is in each share of components first .. first + count - 1. */
static void each_piece(const struct stream *s, int64_t first, int64_t count, char *y,
    void (*move)(char *state, char *y, size_t bytes)) {
    const size_t size = s->slot.system.real_size;
    for (int64_t done = 0; done < count;) {
        const int64_t share = share_with(s, (first + done) / s->cut.row),
                      begin = begin_of(s, share) * s->cut.row,
                      end = begin_of(s, share + 1) * s->cut.row,
                      n = int_min(end - first - done, count - done);
        move((char *)s->shares[share].memory + (size_t)(first + done - begin) * size,
            y + (size_t)done * size, (size_t)n * size);
        done += n;
    }
}

static void to_state(char *state, char *y, size_t bytes) { memcpy(state, y, bytes); }
static void from_state(char *state, char *y, size_t bytes) { memcpy(y, state, bytes); }

static int write_state(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    (void)error;
    struct stream *const s = run->impl;
    union {
        const void *given;
        char *y;
    } source = {.given = y}; /* to_state only reads it */
    each_piece(s, first, count, source.y, to_state);
    s->is_known = 0;
    return EULERCL_OK;
}

static int read_state(
    struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    (void)error;
    each_piece(run->impl, first, count, y, from_state);
    return EULERCL_OK;
}

/* ---- visits ---- */

static struct visit visit_of(const struct stream *s, int64_t turn, int64_t place) {
    return (struct visit){turn, place, s->cut.periodic ? (turn + place) % s->cut.count : place};
}

/* The one after v; false: there is none in `turns` turns. */
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
    s->loaded += (uint64_t)(end - row) * row_bytes(s);
    return table_of(s)->slot->fill(
        s->in, (row - first) * s->cut.row, (end - row) * s->cut.row, from, error);
}

/* The share and its ghosts. Those behind the last share of a turn round a ring are in the first
 * one, which has been stored in the meantime. */
static int load(struct stream *s, eulercl_error *error) {
    const struct stream_cut *const c = &s->cut;
    const struct visit *const v = &s->load;
    const int64_t begin = begin_of(s, v->share), end = begin_of(s, v->share + 1),
                  first = ecl_stream_first(c, v->share),
                  from = c->periodic ? begin - c->halo : int_max(begin - c->halo, 0),
                  to = c->periodic ? end + c->halo : int_min(end + c->halo, c->rows);
    const int is_last = c->periodic && c->count > 1 && v->place == c->count - 1;
    int status = EULERCL_OK;
    if (c->periodic && v->place == 0)
        memcpy(s->first_rows, s->shares[v->share].memory, (size_t)c->halo * row_bytes(s));
    for (int64_t row = from; !status && row < to;) {
        const int64_t place = (row + c->rows) % c->rows, share = share_with(s, place),
                      stop = int_min(row + begin_of(s, share + 1) - place, to);
        if (is_last && row >= end)
            status = fill(s, first, row, to, s->first_rows, error);
        else
            status = fill(s, first, row, stop,
                (char *)s->shares[share].memory +
                    (size_t)(place - begin_of(s, share)) * row_bytes(s),
                error);
        row = is_last && row >= end ? to : stop;
    }
    return status;
}

static int store(struct stream *s, eulercl_error *error) {
    const int64_t share = s->store.share, begin = begin_of(s, share),
                  rows = begin_of(s, share + 1) - begin;
    s->stored += (uint64_t)rows * row_bytes(s);
    return table_of(s)->slot->fetch(s->out, (begin - ecl_stream_first(&s->cut, share)) * s->cut.row,
        rows * s->cut.row, s->shares[share].memory, error);
}

/* The steps of a visit, and the search. What is found may be a ghost. */
static int compute(struct stream *s, eulercl_error *error) {
    struct run *const slot = &s->slot;
    int64_t component = -1;
    int status = table_of(s)->steps->step(slot, &s->batch, &s->compute_seconds, error);
    if (!status && s->is_searched)
        status = table_of(s)->state->find_nonfinite(slot, &component, error);
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
    window->kept = begin_of(s, share) - first;
    window->kept_end = begin_of(s, share + 1) - first;
    const int status = table_of(s)->slot->move(&s->slot, error);
    return status ? status : table_of(s)->slot->enter(&s->slot, s->in, error);
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
    for (int i = 0; !status && i < THREADS; i++)
        if (s->status[i]) status = ecl_fail_as(error, &s->errors[i]);
    if (!status) status = table_of(s)->slot->leave(&s->slot, s->out, error);
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

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
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

/* ---- what else there is ---- */

static int change_method(struct run *run, eulercl_error *error) {
    struct stream *const s = run->impl;
    struct system *const window = &s->slot.system;
    const struct system before = *window;
    const int64_t reach = ecl_system_radius(&run->system),
                  spoiled = run->system.method->stages * reach;
    if (s->cut.halo && spoiled > s->cut.halo)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "a step of %d stages reads %lld rows further, but the windows of the device have "
            "ghosts "
            "of %lld: give it more memory, or set stages",
            run->system.method->stages, (long long)spoiled, (long long)s->cut.halo);
    window->method = run->system.method;
    window->family = run->system.family;
    const int status = table_of(s)->steps->change_method(&s->slot, error);
    if (status) {
        window->method = before.method;
        window->family = before.family;
    } else if (s->cut.halo)
        s->cut.interval = s->cut.halo / spoiled;
    return status;
}

/* In what the visits suspect, or else everywhere. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    (void)error;
    const struct stream *const s = run->impl;
    *component = -1;
    for (int64_t i = 0; *component < 0 && i < s->cut.count; i++) {
        const int64_t first = begin_of(s, i) * s->cut.row, end = begin_of(s, i + 1) * s->cut.row;
        if (s->is_known && !s->suspects[i]) continue;
        const int64_t at =
            ecl_first_nonfinite(s->shares[i].memory, end - first, run->system.real_size);
        if (at >= 0) *component = first + at;
    }
    return EULERCL_OK;
}

static int monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error);
static const struct state_table state = {write_state, read_state, find_nonfinite, monitor};
static const struct step_table steps = {step, change_method};

static int monitor(
    struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    return ecl_monitor_read(run, &state, plan, parts, error);
}

/* ---- copies, in memory of the host ---- */

struct stream_copy {
    void *y;
    size_t real_size;
};

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    (void)is_read;
    const uint64_t bytes = run->system.state_bytes;
    if (2 * (double)bytes > ecl_mem_machine() / 2)
        return ecl_fail(error, EULERCL_MEMORY,
            "with a copy of the state the run would take %.4g MB of the host, more than half of "
            "its %.4g MB",
            2e-6 * (double)bytes, 1e-6 * ecl_mem_machine());
    struct stream_copy *const made = ecl_mem_zeroed(1, sizeof *made);
    if (!made) return ecl_no_memory(error, "a snapshot");
    made->real_size = run->system.real_size;
    const int status = ecl_mem_state(bytes, "a copy of the state", &made->y, error);
    if (status)
        ecl_mem_free(made);
    else
        *copy = made;
    return status;
}

static void destroy_copy(void *copy) {
    ecl_mem_free(((struct stream_copy *)copy)->y);
    ecl_mem_free(copy);
}

static int take_copy(struct run *run, void *copy, eulercl_error *error) {
    return read_state(run, 0, run->system.n, ((struct stream_copy *)copy)->y, error);
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    return write_state(run, 0, run->system.n, ((struct stream_copy *)copy)->y, error);
}

static int part_of_copy(
    void *copy, int64_t first, int64_t count, const void **y, eulercl_error *error) {
    (void)count, (void)error;
    const struct stream_copy *const c = copy;
    *y = (const char *)c->y + (size_t)first * c->real_size;
    return EULERCL_OK;
}

static const struct copy_table copies = {.create = create_copy,
    .take = take_copy,
    .restore = restore_copy,
    .part = part_of_copy,
    .destroy = destroy_copy};

/* ---- the run ---- */

static void destroy_shares(struct stream *s) {
    for (int64_t i = 0; s->shares && !s->mapped && i < s->cut.count; i++)
        if (s->shares[i].memory && s->is_pinned)
            table_of(s)->memory->unpin(&s->slot, &s->shares[i]);
        else
            ecl_mem_free(s->shares[i].memory);
    ecl_mem_free(s->shares);
    if (s->mapped) munmap(s->mapped, s->mapped_bytes);
    s->mapped = s->shares = NULL;
}

/* The slot, and what is made for it. */
static void destroy_slot(struct stream *s) {
    if (s->in) copies_of(s)->destroy(s->in);
    if (s->out) copies_of(s)->destroy(s->out);
    s->in = s->out = NULL;
    if (s->slot.impl) table_of(s)->destroy(&s->slot);
    s->slot.impl = NULL;
    ecl_system_drop_window(&s->slot.system);
}

static void destroy(struct run *run) {
    struct stream *const s = run->impl;
    destroy_shares(s);
    destroy_slot(s);
    ecl_team_destroy(s->team);
    ecl_mem_free(s->first_rows);
    ecl_mem_free(s->suspects);
    ecl_mem_free(s);
    run->impl = NULL;
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct stream *const s = run->impl;
    const struct stream_cut *const c = &s->cut;
    ecl_add_count(stats, "windows", "", (uint64_t)c->count);
    ecl_add_count(stats, "window_rows", "rows", (uint64_t)c->height);
    ecl_add_count(stats, "halo_steps", "steps", (uint64_t)(c->halo ? c->interval : 0));
    ecl_add_count(stats, "halo_components", "components",
        (uint64_t)(c->count * c->height * c->row - run->system.n));
    ecl_add_total(stats, "visits", "", s->visits);
    ecl_add_total(stats, "streamed_bytes", "bytes", s->loaded + s->stored);
    ecl_add_total(stats, "stream_wait_microseconds", "us", (uint64_t)(1e6 * fmax(s->waited, 0)));
}

static const struct backend table = {
    .destroy = destroy,
    .facts = list_facts,
    .state = &state,
    .steps = &steps,
    .copies = &copies,
};

/* Nothing is left of the file when the program ends, whatever ends it. */
static int map_file(struct stream *s, const struct run *whole, eulercl_error *error) {
    const char *const path = whole->options.state_file;
    const uint64_t bytes = whole->system.state_bytes;
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return ecl_fail(error, EULERCL_FILE, "state_file %s: %s", path, strerror(errno));
    unlink(path);
    /* Without room on the disk a page of it could not be written later, which kills the process. */
    int failure = posix_fallocate(file, 0, (off_t)bytes);
    void *memory = MAP_FAILED;
    if (!failure) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        failure = errno;
    }
    close(file);
    if (memory == MAP_FAILED)
        return ecl_fail(error, EULERCL_FILE, "state_file %s: %.4g MB: %s", path,
            1e-6 * (double)bytes, strerror(failure));
    s->mapped = memory;
    s->mapped_bytes = bytes;
    for (int64_t i = 0; i < s->cut.count; i++)
        s->shares[i].memory = (char *)memory + (size_t)begin_of(s, i) * row_bytes(s);
    return EULERCL_OK;
}

static uint64_t share_bytes(const struct stream *s, int64_t share) {
    return (uint64_t)(begin_of(s, share + 1) - begin_of(s, share)) * row_bytes(s);
}

static void unpin_shares(struct stream *s) {
    for (int64_t i = 0; i < s->cut.count; i++)
        if (s->shares[i].memory) table_of(s)->memory->unpin(&s->slot, &s->shares[i]);
    s->is_pinned = 0;
}

/* Pinned, if the driver has as much of such memory. */
static int make_shares(struct stream *s, const struct run *whole, eulercl_error *error) {
    int status = EULERCL_OK;
    s->shares = ecl_mem_zeroed((uint64_t)s->cut.count, sizeof *s->shares);
    s->suspects = ecl_mem_zeroed((uint64_t)s->cut.count, sizeof *s->suspects);
    s->first_rows = ecl_mem_zeroed((uint64_t)s->cut.halo + 1, row_bytes(s));
    if (!s->shares || !s->suspects || !s->first_rows) return ecl_no_memory(error, "the state");
    if (whole->options.state_file) return map_file(s, whole, error);
    s->is_pinned = table_of(s)->memory != NULL;
    for (int64_t i = 0; s->is_pinned && !status && i < s->cut.count; i++) {
        status = table_of(s)->memory->pin(&s->slot, share_bytes(s, i), &s->shares[i], error);
        if (!status) memset(s->shares[i].memory, 0, share_bytes(s, i));
    }
    if (status != EULERCL_MEMORY && s->is_pinned) return status;
    if (s->is_pinned) unpin_shares(s);
    status = EULERCL_OK;
    for (int64_t i = 0; !status && i < s->cut.count; i++)
        status =
            ecl_mem_state(share_bytes(s, i), "a share of the state", &s->shares[i].memory, error);
    return status;
}

/* On the first window. */
static int make_slot(const eulercl_problem *problem, struct stream *s, const struct run *whole,
    eulercl_error *error) {
    const struct stream_cut *const c = &s->cut;
    const int64_t first = (ecl_stream_first(c, 0) + c->rows) % c->rows;
    s->slot = (struct run){.options = whole->options};
    s->slot.options.device_memory = 0;
    s->slot.options.state_file = NULL;
    int status = ecl_system_window(&whole->system, first, c->height, &s->slot.system, error);
    if (status) return status;
    s->slot.system.kept = c->periodic ? c->halo : 0;
    s->slot.system.kept_end = s->slot.system.kept + begin_of(s, 1);
    s->slot.system.moves = 1;
    status = ecl_settle(problem, &s->slot, NULL, &s->settled, error);
    if (status) {
        s->slot.impl = NULL;
        return status;
    }
    status = copies_of(s)->create(&s->slot, 1, &s->in, error);
    return status ? status : copies_of(s)->create(&s->slot, 1, &s->out, error);
}

/* Bytes that a row of a window takes: the two arrays of the state, the two copies, the carried
 * values. */
static double bytes_of_row(const struct run *whole) {
    const struct system *const s = &whole->system;
    const int is_open = whole->options.rtol > 0 && !whole->options.method,
              arrays = is_open ? ODE_MOST_ARRAYS_ : s->method->arrays;
    return (double)(3 + arrays + (whole->options.rtol > 0)) * (double)ecl_system_row(s) *
               (double)s->real_size +
           (double)ecl_system_row_fields(s);
}

/* Cut the grid so that the slot and its copies take no more than `limit` bytes. */
static int fit_slot(const eulercl_problem *problem, struct stream *s, const struct run *whole,
    double limit, eulercl_error *error) {
    const double each = bytes_of_row(whole);
    double rows = limit / each;
    int status = EULERCL_OK;
    for (int tries = 0; tries < TRIES; tries++) {
        status = ecl_stream_cut(whole, (int64_t)fmin(rows, 0x1p62), &s->cut, error);
        if (!status) status = make_slot(problem, s, whole, error);
        if (status) return status;
        const double used =
            (double)s->slot.report.device_bytes + 2 * (double)s->slot.system.state_bytes;
        /* On the processor the rest is the workspaces of threads, which fit their caches. */
        if (used <= limit || !ecl_backends[s->settled.backend].engine->has_own_memory)
            return EULERCL_OK;
        destroy_slot(s);
        const double height = (double)s->cut.height, other = fmax(used - height * each, 0);
        rows = fmax(fmin((limit - other) / each, 0.9 * fmin(rows, height)), 0);
    }
    return ecl_fail(error, EULERCL_MEMORY,
        "device_memory: windows of the grid cannot be made small enough for %.4g MB", 1e-6 * limit);
}

/* A visit ends with a launch. */
static void fit_interval(struct stream *s, const struct run *whole) {
    const int64_t launch = (int64_t)s->slot.report.steps_per_launch;
    if (s->cut.halo && !TUNED(&whole->options, halo_steps) && launch > 0 &&
        s->cut.interval > launch)
        s->cut.interval -= s->cut.interval % launch;
}

static void describe(struct stream *s, struct run *run, double limit, struct settled *settled) {
    const struct run *const slot = &s->slot;
    char reason[sizeof settled->reason];
    memcpy(reason, s->settled.reason, sizeof reason);
    *settled = s->settled;
    settled->table = &table;
    snprintf(settled->reason, sizeof settled->reason,
        "streams through %lld windows of %lld %s, %.400s", (long long)s->cut.count,
        (long long)s->cut.height,
        grid_last_axis(&run->system.context.grid) ? "rows"
        : has_grid(run->system.definition)        ? "points"
                                                  : "components",
        *reason ? reason : ecl_backends[s->settled.backend].name);
    if (!*settled->note)
        snprintf(settled->note, sizeof settled->note,
            "the state does not fit %.4g MB of %s: it stays on the host, and streams through the "
            "device in windows",
            1e-6 * limit, slot->report.device);
    run->variant = slot->variant;
    run->report = slot->report;
    run->report.device_bytes += 2 * slot->system.state_bytes;
    run->report.memory_bytes = limit;
    run->report.visit_steps = s->cut.halo ? s->cut.interval : 0;
    run->report.predicted_seconds *= (double)s->cut.count;
}

static int settle(const eulercl_problem *problem, struct run *run, double limit,
    struct settled *settled, eulercl_error *error) {
    if (!run->system.definition->windows)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s does not know the windows in which a state streams: its equations see no "
            "global grid",
            run->system.definition->name);
    /* First, since the windows may be large, too. */
    if (!run->options.state_file && (double)run->system.state_bytes > ecl_mem_machine())
        return ecl_fail(error, EULERCL_MEMORY,
            "the state needs %.4g MB, and this machine has %.4g MB: state_file keeps it in a file",
            1e-6 * (double)run->system.state_bytes, 1e-6 * ecl_mem_machine());
    struct stream *const s = ecl_mem_zeroed(1, sizeof *s);
    if (!s) return ecl_no_memory(error, "a solver");
    run->impl = s;
    int status = fit_slot(problem, s, run, limit, error);
    if (!status) status = make_shares(s, run, error);
    if (!status) status = ecl_team_create(&s->team, THREADS, 0, error);
    if (status) {
        destroy(run);
        return status;
    }
    fit_interval(s, run);
    describe(s, run, limit, settled);
    return EULERCL_OK;
}

const struct streaming ecl_streaming = {settle};
