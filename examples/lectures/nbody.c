/* SPDX-License-Identifier: BSD-2-Clause */
/* nbody.c - a step of bodies that attract each other, all of the same mass, at random places in a
 * cube (H. Wenke, "Parallele Algorithmen mit OpenCL", Osnabrueck 2013, 15 May).
 *
 *     ./nbody [NUMBER OF BODIES]
 */
#include "lecture.h"
#include <math.h>

enum { GROUP = 256, BODIES_CHECKED = 256 };
#define SOFTENING2 1e-4

static size_t n_bodies;
static const float h = 0.01f;
static cl_float4 *bodies, *velocities, *new_bodies, *new_velocities;
static cl_mem body_buffer, velocity_buffer, new_body_buffer, new_velocity_buffer;
static cl_kernel naive, tiled;

static void run_naive(void) { launch(naive, groups_of(n_bodies, GROUP), GROUP); }
static void run_tiled(void) { launch(tiled, groups_of(n_bodies, GROUP), GROUP); }

/* The accelerations along the three axes, by a plain loop in double, and the sum of their
 * magnitudes. */
static void attract(size_t i, double acceleration[4]) {
    for (int axis = 0; axis < 4; axis++) acceleration[axis] = 0;
    for (size_t k = 0; k < n_bodies; k++) {
        double distance[3], square = SOFTENING2;
        for (int axis = 0; axis < 3; axis++) {
            distance[axis] = (double)bodies[k].s[axis] - (double)bodies[i].s[axis];
            square += distance[axis] * distance[axis];
        }
        const double factor = (double)bodies[k].s[3] / (square * sqrt(square));
        for (int axis = 0; axis < 3; axis++) {
            acceleration[axis] += factor * distance[axis];
            acceleration[3] += fabs(factor * distance[axis]);
        }
    }
}

/* Errors of a float sum of n numbers grow with its square root. */
static int is_body_right(size_t i) {
    const double share = 2e-6 + 5e-8 * sqrt((double)n_bodies);
    double acceleration[4];
    attract(i, acceleration);
    for (int axis = 0; axis < 3; axis++) {
        const double velocity = (double)velocities[i].s[axis] + (double)h * acceleration[axis],
                     place = (double)bodies[i].s[axis] + (double)h * velocity,
                     error = (double)h * share * acceleration[3] + 1e-7;
        if (!(fabs((double)new_velocities[i].s[axis] - velocity) <= error) ||
            !(fabs((double)new_bodies[i].s[axis] - place) <= error))
            return 0;
    }
    return 1;
}

/* Some bodies are compared, among them the first and the last one. */
static int is_right(void) {
    const size_t bytes = n_bodies * sizeof *bodies;
    const size_t distance = groups_of(n_bodies, BODIES_CHECKED);
    take_result(new_body_buffer, bytes, new_bodies);
    take_result(new_velocity_buffer, bytes, new_velocities);
    for (size_t i = 0; i < n_bodies; i += distance)
        if (!is_body_right(i)) return 0;
    return is_body_right(n_bodies - 1);
}

static const struct variant variants[] = {{"naive", run_naive}, {"tiled", run_tiled}};

static cl_kernel step_kernel(const char *name) {
    const cl_kernel kernel = kernel_of(name);
    const cl_uint n = (cl_uint)n_bodies;
    SET(kernel, 0, body_buffer);
    SET(kernel, 1, velocity_buffer);
    SET(kernel, 2, n);
    SET(kernel, 3, h);
    SET(kernel, 4, new_body_buffer);
    SET(kernel, 5, new_velocity_buffer);
    return kernel;
}

static void make_bodies(size_t bytes) {
    bodies = memory_of(bytes);
    velocities = memory_of(bytes);
    new_bodies = memory_of(bytes);
    new_velocities = memory_of(bytes);
    for (size_t i = 0; i < n_bodies; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bodies[i].s[axis] = (float)(random_number() >> 8) * 0x1p-24f;
            velocities[i].s[axis] = 0;
        }
        bodies[i].s[3] = 1 / (float)n_bodies;
        velocities[i].s[3] = 0;
    }
}

int main(int argc, char **argv) {
    n_bodies = size_argument(argc, argv, 16384);
    const size_t bytes = n_bodies * sizeof *bodies;
    make_bodies(bytes);
    start("nbody.cl", "-DGROUP=256 -DSOFTENING2=1e-4f");
    body_buffer = buffer_of(bytes, bodies);
    velocity_buffer = buffer_of(bytes, velocities);
    new_body_buffer = buffer_of(bytes, NULL);
    new_velocity_buffer = buffer_of(bytes, NULL);
    naive = step_kernel("naive");
    tiled = step_kernel("tiled");
    print_head("Step", n_bodies, "bodies", "G pairs/s");
    return finish(measure("random", variants, sizeof variants / sizeof *variants,
        (double)n_bodies * (double)n_bodies, is_right));
}
