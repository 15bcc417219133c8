/* SPDX-License-Identifier: BSD-2-Clause */
/* simulation.c - a small simulation program: it advances Gray-Scott in batches of steps and does
 * work of its own between them.
 *
 *     simulation [BACKEND [float|double [PLUGIN.so]]]
 *
 * The problem is gray_scott.c, which is linked into the program, unless a plug-in is named. The
 * exit code is the library's status.
 */
#include <eulercl/eulercl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct ode_problem ode_problem_gray_scott;

/* The diagnostic: mean and standard deviation of component c over all points of a state of n
 * components. */
static void print_spread(
    double t, const void *y, enum eulercl_precision precision, int64_t n, int components, int c) {
    double sum = 0, squares = 0;
    for (int64_t j = c; j < n; j += components) {
        const double v =
            precision == EULERCL_FLOAT ? ((const float *)y)[j] : ((const double *)y)[j];
        sum += v;
        squares += v * v;
    }
    const double points = (double)(n / components), mean = sum / points;
    printf("%8g  %.9f  %.9f\n", t, mean, sqrt(fmax(squares / points - mean * mean, 0)));
}

int main(int argc, char **argv) {
    eulercl_error error;
    eulercl_problem *problem = NULL;
    eulercl_solver *solver = NULL;
    eulercl_problem_info info = {.struct_size = sizeof info};
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_options options;
    void *y = NULL;

    eulercl_options_init(&options);
    options.h = 1;
    options.backend = argc > 1 ? argv[1] : "auto";
    options.precision = argc > 2 && !strcmp(argv[2], "float") ? EULERCL_FLOAT : EULERCL_DOUBLE;

    int status = argc > 3 ? eulercl_problem_open(argv[3], &problem, &error)
                          : eulercl_problem_create(&ode_problem_gray_scott, &problem, &error);
    if (status) goto failed;
    if ((status = eulercl_problem_set(problem, "m", 128, &error))) goto failed;
    if ((status = eulercl_problem_get_info(problem, &info, &error))) goto failed;
    if ((status = eulercl_solver_create(problem, &options, &solver, &error))) goto failed;
    if ((status = eulercl_set_initial_state(solver, &error))) goto failed;
    y = malloc(
        (size_t)info.n * options.precision); /* the precision's value is the size of a component */
    if (!y) {
        status = EULERCL_MEMORY;
        snprintf(error.message, sizeof error.message, "cannot allocate %lld components",
            (long long)info.n);
        goto failed;
    }

    printf("       t  mean of v    its standard deviation\n");
    for (int batch = 0; batch < 10; batch++) { /* between the calls the state stays on the device */
        if ((status = eulercl_advance(solver, 500, &error))) goto failed;
        if ((status = eulercl_get_state(solver, y, &error))) goto failed;
        if ((status = eulercl_get_stats(solver, &stats, &error))) goto failed;
        print_spread(stats.t, y, options.precision, info.n, info.components, info.components - 1);
    }
    fprintf(stderr, "%s on %s: %lld steps in %.3f s\n", stats.backend, stats.device,
        (long long)stats.steps, stats.kernel_seconds);
    goto done;

failed:
    fprintf(stderr, "simulation: %s: %s\n", eulercl_status_name(status), error.message);
    if (status == EULERCL_COMPILE) fputs(error.log, stderr);
done:
    free(y);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
    return status;
}
