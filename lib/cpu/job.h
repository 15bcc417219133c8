/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/job.h - what the threads of a CPU backend work on together: some steps, as rounds of tiles.
 */
#ifndef EULERCL_CPU_JOB_H
#define EULERCL_CPU_JOB_H
#include "state.h"
#include "team.h"
#include "lanes.h"

/* Orders of computation. */
enum cpu_kernel {
    CPU_STEPS, /* step after step over the whole state */
    CPU_TILES, /* tiles of components, in the plain layout: any right-hand side with a short access
                  distance */
    CPU_LINE,  /* SIMD lanes: tiles of a 1-D grid */
    CPU_PLANE  /* SIMD lanes: levels that follow each other down the rows of a 2-D grid */
};

struct cpu_tiling {
    enum cpu_kernel kernel;
    int64_t threads; /* that have work */
    int64_t steps;   /* of a round, between two meetings of neighbouring threads or two passes over
                        memory, at most */
    int64_t
        tile; /* CPU_TILES: components, CPU_LINE: points, CPU_PLANE: columns of a tile, at most */
    int64_t rows; /* CPU_PLANE: that a level computes in turn */
    int resident; /* lanes: each thread's part is one tile, and stays in that layout all the time */
    double step_seconds; /* as predicted */
};

struct cpu_job {
    const struct system *system;
    const struct lane_tools *tools; /* of the lanes; NULL: none */
    struct cpu_tiling tiling;
    struct flag *flags; /* one per thread: rounds or strips that it has finished; CPU_STEPS: the
                           first one's counts the steps of all */
    void **workspaces;  /* each thread's working memory */
    void *edges;        /* CPU_PLANE resident: rows handed to neighbours */
    int64_t *redundant; /* component-steps that each thread computed in vain */
    /* of the present batch */
    struct batch batch;
    int64_t rounds, round_steps; /* the longest round's */
    int64_t unit;  /* rounds have a multiple of this many steps, but for the last one */
    char *x[2];    /* round r (CPU_STEPS: level r) reads x[r % 2] and writes the other */
    char *carried; /* CPU_STEPS: the method's carried values */
};

int64_t eulercl_round_begin(const struct cpu_job *job,
    int64_t round); /* its first step, counted in the batch; 0 <= round <= rounds */

/* For all threads: eulercl_team_run's work, with a struct cpu_job. */
void eulercl_steps_work(void *job, int64_t thread);
void eulercl_tiles_work(void *job, int64_t thread);
void eulercl_line_work(void *job, int64_t thread);
void eulercl_plane_work(void *job, int64_t thread);
/* Bytes of a thread's workspace, and of all edges; 0 on overflow. */
uint64_t eulercl_tiles_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t eulercl_line_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t eulercl_plane_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t eulercl_plane_edges(const struct system *system, const struct cpu_tiling *tiling);

/* cpu/choice.c. The best tiling over at most `threads` threads. variant (NULL: any) is a
 * preference: where it does not fit the system a plainer one is taken. */
void eulercl_cpu_choose(const struct system *system, const eulercl_options *options,
    const char *variant, int64_t threads, struct cpu_tiling *tiling);

static inline int eulercl_is_periodic(const struct system *system) {
    return system->definition->dimensions && system->definition->boundary == ODE_PERIODIC;
}
#endif
