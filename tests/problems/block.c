/* block.c - a block, each side of which has a rule of its own, some of the place and the time. No diagonal neighbour is read. */
#define ODE_NAME block
#define ODE_TITLE "test: rules for six sides"
#define ODE_GRID 3
#define ODE_COMPONENTS 1
#define ODE_SPACING width
#define ODE_SIDES(SIDE)                                              \
    SIDE(X_LOW, ODE_VALUE(t * REAL(iy - 2 * iz) / 8))                \
    SIDE(X_HIGH, ODE_ROBIN(1, leak, REAL(iz) / 4))                   \
    SIDE(Y_LOW, ODE_GRADIENT(t + REAL(ix + iz) / 16))                \
    SIDE(Y_HIGH, ODE_CLAMP_SIDE)                                     \
    SIDE(Z_LOW, ODE_GHOST(IN(1) / 2 + leak * IN(0) + REAL(ix - iy))) \
    SIDE(Z_HIGH, ODE_VALUE(leak * REAL(ix * iy) / 64))
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
/* Few points, for tests that draw sizes. */
#define ODE_PARAMETERS(REAL, INTEGER)       \
    INTEGER(columns, 6, 2, 150, "", "")     \
    INTEGER(rows, 5, 2, 12, "", "")         \
    INTEGER(planes, 4, 2, 12, "", "")       \
    REAL(leak, 0.4, 0.1, 10, "", "")        \
    REAL(width, 0.7, 0.1, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(leak, LAPLACE(0) / 8, (AT(0, 0, 1, 0) - AT(0, 0, -1, 0)) * (AT(0, 1, 0, 0) - AT(1, 0, 0, 0)) / 16) - t * AT(0, 0, 0, 0);
)

ODE_INITIAL(
    Y0(0) = (double)((3 * ix + 2 * iy + iz) % 9) / 9;
)
