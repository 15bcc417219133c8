/* SPDX-License-Identifier: BSD-2-Clause */
/* beeler_reuter.c - waves of excitation in a sheet of heart muscle:
 *
 *     V' = D lap V - (i_K1 + i_x1 + i_Na + i_s) / C + stimuli,   lap V = (sum of the four
 *     neighbours minus 4 V) / dx^2,
 *
 * and seven more unknowns of each cell, on points x points with a distance of dx and no current
 * through the edges. Currents and rates are those of G. W. Beeler and H. Reuter, "Reconstruction of the
 * action potential of ventricular myocardial fibres", J. Physiol. 268 (1977) 177-210, with
 * C = 1 uF/cm^2. Units are mV, ms, cm and uA/cm^2; calcium is in umol/l.
 *
 * Stimulus S1 excites the left edge at t = 0: a plane wave runs to the right, about 0.045 cm in a ms.
 * S2 excites the lower left quadrant at t = s2. Where the first wave has just passed, cells cannot be
 * excited again, so the second one can only run round that region, and becomes a spiral if s2 is
 * right and the sheet is large enough. As published, the wave is 12 cm long; with gs = 0.03, 3 cm.
 * Euler steps are stable for h up to 0.024.
 */
#define ODE_NAME beeler_reuter
#define ODE_TITLE "Beeler-Reuter: a sheet of heart muscle"
#define ODE_GRID 2
#define ODE_COMPONENTS 8
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX points
#define ODE_NY points
#define ODE_BREAKPOINTS(TIME) TIME(duration) TIME(s2) TIME(s2 + duration)
#define ODE_PARAMETERS(REAL, INTEGER)                                                     \
    INTEGER(points, 200, 2, 1e6, "", "grid points per side")                             \
    REAL(dx, 0.025, 1e-4, 1, "cm", "grid spacing")                                       \
    REAL(D, 1e-3, 0, 1, "cm^2/ms", "diffusion coefficient of the voltage")               \
    REAL(gNa, 4, 0, 100, "mS/cm^2", "conductance of the sodium current")                 \
    REAL(gs, 0.09, 0, 10, "mS/cm^2", "conductance of the slow inward current")           \
    REAL(s2, 350, 0, 1e6, "ms", "time of the stimulus of the quadrant")                  \
    REAL(duration, 2, 0, 1e3, "ms", "duration of each stimulus")                         \
    REAL(strength, 50, 0, 1e4, "uA/cm^2", "current of each stimulus")
#define ODE_DERIVED(CONSTANT) CONSTANT(spread, D / (dx * dx))
#include <eulercl/ode_problem.h>

enum { VOLTAGE, CALCIUM, GATE_X1, GATE_M, GATE_H, GATE_J, GATE_D, GATE_F };

/* The paper's table of rates; its columns C4 and C5 are used by alpha of gate m alone. */
#define RATE(c1, c2, c3, c6, c7) \
    (REAL(c1) * exp(REAL(c2) * (v + REAL(c3))) / (exp(REAL(c6) * (v + REAL(c3))) + REAL(c7)))
#define GATE(gate, opening, closing) \
    DOT(gate) = (opening) * (1 - AT(0, 0, gate)) - (closing) * AT(0, 0, gate)
/* z / (1 - exp(-z)), which is 1 at z = 0. */
#define LINEAR(z) ((z) == 0 ? 1 : (z) / -expm1(-(z)))

ODE_POINT_RHS(
    const ode_real v = AT(0, 0, VOLTAGE), calcium = AT(0, 0, CALCIUM);
    const ode_real m = AT(0, 0, GATE_M), m_arg = REAL(0.1) * (v + 47), k_arg = REAL(0.04) * (v + 23);
    const ode_real e53 = exp(REAL(0.04) * (v + 53));
    const ode_real i_k1 = REAL(0.35) * (4 * expm1(REAL(0.04) * (v + 85)) / (e53 * e53 + e53) + 5 * LINEAR(k_arg));
    const ode_real i_x1 = REAL(0.8) * AT(0, 0, GATE_X1) * expm1(REAL(0.04) * (v + 77)) / exp(REAL(0.04) * (v + 35));
    const ode_real i_na = (gNa * m * m * m * AT(0, 0, GATE_H) * AT(0, 0, GATE_J) + REAL(0.003)) * (v - 50);
    /* The equilibrium potential is -82.3 - 13.0287 log of the calcium in mol/l. */
    const ode_real e_s = REAL(-82.3) - REAL(13.0287) * (log(calcium) - REAL(13.815510557964274));
    const ode_real i_s = gs * AT(0, 0, GATE_D) * AT(0, 0, GATE_F) * (v - e_s);
    const int is_s1 = t < duration && ix < 4;
    const int is_s2 = t >= s2 && t < s2 + duration && 2 * ix < nx && 2 * iy < ny;
    DOT(VOLTAGE) = spread * LAPLACE(VOLTAGE) - (i_k1 + i_x1 + i_na + i_s) + (is_s1 || is_s2 ? strength : 0);
    DOT(CALCIUM) = REAL(-0.1) * i_s + REAL(0.07) * (REAL(0.1) - calcium);
    GATE(GATE_X1, RATE(0.0005, 0.083, 50, 0.057, 1), RATE(0.0013, -0.06, 20, -0.04, 1));
    GATE(GATE_M, 10 * LINEAR(m_arg), 40 * exp(REAL(-0.056) * (v + 72)));
    GATE(GATE_H, REAL(0.126) * exp(REAL(-0.25) * (v + 77)), REAL(1.7) / (exp(REAL(-0.082) * (v + REAL(22.5))) + 1));
    GATE(GATE_J, RATE(0.055, -0.25, 78, -0.2, 1), REAL(0.3) / (exp(REAL(-0.1) * (v + 32)) + 1));
    GATE(GATE_D, RATE(0.095, -0.01, -5, -0.072, 1), RATE(0.07, -0.017, 44, 0.05, 1));
    GATE(GATE_F, RATE(0.012, -0.008, 28, 0.15, 1), RATE(0.0065, -0.02, 30, -0.2, 1));
)

/* A cell at rest. */
ODE_INITIAL(
    Y0(VOLTAGE) = -84.5738;
    Y0(CALCIUM) = 0.178201;
    Y0(GATE_X1) = 0.00562865;
    Y0(GATE_M) = 0.0109820;
    Y0(GATE_H) = 0.987721;
    Y0(GATE_J) = 0.974838;
    Y0(GATE_D) = 0.00297072;
    Y0(GATE_F) = 0.999981;
)
