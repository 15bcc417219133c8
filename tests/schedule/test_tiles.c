/* SPDX-License-Identifier: BSD-2-Clause */
/* test_tiles.c - the geometry of diamond_geometry.h: the thesis's tables, and every small tiling
 * acted out as the kernels do it, each cell labelled with what it holds. prove_tiles.cc proves the
 * same for all sizes. */
#include "config.h"
#include "../support.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#define TILE_INT int
#include "schedule/diamond_geometry.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* ---- the tables of 7.1.1 (GTX 280, string, n = 80,000) and 9.3 (GTX 580, n = 2,000,000) ---- */

static int bytes(int blocks) { return 2 * (blocks + 2) * 4 * 4; }

static const struct {
    int (*strategy)(int units, int mult);
    int mult, blocks, bytes;
} diamonds[] = {
    {tile_count_by_mult, 1, 668, 21440},
    {tile_count_by_mult, 2, 334, 10752},
    {tile_count_by_add, 0, 668, 21440},
    {tile_count_by_add, 1, 646, 20736},
    {tile_count_by_add, 2, 626, 20096},
    {tile_count_by_add, 3, 608, 19520},
    {tile_count_by_add, 10, 500, 16064},
    {tile_count_by_corr, 1, 690, 22144},
    {tile_count_by_corr, 2, 340, 10944},
};
static const struct {
    int cut, blocks, groups;
} honeycombs[] = {{100, 1526, 176}, {110, 1528, 177}, {120, 1530, 178}};

START_TEST(sizes_are_those_of_the_thesis) {
    const int total =
        tile_total((tile_shape){.n = 80000, .block = 4, .halo = 4, .blocks = 2, .cut = 1});
    ck_assert_int_eq(total, 20000);
    for (int d = 0; d < COUNT(diamonds); d++) {
        const int blocks = tile_diamond_blocks(total, diamonds[d].strategy(30, diamonds[d].mult));
        ck_assert_int_eq(blocks, diamonds[d].blocks);
        ck_assert_int_eq(bytes(blocks), diamonds[d].bytes);
    }
    for (int h = 0; h < COUNT(honeycombs); h++) {
        int mult = 0;
        while (bytes(tile_honeycomb_blocks(
                   500000, tile_count_by_add(16, mult), honeycombs[h].cut)) >= 49152)
            mult++;
        ck_assert_int_eq(tile_count_by_add(16, mult), honeycombs[h].groups);
        ck_assert_int_eq(tile_honeycomb_blocks(500000, honeycombs[h].groups, honeycombs[h].cut),
            honeycombs[h].blocks);
    }
    ck_assert_int_eq(tile_diamond_blocks(3, 5), 2);
    ck_assert_int_eq(tile_honeycomb_blocks(3, 5, 0), 2);
    ck_assert_int_eq(tile_count_by_corr(1, 1), 1);
}
END_TEST

/* ---- the simulation ---- */

/* Where a tile keeps its state, and in which order it computes: level by level in chunks of
   `width`, or in the skewed columns of chapter 8. The last one acts nothing out: there what
   diamond_geometry.h says in one place is compared with what it says in another. */
static const struct storage {
    const char *name;
    enum { ROWS, COLUMNS, GLOBAL, COMPARED } where;
    int width, skewed;
} storages[] = {
    {"rows", ROWS, 0, 0},
    {"columns, by rows of 4", COLUMNS, 4, 0},
    {"columns, by rows of 8", COLUMNS, 8, 0},
    {"columns, skewed, by 4", COLUMNS, 4, 1},
    {"columns, skewed, by 8", COLUMNS, 8, 1},
    {"global", GLOBAL, 0, 0},
    {"compared", COMPARED, 0, 0},
};
enum { /* sets of the storages */
    IN_ROWS = 1,
    IN_COLUMNS = 6,
    IN_SKEWED = 24,
    IN_GLOBAL = 32,
    IN_COMPARED = 64,
    IN_LOCAL = IN_ROWS | IN_COLUMNS | IN_SKEWED,
    ROW_BY_ROW = IN_ROWS | IN_COLUMNS | IN_GLOBAL,
    ANYWHERE = IN_LOCAL | IN_GLOBAL
};

/* Faults that the simulation must find, and in which storages: it asks diamond_geometry.h through
   the functions below, which seed them. A range is short by a vector or a block, not by a
   component, because the check for alignment would find that before the simulation does. */
/* clang-format off */
#define FAULTS(FAULT) \
    FAULT(NO_FAULT, 0) FAULT(ROW_A_BLOCK_WIDER, ANYWHERE) FAULT(LEFT_LOAD_SHORT, IN_COLUMNS | \
    IN_SKEWED) \
    FAULT(RIGHT_LOAD_SHORT, IN_COLUMNS | IN_SKEWED) FAULT(LEFT_STORE_SHORT, IN_COLUMNS | \
    IN_SKEWED) \
    FAULT(RIGHT_STORE_SHORT, IN_COLUMNS | IN_SKEWED) FAULT(MIDDLE_NOT_STORED, IN_COLUMNS | \
    IN_SKEWED) \
    FAULT(LAST_LEVEL_NOT_STORED, IN_COLUMNS | IN_SKEWED) FAULT(WRONG_SLOT, ANYWHERE) \
    FAULT(LAST_PASS_MISSING, ANYWHERE) \
    FAULT(FIRST_PASS_MISSING, ANYWHERE) FAULT(PERIOD_LONGER, ANYWHERE) FAULT(PERIOD_SHORTER, \
    ANYWHERE) FAULT(NO_SHIFT, ANYWHERE) \
    FAULT(A_TILE_MISSING, ANYWHERE) FAULT(LEVELS_OF_THE_PASS_BEFORE, ANYWHERE) \
    FAULT(ORIGIN_A_BLOCK_OFF, IN_LOCAL) \
    FAULT(ORIGIN_STANDS_STILL, IN_COLUMNS | IN_SKEWED) FAULT(CAPACITY_A_VECTOR_LESS, IN_LOCAL) \
    FAULT(LOADED_TOO_EARLY, IN_COLUMNS | IN_SKEWED) \
    FAULT(NO_BARRIER, IN_LOCAL) FAULT(FIRST_ROW_LATE, ROW_BY_ROW | IN_COMPARED) \
    FAULT(FIRST_ROW_EARLY, IN_COMPARED) \
    FAULT(LAST_ROW_EARLY, ROW_BY_ROW | IN_COMPARED) FAULT(LAST_ROW_LATE, IN_COMPARED) \
    FAULT(BELOW_GROWS, ROW_BY_ROW | IN_COMPARED) \
    FAULT(BELOW_GROWS_AT_THE_MIDDLE, ROW_BY_ROW | IN_COMPARED) FAULT(INNER_WITHOUT_HALO, IN_ROWS \
    | IN_COMPARED) \
    FAULT(INNER_ALWAYS, IN_ROWS | IN_COMPARED) \
    FAULT(FETCH_LEFT_SHORT, IN_ROWS | IN_COMPARED) FAULT(FETCH_RIGHT_SHORT, IN_ROWS | \
    IN_COMPARED) \
    FAULT(FETCH_LEFT_LONG, IN_ROWS | IN_COMPARED) FAULT(FETCH_RIGHT_LONG, IN_ROWS | IN_COMPARED) \
    FAULT(FETCH_INNER_LEFT_SHORT, IN_ROWS | IN_COMPARED) FAULT(FETCH_INNER_RIGHT_SHORT, IN_ROWS | \
    IN_COMPARED) \
    FAULT(FETCH_INNER_LEFT_LONG, IN_COMPARED) FAULT(FETCH_INNER_RIGHT_LONG, IN_COMPARED) \
    FAULT(FETCH_A_LEVEL_LESS, IN_ROWS | IN_COMPARED) \
    FAULT(FETCH_OTHER_KIND, IN_ROWS | IN_COMPARED) FAULT(FETCH_ONE_KIND, IN_ROWS | IN_COMPARED) \
    FAULT(FETCH_OTHER_PARITY, IN_ROWS) \
    FAULT(WRITE_LEFT_SHORT, IN_ROWS | IN_COMPARED) FAULT(WRITE_RIGHT_SHORT, IN_ROWS | \
    IN_COMPARED) \
    FAULT(WRITE_LEFT_LONG, IN_ROWS | IN_COMPARED) FAULT(WRITE_RIGHT_LONG, IN_ROWS | IN_COMPARED) \
    FAULT(WRITE_INNER_LEFT_SHORT, IN_ROWS | IN_COMPARED) FAULT(WRITE_INNER_RIGHT_SHORT, IN_ROWS | \
    IN_COMPARED) \
    FAULT(WRITE_INNER_LEFT_LONG, IN_COMPARED) FAULT(WRITE_INNER_RIGHT_LONG, IN_COMPARED) \
    FAULT(WRITE_A_LEVEL_LESS, IN_ROWS | IN_COMPARED) \
    FAULT(WRITE_OTHER_KIND, IN_ROWS | IN_COMPARED) FAULT(WRITE_ONE_KIND, IN_ROWS | IN_COMPARED) \
    FAULT(WRITE_OTHER_PARITY, IN_ROWS)
/* clang-format on */
enum fault {
#define FAULT(NAME, WHERE) NAME,
    FAULTS(FAULT)
#undef FAULT
};
static const struct {
    const char *name;
    int where;
} faults[] = {
#define FAULT(NAME, WHERE) {#NAME, WHERE},
    FAULTS(FAULT)
#undef FAULT
};
static enum fault fault;

enum { MAX_N = 104, MAX_STEPS = 20, MAX_LOCAL = 256, SEVERAL = 999, PASS = 1000, NOTHING = -1 };

static tile_shape s;
static int steps, pass, start;
static const struct storage *storage;
static jmp_buf found;
static char finding[200];

/* Global memory, [level % 2][component]: the level held, and the tile that read or wrote it last,
 * as pass * PASS + tile. */
static struct cell { int level, writer, reader; } memory[2][MAX_N];
static int tile;
/* Local memory: component and level, and the barrier after which it was read or written last. Rows
   have a buffer each for even and odd levels, columns one. */
static struct local_cell {
    int label;
    long writer, reader;
} local[2][MAX_LOCAL];
static long barriers;
static unsigned char computed[MAX_STEPS + 1][MAX_N];

__attribute__((format(printf, 1, 2), noreturn)) static void report(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding, sizeof finding, format, arguments);
    va_end(arguments);
    longjmp(found, 1);
}
#define REQUIRE(condition, ...)                \
    do {                                       \
        if (!(condition)) report(__VA_ARGS__); \
    } while (0)

static int first_pass(void) { return tile_first_pass(s) + (fault == FIRST_PASS_MISSING); }
static int last_pass(void) { return tile_last_pass(s, steps) - (fault == LAST_PASS_MISSING); }
static int is_early(void) { return fault == LEVELS_OF_THE_PASS_BEFORE; }
static int middle(void) { return tile_middle(s, pass) - is_early(); }
static int pass_first(void) { return tile_pass_first(s, pass) - is_early(); }
static int pass_last(void) { return tile_pass_last(s, pass, steps) - is_early(); }
static int first_level(void) {
    const int first = tile_first_level(s, pass, start) - is_early();
    return fault == FIRST_ROW_EARLY ? tile_max(first - 1, pass_first())
                                    : first + (fault == FIRST_ROW_LATE);
}
static int last_level(void) {
    const int last = tile_last_level(s, pass, steps, start) - is_early();
    return fault == LAST_ROW_LATE ? tile_min(last + 1, pass_last())
                                  : last - (fault == LAST_ROW_EARLY);
}
static int start_of(int number) {
    const int period = tile_period(s) + (fault == PERIOD_LONGER) - (fault == PERIOD_SHORTER);
    return (fault == NO_SHIFT ? 0 : tile_first(s, pass)) + number * period;
}
static int tile_number(void) { return tile_count(s, pass) - (fault == A_TILE_MISSING); }
static int right_block(int level) {
    return tile_right_block(s, start, level - middle()) + (fault == ROW_A_BLOCK_WIDER);
}
static int slot(int level) { return (level + (fault == WRONG_SLOT && level > 1)) % 2; }
static int is_inner(void) {
    if (fault == INNER_WITHOUT_HALO) return start >= 0 && (start + s.blocks) * s.block <= s.n;
    return tile_is_inner(s, start) || fault == INNER_ALWAYS;
}

static int is_in(tile_range range, int i) { return i >= range.begin && i < range.end; }
static int is_empty(tile_range range) { return range.end <= range.begin; }
static int is_same(tile_range a, tile_range b) { return a.begin == b.begin && a.end == b.end; }

/* Begins are multiples of 4, ends too or n. */
static tile_range checked(tile_range range) {
    const int is_aligned = range.begin % 4 == 0 && (range.end % 4 == 0 || range.end == s.n);
    REQUIRE(is_empty(range) || (range.begin >= 0 && range.end <= s.n && is_aligned),
        "range %d .. %d", range.begin, range.end);
    return range;
}
static tile_ranges both_checked(tile_ranges ranges) {
    const tile_range left = checked(ranges.left), right = checked(ranges.right);
    REQUIRE(is_empty(left) || is_empty(right) || left.end <= right.begin,
        "ranges %d, %d and %d, %d", left.begin, left.end, right.begin, right.end);
    return ranges;
}

static tile_range ends_of(int level) {
    tile_range ends = tile_ends(s, start, level - middle());
    if (fault == ROW_A_BLOCK_WIDER) ends.end += s.block;
    return ends;
}
static tile_range ends_below(tile_range ends, int level) {
    const int offset = level - middle() - (fault == BELOW_GROWS_AT_THE_MIDDLE) -
                       (fault == BELOW_GROWS ? s.blocks : 0);
    return tile_ends_below(s, ends, offset);
}
static tile_range range_of(int level) { return checked(tile_cut_off(s, ends_of(level))); }

static tile_ranges loads_of(tile_range range, tile_range before) {
    tile_ranges load = tile_load(s, range, before);
    if (fault == LEFT_LOAD_SHORT) load.left.begin += 4;
    if (fault == RIGHT_LOAD_SHORT) load.right.end -= 4;
    return both_checked(load);
}

static tile_ranges stores_of(tile_range ends, tile_range range, int level) {
    const int is_last = level == steps && fault != LAST_LEVEL_NOT_STORED;
    tile_ranges store = tile_store_at(s, ends, level - middle(), is_last, range);
    REQUIRE(store.left.begin == range.begin && store.right.end == range.end,
        "stores of level %d do not end with the range", level);
    REQUIRE(store.left.end <= store.right.begin, "stores of level %d overlap", level);
    if (fault == LEFT_STORE_SHORT) store.left.end -= 4;
    if (fault == RIGHT_STORE_SHORT) store.right.begin += 4;
    if (fault == MIDDLE_NOT_STORED && level == middle())
        store = (tile_ranges){{range.begin, range.begin}, {range.end, range.end}};
    return both_checked(store);
}

/* ---- the bulk copies of row storage ---- */

static void move_end(int *end, int by) { *end = tile_clip(tile_round(*end, 4) + by, s.n); }

/* The outermost ends of both, and the innermost ones where there is a gap, moved outwards. */
static void widen(
    tile_ranges *all, int which, int left, int inner_left, int inner_right, int right) {
    if (!is_empty(all->left)) move_end(&all->left.begin, -left);
    if (which && !is_empty(all->left)) move_end(&all->left.end, inner_left);
    if (which && !is_empty(all->right)) move_end(&all->right.begin, -inner_right);
    tile_range *const rightmost = which ? &all->right : &all->left;
    if (!is_empty(*rightmost)) move_end(&rightmost->end, right);
}

static tile_ranges fetch_all(int which) {
    const int first = first_level(),
              last = fault == FETCH_A_LEVEL_LESS
                         ? tile_max(tile_min(middle(), last_level()) - 1, first)
                         : last_level();
    tile_ranges all = tile_fetch_all(
        s, start, middle(), first, last, fault == FETCH_OTHER_KIND ? 1 - which : which);
    if (which && fault == FETCH_ONE_KIND) all = (tile_ranges){{0, 0}, {0, 0}};
    widen(&all, which, s.block * ((fault == FETCH_LEFT_LONG) - (fault == FETCH_LEFT_SHORT)),
        s.block * ((fault == FETCH_INNER_LEFT_LONG) - (fault == FETCH_INNER_LEFT_SHORT)),
        s.block * ((fault == FETCH_INNER_RIGHT_LONG) - (fault == FETCH_INNER_RIGHT_SHORT)),
        s.block * ((fault == FETCH_RIGHT_LONG) - (fault == FETCH_RIGHT_SHORT)));
    return both_checked(all);
}
static tile_ranges write_back_all(int which) {
    const int last = last_level(),
              first = fault == WRITE_A_LEVEL_LESS
                          ? tile_min(tile_max(middle(), first_level()) + 1, last)
                          : first_level();
    tile_ranges all = tile_write_back_all(
        s, start, middle(), first, last, fault == WRITE_OTHER_KIND ? 1 - which : which);
    if (which && fault == WRITE_ONE_KIND) all = (tile_ranges){{0, 0}, {0, 0}};
    widen(&all, which, s.block * ((fault == WRITE_LEFT_LONG) - (fault == WRITE_LEFT_SHORT)),
        s.block * ((fault == WRITE_INNER_LEFT_LONG) - (fault == WRITE_INNER_LEFT_SHORT)),
        s.block * ((fault == WRITE_INNER_RIGHT_LONG) - (fault == WRITE_INNER_RIGHT_SHORT)),
        s.block * ((fault == WRITE_RIGHT_LONG) - (fault == WRITE_RIGHT_SHORT)));
    return both_checked(all);
}

/* ---- memory ---- */

static int label(int i, int level) { return level * MAX_N + i; }

static int origin_of(int level) {
    const int offset = level - middle() - (fault == ORIGIN_STANDS_STILL && level % 2 == 1);
    const int origin = storage->where == COLUMNS ? tile_column_origin(s, start, offset)
                                                 : tile_row_origin(s, start);
    return origin + (fault == ORIGIN_A_BLOCK_OFF && level % 2 == 1 ? s.block : 0);
}

static struct local_cell *place(int i, int level) {
    const int in_columns = storage->where == COLUMNS, origin = origin_of(level),
              end = tile_round(i + 1, 4) - origin;
    const int capacity = (in_columns ? tile_column_capacity(s) : tile_row_capacity(s)) -
                         (fault == CAPACITY_A_VECTOR_LESS ? 4 : 0);
    REQUIRE(origin % 4 == 0 && i >= origin && end <= capacity,
        "component %d of level %d: origin %d, capacity %d", i, level, origin, capacity);
    return &local[in_columns ? 0 : level % 2][i - origin];
}

/* Items of a work-group are at work at the same time between two barriers: none may touch what
 * another one writes. */
static void barrier_after(int fetching) { barriers += !(fetching && fault == NO_BARRIER); }
static int read_local(int i, int level) {
    struct local_cell *cell = place(i, level);
    REQUIRE(cell->writer < barriers,
        "component %d of level %d is read without a barrier after it was written", i, level);
    cell->reader = barriers;
    return cell->label;
}
static void write_local(int i, int level, int what) {
    struct local_cell *cell = place(i, level);
    REQUIRE(cell->writer < barriers && cell->reader < barriers,
        "component %d of level %d is overwritten without a barrier", i, level);
    cell->label = what;
    cell->writer = barriers;
}

/* The tiles of a pass are at work at the same time: none may touch what another one writes. */
static struct cell *read_global(int i, int level) {
    struct cell *cell = &memory[slot(level)][i];
    const int me = pass * PASS + tile;
    REQUIRE(cell->writer == me || cell->writer < pass * PASS,
        "component %d of level %d is read while another tile writes it", i, level);
    cell->reader = cell->reader < pass * PASS || cell->reader == me ? me : pass * PASS + SEVERAL;
    return cell;
}
static void write_global(int i, int level) {
    struct cell *cell = &memory[slot(level)][i];
    const int me = pass * PASS + tile;
    REQUIRE(cell->writer == me || cell->writer < pass * PASS,
        "component %d of level %d: two tiles write", i, level);
    REQUIRE(cell->reader == me || cell->reader < pass * PASS,
        "component %d of level %d is written while another tile reads there", i, level);
    REQUIRE(cell->level < level, "component %d of level %d: level %d stood there", i, level,
        cell->level);
    cell->level = level;
    cell->writer = me;
}

/* Fetch whole vectors, so up to 3 components behind the system are unknown. The slot may have any
 * levels before. */
static void fetch_range(tile_range range, int level) {
    for (int i = range.begin; i < range.end; i++) {
        const struct cell *cell = read_global(i, level);
        REQUIRE(cell->writer < pass * PASS,
            "component %d of level %d is loaded in the pass that stored it", i, level);
        write_local(i, level, cell->level < 0 ? NOTHING : label(i, cell->level));
    }
    for (int i = range.end; !is_empty(range) && i % 4; i++) write_local(i, level, NOTHING);
}
static void fetch(tile_ranges ranges, int level) {
    fetch_range(ranges.left, level);
    fetch_range(ranges.right, level);
}

/* Write the buffer back to the slot of `level`: levels of the same parity, which this tile must
 * have computed. */
static void write_back_range(tile_range range, int level) {
    for (int i = range.begin; i < range.end; i++) {
        const int what = read_local(i, level), is_of = what == NOTHING ? NOTHING : what / MAX_N;
        REQUIRE(what == NOTHING || what % MAX_N == i,
            "component %d of level %d: another one stands there", i, level);
        REQUIRE(is_of >= first_level() && is_of <= level && (level - is_of) % 2 == 0,
            "component %d: level %d is stored as if %d", i, is_of, level);
        write_global(i, is_of);
    }
}
static void write_back(tile_ranges ranges, int level) {
    write_back_range(ranges.left, level);
    write_back_range(ranges.right, level);
}

/* Chunk by chunk: all reads, then all writes, in column storage with a barrier in between, and
   there what `store` names to global memory as well. Reads go the whole halo, which includes those
   of every shorter access distance. */
static void compute(tile_range part, int level, tile_ranges store, int inner) {
    const int width = storage->width ? storage->width : s.n;
    for (int begin = part.begin; begin < part.end; begin += width) {
        const int end = tile_min(begin + width, part.end);
        const int first = begin - s.halo, behind = end + s.halo;
        for (int i = inner ? first : tile_max(first, 0);
             i < (inner ? behind : tile_min(behind, s.n)); i++)
            if (storage->where == GLOBAL) {
                const int stands = read_global(i, level - 1)->level;
                REQUIRE(stands == level - 1, "component %d of level %d: level %d stands there", i,
                    level - 1, stands);
            } else
                REQUIRE(read_local(i, level - 1) == label(i, level - 1),
                    "component %d of level %d is not in local memory", i, level - 1);
        if (storage->where == COLUMNS) barrier_after(0);
        for (int i = begin; i < end; i++) {
            REQUIRE(!computed[level][i], "component %d of level %d is computed twice", i, level);
            computed[level][i] = 1;
            if (storage->where == GLOBAL)
                write_global(i, level);
            else
                write_local(i, level, label(i, level));
            if (storage->where == COLUMNS && (i < store.left.end || i >= store.right.begin))
                write_global(i, level);
        }
    }
}

/* ---- a tile ---- */

/* Compute a tile by levels, as tile_rows.cl does. */
static void tile_by_levels(void) {
    const int first = first_level(), last = last_level(), in_rows = storage->where == ROWS,
              inner = in_rows && is_inner();
    const int parity = fault == FETCH_OTHER_PARITY, parity_below = fault == WRITE_OTHER_PARITY;
    if (last < first) return;
    if (in_rows) {
        fetch(fetch_all(0), first - 1 + parity);
        fetch(fetch_all(1), first - parity);
        barrier_after(1);
    }
    tile_range ends = ends_of(first), above = tile_nothing(s);
    for (int level = first; level <= last; level++) {
        const tile_range range = checked(inner ? ends : tile_cut_off(s, ends)),
                         below = tile_cut_off(s, ends_below(ends, level));
        if (storage->where == COLUMNS) {
            if (fault != LOADED_TOO_EARLY || level == first)
                fetch(loads_of(range, above), level - 1);
            if (fault == LOADED_TOO_EARLY && level < last) fetch(loads_of(below, range), level);
            barrier_after(1);
        }
        compute(range, level, stores_of(ends, range, level), inner);
        barrier_after(0);
        ends = ends_below(ends, level);
        above = range;
    }
    if (in_rows) {
        write_back(write_back_all(0), last - parity_below);
        write_back(write_back_all(1), last - 1 + parity_below);
        barrier_after(0);
    }
}

/* Compute a tile by columns, as tile_columns.cl does: block x of a level comes after the blocks up
 * to x + 1 of the level before. */
static void tile_by_columns(void) {
    const int first = pass_first(), last = pass_last();
    for (int column = start - s.cut; column <= start + s.blocks + s.cut; column++)
        for (int level = first; level <= last; level++) {
            const int offset = level - middle(), x = column - offset;
            const int left = tile_max(tile_left_block(start, offset), 0),
                      right = tile_min(right_block(level), tile_total(s));
            if (x < left || x >= right) continue;
            const tile_range range = range_of(level);
            const tile_ranges loads =
                loads_of(range, level > first ? range_of(level - 1) : tile_nothing(s));
            tile_ranges fetched = {{0, 0}, {0, 0}};
            if (x == left) fetched.left = loads.left;
            if (x == (fault == LOADED_TOO_EARLY ? left : tile_max(left, right - 2)))
                fetched.right = loads.right;
            fetch(fetched, level - 1);
            barrier_after(1);
            compute(tile_between(x * s.block, tile_min((x + 1) * s.block, s.n)), level,
                stores_of(ends_of(level), range, level), 0);
        }
    barrier_after(0);
}

/* ---- what diamond_geometry.h says in two places ---- */

static void mark(unsigned char *marks, tile_ranges ranges) {
    for (int i = 0; i < s.n; i++) marks[i] |= is_in(ranges.left, i) || is_in(ranges.right, i);
}

/* Bulk copy `which` with the levels `which`, `which` + 2, ... below the first one, or above the
   last one. More is written back than the levels store: all of the last level, and at the end of
   the system the components that a neighbour would load, if there were one. With block > halo both
   also include the components between the levels' edges. The simulation shows that it does no
   harm. */
static void compare_bulk_copies(int which) {
    const int first = first_level(), last = last_level();
    unsigned char loads[MAX_N] = {0}, fetched[MAX_N] = {0}, stores[MAX_N] = {0}, spare[MAX_N] = {0},
                  written_back[MAX_N] = {0};
    mark(fetched, fetch_all(which));
    mark(written_back, write_back_all(which));
    for (int level = first + which; level <= last; level += 2)
        mark(loads,
            loads_of(range_of(level), level > first ? range_of(level - 1) : tile_nothing(s)));
    for (int level = last - which; level >= first; level -= 2) {
        const tile_range range = range_of(level), ends = ends_of(level);
        mark(stores, stores_of(ends, range, level));
        if (level == last)
            mark(spare, (tile_ranges){range, {0, 0}});
        else if (level >= middle() && ends.end - s.block >= s.n)
            mark(spare, (tile_ranges){{0, 0}, {ends.end - s.block - s.halo, s.n}});
    }
    for (int i = 0; i < s.n; i++) {
        REQUIRE(fetched[i] >= loads[i], "kind %d, component %d is not fetched", which, i);
        REQUIRE(
            written_back[i] >= stores[i], "kind %d, component %d is not written back", which, i);
        REQUIRE(s.block > s.halo || fetched[i] == loads[i], "kind %d, component %d is fetched",
            which, i);
        REQUIRE(s.block > s.halo || written_back[i] <= (stores[i] | spare[i]),
            "kind %d, component %d is written back", which, i);
    }
}

static void compare_tile(void) {
    const int first = first_level(), last = last_level();
    for (int level = pass_first(); level <= pass_last(); level++) {
        const int offset = level - middle();
        REQUIRE(is_empty(range_of(level)) == (level < first || level > last),
            "level %d: levels are %d .. %d", level, first, last);
        REQUIRE(is_same(ends_below(ends_of(level), level), ends_of(level + 1)),
            "ends below level %d", level);
        REQUIRE(tile_column_origin(s, start, offset + 1) ==
                    tile_column_origin(s, start, offset) + s.block,
            "origin below level %d", level);
        const tile_range range = range_of(level), ends = ends_of(level);
        REQUIRE(!is_inner() || (is_same(range, ends) && range.begin - s.halo >= 0 &&
                                   range.end + s.halo <= s.n),
            "level %d is not inner", level);
        const tile_ranges store = tile_store(s, start, offset, level == steps, range),
                          store_at = stores_of(ends, range, level);
        REQUIRE(is_same(store.left, store_at.left) && is_same(store.right, store_at.right),
            "two stores of level %d", level);
    }
    if (first > last) return;
    compare_bulk_copies(0);
    compare_bulk_copies(1);
}

/* Whether all goes well; if not, `finding` says what does not. */
static int simulate(tile_shape shape, int step_count, const struct storage *in) {
    s = shape;
    steps = step_count;
    storage = in;
    memset(computed, 0, sizeof computed);
    for (int i = 0; i < s.n; i++) {
        memory[0][i] = (struct cell){.level = 0, .writer = NOTHING, .reader = NOTHING};
        memory[1][i] = (struct cell){.level = NOTHING, .writer = NOTHING, .reader = NOTHING};
    }
    if (setjmp(found)) return 0;
    REQUIRE(s.n <= MAX_N && steps <= MAX_STEPS, "the test's own global memory is too small");
    REQUIRE(tile_row_capacity(s) <= MAX_LOCAL && tile_column_capacity(s) <= MAX_LOCAL,
        "the test's own local memory is too small");
    for (pass = first_pass(); pass <= last_pass(); pass++) {
        REQUIRE(tile_number() < SEVERAL && pass_last() <= steps, "pass %d: %d tiles, last level %d",
            pass, tile_number(), pass_last());
        if (pass_first() > pass_last()) continue;
        REQUIRE(pass_first() >= 1, "pass %d computes level %d", pass, pass_first());
        for (tile = 0; tile < tile_number(); tile++) {
            start = start_of(tile);
            memset(local, NOTHING, sizeof local);
            barriers = 0;
            if (storage->where == COMPARED)
                compare_tile();
            else if (storage->skewed)
                tile_by_columns();
            else
                tile_by_levels();
        }
    }
    for (int i = 0; i < s.n && storage->where != COMPARED; i++) {
        for (int level = 1; level <= steps; level++)
            REQUIRE(computed[level][i], "component %d of level %d is not computed", i, level);
        REQUIRE(memory[slot(steps)][i].level == steps, "component %d has level %d in the end", i,
            memory[slot(steps)][i].level);
    }
    return 1;
}

/* Every small tiling: `each` gets them until it returns 0. n from less than the halo and less than
   a block to several periods of tiles; blocks as long as the halo and longer; enough steps for four
   passes. */
static long every_tiling(int max_n, int (*each)(tile_shape shape, int step_count)) {
    long tilings = 0;
    for (int n = 1; n <= max_n; n++)
        for (int halo = 4; halo <= 8; halo += 4)
            for (int block = halo; block <= halo + 8; block += halo == 4 ? 4 : 8)
                for (int blocks = 2; blocks <= 10; blocks += 2)
                    for (int cut = 0; cut <= blocks / 2; cut++)
                        for (int step_count = 0; step_count <= 3 * cut + 4; step_count++) {
                            tilings++;
                            if (!each((tile_shape){.n = n,
                                          .block = block,
                                          .halo = halo,
                                          .blocks = blocks,
                                          .cut = cut},
                                    step_count))
                                return tilings;
                        }
    return tilings;
}

static int goes_well(tile_shape shape, int step_count) {
    for (int in = 0; in < COUNT(storages); in++)
        ck_assert_msg(simulate(shape, step_count, &storages[in]),
            "n=%d block=%d halo=%d blocks=%d cut=%d steps=%d, %s: pass %d, tile at %d: %s", shape.n,
            shape.block, shape.halo, shape.blocks, shape.cut, step_count, storages[in].name, pass,
            start, finding);
    return 1;
}

START_TEST(every_small_tiling_goes_well) {
    printf("%ld tilings, each in %d storages\n", every_tiling(MAX_N, goes_well), COUNT(storages));
}
END_TEST

static const struct storage *suspect;
static int goes_well_there(tile_shape shape, int step_count) {
    return simulate(shape, step_count, suspect);
}

START_TEST(faults_are_found) {
    fault = (enum fault)_i;
    for (int in = 0; in < COUNT(storages); in++) {
        if (!(faults[fault].where & 1 << in)) continue;
        suspect = &storages[in];
        finding[0] = 0;
        every_tiling(MAX_N / 2, goes_well_there);
        ck_assert_msg(finding[0], "%s goes well in %s", faults[fault].name, suspect->name);
    }
    fault = NO_FAULT;
}
END_TEST

static void add(TCase *tests) {
    ADD(sizes_are_those_of_the_thesis);
    ADD(every_small_tiling_goes_well);
    tcase_add_loop_test(tests, faults_are_found, 1, COUNT(faults));
}

int main(void) { return run_tests("tiles", add); }
