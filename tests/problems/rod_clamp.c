/* rod_clamp.c - heat in an insulated rod: the smallest problem of stencil form. */
#define ODE_NAME rod_clamp
#define ODE_TITLE "test: one dimension, clamped"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    REAL(kappa, 0.7, 0, 100, "1/s", "")      \
    INTEGER(points, 21, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS( DOT(0) = kappa * LAPLACE(0); )
ODE_INITIAL( Y0(0) = (double)((ix * ix) % 11) / 3; )
