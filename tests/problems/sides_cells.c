/* sides_cells.c - a plate of cells: three sides have rules of their own, the fourth has that of ODE_BOUNDARY. No diagonal neighbour is read, and no side along the rows needs its place. */
#define ODE_NAME sides_cells
#define ODE_TITLE "test: rules for three sides, cells"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) (ode_real)(c) + t
#define ODE_CENTRED ODE_CELLS
#define ODE_SPACING width
#define ODE_SIDES(SIDE)                                   \
    SIDE(X_HIGH, ODE_ROBIN(1 + c, leak, t))               \
    SIDE(Y_LOW, ODE_VALUE(leak * (ode_real)ix))                     \
    SIDE(X_LOW, ODE_MIRROR_SIDE)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")                 \
    REAL(leak, 0.4, 0.1, 10, "", "")                 \
    REAL(width, 0.7, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = LAPLACE(0) / 4 - AT(0, 0, 1);
    DOT(1) = LAPLACE(1) / 8 + AT(0, 0, 0);
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)((ix + 3 * iy) % 7) / 7;
)
