/* SPDX-License-Identifier: BSD-2-Clause */
/* test_method.c - the methods: stages, carried values, components and times have the bits of a
 * plain loop that is written out here, on every backend. Tiny values that are flushed have them,
 * too. */
#include "config.h"
#include "../support.h"
#include "run/backend.h"
#include "problem/flush.h"
#include "problem/system.h"
#include "mem.h"
#include "tolerance/tolerance.h"
#include "problem/update.h"
#include "schedule/diamond.h"
#include "schedule/registers/registers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Heun's method, one carried value: P keeps y + h/2 F1. */
static const struct stage heun_table[] = {
    {.a = {{1}, {1}}, .b = {1, 0.5}},
    {.c = 1, .a = {{0, 1}}, .b = {0.5, 0}},
};
/* All coefficients of all arrays, zeros and ones among them; a term of F alone; stages in place,
 * the last one among them. It converges to nothing. */
static const struct stage full_table[] = {
    {.c = 0.3, .a = {{0.9}, {1}, {0}, {-0.4}}, .b = {0.2, 0, 1.1, 0.7}},
    {.c = 0.7,
        .a = {{0.5, 0.25, 0, 0.125}, {1, 1, 1, 1}, {0, 0, 1, 0}, {0.3, 0.2, -0.3, 0.9}},
        .b = {0.1, 0.2, 0, 0.4}},
    {.c = 0.4,
        .a = {{0.5, 0.25, 1, 0.125}, {0.2, 1, 0.3, 0.1}, {0, 0, 1, -0.5}, {0, 0.4, 0, 0.6}},
        .b = {0, 0.1, 0.3, 0.2},
        .in_place = 1},
    {.c = -0.1,
        .a = {{0, 0.3, 0.3, 0.3}, {0.7, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}},
        .b = {0.6, 0, 0, 0.3},
        .in_place = 1},
};
/* Stages of some components, which keep the carried values of the others. */
static const struct stage mixed_table[] = {
    {.a = {{1}, {0.5}}, .b = {0.3, 1}},
    {.c = 0.3, .a = {{0.9, 0.1}, {0.2, 0.7}}, .b = {0.5, 0.1}, .components = STAGE_VELOCITIES},
    {.c = 0.8, .a = {{0.4, 0.6}, {1}}, .b = {0.2}, .components = STAGE_POSITIONS},
    {.c = 0.9,
        .a = {{0.8, 0.2}, {0.1, 0.9}},
        .b = {0, 0.4},
        .components = STAGE_VELOCITIES,
        .in_place = 1},
    {.c = 1, .a = {{0.7, 0.3}}},
};
/* Plain stages that are parts of a step. */
static const struct stage parts_table[] = {
    {.a = {{1}}, .b = {0.25}}, {.c = 0.25, .a = {{1}}, .b = {0.75}}};

static const struct method heun = {
    .name = "heun", .order = 2, .stages = 2, .arrays = 2, .table = heun_table};
static const struct method full = {.name = "full", .stages = 4, .arrays = 4, .table = full_table};
static const struct method mixed = {
    .name = "mixed", .stages = 5, .arrays = 2, .table = mixed_table};
static const struct method parts = {
    .name = "parts", .order = 1, .stages = 2, .arrays = 1, .table = parts_table};
/* Methods that only this test uses, and after them all that users can choose, with the fewest
 * stages and with more. */
enum { MOST_METHODS = 64, MORE_STAGES = 7 };
static const struct method *methods[MOST_METHODS] = {
    &heun, &full, &mixed, &parts, &ecl_derivative, &ecl_euler};
static int method_count = 6;

static struct method *make_method(const char *name, int stages) {
    const struct method_family *family;
    struct method *method;
    OK(ecl_find_method(name, &family, &error));
    OK(ecl_method_create(family, stages, 1, &method, &error));
    return method;
}

static void make_methods(void) {
    for (size_t f = 0; ecl_methods[f]; f++)
        for (int more = 0; more <= (ecl_methods[f]->most > MORE_STAGES); more++) {
            struct method *made;
            OK(ecl_method_create(ecl_methods[f], more ? MORE_STAGES : 0, 0, &made, &error));
            ck_assert_int_lt(method_count, MOST_METHODS);
            methods[method_count++] = made;
        }
}

static const struct way ways[] = {
    {"seq", NULL, 0},
    {"cpu", "steps", 0},
    {"cpu", "tiles", 0},
    {"cpu", "auto", 0},
    {"pthreads", "barrier", 0},
    {"pthreads", "tiles", 0},
    {"pthreads", "auto", 0},
    {"cl-linear", "vector", 1},
    {"cl-linear", "strided", 1},
    {"cl-linear", "chunked", 1},
    {"cl-row-diamond", "vector", 1},
    {"cl-row-diamond", "scalar", 1},
    {"cl-column-diamond", "vector", 1},
    {"cl-honeycomb", "vector", 1},
    {"cl-honeycomb", "scalar", 1},
    {"cl-register", "group", 1},
    {"cl-register", "group-local", 1},
    {"cl-register", "group-any", 1},
    {"cl-register", "stream", 1},
    {"cl-register", "pipeline", 1},
};

/* ---- the reference ---- */

static int is_position(const struct system *s, int64_t i) {
    const struct ode_problem *d = s->definition;
    return d->is_position(d->grid.rank ? i % (int64_t)d->grid.components : i);
}

/* The derivatives by the plainest code, one component at a time. A step has another reference for
 * what stages see of boundary values: boundary_values_are_those_of_the_method. */
static void evaluate(const struct system *s, const struct method *m, int level, int step, double t0,
    double h, const void *y, void *f) {
    const struct ode_kernels *const plain = s->definition->each_kernels(s->real_size, 0);
    const struct batch batch = {.first_step = step, .steps = 1, .t_base = t0, .h = h};
    struct system system = *s;
    system.method = m;
    const struct ode_instant t = ecl_level_instant(&system, &batch, level);
    for (int64_t i = 0; i < s->n; i++) plain->eval_range(&s->context, f, y, i, i + 1, &t);
}

#define REFERENCE(NAME, VALUE, FMA)                                                              \
    static void reference_##NAME(const struct system *s, const struct method *m, VALUE *y,       \
        const VALUE *below, int first, double t0, double h, int steps) {                         \
        const int64_t n = s->n, per_point = (int64_t)s->definition->grid.components;             \
        VALUE *x[ODE_MOST_ARRAYS_], *f = zeroed(n, sizeof *f);                                   \
        x[0] = y;                                                                                \
        for (int k = 1; k < ODE_MOST_ARRAYS_; k++) x[k] = zeroed(n, sizeof *f);                  \
        for (int step = first; step < first + steps; step++) {                                   \
            for (int k = 0; k < m->stages; k++) {                                                \
                const struct stage *g = &m->table[k];                                            \
                evaluate(s, m, k, step, t0, h, y, f);                                            \
                for (int64_t i = 0; i < n; i++) {                                                \
                    VALUE now[ODE_MOST_ARRAYS_];                                                 \
                    if (g->components != STAGE_ALL &&                                            \
                        is_position(s, i) != (g->components == STAGE_POSITIONS))                 \
                        continue;                                                                \
                    for (int j = 0; j < m->arrays; j++) now[j] = x[j][i];                        \
                    for (int r = m->arrays - 1; r >= 0; r--) {                                   \
                        VALUE factor[ODE_MOST_ARRAYS_ + 1], term[ODE_MOST_ARRAYS_ + 1], sum = 0; \
                        int terms = 0;                                                           \
                        for (int j = 0; j < m->arrays; j++)                                      \
                            if (g->a[r][j] != 0)                                                 \
                                factor[terms] = (VALUE)g->a[r][j],                               \
                                term[terms++] = g->in_place ? x[j][i] : now[j];                  \
                        if (g->b[r] != 0)                                                        \
                            factor[terms] = (VALUE)(h * g->b[r]), term[terms++] = f[i];          \
                        for (int q = 0; q < terms; q++)                                          \
                            sum = q ? FMA(factor[q], term[q], sum) : factor[q] * term[q];        \
                        x[r][i] = sum;                                                           \
                    }                                                                            \
                }                                                                                \
            }                                                                                    \
            if ((step + 1) % (m->stages > 16 ? 1 : 16 / m->stages) == 0)                         \
                for (int64_t i = 0; i < n; i++)                                                  \
                    if (y[i] < below[i % per_point % 2] && -y[i] < below[i % per_point % 2])     \
                        y[i] = 0;                                                                \
        }                                                                                        \
        for (int k = 1; k < ODE_MOST_ARRAYS_; k++) free(x[k]);                                   \
        free(f);                                                                                 \
    }
REFERENCE(f32, float, fmaf)
REFERENCE(f64, double, fma)

/* ---- runs through the vtable ---- */

enum { SMALL_TILES = 7, SMALL_STEPS = 2 };
static int has_small_tiles(const struct way *way) {
    return way->variant && !strcmp(way->variant, "tiles");
}

static int create_with(struct run *run, const struct system *system, const struct method *method,
    const struct way *way, const eulercl_options *options, const struct backend **table) {
    size_t backend;
    *run = (struct run){.system = *system};
    run->system.method = method;
    OK(ecl_options_check(options, &run->options, &error));
    run->asked = run->options;
    OK(ecl_find_backend(way->backend, &backend, &error));
    OK(ecl_find_variant(backend, way->variant, &run->variant, &error));
    *table = ecl_backends[backend].table;
    return (*table)->create(run, &error);
}

static int create(struct run *run, const struct system *system, const struct method *method,
    const struct way *way, const struct backend **table) {
    eulercl_options options;
    options_for(&options, way, (enum eulercl_precision)system->real_size);
    GIVE(&options, threads, 3);
    if (has_small_tiles(way)) {
        GIVE(&options, tile_points, system->n / SMALL_TILES + 1);
        GIVE(&options, steps_per_launch, SMALL_STEPS);
    }
    return create_with(run, system, method, way, &options, table);
}

/* The components of a large system are in small tiles with halos, and a round is SMALL_STEPS long.
 */
static void check_tiles(
    const struct run *run, const struct backend *table, int first_steps, int second_steps) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    table->facts(run, &stats);
    const int has_halos = run->system.method->stages > 1 || second_steps > 1;
    ck_assert_msg(
        FACT(stats, tiles) >= SMALL_TILES &&
            (FACT(stats, redundant_component_steps) > 0) == has_halos &&
            run->report.steps_per_launch == SMALL_STEPS &&
            run->report.launches == (uint64_t)((first_steps + SMALL_STEPS - 1) / SMALL_STEPS +
                                               (second_steps + SMALL_STEPS - 1) / SMALL_STEPS),
        "method %s: %llu tiles, %llu redundant component-steps, %llu rounds",
        run->system.method->name, (unsigned long long)FACT(stats, tiles),
        (unsigned long long)FACT(stats, redundant_component_steps),
        (unsigned long long)run->report.launches);
}

/* Not every tile in registers has room for every method, and not every system has tiles of
 * components. */
static int is_too_large(int status, const struct way *way) {
    return status == EULERCL_UNSUPPORTED && (!strcmp(way->backend, "cl-register") ||
                                                (way->variant && !strcmp(way->variant, "tiles")));
}

/* Solve in two batches: only the state is kept from step to step. -> whether it ran. */
static int solve(const struct system *system, const struct method *method, const struct way *way,
    void *y, double t0, double h, int first_step, int steps) {
    const struct backend *table;
    struct run run;
    double seconds;
    const struct batch first = {.first_step = first_step, .steps = steps / 2, .t_base = t0, .h = h},
                       second = {.first_step = first_step + steps / 2,
                           .steps = steps - steps / 2,
                           .t_base = t0,
                           .h = h};
    const int status = create(&run, system, method, way, &table);
    if (is_too_large(status, way)) return 0;
    OK(status);
    OK(table->state->write(&run, 0, system->n, y, &error));
    OK(table->steps->step(&run, &first, &seconds, &error));
    OK(table->steps->step(&run, &second, &seconds, &error));
    OK(table->state->read(&run, 0, system->n, y, &error));
    if (has_small_tiles(way) && system->n >= 10000)
        check_tiles(&run, table, steps / 2, steps - steps / 2);
    table->destroy(&run);
    return 1;
}

static const struct ode_problem *const problems[] = {&test_problem_forced_wave,
    &test_problem_heat_fields, &test_problem_tide, &test_problem_string_thesis4,
    &test_problem_string, &test_problem_string_thesis, &test_problem_staggered,
    &test_problem_acoustics, &test_problem_swing};

/* Steps begin with this number: the sixteenth comes in the second batch. */
enum { FIRST_STEP = 13 };

/* Flushed components: none; all below one threshold, by the option; those that the problem
 * names. */
enum { NOT_FLUSHED, AS_OPTION, AS_PROBLEM, FLUSHES };
static double thresholds(const double *parameters, ode_index c) {
    (void)parameters;
    return c % 2 ? 0.6 : 0.2;
}

/* Another atol for each unknown. */
static void set_tolerance(struct system *system) {
    OK(ecl_tolerance_create(system, 0x1p-10, &error));
    for (int c = 0; c < system->tolerance.unknowns; c++)
        ecl_set_atol(system, c, ldexp(0x1p-10, 3 * c));
}

static void set_flush(
    const eulercl_problem *problem, struct system *system, int flush, double below[2]) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.flush_below = flush == NOT_FLUSHED ? 0 : flush == AS_OPTION ? 0.4 : EULERCL_AS_PROBLEM;
    OK(ecl_settle_flush(problem, &options, system, &error));
    for (int c = 0; c < 2; c++)
        below[c] = flush != AS_PROBLEM
                       ? options.flush_below
                       : thresholds(NULL, c % (int)system->definition->grid.components);
    ck_assert_int_eq(system->flush.reals != NULL, flush != NOT_FLUSHED);
}

START_TEST(same_bits) {
    const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
    const int opencl = have_opencl();
    int ran[sizeof ways / sizeof *ways] = {0};
    int64_t number = _i;
    make_methods();
    random_start((uint64_t)_i);
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        struct ode_problem definition = *problems[p];
        eulercl_problem *problem;
        struct system system;
        definition.flush_below = thresholds;
        OK(eulercl_problem_create(&definition, &problem, &error));
        OK(ecl_system_create(problem, precision, &system, &error));
        const int64_t n = system.n;
        char *start = zeroed(n, system.real_size), *right = zeroed(n, system.real_size),
             *y = zeroed(n, system.real_size);
        for (int64_t i = 0; i < n; i++) {
            const double value = random_real(-1, 1);
            if (precision == EULERCL_FLOAT)
                ((float *)start)[i] = (float)value;
            else
                ((double *)start)[i] = value;
        }
        for (int m = 0; m < method_count; m++) {
            if (ecl_is_partitioned(methods[m]) && !problems[p]->is_position) continue;
            const int steps = methods[m] == &ecl_derivative ? 2 : 5,
                      flush = (int)(p + (size_t)m) % FLUSHES;
            double below[2];
            set_flush(problem, &system, flush, below);
            memcpy(right, start, system.state_bytes);
            if (precision == EULERCL_FLOAT)
                reference_f32(&system, methods[m], (float *)right,
                    (const float[]){(float)below[0], (float)below[1]}, FIRST_STEP, 0.37, 0.0123,
                    steps);
            else
                reference_f64(
                    &system, methods[m], (double *)right, below, FIRST_STEP, 0.37, 0.0123, steps);
            ck_assert_msg(
                memcmp(right, start, system.state_bytes), "%s does nothing", methods[m]->name);
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++, number++) {
                /* Compiling takes most of the time: only in check-long, and there by turns. */
                if (ways[w].is_opencl && (!opencl || test_level() == QUICK_TESTS ||
                                             (test_level() == LONG_TESTS && number % 523)))
                    continue;
                memcpy(y, start, system.state_bytes);
                if (!solve(&system, methods[m], &ways[w], y, 0.37, 0.0123, FIRST_STEP, steps))
                    continue;
                ran[w]++;
                SAME(y, right, n, system.real_size, "%s, %s %s, method %s, flush %d",
                    problems[p]->name, ways[w].backend, ways[w].variant ? ways[w].variant : "",
                    methods[m]->name, flush);
            }
            ecl_mem_free(system.flush.reals);
            ecl_mem_free(system.lane_flush.reals);
            system.flush.reals = system.lane_flush.reals = NULL;
        }
        free(start);
        free(right);
        free(y);
        ecl_system_destroy(&system);
        eulercl_problem_destroy(problem);
    }
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        ck_assert_msg(ran[w] > 10 || (ways[w].is_opencl && test_level() < ALL_TESTS),
            "%s %s ran %d times", ways[w].backend, ways[w].variant, ran[w]);
}
END_TEST

/* Staggered problems, whose positions read velocities of other points, with coefficients and sizes
 * at random, by all symplectic methods in several launches: each way has the bits of a plain loop.
 */
START_TEST(staggered_grids) {
    static const struct {
        const struct ode_problem *definition;
        const char *coefficients[3], *sizes[2];
        int least;
    } staggered[] = {{&test_problem_staggered, {"near", "far", "pull"}, {"points"}, 3},
        {&test_problem_acoustics, {"stiffness", "skew"}, {"columns", "rows"}, 2}};
    static const char *const names[] = {"symplectic-euler", "verlet", "symplectic4"};
    enum { STAGGERED = 2, SYMPLECTIC = 3 };
    const int opencl = have_opencl();
    int ran[sizeof ways / sizeof *ways] = {0};
    int64_t number = 0;
    random_start((uint64_t)(900 + _i));
    for (int64_t round = 0; round < cases(6, 60); round++) {
        const int which = (int)(round % STAGGERED), m = (int)(round / STAGGERED % SYMPLECTIC);
        const enum eulercl_precision precision = random_below(2) ? EULERCL_DOUBLE : EULERCL_FLOAT;
        const int steps = 2 + (int)random_below(30);
        const struct method_family *family;
        struct method *method;
        eulercl_problem *problem;
        struct system system;
        OK(ecl_find_method(names[m], &family, &error));
        OK(ecl_method_create(family, 0, 0, &method, &error));
        OK(eulercl_problem_create(staggered[which].definition, &problem, &error));
        for (int k = 0; k < 3 && staggered[which].coefficients[k]; k++)
            OK(eulercl_problem_set(
                problem, staggered[which].coefficients[k], random_real(-1, 1), &error));
        for (int k = 0; k < 2 && staggered[which].sizes[k]; k++)
            OK(eulercl_problem_set(problem, staggered[which].sizes[k],
                (double)(staggered[which].least + random_below(which ? 90 : 3000)), &error));
        OK(ecl_system_create(problem, precision, &system, &error));
        const int64_t n = system.n;
        char *start = zeroed(n, system.real_size), *right = zeroed(n, system.real_size),
             *y = zeroed(n, system.real_size);
        for (int64_t i = 0; i < n; i++)
            if (precision == EULERCL_FLOAT)
                ((float *)start)[i] = (float)random_real(-1, 1);
            else
                ((double *)start)[i] = random_real(-1, 1);
        memcpy(right, start, system.state_bytes);
        if (precision == EULERCL_FLOAT)
            reference_f32(
                &system, method, (float *)right, (const float[]){0, 0}, 0, 0.37, 0.0123, steps);
        else
            reference_f64(
                &system, method, (double *)right, (const double[]){0, 0}, 0, 0.37, 0.0123, steps);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++, number++) {
            if (ways[w].is_opencl && (!opencl || (test_level() < ALL_TESTS && number % 29)))
                continue;
            memcpy(y, start, system.state_bytes);
            if (!solve(&system, method, &ways[w], y, 0.37, 0.0123, 0, steps)) continue;
            ran[w]++;
            SAME(y, right, n, system.real_size, "%s, n = %lld, %s %s, method %s, %d steps",
                staggered[which].definition->name, (long long)n, ways[w].backend,
                ways[w].variant ? ways[w].variant : "", method->name, steps);
        }
        free(start);
        free(right);
        free(y);
        ecl_system_destroy(&system);
        eulercl_problem_destroy(problem);
        ecl_mem_free(method);
    }
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        ck_assert_msg(ran[w] || ways[w].is_opencl, "%s never ran", ways[w].backend);
}
END_TEST

/* The distance between runs with h and h/2, over that between h/2 and h/4, is 2^order. */
START_TEST(orders) {
    static const struct {
        const struct method *method;
        double least, most;
    } expected[] = {{&ecl_euler, 1.8, 2.2}, {&parts, 1.8, 2.2}, {&heun, 3.7, 4.3}};
    eulercl_problem *problem;
    struct system system;
    OK(eulercl_problem_create(&test_problem_forced_wave, &problem, &error));
    OK(ecl_system_create(problem, EULERCL_DOUBLE, &system, &error));
    const int64_t n = system.n;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        double *y[3], distance[2] = {0, 0};
        for (int k = 0; k < 3; k++) {
            y[k] = zeroed(n, sizeof(double));
            OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, n, y[k], &error));
            solve(&system, expected[e].method, &ways[0], y[k], 0.2, 0.001 / (1 << k), 0, 100 << k);
        }
        for (int k = 0; k < 2; k++)
            for (int64_t i = 0; i < n; i++) distance[k] = hypot(distance[k], y[k][i] - y[k + 1][i]);
        ck_assert_msg(distance[1] > 0 && distance[0] / distance[1] > expected[e].least &&
                          distance[0] / distance[1] < expected[e].most,
            "%s: %g / %g = %g", expected[e].method->name, distance[0], distance[1],
            distance[0] / distance[1]);
        for (int k = 0; k < 3; k++) free(y[k]);
    }
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Check each value with the threshold x: smaller ones become +0, nothing else changes. */
#define CHECK_VALUES(NAME, VALUE, NEXT)                                                        \
    static void check_values_##NAME(const char *isa, VALUE x) {                                \
        enum { VALUES = 14, COUNT = 100 * VALUES };                                            \
        const VALUE inf = (VALUE)INFINITY, tiny = NEXT(0, 1), below = NEXT(x, 0);              \
        const VALUE values[VALUES] = {x, -x, below, -below, NEXT(x, inf), -NEXT(x, inf), tiny, \
            -tiny, 0, -(VALUE)0, inf, -inf, (VALUE)NAN, 3};                                    \
        const int is_tiny[VALUES] = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};                \
        VALUE y[COUNT], right[COUNT], thresholds_of_all[COUNT];                                \
        for (int i = 0; i < COUNT; i++) {                                                      \
            thresholds_of_all[i] = i < COUNT / 2 ? x : 0;                                      \
            y[i] = values[i % VALUES];                                                         \
            right[i] = is_tiny[i % VALUES] && i < COUNT / 2 ? 0 : y[i];                        \
        }                                                                                      \
        ecl_flush_for(isa, sizeof(VALUE))(y, thresholds_of_all, COUNT - 1);                    \
        ck_assert_msg(                                                                         \
            !memcmp(y, right, (COUNT - 1) * sizeof *y), "%s, %zu bytes", isa, sizeof(VALUE));  \
    }
CHECK_VALUES(f32, float, nextafterf)
CHECK_VALUES(f64, double, nextafter)

START_TEST(tiny_values) {
    for (uint32_t k = 0;; k++) {
        const struct ode_kernels *kernels = test_problem_forced_wave.each_kernels(sizeof(float), k);
        if (!kernels) return;
        check_values_f32(kernels->isa, 1e-15f);
        check_values_f32(kernels->isa, 1);
        check_values_f64(kernels->isa, 1e-100);
        check_values_f64(kernels->isa, 1);
    }
}
END_TEST

/* Steps that no tile in registers has room for, or whose coefficients are more than the arguments
 * of a kernel can hold, are cut into sections: carried values go through memory. */
static const struct {
    const struct ode_problem *problem;
    int64_t n;
    const char *method, *variant;
    int stages, flush;
    enum eulercl_precision precision;
} in_sections[] = {
    {&test_problem_forced_wave, 1502, "rkl2", "group", 201, NOT_FLUSHED, EULERCL_DOUBLE},
    {&test_problem_string_thesis4, 4000, "rock4", "group", 142, AS_OPTION, EULERCL_FLOAT},
    {&test_problem_heat_fields, 20006, "rock2", "group-local", 57, AS_PROBLEM, EULERCL_FLOAT},
    {&test_problem_tide, 20000, "rkl2", "group", 45, AS_OPTION, EULERCL_DOUBLE},
    /* The body of a step by pipelines, the tail by a plane: a grid of several strips and one of a
     * single strip, periodic, radius 2. */
    {&test_problem_torus, 1512, "rock2", "pipeline", 20, AS_OPTION, EULERCL_FLOAT},
    {&test_problem_mirror2, 400, "rock4", "pipeline", 26, NOT_FLUSHED, EULERCL_DOUBLE},
    {&test_problem_heat_fields, 9002, "rock2", "pipeline", 13, AS_PROBLEM, EULERCL_DOUBLE},
    /* The tail begins where no carried value is needed. */
    {&test_problem_torus, 1512, "rock4", "pipeline", 20, NOT_FLUSHED, EULERCL_FLOAT},
    /* A body without a tail and one with it; and sections of the same stages by planes. */
    {&test_problem_torus, 1512, "rkc4", "pipeline", 24, AS_OPTION, EULERCL_FLOAT},
    {&test_problem_mirror2, 400, "rkc4", "pipeline", 20, AS_PROBLEM, EULERCL_DOUBLE},
    {&test_problem_torus, 1512, "rkc4", "group", 64, NOT_FLUSHED, EULERCL_FLOAT},
    /* The stages of a section, and whether values enter it and leave it, are arguments. */
    {&test_problem_torus, 1512, "rkc4", "group-any", 64, NOT_FLUSHED, EULERCL_FLOAT},
    {&test_problem_mirror2, 400, "rock4", "group-any", 26, AS_PROBLEM, EULERCL_DOUBLE},
};

/* ---- stages of one shape ---- */

/* The first stage of a body has the bits of the method's own, whatever U, F and the carried values
 * of the step before are. */
static void check_first(const struct method *m, const struct body *body) {
    const float values[] = {0, -0.0f, 1.5f, -1e-30f, 3e-39f, 7e30f, (float)INFINITY};
    const int count = sizeof values / sizeof *values;
    struct method first = *m;
    union ecl_stage stage, alike;
    first.table = &body->first;
    first.stages = 1;
    first.arrays = body->arrays;
    ecl_stage_of(m, 0, 0.3, sizeof(float), &stage);
    ecl_stage_of(&first, 0, 0.3, sizeof(float), &alike);
    for (int k = 0; k < count * count; k++) {
        const float u = values[k / count], f = values[k % count];
        float x[ODE_MOST_ARRAYS_] = {u}, y[ODE_MOST_ARRAYS_] = {u};
        for (int i = 1; i < body->arrays; i++) {
            x[i] = values[(k + i) % count];
            y[i] = body->begins_as_solution >> i & 1 ? u : -0.0f;
        }
        ode_update_f32(&stage.f32, body->arrays, 0, f, x);
        ode_update_f32(&alike.f32, body->arrays, 0, f, y);
        ck_assert_msg(!memcmp(x, y, (size_t)body->arrays * sizeof *x), "%s, u = %g, f = %g",
            m->name, (double)u, (double)f);
    }
}

START_TEST(bodies_begin_alike) {
    for (int f = 0; ecl_methods[f]; f++) {
        const struct method_family *const family = ecl_methods[f];
        const int is_rock2 = !strcmp(family->name, "rock2"),
                  is_rock4 = !strcmp(family->name, "rock4"),
                  is_rkc4 = !strcmp(family->name, "rkc4");
        for (int estimates = 0; estimates < 2; estimates++)
            for (int stages = 1; stages <= family->most; stages += 3) {
                struct method *m;
                if (ecl_method_create(
                        family, stages, estimates ? ESTIMATES : NO_ESTIMATES, &m, &error))
                    continue;
                const struct body body = ecl_find_body(m);
                if (body.stages) check_first(m, &body);
                if (is_rkc4) {
                    ck_assert_int_eq(body.arrays, estimates ? 3 : 2);
                    ck_assert_int_eq(body.stages, m->stages);
                }
                for (int k = 1; k < body.stages; k++)
                    ck_assert_int_lt(ecl_carried_into(m, k), body.arrays);
                if (is_rock2) ck_assert_int_eq(body.stages, m->stages > 2 ? m->stages - 1 : 0);
                if (is_rock4 && m->stages > 6 + estimates) {
                    ck_assert_int_eq(body.stages, m->stages - 4 - estimates);
                    ck_assert_int_eq(body.arrays, 2);
                }
                ecl_mem_free(m);
            }
    }
}
END_TEST

START_TEST(steps_in_sections) {
    enum { STEPS = 3 };
    const struct way way = {"cl-register", in_sections[_i].variant, 1},
                     reference = {"seq", NULL, 0};
    struct ode_problem definition = *in_sections[_i].problem;
    eulercl_problem *problem;
    struct system system;
    struct run run;
    struct method *method;
    const struct backend *table;
    eulercl_stats stats = {.struct_size = sizeof stats};
    size_t f = 0;
    double seconds, below[2];
    if (!have_opencl()) return;
    /* Planes take a compiler long, unless one program is for any stages. */
    if (test_level() == QUICK_TESTS && in_sections[_i].problem->grid.rank > 1 &&
        strcmp(way.variant, "group-any"))
        return;
    definition.flush_below = thresholds;
    while (strcmp(ecl_methods[f]->name, in_sections[_i].method)) f++;
    OK(ecl_method_create(ecl_methods[f], in_sections[_i].stages, 0, &method, &error));
    OK(eulercl_problem_create(&definition, &problem, &error));
    OK(eulercl_problem_set_size(problem, in_sections[_i].n, &error));
    OK(ecl_system_create(problem, in_sections[_i].precision, &system, &error));
    set_flush(problem, &system, in_sections[_i].flush, below);
    char *y = zeroed(system.n, system.real_size), *right = zeroed(system.n, system.real_size);
    random_state(y, system.n, system.real_size);
    memcpy(right, y, system.state_bytes);
    const struct batch batch = {.steps = STEPS, .t_base = 0.1, .h = 0.02};
    solve(&system, method, &reference, right, batch.t_base, batch.h, 0, STEPS);
    OK(create(&run, &system, method, &way, &table));
    OK(table->state->write(&run, 0, system.n, y, &error));
    OK(table->steps->step(&run, &batch, &seconds, &error));
    OK(table->state->read(&run, 0, system.n, y, &error));
    SAME(y, right, system.n, system.real_size, "method %s", method->name);
    table->facts(&run, &stats);
    ck_assert_uint_gt(FACT(stats, launches_per_step), 1);
    ck_assert_uint_eq(run.report.launches, STEPS * FACT(stats, launches_per_step));
    table->destroy(&run);
    free(y);
    free(right);
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
    ecl_mem_free(method);
}
END_TEST

/* ---- changes during a run ---- */

/* Changes to other numbers of stages, of which those of rkl2 are more than there was room for; to
 * another family with a program of the same text; to more arrays, and fewer; and to indices of
 * another width for four arrays. */
enum { MOST_CHANGES = 6 };
struct change {
    const char *method;
    int stages, sections; /* sections: 0 if a launch makes whole steps */
};
static const struct change changes[MOST_CHANGES] = {{"rock2", 5, 0}, {"rock2", 9, 0},
    {"bs32", 0, 0}, {"rkl2", 70, 0}, {"heun", 0, 0}, {"dp54", 0, 0}};
/* Steps in two sections with three arrays between them, then in four, which need a second buffer,
 * with one array, and back: the second buffer must have room for all. The number of launches is
 * even, so that the first section writes to the second buffer. Then in more sections. */
static const struct change of_sections[MOST_CHANGES] = {{"rkl2", 14, 2}, {"rock4", 35, 4},
    {"rkl2", 14, 2}, {"bs32", 0, 0}, {"rkl2", 38, 4}, {"rock4", 23, 3}};
static const struct {
    const struct ode_problem *problem;
    struct way way;
    int64_t n; /* 0: the problem's own */
    const struct change *changes;
} changing[] = {
    {&test_problem_forced_wave, {"cl-register", "group", 1}, 1502, of_sections},
    {&test_problem_string, {"cl-row-diamond", "vector", 1}, 0, changes},
    {&test_problem_heat_fields, {"cl-honeycomb", "scalar", 1}, 0, changes},
    {&test_problem_bruss2d, {"cl-column-diamond", "vector", 1}, 0, changes},
    {&test_problem_bruss2d, {"cl-linear", "vector", 1}, 0, changes},
    {&test_problem_bruss2d, {"cl-row-diamond", "scalar", 1}, 0, changes},
    {&test_problem_string, {"cl-column-diamond", "scalar", 1}, 0, changes},
    {&test_problem_string, {"cl-honeycomb", "vector", 1}, 0, changes},
    {&test_problem_string, {"cl-linear", "chunked", 1}, 0, changes},
};
enum { CHANGING = sizeof changing / sizeof *changing };

START_TEST(methods_change) {
    static const struct way reference = {"seq", NULL, 0};
    const enum eulercl_precision precision = _i % 2 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    struct ode_problem definition = *changing[_i].problem;
    eulercl_problem *problem;
    struct system system;
    struct run runs[2];
    struct method *methods_of_run[MOST_CHANGES];
    const struct backend *tables[2];
    double below[2], seconds;
    const int64_t wide_from = ecl_diamond_wide_from;
    const struct change *const list = changing[_i].changes;
    int count = 0;
    if (!have_opencl() || (test_level() == QUICK_TESTS && _i > 4)) return;
    definition.flush_below = thresholds;
    OK(eulercl_problem_create(&definition, &problem, &error));
    if (changing[_i].n) OK(eulercl_problem_set_size(problem, changing[_i].n, &error));
    OK(ecl_system_create(problem, precision, &system, &error));
    set_flush(problem, &system, _i % FLUSHES, below);
    set_tolerance(&system);
    const int64_t n = system.n;
    ecl_diamond_wide_from = 4 * n;
    char *y[2] = {zeroed(n, system.real_size), zeroed(n, system.real_size)};
    random_start((uint64_t)_i);
    random_state(y[0], n, system.real_size);
    for (; count < MOST_CHANGES && list[count].method; count++)
        methods_of_run[count] = make_method(list[count].method, list[count].stages);
    for (int k = 0; k < 2; k++) {
        OK(create(
            &runs[k], &system, methods_of_run[0], k ? &reference : &changing[_i].way, &tables[k]));
        OK(tables[k]->state->write(&runs[k], 0, n, y[0], &error));
    }
    for (int m = 0; m < count; m++) {
        const struct batch batch = {.first_step = m, .steps = 3, .t_base = 0.1, .h = 0x1p-12};
        eulercl_stats stats = {.struct_size = sizeof stats};
        for (int k = 0; k < 2; k++) {
            runs[k].system.method = methods_of_run[m];
            if (m) OK(tables[k]->steps->change_method(&runs[k], &error));
            OK(tables[k]->steps->step(&runs[k], &batch, &seconds, &error));
            OK(tables[k]->state->read(&runs[k], 0, n, y[k], &error));
        }
        SAME(y[0], y[1], n, system.real_size, "%s %s: change %d, to %s", changing[_i].way.backend,
            changing[_i].way.variant, m, list[m].method);
        ck_assert_int_eq(runs[0].report.worst_error, runs[1].report.worst_error);
        tables[0]->facts(&runs[0], &stats);
        ck_assert_uint_eq(FACT(stats, launches_per_step), (uint64_t)list[m].sections);
    }
    ecl_diamond_wide_from = wide_from;
    for (int k = 0; k < 2; k++) {
        tables[k]->destroy(&runs[k]);
        free(y[k]);
    }
    for (int m = 0; m < count; m++) ecl_mem_free(methods_of_run[m]);
    ecl_mem_free(system.flush.reals);
    ecl_mem_free(system.lane_flush.reals);
    system.flush.reals = system.lane_flush.reals = NULL;
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* With this number of work-items three arrays of the system are within the reach of an int, and
 * four are not. Nothing is launched: the arguments are set when the method is changed, and drivers
 * that check their sizes refuse those of the wrong width. */
START_TEST(indices_widen) {
    enum { N = 150, ITEMS = 128 };
    eulercl_problem *problem;
    eulercl_options options;
    struct system system;
    struct run run;
    const struct backend *table;
    const struct way way = {"cl-linear", "vector", 1};
    if (!have_opencl()) return;
    struct method *const three = make_method("rock2", 5), *const four = make_method("dp54", 0);
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, N, &error));
    OK(ecl_system_create(problem, EULERCL_FLOAT, &system, &error));
    options_for(&options, &way, EULERCL_FLOAT);
    GIVE(&options, workgroup_size, ITEMS);
    GIVE(&options, workgroups, (INT32_MAX - 3 * N) / (4 * ITEMS));
    OK(create_with(&run, &system, three, &way, &options, &table));
    for (int k = 0; k < 2; k++) {
        char *source;
        run.system.method = k ? three : four;
        OK(table->steps->change_method(&run, &error));
        OK(table->source(&run, &source, &error));
        ck_assert_msg(
            (strstr(source, "#define ODE_INDEX long") != NULL) == !k, "%d: %.60s", k, source);
        ecl_mem_free(source);
    }
    table->destroy(&run);
    ecl_mem_free(three);
    ecl_mem_free(four);
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Persistent tiles that never wait give up at the first exchange, and are not tried again after a
 * change of the method. Two programs of a plane: not in make check. */
START_TEST(tiles_give_up_once) {
    enum { M = 28, STEPS = 4 };
    static const struct way way = {"cl-register", "group", 1}, reference = {"seq", NULL, 0};
    eulercl_problem *problem;
    eulercl_options options;
    struct system system;
    struct run runs[2];
    const struct backend *tables[2];
    const int patience = ecl_register_patience;
    double seconds;
    if (!have_opencl() || test_level() == QUICK_TESTS) return;
    struct method *const methods_of_run[] = {make_method("heun", 0), make_method("midpoint", 0)};
    OK(eulercl_problem_create(&test_problem_bruss2d, &problem, &error));
    OK(eulercl_problem_set(problem, "m", M, &error));
    OK(ecl_system_create(problem, EULERCL_FLOAT, &system, &error));
    set_tolerance(&system);
    const int64_t n = system.n;
    float *const y[] = {zeroed(n, sizeof(float)), zeroed(n, sizeof(float))};
    random_state(y[0], n, sizeof(float));
    options_for(&options, &way, EULERCL_FLOAT);
    GIVE(&options, persistent, 1);
    GIVE(&options, points_per_item, 7);
    GIVE(&options, rows_per_item, 4);
    GIVE(&options, workgroup_rows, 5);
    GIVE(&options, workgroup_size, 20);
    GIVE(&options, steps_per_launch, 1);
    ecl_register_patience = 0;
    OK(create_with(&runs[0], &system, methods_of_run[0], &way, &options, &tables[0]));
    OK(create(&runs[1], &system, methods_of_run[0], &reference, &tables[1]));
    for (int k = 0; k < 2; k++) OK(tables[k]->state->write(&runs[k], 0, n, y[0], &error));
    for (int m = 0; m < 2; m++) {
        const struct batch batch = {.first_step = m * STEPS, .steps = STEPS, .h = 0x1p-16};
        eulercl_stats stats = {.struct_size = sizeof stats};
        const uint64_t launches = runs[0].report.launches;
        for (int k = 0; k < 2; k++) {
            runs[k].system.method = methods_of_run[m];
            if (m) OK(tables[k]->steps->change_method(&runs[k], &error));
            OK(tables[k]->steps->step(&runs[k], &batch, &seconds, &error));
            OK(tables[k]->state->read(&runs[k], 0, n, y[k], &error));
        }
        SAME(y[0], y[1], n, sizeof(float), "method %s", methods_of_run[m]->name);
        tables[0]->facts(&runs[0], &stats);
        ck_assert_uint_eq(FACT(stats, tiles), 2);
        ck_assert_uint_eq(FACT(stats, persistent), 0);
        if (m) ck_assert_uint_eq(runs[0].report.launches, launches + STEPS); /* no useless launch */
    }
    ecl_register_patience = patience;
    for (int k = 0; k < 2; k++) {
        tables[k]->destroy(&runs[k]);
        ecl_mem_free(methods_of_run[k]);
        free(y[k]);
    }
    ecl_system_destroy(&system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* The values that a stage reads and writes (struct ode_stage). The last stage leaves the estimate
 * as it is, which is compared. The second one replaces P1 of the positions without reading it, and
 * writes P1 of the velocities back. */
START_TEST(uses_of_values) {
    static const struct stage table[] = {
        {.a = {{1}, {1}, {1}}, .b = {1, 1, 1}},
        {.a = {{1}, {1}, {0, 0, 1}}, .b = {1}, .components = STAGE_POSITIONS},
        {.a = {{0, 1}, {1}, {0, 0, 1}}, .b = {1}},
    };
    static const int reads[] = {1, 3, 7}, writes[] = {7, 3, 1};
    const struct method method = {
        .name = "kept", .stages = 3, .arrays = 3, .estimate = 2, .table = table};
    for (int s = 0; s < 3; s++) {
        union ecl_stage stage;
        ecl_stage_of(&method, s, 0.5, sizeof(double), &stage);
        ck_assert_int_eq(stage.f64.reads, reads[s]);
        ck_assert_int_eq(stage.f64.writes, writes[s]);
    }
}
END_TEST

/* Levels are counted in 64 bits, and a step has several. */
START_TEST(steps_that_are_too_many) {
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver;
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
    options.method = "rk4";
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    EXPECT_WORDS(
        EULERCL_INVALID, "invalid step count", eulercl_advance(solver, INT64_MAX / 4 + 1, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(steps_that_are_too_many);
    ADD(uses_of_values);
    ADD(indices_widen);
    ADD(tiles_give_up_once);
    ADD_LOOP(methods_change, CHANGING);
    ADD_LOOP(same_bits, 2);
    ADD(staggered_grids);
    ADD(tiny_values);
    ADD(orders);
    ADD(bodies_begin_alike);
    ADD_LOOP(steps_in_sections, sizeof in_sections / sizeof *in_sections);
}

int main(void) { return run_tests("method", add); }
