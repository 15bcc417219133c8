/* SPDX-License-Identifier: BSD-2-Clause */
/* programs.c - all programs that a run to a tolerance can reach, and changes between them, on a
   device, for tests/opencl/check_gpu.sh.

       programs BACKEND PROBLEM SIZE PRECISION SEED PART PARTS

   SIZE is m of bruss2d, and n of other problems. The programs are those of every method that
   estimates errors, with every number of stages that a step size can ask for. SEED puts them in
   another order, of which this process takes every PARTS'th one from number PART on. Each run takes
   RUN_PROGRAMS of them, one after the other, and goes back to all earlier ones after each: what a
   program left behind, such as a buffer, must do for those that had come with less. After each
   change it makes two batches of steps, the second of which the first one expects, as in a run to a
   tolerance, and sometimes returns to the state between them. All states and errors must be those
   of backend cpu. Each failure is a line; the last line says how many changes passed and failed. It
   needs neither Check nor the problems of the tests. */
#include "config.h"
#include "tolerance/adaptive.h"
#include "run/backend.h"
#include "problem/flush.h"
#include "int.h"
#include "mem.h"
#include "problem/system.h"
#include "tolerance/tolerance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PROGRAMS = 512,
    RUN_PROGRAMS = 3,
    ALL_STAGES = 48, /* the most stages of a batch */
    MOST_STEPS = 3,  /* or one step */
};

struct program {
    const struct method_family *family;
    int stages;
};
static struct program programs[MOST_PROGRAMS];
static int program_count;

enum { DEVICE, REFERENCE, RUNS };
static const char *names[RUNS] = {NULL, "cpu"};
static struct run runs[RUNS];
static const struct backend *tables[RUNS];
static char *states[RUNS], *before;
static struct method *made; /* the method of both runs */
static eulercl_error error;
static char place[256]; /* the present work, for messages */
static int passed, failed;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random_now;
static uint64_t random_bits(void) {
    uint64_t x = random_now += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}
static int random_below(int n) { return (int)(random_bits() % (uint64_t)n); }

static int finish(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Nothing of a run that has failed can be used again. */
static void must(int status) {
    if (!status) return;
    printf("FAIL: %s: %s\n", place, error.message);
    failed++;
    exit(finish());
}

/* List the programs in random order. */
static void list_programs(const struct system *system) {
    for (size_t f = 0; ecl_methods[f]; f++) {
        const struct method_family *const family = ecl_methods[f];
        if (ecl_check_estimate(family, NULL)) continue;
        for (int stages = 0; (stages = ecl_next_stages(family, stages));) {
            must(ecl_method_create(family, stages, 1, &made, &error));
            if (!ecl_is_partitioned(made) || system->definition->is_position)
                programs[program_count++] = (struct program){family, stages};
            ecl_mem_free(made);
            if (program_count == MOST_PROGRAMS) abort();
        }
    }
    made = NULL;
    for (int i = program_count - 1; i > 0; i--) {
        const int other = random_below(i + 1);
        const struct program p = programs[i];
        programs[i] = programs[other];
        programs[other] = p;
    }
}

static void create(int k, const struct system *system, const eulercl_options *options) {
    struct run *const run = &runs[k];
    size_t backend;
    *run = (struct run){.system = *system};
    run->options = *options;
    run->options.backend = names[k];
    run->asked = run->options;
    run->system.method = made;
    must(ecl_find_configuration(run, names[k], &backend, &error));
    tables[k] = ecl_backends[backend].table;
    must(tables[k]->create(run, &error));
}

static void write_states(int64_t n, size_t real_size) {
    for (int64_t i = 0; i < n; i++) {
        const double value = 4 * ((double)(random_bits() >> 11) * 0x1p-53);
        if (real_size == sizeof(float))
            ((float *)states[DEVICE])[i] = (float)value;
        else
            ((double *)states[DEVICE])[i] = value;
    }
    for (int k = 0; k < RUNS; k++)
        must(tables[k]->state->write(&runs[k], 0, n, states[DEVICE], &error));
}

static void read_state(int k, char *y) {
    must(tables[k]->state->read(&runs[k], 0, runs[k].system.n, y, &error));
}

static int have_same_states(const char *y, const char *right) {
    const size_t size = runs[0].system.real_size;
    int64_t i = 0;
    if (!memcmp(y, right, runs[0].system.state_bytes)) return 1;
    while (!memcmp(y + (size_t)i * size, right + (size_t)i * size, size)) i++;
    printf("FAIL: %s: component %lld of %lld differs\n", place, (long long)i,
        (long long)runs[0].system.n);
    return 0;
}

static void make_steps(const struct batch *batch, const struct batch *next) {
    double seconds;
    for (int k = 0; k < RUNS; k++) {
        runs[k].orders.ahead = *next;
        must(tables[k]->steps->step(&runs[k], batch, &seconds, &error));
        runs[k].orders.ahead.steps = 0;
    }
}

static struct batch following(const struct batch *batch) {
    struct batch next = *batch;
    next.t_base += (double)batch->steps * batch->h;
    return next;
}

/* The system's method is now `made`. */
static void make_batches(double h) {
    const int most = (int)int_min(int_max(ALL_STAGES / made->stages, 1), MOST_STEPS);
    const struct batch first = {.h = h, .steps = 1 + random_below(most)},
                       second = following(&first), third = following(&second);
    const int is_undone = tables[DEVICE]->rounds && random_below(4) == 0;
    int is_right;
    make_steps(&first, &second);
    if (is_undone) read_state(REFERENCE, before);
    make_steps(&second, &third);
    for (int k = 0; k < RUNS; k++) read_state(k, states[k]);
    is_right = have_same_states(states[DEVICE], states[REFERENCE]);
    if (runs[DEVICE].report.worst_error != runs[REFERENCE].report.worst_error) {
        printf("FAIL: %s: the greatest error is %d, not %d\n", place,
            (int)runs[DEVICE].report.worst_error, (int)runs[REFERENCE].report.worst_error);
        is_right = 0;
    }
    if (is_undone && tables[DEVICE]->rounds->outlives(&runs[DEVICE], &second)) {
        tables[DEVICE]->rounds->undo(&runs[DEVICE]);
        read_state(DEVICE, states[DEVICE]);
        if (is_right) is_right = have_same_states(states[DEVICE], before);
        must(
            tables[REFERENCE]->state->write(&runs[REFERENCE], 0, runs[0].system.n, before, &error));
    }
    passed += is_right;
    failed += !is_right;
    fflush(stdout);
    /* Later states would differ, too. */
    if (!is_right) write_states(runs[0].system.n, runs[0].system.real_size);
}

static void change_to(const struct program *p) {
    struct method *const old = made;
    must(ecl_method_create(p->family, p->stages, 1, &made, &error));
    for (int k = 0; k < RUNS; k++) {
        runs[k].system.method = made;
        must(tables[k]->steps->change_method(&runs[k], &error));
    }
    ecl_mem_free(old);
}

/* One run of both: programs number first, first + parts, ... */
static void make_run(
    const struct system *system, const eulercl_options *options, double h, int first, int parts) {
    char *const what = strdup(place);
    const struct program *last = NULL;
    for (int k = 0; k < RUN_PROGRAMS && first + k * parts < program_count; k++)
        for (int back = k; back >= 0; back--) {
            /* The new one, then the earlier ones from the first one on. */
            const struct program *const p =
                &programs[first + parts * (back == k ? k : k - 1 - back)];
            snprintf(place, sizeof place, "%s: to %s %d from %s %d", what, p->family->name,
                p->stages, last ? last->family->name : "none", last ? last->stages : 0);
            if (last)
                change_to(p);
            else {
                must(ecl_method_create(p->family, p->stages, 1, &made, &error));
                for (int r = 0; r < RUNS; r++) create(r, system, options);
                write_states(system->n, system->real_size);
            }
            make_batches(h);
            last = p;
        }
    for (int r = 0; r < RUNS; r++) tables[r]->destroy(&runs[r]);
    ecl_mem_free(made);
    snprintf(place, sizeof place, "%s", what);
    free(what);
}

int main(int count, char **arguments) {
    eulercl_problem *problem;
    eulercl_options given, options;
    struct system system;
    if (count != 8) {
        fprintf(stderr, "usage: programs BACKEND PROBLEM SIZE PRECISION SEED PART PARTS\n");
        return 99;
    }
    const char *const name = arguments[2];
    const double size = strtod(arguments[3], NULL);
    const int part = atoi(arguments[6]), parts = atoi(arguments[7]);
    snprintf(place, sizeof place, "%.200s", name);
    names[DEVICE] = arguments[1];
    random_now = strtoull(arguments[5], NULL, 10);
    eulercl_options_init(&given);
    given.precision = strcmp(arguments[4], "float") ? EULERCL_DOUBLE : EULERCL_FLOAT;
    given.rtol = 0x1p-10;
    must(ecl_options_check(&given, &options, &error));
    must(eulercl_problem_open(name, &problem, &error));
    must(strcmp(name, "bruss2d") ? eulercl_problem_set_size(problem, (int64_t)size, &error)
                                 : eulercl_problem_set(problem, "m", size, &error));
    must(ecl_system_create(problem, options.precision, &system, &error));
    must(ecl_settle_flush(problem, &options, &system, &error));
    must(ecl_tolerance_create(&system, options.rtol, &error));
    for (int64_t c = 0; c < system.tolerance.unknowns; c++) ecl_set_atol(&system, c, options.rtol);
    list_programs(&system);
    /* Stable, and large enough to change every value: see problems/bruss2d.c. */
    const double h = (strcmp(name, "bruss2d") ? 1.0 : 50.0) / (double)system.n;
    for (int k = 0; k < RUNS; k++)
        if (!(states[k] = malloc(system.state_bytes))) abort();
    if (!(before = malloc(system.state_bytes))) abort();
    snprintf(place, sizeof place, "%.40s %.40s %.20s %.10s, seed %.20s", names[DEVICE], name,
        arguments[3], arguments[4], arguments[5]);
    for (int i = part; i < program_count; i += RUN_PROGRAMS * parts)
        make_run(&system, &options, h, i, parts);
    return finish();
}
