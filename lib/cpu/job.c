/* SPDX-License-Identifier: BSD-2-Clause */
/* job.c - see cpu/job.h: the rounds of a batch, and its stages. */
#include "config.h"
#include "job.h"
#include "../int.h"
#include "../problem/pattern.h"

/* ---- stages in lanes ---- */

/* All stages of a step, and the first ones again. */
static int64_t stages_kept(const struct system *s) { return s->method->stages + ODE_MOST_STAGES; }

static void find_stages(struct cpu_job *job, double h) {
    const struct system *s = job->system;
    for (int64_t i = 0; i < stages_kept(s); i++)
        ecl_stage_of(s->method, i, h, s->real_size, &job->stages[i]);
    job->h = h;
}

/* Without the first lane (0) or the last one (1). */
static int create_without(struct cpu_job *job, int is_last, eulercl_error *error) {
    const struct system *s = job->system;
    void *const counts = ecl_mem_zeroed(UPDATE_BLOCK, s->real_size);
    if (!counts) return ecl_no_memory(error, "the lanes whose errors count");
    for (int64_t i = 0; i < UPDATE_BLOCK; i++)
        real_set(counts, i, s->real_size,
            i % s->kernels->lanes != (is_last ? s->kernels->lanes - 1 : 0));
    job->without[is_last] = counts;
    return EULERCL_OK;
}

/* In lanes the components of a position are vectors. */
static int create_replaced(
    struct cpu_job *job, enum stage_components components, eulercl_error *error) {
    const struct system *s = job->system;
    void *const replaced = ecl_mem_zeroed(UPDATE_BLOCK, s->real_size);
    if (!replaced) return ecl_no_memory(error, "the components of a stage");
    for (int64_t i = 0; i < UPDATE_BLOCK; i++)
        real_set(replaced, i, s->real_size,
            ecl_is_position(s, i / s->kernels->lanes % s->definition->grid.components) ==
                (components == STAGE_POSITIONS));
    job->replaced[components] = replaced;
    return EULERCL_OK;
}

int ecl_job_create_stages(struct cpu_job *job, eulercl_error *error) {
    const struct system *s = job->system;
    int status = EULERCL_OK;
    job->h = (double)NAN;
    job->update = ecl_update_for(s->kernels->isa, s->real_size);
    job->stages = ecl_mem_zeroed((uint64_t)stages_kept(s), sizeof *job->stages);
    if (!job->stages) return ecl_no_memory(error, "the stages of a method");
    if (ecl_is_partitioned(s->method)) {
        status = create_replaced(job, STAGE_POSITIONS, error);
        if (!status) status = create_replaced(job, STAGE_VELOCITIES, error);
    }
    for (int k = 0; !status && s->method->estimate && k < 2; k++)
        status = create_without(job, k, error);
    return status;
}

void ecl_job_destroy_stages(struct cpu_job *job) {
    ecl_mem_free(job->stages);
    ecl_mem_free(job->replaced[STAGE_POSITIONS]);
    ecl_mem_free(job->replaced[STAGE_VELOCITIES]);
    for (int k = 0; k < 2; k++) ecl_mem_free(job->without[k]);
}

static void update(const struct ode_levels *levels, int level, void *next, void *const *x,
    const void *f, ode_index count) {
    const struct cpu_levels *const l = (const struct cpu_levels *)(const void *)levels;
    const union ecl_stage *const stage = (const union ecl_stage *)levels->stages + level;
    const struct system *const s = l->job->system;
    const int components =
        s->real_size == sizeof(float) ? stage->f32.components : stage->f64.components;
    struct update_block block = {.now = x[0],
        .derivatives = f,
        .next = next,
        .is_replaced = l->job->replaced[components],
        .count = count};
    for (int k = 1; k < levels->arrays; k++) block.carried[k - 1] = x[k];
    l->job->update(stage, levels->arrays, &block);
    ecl_system_solve(s, ecl_stage_factor(stage, s->real_size), next, count, s->kernels->lanes);
}

struct cpu_levels ecl_job_levels(const struct cpu_job *job, int64_t level) {
    const struct system *s = job->system;
    return (struct cpu_levels){.levels = {.arrays = s->method->arrays,
                                   .stages = &job->stages[level % s->method->stages],
                                   .stride = sizeof *job->stages,
                                   .update = update},
        .job = job};
}

/* ---- errors in lanes ---- */

/* Compare reals begin .. end-1 of a row. counts: the reals of a block that count; NULL: all. */
static void compare(const struct cpu_job *job, int32_t *worst, const char *u, const char *e,
    const void *counts, int64_t begin, int64_t end) {
    const struct system *s = job->system;
    const struct tolerance *const t = &s->tolerance;
    const size_t size = s->real_size;
    ecl_norm_array *const norm = ecl_norm_for(s->kernels->isa, size);
    for (int64_t i = begin, next; i < end; i = next) {
        next = ecl_pattern_end(&t->lanes, i, counts ? int_min(end, i + UPDATE_BLOCK) : end);
        *worst = norm(u + (size_t)i * size, e + (size_t)i * size,
            ecl_pattern_at(&t->lanes, i, size), counts, next - i, t->rtol, *worst);
    }
}

/* Where tiles are hardly longer than their halos: lane by lane. */
static void compare_lanes(const struct cpu_job *job, int32_t *worst, const char *u, const char *e,
    const struct dealt *dealt, int64_t a, int64_t b) {
    const struct system *s = job->system;
    const int64_t lanes = s->kernels->lanes, components = (int64_t)s->definition->grid.components;
    for (int64_t lane = 0; lane < lanes; lane++) {
        const int64_t from = int_max(a - dealt->start[lane], 0),
                      to = int_min(b - dealt->start[lane], dealt->lanes.points);
        for (int64_t i = from * components; i < to * components; i++)
            compare(job, worst, u, e, NULL, i * lanes + lane, i * lanes + lane + 1);
    }
}

void ecl_job_compare_errors(const struct cpu_job *job, int64_t thread, const void *u, const void *e,
    const struct dealt *dealt, int64_t a, int64_t b) {
    const struct system *s = job->system;
    const int64_t lanes = s->kernels->lanes, points = dealt->lanes.points,
                  position = (int64_t)s->definition->grid.components * lanes, first = a,
                  last = b - dealt->start[lanes - 1]; /* positions of all lanes */
    int32_t *const worst = &job->worst[thread];
    if (first <= last && first <= dealt->start[1] && b >= dealt->start[lanes - 2] + points) {
        compare(job, worst, u, e, job->without[0], 0, first * position);
        compare(job, worst, u, e, NULL, first * position, last * position);
        compare(job, worst, u, e, job->without[1], last * position, points * position);
    } else
        compare_lanes(job, worst, u, e, dealt, a, b);
}

/* ---- rounds ---- */

int64_t ecl_round_begin(const struct cpu_job *job, int64_t round) {
    const int64_t units = int_ceil(job->batch.steps, job->unit), share = units / job->rounds,
                  rest = units % job->rounds;
    const int64_t begin = job->unit * (round * share + (round < rest ? round : rest));
    return begin < job->batch.steps ? begin : job->batch.steps;
}

void ecl_job_begin(struct cpu_job *job, const struct batch *batch) {
    const struct cpu_tiling *t = &job->tiling;
    job->batch = *batch;
    job->unit = t->kernel == CPU_LINE && !job->stages && t->steps >= job->system->kernels->levels
                    ? job->system->kernels->levels
                    : 1;
    const int64_t units = int_ceil(batch->steps, job->unit), most = t->steps / job->unit;
    job->rounds = int_ceil(units, most);
    job->round_steps = int_ceil(units, job->rounds) * job->unit;
    if (job->stages && batch->h != job->h) find_stages(job, batch->h);
    for (int64_t i = 0; i < t->threads; i++) job->worst[i] = INT32_MIN;
}
