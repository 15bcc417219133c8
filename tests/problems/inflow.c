/* inflow.c - rules of sides that read fields of the last points, with diagonal neighbours and corners; columns and rows. */
#define ODE_NAME inflow
#define ODE_TITLE "test: fields along the sides"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_FIELDS(FIELD) FIELD(bed) FIELD(inlet)
#define ODE_SPACING REAL(0.5)
#define ODE_SIDES(SIDE)                                          \
    SIDE(X_LOW, ODE_VALUE(SIDE_FIELD(inlet) * (1 + t)))          \
    SIDE(X_HIGH, ODE_GRADIENT(-SIDE_FIELD(inlet) / 4))           \
    SIDE(Y_LOW, ODE_GHOST(SIDE_FIELD(bed) - IN(0)))              \
    SIDE(Y_HIGH, ODE_ROBIN(SIDE_FIELD(bed), 2, SIDE_FIELD(inlet)))
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")                 \
    REAL(rate, 0.2, 0, 1, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = rate * (FIELD(bed) * LAPLACE(0) + (AT(1, 1, 0) - AT(-1, 1, 0) + AT(-1, -1, 0)) / 8);
)

ODE_INITIAL( Y0(0) = (double)((2 * ix + 3 * iy) % 7) / 7; )

ODE_FIELD_VALUES(
    FIELD(bed) = (double)((3 * ix + 5 * iy) % 8) / 8;
    FIELD(inlet) = (double)((ix + 2 * iy) % 5) / 5;
)
