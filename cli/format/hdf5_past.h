/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_past.h - the checksum of what a resumed run reads in an HDF5 file. */
#ifndef CLI_FORMAT_HDF5_PAST_H
#define CLI_FORMAT_HDF5_PAST_H

#include <hdf5.h>

#include "shared/hash.h"

/* The attribute of the root with the checksum of the others. */
#define CHECKSUM "checksum"

/* The checksum of a file that has all facts, lists and parameters; "" in a command without xxHash.
 * Returns 0 if it cannot be found. */
int sum_facts(hid_t file, char digits[HASH_DIGITS + 1]);

#endif
