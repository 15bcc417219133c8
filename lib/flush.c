/* SPDX-License-Identifier: BSD-2-Clause */
/* flush.c - see flush.h. */
#include "config.h"
#include "flush.h"
#include "int.h"
#include "mem.h"
#include "reals.h"
#include "update.h"

enum { LEAST_PERIOD = 1 << 10 }; /* reals of a pattern, so that loops over it are long */

int eulercl_is_threshold(double below, size_t real_size) {
    return below >= 0 && isfinite(real_size == sizeof(float) ? (double)(float)below : below);
}

/* Of a component of a point, not rounded. */
static double threshold(
    const eulercl_problem *problem, const eulercl_options *options, int64_t component) {
    return options->flush_below == EULERCL_AS_PROBLEM
               ? eulercl_problem_flush_below(problem, component)
               : options->flush_below;
}

/* Thresholds that repeat after `lanes` reals for each component; none is left if all are 0. */
static int make_pattern(const eulercl_problem *problem, const eulercl_options *options,
    const struct system *s, int64_t lanes, struct flush_pattern *pattern, eulercl_error *error) {
    const int64_t components = s->definition->grid.components, unit = components * lanes,
                  period = int_ceil(LEAST_PERIOD, unit) * unit;
    const size_t size = s->real_size;
    int is_used = 0;
    void *reals = eulercl_mem_zeroed((uint64_t)period, size);
    if (!reals) return eulercl_no_memory(error, "the thresholds of tiny values");
    *pattern = (struct flush_pattern){reals, period};
    for (int64_t i = 0; i < period; i++) {
        const int64_t component = i / lanes % components;
        const double below = threshold(problem, options, component);
        if (!eulercl_is_threshold(below, size))
            return eulercl_fail(error, EULERCL_INVALID,
                "problem %s: ODE_FLUSH_BELOW(%lld) = %g is not a finite number >= 0 in this "
                "precision",
                s->definition->name, (long long)component, below);
        real_set(reals, i, size, below);
        is_used |= real_get(reals, i, size) > 0;
    }
    if (is_used) return EULERCL_OK;
    eulercl_mem_free(reals);
    pattern->below = NULL;
    return EULERCL_OK;
}

int eulercl_settle_flush(const eulercl_problem *problem, const eulercl_options *options,
    struct system *system, eulercl_error *error) {
    const int lanes = system->kernels ? system->kernels->lanes : 0;
    int status = make_pattern(problem, options, system, 1, &system->flush, error);
    system->flush_below = threshold(problem, options, 0);
    for (int64_t c = 1; c < (int64_t)system->definition->grid.components; c++)
        if (threshold(problem, options, c) != system->flush_below)
            system->flush_below = (double)NAN;
    if (!status && system->flush.below && lanes)
        status = make_pattern(problem, options, system, lanes, &system->lane_flush, error);
    return status;
}

static void flush_with(const struct system *s, const struct flush_pattern *pattern, void *y,
    int64_t begin, int64_t end) {
    const size_t size = s->real_size;
    eulercl_flush_array *const flush = eulercl_flush_for(s->kernels ? s->kernels->isa : "", size);
    for (int64_t i = begin, next; i < end; i = next) {
        const int64_t at = i % pattern->period;
        next = int_min(i + pattern->period - at, end);
        flush((char *)y + (size_t)i * size, (char *)pattern->below + (size_t)at * size, next - i);
    }
}

void eulercl_flush(const struct system *s, void *y, int64_t begin, int64_t end) {
    flush_with(s, &s->flush, y, begin, end);
}

void eulercl_flush_lanes(const struct system *s, void *u, int64_t points) {
    flush_with(s, &s->lane_flush, u, 0,
        points * (int64_t)s->definition->grid.components * s->kernels->lanes);
}
