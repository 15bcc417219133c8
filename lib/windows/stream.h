/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/stream.h - a system that is larger than the memory of the device (doc/design/windows.md).
 * The host holds the state, cut into shares of neighbouring rows. One run on a window of the grid
 * moves from share to share: a copy of the state that the run has beside its own is filled with the
 * next share and its ghosts while the present one is computed, and another one is emptied of the
 * share before. All shares are visited in turn, and each visit makes as many steps as the ghosts
 * are enough for. */
#ifndef EULERCL_STREAM_H
#define EULERCL_STREAM_H
#include "../run/backend.h"
#include "../plan/plan.h"
#include "../problem/system.h"

/* How the grid is cut. */
struct stream_cut {
    int64_t rows, row; /* of the whole grid; components in a row */
    int64_t unit;      /* windows begin with a multiple of so many rows */
    int64_t count;     /* shares: equal ones, but for a unit */
    int64_t halo;      /* ghost rows at a cut */
    int64_t height;    /* rows of the window */
    int64_t interval;  /* steps of a visit, at most */
    int periodic;
};

/* stream_cut.c: with windows of at most `most` rows. Errors: UNSUPPORTED (they are too few),
 * INVALID (the user asks for more steps than they are enough for). */
int ecl_stream_cut(
    const struct run *whole, int64_t most, struct stream_cut *cut, eulercl_error *error);
/* Where a share begins; that number `count` is the end of the grid. */
int64_t ecl_stream_begin(const struct stream_cut *cut, int64_t share);
/* The first row of its window; negative where that goes round the grid. */
int64_t ecl_stream_first(const struct stream_cut *cut, int64_t share);
#endif
