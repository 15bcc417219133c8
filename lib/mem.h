/* SPDX-License-Identifier: BSD-2-Clause */
/* mem.h - the only allocator of the library. */
#ifndef EULERCL_MEM_H
#define EULERCL_MEM_H
#include <stddef.h>
#include <stdint.h>
#include <eulercl/eulercl.h>

/* Allocate count * size zeroed bytes, aligned to 64; NULL on overflow or lack of memory. Free them
 * with ecl_mem_free. */
void *ecl_mem_zeroed(uint64_t count, uint64_t size);
/* Allocate a large array, with huge pages if the system supports them. The error message states the
 * size. Errors: MEMORY. */
int ecl_mem_state(uint64_t bytes, const char *what, void **memory, eulercl_error *error);
void ecl_mem_free(void *memory);
/* Free an array of ecl_mem_state, or keep it for the next one of as many bytes: programs make
 * many solvers of the same size, one after another, and fresh memory costs a short run more than
 * its steps. At most 16 MB are kept. */
void ecl_mem_spare(void *memory, uint64_t bytes);
/* Bytes of memory that are installed; infinite if the system does not report it. */
double ecl_mem_machine(void);

/* For tests: let the allocation that is `allocations` calls away fail (0: the next one), and with
 * `from_then_on` all later ones; negative: no allocation fails. */
void ecl_mem_fail(long allocations, int from_then_on);
/* The number of allocations that were not freed, for tests. */
long ecl_mem_live(void);
#endif
