/* tiling.c - see tiling.h. */
#include "config.h"
#include "tiling.h"
#include <string.h>

const char *const eulercl_storage_names[] = {"local", "global", "column", NULL};
const char *const eulercl_distribution_names[] = {"auto", "mult", "add", "corr", NULL};

static const struct {
    const char *name;
    enum tile_storage storage;         /* its own */
    unsigned allowed;                  /* bit per storage */
} kinds[] = {
    [TILE_ROW_DIAMOND] = {"cl-row-diamond", TILE_LOCAL, 1 << TILE_LOCAL | 1 << TILE_GLOBAL},
    [TILE_COLUMN_DIAMOND] = {"cl-column-diamond", TILE_COLUMN, 1 << TILE_COLUMN},
    [TILE_HONEYCOMB] = {"cl-honeycomb", TILE_LOCAL, 1 << TILE_LOCAL | 1 << TILE_GLOBAL | 1 << TILE_COLUMN},
};

enum {
    NARROW_FROM = 1 << 30,             /* components; also what the reach of a tile is held below */
    CUT_RATIO = 12,                    /* dia_blocks per honeycomb step */
};

int eulercl_tiling_storage(enum tile_kind kind, const eulercl_options *o, enum tile_storage *storage, eulercl_error *error) {
    *storage = kinds[kind].storage;
    for (unsigned s = 0; o->storage && eulercl_storage_names[s]; s++)
        if (!strcmp(o->storage, eulercl_storage_names[s])) {
            *storage = (enum tile_storage)s;
            return kinds[kind].allowed >> s & 1 ? EULERCL_OK
                : eulercl_fail(error, EULERCL_INVALID, "backend %s has no storage '%s'", kinds[kind].name, o->storage);
        }
    return EULERCL_OK;
}

int eulercl_tiling_is_narrow(int64_t n) { return n < NARROW_FROM; }

static uint64_t local_bytes(const struct tiling *t, size_t real_size) {
    return t->storage == TILE_LOCAL ? 2 * (uint64_t)tile_row_capacity(t->shape) * real_size
         : t->storage == TILE_COLUMN ? (uint64_t)tile_column_capacity(t->shape) * real_size : 0;
}

/* The largest cut-off, or the one that was asked for, or a share of the width. */
static int64_t cut_for(enum tile_kind kind, const eulercl_options *o, int64_t blocks) {
    const int64_t most = blocks / 2, wanted = o->honeycomb_steps;
    if (kind != TILE_HONEYCOMB) return most;
    if (wanted < 0) return tile_max(1, blocks / CUT_RATIO);
    return tile_min(wanted, most);
}

/* Widest tile for that number of tiles. */
static int64_t blocks_for(enum tile_kind kind, const eulercl_options *o, int64_t total, int64_t groups) {
    if (kind != TILE_HONEYCOMB) return tile_diamond_blocks(total, groups);
    if (o->honeycomb_steps >= 0) return tile_honeycomb_blocks(total, groups, o->honeycomb_steps);
    /* The cut-off follows from the width: total = groups blocks + (groups - 1) (blocks - 2 blocks / CUT_RATIO). */
    return tile_max(2, tile_round(tile_ceil(total * CUT_RATIO, groups * CUT_RATIO + (groups - 1) * (CUT_RATIO - 2)), 2));
}

static int fits(enum tile_kind kind, const eulercl_options *o, struct tiling *t, int64_t blocks, const eulercl_device_info *device, size_t real_size) {
    if ((blocks + 2) > NARROW_FROM / 4 / t->shape.block) return 0;
    t->shape.blocks = blocks;
    t->shape.cut = cut_for(kind, o, blocks);
    t->local_bytes = local_bytes(t, real_size);
    return t->local_bytes < device->local_bytes || t->storage == TILE_GLOBAL;
}

static int fail_too_large(enum tile_kind kind, const struct run *run, const struct tiling *t, const eulercl_device_info *device, eulercl_error *error) {
    const int64_t n = run->system.n, k = run->system.access_distance;
    const unsigned long long needed = t->local_bytes, there = device->local_bytes;
    if (k >= n - 1)
        return eulercl_fail(error, EULERCL_UNSUPPORTED, "%s: the access distance is unlimited, so that a tile is the whole system: it needs %llu bytes of local memory, "
                            "%.200s has %llu, and fewer are usable; cl-linear solves it", kinds[kind].name, needed, device->name, there);
    const uint64_t column = 4 * (uint64_t)t->shape.halo * run->system.real_size;
    return eulercl_fail(error, EULERCL_UNSUPPORTED, "%s: %s tile of %lld blocks of %lld components needs %llu bytes of local memory, less than the %llu of %.200s are usable; "
                        "%s", kinds[kind].name, run->options.dia_blocks ? "a" : "the smallest", (long long)t->shape.blocks, (long long)t->shape.block, needed, there, device->name,
                        run->options.dia_blocks ? "fewer blocks may fit, cl-linear needs none"
                        : t->storage == TILE_LOCAL && column < there ? "cl-column-diamond and cl-honeycomb with column storage need half of it" : "cl-linear needs none");
}

/* The first number of tiles by the strategy whose tile fits (listing 7.2). */
static int choose_by(enum tile_kind kind, const struct run *run, struct tiling *t, const eulercl_device_info *device, const char *strategy) {
    const int64_t total = tile_total(t->shape), units = tile_max(1, device->compute_units);
    for (int64_t mult = strcmp(strategy, "add") ? 1 : 0;; mult++) {
        const int64_t groups = !strcmp(strategy, "mult") ? tile_groups_mult(units, mult)
                             : !strcmp(strategy, "add") ? tile_groups_add(units, mult) : tile_groups_corr(units, mult);
        const int64_t blocks = blocks_for(kind, &run->options, total, groups);
        t->distribution = strategy;
        if (fits(kind, &run->options, t, blocks, device, run->system.real_size)) return 1;
        if (blocks <= 2) return 0;
    }
}

int eulercl_tiling_choose(enum tile_kind kind, const struct run *run, const eulercl_device_info *device, size_t workgroup,
                          struct tiling *t, eulercl_error *error) {
    const eulercl_options *o = &run->options;
    const struct ode_problem *d = run->system.definition;
    const int64_t n = run->system.n;
    *t = (struct tiling){.distribution = ""};
    int status = eulercl_tiling_storage(kind, o, &t->storage, error);
    if (status) return status;
    /* In one dimension the kernels read whole points. */
    const int64_t reach = tile_max(run->system.access_distance, d->dimensions == 1 ? (int64_t)d->radius * d->components : 1);
    t->shape = (tile_shape){.n = n, .halo = tile_round(tile_clip(reach, n), 4)};
    t->shape.block = kind == TILE_COLUMN_DIAMOND ? tile_max(t->shape.halo, 4 * (int64_t)workgroup) : t->shape.halo;
    int fit;
    if (o->dia_blocks) {
        fit = fits(kind, o, t, tile_round((int64_t)o->dia_blocks, 2), device, run->system.real_size);
    } else {
        fit = choose_by(kind, run, t, device, o->distribution && strcmp(o->distribution, "auto") ? o->distribution : "mult");
    }
    if (!fit) return fail_too_large(kind, run, t, device, error);
    t->steps_per_launch = tile_max(t->shape.cut, 1);
    return EULERCL_OK;
}

/* ---- traffic ---- */

static uint64_t length(tile_range r) { return r.begin < r.end ? (uint64_t)(r.end - r.begin) : 0; }

static uint64_t tile_traffic(const struct tiling *t, int64_t pass, int64_t steps, int64_t start) {
    const tile_shape s = t->shape;
    const int64_t middle = tile_middle(s, pass);
    uint64_t components = 0;
    tile_range before = tile_nothing(s);
    for (int64_t level = tile_first_level(s, pass); level <= tile_last_level(s, pass, steps); level++) {
        const tile_range row = tile_row(s, start, level - middle);
        const tile_ranges load = tile_load(s, row, before), store = tile_store(s, start, level - middle, level == steps, row);
        components += t->storage == TILE_GLOBAL ? length(tile_input(s, row)) + length(row)
                                                : length(load.left) + length(load.right) + length(store.left) + length(store.right);
        before = row;
    }
    return components;
}

uint64_t eulercl_tiling_traffic(const struct tiling *t, int64_t pass, int64_t steps, size_t real_size) {
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
