/* SPDX-License-Identifier: BSD-2-Clause */
/* reduction.c - the sum of an array of whole numbers between 0 and 10 ("Algorithm Engineering -
 * Graphikprozessoren", KIT 2010, sheet 4).
 *
 *     ./reduction [NUMBER OF VALUES]
 */
#include "lecture.h"

enum { GROUP = 256, FEW_GROUPS = 512 };

static size_t n_values;
static uint32_t expected;
static cl_mem value_buffer, sum_buffers[2], result;
static cl_kernel interleaved, sequential, first_at_load, unrolled, many_at_load;

/* Sums of sums, until one is left: each group of a launch adds some numbers. */
static void reduce(cl_kernel kernel, size_t per_group, size_t most_groups) {
    size_t n = n_values;
    result = value_buffer;
    int level = 0;
    do {
        const cl_uint n_in = (cl_uint)n;
        size_t groups = groups_of(n, per_group);
        if (groups > most_groups) groups = most_groups;
        SET(kernel, 0, result);
        SET(kernel, 1, n_in);
        SET(kernel, 2, sum_buffers[level % 2]);
        launch(kernel, groups, GROUP);
        result = sum_buffers[level++ % 2];
        n = groups;
    } while (n > 1);
}

static void run_interleaved(void) { reduce(interleaved, GROUP, SIZE_MAX); }
static void run_sequential(void) { reduce(sequential, GROUP, SIZE_MAX); }
static void run_first_at_load(void) { reduce(first_at_load, 2 * GROUP, SIZE_MAX); }
static void run_unrolled(void) { reduce(unrolled, 2 * GROUP, SIZE_MAX); }
static void run_many_at_load(void) { reduce(many_at_load, 2 * GROUP, FEW_GROUPS); }

static int is_right(void) {
    uint32_t sum;
    take_result(result, sizeof sum, &sum);
    return sum == expected;
}

static const struct variant variants[] = {
    {"interleaved", run_interleaved},
    {"sequential", run_sequential},
    {"first sum at load", run_first_at_load},
    {"first sum at load, unrolled", run_unrolled},
    {"many sums at load, unrolled", run_many_at_load},
};

int main(int argc, char **argv) {
    n_values = size_argument(argc, argv, 1 << 24);
    const size_t bytes = n_values * sizeof(uint32_t);
    uint32_t *const values = memory_of(bytes);
    for (size_t i = 0; i < n_values; i++) expected += values[i] = random_number() % 11;
    start("reduction.cl", "-DGROUP=256");
    value_buffer = buffer_of(bytes, values);
    for (int k = 0; k < 2; k++)
        sum_buffers[k] = buffer_of(groups_of(n_values, GROUP) * sizeof(uint32_t), NULL);
    interleaved = kernel_of("interleaved");
    sequential = kernel_of("sequential");
    first_at_load = kernel_of("first_at_load");
    unrolled = kernel_of("unrolled");
    many_at_load = kernel_of("many_at_load");
    print_head("Sum", n_values, "values", "G values/s");
    return finish(measure(
        "random", variants, sizeof variants / sizeof *variants, (double)n_values, is_right));
}
