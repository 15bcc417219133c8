/* SPDX-License-Identifier: BSD-2-Clause */
/* coefficient_rows.h - rows of fields and marks in the layout of lanes, as struct ode_lanes has
 * them. */
#ifndef EULERCL_CPU_COEFFICIENT_ROWS_H
#define EULERCL_CPU_COEFFICIENT_ROWS_H
#include "lanes.h"

/* How such rows stand in memory. */
struct coefficient_rows {
    int count;          /* coefficients of a point: fields, and marks if there are any */
    int64_t depth;      /* positions beyond both ends of a row */
    uint64_t row_bytes; /* of one coefficient; 0: there are none */
    uint64_t bytes;     /* of all of them */
};

/* Rows of at most `columns` points, `depth` positions deeper at both ends than they are long. */
struct coefficient_rows ecl_coefficient_rows(
    const struct system *system, int64_t columns, int64_t depth);
/* Bring the coefficients of the points at row y, z of the planes into such a row. They are dealt
 * like the row's points, of which the first one has column `column`. A row or a column beyond an
 * end is one of the rim or, on a periodic axis, counted round. row: position 0 of the first
 * coefficient; scratch: row_bytes. */
void ecl_load_coefficients(const struct coefficient_rows *rows, const struct system *system,
    const struct lane_tools *tools, const struct dealt *dealt, int64_t column, int64_t y, int64_t z,
    char *row, void *scratch);
#endif
