/* SPDX-License-Identifier: BSD-2-Clause */
/* reduction.c - see observe.h: what all observers do with a state. */
#include "config.h"
#include "observe.h"
#include "../mem.h"
#include "../problem/system.h"
#include "../run/monitor.h"
#include <string.h>

struct reduction ecl_observe_reduction(
    const struct observed *observed, const struct reducer *reducer, const void *arguments) {
    const struct system *const s = &observed->run->system;
    return (struct reduction){.reducer = reducer,
        .arguments = arguments,
        .grid = &s->context.grid,
        .real_size = s->real_size,
        .n = s->n,
        .unit = ecl_system_row(s),
        .batch = 1,
        .is_ring = grid_is_periodic(&s->context.grid, grid_last_axis(&s->context.grid))};
}

int ecl_observe_sum(const struct observed *observed, const struct reduction *r, double *sums,
    eulercl_error *error) {
    double *const numbers = ecl_mem_zeroed((uint64_t)r->parts * (uint64_t)r->size, sizeof *numbers);
    struct reduction total = *r;
    total.is_total = 1;
    if (!numbers) return ecl_no_memory(error, "the numbers of the parts");
    const int status = ecl_reduce(observed->run, observed->state, &total, numbers, error);
    for (int64_t i = 0; !status && i < r->size; i++) {
        sums[i] = numbers[i];
        for (int64_t p = 1; p < r->parts; p++) sums[i] += numbers[p * r->size + i];
    }
    ecl_mem_free(numbers);
    return status;
}

void ecl_sums_begin(const struct reduction *r, void *sums) {
    memset(sums, 0, (size_t)r->sums_bytes);
}

int ecl_observe_mean(const struct observed *observed, double *mean, eulercl_error *error) {
    const eulercl_statistic wanted = {EULERCL_MEAN, observed_component(observed->observation)};
    return ecl_monitor_state(observed->run, observed->state, &wanted, 1, mean, error);
}
