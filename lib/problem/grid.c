/* SPDX-License-Identifier: BSD-2-Clause */
/* grid.c - see grid.h. */
#include "config.h"
#include "grid.h"
#include <inttypes.h>
#include <stdio.h>

int64_t ecl_grid_points(const struct ode_grid *grid) {
    int64_t points = 1;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) points *= grid->extents[axis];
    return points;
}

struct place ecl_grid_place(const struct ode_grid *grid, int64_t point) {
    struct place place;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        place.at[axis] = point % grid->extents[axis];
        point /= grid->extents[axis];
    }
    return place;
}

int64_t ecl_grid_point(const struct ode_grid *grid, struct place place) {
    int64_t point = 0;
    for (uint32_t axis = ODE_MOST_AXES; axis-- > 0;) {
        const uint32_t *const rules = grid->boundary[axis];
        const int64_t at =
            ODE_INDEX_INSIDE_(rules[0], rules[1], place.at[axis], grid->extents[axis]);
        if (at < 0) return -1;
        point = point * grid->extents[axis] + at;
    }
    return point;
}

int ecl_grid_is_inner(const struct ode_grid *grid, struct place place) {
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t radius = grid_radius(grid, axis);
        if (place.at[axis] < radius || place.at[axis] + radius >= grid->extents[axis]) return 0;
    }
    return 1;
}

double ecl_grid_reach(const struct ode_grid *grid) {
    double stride = 1, reach = 0;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        reach += (double)grid_radius(grid, axis) * stride;
        stride *= (double)grid->extents[axis];
    }
    return reach;
}

int64_t ecl_stencil_size(const struct ode_grid *grid) {
    int64_t size = 1;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) size *= 2 * grid_radius(grid, axis) + 1;
    return size;
}

struct place ecl_stencil_offset(const struct ode_grid *grid, int64_t number) {
    struct place offset;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t radius = grid_radius(grid, axis), width = 2 * radius + 1;
        offset.at[axis] = number % width - radius;
        number /= width;
    }
    return offset;
}

int64_t ecl_grid_neighbour(const struct ode_grid *grid, int64_t point, struct place offset) {
    struct place place = ecl_grid_place(grid, point);
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) place.at[axis] += offset.at[axis];
    return ecl_grid_point(grid, place);
}

void ecl_grid_cut(struct ode_grid *grid, int64_t points, int64_t side) {
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t most = axis + 1 < grid->rank && side < points ? side : points;
        if (grid->extents[axis] > most) grid->extents[axis] = most;
        points /= grid->extents[axis];
    }
}

/* The numbers of the axes that there are, joined. */
static void join(
    const struct ode_grid *grid, const ode_index *numbers, const char *with, char text[GRID_TEXT]) {
    size_t used = 0;
    for (uint32_t axis = 0; grid_has_axis(grid, axis) && used < GRID_TEXT; axis++)
        used += (size_t)snprintf(
            text + used, GRID_TEXT - used, "%s%" PRId64, axis ? with : "", (int64_t)numbers[axis]);
}

const char *ecl_grid_layers(const struct ode_grid *grid) {
    static const char *const names[] = {"components", "points", "rows", "planes"};
    return names[grid->rank];
}

const char *ecl_grid_text(const struct ode_grid *grid, char text[GRID_TEXT]) {
    join(grid, grid->extents, " x ", text);
    return text;
}

const char *ecl_place_text(const struct ode_grid *grid, struct place place, char text[GRID_TEXT]) {
    join(grid, place.at, ", ", text);
    return text;
}
