/* test_tiles.c - the geometry of tile.h: the thesis's tables, and every small tiling acted out as the kernels do it, each cell labelled with
 * what it holds. prove_tiles.cc proves the same for all sizes. */
#include "config.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#define TILE_INT int
#include "tile.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* ---- the tables of 7.1.1 (GTX 280, string, n = 80,000) and 9.3 (GTX 580, n = 2,000,000) ---- */

static int bytes(int blocks) { return 2 * (blocks + 2) * 4 * 4; }

static const struct { int (*strategy)(int units, int mult); int mult, blocks, bytes; } diamonds[] = {
    {tile_groups_mult, 1, 668, 21440}, {tile_groups_mult, 2, 334, 10752}, {tile_groups_add, 0, 668, 21440}, {tile_groups_add, 1, 646, 20736},
    {tile_groups_add, 2, 626, 20096},  {tile_groups_add, 3, 608, 19520},  {tile_groups_add, 10, 500, 16064}, {tile_groups_corr, 1, 690, 22144},
    {tile_groups_corr, 2, 340, 10944},
};
static const struct { int cut, blocks, groups; } honeycombs[] = {{100, 1526, 176}, {110, 1528, 177}, {120, 1530, 178}};

START_TEST(sizes_are_those_of_the_thesis) {
    const int total = tile_total((tile_shape){.n = 80000, .block = 4, .halo = 4, .blocks = 2, .cut = 1});
    ck_assert_int_eq(total, 20000);
    for (int d = 0; d < COUNT(diamonds); d++) {
        const int blocks = tile_diamond_blocks(total, diamonds[d].strategy(30, diamonds[d].mult));
        ck_assert_int_eq(blocks, diamonds[d].blocks);
        ck_assert_int_eq(bytes(blocks), diamonds[d].bytes);
    }
    for (int h = 0; h < COUNT(honeycombs); h++) {
        int mult = 0;
        while (bytes(tile_honeycomb_blocks(500000, tile_groups_add(16, mult), honeycombs[h].cut)) >= 49152) mult++;
        ck_assert_int_eq(tile_groups_add(16, mult), honeycombs[h].groups);
        ck_assert_int_eq(tile_honeycomb_blocks(500000, honeycombs[h].groups, honeycombs[h].cut), honeycombs[h].blocks);
    }
    ck_assert_int_eq(tile_diamond_blocks(3, 5), 2);
    ck_assert_int_eq(tile_honeycomb_blocks(3, 5, 0), 2);
    ck_assert_int_eq(tile_groups_corr(1, 1), 1);
}
END_TEST

/* ---- the simulation ---- */

/* Where a tile keeps its state, and in which order it computes: row by row in chunks of `width`, or in the skewed columns of chapter 8. */
static const struct storage { const char *name; enum { ROWS, COLUMNS, GLOBAL } where; int width, skewed; } storages[] = {
    {"rows", ROWS, 0, 0},
    {"columns, by rows of 4", COLUMNS, 4, 0}, {"columns, by rows of 8", COLUMNS, 8, 0},
    {"columns, skewed, by 4", COLUMNS, 4, 1}, {"columns, skewed, by 8", COLUMNS, 8, 1},
    {"global", GLOBAL, 0, 0},
};
enum { IN_ROWS = 1, IN_COLUMNS = 6, IN_SKEWED = 24, IN_GLOBAL = 32, IN_LOCAL = 31, ANYWHERE = 63 };        /* sets of the storages */

/* Faults that the simulation must find, and in which storages: it asks tile.h through the functions below, which seed them. A range is short by a
   vector, not a component, because the check for alignment would find that before the simulation does. */
#define FAULTS(FAULT) \
    FAULT(NO_FAULT, 0) FAULT(ROW_A_BLOCK_WIDER, ANYWHERE) FAULT(LEFT_LOAD_SHORT, IN_LOCAL) FAULT(RIGHT_LOAD_SHORT, IN_LOCAL) \
    FAULT(LEFT_STORE_SHORT, IN_LOCAL) FAULT(RIGHT_STORE_SHORT, IN_LOCAL) FAULT(MIDDLE_NOT_STORED, IN_LOCAL) \
    FAULT(LAST_LEVEL_NOT_STORED, IN_LOCAL) FAULT(WRONG_SLOT, ANYWHERE) FAULT(LAST_PASS_MISSING, ANYWHERE) FAULT(FIRST_PASS_MISSING, ANYWHERE) \
    FAULT(PERIOD_LONGER, ANYWHERE) FAULT(PERIOD_SHORTER, ANYWHERE) FAULT(NO_SHIFT, ANYWHERE) FAULT(A_TILE_MISSING, ANYWHERE) \
    FAULT(LEVELS_OF_THE_PASS_BEFORE, ANYWHERE) FAULT(ORIGIN_A_BLOCK_OFF, IN_LOCAL) \
    FAULT(ORIGIN_STANDS_STILL, IN_COLUMNS | IN_SKEWED) FAULT(CAPACITY_A_VECTOR_LESS, IN_LOCAL) FAULT(LOADED_TOO_EARLY, IN_COLUMNS | IN_SKEWED)
enum fault {
#define FAULT(NAME, WHERE) NAME,
    FAULTS(FAULT)
#undef FAULT
};
static const struct { const char *name; int where; } faults[] = {
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

/* Global memory, [level % 2][component]: the level held, and the tile that read or wrote it last, as pass * PASS + tile. */
static struct cell { int level, writer, reader; } memory[2][MAX_N];
static int tile;
/* Local memory: component and level. Rows have a buffer each for even and odd levels, columns one. */
static int local[2][MAX_LOCAL];
static unsigned char computed[MAX_STEPS + 1][MAX_N];

__attribute__((format(printf, 1, 2), noreturn)) static void report(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding, sizeof finding, format, arguments);
    va_end(arguments);
    longjmp(found, 1);
}
#define REQUIRE(condition, ...) do { if (!(condition)) report(__VA_ARGS__); } while (0)

static int first_pass(void) { return tile_first_pass(s) + (fault == FIRST_PASS_MISSING); }
static int last_pass(void) { return tile_last_pass(s, steps) - (fault == LAST_PASS_MISSING); }
static int middle(void) { return tile_middle(s, pass) - (fault == LEVELS_OF_THE_PASS_BEFORE); }
static int start_of(int number) {
    const int period = tile_period(s) + (fault == PERIOD_LONGER) - (fault == PERIOD_SHORTER);
    return (fault == NO_SHIFT ? 0 : tile_first(s, pass)) + number * period;
}
static int tile_number(void) { return tile_count(s, pass) - (fault == A_TILE_MISSING); }
static int right_block(int level) { return tile_right_block(s, start, level - middle()) + (fault == ROW_A_BLOCK_WIDER); }
static int slot(int level) { return (level + (fault == WRONG_SLOT && level > 1)) % 2; }

/* Begins are multiples of 4, ends too or n. */
static tile_range checked(tile_range range) {
    const int is_aligned = range.begin % 4 == 0 && (range.end % 4 == 0 || range.end == s.n);
    REQUIRE(range.end <= range.begin || (range.begin >= 0 && range.end <= s.n && is_aligned), "range %d .. %d", range.begin, range.end);
    return range;
}

static tile_range row_of(int level) {
    tile_range row = tile_row(s, start, level - middle());
    if (fault == ROW_A_BLOCK_WIDER) row.end = tile_clip(right_block(level) * s.block, s.n);
    return checked(row);
}

static tile_ranges loads_of(int level, int is_first) {
    tile_ranges load = tile_load(s, row_of(level), is_first ? tile_nothing(s) : row_of(level - 1));
    if (fault == LEFT_LOAD_SHORT) load.left.begin += 4;
    if (fault == RIGHT_LOAD_SHORT) load.right.end -= 4;
    checked(load.left);
    checked(load.right);
    return load;
}

static tile_ranges stores_of(int level) {
    const tile_range row = row_of(level);
    tile_ranges store = tile_store(s, start, level - middle(), level == steps && fault != LAST_LEVEL_NOT_STORED, row);
    REQUIRE(store.left.begin == row.begin && store.right.end == row.end, "stores of level %d do not end with the row", level);
    REQUIRE(store.left.end <= store.right.begin, "stores of level %d overlap", level);
    if (fault == LEFT_STORE_SHORT) store.left.end -= 4;
    if (fault == RIGHT_STORE_SHORT) store.right.begin += 4;
    if (fault == MIDDLE_NOT_STORED && level == middle()) store = (tile_ranges){{0, 0}, {0, 0}};
    checked(store.left);
    checked(store.right);
    return store;
}

/* ---- memory ---- */

static int label(int i, int level) { return level * MAX_N + i; }

static int origin_of(int level) {
    const int offset = level - middle() - (fault == ORIGIN_STANDS_STILL && level % 2 == 1);
    const int origin = storage->where == COLUMNS ? tile_column_origin(s, start, offset) : tile_row_origin(s, start);
    return origin + (fault == ORIGIN_A_BLOCK_OFF && level % 2 == 1 ? s.block : 0);
}

static int *place(int i, int level) {
    const int in_columns = storage->where == COLUMNS, origin = origin_of(level), end = tile_round(i + 1, 4) - origin;
    const int capacity = (in_columns ? tile_column_capacity(s) : tile_row_capacity(s)) - (fault == CAPACITY_A_VECTOR_LESS ? 4 : 0);
    REQUIRE(origin % 4 == 0 && i >= origin && end <= capacity, "component %d of level %d: origin %d, capacity %d", i, level, origin, capacity);
    return &local[in_columns ? 0 : level % 2][i - origin];
}

/* The tiles of a pass are at work at the same time: none may touch what another one writes. */
static void read_global(int i, int level) {
    struct cell *cell = &memory[slot(level)][i];
    const int me = pass * PASS + tile;
    REQUIRE(cell->writer == me || cell->writer < pass * PASS, "component %d of level %d is read while another tile writes it", i, level);
    REQUIRE(cell->level == level, "component %d of level %d: level %d stands there", i, level, cell->level);
    cell->reader = cell->reader < pass * PASS || cell->reader == me ? me : pass * PASS + SEVERAL;
}
static void write_global(int i, int level) {
    struct cell *cell = &memory[slot(level)][i];
    const int me = pass * PASS + tile;
    REQUIRE(cell->writer == me || cell->writer < pass * PASS, "component %d of level %d: two tiles write", i, level);
    REQUIRE(cell->reader == me || cell->reader < pass * PASS, "component %d of level %d is written while another tile reads there", i, level);
    cell->level = level;
    cell->writer = me;
}

static void load(tile_range range, int level) {
    for (int i = range.begin; i < range.end; i++) {
        REQUIRE(memory[slot(level)][i].writer < pass * PASS, "component %d of level %d is loaded in the pass that stored it", i, level);
        read_global(i, level);
        *place(i, level) = label(i, level);
    }
}

/* That part of a level's stores which lies in `within`. */
static void store(tile_ranges ranges, tile_range within, int level) {
    for (int i = within.begin; i < within.end; i++) {
        if (!(i >= ranges.left.begin && i < ranges.left.end) && !(i >= ranges.right.begin && i < ranges.right.end)) continue;
        REQUIRE(*place(i, level) == label(i, level), "component %d of level %d is gone before it is stored", i, level);
        write_global(i, level);
    }
}

/* Chunk by chunk: all reads, then all writes. Reads go the whole halo, which includes those of every shorter access distance. */
static void compute(tile_range range, int level) {
    const int width = storage->width ? storage->width : s.n;
    for (int begin = range.begin; begin < range.end; begin += width) {
        const int end = tile_min(begin + width, range.end);
        for (int i = tile_max(begin - s.halo, 0); i < tile_min(end + s.halo, s.n); i++)
            if (storage->where == GLOBAL) read_global(i, level - 1);
            else REQUIRE(*place(i, level - 1) == label(i, level - 1), "component %d of level %d is not in local memory", i, level - 1);
        for (int i = begin; i < end; i++) {
            REQUIRE(!computed[level][i], "component %d of level %d is computed twice", i, level);
            computed[level][i] = 1;
            if (storage->where == GLOBAL) write_global(i, level);
            else *place(i, level) = label(i, level);
        }
    }
}

/* ---- a tile ---- */

static void tile_by_rows(int first, int last) {
    const int is_local = storage->where != GLOBAL;
    if (is_local) load(loads_of(first, 1).left, first - 1), load(loads_of(first, 1).right, first - 1);
    for (int level = first; level <= last; level++) {
        const tile_ranges next = is_local && level < last ? loads_of(level + 1, 0) : (tile_ranges){{0, 0}, {0, 0}};
        if (fault == LOADED_TOO_EARLY) load(next.left, level), load(next.right, level);
        compute(row_of(level), level);
        if (is_local) store(stores_of(level), row_of(level), level);
        if (fault != LOADED_TOO_EARLY) load(next.left, level), load(next.right, level);
    }
}

/* Block by block: block x of a level comes after the blocks up to x + 1 of the level before. */
static void tile_by_columns(int first, int last) {
    for (int column = first; column < last + tile_total(s); column++)
        for (int level = first; level <= last; level++) {
            const int left = tile_max(tile_left_block(start, level - middle()), 0), right = tile_min(right_block(level), tile_total(s));
            const int x = column - level;
            if (x < left || x >= right) continue;
            const tile_ranges loads = loads_of(level, level == first);
            const tile_range block = tile_between(x * s.block, tile_min((x + 1) * s.block, s.n));
            if (x == left) load(loads.left, level - 1);
            if (x == (fault == LOADED_TOO_EARLY ? left : tile_max(left, right - 2))) load(loads.right, level - 1);
            compute(block, level);
            store(stores_of(level), block, level);
        }
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
    REQUIRE(tile_row_capacity(s) <= MAX_LOCAL && tile_column_capacity(s) <= MAX_LOCAL, "the test's own local memory is too small");
    for (pass = first_pass(); pass <= last_pass(); pass++) {
        const int early = fault == LEVELS_OF_THE_PASS_BEFORE;
        const int first = tile_first_level(s, pass) - early, last = tile_last_level(s, pass, steps) - early;
        REQUIRE(tile_number() < SEVERAL && last <= steps, "pass %d: %d tiles, last level %d", pass, tile_number(), last);
        if (first > last) continue;
        REQUIRE(first >= 1, "pass %d computes level %d", pass, first);
        for (tile = 0; tile < tile_number(); tile++) {
            start = start_of(tile);
            memset(local, NOTHING, sizeof local);
            if (storage->skewed) tile_by_columns(first, last);
            else tile_by_rows(first, last);
        }
    }
    for (int i = 0; i < s.n; i++) {
        for (int level = 1; level <= steps; level++) REQUIRE(computed[level][i], "component %d of level %d is not computed", i, level);
        REQUIRE(memory[slot(steps)][i].level == steps, "component %d has level %d in the end", i, memory[slot(steps)][i].level);
    }
    return 1;
}

/* Every small tiling: `each` gets them until it returns 0. n from less than the halo and less than a block to several periods of tiles; blocks
   as long as the halo and longer; enough steps for four passes. */
static long every_tiling(int max_n, int (*each)(tile_shape shape, int step_count)) {
    long tilings = 0;
    for (int n = 1; n <= max_n; n++)
        for (int halo = 4; halo <= 8; halo += 4)
            for (int block = halo; block <= halo + 8; block += halo == 4 ? 4 : 8)
                for (int blocks = 2; blocks <= 10; blocks += 2)
                    for (int cut = 0; cut <= blocks / 2; cut++)
                        for (int step_count = 0; step_count <= 3 * cut + 4; step_count++) {
                            tilings++;
                            if (!each((tile_shape){.n = n, .block = block, .halo = halo, .blocks = blocks, .cut = cut}, step_count)) return tilings;
                        }
    return tilings;
}

static int goes_well(tile_shape shape, int step_count) {
    for (int in = 0; in < COUNT(storages); in++)
        ck_assert_msg(simulate(shape, step_count, &storages[in]), "n=%d block=%d halo=%d blocks=%d cut=%d steps=%d, %s: pass %d, tile at %d: %s",
                      shape.n, shape.block, shape.halo, shape.blocks, shape.cut, step_count, storages[in].name, pass, start, finding);
    return 1;
}

START_TEST(every_small_tiling_goes_well) {
    printf("%ld tilings, each in %d storages\n", every_tiling(MAX_N, goes_well), COUNT(storages));
}
END_TEST

static const struct storage *suspect;
static int goes_well_there(tile_shape shape, int step_count) { return simulate(shape, step_count, suspect); }

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
