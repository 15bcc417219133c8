/* SPDX-License-Identifier: BSD-2-Clause */
/* reduction.cl - the sum of an array. Each group of GROUP items, a power of two, writes one sum. The
 * host launches the kernel again for these sums, until one is left. */

/* The items that add are 0, 2, 4..., then 0, 4, 8..., so all parts of the group stay busy with ever
 * fewer of their items. */
__kernel void interleaved(__global const uint *in, uint n, __global uint *sums) {
    __local uint part[GROUP];
    const uint item = get_local_id(0);
    const size_t i = get_global_id(0);
    part[item] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        if (item % (2 * distance) == 0) part[item] += part[item + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) sums[get_group_id(0)] = part[0];
}

/* The items that add are the first ones, and they read neighbouring numbers. */
__kernel void sequential(__global const uint *in, uint n, __global uint *sums) {
    __local uint part[GROUP];
    const uint item = get_local_id(0);
    const size_t i = get_global_id(0);
    part[item] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = GROUP / 2; distance > 0; distance /= 2) {
        if (item < distance) part[item] += part[item + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) sums[get_group_id(0)] = part[0];
}

/* The first addition is made while loading: a group adds 2 GROUP numbers. */
__kernel void first_at_load(__global const uint *in, uint n, __global uint *sums) {
    __local uint part[GROUP];
    const uint item = get_local_id(0);
    const size_t i = get_group_id(0) * 2 * GROUP + item;
    part[item] = (i < n ? in[i] : 0) + (i + GROUP < n ? in[i + GROUP] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = GROUP / 2; distance > 0; distance /= 2) {
        if (item < distance) part[item] += part[item + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) sums[get_group_id(0)] = part[0];
}

/* The steps of the loop, written one below the other. The conditions of steps that a group is too
 * small for are constants. Each step has its barrier: OpenCL does not promise that any items of a
 * group run in lockstep. */
#define STEP(distance)                                            \
    if (GROUP >= 2 * distance) {                                  \
        if (item < distance) part[item] += part[item + distance]; \
        barrier(CLK_LOCAL_MEM_FENCE);                             \
    }
#define ALL_STEPS STEP(256) STEP(128) STEP(64) STEP(32) STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)

__kernel void unrolled(__global const uint *in, uint n, __global uint *sums) {
    __local uint part[GROUP];
    const uint item = get_local_id(0);
    const size_t i = get_group_id(0) * 2 * GROUP + item;
    part[item] = (i < n ? in[i] : 0) + (i + GROUP < n ? in[i + GROUP] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    ALL_STEPS
    if (item == 0) sums[get_group_id(0)] = part[0];
}

/* The number of groups is fixed. An item adds many numbers of its own before the others come in. */
__kernel void many_at_load(__global const uint *in, uint n, __global uint *sums) {
    __local uint part[GROUP];
    const uint item = get_local_id(0);
    uint sum = 0;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    ALL_STEPS
    if (item == 0) sums[get_group_id(0)] = part[0];
}
