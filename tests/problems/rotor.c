/* rotor.c - neighbouring components a * b - c and a * b + c, of which GCC 12 makes one multiply-add when it vectorises, with contraction switched off. Four
   components, so that the vector of four values alternates too. */
#define ODE_NAME rotor
#define ODE_TITLE "test: products less and plus a term, side by side"
#define ODE_GRID 1
#define ODE_COMPONENTS 4
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 20, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = AT(-1, 0) * AT(0, 1) - AT(1, 0);
    DOT(1) = AT(-1, 1) * AT(0, 0) + AT(1, 1);
    DOT(2) = AT(-1, 2) * AT(0, 3) - AT(1, 2);
    DOT(3) = AT(-1, 3) * AT(0, 2) + AT(1, 3);
)

ODE_INITIAL(
    for (int c = 0; c < 4; c++) Y0(c) = (double)((7 * ix + 3 * c) % 11) / 11 - 0.5;
)
