/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/stream_cut.c - how a grid is cut for a window that moves over it, and how many steps a
 * visit makes. */
#include "config.h"
#include "stream.h"
#include "windows.h"
#include "../int.h"
#include "../machine/machine.h"
#include "../mem.h"
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"
#include <math.h>

enum {
    MOST_VISIT_STEPS = 65536,
    GHOST_PART = 8, /* of a window, where no time is predicted */
};

int64_t ecl_stream_begin(const struct stream_cut *c, int64_t share) {
    const int64_t units = int_ceil(c->rows, c->unit);
    return int_min(deal_part(units, c->count, share) * c->unit, c->rows);
}

/* At the ends of a grid that is not a ring the window stays within the grid. Then it has other rows
 * at the far side of the ghosts, which nobody reads. */
int64_t ecl_stream_first(const struct stream_cut *c, int64_t share) {
    const int64_t first = ecl_stream_begin(c, share) - c->halo;
    return c->periodic ? first : int_clamp(0, first, c->rows - c->height);
}

int64_t ecl_stream_share(const struct stream_cut *cut, int64_t row) {
    int64_t share = int_min(row / (cut->rows / cut->count + 1), cut->count - 1);
    while (ecl_stream_begin(cut, share + 1) <= row) share++;
    while (ecl_stream_begin(cut, share) > row) share--;
    return share;
}

/* Of a window of so many rows: the seconds of a step, as predicted, 0: not known; and those in
 * which it is loaded and stored. */
struct prediction {
    double step_seconds, move_seconds;
};

/* On the processor memory is copied from the state to the copy that is filled, from there to the
 * run, and back. */
static int predict(
    const struct run *whole, int64_t rows, struct prediction *p, eulercl_error *error) {
    enum { HOST_TRANSFERS = 8 };
    struct run run = {.options = whole->options};
    struct plan *plan = NULL;
    size_t backend;
    run.options.device_memory = 0;
    run.options.state_file = NULL;
    int status = ecl_system_window(&whole->system, 0, rows, &run.system, error);
    if (!status) status = ecl_plan_make(&run, &plan, error);
    if (!status) status = ecl_find_backend(plan->proposals[0].options.backend, &backend, error);
    if (!status)
        *p = (struct prediction){plan->proposals[0].step_seconds,
            (double)run.system.state_bytes /
                    (ecl_backends[backend].engine->has_own_memory
                            ? machine_gpu.link_bytes
                            : 1e9 * machine_core.memory_bytes_per_ns / HOST_TRANSFERS) +
                machine_gpu.rows_seconds};
    ecl_mem_free(plan);
    ecl_system_drop_window(&run.system);
    return status;
}

/* Steps of a visit with windows of `most` rows, at most `fits`. More of them share the time of a
 * load and a store, which take place beside the computing, and leave fewer rows that are not
 * ghosts: the time of a step per row is least where both balance. */
static int64_t choose_steps(int64_t most, int64_t reach, int64_t fits, const struct prediction *p) {
    double best = INFINITY;
    int64_t chosen = 1;
    if (!(p->step_seconds > 0)) return int_clamp(1, most / (2 * GHOST_PART) / reach, fits);
    for (int64_t steps = 1; steps <= int_min(fits, MOST_VISIT_STEPS); steps++) {
        const double seconds = fmax(p->step_seconds, p->move_seconds / (double)steps) /
                               (double)(most - 2 * steps * reach);
        if (seconds < best) chosen = steps;
        best = fmin(best, seconds);
    }
    return chosen;
}

/* The ghosts next to a share are in the shares beside it, so these have as many rows: a window has
 * four halos at least, and room for what is rounded. */
enum { HALOS = 4, ROUNDED = 6 };
static int64_t halo_that_fits(int64_t most, int64_t unit) {
    return int_max((most - ROUNDED * unit) / HALOS, 0) / unit * unit;
}

static int choose_interval(
    const struct run *whole, int64_t most, struct stream_cut *c, eulercl_error *error) {
    const int64_t asked = TUNED(&whole->options, halo_steps),
                  reach = ecl_windows_reach(whole, whole->system.method->stages),
                  room = halo_that_fits(most, c->unit), fits = room / reach;
    struct prediction prediction;
    if (!fits)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "windows of %lld %s are too small for a step of method %s: they need at least %lld",
            (long long)most, ecl_grid_layers(&whole->system.definition->grid),
            whole->system.method->name,
            reach < INT64_MAX / (2 * HALOS)
                ? (long long)((HALOS * int_ceil(reach, c->unit) + ROUNDED) * c->unit)
                : (long long)INT64_MAX);
    if (asked > fits)
        return ecl_fail(error, EULERCL_INVALID,
            "halo_steps = %lld is too large: a window has %lld rows, enough for %lld",
            (long long)asked, (long long)most, (long long)fits);
    const int status = asked ? EULERCL_OK : predict(whole, most, &prediction, error);
    if (status) return status;
    c->interval = asked ? asked : choose_steps(most, reach, fits, &prediction);
    c->halo = c->interval * reach;
    if (whole->options.rtol > 0)
        c->halo = int_max(
            c->halo, int_min(ecl_windows_reach(whole, ecl_windows_most_stages(whole)), room));
    c->halo = int_ceil(c->halo, c->unit) * c->unit;
    return EULERCL_OK;
}

int ecl_stream_cut(
    const struct run *whole, int64_t most, struct stream_cut *c, eulercl_error *error) {
    const struct ode_grid *const grid = &whole->system.context.grid;
    *c = (struct stream_cut){.rows = grid->extents[grid_last_axis(grid)],
        .row = ecl_system_row(&whole->system),
        .unit = ecl_windows_unit(whole),
        .count = 1,
        .interval = INT64_MAX,
        .periodic = grid_is_periodic(grid, grid_last_axis(grid))};
    c->height = c->rows;
    if (most >= c->rows) return EULERCL_OK;
    const int64_t least = int_max(ecl_system_radius(&whole->system) + 1, 2 * c->unit);
    if (most < least)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "windows of %lld %s are too small: they need at least %lld", (long long)most,
            ecl_grid_layers(grid), (long long)least);
    const int status =
        ecl_system_radius(&whole->system) ? choose_interval(whole, most, c, error) : EULERCL_OK;
    if (status) return status;
    const int64_t largest = (most - 2 * c->halo - c->unit + 1) / c->unit * c->unit;
    c->count = int_ceil(c->rows, largest);
    int64_t share = 0;
    for (int64_t i = 0; i < c->count; i++)
        share = int_max(share, ecl_stream_begin(c, i + 1) - ecl_stream_begin(c, i));
    c->height = int_max(share + 2 * c->halo, least);
    /* So that the last window, too, begins with a multiple of the unit. */
    c->height += (c->rows - c->height % c->unit + c->unit) % c->unit;
    c->height = int_min(c->height, c->rows);
    return EULERCL_OK;
}
