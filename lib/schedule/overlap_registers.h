/* SPDX-License-Identifier: BSD-2-Clause */
/* schedule/overlap_registers.h - the choice of a tile in registers, for cl-register: kernel, shape
 * and steps, from the options, the system and the device. */
#ifndef EULERCL_SCHEDULE_OVERLAP_REGISTERS_H
#define EULERCL_SCHEDULE_OVERLAP_REGISTERS_H
#include "../run/backend.h"
#ifndef TILE_INT
#define TILE_INT int64_t
#endif
#include "overlap_geometry.h"

enum register_kernel { REGISTER_LINE, REGISTER_PLANE, REGISTER_STREAM, REGISTER_PIPELINE };

enum { PIPE_MOST_WARPS = 64 }; /* as tuning.def bounds workgroup_rows */

/* All that makes a program and a launch; see the kernels' settings. */
struct register_tile {
    enum register_kernel kernel;
    int64_t points, rows;     /* of an item; rows: 1 but for REGISTER_PLANE */
    int64_t items, item_rows; /* items in a row of the work-group, rows of items; of
                                 REGISTER_PIPELINE a row is a warp */
    int64_t steps;            /* per launch, at most; levels are the method's stages to a step */
    struct cut cut;           /* how launches make a step; with several sections `steps` is 1 */
    int is_body;              /* the sections, but for a tail, are cut out of a body */
    int64_t exchange;         /* REGISTER_LINE: levels between two exchanges of edges; else 1 */
    int ptx;                  /* the device understands NVIDIA's PTX, and may use it */
    int shuffle;              /* REGISTER_PLANE, REGISTER_PIPELINE: columns by its shuffles */
    int64_t unit_groups; /* REGISTER_PIPELINE: work-groups of a compute unit, asked for at most;
                            else 0 */
    int persistent; /* REGISTER_PLANE: all tiles run at once, and exchange what is spoiled every
                       `steps` steps of a launch */
    /* derived: */
    int64_t levels;                  /* of a launch */
    int64_t stages;                  /* of a step that its launches make */
    int64_t radius, halo, halo_down; /* in points */
    int64_t height;                  /* REGISTER_STREAM: rows that a group stores; of
                                        REGISTER_PIPELINE with gaps between strips */
    int64_t gap;                     /* REGISTER_PIPELINE: rows of a gap */
    int stores_midway;               /* REGISTER_PIPELINE: in a turn */
    int ahead;                       /* REGISTER_PIPELINE: rows on their way */
    int64_t groups;
    int stage, vector, buffers;
    int unroll, unrolled_steps; /* stages of one shape, and steps, without a branch in between;
                                   of strips: unroll turns */
    uint64_t local_bytes;
    uint64_t loaded;     /* components per launch */
    double step_seconds; /* as predicted */
};

/* The variants, in the order of backends.def. */
enum register_variant {
    REGISTER_AUTO,
    REGISTER_GROUP,
    REGISTER_GROUP_LOCAL,
    REGISTER_ANY_STREAM,
    REGISTER_ANY_PIPELINE
};

/* Whether a tile's work-groups go down strips of the grid. */
static inline int register_is_strip(enum register_kernel kernel) {
    return kernel == REGISTER_STREAM || kernel == REGISTER_PIPELINE;
}

/* How often an item of persistent tiles looks for a value during a launch; for tests: 0 gives up at
 * once. */
extern int ecl_register_patience;

/* What a stage means for the items of a work-group: whether it reads neighbours, and whether it
   changes components that neighbours read. */
struct stage_edges {
    int reads, hands_over;
};
struct stage_edges ecl_registers_edges(const struct system *system, const struct stage *stage);

/* Component-stages of launches with this tile for so many steps, at most `steps` of them; with
 * fewer, variants stream and pipeline compute as much. */
uint64_t ecl_registers_computed(
    const struct system *system, const struct register_tile *tile, int64_t steps);

/* How a launch of REGISTER_PIPELINE that makes only so many rows is cut: work-groups, at most as
 * many as tile->groups, and rows and gaps of each. The gaps are those of the whole grid, because
 * they stand in the program. */
struct register_share {
    int64_t groups, height;
};
struct register_share ecl_registers_share(
    const struct system *system, const struct register_tile *tile, int64_t rows);

/* The best tile for the options; with a tail (tile->cut), that of the other sections. Errors:
 * UNSUPPORTED, in words. */
int ecl_registers_choose(const struct run *run, const eulercl_device_info *device,
    struct register_tile *tile, eulercl_error *error);
/* The best tile for the tail of such a one. Errors: UNSUPPORTED. */
int ecl_registers_choose_tail(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *tile, struct register_tile *tail, eulercl_error *error);

/* As the vtable's propose. */
int ecl_registers_propose(
    const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most);
#endif
