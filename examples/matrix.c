/* SPDX-License-Identifier: BSD-2-Clause */
/* matrix.c - y' = A y with a full matrix: particles on a ring of n places jump to any other one,
 *
 *     y_i' = sum_j a_ij (y_j - y_i),   a_ij = rate / d_ij^2,
 *
 * where d_ij is the distance round the ring: long jumps are rare, but a walk of them (a Levy flight)
 * spreads faster than diffusion. So A has a_ij beside its diagonal, and on it minus the sum of the
 * row. Waves along the ring are its eigenvectors: the initial state has one with `waves` periods.
 */
#define ODE_NAME matrix
#define ODE_TITLE "jumps of any length on a ring, a full matrix"
#define ODE_SIZE places
#define ODE_ACCESS_ALL 1
#define ODE_HAS_EXACT 1
#define ODE_PARAMETERS(REAL, INTEGER)                     \
    INTEGER(places, 256, 1, 1e9, "", "places")            \
    INTEGER(waves, 3, 0, 1e9, "", "periods at the start") \
    REAL(rate, 1, 0, 1e9, "1/s", "jumps to a neighbour")
#include <eulercl/ode_problem.h>

#define PI 3.14159265358979323846
/* The distance of places i and j, as a whole number. */
#define WAY(i, j) ((i) < (j) ? (j) - (i) : (i) - (j))
#define ROUND(i, j) (WAY(i, j) < n - WAY(i, j) ? WAY(i, j) : n - WAY(i, j))

ODE_EVAL_COMP(
    ode_real sum = 0;
    ODE_EACH(j) {
        const ode_real distance = (ode_real)ROUND(i, j);
        sum = j == i ? sum : fma(rate / (distance * distance), OTHER(0) - Y(i), sum);
    }
    return sum;
)

ODE_INITIAL( Y0(0) = 1 + cos(2 * PI * waves * (double)i / (double)n); )

/* The eigenvalue of the wave. */
ODE_EXACT(
    double lambda = 0;
    for (ode_index j = 1; j < n; j++) {
        const double distance = (double)ROUND(0, j);
        lambda += rate / (distance * distance) * (cos(2 * PI * waves * (double)j / (double)n) - 1);
    }
    Y0(0) = 1 + exp(lambda * t) * cos(2 * PI * waves * (double)i / (double)n);
)
