/* seven.c - seven decays: the shortest problem there is, without a parameter. */
#define ODE_NAME seven
#define ODE_TITLE "test: no parameters"
#define ODE_SIZE 7
#define ODE_ACCESS_DISTANCE 0
#include <eulercl/ode_problem.h>

ODE_EVAL_COMP( return -Y(i); )
ODE_INITIAL( Y0(0) = 1 + (double)i; )
