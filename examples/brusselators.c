/* SPDX-License-Identifier: BSD-2-Clause */
/* brusselators.c - many small Brusselators in one run, each with its own B:
 *
 *     u' = A + u^2 v - (B_s + 1) u + d lap u,   v' = B_s u - u^2 v + d lap v,   d = alpha (m-1)^2,
 *     B_s = B + s dB,   s = 0 .. systems - 1,
 *
 * as bruss2d: on m x m points, mirrored at the boundary. The systems stand one below the other in
 * one grid. At its upper and lower end each has a boundary of its own, which the text says: it
 * takes the row on the other side. A GPU computes them all in one launch; one small system leaves
 * most of it idle. All take the same steps, and if one of them grows without bound, the run ends.
 */
#define ODE_NAME brusselators
#define ODE_TITLE "many Brusselators, each with its own B"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX m
#define ODE_NY (m * systems)
#define ODE_PARAMETERS(REAL, INTEGER)                                               \
    INTEGER(m, 100, 2, 1000, "", "grid points per side of a system")               \
    INTEGER(systems, 16, 1, 4000, "", "systems")                                   \
    REAL(alpha, 2e-3, 0, 1e9, "1/s", "diffusion coefficient over the side squared") \
    REAL(A, 1, -1e9, 1e9, "", "feed of u")                                          \
    REAL(B, 3.4, -1e9, 1e9, "", "rate of u to v in the first system")               \
    REAL(dB, -0.1, -1e9, 1e9, "", "what the rate of each next system has in addition")
#define ODE_DERIVED(CONSTANT)               \
    CONSTANT(d, alpha * (m - 1) * (m - 1)) \
    CONSTANT(inverse, 1.0 / m)
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    /* Real numbers: processors have no vectors of integer divisions. */
    const ode_real y = (ode_real)(int)iy, system = floor((y + REAL(0.5)) * inverse);
    const ode_real row = fma(-m, system, y), rate = fma(dB, system, B);
    /* How often the rows below and above count. */
    const ode_real below = 1 + (row == 0) - (row == m - 1), above = 2 - below;
    const ode_real u = AT(0, 0, U), v = AT(0, 0, V), w = u * u * v;
    const ode_real u_rows = fma(below, AT(0, 1, U), above * AT(0, -1, U));
    const ode_real v_rows = fma(below, AT(0, 1, V), above * AT(0, -1, V));
    DOT(U) = fma(d, fma(-4, u, u_rows + (AT(-1, 0, U) + AT(1, 0, U))), fma(-(rate + 1), u, A + w));
    DOT(V) = fma(d, fma(-4, v, v_rows + (AT(-1, 0, V) + AT(1, 0, V))), fma(rate, u, -w));
)

ODE_INITIAL(
    Y0(U) = 0.5 + (double)(iy % (int64_t)m) / (m - 1);
    Y0(V) = 1 + 5 * ((double)ix / (double)(nx - 1));
)
