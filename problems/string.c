/* string.c - a vibrating string with fixed ends, as mass points joined by springs:
 *
 *     u_i' = v_i,   v_i' = K^2 (u_{i-1} - 2 u_i + u_{i+1}),   u = 0 at the virtual points -1 and `points`,
 *     u_i(0) = sin(pi (i+1) / (points+1)),   v_i(0) = 0.
 *
 * Problem STRING of J. Kulbe, Bayreuth Reports on Parallel and Distributed Systems 3 (2012), sec. 3.3. The initial state is
 * the slowest normal mode, whose angular frequency is omega = 2 K sin(pi / (2 (points+1))).
 */
#define ODE_NAME string
#define ODE_TITLE "vibrating string with fixed ends"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX points
#define ODE_ACCESS_DISTANCE 3
#define ODE_HAS_EXACT 1
#define ODE_POSITION(c) ((c) == 0)
#define ODE_PARAMETERS(REAL, INTEGER)                            \
    INTEGER(points, 10000, 1, 4e18, "", "mass points")           \
    REAL(K, 5, -1e9, 1e9, "1/s", "square root of spring constant over mass")
#define ODE_DERIVED(CONSTANT) CONSTANT(K2, K * K)
#include <eulercl/ode_problem.h>

#define U 0
#define V 1
#define PI 3.14159265358979323846

ODE_POINT_RHS(
    DOT(U) = AT(0, V);
    DOT(V) = K2 * LAPLACE(U);
)

ODE_INITIAL(
    Y0(U) = sin(PI * (double)(ix + 1) / (double)(nx + 1));
    Y0(V) = 0;
)

ODE_EXACT(
    const double omega = 2 * K * sin(PI / (2 * (double)(nx + 1))), shape = sin(PI * (double)(ix + 1) / (double)(nx + 1));
    Y0(U) = shape * cos(omega * t);
    Y0(V) = -shape * omega * sin(omega * t);
)
