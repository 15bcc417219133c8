/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/registers.h - the tiles of cl-register: which kernel computes them, their shape and
 * steps, chosen from the options, the system and the device. A kernel is a file of this folder
 * that ends in a table, struct register_kernel. */
#ifndef EULERCL_SCHEDULE_REGISTERS_H
#define EULERCL_SCHEDULE_REGISTERS_H
#include "../../run/backend.h"
#ifndef TILE_INT
#define TILE_INT int64_t
#endif
#include "../overlap_geometry.h"

struct register_kernel;
struct register_settings; /* method_text.h */
struct register_work;     /* kernel.h, as the next two */
struct register_case;
struct register_search;

enum { PIPE_MOST_WARPS = 64 }; /* as tuning.def bounds workgroup_rows */

/* What makes a program and a launch, with all that the kernels' settings and arguments say. */
struct register_tile {
    const struct register_kernel *kernel;
    int64_t points, rows;     /* of an item; planes alone have more rows than 1 */
    int64_t items, item_rows; /* items in a row of the work-group, rows of items; a row of a
                                 pipeline is a warp */
    int64_t steps;            /* per launch, at most; levels are the method's stages to a step */
    int64_t exchange; /* levels between two exchanges of edges; only lines have more than 1 */
    struct cut cut;   /* how launches make a step; with several sections `steps` is 1 */
    int is_body;      /* the sections, but for a tail, are cut out of a body */
    int most_stages;  /* one program makes any section of any step, of so many stages at most; 0:
                         each has its own */
    int ptx;          /* the device understands NVIDIA's PTX, and may use it */
    int shuffle;      /* columns are exchanged by its shuffles */
    int persistent; /* all tiles run at once, and exchange what is spoiled every `steps` steps of a
                       launch */
    /* derived: */
    int64_t levels;                  /* of a launch */
    int64_t stages;                  /* of a step that its launches make */
    int64_t radius, halo, halo_down; /* in points */
    int64_t height;                  /* rows of a strip that a group stores, with its gaps */
    int64_t groups;
    int vector;                 /* reals that are loaded and stored at once */
    int unroll, unrolled_steps; /* stages of one shape, and steps, without a branch in between;
                                   of strips: unroll turns */
    uint64_t local_bytes;
    uint64_t loaded;     /* components per launch */
    double step_seconds; /* as predicted */
    /* of one kernel alone: */
    struct {
        int stage; /* points of an item that are copied at once */
    } line;
    struct {
        int buffers; /* sets of edges that take turns */
    } plane;
    struct {
        int apart; /* the rows of an item, in branches */
    } volume;
    struct {
        int64_t unit_groups; /* work-groups of a compute unit, asked for at most */
        int64_t gap;         /* rows of a gap between strips */
        int stores_midway;   /* in a turn */
        int ahead;           /* rows on their way */
    } pipeline;
};

/* The variants, in the order of backends.def: those of strips are the last ones. */
enum register_variant {
    REGISTER_AUTO,
    REGISTER_GROUP,
    REGISTER_GROUP_LOCAL,
    REGISTER_GROUP_ANY, /* one program for any number of stages */
    REGISTER_ANY_STREAM,
    REGISTER_ANY_PIPELINE
};

/* What a launch makes: whole steps, or one section of a step. */
struct register_section {
    const struct register_tile *tile;
    const struct body *body; /* that the section is cut out of; NULL: it is not */
    struct method stages;    /* with the arrays that they use */
    int ends_step;
};
/* The numbers in the step of a section's first stage and of the one behind its last. */
int64_t ecl_register_first_stage(const struct run *run, const struct register_section *section);
int64_t ecl_register_end_stage(const struct run *run, const struct register_section *section);

/* What the arguments of the kernels mean. */
enum register_argument {
    ARGUMENT_IN,
    ARGUMENT_OUT,
    ARGUMENT_TIMES,
    ARGUMENT_FIELDS,
    ARGUMENT_CONSTANTS,
    ARGUMENT_FACTORS,
    ARGUMENT_EXTENTS,
    ARGUMENT_HALO,
    ARGUMENT_HALO_DOWN,
    ARGUMENT_HEIGHT, /* of a strip: rows that a group stores */
    ARGUMENT_FIRST,  /* the first level's place in the table of times */
    ARGUMENT_STEPS,
    ARGUMENT_Y_BEGIN, /* the rows that a launch makes */
    ARGUMENT_Y_END,
    ARGUMENT_TOGETHER, /* steps between two exchanges of persistent tiles, what they exchange, the
                          number of the next exchange, and whether one failed */
    ARGUMENT_WORDS,
    ARGUMENT_TAG,
    ARGUMENT_FAILED,
    /* Every kernel has those that follow behind its own, where a section needs them. */
    ARGUMENT_CARRIED_IN, /* of one of several sections */
    ARGUMENT_CARRIED_OUT,
    ARGUMENT_SECTION, /* struct register_numbers, if there are any */
    ARGUMENT_FLUSHED, /* where a step ends: steps since the last flush, the errors' arguments */
    ARGUMENT_ERRORS,
    ARGUMENTS
};

/* A kernel in kernels/, the names of its texts behind those that all have, and its arguments, with
 * ARGUMENTS at the end. */
struct register_program {
    const char *name, *texts[2];
    enum register_argument arguments[ARGUMENTS + 1];
};

/* A section's argument of a kernel's own. */
struct register_numbers {
    int32_t values[8];
    int count;
};

/* How a launch that makes only so many rows is cut: work-groups, at most as many as tile->groups,
 * and rows and gaps of each. The gaps are those of the whole grid, because they stand in the
 * program. */
struct register_share {
    int64_t groups, height;
};

/* Which ends a vector of a row in global memory may cross. */
enum register_vectors {
    VECTORS_NONE,   /* there are none */
    VECTORS_INSIDE, /* those of no periodic grid */
    VECTORS_AROUND  /* all: each vector that is loaded is kept or not */
};

struct register_kernel {
    const char *name;
    enum register_variant variant, local_variant; /* with edges through local memory */
    enum register_vectors vectors;
    const double *compile_seconds; /* of a program */
    /* Of one that makes any section of any step; NULL: it has none. */
    double (*any_compile_seconds)(const struct system *system, const struct register_tile *);
    int has_rows, has_item_rows; /* more than one: tuning rows_per_item, workgroup_rows */
    int declares_more;           /* local memory than the device reports, if there is more */
    int holds_coefficients;      /* an item reads those of its points once in a launch */
    int makes_bodies; /* its launches can make stages of one shape, whatever they belong to */
    int (*is_applicable)(const struct system *system);
    /* Try all shapes of it that the options allow. */
    void (*try_all)(struct register_search *search);
    /* Find what follows on a grid of so many tiles or strips side by side: unroll, local_bytes,
     * groups, in `loaded` the points, and what only this kernel has. -> NULL, or what is wrong. */
    const char *(*complete)(
        const struct register_case *of, struct register_tile *tile, int64_t columns);
    /* 32-bit registers of an item, about what NVIDIA's compiler takes. */
    int64_t (*registers)(const struct register_case *of, const struct register_tile *tile);
    double (*seconds)(const struct register_work *work); /* of a launch */
    /* Points of a launch of so many levels. */
    uint64_t (*computed)(const struct system *system, const struct register_tile *, int64_t levels);
    /* Rows of all strips, each with `beyond` rows on either side as far as the grid goes; NULL:
     * the kernel's work-groups do not go down strips of the grid. */
    uint64_t (*rows)(const struct system *system, const struct register_tile *, int64_t beyond);
    /* NULL: launches make all rows. */
    struct register_share (*share)(
        const struct system *system, const struct register_tile *, int64_t rows);
    const struct register_program *(*program)(const struct register_tile *);
    /* The #defines that the program's texts read. `edge`: reals of one side of one row. */
    void (*settings)(const struct run *run, const struct register_section *section, int64_t edge,
        struct register_settings *settings);
    struct register_numbers (*numbers)(
        const struct run *run, const struct register_section *section); /* NULL: it has none */
};
#define REGISTER_KERNEL(NAME) extern const struct register_kernel ecl_register_##NAME;
#include "kernels.def"
#undef REGISTER_KERNEL
/* NULL at the end; tests set another list. */
extern const struct register_kernel *const *ecl_register_kernels;

static inline int register_is_strip(const struct register_kernel *kernel) {
    return kernel->rows != NULL;
}

/* Sets of words that take turns where tiles are persistent; see register_plane_persistent.cl. */
enum { REGISTER_EXCHANGE_SETS = 4 };

/* How often an item of persistent tiles looks for a value during a launch; for tests: 0 gives up at
 * once. */
extern int ecl_register_patience;

/* What a stage means for the items of a work-group: whether it reads neighbours, and whether it
   changes components that neighbours read. */
struct stage_edges {
    int reads, hands_over;
};
struct stage_edges ecl_registers_edges(const struct system *system, const struct stage *stage);

/* Whether one program can make any section of its steps. */
int ecl_registers_makes_any(const struct method *method);

/* Component-stages of launches with this tile for so many steps, at most `steps` of them; with
 * fewer, strips compute as much. */
uint64_t ecl_registers_computed(
    const struct system *system, const struct register_tile *tile, int64_t steps);

/* The variant by whose name a run is known that asked for this one and got the tile. */
enum register_variant ecl_registers_variant(
    const struct register_tile *tile, enum register_variant asked);

/* The best tile for the options; with a tail (tile->cut), that of the other sections. Errors:
 * UNSUPPORTED, in words. */
int ecl_registers_choose(const struct run *run, const eulercl_device_info *device,
    struct register_tile *tile, eulercl_error *error);
/* The best tile for the tail of such a one. Errors: UNSUPPORTED. */
int ecl_registers_choose_tail(const struct run *run, const eulercl_device_info *device,
    const struct register_tile *tile, struct register_tile *tail, eulercl_error *error);

/* The vtable's propose. */
int ecl_registers_propose(
    const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most);
#endif
