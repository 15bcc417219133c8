/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes.c - checks that SIMD lanes have the bits of step_range. Lanes need a whole order of
 * computation, so the backend `cpu` runs, with the code of each instruction set in turn. */
#include "config.h"
#include "check.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

enum { ROW = 1 << 10 }; /* points of a row, where a part of a grid is compared */

/* A large grid is replaced by its first points as a smaller one: the text is the same, and so must
 * the bits be. */
static struct system small_grid(const struct check *c) {
    struct system s = c->system;
    const int64_t components = (int64_t)s.definition->grid.components,
                  points = ALL > components ? ALL / components : 1;
    if (s.n <= ALL) return s;
    ecl_grid_cut(&s.context.grid, points, ROW);
    s.n = s.context.n = ecl_grid_points(&s.context.grid) * components;
    s.state_bytes = (uint64_t)s.n * s.real_size;
    return s;
}

/* Run from c->clean into y. *are_used: 0 if the grid is too small for lanes. */
static int run_lanes(struct check *c, const struct system *system, const struct batch *batch,
    void *y, int *are_used, eulercl_error *why) {
    struct run run = {.system = *system, .options = c->options};
    size_t backend;
    double seconds;
    TUNE(&run.options, pin_threads, 0);
    TUNE_NAME(&run.options, variant, "lanes");
    int status = ecl_find_configuration(&run, "cpu", &backend, why);
    if (status) return status;
    const struct backend *cpu = ecl_backends[backend].table;
    status = cpu->create(&run, why);
    *are_used = status != EULERCL_UNSUPPORTED;
    if (status) return *are_used ? status : EULERCL_OK;
    status = cpu->state->write(&run, 0, system->n, c->clean, why);
    if (!status) status = cpu->steps->step(&run, batch, &seconds, why);
    if (!status) status = cpu->state->read(&run, 0, system->n, y, why);
    cpu->destroy(&run);
    return status;
}

/* Make the same steps by step_range, whose parts have been compared. Returns where the final state
 * is, c->scratch or c->result. */
static char *run_plainly(const struct check *c, const struct system *s, const struct batch *batch) {
    char *now = c->scratch, *next = c->result;
    memcpy(now, c->clean, (size_t)s->state_bytes);
    for (int64_t step = 0; step < batch->steps; step++) {
        char *const before = now;
        const struct ode_instant t = ecl_level_instant(s, batch, step);
        s->kernels->step_range(&s->context, next, now, 0, s->n, &t, batch->h);
        now = next;
        next = before;
    }
    return now;
}

/* One that changes the state by an eighth of its size at most, so that several can be made. `dot`
 * is memory for the derivatives. */
static double modest_step(const struct check *c, const struct system *s, char *dot) {
    double fastest = 0;
    ecl_system_eval(s, dot, c->clean, 0, s->n, c->t);
    for (int64_t i = 0; i < s->n; i++) {
        const double f = fabs(get(c, dot, i));
        if (isfinite(f)) fastest = fmax(fastest, f);
    }
    return fmin(fmax(c->peak / 8 / fastest, (double)FLT_MIN), big_step);
}

int ecl_check_lanes(struct check *c) {
    struct system s = small_grid(c);
    char isas[128] = "", size[GRID_TEXT];
    int are_used = 0, has_lanes = 0;
    for (int state = 0; state < STATES; state++) {
        int status = ecl_check_make_state(c, state, c->clean);
        if (status) return status;
        for (uint32_t index = 0; (s.kernels = ecl_check_kernels(c, index)); index++) {
            if (!s.kernels->lanes) continue;
            has_lanes = 1;
            /* One large step shows the last bit of each derivative. One step more than a sweep has
             * levels runs all the code. */
            struct batch batch = {.steps = 1, .t_base = c->t, .h = big_step};
            for (int several = 0; several < 2; several++) {
                eulercl_error why = {0};
                int64_t differ = 0;
                char *const right = run_plainly(c, &s, &batch), *const y = right == c->scratch
                                                                               ? c->result
                                                                               : c->scratch;
                status = run_lanes(c, &s, &batch, y, &are_used, &why);
                if (status) return SKIPPED(lanes, "%s: %s", precision_of(c), why.message);
                if (!are_used) break;
                const int64_t at = ecl_check_first_difference(c, y, right, 0, s.n, &differ);
                if (at >= 0)
                    return FAILS(lanes, EULERCL_INTERNAL, at,
                        "%s: SIMD lanes (%s) give %.17g in component %lld after %lld step%s of "
                        "%.3g, step_range gives %.17g, %s, t = %g (%lld of %lld differ)",
                        precision_of(c), s.kernels->isa, get(c, y, at), (long long)at,
                        (long long)batch.steps, several ? "s" : "", batch.h, get(c, right, at),
                        place(c), c->t, (long long)differ, (long long)s.n);
                if (!several)
                    batch =
                        (struct batch){.steps = (s.kernels->levels > 2 ? s.kernels->levels : 2) + 1,
                            .t_base = c->t,
                            .h = modest_step(c, &s, right)};
            }
            if (are_used && !state)
                snprintf(isas + strlen(isas), sizeof isas - strlen(isas), "%s%s", *isas ? ", " : "",
                    s.kernels->isa);
        }
    }
    if (!has_lanes) return EULERCL_OK;
    if (!*isas)
        return SKIPPED(lanes,
            "%s: the grid is too small for SIMD lanes, or its points have too many components",
            precision_of(c));
    return HOLDS(lanes,
        "%s: SIMD lanes have the same bits as step_range for %s; %s points, %d states",
        precision_of(c), isas, ecl_grid_text(&s.context.grid, size), STATES);
}
