/* knot.c - a volume that is closed along x and y, with clamped ends of z, a field and the place. */
#define ODE_NAME knot
#define ODE_TITLE "test: a volume closed along x and y"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_SIDES(SIDE) SIDE(Z_LOW, ODE_CLAMP_SIDE) SIDE(Z_HIGH, ODE_MIRROR_SIDE)
#define ODE_FIELDS(FIELD) FIELD(gain)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 150, "", "")              \
    INTEGER(rows, 6, 1, 15, "", "")                  \
    INTEGER(planes, 5, 2, 12, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = LAPLACE(0) / 8 + FIELD(gain) * (AT(-1, 1, -1, 1) - AT(1, 0, 1, 1)) + REAL(ix - 2 * iy + iz) / 64;
    DOT(1) = fma(REAL(0.125), AT(0, -1, 1, 0), -AT(0, 0, 0, 1) * AT(0, 0, 0, 0) / 8) + t / 16;
)

ODE_INITIAL(
    Y0(0) = (double)((ix + 2 * iy + 3 * iz) % 8) / 8;
    Y0(1) = (double)((3 * ix + iy + 5 * iz) % 5) / 5;
)

ODE_FIELD_VALUES( FIELD(gain) = 0.125 + (double)((ix + 3 * iy + 2 * iz) % 5) / 16; )
