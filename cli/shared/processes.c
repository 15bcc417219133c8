/* SPDX-License-Identifier: BSD-2-Clause */
/* processes.c - several processes of the command that were started together: see processes.h. */
#include "config.h"

#include "shared/processes.h"
#include "shared/message.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libeulercl-mpi.so.0"

/* The functions of LIBRARY, which is loaded if it is needed. */
static int (*create_together)(
    const eulercl_problem *, const eulercl_options *, eulercl_solver **, eulercl_error *);
static int (*find_greatest)(int64_t *value, eulercl_error *);
static int (*broadcast)(int root, void *memory, uint64_t bytes, eulercl_error *);
static void (*end_together)(int status, void (*alone)(void));
static int rank, ranks = 1;
static FILE *unheard; /* the output of processes other than the first one */
static int aloud;     /* their standard error, where it is printed in the end */

int is_first_process(void) { return rank == 0; }
int process_rank(void) { return rank; }
int process_count(void) { return ranks; }

/* The number of processes and the number of this one, as Open MPI, MPICH and its successors, or
 * Slurm with PMIx put them into the environment; else `otherwise`. */
static long from_launcher(
    const char *open_mpi, const char *mpich, const char *slurm, long otherwise) {
    const char *const value = getenv(open_mpi) != NULL      ? getenv(open_mpi)
                              : getenv(mpich) != NULL       ? getenv(mpich)
                              : getenv("PMIX_RANK") != NULL ? getenv(slurm)
                                                            : NULL;
    return value != NULL ? strtol(value, NULL, 10) : otherwise;
}

/* This process ends and the others do not, so it prints its message. */
static void speak(void) {
    char said[4096];
    if (unheard == NULL) return;
    rewind(unheard);
    while (fgets(said, sizeof said, unheard) != NULL) dprintf(aloud, "process %d: %s", rank, said);
}

static void end(int status, void *unused) {
    (void)unused;
    fflush(NULL);
    end_together(status, speak);
}

/* The others say the same as the first process, so nobody needs to hear them. */
static int be_quiet(void) {
    unheard = tmpfile();
    aloud = dup(STDERR_FILENO);
    return unheard == NULL || aloud < 0 || dup2(fileno(unheard), STDERR_FILENO) < 0 ||
                   freopen("/dev/null", "w", stdout) == NULL
               ? fail(EULERCL_FILE, "process %d has no place for its messages", rank)
               : EULERCL_OK;
}

/* ISO C does not convert pointers to functions. */
static int find(void *library, const char *name, void *function) {
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int is_first_of_launcher(void) {
    return from_launcher("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", 0) == 0;
}

static int begin_with(void *library, long started) {
    int (*begin)(int *, int *, eulercl_error *);
    eulercl_error error;
    if (!find(library, "eulercl_mpi_world_begin", &begin) ||
        !find(library, "eulercl_mpi_world_solver_create", &create_together) ||
        !find(library, "eulercl_mpi_world_greatest", &find_greatest) ||
        !find(library, "eulercl_mpi_world_broadcast", &broadcast) ||
        !find(library, "eulercl_mpi_world_end", &end_together))
        return fail(EULERCL_FILE, LIBRARY " belongs to another version of eulercl");
    if (begin(&rank, &ranks, &error)) return fail_library(&error);
    on_exit(end, NULL);
    if (ranks != started) /* each would be the first one, and write all files */
        return is_first_of_launcher()
                   ? fail(EULERCL_UNSUPPORTED,
                         "%ld processes were started together, but " LIBRARY
                         " finds %d: it was compiled for another MPI than that of the launcher",
                         started, ranks)
                   : EULERCL_UNSUPPORTED;
    return rank > 0 ? be_quiet() : EULERCL_OK;
}

int begin_processes(void) {
    const long started =
        from_launcher("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", 1);
    if (started <= 1) return EULERCL_OK;
    void *const library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL); /* MPI's own plug-ins need it */
    if (library != NULL) return begin_with(library, started);
    return is_first_of_launcher()
               ? fail(EULERCL_UNSUPPORTED,
                     "%ld processes were started together, which needs " LIBRARY ": %s", started,
                     dlerror())
               : EULERCL_UNSUPPORTED;
}

int64_t greatest_of_processes(int64_t value) {
    eulercl_error error;
    int64_t greatest = value;
    if (find_greatest == NULL || find_greatest(&greatest, &error) == EULERCL_OK) return greatest;
    exit(fail_library(&error)); /* this ends the others, too */
}

/* A whole number with the order of the reals, and the real again. */
static int64_t in_order(int64_t bits) { return bits ^ (bits >> 63 & INT64_MAX); }

int check_same(const char *name, double value) {
    int64_t ends[2]; /* the least and the greatest */
    double reals[2];
    memcpy(&ends[1], &value, sizeof value);
    ends[0] = ~greatest_of_processes(~in_order(ends[1]));
    ends[1] = greatest_of_processes(in_order(ends[1]));
    if (ends[0] == ends[1]) return EULERCL_OK;
    for (int i = 0; i < 2; i++) ends[i] = in_order(ends[i]);
    memcpy(reals, ends, sizeof reals);
    return fail(EULERCL_INVALID, "the processes differ in %s: from %.17g to %.17g", name, reals[0],
        reals[1]);
}

void broadcast_from(int root, void *memory, size_t bytes) {
    eulercl_error error;
    if (broadcast != NULL && broadcast(root, memory, bytes, &error) != EULERCL_OK)
        exit(fail_library(&error));
}

int agree_on(int status) {
    static int agreed;
    char said[512] = "";
    if (agreed || ranks == 1) return agreed ? agreed : status;
    const int64_t failed = greatest_of_processes(status ? ranks - rank : 0);
    if (failed == 0) return EULERCL_OK;
    const int first = ranks - (int)failed;
    agreed = status;
    if (rank == first) snprintf(said, sizeof said, "%s", last_message());
    broadcast_from(first, &agreed, sizeof agreed);
    broadcast_from(first, said, sizeof said);
    return rank == first ? status : fail(agreed, "process %d: %s", first, said);
}

int create_solver(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error) {
    return create_together != NULL ? create_together(problem, options, solver, error)
                                   : eulercl_solver_create(problem, options, solver, error);
}
