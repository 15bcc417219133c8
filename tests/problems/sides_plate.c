/* sides_plate.c - two substances in a plate whose four sides have rules of their own, in nodes: each named rule and any expression, with the time, places along the sides, the component and two spacings. Diagonal neighbours are read two points away, so that the order of the axes decides what a corner gets. */
#define ODE_NAME sides_plate
#define ODE_TITLE "test: a rule for each side, nodes, radius 2"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_RADIUS 2
#define ODE_SPACING wide, REAL(0.25)
#define ODE_SIDES(SIDE)                                                                                   \
    SIDE(X_LOW, ODE_VALUE(c == 0 ? leak * t + (ode_real)iy / 4 : REAL(0.75)))                             \
    SIDE(X_HIGH, ODE_GRADIENT(c == 0 ? leak : (ode_real)(ny - iy) / 8))                                   \
    SIDE(Y_LOW, ODE_ROBIN(leak, 2 + c, t - (ode_real)ix / 4))                                             \
    SIDE(Y_HIGH, ODE_GHOST(c == 0 ? 2 * (ode_real)(nx - ix) - IN(0) : IN(2) / 2 - IN(1) + (ode_real)d * t))
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 3, 1e6, "", "")              \
    INTEGER(rows, 6, 3, 1e6, "", "")                 \
    REAL(leak, 0.4, -10, 10, "", "")                 \
    REAL(wide, 0.7, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.125), AT(1, 2, 0) - AT(-1, 1, 0) - AT(2, -1, 1) + AT(-2, -2, 0), LAPLACE(0) / 4);
    DOT(1) = (AT(2, 0, 1) - AT(-2, 0, 1) + AT(0, 2, 1) - AT(0, -2, 1)) / 8 - AT(0, 0, 0) * AT(0, 0, 1) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)((ix + 3 * iy) % 7) / 7;
)
