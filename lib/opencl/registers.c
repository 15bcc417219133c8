/* opencl/registers.c - backend cl-register: several steps per launch in overlapped tiles that are held in registers. The geometry is lib/overlap.h's, the choice of
   the tile lib/registers.c's. */
#include "config.h"
#include "state.h"
#include "../registers.h"
#include "embedded.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

enum {
    /* Steps between two hand-overs of a table of times. */
    TABLE_STEPS = 1 << 18,
};

struct registers {
    struct cl_state state;             /* first: see state.h */
    struct register_tile tile;
    cl_mem times;
    char *table;                       /* as many reals as times; NULL: the right-hand side does not know the time */
};

static int source_of(const struct run *run, const struct register_tile *t, char **source, eulercl_error *error) {
    const struct ode_problem *definition = run->system.definition;
    const struct cl_reads reads = eulercl_cl_reads(definition);
    char settings[4096];
    int length = snprintf(settings, sizeof settings, "#define REGISTER_RADIUS %d\n#define REGISTER_SHUFFLE %d\n#define REGISTER_STAR %d\n#define REGISTER_TIMES %d\n#define REGISTER_SHARED(k) (",
                          (int)t->radius, t->shuffle, !reads.diagonals, reads.time);
    int shared = 0;
    for (unsigned c = 0; c < definition->components; c++)
        if (c > 63 || reads.components >> c & 1 || t->exchange > 1) length += snprintf(settings + length, 64, "(k) == %d ? %u : ", shared++, c);
    length += snprintf(settings + length, 64, "0)\n#define REGISTER_SHARED_COUNT %d\n", shared ? shared : 1);
    char *more = settings + length;
    const size_t left = sizeof settings - (size_t)length;
    const struct cl_text kernels[] = {CL_TEXT("register_line.cl", register_line), CL_TEXT("register_plane.cl", register_plane),
                                      CL_TEXT("register_stream.cl", register_stream)};
    switch (t->kernel) {
    case REGISTER_LINE:
        snprintf(more, left, "#define LINE_POINTS %d\n#define LINE_ITEMS %d\n#define LINE_EXCHANGE %d\n#define LINE_STAGE %d\n#define LINE_UNROLL %d\n", (int)t->points, (int)t->items,
                 (int)t->exchange, t->stage, t->unroll);
        break;
    case REGISTER_PLANE:
        snprintf(more, left, "#define PLANE_POINTS %d\n#define PLANE_ROWS %d\n#define PLANE_ITEMS %d\n#define PLANE_ITEM_ROWS %d\n#define PLANE_VECTOR %d\n"
                 "#define PLANE_BUFFERS %d\n#define PLANE_UNROLL %d\n", (int)t->points, (int)t->rows, (int)t->items, (int)t->item_rows, t->vector, t->buffers, t->unroll);
        break;
    case REGISTER_STREAM:
        snprintf(more, left, "#define STREAM_POINTS %d\n#define STREAM_ITEMS %d\n#define STREAM_STEPS %d\n#define STREAM_VECTOR %d\n",
                 (int)t->points, (int)t->items, (int)t->steps, t->vector);
    }
    const struct cl_tiling tiling = {.settings = settings, .texts = {CL_TEXT("overlap.h", overlap_geometry), CL_TEXT("register.cl", register), kernels[t->kernel]}};
    /* Halos reach beyond the ends of a periodic grid. */
    return eulercl_cl_source(definition, &run->options, run->system.n < INT32_MAX / 2 ? 0 : INT64_MAX, &tiling, source, error);
}

/* Without a device: the tile of one with an H200's compute units and no shuffles. */
static int source_by_options(const struct run *run, char **source, eulercl_error *error) {
    const eulercl_device_info device = {.is_gpu = 1, .compute_units = 132, .local_bytes = 48 << 10, .max_workgroup_size = 1024};
    struct register_tile tile;
    const int status = eulercl_registers_choose(run, &device, &tile, error);
    return status ? status : source_of(run, &tile, source, error);
}

static void destroy(struct run *run) {
    struct registers *r = run->impl;
    if (r->times) clReleaseMemObject(r->times);
    eulercl_mem_free(r->table);
    eulercl_cl_destroy(run);
}

/* Places of the arguments of the kernels. */
enum { IN, OUT, TIMES, FIELDS, CONSTANTS, H, NX, NY, HALO, HALO_DOWN, FIRST, STEPS };

static void report(struct run *run, const struct registers *r) {
    const struct register_tile *t = &r->tile;
    run->workgroups = r->state.groups;
    run->tiles = (uint64_t)t->groups;
    run->points_per_item = (uint64_t)t->points;
    run->rows_per_item = (uint64_t)t->rows;
    run->workgroup_rows = (uint64_t)t->item_rows;
    run->steps_per_launch = (uint64_t)t->steps;
    run->steps_per_exchange = (uint64_t)t->exchange;
    run->local_bytes = t->local_bytes;
    run->predicted_seconds = t->step_seconds;
    if (t->kernel == REGISTER_STREAM) run->variant = REGISTER_ANY_STREAM;
    else run->variant = t->kernel == REGISTER_PLANE && !t->shuffle ? REGISTER_GROUP_LOCAL : REGISTER_GROUP;
}

static int prepare(struct run *run, struct registers *r, eulercl_error *error) {
    static const char *const kernel_names[] = {"register_line", "register_plane", "register_stream"};
    struct cl_state *c = &r->state;
    const struct system *s = &run->system;
    struct register_tile *t = &r->tile;
    char *source;
    int status = eulercl_cl_check_device(run, error);
    if (!status) status = eulercl_registers_choose(run, &c->runtime.info, t, error);
    if (!status) status = source_of(run, t, &source, error);
    if (status) return status;
    c->largest_index = s->n < INT32_MAX / 2 ? 0 : INT64_MAX;
    status = eulercl_cl_prepare(run, source, kernel_names[t->kernel], error);
    eulercl_mem_free(source);
    if (!status) status = eulercl_cl_choose_workgroup(run, (uint64_t)(t->items * t->item_rows), 0, error);      /* it is compiled in */
    const int64_t times = eulercl_cl_reads(s->definition).time ? TABLE_STEPS : 1;
    if (!status) status = eulercl_cl_buffer(&c->runtime, (uint64_t)times * s->real_size, "the table of times", &r->times, error);
    if (!status && times > 1 && !(r->table = eulercl_mem_zeroed(TABLE_STEPS, s->real_size)))
        status = eulercl_fail(error, EULERCL_MEMORY, "no memory for the table of times");
    if (status) return status;
    c->groups = (size_t)t->groups;
    report(run, r);
    const struct { int place; int64_t value; } numbers[] = {
        {NX, s->definition->dimensions ? s->context.nx : s->n}, {NY, s->definition->dimensions == 2 ? s->context.ny : 1}, {HALO, t->halo},
        {HALO_DOWN, t->kernel == REGISTER_STREAM ? t->height : t->halo_down},
    };
    cl_int cl = CL_SUCCESS;
    for (size_t i = 0; !cl && i < sizeof numbers / sizeof *numbers; i++) cl = eulercl_cl_set_index(c, c->kernel, (cl_uint)numbers[i].place, numbers[i].value);
    if (!cl) cl = clSetKernelArg(c->kernel, CONSTANTS, c->constants_bytes, s->constants);
    if (!cl) cl = clSetKernelArg(c->kernel, FIELDS, sizeof c->fields, &c->fields);
    if (!cl) cl = clSetKernelArg(c->kernel, TIMES, sizeof r->times, &r->times);
    return cl ? eulercl_cl_fail(error, cl, "handing over the arguments") : EULERCL_OK;
}

static int create(struct run *run, eulercl_error *error) {
    struct registers *r = eulercl_mem_zeroed(1, sizeof *r);
    if (!r) return eulercl_fail(error, EULERCL_MEMORY, "no memory for a solver");
    int status = eulercl_cl_open(&r->state.runtime, &run->options, error);
    if (status) {
        eulercl_mem_free(r);
        return status;
    }
    run->impl = r;
    status = prepare(run, r, error);
    if (status) destroy(run);
    return status;
}

static cl_int launch(struct run *run, int64_t first, int64_t steps) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const size_t items = c->groups * c->workgroup;
    const cl_int count = (cl_int)steps;
    cl_int cl = clSetKernelArg(c->kernel, IN, sizeof c->now, &c->now);
    if (!cl) cl = clSetKernelArg(c->kernel, OUT, sizeof c->next, &c->next);
    if (!cl) cl = eulercl_cl_set_index(c, c->kernel, FIRST, first);
    if (!cl) cl = clSetKernelArg(c->kernel, STEPS, sizeof count, &count);
    if (!cl) cl = eulercl_cl_launch(run, c->kernel, 1, &items, &c->workgroup);
    if (cl) return cl;
    cl_mem next = c->now;
    c->now = c->next;
    c->next = next;
    const uint64_t n = (uint64_t)run->system.n, computed = steps == r->tile.steps ? r->tile.computed : r->tile.computed / (uint64_t)r->tile.steps * (uint64_t)steps;
    run->global_bytes += (r->tile.loaded + n) * run->system.real_size;
    run->redundant_component_steps += computed - n * (uint64_t)steps;
    return cl;
}

/* At most TABLE_STEPS steps. */
static cl_int run_table(struct run *run, const struct stretch *stretch, int64_t begin, int64_t steps) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const size_t size = run->system.real_size;
    cl_int cl = CL_SUCCESS;
    if (r->table) {
        for (int64_t s = 0; s < steps; s++) {
            const double time = eulercl_step_time(stretch, begin + s);
            if (size == sizeof(float)) ((float *)r->table)[s] = (float)time;
            else ((double *)r->table)[s] = time;
        }
        cl = clEnqueueWriteBuffer(c->runtime.queue, r->times, CL_TRUE, 0, (size_t)steps * size, r->table, 0, NULL, NULL);
    }
    const int64_t together = r->tile.steps;
    for (int64_t done = 0; !cl && done < steps; done += together) cl = launch(run, done, steps - done < together ? steps - done : together);
    return cl;
}

static int step(struct run *run, const struct stretch *stretch, double *seconds, eulercl_error *error) {
    struct cl_state *c = run->impl;
    cl_int cl = clFinish(c->runtime.queue);
    const double start = eulercl_now();
    if (!cl) cl = eulercl_cl_set_real(run, c->kernel, H, stretch->h);
    for (int64_t begin = 0; !cl && begin < stretch->steps; begin += TABLE_STEPS)
        cl = run_table(run, stretch, begin, stretch->steps - begin < TABLE_STEPS ? stretch->steps - begin : TABLE_STEPS);
    cl = eulercl_cl_finish(run, cl, start, seconds);
    return cl ? eulercl_cl_fail(error, cl, "running steps") : EULERCL_OK;
}

static int propose(const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most) {
    const int count = run->system.definition->text ? eulercl_registers_propose(run, device, proposals, most) : 0;
    for (int i = 0; i < count; i++) proposals[i].build_seconds = eulercl_cl_build_estimate;
    return count;
}

const struct backend eulercl_backend_cl_register = {
    .create = create, .destroy = destroy, .write = eulercl_cl_write, .read = eulercl_cl_read, .step = step,
    .find_nonfinite = eulercl_cl_find_nonfinite, .borrow = eulercl_cl_borrow, .source = source_by_options,
    .propose = propose, .heeds = TUNING_BIT(variant) | TUNING_BIT(workgroup_size) | TUNING_BIT(workgroups) | TUNING_BIT(uncached) | TUNING_BIT(points_per_item) |
                                 TUNING_BIT(rows_per_item) | TUNING_BIT(workgroup_rows) | TUNING_BIT(steps_per_launch) | TUNING_BIT(steps_per_exchange),
};
