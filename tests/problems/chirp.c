/* chirp.c - components coupled five apart and driven in time, one or four at a time. */
#define ODE_NAME chirp
#define ODE_TITLE "test: t in the general form, with ODE_EVAL_COMP4"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 5
#define ODE_HAS_EVAL_COMP4 1
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(size, 27, 1, 1e6, "", "")        \
    REAL(rate, 0.7, -10, 10, "1/s", "")
#include <eulercl/ode_problem.h>

#define AHEAD(j) ((j) + 5 < n ? Y((j) + 5) : t)
#define BEHIND(j) ((j) >= 5 ? Y((j) - 5) : -t)

ODE_EVAL_COMP( return fma(rate, AHEAD(i) - BEHIND(i), t / 8 - Y(i)); )

ODE_EVAL_COMP4(
    const ode_real4 ahead = ODE_MAKE4(AHEAD(4 * i4), AHEAD(4 * i4 + 1), AHEAD(4 * i4 + 2), AHEAD(4 * i4 + 3));
    const ode_real4 behind = ODE_MAKE4(BEHIND(4 * i4), BEHIND(4 * i4 + 1), BEHIND(4 * i4 + 2), BEHIND(4 * i4 + 3));
    const ode_real drive = t / 8;
    return fma4(ODE_MAKE4(rate, rate, rate, rate), ahead - behind, ODE_MAKE4(drive, drive, drive, drive) - Y4(i4));
)

ODE_INITIAL( Y0(0) = (double)(i % 11) / 11 - 0.5; )
