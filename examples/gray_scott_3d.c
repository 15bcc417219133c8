/* SPDX-License-Identifier: BSD-2-Clause */
/* gray_scott_3d.c - two reacting species in a box that is periodic along all axes:
 *
 *     u' = Du lap u - u v^2 + F (1 - u),   v' = Dv lap v + u v^2 - (F + k) v,
 *
 * where lap is the sum of the six neighbours minus 6 times the point, on m x m x m points. See
 * gray_scott.c. Du and Dv are two thirds of those there: the points lie apart by 1.22 of its
 * spacing, so Euler steps of 1 stay stable.
 */
#define ODE_NAME gray_scott_3d
#define ODE_TITLE "Gray-Scott reaction and diffusion in a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_FLUSH_BELOW(c) 1e-12
#define ODE_NX m
#define ODE_NY m
#define ODE_NZ m
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 72, 1, 1e6, "", "grid points per side")                \
    REAL(F, 0.037, 0, 1, "", "feed rate")                             \
    REAL(k, 0.064, 0, 1, "", "removal rate of v")                     \
    REAL(Du, 0.133, 0, 1e9, "", "diffusion of u over the grid spacing squared") \
    REAL(Dv, 0.0667, 0, 1e9, "", "diffusion of v over the grid spacing squared")
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0, U), v = AT(0, 0, 0, V), reaction = u * v * v;
    DOT(U) = Du * LAPLACE(U) - reaction + F * (1 - u);
    DOT(V) = Dv * LAPLACE(V) + reaction - (F + k) * v;
)

/* u = 1 and v = 0, which is a steady state, except in three balls, where (u, v) is near (1/2, 1/4). */
#define FAR(i, n, at) ((double)(i) / (double)(n) - (at))
#define IN_BALL(x, y, z) (hypot(hypot(FAR(ix, nx, x), FAR(iy, ny, y)), FAR(iz, nz, z)) < 0.1)
ODE_INITIAL(
    const int seeded = IN_BALL(0.4, 0.35, 0.35) || IN_BALL(0.65, 0.45, 0.5) || IN_BALL(0.4, 0.6, 0.65);
    Y0(U) = seeded ? 0.5 : 1;
    Y0(V) = seeded ? 0.25 : 0;
)
