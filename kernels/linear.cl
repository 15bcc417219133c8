/* SPDX-License-Identifier: BSD-2-Clause */
/* linear.cl - one launch per level, one global barrier: the linear schemes of the thesis, ch. 5.
   Every kernel computes a level (eulercl/detail/ode_update.h) of n components from `in` into `out`,
   with any number of work-items, each of which computes whole points. A method whose stages are not
   all plain passes a stage's coefficients as an argument. */
#ifdef STAGE_ARRAYS
#define LINEAR_STAGE_ARGUMENTS \
    , const ode_stage_real coefficients, ODE_STATE ode_real *restrict carried
#define LINEAR_STAGE_VIEW const ode_stage_real *const stage = &coefficients;
#else
#define LINEAR_STAGE_ARGUMENTS
#define LINEAR_STAGE_VIEW
#endif
#ifdef FLUSH_BELOW
#define LINEAR_FLUSH_ARGUMENT , const int is_flushed
#else
#define LINEAR_FLUSH_ARGUMENT
#endif
#ifdef ESTIMATE
#define LINEAR_ESTIMATE_ARGUMENTS , const int is_due ESTIMATE_ARGUMENTS
#define LINEAR_ESTIMATE_BEGIN \
    __local int group_worst;  \
    ESTIMATE_BEGIN(is_due)
#define LINEAR_ESTIMATE_END \
    if (is_due) ESTIMATE_END(&group_worst)
#else
#define LINEAR_ESTIMATE_ARGUMENTS
#define LINEAR_ESTIMATE_BEGIN
#define LINEAR_ESTIMATE_END
#endif
#define LINEAR_ARGUMENTS                                                                         \
    ODE_STATE const ode_real *restrict in, ODE_STATE ode_real *restrict out, const ode_offset n, \
        const ode_axes extents, const ode_instant t, const ode_real h,                           \
        const ode_constants constants,                                                           \
        __global const ode_real *fields LINEAR_STAGE_ARGUMENTS LINEAR_FLUSH_ARGUMENT             \
            LINEAR_ESTIMATE_ARGUMENTS
#define LINEAR_VIEW                                                     \
    const ode_view_global view = {n, extents, constants.value, fields}; \
    LINEAR_STAGE_VIEW                                                   \
    LINEAR_ESTIMATE_BEGIN

/* The components that an item computes together: four, or those of a point if four are not whole
   points, or if it reads the whole state, which takes long enough. */
#define LINEAR_HAS_VECTORS (4 % ODE_COMPONENTS == 0 && !ODE_ACCESS_ALL)
#if LINEAR_HAS_VECTORS
#define LINEAR_UNIT 4
#else
#define LINEAR_UNIT ODE_COMPONENTS
#endif

/* The derivatives of a point. A stage that replaces positions alone needs no forces, which take all
   of the time if they depend on the whole state: in a text of its own the compiler leaves them out.
 */
ODE_INLINE_ void linear_derivatives(ODE_STATE const ode_real *in, const ode_view_global *view,
    ode_offset i, ode_instant t, ode_real *dot STAGE_PARAMETERS) {
#if ODE_ACCESS_ALL && ODE_GRID && defined STAGE_ARRAYS && defined ODE_POSITION
    if (stage->components == 1) {
        ode_real all[ODE_COMPONENTS];
        ode_eval_point_global(in, view, i, t, all);
        for (int c = 0; c < ODE_COMPONENTS; c++) dot[c] = ODE_POSITION(c) ? all[c] : 0;
        return;
    }
#endif
    ode_eval_point_global(in, view, i, t, dot);
}

/* The points whose components are first .. end-1. */
ODE_INLINE_ void linear_points(ODE_STATE const ode_real *in, ODE_STATE ode_real *out,
    const ode_view_global *view, ode_offset first, ode_offset end, ode_instant t,
    ode_real h STAGE_PARAMETERS) {
    for (ode_offset i = first; i < end; i += ODE_COMPONENTS) {
        ode_real dot[ODE_COMPONENTS], y[ODE_COMPONENTS];
        for (int c = 0; c < ODE_COMPONENTS; c++) y[c] = in[i + c];
        linear_derivatives(in, view, i, t, dot STAGE);
        stage_point(view->constants, i, ode_still_points_global(view, i / ODE_COMPONENTS, 1), h,
            dot, y STAGE);
        for (int c = 0; c < ODE_COMPONENTS; c++) out[i + c] = y[c];
    }
}

/* One of the kernels below is compiled: the host defines its name. */
#ifdef LINEAR_CHUNKED
/* 5.1: each item a contiguous chunk. */
__kernel void linear_chunked(LINEAR_ARGUMENTS) {
    LINEAR_VIEW
    const ode_offset points = n / ODE_COMPONENTS, items = (ode_offset)get_global_size(0),
                     share = points / items, rest = points % items,
                     id = (ode_offset)get_global_id(0);
    const ode_offset first = id * share + (id < rest ? id : rest), count = share + (id < rest);
    linear_points(
        in, out, &view, first * ODE_COMPONENTS, (first + count) * ODE_COMPONENTS, t, h STAGE);
    LINEAR_ESTIMATE_END
}
#endif

/* The components of a unit; the last one may have fewer. */
#define LINEAR_UNITS ((n - 1) / LINEAR_UNIT + 1)
#define LINEAR_UNIT_END(unit) \
    (n - LINEAR_UNIT * (unit) < LINEAR_UNIT ? n : LINEAR_UNIT * (unit) + LINEAR_UNIT)

#ifdef LINEAR_STRIDED
/* 5.2: neighbouring components, a unit at a time, the items in turn. */
__kernel void linear_strided(LINEAR_ARGUMENTS) {
    LINEAR_VIEW
    const ode_offset stride = (ode_offset)get_global_size(0);
    for (ode_offset unit = (ode_offset)get_global_id(0); unit < LINEAR_UNITS; unit += stride)
        linear_points(in, out, &view, LINEAR_UNIT * unit, LINEAR_UNIT_END(unit), t, h STAGE);
    LINEAR_ESTIMATE_END
}
#endif

#ifdef LINEAR_VECTOR
/* 5.3: like linear_strided, with one vector load and store, and the right-hand side of four
   components at a time. In the stencil form the items' points are gathered into registers, so that
   the centre comes from the vector. What is not a whole vector, or is near the border of a grid, is
   computed as in linear_strided: a second text for it would take longer to compile than it saves.
 */
__kernel void linear_vector(LINEAR_ARGUMENTS) {
    LINEAR_VIEW
    const ode_offset stride = (ode_offset)get_global_size(0);
    for (ode_offset unit = (ode_offset)get_global_id(0); unit < LINEAR_UNITS; unit += stride) {
#if LINEAR_HAS_VECTORS
#if ODE_GRID
#define LINEAR_POINTS (4 / ODE_COMPONENTS)
#define LINEAR_WIDTH (LINEAR_POINTS + 2 * ODE_RADIUS)
        const ode_offset point = unit * LINEAR_POINTS;
        const ode_axes at = ode_point_at_global(&view, point);
        if (n - 4 * unit >= 4 && ode_is_inner_global(&view, LINEAR_POINTS, at)) {
#else
        if (n - 4 * unit >= 4) {
#endif
            ode_real dot[4], y[4];
            vstore4(((ODE_STATE const ode_real4 *)in)[unit], 0, y);
#if ODE_GRID
            ODE_STATE const ode_real *first = in + (point - ODE_RADIUS) * ODE_COMPONENTS;
            ode_real window[ODE_WINDOW_SIZE_(LINEAR_WIDTH)];
            __attribute__((opencl_unroll_hint)) for (int row = 0; row < ODE_WINDOW_ROWS_; row++)
                __attribute__((opencl_unroll_hint)) for (int q = 0;
                                                         q < LINEAR_WIDTH * ODE_COMPONENTS; q++)
                    window[row * LINEAR_WIDTH * ODE_COMPONENTS + q] =
                        first[ODE_WINDOW_ROW_(row, &view) * ODE_COMPONENTS + q];
            for (int k = 0; k < 4; k++) window[ODE_WINDOW_CENTRE_(LINEAR_WIDTH) + k] = y[k];
            __attribute__((opencl_unroll_hint)) for (int k = 0; k < LINEAR_POINTS; k++)
                ode_point_window(window + ODE_WINDOW_CENTRE_(LINEAR_WIDTH) + k * ODE_COMPONENTS,
                    ODE_WINDOW_STRIDES_(LINEAR_WIDTH), constants.value,
                    ODE_COEFFICIENTS_(&view, at.of[0] + k, at.of[1], at.of[2]), ODE_MOMENT_OF_(t),
                    ODE_PLACE_(&view, at.of[0] + k, at.of[1], at.of[2]), dot + k * ODE_COMPONENTS);
#else
            ode_eval_comp4_global(in, &view, unit, t, dot);
#endif
            stage_four(constants.value, 4 * unit,
                ode_still_points_global(&view, 4 * unit / ODE_COMPONENTS, 4 / ODE_COMPONENTS), h,
                dot, y STAGE);
            ((ODE_STATE ode_real4 *)out)[unit] = vload4(0, y);
        } else
#endif
            linear_points(in, out, &view, LINEAR_UNIT * unit, LINEAR_UNIT_END(unit), t, h STAGE);
    }
    LINEAR_ESTIMATE_END
}
#endif
