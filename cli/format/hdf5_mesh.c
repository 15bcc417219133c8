/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_mesh.c - the mesh in FILE.h5 that FILE.xdmf refers to; compiled only with HDF5.
 *
 * meshio reads no XDMF grid whose points and cells are not listed. Since they are regular, little
 * is left of them by shuffle and deflate, and least in chunks of one column. */
#include "config.h"

#include "format/hdf5_library.h"
#include "format/mesh.h"

#include <stdlib.h>

enum { SLAB = 1 << 16 };   /* points or cells that are made, compressed and written together */
enum { MOST_COLUMNS = 8 }; /* the corners of a hexahedron */

struct mesh describe_mesh(const eulercl_problem_info *info) {
    static const char *const topologies[] = {
        "Polyvertex", "Polyline", "Quadrilateral", "Hexahedron"};
    struct mesh mesh = {.points = 1, .cells = 1, .corners = 1, .real_bytes = sizeof(float)};
    for (int d = 0; d < AXES; d++) {
        const int64_t extent = mesh.extents[d] = info->extents[d];
        mesh.points *= extent;
        if (extent > 1 << 24) /* not exact in float */
            mesh.real_bytes = sizeof(double);
        if (extent == 1) continue;
        mesh.cells *= extent - 1;
        mesh.corners *= 2;
        mesh.strides[mesh.dimension] = mesh.points / extent;
        mesh.axes[mesh.dimension++] = d;
    }
    mesh.topology = topologies[mesh.dimension];
    mesh.index_bytes = mesh.points <= INT32_MAX ? sizeof(int32_t) : sizeof(int64_t);
    return mesh;
}

static void fill_points(const struct mesh *mesh, int64_t first, int64_t count, void *to) {
    double *x = to;
    for (int64_t i = first; i < first + count; i++) {
        int64_t rest = i;
        for (int d = 0; d < AXES; d++) {
            *x++ = (double)(rest % mesh->extents[d]);
            rest /= mesh->extents[d];
        }
    }
}

/* The corners go around a quadrilateral, or around the lower and then the upper face of a
 * hexahedron. */
static void fill_cells(const struct mesh *mesh, int64_t first, int64_t count, void *to) {
    int64_t *point = to;
    for (int64_t i = first; i < first + count; i++) {
        int64_t rest = i, origin = 0;
        for (int a = 0; a < mesh->dimension; a++) {
            const int64_t cells = mesh->extents[mesh->axes[a]] - 1;
            origin += rest % cells * mesh->strides[a];
            rest /= cells;
        }
        for (int k = 0; k < mesh->corners; k++)
            *point++ = origin + ((k ^ k >> 1) & 1) * mesh->strides[0] +
                       (k >> 1 & 1) * mesh->strides[1] + (k >> 2) * mesh->strides[2];
    }
}

/* Write a dataset of `count` rows; `fill` makes some of them. */
static herr_t write_rows(hid_t group, const char *name, hid_t type, hid_t memory_type, int64_t rows,
    int columns, const struct mesh *mesh,
    void (*fill)(const struct mesh *mesh, int64_t first, int64_t count, void *to), void *slab) {
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns},
                  chunk[2] = {(hsize_t)(rows < SLAB ? rows : SLAB), 1};
    const hid_t space = H5Screate_simple(2, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    herr_t status = H5Pset_chunk(how, 2, chunk);
    if (status >= 0) status = H5Pset_shuffle(how);
    if (status >= 0) status = H5Pset_deflate(how, 1);
    const hid_t set = keep_reason(status) < 0
                          ? H5I_INVALID_HID
                          : H5Dcreate2(group, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    status = keep_reason(set < 0 ? -1 : 0);
    for (int64_t first = 0; first < rows && status >= 0; first += SLAB) {
        const hsize_t start[2] = {(hsize_t)first, 0},
                      count[2] = {
                          (hsize_t)(rows - first < SLAB ? rows - first : SLAB), (hsize_t)columns};
        const hid_t memory = H5Screate_simple(2, count, NULL);
        fill(mesh, first, (int64_t)count[0], slab);
        status = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        if (status >= 0) status = H5Dwrite(set, memory_type, memory, space, H5P_DEFAULT, slab);
        keep_reason(status);
        H5Sclose(memory);
    }
    if (set >= 0 && keep_reason(H5Dclose(set)) < 0) status = -1;
    H5Pclose(how);
    H5Sclose(space);
    return status;
}

herr_t write_mesh(hid_t file, const struct mesh *mesh) {
    void *const slab = malloc(SLAB * MOST_COLUMNS * sizeof(int64_t));
    const hid_t group = slab == NULL
                            ? H5I_INVALID_HID
                            : H5Gcreate2(file, "mesh", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(group < 0 ? -1 : 0);
    if (status >= 0)
        status = write_rows(group, "points",
            mesh->real_bytes == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
            H5T_NATIVE_DOUBLE, mesh->points, AXES, mesh, fill_points, slab);
    if (status >= 0)
        status = write_rows(group, "cells",
            mesh->index_bytes == sizeof(int32_t) ? H5T_NATIVE_INT32 : H5T_NATIVE_INT64,
            H5T_NATIVE_INT64, mesh->cells, mesh->corners, mesh, fill_cells, slab);
    H5Gclose(group);
    free(slab);
    return status;
}
