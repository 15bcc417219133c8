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
    double open_seconds;     /* from the call to a queue on the device, without programs */
    double load_seconds;     /* of a program that the driver has compiled before */
    /* Of a program of single Euler steps, of single steps in stages, of tiles in local memory. */
    double step_compile_seconds, stages_compile_seconds, tile_compile_seconds;
    double exp_compile_seconds; /* and in addition for a call of exp, in registers: 0.03 to 0.3 */
    double open_programs; /* that a run to a tolerance needs whose method is chosen, if each serves
                             all numbers of stages */
    double tolerance_programs; /* that a method with a choice of stages needs for a run to a
                                  tolerance, where a program has a fixed number of stages */
    double exchange_seconds;   /* of an exchange between work-groups, through global memory, */
    double word_seconds;       /* and of each word of it */
    double link_bytes;   /* per second between it and the host, each way while the other one is
                            in use, too */
    double rows_seconds; /* of an exchange of rows between devices, whatever it moves */
    double copies_ns;    /* for the first load and the last store of a tile in local memory */
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

    /* Instructions: of sqrt and the like, of exp, in double by a factor, of a division, and of a
     * component whose right-hand side is not known as text. */
    double call_instructions, exp_instructions, wide_exp, division_instructions,
        component_instructions;
    /* To read a field at a point in each level, or also at its neighbours; a point's marks; and to
     * test whether a face is open. */
    double field_instructions, neighbour_field_instructions, marks_instructions, test_instructions;

    /* Kernels in registers whose groups follow one another: lines and planes. */
    struct {
        /* Instructions take `hiding` times as long, plus `hiding_warp` over the warps of a
         * scheduler, because too few warps hide what each of them waits for. */
        double hiding, hiding_warp;
        double spilled; /* An item that takes all registers is slower by this factor. */
        double shown;   /* This part of the transfers is not hidden. */
    } rounds;

    struct {
        int64_t words;       /* An item holds at most so many of the state and its halo. */
        int64_t stage_bytes; /* Copies of a state take at most so much local memory. */
        /* An item takes all registers from `full_words` of the state on. Below that it takes the
         * state, a part of it again to look ahead (with several stages another part), and others.
         */
        int64_t full_words, ahead_part, stages_ahead_part, other_registers;
        struct machine_unrolled unrolled[4]; /* The first row is for methods of one stage. */
        /* Items of at most so many points have at least so many stages without a branch. */
        int64_t short_points, short_stages;
        double other_instructions; /* A level has these besides those of its points. */
        double load;               /* Instructions in float take longer by this factor. */
        /* A group waits so long for an exchange if an item has points between its edges, or if it
         * has none; and longer, if halos are computed along. */
        double middle_cycles, edge_cycles, along_cycles;
        double alone; /* Instructions take longer by this factor if a unit holds one group. */
        double compile_seconds; /* of a program */
    } line;

    struct {
        int64_t words;           /* An item holds at most so many of the state. */
        int64_t other_registers; /* An item takes these besides its state and edges. */
        /* Methods of more than `many_arrays` arrays have another first row. */
        struct machine_unrolled unrolled[2];
        int64_t many_arrays, many_arrays_points;
        int64_t held_words;           /* and of the state and its coefficients */
        double other_instructions;    /* A level has these besides those of its points. */
        double shuffled, handed_over; /* instructions of a word of an edge: by shuffles, or not */
        double busy; /* Instructions take longer by this factor if warps share a scheduler. */
        /* A group waits so long for each row of an item, less with more than `many_warps` of a
         * scheduler, and less with one component and two warps. */
        double row_cycles, many_warps_cycles, many_warps, two_warps_cycles;
        double warp_cycles;     /* A group waits so long for each of its warps. */
        double alone;           /* as of lines */
        double sections;        /* Such a group is slower by this factor in sections of a step. */
        double slow_shape;      /* All shapes but some are slower by this factor. */
        double fetched;         /* Texts of several stages are slower by this factor. */
        double tail_seconds;    /* of a launch of a tail */
        double compile_seconds; /* of a program */
        /* One program for any number of stages: an item holds at most so many values of the state,
         * because the compiler takes some time, and more for each value and shape of a stage. */
        int64_t any_values;
        double any_compile_seconds, any_value_compile_seconds;
        double any_shape; /* Each shape above three makes its launches longer by this part. */
    } plane;

    struct {
        int64_t words;     /* An item holds at most so many besides what it computes with. */
        int64_t registers; /* An item has at most so many by the estimate; some are spilled. */
        int64_t row_words; /* An item holds so many rows of its points more than its levels need. */
        int64_t other_registers;
        /* With more carried values of a component than this an item takes more registers. */
        double many_carried;
        int64_t carried_registers;
        /* A turn, a level and a word of an edge have these besides the instructions of points. */
        double turn_instructions, level_instructions, edge_instructions;
        double issue; /* cycles of an instruction; from so many registers on it takes more, */
        double spilled_registers, spilled, spilled_stages; /* less so with several stages */
        /* Texts of several stages are faster by this factor up to so many levels. */
        double fetched, many_levels;
        /* Items of fewer reals do too little between two barriers, and are slower. */
        double few_reals, idle;
        double many_warps, meeting; /* More warps wait for each other, and are slower. */
        double flushed;             /* A flush of tiny values in float costs this factor. */
        double wide;                /* So does a radius above 1, */
        double many_components;     /* and so do more than two components. */
        double transfer;            /* Where memory is the limit, it takes longer than a copy. */
        double compile_seconds;     /* of a program */
    } stream;

    struct {
        int64_t words;        /* An item keeps at most so many in its rows, and in one row more. */
        int64_t easy_words;   /* Up to so many, each level has a row more in place of copies. */
        int64_t midway_words; /* Rows of so many leave registers for a store in mid-turn. */
        int64_t conflicts;    /* So many items of a warp may wait for one bank. */
        int64_t warps; /* So many warps of a compute unit hide what each of them waits for. */
        /* An item takes `other_registers`, and for each level some, and for each component above
         * two some, and with diagonal neighbours one part in `diagonal_part` of all. Those above
         * `registers` are spilled. */
        int64_t other_registers, level_registers, component_registers, diagonal_part, registers;
        /* A turn takes `turn_cycles`, `issue` for each instruction, `word_cycles` for each word of
         * a row that comes and goes, and `conflict_cycles` more for each conflict. */
        double turn_cycles, issue, word_cycles, conflict_cycles;
        double classes;              /* Warps with several texts are slower. */
        double single, single_moved; /* Rows of one component stay in place, or are moved. */
        double moved;                /* Rows of several components are moved. */
        /* Turns of more levels are slower by this for each: a group alone on a unit, or not. */
        double long_levels, long_alone, long_shared;
        double stages;  /* Several stages have fewer instructions than are counted. */
        double stored;  /* Warps wait for a store at the end of a turn. */
        double late;    /* Warps wait for a row that was asked for one turn early. */
        double groups;  /* Groups of a unit hinder each other. */
        double access;  /* Accesses of fewer than 16 bytes are slower. */
        double spilled; /* Each register that is spilled adds this part. */
        /* Sections of a body: warps of fewer levels than this, for each array, and of as many. */
        int64_t body_levels;
        double short_body_array, long_body;
        /* A flush of tiny values in float costs a factor, and less in rows of more words, if an
         * item has few registers. */
        double flushed, flushed_long, long_row;
        int64_t flushed_registers;
        double slow_ends;       /* Turns that fill the levels are slower at the ends of a grid. */
        double filling;         /* Turns that fill the levels are slower. */
        double uneven;          /* Parts of two strips lose this part of a gap. */
        double transfer;        /* All that is loaded and stored takes longer than a copy. */
        double compile_seconds; /* of a program */
    } pipeline;

    struct {
        int64_t words;      /* An item keeps at most so many in its planes; */
        int64_t easy_words; /* its rows are kept apart if there are more than so many. */
        int64_t other_registers;
        /* Instructions besides those of the points: of each word of a point, of a level, of a turn,
         * and of each copy from global memory, of which those round a ring take more. */
        double point_instructions, level_instructions, turn_instructions;
        double copy_instructions, ring_copy_instructions;
        double issue;              /* cycles of an instruction */
        double several_components; /* Several components give a scheduler more to choose from. */
        /* In float they take longer where an item's row has wide_row words or more, or its planes
         * easy_words or more. */
        double wide_row, wide, full;
        double apart;           /* Rows that are kept apart need copies. */
        double transfer;        /* All that is loaded and stored takes longer than a copy. */
        double compile_seconds; /* of a program */
    } volume;
};
static const struct machine_gpu machine_gpu = {
#include "h200.def"
};

/* A core. A `_ns` is in nanoseconds. */
struct machine_core {
    /* Step after step from the cache, for a component in float: */
    double component_ns[ODE_MOST_AXES + 1]; /* by the rank of the grid; 0: general form */
    double call_ns;                         /* with a call for each component */
    double remainder_ns;                    /* and in addition for a remainder of indices */
    double exp_ns;    /* and in addition for a call of exp at a point of a grid */
    double update_ns; /* and in addition for a stage that is more than an Euler step */
    /* In SIMD lanes, for a component in float: */
    double line_ns, plane_ns, volume_ns;
    double carried_ns;    /* and in addition for each carried value of it */
    double field_ns;      /* and in addition for each field that the text of a point reads, */
    double marks_ns;      /* or if it reads marks */
    double strip_ns;      /* to convert a component to lanes and back, once a round, */
    double copy_ns;       /* or to copy it where it stays in lanes */
    double row_ns;        /* for a row of a plane, */
    double volume_row_ns; /* of a volume */
    double exchange_ns;   /* for a component that crosses from core to core */
    double meeting_ns;    /* for two threads to wait for each other */
    /* Two threads that share a core are in each other's way in the second cache if each fills more
     * of it than a part, and completely so from another part on. */
    double shared_part, full_part;
    /* Float operations in a nanosecond, as the measurement of rates counts them (cpu/ceilings.c):
     * on what is in the first cache, on what fills the second one. */
    double compute_per_ns, cache_per_ns;
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
