/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/kernel.h - what the files of the register kernels share: the costs of a method, what a
 * shape and its predicted time follow from, and the search that tries shapes. */
#ifndef EULERCL_SCHEDULE_REGISTERS_KERNEL_H
#define EULERCL_SCHEDULE_REGISTERS_KERNEL_H
#include "registers.h"
#include "../../int.h"
#include "../../machine/machine.h"
#include "../../problem/grid.h"
#include <math.h>

/* ---- what follows from the method (costs.c) ---- */

/* What the search needs to know of a method, or of some of the sections into which a step is cut:
 * of the longest one. */
struct method_costs {
    struct cut cut;
    int launches;                       /* for a step: the sections */
    int is_body;                        /* their stages have one shape: ecl_find_body */
    int is_star;                        /* of the problem: no diagonal neighbours */
    int64_t stages, all_stages, arrays; /* of a section, of all of them */
    int64_t enters, leaves;             /* carried values that come from memory and go there */
    int64_t depth[2];   /* radii from a tile's end that a first step spoils, and each further one */
    double evaluations; /* of the right-hand side, per stage */
    double updates;     /* instructions for a component besides, per stage */
    double live;        /* carried values of a component between two stages */
    double live_in_stream; /* of these, those that its levels do not hold anyway */
    int64_t factors;       /* bytes of the coefficients */
};
/* The costs of the sections from..end-1. */
struct method_costs ecl_register_costs(
    const struct system *system, struct cut cut, int from, int end);

/* Instructions for a point, counted in the preprocessed text of the right-hand side. */
struct register_operations {
    double each_level; /* floating-point operations but for the next ones */
    double of_fields;  /* those of means, in texts that read fields */
    double reads;      /* what it takes to read fields and marks from memory */
};
struct register_operations ecl_register_operations(const struct ode_problem *definition);

/* ---- what follows from a shape (tile.c) ---- */

/* What tiles are tried for. */
struct register_case {
    const struct run *run;
    const eulercl_device_info *device;
    struct method_costs costs;
    double point;         /* instructions of a stage, for a point, if it reads coefficients */
    double coefficients;  /* of these, those that make or read them */
    int reads_neighbours; /* a text reads fields of neighbours */
};

#define REGISTER_TOO_MUCH "an item holds more than fits into registers"
#define REGISTER_TOO_MANY "there are more tiles than a launch can have"

/* Find all that follows from kernel, points, rows, items, item_rows, steps, exchange, ptx, shuffle
 * and unit_groups, and from the costs. -> NULL, or what is wrong with them. */
const char *ecl_register_complete(const struct register_case *of, struct register_tile *tile);

static inline int is_plane(const struct system *s) { return grid_is_plane(&s->definition->grid); }

/* 32-bit words of a point. */
static inline int64_t register_words(const struct system *s) {
    return (int64_t)s->real_size / 4 * s->definition->grid.components;
}

/* 32-bit words of the carried values beside so many words of the solution. */
static inline int64_t carried_words(int64_t words, double live) {
    return (int64_t)ceil((double)words * live);
}

static inline overlap_line across_of(const struct system *s, const struct register_tile *t) {
    return (overlap_line){.n = s->context.grid.extents[0],
        .tile = t->points * t->items,
        .halo = t->halo,
        .periodic = grid_is_periodic(&s->context.grid, 0)};
}

/* -> NULL, or what is wrong. */
const char *ecl_register_misfit(overlap_line line);

int64_t ecl_register_radius(const struct system *system);

static inline int has_ptx(const eulercl_device_info *device) {
    return device->is_gpu && strstr(device->platform, "NVIDIA");
}

/* PTX with asynchronous copies to local memory. */
static inline int has_copies(const eulercl_device_info *device) {
    return has_ptx(device) && device->compute_capability >= 80;
}

/* Local memory that a work-group can declare, of a device which reports less; whoever uses it tries
 * it out before. */
static inline uint64_t declared_bytes(const eulercl_device_info *device) {
    static const struct {
        uint32_t capability;
        uint64_t bytes;
    } known[] = {{80, 163 << 10}, {87, 163 << 10}, {86, 99 << 10}, {89, 99 << 10}, {90, 227 << 10},
        {100, 227 << 10}};
    for (size_t i = 0; has_copies(device) && i < sizeof known / sizeof *known; i++)
        if (known[i].capability == device->compute_capability) return known[i].bytes;
    return device->local_bytes;
}

/* How often a loop's body stands in the text, of `most`. Long texts are for the registers of GPUs:
   compilers for processors need minutes for some, and PoCL computes wrong values in others
   (doc/design/registers.md). */
static inline int unrolled(const eulercl_device_info *device, int most) {
    return device->is_gpu ? most : 1;
}

/* Steps without a branch in between. With an even number of stages it is known in the text which
   edges are which; but the text must fit into the cache for instructions: it has at most so many
   stages. */
int ecl_register_unrolled_steps(int unroll, int64_t stages, int64_t most);

/* How many work-groups a unit can hold at once; how many it holds. */
int64_t ecl_register_most_resident(
    const struct register_case *of, const struct register_tile *tile);
int64_t ecl_register_resident(const struct register_case *of, const struct register_tile *tile);

/* Work-groups that run at once, or as many as are asked for. */
int64_t ecl_register_groups_wanted(
    const struct register_case *of, const struct register_tile *tile);

/* Rows of a strip, or planes of a volume, that all stretches of `height` of them have together,
 * with so many beyond either end as far as the grid goes. */
uint64_t ecl_register_stretches(
    const struct system *system, const struct register_tile *tile, int64_t beyond);

/* For the tables of strips. All levels work, those beyond the steps in vain. */
uint64_t ecl_register_strips_computed(
    const struct system *system, const struct register_tile *tile, int64_t levels);

/* ---- how long it takes ---- */

/* What the predictions are made of: a tile, and what runs at once. */
struct register_work {
    const struct register_case *of;
    const struct register_tile *tile;
    double components, word; /* of a point; 32-bit words of a real */
    double point;            /* instructions for a point */
    double points, levels;   /* of an item; of a launch */
    double stages, arrays;   /* of a step; of the method */
    double warps;            /* of a group */
    double shared;           /* words that an item hands over at an end of a row */
    double units;            /* compute units */
    double groups, held;     /* per compute unit: of the launch, at once */
    double registers;        /* of an item */
    double arrays_bytes;     /* of the arrays that a launch reads and writes */
    double bytes, transfer;  /* all that is loaded and stored, and its seconds */
    double fields;           /* seconds of them that fields take */
    int flushes;             /* tiny values */
    int is_body, is_tail;    /* the sections are those of a body, the one behind it */
};
/* tile.c: seconds of a step. */
double ecl_register_predict(const struct register_case *of, const struct register_tile *tile);

static inline double transfer_seconds(double bytes, double bandwidth, double units) {
    return bytes / (bandwidth * units / machine_gpu.units);
}

/* rounds.c: kernels whose groups are all alike. They run at once, or in rounds. */
struct register_rounds {
    double issue, busy; /* instructions of a warp in a level; they take longer if warps share a
                           scheduler */
    double one;         /* cycles of a level, of a group alone on its unit */
    double fullest;     /* the most warps of a scheduler where all groups run at once */
    double crowding;    /* by how much longer instructions take where groups follow one another */
    double slower;      /* and all */
    double fixed;       /* seconds of a launch */
    double shown;       /* part of the transfers that nothing hides */
};
double ecl_register_rounds(const struct register_work *work, const struct register_rounds *rounds);
/* What a scheduler has of a group that is alone on its unit: between an even share of the warps,
 * and whole ones. */
double ecl_register_alone(const struct register_work *work);
/* By how much too few warps to hide what each waits for slow each other, or warps that are unevenly
 * spread, or an item with too few registers. */
double ecl_register_hiding(const struct register_work *work);
double ecl_register_imbalance(const struct register_work *work);
double ecl_register_spilling(const struct register_work *work);
/* Rounds, but for the last one. */
static inline double whole_rounds(const struct register_work *w) {
    return floor(w->groups / w->held);
}

/* ---- the search (search.c) ---- */

enum { MOST_TILES = 8, MOST_BODY_LEVELS = 32, MOST_LAUNCH_LEVELS = 1024, MOST_ANY_STAGES = 16 };

struct register_search {
    struct register_case of;
    enum register_variant variant;
    /* What is read from the text, which takes long: of a point, and whether it reads no diagonal
     * neighbours, and fields of others. */
    struct register_operations operations;
    int is_star, reads_neighbours;
    const struct body *body; /* NULL: launches make whole steps, or equal sections */
    double tail_seconds[MOST_BODY_LEVELS + 1]; /* by the tail's stages; 0: not known yet */
    double added;                              /* seconds of the tail */
    struct register_tile best[MOST_TILES];
    int count, most;
    /* Why the last one with the fewest steps did not fit, or none can: fewer steps need less of
     * everything. */
    const char *wrong;
    int64_t wrong_steps; /* 0: none was tried yet */
    char limit[160];
};

/* -> whether it fits. */
int ecl_register_try(struct register_search *search, struct register_tile tile);

/* Launches of so many stages of the body, and a tail for the rest, if there is one. -> whether
 * there are any. */
int ecl_register_cut_body(struct register_search *search, int64_t levels);

/* The lists of what is tried, 0 at the end; what the options give stands instead. */
static inline const int64_t *given_or(int64_t given, const int64_t *list, int64_t own[2]) {
    own[0] = given;
    own[1] = 0;
    return given ? own : list;
}

/* 0: any number. */
static inline int64_t steps_wanted(const struct register_search *search) {
    return search->of.costs.cut.sections > 1 ? 1
                                             : TUNED(&search->of.run->options, steps_per_launch);
}
#endif
