/* SPDX-License-Identifier: BSD-2-Clause */
/* register.cl - the common part of the tiles in registers. A work-item keeps its points in a
   private array, `cells`. Every index into it is a constant once the loops are unrolled, so that
   the compiler turns the array into registers. From the settings:
   REGISTER_RADIUS  points (general form: components) that an update reads on either side
   REGISTER_STAR    1: no right-hand side reads a diagonal neighbour
   REGISTER_SHARED(k), REGISTER_SHARED_COUNT   the components of neighbours that a right-hand
   side reads; edges consist of these alone
   REGISTER_PTX     1: the device understands NVIDIA's PTX
   REGISTER_SHUFFLE 1: edges travel by its shuffles where they can
   REGISTER_TIMES   0: the problem's text does not use the time, and `times` is empty
   REGISTER_HELD_ROW   where items hold the coefficients of their points: points of a row of those
   The text of lib/schedule/overlap_geometry.h stands before this one, with TILE_INT =
   ode_offset. */
#define REGISTER_UNROLL _Pragma("unroll")
#if REGISTER_TIMES
#define REGISTER_TIME(view, step) (view)->times[step]
#else
#define REGISTER_TIME(view, step) ODE_NO_INSTANT_
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

/* A coordinate, counted round if its axis is periodic. */
#define REGISTER_ROUND(is_periodic, i, n) \
    ((is_periodic) && ((i) < 0 || (i) >= (n)) ? overlap_wrap((overlap_line){n, 1, 0, 1}, i) : (i))

/* The same along a side: beyond ends that do not close, coefficients are there as far as ghosts are
 * read. */
#define REGISTER_ALONG(is_periodic, i, n)                                                     \
    ((is_periodic) ? REGISTER_ROUND(is_periodic, i, n)                                        \
        : ODE_HAS_FIELDS_                                                                     \
            ? clamp(i, (ode_offset)-ODE_RADIUS, (n) - (ode_offset)1 + (ode_offset)ODE_RADIUS) \
            : (i))

/* Declares `ghost`, the value of component c that stands d points beyond a side (ODE_GHOST_); x,
 * y, z: where it is along the side. */
#define REGISTER_GHOST_AT(ghost, SIDE, d, in, view, t, c, x, y, z)                        \
    ode_real ghost##_in[ODE_RADIUS + 1];                                                  \
    REGISTER_UNROLL                                                                       \
    for (int inwards = 0;                                                                 \
         inwards <=                                                                       \
         (ODE_IS_COPY_(ODE_##SIDE##_) ? -1 : ODE_INWARDS_(ODE_##SIDE##_, d, ODE_RADIUS)); \
         inwards++)                                                                       \
        ghost##_in[inwards] = in(inwards);                                                \
    const ode_real ghost = ODE_GHOST_(ODE_##SIDE##_, d, in,                               \
        ode_ghost_global(ODE_SIDE_##SIDE##_, d, ghost##_in, (view)->constants, t,         \
            (ode_beside_global)ODE_BESIDE_(view,                                          \
                REGISTER_ALONG(ODE_PERIODIC_X_, (ode_offset)(x), (view)->extents.of[0]),  \
                REGISTER_ALONG(ODE_PERIODIC_Y_, (ode_offset)(y), (view)->extents.of[1]),  \
                REGISTER_ALONG(ODE_PERIODIC_Z_, (ode_offset)(z), (view)->extents.of[2])), \
            c));
#define REGISTER_GHOST(ghost, SIDE, d, in, view, t, c, x, y) \
    REGISTER_GHOST_AT(ghost, SIDE, d, in, view, t, c, x, y, 0)

/* ---- a program for any section of any step: see STAGE_IS_ANY below ---- */
#if STAGE_IS_ANY
/* Its shapes are four bits each. The host has the same struct (registers/plane.c). */
typedef struct {
    int stages, enters, leaves, ends, flush_steps;
    uint shapes[2];
} stage_section;
#define STAGE_SECTION_ARGUMENT , const stage_section section
#define STAGE_SECTION_PASS , &section
#define STAGE_SHAPE(view, at)                                                                     \
    ((int)(((at) < 8 ? (view)->section->shapes[0] : (view)->section->shapes[1]) >> 4 * ((at)&7) & \
           15))
#else
#define STAGE_SECTION_ARGUMENT
#define STAGE_SECTION_PASS
#endif

/* The data of a level besides the state, which are the same in all levels of a launch. */
typedef struct {
    ode_offset n; /* components */
    ode_axes extents;
    const ode_real *constants;
    __global const ode_real *fields;
    __global const ode_instant *times; /* see REGISTER_TIME */
    const ode_real *factors;           /* STAGE_FACTORS for each stage of a step */
    int since_flush;                   /* steps from the last flush to the first step here */
#if STAGE_IS_ANY
    const stage_section *section;
#endif
} register_view;

/* ---- tiny values ----
   If they are flushed, the program has FLUSH_BELOW(i), the threshold of component i, and
   FLUSH_STEPS, the steps from one flush to the next. */
#ifdef FLUSH_BELOW
#define REGISTER_FLUSH_ARGUMENT , const int since_flush
#define REGISTER_SINCE_FLUSH since_flush
#define REGISTER_IS_FLUSHED(view, steps) (((view)->since_flush + (steps)) % FLUSH_STEPS == 0)
/* The number of the `steps` steps of a launch that are made when the next flush after `done` of
 * them is due, or all of them. Loops end there, which is faster than a test in each step
 * (doc/results/2026-11-registers.md). */
#define REGISTER_NEXT_FLUSH(view, done, steps) \
    min(steps, (done) + FLUSH_STEPS - ((view)->since_flush + (done)) % FLUSH_STEPS)
/* Whether no flush is due within `stride` steps after `done` of them, or after any multiple of
 * that, but at the end of these. */
#define REGISTER_FLUSHES_BETWEEN(view, done, stride) \
    (FLUSH_STEPS % (stride) == 0 && ((view)->since_flush + (done)) % (stride) == 0)
/* Flush the cells 0 .. count-1, whose points begin with a component 0. */
#define REGISTER_FLUSH(cells, count)           \
    REGISTER_UNROLL                            \
    for (int cell = 0; cell < (count); cell++) \
        (cells)[cell] = ODE_FLUSH_(fabs, FLUSH_BELOW(cell % ODE_COMPONENTS), (cells)[cell]);
#else
#define REGISTER_FLUSH_ARGUMENT
#define REGISTER_SINCE_FLUSH 0
#define REGISTER_IS_FLUSHED(view, steps) 0
#define REGISTER_NEXT_FLUSH(view, done, steps) (steps)
#define REGISTER_FLUSHES_BETWEEN(view, done, stride) 1
#define REGISTER_FLUSH(cells, count)
#endif

/* ---- stages ----
   The method is part of the program's text, but for its coefficients that are neither 0 nor 1.
   Stages whose coefficients are 0 and 1 at the same places have the same shape. From the settings:
   STAGE_ARRAYS         values of a component: U, which neighbours read, and the carried ones
   STAGE_COUNT          stages of a step, or of a section of it: a launch may begin or end between
                        two stages of a step
   STAGE_IS_SECTION     1: a launch makes a section of a step
   STAGE_ENTERS, STAGE_LEAVES   carried values that come from memory at a launch's beginning, and go
                        there at its end, since it is between two stages; 0: it is not, or the next
                        stage needs none. Sections of a body have pipe_section instead
   STAGE_FACTORS        coefficients of a stage
   STAGE_SHAPES         the shapes: STAGE_BEGIN_, a STAGE_ROW_ and a STAGE_SET_ for each value,
                        STAGE_END_; a row in place is set before the next one is computed. The
                        function of a shape updates a component and returns the factor of F in U
   STAGE_CHOICE(CALL)   the CALL of the shape whose number is `shape`
   STAGE_STEP(ONE, RUN) the stages of a step: ONE(shape, number) and, where many follow each other
                        that have one shape, RUN(shape, first, end)
   STAGE_AHEAD          1: the last stage of a step and the first of the next have the same
                        derivatives, since neither changes what they are made of. Then STAGE_FIRST
                        is the first stage, STAGE_STEP the others and the first of the next step,
                        in one text, where the compiler sees that; and STAGE_LAST all but the first
   STAGE_TURNS          stages of a step after which edges are exchanged
   STAGE_READS(shape), STAGE_HANDS_OVER(shape)   whether it reads neighbours; whether it changes
                        a component that neighbours read
   STAGE_MOST           stages that the coefficients have room for
   STAGE_ENDS           whether a step ends where the stages do
   STAGE_IS_ANY         1: one program makes any section of any step: STAGE_COUNT, STAGE_ENTERS,
                        STAGE_LEAVES, FLUSH_STEPS, STAGE_ENDS and the shapes are those of the
                        argument `section` */
#define STAGE_BEGIN_(shape, components)                                                 \
    ODE_INLINE_ ode_real stage_##shape(                                                 \
        const ode_real *factor, const int is_position, const ode_real f, ode_real *x) { \
        ode_real next[ODE_MOST_ARRAYS_], hb = 0;                                        \
        if ((components) && ((components) == 1) != is_position) return hb;
#define STAGE_ROW_(i, TERMS, ONES, P0, P1, P2, P3, PF)                  \
    if ((i) == 0 && ((TERMS) >> ODE_MOST_ARRAYS_ & 1)) hb = factor[PF]; \
    ODE_SUM_(fma, TERMS, ONES, P0, P1, P2, P3, PF, factor, x, f, next[i]);
#define STAGE_SET_(i) x[i] = next[i];
#define STAGE_END_ \
    return hb;     \
    }
STAGE_SHAPES

/* Kernel argument: the coefficients of a step, by value. */
typedef struct {
    ode_real value[STAGE_MOST * STAGE_FACTORS];
} stage_factors;

/* A stage as it is made: its shape is a literal of the text, so that of STAGE_CHOICE one call
 * remains. */
typedef struct {
    int shape;
    const ode_real *factor;
    ode_instant t;
    const register_view *view;
} register_stage;
#define REGISTER_STAGE(view, shape, number, level) \
    { shape, (view)->factors + (number)*STAGE_FACTORS, REGISTER_TIME(view, level), view }

/* The stages begin .. end-1, which have one shape, as ONE(shape, number), `unroll` of them without
 * a branch in between. */
#define REGISTER_RUN(ONE, unroll, shape, begin, end)                   \
    {                                                                  \
        int at = begin;                                                \
        for (; at + (unroll) <= (end); at += (unroll)) REGISTER_UNROLL \
        for (int u = 0; u < (unroll); u++) ONE(shape, at + u)          \
        for (; at < (end); at++) ONE(shape, at)                        \
    }

#ifdef ODE_POSITION
#define REGISTER_POSITION(i) ((ODE_POSITION(i)) != 0)
#else
#define REGISTER_POSITION(i) 0
#endif

/* The carried values of an item that holds `reals` components. */
#define REGISTER_CARRIED(reals) ((STAGE_ARRAYS > 1 ? STAGE_ARRAYS - 1 : 1) * (reals))

/* Kernel arguments of a section: the arrays of carried values, one after the other, each like the
 * state. */
#if STAGE_IS_SECTION
#define REGISTER_CARRIED_ARGUMENTS \
    , ODE_STATE const ode_real *restrict carried_in, ODE_STATE ode_real *restrict carried_out
#else
#define REGISTER_CARRIED_ARGUMENTS
#endif
/* Array k of those. */
#define REGISTER_CARRIED_ARRAY(arrays, view, k) ((arrays) + (size_t)(k) * (size_t)(view)->n)

/* The coordinate of a point along an axis. A tile may reach beyond the ends: of a periodic axis it
 * is counted round. The results of points beyond other ends are thrown away, but their coefficients
 * are read. */
#define REGISTER_INSIDE(is_periodic, i, n)                                     \
    ((is_periodic)              ? REGISTER_ROUND(is_periodic, i, n)            \
        : ODE_HAS_COEFFICIENTS_ ? clamp(i, (ode_offset)0, (n) - (ode_offset)1) \
                                : (i))
#define REGISTER_X(view, at) REGISTER_INSIDE(ODE_PERIODIC_X_, (at).of[0], (view)->extents.of[0])
#define REGISTER_Y(view, at) REGISTER_INSIDE(ODE_PERIODIC_Y_, (at).of[1], (view)->extents.of[1])
#define REGISTER_Z(view, at) REGISTER_INSIDE(ODE_PERIODIC_Z_, (at).of[2], (view)->extents.of[2])
#define REGISTER_MARKS(view, at) \
    ODE_MARKS_(view, REGISTER_X(view, at), REGISTER_Y(view, at), REGISTER_Z(view, at))
#define REGISTER_IS_STILL(view, at) ODE_IS_STILL_(REGISTER_MARKS(view, at))

/* Advance the point u[components], whose carried values are carried[c], carried[stride + c], ...;
 * i: the number of its first component, 0 (general form: of the component in the system). is_still:
 * it keeps its values. */
ODE_INLINE_ void register_update(const register_stage *stage, ode_index i, const int is_still,
    const ode_real *f, ode_real *u, ode_real *carried, const int stride) {
    const int shape = stage->shape;
    ode_real hb;
    REGISTER_UNROLL
    for (int c = 0; c < ODE_COMPONENTS; c++) {
        ode_real x[ODE_MOST_ARRAYS_] = {u[c], STAGE_ARRAYS > 1 ? carried[c] : 0,
            STAGE_ARRAYS > 2 ? carried[stride + c] : 0,
            STAGE_ARRAYS > 3 ? carried[2 * stride + c] : 0};
#define REGISTER_CALL(shape) hb = stage_##shape(stage->factor, REGISTER_POSITION(i + c), f[c], x)
        STAGE_CHOICE(REGISTER_CALL)
        u[c] = is_still ? u[c] : x[0];
        if (STAGE_ARRAYS > 1) carried[c] = x[1];
        if (STAGE_ARRAYS > 2) carried[stride + c] = x[2];
        if (STAGE_ARRAYS > 3) carried[2 * stride + c] = x[3];
    }
    ode_solve_point_global(stage->view->constants, hb, u);
}

/* ---- errors ----
   Compare those of the cells 0 .. count-1, whose points begin with a component 0 and whose
   estimates are `estimates`, where they are kept. */
#ifdef ESTIMATE
#define REGISTER_COMPARE(is_kept, cells, estimates, count) \
    if (is_kept) REGISTER_UNROLL                           \
    for (int compared = 0; compared < (count); compared++) \
        estimate_compare(                                  \
            errors, compared % ODE_COMPONENTS, (cells)[compared], (estimates)[compared]);

/* Report for the whole work-group: the items of a warp agree by shuffles, and one of them
 * speaks. */
ODE_INLINE_ void register_report(
    estimate *errors, __local int *worst, const int items, __global int *greatest) {
    int speaks = 1;
#if REGISTER_PTX
    if (items % 32 == 0) REGISTER_UNROLL
    for (int lane = 1; lane < 32; lane *= 2) {
        int other;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(other)
                     : "r"(errors->worst), "r"(lane));
        errors->worst = max(errors->worst, other);
    }
    speaks = items % 32 != 0 || get_local_id(0) % 32 == 0;
#endif
    estimate_report(errors, speaks, worst, greatest);
}
#define REGISTER_ESTIMATE_BEGIN \
    __local int group_worst;    \
    ESTIMATE_BEGIN(1)
#define REGISTER_ESTIMATE_END(items) register_report(errors, &group_worst, items, greatest + batch);
#else
#define REGISTER_COMPARE(is_kept, cells, estimates, count)
#define REGISTER_ESTIMATE_BEGIN
#define REGISTER_ESTIMATE_END(items)
#endif

/* Tests of bits are made again where the compiler no longer knows the word: of all bits of a tile
 * they would take more registers than the words. */
#if REGISTER_PTX
#define REGISTER_FORGET(word) asm volatile("" : "+r"(word))
#else
#define REGISTER_FORGET(word) (void)(word)
#endif

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
/* The derivatives of the point whose first component is *centre and whose place is `at`, in a
 * window with these distances between neighbours. */
ODE_INLINE_ void register_rhs(const ode_real *centre, ode_axes stride, const register_view *view,
    ode_instant t, ode_axes at, ode_real *dot) {
    const ode_offset x = REGISTER_X(view, at), y = REGISTER_Y(view, at), z = REGISTER_Z(view, at);
    ode_point_window(centre, stride, view->constants, ODE_COEFFICIENTS_(view, x, y, z),
        ODE_MOMENT_OF_(t), ODE_PLACE_(view, x, y, z), dot);
}
#endif
