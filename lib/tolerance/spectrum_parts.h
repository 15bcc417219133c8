/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum_parts.h - what the files of the spectrum share: spectrum.c, spectrum_scales.c,
 * spectrum_local.c. */
#ifndef EULERCL_SPECTRUM_PARTS_H
#define EULERCL_SPECTRUM_PARTS_H
#include "spectrum.h"
#include "eigen.h"
#include "../reals.h"
#include <math.h>

struct value {
    double complex lambda;
    double accuracy;
}; /* accuracy: norm of the residual */

/* Each unknown (component of a point) has a unit of its own. So everything is computed for the
 * unknowns over their scales, whose Jacobian has the same eigenvalues. */
struct spectrum {
    const struct system *system;
    double t, relative; /* the time, and the size of differences relative to the scales */
    int64_t unknowns;
    /* the greatest magnitude of each unknown in the components that are looked at */
    double *sizes;
    double *slopes; /* the greatest magnitude of its derivative, if the unknown is 0 */
    double *scales;
    int has_small;   /* there are small unknowns; is_better_scaled looks for their scales */
    double greatest; /* the greatest size, which is their first scale */
    double radius;   /* the smallest spectral radius so far */
    double *best;    /* the scales of the pass with that radius */
    int passes;
    enum { AS_OTHERS, AS_OWN, IDLE, LAST } phase;
    char *y, *in;         /* n reals each; y is the caller's, and so are the values of `in` outside
                             the window */
    char *ahead, *behind; /* f of the window at states that are shifted ahead and back */
    /* What y points into, if it is not the caller's: a state, or `span` reals for each of some
     * points. NULL: not made. */
    char *whole, *parts;
    int64_t span;
    int64_t first, length; /* the window's components */
    struct value *values;
    int64_t count, room;
    double evaluated; /* components */
    int64_t global;   /* the first of the values are from Arnoldi's method */
};

static inline double spectrum_get(const struct spectrum *s, const void *y, int64_t i) {
    return real_get(y, i, s->system->real_size);
}

static inline void spectrum_set(const struct spectrum *s, void *y, int64_t i, double value) {
    real_set(y, i, s->system->real_size, value);
}

static inline void spectrum_add(struct spectrum *s, double complex lambda, double accuracy) {
    if (s->count < s->room) s->values[s->count++] = (struct value){lambda, accuracy};
}

/* Let *seen be the greatest magnitude that was seen; NaN stays. */
static inline void spectrum_see(double *seen, double value) {
    if (!(fabs(value) <= *seen) && !isnan(*seen)) *seen = fabs(value);
}

/* spectrum_scales.c. Settle the scales after all sizes were seen. -> whether slopes are needed. */
int ecl_spectrum_settle_scales(struct spectrum *s);
/* Returns whether the values must be computed once more, with other scales of small unknowns. */
int ecl_spectrum_is_better_scaled(struct spectrum *s, double radius);

/* spectrum_local.c: Fourier analysis. */

/* The wave numbers and points of Fourier analysis on a grid. */
struct fourier {
    const struct ode_grid *grid;
    int64_t inner[ODE_MOST_AXES];       /* points along each axis whose stencil lies inside */
    int64_t waves[ODE_MOST_AXES];       /* wave numbers of each axis; 0 .. most along x */
    int64_t lowest_wave[ODE_MOST_AXES]; /* -most .. most along the others */
    int64_t all_inner, all_waves;
    double most_waves;
};
/* Fourier analysis with every `every`-th wave number. */
struct fourier ecl_spectrum_fourier(const struct ode_grid *grid, int every);
/* The most values that ecl_spectrum_local_values finds for each of some points. */
int64_t ecl_spectrum_most_values(void);
/* Read the stencils of some inner points, and find the sizes of the state there. */
int ecl_spectrum_read_points(struct spectrum *s, const struct fourier *fourier,
    const struct state_source *source, int64_t points, eulercl_error *error);
/* Add the eigenvalues of the waves at `most_points` points at most. */
int ecl_spectrum_local_values(
    struct spectrum *s, int64_t most_points, int every, eulercl_error *error);
/* Find the largest eigenvalue of the sum of the blocks' magnitudes: a bound for those of all waves,
 * and for diffusion the largest of them. It is NaN if none is found. */
int ecl_spectrum_local_bound(
    struct spectrum *s, const struct state_source *source, double *bound, eulercl_error *error);
/* Make room for a state, of which only some parts may be read: pages that nobody writes take no
 * memory. */
int ecl_spectrum_make_whole(struct spectrum *s, eulercl_error *error);
#endif
