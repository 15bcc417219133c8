/* SPDX-License-Identifier: BSD-2-Clause */
/* picture.h - .png files: pictures of states. The functions exist only with Cairo. */
#ifndef CLI_FORMAT_PICTURE_H
#define CLI_FORMAT_PICTURE_H

#include "format/format.h"

/* The parts of a picture, for animations and reports. */
int begin_picture(struct output *output);
int begin_picture_state(struct output *output);
int add_to_picture(struct output *output, int64_t first, int64_t count, const void *y);
/* facts may be NULL. */
int draw_picture(struct output *output, double t, FILE *file, const struct facts *facts);

#endif
