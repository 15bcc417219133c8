/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes.c - see cpu/lanes.h. */
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

#define PASTED(a, b) a##b
#define PASTE(a, b) PASTED(a, b)

/* Permutations by the number of lanes: each lane gets the previous one's value, or the next one's,
 * counted round; the lower and upper halves of two vectors, one lane of each in turn. */
/* clang-format off */
#define PREVIOUS_2   1, 0
#define PREVIOUS_4   3, 0, 1, 2
#define PREVIOUS_8   7, 0, 1, 2, 3, 4, 5, 6
#define PREVIOUS_16 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define NEXT_2       1, 0
#define NEXT_4       1, 2, 3, 0
#define NEXT_8       1, 2, 3, 4, 5, 6, 7, 0
#define NEXT_16      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0
#define ZIP_LOW_2    0, 2
#define ZIP_LOW_4    0, 4, 1, 5
#define ZIP_LOW_8    0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_LOW_16   0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH_2   1, 3
#define ZIP_HIGH_4   2, 6, 3, 7
#define ZIP_HIGH_8   4, 12, 5, 13, 6, 14, 7, 15
#define ZIP_HIGH_16  8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
/* clang-format on */
#define PREVIOUS(a) SHUFFLE(a, a, PASTE(PREVIOUS_, LANES))
#define NEXT(a) SHUFFLE(a, a, PASTE(NEXT_, LANES))
#define ZIP_LOW(a, b) SHUFFLE(a, b, PASTE(ZIP_LOW_, LANES))
#define ZIP_HIGH(a, b) SHUFFLE(a, b, PASTE(ZIP_HIGH_, LANES))

#define REAL double
#define LANES 2
#define TARGET
#include "lanes_body.h"
#define REAL float
#define LANES 4
#define TARGET
#include "lanes_body.h"
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma,bmi,bmi2")))
#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2")))
#define REAL double
#define LANES 4
#define TARGET AVX2
#include "lanes_body.h"
#define REAL float
#define LANES 8
#define TARGET AVX2
#include "lanes_body.h"
#define REAL double
#define LANES 8
#define TARGET AVX512
#include "lanes_body.h"
#define REAL float
#define LANES 16
#define TARGET AVX512
#include "lanes_body.h"
#endif

static const struct lane_tools *const all[] = {
    &tools_double2,
    &tools_float4,
#if defined(__x86_64__)
    &tools_double4,
    &tools_float8,
    &tools_double8,
    &tools_float16,
#endif
};

const struct lane_tools *ecl_lane_tools(size_t real_size, int lanes) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->real_size == real_size && all[i]->lanes == lanes) return all[i];
    return NULL;
}

void ecl_deal(
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
