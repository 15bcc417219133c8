/* SPDX-License-Identifier: BSD-2-Clause */
/* sound.c - a short plane wave of sound goes through a wall with two slits:
 *
 *     p' = -c^2 (d/dx u + d/dy v),   u' = -d/dx p,   v' = -d/dy p,
 *
 * on m x m points at a distance of 1, in a box with rigid walls. The grid is staggered: u stands half
 * way to the next column, and v half way to the next row, so all differences are central ones. See
 * K. S. Yee, "Numerical solution of initial boundary value problems involving Maxwell's equations in
 * isotropic media", IEEE Trans. Antennas Propag. 14 (1966) 302-307. The pressure is the position of a
 * mechanical system, and its derivative reads velocities of neighbours; symplectic methods keep the
 * energy, and symplectic-euler is Yee's leapfrog.
 */
#define ODE_NAME sound
#define ODE_TITLE "sound through two slits"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_FIXED
#define ODE_POSITION(component) ((component) == 0)
#define ODE_FIELDS(FIELD) FIELD(right) FIELD(down)
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(m, 200, 8, 1e6, "", "grid points per side")                \
    REAL(c, 1, 0, 1e6, "", "speed of sound")                           \
    REAL(gap, 0.06, 0, 1, "", "width of a slit, as a share of the side") \
    REAL(apart, 0.2, 0, 1, "", "distance of the slits, likewise")
#include <eulercl/ode_problem.h>

#define P 0
#define U 1
#define V 2

/* FIELD(right) and FIELD(down) are 1 where air can move, and 0 in walls. */
ODE_POINT_RHS(
    DOT(P) = -c * c * ((AT(0, 0, U) - AT(-1, 0, U)) + (AT(0, 0, V) - AT(0, -1, V)));
    DOT(U) = FIELD(right) * (AT(0, 0, P) - AT(1, 0, P));
    DOT(V) = FIELD(down) * (AT(0, 0, P) - AT(0, 1, P));
)

ODE_INITIAL(
    const double scale = (double)nx / 40, place = ((double)ix - 0.15 * (double)nx) / scale;
    Y0(P) = exp(-place * place) * cos(2 * place);
    Y0(U) = Y0(P) / c;
    Y0(V) = 0;
)

ODE_FIELD_VALUES(
    const ode_index wall = 2 * nx / 5;
    const double off = fabs(fabs((double)iy / (double)ny - 0.5) - apart / 2);
    const int is_closed = ix >= wall && ix < wall + 2 && off > gap / 2;
    FIELD(right) = ix < nx - 1 && !is_closed && !(ix == wall - 1 && off > gap / 2);
    FIELD(down) = iy < ny - 1 && !is_closed;
)
