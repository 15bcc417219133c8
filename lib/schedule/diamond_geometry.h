/* SPDX-License-Identifier: BSD-2-Clause */
/* diamond_geometry.h - the geometry of diamonds and honeycombs: which components of which time
 * level a tile computes, loads and stores.
 *
 * Pure integer code. The host, the kernels, the tests and the proof read this same text, so it
 * keeps to what C, OpenCL C and C++ share, and chooses only through TILE_IF. The reader defines
 * TILE_INT, an integer type that holds n + 4 (blocks + 2) block.
 *
 * Source: J. Kulbe, Bayreuth Reports on Parallel and Distributed Systems 3 (2012), ch. 6 to 9, in
 * one scheme: a diamond is a honeycomb with the largest cut-off.
 *
 * The components 0 .. n-1 are divided into blocks, which are no shorter than the access distance;
 * a *level* is the state after that many steps. Time runs downwards:
 *
 *       pass p+1          pass p                level
 *         ______
 *        /      \______ /      \                M - cut      2 blocks wide where cut = 2
 *       /        \      /        \              M - 1        and blocks = 6, then 4 wide,
 *      /          \____/          \             M            6 wide in the middle level M = p cut
 *      \          /    \          /             M + 1 = M + cut - 1
 *       \________/      \________/
 *
 * A tile computes the levels M - cut .. M + cut - 1: blocks - 2 |level - M| blocks in each. The
 * tiles of one pass (one launch of the kernel) leave gaps, `blocks - 2 cut` wide in the level M;
 * tiles of the passes before and after, shifted by blocks - cut, fill them exactly. With cut =
 * blocks / 2 the gap closes: diamonds. With cut = 0 a pass computes one level in tiles side by
 * side: the linear scheme. Tiles reach beyond the ends of the system and are cut off there: half
 * diamonds.
 *
 * A level of a tile reads `halo` components on either side of itself in the level before. What the
 * tile did not compute in the level before, it loads from the state in global memory; what tiles of
 * the next two passes read, it stores there. Even levels stand in one array, odd ones in another.
 */
#ifndef TILE_IF
#define TILE_BOOL int
#define TILE_IF(condition, yes, no) ((condition) ? (yes) : (no))
#endif

typedef struct {
    TILE_INT n;     /* components, >= 1 */
    TILE_INT block; /* components in a block: a multiple of 4, >= halo */
    /* components that a level of a tile reads on either side of itself: the access distance rounded
     * up to a multiple of 4, or more */
    TILE_INT halo;
    TILE_INT blocks; /* blocks of a tile in its middle level ("dia_blocks"): even, >= 2 */
    TILE_INT cut;    /* "honeycomb_steps": 0 .. blocks / 2 */
} tile_shape;

typedef struct {
    TILE_INT begin, end;
} tile_range; /* components begin .. end-1; none if end <= begin */
typedef struct {
    tile_range left, right;
} tile_ranges; /* left is the first, both may be empty */

static inline TILE_INT tile_min(TILE_INT a, TILE_INT b) { return TILE_IF(a < b, a, b); }
static inline TILE_INT tile_max(TILE_INT a, TILE_INT b) { return TILE_IF(a < b, b, a); }
static inline TILE_INT tile_clip(TILE_INT i, TILE_INT n) { return tile_max(0, tile_min(i, n)); }
static inline TILE_INT tile_ceil(TILE_INT a, TILE_INT b) {
    return a / b + TILE_IF(a % b > 0, 1, 0);
}
static inline TILE_INT tile_round(TILE_INT a, TILE_INT unit) { return tile_ceil(a, unit) * unit; }
static inline tile_range tile_between(TILE_INT begin, TILE_INT end) {
    tile_range range;
    range.begin = begin;
    range.end = end;
    return range;
}

/* ---- sizes (7.1.1, 9.2) ---- */

static inline TILE_INT tile_total(tile_shape s) { return tile_ceil(s.n, s.block); }

/* dia_blocks for `tiles` tiles over `total` blocks: (total + 2 cut (tiles - 1)) / (2 tiles - 1),
 * rounded up to even (9.2). */
static inline TILE_INT tile_honeycomb_blocks(TILE_INT total, TILE_INT tiles, TILE_INT cut) {
    return tile_max(2, tile_round(tile_ceil(total + 2 * cut * (tiles - 1), 2 * tiles - 1), 2));
}

/* The width of diamonds: total / tiles (6.1). */
static inline TILE_INT tile_diamond_blocks(TILE_INT total, TILE_INT tiles) {
    return tile_max(2, tile_round(tile_ceil(total, tiles), 2));
}

/* Number of diamonds by the strategies 7.2, 7.3 (mult from 0 on) and 7.4, on `units` compute units.
 */
static inline TILE_INT tile_count_by_mult(TILE_INT units, TILE_INT mult) { return mult * units; }
static inline TILE_INT tile_count_by_add(TILE_INT units, TILE_INT mult) { return mult + units; }
static inline TILE_INT tile_count_by_corr(TILE_INT units, TILE_INT mult) {
    return tile_max(1, mult * units - 1);
}

/* ---- passes ---- */

/* The passes that lead from level 0 to level `steps`: first .. last; none if last < first. */
static inline TILE_INT tile_first_pass(tile_shape s) { return TILE_IF(s.cut < 2, 1, 0); }
static inline TILE_INT tile_last_pass(tile_shape s, TILE_INT steps) {
    return TILE_IF(s.cut < 1, steps,
        TILE_IF(steps < 1, -1,
            TILE_IF(s.blocks > 2 * s.cut, steps / tile_max(s.cut, 1) + 1,
                tile_ceil(steps, tile_max(s.cut, 1)))));
}

static inline TILE_INT tile_middle(tile_shape s, TILE_INT pass) {
    return pass * tile_max(s.cut, 1);
}

/* The levels of a pass; none if last < first. */
static inline TILE_INT tile_pass_first(tile_shape s, TILE_INT pass) {
    return tile_max(tile_middle(s, pass) - s.cut, 1);
}
static inline TILE_INT tile_pass_last(tile_shape s, TILE_INT pass, TILE_INT steps) {
    return tile_min(tile_middle(s, pass) + tile_max(s.cut, 1) - 1, steps);
}

/* Levels in which the tile from block `start` on computes anything; there are none if last <
 * first. */
static inline TILE_INT tile_reach(tile_shape s, TILE_INT start) {
    return tile_min((s.blocks - 1) / 2, tile_min(tile_total(s) - 1 - start, start + s.blocks - 1));
}
static inline TILE_INT tile_first_level(tile_shape s, TILE_INT pass, TILE_INT start) {
    return tile_max(tile_pass_first(s, pass), tile_middle(s, pass) - tile_reach(s, start));
}
static inline TILE_INT tile_last_level(
    tile_shape s, TILE_INT pass, TILE_INT steps, TILE_INT start) {
    return tile_min(tile_pass_last(s, pass, steps), tile_middle(s, pass) + tile_reach(s, start));
}

/* Blocks from one tile of a pass to the next, and from one pass's tiles to those of the next pass.
 */
static inline TILE_INT tile_period(tile_shape s) {
    return TILE_IF(s.cut < 1, s.blocks, 2 * (s.blocks - s.cut));
}
static inline TILE_INT tile_shift(tile_shape s) { return TILE_IF(s.cut < 1, 0, s.blocks - s.cut); }

/* The block where the middle level of a pass's tile number 0 begins: before the system in odd
 * passes.
 */
static inline TILE_INT tile_first(tile_shape s, TILE_INT pass) {
    return TILE_IF(pass % 2 > 0, -tile_shift(s), 0);
}
static inline TILE_INT tile_count(tile_shape s, TILE_INT pass) {
    return tile_ceil(tile_total(s) - tile_first(s, pass), tile_period(s));
}

/* ---- one level of a tile: `start` is the block where its middle level begins, `offset` the level
 * less the middle one ---- */

static inline TILE_INT tile_left_block(TILE_INT start, TILE_INT offset) {
    return start + TILE_IF(offset < 0, -offset, offset);
}
static inline TILE_INT tile_right_block(tile_shape s, TILE_INT start, TILE_INT offset) {
    return start + s.blocks - TILE_IF(offset < 0, -offset, offset);
}

/* The ends of a level in components, not cut off at the ends of the system; and those of the level
 * below it. */
static inline tile_range tile_ends(tile_shape s, TILE_INT start, TILE_INT offset) {
    return tile_between(
        tile_left_block(start, offset) * s.block, tile_right_block(s, start, offset) * s.block);
}
static inline tile_range tile_ends_below(tile_shape s, tile_range ends, TILE_INT offset) {
    const TILE_INT inwards = TILE_IF(offset < 0, -s.block, s.block);
    return tile_between(ends.begin + inwards, ends.end - inwards);
}

/* The components that a level computes. */
static inline tile_range tile_cut_off(tile_shape s, tile_range ends) {
    return tile_between(tile_clip(ends.begin, s.n), tile_clip(ends.end, s.n));
}
static inline tile_range tile_level(tile_shape s, TILE_INT start, TILE_INT offset) {
    return tile_cut_off(s, tile_ends(s, start, offset));
}

/* The components that it reads of the level before; a level without components reads nothing. */
static inline tile_range tile_input(tile_shape s, tile_range range) {
    return tile_between(
        TILE_IF(range.begin < range.end, tile_max(range.begin - s.halo, 0), range.begin),
        TILE_IF(range.begin < range.end, tile_min(range.end + s.halo, s.n), range.begin));
}

/* A range that no level has computed, for the level before a tile's first one. */
static inline tile_range tile_nothing(tile_shape s) { return tile_between(s.n, s.n); }

/* The components that must be loaded for a level: its input without those that the tile computed in
 * the level before (left to right; the second range may begin after its end). */
static inline tile_ranges tile_load(tile_shape s, tile_range range, tile_range before) {
    const tile_range input = tile_input(s, range);
    tile_ranges load;
    load.left = tile_between(input.begin, tile_max(input.begin, tile_min(before.begin, input.end)));
    load.right = tile_between(tile_max(load.left.end, before.end), input.end);
    return load;
}

/* The components of a level that must be stored: all of a tile's last level and of the last level
   of all; below the middle those that the tiles beside this one will load, a block and a halo at
   each end that has a neighbour. left.begin is range.begin, right.end is range.end. */
static inline tile_ranges tile_store_at(
    tile_shape s, tile_range ends, TILE_INT offset, TILE_BOOL is_last_level, tile_range range) {
    const TILE_BOOL whole = is_last_level || offset >= s.cut - 1;
    const TILE_BOOL on_left = !(offset < 0) && !(ends.begin < 0),
                    on_right = !(offset < 0) && ends.end - s.block < s.n;
    const TILE_INT left_end = tile_min(ends.begin + s.block + s.halo, range.end),
                   right_begin = ends.end - s.block - s.halo;
    tile_ranges store;
    store.left = tile_between(
        range.begin, TILE_IF(whole, range.end, TILE_IF(on_left, left_end, range.begin)));
    store.right = tile_between(
        TILE_IF(whole || !on_right, range.end, tile_max(right_begin, store.left.end)), range.end);
    return store;
}
static inline tile_ranges tile_store(
    tile_shape s, TILE_INT start, TILE_INT offset, TILE_BOOL is_last_level, tile_range range) {
    return tile_store_at(s, tile_ends(s, start, offset), offset, is_last_level, range);
}

/* Whether a tile is cut off nowhere and reads nothing beyond 0 .. n-1. */
static inline TILE_BOOL tile_is_inner(tile_shape s, TILE_INT start) {
    return !(start * s.block - s.halo < 0) && !(s.n < (start + s.blocks) * s.block + s.halo);
}

/* ---- storage in local memory ---- */

/* Row storage (7.1): two buffers, for even and odd levels, component i of any level at i - origin.
   Components in one buffer: (blocks + 2) block, or all of a small system. */
static inline TILE_INT tile_row_origin(tile_shape s, TILE_INT start) {
    return tile_max(start * s.block - s.halo, 0);
}
static inline TILE_INT tile_row_capacity(tile_shape s) {
    return tile_min((s.blocks + 2) * s.block, tile_round(s.n, 4));
}

/* The components that the levels of a tile load of even levels, or of odd ones, lie side by side in
   such a buffer (if block = halo), untouched until they are read; so do those that they store.
   Therefore all are copied at once, before the first level and after the last one. `first` and
   `last` are the levels of the tile. `which` = 0: components of the level above the first one, and
   of every second one below it; 1: of the first one itself, and so on. */
static inline tile_ranges tile_fetch_all(
    tile_shape s, TILE_INT start, TILE_INT middle, TILE_INT first, TILE_INT last, TILE_INT which) {
    const TILE_INT count = tile_max(tile_min(middle, last), first) - first -
                           which; /* levels below the topmost of this kind that load */
    const tile_range top = tile_ends(s, start, first + which - middle),
                     low = tile_ends(s, start, first + which + count / 2 * 2 - middle);
    const TILE_INT begin = tile_clip(low.begin - s.halo, s.n),
                   end = tile_clip(low.end + s.halo, s.n);
    tile_ranges all;
    all.left = tile_between(begin,
        TILE_IF(count < 0, begin, TILE_IF(which > 0, tile_clip(top.begin + s.block, s.n), end)));
    all.right =
        tile_between(TILE_IF(count < 0 || which < 1, end, tile_clip(top.end - s.block, s.n)), end);
    return all;
}

/* which = 0: components of the last level, and of every second one above it down from the middle;
 * 1: of the level above the last one, and so on. */
static inline tile_ranges tile_write_back_all(
    tile_shape s, TILE_INT start, TILE_INT middle, TILE_INT first, TILE_INT last, TILE_INT which) {
    /* Levels above the lowest of this kind that store. */
    const TILE_INT count = last - which - tile_max(middle, first);
    const tile_range low = tile_ends(s, start, last - which - middle),
                     top = tile_ends(s, start, last - which - tile_max(count, 0) / 2 * 2 - middle);
    const TILE_INT begin = tile_clip(top.begin, s.n), end = tile_clip(top.end, s.n);
    const TILE_BOOL some = which < 1 || !(count < 0);
    tile_ranges all;
    all.left = tile_between(begin, TILE_IF(some && which < 1, end,
                                       TILE_IF(some && !(low.begin < 0),
                                           tile_clip(low.begin + s.block + s.halo, s.n), begin)));
    all.right = tile_between(TILE_IF(some && !(which < 1) && low.end - s.block < s.n,
                                 tile_clip(low.end - s.block - s.halo, s.n), end),
        end);
    return all;
}

/* Column storage (8.2): one buffer, each level a block further down, so that block x of a level
   overwrites block x-1 of the level before: component i of the level at `offset` is at i - origin.
   Components: (blocks + 2) block, or the system and a block for each level. */
static inline TILE_INT tile_column_origin(tile_shape s, TILE_INT start, TILE_INT offset) {
    const TILE_INT lowest = TILE_IF(
        start < 0, 1 - 2 * s.cut, start - s.cut); /* negative starts are shift before block 0 */
    return (lowest + offset + s.cut) * s.block;
}
static inline TILE_INT tile_column_capacity(tile_shape s) {
    const TILE_INT levels =
        TILE_IF(s.cut < 1, 1, TILE_IF(s.blocks > 2 * s.cut, 2 * s.cut, 2 * s.cut - 1));
    return tile_min(s.blocks + 2, tile_total(s) + levels) * s.block;
}
