/* SPDX-License-Identifier: BSD-2-Clause */
/* pixels.h - a picture as a PNG file. */
#ifndef CLI_FORMAT_PIXELS_H
#define CLI_FORMAT_PIXELS_H

#include <cairo.h>
#include <stdio.h>

#include "shared/facts.h"

/* Write the pixels, and the facts as text; facts may be NULL. The path is for messages. */
int write_png(const char *path, cairo_surface_t *surface, FILE *file, const struct facts *facts);

#endif
