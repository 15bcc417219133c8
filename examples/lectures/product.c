/* SPDX-License-Identifier: BSD-2-Clause */
/* product.c - the product of two square matrices (H. Wenke, "Parallele Algorithmen mit OpenCL",
 * Osnabrueck 2013, 15 May). The elements are whole numbers from -4 to 4: floats hold their sums
 * exactly, so that results are right or wrong, whatever the order of the additions.
 *
 *     ./product [ROWS]
 */
#include "lecture.h"

enum { TILE = 16, EACH = 4 };

static size_t n_rows;
static float *expected, *computed;
static cl_mem a_buffer, b_buffer, c_buffer;
static cl_kernel naive, tiled, tiled_registers;

/* each: elements of an item, along rows and along columns */
static void multiply(cl_kernel kernel, size_t each) {
    const size_t side = groups_of(n_rows, TILE * each) * TILE, all[] = {side, side},
                 group[] = {TILE, TILE};
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, all, group, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}
static void run_naive(void) { multiply(naive, 1); }
static void run_tiled(void) { multiply(tiled, 1); }
static void run_tiled_registers(void) { multiply(tiled_registers, EACH); }

static int is_right(void) {
    const size_t bytes = n_rows * n_rows * sizeof *computed;
    take_result(c_buffer, bytes, computed);
    return memcmp(computed, expected, bytes) == 0;
}

static const struct variant variants[] = {
    {"naive", run_naive},
    {"tiled", run_tiled},
    {"tiled, 4 x 4 per item", run_tiled_registers},
};

/* The inner loop is along rows of b and c, so that memory is read in its order. */
static void multiply_by_loops(const float *a, const float *b) {
    for (size_t k = 0; k < n_rows * n_rows; k++) expected[k] = 0;
    for (size_t row = 0; row < n_rows; row++)
        for (size_t k = 0; k < n_rows; k++)
            for (size_t column = 0; column < n_rows; column++)
                expected[row * n_rows + column] += a[row * n_rows + k] * b[k * n_rows + column];
}

static float *random_matrix(void) {
    float *const matrix = memory_of(n_rows * n_rows * sizeof *matrix);
    for (size_t k = 0; k < n_rows * n_rows; k++) matrix[k] = (float)(random_number() % 9) - 4;
    return matrix;
}

static cl_kernel product_kernel(const char *name) {
    const cl_kernel kernel = kernel_of(name);
    const cl_uint n = (cl_uint)n_rows;
    SET(kernel, 0, a_buffer);
    SET(kernel, 1, b_buffer);
    SET(kernel, 2, c_buffer);
    SET(kernel, 3, n);
    return kernel;
}

int main(int argc, char **argv) {
    n_rows = size_argument(argc, argv, 512);
    const size_t bytes = n_rows * n_rows * sizeof(float);
    float *const a = random_matrix(), *const b = random_matrix();
    expected = memory_of(bytes);
    computed = memory_of(bytes);
    multiply_by_loops(a, b);
    start("product.cl", "-DTILE=16 -DEACH=4");
    a_buffer = buffer_of(bytes, a);
    b_buffer = buffer_of(bytes, b);
    c_buffer = buffer_of(bytes, NULL);
    naive = product_kernel("naive");
    tiled = product_kernel("tiled");
    tiled_registers = product_kernel("tiled_registers");
    print_head("Product", n_rows, "rows and columns", "Gflop/s");
    return finish(measure("random", variants, sizeof variants / sizeof *variants,
        2.0 * (double)n_rows * (double)n_rows * (double)n_rows, is_right));
}
