/* pendulum.c - coupled pendulums on a ring, with the sin of the compilers, whose bits nobody guarantees; each point is
 * pushed by its place on the ring. */
#define ODE_VENDOR_FUNCTIONS_
#define ODE_NAME pendulum
#define ODE_TITLE "test: an inexact function"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 12, 1, 1e6, "", "")      \
    REAL(coupling, 0.5, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = AT(0, 1);
    DOT(1) = coupling * LAPLACE(0) - sin(AT(0, 0)) + REAL(ix % 5) / 64;
)

ODE_INITIAL(
    Y0(0) = (double)ix / (double)nx;
    Y0(1) = 0;
)
