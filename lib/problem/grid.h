/* SPDX-License-Identifier: BSD-2-Clause */
/* grid.h - points of a grid: their places, and their neighbours. The general form is a line of n
 * points without neighbours. */
#ifndef EULERCL_GRID_H
#define EULERCL_GRID_H
#include <eulercl/ode_problem.h>

/* A place on the grid, or the way from one place to another. */
struct place {
    int64_t at[ODE_MOST_AXES];
};

/* A grid problem, or a problem in the general form. */
static inline int has_grid(const struct ode_problem *definition) {
    return definition->grid.rank > 0;
}
/* Axis 0 is there without a grid as well. */
static inline int grid_has_axis(const struct ode_grid *grid, uint32_t axis) {
    return axis == 0 || axis < grid->rank;
}
/* The slowest one. */
static inline uint32_t grid_last_axis(const struct ode_grid *grid) {
    return grid->rank > 1 ? grid->rank - 1 : 0;
}
/* Whether no point has neighbours along any axis but the first. */
static inline int grid_is_line(const struct ode_grid *grid) { return grid_last_axis(grid) == 0; }
/* Whether there are rows and no planes. */
static inline int grid_is_plane(const struct ode_grid *grid) { return grid_last_axis(grid) == 1; }
/* Lines along x of a row along the slowest axis. */
static inline int64_t grid_lines(const struct ode_grid *grid) {
    return grid->rank > 2 ? grid->extents[1] : 1;
}
/* Points along the slowest axis. */
static inline int64_t grid_length(const struct ode_grid *grid) {
    return grid->extents[grid_last_axis(grid)];
}
/* Rows of a plane. */
static inline int64_t grid_rows(const struct ode_grid *grid) { return grid->extents[1]; }
/* Whether an axis closes on itself. */
static inline int grid_is_periodic(const struct ode_grid *grid, uint32_t axis) {
    return ODE_IS_PERIODIC_(grid->boundary[axis][0]);
}
/* Whether any axis does. */
static inline int grid_has_ring(const struct ode_grid *grid) {
    uint32_t axis = 0;
    while (axis < grid->rank && !grid_is_periodic(grid, axis)) axis++;
    return axis < grid->rank;
}
/* How far a point reads along an axis, in points. */
static inline int64_t grid_radius(const struct ode_grid *grid, uint32_t axis) {
    return axis < grid->rank ? (int64_t)grid->radius : 0;
}

int64_t ecl_grid_points(const struct ode_grid *grid);
struct place ecl_grid_place(const struct ode_grid *grid, int64_t point);
/* The point at a place, by the boundary rule where that lies outside; -1: it is no point's. */
int64_t ecl_grid_point(const struct ode_grid *grid, struct place place);
/* Whether the whole stencil of the point at the place lies inside. */
int ecl_grid_is_inner(const struct ode_grid *grid, struct place place);
/* The greatest difference between the numbers of a point and of one that it reads, without the
 * boundary rule. It is a double, which does not overflow. */
double ecl_grid_reach(const struct ode_grid *grid);

/* The stencil: a box of offsets, of which number 0 .. size - 1 are counted with x the fastest. */
int64_t ecl_stencil_size(const struct ode_grid *grid);
struct place ecl_stencil_offset(const struct ode_grid *grid, int64_t number);
/* The point that is an offset away from another, as above. */
int64_t ecl_grid_neighbour(const struct ode_grid *grid, int64_t point, struct place offset);

/* Cut the grid to at most `points` points, its first ones, and to at most `side` along all axes but
 * the last. */
void ecl_grid_cut(struct ode_grid *grid, int64_t points, int64_t side);

/* What the grid is cut into along its slowest axis: "components" without a grid, "points", "rows"
 * or "planes". */
const char *ecl_grid_layers(const struct ode_grid *grid);

/* "200 x 100", or "200" on a line. */
enum { GRID_TEXT = 80 };
const char *ecl_grid_text(const struct ode_grid *grid, char text[GRID_TEXT]);
/* "12, 3", or "12" on a line. */
const char *ecl_place_text(const struct ode_grid *grid, struct place place, char text[GRID_TEXT]);
#endif
