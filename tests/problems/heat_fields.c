/* heat_fields.c - heat in a plate whose conductivity and sources differ from point to point. */
#define ODE_NAME heat_fields
#define ODE_TITLE "test: coefficient fields, clamped boundary"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_FIELDS(FIELD) FIELD(conductivity) FIELD(source)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER)                \
    INTEGER(columns, 9, 1, 1e6, "", "")              \
    INTEGER(rows, 7, 1, 1e6, "", "")                 \
    REAL(kappa, 1.7, 0, 100, "m^2/s", "diffusivity")
#include <eulercl/ode_problem.h>

ODE_POINT_RHS(
    DOT(0) = fma(kappa * FIELD(conductivity), LAPLACE(0), FIELD(source));
)

ODE_INITIAL( Y0(0) = (double)((3 * ix + 5 * iy) % 7) / 7; )

ODE_FIELD_VALUES(
    FIELD(conductivity) = 1 + (double)(ix % 4) / 3 + (double)iy / (double)ny;
    FIELD(source) = (double)(iy % 3) / 10 - kappa / 100 + (double)ix / (double)nx;
)
