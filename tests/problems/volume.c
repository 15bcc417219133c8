/* volume.c - three axes. A mirror at all ends, a field, the place and the time. */
#define ODE_NAME volume
#define ODE_TITLE "test: a box, three axes"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_FIELDS(FIELD) FIELD(source)
#define ODE_NX columns
#define ODE_NY 4 /* constants: a volume grows too fast for tests that draw sizes */
#define ODE_NZ 5
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(columns, 5, 2, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.125), LAPLACE(0), REAL(ix + 2 * iy - 3 * iz) / REAL(nx + ny + nz)) + t * FIELD(source);
    DOT(1) = fma(REAL(0.5), AT(0, 0, 0, 0), AT(0, 0, -1, 1) - AT(1, 0, 0, 1)) + REAL(nx - ny + nz) / REAL(nx + ny + nz) * AT(0, 1, 0, 0);
)

ODE_INITIAL(
    Y0(0) = (double)(ix + 2 * iy + 3 * iz) / (double)(nx + ny + nz);
    Y0(1) = (double)((3 * ix + iy + 2 * iz) % 5) / 5;
)

ODE_FIELD_VALUES( FIELD(source) = 0.25 + (double)((ix + 3 * iy + iz) % 5) / 5; )
