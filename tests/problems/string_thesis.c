/* string_thesis.c - the built-in string, component by component as in the thesis of 2012, sec. 3.3.
 * It has the bits of the built-in one. */
#define ODE_NAME string_thesis
#define ODE_TITLE "test: the string in the general form"
#define ODE_SIZE (2 * points)
#define ODE_ACCESS_DISTANCE 3
#define ODE_HAS_EXACT 1
#define ODE_POSITION(i) ((i) % 2 == 0)
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(points, 10000, 1, 4e18, "", "mass points") \
    REAL(K, 5, -1e9, 1e9, "1/s", "")
#define ODE_DERIVED(CONSTANT) CONSTANT(K2, K * K)
#include <eulercl/ode_problem.h>

#define PI 3.14159265358979323846

ODE_EVAL_COMP(
    if (i % 2 == 0) return Y(i + 1);
    const ode_real left = i > 1 ? Y(i - 3) : 0;
    const ode_real right = i < n - 1 ? Y(i + 1) : 0;
    return K2 * fma(-2, Y(i - 1), left + right);
)

ODE_INITIAL( Y0(0) = i % 2 ? 0 : sin(PI * (double)(i / 2 + 1) / (double)(n / 2 + 1)); )

ODE_EXACT(
    const double omega = 2 * K * sin(PI / (2 * (double)(n / 2 + 1))), shape = sin(PI * (double)(i / 2 + 1) / (double)(n / 2 + 1));
    Y0(0) = i % 2 ? -shape * omega * sin(omega * t) : shape * cos(omega * t);
)
