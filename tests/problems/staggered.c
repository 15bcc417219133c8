/* staggered.c - pressures between velocities on a line: the derivatives of positions read velocities of other points, up to two away, and those of velocities read positions there. */
#define ODE_NAME staggered
#define ODE_TITLE "test: positions that read velocities of their neighbours"
#define ODE_GRID 1
#define ODE_COMPONENTS 3
#define ODE_RADIUS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_POSITION(c) ((c) == 0)
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(points, 17, 3, 1e6, "", "")              \
    REAL(near, 1.125, -10, 10, "", "")               \
    REAL(far, -0.04, -10, 10, "", "")                \
    REAL(pull, 0.3, -10, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = far * (AT(-2, 1) - AT(1, 1)) - near * (AT(0, 1) - AT(-1, 1)) + pull * AT(1, 2);
    DOT(1) = far * (AT(-1, 0) - AT(2, 0)) - near * (AT(1, 0) - AT(0, 0));
    DOT(2) = pull * (AT(-2, 0) - AT(0, 0)) + REAL(ix % 3) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)((5 * ix) % 11) / 11;
    Y0(1) = 0.1 * (double)((3 * ix) % 7 - 3);
    Y0(2) = 0.25;
)
