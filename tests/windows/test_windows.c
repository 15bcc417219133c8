/* SPDX-License-Identifier: BSD-2-Clause */
/* test_windows.c - a system on several devices has the bits of backend seq on one: whatever the
 * problem, the method, the number of devices, the rows between two exchanges, and what a program
 * does between its steps. */
#include "config.h"
#include "../support.h"
#include "int.h"
#include "mem.h"
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(table) ((int64_t)(sizeof(table) / sizeof *(table)))

enum { MOST_DEVICES = 7, NAMES = 512 };

static const struct way host_ways[] = {
    {"seq", NULL, 0},
    {"cpu", "steps", 0},
    {"cpu", "tiles", 0},
    {"cpu", "auto", 0},
    {"pthreads", "barrier", 0},
    {"pthreads", "tiles", 0},
    {"pthreads", "auto", 0},
};
static const struct way opencl_ways[] = {
    {"cl-linear", "vector", 1},
    {"cl-register", "group", 1},
    {"cl-row-diamond", "vector", 1},
    {"cl-linear", "strided", 1},
    {"cl-honeycomb", "scalar", 1},
    {"cl-register", "stream", 1},
    {"cl-register", "pipeline", 1},
    {"cl-column-diamond", "vector", 1},
    {"cl-linear", "chunked", 1},
    {"cl-register", "group-local", 1},
    {"cl-row-diamond", "scalar", 1},
    {"cl-honeycomb", "vector", 1},
};

/* ---- a case ---- */

/* A run on several devices beside the same one by seq. */
struct pair {
    eulercl_problem *problem;
    eulercl_problem_info info;
    eulercl_options options; /* options of both, except how they run */
    const char *device;      /* the name that is repeated */
    struct way way;
    int64_t rows, radius, stages, n, unit; /* unit: shares are multiples of it, but the last one */
    size_t size;
    eulercl_solver *solvers[2]; /* the first one by seq */
    void *y[2];
    int is_resumed;  /* the solver on several devices */
    int streams;     /* instead, it is on one device, which has too little memory */
    int64_t windows; /* number of windows that it streams in */
    char devices[NAMES], what[400];
};

/* Draw a problem whose bits are the same everywhere. */
static const struct ode_problem *random_problem(void) {
    for (;;) {
        const struct test_problem *p = &test_problems[random_below(TEST_PROBLEMS)];
        if (p->bits_guaranteed) return p->definition;
    }
}

/* Few columns and many rows. */
static void random_sizes(eulercl_problem *problem) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(problem, &info, &error));
    for (size_t i = 0; i < info.parameters; i++) {
        eulercl_parameter p = {.struct_size = sizeof p};
        OK(eulercl_problem_get_parameter(problem, i, &p, &error));
        const int64_t most = most_points((unsigned)info.rank, 150, i ? 60 : 14);
        const double value =
            p.integer ? (double)(1 + random_below(most)) : p.value * random_real(0.5, 1.5);
        /* Refused: too small for a mirror. */
        eulercl_problem_set(problem, p.name, fmin(fmax(value, p.min), p.max), &error);
    }
}

/* Draw a method for steps of one size, or for steps to a tolerance, where it may be chosen and
 * changed. */
static void random_method(
    const struct ode_problem *definition, int is_adaptive, eulercl_options *options) {
    eulercl_method_info m = {.struct_size = sizeof m};
    size_t count = 0;
    while (!eulercl_get_method(count, 0, &m, NULL)) count++;
    do OK(eulercl_get_method((size_t)random_below((int64_t)count), 0, &m, &error));
    while ((m.is_partitioned && !definition->is_position) || (is_adaptive && !m.estimate_order));
    options->stages = 0;
    if (is_adaptive) {
        options->rtol = pow(10, random_real(-5, -2));
        options->max_steps = 2000;
        options->method = random_below(3) ? m.name : NULL;
        return;
    }
    options->method = random_below(3) ? m.name : "euler";
    if (strcmp(options->method, "euler") && m.most_stages > m.least_stages)
        options->stages =
            m.least_stages + (int)random_below(int_min(4, m.most_stages - m.least_stages));
}

static void open_pair(struct pair *c, const struct ode_problem *definition,
    enum eulercl_precision precision, const struct way *way, const char *device) {
    *c = (struct pair){.info.struct_size = sizeof c->info,
        .way = *way,
        .device = device,
        .size = (size_t)precision};
    OK(eulercl_problem_create(definition, &c->problem, &error));
    random_sizes(c->problem);
    eulercl_options_init(&c->options);
    c->options.precision = precision;
    c->options.t0 = random_real(-1, 1);
    c->options.h = pow(10, random_real(-5, -2));
    c->options.flush_below = random_below(2)   ? EULERCL_AS_PROBLEM
                             : random_below(2) ? random_real(0, 0.5)
                                               : 0;
    c->options.check_finite = random_below(2) != 0;
    c->options.allow_inexact = 1; /* one kernel less to compile; other tests have the self-test */
    /* Each method that is changed to is a program more to compile. */
    random_method(definition,
        !random_below(4) && (!strcmp(device, "cpu") || test_level() > QUICK_TESTS), &c->options);
    OK(eulercl_problem_get_info(c->problem, &c->info, &error));
    c->n = c->info.n;
    c->rows = c->info.rank ? c->info.extents[c->info.rank - 1] : c->n;
    c->radius = c->info.rank ? definition->grid.radius : c->info.access_distance;
    c->unit = c->info.rank ? 1 : 4;
    for (int k = 0; k < 2; k++) c->y[k] = zeroed(c->n, c->size);
}

static void close_pair(struct pair *c) {
    for (int k = 0; k < 2; k++) {
        eulercl_solver_destroy(c->solvers[k]);
        free(c->y[k]);
    }
    eulercl_problem_destroy(c->problem);
}

/* "NAME,NAME,NAME" */
static void repeat(char *list, const char *name, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        if (i) *list++ = ',';
        strcpy(list, name);
        list += strlen(name);
    }
}

static void make_reference(struct pair *c) {
    eulercl_options options = c->options;
    eulercl_stats stats = {.struct_size = sizeof stats};
    options.backend = "seq";
    OK(create_somehow(c->problem, &options, &c->solvers[0], &error));
    OK(eulercl_get_stats(c->solvers[0], &stats, &error));
    c->stages = stats.stages;
}

/* Options that the bits do not depend on. */
static void random_tuning(eulercl_options *options, const struct way *way) {
    if (way->is_opencl) {
        GIVE(options, workgroup_size, 8);
        return;
    }
    test_isa_level = (int)random_below(ISA_LEVELS);
    GIVE(options, threads, random_below(4));
    if (!random_below(3)) GIVE(options, tile_points, 1 + random_below(40));
    if (!random_below(3)) GIVE(options, steps_per_launch, 1 + random_below(5));
}

static const char state_file[] = "test_windows.state";

/* The solver on one device, with less and less too little memory. -> whether it can run there */
static int make_stream(struct pair *c) {
    const int64_t reach = int_max(c->stages * c->radius, 1);
    const int in_file = !random_below(4);
    eulercl_options options = c->options;
    eulercl_stats stats = {.struct_size = sizeof stats};
    int status;
    options.backend = c->way.backend;
    options.device = c->device;
    options.state_file = in_file ? state_file : NULL;
    GIVE_NAME(&options, variant, c->way.variant);
    random_tuning(&options, &c->way);
    if (!random_below(3)) GIVE(&options, halo_steps, 1 + random_below(c->rows / reach / 4 + 1));
    double limit = (double)c->n * (double)c->size * random_real(0.1, 2);
    for (;; limit = 1.2 * limit + 1) {
        options.device_memory = (int64_t)limit + 1;
        status = create_somehow(c->problem, &options, &c->solvers[1], &error);
        if (!status ||
            (!strstr(error.message, "are too small") && !strstr(error.message, "small enough") &&
                !strstr(error.message, "is too large")))
            break;
    }
    if (c->way.is_opencl && status == EULERCL_UNSUPPORTED) return 0; /* as in make_windows */
    snprintf(c->what, sizeof c->what,
        "%s, %lld x %lld points, %zu bytes per real, %s with %d stages, %s %s, device_memory %lld, "
        "halo_steps %lld, %s, instruction set %d, rtol %g",
        c->info.name, (long long)c->info.extents[0], (long long)c->info.extents[1], c->size,
        c->options.method ? c->options.method : "to a tolerance", (int)c->stages, c->way.backend,
        c->way.variant ? c->way.variant : "", (long long)options.device_memory,
        (long long)GIVEN(&options, halo_steps), in_file ? "in a file" : "in memory", test_isa_level,
        c->options.rtol);
    ck_assert_msg(!status, "%s: %s", c->what, error.message);
    ck_assert_msg(access(state_file, F_OK), "%s: the file remains", c->what);
    OK(eulercl_get_stats(c->solvers[1], &stats, &error));
    const eulercl_fact *const windows = eulercl_find_fact(&stats, "windows");
    c->windows = windows ? (int64_t)windows->number : 0;
    return 1;
}

/* The fewest rows that a device takes. */
static int64_t least_rows(const struct pair *c) {
    return int_ceil(int_max(c->stages * c->radius, c->radius + 1), c->unit) * c->unit;
}

/* Make the solver on several devices. If the rows are too few for a random number of them it is
 * refused, and then as many devices are taken as the rows are enough for. -> whether it can run
 * there */
static int make_windows(struct pair *c) {
    if (c->streams) return make_stream(c);
    const int64_t reach = c->stages * c->radius, least = least_rows(c);
    int64_t count = 1 + random_below(c->way.is_opencl ? 3 : MOST_DEVICES), halo = 0;
    eulercl_options options = c->options;
    options.backend = c->way.backend;
    options.devices = c->devices;
    GIVE_NAME(&options, variant, c->way.variant);
    random_tuning(&options, &c->way);
    repeat(c->devices, c->device, count);
    if (count > 1 && c->rows / count < least) {
        EXPECT_WORDS(EULERCL_UNSUPPORTED, "are too few for",
            create_somehow(c->problem, &options, &c->solvers[1], &error));
        count = int_max(c->rows / least, 1);
        memset(c->devices, 0, sizeof c->devices);
        repeat(c->devices, c->device, count);
    }
    const int64_t share = c->rows / count; /* rows of the smallest part */
    if (reach && random_below(2)) halo = 1 + random_below(share / reach + 1);
    GIVE(&options, halo_steps, halo);
    snprintf(c->what, sizeof c->what,
        "%s, %lld x %lld points, %zu bytes per real, %s with %d stages, %s %s, %lld devices, "
        "halo_steps %lld, threads %lld, tile_points %lld, steps_per_launch %lld, instruction set "
        "%d, flush_below %g, rtol %g",
        c->info.name, (long long)c->info.extents[0], (long long)c->info.extents[1], c->size,
        c->options.method ? c->options.method : "to a tolerance", (int)c->stages, c->way.backend,
        c->way.variant ? c->way.variant : "", (long long)count, (long long)halo,
        (long long)GIVEN(&options, threads), (long long)GIVEN(&options, tile_points),
        (long long)GIVEN(&options, steps_per_launch), test_isa_level, c->options.flush_below,
        c->options.rtol);
    int status = create_somehow(c->problem, &options, &c->solvers[1], &error);
    const int is_refused = status == EULERCL_INVALID;
    if (count > 1 && halo * reach > share - c->unit + 1 && (halo * reach > share || is_refused)) {
        ck_assert_msg(is_refused && strstr(error.message, "too large"), "%s: is not refused: %s",
            c->what, error.message);
        GIVE(&options, halo_steps, 0);
        status = create_somehow(c->problem, &options, &c->solvers[1], &error);
    }
    if (c->way.is_opencl && status == EULERCL_UNSUPPORTED)
        return 0; /* it cannot run in this dimension, or a tile of it is too large */
    ck_assert_msg(!status, "%s: %s", c->what, error.message);
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(c->solvers[1], &stats, &error));
    ck_assert_uint_eq(FACT(stats, devices), (uint64_t)count);
    return 1;
}

/* ---- what programs do with both ---- */

static void same_state(struct pair *c, const char *after) {
    eulercl_stats stats[2] = {{.struct_size = sizeof *stats}, {.struct_size = sizeof *stats}};
    for (int k = 0; k < 2; k++) {
        OK(eulercl_get_state(c->solvers[k], c->y[k], &error));
        OK(eulercl_get_stats(c->solvers[k], &stats[k], &error));
    }
    SAME(c->y[1], c->y[0], c->n, c->size, "after %s: %s", after, c->what);
    ck_assert_msg(stats[0].steps == stats[1].steps && stats[0].t == stats[1].t,
        "after %s: another time: %s", after, c->what);
}

static void write_both(struct pair *c, int64_t first, int64_t count) {
    random_state(c->y[0], count, c->size);
    for (int k = 0; k < 2; k++)
        OK(eulercl_set_components(c->solvers[k], first, count, c->y[0], &error));
}

enum { TO_TIME = -1, DENSE = -2 }; /* instead of a number of steps */

/* -> whether they can go on; if not both say why in the same words. */
static int advance_both(struct pair *c, int64_t steps, double t_end) {
    eulercl_error why[2] = {{.code = 0}, {.code = 0}};
    int status[2];
    for (int k = 0; k < 2; k++)
        status[k] = steps >= 0         ? eulercl_advance(c->solvers[k], steps, &why[k])
                    : steps == TO_TIME ? eulercl_advance_to(c->solvers[k], t_end, NULL, &why[k])
                                       : eulercl_advance_dense(c->solvers[k], t_end,
                                             t_end + 9 * c->options.h, &why[k]);
    /* With a tolerance the method may take more stages than the shares have rows for. */
    if (c->options.rtol > 0 && status[1] == EULERCL_UNSUPPORTED && !status[0]) {
        ck_assert_msg(
            strstr(why[1].message, " further, but") != NULL, "%s: %s", c->what, why[1].message);
        return 0;
    }
    /* No copy of the state is kept from which the first such step is searched. */
    if (c->streams && status[0] == EULERCL_NONFINITE && status[1] == status[0]) return 0;
    /* A run that was resumed makes a copy anew; the other one keeps none if it has made one a few
     * steps before, and then says between which steps the state became infinite. */
    if (c->is_resumed && status[0] == EULERCL_NONFINITE && status[1] == status[0] &&
        !strstr(why[0].message, "it was finite after") !=
            !strstr(why[1].message, "it was finite after"))
        return 0;
    /* The advice is about the last copy of the state, which a run that was resumed makes anew. */
    for (int k = 0; k < 2 && c->is_resumed; k++)
        why[k].message[strcspn(why[k].message, ";")] = '\0';
    ck_assert_msg(status[0] == status[1] && (!status[0] || !strcmp(why[0].message, why[1].message)),
        "'%s', but by seq '%s': %s", status[1] ? why[1].message : "well",
        status[0] ? why[0].message : "well", c->what);
    return !status[0];
}

static int64_t random_steps(void) {
    return random_below(6) ? random_below(12) : 20 + random_below(40);
}

static void read_both(struct pair *c) {
    const int64_t first = random_below(c->n), count = random_below(c->n - first + 1);
    for (int k = 0; k < 2; k++)
        OK(eulercl_get_components(c->solvers[k], first, count, c->y[k], &error));
    SAME(c->y[1], c->y[0], count, c->size, "from component %lld on: %s", (long long)first, c->what);
}

/* Taken before steps, read after them, and once more from its beginning. */
static int use_snapshot(struct pair *c) {
    eulercl_snapshot *snapshot = NULL;
    int goes_on = 1;
    char *const before = zeroed(c->n, c->size);
    OK(eulercl_snapshot_create(c->solvers[1], &snapshot, &error));
    for (int turn = 0; turn < 2 && goes_on; turn++) {
        const void *part;
        int64_t count, done = 0;
        OK(eulercl_get_state(c->solvers[0], before, &error));
        OK(eulercl_snapshot_take(snapshot, &error));
        goes_on = advance_both(c, random_steps(), 0);
        for (OK(eulercl_snapshot_next(snapshot, &part, &count, &error)); count;
             OK(eulercl_snapshot_next(snapshot, &part, &count, &error))) {
            SAME(part, before + (size_t)done * c->size, count, c->size, "snapshot: %s", c->what);
            done += count;
        }
        ck_assert_int_eq(done, c->n);
    }
    free(before);
    eulercl_snapshot_destroy(snapshot);
    return goes_on;
}

static void monitor_both(struct pair *c) {
    eulercl_statistic wanted[3];
    double values[2][3];
    for (int i = 0; i < 3; i++)
        wanted[i] =
            (eulercl_statistic){(int32_t)random_below(7), random_below(c->info.components + 1) - 1};
    for (int k = 0; k < 2; k++) OK(eulercl_monitor(c->solvers[k], wanted, 3, values[k], &error));
    ck_assert_msg(!memcmp(values[0], values[1], sizeof *values), "other figures: %s", c->what);
}

static void observe_both(struct pair *c) {
    enum { MOST_VALUES = 100 };
    static const char *const forms[] = {
        "histogram:%d:9:-0.5:0.5", "euler:%d:0.1", "length:%d", "front:%d:0.1", "correlation:%d:2"};
    const int form = c->info.rank ? (int)random_below(COUNT(forms)) : 0;
    char text[64];
    double values[2][MOST_VALUES] = {{0}};
    eulercl_observation *observation;
    snprintf(text, sizeof text, forms[form], (int)random_below(c->info.components));
    if (eulercl_observation_create(c->problem, text, &observation, &error)) return; /* 2 points */
    for (int k = 0; k < 2; k++) OK(eulercl_observe(c->solvers[k], observation, values[k], &error));
    if (form == 3) values[1][2] = values[0][2]; /* the speed between both */
    ck_assert_msg(
        !memcmp(values[0], values[1], sizeof *values), "%s gives other values: %s", text, c->what);
    eulercl_observation_destroy(observation);
}

/* Points that satisfy a condition, and a value for each block of points. */
static void select_both(struct pair *c) {
    const int component = (int)random_below(c->info.components);
    const int64_t edge = 1 + random_below(9);
    const int32_t mode = (int32_t)random_below(4);
    const int64_t smoothing = random_below(2) ? 0 : random_below(6);
    char text[64];
    int64_t counts[2], *points[2], blocks = 1;
    double *values[2], *thinned[2];
    snprintf(
        text, sizeof text, "%d %s %g", component, random_below(2) ? ">" : "<", random_real(-1, 1));
    const eulercl_region region = random_region(c->info.extents);
    for (int axis = 0; axis < 3; axis++) blocks *= (region.counts[axis] - 1) / edge + 1;
    for (int k = 0; k < 2; k++) {
        thinned[k] = zeroed(blocks, sizeof *thinned[k]);
        OK(eulercl_extract(c->solvers[k], text, &counts[k], &points[k], &values[k], &error));
        OK(eulercl_thin(
            c->solvers[k], &region, component, edge, mode, smoothing, thinned[k], blocks, &error));
    }
    ck_assert_msg(counts[0] == counts[1], "other points with %s: %s", text, c->what);
    SAME(points[0], points[1], counts[0], sizeof *points[0], "points with %s: %s", text, c->what);
    SAME(values[0], values[1], counts[0], sizeof *values[0], "values with %s: %s", text, c->what);
    SAME(thinned[0], thinned[1], blocks, sizeof *thinned[0], "blocks: %s", c->what);
    for (int k = 0; k < 2; k++) {
        eulercl_free(points[k]);
        eulercl_free(values[k]);
        free(thinned[k]);
    }
}

/* Resume from the clock and the state of the run on several devices, on another number of them. */
static int resume(struct pair *c) {
    eulercl_clock clock = {.struct_size = sizeof clock};
    OK(eulercl_get_clock(c->solvers[1], &clock, &error));
    /* there is no clock before steps, or within one */
    if (c->options.rtol > 0 && !*clock.control) return 1;
    OK(eulercl_get_state(c->solvers[1], c->y[1], &error));
    eulercl_solver_destroy(c->solvers[1]);
    c->solvers[1] = NULL;
    memset(c->devices, 0, sizeof c->devices);
    if (!make_windows(c)) return 0;
    const int status = eulercl_solver_resume(c->solvers[1], &clock, &error);
    if (c->options.rtol > 0 && status == EULERCL_UNSUPPORTED) return 0; /* as in advance_both */
    OK(status);
    c->is_resumed = 1;
    OK(eulercl_set_state(c->solvers[1], c->y[1], &error));
    return advance_both(
        c, 1 + random_below(5), 0); /* a state that is set now is that of the clock */
}

/* -> whether the run can go on */
static int do_something(struct pair *c) {
    const int64_t first = random_below(c->n);
    eulercl_stats stats = {.struct_size = sizeof stats};
    switch (random_below(9)) {
    case 0:
        write_both(c, first, random_below(c->n - first + 1));
        return 1;
    case 1:
        read_both(c);
        return 1;
    case 2:
        write_both(c, 0, c->n);
        return 1;
    case 3:
        return use_snapshot(c);
    case 4:
        OK(eulercl_get_stats(c->solvers[0], &stats, &error));
        return advance_both(c, c->options.rtol > 0 && random_below(2) ? DENSE : TO_TIME,
            stats.t + c->options.h * random_real(0, 9));
    case 5:
        monitor_both(c);
        observe_both(c);
        select_both(c);
        return 1;
    case 6:
        return resume(c);
    default:
        return advance_both(c, random_steps(), 0);
    }
}

/* Ways to compare with a run in one place: devices that share the grid, or a state that streams. */
enum { SHARES, STREAMS };

/* -> whether it ran, on more than one window if it streams */
static int run_case(
    const struct ode_problem *definition, const struct way *way, const char *device, int streams) {
    const long before = ecl_mem_live();
    struct pair c;
    open_pair(&c, definition, random_below(2) ? EULERCL_DOUBLE : EULERCL_FLOAT, way, device);
    c.streams = streams;
    make_reference(&c);
    const int runs = make_windows(&c);
    if (runs) {
        if (definition->initial && random_below(2))
            for (int k = 0; k < 2; k++) OK(eulercl_set_initial_state(c.solvers[k], &error));
        else
            write_both(&c, 0, c.n);
        int goes_on = advance_both(&c, random_steps(), 0);
        for (int64_t i = 1 + random_below(6); goes_on && i > 0; i--) goes_on = do_something(&c);
        if (goes_on && advance_both(&c, random_steps(), 0)) same_state(&c, "all");
    }
    close_pair(&c);
    ck_assert_msg(
        ecl_mem_live() == before, "%ld allocations are left: %s", ecl_mem_live() - before, c.what);
    return runs && (!streams || c.windows > 1);
}

START_TEST(host_backends) {
    random_start(1);
    for (int64_t i = cases(200, 6000); i > 0; i--)
        run_case(random_problem(), &host_ways[random_below(COUNT(host_ways))], "cpu", SHARES);
}
END_TEST

/* A state that is larger than what a device has for it. */
START_TEST(streams) {
    const int64_t wanted = cases(150, 4000);
    int64_t ran = 0;
    random_start(5);
    for (int64_t i = 0; i < wanted; i++)
        ran +=
            run_case(random_problem(), &host_ways[random_below(COUNT(host_ways))], "cpu", STREAMS);
    ck_assert_int_gt(4 * ran, wanted);
}
END_TEST

/* Compilers of OpenCL take most of the time. Every second problem reads places, which are in the
 * program's text. */
static const struct ode_problem *place_or_any(int64_t turn) {
    static const struct ode_problem *const with_places[] = {
        &test_problem_torus, &test_problem_position, &test_problem_ring};
    return turn % 2 ? random_problem() : with_places[random_below(COUNT(with_places))];
}

START_TEST(opencl_backends) {
    eulercl_device_info device = {.struct_size = sizeof device};
    if (!have_opencl()) return;
    OK(eulercl_get_device(0, &device, &error));
    random_start(2);
    const int64_t wanted = cases(3, 40);
    for (int64_t ran = 0, turn = 0; ran < wanted; turn++)
        ran +=
            run_case(place_or_any(turn), &opencl_ways[ran % COUNT(opencl_ways)], device.id, SHARES);
}
END_TEST

START_TEST(opencl_streams) {
    eulercl_device_info device = {.struct_size = sizeof device};
    if (!have_opencl()) return;
    OK(eulercl_get_device(0, &device, &error));
    random_start(6);
    const int64_t wanted = cases(4, 40);
    for (int64_t ran = 0, turn = 0; ran < wanted; turn++)
        ran += run_case(
            place_or_any(turn), &opencl_ways[ran % COUNT(opencl_ways)], device.id, STREAMS);
}
END_TEST

/* ---- values that are not finite ---- */

/* All that are not finite become 1, each by a call of its own. */
static void repair(struct pair *c) {
    const double one = 1;
    const float one_in_float = 1;
    OK(eulercl_get_state(c->solvers[0], c->y[0], &error));
    for (int64_t i = 0; i < c->n; i++)
        for (int k = 0; k < 2 && !isfinite(value_at(c->y[0], i, c->size)); k++)
            OK(eulercl_set_components(c->solvers[k], i, 1,
                c->size == sizeof one ? (const void *)&one : &one_in_float, &error));
}

/* A component overflows, after steps or at once: the same is said as on one device, and a program
 * can go on from there. */
START_TEST(same_component_is_named) {
    static const double large[] = {1e36, 1e37, INFINITY, NAN, 1e300};
    const int64_t wanted = cases(200, 900);
    int64_t refused = 0;
    random_start(3);
    for (int64_t i = 0; i < wanted; i++) {
        const enum eulercl_precision precision = random_below(2) ? EULERCL_DOUBLE : EULERCL_FLOAT;
        struct pair c;
        open_pair(
            &c, random_problem(), precision, &host_ways[random_below(COUNT(host_ways))], "cpu");
        c.options.check_finite = 1;
        c.options.h = 0.5;
        /* a method given by name does not choose the steps */
        if (c.options.rtol > 0) c.options.method = "rk4";
        c.options.rtol = 0;
        make_reference(&c);
        make_windows(&c);
        write_both(&c, 0, c.n);
        /* Without steps before, the run keeps a copy from which the search begins. */
        if (random_below(2) || advance_both(&c, random_below(4), 0)) {
            const double value = large[random_below(COUNT(large))];
            const float in_float = (float)value;
            const int64_t at = random_below(c.n);
            for (int k = 0; k < 2; k++)
                OK(eulercl_set_components(c.solvers[k], at, 1,
                    precision == EULERCL_FLOAT ? (const void *)&in_float : &value, &error));
            int goes_on = 1;
            for (int64_t left = 60; goes_on && left > 0; left -= 10)
                goes_on = advance_both(&c, 1 + random_below(10), 0);
            refused += !goes_on;
            repair(&c);
            same_state(&c, "repairs");
            if (advance_both(&c, 1, 0)) same_state(&c, "repairs and a step");
        }
        close_pair(&c);
    }
    ck_assert_int_gt(4 * refused, wanted); /* the others flush it, or are too few steps */
}
END_TEST

/* A state that streams: what a program writes is found before a step, in the words of seq; what
 * becomes infinite in steps is found after them. */
START_TEST(streams_are_searched) {
    static const double bad[] = {INFINITY, NAN, 1e300};
    const int64_t wanted = cases(100, 900);
    int64_t refused = 0;
    random_start(7);
    for (int64_t i = 0; i < wanted; i++) {
        struct pair c;
        open_pair(&c, random_problem(), EULERCL_DOUBLE, &host_ways[random_below(COUNT(host_ways))],
            "cpu");
        c.streams = 1;
        c.options.check_finite = 1;
        c.options.h = 1e-5;
        if (c.options.rtol > 0) c.options.method = "rk4";
        c.options.rtol = 0;
        make_reference(&c);
        make_windows(&c);
        write_both(&c, 0, c.n);
        if (advance_both(&c, random_below(4), 0)) {
            const double value = bad[random_below(COUNT(bad))];
            const int64_t at = random_below(c.n);
            eulercl_error why[2];
            int status[2];
            for (int k = 0; k < 2; k++)
                OK(eulercl_set_components(c.solvers[k], at, 1, &value, &error));
            for (int k = 0; k < 2; k++) status[k] = eulercl_advance(c.solvers[k], 7, &why[k]);
            ck_assert_msg(status[0] == status[1], "%s: %s", c.what, why[1].message);
            refused += status[0] == EULERCL_NONFINITE;
            if (status[0] && !isfinite(value)) ck_assert_str_eq(why[0].message, why[1].message);
            repair(&c);
        }
        close_pair(&c);
    }
    ck_assert_int_gt(2 * refused, wanted);
}
END_TEST

/* ---- what is refused ---- */

static void refused(
    int status, const char *words, const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    EXPECT_WORDS(status, words, eulercl_solver_create(problem, options, &solver, &error));
    ck_assert_ptr_null(solver);
    ck_assert_msg(!strchr(error.message, '\n'), "more than a line: %s", error.message);
}

static eulercl_options on(const char *devices) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.devices = devices;
    return options;
}

/* Devices of different kinds have shares by their speeds, each with a backend of its own: the layer
 * of fault_layer.c makes a GPU of the first OpenCL device. */
START_TEST(mixed_devices) {
    const struct way automatic = {NULL, NULL, 0};
    const char *path = getenv("EULERCL_TEST_LAYER");
    void (*layer_gpu)(uint64_t bytes);
    eulercl_device_info device = {.struct_size = sizeof device};
    void *layer = path && *path && have_opencl() ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!layer) {
        fprintf(stderr, "skipped: there is no fault layer\n");
        return;
    }
    *(void **)&layer_gpu = dlsym(layer, "fault_layer_gpu");
    ck_assert(layer_gpu != NULL);
    OK(eulercl_get_device(0, &device, &error));
    layer_gpu(1 << 30);
    random_start(4);
    int has_both = 0;
    for (int64_t ran = 0, wanted = cases(2, 60); ran < wanted; ran++) {
        eulercl_stats stats = {.struct_size = sizeof stats};
        struct pair c;
        char both[NAMES];
        snprintf(both, sizeof both, ran % 2 ? "cpu,%s" : "%s,cpu", device.id);
        open_pair(&c, random_problem(), random_below(2) ? EULERCL_DOUBLE : EULERCL_FLOAT,
            &automatic, both);
        make_reference(&c);
        if (c.rows >= 2 * least_rows(&c)) {
            eulercl_options options = c.options;
            options.devices = both;
            options.wisdom = "";
            OK(create_somehow(c.problem, &options, &c.solvers[1], &error));
            OK(eulercl_get_stats(c.solvers[1], &stats, &error));
            snprintf(c.what, sizeof c.what, "%s, %s: %s", c.info.name, c.options.method,
                stats.plan_reason);
            has_both += strstr(stats.plan_reason, "cl-") && strstr(stats.plan_reason, "cpu: ");
            write_both(&c, 0, c.n);
            if (advance_both(&c, random_steps(), 0)) same_state(&c, "steps");
        }
        close_pair(&c);
    }
    layer_gpu(0);
    ck_assert_int_gt(has_both, 0);
}
END_TEST

START_TEST(refusals) {
    static const struct {
        const char *devices;
        int status;
        const char *words;
    } lists[] = {
        {"", EULERCL_INVALID, "an empty name"},
        {"cpu,", EULERCL_INVALID, "an empty name"},
        {",cpu", EULERCL_INVALID, "an empty name"},
#ifdef HAVE_OPENCL
        {"cpu,no such device", EULERCL_NO_DEVICE, "no such device"},
#else
        {"cpu,no such device", EULERCL_NO_DEVICE, "without OpenCL"},
#endif
    };
    const long before = ecl_mem_live();
    char many[257 * 4], name[257];
    eulercl_problem *problem, *old;
    struct ode_problem without_windows = test_problem_string;
    without_windows.windows = 0;
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_create(&without_windows, &old, &error));
    OK(eulercl_problem_set_size(problem, 20, &error)); /* ten points */
    eulercl_options options;
    for (int i = 0; i < COUNT(lists); i++) {
        options = on(lists[i].devices);
        refused(lists[i].status, lists[i].words, problem, &options);
        EXPECT_WORDS(lists[i].status, lists[i].words, eulercl_options_verify(&options, &error));
    }
    repeat(many, "cpu", 257);
    options = on(many);
    refused(EULERCL_INVALID, "more than 256 devices", problem, &options);
    memset(name, 'x', sizeof name - 1);
    name[256] = '\0';
    options = on(name);
    refused(EULERCL_INVALID, "too long", problem, &options);
    options = on("cpu,cpu");
    OK(eulercl_options_verify(&options, &error));
    refused(EULERCL_UNSUPPORTED, "does not know the windows", old, &options);
    options.device = "cpu";
    refused(EULERCL_INVALID, "devices and device exclude", problem, &options);
    options = on("cpu,cpu");
    EXPECT_WORDS(
        EULERCL_INVALID, "one device", eulercl_tune(problem, &options, NULL, NULL, &error));
    options = on("cpu,cpu");
    GIVE(&options, halo_steps, 6);
    refused(EULERCL_INVALID, "halo_steps = 6 is too large: the smallest share has 5 points",
        problem, &options);
    options = on("cpu,cpu,cpu,cpu,cpu,cpu");
    refused(EULERCL_UNSUPPORTED, "10 points are too few for 6 devices", problem, &options);
    /* Nothing is cut: as on one device without a list. */
    options = on("cpu");
    eulercl_solver *solver = NULL;
    OK(eulercl_problem_set_size(problem, 2, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    void *buffer;
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, "several devices", eulercl_borrow_buffer(solver, &buffer, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    eulercl_problem_destroy(old);
    ck_assert_int_eq(ecl_mem_live(), before);
}
END_TEST

/* Options that ask for a state that streams, and are refused. */
START_TEST(refusals_of_streams) {
    const long before = ecl_mem_live();
    eulercl_problem *problem, *old;
    struct ode_problem without_windows = test_problem_string;
    without_windows.windows = 0;
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_create(&without_windows, &old, &error));
    OK(eulercl_problem_set_size(problem, 200, &error)); /* 100 points of 16 bytes */
    OK(eulercl_problem_set_size(old, 200, &error));
    eulercl_options options;
    eulercl_options_init(&options);
    options.backend = "seq";
    options.device_memory = -1;
    refused(EULERCL_INVALID, "device_memory is negative", problem, &options);
    options.device_memory = 1;
    refused(EULERCL_UNSUPPORTED, "windows of 0 points are too small", problem, &options);
    options.device_memory = 9 * 4 * 16;
    refused(EULERCL_UNSUPPORTED,
        "windows of 9 points are too small for a step of method euler: they need at least 10",
        problem, &options);
    options.device_memory = 20 * 4 * 16;
    refused(EULERCL_UNSUPPORTED, "does not know the windows", old, &options);
    GIVE(&options, halo_steps, 4);
    refused(EULERCL_INVALID, "halo_steps = 4 is too large: a window has 20 rows, enough for 3",
        problem, &options);
    GIVE(&options, halo_steps, 0);
    options.device_memory = INT64_MAX; /* all fits */
    eulercl_solver *solver = NULL;
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_get_stats(solver, &stats, &error));
    ck_assert_ptr_null(eulercl_find_fact(&stats, "windows"));
    eulercl_solver_destroy(solver);
    options.state_file = "no/such/folder/state";
    refused(EULERCL_FILE, "no/such/folder/state", problem, &options);
    options.state_file = state_file; /* the state fits into one window */
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_get_stats(solver, &stats, &error));
    ck_assert_uint_eq(FACT(stats, windows), 1);
    eulercl_solver_destroy(solver);
    if (have_opencl()) {
        void *buffer;
        options.state_file = NULL;
        options.backend = "cl-linear";
        options.device_memory = 20 * 4 * 16;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        EXPECT_WORDS(
            EULERCL_UNSUPPORTED, "streams", eulercl_borrow_buffer(solver, &buffer, &error));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
    eulercl_problem_destroy(old);
    ck_assert_int_eq(ecl_mem_live(), before);
}
END_TEST

/* A GPU that has too little memory is used by auto: the layer of fault_layer.c makes one. */
START_TEST(small_gpu) {
    const char *path = getenv("EULERCL_TEST_LAYER");
    void (*layer_gpu)(uint64_t bytes);
    void *layer = path && *path && have_opencl() ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!layer) {
        fprintf(stderr, "skipped: there is no fault layer\n");
        return;
    }
    *(void **)&layer_gpu = dlsym(layer, "fault_layer_gpu");
    ck_assert(layer_gpu != NULL);
    for (int named = 0; named < 2; named++) {
        const struct way automatic = {NULL, NULL, 0};
        eulercl_stats stats = {.struct_size = sizeof stats};
        struct pair c;
        random_start(8);
        open_pair(&c, &test_problem_string, EULERCL_DOUBLE, &automatic, "cpu");
        c.options.method = NULL;
        c.options.rtol = 0;
        c.options.stages = 0;
        OK(eulercl_problem_set_size(c.problem, 2000, &error));
        OK(eulercl_problem_get_info(c.problem, &c.info, &error));
        c.n = c.info.n;
        for (int k = 0; k < 2; k++) {
            free(c.y[k]);
            c.y[k] = zeroed(c.n, c.size);
        }
        make_reference(&c);
        /* Other arrays are larger: those of the search for inf and NaN. */
        layer_gpu((uint64_t)c.n * sizeof(double) * 19 / 10);
        eulercl_options options = c.options;
        options.wisdom = "";
        options.backend = named ? "cl-linear" : NULL;
        options.device = named ? NULL : "gpu";
        OK(create_somehow(c.problem, &options, &c.solvers[1], &error));
        OK(eulercl_get_stats(c.solvers[1], &stats, &error));
        ck_assert(!strncmp(stats.backend, "cl-", 3));
        ck_assert_uint_ge(FACT(stats, windows), 2);
        ck_assert(strstr(stats.note, "streams through") != NULL);
        write_both(&c, 0, c.n);
        if (advance_both(&c, 5, 0)) same_state(&c, "steps");
        layer_gpu(0);
        close_pair(&c);
    }
}
END_TEST

/* "all" is all GPUs. */
START_TEST(all_devices) {
    eulercl_device_info info = {.struct_size = sizeof info};
    uint64_t gpus = 0;
    for (size_t i = 0; !eulercl_get_device(i, &info, NULL); i++) gpus += info.is_gpu != 0;
    eulercl_problem *problem;
    eulercl_solver *solver = NULL;
    eulercl_options options = on("all");
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, 2000, &error));
    if (gpus) {
        eulercl_stats stats = {.struct_size = sizeof stats};
        OK(create_somehow(problem, &options, &solver, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        ck_assert_uint_eq(FACT(stats, devices), gpus);
        eulercl_solver_destroy(solver);
    } else
        refused(EULERCL_NO_DEVICE, "there is no GPU", problem, &options);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Rows that neighbours wait for are computed before the others, in launches of their own, and
 * travel meanwhile. A share in the middle has them at both of its ends. */
START_TEST(rows_travel_early) {
    static const struct {
        int64_t m, halo, early; /* early: of 3 shares, launches that an exchange adds; 0: a share is
                                   too thin */
    } grids[] = {{120, 4, 4}, {45, 4, 4}, {45, 8, 0}};
    enum { STEPS = 48, LEVELS = 4, PARTS = 3, ROUNDS = 20 };
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_problem *problem;
    eulercl_solver *solvers[2];
    char devices[NAMES];
    if (!have_opencl()) return;
    OK(eulercl_get_device(0, &device, &error));
    snprintf(devices, sizeof devices, "%s,%s,%s", device.id, device.id, device.id);
    OK(eulercl_problem_open("bruss2d", &problem, &error));
    OK(eulercl_problem_set(problem, "m", (double)grids[_i].m, &error));
    const int64_t count = 2 * grids[_i].m * grids[_i].m;
    float *states[2];
    for (int k = 0; k < 2; k++) {
        eulercl_options options;
        eulercl_options_init(&options);
        options.precision = EULERCL_FLOAT;
        options.h = 1e-4;
        options.backend = k ? "cl-register" : "seq";
        if (k) {
            options.devices = devices;
            GIVE_NAME(&options, variant, "pipeline");
            GIVE(&options, points_per_item, 4);
            GIVE(&options, workgroup_rows, 2);
            GIVE(&options, workgroup_size, 8);
            GIVE(&options, steps_per_launch, LEVELS);
            GIVE(&options, halo_steps, grids[_i].halo);
        }
        OK(create_somehow(problem, &options, &solvers[k], &error));
        for (int round = 0; round < ROUNDS; round++) OK(eulercl_advance(solvers[k], STEPS, &error));
        states[k] = zeroed(count, sizeof **states);
        OK(eulercl_get_state(solvers[k], states[k], &error));
    }
    ck_assert_int_eq(memcmp(states[0], states[1], (size_t)count * sizeof **states), 0);
    OK(eulercl_get_stats(solvers[1], &stats, &error));
    const uint64_t usual = ROUNDS * PARTS * STEPS / LEVELS, exchanges = FACT(stats, exchanges);
    ck_assert_uint_ge(exchanges, 2);
    if (grids[_i].early)
        ck_assert_uint_ge(stats.launches, usual + (uint64_t)grids[_i].early * (exchanges / 2));
    else
        ck_assert_uint_eq(stats.launches, usual);
    for (int k = 0; k < 2; k++) {
        eulercl_solver_destroy(solvers[k]);
        free(states[k]);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(host_backends);
    ADD(opencl_backends);
    ADD(streams);
    ADD(opencl_streams);
    ADD(same_component_is_named);
    ADD(streams_are_searched);
    ADD(mixed_devices);
    ADD(refusals);
    ADD(refusals_of_streams);
    ADD(small_gpu);
    ADD(all_devices);
    ADD_LOOP(rows_travel_early, 3);
}

int main(void) { return run_tests("windows", add); }
