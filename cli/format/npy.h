/* SPDX-License-Identifier: BSD-2-Clause */
/* npy.h - NumPy's .npy files. */
#ifndef CLI_FORMAT_NPY_H
#define CLI_FORMAT_NPY_H

#include "format/format.h"

/* Open FILE.npy, check that its header fits the layout, and stop at its first real. */
int open_npy(const char *path, const struct layout *layout, FILE **file);

#endif
