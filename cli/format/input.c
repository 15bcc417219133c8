/* SPDX-License-Identifier: BSD-2-Clause */
/* input.c - initial states from files, by chunks: a state may be larger than the memory of the
 * host. */
#include "config.h"

#include "format/input.h"
#include "format/format.h"
#include "format/hdf5.h"
#include "format/npy.h"
#include "format/state.h"
#include "shared/hash.h"
#include "shared/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct input {
    const char *path;
    const struct layout *layout;
    FILE *npy; /* at its first real */
#ifdef HAVE_HDF5
    struct hdf5_input *hdf5;
#endif
};

/* Where FILE.h5 ends in FILE.h5 or FILE.h5:DATASET (also .hdf5, in upper or lower case). */
const char *end_of_hdf5(const char *path) {
    static const char *const extensions[] = {".h5", ".hdf5"};
    for (const char *at = path; *at != '\0'; at++)
        for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
            const size_t length = strlen(extensions[i]);
            if (strncasecmp(at, extensions[i], length) == 0 &&
                (at[length] == '\0' || at[length] == ':'))
                return at + length;
        }
    return NULL;
}

static int open_named(struct input *input) {
    const char *const end = end_of_hdf5(input->path);
    if (end == NULL) return open_npy(input->path, input->layout, &input->npy);
#ifdef HAVE_HDF5
    char *const file = strndup(input->path, (size_t)(end - input->path));
    if (file == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    const int status =
        open_hdf5(file, *end == ':' ? end + 1 : "state", input->layout, &input->hdf5);
    free(file);
    return status;
#else
    return fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without HDF5", input->path);
#endif
}

int open_input(const char *path, const struct layout *layout, struct input **input) {
    *input = calloc(1, sizeof **input);
    if (*input == NULL) return fail(EULERCL_MEMORY, "no memory for an input");
    **input = (struct input){.path = path, .layout = layout};
    return open_named(*input);
}

int open_resumed(const char *path, const struct layout *layout, struct input **input) {
    *input = calloc(1, sizeof **input);
    if (*input == NULL) return fail(EULERCL_MEMORY, "no memory for an input");
    **input = (struct input){.path = path, .layout = layout};
#ifdef HAVE_HDF5
    return open_hdf5(path, "state", layout, &(*input)->hdf5);
#else
    return fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without HDF5", path);
#endif
}

int read_input(struct input *input, int64_t first, int64_t count, void *y) {
#ifdef HAVE_HDF5
    if (input->hdf5 != NULL) return read_hdf5(input->hdf5, first, count, y);
#endif
    const size_t got = fread(y, input->layout->precision, (size_t)count, input->npy);
    if (got == (size_t)count) return EULERCL_OK;
    return ferror(input->npy)
               ? fail(EULERCL_FILE, "%s: %s", input->path, strerror(errno))
               : fail(EULERCL_FILE,
                     "%s is truncated: it ends after %" PRId64 " of %" PRId64 " reals", input->path,
                     first + (int64_t)got, input->layout->info->n);
}

int load_input(struct input *input, eulercl_solver *solver, void *chunk, const char *hash) {
    eulercl_error error;
    struct hash sum;
    char digits[HASH_DIGITS + 1];
    hash_begin(&sum);
    for (int64_t first = 0, left = input->layout->info->n; left > 0;) {
        const int64_t count = left < CHUNK ? left : CHUNK;
        const int status = read_input(input, first, count, chunk);
        if (status) return status;
        hash_add(&sum, chunk, (size_t)count * input->layout->precision);
        if (eulercl_set_components(solver, first, count, chunk, &error))
            return fail_library(&error);
        first += count;
        left -= count;
    }
    if (input->npy != NULL && getc(input->npy) != EOF)
        return fail(EULERCL_FILE, "%s is longer than its header declares", input->path);
    hash_end(&sum, digits);
    return hash == NULL || strcmp(digits, hash) == 0
               ? EULERCL_OK
               : fail(EULERCL_FILE,
                     "%s cannot be resumed: its state is damaged (its hash is %s, not %s)",
                     input->path, digits, hash);
}

void close_input(struct input *input) {
    if (input == NULL) return;
    if (input->npy != NULL) fclose(input->npy);
#ifdef HAVE_HDF5
    close_hdf5(input->hdf5);
#endif
    free(input);
}
