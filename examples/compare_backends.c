/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_backends.c - solve one problem with every backend and variant that works on this machine,
 * and compare the bits:
 *
 *     compare_backends PROBLEM STEPS H [NAME=VALUE]...
 *
 * PROBLEM is the name of a built-in problem or the path of a plug-in. The exit code is 0 if all
 * results have the same bits, 1 if some differ, and the library's status after an error.
 */
#include <eulercl/eulercl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that is not a number becomes NaN, for which the library returns an error. */
static double number(const char *text) {
    char *end;
    const double x = strtod(text, &end);
    return *text && !*end ? x : nan("");
}

/* A variant may run as another one: auto runs as the variant that it chooses, and others are
 * replaced if the device does not support them. Returns 1 the first time that a backend runs as
 * `variant`. */
static int is_new(const eulercl_backend_info *backend, const char *variant, unsigned *shown) {
    for (int i = 0; backend->variants[i]; i++)
        if (!strcmp(backend->variants[i], variant)) {
            const int before = *shown >> i & 1;
            *shown |= 1u << i;
            return !before;
        }
    return 1;
}

/* Solve into y and print a row of the table. *differ becomes 1 if y has other bits than expected
 * (NULL: y is the reference). The first step is not timed, because drivers compile during it. */
static int run(eulercl_solver *solver, int64_t steps, double *y, const double *expected,
    int *differ, eulercl_error *error) {
    eulercl_stats first = {.struct_size = sizeof first}, last = first;
    int status = eulercl_set_initial_state(solver, error);
    if (!status) status = eulercl_advance(solver, 1, error);
    if (!status) status = eulercl_get_stats(solver, &first, error);
    if (!status) status = eulercl_advance(solver, steps - 1, error);
    if (!status) status = eulercl_get_stats(solver, &last, error);
    if (!status) status = eulercl_get_state(solver, y, error);
    if (!status) {
        const double seconds = last.kernel_seconds - first.kernel_seconds;
        const int same = !expected || !memcmp(y, expected, (size_t)last.n * sizeof *y);
        *differ |= !same;
        printf("%-17s %-11s %8.3f %12.2e   %-9s %s\n", last.backend, last.variant, seconds,
            (double)last.n * (double)(last.steps - first.steps) / seconds,
            !expected ? "reference"
            : same    ? "yes"
                      : "NO",
            last.device);
    }
    return status;
}

/* The rows of OpenCL come last, under a heading of their own. If the device is the processor, the
 * heading explains why they are slow. */
static void print_opencl_heading(const char *device_id) {
    eulercl_device_info device = {.struct_size = sizeof device};
    size_t i = 0;
    while (!eulercl_get_device(i, &device, NULL) && strcmp(device.id, device_id)) i++;
    printf("\nOpenCL on %s (%s)\n", device.name, device.platform);
    if (device.is_cpu)
        puts("Here OpenCL runs on the processor, where it is slower than cpu and pthreads: kernel\n"
             "launches, copies into local memory and barriers cost time there and save none. The\n"
             "OpenCL backends are meant for GPUs.");
}

int main(int argc, char **argv) {
    const double steps = argc < 4 ? 0 : number(argv[2]);
    if (!(steps >= 2 && steps <= 1e15)) {
        fprintf(
            stderr, "usage: compare_backends PROBLEM STEPS H [NAME=VALUE]..., STEPS at least 2\n");
        return EULERCL_INVALID;
    }
    eulercl_options options;
    eulercl_options_init(&options);
    options.h = number(argv[3]);

    eulercl_error error;
    eulercl_problem *problem = NULL;
    eulercl_problem_info info = {.struct_size = sizeof info};
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_stats stats = {.struct_size = sizeof stats};
    double *expected = NULL, *y = NULL;
    int differ = 0, heading = 0;
    int status = eulercl_problem_open(argv[1], &problem, &error);
    for (int i = 4; !status && i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value) *value++ = 0;
        status = eulercl_problem_set(problem, argv[i], number(value ? value : ""), &error);
    }
    if (!status) status = eulercl_problem_get_info(problem, &info, &error);
    if (status) goto done;
    expected = malloc((size_t)info.n * sizeof *expected);
    y = malloc((size_t)info.n * sizeof *y);
    if (!expected || !y) {
        status = EULERCL_MEMORY;
        snprintf(error.message, sizeof error.message,
            "cannot allocate two states of %lld components", (long long)info.n);
        error.log[0] = 0;
        goto done;
    }

    printf("%s, %lld components, %.0f steps of %g, double\n", info.title, (long long)info.n, steps,
        options.h);
    const int no_device = eulercl_get_device(0, &device, &error);
    if (no_device) printf("OpenCL is skipped: %s\n", error.message);
    printf("\n%-17s %-11s %8s %12s   %-9s %s\n", "backend", "variant", "seconds", "comp-steps/s",
        "same bits", "device");
    for (size_t i = 0; !status && !eulercl_get_backend(i, &backend, NULL); i++) {
        const char *const *variant = backend.variants;
        unsigned shown = 0;
        if (backend.is_opencl && no_device) continue;
        options.backend = backend.name;
        do {
            eulercl_solver *solver = NULL;
            status = eulercl_options_set(&options, "variant", *variant, &error);
            if (!status) status = eulercl_solver_create(problem, &options, &solver, &error);
            if (!status) status = eulercl_get_stats(solver, &stats, &error);
            if (!status && backend.is_opencl && !heading++) print_opencl_heading(stats.device_id);
            /* Backend 0 is seq, the definition of the method. */
            if (!status && is_new(&backend, stats.variant, &shown))
                status = run(
                    solver, (int64_t)steps, i ? y : expected, i ? expected : NULL, &differ, &error);
            eulercl_solver_destroy(solver);
            if (status == EULERCL_UNSUPPORTED) {
                printf("%-17s %-11s skipped: %s\n", backend.name, *variant ? *variant : "",
                    error.message);
                status = EULERCL_OK;
            }
        } while (!status && *variant && *++variant);
    }

done:
    if (status)
        fprintf(stderr, "compare_backends: %s\n%s", error.message, error.log);
    else if (differ)
        fprintf(stderr, "compare_backends: not all backends returned the bits of seq\n");
    free(expected);
    free(y);
    eulercl_problem_destroy(problem);
    return status ? status : differ;
}
