/* advection.c - transport round a ring, by upwind differences of second order. */
#define ODE_NAME advection
#define ODE_TITLE "test: one periodic dimension, radius 2"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_RADIUS 2
#define ODE_NX cells
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(cells, 30, 1, 1e6, "", "")       \
    REAL(speed, 2, -100, 100, "1/s", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = speed * (fma(2, AT(-1, 0), REAL(-1.5) * AT(0, 0)) - AT(-2, 0) / 2) + fma(REAL(0.01), AT(2, 0), REAL(-0.01) * AT(1, 0));
)

ODE_INITIAL( Y0(0) = ix % 3 == 0 ? 1.25 : (double)ix / (double)nx; )
