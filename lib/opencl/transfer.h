/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/transfer.h - large parts of the state between plain memory of the host and a device with
 * memory of its own: several threads copy pieces to and from memory that the device can access,
 * while other pieces are on their way. */
#ifndef EULERCL_OPENCL_TRANSFER_H
#define EULERCL_OPENCL_TRANSFER_H
#include "runtime.h"

enum { TRANSFER_PIECE = 1 << 20 }; /* bytes */

struct cl_transfer;

/* Errors: MEMORY, INTERNAL. The runtime must outlive it. */
int eulercl_cl_transfer_create(
    struct cl_transfer **transfer, const struct cl_runtime *runtime, eulercl_error *error);
void eulercl_cl_transfer_destroy(struct cl_transfer *transfer); /* NULL is allowed */

/* From `y` to the buffer, or from the buffer to `y`, behind what is in the runtime's queue: `bytes`
 * bytes from number `offset` of the buffer on. They return when all is there. */
int eulercl_cl_transfer_write(struct cl_transfer *transfer, cl_mem buffer, size_t offset,
    size_t bytes, const void *y, eulercl_error *error);
int eulercl_cl_transfer_read(struct cl_transfer *transfer, cl_mem buffer, size_t offset,
    size_t bytes, void *y, eulercl_error *error);
#endif
