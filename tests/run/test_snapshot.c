/* SPDX-License-Identifier: BSD-2-Clause */
/* test_snapshot.c - snapshots: the bits of the state that was taken, read by one thread while
 * another one advances the solver. */
#include "config.h"
#include "../support.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 3,
    LONG = 2 * (1 << 20) + 6,
    SHORT = 1234,
    LEGS = 4
}; /* LONG: of parts, the last one short */

static eulercl_solver *solver_of(const struct ode_problem *definition, int64_t n,
    const struct way *way, enum eulercl_precision precision, eulercl_problem **problem) {
    eulercl_options options;
    eulercl_solver *solver = NULL;
    options_for(&options, way, precision);
    OK(eulercl_problem_create(definition, problem, &error));
    OK(eulercl_problem_set_size(*problem, n, &error));
    OK(eulercl_solver_create(*problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    return solver;
}

/* The work of the other thread, with a record of its own, since Check's assertions are for the
 * first thread. */
struct reading {
    eulercl_snapshot *snapshot;
    unsigned char *y;
    size_t real_size;
    int64_t room, count;
    int parts, status;
};

static void *read_all(void *user) {
    struct reading *r = user;
    const void *y;
    int64_t count = 1;
    r->parts = -1; /* the last one is the end */
    r->count = 0;
    for (r->status = EULERCL_OK; !r->status && count; r->parts++) {
        r->status = eulercl_snapshot_next(r->snapshot, &y, &count, NULL);
        if (r->status || count > r->room - r->count) break;
        if (count) memcpy(r->y + (size_t)r->count * r->real_size, y, (size_t)count * r->real_size);
        r->count += count;
    }
    return NULL;
}

/* A backend and its variants at a short system of one or two dimensions; one of each kind at a long
 * one. */
static int64_t size_for(const struct way *way) {
    const char *const long_ones[] = {"cpu", "pthreads", "cl-linear", "cl-register"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(way->backend, long_ones[i]) &&
            (!way->variant || !strcmp(way->variant, "auto") || !strcmp(way->variant, "vector") ||
                !strcmp(way->variant, "group")))
            return LONG;
    return SHORT;
}

START_TEST(bits_of_a_snapshot) {
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    const enum eulercl_precision precision = _i ? EULERCL_DOUBLE : EULERCL_FLOAT;
    const size_t real_size = (size_t)precision;
    size_t long_ones = 0;
    for (size_t w = 0; w < way_count; w++) {
        if (is_left_out(&ways[w], w, precision)) continue;
        const int plane = is_for_planes(&ways[w]);
        const int64_t n = plane ? 1225 : size_for(&ways[w]);
        const struct ode_problem *definition =
            plane ? &test_problem_heat_fields : &test_problem_string;
        eulercl_problem *problem, *same;
        eulercl_solver *solver = solver_of(definition, n, &ways[w], precision, &problem),
                       *plain = solver_of(definition, n, &ways[0], precision, &same);
        eulercl_stats stats = {.struct_size = sizeof stats};
        eulercl_snapshot *snapshot = NULL;
        unsigned char *y = zeroed(n, real_size), *expected = zeroed(n, real_size);
        OK(eulercl_get_stats(solver, &stats, &error));
        const uint64_t bytes = stats.device_bytes;
        OK(eulercl_snapshot_create(solver, &snapshot, &error));
        OK(eulercl_get_stats(solver, &stats, &error));
        ck_assert_uint_eq(stats.device_bytes, bytes + (uint64_t)n * real_size);
        struct reading reading = {.snapshot = snapshot, .y = y, .real_size = real_size, .room = n};
        for (int leg = 0; leg < LEGS; leg++) {
            pthread_t reader;
            OK(eulercl_snapshot_take(snapshot, &error));
            OK(eulercl_get_state(plain, expected, &error));
            ck_assert(!pthread_create(&reader, NULL, read_all, &reading));
            OK(eulercl_advance(solver, 1 + leg, &error));
            ck_assert(!pthread_join(reader, NULL));
            ck_assert_msg(!reading.status && reading.count == n, "%s: %lld of %lld components: %s",
                ways[w].backend, (long long)reading.count, (long long)n,
                eulercl_status_name(reading.status));
            ck_assert_int_eq(reading.parts, n == LONG ? PARTS : 1);
            SAME(y, expected, n, real_size, "%s %s: the snapshot before leg %d", ways[w].backend,
                ways[w].variant ? ways[w].variant : "", leg);
            OK(eulercl_advance(plain, 1 + leg, &error));
        }
        OK(eulercl_get_state(plain, expected, &error));
        OK(eulercl_get_state(solver, y, &error));
        SAME(y, expected, n, real_size, "%s: the solver itself", ways[w].backend);
        eulercl_snapshot_destroy(snapshot);
        OK(eulercl_get_stats(solver, &stats, &error));
        ck_assert_uint_eq(
            stats.device_bytes, bytes + (uint64_t)n * real_size); /* the solver's own copy */
        long_ones += n == LONG;
        free(y);
        free(expected);
        eulercl_solver_destroy(solver);
        eulercl_solver_destroy(plain);
        eulercl_problem_destroy(problem);
        eulercl_problem_destroy(same);
    }
    ck_assert_uint_ge(long_ones, 2);
}
END_TEST

static const struct way few[] = {{"pthreads", NULL, 0}, {"cl-linear", NULL, 1}};
enum { FEW = sizeof few / sizeof *few };

/* Given up in the middle, taken anew, destroyed on the way; two of them at once; the end again and
 * again. */
START_TEST(order_of_calls) {
    if (few[_i].is_opencl && !have_opencl()) return;
    eulercl_problem *problem;
    eulercl_solver *solver =
        solver_of(&test_problem_string, LONG, &few[_i], EULERCL_FLOAT, &problem);
    eulercl_snapshot *snapshot = NULL, *other = NULL;
    float *y = zeroed(LONG, sizeof *y), *z = zeroed(LONG, sizeof *z),
          *expected = zeroed(LONG, sizeof *expected);
    const void *part = solver;
    int64_t count = -5;
    OK(eulercl_snapshot_create(solver, &snapshot, &error));
    EXPECT_WORDS(
        EULERCL_INVALID, "holds no state", eulercl_snapshot_next(snapshot, &part, &count, &error));
    ck_assert(part == solver && count == -5);
    OK(eulercl_snapshot_take(snapshot, &error));
    OK(eulercl_snapshot_next(snapshot, &part, &count, &error));
    ck_assert_int_eq(count, 1 << 20);
    OK(eulercl_advance(solver, 5, &error));
    OK(eulercl_get_state(solver, expected, &error));
    OK(eulercl_snapshot_create(solver, &other, &error));
    OK(eulercl_snapshot_take(snapshot, &error));
    OK(eulercl_snapshot_take(other, &error));
    OK(eulercl_advance(solver, 1, &error));
    struct reading first = {
        .snapshot = snapshot, .y = (unsigned char *)y, .real_size = sizeof *y, .room = LONG};
    struct reading second = {
        .snapshot = other, .y = (unsigned char *)z, .real_size = sizeof *z, .room = LONG};
    pthread_t thread;
    ck_assert(!pthread_create(&thread, NULL, read_all, &first));
    read_all(&second);
    ck_assert(!pthread_join(thread, NULL));
    ck_assert(!first.status && !second.status);
    SAME(y, expected, LONG, sizeof *y, "%s: taken anew", few[_i].backend);
    SAME(z, expected, LONG, sizeof *z, "%s: the other one", few[_i].backend);
    for (int i = 0; i < 3; i++) {
        count = -5;
        OK(eulercl_snapshot_next(snapshot, &part, &count, &error));
        ck_assert_int_eq(count, 0);
    }
    OK(eulercl_snapshot_take(other, &error));
    OK(eulercl_snapshot_next(other, &part, &count, &error));
    eulercl_snapshot_destroy(other);
    eulercl_snapshot_destroy(snapshot);
    eulercl_snapshot_destroy(NULL);
    free(y);
    free(z);
    free(expected);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* An observer takes one at its third call. */
struct watch {
    eulercl_snapshot *snapshot;
    int calls, status;
    double y[SHORT];
};
static int take_third(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    struct watch *watch = user;
    (void)progress;
    if (++watch->calls != 3) return 0;
    watch->status = eulercl_snapshot_take(watch->snapshot, NULL);
    if (!watch->status) watch->status = eulercl_get_state(solver, watch->y, NULL);
    return 0;
}

START_TEST(taken_by_an_observer) {
    if (few[_i].is_opencl && !have_opencl()) return;
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver = NULL;
    double y[SHORT];
    struct watch watch = {.status = -1};
    options_for(&options, &few[_i], EULERCL_DOUBLE);
    options.observer = take_third;
    options.observer_user = &watch;
    options.observer_steps = 2;
    OK(eulercl_problem_create(&test_problem_string, &problem, &error));
    OK(eulercl_problem_set_size(problem, SHORT, &error));
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_snapshot_create(solver, &watch.snapshot, &error));
    OK(eulercl_advance(solver, 20, &error));
    ck_assert_int_eq(watch.status, EULERCL_OK);
    struct reading reading = {
        .snapshot = watch.snapshot, .y = (unsigned char *)y, .real_size = sizeof *y, .room = SHORT};
    read_all(&reading);
    ck_assert(!reading.status && reading.count == SHORT);
    SAME(y, watch.y, SHORT, sizeof *y, "%s: by an observer", few[_i].backend);
    eulercl_snapshot_destroy(watch.snapshot);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(bits_of_a_snapshot, 2);
    ADD_LOOP(order_of_calls, FEW);
    ADD_LOOP(taken_by_an_observer, FEW);
}

int main(void) { return run_tests("snapshot", add); }
