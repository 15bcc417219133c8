/* SPDX-License-Identifier: BSD-2-Clause */
/* test_overlap.c - the geometry of overlap_geometry.h: every small line of tiles acted out, step
 * by step, with what each point of a tile holds. prove_tiles.cc proves the same for all sizes. */
#include "config.h"
#include "../support.h"
#include <string.h>
#define TILE_INT int
#include "schedule/overlap_geometry.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
enum { MAX_N = 24, MAX_TILE = 26 };

/* Faults that must be found: overlap_geometry.h is asked through the functions below, which seed
 * them. */
/* clang-format off */
#define FAULTS(FAULT) FAULT(NO_FAULT) FAULT(STRIDE_LONGER) FAULT(A_TILE_MISSING) \
    FAULT(A_TILE_MORE) FAULT(LAST_NOT_SHIFTED) FAULT(START_LATE) FAULT(START_EARLY) \
    FAULT(KEPT_LATE) FAULT(KEPT_EARLY) FAULT(FIRST_KEEPS_LESS) FAULT(HALO_A_POINT_LESS) \
    FAULT(RING_STARTS_LATE) FAULT(WRAP_NOT_BELOW) FAULT(WRAP_NOT_ABOVE)
/* clang-format on */
enum fault {
#define FAULT(NAME) NAME,
    FAULTS(FAULT)
#undef FAULT
};
static const char *const fault_names[] = {
#define FAULT(NAME) #NAME,
    FAULTS(FAULT)
#undef FAULT
};
static enum fault fault;

static int count_of(overlap_line o) {
    return overlap_count(o) + (fault == A_TILE_MORE) - (fault == A_TILE_MISSING);
}

static int start_of(overlap_line o, int tile) {
    const int start = overlap_start(o, tile);
    if (fault == LAST_NOT_SHIFTED && !o.periodic) return tile * overlap_stride(o);
    if (fault == RING_STARTS_LATE && o.periodic) return start + o.halo;
    return start + (fault == STRIDE_LONGER ? tile : 0) + (fault == START_LATE) -
           (fault == START_EARLY);
}

static int kept_of(overlap_line o, int tile) {
    if (tile >= count_of(o)) return o.n;
    if (fault == FIRST_KEEPS_LESS && !tile) return o.periodic ? o.halo : 1;
    return overlap_kept(o, tile) + (tile ? (fault == KEPT_LATE) - (fault == KEPT_EARLY) : 0);
}

static int wrap(overlap_line o, int i) {
    if ((fault == WRAP_NOT_BELOW && i < 0) || (fault == WRAP_NOT_ABOVE && i >= o.n)) return i;
    return overlap_wrap(o, i);
}

/* One tile makes `steps` steps: a point is right if all that it reads was. Beyond the tile's ends
   nothing is known, but where an end of the grid is. -> NULL, or what is wrong. */
static const char *act_out(
    overlap_line o, int tile, int radius, int steps, unsigned char *kept_by) {
    const int start = start_of(o, tile), end = start + o.tile, first = kept_of(o, tile),
              behind = kept_of(o, tile + 1);
    unsigned char right[2][MAX_TILE];
    if (!o.periodic && (start < 0 || end > o.n)) return "a tile is not inside the grid";
    for (int i = start; i < end; i++) {
        const int point = o.periodic ? wrap(o, i) : i;
        if (point < 0 || point >= o.n) return "a tile reads beyond the grid";
        if ((point - i) % o.n) return "a point stands for one that it is not";
        right[0][i - start] = 1;
    }
    for (int s = 0; s < steps; s++)
        for (int i = start; i < end; i++) {
            int good = 1;
            for (int j = i - radius; j <= i + radius; j++) {
                if (!o.periodic && (j < 0 || j >= o.n))
                    continue; /* the boundary rule's, made from points that are within reach too */
                good &= j >= start && j < end && right[s % 2][j - start];
            }
            right[(s + 1) % 2][i - start] = (unsigned char)good;
        }
    if (first >= behind) return "a tile keeps nothing";
    for (int i = first; i < behind; i++) {
        if (i < 0 || i >= o.n) return "a point beyond the grid is kept";
        if (i < start || i >= end) return "a tile keeps what it does not hold";
        if (!right[steps % 2][i - start]) return "a spoiled point is kept";
        const int is_grid_begin = !o.periodic && start == 0,
                  is_grid_end = !o.periodic && end == o.n;
        if ((!is_grid_begin && i < start + o.halo) || (!is_grid_end && i >= end - o.halo))
            return "a kept point is too near to a spoiled end";
        if (kept_by[i]++) return "a point is kept twice";
    }
    return NULL;
}

static const char *whole_line(overlap_line o, int radius, int steps) {
    unsigned char kept_by[MAX_N] = {0};
    if (count_of(o) < 1 || overlap_count(o) > o.n) return "the number of tiles";
    if (!o.periodic && (start_of(o, 0) != 0 || start_of(o, count_of(o) - 1) + o.tile != o.n))
        return "an end of the grid is not an end of a tile";
    for (int tile = 0; tile < count_of(o); tile++) {
        const char *wrong = act_out(o, tile, radius, steps, kept_by);
        if (wrong) return wrong;
    }
    for (int i = 0; i < o.n; i++)
        if (!kept_by[i]) return "a point is kept by nobody";
    return NULL;
}

/* Every small line with every radius and number of steps that the halo allows: -> how many; *wrong:
 * what the first bad one does, in *bad. */
static int every_line(const char **wrong, overlap_line *bad) {
    int lines = 0;
    *wrong = NULL;
    for (int periodic = 0; periodic < 2; periodic++)
        for (int n = 1; n <= MAX_N; n++)
            for (int tile = 1; tile <= (periodic ? MAX_TILE : n); tile++)
                for (int halo = 0; halo <= MAX_TILE / 2; halo++) {
                    const overlap_line o = {n, tile, halo, periodic};
                    if (tile <= 2 * halo && (periodic || tile != n)) continue;
                    for (int radius = 1; radius <= 3; radius++)
                        for (int steps = halo / radius; steps >= 0 && steps > halo / radius - 2;
                             steps--) {
                            lines++;
                            overlap_line seeded = o;
                            if (fault == HALO_A_POINT_LESS && halo) seeded.halo--;
                            *wrong = whole_line(seeded, radius, steps);
                            *bad = o;
                            if (*wrong) return lines;
                        }
                }
    return lines;
}

START_TEST(every_small_line_goes_well) {
    const char *wrong;
    overlap_line o;
    const int lines = every_line(&wrong, &o);
    ck_assert_msg(
        !wrong, "n %d, tile %d, halo %d, periodic %d: %s", o.n, o.tile, o.halo, o.periodic, wrong);
    printf("%d lines of tiles\n", lines);
    fflush(stdout);
}
END_TEST

START_TEST(faults_are_found) {
    const char *wrong;
    overlap_line o;
    fault = (enum fault)_i;
    every_line(&wrong, &o);
    ck_assert_msg(wrong != NULL, "%s goes well", fault_names[_i]);
    fault = NO_FAULT;
}
END_TEST

static void add(TCase *tests) {
    ADD(every_small_line_goes_well);
    tcase_add_loop_test(tests, faults_are_found, 1, COUNT(fault_names));
}

int main(void) { return run_tests("overlap", add); }
