/* hostile_hdf5.c - HDF5 files that lead elsewhere, or nowhere: hostile_hdf5 KIND FILE.h5. For
 * tests/test_files.sh and tests/fuzz_files.sh. For tests/test_resume.sh: hostile_hdf5 without NAME
 * FILE.h5 removes an attribute of the root.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Each has a dataset /state of 20 doubles: the string of 10 points.
 */
#include <hdf5.h>
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

/* As many blocks as the file's datasets block-0, block-1... fill. */
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

static void put_text(const char *name) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char *const nothing = NULL;
    H5Awrite(attribute, type, &nothing);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static int remove_attribute(const char *name, const char *path) {
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    return H5Adelete(file, name) < 0 || H5Fclose(file) < 0 ? 2 : 0;
}

int main(int argc, char **argv) {
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
        put_text("precision");
        put_text("problem");
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
