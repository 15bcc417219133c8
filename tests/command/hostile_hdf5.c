/* SPDX-License-Identifier: BSD-2-Clause */
/* hostile_hdf5.c - HDF5 files that lead elsewhere, or nowhere: hostile_hdf5 KIND FILE.h5.
 * tests/command/test_files.sh and tests/command/fuzz_files.sh use these. For
 * tests/command/test_resume.sh, hostile_hdf5 without NAME FILE.h5 removes an attribute of the root,
 * and hostile_hdf5 flip NAME FILE.h5 flips one bit of an attribute of the root or of a group
 * (GROUP/NAME), or of the last element of a dataset (/NAME). For tests/command/test_files.sh,
 * hostile_hdf5 list NAME FILE.h5 prints a dataset's extents, the bytes of an element, and up to 64
 * elements.
 *
 * Each has a dataset /state of 20 doubles: the string of 10 points. */
#include "config.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 20 };

static hid_t file;

static void put(const char *name, hsize_t count, hid_t how) {
    double values[N] = {0};
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t set =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    for (int i = 0; i < N; i++) values[i] = 1.0 / (i + 3);
    if (how == H5P_DEFAULT) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
}

/* The first `count` reals of `name` are the first of `source` in the other file, "." being this
 * one. */
static void put_view(const char *name, const char *other, const char *source, hsize_t count) {
    const hsize_t all = N, start = 0;
    const hid_t to = H5Screate_simple(1, &all, NULL), from = H5Screate_simple(1, &all, NULL),
                how = H5Pcreate(H5P_DATASET_CREATE);
    H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Pset_virtual(how, to, other, source, from);
    put(name, N, how);
    H5Pclose(how);
    H5Sclose(from);
    H5Sclose(to);
}

/* Two halves, each of `source` in this file, from the reals number 0 and `second` of `name` on. */
static void put_halves(const char *name, const char *source, hsize_t second) {
    const hsize_t all = N, half = N / 2, starts[] = {0, second};
    const hid_t to = H5Screate_simple(1, &all, NULL), from = H5Screate_simple(1, &all, NULL),
                how = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 0; i < 2; i++) {
        H5Sselect_hyperslab(to, H5S_SELECT_SET, &starts[i], NULL, &half, NULL);
        H5Sselect_hyperslab(from, H5S_SELECT_SET, &starts[0], NULL, &half, NULL);
        H5Pset_virtual(how, to, ".", source, from);
    }
    put(name, N, how);
    H5Pclose(how);
    H5Sclose(from);
    H5Sclose(to);
}

/* A view of as many blocks as the file's datasets block-0, block-1... fill. */
static void put_endless_view(const char *other) {
    const hsize_t none = N, endless = H5S_UNLIMITED, start = 0, count = H5S_UNLIMITED, block = N;
    const hid_t to = H5Screate_simple(1, &none, &endless), from = H5Screate_simple(1, &none, NULL),
                how = H5Pcreate(H5P_DATASET_CREATE);
    H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, &block, &count, &block);
    H5Pset_virtual(how, to, other, "/block-%b", from);
    const hid_t set =
        H5Dcreate2(file, "state", H5T_NATIVE_DOUBLE, to, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(from);
    H5Sclose(to);
}

static void put_external(void) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(how, "secret", 0, N * sizeof(double));
    put("state", N, how);
    H5Pclose(how);
}

static void put_link(const char *name) {
    H5Lcreate_external("other.h5", "/data", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void put_text(const char *name, const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* The heap of texts says how long each is. libhdf5 1.10.8 does not come to an end if the last one
 * is longer by a byte. */
static const char heap_text[] = "0123456789abcdef";
static int make_heap_endless(const char *path) {
    static char bytes[1 << 16];
    FILE *const whole = fopen(path, "r+b");
    const size_t size = whole == NULL ? 0 : fread(bytes, 1, sizeof bytes, whole);
    const char *const text = memmem(bytes, size, heap_text, strlen(heap_text));
    if (text == NULL || fseek(whole, text - bytes - 8, SEEK_SET) != 0) return 2;
    putc((int)strlen(heap_text) + 1, whole);
    return fclose(whole) == 0 ? 0 : 2;
}

static int remove_attribute(const char *name, const char *path) {
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    return H5Adelete(file, name) < 0 || H5Fclose(file) < 0 ? 2 : 0;
}

/* The lowest bit of the first byte. */
static int flip_attribute(const char *name) {
    const char *const slash = strchr(name, '/');
    char group[64] = "/", *text = NULL;
    int64_t number;
    if (slash != NULL) snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
    const hid_t place = H5Gopen2(file, group, H5P_DEFAULT),
                attribute = H5Aopen(place, slash == NULL ? name : slash + 1, H5P_DEFAULT),
                type = H5Aget_type(attribute);
    const int is_text = H5Tis_variable_str(type) > 0;
    void *const value = is_text ? (void *)&text : (void *)&number;
    if (H5Aread(attribute, type, value) < 0) return 2;
    *(is_text ? text : (char *)&number) ^= 1;
    return H5Awrite(attribute, type, value) < 0 || H5Aclose(attribute) < 0 || H5Gclose(place) < 0
               ? 2
               : 0;
}

static int flip_dataset(const char *name) {
    static char bytes[1 << 20];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set),
                space = H5Dget_space(set);
    const size_t size = H5Tget_size(type),
                 count = size * (size_t)H5Sget_simple_extent_npoints(space);
    if (count > sizeof bytes || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
        return 2;
    bytes[count - size] ^= 1;
    return H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0 || H5Dclose(set) < 0 ? 2
                                                                                              : 0;
}

static int flip(const char *name, const char *path) {
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const int failed = *name == '/' ? flip_dataset(name) : flip_attribute(name);
    return failed || H5Fclose(file) < 0 ? 2 : 0;
}

static int list(const char *name, const char *path) {
    enum { MOST = 64 };
    double values[MOST];
    hsize_t extents[2];
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2) return 2;
    H5Sget_simple_extent_dims(space, extents, NULL);
    for (int d = 0; d < rank; d++) printf("%s%d", d == 0 ? "" : " ", (int)extents[d]);
    printf(", %d:", (int)H5Tget_size(H5Dget_type(set)));
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count <= MOST && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        return 2;
    for (int i = 0; i < count && count <= MOST; i++) printf(" %g", values[i]);
    putchar('\n');
    return H5Fclose(file) < 0 ? 2 : 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "list") == 0) return list(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "flip") == 0) return flip(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "without") == 0) return remove_attribute(argv[2], argv[3]);
    if (argc != 3) return 2;
    const char *const kind = argv[1];
    file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) return 2;
    if (strcmp(kind, "plain") == 0) {
        put("state", N, H5P_DEFAULT);
    } else if (strcmp(kind, "data") == 0) {
        put("data", N, H5P_DEFAULT);
        put("block-0", N, H5P_DEFAULT);
    } else if (strcmp(kind, "view") == 0) {
        put("data", N, H5P_DEFAULT);
        put_view("state", ".", "/data", N);
    } else if (strcmp(kind, "null-text") == 0) {
        put("state", N, H5P_DEFAULT);
        put_text("precision", NULL);
        put_text("problem", NULL);
    } else if (strcmp(kind, "endless-heap") == 0) {
        put("state", N, H5P_DEFAULT);
        put_text("problem", heap_text);
        return H5Fclose(file) < 0 ? 2 : make_heap_endless(argv[2]);
    } else if (strcmp(kind, "external-storage") == 0) {
        put_external();
    } else if (strcmp(kind, "external-link") == 0) {
        put_link("state");
    } else if (strcmp(kind, "soft-link") == 0) {
        put_link("away");
        H5Lcreate_soft("/away", file, "state", H5P_DEFAULT, H5P_DEFAULT);
    } else if (strcmp(kind, "soft-loop") == 0) {
        H5Lcreate_soft("/state", file, "state", H5P_DEFAULT, H5P_DEFAULT);
    } else if (strcmp(kind, "parameters-link") == 0) {
        put("state", N, H5P_DEFAULT);
        put_link("parameters");
    } else if (strcmp(kind, "view-elsewhere") == 0) {
        put_view("state", "other.h5", "/data", N);
    } else if (strcmp(kind, "view-of-part") == 0) {
        put_view("state", "other.AAAAAA.0.h5", "/state", N);
    } else if (strcmp(kind, "view-of-link") == 0) {
        put_link("away");
        put_view("state", ".", "/away", N);
    } else if (strcmp(kind, "view-of-itself") == 0) {
        put_view("state", ".", "/state", N);
    } else if (strcmp(kind, "view-of-view") == 0) {
        put_view("state", ".", "/view", N);
        put_view("view", ".", "/state", N);
    } else if (strcmp(kind, "view-of-nothing") == 0) {
        put_view("state", ".", "/data", N);
    } else if (strcmp(kind, "view-beyond") == 0) {
        put("data", N / 2, H5P_DEFAULT);
        put_view("state", ".", "/data", N);
    } else if (strcmp(kind, "view-of-a-part") == 0) {
        put("data", N, H5P_DEFAULT);
        put_view("state", ".", "/data", N / 2);
    } else if (strcmp(kind, "view-of-halves") == 0) {
        put("data", N, H5P_DEFAULT);
        put_halves("state", "/data", N / 2);
    } else if (strcmp(kind, "view-of-a-half-twice") == 0) {
        put("data", N, H5P_DEFAULT);
        put_halves("state", "/data", 0);
    } else if (strcmp(kind, "endless-view") == 0) {
        put("block-0", N, H5P_DEFAULT);
        put_endless_view(".");
    } else if (strcmp(kind, "endless-view-elsewhere") == 0) {
        put_endless_view("other.h5");
    } else {
        fprintf(stderr, "hostile_hdf5: no kind %s\n", kind);
        return 2;
    }
    return H5Fclose(file) < 0 ? 2 : 0;
}
