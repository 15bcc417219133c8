/* box.c - two substances in a box of cells whose six sides have rules of their own, with obstacles, points that keep their values, and diagonal neighbours, so that the order of the axes decides what edges and corners get. */
#define ODE_NAME box
#define ODE_TITLE "test: a rule for each side of a volume, obstacles"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_CENTRED ODE_CELLS
#define ODE_SPACING 1, REAL(0.5), deep
#define ODE_SIDES(SIDE)                                                              \
    SIDE(X_LOW, ODE_VALUE(c == 0 ? leak * t + (ode_real)(iy + 2 * iz) / 4 : REAL(0.75))) \
    SIDE(X_HIGH, ODE_GRADIENT((ode_real)(ny - iy + iz) / 8))                         \
    SIDE(Y_LOW, ODE_ROBIN(leak, 2 + c, t - (ode_real)(ix + iz) / 4))                 \
    SIDE(Y_HIGH, ODE_GHOST(IN(1) / 2 - IN(0) + (ode_real)(nx - ix + iz) / 8))        \
    SIDE(Z_LOW, ODE_VALUE(leak + (ode_real)(ix - iy) / 8 + t * SIDE_FIELD(wall)))    \
    SIDE(Z_HIGH, ODE_GHOST(IN(0) - IN(1) / 2 + (ode_real)(iy - 2 * ix) / 16))
#define ODE_FIELDS(FIELD) FIELD(wall)
#define ODE_OBSTACLE FIELD(wall) > REAL(0.75)
#define ODE_STILL iy == 3 && iz == 2
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 8, 2, 120, "", "")              \
    INTEGER(rows, 6, 2, 15, "", "")                  \
    INTEGER(planes, 5, 2, 13, "", "")                \
    REAL(leak, 0.4, -10, 10, "", "")                 \
    REAL(deep, 0.7, 0, 10, "", "")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(REAL(0.125), AT(1, 1, 1, 0) - AT(-1, 1, 0, 0) - AT(1, -1, -1, 1) + AT(0, -1, 1, 0), LAPLACE(0) / 8);
    DOT(1) = (OPEN(0, 0, 1) ? AT(-1, -1, -1, 1) - AT(0, 0, 1, 1) : FIELD_AT(0, 0, -1, wall)) / 8 - AT(0, 0, 0, 0) * AT(0, 0, 0, 1) / 8;
)

ODE_INITIAL(
    Y0(0) = (double)((2 * ix + iy + 4 * iz) % 9) / 9;
    Y0(1) = (double)((ix + 3 * iy + 2 * iz) % 7) / 7;
)

ODE_FIELD_VALUES( FIELD(wall) = (double)((5 * ix + 3 * iy + 4 * iz + ix * iy) % 11) / 12; )
