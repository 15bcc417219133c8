/* SPDX-License-Identifier: BSD-2-Clause */
/* minimal.c - the shortest program that uses libeulercl: one problem, 1000 steps, one component.
 *
 *     cc minimal.c $(pkg-config --cflags --libs eulercl)
 */
#include <eulercl/eulercl.h>
#include <stdio.h>

int main(void) {
    static double y[20000]; /* the string problem: position and speed of 10000 mass points */
    eulercl_error error;
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_options_init(&options);
    options.h = 1e-4;
    if (eulercl_problem_open("string", &problem, &error) ||
        eulercl_problem_set_size(problem, 20000, &error) ||
        eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 20000, y, &error) ||
        eulercl_solve(problem, &options, 1000, y, NULL, &error)) {
        fprintf(stderr, "%s\n%s", error.message, error.log);
        return error.code;
    }
    printf("the middle after 1000 steps: %.17g\n", y[10000]);
    eulercl_problem_destroy(problem);
    return 0;
}
