/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_output.h - an HDF5 file that is being written, whole or in parts. */
#ifndef CLI_FORMAT_HDF5_OUTPUT_H
#define CLI_FORMAT_HDF5_OUTPUT_H

#include "format/format.h"
#include "format/hdf5_library.h"
#include "format/parts.h"
#include "shared/hash.h"

struct hdf5_output {
    /* file and dataset with the states; of a file in parts at first this process's part */
    hid_t file, set;
    const char *path; /* the name of `file` */
    int rank;
    hsize_t extents[MAX_RANK], n; /* extents of the dataset, and components of a state in it */
    int64_t room;                 /* room for snapshots in the lists */
    int64_t *steps, *base_steps;
    double *times, *bases;
    char (*hashes)[HASH_DIGITS + 1];
    struct parts parts;
    struct file part; /* the part of this process */
    char *part_path;  /* the name of the part */
    int is_placed;    /* the part has its name already */
};

/* hdf5_states.c: create the dataset /state in the file of that name. */
int create_states(struct hdf5_output *h, const char *name, const struct output *output);
herr_t close_hdf5_file(struct hdf5_output *h);
/* Allocate the lists for this number of snapshots. */
int make_room(struct hdf5_output *h, int64_t snapshots);

/* hdf5_continue.c: begin a series with the states that a file under its name has up to the one that
 * the run goes on from. */
int keep_states(struct output *output);

/* ---- hdf5_parts.c ---- */

/* The axis that is cut into parts is the first one of the state. */
int divide_hdf5(struct output *output);
/* Put this process's part in its place. */
int finish_part(struct output *output);
/* Create the file whose parts are all in place, with a dataset /state that consists of them. */
int create_whole(struct output *output);
/* Set in the properties of a dataset with the extents of `to` where its reals are in the parts. The
 * dataset has those of /state from `start` on, `count` of them along each axis, and all of the axis
 * that is cut. That becomes axis number `axis`, where a row has a length of `unit`. */
herr_t map_parts(hid_t how, hid_t to, int axis, hsize_t unit, const struct output *output,
    const hsize_t *start, const hsize_t *count);
void discard_part(struct output *output);

#endif
