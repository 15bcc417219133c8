/* SPDX-License-Identifier: BSD-2-Clause */
/* product.cl - the product of two square matrices of n rows: c = a b, row by row in memory. */

/* One item per element of c. It reads a row of a and a column of b, 2 n numbers, alone. */
__kernel void naive(__global const float *a, __global const float *b, __global float *c, uint n) {
    const size_t column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (column >= n || row >= n) return;
    for (size_t k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* A group computes a square of TILE x TILE elements. It walks along its rows of a and its columns
 * of b in steps of TILE, and loads a square of each into local memory: each number that is read
 * from global memory is used TILE times. Beyond the matrices the squares have zeros. */
__kernel void tiled(__global const float *a, __global const float *b, __global float *c, uint n) {
    __local float part_of_a[TILE][TILE], part_of_b[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const size_t column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (size_t first = 0; first < n; first += TILE) {
        part_of_a[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        part_of_b[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) sum += part_of_a[y][k] * part_of_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (column < n && row < n) c[row * n + column] = sum;
}

/* The same with EACH x EACH elements per item, TILE items apart: a number that is read from local
 * memory is used EACH times, as its reads, not the arithmetic, limit the kernel above. */
__kernel void tiled_registers(
    __global const float *a, __global const float *b, __global float *c, uint n) {
    __local float part_of_a[EACH * TILE][TILE + 1], part_of_b[TILE][EACH * TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const size_t column = get_group_id(0) * EACH * TILE + x,
                 row = get_group_id(1) * EACH * TILE + y;
    float sum[EACH][EACH] = {{0}};
    for (size_t first = 0; first < n; first += TILE) {
        for (uint i = 0; i < EACH; i++) {
            const size_t r = row + i * TILE, d = column + i * TILE;
            part_of_a[y + i * TILE][x] = r < n && first + x < n ? a[r * n + first + x] : 0;
            part_of_b[y][x + i * TILE] = d < n && first + y < n ? b[(first + y) * n + d] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) {
            float left[EACH], right[EACH];
            for (uint i = 0; i < EACH; i++) left[i] = part_of_a[y + i * TILE][k];
            for (uint i = 0; i < EACH; i++) right[i] = part_of_b[k][x + i * TILE];
            for (uint i = 0; i < EACH; i++)
                for (uint j = 0; j < EACH; j++) sum[i][j] += left[i] * right[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < EACH; i++)
        for (uint j = 0; j < EACH; j++)
            if (row + i * TILE < n && column + j * TILE < n)
                c[(row + i * TILE) * n + column + j * TILE] = sum[i][j];
}
