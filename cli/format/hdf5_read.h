/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_read.h - HDF5 files that may be damaged or hostile, opened safely. */
#ifndef CLI_FORMAT_HDF5_READ_H
#define CLI_FORMAT_HDF5_READ_H

#include <hdf5.h>

#include "shared/hash.h"

/* libhdf5 crashes on some damaged files, and does not come to an end on others. So a child process
 * calls look(what) first, silently. The caller then meets all other errors itself and reports them.
 * bytes: how much the child reads beside the structure of the file. */
int look_first(const char *path, void look(const void *what), const void *what, double bytes);
int open_hdf5_file(const char *path, hid_t *file);

enum { WHY = 512 }; /* bytes of a reason */
/* Open a dataset whose reals are all in this file, or in its parts beside it (parts.h), before
   anything of it is read: HDF5 would look into other files, read what is missing as zeros, and
   follow a dataset that is made of itself until it crashes. A virtual dataset may be made of
   others, which are not virtual. Returns the dataset, or an invalid number and the reason. */
hid_t open_own(hid_t file, const char *name, int may_be_virtual, char why[WHY]);

/* ---- hdf5_past.c ---- */

/* The attribute of the root with the checksum of the others, for a run that is resumed. */
#define CHECKSUM "checksum"
/* The checksum of a file that has all facts, lists and parameters; "" in a command without xxHash.
 * Returns 0 if it cannot be found. */
int sum_facts(hid_t file, char digits[HASH_DIGITS + 1]);

#endif
