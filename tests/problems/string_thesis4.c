/* string_thesis4.c - the built-in string, four components at a time (ode_eval_comp4 of the thesis).
 * It has the bits of the built-in one. */
#define ODE_NAME string_thesis4
#define ODE_TITLE "test: the string with ODE_EVAL_COMP4"
#define ODE_SIZE (2 * points)
#define ODE_ACCESS_DISTANCE 3
#define ODE_HAS_EVAL_COMP4 1
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

ODE_EVAL_COMP4(
    const ode_real4 y = Y4(i4);
    const ode_real left = i4 > 0 ? Y(4 * i4 - 2) : 0;
    const ode_real right = 4 * i4 + 4 < n ? Y(4 * i4 + 4) : 0;
    const ode_real4 sums = ODE_MAKE4(0, left + ELEMENT(y, 2), 0, ELEMENT(y, 0) + right);
    const ode_real4 pull = K2 * fma4(ODE_MAKE4(-2, -2, -2, -2), ODE_MAKE4(0, ELEMENT(y, 0), 0, ELEMENT(y, 2)), sums);
    return ODE_MAKE4(ELEMENT(y, 1), ELEMENT(pull, 1), ELEMENT(y, 3), ELEMENT(pull, 3));
)

ODE_INITIAL( Y0(0) = i % 2 ? 0 : sin(PI * (double)(i / 2 + 1) / (double)(n / 2 + 1)); )
