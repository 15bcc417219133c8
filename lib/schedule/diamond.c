/* SPDX-License-Identifier: BSD-2-Clause */
/* diamond.c - see schedule/diamond.h. */
#include "config.h"
#include "diamond.h"
#include "step.h"
#include "../problem/grid.h"
#include "../problem/system.h"
#include "../machine/machine.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    enum tile_storage storage; /* its own */
    unsigned allowed;          /* bit per storage */
} kinds[] = {
    [TILE_ROW_DIAMOND] = {"cl-row-diamond", TILE_LOCAL, 1 << TILE_LOCAL | 1 << TILE_GLOBAL},
    [TILE_COLUMN_DIAMOND] = {"cl-column-diamond", TILE_COLUMN, 1 << TILE_COLUMN},
    [TILE_HONEYCOMB] = {"cl-honeycomb", TILE_LOCAL,
        1 << TILE_LOCAL | 1 << TILE_GLOBAL | 1 << TILE_COLUMN},
};

enum {
    WIDE_FROM = 1 << 28, /* components; also what a tile wider than two blocks is held below, so
                            that n + 4 (blocks + 2) block fits 31 bits */
    WORKGROUP = 256,
    LEAST_WORKGROUP = 64,
    /* share of dia_blocks that is cut off if only the strategy is given: about the thesis's best
     * (9.3) */
    SHARE = 12,
    MAX_ALONE = 1 << 14, /* blocks of a system that may be one tile */
};

/* Divisions of dia_blocks that are tried as cut-off of honeycombs; 2 makes diamonds. */
static const int64_t cut_shares[] = {2, 3, 4, 6, 8, 12, 16};

int ecl_diamond_storage(
    enum tile_kind kind, const struct run *run, enum tile_storage *storage, eulercl_error *error) {
    const eulercl_options *const o = &run->options;
    const char *const inseparable = ecl_why_inseparable(&run->system);
    if (inseparable)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "%s: %s", kinds[kind].name, inseparable);
    *storage = (enum tile_storage)TUNED_OR(o, storage, kinds[kind].storage);
    return kinds[kind].allowed >> *storage & 1
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_INVALID, "backend %s has no storage '%s'",
                     kinds[kind].name, TUNED_NAME(o, storage));
}

int64_t ecl_diamond_wide_from = WIDE_FROM;

int ecl_diamond_is_narrow(int64_t n) { return n < ecl_diamond_wide_from; }

static uint64_t bytes_of(const struct tiling *t, size_t real_size) {
    return (uint64_t)(t->storage == TILE_COLUMN ? tile_column_capacity(t->shape)
                                                : 2 * tile_row_capacity(t->shape)) *
           real_size;
}

/* A choice in progress, and the run that it is for. */
struct choice {
    enum tile_kind kind;
    const struct run *run;
    const eulercl_device_info *device;
    struct tiling last;  /* the latest that was tried, for the message */
    struct tiling *best; /* up to `most` that differ, the best first */
    int most, count;
};

/* Tiles of planes were measured separately from those of lines and of the general form. */
static int is_plane(const struct choice *c) {
    return !grid_is_line(&c->run->system.definition->grid);
}

/* The predicted time of a step, in nanoseconds, with these factors for a level and for its
 * vectors. */
static double predict(
    const struct choice *c, const struct tiling *t, double piece_factor, double vector_factor) {
    const tile_shape s = t->shape;
    const int two = is_plane(c);
    /* Odd passes have a tile more, half of it at either end: the reason for the strategy corr. */
    const double tiles = (double)tile_max(tile_count(s, 0), tile_count(s, 1)),
                 units = fmax(1, c->device->compute_units);
    const double resident = fmin((double)machine_gpu.tile_groups, ceil(tiles / units)),
                 waves = ceil(tiles / (units * resident));
    const double levels = s.cut ? (double)(2 * s.cut - (s.blocks == 2 * s.cut)) : 1;
    const double blocks = s.cut ? 2 * (double)s.cut * (double)(s.blocks - s.cut) : (double)s.blocks;
    const int columns = c->kind == TILE_COLUMN_DIAMOND;
    const double pieces = columns ? blocks : levels,
                 vectors = fmin(blocks / pieces * (double)s.block, (double)s.n) / 4;
    const double piece = piece_factor * machine_gpu.tile_ns[columns][two].piece +
                         vector_factor * vectors *
                             (machine_gpu.tile_ns[columns][two].alone +
                                 resident * machine_gpu.tile_ns[columns][two].shared);
    return (1e9 * machine_gpu.launch_seconds + machine_gpu.copies_ns + waves * pieces * piece) /
           (double)tile_max(s.cut, 1);
}

static void keep(struct choice *c, const struct tiling *t) {
    int at = c->count;
    for (int i = 0; i < c->count; i++)
        if (c->best[i].shape.blocks == t->shape.blocks && c->best[i].shape.cut == t->shape.cut)
            return;
    while (at > 0 && t->predicted_ns < c->best[at - 1].predicted_ns) at--;
    if (at == c->most) return;
    if (c->count < c->most) c->count++;
    memmove(c->best + at + 1, c->best + at, (size_t)(c->count - 1 - at) * sizeof *c->best);
    c->best[at] = *t;
}

/* Try a width: -> whether it fits into local memory. */
static int try_blocks(struct choice *c, int64_t blocks, int64_t cut, const char *distribution) {
    const size_t real_size = c->run->system.real_size;
    struct tiling t = c->last;
    t.distribution = distribution;
    t.shape.blocks = blocks;
    t.shape.cut = c->kind == TILE_HONEYCOMB ? tile_min(cut, blocks / 2) : blocks / 2;
    t.levels_per_launch = tile_max(t.shape.cut, 1);
    t.local_bytes = bytes_of(&t, real_size);
    c->last = t;
    if (blocks > 2 && blocks + 2 > WIDE_FROM / t.shape.block) return 0;
    /* Tiles without local memory are held as small as if they needed it, for the sake of caches,
     * but none is too small. */
    if (t.local_bytes >= c->device->local_bytes &&
        (t.storage != TILE_GLOBAL || (blocks > 2 && !TUNED(&c->run->options, dia_blocks))))
        return 0;
    if (t.storage == TILE_GLOBAL) t.local_bytes = 0;
    t.predicted_ns = predict(c, &t, 1, 1);
    keep(c, &t);
    return 1;
}

/* Try this number of tiles side by side. `share`: the share of the width that is cut off, if the
 * option leaves it open. */
static int try_tiles(struct choice *c, int64_t tiles, int64_t share, const char *distribution) {
    const int64_t total = tile_total(c->last.shape),
                  wanted = TUNED(&c->run->options, honeycomb_steps);
    if (c->kind != TILE_HONEYCOMB)
        return try_blocks(c, tile_diamond_blocks(total, tiles), 0, distribution);
    if (wanted >= 0) {
        /* Where the cut-off is half the width or more, diamonds: narrower, and no wider for more
         * groups. */
        const int64_t blocks = tile_honeycomb_blocks(total, tiles, wanted);
        return try_blocks(c, blocks < 2 * wanted ? tile_diamond_blocks(total, tiles) : blocks,
            wanted, distribution);
    }
    /* total = tiles blocks + (tiles - 1) (blocks - 2 blocks / share), see 9.2 */
    const int64_t blocks = tile_max(
        2, tile_round(tile_ceil(total * share, tiles * share + (tiles - 1) * (share - 2)), 2));
    return try_blocks(c, blocks, tile_max(1, blocks / share), distribution);
}

static int try_mult(struct choice *c, const char *strategy, int64_t mult, int64_t share) {
    const int64_t units = tile_max(1, c->device->compute_units);
    const int64_t tiles = !strcmp(strategy, "mult")  ? tile_count_by_mult(units, mult)
                          : !strcmp(strategy, "add") ? tile_count_by_add(units, mult)
                                                     : tile_count_by_corr(units, mult);
    return try_tiles(c, tiles, share, strategy);
}

/* The first number of tiles by the strategy whose tiles fit (listing 7.2), and `more` to compare.
 * More tiles are never wider ones. */
static void try_strategy(struct choice *c, const char *strategy, int64_t share, int more) {
    struct choice search = *c;
    int64_t low = strcmp(strategy, "add") ? 1 : 0, high = low + tile_total(c->last.shape);
    while (low < high) {
        const int64_t half = low + (high - low) / 2;
        if (try_mult(&search, strategy, half, share))
            high = half;
        else
            low = half + 1;
    }
    for (int i = 0; i <= more; i++) try_mult(c, strategy, low + i, share);
}

/* Everything that may be fastest. */
static void try_all(struct choice *c) {
    const int64_t total = tile_total(c->last.shape), units = tile_max(1, c->device->compute_units);
    const int shares = c->kind == TILE_HONEYCOMB && TUNED(&c->run->options, honeycomb_steps) < 0
                           ? sizeof cut_shares / sizeof *cut_shares
                           : 1;
    for (int i = 0; i < shares; i++) {
        for (int64_t tiles = units / 2; tiles > 0; tiles /= 2)
            try_tiles(c, tiles, cut_shares[i], ""); /* fewer tiles than units */
        for (const char *const *name = ecl_tunings[TUNING_distribution].choices; *name; name++)
            try_strategy(c, *name, cut_shares[i], 3);
    }
    /* A system that one tile holds: wide enough to be cut off only after many steps. */
    if (total < MAX_ALONE)
        try_blocks(c, 8 * total,
            shares == 1 && c->kind == TILE_HONEYCOMB ? TUNED(&c->run->options, honeycomb_steps)
                                                     : 4 * total,
            "");
}

static int fail_too_large(const struct choice *c, eulercl_error *error) {
    const struct system *s = &c->run->system;
    const struct tiling *t = &c->last;
    const char *name = kinds[c->kind].name;
    const unsigned long long needed = t->local_bytes, there = c->device->local_bytes;
    if (s->access_distance >= s->n - 1)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%s: the access distance is unlimited, so a tile is the whole system and needs %llu "
            "bytes of local memory; %.200s has %llu, not all of them available; use cl-linear",
            name, needed, c->device->name, there);
    const char *way_out =
        TUNED(&c->run->options, dia_blocks)
            ? "fewer blocks may fit, and cl-linear needs no local memory"
        : t->storage == TILE_LOCAL && 4 * (uint64_t)t->shape.halo * s->real_size < there
            ? "cl-column-diamond and the column storage of cl-honeycomb need half of it, cl-linear "
              "needs none"
            : "cl-linear needs no local memory";
    return ecl_fail(error, EULERCL_UNSUPPORTED,
        "%s: %s tile, %lld blocks of %lld components, needs %llu bytes of local memory; %.200s has "
        "%llu, not all of them available; %s",
        name, TUNED(&c->run->options, dia_blocks) ? "the" : "the smallest",
        (long long)t->shape.blocks, (long long)t->shape.block, needed, c->device->name, there,
        way_out);
}

size_t ecl_diamond_workgroup(const eulercl_options *o) {
    return (size_t)TUNED_OR(o, workgroup_size, WORKGROUP);
}

/* Enough items for the widest level, within the number that was fastest: more items make every
 * barrier slower. */
static size_t workgroup_for(const struct choice *c, const struct tiling *t) {
    const int64_t vectors = t->shape.blocks * t->shape.block / 4,
                  tiles = tile_max(tile_count(t->shape, 0), tile_count(t->shape, 1));
    const int has_unit_alone = tiles <= 2 * (int64_t)c->device->compute_units && is_plane(c);
    return vectors <= 160                     ? WORKGROUP / 2
           : vectors >= 512 && has_unit_alone ? 2 * WORKGROUP
                                              : WORKGROUP;
}

/* Try tiles with the storage of c->last. */
static void try_storage(struct choice *c) {
    const eulercl_options *o = &c->run->options;
    const int64_t blocks = tile_round(TUNED(o, dia_blocks), 2), given = TUNED(o, honeycomb_steps);
    const char *distribution = TUNED_NAME(o, distribution);
    if (!blocks && distribution)
        try_strategy(c, distribution, SHARE, 0);
    else if (!blocks)
        try_all(c);
    else if (c->kind != TILE_HONEYCOMB || given >= 0)
        try_blocks(c, blocks, given, "");
    else
        for (size_t i = 0; i < sizeof cut_shares / sizeof *cut_shares; i++)
            try_blocks(c, blocks, tile_max(1, blocks / cut_shares[i]), "");
}

/* Set halo and block from what a component's update reads. It may read more than it needs: in one
   dimension whole points, and the surroundings of the whole point as a rectangle. In column storage
   another item must not overwrite such a component meanwhile, so everything that is read lies
   within a block there. */
static void set_block(struct choice *c, size_t workgroup) {
    const struct system *s = &c->run->system;
    const struct ode_problem *d = s->definition;
    const int64_t points = (int64_t)ecl_grid_reach(&s->context.grid),
                  whole = d->grid.components - 1;
    int64_t reach = tile_max(s->access_distance,
        has_grid(d) && grid_is_line(&d->grid) ? points * d->grid.components : 1);
    if (c->last.storage == TILE_COLUMN && has_grid(d))
        reach = tile_max(reach, points * d->grid.components + whole);
    /* Vectors of four, and whole points. */
    const int64_t point = ecl_system_point(s), unit = point % 4 == 0   ? point
                                                      : point % 2 == 0 ? 2 * point
                                                                       : 4 * point;
    c->last.shape.halo = tile_round(tile_clip(reach, s->n), unit);
    c->last.shape.block =
        c->kind == TILE_COLUMN_DIAMOND
            ? tile_max(c->last.shape.halo, tile_round(4 * (int64_t)workgroup, unit))
            : c->last.shape.halo;
}

static int choose(struct choice *c, eulercl_error *error) {
    const eulercl_options *o = &c->run->options;
    const int64_t n = c->run->system.n;
    int status = ecl_diamond_storage(c->kind, c->run, &c->last.storage, error);
    if (status) return status;
    const size_t most =
        c->device->max_workgroup_size ? (size_t)c->device->max_workgroup_size : SIZE_MAX;
    size_t workgroup = ecl_diamond_workgroup(o);
    if (TUNED(o, workgroup_size) && workgroup > most)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "a work-group of %zu items: %.200s allows %zu",
            workgroup, c->device->name, most);
    if (workgroup > most) workgroup = most;
    /* Columns: a vector for each item makes the blocks, so fewer items where there would be too few
     * blocks for the device. */
    while (!TUNED(o, workgroup_size) && workgroup > LEAST_WORKGROUP &&
           n / (4 * (int64_t)workgroup) < 2 * (int64_t)c->device->compute_units)
        workgroup /= 2;
    c->last.shape.n = n;
    set_block(c, workgroup);
    try_storage(c);
    if (!c->count && c->kind == TILE_HONEYCOMB && !TUNED_NAME(o, storage)) {
        c->last.storage = TILE_COLUMN;
        set_block(c, workgroup);
        try_storage(c);
    }
    if (!c->count) {
        if (!TUNED(o, dia_blocks)) try_blocks(c, 2, 1, "");
        return fail_too_large(c, error);
    }
    for (int i = 0; i < c->count; i++) {
        struct tiling *t = &c->best[i];
        t->workgroup = TUNED(o, workgroup_size) || c->kind == TILE_COLUMN_DIAMOND
                           ? workgroup
                           : workgroup_for(c, t);
        if (t->workgroup > most) t->workgroup = most;
    }
    return EULERCL_OK;
}

int ecl_diamond_choose(enum tile_kind kind, const struct run *run,
    const eulercl_device_info *device, struct tiling *tiling, eulercl_error *error) {
    struct tiling best;
    struct choice c = {.kind = kind, .run = run, .device = device, .best = &best, .most = 1};
    const int status = choose(&c, error);
    if (!status) *tiling = best;
    return status;
}

/* ---- for the planner ---- */

enum { MOST_TILES = 3 }; /* tiles of one storage that are proposed */

static double seconds_of(const struct choice *c, const struct tiling *t, int scalar) {
    const int two = is_plane(c), is_own = t->storage == kinds[c->kind].storage,
              is_global = t->storage == TILE_GLOBAL && !is_own,
              is_column = t->storage == TILE_COLUMN && !is_own;
    const double reals =
                     (c->run->system.real_size == sizeof(double) ? machine_gpu.tile_double : 1) *
                     (scalar ? machine_gpu.tile_scalar : 1),
                 piece = is_global   ? machine_gpu.tile_global[two].piece
                         : is_column ? machine_gpu.tile_column[two].piece
                                     : 1,
                 vectors = is_global   ? machine_gpu.tile_global[two].vectors
                           : is_column ? machine_gpu.tile_column[two].vectors
                                       : 1;
    const struct method *m = c->run->system.method;
    const double pass = ecl_step_pass_seconds(&c->run->system, c->device) /
                        (m->stages * m->arrays); /* traffic of one array at one level */
    const double tiles = 1e-9 * predict(c, t, piece, reals * vectors);
    /* Carried values go through global memory at every level, and so do fields. */
    return m->stages *
               (hypot(tiles, pass / (double)t->levels_per_launch) + (m->arrays - 1) * pass) +
           ecl_step_field_pass_seconds(&c->run->system, c->device);
}

int ecl_diamond_propose(enum tile_kind kind, const struct run *run,
    const eulercl_device_info *device, struct proposal *proposals, int most) {
    static const char *const variants[] = {"vector", "scalar"};
    const eulercl_options *o = &run->options;
    const char *const variant = TUNED_NAME(o, variant);
    const int by_rule = TUNED_NAME(o, distribution) != NULL;
    int count = 0;
    for (int s = TILE_LOCAL; s <= TILE_COLUMN; s++) {
        if (!(kinds[kind].allowed >> s & 1) || TUNED_OR(o, storage, s) != s) continue;
        struct tiling tiles[MOST_TILES];
        struct run with = *run;
        struct choice c = {
            .kind = kind, .run = &with, .device = device, .best = tiles, .most = MOST_TILES};
        TUNE(&with.options, storage, s);
        if (choose(&c, NULL)) continue;
        for (int i = 0; i < c.count; i++)
            for (int scalar = 0; scalar < 2; scalar++) {
                if (variant ? strcmp(variant, variants[scalar]) != 0 : scalar && i) continue;
                struct proposal p = {.options = with.options,
                    .step_seconds = hypot(seconds_of(&c, &tiles[i], scalar),
                        ecl_step_function_seconds(&run->system, device))};
                ecl_proposal_compile(&p, run, machine_gpu.tile_compile_seconds, 1);
                TUNE_NAME(&p.options, variant, variants[scalar]);
                if (!by_rule && !TUNED(o, dia_blocks))
                    TUNE(&p.options, dia_blocks, tiles[i].shape.blocks);
                if (!by_rule && kind == TILE_HONEYCOMB && TUNED(o, honeycomb_steps) < 0)
                    TUNE(&p.options, honeycomb_steps, tiles[i].shape.cut);
                TUNE(&p.options, workgroup_size, tiles[i].workgroup);
                count = ecl_propose(proposals, count, most, &p);
            }
    }
    return count;
}

/* ---- traffic ---- */

static uint64_t length(tile_range r) { return r.begin < r.end ? (uint64_t)(r.end - r.begin) : 0; }

static uint64_t tile_traffic(const struct tiling *t, int64_t pass, int64_t steps, int64_t start) {
    const tile_shape s = t->shape;
    const int64_t middle = tile_middle(s, pass);
    uint64_t components = 0;
    tile_range before = tile_nothing(s);
    for (int64_t level = tile_pass_first(s, pass); level <= tile_pass_last(s, pass, steps);
         level++) {
        const tile_range range = tile_level(s, start, level - middle);
        const tile_ranges load = tile_load(s, range, before),
                          store = tile_store(s, start, level - middle, level == steps, range);
        components += t->storage == TILE_GLOBAL ? length(tile_input(s, range)) + length(range)
                                                : length(load.left) + length(load.right) +
                                                      length(store.left) + length(store.right);
        before = range;
    }
    return components;
}

uint64_t ecl_diamond_traffic(
    const struct tiling *t, int64_t pass, int64_t steps, size_t real_size) {
    const tile_shape s = t->shape;
    const int64_t tiles = tile_count(s, pass), period = tile_period(s), first = tile_first(s, pass);
    /* Tiles 1 .. whole - 1 lie inside and are all alike. */
    const int64_t whole = tile_clip((tile_total(s) - 1 - s.blocks - first) / period, tiles);
    uint64_t components = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t alike = tile == 1 && whole > 2 ? whole - 1 : 1;
        components += (uint64_t)alike * tile_traffic(t, pass, steps, first + tile * period);
        tile += alike - 1;
    }
    return components * real_size;
}
