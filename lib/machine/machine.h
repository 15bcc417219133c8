/* SPDX-License-Identifier: BSD-2-Clause */
/* machine/machine.h - the numbers of machines that times are predicted with, one value each. Only
 * predictions and the choice of tiles use them, so no result depends on them. A device has one
 * table, a .def file of this folder, whose rows are `.name = value,`. To fit them to another
 * machine, measure as doc/results.md describes and write such a file. */
#ifndef EULERCL_MACHINE_H
#define EULERCL_MACHINE_H
#include <eulercl/ode_abi.h>
#include <stdint.h>

/* What a compute unit of a GPU has. */
enum {
    MACHINE_WARP = 32,                    /* items that issue together */
    MACHINE_SCHEDULERS = 4,               /* each issues for one warp in a cycle */
    MACHINE_UNIT_REGISTERS = 65536,       /* of 32 bits */
    MACHINE_UNIT_LOCAL_BYTES = 200 << 10, /* that the work-groups of a unit share */
    MACHINE_MOST_REGISTERS = 255,         /* of an item */
    MACHINE_BANK_BYTES = 128,             /* of all banks of local memory */
};

/* Loops of items that hold at most so many points stand so often in a text. */
struct machine_unrolled {
    int64_t points;
    int times;
};

/* A GPU. Other devices are scaled by their number of compute units. In what follows `words` are of
 * 32 bits, `cycles` are those of a scheduler, and a number without a unit is a factor. */
struct machine_gpu {
    double units;           /* compute units */
    double clock_rate;      /* cycles per second */
    double bandwidth;       /* bytes per second that a copy reads and writes in global memory */
    double cache_bytes;     /* arrays of so many bytes in all stay in the second cache, */
    double cache_bandwidth; /* and are read and written so fast */
    double latency_seconds; /* of a load from global memory that is busy */
    double bandwidth_share[ODE_MOST_AXES + 1]; /* what remains of it, by the rank of the grid */
    double launch_seconds;                     /* of a kernel */
    double argument_seconds; /* of setting the arguments of a kernel before each launch */
    double fetch_seconds;    /* to fetch some ten thousand instructions anew */
    double build_seconds;    /* from opening a device to the first step: context, queue, program */
    double exchange_seconds; /* of an exchange between work-groups, through global memory, */
    double word_seconds;     /* and of each word of it */
    double link_bytes;       /* per second between it and the host, each way while the other one is
                                in use, too */
    double rows_seconds;     /* of an exchange of rows between devices, whatever it moves */
    double copies_ns;        /* for the first load and the last store of a tile in local memory */
    /* Tiles of float in local memory: what is computed between two barriers (a row, or a block of a
     * column), and four components of it; `alone` is latency, `shared` is what the tiles on one
     * compute unit take from each other. Rows, columns; in one dimension, in two. */
    struct {
        double piece, alone, shared;
    } tile_ns[2][2];
    /* By how much global memory and registers of a column in place of local memory prolong what a
     * level costs at least, and what its vectors cost; in one dimension, in two. */
    struct {
        double piece, vectors;
    } tile_global[2], tile_column[2];
    double tile_double, tile_scalar; /* vectors of double; single components in place of vectors */
    int64_t tile_groups; /* work-groups with full local memory that a compute unit holds, at most */
    /* Single steps: items of a work-group, and by how much other variants and other work-groups
     * take longer. The factor of `chunked` grows with n, and is far higher where memory decides. */
    int64_t step_items;
    double step_items_64, step_items_256, step_strided, step_chunked;

    /* Instructions: of a math function, of a division, and of a component whose right-hand side is
     * not known as text. */
    double call_instructions, division_instructions, component_instructions;

    /* Lines and planes in registers whose groups follow one another. */
    struct {
        double hiding, hiding_warp; /* instructions take longer, and by this over the warps */
        double spilled;             /* an item takes all registers */
    } rounds;

    struct {
        int64_t words;           /* of the state and its halo that an item can hold */
        int64_t stage_bytes;     /* of local memory that copies of a state may take */
        int64_t other_registers; /* of an item, beside what follows */
        int64_t full_words;      /* of the state, from which on an item takes all registers */
        int64_t short_words;     /* of the state, up to which an item looks this far ahead */
        int64_t short_ahead;
        int64_t ahead_part, stages_ahead_part; /* the part of longer states, with several stages */
        struct machine_unrolled unrolled[4];   /* the first one with one stage alone */
        int64_t short_points, short_stages;    /* of an item; stages without a branch, at least */
        double other_instructions;             /* of a level */
        double serial; /* a step of so many stages of more than so many points is slower */
        int64_t serial_stages, serial_points;
        double load;                       /* instructions in float take longer */
        double middle_cycles, edge_cycles; /* to wait for an exchange, with points between the
                                              edges or without */
        double along_cycles;               /* in addition, where halos are computed along */
        double alone;                      /* instructions of a group that is alone take longer */
        double shown;                      /* part of the transfers that nothing hides */
    } line;

    struct {
        int64_t words;           /* of the state that an item can hold */
        int64_t other_registers; /* of an item */
        struct machine_unrolled unrolled[2];
        int64_t many_arrays,
            many_arrays_points;       /* in place of the first points, with more arrays */
        double other_instructions;    /* of a level */
        double shuffled, handed_over; /* instructions of a word of an edge, by shuffles or not */
        double busy;                  /* instructions of warps that share a scheduler take longer */
        double many_warps_cycles, two_warps_cycles, row_cycles; /* to wait for a row of an item:
            with many warps of a scheduler, with two and one component, else */
        double many_warps;                                      /* so many */
        double warp_cycles;                                     /* to wait for a warp */
        double alone, sections;            /* as for lines; with several sections in addition */
        int64_t fast_points, fast_rows;    /* shapes of an item that are not slower, with several */
        double fast_reals, slow_shape;     /* components, or so many reals; and all others */
        double fetched, flushed, compared; /* texts of several stages, flushes, errors */
        double tail_seconds;               /* of a launch */
        double shown, tail_shown, all_shown; /* part of the transfers that nothing hides: of several
                                                rounds, of a tail, of the first one */
    } plane;

    struct {
        int64_t words;     /* of the state that an item can hold beside what it computes with */
        int64_t registers; /* as estimated, which some must spill */
        int64_t other_registers, row_words;           /* of an item; rows of its points more */
        double many_carried;                          /* values of a component */
        int64_t carried_registers;                    /* that they take in addition */
        double turn_instructions, level_instructions; /* besides what the points take, */
        double edge_instructions;                     /* and for a word of an edge */
        double spilled_registers;                     /* from which on some are spilled */
        double issue, spilled, spilled_stages;        /* cycles of an instruction */
        double many_levels, fetched;  /* texts of several stages: levels; fewer of them */
        double few_reals, idle;       /* fewer reals of an item do too little */
        double many_warps, meeting;   /* more warps wait for each other */
        double flushed;               /* in float */
        double wide, many_components; /* radius more than 1, more than 2 components */
        double transfer;              /* where memory is the limit */
    } stream;

    struct {
        int64_t words;        /* of the rows that an item keeps, and of one more */
        int64_t easy_words;   /* of these with a row more for each level, up to which that fits */
        int64_t midway_words; /* of all rows that leave registers in the middle of a turn */
        int64_t conflicts;    /* items of a warp that may wait for one bank */
        int64_t warps;        /* of a compute unit that hide what each of them waits for */
        int64_t registers;    /* as estimated, beyond which some are spilled */
        int64_t other_registers, level_registers, component_registers; /* the last ones of a level,
                                                                          for each one above 2 */
        int64_t diagonal_part; /* of the registers in addition, with diagonal neighbours */
        /* Cycles of a turn: the turn itself, an instruction, a word of a row that comes and goes,
         * and that with one conflict more. */
        double turn_cycles, issue, word_cycles, conflict_cycles;
        double classes;                                 /* warps do not share a text */
        double single_moved, single;                    /* of one component: rows move, or not */
        double moved;                                   /* rows of several components move */
        double long_levels, long_alone, long_shared;    /* levels above so many */
        double stages;                                  /* fewer instructions than are counted */
        double stored, late;                            /* warps wait for a store; for a row */
        double groups;                                  /* groups hinder each other */
        double access;                                  /* accesses of fewer bytes */
        double spilled;                                 /* for each register that is spilled */
        double short_body, short_body_array, long_body; /* of fewer levels than so many */
        int64_t body_levels;
        double flushed, flushed_warps, flushed_long; /* in float: short rows or many registers; with
                                                        many warps; with few */
        double long_row;                             /* words */
        int64_t flushed_registers;
        double slow_ends;       /* of the turns that fill the levels, at ends of the grid */
        double filling, uneven; /* turns that fill the levels; rows of gaps */
        double alone;           /* nobody else works meanwhile */
        double transfer;
    } pipeline;
};
static const struct machine_gpu machine_gpu = {
#include "h200.def"
};

/* A core. A `_ns` is in nanoseconds. */
struct machine_core {
    /* Step after step from the cache, for a component in float: */
    double component_ns[ODE_MOST_AXES + 1]; /* by the rank of the grid; 0: general form */
    double call_ns;                         /* with a call for each component */
    double update_ns; /* and in addition for a stage that is more than an Euler step */
    /* In SIMD lanes, for a component in float: */
    double line_ns, plane_ns;
    double carried_ns;  /* and in addition for each carried value of it */
    double strip_ns;    /* to convert a component to lanes and back, once a round */
    double row_ns;      /* for a row of a plane */
    double exchange_ns; /* for a component that crosses from core to core */
    double meeting_ns;  /* for two threads to wait for each other */
    double memory_bytes_per_ns;
    double cores_that_fill_memory; /* more cores get no more of it */
    /* Tiles in SIMD lanes: */
    int64_t alone_steps, shared_steps; /* of lines in the cache: of one thread, of several */
    int64_t strip_bytes;               /* of a row of a strip */
    int64_t row_bytes;                 /* of the longest row that stays in lanes */
    int64_t staying_levels;            /* fewer are not worth that */
    int64_t least_levels, most_levels; /* of a plane, at a time */
    int64_t cached_levels;             /* at least, of a plane in the second cache */
    int64_t cached_rows, alone_rows, shared_rows; /* for a level: in that cache, of one thread, of
                                                     several */
    int64_t strip_levels;
    double cache_part; /* that the rows of all levels may take */
    double wider_part; /* of a tile of components that a round computes twice */
};
static const struct machine_core machine_core = {
#include "xeon.def"
};

/* Its caches; the second one where the system does not tell its size. */
enum { MACHINE_FIRST_CACHE = 48 << 10, MACHINE_SECOND_CACHE = 1 << 20 };
#endif
