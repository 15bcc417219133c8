/* lattice.c - diagonal neighbours along three axes, a field, and points that keep their values. */
#define ODE_NAME lattice
#define ODE_TITLE "test: diagonal neighbours in a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_FIELDS(FIELD) FIELD(drift)
#define ODE_STILL ((2 * ix + iy + 3 * iz) % 7 == 0)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
/* Few points, for tests that draw sizes. */
#define ODE_PARAMETERS(REAL, INTEGER)   \
    INTEGER(columns, 5, 2, 150, "", "") \
    INTEGER(rows, 4, 2, 12, "", "")     \
    INTEGER(planes, 5, 2, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = (AT(1, 1, 0, 0) - AT(-1, 1, 0, 1)) / 4 + (AT(0, -1, 1, 1) - AT(0, 1, -1, 0)) / 8 + FIELD_AT(1, -1, 1, drift) * AT(1, -1, -1, 1);
    DOT(1) = LAPLACE(1) / 8 + (AT(-1, -1, -1, 0) - AT(1, 0, 1, 1)) / 4 - FIELD(drift) * AT(0, 0, 0, 0) + t;
)

ODE_INITIAL(
    Y0(0) = (double)((ix + 2 * iy + 3 * iz) % 7) / 7;
    Y0(1) = (double)((3 * ix + iy + 2 * iz) % 5) / 5;
)

ODE_FIELD_VALUES( FIELD(drift) = 0.125 + (double)((ix + 3 * iy + 2 * iz) % 5) / 10; )
