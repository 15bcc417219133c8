/* my_chain.c - a problem of your own for libeulercl: y_i' = f_i(t, y), component by component.
 *
 *     eulercl check my_chain.c
 *     eulercl solve my_chain.c --h auto --t-end 100 --out my_chain.png
 *
 * This file solves a chain of vessels, each of which mixes with its two neighbours; the ends are closed. Change
 * the lines below to your equations, from top to bottom. This is a general problem, for systems without a grid.
 * A grid problem is faster and shorter (eulercl new --grid). The top of eulercl/ode_problem.h explains all words.
 */
#define ODE_NAME my_chain
#define ODE_TITLE "vessels that mix with their neighbours"
#define ODE_SIZE vessels               /* n, the number of components */
#define ODE_ACCESS_DISTANCE 1          /* component i reads Y(i - 1), Y(i) and Y(i + 1) only; eulercl check verifies this */
/* If your solution spreads into zeros, remove the two slashes below: values whose magnitude is below 1e-12 then become
   0. Without it they become subnormal numbers, with which processors compute slowly; eulercl check finds that. */
// #define ODE_FLUSH_BELOW(c) 1e-12

/* Name, default, least and greatest value, unit, meaning: eulercl solve my_chain.c -p vessels=1000 -p rate=0.5 */
#define ODE_PARAMETERS(REAL, INTEGER)                                  \
    INTEGER(vessels, 200, 1, 1e12, "", "vessels")                      \
    REAL(rate, 1, 0, 1e9, "1/s", "mixing rate")
#include <eulercl/ode_problem.h>

/* The derivative of component i; t is the time. Y(j) may be read for 0 <= j < n. */
ODE_EVAL_COMP(
    const ode_real before = i > 0 ? Y(i - 1) : Y(i), after = i < n - 1 ? Y(i + 1) : Y(i);
    return rate * fma(-2, Y(i), before + after);
)

/* The value of component i at t = 0, in double. You may use exp, sin and all of math.h here. */
ODE_INITIAL(
    const double x = (double)(i + 1) / (double)(n + 1);
    Y0(0) = exp(-200 * (x - 0.5) * (x - 0.5));
)
