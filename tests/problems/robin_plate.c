/* robin_plate.c - two substances in a plate that leave it through its edges at rates of their own. Diagonal neighbours are read, so that the order of the axes decides what a corner gets. */
#define ODE_NAME robin_plate
#define ODE_TITLE "test: a u + b du/dn = g in two dimensions, corners"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_ROBIN
#define ODE_SPACING spacing
#define ODE_ROBIN_A(c) ((c) == 0 ? leak : REAL(0.75))
#define ODE_ROBIN_B(c) 3
#define ODE_ROBIN_G(c) ((c) == 0 ? REAL(0.3) : t * leak)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 2, 1e6, "", "")              \
    INTEGER(rows, 5, 2, 1e6, "", "")                 \
    REAL(leak, 0.4, -10, 10, "", "")                 \
    REAL(spacing, 0.7, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.125), AT(1, 1, 0) - AT(-1, 1, 0) - AT(1, -1, 1) + AT(-1, -1, 0), LAPLACE(0) / 2);
    DOT(1) = LAPLACE(1) / 3 - AT(0, 0, 0) * AT(0, 0, 1) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)((ix + 3 * iy) % 7) / 7;
)
