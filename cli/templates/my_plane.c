/* my_plane.c - a problem of your own for libeulercl: y' = f(t, y) on a rectangle of points.
 *
 *     eulercl check my_plane.c
 *     eulercl solve my_plane.c --h auto --t-end 0.01 --out my_plane.png
 *
 * As it stands: u' = D (u_xx + u_yy), diffusion of a bump over the unit square. Change the lines below to your equation, from top to
 * bottom. All words that may be used are explained at the top of eulercl/ode_problem.h.
 */
#define ODE_NAME my_plane
#define ODE_TITLE "diffusion of a bump"
#define ODE_GRID 2                     /* dimensions */
#define ODE_COMPONENTS 1               /* unknowns per point */
#define ODE_BOUNDARY ODE_FIXED         /* beyond the edges stands: ODE_FIXED the value ODE_OUTSIDE(c), 0 unless you define it; ODE_CLAMP the
                                          last point; ODE_MIRROR the grid mirrored at its last point; ODE_PERIODIC the other edge */
#define ODE_NX m                       /* columns; m is the first parameter */
#define ODE_NY m                       /* rows */

/* NAME, default, smallest, largest value, unit, what it is: eulercl solve my_plane.c -p m=500 -p D=0.5 */
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(m, 100, 2, 1e9, "", "grid points per side")                \
    REAL(D, 1, 0, 1e9, "1/s", "diffusion coefficient over the side squared")
/* Constants made of them, computed once: with this boundary dx = 1 / (m + 1), so this is D / dx^2. */
#define ODE_DERIVED(CONSTANT) CONSTANT(d, D * (m + 1) * (m + 1))
#include <eulercl/ode_problem.h>

/* Names for the unknowns. */
#define U 0

/* The derivatives at point (ix, iy). AT(dx, dy, U) is the value of U dx columns and dy rows away, each -1, 0 or 1 (further with
   ODE_RADIUS); LAPLACE(U) is the sum of the four neighbours minus 4 AT(0, 0, U); t is the time, nx and ny the numbers of points. */
ODE_POINT_RHS(
    DOT(U) = d * LAPLACE(U);
)

/* The values at t = 0, in double: here you may use exp, sin and all of math.h. */
ODE_INITIAL(
    const double x = (double)(ix + 1) / (double)(nx + 1), y = (double)(iy + 1) / (double)(ny + 1), right = y - 0.5;
    Y0(U) = exp(-100 * ((x - (U + 1.0) / (ODE_COMPONENTS + 1)) * (x - (U + 1.0) / (ODE_COMPONENTS + 1)) + right * right));
)
