/* SPDX-License-Identifier: BSD-2-Clause */
/* job.h - the common work of the threads of a CPU backend: some steps, as rounds of tiles. */
#ifndef EULERCL_CPU_JOB_H
#define EULERCL_CPU_JOB_H
#include "state.h"
#include "team.h"
#include "lanes.h"
#include "../schedule/overlap_lanes.h"
#include "../problem/update.h"

struct cpu_job {
    const struct system *system;
    const struct lane_tools *tools; /* functions of the lanes; NULL: not in lanes */
    struct cpu_tiling tiling;
    struct flag *flags; /* one per thread: the number of rounds or strips that it has finished;
                           CPU_STEPS: the first one counts the steps of all threads */
    char *workspaces;   /* the working memory of all threads */
    uint64_t workspace_bytes; /* bytes of each thread's working memory */
    int shares_workspaces;    /* the workspaces belong to the job before, too */
    /* CPU_PLANE resident: rows that are handed to neighbours; else NULL */
    void *edges;
    int64_t *redundant; /* components of levels that each thread computed in addition */
    uint64_t bytes;     /* bytes of workspaces and edges */
    int32_t *worst;     /* if the method estimates errors: each thread's greatest ratio */
    /* lanes: stages of a step, and ODE_MOST_STAGES more; NULL: Euler steps */
    union ecl_stage *stages;
    void *replaced[3]; /* by enum stage_components: 1 for each real of a block that is replaced */
    void *without[2];  /* 1 for each real of a block but those of the first lane, of the last one */
    ecl_update *update; /* updates of stages that the kernels in lanes leave to the library */
    /* The present batch: */
    struct batch batch;
    int64_t rounds, round_steps; /* number of rounds, and steps of the longest one */
    int64_t unit;  /* each round except the last has a multiple of this number of steps */
    char *x[2];    /* round r (CPU_STEPS: level r) reads x[r % 2] and writes the other */
    char *carried; /* CPU_STEPS: the method's carried values */
    double h;      /* the step size of `stages` */
};

/* The batch and its rounds: as few as the tiling allows, and of equal length. */
void ecl_job_begin(struct cpu_job *job, const struct batch *batch);
int64_t ecl_round_begin(const struct cpu_job *job,
    int64_t round); /* its first step, counted in the batch; 0 <= round <= rounds */

/* Make what the kernels in lanes need for methods. On failure the caller destroys the job. Errors:
 * MEMORY. */
int ecl_job_create_stages(struct cpu_job *job, eulercl_error *error);
void ecl_job_destroy_stages(struct cpu_job *job);
/* ODE_MOST_STAGES levels from this one on, as struct ode_kernels takes them. */
struct cpu_levels {
    struct ode_levels levels; /* first: the update finds the rest there */
    const struct cpu_job *job;
};
struct cpu_levels ecl_job_levels(const struct cpu_job *job, int64_t level);

/* Compare the errors e of a row u in lanes, of its points a .. b-1, with the thread's worst. */
void ecl_job_compare_errors(const struct cpu_job *job, int64_t thread, const void *u, const void *e,
    const struct dealt *dealt, int64_t a, int64_t b);

/* The working memory of a thread. */
static inline char *ecl_workspace(const struct cpu_job *job, int64_t thread) {
    return job->workspaces + (uint64_t)thread * job->workspace_bytes;
}

/* The work of all threads for ecl_team_run, with a struct cpu_job. */
void ecl_steps_work(void *job, int64_t thread);
void ecl_tiles_work(void *job, int64_t thread);
void ecl_line_work(void *job, int64_t thread);
void ecl_plane_work(void *job, int64_t thread);
/* Bytes of a thread's workspace, and of all edges; 0 on overflow. */
uint64_t ecl_tiles_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t ecl_line_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t ecl_plane_workspace(const struct system *system, const struct cpu_tiling *tiling);
uint64_t ecl_plane_edges(const struct system *system, const struct cpu_tiling *tiling);
#endif
