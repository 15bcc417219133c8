/* SPDX-License-Identifier: BSD-2-Clause */
/* image.h - .png files as fields: masks and maps. They are read with Cairo and libpng only. */
#ifndef CLI_FORMAT_IMAGE_H
#define CLI_FORMAT_IMAGE_H

#include "format/format.h"

/* Read the brightness of the points of a grid, from 0, black or transparent, to 1, white: the
 * numbers of the file over the greatest that it can hold, whatever its gamma is. The lowest row of
 * the image is row 0 of the grid, as in pictures of states. */
int read_image(const char *path, const struct layout *layout, void *values);

#endif
