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

/* A share in a turn over all of them. On a ring each turn begins with another share, so that the
 * last shares of a turn are still on their way while the next turn begins. */
struct visit {
    int64_t turn, place; /* place: 0 .. count-1 in the turn */
    int64_t share;
};

enum { COMPUTE, LOAD, STORE, STREAM_THREADS }; /* what the threads do during a visit */

struct stream {
    struct run slot; /* on the window */
    struct settled settled;
    struct stream_cut cut;
    struct pinned *shares; /* the state, by shares */
    int is_pinned;         /* by the slot's backend */
    void *mapped;          /* the state in a file; NULL: it is not in one */
    uint64_t mapped_bytes;
    char *first_rows; /* on a ring: those of the first share of a turn, before it is stored */
    void *in, *out;   /* copies of the slot's state: filled, emptied */
    struct team *team;
    /* The job: */
    struct batch batch;
    struct visit visit, load, store;
    int loads, stores; /* whether there is anything to do */
    int is_searched;   /* for inf and NaN: this is the last turn */
    double compute_seconds;
    int status[STREAM_THREADS];
    eulercl_error errors[STREAM_THREADS];
    /* What is known of the state: */
    int is_known;  /* the following is */
    int *suspects; /* of each share, whether its window has a component that is not finite */
    /* Figures: */
    uint64_t visits, loaded, stored; /* bytes */
    double waited;
};

/* stream_cut.c: with windows of at most `most` rows. Errors: UNSUPPORTED (they are too few),
 * INVALID (the user asks for more steps than they are enough for). */
int ecl_stream_cut(
    const struct run *whole, int64_t most, struct stream_cut *cut, eulercl_error *error);
/* Where a share begins; that number `count` is the end of the grid. */
int64_t ecl_stream_begin(const struct stream_cut *cut, int64_t share);
/* The first row of its window; negative where that goes round the grid. */
int64_t ecl_stream_first(const struct stream_cut *cut, int64_t share);
/* The share with a row of the grid. */
int64_t ecl_stream_share(const struct stream_cut *cut, int64_t row);
/* stream_visits.c: the vtable's. */
int ecl_stream_step(
    struct run *run, const struct batch *batch, double *seconds, eulercl_error *error);

static inline const struct backend *slot_table(const struct stream *s) { return s->settled.table; }
static inline size_t stream_row_bytes(const struct stream *s) {
    return (size_t)s->cut.row * s->slot.system.real_size;
}
static inline int64_t stream_begin(const struct stream *s, int64_t share) {
    return ecl_stream_begin(&s->cut, share);
}
#endif
