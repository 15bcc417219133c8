/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_write.c - states as HDF5, with XDMF beside it; compiled only with HDF5.
 *
 * /state has the shape of the .npy files, in a series with one more dimension in front, and /step,
 * /base_steps, /t, /t_base and /state_hash belong to its snapshots. The other facts of the run are
 * attributes of the root, and of the group /parameters.
 *
 * Readers of XDMF need a dataset for each component at each time, and do not agree on how a part of
 * one is named. So /components/SNAPSHOT/COMPONENT are virtual datasets: views of /state.
 *
 * In a file in parts /state is a virtual dataset, too: each process has written its rows in a file
 * of its own (hdf5_parts.c). */
#include "config.h"

#include "format/format.h"
#include "format/hdf5.h"
#include "format/hdf5_output.h"
#include "format/hdf5_read.h"
#include "format/mesh.h"
#include "format/state.h"
#include "format/xdmf.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begin_hdf5(struct output *output) {
    const eulercl_problem_info *const info = output->layout->info;
    struct hdf5_output *const h = output->data = calloc(1, sizeof *h);
    if (h == NULL) return fail(EULERCL_MEMORY, "no memory for %s", output->file.path);
    start_hdf5();
    h->set = h->file = H5I_INVALID_HID;
    h->path = output->file.path;
    h->n = (hsize_t)info->n;
    if (output->many) h->extents[h->rank++] = 0;
    int64_t shape[MOST_STATE_RANK];
    const int rank = state_shape(info, shape);
    for (int i = 0; i < rank; i++) h->extents[h->rank++] = (hsize_t)shape[i];
    if (is_in_parts(output))
        return continues(output)
                   ? fail(EULERCL_UNSUPPORTED, "--append: %s cannot be continued in parts", h->path)
                   : EULERCL_OK;
    const int status = create_states(h, output->file.temporary, output);
    return !status && continues(output) ? keep_states(output) : status;
}

static int begin_hdf5_state(struct output *output) {
    struct hdf5_output *const h = output->data;
    hsize_t all;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* each thread has a setting of its own */
    if (!output->many) return EULERCL_OK;
    if (__builtin_mul_overflow((hsize_t)output->states + 1, h->n, &all))
        return fail(EULERCL_FILE, "cannot write %s: too many snapshots", h->path);
    h->extents[0] = (hsize_t)output->states + 1;
    if (H5Dset_extent(h->set, h->extents) < 0) return fail_hdf5("write", h->path);
    return make_room(h, output->states + 1);
}

static int write_hdf5(struct output *output, int64_t first, int64_t count, const void *y) {
    struct hdf5_output *const h = output->data;
    const hid_t space = H5Dget_space(h->set);
    const herr_t status =
        space < 0 ? -1
                  : transfer(h->set, space, real_type(output->layout->precision), h->rank,
                        h->extents, (hsize_t)output->states * h->n + (hsize_t)first, (hsize_t)count,
                        (struct reals){.from = y});
    const int result = status >= 0 ? EULERCL_OK : fail_hdf5("write", h->path);
    H5Sclose(space);
    return result;
}

static int end_hdf5_state(struct output *output, const struct moment *moment) {
    struct hdf5_output *const h = output->data;
    if (!output->many) return EULERCL_OK;
    h->steps[output->states] = moment->step;
    h->times[output->states] = moment->t;
    h->base_steps[output->states] = moment->clock.base_steps;
    h->bases[output->states] = moment->clock.t_base;
    snprintf(h->hashes[output->states], sizeof h->hashes[0], "%s", moment->hash);
    return H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0 ? EULERCL_OK : fail_hdf5("write", h->path);
}

static herr_t write_list(
    const struct hdf5_output *h, const char *name, hid_t type, const void *values, int64_t count) {
    const hsize_t extent = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &extent, NULL),
                set = H5Dcreate2(h->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status =
        keep_reason(set < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    if (set >= 0 &&
        keep_reason(H5Dclose(set)) < 0) /* small datasets may be written only when closed */
        status = -1;
    H5Sclose(space);
    return status;
}

/* Write a view of one component of the snapshot: of all points, x changing fastest. */
static herr_t write_view(const struct hdf5_output *h, hid_t group, const struct output *output,
    int64_t state, int component) {
    const eulercl_problem_info *const info = output->layout->info;
    const hsize_t points = (hsize_t)info->n / (hsize_t)info->components;
    hsize_t start[MAX_RANK] = {0}, count[MAX_RANK];
    char name[32];
    memcpy(count, h->extents, sizeof count);
    if (output->many) {
        start[0] = (hsize_t)state;
        count[0] = 1;
    }
    if (info->boundary != NULL) { /* a grid has a last axis of components */
        start[h->rank - 1] = (hsize_t)component;
        count[h->rank - 1] = 1;
    }
    const hid_t from = H5Dget_space(h->set), to = H5Screate_simple(1, &points, NULL),
                how = H5Pcreate(H5P_DATASET_CREATE);
    herr_t status =
        keep_reason(H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL));
    if (status >= 0)
        status = is_in_parts(output) ? map_parts(how, to, 0, points / h->extents[output->many],
                                           output, start, count)
                                     : keep_reason(H5Pset_virtual(how, to, ".", "/state", from));
    snprintf(name, sizeof name, "%d", component);
    const hid_t view = status < 0 ? H5I_INVALID_HID
                                  : H5Dcreate2(group, name, real_type(output->layout->precision),
                                        to, H5P_DEFAULT, how, H5P_DEFAULT);
    status = keep_reason(view < 0 ? -1 : H5Dclose(view));
    H5Pclose(how);
    H5Sclose(to);
    H5Sclose(from);
    return status;
}

static herr_t write_views(const struct output *output) {
    const struct hdf5_output *const h = output->data;
    const hid_t all = H5Gcreate2(h->file, "components", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(all < 0 ? -1 : 0);
    for (int64_t state = 0; state < output->states && status >= 0; state++) {
        char name[32];
        snprintf(name, sizeof name, "%" PRId64, state);
        const hid_t group = H5Gcreate2(all, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        status = keep_reason(group < 0 ? -1 : 0);
        for (int c = 0; c < output->layout->info->components && status >= 0; c++)
            status = write_view(h, group, output, state, c);
        H5Gclose(group);
    }
    H5Gclose(all);
    return status;
}

static herr_t write_fact(hid_t place, const struct fact *fact) {
    const hid_t text = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    const int is_text = fact->kind == FACT_TEXT || fact->kind == FACT_REALS;
    const hid_t type = is_text                   ? text
                       : fact->kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                 : H5T_NATIVE_INT64;
    const void *const value = is_text                   ? (const void *)&fact->text
                              : fact->kind == FACT_REAL ? (const void *)&fact->real
                                                        : (const void *)&fact->whole;
    const hid_t attribute = H5Acreate2(place, fact->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(attribute < 0 ? -1 : H5Awrite(attribute, type, value));
    if (attribute >= 0 && keep_reason(H5Aclose(attribute)) < 0) status = -1;
    H5Sclose(space);
    H5Tclose(text);
    return status;
}

static herr_t write_facts(const struct hdf5_output *h, const struct facts *facts) {
    const hid_t parameters =
        H5Gcreate2(h->file, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(parameters < 0 ? -1 : 0);
    for (size_t i = 0; i < facts->count && status >= 0; i++)
        if (facts->list[i].kind != FACT_NONE)
            status =
                write_fact(facts->list[i].is_parameter ? parameters : h->file, &facts->list[i]);
    H5Gclose(parameters);
    return status;
}

/* The checksum covers what a resumed run will read, in the same order. */
static herr_t write_checksum(const struct hdf5_output *h) {
    char digits[HASH_DIGITS + 1];
    if (keep_reason(sum_facts(h->file, digits) ? 0 : -1) < 0) return -1;
    const struct fact checksum = {.name = CHECKSUM, .kind = FACT_TEXT, .text = digits};
    return *digits == '\0' ? 0 : write_fact(h->file, &checksum);
}

static herr_t write_lists(const struct output *output) {
    const struct hdf5_output *const h = output->data;
    const hid_t digits = H5Tcopy(H5T_C_S1);
    H5Tset_size(digits, HASH_DIGITS + 1);
    herr_t status = write_list(h, "step", H5T_NATIVE_INT64, h->steps, output->states);
    if (status >= 0) status = write_list(h, "t", H5T_NATIVE_DOUBLE, h->times, output->states);
    if (status >= 0)
        status = write_list(h, "base_steps", H5T_NATIVE_INT64, h->base_steps, output->states);
    if (status >= 0) status = write_list(h, "t_base", H5T_NATIVE_DOUBLE, h->bases, output->states);
    if (status >= 0 && *h->hashes[0] != '\0')
        status = write_list(h, "state_hash", digits, h->hashes, output->states);
    H5Tclose(digits);
    return status;
}

/* The parts, and the file that consists of them. */
static int finish_parts(struct output *output) {
    const int status = agree_on(finish_part(output));
    return !status && is_first_process() ? create_whole(output) : status;
}

static int finish_hdf5(struct output *output, const struct facts *facts) {
    struct hdf5_output *const h = output->data;
    const int has_parts = is_in_parts(output);
    herr_t status = 0;
    if (output->many)
        h->extents[0] =
            (hsize_t)output->states; /* without a state that was begun when the run stopped */
    if (has_parts) {
        const int result = finish_parts(output);
        if (result || !is_first_process()) return result;
    } else if (output->many)
        status = H5Dset_extent(h->set, h->extents);
    if (output->many && status >= 0) status = write_lists(output);
    if (status >= 0) status = write_views(output);
    if (status >= 0 && output->format->write_beside != NULL) {
        const struct mesh mesh = describe_mesh(output->layout->info);
        status = write_mesh(h->file, &mesh);
    }
    if (status >= 0) status = write_facts(h, facts);
    if (status >= 0) status = write_checksum(h);
    if (status >= 0) status = close_hdf5_file(h);
    if (status < 0) return fail_hdf5("write", h->path);
    return has_parts ? write_parts_line(&output->file, &h->parts) : EULERCL_OK;
}

static void discard_hdf5(struct output *output) {
    struct hdf5_output *const h = output->data;
    close_hdf5_file(h);
    discard_part(output);
    free(h->steps);
    free(h->base_steps);
    free(h->times);
    free(h->bases);
    free(h->hashes);
}

static int write_xdmf(const struct output *output, FILE *file, const struct facts *facts) {
    const struct hdf5_output *const h = output->data;
    return put_xdmf(output, file, h->times, facts);
}

const struct output_format hdf5_format = {
    .extension = ".h5",
    .holds_many = 1,
    .begin = begin_hdf5,
    .divide = divide_hdf5,
    .begin_state = begin_hdf5_state,
    .add = write_hdf5,
    .end_state = end_hdf5_state,
    .finish = finish_hdf5,
    .name_beside = name_xdmf,
    .write_beside = write_xdmf,
    .discard = discard_hdf5,
};

/* A final state, without a file beside it. */
const struct output_format checkpoint_format = {
    .extension = ".h5",
    .keeps_old = 1,
    .begin = begin_hdf5,
    .divide = divide_hdf5,
    .begin_state = begin_hdf5_state,
    .add = write_hdf5,
    .end_state = end_hdf5_state,
    .finish = finish_hdf5,
    .discard = discard_hdf5,
};
