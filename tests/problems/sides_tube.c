/* sides_tube.c - a tube of cells: closed along x, and with two rules at its ends, which read where they are around it. Diagonal neighbours are read. */
#define ODE_NAME sides_tube
#define ODE_TITLE "test: one periodic axis, and rules for the sides of the other"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_CENTRED ODE_CELLS
#define ODE_PERIODIC_X 1
#define ODE_SIDES(SIDE)                                                \
    SIDE(Y_LOW, ODE_GRADIENT((ode_real)(ix % 3) - t))                  \
    SIDE(Y_HIGH, ODE_GHOST(IN(1) - (ode_real)(2 * ix - nx) / 16))
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 2, 1e6, "", "")                 \
    REAL(rate, 0.125, -1, 1, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(rate, LAPLACE(0), AT(1, 1, 0) / 8 - AT(-1, 1, 0) / 16 - AT(1, -1, 0) / 8 + AT(-1, -1, 0) / 16);
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
)
