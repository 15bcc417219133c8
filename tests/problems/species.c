/* species.c - something hot, what grows from it, what grows from that, and what stays 0: unknowns
   of any two scales. It is not among the problems of all tests. */
#define ODE_NAME species
#define ODE_TITLE "test: unknowns of different scales, some of them 0 at the start"
#define ODE_GRID 1
#define ODE_COMPONENTS 4
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX 37
#define ODE_HAS_EXACT 1
#define ODE_PARAMETERS(REAL, INTEGER)                         \
    REAL(hot, 300, 1e-300, 1e300, "", "scale of unknown 0")   \
    REAL(rare, 1e-9, 1e-300, 1e300, "", "scale of the others") \
    REAL(start, 0, 0, 1, "", "share of it at the start")      \
    REAL(given, 0, -1e300, 1e300, "", "ATOL of unknown 1")
#define ODE_DERIVED(CONSTANT) CONSTANT(yield, rare / hot)
#define ODE_ATOL(c) ((c) == 1 ? given : 0)
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = LAPLACE(0) - REAL(0.5) * AT(0, 0);
    DOT(1) = 3 * (yield * AT(0, 0) - AT(0, 1));
    DOT(2) = LAPLACE(2) + AT(0, 1) - AT(0, 2);
    DOT(3) = LAPLACE(3) - AT(0, 3);
)

ODE_INITIAL(
    Y0(0) = hot;
    Y0(1) = start * rare;
    Y0(2) = Y0(3) = 0;
)

ODE_EXACT(
    /* c = a exp(-t/2) + b exp(-3 t), and what grows from it. */
    const double a = 1.2 * rare, b = start * rare - a;
    Y0(0) = hot * exp(-t / 2);
    Y0(1) = a * exp(-t / 2) + b * exp(-3 * t);
    Y0(2) = 2 * a * (exp(-t / 2) - exp(-t)) - b / 2 * (exp(-3 * t) - exp(-t));
    Y0(3) = 0;
)
