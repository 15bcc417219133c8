/* my_volume.c - a problem of your own for libeulercl: y' = f(t, y) on a box of points.
 *
 *     eulercl check my_volume.c
 *     eulercl solve my_volume.c --h auto --t-end 0.1 --out my_volume.png
 *
 * This file solves u' = D (u_xx + u_yy + u_zz), the diffusion of a bump over the unit cube. Change the lines
 * below to your equation, from top to bottom. The top of eulercl/ode_problem.h explains all words.
 */
#define ODE_NAME my_volume
#define ODE_TITLE "diffusion of a bump"
#define ODE_GRID 3                     /* dimensions */
#define ODE_COMPONENTS 1               /* unknowns per point */
#define ODE_BOUNDARY ODE_FIXED         /* the values beyond the sides: ODE_FIXED: ODE_OUTSIDE(c), 0 unless you define it;
                                          ODE_CLAMP: the last point; ODE_MIRROR: the grid mirrored at its last point;
                                          ODE_PERIODIC: the opposite side; ODE_ROBIN: those with a u + b du/dn = g.
                                          With eulercl new --sides each side has a rule of its own */
#define ODE_NX m                       /* points along x; m is the first parameter */
#define ODE_NY m                       /* along y */
#define ODE_NZ m                       /* along z */
/* If your solution spreads into zeros, remove the two slashes below: values whose magnitude is below 1e-12 then become
   0. Without it they become subnormal numbers, with which processors compute slowly; eulercl check finds that. */
// #define ODE_FLUSH_BELOW(c) 1e-12

/* Name, default, least and greatest value, unit, meaning: eulercl solve my_volume.c -p m=100 -p D=0.5 */
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(m, 50, 2, 1e6, "", "grid points per edge")                 \
    REAL(D, 0.1, 0, 1e9, "1/s", "diffusion coefficient over the edge squared")
/* Constants derived from the parameters, computed once. This boundary has dx = 1 / (m + 1), so d = D / dx^2. */
#define ODE_DERIVED(CONSTANT) CONSTANT(d, D * (m + 1) * (m + 1))
#include <eulercl/ode_problem.h>

/* Names for the unknowns. */
#define U 0

/* The derivatives at point (ix, iy, iz). AT(dx, dy, dz, U) is the value of U dx columns, dy rows and dz planes away,
   where dx, dy and dz are -1, 0 or 1 (larger with ODE_RADIUS). LAPLACE(U) is the sum of the six neighbours minus
   6 AT(0, 0, 0, U). t is the time, nx, ny and nz are the numbers of points along the axes. */
ODE_POINT_RHS(
    DOT(U) = d * LAPLACE(U);
)

/* The values at t = 0, in double. You may use exp, sin and all of math.h here. */
ODE_INITIAL(
    const double x = (double)(ix + 1) / (double)(nx + 1), y = (double)(iy + 1) / (double)(ny + 1),
                 z = (double)(iz + 1) / (double)(nz + 1), right = y - 0.5, up = z - 0.5,
                 aside = right * right + up * up;
    Y0(U) = exp(-100 * ((x - (U + 1.0) / (ODE_COMPONENTS + 1)) * (x - (U + 1.0) / (ODE_COMPONENTS + 1)) + aside));
)
