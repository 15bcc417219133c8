/* SPDX-License-Identifier: BSD-2-Clause */
/* support.c - see support.h. */
#include "config.h"
#include "support.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

_Thread_local eulercl_error error;

void mark_place(const char *place, int line) {
    static _Thread_local const char *last_place;
    static _Thread_local int last_line;
    if (place == last_place && line == last_line) return;
    last_place = place;
    last_line = line;
    (_mark_point)(place, line);
}

void expect(int line, const char *call, int status, int expected) {
    ck_assert_msg(status == expected, "line %d: %s is %s, not %s%s%s", line, call,
        eulercl_status_name(status), eulercl_status_name(expected), status ? ": " : "",
        status ? error.message : "");
    if (status)
        ck_assert_msg(error.code == status, "line %d: %s: the record has code %d, the status is %d",
            line, call, (int)error.code, status);
}

void expect_words(int line, const char *call, int status, int expected, const char *words) {
    expect(line, call, status, expected);
    ck_assert_msg(strstr(error.message, words) != NULL, "line %d: %s: no '%s' in: %s", line, call,
        words, error.message);
}

/* ---- numbers at random: splitmix64 (Steele, Lea, Flood 2014) ---- */

static uint64_t random_now;

uint64_t seed(void) {
    const char *wanted = getenv("EULERCL_TEST_SEED");
    return wanted && *wanted ? strtoull(wanted, NULL, 0) : 2012;
}

int test_level(void) {
    const char *level = getenv("EULERCL_TEST_LEVEL");
    if (!level || !*level) return QUICK_TESTS;
    if (!strcmp(level, "long")) return LONG_TESTS;
    if (!strcmp(level, "all")) return ALL_TESTS;
    fprintf(stderr, "EULERCL_TEST_LEVEL is %s, neither long nor all\n", level);
    exit(99); /* make check: the tests cannot run */
}

int is_left_out(const struct way *way, size_t turn, enum eulercl_precision precision) {
    return way->is_opencl && test_level() == QUICK_TESTS &&
           turn % 2 == (precision == EULERCL_DOUBLE);
}

int64_t cases(int64_t few, int64_t many) {
    const char *wanted = getenv("EULERCL_TEST_CASES");
    if (wanted && *wanted) return strtoll(wanted, NULL, 0);
    switch (test_level()) {
    case ALL_TESTS:
        return many;
    case LONG_TESTS:
        return many / 4 > few ? many / 4 : few;
    default:
        return few;
    }
}

void random_start(uint64_t stream) { random_now = seed() ^ (stream << 32); }

uint64_t random_bits(void) {
    uint64_t x = random_now += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

int64_t random_below(int64_t n) { return (int64_t)(random_bits() % (uint64_t)n); }

eulercl_region random_region(const int64_t extents[3]) {
    eulercl_region region;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t kind = random_below(3);
        region.first[axis] = kind ? random_below(extents[axis]) : 0;
        region.counts[axis] = kind == 0   ? extents[axis]
                              : kind == 1 ? 1
                                          : 1 + random_below(extents[axis] - region.first[axis]);
    }
    return region;
}

double random_real(double a, double b) {
    return a + (b - a) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static void put(void *y, int64_t i, size_t real_size, double value) {
    if (real_size == sizeof(float))
        ((float *)y)[i] = (float)value;
    else
        ((double *)y)[i] = value;
}

void random_state(void *y, int64_t n, size_t real_size) {
    const double tiny = real_size == sizeof(float) ? 0x1p-135 : 0x1p-1040;
    const double special[] = {0.0, -0.0, 1, -1, tiny, -3 * tiny, 0x1p-70, 1.5};
    for (int64_t i = 0; i < n; i++)
        put(y, i, real_size,
            random_below(8) ? random_real(-2, 2)
                            : special[random_below((int64_t)(sizeof special / sizeof *special))]);
}

/* ---- problems and ways to solve them ---- */

int64_t most_points(unsigned rank, int64_t of_line, int64_t of_plane) {
    return rank < 2 ? of_line : rank == 2 ? of_plane : (int64_t)cbrt((double)(of_plane * of_plane));
}

const struct test_problem test_problems[TEST_PROBLEMS] = {
#define TEST_PROBLEM(NAME, BITS) {&test_problem_##NAME, BITS},
#include "problems/problems.def"
#undef TEST_PROBLEM
};

int test_isa_level = ISA_LEVELS - 1;
int test_isa_allows(const char *feature);
int test_isa_allows(const char *feature) {
    return strncmp(feature, "avx512", 6) ? test_isa_level >= 1 : test_isa_level >= 2;
}

int have_opencl(void) {
    eulercl_device_info device = {.struct_size = sizeof device};
    if (!eulercl_get_device(0, &device, &error)) return 1;
    const char *required = getenv("EULERCL_REQUIRE_OPENCL");
    ck_assert_msg(!required || !*required, "EULERCL_REQUIRE_OPENCL is set: %s", error.message);
    fprintf(stderr, "skipped what needs OpenCL: %s\n", error.message);
    return 0;
}

size_t get_ways(struct way *ways, size_t room, int opencl) {
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    size_t count = 0;
    for (size_t b = 0; !eulercl_get_backend(b, &backend, &error); b++) {
        if (backend.is_opencl && !opencl) continue;
        for (size_t v = 0; !v || backend.variants[v]; v++) {
            ck_assert_uint_lt(count, room);
            ways[count++] = (struct way){backend.name, backend.variants[v], backend.is_opencl};
            if (!backend.variants[v]) break;
        }
    }
    return count;
}

int is_for_planes(const struct way *way) {
    return way->variant && (!strcmp(way->variant, "stream") || !strcmp(way->variant, "pipeline") ||
                               !strcmp(way->variant, "group-any"));
}

size_t get_line_ways(struct way *ways, size_t room, int opencl) {
    const size_t all = get_ways(ways, room, opencl);
    size_t count = 0;
    for (size_t w = 0; w < all; w++)
        if (!is_for_planes(&ways[w])) ways[count++] = ways[w];
    return count;
}

int create_somehow(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *why) {
    if (!options || options->struct_size != sizeof *options) /* options of another version */
        return eulercl_solver_create(problem, options, solver, why);
    eulercl_options plain = *options;
    eulercl_tuning_info info = {.struct_size = sizeof info};
    /* Without parameters of other backends. */
    for (size_t k = 0; options->backend && strcmp(options->backend, "auto") &&
                       !eulercl_get_tuning(k, &info, NULL);
         k++)
        if (strcmp(info.key, "variant") && !strstr(info.backends, options->backend))
            eulercl_options_set(&plain, info.key, NULL, NULL);
    const int status = eulercl_solver_create(problem, &plain, solver, why);
    if (status != EULERCL_UNSUPPORTED ||
        (!strstr(why->message, "cannot run with ") && !strstr(why->message, "makes single steps")))
        return status;
    for (const char *const *key =
             (const char *const[]){"variant", "tile_points", "steps_per_launch", NULL};
         *key; key++)
        eulercl_options_set(&plain, *key, NULL, NULL);
    return eulercl_solver_create(problem, &plain, solver, why);
}

int solve_somehow(const eulercl_problem *problem, eulercl_options *options, int64_t steps, void *y,
    eulercl_stats *stats, eulercl_error *why) {
    const int status = eulercl_solve(problem, options, steps, y, stats, why);
    if (status != EULERCL_UNSUPPORTED || !strstr(why->message, "need a larger grid")) return status;
    eulercl_options_set(options, "variant", NULL, NULL);
    return eulercl_solve(problem, options, steps, y, stats, why);
}

void options_for(
    eulercl_options *options, const struct way *way, enum eulercl_precision precision) {
    eulercl_options_init(options);
    options->backend = way->backend;
    GIVE_NAME(options, variant, way->variant);
    options->precision = precision;
}

/* Without Check's assertions, since tests/opencl/races.c runs outside of Check. */
static void must(int status) {
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

static eulercl_tuning_info tuning_of(const char *key) {
    eulercl_tuning_info info = {.struct_size = sizeof info};
    size_t index = 0;
    do must(eulercl_get_tuning(index++, &info, &error));
    while (strcmp(info.key, key));
    return info;
}

void give_number(eulercl_options *options, const char *key, int64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    give_choice(options, key, value < tuning_of(key).least ? NULL : text);
}

void give_choice(eulercl_options *options, const char *key, const char *name) {
    must(eulercl_options_set(options, key, name, &error));
}

int64_t given_number(const eulercl_options *options, const char *key) {
    char text[64];
    must(eulercl_options_get(options, key, text, sizeof text, &error));
    return strcmp(text, "auto") ? strtoll(text, NULL, 10) : tuning_of(key).least - 1;
}

/* The library's own string. */
const char *given_choice(const eulercl_options *options, const char *key) {
    const eulercl_tuning_info info = tuning_of(key);
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    char text[64];
    must(eulercl_options_get(options, key, text, sizeof text, &error));
    for (const char *const *c = info.choices; c && *c; c++)
        if (!strcmp(*c, text)) return *c;
    for (size_t b = 0; !info.choices && !eulercl_get_backend(b, &backend, NULL); b++)
        for (const char *const *v = backend.variants; *v; v++)
            if (strcmp(text, "auto") && !strcmp(*v, text)) return *v;
    return NULL;
}

uint64_t fact_number(eulercl_stats stats, const char *name) {
    const eulercl_fact *fact = eulercl_find_fact(&stats, name);
    if (fact && fact->kind == EULERCL_TEXT) abort();
    return fact ? fact->number : 0;
}

const char *fact_text(eulercl_stats stats, const char *name) {
    const eulercl_fact *fact = eulercl_find_fact(&stats, name);
    if (fact && fact->kind != EULERCL_TEXT) abort();
    return fact ? fact->text : "";
}

int64_t size_of(const eulercl_problem *problem) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(problem, &info, &error));
    return info.n;
}

void *zeroed(int64_t n, size_t real_size) {
    void *memory = calloc((size_t)n + 1, real_size);
    if (!memory) abort();
    return memory;
}

double value_at(const void *y, int64_t i, size_t real_size) {
    return real_size == sizeof(float) ? (double)((const float *)y)[i] : ((const double *)y)[i];
}

int is_finite(const void *y, int64_t n, size_t real_size) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(value_at(y, i, real_size))) return 0;
    return 1;
}

void expect_same(
    int line, const void *a, const void *b, int64_t n, size_t real_size, const char *format, ...) {
    if (!memcmp(a, b, (size_t)n * real_size)) return;
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    int64_t i = 0;
    while (!memcmp((const char *)a + (size_t)i * real_size, (const char *)b + (size_t)i * real_size,
        real_size))
        i++;
    ck_abort_msg("line %d: component %lld of %lld differs, %a and %a: %s (seed %llu)", line,
        (long long)i, (long long)n, value_at(a, i, real_size), value_at(b, i, real_size), what,
        (unsigned long long)seed());
}

int is_in_half(int turn, int count) {
    enum { LONG = 8 };
    const char *const half = getenv("EULERCL_TEST_HALF");
    return !half || !*half || test_level() == ALL_TESTS || count <= LONG ||
           turn / 2 % 2 == (*half != '0'); /* odd turns are often of another kind */
}

int run_tests(const char *name, void (*add)(TCase *tests)) {
    /* The loader reads this at the first OpenCL call. */
    const char *layer = getenv("EULERCL_TEST_LAYER");
    if (layer && *layer) setenv("OPENCL_LAYERS", layer, 1);
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, test_level() == ALL_TESTS ? 3600 : 600); /* seconds */
    add(tests);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    printf("%s: seed %llu\n", name, (unsigned long long)seed());
    fflush(stdout);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
