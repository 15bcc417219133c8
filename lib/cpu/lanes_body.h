/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes_body.h - cpu/lanes.c for one real type and number of lanes: REAL, LANES and TARGET, the
   attribute of its functions, which it undefines. */
#define NAME(x) PASTE(x##_, PASTE(REAL, LANES))
typedef REAL NAME(vector) __attribute__((vector_size(LANES * sizeof(REAL))));
typedef __typeof__(_Generic((REAL)0, float : (int32_t)0, double : (int64_t)0)) NAME(integer);
typedef NAME(integer) NAME(mask) __attribute__((vector_size(LANES * sizeof(REAL))));
#define VECTOR NAME(vector)
#define MASK NAME(mask)
#define UNROLLED _Pragma("GCC unroll 16")

TARGET INLINE VECTOR NAME(get)(const REAL *p) {
    VECTOR v;
    memcpy(&v, p, sizeof v);
    return v;
}
/* No functions: vectors as arguments draw notes about past ABIs. */
#define PUT(p, v)                      \
    do {                               \
        const VECTOR put_ = (v);       \
        memcpy(p, &put_, sizeof put_); \
    } while (0)
#define CHOOSE(mask, yes, no) ((VECTOR)(((MASK)(yes) & (mask)) | ((MASK)(no) & ~(mask))))
TARGET INLINE MASK NAME(get_mask)(const void *p) {
    MASK m;
    memcpy(&m, p, sizeof m);
    return m;
}

/* LANES x LANES, by log2(LANES) perfect shuffles. */
TARGET INLINE void NAME(transpose)(VECTOR x[LANES]) {
    VECTOR y[LANES];
    UNROLLED for (int k = 1; k < LANES; k *= 2) {
        UNROLLED for (int i = 0; i < LANES / 2; i++) {
            y[2 * i] = ZIP_LOW(x[i], x[i + LANES / 2]);
            y[2 * i + 1] = ZIP_HIGH(x[i], x[i + LANES / 2]);
        }
        UNROLLED for (int i = 0; i < LANES; i++) x[i] = y[i];
    }
}

/* Each lane's points are contiguous in y, so the layouts are transposes of each other, LANES reals
 * of every lane at a time; the last block overlaps the one before. */
INLINE int64_t NAME(next_block)(int64_t k, int64_t count) {
    return k + LANES >= count || k + 2 * LANES <= count ? k + LANES : count - LANES;
}

TARGET static void NAME(load_part)(
    void *u_, const struct dealt *d, const void *y_, int components, int64_t a, int64_t b) {
    REAL *u = u_;
    const REAL *y = y_;
    for (int lane = 0; lane < LANES; lane++) {
        const int64_t start = d->start[lane], from = a > start ? a : start,
                      to = b < start + d->lanes.points ? b : start + d->lanes.points;
        for (int64_t i = from * components; i < to * components; i++)
            u[(i - start * components) * LANES + lane] = y[i - a * components];
    }
}

TARGET static void NAME(store_part)(
    const void *u_, const struct dealt *d, void *y_, int components, int64_t a, int64_t b) {
    const REAL *u = u_;
    REAL *y = y_;
    for (int lane = 0; lane < LANES; lane++) {
        const int64_t start = d->start[lane], from = a > start ? a : start,
                      to = b < start + d->lanes.points ? b : start + d->lanes.points;
        for (int64_t i = from * components; i < to * components; i++)
            y[i - a * components] = u[(i - start * components) * LANES + lane];
    }
}

/* Rows with less than LANES reals for each lane. Vectors of the lanes overlap in y: they bring in
 * what belongs to the following lanes, too, and those overwrite what they have written too far. The
 * end of the row stays where it is. */
TARGET static void NAME(load_short)(REAL *u, const struct dealt *d, const REAL *y, int components) {
    const int64_t count = components * d->lanes.points, end = components * d->n;
    VECTOR x[LANES];
    UNROLLED for (int lane = 0; lane < LANES; lane++) {
        const int64_t at = components * d->start[lane];
        REAL rest[LANES] = {0};
        if (at + LANES > end) memcpy(rest, y + at, (size_t)count * sizeof *y);
        x[lane] = NAME(get)(at + LANES > end ? rest : y + at);
    }
    NAME(transpose)(x);
    for (int64_t i = 0; i < count; i++) PUT(u + i * LANES, x[i]);
}

TARGET static void NAME(store_short)(
    const REAL *u, const struct dealt *d, REAL *y, int components) {
    const int64_t count = components * d->lanes.points, end = components * d->n;
    VECTOR x[LANES];
    UNROLLED for (int i = 0; i < LANES; i++) x[i] =
        NAME(get)(u + (i < count ? i : count - 1) * LANES);
    NAME(transpose)(x);
    UNROLLED for (int lane = 0; lane < LANES; lane++) {
        const int64_t at = components * d->start[lane];
        if (at + LANES > end)
            memcpy(y + at, &x[lane], (size_t)count * sizeof *y);
        else
            PUT(y + at, x[lane]);
    }
}

TARGET static void NAME(load)(void *u_, const struct dealt *d, const void *y_, int components) {
    REAL *u = u_;
    const REAL *y = y_;
    const int64_t count = components * d->lanes.points;
    if (count < LANES) {
        NAME(load_short)(u, d, y, components);
        return;
    }
    for (int64_t k = 0; k < count; k = NAME(next_block)(k, count)) {
        VECTOR x[LANES];
        UNROLLED for (int lane = 0; lane < LANES; lane++) x[lane] =
            NAME(get)(y + components * d->start[lane] + k);
        NAME(transpose)(x);
        UNROLLED for (int i = 0; i < LANES; i++) PUT(u + (k + i) * LANES, x[i]);
    }
}

TARGET static void NAME(store)(
    const void *u_, const struct dealt *d, void *y_, int components, int64_t a, int64_t b) {
    const REAL *u = u_;
    REAL *y = y_;
    const int64_t count = components * d->lanes.points;
    int64_t from[LANES], to[LANES]; /* the range of each lane that is stored */
    if (count < LANES && a == 0 && b == d->n) {
        NAME(store_short)(u, d, y, components);
        return;
    }
    if (count < LANES || b - a < d->n / 2) {
        NAME(store_part)(u, d, y, components, a, b);
        return;
    }
    for (int lane = 0; lane < LANES; lane++) {
        from[lane] = components * (a - d->start[lane]);
        to[lane] = components * (b - d->start[lane]);
    }
    for (int64_t k = 0; k < count; k = NAME(next_block)(k, count)) {
        VECTOR x[LANES];
        UNROLLED for (int i = 0; i < LANES; i++) x[i] = NAME(get)(u + (k + i) * LANES);
        NAME(transpose)(x);
        if (k >= from[0] && k + LANES <= to[LANES - 1]) {
            UNROLLED for (int lane = 0; lane < LANES; lane++)
                PUT(y + components * (d->start[lane] - a) + k, x[lane]);
        } else {
            for (int lane = 0; lane < LANES; lane++) {
                REAL *const to_lane = y + (components * (d->start[lane] - a) + k);
                if (k >= from[lane] && k + LANES <= to[lane])
                    PUT(to_lane, x[lane]);
                else
                    for (int i = 0; i < LANES; i++)
                        if (k + i >= from[lane] && k + i < to[lane]) to_lane[i] = x[lane][i];
            }
        }
    }
}

TARGET static void NAME(join)(void *u_, const struct dealt *d, int components, int depth) {
    REAL *u = u_;
    const MASK first = NAME(get_mask)(d->lanes.shares_first),
               last = NAME(get_mask)(d->lanes.shares_last);
    REAL *const end = u + d->lanes.points * components * LANES;
    for (int i = 1; i <= depth; i++)
        for (int c = 0; c < components; c++) {
            const int64_t out = (i * components - c) * LANES,
                          in = ((i - 1) * components + c) * LANES, point = components * LANES;
            PUT(u - out, CHOOSE(first, PREVIOUS(NAME(get)(end - out - point)),
                             PREVIOUS(NAME(get)(end - out))));
            PUT(end + in, CHOOSE(last, NEXT(NAME(get)(u + in + point)), NEXT(NAME(get)(u + in))));
        }
}

static void NAME(deal_masks)(struct dealt *d) {
    MASK first = {0}, last = {0};
    for (int lane = 1; lane < LANES; lane++)
        if (d->start[lane] - d->start[lane - 1] < d->lanes.points)
            first[lane] = last[lane - 1] = -1;
    memcpy(d->lanes.shares_first, &first, sizeof first);
    memcpy(d->lanes.shares_last, &last, sizeof last);
}

static const struct lane_tools NAME(tools) = {LANES, sizeof(REAL), NAME(load), NAME(store),
    NAME(load_part), NAME(store_part), NAME(join), NAME(deal_masks)};

#undef PUT
#undef CHOOSE
#undef VECTOR
#undef MASK
#undef UNROLLED
#undef NAME
#undef REAL
#undef LANES
#undef TARGET
