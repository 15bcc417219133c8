/* SPDX-License-Identifier: BSD-2-Clause */
/* scan.c - prefix sums of an array of whole numbers between 0 and 10 that is larger than a group:
 * scan the parts of the array, scan the sums of the parts, add these to the parts; or find these
 * sums first. See "Algorithm
 * Engineering - Graphikprozessoren", KIT 2010, sheet 4, and H. Wenke, "Parallele Algorithmen mit
 * OpenCL", Osnabrueck 2013, 12 June.
 *
 *     ./scan [NUMBER OF VALUES]
 */
#include "lecture.h"

enum { GROUP = 256, PART = 2 * GROUP, LEVELS = 8, PARTS = 1024 };

static size_t n_values;
static uint32_t *expected, *scanned;
static cl_mem value_buffer, result_buffer, sum_buffers[LEVELS];
static cl_kernel naive, work_efficient, add_sums, part_sums, scan_sums, scan_parts;

/* The sums of the parts are an array that is scanned in place, by the same three passes. Each part
 * is read before it is written, by the same group. */
static void scan(cl_kernel kernel, cl_mem in, cl_mem out, size_t n, int level) {
    const cl_uint n_in = (cl_uint)n;
    const size_t groups = groups_of(n, PART);
    SET(kernel, 0, in);
    SET(kernel, 1, n_in);
    SET(kernel, 2, out);
    SET(kernel, 3, sum_buffers[level]);
    launch(kernel, groups, GROUP);
    if (groups == 1) return;
    scan(kernel, sum_buffers[level], sum_buffers[level], groups, level + 1);
    SET(add_sums, 0, sum_buffers[level]);
    SET(add_sums, 1, n_in);
    SET(add_sums, 2, out);
    launch(add_sums, groups, GROUP);
}

static void run_naive(void) { scan(naive, value_buffer, result_buffer, n_values, 0); }
static void run_work_efficient(void) {
    scan(work_efficient, value_buffer, result_buffer, n_values, 0);
}

/* Parts have the same number of numbers, but the last one. */
static void run_sums_first(void) {
    const size_t steps = groups_of(n_values, (size_t)PARTS * 4 * GROUP),
                 share_size = steps * 4 * GROUP, parts_needed = groups_of(n_values, share_size);
    const cl_uint n = (cl_uint)n_values, share = (cl_uint)share_size, parts = (cl_uint)parts_needed;
    SET(part_sums, 0, value_buffer);
    SET(part_sums, 1, n);
    SET(part_sums, 2, share);
    SET(part_sums, 3, sum_buffers[0]);
    launch(part_sums, parts_needed, GROUP);
    SET(scan_sums, 0, sum_buffers[0]);
    SET(scan_sums, 1, parts);
    launch(scan_sums, 1, GROUP);
    SET(scan_parts, 0, value_buffer);
    SET(scan_parts, 1, n);
    SET(scan_parts, 2, share);
    SET(scan_parts, 3, result_buffer);
    SET(scan_parts, 4, sum_buffers[0]);
    launch(scan_parts, parts_needed, GROUP);
}

static int is_right(void) {
    take_result(result_buffer, n_values * sizeof *scanned, scanned);
    return memcmp(scanned, expected, n_values * sizeof *scanned) == 0;
}

static const struct variant variants[] = {
    {"naive", run_naive},
    {"work-efficient", run_work_efficient},
    {"sums of parts first", run_sums_first},
};

int main(int argc, char **argv) {
    n_values = size_argument(argc, argv, 1 << 24);
    const size_t bytes = n_values * sizeof(uint32_t);
    uint32_t *const values = memory_of(bytes);
    uint32_t sum = 0;
    expected = memory_of(bytes);
    scanned = memory_of(bytes);
    for (size_t i = 0; i < n_values; i++) {
        values[i] = random_number() % 11;
        expected[i] = sum += values[i];
    }
    start("scan.cl", "-DGROUP=256");
    value_buffer = buffer_of(bytes, values);
    result_buffer = buffer_of(bytes, NULL);
    size_t n = n_values;
    for (int level = 0; level < LEVELS; level++) {
        n = groups_of(n, PART);
        sum_buffers[level] = buffer_of(n * sizeof(uint32_t), NULL);
    }
    naive = kernel_of("naive");
    work_efficient = kernel_of("work_efficient");
    add_sums = kernel_of("add_sums");
    part_sums = kernel_of("part_sums");
    scan_sums = kernel_of("scan_sums");
    scan_parts = kernel_of("scan_parts");
    print_head("Prefix sums", n_values, "values", "G values/s");
    return finish(measure(
        "random", variants, sizeof variants / sizeof *variants, (double)n_values, is_right));
}
