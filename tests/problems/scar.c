/* scar.c - excitation along a fibre that conducts unevenly, with dead points and a clamped one. */
#define ODE_NAME scar
#define ODE_TITLE "test: obstacles and fields of neighbours on a line, radius 2"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_RADIUS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_FIELDS(FIELD) FIELD(conductivity)
#define ODE_OBSTACLE ix % 17 == 5
#define ODE_STILL ix % 13 == 11
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(points, 40, 1, 1e6, "", "")              \
    REAL(rate, 0.3, 0, 1, "", "")
#include <eulercl/ode_problem.h>

#define CONDUCTIVITY(dx) FIELD_AT(dx, conductivity)

ODE_POINT_RHS(
    DOT(0) = DIV_X(HARMONIC_MEAN, CONDUCTIVITY, 0) / 4 + FIELD_AT(2, conductivity) * AT(-2, 1) / 16 -
             FIELD_AT(-2, conductivity) * AT(2, 0) / 16;
    DOT(1) = rate * (FLOW(1) - FIELD(conductivity) * AT(0, 0));
)

ODE_INITIAL(
    Y0(0) = (double)(ix % 9) / 9;
    Y0(1) = (double)(3 * ix % 7) / 7;
)

ODE_FIELD_VALUES( FIELD(conductivity) = (double)(7 * ix % 5) / 5; )
