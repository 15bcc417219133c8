/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.c - how often each of 1,024 values occurs, for data that are all equal, increasing, and
 * random (H. Wenke, "Parallele Algorithmen mit OpenCL", Osnabrueck 2013, 12 June). Equal data are
 * the worst case of atomic operations: all items want the same counter.
 *
 *     ./histogram [NUMBER OF VALUES]
 */
#include "lecture.h"

enum { BINS = 1024, ITEMS = 256, GROUPS = 512 };

static size_t n_values;
static uint32_t *values, expected[BINS];
static cl_mem value_buffer, count_buffer, histogram_buffer;
static cl_kernel global_atomics, local_added, local_runs_added, local_written, merge;

static void clear_counts(void) {
    const cl_uint zero = 0;
    check(clEnqueueFillBuffer(
              queue, count_buffer, &zero, sizeof zero, 0, sizeof expected, 0, NULL, NULL),
        "clEnqueueFillBuffer");
}

static void run_global_atomics(void) {
    clear_counts();
    launch(global_atomics, groups_of(n_values, ITEMS), ITEMS);
}
static void run_local_added(void) {
    clear_counts();
    launch(local_added, GROUPS, ITEMS);
}
static void run_local_runs_added(void) {
    clear_counts();
    launch(local_runs_added, GROUPS, ITEMS);
}
static void run_local_merged(void) {
    launch(local_written, GROUPS, ITEMS);
    launch(merge, BINS / ITEMS, ITEMS);
}

static int is_right(void) {
    uint32_t counts[BINS];
    take_result(count_buffer, sizeof counts, counts);
    return memcmp(counts, expected, sizeof counts) == 0;
}

static const struct variant variants[] = {
    {"global atomics", run_global_atomics},
    {"local, added by atomics", run_local_added},
    {"local, merged by a second kernel", run_local_merged},
    {"local, equal values together", run_local_runs_added},
};

/* The kernel's arguments: values, their number, the place of the result, local memory. */
static cl_kernel counting_kernel(const char *name, cl_mem result, int has_local_memory) {
    const cl_kernel kernel = kernel_of(name);
    const cl_uint n = (cl_uint)n_values;
    SET(kernel, 0, value_buffer);
    SET(kernel, 1, n);
    SET(kernel, 2, result);
    if (has_local_memory)
        check(clSetKernelArg(kernel, 3, BINS * sizeof(cl_uint), NULL), "clSetKernelArg");
    return kernel;
}

static void make_kernels(void) {
    const cl_uint groups = GROUPS;
    global_atomics = counting_kernel("global_atomics", count_buffer, 0);
    local_added = counting_kernel("local_added", count_buffer, 1);
    local_runs_added = counting_kernel("local_runs_added", count_buffer, 1);
    local_written = counting_kernel("local_written", histogram_buffer, 1);
    merge = kernel_of("merge");
    SET(merge, 0, histogram_buffer);
    SET(merge, 1, groups);
    SET(merge, 2, count_buffer);
}

static int measure_data(const char *name) {
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < n_values; i++) expected[values[i]]++;
    check(clEnqueueWriteBuffer(
              queue, value_buffer, CL_TRUE, 0, n_values * sizeof *values, values, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
    return measure(name, variants, sizeof variants / sizeof *variants, (double)n_values, is_right);
}

int main(int argc, char **argv) {
    int wrong = 0;
    n_values = size_argument(argc, argv, 1 << 24);
    values = memory_of(n_values * sizeof *values);
    start("histogram.cl", "-DBINS=1024");
    value_buffer = buffer_of(n_values * sizeof *values, NULL);
    count_buffer = buffer_of(sizeof expected, NULL);
    histogram_buffer = buffer_of(GROUPS * sizeof expected, NULL);
    make_kernels();
    print_head("Histogram", n_values, "values", "G values/s");
    for (size_t i = 0; i < n_values; i++) values[i] = 90;
    wrong += measure_data("equal");
    for (size_t i = 0; i < n_values; i++) values[i] = (uint32_t)(i % BINS);
    wrong += measure_data("increasing");
    for (size_t i = 0; i < n_values; i++) values[i] = random_number() % BINS;
    wrong += measure_data("random");
    return finish(wrong);
}
