/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/registers.h - backend cl-register: what its parts share. registers.c has the life of a
 * run, registers_arguments.c the arguments of the kernels, registers_launch.c the steps. */
#ifndef EULERCL_OPENCL_REGISTERS_H
#define EULERCL_OPENCL_REGISTERS_H
#include "state.h"
#include "../schedule/registers/registers.h"

/* A section of a step, or all of it, with its kernels. */
struct section {
    struct register_section is;
    signed char places[ARGUMENTS]; /* of the kernels' arguments; -1: they have no such one */
    /* One for either way round of the state's two buffers: a launch of few microseconds has no time
     * for setting arguments. */
    cl_kernel kernels[2];
    cl_int steps_set[2]; /* what their argument ARGUMENT_STEPS is */
};

/* What a method needs. */
struct made {
    const char *method;              /* its name, */
    int stages;                      /* and number of stages, */
    struct cl_place place;           /* and where the window stands that its text is for */
    struct register_tile tile, tail; /* tail: of the last section, if that is another one */
    struct body body;                /* that sections are cut out of, if tile.is_body */
    uint64_t computed;               /* component-stages of launches of all its steps */
    struct section *sections;        /* [tile.cut.sections] */
    cl_mem words, failed; /* of persistent tiles: what they exchange; 1 if one waited in vain */
    uint64_t words_bytes;
};

/* A run with a tolerance goes back and forth between a few methods and numbers of stages. */
enum { MOST_MADE = 24 };

struct registers {
    struct cl_state state; /* first: see state.h */
    struct made *made;     /* of the present method, one of */
    struct made all[MOST_MADE];
    int count;
    cl_mem carried[2]; /* a method's carried values between sections, which change places as the
                          state's buffers do; the second one where a section needs both. They serve
                          all methods, because no value outlives a step. */
    uint64_t carried_bytes[2];
    /* With a tolerance: */
    cl_mem spare;        /* a third array of the state, so that the one before a batch remains, */
    cl_mem before;       /* which is this; NULL: it does not */
    struct batch queued; /* whose first launch was made before it was known that it follows, from
                            the present state into ahead; no steps: none */
    cl_mem ahead;
    int64_t queued_version; /* of the state that it was launched from */
    int has_begun;          /* the first launch of the present batch was made */
    cl_uint tag;            /* of the next exchange */
    int turn;               /* which kernel the next launch takes */
    int gave_up;            /* a persistent tile has waited in vain, so none waits any more */
    uint64_t redundant;     /* component-stages that were computed more than once, or in vain */
};

/* Whether a launch makes more steps than a tile could make alone. */
static inline int persists(const struct registers *r) {
    return r->made->tile.persistent && !r->gave_up;
}

/* ---- registers_arguments.c ---- */

/* Whether the program has what is done where a step ends. */
static inline int ecl_cl_may_end_step(const struct register_section *section) {
    return section->ends_step || section->tile->most_stages;
}

void ecl_cl_find_places(const struct run *run, struct section *section);

/* Set an argument of one of the section's kernels, if it has it. */
cl_int ecl_cl_set_argument(const struct section *section, cl_kernel kernel,
    enum register_argument argument, size_t bytes, const void *value);
cl_int ecl_cl_set_number(const struct run *run, const struct section *section, cl_kernel kernel,
    enum register_argument argument, int64_t value);

/* All arguments that stay the same from launch to launch, but for carried values. */
cl_int ecl_cl_set_arguments(const struct run *run, int number, int turn);
/* The arguments of r->made's kernels that are buffers of carried values. */
int ecl_cl_set_carried(struct run *run, eulercl_error *error);
cl_int ecl_cl_set_constants(const struct run *run);
/* The coefficients of all sections for steps of size h. */
int ecl_cl_set_factors(struct run *run, double h, eulercl_error *error);
/* The rows that launches make, and how many of them and of gaps a group has. */
cl_int ecl_cl_set_rows(const struct run *run, const struct section *section, cl_kernel kernel,
    int64_t begin, int64_t end, int64_t height);
cl_int ecl_cl_set_all_rows(const struct run *run, const struct section *section, cl_kernel kernel);

/* ---- registers_launch.c: the vtable's ---- */

int ecl_cl_register_step(
    struct run *run, const struct batch *batch, double *seconds, eulercl_error *error);
int ecl_cl_register_outlives(const struct run *run, const struct batch *batch);
void ecl_cl_register_undo(struct run *run);
#endif
