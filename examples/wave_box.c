/* SPDX-License-Identifier: BSD-2-Clause */
/* wave_box.c - a bang in a room:
 *
 *     p'' = c^2 lap p,   no flux through the walls,
 *
 * where lap is the sum of the six neighbours minus 6 times the point, and p is the pressure at
 * nx x ny x nz points. The walls are rigid and send the wave back. Symplectic methods keep its energy;
 * Verlet's is stable for h < 2 / (sqrt(12) c).
 */
#define ODE_NAME wave_box
#define ODE_TITLE "a bang in a room"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_CENTRED ODE_CELLS
#define ODE_POSITION(component) ((component) == 0)
#define ODE_NX length
#define ODE_NY width
#define ODE_NZ height
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(length, 120, 1, 1e6, "", "grid points along x")           \
    INTEGER(width, 80, 1, 1e6, "", "grid points along y")             \
    INTEGER(height, 60, 1, 1e6, "", "grid points along z")            \
    REAL(c, 1, 0, 1e6, "", "speed of sound")                          \
    REAL(radius, 4, 1e-3, 1e6, "", "of the bang")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = AT(0, 0, 0, 1);
    DOT(1) = c * c * LAPLACE(0);
)

/* The bang is nearer to one end of the room, and to the floor. */
ODE_INITIAL(
    const double x = ((double)ix - 0.3 * (double)nx) / radius, y = ((double)iy - 0.5 * (double)ny) / radius;
    const double z = ((double)iz - 0.3 * (double)nz) / radius;
    Y0(0) = exp(-(x * x + y * y + z * z));
    Y0(1) = 0;
)
