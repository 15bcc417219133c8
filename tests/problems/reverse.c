/* reverse.c - component i is driven by component n-1-i: every component may read every other. */
#define ODE_NAME reverse
#define ODE_TITLE "test: general form, access distance n - 1, n and t"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE (size - 1)
#define ODE_PARAMETERS(REAL, INTEGER)        \
    REAL(rate, 0.8, -10, 10, "", "")         \
    INTEGER(size, 23, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>

ODE_EVAL_COMP( return rate * Y(n - 1 - i) - t * Y(i) + REAL(i) / REAL(n); )
ODE_INITIAL( Y0(0) = (double)(n - i) / (double)n; )
