/* shaken_rod.c - the only function is in the boundary value. */
#define ODE_NAME shaken_rod
#define ODE_TITLE "test: a function in ODE_OUTSIDE"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) sin(omega * t)
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 12, 1, 1e6, "", "")      \
    REAL(omega, 2, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS( DOT(0) = LAPLACE(0); )
ODE_INITIAL( Y0(0) = (double)ix / (double)nx; )
