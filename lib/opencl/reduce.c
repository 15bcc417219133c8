/* SPDX-License-Identifier: BSD-2-Clause */
/* reduce.c - reductions of the state on a device: a kernel for each row of the table below,
 * compiled when it is first used. */
#include "config.h"
#include "state.h"
#include "opencl/embedded.h"
#include "../int.h"
#include "../mem.h"
#include "../observe/lines.h"
#include "../run/monitor.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LOCAL_BYTES = 32768, /* that every device has */
    MOST_ITEMS = 512,    /* of a work-group */
    MOST_GROUPS = 768,   /* of all parts together, unless there are more parts */
    COLUMNS = 2048,      /* that a work-group thins at once, unless a block has more, */
    SMOOTH = 1024,       /* and the same if it smooths them */
    SUMS = 8,            /* of an item that correlates; LAGS of the kernel */
    GROUP_OF_LANES = 32, /* items that share counters of their own, if there is room */
    SPECIFIC = 5,        /* the number of a kernel's first argument that others do not have */
};

int64_t ecl_cl_numbers_at_once = 1 << 23;

/* A kernel. Its first arguments are the state, the numbers of all parts, and the local numbers of
 * the first component of the parts, of the one behind the last, and of a share. A work-group
 * computes a part, unless `groups` says otherwise. */
struct kernel {
    const struct reducer *reducer;
    const char *name;
    const unsigned char *text;
    const unsigned long *text_size;
    /* It adds to numbers of type uint, in any order, so that a part may have several work-groups.
     * This is the number of the argument that says how many; 0: it writes doubles. */
    cl_uint groups;
    int is_flat; /* with `groups`: its groups have all of a part's work, however long that is */
    uint64_t (*local_bytes)(const struct reduction *r);
    /* The other arguments, from SPECIFIC on. */
    cl_int (*set)(const struct cl_state *index, cl_kernel kernel, const struct reduction *r);
    /* Work-groups of a part that compute different numbers of it; NULL: one. */
    int64_t (*slices)(const struct reduction *r);
    size_t items; /* of a work-group at most */
};

static uint64_t sums_bytes(const struct reduction *r) { return r->sums_bytes; }

static cl_int set_statistics(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    cl_int cl = ecl_cl_set_index(index, kernel, SPECIFIC, r->unit);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 1, r->size / STATISTICS);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 2, (size_t)r->sums_bytes, NULL);
}

/* Counters for as many groups of items as there is room for. */
static int64_t copies_of(const struct reduction *r) {
    return int_clamp(
        1, LOCAL_BYTES / 2 / (r->size * (int64_t)sizeof(cl_uint)), MOST_ITEMS / GROUP_OF_LANES);
}

static uint64_t histogram_bytes(const struct reduction *r) {
    return (uint64_t)(copies_of(r) * r->size) * sizeof(cl_uint);
}

/* The least number of the state's type that is not less than x. */
static double round_up(const struct reduction *r, double x) {
    if (r->real_size == sizeof(double)) return x;
    const float y = (float)x;
    return (double)((double)y < x ? nextafterf(y, INFINITY) : y);
}

static cl_int set_real(const struct reduction *r, cl_kernel kernel, cl_uint argument, double x) {
    const float y = (float)x;
    return clSetKernelArg(kernel, argument, r->real_size,
        r->real_size == sizeof(float) ? (const void *)&y : (const void *)&x);
}

/* Whether no number overflows in float or is subnormal, which devices may flush. */
static int is_common(const struct histogram *h) {
    return h->scale > 0x1p-100 && h->scale < 0x1p100 && fabs(h->low) < 0x1p100 &&
           fabs(h->high) < 0x1p100;
}

static cl_int set_histogram(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct histogram *const h = r->arguments;
    const cl_int bins = (cl_int)h->bins, copies = (cl_int)copies_of(r);
    const double first = round_up(r, h->low), in_float = is_common(h) ? h->scale : (double)NAN,
                 sure = 0.5 - 0x1p-21 * (double)h->bins, /* twice four roundings */
        reals[] = {first, round_up(r, h->high), (first - h->low) * h->scale - 0.5, in_float, sure};
    cl_int cl = ecl_cl_set_index(index, kernel, SPECIFIC, r->grid->components);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 1, h->component);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 2, sizeof bins, &bins);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 3, sizeof h->low, &h->low);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 4, sizeof h->scale, &h->scale);
    for (cl_uint i = 0; !cl && i < 5; i++) cl = set_real(r, kernel, SPECIFIC + 5 + i, reals[i]);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 10, sizeof copies, &copies);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 11, (size_t)histogram_bytes(r), NULL);
}

/* A bit for each axis: whether it is periodic. */
static cl_int rings_of(const struct ode_grid *grid) {
    cl_int rings = 0;
    for (uint32_t axis = 0; axis < grid->rank; axis++)
        rings |= grid_is_periodic(grid, axis) << axis;
    return rings;
}

/* Arguments that say where the points of a grid are, seven from SPECIFIC on. */
static cl_int set_grid(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r, int64_t component) {
    const int64_t points = grid_is_line(r->grid) ? (r->n - r->offset) / r->grid->components
                                                 : r->grid->extents[0],
                  numbers[] = {-r->offset, r->n - r->offset, points, grid_lines(r->grid),
                      r->grid->components, component};
    const cl_int rings = rings_of(r->grid);
    cl_int cl = CL_SUCCESS;
    for (cl_uint i = 0; !cl && i < sizeof numbers / sizeof *numbers; i++)
        cl = ecl_cl_set_index(index, kernel, SPECIFIC + i, numbers[i]);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 6, sizeof rings, &rings);
}

static uint64_t pattern_bytes(const struct reduction *r) {
    return (uint64_t)r->size * sizeof(cl_uint);
}

static cl_int set_patterns(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct level_set *const set = r->arguments;
    cl_int cl = set_grid(index, kernel, r, set->component);
    /* y > level if y is greater than the greatest number of its type that level is not less than */
    if (!cl) cl = set_real(r, kernel, SPECIFIC + 7, -round_up(r, -set->level));
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 8, (size_t)pattern_bytes(r), NULL);
}

static uint64_t lanes_bytes(const struct reduction *r) {
    return (uint64_t)r->size * LANES * sizeof(cl_double);
}

static cl_int set_length(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const int64_t *const component = r->arguments;
    const cl_int cl = set_grid(index, kernel, r, *component);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 7, (size_t)lanes_bytes(r), NULL);
}

static uint64_t front_bytes(const struct reduction *r) {
    (void)r;
    return sizeof(cl_int);
}

static cl_int set_front(const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct crossing *const a = r->arguments;
    cl_int cl = ecl_cl_set_index(index, kernel, SPECIFIC, r->grid->extents[0]);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 1, r->grid->components);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 2, a->component);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 3, sizeof a->level, &a->level);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 4, sizeof a->mean, &a->mean);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 5, (size_t)front_bytes(r), NULL);
}

/* Lag 0 is along x alone. */
static int64_t correlation_slices(const struct reduction *r) {
    const struct correlated *const a = r->arguments;
    return int_ceil(a->lags + 1, SUMS) + (r->grid->rank - 1) * int_ceil(a->lags, SUMS);
}

static uint64_t correlation_bytes(const struct reduction *r) {
    (void)r;
    return SUMS * LANES * sizeof(cl_double);
}

static cl_int set_correlation(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct correlated *const a = r->arguments;
    const cl_int numbers[] = {(cl_int)a->lags, (cl_int)correlation_slices(r)};
    cl_int cl = set_grid(index, kernel, r, a->component);
    for (cl_uint i = 0; !cl && i < 2; i++)
        cl = clSetKernelArg(kernel, SPECIFIC + 7 + i, sizeof *numbers, &numbers[i]);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 9, sizeof a->mean, &a->mean);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 10, (size_t)correlation_bytes(r), NULL);
}

/* Columns that are folded at once: whole blocks, or a line. */
static int64_t thin_width(const struct thinning *a) {
    const int64_t most = a->radius ? SMOOTH : COLUMNS;
    return a->n < most ? most / a->n * a->n : int_min(a->n, a->points);
}

/* Lines of blocks that are folded at once: several short ones have work for all items. */
static int64_t thin_together(const struct thinning *a) {
    const int64_t edge = int_min(a->n, a->points), columns = int_ceil(a->points, edge) * edge;
    return a->radius ? 1 : int_clamp(1, MOST_ITEMS / columns, thin_width(a) / columns);
}

/* Groups of columns of a layer are computed apart, where there are few parts. */
static int64_t thin_slices(const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    return int_min(int_ceil(a->up, thin_together(a)) * int_ceil(a->points, thin_width(a)),
        int_ceil(MOST_GROUPS, r->parts));
}

/* The smoothed columns and those around them, and the weights; there is no local memory of size 0.
 */
static uint64_t smooth_bytes(const struct thinning *a) {
    const int64_t count = a->radius ? thin_width(a) + 3 * a->radius + 1 : 1;
    return (uint64_t)count * sizeof(cl_double);
}

static uint64_t places_bytes(const struct thinning *a) {
    return (uint64_t)(2 * (2 * a->radius + 1)) * sizeof(cl_long);
}

static uint64_t columns_bytes(const struct thinning *a) {
    return (uint64_t)thin_width(a) * sizeof(cl_double);
}

static uint64_t thin_bytes(const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    return columns_bytes(a) + smooth_bytes(a) + places_bytes(a);
}

/* From number SPECIFIC + 13 on. */
static cl_int set_smoothing(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    const cl_int radius = (cl_int)a->radius, rings = rings_of(r->grid);
    cl_int cl = ecl_cl_set_index(index, kernel, SPECIFIC + 13, -r->offset);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 14, grid_length(r->grid));
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 15, sizeof rings, &rings);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 16, sizeof radius, &radius);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 17, sizeof a->mask, &a->mask);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 18, (size_t)smooth_bytes(a), NULL);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 19, (size_t)places_bytes(a), NULL);
}

static cl_int set_thin(const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct thinning *const a = r->arguments;
    const int64_t line = grid_is_line(r->grid) ? a->points : (int64_t)r->grid->extents[0],
                  sizes[] = {line, grid_lines(r->grid), r->grid->components, a->component};
    const cl_long numbers[] = {a->n, r->size}, region[] = {a->x, a->points, a->line, a->lines};
    const cl_int values[] = {(cl_int)thin_width(a), (cl_int)thin_together(a), a->taken < a->n,
        a->mode, (cl_int)thin_slices(r)};
    cl_int cl = CL_SUCCESS;
    for (cl_uint i = 0; !cl && i < 4; i++)
        cl = ecl_cl_set_index(index, kernel, SPECIFIC + i, sizes[i]);
    for (cl_uint i = 0; !cl && i < 2; i++)
        cl = clSetKernelArg(kernel, SPECIFIC + 4 + i, sizeof *numbers, &numbers[i]);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 6, sizeof region, region);
    for (cl_uint i = 0; !cl && i < 5; i++)
        cl = clSetKernelArg(kernel, SPECIFIC + 7 + i, sizeof *values, &values[i]);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 12, (size_t)columns_bytes(a), NULL);
    return cl ? cl : set_smoothing(index, kernel, r);
}

static uint64_t extract_bytes(const struct reduction *r) {
    (void)r;
    return MOST_ITEMS * sizeof(cl_ulong);
}

/* Behind the places, which `launch` sets. */
static cl_int set_extract(
    const struct cl_state *index, cl_kernel kernel, const struct reduction *r) {
    const struct extraction *const a = r->arguments;
    const cl_long before = r->offset / r->unit;
    const cl_int is_less = a->is_less;
    cl_int cl = ecl_cl_set_index(index, kernel, SPECIFIC + 1, r->unit);
    if (!cl) cl = ecl_cl_set_index(index, kernel, SPECIFIC + 2, a->component);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 3, sizeof before, &before);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 4, sizeof is_less, &is_less);
    if (!cl) cl = clSetKernelArg(kernel, SPECIFIC + 5, sizeof a->bound, &a->bound);
    return cl ? cl : clSetKernelArg(kernel, SPECIFIC + 6, (size_t)extract_bytes(r), NULL);
}

#define TEXT(NAME) ecl_text_##NAME, &ecl_text_##NAME##_size
static const struct kernel kernels[] = {
    {&ecl_statistics, "eulercl_monitor", TEXT(monitor), 0, 0, sums_bytes, set_statistics, NULL,
        MOST_ITEMS},
    {&ecl_histogram, "eulercl_histogram", TEXT(histogram), SPECIFIC + 12, 1, histogram_bytes,
        set_histogram, NULL, MOST_ITEMS},
    {&ecl_patterns, "eulercl_patterns", TEXT(patterns), SPECIFIC + 9, 0, pattern_bytes,
        set_patterns, NULL, MOST_ITEMS},
    {&ecl_length, "eulercl_length", TEXT(length), 0, 0, lanes_bytes, set_length, NULL, MOST_ITEMS},
    {&ecl_front, "eulercl_front", TEXT(front), 0, 0, front_bytes, set_front, NULL, MOST_ITEMS},
    {&ecl_correlation, "eulercl_correlation", TEXT(correlation), 0, 0, correlation_bytes,
        set_correlation, correlation_slices, LANES},
    {&ecl_thin, "eulercl_thin", TEXT(thin), 0, 0, thin_bytes, set_thin, thin_slices, MOST_ITEMS},
    {&ecl_extract, "eulercl_extract", TEXT(extract), 0, 0, extract_bytes, set_extract, NULL,
        MOST_ITEMS},
};
_Static_assert(sizeof kernels / sizeof *kernels == CL_REDUCERS, "each has a place in cl_state");

/* No index of a kernel is greater: it may be a step of all items of a part beyond the end. */
static int64_t largest_index(const struct run *run, const struct reduction *r) {
    const int64_t n = int_max(run->system.n, r->n),
                  step = (int64_t)MOST_ITEMS * MOST_GROUPS * r->grid->components;
    return n > INT64_MAX - step ? INT64_MAX : n + step;
}

static int build(struct run *run, const struct reduction *r, const struct kernel *kernel,
    struct cl_reducer *built, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const size_t size = 128 + ecl_text_prelude_size + *kernel->text_size;
    struct cl_runtime program = c->runtime; /* the device, with another program */
    program.program = NULL;
    char *source = ecl_mem_zeroed(size, 1);
    if (!source) return ecl_no_memory(error, "the program's text");
    snprintf(source, size,
        "#define ODE_DOUBLE %d\n#define ODE_UNCACHED 0\n#define ODE_INDEX %s\n#define RANK "
        "%u\n%s%s",
        run->system.real_size == sizeof(double), largest_index(run, r) < INT32_MAX ? "int" : "long",
        r->grid->rank, (const char *)ecl_text_prelude, (const char *)kernel->text);
    int status = ecl_cl_build(&program, source, &run->report.build_seconds, error);
    ecl_mem_free(source);
    if (status) return status;
    status = ecl_cl_kernel(&program, kernel->name, &built->kernel, &built->workgroup, error);
    clReleaseProgram(program.program); /* the kernel keeps it */
    if (built->workgroup > kernel->items) built->workgroup = kernel->items;
    return status;
}

/* Room for the numbers of all parts, on the device and in memory that it can access. */
static int make_room(struct cl_state *c, uint64_t bytes, eulercl_error *error) {
    if (bytes <= c->parts_bytes) return EULERCL_OK;
    if (c->parts) clReleaseMemObject(c->parts);
    c->parts = NULL;
    ecl_cl_unstage(&c->runtime, &c->parts_read);
    c->parts_bytes = 0;
    int status = ecl_cl_buffer(&c->runtime, bytes, "the numbers of the parts", &c->parts, error);
    if (!status) status = ecl_cl_stage(&c->runtime, bytes, &c->parts_read, error);
    if (!status) c->parts_bytes = bytes;
    return status;
}

/* Room for the places of parts that have them. */
static int make_places(struct cl_state *c, const struct reduction *r, eulercl_error *error) {
    const int64_t count = r->places ? r->parts + 1 : 0;
    if (count <= c->place_count) return EULERCL_OK;
    if (c->places) clReleaseMemObject(c->places);
    c->places = NULL;
    c->place_count = 0;
    const int status = ecl_cl_buffer(&c->runtime, (uint64_t)count * sizeof(cl_long),
        "the places of the parts", &c->places, error);
    if (!status) c->place_count = count;
    return status;
}

static cl_int set_places(const struct cl_state *c, cl_kernel kernel, const struct reduction *r) {
    const cl_int cl = clSetKernelArg(kernel, SPECIFIC, sizeof c->places, &c->places);
    return cl ? cl
              : clEnqueueWriteBuffer(c->runtime.queue, c->places, CL_FALSE, 0,
                    (size_t)(r->parts + 1) * sizeof *r->places, r->places, 0, NULL, NULL);
}

static cl_int launch(const struct run *run, const struct reduction *r, const struct kernel *kernel,
    const struct cl_reducer *built, uint64_t bytes) {
    const struct cl_state *const c = run->impl;
    const struct cl_state index = {.largest_index = largest_index(run, r)};
    const int64_t points = int_min(r->share, r->end - r->first) / r->grid->components;
    const cl_int groups = kernel->groups
                              ? (cl_int)int_clamp(1, int_ceil(points, (int64_t)built->workgroup),
                                    int_max(1, MOST_GROUPS / r->parts))
                              : 1;
    const int64_t slices = kernel->slices ? kernel->slices(r) : 1;
    const size_t items = (size_t)(r->parts * slices * groups) * built->workgroup;
    static const cl_uint none = 0;
    cl_int cl = clSetKernelArg(built->kernel, 0, sizeof c->now, &c->now);
    if (!cl) cl = clSetKernelArg(built->kernel, 1, sizeof c->parts, &c->parts);
    if (!cl) cl = ecl_cl_set_index(&index, built->kernel, 2, r->first - r->offset);
    if (!cl) cl = ecl_cl_set_index(&index, built->kernel, 3, r->end - r->offset);
    if (!cl) cl = ecl_cl_set_index(&index, built->kernel, 4, r->share);
    if (!cl && r->places) cl = set_places(c, built->kernel, r);
    if (!cl) cl = kernel->set(&index, built->kernel, r);
    if (!cl && kernel->groups) {
        cl = clSetKernelArg(built->kernel, kernel->groups, sizeof groups, &groups);
        if (!cl)
            cl = clEnqueueFillBuffer(
                c->runtime.queue, c->parts, &none, sizeof none, 0, (size_t)bytes, 0, NULL, NULL);
    }
    if (!cl)
        cl = clEnqueueNDRangeKernel(
            c->runtime.queue, built->kernel, 1, NULL, &items, &built->workgroup, 0, NULL, NULL);
    return cl ? cl
              : clEnqueueReadBuffer(c->runtime.queue, c->parts, CL_TRUE, 0, (size_t)bytes,
                    c->parts_read.memory, 0, NULL, NULL);
}

/* Without a kernel, without doubles, and where counters could overflow, the host does it. */
static const struct kernel *find_kernel(const struct cl_state *c, const struct reduction *r) {
    for (int i = 0; i < CL_REDUCERS; i++)
        if (kernels[i].reducer == r->reducer)
            return c->runtime.info.has_double && kernels[i].local_bytes(r) <= LOCAL_BYTES &&
                           (!kernels[i].groups || r->share < INT32_MAX)
                       ? &kernels[i]
                       : NULL;
    return NULL;
}

/* Fewer numbers to read and to add, where those of all parts together are wanted. */
static struct reduction with_few_parts(const struct reduction *r, const struct kernel *kernel) {
    struct reduction few = *r;
    if (!r->is_total || !kernel->is_flat) return few;
    few.share = int_max(r->share, int_min(r->end - r->first, INT32_MAX / r->unit * r->unit));
    few.parts = int_ceil(r->end - r->first, few.share);
    return few;
}

/* Parts from number `from` on that are computed at once. */
static int64_t parts_at_once(const struct reduction *r, int64_t from) {
    int64_t to = from + 1;
    while (to < r->parts &&
           reduction_place(r, to + 1) - reduction_place(r, from) <= ecl_cl_numbers_at_once)
        to++;
    return to - from;
}

static int reduce_some(struct run *run, const struct reduction *r, const struct kernel *kernel,
    const struct cl_reducer *built, double *numbers, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const int64_t count = reduction_place(r, r->parts);
    const uint64_t bytes = (uint64_t)count * (kernel->groups ? sizeof(cl_uint) : sizeof(double));
    if (!count) return EULERCL_OK;
    int status = make_room(c, bytes, error);
    if (!status) status = make_places(c, r, error);
    if (status) return status;
    const cl_int cl = launch(run, r, kernel, built, bytes);
    if (cl) return ecl_cl_fail(error, cl, "the reduction of the state");
    if (kernel->groups)
        for (int64_t i = 0; i < count; i++) numbers[i] = ((const cl_uint *)c->parts_read.memory)[i];
    else
        memcpy(numbers, c->parts_read.memory, (size_t)bytes);
    return EULERCL_OK;
}

static int reduce(
    struct run *run, const struct reduction *r, double *numbers, eulercl_error *error) {
    struct cl_state *c = run->impl;
    const struct kernel *const kernel = find_kernel(c, r);
    if (!kernel) return EULERCL_UNSUPPORTED;
    struct cl_reducer *const built = &c->reducers[kernel - kernels];
    const struct reduction few = with_few_parts(r, kernel);
    for (int64_t i = few.parts * few.size; r->is_total && i < r->parts * r->size; i++)
        numbers[i] = 0;
    int status = built->kernel ? EULERCL_OK : build(run, r, kernel, built, error);
    for (int64_t done = 0, some; !status && done < few.parts; done += some) {
        some = parts_at_once(&few, done);
        const struct reduction these = ecl_reduction_parts(&few, done, some);
        status =
            reduce_some(run, &these, kernel, built, numbers + reduction_place(&few, done), error);
    }
    return status;
}

const struct state_table ecl_cl_state = {.write = ecl_cl_write,
    .read = ecl_cl_read,
    .find_nonfinite = ecl_cl_find_nonfinite,
    .reduce = reduce,
    .change_coefficients = ecl_cl_change_coefficients};
