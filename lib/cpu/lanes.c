/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/lanes.c - see cpu/lanes.h. */
#include "config.h"
#include "lanes.h"
#include <string.h>
#define TILE_INT int64_t
#include "../schedule/deal_geometry.h"

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (MASK){__VA_ARGS__})
#pragma GCC diagnostic ignored "-Wpsabi" /* the vectors never leave this file */
#endif

#define PREVIOUS(a) SHUFFLE(a, a, 1, 0)
#define NEXT(a) SHUFFLE(a, a, 1, 0)
#define ZIP_LOW(a, b) SHUFFLE(a, b, 0, 2)
#define ZIP_HIGH(a, b) SHUFFLE(a, b, 1, 3)
#define NAME(x) f64x2_##x
#define REAL double
#define INTEGER int64_t
#define LANES 2
#define TARGET
#include "lanes_body.h"
#undef PREVIOUS
#undef NEXT
#undef ZIP_LOW
#undef ZIP_HIGH

#define PREVIOUS(a) SHUFFLE(a, a, 3, 0, 1, 2)
#define NEXT(a) SHUFFLE(a, a, 1, 2, 3, 0)
#define ZIP_LOW(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#define NAME(x) f32x4_##x
#define REAL float
#define INTEGER int32_t
#define LANES 4
#define TARGET
#include "lanes_body.h"
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma,bmi,bmi2")))
#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2")))
#define NAME(x) f64x4_##x
#define REAL double
#define INTEGER int64_t
#define LANES 4
#define TARGET AVX2
#include "lanes_body.h"
#undef PREVIOUS
#undef NEXT
#undef ZIP_LOW
#undef ZIP_HIGH

#define PREVIOUS(a) SHUFFLE(a, a, 7, 0, 1, 2, 3, 4, 5, 6)
#define NEXT(a) SHUFFLE(a, a, 1, 2, 3, 4, 5, 6, 7, 0)
#define ZIP_LOW(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define NAME(x) f32x8_##x
#define REAL float
#define INTEGER int32_t
#define LANES 8
#define TARGET AVX2
#include "lanes_body.h"
#define NAME(x) f64x8_##x
#define REAL double
#define INTEGER int64_t
#define LANES 8
#define TARGET AVX512
#include "lanes_body.h"
#undef PREVIOUS
#undef NEXT
#undef ZIP_LOW
#undef ZIP_HIGH

#define PREVIOUS(a) SHUFFLE(a, a, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
#define NEXT(a) SHUFFLE(a, a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0)
#define ZIP_LOW(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b) SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define NAME(x) f32x16_##x
#define REAL float
#define INTEGER int32_t
#define LANES 16
#define TARGET AVX512
#include "lanes_body.h"
#endif

static const struct lane_tools *const all[] = {
    &f64x2_tools,
    &f32x4_tools,
#if defined(__x86_64__)
    &f64x4_tools,
    &f32x8_tools,
    &f64x8_tools,
    &f32x16_tools,
#endif
};

const struct lane_tools *eulercl_lane_tools(size_t real_size, int lanes) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->real_size == real_size && all[i]->lanes == lanes) return all[i];
    return NULL;
}

void eulercl_deal(
    const struct lane_tools *tools, int64_t n, int64_t column, int64_t nx, struct dealt *dealt) {
    dealt->n = n;
    dealt->lanes.points = deal_points(n, tools->lanes);
    for (int lane = 0; lane < tools->lanes; lane++) {
        dealt->start[lane] = deal_first(n, tools->lanes, lane);
        const int64_t at = (column + dealt->start[lane]) % nx;
        dealt->lanes.first[lane] = at < 0 ? at + nx : at;
    }
    tools->deal_masks(dealt);
}
