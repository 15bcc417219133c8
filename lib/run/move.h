/* SPDX-License-Identifier: BSD-2-Clause */
/* move.h - a run begins with baseline code, and moves to the fast code of its problem between two
 * steps when a thread has compiled that (doc/design/solver.md, "Moves"). */
#ifndef EULERCL_MOVE_H
#define EULERCL_MOVE_H
#include "backend.h"

struct eulercl_solver;

/* The moves of a solver. */
struct moves {
    int is_open;           /* the fast code is still to come */
    double patience;       /* seconds in steps before it is compiled at all: most runs are short */
    int64_t forced;        /* for tests: the move is after this many steps; negative: as it comes */
    int64_t steps;         /* of the solver, before the move */
    double kernel_seconds; /* in them */
};

/* The problem that a solver with these options is made of: as of ecl_problem_use. */
int ecl_move_begin(const eulercl_problem *problem, const eulercl_options *options, int may_move,
    eulercl_problem **used, eulercl_error *error);
/* The solver is made. */
void ecl_move_open(struct eulercl_solver *solver);
/* Between two batches of steps, while none is launched: move if the fast code is ready. A move that
 * fails leaves all as it was, and becomes a note. */
void ecl_move_consider(struct eulercl_solver *solver);
/* The most steps of the next batch, so that the next look is soon enough. */
int64_t ecl_move_spacing(const struct eulercl_solver *solver);
/* The solver ends. */
void ecl_move_close(struct eulercl_solver *solver);
/* For tests: solvers that may move begin with baseline code, also where the fast code is there, and
 * wait for that after this many steps; negative: as usual. */
void ecl_move_force(int64_t steps);
#endif
