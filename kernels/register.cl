/* SPDX-License-Identifier: BSD-2-Clause */
/* register.cl - what the tiles in registers share. A work-item keeps its points in a private
   array, `cells`. Every index into it is a constant once the loops are unrolled, so that the
   compiler turns the array into registers. From the settings:
   REGISTER_RADIUS  points (general form: components) that an update reads on either side
   REGISTER_STAR    1: no right-hand side reads a diagonal neighbour
   REGISTER_SHARED(k), REGISTER_SHARED_COUNT   the components of neighbours that a right-hand
   side reads; edges consist of these alone
   REGISTER_PTX     1: the device understands NVIDIA's PTX
   REGISTER_SHUFFLE 1: edges travel by its shuffles where they can
   REGISTER_TIMES   0: the problem's text does not use the time, and `times` is empty
   The text of lib/schedule/overlap_geometry.h stands before this one, with TILE_INT =
   ode_offset. */
#define REGISTER_UNROLL _Pragma("unroll")
#define REGISTER_PERIODIC (ODE_GRID && ODE_BOUNDARY == ODE_PERIODIC)
#if REGISTER_TIMES
#define REGISTER_TIME(view, step) (view)->times[step]
#else
#define REGISTER_TIME(view, step) ((ode_real)0)
#endif
#define REGISTER_PASTE_(a, b) a##b
#define REGISTER_PASTE(a, b) REGISTER_PASTE_(a, b)

/* Vectors of 1, 2 or 4 reals, for copies; none is longer than 16 bytes. */
typedef ode_real register_1;
typedef ode_real2 register_2;
typedef ode_real4 register_4;
ODE_INLINE_ register_1 register_pack_1(const ode_real *x) { return x[0]; }
ODE_INLINE_ register_2 register_pack_2(const ode_real *x) { return (ode_real2)(x[0], x[1]); }
ODE_INLINE_ register_4 register_pack_4(const ode_real *x) {
    return (ode_real4)(x[0], x[1], x[2], x[3]);
}
ODE_INLINE_ void register_unpack_1(register_1 v, ode_real *x) { x[0] = v; }
ODE_INLINE_ void register_unpack_2(register_2 v, ode_real *x) {
    x[0] = v.x;
    x[1] = v.y;
}
ODE_INLINE_ void register_unpack_4(register_4 v, ode_real *x) {
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
    x[3] = v.w;
}

/* ---- edges ----
   An edge is the array of values that an item hands to a neighbour. In local memory it is cut into
   vectors of `width` reals, a number that the settings give, and vector v of all items stands side
   by side. */
#define REGISTER_VECTOR(width) REGISTER_PASTE(register_, width)
#define REGISTER_PUBLISH(width, reals, edge, edges, item) \
    REGISTER_UNROLL                                       \
    for (int v = 0; v < (reals) / (width); v++)           \
    (edges)[v][item] = REGISTER_PASTE(register_pack_, width)((edge) + v * (width))
#define REGISTER_FETCH(width, reals, edge, edges, item) \
    REGISTER_UNROLL                                     \
    for (int v = 0; v < (reals) / (width); v++)         \
    REGISTER_PASTE(register_unpack_, width)((edges)[v][item], (edge) + v * (width))

/* ---- ghosts ----
   The value of component c that the boundary rule puts d points beyond an end of the grid. `at_end`
   is the value of the point at that end, `mirrored` that of the point d before it; both are
   evaluated only where the rule uses them. */
#if ODE_BOUNDARY == ODE_FIXED
#define REGISTER_GHOST(view, t, c, at_end, mirrored) ode_outside_global((view)->constants, t, c)
#elif ODE_BOUNDARY == ODE_CLAMP
#define REGISTER_GHOST(view, t, c, at_end, mirrored) (at_end)
#else
#define REGISTER_GHOST(view, t, c, at_end, mirrored) (mirrored)
#endif

/* What a step needs besides the state: the same in all steps of a launch. */
typedef struct {
    ode_offset n, nx, ny;
    const ode_real *constants;
    __global const ode_real *fields;
    __global const ode_real *times; /* see REGISTER_TIME */
    ode_real h;
} register_view;

#if REGISTER_PTX
/* Bring the line of memory at this address into the second cache. (OpenCL's own prefetch does
 * nothing on NVIDIA's devices.) */
ODE_INLINE_ void register_prefetch(ODE_STATE const ode_real *from) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}
#endif

#if REGISTER_SHUFFLE
/* The value of the item on the left (right) in the warp, which is 32 neighbouring items. The item
 * at the warp's end gets its own value. */
#if ODE_DOUBLE
ODE_INLINE_ ode_real register_from_left(ode_real x) {
    const uint2 v = as_uint2(x);
    uint2 r;
    asm volatile(
        "shfl.sync.up.b32 %0, %2, 1, 0, 0xffffffff; shfl.sync.up.b32 %1, %3, 1, 0, 0xffffffff;"
        : "=&r"(r.x), "=&r"(r.y)
        : "r"(v.x), "r"(v.y));
    return as_double(r);
}
ODE_INLINE_ ode_real register_from_right(ode_real x) {
    const uint2 v = as_uint2(x);
    uint2 r;
    asm volatile("shfl.sync.down.b32 %0, %2, 1, 31, 0xffffffff; shfl.sync.down.b32 %1, %3, 1, 31, "
                 "0xffffffff;"
                 : "=&r"(r.x), "=&r"(r.y)
                 : "r"(v.x), "r"(v.y));
    return as_double(r);
}
#else
ODE_INLINE_ ode_real register_from_left(ode_real x) {
    ode_real r;
    asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=f"(r) : "f"(x));
    return r;
}
ODE_INLINE_ ode_real register_from_right(ode_real x) {
    ode_real r;
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(r) : "f"(x));
    return r;
}
#endif
#endif

#if ODE_GRID
/* The derivatives of the point that y points to, at column ix and row iy of the grid, in a window
 * with `row` reals per row. */
ODE_INLINE_ void register_rhs(const ode_real *y, int row, const register_view *view, ode_real t,
    ode_offset ix, ode_offset iy, ode_real *dot) {
    ode_offset jx = ix, jy = iy;
#if REGISTER_PERIODIC /* where a tile reaches beyond the grid's ends */
    jx = ix < 0 || ix >= view->nx ? overlap_wrap((overlap_line){view->nx, 1, 0, 1}, ix) : ix;
    jy = iy < 0 || iy >= view->ny ? overlap_wrap((overlap_line){view->ny, 1, 0, 1}, iy) : iy;
#elif ODE_FIELDS /* results of points beyond the ends are thrown away, but fields are read */
    jx = clamp(ix, (ode_offset)0, view->nx - 1);
    jy = clamp(iy, (ode_offset)0, view->ny - 1);
#endif
    ode_point_window(y, row, view->constants, view->fields + (jy * view->nx + jx) * ODE_FIELDS, t,
        jx, jy, view->nx, view->ny, dot);
}
#endif
