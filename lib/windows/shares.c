/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/shares.c - which devices share a grid, and how much of it each gets. */
#include "config.h"
#include "windows.h"
#include "../cpu/cores.h"
#include "../problem/grid.h"
#include "../int.h"
#include "../machine/machine.h"
#include "../mem.h"
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"
#include <math.h>
#include <string.h>

enum {
    MOST_HALO_STEPS = 65536,
    USUAL_HALO_LEVELS = 16, /* where no time is predicted */
};

/* ---- the list of devices ---- */

/* A list of names for options.device; of several processes on this host those that are this one's
 * turn. */
struct devices {
    char (*names)[DEVICE_NAME];
    int64_t count, seen, local, locals;
};

static int add(struct devices *d, const char *name, size_t length, eulercl_error *error) {
    if (!length || length >= DEVICE_NAME)
        return ecl_fail(error, EULERCL_INVALID, "devices: %s name",
            length ? "a name is too long" : "there is an empty");
    if (d->seen++ % d->locals != d->local) return EULERCL_OK;
    if (d->count == MOST_PARTS)
        return ecl_fail(error, EULERCL_INVALID, "there are more than %d devices", MOST_PARTS);
    memcpy(d->names[d->count], name, length);
    d->names[d->count++][length] = '\0';
    return EULERCL_OK;
}

static int add_gpus(struct devices *d, eulercl_error *error) {
    eulercl_device_info info = {.struct_size = sizeof info};
    int status = EULERCL_OK;
    for (size_t i = 0; !status && !eulercl_get_device(i, &info, NULL); i++)
        if (info.is_gpu) status = add(d, info.id, strlen(info.id), error);
    return status;
}

static int add_list(struct devices *d, const char *list, eulercl_error *error) {
    int status = EULERCL_OK;
    for (const char *name = list; !status && name;) {
        const size_t length = strcspn(name, ",");
        status = add(d, name, length, error);
        name = name[length] ? name + length + 1 : NULL;
    }
    return status;
}

/* The device of the backend, or else the one that the user has named; NULL: neither. */
static const char *one_device(const eulercl_options *options) {
    size_t backend;
    const char *const only =
        ecl_is_automatic(options) || ecl_find_backend(options->backend, &backend, NULL)
            ? NULL
            : ecl_backends[backend].engine->only_device;
    return only ? only : ecl_wanted_device(options);
}

/* Without a list, each of several processes takes the device that is named, or the processor if the
 * backend is one of it, or a GPU of its own, or the processor. */
static int list_devices(const eulercl_options *options, struct devices *d, eulercl_error *error) {
    const char *const list = options->devices, *const one = list ? ecl_wanted_device(options)
                                                                 : one_device(options);
    if (list && strcmp(list, "all")) return add_list(d, list, error);
    if (!list && one && strcmp(one, "gpu")) {
        d->locals = 1;
        d->local = 0;
        return add(d, one, strlen(one), error);
    }
    const int status = add_gpus(d, error);
    if (status || d->seen) return status;
    if (list || one)
        return ecl_fail(error, EULERCL_NO_DEVICE,
            "there is no GPU: name other devices, or leave the option out");
    d->locals = 1;
    d->local = 0;
    return add(d, "cpu", 3, error);
}

static int list_for(const eulercl_options *options, const struct transport *transport,
    struct devices *d, eulercl_error *error) {
    d->local = transport ? transport->local : 0;
    d->locals = transport ? transport->locals : 1;
    d->count = d->seen = 0;
    d->names = ecl_mem_zeroed(MOST_PARTS, sizeof *d->names);
    if (!d->names) return ecl_no_memory(error, "the names of devices");
    const int status = list_devices(options, d, error);
    return status || d->count
               ? status
               : ecl_fail(error, EULERCL_INVALID,
                     "%lld processes on this host are too many for %lld device%s: start fewer, or "
                     "name more devices",
                     (long long)d->locals, (long long)d->seen, d->seen == 1 ? "" : "s");
}

int ecl_windows_verify(const eulercl_options *options, eulercl_error *error) {
    struct devices devices;
    int status = list_for(options, NULL, &devices, error);
    for (int64_t i = 0; !status && i < devices.count; i++) {
        eulercl_options one = *options;
        one.devices = NULL;
        one.device = devices.names[i];
        status = eulercl_options_verify(&one, error);
    }
    ecl_mem_free(devices.names);
    return status;
}

/* The parts of all processes, in the order of their ranks. */
static int list_parts(struct windows *w, const struct run *whole, eulercl_error *error) {
    const struct transport *const t = w->transport;
    struct devices d;
    int status = ecl_transport_agree(w->transport, list_for(&whole->options, t, &d, error), error);
    for (int64_t rank = 0; !status && rank < (t ? t->ranks : 1); rank++) {
        const int is_here = !t || rank == t->rank;
        int64_t count = d.count;
        if (t) status = t->broadcast(t->user, rank, &count, sizeof count, error);
        if (is_here) w->here = w->count;
        if (!status && (count < 1 || count > MOST_PARTS - w->count))
            status = ecl_fail(error, EULERCL_INVALID, "there are more than %d devices", MOST_PARTS);
        for (int64_t i = 0; !status && i < count; i++) {
            struct part *const p = &w->parts[w->count++];
            p->rank = rank;
            if (is_here) memcpy(p->device, d.names[i], DEVICE_NAME);
        }
    }
    w->here_count = d.count;
    ecl_mem_free(d.names);
    return status;
}

/* ---- shares ---- */

int64_t ecl_windows_unit(const struct run *whole) {
    return has_grid(whole->system.definition) ? 1 : 4;
}

int64_t ecl_windows_reach(const struct run *whole, int64_t stages) {
    int64_t reach;
    return __builtin_mul_overflow(stages, ecl_system_radius(&whole->system), &reach) ? INT64_MAX
                                                                                     : reach;
}

/* The fewest rows of a share: those that a step reads. */
static int64_t least_of(const struct run *whole) {
    const int64_t reach = ecl_windows_reach(whole, whole->system.method->stages),
                  least = int_max(reach, ecl_system_radius(&whole->system) + 1) +
                          (TUNED(&whole->options, verify_halos) > 0 ? ecl_windows_unit(whole) : 0);
    return least > INT64_MAX / 2
               ? least
               : int_ceil(least, ecl_windows_unit(whole)) * ecl_windows_unit(whole);
}

static void cut(const struct windows *w, struct part *p, int64_t begin, int64_t end) {
    p->begin = begin;
    p->end = end;
    p->first = deal_reach_down(begin, w->halo, w->periodic);
    p->rows = deal_reach_up(end, w->halo, w->rows, w->periodic) - p->first;
}

/* Parts on this host that may use the same cores: those on the same device, here and in
 * processes with the same cores. */
static int64_t count_users(const struct windows *w, const struct part *p) {
    int64_t same = 0;
    for (int64_t i = 0; i < w->here_count; i++)
        same += !strcmp(w->parts[w->here + i].device, p->device);
    return same * (w->transport ? w->transport->sharing : 1);
}

int ecl_windows_make_run(
    const struct windows *w, const struct run *whole, struct part *p, eulercl_error *error) {
    p->run = (struct run){.options = whole->options};
    p->run.options.device = p->device;
    p->run.options.devices = NULL;
    const int64_t users = count_users(w, p);
    if (users > 1 && TUNED(&p->run.options, threads) < 1)
        TUNE(&p->run.options, threads, int_max(ecl_cores().count / users, 1));
    const int status = ecl_system_window(
        &whole->system, (p->first + w->rows) % w->rows, p->rows, &p->run.system, error);
    p->run.system.kept = p->begin - p->first;
    p->run.system.kept_end = p->end - p->first;
    return status;
}

/* Of an equal share: the seconds of a step, 0: not known; the steps between two visits to memory.
 */
struct prediction {
    double seconds;
    int64_t steps;
};

static int predict(const struct windows *w, const struct run *whole, struct part *p,
    struct prediction *prediction, eulercl_error *error) {
    struct plan *plan = NULL;
    int status = ecl_windows_make_run(w, whole, p, error);
    if (!status) status = ecl_plan_make(&p->run, &plan, error);
    if (!status && plan->count)
        *prediction = (struct prediction){
            plan->proposals[0].step_seconds, int_max(plan->proposals[0].steps, 1)};
    ecl_mem_free(plan);
    ecl_system_drop_window(&p->run.system);
    return status;
}

/* Seconds of an exchange, whatever it moves; with processes, about what a message takes to reach
 * all of them. The first few calls make the connections. */
static int time_exchange(const struct transport *t, double *seconds, eulercl_error *error) {
    enum { CALLS = 10 };
    double least = INFINITY;
    int64_t nothing = 0;
    int status = EULERCL_OK;
    for (int i = 0; t && !status && i < CALLS; i++) {
        const double start = ecl_now();
        status = t->greatest(t->user, &nothing, 1, error);
        least = fmin(least, ecl_now() - start);
    }
    *seconds = machine_gpu.rows_seconds + (t ? least : 0);
    return status;
}

/* Steps between two exchanges. Each of them makes a step longer by the ghosts that are computed,
 * and shorter by its share of an exchange: the sum is least where both are equal. Fewer steps than
 * those between two visits to memory would make a step longer, too, so there are as many, unless
 * the ghosts become too large a part of the smallest share. */
static int64_t choose_halo_steps(const struct windows *w, const struct run *whole, int64_t reach,
    int64_t smallest, const struct prediction *slowest, double exchange) {
    enum { GHOST_PART = 4 };                                /* of the share, for that */
    const int cuts = w->count == 2 && !w->periodic ? 1 : 2; /* of a share */
    const int64_t asked = TUNED(&whole->options, halo_steps),
                  visits = int_min(slowest->steps, smallest / (cuts * GHOST_PART) / reach);
    const double row_seconds = slowest->seconds * (double)w->count / (double)w->rows,
                 best = sqrt(exchange / (cuts * (double)reach * row_seconds));
    if (asked) return asked;
    if (!(slowest->seconds > 0))
        return int_max(USUAL_HALO_LEVELS / whole->system.method->stages, 1);
    return int_max((int64_t)fmin(fmax(best, 1), MOST_HALO_STEPS), visits);
}

/* Numbers of rows in proportion to the speeds, so that all parts take the same time, but at least
 * the fewest; -> the smallest one. */
static int64_t choose_cuts(
    const struct windows *w, const struct run *whole, const struct prediction *p, int64_t *cuts) {
    const int64_t least = least_of(whole), unit = ecl_windows_unit(whole);
    double speed = 0, done = 0;
    int64_t smallest = w->rows;
    int is_known = 1;
    for (int64_t i = 0; i < w->count; i++) is_known &= p[i].seconds > 0;
    for (int64_t i = 0; i < w->count; i++) speed += is_known ? 1 / p[i].seconds : 1;
    for (int64_t i = 0; i < w->count; i++) {
        done += is_known ? 1 / p[i].seconds : 1;
        const int64_t fair = (int64_t)(done / speed * (double)w->rows + 0.5) / unit * unit,
                      left = (w->count - 1 - i) * least;
        cuts[i + 1] = i + 1 == w->count
                          ? w->rows
                          : int_min(int_max(fair, cuts[i] + least), (w->rows - left) / unit * unit);
        smallest = int_min(smallest, cuts[i + 1] - cuts[i]);
    }
    return smallest;
}

/* What the first process decides from all predictions. */
struct decision {
    int64_t interval, halo, verified, cuts[MOST_PARTS + 1];
};

int64_t ecl_windows_most_stages(const struct run *whole) {
    int64_t most = 0;
    for (const struct method_family *const *f = ecl_methods; *f; f++) {
        const int is_open = !whole->options.method || *f == whole->system.family;
        if (is_open && (*f)->estimate)
            most = int_max(most, ecl_most_stages(*f, (*f)->most, ecl_estimates_of(&whole->system)));
    }
    return whole->options.stages ? whole->system.method->stages : most;
}

static int decide(const struct windows *w, const struct run *whole, const struct prediction *p,
    double exchange, struct decision *d, eulercl_error *error) {
    const int64_t reach = ecl_windows_reach(whole, whole->system.method->stages),
                  unit = ecl_windows_unit(whole),
                  smallest = choose_cuts(w, whole, p, d->cuts) / unit * unit;
    int64_t slowest = 0;
    for (int64_t i = 1; i < w->count; i++)
        if (p[i].seconds > p[slowest].seconds) slowest = i;
    if (!reach || w->count == 1) { /* nothing is ever spoiled */
        d->interval = INT64_MAX;
        return EULERCL_OK;
    }
    d->verified = TUNED(&whole->options, verify_halos) > 0 ? unit : 0;
    const int64_t wanted = choose_halo_steps(w, whole, reach, smallest, &p[slowest], exchange),
                  fits = (smallest - d->verified) / reach;
    d->interval = int_min(wanted, fits);
    d->halo = d->interval * reach + d->verified;
    if (whole->options.rtol > 0)
        d->halo = int_max(d->halo, ecl_windows_reach(whole, ecl_windows_most_stages(whole)));
    d->halo = d->halo < smallest ? int_ceil(d->halo, unit) * unit : smallest;
    return TUNED(&whole->options, halo_steps) > fits
               ? ecl_fail(error, EULERCL_INVALID,
                     "halo_steps = %lld is too large: the smallest share has %lld %s, enough for "
                     "%lld",
                     (long long)wanted, (long long)smallest,
                     ecl_grid_layers(&whole->system.definition->grid), (long long)fits)
               : EULERCL_OK;
}

int ecl_windows_share_out(struct windows *w, const struct run *whole, eulercl_error *error) {
    const struct transport *const t = w->transport;
    const int64_t least = least_of(whole);
    int status = list_parts(w, whole, error);
    if (status) return status;
    const int64_t equal = w->rows / w->count;
    if (w->count > 1 && equal < least)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%lld %s are too few for %lld devices: each needs at least %lld for a step of method "
            "%s",
            (long long)w->rows, ecl_grid_layers(&whole->system.definition->grid),
            (long long)w->count, (long long)least, whole->system.method->name);
    struct prediction *const p = ecl_mem_zeroed((uint64_t)w->count, sizeof *p);
    struct decision *const decision = ecl_mem_zeroed(1, sizeof *decision);
    if (!p || !decision) status = ecl_no_memory(error, "the shares of devices");
    /* Of one size, since the times of tiny systems jump from size to size. */
    for (int64_t i = 0; i < w->count; i++) cut(w, &w->parts[i], i * equal, (i + 1) * equal);
    for (int64_t i = 0; !status && i < w->here_count; i++)
        status = predict(w, whole, &w->parts[w->here + i], &p[w->here + i], error);
    status = ecl_transport_agree(w->transport, status, error);
    for (int64_t i = 0; t && !status && i < w->count; i++)
        status = t->broadcast(t->user, w->parts[i].rank, &p[i], sizeof p[i], error);
    double exchange = 0;
    if (!status) status = time_exchange(t, &exchange, error);
    if (!status) status = decide(w, whole, p, exchange, decision, error);
    if (t && !status) status = t->broadcast(t->user, 0, decision, sizeof *decision, error);
    if (!status) {
        w->valid = w->interval = decision->interval;
        w->halo = decision->halo;
        w->verified = decision->verified;
        for (int64_t i = 0; i < w->count; i++)
            cut(w, &w->parts[i], decision->cuts[i], decision->cuts[i + 1]);
    }
    ecl_mem_free(p);
    ecl_mem_free(decision);
    return status;
}
