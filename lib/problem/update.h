/* SPDX-License-Identifier: BSD-2-Clause */
/* update.h - the formulas of ode_update.h, the update of a stage and what comes at the end of a
 * step, the flush and the size of the error, for many components at once. */
#ifndef EULERCL_UPDATE_H
#define EULERCL_UPDATE_H
#include "../method/method.h"

enum { UPDATE_BLOCK = ODE_UPDATE_BLOCK }; /* components that are updated at once, at most */

/* Neighbouring components. The arrays are of the system's precision. */
struct update_block {
    const void *now, *derivatives; /* U and F */
    void *next;                    /* the new U; may be `now`, but no other array */
    void *carried[ODE_MOST_ARRAYS_ - 1];
    const void *is_replaced; /* 0 for a component that keeps its values; NULL: all are replaced */
    int64_t count;
};
typedef void ecl_update(const union ecl_stage *stage, int arrays, const struct update_block *block);

/* The update for an instruction set that the processor has, by its name as in struct ode_kernels,
 * in a precision. */
ecl_update *ecl_update_for(const char *isa, size_t real_size);

/* y[i] becomes 0 where its magnitude is below below[i]. */
typedef void ecl_flush_array(void *y, const void *below, int64_t count);
ecl_flush_array *ecl_flush_for(const char *isa, size_t real_size);

/* The greatest of `worst` and of the ratios of the errors e[i] of y[i] to rtol |y[i]| + atol[i]
 * where counts[i] is not 0; NULL: of all. */
typedef int32_t ecl_norm_array(const void *y, const void *e, const void *atol, const void *counts,
    int64_t count, double rtol, int32_t worst);
ecl_norm_array *ecl_norm_for(const char *isa, size_t real_size);
#endif
