/* SPDX-License-Identifier: BSD-2-Clause */
/* heat_box.c - heat in a box of ice:
 *
 *     u' = D lap u,   u = 0 at the points beyond all sides,
 *
 * where lap is the sum of the six neighbours minus 6 times the point, on m x m x m points, and D is
 * the diffusivity over the grid spacing squared. Two products of sines, with one and with three half
 * waves along each axis, decay without changing their shape, with the rates
 * 12 D sin^2(k pi / (2 (m + 1))) for k = 1 and k = 3. Euler steps are stable for h < 1 / (6 D).
 */
#define ODE_NAME heat_box
#define ODE_TITLE "heat in a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX m
#define ODE_NY m
#define ODE_NZ m
#define ODE_HAS_EXACT 1
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 60, 1, 1e6, "", "grid points per side")                \
    REAL(D, 1, 0, 1e9, "1/s", "diffusivity over the grid spacing squared")
#include <eulercl/ode_problem.h>

#define PI 3.14159265358979323846
/* Half waves along an axis, and how much of them is left of 1. */
#define ALONG(k, i, n) sin((k) * PI * (double)((i) + 1) / (double)((n) + 1))
#define PRODUCT(k) (ALONG(k, ix, nx) * ALONG(k, iy, ny) * ALONG(k, iz, nz))
#define HALF(k) sin((k) * PI / (2 * (double)(nx + 1)))
#define LEFT(k) exp(-12 * D * HALF(k) * HALF(k) * t)

ODE_POINT_RHS( DOT(0) = D * LAPLACE(0); )

ODE_INITIAL( Y0(0) = PRODUCT(1) + PRODUCT(3); )

ODE_EXACT( Y0(0) = PRODUCT(1) * LEFT(1) + PRODUCT(3) * LEFT(3); )
