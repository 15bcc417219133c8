/* SPDX-License-Identifier: BSD-2-Clause */
/* scar_tissue.c - a wave of excitation that turns around a scar, in heart muscle whose conductivity
 * falls towards it. Barkley's model; D. Barkley, "A model for fast computer simulation of waves in
 * excitable media", Physica D 49 (1991) 61-70. */
#define ODE_NAME scar_tissue
#define ODE_TITLE "excitation around scar tissue (Barkley's model)"
#define ODE_GRID 2
#define ODE_COMPONENTS 2 /* u: excitation, v: recovery */
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_CENTRED ODE_CELLS
#define ODE_FIELDS(FIELD) FIELD(conductivity)
#define ODE_OBSTACLE FIELD(conductivity) <= 0
#define ODE_FLUSH_BELOW(c) 1e-12
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER)                                \
    INTEGER(m, 160, 16, 1e5, "", "points along a side")              \
    REAL(size, 64, 1, 1e4, "", "length of a side")                   \
    REAL(a, 0.75, 0, 10, "", "the larger, the longer a wave")        \
    REAL(b, 0.06, 0, 10, "", "threshold of excitation, times a")     \
    REAL(eps, 0.02, 1e-4, 1, "", "time scale of u over that of v")
#define ODE_DERIVED(CONSTANT)                    \
    CONSTANT(c, (m / size) * (m / size))         \
    CONSTANT(rate, 1 / eps)                      \
    CONSTANT(slope, 1 / a)
#include <eulercl/ode_problem.h>

#define CONDUCTIVITY(dx, dy) FIELD_AT(dx, dy, conductivity)

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0), v = AT(0, 0, 1);
    DOT(0) = c * DIV_GRAD(HARMONIC_MEAN, CONDUCTIVITY, 0) + rate * u * (1 - u) * (u - slope * (v + b));
    DOT(1) = u - v;
)

ODE_INITIAL(
    Y0(0) = 2 * ix > nx && iy > ny / 8 ? 1 : 0;
    Y0(1) = 2 * iy > ny ? a / 2 : 0;
)

/* A scar with two lobes, and a border where the muscle conducts less. */
ODE_FIELD_VALUES(
    const double x = ((double)ix + 0.5) / (double)nx;
    const double y = ((double)iy + 0.5) / (double)ny;
    const double left = hypot(x - 0.43, y - 0.47);
    const double right = hypot(x - 0.57, 1.3 * (y - 0.53));
    const double apart = fmin(left - 0.12, right - 0.14);
    FIELD(conductivity) = apart <= 0 ? 0 : fmin(1, 0.2 + 10 * apart);
)
