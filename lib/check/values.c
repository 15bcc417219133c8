/* SPDX-License-Identifier: BSD-2-Clause */
/* values.c - states to compute with, guards around them, and comparisons. */
#include "config.h"
#include "check.h"
#include "../int.h"
#include "../mem.h"
#include <string.h>

enum {
    RANGE = 1 << 16,      /* components of a range: the first, the last, and some in between */
    MOST_GUARD = 1 << 20, /* reals */
};

/* A power of two for values anywhere: 1, unless the problem's unit is far from that. */
static double size_anywhere(double peak) {
    int exponent = 0;
    frexp(peak, &exponent);
    return exponent < -9 || exponent > 10 ? ldexp(1, exponent - 1) : 1;
}

int ecl_check_make_state(struct check *c, int state, char *y) {
    const int64_t n = c->system.n;
    double peak = 0; /* the largest magnitude of the initial state */
    c->state = state;
    c->t = c->options.t0 + 0.7 * state;
    if (c->definition->initial) {
        const int status = eulercl_problem_initial(
            c->problem, (enum eulercl_precision)c->system.real_size, 0, n, y, c->error);
        if (status) return status;
        for (int64_t i = 0; i < n; i++)
            if (isfinite(get(c, y, i))) peak = fmax(peak, fabs(get(c, y, i)));
    }
    if (!(peak > 0)) peak = 1;
    const int is_near = state == 0 && c->definition->initial;
    for (int64_t i = 0; i < n; i++) {
        const double now = is_near ? get(c, y, i) : 0;
        set(c, y, i,
            !is_near   ? 2 * size_anywhere(peak) * ecl_random(i, 2)
            : now != 0 ? now * (1 + 0.01 * ecl_random(i, 1))
                       : 1e-3 * peak * fabs(ecl_random(i, 1)));
    }
    c->peak = 0;
    for (int64_t i = 0; i < n; i++) c->peak = fmax(c->peak, fabs(get(c, y, i)));
    return EULERCL_OK;
}

static int64_t range_length(const struct check *c) {
    const int64_t unit = ecl_system_point(&c->system);
    return int_min(int_ceil(RANGE, unit) * unit, c->system.n);
}

int ecl_check_get_ranges(const struct check *c, int64_t (*ranges)[2]) {
    const int64_t n = c->system.n;
    if (n <= ALL) {
        ranges[0][0] = 0;
        ranges[0][1] = n;
        return 1;
    }
    const int64_t unit = ecl_system_point(&c->system), length = range_length(c);
    for (int r = 0; r < RANGES; r++) {
        ranges[r][0] = r == 0   ? 0
                       : r == 1 ? n - length
                                : ecl_random_below(n - length, r, 3) / unit * unit;
        ranges[r][1] = ranges[r][0] + length;
    }
    return RANGES;
}

int64_t ecl_check_compared(const struct check *c) {
    return c->system.n <= ALL ? c->system.n : RANGES * range_length(c);
}

int64_t ecl_check_first_difference(const struct check *c, const void *a, const void *b,
    int64_t begin, int64_t end, int64_t *count) {
    int64_t first = -1;
    for (int64_t i = begin; i < end; i++) {
        if (is_same(get(c, a, i), get(c, b, i))) continue;
        if (first < 0) first = i;
        ++*count;
    }
    return first;
}

/* Poison the memory before and after a state that is moved by `shift` reals. A right-hand side that
 * reads there reads the same everywhere, and check_reads finds it. */
void ecl_check_guard(const struct check *c, char *memory, int shift) {
    for (int64_t i = 0; i < c->guard + shift; i++) set(c, memory, i, (double)NAN);
    for (int64_t i = c->guard + shift + c->system.n; i < 2 * c->guard + c->system.n + MOST_SHIFT;
         i++)
        set(c, memory, i, (double)NAN);
}

int ecl_check_open(struct check *c, enum eulercl_precision precision, eulercl_error *why) {
    const int status = ecl_system_create(c->problem, precision, &c->system, why);
    if (status) return status;
    const struct system *s = &c->system;
    const struct ode_grid *const grid = &s->context.grid;
    const double reach =
        ecl_has_stencil(s) ? ecl_grid_reach(grid) * grid->components : (double)s->access_distance;
    c->guard = GUARD + 2 * (int64_t)fmin(reach, MOST_GUARD);
    const uint64_t guarded = s->state_bytes + (uint64_t)(2 * c->guard + MOST_SHIFT) * s->real_size;
    for (int k = 0; k < 3; k++) {
        void *memory = NULL;
        const int failed = ecl_mem_state(guarded, "a check", &memory, why);
        if (failed) return failed;
        c->memory[k] = memory;
    }
    c->clean = c->memory[0] + c->guard * (int64_t)s->real_size;
    c->scratch = c->memory[1] + c->guard * (int64_t)s->real_size;
    c->result = c->memory[2];
    ecl_check_guard(c, c->memory[0], 0);
    return EULERCL_OK;
}

void ecl_check_close(struct check *c) {
    for (int k = 0; k < 3; k++) {
        ecl_mem_free(c->memory[k]);
        c->memory[k] = NULL;
    }
    ecl_system_destroy(&c->system);
}
