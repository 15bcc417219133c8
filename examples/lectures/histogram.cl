/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.cl - how often each value occurs. BINS is the number of values. */

/* One item per value. Items that have the same value wait for each other, on the whole device. */
__kernel void global_atomics(__global const uint *values, uint n, __global uint *counts) {
    const size_t i = get_global_id(0);
    if (i < n) atomic_inc(counts + values[i]);
}

/* The items of a group count in local memory. Only items of the same group wait for each other. */
void count_in_group(__global const uint *values, uint n, __local uint *own) {
    for (size_t bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(own + values[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* An item adds equal values that follow each other on its way, and counts them together. */
void count_runs_in_group(__global const uint *values, uint n, __local uint *own) {
    uint last = 0, run = 0;
    for (size_t bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint value = values[i];
        if (value != last) {
            if (run) atomic_add(own + last, run);
            last = value;
            run = 0;
        }
        run++;
    }
    if (run) atomic_add(own + last, run);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The groups add their histograms to the result: an atomic addition for each bin and group. */
void add_to_all(__local const uint *own, __global uint *counts) {
    for (size_t bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        if (own[bin]) atomic_add(counts + bin, own[bin]);
}

__kernel void local_added(
    __global const uint *values, uint n, __global uint *counts, __local uint *own) {
    count_in_group(values, n, own);
    add_to_all(own, counts);
}

__kernel void local_runs_added(
    __global const uint *values, uint n, __global uint *counts, __local uint *own) {
    count_runs_in_group(values, n, own);
    add_to_all(own, counts);
}

/* Each group writes its histogram, and a second kernel merges them without atomics. */
__kernel void local_written(
    __global const uint *values, uint n, __global uint *histograms, __local uint *own) {
    count_in_group(values, n, own);
    for (size_t bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        histograms[get_group_id(0) * BINS + bin] = own[bin];
}

/* One item per bin. Neighbouring items read neighbouring numbers. */
__kernel void merge(__global const uint *histograms, uint groups, __global uint *counts) {
    const size_t bin = get_global_id(0);
    uint sum = 0;
    for (size_t group = 0; group < groups; group++) sum += histograms[group * BINS + bin];
    counts[bin] = sum;
}
