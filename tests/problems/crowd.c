/* crowd.c - points of two components that read the whole state: with four components to a vector, cl-linear computes two points at a time. */
#define ODE_NAME crowd
#define ODE_TITLE "test: ODE_ACCESS_ALL, points of two components, t and a field"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_NX points
#define ODE_ACCESS_ALL 1
#define ODE_FIELDS(FIELD) FIELD(weight)
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 21, 1, 1e6, "", "") REAL(pull, 0.3, -10, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    ode_real near = 0, all = 0;
    ODE_EACH(j) {
        const ode_real d = OTHER(0) - AT(0, 0);
        near = fma(d, pull / fma(d, d, REAL(0.5)), near);
        if (j % 7 == 3) continue;
        all = all + AT_POINT(nx - 1 - j, 1);
        if (j == 90) break;
    }
    for (ode_index j = 0; j < nx && j < 3; j++) all = all + AT_POINT(j, 1);
    DOT(0) = AT(0, 1) - REAL(0.125) * all / (ode_real)nx;
    DOT(1) = near * FIELD(weight) + REAL(0.01) * t;
)

ODE_FIELD_VALUES( FIELD(weight) = 1 + (double)(ix % 3); )
ODE_INITIAL(
    Y0(0) = (double)((7 * ix) % 11) / 11 - 0.5;
    Y0(1) = (double)(ix % 5) / 50;
)
