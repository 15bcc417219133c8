/* SPDX-License-Identifier: BSD-2-Clause */
/* swift_hohenberg.c - the pattern of convection in a fluid heated from below, stripes of a
 * preferred width, on a torus:
 *
 *     u' = r u - (1 + lap)^2 u - u^3,   (1 + lap)^2 u = u + 2 lap u + lap lap u,
 *
 * where lap = (sum of the four neighbours minus 4 times the point) / s^2, on m x m points at a
 * distance of s, so that lap lap has radius 2. See J. Swift and P. C. Hohenberg, "Hydrodynamic
 * fluctuations at the convective instability", Phys. Rev. A 15 (1977) 319-328. For r > 0 there are
 * stripes about 2 pi / s points wide. Euler steps are stable for h below about 2 / (8 / s^2 -
 * 1)^2.
 */
#define ODE_NAME swift_hohenberg
#define ODE_TITLE "Swift-Hohenberg equation on a torus"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_RADIUS 2
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 256, 1, 1e9, "", "grid points per side")               \
    REAL(r, 0.3, -10, 10, "", "distance from the onset of convection") \
    REAL(s, 1, 0.01, 10, "", "grid spacing")
#define ODE_DERIVED(CONSTANT) CONSTANT(a, 2 / (s * s)) CONSTANT(b, 1 / (s * s * s * s))
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0), beside = (AT(-1, 0, 0) + AT(1, 0, 0)) + (AT(0, -1, 0) + AT(0, 1, 0));
    const ode_real corners = (AT(-1, -1, 0) + AT(1, -1, 0)) + (AT(-1, 1, 0) + AT(1, 1, 0));
    const ode_real far = (AT(-2, 0, 0) + AT(2, 0, 0)) + (AT(0, -2, 0) + AT(0, 2, 0));
    DOT(0) = (r - 1) * u - a * LAPLACE(0) - b * (20 * u - 8 * beside + 2 * corners + far) - u * u * u;
)

/* Small irregular values; the equation selects the pattern that grows. */
ODE_INITIAL( Y0(0) = 1e-3 * (double)((ix * 7919 + iy * 104729 + ix * iy) % 201 - 100); )
