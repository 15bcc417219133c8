/* SPDX-License-Identifier: BSD-2-Clause */
/* beam.c - a slender, slightly damped beam (Euler and Bernoulli), whose force is proportional to
 * the fourth derivative of its bending:
 *
 *     w' = v,   v' = -k (w_{i-2} - 4 w_{i-1} + 6 w_i - 4 w_{i+1} + w_{i+2}) - c v,
 *
 * where k is the bending stiffness over mass per length and over the grid spacing to the fourth,
 * on m points of a closed ring. See S. Timoshenko, "Vibration Problems in Engineering" (1928), ch.
 * 5. A wave with q periods round the ring has the frequency 4 sqrt(k) sin^2(pi q / m): short waves
 * outrun long ones, so a bump does not keep its shape. Explicit Euler needs the damping: it is
 * stable for h < c / (16 k) if that is below 2 / c.
 */
#define ODE_NAME beam
#define ODE_TITLE "vibrating beam, bent into a ring"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_RADIUS 2
#define ODE_NX m
#define ODE_PARAMETERS(REAL, INTEGER)                                 \
    INTEGER(m, 1000, 1, 1e12, "", "grid points")                      \
    REAL(k, 0.25, 0, 1e9, "1/s^2", "bending stiffness")               \
    REAL(c, 0.05, 0, 1e9, "1/s", "damping")
#include <eulercl/ode_problem.h>

#define W 0
#define V 1

ODE_POINT_RHS(
    const ode_real near = AT(-1, W) + AT(1, W), far = AT(-2, W) + AT(2, W);
    DOT(W) = AT(0, V);
    DOT(V) = -k * (6 * AT(0, W) - 4 * near + far) - c * AT(0, V);
)

/* A bump in the middle, a twentieth of the ring wide, is released at rest. */
ODE_INITIAL(
    const double x = 20 * ((double)ix / (double)nx - 0.5);
    Y0(W) = exp(-x * x);
    Y0(V) = 0;
)
