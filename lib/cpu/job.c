/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/job.c - see cpu/job.h: the rounds of a batch. */
#include "config.h"
#include "job.h"
#include "../int.h"

int64_t eulercl_round_begin(const struct cpu_job *job, int64_t round) {
    const int64_t units = int_ceil(job->batch.steps, job->unit), share = units / job->rounds,
                  rest = units % job->rounds;
    const int64_t begin = job->unit * (round * share + (round < rest ? round : rest));
    return begin < job->batch.steps ? begin : job->batch.steps;
}

void eulercl_job_begin(struct cpu_job *job, const struct batch *batch) {
    const struct cpu_tiling *t = &job->tiling;
    job->batch = *batch;
    job->unit = t->kernel == CPU_LINE && t->steps >= job->system->kernels->levels
                    ? job->system->kernels->levels
                    : 1;
    const int64_t units = int_ceil(batch->steps, job->unit), most = t->steps / job->unit;
    job->rounds = int_ceil(units, most);
    job->round_steps = int_ceil(units, job->rounds) * job->unit;
}
