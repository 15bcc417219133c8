/* SPDX-License-Identifier: BSD-2-Clause */
/* state.h - the state of a solver in chunks, since it may be larger than the memory of the host. */
#ifndef CLI_FORMAT_STATE_H
#define CLI_FORMAT_STATE_H

#include "eulercl/eulercl.h"

enum { CHUNK = 1 << 20 }; /* components that the command holds at a time */

/* Reals first .. first + count - 1 of the state, called in order. */
typedef int chunk_taker(int64_t first, int64_t count, const void *y, void *user);
/* Read the state by chunks; chunk has room for CHUNK reals, or n; take may be NULL. hash becomes 16
   hexadecimal digits, or stays empty in a command without xxHash. */
int stream_state(eulercl_solver *solver, int64_t n, enum eulercl_precision precision, void *chunk,
    chunk_taker *take, void *user, char hash[17]);
/* Read a snapshot that was taken, as stream_state does. */
int stream_snapshot(eulercl_snapshot *snapshot, enum eulercl_precision precision, chunk_taker *take,
    void *user, char hash[17]);

/* The components that each process computes: process number r those from firsts[r] to firsts[r + 1]
 * - 1. */
struct division {
    int rank, ranks; /* number of this process, and number of processes */
    int64_t *firsts;
};
/* Read what this process computes, by chunks. `take` counts from the first of these on. */
int stream_own(eulercl_solver *solver, const struct division *division, void *chunk,
    chunk_taker *take, void *user);
/* The hash of stream_state, over the parts of all processes one after the other; *sum becomes the
 * sum of all. All processes call it together. */
int hash_parts(eulercl_solver *solver, const struct division *division,
    enum eulercl_precision precision, void *chunk, char hash[17], int64_t *sum);

/* How many of some reals are subnormal numbers. */
int64_t count_subnormals(enum eulercl_precision precision, const void *y, int64_t count);

enum { AXES = 3 }; /* the most axes of a grid, and the numbers that place a point */
/* Whether the points lie on a line: a grid of one axis, or the general form. */
int is_line(const eulercl_problem_info *info);
/* Whether they fill a box: a grid of three axes. */
int is_box(const eulercl_problem_info *info);

/* The shape of the state as an array: (n) of a general problem, (..., ny, nx, components) of a grid
 * problem. Returns its rank. */
enum { MOST_STATE_RANK = 4 };
int state_shape(const eulercl_problem_info *info, int64_t shape[MOST_STATE_RANK]);
/* An array of the right number of reals has other axes than the state, or the same in another
 * order, so it would be read as another state. Neighbouring axes may be one, and those of extent 1
 * do not count; a problem without a grid takes any. Errors: FILE. */
int check_axes(
    const char *path, const eulercl_problem_info *info, int rank, const int64_t *extents);

#endif
