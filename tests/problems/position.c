/* position.c - four components, rates that depend on where the point lies. */
#define ODE_NAME position
#define ODE_TITLE "test: ix, iy, nx, ny in the equations, 4 components"
#define ODE_GRID 2
#define ODE_COMPONENTS 4
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) (wall + REAL(c))
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 5, 1, 1e6, "", "")              \
    INTEGER(rows, 4, 1, 1e6, "", "")                 \
    REAL(wall, 0.2, -10, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real x = REAL(ix) / REAL(nx), y = REAL(iy + 1) / REAL(ny);
    DOT(0) = x * LAPLACE(0);
    DOT(1) = y * LAPLACE(1) - AT(0, 0, 0);
    DOT(2) = (x - y) * AT(1, 0, 3) + AT(0, -1, 2);
    DOT(3) = ix == nx - 1 ? AT(-1, 0, 3) : fma(x, AT(0, 1, 1), -AT(0, 0, 3));
)

ODE_INITIAL(
    Y0(0) = 1;
    Y0(1) = (double)ix / (double)nx;
    Y0(2) = (double)iy / (double)ny;
    Y0(3) = wall;
)
