/* diagonal.c - three fields on a torus that couple along the diagonals. */
#define ODE_NAME diagonal
#define ODE_TITLE "test: diagonal neighbours, 3 components, a torus"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 5, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")                 \
    REAL(rate, 0.9, -10, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real corners = (AT(-1, -1, 0) + AT(1, 1, 0)) + (AT(-1, 1, 1) + AT(1, -1, 2));
    DOT(0) = rate * corners - AT(0, 0, 0) * AT(0, 0, 1);
    DOT(1) = fma(rate, LAPLACE(1), AT(-1, -1, 2));
    DOT(2) = AT(1, -1, 0) - AT(0, 0, 2) * corners;
)

ODE_INITIAL(
    Y0(0) = (double)(ix + 1) / (double)(nx + iy);
    Y0(1) = (double)iy / (double)(ny + 2 * ix) - 0.5;
    Y0(2) = 0.1 * (double)(ix - iy);
)
