/* SPDX-License-Identifier: BSD-2-Clause */
/* transfer.h - large parts of the state between plain memory of the host and a device with
 * memory of its own: several threads copy pieces to and from memory that the device can access,
 * while other pieces are on their way. */
#ifndef EULERCL_OPENCL_TRANSFER_H
#define EULERCL_OPENCL_TRANSFER_H
#include "runtime.h"

struct cl_transfer;

/* Errors: MEMORY, INTERNAL. The runtime must outlive it. */
int ecl_cl_transfer_create(
    struct cl_transfer **transfer, const struct cl_runtime *runtime, eulercl_error *error);
void ecl_cl_transfer_destroy(struct cl_transfer *transfer); /* NULL is allowed */

/* `bytes` bytes, from number `offset` of the buffer on, which come from memory of the host, or go
 * to it: `from` or `to` is NULL. */
struct cl_move {
    cl_mem buffer;
    size_t offset, bytes;
    const char *from;
    char *to;
};
/* Make the move, behind what is in the runtime's queue; return when all is there. */
int ecl_cl_transfer(struct cl_transfer *transfer, const struct cl_move *move, eulercl_error *error);
#endif
