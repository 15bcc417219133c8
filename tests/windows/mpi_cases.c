/* SPDX-License-Identifier: BSD-2-Clause */
/* mpi_cases.c - random systems on all processes of a communicator have the bits of backend seq on
 * one; errors are the same in all of them. tests/windows/test_mpi.sh compiles and starts it, with
 * an argument that says how many cases. All processes draw the same numbers. */
#include "config.h"
#include "../support.h"
#include <eulercl/eulercl_mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static char what[400];

#define DEMAND(condition)                                                                         \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            printf("process %d of %d, line %d, seed %llu: " #condition ": %s: %s\n", rank, ranks, \
                __LINE__, (unsigned long long)seed(), what, error.message);                       \
            fflush(stdout);                                                                       \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
        }                                                                                         \
    } while (0)

/* Few columns and many rows. */
static void random_sizes(eulercl_problem *problem) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    DEMAND(!eulercl_problem_get_info(problem, &info, &error));
    for (size_t i = 0; i < info.parameters; i++) {
        eulercl_parameter p = {.struct_size = sizeof p};
        DEMAND(!eulercl_problem_get_parameter(problem, i, &p, &error));
        const double value =
            p.integer
                ? (double)(1 + random_below(most_points((unsigned)info.rank, 150, i ? 60 : 14)))
                : p.value * random_real(0.5, 1.5);
        eulercl_problem_set(problem, p.name, fmin(fmax(value, p.min), p.max), &error);
    }
}

static void random_options(const struct ode_problem *definition, eulercl_options *o) {
    eulercl_method_info m = {.struct_size = sizeof m};
    const int is_adaptive = !random_below(4);
    size_t count = 0;
    eulercl_options_init(o);
    while (!eulercl_get_method(count, 0, &m, NULL)) count++;
    do DEMAND(!eulercl_get_method((size_t)random_below((int64_t)count), 0, &m, &error));
    while ((m.is_partitioned && !definition->is_position) || (is_adaptive && !m.estimate_order));
    o->precision = random_below(2) ? EULERCL_DOUBLE : EULERCL_FLOAT;
    o->h = pow(10, random_real(-5, -2));
    o->method = m.name;
    o->stages = m.most_stages > m.least_stages ? m.least_stages : 0;
    o->flush_below = random_below(2) ? EULERCL_AS_PROBLEM : 0;
    o->check_finite = random_below(2) != 0;
    if (!is_adaptive) return;
    o->rtol = pow(10, random_real(-4, -2));
    o->max_steps = 500;
}

/* Both solvers, together and alone, with a state that is the same in all processes. */
static int advance_both(eulercl_solver *const *solvers, int64_t steps) {
    eulercl_error why[2] = {{.code = 0}, {.code = 0}};
    int status[2];
    for (int k = 0; k < 2; k++) status[k] = eulercl_advance(solvers[k], steps, &why[k]);
    error = why[0];
    /* With a tolerance the method may take more stages than the shares have rows for. */
    if (status[0] == EULERCL_UNSUPPORTED && strstr(why[0].message, " further, but")) return 0;
    DEMAND(status[0] == status[1] && !strcmp(why[0].message, why[1].message));
    return !status[0];
}

/* Some processes read what they compute, and the others make no call. `state`: the whole state. */
static void read_own(eulercl_solver *solver, const char *state, int64_t n, size_t size) {
    int64_t first, count;
    eulercl_error refused;
    DEMAND(!eulercl_solver_window(solver, &first, &count, &error));
    char *const y = zeroed(count, size);
    for (int64_t i = 0; i <= rank % 3 * count; i += count / 2 + 1) {
        const int64_t some = count - i < count / 2 ? count - i : count / 2;
        if (some <= 0) break;
        DEMAND(!eulercl_get_own_components(solver, first + i, some, y, &error));
        DEMAND(!memcmp(y, state + (size_t)(first + i) * size, (size_t)some * size));
    }
    if (count < n && rank % 2)
        DEMAND(eulercl_get_own_components(solver, first ? first - 1 : count, 1, y, &refused) ==
                   EULERCL_INVALID &&
               strstr(refused.message, "not all of this process"));
    free(y);
}

/* Points that satisfy a condition, and blocks of a region. */
static void select_both(eulercl_solver *const *solvers, const eulercl_problem_info *info) {
    const eulercl_region region = random_region(info->extents);
    int64_t counts[2], *points[2];
    double *values[2], blocks[2], smooth[2];
    for (int k = 0; k < 2; k++) {
        DEMAND(!eulercl_extract(solvers[k], "0 > 0.1", &counts[k], &points[k], &values[k], &error));
        DEMAND(!eulercl_thin(
            solvers[k], NULL, 0, INT64_MAX, EULERCL_THIN_MEAN, 5, &smooth[k], 1, &error));
        DEMAND(!eulercl_thin(
            solvers[k], &region, 0, INT64_MAX, EULERCL_THIN_MEAN, 0, &blocks[k], 1, &error));
    }
    DEMAND(counts[0] == counts[1] && !memcmp(&blocks[0], &blocks[1], sizeof *blocks) &&
           !memcmp(&smooth[0], &smooth[1], sizeof *smooth));
    DEMAND(!memcmp(points[0], points[1], (size_t)counts[0] * sizeof *points[0]));
    DEMAND(!memcmp(values[0], values[1], (size_t)counts[0] * sizeof *values[0]));
    for (int k = 0; k < 2; k++) {
        eulercl_free(points[k]);
        eulercl_free(values[k]);
    }
}

enum { MOST_SEEN = 12 };

static void use_both(eulercl_solver *const *solvers, const eulercl_options *o,
    eulercl_observation *observation, const eulercl_problem_info *info) {
    const size_t size = (size_t)o->precision;
    const int64_t n = info->n;
    char *const y[2] = {zeroed(n, size), zeroed(n, size)};
    static const eulercl_statistic mean = {EULERCL_MEAN, -1};
    double values[2], seen[2][MOST_SEEN] = {{0}};
    int goes_on = 1;
    random_state(y[0], n, size);
    for (int k = 0; k < 2; k++) DEMAND(!eulercl_set_state(solvers[k], y[0], &error));
    for (int turn = 0; turn < 3 && goes_on; turn++) {
        const int64_t first = random_below(n), count = random_below(n - first + 1);
        goes_on = advance_both(solvers, random_below(30));
        random_state(y[0], count, size);
        for (int k = 0; k < 2 && goes_on; k++) {
            DEMAND(!eulercl_monitor(solvers[k], &mean, 1, &values[k], &error));
            DEMAND(!eulercl_observe(solvers[k], observation, seen[k], &error));
            DEMAND(!eulercl_set_components(solvers[k], first, count, y[0], &error));
        }
        if (goes_on) select_both(solvers, info);
        if (goes_on)
            DEMAND(!memcmp(&values[0], &values[1], sizeof *values) &&
                   !memcmp(seen[0], seen[1], sizeof *seen));
    }
    for (int k = 0; k < 2 && goes_on; k++) DEMAND(!eulercl_get_state(solvers[k], y[k], &error));
    if (goes_on) DEMAND(!memcmp(y[0], y[1], (size_t)n * size));
    if (goes_on) read_own(solvers[0], y[1], n, size);
    for (int k = 0; k < 2; k++) free(y[k]);
}

/* -> whether the system has rows enough */
static int run_case(void) {
    static const char *const backends[] = {"cpu", "pthreads", "seq"};
    const struct test_problem *p;
    eulercl_problem *problem = NULL;
    eulercl_problem_info info = {.struct_size = sizeof info};
    eulercl_solver *solvers[2] = {NULL, NULL};
    eulercl_observation *observation;
    eulercl_options o, alone;
    do p = &test_problems[random_below(TEST_PROBLEMS)];
    while (!p->bits_guaranteed);
    DEMAND(!eulercl_problem_create(p->definition, &problem, &error));
    random_sizes(problem);
    random_options(p->definition, &o);
    DEMAND(!eulercl_problem_get_info(problem, &info, &error));
    alone = o;
    alone.backend = "seq";
    /* the backend differs from process to process */
    o.backend = backends[(random_below(3) + rank) % 3];
    snprintf(what, sizeof what, "%s, n = %lld, %s, %d bytes per real, rtol %g", info.name,
        (long long)info.n, o.method, (int)o.precision, o.rtol);
    give_number(&o, "halo_steps", random_below(2) ? 0 : 1);
    if (random_below(2)) give_number(&o, "verify_halos", 1);
    int status = eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, &o, &solvers[0], &error);
    if (status) DEMAND(status == EULERCL_UNSUPPORTED && strstr(error.message, "too few"));
    if (!status) {
        int64_t first, count, all;
        DEMAND(!eulercl_solver_create(problem, &alone, &solvers[1], &error));
        DEMAND(!eulercl_solver_window(solvers[0], &first, &count, &error));
        MPI_Allreduce(&count, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        DEMAND(all == info.n);
        const char *const text = info.rank ? "length:0" : "histogram:0:9:-1:1";
        DEMAND(!eulercl_observation_create(problem, text, &observation, &error));
        use_both(solvers, &o, observation, &info);
        eulercl_observation_destroy(observation);
    }
    for (int k = 0; k < 2; k++) eulercl_solver_destroy(solvers[k]);
    eulercl_problem_destroy(problem);
    return !status;
}

/* All processes name the difference. */
static void differ(const char *words, eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    snprintf(what, sizeof what, "%s", words);
    const int status = eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, options, &solver, &error);
    DEMAND(status == EULERCL_INVALID && strstr(error.message, words) && !solver);
}

/* A state that is not the same in all processes: rows that two of them compute differ. */
static void verify(eulercl_problem *problem, eulercl_options o) {
    eulercl_solver *solver = NULL;
    eulercl_problem_info info = {.struct_size = sizeof info};
    DEMAND(!eulercl_problem_get_info(problem, &info, &error));
    double *const y = zeroed(info.n, sizeof *y);
    for (int64_t i = 0; i < info.n; i++) y[i] = 1 + 1e-9 * rank;
    give_number(&o, "verify_halos", 1);
    DEMAND(!eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, &o, &solver, &error));
    DEMAND(!eulercl_set_state(solver, y, &error));
    snprintf(what, sizeof what, "verify_halos");
    DEMAND(eulercl_advance(solver, 100, &error) == EULERCL_INTERNAL &&
           strstr(error.message, "differ in their bits"));
    eulercl_solver_destroy(solver);
    free(y);
}

/* A process that destroys a solver late does not make the others wait, nor waits for them. */
static void leave_late(eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver = NULL;
    snprintf(what, sizeof what, "a late end");
    DEMAND(!eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, options, &solver, &error));
    if (!rank) sleep(3);
    eulercl_solver_destroy(solver);
}

static int stop_in_last(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver, (void)user;
    return rank == ranks - 1 && progress->steps_done >= 20;
}

static void refuse(void) {
    eulercl_problem *problem = NULL;
    eulercl_solver *solver = NULL;
    eulercl_options o;
    DEMAND(!eulercl_problem_create(&test_problem_bruss2d, &problem, &error));
    DEMAND(!eulercl_problem_set(problem, "m", 60, &error));
    eulercl_options_init(&o);
    o.h = rank == ranks - 1 ? 1e-5 : 1e-4;
    differ("options.h", problem, &o);
    o.h = 1e-4;
    o.precision = rank ? EULERCL_FLOAT : EULERCL_DOUBLE;
    differ("options.precision", problem, &o);
    o.precision = EULERCL_DOUBLE;
    o.method = rank ? "rk4" : "heun";
    differ("options.method", problem, &o);
    o.method = "dp54";
    o.rtol = rank == ranks - 1 ? 1e-4 : 0;
    differ("options.rtol", problem, &o);
    o.method = NULL;
    o.rtol = 0;
    give_number(&o, "halo_steps", rank == ranks - 1 ? 60 : 1);
    differ("options.halo_steps", problem, &o);
    DEMAND(!eulercl_options_set(&o, "halo_steps", NULL, &error));
    o.expected_steps = rank == ranks - 1 ? -1 : 0; /* no other process has this value */
    differ("expected_steps", problem, &o);
    o.expected_steps = 0;
    DEMAND(!eulercl_problem_set(problem, "B", rank ? 3 : 3.5, &error));
    differ("parameter B", problem, &o);
    struct ode_problem cut = test_problem_bruss2d;
    eulercl_problem *other = NULL;
    cut.text_end -= rank == ranks - 1;
    DEMAND(!eulercl_problem_create(&cut, &other, &error));
    differ("different texts", other, &o);
    eulercl_problem_destroy(other);
    double source[63] = {[62] = rank == ranks - 1};
    DEMAND(!eulercl_problem_create(&test_problem_heat_fields, &other, &error));
    DEMAND(!eulercl_problem_set_field(other, "source", EULERCL_DOUBLE, source, &error));
    differ("different values of field source", other, &o);
    source[62] = 0;
    DEMAND(!eulercl_problem_set_field(other, "source", EULERCL_DOUBLE, source, &error));
    if (rank == ranks - 1)
        DEMAND(!eulercl_problem_set_initial(other, EULERCL_DOUBLE, source, &error));
    differ("different initial states", other, &o);
    eulercl_problem_destroy(other);
    DEMAND(!eulercl_problem_set(problem, "B", 3, &error));
    o.backend = rank == ranks - 1 ? "no such backend" : "cpu";
    differ("no such backend", problem, &o);
    o.backend = "cpu";
    verify(problem, o);
    if (ranks == 3) leave_late(problem, &o);
    /* All stop at the same step. */
    o.observer = stop_in_last;
    o.observer_steps = 10;
    DEMAND(!eulercl_mpi_solver_create(MPI_COMM_WORLD, problem, &o, &solver, &error));
    DEMAND(!eulercl_set_initial_state(solver, &error));
    DEMAND(eulercl_advance(solver, 100, &error) == EULERCL_CANCELLED &&
           strstr(error.message, "after step 20"));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

int main(int argc, char **argv) {
    int64_t ran = 0;
    const int64_t wanted = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    random_start((uint64_t)ranks);
    for (int64_t i = 0; i < wanted; i++) ran += run_case();
    DEMAND(3 * ran > wanted);
    if (ranks > 1) refuse();
    if (!rank) printf("%lld systems on %d processes\n", (long long)ran, ranks);
    MPI_Finalize();
    return 0;
}
