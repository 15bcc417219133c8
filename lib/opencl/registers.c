/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/registers.c - backend cl-register: several steps per launch in overlapped tiles that are
   held in registers. The geometry is lib/schedule/overlap_geometry.h's, the kernels and the choice
   of the tile are those of lib/schedule/registers/. */
#include "config.h"
#include "registers.h"
#include "../problem/problem_text.h"
#include "../schedule/registers/method_text.h"
#include "opencl/embedded.h"
#include "../int.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

static void set_section(
    const struct run *run, const struct made *made, int number, struct section *section) {
    const struct cut cut = made->tile.cut;
    const int ends_step = number == cut.sections - 1, is_tail = cut.tail && ends_step;
    section->is = (struct register_section){.tile = is_tail ? &made->tail : &made->tile,
        .body = made->tile.is_body && !is_tail ? &made->body : NULL,
        .stages = ecl_section(run->system.method, cut, number),
        .ends_step = ends_step};
    if (section->is.body) section->is.stages.arrays = section->is.body->arrays;
    ecl_cl_find_places(run, section);
}

static void put_settings(struct register_settings *settings, const struct run *run,
    const struct register_section *section) {
    const struct register_tile *const t = section->tile;
    const struct ode_grid *grid = &run->system.definition->grid;
    const struct reads reads = ecl_find_reads(run->system.definition);
    ecl_registers_put_number(settings, "REGISTER_RADIUS", t->radius);
    ecl_registers_put_number(settings, "REGISTER_PTX", t->ptx);
    ecl_registers_put_number(settings, "REGISTER_SHUFFLE", t->shuffle);
    ecl_registers_put_number(settings, "REGISTER_STAR", !reads.diagonals);
    ecl_registers_put_number(settings, "REGISTER_TIMES", reads.time);
    ecl_registers_put(settings, "#define REGISTER_SHARED(k) (");
    int shared = 0;
    for (unsigned c = 0; c < grid->components; c++)
        if (c > 63 || reads.components >> c & 1 || t->exchange > 1)
            ecl_registers_put(settings, "(k) == %d ? %u : ", shared++, c);
    if (!shared) shared = 1;
    ecl_registers_put(settings, "0)\n");
    ecl_registers_put_number(settings, "REGISTER_SHARED_COUNT", shared);
    t->kernel->settings(run, section, t->radius * shared, settings);
    ecl_registers_put_method(settings, run, &section->stages, section->body, t->most_stages);
}

/* The text of the library that has this name; NULL names no text. */
static struct cl_text text_named(const char *name) {
    static const struct cl_text texts[] = {
#define EMBEDDED(NAME) {#NAME ".cl", ecl_text_##NAME, &ecl_text_##NAME##_size},
        EMBEDDED_REGISTERS
#undef EMBEDDED
    };
    for (size_t i = 0; name && i < sizeof texts / sizeof *texts; i++)
        if (!strncmp(texts[i].name, name, strlen(name)) &&
            !strcmp(texts[i].name + strlen(name), ".cl"))
            return texts[i];
    return (struct cl_text){0};
}

/* Halos reach beyond the ends of a periodic grid. */
static int64_t largest_index(const struct run *run) {
    return run->system.n < INT32_MAX / 2 ? 0 : INT64_MAX;
}

static int source_of(
    const struct run *run, const struct section *section, char **source, eulercl_error *error) {
    const struct register_tile *const t = section->is.tile;
    const struct register_program *const program = t->kernel->program(t);
    struct register_settings *const settings = ecl_mem_zeroed(1, sizeof *settings);
    if (!settings) return ecl_no_memory(error, "the settings of a program");
    put_settings(settings, run, &section->is);
    const struct cl_program_text tiling = {.settings = settings->text,
        .holds_coefficients = t->kernel->holds_coefficients && run->system.field_bytes,
        .ending = ecl_cl_may_end_step(&section->is) ? &run->system : NULL,
        .texts = {CL_TEXT("overlap_geometry.h", overlap_geometry), CL_TEXT("register.cl", register),
            text_named(program->texts[0]), text_named(program->texts[1])}};
    const int status =
        settings->length < sizeof settings->text
            ? ecl_cl_source(&run->system, &run->options, largest_index(run), &tiling, source, error)
            : ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: the text of method %s is too long",
                  run->system.method->name);
    ecl_mem_free(settings);
    return status;
}

/* Without a device the text is that of the first section of a tile, for a device with an H200's
 * compute units and without shuffles. */
static int source_by_options(const struct run *run, char **source, eulercl_error *error) {
    const eulercl_device_info device = {
        .is_gpu = 1, .compute_units = 132, .local_bytes = 48 << 10, .max_workgroup_size = 1024};
    struct made made = {.body = ecl_find_body(run->system.method)};
    struct section first;
    const int status = ecl_registers_choose(run, &device, &made.tile, error);
    if (status) return status;
    set_section(run, &made, 0, &first);
    return source_of(run, &first, source, error);
}

static void destroy_made(struct run *run, struct made *made) {
    run->report.device_bytes -= made->words_bytes;
    if (made->words) clReleaseMemObject(made->words);
    if (made->failed) clReleaseMemObject(made->failed);
    for (int s = 0; made->sections && s < made->tile.cut.sections; s++)
        for (int k = 0; k < 2; k++)
            if (made->sections[s].kernels[k]) clReleaseKernel(made->sections[s].kernels[k]);
    ecl_mem_free(made->sections);
    *made = (struct made){0};
}

static void destroy(struct run *run) {
    struct registers *r = run->impl;
    if (r->spare) clReleaseMemObject(r->spare);
    for (int i = 0; i < r->count; i++) destroy_made(run, &r->all[i]);
    for (int k = 0; k < 2; k++)
        if (r->carried[k]) clReleaseMemObject(r->carried[k]);
    ecl_cl_destroy(run);
}

static void report(struct run *run, struct registers *r) {
    const struct register_tile *t = &r->made->tile;
    run->report.steps_per_launch = (uint64_t)t->steps;
    run->report.predicted_seconds = t->step_seconds;
    run->report.visit_steps = register_is_strip(t->kernel) ? t->steps : 0;
    run->variant = ecl_registers_variant(t, (enum register_variant)run->variant);
}

/* Without memory for it, copies of the state are made before batches. */
static void make_spare(struct run *run) {
    struct registers *r = run->impl;
    const uint64_t bytes = ecl_cl_room(&run->system); /* as the others, with which it changes
                                                             places */
    if (r->spare || run->report.device_bytes + bytes > r->state.runtime.info.global_bytes ||
        ecl_cl_buffer(&r->state.runtime, bytes, "a third array of the state", &r->spare, NULL))
        return;
    run->report.device_bytes += bytes;
}

static int make_words(struct run *run, struct registers *r, eulercl_error *error) {
    struct cl_state *c = &r->state;
    uint64_t bytes;
    if (!r->made->tile.persistent) return EULERCL_OK;
    if (__builtin_mul_overflow(run->system.state_bytes, REGISTER_EXCHANGE_SETS * 2, &bytes))
        return ecl_fail(error, EULERCL_MEMORY, "the exchange of tiles overflows");
    int status = ecl_cl_buffer(&c->runtime, bytes, "the exchange of tiles", &r->made->words, error);
    if (status) return status;
    r->made->words_bytes = bytes;
    run->report.device_bytes += bytes;
    return ecl_cl_buffer(
        &c->runtime, sizeof(cl_int), "the mark of failure", &r->made->failed, error);
}

/* Bytes of the arrays that go from one section of a step to the next, at the most. */
static int find_carried(const struct run *run, uint64_t *bytes, eulercl_error *error) {
    const struct registers *const r = run->impl;
    const struct method *const m = run->system.method;
    int arrays = 0;
    for (int s = 1; s < r->made->tile.cut.sections; s++)
        arrays = (int)int_max(
            arrays, ecl_carried_into(m, ecl_register_first_stage(run, &r->made->sections[s].is)));
    if (__builtin_mul_overflow(run->system.state_bytes, (uint64_t)arrays, bytes))
        return ecl_fail(error, EULERCL_MEMORY,
            "the memory for %d carried arrays of method %s overflows 64 bits", arrays, m->name);
    if (!arrays) *bytes = run->system.real_size; /* an argument of the kernel in any case */
    return EULERCL_OK;
}

/* Both have one size, the largest that any method of the run needs: with two of them each kernel
 * uses both, also those of methods that came with fewer sections or arrays (ecl_cl_set_carried). */
static int make_carried(struct run *run, eulercl_error *error) {
    struct registers *r = run->impl;
    const struct register_tile *const t = &r->made->tile;
    const int more = (int)int_max(t->cut.sections - 1, t->most_stages > 0); /* as arguments */
    uint64_t bytes;
    int status = find_carried(run, &bytes, error);
    if (!status && bytes < r->carried_bytes[0]) bytes = r->carried_bytes[0];
    for (int k = 0; !status && k < 2; k++) {
        cl_mem larger;
        if ((k >= more && !r->carried[k]) || bytes <= r->carried_bytes[k]) continue;
        status =
            ecl_cl_buffer(&r->state.runtime, bytes, "the method's carried values", &larger, error);
        if (status) return status;
        if (r->carried[k]) clReleaseMemObject(r->carried[k]);
        r->carried[k] = larger;
        run->report.device_bytes += bytes - r->carried_bytes[k];
        r->carried_bytes[k] = bytes;
    }
    return status;
}

static const char *program_name(const struct section *section) {
    return section->is.tile->kernel->program(section->is.tile)->name;
}

/* The program of a section, unless it is that of the section before, whose text is in *last. */
static int build_section(struct run *run, int number, char **last, eulercl_error *error) {
    struct registers *r = run->impl;
    char *source;
    const struct section *const section = &r->made->sections[number];
    int status = source_of(run, section, &source, error);
    if (status) return status;
    if (!r->state.now) { /* the first program of the run */
        status = ecl_cl_prepare(run, source, program_name(section), error);
        if (!status) {
            clReleaseKernel(r->state.kernel);
            r->state.kernel = NULL;
        }
    } else if (!*last || strcmp(source, *last)) {
        status = ecl_cl_build(&r->state.runtime, source, &run->report.build_seconds, error);
    }
    ecl_mem_free(*last);
    *last = source;
    return status;
}

static int make_section(struct run *run, int number, char **last, eulercl_error *error) {
    struct registers *r = run->impl;
    struct section *const section = &r->made->sections[number];
    const struct register_tile *const t = section->is.tile;
    int status = build_section(run, number, last, error);
    for (int k = 0; !status && k < 2; k++)
        status = ecl_cl_kernel(&r->state.runtime, program_name(section), &section->kernels[k],
            &r->state.max_workgroup, error);
    return status ? status
                  : ecl_cl_choose_workgroup(
                        run, (uint64_t)(t->items * t->item_rows), 0, error); /* it is compiled in */
}

/* Again whenever the method is taken up: its table may be at another place than before. */
static void set_sections(const struct run *run, struct made *made) {
    for (int s = 0; s < made->tile.cut.sections; s++) set_section(run, made, s, &made->sections[s]);
}

/* Choose the tiles. A device that has less local memory than devices of its kind gets those of a
 * device without asynchronous copies. */
static int choose(struct run *run, struct made *made, eulercl_error *error) {
    struct registers *const r = run->impl;
    struct register_tile *const t = &made->tile;
    eulercl_device_info device = r->state.runtime.info;
    int status = ecl_registers_choose(run, &device, t, error);
    if (!status && !ecl_cl_has_local_memory(&r->state.runtime, t->local_bytes)) {
        device.compute_capability = 0;
        status = ecl_registers_choose(run, &device, t, error);
    }
    if (!status && t->cut.tail)
        status = ecl_registers_choose_tail(run, &device, t, &made->tail, error);
    return status;
}

/* Fill r->made for the system's method. On failure the caller destroys it. */
static int make(struct run *run, eulercl_error *error) {
    struct registers *r = run->impl;
    struct made *const made = r->made;
    const struct method *const m = run->system.method;
    struct register_tile *const t = &made->tile;
    int status = choose(run, made, error);
    if (status) return status;
    made->method = m->name;
    made->stages = m->stages;
    made->body = ecl_find_body(m);
    made->computed = ecl_registers_computed(&run->system, t, t->steps) +
                     (t->cut.tail ? ecl_registers_computed(&run->system, &made->tail, 1) : 0);
    made->place = ecl_cl_place(&run->system);
    made->sections = ecl_mem_zeroed((uint64_t)t->cut.sections, sizeof *made->sections);
    if (!made->sections) return ecl_no_memory(error, "the sections of a step");
    set_sections(run, made);
    char *last = NULL;
    for (int s = 0; !status && s < t->cut.sections; s++)
        status = make_section(run, s, &last, error);
    ecl_mem_free(last);
    if (!status) status = make_words(run, r, error);
    if (!status) status = make_carried(run, error);
    if (!status && !r->state.times) status = ecl_cl_make_times(run, run->system.reads_time, error);
    if (!status) status = ecl_cl_make_errors(run, error);
    if (status) return status;
    if (m->estimate) make_spare(run);
    cl_int cl = CL_SUCCESS;
    for (int s = 0; s < t->cut.sections; s++)
        for (int turn = 0; !cl && turn < 2; turn++) cl = ecl_cl_set_arguments(run, s, turn);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : ecl_cl_set_carried(run, error);
}

/* Let r->made make the steps from now on. */
static void use(struct run *run) {
    struct registers *r = run->impl;
    const struct register_tile *const t = &r->made->tile;
    set_sections(run, r->made);
    r->state.groups = (size_t)t->groups;
    r->state.workgroup = (size_t)(t->items * t->item_rows);
    report(run, r);
}

static int create(struct run *run, eulercl_error *error) {
    struct registers *r = ecl_mem_zeroed(1, sizeof *r);
    if (!r) return ecl_no_memory(error, "a solver");
    int status = ecl_cl_open(&r->state.runtime, &run->options, error);
    if (status) {
        ecl_mem_free(r);
        return status;
    }
    run->impl = r;
    r->made = &r->all[r->count++];
    r->state.set_arguments = ecl_cl_set_constants;
    r->tag = 1; /* words that nobody has written have tag 0 */
    r->state.largest_index = largest_index(run);
    status = ecl_cl_check_device(run, error);
    if (!status) status = make(run, error);
    if (status)
        destroy(run);
    else
        use(run);
    return status;
}

/* The tuning parameters and the variant that are expected to be the best for the system's method,
 * of those that the user left open. Without any, what is there stays, and making a tile says why.
 */
static void tune(struct run *run, const struct register_tile *before) {
    const struct registers *r = run->impl;
    struct run asked = *run;
    struct proposal best;
    size_t backend;
    if (before->most_stages) { /* the program is there */
        TUNE(&run->options, points_per_item, before->points);
        TUNE(&run->options, rows_per_item, before->rows);
        TUNE(&run->options, workgroup_rows, before->item_rows);
        TUNE(&run->options, workgroup_size, before->items * before->item_rows);
        TUNE(&run->options, steps_per_launch, 0);
        return;
    }
    asked.options = run->asked;
    int found = ecl_registers_propose(&asked, &r->state.runtime.info, &best, 1);
    if (found < 1 && TUNED(&asked.options, persistent) > 0) {
        /* A run goes on where tiles cannot persist with another method. */
        TUNE(&asked.options, persistent, 0);
        found = ecl_registers_propose(&asked, &r->state.runtime.info, &best, 1);
    }
    if (found < 1 || ecl_find_backend("cl-register", &backend, NULL)) return;
    memcpy(run->options.tuning, best.options.tuning, sizeof run->options.tuning);
    ecl_find_variant(backend, TUNED_NAME(&run->options, variant), &run->variant, NULL);
}

static int is_made_for(const struct made *made, const struct system *s) {
    const struct cl_place place = ecl_cl_place(s);
    return !strcmp(made->method, s->method->name) && made->stages == s->method->stages &&
           !memcmp(&made->place, &place, sizeof place);
}

/* A method that the run has had is there already. */
static int change_method(struct run *run, eulercl_error *error) {
    struct registers *r = run->impl;
    struct made *const before = r->made;
    r->queued.steps = 0;
    const eulercl_options options = run->options;
    const size_t variant = run->variant, workgroup = r->state.workgroup;
    int i = 0;
    while (i < r->count && !is_made_for(&r->all[i], &run->system)) i++;
    if (i == r->count && i == MOST_MADE) {
        i = before == r->all; /* one that is not used now */
        destroy_made(run, &r->all[i]);
        r->all[i].method = ""; /* if what follows fails */
        r->made = &r->all[i];
    } else
        r->made = &r->all[i];
    const int is_new = !r->made->sections;
    if (is_new) tune(run, &before->tile);
    const int status = is_new ? make(run, error) : ecl_cl_set_carried(run, error);
    if (status) {
        run->options = options;
        run->variant = variant;
        r->state.workgroup = workgroup;
        destroy_made(run, r->made);
        r->made->method = "";
        r->made = before;
        ecl_cl_set_carried(run, NULL); /* they may be others */
        return status;
    }
    if (i == r->count) r->count++;
    use(run);
    return EULERCL_OK;
}

static int move(struct run *run, eulercl_error *error) {
    return ecl_cl_move(run, change_method, ecl_cl_set_constants, error);
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct registers *r = run->impl;
    const struct register_tile *t = &r->made->tile;
    ecl_cl_facts(run, stats);
    ecl_add_count(stats, "tiles", "", (uint64_t)t->groups);
    ecl_add_count(stats, "points_per_item", "points", (uint64_t)t->points);
    ecl_add_count(stats, "rows_per_item", "rows", (uint64_t)t->rows);
    ecl_add_count(stats, "workgroup_rows", "rows", (uint64_t)t->item_rows);
    ecl_add_count(stats, "steps_per_exchange", "steps", (uint64_t)t->exchange);
    if (t->cut.sections > 1)
        ecl_add_count(stats, "launches_per_step", "", (uint64_t)t->cut.sections);
    ecl_add_count(stats, "persistent", "", (uint64_t)persists(r));
    ecl_add_count(stats, "local_bytes", "bytes", t->local_bytes);
    ecl_add_total(stats, "redundant_component_steps", "component-steps", r->redundant);
}

static const struct step_table steps = {ecl_cl_register_step, change_method};
static const struct slot_table slot = {move, ecl_cl_fill, ecl_cl_fetch, ecl_cl_swap, ecl_cl_swap};
static const struct round_table rounds = {ecl_cl_register_outlives, ecl_cl_register_undo};

const struct backend ecl_backend_cl_register = {
    .create = create,
    .destroy = destroy,
    .propose = ecl_registers_propose,
    .source = source_by_options,
    .facts = list_facts,
    .state = &ecl_cl_state,
    .steps = &steps,
    .copies = &ecl_cl_copies,
    .rounds = &rounds,
    .slot = &slot,
    .memory = &ecl_cl_memory,
    .early = &ecl_cl_early,
};
