/* SPDX-License-Identifier: BSD-2-Clause */
/* plate.c - heat in a plate in six variants, for coefficients.sh. */
#define ODE_NAME plate
#define ODE_TITLE "heat in a plate, variant " VARIANT_NAME
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define FIXED 0
#define SIDES 1
#define FLOWS 2
#define CONSTANT_D 3
#define FIELD_D 4
#define HARMONIC_D 5
#if VARIANT == SIDES
#define ODE_CENTRED ODE_CELLS
#define ODE_SIDES(SIDE)                    \
    SIDE(X_LOW, ODE_VALUE(1))              \
    SIDE(X_HIGH, ODE_GRADIENT(REAL(0.25))) \
    SIDE(Y_LOW, ODE_ROBIN(1, 2, 0))        \
    SIDE(Y_HIGH, ODE_MIRROR_SIDE)
#else
#define ODE_BOUNDARY ODE_FIXED
#endif
#if VARIANT == FLOWS
#define ODE_OBSTACLE (ix / 16 + iy / 16) % 7 == 3
#endif
#if VARIANT == FIELD_D || VARIANT == HARMONIC_D
#define ODE_FIELDS(FIELD) FIELD(d)
#endif
#define ODE_NX m
#define ODE_NY m
#define ODE_PARAMETERS(REAL, INTEGER) \
    INTEGER(m, 2000, 3, 1e5, "", "")  \
    REAL(k, 1, 0, 10, "", "")
#include <eulercl/ode_problem.h>
#if VARIANT == CONSTANT_D
#define D(dx, dy) k
#elif VARIANT == FIELD_D || VARIANT == HARMONIC_D
#define D(dx, dy) FIELD_AT(dx, dy, d)
ODE_FIELD_VALUES(FIELD(d) = 0.5 + (double)((ix * 7 + iy * 3) % 16) / 16;)
#endif
#if VARIANT == FLOWS
ODE_POINT_RHS(DOT(0) = k * FLOW(0);)
#elif VARIANT == CONSTANT_D || VARIANT == FIELD_D
ODE_POINT_RHS(DOT(0) = DIV_GRAD(ARITHMETIC_MEAN, D, 0);)
#elif VARIANT == HARMONIC_D
ODE_POINT_RHS(DOT(0) = DIV_GRAD(HARMONIC_MEAN, D, 0);)
#else
ODE_POINT_RHS(DOT(0) = k * LAPLACE(0);)
#endif
ODE_INITIAL(Y0(0) = (double)((ix * 13 + iy * 5) % 32) / 32;)
