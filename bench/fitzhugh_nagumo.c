/* SPDX-License-Identifier: BSD-2-Clause */
/* fitzhugh_nagumo.c - a system like FitzHugh's and Nagumo's whose terms are functions, to measure
 * what exp and tanh cost in a step:
 *
 *     u' = D lap u + u - exp(0.3 u) tanh(u) + v,   v' = 0.08 (tanh(u) - v exp(-v^2)). */
/* clang-format off */
#define ODE_NAME fitzhugh_nagumo
#define ODE_TITLE "a system of FitzHugh's and Nagumo's kind, with exp and tanh"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                   \
    INTEGER(m, 2000, 1, 1e9, "", "grid points per side") \
    REAL(D, 1, 0, 1e9, "", "diffusion of u over the grid spacing squared")
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, U), v = AT(0, 0, V), s = tanh(u);
    DOT(U) = D * LAPLACE(U) + u - exp(REAL(0.3) * u) * s + v;
    DOT(V) = REAL(0.08) * (s - v * exp(-v * v));
)

/* Waves, of which half have abs(u) below 3/4. */
ODE_INITIAL(
    const double a = 6.283185307179586 / (double)nx, b = 6.283185307179586 / (double)ny;
    Y0(U) = 1.5 * sin(5 * a * (double)ix) * cos(3 * b * (double)iy);
    Y0(V) = 0.7 * cos(2 * a * (double)ix + 7 * b * (double)iy);
)
