/* hidden.c - reads are hidden in macros with parameters, components have their names from an enum,
 * and one name is also that of a macro. */
#define ODE_NAME hidden
#define ODE_TITLE "test: reads behind macros and an enum"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 6, 1, 1e6, "", "")              \
    INTEGER(rows, 5, 1, 1e6, "", "")                 \
    REAL(rate, 0.4, -10, 10, "1/s", "")
#include <eulercl/ode_problem.h>

enum { U, V, W };
#define X 0
#define FLUX(c) (AT(1, 0, c) - AT(0, 0, c))
#define AWAY(X) (AT(0, -1, X) - AT(0, 0, X))
#define BESIDE(x, y) AT(x, y, X)

ODE_POINT_RHS(
    DOT(X) = rate * FLUX(V) + AT(-1, 0, W);
    DOT(V) = rate * AWAY(2) + BESIDE(1, 1);
    DOT(W) = FLUX(0) + BESIDE(-1, 1) / 4;
)

ODE_INITIAL(
    Y0(U) = (double)ix / (double)nx;
    Y0(V) = (double)iy / (double)ny;
    Y0(W) = (double)((ix + iy) % 3);
)
