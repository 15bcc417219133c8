/* mirror2.c - the biharmonic operator on a mirrored plate. */
#define ODE_NAME mirror2
#define ODE_TITLE "test: mirrored boundary with radius 2"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_RADIUS 2
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 1e6, "", "")              \
    INTEGER(rows, 5, 1, 1e6, "", "")                 \
    REAL(stiffness, 0.05, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real cross = (AT(-1, 0, 0) + AT(1, 0, 0)) + (AT(0, -1, 0) + AT(0, 1, 0));
    const ode_real corners = (AT(-1, -1, 0) + AT(1, 1, 0)) + (AT(-1, 1, 0) + AT(1, -1, 0));
    const ode_real far = (AT(-2, 0, 0) + AT(2, 0, 0)) + (AT(0, -2, 0) + AT(0, 2, 0));
    DOT(0) = -stiffness * (fma(20, AT(0, 0, 0), fma(-8, cross, fma(2, corners, far))) + AT(2, -2, 0) / 64);
)

ODE_INITIAL( Y0(0) = (double)((ix * 5 + iy * 3) % 13) / 13; )
