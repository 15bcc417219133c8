/* bench/common.h - what the benchmarks share: stopping on an error, a solver at its initial state, the best of five. */
#ifndef EULERCL_BENCH_COMMON_H
#define EULERCL_BENCH_COMMON_H
#include <eulercl/eulercl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

static eulercl_error error;

static inline void must(int status) {
    if (!status) return;
    fprintf(stderr, "%s: %s\n%s", eulercl_status_name(error.code), error.message, error.log);
    exit(error.code);
}

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline eulercl_problem *open_problem(const char *name, const char *parameter, double value) {
    eulercl_problem *problem;
    must(eulercl_problem_open(name, &problem, &error));
    must(eulercl_problem_set(problem, parameter, value, &error));
    return problem;
}

static inline eulercl_solver *open_solver(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver;
    must(eulercl_solver_create(problem, options, &solver, &error));
    must(eulercl_set_initial_state(solver, &error));
    return solver;
}

static inline eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    must(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

/* Seconds of `steps` steps, the best of five, after a warm-up of `steps` steps. */
static inline double best_seconds(eulercl_solver *solver, int64_t steps) {
    double best = 1e300;
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double before = stats_of(solver).kernel_seconds;
        must(eulercl_advance(solver, steps, &error));
        const double seconds = stats_of(solver).kernel_seconds - before;
        if (repeat >= 0 && seconds < best) best = seconds;
    }
    return best;
}

/* FNV-1a over 64-bit words of the state, part by part: enough to see a differing bit. */
static inline uint64_t state_hash(eulercl_solver *solver) {
    enum { PART = 1 << 20 };
    const eulercl_stats stats = stats_of(solver);
    const size_t size = (size_t)stats.precision;
    unsigned char *part = malloc(PART * size);
    uint64_t hash = 14695981039346656037u;
    if (!part) exit(EULERCL_MEMORY);
    for (int64_t first = 0; first < stats.n; first += PART) {
        const int64_t count = stats.n - first < PART ? stats.n - first : PART;
        must(eulercl_get_components(solver, first, count, part, &error));
        for (size_t i = 0; i < (size_t)count * size; i += 4) {
            uint32_t word;
            memcpy(&word, part + i, sizeof word);
            hash = (hash ^ word) * 1099511628211u;
        }
    }
    free(part);
    return hash;
}
#endif
