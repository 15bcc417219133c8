/* bruss3d.c - the Brusselator, a chemical oscillator, with diffusion in the unit cube:
 *
 *     u' = A + u^2 v - (B+1) u + d lap u,   v' = B u - u^2 v + d lap v,   d = alpha (m-1)^2,
 *
 * lap = sum of the six neighbours minus 6 times the point, on m x m x m points, mirrored at the boundary (no flux):
 * point -1 has the values of point 1. u(0) = 0.5 + (y + z) / 2, v(0) = 1 + 5 x. It is problem BRUSS2D of Hairer, Norsett, Wanner,
 * "Solving Ordinary Differential Equations I", sec. II.10, with a third axis; where y = z it begins with the values of BRUSS2D.
 */
#define ODE_NAME bruss3d
#define ODE_TITLE "Brusselator with diffusion in a cube"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX m
#define ODE_NY m
#define ODE_NZ m
#define ODE_ACCESS_DISTANCE (2 * m * m)
#define ODE_PARAMETERS(REAL, INTEGER)                                       \
    INTEGER(m, 20, 2, 1e6, "", "grid points per edge")                      \
    REAL(alpha, 2e-3, 0, 1e9, "1/s", "diffusion coefficient over the edge squared") \
    REAL(A, 1, -1e9, 1e9, "", "feed of u")                                  \
    REAL(B, 3.4, -1e9, 1e9, "", "rate of u to v")
#define ODE_DERIVED(CONSTANT)                                               \
    CONSTANT(d, alpha * (m - 1) * (m - 1))                                  \
    CONSTANT(B1, B + 1)
#include <eulercl/ode_problem.h>

#define U 0
#define V 1

ODE_POINT_RHS(
    const ode_real u = AT(0, 0, 0, U), w = u * u * AT(0, 0, 0, V);
    DOT(U) = fma(d, LAPLACE(U), fma(-B1, u, A + w));
    DOT(V) = fma(d, LAPLACE(V), fma(B, u, -w));
)

ODE_INITIAL(
    Y0(U) = 0.5 + ((double)iy / (double)(ny - 1) + (double)iz / (double)(nz - 1)) / 2;
    Y0(V) = 1 + 5 * ((double)ix / (double)(nx - 1));
)
