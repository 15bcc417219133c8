/* SPDX-License-Identifier: BSD-2-Clause */
/* tiles.c - backends cl-row-diamond, cl-column-diamond and cl-honeycomb: several steps per
   launch in tiles (thesis, ch. 6 to 9). The geometry is lib/schedule/diamond_geometry.h's, the
   choice of the tile lib/schedule/diamond.c's. */
#include "config.h"
#include "state.h"
#include "../schedule/diamond.h"
#include "opencl/embedded.h"
#include "../problem/flush.h"
#include "../problem/system.h"
#include "../int.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

struct tiles {
    struct cl_state state; /* first: see state.h */
    enum tile_kind kind;
    struct tiling tiling;
    /* traffic of an even and of an odd pass that is not cut off in time; 0: not known yet */
    uint64_t whole_traffic[2];
};

static int has_stages(const struct method *m) { return !ecl_is_euler_step(m); }

/* Indices reach beyond the state's end by less than the narrow limit leaves. */
static int64_t largest_index(const struct system *s) {
    int64_t values;
    return !__builtin_mul_overflow(s->n, (int64_t)s->method->arrays, &values) &&
                   ecl_diamond_is_narrow(values)
               ? 0
               : INT64_MAX;
}

static int source_of(enum tile_kind kind, enum tile_storage storage, size_t workgroup,
    const struct run *run, char **source, eulercl_error *error) {
    const struct method *m = run->system.method;
    const int point = (int)ecl_system_point(&run->system),
              unit = run->variant || 4 % point ? point : 4;
    char settings[192], stages[48] = "";
    if (has_stages(m)) snprintf(stages, sizeof stages, "#define STAGE_ARRAYS %d\n", m->arrays);
    snprintf(settings, sizeof settings,
        "#define TILE_STORAGE %d\n#define TILE_UNIT %d\n#define TILE_WORKGROUP %zu\n%s",
        (int)storage, unit, workgroup, stages);
    const struct cl_text rows = CL_TEXT("tile_rows.cl", tile_rows),
                         columns = CL_TEXT("tile_columns.cl", tile_columns);
    const struct cl_program_text tiling = {
        .settings = settings,
        .in_local_memory = storage != TILE_GLOBAL,
        .ending = &run->system,
        .texts = {CL_TEXT("diamond_geometry.h", diamond_geometry), CL_TEXT("stages.cl", stages),
            CL_TEXT("tile.cl", tile), kind == TILE_COLUMN_DIAMOND ? columns : rows},
    };
    return ecl_cl_source(
        &run->system, &run->options, largest_index(&run->system), &tiling, source, error);
}

/* Without a device. */
static int source_by_options(
    enum tile_kind kind, const struct run *run, char **source, eulercl_error *error) {
    enum tile_storage storage;
    const int status = ecl_diamond_storage(kind, run, &storage, error);
    return status
               ? status
               : source_of(kind, storage, ecl_diamond_workgroup(&run->options), run, source, error);
}

/* Places of the arguments of the kernels: TILE_ARGUMENTS in tile.cl. */
enum {
    EVEN,
    ODD,
    TIMES,
    FIELDS,
    CONSTANTS,
    H,
    N,
    EXTENTS,
    BLOCK,
    HALO,
    BLOCKS,
    CUT,
    PASS,
    STEPS,
    MEMORY,
    MORE /* if something is flushed: the levels since the last time */
};
/* The arguments of methods come after them. */
static cl_uint place_of_stages(const struct system *s) { return MORE + (s->flush.reals != NULL); }

static cl_uint place_of_errors(const struct system *s) { return place_of_stages(s) + 3; }

static const char *kernel_name(enum tile_kind kind) {
    return kind == TILE_COLUMN_DIAMOND ? "tile_columns" : "tile_rows";
}

/* Make the buffers that a method needs beside the program. */
static int make_buffers(struct run *run, eulercl_error *error) {
    if (!has_stages(run->system.method)) return EULERCL_OK;
    int status = ecl_cl_make_carried(run, error);
    if (!status) status = ecl_cl_make_errors(run, error);
    return status ? status : ecl_cl_make_stages(run, error);
}

/* The method, for a batch with steps of size h: the coefficients of its stages, and where they and
 * the carried values are. */
static int set_stages(const struct run *run, double h, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    const struct method *m = run->system.method;
    const size_t size = run->system.real_size,
                 each = size == sizeof(float) ? sizeof(ode_stage_f32) : sizeof(ode_stage_f64),
                 bytes = (size_t)m->stages * each;
    const cl_uint place = place_of_stages(&run->system);
    const cl_int count = m->stages;
    if (!has_stages(m)) return EULERCL_OK;
    char *const stages = ecl_mem_zeroed((uint64_t)m->stages, each);
    if (!stages) return ecl_no_memory(error, "the method's coefficients");
    for (int s = 0; s < m->stages; s++) {
        union ecl_stage stage;
        ecl_stage_of(m, s, h, size, &stage);
        memcpy(stages + (size_t)s * each, &stage, each);
    }
    cl_int cl =
        clEnqueueWriteBuffer(c->runtime.queue, c->stages, CL_TRUE, 0, bytes, stages, 0, NULL, NULL);
    ecl_mem_free(stages);
    if (!cl) cl = clSetKernelArg(c->kernel, place, sizeof count, &count);
    if (!cl) cl = clSetKernelArg(c->kernel, place + 1, sizeof c->stages, &c->stages);
    if (!cl) cl = clSetKernelArg(c->kernel, place + 2, sizeof c->carried, &c->carried);
    return cl ? ecl_cl_fail(error, cl, "the method's coefficients") : EULERCL_OK;
}

/* All that stays the same from batch to batch. */
static cl_int set_arguments(const struct run *run) {
    const struct tiles *t = run->impl;
    const struct cl_state *c = &t->state;
    const struct system *s = &run->system;
    const tile_shape shape = t->tiling.shape;
    const struct {
        int place;
        int64_t value;
    } numbers[] = {{N, s->n}, {BLOCK, shape.block}, {HALO, shape.halo}, {BLOCKS, shape.blocks},
        {CUT, shape.cut}};
    cl_int cl = CL_SUCCESS;
    for (size_t i = 0; !cl && i < sizeof numbers / sizeof *numbers; i++)
        cl = ecl_cl_set_index(c, c->kernel, (cl_uint)numbers[i].place, numbers[i].value);
    if (!cl) cl = ecl_cl_set_axes(c, c->kernel, EXTENTS, s->context.grid.extents);
    if (!cl) cl = clSetKernelArg(c->kernel, CONSTANTS, c->constants_bytes, s->constants);
    if (!cl) cl = clSetKernelArg(c->kernel, FIELDS, sizeof c->fields, &c->fields);
    if (!cl) cl = clSetKernelArg(c->kernel, TIMES, sizeof c->times, &c->times);
    /* Four reals where there is no local storage: no size may be 0. */
    return cl ? cl
              : clSetKernelArg(c->kernel, MEMORY,
                    t->tiling.local_bytes ? (size_t)t->tiling.local_bytes : 4 * s->real_size, NULL);
}

static void count_steps(struct run *run) {
    const struct tiles *t = run->impl;
    run->report.steps_per_launch =
        (uint64_t)int_ceil(t->tiling.levels_per_launch, run->system.method->stages);
}

static int prepare(struct run *run, struct tiles *t, eulercl_error *error) {
    struct cl_state *c = &t->state;
    int status = ecl_cl_check_device(run, error);
    if (!status) status = ecl_diamond_choose(t->kind, run, &c->runtime.info, &t->tiling, error);
    if (!status)
        status = source_of(t->kind, t->tiling.storage, t->tiling.workgroup, run, &c->source, error);
    if (status) return status;
    c->largest_index = largest_index(&run->system);
    status = ecl_cl_prepare(run, c->source, kernel_name(t->kind), error);
    if (!status)
        status =
            ecl_cl_choose_workgroup(run, t->tiling.workgroup, 0, error); /* it is compiled in */
    if (!status) status = ecl_cl_make_times(run, 1, error);
    if (!status) status = make_buffers(run, error);
    if (status) return status;
    const int64_t tiles = tile_max(tile_count(t->tiling.shape, 0), tile_count(t->tiling.shape, 1));
    /* More work-groups than tiles would idle, and their numbers might overflow the kernels'
     * indices. */
    c->groups = (size_t)tile_min(TUNED_OR(&run->options, workgroups, INT32_MAX), tiles);
    count_steps(run);
    t->state.set_arguments = set_arguments;
    const cl_int cl = set_arguments(run);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

/* The tile does not depend on the method; the program does by the number of arrays and by which of
 * them has the estimate. Buffers that have grown do no harm if the rest fails. */
static int change_method(struct run *run, eulercl_error *error) {
    const struct tiles *t = run->impl;
    char *source;
    int status = make_buffers(run, error);
    if (!status)
        status = source_of(t->kind, t->tiling.storage, t->tiling.workgroup, run, &source, error);
    if (!status)
        status = ecl_cl_change_program(
            run, source, kernel_name(t->kind), largest_index(&run->system), set_arguments, error);
    if (!status) count_steps(run);
    return status;
}

static int move(struct run *run, eulercl_error *error) {
    return ecl_cl_move(run, change_method, set_arguments, error);
}

static int create(struct run *run, enum tile_kind kind, eulercl_error *error) {
    struct tiles *t = ecl_mem_zeroed(1, sizeof *t);
    if (!t) return ecl_no_memory(error, "a solver");
    int status = ecl_cl_open(&t->state.runtime, &run->options, error);
    if (status) {
        ecl_mem_free(t);
        return status;
    }
    run->impl = t;
    t->kind = kind;
    status = prepare(run, t, error);
    if (status) ecl_cl_destroy(run);
    return status;
}

static uint64_t traffic_of(struct tiles *t, int64_t pass, int64_t steps, size_t real_size) {
    const tile_shape shape = t->tiling.shape;
    const int whole =
        tile_middle(shape, pass) - shape.cut > 1 && tile_middle(shape, pass) + shape.cut <= steps;
    uint64_t *known = &t->whole_traffic[pass % 2];
    if (!whole) return ecl_diamond_traffic(&t->tiling, pass, steps, real_size);
    if (!*known) *known = ecl_diamond_traffic(&t->tiling, pass, steps, real_size);
    return *known;
}

/* Run at most TABLE_LEVELS levels from the beginning of a step on. After them the whole state is in
 * `now` at one level, which costs part of a launch. */
static cl_int run_table(struct run *run, const struct batch *batch, int64_t begin, int64_t levels) {
    struct tiles *t = run->impl;
    struct cl_state *c = &t->state;
    const tile_shape shape = t->tiling.shape;
    const size_t items = c->groups * c->workgroup;
    cl_int cl = ecl_cl_write_times(run, batch, begin, levels);
    if (!cl) cl = ecl_cl_set_index(c, c->kernel, STEPS, levels);
    /* The index's type may be an int. */
    const int64_t since_flush = (ecl_levels_since_flush(run->system.method, batch) + begin) %
                                ecl_flush_levels(run->system.method);
    if (!cl && run->system.flush.reals) cl = ecl_cl_set_index(c, c->kernel, MORE, since_flush);
    if (!cl) cl = clSetKernelArg(c->kernel, EVEN, sizeof c->now, &c->now);
    if (!cl) cl = clSetKernelArg(c->kernel, ODD, sizeof c->next, &c->next);
    const int64_t last = tile_last_pass(shape, levels);
    for (int64_t pass = tile_first_pass(shape); !cl && pass <= last; pass++) {
        cl = ecl_cl_set_index(c, c->kernel, PASS, pass);
        if (!cl) cl = ecl_cl_launch(run, c->kernel, 1, &items, &c->workgroup);
        if (!cl) c->global_bytes += traffic_of(t, pass, levels, run->system.real_size);
    }
    if (!cl && levels % 2) {
        cl_mem now = c->now;
        c->now = c->next;
        c->next = now;
    }
    return cl;
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct cl_state *c = run->impl;
    cl_int cl = clFinish(c->runtime.queue);
    const double start = ecl_now();
    if (!cl) cl = ecl_cl_set_real(run, c->kernel, H, batch->h);
    const int64_t stages = run->system.method->stages, levels = batch->steps * stages,
                  most = TABLE_LEVELS / stages * stages;
    const int status = cl ? EULERCL_OK : set_stages(run, batch->h, error);
    if (status) return status;
    if (!cl) cl = ecl_cl_begin_errors(run);
    if (!cl) cl = ecl_cl_set_errors(run, c->kernel, place_of_errors(&run->system));
    for (int64_t begin = 0; !cl && begin < levels; begin += most)
        cl = run_table(run, batch, begin, tile_min(most, levels - begin));
    if (!cl) cl = ecl_cl_read_errors(run);
    cl = ecl_cl_finish(run, cl, start, seconds);
    return cl ? ecl_cl_fail(error, cl, "running steps") : EULERCL_OK;
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct tiles *t = run->impl;
    const tile_shape shape = t->tiling.shape;
    ecl_cl_facts(run, stats);
    ecl_add_count(
        stats, "tiles", "", (uint64_t)tile_max(tile_count(shape, 0), tile_count(shape, 1)));
    ecl_add_count(stats, "dia_blocks", "blocks", (uint64_t)shape.blocks);
    ecl_add_count(stats, "block_size", "components", (uint64_t)shape.block);
    ecl_add_text(stats, "storage", ecl_tunings[TUNING_storage].choices[t->tiling.storage]);
    if (*t->tiling.distribution) ecl_add_text(stats, "distribution", t->tiling.distribution);
    ecl_add_count(stats, "local_bytes", "bytes", t->tiling.local_bytes);
}

static const struct step_table steps = {step, change_method};
static const struct slot_table slot = {move, ecl_cl_fill, ecl_cl_fetch, ecl_cl_swap, ecl_cl_swap};

#define TILED(NAME, KIND)                                                                     \
    static int create_##NAME(struct run *run, eulercl_error *error) {                         \
        return create(run, KIND, error);                                                      \
    }                                                                                         \
    static int source_of_##NAME(const struct run *run, char **source, eulercl_error *error) { \
        return source_by_options(KIND, run, source, error);                                   \
    }                                                                                         \
    static int propose_##NAME(const struct run *run, const eulercl_device_info *device,       \
        struct proposal *proposals, int most) {                                               \
        return ecl_diamond_propose(KIND, run, device, proposals, most);                       \
    }                                                                                         \
    const struct backend ecl_backend_cl_##NAME = {                                            \
        .create = create_##NAME,                                                              \
        .destroy = ecl_cl_destroy,                                                            \
        .propose = propose_##NAME,                                                            \
        .source = source_of_##NAME,                                                           \
        .facts = list_facts,                                                                  \
        .state = &ecl_cl_state,                                                               \
        .steps = &steps,                                                                      \
        .copies = &ecl_cl_copies,                                                             \
        .slot = &slot,                                                                        \
        .memory = &ecl_cl_memory,                                                             \
    };
TILED(row_diamond, TILE_ROW_DIAMOND)
TILED(column_diamond, TILE_COLUMN_DIAMOND)
TILED(honeycomb, TILE_HONEYCOMB)
