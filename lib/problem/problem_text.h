/* SPDX-License-Identifier: BSD-2-Clause */
/* problem_text.h - the contents of a problem's text: the blocks that hold its equations, the files
 * that it includes, and what its right-hand side reads. */
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
    CL_HOST_BLOCK /* not used on a device */
};
struct cl_block {
    enum cl_block_kind kind;
    struct token open, close; /* its brackets */
};
/* The block that begins with the token the lexer took last. The lexer goes on after it; it stays
 * where it is if no block begins there. */
struct cl_block ecl_cl_block(struct token word, struct lexer *lexer);

/* The next token that OpenCL reads: blocks for the host are passed. */
struct token ecl_cl_take(struct lexer *lexer);

/* The kind of a preprocessor line whose `#` the lexer took last: it includes our header, or one of
 * the system's, or it is another line. */
enum cl_line_kind { CL_OTHER_LINE, CL_OUR_HEADER, CL_SYSTEM_HEADER };
enum cl_line_kind ecl_cl_line(struct lexer lexer);

/* Whether the text includes files of the author's. */
int ecl_includes_others(struct lexer text);
/* Whether words can be made of parts, or come from another file: then the text does not say what is
 * read. */
int ecl_is_open(const struct ode_problem *definition);
/* Whether the word is a parameter of the macro whose name the lexer took last. */
int ecl_is_macro_parameter(struct token word, struct lexer lexer);

/* The values that the right-hand side may read, as far as its text shows them beyond doubt: the
   time; its place along the last axis of the grid, or the extent of that axis; in 2-D, neighbours
   that are in neither its row nor its column; components (bits) of neighbours. */
struct reads {
    int time, place, diagonals;
    uint64_t components;
};
struct reads ecl_find_reads(const struct ode_problem *definition);
/* The sides whose rule has a boundary value that may depend on the time, as bits: of side number s
 * (ode_boundary.h) bit s. */
uint32_t ecl_moving_sides(const struct ode_problem *definition);

/* Whether the preprocessed right-hand side has a word that begins so. Where the problem does not
 * give it, it may have all. */
int ecl_rhs_has(const struct ode_problem *definition, const char *beginning);
#endif
