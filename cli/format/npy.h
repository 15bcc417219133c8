/* SPDX-License-Identifier: BSD-2-Clause */
/* npy.h - NumPy's .npy files. */
#ifndef CLI_FORMAT_NPY_H
#define CLI_FORMAT_NPY_H

#include "format/format.h"

/* Numbers have the byte order of this machine. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_MARK ">"
#else
#define BYTE_ORDER_MARK "<"
#endif

/* Write what comes before the numbers: their type and the shape in Python's words. */
void write_npy_head(FILE *file, const char *type, const char *shape);
/* Open FILE.npy, check that its header fits the layout, and stop at its first real. */
int open_npy(const char *path, const struct layout *layout, FILE **file);

#endif
