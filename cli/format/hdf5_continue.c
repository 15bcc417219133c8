/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_continue.c - a series in an HDF5 file that goes on: the states of the run before are copied
 * to the new file, and the old one stays until that is complete; compiled only with HDF5. */
#include "config.h"

#include "format/format.h"
#include "format/hdf5.h"
#include "format/hdf5_output.h"
#include "format/hdf5_read.h"
#include "format/past.h"
#include "shared/hash.h"
#include "shared/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse(const char *path, const char *why) {
    return fail(EULERCL_FILE, "%s cannot be continued: %s", path, why);
}

static int compare_runs(const char *path, const struct past *old, const struct layout *layout) {
    const struct past *const now = layout->continued;
    int is_same = strcmp(old->problem, now->problem) == 0 && old->n == now->n &&
                  old->precision == now->precision && old->t0 == now->t0 &&
                  old->rtol == now->rtol && (now->rtol > 0 || old->clock.h == now->clock.h) &&
                  old->n_parameters == now->n_parameters;
    for (size_t i = 0; i < now->n_parameters && is_same; i++)
        is_same = strcmp(old->parameters[i].name, now->parameters[i].name) == 0 &&
                  old->parameters[i].value == now->parameters[i].value;
    return is_same ? EULERCL_OK
                   : refuse(path, "problem, parameters, precision, t0, h or tolerance are another "
                                  "run's");
}

/* Read a list of `count` entries from the file. */
static int read_list(hid_t file, const char *name, hid_t type, int64_t count, void *to) {
    char why[WHY];
    const hid_t set = open_own(file, name, 0, why);
    const hid_t space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
    const int is_read = set >= 0 && H5Sget_simple_extent_npoints(space) == count &&
                        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    H5Sclose(space);
    H5Dclose(set);
    return is_read;
}

static int read_lists(const char *path, struct hdf5_output *h, int64_t count) {
    hid_t file;
    const int status = open_hdf5_file(path, &file);
    if (status) return status;
    const hid_t digits = H5Tcopy(H5T_C_S1);
    H5Tset_size(digits, HASH_DIGITS + 1);
    const int are_read = read_list(file, "step", H5T_NATIVE_INT64, count, h->steps) &&
                         read_list(file, "t", H5T_NATIVE_DOUBLE, count, h->times) &&
                         read_list(file, "base_steps", H5T_NATIVE_INT64, count, h->base_steps) &&
                         read_list(file, "t_base", H5T_NATIVE_DOUBLE, count, h->bases) &&
                         read_list(file, "state_hash", digits, count, h->hashes);
    H5Tclose(digits);
    H5Fclose(file);
    return are_read ? EULERCL_OK : refuse(path, "a list of its snapshots is missing or damaged");
}

/* Copy the state in the input. Its hash must be the one in the list. */
static int copy_state(struct output *output, struct hdf5_input *in, void *chunk) {
    struct hdf5_output *const h = output->data;
    const int64_t n = output->layout->info->n;
    struct hash sum;
    char digits[HASH_DIGITS + 1];
    int status = output->format->begin_state(output);
    hash_begin(&sum);
    for (int64_t first = 0; first < n && !status; first += CHUNK) {
        const int64_t count = n - first < CHUNK ? n - first : CHUNK;
        status = read_hdf5(in, first, count, chunk);
        hash_add(&sum, chunk, (size_t)count * output->layout->precision);
        if (!status) status = output->format->add(output, first, count, chunk);
    }
    hash_end(&sum, digits);
    if (!status && strcmp(digits, h->hashes[output->states]) != 0)
        status = refuse(output->file.path, "a state is damaged");
    output->states += !status;
    return status;
}

static int copy_states(struct output *output, struct hdf5_input *in, int64_t count) {
    struct hdf5_output *const h = output->data;
    void *const chunk = malloc(CHUNK * sizeof(double));
    int status = chunk == NULL ? fail(EULERCL_MEMORY, "no memory for a part of the state")
                               : make_room(h, count);
    if (!status) status = read_lists(output->file.path, h, count);
    for (int64_t i = 0; i < count && !status && h->times[i] <= output->layout->continued->t; i++) {
        choose_state(in, i);
        status = copy_state(output, in, chunk);
    }
    free(chunk);
    return status;
}

int keep_states(struct output *output) {
    const char *const path = output->file.path;
    struct past old = {0};
    struct hdf5_input *in = NULL;
    int64_t count = 0;
    if (access(path, F_OK) != 0) return EULERCL_OK;
    int status = read_past(path, 0, &old);
    if (!status && (!old.is_whole || old.problem == NULL))
        status = refuse(path, "it is damaged, or no file of a run");
    if (!status) status = compare_runs(path, &old, output->layout);
    if (!status) status = open_hdf5_series(path, output->layout, &in, &count);
    if (!status) status = copy_states(output, in, count);
    close_hdf5(in);
    free_past(&old);
    return status;
}
