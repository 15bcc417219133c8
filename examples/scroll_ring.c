/* SPDX-License-Identifier: BSD-2-Clause */
/* scroll_ring.c - a wave of excitation that turns around a ring, in a block of heart muscle:
 *
 *     u' = lap u + u (1 - u) (u - (v + b) / a) / eps,   v' = u - v,
 *
 * on 2m x m x 2m points, without flux through the sides. This is the model of D. Barkley, "A model for
 * fast computer simulation of waves in excitable media", Physica D 49 (1991) 61-70. In a plane the end of
 * a wave turns around a point; in a box these points form a line, which here is a ring. The front of the
 * box is a plane of symmetry and cuts the ring in halves. See A. T. Winfree, "Scroll-shaped waves of
 * chemical activity in three dimensions", Science 181 (1973) 937-939.
 */
#define ODE_NAME scroll_ring
#define ODE_TITLE "a scroll ring of excitation (Barkley's model)"
#define ODE_GRID 3
#define ODE_COMPONENTS 2 /* u: excitation, v: recovery */
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_CENTRED ODE_CELLS
#define ODE_FLUSH_BELOW(c) 1e-12
#define ODE_NX 2 * m
#define ODE_NY m
#define ODE_NZ 2 * m
#define ODE_PARAMETERS(REAL, INTEGER)                                \
    INTEGER(m, 60, 4, 1e5, "", "points along y, half of those along x and z") \
    REAL(size, 60, 1, 1e4, "", "length along x and z")               \
    REAL(ring, 14, 0, 1e4, "", "radius of the ring at the beginning") \
    REAL(a, 0.8, 0, 10, "", "the larger, the longer a wave")         \
    REAL(b, 0.01, 0, 10, "", "threshold of excitation, times a")     \
    REAL(eps, 0.02, 1e-4, 1, "", "time scale of u over that of v")
#define ODE_DERIVED(CONSTANT)                    \
    CONSTANT(d, (2 * m / size) * (2 * m / size)) \
    CONSTANT(rate, 1 / eps)                      \
    CONSTANT(slope, 1 / a)
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0, 0), v = AT(0, 0, 0, 1);
    DOT(0) = d * LAPLACE(0) + rate * u * (1 - u) * (u - slope * (v + b));
    DOT(1) = u - v;
)

/* A disc is excited, and the muscle below it has not recovered, so it moves upwards, and its edge curls. */
ODE_INITIAL(
    const double step = size / (double)nx, x = ((double)ix + 0.5) * step - size / 2;
    const double y = ((double)iy + 0.5) * step, z = ((double)iz + 0.5) * step - size / 2;
    Y0(0) = hypot(x, y) < ring && z > 0 && z < 3 ? 1 : 0;
    Y0(1) = z <= 0 ? a / 2 : 0;
)
