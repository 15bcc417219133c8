/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/search.c - see registers/registers.h. Every shape of every kernel that fits is tried,
 * and its time predicted. */
#include "config.h"
#include "kernel.h"
#include "../step.h"
#include "../../problem/problem_text.h"
#include "../../problem/system.h"
#include <math.h>
#include <string.h>

enum { MOST_COMPONENTS = 64 };

static const struct register_kernel *const all_kernels[] = {
#define REGISTER_KERNEL(NAME) &ecl_register_##NAME,
#include "kernels.def"
#undef REGISTER_KERNEL
    NULL};
const struct register_kernel *const *ecl_register_kernels = all_kernels;

static size_t own_backend(void) {
    size_t backend = 0;
    ecl_find_backend("cl-register", &backend, NULL);
    return backend;
}

/* Whether a search that was asked for a variant may take the kernel. */
static int is_asked_for(const struct register_kernel *kernel, enum register_variant variant) {
    return variant == REGISTER_AUTO || kernel->variant == variant ||
           (kernel->variant == REGISTER_GROUP && variant == REGISTER_GROUP_LOCAL) ||
           (kernel->any_compile_seconds && variant == REGISTER_GROUP_ANY);
}

/* Whether the user asks for a kernel that can make bodies. */
static int is_for_bodies(const struct register_search *search) {
    for (const struct register_kernel *const *k = ecl_register_kernels; *k; k++)
        if ((*k)->makes_bodies && (*k)->variant == search->variant) return 1;
    return 0;
}

/* How much longer a step takes because its batch ends with fewer steps than a launch makes: a
 * strip's levels beyond them only copy. Other tiles have a halo for all steps. */
static double remainder_factor(const struct register_case *of, const struct register_tile *t) {
    const eulercl_options *const o = &of->run->options;
    const double steps = (double)(o->expected_interval ? o->expected_interval : o->expected_steps),
                 launch = (double)t->steps;
    if (o->rtol > 0 || !(steps > 0)) return 1;
    return register_is_strip(t->kernel) ? ceil(steps / launch) * launch / steps
                                        : fmax(launch / steps, 1);
}

int ecl_register_try(struct register_search *search, struct register_tile t) {
    const char *wrong = ecl_register_complete(&search->of, &t);
    if (wrong) {
        if (search->wrong_steps && t.steps > search->wrong_steps) return 0;
        search->wrong = wrong;
        search->wrong_steps = t.steps;
        return 0;
    }
    t.step_seconds =
        ecl_register_predict(&search->of, &t) * remainder_factor(&search->of, &t) + search->added;
    int at = search->count;
    while (at > 0 && t.step_seconds < search->best[at - 1].step_seconds) at--;
    if (at == search->most) return 1;
    if (search->count < search->most) search->count++;
    memmove(search->best + at + 1, search->best + at, (size_t)(search->count - 1 - at) * sizeof t);
    search->best[at] = t;
    return 1;
}

static struct register_search new_search(const struct run *run, const eulercl_device_info *device,
    enum register_variant variant, int most) {
    const struct ode_problem *d = run->system.definition;
    return (struct register_search){.of = {.run = run, .device = device},
        .variant = variant,
        .operations = ecl_register_operations(d),
        .is_star = !ecl_find_reads(d).diagonals,
        .reads_neighbours = d->field_count && ecl_rhs_has(d, "ode_neighbour_field"),
        .most = most};
}

/* Set the costs to those of the sections from..end-1 of a step. */
static void find_costs(struct register_search *search, struct cut cut, int from, int end) {
    const struct system *s = &search->of.run->system;
    search->of.costs = ecl_register_costs(s, cut, from, end);
    search->of.costs.is_star = search->is_star;
    search->of.reads_neighbours = search->reads_neighbours;
    search->of.coefficients =
        search->of.costs.evaluations * (search->operations.of_fields + search->operations.reads);
    search->of.point = search->of.costs.evaluations * search->operations.each_level +
                       search->of.coefficients +
                       search->of.costs.updates * s->definition->grid.components;
}

/* Try tiles that are not strips, whatever is asked for. */
static void try_tiles(struct register_search *search) {
    for (const struct register_kernel *const *k = ecl_register_kernels; *k; k++)
        if ((*k)->is_applicable(&search->of.run->system) && !register_is_strip(*k))
            (*k)->try_all(search);
}

/* The best tile for the tail of a step, whatever the options say of the other sections. */
static int find_tail(
    const struct register_search *search, struct cut cut, struct register_tile *tail) {
    struct run asked = *search->of.run;
    struct register_search tiles = {.of = {.run = &asked, .device = search->of.device},
        .variant = REGISTER_GROUP,
        .operations = search->operations,
        .is_star = search->is_star,
        .reads_neighbours = search->reads_neighbours,
        .most = 1};
    memset(asked.options.tuning, 0, sizeof asked.options.tuning);
    find_costs(&tiles, cut, cut.sections - 1, cut.sections);
    try_tiles(&tiles);
    if (tiles.count) *tail = tiles.best[0];
    return tiles.count;
}

int ecl_register_cut_body(struct register_search *search, int64_t levels) {
    const struct system *s = &search->of.run->system;
    const struct body *const body = search->body;
    const int stages = s->method->stages;
    if (levels > MOST_BODY_LEVELS) return 0;
    const int launches = (int)(body->stages / levels), rest = stages - launches * (int)levels;
    const struct cut cut = {launches + (rest > 0), rest};
    if (!launches || rest > MOST_BODY_LEVELS) return 0;
    /* Launches of whole steps have other texts. */
    if (cut.sections == 1) return 0;
    double *const seconds = &search->tail_seconds[rest];
    struct register_tile tail;
    if (rest && *seconds == 0)
        *seconds = find_tail(search, cut, &tail) ? tail.step_seconds : (double)INFINITY;
    if (isinf(*seconds)) return 0;
    search->added = *seconds;
    find_costs(search, cut, 0, launches);
    search->of.costs.is_body = 1;
    search->of.costs.arrays = body->arrays;
    search->of.costs.factors = levels * ecl_body_factors(body) * (int64_t)s->real_size;
    return 1;
}

/* Try the kernels that the options allow for launches of whole steps, or of one section of a step.
 * Strips are for whole steps. */
static void try_sections(struct register_search *search, int sections) {
    const eulercl_options *o = &search->of.run->options;
    find_costs(search, (struct cut){sections, 0}, 0, sections);
    for (const struct register_kernel *const *k = ecl_register_kernels; *k; k++) {
        if (!(*k)->is_applicable(&search->of.run->system) || !is_asked_for(*k, search->variant))
            continue;
        if (register_is_strip(*k) ? sections == 1 && TUNED(o, persistent) <= 0
                                  : !TUNED(o, workgroups))
            (*k)->try_all(search);
    }
}

/* Launches of stages that have one shape, and a tail, if other stages follow. */
static void try_bodies(struct register_search *search) {
    const struct body body = ecl_find_body(search->of.run->system.method);
    if (TUNED(&search->of.run->options, persistent) > 0) return;
    search->body = &body;
    for (const struct register_kernel *const *k = ecl_register_kernels; *k; k++)
        if ((*k)->makes_bodies && (*k)->is_applicable(&search->of.run->system) &&
            is_asked_for(*k, search->variant))
            (*k)->try_all(search);
    search->body = NULL;
    search->added = 0;
}

/* What no tile can do for the system and the options. */
static const char *find_refusal(const struct register_search *search) {
    const struct system *s = &search->of.run->system;
    const eulercl_options *o = &search->of.run->options;
    const struct ode_grid *const grid = &s->definition->grid;
    const int is_flat = is_plane(s), is_line = grid_is_line(grid), is_deep = !is_flat && !is_line,
              is_general = !has_grid(s->definition),
              is_strip = search->variant >= REGISTER_ANY_STREAM;
    if (s->reads_all) return ecl_why_inseparable(s);
    if (is_deep && search->variant && search->variant != REGISTER_ANY_STREAM)
        return "in three dimensions there are the variants auto and stream";
    if (s->definition->grid.components > MOST_COMPONENTS ||
        (is_general && s->access_distance > machine_gpu.line.words))
        return is_general ? "the access distance is too long for registers"
                          : "the components of a point do not fit into registers";
    if (is_line && (TUNED(o, rows_per_item) || TUNED(o, workgroup_rows) || is_strip))
        return "rows per item, rows of items, and the variants stream and pipeline are for two "
               "dimensions and more";
    if (TUNED(o, persistent) > 0 && (!is_flat || is_strip))
        return "persistent tiles are those of variants group and group-local in two dimensions";
    if (search->variant == REGISTER_GROUP_ANY &&
        (!is_flat || TUNED(o, persistent) > 0 || !ecl_registers_makes_any(s->method)))
        return "variant group-any is for two dimensions, and its stages have at most 16 shapes";
    if ((!is_line || is_general) && TUNED(o, steps_per_exchange) > 1)
        return is_general ? "in the general form edges are exchanged at every step: beyond the "
                            "ends there is nothing to compute along"
                          : "in two dimensions and more edges are exchanged at every step";
    if (TUNED(o, workgroups) && (is_line || (is_flat && search->variant && !is_strip)))
        return "every tile has a work-group of its own, so the number of work-groups can be set "
               "only for the variants stream and pipeline";
    return NULL;
}

static void search_all(struct register_search *search) {
    const int stages = search->of.run->system.method->stages;
    search->wrong = find_refusal(search);
    if (search->wrong) return;
    search->wrong = "no tile fits";
    /* On request, pipelines make whole steps of several stages only where they can make no body. */
    const int is_asked = is_for_bodies(search),
              may_cut = TUNED(&search->of.run->options, steps_per_launch) <= 1;
    if (is_asked && may_cut) try_bodies(search);
    if (search->count) return;
    try_sections(search, 1);
    /* Sections, of any number of stages: where no tile has room for a step, or for one only, of
     * which most is halo if it has many stages. */
    const char *const wrong = search->wrong;
    const int is_whole = search->count && search->best[0].steps > 1;
    if (!is_whole && !is_asked && may_cut) try_bodies(search);
    for (int sections = 2; !is_whole && may_cut && sections <= stages; sections++) {
        const int most = (int)int_ceil(stages, sections);
        if (int_ceil(stages, most) == sections) try_sections(search, sections);
    }
    search->wrong = wrong;
}

static enum register_variant variant_of(const eulercl_options *o) {
    size_t variant = 0;
    ecl_find_variant(own_backend(), TUNED_NAME(o, variant), &variant, NULL);
    return (enum register_variant)variant;
}

int ecl_registers_choose(const struct run *run, const eulercl_device_info *device,
    struct register_tile *tile, eulercl_error *error) {
    struct register_search search = new_search(run, device, (enum register_variant)run->variant, 1);
    search_all(&search);
    if (!search.count) return ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: %s", search.wrong);
    *tile = search.best[0];
    return EULERCL_OK;
}

int ecl_registers_choose_tail(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *tile, struct register_tile *tail, eulercl_error *error) {
    const struct register_search search = new_search(run, device, REGISTER_GROUP, 1);
    return find_tail(&search, tile->cut, tail)
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: no tile fits the last stages");
}

/* The variant and the tuning parameters that ask for a tile. */
static void ask_for(
    const struct register_tile *t, enum register_variant variant, eulercl_options *o) {
    const char *const *const names = ecl_backends[own_backend()].variants;
    TUNE_NAME(o, variant,
        names[variant == REGISTER_GROUP_LOCAL || t->most_stages ? variant : t->kernel->variant]);
    TUNE(o, points_per_item, t->points);
    TUNE(o, workgroup_size, t->items * t->item_rows);
    TUNE(o, steps_per_launch, t->steps);
    if (t->kernel->has_rows) TUNE(o, rows_per_item, t->rows);
    if (t->kernel->has_item_rows) TUNE(o, workgroup_rows, t->item_rows);
}

/* Bodies with other levels of a warp have the same options, and the best one comes first. */
static int add_proposal(const struct register_search *search, const struct register_tile *t,
    struct proposal *proposals, int count, int most) {
    /* Points that are computed twice call functions twice, so single steps take no longer. */
    struct proposal p = {.options = search->of.run->options,
        .steps = t->steps,
        .step_seconds = fmax(t->step_seconds,
            ecl_step_function_seconds(&search->of.run->system, search->of.device))};
    const double functions =
                     machine_gpu.exp_compile_seconds * search->of.run->system.work.functions,
                 others = t->most_stages
                              ? t->kernel->any_compile_seconds(&search->of.run->system, t)
                              : *t->kernel->compile_seconds;
    ecl_proposal_compile(&p, search->of.run, functions + others, !t->most_stages);
    ask_for(t, search->variant, &p.options);
    for (int k = 0; k < count; k++)
        if (!memcmp(proposals[k].options.tuning, p.options.tuning, sizeof p.options.tuning))
            return count;
    return ecl_propose(proposals, count, most, &p);
}

static int propose_variant(const struct run *run, const eulercl_device_info *device,
    enum register_variant variant, struct proposal *proposals, int count, int most) {
    struct register_search search = new_search(run, device, variant, MOST_TILES);
    search_all(&search);
    for (int i = 0; i < search.count; i++)
        count = add_proposal(&search, &search.best[i], proposals, count, most);
    return count;
}

int ecl_registers_propose(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    const enum register_variant variant = variant_of(&run->options);
    if (!run->system.definition->text) return 0;
    /* Where the number of stages may change, one program for any number is ready sooner; the others
     * are faster, so it needs a place of its own in the list. */
    const int is_open = variant == REGISTER_AUTO && run->options.rtol > 0 && !run->options.stages;
    const int count =
        propose_variant(run, device, variant, proposals, 0, is_open && most > 1 ? most - 1 : most);
    return is_open && most > 1 ? propose_variant(run, device, REGISTER_GROUP_ANY, proposals, count,
                                     count < most ? count + 1 : most)
                               : count;
}
