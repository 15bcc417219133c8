/* swing.c - two fields that are driven from everywhere and from their edges: time factors in the equations, in a macro and in ODE_OUTSIDE. */
#define ODE_NAME swing
#define ODE_TITLE "test: calls that depend on the time alone"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_FIXED
#define ODE_OUTSIDE(c) ((c) == 0 ? DRIVE : REAL(0.5) - t)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 7, 1, 1e6, "", "")              \
    INTEGER(rows, 5, 1, 1e6, "", "")                 \
    REAL(omega, 3, 0, 100, "1/s", "")
#define ODE_DERIVED(CONSTANT) CONSTANT(phase, omega / 7)
#define DRIVE (sin(omega * t \
                   + phase) / 4)
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.5), LAPLACE(0), DRIVE * AT(0, 0, 1));
    DOT(1) = LAPLACE(1) / 4 - cos(t
        / 3) * AT(1, 0, 0) - (t + 1) * AT(0, -1, 0) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy) % 9) / 9;
    Y0(1) = (double)(iy - ix) / (double)(nx + ny);
)
