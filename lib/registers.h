/* registers.h - the choice of a tile in registers, for cl-register: kernel, shape and steps, from the options, the system and the device. */
#ifndef EULERCL_REGISTERS_H
#define EULERCL_REGISTERS_H
#include "backend.h"
#ifndef TILE_INT
#define TILE_INT int64_t
#endif
#include "overlap.h"

enum register_kernel { REGISTER_LINE, REGISTER_PLANE, REGISTER_STREAM };

/* All that makes a program and a launch; see the kernels' settings. */
struct register_tile {
    enum register_kernel kernel;
    int64_t points, rows;          /* of an item; rows: 1 but for REGISTER_PLANE */
    int64_t items, item_rows;      /* of a work-group; REGISTER_STREAM: item_rows are bands */
    int64_t steps;                 /* per launch, at most */
    int64_t exchange;              /* REGISTER_LINE: steps between two exchanges of edges */
    /* derived: */
    int64_t radius, halo, halo_down;       /* in points */
    int64_t height;                /* REGISTER_STREAM: rows that a group stores */
    int64_t groups;
    int stage, vector, buffers, shuffle;
    uint64_t local_bytes;
    double step_seconds;           /* as predicted */
};

extern const char *const eulercl_register_variants[];      /* by run->variant: "auto", then by kind of kernel */

/* What the problem's text says about itself, found by the OpenCL room. */
struct register_traits { int is_star, knows_time; };

/* A tile for the options. Errors: UNSUPPORTED, INVALID. */
int eulercl_registers_choose(const struct run *run, const eulercl_device_info *device, int can_shuffle, struct register_tile *tile, eulercl_error *error);

/* The lines of the grid as the tile covers them: across, and down (one point where there are no rows). */
overlap_line eulercl_registers_across(const struct system *system, const struct register_tile *tile);
overlap_line eulercl_registers_down(const struct system *system, const struct register_tile *tile);
#endif
