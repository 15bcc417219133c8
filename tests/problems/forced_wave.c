/* forced_wave.c - a wave driven from everywhere and from its ends: the right-hand side and the boundary use t. */
#define ODE_NAME forced_wave
#define ODE_TITLE "test: t in the equations and in ODE_OUTSIDE"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) ((c) == 0 ? amplitude * t : REAL(0.75))
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)                        \
    INTEGER(points, 40, 1, 1e6, "", "mass points")           \
    REAL(speed, 3, 0, 100, "1/s", "speed over spacing")      \
    REAL(amplitude, 0.3, -10, 10, "", "of the ends' motion")
#define ODE_DERIVED(CONSTANT) CONSTANT(speed2, speed * speed) CONSTANT(speed4, speed2 * speed2)
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = AT(0, 1);
    DOT(1) = fma(speed2, LAPLACE(0) + AT(-1, 1) - AT(1, 1), t * (1 - t) / (1 + t * t)) - AT(0, 0) / speed4;
)

ODE_INITIAL(
    Y0(0) = 1.0 / (double)(ix + 3);
    Y0(1) = (double)(ix % 5) - 2;
)
