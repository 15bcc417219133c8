/* coupled.c - a stage that couples the components of a point, which no released word makes yet: IMEX Euler steps, explicit for what reads neighbours and implicit for a
 * fast exchange between the two components, u' = v - u and v' = u - v times `rate`. Each step solves a system of two equations per point. */
#define ODE_NAME coupled
#define ODE_TITLE "test: implicit per point, explicit between points"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX columns
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(columns, 50, 2, 1e6, "", "") REAL(rate, 1000, 0, 1e9, "1/s", "")
/* (1 + g) u - g v = p, (1 + g) v - g u = q with g = hb rate: the sum u + v is p + q, and the difference is divided by 1 + 2 g. */
#define ODE_POINT_SOLVE_(c, hb, u) fma(REAL(0.5), ((u)[c] - (u)[1 - (c)]) / fma(REAL(2), (hb) * rate, REAL(1)), REAL(0.5) * ((u)[0] + (u)[1]))
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.25), LAPLACE(0), REAL(0.0625) * (AT(1, 1) - AT(-1, 1)));
    DOT(1) = fma(REAL(0.125), LAPLACE(1), REAL(0.0625) * (AT(1, 0) - AT(-1, 0)));
)

ODE_INITIAL(
    Y0(0) = (double)(ix % 7) / 7;
    Y0(1) = 1 - (double)(ix % 5) / 5;
)
