/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum.h - the eigenvalues of the right-hand side's Jacobian that limit the step size. */
#ifndef EULERCL_SPECTRUM_H
#define EULERCL_SPECTRUM_H
#include "internal.h"

static const double stable_share = 0.9; /* of the largest stable step: what is recommended */

/* Estimate the spectrum near the state y (s->n reals, s->real_size wide; changed and restored) at
 * time t. Errors: MEMORY, NONFINITE. */
int eulercl_spectrum(
    const struct system *s, double t, void *y, eulercl_stability *stability, eulercl_error *error);

/* Estimate the spectral radius alone: where there is a grid, a bound without the effects of its
 * boundaries at some points, in a time that does not depend on n. Arguments and errors as above. */
int eulercl_spectral_radius(
    const struct system *s, double t, void *y, double *radius, eulercl_error *error);

/* stability.c: an estimate of the spectral radius, enlarged by 5 % and rounded up to the ladder of
 * control.h, so that hosts whose estimates differ in the last digits come to the same number. */
double eulercl_radius_bound(double estimate);
#endif
