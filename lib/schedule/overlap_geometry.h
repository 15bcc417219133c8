/* SPDX-License-Identifier: BSD-2-Clause */
/* overlap_geometry.h - the geometry of overlapped tiles, in one direction: where a tile begins,
 * and which of its points it keeps; and how strips of a plane are shared out among work-groups.
 *
 * Pure integer code, read by the host, the kernels, the tests and the proof like
 * diamond_geometry.h; the reader defines TILE_INT and, to read it as formulas, TILE_IF.
 *
 * A tile loads `tile` neighbouring points and makes several steps on them alone. At every step the
 * points that have seen a value from beyond the tile's end grow by the radius, so that after all
 * steps `halo` points at either end are spoiled and the rest is right. Tiles overlap by 2 halo:
 *
 *      0                                                    n
 *      |=== kept ===|....|              tile 0
 *               |....|=== kept ===|....|                    inner tiles
 *                              |....|====== kept ======|    the last one
 *
 * Every tile lies wholly inside the grid: the last is shifted back. So an end of the grid is
 * always the end of a tile, and there, where the boundary rule supplies the values beyond, nothing
 * is spoiled. In a periodic grid every tile has two spoiled ends, and reaches beyond the grid's
 * ends, where the points of the other end stand.
 */
#ifndef TILE_IF
#define TILE_BOOL int
#define TILE_IF(condition, yes, no) ((condition) ? (yes) : (no))
#endif

typedef struct {
    TILE_INT n;        /* points of the grid in this direction, >= 1 */
    TILE_INT tile;     /* points of a tile, > 2 halo or = n; not periodic: <= n */
    TILE_INT halo;     /* points that are spoiled at an end, >= 0 */
    TILE_INT periodic; /* 0 or 1 */
} overlap_line;

/* Between the beginnings of two tiles, and so how many points an inner tile keeps. */
static inline TILE_INT overlap_stride(overlap_line o) {
    return TILE_IF(o.tile > 2 * o.halo, o.tile - 2 * o.halo, 1);
}

static inline TILE_INT overlap_count(overlap_line o) {
    const TILE_INT to_cover = TILE_IF(o.periodic > 0, o.n, o.n - 2 * o.halo),
                   stride = overlap_stride(o);
    return TILE_IF(o.periodic < 1, TILE_IF(o.n <= o.tile, 1, (to_cover + stride - 1) / stride),
        (to_cover + stride - 1) / stride);
}

/* The first point of a tile; in a periodic grid it may be negative, and means the point n further
 * on. */
static inline TILE_INT overlap_start(overlap_line o, TILE_INT tile) {
    const TILE_INT at = tile * overlap_stride(o);
    return TILE_IF(o.periodic > 0, at - o.halo, TILE_IF(at < o.n - o.tile, at, o.n - o.tile));
}

/* The points that a tile keeps: from this one on, up to the next tile's; every point of the grid
 * belongs to one tile. */
static inline TILE_INT overlap_kept(overlap_line o, TILE_INT tile) {
    const TILE_INT at = tile * overlap_stride(o);
    return TILE_IF(tile >= overlap_count(o), o.n,
        TILE_IF(o.periodic > 0, at, TILE_IF(tile < 1, 0, at + o.halo)));
}

/* The point of a periodic grid that point i, which may lie beyond an end, means. */
static inline TILE_INT overlap_wrap(overlap_line o, TILE_INT i) {
    const TILE_INT rest = i % o.n;
    return TILE_IF(rest < 0, rest + o.n, rest);
}

/* Strips of a plane, each of `rows` rows, cut into equal parts for one work-group each:
 *
 *      |=== strip 0 ===|gap|=== strip 1 ===|gap|=== strip 2 ===|
 *      |---- part 0 ----|---- part 1 ----|---- part 2 ----|--- ...
 *
 * They are laid end to end, so that any number of parts has about the same work. A part that goes
 * on in another strip begins there anew, and the ends of the grid take longer than other rows: the
 * gap behind each strip makes up for it. The rows of a part in one strip are a piece, which may
 * have none. */
typedef struct {
    TILE_INT rows; /* rows of a strip, >= 1 */
    TILE_INT gap;  /* >= 0 */
} overlap_strips;

/* The length of this number of strips, each with the gap behind it. */
static inline TILE_INT overlap_length(overlap_strips o, TILE_INT strips) {
    return strips * (o.rows + o.gap);
}

static inline TILE_INT overlap_strip(overlap_strips o, TILE_INT at) {
    return at / (o.rows + o.gap);
}

/* Where the piece that begins at `at` ends, in a part that ends at `end`. */
static inline TILE_INT overlap_piece_end(overlap_strips o, TILE_INT at, TILE_INT end) {
    const TILE_INT next = (overlap_strip(o, at) + 1) * (o.rows + o.gap);
    return TILE_IF(next < end, next, end);
}

/* The row of a strip at `at`; in the gap behind it, `rows`. */
static inline TILE_INT overlap_row(overlap_strips o, TILE_INT strip, TILE_INT at) {
    const TILE_INT row = at - strip * (o.rows + o.gap);
    return TILE_IF(row < o.rows, row, o.rows);
}
