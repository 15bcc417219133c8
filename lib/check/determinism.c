/* SPDX-License-Identifier: BSD-2-Clause */
/* determinism.c - whether the same input gives the same bits: twice, in parts of any size,
 * and elsewhere in memory. */
#include "config.h"
#include "check.h"
#include "../int.h"
#include <string.h>

enum {
    PARTS = 16,   /* ranges of whole points that a step is cut into */
    SPOTS = 1000, /* places of a range that are computed elsewhere in memory */
    SPOT = 33,    /* components of each such place */
};

static void run_range(
    const struct check *c, int pass, const void *in, void *out, int64_t begin, int64_t end) {
    const struct state_arrays state = {.now = (char *)(uintptr_t)in, .next = out};
    const struct batch batch = {.steps = 1, .t_base = c->t, .h = big_step};
    if (pass == STEP_RANGE)
        ecl_system_level(&c->system, &state, begin, end, &batch, 0);
    else
        ecl_system_eval(&c->system, out, in, begin, end, c->t);
}

int ecl_check_repeats(struct check *c) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    c->is_deterministic = 0;
    for (int state = 0; state < STATES; state++) {
        const int status = ecl_check_make_state(c, state, c->clean);
        if (status) return status;
        for (int r = 0; r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            for (int pass = 0; pass < PASSES; pass++) {
                int64_t differ = 0;
                run_range(c, pass, c->clean, c->result, begin, end);
                run_range(c, pass, c->clean, c->scratch, begin, end);
                const int64_t at =
                    ecl_check_first_difference(c, c->result, c->scratch, begin, end, &differ);
                if (at >= 0)
                    return FAILS(determinism, EULERCL_INTERNAL, at,
                        "%s: the same input gives %.17g and then %.17g as %s of component %lld "
                        "(%lld of %lld differ)",
                        precision_of(c), get(c, c->result, at), get(c, c->scratch, at),
                        pass == STEP_RANGE ? "value after a step" : "derivative", (long long)at,
                        (long long)differ, (long long)(end - begin));
            }
            for (int64_t i = begin; i < end; i++) {
                const double first = evaluate(c, i, c->clean), second = evaluate(c, i, c->clean);
                if (!is_same(first, second))
                    return FAILS(determinism, EULERCL_INTERNAL, i,
                        "%s: the same input gives %.17g and then %.17g as derivative of component "
                        "%lld",
                        precision_of(c), first, second, (long long)i);
            }
        }
    }
    c->is_deterministic = 1;
    return EULERCL_OK;
}

/* Check whether parts of any size, or other places in memory, change the bits of a pass. */
static int check_parts(struct check *c, int pass, int64_t (*ranges)[2], int count, int *holds) {
    const size_t size = c->system.real_size;
    const int64_t unit = ecl_system_point(&c->system);
    *holds = 0;
    for (int r = 0; r < count; r++) {
        const int64_t begin = ranges[r][0], end = ranges[r][1];
        int64_t differ = 0;
        run_range(c, pass, c->clean, c->result, begin, end);
        for (int64_t first = begin, part = 0; first < end; part++) {
            const int64_t length =
                part + 1 < PARTS
                    ? unit * (1 + ecl_random_below((end - begin) / unit / PARTS * 2 + 8, part, 4))
                    : end - first;
            const int64_t last = end - first < length ? end : first + length;
            run_range(c, pass, c->clean, c->scratch, first, last);
            first = last;
        }
        const int64_t at =
            ecl_check_first_difference(c, c->result, c->scratch, begin, end, &differ);
        if (at >= 0)
            return FAILS(determinism, EULERCL_INTERNAL, at,
                "%s: the bits of component %lld depend on the range that is computed",
                precision_of(c), (long long)at);
    }
    /* Elsewhere in memory: scratch is the state now, with another alignment. */
    for (int shift = 1; shift <= MOST_SHIFT; shift++) {
        char *moved = c->scratch + shift * (int)size;
        memcpy(moved, c->clean, (size_t)c->system.n * size);
        ecl_check_guard(c, c->memory[1], shift);
        for (int r = 0; r < count; r++)
            for (int64_t i = ranges[r][0]; i < ranges[r][1];
                 i += unit * (1 + (ranges[r][1] - ranges[r][0]) / unit / SPOTS)) {
                const int64_t last = int_min(i + int_ceil(SPOT, unit) * unit, ranges[r][1]),
                              compared = int_min(i + SPOT, last);
                unsigned char before[SPOT * sizeof(double)];
                memcpy(before, c->result + (size_t)i * size, (size_t)(compared - i) * size);
                run_range(c, pass, moved, c->result, i, last);
                for (int64_t j = i; j < compared; j++)
                    if (!is_same(get(c, before, j - i), get(c, c->result, j)))
                        return FAILS(determinism, EULERCL_INTERNAL, j,
                            "%s: the bits of component %lld depend on the address of the state",
                            precision_of(c), (long long)j);
            }
    }
    *holds = 1;
    return EULERCL_OK;
}

int ecl_check_places(struct check *c) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    for (int state = 0; state < STATES; state++) {
        int holds, status = ecl_check_make_state(c, state, c->clean);
        for (int pass = 0; !status && pass < PASSES; pass++) {
            status = check_parts(c, pass, ranges, count, &holds);
            if (status || !holds) return status;
        }
        if (status) return status;
    }
    return HOLDS(determinism,
        "%s: the same bits when repeated, in parts of any size, and at other addresses",
        precision_of(c));
}
