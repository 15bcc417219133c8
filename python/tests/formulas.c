/* SPDX-License-Identifier: BSD-2-Clause */
/* formulas.c - twenty right-hand sides in C, which test_eulercl.py also has as text. */
#define ODE_NAME formulas
#define ODE_TITLE "right-hand sides that are also written as text"
#define ODE_GRID 2
#define ODE_COMPONENTS 20
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_RADIUS 2
#define ODE_NX 11
#define ODE_NY 9
#define ODE_FIELDS(FIELD) FIELD(g)
#define ODE_PARAMETERS(REAL, INTEGER) REAL(k, 1.25, 0, 10, "", "")
#include <eulercl/ode_problem.h>
#define U(c) AT(0, 0, c)
ODE_POINT_RHS(
    const ode_real q = 1 + U(13) * U(13), x = (ode_real)ix, y = (ode_real)iy, r = U(18);
    DOT(0) = REAL(1.5) * U(1) - k * U(0); DOT(1) = U(0) * U(0) * U(2) - (k + 1) * U(1);
    DOT(2) = LAPLACE(2) - U(2) * U(2) * U(2); DOT(3) = k * LAPLACE(3) + FIELD(g) * (U(4) - U(3));
    DOT(4) = REAL(0.5) * (AT(1, 0, 4) - AT(-1, 0, 4)) - REAL(0.5) * (AT(0, 1, 5) - AT(0, -1, 5));
    DOT(5) = AT(1, 0, 6) - 2 * U(5) + AT(-1, 0, 6); DOT(6) = AT(2, -1, 7) * AT(-2, 1, 7) - U(6);
    DOT(7) = sqrt(fabs(U(8))) - U(7) / (1 + U(7) * U(7)); DOT(8) = floor(4 * U(9)) / 4 - U(8);
    DOT(9) = U(9) < REAL(0.25) ? U(10) : -U(10);
    DOT(10) = U(11) > 0 && U(10) < REAL(0.5) ? U(11) : REAL(0.1) * U(12);
    DOT(11) = -U(11) + REAL(0.3) * x - REAL(0.7) * y; DOT(12) = 1 / (q * q) - U(12);
    DOT(13) = fma(U(14), U(15), -U(13)); DOT(14) = t * U(15) - U(14);
    DOT(15) = (U(16) - U(17)) * (U(16) + U(17)) / (2 + fabs(r)); DOT(16) = REAL(1.0) / 3 - U(16);
    DOT(17) = ix == 3 || (1 < iy && iy <= 4) ? r * r * r * r - U(17) : U(19);
    DOT(18) = fmin(U(19), U(0)) - fmax(r, REAL(0.125));
    DOT(19) = sqrt(U(19) * U(19) + REAL(0.2)) - U(18);)
ODE_FIELD_VALUES(FIELD(g) = ((ix * 3 + iy * 5) % 7 - 3) / 8.0;)
ODE_INITIAL(for (int c = 0; c < 20; c++) Y0(c) = ((ix * 7 + iy * 13 + c * 5) % 17 - 8) / 16.0;)
