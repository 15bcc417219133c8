/* ring.c - two components on a ring, whose rates depend on where the point lies, and on the time. */
#define ODE_NAME ring
#define ODE_TITLE "test: ix, nx and t on a ring"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 19, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(const ode_real x = REAL(ix + 1) / REAL(nx);
              DOT(0) = fma(x, AT(-1, 1), REAL(0.5) * AT(1, 0)) - t * AT(0, 0);
              DOT(1) = LAPLACE(1) - x * AT(0, 0);)

ODE_INITIAL(Y0(0) = (double)((3 * ix) % 7) / 7; Y0(1) = 1 - (double)ix / (double)nx;)
