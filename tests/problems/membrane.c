/* membrane.c - positions and velocities in two dimensions, of which tiny ones are flushed: behind a last stage that replaces velocities alone. */
#define ODE_NAME membrane
#define ODE_TITLE "test: positions and velocities on a plane, flushed"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_POSITION(c) ((c) == 0)
#define ODE_FLUSH_BELOW(c) 0.2
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(m, 34, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS( DOT(0) = AT(0, 0, 1); DOT(1) = LAPLACE(0); )

ODE_INITIAL(
    Y0(0) = 0.1 * (double)((7 * ix + 13 * iy) % 11 - 5);
    Y0(1) = 0.05 * (double)((5 * ix + 3 * iy) % 7 - 3);
)
