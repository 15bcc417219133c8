/* SPDX-License-Identifier: BSD-2-Clause */
/* mesh.h - the points of a problem's grid, and the cells between them, as XDMF describes them. */
#ifndef CLI_FORMAT_MESH_H
#define CLI_FORMAT_MESH_H

#include "eulercl/eulercl.h"
#include "format/hdf5_library.h"
#include "format/state.h"

/* The points have whole numbers as coordinates, since a problem does not say where they are; their
 * x changes fastest. A cell extends along the axes that have more than one point. */
struct mesh {
    int64_t extents[AXES], points, cells;
    int axes[AXES], dimension, corners; /* axes, dimension and corners of a cell */
    int64_t strides[AXES];              /* strides of the points along its axes */
    const char *topology;               /* topology in words of XDMF */
    /* bytes of a coordinate, and of a point's number in a cell */
    int real_bytes, index_bytes;
};
struct mesh describe_mesh(const eulercl_problem_info *info);
/* hdf5_mesh.c: write the datasets /mesh/points and /mesh/cells. */
herr_t write_mesh(hid_t file, const struct mesh *mesh);

#endif
