/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/registers.c - backend cl-register: several steps per launch in overlapped tiles that are
   held in registers. The geometry is lib/schedule/overlap_geometry.h's, the choice of the tile
   lib/schedule/overlap_registers.c's. */
#include "config.h"
#include "state.h"
#include "method_text.h"
#include "../problem/problem_text.h"
#include "../schedule/overlap_registers.h"
#include "opencl/embedded.h"
#include "../int.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

enum {
    /* Steps of a launch of persistent tiles: a few milliseconds, after which the host looks whether
       all is well. */
    PERSISTENT_STEPS = 1 << 13,
    EXCHANGE_SETS = 4, /* see register_plane_persistent.cl */
};

/* What a launch makes: steps, or a section of one step. */
struct section {
    const struct made *made; /* that it belongs to, */
    int number;              /* and where */
    struct method stages;
    /* One for either way round of the state's two buffers: a launch of few microseconds has no time
     * for setting arguments. */
    cl_kernel kernels[2];
    cl_int steps_set[2]; /* what their argument STEPS is */
};

/* What a method needs. */
struct made {
    const char *method;              /* its name, */
    int stages;                      /* and number of stages, */
    struct cl_place place;           /* and where the window stands that its text is for */
    struct register_tile tile, tail; /* tail: of the last section, if that is another one */
    struct body body;                /* that sections are cut out of, if tile.is_body */
    uint64_t computed;               /* component-stages of launches of all its steps */
    struct section *sections;        /* [tile.cut.sections] */
    cl_mem words, failed; /* of persistent tiles: what they exchange; 1 if one waited in vain */
    uint64_t words_bytes;
};

/* A run with a tolerance goes back and forth between a few methods and numbers of stages. */
enum { MOST_MADE = 24 };

struct registers {
    struct cl_state state; /* first: see state.h */
    struct made *made;     /* of the present method, one of */
    struct made all[MOST_MADE];
    int count;
    cl_mem carried[2]; /* a method's carried values between sections, which change places as the
                          state's buffers do; the second one where a section needs both. They serve
                          all methods, because no value outlives a step. */
    uint64_t carried_bytes[2];
    /* With a tolerance: */
    cl_mem spare;        /* a third array of the state, so that the one before a batch remains, */
    cl_mem before;       /* which is this; NULL: it does not */
    struct batch queued; /* whose first launch was made before it was known that it follows, from
                            the present state into ahead; no steps: none */
    cl_mem ahead;
    int64_t queued_version; /* of the state that it was launched from */
    int has_begun;          /* the first launch of the present batch was made */
    cl_uint tag;            /* of the next exchange */
    int turn;               /* which kernel the next launch takes */
    int gave_up;            /* a persistent tile has waited in vain, so none waits any more */
    uint64_t redundant;     /* component-stages that were computed more than once, or in vain */
};

static int ends_step(const struct section *s) {
    return s->number == s->made->tile.cut.sections - 1;
}
static int is_tail(const struct section *s) { return s->made->tile.cut.tail && ends_step(s); }
static const struct register_tile *tile_of(const struct section *s) {
    return is_tail(s) ? &s->made->tail : &s->made->tile;
}

/* The body that the section is cut out of; NULL: of none. */
static const struct body *body_of(const struct section *s) {
    return s->made->tile.is_body && !is_tail(s) ? &s->made->body : NULL;
}

/* The stages of a section with the arrays that they use. */
static struct method stages_of(const struct section *s) {
    const struct body *const body = body_of(s);
    struct method stages = s->stages;
    if (body) stages.arrays = body->arrays;
    return stages;
}

/* The numbers in the step of a section's first stage and of the one behind its last. */
static int64_t first_stage(const struct run *run, const struct section *s) {
    return s->stages.table - run->system.method->table;
}
static int64_t end_stage(const struct run *run, const struct section *s) {
    return first_stage(run, s) + s->stages.stages;
}

static void set_section(
    const struct run *run, const struct made *made, int number, struct section *section) {
    section->made = made;
    section->number = number;
    section->stages = ecl_section(run->system.method, made->tile.cut, number);
}

/* Whether a launch makes more steps than a tile could make alone. */
static int persists(const struct registers *r) { return r->made->tile.persistent && !r->gave_up; }

/* The kernel of a program, and the texts that are its own. */
static const struct program {
    const char *kernel;
    struct cl_text texts[2];
} line_program = {"register_line", {CL_TEXT("register_line.cl", register_line)}},
  stream_program = {"register_stream", {CL_TEXT("register_stream.cl", register_stream)}},
  plane_program = {"register_plane", {CL_TEXT("register_plane.cl", register_plane),
                                         CL_TEXT("register_plane_once.cl", register_plane_once)}},
  pipeline_program = {"register_pipeline", {CL_TEXT("register_pipeline.cl", register_pipeline)}},
  persistent_program = {"register_plane_persistent",
      {CL_TEXT("register_plane.cl", register_plane),
          CL_TEXT("register_plane_persistent.cl", register_plane_persistent)}};

static const struct program *program_of(const struct register_tile *t) {
    if (t->kernel == REGISTER_LINE) return &line_program;
    if (t->kernel == REGISTER_STREAM) return &stream_program;
    if (t->kernel == REGISTER_PIPELINE) return &pipeline_program;
    return t->persistent ? &persistent_program : &plane_program;
}

/* How many reals a vector of an edge has: as many as divide the edge and have at most 16 bytes. */
static int width_of(const struct run *run, int64_t reals) {
    const int most = 16 / (int)run->system.real_size;
    return reals % 4 == 0 && most == 4 ? 4 : reals % 2 == 0 ? 2 : 1;
}

/* As in register_pipeline.cl. */
struct pipe_section {
    cl_int enters, leaves, begins_as_solution;
};
static struct pipe_section pipe_section_of(const struct run *run, const struct section *s) {
    const struct method *const m = run->system.method;
    const int64_t first = first_stage(run, s), end = end_stage(run, s);
    return (struct pipe_section){first ? (cl_int)ecl_wanted_behind(m, (int)first - 1) : 0,
        end < m->stages ? (cl_int)ecl_wanted_behind(m, (int)end - 1) : 0,
        (cl_int)(body_of(s)->begins_as_solution >> 1)};
}
/* Whether all carried values come from memory and go there. */
static int is_middle(const struct run *run, const struct section *s) {
    const struct pipe_section p = pipe_section_of(run, s);
    const cl_int all = (1 << (body_of(s)->arrays - 1)) - 1;
    return p.enters == all && p.leaves == all;
}

static void put_pipeline(
    struct cl_settings *settings, const struct run *run, const struct section *section) {
    const struct register_tile *const t = tile_of(section);
    const struct body *const body = body_of(section);
    const int64_t levels = t->levels / t->item_rows,
                  own = t->points * run->system.definition->grid.components;
    ecl_cl_put(settings,
        "#define PIPE_POINTS %d\n#define PIPE_ITEMS %d\n#define PIPE_WARPS %d\n#define PIPE_LEVELS "
        "%d\n#define PIPE_VECTOR %d\n#define PIPE_LOCAL_VECTOR %d\n#define PIPE_AHEAD %d\n#define "
        "PIPE_GAP %d\n#define PIPE_STORES_MIDWAY %d\n#define PIPE_UNROLL %d\n#define "
        "PIPE_EACH_TURN(TURN)",
        (int)t->points, (int)t->items, (int)t->item_rows, (int)levels, t->vector,
        width_of(run, own), t->ahead, (int)t->gap, t->stores_midway, t->unroll);
    for (int turn = 0; turn < t->unroll; turn++) ecl_cl_put(settings, " TURN(%d)", turn);
    ecl_cl_put(settings, "\n#define PIPE_IS_MIDDLE %d\n", body && is_middle(run, section));
    ecl_cl_put_warps(settings, run->system.method, body, t->item_rows, levels);
}

static void put_settings(
    struct cl_settings *settings, const struct run *run, const struct section *section) {
    const struct register_tile *const t = tile_of(section);
    const struct body *const body = body_of(section);
    const struct method stages = stages_of(section);
    const struct ode_grid *grid = &run->system.definition->grid;
    const struct reads reads = ecl_find_reads(run->system.definition);
    ecl_cl_put(settings,
        "#define REGISTER_RADIUS %d\n#define REGISTER_PTX %d\n#define REGISTER_SHUFFLE %d\n#define "
        "REGISTER_STAR %d\n"
        "#define REGISTER_TIMES %d\n#define REGISTER_SHARED(k) (",
        (int)t->radius, t->ptx, t->shuffle, !reads.diagonals, reads.time);
    int shared = 0;
    for (unsigned c = 0; c < grid->components; c++)
        if (c > 63 || reads.components >> c & 1 || t->exchange > 1)
            ecl_cl_put(settings, "(k) == %d ? %u : ", shared++, c);
    ecl_cl_put(settings, "0)\n#define REGISTER_SHARED_COUNT %d\n", shared ? shared : 1);
    const int64_t edge = t->radius * (shared ? shared : 1); /* reals of one side of one row */
    switch (t->kernel) {
    case REGISTER_LINE:
        ecl_cl_put(settings,
            "#define LINE_POINTS %d\n#define LINE_ITEMS %d\n#define LINE_EXCHANGE %d\n#define "
            "LINE_VECTOR %d\n#define LINE_STAGE %d\n#define LINE_UNROLL %d\n#define LINE_STEPS "
            "%d\n",
            (int)t->points, (int)t->items, (int)t->exchange, width_of(run, edge * t->exchange),
            t->stage, t->unroll, t->unrolled_steps * (int)t->exchange);
        break;
    case REGISTER_PLANE:
        ecl_cl_put(settings,
            "#define PLANE_POINTS %d\n#define PLANE_ROWS %d\n#define PLANE_ITEMS %d\n#define "
            "PLANE_ITEM_ROWS %d\n#define PLANE_VECTOR %d\n"
            "#define PLANE_SIDE_VECTOR %d\n#define PLANE_END_VECTOR %d\n"
            "#define PLANE_BUFFERS %d\n#define PLANE_UNROLL %d\n#define PLANE_STEPS %d\n#define "
            "PERSISTENT_SETS %d\n#define PERSISTENT_PATIENCE %d\n",
            (int)t->points, (int)t->rows, (int)t->items, (int)t->item_rows, t->vector,
            width_of(run, edge * t->rows), width_of(run, edge * t->points), t->buffers, t->unroll,
            t->unrolled_steps, EXCHANGE_SETS, ecl_register_patience);
        break;
    case REGISTER_STREAM:
        ecl_cl_put(settings,
            "#define STREAM_POINTS %d\n#define STREAM_ITEMS %d\n#define STREAM_LEVELS %d\n#define "
            "STREAM_VECTOR %d\n#define STREAM_SIDE_VECTOR %d\n#define STREAM_UNROLL %d\n",
            (int)t->points, (int)t->items, (int)t->levels, t->vector, width_of(run, edge),
            t->unroll);
        ecl_cl_put_levels(settings, run->system.method, t->levels);
        break;
    case REGISTER_PIPELINE:
        put_pipeline(settings, run, section);
    }
    ecl_cl_put_method(settings, run, &stages, body);
}

/* Halos reach beyond the ends of a periodic grid. */
static int64_t largest_index(const struct run *run) {
    return run->system.n < INT32_MAX / 2 ? 0 : INT64_MAX;
}

static int source_of(
    const struct run *run, const struct section *section, char **source, eulercl_error *error) {
    const struct program *const program = program_of(tile_of(section));
    struct cl_settings *const settings = ecl_mem_zeroed(1, sizeof *settings);
    if (!settings) return ecl_no_memory(error, "the settings of a program");
    put_settings(settings, run, section);
    const struct cl_program_text tiling = {.settings = settings->text,
        .ending = ends_step(section) ? &run->system : NULL,
        .texts = {CL_TEXT("overlap_geometry.h", overlap_geometry), CL_TEXT("register.cl", register),
            program->texts[0], program->texts[1]}};
    const int status =
        settings->length < sizeof settings->text
            ? ecl_cl_source(&run->system, &run->options, largest_index(run), &tiling, source, error)
            : ecl_fail(error, EULERCL_UNSUPPORTED, "cl-register: the text of method %s is too long",
                  run->system.method->name);
    ecl_mem_free(settings);
    return status;
}

/* Without a device: the tile of one with an H200's compute units and no shuffles, and of its
 * sections the first. */
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

/* Places of the arguments of the kernels. */
enum {
    IN,
    OUT,
    TIMES,
    FIELDS,
    CONSTANTS,
    FACTORS,
    NX,
    NY,
    HALO,
    HALO_DOWN,
    FIRST,
    STEPS,
    /* of persistent tiles */
    TOGETHER,
    WORDS,
    TAG,
    FAILED,
    /* of pipelines */
    Y_BEGIN = STEPS + 1,
    Y_END
};
/* Then, of sections: the carried values that come and that go; of those of a body a pipe_section.
 */
static cl_uint place_of_carried(const struct section *s) {
    return (tile_of(s)->kernel == REGISTER_PIPELINE ? Y_END : STEPS) + 1;
}
/* Of the last section, if something is flushed: the steps since the last time. */
static cl_uint place_of_flush(const struct section *s) {
    if (tile_of(s)->persistent) return FAILED + 1;
    return place_of_carried(s) + (s->made->tile.cut.sections > 1 ? 2 : 0) + (body_of(s) != NULL);
}

/* If errors are compared: the arguments for it. */
static cl_uint place_of_errors(const struct run *run, const struct section *s) {
    return place_of_flush(s) + (run->system.flush.reals != NULL);
}

static cl_int set_pipe_section(const struct run *run, const struct section *s, cl_kernel kernel) {
    const struct pipe_section values = pipe_section_of(run, s);
    return clSetKernelArg(kernel, place_of_carried(s) + 2, sizeof values, &values);
}

static void report(struct run *run, struct registers *r) {
    const struct register_tile *t = &r->made->tile;
    run->report.steps_per_launch = (uint64_t)t->steps;
    run->report.predicted_seconds = t->step_seconds;
    run->report.visit_steps = register_is_strip(t->kernel) ? t->steps : 0;
    if (t->kernel == REGISTER_STREAM)
        run->variant = REGISTER_ANY_STREAM;
    else if (t->kernel == REGISTER_PIPELINE)
        run->variant = REGISTER_ANY_PIPELINE;
    else if (run->variant != REGISTER_GROUP && run->variant != REGISTER_GROUP_LOCAL)
        run->variant =
            t->kernel == REGISTER_PLANE && !t->shuffle ? REGISTER_GROUP_LOCAL : REGISTER_GROUP;
}

/* Of pipelines: the rows that a launch makes, and how many of them and of gaps a group has. */
static cl_int set_rows(
    const struct run *run, cl_kernel kernel, int64_t begin, int64_t end, int64_t height) {
    const struct cl_state *c = run->impl;
    cl_int cl = ecl_cl_set_index(c, kernel, HALO_DOWN, height);
    if (!cl) cl = ecl_cl_set_index(c, kernel, Y_BEGIN, begin);
    return cl ? cl : ecl_cl_set_index(c, kernel, Y_END, end);
}

static cl_int set_all_rows(const struct run *run, cl_kernel kernel) {
    const struct registers *r = run->impl;
    return set_rows(run, kernel, 0, run->system.context.grid.extents[1], r->made->tile.height);
}

/* All that stays the same from launch to launch. */
static cl_int set_arguments(const struct run *run, int number, int turn) {
    const struct registers *r = run->impl;
    const struct cl_state *c = &r->state;
    const struct system *s = &run->system;
    const struct section *const section = &r->made->sections[number];
    const struct register_tile *t = tile_of(section);
    const cl_kernel kernel = section->kernels[turn];
    const struct {
        cl_uint place;
        int64_t value;
    } numbers[] = {
        {NX, s->context.grid.extents[0]},
        {NY, s->context.grid.extents[1]},
        {HALO, t->halo},
        {HALO_DOWN, t->kernel == REGISTER_STREAM ? t->height : t->halo_down},
        {FIRST, 0},
    };
    const struct {
        cl_uint place;
        const cl_mem *buffer;
    } buffers[] = {{IN, turn != r->turn ? &c->next : &c->now},
        {OUT, turn != r->turn ? &c->now : &c->next}, {TIMES, &c->times}, {FIELDS, &c->fields}};
    cl_int cl = clSetKernelArg(kernel, CONSTANTS, c->constants_bytes, s->constants);
    for (size_t i = 0; !cl && i < sizeof numbers / sizeof *numbers; i++)
        cl = ecl_cl_set_index(c, kernel, numbers[i].place, numbers[i].value);
    if (!cl && t->kernel == REGISTER_PIPELINE) cl = set_all_rows(run, kernel);
    if (!cl && body_of(section)) cl = set_pipe_section(run, section, kernel);
    for (size_t i = 0; !cl && i < sizeof buffers / sizeof *buffers; i++)
        cl = clSetKernelArg(kernel, buffers[i].place, sizeof *buffers[i].buffer, buffers[i].buffer);
    if (cl || !t->persistent) return cl;
    const cl_int together = (cl_int)t->steps;
    cl = clSetKernelArg(kernel, TOGETHER, sizeof together, &together);
    if (!cl) cl = clSetKernelArg(kernel, WORDS, sizeof r->made->words, &r->made->words);
    if (!cl) cl = clSetKernelArg(kernel, TAG, sizeof r->tag, &r->tag);
    return cl ? cl : clSetKernelArg(kernel, FAILED, sizeof r->made->failed, &r->made->failed);
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
    if (__builtin_mul_overflow(run->system.state_bytes, EXCHANGE_SETS * 2, &bytes))
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
        arrays = (int)int_max(arrays, ecl_carried_into(m, first_stage(run, &r->made->sections[s])));
    if (__builtin_mul_overflow(run->system.state_bytes, (uint64_t)arrays, bytes))
        return ecl_fail(error, EULERCL_MEMORY,
            "the memory for %d carried arrays of method %s overflows 64 bits", arrays, m->name);
    if (!arrays) *bytes = run->system.real_size; /* an argument of the kernel in any case */
    return EULERCL_OK;
}

/* The arguments of r->made's kernels that are buffers of carried values. */
static int set_carried(struct run *run, eulercl_error *error) {
    const struct registers *const r = run->impl;
    const int sections = r->made->tile.cut.sections, has_both = r->carried[1] != NULL;
    cl_int cl = CL_SUCCESS;
    for (int s = 0; sections > 1 && s < sections; s++)
        for (int turn = 0; turn < 2; turn++) {
            const cl_kernel kernel = r->made->sections[s].kernels[turn];
            const cl_uint place = place_of_carried(&r->made->sections[s]);
            const cl_mem *const in = &r->carried[has_both ? turn : 0],
                                *const out = &r->carried[has_both ? !turn : 0];
            if (!cl) cl = clSetKernelArg(kernel, place, sizeof *in, in);
            if (!cl) cl = clSetKernelArg(kernel, place + 1, sizeof *out, out);
        }
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

/* Both have one size, the largest that any method of the run needs: with two of them each kernel
 * uses both, also those of methods that came with fewer sections or arrays (set_carried). */
static int make_carried(struct run *run, eulercl_error *error) {
    struct registers *r = run->impl;
    const int more = r->made->tile.cut.sections - 1;
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

/* The program of a section, unless it is that of the section before, whose text is in *last. */
static int build_section(struct run *run, int number, char **last, eulercl_error *error) {
    struct registers *r = run->impl;
    char *source;
    const struct section *const section = &r->made->sections[number];
    int status = source_of(run, section, &source, error);
    if (status) return status;
    if (!r->state.now) { /* the first program of the run */
        status = ecl_cl_prepare(run, source, program_of(tile_of(section))->kernel, error);
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
    const struct register_tile *const t = tile_of(section);
    int status = build_section(run, number, last, error);
    for (int k = 0; !status && k < 2; k++)
        status = ecl_cl_kernel(&r->state.runtime, program_of(t)->kernel, &section->kernels[k],
            &r->state.max_workgroup, error);
    return status ? status
                  : ecl_cl_choose_workgroup(
                        run, (uint64_t)(t->items * t->item_rows), 0, error); /* it is compiled in */
}

/* Again whenever the method is taken up: its table may be at another place than before. */
static void set_sections(const struct run *run, struct made *made) {
    for (int s = 0; s < made->tile.cut.sections; s++) set_section(run, made, s, &made->sections[s]);
}

/* Fill r->made for the system's method. On failure the caller destroys it. */
static int make(struct run *run, eulercl_error *error) {
    struct registers *r = run->impl;
    struct made *const made = r->made;
    const struct method *const m = run->system.method;
    struct register_tile *const t = &made->tile;
    int status = ecl_registers_choose(run, &r->state.runtime.info, t, error);
    if (!status && t->cut.tail)
        status = ecl_registers_choose_tail(run, &r->state.runtime.info, t, &made->tail, error);
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
        for (int turn = 0; !cl && turn < 2; turn++) cl = set_arguments(run, s, turn);
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : set_carried(run, error);
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
static void tune(struct run *run) {
    const struct registers *r = run->impl;
    struct run asked = *run;
    struct proposal best;
    size_t backend;
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
    if (is_new) tune(run);
    const int status = is_new ? make(run, error) : set_carried(run, error);
    if (status) {
        run->options = options;
        run->variant = variant;
        r->state.workgroup = workgroup;
        destroy_made(run, r->made);
        r->made->method = "";
        r->made = before;
        set_carried(run, NULL); /* they may be others */
        return status;
    }
    if (i == r->count) r->count++;
    use(run);
    return EULERCL_OK;
}

static cl_int set_constants(const struct run *run) {
    const struct registers *const r = run->impl;
    cl_int cl = CL_SUCCESS;
    for (int s = 0; !cl && s < r->made->tile.cut.sections; s++)
        for (int k = 0; !cl && k < 2; k++)
            cl = clSetKernelArg(r->made->sections[s].kernels[k], CONSTANTS,
                r->state.constants_bytes, run->system.constants);
    return cl;
}

static int move(struct run *run, eulercl_error *error) {
    return ecl_cl_move(run, change_method, set_constants, error);
}

/* After a launch of persistent tiles: -> whether a work-group waited in vain for another, which
 * then did not run. Nothing of it counts. */
static cl_int look_for_failure(struct run *run, cl_int *failed) {
    const struct registers *r = run->impl;
    return clEnqueueReadBuffer(
        r->state.runtime.queue, r->made->failed, CL_TRUE, 0, sizeof *failed, failed, 0, NULL, NULL);
}

/* Count what a launch moved and computed; one whose rows are wanted early like any other. */
static void count_launch(
    struct run *run, const struct section *section, int64_t steps, cl_uint exchanges) {
    struct registers *r = run->impl;
    const struct register_tile *t = tile_of(section);
    const uint64_t n = (uint64_t)run->system.n,
                   whole = (uint64_t)(steps / t->steps); /* more than one where tiles persist */
    const int64_t rest = steps % t->steps;
    const struct method *const m = run->system.method;
    const uint64_t loaded =
                       t->loaded * (1 + (uint64_t)ecl_carried_into(m, first_stage(run, section))),
                   stored = n * (1 + (uint64_t)ecl_carried_into(m, end_stage(run, section)));
    r->state.global_bytes += (loaded + stored) * run->system.real_size *
                             (1 + 2 * exchanges); /* a word is twice a real */
    if (!ends_step(section)) return;
    uint64_t computed = whole * r->made->computed;
    /* Strips compute as much for fewer steps, and their pieces take long to count. */
    if (rest)
        computed += register_is_strip(t->kernel) ? r->made->computed
                                                 : ecl_registers_computed(&run->system, t, rest);
    r->redundant += computed - n * (uint64_t)(steps * run->system.method->stages);
}

static cl_int launch_rows(struct run *run, cl_kernel kernel, int64_t begin, int64_t end) {
    struct registers *r = run->impl;
    const struct register_share share =
        ecl_registers_share(&run->system, &r->made->tile, end - begin);
    const size_t items = (size_t)share.groups * r->state.workgroup;
    cl_int cl = set_rows(run, kernel, begin, end, share.height);
    return cl ? cl : ecl_cl_launch(run, kernel, 1, &items, &r->state.workgroup);
}

/* The rows that are wanted early, then the others of the window's own. */
static cl_int launch_early(struct run *run, cl_kernel kernel) {
    const struct early *const e = &run->orders.early;
    const int64_t ny = run->system.context.grid.extents[1],
                  begin = e->begin + (e->begin > 0 ? e->rows : 0),
                  end = e->end - (e->end < ny ? e->rows : 0);
    cl_int cl = CL_SUCCESS;
    if (begin > e->begin) cl = launch_rows(run, kernel, e->begin, begin);
    if (!cl && end < e->end) cl = launch_rows(run, kernel, end, e->end);
    if (!cl) cl = ecl_cl_mark_early(run);
    if (!cl) cl = launch_rows(run, kernel, begin, end);
    const cl_int restored = set_all_rows(run, kernel); /* also after an error */
    if (!cl) cl = restored;
    run->orders.early.is_done = !cl;
    return cl;
}

/* Steps, or section `number` of one. first: counted in the table of times; since_flush: steps of
 * the run before it; is_last: of a batch, whose rows may be wanted early. */
static cl_int launch(
    struct run *run, int number, int64_t first, int64_t steps, int64_t since_flush, int is_last) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    struct section *const section = &r->made->sections[number];
    const struct method *const m = run->system.method;
    const struct register_tile *const t = tile_of(section);
    const size_t group = (size_t)(t->items * t->item_rows), items = (size_t)t->groups * group;
    const cl_int count = (cl_int)steps;
    const cl_uint exchanges = (cl_uint)((steps - 1) / t->steps) * (t->persistent != 0);
    const cl_kernel kernel = section->kernels[r->turn];
    cl_int cl = CL_SUCCESS;
    if (r->before && c->next == r->before) {
        c->next = r->spare;
        r->spare = r->before;
    }
    if (c->table)
        cl = ecl_cl_set_index(
            c, kernel, FIRST, first * m->stages + (section->stages.table - m->table));
    if (!cl && section->steps_set[r->turn] != count)
        cl = clSetKernelArg(kernel, STEPS, sizeof count, &count);
    const int is_other = r->spare || c->is_swapped; /* than the kernel's arguments are */
    if (!cl && is_other) cl = clSetKernelArg(kernel, IN, sizeof c->now, &c->now);
    if (!cl && is_other) cl = clSetKernelArg(kernel, OUT, sizeof c->next, &c->next);
    if (!cl && exchanges) cl = clSetKernelArg(kernel, TAG, sizeof r->tag, &r->tag);
    const cl_int since = (cl_int)(since_flush % ODE_FLUSH_STEPS_(m->stages));
    if (!cl && run->system.flush.reals && ends_step(section))
        cl = clSetKernelArg(kernel, place_of_flush(section), sizeof since, &since);
    if (!cl && ends_step(section))
        cl = ecl_cl_set_errors(run, kernel, place_of_errors(run, section));
    if (!cl)
        cl = is_last && run->orders.early.rows ? launch_early(run, kernel)
                                               : ecl_cl_launch(run, kernel, 1, &items, &group);
    section->steps_set[r->turn] = count;
    r->tag += exchanges;
    cl_int failed = 0;
    if (!cl && exchanges) cl = look_for_failure(run, &failed);
    if (failed) r->gave_up = 1;
    if (cl || failed) return cl;
    cl_mem next = c->now;
    c->now = c->next;
    c->next = next;
    r->turn = !r->turn;
    count_launch(run, section, steps, exchanges);
    return cl;
}

/* Steps of at most TABLE_LEVELS levels. */
static cl_int run_table(struct run *run, const struct batch *batch, int64_t begin, int64_t steps) {
    struct registers *r = run->impl;
    const int64_t stages = run->system.method->stages;
    cl_int cl = ecl_cl_write_times(run, batch, begin * stages, steps * stages);
    for (int64_t done = 0; !cl && done < steps;) {
        const int was_persistent = persists(r);
        const int64_t together = was_persistent ? PERSISTENT_STEPS : r->made->tile.steps,
                      count = steps - done < together ? steps - done : together;
        for (int section = 0; !cl && section < r->made->tile.cut.sections; section++)
            if (r->has_begun)
                r->has_begun = 0;
            else
                cl = launch(run, section, done, count, batch->first_step + begin + done,
                    begin + done + count == batch->steps);
        if (persists(r) == was_persistent)
            done += count; /* else once more, with a launch for every exchange */
    }
    return cl;
}

static int set_factors(struct run *run, double h, eulercl_error *error) {
    const struct registers *r = run->impl;
    cl_int cl = CL_SUCCESS;
    for (int s = 0; !cl && s < r->made->tile.cut.sections; s++) {
        const struct section *section = &r->made->sections[s];
        const struct method stages = stages_of(section);
        size_t bytes;
        void *const factors = ecl_cl_factors(run, &stages, body_of(section), h, &bytes);
        if (!factors) return ecl_no_memory(error, "the method's coefficients");
        for (int k = 0; !cl && k < 2; k++)
            cl = clSetKernelArg(section->kernels[k], FACTORS, bytes, factors);
        ecl_mem_free(factors);
    }
    return cl ? ecl_cl_fail(error, cl, "clSetKernelArg") : EULERCL_OK;
}

/* ---- batches to a tolerance ---- */

/* With a third array the state before a batch remains, and else if it is one launch, which reads
 * one array and writes the other. */
static int outlives(const struct run *run, const struct batch *batch) {
    const struct registers *const r = run->impl;
    const struct register_tile *const t = &r->made->tile;
    return r->spare || (t->cut.sections == 1 && batch->steps <= t->steps);
}

static void undo(struct run *run) {
    struct registers *r = run->impl;
    struct cl_state *const c = &r->state;
    cl_mem *const before = r->before && r->before == r->spare ? &r->spare : &c->next, now = c->now;
    c->now = *before;
    *before = now;
    r->turn = !r->turn;
    r->queued.steps = 0;
}

/* The device would wait for the host while that looks at the errors of a batch, which takes as long
 * as a short launch. So the first launch of the next batch is made before. If another batch
 * follows, what it has computed is not used. */
static int may_follow(const struct run *run, const struct batch *batch) {
    const struct registers *const r = run->impl;
    return run->orders.ahead.steps && run->orders.ahead.h == batch->h && r->before &&
           !persists(r) && !r->state.table && !r->state.is_borrowed && !run->options.device_events;
}

static cl_int launch_ahead(struct run *run) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const cl_mem now = c->now, next = c->next;
    const int64_t steps = int_min(run->orders.ahead.steps, r->made->tile.steps);
    if (c->next == r->before) c->next = r->spare;
    r->ahead = c->next;
    cl_int cl = ecl_cl_begin_errors(run);
    if (!cl) cl = launch(run, 0, 0, steps, run->orders.ahead.first_step, 0);
    c->now = now;
    c->next = next;
    if (!cl) cl = clFlush(c->runtime.queue);
    if (cl) return cl;
    r->queued = run->orders.ahead;
    r->queued_version = c->version;
    return CL_SUCCESS;
}

/* If the launch ahead is the first one of this batch: go on with what it has computed. */
static int take_queued(struct run *run, const struct batch *batch) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const struct batch q = r->queued;
    r->queued.steps = 0;
    if (!q.steps || q.steps != batch->steps || q.first_step != batch->first_step ||
        q.t_base != batch->t_base || q.h != batch->h || r->queued_version != c->version)
        return 0;
    if (r->ahead == c->next) c->next = r->spare;
    r->spare = c->next;
    r->before = c->next = c->now;
    c->now = r->ahead;
    return 1;
}

static cl_int run_all(struct run *run, const struct batch *batch) {
    const int64_t most = TABLE_LEVELS / run->system.method->stages;
    cl_int cl = CL_SUCCESS;
    for (int64_t begin = 0; !cl && begin < batch->steps; begin += most)
        cl = run_table(run, batch, begin, int_min(most, batch->steps - begin));
    return cl;
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct registers *r = run->impl;
    cl_event answer = NULL;
    r->has_begun = take_queued(run, batch);
    const int is_new = !r->has_begun;
    if (is_new) r->before = r->spare && run->system.method->estimate ? r->state.now : NULL;
    const int goes_on = ecl_cl_end_early(run);
    run->orders.early.is_done = 0;
    if (r->made->tile.kernel != REGISTER_PIPELINE || r->made->tile.cut.sections > 1)
        run->orders.early.rows = 0;
    const int made = run->orders.early.rows && !r->state.second
                         ? ecl_cl_queue(&r->state.runtime, &r->state.second, error)
                         : EULERCL_OK;
    if (made) return made;
    cl_int cl = is_new && !goes_on ? clFinish(r->state.runtime.queue) : CL_SUCCESS;
    const double start = ecl_now();
    const int status = !cl && is_new ? set_factors(run, batch->h, error) : EULERCL_OK;
    if (status && r->state.second) clFinish(r->state.second); /* as at the end */
    if (status) return status;
    if (!cl && is_new) cl = ecl_cl_begin_errors(run);
    if (!cl) cl = run_all(run, batch);
    if (!cl) cl = ecl_cl_ask_errors(run, &answer);
    if (!cl && may_follow(run, batch)) cl = launch_ahead(run);
    const cl_int taken = ecl_cl_take_errors(run, answer);
    if (!cl) cl = taken;
    if (!cl && run->orders.early.is_done) cl = ecl_cl_wait_early(run);
    if (!cl && (r->queued.steps || run->orders.early.is_done))
        *seconds = ecl_now() - start; /* the last launch goes on */
    else
        cl = ecl_cl_finish(run, cl, start, seconds);
    if (cl && r->state.second) clFinish(r->state.second); /* it may read memory of others */
    return cl ? ecl_cl_fail(error, cl, "running steps") : EULERCL_OK;
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

static const struct step_table steps = {step, change_method};
static const struct slot_table slot = {move, ecl_cl_fill, ecl_cl_fetch, ecl_cl_swap, ecl_cl_swap};
static const struct round_table rounds = {outlives, undo};

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
