/* SPDX-License-Identifier: BSD-2-Clause */
/* test_interface_options.c - the promises of eulercl.h about options, backends and devices. */
#include "config.h"
#include "interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void bad_precision(eulercl_options *o) { o->precision = (enum eulercl_precision)2; }
static void bad_h_zero(eulercl_options *o) { o->h = 0; }
static void bad_h_negative(eulercl_options *o) { o->h = -1e-3; }
static void bad_h_nan(eulercl_options *o) { o->h = NAN; }
static void bad_h_infinite(eulercl_options *o) { o->h = INFINITY; }
static void bad_h_float_zero(eulercl_options *o) {
    o->h = 1e-60;
    o->precision = EULERCL_FLOAT;
}
static void bad_h_float_infinite(eulercl_options *o) {
    o->h = 1e60;
    o->precision = EULERCL_FLOAT;
}
static void bad_t0_nan(eulercl_options *o) { o->t0 = NAN; }
static void bad_t0_infinite(eulercl_options *o) { o->t0 = -INFINITY; }
static void bad_method(eulercl_options *o) { o->method = "Euler"; }
static void bad_flush_negative(eulercl_options *o) { o->flush_below = -2; }
static void bad_flush_nan(eulercl_options *o) { o->flush_below = NAN; }
static void bad_flush_infinite(eulercl_options *o) { o->flush_below = INFINITY; }
static void bad_flush_in_float(eulercl_options *o) {
    o->precision = EULERCL_FLOAT;
    o->flush_below = 1e300;
}
static void bad_stages(eulercl_options *o) { o->stages = -1; }
static void bad_stages_of_euler(eulercl_options *o) { o->stages = 2; }
static void bad_stages_of_rk4(eulercl_options *o) {
    o->method = "rk4";
    o->stages = 5;
}
static void bad_stages_too_many(eulercl_options *o) {
    o->method = "rkl2";
    o->stages = 100000;
}
static void bad_observer_steps(eulercl_options *o) { o->observer_steps = -1; }
static void bad_context(eulercl_options *o) { o->cl_context = o; }
static void bad_queue(eulercl_options *o) { o->cl_queue = o; }
static void bad_size(eulercl_options *o) { o->struct_size = 0; }
static void bad_short(eulercl_options *o) { o->struct_size = 16; }
static void bad_long(eulercl_options *o) { o->struct_size = SIZE_MAX; }
static void bad_backend(eulercl_options *o) { o->backend = "cuda"; }
static void bad_backend_empty(eulercl_options *o) { o->backend = ""; }
static void bad_variant(eulercl_options *o) { GIVE_NAME(o, variant, "stream"); }
static void bad_tuning(eulercl_options *o) { memset(o->tuning, 0x7f, sizeof o->tuning); }
static void (*const bad_options[])(eulercl_options *) = {
    bad_precision,
    bad_h_zero,
    bad_h_negative,
    bad_h_nan,
    bad_h_infinite,
    bad_h_float_zero,
    bad_h_float_infinite,
    bad_t0_nan,
    bad_t0_infinite,
    bad_method,
    bad_flush_negative,
    bad_flush_nan,
    bad_flush_infinite,
    bad_flush_in_float,
    bad_stages,
    bad_stages_of_euler,
    bad_stages_of_rk4,
    bad_stages_too_many,
    bad_observer_steps,
    bad_context,
    bad_queue,
    bad_size,
    bad_short,
    bad_long,
    bad_backend,
    bad_backend_empty,
    bad_variant,
    bad_tuning,
};

/* A bad value of an option or a tuning parameter is rejected, and leaves the options as they were.
 */
static const struct {
    const char *key, *value, *words;
} bad_values[] = {
    {"threads", "0", "threads must be a whole number from 1 to 4096, or auto"},
    {"threads", "4097", "threads must be"},
    {"threads", "-1", "threads must be"},
    {"threads", "", "threads must be"},
    {"threads", "2 ", "threads must be"},
    {"threads", " 2", "threads must be"},
    {"threads", "2.5", "threads must be"},
    {"threads", "1e400", "threads must be"},
    {"threads", "18446744073709551617", "threads must be"},
    {"workgroup_size", "2147483648", "workgroup_size must be"},
    {"workgroups", "9223372036854775807", "workgroups must be"},
    {"dia_blocks", "1048577", "dia_blocks must be"},
    {"honeycomb_steps", "524289", "honeycomb_steps must be a whole number from 0 to 524288"},
    {"honeycomb_steps", "-1", "honeycomb_steps must be"},
    {"pin_threads", "2", "pin_threads must be"},
    {"uncached", "2", "uncached must be 0 or 1"},
    {"uncached", "-1", "uncached must be 0 or 1"},
    {"distribution", "sub", "distribution must be one of mult, add, corr, auto"},
    {"distribution", "", "distribution must be"},
    {"storage", "shared", "storage must be one of local, global, column, auto"},
    {"variant", "fast", "variant: no backend has this one"},
    {"variant", "", "variant: no backend"},
    {"observer", "1", "no option is called 'observer'"},
    {"", "1", "no option"},
    {"h", "0", "h: '0' is not greater than 0"},
    {"h0", "inf", "h0: 'inf' is not a finite number"},
    {"t0", "1 ", "t0: '1 ' is not a finite number"},
    {"flush_below", "-1", "flush_below: '-1' is not a number >= 0"},
    {"stages", "0", "stages: '0' is not a whole number from 1 to 2147483647"},
    {"device_memory", "1.5", "device_memory: '1.5' is not a whole number"},
    {"check_finite", "2", "check_finite: '2' is not a whole number from 0 to 1"},
    {"precision", "half", "precision: 'half' is neither float nor double"},
    {"method", "rk5", "unknown method 'rk5'"},
    {"controller", "pid", "unknown controller 'pid' (known: pi, i, h211b)"},
};

START_TEST(tuning_out_of_range) {
    eulercl_options options, before;
    eulercl_options_init(&options);
    GIVE(&options, threads, 3);
    before = options;
    EXPECT_WORDS(EULERCL_INVALID, bad_values[_i].words,
        eulercl_options_set(&options, bad_values[_i].key, bad_values[_i].value, &error));
    ck_assert_int_eq(eulercl_options_set(&options, bad_values[_i].key, bad_values[_i].value, NULL),
        EULERCL_INVALID);
    ck_assert_mem_eq(&options, &before, sizeof options);
}
END_TEST

/* Every parameter: its bounds and names are taken and come back, "auto" unsets it. */
START_TEST(tuning_is_listed) {
    eulercl_tuning_info info = {.struct_size = sizeof info};
    size_t count = 0;
    for (; !eulercl_get_tuning(count, &info, NULL); count++) {
        const char *const names[] = {"vector", NULL};
        char least[24], most[24], value[64];
        const char *const bounds[] = {least, most, NULL};
        eulercl_options options, unset;
        eulercl_options_init(&options);
        unset = options;
        ck_assert(*info.key && *info.doc && *info.backends && info.unit && info.default_text);
        snprintf(least, sizeof least, "%lld", (long long)info.least);
        snprintf(most, sizeof most, "%lld", (long long)info.most);
        const char *const *values = info.kind != EULERCL_CHOICE ? bounds
                                    : info.choices              ? info.choices
                                                                : names;
        for (; *values; values++) {
            OK(eulercl_options_set(&options, info.key, *values, &error));
            OK(eulercl_options_get(&options, info.key, value, sizeof value, &error));
            ck_assert_str_eq(value, *values);
            OK(eulercl_options_verify(&options, &error));
        }
        OK(eulercl_options_set(&options, info.key, _i ? "auto" : NULL, &error));
        OK(eulercl_options_get(&options, info.key, value, sizeof value, &error));
        ck_assert_str_eq(value, info.kind == EULERCL_SWITCH ? "0" : "auto");
        ck_assert_mem_eq(&options, &unset, sizeof options);
        EXPECT(EULERCL_INVALID, eulercl_options_get(&options, info.key, value, 1, &error));
    }
    ck_assert_uint_gt(count, 0);
    EXPECT(EULERCL_INVALID, eulercl_get_tuning(count, &info, &error));
}
END_TEST

/* Every other option: a value is taken and comes back, and NULL sets the default. What refers to
 * the caller's memory is a field alone. */
START_TEST(options_are_listed) {
    static const char *const fields_alone[] = {"observer", "observer_user", "cl_context",
        "cl_queue", "breakpoints", "breakpoint_count", "atols", "atol_count", "tuning",
        "struct_size"};
    static const struct {
        const char *name, *value;
    } names[] = {{"precision", "float"}, {"method", "rk4"}, {"controller", "h211b"}};
    eulercl_option_info info = {.struct_size = sizeof info};
    size_t count = 0;
    eulercl_options options, unset;
    eulercl_options_init(&options);
    unset = options;
    for (; !eulercl_get_option(count, &info, NULL); count++) {
        const char *given = info.kind == EULERCL_NAME ? "path/of a file" : "1";
        char value[64], number[24];
        snprintf(number, sizeof number, "%lld", (long long)info.most);
        if (info.kind == EULERCL_NUMBER) given = number;
        for (int i = 0; i < COUNT(names); i++)
            if (!strcmp(names[i].name, info.name)) given = names[i].value;
        ck_assert(*info.doc && info.word && info.default_text);
        OK(eulercl_options_set(&options, info.name, given, &error));
        OK(eulercl_options_get(&options, info.name, value, sizeof value, &error));
        ck_assert_str_eq(value, given);
        if (strcmp(info.name, "check_finite") != 0)
            ck_assert_mem_ne(&options, &unset, sizeof options);
        EXPECT(EULERCL_INVALID, eulercl_options_get(&options, info.name, value, 1, &error));
        OK(eulercl_options_set(&options, info.name, NULL, &error));
        ck_assert_mem_eq(&options, &unset, sizeof options);
    }
    /* A program that was compiled for fewer options. */
    options.struct_size = offsetof(eulercl_options, steady);
    EXPECT_WORDS(EULERCL_INVALID, "do not have steady",
        eulercl_options_set(&options, "steady", "1", &error));
    for (int i = 0; i < COUNT(fields_alone); i++)
        EXPECT(EULERCL_INVALID, eulercl_options_set(&options, fields_alone[i], "1", &error));
    ck_assert_uint_gt(count, 20);
}
END_TEST

/* Options of tiles mean nothing to other backends, whatever the values. */
START_TEST(options_at_their_bounds) {
    static const char *const distributions[] = {NULL, "auto", "mult", "add", "corr"},
                             *const storages[] = {NULL, "local", "global", "column"};
    eulercl_problem *problem = open_size("string", 20);
    for (int i = 0; i < 20; i++) {
        eulercl_options options;
        options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_DOUBLE);
        GIVE(&options, dia_blocks, i % 3 ? (uint64_t)(i % 3 == 1) : (uint64_t)1 << 20);
        GIVE(&options, honeycomb_steps, i % 2 ? (int64_t)1 << 19 : i % 4 ? 0 : -1);
        GIVE_NAME(&options, distribution, distributions[i % 5]);
        GIVE_NAME(&options, storage, storages[i % 4]);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats stats = stats_of(solver);
        ck_assert(!*FACT_TEXT(stats, storage) && !*FACT_TEXT(stats, distribution) && !*stats.note &&
                  !FACT(stats, tiles) && !FACT(stats, dia_blocks) && !FACT(stats, block_size) &&
                  !FACT(stats, local_bytes));
        ck_assert(stats.steps_per_launch == 1 && !FACT(stats, global_bytes) &&
                  !FACT(stats, redundant_component_steps));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Fill the stack that the next function begins with. */
static __attribute__((noinline)) void fill_stack(void) {
    volatile unsigned char memory[8192];
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = 0x5a;
}

START_TEST(options_are_verified) {
    eulercl_options options;
    eulercl_options_init(&options);
    OK(eulercl_options_verify(&options, &error));
    options.h = -1;
    fill_stack();
    EXPECT_WORDS(EULERCL_INVALID, "step size", eulercl_options_verify(&options, &error));
    options.h = 1;
    options.backend = "none";
    EXPECT_WORDS(
        EULERCL_INVALID, "unknown backend 'none'", eulercl_options_verify(&options, &error));
}
END_TEST

START_TEST(options_out_of_range) {
    eulercl_problem *problem = open_size("string", 20);
    eulercl_solver *solver = NULL;
    eulercl_options options;
    double y[LENGTH];
    eulercl_options_init(&options);
    options.backend = "seq";
    bad_options[_i](&options);
    fill(y);
    EXPECT(EULERCL_INVALID, eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    EXPECT(EULERCL_INVALID, eulercl_solve(problem, &options, 1, y, NULL, &error));
    UNTOUCHED(y);
    ck_assert_int_eq(eulercl_solver_create(problem, &options, &solver, NULL), EULERCL_INVALID);
    eulercl_problem_destroy(problem);
}
END_TEST

/* An older program's options end earlier; a newer one's have more at the end. Both are taken. */
START_TEST(options_of_other_versions) {
    eulercl_problem *problem = open_size("string", 20);
    union {
        eulercl_options options;
        unsigned char bytes[1024];
    } o;
    for (size_t size = offsetof(eulercl_options, device); size <= sizeof(eulercl_options) + 64;
         size += _Alignof(eulercl_options)) {
        memset(&o, 0x5A, sizeof o);
        eulercl_options_init_size(&o.options, size);
        const size_t known = size < sizeof o.options ? size : sizeof o.options;
        ck_assert_uint_eq(o.options.struct_size, known);
        for (size_t i = known; i < sizeof o; i++)
            ck_assert_msg(o.bytes[i] == 0x5A, "byte %zu of a struct of %zu", i, size);
        o.options.backend = "seq";
        o.options.h = 0.25;
        o.options.struct_size = size;
        eulercl_solver *solver = make(problem, &o.options);
        OK(eulercl_advance(solver, 1, &error));
        ck_assert(stats_of(solver).t == 0.25);
        eulercl_solver_destroy(solver);
    }
    const size_t wrong[] = {0, 1, 16, offsetof(eulercl_options, device) - 8,
        offsetof(eulercl_options, device) + 1, sizeof(eulercl_options) + 4, 8192, SIZE_MAX};
    for (int i = 0; i < COUNT(wrong); i++) {
        eulercl_solver *none = NULL;
        o.options.struct_size = wrong[i];
        EXPECT_WORDS(EULERCL_INVALID, "eulercl_options_init first",
            eulercl_solver_create(problem, &o.options, &none, &error));
        ck_assert_ptr_null(none);
    }
    eulercl_solver *solver = make(problem, NULL); /* all defaults */
    ck_assert_str_ne(stats_of(solver).backend, "auto");
    eulercl_solver_destroy(solver);
    eulercl_solver_destroy(NULL);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(backends_are_listed) {
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    const int opencl = have_opencl();
    eulercl_problem *problem = open_size("string", 20);
    size_t b = 0;
    for (; !eulercl_get_backend(b, &backend, &error); b++) {
        ck_assert(backend.name && backend.doc && *backend.doc && backend.variants);
        if (backend.is_opencl && !opencl) continue;
        eulercl_options options;
        options_for(&options, &(struct way){backend.name, NULL, 0}, EULERCL_DOUBLE);
        eulercl_solver *solver = make(problem, &options);
        const eulercl_stats stats = stats_of(solver);
        ck_assert_str_eq(stats.backend, backend.name);
        /* The default may leave it to the library. */
        size_t v = 0;
        while (backend.variants[v] && strcmp(backend.variants[v], stats.variant)) v++;
        ck_assert(backend.variants[v] || (!v && !*stats.variant));
        ck_assert_int_eq(stats.n, 20);
        ck_assert_int_eq(stats.threads != 0, !backend.is_opencl);
        ck_assert_int_eq(
            FACT(stats, workgroup_size) && FACT(stats, workgroups) && stats.device_id[0],
            backend.is_opencl);
        ck_assert(stats.device[0] && stats.device_bytes >= 2 * 20 * sizeof(double) &&
                  stats.precision == EULERCL_DOUBLE);
        void *buffer = pattern;
        if (!backend.is_opencl)
            EXPECT(EULERCL_UNSUPPORTED, eulercl_borrow_buffer(solver, &buffer, &error));
        if (!backend.is_opencl) ck_assert_ptr_eq(buffer, pattern);
        eulercl_solver_destroy(solver);
    }
    ck_assert_uint_ge(b, 6);
    ck_assert_int_eq(error.code, EULERCL_INVALID);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(devices_are_chosen) {
    eulercl_problem *problem = open_size("string", 20);
    eulercl_options options;
    eulercl_solver *solver = NULL;
    eulercl_device_info device = {.struct_size = sizeof device};
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    options.device = "no such device";
    EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
    options.device = "99:0";
    EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
    EXPECT(EULERCL_NO_DEVICE, eulercl_get_device(100000, &device, &error));
    if (have_opencl())
        for (size_t d = 0; !eulercl_get_device(d, &device, &error); d++) {
            ck_assert(device.name[0] && device.platform[0] && device.compute_units &&
                      device.global_bytes >= device.max_allocation_bytes);
            const char *const words[] = {device.id, device.name,
                device.name + strlen(device.name) / 2, device.is_cpu ? "cpu" : "gpu"};
            for (int i = 0; i < 2 * COUNT(words); i++) {
                options.device =
                    i < COUNT(words) ? words[i] : NULL; /* second round: from the environment */
                if (i >= COUNT(words)) setenv("EULERCL_DEVICE", words[i - COUNT(words)], 1);
                solver = make(problem, &options);
                if (d == 0 && i % COUNT(words) == 0)
                    ck_assert_str_eq(stats_of(solver).device_id, device.id);
                eulercl_solver_destroy(solver);
            }
            setenv("EULERCL_DEVICE", "no such device", 1);
            EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(problem, &options, &solver, &error));
            options.device = device.id; /* the option wins */
            eulercl_solver_destroy(make(problem, &options));
            unsetenv("EULERCL_DEVICE");
            GIVE(&options, workgroup_size, device.max_workgroup_size + 1);
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "work-group",
                eulercl_solver_create(problem, &options, &solver, &error));
            GIVE(&options, workgroup_size, 0);
        }
    eulercl_problem_destroy(problem);
}
END_TEST

/* Steps are counted from the last time that begins a grid of times. */
START_TEST(tiny_values_are_flushed) {
    static const struct {
        const char *method;
        int64_t steps;
    } methods[] = {{"euler", 16}, {"heun", 8}, {"ssprk33", 5}, {"ssp104", 1}};
    const double below = 0.05, h = 0.01;
    eulercl_problem *problem = open_size("string", 40);
    for (int m = 0; m < COUNT(methods); m++) {
        double y[40];
        eulercl_options options;
        eulercl_options_init(&options);
        options.backend = "seq";
        options.h = h;
        options.method = methods[m].method;
        options.flush_below = below;
        eulercl_solver *solver = make(problem, &options);
        OK(eulercl_set_initial_state(solver, &error));
        ck_assert(stats_of(solver).flush_below == below);
        ck_assert_int_eq(stats_of(solver).flush_steps, methods[m].steps);
        for (int part = 0, steps = 0; part < 2; part++, steps = 0) {
            for (int step = 1; step <= 17; step++) {
                int tiny = 0;
                OK(eulercl_advance(solver, 1, &error));
                OK(eulercl_get_state(solver, y, &error));
                for (int i = 0; i < 40; i++) tiny += y[i] != 0 && fabs(y[i]) < below;
                steps += !tiny;
                ck_assert_msg(tiny ? step % methods[m].steps : 1,
                    "%s, part %d: %d tiny values after step %d", options.method, part, tiny, step);
            }
            ck_assert_int_lt(steps, methods[m].steps == 1 ? 18 : 17);
            OK(eulercl_advance_to(solver, stats_of(solver).t + 0.5 * h, NULL, &error));
        }
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(tiny_values_are_flushed);
    ADD(options_at_their_bounds);
    ADD(options_are_verified);
    ADD_LOOP(options_out_of_range, COUNT(bad_options));
    ADD_LOOP(tuning_out_of_range, COUNT(bad_values));
    ADD_LOOP(tuning_is_listed, 2);
    ADD(options_are_listed);
    ADD(options_of_other_versions);
    ADD(backends_are_listed);
    ADD(devices_are_chosen);
}

int main(void) { return run_tests("interface_options", add); }
