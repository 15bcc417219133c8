/* SPDX-License-Identifier: BSD-2-Clause */
/* coefficient_rows.c - see cpu/coefficient_rows.h. */
#include "config.h"
#include "coefficient_rows.h"
#include "../int.h"
#include "../problem/coefficients.h"
#include "../problem/grid.h"
#include "../problem/system.h"
#include <string.h>
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

struct coefficient_rows ecl_coefficient_rows(
    const struct system *s, int64_t columns, int64_t depth) {
    const int count = (int)s->definition->field_count + (s->definition->find_marks != NULL),
              lanes = s->kernels->lanes;
    /* An odd number of vectors, so that rows do not meet in the same cache sets. */
    const uint64_t row_bytes = count ? (uint64_t)((deal_points(columns, lanes) + 2 * depth) | 1) *
                                           (uint64_t)lanes * s->real_size
                                     : 0;
    return (struct coefficient_rows){count, depth, row_bytes, (uint64_t)count * row_bytes};
}

/* Place i of an axis, as the planes have it. */
static int64_t in_plane(const struct ode_grid *grid, uint32_t axis, int64_t i) {
    const int64_t n = grid->extents[axis], radius = (int64_t)grid_radius(grid, axis);
    if (!grid_is_periodic(grid, axis)) return int_clamp(-radius, i, n - 1 + radius);
    return i >= -radius && i < n + radius ? i : ((i % n) + n) % n;
}

/* Integers as long as a real. */
static void put_integer(void *to, int64_t i, int value, size_t real_size) {
    if (real_size == sizeof(float))
        ((int32_t *)to)[i] = value;
    else
        ((int64_t *)to)[i] = value;
}

/* Coefficient k at columns first .. last-1 of the row whose column 0 is number `row` of a plane, as
 * reals one after the other: where they stand, or a copy. */
static const char *plain_row(
    const struct system *s, int k, int64_t first, int64_t last, int64_t row, char *copy) {
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t plane = ecl_plane_points(grid), radius = (int64_t)grid->radius;
    const int fields = (int)s->definition->field_count;
    const char *const at = (const char *)s->fields + (uint64_t)(k * plane + row) * s->real_size;
    const unsigned char *const marks =
        (const unsigned char *)s->fields + (uint64_t)(fields * plane) * s->real_size + row;
    if (k < fields && first >= -radius && last <= grid->extents[0] + radius)
        return at + first * (int64_t)s->real_size;
    for (int64_t x = first; x < last; x++) {
        const int64_t from = in_plane(grid, 0, x);
        if (k == fields)
            put_integer(copy, x - first, marks[from], s->real_size);
        else
            memcpy(copy + (x - first) * (int64_t)s->real_size, at + from * (int64_t)s->real_size,
                s->real_size);
    }
    return copy;
}

void ecl_load_coefficients(const struct coefficient_rows *rows, const struct system *s,
    const struct lane_tools *tools, const struct dealt *dealt, int64_t column, int64_t y, int64_t z,
    char *row, void *scratch) {
    const struct ode_grid *const grid = &s->context.grid;
    const size_t real = s->real_size;
    const int64_t depth = rows->depth, points = dealt->lanes.points,
                  first[] = {0, in_plane(grid, 1, y), in_plane(grid, 2, z)},
                  number = ecl_plane_number(grid, first);
    for (int k = 0; k < rows->count; k++, row += rows->row_bytes) {
        const char *const plain =
            plain_row(s, k, column - depth, column + dealt->n + depth, number, scratch);
        tools->load(row, dealt, plain + depth * (int64_t)real, 1);
        for (int lane = 0; lane < tools->lanes; lane++)
            for (int64_t i = 0; i < 2 * depth; i++) {
                const int64_t j = i < depth ? i - depth : points + i - depth,
                              from = dealt->start[lane] + j + depth;
                memcpy(row + (j * tools->lanes + lane) * (int64_t)real,
                    plain + from * (int64_t)real, real);
            }
    }
}
