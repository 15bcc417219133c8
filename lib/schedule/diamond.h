/* SPDX-License-Identifier: BSD-2-Clause */
/* diamond.h - diamonds and honeycombs: the choice of a tile: storage, size and cut-off,
 * from the options, the system and the device. */
#ifndef EULERCL_SCHEDULE_DIAMOND_H
#define EULERCL_SCHEDULE_DIAMOND_H
#include "../run/backend.h"
#define TILE_INT int64_t
#include "diamond_geometry.h"

enum tile_kind { TILE_ROW_DIAMOND, TILE_COLUMN_DIAMOND, TILE_HONEYCOMB };
/* Storages, numbered as in kernels/tile.cl and in the order of the choices in tuning.def. */
enum tile_storage { TILE_LOCAL, TILE_GLOBAL, TILE_COLUMN };

struct tiling {
    tile_shape shape;
    enum tile_storage storage;
    /* "mult", "add" or "corr"; "" if dia_blocks was given or the thesis's rules do not apply */
    const char *distribution;
    int64_t levels_per_launch;
    size_t workgroup;
    uint64_t local_bytes;
    double predicted_ns; /* predicted time of a step, to compare tiles of one kind */
};

/* The storage that the options ask for or the kind's own. Errors: INVALID, UNSUPPORTED (the system
 * has no tiles). */
int ecl_diamond_storage(
    enum tile_kind kind, const struct run *run, enum tile_storage *storage, eulercl_error *error);

/* Whether indices of 32 bits do: so for every tile that ecl_diamond_choose chooses for n
 * components. */
int ecl_diamond_is_narrow(int64_t n);
/* the number of components from which on they do not; tests change it */
extern int64_t ecl_diamond_wide_from;

/* A tile, and the items of a work-group. Errors: UNSUPPORTED (what it needs, what there is, which
 * backend would do). */
int ecl_diamond_choose(enum tile_kind kind, const struct run *run,
    const eulercl_device_info *device, struct tiling *tiling, eulercl_error *error);

/* Propose the best tiles in every storage, and the variant scalar, for the vtable's propose. */
int ecl_diamond_propose(enum tile_kind kind, const struct run *run,
    const eulercl_device_info *device, struct proposal *proposals, int most);

/* The items of a work-group, as far as they are known without a device. */
size_t ecl_diamond_workgroup(const eulercl_options *options);

/* Bytes that the tiles of one pass load from global memory and store there, by real_size. */
uint64_t ecl_diamond_traffic(
    const struct tiling *tiling, int64_t pass, int64_t steps, size_t real_size);
#endif
