/* SPDX-License-Identifier: BSD-2-Clause */
/* overlap_lanes.h - overlapped tiles for the threads of a processor: the order of
 * computation, the size of the tiles and the number of threads, chosen by predicted time. */
#ifndef EULERCL_SCHEDULE_OVERLAP_LANES_H
#define EULERCL_SCHEDULE_OVERLAP_LANES_H
#include "../run/backend.h"
#include "../method/method.h"
#include "step.h"

/* Orders of computation. */
enum cpu_kernel {
    CPU_STEPS, /* step after step over the whole state */
    CPU_TILES, /* tiles of components, in the plain layout: any right-hand side with a short access
                  distance */
    CPU_LINE,  /* SIMD lanes: tiles of a 1-D grid */
    CPU_PLANE  /* SIMD lanes: levels that follow each other down the rows of a 2-D grid, or along
                  the planes of a volume */
};

enum { CPU_MOST_ROWS = 8 }; /* the most rows of struct cpu_tiling */

struct cpu_tiling {
    enum cpu_kernel kernel;
    int64_t threads; /* threads that have work */
    /* the most steps of a round, between two meetings of neighbouring threads or two passes over
     * memory */
    int64_t steps;
    int64_t tile;   /* largest tile; CPU_TILES: components, CPU_LINE: points, CPU_PLANE: columns */
    int64_t rows;   /* CPU_PLANE: rows that a level computes in turn, 1 .. CPU_MOST_ROWS, and no
                     more than the rows of a plane, which may go round */
    int64_t height; /* CPU_PLANE: most rows of a plane in a tile; 0: the grid is a plane */
    int resident; /* lanes: each thread's part is one tile, and stays in that layout all the time */
    double step_seconds; /* predicted time of one of many steps */
};

/* Facts about the processor, from the engine. */
struct cpu_facts {
    int64_t cache_bytes; /* size of the cache that a core has for itself */
    int has_lanes;       /* the engine has code for the problem's SIMD lanes */
    struct step_costs costs;
};

/* Choose the best tiling for at most `threads` threads. Returns whether it is one that the variant
 * (NULL: any) and the options ask for; if not, it has a plainer order of computation. */
int ecl_cpu_choose(const struct system *system, const eulercl_options *options,
    const struct cpu_facts *facts, const char *variant, int64_t threads, struct cpu_tiling *tiling);
/* The predicted time of a step if this many follow one another; 0: many do. */
double ecl_cpu_seconds(const struct system *system, const struct cpu_facts *facts,
    const struct cpu_tiling *tiling, int64_t steps);
/* Why a tiling is not what was asked for. Errors: UNSUPPORTED. */
int ecl_cpu_refuse(const struct system *system, const eulercl_options *options,
    const struct cpu_facts *facts, const char *variant, eulercl_error *error);

/* Whether the lanes' code for Euler steps computes the system's method; their code for a stage
 * computes any. */
static inline int ecl_is_swept(const struct system *system) {
    return ecl_is_euler_step(system->method);
}
/* Levels of a round at most. */
static inline int64_t ecl_most_levels(
    const struct system *system, const struct cpu_tiling *tiling) {
    return tiling->steps * system->method->stages;
}
/* CPU_PLANE: rows of a plane from the row that a level writes to the row of the level before it
 * whose memory it takes. The rows that are computed together with it do not read that row. */
static inline int64_t ecl_rows_apart(const struct system *system) {
    return (int64_t)system->definition->grid.radius + (ecl_is_swept(system) ? ODE_STEP_ROWS : 1);
}
/* CPU_PLANE: whether the state stays in the layout of lanes between two rounds, in its own memory:
 * tiles have whole rows, and each lane has as many points of a row. */
static inline int ecl_stays_in_lanes(const struct system *system, const struct cpu_tiling *tiling) {
    const int64_t nx = system->context.grid.extents[0];
    return !tiling->resident && tiling->tile >= nx && nx % system->kernels->lanes == 0;
}
#endif
