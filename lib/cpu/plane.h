/* SPDX-License-Identifier: BSD-2-Clause */
/* plane.h - what cpu/plane.c keeps in a thread's workspace: numbers of rows, and where they stand.
 */
#ifndef EULERCL_CPU_PLANE_H
#define EULERCL_CPU_PLANE_H
#include "coefficient_rows.h"
#include "job.h"

/* Three axes. */
static inline int is_volume(const struct system *s) { return s->definition->grid.rank > 2; }

/* Rows from plane to plane; 0: the grid is a plane. */
int64_t ecl_plane_height(const struct system *system, const struct cpu_tiling *tiling);
/* Rows that a level is behind the one before. */
int64_t ecl_plane_lag(const struct system *system, const struct cpu_tiling *tiling);
/* Rows from the row that a level writes to the row of the level before it whose memory it takes. */
int64_t ecl_plane_apart(const struct system *system, const struct cpu_tiling *tiling);
/* Rows of the ring that all levels share. */
int64_t ecl_plane_ring(const struct system *system, const struct cpu_tiling *tiling);
/* Rows of each carried array. */
int64_t ecl_plane_carried(const struct system *system, const struct cpu_tiling *tiling);
/* Rows of ghosts that are no rows of the grid. */
int64_t ecl_plane_ghosts(const struct system *system, const struct cpu_tiling *tiling);
/* All of these. */
int64_t ecl_plane_rows(const struct system *system, const struct cpu_tiling *tiling);
/* Rows of coefficients: from plane to plane (0: the grid is a plane), how many there are, and how
 * they stand. */
int64_t ecl_plane_held_height(const struct system *system, const struct cpu_tiling *tiling);
int64_t ecl_plane_held(const struct system *system, const struct cpu_tiling *tiling);
struct coefficient_rows ecl_plane_coefficients(
    const struct system *system, const struct cpu_tiling *tiling);
/* The most columns of a tile, and the bytes of a row of so many. */
int64_t ecl_plane_columns(const struct system *system, const struct cpu_tiling *tiling);
uint64_t ecl_plane_row_bytes(const struct system *system, int64_t columns);
#endif
