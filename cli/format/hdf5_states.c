/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_states.c - the dataset of the states in an HDF5 file that is being written, or in a part of
 * it; compiled only with HDF5. */
#include "config.h"

#include "format/hdf5_output.h"
#include "format/state.h"
#include "shared/message.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_REALS = 1 << 16 }; /* reals of a chunk of HDF5; a chunk is contiguous in the file */

/* A chunk is a few snapshots, a few rows, or a part of a row. */
static void choose_chunks(const struct hdf5_output *h, hsize_t chunk[MAX_RANK]) {
    hsize_t volume = 1;
    for (int d = h->rank - 1; d >= 0; d--) {
        const hsize_t most = CHUNK_REALS / volume,
                      extent =
                          d == 0 ? most : h->extents[d]; /* the number of snapshots is not known */
        chunk[d] = most == 0 ? 1 : extent < most ? extent : most;
        volume = chunk[d] < extent ? CHUNK_REALS + 1 : volume * chunk[d];
    }
}

int create_states(struct hdf5_output *h, const char *name, const struct output *output) {
    hsize_t most[MAX_RANK], chunk[MAX_RANK];
    memcpy(most, h->extents, sizeof most);
    if (output->many) most[0] = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(h->rank, h->extents, most),
                how = H5Pcreate(H5P_DATASET_CREATE), use = H5Pcreate(H5P_DATASET_ACCESS);
    herr_t status = H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    if (output->many && status >= 0) {
        choose_chunks(h, chunk);
        status = H5Pset_chunk(how, h->rank, chunk);
        /* States are written in order: the cache holds a row of chunks. */
        if (status >= 0) status = H5Pset_chunk_cache(use, 521, 4 * CHUNK * sizeof(double), 1);
    }
    if (status >= 0) {
        begin_private(); /* HDF5 would create it again if a signal had removed it */
        h->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        end_private(NULL);
    }
    if (h->file >= 0)
        h->set = H5Dcreate2(
            h->file, "state", real_type(output->layout->precision), space, H5P_DEFAULT, how, use);
    const int result = h->set >= 0 ? EULERCL_OK : fail_hdf5("write", h->path);
    H5Sclose(space);
    H5Pclose(how);
    H5Pclose(use);
    return result;
}

/* Enlarge the array; without memory it stays valid, and 0 is returned. */
static int grow_list(void *list, size_t size, int64_t room) {
    void *old, *more;
    memcpy(&old, list, sizeof old);
    more = reallocarray(old, (size_t)room, size);
    if (more != NULL) memcpy(list, &more, sizeof more);
    return more != NULL;
}

int make_room(struct hdf5_output *h, int64_t snapshots) {
    int64_t room = h->room == 0 ? 64 : h->room;
    while (room < snapshots) room *= 2;
    if (room == h->room) return EULERCL_OK;
    if (!grow_list(&h->steps, sizeof *h->steps, room) ||
        !grow_list(&h->base_steps, sizeof *h->base_steps, room) ||
        !grow_list(&h->times, sizeof *h->times, room) ||
        !grow_list(&h->bases, sizeof *h->bases, room) ||
        !grow_list(&h->hashes, sizeof *h->hashes, room))
        return fail(EULERCL_MEMORY, "no memory for a list of %" PRId64 " snapshots", room);
    h->room = room;
    return EULERCL_OK;
}

herr_t close_hdf5_file(struct hdf5_output *h) {
    herr_t status = keep_reason(h->set >= 0 ? H5Dclose(h->set) : 0);
    if (h->file >= 0 && keep_reason(H5Fclose(h->file)) < 0) status = -1;
    h->set = h->file = H5I_INVALID_HID;
    return status;
}
