/* SPDX-License-Identifier: BSD-2-Clause */
/* problem_text.h - what stands in a problem's text: the blocks that hold its equations, the
 * files that it includes, and what its right-hand side reads. */
#ifndef EULERCL_PROBLEM_TEXT_H
#define EULERCL_PROBLEM_TEXT_H
#include "../run/backend.h"
#include "lexer.h"

/* A word and its argument in brackets, ODE_POINT_RHS( ... ): what the word begins. */
enum cl_block_kind {
    CL_NO_BLOCK,
    CL_POINT_BLOCK,
    CL_COMPONENT_BLOCK,
    CL_FOUR_COMPONENTS_BLOCK,
    CL_HOST_BLOCK /* of no use on a device */
};
struct cl_block {
    enum cl_block_kind kind;
    struct token open, close; /* its brackets */
};
/* The block that begins with the token the lexer took last. The lexer goes on after it; it stays
 * where it is if there is none. */
struct cl_block ecl_cl_block(struct token word, struct lexer *lexer);

/* What a preprocessor line is, whose `#` the lexer took last: one that includes our header, or one
 * of the system's, or another one. */
enum cl_line_kind { CL_OTHER_LINE, CL_OUR_HEADER, CL_SYSTEM_HEADER };
enum cl_line_kind ecl_cl_line(struct lexer lexer);

/* What the right-hand side may read, as far as its text says so beyond doubt: the time; its place
   along the last axis of the grid, or the extent of that; in 2-D, neighbours that are in neither
   its row nor its column; which components (bits) of neighbours. */
struct reads {
    int time, place, diagonals;
    uint64_t components;
};
struct reads ecl_find_reads(const struct ode_problem *definition);
#endif
