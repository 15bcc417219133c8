/* test_calls.c - what holds for every function of eulercl.h: threads that come first.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "support.h"
#include <pthread.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* ---- threads that come first ---- */

/* The first call of a process sets up the drivers and what the library keeps. Each loop of the test is a process in which several threads come first. */
struct newcomer {
    struct way way;
    double y[20];
    int status;
    eulercl_error error;
    pthread_barrier_t *start;
    pthread_t thread;
};

static void *come_first(void *argument) {
    struct newcomer *n = argument;
    eulercl_problem *problem = NULL;
    eulercl_options options;
    options_for(&options, &n->way, EULERCL_DOUBLE);
    pthread_barrier_wait(n->start);
    n->status = eulercl_problem_open("string", &problem, &n->error);
    if (!n->status) n->status = eulercl_problem_set_size(problem, COUNT(n->y), &n->error);
    if (!n->status) n->status = eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, COUNT(n->y), n->y, &n->error);
    if (!n->status) n->status = eulercl_solve(problem, &options, 10, n->y, NULL, &n->error);
    eulercl_problem_destroy(problem);
    return NULL;
}

static void start_together(struct newcomer *newcomers, int count) {
    pthread_barrier_t start;
    ck_assert(!pthread_barrier_init(&start, NULL, (unsigned)count));
    for (int i = 0; i < count; i++) {
        newcomers[i].start = &start;
        ck_assert(!pthread_create(&newcomers[i].thread, NULL, come_first, &newcomers[i]));
    }
    for (int i = 0; i < count; i++) pthread_join(newcomers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

enum { NEWCOMERS = 8 };
static const char *const first_backends[][NEWCOMERS] = {
    {"cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear", "cl-linear"},      /* all alike meet most often */
    {"cl-linear", "auto", "cl-row-diamond", "pthreads", "cl-register", "auto", "cpu", "pthreads"},
};

START_TEST(first_solvers_at_once) {
    static struct newcomer newcomers[NEWCOMERS], alone = {.way = {"seq", NULL, 0}};
    for (int i = 0; i < NEWCOMERS; i++) {
        const char *backend = first_backends[_i % COUNT(first_backends)][i];
        newcomers[i].way = (struct way){backend, NULL, !strncmp(backend, "cl-", 3)};
    }
    start_together(newcomers, NEWCOMERS);
    const int opencl = have_opencl();
    start_together(&alone, 1);
    for (int i = 0; i < NEWCOMERS; i++) {
        const struct newcomer *n = &newcomers[i];
        if (n->way.is_opencl && !opencl) continue;
        ck_assert_msg(!n->status, "thread %d, %s: %s", i, n->way.backend, n->error.message);
        SAME(n->y, alone.y, COUNT(n->y), sizeof *n->y, "thread %d, %s", i, n->way.backend);
    }
}
END_TEST

static void add(TCase *tests) { ADD_LOOP(first_solvers_at_once, 3 * COUNT(first_backends)); }

int main(void) { return run_tests("calls", add); }
