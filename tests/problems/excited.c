/* excited.c - an excitable medium: of three components only the one in the middle spreads, and corners count. */
#define ODE_NAME excited
#define ODE_TITLE "test: one component of neighbours is read"
#define ODE_GRID 2
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 6, 1, 1e6, "", "")              \
    INTEGER(rows, 7, 1, 1e6, "", "")                 \
    REAL(rate, 0.08, -10, 10, "1/s", "")
#include <eulercl/ode_problem.h>

#define REST 0
#define VOLTAGE 1   // the only one that spreads
#define SALT 2

ODE_POINT_RHS(
    const ode_real v = AT(0, 0, VOLTAGE);
    DOT(REST) = rate * (v - AT(0, 0, REST));
    DOT(VOLTAGE) = LAPLACE(VOLTAGE) + AT(1, -1, VOLTAGE) / 8 - v * v * v / 3 - AT(0, 0, REST);
    DOT(SALT) = AT(0, 1, VOLTAGE) - AT(0, 0, SALT);
)

ODE_INITIAL(
    Y0(REST) = 0.25;
    Y0(VOLTAGE) = (double)((ix + 4 * iy) % 5) / 5;
    Y0(SALT) = (double)ix / (double)nx;
)
