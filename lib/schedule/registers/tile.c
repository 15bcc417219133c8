/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/tile.c - see registers/kernel.h: what follows from a shape, whatever its kernel is. */
#include "config.h"
#include "kernel.h"

/* -> NULL, or what is wrong. */
const char *ecl_register_misfit(overlap_line o) {
    if (!o.periodic && o.tile > o.n) return "a tile is larger than the grid";
    if (o.tile <= 2 * o.halo && (o.periodic || o.tile < o.n))
        return "with this number of steps no point of a tile stays valid";
    return NULL;
}

int64_t ecl_register_radius(const struct system *s) {
    return int_max(
        1, has_grid(s->definition) ? (int64_t)s->context.grid.radius : s->access_distance);
}

int ecl_register_unrolled_steps(int unroll, int64_t stages, int64_t most) {
    if (stages == 1 || unroll == 1) return unroll;
    return (int)int_max(most / stages, unroll > 2 && stages % 2 ? 2 : 1);
}

/* Registers of an item are dealt in eights. */
static int64_t unit_registers(const struct register_case *of, const struct register_tile *t) {
    return int_ceil(t->kernel->registers(of, t), 8) * 8;
}

int64_t ecl_register_most_resident(const struct register_case *of, const struct register_tile *t) {
    const int64_t items = int_ceil(t->items * t->item_rows, MACHINE_WARP) * MACHINE_WARP;
    int64_t groups = int_min(32, MACHINE_UNIT_REGISTERS / (unit_registers(of, t) * items));
    if (t->local_bytes)
        groups = int_min(groups, MACHINE_UNIT_LOCAL_BYTES / (int64_t)t->local_bytes);
    return int_max(1, groups);
}

int64_t ecl_register_resident(const struct register_case *of, const struct register_tile *t) {
    return t->pipeline.unit_groups ? t->pipeline.unit_groups : ecl_register_most_resident(of, t);
}

int64_t ecl_register_groups_wanted(const struct register_case *of, const struct register_tile *t) {
    return TUNED_OR(&of->run->options, workgroups,
        ecl_register_resident(of, t) * int_max(1, of->device->compute_units));
}

/* Sums in uint64_t, where what is too much is taken away again. */
uint64_t ecl_register_stretches(
    const struct system *s, const struct register_tile *t, int64_t beyond) {
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t n = grid_length(grid), height = t->height, stretches = int_ceil(n, height);
    if (grid_is_periodic(grid, grid_last_axis(grid)))
        return (uint64_t)n + 2 * (uint64_t)stretches * (uint64_t)beyond;
    /* Ends of the first `whole` stretches lie inside, begins from number `inside` on. */
    const int64_t whole = n > beyond ? int_min(stretches, (n - beyond - 1) / height) : 0,
                  inside = int_min(stretches, beyond / height + 1);
    const uint64_t end_heights = (uint64_t)(whole * (whole + 1) / 2),
                   begin_heights = (uint64_t)((stretches - 1 + inside) * (stretches - inside) / 2);
    const uint64_t ends = end_heights * (uint64_t)height + (uint64_t)whole * (uint64_t)beyond +
                          (uint64_t)(stretches - whole) * (uint64_t)n;
    const uint64_t begins =
        begin_heights * (uint64_t)height - (uint64_t)(stretches - inside) * (uint64_t)beyond;
    return ends - begins;
}

uint64_t ecl_register_strips_computed(
    const struct system *s, const struct register_tile *t, int64_t levels) {
    const uint64_t launches = (uint64_t)int_ceil(levels, t->levels);
    uint64_t rows = 0;
    for (int64_t level = 1; level <= t->levels; level++)
        rows += t->kernel->rows(s, t, t->radius * (t->levels - level));
    return launches * rows * (uint64_t)(t->points * t->items);
}

uint64_t ecl_registers_computed(
    const struct system *s, const struct register_tile *t, int64_t steps) {
    return t->kernel->computed(s, t, steps * t->stages) * s->definition->grid.components;
}

enum register_variant ecl_registers_variant(
    const struct register_tile *t, enum register_variant asked) {
    if (t->most_stages) return REGISTER_GROUP_ANY;
    if (t->kernel->variant == REGISTER_GROUP &&
        (asked == REGISTER_GROUP || asked == REGISTER_GROUP_LOCAL))
        return asked;
    return t->shuffle ? t->kernel->variant : t->kernel->local_variant;
}

int64_t ecl_register_first_stage(const struct run *run, const struct register_section *section) {
    return section->stages.table - run->system.method->table;
}
int64_t ecl_register_end_stage(const struct run *run, const struct register_section *section) {
    return ecl_register_first_stage(run, section) + section->stages.stages;
}

/* Bytes for coefficients among the arguments of a kernel, of 4352 on NVIDIA's devices and at least
   1024 on all. */
static int64_t argument_bytes(const eulercl_device_info *device) {
    return has_ptx(device) ? 3584 : 512;
}

/* Of one program for any section: what has room among the arguments, and among the shapes, of which
 * a section has sixteen. */
static int most_stages(const struct register_case *of) {
    const struct system *const s = &of->run->system;
    const int64_t each = int_max(ecl_stage_factors(s->method), 1) * (int64_t)s->real_size;
    return (int)int_min(argument_bytes(of->device) / each, MOST_ANY_STAGES);
}

static const char *misses_mirror(const struct system *s, const struct register_tile *t) {
    const uint32_t *const rules = s->definition->grid.boundary[0];
    return t->points < ODE_POINTS_NEEDED_(rules[0], t->radius) ||
                   t->points < ODE_POINTS_NEEDED_(rules[1], t->radius)
               ? "the mirror image of an edge is wider than what an item holds"
               : NULL;
}

/* Halos, and the vectors of global memory: every row and every tile must begin at a multiple. */
static void set_halo(
    const struct system *s, const struct method_costs *c, struct register_tile *t) {
    const int64_t size = (int64_t)s->real_size, components = s->definition->grid.components;
    const enum register_vectors vectors = t->kernel->vectors;
    const overlap_line across = across_of(s, t);
    t->halo = t->radius * (c->depth[0] + (t->steps - 1) * c->depth[1]);
    t->halo_down = register_is_strip(t->kernel) ? t->radius * t->levels : t->halo;
    t->vector = 1;
    if (vectors == VECTORS_NONE) return;
    if ((!across.periodic || vectors == VECTORS_AROUND) && across.tile <= across.n)
        while (t->vector * 2 * size <= 16 && across.n * components % (2 * t->vector) == 0 &&
               t->points * components % (2 * t->vector) == 0 &&
               (across.n - across.tile) * components % (2 * t->vector) == 0)
            t->vector *= 2;
    const int64_t sides = vectors == VECTORS_AROUND ? 1 : 2;
    while (sides * t->halo * components % t->vector) t->halo++;
}

/* What needs more than a compute unit or a launch has. */
static const char *find_excess(const struct register_case *of, const struct register_tile *t) {
    if (t->persistent && t->cut.sections > 1) return "persistent tiles make whole steps";
    if (t->persistent && (t->groups < 2 || t->groups > (int64_t)of->device->compute_units))
        return "there must be at least two persistent tiles, and at most as many as compute units";
    if (t->local_bytes >=
        (t->kernel->declares_more ? declared_bytes(of->device) : of->device->local_bytes))
        return "edges need more local memory than the device has";
    if (unit_registers(of, t) * t->items * t->item_rows > MACHINE_UNIT_REGISTERS)
        return "the work-group needs more registers than a compute unit has";
    return NULL;
}

const char *ecl_register_complete(const struct register_case *of, struct register_tile *t) {
    const struct system *s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const eulercl_device_info *const device = of->device;
    t->radius = ecl_register_radius(s);
    t->cut = c->cut;
    t->is_body = c->is_body;
    t->levels = t->steps * c->stages;
    t->stages = c->all_stages;
    t->unrolled_steps = 1;
    if (c->stages > 1 && t->exchange > 1)
        return "methods of several stages exchange edges at every stage";
    if (t->most_stages) t->most_stages = most_stages(of);
    if (t->most_stages ? c->stages > t->most_stages : c->factors > argument_bytes(device))
        return "the method's coefficients are more than the arguments of a kernel can hold";
    set_halo(s, c, t);
    const overlap_line across = across_of(s, t);
    const char *wrong = ecl_register_misfit(across);
    if (wrong) return wrong;
    if (t->items > 1 && t->points < t->radius * t->exchange)
        return "a neighbour's edge is wider than what an item holds";
    if (device->max_workgroup_size &&
        (uint64_t)(t->items * t->item_rows) > device->max_workgroup_size)
        return "the work-group is larger than the device allows";
    const int64_t columns = overlap_count(across);
    if (columns > INT32_MAX) return REGISTER_TOO_MANY; /* so that products fit */
    if (register_is_strip(t->kernel) && (wrong = misses_mirror(s, t))) return wrong;
    wrong = t->kernel->complete(of, t, columns);
    if (wrong) return wrong;
    t->loaded *= s->definition->grid.components;
    return find_excess(of, t);
}

/* ---- how long it takes ---- */

static struct register_work work_of(const struct register_case *of, const struct register_tile *t) {
    const struct system *s = &of->run->system;
    const struct method_costs *const c = &of->costs;
    const double units = fmax(1, of->device->compute_units), word = (double)s->real_size / 4;
    /* Arrays that a launch reads, and writes others of. */
    const double enters = 1 + (double)c->enters, leaves = 1 + (double)c->leaves;
    const double bytes =
        ((double)t->loaded * enters + (double)s->n * leaves) * (double)s->real_size;
    /* Each level reads the coefficients of all points of the tiles, from the cache but for the
     * first, where items do not hold them. */
    const double fields =
        transfer_seconds((double)(t->kernel->holds_coefficients ? 1 : t->levels) *
                             (double)t->loaded * (double)s->field_bytes / (double)s->n,
            machine_gpu.cache_bandwidth, units);
    return (struct register_work){
        .of = of,
        .tile = t,
        .components = s->definition->grid.components,
        .word = word,
        .point =
            of->point -
            (t->kernel->holds_coefficients ? of->coefficients * (1 - 1 / (double)t->levels) : 0),
        .points = (double)(t->points * t->rows),
        .levels = (double)t->levels,
        .stages = (double)c->stages,
        .arrays = (double)c->arrays,
        .warps = (double)int_ceil(t->items * t->item_rows, MACHINE_WARP),
        .shared = s->definition->grid.components * (double)t->radius * word,
        .units = units,
        .groups = (double)t->groups / units,
        .held = (double)ecl_register_resident(of, t),
        .registers = (double)t->kernel->registers(of, t),
        .arrays_bytes = (double)s->n * (double)s->real_size * (enters + leaves),
        .bytes = bytes,
        .transfer = transfer_seconds(bytes, machine_gpu.bandwidth, units) + fields,
        .fields = fields,
        .flushes = s->flush.reals != NULL && !c->is_body,
        .is_body = c->is_body,
        .is_tail = c->cut.tail && !c->is_body,
    };
}

double ecl_register_predict(const struct register_case *of, const struct register_tile *t) {
    const struct register_work w = work_of(of, t);
    return t->kernel->seconds(&w) * of->costs.launches / (double)t->steps;
}
