/* rough.c - every function whose bits are guaranteed. */
#define ODE_NAME rough
#define ODE_TITLE "test: sqrt fabs floor fma and division"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 33, 1, 1e6, "", "")      \
    REAL(rate, 0.6, 0.001, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real u = AT(0, 0), v = AT(0, 1);
    DOT(0) = sqrt(fabs(u)) / (1 + v * v) - floor(3 * v) + rate * AT(1, 0);
    DOT(1) = u / rate - sqrt(2) * v + (fabs(u - v) > rate ? floor(-u) : AT(-1, 1) / 3);
)

ODE_INITIAL(
    Y0(0) = (double)(ix % 7) - 3;
    Y0(1) = 1.0 / (double)(ix + 1);
)
