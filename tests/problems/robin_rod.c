/* robin_rod.c - heat in a rod that gives heat to its surroundings at both ends: a ghost that is computed from points, t, parameters and the distance. The exact solution is a polynomial, so that the error in space is that of the ghosts alone. */
#define ODE_NAME robin_rod
#define ODE_TITLE "test: a u + b du/dn = g in one dimension, radius 2"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_RADIUS 2
#define ODE_BOUNDARY ODE_ROBIN
#define ODE_SPACING h
#define ODE_ROBIN_A(c) loss
#define ODE_ROBIN_B(c) kappa
/* at the ends, of the exact solution below */
#define ODE_ROBIN_G(c) loss * (REAL(0.0625) + 3 * kappa * t + 12 * kappa * kappa * t * t) + kappa * (REAL(0.5) + 12 * kappa * t)
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 21, 3, 1e6, "", "")      \
    /* slow enough for the default step size on 501 points, too */ \
    REAL(kappa, 0.01, 0.001, 100, "", "")    \
    REAL(loss, 0.5, -100, 100, "", "")
#define ODE_DERIVED(CONSTANT)                \
    CONSTANT(h, 1 / (points - 1))            \
    CONSTANT(rate, kappa / (h * h))
#define ODE_HAS_EXACT 1
#include <eulercl/ode_problem.h>

/* The fourth-order difference is exact for the solution. */
ODE_POINT_RHS( DOT(0) = rate * (16 * LAPLACE(0) - fma(-2, AT(0, 0), AT(-2, 0) + AT(2, 0))) / 12; )

ODE_INITIAL(
    const double x = (double)ix / (double)(nx - 1) - 0.5;
    Y0(0) = x * x * x * x;
)
ODE_EXACT(
    const double x = (double)ix / (double)(nx - 1) - 0.5;
    Y0(0) = x * x * x * x + 12 * kappa * t * (x * x + kappa * t);
)
