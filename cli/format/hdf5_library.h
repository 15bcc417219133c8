/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_library.h - what reading and writing HDF5 share: the library's start, errors, transfers. */
#ifndef CLI_FORMAT_HDF5_LIBRARY_H
#define CLI_FORMAT_HDF5_LIBRARY_H

#include <hdf5.h>

#include "eulercl/eulercl.h"
#include "format/state.h"

enum {
    /* the most dimensions of datasets that are written: snapshot, state */
    MAX_RANK = 1 + MOST_STATE_RANK,
    MAX_INPUT_RANK = H5S_MAX_RANK,
};

/* Call it before any other function of HDF5. */
void start_hdf5(void);
/* Keep the reason of a failure until fail_hdf5, although other calls of HDF5 follow. */
herr_t keep_reason(herr_t status);
/* Print "cannot DOING PATH: HDF5: REASON". */
int fail_hdf5(const char *doing, const char *path);
hid_t real_type(enum eulercl_precision precision);

/* Where the reals of a dataset are in memory: one of the pointers is NULL. */
struct reals {
    const char *from;
    char *to;
};
/* Write or read count elements from number first on, in C order. */
herr_t transfer(hid_t set, hid_t space, hid_t type, int rank, const hsize_t *extents, hsize_t first,
    hsize_t count, struct reals reals);

#endif
