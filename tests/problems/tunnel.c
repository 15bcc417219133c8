/* tunnel.c - radius 2 in a volume that is closed along z, with an outside that depends on the time; it reads neighbours on edges. */
#define ODE_NAME tunnel
#define ODE_TITLE "test: radius 2 in a volume closed along z"
#define ODE_GRID 3
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_PERIODIC_Z 1
#define ODE_RADIUS 2
#define ODE_OUTSIDE(c) (edge + t / 2)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 150, "", "")              \
    INTEGER(rows, 6, 1, 14, "", "")                  \
    INTEGER(planes, 5, 1, 12, "", "")                \
    REAL(edge, 0.6, -10, 10, "K", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real far = (AT(-2, 0, 0, 0) - AT(0, 2, 0, 0) / 3) + (AT(0, 0, -2, 0) + AT(0, 0, 2, 0) / 5);
    const ode_real edges = (AT(0, -2, 1, 0) - AT(2, 0, -2, 0)) + AT(1, 2, 0, 0) / 7;
    DOT(0) = fma(REAL(0.25), LAPLACE(0), (far - edges) / 16) + REAL(iz - iy) / 32;
)

ODE_INITIAL( Y0(0) = (double)((ix * 3 + iy * 4 + iz * 5) % 11) / 11; )
