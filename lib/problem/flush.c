/* SPDX-License-Identifier: BSD-2-Clause */
/* flush.c - see flush.h. */
#include "config.h"
#include "flush.h"
#include "pattern.h"
#include "problem.h"
#include "update.h"

int ecl_is_threshold(double below, size_t real_size) {
    return below >= 0 && isfinite(real_size == sizeof(float) ? (double)(float)below : below);
}

/* The threshold of a component of a point, not rounded. */
static double threshold(
    const eulercl_problem *problem, const eulercl_options *options, int64_t component) {
    return options->flush_below == EULERCL_AS_PROBLEM ? ecl_problem_flush_below(problem, component)
                                                      : options->flush_below;
}

/* Thresholds that repeat after `lanes` reals for each component; none is left if all are 0. */
static int make_pattern(const eulercl_problem *problem, const eulercl_options *options,
    const struct system *s, int64_t lanes, struct pattern *pattern, eulercl_error *error) {
    const int64_t components = s->definition->grid.components;
    const size_t size = s->real_size;
    int is_used = 0;
    if (!ecl_pattern_create(pattern, components, lanes, size))
        return ecl_no_memory(error, "the thresholds of tiny values");
    for (int64_t component = 0; component < components; component++) {
        const double below = threshold(problem, options, component);
        if (!ecl_is_threshold(below, size))
            return ecl_fail(error, EULERCL_INVALID,
                "problem %s: ODE_FLUSH_BELOW(%lld) = %g is not a finite number >= 0 in this "
                "precision",
                s->definition->name, (long long)component, below);
        ecl_pattern_set(pattern, components, lanes, size, component, below);
        is_used |= real_get(pattern->reals, component * lanes, size) > 0;
    }
    if (!is_used) ecl_pattern_destroy(pattern);
    return EULERCL_OK;
}

int ecl_settle_flush(const eulercl_problem *problem, const eulercl_options *options,
    struct system *system, eulercl_error *error) {
    const int lanes = system->kernels ? system->kernels->lanes : 0;
    int status = make_pattern(problem, options, system, 1, &system->flush, error);
    system->flush_below = threshold(problem, options, 0);
    for (int64_t c = 1; c < (int64_t)system->definition->grid.components; c++)
        if (threshold(problem, options, c) != system->flush_below)
            system->flush_below = (double)NAN;
    if (!status && system->flush.reals && lanes)
        status = make_pattern(problem, options, system, lanes, &system->lane_flush, error);
    return status;
}

int ecl_flushes_alike(const eulercl_problem *a, const eulercl_problem *b) {
    for (int64_t c = 0; c < (int64_t)a->definition->grid.components; c++)
        if (ecl_problem_flush_below(a, c) != ecl_problem_flush_below(b, c)) return 0;
    return 1;
}

static void flush_with(
    const struct system *s, const struct pattern *pattern, void *y, int64_t begin, int64_t end) {
    const size_t size = s->real_size;
    ecl_flush_array *const flush = ecl_flush_for(s->kernels ? s->kernels->isa : "", size);
    for (int64_t i = begin, next; i < end; i = next) {
        next = ecl_pattern_end(pattern, i, end);
        flush((char *)y + (size_t)i * size, ecl_pattern_at(pattern, i, size), next - i);
    }
}

void ecl_flush(const struct system *s, void *y, int64_t begin, int64_t end) {
    flush_with(s, &s->flush, y, begin, end);
}

void ecl_flush_lanes(const struct system *s, void *u, int64_t points) {
    flush_with(s, &s->lane_flush, u, 0,
        points * (int64_t)s->definition->grid.components * s->kernels->lanes);
}
