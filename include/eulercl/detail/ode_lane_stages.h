/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_lane_stages.h - a stage of any method (ode_update.h) in SIMD lanes.
 *
 * Read by ode_lanes.h, with its names. Which method runs is known at run time only. A few
 * neighbouring positions of a row are computed together: first their derivatives, which stay in
 * registers, and then the update of all of them, by code for the stage's shape. So the right-hand
 * side is compiled once for all stages. Stages whose shape has no code here leave their derivatives
 * in a buffer, and the library adds the terms (struct ode_levels). */

#include "ode_lane_shapes.h"
/* h b F among the terms of a sum, as ODE_SUM_ has them. */
#define ODE_HF_ (1 << ODE_MOST_ARRAYS_)
#define ODE_NO_SHAPE_ -1
/* Without an instruction for fma, no more than number 0 is worth its time to compile. */
#ifdef __FP_FAST_FMA
enum { ODE_PI_(ode_has_shapes) = 1 };
#else
enum { ODE_PI_(ode_has_shapes) = ODE_VECTOR_BYTES_ > 16 };
#endif

/* A stage: its coefficients, its shape, and its time. */
typedef struct {
    const ODE_P_(ode_stage_lanes) *stage;
    int shape;
    int sums;  /* beside the shape, as bits: carried values that h b F is added to, */
    int begun; /* and those where what stands there is a term of it */
    ODE_VALUE_ t;
    struct ode_instant instant; /* the same with what boundary values need: a private copy */
} ODE_PI_(ode_lane_stage);

/* The terms of component i of X; 0 if it remains, and a number that no shape has if it becomes 0.
 * ones: which of them have the coefficient 1. */
ODE_INLINE_ int ODE_PI_(ode_terms)(
    const ODE_P_(ode_stage_lanes) *stage, const int i, const int arrays, int *ones) {
    int terms = stage->hb[i] != 0 ? ODE_HF_ : 0;
    *ones = 0;
    if (!(stage->writes >> i & 1)) return 0;
    for (int j = 0; j < arrays; j++) {
        terms |= (stage->a[i][j] != 0) << j;
        *ones |= (stage->a[i][j] == 1) << j;
    }
    return terms ? terms : -1;
}

/* The number of the shape with these terms; ODE_NO_SHAPE_: none has them. */
ODE_INLINE_ int ODE_PI_(ode_find_shape)(
    const ODE_P_(ode_stage_lanes) *stage, const int *terms, const int *ones) {
    if (terms[3]) return ODE_NO_SHAPE_;
#define ODE_FIND_(NUMBER, IN_PLACE, T0, O0, T1, O1, T2, O2)                         \
    if (stage->in_place == (IN_PLACE) && terms[0] == (T0) && ones[0] == (O0) &&     \
        terms[1] == (T1) && ones[1] == (O1) && terms[2] == (T2) && ones[2] == (O2)) \
        return NUMBER;
    ODE_LANE_SHAPES_(ODE_FIND_)
#undef ODE_FIND_
    return ODE_NO_SHAPE_;
}

/* If no shape fits, one may without values that are sums of F and are read by nothing else, as
 * estimates of errors are. */
ODE_INLINE_ void ODE_PI_(ode_lane_stage_of)(ODE_PI_(ode_lane_stage) *lane_stage,
    const ODE_P_(ode_stage_lanes) *stage, const int arrays, const struct ode_instant *t) {
    enum { ALL = (1 << ODE_MOST_ARRAYS_) - 1 };
    int terms[ODE_MOST_ARRAYS_] = {0}, ones[ODE_MOST_ARRAYS_] = {0}, are_sums = 0, begun = 0;
    for (int i = 0; i < arrays; i++) terms[i] = ODE_PI_(ode_terms)(stage, i, arrays, &ones[i]);
    for (int i = 1; i < arrays; i++) {
        const int is_begun = terms[i] == (1 << i | ODE_HF_) && ones[i] == 1 << i;
        int readers = 0;
        for (int j = 0; j < arrays; j++) readers |= j != i && terms[j] > 0 && terms[j] >> i & 1;
        if (readers) continue;
        are_sums |= (is_begun || terms[i] == ODE_HF_) << i;
        begun |= is_begun << i;
    }
    *lane_stage = (ODE_PI_(ode_lane_stage)){stage, ODE_NO_SHAPE_, 0, 0, ODE_MOMENT_OF_(t), *t};
    for (int sums = 0; sums <= ALL && lane_stage->shape == ODE_NO_SHAPE_; sums++) {
        int others[ODE_MOST_ARRAYS_], other_ones[ODE_MOST_ARRAYS_];
        if (sums & ~are_sums) continue;
        for (int i = 0; i < ODE_MOST_ARRAYS_; i++) {
            others[i] = sums >> i & 1 ? 0 : terms[i];
            other_ones[i] = sums >> i & 1 ? 0 : ones[i];
        }
        lane_stage->shape = ODE_PI_(ode_find_shape)(stage, others, other_ones);
        lane_stage->sums = sums;
        lane_stage->begun = sums & begun;
    }
    /* Of some components the others are kept, which only number 0 and sums have code for. */
    const int has_more = lane_stage->shape || (!ODE_PI_(ode_has_shapes) ? lane_stage->sums : 0);
    if (has_more && (stage->components || !ODE_PI_(ode_has_shapes)))
        lane_stage->shape = ODE_NO_SHAPE_;
}

enum {
    /* Positions that are computed together: as many as have room in registers for a derivative and
     * two sums of each component, and in two dimensions for the rows around, too; at least one.
     * More of them would take longer to compile. */
    ODE_PI_(ode_together_fit) = ODE_ISA_(ODE_ISA_REGISTERS_) / 8 / ODE_COMPONENTS,
    ODE_PI_(ode_together) = ODE_PI_(ode_together_fit) < 1 ? 1 : ODE_PI_(ode_together_fit),
    ODE_PI_(ode_together_vectors) = ODE_PI_(ode_together) *ODE_COMPONENTS,
    /* Positions whose derivatives the buffer holds. */
    ODE_PI_(ode_buffer_fit) = ODE_UPDATE_BLOCK / (ODE_COMPONENTS * ODE_LANES_),
    ODE_PI_(ode_buffer) = ODE_PI_(ode_buffer_fit) < 1 ? 1 : ODE_PI_(ode_buffer_fit)
};

/* The vectors of these positions. */
typedef struct {
    ODE_PI_(ode_vector) of[ODE_PI_(ode_together_vectors)];
} ODE_PI_(ode_vectors);

/* A row of carried array i, 1 on. The pointers are not copied: the compiler reads a copy as a
 * vector, and the processor waits until the single pointers are in the cache. */
ODE_INLINE_ ODE_VALUE_ *ODE_PI_(ode_carried)(void *const *carried, const int i) {
    return carried[i - 1];
}

/* Whether stages of these components (as in ode_update.h) leave component c of a point as it is. */
ODE_INLINE_ int ODE_PI_(ode_is_kept)(const int components, const int c) {
#ifdef ODE_POSITION
    return components && (components == 1) != ((ODE_POSITION(c)) != 0);
#else
    (void)components, (void)c;
    return 0;
#endif
}

ODE_INLINE_ void ODE_PI_(ode_lanes_get)(
    ODE_PI_(ode_vector) *values, const ODE_VALUE_ *p, const int count) {
    ODE_UNROLLED_
    for (int k = 0; k < count; k++) memcpy(&values[k], p + k * ODE_LANES_, sizeof values[k]);
}
ODE_INLINE_ void ODE_PI_(ode_lanes_put)(
    ODE_VALUE_ *p, const ODE_PI_(ode_vector) *values, const int count) {
    ODE_UNROLLED_
    for (int k = 0; k < count; k++) memcpy(p + k * ODE_LANES_, &values[k], sizeof values[k]);
}

/* One term more in all sums of components that are replaced, or the first one. */
ODE_INLINE_ void ODE_PI_(ode_lanes_add)(ODE_PI_(ode_vectors) *sums, const ODE_VALUE_ factor,
    const ODE_PI_(ode_vectors) *values, const int is_first, const int components) {
    enum { COUNT = ODE_PI_(ode_together_vectors) };
    ODE_VALUE_ sum[COUNT][ODE_LANES_], value[COUNT][ODE_LANES_];
    memcpy(sum, sums, sizeof sum);
    memcpy(value, values, sizeof value);
    ODE_LANE_LOOP_
    for (int lane = 0; lane < ODE_LANES_; lane++) {
        ODE_UNROLLED_
        for (int k = 0; k < COUNT; k++)
            if (!ODE_PI_(ode_is_kept)(components, k % ODE_COMPONENTS))
                sum[k][lane] =
                    ODE_ADD_(ODE_P_(ode_fma), is_first, factor, value[k][lane], sum[k][lane]);
    }
    memcpy(sums, sum, sizeof sum);
}

/* Of positions that are computed together, the components that are replaced. */
ODE_INLINE_ void ODE_PI_(ode_replace)(
    ODE_VALUE_ *p, const ODE_PI_(ode_vectors) *values, const int components) {
    ODE_UNROLLED_
    for (int k = 0; k < ODE_PI_(ode_together_vectors); k++)
        if (!ODE_PI_(ode_is_kept)(components, k % ODE_COMPONENTS))
            memcpy(p + k * ODE_LANES_, &values->of[k], sizeof values->of[k]);
}

/* An update of a shape; u are the old values of U. Carried values are replaced in place. */
ODE_INLINE_ void ODE_PI_(ode_lanes_shape)(ODE_VALUE_ *next, void *const *carried, ode_index at,
    const ODE_PI_(ode_vectors) *u, const ODE_PI_(ode_vectors) *f, const ODE_VALUE_ *constants,
    const ODE_P_(ode_stage_lanes) *stage, const int in_place, const int t0, const int o0,
    const int t1, const int o1, const int t2, const int o2) {
    enum { COUNT = ODE_PI_(ode_together_vectors) };
    ODE_VALUE_ old[ODE_MOST_ARRAYS_][COUNT][ODE_LANES_], sums[COUNT][ODE_LANES_],
        p1[COUNT][ODE_LANES_], p2[COUNT][ODE_LANES_], dot[COUNT][ODE_LANES_],
        factors[3][ODE_MOST_ARRAYS_ + 1];
    const int reads = t0 | t1 | t2;
    ODE_UNROLLED_
    for (int k = 0; k < COUNT; k++) memcpy(old[0][k], &u->of[k], sizeof u->of[k]);
    ODE_UNROLLED_
    for (int j = 1; j < ODE_MOST_ARRAYS_; j++)
        if (reads >> j & 1) {
            ODE_UNROLLED_
            for (int k = 0; k < COUNT; k++) {
                ODE_PI_(ode_vector) value;
                memcpy(
                    &value, ODE_PI_(ode_carried)(carried, j) + at + k * ODE_LANES_, sizeof value);
                memcpy(old[j][k], &value, sizeof value);
            }
        }
    ODE_UNROLLED_
    for (int k = 0; k < COUNT; k++) memcpy(dot[k], &f->of[k], sizeof f->of[k]);
    /* Only those that the shape has: else all would be loaded before it is known which it is. */
    ODE_UNROLLED_
    for (int i = 0; i < 3; i++) {
        const int terms = i == 0 ? t0 & ~o0 : i == 1 ? t1 & ~o1 : t2 & ~o2;
        ODE_UNROLLED_
        for (int j = 0; j <= ODE_MOST_ARRAYS_; j++)
            factors[i][j] = !(terms >> j & 1)      ? 0
                            : j < ODE_MOST_ARRAYS_ ? stage->a[i][j]
                                                   : stage->hb[i];
    }
    /* One turn of vectors, so that nothing has to be unrolled after it: gcc -O2 does not. */
    ODE_LANE_LOOP_
    for (int lane = 0; lane < ODE_LANES_; lane++) {
        ODE_UNROLLED_
        for (int k = 0; k < COUNT; k++) {
            ODE_VALUE_ v[ODE_MOST_ARRAYS_], sum;
            ODE_UNROLLED_
            for (int j = 0; j < ODE_MOST_ARRAYS_; j++) v[j] = reads >> j & 1 ? old[j][k][lane] : 0;
#define ODE_ROW_(T, O, FACTORS)                                                       \
    {                                                                                 \
        const ODE_VALUE_ *const factor = FACTORS;                                     \
        ODE_SUM_(ODE_P_(ode_fma), T, O, 0, 1, 2, 3, 4, factor, v, dot[k][lane], sum); \
    }
            if (t2) {
                ODE_ROW_(t2, o2, factors[2])
                p2[k][lane] = sum;
                if (in_place) v[2] = sum;
            }
            if (t1) {
                ODE_ROW_(t1, o1, factors[1])
                p1[k][lane] = sum;
                if (in_place) v[1] = sum;
            }
            ODE_ROW_(t0, o0, factors[0])
            sums[k][lane] = sum;
#undef ODE_ROW_
        }
        for (int k = 0; ODE_SOLVES_ && k < COUNT; k += ODE_COMPONENTS) {
            ODE_VALUE_ point[ODE_COMPONENTS];
            for (int c = 0; c < ODE_COMPONENTS; c++) point[c] = sums[k + c][lane];
            ODE_P_(ode_solve_point)(constants, stage->hb[0], point);
            for (int c = 0; c < ODE_COMPONENTS; c++) sums[k + c][lane] = point[c];
        }
    }
    ODE_UNROLLED_
    for (int k = 0; k < COUNT; k++) {
        ODE_PI_(ode_vector) value;
        if (t2) {
            memcpy(&value, p2[k], sizeof value);
            memcpy(ODE_PI_(ode_carried)(carried, 2) + at + k * ODE_LANES_, &value, sizeof value);
        }
        if (t1) {
            memcpy(&value, p1[k], sizeof value);
            memcpy(ODE_PI_(ode_carried)(carried, 1) + at + k * ODE_LANES_, &value, sizeof value);
        }
        memcpy(&value, sums[k], sizeof value);
        memcpy(next + at + k * ODE_LANES_, &value, sizeof value);
    }
}

/* The update of a stage that has code: of its shape, or of some components; u are the old values of
 * U. In one dimension components that are kept stand where they go. */
ODE_INLINE_ void ODE_PI_(ode_lanes_update)(ODE_VALUE_ *next, void *const *carried, ode_index at,
    const ODE_PI_(ode_vectors) *u, const ODE_PI_(ode_vectors) *f, const ODE_VALUE_ *constants,
    const ODE_PI_(ode_lane_stage) *stage, const int components) {
    enum { COUNT = ODE_PI_(ode_together_vectors) };
    for (int left = ODE_PI_(ode_has_shapes) ? stage->sums : 0; left; left &= left - 1) {
        const int i = __builtin_ctz((unsigned)left);
        ODE_VALUE_ *const p = ODE_PI_(ode_carried)(carried, i) + at;
        ODE_PI_(ode_vectors) sums;
        ODE_PI_(ode_lanes_get)(sums.of, p, COUNT);
        if (stage->begun >> i & 1)
            ODE_PI_(ode_lanes_add)(&sums, stage->stage->hb[i], f, 0, components);
        else
            ODE_PI_(ode_lanes_add)(&sums, stage->stage->hb[i], f, 1, components);
        ODE_PI_(ode_replace)(p, &sums, components);
    }
    if (components) { /* number 0, but of some components */
        ODE_PI_(ode_vectors) sums = *u;
        ODE_PI_(ode_lanes_add)(&sums, stage->stage->hb[0], f, 0, components);
        ODE_PI_(ode_replace)(next + at, &sums, ODE_HAS_ROWS_ ? 0 : components);
        return;
    }
    switch (ODE_PI_(ode_has_shapes) ? stage->shape : 0) {
#define ODE_CASE_(NUMBER, ...)                                           \
    case NUMBER:                                                         \
        ODE_PI_(ode_lanes_shape)                                         \
        (next, carried, at, u, f, constants, stage->stage, __VA_ARGS__); \
        break;
        ODE_LANE_SHAPES_(ODE_CASE_)
#undef ODE_CASE_
    }
}

#if ODE_HAS_MARKS_
/* Put back the old values of those of `count` positions of a row from `first` on that keep them. */
ODE_INLINE_ void ODE_PI_(ode_keep_still)(ODE_VALUE_ *next, const ODE_VALUE_ *old,
    const ODE_PI_(ode_held) *held, ode_index first, ode_index count) {
    for (ode_index j = 0; j < count; j++) {
        ODE_PI_(ode_lane_mask) marks[ODE_LANES_];
        ODE_PI_(ode_held_marks)(marks, held, first + j);
        ODE_UNROLLED_
        for (int c = 0; c < ODE_COMPONENTS; c++) {
            const ode_index at = (j * ODE_COMPONENTS + c) * ODE_LANES_;
            ODE_LANE_LOOP_
            for (int lane = 0; lane < ODE_LANES_; lane++)
                next[at + lane] = marks[lane] & ODE_MARK_STILL_ ? old[at + lane] : next[at + lane];
        }
    }
}
#endif

/* The update of positions begin .. end-1, whose derivatives are in the buffer. */
ODE_INLINE_ void ODE_PI_(ode_empty_buffer)(const struct ode_levels *levels, const int level,
    ODE_VALUE_ *next, ODE_VALUE_ *now, void *const *carried, ode_index begin, ode_index end,
    const ODE_VALUE_ *buffer, const ODE_PI_(ode_held) *held) {
    enum { POINT = ODE_COMPONENTS * ODE_LANES_ };
    void *from[ODE_MOST_ARRAYS_] = {now + begin * POINT};
    if (begin >= end) return;
#if ODE_HAS_MARKS_
    ODE_VALUE_ old[ODE_PI_(ode_buffer) *POINT];
    memcpy(old, now + begin * POINT, (size_t)((end - begin) * POINT) * sizeof *old);
#endif
    for (int i = 1; i < levels->arrays; i++)
        from[i] = ODE_PI_(ode_carried)(carried, i) + begin * POINT;
    levels->update(levels, level, next + begin * POINT, from, buffer, (end - begin) * POINT);
#if ODE_HAS_MARKS_
    ODE_PI_(ode_keep_still)(next + begin * POINT, old, held, begin, end - begin);
#else
    (void)held;
#endif
}
