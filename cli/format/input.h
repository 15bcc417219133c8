/* SPDX-License-Identifier: BSD-2-Clause */
/* input.h - initial states from files. */
#ifndef CLI_FORMAT_INPUT_H
#define CLI_FORMAT_INPUT_H

#include "format/format.h"

struct input;
/* Where FILE.h5 ends in FILE.h5[:DATASET]; NULL: the name is not that of an HDF5 file. */
const char *end_of_hdf5(const char *path);
/* Open FILE.npy or FILE.h5[:DATASET] and check that it fits the layout. */
int open_input(const char *path, const struct layout *layout, struct input **input);
/* Open a file as HDF5, whatever its name is. */
int open_resumed(const char *path, const struct layout *layout, struct input **input);
/* Read a part of the state; parts are read in order. */
int read_input(struct input *input, int64_t first, int64_t count, void *y);
/* Load the whole state; chunk has room for CHUNK reals. The state must have this hash; NULL: any
 * hash. */
int load_input(struct input *input, eulercl_solver *solver, void *chunk, const char *hash);
void close_input(struct input *input); /* NULL is allowed */

#endif
