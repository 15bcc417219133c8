/* SPDX-License-Identifier: BSD-2-Clause */
/* gray_scott.c - two reacting species on a square with periodic edges:
 *
 *     u' = Du lap u - u v^2 + F (1 - u),   v' = Dv lap v + u v^2 - (F + k) v,
 *
 * where lap is the sum of the four neighbours minus 4 times the point, on m x m points. See J. E.
 * Pearson, "Complex patterns in a simple system", Science 261 (1993) 189-192. F and k choose the
 * pattern. Du = 0.2 and Dv = 0.1 correspond to his 2e-5 and 1e-5 on 256 points over a side of 2.5.
 * Euler steps are stable for h < 1 / (4 Du); he also takes h = 1.
 */
#define ODE_NAME gray_scott
#define ODE_TITLE "Gray-Scott reaction and diffusion"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
/* v spreads into zeros. This keeps its edge free of subnormal numbers, with which processors compute slowly. */
#define ODE_FLUSH_BELOW(c) 1e-12
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 256, 1, 1e9, "", "grid points per side")               \
    REAL(F, 0.037, 0, 1, "", "feed rate")                             \
    REAL(k, 0.06, 0, 1, "", "removal rate of v")                      \
    REAL(Du, 0.2, 0, 1e9, "", "diffusion of u over the grid spacing squared") \
    REAL(Dv, 0.1, 0, 1e9, "", "diffusion of v over the grid spacing squared")
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, U), v = AT(0, 0, V), reaction = u * v * v;
    DOT(U) = Du * LAPLACE(U) - reaction + F * (1 - u);
    DOT(V) = Dv * LAPLACE(V) + reaction - (F + k) * v;
)

/* u = 1 and v = 0, which is a steady state, except at 20 x 20 points in the middle: there (u, v) is near
 * (1/2, 1/4), perturbed by up to 1 %. */
ODE_INITIAL(
    const double x = (double)ix - 0.5 * (double)(nx - 1), y = (double)iy - 0.5 * (double)(ny - 1);
    const int seeded = fabs(x) < 10 && fabs(y) < 10;
    const double uneven = 1 + 1e-4 * (double)((ix * 7919 + iy * 104729) % 201 - 100);
    Y0(U) = seeded ? 0.5 * uneven : 1;
    Y0(V) = seeded ? 0.25 * uneven : 0;
)
