/* SPDX-License-Identifier: BSD-2-Clause */
/* mem.h - the only allocator of the library. */
#ifndef EULERCL_MEM_H
#define EULERCL_MEM_H
#include <stddef.h>
#include <stdint.h>
#include <eulercl/eulercl.h>

/* count * size zeroed bytes, aligned to 64; NULL on overflow or lack of memory. Freed by
 * eulercl_mem_free. */
void *eulercl_mem_zeroed(uint64_t count, uint64_t size);
/* The same for the big arrays: huge pages where the system gives them; an error in words says how
 * much was asked for. */
int eulercl_mem_state(uint64_t bytes, const char *what, void **memory, eulercl_error *error);
void eulercl_mem_free(void *memory);
/* Bytes of memory that the machine has; infinite where it does not say. */
double eulercl_mem_machine(void);

/* For tests: let the allocation that is `allocations` calls away fail (0: the next), and all after
 * it when `from_then_on`; negative: none. */
void eulercl_mem_fail(long allocations, int from_then_on);
/* For tests: allocations not yet freed. */
long eulercl_mem_live(void);
#endif
