/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu.c - the backends `cpu`, one thread, and `pthreads`: the same tiles over threads, or a
 * barrier per step (thesis of 2012, sec. 4.2). */
#include "config.h"
#include "job.h"
#include "cores.h"
#include "reduce.h"
#include "../int.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

struct cpu {
    struct state_arrays state; /* first: cpu/state.c finds it there */
    struct team *team;
    struct cpu_job job;
    size_t variant;  /* the variant that was asked for */
    int64_t threads; /* threads of the team */
    int is_team;     /* of more than one thread, if there are cores */
    int is_baseline; /* the code that the job was made for */
};

enum { PAGE_BYTES = 4096 };

/* ---- step after step ---- */

static void barrier(struct cpu_job *job, int64_t number) {
    if (job->tiling.threads == 1) return;
    atomic_fetch_add_explicit(&job->flags->done, 1, memory_order_acq_rel);
    ecl_flag_wait(job->flags, number * job->tiling.threads);
}

void ecl_steps_work(void *user, int64_t thread) {
    struct cpu_job *job = user;
    const struct system *s = job->system;
    const int64_t threads = job->tiling.threads;
    if (thread >= threads) return;
    /* Ranges of whole grid points and cache lines. */
    const int64_t unit = (int64_t)s->definition->grid.components * 16, units = int_ceil(s->n, unit);
    const int64_t share = units / threads, rest = units % threads,
                  first = thread * share + (thread < rest ? thread : rest),
                  last = first + share + (thread < rest);
    const int64_t begin = first * unit, end = last >= units ? s->n : last * unit;
    const int64_t levels = job->batch.steps * s->method->stages;
    for (int64_t level = 0; level < levels; level++) {
        const struct state_arrays state = {.now = job->x[level % 2],
            .next = job->x[(level + 1) % 2],
            .carried = job->carried,
            .stride = s->n,
            .kept = begin,
            .kept_end = end,
            .worst = &job->worst[thread]};
        if (begin < end) ecl_system_level(s, &state, begin, end, &job->batch, level);
        barrier(job, level + 1);
    }
}

/* ---- the backend ---- */

/* The variants of both backends, in their order in backends.def. */
enum { AUTO, LANES, TILES, STEPS };
static const char *const variants[] = {
    [AUTO] = "auto", [LANES] = "lanes", [TILES] = "tiles", [STEPS] = "barrier"};

static const struct kernel {
    size_t variant;
    void (*work)(void *job, int64_t thread);
    uint64_t (*workspace)(const struct system *system, const struct cpu_tiling *tiling);
} kernels[] = {
    [CPU_STEPS] = {STEPS, ecl_steps_work, NULL},
    [CPU_TILES] = {TILES, ecl_tiles_work, ecl_tiles_workspace},
    [CPU_LINE] = {LANES, ecl_line_work, ecl_line_workspace},
    [CPU_PLANE] = {LANES, ecl_plane_work, ecl_plane_workspace},
};

static void destroy_rooms(struct cpu_job *job) {
    ecl_mem_spare(job->workspaces, (uint64_t)job->tiling.threads * job->workspace_bytes);
    ecl_mem_free(job->edges);
    ecl_mem_free(job->flags);
    ecl_mem_free(job->redundant);
    ecl_mem_free(job->worst);
    ecl_job_destroy_stages(job);
}

static void destroy(struct run *run) {
    struct cpu *cpu = run->impl;
    ecl_team_destroy(cpu->team);
    destroy_rooms(&cpu->job);
    ecl_cpu_state_destroy(run, &cpu->state);
    ecl_mem_free(cpu);
}

static int too_large(eulercl_error *error) {
    return ecl_fail(error, EULERCL_MEMORY, "the memory for tiles of this size overflows 64 bits");
}

/* The workspaces of all threads are one array, whose parts begin with pages. If there was a job
 * before, its workspaces may serve, and then belong to both. */
static int make_workspaces(
    struct cpu_job *job, uint64_t each, const struct cpu_job *before, eulercl_error *error) {
    const uint64_t threads = (uint64_t)job->tiling.threads;
    uint64_t all;
    void *memory;
    job->shares_workspaces =
        before && before->tiling.threads == job->tiling.threads && before->workspace_bytes >= each;
    if (job->shares_workspaces) {
        job->workspaces = before->workspaces;
        job->workspace_bytes = before->workspace_bytes;
        return EULERCL_OK;
    }
    /* Workspaces that grow once will grow again. */
    if (before && before->workspace_bytes < each && before->workspace_bytes > each / 2)
        each = 2 * before->workspace_bytes;
    each = (each - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
    if (!each || __builtin_mul_overflow(threads, each, &all)) return too_large(error);
    const int status = ecl_mem_state(all, "the tiles of the threads", &memory, error);
    if (status) return status;
    job->workspaces = memory;
    job->workspace_bytes = each;
    return EULERCL_OK;
}

/* The rooms of a job, for which those of the job before it may serve in part. */
static int make_rooms(
    struct run *run, struct cpu_job *job, const struct cpu_job *before, eulercl_error *error) {
    const struct cpu_tiling *t = &job->tiling;
    const uint64_t threads = (uint64_t)t->threads,
                   workspace = kernels[t->kernel].workspace
                                   ? kernels[t->kernel].workspace(&run->system, t)
                                   : 0;
    const int has_edges = t->kernel == CPU_PLANE && t->resident &&
                          (threads > 1 || grid_is_periodic(&run->system.context.grid, 1));
    const uint64_t edges = has_edges ? ecl_plane_edges(&run->system, t) : 0;
    int status = EULERCL_OK;
    if ((kernels[t->kernel].workspace && !workspace) || (has_edges && !edges))
        return too_large(error);
    job->flags = ecl_mem_zeroed(threads + 1, sizeof *job->flags);
    job->redundant = ecl_mem_zeroed(threads, sizeof *job->redundant);
    job->worst = ecl_mem_zeroed(threads, sizeof *job->worst);
    if (!job->flags || !job->redundant || !job->worst)
        return ecl_fail(
            error, EULERCL_MEMORY, "no memory for %llu threads", (unsigned long long)threads);
    if (job->tools && !ecl_is_swept(&run->system)) status = ecl_job_create_stages(job, error);
    if (workspace && !status) status = make_workspaces(job, workspace, before, error);
    if (!status && has_edges)
        status = ecl_mem_state(edges, "the rows that threads exchange", &job->edges, error);
    job->bytes = threads * job->workspace_bytes + edges;
    run->report.device_bytes += job->bytes;
    return status;
}

static struct cpu_facts facts_of(const struct run *run) {
    const struct system *const s = &run->system;
    return (struct cpu_facts){.cache_bytes = ecl_cache_bytes(),
        .costs = ecl_step_costs(s, &run->rates),
        .has_lanes =
            s->kernels && s->kernels->lanes && ecl_lane_tools(s->real_size, s->kernels->lanes)};
}

/* -> whether that is what was asked for. */
static int choose(
    const struct run *run, const char *variant, int64_t threads, struct cpu_tiling *tiling) {
    const struct cpu_facts facts = facts_of(run);
    return ecl_cpu_choose(&run->system, &run->options, &facts, variant, threads, tiling);
}

/* Make a job for the system's method in *job, which is empty. On failure, the caller destroys
 * it. */
static int make_job(struct run *run, struct cpu *cpu, int64_t threads, struct cpu_job *job,
    const struct cpu_job *before, eulercl_error *error) {
    job->system = &run->system;
    /* A method that takes the place of another one may need a plainer order of computation. */
    if (!choose(run, variants[cpu->variant], threads, &job->tiling) && !before) {
        const struct cpu_facts facts = facts_of(run);
        return ecl_cpu_refuse(
            &run->system, &run->options, &facts, TUNED_NAME(&run->options, variant), error);
    }
    const struct cpu_tiling *const t = &job->tiling;
    if (t->kernel == CPU_LINE || t->kernel == CPU_PLANE)
        job->tools = ecl_lane_tools(run->system.real_size, run->system.kernels->lanes);
    int status = EULERCL_OK;
    if (t->kernel == CPU_STEPS) status = ecl_cpu_carried_create(run, &cpu->state, error);
    return status ? status : make_rooms(run, job, before, error);
}

static void report(struct run *run, const struct cpu_tiling *t) {
    run->report.threads = (uint64_t)t->threads;
    run->report.steps_per_launch = t->kernel == CPU_STEPS ? 1 : (uint64_t)t->steps;
}

static int create_with(struct run *run, int is_team, int64_t threads, eulercl_error *error) {
    struct cpu *cpu = ecl_mem_zeroed(1, sizeof *cpu);
    if (!cpu) return ecl_no_memory(error, "a solver");
    const struct cpu_tiling *const t = &cpu->job.tiling;
    run->impl = cpu;
    cpu->variant = run->variant;
    cpu->is_baseline = run->system.is_baseline;
    cpu->is_team = is_team;
    int status = ecl_cpu_state_create(run, &cpu->state, error);
    if (!status) status = make_job(run, cpu, threads, &cpu->job, NULL, error);
    if (!status)
        status = ecl_team_create(
            &cpu->team, t->threads, ecl_cores_to_pin(&run->options, t->threads), error);
    if (status) {
        destroy(run);
        return status;
    }
    cpu->threads = t->threads;
    report(run, t);
    const int64_t cores = ecl_cores().count;
    if (t->threads > cores)
        snprintf(run->report.note, sizeof run->report.note,
            "%lld threads share %lld %s and wait for each other: no more threads than cores are "
            "faster",
            (long long)t->threads, (long long)cores, cores == 1 ? "core" : "cores");
    run->variant = kernels[t->kernel].variant;
    return EULERCL_OK;
}

/* How many threads there may be. The predictions hold for threads that have a core each: the
 * default variant keeps to the cores, the others to what was asked for. While the compiler makes
 * the fast code it has a core of its own: threads wait for each other after each level, and one
 * that shares its core would hold up all of them. */
static int64_t most_threads(const struct run *run, int is_default) {
    const int64_t cores = ecl_cores().count, asked = TUNED(&run->options, threads),
                  most = !asked || (is_default && asked > cores) ? cores : asked;
    return run->system.is_baseline ? int_max(most - 1, 1) : most;
}

/* Other tiles, for the same team of threads, or with fast code in place of baseline code for one
 * with a thread more. */
static int change_method(struct run *run, eulercl_error *error) {
    struct cpu *cpu = run->impl;
    struct cpu_job job = {0}, *const old = &cpu->job;
    struct team *team = NULL;
    const uint64_t bytes = run->report.device_bytes;
    const int grows = cpu->is_baseline && !run->system.is_baseline && cpu->is_team;
    const int64_t threads = grows ? most_threads(run, cpu->variant == AUTO) : cpu->threads;
    int status = make_job(run, cpu, threads, &job, old, error);
    if (!status && grows)
        status = ecl_team_create(
            &team, job.tiling.threads, ecl_cores_to_pin(&run->options, job.tiling.threads), error);
    struct cpu_job *const dropped = status ? &job : old;
    if (job.shares_workspaces) dropped->workspaces = NULL;
    run->report.device_bytes = status ? bytes : run->report.device_bytes - old->bytes;
    destroy_rooms(dropped);
    if (status) return status;
    cpu->job = job;
    cpu->is_baseline = run->system.is_baseline;
    if (grows) {
        ecl_team_destroy(cpu->team);
        cpu->team = team;
        cpu->threads = job.tiling.threads;
    }
    report(run, &job.tiling);
    return EULERCL_OK;
}

static void list_facts(const struct run *run, eulercl_stats *stats) {
    const struct cpu_job *job = &((const struct cpu *)run->impl)->job;
    const struct cpu_tiling *t = &job->tiling;
    if (t->kernel == CPU_STEPS) return;
    const struct ode_grid *const grid = &run->system.context.grid;
    const int64_t part = (t->kernel == CPU_TILES ? run->system.n : grid->extents[0]) /
                         (t->kernel == CPU_PLANE ? 1 : t->threads),
                  slices = t->height ? int_ceil(grid_rows(grid), t->height) : 1;
    uint64_t redundant = 0;
    for (int64_t i = 0; i < t->threads; i++) redundant += (uint64_t)job->redundant[i];
    ecl_add_count(stats, "tiles", "",
        (uint64_t)(t->threads * slices * (t->resident ? 1 : int_ceil(part, t->tile))));
    ecl_add_count(stats, "tile_points", "points", (uint64_t)(t->tile * int_max(t->height, 1)));
    ecl_add_total(stats, "redundant_component_steps", "component-steps",
        redundant / (uint64_t)run->system.method->stages);
}

static int create_one(struct run *run, eulercl_error *error) {
    return create_with(run, 0, 1, error);
}
static int create_team(struct run *run, eulercl_error *error) {
    return create_with(run, 1, most_threads(run, run->variant == AUTO), error);
}

static int step(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct cpu *cpu = run->impl;
    struct cpu_job *job = &cpu->job;
    ecl_job_begin(job, batch);
    const enum cpu_kernel kernel = job->tiling.kernel;
    const int64_t passes =
        kernel == CPU_STEPS ? batch->steps * run->system.method->stages : job->rounds;
    job->x[0] = cpu->state.now;
    job->x[1] = cpu->state.next;
    job->carried = cpu->state.carried;
    for (int64_t i = 0; i < job->tiling.threads; i++)
        atomic_store_explicit(&job->flags[i].done, 0, memory_order_relaxed);
    const double start = ecl_now();
    const int status = ecl_team_run(cpu->team, kernels[kernel].work, job, error);
    *seconds = ecl_now() - start;
    if (status) return status;
    if (passes % 2) ecl_cpu_swap(&cpu->state);
    run->report.launches += (uint64_t)passes;
    run->report.worst_error = job->worst[0];
    for (int64_t i = 1; i < job->tiling.threads; i++)
        if (job->worst[i] > run->report.worst_error) run->report.worst_error = job->worst[i];
    return EULERCL_OK;
}

/* A single round reads one array and writes the other. */
static int outlives(const struct run *run, const struct batch *batch) {
    const struct cpu *cpu = run->impl;
    return cpu->job.tiling.kernel != CPU_STEPS && batch->steps <= cpu->job.tiling.steps &&
           batch->steps * run->system.method->stages > 1;
}

static void undo(struct run *run) { ecl_cpu_swap(&((struct cpu *)run->impl)->state); }

/* ---- for the planner ---- */

/* Nothing where a plainer backend does the same: seq step after step, cpu with one thread. The fast
 * code that takes the place of baseline code brings lanes, so what may come counts there: seq has
 * none, and cpu has one thread. */
static int is_plain(
    const struct run *run, const struct cpu_tiling *tiling, int64_t threads, int is_team) {
    if (run->system.is_baseline) return is_team != (ecl_cores().count > 1);
    return tiling->kernel == CPU_STEPS ? tiling->threads == 1 : threads > 1 && tiling->threads == 1;
}

static int propose_with(
    const struct run *run, int is_team, int64_t threads, struct proposal *proposals, int most) {
    struct cpu_tiling tiling;
    const char *const variant = TUNED_NAME(&run->options, variant);
    if (!choose(run, variant, threads, &tiling)) return 0;
    if (!variant && is_plain(run, &tiling, threads, is_team)) return 0;
    const struct cpu_facts facts = facts_of(run);
    const struct proposal p = {.options = run->options,
        .steps = tiling.kernel == CPU_STEPS ? 1 : tiling.steps,
        .step_seconds = ecl_cpu_seconds(&run->system, &facts, &tiling,
            run->options.rtol > 0 ? 0 : run->options.expected_steps)};
    return ecl_propose(proposals, 0, most, &p);
}

static int propose_one(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    (void)device;
    return propose_with(run, 0, 1, proposals, most);
}

static int propose_team(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    (void)device;
    const char *const variant = TUNED_NAME(&run->options, variant);
    return propose_with(
        run, 1, most_threads(run, !variant || !strcmp(variant, variants[AUTO])), proposals, most);
}

static const struct step_table steps = {step, change_method};
static const struct round_table rounds = {outlives, undo};

static int reduce(
    struct run *run, const struct reduction *reduction, double *numbers, eulercl_error *error) {
    const struct cpu *const cpu = run->impl;
    return ecl_team_reduce(cpu->team, cpu->threads, reduction, cpu->state.now, numbers, error);
}

static const struct state_table team_state = {.write = ecl_cpu_write_state,
    .read = ecl_cpu_read_state,
    .find_nonfinite = ecl_cpu_find_nonfinite,
    .reduce = reduce};

const struct backend ecl_backend_cpu = {
    .create = create_one,
    .destroy = destroy,
    .propose = propose_one,
    .facts = list_facts,
    .state = &ecl_cpu_state,
    .steps = &steps,
    .copies = &ecl_cpu_copies,
    .rounds = &rounds,
    .slot = &ecl_cpu_slot,
};
const struct backend ecl_backend_pthreads = {
    .create = create_team,
    .destroy = destroy,
    .propose = propose_team,
    .facts = list_facts,
    .state = &team_state,
    .steps = &steps,
    .copies = &ecl_cpu_copies,
    .rounds = &rounds,
    .slot = &ecl_cpu_slot,
};
