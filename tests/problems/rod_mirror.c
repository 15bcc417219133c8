/* rod_mirror.c - one dimension, mirrored, radius 2, uneven neighbours, a field; of the two components only the second is read from neighbours. */
#define ODE_NAME rod_mirror
#define ODE_TITLE "test: one dimension, mirrored, radius 2"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_RADIUS 2
#define ODE_FIELDS(FIELD) FIELD(decay)
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 21, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(2, AT(-2, 1), AT(1, 1)) - FIELD(decay) * AT(0, 0);
    DOT(1) = fma(REAL(0.75), LAPLACE(1), AT(2, 1) - REAL(1.5) * AT(-1, 1)) + t * AT(0, 0);
)

ODE_INITIAL(
    Y0(0) = (double)(ix % 5) / 5;
    Y0(1) = 1 - (double)ix / (double)nx;
)

ODE_FIELD_VALUES( FIELD(decay) = 0.5 + (double)((3 * ix) % 7) / 7; )
