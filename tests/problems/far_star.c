/* far_star.c - heat by fourth-order differences in a plate whose edges are warmed: t in ODE_OUTSIDE only. */
#define ODE_NAME far_star
#define ODE_TITLE "test: a star of radius 2, an outside that depends on t"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_RADIUS 2
#define ODE_OUTSIDE(c) (edge + t / 2)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 1e6, "", "")              \
    INTEGER(rows, 6, 1, 1e6, "", "")                 \
    REAL(edge, 0.6, -10, 10, "K", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real near = (AT(-1, 0, 0) + AT(1, 0, 0)) + (AT(0, -1, 0) + AT(0, 1, 0));
    const ode_real far = (AT(-2, 0, 0) - AT(0, 2, 0) / 3) + (AT(2, 0, 0) + AT(0, -2, 0));
    DOT(0) = fma(REAL(1.25), near, fma(-5, AT(0, 0, 0), far / -12));
)

ODE_INITIAL( Y0(0) = (double)((ix * 3 + iy * 4) % 11) / 11; )
