/* SPDX-License-Identifier: BSD-2-Clause */
/* update.h - the update of a stage (eulercl/detail/ode_update.h) for many components at once. */
#ifndef EULERCL_UPDATE_H
#define EULERCL_UPDATE_H
#include "method.h"

enum { UPDATE_BLOCK = 1024 }; /* components that are updated at once, at most */

/* Neighbouring components. The arrays are of the system's precision. */
struct update_block {
    const void *now, *derivatives; /* U and F */
    void *next;                    /* the new U; none of the others */
    void *carried[ODE_MOST_ARRAYS_ - 1];
    const void *is_replaced; /* 0 for a component that keeps its values; NULL: all are replaced */
    int64_t count;
};
typedef void eulercl_update(
    const union eulercl_stage *stage, int arrays, const struct update_block *block);

/* The update for an instruction set that the processor has, by its name as in struct ode_kernels,
 * in a precision. */
eulercl_update *eulercl_update_for(const char *isa, size_t real_size);
#endif
