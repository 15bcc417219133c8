/* SPDX-License-Identifier: BSD-2-Clause */
/* system.c - see system.h. */
#include "config.h"
#include "system.h"
#include "reals.h"

double eulercl_system_component(const struct system *s, int64_t i, double t, const void *y) {
    return s->real_size == sizeof(float)
               ? (double)s->definition->eval_comp_f32(&s->context, i, (float)t, y)
               : s->definition->eval_comp_f64(&s->context, i, t, y);
}

void eulercl_system_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t) {
    if (system->kernels)
        system->kernels->eval_range(&system->context, dot, y, begin, end, t);
    else /* a struct made by hand: one call per component */
        for (int64_t i = begin; i < end; i++)
            real_set(dot, i, system->real_size, eulercl_system_component(system, i, t, y));
}

int eulercl_is_position(const struct system *s, int64_t i) {
    const struct ode_problem *d = s->definition;
    return d->is_position && d->is_position(d->grid.rank ? i % d->grid.components : i);
}

/* `next` holds the derivatives and gets the new values. */
#define UPDATE_RANGE(NAME, VALUE)                                                                 \
    static void update_range_##NAME(const struct system *s, const ode_stage_##NAME *stage,        \
        int arrays, int64_t stride, VALUE *next, const VALUE *now, VALUE *carried, int64_t begin, \
        int64_t end) {                                                                            \
        for (int64_t i = begin; i < end; i++) {                                                   \
            VALUE x[ODE_MOST_ARRAYS_] = {now[i]};                                                 \
            for (int k = 1; k < arrays; k++) x[k] = carried[(k - 1) * stride + i];                \
            ode_update_##NAME(stage, arrays, eulercl_is_position(s, i), next[i], x);              \
            for (int k = 1; k < arrays; k++) carried[(k - 1) * stride + i] = x[k];                \
            next[i] = x[0];                                                                       \
        }                                                                                         \
    }
UPDATE_RANGE(f32, float)
UPDATE_RANGE(f64, double)

void eulercl_system_level(const struct system *system, const struct state_arrays *arrays,
    int64_t begin, int64_t end, const struct batch *batch, int64_t level) {
    const struct method *m = system->method;
    const double t = eulercl_level_time(m, batch, level);
    if (system->kernels && eulercl_is_plain(m)) {
        system->kernels->step_range(&system->context, arrays->next, arrays->now, begin, end, t,
            batch->h * m->table[level % m->stages].b[0]);
        return;
    }
    union eulercl_stage stage;
    eulercl_stage_of(m, level, batch->h, system->real_size, &stage);
    eulercl_system_eval(system, arrays->next, arrays->now, begin, end, t);
    if (system->real_size == sizeof(float))
        update_range_f32(system, &stage.f32, m->arrays, arrays->stride, (float *)arrays->next,
            (const float *)arrays->now, (float *)arrays->carried, begin, end);
    else
        update_range_f64(system, &stage.f64, m->arrays, arrays->stride, (double *)arrays->next,
            (const double *)arrays->now, (double *)arrays->carried, begin, end);
}
