/* SPDX-License-Identifier: BSD-2-Clause */
/* states.c - see states.h. */
#include "config.h"
#include "states.h"
#include <math.h>
#include <stdlib.h>

double grid_value(
    const struct grid_state *s, int64_t component, const int64_t place[3], int *is_there) {
    int64_t point = 0;
    *is_there = 1;
    for (int axis = 3; axis-- > 0;) {
        const int64_t n = s->extents[axis];
        int64_t x = place[axis];
        if (s->rings[axis]) x = (x % n + n) % n;
        if (x < 0 || x >= n) *is_there = 0;
        point = point * n + x;
    }
    return *is_there ? value_at(s->y, point * s->info.components + component, s->size) : 0;
}

int64_t grid_points(const struct grid_state *s) {
    return s->extents[0] * s->extents[1] * s->extents[2];
}

void grid_place(const struct grid_state *s, int64_t point, int64_t place[3]) {
    place[0] = point % s->extents[0];
    place[1] = point / s->extents[0] % s->extents[1];
    place[2] = point / s->extents[0] / s->extents[1];
}

/* Give the parameters that are whole numbers values: sizes, or at random. */
static void set_sizes(struct grid_state *s, const int64_t *sizes) {
    for (size_t i = 0; i < s->info.parameters; i++) {
        eulercl_parameter p = {.struct_size = sizeof p};
        OK(eulercl_problem_get_parameter(s->problem, i, &p, &error));
        if (p.integer && sizes)
            OK(eulercl_problem_set(s->problem, p.name, (double)*sizes++, &error));
        if (!p.integer || sizes) continue;
        const int64_t most = most_points(
            (unsigned)s->info.rank, random_below(3) ? 60 : 3000, random_below(8) ? 20 : 90);
        /* some rules need more points */
        eulercl_problem_set(
            s->problem, p.name, fmax((double)(1 + random_below(most)), p.min), &error);
    }
}

void open_grid_state(
    struct grid_state *s, const struct ode_problem *definition, size_t size, const int64_t *sizes) {
    *s = (struct grid_state){
        .definition = definition, .info.struct_size = sizeof s->info, .size = size};
    OK(eulercl_problem_create(definition, &s->problem, &error));
    OK(eulercl_problem_get_info(s->problem, &s->info, &error));
    set_sizes(s, sizes);
    OK(eulercl_problem_get_info(s->problem, &s->info, &error));
    s->rank = s->info.rank;
    for (int axis = 0; axis < 3; axis++) {
        s->extents[axis] = s->info.extents[axis];
        s->rings[axis] = axis < s->rank && ODE_IS_PERIODIC_(definition->grid.boundary[axis][0]);
    }
    s->y = zeroed(s->info.n, size);
}

void close_grid_state(struct grid_state *s) {
    eulercl_problem_destroy(s->problem);
    free(s->y);
}

void fill_grid_state(struct grid_state *s, int wild) {
    const int is_smooth = random_below(2) != 0;
    const double share = random_real(0, 1);
    for (int64_t i = 0; i < s->info.n; i++) {
        double value = random_real(-1, 1);
        if (is_smooth) value = random_real(0, 1) < share ? 1 : 0.25;
        if (wild && !random_below(7))
            value = (const double[]){NAN, INFINITY, -INFINITY, 0.5, 1}[random_below(5)];
        if (s->size == sizeof(float))
            ((float *)s->y)[i] = (float)value;
        else
            ((double *)s->y)[i] = value;
    }
}

const struct ode_problem *const grid_shapes[GRID_SHAPES] = {&test_problem_ring,
    &test_problem_rod_clamp, &test_problem_diagonal, &test_problem_mirror2, &test_problem_maze,
    &test_problem_knot, &test_problem_lattice, &test_problem_tunnel};

const struct holder holders[HOLDERS] = {{"seq", NULL, 0, 0}, {"cpu", NULL, 0, 0},
    {"pthreads", NULL, 0, 0}, {"cpu", "cpu,cpu", 0, 0}, {"seq", "cpu,cpu,cpu", 0, 0},
    {"cpu", NULL, 1, 0}, {"cl-linear", NULL, 0, 1}, {"cl-register", NULL, 0, 1}};

int make_holder(const struct grid_state *s, int i, eulercl_solver **solver) {
    eulercl_options options;
    options_for(&options, &(struct way){holders[i].backend, NULL, holders[i].is_opencl},
        (enum eulercl_precision)s->size);
    options.allow_inexact = 1;
    options.devices = holders[i].devices;
    options.device = holders[i].streams ? "cpu" : NULL;
    if (holders[i].streams)
        options.device_memory = s->info.n * (int64_t)s->size + (int64_t)random_below(9000);
    const int status = eulercl_solver_create(s->problem, &options, solver, &error);
    ck_assert_msg(
        !status || status == EULERCL_UNSUPPORTED, "%s: %s", holders[i].backend, error.message);
    if (!status) OK(eulercl_set_state(*solver, s->y, &error));
    return !status;
}
