/* tide.c - two fields over a sea bed of varying depth, whose coast moves: t in the equations and in ODE_OUTSIDE, in two dimensions. */
#define ODE_NAME tide
#define ODE_TITLE "test: t in two dimensions, with a field"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) ((c) == 0 ? level * t : REAL(0.5) - t)
#define ODE_FIELDS(FIELD) FIELD(depth)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 1, 1e6, "", "")              \
    INTEGER(rows, 5, 1, 1e6, "", "")                 \
    REAL(level, 0.4, -10, 10, "m/s", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(FIELD(depth), LAPLACE(0), t * AT(0, 0, 1) / (1 + t * t));
    DOT(1) = LAPLACE(1) / 2 - t * (AT(1, 0, 0) - AT(0, -1, 0));
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)(iy - ix) / (double)(nx + ny);
)

ODE_FIELD_VALUES( FIELD(depth) = 0.25 + (double)((ix + 2 * iy) % 5) / 4; )
