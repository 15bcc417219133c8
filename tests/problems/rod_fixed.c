/* rod_fixed.c - heat in a rod whose ends are held at a temperature that is a parameter. */
#define ODE_NAME rod_fixed
#define ODE_TITLE "test: one dimension, fixed at a value that is not 0"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_RADIUS 2
#define ODE_OUTSIDE(c) (ends - REAL(0.1))
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 21, 1, 1e6, "", "")      \
    REAL(kappa, 0.4, 0, 100, "1/s", "")      \
    REAL(ends, 3.3, -100, 100, "K", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS( DOT(0) = kappa * fma(REAL(0.25), AT(-2, 0) + AT(2, 0), LAPLACE(0) - AT(0, 0) / 2); )
ODE_INITIAL( Y0(0) = (double)(ix % 4); )
