/* my_line.c - a problem of your own for libeulercl: y' = f(t, y) on a line of points.
 *
 *     eulercl check my_line.c
 *     eulercl solve my_line.c --h auto --t-end 0.1 --out my_line.png
 *
 * This file solves u' = D u_xx, the diffusion of a bump over the unit interval. Change the lines below to
 * your equation, from top to bottom. The top of eulercl/ode_problem.h explains all words.
 */
#define ODE_NAME my_line
#define ODE_TITLE "diffusion of a bump"
#define ODE_GRID 1                     /* dimensions */
#define ODE_COMPONENTS 1               /* unknowns per point */
#define ODE_BOUNDARY ODE_FIXED         /* the values beyond the ends: ODE_FIXED: ODE_OUTSIDE(c), 0 unless you define it;
                                          ODE_CLAMP: the last point; ODE_MIRROR: the line mirrored at its last point;
                                          ODE_PERIODIC: the opposite end; ODE_ROBIN: those with a u + b du/dn = g.
                                          With eulercl new --sides each end has a rule of its own */
#define ODE_NX m                       /* points; m is the first parameter */
/* If your solution spreads into zeros, remove the two slashes below: values whose magnitude is below 1e-12 then become
   0. Without it they become subnormal numbers, with which processors compute slowly; eulercl check finds that. */
// #define ODE_FLUSH_BELOW(c) 1e-12

/* Name, default, least and greatest value, unit, meaning: eulercl solve my_line.c -p m=1000 -p D=0.5 */
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(m, 200, 2, 1e12, "", "grid points")                        \
    REAL(D, 0.1, 0, 1e9, "1/s", "diffusion coefficient over the length squared")
/* Constants derived from the parameters, computed once. This boundary has dx = 1 / (m + 1), so d = D / dx^2. */
#define ODE_DERIVED(CONSTANT) CONSTANT(d, D * (m + 1) * (m + 1))
#include <eulercl/ode_problem.h>

/* Names for the unknowns. */
#define U 0

/* The derivatives at point ix. AT(dx, U) is the value of U dx points to the right, where dx is -1, 0 or 1 (larger
   with ODE_RADIUS). LAPLACE(U) is AT(-1, U) - 2 AT(0, U) + AT(1, U). t is the time, nx is the number of points. */
ODE_POINT_RHS(
    DOT(U) = d * LAPLACE(U);
)

/* The values at t = 0, in double. You may use exp, sin and all of math.h here. */
ODE_INITIAL(
    const double x = (double)(ix + 1) / (double)(nx + 1);
    Y0(U) = exp(-200 * (x - (U + 1.0) / (ODE_COMPONENTS + 1)) * (x - (U + 1.0) / (ODE_COMPONENTS + 1)));
)
