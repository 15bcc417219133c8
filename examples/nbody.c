/* SPDX-License-Identifier: BSD-2-Clause */
/* nbody.c - bodies that attract each other, each all others, in three dimensions:
 *
 *     x_i' = v_i,   v_i' = G m sum_j (x_j - x_i) / (|x_j - x_i|^2 + s^2)^(3/2),
 *
 * where m = 1 / bodies is the mass of each, and s a length below which the force no longer grows
 * (softening). A body does not attract itself, since the distance is 0. A point of the grid is a body.
 * Places and velocities are told apart by ODE_POSITION: symplectic methods keep the energy.
 */
#define ODE_NAME nbody
#define ODE_TITLE "bodies that attract each other"
#define ODE_GRID 1
#define ODE_COMPONENTS 6
#define ODE_NX bodies
#define ODE_ACCESS_ALL 1
#define ODE_POSITION(c) ((c) < 3)
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(bodies, 256, 1, 1e9, "", "bodies")                         \
    REAL(G, 1, 0, 1e9, "m^3/(kg s^2)", "constant of gravitation")      \
    REAL(softening, 0.1, 1e-6, 1e6, "m", "length of the softening")
#define ODE_DERIVED(CONSTANT)                  \
    CONSTANT(strength, G / bodies)             \
    CONSTANT(softening2, softening * softening)
#include <eulercl/ode_problem.h>

enum { X, Y, Z, U, V, W };

ODE_POINT_RHS(
    const ode_real x = AT(0, X), y = AT(0, Y), z = AT(0, Z);
    ode_real ax = 0, ay = 0, az = 0;
    ODE_EACH(j) {
        const ode_real dx = OTHER(X) - x, dy = OTHER(Y) - y, dz = OTHER(Z) - z;
        const ode_real square = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening2)));
        const ode_real pull = strength / (square * sqrt(square));
        ax = fma(pull, dx, ax);
        ay = fma(pull, dy, ay);
        az = fma(pull, dz, az);
    }
    DOT(X) = AT(0, U);
    DOT(Y) = AT(0, V);
    DOT(Z) = AT(0, W);
    DOT(U) = ax;
    DOT(V) = ay;
    DOT(W) = az;
)

/* A disc of radius 1, slightly thick: body i is on a spiral that fills it evenly, and moves on a
 * circle with the speed at which the mass inside its radius r, r^2 of all, keeps it. */
ODE_INITIAL(
    const double r = sqrt(((double)ix + 0.5) / (double)nx), angle = 2.399963229728653 * (double)ix;
    const double speed = sqrt(G * r * r * r / (r * r + softening2));
    Y0(X) = r * cos(angle);
    Y0(Y) = r * sin(angle);
    Y0(Z) = 0.05 * sin(17 * angle);
    Y0(U) = -speed * sin(angle);
    Y0(V) = speed * cos(angle);
    Y0(W) = 0;
)
