/* acoustics.c - sound on a staggered grid of two dimensions: the pressure reads velocities of its neighbours, also across a corner. */
#define ODE_NAME acoustics
#define ODE_TITLE "test: sound on a staggered grid"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_POSITION(c) ((c) == 0)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 9, 2, 1e6, "", "")              \
    INTEGER(rows, 7, 2, 1e6, "", "")                 \
    REAL(stiffness, 0.7, -10, 10, "", "")            \
    REAL(skew, 0.2, -10, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = -stiffness * ((AT(0, 0, 1) - AT(-1, 0, 1)) + (AT(0, 0, 2) - AT(0, -1, 2))) + skew * AT(1, 1, 2);
    DOT(1) = AT(0, 0, 0) - AT(1, 0, 0);
    DOT(2) = AT(0, 0, 0) - AT(0, 1, 0) - skew * AT(-1, -1, 0);
)

ODE_INITIAL(
    Y0(0) = (double)((7 * ix + 3 * iy) % 13) / 13;
    Y0(1) = 0.05 * (double)((5 * ix + 2 * iy) % 9 - 4);
    Y0(2) = 0;
)
