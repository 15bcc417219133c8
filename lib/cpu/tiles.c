/* SPDX-License-Identifier: BSD-2-Clause */
/* tiles.c - the plain layout, for any right-hand side with a short access distance: a tile of
 * components makes the steps of a round on a copy of its own, which has `levels * access distance`
 * components more than it keeps at each end, except at the ends of the system. All ranges are whole
 * points: the access distance counts what the last component of a point may read before the first
 * one, so the point that a range's end lies in has been computed, too. A round ends with a step, so
 * the carried values of a method are the tile's own, too. */
#include "config.h"
#include "job.h"
#include "../int.h"
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

enum {
    APART = 2048
}; /* bytes between the buffers of a workspace beyond a page's multiple: see cpu/state.c */

/* A multiple of sizeof(double); 0 on overflow. */
static uint64_t buffer_bytes(const struct system *s, const struct cpu_tiling *tiling) {
    uint64_t halo, bytes;
    if (__builtin_mul_overflow((uint64_t)tiling->steps, (uint64_t)s->method->stages, &halo) ||
        __builtin_mul_overflow(halo, 2 * (uint64_t)s->access_distance, &halo) ||
        __builtin_add_overflow(halo, (uint64_t)tiling->tile + 1, &halo) ||
        __builtin_mul_overflow(halo, s->real_size, &bytes) ||
        __builtin_add_overflow(bytes, 2 * APART, &bytes))
        return 0;
    return bytes / (2 * APART) * (2 * APART) + APART;
}

uint64_t ecl_tiles_workspace(const struct system *s, const struct cpu_tiling *tiling) {
    /* Two levels and the carried values. */
    uint64_t bytes;
    return __builtin_mul_overflow(buffer_bytes(s, tiling), (uint64_t)s->method->arrays + 1, &bytes)
               ? 0
               : bytes;
}

void ecl_tiles_work(void *user, int64_t thread) {
    const struct cpu_job *job = user;
    const struct system *s = job->system;
    const struct cpu_tiling *tiling = &job->tiling;
    if (thread >= tiling->threads) return;
    const int64_t n = s->n, point = ecl_system_point(s), k = s->access_distance,
                  lo = point * deal_part(n / point, tiling->threads, thread),
                  hi = point * deal_part(n / point, tiling->threads, thread + 1);
    const int64_t stages = s->method->stages, tiles = int_ceil(hi - lo, tiling->tile);
    const uint64_t bytes = buffer_bytes(s, tiling);
    char *const workspace = ecl_workspace(job, thread);
    for (int64_t r = 0; r < job->rounds; r++) {
        const int64_t begin = stages * ecl_round_begin(job, r),
                      end = stages * ecl_round_begin(job, r + 1);
        if (r && thread > 0) ecl_flag_wait(&job->flags[thread - 1], r);
        if (r && thread < tiling->threads - 1) ecl_flag_wait(&job->flags[thread + 1], r);
        for (int64_t turn = 0; turn < tiles; turn++) {
            /* The outer tiles first, because the neighbours wait for them. */
            const int64_t tile = turn == 0 ? 0 : turn == 1 ? tiles - 1 : turn - 1;
            const int64_t a = lo + point * deal_part((hi - lo) / point, tiles, tile),
                          b = lo + point * deal_part((hi - lo) / point, tiles, tile + 1);
            const int64_t first = deal_reach_down(a, (end - begin) * k, 0);
            char *const buffers[2] = {ecl_from_component(workspace, first, s->real_size),
                ecl_from_component(workspace + bytes, first, s->real_size)};
            for (int64_t level = begin; level < end; level++) {
                const int64_t left = (end - level - 1) * k,
                              from = deal_reach_down(a, left, 0) / point * point,
                              to = int_ceil(deal_reach_up(b, left, n, 0), point) * point;
                const struct state_arrays state = {
                    .now = level == begin ? job->x[r % 2] : buffers[level % 2],
                    .next = level + 1 == end ? job->x[(r + 1) % 2] : buffers[(level + 1) % 2],
                    .carried = ecl_from_component(workspace + 2 * bytes, first, s->real_size),
                    .stride = (int64_t)(bytes / s->real_size),
                    .kept = a,
                    .kept_end = b,
                    .worst = &job->worst[thread]};
                ecl_system_level(s, &state, from, to, &job->batch, level);
                job->redundant[thread] += to - from - (b - a);
            }
            if (turn == (tiles > 1)) ecl_flag_publish(&job->flags[thread], r + 1);
        }
    }
}
