/* SPDX-License-Identifier: BSD-2-Clause */
/* coefficients.c - see coefficients.h. */
#include "config.h"
#include "coefficients.h"
#include "../int.h"
#include "../mem.h"
#include "grid.h"
#include "problem.h"
#include "system.h"
#include "../reals.h"
#include <string.h>

enum { WORD = 16 };

int64_t ecl_plane_points(const struct ode_grid *grid) {
    int64_t points = 1;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++)
        points *= grid->extents[axis] + 2 * grid_radius(grid, axis);
    return points;
}

int64_t ecl_plane_number(const struct ode_grid *grid, const int64_t at[ODE_MOST_AXES]) {
    int64_t number = 0;
    for (uint32_t axis = ODE_MOST_AXES; axis-- > 0;) {
        const int64_t radius = grid_radius(grid, axis);
        number = number * (grid->extents[axis] + 2 * radius) + at[axis] + radius;
    }
    return number;
}

int64_t ecl_plane_row(const struct ode_grid *grid) {
    const uint32_t last = grid_last_axis(grid);
    return ecl_plane_points(grid) / (grid->extents[last] + 2 * grid_radius(grid, last));
}

uint64_t ecl_coefficients_size(
    const struct ode_problem *d, const struct ode_grid *grid, size_t real_size) {
    uint64_t bytes = ecl_coefficient_bytes(d, real_size);
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const uint64_t points =
            (uint64_t)grid->extents[axis] + 2 * (uint64_t)grid_radius(grid, axis);
        if (__builtin_mul_overflow(bytes, points, &bytes)) return UINT64_MAX;
    }
    /* Devices clear buffers in whole words. */
    return bytes > UINT64_MAX - WORD ? UINT64_MAX : (bytes + WORD - 1) / WORD * WORD;
}

/* ---- planes ---- */

/* Rows along x, and the number in a plane of the first point of one of them. */
static int64_t rows_of(const struct ode_grid *grid) {
    return ecl_grid_points(grid) / grid->extents[0];
}
static int64_t row_begin(const struct ode_grid *grid, int64_t row) {
    return ecl_plane_number(grid, ecl_grid_place(grid, row * grid->extents[0]).at);
}

/* The point of an axis of n points whose values stand d points beyond an end. */
static int64_t beyond(int is_periodic, int is_high, int64_t d, int64_t n) {
    const int64_t round = (d - 1) % n;
    return !is_periodic ? (is_high ? n - 1 : 0) : is_high ? round : n - 1 - round;
}

/* Fill the rim of a plane, axis by axis: with the nearest point, or with the points at the other
 * end of a periodic axis. */
static void fill_rim(const struct ode_grid *grid, size_t size, char *plane) {
    size_t stride = size; /* bytes from neighbour to neighbour along the axis */
    for (uint32_t axis = 0; axis < grid->rank; axis++) {
        const int64_t n = grid->extents[axis], radius = grid_radius(grid, axis),
                      all = n + 2 * radius;
        const size_t lines = (size_t)ecl_plane_points(grid) * size / ((size_t)all * stride);
        for (size_t line = 0; line < lines; line++) {
            char *const first = plane + line * (size_t)all * stride + (size_t)radius * stride;
            for (int64_t d = 1; d <= radius; d++)
                for (int is_high = 0; is_high < 2; is_high++) {
                    const int64_t to = is_high ? n - 1 + d : -d,
                                  from = beyond(grid_is_periodic(grid, axis), is_high, d, n);
                    memcpy(first + to * (int64_t)stride, first + from * (int64_t)stride, stride);
                }
        }
        stride *= (size_t)all;
    }
}

/* ---- marks ---- */

/* The plane of marks, which follows those of the fields. */
static unsigned char *marks_in(
    const struct ode_problem *d, const struct ode_grid *grid, size_t real_size, void *planes) {
    return (unsigned char *)planes + (size_t)ecl_plane_points(grid) * d->field_count * real_size;
}
static const unsigned char *marks_of(const struct system *s) {
    return marks_in(s->definition, &s->context.grid, s->real_size, s->fields);
}

/* The marks of row number `row` from those of the points around: the rim has the neighbours of
 * points at the ends of periodic axes, and beyond others no obstacle closes a face. */
static void open_faces(const struct ode_grid *grid, unsigned char *plane, int64_t row) {
    const struct place at = ecl_grid_place(grid, row * grid->extents[0]);
    unsigned char *const first = plane + row_begin(grid, row);
    int64_t stride = 1;
    for (uint32_t axis = 0; axis < grid->rank && grid->radius; axis++) {
        for (int is_high = 0; is_high < 2; is_high++)
            for (int64_t x = 0; x < grid->extents[0]; x++) {
                const int64_t i = axis ? at.at[axis] : x;
                const int is_end = i == (is_high ? grid->extents[axis] - 1 : 0),
                          is_closed =
                              (first[x] & ODE_MARK_OBSTACLE_) ||
                              ((!is_end || grid_is_periodic(grid, axis)) &&
                                  (first[x + (is_high ? stride : -stride)] & ODE_MARK_OBSTACLE_));
                if (!is_closed)
                    first[x] |= (unsigned char)(1 << (ODE_SIDE_((int)axis, is_high) - 1));
            }
        stride *= grid->extents[axis] + 2 * grid_radius(grid, axis);
    }
}

/* planes: the coefficients, of which the fields are there. */
static int fill_marks(
    const eulercl_problem *p, size_t real_size, char *planes, eulercl_error *error) {
    const struct ode_problem *const d = p->definition;
    const struct ode_grid *const grid = &p->size.grid;
    const int64_t plane = ecl_plane_points(grid), nx = grid->extents[0];
    unsigned char *const marks = marks_in(d, grid, real_size, planes);
    struct ode_context context;
    double *const fields = ecl_mem_zeroed((uint64_t)d->field_count + 1, sizeof *fields);
    int status = fields ? ecl_host_context(p, &context, error) : ecl_no_memory(error, "a point");
    if (!status) {
        for (int64_t row = 0; row < rows_of(grid); row++)
            for (int64_t x = 0; x < nx; x++) {
                const int64_t number = row_begin(grid, row) + x;
                for (uint32_t f = 0; f < d->field_count; f++)
                    fields[f] = real_get(planes, f * plane + number, real_size);
                marks[number] = (unsigned char)d->find_marks(&context, row * nx + x, fields);
            }
        fill_rim(grid, 1, (char *)marks);
        for (int64_t row = 0; row < rows_of(grid); row++) open_faces(grid, marks, row);
        fill_rim(grid, 1, (char *)marks); /* a window's rows may be those beyond an end */
        ecl_host_context_destroy(&context);
    }
    ecl_mem_free(fields);
    return status;
}

int ecl_fill_coefficients(
    const eulercl_problem *problem, size_t real_size, void *planes, eulercl_error *error) {
    const struct ode_problem *const d = problem->definition;
    const struct ode_grid *const grid = &problem->size.grid;
    const int64_t plane = ecl_plane_points(grid), nx = grid->extents[0];
    int status = EULERCL_OK;
    if (d->field_count) {
        void *fields; /* without rims */
        status = ecl_mem_state(
            (uint64_t)ecl_grid_points(grid) * real_size, "a coefficient field", &fields, error);
        for (uint32_t f = 0; !status && f < d->field_count; f++) {
            char *const to = (char *)planes + (size_t)(f * plane) * real_size;
            status = ecl_fill_field(problem, f, real_size, fields, error);
            for (int64_t row = 0; !status && row < rows_of(grid); row++)
                memcpy(to + (size_t)row_begin(grid, row) * real_size,
                    (const char *)fields + (size_t)(row * nx) * real_size, (size_t)nx * real_size);
            if (!status) fill_rim(grid, real_size, to);
        }
        ecl_mem_free(fields);
    }
    return !status && d->find_marks ? fill_marks(problem, real_size, planes, error) : status;
}

int eulercl_problem_marks(const eulercl_problem *problem, enum eulercl_precision precision,
    unsigned char *marks, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(marks);
    const struct ode_problem *const d = problem->definition;
    const struct ode_grid *const grid = &problem->size.grid;
    const size_t real_size = (size_t)precision;
    void *planes;
    if (precision != EULERCL_FLOAT && precision != EULERCL_DOUBLE)
        return ecl_fail(error, EULERCL_INVALID, "unknown precision %d", (int)precision);
    memset(marks, EULERCL_MOVES, (size_t)ecl_grid_points(grid));
    if (!d->find_marks) return EULERCL_OK;
    int status = ecl_mem_state(
        ecl_coefficients_size(d, grid, real_size), "the coefficient fields", &planes, error);
    if (!status) status = ecl_fill_coefficients(problem, real_size, planes, error);
    for (int64_t row = 0; !status && row < rows_of(grid); row++) {
        const unsigned char *const from =
            marks_in(d, grid, real_size, planes) + row_begin(grid, row);
        for (int64_t x = 0; x < grid->extents[0]; x++)
            *marks++ = from[x] & ODE_MARK_OBSTACLE_ ? EULERCL_OBSTACLE
                       : from[x] & ODE_MARK_STILL_  ? EULERCL_STILL
                                                    : EULERCL_MOVES;
    }
    ecl_mem_free(planes);
    return status;
}

void ecl_window_coefficients(const struct system *whole, const struct system *window) {
    const struct ode_problem *const d = whole->definition;
    const struct ode_grid *const from = &whole->context.grid, *const to = &window->context.grid;
    const uint32_t last = grid_last_axis(from);
    const int64_t all = from->extents[last], radius = grid_radius(from, last),
                  first = to->origin[last], row = ecl_plane_row(from);
    const char *source = whole->fields;
    char *target = window->fields;
    for (uint32_t plane = 0; plane < d->field_count + (d->find_marks != NULL); plane++) {
        const size_t bytes =
            (size_t)row * (plane < d->field_count ? whole->real_size : sizeof(char));
        for (int64_t i = -radius; i < to->extents[last] + radius; i++) {
            const int64_t at = first + i < all + radius ? first + i : (first + i) % all;
            memcpy(target + (size_t)(i + radius) * bytes, source + (size_t)(at + radius) * bytes,
                bytes);
        }
        source += (size_t)(all + 2 * radius) * bytes;
        target += (size_t)(to->extents[last] + 2 * radius) * bytes;
    }
}

int ecl_is_still(const struct system *s, int64_t i) {
    const int64_t point = i / ecl_system_point(s), nx = s->context.grid.extents[0];
    return s->definition->find_marks &&
           (marks_of(s)[row_begin(&s->context.grid, point / nx) + point % nx] & ODE_MARK_STILL_);
}

void ecl_keep_still(
    const struct system *system, const void *old, void *next, int64_t begin, int64_t end) {
    const struct ode_grid *const grid = &system->context.grid;
    const int64_t nx = grid->extents[0], components = system->definition->grid.components;
    const unsigned char *const marks = marks_of(system);
    const size_t size = (size_t)components * system->real_size;
    for (int64_t point = begin / components, row_end; point < end / components; point = row_end) {
        const int64_t row = point / nx, number = row_begin(grid, row) - row * nx; /* of point 0 */
        row_end = int_min((row + 1) * nx, end / components);
        for (int64_t i = point; i < row_end; i++)
            if (marks[number + i] & ODE_MARK_STILL_)
                memcpy((char *)next + (size_t)i * size, (const char *)old + (size_t)i * size, size);
    }
}
