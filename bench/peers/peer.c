/* SPDX-License-Identifier: BSD-2-Clause */
/* peer.c - see peer.h. */
#include "peer.h"
#include <eulercl/eulercl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, COMPARED_STEPS = 4, PAGE = 4096, MOST_STEPS = 1 << 30 };
static const enum eulercl_precision precision = (enum eulercl_precision)sizeof(real);
static const double timed_h =
    0x1p-20; /* a power of two: libraries that add up the time reach the end of a run exactly */
static eulercl_error error;

void peer_fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

static void must(int status) {
    if (status) peer_fail(status, "libeulercl: %s", error.message);
}

void *peer_allocate(int64_t reals) {
    const size_t bytes = ((size_t)reals * sizeof(real) + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, bytes);
    if (!memory) peer_fail(EULERCL_MEMORY, "cannot allocate %lld reals", (long long)reals);
    return memory;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A state in which every term counts, where the problems' own are smooth: numbers in 0 .. 1 without
 * a pattern, the same in float and double. */
static void fill_rough(real *y, int64_t n) {
    for (int64_t i = 0; i < n; i++) y[i] = (real)((uint32_t)i * 2654435761u >> 8) * (real)0x1p-24;
}

/* A step size that changes the rough state a good deal and is stable. */
static double rough_h(const struct task *task) {
    const double d = 2e-3 * (double)(task->m - 1) * (double)(task->m - 1);
    return task->two_dimensional ? exp2(floor(log2(0.05 / fmax(d, 1)))) : 0x1p-7;
}

/* libeulercl's result. */
static void reference_steps(const eulercl_problem *problem, double h, real *y) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.backend = "seq";
    options.precision = precision;
    options.h = h;
    must(eulercl_solve(problem, &options, COMPARED_STEPS, y, NULL, &error));
}

/* The largest difference to the reference as a share of the reference's largest change; -1: the
 * same bits. */
static double difference(const real *y, const real *reference, int64_t n) {
    double change = 0, wrong = 0;
    if (!memcmp(y, reference, (size_t)n * sizeof *y)) return -1;
    for (int64_t i = 0; i < n; i++) {
        const double start = (real)((uint32_t)i * 2654435761u >> 8) * (real)0x1p-24,
                     off = fabs((double)y[i] - (double)reference[i]);
        change = fmax(change, fabs((double)reference[i] - start));
        if (!(off <= wrong)) wrong = off; /* also NaN */
    }
    return wrong / change;
}

static double time_steps(
    const struct peer *peer, void *self, int64_t steps, const struct peer_team *team) {
    const double start = now();
    peer->advance(self, timed_h, steps);
    const double seconds = now() - start;
    return team ? team->agree(seconds) : seconds;
}

/* The best of three tries counts, since a thread may have waited for its core. */
static int64_t choose_steps(
    const struct peer *peer, void *self, double wanted, const struct peer_team *team) {
    for (int64_t steps = 1;; steps *= 2) {
        double seconds = INFINITY;
        for (int tries = 0; tries < 3 && seconds > wanted / 4; tries++)
            seconds = fmin(seconds, time_steps(peer, self, steps, team));
        if (seconds > wanted / 4 || steps > MOST_STEPS / 8)
            return (int64_t)fmax(4, fmin(wanted / seconds * (double)steps, MOST_STEPS));
    }
}

int peer_main(
    int argc, char **argv, const struct peer *peers, int count, const struct peer_team *team) {
    const double tolerance = sizeof(real) == sizeof(float) ? 1e-6 : 1e-13;
    const int first = !team || team->rank == 0;
    int status = EULERCL_OK;
    char name[16] = "";
    double size = 0;
    if (argc < 4 || argc > 5 || sscanf(argv[1], "%15[^:]:%lf", name, &size) != 2 ||
        (strcmp(name, "string") && strcmp(name, "bruss2d")) ||
        !(size >= 4 && size <= (*name == 's' ? 1e15 : 3e7)) || atoll(argv[2]) < 0 ||
        atoi(argv[3]) < 1 || (argc > 4 && !(atof(argv[4]) > 0)))
        peer_fail(EULERCL_INVALID,
            "usage: %s string:N|bruss2d:M STEPS THREADS [SECONDS]    (STEPS 0: as many as take "
            "about SECONDS, 0.5)",
            argv[0]);
    const double wanted = argc > 4 ? atof(argv[4]) : 0.5;
    const int64_t whole = (int64_t)size;
    const int two_dimensional = *name == 'b';
    const struct task task = {
        two_dimensional, two_dimensional ? 2 * whole * whole : whole / 2 * 2, whole, atoi(argv[3])};

    eulercl_problem *problem;
    must(eulercl_problem_open(name, &problem, &error));
    must(eulercl_problem_set_size(problem, task.n, &error));
    real *y = peer_allocate(task.n), *reference = first ? peer_allocate(task.n) : NULL;
    if (first) {
        fill_rough(reference, task.n);
        reference_steps(problem, rough_h(&task), reference);
    }
    for (const struct peer *peer = peers; peer < peers + count; peer++) {
        if (task.threads < peer->least_threads ||
            (peer->most_threads && task.threads > peer->most_threads))
            continue;
        int64_t steps = atoll(argv[2]);
        double best = INFINITY, off = 0;
        void *self = peer->create(&task);
        fill_rough(y, task.n);
        peer->set(self, y);
        peer->advance(self, rough_h(&task), COMPARED_STEPS);
        peer->get(self, y);
        if (first) off = difference(y, reference, task.n);
        must(eulercl_problem_initial(problem, precision, 0, task.n, y, &error));
        peer->set(self, y);
        if (!steps) steps = choose_steps(peer, self, wanted, team);
        for (int repeat = -1; repeat < REPEATS; repeat++) { /* the first one warms up */
            const double seconds = time_steps(peer, self, steps, team);
            if (repeat >= 0) best = fmin(best, seconds);
        }
        peer->destroy(self);
        if (!first) continue;
        char bits[32] = "same bits";
        if (off >= 0 || isnan(off)) snprintf(bits, sizeof bits, "%.1e", off);
        printf("%s,%s,%lld,%s,%d,%lld,%.4g,%.4g,%s\n", peer->name, argv[1], (long long)task.n,
            sizeof(real) == sizeof(float) ? "float" : "double", task.threads, (long long)steps,
            best, (double)task.n * (double)steps / best * 1e-9, bits);
        fflush(stdout);
        if (!(off <= tolerance)) {
            fprintf(stderr,
                "%s: %s: differs from libeulercl by %g of the largest change: not the same work\n",
                peer->name, argv[1], off);
            status = EULERCL_INTERNAL;
        }
    }
    free(y);
    free(reference);
    eulercl_problem_destroy(problem);
    return status;
}
