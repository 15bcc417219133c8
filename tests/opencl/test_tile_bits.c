/* SPDX-License-Identifier: BSD-2-Clause */
/* test_tile_bits.c - the same bits from tiles: systems, tiles and runs at random, and how the
 * library holds them, each compared with seq. */
#include "config.h"
#include "../support.h"
#include "problem/grid.h"
#include "schedule/diamond.h"
#include "schedule/registers/registers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#endif

/* ---- tiles: systems, tiles and runs at random, against seq ----

   OpenCL compilers are slow, so cases are drawn from few programs. A program is a problem's text,
   in a precision, with a kernel, a storage, a variant, a work-group size and a width of indices. */

enum { MOST_PROGRAMS = 150, CASES_PER_PROGRAM = 16 };

static const struct {
    const char *storage, *backends[2];
} tile_kernels[] = {
    {"local", {"cl-row-diamond", "cl-honeycomb"}},
    {"column", {"cl-honeycomb", "cl-honeycomb"}},
    {"column", {"cl-column-diamond", "cl-column-diamond"}},
    {"global", {"cl-row-diamond", "cl-honeycomb"}},
};
enum { TILE_KERNELS = sizeof tile_kernels / sizeof *tile_kernels };

struct tile_program {
    int kernel, is_wide, uncached;
    const char *variant;
    enum eulercl_precision precision;
    uint64_t workgroup_size;
    double flush_below;
};

/* Tiny values, flushed by every second program. */
static double flush_of(int number) { return number % 2 ? 0.25 : 0; }

static struct tile_program draw_program(int problem, int number) {
    static const uint64_t workgroup_sizes[] = {4, 16, 64, 100};
    random_start(300 + (uint64_t)(1000 * problem + number));
    const int64_t draw = random_below(4);
    return (struct tile_program){.kernel = (problem + number) % TILE_KERNELS,
        .is_wide = random_below(5) == 0,
        .uncached = random_below(8) == 0,
        .variant = draw % 2 ? "vector" : "scalar",
        .precision = draw / 2 ? EULERCL_FLOAT : EULERCL_DOUBLE,
        .workgroup_size = workgroup_sizes[random_below(4)],
        .flush_below = flush_of(problem / TILE_KERNELS + number)};
}

static int programs_of(int problem) {
    const int64_t few = problem != TEST_bruss2d && problem != TEST_string ? 1
                        : test_level() == ALL_TESTS                       ? TILE_KERNELS
                                                                          : TILE_KERNELS / 2;
    return (int)tile_max(few,
        tile_min(cases(0, 0) / (CASES_PER_PROGRAM * TEST_PROBLEMS), MOST_PROGRAMS / TEST_PROBLEMS));
}

/* A size, small ones as likely as large ones. */
static int64_t random_length(int64_t most) { return (int64_t)pow((double)most, random_real(0, 1)); }

static eulercl_problem *random_problem(const struct ode_problem *definition) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    for (uint32_t i = 0; i < definition->parameter_count; i++) {
        const struct ode_parameter *p = &definition->parameters[i];
        double value = p->integer
                           ? (double)random_length(most_points(definition->grid.rank, 1500, 48))
                           : p->value * random_real(0.5, 1.5);
        value = fmin(fmax(value, p->min), p->max);
        eulercl_problem_set(problem, p->name, value, &error); /* refused: too small for a mirror */
    }
    return problem;
}

/* One call on a solver; the same for both. */
struct call {
    int64_t steps;
    double part;          /* part of a step by which advance_to ends later; 0: advance */
    int64_t first, count; /* components that are set first */
};

struct tile_case {
    eulercl_problem *problem;
    eulercl_options options;
    struct call calls[4];
    int call_count;
    char text[480]; /* all of it, for whom it fails */
};

static void make_calls(struct tile_case *c, int64_t n) {
    c->call_count = 1 + (int)random_below(4);
    int64_t left = random_below(8) ? random_below(201) : random_below(4);
    for (int k = 0; k < c->call_count; k++) {
        const int64_t steps = k + 1 == c->call_count ? left : random_below(left + 1),
                      first = random_below(n);
        c->calls[k] = (struct call){.steps = steps,
            .part = random_below(4) ? 0 : random_real(0.1, 0.9),
            .first = first,
            .count = k && random_below(3) == 0 ? 1 + random_below(n - first) : 0};
        left -= steps;
    }
}

/* Add the calls to the text of a case. */
static void add_calls(struct tile_case *c, size_t used) {
    for (int k = 0; k < c->call_count && used < sizeof c->text; k++)
        used += (size_t)snprintf(c->text + used, sizeof c->text - used,
            " [set %lld +%lld, %lld steps + %.3g]", (long long)c->calls[k].first,
            (long long)c->calls[k].count, (long long)c->calls[k].steps, c->calls[k].part);
}

static struct tile_case draw_case(
    const struct ode_problem *definition, const struct tile_program *program) {
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"};
    struct tile_case c = {.problem = random_problem(definition)};
    eulercl_options *o = &c.options;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(c.problem, &info, &error));
    eulercl_options_init(o);
    o->backend = tile_kernels[program->kernel].backends[random_below(2)];
    GIVE_NAME(o, variant, program->variant);
    GIVE_NAME(o, storage, tile_kernels[program->kernel].storage);
    o->precision = program->precision;
    GIVE(o, workgroup_size, program->workgroup_size);
    o->flush_below = program->flush_below;
    GIVE(o, uncached, program->uncached);
    o->t0 = random_real(-2, 2);
    o->h = pow(10, random_real(-5, -2));
    GIVE(o, dia_blocks, random_below(5) ? (uint64_t)(1 + random_below(60)) : 0);
    GIVE(o, honeycomb_steps, random_below(4) ? random_below(GIVEN(o, dia_blocks) / 2 + 5) : -1);
    GIVE_NAME(o, distribution, distributions[random_below(5)]);
    GIVE(o, workgroups,
        random_below(2)   ? (uint64_t)(1 + random_below(7))
        : random_below(8) ? 0
                          : INT32_MAX);
    o->check_finite = 0;  /* it would take more time to compile; other tests check */
    o->allow_inexact = 1; /* likewise */
    make_calls(&c, info.n);
    size_t used = (size_t)snprintf(c.text, sizeof c.text,
        "%s %lld x %lld, %s %s %s, real %d, %s index%s, %llu items, %llu groups, dia_blocks %llu, "
        "honeycomb_steps %lld, "
        "distribution %s, flush_below %g, t0 %a, h %a:",
        info.name, (long long)info.extents[0], (long long)info.extents[1], o->backend,
        GIVEN_NAME(o, storage), GIVEN_NAME(o, variant), (int)o->precision,
        program->is_wide ? "wide" : "narrow", GIVEN(o, uncached) ? ", uncached" : "",
        (long long)GIVEN(o, workgroup_size), (long long)GIVEN(o, workgroups),
        (long long)GIVEN(o, dia_blocks), (long long)GIVEN(o, honeycomb_steps),
        GIVEN_NAME(o, distribution) ? GIVEN_NAME(o, distribution) : "NULL", o->flush_below, o->t0,
        o->h);
    add_calls(&c, used);
    return c;
}

static void make_call(eulercl_solver *solver, const struct call *call, double h, const void *y) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    if (call->count) OK(eulercl_set_components(solver, call->first, call->count, y, &error));
    OK(eulercl_get_stats(solver, &stats, &error));
    if (call->part > 0)
        OK(eulercl_advance_to(
            solver, stats.t + ((double)call->steps + call->part) * h, NULL, &error));
    else
        OK(eulercl_advance(solver, call->steps, &error));
}

/* Launches of an advance: its passes (diamond_geometry.h), or tiles in registers one after the
 * other. */
static uint64_t passes(const eulercl_stats *s, int64_t honeycomb_steps, int64_t steps) {
    if (!strcmp(s->backend, "cl-register"))
        return ((uint64_t)steps + s->steps_per_launch - 1) / s->steps_per_launch;
    const tile_shape shape = {.n = s->n,
        .block = (int64_t)FACT(*s, block_size),
        .halo = 4,
        .blocks = (int64_t)FACT(*s, dia_blocks),
        .cut = !strcmp(s->backend, "cl-honeycomb") && honeycomb_steps == 0
                   ? 0
                   : (int64_t)s->steps_per_launch};
    return steps ? (uint64_t)(tile_last_pass(shape, steps) - tile_first_pass(shape) + 1) : 0;
}

/* Where bits are not guaranteed the device's sin is compared with the processor's. A step at a
 * wrong time is further off. */
static void expect_close(
    const struct tile_case *c, const void *y, const void *expected, int64_t n, size_t real_size) {
    const double allowed = real_size == sizeof(float) ? 2e-5 : 1e-12;
    for (int64_t i = 0; i < n; i++) {
        const double a = value_at(y, i, real_size), b = value_at(expected, i, real_size);
        ck_assert_msg(fabs(a - b) <= allowed * (1 + fabs(b)),
            "component %lld: %.17g, not %.17g: %s (seed %llu)", (long long)i, a, b, c->text,
            (unsigned long long)seed());
    }
}

/* cl-register runs the shape that was asked for. */
static void check_shape(const eulercl_stats *s, const eulercl_options *o, const char *text) {
    const uint64_t pairs[][2] = {{(uint64_t)GIVEN(o, points_per_item), FACT(*s, points_per_item)},
        {(uint64_t)GIVEN(o, rows_per_item), FACT(*s, rows_per_item)},
        {(uint64_t)GIVEN(o, workgroup_rows), FACT(*s, workgroup_rows)},
        {(uint64_t)GIVEN(o, steps_per_launch), s->steps_per_launch},
        {(uint64_t)GIVEN(o, steps_per_exchange), FACT(*s, steps_per_exchange)}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_msg(!pairs[i][0] || pairs[i][0] == pairs[i][1], "%s", text);
    const char *const variant = GIVEN_NAME(o, variant);
    if (variant && (!strcmp(variant, "stream") || !strcmp(variant, "pipeline")))
        ck_assert_msg(!strcmp(s->variant, variant), "%s", text);
}

/* Where the first solver of a process computes, the others do, too: PoCL reads its library of
 * functions anew in each context, and that takes longer than a case. */
static void *shared_context, *shared_queue;
static void share_context(eulercl_solver *solver) {
#ifdef HAVE_OPENCL
    void *buffer;
    cl_context context;
    cl_device_id device;
    OK(eulercl_borrow_buffer(solver, &buffer, &error));
    ck_assert(!clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL) &&
              !clRetainContext(context));
    ck_assert(!clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    shared_context = context;
    shared_queue = clCreateCommandQueue(context, device, 0, NULL);
    ck_assert_ptr_nonnull(shared_queue);
#else
    (void)solver;
#endif
}

/* -> 1: compared to the end; 0: it did not fit, or the solution left the numbers, where bits may
 * differ. */
static int run_tile_case(struct tile_case *c, int bits_guaranteed) {
    eulercl_options plain;
    eulercl_solver *solver = NULL, *reference = NULL;
    eulercl_stats stats = {.struct_size = sizeof stats}, expected_stats = stats;
    const int64_t n = size_of(c->problem);
    const size_t real_size = (size_t)c->options.precision;
    char *y = zeroed(n, real_size), *expected = zeroed(n, real_size), *given = zeroed(n, real_size);
    uint64_t launches = 0;
    eulercl_options_init(&plain);
    plain.backend = "seq";
    plain.precision = c->options.precision;
    plain.t0 = c->options.t0;
    plain.h = c->options.h;
    plain.flush_below = c->options.flush_below;
    plain.check_finite = 0;
    OK(create_somehow(c->problem, &plain, &reference, &error));
    c->options.cl_context = shared_context;
    c->options.cl_queue = shared_queue;
    const int status = create_somehow(c->problem, &c->options, &solver, &error);
    if (solver && !shared_queue) share_context(solver);
    const char *refusal =
        strcmp(c->options.backend, "cl-register") ? "local memory" : "cl-register: ";
    if (status)
        ck_assert_msg(status == EULERCL_UNSUPPORTED && strstr(error.message, refusal), "%s: %s",
            error.message, c->text);
    random_state(given, n, real_size);
    OK(eulercl_set_state(reference, given, &error));
    if (solver) OK(eulercl_set_state(solver, given, &error));
    int going = solver != NULL;
    for (int k = 0; going && k < c->call_count; k++) {
        const struct call *call = &c->calls[k];
        random_state(given, n, real_size);
        make_call(reference, call, plain.h, given);
        OK(eulercl_get_state(reference, expected, &error));
        if (!is_finite(expected, n, real_size))
            going = 0;
        else {
            make_call(solver, call, plain.h, given);
            OK(eulercl_get_stats(reference, &expected_stats, &error));
            const int64_t steps = expected_stats.steps - stats.steps;
            OK(eulercl_get_stats(solver, &stats, &error));
            launches += call->part > 0
                            ? passes(&stats, GIVEN(&c->options, honeycomb_steps), steps - 1) +
                                  passes(&stats, GIVEN(&c->options, honeycomb_steps), 1)
                            : passes(&stats, GIVEN(&c->options, honeycomb_steps), steps);
            ck_assert_msg(
                stats.steps == expected_stats.steps && stats.t == expected_stats.t, "%s", c->text);
            ck_assert_msg(
                !FACT(stats, redundant_component_steps) || !strcmp(stats.backend, "cl-register"),
                "%s", c->text);
            check_shape(&stats, &c->options, c->text);
            ck_assert_msg(stats.launches == launches, "%llu launches, not %llu: %s",
                (unsigned long long)stats.launches, (unsigned long long)launches, c->text);
            if (k + 1 < c->call_count && random_below(2))
                continue; /* a look at the state would put errors right and hide them */
            OK(eulercl_get_state(solver, y, &error));
            if (bits_guaranteed)
                SAME(y, expected, n, real_size, "after call %d of %s", k + 1, c->text);
            else
                expect_close(c, y, expected, n, real_size);
        }
    }
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(reference);
    eulercl_problem_destroy(c->problem);
    free(y);
    free(expected);
    free(given);
    return going;
}

/* OpenCL compilers take most of the time, so make check looks at every sixth of the problems, here
 * and there at others, and check-long at others. */
static int has_its_turn(int problem, int turn) {
    const int sixth = (problem + turn + 3) % 6;
    return test_level() == ALL_TESTS || sixth == (test_level() == QUICK_TESTS ? 0 : 2);
}

START_TEST(tiles_agree) {
    if (!have_opencl()) return;
    if (_i > TEST_string && !has_its_turn(_i, 0)) return;
    const struct test_problem *problem = &test_problems[_i];
    const int programs = programs_of(_i);
    const int64_t count = (cases(500, 1000) + TEST_PROBLEMS - 1) / TEST_PROBLEMS,
                  wide_from = ecl_diamond_wide_from;
    int64_t compared = 0;
    for (int p = 0; p < programs; p++) {
        const struct tile_program program = draw_program(_i, p);
        ecl_diamond_wide_from = program.is_wide ? 0 : wide_from;
        for (int64_t i = p; i < count; i += programs) {
            random_start(((uint64_t)_i << 24) + (uint64_t)i + (1 << 23));
            struct tile_case c = draw_case(problem->definition, &program);
            compared += run_tile_case(&c, problem->bits_guaranteed);
        }
    }
    ecl_diamond_wide_from = wide_from;
    printf("tiles of %s: %lld cases, %lld compared to the end, from %d programs\n",
        problem->definition->name, (long long)count, (long long)compared, programs);
    fflush(stdout);
    ck_assert_msg(2 * compared >= count, "only %lld of %lld cases came to their end",
        (long long)compared, (long long)count);
}
END_TEST

/* ---- tiles in registers: the same for cl-register ----

   The shape is compiled in, so a program is a shape, and sizes are drawn to suit it. */

enum register_way {
    REGISTERS_OF_ITEMS,
    REGISTERS_IN_STREAM,
    REGISTERS_CHOSEN,
    REGISTERS_IN_PIPELINE
}; /* a line or a plane; the stream; any that the library chooses; the pipeline */
/* Whether work-groups go down strips, so that a launch has any number of rows. */
static int goes_down(enum register_way way) {
    return way == REGISTERS_IN_STREAM || way == REGISTERS_IN_PIPELINE;
}

struct drawn_program {
    enum register_way way;
    const char *variant;
    enum eulercl_precision precision;
    int uncached;
    int64_t components, radius;
    int64_t points, rows, items, item_rows, exchange,
        steps; /* steps as in the options; 0: each case has its own */
    double flush_below;
    int64_t sizes[2]; /* sizes of all cases; 0: drawn */
};

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t pick(const int64_t *list, int count) { return list[random_below(count)]; }
#define PICK(...)                        \
    pick((const int64_t[]){__VA_ARGS__}, \
        (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

/* The problem with the given sizes, one for each whole number among its parameters, as far as it
 * can have them, and random values for the other parameters. */
static eulercl_problem *problem_of_sizes(
    const struct ode_problem *definition, const int64_t *sizes) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    for (uint32_t i = 0, size = 0; i < definition->parameter_count; i++) {
        const struct ode_parameter *p = &definition->parameters[i];
        double value = p->integer ? (double)sizes[size++] : p->value * random_real(0.5, 1.5);
        value = fmin(fmax(value, p->min), p->max);
        eulercl_problem_set(problem, p->name, value, &error); /* refused: too small for a mirror */
    }
    return problem;
}

/* Compilers take seconds for a few ten thousand characters of right-hand sides in a row, so short
   runs draw smaller items of long texts, of at least `fewest` points, and then fewer steps of a
   stream. */
enum { MOST_TEXT = 16000 };

static void shorten(struct drawn_program *p, const struct ode_problem *definition, int64_t fewest) {
    const int64_t length = definition->rhs ? (int64_t)strlen(definition->rhs()) : 0;
    if (cases(0, 0)) return;
    while (p->rows > 2 && p->rows > p->radius && length * p->points * p->rows > MOST_TEXT)
        p->rows--;
    while (p->points > fewest &&
           length * p->points * (p->rows ? p->rows : 1) * (p->steps ? p->steps : 1) > MOST_TEXT)
        p->points--;
    while (p->steps > 2 && length * p->points * p->steps > MOST_TEXT) p->steps--;
}

/* The points that an axis needs at least. */
static int64_t points_needed(const struct ode_problem *d) {
    int64_t needed = 1;
    for (int side = 0; side < 2 * ODE_MOST_AXES; side++)
        needed = tile_max(
            needed, ODE_POINTS_NEEDED_(d->grid.boundary[side / 2][side % 2], (int)d->grid.radius));
    return needed;
}

/* Whether a tile may be smaller than the radius under the rules of all sides. */
static int may_be_tiny(const struct ode_problem *d) {
    for (int side = 0; side < 2 * ODE_MOST_AXES; side++) {
        const uint32_t rule = d->grid.boundary[side / 2][side % 2];
        if (rule != ODE_FIXED && rule != ODE_CLAMP) return 0;
    }
    return 1;
}

/* Warps and their levels. */
static void draw_warps(struct drawn_program *p, const struct ode_problem *d, int tiny) {
    const int64_t fewest = tile_max(p->radius, points_needed(d));
    p->points = tile_max(p->points, fewest);
    p->item_rows = PICK(1, 2, 3, 4);
    p->rows = 0;
    p->steps = 1;
    shorten(p, d, fewest);
    const int64_t word = (int64_t)p->precision / 4 * p->components,
                  most = 252 / ((2 * p->radius + 1) * p->points * word) - 1;
    p->steps = p->item_rows * (1 + random_below(lesser(cases(0, 0) ? 3 : 2, tile_max(1, most))));
    while (!tiny && p->points * p->items <= 2 * p->radius * p->steps) p->items++;
}

static const char *draw_variant(enum register_way way, int is_plane) {
    static const char *const names[] = {NULL, "auto", "group", "group-local"};
    const char *const name = way == REGISTERS_IN_STREAM     ? "stream"
                             : way == REGISTERS_IN_PIPELINE ? "pipeline"
                                                            : names[random_below(4)];
    return way == REGISTERS_OF_ITEMS && is_plane && random_below(4) == 0 ? "group-any" : name;
}

static struct drawn_program draw_register_program(int number, int problem, int number_of_way) {
    const struct ode_problem *d = test_problems[problem].definition;
    random_start(400 + (uint64_t)(1000 * problem + number));
    struct drawn_program p = {.precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE,
        .uncached = random_below(8) == 0,
        .flush_below = flush_of(problem + number),
        .components = d->grid.components,
        .radius = d->grid.radius,
        .points = 1,
        .rows = 1,
        .items = 1,
        .item_rows = 1,
        .exchange = 1};
    p.way = (enum register_way)number_of_way;
    p.variant = draw_variant(p.way, d->grid.rank == 2);
    const int64_t word = (int64_t)p.precision / 4 * p.components;
    int64_t length = INT64_MAX; /* length of a general system that the program is for */
    if (!d->grid.rank) {
        eulercl_problem_info info = {.struct_size = sizeof info};
        p.sizes[0] = random_length(problem == TEST_reverse ? 50 / word : 1500);
        p.sizes[1] = random_below(12);
        eulercl_problem *one = problem_of_sizes(d, p.sizes);
        OK(eulercl_problem_get_info(one, &info, &error));
        eulercl_problem_destroy(one);
        p.radius = info.access_distance < 1 ? 1 : info.access_distance;
        length = info.n;
    }
    if (p.way == REGISTERS_CHOSEN) {
        if (d->grid.rank)
            p.sizes[0] = 1 + random_length(d->grid.rank == 1 ? 1500 : 60),
            p.sizes[1] = 1 + random_length(60);
        p.points = p.rows = p.items = p.item_rows = p.exchange = p.steps = 0;
        return p;
    }
    if (d->grid.rank < 2) {
        const int64_t most = 176 / word; /* points of an item with both halos */
        p.exchange = !d->grid.rank || random_below(2)
                         ? 1
                         : 1 + random_below(lesser(4, 1 + most / (4 * p.radius)));
        const int64_t edge = p.radius * p.exchange;
        p.items = 3 * edge > most ? 1 : PICK(1, 2, 3, 5, 8, 20, 33, 64);
        p.points = p.items > 1 ? edge + random_below(lesser(9, most - 3 * edge + 1))
                               : 1 + random_below(lesser(20, most - 2 * edge));
        if (p.items == 1 && (p.radius > 6 || random_below(2) == 0))
            p.points = lesser(length, most - 2 * edge);
        if (p.points > length) p.points = length, p.items = 1;
        shorten(&p, d, lesser(p.points, 2 * edge + 1));
        while (p.points * p.items > length) p.items--;
        return p;
    }
    /* A tile that is all of the grid may be smaller than what a step spoils. */
    const int tiny = may_be_tiny(d) && random_below(4) == 0;
    p.items = PICK(1, 2, 3, 4, 6, 9, 16);
    p.points = (p.items > 1 || !tiny ? p.radius : 1) + random_below(3);
    if (p.way == REGISTERS_IN_STREAM) {
        const int64_t fewest = tile_max(tiny ? 1 : p.radius, points_needed(d));
        p.points = tile_max(p.points, fewest);
        p.steps = 1 + random_below(lesser(3, 180 / ((2 * p.radius + 1) * p.points * word)));
        p.rows = p.item_rows = 0;
        shorten(&p, d, fewest);
        while (!tiny && p.points * p.items <= 2 * p.radius * p.steps) p.items++;
        return p;
    }
    if (p.way == REGISTERS_IN_PIPELINE) {
        draw_warps(&p, d, tiny);
        return p;
    }
    p.item_rows = PICK(1, 2, 3, 5);
    p.rows = (p.item_rows > 1 || !tiny ? p.radius : 1) +
             random_below(lesser(4, 128 / (p.points * word) - p.radius));
    shorten(&p, d, tiny && p.items == 1 ? 1 : p.radius);
    while (!tiny && p.points * p.items <= 2 * p.radius) p.items++;
    while (!tiny && p.rows * p.item_rows <= 2 * p.radius) p.item_rows++;
    return p;
}

/* A length of the grid for tiles of that many points, of which `spoiled` are lost in a launch: the
   tile's own, a little more, several tiles; a ring may be smaller than a tile. */
static int64_t length_for(int64_t tile, int64_t spoiled, int periodic, int64_t most) {
    if (!periodic && tile <= spoiled) return tile;
    if (periodic && random_below(4) == 0) return 1 + random_below(tile);
    switch (random_below(4)) {
    case 0:
        return tile;
    case 1:
        return tile + 1 + random_below(4);
    case 2:
        return tile + random_below(3 * tile + 1);
    default:
        return tile + random_length(most);
    }
}

/* A number of steps with which most tiles keep some components. */
static int64_t steps_for(
    const struct drawn_program *p, const eulercl_problem_info *info, const int periodic[2]) {
    const int64_t across = p->points * p->items, down = p->rows * p->item_rows;
    int64_t most = 40;
    if (periodic[0] || across < (info->rank ? info->extents[0] : info->n))
        most = lesser(most, (across - 1) / (2 * p->radius));
    if (p->way == REGISTERS_OF_ITEMS && info->rank == 2 && (periodic[1] || down < info->extents[1]))
        most = lesser(most, (down - 1) / (2 * p->radius));
    return random_below(16) ? 1 + random_below(most > 0 ? most : 1) : 1 + random_below(40);
}

static struct tile_case draw_register_case(
    const struct ode_problem *definition, const struct drawn_program *p) {
    const int periodic[] = {definition->grid.boundary[0][0] == ODE_PERIODIC,
        definition->grid.boundary[1][0] == ODE_PERIODIC},
              square = definition->parameters[0].integer && definition->grid.rank == 2 &&
                       (definition->parameter_count < 2 || !definition->parameters[1].integer);
    int64_t sizes[2] = {p->sizes[0], p->sizes[1]};
    if (!sizes[0]) {
        const int64_t spoiled = 2 * p->radius * (p->steps ? p->steps : 1);
        int64_t across = p->points * p->items,
                down = goes_down(p->way) ? spoiled + 1 : p->rows * p->item_rows;
        if (square) across = down = across > down ? across : down;
        sizes[0] = length_for(across, spoiled, periodic[0], definition->grid.rank == 2 ? 30 : 1500);
        sizes[1] =
            goes_down(p->way) ? random_length(60) : length_for(down, spoiled, periodic[1], 40);
    }
    struct tile_case c = {.problem = problem_of_sizes(definition, sizes)};
    eulercl_options *o = &c.options;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(c.problem, &info, &error));
    eulercl_options_init(o);
    o->backend = "cl-register";
    GIVE_NAME(o, variant, p->variant);
    o->precision = p->precision;
    o->flush_below = p->flush_below;
    GIVE(o, uncached, p->uncached);
    GIVE(o, points_per_item, p->points);
    GIVE(o, workgroup_size, (p->items * (p->item_rows ? p->item_rows : 1)));
    if (definition->grid.rank == 2) {
        GIVE(o, rows_per_item, p->rows);
        GIVE(o, workgroup_rows, p->item_rows);
    }
    GIVE(o, steps_per_exchange, p->exchange);
    GIVE(o, steps_per_launch,
        (uint64_t)(p->way == REGISTERS_OF_ITEMS ? steps_for(p, &info, periodic) : p->steps));
    if (goes_down(p->way))
        GIVE(o, workgroups, random_below(3) ? (uint64_t)(1 + random_below(12)) : 0);
    o->t0 = random_real(-2, 2);
    o->h = pow(10, random_real(-5, -2));
    o->check_finite = 0; /* as in draw_case */
    o->allow_inexact = 1;
    make_calls(&c, info.n);
    size_t used = (size_t)snprintf(c.text, sizeof c.text,
        "%s %lld x %lld, cl-register %s, real %d%s, items %lld (%lld rows) of %lld x %lld points, "
        "%lld steps per launch, %lld per exchange, "
        "%lld groups, flush_below %g, t0 %a, h %a:",
        info.name, (long long)(info.rank ? info.extents[0] : info.n), (long long)info.extents[1],
        GIVEN_NAME(o, variant) ? GIVEN_NAME(o, variant) : "NULL", (int)o->precision,
        GIVEN(o, uncached) ? ", uncached" : "", (long long)GIVEN(o, workgroup_size),
        (long long)GIVEN(o, workgroup_rows), (long long)GIVEN(o, points_per_item),
        (long long)GIVEN(o, rows_per_item), (long long)GIVEN(o, steps_per_launch),
        (long long)GIVEN(o, steps_per_exchange), (long long)GIVEN(o, workgroups), o->flush_below,
        o->t0, o->h);
    add_calls(&c, used);
    return c;
}

START_TEST(registers_agree) {
    if (!have_opencl()) return;
    const struct test_problem *problem = &test_problems[_i];
    const int ways = problem->definition->grid.rank == 2 ? 2 : 1;
    if (problem->definition->grid.rank > 2) return; /* see volumes_agree */
    const int64_t rounds = tile_max(
        1, cases(0, 0) / (8 * CASES_PER_PROGRAM *
                             TEST_PROBLEMS)); /* each compiles a program or two per problem */
    int number = 0;
    for (int way = REGISTERS_OF_ITEMS; way <= REGISTERS_IN_PIPELINE; way++) {
        if (goes_down((enum register_way)way) && ways < 2) continue;
        if (way != REGISTERS_CHOSEN && !has_its_turn(_i, 1 + way)) {
            number += (int)rounds;
            continue;
        }
        /* The chosen shapes are large, and slow to compile: each problem has its turn only in long
         * runs. */
        if (way == REGISTERS_CHOSEN && rounds < 2 && _i % (test_level() == QUICK_TESTS ? 16 : 8))
            continue;
        const int64_t programs = way == REGISTERS_CHOSEN ? 1 + rounds / 8 : rounds;
        int64_t compared = 0, count = 0;
        for (int64_t p = 0; p < programs; p++) {
            const struct drawn_program program = draw_register_program(number++, _i, way);
            for (int i = 0; i < CASES_PER_PROGRAM; i++, count++) {
                random_start(
                    ((uint64_t)_i << 24) + (uint64_t)(number * CASES_PER_PROGRAM + i) + (1 << 22));
                struct tile_case c = draw_register_case(problem->definition, &program);
                compared += run_tile_case(&c, problem->bits_guaranteed);
            }
        }
        printf("registers of %s, %s: %lld cases, %lld compared to the end, from %lld programs\n",
            problem->definition->name,
            way == REGISTERS_CHOSEN        ? "chosen"
            : way == REGISTERS_IN_STREAM   ? "stream"
            : way == REGISTERS_IN_PIPELINE ? "pipeline"
                                           : "group",
            (long long)count, (long long)compared, (long long)programs);
        fflush(stdout);
        ck_assert_msg(2 * compared >= count, "only %lld of %lld cases came to their end",
            (long long)compared, (long long)count);
    }
}
END_TEST

/* ---- tiles of volumes ---- */

static const int volumes[] = {
    TEST_volume, TEST_block, TEST_lattice, TEST_knot, TEST_tunnel, TEST_box};
enum { VOLUMES = sizeof volumes / sizeof *volumes };

static struct drawn_program draw_volume_program(int number, int problem) {
    const struct ode_problem *d = test_problems[problem].definition;
    random_start(700 + (uint64_t)(1000 * problem + number));
    const int64_t fewest = tile_max((int64_t)d->grid.radius, points_needed(d));
    struct drawn_program p = {.way = REGISTERS_IN_STREAM,
        .variant = random_below(2) ? "stream" : NULL,
        .precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE,
        .uncached = random_below(8) == 0,
        .flush_below = flush_of(problem + number),
        .components = d->grid.components,
        .radius = d->grid.radius,
        .points = fewest + random_below(3),
        .rows = fewest + random_below(2),
        .items = PICK(1, 2, 3, 4),
        .item_rows = PICK(1, 2, 3),
        .steps = PICK(1, 1, 2, 3)};
    shorten(&p, d, fewest);
    while (p.points * p.items <= 2 * p.radius * p.steps) p.items++;
    while (p.rows * p.item_rows <= 2 * p.radius * p.steps) p.item_rows++;
    return p;
}

static struct tile_case draw_volume_case(
    const struct ode_problem *d, const struct drawn_program *p) {
    const int64_t spoiled = 2 * p->radius * p->steps;
    const int64_t sizes[ODE_MOST_AXES] = {
        length_for(p->points * p->items, spoiled, grid_is_periodic(&d->grid, 0), 12),
        length_for(p->rows * p->item_rows, spoiled, grid_is_periodic(&d->grid, 1), 6),
        1 + random_below(12)};
    struct tile_case c = {.problem = problem_of_sizes(d, sizes)};
    eulercl_options *o = &c.options;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(c.problem, &info, &error));
    eulercl_options_init(o);
    o->backend = "cl-register";
    GIVE_NAME(o, variant, p->variant);
    o->precision = p->precision;
    o->flush_below = p->flush_below;
    GIVE(o, uncached, p->uncached);
    GIVE(o, points_per_item, p->points);
    GIVE(o, rows_per_item, p->rows);
    GIVE(o, workgroup_size, p->items * p->item_rows);
    GIVE(o, workgroup_rows, p->item_rows);
    GIVE(o, steps_per_launch, p->steps);
    GIVE(o, workgroups, random_below(3) ? (uint64_t)(1 + random_below(24)) : 0);
    o->t0 = random_real(-2, 2);
    o->h = pow(10, random_real(-5, -2));
    o->check_finite = 0; /* as in draw_case */
    o->allow_inexact = 1;
    make_calls(&c, info.n);
    size_t used = (size_t)snprintf(c.text, sizeof c.text,
        "%s %lld x %lld x %lld, real %d%s, %lld x %lld items of %lld x %lld points, %lld steps per "
        "launch, %lld groups, flush_below %g, t0 %a, h %a:",
        info.name, (long long)info.extents[0], (long long)info.extents[1],
        (long long)info.extents[2], (int)o->precision, GIVEN(o, uncached) ? ", uncached" : "",
        (long long)p->items, (long long)p->item_rows, (long long)p->points, (long long)p->rows,
        (long long)p->steps, (long long)GIVEN(o, workgroups), o->flush_below, o->t0, o->h);
    add_calls(&c, used);
    return c;
}

START_TEST(volumes_agree) {
    if (!have_opencl()) return;
    const struct test_problem *problem = &test_problems[volumes[_i]];
    const int64_t programs = tile_max(1, cases(0, 0) / (8 * CASES_PER_PROGRAM * VOLUMES));
    int64_t compared = 0, count = 0;
    for (int64_t k = 0; k < programs; k++) {
        const struct drawn_program program = draw_volume_program((int)k, volumes[_i]);
        for (int i = 0; i < CASES_PER_PROGRAM; i++, count++) {
            random_start(((uint64_t)_i << 24) + (uint64_t)(k * CASES_PER_PROGRAM + i) + (1 << 21));
            struct tile_case c = draw_volume_case(problem->definition, &program);
            compared += run_tile_case(&c, problem->bits_guaranteed);
        }
    }
    printf("volumes of %s: %lld cases, %lld compared to the end, from %lld programs\n",
        problem->definition->name, (long long)count, (long long)compared, (long long)programs);
    fflush(stdout);
    ck_assert_msg(2 * compared >= count, "only %lld of %lld cases came to their end",
        (long long)compared, (long long)count);
}
END_TEST

/* The strips that are chosen where a grid is narrower than any of several items. */
START_TEST(narrow_streams_agree) {
    if (!have_opencl()) return;
    static const struct { int problem, columns; } grids[] = {{TEST_torus, 3}, {TEST_far_star, 9}};
    for (int k = 0; k < 2; k++) {
        struct tile_case c = {.call_count = 1, .calls = {{.steps = 11}}};
        const int64_t sizes[2] = {grids[k].columns, 30};
        random_start(104 + (uint64_t)k);
        c.problem = problem_of_sizes(test_problems[grids[k].problem].definition, sizes);
        options_for(&c.options, &(struct way){"cl-register", "stream", 1}, EULERCL_FLOAT);
        c.options.h = 0x1p-8;
        c.options.check_finite = 0;
        c.options.allow_inexact = 1;
        snprintf(c.text, sizeof c.text, "stream, %d columns", grids[k].columns);
        ck_assert_msg(run_tile_case(&c, 1), "%s: not compared", c.text);
    }
}
END_TEST

/* Make more steps than one table of times holds (lib/opencl/state.h), and go on from there. It
 * takes half a minute, so it is not in make check. */
START_TEST(tiles_outlast_their_tables) {
    if (!have_opencl() || test_level() == QUICK_TESTS) return;
    enum { N = 6, LONG_STEPS = (1 << 18) + 5 };
    static const char *const backends[] = {"seq", "cl-row-diamond", "cl-honeycomb", "cl-register"};
    double start[N], expected[N], y[N];
    eulercl_problem *problem;
    random_start(102);
    random_state(start, N, sizeof *start);
    OK(eulercl_problem_create(test_problems[TEST_forced_wave].definition, &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    for (int b = 0; b < 4; b++) {
        eulercl_options options;
        eulercl_solver *solver;
        options_for(&options, &(struct way){backends[b], NULL, b > 0}, EULERCL_DOUBLE);
        options.h = 1e-5;
        GIVE(&options, dia_blocks, 2000);
        GIVE(&options, honeycomb_steps, 700);
        GIVE(&options, workgroup_size,
            b < 3 ? 4 : 3); /* a tile in registers is not larger than the system */
        GIVE(&options, points_per_item, b < 3 ? 0 : 1);
        OK(create_somehow(problem, &options, &solver, &error));
        OK(eulercl_set_state(solver, start, &error));
        OK(eulercl_advance(solver, LONG_STEPS, &error));
        OK(eulercl_advance(solver, 3, &error));
        OK(eulercl_get_state(solver, y, &error));
        if (!b) memcpy(expected, y, sizeof y);
        SAME(y, expected, N, sizeof *y, "%s", backends[b]);
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Two tiles wait for each other. The device decides whether both run at once; if they do not, the
   solver goes on without persistent tiles. In float two exchanges are unrolled, which takes
   compilers four times as long, so float is not in make check. Giving up depends on the host alone
   and is tested in double, except at the level all. */
START_TEST(persistent_tiles_agree) {
    if (!have_opencl() || (!_i && test_level() == QUICK_TESTS)) return;
    enum { MOST_M = 40 };
    /* Where other tests take the cores, tiles that wait for each other take long. */
    const int steps = test_level() == QUICK_TESTS ? 10 : 64;
    const int unrolled = !_i, m = unrolled ? MOST_M : 28, n = 2 * m * m;
    const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
    static double start[2 * MOST_M * MOST_M], expected[2 * MOST_M * MOST_M], y[2 * MOST_M * MOST_M];
    eulercl_problem *problem;
    eulercl_device_info device = {.struct_size = sizeof device};
    random_start(103);
    random_state(start, n, precision);
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", m, &error));
    const int patience = ecl_register_patience;
    for (int persistent = -1; persistent < (unrolled && test_level() < ALL_TESTS ? 2 : 3);
         persistent++) { /* 2: who never waits gives up at the first exchange */
        eulercl_options options;
        eulercl_solver *solver;
        eulercl_stats stats = {.struct_size = sizeof stats};
        options_for(&options,
            &(struct way){persistent < 0 ? "seq" : "cl-register", persistent < 0 ? NULL : "group",
                persistent >= 0},
            precision);
        options.h = 1e-5;
        options.flush_below = 0.125;
        GIVE(&options, persistent, persistent > 0);
        GIVE(&options, points_per_item, unrolled ? 4 : 7);
        GIVE(&options, rows_per_item, unrolled ? 5 : 4);
        GIVE(&options, workgroup_rows, 5);
        GIVE(&options, workgroup_size, unrolled ? 50 : 20);
        GIVE(&options, steps_per_launch, 3);
        ecl_register_patience = persistent == 2 ? 0 : patience;
        const int status = create_somehow(problem, &options, &solver, &error);
        ecl_register_patience = patience;
        if (persistent > 0 && status) { /* a device with a single compute unit */
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "at least two persistent tiles", status);
            continue;
        }
        OK(status);
        OK(eulercl_get_stats(solver, &stats, &error));
        if (persistent >= 0) ck_assert_uint_eq(FACT(stats, tiles), 2);
        if (persistent > 0) {
            for (size_t d = 0;
                 !eulercl_get_device(d, &device, &error) && strcmp(device.id, stats.device_id); d++)
                continue;
            ck_assert(FACT(stats, persistent) && device.compute_units >= 2);
        }
        OK(eulercl_set_state(solver, start, &error));
        OK(eulercl_advance(solver, steps, &error));
        OK(eulercl_advance(solver, 1, &error));
        OK(eulercl_advance(solver, steps - 1, &error));
        OK(eulercl_get_state(solver, y, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        if (persistent < 0) memcpy(expected, y, sizeof y);
        SAME(y, expected, n, precision, "persistent %d", persistent);
        if (FACT(stats, persistent)) ck_assert_uint_eq(stats.launches, 3);
        if (persistent == 2) ck_assert(!FACT(stats, persistent));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(tiles_agree, TEST_PROBLEMS);
    ADD_LOOP(registers_agree, TEST_PROBLEMS);
    ADD_LOOP(volumes_agree, VOLUMES);
    ADD(narrow_streams_agree);
    ADD(tiles_outlast_their_tables);
    ADD_LOOP(persistent_tiles_agree, 2);
}

int main(void) { return run_tests("tile_bits", add); }
