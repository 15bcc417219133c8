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
#endif
