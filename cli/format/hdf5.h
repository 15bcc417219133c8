/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5.h - .h5 files: states, series of states, checkpoints. The functions exist only with HDF5. */
#ifndef CLI_FORMAT_HDF5_H
#define CLI_FORMAT_HDF5_H

#include "format/format.h"

struct hdf5_input;
int open_hdf5(
    const char *path, const char *dataset, const struct layout *layout, struct hdf5_input **input);
/* Open a series with all its states; choose_state() chooses one. */
int open_hdf5_series(
    const char *path, const struct layout *layout, struct hdf5_input **input, int64_t *states);
void choose_state(struct hdf5_input *input, int64_t state);
int read_hdf5(struct hdf5_input *input, int64_t first, int64_t count, void *y);
void close_hdf5(struct hdf5_input *input);

#endif
