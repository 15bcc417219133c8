/* SPDX-License-Identifier: BSD-2-Clause */
/* system.c - see system.h. */
#include "config.h"
#include "system.h"
#include "../int.h"
#include "coefficients.h"
#include "flush.h"
#include "grid.h"
#include "pattern.h"
#include "update.h"
#include <string.h>

enum { FLUSHED_AT_ONCE = 1 << 12 }; /* components between two looks for tiny values, at most */

double ecl_system_component(const struct system *s, int64_t i, double t, const void *y) {
    return s->real_size == sizeof(float)
               ? (double)s->definition->eval_comp_f32(&s->context, i, (float)t, y)
               : s->definition->eval_comp_f64(&s->context, i, t, y);
}

static void eval_at(const struct system *system, void *dot, const void *y, int64_t begin,
    int64_t end, const struct ode_instant *t) {
    if (system->kernels)
        system->kernels->eval_range(&system->context, dot, y, begin, end, t);
    else /* a struct made by hand: one call per component */
        for (int64_t i = begin; i < end; i++)
            real_set(dot, i, system->real_size, ecl_system_component(system, i, t->t, y));
}

void ecl_system_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t) {
    const struct ode_instant instant = ode_instant_at(t);
    eval_at(system, dot, y, begin, end, &instant);
}

struct ode_instant ecl_level_instant(
    const struct system *s, const struct batch *batch, int64_t level) {
    const struct method *const m = s->method;
    const struct stage *const stage = &m->table[level % m->stages];
    struct ode_instant instant = ode_instant_at(ecl_level_time(m, batch, level));
    for (int k = 1; k < ODE_STEP_POINTS && s->has_stage_values; k++) {
        instant.weights[k - 1] = stage->weights[k - 1];
        instant.is_weighted |= stage->weights[k - 1] != 0;
    }
    for (int k = 0; k < ODE_STEP_POINTS && instant.is_weighted; k++)
        instant.times[k] = ecl_point_time(m, batch, level, k);
    return instant;
}

int64_t ecl_system_reach(const struct system *s) {
    const struct ode_grid *const grid = &s->context.grid;
    const uint32_t last = grid->rank - 1;
    if (!has_grid(s->definition)) return s->access_distance;
    /* Rows (in three dimensions planes) as far as the stencil goes, and a place anywhere in one. */
    const int64_t row = s->n / grid->extents[last];
    const double reach = (double)(grid_radius(grid, last) + 1) * (double)row;
    return reach < (double)s->n ? (int64_t)reach : s->n;
}

int ecl_system_window(const struct system *whole, int64_t first, int64_t rows,
    struct system *window, eulercl_error *error) {
    struct ode_grid *const grid = &window->context.grid;
    *window = *whole;
    const int64_t row = ecl_system_row(whole);
    grid->extents[grid_last_axis(grid)] = window->kept_end = rows;
    window->n = window->context.n = rows * row;
    if (grid_has_ring(grid)) window->access_distance = window->n - 1;
    window->state_bytes = (uint64_t)window->n * whole->real_size;
    window->field_bytes = ecl_coefficients_size(whole->definition, grid, whole->real_size);
    const int status = ecl_mem_state(window->field_bytes ? window->field_bytes : whole->real_size,
        "the coefficient fields of a window", &window->fields, error);
    window->context.fields = window->fields;
    if (!status) ecl_system_move_window(whole, first, window);
    return status;
}

void ecl_system_move_window(const struct system *whole, int64_t first, struct system *window) {
    struct ode_grid *const grid = &window->context.grid;
    const uint32_t last = grid_last_axis(grid);
    const int64_t all = whole->context.grid.extents[last], rows = grid->extents[last],
                  reach = whole->access_distance;
    grid->origin[last] = first;
    if (!grid->rank) {
        window->context.low = first > 0 ? int_min(reach, rows) : 0;
        window->context.high = first + rows < all ? int_max(rows - reach, 0) : rows;
    }
    ecl_window_coefficients(whole, window);
}

void ecl_system_drop_window(struct system *window) {
    ecl_mem_free(window->fields);
    window->fields = NULL;
}

int ecl_read_parts(const struct state_source *source, const struct state_part *parts, int64_t count,
    eulercl_error *error) {
    int status = EULERCL_OK;
    if (source->gather) return source->gather(source->from, parts, count, error);
    for (int64_t i = 0; !status && i < count; i++)
        status = source->read(source->from, parts[i].first, parts[i].count, parts[i].y, error);
    return status;
}

int ecl_is_position(const struct system *s, int64_t i) {
    const struct ode_problem *d = s->definition;
    return d->is_position &&
           d->is_position(d->grid.rank ? i % d->grid.components : i + s->context.grid.origin[0]);
}

/* 1 for the components that a stage replaces. */
static void find_replaced(const struct system *s, enum stage_components components, int64_t first,
    int64_t count, void *is_replaced) {
    for (int64_t i = 0; i < count; i++)
        real_set(is_replaced, i, s->real_size,
            ecl_is_position(s, first + i) == (components == STAGE_POSITIONS));
}

/* The greatest of `worst` and of the ratios of errors e to the weights of y, from component `from`
 * on. */
static int32_t find_norm(
    const struct system *s, const char *y, const char *e, int64_t from, int64_t to, int32_t worst) {
    const struct tolerance *const t = &s->tolerance;
    const size_t size = s->real_size;
    ecl_norm_array *const norm = ecl_norm_for(s->kernels ? s->kernels->isa : "", size);
    for (int64_t i = from, next; i < to; i = next) {
        next = ecl_pattern_end(&t->along, i, to);
        worst = norm(y + (size_t)i * size, e + (size_t)i * size, ecl_pattern_at(&t->along, i, size),
            NULL, next - i, t->rtol, worst);
    }
    return worst;
}

/* Compare the errors of those components begin .. end-1 that are kept. */
static void compare_errors(
    const struct system *s, const struct state_arrays *arrays, int64_t begin, int64_t end) {
    const int64_t row = ecl_system_row(s),
                  from = int_max(int_max(begin, arrays->kept), s->kept * row),
                  to = int_min(int_min(end, arrays->kept_end), s->kept_end * row);
    const char *const errors =
        arrays->carried + (size_t)((s->method->estimate - 1) * arrays->stride) * s->real_size;
    *arrays->worst = find_norm(s, arrays->next, errors, from, to, *arrays->worst);
}

void ecl_system_solve(const struct system *s, double hb, void *u, int64_t count, int64_t lanes) {
    if (s->kernels && s->kernels->solve_points)
        s->kernels->solve_points(
            &s->context, u, count / (ecl_system_point(s) * lanes), (int)lanes, hb);
}

/* The derivatives of a block of components are used while they are in the first cache. */
static void compute_stage(const struct system *s, const struct state_arrays *arrays, int64_t begin,
    int64_t end, const union ecl_stage *stage, enum stage_components components,
    const struct ode_instant *t, int is_estimated, int is_flushed) {
    double derivatives[UPDATE_BLOCK], is_replaced[UPDATE_BLOCK]; /* room for both precisions */
    /* Blocks of whole points, so that all of them replace the same components. */
    const int64_t per_point = s->definition->grid.rank ? s->definition->grid.components : INT64_MAX,
                  block = per_point <= UPDATE_BLOCK ? UPDATE_BLOCK / per_point * per_point
                                                    : UPDATE_BLOCK;
    const size_t size = s->real_size;
    ecl_update *const update = ecl_update_for(s->kernels ? s->kernels->isa : "", s->real_size);
    for (int64_t i = begin, next; i < end; i = next) {
        const int64_t first = i / block * block;
        next = int_min(first + block, end);
        if (components != STAGE_ALL && (i == begin || block < per_point))
            find_replaced(s, components, first, int_min(block, end - first), is_replaced);
        eval_at(s, ecl_from_component((char *)derivatives, i, size), arrays->now, i, next, t);
        struct update_block b = {.now = arrays->now + (size_t)i * size,
            .derivatives = derivatives,
            .next = arrays->next + (size_t)i * size,
            .is_replaced =
                components == STAGE_ALL ? NULL : (char *)is_replaced + (size_t)(i - first) * size,
            .count = next - i};
        for (int k = 0; k + 1 < s->method->arrays; k++)
            b.carried[k] = arrays->carried + (size_t)(k * arrays->stride + i) * size;
        update(stage, s->method->arrays, &b);
        ecl_system_solve(s, ecl_stage_factor(stage, size), b.next, b.count, 1);
        if (s->definition->find_marks) ecl_keep_still(s, arrays->now, arrays->next, i, next);
        if (is_estimated) compare_errors(s, arrays, i, next);
        if (is_flushed) ecl_flush(s, arrays->next, i, next);
    }
}

void ecl_system_level(const struct system *system, const struct state_arrays *arrays, int64_t begin,
    int64_t end, const struct batch *batch, int64_t level) {
    const struct method *m = system->method;
    const struct ode_instant t = ecl_level_instant(system, batch, level);
    const int is_flushed = ecl_is_flushed(system, batch, level);
    if (system->kernels && ecl_is_plain(m)) {
        const double h = batch->h * m->table[level % m->stages].b[0];
        /* A block that is flushed is still in the cache. */
        const int64_t point = ecl_system_point(system),
                      block =
                          is_flushed ? int_max(FLUSHED_AT_ONCE / point, 1) * point : end - begin;
        for (int64_t i = begin, next; i < end; i = next) {
            next = int_min(i + block, end);
            system->kernels->step_range(
                &system->context, arrays->next, arrays->now, i, next, &t, h);
            if (is_flushed) ecl_flush(system, arrays->next, i, next);
        }
        return;
    }
    union ecl_stage stage;
    ecl_stage_of(m, level, batch->h, system->real_size, &stage);
    compute_stage(system, arrays, begin, end, &stage, m->table[level % m->stages].components, &t,
        ecl_is_estimated(system, level), is_flushed);
}
