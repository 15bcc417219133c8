/* SPDX-License-Identifier: BSD-2-Clause */
/* energy.c - how far the energy of attracting bodies (nbody.c, linked in) drifts with different methods,
 * relative to its value at the start, the greatest of twenty times.
 *
 *     ./energy [BACKEND]
 */
#include <eulercl/eulercl.h>
#include <math.h>
#include <stdio.h>

extern const struct ode_problem ode_problem_nbody;

enum { BODIES = 40, N = 6 * BODIES, TIMES = 20 };
static const double softening = 0.1, h = 0.01;
static eulercl_error error;

/* The kinetic energy, and the potential energy of all pairs, with the constant 1 and the mass of
 * all bodies 1. */
static double energy_of(const double *y) {
    const double mass = 1.0 / BODIES;
    double energy = 0;
    for (const double *a = y; a < y + N; a += 6) {
        energy += 0.5 * mass * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]);
        for (const double *b = y; b < a; b += 6) {
            const double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
            energy -= mass * mass / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        }
    }
    return energy;
}

/* One unit of time between two looks at the energy. -> 0: done */
static int find_drift(
    const eulercl_problem *problem, const eulercl_options *options, double *drift) {
    double y[N], first = 0;
    eulercl_solver *solver;
    int status = eulercl_solver_create(problem, options, &solver, &error);
    if (status) return status;
    status = eulercl_set_initial_state(solver, &error);
    *drift = 0;
    for (int time = 0; !status && time <= TIMES; time++) {
        if (time) status = eulercl_advance(solver, (int64_t)(1 / h + 0.5), &error);
        if (!status) status = eulercl_get_state(solver, y, &error);
        if (!time) first = energy_of(y);
        *drift = fmax(*drift, fabs(energy_of(y) / first - 1));
    }
    eulercl_solver_destroy(solver);
    return status;
}

int main(int argc, char **argv) {
    static const char *const methods[] = {"euler", "symplectic-euler", "verlet", "symplectic4"};
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_options_init(&options);
    options.backend = argc > 1 ? argv[1] : "seq";
    options.h = h;
    int status = eulercl_problem_create(&ode_problem_nbody, &problem, &error);
    if (!status) {
        status = eulercl_problem_set(problem, "bodies", BODIES, &error);
        if (!status) status = eulercl_problem_set(problem, "softening", softening, &error);
        for (size_t k = 0; !status && k < sizeof methods / sizeof *methods; k++) {
            double drift;
            options.method = methods[k];
            status = find_drift(problem, &options, &drift);
            if (!status) printf("%-18s %.2g\n", methods[k], drift);
        }
        eulercl_problem_destroy(problem);
    }
    if (status) fprintf(stderr, "%s\n%s", error.message, error.log);
    return status;
}
