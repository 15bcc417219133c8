/* pasted.c - the right-hand side contains no word that reads: such words are pasted together. */
#define ODE_NAME pasted
#define ODE_TITLE "test: words made of parts"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 5, 1, 1e6, "", "")              \
    INTEGER(rows, 8, 1, 1e6, "", "")                 \
    REAL(rate, 0.3, -10, 10, "1/s", "")
#include <eulercl/ode_problem.h>

#define GLUE(a, b) a##b

ODE_POINT_RHS(
    DOT(0) = rate * GLUE(LAP, LACE)(1) - GLUE(, t) / 4;
    DOT(1) = GLUE(A, T)(1, 1, 0) - GLUE(A, T)(0, 0, 1);
)

ODE_INITIAL(
    Y0(0) = (double)((ix * 2 + iy) % 5) / 5;
    Y0(1) = (double)(iy - ix);
)
