/* sides_rod.c - a rod of cells whose two ends have different rules; two components, which are read two points away. */
#define ODE_NAME sides_rod
#define ODE_TITLE "test: a rule for each end of a line, cells, radius 2"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_RADIUS 2
#define ODE_CENTRED ODE_CELLS
#define ODE_SPACING width
#define ODE_SIDES(SIDE)                                                   \
    SIDE(X_LOW, ODE_GRADIENT(c == 0 ? t : (ode_real)nx / 64))             \
    SIDE(X_HIGH, ODE_ROBIN(c, 2, push * (ode_real)ix / 32))
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(points, 20, 2, 1e6, "", "")              \
    REAL(push, 0.4, -10, 10, "", "")                 \
    REAL(width, 0.7, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = LAPLACE(0) / 4 + (AT(2, 1) - AT(-2, 0)) / 16;
    DOT(1) = LAPLACE(1) / 8 - AT(0, 0) * AT(0, 1) + AT(-2, 1) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)(ix % 9) / 9;
    Y0(1) = (double)((3 * ix) % 7) / 7;
)
