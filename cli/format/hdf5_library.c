/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_library.c - what reading and writing HDF5 share: the library's start, errors, transfers. */
#include "config.h"

#include "format/hdf5_library.h"
#include "shared/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors: HDF5 keeps a stack of them; the innermost one names the cause ---- */

static char reason[200]; /* reason of the first failure; every call of HDF5 clears its errors */

static herr_t take_innermost(unsigned n, const H5E_error2_t *entry, void *text) {
    if (n == 0 && entry->desc != NULL) snprintf(text, sizeof reason, "%s", entry->desc);
    /* "...: time = ..., errno = 28, error message = 'No space left on device', ..." */
    static const char before[] = "error message = '";
    const char *const message = n == 0 && entry->desc != NULL ? strstr(entry->desc, before) : NULL;
    if (message != NULL)
        snprintf(text, sizeof reason, "%.*s", (int)strcspn(message + strlen(before), "'"),
            message + strlen(before));
    return 0;
}

herr_t keep_reason(herr_t status) {
    if (status < 0 && *reason == '\0')
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, reason);
    return status;
}

int fail_hdf5(const char *doing, const char *path) {
    keep_reason(-1);
    reason[strcspn(reason, "\r\n")] = '\0';
    fail(EULERCL_FILE, "cannot %s %s: HDF5: %s", doing, path,
        *reason == '\0' ? "unknown error" : reason);
    reason[0] = '\0';
    return EULERCL_FILE;
}

/* HDF5's exit function is not registered: it would access a file again that could not be closed on
 * a full disk, and crash. */
void start_hdf5(void) {
    if (getenv("HDF5_VDS_PREFIX") != NULL)
        unsetenv("HDF5_VDS_PREFIX"); /* parts lie beside their file, where they are examined */
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Lunregister(H5L_TYPE_EXTERNAL); /* no path within a file leads to another file */
}

/* The elements are a few boxes, which are moved one after the other. HDF5 moves whole chunks if
 * memory has the shape of the selection. For a union of boxes, or a line in memory, it moves single
 * elements, which takes ten times as long. */
herr_t transfer(hid_t set, hid_t space, hid_t type, int rank, const hsize_t *extents, hsize_t first,
    hsize_t count, struct reals reals) {
    herr_t status = 0;
    for (hsize_t done = 0; done < count && status >= 0;) {
        hsize_t start[MAX_INPUT_RANK] = {0}, size[MAX_INPUT_RANK], rest = first + done, volume = 1;
        int level = rank - 1; /* the box has several elements in this dimension, one in those before
                                 it, and all in those after it */
        for (int d = rank - 1; d >= 0; d--) {
            start[d] = rest % extents[d];
            rest /= extents[d];
        }
        while (level > 0 && start[level] == 0 && count - done >= volume * extents[level])
            volume *= extents[level--];
        hsize_t neighbours = (count - done) / volume;
        if (neighbours > extents[level] - start[level]) neighbours = extents[level] - start[level];
        for (int d = 0; d < rank; d++)
            size[d] = d < level ? 1 : d == level ? neighbours : extents[d];
        const size_t offset = (size_t)done * H5Tget_size(type);
        const hid_t memory = H5Screate_simple(rank, size, NULL);
        status = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
        if (status >= 0)
            status = reals.to == NULL
                         ? H5Dwrite(set, type, memory, space, H5P_DEFAULT, reals.from + offset)
                         : H5Dread(set, type, memory, space, H5P_DEFAULT, reals.to + offset);
        keep_reason(status);
        H5Sclose(memory);
        done += neighbours * volume;
    }
    return status;
}

hid_t real_type(enum eulercl_precision precision) {
    return precision == EULERCL_DOUBLE ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}
