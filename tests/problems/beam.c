/* beam.c - a vibrating beam: fourth differences of one component alone. */
#define ODE_NAME beam
#define ODE_TITLE "test: one dimension, radius 2, 2 components, mirrored"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_RADIUS 2
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 21, 1, 1e6, "", "")      \
    REAL(stiffness, 0.3, 0, 10, "1/s^2", "")
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    DOT(U) = AT(0, V);
    DOT(V) = -stiffness * fma(6, AT(0, U), fma(-4, AT(-1, U) + AT(1, U), AT(-2, U) + AT(2, U)));
)

ODE_INITIAL(
    Y0(U) = (double)((5 * ix) % 7) / 7;
    Y0(V) = 0;
)
