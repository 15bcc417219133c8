/* torus.c - radius 2 without diagonals on a torus, uneven in both directions, with a field and the point's place; of the three components one is read from neighbours. */
#define ODE_NAME torus
#define ODE_TITLE "test: radius 2 on a torus, t"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_RADIUS 2
#define ODE_FIELDS(FIELD) FIELD(gain)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real across = fma(2, AT(-2, 0, 1), AT(1, 0, 1) / 3) - AT(2, 0, 1);
    const ode_real down = fma(3, AT(0, -2, 1), AT(0, -1, 1) / 5) - AT(0, 2, 1);
    DOT(0) = across - t * AT(0, 0, 2);
    DOT(1) = fma(REAL(0.5), down, across) + FIELD(gain) * AT(0, 0, 0) + REAL(ix - 2 * iy) / 8;
    DOT(2) = LAPLACE(1) + t;
)

ODE_INITIAL(
    Y0(0) = (double)(ix + 2 * iy) / (double)(nx + ny);
    Y0(1) = (double)((3 * ix + iy) % 5) / 5;
    Y0(2) = 0.25 * (double)(iy - ix);
)

ODE_FIELD_VALUES( FIELD(gain) = 0.25 + (double)((ix + 3 * iy) % 5) / 5; )
