/* SPDX-License-Identifier: BSD-2-Clause */
/* local_memory.cl - whether a work-group can have LOCAL_WORDS words of local memory: all of them
 * are written, and read by other items. */
__kernel __attribute__((reqd_work_group_size(LOCAL_ITEMS, 1, 1))) void local_memory(
    __global uint *right) {
    __local uint words[LOCAL_WORDS];
    const uint item = get_local_id(0), other = LOCAL_ITEMS - 1 - item,
               salt = 0x9E3779B9u * (uint)(get_group_id(0) + 1);
    uint count = 0;
    for (uint i = item; i < LOCAL_WORDS; i += LOCAL_ITEMS) words[i] = i * salt;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = other; i < LOCAL_WORDS; i += LOCAL_ITEMS) count += words[i] == i * salt;
    right[get_global_id(0)] = count;
}
