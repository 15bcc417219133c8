/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum.h - the eigenvalues of the right-hand side's Jacobian that limit the step size. */
#ifndef EULERCL_SPECTRUM_H
#define EULERCL_SPECTRUM_H
#include "../internal.h"

static const double stable_share = 0.9; /* share of the largest stable step that is recommended */

/* Estimate the spectrum near the state y (s->n reals, s->real_size wide; changed and restored) at
 * time t. Errors: MEMORY, NONFINITE. */
int ecl_spectrum(
    const struct system *s, double t, void *y, eulercl_stability *stability, eulercl_error *error);

/* Estimate it on a grid at some points, without the effects of boundaries, in a time that does not
 * depend on n. Errors: as above, those of the source. */
struct state_source;
/* A bound for the spectral radius. */
int ecl_spectral_radius(const struct system *s, const struct state_source *source, double t,
    double *radius, eulercl_error *error);
/* How fast modes decay, and how fast those oscillate that hardly decay: the greatest of each. */
struct rates {
    double decay, frequency;
};
int ecl_find_rates(const struct system *s, const struct state_source *source, double t,
    struct rates *rates, eulercl_error *error);

/* stability.c: an estimate of the spectral radius, enlarged by 5 % and rounded up to the ladder of
 * control.h, so that hosts whose estimates differ in the last digits come to the same number. */
double ecl_radius_bound(double estimate);
#endif
