/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/windows.c - a system on several devices at once (doc/design/windows.md). The grid is cut
 * along its last axis into shares of neighbouring rows. A part is a run of any backend on a window
 * of the system: its share, and ghost rows at the cuts, which are copies of the neighbours' rows.
 * The ends of a window are ends of its grid, so a level spoils `radius` ghost rows more, and no own
 * row as long as there are right ones. Then the parts exchange rows. */
#include "config.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../machine.h"
#include "../mem.h"
#include "../plan.h"
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"
#include "../system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_DEVICES = 64,
    MOST_HALO_STEPS = 256,
    USUAL_HALO_LEVELS = 16, /* where no time is predicted */
    DEVICE_NAME = 256
};

struct part {
    struct run run; /* on a window of the system */
    struct settled settled;
    char device[DEVICE_NAME]; /* options.device of the run */
    int64_t begin, end;       /* its share of the rows */
    int64_t first, rows;      /* its window; first is negative where that goes round the grid */
    char *edges[2][2]; /* of exchanges with even and odd numbers: its first and its last own rows */
    double seconds;    /* of exchanges */
    int status;        /* of a job */
    eulercl_error error;
};

struct windows {
    struct part *parts;
    int64_t count, rows, row; /* rows of the whole grid; components in one */
    int periodic; /* there are ghost rows beyond the ends of the grid */
    int64_t halo;     /* ghost rows at a cut */
    int64_t interval; /* steps that they are enough for */
    int64_t valid;    /* steps that can be made before the next exchange */
    struct team *team;
    struct flag *flags;   /* per part: exchanges of the present job whose rows are ready */
    struct batch batch;   /* the job: its steps, */
    int is_refreshed;     /* after an exchange, unless nothing is spoiled */
    uint64_t exchanges, sent; /* bytes */
};

static const struct backend *table_of(const struct part *p) { return p->settled.table; }

/* ---- the list of devices ---- */

static int add_device(char devices[][DEVICE_NAME], int64_t *count, const char *name, size_t length,
    eulercl_error *error) {
    if (!length || length >= DEVICE_NAME)
        return eulercl_fail(error, EULERCL_INVALID, "devices contains %s name",
            length ? "a too long" : "an empty");
    if (*count == MOST_DEVICES)
        return eulercl_fail(error, EULERCL_INVALID, "more than %d devices", MOST_DEVICES);
    memcpy(devices[*count], name, length);
    devices[(*count)++][length] = '\0';
    return EULERCL_OK;
}

static int add_gpus(char devices[][DEVICE_NAME], int64_t *count, eulercl_error *error) {
    eulercl_device_info info = {.struct_size = sizeof info};
    int status = EULERCL_OK;
    for (size_t i = 0; !status && !eulercl_get_device(i, &info, NULL); i++)
        if (info.is_gpu) status = add_device(devices, count, info.id, strlen(info.id), error);
    return status || *count ? status
                            : eulercl_fail(error, EULERCL_NO_DEVICE,
                                  "devices = all: there is no GPU; name the devices, or leave this "
                                  "option out");
}

static int list_devices(const eulercl_options *options, char devices[][DEVICE_NAME], int64_t *count,
    eulercl_error *error) {
    int status = EULERCL_OK;
    *count = 0;
    if (!strcmp(options->devices, "all")) return add_gpus(devices, count, error);
    for (const char *name = options->devices; !status && name;) {
        const size_t length = strcspn(name, ",");
        status = add_device(devices, count, name, length, error);
        name = name[length] ? name + length + 1 : NULL;
    }
    return status;
}

int eulercl_verify_devices(const eulercl_options *options, eulercl_error *error) {
    char devices[MOST_DEVICES][DEVICE_NAME];
    int64_t count;
    int status = list_devices(options, devices, &count, error);
    for (int64_t i = 0; !status && i < count; i++) {
        eulercl_options one = *options;
        one.devices = NULL;
        one.device = devices[i];
        status = eulercl_options_verify(&one, error);
    }
    return status;
}

/* ---- shares ---- */

/* Rows beside its own that a part needs for a step. One alone has all of the grid, and its ends. */
static int64_t reach_of(const struct windows *w, const struct system *s) {
    return w->count > 1 ? s->method->stages * (int64_t)s->context.grid.radius : 0;
}

static void cut(struct windows *w, struct part *p, int64_t begin, int64_t end) {
    p->begin = begin;
    p->end = end;
    p->first = deal_reach_down(begin, w->halo, w->periodic);
    p->rows = deal_reach_up(end, w->halo, w->rows, w->periodic) - p->first;
}

static int make_window(struct windows *w, const struct run *whole, struct part *p,
    const eulercl_options *options, eulercl_error *error) {
    p->run = (struct run){.options = *options};
    p->run.options.device = p->device;
    p->run.options.devices = NULL;
    return eulercl_system_window(
        &whole->system, (p->first + w->rows) % w->rows, p->rows, &p->run.system, error);
}

/* The predicted seconds of a step on an equal share; 0: not known. */
static int predict(struct windows *w, const struct run *whole, struct part *p, double *seconds,
    eulercl_error *error) {
    struct plan *plan = NULL;
    int status = make_window(w, whole, p, &whole->options, error);
    *seconds = 0;
    if (!status) status = eulercl_plan_make(&p->run, &plan, error);
    if (!status && plan->count) *seconds = plan->proposals[0].step_seconds;
    eulercl_mem_free(plan);
    eulercl_system_drop_window(&p->run.system);
    return status;
}

/* Steps between two exchanges. Each of them makes a step longer by the ghosts that are computed,
 * and shorter by its share of an exchange: the sum is least where both are equal. */
static int64_t choose_halo_steps(
    const struct windows *w, const struct run *whole, double step_seconds) {
    const int64_t asked = TUNED(&whole->options, halo_steps);
    const double reach = (double)reach_of(w, &whole->system),
                 row_seconds = step_seconds * (double)w->count / (double)w->rows,
                 best = sqrt(machine_exchange_seconds / (2 * reach * row_seconds));
    if (asked) return asked;
    if (!(step_seconds > 0)) return int_max(USUAL_HALO_LEVELS / whole->system.method->stages, 1);
    return (int64_t)fmin(fmax(best, 1), MOST_HALO_STEPS);
}

/* Shares in proportion to the speeds, so that all parts take the same time. */
static int share_out(struct windows *w, const struct run *whole, eulercl_error *error) {
    const int64_t reach = reach_of(w, &whole->system), equal = w->rows / w->count,
                  least = w->count > 1
                              ? int_max(reach, (int64_t)whole->system.context.grid.radius + 1)
                              : 1;
    double seconds[MOST_DEVICES], speed = 0, most = 0, done = 0;
    if (equal < least)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "%lld rows are too few for %lld devices: each needs at least %lld for a step of method "
            "%s",
            (long long)w->rows, (long long)w->count, (long long)least, whole->system.method->name);
    int status = EULERCL_OK, is_known = 1;
    for (int64_t i = 0; !status && i < w->count; i++) {
        cut(w, &w->parts[i], i * equal, (i + 1) * equal);
        status = predict(w, whole, &w->parts[i], &seconds[i], error); /* same devices: the same */
        is_known &= seconds[i] > 0;
        most = fmax(most, seconds[i]);
    }
    if (status) return status;
    for (int64_t i = 0; i < w->count; i++) speed += is_known ? 1 / seconds[i] : 1;
    /* All cuts first, since the halo depends on the smallest share. */
    int64_t smallest = w->rows, cuts[MOST_DEVICES + 1] = {0};
    for (int64_t i = 0; i < w->count; i++) {
        done += is_known ? 1 / seconds[i] : 1;
        const int64_t before = cuts[i] + least, after = w->rows - (w->count - 1 - i) * least;
        cuts[i + 1] = i + 1 == w->count
                          ? w->rows
                          : int_min(int_max(llround(done / speed * (double)w->rows), before), after);
        smallest = int_min(smallest, cuts[i + 1] - cuts[i]);
    }
    const int64_t wanted = choose_halo_steps(w, whole, most),
                  fits = reach ? smallest / reach : wanted;
    if (TUNED(&whole->options, halo_steps) > fits)
        return eulercl_fail(error, EULERCL_INVALID,
            "halo_steps = %lld is too large: the smallest share has %lld rows, enough for %lld",
            (long long)wanted, (long long)smallest, (long long)fits);
    w->interval = int_min(wanted, fits);
    w->halo = w->interval * reach;
    if (!reach) w->interval = INT64_MAX; /* nothing is ever spoiled */
    w->valid = w->interval;
    for (int64_t i = 0; i < w->count; i++) cut(w, &w->parts[i], cuts[i], cuts[i + 1]);
    return EULERCL_OK;
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

/* Do `move` with what the rows begin .. end-1 of a part have in common with the components first ..
 * first + count - 1. */
typedef int mover(struct part *p, int64_t at, int64_t count, char *y, eulercl_error *error);
static int move_rows(const struct windows *w, struct part *p, int64_t begin, int64_t end,
    int64_t first, int64_t count, char *y, mover *move, eulercl_error *error) {
    const size_t size = p->run.system.real_size;
    int status = EULERCL_OK;
    for (int64_t row = begin; !status && row < end;) {
        const struct piece piece = piece_of(w, p, row, end);
        const int64_t from = int_max(piece.from, first),
                      to = int_min(piece.from + piece.count, first + count);
        if (from < to)
            status = move(p, piece.at + from - piece.from, to - from,
                y + (size_t)(from - first) * size, error);
        row += piece.count / w->row;
    }
    return status;
}

static int put(struct part *p, int64_t at, int64_t count, char *y, eulercl_error *error) {
    return table_of(p)->write(&p->run, at, count, y, error);
}
static int get(struct part *p, int64_t at, int64_t count, char *y, eulercl_error *error) {
    return table_of(p)->read(&p->run, at, count, y, error);
}

static int write_state(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    struct windows *const w = run->impl;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->count; i++)
        status = move_rows(w, &w->parts[i], 0, w->parts[i].rows, first, count, (char *)(uintptr_t)y,
            put, error);
    if (!status && count == run->system.n) w->valid = w->interval;
    return status;
}

static int read_state(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error) {
    struct windows *const w = run->impl;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        status = move_rows(
            w, p, p->begin - p->first, p->end - p->first, first, count, y, get, error);
    }
    return status;
}

/* ---- steps ---- */

/* Send the own rows that are ghosts of the neighbours, and take the own ghosts. Both neighbours may
 * be the same part, and this one itself. A neighbour takes the rows of exchange k before it
 * publishes those of k + 1, so those of k + 2 may stand in their place. */
static void exchange(struct windows *w, struct part *p, int64_t number) {
    const int64_t index = p - w->parts, own = p->begin - p->first, reals = w->halo * w->row;
    const int has_before = own > 0, has_after = p->rows > p->end - p->first;
    struct part *const before = &w->parts[(index + w->count - 1) % w->count],
                       *const after = &w->parts[(index + 1) % w->count];
    char *const *const edges = p->edges[number % 2];
    const double start = eulercl_now();
    if (!p->status && has_before)
        p->status = get(p, own * w->row, reals, edges[0], &p->error);
    if (!p->status && has_after)
        p->status = get(p, (p->end - p->first - w->halo) * w->row, reals, edges[1], &p->error);
    eulercl_flag_publish(&w->flags[index], number);
    eulercl_flag_wait(&w->flags[before - w->parts], number);
    eulercl_flag_wait(&w->flags[after - w->parts], number);
    if (!p->status && has_before)
        p->status = put(p, 0, reals, before->edges[number % 2][1], &p->error);
    if (!p->status && has_after)
        p->status =
            put(p, (p->end - p->first) * w->row, reals, after->edges[number % 2][0], &p->error);
    p->seconds += eulercl_now() - start;
}

/* A part that has failed goes on taking part in exchanges, for which others wait. */
static void work(void *user, int64_t index) {
    struct windows *const w = user;
    struct part *const p = &w->parts[index];
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
        if (!p->status) p->status = table_of(p)->step(&p->run, &batch, &seconds, &p->error);
        if (w->halo) valid -= batch.steps;
        done += batch.steps;
    }
}

/* What `work` leaves in w->valid, and how many exchanges it makes. */
static void account(struct windows *w) {
    int64_t exchanges = 0, steps = w->batch.steps;
    if (w->is_refreshed && w->valid < w->interval) {
        exchanges++;
        w->valid = w->interval;
    }
    if (w->halo && steps > w->valid) {
        const int64_t more = int_ceil(steps - w->valid, w->interval);
        exchanges += more;
        w->valid += more * w->interval;
    }
    if (w->halo) w->valid -= steps;
    w->exchanges += (uint64_t)exchanges;
    for (int64_t i = 0; i < w->count; i++) {
        const struct part *const p = &w->parts[i];
        w->sent += (uint64_t)(exchanges * (p->rows - (p->end - p->begin)) * w->row) *
                   p->run.system.real_size;
    }
}

static int run_job(struct windows *w, eulercl_error *error) {
    for (int64_t i = 0; i < w->count; i++) {
        w->parts[i].status = EULERCL_OK;
        eulercl_flag_publish(&w->flags[i], 0);
    }
    int status = eulercl_team_run(w->team, work, w, error);
    if (!status) account(w);
    for (int64_t i = 0; !status && i < w->count; i++)
        if (w->parts[i].status) status = eulercl_fail_as(error, &w->parts[i].error);
    return status;
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct windows *const w = run->impl;
    const double start = eulercl_now();
    uint64_t launches = 0;
    w->batch = *batch;
    w->is_refreshed = 0;
    const int status = run_job(w, error);
    *seconds = eulercl_now() - start;
    for (int64_t i = 0; i < w->count; i++) launches += w->parts[i].run.launches;
    run->launches = launches;
    return status;
}

/* Spoiled ghosts may be anything, so right ones take their place before the search. */
static int find_nonfinite(struct run *run, int64_t *component, eulercl_error *error) {
    struct windows *const w = run->impl;
    w->batch.steps = 0;
    w->is_refreshed = 1;
    int status = run_job(w, error);
    *component = -1;
    for (int64_t i = 0; !status && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        int64_t found;
        status = table_of(p)->find_nonfinite(&p->run, &found, error);
        if (!status && found >= 0 && found / w->row < -p->first) {
            /* In a ghost from the other end of the grid, where it hides those in own rows. */
            const int64_t reals = w->halo * w->row;
            memset(p->edges[0][0], 0, (size_t)reals * p->run.system.real_size);
            w->valid = 0;
            status = put(p, 0, reals, p->edges[0][0], error);
            if (!status) status = table_of(p)->find_nonfinite(&p->run, &found, error);
        }
        if (status || found < 0) continue;
        const struct piece piece = piece_of(w, p, found / w->row, p->rows);
        const int64_t at = piece.from + found % w->row;
        if (*component < 0 || at < *component) *component = at;
    }
    return status;
}

/* ---- copies ---- */

struct windows_copy {
    struct windows *windows;
    void **copies;  /* of the parts */
    int64_t valid;
    char *part;     /* SNAPSHOT_PART reals; NULL: it is not read */
    size_t real_size;
    int64_t index;        /* the part of the run that is being read, */
    int64_t done, count;  /* its reals before and in the present part of its copy, which is */
    const char *y;
};

static void destroy_copy(void *copy) {
    struct windows_copy *const c = copy;
    for (int64_t i = 0; c->copies && i < c->windows->count; i++)
        if (c->copies[i]) table_of(&c->windows->parts[i])->copies->destroy(c->copies[i]);
    eulercl_mem_free(c->copies);
    eulercl_mem_free(c->part);
    eulercl_mem_free(c);
}

static int create_copy(struct run *run, int is_read, void **copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    struct windows_copy *const c = eulercl_mem_zeroed(1, sizeof *c);
    if (!c) return eulercl_no_memory(error, "a snapshot");
    *c = (struct windows_copy){.windows = w, .real_size = run->system.real_size};
    int status = EULERCL_OK;
    c->copies = eulercl_mem_zeroed((uint64_t)w->count, sizeof *c->copies);
    if (is_read) c->part = eulercl_mem_zeroed(SNAPSHOT_PART, c->real_size);
    if (!c->copies || (is_read && !c->part)) status = eulercl_no_memory(error, "a snapshot");
    for (int64_t i = 0; !status && i < w->count; i++)
        status = table_of(&w->parts[i])
                     ->copies->create(&w->parts[i].run, is_read, &c->copies[i], error);
    if (status)
        destroy_copy(c);
    else
        *copy = c;
    return status;
}

static int take_copy(struct run *run, void *copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    struct windows_copy *const c = copy;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->count; i++)
        status = table_of(&w->parts[i])->copies->take(&w->parts[i].run, c->copies[i], error);
    c->valid = w->valid;
    return status;
}

static int restore_copy(struct run *run, void *copy, eulercl_error *error) {
    struct windows *const w = run->impl;
    const struct windows_copy *const c = copy;
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->count; i++)
        status = table_of(&w->parts[i])->copies->restore(&w->parts[i].run, c->copies[i], error);
    w->valid = c->valid;
    return status;
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
            const int status = table_of(p)->copies->part(
                c->copies[c->index], c->done, c->count, &next, error);
            if (status) return status;
            c->y = next;
        }
        const int64_t to = int_min(int_min(end, p->end * w->row),
                          at - own + c->done + c->count);
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

static void destroy(struct run *run) {
    struct windows *const w = run->impl;
    for (int64_t i = 0; w->parts && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        if (p->run.impl) table_of(p)->destroy(&p->run);
        eulercl_system_drop_window(&p->run.system);
        for (int k = 0; k < 2; k++)
            for (int side = 0; side < 2; side++) eulercl_mem_free(p->edges[k][side]);
    }
    eulercl_team_destroy(w->team);
    eulercl_mem_free(w->flags);
    eulercl_mem_free(w->parts);
    eulercl_mem_free(w);
    run->impl = NULL;
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct windows *const w = run->impl;
    uint64_t redundant = 0;
    double seconds = 0;
    for (int64_t i = 0; i < w->count; i++) {
        const struct part *const p = &w->parts[i];
        redundant += (uint64_t)((p->rows - (p->end - p->begin)) * w->row);
        seconds = fmax(seconds, p->seconds);
    }
    eulercl_add_count(stats, "devices", "", (uint64_t)w->count);
    eulercl_add_count(stats, "halo_steps", "steps", (uint64_t)(w->halo ? w->interval : 0));
    eulercl_add_count(stats, "halo_components", "components", redundant);
    eulercl_add_total(stats, "exchanges", "", w->exchanges);
    eulercl_add_total(stats, "exchanged_bytes", "bytes", w->sent);
    eulercl_add_total(stats, "exchange_microseconds", "us", (uint64_t)(1e6 * seconds));
}

static const struct backend table = {
    .destroy = destroy,
    .write = write_state,
    .read = read_state,
    .step = step,
    .find_nonfinite = find_nonfinite,
    .copies = &copies,
    .facts = list_facts,
};

static int make_edges(const struct windows *w, struct part *p, eulercl_error *error) {
    const uint64_t reals = (uint64_t)(w->halo * w->row);
    int status = EULERCL_OK;
    for (int k = 0; reals && k < 2; k++)
        for (int side = 0; !status && side < 2; side++)
            if (!(p->edges[k][side] = eulercl_mem_zeroed(reals, p->run.system.real_size)))
                status = eulercl_no_memory(error, "the rows that devices exchange");
    return status;
}

/* Launches of several steps: an exchange at the end of one of them. */
static void fit_interval(struct windows *w, const struct run *whole) {
    const int64_t launch = (int64_t)w->parts[0].run.steps_per_launch;
    if (!w->halo || TUNED(&whole->options, halo_steps) || launch < 1 || w->interval <= launch)
        return;
    w->interval -= w->interval % launch;
    w->valid = w->interval;
}

static void describe(struct windows *w, struct run *run, struct settled *settled) {
    size_t used = 0, name = 0, id = 0;
    int has_ids = 0;
    *settled = w->parts[0].settled;
    settled->table = &table;
    run->variant = w->parts[0].run.variant;
    run->steps_per_launch = w->parts[0].run.steps_per_launch;
    *settled->reason = '\0';
    for (int64_t i = 0; i < w->count; i++) {
        struct part *const p = &w->parts[i];
        const struct run *const r = &p->run;
        const char *const comma = i ? ", " : "";
        const char *const backend = eulercl_backends[p->settled.backend].name;
        if (used < sizeof settled->reason)
            used += (size_t)snprintf(settled->reason + used, sizeof settled->reason - used,
                "%s%s: %lld rows by %s", comma, p->device, (long long)(p->end - p->begin), backend);
        if (name < sizeof run->device)
            name += (size_t)snprintf(
                run->device + name, sizeof run->device - name, "%s%s", comma, r->device);
        if (id < sizeof run->device_id)
            id += (size_t)snprintf(run->device_id + id, sizeof run->device_id - id, "%s%s",
                i ? "," : "", *r->device_id ? r->device_id : p->device);
        has_ids |= *r->device_id != '\0';
        if (eulercl_backends[p->settled.backend].engine->is_opencl)
            settled->backend = p->settled.backend;
        if (!*settled->note) snprintf(settled->note, sizeof settled->note, "%s", r->note);
        run->device_bytes += r->device_bytes;
        run->memory_bytes += r->memory_bytes;
        run->build_seconds += r->build_seconds;
        run->threads += r->threads;
    }
    if (!has_ids) *run->device_id = '\0';
}

static int check(const struct run *run, eulercl_error *error) {
    if (!run->system.context.grid.rank)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s is in the general form: only grids can be cut for several devices",
            run->system.definition->name);
    if (!run->system.definition->windows)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s was compiled with an older header, or by hand: it does not know windows "
            "for several devices",
            run->system.definition->name);
    return EULERCL_OK;
}

static int make_parts(const eulercl_problem *problem, struct windows *w, struct run *run,
    eulercl_error *error) {
    int status = share_out(w, run, error);
    for (int64_t i = 0; !status && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        status = make_window(w, run, p, &run->options, error);
        if (!status) status = eulercl_settle(problem, &p->run, &p->settled, error);
        if (status) p->run.impl = NULL;
        if (!status) status = make_edges(w, p, error);
    }
    return status ? status : eulercl_team_create(&w->team, w->count, 0, error);
}

int eulercl_settle_windows(const eulercl_problem *problem, struct run *run,
    struct settled *settled, eulercl_error *error) {
    char devices[MOST_DEVICES][DEVICE_NAME];
    int64_t count;
    int status = check(run, error);
    if (!status) status = list_devices(&run->options, devices, &count, error);
    if (status) return status;
    struct windows *const w = eulercl_mem_zeroed(1, sizeof *w);
    if (!w) return eulercl_no_memory(error, "a solver");
    const struct ode_grid *const grid = &run->system.context.grid;
    run->impl = w;
    w->count = count;
    w->rows = grid->extents[grid->rank - 1];
    w->row = eulercl_system_row(&run->system);
    w->periodic = count > 1 && grid->boundary == ODE_PERIODIC;
    w->parts = eulercl_mem_zeroed((uint64_t)count, sizeof *w->parts);
    w->flags = eulercl_mem_zeroed((uint64_t)count, sizeof *w->flags);
    if (!w->parts || !w->flags) status = eulercl_no_memory(error, "a solver");
    for (int64_t i = 0; !status && i < count; i++)
        memcpy(w->parts[i].device, devices[i], DEVICE_NAME);
    if (!status) status = make_parts(problem, w, run, error);
    if (status) {
        destroy(run);
        return status;
    }
    fit_interval(w, run);
    describe(w, run, settled);
    return EULERCL_OK;
}
