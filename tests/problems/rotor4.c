/* rotor4.c - as rotor.c in the general form, four at a time. */
#define ODE_NAME rotor4
#define ODE_TITLE "test: products less and plus a term, as a vector of four"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 0
#define ODE_HAS_EVAL_COMP4 1
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 40, 1, 1e9, "", "")
#include <eulercl/ode_problem.h>

#define LESS(i) (Y(i) * Y(i) - Y(i))
#define MORE(i) (Y(i) * Y(i) + Y(i))

ODE_EVAL_COMP( return i % 2 ? MORE(i) : LESS(i); )
ODE_EVAL_COMP4( return ODE_MAKE4(LESS(4 * i4), MORE(4 * i4 + 1), LESS(4 * i4 + 2), MORE(4 * i4 + 3)); )
ODE_INITIAL( Y0(0) = (double)(i % 11) / 11 - 0.5; )
