/* SPDX-License-Identifier: BSD-2-Clause */
/* output.c - the files of --out and --checkpoint, in any format. */
#include "config.h"

#include "format/output.h"
#include "format/file.h"
#include "format/format.h"
#include "format/hdf5.h"
#include "format/npy.h"
#include "format/parts.h"
#include "format/picture.h"
#include "shared/facts.h"
#include "shared/hash.h"
#include "shared/message.h"
#include "shared/processes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef HAVE_CAIRO
const struct output_format png_format = {
    .extension = ".png", .missing = "Cairo and libpng, it draws no pictures"};
const struct output_format apng_format = {
    .extension = ".apng", .missing = "Cairo and libpng, it draws no pictures"};
#endif
#ifndef HAVE_HDF5
const struct output_format hdf5_format = {.extension = ".h5", .missing = "HDF5"},
                           checkpoint_format = {.extension = ".h5", .missing = "HDF5"};
#endif
static const struct output_format *const formats[] = {
    &npy_format, &hdf5_format, &png_format, &apng_format, &table_format};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int ends_with(const char *path, const char *extension) {
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && strcasecmp(path + length - end, extension) == 0;
}

const struct output_format *find_format(const char *path) {
    for (int i = 0; i < FORMATS; i++)
        if (ends_with(path, formats[i]->extension)) return formats[i];
    return NULL;
}

int check_output(const char *path) {
    const struct output_format *const format = find_format(path);
    if (format == NULL)
        return fail(
            EULERCL_INVALID, "--out %s: the name must end in .npy, .h5, .png, .apng or .csv", path);
    if (format->missing != NULL)
        return fail(EULERCL_UNSUPPORTED, "--out %s: this eulercl was built without %s", path,
            format->missing);
    return EULERCL_OK;
}

int check_checkpoint(const char *path) {
    if (checkpoint_format.missing != NULL)
        return fail(EULERCL_UNSUPPORTED, "--checkpoint %s: this eulercl was built without %s", path,
            checkpoint_format.missing);
    if (!HAS_HASHES)
        return fail(EULERCL_UNSUPPORTED,
            "--checkpoint %s: this eulercl was built without xxHash, and could not resume it",
            path);
    if (!ends_with(path, checkpoint_format.extension))
        return fail(EULERCL_INVALID, "--checkpoint %s: the name must end in .h5", path);
    return EULERCL_OK;
}

int claim_output(const char *option, const char *path) {
    const struct output output = {.file.path = path, .format = find_format(path)};
    int status = claim_file(option, path, path);
    if (!status && output.format->name_beside != NULL) {
        char *const beside = output.format->name_beside(&output);
        status = beside == NULL ? fail(EULERCL_MEMORY, "no memory for a file name")
                                : claim_file(option, path, beside);
        free(beside);
    }
    return status;
}

/* ---- beginning and end ---- */

/* The other processes call this instead: they take part in reading the state. */
static int begin_nothing(struct output *output) {
    (void)output;
    return EULERCL_OK;
}
static int add_nothing(struct output *output, int64_t first, int64_t count, const void *y) {
    (void)output, (void)first, (void)count, (void)y;
    return EULERCL_OK;
}
static const struct output_format no_states = {.begin = begin_nothing},
                                  ignored_states = {.begin = begin_nothing, .add = add_nothing};

static int begin_as(struct output *output) {
    if (!is_first_process() && is_in_parts(output)) return output->format->begin(output);
    if (!is_first_process()) {
        output->format = output->format->add != NULL ? &ignored_states : &no_states;
        return EULERCL_OK;
    }
    output->file.is_live = output->format->is_live;
    output->file.keeps_old = output->format->keeps_old;
    int status = continues(output) && output->format->keep != NULL ? output->format->keep(output)
                                                                   : EULERCL_OK;
    if (!status) status = open_file(&output->file);
    if (!status && output->format->name_beside != NULL) {
        char *const beside = output->format->name_beside(output);
        status =
            beside == NULL ? fail(EULERCL_MEMORY, "no memory for a file name") : check_file(beside);
        free(beside);
    }
    return !status ? output->format->begin(output) : status;
}

int begin_output(struct output *output, const char *path, const struct layout *layout, int many) {
    *output = (struct output){
        .file.path = path, .format = find_format(path), .layout = layout, .many = many};
    return begin_as(output);
}

int begin_checkpoint(struct output *output, const char *path, const struct layout *layout) {
    *output = (struct output){.file.path = path, .format = &checkpoint_format, .layout = layout};
    return begin_as(output);
}

int divide_output(struct output *output) {
    return is_in_parts(output) ? output->format->divide(output) : EULERCL_OK;
}

static int accompany(const struct output *output, const struct facts *facts) {
    struct file beside = {0};
    char *const path = output->format->name_beside(output);
    int status = path == NULL ? fail(EULERCL_MEMORY, "no memory for a file name")
                              : begin_file(&beside, path);
    if (!status) status = output->format->write_beside(output, beside.stream, facts);
    if (!status) status = commit_file(&beside);
    discard_file(&beside);
    free(path);
    return status;
}

int commit_output(struct output *output, const struct facts *facts) {
    struct parts replaced;
    const int has_parts = is_in_parts(output);
    if (!is_first_process() && !has_parts) return EULERCL_OK;
    int status =
        output->format->finish == NULL ? EULERCL_OK : output->format->finish(output, facts);
    if (is_first_process()) {
        find_replaced_parts(&output->file, &replaced);
        if (!status) status = commit_file(&output->file);
    }
    if (has_parts) status = agree_on(status);
    output->is_committed = !status;
    if (!is_first_process()) return status;
    if (!status) remove_parts(output->file.path, &replaced);
    if (!status && output->format->name_beside != NULL) status = accompany(output, facts);
    return status;
}

void discard_output(struct output *output) {
    if (output->format != NULL && output->format->discard != NULL && output->data != NULL)
        output->format->discard(output);
    discard_file(&output->file);
    free(output->data);
    *output = (struct output){0};
}
