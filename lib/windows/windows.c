/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/windows.c - see windows.h: the run on several devices, which the solver treats like any
 * other. Of several processes, all make the same calls, and get the same results. */
#include "config.h"
#include "windows.h"
#include "../cpu/team.h"
#include "../mem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whole pages, as devices pin them. */
static uint64_t block_bytes(const struct windows *w) {
    enum { PAGE = 4096 };
    return (windows_edge_bytes(w) + PAGE - 1) / PAGE * PAGE;
}

/* Where rows stand that two processes of this host exchange: in the memory of the one whose rows
 * they are. NULL: elsewhere. */
static void *shared_edge(const struct windows *w, int64_t index, int k, int side) {
    const struct part *const p = &w->parts[index],
                             *const other =
                                 &w->parts[side ? part_after(w, index) : part_before(w, index)];
    char *const block = w->blocks && p->rank != other->rank ? w->blocks[p->rank] : NULL;
    return block ? block + (uint64_t)(2 * k + side) * block_bytes(w) : NULL;
}

static int share_edges(struct windows *w, eulercl_error *error) {
    const struct transport *const t = w->transport;
    if (!t) return EULERCL_OK;
    w->blocks = ecl_mem_zeroed((uint64_t)t->ranks, sizeof *w->blocks);
    const int status = windows_agree(
        w, w->blocks ? EULERCL_OK : ecl_no_memory(error, "the addresses of edges"), error);
    return status || !w->halo
               ? status
               : windows_agree(w, t->share(t->user, 4 * block_bytes(w), w->blocks, error), error);
}

/* Which part pins the edges of a part: itself, or the neighbour of one of another process, whose
 * rows arrive there. */
static struct part *pinning(const struct windows *w, int64_t index) {
    const int64_t last = w->here + w->here_count - 1;
    return &w->parts[part_is_here(w, &w->parts[index]) ? index
                     : part_after(w, last) == index    ? last
                                                       : w->here];
}

/* Where nothing is pinned, any memory will do. */
static int pins(const struct part *p) {
    return p->run.impl && p->settled.table && part_table(p)->memory;
}

static void free_edges(const struct windows *w, int64_t index) {
    struct part *const p = &w->parts[index], *const by = pinning(w, index);
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++)
            if (p->edges[k][side].memory && pins(by))
                part_table(by)->memory->unpin(&by->run, &p->edges[k][side]);
            else if (!shared_edge(w, index, k, side))
                ecl_mem_free(p->edges[k][side].memory);
}

static void destroy(struct run *run) {
    struct windows *const w = run->impl;
    for (int64_t i = 0; w->parts && i < w->count; i++) free_edges(w, i);
    for (int64_t i = 0; w->parts && i < w->count; i++) {
        struct part *const p = &w->parts[i];
        if (p->run.impl) part_table(p)->destroy(&p->run);
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

static const struct backend table = {
    .destroy = destroy,
    .facts = list_facts,
    .state = &ecl_windows_state,
    .steps = &ecl_windows_steps,
    .copies = &ecl_windows_copies,
    .rounds = &ecl_windows_rounds,
    .processes = &ecl_windows_processes,
};

static int make_edges(const struct windows *w, int64_t index, eulercl_error *error) {
    const uint64_t bytes = windows_edge_bytes(w);
    struct part *const p = &w->parts[index], *const by = pinning(w, index);
    int status = EULERCL_OK;
    for (int k = 0; bytes && k < 2; k++)
        for (int side = 0; !status && side < 2; side++) {
            struct pinned *const edge = &p->edges[k][side];
            edge->memory = shared_edge(w, index, k, side);
            if (pins(by) && edge->memory) /* not all drivers pin the memory of others */
                part_table(by)->memory->pin(&by->run, block_bytes(w), edge, NULL);
            else if (pins(by))
                status = part_table(by)->memory->pin(&by->run, bytes, edge, error);
            else if (!edge->memory && !(edge->memory = ecl_mem_zeroed(bytes, 1)))
                status = ecl_no_memory(error, "the rows that devices exchange");
        }
    return status;
}

/* With launches of several steps: an exchange at the end of one of them. */
static int fit_interval(struct windows *w, const struct run *whole, eulercl_error *error) {
    const struct transport *const t = w->transport;
    const int64_t launch = (int64_t)w->parts[w->here].run.report.steps_per_launch;
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
    run->report.steps_per_launch = w->parts[w->here].run.report.steps_per_launch;
    *settled->reason = '\0';
    for (int64_t i = 0; i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        const struct run *const r = &p->run;
        const char *const comma = i ? ", " : "";
        if (used < sizeof settled->reason)
            used += (size_t)snprintf(settled->reason + used, sizeof settled->reason - used,
                "%s%s: %lld %s by %s", comma, p->device, (long long)(p->end - p->begin),
                ecl_grid_layers(&r->system.definition->grid),
                ecl_backends[p->settled.backend].name);
        if (name < sizeof run->report.device)
            name += (size_t)snprintf(run->report.device + name, sizeof run->report.device - name,
                "%s%s", comma, r->report.device);
        if (id < sizeof run->report.device_id)
            id += (size_t)snprintf(run->report.device_id + id, sizeof run->report.device_id - id,
                "%s%s", i ? "," : "", *r->report.device_id ? r->report.device_id : p->device);
        has_ids |= *r->report.device_id != '\0';
        /* The whole run does not survive a fork either. */
        if (!ecl_backends[p->settled.backend].engine->survives_fork)
            settled->backend = p->settled.backend;
        if (!*settled->note) snprintf(settled->note, sizeof settled->note, "%s", r->report.note);
        run->report.device_bytes += r->report.device_bytes;
        if (is_first_on_device(w, i)) run->report.memory_bytes += r->report.memory_bytes;
        run->report.build_seconds += r->report.build_seconds;
        run->report.threads += r->report.threads;
    }
    if (!has_ids) *run->report.device_id = '\0';
}

static int check(const eulercl_problem *problem, const struct run *run,
    const struct transport *transport, eulercl_error *error) {
    const char *const inseparable = ecl_why_inseparable(&run->system);
    if (inseparable) return ecl_fail(error, EULERCL_UNSUPPORTED, "devices: %s", inseparable);
    if (!run->system.definition->windows)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s does not know the windows that several devices need: its equations see no "
            "global grid",
            run->system.definition->name);
    return ecl_compare_processes(problem, run, transport, error);
}

static int make_parts(
    const eulercl_problem *problem, struct windows *w, struct run *run, eulercl_error *error) {
    int status = EULERCL_OK;
    for (int64_t i = 0; !status && i < w->here_count; i++) {
        struct part *const p = &w->parts[w->here + i];
        status = ecl_windows_make_run(w, run, p, error);
        if (!status) status = ecl_settle(problem, &p->run, NULL, &p->settled, error);
        if (status) p->run.impl = NULL;
    }
    for (int64_t i = 0; !status && i < w->count; i++)
        if (i == part_before(w, w->here) || i == part_after(w, w->here + w->here_count - 1) ||
            part_is_here(w, &w->parts[i]))
            status = make_edges(w, i, error);
    return status ? status : ecl_team_create(&w->team, w->here_count, 0, error);
}

static int settle(const eulercl_problem *problem, struct run *run,
    const struct transport *transport, struct settled *settled, eulercl_error *error) {
    int status = check(problem, run, transport, error);
    if (status) return status; /* in all processes */
    struct windows *const w = ecl_mem_zeroed(1, sizeof *w);
    if (!w) return ecl_no_memory(error, "a solver");
    const struct ode_grid *const grid = &run->system.context.grid;
    run->impl = w;
    *w = (struct windows){.transport = transport,
        .rows = grid->extents[grid_last_axis(grid)],
        .row = ecl_system_row(&run->system),
        .real_size = run->system.real_size,
        .periodic = grid_is_periodic(grid, grid_last_axis(grid)),
        .parts = ecl_mem_zeroed(MOST_PARTS, sizeof *w->parts),
        .flags = ecl_mem_zeroed(MOST_PARTS + 1, sizeof *w->flags)};
    if (!w->parts || !w->flags) status = ecl_no_memory(error, "a solver");
    status = windows_agree(w, status, error);
    if (!status) status = ecl_windows_share_out(w, run, error);
    if (!status) status = share_edges(w, error);
    if (!status) status = windows_agree(w, make_parts(problem, w, run, error), error);
    if (!status) status = fit_interval(w, run, error);
    if (status) {
        destroy(run);
        return status;
    }
    describe(w, run, settled);
    return EULERCL_OK;
}

const struct several_devices ecl_windows = {ecl_windows_verify, settle};
