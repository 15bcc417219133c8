/* SPDX-License-Identifier: BSD-2-Clause */
/* cahn_hilliard.c - two liquids that part. J. W. Cahn, J. E. Hilliard, "Free energy of a nonuniform
 * system. I", J. Chem. Phys. 28 (1958) 258-267. */
#define ODE_NAME cahn_hilliard
#define ODE_TITLE "two liquids that part (Cahn-Hilliard)"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_RADIUS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                            \
    INTEGER(m, 100, 5, 1e5, "", "points along a side")           \
    REAL(gamma, 1, 0, 100, "", "square of the width of a border") \
    REAL(mean, 0, -1, 1, "", "mean concentration at the start")
#include <eulercl/ode_problem.h>

/* The chemical potential at a neighbour. */
#define MU(dx, dy)                                                                            \
    (AT(dx, dy, 0) * AT(dx, dy, 0) * AT(dx, dy, 0) - AT(dx, dy, 0) -                          \
        gamma * ((AT((dx) + 1, dy, 0) + AT((dx)-1, dy, 0)) +                                  \
                    (AT(dx, (dy) + 1, 0) + AT(dx, (dy)-1, 0)) - 4 * AT(dx, dy, 0)))

ODE_POINT_RHS( DOT(0) = MU(1, 0) + MU(-1, 0) + (MU(0, 1) + MU(0, -1)) - 4 * MU(0, 0); )

/* Noise that does not depend on the machine. */
ODE_INITIAL(
    const double s = sin(12.9898 * (double)(ix + 1) + 78.233 * (double)(iy + 1)) * 43758.5453;
    Y0(0) = mean + 0.2 * (s - floor(s) - 0.5);
)
