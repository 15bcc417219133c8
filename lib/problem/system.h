/* SPDX-License-Identifier: BSD-2-Clause */
/* system.h - the right-hand side of a system and a level of its method, computed on the calling
 * thread: what every schedule and engine must agree with, and what the verifiers use. */
#ifndef EULERCL_SYSTEM_H
#define EULERCL_SYSTEM_H
#include "grid.h"
#include "../method/method.h"

/* The arrays of a state. */
struct state_arrays {
    char *now, *next;       /* the state, and where the next level goes */
    char *carried;          /* the method's carried values, one array after the other, or NULL */
    uint64_t carried_bytes; /* bytes of all carried arrays */
    int64_t stride;         /* reals from a carried array's beginning to the next one's */
    /* If the method estimates errors: the errors of components kept .. kept_end-1 count. */
    int64_t kept, kept_end;
    int32_t *worst; /* raised to the greatest ratio (ODE_RATIO_) of these errors */
};

/* Components first .. first + count - 1 of a state, and where they are read to. */
struct state_part {
    int64_t first, count;
    void *y;
};
/* A state that can be read in parts, wherever it is; gather: several parts at once, NULL: one after
 * the other. */
struct state_source {
    void *from;
    int (*read)(void *from, int64_t first, int64_t count, void *y, eulercl_error *error);
    int (*gather)(void *from, const struct state_part *parts, int64_t count, eulercl_error *error);
};
int ecl_read_parts(const struct state_source *source, const struct state_part *parts, int64_t count,
    eulercl_error *error);

/* An array that begins with component `first`. */
static inline char *ecl_from_component(char *array, int64_t first, size_t real_size) {
    return (char *)((uintptr_t)array - (uintptr_t)first * real_size);
}

/* A window of a system: `rows` rows along the last axis of its grid (in one dimension points) from
 * number `first` on, counted round the whole grid. Everything but its coefficient fields is
 * borrowed from `whole`, which must outlive it. Its ends are ends of its grid, with the boundary
 * rule; the right-hand side sees the places and the extents of the whole grid. The caller frees the
 * window by ecl_system_drop_window. Errors: MEMORY. */
int ecl_system_window(const struct system *whole, int64_t first, int64_t rows,
    struct system *window, eulercl_error *error);
void ecl_system_drop_window(struct system *window);
/* Move a window to the same number of rows from another row on. */
void ecl_system_move_window(const struct system *whole, int64_t first, struct system *window);
/* The method and the code of a window become those of `whole`, which have changed. */
static inline void ecl_system_follow(struct system *window, const struct system *whole) {
    window->family = whole->family;
    window->method = whole->method;
    window->definition = whole->definition;
    window->kernels = whole->kernels;
    window->is_baseline = whole->is_baseline;
    window->lane_flush = whole->lane_flush;
    window->tolerance = whole->tolerance;
}
static inline int ecl_is_window(const struct system *system) {
    const struct ode_grid *const grid = &system->context.grid;
    const uint32_t last = grid_last_axis(&system->context.grid);
    return grid->origin[last] || grid->extents[last] != grid->global[last];
}
/* Components in a row along all axes but the last. */
static inline int64_t ecl_system_row(const struct system *system) {
    return system->n / system->context.grid.extents[grid_last_axis(&system->context.grid)];
}

/* Components of a grid point; 1 in the general form. */
static inline int64_t ecl_system_point(const struct system *system) {
    return system->definition->grid.rank ? (int64_t)system->definition->grid.components : 1;
}

/* Why no schedule can advance a part of the state without the rest; NULL: it can. */
static inline const char *ecl_why_inseparable(const struct system *system) {
    return system->reads_all
               ? "the right-hand side reads the whole state (ODE_ACCESS_ALL), so no part of it can "
                 "be advanced alone: use seq, cpu, pthreads or cl-linear"
               : NULL;
}
/* Whether the right-hand side is that of a stencil: around a point, of the same kind at all points.
 */
static inline int ecl_has_stencil(const struct system *system) {
    return has_grid(system->definition) && !system->reads_all;
}

/* How far a level reaches along the last axis, in rows. */
static inline int64_t ecl_system_radius(const struct system *system) {
    const struct ode_grid *const grid = &system->context.grid;
    if (system->reads_all) return grid->extents[grid_last_axis(grid)];
    return grid->rank ? (int64_t)grid->radius : system->access_distance;
}

/* The greatest difference between the numbers of a component and of one that it reads. Values that
 * a boundary rule puts beyond the first and the last point of the slowest axis do not count. */
int64_t ecl_system_reach(const struct system *system);
/* Whether component i of the state is a position; 0 if the problem does not say. */
int ecl_is_position(const struct system *system, int64_t i);
/* f_i(t, y), by the plainest form of the right-hand side. */
double ecl_system_component(const struct system *system, int64_t i, double t, const void *y);
/* What a level of a batch gets of the time. */
struct ode_instant ecl_level_instant(
    const struct system *system, const struct batch *batch, int64_t level);
/* dot[i] = f_i(t, y) for begin <= i < end. */
void ecl_system_eval(
    const struct system *system, void *dot, const void *y, int64_t begin, int64_t end, double t);
/* Whether errors are known after a level, counted from 0. */
static inline int ecl_is_estimated(const struct system *system, int64_t level) {
    return system->method->estimate && (level + 1) % system->method->stages == 0;
}
/* The part of a stage that couples the components of a point, if the problem has one: replaces
 * `count` new values of U, those of whole points in `lanes` lanes (ode_kernels.solve_points). */
void ecl_system_solve(
    const struct system *system, double hb, void *u, int64_t count, int64_t lanes);
/* next[i] = level number `level` of a batch, from `now`, for begin <= i < end, which are whole
 * points; the carried values in place. */
void ecl_system_level(const struct system *system, const struct state_arrays *arrays, int64_t begin,
    int64_t end, const struct batch *batch, int64_t level);
#endif
