/* SPDX-License-Identifier: BSD-2-Clause */
/* heat.c - heat in a rod between two blocks of ice:
 *
 *     u_i' = D (u_{i-1} - 2 u_i + u_{i+1}),   u = 0 at the virtual points -1 and m,
 *
 * where D is the diffusivity over the grid spacing squared. See J. Fourier, "The Analytical Theory
 * of Heat" (1822; Cambridge 1878), ch. 3. A half wave decays without changing its shape, with the
 * rate 4 D sin^2(pi / (2 (m + 1))). Euler steps are stable for h < 1 / (2 D).
 */
#define ODE_NAME heat
#define ODE_TITLE "heat in a rod"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX m
#define ODE_HAS_EXACT 1
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 1000, 1, 1e12, "", "grid points")                      \
    REAL(D, 1, 0, 1e9, "1/s", "diffusivity over the grid spacing squared")
#include <eulercl/ode_problem.h>

#define PI 3.14159265358979323846

ODE_POINT_RHS( DOT(0) = D * LAPLACE(0); )

ODE_INITIAL( Y0(0) = sin(PI * (double)(ix + 1) / (double)(nx + 1)); )

ODE_EXACT(
    const double half = sin(PI / (2 * (double)(nx + 1)));
    Y0(0) = sin(PI * (double)(ix + 1) / (double)(nx + 1)) * exp(-4 * D * half * half * t);
)
