/* SPDX-License-Identifier: BSD-2-Clause */
/* deal_geometry.h - how points are shared among the lanes of a vector, a system among threads, and
 * steps among rounds: pure integers.
 *
 * Read by the library, the tests and, with TILE_INT a type that writes formulas, by the proof,
 * like diamond_geometry.h.
 */
#ifndef TILE_IF
#define TILE_BOOL int
#define TILE_IF(condition, yes, no) ((condition) ? (yes) : (no))
#endif

/* Points that each of `lanes` lanes gets of a row of n >= lanes >= 2 points. */
static inline TILE_INT deal_points(TILE_INT n, TILE_INT lanes) { return (n + lanes - 1) / lanes; }

/* The first point of a lane. The first lane begins and the last one ends with the row; two
 * neighbours have one point in common or none. */
static inline TILE_INT deal_first(TILE_INT n, TILE_INT lanes, TILE_INT lane) {
    return lane * (n - deal_points(n, lanes)) / (lanes - 1);
}

/* Where part number `part` of `parts` parts of n begins, 0 <= part <= parts: all parts have n /
 * parts, or one more. */
static inline TILE_INT deal_part(TILE_INT n, TILE_INT parts, TILE_INT part) {
    const TILE_INT share = n / parts, rest = n - share * parts;
    return part * share + TILE_IF(part < rest, part, rest);
}

/* A part computes `halo` points more at either end, up to the ends of a grid that is not periodic.
 */
static inline TILE_INT deal_reach_down(TILE_INT begin, TILE_INT halo, TILE_INT periodic) {
    return TILE_IF(periodic > 0, begin - halo, TILE_IF(begin > halo, begin - halo, 0));
}
static inline TILE_INT deal_reach_up(TILE_INT end, TILE_INT halo, TILE_INT n, TILE_INT periodic) {
    return TILE_IF(periodic > 0, end + halo, TILE_IF(end < n - halo, end + halo, n));
}
