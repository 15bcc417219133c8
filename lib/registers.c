/* registers.c - see registers.h. */
#include "config.h"
#include "registers.h"
#include <math.h>
#include <string.h>

enum {
    STAGE_BYTES = 16 << 10,        /* of local memory that the copies of REGISTER_LINE may take */
};

const char *const eulercl_register_variants[] = {"auto", "group", "stream", NULL};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t up(int64_t a, int64_t b) { return a / b + (a % b != 0); }

overlap_line eulercl_registers_across(const struct system *s, const struct register_tile *t) {
    const struct ode_problem *d = s->definition;
    return (overlap_line){.n = d->dimensions ? s->context.nx : s->n, .tile = t->points * t->items, .halo = t->halo,
                          .periodic = d->dimensions && d->boundary == ODE_PERIODIC};
}

overlap_line eulercl_registers_down(const struct system *s, const struct register_tile *t) {
    const struct ode_problem *d = s->definition;
    if (t->kernel != REGISTER_PLANE) return (overlap_line){.n = 1, .tile = 1};
    return (overlap_line){.n = s->context.ny, .tile = t->rows * t->item_rows, .halo = t->halo_down, .periodic = d->boundary == ODE_PERIODIC};
}

static int fits(overlap_line o) {
    if (o.periodic) return o.tile > 2 * o.halo;
    return o.tile == o.n || (o.tile < o.n && o.tile > 2 * o.halo);
}

/* All that follows from kernel, points, rows, items, item_rows, steps and exchange. -> NULL, or what is wrong with them. */
static const char *complete(const struct run *run, const eulercl_device_info *device, int can_shuffle, struct register_tile *t) {
    const struct system *s = &run->system;
    const struct ode_problem *d = s->definition;
    const int64_t size = (int64_t)s->real_size, components = d->components, all = t->items * t->item_rows;
    t->radius = larger(1, d->dimensions ? (int64_t)d->radius : s->access_distance);
    t->halo = t->halo_down = t->radius * t->steps;
    const int64_t edge = t->radius * components;           /* reals of one side of one point row */
    t->shuffle = can_shuffle && t->kernel != REGISTER_LINE && t->items == 32 && (t->kernel == REGISTER_PLANE || t->item_rows == 1);
    overlap_line across = eulercl_registers_across(s, t), down = eulercl_registers_down(s, t);
    /* Vectors of global memory: every row and every tile must begin at a multiple. */
    t->vector = 1;
    if (!across.periodic && t->kernel != REGISTER_LINE)
        while (t->vector * 2 * size <= 16 && across.n * components % (2 * t->vector) == 0 && t->points * components % (2 * t->vector) == 0 &&
               (across.n - across.tile) * components % (2 * t->vector) == 0)
            t->vector *= 2;
    while (t->kernel != REGISTER_LINE && (across.tile - 2 * t->halo) * components % t->vector) t->halo++;
    across = eulercl_registers_across(s, t);
    if (!across.periodic && across.tile > across.n) return "the tile is wider than the grid";
    if (!fits(across)) return "nothing of a tile is left after so many steps";
    if (t->items > 1 && t->points < t->radius * (t->kernel == REGISTER_LINE ? t->exchange : 1)) return "an item's edge is wider than what it holds";
    t->groups = overlap_count(across);
    switch (t->kernel) {
    case REGISTER_LINE:
        for (t->stage = (int)smaller(t->points, 16); t->stage > 1 && (t->points % t->stage || ((t->stage * components) | 1) * all * size > STAGE_BYTES);) t->stage--;
        t->local_bytes = (uint64_t)((((t->stage * components) | 1) + 4 * edge * t->exchange) * all * size);
        break;
    case REGISTER_PLANE: {
        if (!down.periodic && down.tile > down.n) return "the tile is higher than the grid";
        if (!fits(down)) return "nothing of a tile is left after so many steps";
        if (t->item_rows > 1 && t->rows < t->radius) return "an item's edge is higher than what it holds";
        t->groups *= overlap_count(down);
        const uint64_t once = (uint64_t)((2 * edge * t->points + (t->shuffle ? 0 : 2 * edge * t->rows)) * all * size);
        t->buffers = 2 * once < device->local_bytes ? 2 : 1;
        t->local_bytes = (uint64_t)t->buffers * once;
        break;
    }
    case REGISTER_STREAM:
        if (t->steps % t->item_rows) return "the steps of a launch are no multiple of the bands";
        t->local_bytes = t->shuffle ? 0 : (uint64_t)(2 * t->items * (t->steps * 2 * edge + (t->item_rows - 1) * t->points * components) * size);
        const int64_t wanted = run->options.workgroups ? (int64_t)run->options.workgroups : 8 * larger(1, device->compute_units);
        t->height = up(s->context.ny, larger(1, smaller(s->context.ny, wanted / t->groups)));
        t->groups *= up(s->context.ny, t->height);
    }
    if (t->local_bytes >= device->local_bytes) return "its edges need more local memory than there is";
    if (device->max_workgroup_size && (uint64_t)all > device->max_workgroup_size) return "the work-group is larger than the device allows";
    return NULL;
}

int eulercl_registers_choose(const struct run *run, const eulercl_device_info *device, int can_shuffle, struct register_tile *tile, eulercl_error *error) {
    const eulercl_options *o = &run->options;
    const struct ode_problem *d = run->system.definition;
    const int two = d->dimensions == 2;
    struct register_tile t = {.kernel = !two ? REGISTER_LINE : run->variant == 2 ? REGISTER_STREAM : REGISTER_PLANE};
    t.item_rows = two ? (int64_t)(o->workgroup_rows ? o->workgroup_rows : 8) : 1;
    t.points = (int64_t)(o->points_per_item ? o->points_per_item : 4);
    t.rows = t.kernel == REGISTER_PLANE ? (int64_t)(o->rows_per_item ? o->rows_per_item : 4) : 1;
    t.items = (int64_t)(o->workgroup_size ? o->workgroup_size : 256) / t.item_rows;
    t.steps = (int64_t)(o->steps_per_launch ? o->steps_per_launch : 8);
    t.exchange = t.kernel == REGISTER_LINE ? (int64_t)(o->steps_per_exchange ? o->steps_per_exchange : 1) : 1;
    const char *wrong = t.items < 1 ? "the work-group has fewer items than rows" : complete(run, device, can_shuffle, &t);
    if (wrong) return eulercl_fail(error, EULERCL_UNSUPPORTED, "cl-register: %s", wrong);
    *tile = t;
    return EULERCL_OK;
}
