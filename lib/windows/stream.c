/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/stream.c - see stream.h: the run, which the solver treats like any other. */
#include "config.h"
#include "stream.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../mem.h"
#include "../problem/coefficients.h"
#include "../reals.h"
#include "../run/reduce.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TRIES = 4 }; /* to make windows that are small enough */

/* ---- the state ---- */

/* Call `move` for what is in each share of components first .. first + count - 1. */
static void each_piece(const struct stream *s, int64_t first, int64_t count, char *y,
    void (*move)(char *state, char *y, size_t bytes)) {
    const size_t size = s->slot.system.real_size;
    for (int64_t done = 0; done < count;) {
        const int64_t share = ecl_stream_share(&s->cut, (first + done) / s->cut.row),
                      begin = stream_begin(s, share) * s->cut.row,
                      end = stream_begin(s, share + 1) * s->cut.row,
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

/* ---- what else there is ---- */

static int change_method(struct run *run, eulercl_error *error) {
    struct stream *const s = run->impl;
    struct system *const window = &s->slot.system;
    const struct system before = *window;
    const int64_t reach = ecl_system_radius(&run->system),
                  spoiled = run->system.method->stages * reach;
    if (s->cut.halo && spoiled > s->cut.halo)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "a step of %d stages reads %lld %s further, but the windows of the device have "
            "ghosts "
            "of %lld: give it more memory, or set stages",
            run->system.method->stages, (long long)spoiled,
            ecl_grid_layers(&run->system.definition->grid), (long long)s->cut.halo);
    ecl_system_follow(window, &run->system);
    const int status = slot_table(s)->steps->change_method(&s->slot, error);
    if (status)
        ecl_system_follow(window, &before);
    else if (s->cut.halo)
        s->cut.interval = s->cut.halo / spoiled;
    return status;
}

/* In what the visits suspect, or else everywhere. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    (void)error;
    const struct stream *const s = run->impl;
    *component = -1;
    for (int64_t i = 0; *component < 0 && i < s->cut.count; i++) {
        const int64_t first = stream_begin(s, i) * s->cut.row,
                      end = stream_begin(s, i + 1) * s->cut.row;
        if (s->is_known && !s->suspects[i]) continue;
        const int64_t at =
            ecl_first_nonfinite(s->shares[i].memory, end - first, run->system.real_size);
        if (at >= 0) *component = first + at;
    }
    return EULERCL_OK;
}

static int reduce(
    struct run *run, const struct reduction *reduction, double *numbers, eulercl_error *error);
/* The coefficients of a window are copied in each visit. */
static const struct state_table state = {write_state, read_state, find_nonfinite, reduce, NULL};
static const struct step_table steps = {ecl_stream_step, change_method};

static int reduce(
    struct run *run, const struct reduction *reduction, double *numbers, eulercl_error *error) {
    return ecl_reduce_read(run, &state, reduction, numbers, error);
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
            slot_table(s)->memory->unpin(&s->slot, &s->shares[i]);
        else
            ecl_mem_free(s->shares[i].memory);
    ecl_mem_free(s->shares);
    if (s->mapped) munmap(s->mapped, s->mapped_bytes);
    s->mapped = s->shares = NULL;
}

/* The slot, and what is made for it. */
static void destroy_slot(struct stream *s) {
    if (s->in) slot_table(s)->copies->destroy(s->in);
    if (s->out) slot_table(s)->copies->destroy(s->out);
    s->in = s->out = NULL;
    if (s->slot.impl) slot_table(s)->destroy(&s->slot);
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
        s->shares[i].memory = (char *)memory + (size_t)stream_begin(s, i) * stream_row_bytes(s);
    return EULERCL_OK;
}

static uint64_t share_bytes(const struct stream *s, int64_t share) {
    return (uint64_t)(stream_begin(s, share + 1) - stream_begin(s, share)) * stream_row_bytes(s);
}

static void unpin_shares(struct stream *s) {
    for (int64_t i = 0; i < s->cut.count; i++)
        if (s->shares[i].memory) slot_table(s)->memory->unpin(&s->slot, &s->shares[i]);
    s->is_pinned = 0;
}

/* Pinned, if the driver has as much of such memory. */
static int make_shares(struct stream *s, const struct run *whole, eulercl_error *error) {
    int status = EULERCL_OK;
    s->shares = ecl_mem_zeroed((uint64_t)s->cut.count, sizeof *s->shares);
    s->suspects = ecl_mem_zeroed((uint64_t)s->cut.count, sizeof *s->suspects);
    s->first_rows = ecl_mem_zeroed((uint64_t)s->cut.halo + 1, stream_row_bytes(s));
    if (!s->shares || !s->suspects || !s->first_rows) return ecl_no_memory(error, "the state");
    if (whole->options.state_file) return map_file(s, whole, error);
    s->is_pinned = slot_table(s)->memory != NULL;
    for (int64_t i = 0; s->is_pinned && !status && i < s->cut.count; i++) {
        status = slot_table(s)->memory->pin(&s->slot, share_bytes(s, i), &s->shares[i], error);
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
    s->slot.system.kept_end = s->slot.system.kept + stream_begin(s, 1);
    s->slot.system.moves = 1;
    status = ecl_settle(problem, &s->slot, NULL, &s->settled, error);
    if (status) {
        s->slot.impl = NULL;
        return status;
    }
    status = slot_table(s)->copies->create(&s->slot, 1, &s->in, error);
    return status ? status : slot_table(s)->copies->create(&s->slot, 1, &s->out, error);
}

/* Bytes that a row of a window takes: the two arrays of the state, the two copies, the carried
 * values. */
static double bytes_of_row(const struct run *whole) {
    const struct system *const s = &whole->system;
    const int is_open = whole->options.rtol > 0 && !whole->options.method,
              arrays = is_open ? ODE_MOST_ARRAYS_ : s->method->arrays;
    return (double)(3 + arrays + (whole->options.rtol > 0)) * (double)ecl_system_row(s) *
               (double)s->real_size +
           (double)ecl_plane_row(&s->context.grid) *
               (double)ecl_coefficient_bytes(s->definition, s->real_size);
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
        (long long)s->cut.height, ecl_grid_layers(&run->system.definition->grid),
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
    const char *const inseparable = ecl_why_inseparable(&run->system);
    if (inseparable) return ecl_fail(error, EULERCL_UNSUPPORTED, "device_memory: %s", inseparable);
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
    if (!status) status = ecl_team_create(&s->team, STREAM_THREADS, 0, error);
    if (status) {
        destroy(run);
        return status;
    }
    fit_interval(s, run);
    describe(s, run, limit, settled);
    return EULERCL_OK;
}

const struct streaming ecl_streaming = {settle};
