/* distant.c - components coupled over a distance that is a parameter. */
#define ODE_NAME distant
#define ODE_TITLE "test: any access distance"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE distance
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(size, 40, 1, 1e9, "", "")        \
    INTEGER(distance, 9, 0, 1e9, "", "")
#include <eulercl/ode_problem.h>

#define FURTHER(j) ((j) < n ? Y(j) : t)
#define BEFORE(j) ((j) >= 0 ? Y(j) : -t)

ODE_EVAL_COMP( return FURTHER(i + (ode_index)distance) - BEFORE(i - (ode_index)distance) + REAL(0.25) * Y(i); )
ODE_INITIAL( Y0(0) = (double)(i % 13) / 13; )
