/* SPDX-License-Identifier: BSD-2-Clause */
/* four_sides.c - heat in a plate of width 1 and height 1/2 whose four sides behave differently:
 *
 *     u' = u_xx + u_yy,
 *
 * on cells. The left side has the temperature sin(2 pi f t), and heat flows in through the right
 * one, more of it at the top. The lower side gives heat to air of temperature 0, so that
 * du/dn = -loss u, and the upper one is insulated.
 */
#define ODE_NAME four_sides
#define ODE_TITLE "heat in a plate with four different sides"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_CENTRED ODE_CELLS
#define ODE_SPACING dx, dy
#define ODE_SIDES(SIDE)                                                \
    SIDE(X_LOW, ODE_VALUE(sin(REAL(6.283185307179586) * f * t)))       \
    SIDE(X_HIGH, ODE_GRADIENT(inflow * ((ode_real)iy + REAL(0.5)) * dy)) \
    SIDE(Y_LOW, ODE_ROBIN(loss, 1, 0))                                 \
    SIDE(Y_HIGH, ODE_MIRROR_SIDE)
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                       \
    INTEGER(m, 100, 1, 1e9, "", "cells per side")           \
    REAL(f, 2, 0, 1e6, "", "oscillations per unit of time") \
    REAL(inflow, 4, -1e6, 1e6, "", "gradient on the right, per height") \
    REAL(loss, 5, 0, 1e6, "", "loss to the air below")
#define ODE_DERIVED(CONSTANT)                               \
    CONSTANT(dx, 1 / m) CONSTANT(dy, 0.5 / m)               \
    CONSTANT(across, 1 / (dx * dx)) CONSTANT(down, 1 / (dy * dy))
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0);
    DOT(0) = across * fma(-2, u, AT(-1, 0, 0) + AT(1, 0, 0)) + down * fma(-2, u, AT(0, -1, 0) + AT(0, 1, 0));
)

ODE_INITIAL( Y0(0) = 0; )
