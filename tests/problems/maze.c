/* maze.c - two substances in a plate with obstacles, points that keep their values, and conductivities that differ from point to point. Columns are numbered round. */
#define ODE_NAME maze
#define ODE_TITLE "test: obstacles, still points, fields of neighbours"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_CENTRED ODE_CELLS
#define ODE_PERIODIC_X 1
#define ODE_FIELDS(FIELD) FIELD(wall) FIELD(conductivity)
#define ODE_OBSTACLE FIELD(wall) > level
#define ODE_STILL FIELD(wall) < 0 || iy == 3
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")                 \
    REAL(level, 0.75, 0.1, 10, "", "")
#include <eulercl/ode_problem.h>

#define CONDUCTIVITY(dx, dy) FIELD_AT(dx, dy, conductivity)
#define PRODUCT(dx, dy) (1 + FIELD_AT(dx, dy, conductivity) * AT(dx, dy, 0))

ODE_POINT_RHS(
    DOT(0) = FLOW(0) / 8 + DIV_GRAD(ARITHMETIC_MEAN, PRODUCT, 1) / 16;
    DOT(1) = DIV_GRAD(HARMONIC_MEAN, CONDUCTIVITY, 1) / 8 - AT(0, 0, 0) * FIELD(conductivity) / 8 +
             DIV_XY(ARITHMETIC_MEAN, CONDUCTIVITY, 0) / 32 + OPEN(0, -1) * REAL(0.125);
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)((ix + 3 * iy) % 7) / 7;
)

ODE_FIELD_VALUES(
    FIELD(wall) = (double)((5 * ix + 3 * iy + ix * iy) % 11) / 10 - 0.05;
    FIELD(conductivity) = (double)((3 * ix + 7 * iy) % 5) / 5;
)
