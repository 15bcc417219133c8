/* SPDX-License-Identifier: BSD-2-Clause */
/* scan.cl - prefix sums: out[k] = in[0] + ... + in[k]. A group of GROUP items, a power of two, scans
 * 2 GROUP numbers and writes their sum. The host scans these sums, too, and adds them. The last
 * kernels know the sums of parts before they scan. */

/* W. D. Hillis, G. L. Steele: "Data parallel algorithms", Communications of the ACM 29 (1986). In
 * each of log2(2 GROUP) steps nearly all numbers change: n log n additions. Numbers are read from
 * one half of the local memory and written to the other one. */
__kernel void naive(__global const uint *in, uint n, __global uint *out, __global uint *sums) {
    __local uint halves[2][2 * GROUP];
    const size_t first = get_group_id(0) * 2 * GROUP;
    uint now = 0;
    for (uint k = get_local_id(0); k < 2 * GROUP; k += GROUP)
        halves[0][k] = first + k < n ? in[first + k] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < 2 * GROUP; distance *= 2) {
        for (uint k = get_local_id(0); k < 2 * GROUP; k += GROUP)
            halves[1 - now][k] = halves[now][k] + (k >= distance ? halves[now][k - distance] : 0);
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = get_local_id(0); k < 2 * GROUP; k += GROUP)
        if (first + k < n) out[first + k] = halves[now][k];
    if (get_local_id(0) == 0) sums[get_group_id(0)] = halves[now][2 * GROUP - 1];
}

/* G. E. Blelloch: "Prefix sums and their applications", CMU-CS-90-190 (1990). A tree of sums is
 * built upwards; then each node gives its left child its own value, and its right child its own
 * value and what the left child had: 2 n additions, in twice as many steps. The tree leaves the
 * sums before each number, to which the number is added. */
__kernel void work_efficient(
    __global const uint *in, uint n, __global uint *out, __global uint *sums) {
    __local uint tree[2 * GROUP];
    const uint item = get_local_id(0);
    const size_t first = get_group_id(0) * 2 * GROUP;
    for (uint k = item; k < 2 * GROUP; k += GROUP) tree[k] = first + k < n ? in[first + k] : 0;
    for (uint distance = 1; distance <= GROUP; distance *= 2) {
        const uint right = 2 * distance * (item + 1) - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < 2 * GROUP) tree[right] += tree[right - distance];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        sums[get_group_id(0)] = tree[2 * GROUP - 1];
        tree[2 * GROUP - 1] = 0;
    }
    for (uint distance = GROUP; distance > 0; distance /= 2) {
        const uint right = 2 * distance * (item + 1) - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < 2 * GROUP) {
            const uint node = tree[right];
            tree[right] = tree[right - distance] + node;
            tree[right - distance] = node;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < 2 * GROUP; k += GROUP)
        if (first + k < n) out[first + k] = tree[k] + in[first + k];
}

/* The third pass: the numbers of a group get the sum of all groups before it. */
__kernel void add_sums(__global const uint *scanned_sums, uint n, __global uint *out) {
    const size_t group = get_group_id(0);
    const uint before = group ? scanned_sums[group - 1] : 0;
    for (size_t i = group * 2 * GROUP + get_local_id(0); i < (group + 1) * 2 * GROUP; i += GROUP)
        if (i < n) out[i] += before;
}

/* The sum of each item of a group becomes the sum of it and all items before it. All items of the
 * group call it. */
static uint scan_items(__local uint halves[2][GROUP], uint sum) {
    const uint item = get_local_id(0);
    uint now = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    halves[0][item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        halves[1 - now][item] =
            halves[now][item] + (item >= distance ? halves[now][item - distance] : 0);
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return halves[now][item];
}

/* The sum of each part of `share` numbers. */
__kernel void part_sums(__global const uint *in, uint n, uint share, __global uint *sums) {
    __local uint halves[2][GROUP];
    const size_t first = get_group_id(0) * (size_t)share, end = min(first + share, (size_t)n);
    uint sum[4] = {0, 0, 0, 0};
    size_t i = first + get_local_id(0);
    for (; i + 3 * GROUP < end; i += 4 * GROUP)
        for (uint k = 0; k < 4; k++) sum[k] += in[i + k * GROUP];
    for (; i < end; i += GROUP) sum[0] += in[i];
    const uint all = scan_items(halves, sum[0] + sum[1] + sum[2] + sum[3]);
    if (get_local_id(0) == GROUP - 1) sums[get_group_id(0)] = all;
}

/* One group: what comes before each part. */
__kernel void scan_sums(__global uint *sums, uint parts) {
    __local uint halves[2][GROUP];
    const uint each = (parts + GROUP - 1) / GROUP, first = get_local_id(0) * each,
               end = min(first + each, parts);
    uint sum = 0;
    for (uint i = first; i < end; i++) sum += sums[i];
    uint before = scan_items(halves, sum) - sum;
    for (uint i = first; i < end; i++) {
        const uint own = sums[i];
        sums[i] = before;
        before += own;
    }
}

/* A group walks along its part in steps of 4 GROUP numbers: an item adds four of them in registers,
 * so that there are few barriers for a number. */
__kernel void scan_parts(
    __global const uint *in, uint n, uint share, __global uint *out, __global const uint *sums) {
    __local uint halves[2][GROUP], last;
    const size_t first = get_group_id(0) * (size_t)share, end = min(first + share, (size_t)n);
    uint carry = sums[get_group_id(0)];
    for (size_t step = first; step < end; step += 4 * GROUP) {
        const size_t at = step + get_local_id(0) * 4;
        uint4 v = 0;
        if (at + 4 <= end)
            v = vload4(0, in + at);
        else if (at < end)
            v = (uint4)(in[at], at + 1 < end ? in[at + 1] : 0, at + 2 < end ? in[at + 2] : 0, 0);
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        v += carry + scan_items(halves, v.w) - v.w;
        if (at + 4 <= end)
            vstore4(v, 0, out + at);
        else {
            if (at < end) out[at] = v.x;
            if (at + 1 < end) out[at + 1] = v.y;
            if (at + 2 < end) out[at + 2] = v.z;
        }
        if (get_local_id(0) == GROUP - 1) last = v.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        carry = last;
    }
}
