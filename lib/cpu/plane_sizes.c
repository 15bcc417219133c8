/* SPDX-License-Identifier: BSD-2-Clause */
/* plane_sizes.c - see cpu/plane.h. */
#include "config.h"
#include "plane.h"
#include "../int.h"
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

/* Rows from plane to plane: those of a tile with its halo, in whole turns. */
int64_t ecl_plane_height(const struct system *s, const struct cpu_tiling *tiling) {
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t halos = 2 * ecl_most_levels(s, tiling) * (int64_t)grid->radius,
                  ny = grid->extents[1], rows = tiling->height + halos;
    if (!is_volume(s)) return 0;
    return int_ceil(grid_is_periodic(grid, 1) ? rows : int_min(rows, ny), tiling->rows) *
           tiling->rows;
}

/* Rows from one that is computed to the last one that it reads. */
static int64_t rows_ahead(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t radius = (int64_t)s->definition->grid.radius;
    return radius * ecl_plane_height(s, tiling) + radius;
}

/* Levels of a plane follow each other a radius apart; of a volume they do so in whole turns, which
 * do not cross from plane to plane then. */
int64_t ecl_plane_lag(const struct system *s, const struct cpu_tiling *tiling) {
    return is_volume(s) ? int_ceil(rows_ahead(s, tiling), tiling->rows) * tiling->rows
                        : rows_ahead(s, tiling);
}

/* Rows from the row that a level writes to the row of the level before it whose memory it takes.
 * The rows that are computed together with it do not read that row. */
int64_t ecl_plane_apart(const struct system *s, const struct cpu_tiling *tiling) {
    return (int64_t)s->definition->grid.radius * ecl_plane_height(s, tiling) + ecl_rows_apart(s);
}

/* When resident the rows of a thread, and those of its neighbours that it needs; else those that
 * the levels have between the first and the last one, and `rows` in turn. Besides, each level is
 * some rows apart from the one before. */
int64_t ecl_plane_ring(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t levels = ecl_most_levels(s, tiling);
    return levels * ecl_plane_apart(s, tiling) +
           (tiling->resident ? s->context.grid.extents[1] / tiling->threads + 1 +
                                   2 * levels * ecl_plane_lag(s, tiling)
                             : levels * ecl_plane_lag(s, tiling) + tiling->rows);
}

/* An odd number of vectors, so that rows do not meet in the same cache sets. */
uint64_t ecl_plane_row_bytes(const struct system *s, int64_t columns) {
    const int64_t positions =
        deal_points(columns, s->kernels->lanes) + 2 * (int64_t)s->definition->grid.radius;
    return (uint64_t)(positions * (int64_t)s->definition->grid.components | 1) *
           (uint64_t)s->kernels->lanes * s->real_size;
}

int64_t ecl_plane_columns(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t nx = s->context.grid.extents[0];
    return tiling->resident || tiling->tile >= nx
               ? nx
               : tiling->tile +
                     2 * ecl_most_levels(s, tiling) * (int64_t)s->definition->grid.radius;
}

/* Rows of each carried array: those between the first level and the last one, and in turn. */
int64_t ecl_plane_carried(const struct system *s, const struct cpu_tiling *tiling) {
    return (ecl_most_levels(s, tiling) - 1) * ecl_plane_lag(s, tiling) + tiling->rows;
}

/* Rows of ghosts that are no rows of the grid: one for each row that is read at once, and one where
 * all ghosts are equal. */
int64_t ecl_plane_ghosts(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t width = 2 * (int64_t)s->definition->grid.radius;
    return (is_volume(s) ? width + 1 : 1) * (tiling->rows + width) + 1;
}

/* Rows in a thread's workspace: the ring, ghosts, carried values. */
int64_t ecl_plane_rows(const struct system *s, const struct cpu_tiling *tiling) {
    return ecl_plane_ring(s, tiling) + ecl_plane_ghosts(s, tiling) +
           (s->method->arrays - 1) * ecl_plane_carried(s, tiling);
}

/* ---- coefficients: those of a tile's rows, and of `radius` more around them ---- */

int64_t ecl_plane_held_height(const struct system *s, const struct cpu_tiling *tiling) {
    return is_volume(s) ? ecl_plane_height(s, tiling) + 2 * (int64_t)s->definition->grid.radius : 0;
}

/* When resident those of all rows of a thread; else from what the last level reads to what the
 * first one does. Planes of a volume are brought in whole. */
int64_t ecl_plane_held(const struct system *s, const struct cpu_tiling *tiling) {
    const int64_t radius = (int64_t)s->definition->grid.radius,
                  apart = (ecl_most_levels(s, tiling) - 1) * ecl_plane_lag(s, tiling);
    if (!ecl_plane_coefficients(s, tiling).count) return 0;
    if (is_volume(s))
        return (apart / ecl_plane_height(s, tiling) + 2 + 2 * radius) *
               ecl_plane_held_height(s, tiling);
    return tiling->resident ? ecl_plane_ring(s, tiling) + 2 * radius
                            : apart + tiling->rows + 2 * radius;
}

struct coefficient_rows ecl_plane_coefficients(
    const struct system *s, const struct cpu_tiling *tiling) {
    return ecl_coefficient_rows(
        s, ecl_plane_columns(s, tiling), (int64_t)s->definition->grid.radius);
}

uint64_t ecl_plane_workspace(const struct system *s, const struct cpu_tiling *tiling) {
    const struct coefficient_rows held = ecl_plane_coefficients(s, tiling);
    uint64_t bytes, sum, coefficients;
    const uint64_t plain =
        (uint64_t)ecl_plane_columns(s, tiling) * s->definition->grid.components * s->real_size;
    if (__builtin_mul_overflow(ecl_plane_row_bytes(s, ecl_plane_columns(s, tiling)),
            (uint64_t)ecl_plane_rows(s, tiling), &bytes) ||
        __builtin_add_overflow(
            bytes, 2 * (uint64_t)ecl_plane_ring(s, tiling) * sizeof(void *), &bytes))
        return 0;
    if (__builtin_mul_overflow((uint64_t)ecl_plane_held(s, tiling), held.bytes, &coefficients) ||
        __builtin_add_overflow(coefficients, held.row_bytes, &coefficients) ||
        __builtin_add_overflow(bytes, coefficients, &bytes))
        return 0;
    return __builtin_add_overflow(bytes, plain, &sum) ? 0 : sum;
}

uint64_t ecl_plane_edges(const struct system *s, const struct cpu_tiling *tiling) {
    uint64_t bytes;
    const uint64_t rows = 4 * (uint64_t)tiling->threads * (uint64_t)ecl_most_levels(s, tiling) *
                          s->definition->grid.radius;
    return __builtin_mul_overflow(ecl_plane_row_bytes(s, s->context.grid.extents[0]), rows, &bytes)
               ? 0
               : bytes;
}
