/* SPDX-License-Identifier: BSD-2-Clause */
/* seepage.c - pressure that spreads through the pores of a rock. The conductivity is read from a
 * picture: white grains let nothing through. */
#define ODE_NAME seepage
#define ODE_TITLE "pressure in a porous rock, from a picture"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_FIELDS(FIELD) FIELD(rock)
#define ODE_OBSTACLE FIELD(rock) > 0.75
#define ODE_CENTRED ODE_CELLS
#define ODE_SPACING 1
#define ODE_SIDES(SIDE)            \
    SIDE(X_LOW, ODE_VALUE(1))      \
    SIDE(X_HIGH, ODE_VALUE(0))     \
    SIDE(Y_LOW, ODE_MIRROR_SIDE)   \
    SIDE(Y_HIGH, ODE_MIRROR_SIDE)
#define ODE_NX nx_points
#define ODE_NY ny_points
#define ODE_PARAMETERS(REAL, INTEGER)                             \
    INTEGER(nx_points, 200, 2, 1e5, "", "columns of the picture") \
    INTEGER(ny_points, 120, 2, 1e5, "", "rows of the picture")    \
    REAL(kappa, 1, 0, 1e3, "", "diffusivity in open pores")
#include <eulercl/ode_problem.h>

/* Dark pores conduct best. */
#define CONDUCTIVITY(dx, dy) (1 - FIELD_AT(dx, dy, rock))

ODE_POINT_RHS( DOT(0) = kappa * DIV_GRAD(HARMONIC_MEAN, CONDUCTIVITY, 0); )

ODE_INITIAL( Y0(0) = 0; )
