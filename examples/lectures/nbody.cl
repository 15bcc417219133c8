/* SPDX-License-Identifier: BSD-2-Clause */
/* nbody.cl - a step of n bodies that attract each other. A body is a float4: its place and its mass.
 * G is 1. */

/* What the attraction of another body adds to an acceleration. SOFTENING2 is the square of a length
 * below which the force no longer grows. The body itself has distance 0, so it adds nothing. */
float4 attracted(float4 acceleration, float4 body, float4 other) {
    float4 distance = other - body;
    distance.w = 0;
    const float inverse = rsqrt(dot(distance, distance) + SOFTENING2);
    return acceleration + other.w * inverse * inverse * inverse * distance;
}

/* First the new velocity, and with it the new place. */
void move(float4 acceleration, __global const float4 *bodies, __global const float4 *velocities,
    float h, size_t i, __global float4 *new_bodies, __global float4 *new_velocities) {
    const float4 velocity = velocities[i] + h * acceleration;
    new_velocities[i] = velocity;
    new_bodies[i] = bodies[i] + h * velocity;
}

/* One item per body. It reads all bodies from global memory. */
__kernel void naive(__global const float4 *bodies, __global const float4 *velocities, uint n,
    float h, __global float4 *new_bodies, __global float4 *new_velocities) {
    const size_t i = get_global_id(0);
    float4 acceleration = 0;
    if (i >= n) return;
    const float4 body = bodies[i];
    for (size_t k = 0; k < n; k++) acceleration = attracted(acceleration, body, bodies[k]);
    move(acceleration, bodies, velocities, h, i, new_bodies, new_velocities);
}

/* The items of a group load GROUP bodies into local memory, one each, and then all read them there.
 */
__kernel void tiled(__global const float4 *bodies, __global const float4 *velocities, uint n,
    float h, __global float4 *new_bodies, __global float4 *new_velocities) {
    __local float4 tile[GROUP];
    const size_t i = get_global_id(0);
    float4 acceleration = 0;
    const float4 body = bodies[i < n ? i : n - 1];
    for (size_t first = 0; first < n; first += GROUP) {
        const size_t length = n - first < GROUP ? n - first : GROUP;
        if (get_local_id(0) < length) tile[get_local_id(0)] = bodies[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t k = 0; k < length; k++) acceleration = attracted(acceleration, body, tile[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) move(acceleration, bodies, velocities, h, i, new_bodies, new_velocities);
}
