/* SPDX-License-Identifier: BSD-2-Clause */
/* test_faults.c - every allocation fails once, and from then on. There is always a status, never a
   leak, and nothing changes for the caller. With the layer of fault_layer.c every OpenCL call
   fails, too. */
#include "config.h"
#include "../support.h"
#include "run/backend.h"
#include "mem.h"
#include "tolerance/tolerance.h"
#include "plan/ceilings.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 50, MOST = 1000 };
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* A life: each step only after the one before went well. y: what the caller gets to see. */
struct life {
    const struct ode_problem *definition;
    struct way way;
    const char *devices;   /* options.devices */
    int64_t device_memory; /* options.device_memory */
    enum eulercl_precision precision;
    eulercl_error error;
    int is_noted; /* the solver did without something, and its note says so */
    unsigned char y[N * sizeof(double)];
};

static int64_t n_of(const struct ode_problem *definition) {
    return definition == &test_problem_heat_fields ? 49 : N;
}

/* Strips with a small tile, which compiles soon. */
static void narrow(eulercl_options *options, const struct way *way) {
    if (!is_for_planes(way)) return;
    if (!strcmp(way->variant, "pipeline")) GIVE(options, workgroup_rows, 1);
    GIVE(options, points_per_item, 1);
    GIVE(options, steps_per_launch, 1);
    GIVE(options, workgroup_size, 4);
}

/* One block of all points, and all points that are not NaN. */
static int select_all(eulercl_solver *solver, eulercl_error *record) {
    double block, *values = NULL;
    int64_t count, *points = NULL;
    int status = eulercl_thin(solver, NULL, 0, INT64_MAX, EULERCL_THIN_MAX, 1, &block, 1, record);
    if (!status) status = eulercl_extract(solver, "0 >= -1e300", &count, &points, &values, record);
    eulercl_free(points);
    eulercl_free(values);
    return status;
}

static int live(struct life *life) {
    eulercl_problem *problem = NULL;
    eulercl_solver *solver = NULL;
    eulercl_snapshot *snapshot = NULL;
    eulercl_options options;
    unsigned char state[N * sizeof(double)];
    char *source = NULL;
    options_for(&options, &life->way, life->precision);
    narrow(&options, &life->way);
    options.devices = life->devices;
    options.device_memory = life->device_memory;
    GIVE(&options, threads, 3);
    options.device_events = life->precision == EULERCL_FLOAT;
    GIVE(&options, pin_threads, options.device_events);
    /* Where the storage is not said by the backend, each variant has one. */
    if (!strcmp(life->way.backend, "cl-honeycomb"))
        GIVE_NAME(&options, storage, strcmp(life->way.variant, "scalar") ? "local" : "column");
    if (!strcmp(life->way.backend, "cl-row-diamond"))
        GIVE_NAME(&options, storage, strcmp(life->way.variant, "scalar") ? "local" : "global");
    int status = eulercl_problem_create(life->definition, &problem, &life->error);
    const int64_t n = n_of(life->definition);
    if (!status) status = eulercl_problem_set_size(problem, n, &life->error);
    if (!status && life->way.is_opencl)
        status = eulercl_kernel_source(problem, &options, &source, &life->error);
    if (!status) status = create_somehow(problem, &options, &solver, &life->error);
    if (!status) status = eulercl_set_initial_state(solver, &life->error);
    if (!status) status = eulercl_advance(solver, 5, &life->error);
    if (!status) status = eulercl_get_components(solver, 1, n - 1, state, &life->error);
    if (!status) status = eulercl_set_components(solver, 1, n - 1, state, &life->error);
    if (!status) status = eulercl_advance_to(solver, 6.5e-4, NULL, &life->error);
    /* One OpenCL way is enough: snapshots and the monitor are the same in all, and each would be a
     * program more to build. */
    const eulercl_statistic figure = {EULERCL_L2, -1};
    const int stands_for_all = !life->way.is_opencl || !strcmp(life->way.variant, "strided");
    double value, values[6];
    eulercl_observation *observation = NULL;
    const void *y;
    int64_t count = stands_for_all;
    if (!status && stands_for_all)
        status = eulercl_monitor(solver, &figure, 1, &value, &life->error);
    if (!status && stands_for_all)
        status =
            eulercl_observation_create(problem, "histogram:0:3:0:1", &observation, &life->error);
    if (!status && stands_for_all)
        status = eulercl_observe(solver, observation, values, &life->error);
    if (!status && stands_for_all) status = select_all(solver, &life->error);
    if (!status && stands_for_all)
        status = eulercl_snapshot_create(solver, &snapshot, &life->error);
    if (!status && stands_for_all) status = eulercl_snapshot_take(snapshot, &life->error);
    while (!status && count) status = eulercl_snapshot_next(snapshot, &y, &count, &life->error);
    if (!status) status = eulercl_get_state(solver, life->y, &life->error);
    eulercl_stats stats = {.struct_size = sizeof stats};
    life->is_noted = !status && !eulercl_get_stats(solver, &stats, NULL) && *stats.note &&
                     !strstr(stats.note, "threads share") && /* three may be too many anyway */
                     !strstr(stats.note, "streams through");
    eulercl_observation_destroy(observation);
    eulercl_snapshot_destroy(snapshot);
    eulercl_free(source);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return status;
}

/* Problems in one and in two dimensions; for cl-register, which has a table of times, one that
 * depends on t. Strips are for two dimensions. */
enum { TIMELESS = 2 };
static int definitions_for(const struct way *way) {
    return TIMELESS + !strcmp(way->backend, "cl-register");
}
static const struct ode_problem *definition_for(const struct way *way, int which) {
    static const struct ode_problem *const definitions[2][TIMELESS + 1] = {
        {&test_problem_string, &test_problem_heat_fields, &test_problem_forced_wave},
        {&test_problem_heat_fields, &test_problem_heat_fields, &test_problem_tide},
    };
    return definitions[is_for_planes(way)][which];
}

/* The faults: each alone, and each from which on all fail. Where lives are slow, but at the level
 * all, every second of those and every sixth of these, and in the sanitized build of check-long
 * others. */
#ifdef __SANITIZE_ADDRESS__
enum { TURN = 1 };
#else
enum { TURN = 0 };
#endif
static int stride(int from_then_on, const struct way *way) {
    return way->is_opencl && test_level() < ALL_TESTS ? from_then_on ? 6 : 2 : 1;
}
static long first_fault(int from_then_on, const struct way *way) {
    return TURN * (stride(from_then_on, way) / 2);
}
static long after(long k, int from_then_on, const struct way *way) {
    return k + stride(from_then_on, way);
}

/* The results of a life without failures. */
static void live_well(struct life *life, const char *what) {
    const int status = live(life);
    ck_assert_msg(!status, "%s %s: %s: %s", life->way.backend, what, eulercl_status_name(status),
        life->error.message);
}

START_TEST(memory_faults) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    for (size_t w = 0; w < way_count; w++)
        for (int d = 0; d < definitions_for(&ways[w]); d++)
            for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
                /* Each life builds its program: of the variants of an OpenCL backend each has one
                   system, by turns, in make check every third variant; and all at the level all. */
                if (ways[w].is_opencl && test_level() == QUICK_TESTS && w % 3) continue;
                if (ways[w].is_opencl && test_level() < ALL_TESTS &&
                    ((int)w + d) % definitions_for(&ways[w]))
                    continue;
                struct life good = {.definition = definition_for(&ways[w], d),
                                .way = ways[w],
                                .precision = EULERCL_DOUBLE},
                            life = good;
                live_well(&good, "without a fault");
                const long before = ecl_mem_live();
                long k = first_fault(from_then_on, &ways[w]);
                for (; k < MOST; k = after(k, from_then_on, &ways[w])) {
                    unsigned char pattern[sizeof life.y];
                    memset(life.y, 0xA5, sizeof life.y);
                    memset(pattern, 0xA5, sizeof pattern);
                    ecl_mem_fail(k, from_then_on);
                    const int status = live(&life);
                    ecl_mem_fail(-1, 0);
                    ck_assert_msg(ecl_mem_live() == before,
                        "%s: allocation %ld fails: %ld are left", ways[w].backend, k,
                        ecl_mem_live() - before);
                    if (!status && !life.is_noted) break;
                    if (!status) {
                        SAME(life.y, good.y, 49, sizeof(double),
                            "%s: allocation %ld failed and was not needed", ways[w].backend, k);
                        continue;
                    }
                    ck_assert_msg(status == EULERCL_MEMORY && life.error.code == status &&
                                      life.error.message[0],
                        "%s: allocation %ld fails: %s: %s", ways[w].backend, k,
                        eulercl_status_name(status), life.error.message);
                    ck_assert_msg(!memcmp(life.y, pattern, sizeof pattern),
                        "%s: allocation %ld fails: the caller's array was written", ways[w].backend,
                        k);
                }
                ck_assert_msg(k >= 5 && k < MOST, "%s: %ld allocations failed", ways[w].backend, k);
                SAME(life.y, good.y, 49, sizeof(double), "%s: after all faults", ways[w].backend);
                live_well(&life, "after all faults");
                SAME(life.y, good.y, 49, sizeof(double), "%s: and again", ways[w].backend);
            }
}
END_TEST

/* Lives on several devices, where most allocations belong to their parts, and of a state that
 * streams in windows of eleven of its 25 points. */
enum { STREAMED = 11 * 4 * 2 * sizeof(double) };
START_TEST(memory_faults_of_windows) {
    const struct life shared = {.definition = _i ? &test_problem_string : &test_problem_heat_fields,
        .way = {"seq", NULL, 0},
        .devices = _i ? NULL : "cpu,cpu",
        .device_memory = _i ? STREAMED : 0,
        .precision = EULERCL_DOUBLE};
    struct life good = shared, life = shared;
    live_well(&good, "without a fault");
    const long before = ecl_mem_live();
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        long k = 0;
        for (;; k++) {
            ecl_mem_fail(k, from_then_on);
            const int status = live(&life);
            ecl_mem_fail(-1, 0);
            ck_assert_msg(ecl_mem_live() == before, "allocation %ld fails: %ld are left", k,
                ecl_mem_live() - before);
            if (!status && !life.is_noted) break;
            ck_assert_msg(!status || (status == EULERCL_MEMORY && life.error.message[0]),
                "allocation %ld fails: %s: %s", k, eulercl_status_name(status), life.error.message);
        }
        ck_assert_msg(k > 20 && k < MOST, "%ld allocations failed", k);
        SAME(life.y, good.y, 49, sizeof(double), "after all faults");
    }
}
END_TEST

/* A state that was there before a call failed is still there. */
START_TEST(states_survive_memory_faults) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    for (size_t w = 0; w < way_count; w++) {
        eulercl_problem *problem;
        eulercl_solver *solver;
        eulercl_options options;
        double before[N], after[N];
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        narrow(&options, &ways[w]);
        const struct ode_problem *definition = definition_for(&ways[w], 0);
        const int64_t n = n_of(definition);
        OK(eulercl_problem_create(definition, &problem, &error));
        OK(eulercl_problem_set_size(problem, n, &error));
        OK(create_somehow(problem, &options, &solver, &error));
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 7, &error));
        OK(eulercl_get_state(solver, before, &error));
        ecl_mem_fail(0, 1);
        EXPECT(EULERCL_MEMORY, eulercl_set_initial_state(solver, &error));
        EXPECT(EULERCL_MEMORY, eulercl_problem_set_size(problem, 2, &error));
        EXPECT(
            EULERCL_MEMORY, eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 2, after, &error));
        OK(eulercl_get_state(solver, after, &error));
        ecl_mem_fail(-1, 0);
        SAME(after, before, n, sizeof *after, "%s: after a fault", ways[w].backend);
        ck_assert_int_eq(size_of(problem), n);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- faults of OpenCL, by the layer ---- */

static void (*layer_fail)(long calls, int code, int from_then_on);
static long (*layer_live)(void);
static const char *(*layer_failed)(void);
static int (*is_question)(const char *call);
static void (*layer_spare_questions)(int spare);
static void (*layer_device)(int lacks_double, int is_inexact);
static void (*layer_gpu)(uint64_t bytes);

static int find_layer(void) {
    const char *path = getenv("EULERCL_TEST_LAYER");
    if (!have_opencl()) return 0;
    if (!path || !*path) {
        fprintf(stderr, "skipped: EULERCL_TEST_LAYER does not name the fault layer\n");
        return 0;
    }
    void *layer = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (!layer) {
        fprintf(stderr, "skipped: this OpenCL loader loads no layers\n");
        return 0;
    }
    *(void **)&layer_fail = dlsym(layer, "fault_layer_fail");
    *(void **)&layer_live = dlsym(layer, "fault_layer_live");
    *(void **)&layer_failed = dlsym(layer, "fault_layer_failed");
    *(void **)&is_question = dlsym(layer, "fault_layer_is_question");
    *(void **)&layer_spare_questions = dlsym(layer, "fault_layer_spare_questions");
    *(void **)&layer_device = dlsym(layer, "fault_layer_device");
    *(void **)&layer_gpu = dlsym(layer, "fault_layer_gpu");
    ck_assert(layer_fail && layer_live && layer_failed && is_question && layer_spare_questions &&
              layer_device && layer_gpu);
    return 1;
}

static const struct {
    int code, status;
    const char *message; /* its end, where the call's failure is what a message is about */
} codes[] = {
    {-6, EULERCL_MEMORY, " failed: CL_OUT_OF_HOST_MEMORY (-6)"},
    {-5, EULERCL_MEMORY, " failed: CL_OUT_OF_RESOURCES (-5)"},
    {-36, EULERCL_INTERNAL, " failed: CL_INVALID_COMMAND_QUEUE (-36)"},
};

/* The right result comes from the CPU, so that no OpenCL call went well before: the self-test of
   the device fails, too. Questions are asked where a device is looked for, which is the same for
   all ways, and a life goes on without the answer: each code is given to each of them once, in the
   first of its ways, but at the level all in all of them. */
START_TEST(opencl_faults) {
    if (!find_layer()) return;
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, 1);
    int asked[COUNT(codes)] = {0};
    for (size_t w = 0; w < way_count; w++)
        for (int c = 0; c < 2 * COUNT(codes); c++)
            for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
                const int d = c < COUNT(codes) ? c % TIMELESS : TIMELESS, code = c % COUNT(codes);
                const size_t turns = test_level() == QUICK_TESTS ? 9 : 3;
                if (!ways[w].is_opencl || (w + (size_t)c) % turns || d >= definitions_for(&ways[w]))
                    continue;
                struct life good = {.definition = definition_for(&ways[w], d),
                                .way = ways[0],
                                .precision = code == 1 ? EULERCL_FLOAT : EULERCL_DOUBLE},
                            life = good;
                const size_t size = (size_t)life.precision;
                live_well(&good, "without a fault");
                life.way = ways[w];
                const long before = ecl_mem_live(), objects = layer_live();
                const int spare = !from_then_on && asked[code]++ && test_level() < ALL_TESTS;
                long k = first_fault(from_then_on, &ways[w]);
                layer_spare_questions(spare);
                for (; k < MOST; k = after(k, from_then_on, &ways[w])) {
                    unsigned char pattern[sizeof life.y];
                    memset(life.y, 0xA5, sizeof life.y);
                    memset(pattern, 0xA5, sizeof pattern);
                    layer_fail(k, codes[code].code, from_then_on);
                    const int status = live(&life);
                    layer_fail(-1, 0, 0);
                    const char *call = layer_failed();
                    ck_assert_msg(ecl_mem_live() == before && layer_live() == objects,
                        "%s: call %ld, %s, fails: %ld allocations, %ld objects are left",
                        ways[w].backend, k, call, ecl_mem_live() - before, layer_live() - objects);
                    if (!*call) break; /* it was never reached */
                    if (!status) {
                        ck_assert_msg(life.is_noted || (is_question(call) && !from_then_on),
                            "%s: call %ld, %s, failed and nobody told", ways[w].backend, k, call);
                        SAME(life.y, good.y, 49, size, "%s: %s failed and was not needed",
                            ways[w].backend, call);
                        continue;
                    }
                    ck_assert_msg(life.error.code == status && life.error.message[0],
                        "%s: %s fails: no message", ways[w].backend, call);
                    ck_assert_msg(strncmp(life.error.message, "OpenCL: ", 8) ||
                                      strstr(life.error.message, codes[code].message),
                        "%s: %s fails: %s", ways[w].backend, call, life.error.message);
                    ck_assert_msg(status == codes[code].status || is_question(call),
                        "%s: call %ld, %s, fails: %s: %s", ways[w].backend, k, call,
                        eulercl_status_name(status), life.error.message);
                    ck_assert_msg(!memcmp(life.y, pattern, sizeof pattern),
                        "%s: %s fails: the caller's array was written", ways[w].backend, call);
                }
                layer_spare_questions(0);
                ck_assert_msg(k > 20 && k < MOST, "%ld calls failed", k);
                live_well(&life, "after all faults");
                SAME(life.y, good.y, 49, size, "%s: after all faults", ways[w].backend);
            }
}
END_TEST

/* A state that streams, of which most calls are those of its run on a window. */
START_TEST(opencl_faults_of_streams) {
    if (!find_layer()) return;
    struct life good = {.definition = &test_problem_string,
                    .way = {"cl-linear", "vector", 1},
                    .device_memory = STREAMED,
                    .precision = EULERCL_DOUBLE},
                life = good;
    live_well(&good, "without a fault");
    const long before = ecl_mem_live(), objects = layer_live();
    const long step = test_level() == QUICK_TESTS ? 5 : 1;
    long k = 0;
    layer_spare_questions(1);
    for (;; k += step) {
        layer_fail(k, -5 /* CL_OUT_OF_RESOURCES */, 0);
        const int status = live(&life);
        layer_fail(-1, 0, 0);
        const char *const call = layer_failed();
        ck_assert_msg(ecl_mem_live() == before && layer_live() == objects,
            "call %ld, %s, fails: %ld allocations, %ld objects are left", k, call,
            ecl_mem_live() - before, layer_live() - objects);
        if (!*call) break; /* it was never reached */
        /* Without pinned memory the state is in any. */
        const int is_pinned =
            !strcmp(call, "clCreateBuffer") || !strcmp(call, "clEnqueueMapBuffer");
        ck_assert_msg(status == EULERCL_MEMORY || (!status && (life.is_noted || is_pinned)),
            "%s fails: %s: %s", call, eulercl_status_name(status), life.error.message);
    }
    layer_spare_questions(0);
    ck_assert_msg(k > 40 && k < MOST, "%ld calls failed", k);
    SAME(life.y, good.y, N, sizeof(double), "after all faults");
}
END_TEST

/* A state so large that threads copy it in pieces, the last one not whole, to a device with memory
 * of its own. Each call of a transfer fails once; the next transfer is complete. */
START_TEST(large_states_survive_faults) {
    enum { LARGE = 2200002, MARGIN = 3, PIECE = 1 << 20 };
    if (!find_layer()) return;
    double *const y = malloc(LARGE * sizeof *y), *const z = malloc(LARGE * sizeof *z);
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver;
    const long before = layer_live();
    ck_assert(y && z);
    random_state(y, LARGE, sizeof *y);
    layer_gpu(1 << 30);
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, LARGE, &error));
    options_for(&options, &(struct way){"cl-linear", "vector", 1}, EULERCL_DOUBLE);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    const long objects = layer_live();
    long k = 0;
    for (;; k += test_level() == QUICK_TESTS && k > 3 ? 17 : 1) {
        memset(z, 0xA5, LARGE * sizeof *z);
        layer_fail(k, -5 /* CL_OUT_OF_RESOURCES */, 0);
        int status = eulercl_set_state(solver, y, &error);
        if (!status) status = eulercl_get_state(solver, z, &error);
        layer_fail(-1, 0, 0);
        const char *const call = layer_failed();
        if (!*call) break; /* it was never reached */
        ck_assert_msg(status == EULERCL_MEMORY && error.message[0], "call %ld, %s, fails: %s: %s",
            k, call, eulercl_status_name(status), error.message);
        OK(eulercl_get_state(solver, z, &error)); /* nothing of the other transfer is on its way */
    }
    SAME(z, y, LARGE, sizeof *y, "after all faults");
    ck_assert_msg(k > 2 * LARGE * (long)sizeof *y / PIECE, "%ld calls failed", k);
    ck_assert_int_eq(layer_live(), objects + 1); /* the memory through which it goes */
    memset(z, 0, LARGE * sizeof *z);
    OK(eulercl_set_components(solver, MARGIN, LARGE - 2 * MARGIN, z, &error));
    memset(y + MARGIN, 0, (LARGE - 2 * MARGIN) * sizeof *y);
    OK(eulercl_get_components(solver, 1, LARGE - 1, z + 1, &error));
    SAME(z + 1, y + 1, LARGE - 1, sizeof *y, "a part");
    eulercl_solver_destroy(solver);
    ck_assert_int_eq(layer_live(), before);
    eulercl_problem_destroy(problem);
    layer_gpu(0);
    free(z);
    free(y);
}
END_TEST

/* ---- changes of the method ---- */

/* Two runs through the vtable with the same steps: that of a way, and that of seq. */
struct pair {
    const struct way *way;
    struct run runs[2];
    const struct backend *tables[2];
    int64_t steps;
};

static void set_tolerance(struct system *system) {
    OK(ecl_tolerance_create(system, 0x1p-10, &error));
    for (int c = 0; c < system->tolerance.unknowns; c++) ecl_set_atol(system, c, 0x1p-10);
}

static void open_pair(struct pair *pair, const struct system *system, const struct method *method) {
    const struct way seq = {"seq", NULL, 0};
    double y[N];
    pair->steps = 0;
    random_state(y, system->n, system->real_size);
    for (int k = 0; k < 2; k++) {
        const struct way *const way = k ? &seq : pair->way;
        struct run *const run = &pair->runs[k];
        eulercl_options options;
        size_t backend;
        *run = (struct run){.system = *system};
        run->system.method = method;
        options_for(&options, way, (enum eulercl_precision)system->real_size);
        OK(ecl_options_check(&options, &run->options, &error));
        run->asked = run->options;
        OK(ecl_find_backend(way->backend, &backend, &error));
        OK(ecl_find_variant(backend, way->variant, &run->variant, &error));
        pair->tables[k] = ecl_backends[backend].table;
        OK(pair->tables[k]->create(run, &error));
        OK(pair->tables[k]->state->write(run, 0, system->n, y, &error));
    }
}

/* A step of both: the same bits, and the same error. */
static void step_both(struct pair *pair, const struct method *method, const char *what) {
    const struct batch batch = {
        .first_step = pair->steps++, .steps = 1, .t_base = 0.25, .h = 0x1p-12};
    double y[2][N], seconds;
    for (int k = 0; k < 2; k++) {
        pair->runs[k].system.method = method;
        OK(pair->tables[k]->steps->step(&pair->runs[k], &batch, &seconds, &error));
        OK(pair->tables[k]->state->read(&pair->runs[k], 0, pair->runs[k].system.n, y[k], &error));
    }
    SAME(y[0], y[1], pair->runs[0].system.n, pair->runs[0].system.real_size,
        "%s: %s, then method %s", pair->way->backend, what, method->name);
    ck_assert_int_eq(pair->runs[0].report.worst_error, pair->runs[1].report.worst_error);
}

/* Change from `before` to `after` while one call after the other fails, of OpenCL or for memory:
 * the steps go on as before. -> the number of failures */
static long change_with_faults(
    struct pair *pair, const struct method *before, const struct method *after, int of_opencl) {
    struct run *const run = &pair->runs[0];
    for (long k = 0;; k++) {
        const uint64_t per_launch = run->report.steps_per_launch;
        const char *call = "memory";
        run->system.method = after;
        if (of_opencl)
            layer_fail(k, -5 /* CL_OUT_OF_RESOURCES */, 0);
        else
            ecl_mem_fail(k, 0);
        const int status = pair->tables[0]->steps->change_method(run, &error);
        ecl_mem_fail(-1, 0);
        layer_fail(-1, 0, 0);
        if (of_opencl) call = layer_failed();
        if (!status && (!of_opencl || !*call)) {
            pair->runs[1].system.method = after;
            OK(pair->tables[1]->steps->change_method(&pair->runs[1], &error));
            step_both(pair, after, "changed");
            return k;
        }
        ck_assert_msg(status == EULERCL_MEMORY, "%s: call %ld, %s, fails: %s: %s",
            pair->way->backend, k, call, eulercl_status_name(status), error.message);
        ck_assert_uint_eq(run->report.steps_per_launch, per_launch);
        step_both(pair, before, call);
    }
}

/* A change of the method that fails has changed nothing. */
START_TEST(methods_survive_faults) {
    static const struct {
        struct way way;
        const char *methods[2];
        int stages[2]; /* stages; the second number is more than there was room for */
    } changes[] = {
        {{"cl-linear", "vector", 1}, {"rock2", "rkl2"}, {5, 70}},
        {{"cl-row-diamond", "vector", 1}, {"rock2", "rkl2"}, {5, 70}},
        {{"cl-column-diamond", "scalar", 1}, {"bs32", "dp54"}, {0, 0}},
        {{"cl-register", "group", 1}, {"bs32", "dp54"}, {0, 0}},
    };
    eulercl_problem *problem;
    struct system system;
    struct method *methods[2];
    struct pair pair = {.way = &changes[_i].way};
    if (!find_layer()) return;
    random_start((uint64_t)_i);
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    OK(ecl_system_create(problem, EULERCL_DOUBLE, &system, &error));
    set_tolerance(&system);
    for (int m = 0; m < 2; m++) {
        const struct method_family *family;
        OK(ecl_find_method(changes[_i].methods[m], &family, &error));
        OK(ecl_method_create(family, changes[_i].stages[m], 1, &methods[m], &error));
    }
    const long before = ecl_mem_live(), objects = layer_live();
    layer_spare_questions(1);
    for (int of_opencl = 0; of_opencl < 2; of_opencl++) {
        open_pair(&pair, &system, methods[0]);
        step_both(&pair, methods[0], "created");
        /* The first change compiles programs, which are there when a later call fails; to go back
         * needs none. */
        const long there = change_with_faults(&pair, methods[0], methods[1], of_opencl),
                   back = change_with_faults(&pair, methods[1], methods[0], of_opencl);
        ck_assert_msg(
            there + back > (of_opencl ? 8 : 0), "%ld calls failed there, %ld back", there, back);
        for (int k = 0; k < 2; k++) pair.tables[k]->destroy(&pair.runs[k]);
        ck_assert_msg(ecl_mem_live() == before && layer_live() == objects,
            "%s: %ld allocations, %ld objects are left", pair.way->backend, ecl_mem_live() - before,
            layer_live() - objects);
    }
    layer_spare_questions(0);
    for (int m = 0; m < 2; m++) ecl_mem_free(methods[m]);
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Every call up to the first measurement, and some later ones. */
START_TEST(faults_of_ceilings) {
    if (!find_layer()) return;
    const long before = ecl_mem_live(), objects = layer_live();
    eulercl_options options;
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    ecl_ceiling_bytes = 1 << 25; /* a copy of a few launches */
    ecl_ceiling_repeats = 1;
    for (long k = 0; k < MOST; k += 1 + k / (test_level() == ALL_TESTS ? 16 : 8)) {
        eulercl_ceilings ceilings = {.struct_size = sizeof ceilings};
        layer_fail(k, -5 /* CL_OUT_OF_RESOURCES */, 0);
        const int status = eulercl_measure_ceilings(&options, &ceilings, &error);
        layer_fail(-1, 0, 0);
        const char *call = layer_failed();
        ck_assert_msg(ecl_mem_live() == before && layer_live() == objects,
            "call %ld, %s, fails: %ld allocations, %ld objects are left", k, call,
            ecl_mem_live() - before, layer_live() - objects);
        if (!*call) break;
        ck_assert_msg(is_question(call) || status == EULERCL_MEMORY, "%s fails: %s: %s", call,
            eulercl_status_name(status), error.message);
        ck_assert(!status || (ceilings.fma_per_second == 0 && ceilings.copy_bytes_per_second == 0));
    }
    for (int b = 0; b < 2; b++) {
        eulercl_ceilings ceilings = {.struct_size = sizeof ceilings};
        options.backend = b ? "pthreads" : "cl-linear";
        for (long k = 0; k < (b ? 2 : 1); k++) {
            ecl_mem_fail(k, 0);
            EXPECT(EULERCL_MEMORY, eulercl_measure_ceilings(&options, &ceilings, &error));
            ecl_mem_fail(-1, 0);
            ck_assert_int_eq(ecl_mem_live(), before);
        }
    }
}
END_TEST

/* Devices that are lacking: said in words, before anything is computed. */
START_TEST(lacking_devices_are_refused) {
    if (!find_layer()) return;
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver = NULL;
    eulercl_device_info device = {.struct_size = sizeof device};
    const long objects = layer_live();
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    layer_device(0, 1);
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "breaks the bit contract",
        eulercl_solver_create(problem, &options, &solver, &error));
    options.allow_inexact = 1;
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    eulercl_solver_destroy(solver);
    solver = NULL;
    layer_device(1, 0);
    OK(eulercl_get_device(0, &device, &error));
    ck_assert_int_eq(device.has_double, 0);
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_DOUBLE);
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, "fp64", eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    options.precision = EULERCL_FLOAT;
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    /* Figures over the state are in doubles: the host's. */
    const eulercl_statistic figure = {EULERCL_MEAN, -1};
    double on_host = 0, on_device = 0;
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_monitor(solver, &figure, 1, &on_host, &error));
    eulercl_solver_destroy(solver);
    layer_device(0, 0);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_monitor(solver, &figure, 1, &on_device, &error));
    ck_assert(on_host == on_device && on_host != 0);
    eulercl_solver_destroy(solver);
    ck_assert_int_eq(layer_live(), objects);
    eulercl_problem_destroy(problem);
}
END_TEST

/* A GPU that was named and cannot run the system is an error under "auto"; one that was not is left
 * out. */
START_TEST(named_devices_must_do) {
    static const struct {
        int lacks_double, is_small, has_text;
        const char *words;
    } lacks[] = {
        {0, 0, 1, NULL},
        {1, 0, 1, "no double precision"},
        {0, 1, 1, "too large"},
        {0, 0, 0, "no text"},
    };
    if (!find_layer()) return;
    const char *const environment = getenv("EULERCL_DEVICE");
    char *const before = environment ? strdup(environment) : NULL;
    struct ode_problem textless = test_problem_string;
    textless.text = NULL;
    for (int i = 0; i < COUNT(lacks); i++)
        for (int named = 0; named < 3; named++) {
            eulercl_problem *problem;
            eulercl_options options;
            eulercl_solver *solver = NULL;
            double y[N];
            unsetenv("EULERCL_DEVICE");
            layer_device(lacks[i].lacks_double, 0);
            layer_gpu(lacks[i].is_small ? N * sizeof(double) : 1 << 30);
            OK(eulercl_problem_create(
                lacks[i].has_text ? &test_problem_string : &textless, &problem, &error));
            OK(eulercl_problem_set_size(problem, N, &error));
            OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, N, y, &error));
            eulercl_options_init(&options);
            options.wisdom = "";
            if (named == 1) options.device = "gpu";
            if (named == 2) setenv("EULERCL_DEVICE", "0:0", 1);
            if (named && lacks[i].words) {
                EXPECT_WORDS(EULERCL_NO_DEVICE, lacks[i].words,
                    eulercl_solver_create(problem, &options, &solver, &error));
                ck_assert_msg(
                    strstr(error.message, "(0:0) is unusable") != NULL, "%s", error.message);
                EXPECT_WORDS(EULERCL_NO_DEVICE, lacks[i].words,
                    eulercl_solve(problem, &options, 1, y, NULL, &error));
                EXPECT_WORDS(EULERCL_NO_DEVICE, lacks[i].words,
                    eulercl_tune(problem, &options, NULL, NULL, &error));
                options.device = "cpu"; /* the option wins */
            }
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            eulercl_stats stats = {.struct_size = sizeof stats};
            OK(eulercl_get_stats(solver, &stats, &error));
            ck_assert_msg(!strncmp(stats.backend, "cl-", 3) == (named && !lacks[i].words), "%s",
                stats.backend);
            eulercl_solver_destroy(solver);
            eulercl_problem_destroy(problem);
        }
    layer_device(0, 0);
    layer_gpu(0);
    if (before)
        setenv("EULERCL_DEVICE", before, 1);
    else
        unsetenv("EULERCL_DEVICE");
    free(before);
}
END_TEST

#ifdef HAVE_COMPILE
/* A FILE.c, with a compiler that copies a plug-in, and with and without an entry of the cache.
 * Where there is no memory for the entry, it compiles again. */
START_TEST(memory_faults_of_compilations) {
    enum { ENOUGH = 30 };
    char folder[] = "faults-XXXXXX", here[1000], path[1100], file[32];
    const char *const plugins = getenv("EULERCL_TEST_PLUGINS");
    snprintf(path, sizeof path, "%s/forced_wave.so", plugins ? plugins : "tests/.libs");
    if (access(path, R_OK)) {
        fprintf(stderr, "skipped: %s is not there\n", path);
        return;
    }
    ck_assert(mkdtemp(folder) && getcwd(here, sizeof here));
    snprintf(file, sizeof file, "./%s/cc.c", folder);
    FILE *compiler = fopen(file, "w");
    ck_assert_ptr_nonnull(compiler);
    fprintf(
        compiler, "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nexec cp %s \"$2\"\n", path);
    ck_assert(!fclose(compiler) && !chmod(file, 0700));
    snprintf(path, sizeof path, "%s/%s", here, folder);
    setenv("CC", file, 1);
    setenv("TMPDIR", path, 1);
    setenv("XDG_CACHE_HOME", path, 1);
    snprintf(path, sizeof path, "rm -rf %s/eulercl", folder);
    const long before = ecl_mem_live();
    for (int is_kept = 0; is_kept < 2; is_kept++)
        for (long k = 0; k <= ENOUGH; k++) {
            eulercl_problem *problem = NULL;
            ck_assert(is_kept || !system(path));
            ecl_mem_fail(k, is_kept);
            const int status = eulercl_problem_open(file, &problem, &error);
            ecl_mem_fail(-1, 0);
            ck_assert_msg(!status || status == EULERCL_MEMORY, "allocation %ld fails: %s: %s", k,
                eulercl_status_name(status), error.message);
            ck_assert(k > 0 || status == EULERCL_MEMORY);
            ck_assert(k < ENOUGH || !status);
            eulercl_problem_destroy(problem);
            ck_assert_int_eq(ecl_mem_live(), before);
        }
    snprintf(path, sizeof path, "rm -r %s/eulercl %s && rmdir %s", folder, file, folder);
    ck_assert(!system(path)); /* nothing else was left */
}
END_TEST
#endif

static void add(TCase *tests) {
    ADD(lacking_devices_are_refused); /* first: a device that passed the self-test is not asked
                                         again */
    ADD(named_devices_must_do);
    ADD(opencl_faults);
    ADD(opencl_faults_of_streams);
    ADD(large_states_survive_faults);
    ADD_LOOP(methods_survive_faults, 4);
    ADD(faults_of_ceilings);
    ADD(memory_faults);
    ADD_LOOP(memory_faults_of_windows, 2);
#ifdef HAVE_COMPILE
    ADD(memory_faults_of_compilations);
#endif
    ADD(states_survive_memory_faults);
}

int main(void) { return run_tests("faults", add); }
