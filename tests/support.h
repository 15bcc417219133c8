/* SPDX-License-Identifier: BSD-2-Clause */
/* support.h - what the test programs share. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <eulercl/eulercl.h>
#include <eulercl/ode_problem.h>

/* Check's assertions report each place to the parent process, which costs more than the assertions
   themselves if there are millions. So this reports a place only if it is not the last one
   again. */
void mark_place(const char *place, int line);
#define _mark_point(place, line) mark_place(place, line)

/* ---- statuses ---- */

extern _Thread_local eulercl_error error; /* the record that the calls in the tests fill */
void expect(int line, const char *call, int status, int expected);
#define EXPECT(status, call) expect(__LINE__, #call, (call), (status))
#define OK(call) EXPECT(EULERCL_OK, call)
/* That, and the message has the words. */
void expect_words(int line, const char *call, int status, int expected, const char *words);
#define EXPECT_WORDS(status, words, call) expect_words(__LINE__, #call, (call), (status), words)

/* ---- numbers at random: seeded, from EULERCL_TEST_SEED if that is set; a failure prints the seed
 * ---- */

uint64_t seed(void);
enum {
    QUICK_TESTS,
    LONG_TESTS,
    ALL_TESTS
}; /* EULERCL_TEST_LEVEL: unset, long, all; see tests/local.mk */
int test_level(void);
/* The number of random cases: EULERCL_TEST_CASES if that is set, else few in QUICK_TESTS, the
 * larger of few and a third of many in LONG_TESTS, many in ALL_TESTS. */
int64_t cases(int64_t few, int64_t many);
void random_start(uint64_t stream); /* called at the beginning of a test */
uint64_t random_bits(void);
int64_t random_below(int64_t n); /* 0 .. n-1 */
/* A box of grid points: of an axis it has one point, all, or some. */
eulercl_region random_region(const int64_t extents[3]);
double random_real(double a, double b);
void random_state(void *y, int64_t n,
    size_t real_size); /* finite; subnormals and zeros of both signs among them */

/* ---- problems and ways to solve them ---- */

/* The most points along an axis of a random grid, by its dimensions: a line's, a plane's, or so
 * many that a volume has about as many points as a plane. */
int64_t most_points(unsigned rank, int64_t of_line, int64_t of_plane);

#define TEST_PROBLEM(NAME, BITS) extern const struct ode_problem test_problem_##NAME;
#include "problems/problems.def"
#undef TEST_PROBLEM
enum {
#define TEST_PROBLEM(NAME, BITS) TEST_##NAME,
#include "problems/problems.def"
#undef TEST_PROBLEM
    TEST_PROBLEMS,
#define PROBLEM(NAME) +1
    BUILT_IN_PROBLEMS = 0
#include "../lib/problem/problems.def"
#undef PROBLEM
};
extern const struct test_problem {
    const struct ode_problem *definition;
    int bits_guaranteed;
} test_problems[TEST_PROBLEMS];

enum { ISA_LEVELS = 3 };
extern int test_isa_level; /* 0: the plainest code of a problem; 2: the best this processor has */

/* Backend and variant, all there are. `opencl` 0 leaves the OpenCL ones out. */
struct way {
    const char *backend, *variant;
    int is_opencl;
};
/* Whether make check leaves a way out for a precision: OpenCL compilers take most of the time, so
 * such a way has one of the two, by turns. */
int is_left_out(const struct way *way, size_t turn, enum eulercl_precision precision);
size_t get_ways(struct way *ways, size_t room, int opencl);
/* Does it support planes only? */
int is_for_planes(const struct way *way);
size_t get_line_ways(
    struct way *ways, size_t room, int opencl); /* ways that support systems of one dimension */
enum { MAX_WAYS = 64 };

/* Whether there is an OpenCL device. If not, says so; and fails the test where
 * EULERCL_REQUIRE_OPENCL is set. */
int have_opencl(void);

/* Create a solver as eulercl_solver_create does, without tuning parameters of other backends. If a
 * variant of the processor or its tiles cannot run the system, take the backend's default. */
int create_somehow(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *why);
/* eulercl_solve. Where the widest vectors of the processor have no room on the grid, the options
 * lose their variant. */
int solve_somehow(const eulercl_problem *problem, eulercl_options *options, int64_t steps, void *y,
    eulercl_stats *stats, eulercl_error *why);

void options_for(eulercl_options *options, const struct way *way, enum eulercl_precision precision);
/* Tuning parameters of the options. A number below the least one, and NULL, unset them; that is
 * also what is read of an unset one. */
void give_number(eulercl_options *options, const char *key, int64_t value);
void give_choice(eulercl_options *options, const char *key, const char *name);
int64_t given_number(const eulercl_options *options, const char *key);
const char *given_choice(const eulercl_options *options, const char *key);
#define GIVE(options, KEY, value) give_number(options, #KEY, (int64_t)(value))
#define GIVE_NAME(options, KEY, name) give_choice(options, #KEY, name)
#define GIVEN(options, KEY) given_number(options, #KEY)
#define GIVEN_NAME(options, KEY) given_choice(options, #KEY)

/* A fact that stats list; 0 and "" for one that they do not list. */
uint64_t fact_number(eulercl_stats stats, const char *name);
const char *fact_text(eulercl_stats stats, const char *name);
#define FACT(stats, NAME) fact_number(stats, #NAME)
#define FACT_TEXT(stats, NAME) fact_text(stats, #NAME)

int64_t size_of(const eulercl_problem *problem);
void *zeroed(int64_t n, size_t real_size); /* n >= 0 reals; aborts without memory */
double value_at(const void *y, int64_t i, size_t real_size);
int is_finite(const void *y, int64_t n, size_t real_size); /* all of y */
/* Fail, with the first place, unless a and b are the same n reals bit for bit. */
void expect_same(int line, const void *a, const void *b, int64_t n, size_t real_size,
    const char *format, ...) __attribute__((format(printf, 6, 7)));
#define SAME(a, b, n, real_size, ...) expect_same(__LINE__, a, b, n, real_size, __VA_ARGS__)

#define ADD(test) tcase_add_test(tests, test)
/* With EULERCL_TEST_HALF=0 or 1 every second pair of turns of a long loop: another build makes all.
 */
#define ADD_LOOP(test, count)              \
    for (int k = 0; k < (int)(count); k++) \
        if (is_in_half(k, (int)(count))) tcase_add_loop_test(tests, test, k, k + 1)
int is_in_half(int turn, int count);
/* main of every program: `add` adds its tests. They run under the layer of fault_layer.c. */
int run_tests(const char *name, void (*add)(TCase *tests));

#endif
