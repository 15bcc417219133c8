/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lanes_line.h - Euler steps of a line in SIMD lanes, several levels in one sweep.
 * ode_lanes.h reads it; it uses the names of that file. */

/* A sweep keeps of each of its levels the values around the point that it computes next: as many
 * levels as the registers hold. */
enum {
    ODE_PI_(ode_level_registers) =
        2 * ODE_RADIUS * ODE_COMPONENTS < 1 ? 1 : 2 * ODE_RADIUS * ODE_COMPONENTS,
    ODE_PI_(ode_levels_fit) = ODE_ISA_(ODE_ISA_REGISTERS_) / ODE_PI_(ode_level_registers),
    ODE_PI_(ode_levels) = ODE_PI_(ode_levels_fit) < 1                 ? 1
                          : ODE_PI_(ode_levels_fit) > ODE_MOST_LEVELS ? ODE_MOST_LEVELS
                                                                      : ODE_PI_(ode_levels_fit)
};

/* The boundary rule for the window around `position` of all lanes: the first lane's left end, the
 * last lane's right end. */
ODE_INLINE_ void ODE_PI_(ode_lanes_boundary)(ODE_PI_(ode_vector) *window,
    const ODE_P_(ode_view) *view, const struct ode_lanes *lanes, ode_index position,
    const struct ode_instant *t) {
    typedef ODE_PI_(ode_mask) mask;
    enum { CENTRE = ODE_WINDOW_CENTRE_(ODE_WINDOW_WIDTH_) };
    const mask first = {-1};
    const ode_axes row = {{0}};
    mask last = {0};
    last[ODE_LANES_ - 1] = -1;
    (void)row;
    /* A point p < radius points from the end, and its neighbour d > p points further on: -1 is the
     * first beyond the end. */
    ODE_UNROLLED_
    for (int p = 0; p < ODE_RADIUS; p++) {
        const int at_left = position == p, at_right = position == lanes->points - 1 - p;
        ODE_UNROLLED_
        for (int d = p + 1; d <= ODE_RADIUS; d++) ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) {
#define ODE_LEFT_IN_(k) window[CENTRE + ((k)-p) * ODE_COMPONENTS + c]
#define ODE_RIGHT_IN_(k) window[CENTRE - ((k)-p) * ODE_COMPONENTS + c]
            ODE_PI_(ode_vector) *const left = &window[CENTRE - d * ODE_COMPONENTS + c],
                                       *const right = &window[CENTRE + d * ODE_COMPONENTS + c];
            ODE_LANES_GHOST_(for_left, X_LOW, d - p, ODE_LEFT_IN_, 0, row)
            ODE_LANES_GHOST_(for_right, X_HIGH, d - p, ODE_RIGHT_IN_, ODE_LANES_ - 1, row)
#undef ODE_LEFT_IN_
#undef ODE_RIGHT_IN_
            if (at_left)
                *left = (ODE_PI_(ode_vector))(((mask)for_left & first) | ((mask)*left & ~first));
            if (at_right)
                *right = (ODE_PI_(ode_vector))(((mask)for_right & last) | ((mask)*right & ~last));
        }
    }
}

/* A vector of each component comes in at position j of the lowest level; level s is `s * radius`
 * positions behind, and the last one is stored where its points stand. */
ODE_INLINE_ void ODE_PI_(ode_lanes_advance)(ODE_PI_(ode_vector) *window, ODE_VALUE_ *u,
    const ODE_PI_(ode_held) *held, const ODE_P_(ode_view) *view, const struct ode_lanes *lanes,
    ode_index j, const struct ode_instant *instants, const ODE_VALUE_ *t, ODE_VALUE_ h,
    const int levels, const int ends) {
    enum { SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) };
    ODE_PI_(ode_vector) x[ODE_COMPONENTS];
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++)
        memcpy(&x[c], u + (j * ODE_COMPONENTS + c) * ODE_LANES_, sizeof x[c]);
    ODE_UNROLLED_
    for (int s = 0; s < levels; s++) {
        ODE_PI_(ode_vector) *const w = window + s * SIZE;
        ODE_UNROLLED_
        for (int k = 0; k < SIZE - ODE_COMPONENTS; k++) w[k] = w[k + ODE_COMPONENTS];
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) w[SIZE - ODE_COMPONENTS + c] = x[c];
        if (ends && !ODE_PERIODIC_X_)
            ODE_PI_(ode_lanes_boundary)(w, view, lanes, j - (s + 1) * ODE_RADIUS, &instants[s]);
        ODE_PI_(ode_lanes_point)(ODE_STEP_, x, w, held, view, lanes, j - (s + 1) * ODE_RADIUS,
            (ode_axes){{0}}, t[s], h, ends);
    }
    j -= levels * ODE_RADIUS;
    if (ends && (j < 0 || j >= lanes->points)) return;
    ODE_UNROLLED_
    for (int c = 0; c < ODE_COMPONENTS; c++)
        memcpy(u + (j * ODE_COMPONENTS + c) * ODE_LANES_, &x[c], sizeof x[c]);
}

/* In place; the values of the next lanes stand `levels * radius` positions deep at both ends. */
ODE_INLINE_ void ODE_PI_(ode_lanes_sweep)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const struct ode_instant *instants_, double h_,
    const int levels) {
    enum { SIZE = ODE_WINDOW_SIZE_(ODE_WINDOW_WIDTH_) };
    ODE_VIEW_
    const ODE_VALUE_ h = (ODE_VALUE_)h_;
    const struct ode_lanes dealt = *lanes;
    const ODE_PI_(ode_held) held = ODE_PI_(ode_held_by)(&dealt, 1, 0);
    const ode_index halo = levels * ODE_RADIUS, end = dealt.points + halo;
    ODE_VALUE_ *const u = row, t[ODE_MOST_LEVELS];
    struct ode_instant instants[ODE_MOST_LEVELS]; /* private copies, as of the constants */
    ODE_PI_(ode_vector) window[ODE_MOST_LEVELS * SIZE];
    for (int s = 0; s < levels; s++) {
        instants[s] = instants_[s];
        t[s] = ODE_MOMENT_OF_(&instants[s]);
    }
    ODE_UNROLLED_
    for (int k = 0; k < levels * SIZE; k++) window[k] = (ODE_PI_(ode_vector)){0};
    ode_index j = -halo;
    /* Both ends in one loop: each copy of the right-hand sides takes the compiler as long again. */
    while (j < end) {
        const ode_index left = halo + ODE_RADIUS, end_of_ends = j < left && left < end ? left : end;
        for (; j < end_of_ends; j++)
            ODE_PI_(ode_lanes_advance)(
                window, u, &held, &view, &dealt, j, instants, t, h, levels, 1);
        for (; j < dealt.points; j++)
            ODE_PI_(ode_lanes_advance)(
                window, u, &held, &view, &dealt, j, instants, t, h, levels, 0);
    }
}

ODE_TARGET_ static void ODE_PI_(ode_sweep)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const struct ode_instant *t, double h) {
    ODE_PI_(ode_lanes_sweep)(context, lanes, row, t, h, ODE_PI_(ode_levels));
}
ODE_TARGET_ static void ODE_PI_(ode_sweep_one)(const struct ode_context *context,
    const struct ode_lanes *lanes, void *row, const struct ode_instant *t, double h) {
    ODE_PI_(ode_lanes_sweep)(context, lanes, row, t, h, 1);
}
