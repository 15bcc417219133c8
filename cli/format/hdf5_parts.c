/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_parts.c - HDF5 files in parts: see hdf5_output.h; compiled only with HDF5. */
#include "config.h"

#include "format/hdf5_output.h"
#include "shared/message.h"
#include "shared/stop.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The axis of /state that is cut, and which of its rows a process has. */
static int cut_axis(const struct output *output) { return output->many; }
static hsize_t first_row(const struct output *output, int rank) {
    const struct layout *const layout = output->layout;
    int64_t shape[MOST_STATE_RANK];
    state_shape(layout->info, shape);
    return (hsize_t)(layout->division.firsts[rank] / (layout->info->n / shape[0]));
}
static hsize_t count_rows(const struct output *output, int rank) {
    return first_row(output, rank + 1) - first_row(output, rank);
}

static int open_part_of(struct output *output) {
    struct hdf5_output *const h = output->data;
    const struct division *const division = &output->layout->division;
    const int rank = division->rank;
    if (strchr(without_folder(output->file.path), '%') != NULL) /* HDF5 would replace it */
        return fail(
            EULERCL_INVALID, "cannot write %s in parts: its name contains %%", output->file.path);
    h->part_path = part_name(output->file.path, h->parts.tag, rank);
    if (h->part_path == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    h->part = (struct file){.path = h->part_path, .is_part = 1};
    h->path = h->part_path;
    h->extents[cut_axis(output)] = count_rows(output, rank);
    h->n = (hsize_t)(division->firsts[rank + 1] - division->firsts[rank]);
    const int status = open_file(&h->part);
    return !status ? create_states(h, h->part.temporary, output) : status;
}

int divide_hdf5(struct output *output) {
    struct hdf5_output *const h = output->data;
    if (is_first_process()) /* the end of its name is new */
        strcpy(h->parts.tag, output->file.temporary + strlen(output->file.temporary) - TAG);
    h->parts.count = output->layout->division.ranks;
    broadcast_from(0, h->parts.tag, sizeof h->parts.tag);
    return agree_on(open_part_of(output));
}

int finish_part(struct output *output) {
    struct hdf5_output *const h = output->data;
    herr_t status = output->many ? keep_reason(H5Dset_extent(h->set, h->extents)) : 0;
    if (status >= 0) status = close_hdf5_file(h);
    if (status < 0) return fail_hdf5("write", h->path);
    if (commit_file(&h->part)) return EULERCL_FILE;
    guard_file(h->part_path);
    h->is_placed = 1;
    return EULERCL_OK;
}

void discard_part(struct output *output) {
    struct hdf5_output *const h = output->data;
    if (h->is_placed && !output->is_committed) unlink(h->part_path);
    if (h->is_placed) release_file(h->part_path);
    discard_file(&h->part);
    free(h->part_path);
}

/* ---- the file that consists of the parts ---- */

herr_t map_parts(hid_t how, hid_t to, int axis, hsize_t unit, const struct output *output,
    const hsize_t *start, const hsize_t *count) {
    const struct hdf5_output *const h = output->data;
    const int cut = cut_axis(output);
    hsize_t extents[MAX_RANK], size[MAX_RANK], at[MAX_RANK] = {0}, all[MAX_RANK];
    herr_t status = keep_reason(H5Sget_simple_extent_dims(to, all, NULL));
    memcpy(extents, h->extents, sizeof extents);
    memcpy(size, count, sizeof size);
    for (int i = 0; i < h->parts.count && status >= 0; i++) {
        char *const name = part_name(output->file.path, h->parts.tag, i);
        extents[cut] = size[cut] = count_rows(output, i);
        all[axis] = extents[cut] * unit;
        at[axis] = first_row(output, i) * unit;
        const hid_t from = H5Screate_simple(h->rank, extents, NULL);
        status = H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, size, NULL);
        if (status >= 0) status = H5Sselect_hyperslab(to, H5S_SELECT_SET, at, NULL, all, NULL);
        if (status >= 0)
            status =
                name == NULL ? -1 : H5Pset_virtual(how, to, without_folder(name), "/state", from);
        keep_reason(status);
        H5Sclose(from);
        free(name);
    }
    return status >= 0 ? keep_reason(H5Sselect_all(to)) : status;
}

/* Hosts may have folders of the same name. */
static int find_all_parts(const struct output *output) {
    const struct hdf5_output *const h = output->data;
    struct stat entry;
    for (int i = 0; i < h->parts.count; i++) {
        char *const name = part_name(output->file.path, h->parts.tag, i);
        const int is_there = name != NULL && stat(name, &entry) == 0;
        const int status =
            is_there ? EULERCL_OK
                     : fail(EULERCL_FILE,
                           "cannot write %s: process %d has written its part elsewhere; with "
                           "--parts all hosts must share the folder",
                           output->file.path, i);
        free(name);
        if (status) return status;
    }
    return EULERCL_OK;
}

int create_whole(struct output *output) {
    struct hdf5_output *const h = output->data;
    const hsize_t start[MAX_RANK] = {0};
    const int found = find_all_parts(output);
    if (found) return found;
    h->path = output->file.path;
    h->extents[cut_axis(output)] = first_row(output, h->parts.count);
    const hid_t file_how = H5Pcreate(H5P_FILE_CREATE), how = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(h->rank, h->extents, NULL);
    herr_t status = keep_reason(H5Pset_userblock(file_how, PARTS_BYTES));
    if (status >= 0) status = map_parts(how, space, cut_axis(output), 1, output, start, h->extents);
    if (status >= 0) {
        begin_private();
        h->file = H5Fcreate(output->file.temporary, H5F_ACC_TRUNC, file_how, H5P_DEFAULT);
        end_private(NULL);
    }
    if (h->file >= 0)
        h->set = H5Dcreate2(h->file, "state", real_type(output->layout->precision), space,
            H5P_DEFAULT, how, H5P_DEFAULT);
    const int result = h->set >= 0 ? EULERCL_OK : fail_hdf5("write", h->path);
    H5Sclose(space);
    H5Pclose(how);
    H5Pclose(file_how);
    return result;
}
